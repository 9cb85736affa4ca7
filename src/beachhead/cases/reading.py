"""Files of rows, read and checked: every fault of a file is told at once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from attrs import define, field, fields_dict, frozen

from beachhead.cases.expectations import KINDS
from beachhead.cases.system import CaseSystem, case_system
from beachhead.cases.values import classes_of, spelt
from beachhead.errors import BeachheadError, Fault, ScenarioError
from beachhead.play import Decision, Event
from beachhead.rules import Catalogue
from beachhead.spelling import nearest, nearest_id
from beachhead.systems import System, endings, find_system

MOST_IDS = 6
"""A row that names more shows none of them clearly."""


@frozen
class Expectation:
    """One thing that must follow: its kind, what the kind's own key says, and the ids that it covers when it is met."""

    kind: str
    value: Any
    rule: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    after: int | None = None
    seen_by: str | None = None
    fields: Mapping[str, Any] = field(factory=dict)
    term: int | None = None
    times: int | None = None
    answer: Any = None
    by: str = ""
    odds: Mapping[str, Fraction] | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """What is covered when it is met."""
        return tuple(dict.fromkeys(self.rule + self.shows))

    def __str__(self) -> str:
        said = {"with": dict(self.fields) or None, "is": self.answer} | {
            name: getattr(self, name) for name in ("term", "times", "by", "after", "seen_by")
        }
        odds = "" if self.odds is None else " odds " + ", ".join(f"{value}: {p}" for value, p in self.odds.items())
        more = "".join(f", {name} {value!r}" for name, value in said.items() if value is not None and value != "")
        ids = f"  [{', '.join(self.ids)}]" if self.ids else ""
        return f"{self.kind} {self.value!r}{more}{odds}{ids}"


@frozen
class Variant:
    """What is played: the position, the lines, the rolls and the answers, and what must follow."""

    position: Mapping[str, Any]
    scenario: str = ""
    options: Mapping[str, object] = field(factory=dict)
    do: tuple[str, ...] = ()
    rolls: tuple[Any, ...] = ()
    seed: int | None = None
    answers: Mapping[str, str] = field(factory=dict)
    expect: tuple[Expectation, ...] = ()


@frozen
class Case:
    """A row: what is played, and its contrast, which is equal but for one thing."""

    id: str
    about: str
    system: str
    path: Path
    play: Variant
    contrast: Variant | None = None

    @property
    def expect(self) -> tuple[Expectation, ...]:
        """All its expectations, those of the contrast too."""
        return self.play.expect + (self.contrast.expect if self.contrast else ())

    @property
    def ids(self) -> tuple[str, ...]:
        """Every id that the row is about."""
        return tuple(dict.fromkeys(rule for want in self.expect for rule in want.ids))

    def __str__(self) -> str:
        return f"{self.path.name}::{self.id}"


def read_cases(path: str | Path, system: System[Any] | None = None) -> tuple[Case, ...]:
    """The rows of a file, written for this system; if left out, for the one that the file names.

    Raises:
        ScenarioError: every fault found in the file: which key, what is wrong with it, what would be right.
        OSError: there is no such file.
    """
    path = Path(path)
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(path, (Fault("the file", None, f"is not TOML: {error}"),)) from None
    try:
        if "system" not in data:
            ways = " or ".join(endings())
            hint = f'write system = "…" first; or, if it is a scenario, let its name end in {ways}'
            raise ScenarioError(path, (Fault("system", None, "is missing", hint),))
        system = system or find_system(str(data["system"]))
        reader = _Reader(path, system, case_system(system))
    except ScenarioError:
        raise
    except BeachheadError as error:
        raise ScenarioError(path, (Fault("system", data["system"], str(error)),)) from None
    cases = reader.file(data)
    if reader.faults:
        raise ScenarioError(path, tuple(reader.faults))
    return cases


_ROW: Mapping[str, type] = {
    "scenario": str,
    "options": dict,
    "do": list,
    "rolls": list,
    "seed": int,
    "answers": dict,
    "expect": list,
}
_EXPECT: Mapping[str, type | tuple[type, ...]] = {
    "rule": (str, list),
    "shows": (str, list),
    "after": int,
    "seen_by": str,
    "with": dict,
    "term": int,
    "times": int,
    "is": object,
    "by": str,
    "odds": dict,
}
_TOML = {str: "a text", list: "a list", dict: "a table", int: "a whole number"}


@define
class _Reader:
    """One file being read: its faults are gathered, and nothing stops at the first."""

    path: Path
    system: System[Any]
    cases: CaseSystem[Any]
    faults: list[Fault] = field(factory=list)

    def fault(self, key: str, value: object, problem: str, fix: str = "") -> None:
        self.faults.append(Fault(key, value, problem, fix))

    def known(self, where: str, given: Iterable[str], known: Iterable[str], fix: str = "") -> None:
        """Complain of every name that is not known."""
        names = sorted(known)
        for name in given:
            if name not in names:
                hint = nearest(name, names).removeprefix("; ")
                self.fault(f"{where}{name}", None, "is not known", hint or fix or f"known: {', '.join(names)}")

    def typed(self, where: str, row: Mapping[str, Any], types: Mapping[str, type | tuple[type, ...]]) -> None:
        """Complain of every value of the wrong type."""
        for name, kind in types.items():
            if name in row and not self._is(row[name], kind):
                kinds = kind if isinstance(kind, tuple) else (kind,)
                right = " or ".join(_TOML.get(k, k.__name__) for k in kinds)
                self.fault(f"{where}{name}", row[name], "is of the wrong type", f"it is {right}")

    @staticmethod
    def _is(value: object, kind: type | tuple[type, ...]) -> bool:
        return isinstance(value, kind) and not (kind is int and isinstance(value, bool))

    # -------------------------------------------------------- rows
    def file(self, data: Mapping[str, Any]) -> tuple[Case, ...]:
        self.known("", data, {"system", "common", "case"})
        common, rows = data.get("common", {}), data.get("case", [])
        self.typed("", data, {"common": dict})
        common = common if isinstance(common, dict) else {}
        self.known("common.", common, self.row_keys - {"expect"})
        if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
            self.fault("case", None, "there is no row", "write [[case]] tables")
            return ()
        cases, ids = list[Case](), set[str]()
        for n, row in enumerate(rows, 1):
            name = str(row.get("id", f"case {n}"))
            where = f"{name}."
            if name in ids:
                self.fault(f"{where}id", name, "stands there twice", "give each row its own")
            ids.add(name)
            if (case := self.case(where, {**common, **row})) is not None:
                cases.append(case)
        return tuple(cases)

    @property
    def row_keys(self) -> set[str]:
        return {*_ROW, *self.cases.keys}

    def case(self, where: str, row: dict[str, Any]) -> Case | None:
        before = len(self.faults)
        for name in ("id", "about"):
            if not isinstance(row.get(name), str) or not row[name].strip():
                self.fault(
                    f"{where}{name}", row.get(name), "is missing", "every row has an id and one sentence about it"
                )
        name, about, contrast = row.pop("id", ""), row.pop("about", ""), row.pop("contrast", None)
        self.known(where, row, self.row_keys | {"id", "about", "contrast"})
        play = self.variant(where, row)
        other = None
        if contrast is not None and not isinstance(contrast, dict):
            self.fault(f"{where}contrast", contrast, "is of the wrong type", "it is a table")
        elif contrast is not None:
            there = f"{where}contrast."
            if not contrast.get("expect"):
                self.fault(f"{there}expect", None, "is missing", "say what follows there, and differs")
            other = self.variant(there, self.changed(there, {**row, "expect": []}, contrast))
        case = Case(name, about, self.system.name, self.path, play, other)
        if len(case.ids) > MOST_IDS:
            self.fault(f"{where}expect", None, f"names {len(case.ids)} ids", f"{MOST_IDS} at the most; make two rows")
        return case if len(self.faults) == before else None

    def changed(self, where: str, row: dict[str, Any], contrast: Mapping[str, Any]) -> dict[str, Any]:
        """The row as its contrast changes it."""
        changes = [name for name in contrast if name not in ("expect", "about")]
        if not changes:
            self.fault(f"{where[:-1]}", None, "changes nothing", "change one thing, by KEY or KEY_replace")
        for name in changes:
            key = name.removesuffix("_replace")
            if name == key or name in self.row_keys:
                row[name] = contrast[name]
            elif isinstance(row.get(key), str):
                row[key] = self.replaced(f"{where}{name}", row[key], contrast[name])
            elif isinstance(row.get(key), list) and all(isinstance(each, str) for each in row[key]):
                row[key] = self.replaced(f"{where}{name}", "\n".join(row[key]), contrast[name]).split("\n")
            else:
                self.fault(f"{where}{name}", None, f"the row has no text {key!r}", "replace words in a text of the row")
        self.known(where, (name.removesuffix("_replace") for name in changes), self.row_keys)
        return {**row, "expect": contrast.get("expect", [])}

    def replaced(self, where: str, text: str, pairs: Any) -> str:
        if isinstance(pairs, list) and len(pairs) == 2 and all(isinstance(each, str) for each in pairs):
            pairs = [pairs]
        for pair in pairs if isinstance(pairs, list) else [pairs]:
            match pair:
                case [str(old), str(new)]:
                    # whole words only: a symbol of a drawing is not to be found within a word
                    text, found = re.subn(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _, new=new: new, text)  # type: ignore[misc]
                    if not found:
                        self.fault(where, old, "does not stand in the text as a word of its own")
                case _:
                    self.fault(where, pair, "is no replacement", 'write ["old", "new"]')
        return text

    def variant(self, where: str, row: Mapping[str, Any]) -> Variant:
        self.typed(where, row, _ROW)
        row = {name: value for name, value in row.items() if name not in _ROW or self._is(value, _ROW[name])}
        position = {key: value for key, value in row.items() if key in self.cases.keys}
        scenario = row.get("scenario", "")
        if scenario and position:
            self.fault(
                f"{where}scenario",
                scenario,
                f"stands beside {', '.join(position)}",
                "one of them says where play begins",
            )
        answers = row.get("answers", {})
        decisions = classes_of(Decision, self.system.package)
        for name in answers:
            if name != "*":
                self.named(f"{where}answers", name, decisions)
        return Variant(
            position,
            scenario,
            row.get("options", {}),
            tuple(map(str, row.get("do", ()))),
            tuple(row.get("rolls", ())),
            row.get("seed"),
            {name if name == "*" else spelt(name): str(answer) for name, answer in answers.items()},
            tuple(
                want
                for n, each in enumerate(row.get("expect", ()), 1)
                if (want := self.expectation(f"{where}expect {n}.", each, len(row.get("do", ())))) is not None
            ),
        )

    # -------------------------------------------------------- expectations
    def expectation(self, where: str, row: Any, lines: int) -> Expectation | None:
        before = len(self.faults)
        kinds = [name for name in row if name in KINDS] if isinstance(row, dict) else []
        if len(kinds) != 1:
            self.known(where, () if not isinstance(row, dict) else row, {*KINDS, *_EXPECT})
            self.fault(
                where[:-1],
                row,
                f"is of {len(kinds)} kinds" if kinds else "is of no kind",
                f"name one of {', '.join(KINDS)}",
            )
            return None
        kind = KINDS[kinds[0]]
        rest = {name: value for name, value in row.items() if name != kind.name}
        allowed = {"shows", "after", *kind.keys} | ({"rule"} if kind.cites else set())
        for name in [name for name in rest if name in _EXPECT and name not in allowed]:
            fix = "write shows" if name == "rule" else f"{kind.name} may have {', '.join(sorted(allowed))}"
            self.fault(f"{where}{name}", rest.pop(name), f"{kind.name} has no {name}", fix)
        self.known(where, rest, allowed)
        self.typed(where, row, {kind.name: kind.value, **_EXPECT})
        for name in (kind.name, "rule", "shows"):
            if isinstance(row.get(name), list) and not all(isinstance(each, str) for each in row[name]):
                self.fault(f"{where}{name}", row[name], "is of the wrong type", "it is a list of texts")
        if self._is(rest.get("after", 0), int) and not 0 <= rest.get("after", 0) <= lines:
            self.fault(f"{where}after", rest["after"], f"there are {lines} lines in `do`", f"0 to {lines}")
        if rest.get("times") == 0 and "rule" in rest:
            self.fault(f"{where}rule", rest["rule"], "what did not happen cites nothing", "write shows")
        if len(self.faults) > before:
            return None
        self.names(where, kind.name, row)
        want = Expectation(
            kind.name,
            row[kind.name],
            self.ids(f"{where}rule", rest.get("rule", [])),
            self.ids(f"{where}shows", rest.get("shows", [])),
            rest.get("after"),
            rest.get("seen_by"),
            rest.get("with", {}),
            rest.get("term"),
            rest.get("times"),
            rest.get("is"),
            rest.get("by", ""),
            self.odds(f"{where}odds", rest["odds"]) if "odds" in rest else None,
        )
        if kind.name == "odds_of" and not want.by:
            self.fault(f"{where}by", None, "is missing", "name the question to ask of the end")
        return want if len(self.faults) == before else None

    def names(self, where: str, kind: str, row: Mapping[str, Any]) -> None:
        """An event or decision that no class is would be missing for ever: complain now."""
        base: Any = {"event": Event, "asks": Decision}.get(kind)
        if base is not None and (cls := self.named(f"{where}{kind}", row[kind], classes_of(base, self.system.package))):
            self.known(f"{where}with.", row.get("with", {}), {*fields_dict(cls), "side", "rule"})

    def named(self, where: str, name: str, classes: Mapping[str, type]) -> type | None:
        if spelt(name) not in classes:
            known = sorted(cls.__name__ for cls in classes.values())
            hint = nearest(name.title().replace("_", ""), known).removeprefix("; ")
            self.fault(where, name, "there is no such class", hint or f"known: {', '.join(known)}")
        return classes.get(spelt(name))

    def ids(self, where: str, given: str | list[str]) -> tuple[str, ...]:
        ids = (given,) if isinstance(given, str) else tuple(given)
        catalogue: Catalogue = self.system.catalogue
        prefixes = {rule.partition(":")[0] for rule in catalogue}
        for rule in ids:  # ids of another system's catalogue are its own matter: the gate looks at them
            if str(rule).partition(":")[0] in prefixes and rule not in catalogue and rule not in catalogue.rulings:
                self.fault(where, rule, "there is no such rule", nearest_id(rule, catalogue).removeprefix("; "))
        return ids

    def odds(self, where: str, given: Mapping[str, Any]) -> Mapping[str, Fraction]:
        chances = {value: self.chance(f"{where}.{value}", chance) for value, chance in given.items()}
        if sum(chances.values()) != 1 and "*" not in chances:
            self.fault(where, None, f"the chances sum to {sum(chances.values())}", 'to 1; "*" takes the rest')
        return chances

    def chance(self, where: str, given: Any) -> Fraction:
        if isinstance(given, str | int) and not isinstance(given, bool):
            try:
                return Fraction(given)
            except (ValueError, ZeroDivisionError):
                pass
        self.fault(where, given, "is no exact chance", 'write a fraction, "5/36"')
        return Fraction(0)
