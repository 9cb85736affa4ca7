"""The ground: what a step costs, and which hexes can be entered at all (8.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beachhead.hexes import Hex
from beachhead.rules import Breakdown, Modifier, Provenance
from beachhead_koenig.tables import ROAD

if TYPE_CHECKING:
    from beachhead_koenig.beach import Beach


def terrain(beach: Beach, hex: Hex) -> tuple[str, ...]:
    """The terrain of a hex; a hex without any is clear."""
    return beach.board.terrain.get(hex, ("clear",))


def terrain_cost(beach: Beach, hex: Hex) -> Modifier | None:
    """What entering a hex costs by its terrain; None where it cannot be entered. Of several terrains the dearest counts (koenig:dearest_terrain)."""
    chart, names = beach.charts["movement"], terrain(beach, hex)
    if not all(name in chart for name in names):
        return None
    dearest = max(names, key=lambda name: chart[name])
    rules = ["koenig:8.1.d" if chart.source[dearest] is not Provenance.TEXT else "koenig:8.1.c"]
    if len(names) > 1:
        rules.append("koenig:dearest_terrain")
    return Modifier(dearest, chart[dearest], rules, chart.source[dearest] is Provenance.AUTHORED)


def step_cost(beach: Beach, here: Hex, there: Hex) -> Breakdown | None:
    """What a step to a neighbour costs by terrain, hexside and road (8.1); None where it cannot be made.

    Units and interdiction come on top.
    """
    board = beach.board
    entering = terrain_cost(beach, there)
    if entering is None or "cliff" in board.features(here, there):
        return None
    if board.linked("road", here, there):
        return Breakdown.of(Modifier("by road", ROAD, ("koenig:8.1.2.a", "koenig:8.1.2.b")))
    cost = Breakdown.of(entering)
    if "river" in board.features(here, there):
        chart = beach.charts["movement"]
        cost += Modifier("across a river", chart["river"], ("koenig:8.1.a", "koenig:8.1.c"))
    return cost


def adjacent(beach: Beach, here: Hex, there: Hex) -> bool:
    """Whether two hexes of the map touch."""
    return there in beach.board.neighbours(here)
