"""Exact odds, by running the rules themselves: merged at every call, loops solved as linear equations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from html import escape
from typing import Any, Generic, TypeVar

from beachhead.dice import Outcomes
from beachhead.errors import EndlessProcedure, NeedsPolicy, NoOptions, TooManyBranches
from beachhead.play import Call, Chance, Decision, GameOver, Inside, Lens, Play, Procedure, Request, Then
from beachhead.policies import blamed, by_type
from beachhead.position import End
from beachhead.systems import Policy
from beachhead.within import Within, innermost

S = TypeVar("S")
V = TypeVar("V")
W = TypeVar("W")
Key = tuple[Procedure, tuple[Any, ...], Any, tuple[Any, ...]]
"""A procedure, its values, the state it begins in, and what it has been given already."""
Ends = dict[End, Fraction]


class Distribution(Mapping[V, Fraction]):
    """How likely each value is, exactly: the chances sum to 1. `assumptions` says what was taken for granted; `runs` is set for a sample.

    >>> coin = Distribution({"heads": Fraction(1, 2), "tails": Fraction(1, 2)})
    >>> coin["heads"], coin.p(lambda side: side == "edge"), coin.by(len)
    (Fraction(1, 2), Fraction(0, 1), Distribution({5: 1}))
    """

    def __init__(
        self, chances: Mapping[V, Fraction], assumptions: tuple[str, ...] = (), runs: int | None = None
    ) -> None:
        self._chances = {value: p for value, p in chances.items() if p}
        self.assumptions, self.runs = assumptions, runs
        if sum(self._chances.values()) != 1:
            raise ValueError(f"chances must sum to 1, not {sum(self._chances.values())}")

    def __getitem__(self, value: V) -> Fraction:
        return self._chances.get(value, Fraction(0))

    def __iter__(self) -> Iterator[V]:
        return iter(self._chances)

    def __len__(self) -> int:
        return len(self._chances)

    def __contains__(self, value: object) -> bool:
        return value in self._chances

    def p(self, predicate: Callable[[V], bool]) -> Fraction:
        """The chance that this is true of the value."""
        return sum((p for value, p in self._chances.items() if predicate(value)), Fraction(0))

    def at_least(self, n: Any) -> Fraction:
        """The chance of this number or more."""
        return self.p(lambda value: bool(value >= n))

    def mean(self) -> Fraction:
        """The mean of a distribution of numbers."""
        return sum((p * Fraction(value) for value, p in self._chances.items()), Fraction(0))  # type: ignore[call-overload]

    def by(self, key: Callable[[V], W]) -> Distribution[W]:
        """The distribution of something that the value decides.

        Raises:
            TypeError: it is a list, or something else that cannot be counted.
        """
        found: dict[W, Fraction] = {}
        for value, p in self._chances.items():
            what = key(value)
            try:
                hash(what)
            except TypeError:
                kind = type(what).__name__
                raise TypeError(f"the answer is a {kind}, which cannot be counted: return a tuple, say") from None
            _add(found, {what: p})
        return Distribution(found, self.assumptions, self.runs)

    def interval(self, value: V, z: float = 1.96) -> tuple[float, float]:
        """For a sample, the Wilson interval of a value's chance (z = 1.96: 95 %); for exact odds, the chance twice."""
        p = float(self[value])
        if self.runs is None:
            return p, p
        n = self.runs
        middle, spread = p + z * z / (2 * n), z * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
        return max(0.0, (middle - spread) / (1 + z * z / n)), min(1.0, (middle + spread) / (1 + z * z / n))

    def _rows(self) -> list[tuple[V, Fraction]]:
        try:
            return sorted(self._chances.items())
        except TypeError:
            return sorted(self._chances.items(), key=lambda row: -row[1])

    def __repr__(self) -> str:
        chances = "{" + ", ".join(f"{value!r}: {p}" for value, p in self._rows()) + "}"
        return f"Distribution({chances}{f', sample of {self.runs}' if self.runs else ''})"

    def __str__(self) -> str:
        lines = [f"{float(p):7.2%}  {value}" + (f"  ({p})" if self.runs is None else "") for value, p in self._rows()]
        if self.runs is not None:
            lines.append(f"a sample of {self.runs} runs, not exact")
        return "\n".join(lines + [f"assuming: {what}" for what in self.assumptions])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(str(value))}</td><td align=right>{float(p):.2%}</td><td>{p}</td></tr>"
            for value, p in self._rows()
        )
        notes = "".join(f"<p>assuming: {escape(what)}</p>" for what in self.assumptions)
        sample = f"<p>a sample of {self.runs} runs, not exact</p>" if self.runs else ""
        return f"<table>{rows}</table>{sample}{notes}"


def of_end(by: Callable[[S], V]) -> Callable[[End], V]:
    """What is asked of the state at the end, asked of an end.

    Raises:
        TypeError: it is no function.
    """
    if not callable(by):
        raise TypeError(
            f"by is {by!r}, and a function of the state at the end is expected: by=lambda after: after.turn"
        )
    return lambda end: by(end.state)


class Odds(Generic[S]):
    """A walker of all the ways a procedure can go.

    `bound` limits the branches of one question. After any error the walker can be asked again. One walker keeps one policy: what it
    remembers rests on it. `viewer` is the side on whose view the odds run: the other side's secret decisions are then taken to be
    declined unless the policy answers them, and `assumptions` says so.
    """

    def __init__(
        self,
        over: Callable[[S], bool],
        policy: Policy | None = None,
        *,
        bound: int = 200_000,
        view: Callable[[S, Any], S] | None = None,
        viewer: Any = None,
    ) -> None:
        self.over, self.policy, self.bound = over, policy or by_type({}), bound
        self.view, self.viewer = view or (lambda state, side: state), viewer
        self.assumptions = dict[str, None]()
        self.runs, self._memo, self._busy = 0, dict[Key, Ends](), set[Key]()
        self._around: tuple[Odds[Any], Lens[Any, Any], Any] | None = None
        self._inner = dict[tuple[Lens[Any, Any], Any], Odds[Any]]()
        self._samples = dict[Lens[Any, Any], Any]()

    def of(self, fn: Procedure, args: tuple[Any, ...], state: S, given: tuple[Any, ...] = ()) -> Mapping[End, Fraction]:
        """How a procedure ends, begun in this state with these values, and already given these answers.

        Raises:
            NeedsPolicy: a decision that the policy does not answer.
            TooManyBranches: more than `bound` branches.
            EndlessProcedure: a loop without a way out.
        """
        if self.over(state):
            return {End(state, None, over=True): Fraction(1)}
        start: Key = (fn, args, state, given)
        if start in self._memo:
            return self._memo[start]
        if start in self._busy:
            raise RecursionError(f"{fn.__name__} calls itself in the same state; end it with then(...) instead")
        if not self._busy and self._around is None:
            self.runs = 0
        self._busy.add(start)
        try:
            self._memo.update(self._solved(start))
        finally:
            self._busy.discard(start)
        return self._memo[start]

    def _solved(self, start: Key) -> dict[Key, Ends]:
        """One equation for the procedure and each that its `then`s lead to: row = ends + a share of other rows. Eliminate one unknown after the other."""
        rows: dict[Key, tuple[Ends, dict[Key, Fraction]]] = {}
        todo = [start]
        while todo:
            key = todo.pop()
            if key in rows:
                continue
            ends, nexts = rows[key] = (dict(self._memo.get(key, {})), {})
            for weight, end in () if ends else self._branches(*key):
                if type(end.value) is Then:
                    following: Key = (end.value.fn, end.value.args, end.state, ())
                    _add(nexts, {following: weight})
                    todo.append(following)
                else:
                    _add(ends, {end: weight})
        for key in list(rows)[::-1]:
            ends, nexts = rows[key]
            if stay := nexts.pop(key, None):
                if stay == 1:
                    raise EndlessProcedure(
                        f"{key[0].__name__}{key[1]!r} has no way out: every branch of it leads to another round"
                    )
                _scale(ends, 1 / (1 - stay))
                _scale(nexts, 1 / (1 - stay))
            for ends2, nexts2 in rows.values():
                if nexts2 is not nexts and (share := nexts2.pop(key, None)):
                    _add(ends2, ends, share)
                    _add(nexts2, nexts, share)
        return {key: ends for key, (ends, _) in rows.items()}

    def _branches(
        self, fn: Procedure, args: tuple[Any, ...], state: S, given: tuple[Any, ...]
    ) -> Iterator[tuple[Fraction, End]]:
        """Every way through one procedure's own frame. A coroutine cannot be forked: it is run again for each branch."""
        todo = [(Fraction(1), given)]
        while todo:
            weight, given = todo.pop()
            self.runs += 1
            if self.runs > self.bound:
                raise TooManyBranches(f"more than {self.bound} branches: raise the bound, or ask for a sample")
            play = Play(state, self.over)
            coroutine, answer, i = fn(play, *args), None, 0
            try:
                while True:
                    request = coroutine.send(answer)
                    called = isinstance(request, Call | Inside)
                    if i == len(given):
                        ways = self._ways(request, play.state)
                        if called:
                            for end in [e for e in ways if e.over]:  # the game ended in there: this frame never resumes
                                yield weight * ways.pop(end), end
                            if not ways:
                                break
                        (first, share), *rest = ways.items()
                        todo += [(weight * p, (*given, way)) for way, p in rest]
                        given, weight = (*given, first), weight * share
                    answer, i = given[i], i + 1
                    if called:
                        play.state, answer = answer.state, answer.value
            except StopIteration as stop:
                yield weight, End(play.state, stop.value)
            except GameOver:
                yield weight, End(play.state, None, over=True)
            finally:
                coroutine.close()

    def _ways(self, request: Request[Any], state: S) -> dict[Any, Fraction]:
        """What the frame may be given for this request: an action, a reading, or the End of a call."""
        if isinstance(request, Call):
            return dict(self.of(request.fn, request.args, state))
        if isinstance(request, Inside):
            return self._inside(request, state)
        ways: dict[Any, Fraction] = {}
        if isinstance(request, Chance):
            outcomes = request.outcomes(state)
            total = sum(w for _, w in outcomes)
            weights: dict[Any, int] = {}
            for outcome, w in outcomes:
                reading = request.read(outcome)
                weights[reading] = weights.get(reading, 0) + w
            return {reading: Fraction(w, total) for reading, w in weights.items()}
        assert isinstance(request, Decision)
        ways[self.choose(request, state)] = Fraction(1)
        return ways

    def choose(self, decision: Decision[Any, Any], state: S) -> Any:
        """What the policy answers to a decision on the way."""
        if self._around is not None:
            walker, lens, around = self._around
            return walker.choose(Within(lens, decision), lens.put(around, state))
        hidden = decision.secret and self.viewer is not None and decision.side != self.viewer
        options = decision.options(state)
        if not options:
            raise NoOptions(f"{decision!r} offers nothing to choose")
        if len(options) == 1:
            return options[0]
        try:
            action = self.policy(self.view(state, decision.side), decision, options)
        except NeedsPolicy:
            if not hidden:
                raise
            name = type(innermost(decision)).__name__
            self.assumptions[f"{decision.side} answers {options[0]} to {name}, which is hidden"] = None
            return options[0]
        if action not in options:
            raise blamed(decision.refusal(state, action), self.policy)
        return action

    def inside(self, lens: Lens[S, Any], state: S) -> Odds[Any]:
        """The walker of a game that is played within this state: it ends when either game does, and its decisions come out as `Within`.

        Equal surroundings share one; the inner part of the state is no part of them.
        """
        around = lens.put(state, self._samples.setdefault(lens, lens.get(state)))
        if (lens, around) not in self._inner:
            inner = Odds[Any](
                lambda b: lens.over(b) or self.over(lens.put(around, b)),
                self.policy,
                bound=self.bound,
                view=lambda b, side: lens.get(self.view(lens.put(around, b), side)),
                viewer=self.viewer,
            )
            inner._around, inner.assumptions = (self, lens, around), self.assumptions
            self._inner[lens, around] = inner
        return self._inner[lens, around]

    def _inside(self, request: Inside[Any], state: S) -> dict[Any, Fraction]:
        lens, walker = request.lens, self.inside(request.lens, state)
        walker.runs = self.runs
        ways: dict[Any, Fraction] = {}
        for end, p in walker.of(request.fn, request.args, lens.get(state)).items():
            _add(ways, {self._outward(end, lens, state): p})
        self.runs = walker.runs
        return ways

    def _outward(self, end: End, lens: Lens[S, Any], state: S) -> End:
        """The end of an inner procedure as its caller sees it: the end of the inner game is none of this one."""
        outer = lens.put(state, end.state)
        return End(outer, None if end.over else end.value, over=self.over(outer))

    def sample(
        self,
        fn: Procedure,
        args: tuple[Any, ...],
        state: S,
        given: tuple[Any, ...] = (),
        *,
        runs: int = 1000,
        seed: int = 0,
    ) -> Distribution[End]:
        """How a procedure ended in so many runs with this seed: where exact odds take too many branches. Never silent: the distribution says that it is a sample."""
        source, counts = Outcomes(seed), dict[End, int]()
        n = 0
        for _ in range(runs):
            end, n = self._run_once(source, n, fn, args, state, given)
            counts[end] = counts.get(end, 0) + 1
        return Distribution(
            {end: Fraction(count, runs) for end, count in counts.items()}, tuple(self.assumptions), runs
        )

    def _run_once(
        self, source: Outcomes, n: int, fn: Procedure, args: tuple[Any, ...], state: S, given: tuple[Any, ...]
    ) -> tuple[End, int]:
        if self.over(state):
            return End(state, None, over=True), n
        play = Play(state, self.over)
        coroutine, answer, rest = fn(play, *args), None, list(given)
        try:
            while True:
                request = coroutine.send(answer)
                if rest:
                    answer = rest.pop(0)
                elif isinstance(request, Chance):
                    answer, n = request.read(source.pick(n, request.outcomes(play.state))), n + 1
                elif isinstance(request, Call):
                    answer, n = self._run_once(source, n, request.fn, request.args, play.state, ())
                elif isinstance(request, Inside):
                    inner, within = self.inside(request.lens, play.state), request.lens.get(play.state)
                    end, n = inner._run_once(source, n, request.fn, request.args, within, ())
                    answer = self._outward(end, request.lens, play.state)
                else:
                    answer = self.choose(request, play.state)
                if isinstance(answer, End):
                    if answer.over:
                        return answer, n
                    play.state, answer = answer.state, answer.value
        except StopIteration as stop:
            if type(stop.value) is Then:
                return self._run_once(source, n, stop.value.fn, stop.value.args, play.state, ())
            return End(play.state, stop.value), n
        except GameOver:
            return End(play.state, None, over=True), n
        finally:
            coroutine.close()


def _add(to: dict[Any, Fraction], more: Mapping[Any, Fraction], share: Fraction | None = None) -> None:
    for key, p in more.items():
        if share is not None:
            p = share * p
        to[key] = to[key] + p if key in to else p


def _scale(ways: dict[Any, Fraction], factor: Fraction) -> None:
    for key in ways:
        ways[key] *= factor
