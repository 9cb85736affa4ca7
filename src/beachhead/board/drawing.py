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
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from string import ascii_letters, digits

from attrs import field, frozen

from beachhead.board.grid import Board
from beachhead.hexes import GeometryError, Hex, Hexside, LabelError, Labels, LetterLabels

_OPEN, _NOTHING, _REMARK = ".", "_", "#"


class DrawingError(GeometryError):
    """A drawing that cannot be read: which line (0: none in particular), what is wrong with it, and what would be right."""

    def __init__(self, problem: str, number: int = 0, line: str = "") -> None:
        super().__init__(problem, number, line)
        self.problem, self.number, self.line = problem, number, line.strip()

    def __str__(self) -> str:
        return f"line {self.number}, {self.line!r}: {self.problem}" if self.number else self.problem


@frozen
class Drawing:
    """What was drawn: a board, and the things placed on it, each a hex and the text behind its colon, as drawn."""

    board: Board
    placements: tuple[tuple[Hex, str], ...] = ()

    def placed(self, hex: Hex) -> tuple[str, ...]:
        """What is placed on one hex."""
        return tuple(text for there, text in self.placements if there == hex)


@frozen
class Grid:
    """The rows of a drawing, each read as far as it can be.

    Attributes:
        terrain: of every hex that is drawn.
        rows: how many there are.
        statements: the lines below the grid, with their numbers.
        faults: all that is wrong in the rows.
        doubtful: the hexes of which a fault leaves open what lies there.
    """

    terrain: Mapping[Hex, tuple[str, ...]]
    rows: int
    statements: tuple[tuple[int, str], ...]
    faults: tuple[DrawingError, ...] = ()
    doubtful: frozenset[Hex] = frozenset()

    def read(self, labels: Labels) -> Statements:
        """The lines below the grid, each read as far as it can be."""
        reader = _Reader(labels, frozenset(self.terrain))
        for number, line in self.statements:
            if line.strip() and not line.strip().startswith(_REMARK):
                reader.read(number, line)
        return Statements(self, labels, reader)

    @classmethod
    def of(cls, text: str, legend: Mapping[str, str | tuple[str, ...]], *, even: bool = False) -> Grid:
        """The grid of a drawing, whatever is wrong in it.

        Args:
            text: the drawing.
            legend: the terrain of each symbol.
            even: rows that lie one below the other are equally long; hexes that are missing at the end of one are doubtful.

        Raises:
            DrawingError: the legend cannot be.

        >>> grid = Grid.of(". . w\\n . . .\\n. .\\nCaen = C9\\nroad: A1-C1-C2", {"h": "hill"}, even=True)
        >>> print(*grid.faults, *grid.read(LetterLabels()).faults, sep="\\n")
        line 1, '. . w': symbol 'w' is not in the legend, which has . _ h
        line 3, '. .': row 3 has 2 hexes, the others 3; '_' stands for no hex
        line 4, 'Caen = C9': C9 is not on the board
        line 5, 'road: A1-C1-C2': A1 and C1 are no neighbours: they are 2 hexes apart
        """
        symbols = _checked(legend)
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1)]
        while lines and not lines[0][1].strip():
            del lines[0]
        ends = (i for i, (_, line) in enumerate(lines) if not line.strip() or ":" in line or "=" in line)
        size = next(ends, len(lines))
        return _read_rows(lines[:size], symbols, tuple(lines[size:]), even=even)


@frozen
class Statements:
    """The lines below a grid, read."""

    grid: Grid
    labels: Labels
    _reader: _Reader

    @property
    def faults(self) -> tuple[DrawingError, ...]:
        """All that is wrong in them."""
        return tuple(self._reader.faults)

    def drawing(self) -> Drawing:
        """What is drawn, without whatever is wrong.

        Raises:
            GeometryError: the labels do not fit the board.
        """
        reader, terrain = self._reader, self.grid.terrain
        board = Board(
            tuple(terrain),
            terrain=terrain,
            hexsides=reader.hexsides,
            links=reader.links,
            labels=self.labels,
            named=reader.named,
        )
        return Drawing(board, tuple(reader.placements))


@frozen
class _Reader:
    """The state of reading the lines below a grid. What is wrong in one of them is put down, and the rest of it is read."""

    labels: Labels
    hexes: frozenset[Hex]
    hexsides: defaultdict[Hexside, set[str]] = field(factory=lambda: defaultdict(set))
    links: defaultdict[str, set[Hexside]] = field(factory=lambda: defaultdict(set))
    named: dict[str, Hex] = field(factory=dict)
    placements: list[tuple[Hex, str]] = field(factory=list)
    faults: list[DrawingError] = field(factory=list)

    def hex(self, label: str) -> Hex:
        hex = self.labels.hex(label)
        if hex not in self.hexes:
            raise GeometryError(f"{label} is not on the board")
        return hex

    @contextmanager
    def gathering(self, number: int, line: str) -> Iterator[None]:
        """What is found wrong meanwhile is put down as a fault of this line, once."""
        try:
            yield
        except GeometryError as error:
            found = DrawingError(str(error), number, line)
            if str(found) not in map(str, self.faults):
                self.faults.append(found)

    def read(self, number: int, line: str) -> None:
        """Take in one line."""
        line = line.strip()
        if match := re.fullmatch(r"([^:=]+)=\s*(\S+)", line):
            with self.gathering(number, line):
                self.named[match[1].strip()] = self.hex(match[2])
            return
        head, colon, body = (part.strip() for part in line.partition(":"))
        with self.gathering(number, line):
            if not (colon and head and body):
                raise GeometryError("expected 'LABEL: text', 'kind: A-B-C', 'feature: A/B' or 'name = LABEL'")
            try:
                hex = self.labels.hex(head)
            except LabelError as no_label:
                for chain in re.sub(r"\s*([-/])\s*", r"\1", body).split():
                    self._read_chain(number, line, head, chain, no_label)
            else:
                self.hex(head)
                self.placements.append((hex, body))

    def _read_chain(self, number: int, line: str, kind: str, chain: str, no_label: LabelError) -> None:
        mark = "/" if "/" in chain else "-"
        names = chain.split(mark)
        with self.gathering(number, line):
            if len(names) < 2 or (mark == "/" and len(names) > 2):
                raise GeometryError(f"{chain!r} is neither links 'A-B-C' nor a hexside 'A/B', and {no_label}")
        for name_a, name_b in pairwise(names):
            with self.gathering(number, line):
                a, b = self.hex(name_a), self.hex(name_b)
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
    grid = Grid.of(text, legend or {})
    if grid.faults:
        raise grid.faults[0]
    if labels is None:
        labels = LetterLabels()
    elif callable(labels):
        labels = labels(grid.rows)
    statements = grid.read(labels)
    if statements.faults:
        raise statements.faults[0]
    return statements.drawing()


def symbol_fault(symbol: str) -> str:
    """What is wrong with a symbol of a legend; "" for nothing."""
    if symbol in (_OPEN, _NOTHING):
        return f"the legend cannot give {symbol!r} a meaning: it is fixed ('.' open, '_' no hex)"
    if not symbol or re.search(r"[\s:=]", symbol):
        return f"{symbol!r} cannot be a symbol: it must not be empty or hold blanks, ':' or '='"
    return ""


def _checked(legend: Mapping[str, str | tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    for problem in filter(None, map(symbol_fault, legend)):
        raise DrawingError(problem)
    return {symbol: (names,) if isinstance(names, str) else tuple(names) for symbol, names in legend.items()}


def _read_rows(
    lines: Sequence[tuple[int, str]],
    legend: Mapping[str, tuple[str, ...]],
    statements: tuple[tuple[int, str], ...],
    *,
    even: bool,
) -> Grid:
    terrain, faults, doubtful = dict[Hex, tuple[str, ...]](), list[DrawingError](), set[Hex]()
    margins = [len(line) - len(line.lstrip()) for _, line in lines]
    symbols = [line.split() for _, line in lines]
    lengths = _even(list(map(len, symbols))) if even else [len(row) for row in symbols]
    for row, (number, line) in enumerate(lines):
        wrong: list[str] = []
        if row % 2 and margins[row] <= margins[0]:
            wrong.append(f"row {row + 1} must be indented more than the first: it stands half a hex to the east")
        if row % 2 == 0 and margins[row] != margins[0]:
            wrong.append(f"row {row + 1} must begin where the first row begins; '_' stands for no hex")
        count = len(symbols[row])
        if count != lengths[row]:
            wrong.append(f"row {row + 1} has {count} hexes, the others {lengths[row]}; '_' stands for no hex")
        for column in range(max(count, lengths[row])):
            symbol = symbols[row][column] if column < count else ""
            if symbol == _NOTHING:
                continue
            hex = Hex.from_doubled(2 * column + row % 2, row)
            terrain[hex] = legend.get(symbol, ())
            unknown = symbol not in ("", _OPEN) and symbol not in legend
            if unknown or count != lengths[row]:
                doubtful.add(hex)
            if unknown:
                known = " ".join((_OPEN, _NOTHING, *legend))
                wrong.append(f"symbol {symbol!r} is not in the legend, which has {known}")
        faults += [DrawingError(problem, number, line) for problem in dict.fromkeys(wrong)]
    if not terrain:
        faults.append(DrawingError("nothing is drawn: expected a line of symbols for each row, such as '. . .'"))
    return Grid(terrain, len(lines), statements, tuple(faults), frozenset(doubtful))


def _even(lengths: list[int]) -> list[int]:
    """How long each row would be if all rows below each other were alike: as most of them are, or else most of all."""
    usual = Counter(lengths)
    of_parity = [Counter(lengths[parity::2]) for parity in (0, 1)]
    return [max(of_parity[row % 2], key=lambda n: (of_parity[row % 2][n], usual[n], n)) for row in range(len(lengths))]


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
