"""How the keys of a row become a state: the map, who stands on it, and where the turn and the activation stand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any

from attrs import define, evolve

from beachhead.board import Board, draw
from beachhead.cup import Cup
from beachhead.errors import Fault, ScenarioError
from beachhead.hexes import GeometryError, LetterLabels
from beachhead.play import setting_with
from beachhead.scenario_values import Table, Value
from beachhead_gts.battlefield import Away, Battlefield, Division, FirstTurn, Formation, Hooks, Turn, direct_command
from beachhead_gts.charts import Charts
from beachhead_gts.positions import FORMATIONS, Sketch
from beachhead_gts.scenario.charts import read_charts
from beachhead_gts.state import Activation, Points, State, Unit
from beachhead_gts.tables import MOST_POINTS, ActionKind, ChitKind, Phase, Side, Weather

POSITION = "a position"
CHARTS = "beachhead"
"""The charts that a position has unless its row changes them."""
NIGHT = " night"
TRACK = ("morning", "noon", "evening", "midnight night", "sunrise", "midday")
COMMAND, DISPATCH = 4, 5
"""The ratings of a Division of which nothing else is said."""
NONE = "none"
PHASES = {
    "set-up": Phase.SET_UP,
    "weather": Phase.WEATHER,
    "airpower": Phase.AIRPOWER,
    "reinforcements": Phase.REINFORCEMENTS,
    "dispatch": Phase.DISPATCH,
    "artillery": Phase.ARTILLERY,
    "attachment": Phase.ATTACHMENT,
    "mug": Phase.MUG,
    "activation": Phase.ACTIVATION,
    "cleanup": Phase.CLEANUP,
    "turn-record": Phase.TURN_RECORD,
}
KEYS: Mapping[str, str] = {
    "board": "a drawing in the symbols of the charts: . clear, w woods, o orchard, b bocage, v village, t town, c city, s swamp, _ no hex, ...; every other row indented; below it lines as in place. If left out, 9 x 9 clear hexes A1 to I9, letters from west to east, numbers from north to south",
    "place": 'what is where, on the drawing or without one, a line each. A unit: "C3: Able allied": its name, its side, and more words, in any order, for what it is not by default: Infantry, Leg, two Steps, q6 (Troop Quality) range2 fire4 assault4 move5 def0 (Defense Rating, unarmored), small-arms, Formation 1 of Division X (allied) or 9 of Y (german). Ratings: q7, range5, fire6, assault3, move8, def-1, air2; rangeno, fireno, assaultno, moveno (or immobile), move* (a gun); auto-command; steps0 to steps2; a Weapons Class (light-mortar, dual-purpose, armor-piercing, mortar, direct-he, indirect-he, emplaced-artillery, organic-artillery; assault-dual-purpose for that of its assault alone); leg, wheeled, tracked; infantry, gun, vehicle (tracked unless wheeled); armored; tank for vehicle tracked armored dual-purpose def-2 move8 steps1. "of 2" its Formation, "of 2 div Z" that of another Division; white or black: an independent unit of its Division. Backs: reduced, or reduced(fire2 q5): one less of fire, assault and quality but for what is said; transport, or transport(move8 tracked def1 armored): trucks, move10 wheeled def2 fireno, but for what is said. Markers: loss1, c1, c2 (Cohesion Hits), suppressed, column, mounted, improved, entrenched (puts an entrenchment there), rallying1, entering. Off the map: "due 3: Able allied", "box: ...", "eliminated: ...". A Leader: "C3: leader Lee allied", or "leader Lee of 2 range5 attach2" (Command Range and Attachment Rating, 5 and 2 by default); "due 3: leader ...", "removed: leader ...". There is no Leader unless a line places one: all but auto-command units are Out of Command. Ground: "C4: woods", "C4: strongpoint", observation-post, entrenchment, light-barrage, heavy-barrage; "crest: C3/C4 C3/D3" and other hexsides; "road: A1-B1-C1", railroad; "unjoined: B1-C1-D1 B2-C1-C2", two roads that run past each other in C1; "entry X: A1", the reinforcement hex of X; "objective Caen 3 german: D5", worth 3, held by the German player (by nobody, if no side is said); "Caen = D5", a name for a hex',
    "elsewhere": "the same as place, for all rows of a file",
    "charts": 'what the charts say otherwise, as a scenario file would write it: { figures = { mass = { "4" = 2 } }, terrain = { woods = { leg = "3(1)" } } }',
    "track": f'the names of the turns; " night" behind a name makes it a night turn, and with the next daylight turn a day begins; {list(TRACK)} if left out',
    "turn": "the number of the turn; 1 if left out",
    "phase": f"the step of the turn, at its beginning: {', '.join(PHASES)}; activation if left out. set-up: all are still to be placed",
    "chit": f'the chit that is being played: a Formation, a Division, "Allied Direct Command" or "German Direct Command"; "{NONE}" between two. If left out, in the activation phase, Formation 1, or the first of the allies. What comes before the Actions is done, and no unit has acted',
    "opening": "true: the chit has just been drawn, and reinforcements, rolls or attachment are still to come",
    "closing": "true: all Actions are over, and the Leaders transfer",
    "acted": "the units that have acted under the chit, and may not perform a Second Action any more",
    "last": "the units that have just completed an Action, together if there are several, and may perform a Second Action",
    "last_action": f"of which type that Action was: {', '.join(ActionKind)}; Movement if left out",
    "attached": "the independent units that act with the Formation",
    "mug": "the chits in the mug besides the one that is being played; none if left out",
    "ready": "Formation chits bought for this turn, until the mug is filled",
    "aside": "Formation chits bought for next turn",
    "carried": "the chit that was left last, to be played first",
    "points": "Command Points and Dispatch Points: { X = [3, 1] }; none if left out",
    "ratings": f"Command Rating and Dispatch Rating: {{ X = [4, 5] }}; {COMMAND} and {DISPATCH} if left out",
    "independent": 'independent Formations, without Leader and chit, each with the one that it is attached to, "" for none yet: { 2 = "1" }',
    "arrives": "the turn on which a Division's chit is first in play: { X = 2 }",
    "weather": f"the weather: {', '.join(Weather)}; clear if left out",
    "air": "the airpower that is available; 0 if left out",
    "weather_table": 'one weather, or ten for the faces 0 to 9 of the die: ["fog"]',
    "air_table": "one number, or ten: [2]",
    "first_turn": 'the chits in the mug of the first turn, and the one that is played first: { mug = ["X", "Y"], first = "1" }; if left out, both Divisions and both Direct Command chits, and none first',
    "elimination_points": "Victory Points for each enemy unit that is eliminated; 0 if left out",
}  # fmt: skip


def read_row(row: Mapping[str, Any], choices: Mapping[str, str]) -> State:
    """The state that a row describes, under these choices for the rulings.

    Raises:
        ScenarioError: all that is wrong in it.
    """
    faults: list[Fault] = []
    plain = {key: list(value) if isinstance(value, tuple) else value for key, value in row.items()}
    return _Row(Value("", plain, faults).table({}, *KEYS), choices, faults).state()


@lru_cache(maxsize=64)
def _charts(said: str) -> tuple[Charts | None, str, tuple[Fault, ...]]:
    """The charts with what a row says otherwise, and a digest of them."""
    faults: list[Fault] = []
    found = read_charts(Value("charts", {"base": CHARTS, **json.loads(said)}, faults))
    charts = None if found is None else found.charts
    return charts, sha256(repr(charts).encode()).hexdigest(), tuple(faults)


def _order(line: Value) -> int:
    """Names go first, since all other lines may use them, then reinforcement hexes; Leaders last, when all Formations are known."""
    text = str(line.value)
    if ":" not in text:
        return 0
    return 1 if text.startswith("entry ") else 3 if text.partition(":")[2].split()[:1] == ["leader"] else 2


@define
class _Row:
    """A row being read. What cannot be used leaves its fault, and all faults are told together."""

    said: Table
    choices: Mapping[str, str]
    faults: list[Fault]

    # -------------------------------------------------------- values
    def pairs(self, key: str, names: Iterable[str], otherwise: tuple[int, int]) -> dict[str, tuple[int, int]]:
        """For each of some names, two numbers."""
        found = dict.fromkeys(names, otherwise)
        for name, value in self.said[key].table({}, *found).items() if key in self.said else ():
            numbers = [n for each in value.items() if (n := each.number(0, MOST_POINTS)) is not None]
            if len(numbers) == 2:
                found[name] = (numbers[0], numbers[1])
            elif isinstance(value.value, list):
                value.fault("not two numbers", "[3, 1]")
        return found

    # -------------------------------------------------------- what the row fixes for good
    def charts(self) -> tuple[Charts, str]:
        """The charts, and a digest of them."""
        said = self.said["charts"] if "charts" in self.said else Value("charts", {}, self.faults)
        if not isinstance(said.value, dict):
            said.table({})
        charts, digest, faults = _charts(json.dumps(said.value, default=str) if isinstance(said.value, dict) else "{}")
        self.faults += faults
        if charts is None:  # without them nothing else can be read
            raise ScenarioError(POSITION, tuple(self.faults))
        return charts, digest

    def drawn(self, charts: Charts) -> Sketch:
        """The map with everything on it, the units and the Leaders."""
        lines = [line for key in ("place", "elsewhere") for line in self.said.entries(key)]
        sketch = Sketch(Board.rectangle(9, 9, labels=LetterLabels()), charts)
        if "board" in self.said and self.said["board"].text():
            said = self.said["board"]
            legend = {row.symbol: row.name for row in charts.terrain.values() if row.symbol}
            grid, below = _split(str(said.value))
            try:
                drawing = draw(grid, legend)
            except GeometryError as error:  # without its board nothing else can be read
                said.fault(str(error))
                raise ScenarioError(POSITION, tuple(self.faults)) from None
            sketch = Sketch(drawing.board, charts)
            lines += [Value("board", line, self.faults) for line in below]
        for line in sorted(lines, key=_order):
            sketch.put(line)
        sketch.complete()
        for hex, ways in sketch.unjoined.items():
            if len(ways) < 2:
                Value("place", "unjoined", self.faults).fault(f"only one road through {sketch.map.label(hex)}", "two")
        for name, hex in sketch.entries.items():
            if name not in sketch.divisions:
                Value("place", f"entry {name}", self.faults).fault("no such Division", ", ".join(sketch.divisions))
            for piece, unit in sketch.drawn.values():
                if unit.place == hex and sketch.divisions.get(name) is piece.side.enemy:
                    Value("place", str(piece), self.faults).fault(
                        "stands where enemy reinforcements enter", "another hex"
                    )
        return sketch

    def track(self) -> tuple[Turn, ...]:
        """The turns; a day begins with the first daylight turn after a night."""
        names = [entry.text() for entry in self.said.entries("track")] or list(TRACK)
        turns, day = list[Turn](), 1
        for name in names:
            night = name.endswith(NIGHT)
            day += bool(turns and turns[-1].night and not night)
            turns.append(Turn(name.removesuffix(NIGHT), day, night))
        return tuple(turns)

    def formations(self, sketch: Sketch) -> tuple[Formation, ...]:
        """The Formations; independent ones with that which they are attached to."""
        said = self.said["independent"].table({}, *sketch.formations) if "independent" in self.said else {}
        found: list[Formation] = []
        for name, division in sketch.formations.items():
            others = [each for each, of in sketch.formations.items() if of == division and each not in said]
            superior = said[name].word(others) if name in said and said[name].value != "" else ""
            found.append(Formation(name, division, independent=name in said, superior=superior))
            if name in said and not others:
                said[name].fault("nothing in its Division to be attached to", "another Formation of it")
            if name in said and any(leader.formation == name for leader, _ in sketch.led.values()):
                said[name].fault("has a Leader", "none: an independent Formation has no Leader (21.4)")
        return tuple(found)

    def hooks(self) -> Hooks:
        """The tables of the exclusive rules."""
        weather = self.said.words("weather_table", Weather, Hooks().weather)
        air = [each.number(0, 99) or 0 for each in self.said.entries("air_table")] or list(Hooks().air)
        for key, table in (("weather_table", weather), ("air_table", air)):
            if len(table) not in (1, 10):
                self.said[key].fault(f"{len(table)} entries", "one, or ten for the faces 0 to 9")
        return Hooks(tuple(Weather(each) for each in weather if each), tuple(air))

    def divisions(self, sketch: Sketch, points: Mapping[str, tuple[int, int]]) -> tuple[Division, ...]:
        """The Divisions, with their ratings."""
        ratings = self.pairs("ratings", sketch.divisions, (COMMAND, DISPATCH))
        arrives = self.said["arrives"].table({}, *sketch.divisions) if "arrives" in self.said else {}
        for name in sketch.divisions.keys() & sketch.formations.keys():
            Value("place", name, self.faults).fault("is a Division and a Formation", "a name of its own for each")
        return tuple(
            Division(
                name,
                side,
                *ratings[name],
                points=points[name],
                entry=sketch.entries.get(name),
                arrives=(arrives[name].number(1, 99) or 1) if name in arrives else 1,
                authored=False,
            )
            for name, side in sketch.divisions.items()
        )

    def first_turn(self, sketch: Sketch) -> FirstTurn:
        """What the scenario says of the first turn."""
        usual = (*sketch.divisions, *map(direct_command, Side))
        if "first_turn" not in self.said:
            return FirstTurn(usual)
        said = self.said["first_turn"].table({}, "mug", "first")
        known = (*usual, *sketch.formations)
        mug = tuple(each.word(known) for each in said["mug"].items()) if "mug" in said else usual
        return FirstTurn(mug, said["first"].word(known) if "first" in said else "")

    def battlefield(self, digest: str, **parts: Any) -> Battlefield:
        """What the row fixes for good."""
        plain = {name: sorted(value) if isinstance(value, frozenset) else value for name, value in parts.items()}
        plain["unjoined"] = {hex: [sorted(way) for way in ways] for hex, ways in parts["unjoined"].items()}
        told = [f"{name}={value!r}" for name, value in plain.items() if name not in ("board", "charts")]
        return setting_with(Battlefield, f"gts/{POSITION}", [parts["board"].content_digest(), digest, *told], **parts)

    # -------------------------------------------------------- where the turn stands
    def activation(self, chit: str, units: tuple[str, ...]) -> Activation | None:
        """The chit that is being played, and who has acted under it."""
        if chit == NONE:
            for key in ("opening", "closing", "acted", "last", "last_action", "attached"):
                if key in self.said:
                    self.said[key].fault("no chit is being played", "a chit, in the activation phase")
            return None
        last = self.said.words("last", units)
        acted = {*self.said.words("acted", units), *last}
        kinds = {str(kind): kind for kind in ActionKind}
        return Activation(
            chit,
            open=not self.said.flag("opening"),
            acted=sum(1 << i for i, unit in enumerate(units) if unit in acted),
            last=last,
            kind=self.said.word("last_action", kinds, ActionKind.MOVEMENT if last else ActionKind.PASS),
            attached=self.said.words("attached", units),
            closing=self.said.flag("closing"),
        )

    def chits(self, field: Battlefield, phase: Phase, turn: int) -> dict[str, Any]:
        """Where the chits are: each in one place."""
        known = [chit.name for chit in field.chits.values() if chit.kind is not ChitKind.UNKNOWN]
        bought = [chit.name for chit in field.chits.values() if chit.kind is ChitKind.FORMATION]
        allied = [chit for chit in bought if field.chits[chit].side is Side.ALLIED]
        first = FORMATIONS[Side.ALLIED] if FORMATIONS[Side.ALLIED] in allied else next(iter(allied), NONE)
        usual = first if phase is Phase.ACTIVATION else NONE
        chit = self.said.word("chit", {name: name for name in (*known, NONE)}, usual)
        if chit != NONE and phase is not Phase.ACTIVATION:
            self.said["chit"].fault("no chit is played in this step of the turn", "the activation phase")
        given = field.first_turn.first if turn == 1 and phase is not Phase.ACTIVATION else ""
        carried = self.said.word("carried", {name: name for name in known}, given)
        lie = {key: self.said.words(key, known if key == "mug" else bought) for key in ("mug", "ready", "aside")}
        for key, there in (("mug", [chit, carried, *lie["mug"]]), ("aside", [*lie["ready"], *lie["aside"]])):
            for name in known:
                if there.count(name) > 1:
                    Value(key, name, self.faults).fault("the chit is there twice", "once, and not while it is played")
        return {
            "activation": self.activation(chit, tuple(field.number)),
            "carried": carried,
            "mug": Cup.of(*lie["mug"]),
            "ready": tuple(sorted(lie["ready"])),
            "aside": tuple(sorted(lie["aside"])),
        }

    def state(self) -> State:
        """The row, read."""
        charts, digest = self.charts()
        sketch = self.drawn(charts)
        points = self.pairs("points", sketch.divisions, (0, 0))
        field = self.battlefield(
            digest,
            title=POSITION,
            board=sketch.map.board,
            charts=charts,
            divisions=self.divisions(sketch, points),
            formations=self.formations(sketch),
            leaders=tuple(piece for piece, _ in sketch.led.values()),
            roster=sketch.pieces,
            track=self.track(),
            first_turn=self.first_turn(sketch),
            hooks=self.hooks(),
            observation_posts=frozenset(sketch.symbols["observation-post"]),
            strongpoints=frozenset(sketch.symbols["strongpoint"]),
            entrenchments=frozenset(sketch.symbols["entrenchment"]),
            unjoined={hex: tuple(ways) for hex, ways in sketch.unjoined.items()},
            objectives=tuple(sketch.objectives),
            elimination_points=self.said.number("elimination_points", 0),
            choices=dict(self.choices),
        )
        phase = self.said.word("phase", PHASES, Phase.ACTIVATION)
        turn = self.said.number("turn", 1, 1, len(field.track))
        state = State(
            field,
            sketch.units,
            tuple(place for _, place in sketch.led.values()),
            tuple(Points(*each.points) for each in field.divisions),
            turn,
            phase,
            weather=Weather(self.said.word("weather", {str(each): each for each in Weather}, Weather.CLEAR)),
            air=self.said.number("air", 0),
            barrages=tuple(sorted(sketch.barrages.items())),
            entrenchments=field.board.mask(field.entrenchments),
            held=tuple(objective.held for objective in field.objectives),
            superiors=tuple(each.superior for each in field.formations),
            **self.chits(field, phase, turn),
        )
        if phase is Phase.SET_UP:  # the procedure puts them where the lines say
            self.check_set_up(sketch)
            state = evolve(state, units=(Unit(),) * len(state.units), leaders=(Away.DUE,) * len(state.leaders))
        if self.faults:
            raise ScenarioError(POSITION, tuple(self.faults))
        return state

    def check_set_up(self, sketch: Sketch) -> None:
        """Before the set-up all are still to come."""
        for piece, unit in sketch.drawn.values():
            if evolve(unit, column=False) not in (Unit(unit.place), Unit(Away.DUE)) or unit.place in (
                Away.BOX,
                Away.ELIMINATED,
            ):
                Value("place", str(piece), self.faults).fault("has been in play before the set-up", "a fresh unit")


def _split(text: str) -> tuple[str, Iterator[str]]:
    """The grid of a drawing, and the lines below it."""
    lines = text.strip("\n").splitlines()
    size = next((i for i, line in enumerate(lines) if not line.strip() or ":" in line or "=" in line), len(lines))
    return "\n".join(lines[:size]), (
        line.strip() for line in lines[size:] if line.strip() and not line.strip().startswith("#")
    )
