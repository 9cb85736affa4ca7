"""The sequence of play: the steps of a turn, A to J (4.0)."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator
from typing import Any, final

from attrs import frozen

from beachhead.dice import D10, Roll
from beachhead.hexes import Hex
from beachhead.play import Decision, Play, call
from beachhead.rules import Objection
from beachhead_gts.activation import act
from beachhead_gts.battlefield import Away
from beachhead_gts.dispatch import dispatch_step
from beachhead_gts.events import LeaderPlaced, UnitPlaced
from beachhead_gts.mug import draw, fill_mug, open_activation
from beachhead_gts.phase_events import (
    AirpowerDetermined,
    FormationAttached,
    GameEnded,
    PhaseBegan,
    ReinforcementsBoxed,
    TurnBegan,
    WeatherDetermined,
)
from beachhead_gts.state import State
from beachhead_gts.tables import ChitKind, Phase, Side, Weather


def step(play: Play[State]) -> Coroutine[Any, Any, Any]:
    """One step of the sequence of play, found from the state alone."""
    state = play.state
    if state.phase is not Phase.ACTIVATION:
        return _STEPS[state.phase](play)
    if state.activation is None:
        return draw(play)
    return act(play) if state.activation.open else open_activation(play)


def go_on(play: Play[State], phase: Phase, *rules: str) -> None:
    """The next step of the turn (4.0)."""
    play.record(PhaseBegan(phase, ("gts:4.0.a", *rules)))


async def set_up(play: Play[State]) -> None:
    """Units and Leaders that begin on the map are placed, and the first turn begins."""
    field = play.state.setting
    for piece in field.roster:
        if isinstance(piece.arrives, Hex):
            play.record(UnitPlaced(piece.name, piece.arrives, piece.column, entering=False, rule="gts:4.0.a"))
    for leader in field.leaders:
        if isinstance(leader.arrives, Hex):
            play.record(LeaderPlaced(leader.name, leader.arrives, "gts:4.0.a"))
    play.record(TurnBegan(1, "gts:12.0.a"))


@frozen
class Row:
    """The reading of a roll on a table of the exclusive rules, one entry for each face."""

    entries: tuple[Any, ...]

    def read(self, face: int, /) -> Any:
        """The entry."""
        return self.entries[face]

    def __str__(self) -> str:
        return "by the table"


async def weather_step(play: Play[State]) -> None:
    """A: the weather, on the first daylight turn of a day; it holds until the next (4.0, 5.0)."""
    field = play.state.setting
    if field.first_daylight(play.state.turn):
        table = field.hooks.weather
        weather: Weather = table[0] if len(table) == 1 else await Roll(D10, Row(table), "gts:4.0.b")
        play.record(WeatherDetermined(weather, ("gts:4.0.b", "gts:4.0.c")))
    go_on(play, Phase.AIRPOWER)


async def airpower_step(play: Play[State]) -> None:
    """B: the airpower that is available, on the same turns (4.0, 6.0)."""
    field = play.state.setting
    if field.first_daylight(play.state.turn):
        table = field.hooks.air
        air: int = table[0] if len(table) == 1 else await Roll(D10, Row(table), "gts:4.0.d")
        play.record(AirpowerDetermined(air, "gts:4.0.d"))
    go_on(play, Phase.REINFORCEMENTS)


# ------------------------------------------------------------ independent Formations
@final
@frozen
class AttachTo:
    """It acts with this Formation."""

    formation: str


@frozen
class AttachFormation(Decision[State, AttachTo]):
    """An independent Formation that arrives is attached to a superior one: its owner chooses, if the scenario does not say which (8.0)."""

    side: Side
    formation: str
    rule = "gts:8.0.c"

    @property
    def prompt(self) -> str:  # type: ignore[override]
        """Which Formation."""
        return f"to which Formation is {self.formation} attached?"

    def candidates(self, state: State) -> list[AttachTo]:
        """Those of its Division that have a chit."""
        division = state.setting.division_of[self.formation].name
        chits = state.setting.chits.values()
        return [AttachTo(c.name) for c in chits if c.kind is ChitKind.FORMATION and c.division == division]

    def objections(self, state: State, action: AttachTo) -> Iterator[Objection]:
        """Only those."""
        if action not in self.candidates(state):
            yield Objection(
                self.rule, "{} is no Formation that {} can be attached to", (action.formation, self.formation)
            )


def unattached(state: State) -> tuple[str, ...]:
    """The independent Formations in a Reinforcement Box that are attached to none."""
    field = state.setting
    return tuple(
        [
            each.name
            for each, superior in zip(field.formations, state.superiors, strict=True)
            if each.independent
            and not superior
            and any(state.units[i].place is Away.BOX for i in field.members[each.name])
        ]
    )


async def attach_formation(play: Play[State], formation: str) -> None:
    """Its owner attaches it (8.0)."""
    action = await AttachFormation(play.state.setting.division_of[formation].side, formation)
    play.record(FormationAttached(formation, action.formation, "gts:8.0.c"))


async def reinforcement_step(play: Play[State]) -> None:
    """C: the units that are due go into their Reinforcement Boxes (8.0)."""
    state = play.state
    for division in state.setting.divisions:
        due = tuple(
            [
                state.setting.roster[i].name
                for i in state.setting.members[division.name]
                if state.units[i].place is Away.DUE and state.setting.roster[i].arrives == state.turn
            ]
        )
        if due:
            play.record(ReinforcementsBoxed(division.name, due, "gts:8.0.b"))
    for formation in unattached(play.state):
        await call(attach_formation, formation)
    go_on(play, Phase.DISPATCH)


async def points_step(play: Play[State]) -> None:
    """D: Dispatch Points; on the first turn for the next only, since the scenario says what goes into the first mug (4.0, 9.0)."""
    await call(dispatch_step)
    go_on(play, Phase.ARTILLERY, "gts:4.0.f")


async def artillery_step(play: Play[State]) -> None:
    """E: nothing is asked yet of artillery and contact."""
    go_on(play, Phase.ATTACHMENT)


async def attachment_step(play: Play[State]) -> None:
    """F: no exclusive rule attaches Formations."""
    go_on(play, Phase.MUG)


async def mug_step(play: Play[State]) -> None:
    """G: the mug (9.0)."""
    fill_mug(play)
    go_on(play, Phase.ACTIVATION, "gts:4.0.i")


async def cleanup_step(play: Play[State]) -> None:
    """I: nothing is on the map yet that would be cleaned up."""
    go_on(play, Phase.TURN_RECORD)


async def turn_record_step(play: Play[State]) -> None:
    """J: the turn marker moves on, or the game ends (12.0)."""
    if play.state.turn == play.state.setting.last_turn:
        play.record(GameEnded())
    play.record(TurnBegan(play.state.turn + 1, "gts:12.0.a"))


_STEPS = {
    Phase.SET_UP: set_up,
    Phase.WEATHER: weather_step,
    Phase.AIRPOWER: airpower_step,
    Phase.REINFORCEMENTS: reinforcement_step,
    Phase.DISPATCH: points_step,
    Phase.ARTILLERY: artillery_step,
    Phase.ATTACHMENT: attachment_step,
    Phase.MUG: mug_step,
    Phase.CLEANUP: cleanup_step,
    Phase.TURN_RECORD: turn_record_step,
}
