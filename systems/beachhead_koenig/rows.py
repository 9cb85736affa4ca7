"""How a row of keys becomes a state: the board, the units on it, and where the turn stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, TypeVar

from attrs import define, evolve, field

from beachhead.board import Board, draw
from beachhead.cup import Cup
from beachhead.errors import Fault, ScenarioError
from beachhead.hexes import GeometryError, LetterLabels
from beachhead.play import setting_of
from beachhead.rules import Chart, Provenance, nearest
from beachhead_koenig.events import HQDrawn
from beachhead_koenig.operations import can_enter
from beachhead_koenig.positions import SIDES, Sketch, Wrong
from beachhead_koenig.scenario.given import FIGURES
from beachhead_koenig.state import (
    Away,
    Beach,
    Exit,
    Formation,
    Replacements,
    State,
    Supply,
    Support,
)
from beachhead_koenig.tables import DRAWN, TERRAIN, Phase, Side

T = TypeVar("T")
U = TypeVar("U")
TRACK = ("Morning", "Afternoon", "Evening", "Night") * 2 + ("Morning", "Afternoon")
CHITS = ("0", "1", "2", "2*")
PHASES = {
    "set-up": Phase.SET_UP,
    "landing": Phase.LANDING,
    "support": Phase.SUPPORT,
    "operations": Phase.OPERATIONS,
    "replacement": Phase.REPLACEMENT,
    "redeployment": Phase.REDEPLOYMENT,
    "housekeeping": Phase.HOUSEKEEPING,
}


# ------------------------------------------------------------ the tables of the map
def _chart(name: str, rule: str, figures: Mapping[str, int]) -> Chart:
    """A table of the map. Figures that the rules' text does not give are authored."""
    text = {key: given.figure for key, given in FIGURES.get(name, {}).items()}
    source = {key: Provenance.TEXT if text.get(key) == n else Provenance.AUTHORED for key, n in figures.items()}
    return Chart(name, rule, figures, source)


def _die(figures: Iterable[int]) -> dict[str, int]:
    return {str(face): figure for face, figure in enumerate(figures, 1)}


_MOVEMENT = {"clear": 1, "beach": 1, "bocage": 2, "town": 1, "city": 1, "swamp": 3, "river": 1}
CHARTS: Mapping[str, Chart] = {
    chart.name: chart
    for chart in (
        _chart("movement", "koenig:8.1.d", _MOVEMENT),
        _chart("landing fire Morning", "koenig:5.0.j", _die((0, 0, 1, 1, 2, 2))),
        _chart("landing fire Afternoon", "koenig:5.0.k", _die((0, 0, 0, 1, 1, 2))),
        _chart("landing fire Evening", "koenig:5.0.k", _die((0, 0, 0, 0, 1, 1))),
        _chart("allied support", "koenig:6.2.a", _die((1, 1, 2, 2, 3, 3))),
        _chart("replacements Allied", "koenig:12.0.a", _die((1, 2, 2, 3, 3, 4))),
        _chart("replacements German", "koenig:12.0.a", _die((0, 1, 1, 2, 2, 3))),
    )
}
"""What the map says in a position whose row does not say otherwise."""


# ------------------------------------------------------------ the keys of a row
_TEXT, _TEXTS, _NUMBER, _NUMBERS = "a text", "a list of texts", "a whole number", "a table of whole numbers"
_POINTS, _FACES, _ROWS = (
    "a table of whole numbers for allied and german",
    "six whole numbers",
    "a table of rows of six whole numbers",
)
_KEYS: Mapping[str, tuple[str, str]] = {
    "board": (_TEXT, f"a drawing: {', '.join(f'{symbol} {name}' for symbol, name in DRAWN.items())}; below it lines such as river: C3/D3, cliff: C3/C4, road: A1-B1-C1, Nan Red = B2; if left out, 7 x 7 clear hexes A1 to G7"),
    "place": (_TEXTS, 'what is where, on the drawing or without one: ["C3: CSR 4-6 allied of 7", "D3: P 3-6 german heavy-weapons h1", "D3: town", "river: C3/D3", "road: A1-B1", "Nan Red = B2"]; off the map: "waiting: AT 3-6 german of 716" (enters by road), "landing 2 Nan-Red: RWR 4-6 allied", "eliminated: …", "exited: …", "retreated: …". Formations are A and G unless named'),
    "elsewhere": (_TEXTS, "the same as place, for all rows of a file"),
    "turn": (_NUMBER, "the Game Turn; if left out, 1, or the first night for a phase of the night"),
    "track": (_TEXTS, f"the names of the Game Turns; if left out {', '.join(TRACK)}"),
    "phase": (_TEXT, f'{", ".join(PHASES)}; "operations" if left out'),
    "active": (_TEXT, "the formation whose HQ has been drawn; if left out, none has"),
    "cup": (_TEXTS, "the HQs still in the Command Cup; if left out, in the Operations Phase, of the formations on the map but the active one"),
    "drawings": (_NUMBER, "how often the HQ of the reinforcements has been drawn, for K-01"),
    "artillery": (_POINTS, "Artillery Points: { allied = 1, german = 2 }"),
    "support": (_NUMBER, "Allied Support Points"),
    "leadership": (_TEXT, "who has the Leadership marker, allied or german; if left out, the supply"),
    "interdicted": (_TEXTS, 'hexes with an Interdiction marker: ["C3"]'),
    "exits": (_TEXTS, 'hexes from which a road leads off the map: ["A1", "G1"]'),
    "exited": (_NUMBERS, "how many units have left by each: { A1 = 1 }"),
    "last_reinforcements": (_NUMBER, "the last Game Turn on which a reinforcement may enter; 4 if left out"),
    "replacements": (_POINTS, "Replacement Points that are left: { allied = 2, german = 1 }"),
    "next": (_TEXT, "who spends the next of them, allied if left out"),
    "refit_chits": (_TEXTS, f"the chits of Rest and Refit; if left out {list(CHITS)}"),
    "movement": (_NUMBERS, f"costs by terrain, and of a river hexside, where they are not {_MOVEMENT}"),
    "landing_fire": (_ROWS, "Hits for each face of the die: { Afternoon = [0, 0, 0, 1, 1, 2] }"),
    "allied_support": (_FACES, "points for each face of the die"),
    "replacements_allied": (_FACES, "points for each face of the die"),
    "replacements_german": (_FACES, "points for each face of the die"),
}  # fmt: skip
KEYS: Mapping[str, str] = {key: about for key, (_, about) in _KEYS.items()}


def _is_number(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_list(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list | tuple) and all(map(fits, value))


def _is_table(value: Any, fits: Callable[[Any], bool], keys: Iterable[str] | None = None) -> bool:
    return isinstance(value, Mapping) and all(map(fits, value.values())) and (keys is None or value.keys() <= {*keys})


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_faces(value: Any) -> bool:
    return _is_list(value, _is_number) and len(value) == 6


_SHAPES: Mapping[str, Callable[[Any], bool]] = {
    _TEXT: _is_text,
    _TEXTS: lambda value: _is_list(value, _is_text),
    _NUMBER: _is_number,
    _NUMBERS: lambda value: _is_table(value, _is_number),
    _POINTS: lambda value: _is_table(value, _is_number, SIDES),
    _FACES: _is_faces,
    _ROWS: lambda value: _is_table(value, _is_faces),
}


def _faults(row: Mapping[str, Any]) -> Iterator[Fault]:
    """What a row holds that is no position: unknown keys, and values of another shape than their keys ask for."""
    for key, value in row.items():
        if key not in _KEYS:
            fix = nearest(key, _KEYS).removeprefix("; ") or f"known keys: {', '.join(_KEYS)}"
            yield Fault(key, value, "is no key of a position", fix)
        elif not _SHAPES[_KEYS[key][0]](value):
            yield Fault(key, value, f"is not {_KEYS[key][0]}", _KEYS[key][1])


def one_of(name: str, known: Mapping[str, T], what: str) -> T:
    """What has this name.

    Raises:
        Wrong: nothing has; the nearest is named.
    """
    if name not in known:
        raise Wrong(f"{name!r} is no {what}{nearest(name, known)}", f"known: {', '.join(known) or 'none'}")
    return known[name]


def _side(name: str) -> Side:
    return one_of(name, SIDES, "side")


def _comes(phase: Phase, turn: int, name: str) -> bool:
    """Whether a Game Turn of this name has the phase (4.0)."""
    match phase:
        case Phase.SET_UP:
            return turn == 1
        case Phase.SUPPORT | Phase.OPERATIONS:
            return name != "Night"
        case Phase.REPLACEMENT | Phase.REDEPLOYMENT:
            return name == "Night"
        case _:
            return True


def _boxed(board: Board, exits: tuple[Exit, ...]) -> tuple[Board, tuple[Exit, ...]]:
    """The map without the hexes of its exits, and each exit at the hex that its road leads to (koenig:K-24)."""
    off = {way.hex for way in exits}
    joined = {way.name: [hex for hex in board.links_at("road", way.hex) if hex not in off] for way in exits}
    for name, hexes in joined.items():
        if len(hexes) != 1:
            raise Wrong(f"a road joins {name} to {len(hexes)} hexes of the map", "one, where exits lie off the map")
    inside = Board(
        tuple(hex for hex in board if hex not in off),
        terrain={hex: names for hex, names in board.terrain.items() if hex not in off},
        hexsides={side: names for side, names in board.hexsides.items() if off.isdisjoint(side)},
        links={kind: {side for side in sides if off.isdisjoint(side)} for kind, sides in board.links.items()},
        labels=board.labels,
        named={name: hex for name, hex in board.named.items() if hex not in off},
    )
    return inside, tuple(evolve(way, hex=joined[way.name][0]) for way in exits)


def read_row(row: Mapping[str, Any], choices: Mapping[str, str]) -> State:
    """The state that a row describes under these choices.

    Raises:
        ScenarioError: all that is wrong in it.
    """
    return _Row(row, choices).state()


@define
class _Row:
    """A row being read: what cannot be used leaves its fault with the sketch, and all faults are told together."""

    row: Mapping[str, Any]
    choices: Mapping[str, str]
    sketch: Sketch = field(init=False)

    def __attrs_post_init__(self) -> None:
        faults = tuple(_faults(self.row))
        self.row = {key: value for key, value in self.row.items() if key not in {fault.key for fault in faults}}
        plain, lines = Board.rectangle(7, 7, labels=LetterLabels()), []
        if "board" in self.row:
            try:
                drawing = draw(self.row["board"], DRAWN)
            except GeometryError as error:  # without its board nothing else can be read
                raise ScenarioError("the position", (*faults, Fault("board", None, str(error)))) from None
            plain = drawing.board
            lines = [("board", f"{plain.label(hex)}: {text}") for hex, text in drawing.placements]
        self.sketch = Sketch(plain, list(faults))
        lines += [(key, line) for key in ("place", "elsewhere") for line in self.row.get(key, ())]
        for key, line in sorted(lines, key=lambda each: ":" in each[1]):  # names first: the others may use them
            self.sketch.put(key, line)

    # -------------------------------------------------------- values
    def value(self, key: str, read: Callable[[Any], T], otherwise: U) -> T | U:
        """What a key says."""
        if key in self.row:
            with self.sketch.reading(key, self.row[key]):
                return read(self.row[key])
        return otherwise

    def each(self, key: str, read: Callable[[Any], T]) -> Iterator[T]:
        """What each entry of a list says, as far as it can be read."""
        for entry in self.row.get(key, ()):
            with self.sketch.reading(key, entry):
                yield read(entry)

    def formation(self, name: str) -> str:
        """A formation that has units."""
        return one_of(name, {each: each for each in self.sketch.formations}, "formation")

    def points(self, key: str) -> tuple[int, int]:
        """Points of both sides."""
        return self.row.get(key, {}).get("allied", 0), self.row.get(key, {}).get("german", 0)

    # -------------------------------------------------------- what the row fixes for good
    def exits(self) -> tuple[Board, tuple[Exit, ...]]:
        """The map, and the roads that lead off it (koenig:K-24)."""
        board, label = self.sketch.board, self.sketch.plain.label
        exits = tuple(Exit(label(hex), hex) for hex in self.each("exits", self.sketch.hex))
        if self.choices["koenig:K-24"] == "boxes":
            self.sketch.faults += [
                Fault("exits", way.name, f"{piece} stands there, off the map", "a hex of the map")
                for way in exits
                for piece, unit in self.sketch.drawn.values()
                if unit.place == way.hex
            ]
            return self.value("exits", lambda _: _boxed(board, exits), (board, ()))
        self.sketch.faults += [
            Fault("exits", way.name, "does not lie at the edge of the map") for way in exits if not board.edge(way.hex)
        ]
        return board, exits

    def charts(self) -> dict[str, Chart]:
        """The tables of the map, with what the row changes in them."""
        row, fault = self.row, self.sketch.faults.append
        said = {"movement": row.get("movement", {}), "allied support": _die(row.get("allied_support", ()))}
        said |= {f"replacements {side}": _die(row.get(f"replacements_{name}", ())) for name, side in SIDES.items()}
        days = {name.removeprefix("landing fire "): name for name in CHARTS if name.startswith("landing fire ")}
        for day, faces in row.get("landing_fire", {}).items():
            if day in days:
                said[days[day]] = _die(faces)
            else:
                fault(Fault("landing_fire", day, "is no row of the table", ", ".join(days)))
        for name in said["movement"].keys() - {*_MOVEMENT, *TERRAIN}:
            fault(Fault("movement", name, "is no terrain", f"river, {', '.join(TERRAIN)}"))
        changed = {name: _chart(name, CHARTS[name].rule, {**CHARTS[name], **said[name]}) for name in said}
        return {**CHARTS, **changed}

    # -------------------------------------------------------- the state
    def state(self) -> State:
        """The row, read."""
        row, sketch = self.row, self.sketch
        board, exits = self.exits()
        track = tuple(row.get("track", TRACK))
        phase = self.value("phase", lambda name: one_of(name, PHASES, "phase"), Phase.OPERATIONS)
        turn = self.turn(track, phase)
        parts = {"board": board, "exits": exits, "track": track, "charts": self.charts()}
        leadership = self.value("leadership", _side, Supply.SUPPLY)
        replacements = Replacements(*self.points("replacements"), self.value("next", _side, Side.ALLIED))
        interdicted = tuple(sorted(self.each("interdicted", sketch.hex)))
        names = {way.name: way.name for way in exits}
        left = {name: row["exited"][name] for name in self.each("exited", lambda name: one_of(name, names, "exit"))}
        active, cup = self.value("active", self.formation, ""), Cup.of(*self.each("cup", self.formation))
        if active and phase is not Phase.OPERATIONS:
            sketch.faults.append(Fault("active", active, "no formation is Active outside the Operations Phase"))
        for piece, unit in sketch.drawn.values() if phase is Phase.SET_UP else ():
            if unit.place in (Away.ELIMINATED, Away.EXITED, Away.RETREATED):
                sketch.faults.append(
                    Fault("place", piece.name, "has left the map before the set-up", "waiting, or a hex")
                )
        if sketch.faults:
            raise ScenarioError("the position", tuple(sketch.faults))
        state = State(
            self.beach(**parts),
            sketch.units,
            turn,
            phase,
            Support(*self.points("artillery"), row.get("support", 0)),
            cup,
            replacements=replacements,
            leadership=leadership,
            interdicted=interdicted,
            exits=tuple(left.get(way.name, 0) for way in exits),
            drawings=row.get("drawings", 0),
        )
        if phase is Phase.SET_UP:  # the procedure puts them where the lines say
            return evolve(state, units=tuple(evolve(unit, place=Away.WAITING) for unit in state.units))
        if phase is not Phase.OPERATIONS:
            return state
        if "cup" not in row:
            others = [name for name in sketch.formations if name != active]
            ready = [name for name in others if state.on_map(name) or can_enter(state, name)]
            state = evolve(state, cup=Cup.of(*ready))
        if active:  # it has just been drawn
            state = evolve(state, cup=state.cup.add(active))
            state = HQDrawn(active, can_enter(state, active)).fold(state)
        return state

    def turn(self, track: tuple[str, ...], phase: Phase) -> int:
        """The Game Turn, by day or by night as the phase asks for."""
        fitting = [turn for turn, name in enumerate(track, 1) if _comes(phase, turn, name)]
        turn: int = self.row.get("turn", fitting[0] if fitting else 0)
        if turn not in range(1, len(track) + 1):
            self.sketch.faults.append(Fault("turn", turn, "is no Game Turn", f"1 to {len(track)}"))
        elif turn not in fitting:
            fix = f"one of {', '.join(map(str, fitting))}, or another phase"
            self.sketch.faults.append(Fault("turn", turn, f"is no turn with this phase: {phase}", fix))
        return turn

    def beach(self, **parts: Any) -> Beach:
        """What the row fixes for good. Equal contents have one key in any process, and other contents another."""
        sketch, row = self.sketch, self.row
        parts |= {
            "title": "a position",
            "formations": tuple(Formation(name, side) for name, side in sketch.formations.items()),
            "roster": sketch.pieces,
            "refit_chits": Cup.of(*row.get("refit_chits", CHITS)),
            "last_reinforcements": row.get("last_reinforcements", 4),
            "choices": dict(self.choices),
        }
        plain = [f"{name}={value!r}" for name, value in sorted(parts.items()) if name != "board"]
        digest = sha256("\n".join([parts["board"].content_digest(), *plain]).encode()).hexdigest()
        key = f"koenig/a position#{digest[:12]}"
        Beach(key, **parts)
        return setting_of(Beach, key)  # the one that is known already, with what it has computed
