"""Leadership: the roll for the marker, and the feats it is spent on (14.1).

Corps Artillery is committed with other support (`fire.CommitWithCorpsArtillery`), and the marker may be traded for interdiction (`support`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from attrs import frozen

from beachhead.dice import D6, Face, Roll
from beachhead.hexes import Hex
from beachhead.play import Decision, Play
from beachhead.rules import Objection
from beachhead_koenig.beach import Away
from beachhead_koenig.phase_events import Feat, LeadershipRolled, LeadershipSpent
from beachhead_koenig.state import Operation, Progress, State
from beachhead_koenig.support import allied_die
from beachhead_koenig.tables import FireResult, Side


async def leadership_roll(play: Play[State]) -> None:
    """Before any other support roll both players roll: two higher takes the marker (14.1)."""
    roll = await Roll(D6, Face(), "koenig:14.1.a")
    german = await Roll(D6, Face(), "koenig:14.1.a")
    allied, prepared = allied_die(play.state, roll)
    rule = "koenig:14.1.b" if abs(allied - german) > 1 else "koenig:14.1.c"
    play.record(LeadershipRolled(allied, german, ("koenig:14.1.a", rule, *prepared)))


def marker_objections(state: State, side: Side | None) -> Iterator[Objection]:
    """Why a player cannot spend the Leadership marker."""
    if not state.setting.plays("14.1"):
        yield Objection("koenig:14.0.a", "Leadership is not in play")
    elif state.leadership is not side:
        yield Objection("koenig:14.1.d", "{} does not have the Leadership marker", (side,))


# ------------------------------------------------------------ battlefield leadership
@final
@frozen
class RerollDie:
    """Spend the Leadership marker: the die is rolled again."""


@final
@frozen
class LetItStand:
    """Leave the die as it is."""


@frozen
class RerollOrNot(Decision[State, RerollDie | LetItStand]):
    """A combat die has been rolled against this Attack Factor, by the side that is firing: either side (14.1)."""

    side: Side
    firing: Side
    factor: int
    result: FireResult
    rule = "koenig:14.1.e"
    prompt = "spend the Leadership marker to have the die rolled again?"

    def certain(self, state: State) -> tuple[RerollDie | LetItStand, ...]:
        """Yes or no."""
        return (RerollDie(), LetItStand())


def spend_on_reroll(side: Side) -> LeadershipSpent:
    """The marker goes for another roll of the die."""
    return LeadershipSpent(side, Feat.REROLL, "", ("koenig:14.1.e", "koenig:14.1.d"))


@final
@frozen
class StandFast:
    """Spend the Leadership marker: the retreat is ignored, and the Close Combat goes on."""


@final
@frozen
class GiveWay:
    """Do not spend it."""


@frozen
class StandOrNot(Decision[State, StandFast | GiveWay]):
    """A unit must retreat from Close Combat, and its owner has the marker (14.1)."""

    side: Side
    unit: str
    rule = "koenig:14.1.f"
    prompt = "spend the Leadership marker to ignore the retreat?"

    def certain(self, state: State) -> tuple[StandFast | GiveWay, ...]:
        """Yes or no."""
        return (StandFast(), GiveWay())


def spend_on_stand(side: Side, unit: str) -> LeadershipSpent:
    """The marker goes for a retreat that is ignored."""
    return LeadershipSpent(side, Feat.STAND, unit, ("koenig:14.1.f", "koenig:14.1.d"))


# ------------------------------------------------------------ force march
@final
@frozen
class ForceMarch:
    """Spend the Leadership marker: this unit moves twice as far."""


def marched_points(state: State, unit: str, operation: Operation) -> int:
    """The Movement Points of a unit on a Force March: twice the printed allowance, in Combined the whole of it (14.1)."""
    printed = state.setting.piece(unit).movement
    return printed if operation is Operation.COMBINED else 2 * printed


def spend_on_march(side: Side, unit: str, operation: Operation) -> LeadershipSpent:
    """The marker goes for a Force March."""
    rule = "koenig:14.1.h" if operation is Operation.COMBINED else "koenig:14.1.g"
    return LeadershipSpent(side, Feat.FORCED_MARCH, unit, (rule, "koenig:14.1.d"))


# ------------------------------------------------------------ temporary attachment
@final
@frozen
class Attach:
    """Spend the Leadership marker: this unit of a formation that has yet to be Active works with the one that is."""

    unit: str


def attachable(state: State, side: Side) -> Iterator[str]:
    """The units that may be attached: on the map, of formations whose HQs are still in the cup."""
    for piece in state.setting.roster:
        if piece.side is side and piece.formation in state.cup and isinstance(state.place(piece.name), Hex):
            yield piece.name


def attachment_objections(state: State, side: Side, unit: str) -> Iterator[Objection]:
    """Why a unit cannot be attached (14.1)."""
    yield from marker_objections(state, side)
    rules = ("koenig:14.1.j", "koenig:K-36")
    if unit not in state.setting.number:
        yield Objection(rules, "there is no unit {}", (unit,))
        return
    piece = state.setting.piece(unit)
    if piece.side is not side:
        yield Objection(rules, "{} is not a friendly unit", (unit,))
    elif not isinstance(state.place(unit), Hex):
        yield Objection(rules, "{} is not on the map", (unit,))
    elif piece.formation not in state.cup or state.unit(unit).progress is not Progress.READY:
        yield Objection(rules, "formation {} of {} has been Active this turn, or is", (piece.formation, unit))
    elif state.activation is not None and unit in state.activation.attached:
        yield Objection(rules, "{} is attached already", (unit,))


# ------------------------------------------------------------ unit recovery
@final
@frozen
class Recover:
    """Spend the Leadership marker: this eliminated unit of the Active formation returns."""

    unit: str


def recovery_objections(state: State, side: Side, unit: str) -> Iterator[Objection]:
    """Why a unit cannot be recovered (14.1)."""
    yield from marker_objections(state, side)
    formation = state.activation.formation if state.activation else ""
    rules = ("koenig:14.1.k", "koenig:K-36")
    if unit not in state.of(formation):
        yield Objection(rules, "{} does not belong to the formation that is Active", (unit,))
    elif state.place(unit) is not Away.ELIMINATED:
        yield Objection(rules, "{} is not eliminated", (unit,))
