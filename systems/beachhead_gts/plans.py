"""What a move may lead a player's unit to: the hexes within its reach, in Column or not, on its vehicles or off them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from attrs import evolve, frozen

from beachhead.hexes import Hex
from beachhead_gts import zones
from beachhead_gts.appraisal import LED, Situation
from beachhead_gts.charts import HALF
from beachhead_gts.forces import NO_WAY, Force
from beachhead_gts.ground import permitted_in, steps
from beachhead_gts.movement import Dismount, LeaveColumn, StepTo, TakeColumn
from beachhead_gts.mover import Moving, one_hex_move
from beachhead_gts.rating import Occasion
from beachhead_gts.stacking import overstacked
from beachhead_gts.stepping import dismount_price
from beachhead_gts.tables import MovementClass

Start = StepTo | TakeColumn | LeaveColumn | Dismount


@frozen(eq=False)
class End:
    """What a move comes to: how it begins, and what it is worth in the end."""

    first: Start
    value: float


def best_end(now: Situation, unit: Force, moving: Moving, *, into_zones: bool) -> End | None:
    """The best that a unit can do with what it has left; None if it can do nothing."""
    onward = march(now, unit, moving)
    return _best(now, _ends(now, unit, moving, into_zones=into_zones)) if onward is None else onward


def stirs(now: Situation, unit: Force, moving: Moving, least: float, *, into_zones: bool) -> bool:
    """Whether a move may bring a unit so much, at a glance: it could get nearer to what it is to do, is in danger, or in Column or mounted near the enemy."""
    column, hex = unit.now.column, unit.hex
    danger = now.danger(unit, hex, column=column)
    if danger > max(UNEASY, least) or ((column or unit.now.mounted) and now.nearest(hex) <= FAR):
        return True
    here, goal = now.errand(unit, hex, column=column), now.assigned.get(unit.i)
    if goal is not None:
        nearer = now.left(unit, evolve(goal, near=goal.near + min(moving.points)), hex, column=column)
        if nearer - here + danger + LED < least:
            return False
    closed, bit = _closed(now, into_zones=into_zones), now.state.setting.bit
    around, _ = steps(now.state.setting, unit.kind, column)[hex]
    return any(now.errand(unit, to, column=column) > here for to, _ in around if not closed & bit[to])


UNEASY = 0.15
"""How much danger makes a unit look for a better place."""


def _closed(now: Situation, *, into_zones: bool) -> int:
    """The hexes that no unit of this side enters now."""
    state = now.state
    under_fire = 0 if into_zones else zones.fire_zones(state, now.side.enemy)
    return now.enemies | state.setting.barred[now.side] | under_fire


# ------------------------------------------------------------ far from the enemy
FAR = 9
"""How far away the nearest enemy is when a unit simply marches, in hexes."""


def march(now: Situation, unit: Force, moving: Moving) -> End | None:
    """The next step on the shortest way to its goal, for a unit that is far from any enemy; None where it is not, or cannot go on."""
    field, goal = now.state.setting, now.assigned.get(unit.i)
    if goal is None or moving.together or field.board.within_mask(unit.hex, FAR) & now.enemies:
        return None
    ways, column, left = now.ways(unit.kind, goal.hex), unit.now.column, min(moving.points)
    way, columns = ways[column].get(unit.hex, NO_WAY), now.state.deployment.columns
    if not goal.near < way < NO_WAY:
        return None
    nearer = LED + now.left(unit, evolve(goal, near=goal.near + left), unit.hex, column=column)
    if way - HALF == ways[not column].get(unit.hex) and left >= HALF:
        if column and not moving.columned and permitted_in(field, unit.kind, False, unit.hex):
            return End(LeaveColumn(), nearer)
        if not column and not columns & field.bit[unit.hex]:
            return End(TakeColumn(), nearer)
    for to, cost in steps(field, unit.kind, column)[unit.hex][0]:
        if cost <= left and ways[column].get(to, NO_WAY) + cost == way and not (column and columns & field.bit[to]):
            return End(StepTo(to), nearer)
    return None


# ------------------------------------------------------------ near the enemy
@frozen(eq=False)
class Prospect:
    """Where a move may end: how it begins, the unit as it would be, where, in Column or not, and what may happen to it on the way."""

    first: Start
    unit: Force
    hex: Hex
    column: bool
    harm: float


MOST = 0.3
"""What a place may be worth beside the errand that a unit is on, about."""


def _best(now: Situation, prospects: Iterable[Prospect]) -> End | None:
    """The best of them, the most promising being looked at first; of equals the nearest."""
    order = count()
    ranked = sorted(
        [(each.harm - now.errand(each.unit, each.hex, column=each.column), next(order), each) for each in prospects]
    )
    best: End | None = None
    for worse, _, each in ranked:
        if best is not None and MOST - worse <= best.value:
            break
        value = now.standing(each.unit, each.hex, column=each.column) - each.harm
        if best is None or value > best.value:
            best = End(each.first, value)
    return best


def _ends(now: Situation, unit: Force, moving: Moving, *, into_zones: bool) -> Iterator[Prospect]:
    """Everywhere that a unit may go with what it has left."""
    vehicle = unit.now.mounted and unit.piece.transport is not None
    afoot, price = (now.other_side(unit), dismount_price(unit.piece)) if vehicle else (unit, 0)
    field, left = now.state.setting, min(moving.points)
    for first, hex, column, spent, harm in _reach(now, unit, moving, left, into_zones=into_zones):
        if first is not None:
            yield Prospect(first, unit, hex, column, harm)
        if vehicle and spent + price <= left and permitted_in(field, afoot.kind, False, hex):
            harm += now.reaction(unit, hex, Occasion.TRANSPORT, column=column)
            yield Prospect(first or Dismount(column=False), afoot, hex, False, harm)


# ------------------------------------------------------------ reach
Place = tuple[Start | None, Hex, bool, int, float]
"""How one begins to go there (None: one is there), the hex, in Column or not, what it takes, and what Opportunity Fire may do on the way."""


SAFER = 0.05
"""How much less dangerous a longer way must be."""


def _reach(now: Situation, unit: Force, moving: Moving, points: int, *, into_zones: bool) -> Iterator[Place]:
    """Every hex that can be reached: first by the shortest way, then by any that is longer and less dangerous."""
    state, field = now.state, now.state.setting
    bit, under_fire = field.bit, zones.fire_zones(state, now.side.enemy)
    closed = _closed(now, into_zones=into_zones)
    shut = (closed, closed | state.deployment.columns)
    near = [steps(field, unit.kind, column, roads=not moving.together) for column in (False, True)]
    whole = one_hex_move(state, unit.name, fresh=moving.fresh)
    crowded = now.losses(unit)[2] if overstacked(state, unit.hex) else 0.0
    least: dict[tuple[Hex, bool], float] = {}
    waiting: list[list[Place]] = [[] for _ in range(points + 1)]
    waiting[0].append((None, unit.hex, unit.now.column, 0, 0.0))
    for spent, places in enumerate(waiting):
        for place in places:
            first, hex, column, _, harm = place
            if harm > least.get((hex, column), NO_WAY) - SAFER:
                continue
            least[hex, column] = harm
            yield place
            if first is None:
                harm += crowded
            fired_at = under_fire & bit[hex]
            for to, cost in near[column][hex][0]:
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
                waiting[total].append((first or StepTo(to), to, column, total, worse))
            if spent + HALF <= points and _changes(now, unit, moving, place):
                worse = place[-1] + now.reaction(unit, hex, Occasion.COLUMN, column=True)
                first = first or (LeaveColumn() if column else TakeColumn())
                waiting[spent + HALF].append((first, hex, not column, spent + HALF, worse))


def _changes(now: Situation, unit: Force, moving: Moving, place: Place) -> bool:
    """Whether a unit may change into or out of Column: it leaves Column anywhere, and enters it where it begins, on foot only with no enemy near."""
    first, hex, column, _, _ = place
    field = now.state.setting
    if moving.together:
        return False
    if unit.now.column:
        return column and not moving.columned and permitted_in(field, unit.kind, False, hex)
    if first is not None or now.state.deployment.columns & field.bit[hex]:
        return False
    return unit.kind is not MovementClass.LEG or not field.board.within_mask(hex, COLUMNS_END) & now.enemies


COLUMNS_END = 4
"""How near the enemy must be that nobody on foot enters Column, in hexes."""
