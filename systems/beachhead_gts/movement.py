"""Moving hex by hex (14.0): a decision at each hex, so that Opportunity Fire can come between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.play import Decision, Play, Then, call, then
from beachhead.rules import Objection, unopposed
from beachhead.values import changed, changer
from beachhead_gts import ground
from beachhead_gts.battlefield import Printed
from beachhead_gts.charts import HALF
from beachhead_gts.events import ColumnChanged, TransportChanged, UnitMoved, UnitStopped
from beachhead_gts.leaders import accompanied, mind_leaders, take_along, who_goes
from beachhead_gts.mover import Moving, goes_by_road, mover, open_hexes, step_cost
from beachhead_gts.opportunity import departure, goes_on, in_zone, triggered
from beachhead_gts.quality import Purpose, check
from beachhead_gts.rating import Occasion
from beachhead_gts.results import cohesion_hit
from beachhead_gts.stacking import column_objections, overstacked
from beachhead_gts.state import State, face
from beachhead_gts.stepping import (
    can_leave,
    crowd_objections,
    dismount_objections,
    dismount_price,
    drop_objections,
    hex_of,
    march_objections,
    stay_objections,
    step_objections,
)
from beachhead_gts.tables import FORCED_MARCH, Cover, MovementClass, Side


# ------------------------------------------------------------ the decision at each hex
@final
@frozen
class StepTo:
    """They move into this neighbouring hex."""

    hex: Hex


@final
@frozen
class ForceMarch:
    """They try to gain two Movement Points, for a step into this hex that they cannot pay for (14.8)."""

    hex: Hex


@final
@frozen
class TakeColumn:
    """It enters Column, for one Movement Point (14.6)."""


@final
@frozen
class LeaveColumn:
    """It leaves Column, for one Movement Point (14.6)."""


@final
@frozen
class ShedColumn:
    """It leaves Column, for a Cohesion Hit (14.6)."""


@final
@frozen
class Dismount:
    """It gets off its vehicles, into Column or not, and its Action is over (14.10)."""

    column: bool


@final
@frozen
class DropOff:
    """This unit of the stack stays here; its Action is over (14.7)."""

    unit: str


@final
@frozen
class StopMoving:
    """They stay where they are."""


Going = StepTo | ForceMarch | TakeColumn | LeaveColumn | ShedColumn | Dismount | DropOff | StopMoving


@frozen
class MoveOn(
    Decision[State, StepTo | ForceMarch | TakeColumn | LeaveColumn | ShedColumn | Dismount | DropOff | StopMoving]
):
    """What the units that are moving do next (14.3)."""

    side: Side
    moving: Moving
    rule = "gts:14.3.a"

    @property
    def prompt(self) -> str:  # type: ignore[override]
        """Who moves."""
        return f"{', '.join(self.moving.units)}: move on, or stop"

    def certain(self, state: State) -> list[Going]:
        """Where they can go, and what they can do in their hex; on a reinforcement hex that is put to the objections one by one."""
        moving = self.moving
        found = onward(state, moving)
        if arriving(state, moving):
            found += unopposed(_at_entry(state, moving), self.objections, state)
        elif moving.together:
            found += [*map(_drop_off, moving.units), _STOP]
        else:
            _change(state, moving, found)
            found.append(_STOP)
        return found

    def objections(self, state: State, action: Going) -> Iterator[Objection]:
        """Why not."""
        moving = self.moving
        match action:
            case StepTo(hex):
                yield from step_objections(state, moving, hex)
            case ForceMarch(hex):
                yield from march_objections(state, moving, hex)
            case DropOff(unit):
                yield from drop_objections(state, moving, unit)
            case StopMoving():
                yield from stay_objections(state, moving)
            case Dismount(column):
                yield from dismount_objections(state, moving, column=column)
            case _:
                yield from column_change_objections(state, moving, action)


# the same few, again and again
_step_to: Callable[[Hex], StepTo] = cache(StepTo)
_force_march: Callable[[Hex], ForceMarch] = cache(ForceMarch)
_drop_off: Callable[[str], DropOff] = cache(DropOff)
_dismount: Callable[[bool], Dismount] = cache(Dismount)
_gone_on: Callable[..., Moving] = changer(
    Moving, "units", "points", "fresh", "whole", "came"
)  # `changed`, at each step
_TAKE, _LEAVE, _SHED, _STOP = TakeColumn(), LeaveColumn(), ShedColumn(), StopMoving()
_LEG = MovementClass.LEG  # looking it up in the enum takes ten times as long


def arriving(state: State, moving: Moving) -> bool:
    """Whether one of some movers has yet to leave a reinforcement hex (8.0)."""
    units, number = state.units, state.setting.number
    for unit in moving.units:  # noqa: SIM110  (in half the time)
        if units[number[unit]].entering:
            return True
    return False


def _at_entry(state: State, moving: Moving) -> list[Going]:
    """What whoever has yet to leave a reinforcement hex could do there, if it did not shut him in (8.0)."""
    if moving.together:
        return [*map(_drop_off, moving.units), _STOP]
    return [_STOP, _LEAVE, _SHED] if state.unit(moving.units[0]).column else [_STOP, _TAKE]


def onward(state: State, moving: Moving) -> list[Going]:
    """The hexes that movers can step into, or march into: nothing of what is said against each of these stands against it."""
    near = open_hexes(state, moving)
    found: list[Going] = [_step_to(hex) for hex, short in near if short <= 0]
    if not (moving.fresh or moving.marched) and len(found) < len(near) and _can_march(state, moving):
        found += [_force_march(hex) for hex, short in near if 0 < short <= FORCED_MARCH * HALF]
    return found


def _can_march(state: State, moving: Moving) -> bool:
    """Whether all movers are Leg Units, and for none a step was the whole move (14.8, 14.9)."""
    movers = [mover(state, unit) for unit in moving.units]
    legs = all(face(piece, now).movement_class is _LEG for piece, now, _ in movers)
    return legs and not any(unit in moving.whole for unit in moving.units)


def _change(state: State, moving: Moving, found: list[Going]) -> None:
    """What a unit can do in its hex but stop: change its Column, or dismount; put to what has been found."""
    left, field = moving.points[0], state.setting
    piece, now, kind = mover(state, moving.units[0])
    bit = field.bit[now.place]
    crowded = not now.column and state.deployment.columns & bit
    if not now.column:
        if left >= HALF and not crowded:
            found.append(_TAKE)
    elif ground.permitted(field, kind, False) & bit:
        if left >= HALF and not moving.columned:
            found.append(_LEAVE)
        found.append(_SHED)
    if now.mounted and left >= dismount_price(piece):
        front = piece.front.movement_class
        ways = (False,) if crowded else (False, True)
        found += [_dismount(column) for column in ways if ground.permitted(field, front, column) & bit]


def column_change_objections(state: State, moving: Moving, action: Going) -> Iterator[Objection]:
    """Why a unit cannot enter or leave Column (14.6)."""
    unit, left = moving.units[0], moving.points[0]
    _, now, kind = mover(state, unit)
    assert isinstance(now.place, Hex)
    if moving.together:
        yield Objection("gts:14.7.a", "units that move together are not in Column")
        return
    if isinstance(action, TakeColumn):
        if now.column:
            yield Objection("gts:14.6.a", "{} is in Column already", (unit,))
        yield from column_objections(state, unit, now.place)
    else:
        if not now.column:
            yield Objection("gts:14.6.c", "{} is not in Column", (unit,))
        if isinstance(action, LeaveColumn) and moving.columned:
            yield Objection(
                "gts:14.6.e", "{} entered Column in this Action: it leaves only for a Cohesion Hit", (unit,)
            )
        if not ground.permitted_in(state.setting, kind, False, now.place):
            yield Objection("gts:14.5.a", "{} must be in Column here", (unit,))
    if not isinstance(action, ShedColumn) and left < HALF:
        rule = "gts:14.6.a" if isinstance(action, TakeColumn) else "gts:14.6.c"
        yield Objection(rule, "{} has no Movement Point left", (unit,))
    if now.entering and can_leave(state, moving):
        takes = isinstance(action, TakeColumn)
        sheds = isinstance(action, ShedColumn)
        left_over, fresh = (left, moving.fresh) if sheds else (left - HALF, False)
        columned = moving.columned or takes
        if not can_leave(state, changed(moving, points=(left_over,), fresh=fresh, columned=columned), column=takes):
            yield Objection("gts:8.0.h", "{} could not leave the reinforcement hex any more", (unit,))


# ------------------------------------------------------------ the procedure
async def move_on(play: Play[State], moving: Moving) -> Then[None] | None:
    """One thing after the other, until the units stop (14.3)."""
    side = play.state.setting.piece(moving.units[0]).side
    action = await MoveOn(side, moving)
    match action:
        case StepTo(hex):
            moving = await step(play, moving, hex)
        case ForceMarch():
            moving = await forced_march(play, moving)
        case TakeColumn() | LeaveColumn() | ShedColumn():
            moving = await change_column(play, moving, action)
        case Dismount(column):
            await dismount(play, moving.units[0], column=column)
            return None
        case DropOff(unit):
            play.record(UnitStopped(unit, "is dropped off", ("gts:14.7.c", "gts:14.7.d")))
            moving = moving.without(unit)
        case StopMoving():
            return None
    return then(move_on, moving) if moving.units else None


async def step(play: Play[State], moving: Moving, there: Hex) -> Moving:
    """A step: what units meet with in the hex that they leave, then the step of those that go on (14.3, 14.7, 17.2)."""
    state, units, together = play.state, moving.units, moving.together
    here = hex_of(state, units[0])
    await leave_hex(play, units, there)
    going = [unit for unit in units if goes_on(play.state, unit)]
    if len(going) < len(units):
        for unit in units:
            if unit not in going and isinstance(play.state.place(unit), Hex):
                rules = ("gts:17.7.b", "gts:17.8.i") if together else ("gts:17.7.b",)
                play.record(UnitStopped(unit, "is stopped", rules))
    leaders = await who_goes(play, moving.leaders, tuple(going)) if moving.leaders else ()
    points, whole = [], moving.whole
    for unit, left in zip(units, moving.points, strict=True):
        if unit in going:
            cost = step_cost(state, unit, there, together=together, came=moving.came)
            assert cost is not None
            spent = cost.total
            all_of_it = spent > left
            play.record(UnitMoved(unit, there, cost, _step_rules(together, all_of_it)))
            points.append(0 if all_of_it else left - spent)
            if all_of_it:
                whole = (*whole, unit)
    take_along(play, leaders, there)
    if len(going) < len(units) or here in play.state.leaders:
        await call(mind_leaders, accompanied(state))
    came = (here,) if not together and goes_by_road(state, units[0], there) else ()
    stayed = units if len(going) == len(units) else tuple(going)
    return _gone_on(moving, units=stayed, points=tuple(points), fresh=False, whole=whole, came=came)


@cache
def _step_rules(together: bool, all_of_it: bool) -> tuple[str, ...]:
    """What makes the step one."""
    rules = ["gts:14.3.a"]
    if all_of_it:
        rules += ("gts:14.9.a", "gts:14.9.c")
    if together:
        rules.append("gts:14.7.a")
    return tuple(rules)


async def leave_hex(play: Play[State], units: tuple[str, ...], there: Hex) -> None:
    """Units try to leave their hex for another: Opportunity Fire, and the price of leaving an overstacked hex (14.7, 17.2)."""
    state = play.state
    here, side = hex_of(state, units[0]), state.setting.piece(units[0]).side
    crowded = overstacked(state, here)
    early = crowded and state.setting.choice("G14") == "before"
    if early:
        leave_overstacked(play, units)
    if in_zone(play.state, side, here):
        await triggered(play, units, departure(play.state, side, there))
    if crowded and not early:
        leave_overstacked(play, units)


def leave_overstacked(play: Play[State], units: tuple[str, ...]) -> None:
    """Whoever tries to leave an overstacked hex takes a Cohesion Hit, whether it gets away or not (14.7)."""
    for unit in units:
        now = play.state.unit(unit)
        if isinstance(now.place, Hex):
            rules = ["gts:14.7.r"]
            if now.column:
                rules.append("gts:14.7.u")
            if now.suppressed:
                rules.append("gts:14.7.s")
            cohesion_hit(play, unit, tuple(rules))


async def forced_march(play: Play[State], moving: Moving) -> Moving:
    """Each unit checks its Troop Quality: two Movement Points more, or a Cohesion Hit and the end of its Action (14.8)."""
    passed, before = [], play.state
    for unit in moving.units:
        if await check(play, unit, Purpose.FORCED_MARCH):
            passed.append(unit)
        else:
            cohesion_hit(play, unit, ("gts:14.8.f",))
            if isinstance(play.state.place(unit), Hex):
                rules = ("gts:14.8.f", "gts:14.8.g") if moving.together else ("gts:14.8.f",)
                play.record(UnitStopped(unit, "can go no further", rules))
            else:
                await call(mind_leaders, accompanied(before))
    left = dict(zip(moving.units, moving.points, strict=True))
    points = tuple([left[unit] + FORCED_MARCH * HALF for unit in passed])
    return changed(moving, units=tuple(passed), points=points, marched=True)


async def change_column(play: Play[State], moving: Moving, action: TakeColumn | LeaveColumn | ShedColumn) -> Moving:
    """A unit enters or leaves Column: for a Movement Point under Opportunity Fire, or for a Cohesion Hit without (14.6, 17.2)."""
    unit = moving.units[0]
    if isinstance(action, ShedColumn):
        before = play.state
        cohesion_hit(play, unit, ("gts:14.6.d",))
        if not isinstance(play.state.place(unit), Hex):
            await call(mind_leaders, accompanied(before))
            return moving.without(unit)
        rules = ("gts:14.6.d", "gts:14.6.f") if moving.columned else ("gts:14.6.d",)
        play.record(ColumnChanged(unit, column=False, rule=rules))
        return moving
    await triggered(play, moving.units, Occasion.COLUMN)
    if not goes_on(play.state, unit):
        return moving.without(unit)
    takes = isinstance(action, TakeColumn)
    play.record(ColumnChanged(unit, takes, "gts:14.6.a" if takes else "gts:14.6.c"))
    return changed(moving, points=(moving.points[0] - HALF,), fresh=False, columned=moving.columned or takes)


async def dismount(play: Play[State], unit: str, *, column: bool) -> None:
    """A unit dismounts: Opportunity Fire before or after, as each firer likes, and its Action is over (14.10.3, 17.2)."""
    tried = await triggered(play, (unit,), Occasion.TRANSPORT)
    if not goes_on(play.state, unit):
        return
    rules = ("gts:14.10.3.a", "gts:14.10.3.c", "gts:14.10.3.d", "gts:14.10.3.e")
    play.record(TransportChanged(unit, mounted=False, column=column, rule=rules))
    await triggered(play, (unit,), Occasion.TRANSPORT, tried)


# ------------------------------------------------------------ who may move at all
def movement_objections(state: State, unit: str) -> Iterator[Objection]:
    """Why a unit cannot begin to move: it is Immobile, has a star, or sits in an entrenchment (13.2, 14.4, 14.11)."""
    piece, now, _ = mover(state, unit)
    movement = face(piece, now).movement
    if movement is Printed.NO:
        yield Objection("gts:14.4.a", "{} is Immobile", (unit,))
    elif movement is Printed.STAR:
        yield Objection("gts:14.11.h", "{} has a star: it moves by prolonge only", (unit,))
    if now.cover is Cover.ENTRENCHED:
        yield Objection("gts:13.2.c", "{} is in an entrenchment: leaving it is an Action of its own", (unit,))


def stack_objections(state: State, unit: str) -> Iterator[Objection]:
    """Why a unit cannot move together with others (14.7)."""
    now = state.unit(unit)
    if now.column:
        yield Objection("gts:14.7.a", "{} is in Column: it moves alone", (unit,))
    if isinstance(now.place, Hex):
        yield from crowd_objections(state, now.place)
