"""`Board`: the hexes of one map and everything printed on it."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import accumulate, groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import attrs
from attrs import field, frozen

from beachhead.board.masks import ones
from beachhead.hexes import (
    Direction,
    DoubledLabels,
    GeometryError,
    Hex,
    Hexside,
    LabelError,
    Labels,
    LetterLabels,
    MemoirLabels,
    NumberLabels,
)
from beachhead.places import PlaceLabels, plain_name
from beachhead.spelling import nearest

if TYPE_CHECKING:
    import networkx as nx


class OffBoard(GeometryError):
    """A hex that is not on the board."""


_CODECS: Mapping[str, type] = {
    "doubled": DoubledLabels,
    "letters": LetterLabels,
    "memoir": MemoirLabels,
    "numbers": NumberLabels,
}
_NO_FEATURES: frozenset[str] = frozenset()


def _row_major(hexes: Iterable[Hex]) -> tuple[Hex, ...]:
    return tuple(sorted((Hex(*hex) for hex in hexes), key=lambda hex: (hex.r, hex.q)))


def _terrain(terrain: Mapping[Hex, str | Iterable[str]]) -> dict[Hex, tuple[str, ...]]:
    names = {hex: (there,) if isinstance(there, str) else tuple(there) for hex, there in terrain.items()}
    return {hex: there for hex, there in names.items() if there}


def _features(hexsides: Mapping[Hexside, Iterable[str]]) -> dict[Hexside, frozenset[str]]:
    return {Hexside(*side): frozenset(there) for side, there in hexsides.items() if there}


def _links(links: Mapping[str, Iterable[tuple[Hex, Hex]]]) -> dict[str, frozenset[Hexside]]:
    return {kind: joined for kind, sides in links.items() if (joined := frozenset(Hexside(*side) for side in sides))}


def _named(named: Mapping[str, Hex]) -> dict[str, Hex]:
    return {name: Hex(*hex) for name, hex in named.items()}


@frozen(eq=False, repr=False)
class Board:
    """One map. Boards are compared and hashed by identity; `content_digest` compares what is on them.

    A hex has an index, its place in `hexes`, and a set of hexes has two forms: any iterable of hexes, and a `mask`, an int
    with one bit for each index. Masks are the fast form: `mask & blockers`, `mask.bit_count()`.

    Raises:
        GeometryError: a hex twice, something that lies off the board, or two hexes with one label.
    """

    hexes: tuple[Hex, ...] = field(converter=_row_major)
    """All hexes, row by row from the north, each row from the west."""
    terrain: Mapping[Hex, tuple[str, ...]] = field(factory=dict, converter=_terrain)
    """The names of the terrain on a hex; several may lie on one. An open hex is absent."""
    hexsides: Mapping[Hexside, frozenset[str]] = field(factory=dict, converter=_features)
    """The names of what stands on a hexside (a wall, a stream)."""
    links: Mapping[str, frozenset[Hexside]] = field(factory=dict, converter=_links)
    """For each kind of link (road, rail, river) the pairs of neighbours that it joins."""
    labels: Labels = field(factory=DoubledLabels)
    named: Mapping[str, Hex] = field(factory=dict, converter=_named)
    """Places with a name of their own."""

    def __attrs_post_init__(self) -> None:
        for before, after in zip(self.hexes, self.hexes[1:], strict=False):
            if before == after:
                raise GeometryError(f"{before} is on the board twice")
        if not self.hexes:
            raise GeometryError("a board has at least one hex")
        labels: dict[str, Hex] = {}
        for hex in self.hexes:
            label = self.labels.label(hex)
            if label in labels:
                raise GeometryError(f"{hex} and {labels[label]} have the same label {label!r}")
            labels[label] = hex
        linked = (side for sides in self.links.values() for side in sides)
        mentioned = {
            "terrain": self.terrain,
            "hexsides": (hex for side in self.hexsides for hex in side),
            "links": (hex for side in linked for hex in side),
            "named": self.named.values(),
        }
        for what, hexes in mentioned.items():
            for hex in hexes:
                if hex not in self:
                    raise OffBoard(f"{what}: {hex} is not on the board ({self.extent})")

    # Ready-made shapes

    @classmethod
    def rectangle(cls, columns: int, rows: int, *, labels: Labels | None = None, **contents: Any) -> Board:
        """A plain board: every row has the same number of hexes, odd rows stand half a hex to the east.

        `contents` are the other fields of a board. Labels are printed numbers, `0101` in the north-west, unless given.

        >>> Board.rectangle(3, 2)
        <Board of 6 hexes in 2 rows, 0101 to 0302>
        """
        hexes = tuple(Hex.from_doubled(2 * column + row % 2, row) for row in range(rows) for column in range(columns))
        if labels is None:
            labels = NumberLabels(width=2 if max(columns, rows) < 100 else 3)
        return cls(hexes, labels=labels, **contents)

    @classmethod
    def alternating(
        cls, first_row: int = 13, second_row: int = 12, rows: int = 9, *, labels: Labels | None = None, **contents: Any
    ) -> Board:
        """Rows of two lengths in turn, with Memoir '44 labels unless others are given.

        >>> Board.alternating()
        <Board of 113 hexes in 9 rows, A9 to M1>
        >>> Board.alternating().row_lengths
        (13, 12, 13, 12, 13, 12, 13, 12, 13)
        """
        lengths = (first_row, second_row)
        hexes = tuple(Hex.from_doubled(2 * i + row % 2, row) for row in range(rows) for i in range(lengths[row % 2]))
        return cls(hexes, labels=labels if labels is not None else MemoirLabels(rows), **contents)

    # Hexes and their names

    @cached_property
    def _index(self) -> dict[Hex, int]:
        return {hex: index for index, hex in enumerate(self.hexes)}

    @cached_property
    def _labels(self) -> dict[Hex, str]:
        return {hex: self.labels.label(hex) for hex in self.hexes}

    @cached_property
    def places(self) -> Labels:
        """The labels; where places have names, hexes are read by these, too."""
        return PlaceLabels(self.labels, self.named) if self.named else self.labels

    def __len__(self) -> int:
        return len(self.hexes)

    def __iter__(self) -> Iterator[Hex]:
        return iter(self.hexes)

    def __contains__(self, hex: object) -> bool:
        return hex in self._index

    def _off_board(self, hex: Hex) -> OffBoard:
        return OffBoard(f"{hex} is not on the board ({self.extent})")

    @property
    def extent(self) -> str:
        """How far the board reaches, in words."""
        labels = [self.labels.label(hex) for hex in self.hexes]
        if isinstance(self.labels, NumberLabels):  # from the lowest to the highest, whichever corner they count from
            labels.sort()
        first, last = labels[0], labels[-1]
        hexes, rows = len(self), len(self.rows)
        return f"{hexes} hex{'es' * (hexes > 1)} in {rows} row{'s' * (rows > 1)}, {first} to {last}"

    def __repr__(self) -> str:
        return f"<Board of {self.extent}>"

    def index(self, hex: Hex) -> int:
        """The place of a hex in `hexes`; `OffBoard` when it is not there."""
        try:
            return self._index[hex]
        except KeyError:
            raise self._off_board(hex) from None

    def label(self, hex: Hex) -> str:
        """The label of a hex on the board."""
        try:
            return self._labels[hex]
        except KeyError:
            raise self._off_board(hex) from None

    def hex(self, label: str) -> Hex:
        """The hex with a label or a name; `LabelError` for a text of another form, `OffBoard` for a hex that is not there.

        >>> Board.alternating().hex("a9")
        Traceback (most recent call last):
            ...
        beachhead.hexes.LabelError: 'a9' names no hex: row 9 has capital letters, as in 'A9'
        >>> Board.alternating().hex("m8")
        Traceback (most recent call last):
            ...
        beachhead.board.grid.OffBoard: 'm8' is not on the board (113 hexes in 9 rows, A9 to M1)
        """
        hex = self.places.hex(label)
        if hex not in self._index:
            raise OffBoard(f"{label!r} is not on the board ({self.extent})")
        return hex

    def find(self, text: str, others: Iterable[str] = ()) -> Hex:
        """The hex that somebody means who writes its label or its name on the map, in capitals or small letters.

        >>> Board.alternating().find("g5") == Board.alternating().hex("G5")
        True

        Args:
            text: what is written.
            others: what else may have been meant, such as the names of units: an error names the nearest of these and of the names on the map.

        Raises:
            LabelError, OffBoard: there is none, as for `hex`.
        """
        found = self._spelt.get(plain_name(text))
        if found is not None:
            return found
        hint = nearest(text, (*self.named, *others))
        try:
            hex = self.labels.hex(text)
        except LabelError as error:
            raise LabelError(f"{error}{hint}") from None
        if hex not in self._index:
            raise OffBoard(f"{text!r} is not on the board ({self.extent}){hint}")
        return hex

    @cached_property
    def _spelt(self) -> Mapping[str, Hex]:
        """The hexes by their names and labels, as names are compared."""
        labels = {plain_name(label): hex for hex, label in self._labels.items()}
        return {**{plain_name(name): hex for name, hex in self.named.items()}, **labels}

    @cached_property
    def rows(self) -> tuple[tuple[Hex, ...], ...]:
        """The rows from north to south, each from west to east."""
        return tuple(tuple(row) for _, row in groupby(self.hexes, key=lambda hex: hex.r))

    @property
    def row_lengths(self) -> tuple[int, ...]:
        """The number of hexes in each row, from north to south."""
        return tuple(map(len, self.rows))

    # What lies on hexes and between them

    def has(self, hex: Hex, terrain: str) -> bool:
        """Whether this terrain lies on the hex."""
        return terrain in self.terrain.get(hex, ())

    def where(self, terrain: str) -> tuple[Hex, ...]:
        """The hexes with this terrain."""
        return tuple(hex for hex in self.hexes if self.has(hex, terrain))

    @cached_property
    def _features(self) -> dict[tuple[Hex, Hex], frozenset[str]]:
        return {pair: there for (a, b), there in self.hexsides.items() for pair in ((a, b), (b, a))}

    def features(self, a: Hex, b: Hex) -> frozenset[str]:
        """What stands on the hexside between two neighbours, in either order.

        >>> board = Board.rectangle(2, 1, hexsides={Hexside(Hex(0, 0), Hex(1, 0)): {"wall"}})
        >>> board.features(Hex(1, 0), Hex(0, 0))
        frozenset({'wall'})
        """
        return self._features.get((a, b), _NO_FEATURES)

    @cached_property
    def _linked(self) -> dict[str, dict[Hex, tuple[Hex, ...]]]:
        return {
            kind: {hex: there for hex in self.hexes if (there := self._joined(hex, sides))}
            for kind, sides in self.links.items()
        }

    def _joined(self, hex: Hex, sides: frozenset[Hexside]) -> tuple[Hex, ...]:
        return tuple(other for other in self.neighbours(hex) if Hexside(hex, other) in sides)

    def linked(self, kind: str, a: Hex, b: Hex) -> bool:
        """Whether a link of this kind joins two neighbours, in either order."""
        return b in self.links_at(kind, a)

    def links_at(self, kind: str, hex: Hex) -> tuple[Hex, ...]:
        """The neighbours that a link of this kind joins to the hex."""
        return self._linked.get(kind, {}).get(hex, ())

    def graph(self, kind: str) -> nx.Graph[Hex]:
        """The links of one kind as a networkx graph of hexes; empty when the board has none."""
        import networkx as nx

        graph: nx.Graph[Hex] = nx.Graph()
        graph.add_edges_from(sorted(self.links.get(kind, ())))
        return graph

    # Neighbourhood

    @cached_property
    def _neighbours(self) -> dict[Hex, tuple[Hex, ...]]:
        return {hex: self._own(hex.neighbours) for hex in self.hexes}

    def _own(self, hexes: Iterable[Hex]) -> tuple[Hex, ...]:
        """Those that are on the board, as the board has them: each hex is there once, however often it is listed."""
        index, own = self._index, self.hexes
        return tuple([own[index[hex]] for hex in hexes if hex in index])

    def neighbours(self, hex: Hex) -> tuple[Hex, ...]:
        """The neighbours that are on the board, in the order E, NE, NW, W, SW, SE."""
        try:
            return self._neighbours[hex]
        except KeyError:
            raise self._off_board(hex) from None

    def edge(self, hex: Hex) -> tuple[Direction, ...]:
        """The directions in which the board ends at this hex: empty in its inside, so that it reads as a question.

        >>> board = Board.rectangle(3, 3)
        >>> [direction.name for direction in board.edge(board.hex("0101"))], bool(board.edge(board.hex("0202")))
        (['NE', 'NW', 'W', 'SW'], False)
        """
        self.index(hex)
        return tuple(direction for direction in Direction if hex.neighbour(direction) not in self._index)

    def within(self, hex: Hex, distance: int) -> tuple[Hex, ...]:
        """The hexes of the board within a distance, the hex itself included."""
        return self.members(self.within_mask(hex, distance))

    def within_mask(self, hex: Hex, distance: int) -> int:
        """`within` as a mask; computed once."""
        found = self._within.get((hex, distance))
        if found is None:
            self.index(hex)
            found = 0
            for r, west, east in hex.disk_rows(distance):
                start, columns = self._rows.get(r, (0, ()))
                first, end = bisect_left(columns, west), bisect_right(columns, east)
                found |= (1 << start + end) - (1 << start + first)
            self._within[hex, distance] = found
        return found

    @cached_property
    def _within(self) -> dict[tuple[Hex, int], int]:
        return {}

    @cached_property
    def _rows(self) -> dict[int, tuple[int, tuple[int, ...]]]:
        """For each r the index of its first hex, and the q of its hexes: in their order they have one index after the other."""
        rows = {r: tuple([q for q, _ in row]) for r, row in groupby(self.hexes, key=attrgetter("r"))}
        starts = accumulate(map(len, rows.values()), initial=0)
        return dict(zip(rows, zip(starts, rows.values(), strict=False), strict=False))

    # Sets of hexes as ints

    @cached_property
    def _bits(self) -> dict[Hex, int]:
        return {hex: 1 << index for index, hex in enumerate(self.hexes)}

    def mask(self, hexes: Iterable[Hex]) -> int:
        """A set of hexes as an int: bit `index(hex)` is set for each.

        >>> board = Board.rectangle(3, 2)
        >>> board.mask([Hex(0, 0), Hex(2, 0)]), board.members(0b101)
        (5, (Hex(q=0, r=0), Hex(q=2, r=0)))
        """
        bits, mask = self._bits, 0
        try:
            for hex in hexes:
                mask |= bits[hex]
        except KeyError as error:
            raise self._off_board(error.args[0]) from None
        return mask

    def members(self, mask: int) -> tuple[Hex, ...]:
        """The hexes of a mask, in the order of `hexes`."""
        if mask < 0 or mask.bit_length() > len(self):
            raise GeometryError(f"a mask of this board has {len(self)} bits, and {mask:#x} has others")
        hexes = self.hexes
        return tuple([hexes[i] for i in ones(mask)]) if mask else ()

    @cached_property
    def neighbour_masks(self) -> Mapping[Hex, int]:
        """For each hex its neighbours, as a mask."""
        return {hex: self.mask(others) for hex, others in self._neighbours.items()}

    def neighbour_mask(self, hex: Hex) -> int:
        """`neighbours` as a mask."""
        try:
            return self.neighbour_masks[hex]
        except KeyError:
            raise self._off_board(hex) from None

    def groups(self, members: Iterable[Hex] | Callable[[Hex], bool]) -> tuple[frozenset[Hex], ...]:
        """The contiguous groups of some hexes, given as a set or as a question; in the order of their first hexes.

        >>> board = Board.rectangle(4, 1, terrain={Hex(0, 0): "woods", Hex(2, 0): "woods", Hex(3, 0): "woods"})
        >>> [sorted(group) for group in board.groups(board.where("woods"))]
        [[Hex(q=0, r=0)], [Hex(q=2, r=0), Hex(q=3, r=0)]]
        """
        rest = self.mask(filter(members, self.hexes) if callable(members) else members)
        groups = []
        while rest:
            group = fringe = rest & -rest
            while fringe:
                around = 0
                for hex in self.members(fringe):
                    around |= self.neighbour_masks[hex]
                fringe = around & rest & ~group
                group |= fringe
            groups.append(frozenset(self.members(group)))
            rest &= ~group
        return tuple(groups)

    # Data and text

    def to_data(self) -> dict[str, Any]:
        """The board in plain JSON values, hexes by their labels; `from_data` reads it back."""
        kinds = [kind for kind, codec in _CODECS.items() if type(self.labels) is codec]
        if not kinds:
            raise GeometryError(f"{self.labels!r} has no JSON form; these have one: {', '.join(sorted(_CODECS))}")
        name = self._labels
        return {
            "labels": {"type": kinds[0], **attrs.asdict(self.labels)},  # type: ignore[arg-type]
            "hexes": [name[hex] for hex in self.hexes],
            "terrain": {name[hex]: list(self.terrain[hex]) for hex in self.hexes if hex in self.terrain},
            "hexsides": [[name[a], name[b], sorted(there)] for (a, b), there in sorted(self.hexsides.items())],
            "links": {
                kind: [[name[a], name[b]] for a, b in sorted(sides)] for kind, sides in sorted(self.links.items())
            },
            "named": {place: name[hex] for place, hex in sorted(self.named.items())},
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Board:
        """The board that `to_data` wrote down; `GeometryError` says what is wrong with the data."""
        for key in ("hexes", "labels"):
            if key not in data:
                raise GeometryError(f"the data of a board has {key!r}; here it is missing")
        codec = dict(data["labels"])
        kind = codec.pop("type", None)
        if kind not in _CODECS:
            raise GeometryError(f"labels of type {kind!r} are not known; these are: {', '.join(sorted(_CODECS))}")
        try:
            labels: Labels = _CODECS[kind](**codec)
        except TypeError as error:
            raise GeometryError(f"labels of type {kind!r}: {error}") from None
        at = labels.hex
        return cls(
            tuple(map(at, data["hexes"])),
            terrain={at(label): tuple(names) for label, names in data.get("terrain", {}).items()},
            hexsides={Hexside(at(a), at(b)): frozenset(there) for a, b, there in data.get("hexsides", ())},
            links={k: frozenset(Hexside(at(a), at(b)) for a, b in sides) for k, sides in data.get("links", {}).items()},
            labels=labels,
            named={place: at(label) for place, label in data.get("named", {}).items()},
        )

    def content_digest(self) -> str:
        """A SHA-256 of everything on the board: equal for boards with equal contents."""
        text = json.dumps(self.to_data(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def legend(self) -> dict[str, tuple[str, ...]]:
        """A symbol for every combination of terrain on this board, chosen by its letters; `text` uses it."""
        from beachhead.board.drawing import automatic_legend

        return automatic_legend(self)

    def text(self, legend: Mapping[str, str | tuple[str, ...]] | None = None) -> str:
        """The board drawn as text, which `draw` reads back with the same legend and labels.

        >>> print(Board.rectangle(3, 2, terrain={Hex(1, 0): "woods"}, named={"home": Hex(0, 1)}).text())
        . w .
         . . .
        <BLANKLINE>
        home = 0102
        """
        from beachhead.board.drawing import as_text

        return as_text(self, self.legend() if legend is None else legend)

    def __str__(self) -> str:
        remarks = [f"# {symbol} {' + '.join(names)}" for symbol, names in self.legend().items()]
        return "\n".join([self.text(), "", *remarks]) if remarks else self.text()
