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

from collections.abc import Callable, Mapping
from functools import cache
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

__all__ = ["changed"]

_CACHED_HASH = "_attrs_cached_hash"
"""Where attrs keeps the hash of a class with `cache_hash=True`; None until it is asked for."""
_Setter = Callable[[Any, Any], None]


class _Plan(NamedTuple):
    """How to change the values of one class."""

    copied: Callable[[Any], Any]
    """Another with the same fields; those outside the constructor made anew."""
    setters: Mapping[str, _Setter]
    """What sets each field that may be set without further ado, by the parameter of the constructor."""
    derived: tuple[tuple[_Setter, Callable[[Any], Any]], ...]
    """What sets each field outside the constructor that is made from the others, and what makes it."""


@cache
def _plan(cls: Any) -> _Plan | None:
    """None where only the constructor can make a value: it does more than set slots.

    Setting slots one after the other from a loop costs half as much again, so `copied` is written out for the class, as attrs writes out
    its constructor.
    """
    fields = attrs.fields(cls)
    slots = all(isinstance(getattr(cls, a.name, None), MemberDescriptorType) for a in fields)
    hooks = ("__attrs_pre_init__", "__attrs_init__", "__attrs_post_init__")  # the second: its constructor is its own
    if not slots or cls.__new__ is not object.__new__ or any(hasattr(cls, hook) for hook in hooks):
        return None
    lines, known = ["new = create(cls)"], dict[str, Any]({"create": object.__new__, "cls": cls})
    setters, derived = dict[str, _Setter](), list[tuple[_Setter, Callable[[Any], Any]]]()
    for n, a in enumerate(fields):
        setter: _Setter = getattr(cls, a.name).__set__
        plain = a.converter is None and a.validator is None
        known[f"set{n}"] = setter
        if a.init:
            lines.append(f"set{n}(new, old.{a.name})")
            if plain:
                setters[a.alias or a.name] = setter
        elif not plain:
            return None
        elif not isinstance(a.default, attrs.Factory):  # type: ignore[arg-type]
            if a.default is not attrs.NOTHING:
                known[f"value{n}"] = a.default
                lines.append(f"set{n}(new, value{n})")
        elif a.default.takes_self:
            derived.append((setter, a.default.factory))
        else:
            known[f"make{n}"] = a.default.factory
            lines.append(f"set{n}(new, make{n}())")
    if isinstance(cached := getattr(cls, _CACHED_HASH, None), MemberDescriptorType):
        known["set_hash"] = cached.__set__
        lines.append("set_hash(new, None)")
    exec("def copied(old):\n " + "\n ".join([*lines, "return new"]), known)  # noqa: S102  (names of fields, nothing else)
    return _Plan(known["copied"], setters, tuple(derived))


if TYPE_CHECKING:
    from attrs import evolve as changed  # type checkers know what it takes
else:

    def changed(value, /, **fields):
        """The value with these fields changed: `attrs.evolve`, in half the time where the class has slots and its constructor only fills them.

        Fields outside the constructor (an index that fills when it is asked) are made anew, and a cached hash is forgotten. A field that is
        kept is not converted or validated again; one that is changed is, and then all are.

        Raises:
            TypeError: the constructor has no such parameter.
        """
        plan = _plan(type(value))
        if plan is None:
            return attrs.evolve(value, **fields)
        copied, setters, derived = plan
        new = copied(value)
        for name, field in fields.items():
            if name not in setters:
                return attrs.evolve(value, **fields)
            setters[name](new, field)
        for setter, make in derived:
            setter(new, make(new))
        return new
