"""The reader of the `.m44` format: files of our own that together have every key of it, broken ones of every kind, and the real ones."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import real_files

from beachhead.errors import Fault, ScenarioError
from beachhead.hexes import Hex
from beachhead_memoir44.m44 import BoardSize, Face, FrozenMap, Placed, ScenarioFile, read_m44, reading
from beachhead_memoir44.m44 import hexes as hex_reader
from beachhead_memoir44.m44 import options as option_reader
from beachhead_memoir44.tables import Side
from beachhead_memoir44.vocabulary import words

FILES = Path(__file__).parent / "files"
OURS = sorted(FILES.glob("*.m44"))
REAL = real_files()


def read(name: str) -> ScenarioFile:
    return read_m44(FILES / f"{name}.m44")


def layers(scenario: ScenarioFile, label: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(layer.name, layer.rows) for layer in scenario.layers.get(scenario.board.hex(label), ())]


def unit(scenario: ScenarioFile, label: str) -> Placed:
    (found,) = [unit for unit in scenario.units if unit.hex == scenario.board.hex(label) and unit.place == "unit"]
    return found


# ------------------------------------------------------------ whole files
@pytest.mark.parametrize("path", OURS, ids=lambda path: path.stem)
def test_our_files_read(path: Path) -> None:
    scenario = read_m44(path)
    assert scenario.name
    assert pickle.loads(pickle.dumps(scenario)) == scenario
    assert hash(scenario) == hash(read_m44(path))


@pytest.mark.skipif(not REAL, reason="the real files are not here")
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_real_files_read(path: Path) -> None:
    scenario = read_m44(path)
    raw = json.loads(path.read_text("utf-8-sig"))
    assert len(scenario.board) == {"STANDARD": 113, "BRKTHRU": 213, "OVERLORD": 230}[scenario.size]
    listed = {(entry["col"], entry["row"]) for entry in raw["board"]["hexagons"] if "unit" in entry}
    assert {unit.hex.doubled for unit in scenario.units if unit.place == "unit"} == listed
    assert all(unit.figures >= 1 for unit in scenario.units)
    assert not scenario.assumed or "cards_player1" not in raw["game_info"]


@pytest.mark.skipif(not REAL, reason="the real files are not here")
def test_in_real_files_neighbouring_roads_and_rivers_meet() -> None:
    """What fixes the reading of orientations: turned the other way, far fewer of them would."""
    meeting = parting = 0
    for path in REAL:
        if path.stem.startswith("test"):
            continue
        scenario = read_m44(path)
        ends = {
            (kind, there, there.neighbour(code // 2))
            for there, stack in scenario.layers.items()
            for layer in stack
            if layer.word and (kind := layer.word.link) in ("road", "river", "rail")
            for code in layer.directions
        }
        tiles = {(kind, there) for kind, there, _ in ends}
        for kind, a, b in ends:
            if (kind, b) in tiles:
                meeting += (kind, b, a) in ends
                parting += (kind, b, a) not in ends
    assert meeting > 600
    assert parting <= 5


def keys_of(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner)


def test_our_files_have_every_key_of_the_format() -> None:
    there = {key for path in OURS for key in keys_of(json.loads(path.read_text("utf-8-sig")))}
    known = {
        *reading._TOP,
        *reading._META_DATA,
        *reading._GAME_INFO,
        *reading._PACKS,
        *hex_reader._LAYER_KEYS,
        *hex_reader._UNIT_KEYS,
        *hex_reader._TAG_KEYS,
        *hex_reader._MEDAL_FLAGS,
        *option_reader._FORMS,
        *[
            "counts_for",
            "nbr_hex",
            "side",
            "type",
            "face",
            "hexagons",
            "labels",
            "groups",
            "row",
            "col",
            "group_id",
            "hexes",
            "condition",
            "group_sudden_death",
            "standard",
        ],
        *[
            "base_cost",
            "axis_pack",
            "allies_pack",
            "image",
            "weapon",
            "badge",
            "feature",
            "caption",
            "cost",
            "compulsory",
            "id",
            "login",
            "number",
            "group",
        ],
    }
    assert known - there == set()


@pytest.mark.parametrize("layer", ["terrain", "rect_terrain", "obstacle", "unit", "badge", "tag"])
def test_every_name_of_the_vocabulary_reads(layer: str, tmp_path: Path) -> None:
    hexes = BoardSize.BRKTHRU.board.hexes
    entries = []
    for there, name in zip(hexes, words()[layer], strict=False):
        col, row = there.doubled
        thing = {"unit": {"name": "infus", "badge": name}} if layer == "badge" else {layer: {"name": name}}
        entries.append({"row": row, "col": col, **({"tags": [{"name": name}]} if layer == "tag" else thing)})
    assert len(entries) == len(words()[layer])
    path = tmp_path / "all.m44"
    path.write_text(json.dumps({"board": {"type": "BRKTHRU", "hexagons": entries}}), "utf-8")
    scenario = read_m44(path)
    assert scenario.unsupported()
    found = len(scenario.layers) + len(scenario.units) + len(scenario.markers)
    found += len(scenario.objectives) + len(scenario.mines) + len(scenario.exits)
    assert found == len(entries) if layer != "tag" else found >= len(entries) - 1


# ------------------------------------------------------------ what a file says
def test_a_plain_battle() -> None:
    scenario = read("mill-crossing")
    assert (scenario.name, scenario.size, scenario.face) == ("Mill Crossing", BoardSize.STANDARD, Face.COUNTRY)
    assert (scenario.sides, scenario.starting) == ((Side.AXIS, Side.ALLIES), Side.ALLIES)
    assert scenario.cards == {Side.AXIS: 5, Side.ALLIES: 6}
    assert scenario.medals_needed == {Side.AXIS: 4, Side.ALLIES: 5}
    assert scenario.unsupported() == ()
    assert scenario.assumed == ()
    assert scenario.unread == (
        "label at B5: Mill / Bridge",
        "marker tag1 at G5: only the scenario's text gives it a meaning",
    )
    assert scenario.packs == {"terrain": 1}
    assert scenario.meta_data["scenario_id"] == "900001"
    assert scenario.game_info["front"] == "WESTERN"
    assert scenario.texts["en"]["subtitle"] == "An invented skirmish"


def test_layers_stand_for_rows() -> None:
    scenario = read("mill-crossing")
    assert layers(scenario, "C9") == [("buildings", ("town_village",))]
    assert layers(scenario, "B7") == [("hills", ("hill",)), ("sand", ("sandbags",))]
    assert layers(scenario, "B5") == [("river", ("river",)), ("bridge", ("bridge",))]
    assert layers(scenario, "e4") == [("river", ("river",)), ("ford", ("ford_fordable_river",))]
    assert layers(scenario, "f4") == [("river", ("fordable_stream",))]
    assert layers(scenario, "g4") == [("river", ("ford_fordable_river",))]
    assert layers(scenario, "C3") == [("hillroad", ("hill", "road"))]
    assert layers(scenario, "M9") == []


def test_a_behaviour_changes_one_row_of_a_combined_tile(tmp_path: Path) -> None:
    tile = {"name": "hillroad", "behavior": "STEEP_HILL"}
    path = tmp_path / "steep.m44"
    path.write_text(json.dumps({"board": {"hexagons": [{"row": 0, "col": 0, "terrain": tile}]}}), "utf-8")
    assert layers(read_m44(path), "A9") == [("hillroad", ("steep_hill", "road"))]


def test_the_board_keeps_what_stays_and_links_what_meets() -> None:
    scenario = read("mill-crossing")
    board = scenario.board
    assert board.terrain[board.hex("B7")] == ("hill",)
    assert scenario.obstacles == {board.hex("B7"): ("sandbags",), board.hex("k6"): ("wire",)}
    assert board.has(board.hex("E5"), "hedgehog")
    assert board.linked("river", board.hex("A5"), board.hex("B5"))
    assert board.linked("river", board.hex("D5"), board.hex("d4"))
    assert board.linked("river", board.hex("d4"), board.hex("e4"))
    assert not board.linked("river", board.hex("D5"), board.hex("E5"))
    assert {board.label(there) for there in board.links_at("road", board.hex("C3"))} == {"b4", "c2"}


def test_units() -> None:
    scenario = read("mill-crossing")
    assert (unit(scenario, "A9").troop, unit(scenario, "A9").nation, unit(scenario, "A9").figures) == (
        "infantry",
        "DE",
        4,
    )
    assert (unit(scenario, "d8").troop, unit(scenario, "d8").badge) == ("special_forces", "badge4")
    weak = unit(scenario, "e6")
    assert (weak.figures, weak.full, weak.depleted, weak.played_as.medal) == (3, 4, True, False)
    assert (unit(scenario, "F1").figures, unit(scenario, "F1").depleted) == (2, True)
    assert (unit(scenario, "E1").troop, unit(scenario, "E1").figures, unit(scenario, "E1").depleted) == (
        "elite_armor",
        4,
        False,
    )
    assert unit(scenario, "I1").figures == 4
    assert unit(scenario, "I1").played_as.medal


def test_a_bunker_belongs_to_its_garrison_where_the_file_does_not_say() -> None:
    scenario = read("mill-crossing")
    (bunker,) = scenario.layers[scenario.board.hex("J7")]
    assert (bunker.rows, bunker.original_owner) == (("bunker",), Side.AXIS)
    beaches = read("two-beaches")
    named = [layer for layer in beaches.layers[beaches.board.hex("b6")] if layer.name == "bunker"]
    nobodys = [layer for layer in beaches.layers[beaches.board.hex("c6")] if layer.name == "bunker"]
    assert [(layer.rows, layer.original_owner) for layer in named] == [(("bunker",), Side.AXIS)]
    assert [(layer.rows, layer.original_owner) for layer in nobodys] == [(("field_bunker",), None)]


def test_the_beach_board_has_its_printed_rows() -> None:
    scenario = read("two-beaches")
    assert [Face.BEACH.printed(BoardSize.BRKTHRU, row) for row in range(17)] == [""] * 11 + ["beach"] * 3 + [
        "ocean"
    ] * 3
    assert [Face.BEACH.printed(BoardSize.STANDARD, row) for row in range(9)] == [""] * 4 + ["beach"] * 3 + ["ocean"] * 2
    assert layers(scenario, "g6") == [("woods", ("forest",))]
    assert layers(scenario, "c6")[0] == ("beach", ("beach",))
    assert layers(scenario, "d4") == [("beach", ("beach",)), ("sand", ("sea_wall",))]
    assert layers(scenario, "A1") == [("ocean", ("ocean",))]
    assert layers(scenario, "A7") == []


def test_ships_and_trains_among_the_tokens_are_units() -> None:
    scenario = read("two-beaches")
    ships = {unit.name: unit for unit in scenario.units if unit.place == "rect_terrain"}
    assert (ships["pdestroyer"].troop, ships["pdestroyer"].side, ships["pdestroyer"].figures) == (
        "destroyer",
        Side.ALLIES,
        3,
    )
    assert ships["barge"].hex == unit(scenario, "F1").hex
    assert scenario.name == "Deux plages"
    assert scenario.unread == ("rules text (fr)",)


def test_the_wide_board() -> None:
    scenario = read("wide-plain")
    assert (scenario.size, len(scenario.board)) == (BoardSize.OVERLORD, 230)
    assert scenario.sides == (Side.ALLIES, Side.AXIS)
    assert scenario.starting is None
    assert "who starts: only the scenario's text says it" in scenario.unread
    assert unit(scenario, "Z9").nation == "GB"
    assert unit(scenario, "A1").nation == "IT"
    assert scenario.layers[scenario.board.hex("y2")][0].directions == (2, 8)


def test_later_exports_read_alike() -> None:
    scenario = read("later-export")
    assert (scenario.name, scenario.size, scenario.face) == ("Later Export", BoardSize.STANDARD, Face.COUNTRY)
    assert (scenario.sides, scenario.starting) == ((Side.AXIS, Side.ALLIES), Side.AXIS)
    assert scenario.cards == {Side.AXIS: 4, Side.ALLIES: 6}
    assert scenario.options == {"partial_blitz_rules": Side.ALLIES, "deck_reshuffling": False}
    assert layers(scenario, "G5") == [("woods", ("forest",))]
    assert (unit(scenario, "G5").figures, unit(scenario, "G5").depleted) == (2, True)
    (medal,) = scenario.objectives
    assert (medal.side, medal.permanent, medal.counts_for) == (Side.AXIS, True, 2)
    assert [label.lines for label in scenario.labels] == [("Copse", "Wood"), ("Ditch",)]
    assert scenario.groups[0].hexes == (Hex.from_doubled(1, 5), Hex.from_doubled(2, 4))
    assert [tuple(map(scenario.board.label, way_out.hexes)) for way_out in scenario.exits] == [
        ("B1", "C1", "D1"),
        ("G5",),
    ]
    assert scenario.exits[0].side is Side.AXIS
    assert scenario.meta_data["owner"] == {"id": "1", "login": "nobody"}
    assert "rules text (en)" in scenario.unread
    assert not any("victory text" in line for line in scenario.unread)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_byte_order_marks(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "again.m44"
    path.write_text((FILES / "later-export.m44").read_text("utf-8-sig"), encoding)
    assert read_m44(path) == read("later-export")


def test_objectives() -> None:
    scenario = read("catalogue")
    board = scenario.board
    full, any_hex, other = scenario.objectives
    assert [board.label(there) for there in full.hexes] == ["G5", "H5", "I5"]
    assert (full.side, full.permanent, full.counts_for, full.number) == (Side.ALLIES, False, 2, 2)
    assert (full.majority, full.turn_start, full.any_hex, full.sole_control, full.last_to_occupy) == (
        True,
        True,
        False,
        True,
        False,
    )
    assert (any_hex.side, any_hex.any_hex, any_hex.number) == (Side.ALLIES, True, 1)
    assert other.side is Side.AXIS
    bare = read("mill-crossing").objectives
    assert [(medal.side, medal.permanent, medal.counts_for, len(medal.hexes)) for medal in bare] == [
        (Side.ALLIES, False, 1, 1),
        (None, False, 1, 1),
    ]


def test_what_is_not_played_yet_is_named_with_its_place() -> None:
    scenario = read("catalogue")
    needs = scenario.unsupported()
    assert needs == tuple(sorted(needs))
    assert "exit markers at board.hexagons[30].tags[0] and 3 more" in needs
    assert "airdrop at game_info.options.airdrop" in needs
    assert "property isImpassable at board.hexagons[1].terrain" in needs
    for name in ("plnus", "badge37", "boat", "WIDE_RIVER", "ONE_MEDAL_IF_BLOWN", "infjp (m44:nation.japan)", "tag15"):
        assert any(need.startswith(f"{name} at ") for need in needs), name
    for name in ("deck_name", "empty_section_medals", "GERMAN_2VICTANK", "badge7", "motorized", "wittmann"):
        assert not any(need.startswith(f"{name} ") for need in needs), name
    assert "board type BRKTHRU at board.type" in read("two-beaches").unsupported()


def test_badges_behaviours_and_single_figures_say_which_troop() -> None:
    scenario = read("catalogue")
    troops = {
        scenario.board.label(unit.hex): (unit.troop, unit.figures, unit.depleted)
        for unit in scenario.units
        if unit.place == "unit"
    }
    assert troops["E9"] == ("sniper", 1, False)
    assert troops["F9"] == ("tiger", 1, False)
    assert troops["G9"] == ("french_resistance", 3, False)
    assert troops["H9"] == ("french_resistance", 3, False)
    assert troops["I9"] == ("special_forces", 4, False)
    assert troops["J9"] == ("flamethrower", 3, False)
    assert troops["K9"] == ("ski", 3, False)
    assert troops["L9"] == ("infantry", 4, False)
    assert troops["M9"] == ("supply_truck", 2, False)
    assert troops["b8"] == ("big_guns", 2, False)
    assert troops["c8"] == ("mobile_artillery", 2, False)
    assert troops["f8"] == ("", 1, False)
    assert troops["j8"] == ("infantry", 1, True)
    assert unit(scenario, "i8").behaviours == ("ARMOR_MOVE_TWO", "GERMAN_2VICTANK")
    assert (unit(scenario, "e8").equipment, unit(scenario, "e8").turn) == ("boat", 3)
    assert unit(scenario, "I9").nation == "FR"
    assert "badge33 on infger at L9: the badge of another kind of unit" in scenario.unread
    assert "badge7 on infus at g8: a badge without a known meaning" in scenario.unread


def test_markers_mines_exits_and_sudden_death() -> None:
    scenario = read("catalogue")
    label = scenario.board.label
    assert [(label(mine.hex), mine.side, mine.decoy_medal) for mine in scenario.mines] == [
        ("E7", Side.AXIS, False),
        ("F7", Side.ALLIES, True),
        ("G7", None, False),
    ]
    assert [(tuple(map(label, out.hexes)), out.side) for out in scenario.exits] == [
        (("H7",), Side.AXIS),
        (("I7",), None),
        (("G1", "H1", "I1"), Side.ALLIES),
        (("C1", "D1", "E1"), None),
    ]
    assert [(label(marker.hex), marker.name) for marker in scenario.markers] == [
        ("J7", "tag15"),
        ("J7", "tag9"),
        ("K7", "tag1"),
    ]
    (death,) = scenario.sudden_death
    assert (death.side, death.number, [label(there) for there in death.hexes]) == (Side.AXIS, 2, ["G5", "f4", "H5"])


def test_options_and_equipment() -> None:
    scenario = read("catalogue")
    assert scenario.options["partial_blitz_rules"] == "all"
    assert scenario.options["night_visibility_team_turn"] is Side.AXIS
    assert scenario.options["airdrop"]["nbr_units"] == (3, 3)
    assert scenario.options["airdrop"]["unit"] == {"name": "inf2us", "badge": "badge9"}
    assert scenario.options["empty_section_medals"] == {"side": Side.ALLIES, "count_for": 1, "sections": (0, 1, 2)}
    assert [scenario.board.label(there) for there in scenario.options["hill317"]] == ["L5", "k4"]
    assert scenario.equipment_packs.base_cost == 2
    (bought,) = scenario.equipment_packs.packs[Side.ALLIES]
    assert (bought.caption, bought.cost, bought.image) == ("Ice", 1, {"feature": "FROZEN_RIVER"})
    assert "equipment packs" in scenario.unread


def test_a_road_joins_a_track_that_it_crosses() -> None:
    board = read("catalogue").board
    assert board.linked("rail", board.hex("A7"), board.hex("B7"))
    assert board.linked("road", board.hex("B7"), board.hex("a6"))


def test_a_patch_adds_to_the_file() -> None:
    scenario = read("patched")
    assert layers(scenario, "C5") == [("hills", ("steep_hill",))]
    assert layers(scenario, "D5") == [("bunker", ("bunker",))]
    assert scenario.layers[scenario.board.hex("D5")][0].original_owner is Side.AXIS
    assert (unit(scenario, "E5").behaviours, unit(scenario, "E5").equipment) == (("ARMOR_MOVE_TWO",), "motorized")
    assert [(medal.side, medal.permanent) for medal in scenario.objectives] == [
        (Side.AXIS, False),
        (Side.AXIS, False),
        (Side.ALLIES, True),
    ]
    assert scenario.options == {
        "deck_reshuffling": False,
        "empty_section_medals": {"side": Side.ALLIES, "count_for": 1, "sections": (0,)},
    }
    assert scenario.option_keys["empty_section_medals"] == "patched.patch.toml: options.empty_section_medals"


def test_frozen_maps_do_not_change() -> None:
    frozen = FrozenMap({"a": (1, 2)})
    assert hash(frozen) == hash(FrozenMap({"a": (1, 2)}))
    with pytest.raises(TypeError):
        frozen["a"] = 3  # type: ignore[index]


# ------------------------------------------------------------ broken files
VALID: dict[str, Any] = {
    "meta_data": {"status": "PRIVATE"},
    "game_info": {
        "front": "WESTERN",
        "starting": "PLAYER1",
        "side_player1": "AXIS",
        "side_player2": "ALLIES",
        "cards_player1": 5,
        "cards_player2": 5,
        "victory_player1": 5,
        "victory_player2": 5,
        "options": {"deck_reshuffling": False},
        "victory": {"condition": [{"group_sudden_death": {"side": "AXIS", "number": 1, "group": ["A9"]}}]},
    },
    "board": {
        "type": "STANDARD",
        "face": "COUNTRY",
        "hexagons": [
            {"row": 0, "col": 0, "terrain": {"name": "woods", "orientation": 1}, "unit": {"name": "infger"}},
            {
                "row": 1,
                "col": 1,
                "unit": {"name": "infus", "nbr_units": "3"},
                "tags": [{"name": "medal1", "group": ["A9"]}],
            },
            {"row": 2, "col": 0, "obstacle": {"name": "wire"}, "rect_terrain": {"name": "ford"}},
        ],
        "labels": [{"row": 0, "col": 2, "text": ["Here"]}],
        "groups": [],
    },
    "packs": {"terrain": 1},
    "text": {"en": {"name": "Valid"}},
}

Change = Callable[[dict[str, Any]], object]


def broken(folder: Path, change: Change) -> tuple[Fault, ...]:
    """The faults that the reader finds in the valid file after a change."""
    content = copy.deepcopy(VALID)
    change(content)
    path = folder / "broken.m44"
    path.write_text(json.dumps(content), "utf-8")
    with pytest.raises(ScenarioError) as caught:
        read_m44(path)
    assert str(path) in str(caught.value)
    return caught.value.faults


def put(*keys: str | int, to: object) -> Change:
    """A change: the value at these keys."""

    def change(content: Any) -> None:
        for key in keys[:-1]:
            content = content[key]
        content[keys[-1]] = to

    return change


def test_the_valid_file_is_valid(tmp_path: Path) -> None:
    path = tmp_path / "valid.m44"
    path.write_text(json.dumps(VALID), "utf-8")
    assert read_m44(path).unsupported() == ()


HEX = ("board", "hexagons")


FAULTS: list[tuple[Change, str, object, str]] = [
    # unknown keys, everywhere
    (put("bord", to={}), "bord", None, "did you mean 'board'"),
    (put("meta_data", "statsu", to="x"), "meta_data.statsu", "x", "did you mean 'status'"),
    (put("game_info", "card_player1", to=4), "game_info.card_player1", 4, "did you mean 'cards_player1'"),
    (put("board", "size", to=9), "board.size", 9, "known keys"),
    (put(*HEX, 0, "terain", to={"name": "woods"}), "board.hexagons[0].terain", None, "did you mean 'terrain'"),
    (put(*HEX, 0, "unit", "nmae", to="x"), "board.hexagons[0].unit.nmae", "x", "did you mean 'name'"),
    (put(*HEX, 0, "terrain", "behaviour", to="FORD"), "board.hexagons[0].terrain.behaviour", "FORD", "'behavior'"),
    (put(*HEX, 0, "terrain", "properties", to={"isImpasable": 1}), "board.hexagons[0].terrain.properties.isImpasable", 1, "'isImpassable'"),
    (put(*HEX, 1, "tags", 0, "medals", to={}), "board.hexagons[1].tags[0].medals", None, "did you mean 'medal'"),
    (put(*HEX, 1, "tags", 0, "medal", to={"permament": True}), "board.hexagons[1].tags[0].medal.permament", True, "'permanent'"),
    (put("packs", "terrein", to=1), "packs.terrein", 1, "did you mean 'terrain'"),
    (put("equipment_packs", to={"axis_packs": []}), "equipment_packs.axis_packs", None, "did you mean 'axis_pack'"),
    # unknown names
    (put(*HEX, 0, "terrain", "name", to="wods"), "board.hexagons[0].terrain.name", "wods", "did you mean 'woods'"),
    (put(*HEX, 0, "terrain", "name", to="infger"), "board.hexagons[0].terrain.name", "infger", "the name of a unit"),
    (put(*HEX, 0, "terrain", "name", to="qqqqqq"), "board.hexagons[0].terrain.name", "qqqqqq", "no such name"),
    (put(*HEX, 0, "unit", "name", to="infgre"), "board.hexagons[0].unit.name", "infgre", "did you mean 'infger'"),
    (put(*HEX, 0, "unit", "badge", to="badge11"), "board.hexagons[0].unit.badge", "badge11", "did you mean 'badge1"),
    (put(*HEX, 0, "unit", "behavior", to="ARMOR_MOVE_2"), "board.hexagons[0].unit.behavior", "ARMOR_MOVE_2", "'ARMOR_MOVE_TWO'"),
    (put(*HEX, 0, "unit", "equipment", to="bote"), "board.hexagons[0].unit.equipment", "bote", "did you mean 'boat'"),
    (put(*HEX, 2, "obstacle", "name", to="wires"), "board.hexagons[2].obstacle.name", "wires", "did you mean 'wire'"),
    (put(*HEX, 2, "rect_terrain", "name", to="fort"), "board.hexagons[2].rect_terrain.name", "fort", "did you mean 'ford'"),
    (put(*HEX, 1, "tags", 0, "name", to="medal3"), "board.hexagons[1].tags[0].name", "medal3", "did you mean 'medal"),
    (put("game_info", "options", "blitz_rule", to=True), "game_info.options.blitz_rule", True, "did you mean 'blitz_rules'"),
    (put("options", to={"gung_hoo": True}), "options.gung_hoo", True, "did you mean 'gung_ho'"),
    (put("game_info", "options", "deck_name", to="OTHER_DECK"), "game_info.options.deck_name", "OTHER_DECK", "AIR_POWER_AS"),
    (put("game_info", "options", "airdrop", to={"centre": "A9"}), "game_info.options.airdrop.centre", "A9", "did you mean 'center'"),
    (put("game_info", "options", "airdrop", to={"option2": "X"}), "game_info.options.airdrop.option2", "X", "no such name"),
    # behaviours where they cannot be
    (put(*HEX, 0, "terrain", "behavior", to="FORD"), "board.hexagons[0].terrain.behavior", "FORD", "leave it out"),
    (put(*HEX, 0, "unit", "behavior", to="FORD"), "board.hexagons[0].unit.behavior", "FORD", "it belongs on terrain"),
    (put(*HEX, 0, "unit", "behavior", to="boat"), "board.hexagons[0].unit.behavior", "boat", "it belongs on equipment"),
    # words
    (put("board", "type", to="BREAKTHROUGH"), "board.type", "BREAKTHROUGH", "did you mean 'BRKTHRU'"),
    (put("board", "face", to="WINTRY"), "board.face", "WINTRY", "one of COUNTRY, WINTER, DESERT, BEACH; did you mean 'WINTER'"),
    (put("game_info", "front", to="NORTHERN"), "game_info.front", "NORTHERN", "one of WESTERN"),
    (put("game_info", "type", to=3), "game_info.type", 3, "one of HISTORICAL"),
    (put("game_info", "starting", to="PLAYER3"), "game_info.starting", "PLAYER3", "did you mean 'PLAYER"),
    (put("game_info", "side_player1", to="AXES"), "game_info.side_player1", "AXES", "did you mean 'AXIS'"),
    (put("game_info", "side_player2", to="AXIS"), "game_info.side_player2", "AXIS", "player 2 is ALLIES"),
    (put("game_info", "country_player1", to="Germany"), "game_info.country_player1", "Germany", "two letters"),
    (put("game_info", "date_begin", to="6 June 1944"), "game_info.date_begin", "6 June 1944", "YYYY-MM-DD"),
    (put(*HEX, 1, "tags", 0, "side", to="NEUTRAL"), "board.hexagons[1].tags[0].side", "NEUTRAL", "one of AXIS, ALLIES"),
    (put(*HEX, 2, "rect_terrain", "original_owner", to="ALIES"), "board.hexagons[2].rect_terrain.original_owner", "ALIES", "'ALLIES'"),
    (put("game_info", "expert_mode", to="maybe"), "game_info.expert_mode", "maybe", ""),
    (put("game_info", "options", "gung_ho", to="maybe"), "game_info.options.gung_ho", "maybe", ""),
    # numbers
    (put("game_info", "cards_player1", to="five"), "game_info.cards_player1", "five", ""),
    (put("game_info", "cards_player1", to=0), "game_info.cards_player1", 0, "a whole number from 1 to 60"),
    (put("game_info", "victory_player2", to=-1), "game_info.victory_player2", -1, "a whole number from 1 up"),
    (put(*HEX, 1, "unit", "nbr_units", to=2.5), "board.hexagons[1].unit.nbr_units", 2.5, ""),
    (put(*HEX, 1, "unit", "nbr_units", to="0"), "board.hexagons[1].unit.nbr_units", "0", "a whole number from 1 up"),
    (put(*HEX, 1, "unit", "nbr_units", to=True), "board.hexagons[1].unit.nbr_units", True, ""),
    (put(*HEX, 0, "terrain", "orientation", to=7), "board.hexagons[0].terrain.orientation", 7, "a whole number from 1 to 6"),
    (put(*HEX, 0, "terrain", "orientation", to=0), "board.hexagons[0].terrain.orientation", 0, "a whole number from 1 to 6"),
    (put(*HEX, 1, "tags", 0, "medal", to={"nbr_hex": 3}), "board.hexagons[1].tags[0].medal.nbr_hex", 3, "1 to 2"),
    (put(*HEX, 1, "tags", 0, "medal", to={"counts_for": 0}), "board.hexagons[1].tags[0].medal.counts_for", 0, "from 1 up"),
    # places
    (put(*HEX, 0, "row", to=9), "board.hexagons[0].row", 9, "a whole number from 0 to 8"),
    (put(*HEX, 0, "col", to=26), "board.hexagons[0].col", 26, "a whole number from 0 to 24"),
    (put(*HEX, 1, "col", to=2), "board.hexagons[1].col", 2, "its columns are 1, 3, 5"),
    (put("board", "labels", 0, "col", to=3), "board.labels[0].col", 3, "its columns are 0, 2, 4"),
    (put(*HEX, 1, "tags", 0, "group", to=["a9"]), "board.hexagons[1].tags[0].group[0]", "a9", "as in 'A9'"),
    (put(*HEX, 1, "tags", 0, "group", to=["Z9"]), "board.hexagons[1].tags[0].group[0]", "Z9", "not on the board"),
    (put("game_info", "options", "hill317", to=["L5", "K4"]), "game_info.options.hill317[1]", "K4", "'k4'"),
    (put("game_info", "victory", "condition", 0, "group_sudden_death", "group", to=["A10"]), "game_info.victory.condition[0].group_sudden_death.group[0]", "A10", "from 1 to 9"),
    (put("game_info", "victory", "condition", 0, "group_sudden_death", "number", to=2), "game_info.victory.condition[0].group_sudden_death.number", 2, "from 1 to 1"),
    (put("game_info", "victory", "condition", 0, to={"sudden_death": {}}), "game_info.victory.condition[0].sudden_death", None, "'group_sudden_death'"),
    # shapes
    (put(*HEX, to="none"), "board.hexagons", "none", "numbered items"),
    (put(*HEX, 0, to="A9"), "board.hexagons[0]", "A9", ""),
    (put(*HEX, 0, "terrain", to="woods"), "board.hexagons[0].terrain", "woods", ""),
    (put(*HEX, 1, "tags", to=["medal1"]), "board.hexagons[1].tags[0]", "medal1", ""),
    (put("text", "en", "name", to=["Valid"]), "text.en.name", None, ""),
    (put("text", to="Valid"), "text", "Valid", ""),
    (put("game_info", "options", to=[1]), "game_info.options", None, ""),
    (put("board", "labels", 0, "text", to=[5.5]), "board.labels[0].text[0]", 5.5, ""),
    # what is missing
    (lambda content: content.pop("board"), "board", None, "at least a board"),
    (lambda content: content["board"].pop("hexagons"), "board.hexagons", None, "all hexes that are not empty"),
    (lambda content: content["board"]["hexagons"][0].pop("row"), "board.hexagons[0]", None, "row and col"),
    (lambda content: content["board"]["hexagons"][0]["terrain"].pop("name"), "board.hexagons[0].terrain", None, "every terrain has a name"),
    (put(*HEX, 0, "unit", to={"badge": "badge4"}), "board.hexagons[0].unit", None, "every unit has a name"),
    (put(*HEX, 1, "tags", 0, to={"group": []}), "board.hexagons[1].tags[0]", None, "every tag has a name"),
    (put("game_info", "victory", "condition", 0, "group_sudden_death", to={"side": "AXIS"}), "game_info.victory.condition[0].group_sudden_death", None, "the list of hexes"),
    # what does not agree
    (lambda content: content["board"]["hexagons"].append({"row": 0, "col": 0, "terrain": {"name": "hills"}}), "board.hexagons[3].terrain.name", "hills", "keep one"),
    (lambda content: content["board"]["hexagons"].append({"row": 0, "col": 0, "unit": {"name": "tankger"}}), "board.hexagons[3].unit.name", "tankger", "keep one"),
    (put("options", to={"deck_reshuffling": True}), "options.deck_reshuffling", True, "keep one"),
    (put(*HEX, 1, "tags", 0, to={"name": "tag1", "medal": {}}), "board.hexagons[1].tags[0].medal", None, "only medal0"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "key", "value", "right"), FAULTS)
def test_a_fault_is_named(change: Change, key: str, value: object, right: str, tmp_path: Path) -> None:
    (fault,) = broken(tmp_path, change)
    assert (fault.key, fault.value) == (key, value)
    assert right in fault.fix
    assert fault.problem
    assert fault.key in str(fault)


def test_all_faults_come_in_one_error(tmp_path: Path) -> None:
    def change(content: dict[str, Any]) -> None:
        content["board"]["hexagons"][0]["unit"]["name"] = "infgre"
        content["board"]["hexagons"][1]["col"] = 2
        content["game_info"]["options"]["gungho"] = True
        content["packs"]["navy"] = 1

    faults = broken(tmp_path, change)
    assert sorted(fault.key for fault in faults) == [
        "board.hexagons[0].unit.name",
        "board.hexagons[1].col",
        "game_info.options.gungho",
        "packs.navy",
    ]


def test_what_a_file_leaves_out_is_told(tmp_path: Path) -> None:
    bare = {"board": {"type": "STANDARD", "hexagons": []}}
    path = tmp_path / "bare.m44"
    path.write_text(json.dumps(bare), "utf-8")
    scenario = read_m44(path)
    assert (scenario.name, scenario.units, scenario.layers) == ("bare", (), {})
    assert scenario.assumed == (
        "board.face = COUNTRY",
        "game_info.side_player1 = AXIS",
        "game_info.side_player2 = ALLIES",
        "game_info.starting = PLAYER1",
        "game_info.cards_player1 = 5",
        "game_info.cards_player2 = 5",
        "game_info.victory_player1 = 6",
        "game_info.victory_player2 = 6",
    )


def test_entries_for_one_hex_merge_where_they_agree(tmp_path: Path) -> None:
    content = copy.deepcopy(VALID)
    content["board"]["hexagons"] += [
        {"row": 0, "col": 0, "terrain": {"name": "woods", "original_owner": "AXIS"}, "tags": [{"name": "medal2"}]},
        {"row": 0, "col": 0, "tags": [{"name": "medal2"}, {"name": "tag1"}]},
    ]
    path = tmp_path / "twice.m44"
    path.write_text(json.dumps(content), "utf-8")
    scenario = read_m44(path)
    (layer,) = scenario.layers[scenario.board.hex("A9")]
    assert (layer.name, layer.orientation, layer.original_owner) == ("woods", 1, Side.AXIS)
    assert [medal.name for medal in scenario.objectives] == ["medal2", "medal1"]
    assert [marker.name for marker in scenario.markers] == ["tag1"]


@pytest.mark.parametrize(
    ("data", "key", "problem"),
    [
        (b"", "line 1, column 1", "no JSON"),
        (b'{"board": {,}}', "line 1, column 12", "no JSON"),
        (b'{\n"board": [1, 2\n}', "line 3, column 1", "no JSON"),
        (b'{"text": "\xe9t\xe9"}', "byte 10", "not UTF-8 text"),
        (b"\xff\xfe{", "byte 2", "not UTF-16 text"),
        (b'{"board": NaN}', "the file", "no number"),
        (b"[" * 100_000, "the file", "too deeply"),
        (b"[1, 2]", "the file", "no scenario"),
        (b'"text"', "the file", "no scenario"),
        (b"null", "the file", "no scenario"),
        (b"{}", "board", "missing"),
        (b'{"board": {"hexagons": [], "hexagons": []}}', "board.hexagons", "twice"),
    ],
)
def test_files_that_are_no_scenario(data: bytes, key: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.m44"
    path.write_bytes(data)
    with pytest.raises(ScenarioError) as caught:
        read_m44(path)
    (fault,) = caught.value.faults
    assert fault.key == key
    assert problem in fault.problem


def test_a_file_that_is_not_there_is_an_ordinary_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_m44(tmp_path / "nowhere.m44")


@pytest.mark.parametrize(
    ("patch", "key", "right"),
    [
        ("[hexes.A9]", "broken.patch.toml: hexes", "did you mean 'hex'"),
        ("[hex.Q1]", "broken.patch.toml: hex.Q1", "not on the board"),
        ('[hex."1,2"]', "broken.patch.toml: hex.1,2", "must be even"),
        ("[hex.a9]", "broken.patch.toml: hex.a9", "as in 'A9'"),
        (
            '[hex.A9]\nobstacle = { behavior = "SEAWALL" }',
            "broken.patch.toml: hex.A9.obstacle",
            "adds to what the file has",
        ),
        ('[hex.A9]\nterrain = { name = "hills" }', "broken.patch.toml: hex.A9.terrain.name", "known keys"),
        (
            '[hex.A9]\nterrain = { behavior = "FRDO" }',
            "broken.patch.toml: hex.A9.terrain.behavior",
            "did you mean 'FORD'",
        ),
        ("[hex.A9]\nunit = { nbr_units = 2 }", "broken.patch.toml: hex.A9.unit.nbr_units", "known keys"),
        ('[hex.A9]\ntags = [{ name = "medl1" }]', "broken.patch.toml: hex.A9.tags[0].name", "did you mean 'medal1'"),
        ("[options]\ngung_hoo = true", "broken.patch.toml: options.gung_hoo", "did you mean 'gung_ho'"),
        ("[options]\ndeck_reshuffling = true", "broken.patch.toml: options.deck_reshuffling", "keep one"),
        ("[hex.A9", "broken.patch.toml", ""),
    ],
)
def test_a_patch_is_checked_with_the_same_care(patch: str, key: str, right: str, tmp_path: Path) -> None:
    (tmp_path / "broken.patch.toml").write_text(patch, "utf-8")
    (fault,) = broken(tmp_path, lambda content: None)
    assert fault.key == key
    assert right in fault.fix
