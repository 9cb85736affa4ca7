"""Drawing a position by hand: lines on terrain, roads, units and Leaders become a board, Formations and counters.

>>> from beachhead.board import Board
>>> from beachhead.hexes import LetterLabels
>>> from beachhead_gts.scenario.charts import shipped_charts
>>> sketch, faults = Sketch(Board.rectangle(9, 9, labels=LetterLabels()), shipped_charts("beachhead")), []
>>> for line in ("C3: Able allied q7 c1", "D3: woods", "crest: C3/D3", "due 3: Dora german tank", "D9: Baker alied"):
...     sketch.put(Value("place", line, faults))
>>> [(str(piece), piece.front.quality, piece.division) for piece in sketch.pieces], sketch.units[0].cohesion
([('Able', 7, 'X'), ('Dora', 6, 'Y')], 1)
>>> print(faults[0].problem)
'alied' is no word for a unit; did you mean 'allied'?
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from attrs import define, field

from beachhead.hexes import Hex
from beachhead.scenario_values import Value
from beachhead.sketches import MapSketch, Wrong, reading
from beachhead.spelling import nearest
from beachhead_gts.battlefield import STAR, Away, Face, LeaderPiece, Objective, Piece, Place
from beachhead_gts.charts import Charts
from beachhead_gts.state import Unit
from beachhead_gts.tables import Barrage, Cover, Side, Stripe, UnitClass
from beachhead_gts.wording import (
    COMPANY,
    SIDES,
    STEPS,
    WORDS,
    add,
    backs_of,
    face_of,
    named,
    spelt,
    unit_of,
    unit_words,
)

DIVISIONS = {Side.ALLIED: "X", Side.GERMAN: "Y"}
FORMATIONS = {Side.ALLIED: "1", Side.GERMAN: "9"}
"""What a unit belongs to of which nothing else is said."""
COMMAND_RANGE, ATTACHMENT = 5, 2
"""Of a Leader of whom nothing else is said."""
_AWAY = {"box": Away.BOX, "eliminated": Away.ELIMINATED, "removed": Away.REMOVED}
_SYMBOLS = ("observation-post", "strongpoint", "entrenchment")
_BARRAGES = {spelt(kind): kind for kind in Barrage}


@define
class Sketch:
    """A position being drawn, line by line."""

    map: MapSketch = field(converter=MapSketch)
    """Made of what was drawn before the first line."""
    charts: Charts
    symbols: defaultdict[str, set[Hex]] = field(init=False, factory=lambda: defaultdict(set))
    """Hexes with an observation post, a strongpoint or an entrenchment."""
    barrages: dict[Hex, Barrage] = field(init=False, factory=dict)
    unjoined: defaultdict[Hex, list[frozenset[Hex]]] = field(init=False, factory=lambda: defaultdict(list))
    objectives: list[Objective] = field(init=False, factory=list)
    divisions: dict[str, Side] = field(init=False, factory=dict)
    """Whose each Division is."""
    formations: dict[str, str] = field(init=False, factory=dict)
    """The Division of each Formation."""
    entries: dict[str, Hex] = field(init=False, factory=dict)
    """The reinforcement hex of each Division that has one."""
    drawn: dict[str, tuple[Piece, Unit]] = field(init=False, factory=dict)
    led: dict[str, tuple[LeaderPiece, Place]] = field(init=False, factory=dict)

    # -------------------------------------------------------- what came of it
    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The units as they are printed, in the order of the lines."""
        return tuple(piece for piece, _ in self.drawn.values())

    @property
    def units(self) -> tuple[Unit, ...]:
        """Where they are, in the same order."""
        return tuple(unit for _, unit in self.drawn.values())

    def complete(self) -> None:
        """Each side has a Division, and each Division a Formation."""
        for side in Side:
            if side not in self.divisions.values():
                self.divisions[DIVISIONS[side]] = side
        for division, side in self.divisions.items():
            if division not in self.formations.values():
                self.formations.setdefault(FORMATIONS[side], division)

    # -------------------------------------------------------- lines
    def put(self, line: Value) -> None:
        """Take in one line."""
        with reading(line):
            if text := line.text():
                self._read(text)

    def _read(self, line: str) -> None:
        if self.map.take_name(line):
            return
        head, _, text = (part.strip() for part in line.partition(":"))
        if not (head and text):
            raise Wrong("is no hex and what is there", '"C3: Able allied q7", "C3: woods", "crest: C3/D3"')
        match head.split():
            case ["due", turn] if turn.isdecimal():
                self._counter(text, int(turn), Away.DUE)
            case ["box" | "eliminated" | "removed"]:
                self._counter(text, 1, _AWAY[head])
            case ["entry", division]:
                self.entries[division] = self.map.hex(text)
            case ["objective", called, *said]:
                self._objective(called, said, self.map.hex(text))
            case ["unjoined"]:
                self._unjoined(text)
            case _:
                self._line_or_hex(head, text)

    def _line_or_hex(self, head: str, text: str) -> None:
        kinds = {spelt(name): name for name in (*self.charts.roads, *self.charts.hexsides)}
        kind = kinds.get(spelt(head), "")
        if kind in self.charts.roads:
            self.map.links[kind].update(self.map.between(text, "-"))
        elif kind:
            for side in self.map.between(text, "/"):
                self.map.hexsides[side].add(kind)
        else:
            others = (*kinds, "due", *_AWAY, "entry", "objective", "unjoined")
            self._on_hex(self.map.hex(head, others), text)

    def _unjoined(self, text: str) -> None:
        for way in text.split():
            hexes = [self.map.hex(label) for label in way.split("-")]
            if len(hexes) != 3:
                raise Wrong(f"{way!r} is no way through a hex", "B1-C1-D1: the road through C1 from B1 to D1")
            self.unjoined[hexes[1]].append(frozenset((hexes[0], hexes[2])))

    def _objective(self, name: str, said: list[str], hex: Hex) -> None:
        points, held = 1, None
        for word in said:
            if word.isdecimal():
                points = int(word)
            elif word in SIDES:
                held = SIDES[word]
            else:
                raise Wrong(
                    f"{word!r} is no word for an objective",
                    "objective NAME, its points, and allied or german if it is held",
                )
        self.objectives.append(Objective(name, hex, points, held))

    def _on_hex(self, hex: Hex, text: str) -> None:
        ground = {spelt(name): name for name in self.charts.terrain}
        words = text.split()
        known = (*ground, *_SYMBOLS, *_BARRAGES)
        if not all(word in known for word in words):
            if len(words) == 1 and text not in ("leader", *WORDS):
                unit = " or ".join(f'"{text} {side}"' for side in SIDES)
                fix = f"a unit needs its side: {unit}; ground is one of {', '.join(known)}"
                raise Wrong(f"{text!r} is no ground{nearest(text, known)}", fix)
            self._counter(text, hex, hex)
            return
        for word in words:
            if word in _SYMBOLS:
                self.symbols[word].add(hex)
            elif word in _BARRAGES:
                self.barrages[hex] = _BARRAGES[word]
            elif word != "clear":
                self.map.terrain.setdefault(hex, []).append(ground[word])

    # -------------------------------------------------------- units and Leaders
    def _counter(self, text: str, arrives: Hex | int, place: Place) -> None:
        first, *words = text.split()
        if first == "leader":
            self._leader(self._own(*words[:1]), words[1:], arrives, place)
        else:
            self._unit(self._own(first), words, arrives, place)

    def _own(self, name: str = "") -> str:
        """A name that is not taken."""
        if not name or name in WORDS or "(" in name:
            raise Wrong("what is it called?", 'its name first: "Able allied", "leader Lee allied"')
        if name in self.drawn or name in self.led:
            raise Wrong(f"{name} is there already", "a name of its own for each unit and Leader")
        if name in map(self.map.label, self.map.plain.hexes):
            raise Wrong(f"{name} is a hex", "a name that no hex has, such as Able")
        return name

    def _unit(self, name: str, words: list[str], arrives: Hex | int, place: Place) -> None:
        said = unit_words(words)
        side, division, formation = self._belongs(said)
        front, steps = face_of(said, COMPANY), said.get("steps", STEPS)
        backs = backs_of(said, front)
        unit = unit_of(said, place=place)
        self._check(unit, front, steps, backs, division)
        self.drawn[name] = (
            Piece(
                name,
                side,
                division,
                formation,
                said.get("stripe", Stripe.FORMATION),
                steps,
                front,
                arrives,
                backs.get("reduced"),
                backs.get("transport"),
                unit.column,
                authored=False,
            ),
            Unit(place, losses=steps) if place is Away.ELIMINATED else unit,
        )
        if isinstance(place, Hex):
            self._check_stack(place)

    def _belongs(self, said: Mapping[str, Any]) -> tuple[Side, str, str]:
        """Side, Division and Formation of a unit; an independent one has no Formation."""
        side: Side | None = said.get("side")
        formation, division = said.get("formation", ""), said.get("division", "")
        if said.get("stripe") and formation:
            raise Wrong("an independent unit has no Formation", "white or black, or of FORMATION")
        if division and not formation and not said.get("stripe"):
            raise Wrong("of which Formation of it?", "of FORMATION div DIVISION")
        division = division or self.formations.get(formation, "") or (DIVISIONS[side] if side else "")
        side = side or self.divisions.get(division)
        if side is None:
            raise Wrong("whose unit is it?", "allied or german")
        if self.divisions.setdefault(division, side) is not side:
            raise Wrong(f"Division {division} is {side.enemy}", "a Division of its own side")
        if said.get("stripe"):
            return side, division, ""
        formation = formation or FORMATIONS[side]
        if self.formations.setdefault(formation, division) != division:
            raise Wrong(
                f"Formation {formation} is of Division {self.formations[formation]}", "one Division for each Formation"
            )
        return side, division, formation

    def _check(self, unit: Unit, front: Face, steps: int, backs: Mapping[str, Face], division: str) -> None:
        """What cannot be of a unit by itself."""
        if unit.losses and steps < 2:
            raise Wrong("has no Step to lose without being eliminated", "loss1 for a unit of two Steps")
        if unit.mounted and "transport" not in backs:
            raise Wrong("has no Organic Transport", "transport(move10 wheeled def2), or no mounted")
        if front.movement is STAR and front.unit_class is not UnitClass.GUN:
            raise Wrong("a star in place of the Movement Allowance", "only guns have one (14.11)")
        if not isinstance(unit.place, Hex) and unit != Unit(unit.place):
            raise Wrong("has markers, off the map", "no markers: they are gone with it, or still to come")
        if unit.entering and self.entries.get(division) != unit.place:
            raise Wrong(
                f"this is not the reinforcement hex of {division}",
                f'"entry {division}: A1" for a unit that is entering in A1',
            )
        if unit.cover is Cover.ENTRENCHED and isinstance(unit.place, Hex):
            self.symbols["entrenchment"].add(unit.place)

    def _check_stack(self, hex: Hex) -> None:
        """What units cannot do in a hex together: more Steps than its limit they may have (14.7)."""
        there = [(piece, unit) for piece, unit in self.drawn.values() if unit.place == hex]
        label = self.map.label(hex)
        if len({piece.side for piece, _ in there}) > 1:
            raise Wrong(f"stands with an enemy in {label}", "a hex for each side (14.1)")
        if sum(unit.column for _, unit in there) > 1 and hex not in self.entries.values():
            raise Wrong(f"is the second unit in Column in {label}", "one at most (14.6.2)")

    def _leader(self, name: str, words: list[str], arrives: Hex | int, place: Place) -> None:
        said, rest = dict[str, Any](), iter(words)
        for word in rest:
            number = re.fullmatch(r"(range|attach)(\d+)", word)
            if number:
                add(said, word, {number[1]: int(number[2])})
            elif word == "of":
                add(said, word, {"formation": named(word, next(rest, ""))})
            elif word in SIDES:
                add(said, word, {"side": SIDES[word]})
            else:
                known = (*SIDES, "of", f"range{COMMAND_RANGE}", f"attach{ATTACHMENT}")
                raise Wrong(f"{word!r} is no word for a Leader{nearest(word, known)}", f"known: {', '.join(known)}")
        side = said.get("side")
        formation = said.get("formation") or (FORMATIONS[side] if side else "")
        if side and formation not in self.formations:
            self.formations[formation] = DIVISIONS[side]
            self.divisions.setdefault(DIVISIONS[side], side)
        if formation not in self.formations:
            raise Wrong(f"{name} leads no Formation", f"allied, german, or of one of {', '.join(self.formations)}")
        if place in (Away.BOX, Away.ELIMINATED):
            raise Wrong(
                "a Leader is not there", '"due 3: leader Lee of 1", or "removed: ..." when his Formation is gone'
            )
        reach, attachment = said.get("range", COMMAND_RANGE), said.get("attach", ATTACHMENT)
        self.led[name] = LeaderPiece(name, formation, reach, attachment, arrives, authored=False), place
