"""The reader of the `.m44` format: files of our own that together have every key of it, broken ones of every kind, and the real ones."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import real_files

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
    entries = [
        {"row": 0, "col": 0, "terrain": {"name": "woods", "orientation": 1}},
        {"row": 0, "col": 0, "terrain": {"name": "woods", "original_owner": "AXIS"}, "tags": [{"name": "medal2"}]},
        {"row": 0, "col": 0, "tags": [{"name": "medal2"}, {"name": "tag1"}]},
    ]
    path = tmp_path / "twice.m44"
    path.write_text(json.dumps({"board": {"hexagons": entries}}), "utf-8")
    scenario = read_m44(path)
    (layer,) = scenario.layers[scenario.board.hex("A9")]
    assert (layer.name, layer.orientation, layer.original_owner) == ("woods", 1, Side.AXIS)
    assert [medal.name for medal in scenario.objectives] == ["medal2"]
    assert [marker.name for marker in scenario.markers] == ["tag1"]
