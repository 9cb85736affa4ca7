"""What the Active units may do now, found for all of them in one pass: the options of `ChooseAction` (10.0, 13.0).

Nothing of what `actions` and `together` say stands against what is certain here; the rest is put to them one by one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from beachhead.hexes import Hex
from beachhead_gts import ground, zones
from beachhead_gts.actions import (
    KINDS,
    EnterEntrenchment,
    Fire,
    LeaveEntrenchment,
    Mount,
    Move,
    Pass,
    Prolonge,
    Rally,
    Single,
    Together,
    active_units,
)
from beachhead_gts.battlefield import STAR, Place
from beachhead_gts.command import among_commanded, commanded_in_activation
from beachhead_gts.events import acting
from beachhead_gts.fire import can_fire
from beachhead_gts.permissions import Deed, column, permissions
from beachhead_gts.stacking import overstacked
from beachhead_gts.state import State, face
from beachhead_gts.tables import ActionKind, ChitKind, Cover, MovementClass, Side, UnitClass

# the same few, again and again
_move: Callable[[str], Move] = cache(Move)
_fire: Callable[[str, str], Fire] = cache(Fire)
_rally: Callable[[str], Rally] = cache(Rally)
_pass: Callable[[str], Pass] = cache(Pass)
_together: Callable[[str, ActionKind], Together] = cache(Together)
# looking them up in the enum takes ten times as long
_MOVEMENT, _FIRE, _RALLY, _PASS = ActionKind.MOVEMENT, ActionKind.FIRE, ActionKind.RALLY, ActionKind.PASS
_DEEDS: tuple[Deed, ...] = (
    "move",
    "mount or dismount",
    "enter an entrenchment",
    "leave an entrenchment",
    "fire",
    "rally",
    "pass",
)
_ENTRENCHED, _DIRECT = Cover.ENTRENCHED, ChitKind.DIRECT_COMMAND


def direct(state: State) -> bool:
    """Whether a Direct Command Chit is being played."""
    return state.setting.chits[acting(state).chit].kind is _DIRECT


def fresh(state: State) -> list[int]:
    """The numbers of the Active units that have not acted; under Direct Command those that a Command Point can activate (10.0.5)."""
    acted, units = acting(state).acted, state.units
    found = [i for i in active_units(state) if not acted >> i & 1]
    if not direct(state):
        return found
    return among_commanded(state, [i for i in found if payable(state, i) and not units[i].entering])


def payable(state: State, i: int) -> bool:
    """Whether the Division of a unit has a Command Point for it."""
    return state.points[state.setting.division_number[state.setting.roster[i].division]].command > 0


class Facts(NamedTuple):
    """What bears on what a unit may do, besides the unit itself and its chit's column of the table of 7.1.

    Attributes:
        shots: at whom it could fire.
        watched: its hex, as a set, if it is in an enemy Fire Zone.
        by_day: whether it is daylight.
        crowded: its hex, if a unit in Column is there.
        closed: the hexes around a gun with a star that it cannot enter (14.11).
        trench: its hex, if an entrenchment is there.
    """

    shots: tuple[Fire, ...]
    watched: int
    by_day: bool
    crowded: int
    closed: int
    trench: int


Offer = tuple[tuple[Single, ...], tuple[ActionKind, ...]]
"""What a unit may do, and what of it together with others in its hex."""


class Outlook:
    """The units of a side in a state, with what bears on all of them looked up once."""

    def __init__(self, state: State, side: Side) -> None:
        self.state, self.field, self.there = state, state.setting, state.deployment
        self.enemies, self.watched = self.there.of(side.enemy), zones.fire_zones(state, side.enemy)
        self.zones = zones.coverage(state, side).zones
        self.by_day = not state.night

    def offer(self, i: int, cells: tuple[str, ...]) -> Offer:
        """What a unit may do under these cells of the table; found anew when something has changed for it."""
        mine, field, there = self.state.units[i], self.field, self.there
        place = mine.place
        bit, aims, closed = field.bit[place], self.zones[i] & self.enemies, 0
        if i in field.special:
            closed = self.enemies | self.watched | (there.columns if mine.column else 0)
            closed &= field.board.neighbour_mask(place)  # type: ignore[arg-type]
        shots = _shots(self.state, field.roster[i].name, aims) if aims else ()
        facts = Facts(
            shots, self.watched & bit, self.by_day, there.columns & bit, closed, self.state.entrenchments & bit
        )
        known = field.offers.get(i)
        if known is None or known[0] is not mine or known[1] != cells or known[2] != facts:
            known = field.offers[i] = (mine, cells, facts, _offer(self.state, i, cells, facts))
        return known[3]


def first_actions(state: State, side: Side) -> list[Single | Together]:
    """What units that have not acted may do; and what several in a hex may, they may do together."""
    field, units, found = state.setting, state.units, list[Single | Together]()
    kind, outlook = field.chits[acting(state).chit].kind, Outlook(state, side)
    cells, at = _cells(kind, second=False), outlook.there.at
    able = defaultdict[tuple[Place, ActionKind], list[str]](list)
    for i in fresh(state):
        actions, kinds = outlook.offer(i, cells)
        found += actions
        place = units[i].place
        if len(at[place]) > 1:  # type: ignore[index]
            for each in kinds:
                able[place, each].append(field.roster[i].name)
    if kind is _DIRECT:  # there, each must be paid for
        return found
    for (hex, each), names in able.items():
        assert isinstance(hex, Hex)
        if len(names) > 1 and not (each is _MOVEMENT and overstacked(state, hex)):
            found += [_together(name, each) for name in names]
    return found + second_actions(state, outlook)


def second_actions(state: State, outlook: Outlook) -> list[Single | Together]:
    """What the units that have just acted may do for a Command Point each: something of another type (10.0.2)."""
    field, now, found = state.setting, acting(state), list[Single | Together]()
    if not now.last or (len(now.last) > 1 and field.choice("G12") == "all"):
        return found
    cells = _cells(field.chits[now.chit].kind, second=True)
    for name in now.last:
        i = field.number[name]
        if payable(state, i) and commanded_in_activation(state, name) and not state.units[i].entering:
            found += [action for action in outlook.offer(i, cells)[0] if KINDS[type(action)] is not now.kind]
    return found


def _cells(kind: ChitKind, *, second: bool) -> tuple[str, ...]:
    """What the table of 7.1 says of a first or Second Action, by the rows of `_DEEDS`."""
    table, which = permissions(), column(kind, second=second)
    return tuple([table[deed].cells[which] for deed in _DEEDS])


def _offer(state: State, i: int, cells: tuple[str, ...], facts: Facts) -> Offer:
    """What a unit may do; nothing else of the state counts."""
    moves, mounts, digs_in, comes_out, fires, rallies, passes = cells
    piece, mine = state.setting.roster[i], state.units[i]
    name, up = piece.name, face(piece, mine)
    if mine.suppressed:
        return ((_rally(name),), (_RALLY,)) if rallies == "yes" else ((), ())
    found, kinds = list[Single](), list[ActionKind]()
    if moves == "yes" and type(up.movement) is int and mine.cover is not _ENTRENCHED:
        found.append(_move(name))
        if not mine.column and not state.setting.unlimited & state.setting.bit[mine.place]:
            kinds.append(_MOVEMENT)
    if moves == "yes":
        found += _prolonges(state, i, facts.closed)
    if mounts == "yes":
        found += _mounts(state, i, crowded=bool(facts.crowded))
    if mine.entering:
        return tuple(found), tuple(kinds)
    if facts.trench and not (up.movement is STAR and facts.watched):
        entrenched = mine.cover is _ENTRENCHED
        if (comes_out if entrenched else digs_in) == "yes":
            found.append(LeaveEntrenchment(name) if entrenched else EnterEntrenchment(name))
    if facts.shots and (fires == "yes" or up.weapon.colour == fires) and can_fire(state, i):
        found += facts.shots
        kinds.append(_FIRE)
    if rallies == "yes" and mine.cohesion and not (facts.watched and facts.by_day):
        found.append(_rally(name))
        kinds.append(_RALLY)
    if passes == "yes":
        found.append(_pass(name))
        kinds.append(_PASS)
    return tuple(found), tuple(kinds)


def _shots(state: State, name: str, hexes: int) -> tuple[Fire, ...]:
    """The shots of a unit at the enemies in some hexes; those on a reinforcement hex are no target (8.0)."""
    field, units, at = state.setting, state.units, state.deployment.at
    return tuple(
        [
            _fire(name, field.roster[j].name)
            for hex in field.board.members(hexes)
            for j in at[hex]
            if not units[j].entering
        ]
    )


def _prolonges(state: State, i: int, closed: int) -> Iterator[Prolonge]:
    """The hexes into which a gun with a star can be moved: not into an enemy Fire Zone (14.11)."""
    field, mine = state.setting, state.units[i]
    piece, place = field.roster[i], mine.place
    assert isinstance(place, Hex)
    if face(piece, mine).movement is not STAR or mine.cover is _ENTRENCHED:
        return
    closed |= field.barred[piece.side]
    if mine.column:
        closed |= state.deployment.columns
    for hex, _, _ in ground.steps(field, MovementClass.LEG, mine.column)[place]:
        if not closed & field.bit[hex]:
            yield Prolonge(piece.name, hex)


def _mounts(state: State, i: int, *, crowded: bool) -> Iterator[Mount]:
    """Whether a unit can mount, in Column or not (14.10.2)."""
    field, mine = state.setting, state.units[i]
    piece, place = field.roster[i], mine.place
    if piece.transport is None or mine.mounted or mine.entering or mine.cover is _ENTRENCHED:
        return
    if face(piece, mine).unit_class is UnitClass.VEHICLE:
        return
    kind, bit = piece.transport.movement_class, field.bit[place]
    if not mine.column and ground.permitted(field, kind, False) & bit:
        yield Mount(piece.name, column=False)
    if (mine.column or not crowded) and ground.permitted(field, kind, True) & bit:
        yield Mount(piece.name, column=True)


def other_actions(state: State) -> list[Together]:
    """What must be put to the objections: stacks under Direct Command or on a reinforcement hex, and those that act together once more."""
    field, now, at, units = state.setting, acting(state), state.deployment.at, state.units
    there = ~0 if direct(state) else field.unlimited
    stacked = [i for i in fresh(state) if there & field.bit[units[i].place] and len(at[units[i].place]) > 1]  # type: ignore[index]
    found = [_together(field.roster[i].name, _MOVEMENT) for i in stacked]
    if len(now.last) > 1:
        found += [_together(name, kind) for name in now.last for kind in ActionKind if kind is not now.kind]
    return found
