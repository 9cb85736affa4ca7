"""Hand-drawn positions, and rule cases on them: how a row of a case file becomes a battle, and what may be asked of it.

>>> state = position(["C5: infantry axis", "E5: armor 2 allies", "D5: hill"])
>>> state.name(0), state.units[1].figures
('Axis infantry at C5', 2)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from beachhead.cases import Cell
from beachhead.cases.by_name import answer, drawn_row
from beachhead.errors import UnknownName
from beachhead.hexes import Hex
from beachhead_memoir44 import questions, setup
from beachhead_memoir44.cards import find_card, kinds
from beachhead_memoir44.orders import sandbags_left
from beachhead_memoir44.rows import ALIASES, KEYS, card_id, read_row, side_of
from beachhead_memoir44.state import State
from beachhead_memoir44.tables import cells as cells_of
from beachhead_memoir44.tables import modifiers, terrains, troops, without


def position(
    place: str | Iterable[str] = (), *, board: str = "", options: Mapping[str, object] | None = None, **row: Any
) -> State:
    """A battle drawn by hand, at the start of a turn: the quickest way to a rule question. The keys are those of a case row (`KEYS`).

    Raises:
        ScenarioError: everything that is wrong in it.
    """
    return CASES.set_up(drawn_row(place, board, options, row))


class MemoirCases:
    """Positions from rows, and answers to their questions (see `beachhead.cases`)."""

    keys = KEYS

    def set_up(self, row: Mapping[str, Any]) -> State:
        """The state that a row describes.

        Raises:
            ScenarioError: all that is wrong in it.
        """
        return read_row(row)

    # -------------------------------------------------------- questions
    def questions(self) -> Mapping[str, Callable[..., Any]]:
        """The questions by their names; the parameters of each are its arguments."""
        return self._questions(self.set_up({"options": {}}))

    def ask(self, state: State, question: str, args: list[str]) -> Any:
        """The answer to a question by name.

        Raises:
            UnknownName: there is no such question; the nearest is named.
            ValueError: the question takes other arguments, or is about what is not there.
        """
        return answer(self._questions(state), question, args)

    @staticmethod
    def _questions(state: State) -> dict[str, Callable[..., Any]]:
        return {
            "figures": lambda unit: state.units[named(state, unit)].figures,
            "start_figures": lambda unit: state.setting.roster[named(state, unit)].figures,
            "troop": lambda unit: state.setting.roster[named(state, unit)].troop_id,
            "depleted": lambda unit: state.setting.roster[named(state, unit)].depleted,
            "hex": lambda unit: _where(state, named(state, unit)),
            "unit": lambda hex: _occupant(state, hex),
            "medals": lambda side: state.medals_of(side_of(side)),
            "hand_size": lambda side: state.hand(side_of(side)).size,
            "hand": lambda side: sorted(state.hand(side_of(side)).cards),
            "holds": lambda side, card: card in state.hand(side_of(side)).cards,
            "pile_size": lambda: state.pile.size,
            "discard_size": lambda: state.discard.size,
            "discarded": lambda card: state.discard.count(card_id(card)),
            "copies": lambda *cards: sum(state.setting.deck.count(card) for card in cards),
            "copies_of": lambda *names: sum(
                n for card, n in state.setting.deck.counts if find_card(card).kind_id in names
            ),
            "deck_size": lambda: state.setting.deck.size,
            "lies": lambda hex, name: any(
                row.id == ALIASES.get(name, name) for row in state.rows(state.setting.board.hex(hex))
            ),
            "holder": lambda n: str(state.held[int(n) - 1] or "nobody").lower(),
            "sections": lambda hex: list(questions.sections(state, hex)),
            "hexes_in": lambda *wings: sum(
                set(questions.sections(state, h)) == set(wings) for h in state.setting.board
            ),
            "sandbags_left": lambda: sandbags_left(state),
            "reachable": lambda unit: list(questions.reachable(state, unit)),
            "reachable_and_battle": lambda unit: list(questions.reachable(state, unit, battle=True)),
            "legal_targets": lambda unit: list(questions.legal_targets(state, unit)),
            "retreat_options": lambda unit: list(questions.retreat_options(state, unit)),
            "flags_ignorable": lambda unit, n="3": questions.flags_ignorable(state, unit, int(n)),
            "attack_dice": lambda unit, target: questions.attack_dice(state, unit, target),
            "can_see": lambda unit, target: questions.can_see(state, unit, target),
            "may_battle": lambda unit, target: questions.may_battle(state, unit, target),
            "may_move": lambda unit, hex: questions.may_move(state, unit, hex),
            "may_order": lambda unit: questions.may_order(state, unit),
            "may_ambush": lambda unit, target: questions.may_ambush(state, unit, target),
            "hit_odds": lambda unit, target: questions.hit_odds(state, unit, target).by(lambda score: score.hits),
            "flag_odds": lambda unit, target: questions.hit_odds(state, unit, target).by(lambda score: score.flags),
        }

    def fields(self, state: State, what: Any) -> Mapping[str, Any]:
        """Units by their hex (or "eliminated") where events and decisions have their number."""
        numbers = {
            name: getattr(what, name)
            for name in ("unit", "target", "attacker", "by")
            if isinstance(getattr(what, name, None), int)
        }
        return {name: _where(state, number) for name, number in numbers.items()}

    # -------------------------------------------------------- knocking out table cells
    def cells(self) -> Iterator[Cell]:
        """Every cell that has an effect, of the rows that are played."""
        for table, rows in _tables().items():
            for row in rows.values():
                for cell in cells_of([row]) if row.built else ():
                    if getattr(row, cell.effect) != getattr(_without(row, cell.effect), cell.effect):
                        yield Cell(table, cell.row, cell.effect, cell.rules)

    @contextmanager
    def without(self, cell: Cell) -> Iterator[None]:
        """While the context lasts, the cell has no effect."""
        rows = _tables()[cell.table]
        row = rows[cell.row]
        rows[cell.row] = _without(row, cell.field)
        setup._knocked.append(str(cell))
        try:
            yield
        finally:
            rows[cell.row] = row
            setup._knocked.remove(str(cell))


def _tables() -> Mapping[str, dict[str, Any]]:
    return {"terrain": terrains(), "troop": troops(), "modifier": modifiers(), "card": kinds()}  # type: ignore[dict-item]


def _without(row: Any, effect: str) -> Any:
    try:
        return without(row, effect)
    except UnknownName:
        return row


def named(state: State, unit: str) -> int:
    """A unit by its own name or by the hex in which it stands.

    Raises:
        ValueError: no unit has that name, or stands there.
    """
    for i, muster in enumerate(state.setting.roster):
        if muster.name == unit:
            return i
    return questions.unit_in(state, unit)


def _where(state: State, unit: int) -> Any:
    hex = state.units[unit].hex
    return hex if isinstance(hex, Hex) else hex.value


def _occupant(state: State, place: str) -> str:
    unit = state.unit_at(state.setting.board.hex(place))
    return "nobody" if unit is None else f"{state.setting.roster[unit].troop_id} {state.side(unit)}".lower()


CASES = MemoirCases()
