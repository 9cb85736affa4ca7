"""Medals on the board, and how a battle ends (m44:victory.*)."""

from __future__ import annotations

from collections.abc import Iterator

from beachhead.hexes import Hex
from beachhead.systems import Result
from beachhead_memoir44.m44.values import Objective
from beachhead_memoir44.state import EmptySection, Phase, State
from beachhead_memoir44.tables import Side


def holder(
    state: State, what: Objective | EmptySection, now: Side | None, *, turn_of: Side | None = None
) -> tuple[Side | None, str]:
    """Who holds a medal on the board as the units stand, and the rule that says so.

    Args:
        state: how the units stand.
        what: the medal.
        now: who held it until now.
        turn_of: at the start of this side's turn; None at any other moment.
    """
    if isinstance(what, EmptySection):
        enemy = any(what.wing in state.setting.wings(state.place(i)) for i in state.of(what.side.other))
        return (None if enemy else what.side), "m44:victory.empty_section"
    if what.permanent and now is not None:
        return now, "m44:victory.objective_permanent"
    counts = {side: _hexes_held(state, what.hexes, side) for side in Side}
    if what.turn_start:
        return _at_turn_start(what, now, counts, turn_of), "m44:victory.objective_turn_start"
    if what.any_hex and what.side:
        return (what.side if counts[what.side] else what.otherwise), "m44:victory.objective_any_hex"
    if what.majority:
        most = next((side for side in Side if counts[side] > counts[side.other]), None)
        return _kept(what, now, most if what.side in (None, most) else None), "m44:victory.objective_majority"
    if what.sole_control and all(counts.values()):
        return None, "m44:victory.objective_sole"
    found = next((side for side in Side if what.side in (None, side) and counts[side] >= what.number), None)
    return _kept(what, now, found), _rule(what, found)


def _kept(what: Objective, now: Side | None, found: Side | None) -> Side | None:
    """A last-to-occupy medal stays with the side that held it last."""
    return now if found is None and what.last_to_occupy else found


def _at_turn_start(what: Objective, now: Side | None, counts: dict[Side, int], turn_of: Side | None) -> Side | None:
    """Counted only when its side's turn begins; lost as soon as the hex is left."""
    if now is not None:
        return now if counts[now] >= what.number else None
    return turn_of if turn_of is not None and what.side in (None, turn_of) and counts[turn_of] >= what.number else None


def _rule(what: Objective, found: Side | None) -> str:
    if what.last_to_occupy:
        return "m44:victory.objective_last"
    if what.sole_control:
        return "m44:victory.objective_sole"
    if what.side is None:
        return "m44:victory.objective_either"
    if len(what.hexes) > 1:
        return "m44:victory.objective_group"
    if found is not None and what.counts_for > 1:
        return "m44:victory.objective_value"
    return "m44:victory.objective_permanent" if what.permanent else "m44:victory.objective_temporary"


def _hexes_held(state: State, group: tuple[Hex, ...], side: Side) -> int:
    units = (state.unit_at(hex) for hex in group)
    return sum(unit is not None and state.side(unit) is side for unit in units)


def holder_changes(state: State, *, turn_of: Side | None = None) -> Iterator[tuple[int, Side | None, str]]:
    """The medals on the board that change hands as the units stand now (m44:victory.objective_when)."""
    for i, (what, now) in enumerate(zip(state.setting.objectives, state.held, strict=True)):
        found, rule = holder(state, what, now, turn_of=turn_of)
        if found is not now:
            yield i, found, rule


# ------------------------------------------------------------ the end
def winner(state: State) -> tuple[Side, str, str] | None:
    """Who has won, the rule by which, and the reason; None while the battle goes on. The first that applies ends it at once (m44:victory.moment)."""
    setting = state.setting
    for side in (state.active, state.active.other):
        if state.medals_of(side) >= setting.needed[side]:
            return side, "m44:victory.moment", f"it has the {setting.needed[side]} medals it needs"
    for condition in setting.sudden_death:
        if _hexes_held(state, condition.hexes, condition.side) >= condition.number:
            return condition.side, "m44:victory.sudden_death", f"it holds {condition.number} of the named hexes"
    for side in Side:
        if not any(type(state.units[i].hex) is Hex for i in setting.armies[side]):
            return side.other, "m44:victory.no_units", f"the {side} has no unit left"
    if state.phase is Phase.OUT_OF_CARDS and setting.winner_without_cards:
        return setting.winner_without_cards, "m44:deck.no_reshuffle", "the draw pile is empty at the end of a turn"
    return None


def over(state: State) -> bool:
    """Whether the battle has ended."""
    return winner(state) is not None


def result(state: State) -> Result | None:
    """How it ended. Medals beyond those needed are not counted (m44:victory.excess)."""
    found = winner(state)
    if found is None:
        return None
    side, rule, reason = found
    scores = {str(s): min(state.medals_of(s), state.setting.needed[s]) for s in Side}
    return Result(side, scores, reason, rule)
