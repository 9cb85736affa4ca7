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
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

from attrs import define, field

from beachhead.board import Board
from beachhead.hexes import GeometryError, Hex, Hexside
from beachhead.rules import nearest
from beachhead.scenario_values import Value
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


class Wrong(Exception):
    """What is wrong with a value, and what would be right."""

    def __init__(self, problem: str, fix: str = "") -> None:
        super().__init__(problem, fix)
        self.problem, self.fix = problem, fix


@contextmanager
def reading(value: Value) -> Iterator[None]:
    """What is found wrong meanwhile becomes a fault of this value."""
    try:
        yield
    except Wrong as wrong:
        value.fault(wrong.problem, wrong.fix)


@define
class Sketch:
    """A position being drawn, line by line."""

    plain: Board
    """What was drawn before the first line."""
    terrain: dict[Hex, list[str]] = field(init=False)
    hexsides: defaultdict[Hexside, set[str]] = field(init=False)
    roads: set[Hexside] = field(init=False)
    named: dict[str, Hex] = field(init=False)
    formations: dict[str, Side] = field(init=False, factory=dict)
    """Whose each formation is."""
    drawn: dict[str, tuple[Piece, Unit]] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.terrain = {hex: list(names) for hex, names in self.plain.terrain.items()}
        self.hexsides = defaultdict(set, {side: set(names) for side, names in self.plain.hexsides.items()})
        self.roads = set(self.plain.links.get("road", ()))
        self.named = dict(self.plain.named)

    # -------------------------------------------------------- what came of it
    @property
    def board(self) -> Board:
        """The map with everything on it."""
        return Board(
            self.plain.hexes,
            terrain={hex: tuple(dict.fromkeys(names)) for hex, names in self.terrain.items()},
            hexsides=self.hexsides,
            links={"road": self.roads},
            labels=self.plain.labels,
            named=self.named,
        )

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
            self._read(line.text())

    def _read(self, line: str) -> None:
        if name := re.fullmatch(r"([^:=]+)=\s*(\S+)\s*", line):
            self.named[name[1].strip()] = self.hex(name[2])
            return
        head, _, text = (part.strip() for part in line.partition(":"))
        if not (head and text):
            raise Wrong("is no hex and what is there", '"C3: CSR 4-6 allied", "C3: town", "river: C3/D3"')
        match head.split():
            case ["road"]:
                self.roads.update(self._between(text, "-"))
            case ["river" | "cliff"]:
                for side in self._between(text, "/"):
                    self.hexsides[side].add(head)
            case ["landing", turn, *where] if where and turn.isdecimal():
                self._unit(text, Lands(int(turn), self.hex(" ".join(where))), Away.WAITING)
            case ["waiting"]:
                self._unit(text, Enters(), Away.WAITING)
            case ["eliminated" | "exited" | "retreated"]:  # where it once came from does not matter any more
                self._unit(text, SetUp(self.plain.hexes[0]), _AWAY[head])
            case _:
                self._on_hex(self.hex(head, ("road", *HEXSIDES, "landing", *_AWAY)), text)

    def hex(self, label: str, others: Iterable[str] = ()) -> Hex:
        """The hex with a label or a name of its own, in which `-` may stand for a blank. `others` are what else might stand in its place.

        Raises:
            Wrong: there is none.
        """
        for name, hex in self.named.items():
            if name.replace("-", " ").lower() == label.replace("-", " ").lower():
                return hex
        try:
            return self.plain.hex(label)
        except GeometryError as error:
            known = (*self.named, *others)
            fix = f"a label such as {self.plain.label(self.plain.hexes[0])}{', '.join(('', *known))}"
            raise Wrong(f"{error}{nearest(label, known)}", fix) from None

    def _between(self, text: str, mark: str) -> Iterator[Hexside]:
        """The hexsides that chains of neighbours cross."""
        form = "A1-B1-C1, for one road or more" if mark == "-" else "A1/B1, for one hexside or more"
        for chain in re.sub(rf"\s*{mark}\s*", mark, text).split():
            labels = chain.split(mark)
            if len(labels) < 2 or (mark == "/" and len(labels) > 2):
                raise Wrong(f"{chain!r} is not what runs there", form)
            for (a, b), (here, there) in zip(pairwise(map(self.hex, labels)), pairwise(labels), strict=True):
                if not a.adjacent(b):
                    raise Wrong(f"{here} and {there} are no neighbours: they are {a.distance(b)} hexes apart", form)
                yield Hexside(a, b)

    def _on_hex(self, hex: Hex, text: str) -> None:
        if all(word in TERRAIN for word in text.split()):
            self.terrain.setdefault(hex, []).extend(word for word in text.split() if word != "clear")
            return
        self._unit(text, SetUp(hex), hex)
        there = [(piece, unit) for piece, unit in self.drawn.values() if unit.place == hex]
        if len(there) > STACKING_LIMIT:
            raise Wrong(f"is one too many in {self.plain.label(hex)}", f"{STACKING_LIMIT} units in a hex")
        if len({piece.side for piece, _ in there}) > 1:
            raise Wrong(
                f"stands with an enemy in {self.plain.label(hex)}", "a Close Combat begins in play: let it move there"
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
            raise Wrong(f"there is a {name} already", "a name of its own for each unit")
        if self.formations.setdefault(formation, side) is not side:
            raise Wrong(f"formation {formation} is {side.enemy}", "a formation of its own side")
        type = said.get("type", UnitType.INFANTRY)
        piece = Piece(name, side, formation, type, strength, movement, arrives, authored=False)
        self.drawn[name] = piece, Unit(place, said.get("hits", 0), said.get("progress", Progress.READY))
