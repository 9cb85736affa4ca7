"""The mug: what goes in, what comes out, and what a chit opens with: reinforcements and rolls, or attachment (8.0 to 10.0.3, 21.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import final

from attrs import frozen

from beachhead.dice import D10, Roll
from beachhead.hexes import Hex
from beachhead.play import Chance, Decision, Play, call
from beachhead.rules import Objection
from beachhead_gts.battlefield import Away, Division, Piece, direct_command
from beachhead_gts.command import command_area, commands
from beachhead_gts.events import LeaderPlaced, UnitPlaced
from beachhead_gts.phase_events import (
    ActivationOpened,
    ChitCarriedOver,
    ChitDrawn,
    CommandPointsReceived,
    DispatchPointsChanged,
    MugFilled,
    PhaseBegan,
    UnitAttached,
)
from beachhead_gts.state import State
from beachhead_gts.tables import PRE_NIGHT_BONUS, ChitKind, Phase, Side, Stripe


# ------------------------------------------------------------ step G
def fill_mug(play: Play[State]) -> None:
    """All chits that are eligible; on the first turn those that the scenario names (9.0)."""
    state = play.state
    field = state.setting
    rules = ["gts:4.0.i"]
    if state.turn == 1:
        names = field.first_turn.mug
        rules.append("gts:9.0.a")
    else:
        divisions = tuple([d.name for d in field.divisions if d.arrives <= state.turn])
        names = (*divisions, *map(direct_command, Side), *state.ready)
        rules += ("gts:9.0.b", "gts:9.0.d", "gts:9.0.f", *(("gts:9.0.e",) if state.ready else ()))
        if any(d.arrives == state.turn for d in field.divisions):
            rules.append("gts:9.0.c")
    chits = sorted((field.chits[name] for name in names if name != state.carried), key=lambda chit: chit.name)
    play.record(MugFilled(tuple(chits), rules, field.first_turn.mug if state.turn == 1 else ()))


# ------------------------------------------------------------ drawing
@frozen
class DrawChit(Chance[State, str]):
    """A chit from the mug, unseen: each that is in it is as likely (10.0.1)."""

    rule: str = "gts:1.2.c"

    def outcomes(self, state: State) -> Sequence[tuple[str, int]]:
        """Those in the mug."""
        return state.mug.counts

    def read(self, outcome: str) -> str:
        """The chit."""
        return outcome

    def text(self, outcome: str, state: State) -> str:
        """The event that follows says it."""
        return ""


async def draw(play: Play[State]) -> None:
    """The chit left from last turn first; then one after the other until one is left (10.0.1, 10.0.6)."""
    state = play.state
    if state.carried:
        rules = ("gts:10.0.1.a",) if state.turn == 1 else ("gts:10.0.1.b", "gts:10.0.6.d")
        play.record(ChitDrawn(state.carried, rules))
    elif state.mug.size > 1:
        chit = await DrawChit()
        play.record(ChitDrawn(chit, "gts:1.2.c"))
    else:
        for chit in state.mug:
            free = ("gts:10.0.6.c",) if state.setting.chits[chit].kind is ChitKind.FORMATION else ()
            play.record(ChitCarriedOver(chit, ("gts:10.0.6.a", "gts:10.0.6.d", *free)))
        play.record(PhaseBegan(Phase.CLEANUP, ("gts:4.0.a", "gts:10.0.6.a")))


# ------------------------------------------------------------ what a chit opens with
async def open_activation(play: Play[State]) -> None:
    """A Division's reinforcements and rolls, or a Formation's attachments; then its units act (10.0.1, 21.5)."""
    chit = play.state.chit
    if chit.kind is ChitKind.DIVISION:
        await call(arrive, chit.division)
        await call(roll_points, chit.division)
        play.record(ActivationOpened(("gts:10.0.1.f", "gts:10.0.1.g")))
    elif chit.kind is ChitKind.FORMATION:
        await call(attach, chit.formation)
        play.record(ActivationOpened(("gts:10.0.1.d", "gts:21.5.b")))
    else:
        play.record(ActivationOpened("gts:10.0.5.a"))


# ------------------------------------------------------------ reinforcements
@final
@frozen
class ArriveInColumn:
    """It starts in Column."""


@final
@frozen
class ArriveDeployed:
    """It starts out of Column."""


@frozen
class HowToArrive(Decision[State, ArriveInColumn | ArriveDeployed]):
    """The owner decides whether a reinforcement starts in Column (8.0)."""

    side: Side
    unit: str
    rule = "gts:8.0.o"

    @property
    def prompt(self) -> str:  # type: ignore[override]
        """Which unit."""
        return f"{self.unit} arrives: in Column, or not"

    def certain(self, state: State) -> tuple[ArriveDeployed | ArriveInColumn, ...]:
        """Either, at no cost."""
        return (ArriveDeployed(), ArriveInColumn())


async def arrive(play: Play[State], division: str) -> None:
    """The units in the box are placed on the reinforcement hex, with their Leaders (8.0)."""
    field = play.state.setting
    entry = field.division_of[division].entry
    for i in field.members[division]:
        if play.state.units[i].place is not Away.BOX or entry is None:
            continue
        piece = field.roster[i]
        action = await HowToArrive(piece.side, piece.name)
        column = isinstance(action, ArriveInColumn)
        rules = ("gts:8.0.d", "gts:8.0.f", "gts:8.0.o")
        play.record(UnitPlaced(piece.name, entry, column, entering=True, rule=rules))
        for j in field.leaders_of[piece.formation] if piece.formation else ():
            if not isinstance(play.state.leaders[j], Hex):
                back = ("gts:21.3.f",) if play.state.leaders[j] is Away.REMOVED else ()
                play.record(LeaderPlaced(field.leaders[j].name, entry, ("gts:8.0.e", *back)))


# ------------------------------------------------------------ Command and Dispatch Points
@frozen
class HalfOf:
    """The reading of the roll for Command Points: half of it, rounded down (10.0.3)."""

    def read(self, face: int, /) -> int:
        """Half of the face."""
        return face // 2

    def __str__(self) -> str:
        return "half of it"


@frozen
class DispatchChange:
    """What a Dispatch roll changes, and the rows of the table that apply."""

    points: int
    rules: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.points:+d}"


@frozen
class DispatchRoll:
    """The reading of the roll for Dispatch Points: what it changes, all that applies added up (10.0.3)."""

    rating: int
    held: int
    nine_loses: bool

    def read(self, face: int, /) -> DispatchChange:
        """The change."""
        rows = [
            (-1, "gts:10.0.3.d", face == 9),
            (+1, "gts:10.0.3.e", face == 0),
            (+1, "gts:10.0.3.f", face <= self.rating and not (face == 9 and self.nine_loses)),
            (+1, "gts:10.0.3.g", face < self.held and not (face == 9 and self.nine_loses)),
        ]
        points = sum(n for n, _, applies in rows if applies)
        return DispatchChange(points, tuple([rule for _, rule, applies in rows if applies]))

    def __str__(self) -> str:
        return f"Dispatch Rating {self.rating}, {self.held} held"


async def roll_points(play: Play[State], division: str) -> None:
    """A die for Command Points, a die for Dispatch Points, and two more of these before night (10.0.3)."""
    field = play.state.setting
    ratings: Division = field.division_of[division]
    half: int = await Roll(D10, HalfOf(), "gts:10.0.3.a")
    points = ratings.command + half
    rules = ("gts:10.0.3.a", "gts:10.0.3.b", "gts:10.0.3.c", "gts:10.0.4.a")
    play.record(CommandPointsReceived(division, half, points, rules))
    held = play.state.division_points(division).dispatch
    reading = DispatchRoll(ratings.dispatch, held, field.choice("G07") == "nine_loses")
    change: DispatchChange = await Roll(D10, reading, "gts:10.0.3.a")
    if change.rules:
        play.record(DispatchPointsChanged(division, change.points, (*change.rules, "gts:10.0.3.h")))
    if field.before_night(play.state.turn):
        play.record(DispatchPointsChanged(division, PRE_NIGHT_BONUS, ("gts:10.0.3.k", "gts:10.0.3.l")))


# ------------------------------------------------------------ attachment
@final
@frozen
class Attach:
    """This independent unit acts with the Formation."""

    unit: str


@final
@frozen
class DoneAttaching:
    """No (more) units are attached."""


@frozen
class AttachUnits(Decision[State, Attach | DoneAttaching]):
    """Which independent units act with the Formation: settled as its activation opens (21.5, 21.6)."""

    side: Side
    formation: str
    rule = "gts:21.5.b"

    @property
    def prompt(self) -> str:  # type: ignore[override]
        """Which Formation."""
        return f"attach independent units to {self.formation}, or go on"

    def certain(self, state: State) -> list[Attach | DoneAttaching]:
        """The independent units of the Division that are near a Leader of the Formation, as far as his Attachment Rating goes."""
        field, roster, units, near, left = state.setting, state.setting.roster, state.units, 0, 0
        assert state.activation is not None
        attached = state.activation.attached
        for leader in field.leaders_of[self.formation]:
            near |= command_area(state, leader)
            left += field.leaders[leader].attachment
        left -= sum([_counts(state, field.piece(each)) for each in attached])
        found: list[Attach | DoneAttaching] = []
        for i in field.independents[field.division_of[self.formation].name]:
            if near & field.bit.get(units[i].place, 0) and not units[i].entering and roster[i].name not in attached:
                barred = roster[i].stripe is Stripe.BLACK and field.choice("G41") == "division"
                if not barred and (left > 0 or not _counts(state, roster[i])):
                    found.append(_attach(roster[i].name))
        return [*found, DoneAttaching()]

    def objections(self, state: State, action: Attach | DoneAttaching) -> Iterator[Objection]:
        """Whose it is, whether a Leader has it within his range, and his Attachment Rating (21.6.2)."""
        if isinstance(action, DoneAttaching):
            return
        field, now, unit = state.setting, state.activation, action.unit
        assert now is not None
        division = field.division_of[self.formation].name
        if unit not in field.number or not field.piece(unit).independent or field.piece(unit).division != division:
            yield Objection("gts:21.6.1.a", "{} is no independent unit of {}", (unit, division))
            return
        piece, place = field.piece(unit), state.place(unit)
        leaders = field.leaders_of[self.formation]
        if not isinstance(place, Hex) or not any(commands(state, leader, place) for leader in leaders):
            rule = "gts:21.6.2.b" if piece.stripe is Stripe.WHITE else "gts:21.6.1.c"
            yield Objection(rule, "{} is not within the Command Range of a Leader of {}", (unit, self.formation))
        if state.unit(unit).entering:
            yield Objection("gts:8.0.n", "{} is on its reinforcement hex, and so Out of Command", (unit,))
        if unit in now.attached:
            yield Objection("gts:21.5.b", "{} is attached already", (unit,))
        used = sum(_counts(state, field.piece(each)) for each in now.attached)
        limit = sum(field.leaders[i].attachment for i in leaders)
        if _counts(state, piece) and used >= limit:
            yield Objection("gts:21.6.2.a", "the Attachment Rating of {} is {}", (self.formation, limit))
        if piece.stripe is Stripe.BLACK and field.choice("G41") == "division":
            yield Objection("gts:G41", "{} is black-striped: it acts with its Division's chit only", (unit,))


_attach: Callable[[str], Attach] = cache(Attach)  # the same few, again and again


def _counts(state: State, piece: Piece) -> bool:
    """Whether a unit uses up the Attachment Rating: a black-striped one does by choice only (gts:G41)."""
    return piece.stripe is Stripe.WHITE or state.setting.choice("G41") != "free"


async def attach(play: Play[State], formation: str) -> None:
    """One independent unit after the other (21.6.2)."""
    side = play.state.setting.division_of[formation].side
    while True:
        action = await AttachUnits(side, formation)
        if isinstance(action, DoneAttaching):
            return
        black = play.state.setting.piece(action.unit).stripe is Stripe.BLACK
        rules = ("gts:21.6.1.c", "gts:G41") if black else ("gts:21.6.1.a", "gts:21.6.2.a", "gts:21.6.2.c")
        play.record(UnitAttached(action.unit, rules))
