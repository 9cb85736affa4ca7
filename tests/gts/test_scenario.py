"""The scenario format: what the files that come with Beachhead say, and what the reader says of broken ones."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from attrs import evolve

import beachhead_scenarios
from beachhead import new
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
        ("Farm", "0304", 6, Side.ALLIED),
        ("Crossroads", "0807", 4, Side.GERMAN),
        ("Mill", "0805", 2, Side.GERMAN),
        ("Bridge", "0606", 3, None),
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
            sides = [goal.held.enemy] if goal.held else list(Side)
            assert not any(field.barred[side] & field.bit[goal.hex] for side in sides), goal


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


def test_a_game_starts_from_the_setting() -> None:
    game = new("gts/training", seed=1)
    field = game.state.setting
    assert field is read_battlefield(Source("a test", text=TRAINING), game.system.catalogue.choices({}))
    assert game.unread[:-1] == field.authored


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
    ours = ("movement costs", "effect on sight", "fire modifiers")
    assert [line for line in field.authored if not any(what in line for what in ours)] == [
        "The steps and ratings of post are authored."
    ]
    assert [piece.name for piece in field.roster if piece.authored] == ["2-90"]


# ------------------------------------------------------------ what is wrong with broken files
T, J = TRAINING, JUNO
ABLE = '{ name = "Able", counter = "rifle", at = "Farm" }'
TANKS = '{ name = "Tanks", counter = "tank", stripe = "white", at = "0305" }'
EMIL = '{ name = "Emil", counter = "gun", at = "0906" }'
ADAMS = '{ name = "Adams", range = 4, attachment = 2, at = "Farm" }'
FOX = '{ name = "Fox", counter = "rifle", turn = 2 }'
FARM = '{ name = "Farm", hex = "Farm", points = 6, held = "Allied" }'
RIFLE = 'rifle = { steps = 2, front = "range 2 fire 4 small-arms assault 5 defense 0 quality 6 move 5 leg infantry", reduced = "fire 3 assault 4 quality 5" }'
GUN = 'front = "range 4 fire 5 armor-piercing assault 2 small-arms defense 0 quality 6 move * gun", transport = "defense 1 quality 6 move 10 wheeled"'
ROAD = "road: 0106-0205-0305-0304-0404-0505-0605-0606-0706-0807-0907-1007-1107-1207"
TURNS = 'turns = ["Morning", "Noon", "Evening", { name = "Night", night = true }, "The next morning"]'
ONE = 'independents = [{ name = "Tanks", counter = "tank", stripe = "white", at = "0305" }]'
UNIT = 'formation["1-Bde"].units["Able"]'
TANK = 'division["1-Div"].independents["Tanks"]'


def face(old: str, new: str) -> str:
    """A change of the front of a rifle company."""
    return changed(RIFLE, old, new)


BROKEN = [
    # the file, and its keys
    (T, "[track]", "[track", "the file", "no TOML"),
    (T, 'title = "Training"', 'title = "Training"\nwether = "fair"', "wether", "did you mean 'weather'?"),
    (T, 'title = "Training"', "", "title", "missing (the name of the scenario)"),
    (T, 'title = "Training"', "title = 1944-06-06", "title", "expected a text in quotation marks, not a date or time"),
    (T, 'title = "Training"', 'title = "Training"\ngame = 3', "game", "expected a text in quotation marks"),
    # sources
    (T, "[track]", '[track]\nsource = "printed"', "track.source", "one of text, published, authored"),
    (T, "[track]", '[track]\nsource = "published"', "track.source", 'no game is named in which it is published (game = "..." beside it'),
    (T, "[track]", '[track]\nsource = "text"', "track.source", "the rules' text does not give turns"),
    (T, "[track]", '[track]\nsources = { turn = "published" }', "track.sources.turn", "did you mean 'turns'?"),
    (T, ABLE, ABLE.replace("at =", 'sources = { att = "published" }, at ='), UNIT + ".sources.att", "did you mean 'at'?"),
    # charts
    (T, 'charts = "beachhead"', 'charts = "beachead"', "charts", "did you mean 'beachhead'?"),
    (T, 'charts = "beachhead"', 'charts = "beside"', "charts", "no such file lies beside the scenario (a file with .charts.toml in place of .toml)"),
    (T, 'charts = "beachhead"', "charts = 7", "charts", "expected the name of a charts file, or a table"),
    # the track
    (T, TURNS, "turns = []", "track.turns", "no turn (one at least)"),
    (T, TURNS, 'turns = "Morning"', "track.turns", "expected a list [...], not a text"),
    (T, '["Morning", "Noon"', '[{ name = "Morning", night = true }, "Noon"', 'track.turns["Morning"]', "a day has a daylight turn before its night (4.0)"),
    (T, '"Evening", {', '{ name = "Evening", night = true }, {', 'track.turns["Night"]', "a second night turn in a row"),
    (T, "night = true", "nigth = true", 'track.turns["Night"].nigth', "did you mean 'night'?"),
    (T, "night = true", 'night = "yes"', 'track.turns["Night"].night', "expected true or false, not a text"),
    # weather and airpower
    (T, "[first]", '[weather]\nfixed = "fine"\n[first]', "weather.fixed", "one of clear, fog, rain"),
    (T, "[first]", '[weather]\ntable = ["clear", "rain"]\n[first]', "weather.table", "2 entries (10, one for each face of the die from 0 to 9)"),
    (T, "[first]", "[weather]\n[first]", "weather", "it has nothing (fixed, or table for the faces of the die)"),
    (T, "[first]", "[airpower]\nfixed = 1\ntable = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]\n[first]", "airpower", "it has fixed and table"),
    (T, "[first]", "[airpower]\nfixed = -1\n[first]", "airpower.fixed", "a whole number from 0 to 99"),
    # the first turn
    (T, '"1-Bde", "90-Rgt", "Allied', '"2-Bde", "90-Rgt", "Allied', "first.mug[2]", "did you mean '1-Bde'?"),
    (T, '"1-Bde", "90-Rgt", "Allied', '"90-Rgt", "90-Rgt", "Allied', "first.mug[3]", "is there already"),
    (T, 'first = "1-Div"', 'first = "Allied"', "first.first", "unknown word"),
    (T, "[first]\nmug = ", "[first]\nmugs = ", "first.mugs", "did you mean 'mug'?"),
    # victory
    (T, FARM, FARM.replace('hex = "Farm"', 'hex = "Fram"'), 'victory.objectives["Farm"].hex', "did you mean 'Farm'?"),
    (T, FARM, FARM.replace('hex = "Farm"', 'hex = "1307"'), 'victory.objectives["Farm"].hex', "'1307' is not on the board"),
    (T, FARM, FARM.replace('hex = "Farm"', 'hex = "Mill"'), 'victory.objectives["Mill"].hex', "another objective lies in this hex"),
    (T, FARM, FARM.replace('name = "Farm"', 'name = "Mill"'), 'victory.objectives["Mill"]', "another objective has this name"),
    (T, FARM, FARM.replace("points = 6", "points = 0"), 'victory.objectives["Farm"].points', "a whole number from 1 to 99"),
    (T, FARM, FARM.replace('"Allied"', '"Alied"'), 'victory.objectives["Farm"].held', "did you mean 'Allied'?"),
    # the map
    (T, ". . o . . . . . . b b .", ". . O . . . . . . b b .", "map.drawing", "symbol 'O' is not in the legend"),
    (T, "Farm = 0304", "Farm = 0394", "map.drawing", "line 40, 'Farm = 0394': 0394 is not on the board"),
    (T, "Farm = 0304", "Farm = 0304\n    0404: Able", "map.drawing", "units stand in [[formation]]"),
    (T, "crest: 0808/0809", "crst: 0808/0809", "map.drawing", "no hexside has 'crst' (one of stream, river, impassable, slope, crest, ridge, bridge, ferry; did you mean 'crest'?)"),
    (T, "crest: 0808/0809 0808/0909 0908/0909 0908/1009 1008/1009", "road: 0808/0809", "map.drawing", "no hexside has 'road' (it leads from hex to hex: 'road: A-B-C'"),
    (T, ROAD, f"{ROAD}\n    stream: 0808-0809", "map.drawing", "'stream' is no road (it lies along hexsides: 'stream: A/B'"),
    (T, "bridge: 0605/0606", "", "map.drawing", "road 0605-0606: it crosses a stream, which Wheeled and Tracked units do not cross ('bridge: 0605/0606' where the map has a bridge)"),
    (T, "[map]", "[map]\nlegend = { y = 'wood' }", "map.legend.y", "did you mean 'woods'?"),
    (T, "[map]", "[map]\nlegend = 'y'", "map.legend", "expected a table"),
    (T, "[map]", "[map]\nlabels = { corner = 'north' }", "map.labels.corner", "one of north-west, south-west"),
    (T, 'strongpoints = ["Mill"]', 'strongpoints = ["Mill", "0805"]', "map.strongpoints[1]", "is there already"),
    (T, 'strongpoints = ["Mill"]', 'strongpoints = ["Mil"]', "map.strongpoints[0]", "did you mean 'Mill'?"),
    (T, 'strongpoints = ["Mill"]', 'strongpoint = ["Mill"]', "map.strongpoint", "did you mean 'strongpoints'?"),
    (T, "[map]", '[map]\nunjoined = ["0706-0807-0907"]', "map.unjoined", "0807: only one road is named"),
    (T, "[map]", '[map]\nunjoined = ["0706-0807"]', "map.unjoined[0]", "no way through a hex"),
    (T, "[map]", '[map]\nunjoined = ["0706-0807-0708", "0808-0807-0907"]', "map.unjoined[0]", "no road joins 0807 and 0708"),
    (T, "[map]", '[map]\nunjoined = ["0706-0807-0907", "0706-0807-0808"]', "map.unjoined[1]", "0706 belongs to another way"),
    # counters
    (T, RIFLE, face("quality 6", "qualty 6"), "counters.rifle.front", "'qualty' is no word for a counter here (did you mean 'quality'?)"),
    (T, RIFLE, face("small-arms", "smal-arms"), "counters.rifle.front", "did you mean 'small-arms'?"),
    (T, RIFLE, face("fire 4 small-arms assault 5", "fire 4 assault 5 pink"), "counters.rifle.front", "fire 4 of which Weapons Class? (its name or its colour: 'fire 4 small-arms', 'fire 4 pink')"),
    (T, RIFLE, face("move 5 leg", "move 5"), "counters.rifle.front", "move 5 of which Movement Class?"),
    (T, RIFLE, face("move 5 leg", "move *"), "counters.rifle.front", "only guns have one (14.11)"),
    (T, RIFLE, face("assault 5 ", ""), "counters.rifle.front", "no assault (each of them; what is not printed is No: 'fire No')"),
    (T, RIFLE, face(" quality 6 move 5 leg", ""), "counters.rifle.front", "no quality and move"),
    (T, RIFLE, face("quality 6", "quality 12"), "counters.rifle.front", "quality 12: no such number (quality and a number from 0 to 9)"),
    (T, RIFLE, face("fire 4", "fire -"), "counters.rifle.front", "fire -: no such number (fire and a number from 0 to 19 or No)"),
    (T, RIFLE, face("infantry", "infantry quality 7"), "counters.rifle.front", "quality stands there twice"),
    (T, RIFLE, face("infantry", "infantry gun"), "counters.rifle.front", "class stands there twice"),
    (T, RIFLE, face("steps = 2", "steps = 3"), "counters.rifle.steps", "a whole number from 0 to 2"),
    (T, RIFLE, face("steps = 2", "steps = 1"), "counters.rifle.reduced", "a counter with 1 steps has no reduced side"),
    (T, RIFLE, face('reduced = "', 'transport = "defense 1 quality 6 move 10 wheeled", reduced = "'), "counters.rifle.transport", "a counter has one back"),
    (T, RIFLE, face("reduced =", "reducd ="), "counters.rifle.reducd", "did you mean 'reduced'?"),
    (T, GUN, changed(GUN, "move 10 wheeled", "move *"), "counters.gun.transport", "the transport side is no vehicle that moves"),
    (T, GUN, changed(GUN, "* gun", "8 wheeled vehicle"), "counters.gun.transport", "only Infantry and Guns mount (14.10)"),
    # Divisions and Formations
    (T, 'name = "9-Div"', 'name = "9. Division"', 'division["9. Division"].name', "no single word"),
    (T, 'side = "German"', 'side = "Germany"', 'division["9-Div"].side', "did you mean 'German'?"),
    (T, 'side = "German"', 'side = "Allied"', "division", "no German Division (one for each side at least)"),
    (T, "command = 4\ndispatch = 5", "command = 40\ndispatch = 5", 'division["9-Div"].command', "a whole number from 0 to 19"),
    (T, "command = 4\ndispatch = 5", "command = 4", 'division["9-Div"].dispatch', "missing (its Dispatch Rating)"),
    (T, 'entry = "1207"', 'entry = "0807"', 'division["9-Div"].entry', "no hex at the edge of the map"),
    (T, 'entry = "1207"', "", 'division["9-Div"].entry', "missing: Fritz comes later (the hex where it enters)"),
    (T, 'entry = "1207"', 'entry = "1207"\narrives = 9', 'division["9-Div"].arrives', "a whole number from 1 to 5"),
    (T, 'division = "9-Div"', 'division = "8-Div"', 'formation["90-Rgt"].division', "did you mean '9-Div'?"),
    (T, 'colour = "#7d7d7d"', 'colour = "grey"', 'formation["90-Rgt"].colour', 'no colour (such as "#888888")'),
    (T, f"leaders = [{ADAMS}]", "", 'formation["1-Bde"].leaders', "no Leader (one, or independent = true (21.4))"),
    (T, 'colour = "#7d7d7d"', 'colour = "#7d7d7d"\nsuperior = "1-Bde"', 'formation["90-Rgt"].superior', "only an independent Formation is attached"),
    # Leaders and units
    (T, ADAMS, ADAMS.replace('"Farm"', '"0106"'), 'formation["1-Bde"].leaders["Adams"].at', "no unit of 1-Bde stands in this hex (a Leader is with one of his units (21.2))"),
    (T, ADAMS, ADAMS.replace('at = "Farm"', "turn = 3"), 'formation["1-Bde"].leaders["Adams"].turn', "no unit of 1-Bde comes on this turn"),
    (T, ADAMS, ADAMS.replace('"Adams"', '"Able"'), 'formation["1-Bde"].units["Able"].name', "this name is taken"),
    (T, ADAMS, ADAMS.replace("attachment = 2, ", ""), 'formation["1-Bde"].leaders["Adams"].attachment', "missing (his Attachment Rating)"),
    (T, ABLE, ABLE.replace('"Able"', '"0101"'), 'formation["1-Bde"].units["0101"].name', "is the number of a hex"),
    (T, ABLE, ABLE.replace('"Able"', '"baker"'), 'formation["1-Bde"].units["Baker"].name', "this name is taken"),
    (T, ABLE, ABLE.replace('"rifle"', '"rifles"'), UNIT + ".counter", "did you mean 'rifle'?"),
    (T, ABLE, ABLE.replace('counter = "rifle", ', ""), UNIT, 'no front and steps (counter = "..." of [counters], or front and steps of its own)'),
    (T, ABLE, ABLE.replace(', at = "Farm"', ""), UNIT, "it comes nowhere"),
    (T, ABLE, ABLE.replace("at =", "turn = 2, at ="), UNIT, "it has at and turn"),
    (T, ABLE, ABLE.replace('"Farm"', '"Fram"'), UNIT + ".at", "did you mean 'Farm'?"),
    (T, ABLE, ABLE.replace("at =", "column = 1, at ="), UNIT + ".column", "expected true or false, not a number"),
    (T, ABLE, ABLE.replace("at =", 'stripe = "white", at ='), UNIT + ".stripe", "unknown key"),
    (T, ABLE, ABLE.replace('at = "Farm"', 'at = "Mill"'), 'formation["90-Rgt"].units["Anton"].at', "Allied units stand in this hex"),
    (T, ABLE, ABLE.replace('at = "Farm"', 'at = "1207"'), UNIT + ".at", "enemy reinforcements enter in this hex"),
    (T, FOX, FOX.replace("turn = 2", "turn = 6"), 'formation["1-Bde"].units["Fox"].turn', "a whole number from 1 to 5"),
    (T, TANKS, TANKS.replace("white", "green"), TANK + ".stripe", "one of white, black"),
    (T, TANKS, TANKS.replace("0305", "0701"), TANK + ".at", "Tracked units may not stand in woods, out of Column (another hex)"),
    (J, 'name = "A-1H", counter = "sherman", stripe = "white", at = "0902"', 'name = "A-1H", counter = "sherman", stripe = "white", at = "Saint-Germain"', 'division["3-Can"].independents["A-1H"].at', "Tracked units may not stand in town, out of Column (column = true, or another hex)"),
    (J, "road: 0608-0708", "road: 0605-0606 0608-0708", "map.drawing", "road 0605-0606: it crosses a river, which nobody crosses ('bridge: 0605/0606' where the map has a bridge)"),
    (J, 'name = "B-Reg", counter = "rifle", at = "Reviers"', 'name = "B-Reg", counter = "rifle", at = "1302"', 'division["3-Can"].independents["16-RCE"].at', "9 steps in this hex (8 at most, and a unit in Column (14.7))"),
]  # fmt: skip

# What is wrong here is wrong with several figures.
BROKEN_TWICE = [
    (T, 'entry = "1207"', 'entry = "0105"', 'division["9-Div"].entry', "enemy reinforcements enter too near (more than 2 hexes from theirs (14.1))"),
    (T, 'name = "9-Div"', 'name = "1-Bde"', 'formation["1-Bde"].name', "this name is taken"),
    (T, ". . . . . . . v . . . .", ". . . . ~ . . v . . . .", "map.drawing", "road 0404-0505: it leads into sea, which nobody enters"),
    (T, 'first = "1-Div"', 'first = "1-Div"\nsource = "published"', "first.source", "no game is named"),
    (T, 'entry = "0106"', 'entry = "0106"\narrives = 3', "first.mug[0]", "is in play from turn 3 on"),
    (T, 'entry = "0106"', 'entry = "0106"\narrives = 3', 'formation["1-Bde"].units["Fox"].turn', "the chit of 1-Div is not in play before turn 3"),
    (T, 'charts = "beachhead"', "", "charts", "missing (the name of a charts file, or a table)"),
    (T, "[counters]", "[counter]", "counter", "did you mean 'counters'?"),
    (T, 'colour = "#7d7d7d"', 'colour = "#7d7d7d"\nindependent = true', 'formation["90-Rgt"].leaders', "an independent Formation has no Leader"),
    (T, 'colour = "#7d7d7d"', 'colour = "#7d7d7d"\nindependent = true', 'formation["90-Rgt"].superior', "missing: it is on the map at the start"),
    (T, '[victory]\nelimination_points = 1\nobjectives', '[victory]\nobjetives', "victory", "nothing to win"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "old", "new", "key", "what"), BROKEN + BROKEN_TWICE, ids=lambda part: part if len(part) < 99 else ""
)
def test_broken_files(text: str, old: str, new: str, key: str, what: str) -> None:
    found = faults(changed(text, old, new))
    assert [fault for fault in found if fault.key == key and what in str(fault)], "\n".join(map(str, found))
    assert len(found) == 1 or (text, old, new, key, what) in BROKEN_TWICE, "\n".join(map(str, found))


def test_every_fault_is_told_beside_others() -> None:
    """All files above that are wrong in one thing, with a bad line in the map, a bad figure and a bad unit besides."""
    besides = [
        ("Mill = 0805", "Mill = 0805\n    Well = 0999"),
        ("command = 5", "command = 50"),
        ('name = "Dora", counter = "machine-gun"', 'name = "Dora", counter = "machine-gum"'),
    ]
    told, hidden = 0, list[str]()
    for text, *change, key, what in BROKEN:
        if text is not TRAINING or "no TOML" in what:
            continue
        broken = changed(text, *change)
        if any(broken.count(part) != 1 for part, _ in besides):
            continue
        for beside in besides:
            broken = changed(broken, *beside)
        found = faults(broken)
        if any(fault.key == key and what.removeprefix("line 40, ") in str(fault) for fault in found):
            told += 1
        else:
            hidden.append(f"{key}: {what}")
    assert told > 70
    assert hidden == []


def test_a_file_of_another_kind() -> None:
    needed = ["title", "charts", "map", "track", "first", "division", "formation", "victory"]
    assert [fault.key for fault in faults("")] == needed
    assert all(fault.problem == "missing" for fault in faults(""))
    wrong = "\n".join(f"{key} = 1" for key in [*needed, "counters", "weather", "airpower"])
    assert {fault.key for fault in faults(wrong)} == {*needed, "counters", "weather", "airpower"}
    assert "each of them begins with [[division]]" in str(
        faults(
            re.sub(r"\[\[division\]\](?=\nname = \"1)", "[division]", TRAINING).replace(
                '[[division]]\nname = "9', '[x]\nname = "9'
            )
        )
    )


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "latin.gts.toml"
    path.write_bytes('title = "Bény"'.encode("latin-1"))
    with pytest.raises(ScenarioError, match=r"1 fault\s+the file: no text in UTF-8: .* \(save it as UTF-8\)"):
        read_battlefield(Source("latin", path), {})


def test_whatever_stands_in_a_place_it_is_read_or_a_fault() -> None:
    """Every value of the file in turn is something else."""
    odd = ("3", '"x"', "[]", "{}", "true", "-1", "[1]", "[{}]", "{ name = 3 }", '""', "1.5", "1944-06-06")
    spots = [found.span(1) for found in re.finditer(r'= ("[^"\n]*"|\d+|true|\[[^\[\]{}]*\])', TRAINING)]
    assert len(spots) > 100
    for number, (start, end) in enumerate(spots):
        for other in (odd[number % len(odd)], odd[(number * 5 + 3) % len(odd)]):
            text = TRAINING[:start] + other + TRAINING[end:]
            try:
                assert isinstance(read(text), Battlefield)
            except ScenarioError as error:
                assert error.faults  # noqa: PT017


INDEPENDENT = """
[[formation]]
name = "Guards"
division = "1-Div"
independent = true
units = [{ name = "Guard", counter = "rifle", turn = 2 }]
"""


def test_an_independent_formation_is_attached_to_another() -> None:
    field = read(TRAINING + INDEPENDENT)
    assert "Guards" not in field.chits
    assert [each.independent for each in field.formations] == [False, False, True]
    attached = INDEPENDENT.replace("units =", 'superior = "1-Bde"\nunits =').replace("turn = 2", 'at = "Farm"')
    assert read(TRAINING + attached).formations[-1].superior == "1-Bde"
    [fault] = faults(TRAINING + INDEPENDENT.replace("turn = 2", 'at = "Farm"'))
    assert (
        str(fault)
        == 'formation["Guards"].superior: missing: it is on the map at the start (the Formation that it is attached to)'
    )
    for name, what in (("90-Rgt", "unknown word (one of 1-Bde)"), ("1-Bd", "did you mean '1-Bde'?")):
        [fault] = faults(TRAINING + attached.replace('"1-Bde"', f'"{name}"'))
        assert fault.key == 'formation["Guards"].superior'
        assert what in str(fault)
    [fault] = faults(changed(TRAINING + INDEPENDENT, '"1-Bde", "90-Rgt"', '"Guards", "90-Rgt"'))
    assert fault.key == "first.mug[2]"


def test_an_independent_formation_has_another_in_its_division() -> None:
    alone = """
[[division]]
name = "2-Div"
side = "Allied"
command = 4
dispatch = 5
entry = "0106"
"""
    [fault] = faults(TRAINING + alone + INDEPENDENT.replace("1-Div", "2-Div"))
    assert "no other Formation of its Division to be attached to" in str(fault)


def test_reinforcements_enter_where_somebody_can() -> None:
    sea = changed(TRAINING, ". . . . . . . . . . . .\n\n    Farm", "~ . . . . . . . . . . .\n\n    Farm")
    [fault] = faults(sea.replace('entry = "0106"', 'entry = "0112"'))
    assert str(fault) == """division["1-Div"].entry = '0112': nobody enters sea (a hex that can be entered)"""


def test_where_units_may_stand_only_in_column() -> None:
    road = changed(TRAINING, TANKS, TANKS.replace("0305", "1107"))
    [fault] = faults(road)
    assert "Tracked units may not stand in woods, out of Column" in str(fault)
    assert read(road.replace('"1107" }', '"1107", column = true }')).piece("Tanks").column, (
        "the road leads through the woods"
    )
    [fault] = faults(changed(TRAINING, TANKS, TANKS.replace('"0305"', '"0701", column = true')))
    assert "Tracked units may not stand in woods (another hex)" in str(fault)
    two = changed(TRAINING, ABLE, ABLE.replace('at = "Farm"', 'at = "Farm", column = true'))
    assert read(two).piece("Able").column
    [fault] = faults(
        two.replace('"Baker", counter = "rifle", at = "Farm"', '"Baker", counter = "rifle", at = "Farm", column = true')
    )
    assert str(fault).endswith("a second unit in Column in this hex (one at most (14.6.2))")


def test_victory_points_say_whether_they_are_authored() -> None:
    from beachhead_gts.system import before_set_up
    from beachhead_gts.tables import Side
    from beachhead_gts.victory import victory_points

    field = read(TRAINING)
    held = tuple([Side.ALLIED for _ in field.objectives])
    assert victory_points(evolve(before_set_up(field), held=held), Side.ALLIED).authored
    printed = TRAINING.replace("[victory]", '[victory]\nsource = "published"\ngame = "Another Game"')
    field = read(printed)
    assert not victory_points(evolve(before_set_up(field), held=held), Side.ALLIED).authored
