"""What the players of Memoir '44 cost, beside random ones: 100 decisions of a battle at Alder Beach with all that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import beachhead as bh
from beachhead.policies import Policy, random

DECISIONS = 100


def battle(policy: Policy) -> None:
    """So many decisions of a new battle."""
    game = bh.new("memoir44/alder-beach", seed=44)
    for _ in range(DECISIONS):
        view = game.view(game.to_act)
        game.apply(policy(view.state, view.decision, view.options))


def bench_sensible_decisions() -> Iterator[Callable[[], Any]]:
    """100 decisions of two sensible players."""
    policy = bh.find_system("memoir44").policies["sensible"]
    yield lambda: battle(policy)


def bench_random_decisions_of_the_same_battle() -> Iterator[Callable[[], Any]]:
    """100 decisions of two random players."""
    yield lambda: battle(random(44))
