"""Who is In Command, and who may spend Command Points (21.4, 21.4.1, 10.0.2, 10.0.5)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_

from beachhead.hexes import Hex
from beachhead.rules import Objection, Verdict
from beachhead_gts.battlefield import Piece
from beachhead_gts.state import State, face
from beachhead_gts.tables import ChitKind


def in_command(state: State, unit: str) -> bool:
    """Whether a unit is In Command at this instant (21.4)."""
    return commanded(state, state.setting.number[unit])


def commanded(state: State, i: int) -> bool:
    """The same for the i-th unit."""
    piece, now = state.setting.roster[i], state.units[i]
    if type(now.place) is not Hex or now.entering:
        return False
    return bool(_commanded_hexes(state, piece) & state.setting.bit[now.place]) or face(piece, now).auto_command


def _commanded_hexes(state: State, piece: Piece) -> int:
    """The hexes within the Command Range of some Leader who may command a unit, as a set; found once for each place of the Leaders."""
    latest, whose = state.setting.commanded, piece.formation or piece.division
    known = latest[0] if latest else None  # taken at once: another game may put its own there
    if known is None or known[0] is not state.leaders:
        known = (state.leaders, dict[str, int]())
        latest[:] = [known]
    area = known[1].get(whose)
    if area is None:
        area = known[1][whose] = reduce(or_, [command_area(state, leader) for leader in leaders_for(state, piece)], 0)
    return area


def leaders_for(state: State, piece: Piece) -> tuple[int, ...]:
    """The numbers of the Leaders who may command a unit: those of its Formation, or all of its Division for one that has none of its own (21.4, 21.4.1)."""
    own = state.setting.leaders_of[piece.formation] if piece.formation else ()
    return own or state.setting.leaders_of[piece.division]


def command_area(state: State, leader: int) -> int:
    """The hexes within a Leader's Command Range, as a set; none where he is on a reinforcement hex, or not on the map (21.4)."""
    field, place = state.setting, state.leaders[leader]
    piece = field.leaders[leader]
    if type(place) is not Hex or place in field.entries[field.division_of[piece.formation].side]:
        return 0
    return field.board.within_mask(place, piece.range)


def commands(state: State, leader: int, hex: Hex) -> bool:
    """Whether a hex is within a Leader's Command Range, and he is where he can command (21.4)."""
    return bool(command_area(state, leader) & state.setting.bit[hex])


def command_verdict(state: State, unit: str) -> Verdict:
    """Whether a unit is In Command, and by whom; or why it is not (21.4)."""
    piece, now = state.setting.piece(unit), state.unit(unit)
    if not isinstance(now.place, Hex):
        return Verdict((Objection("gts:21.4.a", "{} {}", (unit, now.place.value)),))
    if now.entering:
        return Verdict((Objection("gts:8.0.n", "{} is still on its reinforcement hex", (unit,)),))
    if face(piece, now).auto_command:
        return Verdict(facts=(Objection("gts:2.0.f", "{} has a red Fire Range: it is Auto-Command", (unit,)),))
    for leader in leaders_for(state, piece):
        if commands(state, leader, now.place):
            named = state.setting.leaders[leader]
            rule = "gts:21.4.a" if piece.formation == named.formation else _elsewhere(piece)
            return Verdict(facts=(Objection(rule, "{} is within {} of {}", (unit, named.range, named.name)),))
    return Verdict(tuple(_out_of_command(state, unit, piece, now.place)))


def _elsewhere(piece: Piece) -> str:
    """The rule by which another Leader of the Division commands a unit: an independent one, or one of a Formation without Leaders."""
    return "gts:21.4.1.a" if piece.independent else "gts:21.4.e"


def _out_of_command(state: State, unit: str, piece: Piece, hex: Hex) -> Iterator[Objection]:
    label, entries = state.setting.board.label, state.setting.entries[piece.side]
    leaders = leaders_for(state, piece)
    for i in leaders:
        leader, place = state.setting.leaders[i], state.leaders[i]
        if not isinstance(place, Hex):
            yield Objection("gts:21.4.a", "{} {}", (leader.name, place.value))
        elif place in entries and place.distance(hex) <= leader.range:
            yield Objection("gts:21.4.g", "{} is on the reinforcement hex {}", (leader.name, label(place)))
        else:
            yield Objection(
                "gts:21.4.a",
                "{} is {} hexes from {}, whose Command Range is {}",
                (unit, place.distance(hex), leader.name, leader.range),
            )
    if not leaders:
        yield Objection("gts:21.4.a", "{} has no Leader", (unit,))


# ------------------------------------------------------------ Command Points
def can_spend(state: State, unit: str) -> bool:
    """Whether a Command Point may be spent on a check of a unit: it is In Command, and its Division has one (21.4.d)."""
    return state.division_points(state.setting.points_of(unit)).command > 0 and in_command(state, unit)


def commanded_in_activation(state: State, unit: str) -> bool:
    """Whether a unit is In Command for an Action that a Command Point buys.

    An independent unit that acts with a Formation must be within the range of that Formation's Leader (21.6.2).
    """
    piece, now = state.setting.piece(unit), state.activation
    assert now is not None
    if piece.independent and state.chit.kind is ChitKind.FORMATION:
        place = state.place(unit)
        leaders = state.setting.leaders_of[now.chit]
        return isinstance(place, Hex) and any(commands(state, leader, place) for leader in leaders)
    return in_command(state, unit)


def purchase_objections(state: State, unit: str, price: int, *, second: bool) -> Iterator[Objection]:
    """Why a Command Point cannot buy an Action of a unit, where so many are needed at once (10.0.2, 10.0.5)."""
    if state.unit(unit).entering:
        yield Objection("gts:8.0.m", "{} has not entered play: no Command Point is spent on it", (unit,))
    elif not commanded_in_activation(state, unit):
        independent = second and state.setting.piece(unit).independent
        rule = "gts:10.0.2.c" if second else "gts:10.0.5.a"
        yield Objection((rule, "gts:21.6.2.d") if independent else rule, "{} is not In Command", (unit,))
    division = state.setting.points_of(unit)
    held = state.division_points(division).command
    if held < price:
        yield Objection(
            "gts:10.0.2.d" if second else ("gts:10.0.5.f", "gts:10.0.5.e"),
            "{} has {} Command Points, and {} are needed",
            (division, held, price),
        )
