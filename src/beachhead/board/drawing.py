"""Boards drawn as text: one symbol a hex, and lines for whatever a symbol cannot say.

The grid comes first, a line for each row from the north. Symbols stand apart by blanks; the first, third, fifth row begin at
the left margin and the rows between them are indented, because they stand half a hex to the east. `.` is an open hex
and `_` no hex at all; the legend says what the other symbols are. An empty line, or the first line with a colon or an equals
sign in it, ends the grid. Each line after it is one of

    A1: infantry 4 axis         something placed on a hex, kept as it is written; a hex may have several
    river: A1-B1-B2 C4-D4       links of a kind along one or more chains of neighbours
    wall: C3/C4 C3/D4           a feature on one or more hexsides, each between two neighbours
    Caen = C3                   a hex with a name of its own
    # ...                       a remark
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from itertools import pairwise
from string import ascii_letters, digits

from attrs import field, frozen

from beachhead.board.grid import Board
from beachhead.hexes import GeometryError, Hex, Hexside, LabelError, Labels, LetterLabels

_OPEN, _NOTHING, _REMARK = ".", "_", "#"


class DrawingError(GeometryError):
    """A drawing that cannot be read: which line, what is wrong with it, and what would be right."""


@frozen
class Drawing:
    """What was drawn: a board, and the things placed on it, each a hex and the text behind its colon, as drawn."""

    board: Board
    placements: tuple[tuple[Hex, str], ...] = ()

    def placed(self, hex: Hex) -> tuple[str, ...]:
        """What is placed on one hex."""
        return tuple(text for there, text in self.placements if there == hex)


@frozen
class _Reader:
    """The state of reading one drawing; every complaint names the line it is about."""

    labels: Labels
    hexes: frozenset[Hex]
    hexsides: defaultdict[Hexside, set[str]] = field(factory=lambda: defaultdict(set))
    links: defaultdict[str, set[Hexside]] = field(factory=lambda: defaultdict(set))
    named: dict[str, Hex] = field(factory=dict)
    placements: list[tuple[Hex, str]] = field(factory=list)

    def hex(self, label: str) -> Hex:
        hex = self.labels.hex(label)
        if hex not in self.hexes:
            raise GeometryError(f"{label} is not on the board")
        return hex

    def read(self, line: str) -> None:
        """Take in one line after the grid."""
        if match := re.fullmatch(r"([^:=]+)=\s*(\S+)", line):
            self.named[match[1].strip()] = self.hex(match[2])
            return
        head, colon, body = (part.strip() for part in line.partition(":"))
        if not (colon and head and body):
            raise GeometryError("expected 'LABEL: text', 'kind: A-B-C', 'feature: A/B' or 'name = LABEL'")
        try:
            hex = self.labels.hex(head)
        except LabelError as no_label:
            self._read_chains(head, body, no_label)
        else:
            self.hex(head)
            self.placements.append((hex, body))

    def _read_chains(self, kind: str, body: str, no_label: LabelError) -> None:
        for chain in re.sub(r"\s*([-/])\s*", r"\1", body).split():
            mark = "/" if "/" in chain else "-"
            names = chain.split(mark)
            if len(names) < 2 or (mark == "/" and len(names) > 2):
                raise GeometryError(f"{chain!r} is neither links 'A-B-C' nor a hexside 'A/B', and {no_label}")
            hexes = [self.hex(name) for name in names]
            for (a, b), (name_a, name_b) in zip(pairwise(hexes), pairwise(names), strict=True):
                if not a.adjacent(b):
                    raise GeometryError(
                        f"{name_a} and {name_b} are no neighbours: they are {a.distance(b)} hexes apart"
                    )
                if mark == "/":
                    self.hexsides[Hexside(a, b)].add(kind)
                else:
                    self.links[kind].add(Hexside(a, b))


def draw(
    text: str,
    legend: Mapping[str, str | tuple[str, ...]] | None = None,
    labels: Labels | Callable[[int], Labels] | None = None,
) -> Drawing:
    """Read a board from a drawing; the form is described at the head of this module.

    Args:
        text: the drawing. Empty lines around it and a common margin do not matter.
        legend: the terrain of each symbol, one name or several. `.` and `_` are fixed.
        labels: how the lines after the grid name hexes: labels, or a function from the number of rows to labels
            (`MemoirLabels` is one). Letters across and numbers down, unless given: `A1` is in the north-west corner.

    Raises:
        DrawingError: naming the line, what is wrong with it and what would be right.

    >>> drawing = draw('''
    ...     . w
    ...      . .
    ...     B1: infantry 4 axis
    ...     river: A1-A2-B2
    ... ''', {"w": "woods"})
    >>> drawing.board.where("woods") == (drawing.board.hex("B1"),)
    True
    >>> draw("w .", {"h": "hill"})
    Traceback (most recent call last):
        ...
    beachhead.board.drawing.DrawingError: line 1, 'w .': symbol 'w' is not in the legend, which has . _ h
    """
    symbols = _checked(legend or {})
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1)]
    while lines and not lines[0][1].strip():
        del lines[0]
    size = next((i for i, (_, line) in enumerate(lines) if not line.strip() or ":" in line or "=" in line), len(lines))
    terrain = _read_grid(lines[:size], symbols)
    if not terrain:
        raise DrawingError("nothing is drawn: expected a line of symbols for each row, such as '. . .'")
    if labels is None:
        labels = LetterLabels()
    elif callable(labels):
        labels = labels(size)
    reader = _Reader(labels, frozenset(terrain))
    for number, line in lines[size:]:
        line = line.strip()
        if line and not line.startswith(_REMARK):
            try:
                reader.read(line)
            except GeometryError as error:
                raise DrawingError(f"line {number}, {line!r}: {error}") from None
    board = Board(
        tuple(terrain),
        terrain=terrain,
        hexsides=reader.hexsides,
        links=reader.links,
        labels=labels,
        named=reader.named,
    )
    return Drawing(board, tuple(reader.placements))


def _checked(legend: Mapping[str, str | tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    for symbol in legend:
        if symbol in (_OPEN, _NOTHING):
            raise DrawingError(f"the legend cannot give {symbol!r} a meaning: it is fixed ('.' open, '_' no hex)")
        if not symbol or re.search(r"[\s:=]", symbol):
            raise DrawingError(f"{symbol!r} cannot be a symbol: it must not be empty or hold blanks, ':' or '='")
    return {symbol: (names,) if isinstance(names, str) else tuple(names) for symbol, names in legend.items()}


def _read_grid(lines: list[tuple[int, str]], legend: Mapping[str, tuple[str, ...]]) -> dict[Hex, tuple[str, ...]]:
    terrain = {}
    margins = [len(line) - len(line.lstrip()) for _, line in lines]
    for row, (number, line) in enumerate(lines):
        where = f"line {number}, {line.strip()!r}"
        if row % 2 and margins[row] <= margins[0]:
            raise DrawingError(
                f"{where}: row {row + 1} must be indented more than the first: it stands half a hex to the east"
            )
        if row % 2 == 0 and margins[row] != margins[0]:
            raise DrawingError(f"{where}: row {row + 1} must begin where the first row begins; '_' stands for no hex")
        for column, symbol in enumerate(line.split()):
            if symbol == _NOTHING:
                continue
            if symbol != _OPEN and symbol not in legend:
                known = " ".join((_OPEN, _NOTHING, *legend))
                raise DrawingError(f"{where}: symbol {symbol!r} is not in the legend, which has {known}")
            terrain[Hex.from_doubled(2 * column + row % 2, row)] = legend.get(symbol, ())
    return terrain


def automatic_legend(board: Board) -> dict[str, tuple[str, ...]]:
    """A symbol for every combination of terrain on a board: the first free letter of its names, else of the alphabet."""
    chosen: dict[str, tuple[str, ...]] = {}
    for names in sorted(set(board.terrain.values())):
        letters = "".join(names).lower()
        wanted = (c for c in letters + letters.upper() + ascii_letters + digits if c in ascii_letters + digits)
        symbol = next((c for c in wanted if c not in chosen), None)
        chosen[symbol or f"{len(chosen)}"] = names
    return chosen


def as_text(board: Board, symbols: Mapping[str, str | tuple[str, ...]]) -> str:
    """A board as text, which `draw` reads back with the same legend and labels.

    Reading back gives an equal board if nothing on it lies north of row 0 or west of doubled column 0.

    Raises:
        DrawingError: the legend has no symbol for the terrain of some hex.
    """
    symbol_of = {names: symbol for symbol, names in _checked(symbols).items()} | {(): _OPEN}
    width = max(map(len, symbol_of.values()))
    west = min(hex.doubled[0] for hex in board.hexes)
    first = min(west - west % 2, 0)
    lines = []
    for row in range(min(board.hexes[0].r, 0), board.hexes[-1].r + 1):
        line = []
        last = max((hex.doubled[0] for hex in board.hexes if hex.r == row), default=first)
        for column in range(first + row % 2, last + 1, 2):
            hex = Hex.from_doubled(column, row)
            there = board.terrain.get(hex, ())
            if there not in symbol_of:
                raise DrawingError(f"the legend has no symbol for {' + '.join(there)} on {board.label(hex)}")
            line.append((symbol_of[there] if hex in board else _NOTHING).ljust(width))
        indent = (width + 1) // 2 * (row % 2)
        lines.append(" " * indent + " ".join(line or [_NOTHING]).rstrip())
    return "\n".join([*lines, *_statements(board)])


def _statements(board: Board) -> list[str]:
    label = board.label
    features: defaultdict[str, list[str]] = defaultdict(list)
    for (a, b), names in sorted(board.hexsides.items()):
        for name in names:
            features[name].append(f"{label(a)}/{label(b)}")
    lines = [f"{name}: {' '.join(sides)}" for name, sides in sorted(features.items())]
    for kind, sides in sorted(board.links.items()):
        lines.append(f"{kind}: {' '.join(f'{label(a)}-{label(b)}' for a, b in sorted(sides))}")
    lines += [f"{name} = {label(hex)}" for name, hex in sorted(board.named.items())]
    return ["", *lines] if lines else []
