"""What a player reads in the log and when he is refused: lines, and the rules they cite, that once said something else than they meant."""

from __future__ import annotations

from typing import Any

import beachhead as bh
from beachhead.play import Chance
from beachhead.position import Position
from beachhead_koenig import SYSTEM
from beachhead_koenig.beach import Away
from beachhead_koenig.carry_out import FireAt
from beachhead_koenig.cases import position
from beachhead_koenig.events import OperationBegan, UnitPlaced
from beachhead_koenig.movement import CloseCombat, MoveTo
from beachhead_koenig.night import Redeploy, SpendOn
from beachhead_koenig.operations import BeginCombined, BeginFullFire, BeginMovement
from beachhead_koenig.phase_events import ReplacementsReceived, SupportReceived
from beachhead_koenig.state import Operation, State, put

TWO = ("C4: P 4-6 allied", "B4: Q 4-6 allied", "D4: X 3-6 german")


def after(state: State, *answers: Any) -> Position[State]:
    """The position after some answers."""
    p = Position(SYSTEM, state)
    for answer in answers:
        p = p.after(answer)
    return p


def said(p: Position[State], action: object) -> str:
    """What is said against an action."""
    assert p.pending is not None
    assert not isinstance(p.pending, Chance)
    [objection] = p.pending.verdict(p.state, action).objections
    return objection.text


def test_dice_and_points_are_told_apart() -> None:
    state = position(TWO)
    support = SupportReceived(3, 2, ("koenig:6.2.a",)).text(state)
    assert support == "support roll: Allied 3; Allied 2 Support Points"
    replacements = ReplacementsReceived(2, 5, 3, 2, ("koenig:12.0.a",)).text(state)
    assert replacements == "replacement rolls: Allied 2, German 5; Replacement Points: Allied 3, German 2"


def test_a_unit_in_the_middle_of_its_operation_goes_on() -> None:
    state = position(TWO, active="A")
    began = OperationBegan("P", Operation.COMBINED, ("koenig:8.4.c",))
    assert began.text(state) == "P: Combined"
    assert (
        began.text(after(state, BeginCombined("P"), MoveTo(state.setting.board.hex("D5"))).state)
        == "P goes on: Combined"
    )


def test_what_is_begun_is_said_once() -> None:
    state = position(TWO, active="A")
    moved = after(state, BeginCombined("P"), MoveTo(state.setting.board.hex("D5")))
    text = "P has moved in a Combined Operation and may fire: it begins no other Operation"
    assert said(moved, BeginFullFire("P")) == text


def test_who_waits_may_still_fire_in_concert() -> None:
    state = position(TWO, active="A")
    board = state.setting.board
    moves = (BeginCombined("P"), MoveTo(board.hex("D5")), BeginCombined("Q"), MoveTo(board.hex("C4")))
    text = "Q has begun since: P fires only in concert"
    assert said(after(state, *moves), BeginCombined("P")) == text
    assert FireAt(board.hex("D4")) in after(state, *moves, BeginCombined("Q")).options


def test_units_off_the_map_have_left_it() -> None:
    state = position(TWO, active="A")
    for place, text in {
        Away.EXITED: "P has exited",
        Away.RETREATED: "P has retreated off the map",
        Away.ELIMINATED: "P is eliminated",
    }.items():
        assert said(Position(SYSTEM, put(state, "P", place=place)), BeginMovement("P")) == text


def test_units_off_the_map_have_left_it_at_night() -> None:
    units = ("C4: P 4-6 allied h1", "D4: X 3-6 german", "retreated: Y 3-6 german", "exited: Q 4-6 allied")
    spending = position(units, phase="replacement", replacements={"allied": 1})
    assert said(Position(SYSTEM, spending), SpendOn("Q")) == "Q has exited"
    moving = position(units, phase="redeployment")
    assert said(Position(SYSTEM, moving), Redeploy("Y")) == "Y has retreated off the map"


def test_only_who_is_in_the_lists_of_juno_lands_by_them() -> None:
    def lands(scenario: str, unit: str) -> tuple[str, ...]:
        events = (event for entry in bh.new(scenario, seed=1).log for event in entry.events)
        return next(event.rules for event in events if isinstance(event, UnitPlaced) and event.unit == unit)

    assert lands("koenig/juno", "CSR") == ("koenig:5.0.a", "koenig:K-33", "koenig:juno.5.0.a")
    assert lands("koenig/training", "Able") == ("koenig:5.0.a",)


def test_no_way_into_close_combat_is_told_by_its_cause() -> None:
    state = position((*TWO, "cliff: C4/D4", "D4: swamp", "river: D5/D4"), active="A")
    hex = state.setting.board.hex
    moving = after(state, BeginCombined("P"))
    assert said(moving, CloseCombat(hex("D4"), hex("C4"))) == "a cliff lies between C4 and D4"
    [objection] = moving.pending.verdict(moving.state, CloseCombat(hex("D4"), hex("D5"))).objections  # type: ignore[union-attr]
    assert objection.rules.count("koenig:10.0.b") == 1
