"""Hand-drawn positions, and rule cases on them: how a row of a case file becomes a state, and what may be asked of it.

>>> state = position(["C3: Able allied q7", "E3: Dora german c1", "E3: woods", "crest: C3/D3"], points={"X": [3, 1]})
>>> state.active, state.unit("Dora").cohesion, state.division_points("X").command
(Side.ALLIED, 1, 3)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any

from beachhead.cases import Cell
from beachhead.cases.by_name import answer, at_the_end, drawn_row, flag, one_of, whole
from beachhead_gts import permissions, questions
from beachhead_gts.battlefield import Piece
from beachhead_gts.named import known
from beachhead_gts.rows import KEYS, read_row
from beachhead_gts.state import State


def position(
    place: str | Iterable[str] = (), *, board: str = "", options: Mapping[str, object] | None = None, **row: Any
) -> State:
    """A position drawn by hand: the quickest way to a rule question. The keys are those of a case row (`KEYS`).

    Raises:
        ScenarioError: everything that is wrong in it.
        OptionError: an unknown option or choice.
    """
    return CASES.set_up(drawn_row(place, board, options, row))


class GrandTacticalCases:
    """Positions from rows, and answers to their questions (see `beachhead.cases`)."""

    keys = KEYS

    def set_up(self, row: Mapping[str, Any]) -> State:
        """The state that a row describes.

        Raises:
            ScenarioError: all that is wrong in it.
            OptionError: an unknown option or choice.
        """
        from beachhead_gts.system import SYSTEM

        choices = SYSTEM.catalogue.choices(row["options"])
        return read_row({key: value for key, value in row.items() if key != "options"}, choices)

    def questions(self) -> Mapping[str, Callable[..., Any]]:
        """The questions by their names; the parameters of each are its arguments."""
        return _questions(self.set_up({"options": {}}))

    def ask(self, state: State, question: str, args: list[str]) -> Any:
        """The answer to a question by name. Arguments may be named: `fire_rating Able Dora occasion=column`.

        Raises:
            UnknownName: there is no such question, or nothing of a name in it; the nearest is named.
            ValueError: the question takes other arguments, or is about what is not there.
        """
        return answer(_questions(state), question, args)

    # -------------------------------------------------------- knocking out table cells
    def cells(self) -> Iterator[Cell]:
        """Every cell of the table of permissions (7.1)."""
        for action, row in permissions.permissions().items():
            for column in row.cells:
                yield Cell("permission", action, column, row.rules)

    def without(self, cell: Cell) -> AbstractContextManager[None]:
        """While the context lasts, the cell has no effect."""
        return permissions.without(cell.row, cell.field)


def _questions(state: State) -> dict[str, Callable[..., Any]]:
    return {**_facts(state), **_judgements(state)}


def _facts(state: State) -> dict[str, Callable[..., Any]]:
    """What stands in the state."""
    now = state.activation
    return {
        "place": lambda unit: state.leader(unit) if unit in state.setting.leader_number else state.unit(unit).place,
        "cohesion": lambda unit: state.unit(unit).cohesion,
        "suppressed": lambda unit: state.unit(unit).suppressed,
        "losses": lambda unit: state.unit(unit).losses,
        "steps": lambda unit: questions.steps(state, unit),
        "column": lambda unit: state.unit(unit).column,
        "mounted": lambda unit: state.unit(unit).mounted,
        "cover": lambda unit: state.unit(unit).cover,
        "rallying": lambda unit: state.unit(unit).rallying,
        "entering": lambda unit: state.unit(unit).entering,
        "side": lambda unit: _piece(state, unit).side,
        "formation": lambda unit: _piece(state, unit).formation,
        "division": lambda unit: _piece(state, unit).division,
        "units": lambda hex: list(state.at(hex)),
        "leaders": lambda hex: list(state.leaders_at(hex)),
        "command_points": lambda division: state.division_points(division).command,
        "dispatch_points": lambda division: state.division_points(division).dispatch,
        "turn": lambda: state.turn,
        "turn_name": lambda: state.turn_name,
        "night": lambda: state.night,
        "phase": lambda: state.phase,
        "weather": lambda: state.weather,
        "air": lambda: state.air,
        "mug": lambda: list(state.mug),
        "ready": lambda: list(state.ready),
        "aside": lambda: list(state.aside),
        "carried": lambda: state.carried or None,
        "chit": lambda: None if now is None else now.chit,
        "acted": lambda: (
            [] if now is None else [p.name for i, p in enumerate(state.setting.roster) if now.acted >> i & 1]
        ),
        "last": lambda: [] if now is None else list(state.just_acted),
        "attached": lambda: [] if now is None else list(now.attached),
        "entrenchment": lambda hex: bool(state.entrenchments & state.setting.bit[state.hex(hex)]),
        "barrage": lambda hex: dict(state.barrages).get(state.hex(hex)),
        "held": lambda objective: one_of(objective, _held(state), "objective"),
        "overstacked": lambda hex: questions.overstacked(state, hex),
        "chart": lambda name, key: one_of(key, one_of(name, state.setting.charts.figures, "table"), "key of it"),
    }


def _judgements(state: State) -> dict[str, Callable[..., Any]]:
    """What the rules say of it."""
    ask = questions
    return {
        "permission": lambda unit, deed, chit="", second="": ask.permission(
            state, unit, deed, chit, second=flag(second)
        ),
        "in_command": lambda unit: ask.in_command(state, unit),
        "may_spend": lambda unit, purpose="possible-suppression": ask.may_spend(state, unit, purpose),
        "can_see": lambda a, b, purpose="Direct Fire": ask.can_see(state, a, b, purpose=purpose),
        "sees": lambda unit: list(ask.sees(state, unit)),
        "field_of_view": lambda at, purpose="Direct Fire": list(ask.field_of_view(state, at, purpose=purpose)),
        "fire_range": lambda unit: ask.fire_range(state, unit),
        "fire_zone": lambda unit: list(ask.fire_zone(state, unit)),
        "in_fire_zone": lambda at, of: ask.in_fire_zone(state, at, of),
        "may_fire": lambda unit, target, opportunity="", occasion="action": ask.may_fire(
            state, unit, target, opportunity=flag(opportunity), occasion=occasion
        ),
        "fire_rating": lambda unit, target, occasion="action", company_bonus="": ask.fire_rating(
            state, unit, target, occasion=occasion, company_bonus=flag(company_bonus)
        ),
        "hit_odds": lambda rating: ask.hit_odds(whole(rating)),
        "line_odds": lambda rating, weapon, armored="": ask.line_odds(
            state, whole(rating), weapon, armored=flag(armored)
        ),
        "result_odds": lambda unit, target, occasion="action", company_bonus="": ask.result_odds(
            state, unit, target, occasion=occasion, company_bonus=flag(company_bonus)
        ),
        "fire_odds": lambda unit, target, by="", occasion="action", policy=None: ask.fire_odds(
            state, unit, target, by=_by(by), occasion=occasion, policy=policy
        ),
        "troop_quality": lambda unit, rallying="": ask.troop_quality(state, unit, rallying=flag(rallying)),
        "movement_cost": lambda unit, *hexes: ask.movement_cost(state, unit, *hexes),
        "reachable": lambda unit: list(ask.reachable(state, unit)),
        "may_move": lambda unit, hex: ask.may_move(state, unit, hex),
        "what_stops": lambda unit: {label: list(units) for label, units in ask.what_stops(state, unit).items()},
        "stacking": lambda hex: ask.stacking(state, hex),
        "victory_points": lambda side: ask.victory_points(state, side),
        "unit": lambda unit: ask.unit(state, unit),
    }


def _by(question: str) -> Callable[[State], Any] | None:
    return at_the_end(CASES.ask, question, "cohesion Dora")


def _piece(state: State, name: str) -> Piece:
    return state.setting.piece(known(state, name))


def _held(state: State) -> dict[str, Any]:
    return {each.name: side for each, side in zip(state.setting.objectives, state.held, strict=True)}


CASES = GrandTacticalCases()
