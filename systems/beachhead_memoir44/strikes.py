"""Cards that strike or heal by themselves: Air Power, Barrage, Medics & Mechanics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.play import Decision, Play, call
from beachhead.rules import Breakdown, Modifier, Objection
from beachhead_memoir44.attack import resolve
from beachhead_memoir44.cards import kinds
from beachhead_memoir44.dice import BattleDice, Face, Successes
from beachhead_memoir44.events import CardAttackDeclared, FiguresReturned, PhaseBegan, UnitOrdered
from beachhead_memoir44.state import Phase, State
from beachhead_memoir44.tables import Side


# ------------------------------------------------------------ Air Power and Barrage
@final
@frozen
class Target:
    """The enemy in this hex is a target."""

    hex: Hex


@final
@frozen
class EndTargets:
    """No more targets."""


@frozen
class ChooseTargets(Decision[State, Target | EndTargets]):
    """The enemies that the card strikes: one, or a group of adjacent hexes (m44:card.air_power.targets, m44:card.barrage.target)."""

    side: Side
    kind_id: str
    chosen: tuple[Hex, ...]
    prompt = "a target, or no more"

    @property
    def rule(self) -> str:  # type: ignore[override]
        """The card's rule on its targets."""
        return kinds()[self.kind_id].rules("targets")[0]

    def candidates(self, state: State) -> Iterator[Target | EndTargets]:
        """Every enemy; later those next to one chosen."""
        enemies = (state.place(unit) for unit in state.of(self.side.other))
        yield from (
            Target(hex) for hex in enemies if not self.chosen or any(hex.adjacent(other) for other in self.chosen)
        )
        yield EndTargets()

    def objections(self, state: State, action: Target | EndTargets) -> Iterator[Objection]:
        """As many as the card allows, hanging together."""
        kind = kinds()[self.kind_id]
        rules = kind.rules("targets")
        if isinstance(action, EndTargets):
            if not self.chosen:
                yield Objection(rules, "{} needs a target", (kind.name,))
            return
        unit = state.unit_at(action.hex)
        if unit is None or state.side(unit) is self.side:
            yield Objection(rules, "no enemy stands there", ())
        elif action.hex in self.chosen:
            yield Objection(rules, "{} is a target already", (state.name(unit),))
        elif self.chosen and not any(action.hex.adjacent(other) for other in self.chosen):
            yield Objection(rules, "{} is not next to another target", (state.name(unit),))


@frozen
class ChooseNextTarget(Decision[State, Target]):
    """The targets are struck one after another, in the order the player likes (m44:card.air_power.one_by_one)."""

    side: Side
    left: tuple[Hex, ...]
    rule = "m44:card.air_power.one_by_one"
    prompt = "the target that is struck next"

    def candidates(self, state: State) -> Iterator[Target]:
        """Those that are left."""
        return (Target(hex) for hex in self.left)

    def objections(self, state: State, action: Target) -> Iterator[Objection]:
        """One of the targets chosen."""
        if action.hex not in self.left:
            yield Objection((self.rule, "m44:card.air_power.targets"), "that is none of the targets left", ())


async def strike(play: Play[State], side: Side, kind_id: str) -> None:
    """Choose the targets, then strike one after another; terrain takes no dice away (m44:card.air_power.*, m44:card.barrage.*)."""
    kind, chosen = kinds()[kind_id], tuple[Hex, ...]()
    while len(chosen) < kind.targets:
        choice = await ChooseTargets(side, kind_id, chosen)
        if isinstance(choice, EndTargets):
            break
        chosen = (*chosen, choice.hex)
    while chosen:
        next_one = Target(chosen[0]) if len(chosen) == 1 else await ChooseNextTarget(side, chosen)
        chosen = tuple(hex for hex in chosen if hex != next_one.hex)
        target = play.state.unit_at(next_one.hex)
        assert target is not None, "nobody leaves his hex before he is struck"
        await call(strike_one, side, kind_id, target)


async def strike_one(play: Play[State], side: Side, kind_id: str, target: int) -> None:
    """The card's dice against one unit; its flags may not be ignored."""
    kind, own_numbers = kinds()[kind_id], play.state.turn.own_numbers
    dice = Breakdown.of(Modifier(kind.name, kind.dice.get(side, 0), kind.rules("dice")))
    rules = (*kind.rules("targets"), *kind.cites.get("stars_hit", ()), *kind.cites.get("flags_stand", ()), *own_numbers)
    play.record(CardAttackDeclared(kind_id, target, dice, rules))
    await call(resolve, target, dice.total, kind.stars_hit, not kind.flags_stand)


# ------------------------------------------------------------ Medics & Mechanics
@final
@frozen
class Heal:
    """The unit in this hex is treated."""

    unit: Hex


@frozen
class ChooseDamaged(Decision[State, Heal]):
    """The unit that Medics & Mechanics treats (m44:card.medics.target)."""

    side: Side
    rule = "m44:card.medics.target"
    prompt = "the damaged unit to treat"

    def candidates(self, state: State) -> Iterator[Heal]:
        """The side's damaged units."""
        return (Heal(state.place(unit)) for unit in state.of(self.side))

    def objections(self, state: State, action: Heal) -> Iterator[Objection]:
        """It must have lost figures."""
        unit = state.unit_at(action.unit)
        if unit is None or state.side(unit) is not self.side:
            yield Objection(self.rule, "no unit of the {} stands there", (self.side,))
        elif not missing(state, unit):
            yield Objection(self.rule, "{} has lost no figure", (state.name(unit),))


def missing(state: State, unit: int) -> int:
    """How many figures may come back to a unit: up to its strength at the start (m44:card.medics.heal, m44:troop.depleted.cap)."""
    muster, troop = state.setting.roster[unit], state.troop(unit)
    full = max(muster.figures, troop.figures) if muster.depleted and not troop.capped else muster.figures
    return full - state.units[unit].figures


async def medics(play: Play[State], side: Side, kind_id: str) -> None:
    """Treat a damaged unit; if a figure comes back it is ordered (m44:card.medics.*)."""
    if not any(missing(play.state, unit) for unit in play.state.of(side)):
        play.record(PhaseBegan(Phase.DRAW))
        return
    choice = await ChooseDamaged(side)
    unit = play.state.unit_at(choice.unit)
    assert unit is not None
    symbols = [face for face in (Face.INFANTRY, Face.ARMOR) if face == play.state.troop(unit).base.value]
    stars = [Face.STAR] if kinds()[kind_id].stars_hit else []
    healed = await BattleDice(play.state.hand(side).size + 1, Successes((*symbols, *stars)), "m44:card.medics.dice")
    back = min(healed, missing(play.state, unit))
    if back:
        capped = back < healed and play.state.setting.roster[unit].depleted
        also = ("m44:troop.depleted.cap",) if capped else ()
        play.record(FiguresReturned(unit, back, ("m44:card.medics.heal", *also)))
        play.record(UnitOrdered(unit, "m44:card.medics.order"))
        play.record(PhaseBegan(Phase.MOVE))
    else:
        play.record(PhaseBegan(Phase.DRAW))
