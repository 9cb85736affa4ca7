"""Set-up, landings and landing fire (3.0, 5.0, Juno 5.0)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import final

from attrs import frozen

from beachhead.dice import D6, Roll
from beachhead.hexes import Hex
from beachhead.play import Decision, Play, call
from beachhead.rules import Chart, Objection, Provenance
from beachhead_koenig.beach import Away, Beach, Lands, SetUp
from beachhead_koenig.events import LandingDelayed, UnitPlaced
from beachhead_koenig.fire import hit
from beachhead_koenig.ground import terrain
from beachhead_koenig.phase_events import CupFilled, TurnBegan
from beachhead_koenig.scenario.given import LANDINGS
from beachhead_koenig.state import State
from beachhead_koenig.tables import Side


# ------------------------------------------------------------ set-up
async def set_up(play: Play[State]) -> None:
    """The cup, the German units, the Allied units, the turn marker (3.0)."""
    beach = play.state.setting
    play.record(CupFilled(tuple([f.name for f in beach.formations]), ("koenig:3.0.a",)))
    for side, rule in ((Side.GERMAN, "koenig:3.0.b"), (Side.ALLIED, "koenig:3.0.c")):
        for piece in beach.roster:
            if piece.side is side and isinstance(piece.arrives, SetUp):
                play.record(UnitPlaced(piece.name, piece.arrives.hex, (rule,)))
    play.record(TurnBegan(1, ("koenig:3.0.e", "koenig:3.0.d")))


# ------------------------------------------------------------ who lands where
def due(state: State) -> tuple[tuple[str, Hex], ...]:
    """The units due to land now, those delayed from earlier turns first, each with its beach hex (5.0, Juno 5.0, koenig:landing_order)."""
    waiting = [
        (piece.arrives.turn, piece.name, piece.arrives.hex)
        for piece in state.setting.roster
        if isinstance(piece.arrives, Lands)
        and piece.arrives.turn <= state.turn
        and state.place(piece.name) is Away.WAITING
    ]
    return tuple([(name, hex) for _, name, hex in sorted(waiting, key=lambda row: row[0])])


def landing_objections(state: State, side: Side, hex: Hex) -> Iterator[Objection]:
    """What bars a landing in a hex: an enemy unit, or two units (5.0, 8.2)."""
    held, there, label = state.occupation, state.setting.bit[hex], state.setting.board.label(hex)
    if held.of(side.enemy) & there:
        yield Objection("koenig:5.0.c", "an enemy unit is in {}", (label,))
    if held.full & there:
        yield Objection(("koenig:5.0.d", "koenig:8.2.b"), "{} holds two units", (label,))


@final
@frozen
class LandIn:
    """Land in this hex."""

    hex: Hex


@final
@frozen
class DelayLanding:
    """Try again on the next turn."""


@frozen
class ChooseLanding(Decision[State, LandIn | DelayLanding]):
    """Where a unit lands: where it should, and if that is barred, on a beach beside it or not yet (5.0)."""

    side: Side
    unit: str
    beach: Hex
    rule = "koenig:5.0.a"
    prompt = "choose the beach hex to land in, or delay the landing"

    def candidates(self, state: State) -> Iterator[LandIn | DelayLanding]:
        """Its own beach, and those beside it."""
        yield LandIn(self.beach)
        for hex in state.setting.board.neighbours(self.beach):
            if "beach" in terrain(state.setting, hex):
                yield LandIn(hex)
        yield DelayLanding()

    def objections(self, state: State, action: LandIn | DelayLanding) -> Iterator[Objection]:
        """Another beach, or a delay, only if its own is barred."""
        board, own = state.setting.board, self.beach
        free = next(landing_objections(state, self.side, own), None) is None
        if isinstance(action, DelayLanding):
            if free:
                yield Objection("koenig:5.0.f", "{} is open: {} must land there", (board.label(own), self.unit))
            return
        if action.hex != own:
            if action.hex not in board:
                yield Objection("koenig:5.0.e", "{} is not on the map", (action.hex,))
                return
            label = board.label(action.hex)
            if free:
                yield Objection("koenig:5.0.e", "{} is open: {} must land there", (board.label(own), self.unit))
            if "beach" not in terrain(state.setting, action.hex) or action.hex not in board.neighbours(own):
                yield Objection("koenig:5.0.e", "{} is no beach next to {}", (label, board.label(own)))
        yield from landing_objections(state, self.side, action.hex)


WAVE = {1: "koenig:juno.5.0.a", 2: "koenig:juno.5.0.c", 3: "koenig:juno.5.0.e"}
"""The statements that name the units of each wave at Juno."""


async def landing_phase(play: Play[State]) -> None:
    """The units due are placed, then the German player fires at each of them, then the Allied player at each German unit beside them (5.0)."""
    landed: list[str] = []
    for unit, hex in due(play.state):
        side = play.state.setting.piece(unit).side
        choice = await ChooseLanding(side, unit, hex)
        if isinstance(choice, DelayLanding):
            play.record(LandingDelayed(unit))
            continue
        play.record(UnitPlaced(unit, choice.hex, landing_rules(play.state, unit, choice.hex == hex)))
        landed.append(unit)
    for unit in landed:
        await call(landing_fire, unit, "koenig:5.0.h")
    for unit in beside(play.state, landed):
        await call(landing_fire, unit, "koenig:5.0.i")


def landing_rules(state: State, unit: str, own_beach: bool) -> tuple[str, ...]:
    """The rules by which a unit lands: the schedule's, and those of a landing that was delayed or shifted."""
    piece, arrives = state.setting.piece(unit), state.setting.piece(unit).arrives
    assert isinstance(arrives, Lands)
    turn, _ = LANDINGS.get((piece.formation, unit), (0, ""))
    wave = ("koenig:K-33", WAVE[turn]) if turn == arrives.turn else ()  # another beach has waves of its own
    late = ("koenig:5.0.f", "koenig:landing_order") if arrives.turn < state.turn else ()
    return ("koenig:5.0.a", *wave, *late, *(() if own_beach else ("koenig:5.0.e",)))


def beside(state: State, landed: list[str]) -> tuple[str, ...]:
    """The enemies next to units that have just landed, each once (5.0)."""
    near = {
        enemy
        for unit in landed
        if isinstance(hex := state.place(unit), Hex)
        for enemy in state.enemies_near(hex, state.setting.piece(unit).side)
    }
    return tuple(sorted(near, key=lambda name: state.setting.number[name]))


# ------------------------------------------------------------ landing fire
@frozen
class HitsBy:
    """A row of the Landing Fire Table, rolled against a unit: the Hits for each face of the die."""

    row: tuple[int, ...]
    unit: str

    def read(self, face: int, /) -> int:
        """The Hits."""
        return self.row[face - 1]

    def __str__(self) -> str:
        return f"Hits on {self.unit}"


def landing_row(state: State) -> Chart:
    """The row of the Landing Fire Table for this turn; where it has none, and from the first night on, the last one printed (koenig:5.0.g)."""
    return _landing_row(state.setting, state.turn)


@lru_cache(maxsize=1024)
def _landing_row(beach: Beach, turn: int) -> Chart:
    rows = {name: chart for name, chart in beach.charts.items() if name.startswith("landing fire ")}
    last = next(reversed(rows.values()))
    return last if _first_day_is_over(beach, turn) else rows.get(f"landing fire {beach.track[turn - 1]}", last)


def first_day_is_over(state: State) -> bool:
    """Whether it has been night: the Landing Fire Table is that of June 6."""
    return _first_day_is_over(state.setting, state.turn)


def _first_day_is_over(beach: Beach, turn: int) -> bool:
    return any(beach.night(n) for n in range(1, turn + 1))


_FACES = tuple(map(str, D6.faces))


async def landing_fire(play: Play[State], unit: str, rule: str) -> None:
    """One die on the Landing Fire Table: nothing changes it, and nobody retreats (5.0)."""
    chart = landing_row(play.state)
    row = HitsBy(tuple([chart[face] for face in _FACES]), unit)
    hits: int = await Roll(D6, row, rule)
    if hits:
        arrives = play.state.setting.piece(unit).arrives
        delayed = isinstance(arrives, Lands) and arrives.turn < play.state.turn
        late = ("koenig:5.0.g",) if delayed or first_day_is_over(play.state) else ()
        authored = any(chart[face] == hits and chart.source[face] is Provenance.AUTHORED for face in chart)
        play.record(hit(play.state, unit, (rule, chart.rule, "koenig:K-06", *late), hits, authored=authored))
