"""What a move may lead a player's unit to: the hexes within its reach, in Column or not, on its vehicles or off them."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from beachhead.hexes import Hex
from beachhead_gts import zones
from beachhead_gts.appraisal import Force, Situation
from beachhead_gts.charts import HALF
from beachhead_gts.ground import permitted_in, steps
from beachhead_gts.movement import Dismount, LeaveColumn, StepTo, TakeColumn, dismount_price
from beachhead_gts.mover import Moving, one_hex_move
from beachhead_gts.rating import Occasion
from beachhead_gts.stacking import overstacked

Start = StepTo | TakeColumn | LeaveColumn | Dismount


@frozen(eq=False)
class End:
    """Where a move may end: what it does first to get there, what it is worth to be there, and what it may cost on the way."""

    first: Start
    hex: Hex
    value: float


def ends(now: Situation, unit: Force, moving: Moving, *, into_zones: bool) -> Iterator[End]:
    """Everywhere that a unit may go with what it has left."""
    points, afoot = min(moving.points), _dismounted(now, unit)
    price = dismount_price(unit.piece) if afoot is not None else 0
    for place in _reach(now, unit, moving, points, into_zones=into_zones):
        if place.first is not None:
            yield End(place.first, place.hex, now.standing(unit, place.hex, column=place.column) - place.harm)
        if afoot is not None and place.spent + price <= points and _can_dismount(now, unit, place.hex):
            harm = place.harm + now.reaction(unit, place.hex, Occasion.TRANSPORT, column=place.column)
            value = now.standing(afoot, place.hex, column=False) - harm
            yield End(place.first or Dismount(column=False), place.hex, value)


def best_end(now: Situation, unit: Force, moving: Moving, *, into_zones: bool) -> End | None:
    """The best of them; of equals the nearest."""
    return max(ends(now, unit, moving, into_zones=into_zones), key=lambda end: end.value, default=None)


# ------------------------------------------------------------ vehicles
def _dismounted(now: Situation, unit: Force) -> Force | None:
    """A mounted unit as it would be off its vehicles."""
    return now.other_side(unit) if unit.now.mounted and unit.piece.transport is not None else None


def _can_dismount(now: Situation, unit: Force, hex: Hex) -> bool:
    return permitted_in(now.state.setting, unit.piece.front.movement_class, False, hex)


# ------------------------------------------------------------ reach
@frozen(eq=False)
class Place:
    """A hex within reach, in Column or not: how one begins to go there, what it takes, and what Opportunity Fire may do on the way."""

    hex: Hex
    column: bool
    first: Start | None
    spent: int
    harm: float


def _reach(now: Situation, unit: Force, moving: Moving, points: int, *, into_zones: bool) -> Iterator[Place]:
    """Every hex that can be reached: first the shortest way, then any that is longer and less dangerous."""
    state, field = now.state, now.state.setting
    bit, kind, under_fire = field.bit, unit.kind, zones.fire_zones(state, now.side.enemy)
    closed = now.enemies | field.barred[now.side] | (0 if into_zones else under_fire)
    there = state.deployment
    shut = (closed, closed | there.columns)
    near = [steps(field, kind, column, roads=not moving.together) for column in (False, True)]
    least = dict[tuple[Hex, bool], float]()
    crowded = now.losses(unit)[2] if overstacked(state, unit.hex) else 0.0
    whole = one_hex_move(state, unit.name, fresh=moving.fresh)
    waiting = [[Place(unit.hex, unit.now.column, None, 0, 0.0)]]
    for spent, places in enumerate(waiting):
        for place in places:
            hex, column, first, harm = place.hex, place.column, place.first, place.harm
            if least.get((hex, column), 1e9) <= harm:
                continue
            least[hex, column] = harm
            yield place
            if first is None:
                harm += crowded
            fired_at = under_fire & bit[hex]
            for to, cost, _ in near[column][hex]:
                if shut[column] & bit[to]:
                    continue
                total = spent + cost
                if total > points:
                    if first is not None or not whole:
                        continue
                    total = points
                worse = harm
                if fired_at:
                    occasion = Occasion.INTO_ZONE if under_fire & bit[to] else Occasion.INTO_NO_ZONE
                    worse += now.reaction(unit, hex, occasion, column=column)
                _wait(waiting, Place(to, column, first or StepTo(to), total, worse))
            if spent + HALF <= points and not moving.together:
                _change(now, unit, moving, place, waiting)


def _change(now: Situation, unit: Force, moving: Moving, place: Place, waiting: list[list[Place]]) -> None:
    """A unit leaves Column wherever it may, and enters it where it begins."""
    state, hex = now.state, place.hex
    if unit.now.column:
        if moving.columned or not place.column or not permitted_in(state.setting, unit.kind, False, hex):
            return
    elif place.first is not None or state.deployment.columns & state.setting.bit[hex]:
        return
    harm = place.harm + now.reaction(unit, hex, Occasion.COLUMN, column=True)
    first = place.first or (LeaveColumn() if place.column else TakeColumn())
    _wait(waiting, Place(hex, not place.column, first, place.spent + HALF, harm))


def _wait(waiting: list[list[Place]], place: Place) -> None:
    while len(waiting) <= place.spent:
        waiting.append([])
    waiting[place.spent].append(place)
