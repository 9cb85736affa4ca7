"""What can be drawn, and how it looks: styles of terrain, strokes of lines, counters and marks."""

from __future__ import annotations

from attrs import frozen

from beachhead.glyphs import Glyph
from beachhead.hexes import Hex

GRID, DARK = "#8f8c78", "#23221e"


# ------------------------------------------------------------ how things look
@frozen
class Style:
    """How a terrain looks. The first terrain of a hex with a `fill` colours it; the glyphs of all of them are drawn.

    `across` names a kind of link that the glyph is turned to lie across, as a bridge lies across a river; where a hex has none of
    that kind, it lies along those that `along` names.
    """

    fill: str | None = None
    glyph: Glyph = ()
    stroke: str = GRID
    across: str | None = None
    along: str | None = None


@frozen
class Stroke:
    """One stroke of a line; a line is drawn by several, the first undermost (a river: a dark broad one, a light narrow one)."""

    colour: str
    width: float
    dash: str = ""


ROAD = (Stroke("#8b7a5c", 24), Stroke("#efe3c6", 17))
RIVER = (Stroke("#4d87a8", 46), Stroke("#8fc1da", 38))
RAIL = (Stroke("#4a4742", 22, "5 13"), Stroke("#4a4742", 12), Stroke("#e8e4da", 5))
WALL = (Stroke("#6b6259", 14),)


# ------------------------------------------------------------ what lies on the board
@frozen
class Counter:
    """A unit. Several on a hex are drawn as a stack, the last on top, or abreast (`board_svg`).

    `name` stands above the symbol; `text` is a few characters, such as a strength, below it; `badge` one or two on a disc
    at the corner; `title` what a reader who points at it is told. `pips` are the figures or steps that it has and `hits`
    those it has lost: hollow, or filled with the colour `lost`. `box` is the colour of the symbol's box.
    """

    hex: Hex
    text: str = ""
    colour: str = "#d8d3c4"
    symbol: Glyph = ()
    box: str = "none"
    name: str = ""
    pips: int = 0
    hits: int = 0
    lost: str = "none"
    badge: str = ""
    border: str = DARK
    title: str = ""


@frozen
class Highlight:
    """A hex that is pointed out."""

    hex: Hex
    colour: str = "#d9a400"


@frozen
class Sign:
    """Something on a hex that is not terrain: an obstacle, a marker."""

    hex: Hex
    glyph: Glyph
    title: str = ""


@frozen
class Medal:
    """An objective, in the colour of the side that it counts for."""

    hex: Hex
    colour: str = "#d9a400"
    title: str = "objective"


@frozen
class Name:
    """A name printed on the map, in the lower half of a hex."""

    hex: Hex
    text: str


@frozen
class Note:
    """A word or number on a hex, such as the cost of getting there."""

    hex: Hex
    text: str


@frozen
class Arrow:
    """A way from hex to hex."""

    path: tuple[Hex, ...]
    colour: str = "#b3261e"


@frozen
class Sight:
    """A line of sight between two hexes; dashed when something blocks it."""

    start: Hex
    end: Hex
    clear: bool = True
    colour: str = "#5b3fa0"


Mark = Highlight | Sign | Medal | Name | Note | Arrow | Sight
