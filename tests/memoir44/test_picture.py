"""Pictures of Memoir '44 scenarios: everything that a file puts on the board is in its picture."""

from __future__ import annotations

import json
import os
from collections import Counter as Tally
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest

import beachhead as bh
from beachhead.hexes import Hex
from beachhead.svg import board_svg
from beachhead_memoir44.m44 import read_m44
from beachhead_memoir44.picture import COLOURS, TERRAIN, picture, unit_counter
from beachhead_memoir44.tables import Side, terrains, troops

PROJECT = Path(__file__).resolve().parents[2]
OWN = sorted((PROJECT / "tests" / "memoir44" / "files").glob("*.m44"))
REAL = sorted((PROJECT / os.environ.get("BEACHHEAD_SHARED", "../shared") / "data" / "m44").glob("*.m44"))
MILL_CROSSING = PROJECT / "tests" / "memoir44" / "files" / "mill-crossing.m44"
NAMESPACE = "{http://www.w3.org/2000/svg}"


def parts(svg: str, kind: str) -> list[ET.Element]:
    return [element for element in ET.fromstring(svg).iter() if element.get("class") == kind]


def titles(svg: str, kind: str) -> list[str | None]:
    return [part.findtext(f"{NAMESPACE}title") for part in parts(svg, kind)]


@pytest.fixture
def crossing(tmp_path: Path) -> Path:
    """A small scenario of our own."""
    hexagons = [
        {"row": 0, "col": 0, "terrain": {"name": "woods"}, "unit": {"name": "infger", "nbr_units": "3"}},
        {"row": 0, "col": 2, "terrain": {"name": "river", "orientation": 2}, "rect_terrain": {"name": "bridge"}},
        {"row": 1, "col": 1, "terrain": {"name": "river", "orientation": 2}, "tags": [{"name": "medal1"}]},
        {"row": 2, "col": 6, "obstacle": {"name": "sand"}, "unit": {"name": "tank2us", "badge": "badge2"}},
        {
            "row": 2,
            "col": 8,
            "obstacle": {"name": "wire"},
            "tags": [{"name": "tag3", "behavior": "MINE_FIELD", "side": "AXIS"}],
        },
    ]
    data = {
        "game_info": {
            "side_player1": "AXIS",
            "side_player2": "ALLIES",
            "country_player1": "DE",
            "country_player2": "US",
        },
        "board": {
            "type": "STANDARD",
            "face": "WINTER",
            "hexagons": hexagons,
            "labels": [{"row": 2, "col": 4, "text": ["Two", " words "]}],
        },
        "text": {"en": {"name": "A crossing"}},
    }
    path = tmp_path / "crossing.m44"
    path.write_text(json.dumps(data))
    return path


def test_a_scenario_is_drawn_with_all_that_lies_on_it(crossing: Path) -> None:
    svg = picture(read_m44(crossing))
    assert ET.fromstring(svg).findtext(f"{NAMESPACE}title") == "A crossing"
    assert titles(svg, "counter") == ["Axis Infantry (DE), 3 figures, 1 lost", "Allies Elite Armor (US), 4 figures"]
    assert titles(svg, "medal") == ["objective of the Allies"]
    assert sorted(map(str, titles(svg, "sign"))) == ["Sandbags", "Wire", "minefield"]
    assert {part.text for part in parts(svg, "name")} == {"Two words"}
    assert "river" in titles(svg, "link")


def test_depleted_units_show_what_they_lack(crossing: Path) -> None:
    infantry = parts(picture(read_m44(crossing)), "counter")[0]
    assert [part.get("fill") == "none" for part in infantry.iter() if part.get("class") == "pip"] == [
        False,
        False,
        False,
        True,
    ]


def test_the_face_colours_the_ground(crossing: Path) -> None:
    def ground(face: str) -> set[str | None]:
        crossing.write_text(crossing.read_text().replace("WINTER", face))
        svg = picture(read_m44(crossing))
        crossing.write_text(crossing.read_text().replace(face, "WINTER"))
        return {polygon.get("fill") for part in parts(svg, "hex") for polygon in part.iter(f"{NAMESPACE}polygon")}

    assert len({frozenset(ground(face)) for face in ("WINTER", "DESERT", "COUNTRY", "BEACH")}) == 4


def test_every_terrain_has_a_look() -> None:
    assert TERRAIN.keys() == terrains().keys()


@pytest.mark.parametrize("troop_id", troops())
@pytest.mark.parametrize("side", Side)
def test_every_troop_has_a_counter_of_its_own(troop_id: str, side: Side) -> None:
    own = unit_counter(Hex(0, 0), troop_id, side, 2)
    assert own.colour == COLOURS[side]
    assert troops()[troop_id].name in own.title
    same = [
        other
        for other in troops()
        if (c := unit_counter(Hex(0, 0), other, side, 2)).symbol == own.symbol and c.badge == own.badge
    ]
    assert same == [troop_id]


@pytest.mark.parametrize("path", [*OWN, *REAL], ids=lambda path: path.stem)
def test_every_file_draws(path: Path) -> None:
    scenario = read_m44(path)
    svg = picture(scenario)
    assert Tally(part.get("data-label") for part in parts(svg, "hex")) == Tally(
        map(scenario.board.label, scenario.board)
    )
    assert len(parts(svg, "counter")) == len(scenario.units)
    assert len(parts(svg, "medal")) == len(scenario.objectives)
    assert len(parts(svg, "sign")) == (
        sum(map(len, scenario.obstacles.values()))
        + len(scenario.mines)
        + len(scenario.markers)
        + sum(len(way_out.hexes) for way_out in scenario.exits)
    )
    assert parts(svg, "unknown") == []
    assert svg != board_svg(scenario.board)


def test_a_battle_is_drawn_as_it_stands() -> None:
    game = bh.new(MILL_CROSSING, seed=5)
    choose, gold, ordered = Random(4), COLOURS[None], 0
    while game.decision and game.decisions < 80:
        game.apply(choose.choice(game.legal_actions()))
        svg, state = game._repr_svg_(), game.state
        counters = parts(svg, "counter")
        assert len(counters) == sum(len(state.of(side)) for side in Side)
        assert len(parts(svg, "sign")) == len(state.obstacles)
        assert len(parts(svg, "medal")) == len(state.setting.objectives)
        golden = sum(rect.get("stroke") == gold for part in counters for rect in part.iter(f"{NAMESPACE}rect"))
        assert golden == sum(state.on_board(orders.unit) for orders in state.turn.orders)
        ordered += golden
    assert ordered, "no unit was ordered in all these decisions"


def test_a_new_battle_has_the_counters_of_its_scenario() -> None:
    at_set_up = titles(picture(read_m44(MILL_CROSSING)), "counter")
    assert titles(bh.new(MILL_CROSSING, seed=5)._repr_svg_(), "counter") == at_set_up
