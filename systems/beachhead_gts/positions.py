"""Drawing a position by hand: lines on terrain, roads, units and Leaders become a board, Formations and counters.

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
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

from attrs import define, evolve, field, fields_dict

from beachhead.board import Board
from beachhead.hexes import GeometryError, Hex, Hexside
from beachhead.rules import nearest
from beachhead.scenario_values import Value
from beachhead_gts.battlefield import NO, STAR, Away, Face, LeaderPiece, Objective, Piece, Place
from beachhead_gts.charts import Charts
from beachhead_gts.state import Unit
from beachhead_gts.tables import Barrage, Cover, MovementClass, Side, Stripe, UnitClass, WeaponClass

SIDES = {side.value.lower(): side for side in Side}
DIVISIONS = {Side.ALLIED: "X", Side.GERMAN: "Y"}
FORMATIONS = {Side.ALLIED: "1", Side.GERMAN: "9"}
"""What a unit belongs to of which nothing else is said."""
COMMAND_RANGE, ATTACHMENT = 5, 2
"""Of a Leader of whom nothing else is said."""
COMPANY = Face(
    fire_range=2,
    fire=4,
    weapon=WeaponClass.SMALL_ARMS,
    assault=4,
    assault_weapon=WeaponClass.SMALL_ARMS,
    movement=5,
    movement_class=MovementClass.LEG,
    defense=0,
    armored=False,
    quality=6,
    unit_class=UnitClass.INFANTRY,
)
"""What is printed on a counter of which nothing else is said; it has two Steps."""
TRUCKS = evolve(
    COMPANY,
    fire_range=NO,
    fire=NO,
    assault=NO,
    movement=10,
    movement_class=MovementClass.WHEELED,
    defense=2,
    unit_class=UnitClass.VEHICLE,
)
"""The same of a Vehicle side; its Troop Quality is that of the front."""


def spelt(term: object) -> str:
    """A term as one word: small letters, hyphens for blanks."""
    return str(term).lower().replace(" ", "-")


# ------------------------------------------------------------ words
_RATINGS: Mapping[str, tuple[str, int, int]] = {
    "q": ("quality", 0, 9),
    "range": ("fire_range", 1, 99),
    "fire": ("fire", 0, 19),
    "assault": ("assault", 0, 19),
    "move": ("movement", 1, 40),
    "def": ("defense", -9, 9),
    "air": ("air_defense", 0, 9),
}
"""Words with a number: which rating, and its lowest and highest figure."""
_UNPRINTED = {"no": NO, "*": STAR}
_MAY_BE_UNPRINTED = {"range": ("no",), "fire": ("no",), "assault": ("no",), "move": ("no", "*")}
_RATING = re.compile(rf"({'|'.join(_RATINGS)})(no|\*|[-+]?\d+)")
_FACE_WORDS: Mapping[str, Mapping[str, Any]] = {
    **{spelt(weapon): {"weapon": weapon} for weapon in WeaponClass},
    **{f"assault-{spelt(weapon)}": {"assault_weapon": weapon} for weapon in WeaponClass},
    **{spelt(each): {"movement_class": each} for each in MovementClass if each is not MovementClass.IMMOBILE},
    "immobile": {"movement": NO},
    **{spelt(each): {"unit_class": each} for each in UnitClass},
    "armored": {"armored": True},
    "auto-command": {"auto_command": True},
}
"""The words for one side of a counter, and what each of them says."""
_MARKERS: Mapping[str, Mapping[str, Any]] = {
    "loss1": {"losses": 1},
    "c1": {"cohesion": 1},
    "c2": {"cohesion": 2},
    "suppressed": {"suppressed": True},
    "column": {"column": True},
    "mounted": {"mounted": True},
    "improved": {"cover": Cover.IMPROVED},
    "entrenched": {"cover": Cover.ENTRENCHED},
    **{f"rallying{n}": {"rallying": n} for n in range(1, 9)},
    "entering": {"entering": True},
}
"""The words for markers."""
_UNIT_WORDS: Mapping[str, Mapping[str, Any]] = {
    **{name: {"side": side} for name, side in SIDES.items()},
    **{f"steps{n}": {"steps": n} for n in range(3)},
    "white": {"stripe": Stripe.WHITE},
    "black": {"stripe": Stripe.BLACK},
    **_FACE_WORDS,
    **_MARKERS,
}
_USUAL: Mapping[str, Mapping[str, Any]] = {
    "tank": {
        "unit_class": UnitClass.VEHICLE,
        "movement_class": MovementClass.TRACKED,
        "armored": True,
        "weapon": WeaponClass.DUAL_PURPOSE,
        "defense": -2,
        "movement": 8,
        "steps": 1,
    },
}
"""Words that say several things at once, each of which another word may say otherwise."""
_BACKS = ("reduced", "transport")
WORDS = (*_UNIT_WORDS, *_USUAL, *(f"{rating}N" for rating in _RATINGS), *_BACKS, "of", "div")
"""All words for a unit."""
_AWAY = {"box": Away.BOX, "eliminated": Away.ELIMINATED, "removed": Away.REMOVED}
_SYMBOLS = ("observation-post", "strongpoint", "entrenchment")
_BARRAGES = {spelt(kind): kind for kind in Barrage}


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


def _meaning(word: str, known: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """What a word says."""
    if word in known:
        return known[word]
    if rating := _RATING.fullmatch(word):
        key, figure = rating.groups()
        name, low, high = _RATINGS[key]
        if figure in _UNPRINTED and figure in _MAY_BE_UNPRINTED.get(key, ()):
            return {name: _UNPRINTED[figure]}
        if figure not in _UNPRINTED and low <= int(figure) <= high:
            return {name: int(figure)}
        raise Wrong(f"{word}: no such figure", f"{key} and a number from {low} to {high}")
    raise Wrong(f"{word!r} is no word for a unit{nearest(word, known)}", f"known: {', '.join(WORDS)}")


def _add(said: dict[str, Any], word: str, more: Mapping[str, Any]) -> None:
    for what, value in more.items():
        if what in said:
            raise Wrong(f"{word!r} says its {what.replace('_', ' ')} twice", "each thing once")
        said[what] = value


def face_of(said: Mapping[str, Any], like: Face) -> Face:
    """A side of a counter that differs from another in what is said."""
    ratings = {name: value for name, value in said.items() if name in fields_dict(Face)}
    face = evolve(like, **ratings)
    if "assault_weapon" not in said and "weapon" in said:
        face = evolve(face, assault_weapon=face.weapon)
    if face.movement is STAR:
        return evolve(face, unit_class=said.get("unit_class", UnitClass.GUN), movement_class=MovementClass.LEG)
    if face.movement is NO:
        return evolve(face, movement_class=MovementClass.IMMOBILE)
    if face.unit_class is UnitClass.VEHICLE and face.movement_class is MovementClass.LEG:
        return evolve(face, movement_class=MovementClass.TRACKED)
    return face


def back_of(kind: str, text: str, front: Face) -> Face:
    """The back of a counter: its reduced side, or its vehicle."""
    said = dict[str, Any]()
    for word in text.split():
        _add(said, word, _meaning(word, _FACE_WORDS))
    if kind == "transport":
        return face_of(said, evolve(TRUCKS, quality=front.quality))
    lower = {name: value - 1 for name in ("fire", "assault", "quality") if isinstance(value := getattr(front, name), int)}
    return face_of(said, evolve(front, **lower))


# ------------------------------------------------------------ the sketch
@define
class Sketch:
    """A position being drawn, line by line."""

    plain: Board
    """What was drawn before the first line."""
    charts: Charts
    terrain: dict[Hex, list[str]] = field(init=False)
    hexsides: defaultdict[Hexside, set[str]] = field(init=False)
    links: defaultdict[str, set[Hexside]] = field(init=False)
    named: dict[str, Hex] = field(init=False)
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

    def __attrs_post_init__(self) -> None:
        self.terrain = {hex: list(names) for hex, names in self.plain.terrain.items()}
        self.hexsides = defaultdict(set, {side: set(names) for side, names in self.plain.hexsides.items()})
        self.links = defaultdict(set, {kind: set(sides) for kind, sides in self.plain.links.items()})
        self.named = dict(self.plain.named)

    # -------------------------------------------------------- what came of it
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
            self._read(line.text())

    def _read(self, line: str) -> None:
        if name := re.fullmatch(r"([^:=]+)=\s*(\S+)\s*", line):
            self.named[name[1].strip()] = self.hex(name[2])
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
                self.entries[division] = self.hex(text)
            case ["objective", name, *said]:
                self._objective(name, said, self.hex(text))
            case ["unjoined"]:
                self._unjoined(text)
            case _:
                self._line_or_hex(head, text)

    def _line_or_hex(self, head: str, text: str) -> None:
        kinds = {spelt(name): name for name in (*self.charts.roads, *self.charts.hexsides)}
        kind = kinds.get(spelt(head))
        if kind in self.charts.roads:
            self.links[kind].update(self._between(text, "-"))
        elif kind is not None:
            for side in self._between(text, "/"):
                self.hexsides[side].add(kind)
        else:
            others = (*kinds, "due", *_AWAY, "entry", "objective", "unjoined")
            self._on_hex(self.hex(head, others), text)

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

    def _unjoined(self, text: str) -> None:
        for way in text.split():
            hexes = [self.hex(label) for label in way.split("-")]
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
                raise Wrong(f"{word!r} is no word for an objective", "objective NAME, its points, and allied or german if it is held")
        self.objectives.append(Objective(name, hex, points, held))

    def _on_hex(self, hex: Hex, text: str) -> None:
        ground = {spelt(name): name for name in self.charts.terrain}
        words = text.split()
        if not all(word in (*ground, *_SYMBOLS, *_BARRAGES) for word in words):
            self._counter(text, hex, hex)
            return
        for word in words:
            if word in _SYMBOLS:
                self.symbols[word].add(hex)
            elif word in _BARRAGES:
                self.barrages[hex] = _BARRAGES[word]
            elif word != "clear":
                self.terrain.setdefault(hex, []).append(ground[word])

    # -------------------------------------------------------- units and Leaders
    def _counter(self, text: str, arrives: Hex | int, place: Place) -> None:
        words = re.findall(r"[^\s()]+(?:\([^)]*\))?", text)
        if words and words[0] == "leader":
            self._leader(words[1:], arrives, place)
        else:
            self._unit(words, arrives, place)

    def _own_name(self, words: list[str], what: str) -> str:
        name = words.pop(0) if words else ""
        if not name or name in WORDS or "(" in name:
            raise Wrong(f"what is the {what} called?", f"its name before all other words, such as Able; known words: {', '.join(WORDS)}")
        if name in self.drawn or name in self.led:
            raise Wrong(f"there is a {name} already", "a name of its own for each unit and Leader")
        if name in map(self.plain.label, self.plain.hexes):
            raise Wrong(f"{name} is a hex", "a name that no hex has, such as Able")
        return name

    def _unit(self, words: list[str], arrives: Hex | int, place: Place) -> None:
        name = self._own_name(words, "unit")
        said, backs, usual = dict[str, Any](), dict[str, str](), dict[str, Any]()
        while words:
            word, _, inside = words.pop(0).partition("(")
            if word in ("of", "div"):
                _add(said, word, {"formation" if word == "of" else "division": words.pop(0) if words else ""})
            elif word in _BACKS:
                _add(said, word, {word: True})
                backs[word] = inside.rstrip(")")
            elif word in _USUAL:
                usual |= _USUAL[word]
            else:
                _add(said, word, _meaning(word, _UNIT_WORDS))
        said = {**usual, **said}
        side, division, formation = self._belongs(said)
        steps = said.get("steps", 2)
        front = face_of(said, COMPANY)
        found = {back: back_of(back, text, front) for back, text in backs.items()}
        unit = Unit(place, **{what: value for what, value in said.items() if what in fields_dict(Unit)})
        self._check(unit, front, steps, found, division)
        if place is Away.ELIMINATED:
            unit = Unit(place, losses=steps)
        piece = Piece(
            name,
            side,
            division,
            formation,
            said.get("stripe", Stripe.FORMATION),
            steps,
            front,
            arrives,
            found.get("reduced"),
            found.get("transport"),
            unit.column,
            authored=False,
        )
        self.drawn[name] = piece, unit
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
            raise Wrong(f"Formation {formation} is of Division {self.formations[formation]}", "one Division for each Formation")
        return side, division, formation

    def _check(self, unit: Unit, front: Face, steps: int, backs: Mapping[str, Face], division: str) -> None:
        """What cannot be of a unit by itself."""
        if unit.losses and steps < 2:
            raise Wrong("has no Step to lose without being eliminated", "loss1 for a unit of two Steps")
        if unit.mounted and "transport" not in backs:
            raise Wrong("has no Organic Transport", "transport(move10 wheeled def2), or no mounted")
        if len(backs) > 1:
            raise Wrong("a counter has one back", "reduced or transport: with a vehicle, a Step Loss marker stands in for the other")
        if front.movement is STAR and front.unit_class is not UnitClass.GUN:
            raise Wrong("a star in place of the Movement Allowance", "only guns have one (14.11)")
        if not isinstance(unit.place, Hex) and unit != Unit(unit.place):
            raise Wrong("has markers, off the map", "no markers: they are gone with it, or still to come")
        if unit.entering and self.entries.get(division) != unit.place:
            raise Wrong(f"this is not the reinforcement hex of {division}", f'"entry {division}: A1" for a unit that is entering in A1')
        if unit.cover is Cover.ENTRENCHED and isinstance(unit.place, Hex):
            self.symbols["entrenchment"].add(unit.place)

    def _check_stack(self, hex: Hex) -> None:
        """What units cannot do in a hex together: more Steps than its limit they may have (14.7)."""
        there = [(piece, unit) for piece, unit in self.drawn.values() if unit.place == hex]
        label = self.plain.label(hex)
        if len({piece.side for piece, _ in there}) > 1:
            raise Wrong(f"stands with an enemy in {label}", "a hex for each side (14.1)")
        if sum(unit.column and not unit.entering for _, unit in there) > 1:
            raise Wrong(f"is the second unit in Column in {label}", "one at most (14.6.2)")

    def _leader(self, words: list[str], arrives: Hex | int, place: Place) -> None:
        name = self._own_name(words, "Leader")
        said = dict[str, Any]()
        while words:
            word = words.pop(0)
            number = re.fullmatch(r"(range|attach)(\d+)", word)
            if number:
                _add(said, word, {number[1]: int(number[2])})
            elif word == "of":
                _add(said, word, {"formation": words.pop(0) if words else ""})
            elif word in SIDES:
                _add(said, word, {"side": SIDES[word]})
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
            raise Wrong("a Leader is not there", '"due 3: leader L1 of 1", or "removed: …" when his Formation is gone')
        reach, attachment = said.get("range", COMMAND_RANGE), said.get("attach", ATTACHMENT)
        self.led[name] = LeaderPiece(name, formation, reach, attachment, arrives, authored=False), place
