"""Drawing a position by hand: lines on terrain, roads and units become a board, formations and pieces.

>>> from beachhead.hexes import LetterLabels
>>> sketch, faults = Sketch(Board.rectangle(7, 7, labels=LetterLabels())), []
>>> for line in ("C3: CSR 4-6 allied of 7", "D3: town", "river: C3/D3", "waiting: AT 3-6 german anti-tank of 716", "D9: town"):
...     sketch.put(Value("place", line, faults))
>>> [str(piece) for piece in sketch.pieces], sketch.formations["716"], sketch.board.features(Hex(1, 2), Hex(2, 2))
(['CSR', 'AT'], Side.GERMAN, frozenset({'river'}))
>>> print(*faults)
place = 'D9: town': 'D9' is not on the board (49 hexes in 7 rows, A1 to G7) (a label such as A1, road, river, cliff, landing, waiting, eliminated, exited, retreated)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from attrs import define, field

from beachhead.board import Board
from beachhead.hexes import Hex
from beachhead.scenario_values import Value
from beachhead.sketches import MapSketch, Wrong, reading
from beachhead.spelling import nearest
from beachhead_koenig.beach import Away, Enters, Lands, Piece, Place, SetUp
from beachhead_koenig.state import Progress, Unit
from beachhead_koenig.tables import STACKING_LIMIT, TERRAIN, Side, UnitType

HEXSIDES = ("river", "cliff")
SIDES = {side.value.lower(): side for side in Side}
_AWAY = {"waiting": Away.WAITING, "eliminated": Away.ELIMINATED, "exited": Away.EXITED, "retreated": Away.RETREATED}
_WORDS: Mapping[str, tuple[str, Any]] = {
    **{name: ("side", side) for name, side in SIDES.items()},
    **{type.value.replace(" ", "-"): ("type", type) for type in UnitType},
    **{f"h{hits}": ("hits", hits) for hits in range(3)},
    **{progress.name.lower(): ("progress", progress) for progress in Progress},
}
"""The words for a unit, and what each of them says."""


@define
class Sketch:
    """A position being drawn, line by line."""

    map: MapSketch = field(converter=MapSketch)
    """Made of what was drawn before the first line."""
    formations: dict[str, Side] = field(init=False, factory=dict)
    """Whose each formation is."""
    drawn: dict[str, tuple[Piece, Unit]] = field(init=False, factory=dict)

    # -------------------------------------------------------- what came of it
    @property
    def board(self) -> Board:
        """The map with everything on it."""
        return self.map.board

    def hex(self, label: str) -> Hex:
        """The hex with a label or a name of its own.

        Raises:
            Wrong: there is none.
        """
        return self.map.hex(label)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The units as they are printed, in the order of the lines."""
        return tuple(piece for piece, _ in self.drawn.values())

    @property
    def units(self) -> tuple[Unit, ...]:
        """Where they are, in the same order."""
        return tuple(unit for _, unit in self.drawn.values())

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
            raise Wrong("is no hex and what is there", '"C3: CSR 4-6 allied", "C3: town", "river: C3/D3"')
        match head.split():
            case ["road"]:
                self.map.links["road"].update(self.map.between(text, "-"))
            case ["river" | "cliff"]:
                for side in self.map.between(text, "/"):
                    self.map.hexsides[side].add(head)
            case ["landing", turn, *where] if where and turn.isdecimal():
                self._unit(text, Lands(int(turn), self.hex(" ".join(where))), Away.WAITING)
            case ["waiting"]:
                self._unit(text, Enters(), Away.WAITING)
            case ["eliminated" | "exited" | "retreated"]:  # where it once came from does not matter any more
                self._unit(text, SetUp(self.map.plain.hexes[0]), _AWAY[head])
            case _:
                self._on_hex(self.map.hex(head, ("road", *HEXSIDES, "landing", *_AWAY)), text)

    def _on_hex(self, hex: Hex, text: str) -> None:
        if all(word in TERRAIN for word in text.split()):
            self.map.terrain.setdefault(hex, []).extend(word for word in text.split() if word != "clear")
            return
        self._unit(text, SetUp(hex), hex)
        there = [(piece, unit) for piece, unit in self.drawn.values() if unit.place == hex]
        if len(there) > STACKING_LIMIT:
            raise Wrong(f"is one too many in {self.map.label(hex)}", f"{STACKING_LIMIT} units in a hex")
        if len({piece.side for piece, _ in there}) > 1:
            raise Wrong(
                f"stands with an enemy in {self.map.label(hex)}", "a Close Combat begins in play: let it move there"
            )

    def _unit(self, text: str, arrives: SetUp | Lands | Enters, place: Place) -> None:
        form = "NAME S-M and a side: CSR 4-6 allied; more words: its type, of FORMATION, h1 or h2"
        match = re.fullmatch(r"(\S+)\s+(\d+)-(\d+)((?:\s+\S+)*)", text)
        if not match:
            raise Wrong("is no unit", f"{form}; or terrain: {', '.join(TERRAIN)}" if isinstance(place, Hex) else form)
        name, strength, movement = match[1], int(match[2]), int(match[3])
        said: dict[str, Any] = {}
        words = iter(match[4].split())
        for word in words:
            what, value = ("formation", next(words, "")) if word == "of" else _WORDS.get(word, ("", word))
            if not what:
                known = (*_WORDS, "of")
                raise Wrong(f"{word!r} is no word for a unit{nearest(word, known)}", f"known: {', '.join(known)}")
            if what in said or (not value and what == "formation"):
                raise Wrong(f"{word!r} says its {what} twice, or not at all", form)
            said[what] = value
        if "side" not in said:
            raise Wrong("whose unit is it?", "allied or german")
        if said.get("hits") and place in (Away.WAITING, Away.ELIMINATED):
            raise Wrong("has Hits, off the map", "no Hits: they are gone with it, or still to come")
        side: Side = said["side"]
        formation = said.get("formation") or ("A" if side is Side.ALLIED else "G")
        if name in self.drawn:
            raise Wrong(f"{name} is there already", "a name of its own for each unit")
        if self.formations.setdefault(formation, side) is not side:
            raise Wrong(f"formation {formation} is {side.enemy}", "a formation of its own side")
        type = said.get("type", UnitType.INFANTRY)
        piece = Piece(name, side, formation, type, strength, movement, arrives, authored=False)
        self.drawn[name] = piece, Unit(place, said.get("hits", 0), said.get("progress", Progress.READY))
