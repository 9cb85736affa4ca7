"""The scenario format: what the files that come with Beachhead say, and what the reader says of broken ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

import beachhead_scenarios
from beachhead import new
from beachhead.errors import Fault, ScenarioError
from beachhead.hexes import Hex
from beachhead.play import setting_of
from beachhead.rules import Catalogue, Provenance
from beachhead.systems import Source
from beachhead_koenig.beach import Beach, Enters, Lands, SetUp
from beachhead_koenig.landing import landing_row
from beachhead_koenig.scenario import read_beach
from beachhead_koenig.state import State, Unit
from beachhead_koenig.tables import FOLDER, Side, UnitType

SCENARIOS = Path(beachhead_scenarios.__path__[0]) / "koenig"
CATALOGUE = Catalogue(FOLDER)
JUNO = (SCENARIOS / "juno.koenig.toml").read_text("utf-8")
TRAINING = (SCENARIOS / "training.koenig.toml").read_text("utf-8")


def read(text: str, options: Mapping[str, object] | None = None) -> Beach:
    return read_beach(Source("a test", text=text), CATALOGUE.choices(options or {}))


def faults(text: str, options: Mapping[str, object] | None = None) -> tuple[Fault, ...]:
    with pytest.raises(ScenarioError) as caught:
        read(text, options)
    assert "a test" in str(caught.value)
    return caught.value.faults


def changed(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"{old!r} stands there {text.count(old)} times"
    return text.replace(old, new)


# ------------------------------------------------------------ what comes with Beachhead
def test_the_waves_of_juno_are_those_of_the_text() -> None:
    beach = read(JUNO)
    label = beach.board.label
    assert {
        (piece.formation, piece.name): (piece.arrives.turn, label(piece.arrives.hex))
        for piece in beach.roster
        if isinstance(piece.arrives, Lands)
    } == {
        ("7", "CSR"): (1, "0910"),
        ("8", "NSR"): (1, "0808"),
        ("9", "HLI"): (1, "0805"),
        ("3", "CHO"): (1, "0803"),
        ("7", "RWR"): (2, "0910"),
        ("8", "LRC"): (2, "0808"),
        ("9", "SDG"): (2, "0805"),
        ("3", "26-Engineer"): (2, "0803"),
        ("7", "RRR"): (3, "0910"),
        ("8", "QOR"): (3, "0808"),
        ("9", "NNS"): (3, "0805"),
        ("3", "80-Engineer"): (3, "0803"),
    }
    assert {name: label(hex) for name, hex in beach.board.named.items()} == {
        "Mike": "0803",
        "Nan Green": "0805",
        "Nan White": "0808",
        "Nan Red": "0910",
    }


def test_juno_as_a_whole() -> None:
    beach = read(JUNO)
    board = beach.board
    assert beach.title == "Juno"
    assert board.row_lengths == (13,) * 10
    assert beach.track == ("Morning", "Afternoon", "Evening", "Night") * 2 + ("Morning", "Afternoon")
    assert [turn for turn in range(1, 11) if beach.night(turn)] == [4, 8]
    assert [len([p for p in beach.roster if p.side is side]) for side in Side] == [12, 12]
    assert [f.name for f in beach.formations] == ["7", "8", "9", "3", "736", "125", "716"]
    assert {p.name for p in beach.roster if isinstance(p.arrives, Enters)} == {"AT-1", "AT-2", "AT-3", "AT-4"}
    assert {p.type for p in beach.roster if p.formation == "716"} == {UnitType.ANTI_TANK}
    assert all(board.has(p.arrives.hex, "beach") for p in beach.roster if isinstance(p.arrives, Lands))
    assert beach.last_reinforcements == 4
    assert sorted(beach.refit_chits) == ["0", "1", "2", "2*"]
    assert board.label(board.where("city")[0]) == "0211"


def test_from_every_landing_hex_there_is_a_way_to_every_exit() -> None:
    beach = read(JUNO)
    for start in beach.board.named.values():
        reached, waiting = {start}, [start]
        while waiting:
            for there, _ in beach.steps[waiting.pop()]:
                if there not in reached:
                    reached.add(there)
                    waiting.append(there)
        assert {way_off.hex for way_off in beach.exits} <= reached


def test_every_scenario_is_right_under_both_readings_of_the_exits() -> None:
    files = sorted(SCENARIOS.glob("*.koenig.toml"))
    assert [file.name for file in files] == ["juno.koenig.toml", "training.koenig.toml"]
    for file in files:
        for choice in ("edge", "boxes"):
            beach = read_beach(Source(file.name, file), CATALOGUE.choices({"K-24": choice}))
            assert beach.choice("K-24") == choice


# ------------------------------------------------------------ where figures come from
def test_what_the_text_gives_is_text_and_all_else_is_what_the_file_says() -> None:
    charts = read(JUNO).charts
    assert {key for key, source in charts["movement"].source.items() if source is Provenance.TEXT} == {"swamp", "river"}
    assert set(charts["landing fire Morning"].source.values()) == {Provenance.TEXT}
    assert charts["allied support"].source["3"] is Provenance.TEXT
    assert charts["allied support"].source["4"] is Provenance.AUTHORED
    assert [charts[name].rule for name in charts] == [
        "koenig:8.1.d",
        "koenig:5.0.j",
        "koenig:5.0.k",
        "koenig:5.0.k",
        "koenig:6.2.a",
        "koenig:12.0.a",
        "koenig:12.0.a",
    ]
    assert list(charts) == [
        "movement",
        "landing fire Morning",
        "landing fire Afternoon",
        "landing fire Evening",
        "allied support",
        "replacements Allied",
        "replacements German",
    ]
    printed = changed(
        JUNO,
        'Afternoon = { figures = [0, 0, 0, 1, 1, 2], source = "authored" }',
        "Afternoon = { figures = [0, 0, 0, 0, 1, 2], source = 'published', sources = { 6 = 'authored' } }",
    )
    row = read(printed).charts["landing fire Afternoon"]
    assert dict(row) == {"1": 0, "2": 0, "3": 0, "4": 0, "5": 1, "6": 2}
    assert [row.source[die] for die in "56"] == [Provenance.PUBLISHED, Provenance.AUTHORED]


def test_every_authored_figure_of_juno_is_told() -> None:
    assert read(JUNO).authored == (
        "The map is authored.",
        "In the table movement the figures for clear, beach, bocage, town and city are authored.",
        "The table landing fire Afternoon is authored.",
        "The table landing fire Evening is authored.",
        "In the table allied support the figures for 1, 2 and 4 to 6 are authored.",
        "The table replacements Allied is authored.",
        "The table replacements German is authored.",
        "Game Turns 4 to 10 are authored.",
        "Rest and Refit chits 1 and 2 are authored.",
        "Name and set-up hex of the units of 736 and 125 are authored.",
        "Unit type of the units of 7, 8, 9, 736 and 125 is authored.",
        "Combat Strength and Movement Allowance of all units are authored.",
    )


def test_a_scenario_without_sources_is_authored_but_for_what_the_text_gives() -> None:
    assert read(TRAINING).authored == (
        "The map is authored.",
        "The roads off the map are authored.",
        "In the table movement the figures for clear, beach, bocage, town and city are authored.",
        "The table landing fire Afternoon is authored.",
        "In the table allied support the figures for 1, 2 and 4 to 6 are authored.",
        "The table replacements Allied is authored.",
        "The table replacements German is authored.",
        "Game Turns 3 and 4 are authored.",
        "Rest and Refit chits 1 and 2 are authored.",
        "The last turn of reinforcements is authored.",
        "Name, unit type, Combat Strength and Movement Allowance of all units are authored.",
        "Set-up hex of the units of 10 is authored.",
        "Landing of all Allied units is authored.",
        "Entry of the units of 20 is authored.",
    )


def test_a_copy_with_printed_figures_has_nothing_authored() -> None:
    beach = read(JUNO.replace('source = "authored"', 'source = "published"'))
    assert beach.authored == ()
    assert not any(piece.authored for piece in beach.roster)
    assert all(piece.authored for piece in read(JUNO).roster)


def test_a_unit_says_for_itself_what_its_formation_says_otherwise() -> None:
    post = '"infantry", strength = 3, movement = 6, set_up = "0304"'
    beach = read(changed(TRAINING, post, post + ', source = "published", sources = { set_up = "authored" }'))
    assert not beach.piece("Post").authored
    assert "Set-up hex of the units of 10 is authored." in beach.authored
    half = read(changed(TRAINING, post, post + ', sources = { strength = "published" }'))
    assert half.piece("Post").authored
    assert any(line.startswith("Combat Strength of Able, Baker, Charlie, Motor and Gun ") for line in half.authored)
    inner = 'name = "Gun", type = "anti-tank", strength = 3, movement = 8, enters = true'
    outer = changed(
        TRAINING, 'title = "Anti-tank guns"', 'sources = { strength = "published", movement = "published" }'
    )
    assert not read(outer).piece("Gun").authored
    assert read(changed(outer, inner, inner + ', source = "authored"')).piece("Gun").authored


# ------------------------------------------------------------ the board and the exits
def test_exits_are_edge_hexes_or_lie_off_the_map() -> None:
    edge, boxes = read(JUNO), read(JUNO, {"K-24": "boxes"})
    label = edge.board.label
    assert [(way_off.name, label(way_off.hex)) for way_off in edge.exits] == [(n, n) for n in ("0106", "0109", "0213")]
    assert [(way_off.name, label(way_off.hex)) for way_off in boxes.exits] == [
        ("0106", "0206"),
        ("0109", "0209"),
        ("0213", "0212"),
    ]
    assert len(edge.board) == 130
    assert {*edge.board} - {*boxes.board} == {edge.board.hex(number) for number in ("0106", "0109", "0213")}
    assert boxes.board.links["road"] < edge.board.links["road"]
    assert boxes.board.label(edge.board.hex("0206")) == "0206"


def test_the_drawing_is_what_is_played_on() -> None:
    beach = read(TRAINING)
    board = beach.board
    at = board.hex
    assert (board.label(Hex(0, 0)), board.named["Red"]) == ("0501", at("0403"))
    assert [board.terrain.get(at(number)) for number in ("0501", "0402", "0303", "0304", "0105", "0101")] == [
        ("sea",),
        ("beach",),
        ("bocage",),
        ("town",),
        ("swamp",),
        None,
    ]
    assert board.features(at("0304"), at("0203")) == {"river"}
    assert board.features(at("0405"), at("0404")) == {"cliff"}
    assert board.linked("road", at("0203"), at("0104"))
    assert beach.piece("Motor").arrives == SetUp(at("0205"))
    assert beach.piece("Charlie").arrives == Lands(2, at("0403"))
    several = read(
        changed(changed(TRAINING, "b b b . .", "x b b . ."), "[map]", '[map]\nlegend = { x = ["beach", "town"] }')
    )
    assert several.board.terrain[at("0402")] == ("beach", "town")


def test_other_numbers_than_those_of_juno() -> None:
    text = TRAINING.replace(
        "[charts.movement]", '[map.labels]\norder = "column-row"\ncorner = "north-west"\n\n[charts.movement]'
    )
    for old, other in (
        ('"0104", "0206"', '"0405", "0604"'),
        ("Red = 0403", "Red = 0302"),
        ("river: 0302/0202 0303/0202 0303/0203 0304/0203 0304/0204", "river: 0203/0204"),
        ("0405/0404", "0502/0402"),
        ("road: 0403-0304-0203-0104", "road: 0302-0403-0304-0405"),
        ("road: 0304-0305-0306-0206", "road: 0403-0503-0603-0604"),
        ('set_up = "0304"', 'set_up = "0403"'),
        ('set_up = "0205"', 'set_up = "0504"'),
    ):
        text = changed(text, old, other)
    assert [p.arrives for p in read(text).roster] == [p.arrives for p in read(TRAINING).roster]


# ------------------------------------------------------------ one setting for equal files
def test_equal_files_under_equal_choices_are_one_setting() -> None:
    beach = read(TRAINING)
    assert read("# another remark\n" + TRAINING) is beach
    assert setting_of(Beach, beach.key) is beach
    assert beach.key.startswith("koenig/Training#")
    others = [
        read(TRAINING, {"K-12": "german"}),
        read(TRAINING, {"K-24": "boxes"}),
        read(changed(TRAINING, "chits = ", "source = 'published'\nchits = ")),
        read(changed(TRAINING, "town = 1", "town = 2")),
        read(JUNO),
    ]
    assert len({beach, *others}) == 6


def test_a_game_starts_from_the_setting() -> None:
    game = new("koenig/training", seed=1)
    assert game.state.setting is read(TRAINING)
    assert game.unread == read(TRAINING).authored


def test_a_unit_that_lands_on_a_turn_without_a_row_meets_the_last_one() -> None:
    one_row = changed(
        changed(TRAINING, "Afternoon = { figures = [0, 0, 0, 1, 1, 2] }", ""), "turn = 2, at", "turn = 1, at"
    )
    for text, rows in (
        (TRAINING, "Morning Afternoon Afternoon Afternoon"),
        (one_row, "Morning Morning Morning Morning"),
    ):
        beach = read(text)
        states = [State(beach, (Unit(),) * len(beach.roster), turn) for turn in range(1, 5)]
        assert [landing_row(state).name for state in states] == [f"landing fire {row}" for row in rows.split()]


def test_the_examples_of_the_documentation_are_one_file() -> None:
    page = (Path(__file__).parents[2] / "docs" / "koenig-scenarios.md").read_text("utf-8")
    parts = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    beach = read("\n".join(part for part in parts if "[map.labels]" not in part))
    assert [piece.name for piece in beach.roster if piece.authored] == ["Post"]
    assert beach.authored == (
        "The map is authored.",
        "The roads off the map are authored.",
        "In the table movement the figures for clear, beach, bocage, town and city are authored.",
        "The table landing fire Afternoon is authored.",
        "In the table landing fire Evening the figure for 6 is authored.",
        "In the table allied support the figures for 1, 2 and 4 to 6 are authored.",
        "The table replacements Allied is authored.",
        "The table replacements German is authored.",
        "Name, unit type, Combat Strength, Movement Allowance and set-up hex of Post are authored.",
    )


# ------------------------------------------------------------ what is wrong with broken files
T, J = TRAINING, JUNO
POST = 'name = "Post", type = "infantry", strength = 3, movement = 6, set_up = "0304"'
UNIT = 'formation["10"].units["Post"]'
COSTS = "{ clear = 1, beach = 2, bocage = 2, town = 1, city = 2, swamp = 3, river = 1 }"
MORNING = "Morning = { figures = [0, 0, 1, 1, 2, 2] }"
FIRE = 'charts."landing fire"'

BROKEN = [
    # the file, and its keys
    (T, "[track]", "[track", "the file", "no TOML"),
    (T, 'title = "Training"', 'title = "Training"\nweather = "fair"', "weather", "unknown key"),
    (T, 'title = "Training"', 'titel = "Training"', "titel", "did you mean 'title'?"),
    (T, 'title = "Training"', "", "title", "missing (the name of the scenario)"),
    (T, 'title = "Training"', 'title = ""', "title", "empty"),
    (T, 'title = "Training"', "title = 1944-06-06", "title", "expected a text in quotation marks, not a date or time"),
    (T, '[refit]\nchits = ["0", "1", "2", "2*"]', "", "refit", "missing (chits = [...])"),
    (T, "[reinforcements]\nlast_turn = 2", "", "reinforcements", "missing: units enter by road"),
    (T, "last_turn = 2", "last_turn = 5", "reinforcements.last_turn", "a whole number from 1 to 4"),
    # sources
    (T, "chits = ", "source = 'printed'\nchits = ", "refit.source", "one of text, published, authored"),
    (T, "chits = ", "source = 'publishd'\nchits = ", "refit.source", "did you mean 'published'?"),
    (T, "chits = ", "sources = { 5 = 'authored' }\nchits = ", "refit.sources.5", "unknown key"),
    (T, "chits = ", "sources = { 2 = 'text' }\nchits = ", "refit.sources.2", '"published" for what is printed'),
    (T, 'turns = ["Morning", "Afternoon"', 'sources = { 3 = "text" }\nturns = ["Morning", "Afternoon"', "track.turns[2]", "the rules' text has Evening (koenig:4.0.k)"),
    (T, "last_turn = 2", "last_turn = 2\nsource = 'text'", "reinforcements.last_turn", "the rules' text has 4 (koenig:juno.5.1.f)"),
    (T, "exits = ", "sources = { exits = 'text' }\nexits = ", "map.exits", "the rules' text has 0106, 0109 and 0213 (koenig:juno.5.1.c)"),
    (T, "figures = " + COSTS, "figures = " + COSTS + '\nsources = { town = "text" }', "charts.movement.sources.town", "does not give town"),
    (T, POST, POST + ", sources = { strength = 'text' }", UNIT + ".sources.strength", "does not give strength of Post"),
    (J, 'movement = 6, lands = { turn = 1, at = "Mike" }', 'movement = 6, lands = { turn = 2, at = "Mike" }', 'formation["3"].units["CHO"].lands.turn', "the rules' text has 1 for CHO (koenig:juno.5.0.a)"),
    (J, 'type = "heavy weapons", strength = 4, movement = 6, lands', 'type = "infantry", strength = 4, movement = 6, lands', 'formation["3"].units["CHO"].type', "the rules' text has heavy weapons for CHO (koenig:juno.5.0.a)"),
    # the track
    (T, '"Night", "Morning"]', '"Nihgt", "Morning"]', "track.turns[2]", "did you mean 'Night'?"),
    (T, 'turns = ["Morning", "Afternoon", "Night", "Morning"]', 'turns = "Morning"', "track.turns", "expected a list [...], not a text"),
    (T, 'turns = ["Morning", "Afternoon", "Night", "Morning"]', 'turn = ["Morning"]', "track.turn", "did you mean 'turns'?"),
    # charts
    (T, "town = 1, ", "", "charts.movement.figures.town", "missing (a whole number of Movement Points)"),
    (T, "town = 1, ", "town = 0, ", "charts.movement.figures.town", "out of range (a whole number from 1 to 20)"),
    (T, "town = 1, ", "town = 1.5, ", "charts.movement.figures.town", "not a fraction"),
    (T, "town = 1, ", "town = true, ", "charts.movement.figures.town", "not true or false"),
    (T, "town = 1, ", "town = 1, sea = 9, ", "charts.movement.figures.sea", "the sea cannot be entered"),
    (T, "town = 1, ", "town = 1, forest = 2, ", "charts.movement.figures.forest", "unknown key"),
    (T, "swamp = 3", "swamp = 2", "charts.movement.figures.swamp", "the rules' text has 3 for swamp (koenig:8.1.c)"),
    (T, "river = 1", "river = 2", "charts.movement.figures.river", "the rules' text has 1 for river (koenig:8.1.c)"),
    (T, MORNING, MORNING.replace("[0, 0,", "[0, 1,"), FIRE + ".Morning.figures[1]", "has 0 on a 2 (koenig:5.0.j)"),
    (T, MORNING, MORNING.replace("2, 2]", "2, 3]"), FIRE + ".Morning.figures[5]", "out of range (a whole number from 0 to 2)"),
    (T, MORNING, MORNING.replace("2, 2]", "2]"), FIRE + ".Morning.figures", "5 figures (six, one for each face of the die)"),
    (T, "[0, 0, 0, 1, 1, 2] }", "[0, 0, 0, 1, 1, -2] }", FIRE + ".Afternoon.figures[5]", "out of range"),
    (T, "Afternoon = {", "Night = { figures = [0, 0, 0, 0, 0, 0] }\nAfternoon = {", FIRE + ".Night", "unknown key"),
    (T, "figures = [1, 1, 2, 2, 3, 3]", "figures = [1, 1, 1, 2, 3, 3]", 'charts."allied support".figures[2]', "has 2 on a 3 (koenig:6.2.a)"),
    (T, "figures = [1, 1, 2, 2, 3, 3]", '', 'charts."allied support".figures', "missing (six numbers, one for each face of the die)"),
    (T, "German = { figures", "Germans = { figures", "charts.replacements.Germans", "did you mean 'German'?"),
    # chits
    (T, '["0", "1", "2", "2*"]', '["0", "1", "2", "2"]', "refit.chits", "no 2* among them"),
    (T, '["0", "1", "2", "2*"]', '["0", "1", 2, "2*"]', "refit.chits[2]", "expected a text in quotation marks"),
    (T, '["0", "1", "2", "2*"]', '["0", "1", "2**", "2*"]', "refit.chits[2]", "did you mean '2*'?"),
    # the map
    (T, ". . o t . .", ". . O t . .", "map.drawing", "symbol 'O' is not in the legend"),
    (T, "Red = 0403", "Red = 0493", "map.drawing", "0493 is not on the board"),
    (T, "Red = 0403", "Red = 0403\n0304: Post", "map.drawing", "units stand in [[formation]]"),
    (T, "river: 0302/0202", "rivr: 0302/0202", "map.drawing", "did you mean 'river'?"),
    (T, "river: 0302/0202 0303/0202 0303/0203 0304/0203 0304/0204", "river: 0101-0102", "map.drawing", "'river' is no road"),
    (T, "cliff: 0405/0404", "road: 0405/0404", "map.drawing", "a road leads from hex to hex"),
    (T, "road: 0304-0305-0306-0206", "road: 0304-0305-0306-0206 0403-0504", "map.drawing", "road 0403-0504: it leads into the sea"),
    (T, "cliff: 0405/0404", "cliff: 0304/0305", "map.drawing", "take the cliff off that hexside if the map means a way through"),
    (T, "[map]", "[map]\nlegend = { x = 'woods' }", "map.legend.x", "one of beach, bocage, town, city, swamp, sea"),
    (T, "[map]", "[map]\nlegend = { x = ['beach', 'twon'] }", "map.legend.x[1]", "did you mean 'town'?"),
    (T, "[map]", "[map]\nlegend = { x = ['sea', 'town'] }", "map.legend.x", "sea with other terrain"),
    (T, "[map]", "[map]\nlegend = { b = 'town' }", "map.legend.b", "'b' is beach already"),
    (T, "[map]", "[map]\nlegend = 'x'", "map.legend", "expected a table"),
    (T, "[map]", "[map]\nlabels = { corner = 'north' }", "map.labels.corner", "one of north-west, south-west"),
    (T, "[map]", "[map]\nlabels = { corner = 'south-east' }", "map.labels", "need the number of columns"),
    (T, "[map]", "[map]\nlabels = { row = 5 }", "map.labels.row", "did you mean 'rows'?"),
    (T, '"0104", "0206"', '"0104", "0906"', "map.exits[1]", "no hex of this map"),
    (T, '"0104", "0206"', '"0104", "0305"', "map.exits[1]", "no hex at the edge of the map"),
    (T, '"0104", "0206"', '"0104", "0101"', "map.exits[1]", "no road comes here"),
    (T, 'exits = ["0104", "0206"]', "exits = []", "formation", "units of 20 enter by road, and no road leads off the map (map.exits)"),
    # formations and units
    (T, 'name = "10"', 'name = "1"', "formation", "2 formations are called '1'"),
    (T, 'name = "10"', 'name = "10th Regiment"', 'formation["10th Regiment"].name', "no single word"),
    (T, 'colour = "#7d7d7d"', 'colour = "grey"', 'formation["10"].colour', 'no colour (such as "#7a8b5c")'),
    (T, 'colour = "#7d7d7d"', 'color = "#7d7d7d"', 'formation["10"].color', "did you mean 'colour'?"),
    (T, 'side = "Allied"', 'side = "Alied"', 'formation["1"].side', "did you mean 'Allied'?"),
    (T, 'units = [{ name = "Gun", type = "anti-tank", strength = 3, movement = 8, enters = true }]', "units = []", 'formation["20"].units', "no unit"),
    (T, POST, POST.replace('"Post"', '"Old Post"'), 'formation["10"].units["Old Post"].name', "no single word"),
    (T, POST, POST.replace('"Post"', '"motor"'), 'formation["10"].units["Motor"]', "another unit has this name"),
    (T, POST, POST.replace('"Post"', '"0101"'), 'formation["10"].units["0101"].name', "is the number of a hex"),
    (T, POST, POST.replace('name = "Post"', 'title = "Post"'), 'formation["10"].units[0].name', "missing (a word)"),
    (T, POST, POST.replace('"infantry"', '"infanty"'), UNIT + ".type", "did you mean 'infantry'?"),
    (T, POST, POST.replace("strength = 3", "strength = 21"), UNIT + ".strength", "a whole number from 0 to 20"),
    (T, POST, POST.replace("movement = 6", "movement = 0"), UNIT + ".movement", "a whole number from 1 to 20"),
    (T, POST, POST.replace(', set_up = "0304"', ""), UNIT, "it comes nowhere (one of set_up"),
    (T, POST, POST + ", enters = true", UNIT, "it has set_up and enters"),
    (T, POST, POST.replace("0304", "0904"), UNIT + ".set_up", "no hex of this map"),
    (T, POST, POST.replace("0304", "Rad"), UNIT + ".set_up", "did you mean 'Red'?"),
    (T, POST, POST.replace("0304", "0501"), UNIT + ".set_up", "this hex is sea"),
    (T, POST, POST.replace('set_up = "0304"', "lands = { turn = 1, at = 'Red' }"), UNIT + ".lands", "German units do not land (koenig:5.0.a)"),
    (T, "enters = true", "enters = 'south'", 'formation["20"].units["Gun"].enters', "expected true"),
    (T, 'lands = { turn = 2, at = "Red" }', 'lands = { turn = 5, at = "Red" }', 'formation["1"].units["Charlie"].lands.turn', "a whole number from 1 to 4"),
    (T, 'lands = { turn = 2, at = "Red" }', 'lands = { turn = 2, at = "0304" }', 'formation["1"].units["Charlie"].lands.at', "no beach hex"),
    (T, 'lands = { turn = 2, at = "Red" }', "lands = { turn = 2 }", 'formation["1"].units["Charlie"].lands.at', "missing"),
    (T, 'lands = { turn = 2, at = "Red" }', "lands = 'Red'", 'formation["1"].units["Charlie"].lands', "expected a table, not a text"),
    (T, 'lands = { turn = 2, at = "Red" }', "set_up = '0304'", UNIT + ".set_up", "Allied units stand in this hex"),
    (T, 'lands = { turn = 2, at = "Red" }', 'lands = { turn = 3, at = "Red" }', 'formation["1"].units["Charlie"].lands.turn', "a turn before the first night"),
    (T, '"0104", "0206"', '"0104", "0206", "0104"', "map.exits[2]", "is there already"),
    (T, 'turns = ["Morning", "Afternoon", "Night", "Morning"]', "turns = []", "track.turns", "no Game Turn"),
    (T, 'turns = ["Morning",', 'turns = ["Night",', "track.turns[0]", "the first Game Turn is a day turn (koenig:3.0.e)"),
]  # fmt: skip

# Each of these was told with others that followed from it.
BROKEN += [
    (J, '"Evening", "Night", # 6 June', '"Evning", "Night", # 6 June', "track.turns[2]", "did you mean 'Evening'?"),
    (J, 'name = "26-Engineer"', 'name = "26 Engineer"', 'formation["3"].units["26 Engineer"].name', "no single word"),
    (J, 'name = "8"\nside = "Allied"', 'name = "8"\nside = "Axis"', 'formation["8"].side', "one of Allied, German"),
    (J, 'name = "3"\nside', 'name = "3rd Division"\nside', 'formation["3rd Division"].name', "no single word"),
    (J, 'name = "716"', 'name = "716 AT"', 'formation["716 AT"].name', "no single word"),
    (J, 'turn = 2, at = "Nan Red"', 'turn = 1, at = "Nan Red"', 'formation["7"].units["RWR"].lands.turn', "the rules' text has 2 for RWR (koenig:juno.5.0.c) (write that, or call lands"),
    (J, 'turn = 3, at = "Nan Red"', 'turn = 3, at = "Mike"', 'formation["7"].units["RRR"].lands.at', "the rules' text has Nan Red for RRR (koenig:juno.5.0.e)"),
    (J, 'turn = 3, at = "Nan Red"', 'turn = "3", at = "Nan Red"', 'formation["7"].units["RRR"].lands.turn', "expected a whole number"),
    (J, 'turn = 3, at = "Nan Red"', 'turn = 3, at = "Nan Rde"', 'formation["7"].units["RRR"].lands.at', "did you mean 'Nan Red'?"),
    (J, 'name = "CHO", title = "Cameron Highlanders of Ottawa", type = "heavy weapons"', 'name = "CHO", type = "heavy wepons"', 'formation["3"].units["CHO"].type', "did you mean 'heavy weapons'?"),
    (J, 'name = "AT-1", title = "1st Anti-Tank Company", type = "anti-tank"', 'name = "AT-1", type = "antitank"', 'formation["716"].units["AT-1"].type', "did you mean 'anti-tank'?"),
    (J, "Mike = 0803", "Mike = 0893", "map.drawing", "line 35, 'Mike = 0893': 0893 is not on the board"),
    (J, "0209-0109", "0209-0119", "map.drawing", "0119 is not on the board"),
    (J, "road: 0209-0210-0211", "rode: 0209-0210-0211", "map.drawing", "did you mean 'road'?"),
    (J, " . b b x b b x b . . . o .", " . b b x b b x b . . . .", "map.drawing", "line 25, '. b b x b b x b . . . .': row 3 has 12 hexes, the others 13; '_' stands for no hex"),
    (J, "    . o t . . . t . . . t . .", "    . o t . . . t . . . t . . .", "map.drawing", "row 7 has 14 hexes, the others 13"),
    (J, 'legend = { x = ["beach", "town"] }', 'legend = { x = ["beach", "twon"] }', "map.legend.x[1]", "did you mean 'town'?"),
    (J, 'legend = { x = ["beach", "town"] }', 'legend = { x = ["beach", "town"], "y z" = "town" }', 'map.legend."y z"', "'y z' cannot be a symbol"),
    (J, "~ ~ ~ ~ ~ ~ ~ ~ b b x b .", "~ ~ ~ ~ ~ ~ ~ ~ q b x b .", "map.drawing", "symbol 'q' is not in the legend, which has . _ x b o t c s ~"),
    (J, "[map]", "[map]\nlabels = { corner = 'north' }", "map.labels.corner", "one of north-west, south-west"),
    (T, 'chits = ["0", "1", "2", "2*"]', 'chits = ["0", "1", "two", "2*"]\nsources = { 2 = "published" }', "refit.chits[2]", "unknown word"),
    (T, 'turns = ["Morning", "Afternoon", "Night", "Morning"]', 'turns = 3', "track.turns", "expected a list [...], not a number"),
    (T, 'exits = ["0104", "0206"]', "exits = ['0901']", "map.exits[0]", "'0901' is not on the board (30 hexes in 5 rows, 0101 to 0506)"),
]  # fmt: skip

# What is wrong here is wrong in two ways, or with several figures.
BROKEN_TWICE = [
    (T, "Afternoon = {", "Evening = {", FIRE + ".Afternoon", "missing (units land on Game Turn 2)"),
    (T, "chits = ", "source = 'text'\nchits = ", "refit.source", "the rules' text does not give 1 ("),
    (J, 'name = "CSR"', 'name = "CSX"', 'formation["7"].sources.name', "does not give name of CSX"),
    (T, '["0", "1", "2", "2*"]', '["0", "1", "2"]', "refit.chits", "3 chits (four (koenig:14.3.b))"),
    (T, POST, POST.replace('set_up = "0304"', 'setup = "0304"'), UNIT + ".setup", "did you mean 'set_up'?"),
    (T, 'lands = { turn = 2, at = "Red" }', "enters = true", 'formation["1"].units["Charlie"].enters', "Allied units do not enter by road"),
    (T, 'side = "Allied"', 'side = "German"', "formation", "no Allied formation"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "old", "new", "key", "what"), BROKEN + BROKEN_TWICE, ids=lambda part: part if len(part) < 99 else ""
)
def test_broken_files(text: str, old: str, new: str, key: str, what: str) -> None:
    found = faults(changed(text, old, new))
    assert [fault for fault in found if fault.key == key and what in str(fault)], "\n".join(map(str, found))
    assert len(found) == 1 or (text, old, new, key, what) in BROKEN_TWICE, "\n".join(map(str, found))


def test_all_faults_are_told_at_once() -> None:
    text = changed(
        changed(changed(TRAINING, "town = 1, ", "town = 0, "), "Red = 0403", "Red = 0101"),
        "last_turn = 2",
        "last_turn = 9",
    )
    assert [fault.key for fault in faults(text)] == [
        *(f'formation["1"].units["{name}"].lands.at' for name in ("Able", "Baker", "Charlie")),
        "charts.movement.figures.town",
        "reinforcements.last_turn",
    ]


ROAD_WRONG = ("road: 0803-0702-0602", "road: 0803-0802-0602")
UNKNOWN_SYMBOL = ("o . s . . . . . t", "o . s . . . . . T")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            [ROAD_WRONG, ('set_up = "0602"', 'set_up = "1411"')],
            ["0802 and 0602 are no neighbours: they are 2 hexes apart", "'1411' is not on the board (130 hexes in 10 rows, 0101 to 1013)"],
        ),
        (
            [(". . o . t . . . t . c . .", ". . o . t . . . t . c ."), ('turn = 1, at = "Nan White"', 'turn = 1, at = "Nan Black"')],
            ["row 9 has 12 hexes, the others 13", 'formation["8"].units["NSR"].lands.at = \'Nan Black\': no hex of this map'],
        ),
        (
            [UNKNOWN_SYMBOL, ("river: 0803/0804", "river: 0803/0806"), ('"0213"]', '"0212"]')],
            ["symbol 'T' is not in the legend", "0803 and 0806 are no neighbours: they are 3 hexes apart", "map.exits[2] = '0212': no hex at the edge of the map"],
        ),
        (
            [('name = "6-736"', 'name = "5-736"'), ('"5-736", title = "5th Company", type = "infantry", strength = 2', '"5-736", type = "infantry", strength = "2"')],
            ['units["5-736"].strength = \'2\': expected a whole number', 'units["5-736"]: another unit has this name'],
        ),
        (
            [UNKNOWN_SYMBOL, ("o . o . . o . . o", "O . o . . o . . o"), ("Mike = 0803", "Mike 0803"), ("Nan Red = 0910", "Nan Red = 09100")],
            ["symbol 'T' is not", "symbol 'O' is not", "'Mike 0803': expected 'LABEL: text'", "'09100' names no hex"],
        ),
        (
            [("river: 0703/0604 0604/0704", "river: 0703/0604 0604/0705 0901 0604/0706")],
            ["0604 and 0705 are no neighbours", "'0901' is neither links", "0604 and 0706 are no neighbours"],
        ),
        (
            [('name = "8"\nside = "Allied"', 'name = "8"\nside = "Axis"'), ('turn = 3, at = "Nan White"', 'turn = 30, at = "Nan White"'), ('"QOR"', '"CSR"')],
            ['formation["8"].side', 'formation["8"].units["CSR"].lands.turn', "does not give name of CSR", "another unit has this name"],
        ),
        (
            [("[0, 0, 0, 1, 1, 2]", "[0, 0, 0, 1, 7]"), ('"Evening", "Night", # 6', '"Evning", "Night", # 6')],
            ["track.turns[2]", "5 figures (six", 'Afternoon.figures[4] = 7: out of range'],
        ),
    ],
    ids=["road", "row", "symbol", "name", "lines", "chain", "side", "figures"],
)  # fmt: skip
def test_a_fault_hides_no_other_and_brings_no_other(changes: list[tuple[str, str]], told: list[str]) -> None:
    text = JUNO
    for change in changes:
        text = changed(text, *change)
    found = [str(fault) for fault in faults(text)]
    for what in told:
        assert any(what in line for line in found), "\n".join(found)
    assert [line for line in found if not any(what in line for what in told)] == []


def test_every_fault_is_told_beside_others() -> None:
    """All files above that are wrong in one thing, with a bad line in the map, a bad figure and a bad unit besides."""
    besides = [
        ('"""\n\n[charts', 'cliff: 0201/0203\n"""\n\n[charts'),
        ("German = { figures = [0, 1, 1", "German = { figures = [0, -1, 1"),
        ('name = "Gun", type = "anti-tank", strength = 3', 'name = "Gun", type = "anti-tank", strength = 33'),
    ]
    told, hidden = 0, list[str]()
    for text, *change, key, what in BROKEN:
        broken = changed(text, *change)
        if text is not TRAINING or any(broken.count(part) != 1 for part, _ in besides) or "no TOML" in what:
            continue
        for beside in besides:
            broken = changed(broken, *beside)
        found = faults(broken)
        assert len(found) >= 3, f"{change}: {found}"
        if any(fault.key == key and what in str(fault) for fault in found):
            told += 1
        elif "map.labels" not in key:
            hidden.append(f"{key}: {what}")
    assert told > 70
    assert hidden == []


def test_rows_may_be_long_and_short_in_turn() -> None:
    text = changed(changed(TRAINING, " . b b b . .", " . b b b ."), " . o . . . .", " . o . . .")
    text = changed(changed(text, '"0104", "0206"', '"0104"'), "0304-0305-0306-0206", "0304-0305-0306")
    assert read(text).board.row_lengths == (6, 5, 6, 5, 6)


def test_a_line_is_counted_in_the_file_where_it_stands_there_as_it_is() -> None:
    [fault] = faults(changed(TRAINING, "Red = 0403", "Red = 0493"))
    number = TRAINING[: TRAINING.index("Red = 0403")].count("\n") + 1
    assert fault.problem.startswith(f"line {number}, 'Red = 0493'")
    [again] = faults(changed(TRAINING, "Red = 0403", "Red = 0493").replace("\n", "\r\n"))
    assert again == fault
    [fault] = faults(changed(TRAINING, "Red = 0403", "Red =\\u00200493"))
    assert fault.problem.startswith("line 7 of the drawing, 'Red = 0493'")


def test_a_file_of_another_kind() -> None:
    assert [fault.key for fault in faults("")] == ["title", "track", "map", "charts", "refit", "formation"]
    assert all(fault.problem == "missing" for fault in faults(""))
    everything_wrong = "title = 1\ntrack = 1\nmap = 1\ncharts = 1\nrefit = 1\nformation = 1\nreinforcements = 1"
    assert [str(fault).partition(",")[0] for fault in faults(everything_wrong)] == [
        "title = 1: expected a text in quotation marks",
        "track = 1: expected a table",
        "map = 1: expected a table",
        "formation = 1: expected a list [...]",
        "charts = 1: expected a table",
        "refit = 1: expected a table",
        "reinforcements = 1: expected a table",
    ]
    assert "each of them begins with [[formation]]" in str(
        faults(
            changed(TRAINING[: TRAINING.index("[[")], "[reinforcements]", '[formation]\nname = "1"\n[reinforcements]')
        )[0]
    )


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "latin.koenig.toml"
    path.write_bytes('title = "Régiment"'.encode("latin-1"))
    with pytest.raises(
        ScenarioError, match=r"latin.koenig.toml: 1 fault\s+the file: no text in UTF-8: .* \(save it as UTF-8\)"
    ):
        new(path)


def test_three_units_in_a_hex_and_reinforcements_of_two_formations() -> None:
    text = JUNO.replace('set_up = "0807"', 'set_up = "0804"')
    assert read(text).piece("6-736").arrives == read(text).piece("5-736").arrives
    [fault] = faults(text.replace('set_up = "0911"', 'set_up = "0804"'))
    assert (
        str(fault)
        == """formation["736"].units["7-736"].set_up = '0804': unit 3 in this hex (koenig:8.2.a) (2 at most)"""
    )
    [fault] = faults(changed(JUNO, 'set_up = "0709"', "enters = true"))
    assert (
        str(fault) == "formation: units of 736 and 716 enter (reinforcements are of one formation (koenig:juno.5.1.a))"
    )


ROAD = "road: 0403-0304-0203-0104"


@pytest.mark.parametrize(
    ("old", "new", "key", "what"),
    [
        (ROAD, f"{ROAD}-0103", "map.exits[0]", "2 roads come here (one road to the map, or koenig:K-24 = edge)"),
        ('"0104", "0206"', '"0206", "0306"', "map.exits[0]", "its road leads to 0306, which is an exit"),
        ('set_up = "0205"', 'set_up = "0206"', 'formation["10"].units["Motor"].set_up', "lies off the map under koenig:K-24"),
    ],
)  # fmt: skip
def test_what_is_wrong_only_where_exits_lie_off_the_map(old: str, new: str, key: str, what: str) -> None:
    text = changed(TRAINING, old, new)
    assert read(text).choice("K-24") == "edge"
    assert [fault for fault in faults(text, {"K-24": "boxes"}) if fault.key == key and what in str(fault)]


def test_rows_of_landing_fire_have_no_gap() -> None:
    early = JUNO.replace("turn = 2", "turn = 1").replace("turn = 3", "turn = 1")
    early = early.replace(', lands = "text"', "").replace('name = "text", type', "type")
    assert "landing fire Evening" in read(early).charts
    row = 'Afternoon = { figures = [0, 0, 0, 1, 1, 2], source = "authored" }'
    [fault] = faults(changed(early, row, ""))
    assert str(fault).startswith('charts."landing fire": a row for Evening, and none for Afternoon before it')
