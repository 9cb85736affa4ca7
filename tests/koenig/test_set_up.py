"""The order of the set-up, which no later position shows: the cup, German units, Allied units, the turn marker (3.0)."""

from __future__ import annotations

import pytest

import beachhead
from beachhead.game import Game
from beachhead_koenig import SYSTEM
from beachhead_koenig.cases import position
from beachhead_koenig.events import UnitPlaced
from beachhead_koenig.phase_events import CupFilled, TurnBegan


@pytest.mark.covers("koenig:3.0.a", "koenig:3.0.b", "koenig:3.0.c", "koenig:3.0.e")
def test_the_order_of_the_set_up() -> None:
    lines = ["C3: CSR 4-6 allied", "B2: P 3-6 german", "A1: NSR 4-6 allied", "A2: Q 3-6 german"]
    game = Game(SYSTEM, position(lines, phase="set-up"), seed=1)
    events = [event for entry in game.log for event in entry.events][:6]
    assert [type(event) for event in events] == [CupFilled, *[UnitPlaced] * 4, TurnBegan]
    assert [event.unit for event in events if isinstance(event, UnitPlaced)] == ["P", "Q", "CSR", "NSR"]


@pytest.mark.covers("koenig:3.0.b")
def test_juno_too_begins_with_the_german_units() -> None:
    game = beachhead.new("koenig/juno", seed=1)
    rules = [rule for entry in game.log for event in entry.events for rule in event.rules]
    assert rules.index("koenig:3.0.a") < rules.index("koenig:3.0.b") < rules.index("koenig:3.0.e")
    assert "koenig:3.0.c" not in rules
