"""Frozen values, changed: what every fold does.

>>> from attrs import frozen
>>> @frozen
... class Unit:
...     place: str
...     hits: int = 0
>>> changed(Unit("C3"), hits=1)
Unit(place='C3', hits=1)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, Generic, Protocol

import attrs

__all__ = ["changed", "changer"]

_CACHED_HASH = "_attrs_cached_hash"
"""Where attrs keeps the hash of a class with `cache_hash=True`; None until it is asked for."""


@cache
def changer(cls: Any, *names: str) -> Callable[..., Any]:
    """What changes these fields of a class, `changer(Unit, "hits")(unit, hits=1)`, for where they are changed again and again: `attrs.evolve`, where only the constructor can make a value, because it does more than set slots.

    Setting slots one after the other from a loop costs half as much again, so the function is written out for the class and the fields, as
    attrs writes out a constructor. And a frozen class refuses assignment, to go around which takes a call for each slot: so the value is
    filled while it is of a bare subclass that takes assignments, in half the time, and is of the class itself when it is handed out.
    """
    fields = attrs.fields(cls)
    slots = all(isinstance(getattr(cls, a.name, None), MemberDescriptorType) for a in fields)
    hooks = ("__attrs_pre_init__", "__attrs_init__", "__attrs_post_init__")  # the second: its constructor is its own
    own = "__attrs_attrs__" in vars(
        cls
    )  # or else it is a subclass that attrs has not seen, and may have a constructor of its own
    if not own or not slots or cls.__new__ is not object.__new__ or any(hasattr(cls, hook) for hook in hooks):
        return attrs.evolve
    if any("__init_subclass__" in vars(base) for base in cls.__mro__ if base not in (object, Generic, Protocol)):
        return attrs.evolve  # it minds its subclasses
    plain = {a.name: a.alias or a.name for a in fields if a.converter is None and a.validator is None}
    given = {plain[a.name] for a in fields if a.init and a.name in plain}
    if not given.issuperset(names) or any(a.name not in plain for a in fields if not a.init):
        return attrs.evolve  # it converts and validates, and says what is no field
    if any(
        (a.alias or "").startswith("_") for a in fields
    ):  # as the names below do, which no parameter has unless it is called so
        return attrs.evolve
    known: dict[str, Any] = {"_create": object.__new__, "_open": _open(cls), "_cls": cls}
    lines = [
        f"def with_changes({', '.join(('_old', '/', *(['*', *names] if names else [])))}):",
        " _new = _create(_open)",
    ]
    for n, a in enumerate(fields):
        if a.init:
            name = a.alias or a.name
            lines.append(f" _new.{a.name} = {name if name in names else f'_old.{a.name}'}")
        elif isinstance(a.default, attrs.Factory):  # type: ignore[arg-type]
            known[f"_make{n}"] = a.default.factory
            if not a.default.takes_self:
                lines.append(f" _new.{a.name} = _make{n}()")
        elif a.default is not attrs.NOTHING:
            known[f"_value{n}"] = a.default
            lines.append(f" _new.{a.name} = _value{n}")
    if isinstance(getattr(cls, _CACHED_HASH, None), MemberDescriptorType):
        lines.append(f" _new.{_CACHED_HASH} = None")
    lines.append(" _new.__class__ = _cls")
    for n, a in enumerate(fields):  # made from the others, so last
        if not a.init and isinstance(a.default, attrs.Factory) and a.default.takes_self:  # type: ignore[arg-type]
            known[f"_set{n}"] = getattr(cls, a.name).__set__
            lines.append(f" _set{n}(_new, _make{n}(_new))")
    exec("\n".join([*lines, " return _new"]), known)  # noqa: S102  (names of fields, nothing else)
    made: Callable[..., Any] = known["with_changes"]
    return made


@cache
def _open(cls: Any) -> Any:
    """The class with nothing in the way of an assignment."""
    assigned = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    return type(cls)(f"_Open{cls.__name__}", (cls,), {"__slots__": (), "__module__": __name__, **assigned})


if TYPE_CHECKING:
    from attrs import evolve as changed  # type checkers know what it takes
else:

    def changed(value, /, **fields):
        """The value with these fields changed: `attrs.evolve`, in a third of the time where the class has slots and its constructor only fills them.

        Fields outside the constructor (an index that fills when it is asked) are made anew, and a cached hash is forgotten. A field that is
        kept is not converted or validated again; one that is changed is, and then all are.

        Raises:
            TypeError: the constructor has no such parameter.
        """
        return changer(type(value), *fields)(value, **fields)
