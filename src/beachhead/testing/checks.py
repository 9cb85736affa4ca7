"""The promises of a system, each as a check of one position, answer or event. `Examiner` knows the game it stands in."""

from __future__ import annotations

import pickle
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NoReturn
from xml.etree import ElementTree as ET

import attrs

from beachhead.dice import Outcomes
from beachhead.errors import IllegalAction, NoOptions, NothingHappens
from beachhead.log import redacted
from beachhead.play import Chance, Decision, Event
from beachhead.position import Entry, Position
from beachhead.rules import cited, first_objection
from beachhead.systems import System
from beachhead.testing.altering import altered
from beachhead.testing.report import KitFailure, Place, difference, shown
from beachhead.within import WithinEvent, innermost

if TYPE_CHECKING:
    from beachhead.codec import Codec

_TRIED = 24
"""Actions from other positions, and as many with altered fields, that are put to the objections of an examined decision."""
_KEPT = 60
"""Actions of each class that are kept to be tried elsewhere."""


def stream(seed: int, game: int, what: str) -> Outcomes:
    """A source of its own for each use, so that no check changes what is played."""
    digest = blake2b(f"{seed}/{game}/{what}".encode(), digest_size=8).digest()
    return Outcomes(int.from_bytes(digest) >> 1)


class Watched:
    """The system, with an eye on every state that its events make."""

    def __init__(self, system: System[Any], seen: Callable[[Any], None]) -> None:
        self._system, self._seen = system, seen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._system, name)

    def over(self, state: Any) -> bool:
        """As the system says; the state has been looked at."""
        self._seen(state)
        return self._system.over(state)


class Examiner:
    """Looks at one game. Whatever it finds wrong is a KitFailure that says where.

    `often` says how often the dearer checks are made: the first two of a kind in a game, and then one in so many.
    """

    def __init__(self, system: System[Any], codec: Codec, place: Place) -> None:
        self.system, self.codec, self.place = system, codec, place
        self.sides = (*system.sides, None)
        self.events, self.requests, self.rules = Counter[str](), Counter[str](), set[str]()
        self.examined = self.forced = self.hidden = self.dealt = 0
        self._kinds, self._picks = Counter[str](), 0
        self._source = stream(place.seed, place.game, "checks")
        self._pool = dict[type, dict[Any, None]]()
        self._views = dict[Any, Any]()
        self._state: Any = None

    # -------------------------------------------------------- saying what is wrong
    def fail(self, check: str, expected: object, found: object) -> NoReturn:
        """Raise a KitFailure for this place."""
        raise KitFailure(check, self.place, shown(expected), shown(found))

    def equal(self, check: str, expected: Any, found: Any) -> None:
        """Fail unless the two are equal, and show where they part."""
        if expected != found:
            a, b = difference(expected, found)
            self.fail(check, a, b)

    @contextmanager
    def guarded(self, what: str) -> Iterator[None]:
        """An error of the rules' code meanwhile is a failure, too."""
        try:
            yield
        except KitFailure:
            raise
        except NoOptions as error:
            raise KitFailure("no dead ends", self.place, "something to choose from", str(error)) from error
        except NothingHappens as error:
            raise KitFailure("no empty steps", self.place, "a question, a roll or a change", str(error)) from error
        except RecursionError as error:
            raise KitFailure(f"no errors while {what}", self.place, "no endless recursion", str(error)) from error
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            raise KitFailure(f"no errors while {what}", self.place, "no error", text) from error

    # -------------------------------------------------------- how often
    def pick(self, below: int) -> int:
        """A number below this, always the same at this point of this game."""
        self._picks += 1
        return self._source.number(self._picks, below)

    def due(self, what: str, often: int) -> bool:
        """Whether a dearer check is made: the first two of a kind, then one in `often`."""
        self._kinds[what] += 1
        return self._kinds[what] <= 2 or self.pick(often) == 0

    # -------------------------------------------------------- states
    def invariants(self, state: Any) -> None:
        """What the system itself says of its states."""
        try:
            self.system.check_invariants(state)
        except AssertionError as error:
            raise KitFailure(
                "invariants", self.place, "a state that play can reach", str(error) or shown(state)
            ) from error

    def start(self, state: Any) -> None:
        """The state before the first step, and what the system says around it."""
        with self.guarded("asking the system about its first state"):
            self._state, self._views = state, {}
            self.invariants(state)
            if not isinstance(state, self.system.state):
                self.fail("the state is of the system's class", self.system.state.__name__, type(state).__name__)
            if not all(isinstance(text, str) for text in self.system.unread(state)):
                self.fail("unread is told in texts", "texts", self.system.unread(state))
            self.picture(state)

    def picture(self, state: Any) -> None:
        """The board as SVG."""
        picture = self.system.picture(state)
        try:
            root = ET.fromstring(picture)  # noqa: S314  (our own)
        except ET.ParseError as error:
            self.fail("the picture is SVG", "XML", f"{error}: {picture}")
        if not root.tag.endswith("svg"):
            self.fail("the picture is SVG", "an svg element", root.tag)

    def json(self, value: Any, what: str, hint: Any = Any) -> str:
        """A value survives JSON. Returns the text."""
        with self.guarded(f"writing {what} as JSON"):
            text = self.codec.dumps(value, hint)
        with self.guarded(f"reading {what} from JSON"):
            again = self.codec.loads(text, hint)
        self.equal(f"{what} survives JSON", value, again)
        if isinstance(value, Hashable) and hash(again) != hash(value):
            self.fail(f"{what} survives JSON with its hash", hash(value), hash(again))
        if (twice := self.codec.dumps(again, hint)) != text:
            self.fail(f"{what} has one JSON text", text, twice)
        return text

    def written(self, value: Any, what: str) -> None:
        """A value survives JSON, and its `repr` is Python that rebuilds it."""
        self.json(value, what)
        with self.guarded(f"reading the repr of {what}, {value!r}, as Python"):
            again = eval(repr(value), self._python | {cls.__name__: cls for cls in _classes(value)})  # noqa: S307
        self.equal(f"the repr of {what} rebuilds it", value, again)

    @cached_property
    def _python(self) -> dict[str, Any]:
        """The names in which a `repr` speaks: dice and the like. Classes that share a name are told apart by the value."""
        modules = [sys.modules[name] for name in dict.fromkeys(cls.__module__ for cls in self.codec.names.tags)]
        return {name: thing for module in modules for name, thing in vars(module).items()}

    def view(self, state: Any, side: Any) -> Any:
        """A side's view."""
        view = self.system.view(state, side)
        if not isinstance(view, self.system.state):
            self.fail("a view is a state", self.system.state.__name__, type(view).__name__)
        return view

    # -------------------------------------------------------- what happened
    def entries(self, entries: tuple[Entry[Any], ...], after: Any) -> None:
        """The log of an answer: its events lead from the state before to the one after, in truth and in every view."""
        for entry in entries:
            self.equal("an entry of the log begins where the last one ended", self._state, entry.before)
            self.forced += entry.forced
            if isinstance(entry.request, Decision | Chance):
                self.requests[type(innermost(entry.request)).__name__] += 1
                self._cited(cited(entry.request.rule))
            if entry.forced and isinstance(entry.request, Decision):
                self.decision(entry.before, entry.request, (entry.answer,))
            for event in entry.events:
                self.event(event)
        self.equal("the events lead to the state", after, self._state)

    def event(self, event: Event[Any]) -> None:
        """One event: it folds, every side is told what makes its view, and it has rules, a text and a JSON form."""
        before, name = self._state, type(_inner(event)).__name__
        with self.guarded(f"folding {name}"):
            after = event.fold(before)
        self.events[name] += 1
        if self.due(f"told {name}", 4):
            with self.guarded(f"telling each side of {name}"):
                for side in self.sides:
                    view = self._views[side] if side in self._views else self.view(before, side)
                    seen, expected = event.seen_by(side), self.view(after, side)
                    self.equal(f"{name} as told to {side} folds into the view of {side}", expected, seen.fold(view))
                    self._views[side] = expected
                    if not seen.text(view):
                        self.fail("an event has a text", "a sentence", f"nothing for {seen!r}")
                if not event.text(before):
                    self.fail("an event has a text", "a sentence", f"nothing for {event!r}")
        else:
            self._views.clear()
        if self.due(f"JSON of {name}", 8):
            self.written(event, "an event")
        self._cited(event.rules)
        self._state = after

    def _cited(self, rules: tuple[str, ...]) -> None:
        if not rules or not all(isinstance(rule, str) and ":" in rule for rule in rules):
            self.fail("everything cites its rule", "ids like 'system:1.2'", rules)
        self.rules.update(rules)

    # -------------------------------------------------------- where it stands
    def standing(self, position: Position[Any]) -> None:
        """What holds of every position."""
        state, pending = position.state, position.pending
        with self.guarded("asking the system where the game stands"):
            over, result = self.system.over(state), self.system.result(state)
            if over != (pending is None) or over != (result is not None):
                found = f"over {over}, result {result}, {'nothing' if pending is None else shown(pending)} is asked"
                self.fail("a game is over when it has a result and nothing is asked", "all or none of the three", found)
            if not isinstance(self.system.phase(state), str) or not self.system.phase(state):
                self.fail("a phase has a name", "a text", self.system.phase(state))
            if result is not None and result.winner is not None and result.winner not in self.system.sides:
                self.fail("a side wins, or nobody", self.system.sides, result.winner)
        self.rebuilt(position)
        if isinstance(pending, Decision):
            self.decision(state, pending, position.options, position)
        elif isinstance(pending, Chance):
            self.chance(position, pending)

    def rebuilt(self, position: Position[Any]) -> None:
        """The position rebuilt from its plain data equals the live one; so does the one out of a pickle."""
        with self.guarded("rebuilding the position"):
            again = [Position(position.system, position.base, position.answers)]
            if self.due("pickle", 6):
                again.append(pickle.loads(pickle.dumps(position)))  # noqa: S301  (our own)
        for other in again:
            self.equal("a rebuilt position has the live state", position.state, other.state)
            self.equal("a rebuilt position asks the same", position.pending, other.pending)
            self.equal("a rebuilt position offers the same in the same order", position.options, other.options)
            if other != position or hash(other) != hash(position):
                self.fail("a rebuilt position equals the live one", position, other)
            if hash(other.state) != hash(position.state):
                self.fail("equal states have one hash", hash(position.state), hash(other.state))

    def after(self, position: Position[Any], answer: Any) -> Position[Any]:
        """The position after an answer."""
        with self.guarded(f"answering {shown(answer)}"):
            return position.after(answer)

    def branched(self, position: Position[Any], answer: Any, one: Position[Any]) -> None:
        """A second branch from the same position, without the live run, comes to the same."""
        state = position.state
        with self.guarded(f"answering {shown(answer)} a second time"):
            two = position.after(answer)
        self.equal("a second branch comes to the same state", one.state, two.state)
        self.equal("a second branch asks the same", one.pending, two.pending)
        self.equal("a second branch has the same log", one.entries, two.entries)
        if one != two or position.state is not state:
            self.fail("a second branch comes to the same position", one, two)

    # -------------------------------------------------------- decisions
    def decision(
        self,
        state: Any,
        decision: Decision[Any, Any],
        options: tuple[Any, ...],
        position: Position[Any] | None = None,
    ) -> None:
        """A decision: who, why, and between what. A forced one has no position of its own."""
        name = type(innermost(decision)).__name__
        if decision.side not in self.system.sides:
            self.fail("a side decides", self.system.sides, decision.side)
        if not isinstance(decision.prompt, str) or not decision.prompt:
            self.fail("a decision has a prompt", "a text", decision.prompt)
        strange = [option for option in options if not isinstance(option, decision.kinds)]
        if strange:
            kinds = ", ".join(kind.__name__ for kind in decision.kinds)
            kinds = kinds or "some are named, without quotes: class Choose(Decision[State, This | That])"
            self.fail("options are of the decision's kinds", kinds, strange[0])
        self._distinct("no option is offered twice", options)
        with self.guarded("writing the options as texts"):
            labels = self.system.labels(state)
            texts = {option: self.codec.text(option, labels) for option in options}
        self._distinct("each option has a text of its own", tuple(texts.values()))
        with self.guarded("finding the options in the side's view"):
            own = decision.options(self.view(state, decision.side))
        self.equal("a side's own options are the same in its view", options, own)
        if self.due(f"examine {name}, {'asked' if position else 'forced'}", 6):
            self.examined += 1
            for option in options:
                if self.due(f"text of {type(option).__name__}", 8):
                    with self.guarded(f"reading the text {texts[option]!r}"):
                        again = self.codec.parse(texts[option], labels, decision.kinds)
                    self.equal("an action survives its text", option, again)
                    self.written(option, "an action")
            self.written(decision, "a decision")
            refused = self.agreement(state, decision, options)
            if position is not None:
                self.json(state, "a state", self.system.state)
                self.json(Position(self.system, position.base, position.answers), "a position", Position)
                self.resampled(position)
                for action in refused[:1]:
                    self.refusal(position, action)
        for option in options:
            pool = self._pool.setdefault(type(option), {})
            if option not in pool and (len(pool) < _KEPT or self.pick(10) == 0):
                pool[option] = None
                if len(pool) > _KEPT:
                    del pool[next(iter(pool))]

    def _distinct(self, check: str, things: tuple[Any, ...]) -> None:
        if len(set(things)) != len(things):
            twice = next(thing for thing, n in Counter(things).items() if n > 1)
            self.fail(check, "each once", f"{shown(twice)} more than once")

    def agreement(self, state: Any, decision: Decision[Any, Any], options: tuple[Any, ...]) -> list[Any]:
        """An action of the decision's kinds is an option if and only if nothing is said against it, wherever it comes from.

        Returns those that were refused.
        """
        pool = [action for kind in decision.kinds for action in (*self._pool.get(kind, ()), *_plain(kind))]
        elsewhere = [pool[self.pick(len(pool))] for _ in range(_TRIED)] if pool else []
        changed = [
            action for _ in range(_TRIED // 4) for action in altered(options[self.pick(len(options))], pool, self.pick)
        ]
        refused, offered = list[Any](), frozenset(options)
        for action in dict.fromkeys((*options, *elsewhere, *changed[:_TRIED])):
            with self.guarded(f"objecting to {shown(action)}"):
                against = first_objection(decision.objections(state, action))
                reason = str(against)
            if against is None and action not in offered:
                self.fail("what nothing is said against is an option", f"an objection to {shown(action)}", "none")
            if against is not None and action in offered:
                self.fail("nothing is said against an option", f"no objection to {shown(action)}", reason)
            if against is not None:
                self._cited(against.rules)
                refused.append(action)
        return refused

    def refusal(self, position: Position[Any], action: Any) -> None:
        """A refused action says why, and changes nothing."""
        state, pending = position.state, position.pending
        with self.guarded(f"refusing {shown(action)}"):
            try:
                position.after(action)
            except IllegalAction as error:
                against = error.verdict
            else:
                self.fail("what is no option is refused", f"IllegalAction for {shown(action)}", "it was taken")
            text = str(against)
        if against.ok or not text:
            self.fail("a refusal says why", "objections", text)
        if position.state is not state or position.pending is not pending:
            self.fail("a refusal changes nothing", state, position.state)

    # -------------------------------------------------------- chances
    def chance(self, position: Position[Any], chance: Chance[Any, Any]) -> None:
        """A roll or draw: every outcome once, with a weight, and readings that are values."""
        state, name = position.state, type(innermost(chance)).__name__
        with self.guarded(f"finding the outcomes of {name}"):
            outcomes = tuple(chance.outcomes(state))
            again = tuple(chance.outcomes(state))
        self.equal("a chance has the same outcomes in the same order", outcomes, again)
        if not outcomes:
            self.fail("a chance has outcomes", "one at least", chance)
        bad = [(outcome, weight) for outcome, weight in outcomes if type(weight) is not int or weight < 1]
        if bad:
            self.fail("weights are positive integers", "1 or more", f"{bad[0][1]!r} for {shown(bad[0][0])}")
        with self.guarded(f"reading the outcomes of {name}"):
            self._distinct("each outcome stands there once", tuple(outcome for outcome, _ in outcomes))
            for outcome, _ in outcomes:
                reading = chance.read(outcome)
                if not isinstance(reading, Hashable) or hash(reading) != hash(chance.read(outcome)):
                    self.fail("readings are values", "equal hashes", shown(reading))
        if self.due(f"examine {name}", 6):
            self.examined += 1
            self.written(chance, "a chance")
            self.json(outcomes[self.pick(len(outcomes))][0], "an outcome")
            self.resampled(position)
            self.hidden_draw(position, chance, tuple(outcome for outcome, _ in outcomes))

    def hidden_draw(self, position: Position[Any], chance: Chance[Any, Any], outcomes: tuple[Any, ...]) -> None:
        """A side that is not told an outcome cannot tell one from another by anything that it receives."""
        blind = [side for side in self.sides if not chance.answer_seen_by(side)]
        if not blind or len(outcomes) == 1:
            return
        first = self.pick(len(outcomes))
        second = (first + 1 + self.pick(len(outcomes) - 1)) % len(outcomes)
        with self.guarded("following a hidden draw"):
            one, two = position.after(outcomes[first]), position.after(outcomes[second])
            told = {side: (self._received(one, side), self._received(two, side)) for side in blind}
        for side, (this, that) in told.items():
            self.equal(f"a hidden draw leaks nothing to {side}", this, that)

    def _received(self, position: Position[Any], side: Any) -> tuple[Any, ...]:
        """All that a side learns from an answer: state, log, what is asked, and its own options."""
        own = isinstance(position.pending, Decision) and position.pending.side == side
        log = tuple(redacted(entry, side, self.system.view) for entry in position.entries)
        return self.view(position.state, side), log, position.pending, position.options if own else ()

    # -------------------------------------------------------- what is hidden
    def resampled(self, position: Position[Any]) -> None:
        """Deal again what a side cannot see: it sees, may do and is asked the same."""
        state, pending = position.state, position.pending
        for side in self.sides:
            with self.guarded(f"dealing again what {side} cannot see"):
                view = self.view(state, side)
                other = self.system.resample(state, side, self.pick)
                seen = self.view(other, side)
                twice = self.view(view, side)
            self.equal(f"the view of {side} leaks nothing", view, seen)
            self.equal(f"the view of a view of {side} is that view", view, twice)
            self.invariants(other)
            self.hidden += view != state
            self.dealt += other != state
            if other == state:
                continue
            with self.guarded(f"asking on what {side} may suppose"):
                if isinstance(pending, Decision):
                    options = pending.options(other)
                    if pending.side == side:
                        self.equal(f"the options of {side} leak nothing", position.options, options)
                    elif not pending.secret and (len(options) > 1) != (len(position.options) > 1):
                        found = f"{len(position.options)} options or {len(options)}, and no secret decision"
                        self.fail("being asked tells nothing", f"{side} cannot tell whether a choice is forced", found)
                if not position.answers and state == position.base:  # a step may change things before it asks
                    asked = Position(position.system, other, ()).pending
                    self.equal(f"what is asked tells {side} nothing", pending, asked)


def _inner(event: Event[Any]) -> Event[Any]:
    while isinstance(event, WithinEvent):
        event = event.event
    return event


@cache
def _plain(kind: type) -> tuple[Any, ...]:
    """The action of a class that needs no fields."""
    try:
        return (kind(),)
    except (TypeError, ValueError):
        return ()


def _classes(value: Any) -> Iterator[type]:
    """The classes that a value is made of."""
    yield type(value)
    if attrs.has(type(value)):
        for a in attrs.fields(type(value)):
            yield from _classes(getattr(value, a.name))
    elif isinstance(value, tuple | list | frozenset):
        for part in value:
            yield from _classes(part)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from (*_classes(key), *_classes(part))
