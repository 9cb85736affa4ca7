"""The Actions (13.2), and what is said against a unit's Action: whose turn it is, the chit, Second Actions, Suppression (10.0, 13.0)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.rules import Objection
from beachhead.spelling import nearest
from beachhead_gts.command import purchase_objections
from beachhead_gts.events import acting
from beachhead_gts.fire import target_objections, weapon_objections
from beachhead_gts.movement import movement_objections
from beachhead_gts.permissions import Deed, not_permitted
from beachhead_gts.rally import rally_objections
from beachhead_gts.state import State
from beachhead_gts.stepping import shut_in_objections
from beachhead_gts.tables import ActionKind, ChitKind
from beachhead_gts.transport import entrench_objections, leave_objections, mount_objections, prolonge_objections


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
TOGETHER: dict[ActionKind, Deed] = {
    ActionKind.MOVEMENT: "move",
    ActionKind.FIRE: "fire",
    ActionKind.RALLY: "rally",
    ActionKind.PASS: "pass",
}


# ------------------------------------------------------------ who is Active
_DIVISION = ChitKind.DIVISION  # looking it up in the enum takes ten times as long


def is_active(state: State, i: int) -> bool:
    """Whether a unit is Active under the chit that is being played (13.1)."""
    chit, piece = state.chit, state.setting.roster[i]
    if chit.kind is ChitKind.DIVISION:
        return piece.division == chit.division
    if chit.kind is ChitKind.FORMATION:
        own = piece.formation == chit.formation or piece.name in acting(state).attached
        return own or i in state.acting_with(chit.formation)
    return piece.side is chit.side and not piece.independent


def members(state: State) -> tuple[int, ...]:
    """The numbers of the units that the chit activates, be they on the map or not."""
    chit, field = state.chit, state.setting
    if chit.direct:
        return field.regulars[chit.side]
    own = field.members[chit.division] if chit.kind is _DIVISION else state.acting_with(chit.formation)
    return (*own, *[field.number[unit] for unit in acting(state).attached])


def active_units(state: State) -> tuple[int, ...]:
    """The numbers of the units on the map that are Active."""
    units = state.units
    return tuple([i for i in members(state) if type(units[i].place) is Hex])


def is_second(state: State, unit: str) -> bool:
    """Whether an Action of a unit would be its second under this chit (10.0.2)."""
    now, i = acting(state), state.setting.number[unit]
    return bool(now.acted >> i & 1) and not state.chit.direct


def turn_objections(
    state: State, unit: str, kind: ActionKind, *, price: int = 1, alone: bool = True
) -> Iterator[Objection]:
    """Why a unit may not perform an Action of this type now: whose turn it is, Second Actions, Command Points, Suppression (10.0, 13.0)."""
    field, now = state.setting, acting(state)
    if unit in field.leader_number:
        yield Objection(("gts:13.1.a", "gts:21.1.a"), "{} is a Leader, and Actions are done with units", (unit,))
        return
    if unit not in field.number:
        yield Objection("gts:13.1.a", "there is no unit {}{}", (unit, nearest(unit, field.number)))
        return
    i = field.number[unit]
    mine = state.units[i]
    if not isinstance(mine.place, Hex):
        yield Objection("gts:13.1.a", "{} {}", (unit, mine.place.value))
        return
    if not is_active(state, i):
        yield _inactive(state, unit)
        return
    acted = now.acted >> i & 1
    if state.chit.direct:
        if acted:
            yield Objection(("gts:10.0.5.g", "gts:10.0.2.b"), "{} has been activated under this chit", (unit,))
        yield from purchase_objections(state, unit, price, second=False)
    elif acted:
        yield from _second_objections(state, unit, kind, alone=alone)
        yield from purchase_objections(state, unit, price, second=True)
    if mine.suppressed and kind is not ActionKind.RALLY:
        yield Objection("gts:19.2.2.f", "{} is Suppressed: it can only rally", (unit,))
    if mine.entering and kind is not ActionKind.MOVEMENT:
        yield _only_moves(unit)


def _only_moves(unit: str) -> Objection:
    return Objection("gts:8.0.k", "{} is on its reinforcement hex: it can only move", (unit,))


def _inactive(state: State, unit: str) -> Objection:
    chit, piece = state.chit, state.setting.piece(unit)
    if chit.direct and piece.side is chit.side:
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
    last = state.just_acted
    if unit not in last:
        late = ("gts:10.0.2.g", "gts:13.2.a", "gts:10.0.2.j")
        yield Objection(late, "{} has acted, and its time for a Second Action is over", (unit,))
        return
    if kind is now.kind:
        rules = ("gts:10.0.2.e", "gts:13.2.o") if kind is ActionKind.MOVEMENT else ("gts:10.0.2.e",)
        yield Objection(rules, "the Action of {} was {}: a Second Action is another", (unit, kind))
    if alone and len(last) > 1 and state.setting.choice("G12") == "all":
        yield Objection("gts:G12", "{} acted together: they act together again, or not at all", (", ".join(last),))


# ------------------------------------------------------------ what is said against an Action
def action_objections(state: State, action: Single) -> Iterator[Objection]:
    """Why a unit may not perform this Action now."""
    unit = action.unit
    against = list(turn_objections(state, unit, KINDS[type(action)]))
    yield from against
    if against:
        return
    if state.unit(unit).entering and DEEDS[type(action)] != "move":  # other Movement Actions
        yield _only_moves(unit)
    second = is_second(state, unit)
    refused = not_permitted(state, unit, DEEDS[type(action)], second=second)
    if refused is not None:
        yield refused
    match action:
        case Move():
            yield from movement_objections(state, unit)
            yield from shut_in_objections(state, unit)
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
