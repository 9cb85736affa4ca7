"""The terrain and troop tables and the vocabulary: what the rows say, and what their loaders refuse."""

from __future__ import annotations

import pickle
import tomllib
from pathlib import Path

import pytest

from beachhead.errors import RulesError, UnknownName
from beachhead_memoir44 import tables
from beachhead_memoir44.tables import (
    FOLDER,
    BaseType,
    BlocksSight,
    Condition,
    Occupant,
    Side,
    Terrain,
    Troop,
    cells,
    modifier,
    modifiers,
    read_table,
    statements,
    terrain,
    terrains,
    troop,
    troops,
    uncovered,
)
from beachhead_memoir44.vocabulary import read_words, words

ALL = frozenset({BaseType.INFANTRY, BaseType.ARMOR, BaseType.ARTILLERY})
HEAVY = frozenset({BaseType.ARMOR, BaseType.ARTILLERY})


def test_every_row_is_there() -> None:
    assert (len(terrains()), len(troops()), list(modifiers())) == (67, 29, ["depleted"])
    assert sum(map(len, words().values())) == 292


# What the help document says of each terrain that is built: read line by line, absences included.
BUILT = {
    "forest": {
        "protection": {"infantry": -1, "armor": -2},
        "stop_on_enter": ALL,
        "no_battle_on_enter": ALL,
        "blocks_los": BlocksSight.YES,
    },
    "hedgerow": {
        "protection": {"infantry": -1, "armor": -2},
        "stop_on_enter": ALL,
        "stop_on_exit": ALL,
        "no_battle_on_enter": ALL,
        "enter_only_if_start_adjacent": True,
        "take_ground": True,
        "blocks_los": BlocksSight.YES,
    },
    "hill": {
        "protection": {"infantry": -1, "armor": -1},
        "protection_when": Condition.FROM_BELOW,
        "blocks_los": BlocksSight.EXCEPT_SAME_HEIGHT,
        "height": 1,
    },
    "town_village": {
        "protection": {"infantry": -1, "armor": -2},
        "battle_out": {"armor": -2},
        "stop_on_enter": ALL,
        "no_battle_on_enter": ALL,
        "blocks_los": BlocksSight.YES,
    },
    "beach": {"max_move": 2, "take_ground": True, "blocks_los": BlocksSight.NO},
    "ocean": {
        "max_move_from": 1,
        "stop_on_enter": ALL,
        "no_battle_inside": ALL,
        "no_retreat_onto": True,
        "no_sandbags": True,
        "blocks_los": BlocksSight.NO,
    },
    "river": {"impassable_to": ALL, "blocks_los": BlocksSight.NO},
    "bridge": {
        "covers": frozenset({"river", "fordable_stream", "ford_fordable_river", "frozen_river"}),
        "blocks_los": BlocksSight.NO,
    },
    "ford_fordable_river": {
        "battle_out": {"infantry": -1, "armor": -1, "artillery": -1},
        "stop_on_enter": ALL,
        "covers": frozenset({"river"}),
        "no_sandbags": True,
        "blocks_los": BlocksSight.NO,
    },
    "fordable_stream": {"stop_on_enter": ALL, "take_ground": True, "blocks_los": BlocksSight.NO},
    "road": {"road_bonus": 1, "road_bonus_battle": 1, "blocks_los": BlocksSight.NO},
    "bunker": {
        "protection": {"infantry": -1, "armor": -2},
        "protection_when": Condition.ORIGINAL_OWNER,
        "impassable_to": HEAVY,
        "no_move_out": frozenset({BaseType.ARTILLERY}),
        "no_retreat": frozenset({BaseType.ARTILLERY}),
        "ignore_flags": 1,
        "ignore_flags_who": Occupant.ORIGINAL_OWNER,
        "blocks_los": BlocksSight.YES,
    },
    "hedgehog": {
        "impassable_to": HEAVY,
        "ignore_flags": 1,
        "ignore_flags_who": Occupant.INFANTRY,
        "blocks_los": BlocksSight.NO,
    },
    "wire": {
        "battle_out": {"infantry": -1},
        "stop_on_enter": ALL,
        "remove_instead_of_battle": frozenset({BaseType.INFANTRY}),
        "removed_by_entry": frozenset({BaseType.ARMOR}),
        "blocks_los": BlocksSight.NO,
    },
    "sandbags": {
        "protection": {"infantry": -1, "armor": -1},
        "protection_when": Condition.ON_COUNTRYSIDE_OR_BEACH,
        "ignore_flags": 1,
        "removed_when_vacated": True,
        "no_sandbags": True,
        "blocks_los": BlocksSight.NO,
    },
}


def test_the_built_terrain_is_this() -> None:
    assert {row.id for row in terrains().values() if row.built} == BUILT.keys()


@pytest.mark.parametrize("name", BUILT)
def test_built_terrain_does_what_its_lines_say_and_nothing_else(name: str) -> None:
    row = terrain(name)
    assert {effect: getattr(row, effect) for effect in row.cites} == BUILT[name]
    assert not row.special


@pytest.mark.parametrize(
    ("name", "figures", "move", "battle", "dice"),
    [
        ("infantry", 4, 2, 1, (3, 2, 1)),
        ("armor", 3, 3, 3, (3, 3, 3)),
        ("artillery", 2, 1, 0, (3, 3, 2, 2, 1, 1)),
        ("special_forces", 4, 2, 2, (3, 2, 1)),
        ("elite_armor", 4, 3, 3, (3, 3, 3)),
    ],
)
def test_built_troops(name: str, figures: int, move: int, battle: int, dice: tuple[int, ...]) -> None:
    row = troop(name)
    assert row.built
    assert (row.figures, row.move, row.move_and_battle, row.dice) == (figures, move, battle, dice)
    assert row.needs_los is (row.base is not BaseType.ARTILLERY)
    assert row.overrun is (row.base is BaseType.ARMOR)


def test_depleted_units_give_no_medal_and_cite_why() -> None:
    depleted = modifier("depleted").on(troop("armor"))
    assert (depleted.medal, depleted.capped, depleted.dice) == (False, True, (3, 3, 3))
    assert depleted.cites["medal"] == ("m44:troop.depleted.no_medal",)
    assert troop("armor").medal


def test_vehicles_rest_on_the_type_their_entries_name() -> None:
    vehicles = {row.id: row.base for row in troops().values() if row.vehicle}
    assert vehicles == {
        "supply_truck": BaseType.INFANTRY,
        "half_track": BaseType.ARMOR,
        "patrol_car": BaseType.INFANTRY,
        "command_car": BaseType.INFANTRY,
    }


def test_a_ford_and_a_bridge_open_the_river_under_them() -> None:
    river, ford, bridge = terrain("river"), terrain("ford_fordable_river"), terrain("bridge")
    assert uncovered([river]) == (river,)
    assert uncovered([river, ford]) == (ford,)
    assert uncovered([river, ford, bridge]) == (bridge,)


def test_every_cell_can_be_taken_out_alone() -> None:
    for row in (*terrains().values(), *troops().values(), *modifiers().values()):
        for cell in cells([row]):
            assert cell.rules
            if cell.effect == "base":
                with pytest.raises(UnknownName, match="cannot be without"):
                    row.without(cell.effect)
                continue
            less = row.without(cell.effect)
            assert cell.effect not in less.cites
            assert len(cells([less])) == len(cells([row])) - 1
    assert terrain("bunker").without("no_retreat").no_retreat == frozenset()
    assert "enter_roll" not in terrain("frozen_river").without("enter_roll").special


def test_taking_out_what_is_not_there_names_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'protection'"):
        terrain("forest").without("protecton")


@pytest.mark.parametrize("look_up", [terrain, troop, modifier])
def test_unknown_rows(look_up: object) -> None:
    with pytest.raises(UnknownName):
        look_up("nowhere")  # type: ignore[operator]
    with pytest.raises(UnknownName, match="did you mean 'hedgerow'"):
        terrain("hedgrow")


def test_rows_are_values() -> None:
    assert pickle.loads(pickle.dumps(terrain("bunker"))) == terrain("bunker")
    assert hash(terrain("bunker")) != hash(terrain("wire"))
    assert Side.AXIS.other is Side.ALLIES
    assert str(Side.ALLIES) == "Allies"


def test_statements_are_the_ids_of_the_rules() -> None:
    rows = tomllib.loads((FOLDER / "rules.toml").read_text("utf-8"))["rule"]
    assert statements() == {row["id"] for row in rows}
    assert len(rows) == 936


def test_a_statement_has_a_status_or_another_that_says_the_same() -> None:
    rows = {row["id"]: row for row in tomllib.loads((FOLDER / "rules.toml").read_text("utf-8"))["rule"]}
    for row in rows.values():
        if "same_as" in row:
            assert "status" in rows[row["same_as"]], row["id"]
            assert "status" not in row
        else:
            assert row["status"] in {"enforced", "holds", "informs", "todo"}, row["id"]
            assert ("asks" in row) == (row["status"] == "todo"), row["id"]


def test_a_built_row_cites_only_statements_that_are_built() -> None:
    rows = {row["id"]: row for row in tomllib.loads((FOLDER / "rules.toml").read_text("utf-8"))["rule"]}
    built = [row for row in (*terrains().values(), *troops().values(), *modifiers().values()) if row.built]
    assert [cell for cell in cells(built) for rule in cell.rules if rows[rule].get("status") == "todo"] == []


ROW = """
[[terrain]]
id = "copse"
name = "Copses"
kind = "terrain"
rule_prefix = "m44:terrain.copse"
"""


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("blocks_los = true", "blocks_los has no cite"),
        ('cites.blocks_los = "m44:terrain.forest.los"', "cites blocks_los, which the row does not have"),
        ('blocks_sight = true\ncites.blocks_sight = "m44:terrain.forest.los"', "unknown field 'blocks_sight'"),
        ('blocks_los = true\ncites.blocks_los = "m44:terrain.forest.loss"', "did you mean 'm44:terrain.forest.los'"),
        ('blocks_los = "sometimes"\ncites.blocks_los = "m44:terrain.forest.los"', "sometimes"),
        ('stop_on_enter = ["camels"]\ncites.stop_on_enter = "m44:terrain.forest.stop"', "camels"),
        ('built = true\noverrun = true\ncites.overrun = "m44:terrain.forest.stop"', "no code plays"),
        (ROW, "twice"),
    ],
)
def test_the_loader_refuses(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "terrain.toml"
    path.write_text(ROW + text, "utf-8")
    with pytest.raises(RulesError, match=complaint) as caught:
        read_table(path, "terrain", Terrain, statements())
    assert "terrain.toml: terrain copse" in str(caught.value)


def test_the_loader_reads_a_row_that_is_right(tmp_path: Path) -> None:
    path = tmp_path / "terrain.toml"
    path.write_text(ROW + 'blocks_los = true\ncites.blocks_los = "m44:terrain.forest.los"', "utf-8")
    assert read_table(path, "terrain", Terrain, statements())["copse"].blocks_los is BlocksSight.YES
    path.write_text(ROW.replace("[[terrain]]", "[[troop]]"), "utf-8")
    with pytest.raises(RulesError, match="unknown field 'kind'"):
        read_table(path, "troop", Troop, statements())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('layer = "terrain"\nrows = ["forrest"]', "did you mean 'forest'"),
        ('layer = "ground"\nrows = []', "layer is one of terrain"),
        ('layer = "terrain"\nrows = []\nlink = "road"\nlinkz = [0]', "unknown field 'linkz'"),
        ('layer = "terrain"\nrows = []\nside = "NEUTRAL"', "NEUTRAL"),
        ('layer = "terrain"\nrows = []\n[[name]]\nname = "copse"\nlayer = "terrain"\nrows = []', "twice"),
        ('layer = "terrain"', "rows"),
    ],
)
def test_the_vocabulary_refuses(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "names.toml"
    path.write_text(f'[[name]]\nname = "copse"\n{text}', "utf-8")
    with pytest.raises(RulesError, match=complaint):
        read_words(path)


def test_behaviours_say_where_they_stand() -> None:
    assert all(word.on for word in words()["behavior"].values())


def test_loading_is_cached() -> None:
    assert tables.terrains() is tables.terrains()
