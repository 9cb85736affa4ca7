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

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, pairwise
from typing import Any, TypeVar, overload

from beachhead.dice import D6, Roll
from beachhead.hexes import Hex
from beachhead.odds import Distribution, Odds, of_end
from beachhead.policies import by_type, chosen, first, last
from beachhead.rules import Breakdown, Objection, Verdict, question, verdict
from beachhead.sentences import counted
from beachhead.systems import Policy
from beachhead.values import changed
from beachhead_koenig import attack as factors
from beachhead_koenig import close_combat as close
from beachhead_koenig import commitment, movement, preparation, refit, retreat, victory
from beachhead_koenig import fire as firing
from beachhead_koenig.attack import Attack
from beachhead_koenig.beach import Away, Place
from beachhead_koenig.carry_out import CarryOut
from beachhead_koenig.ground import adjacent, step_cost
from beachhead_koenig.leadership import RerollOrNot, StandOrNot
from beachhead_koenig.operations import (
    operation_objections,
)
from beachhead_koenig.state import Activation, Operation, State, put
from beachhead_koenig.tables import Fire, FireResult, Side, term

V = TypeVar("V")
At = Hex | str
"""A hex, or its label or name on the map."""


def on_map(state: State, unit: str) -> Hex:
    """Where a unit stands.

    Raises:
        ValueError: it is not on the map.
    """
    place = state.place(unit)
    if not isinstance(place, Hex):
        raise ValueError(f"{unit} stands in no hex: it is {place.value}")
    return place


def known(state: State, unit: str) -> str:
    """The unit of this name.

    Raises:
        UnknownName: there is none; the nearest is named.
    """
    state.unit(unit)
    return unit


def _operating(state: State, unit: str) -> State:
    """The state in which the unit's formation is Active, where it is not: what odds suppose."""
    if unit in state.operating:
        return state
    return changed(state, activation=Activation(state.setting.piece(unit).formation))


def _supposed(state: State, unit: str) -> State:
    """The state in which the unit's formation is Active, if none is: what a question supposes."""
    return state if state.activation is not None else _operating(state, unit)


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
        found = movement.reach(state, unit, movement.FAR)
        if hexes[0] in found:
            hexes = list(found.path(hexes[0])[1:])
        elif entries := [entry for hex, entry in found.combats if hex == hexes[0]]:
            nearest_entry = min(entries, key=lambda entry: found.combats[hexes[0], entry])
            hexes = [*found.path(nearest_entry)[1:], hexes[0]]
    path = [start, *hexes]
    label = state.setting.board.label
    for here, there in pairwise(path):
        if not adjacent(state.setting, here, there):
            raise ValueError(
                f"no step leads from {label(here)} to {label(there)}: they are no neighbours, or no way is open"
            )
    cost = movement.movement_cost(state, unit, path)
    if cost is None:
        raise ValueError(f"units cannot go by {'-'.join(map(label, path))}: a cliff or the sea bars the way")
    return cost


def reachable(state: State, unit: str, operation: Operation | str = Operation.MOVEMENT) -> dict[str, int]:
    """The hexes that a unit can move to in an Operation, each with its cost in Movement Points (8.0)."""
    on_map(state, unit)
    kind = term(Operation, operation)
    if kind is Operation.FULL_FIRE:
        return {}
    found = movement.reach(state, unit, movement.allowance(state, unit, kind))
    return {state.setting.board.label(hex): cost for hex, cost in found.hexes.items()}


@question
def may_move(state: State, unit: str, to: At, operation: Operation | str = Operation.MOVEMENT) -> Verdict:
    """Whether a unit can come to a hex in an Operation, into Close Combat too where an enemy is there, and every reason against it (8.0, 10.0).

    While a formation is Active, that the unit may not operate is among the reasons, as for `Game.why_not`; between two activations, as
    in most drawings, its own formation is supposed to be Active.
    """
    hex, kind, start = state.hex(to), term(Operation, operation), on_map(state, unit)
    operates = state.activation is not None and kind is not Operation.REDEPLOYMENT
    idle = operation_objections(state, unit, kind) if operates else iter(())
    state = _supposed(state, unit)
    side, points = state.setting.piece(unit).side, movement.allowance(state, unit, kind)
    move: movement.Movement = movement.MoveTo(hex)
    if state.at(hex, side.enemy):
        ways_in = [entry for target, entry in movement.reach(state, unit, points).combats if target == hex]
        entries = ways_in or state.setting.board.neighbours(hex)
        move = movement.CloseCombat(hex, start if start in entries else min(entries, key=start.distance))
    return verdict(chain(idle, CarryOut(side, unit, kind, points).objections(state, move)))


# ------------------------------------------------------------ fire
def _attack(
    state: State, target: At, units: tuple[str, ...], fire: Fire | str, indirect: str | tuple[str, ...]
) -> Attack:
    """Step 1 of an attack that can be made, but for whose turn it is.

    Raises:
        ValueError: it cannot be; every reason.
    """
    kind, indirect = term(Fire, fire), (indirect,) if isinstance(indirect, str) else indirect
    if kind is Fire.CLOSE:
        raise ValueError("Close Fire is no attack on a hex: ask for close_fire_factor or close_combat_odds")
    if not units:
        raise ValueError("nobody fires: name the units after the hex")
    for unit in units:
        on_map(state, unit)
        if units.count(unit) > 1:
            raise ValueError(f"{unit} is there twice: a unit fires once in an attack")
    if len({state.setting.piece(unit).side for unit in units}) > 1:
        raise ValueError(f"{' and '.join(units)} are not of one side")
    if strangers := [unit for unit in indirect if unit not in units]:
        raise ValueError(f"{', '.join(strangers)} fires indirectly and is not among the units that fire")
    order = state.setting.number.__getitem__
    attack = Attack(tuple(sorted(units, key=order)), state.hex(target), kind, tuple(sorted(indirect, key=order)))
    against = verdict(each for unit in attack.units for each in _no_shot(state, attack, unit))
    if not against:
        raise ValueError(str(against))
    return attack


def _no_shot(state: State, attack: Attack, unit: str) -> Iterator[Objection]:
    if unit in attack.indirect and attack.fire is not Fire.FULL:
        yield Objection("koenig:14.4.b", "Indirect Fire is Full Fire only")
    yield from preparation.range_objections(state, unit, attack.target, indirect=unit in attack.indirect)


@question
def attack_factor(
    state: State,
    target: At,
    *units: str,
    fire: Fire | str = Fire.FULL,
    indirect: str | tuple[str, ...] = (),
    defence: int = 0,
    offence: int = 0,
) -> Breakdown:
    """The Attack Factor of a Full or Mobile Fire attack: strengths, terrain, and so many points of support on either side (9.0 to 9.2).

    Args:
        state: the position.
        target: the hex fired at.
        units: the units that fire together.
        fire: Full Fire or Mobile Fire.
        indirect: those of the units that fire indirectly (14.4).
        defence, offence: points of support committed by the defender and by the attacker.

    Raises:
        ValueError: nobody fires, a unit is there twice, they are of two sides, one of them cannot fire at the hex (`may_fire` says why),
            or it is Close Fire. What it would be from elsewhere, a drawn position tells.
    """
    attack = _attack(state, target, units, fire, indirect)
    support = commitment.net_support(commitment.Commit(defence, 0), commitment.Commit(offence, 0))
    return factors.attack_factor(state, attack) + support


@question
def close_fire_factor(state: State, unit: str, net_support: int = 0) -> Breakdown:
    """The Attack Factor of a unit in Close Combat, with the net support of its own side (10.0 to 10.2)."""
    here = on_map(state, unit)
    fight = close.Fight(unit, "", here, here, max(0, net_support))
    return close.close_fire_factor(state, fight, unit)


@question
def may_fire(state: State, unit: str, target: At, *, indirect: bool = False) -> Verdict:
    """Whether a unit could fire at a hex, as far as range, cliffs and who is there go (9.0, 9.2, 14.4)."""
    on_map(state, unit)
    return verdict(preparation.range_objections(state, unit, state.hex(target), indirect=indirect))


@question
def may_join(state: State, unit: str, target: At, *units: str, fire: Fire | str = Fire.FULL) -> Verdict:
    """Whether a unit may fire in concert with others at a hex, and every reason against it (7.1, 7.2).

    Where no formation is Active, that of the first of the others is supposed to be.

    Raises:
        ValueError: the others cannot fire like that at the hex.
    """
    attack = _attack(state, target, units, fire, ())
    state = _supposed(state, units[0])
    idle = [other for other in attack.units if other not in state.operating]
    join = preparation.JoinFire(known(state, unit))
    reasons = preparation.FireInConcert(state.setting.piece(units[0]).side, attack).objections(state, join)
    return verdict(chain((Objection("koenig:7.1.a", "{} is not Active", (other,)) for other in idle), reasons))


def who_may_join(state: State, target: At, *units: str, fire: Fire | str = Fire.FULL) -> tuple[str, ...]:
    """The units that may fire in concert with these at a hex (7.2)."""
    return tuple(
        [
            name
            for name in state.setting.number
            if name not in units and may_join(state, name, target, *units, fire=fire)
        ]
    )


# ------------------------------------------------------------ retreats, returns, victory
def retreat_hexes(state: State, unit: str, *, attacker_from: At | None = None) -> tuple[str, ...]:
    """Where a unit may retreat to: labels, and "off the map" at its edge (11.0, 11.1).

    `attacker_from`: it defends in Close Combat against a unit that came from this hex.
    """
    on_map(state, unit)
    way = retreat.Anywhere() if attacker_from is None else retreat.NotInto(state.hex(attacker_from))
    return tuple([_named(state, place) for place in retreat.retreats(state, unit, way)])


def _named(state: State, place: Place) -> str:
    return state.setting.board.label(place) if isinstance(place, Hex) else "off the map"


def return_hexes(state: State, unit: str) -> tuple[str, ...]:
    """Where an eliminated unit may return if it is reconstituted (14.3)."""
    return tuple([state.setting.board.label(hex) for hex in refit.return_hexes(state, known(state, unit))])


@question
def victory_points(state: State, side: Side | str) -> Breakdown:
    """The Victory Points that a player would have if the game ended now (Juno 13.0)."""
    return victory.victory_points(state, term(Side, side))


# ------------------------------------------------------------ odds
STEADY_ANSWERS: Mapping[type, Policy] = {
    commitment.CommitDefence: first,
    commitment.CommitOffence: first,
    firing.AssignHit: first,
    firing.SwitchOrNot: last,
    RerollOrNot: last,
    StandOrNot: last,
    retreat.MayRetreat: first,
    retreat.MustRetreat: first,
    close.HoldOrFallBack: last,
}
STEADY: Policy = by_type(STEADY_ANSWERS)
"""Nobody commits support, spends the Leadership marker, leaves without need or holds ground; the first unit takes the Hit."""
STEADY_SAYS = (
    "nobody commits support, spends the Leadership marker, retreats without need or takes a second Hit to hold; "
    "the first unit of a side takes the Hit"
)


def result_odds(factor: int) -> Distribution[FireResult]:
    """What a die against an Attack Factor comes to (9.0, step 5)."""
    die = Roll(D6, factors.Against(factor), "koenig:9.0.q")
    return Distribution({face: Fraction(1, len(D6.faces)) for face in D6.faces}).by(die.read)


@overload
def fire_odds(
    state: State,
    target: At,
    *units: str,
    by: Callable[[State], V],
    fire: Fire | str = Fire.FULL,
    indirect: str | tuple[str, ...] = (),
    policy: Policy | str | None = None,
) -> Distribution[V]: ...
@overload
def fire_odds(
    state: State,
    target: At,
    *units: str,
    by: None = None,
    fire: Fire | str = Fire.FULL,
    indirect: str | tuple[str, ...] = (),
    policy: Policy | str | None = None,
) -> Distribution[str]: ...
def fire_odds(
    state: State,
    target: At,
    *units: str,
    by: Callable[[State], V] | None = None,
    fire: Fire | str = Fire.FULL,
    indirect: str | tuple[str, ...] = (),
    policy: Policy | str | None = None,
) -> Distribution[Any]:
    """How a whole Full or Mobile Fire attack may end, exactly: support, die, hits and retreats (9.0 to 9.3).

    The formation of the first unit is supposed to be Active.

    Args:
        state: the position.
        target: the hex fired at.
        units: the units that fire together.
        by: what to ask of the state at the end: `lambda after: after.unit("P").hits`; if left out, what becomes of the units, in words.
        fire: Full Fire or Mobile Fire.
        indirect: those of the units that fire indirectly (14.4).
        policy: answers the decisions on the way; one of the system's may be given by its name. `STEADY` if left out. The answer says which.

    Raises:
        ValueError: they cannot fire like that at the hex, as for `attack_factor`; no policy of that name.
        NeedsPolicy: a decision that the policy does not answer.
        TypeError: the policy is none, or what `by` gives cannot be counted.
    """
    attack = _attack(state, target, units, fire, indirect)
    state = _operating(state, units[0])
    battle = (*state.at(attack.target), *attack.units)
    return _odds(state, firing.fire_attack, (attack,), by or _becomes(state, battle), policy)


@overload
def close_combat_odds(
    state: State,
    unit: str,
    target: At,
    *,
    by: Callable[[State], V],
    entry: At | None = None,
    policy: Policy | str | None = None,
) -> Distribution[V]: ...
@overload
def close_combat_odds(
    state: State,
    unit: str,
    target: At,
    *,
    by: None = None,
    entry: At | None = None,
    policy: Policy | str | None = None,
) -> Distribution[str]: ...
def close_combat_odds(
    state: State,
    unit: str,
    target: At,
    *,
    by: Callable[[State], V] | None = None,
    entry: At | None = None,
    policy: Policy | str | None = None,
) -> Distribution[Any]:
    """How a whole Close Combat may end, exactly, however many rounds it takes (10.0).

    The formation of the unit is supposed to be Active.

    Args:
        state: the position before the unit moves in, or with both units in the hex.
        unit: the attacker.
        target: the hex of the defender.
        by: what to ask of the state at the end; if left out, what becomes of both units, in words.
        entry: the hex from which the attacker comes in; where it stands, if left out.
        policy: as in `fire_odds`.

    Raises:
        ValueError: there is not exactly one enemy unit in the hex, or the unit does not come from beside it; no policy of that name.
        NeedsPolicy: a decision that the policy does not answer.
        EndlessProcedure: the policy never lets the fight end.
        TypeError: as in `fire_odds`.
    """
    hex, here = state.hex(target), on_map(state, unit)
    side = state.setting.piece(unit).side
    label = state.setting.board.label
    enemies = state.at(hex, side.enemy)
    others = [name for name in state.at(hex) if name != unit]
    if len(enemies) != 1 or len(others) != 1:
        raise ValueError(
            f"Close Combat is one against one, and in {label(hex)} there are: {', '.join(others) or 'nobody'}"
        )
    came = state.hex(entry) if entry is not None else here
    if not adjacent(state.setting, came, hex):
        raise ValueError(
            f"{label(came)} is not next to {label(hex)}: name the hex from which {unit} comes in, as entry"
        )
    if step_cost(state.setting, came, hex) is None:
        raise ValueError(f"nobody can step from {label(came)} to {label(hex)}: name another hex as entry")
    state = _operating(state, unit)
    if here != hex:
        state = put(state, unit, place=hex)
    fight = (unit, enemies[0], hex, came)
    return _odds(state, close.close_combat, fight, by or _becomes(state, (enemies[0], unit)), policy)


def _becomes(before: State, units: tuple[str, ...]) -> Callable[[State], str]:
    """What becomes of units, in words: "P: 1 Hit, retreats to D4; CSR stays in C3"."""

    def told(after: State, unit: str) -> str:
        was, now = before.unit(unit), after.unit(unit)
        if now.place is Away.ELIMINATED:
            return f"{unit} is eliminated"
        place = _named(after, now.place)
        stays = now.place == was.place
        went = f"stays in {place}" if stays else f"retreats {'to ' if isinstance(now.place, Hex) else ''}{place}"
        more = now.hits - was.hits
        return f"{unit}: {counted(more, 'Hit')}, {went}" if more else f"{unit} {went}"

    return lambda after: "; ".join(told(after, unit) for unit in units)


def _odds(
    state: State, fn: Any, args: tuple[Any, ...], by: Callable[[State], V], policy: Policy | str | None
) -> Distribution[V]:
    from beachhead_koenig.system import SYSTEM

    answers, says = _policy(policy)
    ends = Odds[State](SYSTEM.over, answers).of(fn, args, state)
    assumptions: tuple[str, ...] = (says,)
    if any(piece.authored for piece in state.setting.roster):
        assumptions = (*assumptions, "strengths that no printed source gives (authored)")
    return Distribution(ends, assumptions).by(of_end(by))


def _policy(policy: Policy | str | None) -> tuple[Policy, str]:
    """Who answers the decisions on the way, and what that assumes."""
    from beachhead_koenig.system import SYSTEM

    if policy is None:
        return STEADY, STEADY_SAYS
    name = repr(policy) if isinstance(policy, str) else "given"
    return chosen(SYSTEM, policy), f"decisions on the way by the policy {name}"
