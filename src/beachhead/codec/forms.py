"""The forms that values take in JSON, one for each kind of type: how a value is written, and how it is read.

Where the type of a field is known, a value is written as briefly as the type allows: an enum by its value, a hex as `[q, r]`. Where the type
says nothing, and where two members of a union would look alike, it is an object that names its class: `{"type": "memoir44.side", "value":
"AXIS"}`. A value of an attrs class always is one: `{"type": "memoir44.move", "unit": 4, …}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from fractions import Fraction
from functools import cached_property
from types import NoneType
from typing import Any, TypeVar

from attrs import define, frozen

from beachhead.errors import BeachheadError, CodecError
from beachhead.spelling import nearest

Json = Any
T = TypeVar("T")


def misfit(found: str, right: object) -> CodecError:
    """The error that says what stands there and what would be right."""
    return CodecError(f"{found if len(found) <= 60 else f'{found[:59]}…'} stands there; right would be {right}")


def canonical(data: Json) -> str:
    """The one JSON text that equal data have.

    >>> canonical({"b": [1, 2], "a": "é"})
    '{"a":"é","b":[1,2]}'
    """
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


class Form:
    """How the values of one type are written."""

    cls: type
    """The class of the values."""
    kinds: frozenset[str]
    """The kinds of JSON it writes; by them the members of a union are told apart."""

    def holds(self, value: Any) -> bool:
        """Whether the value is one of this type."""
        return isinstance(value, self.cls)

    def dump(self, value: Any) -> Json:
        """The value as JSON. Raises CodecError when it is of another type."""
        if not self.holds(value):
            raise misfit(repr(value), self)
        return self._dump(value)

    def load(self, data: Json) -> Any:
        """What was written. Raises CodecError when no value of this type can have been."""
        loaded = self._load(data)
        if loaded is NotImplemented:
            raise misfit(json.dumps(data, ensure_ascii=False, default=repr), self)
        return loaded

    def tagged(self) -> Form:
        """The form that names its class; this one where it does already, or where there is no class to name."""
        return self

    def _dump(self, value: Any) -> Json:
        raise NotImplementedError

    def _load(self, data: Json) -> Any:
        """What was written; NotImplemented where the data are of another kind."""
        raise NotImplementedError


def at(step: str | int, convert: Callable[[Any], T], part: Any) -> T:
    """A part of something, converted; an error says where it stands."""
    try:
        return convert(part)
    except CodecError as error:
        raise CodecError(error.problem, (step, *error.path)) from None


# ------------------------------------------------------------ single values
PLAIN = {
    NoneType: ("null", "null"),
    bool: ("boolean", "true or false"),
    int: ("integer", "an integer"),
    float: ("number", "a number"),
    str: ("string", "a text"),
}
"""What JSON has itself: the name of the type in JSON, and in words."""
FRACTION = "^-?[0-9]+(/[1-9][0-9]*)?$"


@frozen
class Plain(Form):
    """What JSON has itself: null, true and false, numbers and texts."""

    cls: type

    @property
    def kinds(self) -> frozenset[str]:  # type: ignore[override]
        """Its own; an integer does for any number."""
        return frozenset({"integer", "number"} if self.cls is float else {PLAIN[self.cls][0]})

    def holds(self, value: Any) -> bool:
        """Whether it is one; an integer does for any number."""
        return isinstance(value, (int, float) if self.cls is float else self.cls)

    def _dump(self, value: Any) -> Json:
        return None if value is None else self.cls(value)

    def _load(self, data: Json) -> Any:
        if self.cls is float and type(data) is int:
            return float(data)
        return data if type(data) is self.cls else NotImplemented

    def __str__(self) -> str:
        return PLAIN[self.cls][1]


@define(eq=False)
class Choice(Form):
    """One of a few values, each written as a text or an integer. An enum goes by its values, or by its names where they are neither."""

    cls: type
    values: Mapping[Json, Any]
    tag: str = ""

    @classmethod
    def of(cls, enum: type[Enum], tag: str) -> Choice:
        """The form of an enum."""
        by_value = any(all(isinstance(member.value, kind) for member in enum) for kind in (str, int))
        return cls(enum, {member.value if by_value else member.name: member for member in enum}, tag)

    @cached_property
    def written(self) -> Mapping[Any, Json]:
        """How each value is written."""
        return {value: text for text, value in self.values.items()}

    @property
    def kinds(self) -> frozenset[str]:  # type: ignore[override]
        """Those of what is written."""
        return frozenset(kind_of(text) for text in self.values)

    def holds(self, value: Any) -> bool:
        """Whether it is one of them."""
        return isinstance(value, self.cls) and value in self.values.values()  # it may have no hash

    def _dump(self, value: Any) -> Json:
        return self.written[value]

    def _load(self, data: Json) -> Any:
        return self.values.get(data, NotImplemented) if type(data) in (str, int) else NotImplemented

    def tagged(self) -> Form:
        """With the name of the enum."""
        return named(self, self.tag) if self.tag else self

    def __str__(self) -> str:
        return f"one of {', '.join(map(canonical, self.values))}"


class Exact(Form):
    """A fraction, as a text such as "1/3"."""

    cls, kinds = Fraction, frozenset({"string"})

    def _dump(self, value: Any) -> Json:
        return str(value)

    def _load(self, data: Json) -> Any:
        return Fraction(data) if isinstance(data, str) and re.fullmatch(FRACTION, data) else NotImplemented

    def tagged(self) -> Form:
        """With the name `beachhead.fraction`."""
        return named(self, "beachhead.fraction")

    def __str__(self) -> str:
        return 'a fraction such as "1/3"'


# ------------------------------------------------------------ collections
@frozen(eq=False)
class Items(Form):
    """A tuple or a set of any size, all items of one type. A set is written in the order of its items' JSON."""

    item: Form
    cls: type = tuple

    kinds = frozenset({"array"})

    def holds(self, value: Any) -> bool:
        """Whether it is such a collection, and no named tuple."""
        return isinstance(value, self.cls) and not hasattr(value, "_fields")

    def _dump(self, value: Any) -> Json:
        items = [at(n, self.item.dump, item) for n, item in enumerate(value)]
        return items if self.cls is tuple else sorted(items, key=canonical)

    def _load(self, data: Json) -> Any:
        if not isinstance(data, list):
            return NotImplemented
        return self.cls(at(n, self.item.load, item) for n, item in enumerate(data))

    def tagged(self) -> Form:
        """A set with the name `beachhead.set`; a tuple is what an array is anyway."""
        return self if self.cls is tuple else named(self, "beachhead.set")

    def __str__(self) -> str:
        return f"a list, each item {self.item}"


@frozen(eq=False)
class Row(Form):
    """A tuple with one item of each of these types; or a named tuple, which has a record, too, for where nothing tells its class."""

    items: tuple[Form, ...]
    cls: type = tuple
    record: Record | None = None

    kinds = frozenset({"array"})

    def holds(self, value: Any) -> bool:
        """Whether it is such a tuple."""
        return isinstance(value, tuple) and type(value) is self.cls and len(value) == len(self.items)

    def _dump(self, value: Any) -> Json:
        return [at(n, form.dump, item) for n, (form, item) in enumerate(zip(self.items, value, strict=True))]

    def _load(self, data: Json) -> Any:
        if not isinstance(data, list) or len(data) != len(self.items):
            return NotImplemented
        items = [at(n, form.load, item) for n, (form, item) in enumerate(zip(self.items, data, strict=True))]
        return self.record.build(dict(zip(self.record.parts, items, strict=True))) if self.record else tuple(items)

    def tagged(self) -> Form:
        """A named tuple with its name and those of its fields."""
        return self.record or self

    def __str__(self) -> str:
        return f"a list [{', '.join(self.record.parts if self.record else map(str, self.items))}]"


@frozen(eq=False)
class Table(Form):
    """A mapping: an object where the keys are texts, and a list of pairs, in the order of their JSON, where they are not."""

    key: Form
    value: Form

    cls = Mapping

    @property
    def by_text(self) -> bool:
        """Whether the keys are texts."""
        return self.key.cls is str

    @property
    def kinds(self) -> frozenset[str]:  # type: ignore[override]
        """Object or array."""
        return frozenset({"object" if self.by_text else "array"})

    @property
    def pair(self) -> Form:
        """A key with its value."""
        return Row((self.key, self.value))

    def _dump(self, value: Any) -> Json:
        if self.by_text:
            return {self.key.dump(key): at(key, self.value.dump, item) for key, item in value.items()}
        return sorted((at(str(pair[0]), self.pair.dump, pair) for pair in value.items()), key=canonical)

    def _load(self, data: Json) -> Any:
        if self.by_text and isinstance(data, dict):
            return {key: at(key, self.value.load, item) for key, item in data.items()}
        if not self.by_text and isinstance(data, list):
            return dict(at(n, self.pair.load, item) for n, item in enumerate(data))
        return NotImplemented

    def tagged(self) -> Form:
        """With the name `beachhead.map`."""
        return named(self, "beachhead.map", dict)

    def __str__(self) -> str:
        return "an object" if self.by_text else "a list of pairs [key, value]"


# ------------------------------------------------------------ objects that name their class
@frozen
class Part:
    """A field of an object: its form, how it is got from the value, which parameter sets it, and whether it must be there."""

    form: Form
    get: Callable[[Any], Any]
    parameter: str
    needed: bool = True


@define(eq=False)
class Record(Form):
    """An object with named fields and the name of its class. A field with a default may be left out; nothing may be added."""

    cls: type
    tag: str
    find: Callable[[], Mapping[str, Part]]
    """The fields by their names in JSON, looked up when first needed: classes may name each other."""
    make: Callable[..., Any]
    """What builds the value out of its fields."""

    @cached_property
    def parts(self) -> Mapping[str, Part]:
        """The fields by their names in JSON."""
        return self.find()

    @property
    def kinds(self) -> frozenset[str]:  # type: ignore[override]
        """The object with this tag."""
        return frozenset({f"object {self.tag}"})

    def holds(self, value: Any) -> bool:
        """Whether it is of this very class."""
        return type(value) is self.cls

    def build(self, values: Mapping[str, Any]) -> Any:
        """The value with these fields. Raises CodecError when its class refuses them."""
        try:
            return self.make(**{self.parts[name].parameter: value for name, value in values.items()})
        except (TypeError, ValueError, BeachheadError) as error:
            raise CodecError(f"no {self.tag} has these fields: {error}") from error

    def _dump(self, value: Any) -> Json:
        fields = {name: at(name, part.form.dump, part.get(value)) for name, part in self.parts.items()}
        return {"type": self.tag, **fields}

    def _load(self, data: Json) -> Any:
        if not isinstance(data, dict) or data.get("type") != self.tag:
            return NotImplemented
        given = {name: part for name, part in data.items() if name != "type"}
        if unknown := next((name for name in given if name not in self.parts), None):
            known = ", ".join(self.parts) or "none"
            raise CodecError(f"{self.tag} has no field {unknown!r}{nearest(unknown, self.parts)}; known: {known}")
        if missing := next((name for name, part in self.parts.items() if part.needed and name not in given), None):
            raise CodecError(f"{self.tag} lacks its field {missing!r}, {self.parts[missing].form}")
        return self.build({name: at(name, self.parts[name].form.load, part) for name, part in given.items()})

    def __str__(self) -> str:
        return f'{{"type": "{self.tag}", …}}'


def named(form: Form, tag: str, cls: type | None = None) -> Record:
    """A brief form as an object that names the class: `{"type": tag, "value": …}`."""
    value = Part(form, lambda value: value, "value")
    return Record(cls or form.cls, tag, lambda: {"value": value}, lambda value: value)


# ------------------------------------------------------------ one of several, and anything
@frozen(eq=False)
class OneOf(Form):
    """One of several types, told apart by the kind of JSON or by the name of the class. `brief` are the forms they have by themselves."""

    forms: tuple[Form, ...]
    brief: tuple[Form, ...]

    cls = object

    @classmethod
    def of(cls, forms: Iterable[Form], anything: Form) -> Form:
        """The form of a union. Members that would look alike name their class; where there is none to name, they are written as anything."""
        flat = dict.fromkeys(one for form in forms for one in (form.forms if isinstance(form, OneOf) else (form,)))
        if anything in flat:
            return anything
        told = [form.tagged() if _alike(form, flat) else form for form in flat]
        apart = [form for form in told if not _alike(form, told)]
        return cls(tuple(told), tuple(flat)) if len(apart) == len(told) else cls((*apart, anything), (*apart, anything))

    @property
    def kinds(self) -> frozenset[str]:  # type: ignore[override]
        """Those of all members."""
        return frozenset[str]().union(*(form.kinds for form in self.forms))

    def of_value(self, value: Any) -> Form:
        """The member to which a value belongs. Raises CodecError when it belongs to none."""
        fitting = [form for form in self.forms if form.holds(value)]
        if not fitting:
            raise misfit(repr(value), self)
        return next((form for form in fitting if form.cls is type(value)), fitting[0])

    def holds(self, value: Any) -> bool:
        """Whether it belongs to one of the members."""
        return any(form.holds(value) for form in self.forms)

    def _dump(self, value: Any) -> Json:
        return self.of_value(value).dump(value)

    def _load(self, data: Json) -> Any:
        kind = frozenset({kind_of(data)})
        return next((form.load(data) for form in self.forms if _meet(form.kinds, kind)), NotImplemented)

    def __str__(self) -> str:
        return " or ".join(map(str, self.forms)) if len(self.forms) <= 6 else f"one of {len(self.forms)} types"


def kind_of(data: Json) -> str:
    """The kind of a piece of JSON; of an object that names its class, with the name.

    >>> kind_of(3), kind_of([]), kind_of({}), kind_of({"type": "beachhead.roll"})
    ('integer', 'array', 'object', 'object beachhead.roll')
    """
    if isinstance(data, dict):
        return f"object {data['type']}" if "type" in data else "object"
    return "array" if isinstance(data, list) else PLAIN.get(type(data), ("none",))[0]


def _meet(some: frozenset[str], others: frozenset[str]) -> bool:
    """Whether some kind of these takes one of the others: "object" stands for all objects, and "any" for everything."""
    return (
        bool(some & others) or "any" in some or ("object" in some and any(kind.startswith("object") for kind in others))
    )


def _alike(form: Form, forms: Iterable[Form]) -> bool:
    """Whether another of the forms writes JSON of the same kind."""
    return any(f is not form and (_meet(f.kinds, form.kinds) or _meet(form.kinds, f.kinds)) for f in forms)


@frozen(eq=False)
class Anything(Form):
    """A value of which no type is told: what JSON has itself, tuples as lists, and everything else by an object that names its class."""

    of_class: Callable[[type], Form]
    of_tag: Callable[[str], Form]

    cls, kinds = object, frozenset({"any"})

    def _dump(self, value: Any) -> Json:
        if type(value) in PLAIN:
            return value
        return (Items(self) if type(value) is tuple else self.of_class(type(value))).dump(value)

    def _load(self, data: Json) -> Any:
        match data:
            case list():
                return Items(self).load(data)
            case {"type": str(tag)}:
                return self.of_tag(tag).load(data)
        return data if type(data) in PLAIN else NotImplemented

    def __str__(self) -> str:
        return 'a scalar, a list, or an object with a "type"'
