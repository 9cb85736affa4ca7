"""The players by rules of thumb: they answer whatever is asked, know no more than their view, and play better than chance."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from random import Random
from typing import Any

import pytest
from conftest import real_files

import beachhead as bh
import beachhead_memoir44
from beachhead.game import Game
from beachhead.play import Decision
from beachhead.simulate import simulate
from beachhead_memoir44 import SYSTEM
from beachhead_memoir44.cases import position
from beachhead_memoir44.m44 import read_m44
from beachhead_memoir44.players import ANSWERS, POLICIES
from beachhead_memoir44.state import State

PLAYED = ("2", "4", "7", "11", "15", "18", "22", "25")
SHIPPED = bh.scenarios("memoir44")


def advice(game: Game[State], player: str = "sensible") -> str:
    """What a player would do now."""
    view = game.view(game.to_act)
    return game.text(POLICIES[player](view.state, view.decision, view.options))


def battle(
    *places: str, cards: tuple[str, ...] = ("direct_from_hq", "probe_left"), do: tuple[str, ...] = (), **row: Any
) -> Game[State]:
    """A battle drawn by hand, in which the Allies have done this much."""
    hands = {"allies": list(cards), "axis": ["ambush", "probe_left"]}
    game = Game(SYSTEM, position(places, hands=hands, **row), seed=1)
    for action in do:
        game.do(action)
    return game


# ------------------------------------------------------------ whatever is asked
def decisions() -> Iterator[type]:
    """Every class of decision in the package."""
    for module in pkgutil.walk_packages(beachhead_memoir44.__path__, "beachhead_memoir44."):
        for thing in vars(import_module(module.name)).values():
            if isinstance(thing, type) and issubclass(thing, Decision) and thing.__module__ == module.name:
                yield thing


def test_there_is_an_answer_to_every_decision() -> None:
    assert set(decisions()) == ANSWERS.keys()


@pytest.mark.parametrize("player", ["sensible", "bold", "odds"])
@pytest.mark.parametrize("scenario", SHIPPED)
def test_a_player_plays_to_the_end_by_its_view_alone(scenario: str, player: str) -> None:
    """Dealt anew what it cannot see, it answers the same, and it answers the same twice."""
    game, policy, pick = bh.new(scenario, seed=5), POLICIES[player], Random(5)
    while game.decision and game.decisions < 400:
        view = game.view(game.to_act)
        answer = policy(view.state, view.decision, view.options)
        dealt = SYSTEM.view(SYSTEM.resample(game.state, game.to_act, pick.randrange), game.to_act)
        assert policy(dealt, view.decision, view.options) == answer == policy(view.state, view.decision, view.options)
        game.apply(answer)
    assert game.result or player == "odds"  # it never stirs


# ------------------------------------------------------------ better than chance
@pytest.mark.parametrize("scenario", SHIPPED)
def test_sensible_beats_chance_from_either_side(scenario: str) -> None:
    axis = simulate(scenario, 5, {"axis": "sensible", "allies": "random"}, seed=3)
    allies = simulate(scenario, 5, {"axis": "random", "allies": "sensible"}, seed=3)
    first, second = axis.sides
    assert axis.wins[first] + allies.wins[second] >= 9


@pytest.mark.skipif(not real_files(), reason="the real files are not here")
def test_sensible_beats_chance_in_published_battles() -> None:
    won = 0
    for path in (path for path in real_files() if path.stem in PLAYED):
        for side, other in (("AXIS", "ALLIES"), ("ALLIES", "AXIS")):
            [game] = simulate(path, 1, {side: "sensible", other: "random"}, seed=int(path.stem)).games
            won += game.winner == side
    assert won >= 14


@pytest.mark.parametrize("scenario", SHIPPED)
def test_the_scenarios_are_complete(scenario: str) -> None:
    """All of them is enforced, nothing is assumed, and the text is there."""
    file = read_m44(SYSTEM.scenarios()[scenario.partition("/")[2]])
    assert (file.unsupported(), file.unread, file.assumed) == ((), (), ())
    assert file.texts["en"]["name"] == file.name
    assert file.texts["en"]["description"]
    assert file.game_info["type"] == "FICTIONAL"


# ------------------------------------------------------------ rules of thumb
HQ = "play card direct_from_hq"


def test_the_card_that_finds_most_to_do() -> None:
    """One unit stands at the enemy, on the left, and one far from him, on the right."""
    cards = ("assault_right", "attack_left")
    assert (
        advice(battle("B5: infantry allies", "b6: infantry axis", "L1: infantry allies", cards=cards))
        == "play card attack_left"
    )


def test_a_card_that_orders_many_is_kept_while_one_unit_has_something_to_do() -> None:
    cards = ("assault_left", "probe_left")
    assert advice(battle("B5: infantry allies", "b6: infantry axis", cards=cards)) == "play card probe_left"


def test_those_are_ordered_who_have_most_to_do() -> None:
    places = ("A1: infantry allies", "E5: infantry allies", "e6: infantry 1 axis")
    assert advice(battle(*places, do=(HQ,))) == "order E5"


def test_the_best_odds_first() -> None:
    places = ("E5: infantry allies", "D1: infantry allies", "F5: infantry axis", "F5: forest", "e6: infantry 2 axis")
    assert advice(battle(*places, do=(HQ, "order E5", "end orders", "end moves"))) == "battle E5 e6"


def test_it_goes_where_it_can_attack() -> None:
    places = ("E5: infantry allies", "D1: infantry allies", "f8: infantry axis")
    game = battle(*places, do=(HQ, "order E5", "end orders"))
    assert advice(game) in ("move E5 e6", "move E5 F6")


def test_guns_that_can_fire_stay() -> None:
    places = ("E5: artillery allies", "D1: infantry allies", "H5: infantry axis")
    assert advice(battle(*places, do=(HQ, "order E5", "end orders"))) == "end moves"


def test_a_remnant_gets_out_of_the_way() -> None:
    """One figure before three units of infantry."""
    enemies = ("F7: infantry axis", "E7: infantry axis", "D7: infantry axis")
    places = ("E5: infantry 1 allies", "D1: infantry allies", *enemies)
    game = battle(*places, do=(HQ, "order E5", "end orders"))
    _, _, to = advice(game).split()
    assert game.state.setting.board.hex(to).doubled[1] > game.state.setting.board.hex("E5").doubled[1]


def test_an_empty_medal_hex_is_taken_and_kept() -> None:
    medal = [{"hexes": ["D5"], "side": "allies"}]
    away = battle(
        "C5: infantry allies",
        "M1: infantry allies",
        "M9: infantry axis",
        do=(HQ, "order C5", "end orders"),
        objectives=medal,
    )
    assert advice(away) == "move C5 D5"
    there = battle(
        "D5: infantry allies",
        "M1: infantry allies",
        "M9: infantry axis",
        do=(HQ, "order D5", "end orders"),
        objectives=medal,
    )
    assert advice(there) == "end moves"


def test_an_ambush_is_played_for_more_than_one_die() -> None:
    """Armor in a town rolls one die against its attacker."""
    attack = (HQ, "order E5", "end orders", "end moves", "battle E5 F5")
    units = ("E5: infantry allies", "D1: infantry allies", "F5: armor axis", "G9: infantry axis")
    assert advice(battle(*units, do=attack)) == "ambush"
    assert advice(battle(*units, "F5: town", do=attack)) == "let them come"


def test_a_barrage_falls_on_the_unit_that_it_may_finish() -> None:
    places = ("A1: infantry allies", "F9: infantry axis", "G9: infantry 1 axis")
    assert advice(battle(*places, cards=("barrage",))) == "target G9"


def test_the_neutral_answers() -> None:
    """What odds suppose where nothing else is said: the attack is not ambushed."""
    attack = (HQ, "order E5", "end orders", "end moves", "battle E5 F5")
    units = ("E5: infantry allies", "D1: infantry allies", "F5: armor axis", "G9: infantry axis")
    assert advice(battle(*units, do=attack), "odds") == "let them come"
