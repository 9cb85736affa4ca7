"""Dice, and the indexed source of chance: what the n-th roll of a game with a given seed shows depends on the seed and n alone.

>>> [Outcomes(seed=44).pick(n, [("heads", 1), ("tails", 1)]) for n in range(4)] == [
...     Outcomes(seed=44).pick(n, [("heads", 1), ("tails", 1)]) for n in range(4)]
True
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Protocol, TypeVar

from attrs import Factory, field, frozen

from beachhead.play import Chance

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
T = TypeVar("T")


@frozen(repr=False)
class Die:
    """A die by its faces, all equally likely."""

    name: str
    faces: tuple[Any, ...]
    outcomes: tuple[tuple[Any, int], ...] = field(
        init=False, eq=False, default=Factory(lambda self: tuple((face, 1) for face in self.faces), takes_self=True)
    )
    """Each face once."""

    def __repr__(self) -> str:
        return self.name


D6 = Die("D6", (1, 2, 3, 4, 5, 6))
"""Six faces, 1 to 6."""
D10 = Die("D10", (0, 1, 2, 3, 4, 5, 6, 7, 8, 9))
"""Ten faces, 0 to 9."""


class Reading(Protocol[R_co]):
    """How a face is read: a frozen attrs value, so that equal rolls are equal and print as what they ask."""

    def read(self, face: Any, /) -> R_co:
        """What the rules see of this face."""
        ...


@frozen
class Face:
    """The face itself."""

    def read(self, face: Any, /) -> Any:
        """The face."""
        return face


@frozen
class AtMost:
    """Success on this number or less."""

    number: int

    def read(self, face: int, /) -> bool:
        """True on success."""
        return face <= self.number

    def __str__(self) -> str:
        return f"{self.number} or less"


@frozen
class AtLeast:
    """Success on this number or more."""

    number: int

    def read(self, face: int, /) -> bool:
        """True on success."""
        return face >= self.number

    def __str__(self) -> str:
        return f"{self.number} or more"


_SAID = {True: "yes", False: "no"}


@frozen
class Roll(Chance[Any, R]):
    """One die, read in one way, as a rule asks."""

    die: Die
    reading: Reading[R]
    rule: str

    def outcomes(self, state: object) -> Sequence[tuple[Any, int]]:
        """Each face once."""
        return self.die.outcomes

    def read(self, outcome: Any) -> R:
        """What the reading says of the face."""
        return self.reading.read(outcome)

    def text(self, outcome: Any, state: object) -> str:
        """The face, and what was asked of it."""
        result: Any = self.reading.read(outcome)
        if result == outcome and type(result) is type(outcome):
            return f"rolls {outcome} on a {self.die!r}"
        return f"rolls {outcome} on a {self.die!r}; {self.reading}: {_SAID[result] if isinstance(result, bool) else result}"


def fresh_seed() -> int:
    """A seed nobody could guess."""
    import secrets

    return secrets.randbits(63)


@lru_cache
def _range(below: int) -> tuple[int, int]:
    """How many bytes to draw for a number below this, and the least value that would favour some numbers."""
    bits = 64 * (below.bit_length() // 64 + 1)
    return bits // 8, (1 << bits) - (1 << bits) % below


@frozen
class Outcomes:
    """A source of outcomes that is a function of (seed, n): undo and branching never change what comes."""

    seed: int

    def number(self, n: int, below: int) -> int:
        """The n-th number, evenly spread over 0 .. below - 1, without bias."""
        size, limit = _range(below)
        attempt = 0
        while True:
            value = int.from_bytes(blake2b(f"{self.seed}/{n}/{attempt}".encode(), digest_size=size).digest())
            if value < limit:
                return value % below
            attempt += 1

    def pick(self, n: int, outcomes: Sequence[tuple[T, int]]) -> T:
        """The n-th outcome: one of these, by their integer weights."""
        weights = sum([weight for _, weight in outcomes])
        rest = self.number(n, weights)
        if weights == len(outcomes):  # one each
            return outcomes[rest][0]
        for outcome, weight in outcomes:
            rest -= weight
            if rest < 0:
                return outcome
        raise AssertionError("weights are positive")
