"""What a player can tell of the other's purchases (7.2), and what is said to what is no name."""

from __future__ import annotations

import random

import pytest

import beachhead as bh
from beachhead.errors import UnknownName
from beachhead_gts import SYSTEM, Side
from beachhead_gts.actions import Move
from beachhead_gts.cases import position


def test_only_what_may_have_been_bought_is_dealt() -> None:
    state = position(
        ["A1: Able allied of 1", "A2: Baker allied of 2", "eliminated: Cecil allied of 3", "due 5: Dog allied of 4", "I9: Dora german"],
        turn=2,
        chit="Y",
        aside=["1"],
        mug=["2", "X"],
    )  # fmt: skip
    pick = random.Random(1).randrange
    dealt = [SYSTEM.resample(state, Side.GERMAN, pick) for _ in range(100)]
    assert {each.aside for each in dealt} == {("1",), ("2",), ("3",)}
    assert {chit for each in dealt for chit in each.mug} == {"1", "2", "3", "X"}
    assert all(each.aside[0] not in each.mug for each in dealt)


def test_what_is_no_name_is_told_like_an_unknown_one() -> None:
    state = position(["A1: Able allied", "I9: Dora german"])
    game = bh.Game(SYSTEM, state, seed=1)
    assert "there is no unit 5" in str(game.check(Move(5)))  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="no unit 5"):
        state.unit(5)  # type: ignore[arg-type]
