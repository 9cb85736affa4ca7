"""The terms of the series: sides, classes of units and weapons, Actions, chits, combat results."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from beachhead.enums import Named
from beachhead.spelling import nearest

FOLDER = Path(__file__).parent
T = TypeVar("T", bound=StrEnum)


def term(kind: type[T], word: T | str) -> T:
    """A term of the game, as it is printed or as one writes it: in any case, with underscores or hyphens; a Weapons Class by its colour, too.

    >>> term(Side, "german"), term(WeaponClass, "small-arms"), term(WeaponClass, "yellow")
    (Side.GERMAN, WeaponClass.SMALL_ARMS, WeaponClass.DIRECT_HE)

    Raises:
        ValueError: there is no such term; those that there are, and the nearest.
    """
    spelt = str(word).lower().replace("_", " ").replace("-", " ")
    for found in kind:
        if spelt and spelt in (found.lower(), found.name.lower().replace("_", " "), getattr(found, "colour", "")):
            return found
    raise ValueError(f"{word!r} is none of {', '.join(kind)}{nearest(str(word), map(str, kind))}")


class Side(Named, StrEnum):
    """The two players."""

    ALLIED = "Allied"
    GERMAN = "German"

    @property
    def enemy(self) -> Side:
        """The other player."""
        return _ENEMY[self]


_ENEMY = {Side.ALLIED: Side.GERMAN, Side.GERMAN: Side.ALLIED}


# ------------------------------------------------------------ what is printed on counters (2.0)
class MovementClass(Named, StrEnum):
    """What terrain costs a unit (14.1, 14.2)."""

    LEG = "Leg"
    WHEELED = "Wheeled"
    TRACKED = "Tracked"
    IMMOBILE = "Immobile"


class UnitClass(Named, StrEnum):
    """What kind of unit it is (14.1)."""

    INFANTRY = "Infantry"
    GUN = "Gun"
    VEHICLE = "Vehicle"


class WeaponClass(Named, StrEnum):
    """The lines of the Combat Results Table, and the colours by which counters name them (2.0, 16.1)."""

    DUAL_PURPOSE = "Dual Purpose"
    SMALL_ARMS = "Small Arms"
    LIGHT_MORTAR = "Light Mortar"
    ARMOR_PIERCING = "Armor Piercing"
    MORTAR = "Mortar"
    DIRECT_HE = "Direct HE"
    INDIRECT_HE = "Indirect HE"
    EMPLACED_ARTILLERY = "Emplaced Artillery"
    ORGANIC_ARTILLERY = "Organic Artillery"

    @property
    def colour(self) -> str:
        """The colour around the rating."""
        return _COLOURS[self]

    @property
    def artillery(self) -> bool:
        """Whether it fires both directly and indirectly, by range (16.1)."""
        return self in _ARTILLERY


_COLOURS = {
    WeaponClass.DUAL_PURPOSE: "white",
    WeaponClass.SMALL_ARMS: "pink",
    WeaponClass.LIGHT_MORTAR: "purple",
    WeaponClass.ARMOR_PIERCING: "blue",
    WeaponClass.MORTAR: "green",
    WeaponClass.DIRECT_HE: "yellow",
    WeaponClass.INDIRECT_HE: "orange",
    WeaponClass.EMPLACED_ARTILLERY: "black",
    WeaponClass.ORGANIC_ARTILLERY: "brown",
}
_ARTILLERY = (WeaponClass.INDIRECT_HE, WeaponClass.EMPLACED_ARTILLERY, WeaponClass.ORGANIC_ARTILLERY)


class Stripe(Named, StrEnum):
    """The stripe of a unit: one of its Formation's colour, or that of an independent unit of its Division (13.1, 21.6)."""

    FORMATION = "Formation"
    WHITE = "white"
    BLACK = "black"


# ------------------------------------------------------------ time and weather
class Weather(Named, StrEnum):
    """The weather of a day (5.0, 15.4)."""

    CLEAR = "clear"
    FOG = "fog"
    RAIN = "rain"


class Phase(Named, StrEnum):
    """The steps of a turn, in their order (4.0); set-up comes before the first, and after the last the game is over."""

    SET_UP = "set-up"
    WEATHER = "A. Weather"
    AIRPOWER = "B. Airpower"
    REINFORCEMENTS = "C. Reinforcements"
    DISPATCH = "D. Dispatch Points"
    ARTILLERY = "E. Artillery and Contact"
    ATTACHMENT = "F. Attachment"
    MUG = "G. The mug"
    ACTIVATION = "H. Activation Phase"
    CLEANUP = "I. Cleanup"
    TURN_RECORD = "J. Turn record"
    OVER = "the game is over"


# ------------------------------------------------------------ chits and Actions
class ChitKind(Named, StrEnum):
    """The three kinds of chits (1.2)."""

    DIVISION = "Division Activation"
    FORMATION = "Formation Activation"
    DIRECT_COMMAND = "Direct Command"
    UNKNOWN = "face down"
    """A Formation Activation Chit that the viewer has not seen (7.2)."""


class ActionKind(Named, StrEnum):
    """The types of Actions that are compared for a Second Action (10.0.2, 13.2)."""

    MOVEMENT = "Movement"
    FIRE = "Fire"
    RALLY = "Rally"
    PASS = "Pass"  # noqa: S105 - an Action


class Result(Named, StrEnum):
    """The combat results (19.1)."""

    MISS = "miss"
    POSSIBLE_SUPPRESSION = "S?"
    SUPPRESSION = "S"
    COHESION_HIT = "C"
    STEP_LOSS = "1"
    ELIMINATION = "E"


class Cover(Named, StrEnum):
    """What a unit has dug itself into."""

    NONE = "none"
    IMPROVED = "improved position"
    ENTRENCHED = "entrenchment"


class Barrage(Named, StrEnum):
    """The barrage markers (16.6.2)."""

    LIGHT = "light barrage"
    HEAVY = "heavy barrage"


# ------------------------------------------------------------ figures of the text
STACKING_LIMIT = 8
"""Steps of units not in Column in a hex (14.7)."""
MOST_POINTS = 19
"""Command Points of a Division, and Dispatch Points (10.0.4)."""
THIS_TURN, NEXT_TURN = 2, 1
"""Dispatch Points for a Formation Activation Chit in play this turn, and next turn (7.2)."""
CONVERSION = 2
"""Command Points for a Dispatch Point (10.0.3)."""
PRE_NIGHT_BONUS = 2
"""Dispatch Points on the turn before night (10.0.3)."""
FORCED_MARCH = 2
"""Movement Points of a forced march (14.8)."""
ENTRY_DISTANCE = 2
"""How near to an enemy reinforcement entry hex nobody moves (14.1)."""
ARTILLERY_ZONE = 3
"""How far the Fire Zone of artillery reaches (17.3), and its Direct Fire (16.1)."""
MOST_COHESION = 2
"""Cohesion Hits that a marker shows; another is a Step Loss (19.2.3)."""
