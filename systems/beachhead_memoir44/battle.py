"""Battles: who may attack whom, with how many dice, and what comes of it (m44:battle.*, m44:range.*, m44:resolve.*, m44:ground.*)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, final

from attrs import evolve, frozen

from beachhead.hexes import Hex
from beachhead.play import Decision, Play, call
from beachhead.rules import Breakdown, Modifier, Objection, first_objection
from beachhead_memoir44.cards import Effect, cards
from beachhead_memoir44.dice import Against, BattleDice, Face
from beachhead_memoir44.events import (
    AmbushPlayed,
    BattleDeclared,
    BattleForgone,
    BattleGoesOn,
    Manner,
    ObstacleRemoved,
    UnitMoved,
)
from beachhead_memoir44.losses import lose_figures
from beachhead_memoir44.movement import EndMoves, Move, enter, entry_ban, no_battle_after, no_ground_after
from beachhead_memoir44.retreat import suffer_flags
from beachhead_memoir44.sight import sees, sight_objections
from beachhead_memoir44.state import State, by_type, on_base
from beachhead_memoir44.tables import Condition, Side, Terrain


# ------------------------------------------------------------ dice
def attack_dice(state: State, unit: int, target: int, *, overrun: bool = False) -> Breakdown:
    """How many dice a unit rolls against a target, term by term; the total never falls below 0 (m44:range.dice_floor).

    Args:
        state: how things stand.
        unit: the attacker.
        target: the unit attacked.
        overrun: in an armor overrun combat, where some bonuses do not count.
    """
    troop, here, there = state.troop(unit), state.place(unit), state.place(target)
    distance = here.distance(there)
    if distance > len(troop.dice):
        return Breakdown.of(Modifier(f"{troop.name.lower()} at {distance} hexes", 0, troop.rules("dice")))
    how = f"{troop.name.lower()} at {distance} hex{'es' if distance != 1 else ''}"
    figure = Modifier(how, troop.dice[distance - 1], (*troop.rules("dice"), *on_base(troop), "m44:range.counting"))
    out = _largest(state, here, _out_of(state, unit), "m44:terrain.general.obstacle_out_best_only")
    into = _largest(state, there, _protection(state, unit, target), "m44:terrain.general.obstacle_best_only")
    if out and into and into.value:
        into = evolve(into, rules=(*into.rules, "m44:range.reductions_add"))
    terms = (figure, out, into, _bonus(state, unit, distance, overrun))
    dice = Breakdown(tuple(filter(None, terms)))
    if dice.total < 0:
        dice += Modifier("no fewer than none", -dice.total, "m44:range.dice_floor")
    return dice


class Reduction(NamedTuple):
    """Dice that terrain takes from an attacker, and the rules by which it does."""

    row: Terrain
    change: int
    rules: tuple[str, ...]


def _out_of(state: State, unit: int) -> Iterator[Reduction]:
    """What the attacker's own hex takes from it."""
    troop = state.troop(unit)
    for row in state.rows(state.place(unit)):
        if troop.base in row.battle_out:
            yield Reduction(row, row.battle_out[troop.base], by_type(troop, row, "battle_out"))


def _protection(state: State, unit: int, target: int) -> Iterator[Reduction]:
    """What the target's hex takes from this attacker: the figure for the attacker's type (m44:terrain.general.modifier_by_attacker)."""
    troop = state.troop(unit)
    for row in state.rows(state.place(target)):
        if not row.protection or not protects(state, row, unit, target):
            continue
        if change := row.protection.get(troop.base, 0):
            rules = (*by_type(troop, row, "protection"), "m44:terrain.general.modifier_by_attacker", *_star(row))
            yield Reduction(row, change, rules)
        elif troop.ignores_terrain_protection:
            yield Reduction(row, 0, troop.rules("ignores_terrain_protection"))


def _star(row: Terrain) -> tuple[str, ...]:
    """The rules by which a starred figure holds, once its condition is met (m44:terrain.general.starred)."""
    match row.protection_when:
        case Condition.ALWAYS:
            return ()
        case Condition.FROM_BELOW:
            return (*row.cites["protection_when"], "m44:terrain.general.starred", *row.cites["height"])
        case _:
            return (*row.cites["protection_when"], "m44:terrain.general.starred")


def protects(state: State, row: Terrain, unit: int, target: int) -> bool:
    """Whether the protection of a row in the target's hex holds against this attacker: the starred figures (m44:terrain.general.starred)."""
    there = state.place(target)
    match row.protection_when:
        case Condition.FROM_BELOW:
            return state.setting.height(state.place(unit)) < state.setting.height(there)
        case Condition.ORIGINAL_OWNER:
            return state.setting.owners.get(there) is state.side(target)
        case Condition.ON_COUNTRYSIDE_OR_BEACH:
            return not any(other.protection for other in state.rows(there) if other is not row)
        case _:
            return True


def _largest(state: State, hex: Hex, found: Iterator[Reduction], rule: str) -> Modifier | None:
    """Of the reductions of one hex only the largest counts (m44:terrain.general.obstacle_best_only)."""
    reductions = sorted(found, key=lambda reduction: reduction.change)
    if not reductions:
        return None
    row, change, rules = reductions[0]
    also = (rule,) if sum(reduction.change < 0 for reduction in reductions) > 1 else ()
    return Modifier(f"{row.noun} at {state.label(hex)}", change, (*rules, *also))


def _bonus(state: State, unit: int, distance: int, overrun: bool) -> Modifier | None:
    """What the card gives to units that it orders; an ambusher is none of them."""
    kind = state.turn.kind
    if kind is None or state.turn.substitute or state.side(unit) is not state.active:
        return None
    effect = "close_bonus" if distance == 1 else "fire_bonus"
    bonus = kind.close_bonus if distance == 1 else kind.fire_bonus
    rules = kind.rules(effect)
    if overrun and bonus and not kind.overrun_bonus:
        if state.setting.ruling("close_assault_overrun") != "both" or distance != 1:
            return None
        rules = ("m44:close_assault_overrun", *rules)
    elif overrun and bonus:
        rules = (*rules, *kind.cites.get("overrun_bonus", ()))
    return Modifier(kind.name, bonus, rules) if bonus else None


# ------------------------------------------------------------ who may attack whom
def readiness_objections(state: State, unit: int) -> Iterator[Objection]:
    """Why a unit may not battle at all now."""
    name, orders, kind = state.name(unit), state.orders(unit), state.turn.kind
    if state.side(unit) is not state.active or orders is None:
        yield Objection("m44:order.ordered_only", "{} has no order", (name,))
        return
    battles = kind.battles if kind and not orders.moved and not state.turn.substitute else 1
    if orders.battles >= battles:
        rules = ("m44:battle.once",) if battles == 1 or kind is None else kind.rules("battles")
        if orders.battles > battles:
            rules = (*rules, "m44:ground.one_overrun")
        yield Objection(rules, "{} has battled", (name,))
    if not state.troop(unit).can_battle:
        yield Objection(state.troop(unit).rules("can_battle"), "{} never battles", (name,))
    if orders.no_battle:
        yield Objection(orders.no_battle, "{} may not battle this turn after what it did", (name,))
    yield from ground_objections(state, unit)


def ground_objections(state: State, unit: int) -> Iterator[Objection]:
    """Why a unit may not battle from where it stands."""
    here = state.place(unit)
    for row in state.rows(here):
        if state.troop(unit).base in row.no_battle_inside:
            yield Objection(row.cites["no_battle_inside"], "{} may not battle in the {}", (state.name(unit), row.noun))


def target_objections(state: State, unit: int, hex: Hex, *, overrun: bool = False) -> Iterator[Objection]:
    """Why a unit may not attack what stands in a hex: range and sight first, then terrain (m44:turn.battle_steps)."""
    troop, here, target, kind = state.troop(unit), state.place(unit), state.unit_at(hex), state.turn.kind
    if hex not in state.setting.board or target is None or state.side(target) is state.side(unit):
        yield Objection("m44:turn.battle_steps", "there is no enemy to select as a target", ())
        return
    distance = here.distance(hex)
    if distance > len(troop.dice):
        yield Objection(
            troop.rules("dice"),
            "{} is {} hexes away: {} reaches {}",
            (state.name(target), distance, state.name(unit), len(troop.dice)),
        )
        return
    near = state.enemies_near(here, state.side(unit))
    if distance > 1 and near:
        rules = ("m44:battle.adjacent_must_assault", *(("m44:ground.overrun_adjacent",) if overrun else ()))
        yield Objection(
            rules, "{} stands next to {} and may only close assault", (state.name(unit), state.name(near[0]))
        )
    if near and kind and kind.fire_only and not state.turn.substitute:
        yield Objection(
            kind.rules("fire_only"),
            "{} stands next to {}, and the card allows firing only",
            (state.name(unit), state.name(near[0])),
        )
    if troop.needs_los and not sees(state, here, hex):
        for objection in sight_objections(state, here, hex):
            yield Objection((*objection.rules, *troop.rules("needs_los")), objection.template, objection.args)
        return
    dice = attack_dice(state, unit, target, overrun=overrun)
    if dice.total < 1:
        yield Objection(("m44:range.dice_floor", *dice.rules), "{} has no dice: {}", (state.name(unit), dice))


def battle_objections(state: State, unit: int, hex: Hex) -> Iterator[Objection]:
    """Every reason against a battle of an ordered unit."""
    yield from readiness_objections(state, unit)
    yield from target_objections(state, unit, hex)


def targets(state: State, unit: int) -> Iterator[Hex]:
    """The hexes of the enemies in range."""
    here, reach = state.place(unit), len(state.troop(unit).dice)
    for enemy in state.of(state.side(unit).other):
        if here.distance(state.place(enemy)) <= reach:
            yield state.place(enemy)


# ------------------------------------------------------------ resolving
def hit_faces(state: State, target: int, *, stars: bool = False) -> tuple[Face, ...]:
    """The faces that hit a unit: its symbol and the grenade; the star only by a card (m44:resolve.hit_matching, m44:resolve.star_face)."""
    return tuple(Face(face) for face in sorted(state.troop(target).hit_on)) + ((Face.STAR,) if stars else ())


async def resolve(play: Play[State], target: int, dice: int, stars: bool, may_ignore: bool) -> None:
    """Roll; first the hits, then the flags (m44:resolve.hits_before_flags)."""
    score = await BattleDice(dice, Against(hit_faces(play.state, target, stars=stars)), "m44:resolve.hit_matching")
    if score.hits:
        first = ("m44:resolve.hits_before_flags",) if score.flags else ()
        rules = ("m44:resolve.casualty", *play.state.troop(target).rules("hit_on"), *first)
        await call(lose_figures, target, score.hits, rules)
    if score.flags and play.state.on_board(target):
        await call(suffer_flags, target, score.flags, may_ignore)


async def battle(play: Play[State], unit: int, target: int, overrun: bool = False) -> None:
    """One unit's battle to its end: attack, ambush, ground, overrun (m44:battle.one_at_a_time, m44:ground.finish_chain)."""
    state = play.state
    here, there = state.place(unit), state.place(target)
    close = here.adjacent(there)
    rules = (
        "m44:battle.close_assault" if close else "m44:battle.firing",
        *(("m44:ground.overrun_fire",) if overrun and not close else ()),
    )
    if overrun:
        rules = (*state.troop(unit).rules("overrun"), *rules)
    play.record(BattleDeclared(unit, target, attack_dice(state, unit, target, overrun=overrun), rules))
    if close and await call(ambushed, unit, target):
        return
    await call(resolve, target, attack_dice(play.state, unit, target, overrun=overrun).total, False, True)
    if close and play.state.unit_at(there) is None:
        await call(take_ground, unit, there, overrun)


# ------------------------------------------------------------ ambush
@final
@frozen
class LetThemCome:
    """No ambush."""


@final
@frozen
class Ambush:
    """Play Ambush: battle first."""


@frozen
class AmbushOrNot(Decision[State, LetThemCome | Ambush]):
    """The defender of a close assault may hold an Ambush. He is always asked, so that asking tells nothing."""

    side: Side
    unit: int
    attacker: int
    secret = True
    rule = "m44:card.ambush.when"
    prompt = "ambush the attacker?"

    def candidates(self, state: State) -> tuple[LetThemCome | Ambush, ...]:
        """No, or yes."""
        return (LetThemCome(), Ambush())

    def objections(self, state: State, action: LetThemCome | Ambush) -> Iterator[Objection]:
        """He must hold the card, and the unit must be able to battle."""
        if isinstance(action, Ambush):
            if not ambush_cards(state, self.side):
                yield Objection(self.rule, "{} holds no Ambush", (self.side,))
            yield from ambusher_objections(state, self.unit, self.attacker)


def ambush_cards(state: State, side: Side) -> tuple[str, ...]:
    """The Ambush cards that a side holds, or may hold for all the viewer knows."""
    hand, pool = state.hand(side), state.pile.pool
    ids = (card.id for card in cards().values() if card.kind.effect is Effect.AMBUSH)
    return tuple(card for card in ids if card in hand.cards or (hand.hidden and card in pool))


def ambusher_objections(state: State, unit: int, attacker: int) -> Iterator[Objection]:
    """Why a unit could not ambush whoever held the card: it must be able to battle that enemy from where it stands (m44:card.ambush.who_can)."""
    for objection in ground_objections(state, unit):
        yield Objection(("m44:card.ambush.who_can", *objection.rules), objection.template, objection.args)
    if attack_dice(state, unit, attacker).total < 1:
        yield Objection(
            "m44:card.ambush.who_can", "{} has no dice against {}", (state.name(unit), state.name(attacker))
        )


def _ambush_known_away(state: State) -> bool:
    """Whether everybody can see that no Ambush is left to hold: every one that the deck has lies on the discard pile."""
    ids = (card.id for card in cards().values() if card.kind.effect is Effect.AMBUSH)
    return all(state.discard.count(card) == state.setting.deck.count(card) for card in ids)


async def ambushed(play: Play[State], unit: int, target: int) -> bool:
    """The defender may battle first; True when the attack falls away (m44:card.ambush.*)."""
    state = play.state
    defender = state.side(target)
    if _ambush_known_away(state) or first_objection(ambusher_objections(state, target, unit)):
        return False
    choice = await AmbushOrNot(defender, target, unit)
    if isinstance(choice, LetThemCome):
        return False
    here = state.place(unit)
    play.record(AmbushPlayed(defender, ambush_cards(play.state, defender)[0]))
    play.record(
        BattleDeclared(
            target,
            unit,
            attack_dice(play.state, target, unit),
            ("m44:card.ambush.first", "m44:battle.close_assault"),
        )
    )
    await call(resolve, unit, attack_dice(play.state, target, unit).total, False, True)
    driven_off = play.state.units[unit].hex != here
    play.record(BattleForgone(unit) if driven_off else BattleGoesOn(unit))
    return driven_off


# ------------------------------------------------------------ ground and overrun
FINISH = ("m44:ground.finish_chain", "m44:battle.one_at_a_time")
"""Why nothing else happens before a battle is over."""


def take_ground_objections(state: State, unit: int, hex: Hex) -> Iterator[Objection]:
    """Why a unit whose close assault emptied a hex may not advance into it."""
    troop, orders, name = state.troop(unit), state.orders(unit), state.name(unit)
    assert orders is not None, "only an ordered unit's own battle comes to this (m44:ground.ordered)"
    if not troop.take_ground:
        yield Objection(troop.rules("take_ground"), "{} takes no ground", (name,))
    if orders.no_ground:
        yield Objection(orders.no_ground, "{} had to stop and takes no ground this turn", (name,))
    if ban := entry_ban(state, unit, hex):
        yield Objection((*ban.rules, "m44:ground.entry_terrain"), ban.template, ban.args)
    if orders.moved and state.setting.ruling("hedgerow_ground") == "unmoved":
        for row in state.rows(hex):
            if row.enter_only_if_start_adjacent:
                rules = ("m44:hedgerow_ground", *row.cites["enter_only_if_start_adjacent"])
                yield Objection(rules, "{} has moved and takes no ground at {}", (name, state.label(hex)))


@final
@frozen
class TakeGround:
    """Advance into the hex that the target has left."""

    hex: Hex


@final
@frozen
class StayPut:
    """Do not advance."""


@frozen
class GroundOrNot(Decision[State, TakeGround | StayPut]):
    """A successful close assault leaves a hex empty."""

    side: Side
    unit: int
    hex: Hex
    rule = "m44:ground.optional"
    prompt = "take the ground, or stay"

    def candidates(self, state: State) -> tuple[TakeGround | StayPut, ...]:
        """Advance, or not."""
        return (TakeGround(self.hex), StayPut())

    def objections(self, state: State, action: TakeGround | StayPut) -> Iterator[Objection]:
        """Only into the hex that was vacated."""
        if isinstance(action, TakeGround):
            if action.hex != self.hex:
                yield Objection("m44:ground.vacated_hex_only", "only {} was vacated", (state.label(self.hex),))
            else:
                yield from take_ground_objections(state, self.unit, action.hex)

    def foreign(self, state: State, action: object) -> Iterator[Objection]:
        """No other unit battles before this one's battle is over."""
        yield Objection((*FINISH, self.rule), "first {} goes on: {}", (state.name(self.unit), self.prompt))


async def take_ground(play: Play[State], unit: int, hex: Hex, overrun: bool) -> None:
    """Advance into the vacated hex; armor may battle from there once more (m44:ground.*)."""
    if first_objection(take_ground_objections(play.state, unit, hex)):
        return
    choice = await GroundOrNot(play.state.side(unit), unit, hex)
    if isinstance(choice, StayPut):
        return
    state, here, troop = play.state, play.state.place(unit), play.state.troop(unit)
    bans = no_battle_after(state, troop, here, hex)
    if state.setting.ruling("wire_overrun") == "none" and any(
        troop.base in row.removed_by_entry for row in state.rows(hex)
    ):
        bans = (*bans, "m44:wire_overrun")
    rules = (
        "m44:ground.trigger",
        *troop.rules("take_ground"),
        *on_base(troop),
        *(("m44:ground.second_take",) if overrun else ()),
        *(("m44:ground.entry_terrain", *bans) if bans and troop.overrun and not overrun else ()),
        *(rule for at in (hex, here) for row in state.rows(at) if row.take_ground for rule in row.cites["take_ground"]),
    )
    no_ground = no_ground_after(state, troop, hex)
    play.record(UnitMoved(unit, (here, hex), Manner.GROUND, rules, (*state_bans(state, unit), *bans), no_ground))
    await call(enter, unit, here)
    if troop.overrun and not overrun:
        await call(overrun_combat, unit)


def state_bans(state: State, unit: int) -> tuple[str, ...]:
    """What already forbids a battle to an ordered unit."""
    orders = state.orders(unit)
    return orders.no_battle if orders else ()


@final
@frozen
class Overrun:
    """Fight the overrun combat against what stands in this hex."""

    hex: Hex


@final
@frozen
class NoOverrun:
    """Do not battle again."""


@frozen
class OverrunOrNot(Decision[State, Overrun | NoOverrun]):
    """Armor that has taken ground may battle once more (m44:ground.overrun)."""

    side: Side
    unit: int
    rule = "m44:troop.armor.overrun"
    prompt = "the target of the overrun combat, or none"

    def candidates(self, state: State) -> Iterator[Overrun | NoOverrun]:
        """The enemies in range, or none."""
        yield from (Overrun(hex) for hex in targets(state, self.unit))
        yield NoOverrun()

    def objections(self, state: State, action: Overrun | NoOverrun) -> Iterator[Objection]:
        """As in any battle; next to an enemy only close assault (m44:ground.overrun_adjacent)."""
        if isinstance(action, Overrun):
            yield from overrun_objections(state, self.unit)
            yield from target_objections(state, self.unit, action.hex, overrun=True)

    def foreign(self, state: State, action: object) -> Iterator[Objection]:
        """No other unit battles before this one's battle is over."""
        yield Objection((*FINISH, self.rule), "first {} goes on: {}", (state.name(self.unit), self.prompt))


def overrun_objections(state: State, unit: int) -> Iterator[Objection]:
    """Why armor that took ground may not battle from its new hex (m44:ground.entry_terrain)."""
    if bans := state_bans(state, unit):
        yield Objection(
            (*bans, "m44:ground.entry_terrain"), "{} may not battle where it has moved in", (state.name(unit),)
        )
    yield from ground_objections(state, unit)


async def overrun_combat(play: Play[State], unit: int) -> None:
    """One more battle from the hex just taken (m44:ground.overrun, m44:ground.one_overrun)."""
    choice = await OverrunOrNot(play.state.side(unit), unit)
    if isinstance(choice, Overrun):
        target = play.state.unit_at(choice.hex)
        assert target is not None
        await call(battle, unit, target, overrun=True)


# ------------------------------------------------------------ choosing a battle
@final
@frozen
class Battle:
    """The ordered unit in this hex attacks what stands in that one."""

    unit: Hex
    target: Hex


@final
@frozen
class RemoveObstacle:
    """The ordered unit in this hex removes the obstacle there instead of battling."""

    unit: Hex
    obstacle: str


@final
@frozen
class EndBattles:
    """No more battles this turn."""


@frozen
class ChooseBattle(Decision[State, Battle | RemoveObstacle | EndBattles]):
    """Battle with one ordered unit at a time, or end the battles."""

    side: Side
    rule = "m44:battle.one_at_a_time"
    prompt = "battle with a unit, or end the battles"

    def candidates(self, state: State) -> Iterator[Battle | RemoveObstacle | EndBattles]:
        """The ordered units that may battle, each with the enemies in range."""
        for orders in state.turn.orders:
            unit = orders.unit
            if state.on_board(unit) and first_objection(readiness_objections(state, unit)) is None:
                here = state.place(unit)
                yield from (Battle(here, hex) for hex in targets(state, unit))
                yield from (RemoveObstacle(here, row.id) for row in state.rows(here) if row.remove_instead_of_battle)
        yield EndBattles()

    def objections(self, state: State, action: Battle | RemoveObstacle | EndBattles) -> Iterator[Objection]:
        """Order, range, sight, terrain."""
        if isinstance(action, EndBattles):
            return
        unit = own_unit(state, action.unit)
        if unit is None:
            yield Objection("m44:order.ordered_only", "no unit of the {} stands there", (self.side,))
        elif isinstance(action, Battle):
            yield from battle_objections(state, unit, action.target)
        else:
            yield from removal_objections(state, unit, action.obstacle)

    def foreign(self, state: State, action: object) -> Iterator[Objection]:
        """All moves come before the battles; ground is taken, and an overrun fought, at the end of a unit's battle or never."""
        match action:
            case Move() | EndMoves():
                rules: tuple[str, ...] = ("m44:turn.moves_before_battles", "m44:turn.order")
            case TakeGround() | Overrun():
                rules = ("m44:ground.finish_chain",)
            case _:
                rules = ("m44:turn.order",)
        yield Objection(rules, "the battles have begun, and no unit's battle is under way: {}", (self.prompt,))


def own_unit(state: State, hex: Hex) -> int | None:
    """The active side's unit in a hex."""
    unit = state.unit_at(hex)
    return unit if unit is not None and state.side(unit) is state.active else None


def removal_objections(state: State, unit: int, obstacle: str) -> Iterator[Objection]:
    """Why an ordered unit may not remove an obstacle instead of battling."""
    here, base = state.place(unit), state.troop(unit).base
    row = next((row for row in state.rows(here) if row.id == obstacle and state.obstacle(here, obstacle)), None)
    if row is None:
        yield Objection("m44:order.special_action", "there is no such obstacle at {}", (state.label(here),))
    elif base not in row.remove_instead_of_battle:
        yield Objection(
            row.cites.get("remove_instead_of_battle", (row.rule_prefix,)), "{} does not remove it", (state.name(unit),)
        )
    else:
        yield from readiness_objections(state, unit)


async def battle_step(play: Play[State]) -> bool:
    """One battle, or the end of the battles; True when they go on."""
    choice = await ChooseBattle(play.state.active)
    match choice:
        case Battle(unit=here, target=there):
            unit, target = own_unit(play.state, here), play.state.unit_at(there)
            assert unit is not None
            assert target is not None
            await call(battle, unit, target)
        case RemoveObstacle(unit=here, obstacle=obstacle):
            rules = next(row.cites["remove_instead_of_battle"] for row in play.state.rows(here) if row.id == obstacle)
            play.record(ObstacleRemoved(here, obstacle, rules, own_unit(play.state, here)))
        case EndBattles():
            return False
    return True
