"""What the Active units may do now, found for all of them in one pass: the options of `ChooseAction` (10.0, 13.0).

Nothing of what `actions` and `together` say stands against what is certain here; the rest is put to them one by one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache

from beachhead.hexes import Hex
from beachhead_gts import zones
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
)
from beachhead_gts.battlefield import STAR, Place
from beachhead_gts.command import among_commanded
from beachhead_gts.events import acting
from beachhead_gts.fire import can_fire
from beachhead_gts.permissions import column, permissions
from beachhead_gts.stacking import overstacked
from beachhead_gts.state import State, face
from beachhead_gts.tables import ActionKind, ChitKind, Cover, Side

# the same few, again and again
_move: Callable[[str], Move] = cache(Move)
_fire: Callable[[str, str], Fire] = cache(Fire)
_rally: Callable[[str], Rally] = cache(Rally)
_pass: Callable[[str], Pass] = cache(Pass)
_together: Callable[[str, ActionKind], Together] = cache(Together)
# looking them up in the enum takes ten times as long
_MOVEMENT, _FIRE, _RALLY, _PASS = ActionKind.MOVEMENT, ActionKind.FIRE, ActionKind.RALLY, ActionKind.PASS
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
    moves, fires, rallies, passes = (permissions()[deed].cells[first] for deed in ("move", "fire", "rally", "pass"))
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


def other_actions(state: State, side: Side) -> list[Single | Together]:
    """What takes more: vehicles, entrenchments, guns with a star, stacks under Direct Command, and Second Actions."""
    field, now, at = state.setting, acting(state), state.deployment.at
    paid, found = direct(state), list[Single | Together]()
    for i in fresh(state):
        place = state.units[i].place
        if i in field.special or state.entrenchments & field.bit[place]:
            found += _special(state, i)
        if paid and len(at[place]) > 1:  # type: ignore[index]
            found.append(_together(field.roster[i].name, _MOVEMENT))
    for name in () if paid else now.last:
        i = field.number[name]
        if payable(state, i):
            found += (*_plain(state, i, side), *_special(state, i))
            if len(now.last) > 1:
                found += [_together(name, kind) for kind in ActionKind]
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
    name, place = piece.name, mine.place
    assert isinstance(place, Hex)
    if mine.suppressed:
        return
    if face(piece, mine).movement is STAR:
        yield from (Prolonge(name, hex) for hex in field.board.neighbours(place))
    if piece.transport is not None and not mine.mounted:
        yield Mount(name, column=False)
        yield Mount(name, column=True)
    if state.entrenchments & field.bit[place]:
        yield LeaveEntrenchment(name) if mine.cover is _ENTRENCHED else EnterEntrenchment(name)
