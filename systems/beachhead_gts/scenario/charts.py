"""The charts of a game: a file of their own, or a table of a scenario, that may build on another and override single figures."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from attrs import evolve, field, frozen

from beachhead.board.drawing import symbol_fault
from beachhead.errors import Fault, ScenarioError
from beachhead.rules import Chart, Provenance
from beachhead.scenario_files import toml
from beachhead.scenario_values import Value
from beachhead.spelling import nearest
from beachhead_gts.charts import Charts, Costs, HexsideTerrain, ResultLine, Road, RoadCosts, Terrain
from beachhead_gts.scenario.costs import read_cost
from beachhead_gts.scenario.origins import KEYS, Origin, Origins, Told, sentences
from beachhead_gts.tables import FOLDER, MovementClass, Result, WeaponClass

SHIPPED = {path.stem: path for path in sorted((FOLDER / "charts").glob("*.toml"))}
"""The charts files that come with Beachhead, by name."""
BESIDE, ENDING = "beside", ".charts.toml"
"""What a scenario calls the charts file that lies beside it, and how that ends."""
MOST = 20
CLASSES = {"leg": MovementClass.LEG, "wheeled": MovementClass.WHEELED, "tracked": MovementClass.TRACKED}
_RESULTS = {
    "P": Result.POSSIBLE_SUPPRESSION,
    "S?": Result.POSSIBLE_SUPPRESSION,
    **{str(result): result for result in Result if result is not Result.MISS},
}
ROLLS = 9
"""The rolls that have a result; a 9 always misses."""


# ------------------------------------------------------------ figures as they are read
@frozen
class Cell:
    """A figure of a chart, and where it comes from."""

    value: Any
    origin: Origin


@frozen
class Kind:
    """A kind of rows.

    Attributes:
        figures: how each figure of a row is read.
        usual: what those are that may be left out; the others must be there.
        plain: those that need no origin.
        text: the figures that the rules' text gives.
    """

    figures: Mapping[str, Callable[[Value], Any]]
    usual: Mapping[str, Any] = field(factory=dict)
    plain: Collection[str] = ()
    text: Mapping[str, Any] = field(factory=dict)


Row = Mapping[str, Cell]
Sheet = Mapping[str, Mapping[str, Row]]
"""All rows: by the table that they stand in, and by name."""


def _line(value: Value) -> tuple[Result, ...]:
    words = value.text().split()
    if words and (len(words) != ROLLS or not set(words) <= set(_RESULTS)):
        value.fault("no line of results", f"{ROLLS} of P (for S?), S, C, 1 and E, for the rolls 0 to {ROLLS - 1}")
        return ()
    return tuple(_RESULTS[word] for word in words)


def _number(value: Value) -> int:
    return value.number(-MOST, MOST) or 0


def _symbol(value: Value) -> str:
    symbol = value.text()
    if symbol and (problem := symbol_fault(symbol)):
        value.fault(problem, "another symbol")
    return symbol


_FIRE = {"fire": _number, "armored": _number}
_TERRAIN = Kind(
    {**dict.fromkeys(CLASSES, read_cost), "blocks": Value.flag, **_FIRE, "symbol": _symbol},
    {"blocks": False, "fire": 0, "armored": None, "symbol": ""},
    ("symbol",),
)
_HEXSIDES = Kind(
    {
        **dict.fromkeys(CLASSES, lambda value: read_cost(value, 0)),
        "crest": Value.flag,
        "column_only": Value.flag,
        **_FIRE,
    },
    {"crest": False, "column_only": False, "fire": 0, "armored": None},
    ("crest", "column_only"),
)
_ROADS = Kind(dict.fromkeys(CLASSES, lambda value: read_cost(value, other_terrain=True)))
_LINES = Kind(dict.fromkeys(map(str, WeaponClass), _line))
TARGETS = {"armored": True, "unarmored": False}
_RULES: Mapping[str, Any] = MappingProxyType(tomllib.loads((FOLDER / "scenario" / "figures.toml").read_text("utf-8")))
_FIGURES = {
    name: Kind(dict.fromkeys(row.get("keys", row.get("text")), _number), text=row.get("text", {}))
    for name, row in _RULES.items()
}
"""What is needed of figures, by the tables (`figures.toml`)."""
_OPEN: Mapping[str, Kind] = {"terrain": _TERRAIN, "hexsides": _HEXSIDES, "roads": _ROADS}
"""The tables whose rows have names of their own."""
_CLOSED: Mapping[str, Mapping[str, Kind]] = {"results": dict.fromkeys(TARGETS, _LINES), "figures": _FIGURES}
"""The tables of which all rows are known."""
_TEXT: Sheet = {
    "figures": {
        name: {key: Cell(figure, Origin(Provenance.TEXT)) for key, figure in kind.text.items()}
        for name, kind in _FIGURES.items()
        if kind.text
    }
}
"""What the rules' text gives, and no file needs to repeat."""


# ------------------------------------------------------------ reading
@frozen
class Reading:
    """Charts as they have been read: what builds on them needs each figure.

    Attributes:
        contents: of all files and tables that they come from.
    """

    charts: Charts
    sheet: Sheet
    contents: tuple[Mapping[str, Any], ...]

    def told(self, used: Collection[str] | None = None) -> tuple[Told, ...]:
        """Where the figures come from; of terrain, hexsides and roads only of those `used`, if that is given."""
        return tuple(_told(self.sheet, used))


def read_charts(value: Value, companion: str | None = None) -> Reading | None:
    """The charts that a scenario names or brings, as far as they can be read; None where that is not possible at all.

    Args:
        value: the name of a charts file, or a table.
        companion: the text of the file beside the scenario.
    """
    if isinstance(value.value, str):
        return _based(value, companion)
    if not isinstance(value.value, dict):
        value.fault("expected the name of a charts file, or a table", f"one of {', '.join((*SHIPPED, BESIDE))}")
        return None
    return _read(value, companion)


@cache
def shipped_charts(name: str) -> Charts:
    """The charts of a file that comes with Beachhead.

    Raises:
        KeyError: there is no such file.
        ScenarioError: it is faulty.

    >>> shipped_charts("beachhead").terrain["woods"].fire
    -2
    """
    return _shipped(name).charts


@cache
def _shipped(name: str) -> Reading:
    faults: list[Fault] = []
    found = _read(Value("", tomllib.loads(SHIPPED[name].read_text("utf-8")), faults), None)
    if faults or found is None:
        raise ScenarioError(SHIPPED[name], tuple(faults))
    return found


def _based(value: Value, companion: str | None) -> Reading | None:
    """The charts of a file that is named."""
    name = value.word((*SHIPPED, BESIDE))
    if name != BESIDE:
        return _shipped(name) if name else None
    if companion is None:
        value.fault("no such file lies beside the scenario", f"a file with {ENDING} in place of .toml")
        return None
    data = toml(companion)
    if isinstance(data, Fault):
        value.fault(f"{ENDING}: {data.problem}")
        return None
    return _read(Value(ENDING, data, value.faults), None)


def _read(value: Value, companion: str | None) -> Reading | None:
    tables = (*_CLOSED, *_OPEN)
    fields = value.table({}, "title", "base", *tables, *KEYS)
    base = _based(fields["base"], companion) if "base" in fields else None
    if "base" in fields and base is None:
        return None
    sheet: dict[str, Mapping[str, Row]] = dict(base.sheet if base else _TEXT)
    around = Origins.read(fields, ())
    for table in tables:
        rows = dict(sheet.get(table, {}))
        if table in fields:
            rows |= _rows(table, fields[table], rows, around)
        elif base is None:
            value.child(table, None).fault("missing", f"[{table}], or base = the name of a charts file")
        sheet[table] = rows
    if base is None:
        _check_whole(value, fields, sheet)
    title = fields["title"].text() if "title" in fields else base.charts.title if base else ""
    if not title and "title" not in fields:
        value.child("title", None).fault("missing", "whose charts they are")
    _check_symbols(fields.get("terrain", value), sheet["terrain"])
    charts = _charts(title, sheet)
    told = tuple(_told(sheet, None))
    words = {p: tuple(sentences(told, p)) for p in (Provenance.AUTHORED, Provenance.PUBLISHED)}
    charts = evolve(charts, authored=words[Provenance.AUTHORED], published=words[Provenance.PUBLISHED])
    return Reading(charts, sheet, (*(base.contents if base else ()), value.value))


def _rows(table: str, value: Value, known: Mapping[str, Row], around: Origins) -> dict[str, Row]:
    """The rows of a table, each on top of the one that is known."""
    if not isinstance(value.value, dict):
        value.table({})
        return {}
    if table in _CLOSED:
        kinds = _CLOSED[table]
    else:
        kinds = {name: _OPEN[table] for name in value.value if name not in KEYS}
    fields = value.table({}, *kinds, *KEYS)
    figures = {figure for kind in kinds.values() for figure in kind.figures if figure not in kind.plain}
    own = Origins.read(fields, figures, around)
    return {
        name: _row(fields[name], kind, known.get(name, {}), own, "" if name in known else nearest(name, known))
        for name, kind in kinds.items()
        if name in fields
    }


def _row(value: Value, kind: Kind, known: Row, around: Origins, hint: str) -> Row:
    """A row: what stands there, what is known, and what may be left out. `hint` is for one that is not known, and lacks something."""
    needed = {
        figure: _MEANING.get(figure, "a figure") + hint
        for figure in kind.figures
        if figure not in known and figure not in kind.usual
    }
    fields = value.table(needed, *kind.figures, *KEYS)
    there = [figure for figure in kind.figures if figure in fields or (figure in kind.usual and figure not in known)]
    values = {f: kind.figures[f](fields[f]) if f in fields else kind.usual[f] for f in there}
    text = {f: (fields[f], str(kind.text[f])) for f in kind.text if f in fields}
    given = [f for f in text if values[f] == kind.text[f]]
    whence = Origins.read(fields, [f for f in kind.figures if f not in kind.plain], around).of(
        [f for f in there if f not in kind.plain], given, text
    )
    return {**known, **{f: Cell(values[f], whence.get(f, Origin())) for f in there}}


_MEANING = {
    **dict.fromkeys(CLASSES, 'what it costs, such as "2(1)" or "NP"'),
    **dict.fromkeys(map(str, WeaponClass), f"its {ROLLS} results, such as P P S S C C 1 1 E"),
}


def _check_whole(value: Value, fields: Mapping[str, Value], sheet: Sheet) -> None:
    """Charts that build on no others have all rows that are known, and clear terrain."""
    needed: dict[str, Iterable[str]] = {
        "results": TARGETS,
        "figures": [name for name, kind in _FIGURES.items() if set(kind.figures) - set(kind.text)],
        "terrain": ["clear"],
    }
    for table, names in needed.items():
        entry = fields.get(table)
        if entry is not None and isinstance(entry.value, dict):
            for name in names:
                if name not in sheet[table]:
                    entry.child(name, None).fault("missing", "a row for it")


def _check_symbols(value: Value, rows: Mapping[str, Row]) -> None:
    symbols: dict[str, str] = {}
    for name, row in rows.items():
        symbol = row["symbol"].value if "symbol" in row else ""
        if symbol and name == "clear":
            value.child(name, {}).fault("has a symbol", "none: it is '.' in every drawing")
        elif symbol in symbols:
            value.child(name, {}).fault(f"{symbol!r} is {symbols[symbol]} already", "a symbol of its own")
        elif symbol:
            symbols[symbol] = name


# ------------------------------------------------------------ what comes of it
def _charts(title: str, sheet: Sheet) -> Charts:
    lines = {
        (WeaponClass(weapon), TARGETS[target]): ResultLine(
            WeaponClass(weapon), TARGETS[target], cell.value, cell.origin.provenance
        )
        for target, row in sheet["results"].items()
        for weapon, cell in row.items()
    }
    figures = {
        name: Chart(
            name,
            _RULES[name]["rule"],
            {key: row[key].value for key in kind.figures if key in row},
            {key: row[key].origin.provenance for key in kind.figures if key in row},
        )
        for name, kind in _FIGURES.items()
        if (row := sheet["figures"].get(name))
    }
    return Charts(
        title,
        lines,
        {name: Terrain(name, **_costs(row), **_fire(row), **_plain(row, "blocks", "symbol")) for name, row in sheet["terrain"].items()},
        {name: HexsideTerrain(name, **_costs(row), **_fire(row), **_plain(row, "crest", "column_only")) for name, row in sheet["hexsides"].items()},
        {name: Road(name, **_costs(row)) for name, row in sheet["roads"].items()},
        figures,
    )  # fmt: skip


def _costs(row: Row) -> dict[str, Any]:
    costs = {CLASSES[key]: row[key].value for key in CLASSES if key in row}
    normal: Costs | RoadCosts = {each: both[0] for each, both in costs.items()} | {MovementClass.IMMOBILE: None}
    column: Costs | RoadCosts = {each: both[1] for each, both in costs.items()} | {MovementClass.IMMOBILE: None}
    return {"normal": normal, "column": column, "cost_source": _weakest(row, CLASSES)}


def _fire(row: Row) -> dict[str, Any]:
    fire = row["fire"].value if "fire" in row else 0
    armored = row["armored"].value if "armored" in row else None
    return {"fire": fire, "fire_armored": fire if armored is None else armored, "source": _weakest(row, _FIRE)}


def _plain(row: Row, *figures: str) -> dict[str, Any]:
    return {figure: row[figure].value for figure in figures if figure in row}


_STRENGTH = (Provenance.AUTHORED, Provenance.PUBLISHED, Provenance.TEXT)


def _weakest(row: Row, figures: Iterable[str]) -> Provenance:
    """Authored, if any of some figures is."""
    found = [row[figure].origin.provenance for figure in figures if figure in row]
    return min(found, key=_STRENGTH.index, default=Provenance.AUTHORED)


_WORDS = {
    **dict.fromkeys(CLASSES, "movement costs"),
    "blocks": "effect on sight",
    **dict.fromkeys(_FIRE, "fire modifiers"),
}


def _told(sheet: Sheet, used: Collection[str] | None) -> Iterable[Told]:
    """Whole tables by their names, rows by what their figures mean."""
    tables = {
        f"{name} table": {key: cell.origin for key, cell in row.items()} for name, row in sheet["figures"].items()
    }
    lines = {f"{w} at {target} targets": c.origin for target, row in sheet["results"].items() for w, c in row.items()}
    tables = {"Combat Results Table": lines, **tables}
    whole = {name: next(iter(origins.values())) for name, origins in tables.items() if len(set(origins.values())) == 1}
    yield Told("", {name: {"": origin} for name, origin in whole.items()})
    mixed = {f"figures in the {name}": origins for name, origins in tables.items() if name not in whole}
    yield Told("", mixed, "for")
    for table in _OPEN:
        words: dict[str, dict[str, Origin]] = {}
        for name, row in sheet[table].items():
            for figure, cell in row.items():
                if figure in _WORDS and (used is None or name in used):
                    mine = words.setdefault(_WORDS[figure], {})
                    known = mine.get(name, cell.origin)
                    mine[name] = min(known, cell.origin, key=lambda origin: _STRENGTH.index(origin.provenance))
        yield Told(table, words)
