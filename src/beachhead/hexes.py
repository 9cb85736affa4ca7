"""Hexes, hexsides and the names printed on them.

A `Hex` is a pair of axial coordinates on a map of pointy-top hexes: `q` grows to the east along a row,
`r` numbers the rows and grows to the south. Going one row south straight down the map is impossible; the
two ways there are south-west, `(-1, +1)`, and south-east, `(0, +1)`.

>>> home = Hex(3, -1)
>>> home.neighbour(Direction.SE)
Hex(q=3, r=0)
>>> home.distance(Hex(0, 0)), len(home.disk(2))
(3, 19)
>>> MemoirLabels(rows=9).label(Hex.from_doubled(12, 4))
'G5'

Everything here is a tuple or a frozen value: hashable, ordered, the same in every process.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Literal, NamedTuple, Protocol, Self

from attrs import frozen

from beachhead.enums import Named
from beachhead.errors import BeachheadError

__all__ = [
    "Direction",
    "DoubledLabels",
    "GeometryError",
    "Hex",
    "Hexside",
    "LabelError",
    "Labels",
    "LetterLabels",
    "MemoirLabels",
    "NumberLabels",
]


class GeometryError(BeachheadError, ValueError):
    """Something that does not fit on a map of hexes."""


class LabelError(GeometryError):
    """A text that names no hex, or a hex that has no name under these labels."""


class Direction(Named, IntEnum):
    """The six ways out of a pointy-top hex, counter-clockwise from the east."""

    E = 0
    NE = 1
    NW = 2
    W = 3
    SW = 4
    SE = 5

    @property
    def opposite(self) -> Direction:
        """The way back.

        >>> Direction.NE.opposite
        Direction.SW
        """
        return Direction((self + 3) % 6)

    def turned(self, steps: int) -> Direction:
        """This direction after `steps` turns of 60 degrees counter-clockwise (clockwise when negative)."""
        return Direction((self + steps) % 6)


_OFFSETS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
# Corners of a hex around its centre, counter-clockwise; the hexside in direction d lies between corners d and d + 1.
_CORNERS = ((1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2))


class Hex(NamedTuple):
    """A hex in axial coordinates; also a vector between two hexes, so that `+`, `-` and `*` mean what they do for vectors.

    >>> Hex(2, 1) + Hex(1, -1), Hex(2, 1) - Hex(2, 0), 3 * Hex(1, -1)
    (Hex(q=3, r=0), Hex(q=0, r=1), Hex(q=3, r=-3))
    """

    q: int
    """Steps to the east along the row."""
    r: int
    """The row; grows to the south."""

    @property
    def s(self) -> int:
        """The third cube coordinate: `q + r + s == 0`."""
        return -self.q - self.r

    def __add__(self, other: tuple[int, int]) -> Hex:  # type: ignore[override]
        return Hex(self[0] + other[0], self[1] + other[1])

    def __sub__(self, other: tuple[int, int]) -> Hex:
        return Hex(self[0] - other[0], self[1] - other[1])

    def __neg__(self) -> Hex:
        return Hex(-self[0], -self[1])

    def __mul__(self, factor: int) -> Hex:  # type: ignore[override]
        return Hex(self[0] * factor, self[1] * factor)

    def __rmul__(self, factor: int) -> Hex:  # type: ignore[override]
        return Hex(self[0] * factor, self[1] * factor)

    @property
    def neighbours(self) -> tuple[Hex, ...]:
        """The six neighbours in the order E, NE, NW, W, SW, SE."""
        q, r = self
        return tuple(Hex(q + dq, r + dr) for dq, dr in _OFFSETS)

    def neighbour(self, direction: Direction | int) -> Hex:
        """The next hex in a direction."""
        dq, dr = _OFFSETS[direction]
        return Hex(self[0] + dq, self[1] + dr)

    def direction(self, other: Hex) -> Direction:
        """The direction of a neighbour; `GeometryError` when `other` is not one.

        >>> Hex(0, 0).direction(Hex(0, -1))
        Direction.NW
        """
        try:
            return Direction(_OFFSETS.index((other[0] - self[0], other[1] - self[1])))
        except ValueError:
            raise GeometryError(
                f"{other} is no neighbour of {self}: they are {self.distance(other)} hexes apart"
            ) from None

    def distance(self, other: tuple[int, int]) -> int:
        """The number of steps from hex to hex between the two.

        >>> Hex(0, 0).distance(Hex(-2, 5))
        5
        """
        dq, dr = self[0] - other[0], self[1] - other[1]
        return max(abs(dq), abs(dr), abs(dq + dr))

    def adjacent(self, other: tuple[int, int]) -> bool:
        """Whether the two hexes share a hexside."""
        return (other[0] - self[0], other[1] - self[1]) in _OFFSETS

    def ring(self, radius: int) -> tuple[Hex, ...]:
        """The hexes at exactly this distance, counter-clockwise from the one due east; the hex itself for 0.

        >>> [h.distance(Hex(0, 0)) for h in Hex(0, 0).ring(2)] == [2] * 12
        True
        """
        if radius < 0:
            raise GeometryError(f"a ring has a radius of 0 or more, not {radius}")
        if radius == 0:
            return (self,)
        hexes = []
        here = self + Hex(*_OFFSETS[0]) * radius
        for side in range(6):
            for _ in range(radius):
                hexes.append(here)
                here = here.neighbour((side + 2) % 6)
        return tuple(hexes)

    def disk(self, radius: int) -> tuple[Hex, ...]:
        """The hexes within this distance, the hex itself included, row by row from the north-west."""
        return tuple(Hex(q, r) for r, west, east in self.disk_rows(radius) for q in range(west, east + 1))

    def disk_rows(self, radius: int) -> list[tuple[int, int, int]]:
        """The rows of the disk, from the north: of each its r, and the q with which it begins and ends."""
        if radius < 0:
            raise GeometryError(f"a disk has a radius of 0 or more, not {radius}")
        q, r = self
        return [(r + dr, q - radius - min(dr, 0), q + radius - max(dr, 0)) for dr in range(-radius, radius + 1)]

    def rotated(self, steps: int, about: tuple[int, int] = (0, 0)) -> Hex:
        """This hex after `steps` turns of 60 degrees counter-clockwise about another (clockwise when negative).

        >>> Hex(1, 0).rotated(1), Hex(1, 0).rotated(-1)
        (Hex(q=1, r=-1), Hex(q=0, r=1))
        """
        q, r = self[0] - about[0], self[1] - about[1]
        for _ in range(steps % 6):
            q, r = q + r, -q
        return Hex(q + about[0], r + about[1])

    def reflected(self, about: tuple[int, int] = (0, 0)) -> Hex:
        """This hex in a mirror that stands north and south through the centre of `about`: east becomes west.

        The other five mirrors of a hex are this one and a turn; `hex.reflected().rotated(3)` swaps north and south.

        >>> Hex(1, -1).reflected(), Hex(1, -1).reflected().rotated(3)
        (Hex(q=0, r=-1), Hex(q=0, r=1))
        """
        q, r = self[0] - about[0], self[1] - about[1]
        return Hex(about[0] - q - r, about[1] + r)

    @property
    def doubled(self) -> tuple[int, int]:
        """Doubled columns, `(column, row)`: a step east is two columns, a step to the next row one; their sum is even.

        >>> Hex(1, 3).doubled
        (5, 3)
        """
        return 2 * self[0] + self[1], self[1]

    @classmethod
    def from_doubled(cls, column: int, row: int) -> Hex:
        """The hex at a doubled column and row.

        >>> Hex.from_doubled(5, 3)
        Hex(q=1, r=3)
        >>> Hex.from_doubled(5, 2)
        Traceback (most recent call last):
            ...
        beachhead.hexes.GeometryError: no hex at doubled column 5, row 2: column + row must be even, and 7 is odd
        """
        if (column + row) % 2:
            message = (
                f"no hex at doubled column {column}, row {row}: column + row must be even, and {column + row} is odd"
            )
            raise GeometryError(message)
        return cls((column - row) // 2, row)

    @property
    def centre(self) -> tuple[int, int]:
        """The centre as a point in exact integers: x east in half hex widths, y south in quarters of a hex's height."""
        return 2 * self[0] + self[1], 3 * self[1]

    @property
    def corners(self) -> tuple[tuple[int, int], ...]:
        """The six corners in the units of `centre`, counter-clockwise; the hexside to direction d joins corners d and d + 1.

        >>> Hex(0, 0).corners
        ((1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2))
        """
        x, y = self.centre
        return tuple((x + dx, y + dy) for dx, dy in _CORNERS)


class _Pair(NamedTuple):
    a: Hex
    b: Hex


class Hexside(_Pair):
    """The side that two neighbours share: an unordered pair, kept in one canonical order.

    >>> Hexside.between(Hex(1, 0), Hex(0, 0))
    Hexside(a=Hex(q=0, r=0), b=Hex(q=1, r=0))
    >>> Hex(1, 0) in Hexside(Hex(0, 0), Hex(1, 0))
    True
    """

    __slots__ = ()

    def __new__(cls, a: Hex, b: Hex) -> Self:
        """The hexside between two neighbours, in either order; `GeometryError` when they are not neighbours."""
        if (b[0] - a[0], b[1] - a[1]) not in _OFFSETS:
            raise GeometryError(
                f"{a} and {b} share no hexside: only neighbours do, and these are {a.distance(b)} apart"
            )
        return super().__new__(cls, a, b) if a < b else super().__new__(cls, b, a)

    @classmethod
    def between(cls, a: Hex, b: Hex) -> Self:
        """The same as `Hexside(a, b)`, in words."""
        return cls(a, b)

    def other(self, hex: Hex) -> Hex:
        """The hex across this side.

        >>> Hexside(Hex(0, 0), Hex(1, 0)).other(Hex(1, 0))
        Hex(q=0, r=0)
        """
        if hex == self.a:
            return self.b
        if hex == self.b:
            return self.a
        raise GeometryError(f"{hex} does not border on the hexside between {self.a} and {self.b}")

    @property
    def ends(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The two corners that this side joins, in the units of `Hex.centre`; the first lies clockwise of `b` seen from `a`."""
        corners, direction = self.a.corners, self.a.direction(self.b)
        return corners[direction], corners[(direction + 1) % 6]


class Labels(Protocol):
    """How a map names its hexes. Any frozen, hashable value with these two methods will do."""

    def label(self, hex: Hex) -> str:
        """The name of a hex; `LabelError` when these labels have none for it."""
        ...

    def hex(self, text: str) -> Hex:
        """The hex of a name; `LabelError` when the text has not the expected form."""
        ...


@frozen
class NumberLabels:
    """Printed numbers: `0106` for column 1, row 6, or row first.

    `columns` and `rows` are needed only for a corner from which they count backwards. `odd_rows` says on which side
    of the even rows the odd rows stand, by half a hex (row 0 is the northernmost).

    >>> NumberLabels().label(Hex(0, 0)), NumberLabels().hex("0106")
    ('0101', Hex(q=-2, r=5))
    >>> juno = NumberLabels(order="row-column", corner="south-west", rows=20)     # rows counted from the sea or the south
    >>> juno.hex("0213").doubled
    (24, 18)
    """

    order: Literal["column-row", "row-column"] = "column-row"
    corner: Literal["north-west", "south-west", "north-east", "south-east"] = "north-west"
    columns: int | None = None
    rows: int | None = None
    first: int = 1
    """The number of the first row and column: 1, or 0 for maps that begin at 0000."""
    width: int = 2
    """Digits in each of the two numbers."""
    odd_rows: Literal["east", "west"] = "east"

    def __attrs_post_init__(self) -> None:
        if self._from_south and self.rows is None:
            raise GeometryError(f"labels counted from the {self.corner} corner need the number of rows")
        if self._from_east and self.columns is None:
            raise GeometryError(f"labels counted from the {self.corner} corner need the number of columns")

    @property
    def _from_south(self) -> bool:
        return self.corner.startswith("south")

    @property
    def _from_east(self) -> bool:
        return self.corner.endswith("east")

    def _turned(self, column: int, row: int) -> tuple[int, int]:
        """Column and row counted from north-west or from the corner; the same turn leads both ways."""
        if self.columns is not None and self._from_east:
            column = self.columns - 1 - column
        if self.rows is not None and self._from_south:
            row = self.rows - 1 - row
        return column, row

    def label(self, hex: Hex) -> str:
        """The printed number of a hex."""
        doubled, row = hex.doubled
        column, row = self._turned((doubled + (self.odd_rows == "west")) // 2, row)
        numbers = (column + self.first, row + self.first)
        if min(numbers) < 0 or max(numbers) >= 10**self.width:
            raise LabelError(f"{hex} has no label: its column would be {numbers[0]} and its row {numbers[1]}")
        return "".join(f"{n:0{self.width}}" for n in (numbers if self.order == "column-row" else numbers[::-1]))

    def hex(self, text: str) -> Hex:
        """The hex with a printed number."""
        if not re.fullmatch(rf"[0-9]{{{2 * self.width}}}", text):
            parts = self.order.replace("-", " and ")
            example = f"{1:0{self.width}}{6:0{self.width}}"
            raise LabelError(f"{text!r} names no hex: expected {parts}, {self.width} digits each, such as {example!r}")
        numbers = (int(text[: self.width]) - self.first, int(text[self.width :]) - self.first)
        column, row = self._turned(*(numbers if self.order == "column-row" else numbers[::-1]))
        shift = row % 2 if self.odd_rows == "east" else -(row % 2)
        return Hex.from_doubled(2 * column + shift, row)


@frozen
class MemoirLabels:
    """Letters across and numbers from the south: capital letters in even rows, small ones in odd rows (row 0 is the north).

    >>> labels = MemoirLabels(rows=9)
    >>> labels.label(Hex.from_doubled(1, 1)), labels.hex("G5").doubled
    ('a8', (12, 4))
    """

    rows: int

    def label(self, hex: Hex) -> str:
        """The label of a hex."""
        column, row = hex.doubled
        if not (0 <= column < 52 and 0 <= row < self.rows):
            raise LabelError(f"{hex} has no label: letters reach from A to Z and rows from 1 to {self.rows}")
        return f"{chr((ord('a') if column % 2 else ord('A')) + column // 2)}{self.rows - row}"

    def hex(self, text: str) -> Hex:
        """The hex with a label."""
        if not re.fullmatch(r"[A-Za-z][1-9][0-9]*", text) or int(text[1:]) > self.rows:
            message = (
                f"{text!r} names no hex: expected a letter and a number from 1 to {self.rows}, such as 'A{self.rows}'"
            )
            raise LabelError(message)
        row = self.rows - int(text[1:])
        if (row % 2 == 1) != text[0].islower():
            raise LabelError(
                f"{text!r} names no hex: row {text[1:]} has {_CASES[row % 2]} letters, as in {text.swapcase()!r}"
            )
        return Hex.from_doubled(2 * (ord(text[0].upper()) - ord("A")) + row % 2, row)


_CASES = ("capital", "small")


@frozen
class LetterLabels:
    """Letters across and numbers from the north, both counted from the north-west corner: the labels of a drawn board.

    >>> LetterLabels().label(Hex.from_doubled(5, 3)), LetterLabels().hex("C4").doubled
    ('C4', (5, 3))
    """

    def label(self, hex: Hex) -> str:
        """The label of a hex; columns after Z are AA, AB and so on."""
        column, row = hex.doubled
        if column < 0 or row < 0:
            raise LabelError(f"{hex} has no label: it lies north or west of A1")
        letters, rest = "", column // 2 + 1
        while rest:
            rest, letter = divmod(rest - 1, 26)
            letters = chr(ord("A") + letter) + letters
        return f"{letters}{row + 1}"

    def hex(self, text: str) -> Hex:
        """The hex with a label."""
        match = re.fullmatch(r"([A-Z]+)([1-9][0-9]*)", text)
        if not match:
            raise LabelError(f"{text!r} names no hex: expected capital letters and a number from 1, such as 'C4'")
        column = 0
        for letter in match[1]:
            column = 26 * column + ord(letter) - ord("A") + 1
        row = int(match[2]) - 1
        return Hex.from_doubled(2 * (column - 1) + row % 2, row)


@frozen
class DoubledLabels:
    """The doubled coordinates themselves: `12,4` is column 12, row 4.

    >>> DoubledLabels().label(Hex(4, 4)), DoubledLabels().hex("12,4")
    ('12,4', Hex(q=4, r=4))
    """

    def label(self, hex: Hex) -> str:
        """The label of a hex."""
        column, row = hex.doubled
        return f"{column},{row}"

    def hex(self, text: str) -> Hex:
        """The hex with a label."""
        if not re.fullmatch(r"-?[0-9]+,-?[0-9]+", text):
            raise LabelError(f"{text!r} names no hex: expected a doubled column and a row, such as '12,4'")
        column, row = text.split(",")
        return Hex.from_doubled(int(column), int(row))
