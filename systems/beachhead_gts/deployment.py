"""Who stands where: the index of a state, outside its value. Most often one unit has moved since the last was made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import compress, count
from operator import is_not
from typing import TYPE_CHECKING

from attrs import define, field

from beachhead.hexes import Hex
from beachhead_gts.tables import Side

if TYPE_CHECKING:
    from beachhead_gts.battlefield import Battlefield
    from beachhead_gts.state import Unit
    from beachhead_gts.zones import Coverage, Light

_ALLIED = Side.ALLIED  # looking it up in the enum takes ten times as long


@define(eq=False)
class Deployment:
    """The units of a state by hexes. Sets of hexes are ints, as the board has them.

    Attributes:
        units: of which state; a deployment is known by them.
        at: the numbers of the units in each hex that holds any, in the order of the roster.
        allied, german: the hexes that units of a side stand in.
        zones: the Fire Zones that were asked about last, for each side, with the light in which they hold (`zones.coverage`).
        crowded: those with several units.
        since: which units have changed since others that were asked about last, with those.
        columns: the hexes with a unit in Column that keeps others out: on a reinforcement hex none does (8.0).
    """

    units: tuple[Unit, ...]
    at: dict[Hex, tuple[int, ...]]
    allied: int
    german: int
    crowded: int
    columns: int
    zones: dict[Side, tuple[Light, Coverage]] = field(factory=dict)
    since: tuple[tuple[Unit, ...], list[int]] | None = None

    def changed_since(self, before: tuple[Unit, ...]) -> list[int]:
        """The numbers of the units that are not what they were."""
        known = self.since
        if known is None or known[0] is not before:
            known = self.since = (before, list(compress(count(), map(is_not, self.units, before))))
        return known[1]

    def of(self, side: Side) -> int:
        """The hexes that units of a side stand in."""
        return self.allied if side is _ALLIED else self.german


def deployment(field: Battlefield, units: tuple[Unit, ...]) -> Deployment:
    """The deployment of these units: the one known last, or that with what has changed since, or a new one."""
    latest = field.latest
    known = latest[0] if latest else None  # taken at once: another game may put its own there
    if known is not None:
        if known.units is units:
            return known
        moved = list(compress(count(), map(is_not, units, known.units)))
        if len(moved) <= MOST_CHANGES:
            found = _changed(field, known, units, moved)
            found.since = (known.units, moved)
            latest[:] = [found]
            return found
    found = _deployed(field, units)
    latest[:] = [found]
    return found


MOST_CHANGES = 3
"""With more, it is quicker to look at all units again."""


def _deployed(field: Battlefield, units: tuple[Unit, ...]) -> Deployment:
    at: dict[Hex, tuple[int, ...]] = {}
    for i, unit in enumerate(units):
        place = unit.place
        if type(place) is Hex:
            at[place] = (*at.get(place, ()), i)
    return Deployment(units, at, *_standing(field, units, at, at))


def _changed(field: Battlefield, known: Deployment, units: tuple[Unit, ...], moved: list[int]) -> Deployment:
    """Only the hexes that these units were in, or are in now, are looked at again: if they have moved, or changed their Column."""
    pairs = [(i, known.units[i], units[i]) for i in moved]
    moves = [(i, old.place, new.place) for i, old, new in pairs if old.place != new.place or old.column != new.column]
    if not moves:
        return Deployment(units, known.at, known.allied, known.german, known.crowded, known.columns)
    at, touched, changed = known.at.copy(), set[Hex](), 0
    for i, before, after in moves:
        if type(before) is Hex:
            at[before] = tuple([j for j in at[before] if j != i])
            touched.add(before)
        if type(after) is Hex:
            at[after] = tuple(sorted((*at.get(after, ()), i)))
            touched.add(after)
    for hex in touched:
        changed |= field.bit[hex]
    allied, german, crowded, columns = _standing(field, units, at, touched)
    for hex in touched:
        if not at[hex]:
            del at[hex]
    kept = ~changed
    return Deployment(
        units,
        at,
        known.allied & kept | allied,
        known.german & kept | german,
        known.crowded & kept | crowded,
        known.columns & kept | columns,
    )


def _standing(
    field: Battlefield, units: tuple[Unit, ...], at: Mapping[Hex, tuple[int, ...]], hexes: Iterable[Hex]
) -> tuple[int, int, int, int]:
    """Of some hexes, those that units of each side stand in, those with several, and those with one in Column that keeps others out."""
    allied = german = crowded = columns = 0
    bit, roster = field.bit, field.roster
    for hex in hexes:
        inside, here = at[hex], bit[hex]
        if len(inside) > 1:
            crowded |= here
        for i in inside:
            if roster[i].side is _ALLIED:
                allied |= here
            else:
                german |= here
            if units[i].column:
                columns |= here
    return allied, german, crowded, columns & ~field.unlimited
