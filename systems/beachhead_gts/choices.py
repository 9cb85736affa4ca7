"""What the Active units may do now, found for all of them in one pass: the options of `ChooseAction` (10.0, 13.0).

Nothing of what `actions` and `together` say stands against any of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import compress, count
from operator import is_not
from typing import NamedTuple

from attrs import define

from beachhead.board import ones
from beachhead.hexes import Hex
from beachhead_gts import ground, zones
from beachhead_gts.actions import (
    KINDS,
    TOGETHER,
    EndActivation,
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
    members,
)
from beachhead_gts.battlefield import STAR, Place
from beachhead_gts.command import among_commanded, commanded_in_activation
from beachhead_gts.events import acting
from beachhead_gts.fire import can_fire
from beachhead_gts.mover import open_to, setting_out
from beachhead_gts.permissions import Deed, column, permissions
from beachhead_gts.stacking import overstacked
from beachhead_gts.state import State, Unit, face
from beachhead_gts.stepping import can_leave, can_step
from beachhead_gts.tables import ActionKind, ChitKind, Cover, MovementClass, Side, UnitClass

# the same few, again and again
_move: Callable[[str], Move] = cache(Move)
_fire: Callable[[str, str], Fire] = cache(Fire)
_rally: Callable[[str], Rally] = cache(Rally)
_pass: Callable[[str], Pass] = cache(Pass)
_together: Callable[[str, ActionKind], Together] = cache(Together)
# looking them up in the enum takes ten times as long
_MOVEMENT, _FIRE, _RALLY, _PASS = ActionKind.MOVEMENT, ActionKind.FIRE, ActionKind.RALLY, ActionKind.PASS
_KINDS = tuple(TOGETHER)
_DEEDS: tuple[Deed, ...] = (
    "move",
    "mount or dismount",
    "enter an entrenchment",
    "leave an entrenchment",
    "fire",
    "rally",
    "pass",
)
_ENTRENCHED = Cover.ENTRENCHED


class Offer(NamedTuple):
    """What a unit may do.

    Attributes:
        actions: its Actions; on a reinforcement hex those that lead off it.
        kinds: what it may do together with others in its hex.
        ways: the hexes into which it can step with others, as a set, where it is on a reinforcement hex.
    """

    actions: tuple[Single, ...]
    kinds: tuple[ActionKind, ...]
    ways: int = 0


Cells = tuple[str, ...]
"""What the table of 7.1 says under a chit, by the rows of `_DEEDS`."""
Activating = tuple[str, tuple[str, ...], tuple[str, ...]]
"""The chit, who is attached, and to whom independent Formations are: who is Active hangs on nothing else but who is on the map."""


@define(eq=False)
class Outlook:
    """What units of a side may do under some cells of the table, and what that hangs on.

    Attributes:
        state: which state was asked about.
        units: those of the state.
        zones: their Fire Zones.
        watched: the hexes in Fire Zones of the enemy.
        columns, trenches: the hexes with a unit in Column, and with an entrenchment.
        by_day: whether it is daylight.
        offers: what each unit may do that has been asked for, by its number.
        activating, acted: for whom the lines are, and who of them has acted.
        lines: for each Active unit that has not acted, what it may do alone or begin together with others.
    """

    state: State
    units: tuple[Unit, ...]
    zones: tuple[int, ...]
    watched: int
    columns: int
    trenches: int
    by_day: bool
    offers: dict[int, Offer]
    activating: Activating
    acted: int
    lines: dict[int, list[Single | Together]]


def outlook(state: State, side: Side) -> Outlook:
    """What units of a side may do: as it was known last under such a chit, but for those for which something has changed."""
    setting, activation, there = state.setting, acting(state), state.deployment
    cells = _cells(state.chit.kind, second=False)
    known = setting.outlooks.get((side, cells))  # taken at once: another game may put its own there
    if known is not None and known.state is state:
        return known
    own, watched = zones.coverage(state, side).zones, zones.fire_zones(state, side.enemy)
    activating = (activation.chit, activation.attached, state.superiors)
    now = Outlook(
        state,
        state.units,
        own,
        watched,
        there.columns,
        state.entrenchments,
        not state.night,
        {},
        activating,
        activation.acted,
        {},
    )
    if known is None or known.by_day is not now.by_day:
        _draw_up(state, cells, now)
    else:
        changed, now.offers = _changed(state, side, known, now), known.offers.copy()
        for i in changed:
            now.offers.pop(i, None)
        if state.chit.direct or not _carries_on(state, side, known, now, changed):
            _draw_up(state, cells, now)
        else:
            now.lines = known.lines.copy()
            _redraw(state, cells, known, now, changed)
    setting.outlooks[side, cells] = now
    return now


def _changed(state: State, side: Side, before: Outlook, now: Outlook) -> set[int]:
    """The units that have changed themselves, or in whose hex or Fire Zone something has; for guns with a star, and on a reinforcement hex, around them, too."""
    setting, units, there = state.setting, state.units, state.deployment
    found = there.changed_since(before.units)
    around = (now.watched ^ before.watched) | (now.columns ^ before.columns) | (now.trenches ^ before.trenches)
    enemies = 0
    for i in found:
        if setting.roster[i].side is not side:
            enemies |= setting.bit.get(units[i].place, 0) | setting.bit.get(before.units[i].place, 0)
    if now.zones is not before.zones:
        found.update(compress(count(), map(is_not, now.zones, before.zones)))
    if enemies:
        found.update([i for i, zone in enumerate(now.zones) if zone & enemies])
    if around or enemies:
        for hex in setting.board.members(around & there.of(side)):
            found.update(there.at[hex])
        arrived = [i for hex in setting.entries[side] for i in there.at.get(hex, ())]
        for i in (*setting.star_guns, *arrived):
            place = units[i].place
            if type(place) is Hex and setting.board.neighbour_mask(place) & (around | enemies):
                found.add(i)
    return found


# ------------------------------------------------------------ the lines
def _draw_up(state: State, cells: Cells, now: Outlook) -> None:
    """The lines of all units that have not acted; under Direct Command of those that a Command Point can activate (10.0.5)."""
    units, acted = state.units, now.acted
    fresh = [i for i in members(state) if type(units[i].place) is Hex and not acted >> i & 1]
    if state.chit.direct:
        roster, solvent = state.setting.roster, _solvent(state)
        fresh = [i for i in fresh if not units[i].entering and roster[i].division in solvent]
        fresh = among_commanded(state, fresh)
    now.lines = {i: [] for i in fresh}
    for place in dict.fromkeys([units[i].place for i in fresh]):
        _write(state, cells, now, place)


def _carries_on(state: State, side: Side, known: Outlook, now: Outlook, changed: Iterable[int]) -> bool:
    """Whether the lines are for the same units still, but for some that have acted: nobody has come onto the map."""
    if known.activating != now.activating or known.acted & ~now.acted:
        return False
    roster, units = state.setting.roster, state.units
    return all(
        i in known.lines or now.acted >> i & 1 or roster[i].side is not side or type(units[i].place) is not Hex
        for i in changed
    )


def _redraw(state: State, cells: Cells, known: Outlook, now: Outlook, changed: Iterable[int]) -> None:
    """The lines as they were, without those who have acted; where something has changed in a hex, they are written anew."""
    units, lines, places = state.units, known.lines.copy(), dict[Place, None]()
    for i in (*changed, *ones(now.acted & ~known.acted)):
        places[known.units[i].place] = places[units[i].place] = None
        if now.acted >> i & 1 or type(units[i].place) is not Hex:
            lines.pop(i, None)
    now.lines = lines
    for place in places:
        _write(state, cells, now, place)


def _write(state: State, cells: Cells, now: Outlook, place: Place) -> None:
    """The lines of the units in one hex."""
    lines, offers = now.lines, now.offers
    here = [i for i in state.deployment.at.get(place, ()) if i in lines]  # type: ignore[arg-type]
    for i in here:
        offer = offers.get(i)
        if offer is None:
            offer = offers[i] = _offer(state, i, cells, now)
        lines[i] = [*offer.actions]
    if len(here) > 1:
        direct = state.chit.direct
        for i, joint in _jointly(state, here, offers, (_MOVEMENT,) if direct else _KINDS, paid=direct):
            lines[i].append(joint)


def _jointly(
    state: State,
    units: Sequence[int],
    offers: Mapping[int, Offer],
    kinds: Sequence[ActionKind],
    *,
    paid: bool,
    least: int = 2,
) -> Iterator[tuple[int, Together]]:
    """Which units of those in one hex may begin an Action together, where so many can perform it, and can be paid for."""
    setting, hex = state.setting, state.units[units[0]].place
    assert type(hex) is Hex
    for kind in kinds:
        those = [i for i in units if kind in offers[i].kinds]
        if len(those) < least or (kind is _MOVEMENT and overstacked(state, hex)):
            continue
        if least > 2 and not payable(state, those):
            continue
        arriving = kind is _MOVEMENT and setting.unlimited & setting.bit[hex]
        for i in those:
            if not (paid or arriving) or any(_pair(state, offers, i, j, paid=paid) for j in those if j != i):
                yield i, _together(setting.roster[i].name, kind)


def _pair(state: State, offers: Mapping[int, Offer], i: int, j: int, *, paid: bool) -> bool:
    """Whether two can be paid for together that can be paid for alone; or else, where one has yet to leave a reinforcement hex, can leave it together (8.0)."""
    if paid:
        mine, other = state.setting.roster[i].division, state.setting.roster[j].division
        return mine != other or state.points[state.setting.division_number[mine]].command > 1
    arriving = state.units[i].entering or state.units[j].entering
    return not arriving or bool(offers[i].ways & offers[j].ways)


def _solvent(state: State) -> list[str]:
    """The Divisions that have a Command Point."""
    return [each.name for each, points in zip(state.setting.divisions, state.points, strict=True) if points.command]


def payable(state: State, units: Sequence[int]) -> bool:
    """Whether the Divisions of some units have a Command Point for each."""
    roster, number = state.setting.roster, state.setting.division_number
    whose = [number[roster[i].division] for i in units]
    for division in whose:  # noqa: SIM110  (in half the time)
        if state.points[division].command < whose.count(division):
            return False
    return True


# ------------------------------------------------------------ the options
def first_actions(state: State, side: Side) -> list[Single | Together | EndActivation]:
    """What units that have not acted may do, alone or together; what those that have just acted may do again; and to end it, once nobody can leave a reinforcement hex."""
    now, found = outlook(state, side), list[Single | Together | EndActivation]()
    for line in now.lines.values():
        found += line
    if acting(state).last:
        found += second_actions(state, now)
    if not _held(state, side, now):
        found.append(EndActivation())
    return found


def _held(state: State, side: Side, now: Outlook) -> bool:
    """Whether a unit that has not acted can leave a reinforcement hex, and so must (8.0)."""
    at = state.deployment.at
    arrived = [i for hex in state.setting.entries[side] for i in at.get(hex, ()) if i in now.lines]
    return any(state.units[i].entering and now.offers[i].actions for i in arrived)


def second_actions(state: State, outlook: Outlook) -> list[Single | Together]:
    """What the units that have just acted may do for a Command Point each: something of another type (10.0.2)."""
    setting, units, now, bought = state.setting, state.units, acting(state), list[int]()
    number = setting.number
    for unit in now.last:
        i = number[unit]
        if not units[i].entering and payable(state, (i,)) and commanded_in_activation(state, unit):
            bought.append(i)
    if not bought:
        return []
    cells = _cells(state.chit.kind, second=True)
    offers = {i: _offer(state, i, cells, outlook) for i in bought}
    if len(now.last) == 1:
        return [a for a in offers[bought[0]].actions if KINDS[type(a)] is not now.kind]
    found = list[Single | Together]()
    all_of_them = setting.choice("G12") == "all"
    if not all_of_them:
        found += [a for offer in offers.values() for a in offer.actions if KINDS[type(a)] is not now.kind]
    kinds = [kind for kind in _KINDS if kind is not now.kind]
    least = len(now.last) if all_of_them else 2
    for place in dict.fromkeys([units[i].place for i in bought]):
        here = [i for i in bought if units[i].place == place]
        if len(here) >= least:
            found += [joint for _, joint in _jointly(state, here, offers, kinds, paid=True, least=least)]
    return found


def joining(state: State, side: Side, units: tuple[str, ...], kind: ActionKind) -> list[str]:
    """Who in the hex of some units that are to act together can join in."""
    setting, now, acted = state.setting, outlook(state, side), acting(state)
    number, direct = setting.number, state.chit.direct
    those = [number[unit] for unit in units]
    place, second = state.units[those[0]].place, not direct and acted.acted >> those[0] & 1
    assert type(place) is Hex
    if kind is _MOVEMENT and overstacked(state, place):
        return []
    cells, found = _cells(state.chit.kind, second=True) if second else (), list[str]()
    for i in state.deployment.at[place]:
        unit = setting.roster[i].name
        if unit in units:
            continue
        if second:
            if unit not in acted.last or state.units[i].entering or not commanded_in_activation(state, unit):
                continue
            kinds = _offer(state, i, cells, now).kinds
        else:
            kinds = now.offers[i].kinds if i in now.lines else ()
        if kind not in kinds or ((second or direct) and not payable(state, (*those, i))):
            continue
        arriving = kind is _MOVEMENT and any(state.units[each].entering for each in (*those, i))
        if not arriving or can_step(state, setting_out(state, (*units, unit), second=bool(second))):
            found.append(unit)
    return found


# ------------------------------------------------------------ one unit
def _cells(kind: ChitKind, *, second: bool) -> Cells:
    """What the table of 7.1 says of a first or Second Action, by the rows of `_DEEDS`."""
    table, which = permissions(), column(kind, second=second)
    return tuple([table[deed].cells[which] for deed in _DEEDS])


def _offer(state: State, i: int, cells: Cells, now: Outlook) -> Offer:
    """What a unit may do; nothing else of the state counts."""
    moves, mounts, digs_in, comes_out, fires, rallies, passes = cells
    setting, mine = state.setting, state.units[i]
    piece = setting.roster[i]
    name, up, bit = piece.name, face(piece, mine), setting.bit[mine.place]
    if mine.suppressed:
        return Offer((_rally(name),), (_RALLY,)) if rallies == "yes" else Offer((), ())
    found, kinds, ways = list[Single](), list[ActionKind](), 0
    dug_in, movement = mine.cover is _ENTRENCHED, up.movement
    if moves == "yes" and not dug_in:
        if type(movement) is int:
            if not mine.entering or can_leave(state, setting_out(state, (name,))):
                found.append(_move(name))
            if not mine.column:
                kinds.append(_MOVEMENT)
                ways = _ways(state, name) if setting.unlimited & bit else 0
        elif movement is STAR:
            found += _prolonges(state, i, now.watched)
    if mounts == "yes" and piece.transport is not None and not (mine.mounted or mine.entering or dug_in):
        found += _mounts(state, i, crowded=bool(now.columns & bit))
    if mine.entering:
        return Offer(tuple(found), tuple(kinds), ways)
    may_dig = now.trenches & bit and not (movement is STAR and now.watched & bit)
    if may_dig and (comes_out if dug_in else digs_in) == "yes":
        found.append(LeaveEntrenchment(name) if dug_in else EnterEntrenchment(name))
    enemies = now.zones[i] & state.deployment.of(piece.side.enemy)
    if enemies and (fires == "yes" or up.weapon.colour == fires) and can_fire(state, i):
        shots = _shots(state, i, enemies)
        if shots:
            found += shots
            kinds.append(_FIRE)
    if rallies == "yes" and mine.cohesion and not (now.watched & bit and now.by_day):
        found.append(_rally(name))
        kinds.append(_RALLY)
    if passes == "yes":
        found.append(_pass(name))
        kinds.append(_PASS)
    return Offer(tuple(found), tuple(kinds), ways)


def _ways(state: State, unit: str) -> int:
    """The hexes into which a unit that begins to move can step with others, as a set."""
    begin = setting_out(state, (unit,))
    near = open_to(state, begin, unit, begin.points[0], roads=False)
    return state.setting.board.mask([hex for hex, short in near if short <= 0])


def _shots(state: State, i: int, hexes: int) -> list[Fire]:
    """The shots of a unit at the enemies in some hexes; those on a reinforcement hex are no target (8.0)."""
    roster, units, at = state.setting.roster, state.units, state.deployment.at
    there = [j for hex in state.setting.board.members(hexes) for j in at[hex]]
    return [_fire(roster[i].name, roster[j].name) for j in there if not units[j].entering]


def _prolonges(state: State, i: int, watched: int) -> list[Prolonge]:
    """The hexes into which a gun with a star can be moved: not into an enemy Fire Zone (14.11)."""
    field, mine = state.setting, state.units[i]
    piece, place = field.roster[i], mine.place
    assert isinstance(place, Hex)
    closed = watched | state.deployment.of(piece.side.enemy) | field.barred[piece.side]
    if mine.column:
        closed |= state.deployment.columns
    near = ground.steps(field, MovementClass.LEG, mine.column)[place]
    return [Prolonge(piece.name, hex) for hex, _, _ in near if not closed & field.bit[hex]]


def _mounts(state: State, i: int, *, crowded: bool) -> Iterator[Mount]:
    """How a unit with Organic Transport can mount, in Column or not (14.10.2)."""
    field, mine = state.setting, state.units[i]
    piece, bit = field.roster[i], field.bit[mine.place]
    assert piece.transport is not None
    if face(piece, mine).unit_class is UnitClass.VEHICLE:
        return
    kind = piece.transport.movement_class
    if not mine.column and ground.permitted(field, kind, False) & bit:
        yield Mount(piece.name, column=False)
    if (mine.column or not crowded) and ground.permitted(field, kind, True) & bit:
        yield Mount(piece.name, column=True)
