"""Combat results (19.0): S?, S, C, 1 and E, what they turn into, and what they do to a unit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.play import Decision, Play, call
from beachhead.rules import Objection
from beachhead_gts.command import can_spend
from beachhead_gts.events import CohesionHit, StepLost, UnitEliminated, UnitSuppressed
from beachhead_gts.leaders import accompanied, mind_leaders
from beachhead_gts.quality import Purpose, check, paid, point_objections, rolled
from beachhead_gts.state import State, steps_left
from beachhead_gts.tables import MOST_COHESION, Result, Side


async def suffer(play: Play[State], unit: str, result: Result) -> None:
    """A unit takes a combat result, at once (15.5, 19.2)."""
    before = play.state
    if result is Result.POSSIBLE_SUPPRESSION:
        await possible_suppression(play, unit)
    elif result is Result.SUPPRESSION:
        await suppression(play, unit, ("gts:19.2.2.a",))
    elif result is Result.COHESION_HIT:
        cohesion_hit(play, unit)
    elif result is Result.STEP_LOSS:
        step_loss(play, unit, ())
    elif result is Result.ELIMINATION:
        eliminate(play, unit, ("gts:19.2.5.a",))
    if type(play.state.place(unit)) is not Hex:
        await call(mind_leaders, accompanied(before))


async def possible_suppression(play: Play[State], unit: str) -> None:
    """S?: a Troop Quality Check; failed, it is a Suppression (19.2.1)."""
    if not await check(play, unit, Purpose.POSSIBLE_SUPPRESSION):
        suppressed = play.state.unit(unit).suppressed
        await suppression(play, unit, ("gts:19.2.1.c", "gts:19.2.2.m") if suppressed else ("gts:19.2.1.c",))


# ------------------------------------------------------------ Suppression
@final
@frozen
class AcceptSuppression:
    """It takes the Suppressed marker."""


@final
@frozen
class TryConversion:
    """It tries to turn the Suppression into a Cohesion Hit."""


@final
@frozen
class BuyConversion:
    """A Command Point turns the Suppression into a Cohesion Hit."""


@frozen
class ConvertSuppression(Decision[State, AcceptSuppression | TryConversion | BuyConversion]):
    """The owner of a unit that receives Suppression takes it, or tries to convert it into a Cohesion Hit (19.2.2)."""

    side: Side
    unit: str
    rule = "gts:19.2.2.a"

    @property
    def prompt(self) -> str:  # type: ignore[override]
        """Which unit."""
        return f"{self.unit} receives Suppression: take it, or try to turn it into a Cohesion Hit"

    def certain(self, state: State) -> tuple[AcceptSuppression | TryConversion, ...]:
        """Both are always open, even where the Cohesion Hit would eliminate the unit."""
        return (AcceptSuppression(), TryConversion())

    def candidates(self, state: State) -> tuple[BuyConversion, ...]:
        """For a Command Point."""
        return (BuyConversion(),) if can_spend(state, self.unit) else ()

    def objections(
        self, state: State, action: AcceptSuppression | TryConversion | BuyConversion
    ) -> Iterator[Objection]:
        """Why it cannot be bought."""
        if isinstance(action, BuyConversion):
            yield from point_objections(state, self.unit, Purpose.CONVERSION)


async def suppression(play: Play[State], unit: str, rules: tuple[str, ...]) -> None:
    """S: the marker, or a Cohesion Hit in its place; for a Suppressed unit a Cohesion Hit (19.2.2)."""
    state = play.state
    if state.unit(unit).suppressed:
        cohesion_hit(play, unit, (*rules, "gts:19.2.2.j"))
        return
    action = await ConvertSuppression(state.setting.piece(unit).side, unit)
    if isinstance(action, AcceptSuppression):
        play.record(UnitSuppressed(unit, rules))
        return
    bought = isinstance(action, BuyConversion)
    converted = paid(play, unit, Purpose.CONVERSION) if bought else await rolled(play, unit, Purpose.CONVERSION)
    if converted:
        hit = ("gts:19.2.3.j",) if play.state.unit(unit).cohesion else ()
        cohesion_hit(play, unit, ("gts:19.2.2.b", "gts:19.2.2.d", *hit))
    else:
        play.record(UnitSuppressed(unit, (*rules, "gts:19.2.2.b")))


# ------------------------------------------------------------ Cohesion Hits and Steps
def cohesion_hit(play: Play[State], unit: str, rules: tuple[str, ...] = ()) -> None:
    """C: another Cohesion Hit; the third is a Step Loss; a zero-Step unit is eliminated (19.2.3)."""
    state = play.state
    now, piece = state.unit(unit), state.setting.piece(unit)
    if piece.steps == 0:
        eliminate(play, unit, (*rules, "gts:19.2.3.b"))
    elif now.cohesion == MOST_COHESION:
        last = steps_left(piece, now) == 1
        step_loss(play, unit, (*rules, "gts:19.2.3.d", "gts:19.2.3.e" if last else "gts:19.2.3.f"))
    else:
        play.record(CohesionHit(unit, (*rules, "gts:19.2.3.c" if now.cohesion else "gts:19.2.3.a")))


def step_loss(play: Play[State], unit: str, rules: tuple[str, ...]) -> None:
    """1: a full two-Step unit is flipped; any other is eliminated (19.2.4)."""
    piece = play.state.setting.piece(unit)
    if steps_left(piece, play.state.unit(unit)) < 2:
        eliminate(play, unit, (*rules, "gts:19.2.4.a"))
    else:
        play.record(StepLost(unit, (*rules, "gts:19.2.4.c" if piece.transport else "gts:19.2.4.b")))


def eliminate(play: Play[State], unit: str, rules: tuple[str, ...]) -> None:
    """E: the unit is off the map for good (19.2.5)."""
    play.record(UnitEliminated(unit, rules))
