"""Reading a scenario file from its top: charts, map, forces, the turn track, the first turn, victory, and what of it all is authored."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from beachhead.errors import Fault, ScenarioError
from beachhead.play import setting_with
from beachhead.rules import Provenance
from beachhead.scenario_files import reading_texts, toml
from beachhead.scenario_values import Value
from beachhead.systems import Source
from beachhead_gts.battlefield import Battlefield, FirstTurn, Hooks, Objective, Turn, direct_command
from beachhead_gts.scenario import charts as charts_of
from beachhead_gts.scenario.board import FIGURES, Ground, read_map
from beachhead_gts.scenario.charts import read_charts
from beachhead_gts.scenario.forces import Forces, read_forces
from beachhead_gts.scenario.origins import KEYS, Origin, Origins, Told, sentences
from beachhead_gts.tables import Side, Weather

T = TypeVar("T")
SUFFIX = ".gts.toml"
DIE = 10
MOST_VICTORY_POINTS, MOST_AIR = 99, 99
_TOP = {
    "title": "the name of the scenario",
    "charts": "the name of a charts file, or a table",
    "map": "the drawing and what stands in hexes",
    "track": "turns = [...]",
    "first": "mug = [...]",
    "division": "a table [[division]] for each",
    "formation": "a table [[formation]] for each",
    "victory": "what the sides fight for",
}


def read_battlefield(source: Source, choices: Mapping[str, str]) -> Battlefield:
    """The setting that a scenario file describes.

    Args:
        source: the file, or its text; a file of charts may lie beside it.
        choices: what holds for each ruling that has choices, as `Catalogue.choices` gives it.

    Returns:
        the one Battlefield of this content under these choices: equal files give the same one.

    Raises:
        ScenarioError: something is wrong in the file; it lists every fault with its key, its value and what would be right.
        OSError: the file cannot be opened.
    """
    with reading_texts(source) as path:
        text, companion = source.read(), source.beside(charts_of.ENDING)
    found = _battlefield(text, companion, tuple(choices.items()))
    if not isinstance(found, Battlefield):
        raise ScenarioError(path, found)
    return found


@lru_cache(maxsize=64)
def _battlefield(
    text: str, companion: str | None, chosen: tuple[tuple[str, str], ...]
) -> Battlefield | tuple[Fault, ...]:
    """The setting, or what is wrong. Reading takes as long as hundreds of decisions, and games on one file are often played by the hundred."""
    data = toml(text)
    if isinstance(data, Fault):
        return (data,)
    faults: list[Fault] = []
    root = Value("", data, faults).table(_TOP, "counters", "weather", "airpower", *KEYS)
    around = Origins.read(root, ())
    title = root["title"].text() if "title" in root else ""
    sheet = read_charts(root["charts"], companion) if "charts" in root else None
    charts = sheet.charts if sheet else None
    ground = read_map(root["map"], charts, around, text) if "map" in root else None
    whence = {_WORDS["map"][figure]: origin for figure, origin in ground.origins.items()} if ground else {}
    track = _track(_fields(root, "track", around, whence))
    forces = read_forces(root, ground, charts, len(track), around)
    hooks = _hooks(root, around, whence)
    first = _first(_fields(root, "first", around, whence), forces)
    victory = _victory(_fields(root, "victory", around, whence), root, ground)
    if faults or ground is None or sheet is None:
        return tuple(faults)
    told = (Told("", {word: {"": origin} for word, origin in whence.items()}), *sheet.told(ground.used), *forces.told)
    choices = dict(chosen)
    contents = json.dumps([[data, *sheet.contents], choices], sort_keys=True, ensure_ascii=False)
    return setting_with(
        Battlefield,
        f"gts/{title}",
        [contents],
        title=title,
        board=ground.board,
        charts=sheet.charts,
        divisions=forces.divisions,
        formations=forces.formations,
        leaders=forces.leaders,
        roster=forces.roster,
        track=track,
        first_turn=first,
        hooks=hooks,
        observation_posts=ground.symbols["observation_posts"],
        strongpoints=ground.symbols["strongpoints"],
        entrenchments=ground.symbols["entrenchments"],
        unjoined=ground.unjoined,
        **victory,
        authored_victory=frozenset(
            figure
            for figure, words in _WORDS["victory"].items()
            if words in whence and whence[words].provenance is Provenance.AUTHORED
        ),
        choices=choices,
        authored=tuple(sentences(told, Provenance.AUTHORED)),
        published=tuple(sentences(told, Provenance.PUBLISHED)),
    )


# ------------------------------------------------------------ the sections
_WORDS: Mapping[str, Mapping[str, str]] = {
    "map": {name: name.replace("_", " ") for name in FIGURES}
    | {"drawing": "map", "unjoined": "roads that run past each other"},
    "track": {"turns": "turn track"},
    "weather": {"fixed": "weather", "table": "weather table"},
    "airpower": {"fixed": "airpower", "table": "airpower table"},
    "first": {"mug": "first mug", "first": "first chit"},
    "victory": {"objectives": "objectives", "elimination_points": "Victory Points for eliminated units"},
}
"""What the figures of each section are called."""
_NEEDED: Mapping[str, Mapping[str, str]] = {
    "track": {"turns": "a list of the turns"},
    "first": {"mug": "the chits in the mug of the first turn"},
}


def _fields(root: Mapping[str, Value], section: str, around: Origins, whence: dict[str, Origin]) -> dict[str, Value]:
    """The values of a section. Where they come from is added to `whence`."""
    if section not in root:
        return {}
    words = _WORDS[section]
    fields = root[section].table(_NEEDED.get(section, {}), *words, *KEYS)
    origins = Origins.read(fields, words, around).of([figure for figure in words if figure in fields])
    whence |= {words[figure]: origin for figure, origin in origins.items()}
    return fields


def _track(fields: Mapping[str, Value]) -> tuple[Turn, ...]:
    """The turns: a new day begins after each night. None where nothing can be told of them."""
    if "turns" not in fields:
        return ()
    turns, day = list[Turn](), 1
    for entry in fields["turns"].items():
        own = {"name": entry} if isinstance(entry.value, str) else entry.table({"name": "what it is called"}, "night")
        night = own["night"].flag() if "night" in own else False
        name = own["name"].text() if "name" in own else ""
        if night and not turns:
            entry.fault("the first turn is a night turn", "a day has a daylight turn before its night (4.0)")
        elif night and turns[-1].night:
            entry.fault("a second night turn in a row", "a night is one turn (3.0)")
        elif turns and turns[-1].night:
            day += 1
        turns.append(Turn(name, day, night))
    if fields["turns"].value == []:
        fields["turns"].fault("no turn", "one at least")
    return tuple(turns)


def _hooks(root: Mapping[str, Value], around: Origins, whence: dict[str, Origin]) -> Hooks:
    """Weather and airpower: given, or by a table for the faces of the die (5.0, 6.0)."""
    weather = _by_die(_fields(root, "weather", around, whence), root, "weather", lambda value: value.word(Weather))
    air = _by_die(
        _fields(root, "airpower", around, whence), root, "airpower", lambda value: value.number(0, MOST_AIR) or 0
    )
    usual = Hooks()
    return Hooks(tuple(map(Weather, filter(None, weather))) or usual.weather, tuple(air) or usual.air)


def _by_die(
    fields: Mapping[str, Value], root: Mapping[str, Value], section: str, read: Callable[[Value], T]
) -> list[T]:
    """What each face of the die gives, or the one thing that is given; empty where nothing is."""
    there = [key for key in ("fixed", "table") if key in fields]
    if section in root and isinstance(root[section].value, dict) and len(there) != 1:
        root[section].fault(
            "it has fixed and table" if there else "it has nothing", "fixed, or table for the faces of the die"
        )
    if "table" not in fields:
        return [read(fields["fixed"])] if there else []
    found = [read(entry) for entry in fields["table"].items()]
    if isinstance(fields["table"].value, list) and len(found) != DIE:
        fields["table"].fault(f"{len(found)} entries", f"{DIE}, one for each face of the die from 0 to {DIE - 1}")
    return found


def _first(fields: Mapping[str, Value], forces: Forces) -> FirstTurn:
    """The chits of the first mug, and the one that is played before any is drawn (9.0, 10.0.1)."""
    chits = {**forces.chits, **{direct_command(side): 1 for side in Side}}
    mug: list[str] = []
    for entry in fields["mug"].items() if "mug" in fields else ():
        name = _chit(entry, chits, forces)
        if name and name in mug:
            entry.fault("is there already", "each chit once")
        mug.append(name)
    if "mug" in fields and fields["mug"].value == []:
        fields["mug"].fault("no chit", "one at least")
    first = _chit(fields["first"], chits, forces) if "first" in fields else ""
    return FirstTurn(tuple(name for name in mug if name != first), first)


def _chit(value: Value, chits: Mapping[str, int], forces: Forces) -> str:
    """The name of a chit that is in play on the first turn; "" after a fault."""
    name = value.word(chits, doubtful=forces.unnamed)
    if chits.get(name, 1) > 1:
        value.fault(f"is in play from turn {chits[name]} on", "a chit that is in play on the first turn (9.0)")
    return name


def _victory(fields: Mapping[str, Value], root: Mapping[str, Value], ground: Ground | None) -> dict[str, Any]:
    """Objectives, and points for units that are eliminated."""
    if (
        "victory" in root
        and isinstance(root["victory"].value, dict)
        and not {"objectives", "elimination_points"} & {*fields}
    ):
        root["victory"].fault("nothing to win", "objectives, elimination_points, or both")
    goals: list[Objective] = []
    for entry in fields["objectives"].items() if "objectives" in fields else ():
        own = entry.table({"name": "what it is called", "hex": "where it is", "points": "Victory Points"}, "held")
        name = own["name"].text() if "name" in own else ""
        points = own["points"].number(1, MOST_VICTORY_POINTS) if "points" in own else None
        hex = ground.hex(own["hex"]) if ground and "hex" in own else None
        held = own["held"].word(Side) if "held" in own else ""
        if any(name == goal.name for goal in goals):
            entry.fault("another objective has this name", "a name of its own for each")
        if any(hex == goal.hex for goal in goals):
            own["hex"].fault("another objective lies in this hex", "a hex of its own for each")
        if name and points is not None and hex is not None:
            goals.append(Objective(name, hex, points, Side(held) if held else None))
    worth = fields["elimination_points"].number(0, MOST_VICTORY_POINTS) if "elimination_points" in fields else 0
    return {"objectives": tuple(goals), "elimination_points": worth or 0}
