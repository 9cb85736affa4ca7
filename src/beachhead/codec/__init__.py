"""JSON and text in and out, for every value of every system, without a line of code for any of them.

>>> import beachhead as bh
>>> from beachhead.codec import codec_for
>>> from beachhead.dice import AtMost
>>> codec = codec_for(bh.find_system("memoir44"))
>>> codec.dumps(AtMost(4))
'{"number":4,"type":"beachhead.at_most"}'
>>> codec.loads('{"type": "beachhead.at_most", "numbr": 4}')
Traceback (most recent call last):
    ...
beachhead.errors.CodecError: beachhead.at_most has no field 'numbr'; did you mean 'number'?; known: number
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from fractions import Fraction
from functools import cached_property
from operator import attrgetter
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin

import attrs

from beachhead.codec.forms import (
    PLAIN,
    Anything,
    Choice,
    Exact,
    Form,
    Items,
    Json,
    OneOf,
    Part,
    Plain,
    Record,
    Row,
    Table,
    canonical,
)
from beachhead.errors import CodecError
from beachhead.hexes import Labels
from beachhead.names import Names, fields_of, is_protocol
from beachhead.play import Decision, Setting, setting_of
from beachhead.position import Answer, Position
from beachhead.spelling import nearest
from beachhead.systems import System

__all__ = ["Codec", "CodecError", "canonical", "codec_for"]

_codecs: dict[str, Codec] = {}


def codec_for(system: System[Any]) -> Codec:
    """The codec of a system; made once.

    Raises:
        RulesError: two of its classes would go by one name.
    """
    codec = _codecs.get(system.name)
    if codec is None or codec.system is not system:
        codec = _codecs[system.name] = Codec(system)
    return codec


class Codec:
    """Writes and reads the values of one system: states, requests, actions, events, answers, positions, and what they are made of.

    A value of an attrs class is an object that names its class, `{"type": "memoir44.move", …}`: the system, and the class's name in small
    letters. Fields of a known type are brief: enums by value, hexes as `[q, r]`, tuples as lists. Where the type is `Any`, or a union would
    be ambiguous, such values name their class, too. In every method `type` is the type of the whole value; left out, it is `Any`.
    """

    def __init__(self, system: System[Any]) -> None:
        self.system, self.names = system, Names(system)
        self.anything = Anything(self._of_class, self._of_tag)
        self._forms = dict[Any, Form]()
        self._exact = dict[tuple[type, tuple[Any, ...]], Form]()
        position = Record(Position, "beachhead.position", self._position, Position)
        forms = (Items(self.anything, frozenset), Table(self.anything, self.anything), Exact(), position)
        self._built_in = {
            record.cls: record for record in (form.tagged() for form in forms) if isinstance(record, Record)
        }

        self._tags = {record.tag: cls for cls, record in self._built_in.items()} | dict(self.names.classes)

    # -------------------------------------------------------- JSON
    def dump(self, value: Any, type: Any = Any) -> Json:
        """The value as what `json` writes: dicts, lists, texts, numbers, booleans, None.

        Raises:
            CodecError: it holds something that has no form here; the error says where.
        """
        return self.form(type).dump(value)

    def load(self, data: Json, type: Any = Any) -> Any:
        """The value that was dumped.

        Raises:
            CodecError: the data fit no value of this type; the error says where, what stands there, and what would be right.
            LookupError: the scenario that a state stands on has not been loaded.
        """
        return self.form(type).load(data)

    def dumps(self, value: Any, type: Any = Any) -> str:
        """The value as canonical JSON text: sorted keys, no spaces, nothing escaped that need not be. Equal values have equal texts."""
        return canonical(self.dump(value, type))

    def loads(self, text: str, type: Any = Any) -> Any:
        """The value of a JSON text. Raises as `load` does, and CodecError for what is no JSON."""
        try:
            data = json.loads(text)
        except ValueError as error:
            raise CodecError(f"this is no JSON: {error}") from None
        return self.load(data, type)

    def schema(self, type: Any = Any) -> dict[str, Json]:
        """The JSON Schema (draft 2020-12) of what is dumped of this type: a class, a union, or the base of a family such as `Event`."""
        from beachhead.codec.schema import schema

        return schema(self.form(type), self._tags)

    # -------------------------------------------------------- text
    @cached_property
    def actions(self) -> tuple[type, ...]:
        """Every class of actions."""
        decisions = (cls for cls in self.names.tags if issubclass(cls, Decision) and isinstance(cls.kinds, tuple))
        return tuple(dict.fromkeys(kind for cls in decisions for kind in cls.kinds))

    def text(self, action: Any, labels: Labels) -> str:
        """An action in a line, its name and its fields, hexes by their labels: "move C3 D4"."""
        from beachhead.codec.text import text

        return text(self, action, labels)

    def parse(self, line: str, labels: Labels, kinds: Sequence[type] = ()) -> Any:
        """The action that a line says; spaces, and capitals in its name, do not matter. Of two classes with one name that in `kinds` is meant.

        Raises:
            CodecError: it says none; the error shows how the nearest one is written.
        """
        from beachhead.codec.text import parse

        return parse(self, line, labels, kinds)

    # -------------------------------------------------------- from types to forms
    def form(self, type: Any) -> Form:
        """The form of a type. Raises CodecError for one that has none."""
        if type not in self._forms:
            self._forms[type] = self._make(type)
        return self._forms[type]

    def _make(self, hint: Any) -> Form:
        origin, args = get_origin(hint), get_args(hint)
        if hint in (Any, object) or isinstance(hint, TypeVar):
            return self.anything
        if hasattr(hint, "__supertype__"):
            return self.form(hint.__supertype__)
        if origin in (Annotated, Final):
            return self.form(args[0])
        if origin in (Union, UnionType):
            return OneOf.of(map(self.form, args), self.anything)
        if origin is Literal:
            return Choice(object, {value: value for value in args})
        cls = NoneType if hint is None else origin or hint
        if not isinstance(cls, type):
            raise CodecError(f"there is no JSON form for {hint!r}")
        return self._collection(cls, args) or self._family(cls, args)

    def _collection(self, cls: type, args: tuple[Any, ...]) -> Form | None:
        if cls in PLAIN:
            return Plain(cls)
        if cls is Fraction:
            return Exact()
        if cls is tuple and args and args[-1] is not ...:
            return Row(tuple(map(self.form, args)))
        if cls in (tuple, Sequence, frozenset, AbstractSet):
            item = self.form(args[0]) if args else self.anything
            return Items(item, frozenset) if issubclass(cls, AbstractSet) else Items(item)
        if cls in (dict, Mapping):
            return Table(*map(self.form, args or (Any, Any)))
        return None

    def _family(self, cls: type, args: tuple[Any, ...]) -> Form:
        """A class and those derived from it; or those that have what a protocol asks for."""
        if cls in self._built_in:
            return self._built_in[cls]
        forms = [self._exactly(one, args if one is cls else ()) for one in self.names.family(cls)]
        if not forms and is_protocol(cls):
            return self.anything
        if not forms:
            raise self._stranger(cls)
        return OneOf.of(forms, self.anything) if len(forms) > 1 else forms[0]

    def _exactly(self, cls: type, args: tuple[Any, ...] = ()) -> Form:
        """The form of one known class and no other."""
        if (cls, args) not in self._exact:
            self._exact[cls, args] = self._describe(cls, self.names.tags[cls], args)
        return self._exact[cls, args]

    def _describe(self, cls: type, tag: str, args: tuple[Any, ...]) -> Form:
        if issubclass(cls, Enum):
            return Choice.of(cls, tag)
        if issubclass(cls, Setting):  # goes by its key: who reads it has loaded the scenario
            key = Part(Plain(str), attrgetter("key"), "key")
            return Record(cls, tag, lambda: {"key": key}, lambda key: setting_of(cls, key))
        record = Record(cls, tag, lambda: self._parts(cls, args), cls)
        return record if attrs.has(cls) else Row(tuple(part.form for part in record.parts.values()), cls, record)

    def _parts(self, cls: type, args: tuple[Any, ...]) -> dict[str, Part]:
        """The fields of a class. One that is called `type` has to make room for the name of the class."""
        hints, given = self.names.hints(cls), dict(zip(getattr(cls, "__parameters__", ()), args, strict=False))
        return {
            "type_" if parameter == "type" else parameter: Part(
                self.form(_filled(hints.get(name, Any), given)), attrgetter(name), parameter, needed
            )
            for name, parameter, needed in fields_of(cls)
        }

    def _position(self) -> dict[str, Part]:
        system = Choice(object, {self.system.name: self.system})
        return {
            "system": Part(system, attrgetter("system"), "system"),
            "state": Part(self.form(self.system.state), attrgetter("base"), "base"),
            "answers": Part(self.form(tuple[Answer, ...]), attrgetter("answers"), "answers"),
        }

    # -------------------------------------------------------- from values and tags to forms
    def _of_class(self, cls: type) -> Form:
        if cls in self._built_in:
            return self._built_in[cls]
        if cls not in self.names.tags:
            raise self._stranger(cls)
        return self._exactly(cls).tagged()

    def _of_tag(self, tag: str) -> Form:
        if tag not in self._tags:
            raise CodecError(f"{self.system.name} knows no {tag!r}{nearest(tag, self._tags)}")
        return self._of_class(self._tags[tag])

    def _stranger(self, cls: type) -> CodecError:
        name, tag = f"{cls.__module__}.{cls.__qualname__}", self.names.tag(cls)
        if tag in self.names.homonyms:
            return CodecError(f"{name} has no name of its own: another class would be {tag!r}, too; rename one of them")
        return CodecError(f"{name} is no class of values that {self.system.name} knows")


def _filled(hint: Any, given: Mapping[Any, Any]) -> Any:
    """A type with its type variables replaced; those of which nothing is known may be anything."""
    if isinstance(hint, TypeVar):
        return given.get(hint, Any)
    variables = getattr(hint, "__parameters__", ()) if get_args(hint) else ()
    return hint[tuple(given.get(variable, Any) for variable in variables)] if variables else hint
