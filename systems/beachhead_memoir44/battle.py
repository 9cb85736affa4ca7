"""Battles, one unit after another: attack, ambush, ground, overrun (m44:battle.*, m44:card.ambush.*)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.play import Decision, Play, call
from beachhead.rules import Objection, first_objection
from beachhead_memoir44.attack import (
    attack_dice,
    battle_objections,
    ground_objections,
    readiness_objections,
    resolve,
    targets,
)
from beachhead_memoir44.card_events import AmbushPlayed
from beachhead_memoir44.cards import Effect, cards
from beachhead_memoir44.events import BattleDeclared, BattleForgone, BattleGoesOn, ObstacleRemoved
from beachhead_memoir44.ground import Overrun, OverrunOrNot, TakeGround, take_ground
from beachhead_memoir44.movement import EndMoves, Move
from beachhead_memoir44.state import State
from beachhead_memoir44.tables import Side


# ------------------------------------------------------------ one battle
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
    if await call(ambushed, unit, target):
        return
    await call(resolve, target, attack_dice(play.state, unit, target, overrun=overrun).total, False, True)
    if close and play.state.unit_at(there) is None:
        advanced = await call(take_ground, unit, there, overrun)
        if advanced and state.troop(unit).overrun and not overrun:
            await call(overrun_combat, unit)


async def overrun_combat(play: Play[State], unit: int) -> None:
    """One more battle from the hex just taken (m44:ground.overrun, m44:ground.one_overrun)."""
    choice = await OverrunOrNot(play.state.side(unit), unit)
    if isinstance(choice, Overrun):
        target = play.state.unit_at(choice.hex)
        assert target is not None
        await call(battle, unit, target, overrun=True)


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
        """He must hold the card. A unit that could not ambush is not asked about."""
        if isinstance(action, Ambush) and not ambush_cards(state, self.side):
            yield Objection(self.rule, "{} no Ambush", (self.side.does("hold"),))


def ambush_cards(state: State, side: Side) -> tuple[str, ...]:
    """The Ambush cards that a side holds, or may hold for all the viewer knows."""
    hand, pool = state.hand(side), state.pile.pool
    ids = (card.id for card in cards().values() if card.kind.effect is Effect.AMBUSH)
    return tuple(card for card in ids if card in hand.cards or (hand.hidden and card in pool))


def ambusher_objections(state: State, unit: int, attacker: int) -> Iterator[Objection]:
    """Why a unit could not ambush whoever held the card: an Ambush answers a close assault (m44:card.ambush.when), and the unit must be able to
    battle that enemy from where it stands (m44:card.ambush.who_can).
    """
    if not state.place(unit).adjacent(state.place(attacker)):
        yield Objection("m44:card.ambush.when", "{} is not next to {}", (state.name(unit), state.name(attacker)))
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
    dice = attack_dice(play.state, target, unit)
    play.record(BattleDeclared(target, unit, dice, ("m44:card.ambush.first", "m44:battle.close_assault")))
    await call(resolve, unit, dice.total, False, True)
    driven_off = play.state.units[unit].hex != here
    play.record(BattleForgone(unit) if driven_off else BattleGoesOn(unit))
    return driven_off


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
