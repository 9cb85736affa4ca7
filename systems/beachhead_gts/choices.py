"""What the Active units may do now, found for all of them in one pass: the options of `ChooseAction` (10.0, 13.0).

Nothing of what `actions` and `together` say stands against what is certain here; the rest is put to them one by one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache

from beachhead.hexes import Hex
from beachhead_gts import ground, zones
from beachhead_gts.actions import (
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
    kind_of,
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
_FIRST: tuple[Deed, ...] = ("move", "mount or dismount", "fire", "rally", "pass")
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


def first_actions(state: State, side: Side) -> list[Single | Together]:
    """What units that have not acted may do: move, fire, rally, pass; and what several in a hex may, they may do together."""
    field, units = state.setting, state.units
    chit, found = field.chits[acting(state).chit], list[Single | Together]()
    first = column(chit.kind, second=False)
    moves, mounts, fires, rallies, passes = (permissions()[deed].cells[first] for deed in _FIRST)
    at, enemies = state.deployment.at, state.deployment.of(side.enemy)
    under_fire, zone_of = zones.fire_zones(state, side.enemy), zones.coverage(state, side).zones
    able = defaultdict[tuple[Place, ActionKind], list[str]](list)
    for i in fresh(state):
        piece, mine = field.roster[i], units[i]
        name, up, place = piece.name, face(piece, mine), mine.place
        kinds = list[ActionKind]()
        if moves == "yes" and type(up.movement) is int and not mine.suppressed and mine.cover is not _ENTRENCHED:
            found.append(_move(name))
            if not mine.column:
                kinds.append(_MOVEMENT)
        if i in field.special and not mine.suppressed:
            if moves == "yes":
                found += _prolonges(state, i, enemies | under_fire)
            if mounts == "yes":
                found += _mounts(state, i)
        if mine.suppressed:
            if rallies == "yes":
                found.append(_rally(name))
                kinds.append(_RALLY)
        elif not mine.entering:
            if zone_of[i] & enemies and (fires == "yes" or up.weapon.colour == fires) and can_fire(state, i):
                shots = _shots(state, name, zone_of[i] & enemies)
                if shots:
                    found += shots
                    kinds.append(_FIRE)
            if rallies == "yes" and mine.cohesion and (state.night or not under_fire & field.bit[place]):
                found.append(_rally(name))
                kinds.append(_RALLY)
            if passes == "yes":
                found.append(_pass(name))
                kinds.append(_PASS)
        if len(at[place]) > 1:  # type: ignore[index]
            for kind in kinds:
                able[place, kind].append(name)
    if chit.kind is not _DIRECT:  # there, each must be paid for
        for (hex, kind), names in able.items():
            assert isinstance(hex, Hex)
            if len(names) > 1 and not (kind is _MOVEMENT and overstacked(state, hex)):
                found += [_together(name, kind) for name in names]
    return found


def _shots(state: State, name: str, hexes: int) -> list[Fire]:
    """The shots of a unit at the enemies in some hexes; those on a reinforcement hex are no target (8.0)."""
    field, units, at = state.setting, state.units, state.deployment.at
    return [
        _fire(name, field.roster[j].name)
        for hex in field.board.members(hexes)
        for j in at[hex]
        if not units[j].entering
    ]


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


def _mounts(state: State, i: int) -> Iterator[Mount]:
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
    if (mine.column or not state.deployment.columns & bit) and ground.permitted(field, kind, True) & bit:
        yield Mount(piece.name, column=True)


def other_actions(state: State, side: Side) -> list[Single | Together]:
    """What takes more: entrenchments, stacks under Direct Command, and Second Actions."""
    field, now, at = state.setting, acting(state), state.deployment.at
    paid, found = direct(state), list[Single | Together]()
    for i in fresh(state):
        place = state.units[i].place
        if state.entrenchments & field.bit[place] and not state.units[i].suppressed:
            found += _entrenchment(state, i)
        if paid and len(at[place]) > 1:  # type: ignore[index]
            found.append(_together(field.roster[i].name, _MOVEMENT))
    for name in () if paid else now.last:
        i = field.number[name]
        if payable(state, i) and commanded_in_activation(state, name):
            several = [_together(name, kind) for kind in ActionKind] if len(now.last) > 1 else []
            every = (*_plain(state, i, side), *_special(state, i), *several)
            found += [action for action in every if kind_of(action) is not now.kind]
    return found


def _plain(state: State, i: int, side: Side) -> Iterator[Single]:
    """What any unit could do."""
    field = state.setting
    name, mine = field.roster[i].name, state.units[i]
    if not mine.suppressed:
        yield _move(name)
        if can_fire(state, i):
            yield from _shots(state, name, zones.fire_zone(state, i) & state.deployment.of(side.enemy))
        yield _pass(name)
    if mine.cohesion or mine.suppressed:
        yield _rally(name)


def _special(state: State, i: int) -> Iterator[Single]:
    """What only some units could do: those with vehicles, a star, or an entrenchment."""
    field = state.setting
    piece, mine = field.roster[i], state.units[i]
    if mine.suppressed:
        return
    yield from _prolonges(state, i, 0)
    if piece.transport is not None:
        yield from (Mount(piece.name, column) for column in (False, True))
    yield from _entrenchment(state, i)


def _entrenchment(state: State, i: int) -> Iterator[Single]:
    """To enter the entrenchment in its hex, or to leave it."""
    name, mine = state.setting.roster[i].name, state.units[i]
    if state.entrenchments & state.setting.bit[mine.place]:
        yield LeaveEntrenchment(name) if mine.cover is _ENTRENCHED else EnterEntrenchment(name)
