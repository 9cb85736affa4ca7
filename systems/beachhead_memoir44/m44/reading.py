"""Reading a scenario file from its top: who fights, for how many medals, on which board."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from attrs import frozen

from beachhead.board import Board
from beachhead.enums import Named
from beachhead.errors import Fault, ScenarioError
from beachhead.hexes import GeometryError, Hex
from beachhead.scenario_files import toml
from beachhead.systems import Source
from beachhead_memoir44.m44.hexes import HexEntry, patch_entry, position, read_contents, read_entries
from beachhead_memoir44.m44.nodes import Node, Unreadable, merge, parse
from beachhead_memoir44.m44.options import read_options
from beachhead_memoir44.m44.values import (
    BoardSize,
    Equipment,
    EquipmentPacks,
    Face,
    FrozenMap,
    Group,
    PlaceName,
    ScenarioFile,
    SuddenDeath,
)
from beachhead_memoir44.tables import Side

# What holds where the file says nothing: the commonest figures of published scenarios.
DEFAULT_CARDS, DEFAULT_MEDALS = 5, 6

_TOP = ("meta_data", "game_info", "board", "packs", "text", "equipment_packs", "options")
_META_DATA = [
    "scenario_id",
    "status",
    "software",
    "ownerID",
    "author_id",
    "create_by",
    "create_date",
    "mod_by",
    "mod_date",
    "can_translate",
    "id",
    "owner",
    "author",
    "number",
    "original_id",
]
_GAME_INFO = [
    "front",
    "operationID",
    "operation",
    "date_begin",
    "date_end",
    "type",
    "starting",
    "side_player1",
    "side_player2",
    "country_player1",
    "country_player2",
    "cards_player1",
    "cards_player2",
    "victory_player1",
    "victory_player2",
    "victory_conditions",
    "victory",
    "expert_mode",
    "expert",
    "options",
]
_PACKS = ["base", "terrain", "eastern", "pacific", "air", "mediterranean", "battlemap", "campaign", "winterwars"]


class _Front(Named, StrEnum):
    WESTERN = "WESTERN"
    EASTERN = "EASTERN"
    MEDITERRANEAN = "MEDITERRANEAN"
    PACIFIC = "PACIFIC"


class _BattleType(Named, StrEnum):
    HISTORICAL = "HISTORICAL"
    FICTIONAL = "FICTIONAL"


class _Starting(Named, StrEnum):
    PLAYER1 = "PLAYER1"
    PLAYER2 = "PLAYER2"
    SPECIAL = "SPECIAL"


def read_m44(path: str | Path) -> ScenarioFile:
    """Read a `.m44` scenario file, and the patch `NAME.patch.toml` beside it if there is one.

    Every size and face of the format is read, whether or not its rules are played: `ScenarioFile.unsupported` says what is not.

    Args:
        path: the file. A patch adds to it, per hex (by its label, "C4", or its doubled column and row, "12,4"), behaviours, an original
            owner or equipment of what the file lists there and tags, options of the scenario, and who begins where the file has SPECIAL; the
            words are those of the format::

                starting = "PLAYER1"

                [options]
                north_african_desert_rules = true

                [hex.C4]
                terrain = { behavior = "STEEP_HILL" }
                unit = { behavior = "ARMOR_MOVE_TWO" }
                tags = [{ name = "medal1", medal = { permanent = true } }]

    Raises:
        ScenarioError: the file is broken, or holds something unknown; it lists every fault with its key, its value and what would be right.
        OSError: the file cannot be opened.
    """
    return read_source(Source(str(path), Path(path)))


PATCH = ".patch.toml"


def read_source(source: Source) -> ScenarioFile:
    """The same for a file or a text already in hand.

    Raises:
        ScenarioError, OSError: as `read_m44`.
    """
    path, faults = source.path or Path(source.name), list[Fault]()
    name = path.with_suffix(PATCH).name
    try:
        root = Node("", parse(path.read_bytes() if source.text is None else source.text.encode()), faults)
        patch = _patch(source, name)
        patched = {} if patch is None else Node(name, patch, faults).fields("starting", "options", "hex")
        scenario = _read(root, patched, path)
    except Unreadable as error:
        raise ScenarioError(path, (error.fault,)) from None
    if faults or scenario is None:
        raise ScenarioError(path, tuple(faults))
    return scenario


def _patch(source: Source, name: str) -> Any:
    try:
        text = source.beside(PATCH)
    except UnicodeDecodeError as error:
        raise Unreadable(Fault(name, None, f"no TOML: {error}")) from None
    found = None if text is None else toml(text, name)
    if isinstance(found, Fault):
        raise Unreadable(found)
    return found


def _read(root: Node, patch: Mapping[str, Node], path: Path) -> ScenarioFile | None:
    if not isinstance(root.value, dict):
        Node("the file", None, root.faults).fault(
            "is no scenario", "expected an object with meta_data, game_info, board and text"
        )
        return None
    top = root.fields(*_TOP)
    if "board" not in top:
        Node("board", None, root.faults).fault("missing", "a scenario has at least a board with hexagons")
        return None
    board = top["board"].fields("type", "face", "hexagons", "labels", "groups")
    size = (board["type"].choice(BoardSize) if "type" in board else None) or BoardSize.STANDARD
    face = (board["face"].choice(Face) if "face" in board else None) or Face.COUNTRY
    info = top["game_info"].fields(*_GAME_INFO) if "game_info" in top else {}
    if "starting" in patch:
        if "starting" in info and str(info["starting"].value).strip().upper() == _Starting.SPECIAL:
            del info["starting"]
        merge(info, {"starting": patch["starting"]}, "the scenario")
    game = _Battle.read(info, root)

    entries = read_entries(board["hexagons"], size) if "hexagons" in board else {}
    if "hexagons" not in board:
        Node("board.hexagons", None, root.faults).fault("missing", "the list of all hexes that are not empty")
    _patch_hexes(entries, patch, size)
    contents = read_contents(entries, top["board"], size, face, game.sides[1])
    options: dict[str, Node] = {}
    for node in (info.get("options"), top.get("options"), patch.get("options")):
        merge(options, node.members() if node else {}, "the scenario")

    texts = _texts(top["text"]) if "text" in top else FrozenMap()
    labels = tuple(_labels(board["labels"], size)) if "labels" in board else ()
    equipment = _equipment(top["equipment_packs"]) if "equipment_packs" in top else EquipmentPacks()
    unread = (
        *(
            f"{kind} text ({language})"
            for language, text in texts.items()
            for kind in ("rules", "victory")
            if text.get(kind, "").strip()
        ),
        *(f"label at {size.board.label(label.hex)}: {' / '.join(label.lines)}" for label in labels),
        *contents.unread,
        *(["equipment packs"] if equipment else []),
        *(["who starts: only the scenario's text says it"] if game.starting is None else []),
    )
    return ScenarioFile(
        path=str(path),
        name=_name(texts) or path.stem,
        size=size,
        face=face,
        sides=game.sides,
        starting=game.starting,
        cards=game.cards,
        medals_needed=game.medals,
        layers=contents.layers,
        units=tuple(contents.units),
        objectives=tuple(contents.objectives),
        sudden_death=tuple(_sudden_death(info, size.board)),
        exits=tuple(contents.exits),
        mines=tuple(contents.mines),
        markers=tuple(contents.markers),
        options=read_options(options, size.board),
        option_keys=FrozenMap({name: node.key for name, node in options.items()}),
        labels=labels,
        groups=tuple(_groups(board["groups"], size)) if "groups" in board else (),
        meta_data=_meta_data(top["meta_data"]) if "meta_data" in top else FrozenMap(),
        game_info=_details(info),
        packs=_packs(top["packs"]) if "packs" in top else FrozenMap(),
        equipment_packs=equipment,
        texts=texts,
        assumed=(
            *(f"board.{key} = {value}" for key, value in (("type", size), ("face", face)) if key not in board),
            *game.assumed,
        ),
        unread=unread,
    )


# ------------------------------------------------------------ the battle
@frozen
class _Battle:
    """Who fights whom, with how many cards and for how many medals."""

    sides: tuple[Side, Side]
    starting: Side | None
    cards: Mapping[Side, int]
    medals: Mapping[Side, int]
    assumed: tuple[str, ...]

    @classmethod
    def read(cls, info: Mapping[str, Node], root: Node) -> _Battle:
        assumed: list[str] = []

        def given(key: str, default: object) -> Node:
            if key not in info:
                assumed.append(f"game_info.{key} = {default}")
            return info.get(key, Node(f"game_info.{key}", default, root.faults))

        top = given("side_player1", "AXIS").side() or Side.AXIS
        bottom = given("side_player2", top.other.value).side() or top.other
        if top is bottom:
            given("side_player2", "").fault(
                "both players have the same side", f"player 1 is {top.value}, so player 2 is {top.other.value}"
            )
        start = given("starting", "PLAYER1").choice(_Starting)
        cards = [given(f"cards_player{i}", DEFAULT_CARDS).number(1, 60) or DEFAULT_CARDS for i in (1, 2)]
        medals = [given(f"victory_player{i}", DEFAULT_MEDALS).number(1) or DEFAULT_MEDALS for i in (1, 2)]
        sides = (top, top.other)
        starting = {_Starting.PLAYER1: sides[0], _Starting.PLAYER2: sides[1]}.get(start) if start else None
        return cls(
            sides, starting, dict(zip(sides, cards, strict=True)), dict(zip(sides, medals, strict=True)), tuple(assumed)
        )


def _details(info: Mapping[str, Node]) -> FrozenMap:
    """The rest of `game_info`, checked and kept as it is."""
    details: dict[str, object] = {}
    for name, enum in (("front", _Front), ("type", _BattleType)):
        if name in info:
            details[name] = info[name].choice(enum)
    for name in ("operationID", "operation"):
        if name in info:
            details[name] = info[name].text()
    for name in ("date_begin", "date_end"):
        if name in info:
            date = info[name].text()
            if date and not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", date):
                info[name].fault("no date", "YYYY-MM-DD, such as 1944-06-06")
            details[name] = date
    for name in ("country_player1", "country_player2"):
        if name in info:
            country = info[name].text().upper()
            if country and not re.fullmatch(r"[A-Z]{2}", country):
                info[name].fault("no country", "two letters, such as DE or US")
            details[name] = country
    for name in ("expert_mode", "expert"):
        if name in info:
            details[name] = info[name].flag()
    return FrozenMap(details)


def _sudden_death(info: Mapping[str, Node], board: Board) -> Iterator[SuddenDeath]:
    conditions = list(info["victory_conditions"].items()) if "victory_conditions" in info else []
    if "victory" in info:
        victory = info["victory"].fields("condition")
        conditions.extend(victory["condition"].items() if "condition" in victory else ())
    for condition in conditions:
        for name, node in condition.fields("standard", "group_sudden_death").items():
            fields = node.fields("side", "number", "group") if name == "group_sudden_death" else node.fields()
            if name == "standard":
                continue
            missing = [key for key in ("side", "group") if key not in fields]
            if missing:
                node.fault(f"{' and '.join(missing)} missing", "side, number and group, the list of hexes")
                continue
            side, hexes = fields["side"].side(), fields["group"].hexes(board)
            number = fields["number"].number(1, max(1, len(hexes))) if "number" in fields else len(hexes)
            if side and hexes and number:
                yield SuddenDeath(side, number, hexes, node.key)


# ------------------------------------------------------------ the board's texts and groups
def _labels(node: Node, size: BoardSize) -> Iterator[PlaceName]:
    for item in node.items():
        if not item.is_object:
            continue
        fields = item.fields("row", "col", "text")
        there = position(fields, item, size)
        text = fields.get("text")
        if text is None:
            continue
        lines = (text.text(),) if isinstance(text.value, str) else tuple(line.text() for line in text.items())
        if there is not None and any(line.strip() for line in lines):
            yield PlaceName(there, lines)


def _groups(node: Node, size: BoardSize) -> Iterator[Group]:
    for item in node.items():
        fields = item.fields("group_id", "hexes")
        places = fields["hexes"].items() if "hexes" in fields else ()
        hexes = [position(place.fields("row", "col"), place, size) for place in places if place.is_object]
        name = fields["group_id"].text() if "group_id" in fields else ""
        yield Group(name, tuple(there for there in hexes if there is not None))


def _patch_hexes(entries: dict[Hex, HexEntry], patch: Mapping[str, Node], size: BoardSize) -> None:
    for label, node in patch["hex"].members().items() if "hex" in patch else ():
        try:
            there = _hex(label, size)
        except GeometryError as error:
            Node(node.key, label, node.faults).fault("no hex of this board", str(error))
            continue
        patch_entry(entries.setdefault(there, HexEntry()), node, size.board.label(there))


def _hex(label: str, size: BoardSize) -> Hex:
    if match := re.fullmatch(r"\s*([0-9]+)\s*,\s*([0-9]+)\s*", label):
        there = Hex.from_doubled(int(match[1]), int(match[2]))
        size.board.index(there)
        return there
    return size.board.hex(label)


# ------------------------------------------------------------ what is kept as it stands
def _meta_data(node: Node) -> FrozenMap:
    kept: dict[str, object] = {}
    for name, inner in node.fields(*_META_DATA).items():
        if name in ("owner", "author"):
            people = inner.fields("id", "login")
            kept[name] = FrozenMap({key: person.text() for key, person in people.items()})
        elif name == "can_translate":
            kept[name] = inner.flag()
        else:
            kept[name] = inner.text()
    return FrozenMap(kept)


def _packs(node: Node) -> FrozenMap:
    return FrozenMap({name: inner.number() for name, inner in node.fields(*_PACKS).items()})


def _equipment(node: Node) -> EquipmentPacks:
    fields = node.fields("base_cost", "axis_pack", "allies_pack")
    cost = fields["base_cost"].number() if "base_cost" in fields else 0
    packs = {}
    for side, name in ((Side.AXIS, "axis_pack"), (Side.ALLIES, "allies_pack")):
        packs[side] = tuple(map(_equipment_item, fields[name].items())) if name in fields else ()
    return EquipmentPacks(cost or 0, packs)


def _equipment_item(node: Node) -> Equipment:
    fields = node.fields("image", "caption", "cost", "compulsory")
    image = fields["image"].fields("weapon", "badge", "feature") if "image" in fields else {}
    return Equipment(
        fields["caption"].text() if "caption" in fields else "",
        (fields["cost"].number() if "cost" in fields else None) or 0,
        fields["compulsory"].flag() if "compulsory" in fields else False,
        FrozenMap({name: inner.text() for name, inner in image.items()}),
    )


def _texts(node: Node) -> FrozenMap:
    languages = node.members()
    return FrozenMap(
        {
            language: FrozenMap({kind: text.text() for kind, text in inner.members().items()})
            for language, inner in languages.items()
        }
    )


def _name(texts: Mapping[str, FrozenMap]) -> str:
    names = (texts[language].get("name", "").strip() for language in sorted(texts, key=lambda code: code != "en"))
    return next((name for name in names if name), "")
