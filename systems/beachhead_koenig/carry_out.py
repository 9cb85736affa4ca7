"""What a unit does in its Operation: it moves, enters and leaves the map, fights in Close Combat, fires (7.0, 8.4, 10.0, Juno 5.1 and 13.0; 14.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.play import Decision, Play, Then, call, then
from beachhead.rules import Objection
from beachhead_koenig import movement as ways
from beachhead_koenig.beach import Away, Place
from beachhead_koenig.close_combat import close_combat, defender_in
from beachhead_koenig.events import (
    MovementEnded,
    OperationEnded,
    ReinforcementEntered,
    UnitExited,
    UnitMoved,
)
from beachhead_koenig.fire import fire_in_concert
from beachhead_koenig.leadership import (
    ForceMarch,
    marched_points,
    marker_objections,
    spend_on_march,
)
from beachhead_koenig.movement import CloseCombat, EnterBy, ExitBy, MoveTo, allowance, movement_cost, reach
from beachhead_koenig.preparation import indirect_targets, range_objections, targets
from beachhead_koenig.state import Operation, Progress, State
from beachhead_koenig.tables import Fire, Side


@final
@frozen
class FireAt:
    """Fire at the enemies in this hex."""

    hex: Hex


@final
@frozen
class FireIndirectlyAt:
    """Fire indirectly at the enemies in this hex, at half strength (14.4)."""

    hex: Hex


@final
@frozen
class FinishOperation:
    """Do nothing more with this unit."""


# the same few, again and again; and looking members up in their enum takes ten times as long
_FINISH = FinishOperation()
_WAITING, _MOVED, _FIRED = Away.WAITING, Progress.MOVED, Progress.FIRED
_FULL_FIRE, _COMBINED, _REDEPLOYMENT = Operation.FULL_FIRE, Operation.COMBINED, Operation.REDEPLOYMENT

Part = MoveTo | CloseCombat | EnterBy | ExitBy | FireAt | FireIndirectlyAt | ForceMarch | FinishOperation


@frozen
class CarryOut(
    Decision[State, MoveTo | CloseCombat | EnterBy | ExitBy | FireAt | FireIndirectlyAt | ForceMarch | FinishOperation]
):
    """What a unit does in its Operation: where it moves, with so many Movement Points, or at what it fires (7.0, 8.0, 9.0)."""

    side: Side
    unit: str
    operation: Operation
    points: int
    marched: bool = False
    overruns: bool = False

    @property
    def rule(self) -> str:  # type: ignore[override]  # pyright: ignore[reportIncompatibleVariableOverride]
        """The rule of the Operation."""
        return "koenig:14.5.a" if self.overruns else _CARRIED_OUT[self.operation]

    @property
    def prompt(self) -> str:  # type: ignore[override]  # pyright: ignore[reportIncompatibleVariableOverride]
        """Who, how, and with what."""
        left = f", {self.points} Movement Points" if self.operation is not Operation.FULL_FIRE else ""
        return f"{self.unit}, {self.operation}{left}: choose what it does"

    def certain(self, state: State) -> list[Part]:
        """Every hex that it comes to, every road off the map, and every neighbour that it can fire at."""
        found: list[Part] = [_FINISH]
        if state.place(self.unit) is _WAITING:
            return found
        if self.overruns or may_move(state, self.unit, self.operation):
            within = reach(state, self.unit, self.points)
            found += ways.moves(within)
            if self.operation is not _REDEPLOYMENT:
                found += ways.combats(within)
                found += ways.exits(state, self.unit, within)
        if not self.overruns and may_fire(state, self.unit, self.operation):
            found += map(FireAt, targets(state, self.unit))
        return found

    def candidates(self, state: State) -> Sequence[Part]:
        """Roads onto the map, a Force March, Indirect Fire."""
        if self.operation is _FULL_FIRE:
            return tuple(map(FireIndirectlyAt, indirect_targets(state, self.unit)))
        if not self.overruns and not may_move(state, self.unit, self.operation):
            return ()
        found: list[Part] = []
        if state.place(self.unit) is _WAITING:
            found += [EnterBy(road.name) for road in state.setting.exits]
        if state.leadership is self.side and not self.marched and self.operation is not Operation.REDEPLOYMENT:
            found.append(ForceMarch())
        return found

    def objections(self, state: State, action: Part) -> Iterator[Objection]:
        """Why it cannot do that."""
        unit, operation = self.unit, self.operation
        match action:
            case FinishOperation():
                pass
            case FireAt(hex) | FireIndirectlyAt(hex):
                indirect = isinstance(action, FireIndirectlyAt)
                if self.overruns:
                    rules = ("koenig:8.4.2.b", "koenig:10.3.a")
                    yield Objection(rules, "{} has fought in Close Combat and does not fire", (unit,))
                elif not may_fire(state, unit, operation):
                    yield from _no_fire(state, unit, operation)
                if indirect and operation is not Operation.FULL_FIRE:
                    yield Objection("koenig:14.4.b", "Indirect Fire is Full Fire only")
                if isinstance(state.place(unit), Hex):
                    yield from range_objections(state, unit, hex, indirect=indirect)
            case _:
                if not self.overruns and not may_move(state, unit, operation):
                    yield from _no_move(state, unit, operation)
                if isinstance(action, ForceMarch):
                    yield from marker_objections(state, self.side)
                    if operation is Operation.REDEPLOYMENT:
                        yield Objection("koenig:14.1.g", "a Force March is an Operation, and redeployment is none")
                    elif self.marched:
                        yield Objection("koenig:14.1.g", "{} is on a Force March already", (unit,))
                else:
                    yield from ways.movement_objections(state, unit, self.points, operation, action)

    def foreign(self, state: State, action: object) -> Iterator[Objection]:
        """This unit comes first."""
        rule = "koenig:14.5.b" if self.overruns else "koenig:7.1.c"
        yield Objection((rule, self.rule), "{} must first finish its {}", (self.unit, self.operation))


_carrying_out = lru_cache(maxsize=4096)(CarryOut)  # the same few, again and again

_CARRIED_OUT = {
    Operation.MOVEMENT: "koenig:7.0.g",
    Operation.FULL_FIRE: "koenig:7.0.h",
    Operation.COMBINED: "koenig:8.4.c",
    Operation.REDEPLOYMENT: "koenig:4.0.g",
}


def may_move(state: State, unit: str, operation: Operation) -> bool:
    """Whether a unit still has movement in its Operation."""
    if operation is _COMBINED:
        return state.unit(unit).progress is not _MOVED
    return operation is not _FULL_FIRE


def may_fire(state: State, unit: str, operation: Operation) -> bool:
    """Whether a unit still has fire in its Operation."""
    if operation is _COMBINED:
        return state.unit(unit).progress is not _FIRED and state.place(unit) is not _WAITING
    return operation is _FULL_FIRE


def _no_fire(state: State, unit: str, operation: Operation) -> Iterator[Objection]:
    match operation:
        case Operation.MOVEMENT:
            yield Objection("koenig:7.0.g", "{} is in a Movement Operation and does not fire", (unit,))
        case Operation.COMBINED if state.unit(unit).progress is Progress.FIRED:
            yield Objection(("koenig:8.4.1.a", "koenig:7.0.f"), "{} has fired", (unit,))
        case Operation.COMBINED:
            yield Objection("koenig:juno.5.1.d", "{} must first enter the map", (unit,))
        case _:
            yield Objection("koenig:4.0.g", "nobody fires in redeployment")


def _no_move(state: State, unit: str, operation: Operation) -> Iterator[Objection]:
    if operation is Operation.FULL_FIRE:
        yield Objection("koenig:7.0.h", "{} is in a Full Fire Operation and does not move", (unit,))
    else:
        yield Objection(("koenig:8.4.1.a", "koenig:8.4.a"), "{} has moved", (unit,))


async def carry_out(
    play: Play[State], unit: str, operation: Operation, points: int, marched: bool = False, overruns: bool = False
) -> Then[None] | None:
    """What a unit does in its Operation; who enters the map, marches or overruns goes on from there."""
    side = play.state.setting.piece(unit).side
    part = await _carrying_out(side, unit, operation, points, marched, overruns)
    rules = _MOVE_RULES.get(operation, ())
    if overruns:
        rules = (*rules, *_OVERRUN)
    match part:
        case MoveTo(hex):
            found = reach(play.state, unit, points)
            play.record(UnitMoved(unit, found.path(hex), found.cost_of(hex) or 0, operation, rules))
            return None
        case CloseCombat(hex, entry):
            found = reach(play.state, unit, points)
            cost = found.combats[hex, entry]
            combined = ("koenig:8.4.2.a",) if operation is Operation.COMBINED else ()
            rules = (*rules, "koenig:8.3.b", "koenig:10.0.b", *combined)
            play.record(UnitMoved(unit, (*found.path(entry), hex), cost, operation, rules))
            return then(fight, unit, operation, points - cost, hex, entry, marched)
        case EnterBy(road):
            return await call(enter_map, unit, operation, points, road, marched)
        case ExitBy(road):
            exit_map(play, unit, points, road)
            return None
        case ForceMarch():
            play.record(spend_on_march(side, unit, operation))
            more = marched_points(play.state, unit, operation) - allowance(play.state, unit, operation)
            return then(carry_out, unit, operation, points + more, marched=True, overruns=overruns)
        case FireAt(hex) | FireIndirectlyAt(hex):
            fire = Fire.FULL if operation is Operation.FULL_FIRE else Fire.MOBILE
            await call(fire_in_concert, unit, hex, fire, isinstance(part, FireIndirectlyAt))
            return None
        case FinishOperation():
            if play.state.unit(unit).progress is Progress.ENTERED and operation is Operation.COMBINED:
                play.record(MovementEnded(unit))
            else:
                play.record(OperationEnded((unit,), ("koenig:7.0.f",)))
            return None


_OVERRUN = ("koenig:14.5.a", "koenig:K-31")


_MOVE_RULES: Mapping[Operation, tuple[str, ...]] = {
    Operation.MOVEMENT: ("koenig:8.0.a", "koenig:7.0.g"),
    Operation.COMBINED: ("koenig:8.4.a", "koenig:2.1.c"),
    Operation.REDEPLOYMENT: ("koenig:4.0.f", "koenig:4.0.g", "koenig:2.1.c", "koenig:K-08"),
}


def exit_map(play: Play[State], unit: str, points: int, road: str) -> None:
    """Off the map by a road, for good (Juno 13.0)."""
    found = reach(play.state, unit, points)
    hex = next(each.hex for each in play.state.setting.exits if each.name == road)
    scores = () if play.state.unit(unit).hits else ("koenig:juno.13.0.e", "koenig:juno.13.0.g")
    rules = ("koenig:juno.13.0.f", *scores, "koenig:juno.13.0.i", "koenig:K-11", "koenig:11.1.b", "koenig:K-24")
    play.record(UnitExited(unit, road, found.path(hex), found.exits[road], rules))


async def enter_map(
    play: Play[State], unit: str, operation: Operation, points: int, road: str, marched: bool
) -> Then[None] | None:
    """A reinforcement comes on by a road, and goes on moving; where an enemy stands, it fights (Juno 5.1)."""
    hex = next(each.hex for each in play.state.setting.exits if each.name == road)
    cost = movement_cost(play.state, unit, (Away.WAITING, hex))
    assert cost is not None
    rules = ("koenig:juno.5.1.b", "koenig:juno.5.1.c", "koenig:juno.5.1.d", "koenig:K-24")
    enemy = play.state.at(hex, play.state.setting.piece(unit).side.enemy)
    play.record(ReinforcementEntered(unit, hex, cost.total, (*rules, *(("koenig:juno.5.1.e",) if enemy else ()))))
    if enemy:
        return then(fight, unit, operation, points - cost.total, hex, Away.RETREATED, marched)
    return then(carry_out, unit, operation, points - cost.total, marched)


async def fight(
    play: Play[State], unit: str, operation: Operation, points: int, hex: Hex, entry: Place, marched: bool
) -> Then[None] | None:
    """The Close Combat of a unit that has entered an enemy's hex. It ends the unit's turn (10.3), unless the unit may overrun (14.5)."""
    state = play.state
    hits, side = state.unit(unit).hits, state.setting.piece(unit).side
    await call(close_combat, unit, defender_in(state, hex, side), hex, entry)
    if not isinstance(play.state.place(unit), Hex):
        return None
    unhurt = play.state.unit(unit).hits == hits
    if may_overrun(play.state, unit) and unhurt and (points or play.state.leadership is side):
        return then(carry_out, unit, operation, points, marched, overruns=True)
    stopped = ("koenig:14.5.c",) if may_overrun(play.state, unit) and not unhurt else ()
    play.record(OperationEnded((unit,), ("koenig:10.3.a", *stopped)))
    return None


OVERRUN_ALLOWANCE = 10


def may_overrun(state: State, unit: str) -> bool:
    """Whether a unit may move on after Close Combat: by its printed Movement Allowance (14.5)."""
    return state.setting.plays("14.5") and state.setting.piece(unit).movement >= OVERRUN_ALLOWANCE
