"""The sequence of play: the phases of a Game Turn in their order (4.0)."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from beachhead.play import Play, Then, call
from beachhead_koenig.landing import landing_phase, set_up
from beachhead_koenig.night import redeployment_step, replacement_rolls, replacement_step
from beachhead_koenig.operations import draw, fill_cup, operate
from beachhead_koenig.phase_events import GameEnded, InterdictionLifted, PhaseBegan, PointsLost, TurnBegan
from beachhead_koenig.state import State, Support
from beachhead_koenig.support import support_phase
from beachhead_koenig.tables import Phase

_OPERATIONS = Phase.OPERATIONS  # looking it up in the enum takes ten times as long


def step(play: Play[State]) -> Coroutine[Any, Any, Then[None] | None]:
    """One step of the sequence of play, found from the state alone."""
    state = play.state
    if state.phase is _OPERATIONS:
        return draw(play) if state.activation is None else operate(play)
    return _STEPS[state.phase](play)


async def landing_step(play: Play[State]) -> None:
    """The landings, and on to what the day or the night brings (4.0)."""
    await landing_phase(play)
    night = play.state.night
    rules = ("koenig:4.0.a", "koenig:4.0.e" if night else "koenig:4.0.c")
    play.record(PhaseBegan(Phase.REPLACEMENT if night else Phase.SUPPORT, rules))
    if night:
        await call(replacement_rolls)


async def support_step(play: Play[State]) -> None:
    """The support rolls, and the HQs into the cup (4.0, 7.0)."""
    await support_phase(play)
    play.record(PhaseBegan(Phase.OPERATIONS, ("koenig:4.0.a", "koenig:4.0.d")))
    fill_cup(play)


async def housekeeping(play: Play[State]) -> None:
    """What was for this turn only is gone; the turn marker moves on, or the game ends (4.0)."""
    if play.state.interdicted:
        play.record(InterdictionLifted())
    if play.state.support != Support():
        play.record(PointsLost())
    if play.state.turn == play.state.setting.last_turn:
        play.record(GameEnded())
    play.record(TurnBegan(play.state.turn + 1))


_STEPS = {
    Phase.SET_UP: set_up,
    Phase.LANDING: landing_step,
    Phase.SUPPORT: support_step,
    Phase.REPLACEMENT: replacement_step,
    Phase.REDEPLOYMENT: redeployment_step,
    Phase.HOUSEKEEPING: housekeeping,
}
