"""Taking ground after a close assault, and the armor overrun (m44:ground.*)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.play import Decision, Play, call
from beachhead.rules import Objection, first_objection
from beachhead_memoir44.attack import ground_objections, target_objections, targets
from beachhead_memoir44.events import Manner, UnitMoved
from beachhead_memoir44.movement import enter, entry_ban, no_battle_after, no_ground_after
from beachhead_memoir44.state import State, on_base
from beachhead_memoir44.tables import Side

FINISH = ("m44:ground.finish_chain", "m44:battle.one_at_a_time")
"""Why nothing else happens before a battle is over."""


def take_ground_objections(state: State, unit: int, hex: Hex) -> Iterator[Objection]:
    """Why a unit whose close assault emptied a hex may not advance into it."""
    troop, orders, name = state.troop(unit), state.orders(unit), state.name(unit)
    assert orders is not None, "only an ordered unit's own battle comes to this (m44:ground.ordered)"
    if not troop.take_ground:
        yield Objection(troop.rules("take_ground"), "{} takes no ground", (name,))
    if orders.no_ground:
        yield Objection(orders.no_ground, "{} had to stop and takes no ground this turn", (name,))
    if ban := entry_ban(state, unit, hex):
        yield Objection((*ban.rules, "m44:ground.entry_terrain"), ban.template, ban.args)
    if orders.moved and state.setting.ruling("hedgerow_ground") == "unmoved":
        for row in state.rows(hex):
            if row.enter_only_if_start_adjacent:
                rules = ("m44:hedgerow_ground", *row.cites["enter_only_if_start_adjacent"])
                yield Objection(rules, "{} has moved and takes no ground at {}", (name, state.label(hex)))


@final
@frozen
class TakeGround:
    """Advance into the hex that the target has left."""

    hex: Hex


@final
@frozen
class StayPut:
    """Do not advance."""


@frozen
class GroundOrNot(Decision[State, TakeGround | StayPut]):
    """A successful close assault leaves a hex empty."""

    side: Side
    unit: int
    hex: Hex
    rule = "m44:ground.optional"
    prompt = "take the ground, or stay"

    def candidates(self, state: State) -> tuple[TakeGround | StayPut, ...]:
        """Advance, or not."""
        return (TakeGround(self.hex), StayPut())

    def objections(self, state: State, action: TakeGround | StayPut) -> Iterator[Objection]:
        """Only into the hex that was vacated."""
        if isinstance(action, TakeGround):
            if action.hex != self.hex:
                yield Objection("m44:ground.vacated_hex_only", "only {} was vacated", (state.label(self.hex),))
            else:
                yield from take_ground_objections(state, self.unit, action.hex)

    def foreign(self, state: State, action: object) -> Iterator[Objection]:
        """No other unit battles before this one's battle is over."""
        yield Objection((*FINISH, self.rule), "first {} goes on: {}", (state.name(self.unit), self.prompt))


async def take_ground(play: Play[State], unit: int, hex: Hex, overrun: bool) -> bool:
    """Advance into the vacated hex, or not; True when the unit has advanced (m44:ground.*)."""
    if first_objection(take_ground_objections(play.state, unit, hex)):
        return False
    choice = await GroundOrNot(play.state.side(unit), unit, hex)
    if isinstance(choice, StayPut):
        return False
    state, here, troop = play.state, play.state.place(unit), play.state.troop(unit)
    bans = no_battle_after(state, troop, here, hex)
    if state.setting.ruling("wire_overrun") == "none" and any(
        troop.base in row.removed_by_entry for row in state.rows(hex)
    ):
        bans = (*bans, "m44:wire_overrun")
    rules = (
        "m44:ground.trigger",
        *troop.rules("take_ground"),
        *on_base(troop),
        *(("m44:ground.second_take",) if overrun else ()),
        *(("m44:ground.entry_terrain", *bans) if bans and troop.overrun and not overrun else ()),
        *(rule for at in (hex, here) for row in state.rows(at) if row.take_ground for rule in row.cites["take_ground"]),
    )
    no_ground = no_ground_after(state, troop, hex)
    play.record(UnitMoved(unit, (here, hex), Manner.GROUND, rules, (*state_bans(state, unit), *bans), no_ground))
    await call(enter, unit, here)
    return True


def state_bans(state: State, unit: int) -> tuple[str, ...]:
    """What already forbids a battle to an ordered unit."""
    orders = state.orders(unit)
    return orders.no_battle if orders else ()


# ------------------------------------------------------------ overrun
@final
@frozen
class Overrun:
    """Fight the overrun combat against what stands in this hex."""

    hex: Hex


@final
@frozen
class NoOverrun:
    """Do not battle again."""


@frozen
class OverrunOrNot(Decision[State, Overrun | NoOverrun]):
    """Armor that has taken ground may battle once more (m44:ground.overrun)."""

    side: Side
    unit: int
    rule = "m44:troop.armor.overrun"
    prompt = "the target of the overrun combat, or none"

    def candidates(self, state: State) -> Iterator[Overrun | NoOverrun]:
        """The enemies in range, or none."""
        yield from (Overrun(hex) for hex in targets(state, self.unit))
        yield NoOverrun()

    def objections(self, state: State, action: Overrun | NoOverrun) -> Iterator[Objection]:
        """As in any battle; next to an enemy only close assault (m44:ground.overrun_adjacent)."""
        if isinstance(action, Overrun):
            yield from overrun_objections(state, self.unit)
            yield from target_objections(state, self.unit, action.hex, overrun=True)

    def foreign(self, state: State, action: object) -> Iterator[Objection]:
        """No other unit battles before this one's battle is over."""
        yield Objection((*FINISH, self.rule), "first {} goes on: {}", (state.name(self.unit), self.prompt))


def overrun_objections(state: State, unit: int) -> Iterator[Objection]:
    """Why armor that took ground may not battle from its new hex (m44:ground.entry_terrain)."""
    if bans := state_bans(state, unit):
        yield Objection(
            (*bans, "m44:ground.entry_terrain"), "{} may not battle where it has moved in", (state.name(unit),)
        )
    yield from ground_objections(state, unit)
