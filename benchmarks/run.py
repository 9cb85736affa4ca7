"""Run the benchmarks beside this file: `python benchmarks/run.py [PART OF A NAME]`."""

from __future__ import annotations

import importlib.util
import statistics
import sys
import timeit
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROUNDS = 7


def benchmarks(part: str) -> Iterator[tuple[str, Callable[[], Iterator[Callable[[], Any]]]]]:
    """Yield the name and function of each benchmark with `part` in its name."""
    for path in sorted(HERE.glob("bench_*.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, function in vars(module).items():
            full = f"{path.stem.removeprefix('bench_')}.{name.removeprefix('bench_')}"
            if name.startswith("bench_") and part in full:
                yield full, function


def readable(seconds: float) -> str:
    """Return a time with three figures and its unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def main(part: str = "") -> None:
    """Time each benchmark and print a line about it."""
    for name, function in benchmarks(part):
        for timed in function():
            timer = timeit.Timer(timed)
            calls, _ = timer.autorange()
            rounds = [seconds / calls for seconds in timer.repeat(ROUNDS, calls)]
            print(f"{name:<40} best {readable(min(rounds)):>8}   median {readable(statistics.median(rounds)):>8}")


if __name__ == "__main__":
    main(*sys.argv[1:])
