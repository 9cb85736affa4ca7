"""What the Active units may do now, found for all of them in one pass: the options of `ChooseAction` (10.0, 13.0).

Nothing of what `actions` and `together` say stands against any of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, compress
from typing import Any

from attrs import define, field

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
from beachhead_gts.command import commanded, commanded_in_activation
from beachhead_gts.events import acting
from beachhead_gts.fire import can_fire
from beachhead_gts.mover import open_to, setting_out
from beachhead_gts.permissions import Cells, Deed, cells
from beachhead_gts.stacking import overstacked
from beachhead_gts.state import State, face
from beachhead_gts.stepping import can_leave, can_step
from beachhead_gts.tables import ActionKind, Cover, MovementClass, Side, UnitClass

# the same few, again and again
_move: Callable[[str], Move] = cache(Move)
_fire: Callable[[str, str], Fire] = cache(Fire)
_rally: Callable[[str], Rally] = cache(Rally)
_pass: Callable[[str], Pass] = cache(Pass)
_END = EndActivation()
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


@define(eq=False)
class Offer:
    """What a unit can do, whatever the chit permits of it.

    Attributes:
        actions: its Actions, by the rows of `_DEEDS`; on a reinforcement hex those that lead off it.
        kinds: for each row, as what it can do so together with others in its hex; None where it cannot.
        colour: of its Fire Rating, for what the table reserves to one.
        ways: the hexes into which it can step with others, as a set, where it is on a reinforcement hex.
    """

    actions: tuple[Sequence[Single], ...]
    kinds: tuple[ActionKind | None, ...]
    colour: str
    ways: int = 0
    _known: dict[Cells, tuple[Single, ...]] = field(factory=dict)

    def under(self, permits: Cells) -> tuple[Single, ...]:
        """The Actions that the table permits."""
        known = self._known.get(permits)
        if known is None:
            rows = permits.permit(self.colour)
            known = self._known[permits] = tuple(chain.from_iterable(compress(self.actions, rows)))
        return known

    def with_others(self, permits: Cells) -> list[ActionKind]:
        """What the table permits together with others."""
        return [kind for kind in compress(self.kinds, permits.permit(self.colour)) if kind]


Activating = tuple[Cells, str, tuple[str, ...], tuple[str, ...], Any]
"""What the table says, the chit, who is attached, and to whom independent Formations are; under Direct Command where the Leaders are, and for
which Divisions there are no Command Points, one, or more. Who may act hangs on nothing else but who is on the map."""


@define(eq=False)
class Outlook:
    """What units of a side can do, what of it the chit permits them, and what that hangs on.

    Attributes:
        state: which state was asked about.
        watched: the hexes in Fire Zones of the enemy.
        columns: the hexes with a unit in Column.
        activating: for whom the lines are.
        offers: what each unit can do that has been asked for, by its number.
        lines: for each Active unit that has not acted, what it may do alone or begin together with others.
    """

    state: State
    watched: int
    columns: int
    activating: Activating
    offers: dict[int, Offer] = field(factory=dict)
    lines: dict[int, tuple[Single | Together, ...]] = field(factory=dict)

    @property
    def acted(self) -> int:
        """The units that have acted, as a set of their numbers."""
        return acting(self.state).acted


def outlook(state: State, side: Side) -> Outlook:
    """What units of a side may do now: as it was known last, but for those for which something has changed."""
    setting = state.setting
    known = setting.outlooks.get(side)  # taken at once: another game may put its own there
    if known is not None and known.state is state and known.activating[0] is cells(state.chit.kind, False, _DEEDS):
        return known
    now = Outlook(state, zones.fire_zones(state, side.enemy), state.deployment.columns, _activating(state))
    if known is None:
        _draw_up(state, now)
    else:
        changed = _changed(state, side, known, now)
        now.offers = known.offers.copy()
        for i in changed:
            now.offers.pop(i, None)
        if _carries_on(state, side, known, now, changed):
            _redraw(state, known, now, changed)
        else:
            _draw_up(state, now)
    setting.outlooks[side] = now
    return now


def _activating(state: State) -> Activating:
    chit, activation = state.chit, acting(state)
    permits = cells(chit.kind, False, _DEEDS)
    purse = (state.leaders, [min(points.command, 2) for points in state.points]) if chit.direct else None
    return permits, activation.chit, activation.attached, state.superiors, purse


def _same_light(one: State, other: State) -> bool:
    """Whether it is as light, and the barrages lie where they lay: Fire Zones, and rallying by day, hang on it."""
    as_late = one.turn == other.turn or one.night is other.night
    return as_late and one.weather is other.weather and one.barrages == other.barrages


def _changed(state: State, side: Side, before: Outlook, now: Outlook) -> set[int]:
    """The units that have changed themselves, or in whose hex or Fire Zone something has; for guns with a star, and on a reinforcement hex, around them, too; all in another light."""
    setting, units, there, earlier = state.setting, state.units, state.deployment, before.state
    if not _same_light(earlier, state):
        return set(range(len(units)))
    bits, near = setting.bit, setting.board.neighbour_masks
    found = there.changed_since(earlier.units)
    trenches = state.entrenchments ^ earlier.entrenchments
    around = (now.watched ^ before.watched) | (now.columns ^ before.columns) | trenches
    enemies = beside = 0
    for i in found:
        if setting.roster[i].side is not side:
            for place in (units[i].place, earlier.units[i].place):
                if type(place) is Hex:
                    enemies |= bits[place]
                    beside |= near[place]
    if enemies:
        found.update([i for i, zone in enumerate(zones.coverage(state, side).zones) if zone & enemies])
    if around or enemies:
        for hex in setting.board.members((around | beside) & there.of(side)):
            found.update(there.at[hex])
        arrived = [i for hex in setting.entries[side] for i in there.at.get(hex, ())]
        for i in (*setting.star_guns[side], *arrived):
            place = units[i].place
            if type(place) is Hex and near[place] & (around | enemies):
                found.add(i)
    return found


# ------------------------------------------------------------ the lines
def _draw_up(state: State, now: Outlook) -> None:
    """The lines of all units that have not acted; under Direct Command of those that a Command Point can activate (10.0.5)."""
    units, acted = state.units, now.acted
    fresh = [i for i in members(state) if type(units[i].place) is Hex and not acted >> i & 1]
    if state.chit.direct:
        fresh = [i for i in fresh if not units[i].entering and payable(state, (i,)) and commanded(state, i)]
    bit, entries = state.setting.bit, state.setting.unlimited
    for i in fresh:
        if entries & bit[units[i].place]:  # what leads off a reinforcement hex hangs on the chit, too
            now.offers.pop(i, None)
    now.lines = dict.fromkeys(fresh, ())
    for place in dict.fromkeys([units[i].place for i in fresh]):
        _write(state, now, place)


def _carries_on(state: State, side: Side, known: Outlook, now: Outlook, changed: Iterable[int]) -> bool:
    """Whether the lines are for the same units still, but for some that have acted: nobody has come onto the map."""
    acted = now.acted
    if known.activating != now.activating or known.acted & ~acted:
        return False
    roster, units = state.setting.roster, state.units
    for i in changed:
        listed = i in known.lines or acted >> i & 1
        if not listed and roster[i].side is side and type(units[i].place) is Hex:
            return False
    return True


def _redraw(state: State, known: Outlook, now: Outlook, changed: Iterable[int]) -> None:
    """The lines as they were, without those who have acted; where something has changed in a hex, they are written anew."""
    units, earlier, acted, direct = state.units, known.state.units, now.acted, state.chit.direct
    lines = known.lines.copy()
    places: dict[Place, None] = {}
    for i in (*changed, *ones(acted & ~known.acted)):
        places[earlier[i].place] = places[units[i].place] = None
        if acted >> i & 1 or type(units[i].place) is not Hex or (direct and not commanded(state, i)):
            lines.pop(i, None)
    now.lines = lines
    for place in places:
        _write(state, now, place)


def _write(state: State, now: Outlook, place: Place) -> None:
    """The lines of the units in one hex."""
    lines, permits = now.lines, now.activating[0]
    here = [i for i in state.deployment.at.get(place, ()) if i in lines]  # type: ignore[arg-type]
    for i in here:
        lines[i] = _offered(state, now, i).under(permits)
    if len(here) > 1:
        direct = state.chit.direct
        for i, joint in _jointly(state, now, here, permits, (_MOVEMENT,) if direct else _KINDS, paid=direct):
            lines[i] = (*lines[i], joint)


def _offered(state: State, now: Outlook, i: int) -> Offer:
    """What a unit can do."""
    offer = now.offers.get(i)
    if offer is None:
        offer = now.offers[i] = _offer(state, i, now)
    return offer


def _jointly(
    state: State,
    now: Outlook,
    units: Sequence[int],
    permits: Cells,
    kinds: Sequence[ActionKind],
    *,
    paid: bool,
    least: int = 2,
) -> Iterator[tuple[int, Together]]:
    """Which units of those in one hex may begin an Action together, where so many can perform it, and can be paid for."""
    setting, hex = state.setting, state.units[units[0]].place
    assert type(hex) is Hex
    may = {i: now.offers[i].with_others(permits) for i in units}
    for kind in kinds:
        those = [i for i in units if kind in may[i]]
        if len(those) < least or (kind is _MOVEMENT and overstacked(state, hex)):
            continue
        if least > 2 and not payable(state, those):
            continue
        arriving = kind is _MOVEMENT and setting.unlimited & setting.bit[hex]
        for i in those:
            if not (paid or arriving) or any(_pair(state, now, i, j, paid=paid) for j in those if j != i):
                yield i, _together(setting.roster[i].name, kind)


def _pair(state: State, now: Outlook, i: int, j: int, *, paid: bool) -> bool:
    """Whether two can be paid for together that can be paid for alone; or else, where one has yet to leave a reinforcement hex, can leave it together (8.0)."""
    if paid:
        mine, other = state.setting.purses[i], state.setting.purses[j]
        return mine != other or state.points[mine].command > 1
    arriving = state.units[i].entering or state.units[j].entering
    return not arriving or bool(now.offers[i].ways & now.offers[j].ways)


def payable(state: State, units: Sequence[int]) -> bool:
    """Whether the Divisions of some units have a Command Point for each."""
    purses = state.setting.purses
    if len(units) == 1:
        return state.points[purses[units[0]]].command > 0
    whose = [purses[i] for i in units]
    return all(state.points[division].command >= whose.count(division) for division in whose)


# ------------------------------------------------------------ the options
def first_actions(state: State, side: Side) -> list[Single | Together | EndActivation]:
    """What units that have not acted may do, alone or together; what those that have just acted may do again; and to end it, once nobody can leave a reinforcement hex."""
    now = outlook(state, side)
    found: list[Single | Together | EndActivation] = [*chain.from_iterable(now.lines.values())]
    if last := state.just_acted:
        found += second_actions(state, now, last)
    if not _held(state, side, now):
        found.append(_END)
    return found


def _held(state: State, side: Side, now: Outlook) -> bool:
    """Whether a unit that has not acted can leave a reinforcement hex, and so must (8.0)."""
    there = state.deployment
    if not there.of(side) & state.setting.unlimited:
        return False
    arrived = [i for hex in state.setting.entries[side] for i in there.at.get(hex, ()) if i in now.lines]
    return any(state.units[i].entering and any(now.offers[i].actions) for i in arrived)


def second_actions(state: State, outlook: Outlook, last: tuple[str, ...]) -> list[Single | Together]:
    """What units that have just acted may do for a Command Point each: something of another type (10.0.2)."""
    setting, units, before = state.setting, state.units, acting(state).kind
    bought: list[int] = []
    for unit in last:
        i = setting.number[unit]
        if not units[i].entering and payable(state, (i,)) and commanded_in_activation(state, unit):
            bought.append(i)
    if not bought:
        return []
    permits = cells(state.chit.kind, True, _DEEDS)
    found: list[Single | Together] = []
    together = len(last) > 1
    all_of_them = together and setting.choice("G12") == "all"
    for i in bought:
        actions = _offered(state, outlook, i).under(permits)
        if not all_of_them:
            found += [action for action in actions if KINDS[type(action)] is not before]
    if together:
        kinds = [kind for kind in _KINDS if kind is not before]
        least = len(last) if all_of_them else 2
        for place in dict.fromkeys([units[i].place for i in bought]):
            here = [i for i in bought if units[i].place == place]
            if len(here) >= least:
                found += [joint for _, joint in _jointly(state, outlook, here, permits, kinds, paid=True, least=least)]
    return found


def joining(state: State, side: Side, units: tuple[str, ...], kind: ActionKind) -> list[str]:
    """Who in the hex of some units that are to act together can join in."""
    setting, now, acted = state.setting, outlook(state, side), acting(state)
    number, direct = setting.number, state.chit.direct
    those = [number[unit] for unit in units]
    place, second = state.units[those[0]].place, bool(not direct and acted.acted >> those[0] & 1)
    assert type(place) is Hex
    if kind is _MOVEMENT and overstacked(state, place):
        return []
    permits = cells(state.chit.kind, second, _DEEDS)
    found: list[str] = []
    for i in state.deployment.at[place]:
        unit = setting.roster[i].name
        if unit in units or not (unit in state.just_acted if second else i in now.lines):
            continue
        if second and (state.units[i].entering or not commanded_in_activation(state, unit)):
            continue
        if kind not in _offered(state, now, i).with_others(permits):
            continue
        if (second or direct) and not payable(state, (*those, i)):
            continue
        arriving = kind is _MOVEMENT and any(state.units[each].entering for each in (*those, i))
        if not arriving or can_step(state, setting_out(state, (*units, unit), second=second)):
            found.append(unit)
    return found


# ------------------------------------------------------------ one unit
def _offer(state: State, i: int, now: Outlook) -> Offer:
    """What a unit can do; nothing else of the state counts, but for what leads off a reinforcement hex."""
    setting, mine = state.setting, state.units[i]
    piece = setting.roster[i]
    name, up, bit = piece.name, face(piece, mine), setting.bit[mine.place]
    colour = up.weapon.colour
    if mine.suppressed and mine.entering:  # it could only rally, and only move
        return Offer(((),) * 7, (None,) * 7, colour)
    if mine.suppressed:
        return Offer(((), (), (), (), (), (_rally(name),), ()), (None, None, None, None, None, _RALLY, None), colour)
    dug_in, movement = mine.cover is _ENTRENCHED, up.movement
    moves: Sequence[Single] = ()
    mounts: Sequence[Mount] = ()
    stacks, ways = None, 0
    if type(movement) is int and not dug_in:
        if not mine.entering or can_leave(state, setting_out(state, (name,))):
            moves = (_move(name),)
        if not mine.column:
            stacks, ways = _MOVEMENT, _ways(state, name) if setting.unlimited & bit else 0
    elif movement is STAR and not dug_in:
        moves = _prolonges(state, i, now.watched)
    if mine.entering:
        return Offer((moves, (), (), (), (), (), ()), (stacks, None, None, None, None, None, None), colour, ways)
    if piece.transport is not None and not (mine.mounted or dug_in):
        mounts = _mounts(state, i, crowded=bool(now.columns & bit))
    pinned = movement is STAR and now.watched & bit
    enter = (EnterEntrenchment(name),) if state.entrenchments & bit and not (dug_in or pinned) else ()
    leave = (LeaveEntrenchment(name),) if dug_in and not pinned else ()
    shots = _shots(state, i) if can_fire(state, i) else ()
    rallies = (_rally(name),) if mine.cohesion and not (now.watched & bit and not state.night) else ()
    return Offer(
        (moves, mounts, enter, leave, shots, rallies, (_pass(name),)),
        (stacks, None, None, None, _FIRE if shots else None, _RALLY if rallies else None, _PASS),
        colour,
        ways,
    )


def _ways(state: State, unit: str) -> int:
    """The hexes into which a unit that begins to move can step with others, as a set."""
    begin = setting_out(state, (unit,))
    near = open_to(state, begin, unit, begin.points[0], roads=False)
    return state.setting.board.mask([hex for hex, short in near if short <= 0])


def _shots(state: State, i: int) -> Sequence[Fire]:
    """The shots of a unit at the enemies in its Fire Zone; those on a reinforcement hex are no target (8.0)."""
    setting, units, there = state.setting, state.units, state.deployment
    roster, board, piece = setting.roster, setting.board, setting.roster[i]
    place, reach = units[i].place, face(piece, units[i]).fire_range
    assert type(place) is Hex
    enemies = there.of(piece.side.enemy) & board.within_mask(place, reach if type(reach) is int else 1)
    if not enemies:
        return ()
    hexes = board.members(enemies & zones.zone_alone(state, i))
    return [
        _fire(piece.name, roster[j].name) for hex in hexes for j in there.at[hex] if _is_target(state, piece.side, j)
    ]


def _is_target(state: State, side: Side, j: int) -> bool:
    return state.setting.roster[j].side is not side and not state.units[j].entering


def _prolonges(state: State, i: int, watched: int) -> list[Prolonge]:
    """The hexes into which a gun with a star can be moved: not into an enemy Fire Zone (14.11)."""
    field, mine = state.setting, state.units[i]
    piece, place = field.roster[i], mine.place
    assert isinstance(place, Hex)
    closed = watched | state.deployment.of(piece.side.enemy) | field.barred[piece.side]
    if mine.column:
        closed |= state.deployment.columns
    near, _ = ground.steps(field, MovementClass.LEG, mine.column)[place]
    return [Prolonge(piece.name, hex) for hex, _ in near if not closed & field.bit[hex]]


def _mounts(state: State, i: int, *, crowded: bool) -> list[Mount]:
    """How a unit with Organic Transport can mount, in Column or not (14.10.2)."""
    field, mine = state.setting, state.units[i]
    piece, bit = field.roster[i], field.bit[mine.place]
    assert piece.transport is not None
    if face(piece, mine).unit_class is UnitClass.VEHICLE:
        return []
    kind = piece.transport.movement_class
    ways = (True,) if mine.column else (False,) if crowded else (False, True)
    return [Mount(piece.name, column) for column in ways if ground.permitted(field, kind, column) & bit]
