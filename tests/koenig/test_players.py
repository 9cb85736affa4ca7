"""The players by rules of thumb: they answer whatever is asked, know no more than their view, and play better than chance."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

import beachhead as bh
import beachhead_koenig
from beachhead.game import Game
from beachhead.play import Decision
from beachhead.simulate import simulate
from beachhead_koenig import SYSTEM, Side
from beachhead_koenig.appraisal import CloseOdds, close_odds
from beachhead_koenig.cases import position
from beachhead_koenig.players import ANSWERS, POLICIES
from beachhead_koenig.questions import close_combat_odds
from beachhead_koenig.state import State

SHIPPED = bh.scenarios("koenig")
OPTIONAL = {f"14.{n}": True for n in range(1, 7)}


PLAYERS = ("sensible", "bold")


def game(*places: str, **row: Any) -> Game[State]:
    """A position drawn by hand, to be played on."""
    return Game(SYSTEM, position(places, **row), seed=1)


def advice(game: Game[State], player: str = "sensible") -> str:
    """What a player would do now."""
    view = game.view(game.to_act)
    return game.text(POLICIES[player](view.state, view.decision, view.options))


def after(game: Game[State], *actions: str) -> Game[State]:
    """The game after these actions."""
    for action in actions:
        game.do(action)
    return game


# ------------------------------------------------------------ whatever is asked
def decisions() -> Iterator[type]:
    """Every class of decision in the package."""
    for module in pkgutil.walk_packages(beachhead_koenig.__path__, "beachhead_koenig."):
        for thing in vars(import_module(module.name)).values():
            if isinstance(thing, type) and issubclass(thing, Decision) and thing.__module__ == module.name:
                yield thing


def test_there_is_an_answer_to_every_decision() -> None:
    assert set(decisions()) == ANSWERS.keys()


@pytest.mark.parametrize("options", [{}, OPTIONAL, {**OPTIONAL, "K-14": "any"}], ids=["standard", "optional", "K-14"])
@pytest.mark.parametrize("player", PLAYERS)
def test_a_player_plays_to_the_end_by_its_view_alone(player: str, options: dict[str, Any]) -> None:
    """It answers the same of a view that was made anew, as somebody else would be shown it, and the same twice."""
    policy = POLICIES[player]
    for scenario in SHIPPED:
        played = bh.new(scenario, seed=5, options=options)
        while played.decision:
            view = played.view(played.to_act)
            answer = policy(view.state, view.decision, view.options)
            assert answer in view.options
            if not played.decisions % 5:
                twin = State(**{name: getattr(view.state, name) for name in PLAIN})
                assert policy(twin, view.decision, view.options) == answer
            played.apply(answer)
        assert played.result


PLAIN = [a.name for a in State.__attrs_attrs__ if a.init]


def test_the_players_are_two() -> None:
    """The bold one does not play the same game."""
    sensible, bold = (simulate("koenig/juno", 1, player, seed=2).games[0] for player in ("sensible", "bold"))
    assert (sensible.decisions, sensible.scores) != (bold.decisions, bold.scores)


# ------------------------------------------------------------ better than chance
@pytest.mark.parametrize("player", PLAYERS)
def test_a_player_beats_chance_from_either_side(player: str) -> None:
    allied = simulate("koenig/juno", 3, {"Allied": player, "German": "random"}, seed=3)
    german = simulate("koenig/juno", 3, {"Allied": "random", "German": player}, seed=3)
    assert (allied.wins[Side.ALLIED], german.wins[Side.GERMAN]) == (3, 3)
    for won, side, other in ((allied, "Allied", "German"), (german, "German", "Allied")):
        assert sum(won.scores[side]) > 2 * sum(won.scores[other])


# ------------------------------------------------------------ exact odds
@pytest.mark.parametrize(("strength", "hits"), [(3, 3), (5, 2), (4, 4), (7, 1)])
def test_the_odds_of_close_combat_are_those_of_the_rules(strength: int, hits: int) -> None:
    """Fought on to the end, without support: who has a Hit more afterwards."""
    place = (f"C3: A {strength}-6 allied", f"D3: G {hits}-6 german")
    ends = close_combat_odds(
        position(place), "A", "D3", by=lambda state: (state.unit("A").hits > 0, state.unit("G").hits > 0)
    )
    found = CloseOdds(*(float(ends[key]) for key in ((False, True), (True, True), (True, False))))
    odds = close_odds(strength, hits)
    assert (odds.won, odds.both, odds.lost) == pytest.approx((found.won, found.both, found.lost), abs=1e-6)


# ------------------------------------------------------------ rules of thumb
PAIR = ("C3: A 3-2 allied of 7", "C4: B 3-2 allied of 7", "D3: G 3-6 german")
"""Two units beside one, with no way into its hex."""
FIRE = ("begin full fire A", "fire at D3")


def test_it_goes_where_points_are_and_stays_there() -> None:
    away = game("C3: A 5-6 allied", "E3: town", "G7: G 3-6 german", active="A")
    assert advice(away) == "begin movement A"
    assert advice(after(away, "begin movement A")) == "move to E3"
    there = game("E3: A 5-6 allied", "E3: town", "G7: G 3-6 german", active="A", turn=10)
    assert advice(there) == "end activation"


def test_in_the_end_it_leaves_undamaged() -> None:
    last = {"active": "A", "exits": ["A3"], "turn": 10}
    places = ("C3: A 5-6 allied", "G7: G 3-6 german")
    assert advice(after(game(*places, **last), "begin movement A")) == "exit by A3"
    hurt = after(game("C3: A 5-6 allied h1", *places[1:], **last), "begin movement A")
    assert advice(hurt) != "exit by A3"


def test_they_fire_together_where_one_alone_does_little() -> None:
    assert advice(after(game(*PAIR, "D3: city", active="7"), *FIRE)) == "join fire B"
    strong = [place.replace("3-2", "6-2") for place in PAIR]
    assert advice(after(game(*strong, active="7"), *FIRE)) == "open fire"


def test_support_is_committed_where_it_turns_a_chance() -> None:
    doubtful = game(*PAIR, "D3: city", active="7", support=2, turn=10)
    assert advice(after(doubtful, *FIRE, "join fire B", "commit 0 0")) == "commit 0 2"
    certain = game("C3: A 7-2 allied of 7", *PAIR[2:], active="7", support=2, turn=10)
    assert advice(after(certain, *FIRE, "commit 0 0")) == "commit 0 0"


def test_germans_leave_open_ground_and_stay_in_a_city() -> None:
    assert advice(after(game("C3: A 5-2 allied of 7", *PAIR[2:], active="7"), *FIRE)) == "retreat before combat"
    held = game("C3: A 3-2 allied of 7", *PAIR[2:], "D3: city", active="7")
    assert advice(after(held, *FIRE)) == "commit 0 0"


def test_a_replacement_goes_where_a_point_hangs_on_it() -> None:
    """To the German unit that it makes intact, and to the Allied unit in danger that the next Hit would eliminate."""
    night = {"phase": "replacement", "turn": 4}
    german = {"replacements": {"german": 1}, "next": "german", **night}
    assert advice(game("D7: G 3-6 german h2", "F7: H 3-6 german h1", **german)) == "spend on H"
    allied = {"replacements": {"allied": 1}, "next": "allied", **night}
    assert advice(game("C3: A 5-6 allied h1", "C5: B 5-6 allied h2", "D5: G 3-6 german", **allied)) == "spend on B"


def test_a_damaged_unit_holds_a_town_and_leaves_open_ground() -> None:
    """The attacker of a Close Combat may take a second Hit and stay (11.2)."""
    for terrain, answer in (("town", "hold ground"), ("clear", "fall back")):
        places = ("C3: A 5-6 allied", "D3: G 3-6 german", *([f"D3: {terrain}"] if terrain != "clear" else []))
        fight = Game(SYSTEM, position(places, active="A", turn=10), seed=1, script=[3])
        after(fight, "begin movement A", "close combat D3 C3")
        while type(fight.decision).__name__ != "HoldOrFallBack":
            fight.apply(POLICIES["sensible"](fight.state, fight.decision, fight.legal_actions()))
        assert advice(fight) == answer
