"""Memoir '44: turn, cards, battle, terrain and troops as rules that cite themselves."""

from beachhead_memoir44.m44 import ScenarioFile, read_m44
from beachhead_memoir44.system import SYSTEM
from beachhead_memoir44.tables import Side

__all__ = ["SYSTEM", "ScenarioFile", "Side", "read_m44"]
