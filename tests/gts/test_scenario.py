"""The scenario format: what the files that come with Beachhead say, and what the reader says of broken ones."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import beachhead_scenarios
from beachhead.errors import Fault, ScenarioError
from beachhead.play import setting_of
from beachhead.systems import Source
from beachhead_gts.battlefield import STAR, Battlefield, FirstTurn, Turn
from beachhead_gts.scenario import SUFFIX, read_battlefield
from beachhead_gts.tables import MovementClass, Side, Stripe, UnitClass, WeaponClass, Weather

SCENARIOS = Path(beachhead_scenarios.__path__[0]) / "gts"
JUNO = (SCENARIOS / "juno-front.gts.toml").read_text("utf-8")
TRAINING = (SCENARIOS / "training.gts.toml").read_text("utf-8")


def read(text: str, companion: str | None = None) -> Battlefield:
    beside = {} if companion is None else {".charts.toml": companion}
    return read_battlefield(Source("a test", text=text, companions=beside), {})


def faults(text: str, companion: str | None = None) -> tuple[Fault, ...]:
    with pytest.raises(ScenarioError) as caught:
        read(text, companion)
    assert "a test" in str(caught.value)
    return caught.value.faults


def changed(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"{old!r} stands there {text.count(old)} times"
    return text.replace(old, new)


# ------------------------------------------------------------ what comes with Beachhead
def test_every_scenario_can_be_read() -> None:
    files = sorted(SCENARIOS.glob(f"*{SUFFIX}"))
    assert [file.name for file in files] == ["juno-front.gts.toml", "training.gts.toml"]
    for file in files:
        field = read_battlefield(Source(file.name, file), {"gts:G14": "after"})
        assert field.choice("G14") == "after"


def test_training_as_a_whole() -> None:
    field = read(TRAINING)
    board = field.board
    assert field.title == "Training"
    assert board.row_lengths == (12,) * 12
    assert field.track == (
        Turn("Morning"),
        Turn("Noon"),
        Turn("Evening"),
        Turn("Night", night=True),
        Turn("The next morning", day=2),
    )
    assert field.first_turn == FirstTurn(
        ("9-Div", "1-Bde", "90-Rgt", "Allied Direct Command", "German Direct Command"), "1-Div"
    )
    assert set(field.first_turn.mug) < set(field.chits)
    assert Counter(piece.side for piece in field.roster) == {Side.ALLIED: 7, Side.GERMAN: 6}
    assert [piece.name for piece in field.roster if piece.independent] == ["Tanks"]
    assert board.label(field.leaders[0].arrives) == "0304"  # type: ignore[arg-type]
    assert [(goal.name, board.label(goal.hex), goal.points, goal.held) for goal in field.objectives] == [
        ("Crossroads", "0807", 5, Side.GERMAN),
        ("Mill", "0805", 2, Side.GERMAN),
        ("Farm", "0304", 3, Side.ALLIED),
    ]
    assert {side: [board.label(hex) for hex in hexes] for side, hexes in field.entries.items()} == {
        Side.ALLIED: ["0106"],
        Side.GERMAN: ["1207"],
    }
    assert {board.label(hex) for hex in field.strongpoints} == {"0805"}


def test_counters_are_written_once_and_named_by_units() -> None:
    field = read(TRAINING)
    rifle, gun, tanks = field.piece("Able"), field.piece("Emil"), field.piece("Tanks")
    assert rifle.front is field.piece("Anton").front
    assert (rifle.steps, rifle.front.fire_range, rifle.front.fire, rifle.front.quality) == (2, 2, 4, 6)
    assert rifle.front.weapon is rifle.front.assault_weapon is WeaponClass.SMALL_ARMS
    assert rifle.reduced is not None
    assert (rifle.reduced.fire, rifle.reduced.fire_range, rifle.reduced.quality) == (3, 2, 5)
    assert (gun.front.movement, gun.front.movement_class) == (STAR, MovementClass.LEG)
    assert gun.front.unit_class is UnitClass.GUN
    assert gun.transport is not None
    assert (gun.transport.unit_class, gun.transport.movement, gun.transport.movement_class) == (
        UnitClass.VEHICLE,
        10,
        MovementClass.WHEELED,
    )
    assert (tanks.front.armored, tanks.stripe, tanks.formation) == (True, Stripe.WHITE, "")
    assert field.piece("Dog").front.weapon is WeaponClass.LIGHT_MORTAR


def test_a_unit_may_differ_from_its_kind_or_have_ratings_of_its_own() -> None:
    able = '{ name = "Able", counter = "rifle", at = "Farm" }'
    field = read(changed(TRAINING, able, able.replace("at =", 'front = "quality 8", steps = 1, at =')))
    assert (field.piece("Able").front.quality, field.piece("Able").front.fire, field.piece("Able").steps) == (8, 4, 1)
    own = '{ name = "Able", steps = 0, front = "fire No assault No defense 0 quality 3 move No gun", at = "Farm" }'
    piece = read(changed(TRAINING, able, own)).piece("Able")
    assert (piece.steps, piece.front.movement_class, piece.front.fire_range) == (
        0,
        MovementClass.IMMOBILE,
        piece.front.fire,
    )


def test_juno_front_as_a_whole() -> None:
    field = read(JUNO)
    assert field.board.row_lengths == (34,) * 24
    assert [(each.name, each.side) for each in field.divisions] == [("3-Can", Side.ALLIED), ("21-Pz", Side.GERMAN)]
    assert Counter(each.division for each in field.formations) == {"3-Can": 3, "21-Pz": 3}
    assert 60 <= len(field.roster) <= 100
    assert len({leader.formation for leader in field.leaders}) == 6
    assert {piece.stripe for piece in field.roster if piece.side is Side.ALLIED} == set(Stripe)
    assert {piece.stripe for piece in field.roster if piece.side is Side.GERMAN} == set(Stripe)
    due = {(piece.side, piece.arrives) for piece in field.roster if isinstance(piece.arrives, int)}
    assert {(side, turn) for side in Side for turn in (1, 2, 3)} <= due
    assert [turn for turn in range(1, 11) if field.night(turn)] == [4]
    assert [turn for turn in range(1, 11) if field.first_daylight(turn)] == [1, 5]
    assert len(field.hooks.weather) == len(field.hooks.air) == 10
    assert field.hooks.weather.count(Weather.CLEAR) == 8
    assert {goal.held for goal in field.objectives} == set(Side)
    artillery = {WeaponClass.MORTAR, *(weapon for weapon in WeaponClass if weapon.artillery)}
    assert not artillery & {face.weapon for piece in field.roster for face in (piece.front, piece.transport) if face}


def test_roads_that_run_past_each_other() -> None:
    field = read(JUNO)
    at = field.board.hex
    assert field.unjoined[at("1521")] == (
        frozenset((at("1420"), at("1422"))),
        frozenset((at("1421"), at("1621"))),
    )


def test_an_objective_of_a_side_is_within_reach_of_the_other() -> None:
    for text in (JUNO, TRAINING):
        field = read(text)
        for goal in field.objectives:
            assert goal.held is not None
            assert not field.barred[goal.held.enemy] & field.bit[goal.hex], goal


# ------------------------------------------------------------ where figures come from
def test_what_is_authored_is_told_with_the_game_that_it_follows() -> None:
    assert read(TRAINING).authored == (
        "The map, strongpoints, entrenchments, turn track, first mug, first chit, objectives and Victory Points for eliminated units are authored.",
        "The movement costs and effect on sight of clear, orchard, woods and village are authored after The Devil's Cauldron.",
        "The movement costs and effect on sight of bocage are authored.",
        "The movement costs and fire modifiers of stream are authored after The Devil's Cauldron.",
        "The movement costs and fire modifiers of crest and bridge are authored.",
        "The movement costs of all roads are authored after The Devil's Cauldron.",
        "The Command Rating, Dispatch Rating, points at the start and entry hex of all Divisions are authored.",
        "The Command Range, Attachment Rating and set-up hex or turn of arrival of all Leaders are authored.",
        "The steps, ratings, reduced side and transport side of all kinds of counters are authored.",
        "The set-up hex or turn of arrival of all units is authored.",
    )
    assert read(TRAINING).published == (
        "The Combat Results Table, mass table, weather table, improved position table and entrenchment table are published in The Greatest Day.",
        "The fire modifiers of all terrain are published in The Greatest Day.",
    )
    assert all(piece.authored for piece in read(TRAINING).roster)


PRINTED = 'game = "A printed game"\nsource = "published"\n'


def test_a_file_of_printed_figures_says_so_once() -> None:
    field = read(PRINTED + TRAINING)
    assert [line for line in field.authored if "charts" not in line and "movement costs" not in line] == []
    assert not any(each.authored for each in (*field.roster, *field.leaders, *field.divisions))
    assert "The set-up hex or turn of arrival of all units is published in A printed game." in field.published


def test_a_table_inside_says_for_itself_what_the_one_around_says_otherwise() -> None:
    tank = "tank = { steps = 2,"
    field = read(changed(PRINTED + TRAINING, tank, 'tank = { source = "authored", after = "Another game", steps = 2,'))
    assert "The steps, ratings and reduced side of tank are authored after Another game." in field.authored
    assert [piece.name for piece in field.roster if piece.authored] == ["Tanks"]
    able = '{ name = "Able", counter = "rifle", at = "Farm" }'
    field = read(changed(PRINTED + TRAINING, able, able.replace("at =", 'source = "authored", at =')))
    assert "The set-up hex or turn of arrival of Able is authored." in field.authored
    assert not field.piece("Able").authored
    half = able.replace("at =", 'sources = { front = "authored" }, front = "quality 8", at =')
    field = read(changed(PRINTED + TRAINING, able, half))
    assert "The ratings of Able are authored." in field.authored
    assert field.piece("Able").authored


# ------------------------------------------------------------ one setting for equal files
def test_equal_files_under_equal_choices_are_one_setting() -> None:
    field = read(TRAINING)
    assert read("# another remark\n" + TRAINING) is field
    assert setting_of(Battlefield, field.key) is field
    assert field.key.startswith("gts/Training#")
    others = [
        read_battlefield(Source("a test", text=TRAINING), {"gts:G14": "before"}),
        read(changed(TRAINING, "elimination_points = 1", "elimination_points = 2")),
        read(PRINTED + TRAINING),
        read(JUNO),
    ]
    assert len({field, *others}) == 5


def test_a_charts_file_beside_the_scenario(tmp_path: Path) -> None:
    text = changed(TRAINING, 'charts = "beachhead"', 'charts = "beside"')
    charts = 'title = "Mine"\nbase = "beachhead"\n[terrain]\nwoods = { leg = "3" }\n'
    (tmp_path / "mine.gts.toml").write_text(text, "utf-8")
    (tmp_path / "mine.gts.charts.toml").write_text(charts, "utf-8")
    source = Source("mine", tmp_path / "mine.gts.toml")
    field = read_battlefield(source, {})
    assert field.charts.title == "Mine"
    assert field.charts.terrain["woods"].normal[MovementClass.LEG] == 6
    (tmp_path / "mine.gts.charts.toml").write_text(charts.replace("3", "5"), "utf-8")
    assert read_battlefield(source.held(), {}) is field, "what a save holds stays what it was"
    assert read_battlefield(source, {}).key != field.key


def test_single_figures_may_be_overridden_in_the_scenario() -> None:
    own = """
[charts]
base = "beachhead"
[charts.figures]
mass = { 8 = 4 }
[charts.roads]
lane = { leg = "OT(1)", wheeled = "OT(1)", tracked = "OT(1)" }
"""
    text = changed(TRAINING, 'charts = "beachhead"', "") + own
    field = read(changed(text, "road: 0805-0706", "lane: 0805-0706\n    road:"))
    assert dict(field.charts.figures["mass"]) == {
        **dict.fromkeys("123", 0),
        "0": -1,
        "4": 1,
        "5": 1,
        "6": 2,
        "7": 2,
        "8": 4,
    }
    assert "The figures in the mass table for 8 are authored." in field.authored
    assert "The movement costs of lane are authored." in field.authored
    assert field.board.links["lane"]


def test_other_numbers_than_columns_and_rows() -> None:
    text = JUNO.replace('drawing = """', 'labels = { order = "row-column" }\ndrawing = """')
    text = re.sub(r"\b(\d\d)(\d\d)\b(?!,)", r"\2\1", text)
    turned = [piece.arrives for piece in read(text).roster]
    assert turned == [piece.arrives for piece in read(JUNO).roster]


def test_the_examples_of_the_documentation_are_one_file() -> None:
    page = (Path(__file__).parents[2] / "docs" / "gts-scenarios.md").read_text("utf-8")
    parts = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    field = read("\n".join(part for part in parts if not part.startswith("# ")))
    assert field.board.row_lengths == (8, 8, 8, 8, 8, 8)
    assert [line for line in field.authored if "Devil" not in line] != []
