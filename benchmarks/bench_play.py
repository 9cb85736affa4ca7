"""What play costs: a random decision, a whole battle's odds and a field of view in Memoir '44, beside a random ply of python-chess.

`python benchmarks/run.py play` times each; `python benchmarks/bench_play.py` prints them in plies, measured in one run.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from peer import compare, decisions, timed

import beachhead as bh
from beachhead.hexes import Hex
from beachhead_memoir44 import questions
from beachhead_memoir44.cases import position
from beachhead_memoir44.sight import sees
from beachhead_memoir44.state import State, changed

SCENARIO = Path(__file__).parent.parent / "tests" / "memoir44" / "files" / "mill-crossing.m44"
DECISIONS = 2_000
DRAWN = ["E5: armor allies", "F5: infantry axis", "F5: forest", "H5: armor axis", "G5: infantry 1 axis"]


def bench_random_decisions() -> Iterator[Callable[[], Any]]:
    """2,000 random decisions."""
    yield lambda: decisions(SCENARIO, 1, DECISIONS)


def bench_hit_odds() -> Iterator[Callable[[], Any]]:
    """The hits of one attack, exactly."""
    state = position(DRAWN)
    yield lambda: questions.hit_odds(state, "E5", "F5")


def bench_battle_odds() -> Iterator[Callable[[], Any]]:
    """A whole battle, exactly: dice, flags, ground and overrun."""
    state = position(DRAWN)
    yield lambda: questions.battle_odds(state, "E5", "F5", by=lambda after: after.medals)


def bench_sight() -> Iterator[Callable[[], Any]]:
    """A whole field of view: which hexes of the board every unit sees, on a state of which nothing is known yet."""
    state = bh.new(SCENARIO, seed=1).state
    yield lambda: field_of_view(changed(state, 0, figures=1))


def bench_import() -> Iterator[Callable[[], Any]]:
    """A fresh interpreter that imports beachhead."""
    yield importing


def field_of_view(state: State) -> int:
    """How many pairs of a unit and a hex see each other."""
    places = [unit.hex for unit in state.units if isinstance(unit.hex, Hex)]
    return sum(sees(state, here, hex) for here in places for hex in state.setting.board)


def importing() -> float:
    """The processor time of `import beachhead` in an interpreter of its own, in seconds."""
    code = "import time; began = time.process_time(); import beachhead; print(time.process_time() - began)"
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout)


if __name__ == "__main__":
    battle, sight = next(bench_battle_odds()), next(bench_sight())
    decisions(SCENARIO, 1, DECISIONS)
    compare(
        {
            "random decision of Memoir '44": lambda n: timed(partial(decisions, SCENARIO, n, DECISIONS), DECISIONS),
            "odds of a whole battle": lambda n: timed(battle),
            "what all units see": lambda n: timed(sight),
            "import beachhead": lambda n: importing(),
        }
    )
