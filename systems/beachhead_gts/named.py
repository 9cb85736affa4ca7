"""What a question names: units, and hexes by their labels, their names on the map, or who stands there."""

from __future__ import annotations

from beachhead.hexes import Hex
from beachhead_gts.state import State

At = Hex | str
"""A hex, its label or name on the map, or the name of a unit or Leader that stands there."""


def known(state: State, unit: str) -> str:
    """The unit of this name.

    Raises:
        UnknownName: there is none; the nearest is named.
    """
    state.unit(unit)
    return unit


def on_map(state: State, unit: str) -> Hex:
    """Where a unit stands.

    Raises:
        UnknownName: there is no such unit; the nearest is named.
        ValueError: it is not on the map.
    """
    place = state.place(unit)
    if not isinstance(place, Hex):
        raise ValueError(f"{unit} stands in no hex: it {place.value}")
    return place


def hex_at(state: State, at: At) -> Hex:
    """The hex that is meant.

    Raises:
        ValueError: there is no such hex, unit or Leader, and the nearest is named; or who is named is not on the map.
        TypeError: it is no name at all.
    """
    field = state.setting
    if not isinstance(at, str):
        return state.hex(at)
    if at in field.number:
        return on_map(state, at)
    if at in field.leader_number:
        place = state.leader(at)
        if not isinstance(place, Hex):
            raise ValueError(f"{at} stands in no hex: he {place.value}")
        return place
    return field.board.find(at, (*field.number, *field.leader_number))
