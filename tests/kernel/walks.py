"""Random games of the toy, position by position."""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from beachhead.play import Chance
from beachhead.position import Position
from beachhead.systems import Source, System

KNOWN: dict[str, System[Any]] = import_module("beachhead.systems")._systems
"""The systems that are known, for a test that adds one for as long as it runs: `monkeypatch.setitem(KNOWN, name, system)`."""


def start(system: System[Any], scenario: str, **options: object) -> Any:
    """The state before the first step of a scenario."""
    return system.new(Source(scenario, system.scenarios()[scenario]), options)


def an_answer(p: Position[Any], r: random.Random) -> Any:
    """Any option, or any outcome by its weight."""
    if isinstance(p.pending, Chance):
        outcomes = p.pending.outcomes(p.state)
        return r.choices([x for x, _ in outcomes], [w for _, w in outcomes])[0]
    return r.choice(p.options)


def walk(system: System[Any], state: Any, limit: int) -> Iterator[tuple[Position[Any], random.Random]]:
    """Positions of random games, one after the other."""
    n = seed = 0
    while n < limit:
        r, p = random.Random(seed), Position(system, state)
        while p.pending is not None and n < limit:
            yield p, r
            n, p = n + 1, p.after(an_answer(p, r))
        seed += 1
