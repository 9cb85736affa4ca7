"""One Division, Formation, Leader or unit: what is printed of it, and where or when it comes, as far as it can be read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.rules import Provenance
from beachhead.scenario_values import Value
from beachhead.sentences import listed
from beachhead_gts.battlefield import Division, Formation, LeaderPiece, Piece
from beachhead_gts.scenario import counters
from beachhead_gts.scenario.board import Ground
from beachhead_gts.scenario.counters import Counter, counter_of
from beachhead_gts.scenario.origins import KEYS, Origin, Origins
from beachhead_gts.tables import MOST_POINTS, Side, Stripe

MOST_TURNS = 99
GREY = "#888888"
STRIPES = (Stripe.WHITE.value, Stripe.BLACK.value)
_ONE_WORD = re.compile(r"[^\W_]+([-.'][^\W_]+)*")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
ARRIVALS = ("at", "turn")
DIVISION = ("command", "dispatch", "points", "entry", "arrives")
LEADER = ("range", "attachment", *ARRIVALS)
FIGURES = (*DIVISION, *LEADER, *counters.FIGURES)
"""All that may have a source in a Division, and in what is inside it."""


class DivisionEntry(NamedTuple):
    """A Division as far as it can be read: "" and None stand for what cannot."""

    entry: Value
    fields: Mapping[str, Value]
    name: str
    side: Side | None
    arrives: int
    piece: Division | None
    origins: Mapping[str, Origin]
    around: Origins


class FormationEntry(NamedTuple):
    """A Formation as far as it can be read."""

    entry: Value
    fields: Mapping[str, Value]
    name: str
    division: DivisionEntry | None
    independent: bool
    piece: Formation | None
    around: Origins


class Arrival(NamedTuple):
    """A hex, or the turn on which something is due; both None after a fault."""

    value: Value | None = None
    hex: Hex | None = None
    turn: int | None = None

    @property
    def known(self) -> Hex | int | None:
        """What can be told."""
        return self.hex if self.hex is not None else self.turn


class LeaderEntry(NamedTuple):
    """A Leader as far as he can be read."""

    entry: Value
    name: str
    formation: str
    arrival: Arrival
    piece: LeaderPiece | None
    origins: Mapping[str, Origin]


class UnitEntry(NamedTuple):
    """A unit as far as it can be read."""

    entry: Value
    name: str
    division: DivisionEntry | None
    formation: str
    arrival: Arrival
    column: bool
    kind: str
    counter: Counter | None
    piece: Piece | None
    origins: Mapping[str, Origin]


# ------------------------------------------------------------ reading them
@frozen
class Reader:
    """What reading a Division, a Formation, a Leader or a unit needs to know."""

    ground: Ground | None
    turns: int
    kinds: Mapping[str, Counter | None]

    def division(self, value: Value, around: Origins) -> DivisionEntry:
        """A Division, without what is in it."""
        fields = value.table(
            {
                "name": "a word",
                "side": "Allied or German",
                "command": "its Command Rating",
                "dispatch": "its Dispatch Rating",
            },
            "title", "points", "entry", "arrives", "independents", *KEYS,
        )  # fmt: skip
        name = read_name(fields)
        side = fields["side"].word(Side) if "side" in fields else ""
        command = fields["command"].number(0, MOST_POINTS) if "command" in fields else None
        dispatch = fields["dispatch"].number(0, 9) if "dispatch" in fields else None
        points = fields["points"].table({}, "command", "dispatch") if "points" in fields else {}
        start = tuple(
            (points[key].number(0, MOST_POINTS) or 0) if key in points else 0 for key in ("command", "dispatch")
        )
        entry = self._edge(fields["entry"]) if "entry" in fields else None
        arrives = (fields["arrives"].number(1, self.turns) or 1) if "arrives" in fields else 1
        own = Origins.read(fields, FIGURES, around)
        origins = own.of([figure for figure in DIVISION if figure in fields])
        piece = None
        if name and side and command is not None and dispatch is not None:
            authored = Provenance.AUTHORED in (origins["command"].provenance, origins["dispatch"].provenance)
            title = read_title(fields)
            piece = Division(name, Side(side), command, dispatch, (start[0], start[1]), entry, arrives, title, authored)
        return DivisionEntry(value, fields, name, Side(side) if side else None, arrives, piece, origins, own)

    def _edge(self, value: Value) -> Hex | None:
        hex = self.ground.hex(value) if self.ground else None
        if hex is not None and self.ground and not self.ground.board.edge(hex):
            value.fault("no hex at the edge of the map", "the hex in which reinforcements enter (8.0)")
        return hex

    def formation(self, value: Value, divisions: Sequence[DivisionEntry]) -> FormationEntry:
        """A Formation, without what is in it."""
        needed = {"name": "a word", "division": "the name of its Division", "units": "a list of units"}
        fields = value.table(needed, "title", "colour", "leaders", "independent", "superior", *KEYS)
        name = read_name(fields)
        its = division_named(fields["division"], divisions) if "division" in fields else None
        colour = fields["colour"].text() if "colour" in fields else GREY
        if colour and not _COLOUR.fullmatch(colour):
            fields["colour"].fault("no colour", f'such as "{GREY}"')
        independent = fields["independent"].flag() if "independent" in fields else False
        superior = fields["superior"].text() if "superior" in fields else ""
        own = Origins.read(fields, FIGURES, its.around if its else None)
        piece = None
        if name and its:
            piece = Formation(name, its.name, read_title(fields), colour, independent, superior)
        return FormationEntry(value, fields, name, its, independent, piece, own)

    def leader(self, value: Value, formation: FormationEntry) -> LeaderEntry:
        """A Leader of a Formation."""
        needed = {"name": "a word", "range": "his Command Range", "attachment": "his Attachment Rating"}
        fields = value.table(needed, *ARRIVALS, *KEYS)
        name = read_name(fields)
        reach = fields["range"].number(0, 99) if "range" in fields else None
        attachment = fields["attachment"].number(0, 9) if "attachment" in fields else None
        arrival = self._arrival(value, fields)
        origins = Origins.read(fields, FIGURES, formation.around).of([f for f in LEADER if f in fields])
        piece, arrives = None, arrival.known
        if name and formation.name and reach is not None and attachment is not None and arrives is not None:
            authored = Provenance.AUTHORED in (origins["range"].provenance, origins["attachment"].provenance)
            piece = LeaderPiece(name, formation.name, reach, attachment, arrives, authored)
        return LeaderEntry(value, name, formation.name, arrival, piece, origins)

    def unit(
        self, value: Value, division: DivisionEntry | None, formation: FormationEntry | None, around: Origins
    ) -> UnitEntry:
        """A unit: of a kind of counters, or with ratings of its own, or with some that differ from its kind's."""
        stripe = {} if formation else {"stripe": f"{' or '.join(STRIPES)}"}
        fields = value.table(
            {"name": "a word", **stripe}, "counter", *counters.FIGURES, "title", "column", *ARRIVALS, *KEYS
        )
        name = read_name(fields)
        word = fields["stripe"].word(STRIPES) if "stripe" in fields else ""
        own = Origins.read(fields, FIGURES, around)
        kind, counter = self._counter(value, fields, own)
        arrival = self._arrival(value, fields)
        column = fields["column"].flag() if "column" in fields else False
        origins = own.of([figure for figure in ARRIVALS if figure in fields])
        if counter is not None:
            origins |= {f: o for f, o in counter.origins.items() if not kind or f in fields}
        piece, arrives = None, arrival.known
        side = division.side if division else None
        if name and division and division.name and side and counter and arrives is not None and (formation or word):
            piece = Piece(
                name,
                side,
                division.name,
                formation.name if formation else "",
                Stripe.FORMATION if formation else Stripe(word),
                counter.steps,
                counter.front,
                arrives,
                counter.reduced,
                counter.transport,
                column,
                read_title(fields),
                any(origin.provenance is Provenance.AUTHORED for origin in counter.origins.values()),
            )
        own_name = formation.name if formation else ""
        return UnitEntry(value, name, division, own_name, arrival, column, kind, counter, piece, origins)

    def _counter(self, value: Value, fields: Mapping[str, Value], own: Origins) -> tuple[str, Counter | None]:
        """The kind of counters that a unit names, if it does, and what is printed on its own."""
        if "counter" not in fields:
            missing = [figure for figure in ("front", "steps") if figure not in fields]
            if missing and isinstance(value.value, dict):
                value.fault(f"no {listed(missing)}", 'counter = "..." of [counters], or front and steps of its own')
                return "", None
            return "", counter_of(fields, None, own)
        kind = fields["counter"].word(self.kinds) if self.kinds else fields["counter"].text()
        if not self.kinds and kind:
            fields["counter"].fault("no kind of counters", f'[counters] {kind} = {{ steps = 2, front = "..." }}')
        like = self.kinds.get(kind)
        return kind, counter_of(fields, like, own) if like is not None else None

    def _arrival(self, value: Value, fields: Mapping[str, Value]) -> Arrival:
        there = [way for way in ARRIVALS if way in fields]
        if len(there) != 1:
            if isinstance(value.value, dict):
                problem = "it has at and turn" if there else "it comes nowhere"
                value.fault(problem, 'at = "0304", the hex where it is set up, or turn = 3, on which it is due')
            return Arrival()
        way = fields[there[0]]
        if there[0] == "turn":
            return Arrival(way, turn=way.number(1, self.turns))
        return Arrival(way, hex=self.ground.hex(way) if self.ground else None)


def read_name(fields: Mapping[str, Value]) -> str:
    """A name of one word; "" after a fault."""
    if "name" not in fields:
        return ""
    name = fields["name"].text()
    if name and not _ONE_WORD.fullmatch(name):
        fields["name"].fault(
            "no single word", "letters and digits, joined by hyphens, such as 'A-RWR'; the title may have blanks"
        )
        return ""
    return name


def division_named(value: Value, divisions: Sequence[DivisionEntry]) -> DivisionEntry | None:
    """The Division of this name; None after a fault, which is not told where a name could not be read: it may be that one."""
    names = {division.name: division for division in divisions if division.name}
    return names.get(value.word(names, doubtful=len(names) < len(divisions)))


def read_title(fields: Mapping[str, Value]) -> str:
    """A title; "" where there is none."""
    return fields["title"].text() if "title" in fields else ""
