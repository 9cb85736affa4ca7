"""What a unit can do in its Operation, and what a player by rules of thumb expects of it: moves, fire and Close Combat, in Victory Points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from beachhead.hexes import Hex
from beachhead_koenig.appraisal import Force, Situation, open_exits
from beachhead_koenig.movement import CloseCombat, ExitBy, MoveTo, allowance, combats, moves, reach
from beachhead_koenig.operations import BeginCombined, BeginFullFire, BeginMovement
from beachhead_koenig.preparation import free_to_fire
from beachhead_koenig.state import Operation, Progress
from beachhead_koenig.tables import Fire

# ------------------------------------------------------------ moves
Way = MoveTo | CloseCombat | ExitBy


def ways(now: Situation, unit: Force, points: int) -> list[Way]:
    """Where a unit can go with so many Movement Points, into Close Combat and off the map, too."""
    state, name = now.state, unit.name
    within = reach(state, name, points)
    found: list[Way] = [*moves(within), *combats(within)]
    if unit.side.exits and (roads := within.exits):
        found.extend([ExitBy(road.name) for road in open_exits(state) if road.name in roads])
    return found


def after_move(now: Situation, unit: Force, action: object) -> float:
    """How well a unit stands after a move, a Close Combat, or off the map."""
    match action:
        case MoveTo(hex):
            return now.standing(unit, hex)
        case CloseCombat(hex, entry):
            return now.close(unit, hex, entry)
        case ExitBy():
            return -1.0 if unit.hits else now.exit_value()
        case _:
            return 0.0


# ------------------------------------------------------------ fire
def ready_beside(now: Situation, unit: Force, target: Hex, busy: tuple[str, ...]) -> list[Force]:
    """The other Active units that could join in Full Fire at a hex, but for those that fire elsewhere."""
    state, free = now.state, free_to_fire(Fire.FULL)
    return [
        now.own[name]
        for name in state.operating
        if name != unit.name
        and name not in busy
        and state.unit(name).progress in free
        and now.bears(now.own[name].hex, target)
    ]


def full_fire(now: Situation, unit: Force, target: Hex, busy: tuple[str, ...] = ()) -> float:
    """What Full Fire at a hex is worth to a unit, with those who had better join than fire by themselves."""

    def value(units: list[Force]) -> float:
        return now.fire(now.factor([(each.full, each.hex) for each in units], target), target, units)

    worth, joining = value([unit]), [unit]
    for other in ready_beside(now, unit, target, busy):
        together = value([*joining, other]) - value([other])
        if together > worth:
            worth, joining = together, [*joining, other]
    return worth


def mobile_fire(now: Situation, unit: Force, hex: Hex) -> float:
    """The best Mobile Fire that a unit has from a hex; 0 for none."""
    found = [
        now.fire(now.factor([(unit.mobile, hex)], target), target, [unit])
        for target, _ in now.lay.fields[hex]
        if target in now.foes
    ]
    return max(found, default=0.0)


def indirect_value(now: Situation, unit: Force, target: Hex) -> float:
    """What Indirect Fire at a hex is worth to a unit (14.4)."""
    return now.fire(unit.mobile + now.lay.cover[target], target, [unit])


def indirect_fire(now: Situation, unit: Force) -> float:
    """The best Indirect Fire that a unit has."""
    if not now.state.setting.piece(unit.name).type.heavy_weapons:
        return 0.0
    return max([indirect_value(now, unit, hex) for hex in now.foes if hex.distance(unit.hex) <= 2], default=0.0)


# ------------------------------------------------------------ Operations
def plans(
    now: Situation, unit: Force, busy: tuple[str, ...] = ()
) -> Iterator[tuple[float, BeginMovement | BeginFullFire | BeginCombined]]:
    """What each Operation of a unit may bring it, beside staying where it is, if those who are busy cannot join in its fire."""
    state, here = now.state, unit.hex
    stay, progress = now.standing(unit, here), state.unit(unit.name).progress
    shots = [target for target, _ in now.lay.fields[here] if target in now.foes]
    if progress is Progress.READY:
        for target in shots:
            yield full_fire(now, unit, target, busy), BeginFullFire(unit.name)
        if state.setting.plays("14.4") and not shots:
            yield indirect_fire(now, unit), BeginFullFire(unit.name)
        there = ways(now, unit, unit.movement)
        yield max([after_move(now, unit, action) for action in there], default=stay) - stay, BeginMovement(unit.name)
    half = allowance(state, unit.name, Operation.COMBINED)
    if progress is Progress.MOVED:
        yield mobile_fire(now, unit, here), BeginCombined(unit.name)
    elif progress is Progress.FIRED or any(here.distance(foe) <= half + 1 for foe in now.foes):
        steps = ways(now, unit, half)
        yield combined(now, unit, steps, fired=progress is Progress.FIRED) - stay, BeginCombined(unit.name)


def combined(now: Situation, unit: Force, steps: Iterable[object], *, fired: bool) -> float:
    """The best that a Combined Operation leads to: fire and then move, or move and then fire."""
    stay, shot = now.standing(unit, unit.hex), 0.0 if fired else mobile_fire(now, unit, unit.hex)
    found = shot + stay
    for action in steps:
        then = 0.0 if fired or not isinstance(action, MoveTo) else mobile_fire(now, unit, action.hex)
        found = max(found, after_move(now, unit, action) + max(shot, then))
    return found
