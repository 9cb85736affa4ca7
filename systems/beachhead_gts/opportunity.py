"""Opportunity Fire (17.0): what sets it off, who may fire, and at whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from attrs import evolve, frozen

from beachhead.hexes import Hex
from beachhead.play import Decision, Play, call
from beachhead.rules import Objection
from beachhead_gts import zones
from beachhead_gts.fire import can_fire, direct_fire
from beachhead_gts.quality import Purpose, rolled
from beachhead_gts.rating import Occasion, Shot
from beachhead_gts.state import State, face_of
from beachhead_gts.tables import Side, WeaponClass


@frozen
class Trigger:
    """Something that Active units do in an enemy Fire Zone (17.2).

    Attributes:
        units: who does it; one of them is fired at by each firer.
        occasion: what it is.
        tried: the units that have had their chance at it.
    """

    units: tuple[str, ...]
    occasion: Occasion
    tried: tuple[str, ...] = ()


def in_zone(state: State, side: Side, hex: Hex) -> bool:
    """Whether a hex lies in a Fire Zone of the enemies of a side."""
    return bool(zones.fire_zones(state, side.enemy) & state.setting.bit[hex])


def departure(state: State, side: Side, to: Hex) -> Occasion:
    """What it is to leave for a hex: another hex of an enemy Fire Zone, or one outside all (17.6)."""
    return Occasion.INTO_ZONE if in_zone(state, side, to) else Occasion.INTO_NO_ZONE


def firers(state: State, trigger: Trigger) -> tuple[str, ...]:
    """The units that may attempt Opportunity Fire at a trigger: not Suppressed, with a Fire Rating, no Mortar, and the hex in their Fire Zone (17.2 to 17.5)."""
    field = state.setting
    there = [unit for unit in trigger.units if isinstance(state.place(unit), Hex)]
    if not there:
        return ()
    hex, side = state.place(there[0]), field.piece(there[0]).side
    assert isinstance(hex, Hex)
    able = [i for i in zones.covering(state, hex, side.enemy) if can_fire(state, i)]
    return tuple([name for i in able if (name := field.roster[i].name) not in trigger.tried])


# ------------------------------------------------------------ the decision
@final
@frozen
class OpportunityFire:
    """This unit attempts Opportunity Fire at this target."""

    unit: str
    target: str


@final
@frozen
class HoldFire:
    """Nobody (else) fires."""


@frozen
class ChooseOpportunityFire(Decision[State, OpportunityFire | HoldFire]):
    """The Non-Active player lets a unit attempt Opportunity Fire, one after the other, or lets the Active player go on (17.8)."""

    side: Side
    trigger: Trigger
    rule = "gts:17.8.a"

    @property
    def prompt(self) -> str:  # type: ignore[override]
        """What has set it off."""
        return f"Opportunity Fire at {', '.join(self.trigger.units)} ({self.trigger.occasion.value}), or hold fire"

    def certain(self, state: State) -> list[OpportunityFire | HoldFire]:
        """Every unit that may, at every target that is there."""
        targets = [unit for unit in self.trigger.units if isinstance(state.place(unit), Hex)]
        shots = [OpportunityFire(unit, target) for unit in firers(state, self.trigger) for target in targets]
        return [*shots, HoldFire()]

    def objections(self, state: State, action: OpportunityFire | HoldFire) -> Iterator[Objection]:
        """Why a unit cannot, or not at that target."""
        if isinstance(action, HoldFire):
            return
        field, unit = state.setting, action.unit
        if unit not in field.number or field.piece(unit).side is not self.side:
            yield Objection("gts:17.1.a", "{} is no unit of the Non-Active player", (unit,))
            return
        if action.target not in self.trigger.units:
            rules = ("gts:17.8.g", "gts:17.1.a")
            yield Objection(rules, "{} is not what sets it off: {}", (action.target, ", ".join(self.trigger.units)))
            return
        yield from firing_objections(state, unit)
        if unit in self.trigger.tried:
            yield Objection("gts:17.4.f", "{} has had its chance at this trigger", (unit,))
        i = field.number[unit]
        hex = state.place(action.target)
        if not isinstance(hex, Hex):
            yield Objection("gts:17.1.a", "{} {}", (action.target, hex.value))
            return
        for against in zones.zone_objections(state, i, hex):
            yield evolve(against, rules=("gts:17.2.a", *against.rules))


def firing_objections(state: State, unit: str) -> Iterator[Objection]:
    """Why a unit cannot attempt Opportunity Fire at all (17.4, 17.5, 19.2.2)."""
    i = state.setting.number[unit]
    now, side = state.units[i], face_of(state, i)
    if not isinstance(now.place, Hex):
        yield Objection("gts:17.1.a", "{} {}", (unit, now.place.value))
    if now.suppressed:
        yield Objection("gts:19.2.2.f", "{} is Suppressed", (unit,))
    if now.entering:
        yield Objection("gts:8.0.k", "{} is on its reinforcement hex", (unit,))
    if not isinstance(side.fire, int):
        yield Objection("gts:17.5.a", "{} has no Fire Rating", (unit,))
    if side.weapon is WeaponClass.MORTAR:
        yield Objection("gts:17.5.b", "{} is a Mortar Unit", (unit,))


# ------------------------------------------------------------ the procedure
async def opportunity_fire(play: Play[State], trigger: Trigger) -> tuple[str, ...]:
    """The Non-Active player's units queue up, each checks its Troop Quality, and those that pass fire (17.8).

    Returns:
        the units that have had their chance.
    """
    side = play.state.setting.piece(trigger.units[0]).side.enemy
    while firers(play.state, trigger):
        action = await ChooseOpportunityFire(side, trigger)
        if isinstance(action, HoldFire):
            break
        trigger = evolve(trigger, tried=(*trigger.tried, action.unit))
        if await rolled(play, action.unit, Purpose.OPPORTUNITY_FIRE):
            await call(direct_fire, Shot(action.unit, action.target, trigger.occasion))
    return trigger.tried


async def triggered(
    play: Play[State], units: tuple[str, ...], occasion: Occasion, tried: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """What units do in their hex draws Opportunity Fire, if the hex is in an enemy Fire Zone; on a reinforcement hex nothing does (8.0, 17.2).

    Returns:
        the units that have had their chance at it, with those that had it before.
    """
    trigger = Trigger(tuple([unit for unit in units if not play.state.unit(unit).entering]), occasion, tried)
    if not firers(play.state, trigger):
        return tried
    return await call(opportunity_fire, trigger)


def goes_on(state: State, unit: str) -> bool:
    """Whether a unit can go on with what it was doing: only Suppression and elimination stop it (17.7)."""
    now = state.unit(unit)
    return isinstance(now.place, Hex) and not now.suppressed
