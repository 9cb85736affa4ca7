"""Maps drawn by hand, line by line, for positions of case rows: hexes with names, terrain, hexsides, roads.

>>> from beachhead.hexes import LetterLabels
>>> sketch, faults = MapSketch(Board.rectangle(7, 7, labels=LetterLabels())), []
>>> for line in ("Caen = D3", "D3/D9"):
...     with reading(Value("place", line, faults)):
...         print(sketch.take_name(line) or list(sketch.between(line, "/")))
True
>>> print(*faults)
place = 'D3/D9': 'D9' is not on the board (49 hexes in 7 rows, A1 to G7) (a label such as A1, Caen)
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise

from attrs import define, field

from beachhead.board import Board
from beachhead.hexes import GeometryError, Hex, Hexside
from beachhead.places import plain_name
from beachhead.scenario_values import Value
from beachhead.spelling import nearest


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
class MapSketch:
    """A map being drawn on top of another."""

    plain: Board
    """What was drawn before the first line."""
    terrain: dict[Hex, list[str]] = field(init=False)
    hexsides: defaultdict[Hexside, set[str]] = field(init=False)
    links: defaultdict[str, set[Hexside]] = field(init=False)
    named: dict[str, Hex] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.terrain = {hex: list(names) for hex, names in self.plain.terrain.items()}
        self.hexsides = defaultdict(set, {side: set(names) for side, names in self.plain.hexsides.items()})
        self.links = defaultdict(set, {kind: set(sides) for kind, sides in self.plain.links.items()})
        self.named = dict(self.plain.named)

    @property
    def board(self) -> Board:
        """The map with everything on it."""
        return Board(
            self.plain.hexes,
            terrain={hex: tuple(dict.fromkeys(names)) for hex, names in self.terrain.items()},
            hexsides=self.hexsides,
            links=self.links,
            labels=self.plain.labels,
            named=self.named,
        )

    def label(self, hex: Hex) -> str:
        """The label of a hex."""
        return self.plain.label(hex)

    def hex(self, label: str, others: Iterable[str] = ()) -> Hex:
        """The hex with a label or a name of its own, in which `-` may stand for a blank. `others` are what else might stand in its place.

        Raises:
            Wrong: there is none.
        """
        for name, hex in self.named.items():
            if plain_name(name) == plain_name(label):
                return hex
        try:
            return self.plain.hex(label)
        except GeometryError as error:
            known = (*self.named, *others)
            fix = f"a label such as {self.label(self.plain.hexes[0])}{', '.join(('', *known))}"
            raise Wrong(f"{error}{nearest(label, known)}", fix) from None

    def take_name(self, line: str) -> bool:
        """Take in a line that gives a hex a name, such as "Caen = D3"; whether it is one.

        Raises:
            Wrong: there is no such hex.
        """
        found = re.fullmatch(r"([^:=]+)=\s*(\S+)\s*", line)
        if found:
            self.named[found[1].strip()] = self.hex(found[2])
        return found is not None

    def between(self, text: str, mark: str) -> Iterator[Hexside]:
        """The hexsides that chains of neighbours cross: those of roads with `-` between them, single hexsides with `/`.

        Raises:
            Wrong: it is no such chain.
        """
        form = "A1-B1-C1, for one road or more" if mark == "-" else "A1/B1, for one hexside or more"
        for chain in re.sub(rf"\s*{mark}\s*", mark, text).split():
            labels = chain.split(mark)
            if len(labels) < 2 or (mark == "/" and len(labels) > 2):
                raise Wrong(f"{chain!r} is not what runs there", form)
            for (a, b), (here, there) in zip(pairwise(map(self.hex, labels)), pairwise(labels), strict=True):
                if not a.adjacent(b):
                    raise Wrong(f"{here} and {there} are no neighbours: they are {a.distance(b)} hexes apart", form)
                yield Hexside(a, b)
