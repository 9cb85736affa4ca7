"""Units on the move: what they have left, what a step costs them, and the hexes they may enter (14.1, 14.3, 14.9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from attrs import evolve, frozen

from beachhead.hexes import Hex
from beachhead.rules import Breakdown, Objection
from beachhead.values import changed, changer
from beachhead_gts import ground, zones
from beachhead_gts.battlefield import STAR, Battlefield, Face, Piece
from beachhead_gts.charts import HALF
from beachhead_gts.opportunity import in_zone
from beachhead_gts.permissions import not_permitted, permitted
from beachhead_gts.stacking import column_objections, overstacked
from beachhead_gts.state import State, Unit, face
from beachhead_gts.tables import MovementClass, UnitClass

_LEG, _INFANTRY = MovementClass.LEG, UnitClass.INFANTRY  # looking them up in the enum takes ten times as long


@frozen
class Moving:
    """Units that are moving, alone or together (14.3, 14.7).

    Attributes:
        units: those that still move.
        points: what each has left, in half Movement Points.
        second: it is a Second Action.
        leaders: the Leaders who were with them at the start, where a Command Point moves them (21.2).
        fresh: nothing has been spent yet.
        columned: a Column marker has been placed in this Action (14.6).
        marched: a forced march has been tried (14.8).
        whole: those for whom a step was the whole move, whatever it cost (14.9).
        came: the hex from which they came by road into the one they are in, if roads run past each other there; else ().
    """

    units: tuple[str, ...]
    points: tuple[int, ...]
    second: bool = False
    leaders: tuple[str, ...] = ()
    fresh: bool = True
    columned: bool = False
    marched: bool = False
    whole: tuple[str, ...] = ()
    came: tuple[Hex, ...] = ()

    @property
    def together(self) -> bool:
        """Whether several move as a stack."""
        return len(self.units) > 1

    def without(self, *gone: str) -> Moving:
        """The same when some have stopped."""
        kept = [(unit, left) for unit, left in zip(self.units, self.points, strict=True) if unit not in gone]
        return changed(self, units=tuple([unit for unit, _ in kept]), points=tuple([left for _, left in kept]))


def mover(state: State, unit: str) -> tuple[Piece, Unit, MovementClass]:
    """A unit's counter, its markers, and what terrain costs it now."""
    setting = state.setting
    i = setting.number[unit]
    piece, now = setting.roster[i], state.units[i]
    up = face(piece, now)
    return piece, now, _LEG if up.movement is STAR else up.movement_class  # a star gun counts as Leg (14.11)


def allowance(state: State, unit: str) -> int:
    """The Movement Allowance, in half Movement Points; 0 where none is printed, or a star."""
    piece, now, _ = mover(state, unit)
    movement = face(piece, now).movement
    return movement * HALF if isinstance(movement, int) else 0


def setting_out(state: State, units: tuple[str, ...], *, second: bool = False, leaders: tuple[str, ...] = ()) -> Moving:
    """Units that begin to move, with their whole allowances."""
    points = tuple([allowance(state, unit) for unit in units])
    return _set_out(_NOBODY, units=units, points=points, second=second, leaders=leaders)


_NOBODY = Moving((), ())
_set_out: Callable[..., Moving] = changer(Moving, "units", "points", "second", "leaders")  # in half the time


# ------------------------------------------------------------ entering a hex
def entry_objections(state: State, unit: str, there: Hex, *, second: bool) -> Iterator[Objection]:
    """Why a unit may not enter a hex, whatever it costs: enemies, their entry hexes, another Column, the chit (13.2, 14.1, 14.6)."""
    field = state.setting
    piece, now, _ = mover(state, unit)
    bit, label = field.bit[there], field.board.label(there)
    if state.deployment.of(piece.side.enemy) & bit:
        yield Objection("gts:14.1.g", "enemies are in {}", (label,))
    if field.barred[piece.side] & bit:
        yield Objection("gts:14.1.h", "{} is within two hexes of an enemy reinforcement hex", (label,))
    if now.column:
        yield from column_objections(state, unit, there)
    if state.activation is not None and in_zone(state, piece.side, there):
        against = not_permitted(state, unit, "move into an enemy Fire Zone", second=second)
        if against is not None:
            arriving = ("gts:8.0.t",) if now.entering else ()
            yield evolve(against, rules=(*against.rules, *arriving))


def terrain_objections(
    state: State, unit: str, there: Hex, *, roads: bool = True, came: tuple[Hex, ...] = ()
) -> Iterator[Objection]:
    """Why terrain does not let a unit step into a hex."""
    field = state.setting
    _, now, kind = mover(state, unit)
    here = now.place
    assert isinstance(here, Hex)
    if there not in field.board or not here.adjacent(there):
        where = field.board.label(there) if there in field.board else f"{there!r}"
        yield Objection("gts:14.3.a", "{} is no neighbour of {}", (where, field.board.label(here)))
        return
    yield from ground.prohibitions(field, kind, now.column, here, there, roads=roads)
    if came and ground.changes_road(field, kind, now.column, came[0], here, there) is None:
        rules = ("gts:14.6.i", "gts:14.5.a")
        yield Objection(rules, "{} cannot go from one road to another in {}", (unit, field.board.label(here)))


def step_cost(
    state: State, unit: str, there: Hex, *, together: bool = False, came: tuple[Hex, ...] = ()
) -> Breakdown | None:
    """What a step into a neighbouring hex costs a unit, in half Movement Points; None where terrain prohibits it (14.3)."""
    field = state.setting
    _, now, kind = mover(state, unit)
    here = now.place
    assert isinstance(here, Hex)
    cost = ground.known_step_cost(field, kind, now.column, here, there, roads=not together)
    if cost is None or not came or here not in field.unjoined:
        return cost
    extra = ground.changes_road(field, kind, now.column, came[0], here, there)
    return None if extra is None else cost + Breakdown(extra, per=HALF)


def goes_by_road(state: State, unit: str, there: Hex) -> bool:
    """Whether a unit that moves alone steps along a road into a neighbouring hex in which roads run past each other."""
    if there not in state.setting.unjoined:
        return False
    _, now, kind = mover(state, unit)
    assert isinstance(now.place, Hex)
    return ground.road_cost(state.setting, kind, now.column, now.place, there) is not None


def one_hex_move(state: State, unit: str, *, fresh: bool) -> bool:
    """Whether a unit may move one hex whatever it costs: Leg Infantry that has spent nothing (14.9)."""
    piece, now, _ = mover(state, unit)
    return fresh and _leg_infantry(now, face(piece, now))


def _leg_infantry(now: Unit, side: Face) -> bool:
    return (
        side.unit_class is _INFANTRY
        and side.movement_class is _LEG
        and not now.suppressed
        and isinstance(side.movement, int)
    )


def open_hexes(state: State, moving: Moving, *, column: bool | None = None) -> list[tuple[Hex, int]]:
    """The neighbours that nothing closes to the movers, with the half Movement Points that whoever has least is short of; 0 or less for none.

    It is `terrain_objections`, `entry_objections` and what a step costs at a glance.

    Args:
        state: the state.
        moving: who moves.
        column: as if a unit that moves alone were in Column, or not; None for as it is.
    """
    if not moving.together:
        return open_to(state, moving, moving.units[0], moving.points[0], column=column)
    place = state.place(moving.units[0])
    if isinstance(place, Hex) and overstacked(state, place):
        return []
    pairs = zip(moving.units, moving.points, strict=True)
    first, *others = [dict(open_to(state, moving, unit, left, roads=False)) for unit, left in pairs]
    shared = [hex for hex in first if all(hex in other for other in others)]
    return [(hex, max(first[hex], *(other[hex] for other in others))) for hex in shared]


def open_to(
    state: State, moving: Moving, unit: str, left: int, *, column: bool | None = None, roads: bool = True
) -> list[tuple[Hex, int]]:
    """The same for one of them, with or without roads."""
    field, there = state.setting, state.deployment
    piece, now, kind = mover(state, unit)
    here, enemy, second = now.place, piece.side.enemy, moving.second
    assert isinstance(here, Hex)
    column = now.column if column is None else column
    closed = there.of(enemy) | field.barred[piece.side]
    if column:
        closed |= there.columns
    if not permitted(state, unit, "move into an enemy Fire Zone", second=second):
        closed |= zones.fire_zones(state, enemy)
    near: Iterable[tuple[Hex, int]]
    near, around = ground.steps(field, kind, column, roads)[here]
    if around & closed:
        bit = field.bit
        near = [(hex, cost) for hex, cost in near if not bit[hex] & closed]
    if moving.came and here in field.unjoined:
        near = _from_road(field, kind, column, moving.came[0], here, near)
    if moving.fresh and _leg_infantry(now, face(piece, now)):
        return [(hex, 0) for hex, _ in near]
    return [(hex, cost - left) for hex, cost in near]


def _from_road(
    field: Battlefield, kind: MovementClass, column: bool, came: Hex, here: Hex, near: Iterable[tuple[Hex, int]]
) -> Iterator[tuple[Hex, int]]:
    """Some steps, with what it costs to change roads for them where roads run past each other; without those that are closed then (14.6)."""
    for hex, cost in near:
        extra = ground.changes_road(field, kind, column, came, here, hex)
        if extra is not None:
            yield hex, cost + sum([term.value for term in extra])
