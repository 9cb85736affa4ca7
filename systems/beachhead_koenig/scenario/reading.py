"""Reading a scenario file from its top: the track, the chits, and what of it all is authored."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache

from beachhead.cup import Cup
from beachhead.errors import Fault, ScenarioError
from beachhead.play import setting_with
from beachhead.rules import Chart, Provenance
from beachhead.scenario_files import reading_texts, toml
from beachhead.scenario_values import SOURCES, Sources, Value
from beachhead.sentences import listed, runs
from beachhead.systems import Source
from beachhead_koenig.beach import Beach
from beachhead_koenig.scenario import formations, given
from beachhead_koenig.scenario.board import Map, read_map
from beachhead_koenig.scenario.charts import read_charts
from beachhead_koenig.scenario.formations import Forces, read_forces
from beachhead_koenig.tables import Side

SUFFIX = ".koenig.toml"
CHITS = ("0", "1", "2", "2*", "3", "4")

_TOP = {
    "title": "the name of the scenario",
    "track": "turns = [...]",
    "map": "drawing and exits",
    "charts": "movement, landing fire, allied support and replacements",
    "refit": "chits = [...]",
    "formation": "a table [[formation]] for each",
}


def read_beach(source: Source, choices: Mapping[str, str]) -> Beach:
    """The setting that a scenario file describes.

    Args:
        source: the file, or its text.
        choices: what holds for each ruling that has choices, as `Catalogue.choices` gives it; koenig:K-24 says where the exits lie.

    Returns:
        the one Beach of this content under these choices: equal files give the same one.

    Raises:
        ScenarioError: something is wrong in the file; it lists every fault with its key, its value and what would be right.
        OSError: the file cannot be opened.
    """
    with reading_texts(source) as path:
        text = source.read()
    found = _beach(text, tuple(choices.items()))
    if not isinstance(found, Beach):
        raise ScenarioError(path, found)
    return found


@lru_cache(maxsize=64)
def _beach(text: str, chosen: tuple[tuple[str, str], ...]) -> Beach | tuple[Fault, ...]:
    """The setting, or what is wrong. Reading takes as long as hundreds of decisions, and games on one file are often played by the hundred."""
    data = toml(text)
    if isinstance(data, Fault):
        return (data,)
    choices, faults = dict(chosen), list[Fault]()
    root = Value("", data, faults).table(_TOP, "reinforcements")
    title = root["title"].text() if "title" in root else ""
    track, track_source = _track(root["track"]) if "track" in root else ((), {})
    ground = read_map(root["map"], choices["koenig:K-24"], text) if "map" in root else None
    forces = read_forces(root["formation"], track, ground) if "formation" in root else Forces()
    charts = read_charts(root["charts"], track, forces.waves) if "charts" in root else {}
    chits, chits_source = _chits(root["refit"]) if "refit" in root else ((), {})
    last, last_source = _reinforcements(root.get("reinforcements"), forces, track, faults)
    if faults or ground is None:
        return tuple(faults)
    whence = {
        "Game Turn": track_source,
        "Rest and Refit chit": chits_source,
        "last turn of reinforcements": last_source,
    }
    contents = json.dumps([data, choices], sort_keys=True, ensure_ascii=False)
    return setting_with(
        Beach,
        f"koenig/{title}",
        [contents],
        title=title,
        board=ground.board,
        formations=forces.formations,
        roster=forces.roster,
        exits=ground.exits,
        charts=charts,
        track=track,
        refit_chits=Cup.of(*chits),
        last_reinforcements=last,
        choices=choices,
        authored=tuple(_authored(ground, charts, forces, whence)),
    )


# ------------------------------------------------------------ track, chits, reinforcements
def _track(value: Value) -> tuple[tuple[str, ...], dict[str, Provenance]]:
    """The names of the Game Turns, "" for one that cannot be read, and none where not even the first day can be told."""
    fields = value.table({"turns": f"a list of {listed(given.TURNS)}, one for each Game Turn"}, *SOURCES)
    if "turns" not in fields:
        return (), {}
    entries = fields["turns"].items()
    turns = tuple(entry.word(given.TURNS) for entry in entries)
    if entries and turns[0] == "Night":
        entries[0].fault("the first Game Turn is a day turn (koenig:3.0.e)", given.TRACK[0])
    if fields["turns"].value == []:
        fields["turns"].fault("no Game Turn", "one at least")
    numbers = tuple(str(number) for number in range(1, len(turns) + 1))
    known = [number for number, turn, text in zip(numbers, turns, given.TRACK, strict=False) if turn == text]
    source = Sources.read(fields, numbers).of(
        numbers,
        known,
        doubtful=[number for number, turn in zip(numbers, turns, strict=True) if not turn],
        text={n: (e, f"{t} (koenig:4.0.k)") for n, e, t in zip(numbers, entries, given.TRACK, strict=False)},
    )
    return (turns if turns[:1] != ("Night",) else ()), source


def _chits(value: Value) -> tuple[tuple[str, ...], dict[str, Provenance]]:
    fields = value.table({"chits": 'the four chits of Rest and Refit, such as ["0", "1", "2", "2*"]'}, *SOURCES)
    if "chits" not in fields:
        return (), {}
    chits = tuple(entry.word(CHITS) for entry in fields["chits"].items())
    if isinstance(fields["chits"].value, list) and all(chits):
        if len(chits) != given.NUMBER_OF_CHITS:
            fields["chits"].fault(f"{len(chits)} chits", "four (koenig:14.3.b)")
        if "2*" not in chits:
            fields["chits"].fault("no 2* among them", "the rules' text has one (koenig:14.3.b)")
    kinds = tuple(dict.fromkeys(filter(None, chits)))
    names = kinds if all(chits) else CHITS  # a source for a chit that cannot be read is no fault of its own
    return chits, Sources.read(fields, names).of(kinds, given.CHITS)


def _reinforcements(
    value: Value | None, forces: Forces, track: tuple[str, ...], faults: list[Fault]
) -> tuple[int, dict[str, Provenance]]:
    if value is None:
        if forces.entering:
            Value("reinforcements", None, faults).fault(
                "missing: units enter by road", "last_turn = the last Game Turn on which one may"
            )
        return 0, {}
    fields = value.table({"last_turn": "the last Game Turn on which a reinforcement may enter"}, *SOURCES)
    if "last_turn" not in fields:
        return 0, {}
    last = fields["last_turn"].number(1, len(track) or formations.MOST_TURNS) or 0
    figures = ("last_turn",)
    source = Sources.read(fields, figures).of(
        figures,
        figures if last == given.LAST_REINFORCEMENTS else (),
        doubtful=() if last else figures,
        text={"last_turn": (fields["last_turn"], f"{given.LAST_REINFORCEMENTS} (koenig:juno.5.1.f)")},
    )
    return last, source


# ------------------------------------------------------------ what no printed source gives
def _authored(
    ground: Map, charts: Mapping[str, Chart], forces: Forces, whence: Mapping[str, Mapping[str, Provenance]]
) -> Iterator[str]:
    """Sentences that name every authored figure."""
    ground_words = {"drawing": "The map is authored.", "exits": "The roads off the map are authored."}
    yield from (ground_words[figure] for figure in _own(ground.source))
    for chart in charts.values():
        own = _own(chart.source)
        if len(own) == len(chart):
            yield f"The table {chart.name} is authored."
        elif own:
            yield f"In the table {chart.name} the figure{_s(own)} for {listed(runs(own))} {_are(own)} authored."
    for what, source in whence.items():
        own = _own(source)
        if own and what.startswith("last"):
            yield f"The {what} is authored."
        elif own:
            yield f"{what}{_s(own)} {listed(runs(own))} {_are(own)} authored."
    yield from _authored_units(forces)


_UNIT_WORDS = {
    "name": "name",
    "type": "unit type",
    "strength": "Combat Strength",
    "movement": "Movement Allowance",
    "set_up": "set-up hex",
    "lands": "landing",
    "enters": "entry",
}


def _authored_units(forces: Forces) -> Iterator[str]:
    whose: dict[tuple[str, ...], list[str]] = {}
    for figure in formations.FIGURES:
        units = tuple(name for name, source in forces.source.items() if source.get(figure) is Provenance.AUTHORED)
        if units:
            whose.setdefault(units, []).append(figure)
    for units, figures in whose.items():
        words = [_UNIT_WORDS[figure] for figure in figures]
        what = listed(words)
        yield f"{what[0].upper()}{what[1:]} of {_called(units, forces)} {_are(words)} authored."


def _called(units: tuple[str, ...], forces: Forces) -> str:
    """Some units in as few words as name them all."""
    sides = {side: tuple(piece.name for piece in forces.roster if piece.side is side) for side in Side}
    whole = [
        each.name
        for each in forces.formations
        if all(piece.name in units for piece in forces.roster if piece.formation == each.name)
    ]
    if len(units) == len(forces.roster):
        return "all units"
    if units in sides.values():
        return next(f"all {side} units" for side, names in sides.items() if names == units)
    if sum(piece.formation in whole for piece in forces.roster) == len(units):
        return f"the units of {listed(whole)}"
    return listed(units)


def _own(source: Mapping[str, Provenance]) -> list[str]:
    return [figure for figure, whence in source.items() if whence is Provenance.AUTHORED]


def _s(several: list[str]) -> str:
    return "s" if len(several) > 1 else ""


def _are(several: list[str]) -> str:
    return "are" if len(several) > 1 else "is"
