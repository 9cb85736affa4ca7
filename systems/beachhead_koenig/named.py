"""What a question names: units, and hexes by their labels or names on the map."""

from __future__ import annotations

from beachhead.hexes import Hex
from beachhead_koenig.beach import Place
from beachhead_koenig.state import State

At = Hex | str
"""A hex, or its label or name on the map."""


def on_map(state: State, unit: str) -> Hex:
    """Where a unit stands.

    Raises:
        ValueError: it is not on the map.
    """
    place = state.place(unit)
    if not isinstance(place, Hex):
        raise ValueError(f"{unit} stands in no hex: it is {place.value}")
    return place


def known(state: State, unit: str) -> str:
    """The unit of this name.

    Raises:
        UnknownName: there is none; the nearest is named.
    """
    state.unit(unit)
    return unit


def place_named(state: State, place: Place) -> str:
    """A place in words, where a unit retreats to: a hex by its label."""
    return state.setting.board.label(place) if isinstance(place, Hex) else "off the map"
