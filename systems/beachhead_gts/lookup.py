"""What follows from a battlefield for good, found once when it is made: who is whose, and which hexes are what.

A field of its own is as quick to get at as a slot; what is found when it is asked for the first time takes five times as long ever after.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from beachhead.hexes import Hex
from beachhead_gts.tables import ENTRY_DISTANCE, ChitKind, Side

if TYPE_CHECKING:
    from beachhead_gts.battlefield import Battlefield, Chit, Division, Place


def number(field: Battlefield) -> Mapping[str, int]:
    """Units by their names."""
    return {piece.name: i for i, piece in enumerate(field.roster)}


def leader_number(field: Battlefield) -> Mapping[str, int]:
    """Leaders by their names."""
    return {leader.name: i for i, leader in enumerate(field.leaders)}


def division_number(field: Battlefield) -> Mapping[str, int]:
    """Divisions by their names."""
    return {division.name: i for i, division in enumerate(field.divisions)}


def division_of(field: Battlefield) -> Mapping[str, Division]:
    """Divisions by their own names and by those of their Formations."""
    own = {division.name: division for division in field.divisions}
    return own | {each.name: own[each.division] for each in field.formations}


def members(field: Battlefield) -> Mapping[str, tuple[int, ...]]:
    """The numbers of the units of each Formation, and of each Division, its independents included."""
    found: dict[str, list[int]] = {name: [] for name in field.division_of}
    for i, piece in enumerate(field.roster):
        found[piece.division].append(i)
        if piece.formation:
            found[piece.formation].append(i)
    return {name: tuple(units) for name, units in found.items()}


def regulars(field: Battlefield) -> Mapping[Side, tuple[int, ...]]:
    """The numbers of the units of each side that belong to a Formation."""
    pairs = [(i, piece) for i, piece in enumerate(field.roster) if not piece.independent]
    return {side: tuple([i for i, piece in pairs if piece.side is side]) for side in Side}


def independents(field: Battlefield) -> Mapping[str, tuple[int, ...]]:
    """The numbers of the independent units of each Division."""
    return {
        each.name: tuple([i for i in field.members[each.name] if field.roster[i].independent])
        for each in field.divisions
    }


def star_guns(field: Battlefield) -> Mapping[Side, tuple[int, ...]]:
    """The numbers of each side's guns with a star: what they may do hangs on the hexes around them, too (14.11)."""
    from beachhead_gts.battlefield import STAR

    guns = [
        (i, piece.side)
        for i, piece in enumerate(field.roster)
        if STAR in (piece.front.movement, piece.reduced and piece.reduced.movement)
    ]
    return {side: tuple([i for i, whose in guns if whose is side]) for side in Side}


def leaders_of(field: Battlefield) -> Mapping[str, tuple[int, ...]]:
    """The numbers of the Leaders of each Formation, and of each Division."""
    found: dict[str, list[int]] = {name: [] for name in field.division_of}
    for i, leader in enumerate(field.leaders):
        found[leader.formation].append(i)
        found[field.division_of[leader.formation].name].append(i)
    return {name: tuple(leaders) for name, leaders in found.items()}


def chits(field: Battlefield) -> Mapping[str, Chit]:
    """All chits by their names, those that stand for unseen ones included."""
    from beachhead_gts.battlefield import Chit, direct_command, face_down

    found = [Chit(d.name, ChitKind.DIVISION, d.side, d.name) for d in field.divisions]
    own = [each for each in field.formations if not each.independent]
    for f in own:
        lone = sum(each.division == f.division for each in own) == 1
        found.append(Chit(f.name, ChitKind.FORMATION, field.division_of[f.name].side, f.division, f.name, lone))
    found += [Chit(direct_command(side), ChitKind.DIRECT_COMMAND, side) for side in Side]
    found += [Chit(face_down(d.name), ChitKind.UNKNOWN, d.side, d.name) for d in field.divisions]
    return {chit.name: chit for chit in found}


def purses(field: Battlefield) -> tuple[int, ...]:
    """For each unit the number of that Division."""
    return tuple([field.division_number[piece.division] for piece in field.roster])


def bit(field: Battlefield) -> Mapping[Place, int]:
    """For each hex, the set that holds it alone, as the board has sets (`Board.mask`)."""
    return {hex: 1 << i for i, hex in enumerate(field.board.hexes)}


def between(field: Battlefield) -> Mapping[Hex, frozenset[Hex]]:
    """For each hex the neighbours with something on the hexside between: terrain, or a road across it."""
    found: dict[Hex, set[Hex]] = {}
    for a, b in (*field.board.hexsides, *(side for sides in field.board.links.values() for side in sides)):
        found.setdefault(a, set()).add(b)
        found.setdefault(b, set()).add(a)
    return {hex: frozenset(others) for hex, others in found.items()}


def entries(field: Battlefield) -> Mapping[Side, tuple[Hex, ...]]:
    """The reinforcement entry hexes of each side (8.0)."""
    return {side: tuple([d.entry for d in field.divisions if d.side is side and d.entry]) for side in Side}


def unlimited(field: Battlefield) -> int:
    """The reinforcement entry hexes of both sides, as a set: stacking has no limits there (8.0)."""
    return field.board.mask([hex for side in Side for hex in field.entries[side]])


def goals(field: Battlefield) -> frozenset[Hex]:
    """The hexes of the objectives (12.0)."""
    return frozenset(each.hex for each in field.objectives)


def barred(field: Battlefield) -> Mapping[Side, int]:
    """The hexes that units of a side never move into: near an enemy reinforcement entry hex (14.1)."""
    board, barred = field.board, dict.fromkeys(Side, 0)
    for side in Side:
        for hex in field.entries[side.enemy]:
            barred[side] |= board.within_mask(hex, ENTRY_DISTANCE)
    return barred
