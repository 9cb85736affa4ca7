"""How even the Memoir '44 scenarios are, and how well their players play: `python benchmarks/balance_memoir44.py [--games N] [SCENARIO ...]`.

For each scenario: both sides sensible, both sides bold, and sensible against random from either side. Without a name it takes the scenarios that come
with Beachhead. Every figure depends on the seed alone.
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor

import beachhead as bh
from beachhead.simulate import Summary, simulate

PAIRS = {
    "sensible on both sides": ("sensible", "sensible"),
    "bold on both sides": ("bold", "bold"),
    "sensible Axis, random Allies": ("sensible", "random"),
    "random Axis, sensible Allies": ("random", "sensible"),
}


def line(what: str, summary: Summary) -> str:
    """One match: how often the Axis won, with the interval that holds it in 95 of 100 cases, and how long a game was."""
    axis, n = summary.sides[0], len(summary.games)
    low, high = summary.winners.interval(axis)
    turns = sum(game.turns for game in summary.games) / n
    decisions = sum(summary.lengths) / n
    axis_won = f"Axis {summary.wins[axis] / n:6.1%} ({low:.0%} to {high:.0%})"
    return f"  {what:<30} {axis_won}   {turns:5.1f} turns, {decisions:4.0f} decisions"


def main() -> None:
    """Print a line for each match."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("scenario", nargs="*", default=bh.scenarios("memoir44"), help="a name, or the path of a file")
    parser.add_argument("--games", type=int, default=400, help="of each match (default: 400)")
    parser.add_argument("--seed", type=int, default=44)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    args = parser.parse_args()
    with ProcessPoolExecutor(args.processes) as pool:
        for scenario in args.scenario:
            print(f"{scenario}: {args.games} games each, seed {args.seed}")
            for what, (axis, allies) in PAIRS.items():
                players = {"AXIS": axis, "ALLIES": allies}
                print(line(what, simulate(scenario, args.games, players, seed=args.seed, executor=pool)), flush=True)


if __name__ == "__main__":
    main()
