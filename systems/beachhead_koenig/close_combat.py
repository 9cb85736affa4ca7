"""Close Combat: one unit against one, in rounds, until the hex holds units of one side only (10.0 to 10.3, 11.2)."""

from __future__ import annotations

from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.play import Decision, Play, Then, call, then
from beachhead.rules import Breakdown, Modifier
from beachhead_koenig.attack import RESULT_RULES, Attack, strength
from beachhead_koenig.beach import Away, Place
from beachhead_koenig.commitment import CommitDefence, Commitment, CommitOffence, RetreatBeforeCombat, committed, points
from beachhead_koenig.events import FireResolved, GroundHeld
from beachhead_koenig.fire import combat_die, hit
from beachhead_koenig.leadership import StandFast, StandOrNot, spend_on_stand
from beachhead_koenig.retreat import NotInto, OnlyInto, Way, may_retreat, must_retreat
from beachhead_koenig.state import State
from beachhead_koenig.tables import Fire, FireResult, Side


@frozen
class Fight:
    """Who fights whom, where, and where the attacker came from: both stay what they are, whoever fires (koenig:K-16).

    `net` is the support of the attacking side less that of the defending side; it holds for every round (10.2).
    """

    attacker: str
    defender: str
    hex: Hex
    entry: Place
    net: int = 0

    def way(self, unit: str) -> Way:
        """How one of them may retreat (11.0)."""
        return OnlyInto(self.entry) if unit == self.attacker else NotInto(self.entry)

    def support(self, unit: str) -> int:
        """What the net support adds to the Attack Factor of one of them; it never lowers the enemy's (10.2)."""
        return max(0, self.net if unit == self.attacker else -self.net)


def close_fire_factor(state: State, fight: Fight, shooter: str) -> Breakdown:
    """The Attack Factor of a Close Fire Attack: full strength and net support; no terrain counts (10.0 to 10.2)."""
    factor = strength(state, shooter, Fire.CLOSE)
    if net := fight.support(shooter):
        factor += Modifier("net support", net, ("koenig:10.2.a", "koenig:10.2.c"))
    return factor


# ------------------------------------------------------------ the rounds
async def close_combat(play: Play[State], attacker: str, defender: str, hex: Hex, entry: Place) -> Then[None] | None:
    """Steps 1 to 3 are taken once, at the start: the defender commits support, then the attacker (10.0)."""
    side = play.state.setting.piece(attacker).side
    attack = Attack((attacker,), hex, Fire.CLOSE)
    defence = await CommitDefence(side.enemy, attack)
    assert not isinstance(defence, RetreatBeforeCombat)  # 9.1: never before Close Fire
    play.record(committed(side.enemy, defence, "koenig:10.0.e"))
    offence: Commitment = await CommitOffence(side, attack, points(defence))
    play.record(committed(side, offence, "koenig:10.0.e"))
    return then(close_combat_round, Fight(attacker, defender, hex, entry, points(offence) - points(defence)))


async def close_combat_round(play: Play[State], fight: Fight) -> Then[None] | None:
    """Defensive close fire; if it misses, offensive close fire; if both miss, either may leave, and if nobody does there is another round (10.0)."""
    missed = 0
    for shooter, rule in ((fight.defender, "koenig:10.0.f"), (fight.attacker, "koenig:10.0.h")):
        result = await call(close_fire, fight, shooter, rule)
        if result is FireResult.MISS:
            missed += 1
        elif not facing(play.state, fight):
            return None
    if missed == 2 and await call(somebody_leaves, fight):
        return None
    return then(close_combat_round, fight)


def facing(state: State, fight: Fight) -> bool:
    """Whether both units are still in the hex."""
    return state.place(fight.attacker) == fight.hex == state.place(fight.defender)


async def close_fire(play: Play[State], fight: Fight, shooter: str, rule: str) -> FireResult:
    """One Close Fire Attack, with its hits and retreats."""
    factor = close_fire_factor(play.state, fight, shooter)
    firing = play.state.setting.piece(shooter).side
    result = await call(combat_die, factor.total, firing, rule)
    play.record(FireResolved((shooter,), fight.hex, Fire.CLOSE, factor, result, (rule, *RESULT_RULES[result])))
    if result is not FireResult.MISS:
        await call(close_hit, fight, shooter, result)
    return result


async def somebody_leaves(play: Play[State], fight: Fight) -> bool:
    """Both missed: the defender may retreat, and if he stays, the attacker may (10.0).

    Where neither can ever hit, the attacker must (koenig:no_way_out).
    """
    if await call(may_retreat, fight.defender, fight.way(fight.defender), ("koenig:10.0.j",)):
        return True
    factors = [close_fire_factor(play.state, fight, unit).total for unit in (fight.attacker, fight.defender)]
    if max(factors) < 1:
        rules = ("koenig:10.0.k", "koenig:no_way_out")
        await call(must_retreat, fight.attacker, fight.way(fight.attacker), rules)
        return True
    return await call(may_retreat, fight.attacker, fight.way(fight.attacker), ("koenig:10.0.j",))


# ------------------------------------------------------------ hits
@final
@frozen
class HoldGround:
    """Take a second Hit and stay."""


@final
@frozen
class FallBack:
    """Retreat."""


@frozen
class HoldOrFallBack(Decision[State, HoldGround | FallBack]):
    """An undamaged attacker that suffers an Exchange may take a second Hit to hold the ground (11.2)."""

    side: Side
    unit: str
    rule = "koenig:11.2.a"
    prompt = "take a second Hit and hold the ground, or retreat?"

    def certain(self, state: State) -> tuple[HoldGround | FallBack, ...]:
        """Both."""
        return (HoldGround(), FallBack())


async def close_hit(play: Play[State], fight: Fight, shooter: str, result: FireResult) -> None:
    """Who is hit must retreat, the defender first (9.3.3); the Close Combat is over when one has left (10.0)."""
    exchange = result is FireResult.EXCHANGE
    ends = "koenig:10.0.g" if shooter == fight.defender else "koenig:10.0.i"
    unhurt = play.state.unit(fight.attacker).hits == 0
    hurt = [unit for unit in (fight.defender, fight.attacker) if exchange or unit != shooter]
    for unit in hurt:
        play.record(hit(play.state, unit, (ends, *RESULT_RULES[result])))
    for unit in hurt:
        if play.state.place(unit) is Away.ELIMINATED:
            continue
        if exchange and unhurt and unit == fight.attacker and await call(holds, unit):
            continue
        if await call(stands, unit):
            continue
        rules = ("koenig:9.3.3.b", *(("koenig:9.3.3.c", "koenig:K-17") if exchange else ()))
        if exchange and unhurt and unit == fight.attacker:
            rules = (*rules, "koenig:11.2.d")
        await call(must_retreat, unit, fight.way(unit), rules)


async def holds(play: Play[State], unit: str) -> bool:
    """Whether the attacker holds the ground with a second Hit (11.2)."""
    action = await HoldOrFallBack(play.state.setting.piece(unit).side, unit)
    if isinstance(action, FallBack):
        return False
    play.record(GroundHeld(unit))
    return True


async def stands(play: Play[State], unit: str) -> bool:
    """Whether the owner spends the Leadership marker so that the unit ignores its retreat (14.1)."""
    side = play.state.setting.piece(unit).side
    if play.state.leadership is not side:
        return False
    action = await StandOrNot(side, unit)
    if not isinstance(action, StandFast):
        return False
    play.record(spend_on_stand(side, unit))
    return True


def defender_in(state: State, hex: Hex, side: Side) -> str:
    """The one enemy unit in a hex that a unit of this side enters."""
    (defender,) = state.at(hex, side.enemy)
    return defender
