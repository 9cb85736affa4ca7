"""Stacking (14.7): eight Steps in a hex, and one unit in Column; more Steps are allowed at a price, another Column is not."""

from __future__ import annotations

from collections.abc import Iterator

from beachhead.hexes import Hex
from beachhead.rules import Objection
from beachhead_gts.state import State, steps_left
from beachhead_gts.tables import STACKING_LIMIT


def stacked_steps(state: State, hex: Hex) -> int:
    """The Steps in a hex that count for stacking: those of units not in Column. In a reinforcement hex none count (8.0, 14.7)."""
    roster, units = state.setting.roster, state.units
    if state.setting.unlimited & state.setting.bit[hex]:
        return 0
    return sum(steps_left(roster[i], units[i]) for i in state.numbers_at(hex) if not units[i].column)


def overstacked(state: State, hex: Hex) -> bool:
    """Whether more Steps are in a hex than its limit (14.7)."""
    few = len(state.numbers_at(hex)) <= STACKING_LIMIT // 2  # no unit has more than two Steps
    return not few and stacked_steps(state, hex) > STACKING_LIMIT


def column_objections(state: State, unit: str, hex: Hex) -> Iterator[Objection]:
    """Why a unit in Column cannot be in a hex: another one is there (14.6.2). In a reinforcement hex there is no limit (8.0)."""
    if state.setting.unlimited & state.setting.bit[hex]:
        return
    for i in state.numbers_at(hex):
        other = state.setting.roster[i].name
        if other != unit and state.units[i].column:
            label = state.setting.board.label(hex)
            yield Objection(("gts:14.6.2.a", "gts:14.7.j"), "{} is in Column in {} already", (other, label))
