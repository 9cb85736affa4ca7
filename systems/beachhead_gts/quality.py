"""Troop Quality and its checks (1.2, 19.2): the rating with its terms, the roll, and the Command Point that stands in for it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import final

from attrs import frozen

from beachhead.dice import D10, Roll
from beachhead.enums import Named
from beachhead.hexes import Hex
from beachhead.play import Decision, Play
from beachhead.rules import Breakdown, Modifier, Objection
from beachhead.sentences import counted
from beachhead_gts.battlefield import Piece
from beachhead_gts.command import can_spend, command_verdict, in_command
from beachhead_gts.events import QualityChecked
from beachhead_gts.phase_events import CommandPointSpent
from beachhead_gts.state import State, Unit, face, has_loss_marker
from beachhead_gts.tables import MOST_COHESION, Cover, Side


class Purpose(Named, StrEnum):
    """What a check is made for. Those of `_BY_POINT` a Command Point may pass."""

    POSSIBLE_SUPPRESSION = "a possible Suppression"
    CONVERSION = "turning Suppression into a Cohesion Hit"
    FORCED_MARCH = "a forced march"
    PROLONGE = "moving by prolonge"
    RALLY = "rallying"
    COMPANY_BONUS = "the Company Bonus"
    OPPORTUNITY_FIRE = "Opportunity Fire"


_BY_POINT: dict[Purpose, str] = {
    Purpose.POSSIBLE_SUPPRESSION: "gts:19.2.1.d",
    Purpose.CONVERSION: "gts:19.2.2.c",
    Purpose.FORCED_MARCH: "gts:14.8.e",
    Purpose.PROLONGE: "gts:14.11.f",
}
"""Where a Command Point may be spent, and the rule that says so."""
_NOT_BY_POINT: dict[Purpose, str] = {
    Purpose.COMPANY_BONUS: "gts:15.6.k",
    Purpose.OPPORTUNITY_FIRE: "gts:17.4.d",
    Purpose.RALLY: "gts:20.0.b",
}
"""Where it may not: a unit that is In Command rallies without a check."""
ROLLED: dict[Purpose, tuple[str, ...]] = {
    Purpose.POSSIBLE_SUPPRESSION: ("gts:19.2.1.a",),
    Purpose.CONVERSION: ("gts:19.2.2.b",),
    Purpose.FORCED_MARCH: ("gts:14.8.d",),
    Purpose.PROLONGE: ("gts:14.11.a",),
    Purpose.RALLY: ("gts:20.0.c",),
    Purpose.COMPANY_BONUS: ("gts:15.6.j",),
    Purpose.OPPORTUNITY_FIRE: ("gts:17.4.c",),
}
"""The rule that asks for each check."""


# ------------------------------------------------------------ the rating
def troop_quality(state: State, unit: str, *, rallying: bool = False) -> Breakdown:
    """Troop Quality with everything that changes it (19.2, 20.0); Men Rallying markers count when it rallies."""
    i = state.setting.number[unit]
    piece, now = state.setting.roster[i], state.units[i]
    return Breakdown(tuple(_terms(state, unit, piece, now, rallying=rallying)))


def _terms(state: State, unit: str, piece: Piece, now: Unit, *, rallying: bool) -> Iterator[Modifier]:
    figures = state.setting.charts.figures
    yield Modifier(f"Troop Quality of {unit}", face(piece, now).quality, "gts:1.2.h", piece.authored)
    if has_loss_marker(piece, now):
        yield Modifier("Step Loss", figures["step loss"]["quality"], ("gts:19.2.4.d", "gts:19.2.4.g"))
    if now.cohesion == MOST_COHESION:
        rules = ("gts:19.2.3.i", "gts:19.2.4.g", *_when(rallying, "gts:20.0.d"))
        yield Modifier("two Cohesion Hits", figures["two cohesion hits"]["quality"], rules)
    if now.suppressed:
        rules = ("gts:19.2.2.h", "gts:19.2.4.g", *_when(rallying, "gts:20.0.d"))
        yield Modifier("Suppressed", figures["suppressed"]["quality"], rules)
    if now.cover is not Cover.NONE:
        marker = "improved position" if now.cover is Cover.IMPROVED else "entrenchment"
        if marker_value := figures[marker]["quality"]:
            yield Modifier(marker, marker_value, "gts:G46")
    if not in_command(state, unit):
        rules = ("gts:20.0.o", *_when(rallying, "gts:20.0.d"))
        yield Modifier("Out of Command", figures["out of command"]["quality"], rules)
    if rallying and now.rallying:
        yield Modifier("Men Rallying", now.rallying * figures["men rallying"]["quality"], "gts:20.0.f")


def _when(there: bool, rule: str) -> tuple[str, ...]:
    return (rule,) if there else ()


@frozen
class Check:
    """The reading of a check: passed at or under the rating; 0 always passes, 9 never (1.2)."""

    rating: int

    def read(self, face: int, /) -> bool:
        """Whether it is passed."""
        return face == 0 or (face != 9 and face <= self.rating)

    def __str__(self) -> str:
        return f"{max(0, min(self.rating, 8))} or less"

    @property
    def passing(self) -> int:
        """How many of the ten faces pass."""
        return max(1, min(self.rating, 8) + 1)


# ------------------------------------------------------------ the check
@final
@frozen
class SpendPoint:
    """A Command Point passes the check."""


@final
@frozen
class RollDie:
    """The die decides."""


@frozen
class MeetCheck(Decision[State, SpendPoint | RollDie]):
    """Before a check the owner may spend a Command Point on a unit that is In Command: it is then passed (14.8, 14.11, 19.2)."""

    side: Side
    unit: str
    purpose: Purpose
    rule: str = "gts:21.4.d"

    @property
    def prompt(self) -> str:  # type: ignore[override]
        """What is being checked."""
        return f"{self.unit} checks Troop Quality for {self.purpose}: roll, or spend a Command Point"

    def candidates(self, state: State) -> tuple[SpendPoint | RollDie, ...]:
        """To roll, or to pay."""
        return (RollDie(), SpendPoint())

    def objections(self, state: State, action: SpendPoint | RollDie) -> Iterator[Objection]:
        """Why no Command Point may be spent."""
        if isinstance(action, SpendPoint):
            yield from point_objections(state, self.unit, self.purpose)


def point_objections(state: State, unit: str, purpose: Purpose) -> Iterator[Objection]:
    """Why no Command Point passes a check of a unit."""
    if purpose in _NOT_BY_POINT:
        yield Objection(_NOT_BY_POINT[purpose], "no Command Point passes the check for {}", (purpose,))
    now = state.unit(unit)
    if not isinstance(now.place, Hex):
        yield Objection("gts:21.4.d", "{} {}", (unit, now.place.value))
    elif now.entering:
        rules = ("gts:8.0.m", "gts:8.0.n")
        yield Objection(rules, "{} has not entered play: no Command Point is spent on it", (unit,))
    elif not in_command(state, unit):
        yield Objection("gts:21.4.d", "{} is not In Command", (unit,))
    division = state.setting.points_of(unit)
    if not state.division_points(division).command:
        yield Objection(_BY_POINT.get(purpose, "gts:21.4.d"), "{} has no Command Point", (division,))


def point_facts(state: State, unit: str, purpose: Purpose) -> Iterator[Objection]:
    """Why a Command Point passes a check of a unit, where nothing is said against it."""
    division = state.setting.points_of(unit)
    held = counted(state.division_points(division).command, "Command Point")
    rules = (_BY_POINT.get(purpose, "gts:21.4.d"), "gts:21.4.d")
    yield Objection(dict.fromkeys(rules), "{} is In Command, and {} has {}", (unit, division, held))
    yield from command_verdict(state, unit).facts


async def check(play: Play[State], unit: str, purpose: Purpose) -> bool:
    """A Troop Quality Check: paid for, where that is allowed and wanted, or rolled."""
    if purpose in _BY_POINT and can_spend(play.state, unit):
        action = await MeetCheck(play.state.setting.piece(unit).side, unit, purpose)
        if isinstance(action, SpendPoint):
            return paid(play, unit, purpose)
    return await rolled(play, unit, purpose)


def paid(play: Play[State], unit: str, purpose: Purpose) -> bool:
    """The check is passed for a Command Point."""
    rule = _BY_POINT[purpose]
    quality = troop_quality(play.state, unit)
    play.record(CommandPointSpent(play.state.setting.points_of(unit), 1, (rule, "gts:21.4.d")))
    play.record(QualityChecked(unit, str(purpose), quality, passed=True, bought=True, rule=rule))
    return True


async def rolled(play: Play[State], unit: str, purpose: Purpose) -> bool:
    """The check is rolled (1.2)."""
    quality = troop_quality(play.state, unit, rallying=purpose is Purpose.RALLY)
    passed: bool = await Roll(D10, Check(quality.total), ROLLED[purpose][0])
    rules = (*ROLLED[purpose], "gts:1.2.h", "gts:1.2.g")
    play.record(QualityChecked(unit, str(purpose), quality, passed, bought=False, rule=rules))
    return passed
