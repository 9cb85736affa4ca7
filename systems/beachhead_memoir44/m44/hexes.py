"""The hexes of a scenario file: what lies in each, who stands there, and the markers on it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve, field, frozen

from beachhead.board import Board
from beachhead.hexes import Hex
from beachhead_memoir44.m44.nodes import Node, merge
from beachhead_memoir44.m44.values import (
    BoardSize,
    Exit,
    Face,
    FrozenMap,
    Layer,
    Marker,
    Mine,
    Objective,
    Placed,
)
from beachhead_memoir44.tables import Side, terrains, troop, troops
from beachhead_memoir44.vocabulary import Word, word

Fields = dict[str, Node]

PLACES = ("terrain", "rect_terrain", "obstacle")
_LAYER_KEYS = ("name", "orientation", "behavior", "behavior2", "original_owner", "properties")
_UNIT_KEYS = ("name", "badge", "nbr_units", "behavior", "behavior2", "equipment", "turn")
_TAG_KEYS = ("name", "group", "medal", "behavior", "side", "orientation")
_MEDAL_FLAGS = ("permanent", "majority", "turn_start", "any_hex", "sole_control", "last_to_occupy")
_KEYS = {**dict.fromkeys(PLACES, _LAYER_KEYS), "unit": _UNIT_KEYS}

# Properties that a tile of a file may have of its own; which hexes they close or open is for their rules to say.
_PROPERTIES = [
    "isImpassable",
    "mustBeAdjacentToEnter",
    "mustBeAdjacentToBattle",
    "mustStopWhenEntering",
    "mustStopMovingWhenEntering",
    "mustStopWhenLeaving",
    "enteringCannotBattle",
    "leavingCannotBattle",
    "cannotBattle",
    "cantLeave",
    "isImpassableForRetreat",
    "avoidIfPossible",
    "cantTakeGround",
    "cannotArmorOverrun",
    "canIgnoreOneFlag",
    "canIgnoreAllFlags",
    "mustIgnoreAllFlags",
    "isBlockingLineOfSight",
    "isBlockingLineOfAttack",
    "isBlockingSandbag",
    "canRecover",
    "isHill",
    "isBunker",
    "isBeach",
    "isBridge",
    "isMountain",
    "isRoad",
    "isCave",
    "isRiver",
    "isRail",
    "defense",
    "offense",
    "blockedDirections",
    "linkedDirections",
    "height",
    "owner",
]


@frozen
class HexEntry:
    """What a file lists for one hex, put together from all its entries; nothing is interpreted yet."""

    objects: dict[str, Fields] = field(factory=dict)
    """terrain, rect_terrain, obstacle and unit, each with the members it has."""
    tags: list[Node] = field(factory=list)


@frozen
class Contents:
    """What stands and lies on the board."""

    layers: dict[Hex, tuple[Layer, ...]] = field(factory=dict)
    units: list[Placed] = field(factory=list)
    objectives: list[Objective] = field(factory=list)
    exits: list[Exit] = field(factory=list)
    mines: list[Mine] = field(factory=list)
    markers: list[Marker] = field(factory=list)
    unread: list[str] = field(factory=list)


def position(fields: Mapping[str, Node], node: Node, size: BoardSize) -> Hex | None:
    """The hex of an entry with `row` and `col` (a doubled column); None, and a fault, when it is not on the board."""
    missing = [name for name in ("row", "col") if name not in fields]
    if missing:
        node.fault(f"{' and '.join(missing)} missing", "an entry of a hex has row and col")
        return None
    row = fields["row"].number(0, size.rows - 1)
    col = fields["col"].number(0, 2 * size.row_lengths[0] - 2)
    if row is None or col is None:
        return None
    if (row + col) % 2:
        columns = "1, 3, 5" if row % 2 else "0, 2, 4"
        fields["col"].fault(f"row {row} has no hex in this column", f"its columns are {columns} and so on")
        return None
    return Hex.from_doubled(col, row)


def read_entries(node: Node, size: BoardSize) -> dict[Hex, HexEntry]:
    """The hexes of `board.hexagons`; several entries for one hex are put together, and where they differ is a fault."""
    found: dict[Hex, HexEntry] = {}
    for item in node.items():
        if not item.is_object:
            continue
        fields = item.fields("row", "col", *PLACES, "unit", "tags")
        there = position(fields, item, size)
        if there is not None:
            _add(found.setdefault(there, HexEntry()), fields, size.board.label(there))
    return found


def patch_entry(entry: HexEntry, node: Node, label: str) -> None:
    """Add to one hex what a patch says: behaviours and owners of what the file lists there, and tags."""
    fields = node.fields(*PLACES, "unit", "tags")
    for place in (*PLACES, "unit"):
        if place in fields and place not in entry.objects:
            fields.pop(place).fault(f"nothing is listed there as {place}", "a patch adds to what the file has")
    allowed = {**dict.fromkeys(PLACES, _LAYER_KEYS[2:5]), "unit": _UNIT_KEYS[3:]}
    _add(entry, fields, label, allowed)


def _add(entry: HexEntry, fields: Fields, label: str, keys: Mapping[str, tuple[str, ...]] = _KEYS) -> None:
    for place in (*PLACES, "unit"):
        if place in fields and fields[place].value not in ([], {}) and fields[place].is_object:
            merge(entry.objects.setdefault(place, {}), fields[place].fields(*keys[place]), f"{place} of {label}")
    if "tags" in fields:
        there = [tag.value for tag in entry.tags]
        entry.tags.extend(tag for tag in fields["tags"].items() if tag.value not in there)


def read_contents(
    entries: Mapping[Hex, HexEntry], node: Node, size: BoardSize, face: Face, bottom: Side | None
) -> Contents:
    """Everything on the board. `bottom` is the side of player 2, who gets ships and trains that the file gives to nobody."""
    contents = Contents()
    bare_pairs: list[tuple[Hex, Node]] = []
    for there in size.board.hexes:
        entry = entries.get(there, HexEntry())
        unit = _unit(entry.objects["unit"], there, node) if "unit" in entry.objects else None
        layers = list(_layers(entry, node, unit.side if unit else None))
        printed = face.printed(size, there.r)
        if printed and "terrain" not in entry.objects:
            layers.insert(0, Layer("printed", printed, (printed,), key="board.face"))
        for layer in [layer for layer in layers if _is_troop(layer)]:
            layers.remove(layer)
            contents.units.append(_ship_or_train(layer, there, unit, bottom))
        if layers:
            contents.layers[there] = tuple(layers)
        if unit:
            contents.units.append(unit)
            _note_badge(unit, size.board, contents)
        for tag in entry.tags:
            _tag(tag, there, size.board, contents, bare_pairs)
    contents.exits.extend(_spans(bare_pairs, contents.exits, size.board))
    return contents


# ------------------------------------------------------------ tiles, tokens, obstacles
def _layers(entry: HexEntry, node: Node, occupant: Side | None) -> Iterator[Layer]:
    for place in PLACES:
        fields = entry.objects.get(place)
        if fields is None:
            continue
        if "name" not in fields:
            _nameless(fields, node, place)
            continue
        entry_word = fields["name"].word(place)
        orientation = (
            fields["orientation"].number(1, 12 if entry_word and entry_word.step == -1 else 6)
            if "orientation" in fields
            else 1
        )
        owner = fields["original_owner"].side() if "original_owner" in fields else None
        properties = fields["properties"].fields(*_PROPERTIES) if "properties" in fields else {}
        behaviours = tuple(_behaviours(fields, place))
        if entry_word is None:
            continue
        rows = entry_word.rows
        if entry_word.unowned:
            owner = owner or occupant
            rows = rows if owner else (entry_word.unowned,)
        for behaviour, at in behaviours:
            rows = _changed(rows, behaviour, at, entry_word)
        yield Layer(
            place,
            entry_word.name,
            rows,
            orientation or 1,
            tuple(behaviour.name for behaviour, _ in behaviours),
            owner,
            FrozenMap({name: _frozen(inner.value) for name, inner in properties.items()}),
            _key(fields),
        )


def _changed(rows: tuple[str, ...], behaviour: Word, at: Node, tile: Word) -> tuple[str, ...]:
    """The rows of a tile under a behaviour: some give way (a river becomes a ford), or some are added."""
    if not behaviour.replaces:
        return tuple(dict.fromkeys((*rows, *behaviour.rows)))
    if behaviour.replaces.isdisjoint(rows):
        names = " or ".join(sorted(behaviour.replaces))
        at.fault(
            f"{tile.name} cannot be {behaviour.name}: it is no {names}",
            "put it on a tile of that kind, or leave it out",
        )
        return rows
    return (*behaviour.rows, *(row for row in rows if row not in behaviour.replaces))


def _behaviours(fields: Fields, place: str) -> Iterator[tuple[Word, Node]]:
    for name in ("behavior", "behavior2", "equipment"):
        if name not in fields:
            continue
        found = fields[name].word("behavior")
        where = "equipment" if name == "equipment" else place
        if found and where not in found.on:
            fields[name].fault(f"{found.name} does not belong on {where}", f"it belongs on {' or '.join(found.on)}")
        elif found:
            yield found, fields[name]


def _key(fields: Fields) -> str:
    """The key of the object that has these members."""
    return fields["name"].key.removesuffix(".name")


def _nameless(fields: Fields, node: Node, place: str) -> None:
    key = next((inner.key.rpartition(".")[0] for inner in fields.values()), node.key)
    Node(key, None, node.faults).fault("name missing", f"every {place} has a name")


def _frozen(value: object) -> object:
    if isinstance(value, dict):
        return FrozenMap({name: _frozen(inner) for name, inner in value.items()})
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


# ------------------------------------------------------------ units
def _unit(fields: Fields, there: Hex, node: Node) -> Placed | None:
    if "name" not in fields:
        _nameless(fields, node, "unit")
        return None
    name = fields["name"].word("unit")
    badge = fields["badge"].word("badge") if "badge" in fields else None
    figures = fields["nbr_units"].number(1) if "nbr_units" in fields else None
    turn = fields["turn"].number() if "turn" in fields else 0
    behaviours = tuple(_behaviours(fields, "unit"))
    if name is None or name.side is None:
        return None
    row = _troop(name, badge, [behaviour for behaviour, _ in behaviours], figures)
    full = troops()[row].figures if row else 1
    if row and "figures_max" in troops()[row].special:
        full = figures or full
    same_side = badge is not None and badge.nation and badge.side in (None, name.side)
    return Placed(
        there,
        name.name,
        row,
        badge.nation if badge and same_side else name.nation,
        name.side,
        figures or full,
        full,
        badge.name if badge else "",
        tuple(behaviour.name for behaviour, at in behaviours if not at.key.endswith("equipment")),
        next((behaviour.name for behaviour, at in behaviours if at.key.endswith("equipment")), ""),
        turn or 0,
        key=_key(fields),
    )


def _troop(name: Word, badge: Word | None, behaviours: Iterable[Word], figures: int | None) -> str:
    """The troop row of a unit: by its name, its badge where that says more, its behaviour, and its single figure. "" for aeroplanes."""
    if not name.rows:
        return ""
    row = name.rows[0]
    for behaviour in behaviours:
        if behaviour.rows:
            return behaviour.rows[0]
    if badge and name.name in badge.unit_rows:
        return badge.unit_rows[name.name]
    fitting = [] if badge is None else [other for other in badge.rows if troop(other).base is troop(row).base]
    if fitting and row not in fitting:
        row = fitting[0]
    return name.single if name.single and figures == 1 and row == name.rows[0] else row


def _is_troop(layer: Layer) -> bool:
    return any(row not in terrains() for row in layer.rows)


def _ship_or_train(layer: Layer, there: Hex, aboard: Placed | None, bottom: Side | None) -> Placed:
    """A ship or a train, which the file has among the tokens. It belongs to the unit aboard, or its owner, or else the bottom player."""
    row = layer.rows[0]
    full = (layer.word and layer.word.figures) or troop(row).figures
    side = layer.original_owner or (aboard.side if aboard else None) or bottom or Side.ALLIES
    nation = aboard.nation if aboard else {Side.AXIS: "DE", Side.ALLIES: "US"}[side]
    return Placed(there, layer.name, row, nation, side, full, full, place="rect_terrain", key=layer.key)


def _note_badge(unit: Placed, board: Board, contents: Contents) -> None:
    """Say so where a badge changes nothing: nobody knows its meaning, or it belongs on units of another base type."""
    badge = word("badge", unit.badge) if unit.badge else None
    if badge is None or not unit.troop:
        return
    where = f"{unit.badge} on {unit.name} at {board.label(unit.hex)}"
    if not badge.rows and badge.confidence == "C":
        contents.unread.append(f"{where}: a badge without a known meaning")
    if badge.rows and all(troop(row).base is not troop(unit.troop).base for row in badge.rows):
        contents.unread.append(f"{where}: the badge of another kind of unit")


# ------------------------------------------------------------ tags
def _tag(node: Node, there: Hex, board: Board, contents: Contents, bare_pairs: list[tuple[Hex, Node]]) -> None:
    if not node.is_object:
        return
    fields = node.fields(*_TAG_KEYS)
    if "name" not in fields:
        node.fault("name missing", "every tag has a name")
        return
    name = fields["name"].word("tag")
    behaviours = tuple(found.name for found, _ in _behaviours(fields, "tag"))
    side = fields["side"].side() if "side" in fields else None
    group = fields["group"].hexes(board) if "group" in fields else ()
    if "orientation" in fields:
        fields["orientation"].number(1, 12)
    if name is None:
        return
    key = _key(fields)
    if name.name.startswith("medal"):
        contents.objectives.append(_objective(fields, name, there, group, side or name.side))
    elif "medal" in fields:
        fields["medal"].fault(f"{name.name} is no medal", "only medal0 to medal7 have it")
    elif name.name == "tag3":
        contents.mines.append(Mine(there, side, "DECOY_MEDAL_MINE_FIELD" in behaviours, key))
    elif name.name in ("tag4", "tag5") or "EXIT_MARKER" in behaviours:
        if name.name == "tag5" and not group:
            bare_pairs.append((there, node))
        else:
            contents.exits.append(Exit(tuple(dict.fromkeys((there, *group))), side, key))
    else:
        contents.markers.append(Marker(there, name.name, behaviours, side, key))
        if not name.unbuilt:
            contents.unread.append(
                f"marker {name.name} at {board.label(there)}: only the scenario's text gives it a meaning"
            )


def _objective(fields: Fields, name: Word, there: Hex, group: tuple[Hex, ...], side: Side | None) -> Objective:
    medal = fields["medal"].fields("counts_for", "nbr_hex", "side", *_MEDAL_FLAGS) if "medal" in fields else {}
    if "side" in medal:
        side = medal["side"].side()
    hexes = tuple(dict.fromkeys((there, *group)))
    number = (medal["nbr_hex"].number(1) if "nbr_hex" in medal else None) or 1
    if number > len(hexes):
        medal["nbr_hex"].fault(
            f"more hexes than the group has with the medal's own, {len(hexes)}", f"1 to {len(hexes)}"
        )
    objective = Objective(
        there,
        hexes,
        side,
        counts_for=(medal["counts_for"].number(1) if "counts_for" in medal else None) or 1,
        number=number,
        name=name.name,
        key=_key(fields),
    )
    flags: dict[str, Any] = {flag: medal[flag].flag() for flag in _MEDAL_FLAGS if flag in medal}
    return evolve(objective, **flags)


def _spans(bare: list[tuple[Hex, Node]], exits: Iterable[Exit], board: Board) -> Iterator[Exit]:
    """Exit markers of a pair that list no hexes: where another marker does not cover them, two in a row mark all hexes from one to the other."""
    covered = {there for way_out in exits for there in way_out.hexes}
    open_pairs: defaultdict[int, list[tuple[Hex, Node]]] = defaultdict(list)
    for there, node in bare:
        if there not in covered:
            open_pairs[there.r].append((there, node))
    for row, markers in sorted(open_pairs.items()):
        first, last = min(there for there, _ in markers), max(there for there, _ in markers)
        hexes = tuple(there for there in board.rows[row] if first <= there <= last)
        yield Exit(hexes, None, markers[0][1].key)
