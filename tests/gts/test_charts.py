"""Charts files: the one that comes with Beachhead, and what the reader says of broken ones."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from beachhead.errors import Fault
from beachhead.rules import Provenance
from beachhead.scenario_values import Value
from beachhead_gts.charts import Charts, OtherTerrain
from beachhead_gts.scenario import read_charts, shipped_charts
from beachhead_gts.scenario.charts import SHIPPED
from beachhead_gts.tables import FOLDER, MovementClass, Result, WeaponClass

LEG, WHEELED, TRACKED, IMMOBILE = (
    MovementClass.LEG,
    MovementClass.WHEELED,
    MovementClass.TRACKED,
    MovementClass.IMMOBILE,
)
TEXT = SHIPPED["beachhead"].read_text("utf-8")


def read(text: str) -> Charts:
    faults = list[Fault]()
    found = read_charts(Value("", tomllib.loads(text), faults))
    assert found is not None
    assert faults == []
    return found.charts


def faults_of(text: str) -> list[Fault]:
    faults = list[Fault]()
    read_charts(Value("", tomllib.loads(text), faults))
    return faults


def changed(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"{old!r} stands there {text.count(old)} times"
    return text.replace(old, new)


# ------------------------------------------------------------ what comes with Beachhead
def test_every_line_of_the_combat_results_table_has_nine_results() -> None:
    charts = shipped_charts("beachhead")
    assert {key: len(line.results) for key, line in charts.results.items()} == {
        (weapon, armored): 9 for weapon in WeaponClass for armored in (True, False)
    }
    assert {line.source for line in charts.results.values()} == {Provenance.PUBLISHED}
    small_arms = charts.results[WeaponClass.SMALL_ARMS, False]
    assert small_arms.results[0] is Result.COHESION_HIT
    assert small_arms.results[1:3] == (Result.POSSIBLE_SUPPRESSION,) * 2
    assert small_arms.results[8] is Result.ELIMINATION


def test_results_do_not_get_weaker_from_the_roll_of_one_on() -> None:
    strength = list(Result)
    for line in shipped_charts("beachhead").results.values():
        order = [strength.index(result) for result in line.results[1:]]
        assert order == sorted(order), line


def test_direct_fire_of_all_artillery_has_a_line_of_its_own_kind() -> None:
    charts = shipped_charts("beachhead")
    indirect = {
        charts.results[weapon, armored].results for weapon in WeaponClass if weapon.artillery for armored in (True,)
    }
    assert len(indirect) == 1


def test_terrain_costs_in_and_out_of_column() -> None:
    terrain = shipped_charts("beachhead").terrain
    assert (terrain["woods"].normal[LEG], terrain["woods"].column[LEG]) == (8, 4)
    assert terrain["woods"].normal[WHEELED] is terrain["woods"].column[WHEELED] is None
    assert (terrain["town"].normal[TRACKED], terrain["town"].column[TRACKED]) == (None, 2)
    assert (terrain["town"].fire, terrain["town"].fire_armored) == (-2, -1)
    assert terrain["woods"].fire_armored == -2, "as for unarmored targets where nothing else stands there"
    assert all(row.normal[IMMOBILE] is None for row in terrain.values())
    assert {name for name, row in terrain.items() if row.blocks} == {
        "woods", "brushwoods", "bocage", "village", "town", "city", "fortified",
    }  # fmt: skip
    assert terrain["bocage"].source is Provenance.PUBLISHED
    assert {row.cost_source for row in terrain.values()} == {Provenance.AUTHORED}


def test_hexsides_and_roads() -> None:
    charts = shipped_charts("beachhead")
    stream, bridge, road = charts.hexsides["stream"], charts.hexsides["bridge"], charts.roads["road"]
    assert (stream.normal[LEG], stream.column[LEG], stream.normal[WHEELED]) == (4, 8, None)
    assert bridge.column_only
    assert (bridge.normal[LEG], bridge.column[LEG]) == (None, 0)
    assert {name for name, row in charts.hexsides.items() if row.crest} == {"crest", "slope", "ridge"}
    assert (road.normal[LEG], road.column[LEG]) == (OtherTerrain(), 1)
    assert charts.hexsides["ridge"].source is Provenance.PUBLISHED


def test_the_figures_of_modifiers_and_markers() -> None:
    figures = shipped_charts("beachhead").figures
    assert {name: tuple(chart[key] for key in ("fire", "assault", "defense", "quality")) for name, chart in figures.items() if "quality" in chart} == {
        "column": (-1, -1, 2, 0),
        "step loss": (-1, -1, 0, -1),
        "one cohesion hit": (-1, -1, 0, 0),
        "two cohesion hits": (-2, -2, 0, -1),
        "suppressed": (0, -2, 0, -1),
        "improved position": (0, 0, -1, 1),
        "entrenchment": (1, 1, -2, 2),
        "out of command": (0, 0, 0, -1),
        "men rallying": (0, 0, 0, 1),
        "light barrage": (-1, -1, 0, -1),
        "heavy barrage": (-2, -2, 0, -2),
    }  # fmt: skip
    assert [figures["mass"][str(steps)] for steps in range(9)] == [-1, 0, 0, 0, 1, 1, 2, 2, 3]
    assert dict(figures["weather"]) == {"night": -2, "fog": -1, "rain": -2}
    assert dict(figures["sight"]) == {"clear day": 8, "clear night": 3, "fog": 2, "rain": 2, "observation post": 13}
    assert dict(figures["range"]) == {"armored near": -1, "armored far": -2}
    assert dict(figures["opportunity"]) == {"into a Fire Zone": 2, "into no Fire Zone": -1}
    assert dict(figures["company"]) == {"bonus": 2}


def test_what_the_text_gives_is_text() -> None:
    figures = shipped_charts("beachhead").figures
    given = {name for name, chart in figures.items() if set(chart.source.values()) == {Provenance.TEXT}}
    assert set(figures) - given == {"mass", "weather", "improved position", "entrenchment"}
    assert Provenance.AUTHORED not in {source for chart in figures.values() for source in chart.source.values()}


def test_every_table_belongs_to_a_rule() -> None:
    rules = {row["id"] for row in tomllib.loads((FOLDER / "rules.toml").read_text("utf-8"))["rule"]}
    charts = shipped_charts("beachhead")
    assert {chart.rule for chart in charts.figures.values()} <= rules
    assert charts.figures["mass"].rule == "gts:15.6.s"
    assert str(charts.figures["mass"].modifier("5")) == "1 5 (gts:15.6.s)"


def test_what_is_authored_and_what_is_published_is_told() -> None:
    charts = shipped_charts("beachhead")
    assert (
        "The movement costs and effect on sight of clear, polder, orchard, woods, village, town, city and fortified are authored after The Devil's Cauldron."
        in charts.authored
    )
    assert (
        "The Combat Results Table, mass table, weather table, improved position table and entrenchment table are published in The Greatest Day."
        in charts.published
    )


# ------------------------------------------------------------ charts that build on others
BASE = 'title = "Mine"\nbase = "beachhead"\ngame = "A printed game"\n'


def test_charts_on_a_base_say_only_what_differs() -> None:
    ours = shipped_charts("beachhead")
    charts = read(BASE)
    assert charts.title == "Mine"
    assert (charts.results, charts.terrain, charts.figures) == (ours.results, ours.terrain, ours.figures)
    charts = read(
        BASE
        + '[terrain]\nsource = "published"\nwoods = { tracked = "8" }\nheath = { leg = 2, wheeled = 4, tracked = "5/2" }'
    )
    woods, heath = charts.terrain["woods"], charts.terrain["heath"]
    assert (woods.normal[TRACKED], woods.column[TRACKED], woods.normal[LEG]) == (16, 16, 8)
    assert woods.cost_source is Provenance.AUTHORED, "the cost for Leg units is still ours"
    assert (heath.normal[TRACKED], heath.cost_source) == (5, Provenance.PUBLISHED)
    assert (
        "The movement costs, effect on sight and fire modifiers of heath are published in A printed game."
        in charts.published
    )
    charts = read(BASE + '[results.armored]\nsource = "published"\n"Armor Piercing" = "C P P C 1 1 E E E"')
    assert charts.results[WeaponClass.ARMOR_PIERCING, True].results[3] is Result.COHESION_HIT
    assert "The results in the Combat Results Table" not in str(charts.authored)


def test_an_exclusive_rule_may_have_another_figure_than_the_text() -> None:
    charts = read(BASE + '[figures]\nsight = { "clear day" = 6, source = "published" }')
    sight = charts.figures["sight"]
    assert (sight["clear day"], sight.source["clear day"]) == (6, Provenance.PUBLISHED)
    assert (sight["fog"], sight.source["fog"]) == (2, Provenance.TEXT)
    ours = read(BASE + '[figures]\nsight = { "clear day" = 6 }')
    assert "The figures in the sight table for clear day are authored." in ours.authored


def test_what_the_text_gives_need_not_be_written() -> None:
    text = "\n".join(line for line in TEXT.splitlines() if 'source = "text"' not in line)
    assert read(text).figures == shipped_charts("beachhead").figures


def test_roads_that_cost_a_multiple_of_other_terrain() -> None:
    charts = read(BASE + '[roads]\n"raised road" = { leg = "OTx2(1/2)", wheeled = "NP(1/2)", tracked = "NP(1/2)" }')
    row = charts.roads["raised road"]
    assert (row.normal[LEG], row.column[LEG], row.normal[WHEELED], row.column[WHEELED]) == (OtherTerrain(2), 1, None, 1)


# ------------------------------------------------------------ what is wrong with broken files
BROKEN: list[tuple[str, str, str, str, str]] = [
    (TEXT, 'title = "Beachhead"', "", "title", "missing (whose charts they are)"),
    (TEXT, 'title = "Beachhead"', 'titel = "x"\ntitle = "y"', "titel", "unknown key"),
    (TEXT, '"Small Arms" = "C P P S S C C 1 E"', '"Small Arms" = "C P P S S C C 1"', 'results.armored."Small Arms"', "9 of P (for S?), S, C, 1 and E"),
    (TEXT, '"Small Arms" = "C P P S S C C 1 E"', '"Small Arms" = "C P P S S C C 2 E"', 'results.armored."Small Arms"', "no line of results"),
    (TEXT, '"Small Arms" = "C P P S S C C 1 E"', "", 'results.armored."Small Arms"', "missing (its 9 results"),
    (TEXT, '"Small Arms" = "C P P S S C C 1 E"', '"Smal Arms" = "C P P S S C C 1 E"', 'results.armored."Smal Arms"', "did you mean 'Small Arms'?"),
    (TEXT, 'woods = { symbol = "w", leg = "4(2)"', 'woods = { symbol = "w", leg = "4(2"', "terrain.woods.leg", 'no cost (such as "4(2)" for 4, and 2 in Column; "NP" for not permitted)'),
    (TEXT, 'woods = { symbol = "w", leg = "4(2)"', 'woods = { symbol = "w", leg = "OT"', "terrain.woods.leg", "only a road can cost as much as other terrain"),
    (TEXT, 'woods = { symbol = "w", leg = "4(2)"', 'woods = { symbol = "w", leg = 0', "terrain.woods.leg", "this would cost nothing"),
    (TEXT, 'woods = { symbol = "w", leg = "4(2)", ', 'woods = { symbol = "w", ', "terrain.woods.leg", 'missing (what it costs, such as "2(1)" or "NP")'),
    (TEXT, 'woods = { symbol = "w"', 'woods = { symbol = "b"', "terrain.bocage", "'b' is woods already"),
    (TEXT, 'woods = { symbol = "w"', 'woods = { symbol = "."', "terrain.woods.symbol", "it is fixed"),
    (TEXT, "blocks = true, fire = -2, after", "blocks = 1, fire = -2, after", "terrain.woods.blocks", "expected true or false, not a number"),
    (TEXT, "blocks = true, fire = -2, after", "block = true, fire = -2, after", "terrain.woods.block", "did you mean 'blocks'?"),
    (TEXT, "clear = { leg", "open = { leg", "terrain.clear", "missing"),
    (TEXT, 'clear = { leg', 'clear = { symbol = "e", leg', "terrain.clear", "has a symbol"),
    (TEXT, 'railroad = { leg = "OT(1/2)"', 'railroad = { leg = "OTT(1/2)"', "roads.railroad.leg", '"OT" or "OTx2" for other terrain'),
    (TEXT, "4 = 1, 5 = 1", "4 = 1", "figures.mass.5", "missing"),
    (TEXT, "4 = 1, 5 = 1", "4 = 1, 5 = 99", "figures.mass.5", "a whole number from -20 to 20"),
    (TEXT, "weather = { night", "wether = { night", "figures.wether", "did you mean 'weather'?"),
    (TEXT, "bonus = 2", "bonus = 3", "figures.company.bonus", 'the rules\' text has 2 (write that, or call bonus "authored" or "published")'),
    (TEXT, 'game = "The Greatest Day"', "", "results.source", "no game is named in which it is published"),
    (BASE, 'base = "beachhead"', 'base = "beachead"', "base", "did you mean 'beachhead'?"),
    (BASE, 'base = "beachhead"', 'base = "beside"', "base", "no such file lies beside the scenario"),
    (BASE, 'game =', 'terrain = 3\ngame =', "terrain", "expected a table, not a number"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "old", "new", "key", "what"), BROKEN, ids=lambda part: part if len(part) < 60 else "")
def test_broken_files(text: str, old: str, new: str, key: str, what: str) -> None:
    found = faults_of(changed(text, old, new))
    assert [fault for fault in found if fault.key == key and what in str(fault)], "\n".join(map(str, found))


@pytest.mark.parametrize(
    "value", [3, [], {}, None, {"title": 3}, "nothing", {"base": "beachhead", "figures": {"mass": []}}]
)
def test_something_else_than_charts(value: Any) -> None:
    faults = list[Fault]()
    read_charts(Value("charts", value, faults))
    assert faults
