"""The board: which hexes there are, what lies on them and between them, and how to get from one to another.

>>> drawing = draw('''
...     . w . .
...      . h w .
...     . . _ .
...
...     A1: infantry 4 axis
...     road: A1-A2-B3
...     wall: C2/D2
... ''', {"w": "woods", "h": "hill"})
>>> board = drawing.board
>>> drawing.placements
((Hex(q=0, r=0), 'infantry 4 axis'),)
>>> board.terrain[board.hex("B2")], board.has(board.hex("A1"), "woods")
(('hill',), False)

How far can something get that pays 1 for a hex, 2 for a wood, and stops on a hill?

>>> def step(start, end, spent):
...     return Step(2 if board.has(end, "woods") else 1, stop=board.has(end, "hill"))
>>> reach = reachable(board, board.hex("A1"), budget=2, step=step)
>>> {board.label(hex): (found.cost, found.stopped) for hex, found in reach.items()}
{'A1': (0, False), 'A2': (1, False), 'B1': (2, False), 'B2': (2, True), 'A3': (2, False), 'B3': (2, False)}
"""

from beachhead.board.drawing import Drawing, DrawingError, draw
from beachhead.board.grid import Board, OffBoard
from beachhead.board.masks import ones
from beachhead.board.paths import Reach, Step, best_path, reachable, spread, ways_in

__all__ = [
    "Board",
    "Drawing",
    "DrawingError",
    "OffBoard",
    "Reach",
    "Step",
    "best_path",
    "draw",
    "ones",
    "reachable",
    "spread",
    "ways_in",
]
