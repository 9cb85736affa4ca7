"""Beachhead knows the rules of printed World War II games: what is legal and why not, what happens, and the exact odds.

>>> import beachhead as bh
>>> "memoir44" in bh.systems()
True
"""

from beachhead.errors import (
    BeachheadError,
    CodecError,
    Fault,
    GameIsOver,
    IllegalAction,
    NeedsPolicy,
    OptionError,
    SaveError,
    ScenarioError,
    ScriptError,
    UnknownName,
)
from beachhead.game import Game, View, load, new
from beachhead.log import Log
from beachhead.odds import Distribution
from beachhead.play import UNKNOWN
from beachhead.position import Position
from beachhead.rules import Breakdown, Modifier, Objection, Rule, Ruling, Verdict
from beachhead.systems import Result, find_system, register, scenarios, systems

__version__ = "0.1.0"

__all__ = [
    "UNKNOWN",
    "BeachheadError",
    "Breakdown",
    "CodecError",
    "Distribution",
    "Fault",
    "Game",
    "GameIsOver",
    "IllegalAction",
    "Log",
    "Modifier",
    "NeedsPolicy",
    "Objection",
    "OptionError",
    "Position",
    "Result",
    "Rule",
    "Ruling",
    "SaveError",
    "ScenarioError",
    "ScriptError",
    "UnknownName",
    "Verdict",
    "View",
    "find_system",
    "load",
    "new",
    "register",
    "scenarios",
    "systems",
]
