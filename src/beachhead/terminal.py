"""Games in plain words: what a system tells people who play it at a terminal, and boards as lines of text.

Nothing here is needed to play. A system that has no words of its own is still played: options are shown in their text form, odds tell which
fields of the state come out how, and there is no board and no hand to look at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, TypeVar, cast

import attrs
from attrs import frozen

from beachhead.board import Board
from beachhead.hexes import Hex
from beachhead.systems import System

S_contra = TypeVar("S_contra", contravariant=True)
Facts = Mapping[str, Sequence[str]]
"""Headings, each with its lines."""


@frozen
class Cell:
    """What is written in a hex: the ground in a letter or two, a mark before it (an objective), and the unit that stands there with its side.

    Several units stand in lines of their own. What lies on the hexsides to the east, south-west and south-east, or leads across them, is
    written there: one character in the east, up to three in the other two. The rest of its hexsides are those of its neighbours.
    """

    ground: str = ""
    mark: str = " "
    unit: str = ""
    side: Any = None
    east: str = ""
    southwest: str = ""
    southeast: str = ""


class TerminalSystem(Protocol[S_contra]):
    """How a system speaks to people. It has it as its attribute `terminal`, or as a module of that name in its package.

    States are views: what their reader may not know is not in them.
    """

    def facts(self, state: S_contra, /) -> Facts:
        """The position in words, heading by heading: who needs what to win, units, objectives."""
        ...

    def standing(self, state: S_contra, /) -> str:
        """How the sides stand, in a line."""
        ...

    def board(self, state: S_contra, /) -> Board | None:
        """The board, or None where a system has none to draw."""
        ...

    def cell(self, state: S_contra, hex: Hex, /) -> Cell:
        """What is written in a hex."""
        ...

    def at(self, state: S_contra, hex: Hex, /) -> str:
        """What is in a hex, in words."""
        ...

    def units(self, state: S_contra, /) -> Mapping[str, str]:
        """The units that people call by their own names, each in a few words; none where they call them by their hexes."""
        ...

    def place(self, state: S_contra, unit: str, /) -> Hex | None:
        """Where a unit of `units` stands; None for one that is off the board."""
        ...

    def legend(self, state: S_contra, /) -> Sequence[str]:
        """What the letters of the cells mean, as far as they occur."""
        ...

    def remarks(self, state: S_contra, /) -> str:
        """What one should know of the scenario before play in a few words, where it is too long to be told in full each time; else ""."""
        ...

    def hand(self, state: S_contra, side: Any, /) -> Sequence[tuple[str, str]]:
        """What a side holds, and a word on each."""
        ...

    def gloss(self, state: S_contra, decision: Any, action: Any, /) -> str:
        """A few words that a player wants to read beside an option; "" where its text says it all."""
        ...

    def outcome(self, state: S_contra, decision: Any, action: Any, /) -> Callable[[S_contra], str]:
        """What one wants to know of a state in which an action has ended: the words of a row in its table of odds."""
        ...


class Plain:
    """A system without words of its own."""

    def facts(self, state: Any) -> Facts:
        """None."""
        return {}

    def standing(self, state: Any) -> str:
        """Nothing."""
        return ""

    def board(self, state: Any) -> Board | None:
        """None."""
        return None

    def cell(self, state: Any, hex: Hex) -> Cell:
        """An empty one."""
        return Cell()

    def at(self, state: Any, hex: Hex) -> str:
        """Nothing."""
        return ""

    def units(self, state: Any) -> Mapping[str, str]:
        """None."""
        return {}

    def place(self, state: Any, unit: str) -> Hex | None:
        """Nowhere."""
        return None

    def legend(self, state: Any) -> Sequence[str]:
        """None."""
        return ()

    def remarks(self, state: Any) -> str:
        """All is told in full."""
        return ""

    def hand(self, state: Any, side: Any) -> Sequence[tuple[str, str]]:
        """Nothing."""
        return ()

    def gloss(self, state: Any, decision: Any, action: Any) -> str:
        """What the class of the action says of itself."""
        return (type(action).__doc__ or "").strip().partition("\n")[0].rstrip(".")

    def outcome(self, state: Any, decision: Any, action: Any) -> Callable[[Any], str]:
        """Which fields of the state are others, and what stands there now."""

        def changes(after: Any) -> str:
            fields = [a.name for a in attrs.fields(type(state)) if a.eq]
            changed = [name for name in fields if getattr(state, name) != getattr(after, name)]
            return ", ".join(f"{name} = {getattr(after, name)!r}" for name in changed) or "nothing changes"

        return changes


def terminal_of(system: System[Any]) -> TerminalSystem[Any]:
    """A system's words: its attribute `terminal`, or a module of its package, or none of its own."""
    found = getattr(system, "terminal", None)
    if found is None and find_spec(system.package) and hasattr(import_module(system.package), "__path__"):
        found = import_module(f"{system.package}.terminal") if find_spec(f"{system.package}.terminal") else None
    return cast("TerminalSystem[Any]", found or Plain())


def position_text(words: TerminalSystem[Any], state: Any) -> str:
    """A position in plain text: the board, what its letters mean, and how the sides stand."""
    board = words.board(state)
    pieces = [] if board is None else board_lines(board, lambda hex: words.cell(state, hex))
    lines = ("".join(text for text, _ in line).rstrip() for line in pieces)
    return "\n".join((*lines, *words.legend(state), words.standing(state)))


def board_lines(
    board: Board, cell: Callable[[Hex], Cell], around: Hex | None = None, across: int = 0
) -> list[list[tuple[str, Any]]]:
    """A board as lines of text: for each row its labels with the ground, below them the units, in as many lines as they need, and what lies
    on the hexsides to the south.

    Args:
        board: all of it, or with `around` the part that has this hex in its middle and is not more than `across` characters wide.

    Returns:
        lines of pieces; each piece is a text and the side that it belongs to, or None.

    >>> from beachhead.board import draw
    >>> board = draw('''
    ...     . w
    ...      . .
    ... ''', {"w": "woods"}).board
    >>> cells = {board.hex("A2"): Cell(unit="(I4)"), board.hex("A1"): Cell(east="|"), board.hex("B1"): Cell("wo", southwest="===")}
    >>> for line in board_lines(board, lambda hex: cells.get(hex, Cell())):
    ...     print("".join(text for text, side in line).rstrip())
    A1   |B1 wo
          ===
       A2    B2
       (I4)
    """
    cells = {hex: cell(hex) for hex in board.hexes}
    above = {hex: f"{board.label(hex)}{one.mark}{one.ground}".rstrip() for hex, one in cells.items()}
    below = {hex: one.unit.split("\n") for hex, one in cells.items()}
    width = max(*(len(text) for text in above.values()), *(len(text) for unit in below.values() for text in unit)) + 1
    width += width % 2
    hexes = board.hexes if around is None else _part(board, around, max(1, across // width))
    west = min(hex.doubled[0] for hex in hexes)
    lines: list[list[tuple[str, Any]]] = []
    for row in ([hex for hex in row if hex in hexes] for row in board.rows):
        if not row:
            continue
        indents = [(hex.doubled[0] - west) * width // 2 for hex in row]
        labels = [(above[hex].ljust(width - 1) + cells[hex].east, None) for hex in row]
        units = [
            [("".join(below[hex][n : n + 1]), cells[hex].side) for hex in row]
            for n in range(max(len(below[hex]) for hex in row))
        ]
        south = [(cells[hex].southwest.ljust(width // 2) + cells[hex].southeast, None) for hex in row]
        if any(text.strip() for text, _ in south):
            units = [*(line for line in units if any(text for text, _ in line)), south]
        for written in (labels, *units):
            line, at = list[tuple[str, Any]](), 0
            for indent, (text, side) in zip(indents, written, strict=True):
                line += [(" " * (indent - at), None), (text.ljust(width), side)]
                at = indent + width
            lines.append(line)
    return lines


def _part(board: Board, around: Hex, most: int) -> frozenset[Hex]:
    """So many hexes of a board across, and so many rows, around a hex; at an edge as many, all on one side of it."""

    def span(at: int, places: Iterable[int], length: int) -> range:
        first, last = min(places := list(places)), max(places)
        start = max(first, min(at - length // 2, last - length))
        return range(start, start + length + 1)

    column, row = around.doubled
    columns = span(column, (hex.doubled[0] for hex in board.hexes), 2 * (most - 1))
    rows = span(row, (hex.r for hex in board.hexes), most - 1)
    return frozenset(hex for hex in board.hexes if hex.doubled[0] in columns and hex.r in rows)


@lru_cache(maxsize=64)
def short_names(names: tuple[str, ...], length: int) -> Mapping[str, str]:
    """A short name for each unit, all different: its beginning, or where others begin so, with its end or its number.

    >>> short_names(("CSR", "A/Black Watch", "A/Black Horse"), 5)
    {'CSR': 'CSR', 'A/Black Watch': 'A/Bla', 'A/Black Horse': 'A/Bse'}
    """
    found: dict[str, str] = {}
    for n, name in enumerate(names):
        short = (name[:length].rstrip(), f"{name[: length - 2]}{name[-2:]}", f"{name[: length - 3]}#{n:02}")
        found[name] = next(tag for tag in short if tag not in found.values())
    return found
