"""Many games at once, on any `concurrent.futures.Executor`: who wins, by how much, and how soon.

>>> from concurrent.futures import ProcessPoolExecutor
>>> with ProcessPoolExecutor() as pool:                                         # doctest: +SKIP
...     summary = simulate("memoir44/…", 200, "sensible", executor=pool)

The games depend on the seed alone, never on the executor or the order in which they are done; each can be played again by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from contextlib import suppress
from fractions import Fraction
from functools import partial
from hashlib import blake2b
from html import escape
from pathlib import Path
from typing import Any

from attrs import field, frozen

from beachhead import policies
from beachhead.errors import UnknownName
from beachhead.game import Game, new
from beachhead.odds import Distribution
from beachhead.spelling import nearest
from beachhead.systems import Policy, Result, System, find_scenario, name_of

Factory = Callable[[int], Policy]
"""Makes the policy of one side in one game from a seed."""
Choice = str | Factory
"""A policy by name ("random", or one of the system's own), or what makes one. Only names, and functions of a module, go to other processes."""
Progress = Callable[[int, int, str], None]
"""`progress(done, of, what)`."""


@frozen
class Task:
    """One game to play: all that it depends on."""

    source: str
    options: Mapping[str, object]
    choices: tuple[Choice, ...]
    """One for each side, in the system's order."""
    seed: int
    number: int
    most: int = 100_000

    @property
    def game_seed(self) -> int:
        """The seed of its dice."""
        return _seed(self.seed, self.number, "dice")

    def play(self) -> Game[Any]:
        """The game, played to its end (or to `most` decisions)."""
        game = new(self.source, seed=self.game_seed, options=dict(self.options))
        sides = game.system.sides
        chosen = {
            side: _policy(game.system, choice, _seed(self.seed, self.number, f"side {n}"))
            for n, (side, choice) in enumerate(zip(sides, self.choices, strict=True))
        }
        with suppress(TimeoutError):  # given up: it has no result
            game.play(policies.by_side(chosen), most=self.most)
        return game


@frozen
class Played:
    """How one game went.

    Attributes:
        seed: of its dice, for `beachhead.new`.
        result: None when it was given up after `most` decisions.
        decisions, turns: its length.
    """

    task: Task = field(repr=False)
    seed: int
    result: Result | None
    decisions: int
    turns: int

    @property
    def winner(self) -> Any:
        """The side that won; None for a draw and for a game given up."""
        return self.result.winner if self.result else None

    @property
    def scores(self) -> Mapping[str, int]:
        """The scores; none for a game given up."""
        return self.result.scores if self.result else {}

    def again(self) -> Game[Any]:
        """The same game, played once more."""
        return self.task.play()


@frozen
class Summary:
    """Many games. `str()` is a page to read."""

    source: str
    sides: tuple[Any, ...]
    choices: tuple[str, ...]
    seed: int
    games: tuple[Played, ...] = field(repr=False)

    @property
    def wins(self) -> Mapping[Any, int]:
        """How many games each side won."""
        counts = Counter(game.winner for game in self.games)
        return {side: counts[side] for side in self.sides}

    @property
    def draws(self) -> int:
        """How many games nobody won."""
        return sum(game.result is not None and game.winner is None for game in self.games)

    @property
    def given_up(self) -> int:
        """How many games had no end within the most decisions."""
        return sum(game.result is None for game in self.games)

    @property
    def winners(self) -> Distribution[Any]:
        """How often each side won, as a sample with intervals; None stands for nobody."""
        counts = Counter(game.winner for game in self.games)
        return Distribution({side: Fraction(n, len(self.games)) for side, n in counts.items()}, (), len(self.games))

    @property
    def scores(self) -> Mapping[str, tuple[int, ...]]:
        """The scores of each side, game by game; games given up have none."""
        names = dict.fromkeys(name for game in self.games for name in game.scores)
        return {name: tuple(game.scores[name] for game in self.games if name in game.scores) for name in names}

    @property
    def lengths(self) -> tuple[int, ...]:
        """The decisions of each game."""
        return tuple(game.decisions for game in self.games)

    @property
    def by_seed(self) -> Mapping[int, Played]:
        """The games by the seed of their dice."""
        return {game.seed: game for game in self.games}

    def __str__(self) -> str:
        n, odds = len(self.games), self.winners
        lines = [f"{self.source}: {n} games, seed {self.seed}"]
        for side, choice in zip(self.sides, self.choices, strict=True):
            low, high = odds.interval(side)
            name = name_of(side)
            score = f"scores {_spread(self.scores[name])}" if name in self.scores else "no scores"
            chance = f"chance {low:.0%} to {high:.0%} with 95 % confidence"
            lines.append(f"  {name} ({choice}) won {self.wins[side]} ({chance}), {score}")
        lines.append(f"  draws {self.draws}")
        if self.given_up:
            lines.append(f"  given up {self.given_up}: no end within {self.games[0].task.most} decisions")
        lines.append(f"  decisions {_spread(self.lengths)}; turns {_spread([game.turns for game in self.games])}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def simulate(
    source: str | Path,
    games: int,
    policy: Choice | Mapping[Any, Choice] = "random",
    *,
    seed: int = 0,
    options: Mapping[str, object] | None = None,
    most: int = 100_000,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Summary:
    """Play many games of a scenario and sum them up.

    Args:
        source: the name of a scenario, or the path of its file.
        games: how many.
        policy: for both sides, or by side (the side itself or its name): a name, or a function from a seed to a policy.
        seed: everything depends on it; game n is the same however many are played, and wherever.
        options: the options of the game.
        most: the decisions after which a game is given up. It counts as such, not as a draw.
        executor: plays them side by side. A process pool needs names or functions of a module, and a system that other processes know.
        progress: called as games are done, with how many are, how many there are, and how the last one went.

    Raises:
        UnknownName: no such scenario, side or policy.
        ValueError: no games are asked for.
    """
    if games < 1:
        raise ValueError(f"{games} games are none: ask for 1 or more")
    system, found = find_scenario(source)
    name = str(Path(source).resolve()) if Path(source).is_file() else str(source)
    choices = _by_side(system, policy)
    tasks = [Task(name, dict(options or {}), choices, seed, n, most) for n in range(games)]
    chunk = max(1, games // 64)
    played: list[Played] = []
    results: Iterable[Played] = executor.map(_play, tasks, chunksize=chunk) if executor else map(_play, tasks)
    for game in results:
        played.append(game)
        if progress:
            progress(len(played), games, str(game.result or "given up"))
    called = tuple(c if isinstance(c, str) else getattr(c, "__name__", repr(c)) for c in choices)
    return Summary(found.name, system.sides, called, seed, tuple(played))


def _play(task: Task) -> Played:
    game = task.play()
    return Played(task, task.game_seed, game.result, game.decisions, game.turn)


def _by_side(system: System[Any], policy: Choice | Mapping[Any, Choice]) -> tuple[Choice, ...]:
    """The choice of each side, every name of which exists."""
    if isinstance(policy, Mapping):
        names = {alias: side for side in system.sides for alias in (side, name_of(side), name_of(side).lower())}
        strange = [key for key in policy if key not in names]
        if strange:
            known = ", ".join(name_of(side) for side in system.sides)
            raise UnknownName(f"{system.name} has no side {strange[0]!r}; its sides: {known}")
        given = {names[key]: choice for key, choice in policy.items()}
        missing = [name_of(side) for side in system.sides if side not in given]
        if missing:
            raise UnknownName(f"no policy is given for {', '.join(missing)}")
        choices = tuple(given[side] for side in system.sides)
    else:
        choices = (policy,) * len(system.sides)
    for choice in choices:
        _policy(system, choice, 0)
    return choices


def _policy(system: System[Any], choice: Choice, seed: int) -> Policy:
    """The policy of one side in one game."""
    if not isinstance(choice, str):
        return choice(seed)
    known: dict[str, Factory] = {"random": policies.random}
    known |= {name: partial(_whatever_the_seed, policy) for name, policy in system.policies.items()}
    if choice not in known:
        raise UnknownName(f"{system.name} has no policy {choice!r}{nearest(choice, known)}; known: {', '.join(known)}")
    return known[choice](seed)


def _whatever_the_seed(policy: Policy, seed: int) -> Policy:
    return policy


def _seed(seed: int, number: int, what: str) -> int:
    return int.from_bytes(blake2b(f"{seed}/{number}/{what}".encode(), digest_size=8).digest()) >> 1


def _spread(numbers: Iterable[int]) -> str:
    ordered = sorted(numbers)
    mean = sum(ordered) / len(ordered)
    return f"{ordered[0]} to {ordered[-1]}, mean {mean:.1f}"
