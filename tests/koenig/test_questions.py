"""Questions that cannot be answered as they are put: each says what is wrong with it, and what cannot be is not called allowed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from beachhead.errors import UnknownName
from beachhead.hexes import Hex
from beachhead_koenig import questions
from beachhead_koenig.cases import position
from beachhead_koenig.state import State

LINES = (
    "C3: CSR 4-6 allied",
    "C4: NSR 3-6 allied",
    "C2: CHO 5-6 heavy-weapons allied",
    "D3: P 3-6 german",
    "F6: Q 2-6 german",
    "F6: R 2-6 german",
    "eliminated: E 3-6 allied",
    "cliff: C3/D3",
)


@pytest.fixture
def state() -> State:
    return position(LINES, options={"14.4": True})


def hits(end: State) -> int:
    return end.unit("P").hits


def fire(*args: Any, **named: Any) -> Callable[[State], Any]:
    return lambda state: questions.fire_odds(state, *args, by=hits, **named)


def fight(*args: Any, **named: Any) -> Callable[[State], Any]:
    return lambda state: questions.close_combat_odds(state, *args, by=hits, **named)


@pytest.mark.parametrize(
    ("ask", "problem"),
    [
        (fire("D3"), "nobody fires"),
        (lambda state: questions.may_join(state, "CSR", "D3"), "nobody fires"),
        (lambda state: questions.who_may_join(state, "D3"), "nobody fires"),
        (lambda state: questions.attack_factor(state, "D3"), "nobody fires"),
        (fire("D3", "NSR", "NSR"), "NSR is there twice"),
        (lambda state: questions.attack_factor(state, "D3", "NSR", "NSR"), "NSR is there twice"),
        (fire("D3", "NSR", "P"), "NSR and P are not of one side"),
        (fire("D4", "NSR"), "no enemy unit in D4"),
        (fire("C3", "CSR"), "no enemy unit in C3"),
        (fire("F6", "NSR"), "NSR is not next to F6"),
        (fire("D3", "CSR"), "a cliff lies between CSR and D3"),
        (fire("D3", "CHO", fire="Mobile Fire", indirect=("CHO",)), "Indirect Fire is Full Fire only"),
        (fire("D3", "NSR", indirect=("NSR",)), "NSR is not a heavy weapons unit"),
        (fire("D3", "NSR", fire="Close Fire"), "close_combat_odds"),
        (fire("D3", "NSR", fire="full"), "'full' is none of Full Fire, Mobile Fire, Close Fire"),
        (fight("CSR", "D3"), "nobody can step from C3 to D3"),
        (fight("NSR", "D3", entry="A1"), "A1 is not next to D3"),
        (fight("NSR", "F6"), "one against one"),
        (fight("E", "D3"), "E is eliminated"),
        (lambda state: questions.reachable(state, "CSR", "march"), "'march' is none of Movement, Full Fire, Combined"),
        (lambda state: questions.victory_points(state, "british"), "'british' is none of Allied, German"),
        (lambda state: questions.retreat_hexes(state, "P", attacker_from=Hex(99, 99)), "not on the board"),
    ],
)
def test_what_is_wrong_with_the_question(state: State, ask: Callable[[State], Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        ask(state)


def test_the_nearest_unit_is_named(state: State) -> None:
    with pytest.raises(UnknownName, match="did you mean 'CSR'"):
        questions.fire_odds(state, "D3", "CSRR", by=hits)


def test_terms_in_any_case(state: State) -> None:
    assert questions.reachable(state, "CSR", "combined") == questions.reachable(state, "CSR", "Combined")
    assert questions.victory_points(state, "german") == questions.victory_points(state, "German")


def test_nobody_moves_in_full_fire(state: State) -> None:
    assert questions.reachable(state, "NSR", "full fire") == {}
    against = questions.may_move(state, "NSR", "C5", "full fire")
    assert not against
    assert against.rules == ("koenig:7.0.h",)


def test_nobody_starts_close_combat_in_redeployment(state: State) -> None:
    assert questions.may_move(state, "P", "C4")
    against = questions.may_move(state, "P", "C4", "redeployment")
    assert not against
    assert "koenig:4.0.i" in against.rules
