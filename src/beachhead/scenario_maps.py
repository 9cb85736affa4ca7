"""The map of a scenario file: a drawing, its legend and its hex numbers, each read as far as it can be, with every fault told.

>>> faults = []
>>> key = Value("map.drawing", ". w .\\n . . h\\nriver: 0101/0102\\nCaen = 0201", faults)
>>> drawn = read_drawing(key, {"w": ("woods",)}, None, instead="units stand in [[unit]]")
>>> drawn.board.label(drawn.hex(Value("at", "Caen", faults)))
'0201'
>>> drawn.hex(Value("at", "Cean", faults)), drawn.lacks(drawn.board.hex("0302"), "woods")  # the symbol may stand for woods
(None, False)
>>> print(*faults, sep="\\n")
map.drawing: line 2 of the drawing, '. . h': symbol 'h' is not in the legend, which has . _ w
at = 'Cean': no hex of this map (did you mean 'Caen'?)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, get_args, get_type_hints

from attrs import fields as fields_of
from attrs import frozen

from beachhead.board import Board, DrawingError
from beachhead.board.drawing import Grid, symbol_fault
from beachhead.hexes import GeometryError, Hex, NumberLabels
from beachhead.scenario_values import Value
from beachhead.spelling import nearest


@frozen
class DrawnMap:
    """The board that was drawn.

    Attributes:
        doubtful: the hexes of which a fault leaves open what lies there.
        unread: the lines of the drawing with a fault; one may have given a hex its name.
    """

    board: Board
    doubtful: frozenset[Hex] = frozenset()
    unread: tuple[str, ...] = ()

    def hex(self, value: Value) -> Hex | None:
        """A hex by its number or its name; None after a fault."""
        name = value.text()
        if not name:
            return None
        try:
            return self.board.hex(name)
        except GeometryError as error:
            if not any(line.startswith(name) for line in self.unread):
                value.fault("no hex of this map", nearest(name, self.board.named) or str(error))
            return None

    def lacks(self, hex: Hex | None, terrain: str) -> bool:
        """Whether a hex certainly is without this terrain."""
        return hex is not None and hex not in self.doubtful and not self.board.has(hex, terrain)

    def numbers(self, name: str) -> bool:
        """Whether this is the printed number of a hex."""
        try:
            return self.board.hex(name) in self.board
        except GeometryError:
            return False


def read_drawing(
    drawing: Value,
    legend: Mapping[str, str | tuple[str, ...]],
    labels: Value | None,
    text: str = "",
    *,
    instead: str,
    **usual: Any,
) -> DrawnMap | None:
    """The board as far as it can be read; None where there is nothing to play on.

    Args:
        drawing: the map, a line for each row, and lines for whatever a symbol cannot say.
        legend: the terrain of each symbol.
        labels: the table that says how hexes are numbered.
        text: of the whole file, in which faults of the drawing are told by the line.
        instead: how things are placed on the map, since no line of the drawing does.
        usual: the fields of `NumberLabels` where the table says nothing.
    """
    given = _labels(labels) if labels is not None else {}
    if not drawing.text():
        return None
    grid = Grid.of(drawing.value, legend, even=True)
    _tell(drawing, grid.faults, text)
    if given is None or not grid.terrain:
        return None
    try:
        statements = grid.read(NumberLabels(**{"rows": grid.rows, **usual, **given}))
        drawn = statements.drawing()
    except GeometryError as error:
        (labels or drawing).fault(str(error))
        return None
    _tell(drawing, statements.faults, text)
    for hex, placed in drawn.placements:
        drawing.fault(f"'{drawn.board.label(hex)}: {placed}' places something", instead)
    doubtful = frozenset(hex for hex, names in grid.terrain.items() if UNREAD in names) | grid.doubtful
    return DrawnMap(drawn.board, doubtful, tuple(fault.line for fault in statements.faults))


def _tell(drawing: Value, faults: Iterable[DrawingError], text: str) -> None:
    """The faults of the drawing, by the line of the file where it stands there as it is."""
    text = text.replace("\r\n", "\n")
    before = text[: text.index(drawing.value)].count("\n") if text.count(drawing.value) == 1 else None
    for fault in faults:
        if not fault.number:
            drawing.fault(fault.problem)
        elif before is None:
            drawing.fault(f"line {fault.number} of the drawing, {fault.line!r}: {fault.problem}")
        else:
            drawing.fault(f"line {before + fault.number}, {fault.line!r}: {fault.problem}")


UNREAD = "?"
"""The terrain of a symbol whose entry in the legend cannot be read."""


def read_legend(
    value: Value, terrain: Collection[str], fixed: Mapping[str, str], alone: Collection[str] = ()
) -> dict[str, tuple[str, ...]]:
    """The terrain of each symbol that a legend adds.

    Args:
        value: the table: for each symbol a name, or a list of names.
        terrain: the names that there are.
        fixed: symbols that have a meaning already.
        alone: terrain that lies on a hex without any other.
    """
    if not isinstance(value.value, dict):
        value.fault(f'expected a table, such as {{ x = "{next(iter(terrain), "woods")}" }}')
        return {}
    legend = {}
    for symbol, there in value.value.items():
        entry = value.child(symbol, there)
        names = tuple(item.word(terrain) for item in (entry.items() if isinstance(there, list) else (entry,)))
        if symbol in (*fixed, ".", "_"):
            meaning = fixed.get(symbol, "clear" if symbol == "." else "no hex")
            entry.fault(f"{symbol!r} is {meaning} already", "another symbol")
            continue
        if problem := symbol_fault(symbol):
            entry.fault(problem, "another symbol")
            continue
        for name in alone:
            if len(names) > 1 and name in names:
                entry.fault(f"{name} with other terrain", f"the {name} alone, or the other terrain alone")
                names = ()
        legend[symbol] = names if names and all(names) else (UNREAD,)
    return legend


def _labels(value: Value) -> dict[str, Any] | None:
    """The fields of `NumberLabels`; None after a fault."""
    kinds, before = get_type_hints(NumberLabels), len(value.faults)
    given: dict[str, Any] = {}
    for name, entry in value.table({}, *(each.name for each in fields_of(NumberLabels))).items():
        words = [word for word in get_args(kinds[name]) if isinstance(word, str)]
        given[name] = entry.word(words) if words else entry.number(0, 99)
    return given if len(value.faults) == before else None
