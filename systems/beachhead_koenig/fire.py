"""Fire Combat: the five steps of a Fire Attack, hits, and retreats after them (9.0 to 9.3; Indirect Fire 14.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import final

from attrs import frozen

from beachhead.dice import D6, Roll
from beachhead.hexes import Hex
from beachhead.play import Decision, Play, call
from beachhead.rules import Breakdown, Modifier, Objection
from beachhead_koenig.events import (
    MOST_HITS,
    FireDeclared,
    FireResolved,
    OperationSwitched,
    SupportCommitted,
    UnitHit,
)
from beachhead_koenig.ground import adjacent, terrain
from beachhead_koenig.retreat import Anywhere, may_retreat, must_retreat, retreats
from beachhead_koenig.state import Progress, State
from beachhead_koenig.tables import ACROSS_A_RIVER, EFFECT_ON_FIRE, Fire, FireResult, Side, half


@frozen
class Attack:
    """Step 1: who fires at what, and how. `indirect` are those of the units that fire indirectly.

    With `Fire.CLOSE` it is the one unit that has entered the target hex for Close Combat.
    """

    units: tuple[str, ...]
    target: Hex
    fire: Fire
    indirect: tuple[str, ...] = ()


@frozen
class Against:
    """How the die is read: below the Attack Factor a Hit, equal to it an Exchange, above it a Miss (9.0, step 5).

    >>> [str(Against(2).read(face)) for face in (1, 2, 3)]
    ['Hit', 'Exchange', 'Miss']
    """

    factor: int

    def read(self, face: int, /) -> FireResult:
        """What this face comes to."""
        if face < self.factor:
            return FireResult.HIT
        return FireResult.EXCHANGE if face == self.factor else FireResult.MISS

    def __str__(self) -> str:
        return f"against Attack Factor {self.factor}"


RESULT_RULES = {
    FireResult.HIT: ("koenig:9.0.n", "koenig:K-02"),
    FireResult.EXCHANGE: ("koenig:9.0.o", "koenig:K-02"),
    FireResult.MISS: ("koenig:9.0.p", "koenig:K-02"),
}


# ------------------------------------------------------------ the Attack Factor
def strength(state: State, unit: str, fire: Fire, *, indirect: bool = False) -> Breakdown:
    """What a unit adds to an Attack Factor: its Combat Strength, halved in Mobile and Indirect Fire, less one with two Hits (9.3.1).

    It is never less than nothing (koenig:K-05).
    """
    piece = state.setting.piece(unit)
    halved = indirect or fire is Fire.MOBILE
    value = half(piece.strength) if halved else piece.strength
    if indirect:
        rules: tuple[str, ...] = ("koenig:14.4.c", "koenig:2.1.c", "koenig:K-30")
    elif fire is Fire.MOBILE:
        rules = ("koenig:9.0.f", "koenig:2.1.c", "koenig:K-04")
    else:
        rules = ("koenig:10.0.d",) if fire is Fire.CLOSE else ("koenig:9.0.e",)
    name = f"half of {piece.strength}, {unit}" if halved else unit
    terms = Breakdown.of(Modifier(name, value, rules, piece.authored))
    if state.unit(unit).hits == MOST_HITS and value:
        worn = ("koenig:9.3.1.b", "koenig:9.3.1.c") if halved else ("koenig:9.3.1.b",)
        terms += Modifier(f"{unit} has two Hits", -1, worn)
    return terms


def attack_factor(state: State, attack: Attack) -> Breakdown:
    """The Attack Factor before support: strengths (step 1) and terrain (step 4)."""
    total = Breakdown()
    for unit in attack.units:
        total += strength(state, unit, attack.fire, indirect=unit in attack.indirect)
    return total + terrain_effects(state, attack)


def terrain_effects(state: State, attack: Attack) -> Breakdown:
    """What terrain does to the Attack Factor as a whole: the target's hex, and a river between it and all attackers (9.2)."""
    beach = state.setting
    found = [EFFECT_ON_FIRE[name] for name in terrain(beach, attack.target) if name in EFFECT_ON_FIRE]
    if len(found) > 1:
        if beach.choice("K-10") == "best_defence":
            best = min(found, key=lambda effect: effect.value)
            found = [Modifier(best.label, best.value, (*best.rules, "koenig:K-10"))]
        else:
            found = [Modifier(effect.label, effect.value, (*effect.rules, "koenig:K-10")) for effect in found]
    effects = Breakdown(tuple(found))
    direct = [unit for unit in attack.units if unit not in attack.indirect]
    if direct and all(_across_a_river(state, unit, attack.target) for unit in direct):
        effects += _CUMULATIVE_RIVER if found else ACROSS_A_RIVER
    return effects


_CUMULATIVE_RIVER = Modifier(ACROSS_A_RIVER.label, ACROSS_A_RIVER.value, (*ACROSS_A_RIVER.rules, "koenig:9.2.e"))


def _across_a_river(state: State, unit: str, target: Hex) -> bool:
    here = state.place(unit)
    return isinstance(here, Hex) and "river" in state.setting.board.features(here, target)


# ------------------------------------------------------------ step 1: who may fire at what
def range_objections(state: State, unit: str, target: Hex, *, indirect: bool = False) -> Iterator[Objection]:
    """Why a unit cannot fire at a hex: nobody there, too far, or a cliff between."""
    beach, board, here = state.setting, state.setting.board, state.place(unit)
    assert isinstance(here, Hex)
    if target not in board:
        yield Objection("koenig:9.0.d", "{} is not on the map", (target,))
        return
    label = board.label(target)
    if not state.at(target, beach.piece(unit).side.enemy):
        yield Objection("koenig:9.0.d", "there is no enemy unit in {}", (label,))
    if indirect:
        if not beach.plays("14.4"):
            yield Objection("koenig:14.0.a", "Indirect Fire is not in play")
        if not beach.piece(unit).type.heavy_weapons:
            yield Objection("koenig:14.4.a", "{} is not a heavy weapons unit", (unit,))
        if here.distance(target) not in (1, 2):
            yield Objection(
                "koenig:14.4.a",
                "{} is {} hexes from {}: Indirect Fire reaches two",
                (unit, here.distance(target), label),
            )
    elif not adjacent(beach, here, target):
        yield Objection("koenig:9.0.b", "{} is not next to {}", (unit, label))
    elif "cliff" in board.features(here, target):
        yield Objection("koenig:9.2.a", "a cliff lies between {} and {}", (unit, label))


def has_targets(state: State, unit: str) -> bool:
    """Whether a unit has an enemy beside it that it can fire at."""
    return bool(_targets(state, unit))


def targets(state: State, unit: str) -> tuple[Hex, ...]:
    """The neighbouring hexes that a unit can fire at (9.0, 9.2)."""
    return state.setting.board.members(_targets(state, unit))


def _targets(state: State, unit: str) -> int:
    here, beach = state.place(unit), state.setting
    if not isinstance(here, Hex):
        return 0
    return beach.fields_of_fire[here] & state.occupation.of(beach.piece(unit).side.enemy)


def indirect_targets(state: State, unit: str) -> tuple[Hex, ...]:
    """The hexes that a unit can fire at indirectly (14.4)."""
    here, beach = state.place(unit), state.setting
    if not isinstance(here, Hex) or not beach.plays("14.4") or not beach.piece(unit).type.heavy_weapons:
        return ()
    enemy = beach.piece(unit).side.enemy
    return tuple([hex for hex in beach.board.within(here, 2) if hex != here and state.at(hex, enemy)])


@final
@frozen
class JoinFire:
    """This unit fires along."""

    unit: str


@final
@frozen
class JoinIndirectly:
    """This heavy weapons unit fires along, indirectly."""

    unit: str


@final
@frozen
class OpenFire:
    """Nobody else joins: the attack begins."""


Joining = JoinFire | JoinIndirectly | OpenFire


@frozen
class FireInConcert(Decision[State, Joining]):
    """Units that do the same Operation may fire together (7.2)."""

    side: Side
    attack: Attack
    rule = "koenig:7.2.a"
    prompt = "let another unit join the fire, or open fire"

    def certain(self, state: State) -> list[Joining]:
        """Nobody else, or Active units that have not fired."""
        found: list[Joining] = [OpenFire()]
        target, full = self.attack.target, self.attack.fire is Fire.FULL
        free = free_to_fire(self.attack.fire)
        for name in state.operating:
            if state.unit(name).progress in free and name not in self.attack.units:
                if target in targets(state, name):
                    found.append(JoinFire(name))
                if full and target in indirect_targets(state, name):
                    found.append(JoinIndirectly(name))
        return found

    def objections(self, state: State, action: Joining) -> Iterator[Objection]:
        """They must be Active, in the same Operation, and able to fire at the target."""
        if isinstance(action, OpenFire):
            return
        unit, fire = action.unit, self.attack.fire
        if unit not in state.setting.number:
            yield Objection("koenig:7.1.a", "there is no unit {}", (unit,))
            return
        if unit in self.attack.units:
            yield Objection(self.rule, "{} fires already", (unit,))
            return
        if unit not in state.operating:
            yield Objection("koenig:7.1.a", "{} is not Active", (unit,))
        elif state.unit(unit).progress not in free_to_fire(fire):
            yield Objection(
                ("koenig:7.2.a", "koenig:7.0.f"),
                "{} {}: it cannot join in {}",
                (unit, state.unit(unit).progress.value, fire),
            )
        if isinstance(action, JoinIndirectly) and fire is not Fire.FULL:
            yield Objection("koenig:14.4.b", "Indirect Fire is Full Fire only")
        if isinstance(state.place(unit), Hex):
            yield from range_objections(state, unit, self.attack.target, indirect=isinstance(action, JoinIndirectly))


def free_to_fire(fire: Fire) -> tuple[Progress, ...]:
    """How far a unit may have come with its Operation to join in this kind of fire (7.2, 8.4)."""
    if fire is Fire.FULL:
        return (Progress.READY,)
    return (Progress.READY, Progress.MOVED, Progress.SWITCHED)


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


def joined(state: State, attack: Attack, joining: JoinFire | JoinIndirectly) -> Attack:
    """The attack with one more unit; those that fire stand in the order of the roster, whoever joined first."""
    order = state.setting.number.__getitem__
    indirect = (joining.unit,) if isinstance(joining, JoinIndirectly) else ()
    return Attack(
        tuple(sorted((*attack.units, joining.unit), key=order)),
        attack.target,
        attack.fire,
        tuple(sorted((*attack.indirect, *indirect), key=order)),
    )


# ------------------------------------------------------------ steps 2 and 3: support
@final
@frozen
class Commit:
    """Commit so many Artillery Points and Allied Support Points to this battle."""

    artillery: int
    support: int


@final
@frozen
class CommitWithCorpsArtillery:
    """Commit the Leadership marker as one more Support Point, besides so many Artillery and Allied Support Points (14.1)."""

    artillery: int
    support: int


@final
@frozen
class RetreatBeforeCombat:
    """The German units retreat before the attack is made (9.1)."""


Commitment = Commit | CommitWithCorpsArtillery
MOST_ARTILLERY, MOST_SUPPORT = 1, 2


def commitments(state: State, side: Side) -> list[Commitment]:
    """What a player can commit to a battle."""
    kinds: tuple[type[Commitment], ...] = (Commit, CommitWithCorpsArtillery) if state.leadership is side else (Commit,)
    artillery = range(min(MOST_ARTILLERY, state.support.artillery(side)) + 1)
    support = range(min(MOST_SUPPORT, state.support.points(side)) + 1)
    return [kind(guns, points) for kind in kinds for guns in artillery for points in support]


def commitment_objections(state: State, side: Side, rule: str, action: Commitment) -> Iterator[Objection]:
    """One Artillery Point and two Allied Support Points at most, of those that are left (9.0)."""
    artillery, support = state.support.artillery(side), state.support.points(side)
    if action.artillery < 0 or action.support < 0:
        yield Objection(rule, "nobody commits less than nothing")
    if action.artillery > MOST_ARTILLERY:
        yield Objection("koenig:9.0.j", "at most one Artillery Point goes into a battle")
    if action.support > MOST_SUPPORT:
        yield Objection("koenig:9.0.k", "at most two Allied Support Points go into a battle")
    if side is Side.GERMAN and action.support > 0:
        yield Objection(("koenig:6.2.a", rule), "only the Allied player has Support Points")
    elif action.artillery > artillery or action.support > support:
        rules = (rule, "koenig:6.0.b", "koenig:K-13")
        yield Objection(rules, "{} has {} Artillery and {} Support Points left", (side, artillery, support))
    if isinstance(action, CommitWithCorpsArtillery):
        if not state.setting.plays("14.1"):
            yield Objection("koenig:14.0.a", "Leadership is not in play")
        elif state.leadership is not side:
            yield Objection("koenig:14.1.i", "{} does not have the Leadership marker", (side,))


def points(action: Commitment) -> int:
    """What a commitment is worth."""
    return action.artillery + action.support + isinstance(action, CommitWithCorpsArtillery)


def committed(side: Side, action: Commitment, rule: str) -> SupportCommitted:
    """The event of a commitment."""
    corps = isinstance(action, CommitWithCorpsArtillery)
    rules = (rule, "koenig:14.1.i", "koenig:K-26") if corps else (rule,)
    return SupportCommitted(side, action.artillery, action.support, corps, rules)


@frozen
class CommitDefence(Decision[State, Commit | CommitWithCorpsArtillery | RetreatBeforeCombat]):
    """Step 2: the defender commits support, or retreats before combat (9.0, 9.1)."""

    side: Side
    attack: Attack
    prompt = "commit support to the defence, or retreat before combat"

    @property
    def rule(self) -> str:  # type: ignore[override]  # pyright: ignore[reportIncompatibleVariableOverride]
        """The step; in Close Combat it is taken once, at the start."""
        return "koenig:10.0.e" if self.attack.fire is Fire.CLOSE else "koenig:9.0.h"

    def candidates(self, state: State) -> Iterator[Commit | CommitWithCorpsArtillery | RetreatBeforeCombat]:
        """Support, and the retreat of Germans from Full Fire."""
        yield from commitments(state, self.side)
        if self.attack.fire is Fire.FULL and self.side is Side.GERMAN:
            yield RetreatBeforeCombat()

    def objections(
        self, state: State, action: Commit | CommitWithCorpsArtillery | RetreatBeforeCombat
    ) -> Iterator[Objection]:
        """What is left to commit, and who may retreat."""
        if not isinstance(action, RetreatBeforeCombat):
            yield from commitment_objections(state, self.side, self.rule, action)
            return
        if self.attack.fire is not Fire.FULL:
            yield Objection("koenig:9.1.b", "nobody retreats before {}", (self.attack.fire,))
        if self.side is not Side.GERMAN:
            yield Objection("koenig:9.1.c", "Allied units do not retreat before combat")
        elif not may_evade(state, self.attack.target):
            label = state.setting.board.label(self.attack.target)
            yield Objection(("koenig:9.1.a", "koenig:K-14"), "the units in {} have no hexes to retreat to", (label,))


@frozen
class CommitOffence(Decision[State, Commitment]):
    """Step 3: the attacker commits support, knowing what the defender did: `defence` points (9.0)."""

    side: Side
    attack: Attack
    defence: int
    prompt = "commit support to the attack"

    @property
    def rule(self) -> str:  # type: ignore[override]  # pyright: ignore[reportIncompatibleVariableOverride]
        """The step; in Close Combat it is taken once, at the start."""
        return "koenig:10.0.e" if self.attack.fire is Fire.CLOSE else "koenig:9.0.i"

    def certain(self, state: State) -> list[Commitment]:
        """What is there to commit."""
        return commitments(state, self.side)

    def objections(self, state: State, action: Commitment) -> Iterator[Objection]:
        """What is left, and how much goes into a battle."""
        return commitment_objections(state, self.side, self.rule, action)


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


def net_support(defence: Commitment, offence: Commitment) -> Breakdown:
    """Support for the defence lowers the Attack Factor, support for the attack raises it (9.0, step 3)."""
    terms = (
        Modifier("support for the defence", -points(defence), "koenig:9.0.l"),
        Modifier("support for the attack", points(offence), "koenig:9.0.l"),
    )
    return Breakdown(tuple([term for term in terms if term.value]))


# ------------------------------------------------------------ retreat before combat
def may_evade(state: State, target: Hex) -> bool:
    """Whether the units in a hex may retreat before combat: all of them, each to a hex of its own if need be, or under K-14 "any" one of them."""
    units = state.at(target)
    places = retreats(state, units[0]) if units else ()  # they stand in one hex, so the same places are open to each
    needed = 1 if state.setting.choice("K-14") == "any" else len(units)
    return sum(state.room(place) if isinstance(place, Hex) else needed for place in places) >= needed


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
    changed = list[str]()
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
    result: FireResult = await Roll(D6, Against(factor), rule)
    holder = play.state.leadership
    if isinstance(holder, Side):
        return await call(reroll, factor, firing, holder, result, rule)
    return result


async def reroll(
    play: Play[State], factor: int, firing: Side, holder: Side, result: FireResult, rule: str
) -> FireResult:
    """Battlefield Leadership: any one combat die is rolled again, and the new roll stands (14.1)."""
    from beachhead_koenig.leadership import RerollDie, RerollOrNot, spend_on_reroll

    action = await RerollOrNot(holder, firing, factor, result)
    if not isinstance(action, RerollDie):
        return result
    play.record(spend_on_reroll(holder))
    again: FireResult = await Roll(D6, Against(factor), rule)
    return again


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
        return False
    chosen = ("koenig:9.3.2.a", "koenig:K-07") if len(among) > 1 else ()
    play.record(hit(play.state, action.unit, (*rules, *chosen)))
    return True


def hit(state: State, unit: str, rules: tuple[str, ...], hits: int = 1, *, authored: bool = False) -> UnitHit:
    """The event of a unit's Hits, with the rule of what they do: a marker, or the end (9.3)."""
    does = "koenig:9.3.b" if state.unit(unit).hits + hits > MOST_HITS else "koenig:9.3.a"
    return UnitHit(unit, hits, (*rules, does), authored)
