"""What any game takes from its user, shown on one of Koenig's: options, texts, and policies by name."""

from __future__ import annotations

import pytest

import beachhead as bh
from beachhead.errors import IllegalAction, OptionError


def test_options_that_are_not_the_usual_ones_are_shown() -> None:
    usual, other = (bh.new("koenig/juno", seed=44, options={"14.1": "no", "14.2": choice}) for choice in (False, True))
    assert repr(usual).startswith("<Game of koenig/juno, turn 1, ")
    assert repr(other).startswith("<Game of koenig/juno, 14.2=True, turn 1, ")


@pytest.mark.parametrize(
    ("option", "meant"),
    [
        ("leadership", "'koenig:14.1' (Leadership)"),
        ("indirect", "'koenig:14.4' (Indirect Fire)"),
        ("overuns", "'koenig:14.5' (Overruns)"),
        ("14.9", "'14."),
    ],
)
def test_an_option_is_suggested_by_its_title(option: str, meant: str) -> None:
    with pytest.raises(OptionError) as found:
        bh.new("koenig/juno", options={option: "yes"})
    assert f"no option {option!r}; did you mean {meant}" in str(found.value)


def test_a_text_is_refused_in_its_own_words() -> None:
    juno = bh.new("koenig/juno", seed=44)
    against = juno.check("begin movement CSR")
    assert "CSR belongs to formation 7" in str(against)
    with pytest.raises(IllegalAction, match=r"^begin movement CSR: CSR belongs to formation 7"):
        juno.odds("begin movement CSR")


def test_a_policy_by_its_name() -> None:
    game = bh.new("koenig/training", seed=3)
    sensible = game.system.policies["sensible"]
    assert game.copy().play("sensible") == game.copy().play(sensible)
    action = next(a for a in game.legal_actions() if game.text(a).startswith("begin"))
    assert game.odds(action, policy="sensible") == game.odds(action, policy=sensible)
    with pytest.raises(ValueError, match="no policy 'sensibel'; did you mean 'sensible'"):
        game.play("sensibel")
    with pytest.raises(TypeError, match="7 is no policy: give policy"):
        game.odds(action, policy=7)  # type: ignore[arg-type]
