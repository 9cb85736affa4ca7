"""The values of a scenario file: each knows the key where it stands, and every fault is collected instead of raised.

>>> faults = []
>>> table = Value("", {"titel": "Juno", "turns": 0}, faults).table({"title": "its name"}, "turns")
>>> table["turns"].number(1, 99)
>>> print(*faults, sep="\\n")
titel = 'Juno': unknown key (did you mean 'title'?)
turns = 0: out of range (a whole number from 1 to 99)
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import date, time
from typing import Any, TypeVar

from attrs import field, frozen

from beachhead.errors import Fault
from beachhead.rules import Provenance
from beachhead.spelling import nearest

T = TypeVar("T")
U = TypeVar("U")
SOURCES = ("source", "sources")
"""The two keys that say where figures come from: for all of a table, and for single ones."""
_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (dict, "a table"),
    (list, "a list"),
    (str, "a text"),
    (int, "a number"),
    (float, "a fraction"),
    (date, "a date or time"),
    (time, "a date or time"),
    (type(None), "None"),
)


@frozen
class Value:
    """One value of the file, with its key (`charts.movement.figures.bocage`) and the list that collects the faults of the whole file."""

    key: str
    value: Any
    faults: list[Fault] = field(repr=False, eq=False)

    def fault(self, problem: str, fix: str = "") -> None:
        """Record that something is wrong here, and what would be right."""
        short = not isinstance(self.value, dict) and "\n" not in str(self.value) and len(repr(self.value)) <= 60
        fault = Fault(self.key, self.value if short else None, problem, fix.removeprefix("; "))
        if fault not in self.faults:  # what holds for many figures is looked at for each
            self.faults.append(fault)

    def child(self, name: str, value: object) -> Value:
        """A value inside this table."""
        step = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f'"{name}"'
        return Value(f"{self.key}.{step}" if self.key else step, value, self.faults)

    def table(self, needed: Mapping[str, str], *others: str) -> Table:
        """The values of a table by their keys; what is unknown or missing is a fault.

        Args:
            needed: the keys that must be there, each with what belongs there.
            others: the keys that may be there.
        """
        if not isinstance(self.value, dict):
            self.fault(f"expected a table, not {_kind(self.value)}")
            return Table()
        found = Table({name: self.child(name, value) for name, value in self.value.items()})
        known = tuple(dict.fromkeys((*needed, *others)))
        absent = [name for name in known if name not in found]
        for name in [name for name in found if name not in known]:
            hint = nearest(name, absent)
            found.pop(name).fault("unknown key", hint or f"known keys: {', '.join(known)}")
            absent = [other for other in absent if repr(other) not in hint]
        for name in absent:
            if name in needed:
                self.child(name, None).fault("missing", needed[name])
        return found

    def items(self) -> tuple[Value, ...]:
        """The items of a list; tables that have a name are called by it, as in `formation["716"]`."""
        if not isinstance(self.value, list):
            fix = f"each of them begins with [[{self.key}]]" if isinstance(self.value, dict) else ""
            self.fault(f"expected a list [...], not {_kind(self.value)}", fix)
            return ()
        return tuple(Value(f"{self.key}[{_called(i, item)}]", item, self.faults) for i, item in enumerate(self.value))

    def text(self) -> str:
        """A text that is not empty; "" after a fault."""
        if not isinstance(self.value, str):
            self.fault(f"expected a text in quotation marks, not {_kind(self.value)}")
            return ""
        if not self.value.strip():
            self.fault("empty", "a text")
        return self.value.strip()

    def number(self, low: int, high: int) -> int | None:
        """A whole number from `low` to `high`; None after a fault."""
        reach = f"a whole number from {low} to {high}"
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            self.fault(f"expected {reach}, not {_kind(self.value)}")
            return None
        if not low <= self.value <= high:
            self.fault("out of range", reach)
            return None
        return self.value

    def flag(self) -> bool:
        """True or false; False after a fault."""
        if not isinstance(self.value, bool):
            self.fault(f"expected true or false, not {_kind(self.value)}")
        return self.value is True

    def word(self, known: Iterable[str], *, doubtful: bool = False) -> str:
        """One of some words; "" after a fault, which names the nearest. Where it is doubtful what all the words are, another is no fault."""
        words = tuple(map(str, known))
        found = self.text()
        if found and found not in words:
            if doubtful:
                return ""
            self.fault("unknown word", f"one of {', '.join(words)}{nearest(found, words)}")
            return ""
        return found

    def provenance(self) -> Provenance:
        """Where a figure comes from."""
        return Provenance(self.word(each.value for each in Provenance) or Provenance.AUTHORED)


def _called(number: int, item: object) -> str:
    name = item.get("name") if isinstance(item, dict) else None
    return f'"{name}"' if name and isinstance(name, str) else str(number)


def _kind(value: object) -> str:
    return next((name for kind, name in _KINDS if isinstance(value, kind)), type(value).__name__)


class Table(dict[str, Value]):
    """The values of a table by their keys. What is asked of a key that may be left out is asked with what holds then, and after a fault.

    >>> faults = []
    >>> row = Value("", {"turn": 3, "active": "alied", "air": "fog"}, faults).table({}, "turn", "active", "air", "phase")
    >>> row.number("turn", 1), row.word("active", {"allied": 1, "german": 2}, 0), row.number("air", 0), row.flag("phase")
    (3, 0, 0, False)
    >>> len(faults)
    2
    """

    def entries(self, key: str) -> tuple[Value, ...]:
        """The entries of a list; none if it is left out."""
        return self[key].items() if key in self else ()

    def number(self, key: str, otherwise: int, low: int = 0, high: int = 99) -> int:
        """A whole number from `low` to `high`."""
        found = self[key].number(low, high) if key in self else None
        return otherwise if found is None else found

    def numbers(self, key: str, names: Iterable[str], low: int = 0, high: int = 99) -> dict[str, int]:
        """A table of whole numbers, for some names or all."""
        table = self[key].table({}, *names) if key in self else {}
        return {name: n for name, value in table.items() if (n := value.number(low, high)) is not None}

    def flag(self, key: str) -> bool:
        """True or false; False if it is left out."""
        return key in self and self[key].flag()

    def word(self, key: str, known: Mapping[str, T], otherwise: U) -> T | U:
        """What one of some words means."""
        return known.get(self[key].word(known), otherwise) if key in self else otherwise

    def words(self, key: str, known: Iterable[str], otherwise: Iterable[str] = ()) -> tuple[str, ...]:
        """A list of some words."""
        names = tuple(known)
        return tuple([entry.word(names) for entry in self.entries(key)] if key in self else otherwise)


@frozen
class Sources:
    """Where figures come from: what `sources` says of single ones, else `source` of all, else the table around."""

    single: Mapping[str, Value] = field(factory=dict)
    of_all: Value | None = None
    around: Sources | None = None

    @classmethod
    def read(cls, table: Mapping[str, Value], figures: Collection[str], around: Sources | None = None) -> Sources:
        """What a table says of its figures."""
        single = table["sources"].table({}, *figures) if "sources" in table else {}
        return cls(single, table.get("source"), around)

    def said(self, figure: str) -> Value | None:
        """The word that holds for a figure, if there is any."""
        return self.single.get(figure, self.of_all) or (self.around.said(figure) if self.around else None)

    def of(
        self,
        figures: Iterable[str],
        given: Collection[str],
        whose: str = "",
        doubtful: Collection[str] = (),
        text: Mapping[str, tuple[Value, str]] | None = None,
    ) -> dict[str, Provenance]:
        """The provenance of each figure: authored, unless something else is said.

        Args:
            figures: the names of the figures.
            given: those that the rules' text gives: they come from it whatever the file says, and nothing else does.
            whose: what they belong to, for faults.
            doubtful: those that a fault has made unreadable: whether the text gives them cannot be told.
            text: where the text gives another figure, that value of the file, and what the text has, with its rule.
        """
        found: dict[str, Provenance] = {}
        for figure in figures:
            said = self.said(figure)
            source = Provenance.AUTHORED if said is None else said.provenance()
            found[figure] = Provenance.TEXT if figure in given else source
            if said is None or source is not Provenance.TEXT or figure in given or figure in doubtful:
                continue
            if text and figure in text:
                value, right = text[figure]
                value.fault(f"the rules' text has {right}", f'write that, or call {figure} "authored" or "published"')
            else:
                said.fault(
                    f"the rules' text does not give {figure}{whose and f' of {whose}'}",
                    '"published" for what is printed on map or counter, "authored" for what is printed nowhere',
                )
        return found
