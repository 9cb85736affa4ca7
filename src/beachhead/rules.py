"""Rules and the answers that cite them: objections, verdicts, breakdowns, rulings, charts, and the catalogue of statements.

>>> dice = Breakdown.of(Modifier("infantry at 1 hex", 3, "m44:troop.infantry.dice"))
>>> dice += Modifier("forest at C3", -1, "m44:terrain.forest.protect")
>>> print(dice)
3 infantry at 1 hex (m44:troop.infantry.dice) - 1 forest at C3 (m44:terrain.forest.protect) = 2
>>> dice.total
2
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from functools import cached_property, wraps
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from attrs import field, frozen

from beachhead.arguments import kinds_of, wrong_argument
from beachhead.errors import OptionError, UnknownName
from beachhead.spelling import nearest, nearest_id

if TYPE_CHECKING:
    from fractions import Fraction

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S")
A = TypeVar("A")


def cited(rules: str | Iterable[str]) -> tuple[str, ...]:
    """One rule id or several, as a tuple."""
    return (rules,) if isinstance(rules, str) else tuple(rules)


# ------------------------------------------------------------ why not
@frozen
class Objection:
    """One reason against an action: the rules that give it, and a sentence that is put together only when somebody reads it."""

    rules: tuple[str, ...] = field(converter=cited)
    template: str
    args: tuple[object, ...] = ()

    @property
    def rule(self) -> str:
        """The first rule cited."""
        return self.rules[0]

    @property
    def text(self) -> str:
        """The reason, as a sentence to a player."""
        return self.template.format(*self.args)

    def __str__(self) -> str:
        return f"{self.text} ({', '.join(self.rules)})"


@frozen
class Verdict:
    """Whether something is allowed, and if not, every reason. Falsy when refused.

    `facts` are the rules that a permission rests on, for questions whose yes has a reason of its own ("sight is clear along one side").
    """

    objections: tuple[Objection, ...] = ()
    facts: tuple[Objection, ...] = ()

    @property
    def ok(self) -> bool:
        """True when nothing is said against it."""
        return not self.objections

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule cited, each once, in order."""
        return tuple(dict.fromkeys(rule for reason in (*self.objections, *self.facts) for rule in reason.rules))

    def __bool__(self) -> bool:
        return not self.objections

    def __str__(self) -> str:
        if self.objections:
            return "; ".join(map(str, self.objections))
        return f"allowed: {'; '.join(map(str, self.facts))}" if self.facts else "allowed"

    def _repr_html_(self) -> str:
        reasons = "".join(f"<li>{escape(str(reason))}</li>" for reason in (*self.objections, *self.facts))
        return f"<div><b>{'allowed' if self else 'refused'}</b><ul>{reasons}</ul></div>"


# ------------------------------------------------------------ how many
@frozen
class Modifier:
    """One term of a breakdown: what it is, how much, and the rules that say so. `authored` marks a figure that no printed source gives."""

    label: str
    value: int
    rules: tuple[str, ...] = field(converter=cited)
    authored: bool = False

    @property
    def rule(self) -> str:
        """The first rule cited."""
        return self.rules[0]

    def __str__(self) -> str:
        return self.shown()

    def shown(self, per: int = 1, *, cited: bool = True) -> str:
        """The term without its sign, in units of which `per` make one; with its rules or without."""
        notes = [*(self.rules if cited else ()), *(("authored",) if self.authored else ())]
        text = f"{_share(abs(self.value), per)} {self.label}"
        return f"{text} ({', '.join(notes)})" if notes else text


@frozen
class Breakdown:
    """A number with its terms, each of which cites its rule. Add modifiers or other breakdowns to it.

    `per` is how many of its units make one: a sum in half Movement Points has `per=2`, and shows as whole and half points.
    """

    terms: tuple[Modifier, ...] = ()
    per: int = 1

    @classmethod
    def of(cls, *terms: Modifier, per: int = 1) -> Breakdown:
        """The breakdown with these terms."""
        return cls(terms, per)

    @property
    def total(self) -> int:
        """The sum of the terms."""
        return sum([term.value for term in self.counted])

    @property
    def counted(self) -> tuple[Modifier, ...]:
        """The terms that count: all, but for those that `knocked_out` has taken out of play."""
        return tuple(term for term in self.terms if _stands(term.rules)) if _knocked else self.terms

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule cited, each once, in order."""
        return tuple(dict.fromkeys(rule for term in self.terms for rule in term.rules))

    @property
    def authored(self) -> bool:
        """True when the number rests on a figure that no printed source gives."""
        return any(term.authored for term in self.terms)

    @property
    def number(self) -> int | Fraction:
        """The total, in ones: a fraction where units of which several make one do not add up to a whole."""
        from fractions import Fraction

        whole, rest = divmod(self.total, self.per)
        return Fraction(self.total, self.per) if rest else whole

    def __add__(self, other: Modifier | Breakdown) -> Breakdown:
        return Breakdown((*self.terms, *(other.terms if isinstance(other, Breakdown) else (other,))), self.per)

    def __int__(self) -> int:
        return self.total

    @property
    def uncited(self) -> str:
        """The sum in words, without the rules: for a sentence that cites them by itself."""
        return self._shown(cited=False)

    def __str__(self) -> str:
        return self._shown(cited=True)

    def _shown(self, *, cited: bool) -> str:
        signs = ["-" if term.value < 0 else "+" for term in self.terms]
        shown = [term.shown(self.per, cited=cited) for term in self.terms]
        text = "".join(f" {sign} {term}" for sign, term in zip(signs, shown, strict=True))
        return f"{text.removeprefix(' + ').removeprefix(' ')} = {_share(self.total, self.per)}" if text else "0"

    def _repr_html_(self) -> str:
        row = "<tr><td align=right>{}{}</td><td>{}</td><td><code>{}</code></td></tr>"
        rows = "".join(
            row.format("+" * (t.value >= 0), _share(t.value, self.per), escape(t.label), escape(", ".join(t.rules)))
            for t in self.terms
        )
        total = _share(self.total, self.per)
        return f"<table>{rows}<tr><th align=right>{total}</th><th colspan=2>total</th></tr></table>"


def _share(value: int, per: int) -> str:
    """A number of units of which `per` make one.

    >>> _share(3, 1), _share(3, 2), _share(4, 2)
    ('3', '3/2', '2')
    """
    from fractions import Fraction

    return str(value) if per == 1 else str(Fraction(value, per))


# ------------------------------------------------------------ the catalogue
class Status(Enum):
    """What a statement of the catalogue asks of the code (and of its tests)."""

    ENFORCED = "enforced"
    HOLDS = "holds"
    INFORMS = "informs"
    SAME_AS = "same_as"
    NOT_MODELLED = "not_modelled"
    TODO = "todo"


@frozen
class Rule:
    """One statement of a rulebook, in our own words."""

    id: str
    title: str
    text: str
    example: str = ""
    status: Status = field(default=Status.TODO, converter=Status)
    asks: str = ""
    same_as: str = ""
    reason: str = ""
    ruling: str = ""
    ambiguity: str = ""
    source: str = ""
    chart: bool = False
    part: int = 1

    @property
    def section(self) -> str:
        """The part of the id between the system's prefix and the last name."""
        return self.id.split(":", 1)[1].rpartition(".")[0] or self.id.split(":", 1)[1]

    def __str__(self) -> str:
        return f"{self.id}  {self.title}\n{self.text}"

    def _repr_html_(self) -> str:
        return f"<p><code>{escape(self.id)}</code> <b>{escape(self.title)}</b><br>{escape(self.text)}</p>"


@frozen
class Ruling:
    """Our reading where the printed rules are silent or contradict themselves; with several choices it is a game option."""

    id: str
    title: str
    reading: str
    reason: str
    choices: Mapping[str, str] = field(factory=dict)
    default: str = ""
    rules: tuple[str, ...] = field(default=(), converter=cited)

    def __str__(self) -> str:
        choices = "".join(
            f"\n  {name}{' (default)' if name == self.default else ''}: {what}" for name, what in self.choices.items()
        )
        return f"{self.id}  {self.title}\n{self.reading}\nWhy: {self.reason}{choices}"


class Catalogue(Mapping[str, Rule]):
    """The statements and rulings of one system, read from its `rules.toml` and `rulings.toml` when first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def _rules(self) -> dict[str, Rule]:
        rows = _toml(self.folder / "rules.toml").get("rule", [])
        rules = {row["id"]: Rule(**({"status": "same_as"} if "same_as" in row else {}) | row) for row in rows}
        if len(rules) != len(rows):
            raise ValueError(f"{self.folder / 'rules.toml'}: an id stands there twice")
        return rules

    @cached_property
    def rulings(self) -> Mapping[str, Ruling]:
        """The rulings by id."""
        path = self.folder / "rulings.toml"
        return {row["id"]: Ruling(**row) for row in _toml(path).get("ruling", [])} if path.exists() else {}

    def __getitem__(self, rule: str) -> Rule:
        try:
            return self._rules[rule]
        except KeyError:
            raise UnknownName(f"no rule {rule!r}{nearest_id(rule, self._rules)}") from None

    def __contains__(self, rule: object) -> bool:
        return rule in self._rules

    def __iter__(self) -> Iterator[str]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)

    def search(self, words: str) -> tuple[Rule, ...]:
        """The rules in whose id, title or text every word occurs."""
        wanted = words.lower().split()
        return tuple(r for r in self.values() if all(w in f"{r.id} {r.title} {r.text}".lower() for w in wanted))

    def choices(self, options: Mapping[str, object]) -> dict[str, str]:
        """What holds for every ruling that has choices, under a game's options.

        A key is a ruling's id or its part behind the colon; a value names a choice (True and False stand for "yes" and "no").

        Raises:
            OptionError: an unknown key or choice, with the nearest that exist.
        """
        chosen = {ruling.id: ruling.default for ruling in self.rulings.values() if ruling.choices}
        names = {name: ruling for ruling in chosen for name in (ruling, ruling.split(":", 1)[1])}
        for key, value in options.items():
            if key not in names:
                raise OptionError(f"no option {key!r}{self._meant(key, names)}; known: {', '.join(sorted(chosen))}")
            choice = {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
            ruling = self.rulings[names[key]]
            if choice not in ruling.choices:
                raise OptionError(
                    f"option {ruling.id} has no choice {choice!r}: it is one of {', '.join(ruling.choices)}"
                )
            chosen[ruling.id] = choice
        return chosen

    def unusual(self, choices: Mapping[str, str]) -> Iterator[str]:
        """The rulings that are not read as usual, each in a line, under what `choices` gave."""
        for key, choice in choices.items():
            ruling = self.rulings[key]
            if choice != ruling.default:
                yield f"{key} {ruling.title}: {ruling.choices[choice]}"

    def _meant(self, key: str, names: Mapping[str, str]) -> str:
        """The hint for an option that there is not: by the title of the ruling, or by its id."""
        from difflib import get_close_matches

        titles = {self.rulings[ruling].title.lower(): ruling for ruling in names.values()}
        found = next((title for title in titles if key.lower() in title), "") if len(key) > 2 else ""
        close = found or next(iter(get_close_matches(key.lower(), titles, n=1)), "")
        if not close:
            return nearest(key, names)
        return f"; did you mean {titles[close]!r} ({self.rulings[titles[close]].title})?"


def _toml(path: Path) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(path.read_text("utf-8"))


# ------------------------------------------------------------ charts
class Provenance(Enum):
    """Where a figure of a chart comes from: the rules' text, public facts about the printed game, or ourselves."""

    TEXT = "text"
    PUBLISHED = "published"
    AUTHORED = "authored"


@frozen
class Chart(Mapping[str, int]):
    """A table that the printed game has on a card or map. Each figure says where it comes from; nothing authored passes as printed."""

    name: str
    rule: str
    figures: Mapping[str, int]
    source: Mapping[str, Provenance]

    def __getitem__(self, key: str) -> int:
        return self.figures[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.figures)

    def __len__(self) -> int:
        return len(self.figures)

    def modifier(self, key: str, label: str = "") -> Modifier:
        """The figure as a term of a breakdown, marked when it is authored."""
        return Modifier(label or key, self.figures[key], self.rule, self.source[key] is Provenance.AUTHORED)


def read_charts(path: Path) -> Mapping[str, Chart]:
    """The charts of a `charts.toml`: tables `[[chart]]` with name, rule, figures and a source for all (`source`) or for single figures (`sources`)."""
    charts = {}
    for row in _toml(path).get("chart", []):
        of_all = Provenance(row.get("source", "authored"))
        source = {key: Provenance(row.get("sources", {}).get(key, of_all.value)) for key in row["figures"]}
        charts[row["name"]] = Chart(row["name"], row["rule"], row["figures"], source)
    return charts


# ------------------------------------------------------------ what was cited at the doors
_recorders: list[set[str]] = []
_knocked: set[str] = set()
_struck: set[str] = set()


@contextmanager
def recording() -> Iterator[set[str]]:
    """Collects the ids that are cited at the doors meanwhile: events and chances applied by a `Game`, verdicts it gives, questions answered."""
    ids: set[str] = set()
    _recorders.append(ids)
    try:
        yield ids
    finally:
        _recorders[:] = [other for other in _recorders if other is not ids]  # sets are equal by what is in them


def is_recording() -> bool:
    """Whether anybody collects what is cited."""
    return bool(_recorders)


def record_citations(rules: Iterable[str]) -> None:
    """Tells the recorders, if there are any, that these rules were cited at a door."""
    if _recorders:
        found = tuple(rules)
        for ids in _recorders:
            ids.update(found)


def question(fn: Callable[P, T]) -> Callable[P, T]:
    """Marks a public rule question: what its answer cites counts as cited at a door. Rules code calls the plain functions behind it.

    Asked with a value of the wrong kind (`beachhead.arguments`), such as a game in place of its state, it raises TypeError.
    """
    in_order, by_name = kinds_of(fn)

    @wraps(fn)
    def asked(*args: P.args, **kwargs: P.kwargs) -> T:
        fits = all(map(isinstance, args, in_order))
        if not fits or (kwargs and not all(isinstance(v, by_name.get(name, object)) for name, v in kwargs.items())):
            raise wrong_argument(fn, args, kwargs)
        answer = fn(*args, **kwargs)
        if _recorders:
            record_citations(getattr(answer, "rules", ()))
        return answer

    return asked


@contextmanager
def knocked_out(*rules: str) -> Iterator[set[str]]:
    """Takes every objection and every term that cites one of these rules out of play, to see who notices.

    Yields:
        a set that fills with those of the rules of which something has in fact been taken out.
    """
    before = set(_knocked)
    _knocked.update(rules)
    _struck.difference_update(rules)
    try:
        yield _struck
    finally:
        _knocked.intersection_update(before)
        _struck.intersection_update(before)


def _stands(rules: tuple[str, ...]) -> bool:
    """Whether what cites these rules is in play."""
    struck = _knocked.intersection(rules)
    _struck.update(struck)
    return not struck


def first_objection(objections: Iterator[Objection]) -> Objection | None:
    """The first reason against something, or None."""
    if _knocked:
        return next((o for o in objections if _stands(o.rules)), None)
    return next(objections, None)


def unopposed(candidates: Iterable[A], objections: Callable[[S, A], Iterator[Objection]], state: S) -> tuple[A, ...]:
    """The candidates against which nothing is said in this state: those without a first objection."""
    if _knocked:
        return tuple([a for a in candidates if first_objection(objections(state, a)) is None])
    return tuple([a for a in candidates if next(objections(state, a), None) is None])


def verdict(objections: Iterator[Objection]) -> Verdict:
    """All the reasons, as a verdict."""
    return Verdict(tuple(o for o in objections if _stands(o.rules)) if _knocked else tuple(objections))
