"""Paul Koenig's D-Day: Juno, as rules that cite themselves."""

from beachhead_koenig.system import SYSTEM
from beachhead_koenig.tables import Side

__all__ = ["SYSTEM", "Side"]
