"""How even the scenarios of the Grand Tactical Series are, and what decides them: `python benchmarks/balance_gts.py [--games N] [SCENARIO ...]`.

For each scenario: both sides sensible, both sides cautious, and either player against random and against the other from either side; who wins, and what the Victory Points come from.
Without a name it takes the scenarios that come with Beachhead. Every figure depends on the seed alone, the time of a game apart.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from concurrent.futures import Executor, ProcessPoolExecutor
from fractions import Fraction
from time import process_time

from attrs import frozen

import beachhead as bh
from beachhead.odds import Distribution
from beachhead.simulate import Task
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


@frozen
class Ended:
    """How a game ended: the winner, Victory Points by side and source, decisions, and the processor time in seconds."""

    winner: Side | None
    points: Counter[tuple[Side, str]]
    decisions: int
    seconds: float


def play(task: Task) -> Ended:
    """Play a game, and say what its Victory Points come from."""
    begun = process_time()
    game = task.play()
    seconds = process_time() - begun
    points = Counter[tuple[Side, str]]()
    for side in Side:
        for term in victory_points(game.state, side).terms:
            points[side, "eliminations" if term.label.endswith("eliminated") else "objectives"] += term.value
    return Ended(game.result.winner if game.result else None, points, game.decisions, seconds)


def match(scenario: str, games: int, choices: tuple[str, str], seed: int, pool: Executor) -> str:
    """Many games: how often each side won, with the interval that holds it in 95 of 100 cases, and its points by what they come from."""
    tasks = [Task(scenario, {}, choices, seed, number) for number in range(games)]
    ended = list(pool.map(play, tasks, chunksize=max(1, games // 32)))
    won = Counter(game.winner for game in ended)
    odds = Distribution({side: Fraction(n, games) for side, n in won.items()}, (), games)
    lines = list[str]()
    for side in Side:
        low, high = odds.interval(side)
        each = {name: sum(game.points[side, name] for game in ended) / games for name in SOURCES}
        points = ", ".join(f"{value:.1f} {name}" for name, value in each.items() if value)
        lines.append(
            f"    {side:<6} {won[side] / games:6.1%} ({low:.0%} to {high:.0%})  {sum(each.values()):4.1f}: {points}"
        )
    decisions = sum(game.decisions for game in ended) / games
    milliseconds = 1000 * sum(game.seconds for game in ended) / games
    lines.append(f"    draws  {won[None] / games:6.1%}  {decisions:.0f} decisions, {milliseconds:.0f} ms a game")
    return "\n".join(lines)


def main() -> None:
    """Print a few lines for each match."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("scenario", nargs="*", default=bh.scenarios("gts"), help="a name, or the path of a file")
    parser.add_argument("--games", type=int, default=100, help="of each match (default: 100)")
    parser.add_argument("--seed", type=int, default=44)
    parser.add_argument("--pairs", nargs="*", choices=PAIRS, default=list(PAIRS), help="which matches (default: all)")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    args = parser.parse_args()
    with ProcessPoolExecutor(args.processes) as pool:
        for scenario in args.scenario:
            print(f"{scenario}: {args.games} games each, seed {args.seed}")
            for what in args.pairs:
                print(f"  {what}\n{match(scenario, args.games, PAIRS[what], args.seed, pool)}", flush=True)


if __name__ == "__main__":
    main()
