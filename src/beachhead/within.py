"""One system within another's state: what the inner game asks, rolls and does, as the outer game sees it.

A procedure awaits `inside(lens, procedure, …)` (`beachhead.play`); the driver then plays it on an `InnerPlay`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from attrs import frozen

from beachhead.play import Chance, Decision, Event, Lens, Play, Request
from beachhead.rules import Objection, Verdict


class InnerGameOver(BaseException):
    """The game played inside another has ended."""

    def __init__(self, play: Play[Any]) -> None:
        super().__init__(play)
        self.play = play


@frozen
class Within(Decision[Any, Any]):
    """A decision of the inner game; it is answered with the inner action itself."""

    lens: Lens[Any, Any]
    inner: Decision[Any, Any]

    @property
    def side(self) -> Any:
        """Whose choice it is."""
        return self.inner.side

    @property
    def rule(self) -> str:  # type: ignore[override]
        """The rule that asks."""
        return self.inner.rule

    @property
    def prompt(self) -> str:  # type: ignore[override]
        """What is to be decided."""
        return self.inner.prompt

    @property
    def secret(self) -> bool:  # type: ignore[override]
        """Whether asking would tell what the side holds."""
        return self.inner.secret

    @property
    def kinds(self) -> tuple[type, ...]:  # type: ignore[override]
        """The classes of its actions."""
        return self.inner.kinds

    def candidates(self, state: Any) -> Iterable[Any]:
        """Those of the inner decision."""
        return self.inner.candidates(self.lens.get(state))

    def options(self, state: Any) -> tuple[Any, ...]:
        """Those of the inner decision."""
        return self.inner.options(self.lens.get(state))

    def objections(self, state: Any, action: Any) -> Iterator[Objection]:
        """Those of the inner decision."""
        return self.inner.objections(self.lens.get(state), action)

    def foreign(self, state: Any, action: object) -> Iterator[Objection]:
        """Those of the inner decision."""
        return self.inner.foreign(self.lens.get(state), action)

    def verdict(self, state: Any, action: object) -> Verdict:
        """That of the inner decision."""
        return self.inner.verdict(self.lens.get(state), action)

    def answer_seen_by(self, side: object) -> bool:
        """As in the inner game."""
        return self.inner.answer_seen_by(side)


def innermost(request: Request[Any]) -> Request[Any]:
    """The request as the innermost game makes it."""
    while isinstance(request, Within | WithinChance):
        request = request.inner
    return request


@frozen
class WithinChance(Chance[Any, Any]):
    """A roll or draw of the inner game."""

    lens: Lens[Any, Any]
    inner: Chance[Any, Any]

    @property
    def rule(self) -> str:  # type: ignore[override]
        """The rule that asks for it."""
        return self.inner.rule

    def outcomes(self, state: Any) -> Sequence[tuple[Any, int]]:
        """Those of the inner chance."""
        return self.inner.outcomes(self.lens.get(state))

    def read(self, outcome: Any) -> Any:
        """As the inner chance reads it."""
        return self.inner.read(outcome)

    def outcome(self, given: Any) -> Any:
        """As in the inner game."""
        return self.inner.outcome(given)

    def text(self, outcome: Any, state: Any) -> str:
        """As in the inner game."""
        return self.inner.text(outcome, self.lens.get(state))

    def answer_seen_by(self, side: object) -> bool:
        """As in the inner game."""
        return self.inner.answer_seen_by(side)


@frozen
class WithinEvent(Event[Any]):
    """An event of the inner game."""

    lens: Lens[Any, Any]
    event: Event[Any]

    @property
    def rule(self) -> str | tuple[str, ...]:  # type: ignore[override]
        """The rule of the inner event."""
        return self.event.rule

    @property
    def bookkeeping(self) -> bool:  # type: ignore[override]
        """Whether the narrative leaves it out."""
        return self.event.bookkeeping

    @property
    def begins_turn(self) -> bool:  # type: ignore[override]
        """Whether a turn of the inner game begins with it."""
        return self.event.begins_turn

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that the inner event cites."""
        return self.event.rules

    def fold(self, state: Any) -> Any:
        """The inner event, folded into the inner state."""
        return self.lens.put(state, self.event.fold(self.lens.get(state)))

    def seen_by(self, side: Any) -> WithinEvent:
        """As in the inner game."""
        return WithinEvent(self.lens, self.event.seen_by(side))

    def text(self, state: Any) -> str:
        """The inner event's sentence."""
        return self.event.text(self.lens.get(state))


class InnerPlay(Play[Any]):
    """A play within another: its state is what the lens shows, and what it records is recorded there."""

    __slots__ = ("lens", "outer")

    def __init__(self, outer: Play[Any], lens: Lens[Any, Any]) -> None:
        self.outer, self.lens = outer, lens

    @property
    def state(self) -> Any:
        """The inner state now."""
        return self.lens.get(self.outer.state)

    @property
    def lenses(self) -> tuple[Lens[Any, Any], ...]:
        """How to get from the outermost state to this one."""
        return (*self.outer.lenses, self.lens)

    def record(self, event: Event[Any]) -> None:
        """Record it in the outer play. Raises InnerGameOver when it decides the inner game."""
        self.outer.record(WithinEvent(self.lens, event))
        if self.lens.over(self.state):
            raise InnerGameOver(self)

    def outward(self, request: Request[Any]) -> Request[Any]:
        """The request as the outer game sees it."""
        lens, outer = self.lens, self.outer
        wrapped: Request[Any] = (
            Within(lens, request)
            if isinstance(request, Decision)
            else WithinChance(lens, cast("Chance[Any, Any]", request))
        )
        return outer.outward(wrapped) if isinstance(outer, InnerPlay) else wrapped
