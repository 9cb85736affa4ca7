"""A small battlefield for tests: a map, a few counters, a track of one day and one night, the figures of sight."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from beachhead.board import Board
from beachhead.hexes import Hex, Hexside
from beachhead.rules import Chart, Provenance
from beachhead_gts.battlefield import NO, Battlefield, Division, Face, FirstTurn, Formation, Piece, Turn
from beachhead_gts.charts import Charts, HexsideTerrain, Terrain
from beachhead_gts.state import Points, State, Unit
from beachhead_gts.tables import MovementClass, Side, Stripe, UnitClass, WeaponClass

COSTS = dict.fromkeys(MovementClass, 2)
SIGHT = {"clear day": 8, "clear night": 3, "fog": 2, "rain": 2, "observation post": 13}
CHARTS = Charts(
    title="test charts",
    results={},
    terrain={
        name: Terrain(name, COSTS, COSTS, blocks=name in ("woods", "town")) for name in ("woods", "town", "orchard")
    },
    hexsides={
        name: HexsideTerrain(name, COSTS, COSTS, crest=name != "stream")
        for name in ("crest", "slope", "ridge", "stream")
    },
    roads={},
    figures={"sight": Chart("sight", "gts:15.4.g", SIGHT, dict.fromkeys(SIGHT, Provenance.TEXT))},
)
DAY, NIGHT = 1, 2
"""The turns."""
ENTRY = {Side.ALLIED: Hex(9, 0), Side.GERMAN: Hex(-9, 0)}

Pair = tuple[int, int]


def board(
    hexes: Iterable[Hex] = Hex(0, 0).disk(14),
    crests: Iterable[tuple[Pair, Pair]] = (),
    crest: str = "crest",
    **terrain: Iterable[Pair],
) -> Board:
    """A board around `Hex(0, 0)`: hexes with terrain, `woods=[(1, 0)]`, and hexsides with crests, `crests=[((0, 0), (1, 0))]`."""
    return Board(
        tuple(hexes),
        terrain={Hex(*hex): kind for kind, there in terrain.items() for hex in there},
        hexsides={Hexside(Hex(*a), Hex(*b)): {crest} for a, b in crests},
    )


def piece(name: str, at: Pair, side: Side = Side.ALLIED, *, reach: int | None = 4, **printed: Any) -> Piece:
    """A counter: its Fire Range (None: none is printed), and what else differs from an infantry company."""
    face = {
        "fire": 4,
        "weapon": WeaponClass.SMALL_ARMS,
        "assault": 4,
        "assault_weapon": WeaponClass.SMALL_ARMS,
        "movement": 6,
        "movement_class": MovementClass.LEG,
        "defense": 0,
        "armored": False,
        "quality": 6,
        "unit_class": UnitClass.INFANTRY,
    } | printed
    front = Face(fire_range=NO if reach is None else reach, **face)  # type: ignore[arg-type]
    return Piece(name, side, f"{side} Division", f"{side} Regiment", Stripe.FORMATION, 2, front, Hex(*at))


def field(
    ground: Board,
    *pieces: Piece,
    posts: Iterable[Pair] = (),
    strongpoints: Iterable[Pair] = (),
    choices: Mapping[str, str] | None = None,
) -> Battlefield:
    """A battlefield, with a Division of one Formation for each side."""
    contents: dict[str, Any] = {
        "title": "a test",
        "charts": CHARTS,
        "divisions": tuple(
            Division(f"{side} Division", side, 4, 4, entry=ENTRY[side] if ENTRY[side] in ground else None)
            for side in Side
        ),
        "formations": tuple(Formation(f"{side} Regiment", f"{side} Division") for side in Side),
        "leaders": (),
        "roster": pieces,
        "track": (Turn("noon"), Turn("night", night=True)),
        "first_turn": FirstTurn(()),
        "observation_posts": frozenset(Hex(*hex) for hex in posts),
        "strongpoints": frozenset(Hex(*hex) for hex in strongpoints),
        "choices": {"gts:G17": "excused", "gts:G31": "printed"} | dict(choices or {}),
    }
    key = hashlib.sha256((ground.content_digest() + repr(sorted(contents.items(), key=str))).encode()).hexdigest()
    return Battlefield(key, board=ground, **contents)


def state(battlefield: Battlefield, units: Mapping[str, Unit] | None = None, **fields: Any) -> State:
    """A state in which all units stand where they are set up, but for those that are given."""
    placed = {each.name: Unit(each.arrives) for each in battlefield.roster if isinstance(each.arrives, Hex)} | dict(
        units or {}
    )
    return State(
        battlefield, tuple(placed.values()), leaders=(), points=tuple(Points() for _ in battlefield.divisions), **fields
    )
