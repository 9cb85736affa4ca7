"""What the kernel itself costs: a decision between two options that changes nothing, a roll, and a value changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, final

from attrs import evolve, frozen

from beachhead import policies
from beachhead.dice import D6, AtMost, Roll
from beachhead.game import Game
from beachhead.play import Decision, Event, Play
from beachhead.systems import Result
from beachhead.values import changed

DECISIONS = 1_000


@final
@frozen
class Go:
    left: bool


@frozen
class Gone(Event["State"]):
    rule: str = "null:1"

    def fold(self, state: State) -> State:
        return state


@frozen
class State:
    rolls: bool
    a: int = 0
    b: int = 0
    c: int = 0
    d: int = 0
    e: int = 0
    f: int = 0
    g: int = 0


WAYS = (Go(True), Go(False))


@frozen
class Choose(Decision[State, Go]):
    side: int
    rule = "null:1"
    prompt = "left or right"

    def candidates(self, state: State) -> tuple[Go, ...]:
        return WAYS


async def step(play: Play[State]) -> None:
    await Choose(0)
    if play.state.rolls:
        await Roll(D6, AtMost(3), "null:2")
    play.record(Gone())


class Null:
    """The smallest system: one decision, one event, and no end."""

    name, sides, step = "null", (0,), staticmethod(step)

    def over(self, state: State) -> bool:
        return False

    def result(self, state: State) -> Result | None:
        return None


def decisions(state: State) -> None:
    """So many random decisions of one game: options, checks, rolls, events and log included."""
    system: Any = Null()
    game: Game[State] = Game(system, state, seed=1)
    pick = policies.random(1)
    for _ in range(DECISIONS):
        game.apply(pick(game.state, game.decision, game.legal_actions()))


def bench_null_decisions() -> Iterator[Callable[[], Any]]:
    """1,000 decisions between two options, each with an event that changes nothing."""
    yield lambda: decisions(State(rolls=False))


def bench_null_rolls() -> Iterator[Callable[[], Any]]:
    """The same, each with a roll."""
    yield lambda: decisions(State(rolls=True))


def bench_changed() -> Iterator[Callable[[], Any]]:
    """1,000 times one field of eight changed."""
    state = State(rolls=False)
    yield lambda: [changed(state, d=1) for _ in range(1_000)]


def bench_evolve() -> Iterator[Callable[[], Any]]:
    """The same by attrs."""
    state = State(rolls=False)
    yield lambda: [evolve(state, d=1) for _ in range(1_000)]
