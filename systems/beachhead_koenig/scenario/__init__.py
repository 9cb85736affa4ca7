"""The scenario format: one TOML file with map, track, charts and units. `read_beach` reads it, or tells every fault in it at once."""

from beachhead_koenig.scenario.reading import SUFFIX, read_beach

__all__ = ["SUFFIX", "read_beach"]
