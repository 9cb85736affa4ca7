"""What the Grand Tactical Series costs: a random decision, and the odds of a fire, beside a random ply of python-chess.

`python benchmarks/run.py gts` times each; `python benchmarks/bench_gts.py` prints them in plies, measured in one run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from peer import compare, decisions, timed

from beachhead_gts import questions
from beachhead_gts.cases import position

TRAINING, FRONT = "gts/training", "gts/juno-front"
DECISIONS = 2_000
FACING = ["C3: Able allied", "C3: leader L1 allied", "D3: Baker german c1", "D3: woods", "D3: leader L9 german of 9"]


def bench_random_decisions() -> Iterator[Callable[[], Any]]:
    """2,000 random decisions of the larger scenario."""
    yield lambda: decisions(FRONT, 1, DECISIONS)


def bench_fire_odds() -> Iterator[Callable[[], Any]]:
    """A company fires at another in a wood, both in command: Company Bonus, result, checks and conversion, exactly."""
    state = position(FACING, points={"X": [2, 0], "Y": [2, 0]})
    yield lambda: questions.fire_odds(state, "Able", "Baker", by=lambda after: after.units)


if __name__ == "__main__":
    fire = next(bench_fire_odds())
    decisions(FRONT, 1, DECISIONS)
    compare(
        {
            "random decision on the Juno front": lambda n: timed(
                partial(decisions, FRONT, 10 * n, DECISIONS), DECISIONS
            ),
            "random decision of the training battle": lambda n: timed(
                partial(decisions, TRAINING, 10 * n, DECISIONS), DECISIONS
            ),
            "odds of a Direct Fire": lambda n: timed(fire),
        }
    )
