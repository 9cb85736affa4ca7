"""Rows, played: what was met, what was found instead, and the story."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

from attrs import define, field, frozen

from beachhead.cases.expectations import Scene, look
from beachhead.cases.reading import Case, Expectation, Variant
from beachhead.cases.system import case_system
from beachhead.cases.values import inner, options_like, show, side_named, spelt
from beachhead.errors import BeachheadError, CodecError, NeedsPolicy
from beachhead.game import Game
from beachhead.log import Log
from beachhead.play import Chance
from beachhead.systems import System, find_scenario, find_system

_MOST_ANSWERS = 1000
_SHOWN = 12
"""So many options are shown where a row stops."""


@frozen
class Finding:
    """An expectation, whether it was met, and what was found. `told` is False where it could not even be looked up."""

    want: Expectation
    met: bool
    found: str
    told: bool = True

    def __str__(self) -> str:
        return f"{'met' if self.met else 'NOT MET'}: {self.want}\n    found: {self.found}"


@frozen
class Played:
    """A variant that was played: the story, its findings, and what stopped it ("" when it went through)."""

    story: str
    findings: tuple[Finding, ...]
    trouble: str = ""

    def met(self, want: Expectation) -> bool:
        """Whether this expectation was met here."""
        return any(finding.want is want and finding.met for finding in self.findings)

    def unmet(self, want: Expectation) -> bool:
        """Whether this expectation could be looked up here and was not met."""
        return any(finding.want is want and finding.told and not finding.met for finding in self.findings)


@frozen
class Outcome:
    """What came of a row.

    Attributes:
        passed: everything that it expects was met, and its contrast differs.
        covered: the ids that met expectations name; none when the row did not pass.
        contrasted: those of them that the pair with its contrast shows.
    """

    case: Case
    play: Played
    contrast: Played | None = None

    @property
    def differences(self) -> tuple[Expectation, ...]:
        """The expectations that are met in the row or its contrast, and unmet in the other."""
        if self.contrast is None or self.case.contrast is None:
            return ()
        here, there = self.play, self.contrast
        return tuple(w for w in self.case.play.expect if here.met(w) and there.unmet(w)) + tuple(
            w for w in self.case.contrast.expect if there.met(w) and here.unmet(w)
        )

    @property
    def passed(self) -> bool:
        """Whether everything went as the row says."""
        return not self.troubles

    @property
    def troubles(self) -> tuple[str, ...]:
        """What did not go as the row says."""
        return self.unmet + self.stops

    @property
    def unmet(self) -> tuple[str, ...]:
        """The expectations that were not met where they should be, and what was found instead."""
        return tuple(
            f"{where}{finding}"
            for where, variant, played in self._played
            for finding in played.findings
            if not finding.met and any(finding.want is want for want in variant.expect)
        )

    @property
    def stops(self) -> tuple[str, ...]:
        """What did not go as the row says, but for its expectations."""
        out = [f"{where}{played.trouble}" for where, _, played in self._played if played.trouble]
        if self.contrast is not None and not out and not self.unmet and not self.differences:
            out.append("the contrast makes no difference: what either expects is met in both")
        if not self.case.expect:
            out.append("the row expects nothing")
        return tuple(out)

    @property
    def _played(self) -> Iterator[tuple[str, Variant, Played]]:
        yield "", self.case.play, self.play
        if self.contrast is not None and self.case.contrast is not None:
            yield "in the contrast, ", self.case.contrast, self.contrast

    @property
    def covered(self) -> frozenset[str]:
        """The ids that are shown."""
        return frozenset(self.case.ids) if self.passed else frozenset()

    @property
    def contrasted(self) -> frozenset[str]:
        """The ids that the pair shows."""
        return frozenset(rule for want in self.differences for rule in want.ids) if self.passed else frozenset()

    def __str__(self) -> str:
        """The story, and below it what did not go as the row says."""
        out = [f"{self.case}: {self.case.about}", self.play.story]
        if self.contrast is not None:
            out += ["", "the contrast", self.contrast.story]
        return "\n".join([*out, "", *(self.troubles or ("as expected",))])


def run_case(system: System[Any], case: Case) -> Outcome:
    """Play a row, and its contrast, and look at everything that either expects in both."""
    played = _play(system, case.play, case.expect)
    return Outcome(case, played, _play(system, case.contrast, case.expect) if case.contrast else None)


def explain(case: Case, outcome: Outcome | None = None) -> str:
    """The row as it is played: the position as the row gives it, the story line by line, and everything it expects with what was found.

    Args:
        case: the row.
        outcome: what came of it; it is played if this is left out.
    """
    outcome = outcome or run_case(find_system(case.system), case)
    out = [case.about, *_told(case.play, outcome.play)]
    if case.contrast is not None and outcome.contrast is not None:
        out += ["", "In contrast:", *_told(case.contrast, outcome.contrast)]
    if outcome.stops:
        out += ["", "Not as the row says:", *outcome.stops]
    return "\n".join(out)


def _told(variant: Variant, played: Played) -> Iterable[str]:
    yield ""
    for key, value in variant.position.items():
        yield f"{key}:\n{value.rstrip()}" if isinstance(value, str) and "\n" in value else f"{key}: {value}"
    yield from ["", played.story, ""]
    yield from (str(finding) for want in variant.expect for finding in played.findings if finding.want is want)


def to_be_decided(game: Game[Any]) -> str:
    """The open decision in words: whose it is, what it is about, and its options."""
    if game.decision is None:
        return f"the game is over: {game.result}"
    options = [f"{game.text(option)!r}" for option in game.legal_actions()]
    more = f" and {len(options) - _SHOWN} more" if len(options) > _SHOWN else ""
    kind = type(inner(game.decision)).__name__
    return (
        f"{show(game, game.to_act)} is to decide: {game.decision.prompt} ({kind}); "
        f"the options are {', '.join(options[:_SHOWN])}{more}"
    )


# ------------------------------------------------------------ playing
class _Stopped(Exception):
    """Play cannot go on as the row says."""


def _play(system: System[Any], variant: Variant, expect: tuple[Expectation, ...]) -> Played:
    run = _Run(system, variant, expect)
    try:
        run.through()
    except _Stopped as stopped:
        return Played(run.told, tuple(run.findings), str(stopped))
    except BeachheadError as error:
        return Played(run.told, tuple(run.findings), f"play stopped: {type(error).__name__}: {error}")
    return Played(run.told, tuple(run.findings))


@define
class _Run:
    """A variant under way."""

    system: System[Any]
    variant: Variant
    expect: tuple[Expectation, ...]
    findings: list[Finding] = field(factory=list)
    story: list[str] = field(factory=list)
    scene: Scene = field(init=False)

    @property
    def told(self) -> str:
        return "\n".join(self.story)

    def through(self) -> None:
        variant = self.variant
        self.scene = scene = Scene(self.begun(), case_system(self.system), self.policy)
        self.tell(0)
        if not variant.do:
            self.answer_named("")
        self.look(0)
        for n, line in enumerate(variant.do, 1):
            scene.line_began = len(scene.game.log)
            self.line(n, line)
            self.answer_named(variant.do[n] if n < len(variant.do) else "")
            self.look(n)
        self.use_up_rolls()
        self.look(None)
        if scene.game.unused_script:
            raise _Stopped(f"no roll or draw took these: {list(scene.game.unused_script)}; {to_be_decided(scene.game)}")

    def begun(self) -> Game[Any]:
        variant, options = self.variant, dict(self.variant.options)
        if variant.scenario:
            _, source = find_scenario(variant.scenario)
            state = self.system.new(source, options)
        else:
            source = None
            state = case_system(self.system).set_up({**variant.position, "options": options})
        return Game(self.system, state, seed=variant.seed, script=variant.rolls, source=source, options=options)

    # -------------------------------------------------------- lines
    def line(self, n: int, line: str) -> None:
        """Take the action of a line, once the decisions before it are answered as the row says."""
        game = self.scene.game
        who, colon, text = line.partition(":")
        side = self.side(who.strip()) if colon else None
        text = line if side is None else text.strip()
        try:
            action, refused = game.parse(text), ""
        except CodecError as error:
            raise _Stopped(f"line {n}, {line!r}: {error}; {to_be_decided(game)}") from None
        for answered in count():
            if game.decision is None:
                raise _Stopped(f"line {n}, {line!r}: the game is over: {game.result}")
            if action in game.legal_actions() and side in (None, game.to_act):
                break
            if not refused:
                whose = "" if side in (None, game.to_act) else f"it is the choice of {show(game, game.to_act)}; "
                refused = f"line {n}, {line!r}: {whose}{game.check(action)}; {to_be_decided(game)}"
            answer = self.answer(others=True) if answered < _MOST_ANSWERS else None
            if answer is None:
                self.story.append(f"> {line}")
                raise _Stopped(refused)
            self.apply("~ ", answer)
        self.apply("> ", action)

    def answers_now(self, line: str) -> bool:
        """Whether a line is an answer to the open decision."""
        who, colon, text = line.partition(":")
        side = self.side(who.strip()) if colon else None
        game = self.scene.game
        try:
            action = game.parse(line if side is None else text.strip())
        except CodecError:
            return False
        return side in (None, game.to_act) and action in game.legal_actions()

    def side(self, name: str) -> Any:
        try:
            return side_named(self.scene.game, name)
        except LookupError:
            return None

    def apply(self, mark: str, action: Any) -> None:
        game = self.scene.game
        self.story.append(f"{mark}{show(game, game.to_act)}: {game.text(action)}")
        before = len(game.log)
        game.apply(action)
        self.tell(before)

    def answer_named(self, following: str) -> None:
        """Answer the decisions whose kinds the row names, as long as they come up and the next line is no answer to them."""
        for _ in range(_MOST_ANSWERS):
            answer = self.answer(others=False)
            if answer is None or (following and self.answers_now(following)):
                return
            self.apply("~ ", answer)
        raise _Stopped(
            f"`answers` has answered {_MOST_ANSWERS} decisions on end: leave out the kind that comes up for ever"
        )

    def use_up_rolls(self) -> None:
        """Below the last line, answer as the row says while it has rolls left."""
        for _ in range(_MOST_ANSWERS):
            if not self.scene.game.unused_script or (answer := self.answer(others=True)) is None:
                break
            self.apply("~ ", answer)
        self.answer_named("")

    def answer(self, *, others: bool) -> Any:
        """What the row's `answers` say to the open decision, or None."""
        game = self.scene.game
        said = None if game.decision is None else self.said(game.decision, others=others)
        return None if said is None else self.chosen(game.legal_actions(), said)

    def said(self, decision: Any, *, others: bool) -> str | None:
        answers = self.variant.answers
        return answers.get(spelt(type(inner(decision)).__name__), answers.get("*") if others else None)

    def chosen(self, options: tuple[Any, ...], said: str) -> Any:
        if said in ("first", "last"):
            return options[0 if said == "first" else -1]
        try:
            found = options_like(self.scene.game, said, options)
        except LookupError as error:
            raise _Stopped(f"answers: {error}") from None
        if not found:
            texts = ", ".join(self.scene.game.text(option) for option in options)
            raise _Stopped(f"answers: {said!r} is none of the options: {texts}")
        return found[0]

    def policy(self, view: Any, decision: Any, options: tuple[Any, ...]) -> Any:
        """The row's `answers`, as odds use them."""
        said = self.said(decision, others=True)
        if said is None:
            raise NeedsPolicy(decision, f"nothing in `answers` answers {type(decision).__name__}")
        return self.chosen(options, said)

    # -------------------------------------------------------- the story and what is expected
    def tell(self, since: int) -> None:
        """Put down what has come about."""
        game = self.scene.game
        for n, entry in enumerate(game.log[since:]):
            if isinstance(entry.request, Chance):
                self.story.append(f"    {show(game, entry.answer)} is rolled or drawn: {entry.request}")
            elif n and entry.request is not None:
                self.story.append(f"    {show(game, entry.actor)}, without a choice: {game.text(entry.answer)}")
            self.story += [f"  {line}" for line in Log((entry,)).lines()]

    def look(self, after: int | None) -> None:
        """Look at what is expected now."""
        for want in self.expect:
            if want.after == after:
                found, told = look(self.scene, want)
                self.findings.append(Finding(want, found.met, found.text, told))
