"""Players that go by rules of thumb: advance together, take good odds, get out of bad ones.

Each is a policy: it sees the view of its side and nothing else, remembers nothing, and answers the same question in the same way. There is no search.
What a thing is worth, in figures, `appraisal.py` says; of options that are worth the same the first is taken.

`POLICIES` names them. "sensible" is the usual opponent, and "bold" the same player with less regard for what may be shot back. "odds" gives the
neutral answers for exact odds: nobody ambushes, flags are ignored as far as they may be, ground is taken, nobody overruns; elsewhere the first option.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from beachhead.hexes import Hex
from beachhead.policies import Policy, by_type
from beachhead.rules import first_objection
from beachhead_memoir44.appraisal import (
    MEDAL,
    Situation,
    Temper,
    best_odds,
    cover,
    dice_after_move,
    figure_worth,
    harm_to,
    odds,
    survey,
)
from beachhead_memoir44.attack import attack_dice, readiness_objections
from beachhead_memoir44.battle import Ambush, AmbushOrNot, Battle, ChooseBattle, EndBattles, LetThemCome, RemoveObstacle
from beachhead_memoir44.cards import CardKind, Contact, Effect, Wing, find_card, kinds
from beachhead_memoir44.ground import GroundOrNot, NoOverrun, Overrun, OverrunOrNot, StayPut, TakeGround
from beachhead_memoir44.movement import ChooseMove, EndMoves, Move, ways
from beachhead_memoir44.orders import (
    ChooseCard,
    ChooseOrders,
    ChooseSandbags,
    ChooseSection,
    DiscardCard,
    EndOrders,
    InSection,
    Order,
    OrderAll,
    PlaceSandbags,
    PlayCard,
    within_limit,
)
from beachhead_memoir44.retreat import ChooseFlagsToIgnore, ChooseRetreat, IgnoreFlags, RetreatTo, open_hexes, steps
from beachhead_memoir44.state import Phase, State, changed
from beachhead_memoir44.strikes import ChooseDamaged, ChooseNextTarget, ChooseTargets, EndTargets, Heal, Target, missing
from beachhead_memoir44.tables import BaseType
from beachhead_memoir44.turn import ChooseCardToKeep, Keep

Option = TypeVar("Option")

LIKELY = 0.7
"""The part of an attack that is left of it when the unit must first get there."""


# ------------------------------------------------------------ cards and orders
def urge(now: Situation, unit: int) -> float:
    """About what an order to a unit would bring: an attack from here, one after a move, a step forward, a way out."""
    return now.once(("urge", unit), lambda: max(_urges(now, unit)))


def _urges(now: Situation, unit: int) -> Iterator[float]:
    state, troop, here = now.state, now.state.troop(unit), now.state.place(unit)
    yield best_odds(state, unit)
    for enemy in now.exposed:
        yield LIKELY * harm_to(state, enemy, dice_after_move(state, unit, here, now.side.other, state.place(enemy)))
    if now.claims.get(here, 0.0) < MEDAL:
        yield now.temper.push * troop.move
    yield now.danger(unit, here) / 2


def order_value(now: Situation, kind: CardKind, wing: Wing | None) -> float:
    """What those have to do, all together, whom a card may order."""
    state, found = now.state, list[tuple[float, int]]()
    for unit in state.of(now.side):
        place = state.place(unit)
        near = bool(state.enemies_near(place, now.side))
        contact = kind.contact is Contact.ANY or near is (kind.contact is Contact.REQUIRED)
        if (
            contact
            and (not kind.types or state.troop(unit).base in kind.types)
            and (not wing or wing in state.setting.wings(place))
        ):
            fixed = kind.no_move or kind.battles > 1
            worth = best_odds(state, unit) * kind.battles if fixed else urge(now, unit)
            found.append((worth + (kind.close_bonus if near else kind.fire_bonus) * LIKELY, unit))
    if not found:
        return 0.5 if kind.substitute else 0.0
    chosen, total = list[int](), 0.0
    for worth, unit in sorted(found, key=lambda pair: (-pair[0], pair[1])):
        if kind.orders == "all" or within_limit(state, kind, [*chosen, unit]):
            chosen, total = [*chosen, unit], total + worth
    return total


def card_value(now: Situation, card: str) -> float:
    """What a card is worth now. The more it orders, the more must come of it before it is played."""
    state, side, kind, section = now.state, now.side, find_card(card).kind, find_card(card).section
    match kind.effect:
        case Effect.AIR_POWER | Effect.BARRAGE:
            hexes = (state.place(enemy) for enemy in now.exposed)
            return (
                max((strike_value(state, hex, kind.dice.get(side, 0), kind.targets) for hex in hexes), default=0.0)
                - 0.3
            )
        case Effect.MEDICS:
            return max((heal_value(now, unit) for unit in state.of(side)), default=0.0)
        case Effect.COUNTER_ATTACK:
            given = state.last_given(side.other)
            return order_value(now, kinds()[given.kind_id], given.wing) if given else 0.0
        case Effect.DIG_IN:
            return sum(sorted((sandbag_value(now, unit) for unit in state.of(side)), reverse=True)[:4]) / 2
        case Effect.FINEST_HOUR:
            urges = sorted((urge(now, unit) + LIKELY for unit in state.of(side)), reverse=True)
            return 0.6 * sum(urges[: state.hand(side).size]) - 0.5
        case Effect.AMBUSH:
            return 1.5
        case Effect.ORDER:
            wing = section.wing(top=side is state.setting.top) if section else None
            wings = tuple(Wing) if kind.sections == "chosen" else (wing,)
            return max(order_value(now, kind, one) for one in wings) + 0.2 * (kind.draw - 1) - thrift(kind)


def thrift(kind: CardKind) -> float:
    """What is held against a card that orders many: it may be wanted later."""
    sections = {"each": 3, "flanks": 2}.get(kind.sections, 1)
    return 0.15 * (4 if kind.orders == "all" else min(kind.orders * sections, 5))


def heal_value(now: Situation, unit: int) -> float:
    """The figures that may come back to a unit, one die for each card."""
    sides = {BaseType.INFANTRY: 3, BaseType.ARMOR: 2}.get(now.state.troop(unit).base, 1)
    return min(missing(now.state, unit), now.state.hand(now.side).size * sides / 6)


def sandbag_value(now: Situation, unit: int) -> float:
    """What sandbags may save a unit."""
    state, here = now.state, now.state.place(unit)
    useless = state.troop(unit).base is not BaseType.INFANTRY or any(row.no_sandbags for row in state.rows(here))
    return 0.0 if useless or cover(state, now.side, here, BaseType.INFANTRY) < 0 else now.danger(unit, here)


def strike_value(state: State, hex: Hex, dice: int, most: int) -> float:
    """What a card that strikes by itself may do to the unit in a hex and to its neighbours."""
    unit = state.unit_at(hex)
    beside = state.enemies_near(hex, state.side(unit).other) if unit is not None else ()
    near = sorted((harm_to(state, other, dice) for other in beside), reverse=True)
    return harm_to(state, unit, dice) + sum(near[: most - 1])


# ------------------------------------------------------------ the answers
def best(options: Iterable[Option], value: Callable[[Option], float]) -> Option:
    """The option of the greatest value; of equals the first."""
    return max(options, key=value)


def _unit(state: State, hex: Hex) -> int:
    unit = state.unit_at(hex)
    assert unit is not None, "the options name hexes where a unit stands"
    return unit


def choose_card(
    now: Situation, _: ChooseCard | ChooseCardToKeep, options: tuple[PlayCard | DiscardCard | Keep, ...]
) -> PlayCard | DiscardCard | Keep:
    """The card that gets most done; of those drawn, the card that would."""
    return best(options, lambda action: card_value(now, action.card))


def choose_section(now: Situation, _: ChooseSection, options: tuple[InSection, ...]) -> InSection:
    """Where most is to be done."""
    kind, top = now.state.turn.kind, now.side is now.state.setting.top
    assert kind is not None
    return best(options, lambda action: order_value(now, kind, action.section.wing(top=top)))


def choose_orders(
    now: Situation, _: ChooseOrders, options: tuple[Order | OrderAll | EndOrders, ...]
) -> Order | OrderAll | EndOrders:
    """As many as the card allows, first those who have most to do."""
    if OrderAll() in options:
        return OrderAll()
    kind = now.state.turn.kind
    value = sandbag_value if kind and kind.effect is Effect.DIG_IN else urge
    return best(
        options, lambda action: value(now, _unit(now.state, action.unit)) if isinstance(action, Order) else -1.0
    )


def choose_sandbags(now: Situation, _: ChooseSandbags, options: tuple[PlaceSandbags, ...]) -> PlaceSandbags:
    """For the unit in the greatest danger."""
    return best(options, lambda action: sandbag_value(now, _unit(now.state, action.unit)))


def choose_move(now: Situation, _: ChooseMove, options: tuple[Move | EndMoves, ...]) -> Move | EndMoves:
    """Those nearest to the enemy move first, each to where it does best; nobody moves for nothing."""
    moves: dict[Hex, list[Move]] = {}
    for action in options:
        if isinstance(action, Move):
            moves.setdefault(action.unit, []).append(action)
    places = [now.state.place(enemy) for enemy in now.exposed]
    for here in sorted(moves, key=lambda hex: min(map(hex.distance, places), default=0)):
        unit = _unit(now.state, here)
        found = best([(move_value(now, unit, move), move) for move in moves[here]], lambda pair: pair[0])
        if found[0] > stay_value(now, unit) + 0.01:
            return found[1]
    return EndMoves()


def move_value(now: Situation, unit: int, move: Move) -> float:
    """How well a unit would stand after a move, and what it could attack from there."""
    barred = ways(now.state, unit)[move.to].no_battle
    return now.standing(unit, move.to) + (0.0 if barred else best_odds(changed(now.state, unit, hex=move.to), unit))


def stay_value(now: Situation, unit: int) -> float:
    """How well a unit stands where it is, and what it can attack from there."""
    state, kind = now.state, now.state.turn.kind
    barred = state.phase is Phase.MOVE_AGAIN or first_objection(readiness_objections(state, unit))
    attack = 0.0 if barred else best_odds(state, unit) * (kind.battles if kind else 1)
    return now.standing(unit, state.place(unit)) + attack


def choose_battle(
    now: Situation, _: ChooseBattle, options: tuple[Battle | RemoveObstacle | EndBattles, ...]
) -> Battle | RemoveObstacle | EndBattles:
    """The best odds first; wire is cleared when there is nothing better to do."""

    def value(action: Battle | RemoveObstacle | EndBattles) -> float:
        if isinstance(action, Battle):
            return odds(now.state, _unit(now.state, action.unit), action.target)
        return 0.3 if isinstance(action, RemoveObstacle) else 0.0

    return best(options, value)


def ambush_or_not(
    now: Situation, decision: AmbushOrNot, options: tuple[Ambush | LetThemCome, ...]
) -> Ambush | LetThemCome:
    """Whenever more than one die can be thrown."""
    dice = attack_dice(now.state, decision.unit, decision.attacker).total
    return Ambush() if Ambush() in options and dice > 1 else LetThemCome()


def ground_or_not(
    now: Situation, decision: GroundOrNot, options: tuple[TakeGround | StayPut, ...]
) -> TakeGround | StayPut:
    """If it stands better there, or armor finds another target."""
    state, unit, there = now.state, decision.unit, decision.hex
    orders = state.orders(unit)
    again = state.troop(unit).overrun and orders is not None and orders.battles < 2
    overrun = best_odds(changed(state, unit, hex=there), unit) if again else 0.0
    better = now.standing(unit, there) + overrun > now.standing(unit, state.place(unit))
    return TakeGround(there) if better else StayPut()


def overrun_or_not(
    now: Situation, decision: OverrunOrNot, options: tuple[Overrun | NoOverrun, ...]
) -> Overrun | NoOverrun:
    """Wherever the odds are best."""
    return best(
        options, lambda action: odds(now.state, decision.unit, action.hex) if isinstance(action, Overrun) else 0.0
    )


def choose_flags(now: Situation, decision: ChooseFlagsToIgnore, options: tuple[IgnoreFlags, ...]) -> IgnoreFlags:
    """Stay or go, whichever leaves the unit better off."""
    return best(options, lambda action: after_flags(now, decision.unit, decision.flags - action.flags))


def after_flags(now: Situation, unit: int, flags: int) -> float:
    """How well a unit stands after so many flags: where it gets to, less the figures that it loses on the way."""
    made, here = steps(now.state, unit, flags), now.state.place(unit)
    for _ in range(made):
        here = best(open_hexes(now.state, unit, here) or (here,), lambda hex: now.standing(unit, hex))
    return now.standing(unit, here) - (flags - made) * figure_worth(now.state, unit)


def choose_retreat(now: Situation, decision: ChooseRetreat, options: tuple[RetreatTo, ...]) -> RetreatTo:
    """To where the unit stands better."""
    return best(options, lambda action: now.standing(decision.unit, action.hex))


def choose_targets(
    now: Situation, decision: ChooseTargets, options: tuple[Target | EndTargets, ...]
) -> Target | EndTargets:
    """As many as the card allows, beginning where most can be done."""
    kind = kinds()[decision.kind_id]
    dice, most = kind.dice.get(now.side, 0), kind.targets - len(decision.chosen)
    return best(
        options, lambda action: strike_value(now.state, action.hex, dice, most) if isinstance(action, Target) else 0.0
    )


def choose_next_target(now: Situation, decision: ChooseNextTarget, options: tuple[Target, ...]) -> Target:
    """The weakest first."""
    return best(options, lambda action: harm_to(now.state, now.state.unit_at(action.hex), 1))


def choose_damaged(now: Situation, decision: ChooseDamaged, options: tuple[Heal, ...]) -> Heal:
    """The unit that may get most back."""
    return best(options, lambda action: heal_value(now, _unit(now.state, action.unit)))


ANSWERS: Mapping[type, Callable[[Situation, Any, tuple[Any, ...]], Any]] = {
    ChooseCard: choose_card,
    ChooseCardToKeep: choose_card,
    ChooseSection: choose_section,
    ChooseOrders: choose_orders,
    ChooseSandbags: choose_sandbags,
    ChooseMove: choose_move,
    ChooseBattle: choose_battle,
    AmbushOrNot: ambush_or_not,
    GroundOrNot: ground_or_not,
    OverrunOrNot: overrun_or_not,
    ChooseFlagsToIgnore: choose_flags,
    ChooseRetreat: choose_retreat,
    ChooseTargets: choose_targets,
    ChooseNextTarget: choose_next_target,
    ChooseDamaged: choose_damaged,
}
"""How each decision of the game is answered."""


def player(temper: Temper) -> Policy:
    """A player of that temper."""

    def policy(view: State, decision: Any, options: tuple[Any, ...]) -> Any:
        return ANSWERS[type(decision)](survey(view, decision.side, temper), decision, options)

    return by_type(dict.fromkeys(ANSWERS, policy))


def neutral(view: object, decision: object, options: tuple[Any, ...]) -> Any:
    """The neutral answer; flags to ignore come most first."""
    return next((one for one in options if isinstance(one, (LetThemCome, TakeGround, NoOverrun))), options[0])


POLICIES: Mapping[str, Policy] = {
    "sensible": player(Temper(caution=0.3, push=0.35)),
    "bold": player(Temper(caution=0.1, push=0.5)),
    "odds": neutral,
}
"""The players that come with the system, by name."""
