"""The players by rules of thumb: they answer whatever is asked, know no more than their view, and play better than chance."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

import beachhead as bh
import beachhead_gts
from beachhead import policies
from beachhead.game import Game
from beachhead.hexes import Hex
from beachhead.play import Decision
from beachhead.simulate import simulate
from beachhead_gts import Side
from beachhead_gts.appraisal import Situation, survey
from beachhead_gts.cases import position
from beachhead_gts.fire import Against
from beachhead_gts.forces import HARM, NO_WAY, expected, odds, ways
from beachhead_gts.gunnery import Temper
from beachhead_gts.opportunity import ChooseOpportunityFire
from beachhead_gts.players import ANSWERS, POLICIES
from beachhead_gts.rating import Occasion, Shot, fire_rating
from beachhead_gts.results import ConvertSuppression
from beachhead_gts.state import State
from beachhead_gts.system import SYSTEM
from beachhead_gts.tables import Result

PLAYERS = ("sensible", "cautious")
PLAIN = [a.name for a in State.__attrs_attrs__ if a.init]
TEMPER = Temper(caution=0.7, drive=1.0, watch=0.5, thrift=0.2, reserve=3)


def game(*places: str, **row: Any) -> Game[State]:
    """A position drawn by hand, to be played on."""
    return Game(SYSTEM, position(places, **row), seed=1)


def advice(game: Game[State], player: str = "sensible") -> str:
    """What a player would do now."""
    view = game.view(game.to_act)
    return game.text(POLICIES[player](view.state, view.decision, view.options))


def advised(game: Game[State], decision: str) -> list[str]:
    """What is done on the player's advice as long as decisions of this name are to be made."""
    done = list[str]()
    while type(game.decision).__name__ == decision:
        done.append(advice(game))
        game.do(done[-1])
    return done


# ------------------------------------------------------------ whatever is asked
def decisions() -> Iterator[type]:
    """Every class of decision in the package."""
    for module in pkgutil.walk_packages(beachhead_gts.__path__, "beachhead_gts."):
        for thing in vars(import_module(module.name)).values():
            if isinstance(thing, type) and issubclass(thing, Decision) and thing.__module__ == module.name:
                yield thing


def test_there_is_an_answer_to_every_decision() -> None:
    assert set(decisions()) == ANSWERS.keys()


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(("scenario", "most"), [("gts/training", 2000), ("gts/juno-front", 500)])
def test_a_player_plays_by_its_view_alone(player: str, scenario: str, most: int) -> None:
    """It answers the same of a view that was made anew, as somebody else would be shown it."""
    policy, played = POLICIES[player], bh.new(scenario, seed=5)
    while played.decision and played.decisions < most:
        view = played.view(played.to_act)
        answer = policy(view.state, view.decision, view.options)
        assert answer in view.options
        if not played.decisions % 7:
            twin = State(**{name: getattr(view.state, name) for name in PLAIN})
            assert policy(twin, view.decision, view.options) == answer
        played.apply(answer)
    assert played.result or played.decisions == most


def test_it_does_not_matter_what_it_was_asked_before() -> None:
    """What it has in mind of the last position does not change what it answers in this one."""
    policy, played = POLICIES["sensible"], bh.new("gts/training", seed=6)
    asked = list[tuple[Any, Any]]()
    while played.decision and len(asked) < 150:
        view = played.view(played.to_act)
        asked.append((view, policy(view.state, view.decision, view.options)))
        played.apply(asked[-1][1])
    for view, answer in reversed(asked):
        assert policy(view.state, view.decision, view.options) == answer


def test_the_players_are_two() -> None:
    """The cautious one does not play the same game."""
    sensible, cautious = (simulate("gts/training", 2, player, seed=2).games for player in PLAYERS)
    assert [each.decisions for each in sensible] != [each.decisions for each in cautious]


# ------------------------------------------------------------ better than chance
@pytest.mark.parametrize("player", PLAYERS)
def test_a_player_beats_chance_from_either_side(player: str) -> None:
    allied = simulate("gts/training", 8, {"Allied": player, "German": "random"}, seed=3)
    german = simulate("gts/training", 8, {"Allied": "random", "German": player}, seed=3)
    assert (allied.wins[Side.ALLIED], german.wins[Side.GERMAN]) == (8, 8)
    for won, side, other in ((allied, "Allied", "German"), (german, "German", "Allied")):
        assert sum(won.scores[side]) > 1.5 * sum(won.scores[other])


# ------------------------------------------------------------ exact odds
def shots(state: State, now: Situation) -> Iterator[tuple[Shot, int]]:
    """Every shot that somebody could fire at anybody within five hexes, with the rating that a player expects."""
    for firer in state.setting.roster:
        for target in state.setting.roster:
            here, there = state.place(firer.name), state.place(target.name)
            if firer.side is target.side or not isinstance(here, Hex) or not isinstance(there, Hex):
                continue
            a, b = now.unit(firer.name), now.unit(target.name)
            if a.fire is not None and here.distance(there) <= 5:
                for occasion in Occasion:
                    rating = now.rating(a, here, b, there, column=b.now.column, occasion=occasion)
                    yield Shot(firer.name, target.name, occasion), rating


def test_ratings_are_those_of_the_rules() -> None:
    """In games that random players have played, with everything on the units that may be there."""
    compared = 0
    for scenario, every in (("gts/training", 40), ("gts/juno-front", 600)):
        played, pick = bh.new(scenario, seed=8), policies.random(8)
        while played.decision:
            if not played.decisions % every:
                now = survey(played.state, played.to_act, TEMPER)
                for shot, rating in shots(played.state, now):
                    assert rating == fire_rating(played.state, shot).total, shot
                    compared += 1
            played.apply(pick(played.state, played.decision, played.legal_actions()))
    assert compared > 1000


def test_what_hinders_fire_over_a_hexside_is_counted() -> None:
    state = position(["C3: Able allied", "C5: Dora german", "ridge: C4/C5"])
    now = survey(state, Side.ALLIED, TEMPER)
    ((shot, rating), *_) = shots(state, now)
    assert (shot.firer, rating) == ("Able", fire_rating(state, shot).total)


@pytest.mark.parametrize("rating", range(-2, 12))
def test_the_expected_effect_is_that_of_the_die(rating: int) -> None:
    table = [Result.COHESION_HIT, *[Result.POSSIBLE_SUPPRESSION] * 3, Result.SUPPRESSION, *[Result.STEP_LOSS] * 3]
    table.append(Result.ELIMINATION)
    losses = (0.1, 0.2, 0.3, 0.5, 1.0)
    cost = {Result.MISS: 0.0, **dict(zip(HARM, losses, strict=True))}
    landed = [cost[Against(rating, tuple(table)).read(face).result] for face in range(10)]
    assert expected(odds(table), rating, losses) == pytest.approx(sum(landed) / 10)


def test_ways_are_the_shortest() -> None:
    """Out of Column 2 Movement Points a hex, in Column 1, on the road 1/2; and one for the marker, and one to take it off again."""
    state = position(["A1: Able allied", "road: A3-B3-C3-D3-E3"])
    kind = state.setting.roster[0].front.movement_class
    out, column = ways(state.setting, kind, state.hex("E3"))
    assert (out[state.hex("D3")], out[state.hex("A3")], column[state.hex("A3")]) == (4, 8, 6)
    assert NO_WAY not in out.values()


# ------------------------------------------------------------ rules of thumb
FAR = "I9: Dora german"
"""An enemy far away."""
LED = "B2: leader Lee allied"


def test_it_goes_where_points_are() -> None:
    played = game("B2: Able allied", LED, FAR, "objective Mill 5 german: D2")
    assert advised(played, "ChooseAction") == ["move Able"]
    assert advised(played, "MoveOn")[-1] == "stop moving" or played.state.place("Able") == played.state.hex("D2")
    assert played.state.place("Able") == played.state.hex("D2")


def test_it_marches_in_column_on_the_road() -> None:
    road = "road: A2-B2-C2-D2-E2-F2-G2-H2-I2"
    played = game("A2: Able allied", "A2: leader Lee allied", "objective Mill 5 german: I2", "I9: Dora german", road)
    played.do("move Able")
    assert advised(played, "MoveOn")[:2] == ["take column", "step to B2"]


def test_it_leaves_column_near_the_enemy() -> None:
    played = game(
        "A5: Able allied column", "A5: leader Lee allied", "G5: Dora german range4", "objective Mill 5 german: G5"
    )
    played.do("move Able")
    assert "leave column" in advised(played, "MoveOn")


def test_it_fires_where_the_odds_are_best() -> None:
    targets = ("D3: Dora german", "D4: Emil german", "D4: fortified")
    assert advice(game("C3: Able allied", "C3: leader Lee allied", *targets)) == "fire Able Dora"


def test_the_best_shot_comes_first() -> None:
    firers = ("C3: Able allied fire3", "C4: Baker allied fire7", "C3: leader Lee allied")
    assert advice(game(*firers, "D3: Dora german")) == "fire Baker Dora"


def test_with_a_division_chit_it_passes_and_buys_the_shot() -> None:
    played = game("C3: Able allied fire6", "C3: leader Lee allied", "D3: Dora german", chit="X", points={"X": [9, 0]})
    assert advised(played, "ChooseAction")[:2] == ["pass Able", "fire Able Dora"]


def test_hurt_units_rally() -> None:
    hurt = game("B2: Able allied suppressed", LED, FAR)
    assert advice(hurt) == "rally Able"
    assert advice(game("B2: Able allied c1", LED, FAR)) == "rally Able"


def test_direct_command_buys_good_shots_only() -> None:
    row = {"chit": "Allied Direct Command", "points": {"X": [6, 0]}}
    assert advice(game("C3: Able allied fire7", "C3: leader Lee allied", "D3: Dora german", **row)) == "fire Able Dora"
    far = ("C3: Able allied fire0 range5", "C3: leader Lee allied", "H3: Dora german", "H3: town")
    assert advice(game(*far, **row)) == "end activation"


@pytest.mark.parametrize(
    ("markers", "answer"), [("", "try conversion"), ("c1", "try conversion"), ("c2", "accept suppression")]
)
def test_a_suppression_becomes_a_cohesion_hit_if_that_is_no_step(markers: str, answer: str) -> None:
    state = position(["C3: Able allied", f"D3: Dora german {markers} steps1"])
    decision = ConvertSuppression(Side.GERMAN, "Dora")
    action = POLICIES["sensible"](state, decision, decision.options(state))
    assert Game(SYSTEM, state, seed=1).text(action) == answer


def test_opportunity_fire_is_free() -> None:
    played = game("C3: Able allied", "D3: Dora german fire3", "C4: Emil german fire7")
    played.do("move Able")
    played.do("step to B3")
    assert isinstance(played.decision, ChooseOpportunityFire)
    assert advice(played) == "opportunity fire Emil Able"


def test_chits_for_next_turn_are_bought_before_haste() -> None:
    places = ("B2: Able allied", "B4: Baker allied of 2", LED, "E3: Dora german")
    row = {"phase": "dispatch", "turn": 2}
    assert advised(game(*places, points={"X": [0, 2]}, **row), "BuyChits")[:2] == [
        "buy for next turn 1",
        "buy for next turn 2",
    ]
    assert advised(game(*places, points={"X": [0, 3]}, **row), "BuyChits")[:2] == [
        "buy for this turn 1",
        "buy for next turn 2",
    ]


def test_a_leader_goes_where_his_units_are() -> None:
    units = (
        "A1: Able allied",
        "H7: Baker allied",
        "H8: Charlie allied",
        "G8: Dog allied",
        "A1: leader Lee allied range3",
    )
    played = game(*units, "I1: Dora german", closing=True)
    assert advice(played).startswith("transfer ")


def test_in_the_last_turn_who_is_behind_dares_more() -> None:
    """It leaves its cover under fire towards what the enemy holds; who is ahead stays in it."""
    own = ("C5: Able allied", "C5: leader Lee allied", "C5: town")
    enemies = ("G5: Dora german fire5 range5", "G5: Emil german fire5 range5", "objective Mill 5 german: G5")
    assert advice(game(*own, *enemies, turn=6)) == "move Able"
    assert advice(game(*own, *enemies, "objective Farm 99 allied: A1", turn=6)) == "end activation"
