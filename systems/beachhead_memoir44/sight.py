"""Line of sight: what obstructs the straight line between two hex centres (m44:los.*)."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from beachhead import sight
from beachhead.hexes import Hex
from beachhead.rules import Objection, Verdict, first_objection, verdict
from beachhead_memoir44.state import State
from beachhead_memoir44.tables import BlocksSight


@frozen
class Obstruction:
    """Why a hex obstructs a sight line across it."""

    hex: Hex
    what: object
    rules: tuple[str, ...]


def obstruction(state: State, hex: Hex, a: Hex, b: Hex) -> Obstruction | None:
    """What in a hex obstructs the line from a to b, or None.

    Terrain that blocks (m44:los.terrain_blocks) and units of either side (m44:los.units_block). Hills let those see across who stand,
    both of them, on the same connected ground of that height (m44:terrain.general.contiguous).
    """
    for row in state.rows(hex):
        if row.blocks_los is BlocksSight.YES or (
            row.blocks_los is BlocksSight.EXCEPT_SAME_HEIGHT and not _level(state, hex, a, b)
        ):
            return Obstruction(hex, row.noun, row.cites["blocks_los"])
    unit = state.unit_at(hex)
    return None if unit is None else Obstruction(hex, state.name(unit), ("m44:los.units_block",))


def _level(state: State, hex: Hex, a: Hex, b: Hex) -> bool:
    """Whether a and b see across this raised hex as across a plain."""
    setting = state.setting
    if setting.ruling("hill_sight") == "height":
        return min(setting.height(a), setting.height(b)) >= setting.height(hex)
    plateau = setting.plateau(hex)
    return a in plateau and b in plateau


def sight_objections(state: State, a: Hex, b: Hex) -> Iterator[Objection]:
    """What blocks the line of sight between two hexes; neither of them blocks itself (m44:los.endpoints).

    A hex that the line crosses blocks it (m44:los.centre_line). A run along hexsides is blocked when something stands on both sides of it
    (m44:los.edge_both_sides), anywhere along the line (m44:los.edge_staggered). A corner that is touched never blocks.
    """
    line = sight.line(a, b)
    for hex in line.through:
        if found := obstruction(state, hex, a, b):
            yield Objection(
                found.rules,
                "{} at {} blocks the sight from {} to {}",
                (found.what, state.label(hex), state.label(a), state.label(b)),
            )
    runs = line.along
    if not runs:
        return
    if state.setting.ruling("edge_sight") == "segment":
        sides = [([run.left], [run.right]) for run in runs]
    else:
        sides = [([run.left for run in runs], [run.right for run in runs])]
    for left, right in sides:
        on_left, on_right = (
            next(filter(None, (_flank(state, hex, a, b) for hex in side)), None) for side in (left, right)
        )
        if on_left and on_right:
            rule = "m44:los.edge_both_sides" if len(runs) == 1 else "m44:los.edge_staggered"
            what = (state.label(a), state.label(b), on_left.what, on_right.what)
            yield Objection(
                (rule, *on_left.rules, *on_right.rules),
                "the sight from {} to {} runs along hexsides between {} and {}",
                what,
            )


def _flank(state: State, hex: Hex, a: Hex, b: Hex) -> Obstruction | None:
    """What obstructs on one side of a run along a hexside; off the board, the ruling says."""
    if hex in state.setting.board:
        return obstruction(state, hex, a, b)
    return (
        Obstruction(hex, "the board's edge", ("m44:board_edge_sight",))
        if state.setting.ruling("board_edge_sight") == "blocks"
        else None
    )


def sees(state: State, a: Hex, b: Hex) -> bool:
    """Whether there is a line of sight, asked often: remembered for the state."""
    memo = state.index.memo
    key = ("sees", a, b)
    if key not in memo:
        memo[key] = memo["sees", b, a] = _clear(state, a, b) or first_objection(sight_objections(state, a, b)) is None
    return memo[key]  # type: ignore[return-value]


def _clear(state: State, a: Hex, b: Hex) -> bool:
    """Whether the line is clear at a glance: it follows no hexside, and nothing that could obstruct lies on it."""
    through, runs = state.setting.masks.between(a, b)
    return not runs and not through & _in_doubt(state)


def _in_doubt(state: State) -> int:
    """The hexes that obstruct some line or other: units, and terrain that blocks."""
    memo = state.index.memo
    if "in doubt" not in memo:
        ground = state.setting.ground(state.obstacles)
        blocking = (hex for hex, rows in ground.items() if any(row.blocks_los is not BlocksSight.NO for row in rows))
        units = (unit.hex for unit in state.units if isinstance(unit.hex, Hex))
        memo["in doubt"] = state.setting.board.mask((*blocking, *units))
    return memo["in doubt"]  # type: ignore[return-value]


def can_see(state: State, a: Hex, b: Hex) -> Verdict:
    """Whether there is a line of sight between two hexes, and what blocks it (m44:los.*)."""
    return verdict(sight_objections(state, a, b))
