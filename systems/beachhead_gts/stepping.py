"""Why units that move cannot step into a hex, march on, dismount or stop (14.0)."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from beachhead.hexes import Hex
from beachhead.rules import Objection
from beachhead.values import changed
from beachhead_gts import ground
from beachhead_gts.battlefield import Piece
from beachhead_gts.charts import HALF
from beachhead_gts.events import points as told
from beachhead_gts.mover import (
    Moving,
    entry_objections,
    mover,
    one_hex_move,
    open_hexes,
    setting_out,
    step_cost,
    terrain_objections,
)
from beachhead_gts.stacking import column_objections, overstacked
from beachhead_gts.state import State, face
from beachhead_gts.tables import FORCED_MARCH, ChitKind, MovementClass


def step_objections(state: State, moving: Moving, there: Hex) -> Iterator[Objection]:
    """Why units cannot step into a hex together: terrain, who is there, and what it costs (14.1, 14.3)."""
    if moving.together:
        yield from crowd_objections(state, hex_of(state, moving.units[0]))
    for unit in moving.units:
        prohibited = list(terrain_objections(state, unit, there, roads=not moving.together, came=moving.came))
        if prohibited:
            yield from prohibited
            return
        yield from entry_objections(state, unit, there, second=moving.second)
    for unit, left in zip(moving.units, moving.points, strict=True):
        cost = step_cost(state, unit, there, together=moving.together, came=moving.came)
        assert cost is not None
        if cost.total > left and not one_hex_move(state, unit, fresh=moving.fresh):
            rules = ("gts:14.3.c", "gts:14.7.d") if moving.together else ("gts:14.3.c",)
            if not moving.fresh and one_hex_move(state, unit, fresh=True):
                rules = (*rules, "gts:14.9.g")
            label = state.setting.board.label(there)
            yield Objection(rules, "{} has {} left, and {} costs {}", (unit, told(left), label, told(cost.total)))


def crowd_objections(state: State, here: Hex) -> Iterator[Objection]:
    """Units do not leave an overstacked hex together, be it on their way or where they began (14.7)."""
    if overstacked(state, here):
        yield Objection("gts:14.7.p", "out of an overstacked hex only one unit moves at a time")


def march_objections(state: State, moving: Moving, there: Hex) -> Iterator[Objection]:
    """Why units cannot try a forced march for a step (14.8)."""
    if moving.marched:
        yield Objection("gts:14.8.c", "a forced march has been tried in this Action")
    if moving.fresh:
        yield Objection("gts:14.8.c", "nobody has moved yet")
    if moving.together:
        yield from crowd_objections(state, hex_of(state, moving.units[0]))
    for unit in moving.units:
        if unit in moving.whole:
            yield Objection("gts:14.9.d", "{} has moved one hex whatever it cost, and does not march on", (unit,))
        piece, now, _ = mover(state, unit)
        if face(piece, now).movement_class is not MovementClass.LEG:
            yield Objection("gts:14.8.a", "{} is no Leg Unit", (unit,))
        prohibited = list(terrain_objections(state, unit, there, roads=not moving.together, came=moving.came))
        if prohibited:
            yield from prohibited
            return
        for against in entry_objections(state, unit, there, second=moving.second):
            yield evolve(against, rules=(*against.rules, "gts:14.8.i"))
    label, paid = state.setting.board.label(there), True
    for unit, left in zip(moving.units, moving.points, strict=True):
        cost = step_cost(state, unit, there, together=moving.together, came=moving.came)
        assert cost is not None
        paid = paid and cost.total <= left
        if cost.total > left + FORCED_MARCH * HALF:
            yield Objection("gts:14.8.b", "even with two Movement Points more {} cannot enter {}", (unit, label))
    if paid:
        yield Objection("gts:14.8.c", "{} can still move into {}", (", ".join(moving.units), label))


def dismount_price(piece: Piece) -> int:
    """Half the printed Movement Allowance of the Vehicle side, rounded down; in half Movement Points (14.10.3)."""
    assert piece.transport is not None
    printed = piece.transport.movement
    return printed // 2 * HALF if isinstance(printed, int) else 0


def dismount_objections(state: State, moving: Moving, *, column: bool) -> Iterator[Objection]:
    """Why a unit cannot dismount (14.10.3, 14.10.4)."""
    unit, left = moving.units[0], moving.points[0]
    piece, now, _ = mover(state, unit)
    assert isinstance(now.place, Hex)
    if not now.mounted or piece.transport is None:
        yield Objection("gts:14.10.3.a", "{} is not in Transport Mode", (unit,))
        return
    if now.entering:
        yield Objection("gts:8.0.k", "{} is on its reinforcement hex: it moves off before it dismounts", (unit,))
    if moving.together:
        yield Objection("gts:14.10.3.e", "drop {} off, or move it alone", (unit,))
    if left < dismount_price(piece):
        yield Objection("gts:14.10.3.f", "{} needs {} to dismount, and has {}", (unit, told(dismount_price(piece)), told(left)))  # fmt: skip
    if column:
        for against in column_objections(state, unit, now.place):
            yield evolve(against, rules=(*against.rules, "gts:14.10.3.d"))
    if not ground.permitted_in(state.setting, piece.front.movement_class, column, now.place):
        yield Objection("gts:14.5.a", "{} cannot be here dismounted", (unit,))


def stay_objections(state: State, moving: Moving) -> Iterator[Objection]:
    """Units on a reinforcement hex move off it if they can (8.0)."""
    entering = [unit for unit in moving.units if state.unit(unit).entering]
    if entering and can_leave(state, moving):
        yield must_leave(state, entering[0])


def must_leave(state: State, unit: str) -> Objection:
    """What is said to a unit that could leave its reinforcement hex: with its Division's chit, or with the next that lets it out (8.0)."""
    later = state.activation is not None and state.chit.kind is ChitKind.FORMATION
    return Objection("gts:8.0.i" if later else "gts:8.0.h", "{} must leave the reinforcement hex", (unit,))


def shut_in_objections(state: State, unit: str) -> Iterator[Objection]:
    """A unit that no way leads off its reinforcement hex keeps its Action until one does (8.0)."""
    if state.unit(unit).entering and not can_leave(state, setting_out(state, (unit,))):
        yield Objection("gts:8.0.i", "no way leads {} off the reinforcement hex yet", (unit,))


def drop_objections(state: State, moving: Moving, unit: str) -> Iterator[Objection]:
    """Why a unit cannot be dropped off: it is not in the stack, or could move off its reinforcement hex by itself (8.0, 14.7)."""
    if unit not in moving.units or not moving.together:
        yield Objection("gts:14.7.c", "{} is not in a stack that moves", (unit,))
        return
    yield from stay_objections(state, moving.without(*(other for other in moving.units if other != unit)))


def can_leave(state: State, moving: Moving, *, column: bool | None = None) -> bool:
    """Whether units can step out of their hex, as they are or after a change of Column that one of them pays for (14.6).

    With `column` it is as if a unit that moves alone were in Column, or not.
    """
    if can_step(state, moving, column=column):
        return True
    if moving.together:
        return False
    unit, left = moving.units[0], moving.points[0]
    _, now, kind = mover(state, unit)
    column = now.column if column is None else column
    kept = column and (moving.columned or not ground.permitted_in(state.setting, kind, False, hex_of(state, unit)))
    if left < HALF or kept:
        return False
    return can_step(state, changed(moving, points=(left - HALF,), fresh=False), column=not column)


def can_step(state: State, moving: Moving, *, column: bool | None = None) -> bool:
    """Whether there is a hex that the units can step into; a unit that moves alone, in or out of Column, as it is where nothing is said."""
    return any(short <= 0 for _, short in open_hexes(state, moving, column=column))


def hex_of(state: State, unit: str) -> Hex:
    """The hex of a unit that is on the map."""
    place = state.place(unit)
    assert isinstance(place, Hex)
    return place
