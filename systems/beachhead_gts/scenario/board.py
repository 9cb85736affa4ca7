"""The map: hexes, hexsides and roads as drawn, and the symbols that stand in hexes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import chain

from attrs import field, frozen

from beachhead.board import Board
from beachhead.hexes import Hex, Hexside
from beachhead.scenario_maps import DrawnMap, read_drawing, read_legend
from beachhead.scenario_values import Value
from beachhead.sentences import listed
from beachhead.spelling import nearest
from beachhead_gts.charts import Charts, HexsideTerrain, Terrain
from beachhead_gts.scenario.origins import KEYS, Origin, Origins
from beachhead_gts.tables import MovementClass

MOVING = tuple(each for each in MovementClass if each is not MovementClass.IMMOBILE)
SYMBOLS = ("observation_posts", "strongpoints", "entrenchments")
FIGURES = ("drawing", "unjoined", *SYMBOLS)
CLEAR = "clear"


@frozen
class Ground:
    """The map to play on.

    Attributes:
        symbols: for each of `SYMBOLS`, the hexes with it.
        unjoined: hexes in which roads run past each other: for each, the neighbours that belong together (14.6).
        origins: of what the file says of the map.
    """

    drawn: DrawnMap
    symbols: Mapping[str, frozenset[Hex]] = field(factory=dict)
    unjoined: Mapping[Hex, tuple[frozenset[Hex], ...]] = field(factory=dict)
    origins: Mapping[str, Origin] = field(factory=dict)

    @property
    def board(self) -> Board:
        """The board to play on."""
        return self.drawn.board

    @property
    def used(self) -> frozenset[str]:
        """The names of all terrain, hexsides and roads on it."""
        board = self.board
        clear = [CLEAR] if len(board.terrain) < len(board) else []
        return frozenset(chain(clear, *board.terrain.values(), *board.hexsides.values(), board.links))

    def hex(self, value: Value) -> Hex | None:
        """A hex by its number or its name; None after a fault."""
        return self.drawn.hex(value)


def read_map(value: Value, charts: Charts | None, around: Origins, text: str = "") -> Ground | None:
    """The map as far as it can be read; None where there is nothing to play on.

    Args:
        value: the table `map`.
        charts: what names its terrain; without them no drawing can be read.
        around: what the file says of all figures.
        text: of the whole file, in which faults of the drawing are told by the line.
    """
    fields = value.table({"drawing": "the map, a line for each row"}, "legend", "labels", *FIGURES, *KEYS)
    if "drawing" not in fields or charts is None:
        return None
    drawing = fields["drawing"]
    legend: dict[str, tuple[str, ...]] = {row.symbol: (name,) for name, row in charts.terrain.items() if row.symbol}
    if "legend" in fields:
        legend |= read_legend(fields["legend"], [name for name in charts.terrain if name != CLEAR], {})
    instead = "units stand in [[formation]], terrain in the grid, other symbols in lists such as strongpoints"
    drawn = read_drawing(drawing, legend, fields.get("labels"), text, instead=instead)
    if drawn is None:
        return None
    check_lines(drawing, drawn, charts)
    figures = [figure for figure in FIGURES if figure in fields]
    return Ground(
        drawn,
        {name: read_hexes(fields[name], drawn) if name in fields else frozenset() for name in SYMBOLS},
        read_unjoined(fields["unjoined"], drawn) if "unjoined" in fields else {},
        Origins.read(fields, FIGURES, around).of(figures),
    )


def read_hexes(value: Value, drawn: DrawnMap) -> frozenset[Hex]:
    """The hexes of a list, each there once."""
    found: set[Hex] = set()
    for item in value.items():
        hex = drawn.hex(item)
        if hex in found:
            item.fault("is there already", "each hex once")
        elif hex is not None:
            found.add(hex)
    return frozenset(found)


# ------------------------------------------------------------ hexsides and roads
def check_lines(drawing: Value, drawn: DrawnMap, charts: Charts) -> None:
    """The lines after the grid: hexsides and roads are on the chart, and a road leads where it can be used."""
    board = drawn.board
    for kind in sorted({kind for kinds in board.hexsides.values() for kind in kinds} - {*charts.hexsides}):
        fix = f"it leads from hex to hex: '{kind}: A-B-C'" if kind in charts.roads else _one_of(charts.hexsides)
        drawing.fault(f"no hexside has {kind!r}", fix + nearest(kind, charts.hexsides))
    for kind in sorted({*board.links} - {*charts.roads}):
        fix = f"it lies along hexsides: '{kind}: A/B'" if kind in charts.hexsides else _one_of(charts.roads)
        drawing.fault(f"{kind!r} is no road", fix + nearest(kind, charts.roads))
    for kind, sides in sorted(board.links.items()):
        for side in sorted(sides):
            _check_road(drawing, drawn, charts, kind, side)


def _one_of(names: Collection[str]) -> str:
    return f"one of {', '.join(names)}"


def _check_road(drawing: Value, drawn: DrawnMap, charts: Charts, kind: str, side: Hexside) -> None:
    board = drawn.board
    way = f"{kind} {board.label(side.a)}-{board.label(side.b)}"
    for hex in side:
        for name in board.terrain.get(hex, ()):
            if hex not in drawn.doubtful and name in charts.terrain and barred(charts.terrain[name]) == MOVING:
                drawing.fault(f"{way}: it leads into {name}, which nobody enters")
    features = [charts.hexsides[name] for name in sorted(board.features(*side)) if name in charts.hexsides]
    crossings = [name for name, row in charts.hexsides.items() if row.column_only]
    if any(row.column_only for row in features) or any("/" in line for line in drawn.unread):  # one may be a bridge
        return
    for row in features:
        if barred(row) and not row.crest:
            who = "nobody crosses" if barred(row) == MOVING else f"{listed(barred(row))} units do not cross"
            bridge = crossings[0] if crossings else "bridge"
            drawing.fault(
                f"{way}: it crosses a {row.name}, which {who}",
                f"'{bridge}: {board.label(side.a)}/{board.label(side.b)}' where the map has a {bridge}",
            )


def barred(row: Terrain | HexsideTerrain) -> tuple[MovementClass, ...]:
    """The Movement Classes that may not enter or cross there, in Column or not."""
    return tuple(each for each in MOVING if row.normal.get(each, 0) is None and row.column.get(each, 0) is None)


def read_unjoined(value: Value, drawn: DrawnMap) -> dict[Hex, tuple[frozenset[Hex], ...]]:
    """The ways through hexes in which roads run past each other, each the two neighbours that it leads to (14.6)."""
    label, ways = drawn.board.label, dict[Hex, list[frozenset[Hex]]]()
    items = value.items()
    read = [_way(item, drawn) for item in items]
    for item, (through, ends) in zip(items, read, strict=True):
        if through is None:
            continue
        if taken := {hex for way in ways.get(through, ()) for hex in way} & ends:
            item.fault(f"{label(min(taken))} belongs to another way through that hex")
        ways.setdefault(through, []).append(ends)
    if all(through is not None for through, _ in read):
        for hex, found in ways.items():
            if len(found) < 2:
                fix = "each of the roads that run past each other there"
                value.fault(f"{label(hex)}: only one road is named", fix)
    return {hex: tuple(found) for hex, found in ways.items()}


def _way(item: Value, drawn: DrawnMap) -> tuple[Hex | None, frozenset[Hex]]:
    """A way through a hex, such as "0304-0405-0505" for one through 0405: that hex, None after a fault, and the two others."""
    board, nothing = drawn.board, (None, frozenset[Hex]())
    names = item.text().split("-")
    if len(names) != 3 or not all(names):
        if names != [""]:
            item.fault("no way through a hex", 'such as "0304-0405-0505": the road through 0405 to two neighbours')
        return nothing
    a, through, b = [drawn.hex(Value(item.key, name, item.faults)) for name in names]
    if a is None or through is None or b is None:
        return nothing
    for end in (a, b):
        if a == b or not any(end in board.links_at(kind, through) for kind in board.links):
            if not any("-" in line for line in drawn.unread):  # one of them may be that road
                label = board.label
                item.fault(f"no road joins {label(through)} and {label(end)}", "a line such as 'road: A-B-C'")
            return nothing
    return through, frozenset((a, b))
