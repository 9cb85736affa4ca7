"""Units that act together: who joins in, and whom each fires at (10.0.2, 10.0.5, 14.7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import final

from attrs import evolve, frozen

from beachhead.hexes import Hex
from beachhead.play import Decision, Play
from beachhead.rules import Objection, first_objection
from beachhead.sentences import listed
from beachhead_gts import zones
from beachhead_gts.actions import TOGETHER, Together, is_second, turn_objections
from beachhead_gts.choices import joining
from beachhead_gts.fire import target_objections, weapon_objections
from beachhead_gts.movement import movement_objections, stack_objections
from beachhead_gts.mover import setting_out
from beachhead_gts.permissions import not_permitted
from beachhead_gts.rally import rally_objections
from beachhead_gts.state import State
from beachhead_gts.stepping import can_step
from beachhead_gts.tables import ActionKind, Side


@final
@frozen
class JoinIn:
    """This unit performs the same Action."""

    unit: str


@final
@frozen
class BeginAction:
    """These are all."""


# the same few, again and again
_join_in: Callable[[str], JoinIn] = cache(JoinIn)
_BEGIN = BeginAction()


@frozen
class JoinAction(Decision[State, JoinIn | BeginAction]):
    """Which units in the hex perform the Action together (10.0.2, 10.0.5, 14.7)."""

    side: Side
    kind: ActionKind
    units: tuple[str, ...]
    rule = "gts:10.0.2.h"

    @property
    def prompt(self) -> str:  # type: ignore[override]
        """What they do."""
        return f"{', '.join(self.units)}, {self.kind}: who joins in?"

    def certain(self, state: State) -> list[JoinIn | BeginAction]:
        """Those in the hex that can, and to begin, once there are enough."""
        others = joining(state, self.side, self.units, self.kind)
        found: list[JoinIn | BeginAction] = [*map(_join_in, others)]
        if len(self.units) > 1 and not (_missing(state, self.units) and state.setting.choice("G12") == "all"):
            found.append(_BEGIN)
        return found

    def objections(self, state: State, action: JoinIn | BeginAction) -> Iterator[Objection]:
        """Who can, and how many there must be."""
        if isinstance(action, BeginAction):
            missing = _missing(state, self.units)
            if len(self.units) < 2:
                yield Objection("gts:10.0.2.h", "{} would act alone", self.units)
            elif missing and state.setting.choice("G12") == "all":
                yield Objection("gts:G12", "{} acted with them, and must join in", (", ".join(missing),))
            return
        yield from join_objections(state, self.units, action.unit, self.kind)


def _missing(state: State, units: tuple[str, ...]) -> list[str]:
    """Those who acted together with units that begin a Second Action, and are not among them."""
    return [unit for unit in state.just_acted if unit not in units] if is_second(state, units[0]) else []


def join_objections(state: State, units: tuple[str, ...], unit: str, kind: ActionKind) -> Iterator[Objection]:
    """Why a unit cannot perform an Action together with others (10.0.2, 14.7)."""
    if unit in units:
        yield Objection("gts:10.0.2.h", "{} is among them", (unit,))
        return
    if unit in state.setting.number and state.place(unit) != state.place(units[0]):
        yield Objection("gts:14.7.b", "{} is not in the hex of {}", (unit, units[0]))
        return
    if unit in state.setting.number and is_second(state, unit) != is_second(state, units[0]):
        yield Objection(("gts:14.7.b", "gts:10.0.2.h"), "{} and {} do not begin together", (unit, units[0]))
        return
    mates = [mate for mate in units if state.setting.points_of(mate) == state.setting.points_of(unit)] if unit in state.setting.number else []  # fmt: skip
    against = list(joint_objections(state, unit, kind, price=len(mates) + 1))
    yield from against
    if against or kind is not ActionKind.MOVEMENT:
        return
    stack = (*units, unit)
    if any(state.unit(each).entering for each in stack) and not can_step(
        state, setting_out(state, stack, second=is_second(state, unit))
    ):
        yield Objection("gts:8.0.h", "{} could not leave the reinforcement hex together", (listed(stack),))


def joint_objections(state: State, unit: str, kind: ActionKind, *, price: int) -> Iterator[Objection]:
    """Why a unit cannot take part in a joint Action of this type."""
    against = list(turn_objections(state, unit, kind, price=price, alone=False))
    yield from against
    if against:
        return
    refused = not_permitted(state, unit, TOGETHER[kind], second=is_second(state, unit))
    if refused is not None:
        yield refused
    if kind is ActionKind.MOVEMENT:
        yield from movement_objections(state, unit)
        yield from stack_objections(state, unit)
    elif kind is ActionKind.RALLY:
        yield from rally_objections(state, unit)
    elif kind is ActionKind.FIRE:
        yield from weapon_objections(state, unit)
        if not targets(state, unit):
            yield Objection("gts:15.3.a", "{} has nobody to fire at", (unit,))


def together_objections(state: State, unit: str, kind: ActionKind) -> Iterator[Objection]:
    """Why a unit cannot begin an Action together with others (10.0.2, 10.0.5, 14.7)."""
    against = list(joint_objections(state, unit, kind, price=1))
    yield from against
    if against:
        return
    field = state.setting
    if state.chit.direct and kind is not ActionKind.MOVEMENT:
        yield Objection(("gts:10.0.5.k", "gts:10.0.5.h"), "under Direct Command units act together only to move")
    place = state.place(unit)
    assert isinstance(place, Hex)
    others = [other for other in state.at(place, field.piece(unit).side) if other != unit]
    if not any(first_objection(join_objections(state, (unit,), other, kind)) is None for other in others):
        yield Objection("gts:10.0.2.h", "nobody in the hex can join {}", (unit,))
    elif is_second(state, unit) and field.choice("G12") == "all":
        units: tuple[str, ...] = (unit,)
        for other in state.just_acted:
            if other != unit:
                missing = join_objections(state, units, other, kind)
                yield from (evolve(each, rules=(*each.rules, "gts:G12")) for each in missing)
                units = (*units, other)


def targets(state: State, unit: str) -> tuple[str, ...]:
    """The enemies that a unit can fire at."""
    field, i = state.setting, state.setting.number[unit]
    there = zones.fire_zone(state, i) & state.deployment.of(field.roster[i].side.enemy)
    at, roster = state.deployment.at, field.roster
    names = [roster[j].name for hex in field.board.members(there) for j in at[hex]]
    return tuple([name for name in names if first_objection(target_objections(state, unit, name)) is None])


@final
@frozen
class FireAt:
    """It fires at this unit."""

    target: str


@frozen
class ChooseTarget(Decision[State, FireAt]):
    """At whom a unit fires that acts together with others (15.5)."""

    side: Side
    unit: str
    rule = "gts:15.5.a"

    @property
    def prompt(self) -> str:  # type: ignore[override]
        """Which unit."""
        return f"at whom does {self.unit} fire?"

    def candidates(self, state: State) -> list[FireAt]:
        """Every enemy it can fire at."""
        return [*map(FireAt, targets(state, self.unit))]

    def objections(self, state: State, action: FireAt) -> Iterator[Objection]:
        """Why not at that one."""
        yield from target_objections(state, self.unit, action.target)


async def joined(play: Play[State], first: Together) -> tuple[str, ...]:
    """The units that act together, one after the other joining in."""
    units: tuple[str, ...] = (first.unit,)
    side = play.state.setting.piece(first.unit).side
    while True:
        action = await JoinAction(side, first.kind, units)
        if isinstance(action, BeginAction):
            return units
        units = (*units, action.unit)
