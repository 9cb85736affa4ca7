"""What a scenario file says, as values: `ScenarioFile` and everything in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache, cached_property
from typing import Any, final

from attrs import field, frozen

from beachhead.board import Board
from beachhead.enums import Named
from beachhead.hexes import Direction, Hex, Hexside, MemoirLabels
from beachhead_memoir44.tables import Side, Terrain, Troop, modifier, terrain, troop
from beachhead_memoir44.vocabulary import Word, word

# Names whose rules are played, beyond what the tables and the vocabulary mark themselves.
_BUILT_SIZES = frozenset({"STANDARD"})
_BUILT_NATION_RULES: frozenset[str] = frozenset()


@final
class FrozenMap(Mapping[str, Any]):
    """A mapping that does not change: members by name, in the order of the file.

    >>> FrozenMap({"range": 4})["range"], FrozenMap({"a": 1}) == {"a": 1}
    (4, True)
    """

    __slots__ = ("_members",)

    def __init__(self, members: Mapping[str, Any] | None = None) -> None:
        self._members = dict(members or {})

    def __getitem__(self, key: str) -> Any:
        return self._members[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __hash__(self) -> int:
        return hash(frozenset(self._members.items()))

    def __repr__(self) -> str:
        return f"FrozenMap({self._members!r})"


class BoardSize(Named, StrEnum):
    """The three boards: one battlefield, two joined along their long sides (Breakthrough), two joined along their short sides (Overlord)."""

    STANDARD = "STANDARD"
    BRKTHRU = "BRKTHRU"
    OVERLORD = "OVERLORD"

    @property
    def rows(self) -> int:
        """Rows of hexes from the top baseline to the bottom one."""
        return 17 if self is BoardSize.BRKTHRU else 9

    @property
    def row_lengths(self) -> tuple[int, int]:
        """Hexes in the even rows (from row 0) and in the odd ones."""
        return (26, 25) if self is BoardSize.OVERLORD else (13, 12)

    @property
    def board(self) -> Board:
        """The empty board."""
        return _empty_board(self)


@cache
def _empty_board(size: BoardSize) -> Board:
    return Board.alternating(*size.row_lengths, size.rows, labels=MemoirLabels(size.rows))


class Face(Named, StrEnum):
    """What is printed on the board."""

    COUNTRY = "COUNTRY"
    WINTER = "WINTER"
    DESERT = "DESERT"
    BEACH = "BEACH"

    def printed(self, size: BoardSize, row: int) -> str:
        """The terrain row printed in a row of hexes, or "" for open ground: the beach board has three rows of beach above the water.

        >>> [Face.BEACH.printed(BoardSize.STANDARD, row) for row in (3, 4, 6, 7)]
        ['', 'beach', 'beach', 'ocean']
        """
        if self is not Face.BEACH:
            return ""
        first_beach, first_water = (11, 14) if size is BoardSize.BRKTHRU else (4, 7)
        return "ocean" if row >= first_water else "beach" if row >= first_beach else ""


@frozen
class Layer:
    """One thing that lies in a hex: a terrain tile, a token on it, a plastic obstacle, or what is printed on the board."""

    place: str
    """terrain, rect_terrain, obstacle or printed."""
    name: str
    rows: tuple[str, ...]
    """The terrain rows it stands for; several all apply; none is open ground."""
    orientation: int = 1
    behaviours: tuple[str, ...] = ()
    original_owner: Side | None = None
    properties: FrozenMap = field(factory=FrozenMap)
    key: str = field(default="", eq=False)

    @property
    def word(self) -> Word | None:
        """Its entry in the vocabulary; None for what is printed."""
        return None if self.place == "printed" else word(self.place, self.name)

    @property
    def directions(self) -> tuple[int, ...]:
        """Where its road, river, rail or bridge leads: steps of 30 degrees counter-clockwise from the east."""
        return self.word.directions(self.orientation) if self.word else ()


@frozen
class Placed:
    """A unit at set-up."""

    hex: Hex
    name: str
    troop: str
    """The row of the troop table; "" for an aeroplane, which no rule here moves."""
    nation: str
    side: Side
    figures: int
    full: int
    """Figures at full strength."""
    badge: str = ""
    behaviours: tuple[str, ...] = ()
    equipment: str = ""
    turn: int = 0
    """The turn until which it cannot be ordered, for CANNOT_BE_ACTIVATED_TILL_TURN."""
    place: str = "unit"
    """Where the file has it: unit, or rect_terrain for ships and trains."""
    key: str = field(default="", eq=False)

    @property
    def depleted(self) -> bool:
        """Whether it starts with fewer figures than its troop normally has (m44:troop.depleted.definition)."""
        return self.figures < self.full

    @property
    def played_as(self) -> Troop:
        """Its troop, under the modifier for depleted units where that applies."""
        return modifier("depleted").on(troop(self.troop)) if self.depleted else troop(self.troop)


@frozen
class Objective:
    """An objective medal. A bare medal in the file is temporary, counts one, and is held by the unit on that hex alone."""

    hex: Hex
    hexes: tuple[Hex, ...]
    """Its own hex and those of its group."""
    side: Side | None
    """The side that can hold it; None for either."""
    permanent: bool = False
    counts_for: int = 1
    number: int = 1
    """How many of the hexes must be held."""
    majority: bool = False
    turn_start: bool = False
    any_hex: bool = False
    sole_control: bool = False
    last_to_occupy: bool = False
    otherwise: Side | None = None
    """Who holds an any-hex medal while nobody of its side stands there; the file format has no word for it."""
    name: str = "medal0"
    key: str = field(default="", eq=False)


@frozen
class SuddenDeath:
    """The side that holds so many of these hexes wins at once (m44:victory.sudden_death)."""

    side: Side
    number: int
    hexes: tuple[Hex, ...]
    key: str = field(default="", eq=False)


@frozen
class Exit:
    """Hexes through which a side's units may leave the board; side None where the file names none."""

    hexes: tuple[Hex, ...]
    side: Side | None = None
    key: str = field(default="", eq=False)


@frozen
class Mine:
    """A minefield; side = who laid it, None where the file names nobody."""

    hex: Hex
    side: Side | None = None
    decoy_medal: bool = False
    key: str = field(default="", eq=False)


@frozen
class Marker:
    """Any other marker on a hex: camouflage, battle stars and the like."""

    hex: Hex
    name: str
    behaviours: tuple[str, ...] = ()
    side: Side | None = None
    key: str = field(default="", eq=False)


@frozen
class PlaceName:
    """A text printed on the board."""

    hex: Hex
    lines: tuple[str, ...]


@frozen
class Group:
    """A named group of hexes."""

    id: str
    hexes: tuple[Hex, ...]


@frozen
class Equipment:
    """One item of the equipment that a side may buy: shown as the file has it, not played."""

    caption: str = ""
    cost: int = 0
    compulsory: bool = False
    image: FrozenMap = field(factory=FrozenMap)


@frozen
class EquipmentPacks:
    """The equipment of both sides."""

    base_cost: int = 0
    packs: Mapping[Side, tuple[Equipment, ...]] = field(factory=dict, hash=False)

    def __bool__(self) -> bool:
        return any(self.packs.values())


@frozen
class ScenarioFile:
    """A whole `.m44` file, read and checked. Hexes are axial; `board.label(hex)` gives the name that players use."""

    path: str = field(eq=False)
    name: str
    size: BoardSize
    face: Face
    sides: tuple[Side, Side]
    """Player 1, who sits at the top (row 0), and player 2 at the bottom."""
    starting: Side | None
    """Who takes the first turn; None where the scenario's own text says it (SPECIAL)."""
    cards: Mapping[Side, int] = field(hash=False)
    medals_needed: Mapping[Side, int] = field(hash=False)
    layers: Mapping[Hex, tuple[Layer, ...]] = field(hash=False)
    """What lies in each hex that is not open ground, the tile first."""
    units: tuple[Placed, ...]
    objectives: tuple[Objective, ...] = ()
    sudden_death: tuple[SuddenDeath, ...] = ()
    exits: tuple[Exit, ...] = ()
    mines: tuple[Mine, ...] = ()
    markers: tuple[Marker, ...] = ()
    options: FrozenMap = field(factory=FrozenMap)
    option_keys: FrozenMap = field(factory=FrozenMap, eq=False)
    """Where each option stands in the file or its patch."""
    labels: tuple[PlaceName, ...] = ()
    groups: tuple[Group, ...] = ()
    meta_data: FrozenMap = field(factory=FrozenMap)
    game_info: FrozenMap = field(factory=FrozenMap)
    """What the file says about the battle beyond the fields above: front, dates, countries and so on."""
    packs: FrozenMap = field(factory=FrozenMap)
    """The boxes that the scenario needs, and how many of each."""
    equipment_packs: EquipmentPacks = field(factory=EquipmentPacks)
    texts: Mapping[str, FrozenMap] = field(factory=FrozenMap)
    """The texts of each language."""
    assumed: tuple[str, ...] = ()
    """What the file does not say and was taken as the format's default."""
    unread: tuple[str, ...] = ()
    """What nobody enforces: rules in prose, labels, markers whose meaning only the prose gives."""

    @cached_property
    def board(self) -> Board:
        """The board with what stays on it, and with its roads, rivers and rails as links. `obstacles` are left out."""
        fixed = {there: tuple(row for row in self.rows(there) if not row.removable) for there in self.layers}
        names = {there: tuple(row.id for row in rows) for there, rows in fixed.items()}
        size = self.size
        return Board.alternating(
            *size.row_lengths, size.rows, labels=MemoirLabels(size.rows), terrain=names, links=_links(self.layers)
        )

    @property
    def obstacles(self) -> Mapping[Hex, tuple[str, ...]]:
        """The terrain rows of obstacles that can be taken off the board (wire, sandbags), by hex."""
        found = {there: tuple(row.id for row in self.rows(there) if row.removable) for there in self.layers}
        return {there: rows for there, rows in found.items() if rows}

    def rows(self, hex: Hex) -> tuple[Terrain, ...]:
        """Every terrain row in a hex at set-up, also those that another one covers."""
        return tuple(terrain(row) for layer in self.layers.get(hex, ()) for row in layer.rows)

    def unsupported(self) -> tuple[str, ...]:
        """What the scenario asks for and the rules code does not play yet, each with the key where it stands (the first, of several).

        A battle is set up only when this is empty, so that nothing is silently dropped.
        """
        needs: defaultdict[str, list[str]] = defaultdict(list)
        for name, key in self._needs():
            needs[name].append(key)
        return tuple(
            sorted(
                f"{name} at {keys[0]}" + (f" and {len(keys) - 1} more" if len(keys) > 1 else "")
                for name, keys in needs.items()
            )
        )

    def _needs(self) -> Iterator[tuple[str, str]]:
        if self.size not in _BUILT_SIZES:
            yield f"board type {self.size}", "board.type"
        for layer in (layer for layers in self.layers.values() for layer in layers):
            yield from ((f"{layer.name} ({row})", layer.key) for row in layer.rows if not terrain(row).built)
            yield from _unbuilt(layer.word, layer.key)
            yield from _behaviours(layer.behaviours, layer.key)
            yield from ((f"property {name}", layer.key) for name in layer.properties)
        for unit in self.units:
            if unit.troop and not troop(unit.troop).built:
                yield f"{unit.name} ({unit.troop})", unit.key
            own = word(unit.place, unit.name)
            yield from _unbuilt(own, unit.key)
            if own.nation_rules and own.nation_rules not in _BUILT_NATION_RULES:
                yield f"{unit.name} ({own.nation_rules})", unit.key
            if unit.badge:
                yield from _unbuilt(word("badge", unit.badge), unit.key)
            yield from _behaviours((*unit.behaviours, *filter(None, [unit.equipment])), unit.key)
        for way_out in self.exits:
            yield "exit markers", way_out.key
        for mine in self.mines:
            if not terrain("minefield").built:
                yield "minefields", mine.key
            if mine.decoy_medal:
                yield from _behaviours(("DECOY_MEDAL_MINE_FIELD",), mine.key)
        for marker in self.markers:
            yield from _unbuilt(word("tag", marker.name), marker.key)
            yield from _behaviours(marker.behaviours, marker.key)
        for option in self.options:
            yield from _unbuilt(word("option", option), self.option_keys.get(option, option))


def _unbuilt(entry: Word | None, key: str) -> Iterator[tuple[str, str]]:
    if entry and entry.unbuilt:
        yield entry.name, key


def _behaviours(names: tuple[str, ...], key: str) -> Iterator[tuple[str, str]]:
    for name in names:
        yield from _unbuilt(word("behavior", name), key)


def _links(layers: Mapping[Hex, tuple[Layer, ...]]) -> dict[str, set[Hexside]]:
    """The pairs of neighbours that a road, a river or a rail joins: both tiles must lead to the other."""
    ways: defaultdict[str, set[tuple[Hex, Hex]]] = defaultdict(set)
    for there, stack in layers.items():
        for layer in stack:
            for kind, direction in _ways(layer):
                ways[kind].add((there, there.neighbour(direction)))
    return {kind: {Hexside(a, b) for a, b in pairs if (b, a) in pairs} for kind, pairs in ways.items()}


def _ways(layer: Layer) -> Iterator[tuple[str, Direction]]:
    kind = layer.word.link if layer.word else ""
    if kind not in ("road", "river", "rail"):
        return
    own = {Direction(code // 2) for code in layer.directions}
    yield from ((kind, direction) for direction in sorted(own))
    if kind == "rail" and "road" in layer.rows:
        # A road crosses the track; the format does not say by which sides, so it joins whatever road leads up to it.
        yield from (("road", direction) for direction in Direction if direction not in own)
