"""A few words beside each option, and what one wants to know of where it leads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from beachhead.dice import D10
from beachhead.hexes import Hex
from beachhead.rules import Breakdown
from beachhead.sentences import counted, listed
from beachhead.terminal import Plain
from beachhead_gts.actions import (
    EndActivation,
    EnterEntrenchment,
    Fire,
    LeaveEntrenchment,
    Mount,
    Move,
    Pass,
    Prolonge,
    Rally,
    Together,
    active_units,
    is_second,
)
from beachhead_gts.activation import ChooseAction
from beachhead_gts.battlefield import Away, Place
from beachhead_gts.charts import HALF
from beachhead_gts.command import in_command
from beachhead_gts.dispatch import BuyForNextTurn, BuyForThisTurn, Convert
from beachhead_gts.events import points
from beachhead_gts.fire import may_earn_bonus
from beachhead_gts.ground import terrain_at
from beachhead_gts.leaders import JoinNearest, Transfer, TransferLeader
from beachhead_gts.movement import Dismount, DropOff, ForceMarch, MoveOn, StepTo, StopMoving
from beachhead_gts.mover import Moving, allowance, step_cost
from beachhead_gts.mug import Attach
from beachhead_gts.opportunity import ChooseOpportunityFire, OpportunityFire, Trigger, departure, firers, in_zone
from beachhead_gts.picture import described, may_act
from beachhead_gts.quality import Check, MeetCheck, Purpose, RollDie, SpendPoint, troop_quality
from beachhead_gts.questions import result_odds
from beachhead_gts.rating import Occasion, Shot, fire_rating
from beachhead_gts.results import BuyConversion, ConvertSuppression, TryConversion
from beachhead_gts.state import State, Unit
from beachhead_gts.stepping import dismount_price
from beachhead_gts.tables import NEXT_TURN, THIS_TURN, Cover, Result, Side
from beachhead_gts.together import ChooseTarget, FireAt, JoinIn
from beachhead_gts.turn import AttachTo
from beachhead_gts.victory import victory_points

_plain = Plain()
FEW = 6
"""So many units are named, rather than counted."""


def gloss(state: State, decision: Any, action: Any) -> str:
    """What map, units and charts say of an option."""
    match action:
        case Convert(division=division):
            held = state.division_points(division)
            return f"{counted(held.command, 'Command Point')} and {counted(held.dispatch, 'Dispatch Point')} held"
        case BuyForThisTurn(formation=formation):
            return _purchase(state, formation, THIS_TURN)
        case BuyForNextTurn(formation=formation):
            return _purchase(state, formation, NEXT_TURN)
        case AttachTo(formation=formation):
            return _named(state, state.setting.members[formation])
        case Attach(unit=unit) | DropOff(unit=unit):
            return described(state, unit)
        case Transfer(hex=hex) if isinstance(decision, TransferLeader | JoinNearest):
            return _transfer(state, decision.leader, hex)
        case OpportunityFire(unit=unit, target=target) if isinstance(decision, ChooseOpportunityFire):
            return f"to fire it {_passes(state, unit)}; {chances(state, Shot(unit, target, decision.trigger.occasion))}"
        case RollDie() if isinstance(decision, MeetCheck):
            return _passes(state, decision.unit, rallying=decision.purpose is Purpose.RALLY)
        case SpendPoint() if isinstance(decision, MeetCheck):
            return _price(state, decision.unit)
        case TryConversion() if isinstance(decision, ConvertSuppression):
            return f"{_passes(state, decision.unit)}; {described(state, decision.unit)}"
        case BuyConversion() if isinstance(decision, ConvertSuppression):
            return _price(state, decision.unit)
        case FireAt(target=target) if isinstance(decision, ChooseTarget):
            return _fire(state, decision.unit, target)
        case JoinIn(unit=unit):
            return "; ".join((described(state, unit), *_bought(state, unit)))
    if isinstance(decision, MoveOn):
        return _going(state, decision.moving, action)
    if isinstance(decision, ChooseAction):
        return "; ".join(_action(state, action)) or _plain.gloss(state, decision, action)
    return _plain.gloss(state, decision, action)


# ------------------------------------------------------------ Actions
def _action(state: State, action: Any) -> Iterator[str]:
    """What it costs, and what it may come to."""
    match action:
        case EndActivation():
            waiting = tuple([i for i in active_units(state) if may_act(state, state.setting.roster[i].name)])
            yield f"{_named(state, waiting)} could still act" if waiting else "all have acted"
            return
        case Move(unit=unit):
            yield f"{_where(state, unit)}, {points(allowance(state, unit))}"
        case Prolonge(unit=unit, hex=hex):
            yield f"{_passes(state, unit)}, or takes a Cohesion Hit; {ground(state, hex)}"
        case Fire(unit=unit, target=target):
            yield _fire(state, unit, target)
        case Rally(unit=unit):
            yield "In Command: it succeeds" if in_command(state, unit) else _passes(state, unit, rallying=True)
            yield f"from {'Suppression' if state.unit(unit).suppressed else 'a Cohesion Hit'}"
        case Mount(unit=unit) | EnterEntrenchment(unit=unit) | LeaveEntrenchment(unit=unit):
            yield _where(state, unit)
            occasion = Occasion.TRANSPORT if isinstance(action, Mount) else Occasion.ENTRENCHMENT
            yield from _fired_at(state, (unit,), occasion)
        case Together(unit=unit):
            mates = [mate for mate in state.at(_hex(state, unit)) if mate != unit]
            yield f"with {listed(tuple(mates))} to choose from"
        case Pass(unit=unit):
            yield described(state, unit)
    yield from _bought(state, action.unit)


def _named(state: State, numbers: tuple[int, ...]) -> str:
    """Units by name, or how many they are."""
    few = 0 < len(numbers) <= FEW
    return listed(tuple([state.setting.roster[i].name for i in numbers])) if few else f"{len(numbers)} units"


def _bought(state: State, unit: str) -> Iterator[str]:
    """The Command Point that an Action costs now."""
    if is_second(state, unit):
        yield f"Second Action, {_price(state, unit)}"
    elif state.chit.direct:
        yield _price(state, unit)


def _fire(state: State, unit: str, target: str) -> str:
    bonus = f"; Company Bonus: {_passes(state, unit)}" if may_earn_bonus(state, unit) else ""
    return f"{described(state, target)}: {chances(state, Shot(unit, target))}{bonus}"


def _where(state: State, unit: str) -> str:
    hex = _hex(state, unit)
    return f"{state.setting.board.label(hex)}, {ground(state, hex)}"


def _hex(state: State, unit: str) -> Hex:
    place = state.place(unit)
    assert isinstance(place, Hex)
    return place


def ground(state: State, hex: Hex) -> str:
    """The terrain in a hex."""
    return " and ".join(row.name for row in terrain_at(state.setting, hex))


# ------------------------------------------------------------ points and Leaders
def _purchase(state: State, formation: str, price: int) -> str:
    field = state.setting
    held = state.division_points(field.division_of[formation].name).dispatch
    there = sum(isinstance(state.units[i].place, Hex) for i in field.members[formation])
    return f"{price} of {counted(held, 'Dispatch Point')}; {counted(there, 'unit')} on the map"


def _price(state: State, unit: str) -> str:
    division = state.setting.points_of(unit)
    return f"1 of {counted(state.division_points(division).command, 'Command Point')} of {division}"


def _transfer(state: State, leader: str, hex: Hex) -> str:
    """Who would be with a Leader, and within his range."""
    field = state.setting
    piece = field.leaders[field.leader_number[leader]]
    members = [state.units[i].place for i in field.members[piece.formation]]
    reached = sum(isinstance(place, Hex) and place.distance(hex) <= piece.range for place in members)
    return f"with {listed(state.at(hex))}; {reached} units of {piece.formation} within {piece.range} hexes"


# ------------------------------------------------------------ movement
def _going(state: State, moving: Moving, action: Any) -> str:
    match action:
        case StepTo(hex=hex) | ForceMarch(hex=hex):
            return "; ".join((*_step_words(state, moving, action, hex), *_exposed(state, moving, hex)))
        case Dismount():
            (unit,) = moving.units
            return _share(dismount_price(state.setting.piece(unit)), moving.points[0])
        case StopMoving():
            return f"{points(min(moving.points))} left"
        case _:
            return f"{_plain.gloss(state, None, action)}; {points(moving.points[0])} left"


def _share(halves: int, left: int) -> str:
    """So many of the Movement Points that are left."""
    return f"{Fraction(halves, HALF)} of {points(left)}"


def _step_words(state: State, moving: Moving, action: StepTo | ForceMarch, hex: Hex) -> Iterator[str]:
    """What a step costs, and what the hex is."""
    for unit, left in zip(moving.units, moving.points, strict=True):
        cost = step_cost(state, unit, hex, together=moving.together, came=moving.came)
        if cost is not None:
            who = f"{unit}: " if moving.together else ""
            yield f"{who}{_share(cost.total, left)}"
        if isinstance(action, ForceMarch):
            yield f"{unit} {_passes(state, unit)}"
    mates = state.at(hex)
    yield f"{ground(state, hex)}{f', with {listed(mates)}' if mates else ''}"


def _exposed(state: State, moving: Moving, hex: Hex) -> Iterator[str]:
    """Who may fire at units that leave for a hex, and whether it lies in an enemy Fire Zone."""
    side = state.setting.piece(moving.units[0]).side
    yield from _fired_at(state, moving.units, departure(state, side, hex))
    if in_zone(state, side, hex):
        yield "in an enemy Fire Zone"


def _fired_at(state: State, units: tuple[str, ...], occasion: Occasion) -> Iterator[str]:
    """Who may fire at what units do."""
    exposed = tuple([unit for unit in units if not state.unit(unit).entering])
    waiting = firers(state, Trigger(exposed, occasion))
    if waiting:
        yield f"{listed(waiting)} may fire first"


# ------------------------------------------------------------ fire and checks
def _passes(state: State, unit: str, *, rallying: bool = False) -> str:
    """The chance of a Troop Quality Check."""
    check = Check(troop_quality(state, unit, rallying=rallying).total)
    return f"passes with {check} ({check.passing} in {len(D10.faces)})"


def chances(state: State, shot: Shot) -> str:
    """The Fire Rating of a shot with its terms, and how likely each result is; before any Company Bonus."""
    odds = result_odds(state, shot.firer, shot.target, occasion=shot.occasion)
    results = ", ".join(f"{result} {odds[result]}" for result in Result if result in odds)
    return f"Fire Rating {_sum(fire_rating(state, shot))}: {results}"


def _sum(rating: Breakdown) -> str:
    terms = " ".join(f"{term.value:+d} {term.label}" for term in rating.terms).removeprefix("+")
    return f"{rating.total} = {terms}" if len(rating.terms) > 1 else str(rating.total)


# ------------------------------------------------------------ outcomes
def outcome(state: State, decision: Any, action: Any) -> Callable[[State], str]:
    """What becomes of units, Leaders, points and Victory Points."""

    def told(after: State) -> str:
        return "; ".join(_changes(state, after)) or "nothing changes"

    return told


def _changes(before: State, after: State) -> Iterator[str]:
    field = before.setting
    for piece, was, now in zip(field.roster, before.units, after.units, strict=True):
        if was is not now and (changes := list(_unit_changes(before, was, now))):
            yield f"{piece.name} {' and '.join(changes)}"
    for leader, came, went in zip(field.leaders, before.leaders, after.leaders, strict=True):
        if came != went:
            yield f"{leader.name} {_went(before, went)}"
    for division, had, has in zip(field.divisions, before.points, after.points, strict=True):
        if more := has.command - had.command:
            yield f"{division.name} {counted(more, 'Command Point', '+')}"
        if more := has.dispatch - had.dispatch:
            yield f"{division.name} {counted(more, 'Dispatch Point', '+')}"
    for side in Side:
        if more := victory_points(after, side).total - victory_points(before, side).total:
            yield f"{side} {more:+d} VP"


def _unit_changes(state: State, was: Unit, now: Unit) -> Iterator[str]:
    """What has become of a unit, but for Men Rallying markers that it has lost."""
    if now.place is Away.ELIMINATED:
        yield "is eliminated"
        return
    if now.losses > was.losses:
        yield "loses a step"
    if more := now.cohesion - was.cohesion:
        yield f"{'takes' if more > 0 else 'recovers from'} {abs(more)} Cohesion Hit{'' if abs(more) == 1 else 's'}"
    if now.suppressed != was.suppressed:
        yield "is Suppressed" if now.suppressed else "recovers from Suppression"
    if now.rallying > was.rallying:
        yield "gets a Men Rallying marker"
    if now.place != was.place:
        yield _went(state, now.place)
    if now.mounted != was.mounted:
        yield "mounts" if now.mounted else "dismounts"
    if now.column != was.column:
        yield "enters Column" if now.column else "leaves Column"
    if now.cover is not was.cover:
        yield f"is in an {now.cover}" if now.cover is not Cover.NONE else f"leaves its {was.cover}"


def _went(state: State, place: Place) -> str:
    return f"goes to {state.setting.board.label(place)}" if isinstance(place, Hex) else place.value
