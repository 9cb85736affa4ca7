"""A game: the driver with a seed, a history that undoes and branches, a log, views for each side, and the odds of any action.

Rules live in procedures and values in positions; a Game only keeps the line of positions that was played, and rolls the dice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import field, frozen

from beachhead.dice import Outcomes, fresh_seed
from beachhead.errors import GameIsOver, IllegalAction, OptionError, ScriptError
from beachhead.log import Log, redacted
from beachhead.odds import Distribution, Odds, of_end
from beachhead.play import Chance, Decision, Event
from beachhead.policies import blamed, chosen
from beachhead.position import End, Entry, Position
from beachhead.rules import Objection, Verdict, is_recording, record_citations
from beachhead.systems import Policy, Result, Source, System, find_scenario, side_named

if TYPE_CHECKING:
    from beachhead.saves import Resumption

S = TypeVar("S")
V = TypeVar("V")


@frozen
class View(Generic[S]):
    """What one side may know (None: a neutral observer): it holds neither the truth nor the seed."""

    side: Any
    state: S
    log: Log[S] = field(repr=False)
    news: Log[S] = field(repr=False)
    """The part of the log that the last decision brought, as this side is told of it."""
    to_act: Any
    decision: Decision[S, Any] | None
    options: tuple[Any, ...] = field(repr=False)
    """This side's own options; () while another side chooses."""
    result: Result | None


class Game(Generic[S]):
    """One game being played.

    Args:
        system: the rules.
        state: where it begins.
        seed: decides every roll and draw; one that nobody could guess if left out.
        script: outcomes for the rolls and draws, in order. Without a seed the script must suffice; an impossible outcome, and one that is
            left over when the game ends, is a ScriptError.
        source, options: the scenario and the game options it was made from; a save holds them.
    """

    resumed: Resumption | None = None
    """Set where the game goes on from a stored state, because its save no longer replays: str() names the line and the reason."""

    def __init__(
        self,
        system: System[S],
        state: S,
        *,
        seed: int | None = None,
        script: Iterable[Any] | None = None,
        source: Source | None = None,
        options: dict[str, object] | None = None,
    ) -> None:
        self.system, self.source, self.options = system, source or Source(system.name), dict(options or {})
        self.script = None if script is None else tuple(script)
        if seed is not None and not isinstance(seed, int):
            raise TypeError(f"{seed!r} is no seed: a whole number is expected, or None for one that nobody could guess")
        self.seed = fresh_seed() if seed is None and script is None else seed
        self._begin(*self._settled(Position(system, state), 0))

    def _begin(self, position: Position[S], chances: int) -> None:
        """Set out from a position on the way to which so many outcomes were taken."""
        self._line, self._chances, self._at = [position], [chances], 0
        self._taken = chances
        """How many outcomes have been taken, those of the step under way included."""
        self._told = dict[Any, list[tuple[Entry[S], ...]]]()

    # -------------------------------------------------------- where it stands
    @property
    def position(self) -> Position[S]:
        """The position, an immutable value."""
        return self._line[self._at]

    @property
    def state(self) -> S:
        """The state now."""
        return self._line[self._at].state

    @property
    def decision(self) -> Decision[S, Any] | None:
        """What is being decided; None when the game is over."""
        return self._line[self._at].pending  # type: ignore[return-value]  # no point of the line is at a chance

    @property
    def to_act(self) -> Any:
        """The side whose choice it is; None when the game is over."""
        return self.decision.side if self.decision else None

    @property
    def turn(self) -> int:
        """The number of the turn, from 1; 0 before the first."""
        return self.log.turn

    @property
    def phase(self) -> str:
        """Where in the sequence of play."""
        return self.system.phase(self.state)

    @property
    def result(self) -> Result | None:
        """The result, once the game is over."""
        return self.system.result(self.state)

    @property
    def log(self) -> Log[S]:
        """What was asked, answered and done so far."""
        return Log(tuple(chain.from_iterable(position.entries for position in self._line[: self._at + 1])))

    @property
    def news(self) -> Log[S]:
        """What the last decision brought, up to the next one: the end of the log. Before the first decision, what led to it."""
        return self._news_in(self.log)

    def _news_in(self, log: Log[S]) -> Log[S]:
        return log[len(log) - len(self.position.entries) :]

    @property
    def unread(self) -> tuple[str, ...]:
        """What one should know of the scenario before play: what of it is not enforced, or is no printed figure."""
        return self.system.unread(self.state)

    def __repr__(self) -> str:
        waiting = f"{self.to_act} to decide: {self.decision.prompt}" if self.decision else str(self.result)
        options = "".join(f", {name}={value}" for name, value in self.options.items() if not self._usual(name, value))
        return f"<Game of {self.source.name}{options}, turn {self.turn}, {waiting}>"

    def _usual(self, name: str, value: object) -> bool:
        """Whether an option is what it would be without being given."""
        catalogue = self.system.catalogue
        try:
            return catalogue.choices({name: value}) == catalogue.choices({})
        except OptionError:  # it is no ruling: the system has options of its own
            return False

    def _repr_svg_(self) -> str:
        return self.system.picture(self.state)

    def copy(self) -> Game[S]:
        """Another game that stands where this one does, with the same history and the same dice to come; neither touches the other."""
        new: Game[S] = object.__new__(type(self))
        new.__dict__.update(self.__dict__, options=self.options.copy())
        new._line, new._chances, new._told = self._line.copy(), self._chances.copy(), {}
        return new

    __copy__ = copy

    # -------------------------------------------------------- playing
    def legal_actions(self) -> tuple[Any, ...]:
        """Every option of the open decision."""
        return self._line[self._at].options

    def check(self, action: object) -> Verdict:
        """Whether the action, or what a text means, may be taken now; if not, every reason, each with its rule. Changes nothing.

        Raises:
            CodecError: no action is written like that; it says which are.
        """
        decision = self.decision
        if decision is None:
            result = self.result
            against = Verdict((Objection(result.rule if result else "", "the game is over: {}", (result,)),))
        elif (action := self._meant(action)) in self.position.options:
            against = Verdict()
        else:
            against = decision.refusal(self.state, action).verdict
        record_citations(against.rules)
        return against

    def why_not(self, *what: Any) -> Verdict:
        """The verdict on a unit, a unit and a hex, or whatever the system lets one point at, without building the action that is refused."""
        decision = self.decision
        if decision is None:
            return self.check(what)
        against = self.system.why_not(self.state, decision, what)
        record_citations(against.rules)
        return against

    def apply(self, action: Any) -> tuple[Event[S], ...]:
        """Take this action, and roll and draw what follows from it up to the next decision.

        Returns:
            the events, in order; `news` tells them.

        Raises:
            IllegalAction: it is not an option; its verdict says why, and nothing has changed. A text is none: that is for `do`.
            GameIsOver: there is nothing left to decide.
            ScriptError: the script does not fit.
        """
        position = self._line[self._at]
        if position.pending is None:
            raise GameIsOver(f"the game is over ({self.result}): {action!r} comes too late")
        self._taken = self._chances[self._at]
        try:
            after = position.after(action, self._roll)
        except IllegalAction as refusal:
            record_citations(refusal.verdict.rules)
            raise
        if self.script is not None or is_recording():
            self._check_in(after)
        position.forget_options()
        self._at = at = self._at + 1
        if at < len(self._line):  # what has been undone is not played again
            del self._line[at:], self._chances[at:]
        self._line.append(after)
        self._chances.append(self._taken)
        if self._told:
            for told in self._told.values():
                del told[at:]
        return after.events

    def text(self, action: object) -> str:
        """The action in one line, such as "move C3 D4"; `parse` reads it again."""
        from beachhead.codec import codec_for

        return codec_for(self.system).text(action, self.system.labels(self.state))

    def parse(self, text: str) -> Any:
        """The action that a line means; of several, one that the open decision takes.

        Raises:
            CodecError: no action is written like that; it says which are.
            TypeError: it is no text.
        """
        from beachhead.codec import codec_for

        if not isinstance(text, str):
            raise TypeError(
                f"{text!r} is no text: a line is expected, as game.text(action) gives it; game.apply takes actions"
            )
        kinds = self.decision.kinds if self.decision else ()
        return codec_for(self.system).parse(text, self.system.labels(self.state), kinds)

    def _meant(self, action: object) -> object:
        """The action that a text means; an action is itself."""
        return self.parse(action) if isinstance(action, str) and action not in self.legal_actions() else action

    def do(self, text: str) -> tuple[Event[S], ...]:
        """Take the action that a line means: `apply(parse(text))`."""
        action = self.parse(text)
        try:
            return self.apply(action)
        except IllegalAction as refusal:
            refusal.text = text
            raise

    def answer_by(self, policy: Policy | str) -> tuple[Event[S], ...]:
        """Take what a policy answers to the open decision, from the view of the side that decides; one of the system's may be given by its name.

        Returns:
            the events, in order.

        Raises:
            IllegalAction: the policy has returned what is not an option; its text names the policy.
            GameIsOver: there is nothing left to decide.
            ValueError: no policy of that name.
        """
        policy, decision = chosen(self.system, policy), self.decision
        if decision is None:
            raise GameIsOver(f"the game is over ({self.result}): nobody is asked")
        action = policy(self.system.view(self.state, decision.side), decision, self.legal_actions())
        try:
            return self.apply(action)
        except IllegalAction as refusal:
            blamed(refusal, policy)
            raise

    def play(self, policy: Policy | str, *, most: int = 1_000_000) -> Result:
        """Play to the end, the policy answering for both sides, each from its own view; one of the system's may be given by its name.

        Raises:
            TimeoutError: the game has not ended after `most` decisions.
            IllegalAction: the policy has returned what is not an option; its text names the policy.
            ValueError: no policy of that name.
        """
        policy = chosen(self.system, policy)
        for _ in range(most):
            if self.decision is None:
                break
            self.answer_by(policy)
        result = self.result
        if result is None:
            raise TimeoutError(f"the game is not over after {most} decisions")
        return result

    def _settled(self, position: Position[S], chances: int) -> tuple[Position[S], int]:
        """Roll and draw until somebody must decide: the position then, with all that led there, and how many outcomes are taken."""
        request, self._taken = position.pending, chances
        if isinstance(request, Chance):
            after = position.after(self._roll(request, position.state), self._roll)
            after.preceded_by(position.entries)
            position = after
        self._check_in(position)
        return position, self._taken

    def _roll(self, chance: Chance[S, Any], state: S) -> Any:
        """The next outcome, after those that have been taken."""
        record_citations((chance.rule,))
        outcome = self._outcome(chance, state, self._taken)
        self._taken += 1
        return outcome

    def _check_in(self, position: Position[S]) -> None:
        """Before a position becomes a point of the line, where somebody must decide or the game is over."""
        if self.script is not None and position.pending is None and self._taken < len(self.script):
            raise ScriptError(f"the game is over and the script has outcomes left: {self.script[self._taken :]!r}")
        if is_recording():
            record_citations(rule for entry in position.entries for event in entry.events for rule in event.rules)

    def _outcome(self, chance: Chance[S, Any], state: S, n: int) -> Any:
        outcomes = chance.outcomes(state)
        if self.script is not None and n < len(self.script):
            outcome = chance.outcome(self.script[n])
            if outcome not in [known for known, _ in outcomes]:
                raise ScriptError(f"{self.script[n]!r}, entry {n + 1} of the script, is not an outcome of {chance!r}")
            return outcome
        if self.seed is None:
            raise ScriptError(f"the script has no outcome left for {chance!r}; give a seed, too, to go on with")
        return Outcomes(self.seed).pick(n, outcomes)

    @property
    def unused_script(self) -> tuple[Any, ...]:
        """Outcomes of the script that no roll or draw has taken yet."""
        return (self.script or ())[self._chances[self._at] :]

    # -------------------------------------------------------- history
    @property
    def decisions(self) -> int:
        """How many decisions have been taken up to here."""
        return self._at

    def at(self, n: int) -> Position[S]:
        """The position after n decisions; negative n counts from the last one played, undone ones included."""
        return self._line[n]

    def undo(self, n: int = 1) -> Position[S]:
        """Take n decisions back, with all that followed from them. What the dice will show does not change.

        Raises:
            ValueError: fewer than n have been taken.
        """
        if not 0 <= n <= self._at:
            raise ValueError(f"from 0 to {self._at} decisions can be undone, not {n}")
        self._at -= n
        return self.position

    def redo(self, n: int = 1) -> Position[S]:
        """Take back an undo.

        Raises:
            ValueError: fewer than n have been undone since the last action.
        """
        if not 0 <= n < len(self._line) - self._at:
            raise ValueError(f"from 0 to {len(self._line) - self._at - 1} decisions can be redone, not {n}")
        self._at += n
        return self.position

    # -------------------------------------------------------- what a side knows
    def view(self, side: Any) -> View[S]:
        """What this side may know of state, log and options; `view(None)` is a neutral observer's. Its name will do, whatever the capitals.

        Raises:
            UnknownName: the game has no such side; those that it has, and the nearest.
        """
        side = None if side is None else side_named(self.system, side)
        own = self.decision is not None and self.to_act == side
        log = Log(tuple(chain.from_iterable(self._told_to(side))))
        return View(
            side,
            self.system.view(self.state, side),
            log,
            self._news_in(log),
            self.to_act,
            self.decision if own else None,
            self.legal_actions() if own else (),
            self.result,
        )

    def _told_to(self, side: Any) -> Sequence[tuple[Entry[S], ...]]:
        """What this side was told on the way to each point up to here; kept, since a front end asks for the whole story again and again."""
        told = self._told.setdefault(side, [])
        for position in self._line[len(told) : self._at + 1]:
            told.append(tuple(redacted(entry, side, self.system.view) for entry in position.entries))
        return told[: self._at + 1]

    # -------------------------------------------------------- odds
    def odds(
        self,
        action: Any,
        *,
        by: Callable[[S], V] | None = None,
        policy: Policy | str | None = None,
        truth: bool = False,
        sample: int | None = None,
        bound: int = 200_000,
    ) -> Distribution[V]:
        """How an action may turn out by the end of the procedure it belongs to, exactly.

        Args:
            action: one of the options, or its text.
            by: what to ask of the state at the end (inside an inner game, of the inner state); the state itself if left out.
            policy: answers the decisions on the way; one of the system's may be given by its name. Without one a decision met raises
                NeedsPolicy.
            truth: look at everything; otherwise only at what the deciding side may know.
            sample: play so many runs instead of all ways; the distribution says that it is a sample.
            bound: the most branches to follow.

        Raises:
            IllegalAction, NeedsPolicy, TooManyBranches, EndlessProcedure; CodecError for a text that means no action.
        """
        decision = self.decision
        if decision is None:
            raise GameIsOver("the game is over")
        key: Callable[[End], Any] = of_end(by or (lambda end_state: end_state))
        text, action = action, self._meant(action)
        if action not in self.legal_actions():
            refusal = decision.refusal(self.state, action)
            refusal.text = text if isinstance(text, str) else ""
            raise refusal
        fn, args, state, given, play = self.position.frame
        viewer = None if truth else decision.side
        answers = None if policy is None else chosen(self.system, policy)
        walker = Odds[Any](self.system.over, answers, bound=bound, view=self.system.view, viewer=viewer)
        around: Any = self.state if truth else self.system.view(self.state, viewer)
        for lens in play.lenses:
            walker, around = walker.inside(lens, around), lens.get(around)
        if not truth:
            state = walker.view(state, viewer)
            given = tuple(
                End(walker.view(g.state, viewer), g.value, g.over) if isinstance(g, End) else g for g in given
            )
        if sample:
            return walker.sample(fn, args, state, (*given, action), runs=sample, seed=self.seed or 0).by(key)
        ends = walker.of(fn, args, state, (*given, action))
        return Distribution(ends, tuple(walker.assumptions)).by(key)

    # -------------------------------------------------------- saving
    def save(self, path: str | Path) -> None:
        """Write the game to a file that holds all it needs: scenario, options, seed, every request with its answer (JSON lines).

        Raises:
            SaveError: there is no such folder.
        """
        from beachhead.saves import save

        save(self, Path(path))


def new(
    source: str | Path,
    *,
    seed: int | None = None,
    script: Iterable[Any] | None = None,
    options: dict[str, object] | None = None,
) -> Game[Any]:
    """A new game of a scenario, by name ("memoir44/…") or by the path of its file.

    Raises:
        UnknownName: no such scenario, file or system.
        ScenarioError: the file has faults, or needs what is not built yet; all of them are listed.
        OptionError: an unknown option or choice.
    """
    system, found = find_scenario(source)
    state = system.new(found, options or {})
    return Game(system, state, seed=seed, script=script, source=found.held(), options=options)


def load(path: str | Path, *, resume: bool = False) -> Game[Any]:
    """A saved game, replayed line by line.

    Args:
        path: the file.
        resume: where a line no longer replays, go on from the last state that the file holds instead.

    Raises:
        SaveError: names the first bad line, or says that there is no such file; its `recovered` is the game up to there.
    """
    from beachhead.saves import load as replay

    return replay(Path(path), resume=resume)
