"""What is said against a unit, or a unit and a hex, that somebody points at while a decision is open."""

from __future__ import annotations

from typing import Any

from beachhead.hexes import Hex
from beachhead.play import Decision
from beachhead.rules import Objection, Verdict
from beachhead_koenig import movement
from beachhead_koenig.carry_out import CarryOut, FireAt
from beachhead_koenig.night import ChooseRedeployment, Redeploy
from beachhead_koenig.operations import (
    BeginCombined,
    BeginFullFire,
    BeginMovement,
    ChooseOperation,
)
from beachhead_koenig.questions import known, may_fire, may_move
from beachhead_koenig.state import Operation, State


def why_not(state: State, decision: Decision[State, Any], what: tuple[Any, ...]) -> Verdict:
    """What is said against a unit ("CSR"), or a unit and a hex ("CSR", "0304"), while this decision is open.

    Raises:
        UnknownName: there is no such unit.
        ValueError: there is no such hex.
    """
    if len(what) not in (1, 2) or not isinstance(what[0], str):
        return Verdict((Objection(decision.rule, "point at a unit, or at a unit and a hex, such as CSR and 0304"),))
    unit = known(state, what[0])
    if isinstance(decision, ChooseRedeployment) and len(what) == 1:
        return decision.verdict(state, Redeploy(unit))
    if isinstance(decision, ChooseOperation):
        if len(what) == 1:
            every = [decision.verdict(state, begin(unit)) for begin in (BeginMovement, BeginCombined, BeginFullFire)]
            return next((each for each in every if each), every[0])
        hex = state.hex(what[1])
        fires = bool(state.at(hex, decision.side.enemy))
        begun = decision.verdict(state, BeginFullFire(unit) if fires else BeginMovement(unit))
        if not begun or not isinstance(state.place(unit), Hex):
            return begun
        return may_fire(state, unit, hex) if fires else may_move(state, unit, hex)
    if isinstance(decision, CarryOut) and unit == decision.unit and len(what) == 2:
        hex = state.hex(what[1])
        fires = bool(state.at(hex, decision.side.enemy)) and decision.operation is not Operation.MOVEMENT
        return decision.verdict(state, FireAt(hex) if fires else movement.MoveTo(hex))
    return decision.verdict(state, BeginMovement(unit))
