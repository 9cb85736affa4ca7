"""What a battle takes from its scenario file beyond what rows can show: what is assumed is told, and what cannot be known is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import beachhead as bh
from beachhead.errors import ScenarioError, ScriptError
from beachhead.game import Game
from beachhead_memoir44 import SYSTEM
from beachhead_memoir44.cases import position
from beachhead_memoir44.tables import Side

UNITS = [{"row": 0, "col": 8, "unit": {"name": "infger"}}, {"row": 8, "col": 8, "unit": {"name": "infus"}}]


def written(folder: Path, **game_info: Any) -> str:
    path = folder / "drawn.m44"
    path.write_text(json.dumps({"game_info": game_info, "board": {"hexagons": UNITS}}), "utf-8")
    return str(path)


def test_who_wins_without_cards_is_assumed_and_told(tmp_path: Path) -> None:
    game = bh.new(written(tmp_path, options={"deck_reshuffling": False}), seed=1)
    assert game.state.setting.winner_without_cards is Side.AXIS
    (told,) = [line for line in game.system.unread(game.state) if "draw pile" in line]
    assert "the Axis is assumed" in told

    usual = bh.new(written(tmp_path), seed=1)
    assert usual.state.setting.winner_without_cards is None
    assert not any("draw pile" in line for line in usual.system.unread(usual.state))


def test_a_starter_that_only_the_prose_names_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="PLAYER1 or PLAYER2, in a patch file"):
        bh.new(written(tmp_path, starting="SPECIAL"))


def test_medals_for_empty_sections_need_a_side_and_sections(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="side missing"):
        bh.new(written(tmp_path, options={"empty_section_medals": {"sections": [0]}}))
    with pytest.raises(ScenarioError, match="sections missing"):
        bh.new(written(tmp_path, options={"empty_section_medals": {"side": "AXIS"}}))


def test_hands_that_the_deck_cannot_deal_are_refused(tmp_path: Path) -> None:
    assert bh.new(written(tmp_path, cards_player1=40, cards_player2=20), seed=1).state.pile.size == 0
    with pytest.raises(ScenarioError, match="80 cards, and the deck has 60"):
        bh.new(written(tmp_path, cards_player1=40, cards_player2=40), seed=1)


def test_equal_files_make_equal_battles_and_other_rulings_others(tmp_path: Path) -> None:
    path = written(tmp_path)
    assert bh.new(path, seed=1).state == bh.new(path, seed=1).state
    assert bh.new(path, seed=1).state != bh.new(path, seed=1, options={"m44:objectives": "permanent"}).state


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"place": ["E5: infantry"]}, "axis or allies"),
        ({"place": ["E5: infantry red"]}, "is no word for a unit"),
        ({"place": ["E5: forrest"]}, "did you mean 'forest'"),
        ({"objectives": [{"hexes": ["E5"], "side": "reds"}]}, "is no side"),
        ({"objectives": [{"hexes": ["E5"], "permanently": True}]}, "is no field of a medal"),
        ({"scenario_file": "{}", "needed": {"axis": 3}}, "leave it to the file"),
        ({"place": ["E5: infantry axis", "E5: infantry allies"]}, "a unit stands there already"),
        ({"place": ["E5: infantry axis allies"]}, "is no word for a unit"),
        ({"place": ["E5: infantry 3/2 axis"]}, "more figures than it began with"),
        ({"place": ["E5: infantry axis medals=x"]}, "is no word for a unit"),
        ({"place": ["E5: infantry axis as"]}, "is no word for a unit"),
        ({"place": ["E5: tiger axis"]}, "is not played yet"),
        ({"place": ["E5:"]}, "is no (troop|hex)"),
        ({"place": ["E5 infantry axis"]}, "is no hex and what stands there .*C5: infantry axis"),
        ({"place": [5]}, "is not a list of texts"),
        ({"hand": {"axis": ["probe_left"]}}, "did you mean 'hands'"),
        ({"hands": {"allies": []}}, "has no card to play"),
        ({"hands": {"axis": "probe_left"}}, "is not a list of cards"),
        ({"phase": "move"}, "play or deal"),
        ({"phase": "deal"}, "cannot be dealt"),
        ({"phase": "deal", "hand_sizes": {"axis": 40, "allies": 40}}, "60 at most"),
        ({"medals": {"reds": 1}}, "is no side"),
        ({"medals": {"axis": "1"}}, "a table of numbers"),
        ({"given": {"axis": "infantry_assault middle"}}, "is no section"),
        ({"given": {"axis": "ambush"}}, "gives no order of its own"),
        ({"given": {"axis": 1}}, "is not a card"),
        ({"objectives": [{"side": "axis"}]}, "has no hexes"),
        ({"objectives": [{"hexes": ["E5"], "counts_for": "2"}]}, "whole numbers"),
        ({"empty_sections": [{"side": "axis", "wing": "left"}]}, "west, centre, east"),
        ({"sudden_death": [{"side": "axis", "hexes": ["E5"], "number": 2}]}, "from 1 to that of its hexes"),
    ],
)
def test_a_position_says_what_is_wrong_with_it(row: dict[str, Any], fault: str) -> None:
    with pytest.raises(ScenarioError, match=fault):
        position(**row)


def test_one_thing_alone_is_a_position_too() -> None:
    assert position("E5: infantry axis") == position(["E5: infantry axis"])


@pytest.mark.parametrize(
    ("rolled", "told"), [("infantri star", "did you mean 'infantry'"), ([1], "the faces are"), (3, "is no throw")]
)
def test_a_throw_of_other_faces_is_told(rolled: object, told: str) -> None:
    game = Game(SYSTEM, position(["E5: infantry allies", "F5: infantry axis"]), script=[rolled], seed=1)
    for line in ("order E5", "end moves", "battle E5 F5"):
        game.do(line)
    before = game.position
    with pytest.raises(ScriptError, match=told):
        game.do("let them come")
    assert game.position is before


@pytest.mark.parametrize("key", ["objectives", "sudden_death"])
def test_hexes_are_a_list_of_labels(key: str) -> None:
    units = ["C5: infantry axis", "E5: infantry allies"]
    with pytest.raises(ScenarioError, match=rf"{key}.hexes.*no list of hexes"):
        position(units, **{key: [{"side": "axis", "hexes": 5, "number": 1}]})


def test_a_state_prints_as_its_board() -> None:
    shown = str(position(["E5: infantry 2/4 axis", "F5: forest", "F5: armor allies"]))
    assert "[I2]" in shown
    assert "(A3)" in shown
    assert "E5" in shown
