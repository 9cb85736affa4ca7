"""Figures lost, units eliminated, and what follows at once: medals, sandbags without an occupant, objectives won and lost."""

from __future__ import annotations

from beachhead.hexes import Hex
from beachhead.play import Play, call
from beachhead_memoir44.events import FiguresLost, ObjectiveChanged, ObstacleRemoved, UnitEliminated
from beachhead_memoir44.state import State
from beachhead_memoir44.victory import holder_changes


async def lose_figures(play: Play[State], unit: int, figures: int, rules: tuple[str, ...]) -> None:
    """Remove figures, as many as there are; with the last one the unit is eliminated and the other side has its medal (m44:resolve.medal)."""
    left, there = play.state.place(unit), play.state.units[unit].figures
    excess = ("m44:resolve.excess_hits",) if figures > there else ()
    play.record(FiguresLost(unit, min(figures, there), (*rules, *excess)))
    if not play.state.units[unit].figures:
        play.record(UnitEliminated(unit, play.state.setting.roster[unit].worth, medal_rules(play.state, unit, rules)))
        await call(settle, left)


def medal_rules(state: State, unit: int, loss: tuple[str, ...]) -> tuple[str, ...]:
    """The rules by which an eliminated unit gives its medals, or none."""
    muster = state.setting.roster[unit]
    if not muster.worth:
        return ("m44:victory.no_medal_units", *muster.troop.rules("medal"))
    by_retreat = ("m44:retreat.loss_can_eliminate",) if "m44:retreat.blocked_loss" in loss else ()
    double = ("m44:victory.double_units",) if muster.medals != 1 else ()
    return (*by_retreat, *double, *muster.troop.rules("medal"), "m44:victory.unit_medal")


async def settle(play: Play[State], left: Hex) -> None:
    """What follows at once when a unit has left a hex, for another one or for good: what lay there for it goes, and medals change hands."""
    for row in play.state.rows(left):
        if row.removed_when_vacated and play.state.obstacle(left, row.id):
            play.record(ObstacleRemoved(left, row.id, row.cites["removed_when_vacated"]))
    for objective, holder, rules in tuple(holder_changes(play.state)):
        play.record(ObjectiveChanged(objective, holder, (*rules, "m44:victory.objective_when")))
