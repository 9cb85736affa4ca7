"""Units, map and Combat Results Table as a player counts them: numbers only, found quickly.

`rating.fire_rating` is the rule, and says what each modifier is; the same sums are taken here for places where nobody stands yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.sight import Crossed, offsets
from beachhead_gts.battlefield import STAR, Battlefield, Face, Piece
from beachhead_gts.charts import HALF, Charts
from beachhead_gts.ground import steps
from beachhead_gts.rating import own_range
from beachhead_gts.state import State, Unit, face, has_loss_marker, steps_left
from beachhead_gts.tables import (
    ARTILLERY_ZONE,
    MOST_COHESION,
    STACKING_LIMIT,
    Cover,
    MovementClass,
    Result,
    Side,
    WeaponClass,
)

# ------------------------------------------------------------ the Combat Results Table
HARM = (Result.POSSIBLE_SUPPRESSION, Result.SUPPRESSION, Result.COHESION_HIT, Result.STEP_LOSS, Result.ELIMINATION)
Losses = tuple[float, float, float, float, float]
"""What each of these results costs the owner of a unit, in Victory Points."""
Odds = tuple[tuple[int, ...], ...]
"""For the Fire Ratings 0 to 8, how many faces of the die give each of these results."""


def odds(results: Sequence[Result]) -> Odds:
    """How many faces of the die give each result, by the Fire Rating (15.5).

    >>> odds((Result.COHESION_HIT, Result.SUPPRESSION, Result.SUPPRESSION))
    ((0, 0, 1, 0, 0), (0, 1, 1, 0, 0), (0, 2, 1, 0, 0))
    """
    return tuple([tuple([results[:hits].count(result) for result in HARM]) for hits in range(1, len(results) + 1)])


def expected(table: Odds, rating: int, losses: Losses) -> float:
    """What a shot is expected to cost the target's owner. A 0 always hits, a 9 never (15.5)."""
    possible, suppressed, cohesion, step, gone = table[min(max(rating, 0), 8)]
    a, b, c, d, e = losses
    return (possible * a + suppressed * b + cohesion * c + step * d + gone * e) / 10


# ------------------------------------------------------------ units
@frozen(eq=False)
class Force:
    """A unit on the map as a player counts it.

    Attributes:
        i: its number.
        fire: its Fire Rating with all that it adds itself; None where it has nothing to fire with.
        reach: its Fire Range, when no enemy is beside it.
        far: the distance from which its fire at armor suffers more.
        line: the line of the Combat Results Table that it fires on.
        armored: whether range and terrain count as for an Armored target.
        resolved: the same for the Combat Results Table.
        defense: its Defense Rating.
        kind: what terrain costs it.
        points: its Movement Allowance, in half Movement Points; 0 if it cannot move.
        ride: the class and the allowance of its vehicles, when it is not on them; None without any.
        foot: for a unit with vehicles, its allowance off them; 0 where it has none.
        gun: for a gun that its crew cannot move far, its Fire Range when it is off its vehicles; 0 for any other unit.
    """

    i: int
    name: str
    side: Side
    hex: Hex
    piece: Piece
    now: Unit
    steps: int
    fire: int | None
    reach: int
    far: int
    line: WeaponClass
    armored: bool
    resolved: bool
    defense: int
    kind: MovementClass
    points: int
    ride: tuple[MovementClass, int] | None
    foot: int
    gun: int


def force(state: State, i: int, now: Unit) -> Force:
    """The unit with this number, on the map with these markers."""
    field = state.setting
    piece, place = field.roster[i], now.place
    assert type(place) is Hex
    side = face(piece, now)
    dug_in = now.cover is Cover.ENTRENCHED
    return Force(
        i,
        piece.name,
        piece.side,
        place,
        piece,
        now,
        steps_left(piece, now),
        _fire(field.charts, piece, now, side),
        _reach(side),
        own_range(state, side),
        WeaponClass.DIRECT_HE if side.weapon.artillery else side.weapon,
        side.armored,
        side.armored or (dug_in and field.choice("entrenched") == "armored"),
        side.defense,
        MovementClass.LEG if side.movement is STAR else side.movement_class,
        side.movement * HALF if type(side.movement) is int and not dug_in else 0,
        _ride(piece, now),
        piece.front.movement * HALF if piece.transport is not None and type(piece.front.movement) is int else 0,
        _reach(piece.front) if piece.front.movement is STAR else 0,
    )


def _fire(charts: Charts, piece: Piece, now: Unit, side: Face) -> int | None:
    """The Fire Rating with the firer's own modifiers (15.6)."""
    fire, figures = side.fire, charts.figures
    if type(fire) is not int or side.weapon is WeaponClass.MORTAR or now.suppressed or now.entering:
        return None
    if now.cohesion:
        fire += figures["two cohesion hits" if now.cohesion == MOST_COHESION else "one cohesion hit"]["fire"]
    if has_loss_marker(piece, now):
        fire += figures["step loss"]["fire"]
    if now.cover is Cover.ENTRENCHED:
        fire += figures["entrenchment"]["fire"]
    return fire + figures["column"]["fire"] if now.column else fire


def _reach(side: Face) -> int:
    reach = side.fire_range if type(side.fire_range) is int else 1
    return min(reach, ARTILLERY_ZONE) if side.weapon.artillery else reach


def _ride(piece: Piece, now: Unit) -> tuple[MovementClass, int] | None:
    vehicle = piece.transport
    if vehicle is None or now.mounted or type(vehicle.movement) is not int:
        return None
    return vehicle.movement_class, vehicle.movement * HALF


# ------------------------------------------------------------ the map
NO_WAY = 999
"""Half Movement Points to where no way leads."""


@frozen(eq=False)
class Lay:
    """What a battlefield is to a player.

    Attributes:
        odds: the Combat Results Table, for each weapon, against armor or not.
        ground: for each hex the modifiers for fire at units in it, unarmored and armored.
        sides: for each hex, from which neighbours a hexside changes fire at it, and by how much.
        mass: the modifier for mass, by Steps.
        prizes: the numbers of the objectives, by their hexes.
    """

    odds: Mapping[tuple[WeaponClass, bool], Odds]
    ground: Mapping[Hex, tuple[int, int]]
    sides: Mapping[Hex, Mapping[Hex, tuple[int, int]]]
    mass: tuple[int, ...]
    prizes: Mapping[Hex, int]


@lru_cache(maxsize=64)
def lay(battlefield: Battlefield) -> Lay:
    """The lay of a battlefield, found once."""
    charts, board = battlefield.charts, battlefield.board
    ground: dict[Hex, tuple[int, int]] = {}
    for hex in board:
        rows = [charts.terrain[name] for name in board.terrain.get(hex, ("clear",))]
        ground[hex] = sum([row.fire for row in rows]), sum([row.fire_armored for row in rows])
    sides: dict[Hex, dict[Hex, tuple[int, int]]] = {}
    for (a, b), names in board.hexsides.items():
        along = [charts.hexsides[name] for name in names]
        change = sum([row.fire for row in along]), sum([row.fire_armored for row in along])
        if any(change):
            sides.setdefault(a, {})[b] = sides.setdefault(b, {})[a] = change
    return Lay(
        {key: odds(row.results) for key, row in charts.results.items()},
        ground,
        sides,
        tuple([charts.figures["mass"][str(n)] for n in range(STACKING_LIMIT + 1)]),
        {objective.hex: n for n, objective in enumerate(battlefield.objectives)},
    )


@lru_cache(maxsize=1024)
def last_crossed(offset: Hex) -> Hex | None:
    """Across which hexside fire comes into a hex that lies there from the firer: the neighbour on its other side, seen from the hex; None at a corner."""
    last = offsets(*offset).steps[-2]
    return last.hexside.other(offset) - offset if isinstance(last, Crossed) else None


# ------------------------------------------------------------ ways
Ways = tuple[Mapping[Hex, int], Mapping[Hex, int]]
"""The half Movement Points to somewhere from each hex, for a unit out of Column and for one in Column."""


@lru_cache(maxsize=1024)
def ways(battlefield: Battlefield, kind: MovementClass, goal: Hex) -> Ways:
    """The ways to a hex, whoever may stand in them; a unit enters and leaves Column where it likes, and arrives out of it."""
    back, hexes = _back(battlefield, kind), battlefield.board.hexes
    start = 2 * battlefield.board.index(goal)
    found = [NO_WAY] * len(back)
    found[start] = 0
    waiting: list[list[int]] = [[] for _ in range(NO_WAY + 1)]
    waiting[0].append(start)
    for spent, places in enumerate(waiting):
        for there in places:
            if found[there] == spent:
                for here, cost in back[there]:
                    if spent + cost < found[here]:
                        found[here] = spent + cost
                        waiting[spent + cost].append(here)
    return dict(zip(hexes, found[::2], strict=True)), dict(zip(hexes, found[1::2], strict=True))


@lru_cache(maxsize=64)
def _back(battlefield: Battlefield, kind: MovementClass) -> Sequence[Sequence[tuple[int, int]]]:
    """For each hex out of Column, and each in Column, from where and at what cost one comes there."""
    index = battlefield.board.index
    back: list[list[tuple[int, int]]] = [[] for _ in range(2 * len(battlefield.board))]
    for place, before in enumerate(back):
        before.append((place ^ 1, HALF))
    for column in (False, True):
        near = steps(battlefield, kind, column)
        for here in battlefield.board:
            for there, cost in near[here][0]:
                back[2 * index(there) + column].append((2 * index(here) + column, cost))
    return back


@lru_cache(maxsize=256)
def decay(patience: float, points: int) -> tuple[float, ...]:
    """What is left of a goal that is so many half Movement Points away, for a unit with such an allowance."""
    return tuple([patience ** (way / points) for way in range(NO_WAY + 1)])
