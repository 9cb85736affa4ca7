"""How the keys of a row become a state: the beach, the units on it, and where the turn stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, evolve

from beachhead.board import Board, draw
from beachhead.cup import Cup
from beachhead.errors import Fault, ScenarioError
from beachhead.hexes import GeometryError, Hex, LetterLabels
from beachhead.play import setting_with
from beachhead.rules import Chart, Provenance
from beachhead.scenario_values import Table, Value
from beachhead.sketches import reading
from beachhead_koenig.beach import Away, Beach, Exit, Formation, Lands
from beachhead_koenig.operations import can_enter
from beachhead_koenig.phase_events import HQDrawn
from beachhead_koenig.positions import SIDES, Sketch
from beachhead_koenig.scenario.board import check_lines, without_hexes
from beachhead_koenig.scenario.charts import COSTS, DIE, MOST
from beachhead_koenig.scenario.given import FIGURES, TURNS
from beachhead_koenig.scenario.reading import CHITS
from beachhead_koenig.state import Replacements, State, Supply, Support
from beachhead_koenig.tables import DRAWN, Phase, Side

TRACK = (*TURNS, *TURNS, *TURNS[:2])
POSITION = "a position"
REFIT = ("0", "1", "2", "2*")
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


def _die(*figures: int) -> dict[str, int]:
    return dict(zip(DIE, figures, strict=True))


_MOVEMENT = {"clear": 1, "beach": 1, "bocage": 2, "town": 1, "city": 1, "swamp": 3, "river": 1}
CHARTS: Mapping[str, Chart] = {
    chart.name: chart
    for chart in (
        _chart("movement", "koenig:8.1.d", _MOVEMENT),
        _chart("landing fire Morning", "koenig:5.0.j", _die(0, 0, 1, 1, 2, 2)),
        _chart("landing fire Afternoon", "koenig:5.0.k", _die(0, 0, 0, 1, 1, 2)),
        _chart("landing fire Evening", "koenig:5.0.k", _die(0, 0, 0, 0, 1, 1)),
        _chart("allied support", "koenig:6.2.a", _die(1, 1, 2, 2, 3, 3)),
        _chart("replacements Allied", "koenig:12.0.a", _die(1, 2, 2, 3, 3, 4)),
        _chart("replacements German", "koenig:12.0.a", _die(0, 1, 1, 2, 2, 3)),
    )
}
"""What the map says in a position whose row does not say otherwise."""

KEYS: Mapping[str, str] = {
    "board": f"a drawing: {', '.join(f'{symbol} {name}' for symbol, name in DRAWN.items())}; below it lines such as river: C3/D3, cliff: C3/C4, road: A1-B1-C1, Nan Red = B2; if left out, 7 x 7 clear hexes A1 to G7",
    "place": 'what is where, on the drawing or without one: ["C3: CSR 4-6 allied of 7", "D3: P 3-6 german heavy-weapons h1", "D3: town", "river: C3/D3", "road: A1-B1", "Nan Red = B2"]; off the map: "waiting: AT 3-6 german of 716" (enters by road), "landing 2 Nan-Red: RWR 4-6 allied", "eliminated: …", "exited: …", "retreated: …". Formations are A and G unless named',
    "elsewhere": "the same as place, for all rows of a file",
    "turn": "the Game Turn; if left out, the first that has the phase",
    "track": f"the names of the Game Turns; {', '.join(TRACK)} if left out",
    "phase": f'where the turn stands, at its beginning: {", ".join(PHASES)}; "operations" if left out. The dice for replacements are rolled at the end of a night\'s landing',
    "active": "the formation whose HQ has just been drawn; none if left out",
    "cup": "the HQs in the Command Cup; if left out, in operations, those that belong there but the active one",
    "drawings": "how often the HQ of the reinforcements was drawn before, for K-01",
    "artillery": "Artillery Points: { allied = 1, german = 2 }",
    "support": "Allied Support Points",
    "leadership": "who has the Leadership marker, allied or german; the supply if left out",
    "interdicted": 'hexes with an Interdiction marker: ["C3"]',
    "exits": 'hexes from which a road leads off the map: ["A1", "G1"]; under K-24 = boxes they are off it themselves, each at the end of a road',
    "exited": "how many units have left by each: { A1 = 1 }",
    "last_reinforcements": "the last Game Turn (or drawing, K-01) on which a reinforcement may enter; 4 if left out",
    "replacements": "Replacement Points that are left: { allied = 2, german = 1 }",
    "next": "who spends the next of them; if left out, allied while there are any",
    "refit_chits": f"the chits of Rest and Refit; {list(REFIT)} if left out",
    "movement": f"costs by terrain, and of a river hexside, where they are not {_MOVEMENT}",
    "landing_fire": "Hits for each face of the die: { Afternoon = [0, 0, 0, 1, 1, 2] }",
    "allied_support": "points for each face of the die: [1, 1, 2, 2, 3, 3]",
    "replacements_allied": "points for each face of the die",
    "replacements_german": "points for each face of the die",
}  # fmt: skip


def read_row(row: Mapping[str, Any], choices: Mapping[str, str]) -> State:
    """The state that a row describes, under these choices for the rulings.

    Raises:
        ScenarioError: all that is wrong in it.
    """
    faults: list[Fault] = []
    plain = {key: list(value) if isinstance(value, tuple) else value for key, value in row.items()}
    return _Row(Value("", plain, faults).table({}, *KEYS), choices, faults).state()


@define
class _Row:
    """A row being read. What cannot be used leaves its fault, and all faults are told together."""

    said: Table
    choices: Mapping[str, str]
    faults: list[Fault]

    # -------------------------------------------------------- what the row fixes for good
    def drawn(self) -> Sketch:
        """The map with everything on it, and the units."""
        lines = [line for key in ("place", "elsewhere") for line in self.said.entries(key)]
        sketch = Sketch(Board.rectangle(7, 7, labels=LetterLabels()))
        if "board" in self.said and self.said["board"].text():
            said = self.said["board"]
            try:
                drawing = draw(said.value, DRAWN)
            except GeometryError as error:  # without its board nothing else can be read
                said.fault(str(error))
                raise ScenarioError(POSITION, tuple(self.faults)) from None
            check_lines(said, drawing.board)
            sketch = Sketch(drawing.board)
            label = drawing.board.label
            lines += [Value("board", f"{label(hex)}: {text}", self.faults) for hex, text in drawing.placements]
        for line in sorted(lines, key=lambda each: ":" in str(each.value)):  # names first: the others may use them
            sketch.put(line)
        return sketch

    def hexes(self, key: str, sketch: Sketch) -> tuple[Hex, ...]:
        """A list of hexes, on the map as it is drawn."""
        found: list[Hex] = []
        for entry in self.said.entries(key):
            with reading(entry):
                found.append(sketch.hex(entry.text()))
        return tuple(found)

    def roads(self, sketch: Sketch) -> tuple[Board, tuple[Exit, ...]]:
        """The map, and the roads off it: from its edge, or each from the hex that it joins to one off the map (koenig:K-24)."""
        board, hexes = sketch.board, self.hexes("exits", sketch)
        names = [board.label(hex) for hex in hexes]
        said = [Value("exits", name, self.faults) for name in names]
        for value, hex in zip(said, hexes, strict=True):
            if hexes.count(hex) > 1:
                value.fault("is there twice", "each road off the map once")
            if not board.edge(hex):
                value.fault("is not at the edge of the map", "a hex from which a road leads off the map")
        if self.choices["koenig:K-24"] == "edge":
            return board, tuple(map(Exit, names, hexes))
        joined = [[each for each in board.links_at("road", hex) if each not in hexes] for hex in hexes]
        for value, hex, inside in zip(said, hexes, joined, strict=True):
            if len(inside) != 1:
                value.fault(f"{len(inside)} roads join it to the map", "one, where exits lie off the map")
            for piece, unit in sketch.drawn.values():
                if unit.place == hex or (isinstance(piece.arrives, Lands) and piece.arrives.hex == hex):
                    value.fault(f"{piece} stands or lands there, off the map", "a hex of the map for each unit")
        exits = tuple(Exit(name, inside[0]) for name, inside in zip(names, joined, strict=True) if inside)
        return without_hexes(board, hexes), exits

    def charts(self) -> dict[str, Chart]:
        """The tables of the map, with what the row changes in them."""
        rows = {"allied support": self.said.get("allied_support")}
        rows |= {f"replacements {side}": self.said.get(f"replacements_{name}") for name, side in SIDES.items()}
        if "landing_fire" in self.said:
            table = self.said["landing_fire"].table({}, *TURNS[:3])
            rows |= {f"landing fire {day}": row for day, row in table.items()}
        changed = {name: self.faces(row) for name, row in rows.items() if row is not None}
        changed["movement"] = self.said.numbers("movement", COSTS, 1, MOST)
        return {name: _chart(name, chart.rule, {**chart, **changed.get(name, {})}) for name, chart in CHARTS.items()}

    def faces(self, value: Value) -> dict[str, int]:
        """A number for each face of the die."""
        entries = value.items()
        if isinstance(value.value, list) and len(entries) != len(DIE):
            value.fault(f"{len(entries)} numbers", "six, one for each face of the die")
            return {}
        figures = [n for entry in entries if (n := entry.number(0, MOST)) is not None]
        return _die(*figures) if len(figures) == len(DIE) else {}

    def beach(self, **parts: Any) -> Beach:
        """What the row fixes for good."""
        parts |= {"title": POSITION, "choices": dict(self.choices)}
        plain = [f"{name}={value!r}" for name, value in parts.items() if name != "board"]
        return setting_with(Beach, f"koenig/{POSITION}", [parts["board"].content_digest(), *plain], **parts)

    # -------------------------------------------------------- where the turn stands
    def turn(self, track: tuple[str, ...], phase: Phase) -> int:
        """The Game Turn: one that has the phase."""
        fitting = [n for n, name in enumerate(track, 1) if _comes(phase, n, name)]
        turn = self.said.number("turn", fitting[0] if fitting else 0, 1, len(track))
        if turn not in fitting:
            said = next(self.said[key] for key in ("turn", "track", "phase") if key in self.said)
            said.fault(f"no {phase} then", f"Game Turn {' or '.join(map(str, fitting)) or 'none'}, or another phase")
        return turn

    def interdicted(self, sketch: Sketch, board: Board) -> tuple[Hex, ...]:
        """The hexes with a marker, of those that are on the map."""
        hexes = self.hexes("interdicted", sketch)
        if not set(hexes) <= set(board):
            self.said["interdicted"].fault("an exit lies off the map there", "hexes of the map")
        return tuple(sorted(set(hexes)))

    def exited(self, exits: tuple[Exit, ...]) -> tuple[int, ...]:
        """How many units have left by each road (Juno 13.0)."""
        left = self.said.numbers("exited", [way.name for way in exits], 0, MOST)
        counts = tuple([left.get(way.name, 0) for way in exits])
        if max(counts, default=0) - min(counts, default=0) > 1:
            self.said["exited"].fault("the roads are used in equal numbers", "counts that differ by one at most")
        return counts

    def replacements(self) -> Replacements:
        """The points that are left this night, and who spends the next of them."""
        points = self.said.numbers("replacements", SIDES, 0, MOST)
        left = {side: points.get(name, 0) for name, side in SIDES.items()}
        first = Side.ALLIED if left[Side.ALLIED] or not left[Side.GERMAN] else Side.GERMAN
        side = self.said.word("next", SIDES, first)
        if not left[side] and side is not first:
            self.said["next"].fault("has no points to spend", str(first).lower())
        return Replacements(left[Side.ALLIED], left[Side.GERMAN], side)

    def state(self) -> State:
        """The row, read."""
        sketch = self.drawn()
        board, exits = self.roads(sketch)
        track = self.said.words("track", TURNS, TRACK)
        phase = self.said.word("phase", PHASES, Phase.OPERATIONS)
        turn = self.turn(track, phase)
        chits = Cup.of(*self.said.words("refit_chits", CHITS, REFIT))
        if not chits.size:
            self.said["refit_chits"].fault("nothing to draw", f"chits, each one of {', '.join(CHITS)}")
        parts = {
            "board": board,
            "formations": tuple(Formation(name, side) for name, side in sketch.formations.items()),
            "roster": sketch.pieces,
            "exits": exits,
            "charts": self.charts(),
            "track": track,
            "refit_chits": chits,
            "last_reinforcements": self.said.number("last_reinforcements", 4, 0, MOST),
        }
        artillery = self.said.numbers("artillery", SIDES, 0, MOST)
        points = self.said.number("support", 0, 0, MOST)
        support = Support(artillery.get("allied", 0), artillery.get("german", 0), points)
        names = {name: name for name in sketch.formations}
        active = self.said.word("active", names, "")
        if active and phase is not Phase.OPERATIONS:
            self.said["active"].fault("no formation is Active outside the Operations Phase")
        cup = Cup.of(*self.said.words("cup", names, ()))
        if any(hq and (n > 1 or hq == active) for hq, n in cup.counts):
            self.said["cup"].fault("an HQ is there twice, or has been drawn", "each HQ that is left once")
        more: dict[str, Any] = {
            "replacements": self.replacements(),
            "leadership": self.said.word("leadership", SIDES, Supply.SUPPLY),
            "interdicted": self.interdicted(sketch, board),
            "exits": self.exited(exits),
            "drawings": self.said.number("drawings", 0, 0, MOST),
        }
        if phase is Phase.SET_UP:
            self.check_set_up(sketch)
        if self.faults:
            raise ScenarioError(POSITION, tuple(self.faults))
        state = State(self.beach(**parts), sketch.units, turn, phase, support, cup, **more)
        if phase is Phase.SET_UP:  # the procedure puts them where the lines say
            return evolve(state, units=tuple(evolve(unit, place=Away.WAITING) for unit in state.units))
        return self.in_operations(state, active) if phase is Phase.OPERATIONS else state

    def check_set_up(self, sketch: Sketch) -> None:
        """Before the set-up all are still to come."""
        for piece, unit in sketch.drawn.values():
            if unit.hits or unit.place in (Away.ELIMINATED, Away.EXITED, Away.RETREATED):
                Value("place", str(piece), self.faults).fault("has been in play before the set-up", "a fresh unit")

    def in_operations(self, state: State, active: str) -> State:
        """The HQs that belong there are in the cup, and that of the active formation has just been drawn."""
        if "cup" not in self.said:
            others = [each.name for each in state.setting.formations if each.name != active]
            ready = [name for name in others if state.on_map(name) or can_enter(state, name)]
            state = evolve(state, cup=Cup.of(*ready))
        if not active:
            return state
        state = evolve(state, cup=state.cup.add(active))
        return HQDrawn(active, can_enter(state, active)).fold(state)


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
