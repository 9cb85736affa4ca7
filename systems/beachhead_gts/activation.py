"""What Active units do under a chit: Actions, Second Actions, Direct Command, and the end of it all (10.0, 13.0)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.play import Decision, Play, call
from beachhead.rules import Objection, first_objection, nearest
from beachhead_gts import zones
from beachhead_gts.command import purchase_objections
from beachhead_gts.events import ActionBegan, ActionEnded, acting
from beachhead_gts.fire import can_fire, direct_fire, target_objections, weapon_objections
from beachhead_gts.leaders import mind_leaders, transfer_leader, transferring, who_goes
from beachhead_gts.movement import move_on, movement_objections, stack_objections, stay_objections
from beachhead_gts.mover import Moving, allowance
from beachhead_gts.permissions import Deed, not_permitted
from beachhead_gts.phase_events import ActionsEnded, ActivationEnded, CommandPointSpent
from beachhead_gts.rally import rally, rally_objections
from beachhead_gts.rating import Shot
from beachhead_gts.state import State
from beachhead_gts.tables import ActionKind, ChitKind, Cover, Side
from beachhead_gts.transport import (
    change_cover,
    entrench_objections,
    leave_objections,
    mount,
    mount_objections,
    prolonge,
    prolonge_objections,
)


# ------------------------------------------------------------ the Actions
@final
@frozen
class Move:
    """This unit moves (14.0)."""

    unit: str


@final
@frozen
class Prolonge:
    """This gun is moved one hex by its crew (14.11)."""

    unit: str
    hex: Hex


@final
@frozen
class Mount:
    """This unit gets on its vehicles, in Column or not (14.10)."""

    unit: str
    column: bool


@final
@frozen
class EnterEntrenchment:
    """This unit enters the entrenchment in its hex (13.2)."""

    unit: str


@final
@frozen
class LeaveEntrenchment:
    """This unit leaves its entrenchment (13.2)."""

    unit: str


@final
@frozen
class Fire:
    """This unit fires at that one (15.5)."""

    unit: str
    target: str


@final
@frozen
class Rally:
    """This unit tries to rally (20.0)."""

    unit: str


@final
@frozen
class Pass:
    """This unit does nothing, which is an Action, too (13.2)."""

    unit: str


@final
@frozen
class Together:
    """This unit and others in its hex perform the same Action (10.0.2, 14.7)."""

    unit: str
    kind: ActionKind


@final
@frozen
class EndActivation:
    """No unit acts any more under this chit."""


Single = Move | Prolonge | Mount | EnterEntrenchment | LeaveEntrenchment | Fire | Rally | Pass
KINDS: dict[type, ActionKind] = {
    Move: ActionKind.MOVEMENT,
    Prolonge: ActionKind.MOVEMENT,
    Mount: ActionKind.MOVEMENT,
    EnterEntrenchment: ActionKind.MOVEMENT,
    LeaveEntrenchment: ActionKind.MOVEMENT,
    Fire: ActionKind.FIRE,
    Rally: ActionKind.RALLY,
    Pass: ActionKind.PASS,
}
"""Of which type each is, for Second Actions (10.0.2)."""
DEEDS: dict[type, Deed] = {
    Move: "move",
    Prolonge: "move",
    Mount: "mount or dismount",
    EnterEntrenchment: "enter an entrenchment",
    LeaveEntrenchment: "leave an entrenchment",
    Fire: "fire",
    Rally: "rally",
    Pass: "pass",
}
"""Which row of the table of 7.1 speaks of each."""
_TOGETHER: dict[ActionKind, Deed] = {
    ActionKind.MOVEMENT: "move",
    ActionKind.FIRE: "fire",
    ActionKind.RALLY: "rally",
    ActionKind.PASS: "pass",
}


# ------------------------------------------------------------ who is Active
def is_active(state: State, i: int) -> bool:
    """Whether a unit is Active under the chit that is being played (13.1)."""
    now, field = acting(state), state.setting
    chit, piece = field.chits[now.chit], field.roster[i]
    if chit.kind is ChitKind.DIVISION:
        return piece.division == chit.division
    if chit.kind is ChitKind.FORMATION:
        return piece.formation == chit.formation or piece.name in now.attached
    return piece.side is chit.side and not piece.independent


def active_units(state: State) -> tuple[int, ...]:
    """The numbers of the units on the map that are Active."""
    now, field, units = acting(state), state.setting, state.units
    chit = field.chits[now.chit]
    if chit.kind is ChitKind.DIRECT_COMMAND:
        roster = field.roster
        members = tuple([i for i, piece in enumerate(roster) if piece.side is chit.side and not piece.independent])
    else:
        members = field.members[chit.division if chit.kind is ChitKind.DIVISION else chit.formation]
        members = (*members, *(field.number[unit] for unit in now.attached))
    return tuple([i for i in members if type(units[i].place) is Hex])


def is_second(state: State, unit: str) -> bool:
    """Whether an Action of a unit would be its second under this chit (10.0.2)."""
    now, i = acting(state), state.setting.number[unit]
    return bool(now.acted >> i & 1) and state.setting.chits[now.chit].kind is not ChitKind.DIRECT_COMMAND


def turn_objections(
    state: State, unit: str, kind: ActionKind, *, price: int = 1, alone: bool = True
) -> Iterator[Objection]:
    """Why a unit may not perform an Action of this type now: whose turn it is, Second Actions, Command Points, Suppression (10.0, 13.0)."""
    field, now = state.setting, acting(state)
    if unit not in field.number:
        yield Objection("gts:13.1.a", "there is no unit {}{}", (unit, nearest(unit, field.number)))
        return
    i = field.number[unit]
    mine = state.units[i]
    if not isinstance(mine.place, Hex):
        yield Objection("gts:13.1.a", "{} {}", (unit, mine.place.value))
        return
    chit = field.chits[now.chit]
    if not is_active(state, i):
        yield _inactive(state, unit)
        return
    acted = now.acted >> i & 1
    if chit.kind is ChitKind.DIRECT_COMMAND:
        if acted:
            yield Objection(("gts:10.0.5.g", "gts:10.0.2.b"), "{} has been activated under this chit", (unit,))
        yield from purchase_objections(state, unit, price, second=False)
    elif acted:
        yield from _second_objections(state, unit, kind, alone=alone)
        yield from purchase_objections(state, unit, price, second=True)
    if mine.suppressed and kind is not ActionKind.RALLY:
        yield Objection("gts:19.2.2.f", "{} is Suppressed: it can only rally", (unit,))
    if mine.entering and kind is not ActionKind.MOVEMENT:
        yield Objection("gts:8.0.k", "{} is on its reinforcement hex: it can only move", (unit,))


def _inactive(state: State, unit: str) -> Objection:
    chit, piece = state.setting.chits[acting(state).chit], state.setting.piece(unit)
    if chit.kind is ChitKind.DIRECT_COMMAND and piece.side is chit.side:
        return Objection("gts:10.0.5.b", "{} is independent: Direct Command does not activate it", (unit,))
    if piece.side is not chit.side:
        return Objection(("gts:13.1.a", "gts:15.2.b"), "{} is an enemy: {} is being played", (unit, chit.name))
    rules = ["gts:13.1.a", "gts:13.4.b"]
    if piece.independent and chit.kind is ChitKind.FORMATION:
        rules.append("gts:21.5.b")
    return Objection(rules, "{} is not Active: {} is being played", (unit, chit.name))


def _second_objections(state: State, unit: str, kind: ActionKind, *, alone: bool) -> Iterator[Objection]:
    """What is said against a Second Action (10.0.2)."""
    now = acting(state)
    if unit not in now.last:
        late = ("gts:10.0.2.g", "gts:13.2.a", "gts:10.0.2.j")
        yield Objection(late, "{} has acted, and its time for a Second Action is over", (unit,))
        return
    if kind is now.kind:
        rules = ("gts:10.0.2.e", "gts:13.2.o") if kind is ActionKind.MOVEMENT else ("gts:10.0.2.e",)
        yield Objection(rules, "the Action of {} was {}: a Second Action is another", (unit, kind))
    if alone and len(now.last) > 1 and state.setting.choice("G12") == "all":
        yield Objection("gts:G12", "{} acted together: they act together again, or not at all", (", ".join(now.last),))


# ------------------------------------------------------------ the decision
@frozen
class ChooseAction(
    Decision[
        State,
        Move
        | Prolonge
        | Mount
        | EnterEntrenchment
        | LeaveEntrenchment
        | Fire
        | Rally
        | Pass
        | Together
        | EndActivation,
    ]
):
    """The Active player chooses a unit and its Action, in any order, or ends the activation (13.2, 13.3)."""

    side: Side
    rule = "gts:13.3.a"
    prompt = "choose a unit and its Action, or end the activation"

    def candidates(self, state: State) -> list[Single | Together | EndActivation]:
        """Whatever a unit that may act now could do."""
        now, field = acting(state), state.setting
        enemies = state.deployment.of(self.side.enemy)
        found: list[Single | Together | EndActivation] = []
        for i in active_units(state):
            name = field.roster[i].name
            if now.acted >> i & 1 and name not in now.last:
                continue
            found += _own_candidates(state, i, name, enemies)
        found.append(EndActivation())
        return found

    def objections(self, state: State, action: Single | Together | EndActivation) -> Iterator[Objection]:
        """Why not."""
        match action:
            case EndActivation():
                yield from end_objections(state, self.side)
            case Together(unit, kind):
                yield from together_objections(state, unit, kind)
            case _:
                yield from action_objections(state, action)


def _own_candidates(state: State, i: int, name: str, enemies: int) -> Iterator[Single | Together]:
    """What a unit could do, by what it is and where."""
    field = state.setting
    piece, mine = field.roster[i], state.units[i]
    place = mine.place
    assert isinstance(place, Hex)
    if mine.suppressed:
        yield Rally(name)
        return
    yield Move(name)
    yield from (Prolonge(name, hex) for hex in field.board.neighbours(place))
    if piece.transport is not None:
        yield Mount(name, column=False)
        yield Mount(name, column=True)
    if state.entrenchments & field.bit[place]:
        yield LeaveEntrenchment(name) if mine.cover is Cover.ENTRENCHED else EnterEntrenchment(name)
    if can_fire(state, i):
        targets = zones.fire_zone(state, i) & enemies
        if targets:
            at, roster = state.deployment.at, field.roster
            for hex in field.board.members(targets):
                yield from (Fire(name, roster[j].name) for j in at[hex])
    if mine.cohesion:
        yield Rally(name)
    yield Pass(name)
    if len(state.numbers_at(place)) > 1:
        yield from (Together(name, kind) for kind in ActionKind)


def action_objections(state: State, action: Single, *, price: int = 1, alone: bool = True) -> Iterator[Objection]:
    """Why a unit may not perform this Action now."""
    unit, kind = action.unit, KINDS[type(action)]
    against = False
    for objection in turn_objections(state, unit, kind, price=price, alone=alone):
        against = True
        yield objection
    if against:
        return
    second = is_second(state, unit)
    refused = not_permitted(state, unit, DEEDS[type(action)], second=second)
    if refused is not None:
        yield refused
    match action:
        case Move():
            yield from movement_objections(state, unit)
        case Prolonge(unit, hex):
            yield from prolonge_objections(state, unit, hex, second=second)
        case Mount(unit, column):
            yield from mount_objections(state, unit, column=column)
        case EnterEntrenchment():
            yield from entrench_objections(state, unit)
        case LeaveEntrenchment():
            yield from leave_objections(state, unit)
        case Fire(unit, target):
            yield from weapon_objections(state, unit)
            yield from target_objections(state, unit, target)
        case Rally():
            yield from rally_objections(state, unit)
        case Pass():
            pass


def end_objections(state: State, side: Side) -> Iterator[Objection]:
    """Reinforcements that can leave their entry hex must have done so (8.0)."""
    if state.setting.chits[acting(state).chit].kind is ChitKind.DIRECT_COMMAND:
        return
    for i in active_units(state):
        if not state.units[i].entering:
            continue
        unit = state.setting.roster[i].name
        move = Move(unit)
        if first_objection(action_objections(state, move)) is None:
            for against in stay_objections(state, moving(state, (unit,))):
                division = state.setting.chits[acting(state).chit].kind is ChitKind.DIVISION
                yield against if division else Objection("gts:8.0.i", "{} must leave the reinforcement hex", (unit,))


# ------------------------------------------------------------ acting together
@final
@frozen
class JoinIn:
    """This unit performs the same Action."""

    unit: str


@final
@frozen
class BeginAction:
    """These are all."""


@frozen
class JoinAction(Decision[State, JoinIn | BeginAction]):
    """Which units in the hex perform the Action together (10.0.2, 10.0.5, 14.7)."""

    side: Side
    kind: ActionKind
    units: tuple[str, ...]
    rule = "gts:10.0.2.h"

    @property
    def prompt(self) -> str:  # type: ignore[override]
        """What they do."""
        return f"{', '.join(self.units)}, {self.kind}: who joins in?"

    def candidates(self, state: State) -> list[JoinIn | BeginAction]:
        """Those in the hex, and to begin."""
        place = state.place(self.units[0])
        assert isinstance(place, Hex)
        others = [unit for unit in state.at(place, self.side) if unit not in self.units]
        return [*map(JoinIn, others), BeginAction()]

    def objections(self, state: State, action: JoinIn | BeginAction) -> Iterator[Objection]:
        """Who can, and how many there must be."""
        now = acting(state)
        if isinstance(action, BeginAction):
            missing = [unit for unit in now.last if unit not in self.units]
            if len(self.units) < 2:
                yield Objection("gts:10.0.2.h", "{} would act alone", self.units)
            elif is_second(state, self.units[0]) and missing and state.setting.choice("G12") == "all":
                yield Objection("gts:G12", "{} acted with them, and must join in", (", ".join(missing),))
            return
        yield from join_objections(state, self.units, action.unit, self.kind)


def join_objections(state: State, units: tuple[str, ...], unit: str, kind: ActionKind) -> Iterator[Objection]:
    """Why a unit cannot perform an Action together with others (10.0.2, 14.7)."""
    if unit in units:
        yield Objection("gts:10.0.2.h", "{} is among them", (unit,))
        return
    if unit in state.setting.number and state.place(unit) != state.place(units[0]):
        yield Objection("gts:14.7.b", "{} is not in the hex of {}", (unit, units[0]))
        return
    if unit in state.setting.number and is_second(state, unit) != is_second(state, units[0]):
        yield Objection(("gts:14.7.b", "gts:10.0.2.h"), "{} and {} do not begin together", (unit, units[0]))
        return
    mates = [mate for mate in units if state.setting.points_of(mate) == state.setting.points_of(unit)] if unit in state.setting.number else []  # fmt: skip
    yield from joint_objections(state, unit, kind, price=len(mates) + 1)


def joint_objections(state: State, unit: str, kind: ActionKind, *, price: int) -> Iterator[Objection]:
    """Why a unit cannot take part in a joint Action of this type."""
    against = False
    for objection in turn_objections(state, unit, kind, price=price, alone=False):
        against = True
        yield objection
    if against:
        return
    refused = not_permitted(state, unit, _TOGETHER[kind], second=is_second(state, unit))
    if refused is not None:
        yield refused
    if kind is ActionKind.MOVEMENT:
        yield from movement_objections(state, unit)
        yield from stack_objections(state, unit)
    elif kind is ActionKind.RALLY:
        yield from rally_objections(state, unit)
    elif kind is ActionKind.FIRE:
        yield from weapon_objections(state, unit)
        if not targets(state, unit):
            yield Objection("gts:15.3.a", "{} has nobody to fire at", (unit,))


def together_objections(state: State, unit: str, kind: ActionKind) -> Iterator[Objection]:
    """Why a unit cannot begin an Action together with others (10.0.2, 10.0.5, 14.7)."""
    against = False
    for objection in joint_objections(state, unit, kind, price=1):
        against = True
        yield objection
    if against:
        return
    field = state.setting
    if field.chits[acting(state).chit].kind is ChitKind.DIRECT_COMMAND and kind is not ActionKind.MOVEMENT:
        yield Objection(("gts:10.0.5.k", "gts:10.0.5.h"), "under Direct Command units act together only to move")
    place = state.place(unit)
    assert isinstance(place, Hex)
    others = [other for other in state.at(place, field.piece(unit).side) if other != unit]
    if not any(first_objection(join_objections(state, (unit,), other, kind)) is None for other in others):
        yield Objection("gts:10.0.2.h", "nobody in the hex can join {}", (unit,))


def targets(state: State, unit: str) -> tuple[str, ...]:
    """The enemies that a unit can fire at."""
    field, i = state.setting, state.setting.number[unit]
    there = zones.fire_zone(state, i) & state.deployment.of(field.roster[i].side.enemy)
    at, roster = state.deployment.at, field.roster
    names = [roster[j].name for hex in field.board.members(there) for j in at[hex]]
    return tuple([name for name in names if first_objection(target_objections(state, unit, name)) is None])


@final
@frozen
class FireAt:
    """It fires at this unit."""

    target: str


@frozen
class ChooseTarget(Decision[State, FireAt]):
    """At whom a unit fires that acts together with others (15.5)."""

    side: Side
    unit: str
    rule = "gts:15.5.a"

    @property
    def prompt(self) -> str:  # type: ignore[override]
        """Which unit."""
        return f"at whom does {self.unit} fire?"

    def candidates(self, state: State) -> list[FireAt]:
        """Every enemy it can fire at."""
        return [*map(FireAt, targets(state, self.unit))]

    def objections(self, state: State, action: FireAt) -> Iterator[Objection]:
        """Why not at that one."""
        yield from target_objections(state, self.unit, action.target)


# ------------------------------------------------------------ the procedure
def moving(state: State, units: tuple[str, ...], leaders: tuple[str, ...] = ()) -> Moving:
    """Units that begin to move, with their whole allowances."""
    points = tuple([allowance(state, unit) for unit in units])
    return Moving(units, points, is_second(state, units[0]), leaders)


async def act(play: Play[State]) -> None:
    """One Action after the other, in any order, until the player has enough; then the Leaders transfer (13.3)."""
    now = acting(play.state)
    if now.closing:
        await close(play)
        return
    side = play.state.setting.chits[now.chit].side
    action = await ChooseAction(side)
    if isinstance(action, EndActivation):
        play.record(ActionsEnded(("gts:13.3.a", "gts:10.0.5.e")))
        return
    units: tuple[str, ...] = (action.unit,)
    if isinstance(action, Together):
        units = await call(joined, action)
        await call(together, units, action.kind)
    else:
        await call(single, action)
    now = acting(play.state)
    direct = play.state.setting.chits[now.chit].kind is ChitKind.DIRECT_COMMAND
    left = tuple([unit for unit in units if isinstance(play.state.place(unit), Hex)])
    if left and not direct and not now.second:
        play.record(ActionEnded(left, "gts:10.0.2.a"))


async def joined(play: Play[State], first: Together) -> tuple[str, ...]:
    """The units that act together, one after the other joining in."""
    units: tuple[str, ...] = (first.unit,)
    side = play.state.setting.piece(first.unit).side
    while True:
        action = await JoinAction(side, first.kind, units)
        if isinstance(action, BeginAction):
            return units
        units = (*units, action.unit)


def begin(play: Play[State], units: tuple[str, ...], kind: ActionKind) -> bool:
    """The Action begins, and is paid for where a Command Point buys it (10.0.2, 10.0.5).

    Returns:
        whether it was paid for.
    """
    field, chit = play.state.setting, play.state.setting.chits[acting(play.state).chit]
    second, direct = is_second(play.state, units[0]), chit.kind is ChitKind.DIRECT_COMMAND
    if second or direct:
        rules = ("gts:10.0.2.d",) if second else ("gts:10.0.5.a", "gts:10.0.5.i")
        if direct and len(units) > 1:
            rules = (*rules, "gts:10.0.5.k")
        for division in dict.fromkeys(map(field.points_of, units)):
            price = sum(field.points_of(unit) == division for unit in units)
            play.record(CommandPointSpent(division, price, rules))
    play.record(ActionBegan(units, kind, second, _begun(chit.kind, second=second, together=len(units) > 1)))
    return second or direct


def _begun(kind: ChitKind, *, second: bool, together: bool) -> tuple[str, ...]:
    """What lets units act."""
    if second:
        joint = ("gts:10.0.2.h",) if together else ()
        return ("gts:10.0.2.a", "gts:10.0.2.i", *joint) if kind is ChitKind.DIVISION else ("gts:10.0.2.a", *joint)
    if kind is ChitKind.DIRECT_COMMAND:
        return ("gts:10.0.5.a", "gts:10.0.5.c")
    return ("gts:13.2.a", "gts:10.0.1.g") if kind is ChitKind.DIVISION else ("gts:13.2.a", "gts:7.1.r")


async def single(play: Play[State], action: Single) -> None:
    """One unit performs an Action."""
    unit = action.unit
    paid = begin(play, (unit,), KINDS[type(action)])
    match action:
        case Move():
            await start_moving(play, (unit,), paid=paid)
        case Prolonge(unit, hex):
            await prolonge(play, unit, hex)
        case Mount(unit, column):
            await mount(play, unit, column)
        case EnterEntrenchment():
            await change_cover(play, unit, Cover.ENTRENCHED)
        case LeaveEntrenchment():
            await change_cover(play, unit, Cover.NONE)
        case Fire(unit, target):
            await call(direct_fire, Shot(unit, target))
        case Rally():
            await rally(play, unit)
        case Pass():
            pass


async def together(play: Play[State], units: tuple[str, ...], kind: ActionKind) -> None:
    """Several units perform the same Action: they move as a stack, or each acts in turn (10.0.2, 14.7)."""
    paid = begin(play, units, kind)
    if kind is ActionKind.MOVEMENT:
        await start_moving(play, units, paid=paid)
        return
    for unit in units:
        if kind is ActionKind.RALLY:
            await rally(play, unit)
        elif kind is ActionKind.FIRE and targets(play.state, unit):
            aim = await ChooseTarget(play.state.setting.piece(unit).side, unit)
            await call(direct_fire, Shot(unit, aim.target))


async def start_moving(play: Play[State], units: tuple[str, ...], *, paid: bool) -> None:
    """Units begin to move; Leaders go along only where a Command Point moves them (21.2)."""
    second = acting(play.state).second
    leaders = await who_goes(play, units) if paid else ()
    points = tuple([allowance(play.state, unit) for unit in units])
    await call(move_on, Moving(units, points, second, leaders))


async def close(play: Play[State]) -> None:
    """The Leaders transfer, one after the other; then the activation is over (21.2)."""
    leader = transferring(play.state)
    if leader:
        await call(transfer_leader, leader)
        return
    play.record(ActivationEnded(("gts:21.2.e", "gts:7.1.u")))
    await call(mind_leaders)
