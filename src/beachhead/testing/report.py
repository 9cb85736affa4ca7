"""What the kit says: a failure that can be played again, and the account of games in which nothing failed."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape
from statistics import median
from typing import Any

import attrs
from attrs import field, frozen

from beachhead.errors import BeachheadError

_LONGEST = 400
"""Characters of a value that a failure shows."""


@frozen
class Place:
    """Where in which game: enough to play it again."""

    system: str
    scenario: str
    options: Mapping[str, object]
    seed: int
    game: int
    decision: int
    request: str = ""

    @property
    def reproduce(self) -> str:
        """The shell command that plays this game again."""
        options = f", options={dict(self.options)!r}" if self.options else ""
        call = f"check_game({self.system!r}, {self.scenario!r}, seed={self.seed}, game={self.game}{options})"
        return f"python -c {shlex.quote(f'from beachhead.testing import check_game; {call}')}"

    def __str__(self) -> str:
        options = ", ".join(f"{key}={value}" for key, value in self.options.items()) or "default options"
        at = f"decision {self.decision}" + (f" ({self.request})" if self.request else "")
        return f"{self.system}, {self.scenario}, {options}, seed {self.seed}, game {self.game}, {at}"


class KitFailure(BeachheadError, AssertionError):
    """A system breaks a promise that the kernel builds on.

    Attributes:
        check: the name of the promise.
        place: system, scenario, options, seed, game, and number of the decision.
        expected, found: what should have been, and what was.
    """

    def __init__(self, check: str, place: Place, expected: str, found: str) -> None:
        super().__init__(check, place, expected, found)
        self.check, self.place, self.expected, self.found = check, place, expected, found

    def __str__(self) -> str:
        return (
            f"{self.check}\n  in {self.place}\n  expected: {self.expected}\n  found:    {self.found}\n"
            f"  again:    {self.place.reproduce}"
        )


def difference(expected: Any, found: Any) -> tuple[str, str]:
    """Two unequal values as texts that show where they part.

    >>> from beachhead.dice import D6, AtMost, Roll
    >>> difference(Roll(D6, AtMost(3), "x:1"), Roll(D6, AtMost(4), "x:1"))
    ('.reading.number = 3', '.reading.number = 4')
    """
    path = ""
    while True:
        for name, a, b in _parts(expected, found):
            if a != b:
                path, expected, found = path + name, a, b
                break
        else:
            break
    lead = f"{path} = " if path else ""
    return lead + shown(expected), lead + shown(found)


def _parts(a: Any, b: Any) -> Iterable[tuple[str, Any, Any]]:
    """The parts of two values of one shape, by name."""
    if type(a) is not type(b):
        return ()
    if attrs.has(type(a)):
        return tuple((f".{x.name}", getattr(a, x.name), getattr(b, x.name)) for x in attrs.fields(type(a)) if x.eq)
    if isinstance(a, Mapping) and a.keys() == b.keys():
        return tuple((f"[{key!r}]", a[key], b[key]) for key in a)
    if isinstance(a, tuple | list) and len(a) == len(b):
        return tuple((f"[{n}]", x, y) for n, (x, y) in enumerate(zip(a, b, strict=True)))
    return ()


def shown(value: Any) -> str:
    """A value in a line of bearable length."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"


# ------------------------------------------------------------ counts
def _counts(counts: Mapping[str, int]) -> Mapping[str, int]:
    return dict(sorted(counts.items()))


def _ids(rules: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(rules))


@frozen
class GameReport:
    """One game that kept every promise.

    Attributes:
        length: the decisions that were asked; forced ones not counted.
        events, requests: how many of each class.
        rules: the ids that events and requests cited.
        examined: the positions that had the full set of checks.
        hidden, dealt: how often something was hidden from a side, and how often dealing it again gave something else.
        digest: of every answer and the state at the end; equal wherever and whenever the game is played.
    """

    game: int
    scenario: str
    options: Mapping[str, object]
    length: int
    forced: int
    chances: int
    turns: int
    events: Mapping[str, int] = field(converter=_counts)
    requests: Mapping[str, int] = field(converter=_counts)
    rules: tuple[str, ...] = field(converter=_ids)
    winner: str = ""
    reason: str = ""
    examined: int = 0
    hidden: int = 0
    dealt: int = 0
    digest: str = ""


@frozen
class Report:
    """Many games that kept every promise. `str()` is a page to read."""

    system: str
    seed: int
    games: tuple[GameReport, ...]

    def _sum(self, what: str) -> Mapping[str, int]:
        total = Counter[str]()
        for game in self.games:
            total.update(getattr(game, what))
        return dict(sorted(total.items(), key=lambda item: (-item[1], item[0])))

    @property
    def decisions(self) -> int:
        """How many decisions were asked."""
        return sum(game.length for game in self.games)

    @property
    def chances(self) -> int:
        """How many rolls and draws there were."""
        return sum(game.chances for game in self.games)

    @property
    def events(self) -> Mapping[str, int]:
        """How many events of each class, most frequent first."""
        return self._sum("events")

    @property
    def requests(self) -> Mapping[str, int]:
        """How many decisions and chances of each class, most frequent first."""
        return self._sum("requests")

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule that was cited."""
        return tuple(sorted({rule for game in self.games for rule in game.rules}))

    @property
    def lengths(self) -> tuple[int, ...]:
        """The decisions of each game."""
        return tuple(game.length for game in self.games)

    @property
    def results(self) -> Mapping[str, int]:
        """How often each side won, and how often nobody did ("draw")."""
        return dict(sorted(Counter(game.winner or "draw" for game in self.games).items()))

    @property
    def examined(self) -> int:
        """The positions that had the full set of checks."""
        return sum(game.examined for game in self.games)

    def __str__(self) -> str:
        lengths = sorted(self.lengths) or [0]
        scenarios = Counter(game.scenario for game in self.games)
        combinations = {tuple(sorted((k, str(v)) for k, v in game.options.items())) for game in self.games}
        rows = [
            ("games", f"{len(self.games)} of {len(scenarios)} scenarios with {len(combinations)} sets of options"),
            ("decisions", f"{self.decisions}, and {sum(game.forced for game in self.games)} that were forced"),
            ("length", f"{lengths[0]} to {lengths[-1]} decisions, median {median(lengths):g}"),
            ("chances", str(self.chances)),
            ("examined", f"{self.examined} positions in full"),
            ("results", _list(self.results)),
            ("asked", _list(self.requests)),
            ("events", _list(self.events)),
            ("rules met", str(len(self.rules))),
        ]
        return f"{self.system}, seed {self.seed}: every promise kept\n" + "\n".join(f"  {k:10} {v}" for k, v in rows)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def _list(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"
