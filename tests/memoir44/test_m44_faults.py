"""What the reader of the `.m44` format says of broken files: every fault with its key, its value and what would be right, all in one error."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from beachhead.errors import Fault, ScenarioError
from beachhead_memoir44.m44 import read_m44
from beachhead_memoir44.tables import Side

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
    (put("board", "labels", to={"0" * 5_000: {}}), "board.labels", None, "numbered items"),
    (put("game_info", "options", "airdrop", to={"behavior": {}}), "game_info.options.airdrop.behavior", None, ""),
    (put("game_info", "options", "armor_breakthrough_rules", to={"AXIS": {"behavior": [1]}}), "game_info.options.armor_breakthrough_rules.AXIS.behavior", None, ""),
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
        (b'{"board": ' + b"1" * 5_000 + b"}", "the file", "too many digits"),
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
        ('starting = "PLAYER2"', "broken.patch.toml: starting", "keep one"),
        ('starting = "NOBODY"', "broken.patch.toml: starting", "keep one"),
    ],
)
def test_a_patch_is_checked_with_the_same_care(patch: str, key: str, right: str, tmp_path: Path) -> None:
    (tmp_path / "broken.patch.toml").write_text(patch, "utf-8")
    (fault,) = broken(tmp_path, lambda content: None)
    assert fault.key == key
    assert right in fault.fix


@pytest.mark.parametrize(("starting", "side"), [("PLAYER1", Side.AXIS), ("PLAYER2", Side.ALLIES)])
def test_a_patch_says_who_begins_where_the_prose_does(starting: str, side: Side, tmp_path: Path) -> None:
    content = copy.deepcopy(VALID)
    content["game_info"]["starting"] = "SPECIAL"
    path = tmp_path / "special.m44"
    path.write_text(json.dumps(content), "utf-8")
    assert read_m44(path).starting is None
    (tmp_path / "special.patch.toml").write_text(f'starting = "{starting}"', "utf-8")
    assert read_m44(path).starting is side
