"""What is said against a unit, or a unit and a hex, that somebody points at while a decision is open."""

from __future__ import annotations

from typing import Any

from beachhead.hexes import Hex
from beachhead.play import Decision
from beachhead.rules import Objection, Verdict
from beachhead_koenig import movement
from beachhead_koenig.carry_out import CarryOut, FireAt
from beachhead_koenig.named import known
from beachhead_koenig.night import ChooseRedeployment, Redeploy
from beachhead_koenig.operations import (
    BeginCombined,
    BeginFullFire,
    BeginMovement,
    ChooseOperation,
)
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
        every = [decision.verdict(state, begin(unit)) for begin in (BeginMovement, BeginCombined, BeginFullFire)]
        begun = next((each for each in every if each), every[0])
        if len(what) == 1 or not begun or not isinstance(state.place(unit), Hex):
            return begun
        hex = state.hex(what[1])
        ways = [
            _first_open(state, _carried_out(state, unit, kind), hex)
            for each, kind in zip(every, _KINDS, strict=True)
            if each
        ]
        return next((each for each in ways if each), ways[-1] if state.at(hex, decision.side.enemy) else ways[0])
    if isinstance(decision, CarryOut) and unit == decision.unit and len(what) == 2:
        return _first_open(state, decision, state.hex(what[1]))
    return decision.verdict(state, BeginMovement(unit))


_KINDS = (Operation.MOVEMENT, Operation.COMBINED, Operation.FULL_FIRE)


def _carried_out(state: State, unit: str, operation: Operation) -> CarryOut:
    """What a unit will be asked once it has begun an Operation."""
    return CarryOut(state.setting.piece(unit).side, unit, operation, movement.allowance(state, unit, operation))


def _first_open(state: State, decision: CarryOut, hex: Hex) -> Verdict:
    """The verdict on what a hex may mean in an Operation: to fire at the enemy who is there, or to go there; on the first, if neither is open."""
    fires = bool(state.at(hex, decision.side.enemy)) and decision.operation is not Operation.MOVEMENT
    shot = [decision.verdict(state, FireAt(hex))] if fires else []
    ways = [*shot, decision.verdict(state, movement.into(state, decision.unit, hex, decision.points))]
    return next((each for each in ways if each), ways[0])
