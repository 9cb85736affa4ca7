"""What a step costs (14.3, 14.5): the hex, the hexside, or the road. Costs are in half Movement Points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from beachhead.hexes import Hex
from beachhead.rules import Breakdown, Modifier, Objection, Provenance
from beachhead_gts.battlefield import Battlefield
from beachhead_gts.charts import HALF, Costs, HexsideTerrain, Terrain
from beachhead_gts.tables import MovementClass

Around = tuple[tuple[tuple[Hex, int], ...], int]
"""The neighbours that one can step into, each with what it costs; and all of them as a set."""


def _costs(row: Terrain | HexsideTerrain, column: bool) -> Costs:
    return row.column if column else row.normal


def terrain_at(field: Battlefield, hex: Hex) -> list[Terrain]:
    """The chart's rows for what lies in a hex; clear where nothing does."""
    return [field.charts.terrain[name] for name in field.board.terrain.get(hex, ("clear",))]


def hexside_rows(field: Battlefield, here: Hex, there: Hex) -> list[HexsideTerrain]:
    """The chart's rows for what lies along a hexside."""
    return [field.charts.hexsides[name] for name in sorted(field.board.features(here, there))]


def road_cost(field: Battlefield, kind: MovementClass, column: bool, here: Hex, there: Hex) -> tuple[str, int] | None:
    """The cheapest road from a hex to its neighbour, and what the step along it costs.

    None where none leads there or helps: nobody must use a road, so one that costs as much as other terrain, or more, is no help.
    """
    found: list[tuple[int, str]] = []
    for name, row in field.charts.roads.items():
        cost = (row.column if column else row.normal)[kind]
        if isinstance(cost, int) and field.board.linked(name, here, there):
            found.append((cost, name))
    if not found:
        return None
    cost, name = min(found)
    other = known_step_cost(field, kind, column, here, there, roads=False)
    return None if other is not None and other.total <= cost else (name, cost)


def step_cost(
    field: Battlefield, kind: MovementClass, column: bool, here: Hex, there: Hex, *, roads: bool = True
) -> Breakdown | None:
    """What a step costs, in half Movement Points, with its terms; None where it is not permitted.

    Args:
        field: the map and its charts.
        kind: the unit's Movement Class.
        column: whether it is in Column (14.6).
        here, there: neighbours.
        roads: whether it may use roads: units that move together do not (14.7).
    """
    if next(prohibitions(field, kind, column, here, there, roads=roads), None) is not None:
        return None
    road = road_cost(field, kind, column, here, there) if roads else None
    rules = ("gts:14.3.b", "gts:14.5.a", "gts:14.6.h") if column else ("gts:14.3.b", "gts:14.5.a")
    if road is not None:
        authored = field.charts.roads[road[0]].cost_source is Provenance.AUTHORED
        return Breakdown.of(Modifier(f"{road[0]} into {field.board.label(there)}", road[1], rules, authored), per=HALF)
    terms = []
    rows: list[Terrain | HexsideTerrain] = [*terrain_at(field, there), *_crossed(field, here, there)]
    dearest = max(terrain_at(field, there), key=lambda row: _costs(row, column)[kind] or 0)
    for row in rows:
        cost = _costs(row, column)[kind]
        if cost and (row is dearest or isinstance(row, HexsideTerrain)):
            place = f"{row.name} {'into' if isinstance(row, HexsideTerrain) else 'at'} {field.board.label(there)}"
            terms.append(Modifier(place, cost, rules, row.cost_source is Provenance.AUTHORED))
    return Breakdown(tuple(terms), per=HALF)


def known_step_cost(
    field: Battlefield, kind: MovementClass, column: bool, here: Hex, there: Hex, *, roads: bool = True
) -> Breakdown | None:
    """The same, found once; None for what is no neighbour, too."""
    known, step = field.costs, (kind, column, roads, here, there)
    if step not in known:
        if there not in field.board.neighbours(here):
            known[step] = None
        elif there in field.between.get(here, ()):
            known[step] = step_cost(field, kind, column, here, there, roads=roads)
        else:  # it is the same from wherever they come
            inside = (kind, column, False, None, there)
            if inside not in known:
                known[inside] = step_cost(field, kind, column, here, there, roads=False)
            known[step] = known[inside]
    return known[step]


def _crossed(field: Battlefield, here: Hex, there: Hex) -> list[HexsideTerrain]:
    """What along a hexside must be paid for: on a bridge or ferry nothing but itself."""
    rows = hexside_rows(field, here, there)
    over = [row for row in rows if row.column_only]
    return over or rows


def prohibitions(
    field: Battlefield, kind: MovementClass, column: bool, here: Hex, there: Hex, *, roads: bool = True
) -> Iterator[Objection]:
    """Why terrain does not permit a step (14.5, 14.7)."""
    label = field.board.label
    for side in _crossed(field, here, there):
        if side.column_only and not column:
            rules = ("gts:14.7.m",) if roads else ("gts:14.7.m", "gts:14.7.n")
            yield Objection(rules, "only a unit in Column crosses the {} from {} to {}", (side.name, label(here), label(there)))  # fmt: skip
            return
    if roads and road_cost(field, kind, column, here, there) is not None:
        return
    where = f"{label(here)} to {label(there)}"
    rows: list[Terrain | HexsideTerrain] = [*terrain_at(field, there), *_crossed(field, here, there)]
    for row in rows:
        if _costs(row, column)[kind] is None:
            place = where if isinstance(row, HexsideTerrain) else label(there)
            how = "in Column" if column else "out of Column"
            yield Objection(("gts:14.5.a", "gts:14.1.b"), "{} ({}) is prohibited to {} units {}", (row.name, place, kind, how))  # fmt: skip


def permitted_in(field: Battlefield, kind: MovementClass, column: bool, hex: Hex) -> bool:
    """Whether a hex permits a unit to be there in or out of Column: some do so in Column only (14.5, 14.10.2)."""
    return bool(permitted(field, kind, column) & field.bit[hex])


def permitted(field: Battlefield, kind: MovementClass, column: bool) -> int:
    """All hexes that permit such a unit to be there, as a set; found once for each kind."""
    known = field.permitted.get((kind, column))
    if known is None:
        immobile = kind is MovementClass.IMMOBILE
        known = field.permitted[kind, column] = field.board.mask(
            hex for hex in field.board if immobile or _own_cost(field, kind, column, hex) is not None
        )
    return known


class Steps(dict[Hex, Around]):
    """The steps out of a hex, found when they are asked for the first time."""

    def __init__(self, out_of: Callable[[Hex], Around]) -> None:
        super().__init__()
        self._out_of = out_of

    def __missing__(self, here: Hex) -> Around:
        found = self[here] = self._out_of(here)
        return found


def steps(field: Battlefield, kind: MovementClass, column: bool, roads: bool = True) -> Steps:
    """For each hex the neighbours that terrain lets a unit step into, with the cost; found once for each kind of mover."""
    known = field.steps.get((kind, column, roads))
    if known is None:
        known = field.steps[kind, column, roads] = Steps(partial(_steps_out_of, field, kind, column, roads))
    return known


def _steps_out_of(field: Battlefield, kind: MovementClass, column: bool, roads: bool, here: Hex) -> Around:
    entered, between = entering(field, kind, column), field.between.get(here, ())
    found = []
    for there in field.board.neighbours(here):
        if there in between:
            terms = known_step_cost(field, kind, column, here, there, roads=roads)
            cost = None if terms is None else terms.total
        else:
            cost = entered[there]
        if cost is not None:
            found.append((there, cost))
    return tuple(found), field.board.mask([hex for hex, _ in found])


def entering(field: Battlefield, kind: MovementClass, column: bool) -> Mapping[Hex, int | None]:
    """What each hex costs where neither a road leads into it nor anything lies along the hexside; None where it is prohibited."""
    known = field.entering.get((kind, column))
    if known is None:
        known = field.entering[kind, column] = {hex: _own_cost(field, kind, column, hex) for hex in field.board}
    return known


def _own_cost(field: Battlefield, kind: MovementClass, column: bool, hex: Hex) -> int | None:
    """What the terrain of a hex costs: the dearest of it; None where some of it is prohibited."""
    most = 0
    for row in terrain_at(field, hex):
        cost = _costs(row, column)[kind]
        if cost is None:
            return None
        most = max(most, cost)
    return most


# ------------------------------------------------------------ roads that run past each other
def changes_road(
    field: Battlefield, kind: MovementClass, column: bool, came: Hex, here: Hex, there: Hex
) -> tuple[Modifier, ...] | None:
    """What it costs more to leave a hex by another road than one came on, where the two do not join: the hex's own cost in place of the road's (14.6).

    It makes the step no dearer than one that uses no road.

    Returns:
        no term where the step is no change of roads; None where the hex itself is prohibited, and so is the step without a road.
    """
    groups = field.unjoined.get(here, ())
    by, on = road_cost(field, kind, column, came, here), road_cost(field, kind, column, here, there)
    if not groups or by is None or on is None or any(came in group and there in group for group in groups):
        return ()
    own = _own_cost(field, kind, column, here)
    more = [] if own is None else [max(0, own - by[1])]
    other = known_step_cost(field, kind, column, here, there, roads=False)
    if other is not None:
        more.append(other.total - on[1])
    return (Modifier("from one road to another", min(more), "gts:14.6.i"),) if more else None
