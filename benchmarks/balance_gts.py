"""How even the scenarios of the Grand Tactical Series are, and what decides them: `python benchmarks/balance_gts.py [--games N] [SCENARIO ...]`.

For each scenario: both sides sensible, both sides cautious, and either player against random and against the other from either side; who wins, and what the Victory Points come from.
Without a name it takes the scenarios that come with Beachhead. Every figure depends on the seed alone, the time of a game apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from matches import run

from beachhead_gts.state import State
from beachhead_gts.tables import Side
from beachhead_gts.victory import victory_points

PAIRS = {
    "sensible on both sides": ("sensible", "sensible"),
    "cautious on both sides": ("cautious", "cautious"),
    "sensible Allies, cautious Germans": ("sensible", "cautious"),
    "cautious Allies, sensible Germans": ("cautious", "sensible"),
    "sensible Allies, random Germans": ("sensible", "random"),
    "random Allies, sensible Germans": ("random", "sensible"),
    "cautious Allies, random Germans": ("cautious", "random"),
    "random Allies, cautious Germans": ("random", "cautious"),
}
SOURCES = ("objectives", "eliminations")


def points(state: State, side: Side) -> Iterator[tuple[str, int]]:
    """The Victory Points of a side by what they come from."""
    for term in victory_points(state, side).terms:
        yield "eliminations" if term.label.endswith("eliminated") else "objectives", term.value


if __name__ == "__main__":
    run(__doc__, "gts", PAIRS, points, SOURCES, games=100)
