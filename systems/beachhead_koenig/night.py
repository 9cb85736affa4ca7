"""The night: replacements, and the redeployment of the German units (12.0, 4.0)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from attrs import frozen

from beachhead.dice import D6, Face, Roll
from beachhead.hexes import Hex
from beachhead.play import Decision, Play, Then, then
from beachhead.rules import Objection, Provenance
from beachhead_koenig.beach import Away
from beachhead_koenig.carry_out import carry_out
from beachhead_koenig.events import UnitRecovered
from beachhead_koenig.movement import allowance
from beachhead_koenig.phase_events import PhaseBegan, ReplacementsLost, ReplacementsReceived
from beachhead_koenig.state import Operation, Progress, State
from beachhead_koenig.tables import Phase, Side


# ------------------------------------------------------------ replacements
async def replacement_rolls(play: Play[State]) -> None:
    """Both players roll for Replacement Points; the Allied player gets at least one more than the German player (12.0)."""
    charts = play.state.setting.charts
    allied_roll = await Roll(D6, Face(), "koenig:12.0.a")
    german_roll = await Roll(D6, Face(), "koenig:12.0.a")
    allied_chart, german_chart = charts["replacements Allied"], charts["replacements German"]
    allied, german = allied_chart[str(allied_roll)], german_chart[str(german_roll)]
    raised = german >= allied
    authored = Provenance.AUTHORED in (allied_chart.source[str(allied_roll)], german_chart.source[str(german_roll)])
    play.record(
        ReplacementsReceived(
            allied_roll,
            german_roll,
            german + 1 if raised else allied,
            german,
            ("koenig:12.0.a", *(("koenig:12.0.b", "koenig:K-35") if raised else ())),
            authored,
        )
    )


@final
@frozen
class SpendOn:
    """Take a Hit off this unit for a Replacement Point."""

    unit: str


@final
@frozen
class SpendNoMore:
    """Let the rest of the points go."""


@frozen
class SpendReplacement(Decision[State, SpendOn | SpendNoMore]):
    """The players spend one point in turn, the Allied player first (12.0)."""

    side: Side
    rule = "koenig:12.0.c"
    prompt = "choose the unit that recovers from a Hit"

    def certain(self, state: State) -> list[SpendOn | SpendNoMore]:
        """Every unit of the player on the map with Hits."""
        found: list[SpendOn | SpendNoMore] = [
            SpendOn(piece.name)
            for piece, unit in zip(state.setting.roster, state.units, strict=True)
            if unit.hits and piece.side is self.side and type(unit.place) is Hex
        ]
        return [*found, SpendNoMore()]

    def objections(self, state: State, action: SpendOn | SpendNoMore) -> Iterator[Objection]:
        """Only his own units on the map, and only Hits."""
        if isinstance(action, SpendNoMore):
            return
        unit = action.unit
        if unit not in state.setting.number:
            yield Objection("koenig:12.0.d", "there is no unit {}", (unit,))
            return
        place = state.place(unit)
        if state.setting.piece(unit).side is not self.side:
            yield Objection(("koenig:12.0.c", "koenig:12.0.d"), "{} is not a friendly unit", (unit,))
        if not isinstance(place, Hex):
            rule = "koenig:12.0.g" if place is Away.ELIMINATED else "koenig:12.0.d"
            yield Objection((rule, *_left(place)), "{} {}", (unit, place.verb))
        elif not state.unit(unit).hits:
            yield Objection("koenig:12.0.d", "{} has no Hits", (unit,))


def _left(place: Away) -> tuple[str, ...]:
    """What keeps a unit away that has left the map (11.1)."""
    return ("koenig:11.1.b",) if place in (Away.EXITED, Away.RETREATED) else ()


async def replacement_step(play: Play[State]) -> None:
    """One point is spent, or the phase is over (12.0)."""
    points = play.state.replacements
    if not (points.allied or points.german):
        play.record(PhaseBegan(Phase.REDEPLOYMENT, ("koenig:4.0.a", "koenig:4.0.f")))
        return
    side = points.next
    action = await SpendReplacement(side)
    if isinstance(action, SpendNoMore):
        useless = len(SpendReplacement(side).options(play.state)) == 1  # nobody has a Hit
        play.record(
            ReplacementsLost(side, ("koenig:12.0.f", "koenig:K-35" if useless else "koenig:lapsed_replacements"))
        )
    else:
        again = ("koenig:12.0.e",) if play.state.unit(action.unit).progress is Progress.DONE else ()
        play.record(UnitRecovered(action.unit, ("koenig:12.0.d", "koenig:12.0.c", *again)))


# ------------------------------------------------------------ redeployment
@final
@frozen
class Redeploy:
    """This unit moves, as far as half of its Movement Allowance lets it."""

    unit: str


@final
@frozen
class EndRedeployment:
    """No more units redeploy."""


@frozen
class ChooseRedeployment(Decision[State, Redeploy | EndRedeployment]):
    """Any German units may move at night, but for those that have had replacements (4.0)."""

    side: Side
    rule = "koenig:4.0.f"
    prompt = "choose a unit to redeploy"

    def certain(self, state: State) -> list[Redeploy | EndRedeployment]:
        """The German units on the map that have had no replacement and have not moved."""
        found: list[Redeploy | EndRedeployment] = [
            Redeploy(piece.name)
            for piece, unit in zip(state.setting.roster, state.units, strict=True)
            if piece.side is self.side and unit.progress is Progress.READY and type(unit.place) is Hex
        ]
        return [*found, EndRedeployment()]

    def objections(self, state: State, action: Redeploy | EndRedeployment) -> Iterator[Objection]:
        """Who may not."""
        if isinstance(action, EndRedeployment):
            return
        unit = action.unit
        if unit not in state.setting.number:
            yield Objection(self.rule, "there is no unit {}", (unit,))
        elif state.setting.piece(unit).side is not self.side:
            yield Objection(self.rule, "only German units redeploy")
        elif not isinstance(place := state.place(unit), Hex):
            yield Objection((self.rule, *_left(place)), "{} {}", (unit, place.verb))
        elif state.unit(unit).progress is Progress.DONE:
            yield Objection(
                ("koenig:4.0.h", "koenig:4.0.g"), "{} has had a replacement this night, or has moved", (unit,)
            )


async def redeployment_step(play: Play[State]) -> Then[None] | None:
    """One German unit moves, or the phase is over (4.0)."""
    action = await ChooseRedeployment(Side.GERMAN)
    if isinstance(action, EndRedeployment):
        play.record(PhaseBegan(Phase.HOUSEKEEPING))
        return None
    points = allowance(play.state, action.unit, Operation.REDEPLOYMENT)
    return then(carry_out, action.unit, Operation.REDEPLOYMENT, points)
