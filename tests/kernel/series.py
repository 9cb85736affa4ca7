"""A system around another: a side that has won enough games of Dare wins the series. A day may be conceded before it begins."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, final

import toy
from attrs import evolve, field, frozen
from toy import TOY, Side, Toy, of

from beachhead.play import Decision, Event, Play, Setting, by_key, call, inside, then
from beachhead.systems import Result, Source


@frozen(eq=False)
class War(Setting):
    game: toy.State = field(repr=False)
    needed: int


@frozen(cache_hash=True)
class Standing:
    setting: War = field(repr=by_key)
    game: toy.State
    won: tuple[int, int] = (0, 0)
    first: Side = Side.RED


@frozen
class TheGame:
    """The lens."""

    def get(self, state: Standing) -> toy.State:
        return state.game

    def put(self, state: Standing, inner: toy.State) -> Standing:
        return evolve(state, game=inner)

    def over(self, inner: toy.State) -> bool:
        return TOY.over(inner)


@final
@frozen
class Play_:  # noqa: N801 - its name must not hide the kernel's
    pass


@final
@frozen
class Pass:
    """The day goes to the other side."""

    sulking: bool = False


@frozen
class BeginDay(Decision[Standing, Play_ | Pass]):
    side: Side
    rule = "series:1"
    prompt = "play, or pass and lose the day"

    def candidates(self, state: Standing) -> tuple[Play_ | Pass, ...]:
        return (Play_(), Pass(), Pass(sulking=True))


@frozen
class DayWon(Event[Standing]):
    winner: Side
    rule: str = "series:2"
    begins_turn = True

    def fold(self, state: Standing) -> Standing:
        won = (state.won[0] + (self.winner is Side.RED), state.won[1] + (self.winner is Side.BLUE))
        return evolve(state, won=won, game=state.setting.game, first=state.first.enemy)


async def game(play: Play[toy.State]) -> Any:
    await call(toy.turn)
    return then(game)


async def day(play: Play[Standing]) -> None:
    first = play.state.first
    choice = await BeginDay(first)
    if isinstance(choice, Pass):
        play.record(DayWon(first.enemy))
        return
    await inside(TheGame(), game)
    points = play.state.game.points
    play.record(DayWon(Side.RED if points[0] > points[1] else Side.BLUE))


class Series(Toy):
    name, title, package, state, suffixes = "series", "Series", __name__, Standing, (".series.toml",)
    step = staticmethod(day)

    def scenarios(self) -> dict[str, Path]:
        return {}

    def new(self, source: Source, options: Mapping[str, object]) -> Any:
        data = tomllib.loads(source.read())
        inner: Any = TOY.new(Source("inner", text=data["dare"]), options)
        return Standing(War(f"series/{data}/{inner.setting.key}", inner, data["needed"]), inner)

    def over(self, state: Any) -> bool:
        return state.setting.needed in state.won

    def result(self, state: Any) -> Result | None:
        winner = next((s for s in Side if of(state.won, s) == state.setting.needed), None)
        return Result(winner, {s.value: of(state.won, s) for s in Side}, "days", "series:2") if winner else None

    def view(self, state: Any, side: Any) -> Any:
        return evolve(state, game=TOY.view(state.game, side))

    def resample(self, state: Any, side: Any, pick: Callable[[int], int]) -> Any:
        return evolve(state, game=TOY.resample(state.game, side, pick))

    def phase(self, state: Any) -> str:
        return TOY.phase(state.game)

    def check_invariants(self, state: Any) -> None:
        TOY.check_invariants(state.game)


SERIES: Any = Series()
TEXT = "needed = 3\ndare = '''\ncards = [1, 2, 3, 4, 5, 6]\ngoal = 2\n'''\n"
