"""The story of a game: entries as a readable narrative in which every line cites its rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Any, Generic, TypeVar, overload

from attrs import frozen

from beachhead.play import UNKNOWN, Chance, Unknown
from beachhead.position import Entry

S = TypeVar("S")


@frozen
class Line:
    """One line of a narrative. `turn` counts from 1; 0 is before the first turn."""

    turn: int
    text: str
    rules: tuple[str, ...]

    @property
    def cited(self) -> str:
        """The rules that the text itself does not name, as they are written behind it: "  [m44:turn.draw]", or nothing."""
        named = set(re.split(r"[\s(),]+", self.text))
        rules = [rule for rule in self.rules if rule not in named]
        return f"  [{', '.join(rules)}]" if rules else ""

    def __str__(self) -> str:
        return f"{self.text}{self.cited}"


class Log(Sequence[Entry[S]], Generic[S]):
    """What was asked, answered and done, in order; `str()` is the narrative.

    A slice is a log, too, and goes on with the turn that it begins in: what has come since is `log[n:]`, where n entries were there before.

    Attributes:
        begun: how many turns had begun before the first entry.
    """

    def __init__(self, entries: Sequence[Entry[S]], begun: int = 0) -> None:
        self._entries, self.begun = tuple(entries), begun

    @overload
    def __getitem__(self, index: int) -> Entry[S]: ...
    @overload
    def __getitem__(self, index: slice) -> Log[S]: ...
    def __getitem__(self, index: int | slice) -> Entry[S] | Log[S]:
        if not isinstance(index, slice):
            return self._entries[index]
        before = Log(self._entries[: index.indices(len(self))[0]], self.begun)
        return Log(self._entries[index], before.turn)

    def __len__(self) -> int:
        return len(self._entries)

    def lines(self) -> Iterator[Line]:
        """The narrative, line by line; bookkeeping is left out."""
        turn = self.begun
        for entry in self._entries:
            state = entry.before
            if isinstance(entry.request, Chance) and not isinstance(entry.answer, Unknown):
                shown = entry.request.text(entry.answer, state)
                if shown:
                    yield Line(turn, shown, (entry.request.rule,))
            for event in entry.events:
                turn += event.begins_turn
                if not event.bookkeeping:
                    yield Line(turn, event.text(state), event.rules)
                state = event.fold(state)

    @property
    def turn(self) -> int:
        """The number of turns begun by its end."""
        return self.begun + sum(event.begins_turn for entry in self._entries for event in entry.events)

    def __str__(self) -> str:
        out, turn = list[str](), self.begun
        for line in self.lines():
            if line.turn != turn:
                turn = line.turn
                out.append(f"-- turn {turn}")
            out.append(str(line))
        return "\n".join(out)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{n.turn}</td><td>{escape(n.text)}</td><td><code>{escape(', '.join(n.rules))}</code></td></tr>"
            for n in self.lines()
        )
        return f"<table>{rows}</table>"


def redacted(entry: Entry[S], side: object, view: Callable[[S, Any], S]) -> Entry[S]:
    """The entry as this side (None: a neutral observer) is told of it.

    Another side's answer is hidden where its request says so, and whether it was forced always: that would tell what he could have done.
    """
    request = entry.request
    seen = request is None or request.answer_seen_by(side)
    return entry._replace(
        answer=entry.answer if seen else UNKNOWN,
        forced=entry.forced and entry.actor == side,
        events=tuple(event.seen_by(side) for event in entry.events),
        before=view(entry.before, side),
    )
