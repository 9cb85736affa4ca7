"""The map: hexes and hexsides as drawn, the roads off it, and where they lie under the choice of koenig:K-24."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args, get_type_hints

from attrs import fields as fields_of
from attrs import frozen

from beachhead.board import Board, DrawingError, draw
from beachhead.hexes import GeometryError, Hex, Hexside, NumberLabels
from beachhead.rules import Provenance, nearest
from beachhead_koenig.beach import Exit
from beachhead_koenig.scenario.given import EXITS
from beachhead_koenig.scenario.values import SOURCES, Sources, Value
from beachhead_koenig.tables import DRAWN, TERRAIN

HEXSIDES, LINKS = ("river", "cliff"), ("road",)
FIGURES = ("drawing", "exits")


@frozen
class Map:
    """The board to play on, the roads off it, and whence they come.

    Attributes:
        boxes: the numbers of hexes that are drawn but lie off the map (koenig:K-24).
        source: of the drawing and of the exits.
    """

    board: Board
    exits: tuple[Exit, ...]
    boxes: frozenset[str]
    source: Mapping[str, Provenance]

    def hex(self, value: Value) -> Hex | None:
        """A hex by its number or its name; None after a fault."""
        name = value.text()
        if not name:
            return None
        if name in self.boxes:
            value.fault("lies off the map under koenig:K-24 = boxes", "a hex of the map")
            return None
        if name in self.board.named:
            return self.board.named[name]
        try:
            return self.board.hex(name)
        except GeometryError as error:
            value.fault("no hex of this map", nearest(name, self.board.named) or str(error))
            return None

    def numbers(self, name: str) -> bool:
        """Whether this is the printed number of a hex."""
        try:
            return name in self.boxes or self.board.hex(name) in self.board
        except GeometryError:
            return False


def read_map(value: Value, exits_are: str) -> Map | None:
    """The map; None where there is nothing to play on.

    Args:
        value: the table `map`.
        exits_are: the choice of koenig:K-24.
    """
    fields = value.table(
        {"drawing": "the map, a line for each row", "exits": "the hexes with a road off the map; [] for none"},
        "legend",
        "labels",
        *SOURCES,
    )
    legend = _legend(fields["legend"]) if "legend" in fields else {}
    labels = _labels(fields["labels"]) if "labels" in fields else {}
    text = fields["drawing"].text() if "drawing" in fields else ""
    if not text:
        return None
    try:
        drawing = draw(fields["drawing"].value, {**DRAWN, **legend}, lambda rows: _numbers(rows, labels))
    except DrawingError as error:
        fields["drawing"].fault(str(error))
        return None
    except GeometryError as error:
        (fields["labels"] if "labels" in fields else fields["drawing"]).fault(str(error))
        return None
    board = drawing.board
    for hex, placed in drawing.placements:
        fields["drawing"].fault(
            f"'{board.label(hex)}: {placed}' places something", "units stand in [[formation]], terrain in the grid"
        )
    check_lines(fields["drawing"], board)
    exits = _exits(fields["exits"], board, exits_are == "boxes") if "exits" in fields else ()
    numbers = tuple(way_off.name for way_off in exits)
    source = Sources.read(fields, FIGURES).of(FIGURES, ("exits",) if numbers == EXITS else ())
    if exits_are != "boxes":
        return Map(board, exits, frozenset(), source)
    return Map(without_hexes(board, map(board.hex, numbers)), exits, frozenset(numbers), source)


def _legend(value: Value) -> dict[str, tuple[str, ...]]:
    if not isinstance(value.value, dict):
        value.fault('expected a table, such as { x = ["beach", "town"] }')
        return {}
    ground = tuple(name for name in TERRAIN if name != "clear")
    legend = {}
    for symbol, there in value.value.items():
        entry = value.child(symbol, there)
        names = tuple(item.word(ground) for item in (entry.items() if isinstance(there, list) else (entry,)))
        if symbol in (*DRAWN, ".", "_"):
            entry.fault(
                f"{symbol!r} is {DRAWN.get(symbol, 'clear' if symbol == '.' else 'no hex')} already", "another symbol"
            )
        elif len(names) > 1 and "sea" in names:
            entry.fault("sea with other terrain", "the sea alone, or the other terrain alone")
        elif names and all(names):
            legend[symbol] = names
    return legend


def _labels(value: Value) -> dict[str, Any]:
    """The fields of `NumberLabels`."""
    kinds = get_type_hints(NumberLabels)
    given = {}
    for name, entry in value.table({}, *(each.name for each in fields_of(NumberLabels))).items():
        words = [word for word in get_args(kinds[name]) if isinstance(word, str)]
        given[name] = entry.word(words) or None if words else entry.number(0, 99)
    return {name: found for name, found in given.items() if found is not None}


def _numbers(rows: int, given: Mapping[str, Any]) -> NumberLabels:
    return NumberLabels(**{"order": "row-column", "corner": "south-west", "rows": rows, **given})


def check_lines(drawing: Value, board: Board) -> None:
    """The lines after the grid draw rivers and cliffs along hexsides, and roads from hex to hex."""
    found = {kind for kinds in board.hexsides.values() for kind in kinds}
    for kind in sorted(found - {*HEXSIDES}):
        fix = "a road leads from hex to hex: 'road: A-B-C'" if kind in LINKS else f"one of {', '.join(HEXSIDES)}"
        drawing.fault(f"no hexside has {kind!r}", fix + nearest(kind, HEXSIDES))
    for kind in sorted({*board.links} - {*LINKS}):
        fix = f"it lies along hexsides: '{kind}: A/B'" if kind in HEXSIDES else "only roads lead from hex to hex"
        drawing.fault(f"{kind!r} is no road", fix + nearest(kind, LINKS))
    for side in sorted(board.links.get("road", ())):
        way = "-".join(sorted(map(board.label, side)))
        if any(board.has(hex, "sea") for hex in side):
            drawing.fault(f"road {way}: it leads into the sea")
        if "cliff" in board.features(*side):
            drawing.fault(
                f"road {way}: it crosses a cliff", "take the cliff off that hexside if the map means a way through"
            )


def _exits(value: Value, board: Board, boxes: bool) -> tuple[Exit, ...]:
    exits = list[Exit]()
    numbers = [item.value for item in value.items()]
    for i, item in enumerate(value.items()):
        number = item.text()
        try:
            hex = board.hex(number)
        except GeometryError as error:
            if number:
                item.fault("no hex of this map", str(error))
            continue
        roads = board.links_at("road", hex)
        joined = next(iter(roads), hex)
        if number in numbers[:i]:
            item.fault("is there already", "each road off the map once")
        elif not board.edge(hex):
            item.fault("no hex at the edge of the map", "the hex from which the road leads off the map")
        elif not roads:
            way = f"{board.label(board.neighbours(hex)[0])}-{number}"
            item.fault("no road comes here", f"a line such as 'road: {way}' in the drawing")
        elif boxes and len(roads) > 1:
            item.fault(f"{len(roads)} roads come here", "one road to the map, or koenig:K-24 = edge")
        elif boxes and board.label(joined) in numbers:
            item.fault(
                f"its road leads to {board.label(joined)}, which is an exit",
                "a hex of the map, or koenig:K-24 = edge",
            )
        else:
            exits.append(Exit(number, joined if boxes else hex))
    return tuple(exits)


def without_hexes(board: Board, gone: Iterable[Hex]) -> Board:
    """The board without some hexes and whatever leads there."""
    left = {*board.hexes} - {*gone}

    def stays(side: Hexside) -> bool:
        return side.a in left and side.b in left

    return Board(
        tuple(left),
        terrain={hex: there for hex, there in board.terrain.items() if hex in left},
        hexsides={side: kinds for side, kinds in board.hexsides.items() if stays(side)},
        links={kind: [side for side in sides if stays(side)] for kind, sides in board.links.items()},
        labels=board.labels,
        named={name: hex for name, hex in board.named.items() if hex in left},
    )
