"""Pictures of Koenig's D-Day: everything that lies on the map is in its picture."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree as ET

import pytest

import beachhead as bh
from beachhead.hexes import Hex
from beachhead.svg import Svg
from beachhead.systems import find_scenario
from beachhead_koenig.beach import SetUp
from beachhead_koenig.cases import position
from beachhead_koenig.picture import GROUND, HEXSIDES, TERRAIN, TYPES, picture, unit_counter
from beachhead_koenig.system import SYSTEM
from beachhead_koenig.tables import TERRAIN as NAMES
from beachhead_koenig.tables import Side, UnitType

NAMESPACE = "{http://www.w3.org/2000/svg}"


def parts(svg: Svg | str, kind: str) -> list[ET.Element]:
    return [element for element in ET.fromstring(svg).iter() if element.get("class") == kind]


def titles(svg: Svg | str, kind: str) -> list[str | None]:
    return [part.findtext(f"{NAMESPACE}title") for part in parts(svg, kind)]


def texts(element: ET.Element, kind: str) -> list[str | None]:
    return [part.text for part in element.iter() if part.get("class") == kind]


def test_every_terrain_and_every_type_of_unit_has_a_look_of_its_own() -> None:
    assert TERRAIN.keys() == {*NAMES}
    assert TYPES.keys() == {*UnitType}
    assert len(set(TYPES.values())) == len(UnitType)


def test_a_counter_shows_strength_and_movement_its_type_its_formation_and_its_hits() -> None:
    state = position(["C3: CSR 4-6 allied engineer h1", "D3: P 3-10 german h2"])
    allied, german = parts(picture(state), "counter")
    assert (texts(allied, "designation"), texts(allied, "strength")) == (["CSR"], ["4-6"])
    assert (texts(german, "designation"), texts(german, "strength")) == (["P"], ["3-10"])
    assert [len(texts(counter, "pip")) for counter in (allied, german)] == [1, 2]
    assert allied.findtext(f"{NAMESPACE}title") == "Allied CSR, engineer of formation A, 1 Hit"
    counter = unit_counter(state, "CSR")
    assert (counter.symbol, counter.colour) == (TYPES[UnitType.ENGINEER], GROUND[Side.ALLIED])
    assert counter.box == state.setting.formation("A").colour
    assert unit_counter(state, "P").colour == GROUND[Side.GERMAN]


def test_both_units_of_a_hex_can_be_read() -> None:
    svg = picture(position(["C3: CSR 4-6 allied", "C3: RWR 5-6 allied", "E3: P 3-6 german"]))
    places = [part.get("transform") for part in parts(svg, "counter")]
    assert len({*places}) == 3
    assert sum(place is None for place in places) == 1
    assert len(texts(ET.fromstring(svg), "designation")) == 3


def test_only_units_that_may_still_operate_are_pointed_out() -> None:
    units = ["C3: CSR 4-6 allied", "C4: RWR 5-6 allied done", "D4: NSR 5-6 allied of B", "E3: P 3-6 german"]
    state = position(units, active="A")
    borders = {name: unit_counter(state, name).border for name in state.setting.number}
    assert borders["RWR"] == borders["NSR"] == borders["P"] != borders["CSR"]


def test_rivers_cliffs_roads_exits_and_interdiction_are_drawn() -> None:
    lines = ["river: C3/D3 C4/D3", "cliff: C3/C4", "road: A1-B1-C1", "Nan Red = B2", "B2: beach town"]
    svg = picture(position(lines, exits=["A1"], interdicted=["D5"]))
    assert sorted({*titles(svg, "hexside")}, key=str) == ["cliff", "river"]
    assert len(parts(svg, "hexside")) == sum(map(len, HEXSIDES.values()))
    assert "road" in titles(svg, "link")
    assert titles(svg, "sign") == ["road off the map at A1; 0 units exited by it", "D5 is interdicted"]
    assert len(parts(svg, "highlight")) == 1
    assert {part.text for part in parts(svg, "name")} == {"Nan Red"}
    assert "B2 Nan Red: beach, town" in titles(svg, "hex")
    assert parts(svg, "unknown") == []


@pytest.mark.parametrize("choice", ["edge", "boxes"])
def test_every_road_off_the_map_has_an_arrow(choice: str) -> None:
    game = bh.new("koenig/juno", seed=1, options={"K-24": choice})
    signs = parts(SYSTEM.picture(game.state), "sign")
    assert len(signs) == 3
    assert all(sign.find(f"{NAMESPACE}path") is not None for sign in signs)


def test_before_the_set_up_one_sees_what_it_leads_to() -> None:
    _, source = find_scenario("koenig/juno")
    state = SYSTEM.new(source, {})
    pieces = [piece for piece in state.setting.roster if isinstance(piece.arrives, SetUp)]
    assert len(parts(picture(state), "counter")) == len(pieces)
    assert ET.fromstring(picture(state)).findtext(f"{NAMESPACE}title") == "Juno, set-up"


def test_a_game_is_drawn_as_it_stands() -> None:
    game = bh.new("koenig/juno", seed=5, options={"14.2": "yes"})
    choose, hits, shared = Random(4), 0, 0
    while game.decision and game.decisions < 150:
        game.apply(choose.choice(game.legal_actions()))
        if game.decisions % 10:
            continue
        svg, state = game._repr_svg_(), game.state
        on_map = [unit for unit in state.units if isinstance(unit.place, Hex)]
        assert len(parts(svg, "counter")) == len(on_map)
        assert len(parts(svg, "highlight")) == len(state.interdicted)
        assert len(parts(svg, "pip")) == sum(unit.hits for unit in on_map)
        hits += len(parts(svg, "pip"))
        shared += sum(bool(part.get("transform")) for part in parts(svg, "counter"))
    assert hits, "nobody was hit in all these decisions"
    assert shared, "no hex held two units in all these decisions"
