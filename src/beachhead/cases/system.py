"""What a system provides so that cases can be written for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, TypeVar, cast, runtime_checkable

from attrs import frozen

from beachhead.errors import RulesError
from beachhead.systems import System

S = TypeVar("S")


class CaseSystem(Protocol[S]):
    """Turns the position part of a row into a state, and answers questions by name. A system has it as its attribute `cases`, or as a module of that name in its package."""

    @property
    def keys(self) -> Mapping[str, str]:
        """The keys of a row that describe a position, each with a sentence on what may stand there."""
        ...

    def set_up(self, row: Mapping[str, Any], /) -> S:
        """The state that a row describes, at the beginning of a step. `row` holds the position keys and `options`.

        Raises:
            BeachheadError: what is wrong in the row, and what would be right (a ScenarioError lists all of it).
        """
        ...

    def ask(self, state: S, question: str, args: list[str], /) -> Any:
        """The answer to a question about a state: a Verdict, a Breakdown, a Distribution, or any plain fact (a number, a name, a hex, a list).

        Raises:
            UnknownName: there is no such question; the nearest is named.
        """
        ...


@frozen
class Cell:
    """One cited figure or effect of a system's tables."""

    table: str
    row: str
    field: str
    rules: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.table}.{self.row}.{self.field}"


@runtime_checkable
class CellSystem(Protocol):
    """A `CaseSystem` whose tables can be knocked out cell by cell."""

    def cells(self) -> Iterable[Cell]:
        """Every cell that is played, with the rules it cites."""
        ...

    def without(self, cell: Cell, /) -> AbstractContextManager[object]:
        """While the context lasts, the cell has no effect. Nothing that was computed with it may be remembered, before or after."""
        ...


@runtime_checkable
class FieldSystem(Protocol):
    """A `CaseSystem` that writes some fields of events and decisions in another way than the values hold them."""

    def fields(self, state: Any, what: Any, /) -> Mapping[str, Any]:
        """Fields of an event or decision as rows write them, where that differs: {"unit": hex} for the number of a unit, say. `state` is the one before the event."""
        ...


def case_system(system: System[S]) -> CaseSystem[S]:
    """The `cases` of a system: its attribute, or a module of its package.

    Raises:
        RulesError: it has none.
    """
    found = getattr(system, "cases", None)
    if found is None and find_spec(system.package) and hasattr(import_module(system.package), "__path__"):
        found = import_module(f"{system.package}.cases") if find_spec(f"{system.package}.cases") else None
    if found is None:
        raise RulesError(
            f"system {system.name} has no `cases` (see beachhead.cases.CaseSystem), so no row can be played"
        )
    return cast("CaseSystem[S]", found)
