"""Rule questions about any position, a hand-drawn one too: each answers with a verdict, a breakdown, a list or odds, and cites the rules.

>>> from beachhead_koenig.cases import position
>>> state = position(["C3: CSR 4-6 allied", "C4: NSR 3-6 allied", "D3: P 3-6 german", "D3: town"])
>>> print(attack_factor(state, "D3", "CSR", "NSR"))
4 CSR (koenig:9.0.e) + 3 NSR (koenig:9.0.e) - 1 town (koenig:9.2.c) = 6
>>> print(result_odds(6))
 16.67%  Exchange  (1/6)
 83.33%  Hit  (5/6)
>>> print(fire_odds(state, "D3", "CSR"))
 50.00%  P stays in D3; CSR stays in C3  (1/2)
 33.33%  P: 1 Hit, stays in D3; CSR stays in C3  (1/3)
 16.67%  P: 1 Hit, stays in D3; CSR: 1 Hit, stays in C3  (1/6)
assuming: nobody commits support, ...
>>> print(close_combat_odds(state, "CSR", "D3", by=lambda after: after.unit("P").hits))
 40.00%  0  (2/5)
 60.00%  1  (3/5)
assuming: nobody commits support, spends the Leadership marker, retreats without need or takes a second Hit to hold; ...
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from beachhead.hexes import Hex
from beachhead.rules import Breakdown, Objection, Verdict, first_objection, question, verdict
from beachhead_koenig import movement, refit, retreat, victory
from beachhead_koenig.carry_out import CarryOut
from beachhead_koenig.carry_out import may_move as may_move_in
from beachhead_koenig.fire_questions import (
    STEADY,
    STEADY_SAYS,
    attack_factor,
    close_combat_odds,
    close_fire_factor,
    fire_odds,
    may_fire,
    may_join,
    result_odds,
    supposed,
    who_may_join,
)
from beachhead_koenig.ground import adjacent
from beachhead_koenig.named import At, known, on_map, place_named
from beachhead_koenig.operations import operation_objections
from beachhead_koenig.state import Operation, State
from beachhead_koenig.tables import STACKING_LIMIT, Side, term

__all__ = [
    "STEADY",
    "STEADY_SAYS",
    "attack_factor",
    "close_combat_odds",
    "close_fire_factor",
    "fire_odds",
    "may_fire",
    "may_join",
    "may_move",
    "movement_cost",
    "reachable",
    "result_odds",
    "retreat_hexes",
    "return_hexes",
    "unit",
    "victory_points",
    "who_may_join",
]


def unit(state: State, name: str) -> str:
    """A unit in words: what it is, where it stands, and how far it has come with its Operation.

    >>> from beachhead_koenig.cases import position
    >>> print(unit(position(["D3: P 3-6 german h1", "D3: town"]), "P"))
    P, German formation G, infantry 3-6, 1 Hit: D3, town; has not operated

    Raises:
        UnknownName: there is no such unit; the nearest is named.
    """
    from beachhead_koenig.terminal import units

    now, told = state.unit(name), units(state)[name]
    done = f"; {now.progress.value}" if isinstance(now.place, Hex) else ""
    return f"{told if told.startswith(f'{name},') else f'{name}: {told}'}{done}"


# ------------------------------------------------------------ movement
@question
def movement_cost(state: State, unit: str, *way: At) -> Breakdown:
    """What it costs a unit to move: to one hex by the cheapest way, or along the hexes given, step by step (8.1, 10.0, 14.2).

    Raises:
        ValueError: nobody can go that way.
    """
    start = on_map(state, unit)
    hexes = [state.hex(place) for place in way]
    if len(hexes) == 1:
        hexes = _cheapest_way(state, unit, hexes[0])
    path = [start, *hexes]
    label = state.setting.board.label
    for here, there in pairwise(path):
        if not adjacent(state.setting, here, there):
            raise ValueError(f"no step leads from {label(here)} to {label(there)}: they are no neighbours")
    cost = movement.movement_cost(state, unit, path)
    if cost is None:
        raise ValueError(f"units cannot go by {'-'.join(map(label, path))}: a cliff or the sea bars the way")
    against = verdict(_against_way(state, unit, hexes))
    if not against:
        raise ValueError(str(against))
    return cost


def _cheapest_way(state: State, unit: str, hex: Hex) -> list[Hex]:
    """The cheapest way to a hex, without where it begins.

    Raises:
        ValueError: none is open; every reason.
    """
    move, found = movement.into(state, unit, hex, movement.FAR), movement.reach(state, unit, movement.FAR)
    against = verdict(movement.movement_objections(state, unit, movement.FAR, Operation.MOVEMENT, move))
    if not against:
        raise ValueError(str(against))
    if isinstance(move, movement.MoveTo):
        return list(found.path(hex)[1:])
    entries = [entry for target, entry in found.combats if target == hex]
    return [*found.path(min(entries, key=lambda entry: found.combats[hex, entry]))[1:], hex]


def _against_way(state: State, unit: str, hexes: Sequence[Hex]) -> Iterator[Objection]:
    """Why nobody goes along some hexes, because of who is there: one with two units is closed, and one with an enemy is where it ends (8.2, 8.3)."""
    side, label = state.setting.piece(unit).side, state.setting.board.label
    for n, hex in enumerate(hexes, 1):
        through, others = n < len(hexes), [other for other in state.at(hex) if other != unit]
        if len(others) >= STACKING_LIMIT:
            rule = "koenig:8.2.c" if through else "koenig:8.2.b"
            yield Objection(("koenig:8.2.a", rule), "{} holds two units", (label(hex),))
        elif through and state.at(hex, side.enemy):
            rules = ("koenig:8.3.b", "koenig:10.0.b")
            yield Objection(rules, "an enemy unit is in {}: the way ends there, in Close Combat", (label(hex),))


def reachable(state: State, unit: str, operation: Operation | str = Operation.MOVEMENT) -> dict[str, int]:
    """The hexes that a unit can move to in an Operation, each with its cost in Movement Points (8.0).

    None where it is an Active unit that has had its Operation, or that part of it. Of any other it is told as if it were Active.
    """
    on_map(state, unit)
    kind = term(Operation, operation)
    active = unit in state.operating and kind is not Operation.REDEPLOYMENT
    if not may_move_in(state, unit, kind) or (active and first_objection(operation_objections(state, unit, kind))):
        return {}
    found = movement.reach(state, unit, movement.allowance(state, unit, kind))
    return {state.setting.board.label(hex): cost for hex, cost in found.hexes.items()}


@question
def may_move(state: State, unit: str, to: At, operation: Operation | str = Operation.MOVEMENT) -> Verdict:
    """Whether a unit can come to a hex in an Operation, into Close Combat too where an enemy is there, and every reason against it (8.0, 10.0).

    While a formation is Active, that the unit may not operate is among the reasons, as for `Game.why_not`; between two activations, as
    in most drawings, its own formation is supposed to be Active.
    """
    on_map(state, unit)
    hex, kind = state.hex(to), term(Operation, operation)
    operates = state.activation is not None and kind is not Operation.REDEPLOYMENT
    idle = operation_objections(state, unit, kind) if operates else iter(())
    state = supposed(state, unit)
    side, points = state.setting.piece(unit).side, movement.allowance(state, unit, kind)
    move = movement.into(state, unit, hex, points)
    return verdict(chain(idle, CarryOut(side, unit, kind, points).objections(state, move)))


# ------------------------------------------------------------ retreats, returns, victory
def retreat_hexes(state: State, unit: str, *, attacker_from: At | None = None) -> tuple[str, ...]:
    """Where a unit may retreat to: labels, and "off the map" at its edge (11.0, 11.1).

    `attacker_from`: it defends in Close Combat against a unit that came from this hex.

    Raises:
        ValueError: the unit is not on the map, or nobody can come from there.
    """
    here = on_map(state, unit)
    way: retreat.Way = retreat.Anywhere()
    if attacker_from is not None:
        came = state.hex(attacker_from)
        if not here.adjacent(came):
            label = state.setting.board.label
            raise ValueError(f"nobody comes from {label(came)} into {label(here)}: they are no neighbours")
        way = retreat.NotInto(came)
    return tuple([place_named(state, place) for place in retreat.retreats(state, unit, way)])


def return_hexes(state: State, unit: str) -> tuple[str, ...]:
    """Where an eliminated unit may return if it is reconstituted (14.3)."""
    return tuple([state.setting.board.label(hex) for hex in refit.return_hexes(state, known(state, unit))])


@question
def victory_points(state: State, side: Side | str) -> Breakdown:
    """The Victory Points that a player would have if the game ended now (Juno 13.0)."""
    return victory.victory_points(state, term(Side, side))
