"""Draw the pictures of the documentation anew: `python docs/make_pictures.py`."""

from __future__ import annotations

from pathlib import Path

from beachhead import glyphs
from beachhead.board import draw
from beachhead.svg import Arrow, Counter, Medal, Sight, Sign, Style, Svg, board_svg

IMAGES = Path(__file__).resolve().parent / "img"

STYLES = {
    "woods": Style("#cfdfb4", glyphs.WOODS),
    "hill": Style("#e6d3a3", glyphs.HILL),
    "town": Style("#ecdcc4", glyphs.TOWN),
    "marsh": Style("#d5e3cf", glyphs.MARSH),
    "hedges": Style("#d9e6bd", glyphs.HEDGE),
    "bridge": Style(glyph=glyphs.BRIDGE, across="river"),
}
GREEN, GREY = "#66784f", "#6d7683"


def board() -> Svg:
    """A crossing of our own: two battalions come down a road to a bridge, and somebody waits behind it."""
    drawing = draw(
        """
        . . w w . . h h .
         . e . w . . h . .
        . t . . . . . w .
         . . . . b . . t .
        m . . e . . . . .
         m . w w . . h . .

        road: A3-B3-B4-C4-D4-E4-F4-G4-H4-I4
        river: F1-E2-E3-E4-E5-D6
        wall: H4/H5 G4/H5
        Sainte-Aure = B3
        Pont Noir = E4
        Mesnil = H4
        """,
        {"w": "woods", "h": "hill", "t": "town", "m": "marsh", "e": "hedges", "b": "bridge"},
    )
    at = drawing.board.hex
    counters = [
        Counter(at("B3"), colour=GREEN, symbol=glyphs.INFANTRY, pips=4, title="infantry, 4 figures"),
        Counter(at("C4"), colour=GREEN, symbol=glyphs.ARMOUR, pips=2, hits=1, title="armour, 2 figures, 1 lost"),
        Counter(
            at("D3"), colour=GREEN, symbol=glyphs.INFANTRY, pips=3, hits=1, badge="E", title="engineers, 3 figures"
        ),
        Counter(at("A5"), colour=GREEN, symbol=glyphs.ARTILLERY, pips=2, title="artillery, 2 figures"),
        Counter(at("G3"), colour=GREY, symbol=glyphs.INFANTRY, pips=4, title="infantry, 4 figures"),
        Counter(at("H4"), colour=GREY, symbol=glyphs.INFANTRY, pips=4, badge="S", title="special forces, 4 figures"),
        Counter(at("H1"), colour=GREY, symbol=glyphs.ARTILLERY, pips=2, title="artillery, 2 figures"),
        Counter(at("G6"), colour=GREY, symbol=glyphs.ARMOUR, pips=3, title="armour, 3 figures"),
    ]
    marks = [
        Medal(at("E4")),
        Medal(at("H4"), GREEN),
        Sign(at("G3"), glyphs.SANDBAGS, "sandbags"),
        Sign(at("F5"), glyphs.WIRE, "wire"),
        Arrow((at("C4"), at("D4"), at("E4"))),
        Sight(at("H1"), at("C4"), clear=False),
    ]
    return board_svg(drawing.board, styles=STYLES, counters=counters, marks=marks, title="A crossing")


PICTURES = {"board.svg": board}

if __name__ == "__main__":
    for name, picture in PICTURES.items():
        (IMAGES / name).write_text(picture(), encoding="utf-8")
