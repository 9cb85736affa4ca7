"""The Grand Tactical Series in plain words: the map as text, how things stand, and what lies where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from beachhead.board import Board
from beachhead.hexes import Direction, Hex
from beachhead.sentences import counted
from beachhead.terminal import Cell, Facts, short_names
from beachhead_gts import victory
from beachhead_gts.battlefield import Away, LeaderPiece, Piece
from beachhead_gts.command import in_command
from beachhead_gts.glosses import gloss, ground, outcome
from beachhead_gts.ground import hexside_rows, terrain_at
from beachhead_gts.picture import described, set_out
from beachhead_gts.sight import sight_limit
from beachhead_gts.state import State, Unit
from beachhead_gts.tables import Phase, Side

__all__ = [
    "at",
    "board",
    "cell",
    "facts",
    "gloss",
    "hand",
    "legend",
    "outcome",
    "place",
    "remarks",
    "standing",
    "units",
]

_TAG = 5
"""So many characters of a name are written on the board."""
_BRACKETS = {Side.ALLIED: ("(", ")"), Side.GERMAN: ("[", "]")}
_HITS = ("", "'", '"')
_MARKERS = {"column": ">", "suppressed": "*", "mounted": "~"}
"""What is written behind a unit that has such a marker."""


# ------------------------------------------------------------ the board
def board(state: State) -> Board:
    """The map."""
    return state.setting.board


def cell(state: State, hex: Hex) -> Cell:
    """The ground in the letters of a drawn map, the units and Leaders, and what lies along the hex."""
    state = set_out(state)
    letters = "".join(row.symbol for row in terrain_at(state.setting, hex))
    there = state.at(hex)
    tags = short_names(tuple(state.setting.number), _TAG)
    lines = [_bracketed(state, unit, tags[unit]) for unit in there]
    lines += [f"<{leader[: _TAG + 1]}>" for leader in state.leaders_at(hex)]
    side = state.setting.piece(there[0]).side if there else None
    return Cell(letters, _mark(state, hex), "\n".join(lines), side, *(_along(state, hex, way) for way in _WAYS))


def _marks(state: State) -> Mapping[str, tuple[str, Iterable[Hex]]]:
    """The marks before the ground, what each means, and where it stands; the first that applies is written."""
    field = state.setting
    return {
        "!": ("barrage", [hex for hex, _ in state.barrages]),
        ">": ("reinforcement hex", chain.from_iterable(field.entries.values())),
        "$": ("objective", [objective.hex for objective in field.objectives]),
        "#": ("entrenchment", field.board.members(state.entrenchments)),
        "+": ("strongpoint", field.strongpoints),
        "^": ("observation post", field.observation_posts),
    }


def _mark(state: State, hex: Hex) -> str:
    return next((mark for mark, (_, hexes) in _marks(state).items() if hex in hexes), " ")


_WAYS = {Direction.E: "-", Direction.SW: "/", Direction.SE: "\\"}
"""How a road or railroad is drawn that leads this way."""


def _along(state: State, hex: Hex, way: Direction) -> str:
    """What lies on a hexside or leads across it: one character in the east, three on the slopes."""
    field, near = state.setting, hex.neighbour(way)
    if near not in field.board:
        return ""
    rows = hexside_rows(field, hex, near)
    road = _WAYS[way] if any(field.board.linked(kind, hex, near) for kind in field.board.links) else ""
    crossing = "H" if any(row.column_only for row in rows) else road
    barrier = (
        "=" if any(not row.crest and not row.column_only for row in rows) else "^" if rows and not crossing else ""
    )
    if way is Direction.E:
        return crossing or {"=": "|"}.get(barrier, barrier)
    side = barrier or " "
    return f"{side}{crossing or side}{side}".rstrip()


def _bracketed(state: State, unit: str, tag: str) -> str:
    now, (left, right) = state.unit(unit), _BRACKETS[state.setting.piece(unit).side]
    markers = "".join(sign for marker, sign in _MARKERS.items() if getattr(now, marker))
    return f"{left}{tag}{_HITS[now.cohesion] or right}{markers}"


def at(state: State, hex: Hex) -> str:
    """The units in a hex, the ground, and what lies along it."""
    state = set_out(state)
    field, label = state.setting, state.setting.board.label
    told = [f"{unit} ({described(state, unit)})" for unit in state.at(hex)]
    told += [
        f"{leader}, {_leader(state, field.leaders[field.leader_number[leader]])}" for leader in state.leaders_at(hex)
    ]
    told += [name for name, place in field.board.named.items() if place == hex]
    told.append(ground(state, hex))
    told += [f"objective {each.name} ({each.points})" for each in field.objectives if each.hex == hex]
    told += [f"reinforcement hex of {each.name}" for each in field.divisions if each.entry == hex]
    told += ["entrenchment"] if hex in field.board.members(state.entrenchments) else []
    told += ["strongpoint"] if hex in field.strongpoints else []
    told += ["observation post"] if hex in field.observation_posts else []
    told += [str(barrage) for place, barrage in state.barrages if place == hex]
    sides = {near: field.board.features(hex, near) for near in field.board.neighbours(hex)}
    for feature in sorted({name for names in sides.values() for name in names}):
        told.append(f"{feature} towards {' '.join(label(near) for near, names in sides.items() if feature in names)}")
    for kind in field.board.links:
        ways = [label(near) for near in field.board.neighbours(hex) if field.board.linked(kind, hex, near)]
        told += [f"{kind} to {', '.join(ways)}"] if ways else []
    return ", ".join(told)


def units(state: State) -> Mapping[str, str]:
    """Every unit and Leader: what it is, and where."""
    state = set_out(state)
    field = state.setting
    told = {
        piece.name: f"{f'{piece.title}, ' if piece.title else ''}{piece.side} unit of {_belongs(piece)}, {_unit(state, piece)}"
        for piece in field.roster
    }
    return told | {
        leader.name: f"{_leader(state, leader)}: {_place(state, place)}"
        for leader, place in zip(field.leaders, state.leaders, strict=True)
    }


def place(state: State, unit: str) -> Hex | None:
    """The hex of a unit or Leader; None off the map."""
    state = set_out(state)
    field = state.setting
    there = state.leaders[field.leader_number[unit]] if unit in field.leader_number else state.unit(unit).place
    return there if isinstance(there, Hex) else None


def legend(state: State) -> Sequence[str]:
    """What the letters and signs mean that occur."""
    state = set_out(state)
    field = state.setting
    rows = {row.symbol: row.name for hex in field.board for row in terrain_at(field, hex)}
    marks = [f"{mark} {what}" for mark, (what, hexes) in _marks(state).items() if any(True for _ in hexes)]
    sides = {name: field.charts.hexsides[name] for names in field.board.hexsides.values() for name in names}
    lines = {
        "- / \\": [kind for kind, links in field.board.links.items() if links],
        "| ===": [name for name, row in sides.items() if not row.crest and not row.column_only],
        "^ ^^^": [name for name, row in sides.items() if row.crest],
        "H": [name for name, row in sides.items() if row.column_only],
    }
    letters = [f"{symbol} {name}" for symbol, name in sorted(rows.items()) if symbol]
    return (
        ", ".join(
            (*letters, *marks, *(f"{sign} {' or '.join(sorted(names))}" for sign, names in lines.items() if names))
        ),
        *_legend_of_units(state),
    )


def _legend_of_units(state: State) -> Iterator[str]:
    field = state.setting
    on_map = [
        (piece, unit) for piece, unit in zip(field.roster, state.units, strict=True) if isinstance(unit.place, Hex)
    ]
    tags = short_names(tuple(field.number), _TAG)
    told: list[str] = []
    for side, (left, right) in _BRACKETS.items():
        example = next((tags[piece.name] for piece, _ in on_map if piece.side is side), None)
        told += [f"{left}{example}{right} {side}"] if example else []
    told += ["<...> Leader"] if any(isinstance(place, Hex) for place in state.leaders) else []
    hits = {unit.cohesion for _, unit in on_map}
    told += [f"{_HITS[n]} {words}" for n, words in ((1, "one Cohesion Hit"), (2, "two Cohesion Hits")) if n in hits]
    words = {"column": "in Column", "suppressed": "Suppressed", "mounted": "in Transport Mode"}
    told += [
        f"{_MARKERS[marker]} {what}"
        for marker, what in words.items()
        if any(getattr(unit, marker) for _, unit in on_map)
    ]
    told += [f"{tags[piece.name]} {piece.name}" for piece, _ in on_map if tags[piece.name] != piece.name]
    if told:
        yield ", ".join(told)


def remarks(state: State) -> str:
    """That there are figures which no printed source gives."""
    authored = state.setting.authored
    return f"{len(authored)} groups of figures are authored, such as: {authored[0]}" if len(authored) > 1 else ""


# ------------------------------------------------------------ units in words
def _unit(state: State, piece: Piece) -> str:
    unit = state.unit(piece.name)
    return f"{described(state, piece.name)}: {_where(state, piece, unit)}"


def _where(state: State, piece: Piece, unit: Unit) -> str:
    if isinstance(unit.place, Hex):
        return f"{state.setting.board.label(unit.place)}, {ground(state, unit.place)}"
    if unit.place is Away.DUE and isinstance(piece.arrives, int):
        return f"due on turn {piece.arrives}"
    return unit.place.value


def _place(state: State, place: Hex | Away) -> str:
    return state.setting.board.label(place) if isinstance(place, Hex) else place.value


def _belongs(piece: Piece) -> str:
    return piece.formation or f"{piece.division}, {piece.stripe}-striped"


def _leader(state: State, leader: LeaderPiece) -> str:
    return f"Leader of {leader.formation}, Command Range {leader.range}, Attachment Rating {leader.attachment}"


# ------------------------------------------------------------ how things stand
def standing(state: State) -> str:
    """Victory Points, and the points of the Divisions."""
    state = set_out(state)
    score = ", ".join(f"{side} {victory.victory_points(state, side).total}" for side in Side)
    return "; ".join((f"Victory Points: {score}", *_points(state)))


def _points(state: State) -> Iterator[str]:
    for division, points in zip(state.setting.divisions, state.points, strict=True):
        yield f"{division.name}: {counted(points.command, 'Command Point')}, {counted(points.dispatch, 'Dispatch Point')}"


def facts(state: State) -> Facts:
    """The turn, points, units by Formation, objectives, Victory Points, and the rules in play."""
    now = set_out(state)
    field, label = now.setting, now.setting.board.label
    found: dict[str, Sequence[str]] = {"Turn": tuple(_turn(now)), "Points": tuple(_points(now))}
    attached = zip(field.formations, now.superiors, strict=True)
    superiors = {each.name: f", attached to {superior}" for each, superior in attached if superior}
    for division in field.divisions:
        for formation in (each for each in field.formations if each.division == division.name):
            heading = f"{division.side} Formation {formation.name}{_titled(formation.title)}{superiors.get(formation.name, '')}"
            found[heading] = tuple(_members(now, formation.name))
        loose = [field.roster[i] for i in field.members[division.name] if field.roster[i].independent]
        heading = f"{division.side} independent units of {division.name}{_titled(division.title)}"
        found[heading] = tuple(f"{piece.name} ({piece.stripe})  {_unit(now, piece)}" for piece in loose)
    found["Objectives"] = tuple(
        f"{each.name} {label(each.hex)}, {each.points}: {holder or 'nobody'}"
        for each, holder in zip(field.objectives, now.held, strict=True)
    )
    found["Barrages"] = tuple(f"{label(hex)}: {barrage}" for hex, barrage in now.barrages)
    found["Victory Points, if it ended now"] = tuple(f"{side}: {victory.victory_points(now, side)}" for side in Side)
    found["Rules in play"] = tuple(_rules(now))
    return {heading: lines for heading, lines in found.items() if lines}


def _titled(title: str) -> str:
    return f" ({title})" if title else ""


def _members(state: State, formation: str) -> Iterator[str]:
    """The Leaders and units of a Formation."""
    field = state.setting
    for i in field.leaders_of[formation]:
        yield f"{field.leaders[i].name}  {_leader(state, field.leaders[i])}: {_place(state, state.leaders[i])}"
    for i in field.members[formation]:
        piece = field.roster[i]
        out = isinstance(state.units[i].place, Hex) and not in_command(state, piece.name)
        yield f"{piece.name}  {_unit(state, piece)}{', Out of Command' if out else ''}"


def _turn(state: State) -> Iterator[str]:
    track = state.setting.track
    if state.phase is Phase.SET_UP:
        yield f"{len(track)} turns: {', '.join(turn.name for turn in track)}"
    elif state.phase is Phase.OVER:
        yield "the game is over"
    else:
        night = ", night" if state.night else ""
        yield f"turn {state.turn} of {len(track)} ({state.turn_name}{night}), {state.phase}"
    sees = sight_limit(state)
    yield f"the weather is {state.weather}; one sees {sees} hexes far"
    if state.activation:
        yield f"played now: {state.chit.title}"
    if state.mug:
        yield f"in the mug: {', '.join(map(str, state.mug))}"
    if state.carried:
        yield f"left in the mug last turn, and played first: {state.carried}"


def _rules(state: State) -> Iterator[str]:
    """Rulings that are not read as usual."""
    from beachhead_gts.system import SYSTEM

    return SYSTEM.catalogue.unusual(state.setting.choices)


def hand(state: State, side: Side) -> Sequence[tuple[str, str]]:
    """The Formation chits that a player has bought and that lie face down."""
    bought = [(chit, "goes into the mug this turn") for chit in state.ready]
    bought += [(chit, "goes into the mug next turn") for chit in state.aside]
    return [(chit, when) for chit, when in bought if state.setting.chits[chit].side is side]
