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
) -> Side | None:
    """Who holds a medal on the board as the units stand.

    Args:
        state: how the units stand.
        what: the medal.
        now: who held it until now.
        turn_of: at the start of this side's turn; None at any other moment.
    """
    if isinstance(what, EmptySection):
        enemy = any(what.wing in state.setting.wings(state.place(i)) for i in state.of(what.side.other))
        return None if enemy else what.side
    if what.permanent and now is not None:
        return now
    entitled = [side for side in state.setting.armies if _entitled(state, what, side)]
    if what.turn_start:  # won only when its side's turn begins, but lost as soon as the hex is left
        entitled = [side for side in entitled if side in (now, turn_of)]
    if now in entitled or (what.last_to_occupy and not entitled):
        return now
    return entitled[0] if len(entitled) == 1 else what.otherwise


def _entitled(state: State, what: Objective, side: Side) -> bool:
    """Whether a side's units stand as a medal asks for."""
    if what.side not in (None, side):
        return False
    own = _hexes_held(state, what.hexes, side)
    if own < (1 if what.any_hex else what.number):
        return False
    enemy = _hexes_held(state, what.hexes, side.other)
    return not (what.majority and own <= enemy) and not (what.sole_control and enemy)


def medal_kind(what: Objective | EmptySection) -> tuple[str, ...]:
    """The rules about medals of this kind: those by which it is won and lost."""
    if isinstance(what, EmptySection):
        return ("m44:victory.empty_section",)
    kinds = {
        "m44:victory.objective_any_hex": what.any_hex,
        "m44:victory.objective_majority": what.majority,
        "m44:victory.objective_sole": what.sole_control,
        "m44:victory.objective_group": len(what.hexes) > 1 and not (what.any_hex or what.majority),
        "m44:victory.objective_either": what.side is None,
        "m44:victory.objective_turn_start": what.turn_start,
        "m44:victory.objective_value": what.counts_for > 1,
        "m44:victory.objective_permanent": what.permanent,
        "m44:victory.objective_last": what.last_to_occupy and not what.permanent,
        "m44:victory.objective_temporary": not (what.permanent or what.last_to_occupy),
    }
    return tuple(rule for rule, holds in kinds.items() if holds)


def _hexes_held(state: State, group: tuple[Hex, ...], side: Side) -> int:
    return (state.index.held[side] & state.setting.board.mask(group)).bit_count()


def holder_changes(state: State, *, turn_of: Side | None = None) -> Iterator[tuple[int, Side | None, tuple[str, ...]]]:
    """The medals on the board that change hands as the units stand now: which, who holds it from now on, and the rules about its kind."""
    for i, (what, now) in enumerate(zip(state.setting.objectives, state.held, strict=True)):
        found = holder(state, what, now, turn_of=turn_of)
        if found is not now:
            yield i, found, medal_kind(what)


# ------------------------------------------------------------ the end
def winner(state: State) -> tuple[Side, str, str] | None:
    """Who has won, the rule by which, and the reason; None while the battle goes on. The first that applies ends it at once (m44:victory.moment)."""
    setting = state.setting
    for side in (state.active, state.active.other):
        if state.medals_of(side) >= setting.needed[side]:
            return side, "m44:victory.moment", f"it has the {_counted(setting.needed[side])} it needs"
    for condition in setting.sudden_death:
        if _hexes_held(state, condition.hexes, condition.side) >= condition.number:
            return condition.side, "m44:victory.sudden_death", f"it holds {condition.number} of the named hexes"
    for side, army in state.index.armies.items():
        if not army:
            return side.other, "m44:victory.no_units", f"no unit of the {side} is left"
    if state.phase is Phase.OUT_OF_CARDS and setting.winner_without_cards:
        return setting.winner_without_cards, "m44:deck.no_reshuffle", "the draw pile is empty at the end of a turn"
    return None


def _counted(medals: int) -> str:
    return "medal" if medals == 1 else f"{medals} medals"


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
