"""The terms of the game: sides, types of unit, Operations, and the effects of terrain on combat, each with its rule."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from beachhead.enums import Named
from beachhead.rules import Modifier
from beachhead.spelling import nearest

FOLDER = Path(__file__).parent
T = TypeVar("T", bound=StrEnum)


def term(kind: type[T], word: T | str) -> T:
    """A term of the game, as it is printed or as one writes it: in any case, with underscores, or its first word alone.

    >>> term(Side, "german"), term(Fire, "full"), term(Fire, "full_fire"), term(Fire, "Mobile Fire")
    (Side.GERMAN, Fire.FULL, Fire.FULL, Fire.MOBILE)

    Raises:
        ValueError: there is no such term; those that there are, and the nearest.
    """
    spelt = str(word).lower().replace("_", " ")
    for found in kind:
        if spelt in (found.lower(), found.lower().partition(" ")[0]):
            return found
    raise ValueError(f"{word!r} is none of {', '.join(kind)}{nearest(str(word).title(), map(str, kind))}")


class Side(Named, StrEnum):
    """The two players (2.2)."""

    ALLIED = "Allied"
    GERMAN = "German"

    @property
    def enemy(self) -> Side:
        """The other player."""
        return _ENEMY[self]

    @property
    def exits(self) -> bool:
        """Whether its units may leave the map by their own movement (Juno 13.0)."""
        return self is Side.ALLIED


_ENEMY = {Side.ALLIED: Side.GERMAN, Side.GERMAN: Side.ALLIED}


class UnitType(Named, StrEnum):
    """The unit type symbols of the series (2.2). Only heavy weapons differ in play, and only in Indirect Fire (14.4)."""

    INFANTRY = "infantry"
    PARATROOP = "paratroop"
    ENGINEER = "engineer"
    ANTI_TANK = "anti-tank"
    HEAVY_WEAPONS = "heavy weapons"
    COMMANDO = "commando"
    GLIDER_INFANTRY = "glider infantry"
    GLIDER_HEAVY_WEAPONS = "glider heavy weapons"
    ARMOR = "armor"
    MECHANIZED_INFANTRY = "mechanized infantry"

    @property
    def heavy_weapons(self) -> bool:
        """Whether such a unit may fire indirectly (14.4)."""
        return self in (UnitType.HEAVY_WEAPONS, UnitType.GLIDER_HEAVY_WEAPONS)


class Phase(Named, StrEnum):
    """The phases of a Game Turn, in their order (4.0); set-up comes before the first, and after the last the game is over."""

    SET_UP = "set-up"
    LANDING = "Landing Phase"
    SUPPORT = "Support Phase"
    OPERATIONS = "Operations Phase"
    REPLACEMENT = "Replacement Phase"
    REDEPLOYMENT = "German Redeployment Phase"
    HOUSEKEEPING = "Housekeeping Phase"
    OVER = "the game is over"


class Fire(Named, StrEnum):
    """The three kinds of Fire Attack (9.0)."""

    FULL = "Full Fire"
    MOBILE = "Mobile Fire"
    CLOSE = "Close Fire"


class FireResult(Named, StrEnum):
    """What a Fire Attack comes to (9.0, step 5)."""

    HIT = "Hit"
    EXCHANGE = "Exchange"
    MISS = "Miss"


def half(value: int) -> int:
    """Half of a value: fractions are rounded up (2.1, koenig:2.1.c).

    >>> [half(n) for n in (1, 3, 5, 6, 7)]
    [1, 2, 3, 3, 4]
    """
    return -(-value // 2)


TERRAIN = ("clear", "beach", "bocage", "town", "city", "swamp", "sea")
"""What a hex may be. A hex may hold several, as a beach with a town; a hex without any is clear."""

DRAWN = MappingProxyType({"b": "beach", "o": "bocage", "t": "town", "c": "city", "s": "swamp", "~": "sea"})
"""The symbols of a drawn map; `.` is clear, and `_` no hex at all."""

EFFECT_ON_FIRE: Mapping[str, Modifier] = MappingProxyType(
    {
        "beach": Modifier("beach", +1, "koenig:9.2.b"),
        "bocage": Modifier("bocage", -1, "koenig:9.2.c"),
        "town": Modifier("town", -1, "koenig:9.2.c"),
        "swamp": Modifier("swamp", -2, "koenig:9.2.f"),
        "city": Modifier("city", -2, "koenig:9.2.g"),
    }
)
"""What the terrain of the target hex adds to the Attack Factor (9.2); what is not here changes nothing (koenig:9.2.i)."""

ACROSS_A_RIVER = Modifier("all attackers across a river", -1, "koenig:9.2.d")

ROAD = 1
"""A step by road (8.1.2)."""
CLOSE_COMBAT = 2
"""More for a step into an enemy's hex (10.0)."""
OFF_THE_MAP = 1
"""A step off the map (Juno 13.0)."""
INTERDICTED = 2
"""More for entering, and for leaving, an interdicted hex (14.2)."""
STACKING_LIMIT = 2
"""Units in a hex, of both players together (8.2)."""
