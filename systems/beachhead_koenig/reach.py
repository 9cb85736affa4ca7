"""How far units come: movement over the whole map at once, with sets of hexes as ints (8.0 to 8.3, 10.0, 14.2).

A hex is a bit, laid out so that a step in one direction is the same shift everywhere: all hexes that cost so many Movement Points are stepped
on from at once. Searching hex by hex takes four times as long, and a decision about a move is mostly this search (benchmarks/bench_koenig.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attrs import field, frozen

from beachhead.hexes import Direction, Hex
from beachhead_koenig.tables import CLOSE_COMBAT, INTERDICTED, OFF_THE_MAP

if TYPE_CHECKING:
    from beachhead_koenig.state import Beach, State

_Steps = tuple[tuple[int, int], ...]


@frozen(eq=False)
class Ground:
    """The steps that can be made on a map, with so many hexes interdicted.

    Most steps cost what the terrain of the hex entered does: `plain` are the hexes from which that holds, by direction, and `terrain` the hexes
    by cost. All others (roads, rivers, interdiction) are `special`, by direction and cost. Directions are shifts, first to the south and
    east, then to the north and west.
    """

    cost: Mapping[tuple[Hex, Hex], int]
    """What each step costs, without close combat."""
    into: Mapping[Hex, tuple[tuple[Hex, int, int], ...]]
    """For each hex, the hexes from which it can be entered, each with its bit and what the step costs."""
    plain: tuple[_Steps, _Steps]
    terrain: _Steps
    special: tuple[tuple[int, int, int], ...]
    specials: int


@frozen(eq=False)
class Lattice:
    """The hexes of a map as bits: rows one after the other, each as wide as the map in axial columns and one more, so that rows never touch."""

    hexes: tuple[Hex, ...]
    width: int = field(init=False)
    bit: Mapping[Hex, int] = field(init=False)
    """For each hex its bit."""
    places: tuple[Hex | None, ...] = field(init=False)
    """The hex of each bit, from the lowest."""

    def __attrs_post_init__(self) -> None:
        west, north = min(hex.q for hex in self.hexes), min(hex.r for hex in self.hexes)
        width = max(hex.q for hex in self.hexes) - west + 2
        at = {(hex.r - north) * width + hex.q - west: hex for hex in self.hexes}
        object.__setattr__(self, "width", width)
        object.__setattr__(self, "bit", {hex: 1 << n for n, hex in sorted(at.items())})
        object.__setattr__(self, "places", tuple([at.get(n) for n in range(max(at) + 1)]))

    def shift(self, direction: Direction) -> int:
        """How far a step in a direction shifts a bit."""
        step = Hex(0, 0).neighbour(direction)
        return step.r * self.width + step.q

    def near(self, hexes: int) -> int:
        """All neighbours of a set of hexes, those off the map too."""
        w = self.width
        return hexes << 1 | hexes >> 1 | hexes << w | hexes >> w | hexes << w - 1 | hexes >> w - 1

    def members(self, hexes: int) -> list[Hex]:
        """The hexes of a set."""
        found = list[Hex]()
        while hexes:
            low = hexes & -hexes
            hex = self.places[low.bit_length() - 1]
            assert hex is not None
            found.append(hex)
            hexes ^= low
        return found


def make_ground(beach: Beach, interdicted: tuple[Hex, ...]) -> Ground:
    """The steps of a map with these hexes interdicted."""
    lattice = beach.lattice
    cost = {
        (here, there): step + INTERDICTED * ((here in interdicted) + (there in interdicted))
        for here, steps in beach.steps.items()
        for there, step in steps
    }
    base, plain, special = dict[int, int](), dict[int, int](), dict[tuple[int, int], int]()
    terrain = {hex: entering for hex in beach.board if (entering := beach.entering(hex)) is not None}
    for hex, entering in terrain.items():
        base[entering] = base.get(entering, 0) | lattice.bit[hex]
    for (here, there), step in cost.items():
        shift, bit = lattice.shift(here.direction(there)), lattice.bit[here]
        if step == terrain[there]:
            plain[shift] = plain.get(shift, 0) | bit
        else:
            special[shift, step] = special.get((shift, step), 0) | bit
    specials = 0
    for bits in special.values():
        specials |= bits
    into = dict[Hex, list[tuple[Hex, int, int]]]()
    for (here, there), step in cost.items():
        into.setdefault(there, []).append((here, lattice.bit[here], step))
    return Ground(
        cost,
        {hex: tuple(sides) for hex, sides in into.items()},
        (
            tuple([(shift, bits) for shift, bits in plain.items() if shift > 0]),
            tuple([(-shift, bits) for shift, bits in plain.items() if shift < 0]),
        ),
        tuple(sorted(base.items())),
        tuple([(shift, step, bits) for (shift, step), bits in special.items()]),
        specials,
    )


@frozen(eq=False)
class Reach:
    """Where a unit can come with its Movement Points.

    Attributes:
        start: where it stands.
        layers: for each number of Movement Points spent, the hexes that cost exactly so many, as a set; the first holds the start.
        reached: all of them.
        combats: for each enemy's hex and hexside in, `(hex, entry)`, what entering it costs altogether.
        exits: for each road off the map, what leaving by it costs altogether.
    """

    beach: Beach
    ground: Ground
    start: Hex
    layers: list[int]
    reached: int
    combats: Mapping[tuple[Hex, Hex], int]
    exits: Mapping[str, int]

    def cost_of(self, hex: Hex) -> int | None:
        """The Movement Points of the cheapest way to a hex; None where the unit does not come."""
        bit = self.beach.lattice.bit.get(hex, 0)
        return next((spent for spent, hexes in enumerate(self.layers) if hexes & bit), None)

    def __contains__(self, hex: object) -> bool:
        return bool(self.reached & self.beach.lattice.bit.get(hex, 0)) and hex != self.start  # type: ignore[call-overload]

    @property
    def hexes(self) -> dict[Hex, int]:
        """The hexes that the unit can move to, each with its cost, the cheapest first."""
        members = self.beach.lattice.members
        return {hex: spent for spent, hexes in enumerate(self.layers) if spent for hex in members(hexes)}

    def path(self, hex: Hex) -> tuple[Hex, ...]:
        """A cheapest way to a hex, both ends included."""
        bit, cost, neighbours = self.beach.lattice.bit, self.ground.cost, self.beach.board.neighbours
        spent, way = self.cost_of(hex), [hex]
        assert spent is not None
        while spent:
            here = way[-1]
            for before in neighbours(here):
                step = cost.get((before, here), spent + 1)
                if step <= spent and self.layers[spent - step] & bit[before]:
                    way.append(before)
                    spent -= step
                    break
            else:
                raise AssertionError("every layer is reached from another")
        return tuple(reversed(way))


def search(state: State, unit: str, points: int) -> Reach:
    """Where a unit that stands on the map can come: hexes with two units are closed to it, and it must stop where an enemy is."""
    beach, held, start = state.setting, state.occupation, state.place(unit)
    assert isinstance(start, Hex)
    lattice, ground = beach.lattice, beach.ground(state.interdicted)
    enemies = held.of(beach.piece(unit).side.enemy)
    reached = bit = lattice.bit[start]
    free = ~(held.full | enemies)
    layers = [0] * (points + 1)
    layers[0] = bit
    (down, up), terrain, specials = ground.plain, ground.terrain, ground.specials
    for spent in range(points):
        here = layers[spent]
        if spent:
            layers[spent] = here = here & ~reached
        if not here:
            continue
        reached |= here
        near = 0
        for shift, bits in down:
            near |= (here & bits) << shift
        for shift, bits in up:
            near |= (here & bits) >> shift
        near &= free
        if near:
            for step, bits in terrain:
                if spent + step <= points:
                    layers[spent + step] |= near & bits
        if here & specials:
            for shift, step, bits in ground.special:
                if spent + step <= points and (there := here & bits):
                    there = there << shift if shift > 0 else there >> -shift
                    layers[spent + step] |= there & free
    if points:
        layers[points] &= ~reached
        reached |= layers[points]
    combats, exits = dict[tuple[Hex, Hex], int](), dict[str, int]()
    found = Reach(beach, ground, start, layers, reached, combats, exits)
    if facing := lattice.near(reached) & enemies & ~held.full:
        for hex in lattice.members(facing):
            for entry, side_in, step in ground.into[hex]:
                if reached & side_in:
                    for spent in range(points - step - CLOSE_COMBAT + 1):
                        if layers[spent] & side_in:
                            combats[hex, entry] = spent + step + CLOSE_COMBAT
                            break
    for road in beach.exits:
        if reached & lattice.bit[road.hex]:
            spent = (found.cost_of(road.hex) or 0) + OFF_THE_MAP + INTERDICTED * (road.hex in state.interdicted)
            if spent <= points:
                exits[road.name] = spent
    return found
