"""Actions that nobody offered: one field changed, to see whether the rules object to what is not an option."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Any

import attrs

from beachhead.hexes import Hex

Pick = Callable[[int], int]
"""`pick(n)` gives a number below n."""


def altered(action: Any, others: Sequence[Any], pick: Pick) -> Iterator[Any]:
    """The action with one field after the other changed: to what stands there in another action of its class, and to something near.

    What the class itself refuses to hold is left out.

    >>> from beachhead.dice import AtMost
    >>> list(altered(AtMost(3), [AtMost(3), AtMost(5)], lambda n: n - 1))
    [AtMost(number=5), AtMost(number=4)]
    """
    alike = [other for other in others if type(other) is type(action)]
    for a in attrs.fields(type(action)) if attrs.has(type(action)) else ():
        if not a.init:
            continue
        value = getattr(action, a.name)
        borrowed = getattr(alike[pick(len(alike))], a.name) if alike else value
        for new in (borrowed, near(value, pick)):
            changed = _with(action, a, new) if new != value else None
            if changed is not None:
                yield changed


def _with(action: Any, a: attrs.Attribute[Any], value: Any) -> Any:
    try:
        return attrs.evolve(action, **{a.alias or a.name: value})
    except (TypeError, ValueError):
        return None


def near(value: Any, pick: Pick) -> Any:
    """Another value of the same kind: the next number, another member, a neighbouring hex; the value itself where there is none."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, Enum):
        members = list(type(value))
        return members[(members.index(value) + 1 + pick(max(len(members) - 1, 1))) % len(members)]
    if isinstance(value, int):
        return value + (-1, 7, 1)[pick(3)]
    if isinstance(value, Hex):
        dq, dr = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (40, -7))[pick(7)]
        return Hex(value.q + dq, value.r + dr)
    if isinstance(value, tuple) and type(value) is tuple and value:
        at = pick(len(value))
        changes = (
            value[:-1],
            value[1:],
            (*value, value[at]),
            value[::-1],
            (*value[:at], near(value[at], pick), *value[at + 1 :]),
        )
        return changes[pick(len(changes))]
    if isinstance(value, frozenset) and value:
        return value - {sorted(value, key=repr)[pick(len(value))]}
    if attrs.has(type(value)):
        names = [a for a in attrs.fields(type(value)) if a.init]
        if names:
            a = names[pick(len(names))]
            changed = _with(value, a, near(getattr(value, a.name), pick))
            return value if changed is None else changed
    return value
