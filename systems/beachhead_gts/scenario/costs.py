"""What a movement cost looks like on a chart: "4(2)", "NP", "OT(1/2)", "OTx2(1/2)", "+2(+4)"."""

from __future__ import annotations

import re

from beachhead.scenario_values import Value
from beachhead_gts.charts import HALF, OtherTerrain

Cost = int | OtherTerrain | None
"""In half Movement Points; as much as other terrain, or a multiple of it; None: not permitted."""
_COST = r"NP|OT(?:x[2-9])?|\+?[0-9]{1,2}(?:/2)?"
_BOTH = re.compile(rf"({_COST})\s*(?:\(({_COST})\))?")


def read_cost(value: Value, least: int = 1, *, other_terrain: bool = False) -> tuple[Cost, Cost]:
    """The cost out of Column, and that in Column, which is the same where only one stands there. After a fault it is one that forbids nothing.

    Args:
        least: the lowest cost that can be, in half Movement Points.
        other_terrain: whether a cost may be that of other terrain.

    >>> [read_cost(Value("leg", text, [])) for text in ("4(2)", "NP", "+2(+4)", "NP(1/2)", 2)]
    [(8, 4), (None, None), (4, 8), (None, 1), (4, 4)]
    >>> read_cost(Value("leg", "OTx2(1/2)", []), other_terrain=True)
    (OtherTerrain(times=2), 1)
    """
    text = str(value.value) if type(value.value) is int else value.text()
    found = _BOTH.fullmatch(text)
    costs = [_cost(part) for part in found.groups() if part] if found else []
    for cost in costs:
        if isinstance(cost, OtherTerrain) and not other_terrain:
            value.fault("only a road can cost as much as other terrain", "a number of Movement Points, or NP")
            return HALF, HALF
        if isinstance(cost, int) and cost < least:
            value.fault("this would cost nothing", '"1/2" at least')
            return HALF, HALF
    if not costs:
        if text:
            more = ', "OT" or "OTx2" for other terrain' if other_terrain else ""
            value.fault("no cost", f'such as "4(2)" for 4, and 2 in Column; "NP" for not permitted{more}')
        return HALF, HALF
    return costs[0], costs[-1]


def _cost(text: str) -> Cost:
    if text == "NP":
        return None
    if text.startswith("OT"):
        return OtherTerrain(int(text[3:] or 1))
    points, _, halves = text.removeprefix("+").partition("/")
    return int(points) * (1 if halves else HALF)
