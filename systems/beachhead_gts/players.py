"""Players that go by rules of thumb: take and keep what scores, fire when the odds are good, move by good ground, get hurt units to rally.

Each is a policy: it sees the view of its side and nothing else, remembers nothing, and answers the same question in the same way. There is no search
of what the enemy may answer: what a thing is worth, in Victory Points, `appraisal.py` says, and of options that are worth the same the first is taken.

`POLICIES` names them. "sensible" is the usual opponent; "cautious" counts more on what may be shot at it, keeps what it holds, and saves its Command Points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from attrs import evolve

from beachhead.hexes import Hex
from beachhead.policies import Policy, by_type
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
    is_second,
)
from beachhead_gts.activation import ChooseAction
from beachhead_gts.appraisal import Situation, survey
from beachhead_gts.command import commanded_in_activation, in_command
from beachhead_gts.dispatch import (
    BuyChits,
    BuyForNextTurn,
    BuyForThisTurn,
    Convert,
    ConvertPoints,
    DoneBuying,
    DoneConverting,
    own_formations,
)
from beachhead_gts.events import acting
from beachhead_gts.forces import Force
from beachhead_gts.gunnery import Temper
from beachhead_gts.leaders import JoinNearest, LeaderGoes, RemainBehind, StayInPlace, TransferLeader
from beachhead_gts.movement import ForceMarch, MoveOn, StopMoving
from beachhead_gts.mover import Moving
from beachhead_gts.mug import (
    ArriveDeployed,
    ArriveInColumn,
    AttachUnits,
    DoneAttaching,
    HowToArrive,
)
from beachhead_gts.opportunity import ChooseOpportunityFire, HoldFire
from beachhead_gts.permissions import not_permitted
from beachhead_gts.plans import FAR, best_end, stirs
from beachhead_gts.quality import MeetCheck, Purpose, RollDie, SpendPoint
from beachhead_gts.rating import Occasion
from beachhead_gts.results import AcceptSuppression, BuyConversion, ConvertSuppression, TryConversion
from beachhead_gts.state import State
from beachhead_gts.tables import NEXT_TURN, THIS_TURN, ActionKind, ChitKind, Side
from beachhead_gts.together import BeginAction, ChooseTarget, JoinAction
from beachhead_gts.turn import AttachFormation, AttachTo
from beachhead_gts.victory import victory_points

Option = TypeVar("Option")

LEAST = 0.03
"""What an Action must bring before anybody stirs, in Victory Points."""
MARCH = 0.4
"""What a forced march must bring."""
NEAR = 7
"""How near an enemy must be for a Formation to be in contact, in hexes."""


def best(options: Iterable[Option], value: Callable[[Option], float]) -> Option:
    """The option of the greatest value; of equals the first."""
    return max(options, key=value)


# ------------------------------------------------------------ chits
def in_contact(now: Situation, formation: str) -> float:
    """How much a Formation would do with its chit: its units near the enemy count, and less those that march."""
    board, found = now.state.setting.board, 0.0
    for i in now.state.acting_with(formation):
        place = now.state.units[i].place
        if type(place) is Hex:
            found += 1.0 if board.within_mask(place, NEAR) & now.enemies else 0.4
    return found


def wanted(now: Situation, division: str) -> list[str]:
    """The Formations of a Division whose chits are worth having, the best first."""
    state, field = now.state, now.state.setting
    known = (*state.ready, *state.aside, state.carried, *(field.first_turn.mug if state.turn == 1 else ()))
    own = [name for name in own_formations(state, now.side) if field.division_of[name].name == division]
    found = [(in_contact(now, name), name) for name in own if name not in known]
    return [name for worth, name in sorted(found, key=lambda each: -each[0]) if worth >= 1]


def chits(now: Situation, division: str) -> tuple[list[str], list[str]]:
    """The chits that a Division buys for this turn, and for the next: those are half as dear, so that all that are wanted come before haste."""
    names, held = wanted(now, division), now.state.division_points(division).dispatch
    if now.last:
        return names, []
    hasty = max(0, held - NEXT_TURN * len(names)) // (THIS_TURN - NEXT_TURN)
    return names[:hasty], names[hasty:]


def convert_points(now: Situation, decision: ConvertPoints, options: tuple[Any, ...]) -> Any:
    """Dispatch Points for as many chits as are wanted, as long as Command Points are left for everything else."""
    for option in options:
        if isinstance(option, Convert):
            held = now.state.division_points(option.division)
            price = THIS_TURN if now.last else NEXT_TURN
            if held.command >= now.temper.reserve + 2 and held.dispatch < price * len(wanted(now, option.division)):
                return option
    return DoneConverting()


def buy_chits(now: Situation, decision: BuyChits, options: tuple[Any, ...]) -> Any:
    """This turn's chits for those that do most; next turn's for the others."""
    for division in now.state.setting.divisions:
        if division.side is now.side:
            at_once, next_turn = chits(now, division.name)
            for option in (*map(BuyForThisTurn, at_once), *map(BuyForNextTurn, next_turn)):
                if option in options:
                    return option
    return DoneBuying()


def attach_formation(now: Situation, decision: AttachFormation, options: tuple[AttachTo, ...]) -> AttachTo:
    """To the one that has most to do."""
    return best(options, lambda option: in_contact(now, option.formation))


def attach_units(now: Situation, decision: AttachUnits, options: tuple[Any, ...]) -> Any:
    """Whoever can do most."""

    def value(option: Any) -> float:
        if isinstance(option, DoneAttaching):
            return 0.0
        unit = now.unit(option.unit)
        here = now.standing(unit, unit.hex, column=unit.now.column)
        goal = now.assigned.get(unit.i)
        return 0.01 + now.best_shot(unit, unit.hex) + (max(0.0, goal.worth - here) if goal and unit.points else 0.0)

    return best(options, value)


def how_to_arrive(now: Situation, decision: HowToArrive, options: tuple[Any, ...]) -> Any:
    """In Column, to march; deployed where the enemy is near."""
    field = now.state.setting
    entry = field.division_of[field.piece(decision.unit).division].entry
    near = entry is not None and field.board.within_mask(entry, 5) & now.enemies
    return ArriveDeployed() if near else ArriveInColumn()


# ------------------------------------------------------------ Actions
def choose_action(now: Situation, decision: ChooseAction, options: tuple[Any, ...]) -> Any:
    """First the Second Action that only now can be bought; then fire, the best shot first; then rallies; then moves."""
    active = acting(now.state)
    direct = now.state.chit.direct
    fresh, second = dict[str, list[Any]](), dict[str, list[Any]]()
    for option in options:
        if type(option) in DEEDS:
            unit = option.unit
            paid = direct or active.acted >> now.state.setting.number[unit] & 1
            (second if paid else fresh).setdefault(unit, []).append(option)
    bought = [
        (deed(now, option) - now.price(now.state.setting.points_of(unit)), option)
        for unit in second
        for option in second[unit]
    ]
    if bought:
        worth, option = best(bought, lambda each: each[0])
        if worth > LEAST:
            return option
    return first_action(now, fresh) or EndActivation()


def first_action(now: Situation, options: Mapping[str, list[Any]]) -> Any:
    """What a unit does that has not acted yet; None when nobody has anything to do."""
    at_once = list[tuple[float, Any]]()
    for option in [option for unit in options.values() for option in unit if not isinstance(option, Move)]:
        if (worth := deed(now, option)) > LEAST:
            at_once.append((worth + RANK.get(type(option), 0.0), option))
    for worth, option in sorted(at_once, key=lambda each: -each[0]):
        move = Move(option.unit)
        if move not in options[option.unit] or deed(now, move) < worth - RANK.get(type(option), 0.0):
            return option
    for unit in in_order(now, [now.unit(unit) for unit, deeds in options.items() if Move(unit) in deeds]):
        if deed(now, Move(unit.name)) > LEAST:
            return Move(unit.name)
    return None


def in_order(now: Situation, movers: Iterable[Force]) -> Iterable[Force]:
    """First those who march, so that the road is clear for the next; then those near the enemy who have farthest to go."""
    board = now.state.setting.board

    def place(unit: Force) -> tuple[bool, float]:
        pull = now.pull(unit, unit.hex, column=unit.now.column)
        near = bool(board.within_mask(unit.hex, FAR) & now.enemies)
        return near, pull if near else -pull

    return sorted(movers, key=place)


ARRIVES = 20.0
"""What it is worth to leave a reinforcement hex, which must be."""
RANK: Mapping[type, float] = {Fire: 100.0, Rally: 50.0}
"""What comes first under a chit: fire helps those who move afterwards."""


def deed(now: Situation, action: Any) -> float:
    """What an Action is worth."""
    return DEEDS[type(action)](now, now.unit(action.unit), action)


def fire(now: Situation, unit: Force, action: Fire) -> float:
    """The expected harm, which is exact."""
    return now.shot(unit, now.unit(action.target))


def rally(now: Situation, unit: Force, action: Rally) -> float:
    """What the marker costs the unit as long as it is there."""
    chance = 1.0 if in_command(now.state, unit.name) else now.passing(unit)
    if unit.now.suppressed:
        return chance * (now.losses(unit)[1] + 0.1) + then_fire(now, unit)
    return chance * 0.12 * (1 + unit.now.cohesion) * now.future + then_fire(now, unit)


def move(now: Situation, unit: Force, action: Move) -> float:
    """How much better it would stand where it can get to."""
    return now.once(("move", unit, now.state.activation, now.state.points), lambda: _move(now, unit))


def _move(now: Situation, unit: Force) -> float:
    if unit.now.entering:
        return ARRIVES
    state, begin = now.state, Moving((unit.name,), (unit.points,), is_second(now.state, unit.name))
    paid = begin.second or state.chit.direct
    least = now.price(unit.piece.division) if paid else LEAST
    into_zones = _into_zones(state, unit.name, second=begin.second)
    if not stirs(now, unit, begin, least, into_zones=into_zones):
        return -1.0
    end = best_end(now, unit, begin, into_zones=into_zones)
    return -1.0 if end is None else end.value - now.standing(unit, unit.hex, column=unit.now.column)


def _into_zones(state: State, unit: str, *, second: bool) -> bool:
    return not_permitted(state, unit, "move into an enemy Fire Zone", second=second) is None


def off_the_entry(now: Situation, unit: Force, action: Prolonge) -> float:
    """Only where a gun must, because it has just arrived; then to where its vehicles find a way on."""
    if not unit.now.entering:
        return -1.0
    return ARRIVES + now.errand(unit, action.hex, column=unit.now.column)


def mount(now: Situation, unit: Force, action: Mount) -> float:
    """To ride where there is far to go, out of sight of the enemy."""
    if now.covering(unit.hex):
        return -1.0
    ride = now.other_side(unit)
    here = now.standing(unit, unit.hex, column=unit.now.column)
    return now.standing(ride, unit.hex, column=action.column) - here


def dig_in(now: Situation, unit: Force, action: EnterEntrenchment) -> float:
    """Half the harm does not come to who is dug in; but it is a unit that stays."""
    harm = now.reaction(unit, unit.hex, Occasion.ENTRENCHMENT, column=unit.now.column)
    return 0.5 * now.danger(unit, unit.hex, column=unit.now.column) + 0.1 * now.risk(unit.hex) - harm


def get_out(now: Situation, unit: Force, action: LeaveEntrenchment) -> float:
    """Only where nobody comes any more."""
    board, goal = now.state.setting.board, now.assigned.get(unit.i)
    if board.within_mask(unit.hex, NEAR) & now.enemies or goal is None or goal.hex == unit.hex:
        return -1.0
    return 0.1


def wait(now: Situation, unit: Force, action: Pass) -> float:
    """With a Division's chit one who passes can fire in a Second Action."""
    return then_fire(now, unit) - 0.01


def then_fire(now: Situation, unit: Force) -> float:
    """What a Second Action brings beside what it costs, where a first may be no fire (7.1)."""
    state = now.state
    chit = state.chit
    if chit.kind is not ChitKind.DIVISION or acting(state).acted >> unit.i & 1 or unit.now.suppressed:
        return 0.0
    if not state.division_points(chit.division).command or not commanded_in_activation(state, unit.name):
        return 0.0
    return max(0.0, now.best_shot(unit, unit.hex, column=unit.now.column) - now.price(chit.division))


DEEDS: Mapping[type, Callable[[Situation, Force, Any], float]] = {
    Fire: fire,
    Rally: rally,
    Move: move,
    Prolonge: off_the_entry,
    Mount: mount,
    EnterEntrenchment: dig_in,
    LeaveEntrenchment: get_out,
    Pass: wait,
}
"""What is weighed. Nobody acts together with others."""


def join_action(now: Situation, decision: JoinAction, options: tuple[Any, ...]) -> Any:
    """Nobody more than must be."""
    return BeginAction() if BeginAction() in options else options[0]


def choose_target(now: Situation, decision: ChooseTarget, options: tuple[Any, ...]) -> Any:
    """The best shot."""
    return best(options, lambda option: now.shot(now.unit(decision.unit), now.unit(option.target)))


# ------------------------------------------------------------ on the move
def move_on(now: Situation, decision: MoveOn, options: tuple[Any, ...]) -> Any:
    """Towards where the unit stands best, on the way that costs least."""
    going = decision.moving
    unit = now.unit(going.units[0])
    end = best_end(now, unit, going, into_zones=_into_zones(now.state, unit.name, second=going.second))
    if end is not None and end.first in options:
        stay = now.standing(unit, unit.hex, column=unit.now.column)
        if StopMoving() not in options or end.value > stay + LEAST / 2:
            return end.first
    for option in options:
        if isinstance(option, ForceMarch) and forced_march(now, unit, option.hex) > MARCH:
            return option
    return StopMoving() if StopMoving() in options else options[0]


def forced_march(now: Situation, unit: Force, hex: Hex) -> float:
    """What a forced march into a hex is worth (14.8)."""
    column = unit.now.column
    gain = now.standing(unit, hex, column=column) - now.standing(unit, unit.hex, column=column)
    chance = now.passing(unit)
    return chance * gain - (1 - chance) * now.losses(unit)[2]


# ------------------------------------------------------------ fire and its results
def opportunity(now: Situation, decision: ChooseOpportunityFire, options: tuple[Any, ...]) -> Any:
    """It costs nothing: whoever does most harm fires first, and everybody fires."""

    def value(option: Any) -> float:
        if isinstance(option, HoldFire):
            return 0.0
        firer, target = now.unit(option.unit), now.unit(option.target)
        occasion = decision.trigger.occasion
        rating = now.rating(firer, firer.hex, target, target.hex, column=target.now.column, occasion=occasion)
        return now.passing(firer) * now.effect(firer, target, rating)

    return best(options, value)


def meet_check(now: Situation, decision: MeetCheck, options: tuple[Any, ...]) -> Any:
    """A Command Point where a failure would cost more."""
    unit = now.unit(decision.unit)
    losses = now.losses(unit)
    fails = 1 - now.passing(unit)
    cost = fails * (losses[1] if decision.purpose is Purpose.POSSIBLE_SUPPRESSION else losses[2] + MARCH)
    price = now.price(now.state.setting.points_of(decision.unit))
    return SpendPoint() if SpendPoint() in options and cost > price else RollDie()


def convert_suppression(now: Situation, decision: ConvertSuppression, options: tuple[Any, ...]) -> Any:
    """What costs least: a Cohesion Hit that is no Step yet is better than a unit that can do nothing."""
    unit = now.unit(decision.unit)
    _, suppressed, cohesion, _, _ = now.losses(unit)
    suppressed += STOPPED * _on_the_way(now.state, unit)
    chance = now.passing(unit)
    price = now.price(now.state.setting.points_of(decision.unit))
    costs = {
        AcceptSuppression(): suppressed,
        TryConversion(): chance * cohesion + (1 - chance) * suppressed,
        BuyConversion(): cohesion + price,
    }
    return best(options, lambda option: -costs[option])


STOPPED = 0.3
"""What it costs more if a unit is Suppressed while it moves."""


def _on_the_way(state: State, unit: Force) -> bool:
    now = state.activation
    return (
        now is not None
        and state.active is unit.side
        and now.kind is ActionKind.MOVEMENT
        and bool(now.acted >> unit.i & 1)
    )


# ------------------------------------------------------------ Leaders
def place_of_leader(now: Situation, leader: str, hex: Hex) -> float:
    """How well a Leader would be placed: many units of his in range, and away from the front."""
    state, field = now.state, now.state.setting
    piece = field.leaders[field.leader_number[leader]]
    found = 0.0
    for i in field.members[field.division_of[piece.formation].name]:
        place, own = state.units[i].place, field.roster[i]
        if type(place) is Hex and own.formation in (piece.formation, ""):
            distance = place.distance(hex)
            weight = 1.0 if own.formation else 0.3
            found += weight * ((distance <= piece.range) - 0.01 * distance)
    return found - 0.2 * len(now.covering(hex))


def transfer_leader(now: Situation, decision: TransferLeader, options: tuple[Any, ...]) -> Any:
    """To where most of his Formation is in his range."""
    here = now.state.leader(decision.leader)
    assert isinstance(here, Hex)

    def value(option: Any) -> float:
        return place_of_leader(now, decision.leader, here if isinstance(option, StayInPlace) else option.hex)

    return best(options, value)


def join_nearest(now: Situation, decision: JoinNearest, options: tuple[Any, ...]) -> Any:
    """The same among equals."""
    return best(options, lambda option: place_of_leader(now, decision.leader, option.hex))


def leader_goes(now: Situation, decision: LeaderGoes, options: tuple[Any, ...]) -> Any:
    """He stays with the others where he may."""
    return RemainBehind() if RemainBehind() in options else options[0]


# ------------------------------------------------------------ the players
ANSWERS: Mapping[type, Callable[[Situation, Any, tuple[Any, ...]], Any]] = {
    ConvertPoints: convert_points,
    BuyChits: buy_chits,
    AttachFormation: attach_formation,
    AttachUnits: attach_units,
    HowToArrive: how_to_arrive,
    ChooseAction: choose_action,
    JoinAction: join_action,
    ChooseTarget: choose_target,
    MoveOn: move_on,
    ChooseOpportunityFire: opportunity,
    MeetCheck: meet_check,
    ConvertSuppression: convert_suppression,
    TransferLeader: transfer_leader,
    JoinNearest: join_nearest,
    LeaderGoes: leader_goes,
}
"""How each decision of the game is answered."""


def nothing_to_lose(view: State, side: Side) -> bool:
    """Whether it is the last turn, and the side is not ahead."""
    last = view.turn == view.setting.last_turn
    return last and victory_points(view, side).total <= victory_points(view, side.enemy).total


def daring(temper: Temper) -> Temper:
    """The same player when there is nothing to lose."""
    return evolve(temper, caution=temper.caution / 2, drive=temper.drive * 1.5)


def player(temper: Temper) -> Policy:
    """A player of that temper."""

    def policy(view: Any, decision: Any, options: tuple[Any, ...]) -> Any:
        mood = daring(temper) if nothing_to_lose(view, decision.side) else temper
        return ANSWERS[type(decision)](survey(view, decision.side, mood), decision, options)

    return by_type(dict.fromkeys(ANSWERS, policy))


POLICIES: Mapping[str, Policy] = {
    "sensible": player(Temper(caution=0.7, drive=1.0, watch=0.5, thrift=0.2, reserve=3)),
    "cautious": player(Temper(caution=1.1, drive=0.8, watch=0.6, thrift=0.3, reserve=5)),
}
"""The players that come with the system, by name."""
