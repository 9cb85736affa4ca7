"""Where a game stands: the state at the last step boundary and the answers since. The live coroutines are only a cache."""

from __future__ import annotations

from collections.abc import Callable, Generator
from enum import Enum
from functools import partial
from itertools import chain, repeat
from operator import is_
from types import coroutine
from typing import Any, Final, Generic, NamedTuple, TypeVar

from attrs import frozen

from beachhead.errors import GameIsOver, NoOptions, NotAnOutcome, NothingHappens
from beachhead.play import Call, Chance, Decision, Event, GameOver, Inside, Play, Procedure, Request, Then
from beachhead.systems import System, find_system
from beachhead.within import InnerGameOver, InnerPlay

S = TypeVar("S")


Roller = Callable[[Chance[Any, Any], Any], Any]
"""`roll(chance, state) -> outcome`."""


class End(NamedTuple):
    """One way for a procedure to end: the state it leaves and its value. With `over` the game ended inside it, and so did every caller."""

    state: Any
    value: Any
    over: bool = False


@frozen
class Answer:
    """What was answered. A forced choice had nothing to choose; it is kept so that a rebuild need not find that out again."""

    value: Any
    forced: bool = False


class Entry(NamedTuple, Generic[S]):
    """A line of the log: what was asked, what was answered, and what came of it. The first entry of a game has no request."""

    request: Request[Any] | None
    answer: Any
    forced: bool
    events: tuple[Event[S], ...]
    before: S
    """The state when the answer was given."""

    @property
    def actor(self) -> Any:
        """The side that chose; None for a chance or the beginning."""
        return self.request.side if isinstance(self.request, Decision) else None

    def __repr__(self) -> str:
        return f"Entry({', '.join(f'{name}={value!r}' for name, value in zip(self._fields[:-1], self, strict=False))})"


_Parts = tuple[Request[Any] | None, Any, bool, tuple[Event[S], ...], S]
"""An entry as a bare tuple, which is made in no time and kept for every answer of a long game."""


class Ended(Enum):
    """What ended when a run has nothing more to ask."""

    STEP = "step"
    GAME = "game"


_STEP: Final = Ended.STEP  # looked up once: a member of an enum is slow to find
_GAME: Final = Ended.GAME


Frame = tuple[Procedure, tuple[Any, ...], Play[Any], Any, Any, list[Any], Any]
"""A procedure under way: function, values, where it plays, the state it began in, its coroutine, and what it has been given since (readings,
actions, and the Ends of its calls). The last is a lens where an `inside` began: the frame below belongs to the outer game.

A bare tuple: one is made for every procedure, and taken apart for every answer.
"""

_end: Callable[[tuple[Any, ...]], End] = partial(tuple.__new__, End)  # in half the time


@coroutine
def _steps(play: Play[S], system: System[S]) -> Generator[Any, Any, None]:
    """Step after step, in a coroutine that never ends: the end of each would be an exception, which takes its time."""
    while True:
        answer = yield from system.step(play)
        if type(answer) is Then:
            yield Call(answer.fn, answer.args)
        yield _STEP


class Run(Generic[S]):
    """The live coroutines: an explicit stack, so depth costs nothing and a call is visible."""

    __slots__ = ("_steps", "frames", "play", "system")

    def __init__(self, play: Play[S], system: System[S]) -> None:
        self.play, self.system, self._steps = play, system, _steps(play, system)
        self.frames: list[Frame] = []

    def begin(self) -> Request[Any] | Ended:
        """Begin a step and run to its first request."""
        self.frames = [(self.system.step, (), self.play, self.play.state, self._steps, [], None)]
        return self._go(None)

    def answer(self, reading: Any) -> Request[Any] | Ended:
        """Give the open request its answer, as the procedure sees it, and run to the next."""
        _, _, _, _, _, given, _ = self.frames[-1]
        given.append(reading)
        return self._go(reading)

    def _go(self, answer: Any) -> Request[Any] | Ended:
        """Run to the next decision or chance, or to the end of the step or the game."""
        frames = self.frames
        while True:
            _, _, play, _, running, given, lens = frames[-1]
            try:
                request: Request[Any] = running.send(answer)
            except StopIteration as stop:
                answer = stop.value
                frames.pop()
                if type(answer) is Then:
                    fn, args = answer.fn, answer.args
                    frames.append((fn, args, play, play.state, fn(play, *args), [], lens))
                    answer = None
                else:
                    _, _, around, _, _, given, _ = frames[-1]
                    given.append(_end((around.state, answer, False)))
                continue
            except InnerGameOver as over:
                while True:
                    _, _, play, _, _, _, lens = frames.pop()
                    if play is over.play and lens is not None:
                        break
                _, _, around, _, _, given, _ = frames[-1]
                given.append(End(around.state, None))
                answer = None
                continue
            except GameOver:
                return _GAME
            kind = type(request)
            if kind is Call:
                fn, args = request.fn, request.args  # type: ignore[attr-defined]
                frames.append((fn, args, play, play.state, fn(play, *args), [], None))
            elif kind is Inside:
                fn, args, inner = request.fn, request.args, InnerPlay(play, request.lens)  # type: ignore[attr-defined]
                if inner.lens.over(inner.state):  # nothing is left to play in there
                    given.append(End(play.state, None))
                else:
                    frames.append((fn, args, inner, inner.state, fn(inner, *args), [], inner.lens))
            else:
                return request if play is self.play else play.outward(request)  # type: ignore[attr-defined]
            answer = None


MOST_IDLE = 5_000
"""So many steps on end that roll nothing and leave nobody a choice go on for ever."""
_TAKEN: list[Run[Any]] = []
"""Where the run of a position was that somebody has taken. It stays empty."""


class Position(Generic[S]):
    """Where a game stands, as plain data: it compares, hashes and pickles by (system, state at the last boundary, answers since).

    Attributes:
        state: the state now.
        pending: the open Decision or Chance; None when the game is over.
        base, answers: the value of the position.
        entries, events: what the last answer did, forced choices after it included; no part of the value.
    """

    __slots__ = (
        "_answers",
        "_earlier",
        "_first",
        "_forced",
        "_last",
        "_options",
        "_run",
        "base",
        "pending",
        "state",
        "system",
    )
    pending: Decision[S, Any] | Chance[S, Any] | None
    _forced: tuple[_Parts[S], ...]
    """The entries but the last, which most often is the only one."""
    _last: _Parts[S] | None
    _answers: tuple[Answer, ...]
    _earlier: Position[S] | None
    _first: int
    """The answers since the last boundary: those with which a position was rebuilt, those since of the positions between, and those of its own
    entries from this one on. A long step would otherwise be copied with every answer."""
    _options: tuple[Any, ...] | None

    def __init__(self, system: System[S], base: S, answers: tuple[Answer, ...] | None = None) -> None:
        """Without answers play begins. With the answers of an earlier position, () too, that position is rebuilt: they are replayed as they stand, and no options are computed."""
        run = Run(Play(base, system.over), system)
        self.system, self.base, self._run = system, base, [run]
        self._answers, self._earlier, self._first = answers or (), None, 0
        request: Request[Any] | Ended = _GAME if system.over(base) else run.begin()
        if answers is None:
            self._carry_on(run, request, None, None, base, asked=False)
            return
        for answer in answers:
            if isinstance(request, Ended):
                break
            request = run.answer(request.read(answer.value) if isinstance(request, Chance) else answer.value)
        if isinstance(request, Ended) and (answers or not system.over(base)):
            raise ValueError("these answers do not belong to this state: its step ends among them")
        self.state, self._forced, self._last, self._options = run.play.state, (), None, None
        self.pending = None if isinstance(request, Ended) else request  # type: ignore[assignment]

    def _carry_on(
        self,
        run: Run[S],
        request: Request[Any] | Ended,
        asking: Request[Any] | None,
        answer: Any,
        before: S,
        *,
        asked: bool,
        roll: Roller | None = None,
    ) -> None:
        """Forced choices and ends of steps need nobody; stop where somebody must answer, or at the end of the game.

        `asking` and `answer` are what the first entry of the log begins with. `asked`: one of the answers since the last boundary was not
        forced. With `roll` chances do not stop it.
        """
        play, forced, idle = run.play, False, 0
        options: tuple[Any, ...] = ()
        entries: list[_Parts[S]] = []
        first = 0 if asking else 1  # the entry with the first answer since the last boundary
        while request is not _GAME:
            if request is _STEP:
                idle = 0 if asked else idle + 1
                if not asked and (play.state is self.base or idle > MOST_IDLE):
                    raise NothingHappens(self._idle(idle))
                self.base, self._answers, self._earlier = play.state, (), None
                first, asked = len(entries) + 1, False
                request = run.begin()
                continue
            if decision := isinstance(request, Decision):
                options = request.options(play.state)
                count = len(options)
                if not count:
                    raise NoOptions(f"{request!r} offers nothing to choose")
                if count > 1 or request.secret:
                    break
                following = reading = options[0]
            elif roll is not None:
                following, asked = roll(request, play.state), True  # type: ignore[arg-type]
                reading = request.read(following)  # type: ignore[attr-defined]
            else:
                options = ()
                break
            entries.append((asking, answer, forced, tuple(play.events), before))
            play.events.clear()
            asking, answer, forced, before = request, following, decision, play.state
            request = run.answer(reading)
        self._forced, self._last = tuple(entries), (asking, answer, forced, tuple(play.events), before)
        if request is _GAME:
            self.base, self._answers, self._earlier = play.state, (), None
            first, options = len(entries) + 1, ()
        self.state, self._first, self._options = play.state, first, options
        self.pending = None if request is _GAME else request  # type: ignore[assignment]

    def _idle(self, steps: int) -> str:
        if steps > MOST_IDLE:
            return f"{steps} steps of {self.system.name} on end rolled nothing and left nobody a choice"
        return f"a step of {self.system.name} neither asked nor rolled nor changed anything"

    @property
    def entries(self) -> tuple[Entry[S], ...]:
        """What the last answer did."""
        return tuple(map(Entry._make, self._parts))

    @property
    def _parts(self) -> tuple[_Parts[S], ...]:
        return self._forced if self._last is None else (*self._forced, self._last)

    @property
    def events(self) -> tuple[Event[S], ...]:
        """All that happened in these entries."""
        if self._last is not None and not self._forced:
            return self._last[3]
        return tuple([event for _, _, _, events, _ in self._parts for event in events])

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers since the last boundary."""
        position, since = self, [self._parts[self._first :]]
        while position._earlier is not None:
            position = position._earlier
            since.append(position._parts[position._first :])
        given = [Answer(answer, forced) for _, answer, forced, _, _ in chain.from_iterable(reversed(since))]
        return (*position._answers, *given)

    def preceded_by(self, entries: tuple[Entry[S], ...]) -> None:
        """Let what led to the position before count as its own entries, which does not change its value."""
        self._forced, self._first = (*entries, *self._forced), self._first + len(entries)

    @property
    def options(self) -> tuple[Any, ...]:
        """What may be answered to the open decision; () at a chance and when the game is over."""
        if self._options is None:
            self._options = self.pending.options(self.state) if isinstance(self.pending, Decision) else ()
        return self._options

    def forget_options(self) -> None:
        """Let go of the options, which are found anew when somebody asks again: a long game keeps every position."""
        self._options = None

    def after(self, answer: Any, roll: Roller | None = None) -> Position[S]:
        """The position after an action (at a decision) or an outcome (at a chance).

        Args:
            answer: the action or outcome.
            roll: picks an outcome for every chance on the way to the next decision; without it a chance is where the position stands.

        Raises:
            IllegalAction: the action is not an option; its verdict says why.
            NotAnOutcome: the chance has no such outcome.
            GameIsOver: nothing is asked any more.
        """
        request = self.pending
        if request is None:
            raise GameIsOver(f"the game is over: {answer!r} comes too late")
        if isinstance(request, Chance):
            if answer not in [outcome for outcome, _ in request.outcomes(self.state)]:
                raise NotAnOutcome(f"{answer!r} is not an outcome of {request!r}")
            reading = request.read(answer)
        else:
            options = self.options
            # most often it is the very thing, so nothing is compared before all have been looked at
            if not any(map(is_, options, repeat(answer))) and answer not in options:
                raise request.refusal(self.state, answer)
            reading = answer
        run = self._live()
        new: Position[S] = object.__new__(Position)
        new.system, new.base, new._run = self.system, self.base, [run]
        new._answers, new._earlier = (), self
        run.play.events.clear()
        new._carry_on(run, run.answer(reading), request, answer, self.state, asked=True, roll=roll)
        return new

    def _live(self) -> Run[S]:
        try:
            run = self._run.pop()  # atomic: only one thread can have the live run
        except IndexError:
            return Position(self.system, self.base, self.answers)._run.pop()
        self._run = _TAKEN  # a long game keeps every position, and none needs an empty list of its own
        return run

    @property
    def frame(self) -> tuple[Procedure, tuple[Any, ...], Any, tuple[Any, ...], Play[Any]]:
        """The innermost procedure under way: function, values, the state it began in, what it was given since, and where it plays.

        Raises:
            GameIsOver: none is.
        """
        if self.pending is None:
            raise GameIsOver("the game is over: no procedure is under way")
        run = self._live()
        self._run = [run]
        fn, args, play, state, _, given, _ = run.frames[-1]
        return fn, args, state, tuple(given), play

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.system.name, self.answers, self.base) == (
            other.system.name,
            other.answers,
            other.base,
        )

    def __hash__(self) -> int:
        return hash((self.base, self.answers))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.system.name, self.base, self.answers)

    def __repr__(self) -> str:
        waiting = "over" if self.pending is None else repr(self.pending)
        return f"<{self.system.name} position: {waiting}>"


def _rebuilt(system: str, base: Any, answers: tuple[Answer, ...]) -> Position[Any]:
    return Position(find_system(system), base, answers)
