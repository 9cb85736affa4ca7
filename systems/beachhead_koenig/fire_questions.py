"""Rule questions about fire: who may fire at what, how strongly, and what may come of it; `questions` has them all.

>>> from beachhead_koenig.cases import position
>>> state = position(["C3: CSR 4-6 allied", "D3: P 3-6 german"])
>>> print(may_fire(state, "CSR", "D3"), may_fire(state, "CSR", "E3"), sep="\\n")
allowed
there is no enemy unit in E3 (koenig:9.0.d); CSR is not next to E3 (koenig:9.0.b)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import chain
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
from beachhead_koenig import commitment, preparation, retreat
from beachhead_koenig import fire as firing
from beachhead_koenig.attack import Attack
from beachhead_koenig.beach import Away
from beachhead_koenig.ground import adjacent, step_cost
from beachhead_koenig.leadership import RerollOrNot, StandOrNot
from beachhead_koenig.named import At, known, on_map, place_named
from beachhead_koenig.state import Activation, State, put
from beachhead_koenig.tables import Fire, FireResult, Side, term

V = TypeVar("V")


def operating_as(state: State, unit: str) -> State:
    """The state in which the unit's formation is Active, where it is not: what odds suppose."""
    if unit in state.operating:
        return state
    return changed(state, activation=Activation(state.setting.piece(unit).formation))


def supposed(state: State, unit: str) -> State:
    """The state in which the unit's formation is Active, if none is: what a question supposes."""
    return state if state.activation is not None else operating_as(state, unit)


# ------------------------------------------------------------ fire
def _attack(
    state: State, target: At, units: tuple[str, ...], fire: Fire | str, indirect: str | tuple[str, ...]
) -> Attack:
    """Step 1 of an attack that can be made, but for whose turn it is.

    Raises:
        ValueError: it cannot be; every reason.
    """
    kind, indirect = _kind(fire), (indirect,) if isinstance(indirect, str) else indirect
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
    against = verdict(
        each
        for unit in attack.units
        for each in _no_shot(state, unit, attack.target, (kind,), indirect=unit in attack.indirect)
    )
    if not against:
        raise ValueError(str(against))
    return attack


def _kind(fire: Fire | str) -> Fire:
    """Full Fire or Mobile Fire.

    Raises:
        ValueError: it is neither.
    """
    kind = term(Fire, fire)
    if kind is Fire.CLOSE:
        raise ValueError("Close Fire is no attack on a hex: ask for close_fire_factor or close_combat_odds")
    return kind


def _no_shot(state: State, unit: str, target: Hex, kinds: tuple[Fire, ...], *, indirect: bool) -> Iterator[Objection]:
    """Why a unit cannot fire at a hex in any of these ways: what it has done of its Operation, if it is Active, and where it stands."""
    progress = state.unit(unit).progress
    if unit in state.operating and not any(progress in preparation.free_to_fire(kind) for kind in kinds):
        ways = " or ".join(kind.value for kind in kinds)
        yield Objection(("koenig:7.2.a", "koenig:7.0.f"), "{} {}: no {}", (unit, progress.value, ways))
    if indirect and Fire.FULL not in kinds:
        yield Objection("koenig:14.4.b", "Indirect Fire is Full Fire only")
    yield from preparation.range_objections(state, unit, target, indirect=indirect)


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
            it is Close Fire, or more support than a player may commit. What it would be from elsewhere, a drawn position tells.
    """
    attack = _attack(state, target, units, fire, indirect)
    side = state.setting.piece(units[0]).side
    _check_support(state, side.enemy, "defence", defence)
    _check_support(state, side, "offence", offence)
    support = commitment.net_support(commitment.Commit(defence, 0), commitment.Commit(offence, 0))
    return factors.attack_factor(state, attack) + support


def _check_support(state: State, side: Side, name: str, points: int) -> None:
    """Raises ValueError if a player cannot commit so many points to a battle, whatever he has (9.0)."""
    most = commitment.most_points(state, side)
    if not 0 <= points <= most:
        raise ValueError(
            f"{name}={points}: the {side} player commits from 0 to {most} points to a battle (koenig:9.0.j, koenig:9.0.k)"
        )


@question
def close_fire_factor(state: State, unit: str, net_support: int = 0) -> Breakdown:
    """The Attack Factor of a unit in Close Combat, with the net support of its own side (10.0 to 10.2)."""
    here = on_map(state, unit)
    _check_support(state, state.setting.piece(unit).side, "net_support", max(0, net_support))
    fight = close.Fight(unit, "", here, here, max(0, net_support))
    return close.close_fire_factor(state, fight, unit)


@question
def may_fire(state: State, unit: str, target: At, *, fire: Fire | str | None = None, indirect: bool = False) -> Verdict:
    """Whether a unit could fire at a hex: range, cliffs, who is there, and what it has done if it is Active (7.0, 9.0, 9.2, 14.4).

    Args:
        state: the position.
        unit: who fires.
        target: the hex fired at.
        fire: Full Fire or Mobile Fire; either, if left out.
        indirect: whether it is Indirect Fire, which is Full Fire only.
    """
    on_map(state, unit)
    either = (Fire.FULL,) if indirect else (Fire.FULL, Fire.MOBILE)
    kinds = either if fire is None else (_kind(fire),)
    return verdict(_no_shot(state, unit, state.hex(target), kinds, indirect=indirect))


@question
def may_join(state: State, unit: str, target: At, *units: str, fire: Fire | str = Fire.FULL) -> Verdict:
    """Whether a unit may fire in concert with others at a hex, and every reason against it (7.1, 7.2).

    Where no formation is Active, that of the first of the others is supposed to be.

    Raises:
        ValueError: the others cannot fire like that at the hex.
    """
    attack = _attack(state, target, units, fire, ())
    state = supposed(state, units[0])
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
    state = operating_as(state, units[0])
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
    state = operating_as(state, unit)
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
        place = place_named(after, now.place)
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
