"""Formations and their units: what is printed on a piece, and where or when it comes (koenig:2.2.c, koenig:3.0.b, koenig:3.0.c)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from attrs import field, frozen

from beachhead.hexes import Hex
from beachhead.rules import Provenance
from beachhead_koenig.beach import Enters, Formation, Lands, Piece, SetUp
from beachhead_koenig.scenario import given
from beachhead_koenig.scenario.board import Map
from beachhead_koenig.scenario.values import SOURCES, Sources, Value, listed
from beachhead_koenig.tables import STACKING_LIMIT, Side, UnitType

ARRIVALS = ("set_up", "lands", "enters")
FIGURES = ("name", "type", "strength", "movement", *ARRIVALS)
"""What of a unit has a source."""
STRONGEST, FASTEST, MOST_TURNS = 20, 20, 99
_ONE_WORD = re.compile(r"[^\W_]+([-.][^\W_]+)*")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")


@frozen
class Forces:
    """The formations and the units, in the order of the file.

    Attributes:
        source: of each unit's figures.
        waves: the last Game Turn on which a unit is due to land; 0 where none is.
    """

    formations: tuple[Formation, ...] = ()
    roster: tuple[Piece, ...] = ()
    source: Mapping[str, Mapping[str, Provenance]] = field(factory=dict)
    waves: int = 0


def read_forces(value: Value, track: tuple[str, ...], ground: Map | None) -> Forces:
    """The formations of both sides.

    Args:
        value: the list `formation`.
        track: the names of the Game Turns.
        ground: the map; None where it could not be read, and then no hex is looked up.
    """
    formations, units = list[Formation | None](), list[_Unit]()
    for entry in value.items():
        fields = entry.table(
            {"name": "the name of its HQ", "side": "Allied or German", "units": "a list of units"},
            "title",
            "colour",
            *SOURCES,
        )
        formation = _formation(fields)
        formations.append(formation)
        sources = Sources.read(fields, FIGURES)
        if "units" in fields and fields["units"].value == []:
            fields["units"].fault("no unit", "a formation has one unit at least")
        for unit in fields["units"].items() if "units" in fields else ():
            units += _unit(unit, formation, sources, track, ground)
    _check_formations(value, formations)
    _check_reinforcements(value, units, ground)
    _check_units(units, ground)
    known = tuple(formation for formation in formations if formation)
    waves = max((unit.piece.arrives.turn for unit in units if isinstance(unit.piece.arrives, Lands)), default=0)
    return Forces(known, tuple(u.piece for u in units), {u.piece.name: u.source for u in units}, waves)


class _Unit(NamedTuple):
    """A unit, the sources of its figures, and where it stands in the file."""

    piece: Piece
    source: Mapping[str, Provenance]
    entry: Value


def _formation(fields: Mapping[str, Value]) -> Formation | None:
    name = _name(fields["name"]) if "name" in fields else ""
    side = fields["side"].word(Side) if "side" in fields else ""
    others = {key: fields[key].text() for key in ("title", "colour") if key in fields}
    if "colour" in others and not _COLOUR.fullmatch(others["colour"]):
        fields["colour"].fault("no colour", 'such as "#7a8b5c"')
    return Formation(name, Side(side), **others) if name and side else None


def _name(value: Value) -> str:
    name = value.text()
    if name and not _ONE_WORD.fullmatch(name):
        value.fault(
            "no single word", "letters and digits, joined by hyphens, such as 'AT-1'; the title may have blanks"
        )
        return ""
    return name


# ------------------------------------------------------------ one unit
def _unit(
    value: Value, formation: Formation | None, around: Sources, track: tuple[str, ...], ground: Map | None
) -> Iterator[_Unit]:
    """The unit, or none after a fault."""
    fields = value.table(
        {
            "name": "a word",
            "type": "its unit type",
            "strength": "its Combat Strength",
            "movement": "its Movement Allowance",
        },
        "title",
        *ARRIVALS,
        *SOURCES,
    )
    name = _name(fields["name"]) if "name" in fields else ""
    title = fields["title"].text() if "title" in fields else ""
    type = fields["type"].word(UnitType) if "type" in fields else ""
    strength = fields["strength"].number(0, STRONGEST) if "strength" in fields else None
    movement = fields["movement"].number(1, FASTEST) if "movement" in fields else None
    ways = [way for way in ARRIVALS if way in fields]
    if len(ways) != 1:
        problem = f"it has {' and '.join(ways)}" if ways else "it comes nowhere"
        value.fault(problem, 'one of set_up = "0507", lands = { turn = 1, at = "..." } and enters = true')
        return
    [way] = ways
    arrives = _arrival(way, fields[way], formation.side if formation else None, track, ground)
    figures = tuple(figure for figure in FIGURES if figure in fields)
    of_text = _given(formation.name if formation else "", name, type, way, fields[way].value)
    source = Sources.read(fields, FIGURES, around).of(figures, of_text, name)
    if not (name and type and formation and arrives) or strength is None or movement is None:
        return
    authored = Provenance.AUTHORED in (source["strength"], source["movement"])
    piece = Piece(name, formation.side, formation.name, UnitType(type), strength, movement, arrives, title, authored)
    yield _Unit(piece, source, value)


def _arrival(
    way: str, value: Value, side: Side | None, track: tuple[str, ...], ground: Map | None
) -> SetUp | Lands | Enters | None:
    if way == "enters":
        if value.value is not True:
            value.fault("expected true", "enters = true, or set_up or lands in its place")
        if side is Side.ALLIED:
            value.fault("Allied units do not enter by road (koenig:juno.5.1.a)", "lands or set_up")
        return Enters()
    if way == "set_up":
        hex = ground.hex(value) if ground else None
        if hex is not None and ground and ground.board.has(hex, "sea"):
            value.fault("this hex is sea", "a hex that can be entered")
        return None if hex is None else SetUp(hex)
    fields = value.table({"turn": "the Game Turn", "at": "the beach hex"})
    if side is Side.GERMAN:
        value.fault("German units do not land (koenig:5.0.a)", "set_up or enters")
    turn = fields["turn"].number(1, len(track) or MOST_TURNS) if "turn" in fields else None
    if turn is not None and "Night" in track[:turn]:
        fields["turn"].fault(
            "after the first day: units land on its turns (koenig:5.0.a)", "a turn before the first night"
        )
    hex = ground.hex(fields["at"]) if ground and "at" in fields else None
    if hex is not None and ground and not ground.board.has(hex, "beach"):
        fields["at"].fault("no beach hex", "a hex with beach on the map")
    return None if turn is None or hex is None else Lands(turn, hex)


def _given(formation: str, name: str, type: str, way: str, arrival: object) -> set[str]:
    """The figures of a unit that the rules' text gives, and gives so."""
    unit, found = (formation, name), set[str]()
    if unit in given.LANDINGS:
        found.add("name")
        turn, at = given.LANDINGS[unit]
        if arrival == {"turn": turn, "at": at}:
            found.add("lands")
    if given.TYPES.get(unit) == type:
        found.add("type")
    if (formation, type, way) == (*given.REINFORCEMENTS, "enters"):
        found |= {"name", "type", "enters"}
    return found


# ------------------------------------------------------------ all of them
def _check_formations(value: Value, formations: list[Formation | None]) -> None:
    known = [formation for formation in formations if formation]
    for name, times in Counter(formation.name.casefold() for formation in known).items():
        if times > 1:
            value.fault(f"{times} formations are called {name!r}", "a name of its own for each HQ")
    for side in Side if isinstance(value.value, list) and len(known) == len(formations) else ():
        if not any(formation.side is side for formation in known):
            value.fault(f"no {side} formation", "both sides have units")


def _check_reinforcements(value: Value, units: list[_Unit], ground: Map | None) -> None:
    entering = dict.fromkeys(u.piece.formation for u in units if isinstance(u.piece.arrives, Enters))
    if len(entering) > 1:
        value.fault(f"units of {listed(entering)} enter", "reinforcements are of one formation (koenig:juno.5.1.a)")
    if entering and ground and not ground.exits:
        value.fault(f"units of {listed(entering)} enter by road, and no road leads off the map", "map.exits")


def _check_units(units: list[_Unit], ground: Map | None) -> None:
    names = set[str]()
    there = dict[Hex, list[Side]]()
    for piece, _, entry in units:
        name = piece.name.casefold()
        if name in names:
            entry.fault("another unit has this name", "a name of its own for each unit")
        names.add(name)
        if ground and ground.numbers(piece.name):
            entry.child("name", piece.name).fault("is the number of a hex", "a name that no hex has")
        if isinstance(piece.arrives, SetUp):
            sides = there.setdefault(piece.arrives.hex, [])
            sides.append(piece.side)
            place = entry.child("set_up", entry.value["set_up"])
            if piece.side is not sides[0]:
                place.fault(f"{sides[0]} units stand in this hex", "a hex for each side")
            if len(sides) > STACKING_LIMIT:
                place.fault(f"unit {len(sides)} in this hex (koenig:8.2.a)", f"{STACKING_LIMIT} at most")
