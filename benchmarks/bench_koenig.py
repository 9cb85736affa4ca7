"""What Koenig's D-Day costs: a random decision, the odds of an attack and of a whole Close Combat, beside a random ply of python-chess.

`python benchmarks/run.py koenig` times each; `python benchmarks/bench_koenig.py` prints them in plies, measured in one run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from peer import compare, decisions, timed

from beachhead_koenig import questions
from beachhead_koenig.cases import position

SCENARIO = "koenig/juno"
DECISIONS = 2_000
STACKED = [
    "C3: CSR 4-6 allied h1",
    "C4: NSR 3-6 allied",
    "D3: P 3-6 german",
    "D3: Q 2-6 german h2",
    "D3: town",
    "river: C3/D3",
]
FACING = ["C3: CSR 4-6 allied", "D3: P 3-6 german"]


def bench_random_decisions() -> Iterator[Callable[[], Any]]:
    """2,000 random decisions of the standard game."""
    yield lambda: decisions(SCENARIO, 1, DECISIONS)


def bench_attack_odds() -> Iterator[Callable[[], Any]]:
    """Two units fire at a stack in a town, with support on both sides: the whole attack with its Hits and retreats, exactly."""
    state = position(STACKED, support=3, artillery={"allied": 2, "german": 1})
    yield lambda: questions.fire_odds(state, "D3", "CSR", "NSR", by=lambda after: after.units)


def bench_close_combat_odds() -> Iterator[Callable[[], Any]]:
    """A whole Close Combat, however many rounds it takes, exactly."""
    state = position(FACING, support=2)
    yield lambda: questions.close_combat_odds(state, "CSR", "D3", by=lambda after: after.units)


if __name__ == "__main__":
    every = {f"koenig:14.{n}": True for n in range(1, 7)}
    attack, close_combat = next(bench_attack_odds()), next(bench_close_combat_odds())
    decisions(SCENARIO, 1, DECISIONS)
    compare(
        {
            "random decision of Koenig's Juno": lambda n: timed(
                partial(decisions, SCENARIO, 10 * n, DECISIONS), DECISIONS
            ),
            "with all optional rules": lambda n: timed(
                partial(decisions, SCENARIO, 10 * n, DECISIONS, every), DECISIONS
            ),
            "odds of a whole attack": lambda n: timed(attack),
            "odds of a whole Close Combat": lambda n: timed(close_combat),
        }
    )
