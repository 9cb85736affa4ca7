"""What play costs: a random decision, a whole battle's odds and a field of view in Memoir '44, beside a random ply of python-chess.

`python benchmarks/run.py play` times each; `python benchmarks/bench_play.py` prints them in plies, measured in one run.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import beachhead as bh
from beachhead import policies
from beachhead.hexes import Hex
from beachhead_memoir44 import questions
from beachhead_memoir44.cases import position
from beachhead_memoir44.sight import sees
from beachhead_memoir44.state import State, changed

SCENARIO = Path(__file__).parent.parent / "tests" / "memoir44" / "files" / "mill-crossing.m44"
DECISIONS = PLIES = 2_000
ROUNDS = 5
DRAWN = ["E5: armor allies", "F5: infantry axis", "F5: forest", "H5: armor axis", "G5: infantry 1 axis"]


def decisions(seed: int) -> None:
    """So many random decisions, game after game: options, checks, rolls, events and log included."""
    left = DECISIONS
    while left:
        game = bh.new(SCENARIO, seed=seed)
        pick = policies.random(seed)
        while left and game.decision:
            game.apply(pick(game.state, game.decision, game.legal_actions()))
            left -= 1
        seed += 1


def plies(seed: int) -> None:
    """So many random plies of python-chess: list the legal moves, push one."""
    import chess

    pick, left = Random(seed), PLIES
    while left:
        board = chess.Board()
        while left and (moves := list(board.legal_moves)):
            board.push(pick.choice(moves))
            left -= 1


def bench_random_decisions() -> Iterator[Callable[[], Any]]:
    """2,000 random decisions."""
    yield lambda: decisions(1)


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


def timed(work: Callable[[], Any], times: int = 1) -> float:
    """The processor time of one of so many, in seconds."""
    began = time.process_time()
    work()
    return (time.process_time() - began) / times


if __name__ == "__main__":
    battle, sight = next(bench_battle_odds()), next(bench_sight())
    decisions(1)
    rounds = []
    for seed in range(ROUNDS):  # one after the other, so that what slows the machine down slows down all of them
        ply = timed(partial(plies, seed), PLIES)
        rounds.append(
            {
                "random ply of python-chess": (ply, ply),
                "random decision of Memoir '44": (timed(partial(decisions, seed), DECISIONS), ply),
                "odds of a whole battle": (timed(battle), ply),
                "what all units see": (timed(sight), ply),
                "import beachhead": (importing(), ply),
            }
        )
    for what in rounds[0]:
        seconds = statistics.median(measured[what][0] for measured in rounds)
        plies_long = statistics.median(measured[what][0] / measured[what][1] for measured in rounds)
        print(f"{what:<30} {seconds * 1e6:10.1f} µs   {plies_long:10.2f} plies")
