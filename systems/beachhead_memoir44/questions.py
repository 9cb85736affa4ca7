"""Rule questions about any position, a hand-drawn one too: each answers with a verdict, a breakdown or a list, and cites the rules.

>>> from beachhead_memoir44.cases import position
>>> state = position(["C5: infantry axis", "D5: forest", "D5: infantry allies"])
>>> print(attack_dice(state, "C5", "D5"))
3 infantry at 1 hex (m44:troop.infantry.dice, m44:range.counting) - 1 forest at D5 (m44:terrain.forest.protect, m44:terrain.general.modifier_by_attacker) = 2
>>> bool(can_see(state, "C5", "E5")), retreat_options(state, "D5")
(False, ('c4', 'd4'))
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from beachhead.hexes import Hex
from beachhead.odds import Distribution, Odds, of_end
from beachhead.rules import Breakdown, Verdict, question, verdict
from beachhead.systems import Policy
from beachhead.values import changed as evolve
from beachhead_memoir44 import attack, battle, movement, orders, retreat, sight, victory
from beachhead_memoir44.dice import Against, BattleDice, Score
from beachhead_memoir44.state import Orders, Phase, State, Turn
from beachhead_memoir44.tables import Side

Place = Hex | str
"""A hex, or its label on the board ("C5")."""


def hex_at(state: State, place: Place) -> Hex:
    """The hex of a label.

    Raises:
        ValueError: no such hex on this board.
    """
    return state.setting.board.find(place) if isinstance(place, str) else place


def unit_in(state: State, place: Place) -> int:
    """The unit in a hex, as its number in `state.units`.

    Raises:
        ValueError: no unit stands there.
    """
    hex = hex_at(state, place)
    unit = state.unit_at(hex)
    if unit is None:
        raise ValueError(f"no unit stands at {state.label(hex)}")
    return unit


def _as_ordered(state: State, unit: int) -> State:
    """The state in which this unit's side is to act and the unit has an order, where it has none: what a question supposes."""
    if state.side(unit) is state.active and state.orders(unit):
        return state
    turn = state.turn if state.side(unit) is state.active else Turn()
    return evolve(state, active=state.side(unit), turn=evolve(turn, orders=(*turn.orders, Orders(unit))))


@question
def can_see(state: State, a: Place, b: Place) -> Verdict:
    """Whether there is a line of sight between two hexes, and what blocks it (m44:los.*)."""
    return sight.can_see(state, hex_at(state, a), hex_at(state, b))


@question
def attack_dice(state: State, attacker: Place, target: Place) -> Breakdown:
    """How many dice the unit in one hex rolls against the unit in another, term by term (m44:range.*, terrain, the card played)."""
    return attack.attack_dice(state, unit_in(state, attacker), unit_in(state, target))


@question
def may_battle(state: State, attacker: Place, target: Place) -> Verdict:
    """Whether the unit, if ordered, may attack what stands in the target hex, and every reason against it (m44:battle.*)."""
    unit = unit_in(state, attacker)
    return verdict(attack.battle_objections(_as_ordered(state, unit), unit, hex_at(state, target)))


def legal_targets(state: State, attacker: Place) -> tuple[str, ...]:
    """The labels of the hexes that the unit, if ordered, may attack."""
    unit = unit_in(state, attacker)
    supposed = _as_ordered(state, unit)
    found = attack.targets(supposed, unit)
    return tuple(state.label(hex) for hex in found if verdict(attack.battle_objections(supposed, unit, hex)))


def reachable(state: State, unit: Place, *, battle: bool = False) -> tuple[str, ...]:
    """The labels of the hexes that the unit, if ordered, can move to; with `battle`, only those after which it may battle (m44:move.*)."""
    i = unit_in(state, unit)
    base, found = state.troop(i).base, movement.ways(evolve(_as_ordered(state, i), phase=Phase.MOVE), i)
    if battle:
        found = {
            hex: way
            for hex, way in found.items()
            if not way.no_battle and not any(base in row.no_battle_inside for row in state.rows(hex))
        }
    return tuple(state.label(hex) for hex in found)


@question
def may_move(state: State, unit: Place, to: Place) -> Verdict:
    """Whether the unit, if ordered, can move to a hex, and what stands against it (m44:move.*, terrain)."""
    i = unit_in(state, unit)
    supposed = evolve(_as_ordered(state, i), phase=Phase.MOVE)
    against = (*movement.moving_objections(supposed, i), *movement.reach_objections(supposed, i, hex_at(state, to)))
    return verdict(iter(against))


@question
def may_ambush(state: State, unit: Place, attacker: Place) -> Verdict:
    """Whether the unit could answer an attack with an Ambush, whoever holds the card (m44:card.ambush.when, m44:card.ambush.who_can)."""
    return verdict(battle.ambusher_objections(state, unit_in(state, unit), unit_in(state, attacker)))


@question
def may_order(state: State, unit: Place) -> Verdict:
    """Whether the card played orders the unit (m44:order.*, m44:card.*)."""
    return verdict(orders.order_objections(state, unit_in(state, unit)))


def retreat_options(state: State, unit: Place) -> tuple[str, ...]:
    """The labels of the hexes that the unit may step back to (m44:retreat.*); none means a figure for each flag."""
    i = unit_in(state, unit)
    return tuple(state.label(hex) for hex in retreat.open_hexes(state, i, state.place(i)))


def flags_ignorable(state: State, unit: Place, flags: int = 3) -> int:
    """How many of so many flags the unit may ignore where it stands (m44:retreat.ignore_first_flag)."""
    return retreat.ignorable(state, unit_in(state, unit), flags)[0]


def sections(state: State, place: Place) -> tuple[str, ...]:
    """The sections of the board that a hex belongs to: west, centre, east (m44:section.*)."""
    return tuple(sorted(state.setting.wings(hex_at(state, place))))


def medals(state: State, side: Side) -> int:
    """The medals that a side has now (m44:victory.*)."""
    return state.medals_of(side)


def hit_odds(state: State, attacker: Place, target: Place) -> Distribution[Score]:
    """How likely each number of hits and flags is, exactly, before flags are ignored or ground is taken."""
    unit, aim = unit_in(state, attacker), unit_in(state, target)
    dice = BattleDice(
        attack.attack_dice(state, unit, aim).total, Against(attack.hit_faces(state, aim)), "m44:resolve.hit_matching"
    )
    found: dict[Score, Fraction] = {}
    outcomes = dice.outcomes(state)
    total = sum(weight for _, weight in outcomes)
    for faces, weight in outcomes:
        score = dice.read(faces)
        found[score] = found.get(score, Fraction(0)) + Fraction(weight, total)
    return Distribution(found)


def battle_odds(
    state: State, attacker: Place, target: Place, *, by: Callable[[State], object], policy: Policy | None = None
) -> Distribution[object]:
    """How a whole battle may end, exactly: ambush, flags, ground and overrun included.

    Args:
        state: how things stand.
        attacker, target: the hexes of the two units. The attacker is taken to have an order.
        by: what to ask of the state afterwards.
        policy: answers the decisions on the way; the system's "odds" policy if left out, which declines what is hidden.
    """
    from beachhead_memoir44.players import POLICIES

    unit, aim = unit_in(state, attacker), unit_in(state, target)
    walker = Odds[State](victory.over, policy or POLICIES["odds"])
    ends = walker.of(battle.battle, (unit, aim), _as_ordered(state, unit))
    return Distribution(ends, tuple(walker.assumptions)).by(of_end(by))
