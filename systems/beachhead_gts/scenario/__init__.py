"""The scenario format: one TOML file with map, counters and turn track, and the charts it is played with. `read_battlefield` reads it, or tells every fault in it at once."""

from beachhead_gts.scenario.charts import read_charts, shipped_charts
from beachhead_gts.scenario.counters import read_face
from beachhead_gts.scenario.reading import SUFFIX, read_battlefield

__all__ = ["SUFFIX", "read_battlefield", "read_charts", "read_face", "shipped_charts"]
