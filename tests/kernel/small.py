"""The smallest system: one procedure given by the test is its whole sequence of play. Points are counted; three of them end the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from fractions import Fraction
from typing import Any, final

from attrs import evolve, frozen

from beachhead.dice import Die
from beachhead.play import Chance, Decision, Event, Play, Setting
from beachhead.position import End, Position
from beachhead.rules import Objection


@frozen(eq=False)
class Ground(Setting):
    """How many points a swing is worth here."""

    swing: int


FLAT = Ground("flat", 1)


@frozen
class St:
    setting: Ground = FLAT
    n: int = 0
    marks: int = 0
    over: bool = False


@frozen
class Add(Event[St]):
    k: int
    rule: str = "small:1"

    def fold(self, s: St) -> St:
        return evolve(s, n=s.n + self.k, over=s.n + self.k >= 3)


@frozen
class Mark(Event[St]):
    rule: str = "small:2"

    def fold(self, s: St) -> St:
        return evolve(s, marks=s.marks + 1)


@frozen
class Swing(Event[St]):
    rule: str = "small:3"

    def fold(self, s: St) -> St:
        return evolve(s, n=s.n + s.setting.swing)


@final
@frozen
class Go:
    far: int


@final
@frozen
class Rest:
    pass


@frozen
class Choose(Decision[St, Go | Rest]):
    side: int
    most: int = 2
    rule = "small:1"
    prompt = "go or rest"

    def candidates(self, s: St) -> tuple[Go | Rest, ...]:
        return (*(Go(i) for i in range(1, 5)), Rest())

    def objections(self, s: St, action: Go | Rest) -> Iterator[Objection]:
        if isinstance(action, Go) and action.far > self.most:
            yield Objection("small:1.a", "{} is too far", (action.far,))
        if isinstance(action, Go) and action.far > 3:
            yield Objection("small:1.b", "nobody goes {}", (action.far,))
        if isinstance(action, Rest) and self.most < 2:
            yield Objection("small:1.c", "no rest")


@frozen
class Nothing(Decision[St, Go]):
    side: int = 0
    rule = "small:2"
    prompt = "nothing"

    def candidates(self, s: St) -> tuple[Go, ...]:
        return ()


D2 = Die("D2", (1, 2))
Step = Callable[..., Coroutine[Any, Any, Any]]


class Small:
    """A system of one step."""

    name = "small"

    def __init__(self, fn: Step, *args: Any) -> None:
        self.fn, self.args = fn, args

    def step(self, play: Play[St]) -> Coroutine[Any, Any, None]:
        return self.fn(play, *self.args)

    def over(self, s: St) -> bool:
        return s.over


def over(s: St) -> bool:
    return s.over


class Stop(Exception):
    """Carries the End of a procedure out of the position that ran it."""


class Once(Small):
    """One procedure to its end, to walk by Position what Odds walks by itself."""

    async def step(self, play: Play[St]) -> None:
        from beachhead.play import call

        value = await call(self.fn, *self.args)
        raise Stop(End(play.state, value))


def brute(fn: Step, args: tuple[Any, ...], state: St, policy: Any = None) -> dict[End, Fraction]:
    """Every face of every die through Position.after; nothing is merged."""
    found: Counter[End] = Counter()
    system = Once(fn, *args)

    def walk(make: Callable[[], Position[St]], weight: Fraction) -> None:
        try:
            p = make()
        except Stop as stop:
            found[stop.args[0]] += weight
            return
        if p.pending is None:
            found[End(p.state, None, True)] += weight
        elif isinstance(p.pending, Chance):
            outcomes = p.pending.outcomes(p.state)
            for face, w in outcomes:
                walk(lambda face=face: p.after(face), weight * Fraction(w, sum(x for _, x in outcomes)))
        else:
            walk(lambda: p.after(policy(p.state, p.pending, p.options)), weight)

    walk(lambda: Position(system, state), Fraction(1))
    return dict(found)
