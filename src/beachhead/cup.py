"""Chit cups and decks: multisets without an order, from which a draw is a chance.

>>> cup = Cup.of("a", "a", "b")
>>> cup.size, cup.count("a"), cup.remove("a")
(3, 2, Cup({'a': 1, 'b': 1}))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from attrs import field, frozen

K = TypeVar("K", bound=Hashable)


def _items(counts: Mapping[K, int] | Iterable[tuple[K, int]]) -> tuple[tuple[K, int], ...]:
    pairs: Iterable[tuple[K, int]] = counts.items() if isinstance(counts, Mapping) else counts  # pyright: ignore[reportAssignmentType]
    there = [(kind, n) for kind, n in pairs if n]
    if {type(kind) for kind, _ in there} <= {str}:  # the usual case, and ten times as fast
        return tuple(sorted(there))
    return tuple(sorted(there, key=lambda pair: _order(pair[0])))


def _order(kind: object) -> tuple[str, str, str]:
    name = getattr(kind, "name", None)
    return (type(kind).__name__, str(kind), "") if name is None else (type(kind).__name__, str(name), repr(kind))


@frozen(repr=False, cache_hash=True)
class Cup(Generic[K]):
    """An immutable multiset: how many of each kind are in. It has no order, since nobody knows one."""

    counts: tuple[tuple[K, int], ...] = field(default=(), converter=_items)

    @classmethod
    def of(cls, *things: K) -> Cup[K]:
        """The cup with these things in it."""
        return cls(Counter(things))

    @property
    def size(self) -> int:
        """How many things are in, of all kinds."""
        return sum([n for _, n in self.counts])

    def count(self, kind: K) -> int:
        """How many of this kind are in."""
        for other, n in self.counts:
            if other == kind:
                return n
        return 0

    def add(self, *things: K) -> Cup[K]:
        """The cup with these things put in."""
        return self._plus((thing, 1) for thing in things)

    def remove(self, kind: K) -> Cup[K]:
        """The cup with one of this kind taken out.

        Raises:
            ValueError: none of that kind is in.
        """
        for i, (other, n) in enumerate(self.counts):
            if other == kind:
                left = ((other, n - 1),) if n > 1 else ()
                return _in_order((*self.counts[:i], *left, *self.counts[i + 1 :]))
        raise ValueError(f"there is no {kind} in {self!r}")

    def __add__(self, other: Cup[K]) -> Cup[K]:
        return self._plus(other.counts)

    def _plus(self, changes: Iterable[tuple[K, int]]) -> Cup[K]:
        counts = dict(self.counts)
        for kind, n in changes:
            counts[kind] = counts.get(kind, 0) + n
        return Cup(counts)

    def __contains__(self, kind: object) -> bool:
        return self.count(kind) > 0  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[K]:
        """Each thing, kind by kind."""
        return (kind for kind, n in self.counts for _ in range(n))

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"Cup({dict(self.counts) or ''})"


def _in_order(counts: tuple[tuple[K, int], ...]) -> Cup[K]:
    """A cup whose counts are in order already: they are not sorted again."""
    cup: Cup[K] = object.__new__(Cup)
    object.__setattr__(cup, "counts", counts)
    object.__setattr__(cup, "_attrs_cached_hash", None)
    return cup
