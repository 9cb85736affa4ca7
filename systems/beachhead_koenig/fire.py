"""Fire Combat: the five steps of a Fire Attack, hits, and retreats after them (9.0 to 9.3; Indirect Fire 14.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import final

from attrs import frozen

from beachhead.dice import D6, Roll
from beachhead.hexes import Hex
from beachhead.play import Decision, Play, call
from beachhead.rules import Objection
from beachhead_koenig.attack import RESULT_RULES, Against, Attack, attack_factor
from beachhead_koenig.commitment import (
    Commit,
    CommitDefence,
    CommitOffence,
    RetreatBeforeCombat,
    committed,
    net_support,
    points,
)
from beachhead_koenig.events import (
    MOST_HITS,
    FireDeclared,
    FireResolved,
    HitSpared,
    OperationSwitched,
    UnitHit,
)
from beachhead_koenig.preparation import FireInConcert, OpenFire, joined
from beachhead_koenig.retreat import Anywhere, may_retreat, must_retreat, retreats
from beachhead_koenig.state import State
from beachhead_koenig.tables import Fire, FireResult, Side


async def fire_in_concert(play: Play[State], unit: str, target: Hex, fire: Fire, indirect: bool = False) -> None:
    """Step 1, preparation: one unit after another joins, and the attack begins (7.2, 9.0)."""
    attack = Attack((unit,), target, fire, (unit,) if indirect else ())
    side = play.state.setting.piece(unit).side
    while True:
        joining = await FireInConcert(side, attack)
        if isinstance(joining, OpenFire):
            break
        attack = joined(play.state, attack, joining)
    rules: tuple[str, ...] = ("koenig:9.0.d", "koenig:7.0.h" if fire is Fire.FULL else "koenig:8.4.c")
    if len(attack.units) > 1:
        rules = (*rules, "koenig:7.2.a", "koenig:9.0.r")
    if attack.indirect:
        rules = (*rules, "koenig:14.4.a", "koenig:14.4.b")
    play.record(FireDeclared(attack.units, target, fire, rules, attack.indirect))
    await call(fire_attack, attack)


# ------------------------------------------------------------ the attack
async def fire_attack(play: Play[State], attack: Attack) -> None:
    """The five steps of a Full or Mobile Fire attack; the first, who fires at what, has been taken (9.0)."""
    attacker = play.state.setting.piece(attack.units[0]).side
    defence = await CommitDefence(attacker.enemy, attack)  # step 2
    if isinstance(defence, RetreatBeforeCombat):
        attack = await call(retreat_before_combat, attack)
        if not attack.units or not play.state.at(attack.target, attacker.enemy):
            return
        defence = Commit(0, 0)
    else:
        play.record(committed(attacker.enemy, defence, "koenig:9.0.h"))
    offence = await CommitOffence(attacker, attack, points(defence))  # step 3
    play.record(committed(attacker, offence, "koenig:9.0.i"))
    factor = attack_factor(play.state, attack) + net_support(defence, offence)  # step 4
    result = await call(combat_die, factor.total, attacker, "koenig:9.0.q")  # step 5
    play.record(FireResolved(attack.units, attack.target, attack.fire, factor, result, RESULT_RULES[result]))
    if result is not FireResult.MISS:
        await call(suffer, attack, result, points(defence))


async def retreat_before_combat(play: Play[State], attack: Attack) -> Attack:
    """The German units retreat, and each attacker may change to Combined (9.1).

    Returns:
        the attack that goes on: under K-14 "any" those who did not change fire at who stayed; else nobody.
    """
    german = play.state.at(attack.target)
    rules = ("koenig:9.1.a", "koenig:K-14", "koenig:K-37")
    if play.state.setting.choice("K-14") == "all":
        for unit in german:
            await call(must_retreat, unit, Anywhere(), rules)
    else:
        left = 0
        for i, unit in enumerate(german):
            if i == len(german) - 1 and not left:  # one of them must have gone
                await call(must_retreat, unit, Anywhere(), rules)
            elif retreats(play.state, unit):
                left += await call(may_retreat, unit, Anywhere(), rules)
    changed: list[str] = []
    for unit in attack.units:
        action = await SwitchOrNot(play.state.setting.piece(unit).side, unit)
        if isinstance(action, SwitchToCombined):
            play.record(OperationSwitched(unit))
            changed.append(unit)
    rest = tuple([unit for unit in attack.units if unit not in changed])
    return Attack(rest, attack.target, attack.fire, tuple([unit for unit in attack.indirect if unit in rest]))


@final
@frozen
class SwitchToCombined:
    """The unit changes its Operation to Combined."""


@final
@frozen
class KeepFullFire:
    """The unit does not change its Operation."""


@frozen
class SwitchOrNot(Decision[State, SwitchToCombined | KeepFullFire]):
    """The target has slipped away: may this unit make the best of it? (9.1)"""

    side: Side
    unit: str
    rule = "koenig:9.1.d"
    prompt = "change this unit's Operation to Combined?"

    def certain(self, state: State) -> tuple[SwitchToCombined | KeepFullFire, ...]:
        """Yes or no."""
        return (SwitchToCombined(), KeepFullFire())

    def foreign(self, state: State, action: object) -> Iterator[Objection]:
        """Nothing but Combined is open to it, and it is free."""
        yield Objection(("koenig:9.1.e", self.rule), "{} may change to Combined only", (self.unit,))


# ------------------------------------------------------------ the die
async def combat_die(play: Play[State], factor: int, firing: Side, rule: str) -> FireResult:
    """This side rolls against the Attack Factor; who has the Leadership marker may have the die rolled again (14.1)."""
    result = await _combat_roll(factor, rule)
    holder = play.state.leadership
    if isinstance(holder, Side):
        return await call(reroll, factor, firing, holder, result, rule)
    return result


@lru_cache(maxsize=1024)
def _combat_roll(factor: int, rule: str) -> Roll[FireResult]:
    return Roll(D6, Against(factor), rule)


async def reroll(
    play: Play[State], factor: int, firing: Side, holder: Side, result: FireResult, rule: str
) -> FireResult:
    """Battlefield Leadership: any one combat die is rolled again, and the new roll stands (14.1)."""
    from beachhead_koenig.leadership import RerollDie, RerollOrNot, spend_on_reroll

    action = await RerollOrNot(holder, firing, factor, result)
    if not isinstance(action, RerollDie):
        return result
    play.record(spend_on_reroll(holder))
    return await _combat_roll(factor, rule)


# ------------------------------------------------------------ hits and retreats
@final
@frozen
class TakeHit:
    """This unit takes the Hit."""

    unit: str


@final
@frozen
class NobodyTakesHit:
    """Units that fired indirectly need not suffer the Hit of an Exchange (14.4)."""


@frozen
class AssignHit(Decision[State, TakeHit | NobodyTakesHit]):
    """Which unit of a side takes the Hit: the Active Player chooses, for both sides (9.3.2)."""

    side: Side
    among: tuple[str, ...]
    spared: tuple[str, ...] = ()
    rule = "koenig:9.3.2.a"
    prompt = "choose the unit that takes the Hit"

    def certain(self, state: State) -> list[TakeHit | NobodyTakesHit]:
        """Those of the side that are in the battle."""
        nobody = [NobodyTakesHit()] if self.spared == self.among else []
        return [*map(TakeHit, self.among), *nobody]

    def objections(self, state: State, action: TakeHit | NobodyTakesHit) -> Iterator[Objection]:
        """Only those."""
        if isinstance(action, NobodyTakesHit):
            if self.spared != self.among:
                yield Objection(("koenig:14.4.f", self.rule), "the Hit must be taken by a unit that can be hit back")
        elif action.unit not in self.among:
            yield Objection(
                self.rule, "{} is not in this battle; those that are: {}", (action.unit, ", ".join(self.among))
            )


async def suffer(play: Play[State], attack: Attack, result: FireResult, defence: int) -> None:
    """A Hit on the defender, in an Exchange one on the attacker too; then the units of a side that was hit may retreat, the defender's first (9.3)."""
    attacker = play.state.setting.piece(attack.units[0]).side
    defenders = play.state.at(attack.target, attacker.enemy)
    spared = indirect_spared(play.state, attack, defenders, defence) if result is FireResult.EXCHANGE else ()
    hit = [defenders] if await call(take_hit, defenders, (), RESULT_RULES[result]) else []
    if result is FireResult.EXCHANGE and await call(take_hit, attack.units, spared, RESULT_RULES[result]):
        hit.append(attack.units)
    for units in hit:
        for unit in units:
            if isinstance(play.state.place(unit), Hex):
                await call(may_retreat, unit, Anywhere(), ("koenig:9.3.3.a", "koenig:K-15"))


def indirect_spared(state: State, attack: Attack, defenders: Iterable[str], defence: int) -> tuple[str, ...]:
    """The units that need not suffer a Hit from an Exchange: those that fire indirectly at a force that cannot hit back (14.4)."""
    can_hit_back = defence > 0 or any(state.setting.piece(unit).type.heavy_weapons for unit in defenders)
    return () if can_hit_back else attack.indirect


async def take_hit(play: Play[State], among: tuple[str, ...], spared: tuple[str, ...], rules: tuple[str, ...]) -> bool:
    """One unit of a side takes a Hit: the Active Player picks it (9.3.2).

    Returns:
        whether one did.
    """
    active = play.state.active
    assert active is not None
    action = await AssignHit(active, among, spared)
    if isinstance(action, NobodyTakesHit):
        play.record(HitSpared(among))
        return False
    chosen = ("koenig:9.3.2.a", "koenig:K-07") if len(among) > 1 else ()
    own = ("koenig:9.3.2.b",) if chosen and play.state.setting.piece(action.unit).side is active else ()
    play.record(hit(play.state, action.unit, (*rules, *chosen, *own)))
    return True


def hit(state: State, unit: str, rules: tuple[str, ...], hits: int = 1, *, authored: bool = False) -> UnitHit:
    """The event of a unit's Hits, with the rule of what they do: a marker, or the end (9.3)."""
    does = "koenig:9.3.b" if state.unit(unit).hits + hits > MOST_HITS else "koenig:9.3.a"
    return UnitHit(unit, hits, (*rules, does), authored)
