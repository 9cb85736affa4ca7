"""Who stands where: the index of a state, outside its value. Most often one unit has moved since the last was made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import compress, count
from operator import is_not
from typing import TYPE_CHECKING

from attrs import define

from beachhead.hexes import Hex
from beachhead_gts.tables import Side

if TYPE_CHECKING:
    from beachhead_gts.battlefield import Battlefield
    from beachhead_gts.state import Unit

_ALLIED = Side.ALLIED  # looking it up in the enum takes ten times as long
Units = tuple["Unit", ...]


@define(eq=False)
class Deployment:
    """The units of a state by hexes. Sets of hexes are ints, as the board has them.

    Attributes:
        units: of which state; a deployment is known by them.
        at: the numbers of the units in each hex that holds any, in the order of the roster.
        allied, german: the hexes that units of a side stand in.
        arriving: those in which only units stand that have yet to leave them (8.0).
        columns: the hexes with a unit in Column that keeps others out: on a reinforcement hex none does (8.0).
        past: the last few changes that led here.
    """

    units: Units
    at: dict[Hex, tuple[int, ...]]
    allied: int
    german: int
    columns: int
    arriving: int
    past: tuple[tuple[Units, tuple[int, ...]], ...] = ()

    def of(self, side: Side) -> int:
        """The hexes that units of a side stand in."""
        return self.allied if side is _ALLIED else self.german

    def changed_since(self, before: Units) -> set[int]:
        """The numbers of the units that may not be what they were."""
        changed: set[int] = set()
        if before is self.units:
            return changed
        for units, moved in self.past:
            changed.update(moved)
            if units is before:
                return changed
        return set(_differing(before, self.units))


NOBODY = Deployment((), {}, 0, 0, 0, 0)
"""What is known before anything has been asked."""
MOST_CHANGES = 3
"""With more, it is quicker to look at all units again."""
LONGEST_PAST = 6
"""Whoever asks what has changed has most often asked within so many changes."""


def deployment(field: Battlefield, units: Units) -> Deployment:
    """The deployment of these units: the one known last, or that with what has changed since, or a new one."""
    known = field.latest[0]  # taken at once: another game may put its own there
    if known.units is units:
        return known
    moved = _differing(known.units, units)
    few = known is not NOBODY and len(moved) <= MOST_CHANGES
    found = field.latest[0] = _changed(field, known, units, moved) if few else _deployed(field, units)
    return found


def hand_on(field: Battlefield, before: Units, units: Units, i: int) -> None:
    """These are the units, but for one the same as before: if it was known who stood where, it is known now."""
    known = field.latest[0]
    if known.units is before:
        field.latest[0] = _changed(field, known, units, (i,))


def _differing(before: Units, units: Units) -> tuple[int, ...]:
    return tuple(compress(count(), map(is_not, units, before)))


def _deployed(field: Battlefield, units: Units) -> Deployment:
    at: dict[Hex, tuple[int, ...]] = {}
    for i, unit in enumerate(units):
        place = unit.place
        if type(place) is Hex:
            at[place] = (*at.get(place, ()), i)
    return Deployment(units, at, *_standing(field, units, at, at))


def _changed(field: Battlefield, known: Deployment, units: Units, moved: tuple[int, ...]) -> Deployment:
    """Only the hexes that these units were in, or are in now, are looked at again: if they have moved, or changed their Column."""
    before, at = known.units, known.at
    past = ((before, moved), *known.past[: LONGEST_PAST - 1])
    touched: list[Hex] = []
    for i in moved:
        old, new = before[i], units[i]
        left, entered = old.place, new.place
        if left == entered and old.column is new.column and old.entering is new.entering:
            continue
        if not touched:
            at = at.copy()
        if type(left) is Hex:
            touched.append(left)
            others = at.pop(left)
            if len(others) > 1:
                at[left] = tuple([j for j in others if j != i])
        if type(entered) is Hex:
            touched.append(entered)
            others = at.get(entered, ())
            at[entered] = tuple(sorted((*others, i))) if others else (i,)
    if not touched:
        return Deployment(units, at, known.allied, known.german, known.columns, known.arriving, past)
    allied, german, columns, arriving = _standing(field, units, at, touched)
    kept = -1
    for hex in touched:
        kept &= ~field.bit[hex]
    return Deployment(
        units,
        at,
        known.allied & kept | allied,
        known.german & kept | german,
        known.columns & kept | columns,
        known.arriving & kept | arriving,
        past,
    )


def _standing(
    field: Battlefield, units: Units, at: Mapping[Hex, tuple[int, ...]], hexes: Iterable[Hex]
) -> tuple[int, int, int, int]:
    """Of some hexes, those that units of each side stand in, those with one in Column that keeps others out, and those with arriving ones only."""
    allied = german = columns = entered = 0
    bit, roster = field.bit, field.roster
    for hex in hexes:
        if hex not in at:  # nobody has stayed
            continue
        here = bit[hex]
        for i in at[hex]:
            unit = units[i]
            if roster[i].side is _ALLIED:
                allied |= here
            else:
                german |= here
            if unit.column:
                columns |= here
            if not unit.entering:
                entered |= here
    return allied, german, columns & ~field.unlimited, (allied | german) & ~entered
