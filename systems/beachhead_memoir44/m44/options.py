"""The options of a scenario: which there are, and the form of each one's value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from beachhead.board import Board
from beachhead.enums import Named
from beachhead.spelling import nearest
from beachhead_memoir44.m44.nodes import Node
from beachhead_memoir44.m44.values import FrozenMap
from beachhead_memoir44.tables import Side
from beachhead_memoir44.vocabulary import words

Form = Callable[[Node, Board], Any]


class DeckName(Named, StrEnum):
    """Decks with other cards than the standard one."""

    AIR_POWER_AS_ARTILLERY_BOMBARD_DECK = "AIR_POWER_AS_ARTILLERY_BOMBARD_DECK"


class MineDeckName(Named, StrEnum):
    """Sets of mine counters."""

    TERRAIN = "TERRAIN"
    PACIFIC = "PACIFIC"


def read_options(found: Mapping[str, Node], board: Board) -> FrozenMap:
    """The options of a file, checked. A switch that stands on false is left out, but for those that are on by themselves."""
    options = {}
    for name, node in found.items():
        form = _FORMS.get(name)
        if form is None:
            node.fault("unknown option", nearest(name, _FORMS) or f"known options: {', '.join(sorted(_FORMS))}")
            continue
        value = form(node, board)
        if value is not False or name == "deck_reshuffling":
            options[name] = value
    return FrozenMap(options)


def _flag(node: Node, board: Board) -> bool:
    return node.flag()


def _side(node: Node, board: Board) -> Side | None:
    return node.side()


def _side_or_all(node: Node, board: Board) -> Side | str | None:
    return "all" if isinstance(node.value, str) and node.value.lower() == "all" else node.side()


def _hexes(node: Node, board: Board) -> object:
    return node.hexes(board)


def _text(node: Node, board: Board) -> str:
    return node.text()


def _number(node: Node, board: Board) -> int | None:
    return node.number()


def _numbers(node: Node, board: Board) -> object:
    """One number, or one for each of several drops or units."""
    return tuple(item.number() for item in node.items()) if isinstance(node.value, list | dict) else node.number()


def _sections(node: Node, board: Board) -> object:
    return tuple(item.number(high=2) for item in node.items())


def _name(layer: str) -> Form:
    def read(node: Node, board: Board) -> str:
        found = node.word(layer)
        return found.name if found else ""

    return read


def _behaviour(node: Node, board: Board) -> Any:
    """A behaviour of a unit, or one of the fixed words (ONE_AT_TIME)."""
    fixed = isinstance(node.value, str) and node.value in words()["value"]
    return _name("value" if fixed else "behavior")(node, board)


def _choice(among: type[StrEnum]) -> Form:
    return lambda node, board: node.choice(among)


def _object(**members: Form) -> Form:
    def read(node: Node, board: Board) -> FrozenMap:
        return FrozenMap({name: members[name](inner, board) for name, inner in node.fields(*members).items()})

    return read


_value = _name("value")
_unit = _object(
    name=_name("unit"),
    badge=_name("badge"),
    nbr_units=_number,
    behavior=_behaviour,
    behavior2=_behaviour,
    equipment=_name("behavior"),
    turn=_number,
)
_airdrop = _object(
    side=_side,
    range=_number,
    nbr_units=_numbers,
    nbr_drops=_number,
    center=_text,
    unit=_unit,
    behavior=_behaviour,
    option=_value,
    option2=_value,
)

_FORMS: Mapping[str, Form] = {
    "air_strikes_rules": _side,
    "airdrop": _airdrop,
    "airdrop2": _airdrop,
    "armor_breakthrough_rules": _object(AXIS=_unit, ALLIES=_unit),
    "blitz_rules": _flag,
    "blowbridge_opt2": _object(side=_side, option=_value, option2=_value),
    "british_commonwealth": _flag,
    "deck_name": _choice(DeckName),
    "deck_reshuffling": _flag,
    "empty_section_medals": _object(side=_side, count_for=_number, sections=_sections),
    "gung_ho": _flag,
    "hill317": _hexes,
    "infantry_exit_counts_2": _flag,
    "italy_high_command": _flag,
    "italy_royal_army": _flag,
    "mine_deck_name": _choice(MineDeckName),
    "must_have_unit_exit": _object(side=_side, min_nbr_units=_number),
    "night_visibility_reverse_rule": _flag,
    "night_visibility_rules": _flag,
    "night_visibility_team_turn": _side,
    "north_african_desert_rules": _flag,
    "partial_blitz_rules": _side_or_all,
    "russian_commissar_rule": _side,
    "smoke_screen": _object(side=_side),
    "supply_train_rules": _object(side=_side, nbr_units=_numbers, unit=_unit),
}
