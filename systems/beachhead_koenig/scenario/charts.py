"""The tables of the map: movement costs, landing fire, Allied support, replacements (koenig:2.1.e)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise, takewhile

from beachhead.rules import Chart
from beachhead.scenario_values import SOURCES, Sources, Value
from beachhead_koenig.scenario.given import FIGURES, TURNS
from beachhead_koenig.tables import TERRAIN, Side

DIE = ("1", "2", "3", "4", "5", "6")
COSTS = (*(name for name in TERRAIN if name != "sea"), "river")
"""What has a cost: every terrain that can be entered, and the river hexside."""
MOST = 20
"""More than any figure of the game."""


def read_charts(value: Value, track: tuple[str, ...], waves: int) -> dict[str, Chart]:
    """The charts by their names.

    Args:
        value: the table `charts`.
        track: the names of the Game Turns.
        waves: the last Game Turn on which a unit is due to land; 0 where none is.
    """
    fields = value.table(
        {
            "movement": "figures = { clear = 1, ... }",
            "landing fire": "a row for each Game Turn with landings",
            "allied support": "figures = [...], one for each face of the die",
            "replacements": "a row for each side",
        }
    )
    charts: list[Chart | None] = []
    if "movement" in fields:
        charts.append(_movement(fields["movement"]))
    if "landing fire" in fields:
        rows = _landing_rows(fields["landing fire"], track, waves)
        for turn, row in rows.items():
            rule = "koenig:5.0.j" if turn == "Morning" else "koenig:5.0.k"
            charts.append(_by_die(f"landing fire {turn}", rule, row, 2))
    if "allied support" in fields:
        charts.append(_by_die("allied support", "koenig:6.2.a", fields["allied support"], MOST))
    if "replacements" in fields:
        sides = fields["replacements"].table(
            {side.value: "figures = [...], one for each face of the die" for side in Side}
        )
        charts += [_by_die(f"replacements {side}", "koenig:12.0.a", row, MOST) for side, row in sides.items()]
    return {chart.name: chart for chart in charts if chart is not None}


def _landing_rows(value: Value, track: tuple[str, ...], waves: int) -> dict[str, Value]:
    """The rows in the order of the track: for its first turns, at least for those with landings, and for none after the first night."""
    day = tuple(takewhile(lambda turn: turn != "Night", track)) or TURNS[:-1]
    known = day if all(day) else TURNS[:-1]
    needed = {turn: f"units land on Game Turn {number}" for number, turn in enumerate(day[:waves], 1) if turn and track}
    before = len(value.faults)
    rows = value.table(needed, *known)
    for turn, later in pairwise(known) if len(value.faults) == before and all(day) else ():
        if later in rows and turn not in rows:
            value.fault(f"a row for {later}, and none for {turn} before it", "rows for the first Game Turns")
    return {turn: rows[turn] for turn in known if turn in rows}


def _movement(value: Value) -> Chart | None:
    fields = value.table({"figures": "{ clear = 1, beach = 2, ... }"}, *SOURCES)
    if "figures" not in fields:
        return None
    costs = fields["figures"]
    if isinstance(costs.value, dict) and "sea" in costs.value:
        costs.child("sea", costs.value["sea"]).fault("the sea cannot be entered", "leave it out")
        costs = Value(costs.key, {name: cost for name, cost in costs.value.items() if name != "sea"}, costs.faults)
    given = costs.table(dict.fromkeys(COSTS, "a whole number of Movement Points"))
    return _chart("movement", "koenig:8.1.d", given, COSTS, fields, 1, MOST)


def _by_die(name: str, rule: str, value: Value, most: int) -> Chart | None:
    fields = value.table({"figures": "six numbers, one for each face of the die"}, *SOURCES)
    if "figures" not in fields:
        return None
    figures = fields["figures"].items()
    if isinstance(fields["figures"].value, list) and len(figures) != len(DIE):
        fields["figures"].fault(f"{len(figures)} figures", "six, one for each face of the die")
        for figure in figures:  # which face one stands for, nobody can tell
            figure.number(0, most)
        figures = ()
    return _chart(name, rule, dict(zip(DIE, figures, strict=False)), DIE, fields, 0, most)


def _chart(
    name: str,
    rule: str,
    values: Mapping[str, Value],
    keys: tuple[str, ...],
    fields: Mapping[str, Value],
    low: int,
    high: int,
) -> Chart | None:
    given = FIGURES.get(name, {})
    figures = {}
    for key in keys:
        figure = values[key].number(low, high) if key in values else None
        if figure is None:
            continue
        figures[key] = figure
        if key in given and figure != given[key].figure:
            on = f"on a {key}" if key in DIE else f"for {key}"
            values[key].fault(f"the rules' text has {given[key].figure} {on} ({given[key].rule})", "write that figure")
    source = Sources.read(fields, keys).of(keys, given)
    return Chart(name, rule, figures, source) if len(figures) == len(keys) else None
