"""Retreats: where a unit may go, must go, or is eliminated (9.3.3, 11.0, 11.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.play import Decision, Play
from beachhead.rules import Objection
from beachhead_koenig.beach import Away, Place
from beachhead_koenig.events import UnitEliminated, UnitRetreated
from beachhead_koenig.ground import adjacent, terrain_cost
from beachhead_koenig.state import State
from beachhead_koenig.tables import STACKING_LIMIT, Side


# ------------------------------------------------------------ the ways out
@frozen
class Anywhere:
    """Any way: before or after Full and Mobile Fire."""


@frozen
class NotInto:
    """The defender's in Close Combat: not into the hex that the attacker came from (11.0)."""

    entry: Place


@frozen
class OnlyInto:
    """The attacker's in Close Combat: back to where it came from, which is off the map for a unit that has just entered (11.0)."""

    entry: Place


Way = Anywhere | NotInto | OnlyInto


def retreat_objections(state: State, unit: str, way: Way, to: Place) -> Iterator[Objection]:
    """Why a unit may not retreat to a place."""
    beach, board, here = state.setting, state.setting.board, state.place(unit)
    assert isinstance(here, Hex)
    if isinstance(way, OnlyInto) and to != way.entry:
        came = board.label(way.entry) if isinstance(way.entry, Hex) else "off the map"
        yield Objection("koenig:11.0.e", "{} may only go back the way it came: {}", (unit, came))
        return
    if not isinstance(to, Hex):
        if to is not Away.RETREATED:
            yield Objection("koenig:11.0.a", "nobody retreats there")
        elif not isinstance(way, OnlyInto) and here not in beach.edge:
            yield Objection("koenig:11.1.a", "{} is not on the edge of the map", (unit,))
        return
    if to not in board or not adjacent(beach, here, to):
        label = board.label(to) if to in board else to
        yield Objection("koenig:11.0.a", "{} is not next to {}", (label, unit))
        return
    label = board.label(to)
    if isinstance(way, NotInto) and to == way.entry:
        yield Objection("koenig:11.0.d", "the attacker came from {}", (label,))
    if "cliff" in board.features(here, to):
        yield Objection(("koenig:11.0.g", "koenig:8.1.1.a", "koenig:K-09"), "a cliff bars the way to {}", (label,))
    if terrain_cost(beach, to) is None:
        yield Objection(("koenig:11.0.g", "koenig:K-09"), "units cannot enter {}", (label,))
    if state.at(to, beach.piece(unit).side.enemy):
        yield Objection("koenig:11.0.b", "an enemy unit is in {}", (label,))
    if len(state.at(to)) >= STACKING_LIMIT:
        yield Objection(("koenig:11.0.c", "koenig:8.2.b"), "{} holds two units", (label,))


def retreats(state: State, unit: str, way: Way = Anywhere()) -> tuple[Place, ...]:
    """Where a unit may retreat to (11.0, 11.1)."""
    here, beach, held = state.place(unit), state.setting, state.occupation
    assert isinstance(here, Hex)
    open_to_it = beach.ways_out[here] & ~(held.full | held.of(beach.piece(unit).side.enemy))
    if isinstance(way, OnlyInto):
        back = not isinstance(way.entry, Hex) or beach.bit[way.entry] & open_to_it
        return (way.entry,) if back else ()
    if isinstance(way, NotInto) and isinstance(way.entry, Hex):
        open_to_it &= ~beach.bit[way.entry]
    hexes = beach.board.members(open_to_it)
    return (*hexes, Away.RETREATED) if here in beach.edge else hexes


# ------------------------------------------------------------ actions and decisions
@final
@frozen
class Stay:
    """Stay where you are."""


@final
@frozen
class RetreatTo:
    """Retreat to this hex."""

    hex: Hex


@final
@frozen
class RetreatOffMap:
    """Retreat off the edge of the map: out of play, and not eliminated."""


Retreat = RetreatTo | RetreatOffMap


def place_of(action: Retreat) -> Place:
    """Where a retreat leads."""
    return action.hex if isinstance(action, RetreatTo) else Away.RETREATED


def _actions(state: State, unit: str, way: Way) -> list[Retreat]:
    return [RetreatTo(to) if isinstance(to, Hex) else RetreatOffMap() for to in retreats(state, unit, way)]


@frozen
class MustRetreat(Decision[State, Retreat]):
    """A unit that must retreat has somewhere to go: its owner chooses (8.0, 11.0)."""

    side: Side
    unit: str
    way: Way
    rule: str
    prompt = "choose where to retreat to"

    def certain(self, state: State) -> list[Retreat]:
        """Every way out."""
        return _actions(state, self.unit, self.way)

    def objections(self, state: State, action: Retreat) -> Iterator[Objection]:
        """What bars the way."""
        return retreat_objections(state, self.unit, self.way, place_of(action))

    def foreign(self, state: State, action: object) -> Iterator[Objection]:
        """Staying is not offered."""
        yield Objection(self.rule, "{} must retreat", (self.unit,))


@frozen
class MayRetreat(Decision[State, Stay | RetreatTo | RetreatOffMap]):
    """A unit may retreat or stay: after fire, or between two rounds of Close Combat."""

    side: Side
    unit: str
    way: Way
    rule: str
    prompt = "stay, or choose where to retreat to"

    def certain(self, state: State) -> list[Stay | Retreat]:
        """Stay, or any way out."""
        return [Stay(), *_actions(state, self.unit, self.way)]

    def objections(self, state: State, action: Stay | Retreat) -> Iterator[Objection]:
        """What bars the way."""
        return (
            iter(()) if isinstance(action, Stay) else retreat_objections(state, self.unit, self.way, place_of(action))
        )


# ------------------------------------------------------------ procedures
async def must_retreat(play: Play[State], unit: str, way: Way, rules: tuple[str, ...]) -> None:
    """A retreat that must be made: without a place to go the unit is eliminated (11.0)."""
    if not retreats(play.state, unit, way):
        play.record(UnitEliminated(unit, ("koenig:11.0.f", *rules)))
        return
    action = await MustRetreat(play.state.setting.piece(unit).side, unit, way, rules[0])
    play.record(retreated(play.state, unit, way, action, rules))


async def may_retreat(play: Play[State], unit: str, way: Way, rules: tuple[str, ...]) -> bool:
    """A retreat that may be made.

    Returns:
        whether it was.
    """
    action = await MayRetreat(play.state.setting.piece(unit).side, unit, way, rules[0])
    if isinstance(action, Stay):
        return False
    play.record(retreated(play.state, unit, way, action, rules))
    return True


def retreated(state: State, unit: str, way: Way, action: Retreat, rules: tuple[str, ...]) -> UnitRetreated:
    """The event of a retreat, with the rules that bear on it."""
    own = ["koenig:11.0.a"]
    if isinstance(action, RetreatOffMap):
        own = ["koenig:11.1.a", *(["koenig:K-18"] if isinstance(way, OnlyInto) else [])]
    elif isinstance(way, OnlyInto):
        own.append("koenig:11.0.e")
    return UnitRetreated(unit, place_of(action), (*rules, *own))
