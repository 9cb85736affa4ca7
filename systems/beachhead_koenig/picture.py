"""The map with its units as a picture, in shapes of our own.

A counter shows the unit's name, its type in the box, which has the colour of its formation, and "strength-movement" below; a red dot is a
Hit. German counters are gray (2.2).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from attrs import evolve

from beachhead import glyphs
from beachhead.board import Board
from beachhead.glyphs import INK, Glyph, Shape, box, disc
from beachhead.hexes import Direction, Hex
from beachhead.svg import Counter, Highlight, Mark, Sign, Stroke, Style, Svg, board_svg
from beachhead_koenig.beach import Away, Exit, Place, SetUp
from beachhead_koenig.state import Progress, State
from beachhead_koenig.tables import Phase, Side, UnitType

# ------------------------------------------------------------ the land
TERRAIN: Mapping[str, Style] = {
    "clear": Style("#e6e9cb"),
    "sea": Style("#9cc3d8", glyphs.WAVES, stroke="#83abc0"),
    "beach": Style("#f0dfae", glyphs.STIPPLE),
    "bocage": Style("#cfdcae", glyphs.BOCAGE),
    "town": Style("#ecdcc6", glyphs.TOWN),
    "city": Style("#dcc3ae", glyphs.CITY),
    "swamp": Style("#cfe0d4", glyphs.MARSH),
}
"""The look of each terrain."""
HEXSIDES: Mapping[str, Collection[Stroke]] = {
    "river": (Stroke("#4d87a8", 26), Stroke("#7fb6d3", 18)),
    "cliff": (Stroke("#6b5238", 30, "5 10"), Stroke("#6b5238", 9)),
}
_ROAD = {"road": (Stroke("#8b7a5c", 20), Stroke("#f4ead0", 13))}
_RED, _GOLD, _DARK = "#c0392b", "#e0a800", "#2b2a27"

INTERDICTION: Glyph = (
    Shape(disc(-44, 58, 22), fill=_RED, stroke=_DARK, width=4),
    Shape("M-44 40V76M-62 58H-26M-56.7 45.3L-31.3 70.7M-31.3 45.3L-56.7 70.7", stroke="#ffffff", width=5),
)

# ------------------------------------------------------------ the units
_BAR = Shape(box(-34, -21, 13, 42), fill=INK)
_CANOPY = Shape("M-13 17A13 11 0 0 1 13 17Z", fill=INK)
_WINGS = Shape("M-19 18L0 6L19 18", stroke=INK, width=4)
_DAGGER = Shape("M0 -17V16M-9 -7H9", stroke=INK, width=6)
TYPES: Mapping[UnitType, Glyph] = {
    UnitType.INFANTRY: glyphs.INFANTRY,
    UnitType.PARATROOP: (*glyphs.INFANTRY, _CANOPY),
    UnitType.ENGINEER: glyphs.ENGINEERS,
    UnitType.ANTI_TANK: glyphs.ANTITANK,
    UnitType.HEAVY_WEAPONS: (*glyphs.INFANTRY, _BAR),
    UnitType.COMMANDO: (*glyphs.INFANTRY, _DAGGER),
    UnitType.GLIDER_INFANTRY: (*glyphs.INFANTRY, _WINGS),
    UnitType.GLIDER_HEAVY_WEAPONS: (*glyphs.INFANTRY, _WINGS, _BAR),
    UnitType.ARMOR: glyphs.ARMOUR,
    UnitType.MECHANIZED_INFANTRY: glyphs.MECHANISED,
}
"""The symbol of each type of unit."""
GROUND: Mapping[Side, str] = {Side.ALLIED: "#d9cfa6", Side.GERMAN: "#a3a7ac"}
"""The colour of a counter."""


def set_out(state: State) -> State:
    """The state; before the set-up the one that it leads to, so that there is something to look at (3.0)."""
    if state.phase is not Phase.SET_UP:
        return state

    def place(arrives: object) -> Place:
        return arrives.hex if isinstance(arrives, SetUp) else Away.WAITING

    pairs = zip(state.units, state.setting.roster, strict=True)
    return evolve(state, units=tuple([evolve(unit, place=place(piece.arrives)) for unit, piece in pairs]))


def picture(state: State) -> Svg:
    """The map with everything on it; units that may still operate in this activation have a golden border."""
    state = set_out(state)
    beach = state.setting
    return board_svg(
        beach.board,
        styles=TERRAIN,
        links=_ROAD,
        hexsides=HEXSIDES,
        fill=str(TERRAIN["clear"].fill),
        counters=[
            unit_counter(state, piece.name) for piece in beach.roster if isinstance(state.place(piece.name), Hex)
        ],
        marks=[*_exits(state), *_interdicted(state)],
        size=46,
        abreast=True,
        title=f"{beach.title}, {_when(state)}",
    )


def _when(state: State) -> str:
    if state.phase in (Phase.SET_UP, Phase.OVER):
        return str(state.phase)
    return f"Game Turn {state.turn} ({state.turn_name}), {state.phase}"


def unit_counter(state: State, name: str) -> Counter:
    """The counter of a unit that is on the map."""
    piece, unit = state.setting.piece(name), state.unit(name)
    assert isinstance(unit.place, Hex)
    hits = f", {unit.hits} Hit{'' if unit.hits == 1 else 's'}" if unit.hits else ""
    title = f" ({piece.title})" if piece.title else ""
    ready = name in state.operating and unit.progress is not Progress.DONE
    return Counter(
        unit.place,
        name=name,
        text=f"{piece.strength}-{piece.movement}",
        colour=GROUND[piece.side],
        symbol=TYPES[piece.type],
        box=state.setting.formation(piece.formation).colour,
        hits=unit.hits,
        lost=_RED,
        border=_GOLD if ready else _DARK,
        title=f"{piece.side} {name}{title}, {piece.type} of formation {piece.formation}{hits}",
    )


def _exits(state: State) -> Iterator[Mark]:
    """An arrow at each road off the map."""
    beach = state.setting
    for road, used in zip(beach.exits, state.exits, strict=True):
        title = f"road off the map at {road.name}; {used} unit{'' if used == 1 else 's'} exited by it"
        yield Sign(road.hex, _arrow(_way_off(beach.board, road)), title)


def _way_off(board: Board, road: Exit) -> Direction:
    """Where a road leaves the map: as straight on as it can."""
    off = board.edge(road.hex)
    inwards = [road.hex.direction(hex) for hex in board.links_at("road", road.hex)]
    straight = [way.opposite.turned(turn) for way in inwards[:1] for turn in (0, 1, -1)]
    return next(way for way in (*straight, *off) if way in off)


def _arrow(way: Direction) -> Glyph:
    """An arrow over the middle of a hexside, outwards."""
    (x, y), origin = Hex(0, 0).neighbour(way).centre, Hex(0, 0).centre
    dx, dy = (x - origin[0]) * 50 * 3**0.5, (y - origin[1]) * 50
    length = (dx * dx + dy * dy) ** 0.5
    ux, uy = dx / length, dy / length

    def at(along: float, aside: float) -> str:
        return f"{along * ux - aside * uy:.1f} {along * uy + aside * ux:.1f}"

    tail = (at(60, -11), at(88, -11), at(88, -25), at(120, 0), at(88, 25), at(88, 11), at(60, 11))
    return (Shape(f"M{'L'.join(tail)}Z", fill="#f0c64a", stroke="#6b5310", width=5),)


def _interdicted(state: State) -> Iterator[Mark]:
    for hex in state.interdicted:
        yield Highlight(hex, _RED)
        yield Sign(hex, INTERDICTION, f"{state.setting.board.label(hex)} is interdicted")
