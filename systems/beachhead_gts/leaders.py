"""Leaders (21.0): they transfer at the end of an activation, go along with units that a Command Point moves, and are never left alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.play import Decision, Play
from beachhead.rules import Objection
from beachhead_gts.battlefield import Away, LeaderPiece, Place
from beachhead_gts.events import LeaderPlaced
from beachhead_gts.phase_events import LeaderAsked
from beachhead_gts.state import State
from beachhead_gts.tables import Side


def formation_hexes(state: State, formation: str) -> tuple[Hex, ...]:
    """The hexes in which units of a Formation stand, in the order of the board."""
    places = {state.units[i].place for i in state.setting.members[formation]}
    return tuple(sorted((hex for hex in places if isinstance(hex, Hex)), key=state.setting.board.index))


def with_his_own(state: State, leader: LeaderPiece, place: Place) -> bool:
    """Whether a unit of a Leader's Formation is in a place of his on the map."""
    roster, formation = state.setting.roster, leader.formation
    for i in state.numbers_at(place) if type(place) is Hex else ():  # noqa: SIM110  (in half the time)
        if roster[i].formation == formation:
            return True
    return False


def independent_hexes(state: State, division: str) -> tuple[Hex, ...]:
    """The hexes in which independent units of a Division stand."""
    places = {state.units[i].place for i in state.setting.independents[division]}
    return tuple(sorted((hex for hex in places if isinstance(hex, Hex)), key=state.setting.board.index))


# ------------------------------------------------------------ transfer at the end of an activation
@final
@frozen
class Transfer:
    """The Leader goes to this hex."""

    hex: Hex


@final
@frozen
class StayInPlace:
    """The Leader stays where he is."""


@frozen
class TransferLeader(Decision[State, Transfer | StayInPlace]):
    """At the end of his Formation's or Division's activation a Leader may go to any unit of his, or to an independent one (21.2)."""

    side: Side
    leader: str
    rule = "gts:21.2.b"

    @property
    def prompt(self) -> str:  # type: ignore[override]
        """Which Leader."""
        return f"transfer {self.leader}, or let him stay"

    def certain(self, state: State) -> list[Transfer | StayInPlace]:
        """To stay with a unit of his, and the hexes with units that he may join."""
        leader, here = _piece(state, self.leader), state.leader(self.leader)
        hexes = formation_hexes(state, leader.formation)
        if here not in hexes:
            return [*map(_transfer, hexes)]
        if state.setting.choice("G39") == "independent":
            division = state.setting.division_of[leader.formation].name
            hexes = tuple(dict.fromkeys((*hexes, *independent_hexes(state, division))))
        return [StayInPlace(), *[_transfer(hex) for hex in hexes if hex != here]]

    def objections(self, state: State, action: Transfer | StayInPlace) -> Iterator[Objection]:
        """A Leader without a unit of his Formation must go to one; otherwise he goes where a unit of his is, or an independent one."""
        leader = _piece(state, self.leader)
        own = formation_hexes(state, leader.formation)
        here = state.leader(self.leader)
        alone = here not in own
        if isinstance(action, StayInPlace):
            if alone:
                yield Objection("gts:21.2.d", "{} has no unit of {} with him", (self.leader, leader.formation))
            return
        if action.hex not in state.setting.board:
            yield Objection("gts:21.2.c", "{!r} is not on the map", (action.hex,))
            return
        label = state.setting.board.label(action.hex)
        if action.hex == here:
            yield Objection("gts:21.2.a", "{} is in {} already: let him stay", (self.leader, label))
        elif action.hex not in own:
            independent = independent_hexes(state, state.setting.division_of[leader.formation].name)
            if action.hex not in independent:
                yield Objection("gts:21.2.c", "{} has no unit of {} or independent of its Division", (label, leader.formation))  # fmt: skip
            elif alone:
                yield Objection("gts:21.2.d", "{} must go to a unit of {}", (self.leader, leader.formation))
            elif state.setting.choice("G39") == "own":
                yield Objection("gts:G39", "{} may end only with a unit of {}", (self.leader, leader.formation))


_transfer: Callable[[Hex], Transfer] = cache(Transfer)  # the same few, again and again


def _piece(state: State, leader: str) -> LeaderPiece:
    return state.setting.leaders[state.setting.leader_number[leader]]


def transferring(state: State) -> str:
    """The next Leader who may transfer in this activation; "" when all have been asked (21.2)."""
    now = state.activation
    assert now is not None
    if state.chit.direct:
        return ""
    for i in state.setting.leaders_of[now.chit]:
        leader = state.setting.leaders[i]
        waits = isinstance(state.leaders[i], Hex) and not now.transferred >> i & 1
        if waits and formation_hexes(state, leader.formation):
            return leader.name
    return ""


async def transfer_leader(play: Play[State], leader: str) -> None:
    """A Leader transfers or stays: the last thing in an activation (21.2)."""
    side = play.state.setting.division_of[_piece(play.state, leader).formation].side
    action = await TransferLeader(side, leader)
    if isinstance(action, Transfer):
        play.record(LeaderPlaced(leader, action.hex, ("gts:21.2.b", "gts:21.2.c", "gts:21.2.e", "gts:21.2.a")))
    play.record(LeaderAsked(leader, "gts:21.2.b"))


# ------------------------------------------------------------ going along
@final
@frozen
class GoAlong:
    """The Leader goes with the units that move."""


@final
@frozen
class RemainBehind:
    """The Leader stays with those that do not."""


@frozen
class LeaderGoes(Decision[State, GoAlong | RemainBehind]):
    """Whether a Leader goes along with units that a Command Point moves out of his hex (21.2)."""

    side: Side
    leader: str
    units: tuple[str, ...]
    rule = "gts:21.2.h"

    @property
    def prompt(self) -> str:  # type: ignore[override]
        """Which Leader."""
        return f"{self.leader} goes with {', '.join(self.units)}, or stays"

    def candidates(self, state: State) -> tuple[GoAlong | RemainBehind, ...]:
        """Both."""
        return (GoAlong(), RemainBehind())

    def objections(self, state: State, action: GoAlong | RemainBehind) -> Iterator[Objection]:
        """He remains only with one of those that he has to stay with (21.2)."""
        if isinstance(action, RemainBehind) and set(company(state, self.leader)) <= set(self.units):
            rules = ("gts:21.2.h", "gts:21.2.g", "gts:21.2.j")
            yield Objection(rules, "nobody is left that {} could stay with", (self.leader,))


def _hex(state: State, leader: str) -> Hex:
    place = state.leader(leader)
    assert isinstance(place, Hex)
    return place


def company(state: State, leader: str) -> tuple[str, ...]:
    """The units that a Leader has to stay with: those of his Formation in his hex or, if there is none, independent ones of his Division (21.2)."""
    piece = _piece(state, leader)
    division = state.setting.division_of[piece.formation].name
    there = [state.setting.piece(unit) for unit in state.at(_hex(state, leader))]
    own = tuple([each.name for each in there if each.formation == piece.formation])
    return own or tuple([each.name for each in there if each.independent and each.division == division])


def concerned(state: State, units: tuple[str, ...]) -> tuple[str, ...]:
    """The Leaders in the hex of some units who have to stay with one of them, if not with others."""
    place = state.place(units[0])
    assert isinstance(place, Hex)
    return tuple([each for each in state.leaders_at(place) if not set(company(state, each)).isdisjoint(units)])


async def who_goes(play: Play[State], leaders: tuple[str, ...], units: tuple[str, ...]) -> tuple[str, ...]:
    """Which of some Leaders go along with units that a Command Point moves out of their hex (21.2)."""
    going = []
    for leader in concerned(play.state, units) if units and leaders else ():
        if leader in leaders:
            action = await LeaderGoes(play.state.setting.piece(units[0]).side, leader, units)
            if isinstance(action, GoAlong):
                going.append(leader)
    return tuple(going)


def take_along(play: Play[State], leaders: tuple[str, ...], there: Hex) -> None:
    """They are where the units have moved that they go along with (21.2)."""
    for leader in leaders:
        play.record(LeaderPlaced(leader, there, ("gts:21.2.g", "gts:21.2.j")))


# ------------------------------------------------------------ never alone
@frozen
class JoinNearest(Decision[State, Transfer]):
    """A Leader without units of his goes to the nearest of them; the owner chooses among equals (21.3)."""

    side: Side
    leader: str
    rule = "gts:21.3.c"

    @property
    def prompt(self) -> str:  # type: ignore[override]
        """Which Leader."""
        return f"{self.leader} is left alone: to which of the nearest units of his does he go?"

    def candidates(self, state: State) -> list[Transfer]:
        """The nearest hexes with a unit of his Formation."""
        here, own = _hex(state, self.leader), formation_hexes(state, _piece(state, self.leader).formation)
        least = min(map(here.distance, own))
        return [Transfer(hex) for hex in own if here.distance(hex) == least]

    def objections(self, state: State, action: Transfer) -> Iterator[Objection]:
        """Only those."""
        if action not in self.candidates(state):
            yield Objection("gts:21.3.b", "{} goes to the nearest unit of his Formation", (self.leader,))


def accompanied(state: State) -> tuple[str, ...]:
    """The Leaders who have a unit of their Formation with them."""
    pairs = zip(state.setting.leaders, state.leaders, strict=True)
    return tuple([each.name for each, place in pairs if with_his_own(state, each, place)])


async def mind_leaders(play: Play[State], before: tuple[str, ...] = ()) -> None:
    """Leaders without a unit of their Formation: they go to the nearest, or out of play when there is none (21.3).

    Args:
        play: the play.
        before: the Leaders who had one until now: those who have lost it, an independent unit does not keep where they are (gts:G39).
    """
    for i, leader in enumerate(play.state.setting.leaders):
        place = play.state.leaders[i]
        if not isinstance(place, Hex) or with_his_own(play.state, leader, place):
            continue
        if not formation_hexes(play.state, leader.formation):
            play.record(LeaderPlaced(leader.name, Away.REMOVED, "gts:21.3.e"))
        elif not _excused(play.state, leader, place, bereft=leader.name in before):
            side = play.state.setting.division_of[leader.formation].side
            asked = JoinNearest(side, leader.name)
            chosen = ("gts:21.3.c",) if len(asked.candidates(play.state)) > 1 else ()
            action = await asked
            play.record(LeaderPlaced(leader.name, action.hex, ("gts:21.3.b", *chosen)))


def _excused(state: State, leader: LeaderPiece, place: Hex, *, bereft: bool) -> bool:
    """Whether a Leader may be without units of his Formation now: in its activation or its Division's, or with an independent unit that he transferred to (21.3.d, 21.2.c)."""
    now = state.activation
    division = state.setting.division_of[leader.formation].name
    if now is not None and now.chit in (leader.formation, division):
        return True
    transferred = not bereft and state.setting.choice("G39") == "independent"
    return transferred and any(
        state.setting.roster[i].independent and state.setting.roster[i].division == division
        for i in state.numbers_at(place)
    )
