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
    field, units, there = state.setting, state.units, state.deployment
    kind, found = field.chits[acting(state).chit].kind, list[Single | Together]()
    cells = _cells(kind)
    enemies, fired_on = there.of(side.enemy), zones.fire_zones(state, side.enemy)
    zone_of, exposed = zones.coverage(state, side).zones, 0 if state.night else fired_on
    able = defaultdict[tuple[Place, ActionKind], list[str]](list)
    for i in fresh(state):
        mine = units[i]
        place = mine.place
        bit, aims = field.bit[place], zone_of[i] & enemies
        shots = _shots(state, field.roster[i].name, aims) if aims else ()
        around = 0
        if i in field.special:
            closed = enemies | fired_on | (there.columns if mine.column else 0)
            around = closed & field.board.neighbour_mask(place)  # type: ignore[arg-type]
        now = (cells, shots, bool(exposed & bit), bool(there.columns & bit), around)
        known = field.offers.get(i)
        if known is None or known[0] is not mine or known[1] != now:
            known = field.offers[i] = (mine, now, *_offer(state, i, *now))
        found += known[2]
        if len(there.at[place]) > 1:  # type: ignore[index]
            for each in known[3]:
                able[place, each].append(field.roster[i].name)
    if kind is not _DIRECT:  # there, each must be paid for
        for (hex, each), names in able.items():
            assert isinstance(hex, Hex)
            if len(names) > 1 and not (each is _MOVEMENT and overstacked(state, hex)):
                found += [_together(name, each) for name in names]
    return found


def _cells(kind: ChitKind) -> tuple[str, ...]:
    """What the table of 7.1 says of a first Action, by the rows of `_FIRST`."""
    table, first = permissions(), column(kind, second=False)
    return tuple([table[deed].cells[first] for deed in _FIRST])


def _offer(
    state: State, i: int, cells: tuple[str, ...], shots: tuple[Fire, ...], exposed: bool, crowded: bool, closed: int
) -> tuple[tuple[Single, ...], tuple[ActionKind, ...]]:
    """What a unit may do, and what of it together with others.

    Args:
        state: with the unit in it; nothing else of it counts.
        i: the unit's number.
        cells: what the table of 7.1 says.
        shots: at whom it could fire.
        exposed: whether it is in an enemy Fire Zone by day (20.0).
        crowded: whether a unit in Column is in its hex.
        closed: the hexes around a gun with a star that it cannot enter (14.11).
    """
    moves, mounts, fires, rallies, passes = cells
    piece, mine = state.setting.roster[i], state.units[i]
    name, up = piece.name, face(piece, mine)
    if mine.suppressed:
        return ((_rally(name),), (_RALLY,)) if rallies == "yes" else ((), ())
    found, kinds = list[Single](), list[ActionKind]()
    if moves == "yes" and type(up.movement) is int and mine.cover is not _ENTRENCHED:
        found.append(_move(name))
        if not mine.column:
            kinds.append(_MOVEMENT)
    if moves == "yes":
        found += _prolonges(state, i, closed)
    if mounts == "yes":
        found += _mounts(state, i, crowded=crowded)
    if mine.entering:
        return tuple(found), tuple(kinds)
    if shots and (fires == "yes" or up.weapon.colour == fires) and can_fire(state, i):
        found += shots
        kinds.append(_FIRE)
    if rallies == "yes" and mine.cohesion and not exposed:
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


def other_actions(state: State, side: Side) -> list[Single | Together]:
    """What takes more: entrenchments, stacks under Direct Command, and Second Actions."""
    field, now, at = state.setting, acting(state), state.deployment.at
    paid, found = direct(state), list[Single | Together]()
    dug_in = state.entrenchments & state.deployment.of(side)
    for i in fresh(state) if paid or dug_in else ():
        place = state.units[i].place
        if dug_in & field.bit[place] and not state.units[i].suppressed:
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
