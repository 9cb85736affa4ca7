"""How even the scenarios of Paul Koenig's D-Day are, and what decides them: `python benchmarks/balance_koenig.py [--games N] [SCENARIO ...]`.

For each scenario: both sides sensible, both sides bold, and sensible against random from either side; who wins, and what the Victory Points come from.
Without a name it takes the scenarios that come with Beachhead. Every figure depends on the seed alone, the time of a game apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from matches import run

from beachhead_koenig.state import State
from beachhead_koenig.tables import Side
from beachhead_koenig.victory import victory_points

PAIRS = {
    "sensible on both sides": ("sensible", "sensible"),
    "bold on both sides": ("bold", "bold"),
    "sensible Allies, random Germans": ("sensible", "random"),
    "random Allies, sensible Germans": ("random", "sensible"),
}
SOURCES = {"city": "cities", "town": "towns", "exited": "exits", "eliminated": "eliminations", "intact": "intact units"}


def points(state: State, side: Side) -> Iterator[tuple[str, int]]:
    """The Victory Points of a side by what they come from."""
    for term in victory_points(state, side).terms:
        yield next(name for word, name in SOURCES.items() if word in term.label.split()), term.value


if __name__ == "__main__":
    run(__doc__, "koenig", PAIRS, points, SOURCES.values(), games=400)
