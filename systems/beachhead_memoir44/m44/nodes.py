"""Reading JSON with care: every value knows the key where it stands, and every fault is collected instead of raised.

The forms that scenario files are known to use all read alike: numbers as strings, words in small letters, an empty object as `[]`, a list as a
map (`{"0": ...}`, `{"item": [...]}`).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NoReturn, TypeVar

from attrs import field, frozen

from beachhead.board import Board
from beachhead.errors import Fault, UnknownName
from beachhead.hexes import GeometryError, Hex
from beachhead.spelling import nearest
from beachhead_memoir44.tables import Side
from beachhead_memoir44.vocabulary import Word, word, words

Choice = TypeVar("Choice", bound=StrEnum)


class Unreadable(ValueError):
    """A file that is no JSON at all; the fault says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class _Object(dict[str, Any]):
    """A JSON object that remembers which of its keys stood there twice."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.twice = tuple(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)


@frozen
class Node:
    """One value of a file, with its key (`board.hexagons[12].unit.name`) and the list that collects the faults of the whole file."""

    key: str
    value: Any
    faults: list[Fault] = field(repr=False, eq=False)

    def fault(self, problem: str, fix: str = "") -> None:
        """Record that something is wrong here, and what would be right."""
        shown = None if isinstance(self.value, dict | list) else self.value
        self.faults.append(Fault(self.key, shown, problem, fix.removeprefix("; ")))

    def _child(self, name: str, value: object) -> Node:
        mark = "" if not self.key else ": " if self.key.endswith(".toml") else "."
        return Node(f"{self.key}{mark}{name}", value, self.faults)

    @property
    def is_object(self) -> bool:
        """Whether it is an object; where it should be and is not, that is recorded."""
        if not isinstance(self.value, dict):
            self.fault(f"expected an object {{...}}, not {_kind(self.value)}")
        return isinstance(self.value, dict)

    def members(self) -> dict[str, Node]:
        """The members of an object, without those that are null. An empty list is an empty object."""
        if self.value == [] or not self.is_object:
            return {}
        for name in self.value.twice if isinstance(self.value, _Object) else ():
            self._child(name, self.value[name]).fault("the key stands there twice", "keep one")
        return {name: self._child(name, value) for name, value in self.value.items() if value is not None}

    def fields(self, *known: str) -> dict[str, Node]:
        """The members of an object that has only these keys; each other one is a fault. An empty text counts as a missing key."""
        found = {name: node for name, node in self.members().items() if node.value != ""}
        for name in [name for name in found if name not in known]:
            hint = nearest(name, known) or f"known keys: {', '.join(known)}"
            found.pop(name).fault("unknown key", hint)
        return found

    def items(self) -> tuple[Node, ...]:
        """The items of a list, or of a map that stands for one."""
        key, value = self.key, self.value
        if isinstance(value, dict):
            if value.keys() == {"item"}:
                key, inner = f"{key}.item", value["item"]
                value = inner if isinstance(inner, list) else [inner]
            elif all(re.fullmatch(r"[0-9]{1,9}", name) for name in value):
                return tuple(
                    Node(f"{self.key}[{name}]", item, self.faults)
                    for name, item in sorted(value.items(), key=lambda pair: int(pair[0]))
                    if item is not None
                )
        if not isinstance(value, list):
            self.fault(f"expected a list [...], not {_kind(value)}", "a map of numbered items also counts as a list")
            return ()
        return tuple(Node(f"{key}[{i}]", item, self.faults) for i, item in enumerate(value) if item is not None)

    def text(self) -> str:
        """A string; numbers are taken as they are written."""
        if isinstance(self.value, str):
            return self.value
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return str(self.value)
        self.fault(f"expected a text, not {_kind(self.value)}")
        return ""

    def number(self, low: int = 0, high: int | None = None) -> int | None:
        """A whole number from `low` to `high`, also written as a string; None, and a fault, for anything else."""
        reach = f"a whole number from {low}" + (f" to {high}" if high is not None else " up")
        value = self.value
        if isinstance(value, str) and re.fullmatch(r"\s*-?[0-9]{1,9}\s*", value):
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            self.fault(f"expected {reach}, not {_kind(value)}")
            return None
        if value < low or (high is not None and value > high):
            self.fault("out of range", reach)
            return None
        return value

    def flag(self) -> bool:
        """True or false, also written as a string or as 1 and 0."""
        spelt = {"true": True, "1": True, "false": False, "0": False}
        found = spelt.get(str(self.value).strip().lower()) if isinstance(self.value, str | int | bool) else None
        if found is None:
            self.fault("expected true or false")
        return bool(found)

    def choice(self, among: type[Choice]) -> Choice | None:
        """One of the words of an enumeration, in capital or small letters; None, and a fault, for anything else."""
        wanted = self.value.strip().upper() if isinstance(self.value, str) else self.value
        for one in among:
            if one.value == wanted:
                return one
        known = [one.value for one in among]
        self.fault("unknown word", f"one of {', '.join(known)}{nearest(str(wanted), known)}")
        return None

    def side(self) -> Side | None:
        """AXIS or ALLIES; some files write @AXIS."""
        stripped = self.value.lstrip("@") if isinstance(self.value, str) else self.value
        return Node(self.key, stripped, self.faults).choice(Side)

    def word(self, layer: str) -> Word | None:
        """A word of the vocabulary; None, and a fault that names the nearest, when it is not in it."""
        if not isinstance(self.value, str):
            self.fault(f"expected the name of a {layer}, not {_kind(self.value)}")
            return None
        try:
            return word(layer, self.value)
        except UnknownName:
            other = next(
                (f"it is the name of a {place}" for place, known in words().items() if self.value in known), ""
            )
            hint = other or nearest(self.value, words()[layer]) or "no such name in the vocabulary of the format"
            self.fault(f"unknown {layer} name", hint)
            return None

    def hex(self, board: Board) -> Hex | None:
        """A hex by its Memoir label ("C4"); None, and a fault, when there is no such hex on the board."""
        try:
            return board.hex(self.text())
        except GeometryError as error:
            self.fault("no hex of this board", str(error))
            return None

    def hexes(self, board: Board) -> tuple[Hex, ...]:
        """A list of hexes by their labels, each once."""
        found = (item.hex(board) for item in self.items())
        return tuple(dict.fromkeys(hex for hex in found if hex is not None))


def parse(data: bytes) -> Any:
    """The value in a JSON file, whatever Unicode encoding its byte order mark announces (UTF-8 without one).

    Raises:
        Unreadable: the bytes are no text, or the text no JSON.
    """
    encodings = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
    encoding = next((name for mark, name in encodings.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        fault = Fault(
            f"byte {error.start}", None, f"not {encoding.upper()} text: {error.reason}", "save the file as UTF-8"
        )
        raise Unreadable(fault) from None
    try:
        return json.loads(text, object_pairs_hook=_Object, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise Unreadable(Fault(f"line {error.lineno}, column {error.colno}", None, f"no JSON: {error.msg}")) from None
    except RecursionError:
        raise Unreadable(Fault("the file", None, "lists and objects are nested too deeply")) from None
    except Unreadable:
        raise
    except ValueError:  # Python's bound on the length of an integer
        raise Unreadable(Fault("the file", None, "a number in it has too many digits")) from None


def merge(into: dict[str, Node], added: Mapping[str, Node], what: str) -> None:
    """Add members to an object that has some already: equal ones are one, different ones a fault."""
    for name, node in added.items():
        there = into.setdefault(name, node)
        if there.value != node.value:
            node.fault(f"{what} has {there.value!r} already, at {there.key}", "keep one of them")


def _no_number(constant: str) -> NoReturn:
    raise Unreadable(Fault("the file", constant, "no JSON: this is no number"))


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    names: Iterable[tuple[type, str]] = ((dict, "an object"), (list, "a list"), (str, "a text"), (float, "a fraction"))
    return next((name for kind, name in names if isinstance(value, kind)), "a number")
