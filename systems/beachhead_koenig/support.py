"""The Support Phase: artillery, Allied support, and what is traded in for interdiction (6.0; 14.2, 14.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from attrs import frozen

from beachhead.dice import D6, Face, Roll
from beachhead.hexes import Hex
from beachhead.play import Decision, Play, call
from beachhead.rules import Objection, Provenance
from beachhead_koenig.phase_events import ArtilleryReceived, Interdicted, Paid, SupportReceived
from beachhead_koenig.state import State
from beachhead_koenig.tables import Side, half

MOST_INTERDICTION = 3


async def support_phase(play: Play[State]) -> None:
    """The rolls of a day turn, in their order (6.0)."""
    from beachhead_koenig.leadership import leadership_roll

    if play.state.setting.plays("14.1"):
        await call(leadership_roll)
    await call(artillery_rolls)
    await call(support_roll)
    if play.state.setting.plays("14.2"):
        await call(interdiction)


def allied_die(state: State, face: int) -> tuple[int, tuple[str, ...]]:
    """An Allied die of the Support Phase, and the rule that changes it: one more on the first turn with Allied Preparation, never above six (14.6)."""
    if not state.setting.plays("14.6") or state.turn > 1:
        return face, ()
    return (face, ("koenig:14.6.b",)) if face == 6 else (face + 1, ("koenig:14.6.a",))


async def artillery_rolls(play: Play[State]) -> None:
    """Both players roll: the higher gets the difference in Artillery Points, the German player half of it (6.1)."""
    roll = await Roll(D6, Face(), "koenig:6.0.a")
    german = await Roll(D6, Face(), "koenig:6.0.a")
    allied, prepared = allied_die(play.state, roll)
    lead = allied - german
    if lead > 0:
        rules: tuple[str, ...] = ("koenig:6.1.a", "koenig:6.1.b")
    elif lead < 0:
        rules = ("koenig:6.1.a", "koenig:6.1.c", "koenig:2.1.c")
    else:
        rules = ("koenig:6.1.d",)
    event = ArtilleryReceived(allied, german, max(0, lead), half(max(0, -lead)), ("koenig:6.0.a", *rules, *prepared))
    play.record(event)


async def support_roll(play: Play[State]) -> None:
    """The Allied player rolls for his Support Points (6.2)."""
    roll = await Roll(D6, Face(), "koenig:6.2.a")
    allied, prepared = allied_die(play.state, roll)
    chart, key = play.state.setting.charts["allied support"], str(allied)
    authored = chart.source[key] is Provenance.AUTHORED
    play.record(SupportReceived(allied, chart[key], ("koenig:6.2.a", "koenig:6.0.a", *prepared), authored))


# ------------------------------------------------------------ interdiction
@final
@frozen
class TradeArtillery:
    """Trade in an Artillery Point for an Interdiction marker."""


@final
@frozen
class TradeSupport:
    """Trade in an Allied Support Point for an Interdiction marker."""


@final
@frozen
class TradeLeadership:
    """Trade in the Leadership marker for an Interdiction marker."""


@final
@frozen
class TradeNoMore:
    """Trade in nothing more."""


Trade = TradeArtillery | TradeSupport | TradeLeadership
_PAID = {TradeArtillery: Paid.ARTILLERY, TradeSupport: Paid.SUPPORT, TradeLeadership: Paid.LEADERSHIP}


@frozen
class TradeForInterdiction(Decision[State, TradeArtillery | TradeSupport | TradeLeadership | TradeNoMore]):
    """After the support rolls, before the first HQ is drawn: up to three points become markers (14.2)."""

    side: Side = Side.ALLIED
    rule = "koenig:14.2.a"
    prompt = "trade in a point for an Interdiction marker?"

    def candidates(self, state: State) -> tuple[Trade | TradeNoMore, ...]:
        """Every kind of point."""
        return (TradeNoMore(), TradeArtillery(), TradeSupport(), TradeLeadership())

    def objections(self, state: State, action: Trade | TradeNoMore) -> Iterator[Objection]:
        """One must have it."""
        match action:
            case TradeArtillery() if not state.support.allied_artillery:
                yield Objection(self.rule, "no Artillery Point is left")
            case TradeSupport() if not state.support.allied_support:
                yield Objection(self.rule, "no Support Point is left")
            case TradeLeadership() if state.leadership is not Side.ALLIED:
                yield Objection(self.rule, "the Allied player does not have the Leadership marker")
            case _:
                pass


@final
@frozen
class Interdict:
    """Put the Interdiction marker into this hex."""

    hex: Hex


@frozen
class PlaceInterdiction(Decision[State, Interdict]):
    """Where a marker goes: into any hex of the map that has none (14.2)."""

    side: Side = Side.ALLIED
    rule = "koenig:14.2.b"
    prompt = "choose the hex to interdict"

    def candidates(self, state: State) -> Iterator[Interdict]:
        """Every hex."""
        return (Interdict(hex) for hex in state.setting.board)

    def objections(self, state: State, action: Interdict) -> Iterator[Objection]:
        """One marker a hex, on the map."""
        if action.hex not in state.setting.board:
            yield Objection(self.rule, "{} is not on the map", (action.hex,))
        elif action.hex in state.interdicted:
            yield Objection(self.rule, "{} is interdicted already", (state.setting.board.label(action.hex),))


async def interdiction(play: Play[State]) -> None:
    """Up to three points are traded in, and each marker is placed (14.2)."""
    while len(play.state.interdicted) < MOST_INTERDICTION:
        trade = await TradeForInterdiction()
        if isinstance(trade, TradeNoMore):
            return
        placed = await PlaceInterdiction()
        play.record(Interdicted(placed.hex, _PAID[type(trade)]))


def too_late(action: object) -> Iterator[Objection]:
    """What is said against a trade at any other time (14.2)."""
    if isinstance(action, Trade):
        yield Objection(
            "koenig:14.2.a", "points are traded in after the support rolls, three at most, before an HQ is drawn"
        )
