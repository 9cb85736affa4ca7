"""How far units come: the search behind movement (8.0 to 8.3, 10.0, 14.2).

Hexes go by their index on the board here: a decision about a move is mostly this search, and lists of small numbers are several times as fast as
dictionaries of hexes (benchmarks/bench_koenig.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attrs import define, frozen

from beachhead.board import ones
from beachhead.hexes import Hex
from beachhead_koenig.tables import CLOSE_COMBAT, INTERDICTED, OFF_THE_MAP

if TYPE_CHECKING:
    from beachhead_koenig.beach import Beach
    from beachhead_koenig.state import State

_CLOSED, _FAR = -1, 1_000_000
"""In place of a cost: nobody enters, and not reached yet."""


@frozen(eq=False)
class Ground:
    """The steps that can be made on a map, with so many hexes interdicted; what each costs is without close combat."""

    steps: tuple[tuple[tuple[int, int], ...], ...]
    """From each hex: the hexes that can be entered, each with its cost, the cheapest first."""
    into: tuple[tuple[tuple[int, int], ...], ...]
    """Into each hex: the hexes from which it can be entered, each with the cost."""


def make_ground(beach: Beach, interdicted: tuple[Hex, ...]) -> Ground:
    """The steps of a map with these hexes interdicted."""
    index, size = beach.board.index, len(beach.board)
    steps: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    into: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for here, around in beach.steps.items():
        for there, step in around:
            cost = step + INTERDICTED * ((here in interdicted) + (there in interdicted))
            steps[index(here)].append((index(there), cost))
            into[index(there)].append((index(here), cost))
    return Ground(
        tuple([tuple(sorted(each, key=lambda step: step[1])) for each in steps]), tuple([tuple(each) for each in into])
    )


@define(eq=False)
class Reach:
    """Where a unit can come with its Movement Points.

    Attributes:
        start: the index of the hex in which it stands.
        costs: for every hex of the board, the Movement Points of the cheapest way; another number where the unit does not come.
        order: the indices of the hexes that it can move to, the cheapest first.
        combats: for each enemy's hex and hexside in, `(hex, entry)`, what entering it costs altogether.
        exits: for each road off the map, what leaving by it costs altogether.
    """

    beach: Beach
    ground: Ground
    points: int
    start: int
    costs: list[int]
    order: list[int]
    combats: Mapping[tuple[Hex, Hex], int]
    exits: Mapping[str, int]

    def cost_of(self, hex: Hex) -> int | None:
        """The Movement Points of the cheapest way to a hex; None where the unit does not come."""
        if hex not in self.beach.board:
            return None
        cost = self.costs[self.beach.board.index(hex)]
        return cost if 0 <= cost <= self.points else None

    def __contains__(self, hex: Hex) -> bool:
        """Whether the unit can move to a hex."""
        return bool(self.cost_of(hex))

    @property
    def hexes(self) -> dict[Hex, int]:
        """The hexes that the unit can move to, each with its cost, the cheapest first."""
        all_hexes, costs = self.beach.board.hexes, self.costs
        return {all_hexes[i]: costs[i] for i in self.order}

    def path(self, hex: Hex) -> tuple[Hex, ...]:
        """A cheapest way to a hex, both ends included."""
        costs, into, here = self.costs, self.ground.into, self.beach.board.index(hex)
        way = [here]
        while here != self.start:
            for before, step in into[here]:
                if costs[before] + step == costs[here] and costs[before] >= 0:
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
    costs, order = spread(ground, start, points, held.full | enemies)
    return Reach(
        beach,
        ground,
        points,
        start,
        costs,
        order,
        _combats(beach, ground, costs, points, enemies & ~held.full),
        _exits(state, costs, points),
    )


def spread(ground: Ground, start: int, points: int, closed: int) -> tuple[list[int], list[int]]:
    """The cheapest way to every hex when the hexes of a set are closed: what each costs, and those within reach, the cheapest first."""
    steps = ground.steps
    costs, order = [_FAR] * len(steps), []
    for i in ones(closed):
        costs[i] = _CLOSED
    costs[start] = 0
    waiting: list[list[int]] = [[] for _ in range(points + 1)]  # a list for each total takes the place of a heap
    waiting[0].append(start)
    for spent, hexes in enumerate(waiting):
        reached = [here for here in hexes if costs[here] == spent]  # others have been reached for less meanwhile
        order += reached
        if spent == points:
            break
        for here in reached:
            for there, step in steps[here]:
                step += spent
                if step > points:
                    break
                if step < costs[there]:
                    costs[there] = step
                    waiting[step].append(there)
    return costs, order[1:]


def _combats(beach: Beach, ground: Ground, costs: list[int], points: int, enemies: int) -> dict[tuple[Hex, Hex], int]:
    found, hexes = {}, beach.board.hexes
    for there in ones(enemies):
        for entry, step in ground.into[there]:
            if 0 <= costs[entry] <= points - step - CLOSE_COMBAT:
                found[hexes[there], hexes[entry]] = costs[entry] + step + CLOSE_COMBAT
    return found


def _exits(state: State, costs: list[int], points: int) -> dict[str, int]:
    found = {}
    for road, i in state.setting.exit_indices:
        if 0 <= costs[i] < points:
            cost = costs[i] + OFF_THE_MAP + INTERDICTED * (road.hex in state.interdicted)
            if cost <= points:
                found[road.name] = cost
    return found
