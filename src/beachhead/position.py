"""Where a game stands: the state at the last step boundary and the answers since. The live coroutines are only a cache."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial
from itertools import chain, repeat
from operator import is_
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


_entry: Callable[[tuple[Any, ...]], Entry[Any]] = partial(tuple.__new__, Entry)  # in half the time


class Ended(Enum):
    """What ended when a run has nothing more to ask."""

    STEP = "step"
    GAME = "game"


_STEP: Final = Ended.STEP  # looked up once: a member of an enum is slow to find
_GAME: Final = Ended.GAME


class Frame(NamedTuple):
    """A procedure under way, where it began, and what it has been given since: readings, actions, and the Ends of its calls."""

    fn: Procedure
    args: tuple[Any, ...]
    play: Play[Any]
    state: Any
    coroutine: Any
    given: list[Any]
    lens: Any
    """Set where an `inside` began: the frame below belongs to the outer game."""


_frame: Callable[[tuple[Any, ...]], Frame] = partial(tuple.__new__, Frame)
_end: Callable[[tuple[Any, ...]], End] = partial(tuple.__new__, End)


class Run(Generic[S]):
    """The live coroutines: an explicit stack, so depth costs nothing and a call is visible."""

    __slots__ = ("frames", "play")

    def __init__(self, play: Play[S]) -> None:
        self.play = play
        self.frames: list[Frame] = []

    def begin(self, fn: Procedure) -> Request[Any] | Ended:
        """Start a procedure and run to its first request."""
        self._push(fn, (), self.play)
        return self._go(None)

    def answer(self, request: Request[Any], value: Any) -> Request[Any] | Ended:
        """Answer the open request and run to the next."""
        reading = request.read(value) if isinstance(request, Chance) else value
        self.frames[-1].given.append(reading)
        return self._go(reading)

    def _push(self, fn: Procedure, args: tuple[Any, ...], play: Play[Any], lens: Any = None) -> None:
        self.frames.append(_frame((fn, args, play, play.state, fn(play, *args), [], lens)))

    def _go(self, answer: Any) -> Request[Any] | Ended:
        """Run to the next decision or chance, or to the end of the step or the game."""
        frames = self.frames
        while True:
            frame = frames[-1]
            try:
                request: Request[Any] = frame.coroutine.send(answer)
            except StopIteration as stop:
                answer = stop.value
                frames.pop()
                if type(answer) is Then:
                    self._push(answer.fn, answer.args, frame.play, frame.lens)
                    answer = None
                elif frames:
                    below = frames[-1]
                    below.given.append(_end((below.play.state, answer, False)))
                else:
                    return _STEP
                continue
            except InnerGameOver as over:
                while True:
                    frame = frames.pop()
                    if frame.play is over.play and frame.lens is not None:
                        break
                frames[-1].given.append(End(frames[-1].play.state, None))
                answer = None
                continue
            except GameOver:
                return _GAME
            kind = type(request)
            if kind is Call:
                self._push(request.fn, request.args, frame.play)  # type: ignore[attr-defined]
            elif kind is Inside:
                inner = InnerPlay(frame.play, request.lens)  # type: ignore[attr-defined]
                if inner.lens.over(inner.state):  # nothing is left to play in there
                    frame.given.append(End(frame.play.state, None))
                else:
                    self._push(request.fn, request.args, inner, inner.lens)  # type: ignore[attr-defined]
            else:
                return request if frame.play is self.play else frame.play.outward(request)  # type: ignore[attr-defined]
            answer = None


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

    __slots__ = ("_answers", "_earlier", "_entries", "_first", "_options", "_run", "base", "pending", "state", "system")
    pending: Decision[S, Any] | Chance[S, Any] | None
    _entries: Entry[S] | tuple[Entry[S], ...]
    """Most often it is one, and a long game keeps every position."""
    _answers: tuple[Answer, ...]
    _earlier: Position[S] | None
    _first: int
    """The answers since the last boundary: those with which a position was rebuilt, those since of the positions between, and those of its own
    entries from this one on. A long step would otherwise be copied with every answer."""
    _options: tuple[Any, ...] | None

    def __init__(self, system: System[S], base: S, answers: tuple[Answer, ...] | None = None) -> None:
        """Without answers play begins. With the answers of an earlier position, () too, that position is rebuilt: they are replayed as they stand, and no options are computed."""
        run = Run(Play(base, system.over))
        self.system, self.base, self._run = system, base, [run]
        self._answers, self._earlier, self._first = answers or (), None, 0
        request: Request[Any] | Ended = _GAME if system.over(base) else run.begin(system.step)
        if answers is None:
            self._carry_on(run, request, None, None, base, asked=False)
            return
        for answer in answers:
            if isinstance(request, Ended):
                break
            request = run.answer(request, answer.value)
        if isinstance(request, Ended) and (answers or not system.over(base)):
            raise ValueError("these answers do not belong to this state: its step ends among them")
        self.state, self._entries, self._options = run.play.state, (), None
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
        play, system, forced = run.play, self.system, False
        options: tuple[Any, ...] = ()
        entries: list[Entry[S]] = []
        first = 0 if asking else 1  # the entry with the first answer since the last boundary
        while request is not _GAME:
            if request is _STEP:
                if not asked and play.state == self.base:
                    raise NothingHappens(f"a step of {system.name} neither asked nor rolled nor changed anything")
                self.base, self._answers, self._earlier = play.state, (), None
                first, asked = len(entries) + 1, False
                request = run.begin(system.step)
                continue
            if decision := isinstance(request, Decision):
                options = request.options(play.state)
                count = len(options)
                if not count:
                    raise NoOptions(f"{request!r} offers nothing to choose")
                if count > 1 or request.secret:
                    break
                following = options[0]
            elif roll is not None:
                following, asked = roll(request, play.state), True  # type: ignore[arg-type]
            else:
                options = ()
                break
            entries.append(_entry((asking, answer, forced, tuple(play.events), before)))
            play.events.clear()
            asking, answer, forced, before = request, following, decision, play.state
            request = run.answer(request, answer)
        last = _entry((asking, answer, forced, tuple(play.events), before))
        self._entries = (*entries, last) if entries else last
        if request is _GAME:
            self.base, self._answers, self._earlier = play.state, (), None
            first, options = len(entries) + 1, ()
        self.state, self._first, self._options = play.state, first, options
        self.pending = None if request is _GAME else request  # type: ignore[assignment]

    @property
    def entries(self) -> tuple[Entry[S], ...]:
        """What the last answer did."""
        return (self._entries,) if type(self._entries) is Entry else self._entries  # type: ignore[return-value]

    @property
    def events(self) -> tuple[Event[S], ...]:
        """All that happened in these entries."""
        if type(self._entries) is Entry:
            return self._entries.events
        return tuple([event for entry in self.entries for event in entry.events])

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers since the last boundary."""
        position, since = self, [self.entries[self._first :]]
        while position._earlier is not None:
            position = position._earlier
            since.append(position.entries[position._first :])
        entries = chain.from_iterable(reversed(since))
        return (*position._answers, *[Answer(entry.answer, entry.forced) for entry in entries])

    def preceded_by(self, entries: tuple[Entry[S], ...]) -> None:
        """Let what led to the position before count as its own entries, which does not change its value."""
        self._entries, self._first = (*entries, *self.entries), self._first + len(entries)

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
        # most often it is the very thing, so nothing is compared before all have been looked at
        elif not any(map(is_, self.options, repeat(answer))) and answer not in self.options:
            raise request.refusal(self.state, answer)
        run = self._live()
        new: Position[S] = object.__new__(Position)
        new.system, new.base, new._run = self.system, self.base, [run]
        new._answers, new._earlier = (), self
        run.play.events.clear()
        new._carry_on(run, run.answer(request, answer), request, answer, self.state, asked=True, roll=roll)
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
        top = run.frames[-1]
        return top.fn, top.args, top.state, tuple(top.given), top.play

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
