"""The peer that games are measured against: a random game of python-chess, ply by ply, and the processor time of things in one run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import beachhead as bh
from beachhead import policies

PLIES = 2_000
ROUNDS = 9


def plies(seed: int, count: int = PLIES) -> None:
    """So many plies of random games by the rules: whether the game is over, the legal moves, one of them played."""
    import chess

    pick, left = Random(seed), count
    while left:
        board = chess.Board()
        while left and not board.is_game_over():
            board.push(pick.choice(list(board.legal_moves)))
            left -= 1


def bare_plies(seed: int, count: int = PLIES) -> None:
    """The same without asking whether the game is over: draws are not seen, and a game ends only where no move is left."""
    import chess

    pick, left = Random(seed), count
    while left:
        board = chess.Board()
        while left and (moves := list(board.legal_moves)):
            board.push(pick.choice(moves))
            left -= 1


def decisions(source: str | Path, seed: int, count: int, options: dict[str, object] | None = None) -> None:
    """So many random decisions, game after game: options, checks, rolls, events and log included."""
    left = count
    while left:
        game = bh.new(source, seed=seed, options=options)
        pick = policies.random(seed)
        while left and game.decision:
            game.apply(pick(game.state, game.decision, game.legal_actions()))
            left -= 1
        seed += 1


def timed(work: Callable[[], Any], times: int = 1) -> float:
    """The processor time of one of so many, in seconds."""
    began = time.process_time()
    work()
    return (time.process_time() - began) / times


def compare(rows: Mapping[str, Callable[[int], float]]) -> None:
    """Measure each row in turn, round after round, so that what slows the machine down slows down all of them, and print it in plies.

    A row is given the number of the round and returns the seconds of one of what it measures.
    """
    rows = {
        "random ply of python-chess": lambda n: timed(partial(plies, n), PLIES),
        "the same, end of game not asked": lambda n: timed(partial(bare_plies, n), PLIES),
        **rows,
    }
    for n, measure in enumerate(rows.values()):  # once unmeasured, until what is found once for all is found
        measure(ROUNDS + n)
    rounds = [{what: measure(n) for what, measure in rows.items()} for n in range(ROUNDS)]
    peer = next(iter(rows))
    for what in rows:
        seconds = statistics.median(each[what] for each in rounds)
        ratio = statistics.median(each[what] / each[peer] for each in rounds)
        print(f"{what:<40} {seconds * 1e6:10.1f} µs   {ratio:10.2f} plies")
