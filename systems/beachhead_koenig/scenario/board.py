"""The map: hexes and hexsides as drawn, the roads off it, and where they lie under the choice of koenig:K-24."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from attrs import evolve, frozen

from beachhead.board import Board
from beachhead.hexes import GeometryError, Hex, Hexside
from beachhead.rules import Provenance
from beachhead.scenario_maps import DrawnMap, read_drawing, read_legend
from beachhead.scenario_values import SOURCES, Sources, Value
from beachhead.sentences import listed
from beachhead.spelling import nearest
from beachhead_koenig.beach import Exit
from beachhead_koenig.scenario.given import EXITS
from beachhead_koenig.tables import DRAWN, TERRAIN

HEXSIDES, LINKS = ("river", "cliff"), ("road",)
FIGURES = ("drawing", "exits")


@frozen
class Map:
    """The board to play on, the roads off it, and whence they come.

    Attributes:
        boxes: the numbers of hexes that are drawn but lie off the map (koenig:K-24).
        source: of the drawing and of the exits.
        closed: the file says that no road leads off the map.
    """

    drawn: DrawnMap
    exits: tuple[Exit, ...]
    boxes: frozenset[str]
    source: Mapping[str, Provenance]
    closed: bool = False

    @property
    def board(self) -> Board:
        """The board to play on."""
        return self.drawn.board

    def hex(self, value: Value) -> Hex | None:
        """A hex by its number or its name; None after a fault."""
        if isinstance(value.value, str) and value.value.strip() in self.boxes:
            value.fault("lies off the map under koenig:K-24 = boxes", "a hex of the map")
            return None
        return self.drawn.hex(value)

    def numbers(self, name: str) -> bool:
        """Whether this is the printed number of a hex."""
        return name in self.boxes or self.drawn.numbers(name)


def read_map(value: Value, exits_are: str, text: str = "") -> Map | None:
    """The map as far as it can be read; None where there is nothing to play on.

    Args:
        value: the table `map`.
        exits_are: the choice of koenig:K-24.
        text: of the whole file, in which faults of the drawing are told by the line.
    """
    fields = value.table(
        {"drawing": "the map, a line for each row", "exits": "the hexes with a road off the map; [] for none"},
        "legend",
        "labels",
        *SOURCES,
    )
    ground = tuple(name for name in TERRAIN if name != "clear")
    legend = read_legend(fields["legend"], ground, DRAWN, ("sea",)) if "legend" in fields else {}
    if "drawing" not in fields:
        return None
    drawing = fields["drawing"]
    drawn = read_drawing(
        drawing,
        {**legend, **DRAWN},
        fields.get("labels"),
        text,
        instead="units stand in [[formation]], terrain in the grid",
        order="row-column",
        corner="south-west",
    )
    if drawn is None:
        return None
    board = drawn.board
    check_lines(drawing, board, drawn.doubtful)
    kinds = {*board.links, *(kind for there in board.hexsides.values() for kind in there)}
    chains = all("-" not in line for line in drawn.unread)  # any of them may be a road
    exits, figures = tuple[Exit, ...](), list[str]()
    if "exits" in fields:
        exits = _exits(fields["exits"], board, exits_are == "boxes", all_roads=chains and kinds <= {*HEXSIDES, *LINKS})
        figures = [number.value for number in fields["exits"].items()]
    source = Sources.read(fields, FIGURES).of(
        FIGURES,
        ("exits",) if tuple(figures) == EXITS else (),
        doubtful=("exits",) if len(exits) < len(figures) else (),
        text={"exits": (fields.get("exits", value), f"{listed(EXITS)} (koenig:juno.5.1.c)")},
    )
    closed = "exits" in fields and fields["exits"].value == []
    if exits_are != "boxes":
        return Map(drawn, exits, frozenset(), source, closed)
    numbers = frozenset(way_off.name for way_off in exits)
    left = evolve(drawn, board=without_hexes(board, map(board.hex, numbers)))
    return Map(left, exits, numbers, source, closed)


def check_lines(drawing: Value, board: Board, doubtful: Collection[Hex] = ()) -> None:
    """The lines after the grid draw rivers and cliffs along hexsides, and roads from hex to hex; none leads into the sea.

    Args:
        drawing: where faults are told.
        board: as it was drawn.
        doubtful: hexes of which nobody can tell whether they are sea.
    """
    found = {kind for kinds in board.hexsides.values() for kind in kinds}
    for kind in sorted(found - {*HEXSIDES}):
        fix = "a road leads from hex to hex: 'road: A-B-C'" if kind in LINKS else f"one of {', '.join(HEXSIDES)}"
        drawing.fault(f"no hexside has {kind!r}", fix + nearest(kind, HEXSIDES))
    for kind in sorted({*board.links} - {*LINKS}):
        fix = f"it lies along hexsides: '{kind}: A/B'" if kind in HEXSIDES else "only roads lead from hex to hex"
        drawing.fault(f"{kind!r} is no road", fix + nearest(kind, LINKS))
    for side in sorted(board.links.get("road", ())):
        way = "-".join(sorted(map(board.label, side)))
        if any(board.has(hex, "sea") and hex not in doubtful for hex in side):
            drawing.fault(f"road {way}: it leads into the sea")
        if "cliff" in board.features(*side):
            drawing.fault(
                f"road {way}: it crosses a cliff", "take the cliff off that hexside if the map means a way through"
            )


def _exits(value: Value, board: Board, boxes: bool, *, all_roads: bool) -> tuple[Exit, ...]:
    """Those that are right. Only where the board has all roads that are drawn is a missing one told."""
    exits: list[Exit] = []
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
        elif not roads and not all_roads:
            exits.append(Exit(number, hex))
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
