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
@pytest.mark.parametrize("player", POLICIES)
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
@pytest.mark.parametrize("player", POLICIES)
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
