"""Players that go by rules of thumb: take and keep what scores, fire when the odds are good, get hurt units out of the way.

Each is a policy: it sees the view of its side and nothing else, remembers nothing, and answers the same question in the same way. There is no search:
what a thing is worth, in Victory Points, `appraisal.py` says, and of options that are worth the same the first is taken.

`POLICIES` names them. "sensible" is the usual opponent; "bold" counts less on what may be shot back, and goes for the enemy rather than for towns.
"odds" gives the neutral answers for exact odds: nobody commits support or leaves without need; elsewhere the first option.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from beachhead.hexes import Hex
from beachhead.policies import Policy, by_type, first
from beachhead_koenig.appraisal import (
    Force,
    Situation,
    Temper,
    close_odds,
    fire_value,
    force,
    survey,
)
from beachhead_koenig.attack import Attack, attack_factor
from beachhead_koenig.beach import Away
from beachhead_koenig.carry_out import CarryOut, FireAt, FireIndirectlyAt
from beachhead_koenig.close_combat import FallBack, HoldGround, HoldOrFallBack
from beachhead_koenig.commitment import (
    CommitDefence,
    Commitment,
    CommitOffence,
    CommitWithCorpsArtillery,
    RetreatBeforeCombat,
    points,
)
from beachhead_koenig.fire import AssignHit, KeepFullFire, NobodyTakesHit, SwitchOrNot, SwitchToCombined
from beachhead_koenig.fire_questions import STEADY_ANSWERS
from beachhead_koenig.landing import ChooseLanding, DelayLanding, LandIn
from beachhead_koenig.leadership import (
    ForceMarch,
    GiveWay,
    LetItStand,
    Recover,
    RerollDie,
    RerollOrNot,
    StandFast,
    StandOrNot,
    marched_points,
)
from beachhead_koenig.movement import CloseCombat, EnterBy, ExitBy, MoveTo, allowance, moves, reach
from beachhead_koenig.night import (
    ChooseRedeployment,
    Redeploy,
    SpendOn,
    SpendReplacement,
)
from beachhead_koenig.operations import BeginCombined, BeginFullFire, BeginMovement, ChooseOperation, EndActivation
from beachhead_koenig.plans import after_move, full_fire, indirect_value, mobile_fire, plans, ways
from beachhead_koenig.preparation import FireInConcert, JoinFire, JoinIndirectly, joined
from beachhead_koenig.refit import (
    ChooseRefit,
    ChooseReturn,
    Operate,
    Reconstitute,
    Refit,
    RestAndRefit,
    RestOrOperate,
    ReturnTo,
)
from beachhead_koenig.retreat import MayRetreat, MustRetreat, OnlyInto, RetreatTo, Stay, retreats
from beachhead_koenig.state import Operation, Progress
from beachhead_koenig.support import (
    Interdict,
    PlaceInterdiction,
    TradeArtillery,
    TradeForInterdiction,
    TradeNoMore,
    TradeSupport,
)
from beachhead_koenig.tables import Fire, FireResult, Side

Option = TypeVar("Option")

LEAST = 0.02
"""What a plan must bring before anybody stirs, in Victory Points."""
MARKER = 0.4
"""What the Leadership marker is kept for, in Victory Points."""


def best(options: Iterable[Option], value: Callable[[Option], float]) -> Option:
    """The option of the greatest value; of equals the first."""
    return max(options, key=value)


# ------------------------------------------------------------ operations
def choose_operation(now: Situation, decision: ChooseOperation, options: tuple[Any, ...]) -> Any:
    """The unit and the Operation that bring most; when nothing brings anything, the formation has finished."""
    by_unit: dict[str, list[Any]] = {}
    for option in options:
        if isinstance(option, BeginMovement | BeginFullFire | BeginCombined):
            by_unit.setdefault(option.unit, []).append(option)
    found: list[tuple[float, Any]] = [(LEAST, EndActivation())]
    for name, begins in by_unit.items():
        if name in now.own:
            found.extend([plan for plan in plans(now, now.own[name]) if plan[1] in begins])
        else:
            found.append((1.0, begins[0]))
    if decision.side is now.state.leadership:
        found.extend([(recovery(now) - MARKER, option) for option in options if isinstance(option, Recover)])
    return best(found, lambda plan: plan[0])[1]


def recovery(now: Situation) -> float:
    """What it is worth to have an eliminated unit back with two Hits: more to the Allied player, who takes a point from the Germans by it."""
    return (1.0 if now.side is Side.ALLIED else 0.2) + 0.3 * now.future


def carry_out(now: Situation, decision: CarryOut, options: tuple[Any, ...]) -> Any:
    """Where the unit does best, firing before or after it."""
    if roads := [option for option in options if isinstance(option, EnterBy)]:
        return best(roads, lambda road: entry_value(now, decision.unit, road.road))
    unit, operation = now.own[decision.unit], decision.operation
    here = now.standing(unit, unit.hex)
    progress = now.state.unit(unit.name).progress
    may_fire = operation is Operation.COMBINED and progress in (Progress.READY, Progress.SWITCHED)
    moves = [option for option in options if isinstance(option, MoveTo | CloseCombat | ExitBy)]
    onward = max([after_move(now, unit, action) for action in moves], default=here)

    def value(action: object) -> float:
        match action:
            case MoveTo(hex):
                return now.standing(unit, hex) + (mobile_fire(now, unit, hex) if may_fire else 0.0)
            case CloseCombat() | ExitBy():
                return after_move(now, unit, action)
            case FireAt(hex) if operation is Operation.FULL_FIRE:
                return here + full_fire(now, unit, hex)
            case FireAt(hex):
                shot = now.fire(now.factor([(unit.mobile, unit.hex)], hex), hex, [unit])
                return shot + (max(here, onward) if may_fire else here)
            case FireIndirectlyAt(hex):
                return here + indirect_value(now, unit, hex)
            case ForceMarch():
                return march_value(now, unit, operation) - MARKER
            case _:
                return here

    return best(options, value)


def entry_value(now: Situation, unit: str, road: str) -> float:
    """What a reinforcement finds to do where a road leads onto the map."""
    hex = next(each.hex for each in now.state.setting.exits if each.name == road)
    newcomer = force(now.state, unit, hex, 0)
    if hex in now.foes:
        return -1.0
    worth = [now.left(newcomer, goal, now.worth(newcomer, goal), hex) for goal in now.goals()]
    return max(worth, default=0.0) - now.danger(newcomer, hex)


def march_value(now: Situation, unit: Force, operation: Operation) -> float:
    """Where a Force March leads at best (14.1)."""
    there = ways(now, unit, marched_points(now.state, unit.name, operation))
    return max([after_move(now, unit, action) for action in there], default=0.0)


def rest_or_operate(now: Situation, decision: RestOrOperate, options: tuple[Any, ...]) -> Any:
    """A formation rests when it has more Hits to get rid of than things to do."""
    units = [now.own[name] for name in now.state.on_map(decision.formation)]
    hurt = sorted([relief(now, unit) for unit in units if unit.hits], reverse=True)
    to_do = sum([best_plan(now, unit) for unit in units])
    return RestAndRefit() if 1.25 * sum(hurt[:2]) / 2 > to_do else Operate()


def relief(now: Situation, unit: Force) -> float:
    """What it is worth to take a Hit off a unit: what that Hit has cost, or if the next one comes, what that would cost."""
    fewer, hit = now.harms[unit.side][unit.hits - 1 : unit.hits + 1]
    likely = now.temper.caution * now.risk(unit.hex)
    return (1 - likely) * fewer + likely * hit


# ------------------------------------------------------------ fire
def best_plan(now: Situation, unit: Force, busy: tuple[str, ...] = ()) -> float:
    """What the best plan of a unit brings it; nothing at worst, for it may stay."""
    return max([0.0, *[worth for worth, _ in plans(now, unit, busy)]])


def fire_in_concert(now: Situation, decision: FireInConcert, options: tuple[Any, ...]) -> Any:
    """Whoever adds more to this attack than it would do by itself."""
    attack = decision.attack

    def value(attack: Attack) -> float:
        factor = attack_factor(now.state, attack).total
        return now.fire(factor, attack.target, [now.own[name] for name in attack.units])

    alone = value(attack)

    def gain(option: Any) -> float:
        if not isinstance(option, JoinFire | JoinIndirectly):
            return LEAST
        unit = now.own[option.unit]
        return value(joined(now.state, attack, option)) - alone - best_plan(now, unit, attack.units)

    return best(options, gain)


def commit_offence(now: Situation, decision: CommitOffence, options: tuple[Commitment, ...]) -> Commitment:
    """As much as pays for itself."""
    attack, against = decision.attack, decision.defence
    close = attack.fire is Fire.CLOSE
    worth = close_by_points(now, attack, attacking=True, against=against) if close else fire_by_points(now, attack)
    net = 0 if close else against  # in Close Combat only the net of both sides counts, and it never lowers a factor
    return best(options, lambda action: worth(points(action) - net) - cost(now, action))


def fire_by_points(now: Situation, attack: Attack) -> Callable[[int], float]:
    """What a Full or Mobile Fire attack is worth to the attacker by the net support for it."""
    forces = {**now.own, **{foe.name: foe for foes in now.foes.values() for foe in foes}}
    factor = attack_factor(now.state, attack).total
    gain = max([now.harm(unit) for unit in forces.values() if unit.hex == attack.target])
    loss = min([now.harm(forces[name]) for name in attack.units])
    return lambda net: fire_value(factor + net, gain, loss)


def cost(now: Situation, action: Commitment) -> float:
    """What the committed points would be worth elsewhere."""
    marker = MARKER if isinstance(action, CommitWithCorpsArtillery) else 0.0
    return (action.artillery + action.support) * now.price() + marker


def close_by_points(now: Situation, attack: Attack, *, attacking: bool, against: int) -> Callable[[int], float]:
    """What a Close Combat is worth to this side by the points that it commits, when the enemy commits so many."""
    (name,), hex = attack.units, attack.target
    attacker = now.own[name] if attacking else next(foe for foe in now.foes[hex] if foe.name == name)
    defender = now.foes[hex][0] if attacking else next(unit for unit in now.own.values() if unit.hex == hex)
    ground = now.prize(hex)

    def worth(committed: int) -> float:
        net = committed - against if attacking else against - committed
        odds = close_odds(attacker.full + max(0, net), defender.full + max(0, -net))
        hit_defender, hit_attacker = odds.won + odds.both, odds.lost + odds.both
        for_attacker = hit_defender * (now.harm(defender) + ground) - hit_attacker * now.harm(attacker)
        return for_attacker if attacking else -for_attacker

    return worth


def commit_defence(now: Situation, decision: CommitDefence, options: tuple[Any, ...]) -> Any:
    """As much as pays for itself, or away before the fire falls when the ground is not worth it."""
    attack, enemy = decision.attack, decision.side.enemy
    defenders = [unit for unit in now.own.values() if unit.hex == attack.target]
    if attack.fire is Fire.CLOSE:
        close = close_by_points(now, attack, attacking=False, against=0)
        return best(options, lambda action: close(points(action)) - cost(now, action))
    fire = fire_by_points(now, attack)
    likely = min(1, now.points(enemy))  # what the attacker may add

    def value(action: Any) -> float:
        if isinstance(action, RetreatBeforeCombat):
            return withdrawal(now, defenders)
        return -fire(likely - points(action)) - cost(now, action)

    return best(options, value)


def withdrawal(now: Situation, units: list[Force]) -> float:
    """What retreating together changes: each unit goes where it stands best, and the hex is left to the enemy."""
    left = sum([now.standing(unit, unit.hex) for unit in units])
    there = sum([best_retreat(now, unit) for unit in units])
    return there - left - now.prize(units[0].hex) * now.temper.nerve


def best_retreat(now: Situation, unit: Force) -> float:
    """How well a unit stands where it retreats to at best."""
    return max([retreat_value(now, unit, place) for place in retreats(now.state, unit.name)], default=-now.harm(unit))


def retreat_value(now: Situation, unit: Force, place: object) -> float:
    """How well a unit stands where it retreats to; off the map it is lost, if not eliminated."""
    return now.standing(unit, place) if isinstance(place, Hex) else -0.8


def assign_hit(now: Situation, decision: AssignHit, options: tuple[Any, ...]) -> Any:
    """Of one's own units the one that can best bear it, of the enemy's the one that it hurts most."""
    enemies = {foe.name: foe for foes in now.foes.values() for foe in foes}

    def value(action: Any) -> float:
        if isinstance(action, NobodyTakesHit):
            return 0.0
        if action.unit in now.own:
            return -now.harm(now.own[action.unit])
        return now.harm(enemies[action.unit])

    return best(options, value)


def switch_or_not(now: Situation, decision: SwitchOrNot, options: tuple[Any, ...]) -> Any:
    """Always: it is free, and leaves more to do."""
    return SwitchToCombined() if SwitchToCombined() in options else KeepFullFire()


# ------------------------------------------------------------ close combat and retreats
def hold_or_fall_back(now: Situation, decision: HoldOrFallBack, options: tuple[Any, ...]) -> Any:
    """Hold where the ground scores more than the second Hit costs."""
    unit = now.own[decision.unit]
    return HoldGround() if now.held(unit, unit.hex) > 0.2 else FallBack()


def must_retreat(now: Situation, decision: MustRetreat, options: tuple[Any, ...]) -> Any:
    """To where it stands best."""
    return best(options, lambda action: retreat_value(now, now.own[decision.unit], _place(action)))


def _place(action: object) -> object:
    return action.hex if isinstance(action, RetreatTo) else Away.RETREATED


def may_retreat(now: Situation, decision: MayRetreat, options: tuple[Any, ...]) -> Any:
    """Away if it stands better elsewhere; between two rounds of Close Combat, if the odds are bad."""
    unit = now.own[decision.unit]
    if unit.hex in now.foes:
        return between_rounds(now, decision, options, unit)

    def value(action: Any) -> float:
        if isinstance(action, Stay):
            return now.standing(unit, unit.hex) + now.prize(unit.hex) * now.temper.nerve
        return retreat_value(now, unit, _place(action))

    return best(options, value)


def between_rounds(now: Situation, decision: MayRetreat, options: tuple[Any, ...], unit: Force) -> Any:
    """Both have missed: fight on where that is worth more than leaving the hex."""
    foe, ground = now.foes[unit.hex][0], now.prize(unit.hex)
    attacking = isinstance(decision.way, OnlyInto)
    odds = close_odds(unit.full, foe.full) if attacking else close_odds(foe.full, unit.full)
    win, lose = (odds.won, odds.lost) if attacking else (odds.lost, odds.won)
    fight = (win + odds.both) * now.harm(foe) - (lose + odds.both) * now.harm(unit) + (win - lose) * ground
    leave = 0.0 if attacking else -ground
    return Stay() if fight >= leave else must_retreat(now, decision, options[1:])  # type: ignore[arg-type]


# ------------------------------------------------------------ leadership, landings, nights, refits
def reroll_or_not(now: Situation, decision: RerollOrNot, options: tuple[Any, ...]) -> Any:
    """When the new die is likely to be better by more than the marker is worth."""
    gain, loss = 0.9, 0.4
    worth = {FireResult.HIT: gain, FireResult.EXCHANGE: gain - loss, FireResult.MISS: 0.0}[decision.result]
    better = fire_value(decision.factor, gain, loss) - worth
    if decision.firing is not decision.side:
        better = -better
    return RerollDie() if better > MARKER * max(0.5, now.future) else LetItStand()


def stand_or_not(now: Situation, decision: StandOrNot, options: tuple[Any, ...]) -> Any:
    """Where the ground scores and the odds are not against it."""
    unit = now.own[decision.unit]
    foes = now.foes.get(unit.hex, ())
    return StandFast() if foes and now.prize(unit.hex) > 1 and unit.full >= foes[0].full else GiveWay()


def choose_landing(now: Situation, decision: ChooseLanding, options: tuple[Any, ...]) -> Any:
    """Land, and where there is a choice, out of danger."""

    def value(action: Any) -> float:
        if isinstance(action, DelayLanding):
            return -1.0
        assert isinstance(action, LandIn)
        return -now.danger(force(now.state, decision.unit, action.hex, 1), action.hex)

    return best(options, value)


def spend_replacement(now: Situation, decision: SpendReplacement, options: tuple[Any, ...]) -> Any:
    """For the unit to which a Hit less is worth most."""
    return best(options, lambda action: relief(now, now.own[action.unit]) if isinstance(action, SpendOn) else -1.0)


def choose_refit(now: Situation, decision: ChooseRefit, options: tuple[Any, ...]) -> Any:
    """For the unit to which a Hit less is worth most, or to have one back."""

    def value(action: Any) -> float:
        match action:
            case Refit(unit):
                return relief(now, now.own[unit])
            case Reconstitute():
                return recovery(now)
            case _:
                return -1.0

    return best(options, value)


def choose_return(now: Situation, decision: ChooseReturn, options: tuple[ReturnTo, ...]) -> ReturnTo:
    """Where it is out of danger."""

    def value(action: ReturnTo) -> float:
        unit = force(now.state, decision.unit, action.hex, 2)
        prize = now.prize(action.hex) if now.free(unit, action.hex) else 0.0
        return prize - now.danger(unit, action.hex)

    return best(options, value)


def choose_redeployment(now: Situation, decision: ChooseRedeployment, options: tuple[Any, ...]) -> Any:
    """Whoever gets to a better place by it, the one that gains most first."""

    def value(action: Any) -> float:
        if not isinstance(action, Redeploy):
            return LEAST
        unit = now.own[action.unit]
        half = allowance(now.state, unit.name, Operation.REDEPLOYMENT)
        steps = moves(reach(now.state, unit.name, half))
        return max([after_move(now, unit, step) for step in steps], default=0.0) - now.standing(unit, unit.hex)

    return best(options, value)


def trade_for_interdiction(now: Situation, decision: TradeForInterdiction, options: tuple[Any, ...]) -> Any:
    """Points that are more than the battles of the turn can take."""
    pool = now.state.support
    if pool.allied_artillery > 4 and TradeArtillery() in options:
        return TradeArtillery()
    if pool.allied_support > 2 and pool.allied_artillery > 1 and TradeSupport() in options:
        return TradeSupport()
    return TradeNoMore()


def place_interdiction(now: Situation, decision: PlaceInterdiction, options: tuple[Interdict, ...]) -> Interdict:
    """Under the enemies that move fastest and have yet to get at anybody."""

    def value(action: Interdict) -> float:
        beside = any(action.hex.distance(unit.hex) <= 1 for unit in now.own.values())
        return 0.0 if beside else sum([foe.movement for foe in now.foes.get(action.hex, ())])

    return best(options, value)


# ------------------------------------------------------------ the players
ANSWERS: Mapping[type, Callable[[Situation, Any, tuple[Any, ...]], Any]] = {
    ChooseLanding: choose_landing,
    TradeForInterdiction: trade_for_interdiction,
    PlaceInterdiction: place_interdiction,
    RestOrOperate: rest_or_operate,
    ChooseRefit: choose_refit,
    ChooseReturn: choose_return,
    ChooseOperation: choose_operation,
    CarryOut: carry_out,
    FireInConcert: fire_in_concert,
    CommitDefence: commit_defence,
    CommitOffence: commit_offence,
    SwitchOrNot: switch_or_not,
    RerollOrNot: reroll_or_not,
    AssignHit: assign_hit,
    StandOrNot: stand_or_not,
    HoldOrFallBack: hold_or_fall_back,
    MayRetreat: may_retreat,
    MustRetreat: must_retreat,
    SpendReplacement: spend_replacement,
    ChooseRedeployment: choose_redeployment,
}
"""How each decision of the game is answered."""


def player(temper: Temper) -> Policy:
    """A player of that temper."""

    def policy(view: Any, decision: Any, options: tuple[Any, ...]) -> Any:
        return ANSWERS[type(decision)](survey(view, decision.side, temper), decision, options)

    return by_type(dict.fromkeys(ANSWERS, policy))


POLICIES: Mapping[str, Policy] = {
    "sensible": player(Temper(caution=0.7, hunt=0.8, patience=0.8, nerve=0.3)),
    "bold": player(Temper(caution=0.3, hunt=1.3, patience=0.8, nerve=0.7)),
    "odds": by_type(STEADY_ANSWERS, otherwise=first),
}
"""The players that come with the system, by name."""
