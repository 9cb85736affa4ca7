"""The `.m44` scenario format: `read_m44` reads a file and gives a `ScenarioFile`, or one error with every fault in it."""

from beachhead_memoir44.m44.reading import PATCH, read_m44, read_source
from beachhead_memoir44.m44.values import (
    BoardSize,
    Equipment,
    EquipmentPacks,
    Exit,
    Face,
    FrozenMap,
    Group,
    Layer,
    Marker,
    Mine,
    Objective,
    Placed,
    PlaceName,
    ScenarioFile,
    SuddenDeath,
)

__all__ = [
    "PATCH",
    "BoardSize",
    "Equipment",
    "EquipmentPacks",
    "Exit",
    "Face",
    "FrozenMap",
    "Group",
    "Layer",
    "Marker",
    "Mine",
    "Objective",
    "PlaceName",
    "Placed",
    "ScenarioFile",
    "SuddenDeath",
    "read_m44",
    "read_source",
]
