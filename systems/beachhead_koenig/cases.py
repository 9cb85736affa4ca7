"""Hand-drawn positions, and rule cases on them: how a row of a case file becomes a state, and what may be asked of it.

>>> state = position(["C3: CSR 4-6 allied", "D3: P 3-6 german h1", "D3: town", "river: C3/D3"], active="A")
>>> state.active, state.unit("P").hits, state.cup
(Side.ALLIED, 1, Cup({'G': 1}))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from beachhead.errors import UnknownName
from beachhead.hexes import Hex
from beachhead.rules import nearest
from beachhead_koenig.landing import due
from beachhead_koenig.positions import SIDES
from beachhead_koenig.rows import KEYS, read_row
from beachhead_koenig.state import Piece, State, Unit

T = TypeVar("T")


def position(
    place: str | Iterable[str] = (), *, board: str = "", options: Mapping[str, object] | None = None, **row: Any
) -> State:
    """A position drawn by hand: the quickest way to a rule question. The keys are those of a case row (`KEYS`).

    Raises:
        ScenarioError: everything that is wrong in it.
        OptionError: an unknown option or choice.
    """
    drawn = {"place": [place] if isinstance(place, str) else list(place), "board": board}
    given = {key: value for key, value in drawn.items() if value}
    return CASES.set_up({**given, **row, "options": dict(options or {})})


class KoenigCases:
    """Positions from rows, and answers to their questions (see `beachhead.cases`)."""

    keys = KEYS

    def set_up(self, row: Mapping[str, Any]) -> State:
        """The state that a row describes.

        Raises:
            ScenarioError: all that is wrong in it.
            OptionError: an unknown option or choice.
        """
        from beachhead_koenig.system import SYSTEM

        choices = SYSTEM.catalogue.choices(row["options"])
        return read_row({key: value for key, value in row.items() if key != "options"}, choices)

    def ask(self, state: State, question: str, args: list[str]) -> Any:
        """The answer to a question by name.

        Raises:
            UnknownName: there is no such question, or nothing of a name in it; the nearest is named.
        """
        plain: dict[str, Callable[..., Any]] = {
            "hits": lambda unit: _unit(state, unit).hits,
            "place": lambda unit: _unit(state, unit).place,
            "progress": lambda unit: _unit(state, unit).progress,
            "formation": lambda unit: _piece(state, unit).formation,
            "side": lambda unit: _piece(state, unit).side,
            "type": lambda unit: _piece(state, unit).type,
            "strength": lambda unit: _piece(state, unit).strength,
            "movement": lambda unit: _piece(state, unit).movement,
            "units": lambda hex: list(state.at(_hex(state, hex))),
            "turn": lambda: state.turn,
            "turn_name": lambda: state.turn_name,
            "night": lambda: state.night,
            "phase": lambda: state.phase,
            "due": lambda: list(due(state)),
            "artillery": lambda side: state.support.artillery(_one_of(side, SIDES, "side")),
            "support": lambda: state.support.allied_support,
            "leadership": lambda: state.leadership,
            "interdicted": lambda: list(state.interdicted),
            "cup": lambda: list(state.cup),
            "active": lambda: None if state.activation is None else state.activation.formation,
            "operating": lambda: list(state.operating),
            "exits": lambda road: _one_of(road, _exits(state), "exit"),
            "replacements": lambda side: state.replacements.of(_one_of(side, SIDES, "side")),
            "chart": lambda name, key: _one_of(key, _one_of(name, state.setting.charts, "chart"), "key of it"),
        }
        return _one_of(question, plain, "question")(*args)


def _one_of(name: str, known: Mapping[str, T], what: str) -> T:
    if name not in known:
        raise UnknownName(f"no {what} {name!r}{nearest(name, known)}; known: {', '.join(known) or 'none'}")
    return known[name]


def _unit(state: State, name: str) -> Unit:
    return state.units[_one_of(name, state.setting.number, "unit")]


def _piece(state: State, name: str) -> Piece:
    return state.setting.roster[_one_of(name, state.setting.number, "unit")]


def _hex(state: State, name: str) -> Hex:
    """A hex by its label or a name of its own."""
    board = state.setting.board
    named = {own.replace("-", " "): hex for own, hex in board.named.items()}
    return named.get(name.replace("-", " ")) or board.hex(name)


def _exits(state: State) -> dict[str, int]:
    return {way.name: left for way, left in zip(state.setting.exits, state.exits, strict=True)}


CASES = KoenigCases()
