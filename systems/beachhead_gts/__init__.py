"""The Grand Tactical Series v2.0c, as rules that cite themselves."""

from beachhead_gts.system import SYSTEM
from beachhead_gts.tables import Side

__all__ = ["SYSTEM", "Side"]
