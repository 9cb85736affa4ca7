"""Formations and their units: what is printed on a piece, and where or when it comes (koenig:2.2.c, koenig:3.0.b, koenig:3.0.c)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from attrs import field, frozen

from beachhead.rules import Provenance
from beachhead_koenig.scenario import given
from beachhead_koenig.scenario.board import Map
from beachhead_koenig.scenario.values import SOURCES, Sources, Value
from beachhead_koenig.state import Enters, Formation, Lands, Piece, SetUp
from beachhead_koenig.tables import STACKING_LIMIT, Side, UnitType

ARRIVALS = ("set_up", "lands", "enters")
FIGURES = ("name", "type", "strength", "movement", *ARRIVALS)
"""What of a unit has a source."""
STRONGEST, FASTEST = 20, 20
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
    formations, roster, source, where = list[Formation](), list[Piece](), {}, {}
    for entry in value.items():
        fields = entry.table(
            {"name": "the name of its HQ", "side": "Allied or German", "units": "a list of units"},
            "title",
            "colour",
            *SOURCES,
        )
        name = _name(fields["name"]) if "name" in fields else ""
        side = fields["side"].word(Side) if "side" in fields else ""
        colour = fields["colour"].text() if "colour" in fields else "#888888"
        if colour and not _COLOUR.fullmatch(colour):
            fields["colour"].fault("no colour", 'such as "#7a8b5c"')
        title = fields["title"].text() if "title" in fields else ""
        if name and side:
            formations.append(Formation(name, Side(side), title, colour))
        sources = Sources.read(fields, FIGURES)
        units = fields["units"].items() if "units" in fields else ()
        if "units" in fields and fields["units"].value == []:
            fields["units"].fault("no unit", "a formation has one unit at least")
        for unit in units:
            piece, its_source = _unit(unit, name, side, sources, track, ground)
            if piece is not None:
                roster.append(piece)
                source[piece.name], where[id(piece)] = its_source, unit
    _check_names(value, formations, roster, where)
    _check_sides(value, roster)
    _check_places(roster, where, ground)
    waves = max((piece.arrives.turn for piece in roster if isinstance(piece.arrives, Lands)), default=0)
    return Forces(tuple(formations), tuple(roster), source, waves)


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
    value: Value, formation: str, side: str, around: Sources, track: tuple[str, ...], ground: Map | None
) -> tuple[Piece | None, dict[str, Provenance]]:
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
        return None, {}
    [way] = ways
    arrives = _arrival(way, fields[way], side, track, ground)
    figures = tuple(figure for figure in FIGURES if figure in fields)
    sources = Sources.read(fields, FIGURES, around).of(
        figures, _given(formation, name, type, way, fields[way].value), name
    )
    if not (name and type and formation and side) or strength is None or movement is None or arrives is None:
        return None, {}
    authored = Provenance.AUTHORED in (sources["strength"], sources["movement"])
    return Piece(name, Side(side), formation, UnitType(type), strength, movement, arrives, title, authored), sources


def _arrival(
    way: str, value: Value, side: str, track: tuple[str, ...], ground: Map | None
) -> SetUp | Lands | Enters | None:
    if way == "enters":
        if value.value is not True:
            value.fault("expected true", "enters = true, or set_up or lands in its place")
        if side == Side.ALLIED:
            value.fault("Allied units do not enter by road (koenig:juno.5.1.a)", "lands or set_up")
        return Enters()
    if way == "set_up":
        hex = ground.hex(value) if ground else None
        if hex is not None and ground and ground.board.has(hex, "sea"):
            value.fault("this hex is sea", "a hex that can be entered")
        return None if hex is None else SetUp(hex)
    fields = value.table({"turn": "the Game Turn", "at": "the beach hex"})
    if side == Side.GERMAN:
        value.fault("German units do not land (koenig:5.0.a)", "set_up or enters")
    turn = fields["turn"].number(1, len(track) or 1) if "turn" in fields else None
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
def _check_names(value: Value, formations: list[Formation], roster: list[Piece], where: Mapping[int, Value]) -> None:
    for name, times in Counter(each.name.casefold() for each in formations).items():
        if times > 1:
            value.fault(f"{times} formations are called {name!r}", "a name of its own for each HQ")
    seen = set[str]()
    for piece in roster:
        if piece.name.casefold() in seen:
            where[id(piece)].fault("another unit has this name", "a name of its own for each unit")
        seen.add(piece.name.casefold())


def _check_sides(value: Value, roster: list[Piece]) -> None:
    for side in Side:
        if not any(piece.side is side for piece in roster):
            value.fault(f"no {side} unit", "both sides have units")
    entering = {piece.formation: None for piece in roster if isinstance(piece.arrives, Enters)}
    if len(entering) > 1:
        value.fault(
            f"units of {' and '.join(entering)} enter", "reinforcements are of one formation (koenig:juno.5.1.a)"
        )


def _check_places(roster: list[Piece], where: Mapping[int, Value], ground: Map | None) -> None:
    if ground is None:
        return
    for piece in roster:
        entry = where[id(piece)]
        if isinstance(piece.arrives, Enters) and not ground.exits:
            entry.fault("it enters by road, and no road leads off the map", "map.exits")
        if ground.numbers(piece.name):
            entry.child("name", piece.name).fault("is the number of a hex", "a name that no hex has")
        if isinstance(piece.arrives, SetUp):
            place = entry.child("set_up", entry.value["set_up"])
            here = [other for other in roster if other.arrives == piece.arrives]
            if here.index(piece) and piece.side is not here[0].side:
                place.fault("both sides stand in this hex", "a hex for each side")
            if here.index(piece) == STACKING_LIMIT:
                place.fault(f"{len(here)} units stand in this hex (koenig:8.2.a)", f"{STACKING_LIMIT} at most")
