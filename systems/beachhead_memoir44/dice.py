"""Battle dice: six faces, two of them infantry, and the ways the rules read a throw (m44:resolve.die_faces).

>>> roll = BattleDice(2, Against((Face.INFANTRY, Face.GRENADE)), "m44:turn.battle_steps")
>>> sum(weight for _, weight in roll.outcomes(None)), roll.read((Face.INFANTRY, Face.FLAG))
(36, Score(hits=1, flags=1))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cache
from itertools import combinations_with_replacement
from math import factorial
from typing import Any, TypeVar

from attrs import field, frozen

from beachhead.dice import Reading
from beachhead.enums import Named
from beachhead.errors import ScriptError
from beachhead.play import Chance
from beachhead.spelling import nearest

R = TypeVar("R")


class Face(Named, StrEnum):
    """A face of the battle die."""

    INFANTRY = "infantry"
    ARMOR = "armor"
    GRENADE = "grenade"
    STAR = "star"
    FLAG = "flag"


FACES: dict[Face, int] = {Face.INFANTRY: 2, Face.ARMOR: 1, Face.GRENADE: 1, Face.STAR: 1, Face.FLAG: 1}
"""How many of the six sides show each face."""
_ORDER = {face: i for i, face in enumerate(FACES)}


@cache
def throws(dice: int) -> tuple[tuple[tuple[Face, ...], int], ...]:
    """Every throw of so many dice, faces in order, with its weight out of 6 to the power of the dice."""
    found = []
    for faces in combinations_with_replacement(FACES, dice):
        weight = factorial(dice)
        for face, sides in FACES.items():
            n = faces.count(face)
            weight = weight // factorial(n) * sides**n
        found.append((faces, weight))
    return tuple(found)


@frozen
class Score:
    """What a throw does to its target: hits, and flags."""

    hits: int
    flags: int

    def __str__(self) -> str:
        return f"{self.hits} hit{'s' if self.hits != 1 else ''}, {self.flags} flag{'s' if self.flags != 1 else ''}"


def _in_order(faces: Iterable[Face]) -> tuple[Face, ...]:
    return tuple(sorted(faces, key=_ORDER.__getitem__))


@frozen
class Against:
    """Hits on these faces; flags are flags."""

    hit_on: tuple[Face, ...] = field(converter=_in_order)

    def read(self, face: tuple[Face, ...], /) -> Score:
        """Hits and flags of a throw."""
        return Score(sum(f in self.hit_on for f in face), face.count(Face.FLAG))


@frozen
class Successes:
    """How many dice show one of these faces."""

    faces: tuple[Face, ...] = field(converter=_in_order)

    def read(self, face: tuple[Face, ...], /) -> int:
        """The number of successes."""
        return sum(f in self.faces for f in face)


@frozen(cache_hash=True)
class Called:
    """The units that a throw of Their Finest Hour orders: so many by infantry symbols, by armor symbols, and by stars."""

    infantry: int = 0
    armor: int = 0
    stars: int = 0

    def __str__(self) -> str:
        return f"{self.infantry} infantry, {self.armor} armor, {self.stars} star{'s' if self.stars != 1 else ''}"


@frozen
class Symbols:
    """The faces that order units in Their Finest Hour."""

    def read(self, face: tuple[Face, ...], /) -> Called:
        """How many infantry symbols, armor symbols and stars."""
        return Called(face.count(Face.INFANTRY), face.count(Face.ARMOR), face.count(Face.STAR))


@frozen
class BattleDice(Chance[Any, R]):
    """A throw of battle dice, read in one way."""

    dice: int
    reading: Reading[R]
    rule: str

    def outcomes(self, state: object) -> Sequence[tuple[tuple[Face, ...], int]]:
        """Every throw, faces in order."""
        return throws(self.dice)

    def read(self, outcome: tuple[Face, ...]) -> R:
        """What the reading says of the throw."""
        return self.reading.read(outcome)

    def outcome(self, given: Any) -> tuple[Face, ...]:
        """The throw that somebody wrote as faces in any order.

        Raises:
            ScriptError: what is written is no face, or no list of them.
        """
        names = given.split() if isinstance(given, str) else given
        if not isinstance(names, list | tuple):
            raise ScriptError(f"{given!r} is no throw: write its faces, as in 'infantry flag'")
        for name in names:
            if name not in tuple(Face):
                raise ScriptError(
                    f"{name!r} is no face{nearest(str(name), [face.value for face in Face])}; the faces are {', '.join(Face)}"
                )
        return _in_order(Face(name) for name in names)

    def text(self, outcome: tuple[Face, ...], state: object) -> str:
        """The throw, in words."""
        return f"rolls {', '.join(outcome)}: {self.read(outcome)}" if outcome else "rolls no dice"
