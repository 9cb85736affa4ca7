"""Rules as procedures: what a procedure may await, and how it changes the state.

A procedure is `async def f(play, *values) -> T`. It reads `play.state`, records events, and awaits three things: a `Decision` (a side
chooses; the answer is an action), a `Chance` (a roll or draw; the answer is its reading), and a `call` of another procedure. Nothing else.
Its values are small and hashable. There is no event loop: `await` means that play waits for an answer, and a small driver gives it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from hashlib import sha256
from types import UnionType
from typing import Any, ClassVar, Concatenate, Generic, ParamSpec, Protocol, TypeVar, Union, cast, get_args, get_origin

import attrs
from attrs import define, frozen

from beachhead.errors import IllegalAction
from beachhead.rules import Objection, Verdict, unopposed, verdict

S = TypeVar("S")
B = TypeVar("B")
T = TypeVar("T")
A = TypeVar("A")
R = TypeVar("R")
P = ParamSpec("P")
Fixed = TypeVar("Fixed", bound="Setting")
Procedure = Callable[..., Coroutine[Any, Any, Any]]


class Unknown(Enum):
    """What stands in a view for a thing that its viewer may not see."""

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown.UNKNOWN


# ------------------------------------------------------------ what one scenario fixes for good
_settings = dict[tuple[type, str], Any]()


@frozen(eq=False)
class Setting:
    """What one scenario fixes for good: board, charts, rulings, options. A state holds it in a field named `setting`.

    It is interned by `key`. Equality and hash go by the key (and class), never by the contents, so they cost nothing, and states that are
    alike but stand on different maps or under different rulings are different. So that a key never lies, a second setting under a key must
    have the same contents. It is pickled by its key: who unpickles must have loaded the scenario first. A subclass is `@frozen(eq=False)`.
    """

    key: str

    def __init_subclass__(cls) -> None:
        if "__eq__" in vars(cls):
            raise TypeError(f"{cls.__name__} is a Setting and equal by its key: declare it @frozen(eq=False)")

    def __attrs_post_init__(self) -> None:
        known = _settings.setdefault((type(self), self.key), self)
        if known is not self and any(
            getattr(known, a.name) != getattr(self, a.name) for a in attrs.fields(type(self)) if a.eq is not False
        ):
            raise ValueError(f"another {type(self).__name__} is already known as {self.key!r}")

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Setting) and type(self) is type(other) and self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)

    def __reduce__(self) -> tuple[Any, ...]:
        return setting_of, (type(self), self.key)


def setting_of(kind: type[T], key: str) -> T:
    """The setting that is known by this key.

    Raises:
        LookupError: its scenario has not been loaded in this process.
    """
    try:
        return cast(T, _settings[kind, key])
    except KeyError:
        raise LookupError(f"load the scenario of {kind.__name__} {key!r} before a state that stands on it") from None


def setting_with(kind: type[Fixed], name: str, contents: Iterable[str], /, **parts: Any) -> Fixed:
    """The setting with these contents: the one that is known already, with what it has computed, or a new one.

    Args:
        kind: its class.
        name: what its key begins with. The rest is a digest: the same for the same contents in any process, and another for others.
        contents: all that makes it what it is, in words.
        parts: its fields but the key.
    """
    digest = sha256("\n".join(contents).encode()).hexdigest()
    key = f"{name}#{digest[:12]}"
    kind(key, **parts)
    return setting_of(kind, key)


def by_key(setting: Setting) -> str:
    """The setting as Python that finds it again, for the field that holds it: `setting: Board = field(repr=by_key)`."""
    return f"setting_of({type(setting).__name__}, {setting.key!r})"


# ------------------------------------------------------------ requests
_NO_ACTION: Mapping[type, str] = {
    str: "that is a text: game.do(text) takes it, and game.parse(text) is the action that it means",
    type(
        None
    ): "that is no action: one of the options is expected, which are in game.legal_actions() and given to a policy",
}


class Request(Generic[T]):
    """What a procedure may await; T is the type of the answer."""

    __slots__ = ()

    def __await__(self) -> Generator[Request[Any], Any, T]:
        return (yield self)  # type: ignore[no-any-return]

    def answer_seen_by(self, side: object) -> bool:
        """Whether this side (None: a neutral observer) is told the answer itself; what follows from it, events tell."""
        return True


class Decision(Request[A], Generic[S, A]):
    """A side must choose. Small facts only: the state comes as an argument, so a decision is cheap to compare, print and save.

    `side`, `rule` and `prompt` are attributes of the class or fields. Actions are frozen classes with names; `kinds` lists those that A
    names. An option is a candidate without a first objection, so the options and the reasons can never disagree.
    """

    __slots__ = ()
    kinds: ClassVar[tuple[type, ...]] = ()
    secret: ClassVar[bool] = False
    """Asked even when only one option is left, because who is asked would tell what he holds; only he is told the answer."""
    side: Any
    rule: str
    prompt: str

    def __init_subclass__(cls) -> None:
        for base in getattr(cls, "__orig_bases__", ()):
            if get_origin(base) is Decision and "kinds" not in vars(cls):
                action = get_args(base)[1]
                named = get_args(action) if get_origin(action) in (Union, UnionType) else (action,)
                cls.kinds = tuple(kind for kind in named if isinstance(kind, type) and kind is not Any)

    def candidates(self, state: S, /) -> Iterable[A]:
        """A tight, cheap superset of the options, in a stable order; of those that are not certain."""
        return ()

    def certain(self, state: S, /) -> Iterable[A]:
        """Options that were found by what the objections ask, such as all hexes within reach: they need not be put to them one by one.

        They come before the candidates and are none of them. The test kit puts them to the objections all the same.
        """
        return ()

    def objections(self, state: S, action: A, /) -> Iterator[Objection]:
        """Every reason against an action of one of `kinds`, a candidate or not."""
        return iter(())

    def options(self, state: S, /) -> tuple[A, ...]:
        """What is certain, and the candidates against which nothing is said."""
        certain, candidates = self.certain(state), self.candidates(state)
        if not candidates:
            return tuple(certain)
        return (*certain, *unopposed(candidates, self.objections, state))

    def foreign(self, state: S, action: object, /) -> Iterator[Objection]:
        """What is said against an action of another kind. A system adds the rule that puts it elsewhere ("all moves come before battles")."""
        yield Objection(self.rule, "what is being decided is: {}", (self.prompt,))

    def verdict(self, state: S, action: object) -> Verdict:
        """Everything that is said against an action; of one of another kind, what is being decided."""
        of_this_kind = isinstance(action, self.kinds)
        return verdict(self.objections(state, cast(A, action)) if of_this_kind else self.foreign(state, action))

    def refusal(self, state: S, action: object) -> IllegalAction:
        """The error for an action that is not an option; for what is no action at all, it says what would be one."""
        if not isinstance(action, self.kinds) and (hint := _NO_ACTION.get(type(action))):
            return IllegalAction(self, action, Verdict((Objection(self.rule, hint),)))
        against = self.verdict(state, action)
        if against:  # nothing is said against it, and yet it was not found among the options
            against = verdict(iter((Objection(self.rule, "{!r} is not one of the options", (action,)),)))
        return IllegalAction(self, action, against)

    def answer_seen_by(self, side: object) -> bool:
        """The answer to a secret decision is its maker's own."""
        return not self.secret or side == self.side


class Chance(Request[R], Generic[S, R]):
    """Outcomes with integer weights; what `read` says of an outcome is all that the procedure sees of it, so outcomes that read alike are alike."""

    __slots__ = ()
    rule: str

    def outcomes(self, state: S, /) -> Sequence[tuple[Any, int]]:
        """Every outcome once, with its weight, a positive integer."""
        raise NotImplementedError

    def read(self, outcome: Any, /) -> R:
        """What the procedure is told."""
        raise NotImplementedError

    def outcome(self, given: Any, /) -> Any:
        """The outcome that somebody means who writes `given` in a script: dice in any order, a card by its name."""
        return given

    def text(self, outcome: Any, state: S, /) -> str:
        """The line of the narrative; "" where the events that follow say it all."""
        return ""


# ------------------------------------------------------------ calls
# Calls and hand-overs are made by the thousand and never changed; to make them frozen would cost as much again.
@define(unsafe_hash=True)
class Call(Request[T]):
    """Await another procedure. Its outcome depends on the function, its values and the state alone, so odds are merged here."""

    fn: Procedure
    args: tuple[Any, ...]


@define(unsafe_hash=True)
class Then(Generic[T]):
    """A procedure may end by handing over to another, or to itself: the next round of a loop without a last one."""

    fn: Procedure
    args: tuple[Any, ...]


@frozen
class Inside(Request[T]):
    """Await a procedure of another system, played within a part of this state."""

    lens: Lens[Any, Any]
    fn: Procedure
    args: tuple[Any, ...]


def call(
    fn: Callable[Concatenate[Play[S], P], Coroutine[Any, Any, T | Then[T]]], *args: P.args, **kw: P.kwargs
) -> Call[T]:
    """Another procedure, to be awaited."""
    return Call(fn, _positional(fn, args, kw) if kw else args)


def then(
    fn: Callable[Concatenate[Play[S], P], Coroutine[Any, Any, T | Then[T]]], *args: P.args, **kw: P.kwargs
) -> Then[T]:
    """Another procedure, to be returned as what comes next."""
    return Then(fn, _positional(fn, args, kw) if kw else args)


def inside(
    lens: Lens[S, B],
    fn: Callable[Concatenate[Play[B], P], Coroutine[Any, Any, T | Then[T]]],
    *args: P.args,
    **kw: P.kwargs,
) -> Inside[T]:
    """Another system's procedure, to be awaited on the part of the state that the lens shows.

    Its decisions come out as `Within`, its chances as `WithinChance`, its events as `WithinEvent`. When the inner game ends, whatever was
    running inside ends there, and the await answers None.
    """
    return Inside(lens, fn, _positional(fn, args, kw) if kw else args)


_signature = cache(inspect.signature)


def _positional(fn: Callable[..., Any], args: tuple[Any, ...], kw: Mapping[str, Any]) -> tuple[Any, ...]:
    """Keywords become positions, so that equal calls are equal however they are written."""
    bound = _signature(fn).bind(None, *args, **kw)
    bound.apply_defaults()
    if bound.kwargs:
        raise TypeError(f"{fn.__name__} has parameters that cannot be given by position")
    return bound.args[1:]


# ------------------------------------------------------------ events
class Event(Generic[S]):
    """A change of the state, and the only way it changes. `rule` (a field or an attribute) cites what made it happen."""

    __slots__ = ()
    bookkeeping: ClassVar[bool] = False
    """Left out of the narrative."""
    begins_turn: ClassVar[bool] = False
    """The turns of a game are counted by these events."""
    rule: str | tuple[str, ...]

    def fold(self, state: S, /) -> S:
        """The state afterwards."""
        raise NotImplementedError

    def seen_by(self, side: Any) -> Event[S]:
        """What this side (None: a neutral observer) is told of the event. Folded into that side's view it gives the view of what follows."""
        return self

    def text(self, state: S, /) -> str:
        """A sentence of the narrative.

        Args:
            state: the one just before the event. In the state of a game that has gone on the sentence may be untrue: what has happened there
                is told by `Game.news` and `Game.log`, which know the state before each event.
        """
        values = ", ".join(str(getattr(self, a.name)) for a in attrs.fields(type(self)) if a.name != "rule")  # type: ignore[arg-type]
        return f"{_words(type(self).__name__)} {values}".strip()

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule the event cites: its own, and those of the breakdowns it carries."""
        own = [self.rule] if isinstance(self.rule, str) else list(self.rule)
        for name in getattr(self, "__match_args__", ()):
            own += getattr(getattr(self, name), "rules", ())
        return tuple(dict.fromkeys(own))


@cache
def _words(name: str) -> str:
    return "".join(f" {c.lower()}" if c.isupper() else c for c in name).strip()


class GameOver(BaseException):
    """Raised by `Play.record` when the folded state has a result: whatever was running ends there, callers too."""


class Play(Generic[S]):
    """Where a procedure is carried out: the state now, and the one way to change it."""

    __slots__ = ("events", "over", "state")
    state: S

    def __init__(self, state: S, over: Callable[[S], bool]) -> None:
        self.state, self.over = state, over
        self.events: list[Event[S]] = []

    @property
    def lenses(self) -> tuple[Lens[Any, Any], ...]:
        """How to get from the outermost state to this one."""
        return ()

    def record(self, event: Event[S]) -> None:
        """Let this happen. Raises GameOver (no Exception) when it decides the game."""
        self.state = state = event.fold(self.state)
        self.events.append(event)
        if self.over(state):
            raise GameOver


# ------------------------------------------------------------ one system within another's state
class Lens(Protocol[S, B]):
    """The part of a state that another system plays on. A lens is a small hashable value.

    What was put is what one gets, and putting twice is putting the last: `put(put(s, a), b) == put(s, b)`.
    """

    def get(self, state: S, /) -> B:
        """The inner state."""
        ...

    def put(self, state: S, inner: B, /) -> S:
        """The state with another inner state."""
        ...

    def over(self, inner: B, /) -> bool:
        """Whether the inner game has ended."""
        ...
