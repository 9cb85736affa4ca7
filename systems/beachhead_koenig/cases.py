"""Hand-drawn positions, and rule cases on them: how a row of a case file becomes a state, and what may be asked of it.

>>> state = position(["C3: CSR 4-6 allied", "D3: P 3-6 german h1", "D3: town", "river: C3/D3"], active="A")
>>> state.active, state.unit("P").hits, state.cup
(Side.ALLIED, 1, Cup({'G': 1}))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from beachhead.cases.by_name import answer, at_the_end, drawn_row, one_of, whole
from beachhead.hexes import Hex
from beachhead_koenig import questions
from beachhead_koenig.beach import Piece
from beachhead_koenig.landing import due
from beachhead_koenig.positions import SIDES
from beachhead_koenig.rows import KEYS, read_row
from beachhead_koenig.state import State
from beachhead_koenig.tables import Side


def position(
    place: str | Iterable[str] = (), *, board: str = "", options: Mapping[str, object] | None = None, **row: Any
) -> State:
    """A position drawn by hand: the quickest way to a rule question. The keys are those of a case row (`KEYS`).

    Raises:
        ScenarioError: everything that is wrong in it.
        OptionError: an unknown option or choice.
    """
    return CASES.set_up(drawn_row(place, board, options, row))


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

    def questions(self) -> Mapping[str, Callable[..., Any]]:
        """The questions by their names; the parameters of each are its arguments."""
        return _questions(self.set_up({"options": {}}))

    def ask(self, state: State, question: str, args: list[str]) -> Any:
        """The answer to a question by name. Arguments may be named: `attack_factor D3 CSR fire=mobile`.

        Raises:
            UnknownName: there is no such question, or nothing of a name in it; the nearest is named.
            ValueError: the question takes other arguments, or is about what is not there.
        """
        return answer(_questions(state), question, args)


def _questions(state: State) -> dict[str, Callable[..., Any]]:
    return {**_facts(state), **_judgements(state)}


def _facts(state: State) -> dict[str, Callable[..., Any]]:
    """What stands in the state."""
    now = state.activation
    return {
        "hits": lambda unit: state.unit(unit).hits,
        "place": lambda unit: state.unit(unit).place,
        "progress": lambda unit: state.unit(unit).progress,
        "formation": lambda unit: _piece(state, unit).formation,
        "side": lambda unit: _piece(state, unit).side,
        "type": lambda unit: _piece(state, unit).type,
        "strength": lambda unit: _piece(state, unit).strength,
        "movement": lambda unit: _piece(state, unit).movement,
        "units": lambda hex: list(state.at(hex)),
        "turn": lambda: state.turn,
        "turn_name": lambda: state.turn_name,
        "night": lambda: state.night,
        "phase": lambda: state.phase,
        "due": lambda: list(due(state)),
        "artillery": lambda side: state.support.artillery(_side(side)),
        "support": lambda: state.support.allied_support,
        "leadership": lambda: state.leadership,
        "interdicted": lambda: list(state.interdicted),
        "cup": lambda: list(state.cup),
        "active": lambda: None if now is None else now.formation,
        "operating": lambda: list(state.operating),
        "exits": lambda road: one_of(road, _exits(state), "exit"),
        "replacements": lambda side: state.replacements.of(_side(side)),
        "chart": lambda name, key: one_of(key, one_of(name, state.setting.charts, "chart"), "key of it"),
    }


def _judgements(state: State) -> dict[str, Callable[..., Any]]:
    """What the rules say of it."""
    return {
        "movement_cost": lambda unit, *hexes: questions.movement_cost(state, unit, *hexes),
        "unit": lambda unit: questions.unit(state, unit),
        "reachable": lambda unit, operation="movement": _reachable(state, unit, operation),
        "may_move": lambda unit, hex, operation="movement": questions.may_move(state, unit, hex, operation),
        "attack_factor": lambda target, *units, fire="full", indirect="", defence=0, offence=0: questions.attack_factor(
            state,
            target,
            *units,
            fire=fire,
            indirect=_several(indirect),
            defence=whole(defence),
            offence=whole(offence),
        ),
        "close_fire_factor": lambda unit, support=0: questions.close_fire_factor(state, unit, whole(support)),
        "may_fire": lambda unit, hex: questions.may_fire(state, unit, hex),
        "may_fire_indirectly": lambda unit, hex: questions.may_fire(state, unit, hex, indirect=True),
        "may_join": lambda unit, target, *units, fire="full": questions.may_join(
            state, unit, target, *units, fire=fire
        ),
        "who_may_join": lambda target, *units, fire="full": list(
            questions.who_may_join(state, target, *units, fire=fire)
        ),
        "retreat_hexes": lambda unit, attacker_from=None: list(
            questions.retreat_hexes(state, unit, attacker_from=attacker_from)
        ),
        "return_hexes": lambda unit: list(questions.return_hexes(state, unit)),
        "victory_points": lambda side: questions.victory_points(state, _side(side)),
        "result_odds": lambda factor: questions.result_odds(whole(factor)),
        "fire_odds": lambda target, *units, by="", fire="full", indirect="", policy=None: questions.fire_odds(
            state, target, *units, by=_by(by), policy=policy, fire=fire, indirect=_several(indirect)
        ),
        "close_combat_odds": lambda unit, target, by="", entry=None, policy=None: questions.close_combat_odds(
            state, unit, target, by=_by(by), entry=entry, policy=policy
        ),
    }


def _several(units: str) -> tuple[str, ...]:
    """Units with commas between."""
    return tuple(units.split(",")) if units else ()


def _reachable(state: State, unit: str, operation: str) -> list[Hex]:
    """The hexes that a unit can move to, row by row."""
    found = questions.reachable(state, unit, operation)
    return sorted(map(state.setting.board.hex, found), key=state.setting.board.index)


def _by(question: str) -> Callable[[State], Any] | None:
    return at_the_end(CASES.ask, question, "hits P")


def _piece(state: State, name: str) -> Piece:
    return state.setting.roster[one_of(name, state.setting.number, "unit")]


def _side(name: str) -> Side:
    return one_of(name.lower(), SIDES, "side")


def _exits(state: State) -> dict[str, int]:
    return {way.name: left for way, left in zip(state.setting.exits, state.exits, strict=True)}


CASES = KoenigCases()
