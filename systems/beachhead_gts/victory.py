"""Victory: what the scenario gives points for, when the last turn has been played (12.0)."""

from __future__ import annotations

from beachhead.rules import Breakdown, Modifier
from beachhead.sentences import counted
from beachhead.systems import Result, name_of
from beachhead_gts.battlefield import Away
from beachhead_gts.state import State
from beachhead_gts.tables import Phase, Side


def victory_points(state: State, side: Side) -> Breakdown:
    """The Victory Points that a side has: for the objectives that it holds, and for enemy units eliminated."""
    field = state.setting
    terms = [
        Modifier(objective.name, objective.points, "gts:12.0.b", "objectives" in field.authored_victory)
        for objective, holder in zip(field.objectives, state.held, strict=True)
        if holder is side
    ]
    if field.elimination_points:
        pairs = zip(field.roster, state.units, strict=True)
        gone = sum(piece.side is not side and unit.place is Away.ELIMINATED for piece, unit in pairs)
        if gone:
            own = "elimination_points" in field.authored_victory
            label = f"{counted(gone, 'enemy unit')} eliminated"
            terms.append(Modifier(label, gone * field.elimination_points, "gts:12.0.b", own))
    return Breakdown(tuple(terms))


def result(state: State) -> Result | None:
    """Who has won, when the game is over: more points; equal ones are a draw."""
    if state.phase is not Phase.OVER:
        return None
    points = {side: victory_points(state, side).total for side in Side}
    allied, german = points[Side.ALLIED], points[Side.GERMAN]
    winner = None if allied == german else Side.ALLIED if allied > german else Side.GERMAN
    reason = "equal Victory Points" if winner is None else "more Victory Points"
    return Result(winner, {name_of(side): n for side, n in points.items()}, reason, "gts:12.0.b")
