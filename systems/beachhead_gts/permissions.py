"""Which Actions each kind of chit permits (7.1): the table, read from `data/permissions.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Literal

from attrs import field, frozen

from beachhead.rules import Objection, cited
from beachhead_gts.state import State, face_of
from beachhead_gts.tables import FOLDER, ChitKind

Deed = Literal[
    "move",
    "move into an enemy Fire Zone",
    "enter an entrenchment",
    "leave an entrenchment",
    "mount or dismount",
    "fire",
    "rally",
    "pass",
]
"""The rows of the table."""
COLUMNS = ("direct_command", "division", "division_second", "formation", "formation_second")
_COLUMN = {
    (ChitKind.DIRECT_COMMAND, False): "direct_command",
    (ChitKind.DIVISION, False): "division",
    (ChitKind.DIVISION, True): "division_second",
    (ChitKind.FORMATION, False): "formation",
    (ChitKind.FORMATION, True): "formation_second",
}
NAMED = {
    "direct_command": "a Direct Command chit",
    "division": "a Division chit, as a first Action",
    "division_second": "a Division chit, as a Second Action",
    "formation": "a Formation chit, as a first Action",
    "formation_second": "a Formation chit, as a Second Action",
}
"""The columns in words."""


@frozen
class Permission:
    """A row of the table: for each column "yes", "no", or the colour of the Fire Rating that alone may."""

    cells: Mapping[str, str]
    rules: tuple[str, ...] = field(converter=cited)


@cache
def permissions() -> dict[str, Permission]:
    """The table, by its rows."""
    rows = tomllib.loads((FOLDER / "data" / "permissions.toml").read_text("utf-8"))["permission"]
    return {row["action"]: Permission({column: row[column] for column in COLUMNS}, row["cites"]) for row in rows}


@frozen(eq=False)
class Cells:
    """What the table says of some Actions, in their order. It is the same value as long as the table says the same."""

    said: tuple[str, ...]
    _known: dict[str, tuple[bool, ...]] = field(init=False, factory=dict)

    def permit(self, colour: str) -> tuple[bool, ...]:
        """Which of them a unit may perform whose Fire Rating has this colour."""
        known = self._known.get(colour)
        if known is None:
            known = self._known[colour] = tuple([cell in ("yes", colour) for cell in self.said])
        return known


@cache
def cells(kind: ChitKind, second: bool, deeds: tuple[Deed, ...]) -> Cells:
    """What the table says of some Actions, as first or Second ones."""
    return Cells(tuple([_cell(kind, second, deed) for deed in deeds]))


@cache
def _cell(kind: ChitKind, second: bool, deed: Deed) -> str:
    return permissions()[deed].cells[column(kind, second=second)]


@contextmanager
def without(action: str, column: str) -> Iterator[None]:
    """While the context lasts, a cell has no effect: what it permits is not permitted, what it bars or reserves to a colour is permitted to all."""
    table = permissions()
    row = table[action]
    table[action] = Permission({**row.cells, column: "no" if row.cells[column] == "yes" else "yes"}, row.rules)
    _forget_cells()
    try:
        yield
    finally:
        table[action] = row
        _forget_cells()


def _forget_cells() -> None:
    cells.cache_clear()
    _cell.cache_clear()


def column(kind: ChitKind, *, second: bool) -> str:
    """The column of the table for a kind of chit and a first or Second Action."""
    return _COLUMN[kind, second]


def permitted(state: State, unit: str, deed: Deed, *, second: bool) -> bool:
    """Whether the table permits an Action to a unit under the chit that is being played."""
    cell = _cell(state.chit.kind, second, deed)
    if cell in ("yes", "no"):
        return cell == "yes"
    return face_of(state, state.setting.number[unit]).weapon.colour == cell


def permits(state: State, unit: str, deed: Deed, *, second: bool) -> Objection:
    """What the table says for a unit's Action, where it permits it under the chit that is being played."""
    under = NAMED[column(state.chit.kind, second=second)]
    return Objection(permissions()[deed].rules, "{}: {} under {}", (unit, deed, under))


def not_permitted(state: State, unit: str, deed: Deed, *, second: bool) -> Objection | None:
    """What the table says against a unit's Action under the chit that is being played."""
    if permitted(state, unit, deed, second=second):
        return None
    kind, row = state.chit.kind, permissions()[deed]
    cell = row.cells[column(kind, second=second)]
    extra = _BARRED.get((deed, kind), ())
    only = f"only with a {cell} Fire Rating" if cell != "no" else "not permitted"
    return Objection(
        (*row.rules, *extra), "{}: {} is {} under {}", (unit, deed, only, NAMED[column(kind, second=second)])
    )


_BARRED: Mapping[tuple[str, ChitKind], tuple[str, ...]] = {
    ("move into an enemy Fire Zone", ChitKind.DIVISION): ("gts:13.2.d", "gts:10.0.1.h"),
    ("fire", ChitKind.DIVISION): ("gts:10.0.1.h",),
}
"""Where the text says the same of the Division chit once more."""
