"""An attack: with how many dice, on whom, and what a throw does to its target (m44:battle.*, m44:range.*, m44:resolve.*)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from beachhead.hexes import Hex
from beachhead.play import Play, call
from beachhead.rules import Breakdown, Modifier, Objection
from beachhead.values import changed as evolve
from beachhead_memoir44.dice import Against, BattleDice, Face
from beachhead_memoir44.losses import lose_figures
from beachhead_memoir44.retreat import suffer_flags
from beachhead_memoir44.sight import sees, sight_objections
from beachhead_memoir44.state import State, by_type, on_base
from beachhead_memoir44.tables import Condition, Terrain


# ------------------------------------------------------------ dice
def attack_dice(state: State, unit: int, target: int, *, overrun: bool = False) -> Breakdown:
    """How many dice a unit rolls against a target, term by term; the total never falls below 0 (m44:range.dice_floor).

    Args:
        state: how things stand.
        unit: the attacker.
        target: the unit attacked.
        overrun: in an armor overrun combat, where some bonuses do not count.
    """
    troop, here, there = state.troop(unit), state.place(unit), state.place(target)
    distance = here.distance(there)
    if distance > len(troop.dice):
        return Breakdown.of(Modifier(f"{troop.name.lower()} at {distance} hexes", 0, troop.rules("dice")))
    how = f"{troop.name.lower()} at {distance} hex{'es' if distance != 1 else ''}"
    figure = Modifier(how, troop.dice[distance - 1], (*troop.rules("dice"), *on_base(troop), "m44:range.counting"))
    out = _largest(state, here, _out_of(state, unit), "m44:terrain.general.obstacle_out_best_only")
    into = _largest(state, there, _protection(state, unit, target), "m44:terrain.general.obstacle_best_only")
    if out and into and into.value:
        into = evolve(into, rules=(*into.rules, "m44:range.reductions_add"))
    terms = (figure, out, into, _bonus(state, unit, distance, overrun))
    dice = Breakdown(tuple(filter(None, terms)))
    if dice.total < 0:
        dice += Modifier("no fewer than none", -dice.total, "m44:range.dice_floor")
    return dice


class Reduction(NamedTuple):
    """Dice that terrain takes from an attacker, and the rules by which it does."""

    row: Terrain
    change: int
    rules: tuple[str, ...]


def _out_of(state: State, unit: int) -> Iterator[Reduction]:
    """What the attacker's own hex takes from it."""
    troop = state.troop(unit)
    for row in state.rows(state.place(unit)):
        if troop.base in row.battle_out:
            yield Reduction(row, row.battle_out[troop.base], by_type(troop, row, "battle_out"))


def _protection(state: State, unit: int, target: int) -> Iterator[Reduction]:
    """What the target's hex takes from this attacker: the figure for the attacker's type (m44:terrain.general.modifier_by_attacker)."""
    troop = state.troop(unit)
    for row in state.rows(state.place(target)):
        if not row.protection or not protects(state, row, unit, target):
            continue
        if change := row.protection.get(troop.base, 0):
            rules = (*by_type(troop, row, "protection"), "m44:terrain.general.modifier_by_attacker", *_star(row))
            yield Reduction(row, change, rules)
        elif troop.ignores_terrain_protection:
            yield Reduction(row, 0, troop.rules("ignores_terrain_protection"))


def _star(row: Terrain) -> tuple[str, ...]:
    """The rules by which a starred figure holds, once its condition is met (m44:terrain.general.starred)."""
    match row.protection_when:
        case Condition.ALWAYS:
            return ()
        case Condition.FROM_BELOW:
            return (*row.cites["protection_when"], "m44:terrain.general.starred", *row.cites["height"])
        case _:
            return (*row.cites["protection_when"], "m44:terrain.general.starred")


def protects(state: State, row: Terrain, unit: int, target: int) -> bool:
    """Whether the protection of a row in the target's hex holds against this attacker: the starred figures (m44:terrain.general.starred)."""
    there = state.place(target)
    match row.protection_when:
        case Condition.FROM_BELOW:
            return state.setting.height(state.place(unit)) < state.setting.height(there)
        case Condition.ORIGINAL_OWNER:
            return state.setting.owners.get(there) is state.side(target)
        case Condition.ON_COUNTRYSIDE_OR_BEACH:
            return not any(other.protection for other in state.rows(there) if other is not row)
        case _:
            return True


def _largest(state: State, hex: Hex, found: Iterator[Reduction], rule: str) -> Modifier | None:
    """Of the reductions of one hex only the largest counts (m44:terrain.general.obstacle_best_only)."""
    reductions = sorted(found, key=lambda reduction: reduction.change)
    if not reductions:
        return None
    row, change, rules = reductions[0]
    also = (rule,) if sum(reduction.change < 0 for reduction in reductions) > 1 else ()
    return Modifier(f"{row.noun} at {state.label(hex)}", change, (*rules, *also))


def _bonus(state: State, unit: int, distance: int, overrun: bool) -> Modifier | None:
    """What the card gives to units that it orders; an ambusher is none of them."""
    kind = state.turn.kind
    if kind is None or state.turn.substitute or state.side(unit) is not state.active:
        return None
    effect = "close_bonus" if distance == 1 else "fire_bonus"
    bonus = kind.close_bonus if distance == 1 else kind.fire_bonus
    rules = kind.rules(effect)
    if overrun and bonus and not kind.overrun_bonus:
        if state.setting.ruling("close_assault_overrun") != "both" or distance != 1:
            return None
        rules = ("m44:close_assault_overrun", *rules)
    elif overrun and bonus:
        rules = (*rules, *kind.cites.get("overrun_bonus", ()))
    return Modifier(kind.name, bonus, rules) if bonus else None


# ------------------------------------------------------------ who may attack whom
def readiness_objections(state: State, unit: int) -> Iterator[Objection]:
    """Why a unit may not battle at all now."""
    orders, kind = state.orders(unit), state.turn.kind
    if state.side(unit) is not state.active or orders is None:
        yield Objection("m44:order.ordered_only", "{} has no order", (state.name(unit),))
        return
    battles = kind.battles if kind and not orders.moved and not state.turn.substitute else 1
    if orders.battles >= battles:
        rules = ("m44:battle.once",) if battles == 1 or kind is None else kind.rules("battles")
        if orders.battles > battles:
            rules = (*rules, "m44:ground.one_overrun")
        yield Objection(rules, "{} has battled", (state.name(unit),))
    if not state.troop(unit).can_battle:
        yield Objection(state.troop(unit).rules("can_battle"), "{} never battles", (state.name(unit),))
    if orders.no_battle:
        yield Objection(orders.no_battle, "{} may not battle this turn after what it did", (state.name(unit),))
    yield from ground_objections(state, unit)


def ground_objections(state: State, unit: int) -> Iterator[Objection]:
    """Why a unit may not battle from where it stands."""
    here = state.place(unit)
    for row in state.rows(here):
        if state.troop(unit).base in row.no_battle_inside:
            yield Objection(row.cites["no_battle_inside"], "{} may not battle in the {}", (state.name(unit), row.noun))


def target_objections(state: State, unit: int, hex: Hex, *, overrun: bool = False) -> Iterator[Objection]:
    """Why a unit may not attack what stands in a hex: range and sight first, then terrain (m44:turn.battle_steps)."""
    troop, here, target, kind = state.troop(unit), state.place(unit), state.unit_at(hex), state.turn.kind
    if hex not in state.setting.board or target is None or state.side(target) is state.side(unit):
        yield Objection("m44:turn.battle_steps", "there is no enemy to select as a target", ())
        return
    distance = here.distance(hex)
    if distance > len(troop.dice):
        yield Objection(
            troop.rules("dice"),
            "{} is {} hexes away: {} reaches {}",
            (state.name(target), distance, state.name(unit), len(troop.dice)),
        )
        return
    near = state.enemies_near(here, state.side(unit))
    if distance > 1 and near:
        rules = ("m44:battle.adjacent_must_assault", *(("m44:ground.overrun_adjacent",) if overrun else ()))
        yield Objection(
            rules, "{} stands next to {} and may only close assault", (state.name(unit), state.name(near[0]))
        )
    if near and kind and kind.fire_only and not state.turn.substitute:
        yield Objection(
            kind.rules("fire_only"),
            "{} stands next to {}, and the card allows firing only",
            (state.name(unit), state.name(near[0])),
        )
    if troop.needs_los and not sees(state, here, hex):
        for objection in sight_objections(state, here, hex):
            yield Objection((*objection.rules, *troop.rules("needs_los")), objection.template, objection.args)
        return
    dice = attack_dice(state, unit, target, overrun=overrun)
    if dice.total < 1:
        yield Objection(("m44:range.dice_floor", *dice.rules), "{} has no dice: {}", (state.name(unit), dice))


def battle_objections(state: State, unit: int, hex: Hex) -> Iterator[Objection]:
    """Every reason against a battle of an ordered unit."""
    yield from readiness_objections(state, unit)
    yield from target_objections(state, unit, hex)


def targets(state: State, unit: int) -> Iterator[Hex]:
    """The hexes of the enemies in range."""
    here, reach = state.place(unit), len(state.troop(unit).dice)
    for enemy in state.of(state.side(unit).other):
        if here.distance(state.place(enemy)) <= reach:
            yield state.place(enemy)


# ------------------------------------------------------------ resolving
def hit_faces(state: State, target: int, *, stars: bool = False) -> tuple[Face, ...]:
    """The faces that hit a unit: its symbol and the grenade; the star only by a card (m44:resolve.hit_matching, m44:resolve.star_face)."""
    return tuple(Face(face) for face in sorted(state.troop(target).hit_on)) + ((Face.STAR,) if stars else ())


async def resolve(play: Play[State], target: int, dice: int, stars: bool, may_ignore: bool) -> None:
    """Roll; first the hits, then the flags (m44:resolve.hits_before_flags)."""
    score = await BattleDice(dice, Against(hit_faces(play.state, target, stars=stars)), "m44:resolve.hit_matching")
    if score.hits:
        first = ("m44:resolve.hits_before_flags",) if score.flags else ()
        rules = ("m44:resolve.casualty", *play.state.troop(target).rules("hit_on"), *first)
        await call(lose_figures, target, score.hits, rules)
    if score.flags and play.state.on_board(target):
        await call(suffer_flags, target, score.flags, may_ignore)
