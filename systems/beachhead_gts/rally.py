"""Rally (20.0): recovering from Suppression, or from a Cohesion Hit."""

from __future__ import annotations

from collections.abc import Iterator

from beachhead.hexes import Hex
from beachhead.play import Play
from beachhead.rules import Objection
from beachhead_gts.command import in_command
from beachhead_gts.events import MenRallying, UnitRallied
from beachhead_gts.opportunity import in_zone
from beachhead_gts.quality import Purpose, rolled
from beachhead_gts.state import State


def rally_objections(state: State, unit: str) -> Iterator[Objection]:
    """Why a unit cannot try to rally: there is nothing to rally from, or it is under fire by day (20.0)."""
    now = state.unit(unit)
    if now.suppressed:
        return
    if not now.cohesion:
        yield Objection("gts:20.0.a", "{} has nothing to rally from", (unit,))
    elif not state.night and isinstance(now.place, Hex) and in_zone(state, state.setting.piece(unit).side, now.place):
        yield Objection("gts:20.0.l", "{} is in an enemy Fire Zone by day: its Cohesion Hits stay", (unit,))


async def rally(play: Play[State], unit: str) -> None:
    """A unit In Command rallies; any other checks its Troop Quality (20.0)."""
    now = play.state.unit(unit)
    if in_command(play.state, unit):
        rules = ["gts:20.0.b", "gts:20.0.j"]
    elif await rolled(play, unit, Purpose.RALLY):
        rules = ["gts:20.0.c", "gts:20.0.j"]
    else:
        play.record(MenRallying(unit))
        return
    if now.suppressed and now.cohesion:
        rules.append("gts:20.0.k")
    if now.rallying:
        rules.append("gts:20.0.h")
    if not now.suppressed and play.state.night:
        rules.append("gts:20.0.n")
    play.record(UnitRallied(unit, now.suppressed, rules))
