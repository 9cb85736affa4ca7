"""What play costs: a random decision and a whole battle's odds in Memoir '44, beside a random ply of python-chess.

`python benchmarks/run.py play` times each; `python benchmarks/bench_play.py` prints them as ratios, measured in one run.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import beachhead as bh
from beachhead import policies
from beachhead_memoir44 import questions
from beachhead_memoir44.cases import position

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


def median(timed: Callable[[int], None], each: int) -> float:
    """The median time of one of so many, in seconds."""
    rounds = []
    for seed in range(ROUNDS):
        began = time.perf_counter()
        timed(seed)
        rounds.append((time.perf_counter() - began) / each)
    return statistics.median(rounds)


if __name__ == "__main__":
    decision, ply = median(decisions, DECISIONS), median(plies, PLIES)
    print(f"random decision of Memoir '44   {decision * 1e6:7.1f} µs")
    print(f"random ply of python-chess      {ply * 1e6:7.1f} µs")
    print(f"ratio                           {decision / ply:7.2f}")
