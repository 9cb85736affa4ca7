"""Step 1 of a Fire Attack: who can fire at what, and who fires in concert (7.2, 9.0, 9.2; Indirect Fire 14.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.play import Decision
from beachhead.rules import Objection
from beachhead_koenig.attack import Attack
from beachhead_koenig.ground import adjacent
from beachhead_koenig.state import Progress, State
from beachhead_koenig.tables import Fire, Side


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
    return (Progress.READY, Progress.MOVED, Progress.SWITCHED, Progress.WAITING)


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
