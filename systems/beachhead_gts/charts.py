"""The charts of a game of the series: combat results, modifiers, markers, terrain. The rules' text gives few of their figures.

What a chart says is data (`charts.toml`); each figure knows where it comes from. Movement costs are in half Movement Points, since roads cost halves.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from beachhead.rules import Chart, Provenance
from beachhead_gts.tables import MovementClass, Result, WeaponClass

HALF = 2
"""Costs and allowances are counted in halves of a Movement Point."""
Costs = Mapping[MovementClass, int | None]
"""What something costs each Movement Class, in half Movement Points; None: it is not permitted."""


@frozen
class OtherTerrain:
    """What a step along a road costs where it depends on what else lies in the hex and along the hexside: as much, or a multiple of it."""

    times: int = 1


RoadCosts = Mapping[MovementClass, int | OtherTerrain | None]
"""What a step along a road costs each Movement Class, in half Movement Points; None: it is not permitted."""


@frozen
class ResultLine:
    """A line of the Combat Results Table: the results of the rolls 0 to 8 for a Weapons Class and a kind of target (15.5)."""

    weapon: WeaponClass
    armored: bool
    results: tuple[Result, ...]
    source: Provenance = Provenance.AUTHORED


@frozen
class Terrain:
    """A row of the Terrain Effects Chart for what lies in a hex.

    Attributes:
        name: as maps call it.
        symbol: what stands for it in drawings; "" for none.
        normal: the cost of entering, out of Column.
        column: the same in Column.
        blocks: whether it blocks a Line of Sight that passes through (15.4).
        fire: the modifier for fire at unarmored units in the hex.
        fire_armored: the same for armored ones.
        source: of the fire modifiers.
        cost_source: of the costs.
    """

    name: str
    normal: Costs
    column: Costs
    blocks: bool = False
    fire: int = 0
    fire_armored: int = 0
    source: Provenance = Provenance.AUTHORED
    cost_source: Provenance = Provenance.AUTHORED
    symbol: str = ""


@frozen
class HexsideTerrain:
    """A row of the chart for what lies along a hexside.

    Attributes:
        normal, column: what crossing adds to the cost of the hex; None: it cannot be crossed.
        crest: it blocks sight as a crest, slope or ridge does (15.4.1).
        column_only: a bridge or ferry: only units in Column cross (14.7). They pay nothing for what else lies there.
        fire, fire_armored: the modifier for fire across it at a unit behind it.
    """

    name: str
    normal: Costs
    column: Costs
    crest: bool = False
    column_only: bool = False
    fire: int = 0
    fire_armored: int = 0
    source: Provenance = Provenance.AUTHORED
    cost_source: Provenance = Provenance.AUTHORED


@frozen
class Road:
    """A row of the chart for a kind of road or railway: what a step along it costs, in place of hex and hexside."""

    name: str
    normal: RoadCosts
    column: RoadCosts
    cost_source: Provenance = Provenance.AUTHORED


@frozen
class Charts:
    """All charts of one game.

    Attributes:
        title: whose they are.
        results: the Combat Results Table, by Weapons Class and whether the target is armored.
        terrain, hexsides, roads: the Terrain Effects Chart.
        figures: numbers by the names of their tables, each a `Chart`:
            "mass" (steps in the hex, "0" to "8": the last holds for more),
            "sight" ("clear day", "clear night", "fog", "rain", "observation post"),
            "weather" (Fire Rating: "night", "fog", "rain"),
            "range" ("armored near", "armored far": from two hexes, and from the firer's own range),
            "opportunity" ("into a Fire Zone", "into no Fire Zone"),
            "company" ("bonus"),
            and the markers, with the keys "fire", "assault", "defense", "quality":
            "column", "step loss", "one cohesion hit", "two cohesion hits", "suppressed", "improved position",
            "entrenchment", "out of command", "men rallying", "light barrage", "heavy barrage".
        authored: what of it no printed source gives, in words.
        published: what of it is printed, and in which game, in words.
    """

    title: str
    results: Mapping[tuple[WeaponClass, bool], ResultLine]
    terrain: Mapping[str, Terrain]
    hexsides: Mapping[str, HexsideTerrain]
    roads: Mapping[str, Road]
    figures: Mapping[str, Chart]
    authored: tuple[str, ...] = ()
    published: tuple[str, ...] = ()
