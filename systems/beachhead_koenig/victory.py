"""How to win: the Victory Points of both players, and the result (13.0, Juno 13.0)."""

from __future__ import annotations

from beachhead.hexes import Hex
from beachhead.rules import Breakdown, Modifier
from beachhead.systems import Result
from beachhead_koenig.beach import Away
from beachhead_koenig.ground import terrain
from beachhead_koenig.state import State
from beachhead_koenig.tables import Phase, Side

WORTH = {"city": (2, "koenig:juno.13.0.a"), "town": (1, "koenig:juno.13.0.b")}
"""Victory Points for a hex that a unit occupies, once a hex; of two the one that is worth more counts (koenig:town_and_city)."""


def victory_points(state: State, side: Side) -> Breakdown:
    """The Victory Points that a player would have if the game ended now, item by item (Juno 13.0)."""
    return hexes_held(state, side) + (exits(state) if side is Side.ALLIED else losses_and_reserves(state))


def hexes_held(state: State, side: Side) -> Breakdown:
    """City and town hexes in which units of the player stand, and none of the enemy's: who still fights holds nothing (koenig:K-38)."""
    terms = Breakdown()
    for hex in state.setting.board:
        worth = [WORTH[name] for name in terrain(state.setting, hex) if name in WORTH]
        if worth and state.side_at(hex) is side:
            points, rule = max(worth)
            kind = "city" if points == WORTH["city"][0] else "town"
            rules = (rule, "koenig:K-38", *(("koenig:town_and_city",) if len(worth) > 1 else ()))
            terms += Modifier(f"{kind} at {state.setting.board.label(hex)}", points, rules)
    return terms


def exits(state: State) -> Breakdown:
    """Allied units that left by the roads without any Hit."""
    terms = Breakdown()
    for name in by_name(state, Side.ALLIED):
        unit = state.unit(name)
        if unit.place is Away.EXITED and not unit.hits:
            terms += Modifier(f"{name} exited undamaged", 1, ("koenig:juno.13.0.e", "koenig:juno.13.0.g"))
    return terms


def losses_and_reserves(state: State) -> Breakdown:
    """Eliminated Allied units, and German units on the map without any Hit."""
    terms = Breakdown()
    for name in by_name(state, Side.ALLIED):
        if state.place(name) is Away.ELIMINATED:
            terms += Modifier(f"{name} eliminated", 1, "koenig:juno.13.0.c")
    for name in by_name(state, Side.GERMAN):
        unit = state.unit(name)
        if isinstance(unit.place, Hex) and not unit.hits:
            terms += Modifier(f"{name} intact", 1, "koenig:juno.13.0.d")
    return terms


def by_name(state: State, side: Side) -> tuple[str, ...]:
    """The units of a player."""
    return tuple([piece.name for piece in state.setting.roster if piece.side is side])


def over(state: State) -> bool:
    """Whether the last turn has been played."""
    return state.phase is Phase.OVER


def result(state: State) -> Result | None:
    """Who has more Victory Points; equal totals are a draw, unless koenig:K-12 says otherwise."""
    if not over(state):
        return None
    points = {side: victory_points(state, side).total for side in Side}
    lead = points[Side.ALLIED] - points[Side.GERMAN]
    scores = {str(side): total for side, total in points.items()}
    if not lead:
        german = state.setting.choice("K-12") == "german"
        return Result(Side.GERMAN if german else None, scores, "equal Victory Points", "koenig:K-12")
    winner = Side.ALLIED if lead > 0 else Side.GERMAN
    return Result(winner, scores, "more Victory Points", "koenig:13.0.a")
