"""The kinds of expectation: what each may say, and how it is looked up in a game."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from attrs import define, frozen

from beachhead.cases.system import CaseSystem, FieldSystem
from beachhead.cases.values import (
    breakdowns,
    facts,
    inner,
    is_named,
    options_like,
    same,
    show,
    side_named,
)
from beachhead.errors import BeachheadError
from beachhead.game import Game
from beachhead.log import Log
from beachhead.odds import Distribution
from beachhead.rules import Breakdown, Verdict, cited, record_citations
from beachhead.systems import Policy

if TYPE_CHECKING:
    from beachhead.cases.reading import Expectation


@define
class Scene:
    """A row being played: the game, and how long the story was before the line that was played last."""

    game: Game[Any]
    cases: CaseSystem[Any]
    policy: Policy
    line_began: int = 0

    def state(self, want: Expectation) -> Any:
        """The state that the expectation looks at."""
        return self.game.state if want.seen_by is None else self.game.view(side_named(self.game, want.seen_by)).state

    def log(self, want: Expectation) -> Log[Any]:
        """The part of the story that the expectation looks at."""
        log = self.game.log if want.seen_by is None else self.game.view(side_named(self.game, want.seen_by)).log
        return log[0 if want.after is None else self.line_began :]

    def events(self, want: Expectation) -> Iterator[tuple[Any, Any]]:
        """The events that the expectation looks at, each with the state before it."""
        for entry in self.log(want):
            state = entry.before
            for event in entry.events:
                yield inner(event), state
                state = event.fold(state)

    def facts(self, state: Any, what: Any) -> Mapping[str, Any]:
        """The fields of an event or decision, as rows write them."""
        own = facts(what)
        return {**own, **self.cases.fields(state, what)} if isinstance(self.cases, FieldSystem) else own

    def shown(self, state: Any, what: Any) -> str:
        """The event or decision with its fields, as rows write them."""
        fields = [f"{name} = {show(self.game, v)}" for name, v in self.facts(state, what).items() if name != "rule"]
        return f"{type(what).__name__}({', '.join(fields)})"

    def has(self, want: Expectation, fields: Mapping[str, Any]) -> bool:
        """Whether these fields are what the expectation says."""
        return not want.fields or same(self.game, want.fields, fields)

    def ask(self, state: Any, question: str) -> Any:
        """The answer to a question as a row writes it, a name and its arguments."""
        name, *args = shlex.split(question)
        return self.cases.ask(state, name, args)


class Found(NamedTuple):
    """Whether an expectation is met, and what was found in any case."""

    met: bool
    text: str


@frozen
class Kind:
    """One kind of expectation: the first key that names it, the keys it may have beside it, and whether what it finds cites rules."""

    name: str
    look: Callable[[Scene, Expectation], Found]
    value: type | tuple[type, ...] = str
    keys: tuple[str, ...] = ()
    cites: bool = False


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _cites(found: Any, want: Expectation) -> bool:
    return set(want.rule) <= set(found.rules)


def _quoted(texts: list[str]) -> str:
    return ", ".join(f"{text!r}" for text in texts) or "nothing"


def _options(scene: Scene) -> str:
    texts = [scene.game.text(option) for option in scene.game.legal_actions()]
    return f"the options are {_quoted(texts)}"


# ------------------------------------------------------------ what is open to the sides
def _refused(scene: Scene, want: Expectation) -> Found:
    verdict = scene.game.check(scene.game.parse(want.value))
    objections = {rule for objection in verdict.objections for rule in objection.rules}
    return Found(not verdict and set(want.rule) <= objections, str(verdict))


def _offered(scene: Scene, want: Expectation) -> Found:
    missing = [text for text in _list(want.value) if not options_like(scene.game, text)]
    if not missing:
        return Found(True, "offered")
    why = [str(scene.game.check(scene.game.parse(text))) for text in missing if "*" not in text]
    return Found(False, "; ".join([f"not offered: {_quoted(missing)}", *why]) + "; " + _options(scene))


def _not_offered(scene: Scene, want: Expectation) -> Found:
    found = [scene.game.text(o) for text in _list(want.value) for o in options_like(scene.game, text)]
    return Found(not found, f"offered: {_quoted(found)}" if found else "not offered")


def _only_offered(scene: Scene, want: Expectation) -> Found:
    wanted = [options_like(scene.game, text) for text in want.value]
    options = scene.game.legal_actions()
    met = all(wanted) and set(options) == {option for each in wanted for option in each}
    return Found(met, _options(scene))


def _asks(scene: Scene, want: Expectation) -> Found:
    decision = inner(scene.game.decision)
    if decision is None:
        return Found(False, f"the game is over: {scene.game.result}")
    state, rules = scene.game.state, cited(decision.rule)
    met = (
        is_named(decision, want.value) and scene.has(want, scene.facts(state, decision)) and set(want.rule) <= {*rules}
    )
    if met:
        record_citations(rules)
    return Found(met, f"{scene.shown(state, decision)} citing {', '.join(rules)}")


def _to_act(scene: Scene, want: Expectation) -> Found:
    return Found(scene.game.to_act == side_named(scene.game, want.value), show(scene.game, scene.game.to_act))


def _phase(scene: Scene, want: Expectation) -> Found:
    return Found(scene.game.phase.lower() == want.value.lower(), scene.game.phase)


def _result(scene: Scene, want: Expectation) -> Found:
    result = scene.game.result
    if result is None:
        return Found(want.value == "open", "the game goes on")
    winner = "draw" if result.winner is None else result.winner
    met = (
        same(scene.game, want.value, winner)
        and scene.has(want, facts(result))
        and set(want.rule) <= {*cited(result.rule)}
    )
    if met:
        record_citations(cited(result.rule))
    return Found(met, str(result))


# ------------------------------------------------------------ what has happened
def _event(scene: Scene, want: Expectation) -> Found:
    events = list(scene.events(want))
    alike = [(event, state) for event, state in events if is_named(event, want.value)]
    found = [e for e, state in alike if scene.has(want, scene.facts(state, e)) and _event_cites(e, want)]
    met = bool(found) if want.times is None else len(found) == want.times
    shown = [f"{scene.shown(state, event)} citing {', '.join(event.rules)}" for event, state in alike]
    others = list(dict.fromkeys(type(event).__name__ for event, _ in events))
    return Found(met, "; ".join(shown) or f"no such event, but {', '.join(others) or 'none'}")


def _event_cites(event: Any, want: Expectation) -> bool:
    if want.term is None:
        return _cites(event, want)
    return any(_has_term(breakdown, want.term, want) for breakdown in breakdowns(event))


def _log(scene: Scene, want: Expectation) -> Found:
    lines = list(scene.log(want).lines())
    found = [line for line in lines if want.value.lower() in line.text.lower() and _cites(line, want)]
    met = bool(found) if want.times is None else len(found) == want.times
    return Found(met, "; ".join(map(str, found or lines)) or "no line")


# ------------------------------------------------------------ questions and odds
def _ask(scene: Scene, want: Expectation) -> Found:
    answer = scene.ask(scene.state(want), want.value)
    met = True
    if want.answer is not None:
        met = same(scene.game, want.answer, answer)
    if want.odds is not None:
        met = met and isinstance(answer, Distribution) and _as_expected(scene, want.odds, answer)
    if want.term is not None:
        met = met and isinstance(answer, Breakdown) and _has_term(answer, want.term, want)
    elif want.rule:
        met = met and set(want.rule) <= set(getattr(answer, "rules", ()))
    if met:
        record_citations(getattr(answer, "rules", ()))
    return Found(met, show(scene.game, answer))


def _has_term(breakdown: Breakdown, term: int, want: Expectation) -> bool:
    """Whether a term of this value cites each of the rules. A term that was knocked out counts nothing."""
    value = term * breakdown.per
    return any(each.value == value and set(want.rule) <= set(each.rules) for each in breakdown.counted)


def _odds(scene: Scene, want: Expectation) -> Found:
    game, question = scene.game, want.by
    action = game.parse(want.value)
    odds: Distribution[Any] = game.odds(action, by=lambda end: _plain(scene.ask(end, question)), policy=scene.policy)
    return Found(want.odds is None or _as_expected(scene, want.odds, odds), str(odds).replace("\n", "; "))


def _plain(answer: Any) -> Any:
    """The answer as a value that odds can be gathered by."""
    match answer:
        case Breakdown():
            return answer.number
        case Verdict():
            return answer.ok
        case list():
            return tuple(answer)
    return answer


def _as_expected(scene: Scene, wanted: Mapping[str, Fraction], odds: Distribution[Any]) -> bool:
    rest = dict(odds)
    for name, chance in wanted.items():
        if name != "*":
            values = [value for value in rest if _is_value(scene, name, value)]
            if sum((rest.pop(value) for value in values), Fraction(0)) != chance:
                return False
    return sum(rest.values(), Fraction(0)) == wanted.get("*", 0)


def _is_value(scene: Scene, name: str, value: Any) -> bool:
    """TOML has keys of text only: "2" means the number, "true" the truth."""
    return name.lower() == str(value).lower() or same(scene.game, name, value)


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("refused", _refused, cites=True),
        Kind("offered", _offered, (str, list)),
        Kind("not_offered", _not_offered, (str, list)),
        Kind("only_offered", _only_offered, list),
        Kind("event", _event, keys=("with", "term", "times", "seen_by"), cites=True),
        Kind("ask", _ask, keys=("is", "term", "odds", "seen_by"), cites=True),
        Kind("odds_of", _odds, keys=("by", "odds")),
        Kind("result", _result, keys=("with",), cites=True),
        Kind("asks", _asks, keys=("with",), cites=True),
        Kind("to_act", _to_act),
        Kind("phase", _phase),
        Kind("log", _log, keys=("times", "seen_by"), cites=True),
    )
}


def look(scene: Scene, want: Expectation) -> tuple[Found, bool]:
    """What is found of an expectation now, and whether it could be looked up at all."""
    try:
        return KINDS[want.kind].look(scene, want), True
    except (BeachheadError, LookupError, ValueError) as error:
        return Found(False, f"cannot be told: {error}"), False
