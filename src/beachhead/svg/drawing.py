"""How a board is drawn: from the ground up, hexes, lines, hexsides, what stands on them, and what is pointed out."""

# ruff: noqa: A001, A002 - `hex` is the word for it, and nobody here needs the builtin
from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import atan2, ceil, cos, degrees, hypot, pi, sin, sqrt
from typing import Self
from xml.sax.saxutils import escape, quoteattr

from beachhead.board import Board
from beachhead.glyphs import INK, Glyph
from beachhead.hexes import Direction, Hex
from beachhead.svg.things import (
    DARK,
    GRID,
    RAIL,
    RIVER,
    ROAD,
    WALL,
    Arrow,
    Counter,
    Highlight,
    Mark,
    Medal,
    Name,
    Note,
    Sight,
    Sign,
    Stroke,
    Style,
)

Point = tuple[float, float]

_PAPER, _OPEN, _LIGHT = "#faf7ee", "#e9ecd2", "#ffffff"
_UNIT: Point = (50 * sqrt(3), 50.0)
_MARGIN = 40
_FONT = 'font-family="\'DejaVu Sans\',Verdana,Arial,sans-serif" text-anchor="middle"'


class Svg(str):
    """An SVG document as text; it shows itself in a notebook, and is written to a file like any other text."""

    __slots__ = ("_what",)
    _what: str

    def __new__(cls, text: str, what: str = "a picture") -> Self:
        """The document, and a word on what it shows for `repr`."""
        svg = super().__new__(cls, text)
        svg._what = what
        return svg

    def __repr__(self) -> str:
        return f"<Svg of {self._what}>"

    def _repr_svg_(self) -> str:
        return self

    def _repr_html_(self) -> str:
        return f'<div style="max-width:100%;overflow-x:auto">{self}</div>'


# ------------------------------------------------------------ writing SVG
def _n(number: float) -> str:
    return f"{round(number, 1) + 0:.8g}"


def _xy(*points: Point) -> str:
    return " ".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _at(point: tuple[int, int]) -> Point:
    return point[0] * _UNIT[0], point[1] * _UNIT[1]


def _between(a: Point, b: Point, share: float = 0.5) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _ink(colour: str) -> str:
    """Dark or light, whichever can be read on this colour; dark on one that is not written `#rrggbb`."""
    if len(colour) != 7 or not colour.startswith("#"):
        return DARK
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return DARK if 299 * red + 587 * green + 114 * blue > 125_000 else _LIGHT


def _path(d: str, *, fill: str = "none", stroke: str = "none", width: float = 0, dash: str = "") -> str:
    line = f' stroke={quoteattr(stroke)} stroke-width="{width:g}"' if stroke != "none" else ""
    dashes = f" stroke-dasharray={quoteattr(dash)}" if dash else ""
    return f'<path d="{d}" fill={quoteattr(fill)}{line}{dashes}/>'


def _glyph(glyph: Glyph, at: Point, *, ink: str = DARK, turn: float = 0, kind: str = "glyph", title: str = "") -> str:
    def paint(colour: str) -> str:
        return ink if colour == INK else colour

    paths = "".join(_path(s.d, fill=paint(s.fill), stroke=paint(s.stroke), width=s.width, dash=s.dash) for s in glyph)
    turned = f" rotate({_n(turn)})" if turn else ""
    return f'<g class="{kind}" transform="translate({_xy(at)}){turned}">{_title(title)}{paths}</g>'


def _title(text: str) -> str:
    return f"<title>{escape(text)}</title>" if text else ""


def _text(
    text: str, at: Point, size: float, colour: str = DARK, *, kind: str, bold: bool = True, halo: str = ""
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    place = f'class="{kind}" x="{_n(at[0])}" y="{_n(at[1])}" font-size="{size:g}"{weight}'
    under = f'<text {place} stroke={quoteattr(halo)} stroke-width="8">{escape(text)}</text>' if halo else ""
    return f"{under}<text {place} fill={quoteattr(colour)}>{escape(text)}</text>"


# ------------------------------------------------------------ hexes and lines
def _ground(board: Board, hex: Hex, styles: Mapping[str, Style], open: str) -> tuple[str, str]:
    """The fill and the stroke of a hex."""
    named = (styles.get(name) for name in board.terrain.get(hex, ()))
    return next(((style.fill, style.stroke) for style in named if style and style.fill), (open, GRID))


def _hex(board: Board, hex: Hex, fill: str, stroke: str) -> str:
    """The hex itself, once, with the name that a screen reader or a pointer gets."""
    label = board.label(hex)
    names = "".join(f" {name}" for name, place in board.named.items() if place == hex)
    title = f"{label}{names}: {', '.join(board.terrain.get(hex, ())) or 'open'}"
    corners = " ".join(_xy(_at(corner)) for corner in hex.corners)
    paint = f'fill={quoteattr(fill)} stroke={quoteattr(stroke)} stroke-width="3"'
    return f'<g class="hex" data-label={quoteattr(label)}>{_title(title)}<polygon points="{corners}" {paint}/></g>'


Ends = Mapping[str, Mapping[Hex, tuple[Point, ...]]]
"""Where the lines of each kind leave each hex: the middles of hexsides."""


def _ends(board: Board, leads: Mapping[str, Iterable[tuple[Hex, Direction]]]) -> Ends:
    return {kind: _ends_of(board, kind, leads.get(kind)) for kind in sorted({*board.links, *leads})}


def _ends_of(board: Board, kind: str, leads: Iterable[tuple[Hex, Direction]] | None) -> dict[Hex, tuple[Point, ...]]:
    ways = {hex: [hex.direction(other) for other in board.links_at(kind, hex)] for hex in board.hexes}
    if leads is None:  # a line with one end at the edge of the board runs off it, as straight as it can
        for hex, (way, *others) in ((hex, there) for hex, there in ways.items() if there):
            onward = way.opposite
            off = board.edge(hex) if not others else ()
            ways[hex] += [exit for exit in (onward, onward.turned(1), onward.turned(-1)) if exit in off][:1]
    for hex, way in leads or ():
        if way not in ways[hex]:
            ways[hex].append(way)
    return {
        hex: tuple(_between(_at(hex.centre), _at(hex.neighbour(way).centre), 0.505) for way in there)
        for hex, there in ways.items()
    }


def _line(kind: str, ends: Mapping[Hex, tuple[Point, ...]], strokes: Collection[Stroke]) -> Iterator[str]:
    """All lines of a kind: a smooth bend through a hex with two ends, spokes from the centre of any other."""
    pieces = []
    for hex, points in ends.items():
        centre = _at(hex.centre)
        if len(points) == 2:
            pieces.append(f"M{_xy(points[0])}Q{_xy(centre, points[1])}")
        else:  # to the centre and out again: the turn there is a round join, even for a dead end
            pieces += [f"M{_xy(point)}L{_xy(centre, points[0])}" for point in points[1:] or points]
    for s in strokes if pieces else ():
        path = _path("".join(pieces), stroke=s.colour, width=s.width, dash=s.dash)
        yield f'<g class="link" stroke-linejoin="round">{_title(kind)}{path}</g>'


def _hexsides(board: Board, kind: str, strokes: Collection[Stroke]) -> Iterator[str]:
    """All hexsides with a feature of a kind, corner to corner, so that those that meet make one line."""
    ends = [side.ends for side, kinds in sorted(board.hexsides.items()) if kind in kinds]
    d = "".join(f"M{_xy(_at(start))}L{_xy(_at(end))}" for start, end in ends)
    for s in strokes if d else ():
        path = _path(d, stroke=s.colour, width=s.width, dash=s.dash)
        cap = "butt" if s.dash else "round"
        yield f'<g class="hexside" stroke-linecap="{cap}">{_title(kind)}{path}</g>'


def _turn(style: Style, hex: Hex, ends: Ends) -> float:
    """The angle, in degrees, of a glyph that lies along or across a line."""
    for kind, square in ((style.across, 90), (style.along, 0)):
        points = ends.get(kind or "", {}).get(hex, ())
        if points:
            start, end = (points[0], points[1]) if len(points) == 2 else (_at(hex.centre), points[0])
            return degrees(atan2(end[1] - start[1], end[0] - start[0])) + square
    return 0


def _things(board: Board, hex: Hex, styles: Mapping[str, Style], ends: Ends) -> Iterator[str]:
    """The glyphs of a hex; a terrain that no style is given for is written out, not left out."""
    x, y = _at(hex.centre)
    unknown = []
    for name in board.terrain.get(hex, ()):
        style = styles.get(name)
        if style is None:
            unknown.append(name)
        elif style.glyph:
            yield _glyph(style.glyph, (x, y), turn=_turn(style, hex, ends))
    if unknown:
        yield _text(", ".join(unknown), (x, y + 8), 20, kind="unknown", halo=_PAPER)


# ------------------------------------------------------------ counters and marks
def _counter(counter: Counter, at: Point, scale: float = 1) -> str:
    """One counter: its name, its symbol, its text and a row of pips, from top to bottom."""
    (x, y), moved = at, ""
    if scale != 1:
        (x, y), moved = (0, 0), f' transform="translate({_xy(at)}) scale({scale:g})"'
    ink, pips, beside = _ink(counter.colour), counter.pips + counter.hits, bool(counter.symbol and counter.text)
    paint = f'fill={quoteattr(counter.colour)} stroke={quoteattr(counter.border)} stroke-width="6"'
    parts = [f'<rect x="{_n(x - 50)}" y="{_n(y - 45)}" width="100" height="90" rx="12" {paint}/>']
    if counter.name:
        parts.append(_text(counter.name, (x, y - 27), min(19, 142 / len(counter.name)), ink, kind="designation"))
    if counter.symbol:
        middle, box = (x, y - (1 if counter.name else 15)), counter.box
        if box != "none":
            parts.append(_path(_BOX.format(_xy(middle)), fill=box))
        parts.append(_glyph(counter.symbol, middle, ink=ink if box == "none" else _ink(box), kind="symbol"))
    step, row, low = min(20.0, (50 if beside else 88) / max(pips, 1)), x + 18 * beside, y + 26
    if beside and counter.name:  # there is less room: the pips stand at the right, and the text has what is left
        step, low = min(16.0, 50 / max(pips, 1)), y + 32
        row = x + 46 - step * pips / 2
    if counter.text:
        at, size = ((x - 27 if pips else x, y + 36), 28.0) if beside else ((x, y + (2 if pips else 16)), 40.0)
        if beside and counter.name:
            at, size = (x - step * pips / 2, y + 40), min(24, (90 - step * pips) / (0.68 * len(counter.text)))
        parts.append(_text(counter.text, at, min(size, 140 / len(counter.text)), ink, kind="strength"))
    parts += [
        f'<circle class="pip" cx="{_n(row + step * (i - (pips - 1) / 2))}" cy="{_n(low)}" r="{_n(min(7.5, step * 0.4))}"'
        f' fill={quoteattr(ink if i < counter.pips else counter.lost)} stroke="{ink}" stroke-width="2.5"/>'
        for i in range(pips)
    ]
    if counter.badge:
        disc = f'<circle cx="{_n(x + 46)}" cy="{_n(y - 42)}" r="21" fill="{_LIGHT}" stroke="{DARK}" stroke-width="4"/>'
        parts += (disc, _text(counter.badge, (x + 46, y - 34), 22, kind="badge"))
    return f'<g class="counter"{moved}>{_title(counter.title)}{"".join(parts)}</g>'


_BOX = "M{}m-34 -21h68v42h-68z"


def _counters(counters: Iterable[Counter], *, abreast: bool) -> Iterator[str]:
    """The counters of each hex: a pile, each a little up from the one below, or in rows beside each other."""
    stacks: defaultdict[Hex, list[Counter]] = defaultdict(list)
    for counter in counters:
        stacks[counter.hex].append(counter)
    for hex, stack in stacks.items():
        x, y = _at(hex.centre)
        if abreast and len(stack) > 1:
            yield from _rows(stack, (x, y - 5))
        else:
            for i, counter in enumerate(stack):
                yield _counter(counter, (x + 9 * i, y - 5 - 9 * i))


def _rows(stack: list[Counter], middle: Point) -> Iterator[str]:
    """Counters in rows, as large as they all find room in a hex."""
    columns = ceil(sqrt(len(stack)))
    rows = [stack[i : i + columns] for i in range(0, len(stack), columns)]
    scale = min(1.6 / columns, 1.25 / len(rows))
    for j, row in enumerate(rows):
        for i, counter in enumerate(row):
            right, down = i - (len(row) - 1) / 2, j - (len(rows) - 1) / 2
            yield _counter(counter, (middle[0] + 105 * scale * right, middle[1] + 95 * scale * down), scale)


def _star(x: float, y: float, r: float) -> str:
    points = ((r if i % 2 == 0 else r * 0.42, pi * i / 5 - pi / 2) for i in range(10))
    return "M" + "L".join(_xy((x + far * cos(angle), y + far * sin(angle))) for far, angle in points) + "z"


def _under(mark: Mark) -> Iterator[str]:
    """The marks that lie under the counters."""
    x, y = _at(mark.hex.centre) if isinstance(mark, Highlight | Sign | Name) else (0.0, 0.0)
    match mark:
        case Highlight(hex=hex, colour=colour):
            corners = _xy(*(_between((x, y), _at(corner), 0.93) for corner in hex.corners))
            paint = f'fill={quoteattr(colour)} fill-opacity="0.25" stroke={quoteattr(colour)} stroke-width="9"'
            yield f'<polygon class="highlight" points="{corners}" {paint}/>'
        case Sign(glyph=glyph, title=title):
            yield _glyph(glyph, (x, y), kind="sign", title=title)
        case Name(text=text):
            yield _text(text, (x, y + 63), 22, kind="name", halo=_PAPER)


def _over(mark: Mark) -> Iterator[str]:
    """The marks that lie over the counters."""
    match mark:
        case Arrow(path=path, colour=colour) if len(path) > 1:
            points = [_at(hex.centre) for hex in path]
            before, tip = points[-2:]
            length = hypot(tip[0] - before[0], tip[1] - before[1])
            dx, dy = (tip[0] - before[0]) / length, (tip[1] - before[1]) / length
            neck = (tip[0] - 34 * dx, tip[1] - 34 * dy)
            head = (tip, (neck[0] - 22 * dy, neck[1] + 22 * dx), (neck[0] + 22 * dy, neck[1] - 22 * dx))
            shaft = f"M{_xy(*points[:-1], neck)}"
            line = _path(shaft, stroke=_LIGHT, width=20) + _path(shaft, stroke=colour, width=12)
            yield f'<g class="arrow" stroke-linejoin="round">{line}{_path(f"M{_xy(*head)}z", fill=colour, stroke=_LIGHT, width=3)}</g>'
        case Sight(start=start, end=end, clear=clear, colour=colour):
            d = f"M{_xy(_at(start.centre))}L{_xy(_at(end.centre))}"
            line = _path(d, stroke=_LIGHT, width=13) + _path(d, stroke=colour, width=7, dash="" if clear else "22 16")
            yield f'<g class="sight">{_title("clear" if clear else "blocked")}{line}</g>'
        case Medal(hex=hex, colour=colour, title=title):
            x, y = _at(hex.centre)
            x, y = x - 52, y - 44
            disc = (
                f'<circle cx="{_n(x)}" cy="{_n(y)}" r="24" fill={quoteattr(colour)} stroke="{DARK}" stroke-width="4"/>'
            )
            yield f'<g class="medal">{_title(title)}{disc}{_path(_star(x, y, 18), fill=_ink(colour))}</g>'
        case Note(hex=hex, text=text):
            x, y = _at(hex.centre)
            yield _text(text, (x, y + 14), 38, kind="note", halo=_PAPER)


# ------------------------------------------------------------ the picture
def board_svg(
    board: Board,
    *,
    styles: Mapping[str, Style] | None = None,
    links: Mapping[str, Collection[Stroke]] | None = None,
    leads: Mapping[str, Iterable[tuple[Hex, Direction]]] | None = None,
    hexsides: Mapping[str, Collection[Stroke]] | None = None,
    fill: str = _OPEN,
    counters: Iterable[Counter] = (),
    marks: Iterable[Mark] = (),
    labels: bool = True,
    size: float = 36,
    abreast: bool = False,
    title: str = "",
) -> Svg:
    """Draw a board and what lies on it.

    Args:
        board: the board; a terrain on it without a style is written out as a word.
        styles: how each terrain looks, by its name.
        links: the strokes of each kind of link; the first kind is drawn undermost. Kinds that are not named are drawn as
            roads, but `road`, `river` and `rail` have their own look.
        leads: for each kind of link, where a line leaves a hex without a link: off the board, or to nowhere. For a kind that
            is not named, a line with its end at the edge of the board runs off it.
        hexsides: the strokes of each feature on a hexside, the first undermost; others are drawn as walls.
        fill: the colour of a hex without terrain that colours it.
        counters: the units, in the order in which they are stacked.
        marks: objectives, obstacles, highlighted hexes, arrows, lines of sight.
        labels: whether each hex shows its label.
        size: the length of a hexside, in pixels.
        abreast: the counters of a hex stand beside each other, in rows, so that all can be read; otherwise they are piled up.
        title: what the picture shows, for a reader who cannot see it.

    Raises:
        OffBoard: a counter or a mark on a hex that the board does not have.
    """
    styles, hexsides, counters, marks = styles or {}, hexsides or {}, tuple(counters), tuple(marks)
    strokes: dict[str, Collection[Stroke]] = {"river": RIVER, "road": ROAD, "rail": RAIL, **(links or {})}
    for thing in (*counters, *marks):
        for hex in _hexes(thing):
            board.index(hex)
    ends = _ends(board, leads or {})
    corners = [_at(corner) for hex in board.hexes for corner in hex.corners]
    left, top = (min(point[i] for point in corners) - _MARGIN for i in (0, 1))
    width, height = (max(point[i] for point in corners) + _MARGIN - edge for i, edge in ((0, left), (1, top)))
    what = f"{max(board.row_lengths)} x {len(board.rows)} hexes"

    def document() -> Iterator[str]:
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width * size / 100)}" height="{_n(height * size / 100)}" '
            f'viewBox="{_xy((left, top), (width, height))}" {_FONT}>{_title(title or f"A board of {what}")}\n'
            f'<rect x="{_n(left)}" y="{_n(top)}" width="{_n(width)}" height="{_n(height)}" rx="24" fill="{_PAPER}"/>'
        )
        ground = {hex: _ground(board, hex, styles, fill) for hex in board.hexes}
        for hex in board.hexes:
            yield _hex(board, hex, *ground[hex])
        features = {kind for kinds in board.hexsides.values() for kind in kinds}
        for kind in (*(kind for kind in hexsides if kind in features), *sorted(features - {*hexsides})):
            yield from _hexsides(board, kind, hexsides.get(kind, WALL))
        for kind in (*(kind for kind in strokes if kind in ends), *(kind for kind in ends if kind not in strokes)):
            yield from _line(kind, ends[kind], strokes.get(kind, ROAD))
        for hex in board.hexes:
            yield from _things(board, hex, styles, ends)
        for hex in board.hexes if labels else ():
            (x, y), (colour, _) = _at(hex.centre), ground[hex]
            yield _text(board.label(hex), (x, y - 68), 20, _ink(colour), kind="label", bold=False, halo=colour)
        for name, hex in board.named.items():
            yield from _under(Name(hex, name))
        for mark in marks:
            yield from _under(mark)
        yield from _counters(counters, abreast=abreast)
        for mark in marks:
            yield from _over(mark)
        yield "</svg>"

    return Svg("\n".join(document()) + "\n", what)


def _hexes(thing: Counter | Mark) -> tuple[Hex, ...]:
    match thing:
        case Arrow(path=path):
            return path
        case Sight(start=start, end=end):
            return start, end
        case _:
            return (thing.hex,)
