"""Both sides: Divisions and Formations with their Leaders and units, and what must hold between them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from attrs import field, frozen

from beachhead.hexes import Hex
from beachhead.scenario_values import Value
from beachhead_gts.battlefield import Division, Formation, LeaderPiece, Piece
from beachhead_gts.charts import Charts
from beachhead_gts.scenario.board import CLEAR, MOVING, Ground, barred
from beachhead_gts.scenario.counters import FIGURES, Counter, read_counters
from beachhead_gts.scenario.entries import (
    ARRIVALS,
    MOST_TURNS,
    DivisionEntry,
    FormationEntry,
    LeaderEntry,
    Reader,
    UnitEntry,
)
from beachhead_gts.scenario.origins import Origin, Origins, Told
from beachhead_gts.tables import ENTRY_DISTANCE, STACKING_LIMIT, MovementClass, Side


@frozen
class Forces:
    """Both sides, in the order of the file, and whence their figures come.

    Attributes:
        chits: the names of the Activation Chits, each with the turn on which it is first in play.
        unnamed: some chit's name could not be read.
    """

    divisions: tuple[Division, ...] = ()
    formations: tuple[Formation, ...] = ()
    leaders: tuple[LeaderPiece, ...] = ()
    roster: tuple[Piece, ...] = ()
    chits: Mapping[str, int] = field(factory=dict)
    unnamed: bool = False
    told: tuple[Told, ...] = ()


def read_forces(
    root: Mapping[str, Value], ground: Ground | None, charts: Charts | None, turns: int, around: Origins
) -> Forces:
    """Divisions and Formations with all that belongs to them.

    Args:
        root: the values of the file, with the lists `division` and `formation` and the table `counters`.
        ground: the map; None where it could not be read, and then no hex is looked up.
        charts: what says which terrain a unit may stand in.
        turns: how many turns there are; 0 where that cannot be told.
        around: what the file says of all figures.
    """
    kinds = read_counters(root["counters"], around) if "counters" in root else {}
    reader = Reader(ground, turns or MOST_TURNS, kinds)
    divisions = [reader.division(each, around) for each in _list(root, "division")]
    formations = [reader.formation(each, divisions) for each in _list(root, "formation")]
    leaders = [reader.leader(each, its) for its in formations for each in _list(its.fields, "leaders")]
    units = [
        reader.unit(each, its.division, its, its.around) for its in formations for each in _list(its.fields, "units")
    ]
    units += [
        reader.unit(each, its, None, its.around) for its in divisions for each in _list(its.fields, "independents")
    ]
    _check_names(ground, (divisions, formations, leaders, units))
    _check_members(root, divisions, formations, units)
    for leader in leaders:
        _check_leader(leader, units)
    for division in divisions:
        _check_arrivals(division, units)
    _check_entries(divisions, ground, charts)
    if ground is not None and charts is not None:
        for hex in dict.fromkeys(unit.arrival.hex for unit in units if unit.arrival.hex is not None):
            _check_hex(hex, [unit for unit in units if unit.arrival.hex == hex], ground, charts, divisions)
    chits = {division.name: division.arrives for division in divisions}
    chits |= {formation.name: 1 for formation in formations if not formation.independent}
    return Forces(
        tuple(division.piece for division in divisions if division.piece),
        tuple(formation.piece for formation in formations if formation.piece),
        tuple(leader.piece for leader in leaders if leader.piece),
        tuple(unit.piece for unit in units if unit.piece),
        {name: turn for name, turn in chits.items() if name},
        "" in chits,
        tuple(_told(divisions, leaders, units, kinds)),
    )


def _list(fields: Mapping[str, Value], key: str) -> tuple[Value, ...]:
    return fields[key].items() if key in fields else ()


# ------------------------------------------------------------ what must hold
def _check_names(
    ground: Ground | None, entries: Iterable[Iterable[DivisionEntry | FormationEntry | LeaderEntry | UnitEntry]]
) -> None:
    """Chits, Divisions, Formations, Leaders and units are all called by their names."""
    known: set[str] = set()
    for each in chain.from_iterable(entries):
        if not each.name:
            continue
        name = each.entry.child("name", each.name)
        if each.name.casefold() in known:
            name.fault("this name is taken", "a name of its own for each Division, Formation, Leader and unit")
        elif ground and ground.drawn.numbers(each.name):
            name.fault("is the number of a hex", "a name that no hex has")
        known.add(each.name.casefold())


def _check_members(
    root: Mapping[str, Value],
    divisions: Sequence[DivisionEntry],
    formations: Sequence[FormationEntry],
    units: Sequence[UnitEntry],
) -> None:
    sides = {division.side for division in divisions}
    if divisions and None not in sides:
        for side in Side:
            if side not in sides:
                root["division"].fault(f"no {side} Division", "one for each side at least")
    for formation in formations:
        if "units" in formation.fields and formation.fields["units"].value == []:
            formation.fields["units"].fault("no unit", "a Formation has one unit at least")
    for formation in formations:
        _check_formation(formation, formations, units)
    readable = all(formation.division for formation in formations)
    for division in divisions:
        if readable and division.name and not any(unit.division is division for unit in units):
            division.entry.fault("no unit belongs to it", "a [[formation]] of it, or independents")


def _check_formation(
    formation: FormationEntry, formations: Sequence[FormationEntry], units: Sequence[UnitEntry]
) -> None:
    """An independent Formation has no Leader and is attached to another of its Division; any other has a Leader (8.0, 21.4)."""
    fields, leaders = formation.fields, formation.fields.get("leaders")
    if not formation.independent:
        if leaders is None or leaders.value == []:
            (leaders or formation.entry.child("leaders", None)).fault("no Leader", "one, or independent = true (21.4)")
        if "superior" in fields:
            fields["superior"].fault("only an independent Formation is attached to another", "independent = true")
        return
    if leaders is not None and leaders.value != []:
        leaders.fault("an independent Formation has no Leader", "none, or no independent = true (21.4)")
    own = [each for each in formations if each.division is formation.division and not each.independent]
    if "superior" in fields:
        fields["superior"].word([each.name for each in own if each.name], doubtful=not all(each.name for each in own))
    elif any(unit.arrival.hex for unit in units if unit.formation == formation.name):
        formation.entry.child("superior", None).fault(
            "missing: it is on the map at the start", "the Formation that it is attached to"
        )
    elif not own:
        formation.entry.fault(
            "no other Formation of its Division to be attached to", "one that is not independent (8.0)"
        )


def _check_leader(leader: LeaderEntry, units: Sequence[UnitEntry]) -> None:
    """A Leader is with a unit of his Formation: on the map (21.2), or when he comes (8.0)."""
    own = [unit.arrival for unit in units if unit.formation == leader.formation]
    if leader.arrival.known is None or leader.arrival.value is None or any(each.known is None for each in own):
        return
    if leader.arrival.known not in [each.known for each in own]:
        there = "stands in this hex" if leader.arrival.hex is not None else "comes on this turn"
        leader.arrival.value.fault(f"no unit of {leader.formation} {there}", "a Leader is with one of his units (21.2)")


def _check_arrivals(division: DivisionEntry, units: Sequence[UnitEntry]) -> None:
    """Reinforcements enter in the hex of their Division, when its chit is played (8.0)."""
    due = [unit for unit in units if unit.division is division and unit.arrival.turn is not None]
    if due and "entry" not in division.fields:
        division.entry.child("entry", None).fault(
            f"missing: {due[0].name or 'a unit'} comes later", "the hex where it enters"
        )
    for unit in due:
        if unit.arrival.value and unit.arrival.turn is not None and unit.arrival.turn < division.arrives:
            problem = f"the chit of {division.name} is not in play before turn {division.arrives}"
            unit.arrival.value.fault(problem, "that turn or a later one (8.0)")


def _check_entries(divisions: Sequence[DivisionEntry], ground: Ground | None, charts: Charts | None) -> None:
    """Reinforcements can enter, and leave their entry hex again (8.0, 14.1)."""
    entries = [
        (each.fields["entry"], each.piece.entry, each.side) for each in divisions if each.piece and each.piece.entry
    ]
    for value, hex, side in entries:
        for name in ground.board.terrain.get(hex, ()) if ground else ():
            if charts and name in charts.terrain and barred(charts.terrain[name]) == MOVING:
                value.fault(f"nobody enters {name}", "a hex that can be entered")
        if any(side is not whose and hex.distance(other) <= ENTRY_DISTANCE for _, other, whose in entries):
            value.fault("enemy reinforcements enter too near", f"more than {ENTRY_DISTANCE} hexes from theirs (14.1)")


def _check_hex(
    hex: Hex, there: Sequence[UnitEntry], ground: Ground, charts: Charts, divisions: Sequence[DivisionEntry]
) -> None:
    """The units that are set up in a hex may stand there, all together."""
    side, steps, column = None, 0, False
    for unit in there:
        at = unit.arrival.value
        own = unit.division.side if unit.division else None
        if at is None or own is None:
            continue
        side = side or own
        if own is not side:
            at.fault(f"{side} units stand in this hex", "a hex for each side (14.1)")
        if any(d.piece and d.piece.entry == hex and d.side is own.enemy for d in divisions):
            at.fault("enemy reinforcements enter in this hex", "another hex (14.1)")
        if unit.column and column:
            at.fault("a second unit in Column in this hex", "one at most (14.6.2)")
        column = column or unit.column
        if unit.counter is None:
            continue
        if not unit.column:
            steps += unit.counter.steps
            if steps > STACKING_LIMIT:
                at.fault(f"{steps} steps in this hex", f"{STACKING_LIMIT} at most, and a unit in Column (14.7)")
        _check_terrain(hex, unit, unit.counter, at, ground, charts)


def _check_terrain(hex: Hex, unit: UnitEntry, counter: Counter, at: Value, ground: Ground, charts: Charts) -> None:
    kind, board = counter.front.movement_class, ground.board
    if kind is MovementClass.IMMOBILE or hex in ground.drawn.doubtful:
        return
    if unit.column and any(
        charts.roads[road].column.get(kind, 0) is not None
        for road in board.links
        if road in charts.roads and board.links_at(road, hex)
    ):
        return
    for name in board.terrain.get(hex, (CLEAR,)):
        row = charts.terrain.get(name)
        if row is None or (row.column if unit.column else row.normal).get(kind, 0) is not None:
            continue
        open_to_columns = not unit.column and row.column.get(kind, 0) is not None
        fix = "column = true, or another hex" if open_to_columns else "another hex"
        at.fault(f"{kind} units may not stand in {name}{'' if unit.column else ', out of Column'}", fix)


# ------------------------------------------------------------ where it comes from
_ARRIVAL = "set-up hex or turn of arrival"
_WORDS = {
    "command": "Command Rating",
    "dispatch": "Dispatch Rating",
    "points": "points at the start",
    "entry": "entry hex",
    "arrives": "turn of its chit",
    "range": "Command Range",
    "attachment": "Attachment Rating",
    "at": _ARRIVAL,
    "turn": _ARRIVAL,
    "steps": "steps",
    "front": "ratings",
    "reduced": "reduced side",
    "transport": "transport side",
}


def _told(
    divisions: Sequence[DivisionEntry],
    leaders: Sequence[LeaderEntry],
    units: Sequence[UnitEntry],
    kinds: Mapping[str, Counter | None],
) -> Iterator[Told]:
    yield Told("Divisions", _by_figure((each.name, each.origins) for each in divisions))
    yield Told("Leaders", _by_figure((each.name, each.origins) for each in leaders))
    used = {unit.kind for unit in units}
    printed = [(name, kind.origins) for name, kind in kinds.items() if kind and name in used]
    yield Told("kinds of counters", _by_figure(printed))
    yield Told("", _by_figure((unit.name, _only(unit.origins, FIGURES)) for unit in units))
    members: dict[str, list[tuple[str, Mapping[str, Origin]]]] = {}
    for unit in units:
        owner = unit.formation or (unit.division.name if unit.division else "")
        members.setdefault(owner, []).append((unit.name, _only(unit.origins, ARRIVALS)))
    for owner, own in members.items():
        if len({tuple(origins.values()) for _, origins in own}) == 1 < len(own):  # all of them alike
            members[owner] = [(f"the units of {owner}", own[0][1])]
    yield Told("units", _by_figure(chain.from_iterable(members.values())))


def _only(origins: Mapping[str, Origin], figures: Collection[str]) -> Mapping[str, Origin]:
    return {figure: origin for figure, origin in origins.items() if figure in figures}


def _by_figure(things: Iterable[tuple[str, Mapping[str, Origin]]]) -> dict[str, dict[str, Origin]]:
    found: dict[str, dict[str, Origin]] = {}
    for name, origins in things:
        for figure, origin in origins.items():
            found.setdefault(_WORDS[figure], {})[name] = origin
    return found
