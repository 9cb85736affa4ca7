"""What the rules' text itself gives of the map, the tables and the pieces. Another figure in its place is wrong, and nothing else may be called text."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from beachhead_koenig.tables import UnitType


class Given(NamedTuple):
    """A figure, and the rule that gives it."""

    figure: int
    rule: str


class Landing(NamedTuple):
    """The Game Turn and the hex of a landing."""

    turn: int
    at: str

    @property
    def rule(self) -> str:
        """The rule that gives it."""
        return {1: "koenig:juno.5.0.a", 2: "koenig:juno.5.0.c", 3: "koenig:juno.5.0.e"}[self.turn]


FIGURES: Mapping[str, Mapping[str, Given]] = MappingProxyType(
    {
        "movement": {"swamp": Given(3, "koenig:8.1.c"), "river": Given(1, "koenig:8.1.c")},
        "landing fire Morning": {
            str(die): Given(hits, "koenig:5.0.j") for die, hits in enumerate((0, 0, 1, 1, 2, 2), 1)
        },
        "allied support": {"3": Given(2, "koenig:6.2.a")},
    }
)
"""Figures of the charts (koenig:2.1.e)."""

TURNS = ("Morning", "Afternoon", "Evening", "Night")
"""What Game Turns are called; by day come landings, support and operations, by night replacements and redeployment (4.0)."""

TRACK = ("Morning", "Afternoon", "Evening")
"""The first Game Turns (koenig:4.0.k)."""

CHITS = ("0", "2*")
"""Of the four chits of Rest and Refit (koenig:14.3.b)."""
NUMBER_OF_CHITS = 4

LAST_REINFORCEMENTS = 4
"""The Game Turn after which no German reinforcements come (koenig:juno.5.1.f)."""

EXITS = ("0106", "0109", "0213")
"""The roads off the map (koenig:juno.5.1.c)."""

LANDINGS: Mapping[tuple[str, str], Landing] = MappingProxyType(
    {
        ("7", "CSR"): Landing(1, "Nan Red"),
        ("8", "NSR"): Landing(1, "Nan White"),
        ("9", "HLI"): Landing(1, "Nan Green"),
        ("3", "CHO"): Landing(1, "Mike"),
        ("7", "RWR"): Landing(2, "Nan Red"),
        ("8", "LRC"): Landing(2, "Nan White"),
        ("9", "SDG"): Landing(2, "Nan Green"),
        ("3", "26-Engineer"): Landing(2, "Mike"),
        ("7", "RRR"): Landing(3, "Nan Red"),
        ("8", "QOR"): Landing(3, "Nan White"),
        ("9", "NNS"): Landing(3, "Nan Green"),
        ("3", "80-Engineer"): Landing(3, "Mike"),
    }
)
"""The waves of Juno, by formation and unit: Game Turn and hex (koenig:juno.5.0.a, koenig:juno.5.0.c, koenig:juno.5.0.e)."""

TYPES: Mapping[tuple[str, str], UnitType] = MappingProxyType(
    {
        ("3", "CHO"): UnitType.HEAVY_WEAPONS,
        ("3", "26-Engineer"): UnitType.ENGINEER,
        ("3", "80-Engineer"): UnitType.ENGINEER,
    }
)
"""Types that the landing lists name."""

REINFORCEMENTS = ("716", UnitType.ANTI_TANK)
"""Formation and type of the companies that enter by road (koenig:juno.5.1.a)."""
