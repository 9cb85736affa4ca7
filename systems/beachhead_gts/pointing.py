"""What is said against a unit, or a unit and a hex or a target, that somebody points at while a decision is open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from beachhead.hexes import Hex
from beachhead.play import Decision
from beachhead.rules import Objection, Verdict
from beachhead_gts.actions import DEEDS, Fire, Move, is_second
from beachhead_gts.activation import ChooseAction
from beachhead_gts.leaders import JoinNearest, Transfer, TransferLeader
from beachhead_gts.movement import MoveOn, StepTo
from beachhead_gts.mug import Attach, AttachUnits
from beachhead_gts.named import hex_at
from beachhead_gts.opportunity import ChooseOpportunityFire, OpportunityFire
from beachhead_gts.permissions import Deed, permits
from beachhead_gts.questions import may_fire, may_move
from beachhead_gts.state import State
from beachhead_gts.together import ChooseTarget, FireAt, JoinAction, JoinIn

T = TypeVar("T")


def why_not(state: State, decision: Decision[State, Any], what: tuple[Any, ...]) -> Verdict:
    """What is said against a unit ("B/1 SL"), a unit and a hex ("B/1 SL", "C4"), or a unit and a target, while this decision is open.

    A Leader is pointed at like a unit when he transfers; at other times he is told when he does.

    Raises:
        UnknownName: there is no such unit.
        ValueError: there is no such hex, or nothing of that name.
    """
    if len(what) not in (1, 2) or not isinstance(what[0], str):
        return Verdict((Objection(decision.rule, "point at a unit, or at a unit and a hex or a target"),))
    name, there = what[0], what[1:]
    if name in state.setting.leader_number:
        if there:
            hex_at(state, there[0])  # it says so if there is none
        return _leader(state, decision, name, there)
    state.unit(name)  # it says so if there is none
    match decision:
        case ChooseAction():
            return _action(state, decision, name, there)
        case MoveOn(moving=now) if name in now.units and there:
            return decision.verdict(state, StepTo(hex_at(state, there[0])))
        case ChooseOpportunityFire(trigger=trigger):
            targets = _targets(state, name, there[0]) if there else trigger.units
            shots = [OpportunityFire(name, target) for target in targets or trigger.units]
            return _best(state, decision, shots)[1]
        case ChooseTarget() if name == decision.unit and there and (targets := _targets(state, name, there[0])):
            return _best(state, decision, [FireAt(target) for target in targets])[1]
        case JoinAction():
            return decision.verdict(state, JoinIn(name))
        case AttachUnits():
            return decision.verdict(state, Attach(name))
        case _:
            return decision.verdict(state, Move(name))


def _leader(state: State, decision: Decision[State, Any], name: str, there: tuple[Any, ...]) -> Verdict:
    """What is said against a Leader, or against a hex for him: he transfers when it is time, and does not move (21.2)."""
    if name == getattr(decision, "leader", ""):
        if not there:
            return Verdict(facts=(Objection(decision.rule, "{}", (decision.prompt,)),))
        if isinstance(decision, TransferLeader | JoinNearest):
            return decision.verdict(state, Transfer(hex_at(state, there[0])))
    formation = state.setting.leaders[state.setting.leader_number[name]].formation
    whose = (name, formation, state.setting.division_of[formation].name)
    how = "{} is a Leader: he does not move, but transfers at the end of an activation of {} or {}"
    against = [Objection(("gts:21.2.a", "gts:21.2.b"), how, whose)]
    if state.activation is not None and state.chit.direct:
        against.append(Objection("gts:21.2.i", "no Leader transfers at the end of a Direct Command activation"))
    return Verdict(tuple(against))


def _action(state: State, decision: ChooseAction, name: str, there: tuple[Any, ...]) -> Verdict:
    """What is said against an Action of a unit: any at all, a shot at a target or into a hex with enemies, or a move."""
    if not there:
        own = [each for each in decision.options(state) if getattr(each, "unit", "") == name and type(each) in DEEDS]
        if own:
            return _permitted(state, name, DEEDS[type(own[0])])
        return decision.verdict(state, Move(name))
    if targets := _targets(state, name, there[0]):
        shot, against = _best(state, decision, [Fire(name, target) for target in targets])
        return _permitted(state, name, "fire", *may_fire(state, name, shot.target).facts) if against else against
    return may_move(state, name, hex_at(state, there[0]))


def _permitted(state: State, name: str, deed: Deed, *facts: Objection) -> Verdict:
    """That nothing is said against an Action, and what permits it."""
    return Verdict(facts=(permits(state, name, deed, second=is_second(state, name)), *facts))


def _targets(state: State, name: str, what: Hex | str) -> tuple[str, ...]:
    """The units that are pointed at: one by its name, or the enemies in a hex."""
    if what in state.setting.number:
        return (str(what),)
    return state.at(hex_at(state, what), state.setting.piece(name).side.enemy)


def _best(state: State, decision: Decision[State, Any], actions: Sequence[T]) -> tuple[T, Verdict]:
    """The first of some actions against which nothing is said, or the first of all; with the verdict on it."""
    verdicts = [(action, decision.verdict(state, action)) for action in actions]
    return next((each for each in verdicts if each[1]), verdicts[0])
