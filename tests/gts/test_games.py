"""What any game takes from its user, shown on one of the Grand Tactical Series: options, texts, policies by name, views, saves."""

from __future__ import annotations

from pathlib import Path

import pytest

import beachhead as bh
from beachhead.errors import IllegalAction, OptionError
from beachhead_gts import Side
from beachhead_gts.state import State


def test_options_that_are_not_the_usual_ones_are_shown() -> None:
    usual, other = (bh.new("gts/juno-front", seed=44, options={"G17": choice}) for choice in ("excused", "block"))
    assert repr(usual).startswith("<Game of gts/juno-front, turn 1, ")
    assert repr(other).startswith("<Game of gts/juno-front, G17=block, turn 1, ")


@pytest.mark.parametrize(
    ("option", "meant"),
    [
        ("black", "'gts:G41' (Black stripes)"),
        ("overstacking", "'gts:G14' (Overstacking and Opportunity Fire)"),
        ("entrench", "'gts:entrenched'"),
        ("G13", "'G"),
    ],
)
def test_an_option_is_suggested_by_its_title(option: str, meant: str) -> None:
    with pytest.raises(OptionError) as found:
        bh.new("gts/training", options={option: "yes"})
    assert f"no option {option!r}; did you mean {meant}" in str(found.value)


def test_an_unknown_choice_names_those_that_there_are() -> None:
    with pytest.raises(OptionError, match="after, before"):
        bh.new("gts/training", options={"G14": "never"})


def at_the_first_chit() -> bh.Game[State]:
    """The Allied Division's chit is played first in the training battle."""
    game = bh.new("gts/training", seed=44)
    for line in ("done converting", "done converting", "done buying", "done buying"):
        game.do(line)
    return game


def test_a_text_is_refused_in_its_own_words() -> None:
    game = at_the_first_chit()
    assert "Anton is an enemy: 1-Div is being played" in str(game.check("move Anton"))
    assert game.check("fire Able Dora").rules == ("gts:7.1.m", "gts:10.0.1.h", "gts:15.5.f")
    with pytest.raises(IllegalAction, match=r"^move Anton: Anton is an enemy"):
        game.do("move Anton")
    with pytest.raises(IllegalAction, match=r"^fire Able Dora: "):
        game.odds("fire Able Dora")


def test_what_is_decided_elsewhere_is_refused_with_its_reason() -> None:
    assert "gts:10.0.3.j" in at_the_first_chit().check("convert 1-Div").rules
    assert "gts:4.0.f" in bh.new("gts/training", seed=44).check("buy for this turn 1-Bde").rules


def test_a_policy_by_its_name() -> None:
    game = at_the_first_chit()
    sensible = game.system.policies["sensible"]
    assert game.copy().play("sensible") == game.copy().play(sensible)
    assert game.odds("move Able", policy="sensible") == game.odds("move Able", policy=sensible)
    with pytest.raises(ValueError, match="no policy 'sensibel'; did you mean 'sensible'"):
        game.play("sensibel")
    with pytest.raises(TypeError, match="7 is no policy: give policy"):
        game.odds("move Able", policy=7)  # type: ignore[arg-type]


def test_which_chits_the_other_player_has_bought_one_sees_as_they_are_drawn() -> None:
    """Bought on the second turn: in the mug there are as many chits for everybody, and some of them lie face down."""
    game = bh.new("gts/juno-front", seed=44)
    chits, down = game.state.setting.chits, set[str]()
    player = game.system.policies["sensible"]
    while {chits[chit].side for chit in down} != {*Side}:
        game.apply(player(game.view(game.to_act).state, game.decision, game.legal_actions()))
        for side in Side:
            mug = game.view(side).state.mug
            assert mug.size == game.state.mug.size
            unseen = [chit for chit in game.state.mug if chit not in mug]
            assert all(chits[chit].formation and chits[chit].side is side.enemy for chit in unseen)
            down.update(unseen)
            drawn = game.state.activation
            assert drawn is None or game.view(side).state.activation == drawn
    assert game.state.turn < 3


def test_a_saved_game_goes_on_as_it_would_have(tmp_path: Path) -> None:
    game = at_the_first_chit()
    game.do("move Tanks")
    game.save(tmp_path / "one.beachhead")
    again = bh.load(tmp_path / "one.beachhead")
    assert (again.state, again.decision, str(again.log)) == (game.state, game.decision, str(game.log))
    assert again.play("cautious") == game.play("cautious")
    assert str(again.log) == str(game.log)


def test_undo_brings_the_same_die_again() -> None:
    game = at_the_first_chit()
    before = game.position
    game.do("end activation")
    game.do("stay in place")
    lines = str(game.log)
    game.undo()
    game.undo()
    assert game.position == before
    game.do("end activation")
    game.do("stay in place")
    assert str(game.log) == lines
