"""How long a sight line takes, cold and cached, and what a unit sees.

`python benchmarks/run.py sight` times each; `python benchmarks/bench_sight.py` prints them as ratios, measured in one run,
beside the same questions put to `hexutil` where that is installed. That library has no lines: it finds a field of view
by angles, in floats, and calls a hex seen when any part of it is. So the two see different things, and only the time compares.
"""

from __future__ import annotations

import importlib
import timeit
from collections.abc import Callable, Iterator
from itertools import cycle
from types import ModuleType
from typing import Any

import numpy as np

from beachhead.board import Board
from beachhead.hexes import Hex
from beachhead.sight import SightMasks, line, offsets, table

RADIUS = 8
HOME = Hex(0, 0)
AROUND = HOME.disk(RADIUS)
WOODS = frozenset(hex for hex in AROUND if hex != HOME and (3 * hex.q + 5 * hex.r) % 11 == 0)


def bench_cold_line() -> Iterator[Callable[[], Any]]:
    """The facts of a line to the next hex within 8, computed anew."""
    goals = cycle(AROUND)
    yield lambda: offsets.__wrapped__(*next(goals))


def bench_cached_line() -> Iterator[Callable[[], Any]]:
    """The same, from the cache."""
    goals = cycle(AROUND)
    yield lambda: offsets(*next(goals))


def bench_line_moved() -> Iterator[Callable[[], Any]]:
    """The hexes that a line elsewhere on the map goes through, as `Hex` values."""
    goals = cycle(AROUND)
    here = Hex(40, -17)
    yield lambda: line(here, here + next(goals)).through


def bench_masks() -> Iterator[Callable[[], Any]]:
    """One pair of hexes of a Memoir board, asked before: is there a wood on the line, or on both sides of it?"""
    board = Board.alternating()
    lines, woods = SightMasks(board), board.mask(board.hexes[::7])
    pairs = cycle([(a, b) for a in board.hexes[::3] for b in board.hexes])

    def blocked() -> bool:
        through, runs = lines.between(*next(pairs))
        return bool(through & woods) or any(left & woods and right & woods for left, right in runs)

    yield blocked


def bench_field_of_view() -> Iterator[Callable[[], Any]]:
    """All hexes within 8 that are not behind woods, line by line."""

    def view() -> int:
        seen = 0
        for goal in AROUND:
            facts = offsets(*goal)
            seen += WOODS.isdisjoint(facts.through) and not any(a in WOODS and b in WOODS for a, b in facts.pairs)
        return seen

    yield view


def bench_field_of_view_in_arrays() -> Iterator[Callable[[], Any]]:
    """The same from the table."""
    woods = np.zeros((2 * RADIUS + 1, 2 * RADIUS + 1), dtype=bool)
    for q, r in WOODS:
        woods[RADIUS + q, RADIUS + r] = True
    near = table(RADIUS)

    def view() -> int:
        blocked = np.zeros(len(near.targets), dtype=bool)
        target, dq, dr = near.through.T
        blocked[target[woods[RADIUS + dq, RADIUS + dr]]] = True
        target, q, r, q2, r2 = near.along.T
        blocked[target[woods[RADIUS + q, RADIUS + r] & woods[RADIUS + q2, RADIUS + r2]]] = True
        return int(len(blocked) - blocked.sum())

    yield view


def of_hexutil(hexutil: ModuleType) -> dict[str, Callable[[], Any]]:
    """Return the same questions as `hexutil` answers them; its hexes are doubled columns and rows."""
    home = hexutil.Hex(0, 0)
    goals = cycle([hexutil.Hex(*hex.doubled) for hex in AROUND])
    woods = frozenset(hexutil.Hex(*hex.doubled) for hex in WOODS)
    return {
        "distance": lambda: home.distance(next(goals)),
        "field of view": lambda: home.field_of_view(lambda hex: hex not in woods, RADIUS),
    }


def best(timed: Callable[[], Any]) -> float:
    """Return the best time of a call, in seconds."""
    timer = timeit.Timer(timed)
    calls, _ = timer.autorange()
    return min(seconds / calls for seconds in timer.repeat(5, calls))


def main() -> None:
    """Print every time, and what it is of the time beside it."""
    ours = {
        function.__name__.removeprefix("bench_").replace("_", " "): best(next(function()))
        for function in (
            bench_cold_line,
            bench_cached_line,
            bench_line_moved,
            bench_masks,
            bench_field_of_view,
            bench_field_of_view_in_arrays,
        )
    }
    goals = cycle(AROUND)
    ours["distance"] = best(lambda: HOME.distance(next(goals)))
    for name, seconds in ours.items():
        print(f"{name:<28} {seconds * 1e6:9.3f} µs  {seconds / ours['cached line']:9.2f} x a cached line")
    try:
        hexutil = importlib.import_module("hexutil")
    except ImportError:
        print("hexutil is not installed, so there is nothing beside it (pip install hexutil)")
        return
    for name, timed in of_hexutil(hexutil).items():
        seconds = best(timed)
        print(f"hexutil {name:<20} {seconds * 1e6:9.3f} µs  {seconds / ours[name]:9.2f} x ours")
        if name == "field of view":
            in_arrays = seconds / ours["field of view in arrays"]
            print(f"{'':<28} {'':>9}     {in_arrays:9.2f} x ours in arrays")


if __name__ == "__main__":
    main()
