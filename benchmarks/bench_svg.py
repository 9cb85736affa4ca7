"""How long it takes to draw a board."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from beachhead import glyphs
from beachhead.board import Board
from beachhead.svg import Counter, Style, Svg, board_svg


def bench_board() -> Iterator[Callable[[], Svg]]:
    """Draw 113 hexes, half of them woods, and 40 units."""
    empty = Board.alternating()
    board = Board.alternating(terrain=dict.fromkeys(empty.hexes[::2], "woods"))
    units = [Counter(at, symbol=glyphs.INFANTRY, pips=4) for at in board.hexes[:40]]
    yield lambda: board_svg(board, styles={"woods": Style("#cfdfb4", glyphs.WOODS)}, counters=units)
