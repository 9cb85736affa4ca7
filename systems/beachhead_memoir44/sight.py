"""Line of sight: what obstructs the straight line between two hex centres (m44:los.*)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from attrs import frozen

from beachhead import sight
from beachhead.hexes import Hex
from beachhead.rules import Objection, Verdict, first_objection, verdict
from beachhead_memoir44.state import State
from beachhead_memoir44.tables import BlocksSight


@frozen
class Obstruction:
    """What obstructs sight lines: in words, with the rules by which it does, and the rule by which it blocks a line across its hex."""

    what: object
    rules: tuple[str, ...]
    crossed: str


def obstruction(state: State, hex: Hex, a: Hex, b: Hex) -> Obstruction | None:
    """What in a hex obstructs the line from a to b, or None.

    Terrain that blocks (m44:los.terrain_blocks) and units of either side (m44:los.units_block). Hills let those see across who stand,
    both of them, on the same connected ground of that height (m44:terrain.general.contiguous).
    """
    for row in state.rows(hex):
        if row.blocks_los is BlocksSight.YES or (
            row.blocks_los is BlocksSight.EXCEPT_SAME_HEIGHT and not _level(state, hex, a, b)
        ):
            return Obstruction(f"{row.noun} at {state.label(hex)}", row.cites["blocks_los"], "m44:los.terrain_blocks")
    unit = state.unit_at(hex)
    return None if unit is None else Obstruction(state.name(unit), (), "m44:los.units_block")


def _level(state: State, hex: Hex, a: Hex, b: Hex) -> bool:
    """Whether a and b see across this raised hex as across a plain."""
    setting = state.setting
    if setting.ruling("hill_sight") == "height":
        return min(setting.height(a), setting.height(b)) >= setting.height(hex)
    plateau = setting.plateau(hex)
    return a in plateau and b in plateau


def sight_objections(state: State, a: Hex, b: Hex) -> Iterator[Objection]:
    """What blocks the line of sight between two hexes; neither of them blocks itself (m44:los.endpoints).

    A hex that the line crosses blocks it (m44:los.centre_line). A run along a hexside is blocked when something stands on both sides of it
    (m44:los.edge_both_sides), and so is the line with something on its left and on its right (m44:los.edge_staggered). A corner that is
    touched never blocks.
    """
    line, ends = sight.line(a, b), (state.label(a), state.label(b))
    for hex in line.through:
        if found := obstruction(state, hex, a, b):
            rules = (*found.rules, found.crossed, "m44:los.centre_line")
            yield Objection(rules, "{} blocks the sight from {} to {}", (found.what, *ends))
    flanks = [(_flank(state, run.left, a, b), _flank(state, run.right, a, b)) for run in line.along]
    both = [(left, right) for left, right in flanks if left and right]
    for left, right in both:
        yield _between("m44:los.edge_both_sides", left, right, ends)
    lefts, rights = [left for left, _ in flanks if left], [right for _, right in flanks if right]
    if lefts and rights and not both and state.setting.ruling("edge_sight") == "line":
        yield _between("m44:los.edge_staggered", lefts[0], rights[0], ends)


def _flank(state: State, hex: Hex, a: Hex, b: Hex) -> Obstruction | None:
    """What obstructs on one side of a run along a hexside; off the board, the ruling says."""
    if hex in state.setting.board:
        return obstruction(state, hex, a, b)
    edge = Obstruction("the board's edge", ("m44:board_edge_sight",), "m44:board_edge_sight")
    return edge if state.setting.ruling("board_edge_sight") == "blocks" else None


def _between(rule: str, left: Obstruction, right: Obstruction, ends: tuple[str, str]) -> Objection:
    what = "the sight from {} to {} runs along hexsides between {} and {}"
    return Objection(tuple(dict.fromkeys((rule, *left.rules, *right.rules))), what, (*ends, left.what, right.what))


def sees(state: State, a: Hex, b: Hex) -> bool:
    """Whether there is a line of sight, asked often: remembered for the state."""
    memo = state.index.memo
    key = ("sees", a, b)
    if key not in memo:
        memo[key] = memo["sees", b, a] = _clear(state, a, b) or first_objection(sight_objections(state, a, b)) is None
    return memo[key]  # type: ignore[return-value]


def _clear(state: State, a: Hex, b: Hex) -> bool:
    """Whether the line is clear at a glance: nothing that could obstruct lies on it or beside it, and it does not follow the board's edge."""
    through, runs = state.setting.masks.between(a, b)
    doubtful = _in_doubt(state)
    return not through & doubtful and all(left and right and not (left | right) & doubtful for left, right in runs)


def _in_doubt(state: State) -> int:
    """The hexes that obstruct some line or other: units, and terrain that blocks."""
    memo = state.index.memo
    if "in doubt" not in memo:
        memo["in doubt"] = state.occupied | state.setting.remembered(
            "blocking", state.obstacles, partial(_blocking, state)
        )
    return memo["in doubt"]  # type: ignore[return-value]


def _blocking(state: State) -> int:
    ground = state.index.ground.items()
    return state.setting.board.mask(
        hex for hex, rows in ground if any(row.blocks_los is not BlocksSight.NO for row in rows)
    )


def can_see(state: State, a: Hex, b: Hex) -> Verdict:
    """Whether there is a line of sight between two hexes, what blocks it, and what comes near to it without blocking (m44:los.*)."""
    against = verdict(sight_objections(state, a, b))
    return against if against.objections else Verdict(facts=tuple(_near_misses(state, a, b)))


def _near_misses(state: State, a: Hex, b: Hex) -> Iterator[Objection]:
    """What stands on one side only of a line that follows hexsides (m44:los.edge_one_side), or is touched at a corner (m44:los.corner_touch)."""
    line = sight.line(a, b)
    for hex in (hex for run in line.along for hex in (run.left, run.right)):
        if found := _flank(state, hex, a, b):
            yield Objection(("m44:los.edge_one_side", *found.rules), "{} stands on one side only", (found.what,))
    for hex in line.touched:
        if found := _flank(state, hex, a, b):
            yield Objection(("m44:los.corner_touch", *found.rules), "{} is only touched at a corner", (found.what,))
