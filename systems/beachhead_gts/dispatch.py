"""Step D: Command Points into Dispatch Points, and Dispatch Points into Formation Activation Chits (7.0, 10.0.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.play import Decision, Play, call
from beachhead.rules import Objection
from beachhead.spelling import nearest
from beachhead_gts.battlefield import Away
from beachhead_gts.phase_events import ChitBought, PointsConverted
from beachhead_gts.state import State
from beachhead_gts.tables import CONVERSION, MOST_POINTS, NEXT_TURN, THIS_TURN, ChitKind, Side


# ------------------------------------------------------------ conversion
@final
@frozen
class Convert:
    """This Division buys a Dispatch Point for two Command Points."""

    division: str


@final
@frozen
class DoneConverting:
    """No (more) Dispatch Points are bought."""


@frozen
class ConvertPoints(Decision[State, Convert | DoneConverting]):
    """Each pair of Command Points of a Division buys it a Dispatch Point (10.0.3)."""

    side: Side
    rule = "gts:10.0.3.i"
    prompt = "buy Dispatch Points for Command Points, or go on"

    def candidates(self, state: State) -> list[Convert | DoneConverting]:
        """The player's Divisions."""
        return [*(Convert(d.name) for d in state.setting.divisions if d.side is self.side), DoneConverting()]

    def objections(self, state: State, action: Convert | DoneConverting) -> Iterator[Objection]:
        """Whose Division it is, and what it has."""
        if isinstance(action, DoneConverting):
            return
        field = state.setting
        if action.division not in field.division_number or field.division_of[action.division].side is not self.side:
            hint = nearest(action.division, field.division_number)
            yield Objection(self.rule, "{} is no Division of the {} player{}", (action.division, self.side, hint))
            return
        held = state.division_points(action.division)
        if held.command < CONVERSION:
            yield Objection(self.rule, "{} has {} Command Points", (action.division, held.command))
        if held.dispatch >= MOST_POINTS:
            yield Objection("gts:10.0.4.b", "{} has {} Dispatch Points", (action.division, held.dispatch))

    def foreign(self, state: State, action: object) -> Iterator[Objection]:
        """Conversion comes before the purchase."""
        if isinstance(action, BuyForThisTurn | BuyForNextTurn):
            yield Objection("gts:4.0.f", "first Command Points are converted, then chits are bought")
        else:
            yield from super().foreign(state, action)


# ------------------------------------------------------------ purchase
@final
@frozen
class BuyForThisTurn:
    """The chit of this Formation goes into the mug this turn."""

    formation: str


@final
@frozen
class BuyForNextTurn:
    """The chit of this Formation is set aside for next turn."""

    formation: str


@final
@frozen
class DoneBuying:
    """No (more) chits are bought."""


@frozen
class BuyChits(Decision[State, BuyForThisTurn | BuyForNextTurn | DoneBuying]):
    """A player buys Formation Activation Chits, in secret (7.2)."""

    side: Side
    rule = "gts:7.2.a"
    prompt = "buy Formation Activation Chits, or go on"
    secret = True

    def candidates(self, state: State) -> list[BuyForThisTurn | BuyForNextTurn | DoneBuying]:
        """Every Formation, for this turn or the next."""
        own = own_formations(state, self.side)
        return [*map(BuyForThisTurn, own), *map(BuyForNextTurn, own), DoneBuying()]

    def objections(self, state: State, action: BuyForThisTurn | BuyForNextTurn | DoneBuying) -> Iterator[Objection]:
        """Whose it is, whether it can be bought yet or again, and what its Division has (7.2)."""
        if isinstance(action, DoneBuying):
            return
        field, name = state.setting, action.formation
        known = own_formations(state, self.side)
        if name not in known:
            yield Objection(self.rule, "{} is no Formation of the {} player{}", (name, self.side, nearest(name, known)))
            return
        division = field.division_of[name].name
        given = field.first_turn.mug if state.turn == 1 else ()
        if name in (*state.ready, *state.aside, state.carried, *given):
            left = name == state.carried and state.turn > 1  # on the first turn it is the scenario's
            rule = "gts:7.2.i" if left else "gts:7.2.h"
            yield Objection(rule, "the chit of {} must be played before it is bought again", (name,))
        if not eligible(state, name):
            yield Objection("gts:7.2.j", "no unit of {} is on the map", (name,))
        if state.turn == 1 and isinstance(action, BuyForThisTurn):
            yield Objection("gts:9.0.a", "the scenario says what goes into the mug of the first turn")
        price = THIS_TURN if isinstance(action, BuyForThisTurn) else NEXT_TURN
        held = state.division_points(division).dispatch
        if held < price:
            rule = "gts:7.2.b" if price == THIS_TURN else "gts:7.2.c"
            yield Objection(
                (rule, "gts:7.2.g"), "{} has {} Dispatch Points, and {} are needed", (division, held, price)
            )

    def foreign(self, state: State, action: object) -> Iterator[Objection]:
        """No way back to the conversion."""
        if isinstance(action, Convert):
            yield Objection("gts:4.0.f", "Command Points are converted before chits are bought")
        else:
            yield from super().foreign(state, action)


def own_formations(state: State, side: Side) -> list[str]:
    """The Formations of a player that have chits, by name."""
    chits = state.setting.chits.values()
    return [chit.name for chit in chits if chit.side is side and chit.kind is ChitKind.FORMATION]


def eligible(state: State, formation: str) -> bool:
    """Whether a Formation's chit may be bought: a unit of it is on the map or a reinforcement hex (7.2); under gts:G43 in the box will do."""
    boxed = state.setting.choice("G43") == "box"
    places = [state.units[i].place for i in state.setting.members[formation]]
    return any(isinstance(place, Hex) or (boxed and place is Away.BOX) for place in places)


def once_eligible(state: State, formation: str) -> bool:
    """Whether a Formation's chit may have been bought by now: units of it are in play, or were (7.2)."""
    members = state.setting.members[formation]
    return eligible(state, formation) or any(state.units[i].place is Away.ELIMINATED for i in members)


# ------------------------------------------------------------ the step
async def convert(play: Play[State], side: Side) -> None:
    """A player buys Dispatch Points, as many as he likes (10.0.3)."""
    while True:
        action = await ConvertPoints(side)
        if isinstance(action, DoneConverting):
            return
        play.record(PointsConverted(action.division, "gts:10.0.3.i"))


async def buy(play: Play[State], side: Side) -> None:
    """A player buys chits, in secret (7.2)."""
    while True:
        action = await BuyChits(side)
        if isinstance(action, DoneBuying):
            return
        chit = play.state.setting.chits[action.formation]
        assert chit.kind is ChitKind.FORMATION
        this_turn = isinstance(action, BuyForThisTurn)
        rules = ("gts:7.2.b", "gts:7.2.f") if this_turn else ("gts:7.2.c", "gts:7.2.d", "gts:7.2.f")
        play.record(ChitBought(chit, this_turn, rules))


async def dispatch_step(play: Play[State]) -> None:
    """First the conversion, then the purchase, of both players (4.0)."""
    for side in Side:
        await call(convert, side)
    for side in Side:
        await call(buy, side)
