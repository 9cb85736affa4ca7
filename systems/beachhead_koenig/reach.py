"""How far units come: the search behind movement (8.0 to 8.3, 10.0, 14.2).

Hexes go by their index on the board here, and sets of them are ints: a decision about a move is mostly this search, and that is several times
as fast as dictionaries of hexes (benchmarks/bench_koenig.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from attrs import define, frozen

from beachhead.board import ones
from beachhead.hexes import Hex
from beachhead_koenig.tables import CLOSE_COMBAT, INTERDICTED, OFF_THE_MAP

if TYPE_CHECKING:
    from beachhead_koenig.beach import Beach
    from beachhead_koenig.state import State


@frozen(eq=False)
class Ground:
    """The steps that can be made on a map, with so many hexes interdicted; what each costs is without close combat."""

    onward: tuple[int, ...]
    """From each hex: the hexes that can be entered, set by set in one int: those for one point in the lowest `width` bits, those for two above."""
    into: tuple[tuple[tuple[int, int], ...], ...]
    """Into each hex: the hexes from which it can be entered, each with the cost."""
    bits: tuple[int, ...]
    """For each hex, the set that holds it alone."""
    width: int
    """How many hexes the map has."""


def make_ground(beach: Beach, interdicted: tuple[Hex, ...]) -> Ground:
    """The steps of a map with these hexes interdicted."""
    index, size = beach.board.index, len(beach.board)
    onward = [0] * size
    into: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for here, around in beach.steps.items():
        for there, step in around:
            cost = step + INTERDICTED * ((here in interdicted) + (there in interdicted))
            onward[index(here)] |= beach.bit[there] << size * (cost - 1)
            into[index(there)].append((index(here), cost))
    return Ground(
        tuple(onward),
        tuple([tuple(each) for each in into]),
        tuple([1 << i for i in range(size)]),
        size,
    )


@define(eq=False)
class Reach:
    """Where a unit can come with its Movement Points.

    Attributes:
        start: the index of the hex in which it stands.
        costs: for each hex that it comes to, by index, the Movement Points of the cheapest way; the cheapest first, its own before all.
        combats: for each enemy's hex and hexside in, `(hex, entry)`, what entering it costs altogether.
        exits: for each road off the map, what leaving by it costs altogether.
    """

    beach: Beach
    ground: Ground
    points: int
    start: int
    costs: Mapping[int, int]
    combats: Mapping[tuple[Hex, Hex], int]
    exits: Mapping[str, int]

    def cost_of(self, hex: Hex) -> int | None:
        """The Movement Points of the cheapest way to a hex; None where the unit does not come."""
        if hex not in self.beach.board:
            return None
        return self.costs.get(self.beach.board.index(hex))

    def __contains__(self, hex: Hex) -> bool:
        """Whether the unit can move to a hex."""
        return bool(self.cost_of(hex))

    @property
    def hexes(self) -> dict[Hex, int]:
        """The hexes that the unit can move to, each with its cost, the cheapest first."""
        hexes = self.beach.board.hexes
        return {hexes[i]: cost for i, cost in self.costs.items() if i != self.start}

    def path(self, hex: Hex) -> tuple[Hex, ...]:
        """A cheapest way to a hex, both ends included."""
        costs, into, here = self.costs, self.ground.into, self.beach.board.index(hex)
        way = [here]
        while here != self.start:
            spent = costs[here]
            for before, step in into[here]:
                if costs.get(before) == spent - step:
                    way.append(before)
                    here = before
                    break
        hexes = self.beach.board.hexes
        return tuple([hexes[i] for i in reversed(way)])


def search(state: State, unit: str, points: int) -> Reach:
    """Where a unit that stands on the map can come: hexes with two units are closed to it, and it must stop where an enemy is."""
    beach, held, place = state.setting, state.occupation, state.place(unit)
    assert isinstance(place, Hex)
    ground, start = beach.ground(state.interdicted), beach.board.index(place)
    enemies = held.of(beach.piece(unit).side.enemy)
    costs, met = spread(ground, start, points, held.full | enemies)
    return Reach(
        beach,
        ground,
        points,
        start,
        costs,
        _combats(beach, ground, costs, met, points, enemies & ~held.full),
        _exits(state, costs, points),
    )


def spread(ground: Ground, start: int, points: int, closed: int) -> tuple[dict[int, int], list[int]]:
    """The cheapest way to every hex within reach when the hexes of a set are closed.

    Returns:
        what each of the hexes costs, the cheapest first; and for each number of points, as a set, the hexes into which a step leads that costs
        so many altogether, closed ones included.
    """
    onward, bits, width, free = ground.onward, ground.bits, ground.width, ~closed | 1 << start
    costs: dict[int, int] = {}
    met: list[int] = []
    every = (1 << width) - 1
    ahead = bits[start]  # a set for each total, the least in the lowest bits, takes the place of a heap
    for spent in range(points + 1):
        entered = ahead & every
        met.append(entered)
        ahead >>= width
        reached = entered & free  # others have been reached for less
        free ^= reached
        while reached:
            here = reached.bit_length() - 1
            reached ^= bits[here]
            costs[here] = spent
            ahead |= onward[here]
    return costs, met


def _combats(
    beach: Beach, ground: Ground, costs: Mapping[int, int], met: list[int], points: int, enemies: int
) -> dict[tuple[Hex, Hex], int]:
    found, hexes = {}, beach.board.hexes
    most = points - CLOSE_COMBAT
    near = reduce(or_, met[: max(0, most + 1)], 0)
    for there in ones(near & enemies):
        for entry, step in ground.into[there]:
            cost = costs.get(entry, points) + step
            if cost <= most:
                found[hexes[there], hexes[entry]] = cost + CLOSE_COMBAT
    return found


def _exits(state: State, costs: Mapping[int, int], points: int) -> dict[str, int]:
    found = {}
    for road, i in state.setting.exit_indices:
        if i in costs:
            cost = costs[i] + OFF_THE_MAP + INTERDICTED * (road.hex in state.interdicted)
            if cost <= points:
                found[road.name] = cost
    return found
