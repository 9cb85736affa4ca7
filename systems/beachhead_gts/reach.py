"""How far a unit can get in one Movement Action if nobody fires at it (14.3): hexes, costs and ways."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.rules import first_objection
from beachhead_gts import ground
from beachhead_gts.mover import entry_objections, mover, one_hex_move
from beachhead_gts.state import State

FAR = 1_000_000
"""More Movement Points than any way costs, in halves."""
_Stop = tuple[Hex, Hex | None]
"""A hex, and where it matters, the one from which it is entered: roads may run past each other there (14.6)."""


@frozen
class Reach:
    """Where a unit can get: the least cost of each hex, in half Movement Points, and the ways there."""

    start: Hex
    hexes: Mapping[Hex, int]
    _stops: Mapping[Hex, _Stop]
    _came: Mapping[_Stop, _Stop]

    def path(self, hex: Hex) -> tuple[Hex, ...]:
        """The cheapest way, with both its ends.

        Raises:
            KeyError: the unit cannot get there.
        """
        stop, way = self._stops[hex], [hex]
        while stop in self._came:
            stop = self._came[stop]
            way.append(stop[0])
        return tuple(way[::-1])


def reach(state: State, unit: str, points: int, *, second: bool = False) -> Reach:
    """Where a unit that begins to move now can get with so many half Movement Points: without changes of Column and forced marches."""
    field, (_, now, kind) = state.setting, mover(state, unit)
    start = now.place
    assert isinstance(start, Hex)
    enter: dict[Hex, bool] = {}
    near = ground.steps(field, kind, now.column)
    best: dict[_Stop, int] = {(start, None): 0}
    came, stops = dict[_Stop, _Stop](), dict[Hex, _Stop]()
    queue: list[tuple[int, int, Hex, Hex | None]] = [(0, 0, start, None)]
    while queue:
        spent, _, here, before = heappop(queue)
        stop = (here, before)
        if best[stop] < spent:
            continue
        stops.setdefault(here, stop)
        last = spent > points or (here != start and spent == points)
        for there, price in () if last else near[here][0]:
            if there not in enter:
                enter[there] = first_objection(entry_objections(state, unit, there, second=second)) is None
            if not enter[there]:
                continue
            if before is not None:
                extra = ground.changes_road(field, kind, now.column, before, here, there)
                if extra is None:
                    continue
                price += sum(term.value for term in extra)
            total = spent + price
            if total > points and not (here == start and one_hex_move(state, unit, fresh=True)):
                continue
            following: _Stop = (there, here if there in field.unjoined else None)
            if total < best.get(following, FAR):
                best[following], came[following] = total, stop
                heappush(queue, (total, field.board.index(there), *following))
    return Reach(start, {hex: best[stop] for hex, stop in stops.items() if hex != start}, stops, came)
