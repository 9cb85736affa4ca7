"""Attacks: the checks in their order, and dice for whoever attacks."""

from __future__ import annotations

import pytest

from beachhead.game import Game
from beachhead_memoir44 import SYSTEM
from beachhead_memoir44.cases import position
from beachhead_memoir44.questions import attack_dice, may_battle


@pytest.mark.covers("m44:turn.battle_steps")
def test_range_comes_before_sight_and_sight_before_terrain() -> None:
    """Of a target that fails all three checks only the first is told."""
    hidden = ["E5: infantry allies", "F5: forest"]
    far = position([*hidden, "I5: infantry axis", "I5: town"])
    assert may_battle(far, "E5", "I5").rules == ("m44:troop.infantry.dice",)
    unseen = position([*hidden, "H5: infantry axis", "H5: town"])
    against = may_battle(unseen, "E5", "H5").rules
    assert "m44:los.required" in against
    assert "m44:range.dice_floor" not in against
    shielded = position(["E5: infantry allies", "H5: infantry axis", "H5: town"])
    against = may_battle(shielded, "E5", "H5").rules
    assert "m44:los.required" not in against
    assert "m44:range.dice_floor" in against


def test_a_card_helps_the_side_that_played_it() -> None:
    """The extra die of an Armor Assault is for the armor of its player, and not for what the enemy might do meanwhile."""
    state = position(["E5: armor allies", "F5: armor axis"], hands={"allies": ["armor_assault", "probe_left"]})
    game = Game(SYSTEM, state, seed=1)
    game.apply(game.parse("play card armor_assault"))
    assert (attack_dice(game.state, "E5", "F5").total, attack_dice(game.state, "F5", "E5").total) == (4, 3)
