"""The board as a picture: one SVG text, the same every time, that any browser or notebook shows.

The kernel draws hexes, lines and counters; what a terrain looks like is the system's to say, as a table of `Style` by
terrain name. Shapes to choose from are in `beachhead.glyphs`.

>>> from beachhead import glyphs
>>> from beachhead.board import draw
>>> board = draw('''
...     . w .
...      . . .
... ''', {"w": "woods"}).board
>>> picture = board_svg(
...     board,
...     styles={"woods": Style("#cfdfb4", glyph=glyphs.WOODS)},
...     counters=[Counter(board.hex("A1"), colour="#7d8f69", symbol=glyphs.INFANTRY, pips=4)],
... )
>>> picture
<Svg of 3 x 2 hexes>

Everything is measured in hundredths of a hexside. All style stands in the attributes of the shapes, and nothing has an
id, so that pictures inlined in one page cannot disturb each other; a light sheet lies under the board, so that it reads
the same on a light and on a dark page.
"""

from beachhead.svg.drawing import Svg, board_svg
from beachhead.svg.things import (
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

__all__ = [
    "RAIL",
    "RIVER",
    "ROAD",
    "WALL",
    "Arrow",
    "Counter",
    "Highlight",
    "Mark",
    "Medal",
    "Name",
    "Note",
    "Sight",
    "Sign",
    "Stroke",
    "Style",
    "Svg",
    "board_svg",
]
