"""Formations and their units: what is printed on a piece, and where or when it comes (koenig:2.2.c, koenig:3.0.b, koenig:3.0.c)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from attrs import field, frozen

from beachhead.hexes import Hex
from beachhead.rules import Provenance
from beachhead.scenario_values import SOURCES, Sources, Value
from beachhead.sentences import listed
from beachhead_koenig.beach import Enters, Formation, Lands, Piece, SetUp
from beachhead_koenig.scenario import given
from beachhead_koenig.scenario.board import Map
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
        entering: whether units enter by road.
    """

    formations: tuple[Formation, ...] = ()
    roster: tuple[Piece, ...] = ()
    source: Mapping[str, Mapping[str, Provenance]] = field(factory=dict)
    waves: int = 0
    entering: bool = False


def read_forces(value: Value, track: tuple[str, ...], ground: Map | None) -> Forces:
    """The formations of both sides.

    Args:
        value: the list `formation`.
        track: the names of the Game Turns.
        ground: the map; None where it could not be read, and then no hex is looked up.
    """
    formations, units = list[_Formation](), list[_Unit]()
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
            units.append(_unit(unit, formation, sources, track, ground))
    _check_formations(value, formations)
    _check_reinforcements(value, units, ground)
    _check_units(units, ground)
    pieces = {piece: unit.source for unit in units if (piece := unit.piece())}
    return Forces(
        tuple(Formation(each.name, each.side, **each.words) for each in formations if each.name and each.side),
        tuple(pieces),
        {piece.name: source for piece, source in pieces.items()},
        max((unit.turn for unit in units), default=0),
        any(unit.way == "enters" for unit in units),
    )


class _Formation(NamedTuple):
    """A formation as far as it can be read: "" and None stand for what cannot."""

    name: str
    side: Side | None
    words: Mapping[str, str]
    """Title and colour, where it has them."""


class _Unit(NamedTuple):
    """A unit as far as it can be read ("" and None stand for what cannot), the sources of its figures, and where it stands in the file."""

    entry: Value
    formation: _Formation
    name: str
    title: str
    type: str
    strength: int | None
    movement: int | None
    way: str
    """Of the ways to arrive, the one that it has."""
    hex: Hex | None
    turn: int
    """On which it lands; 0 if it does not."""
    source: Mapping[str, Provenance]

    def piece(self) -> Piece | None:
        """The unit, if all of it can be read."""
        side, strength, movement = self.formation.side, self.strength, self.movement
        arrives = self._arrives()
        if not (self.name and self.type and self.formation.name and side and arrives):
            return None
        if strength is None or movement is None:
            return None
        authored = Provenance.AUTHORED in (self.source["strength"], self.source["movement"])
        type = UnitType(self.type)
        return Piece(self.name, side, self.formation.name, type, strength, movement, arrives, self.title, authored)

    def _arrives(self) -> SetUp | Lands | Enters | None:
        if self.way == "enters":
            return Enters()
        if self.hex is None or (self.way == "lands" and not self.turn):
            return None
        return Lands(self.turn, self.hex) if self.way == "lands" else SetUp(self.hex)


def _formation(fields: Mapping[str, Value]) -> _Formation:
    name = _name(fields["name"]) if "name" in fields else ""
    side = fields["side"].word(Side) if "side" in fields else ""
    words = {key: fields[key].text() for key in ("title", "colour") if key in fields}
    if words.get("colour") and not _COLOUR.fullmatch(words["colour"]):
        fields["colour"].fault("no colour", 'such as "#7a8b5c"')
    return _Formation(name, Side(side) if side else None, words)


def _name(value: Value) -> str:
    name = value.text()
    if name and not _ONE_WORD.fullmatch(name):
        value.fault(
            "no single word", "letters and digits, joined by hyphens, such as 'AT-1'; the title may have blanks"
        )
        return ""
    return name


# ------------------------------------------------------------ one unit
def _unit(value: Value, formation: _Formation, around: Sources, track: tuple[str, ...], ground: Map | None) -> _Unit:
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
    if len(ways) != 1 and isinstance(value.value, dict):
        problem = f"it has {' and '.join(ways)}" if ways else "it comes nowhere"
        value.fault(problem, 'one of set_up = "0507", lands = { turn = 1, at = "..." } and enters = true')
    before = len(value.faults)
    arrivals = [_arrival(way, fields[way], formation.side, track, ground) for way in ways]
    clear = len(ways) == 1 and len(value.faults) == before
    way, (hex, turn) = (ways[0], arrivals[0]) if len(ways) == 1 else ("", (None, 0))
    figures = tuple(figure for figure in FIGURES if figure in fields)
    source = _source(fields, figures, formation.name, name, type, way if clear else "", around)
    return _Unit(value, formation, name, title, type, strength, movement, way, hex, turn, source)


def _arrival(
    way: str, value: Value, side: Side | None, track: tuple[str, ...], ground: Map | None
) -> tuple[Hex | None, int]:
    """Where a unit comes onto the map, and on which Game Turn it lands; None and 0 where there is nothing to say, or after a fault."""
    if way == "enters":
        if value.value is not True:
            value.fault("expected true", "enters = true, or set_up or lands in its place")
        if side is Side.ALLIED:
            value.fault("Allied units do not enter by road (koenig:juno.5.1.a)", "lands or set_up")
        return None, 0
    if way == "set_up":
        hex = ground.hex(value) if ground else None
        if hex is not None and ground and ground.board.has(hex, "sea") and hex not in ground.drawn.doubtful:
            value.fault("this hex is sea", "a hex that can be entered")
        return hex, 0
    fields = value.table({"turn": "the Game Turn", "at": "the beach hex"})
    if side is Side.GERMAN:
        value.fault("German units do not land (koenig:5.0.a)", "set_up or enters")
    turn = fields["turn"].number(1, len(track) or MOST_TURNS) if "turn" in fields else None
    if turn is not None and "Night" in track[:turn]:
        fields["turn"].fault(
            "after the first day: units land on its turns (koenig:5.0.a)", "a turn before the first night"
        )
        turn = None
    hex = ground.hex(fields["at"]) if ground and "at" in fields else None
    if ground and ground.drawn.lacks(hex, "beach"):
        fields["at"].fault("no beach hex", "a hex with beach on the map")
    return hex, turn or 0


def _source(
    fields: Mapping[str, Value],
    figures: tuple[str, ...],
    formation: str,
    name: str,
    type: str,
    way: str,
    around: Sources,
) -> dict[str, Provenance]:
    """Where the figures of a unit come from: the rules' text gives some of them, and gives them so. "" stands for what cannot be read."""
    unit, found, text = (formation, name), set[str](), dict[str, tuple[Value, str]]()
    if unit in given.LANDINGS:
        found.add("name")
        landing = given.LANDINGS[unit]
        if way == "lands":
            said = fields["lands"].table({}, "turn", "at")
            wrong = [key for key, figure in (("turn", landing.turn), ("at", landing.at)) if said[key].value != figure]
            for key in wrong[:1]:
                text["lands"] = (said[key], f"{getattr(landing, key)} for {name} ({landing.rule})")
            found |= {"lands"} - text.keys()
    if unit in given.TYPES and type:
        right = given.TYPES[unit]
        found |= {"type"} if right == type else set()
        text["type"] = (fields["type"], f"{right} for {name} ({given.LANDINGS[unit].rule})")
    if (formation, type, way) == (*given.REINFORCEMENTS, "enters"):
        found |= {"name", "type", "enters"}
    doubtful = {figure for figure, read in (("type", type), *((arrival, way) for arrival in ARRIVALS)) if not read}
    if not (formation and name) or (formation == given.REINFORCEMENTS[0] and doubtful):
        doubtful = {*FIGURES}
    return Sources.read(fields, FIGURES, around).of(figures, found, name, doubtful, text)


# ------------------------------------------------------------ all of them
def _check_formations(value: Value, formations: list[_Formation]) -> None:
    for name, times in Counter(formation.name.casefold() for formation in formations if formation.name).items():
        if times > 1:
            value.fault(f"{times} formations are called {name!r}", "a name of its own for each HQ")
    sides = {formation.side for formation in formations}
    for side in Side if isinstance(value.value, list) and None not in sides else ():
        if side not in sides:
            value.fault(f"no {side} formation", "both sides have units")


def _check_reinforcements(value: Value, units: list[_Unit], ground: Map | None) -> None:
    entering = dict.fromkeys(u.formation.name for u in units if u.way == "enters" and u.formation.name)
    if len(entering) > 1:
        value.fault(f"units of {listed(entering)} enter", "reinforcements are of one formation (koenig:juno.5.1.a)")
    if entering and ground and ground.closed:
        value.fault(f"units of {listed(entering)} enter by road, and no road leads off the map", "map.exits")


def _check_units(units: list[_Unit], ground: Map | None) -> None:
    names: set[str] = set()
    there: dict[Hex, list[Side]] = {}
    for unit in units:
        name = unit.name.casefold()
        if name and name in names:
            unit.entry.fault("another unit has this name", "a name of its own for each unit")
        names.add(name)
        if name and ground and ground.numbers(unit.name):
            unit.entry.child("name", unit.name).fault("is the number of a hex", "a name that no hex has")
        side = unit.formation.side
        if unit.way == "set_up" and unit.hex is not None and side:
            sides = there.setdefault(unit.hex, [])
            sides.append(side)
            place = unit.entry.child("set_up", unit.entry.value["set_up"])
            if side is not sides[0]:
                place.fault(f"{sides[0]} units stand in this hex", "a hex for each side")
            if len(sides) > STACKING_LIMIT:
                place.fault(f"unit {len(sides)} in this hex (koenig:8.2.a)", f"{STACKING_LIMIT} at most")
