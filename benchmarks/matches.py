"""Many games between players, for the benchmarks that say how even scenarios are: who wins, and what the Victory Points come from."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from fractions import Fraction
from functools import partial
from time import process_time
from typing import Any

from attrs import frozen

import beachhead as bh
from beachhead.odds import Distribution
from beachhead.simulate import Task
from beachhead.systems import find_system

Points = Callable[[Any, Any], Iterable[tuple[str, int]]]
"""`points(state, side)`: the Victory Points of a side by what they come from."""


@frozen
class Ended:
    """How a game ended: the winner, Victory Points by side and source, decisions, and the processor time in seconds."""

    winner: Any
    points: Counter[tuple[Any, str]]
    decisions: int
    seconds: float


def play(points: Points, sides: Sequence[Any], task: Task) -> Ended:
    """Play a game, and say what its Victory Points come from."""
    begun = process_time()
    game = task.play()
    seconds = process_time() - begun
    found = Counter[tuple[Any, str]]()
    for side in sides:
        for source, value in points(game.state, side):
            found[side, source] += value
    return Ended(game.result.winner if game.result else None, found, game.decisions, seconds)


def match(points: Points, sources: Iterable[str], sides: Sequence[Any], tasks: Sequence[Task], pool: Executor) -> str:
    """Many games: how often each side won, with the interval that holds it in 95 of 100 cases, and its points by what they come from."""
    games = len(tasks)
    ended = list(pool.map(partial(play, points, sides), tasks, chunksize=max(1, games // 32)))
    won = Counter(game.winner for game in ended)
    odds = Distribution({side: Fraction(n, games) for side, n in won.items()}, (), games)
    lines = list[str]()
    for side in sides:
        low, high = odds.interval(side)
        each = {name: sum(game.points[side, name] for game in ended) / games for name in sources}
        told = ", ".join(f"{value:.1f} {name}" for name, value in each.items() if value)
        lines.append(
            f"    {side:<6} {won[side] / games:6.1%} ({low:.0%} to {high:.0%})  {sum(each.values()):4.1f}: {told}"
        )
    decisions = sum(game.decisions for game in ended) / games
    milliseconds = 1000 * sum(game.seconds for game in ended) / games
    lines.append(f"    draws  {won[None] / games:6.1%}  {decisions:.0f} decisions, {milliseconds:.0f} ms a game")
    return "\n".join(lines)


def run(
    about: str | None,
    system: str,
    pairs: Mapping[str, tuple[str, str]],
    points: Points,
    sources: Iterable[str],
    games: int,
) -> None:
    """Print a few lines for each match of a system's scenarios, as the command line asks."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0] if about else None)
    parser.add_argument("scenario", nargs="*", default=bh.scenarios(system), help="a name, or the path of a file")
    parser.add_argument("--games", type=int, default=games, help=f"of each match (default: {games})")
    parser.add_argument("--seed", type=int, default=44)
    parser.add_argument("--pairs", nargs="*", choices=pairs, default=list(pairs), help="which matches (default: all)")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    args = parser.parse_args()
    sides = find_system(system).sides
    with ProcessPoolExecutor(args.processes) as pool:
        for scenario in args.scenario:
            print(f"{scenario}: {args.games} games each, seed {args.seed}")
            for what in args.pairs:
                tasks = [Task(scenario, {}, pairs[what], args.seed, number) for number in range(args.games)]
                print(f"  {what}\n{match(points, sources, sides, tasks, pool)}", flush=True)
