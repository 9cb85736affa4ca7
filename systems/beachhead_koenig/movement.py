"""Movement: how far units come, what it costs, and where it leads (8.0, 10.0, Juno 5.1 and 13.0, 14.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise, starmap
from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.rules import Breakdown, Modifier, Objection
from beachhead.values import changed
from beachhead_koenig.beach import Away, Beach, Exit, Place
from beachhead_koenig.ground import adjacent, step_cost, terrain_cost
from beachhead_koenig.reach import Reach, search, spread
from beachhead_koenig.state import Operation, State
from beachhead_koenig.tables import CLOSE_COMBAT, INTERDICTED, OFF_THE_MAP, ROAD, STACKING_LIMIT, TERRAIN, half


# ------------------------------------------------------------ actions
@final
@frozen
class MoveTo:
    """Move to this hex, by the cheapest way."""

    hex: Hex


@final
@frozen
class CloseCombat:
    """Move into this hex, over the hexside from `entry`, and fight the enemy unit in it."""

    hex: Hex
    entry: Hex


@final
@frozen
class EnterBy:
    """Come onto the map by the road with this number."""

    road: str


@final
@frozen
class ExitBy:
    """Leave the map by the road with this number."""

    road: str


Movement = MoveTo | CloseCombat | EnterBy | ExitBy


# ------------------------------------------------------------ how far
def reach(state: State, unit: str, points: int) -> Reach:
    """Where a unit that stands on the map can come with so many Movement Points (8.0 to 8.3).

    A hex with two units is closed to it, and it must stop where an enemy is.
    """
    latest = state.setting.reached
    if latest:
        units, whose, budget, interdicted, found = latest[0]
        if units is state.units and whose == unit and budget == points and interdicted == state.interdicted:
            return found
    found = search(state, unit, points)
    latest[:] = [(state.units, unit, points, state.interdicted, found)]
    return found


@lru_cache(maxsize=256)
def _moves(beach: Beach) -> tuple[MoveTo, ...]:
    """A move to each hex, in the order of the board: the same few hundred are listed again and again."""
    return tuple(map(MoveTo, beach.board.hexes))


_combat = lru_cache(maxsize=4096)(CloseCombat)


def moves(within: Reach) -> list[MoveTo]:
    """A move to each hex that a unit can come to, the nearest first."""
    return [*map(_moves(within.beach).__getitem__, islice(within.costs, 1, None))]  # the first is where it stands


def combats(within: Reach) -> Iterator[CloseCombat]:
    """A Close Combat over each hexside by which a unit can come at an enemy."""
    return starmap(_combat, within.combats)


def exits(state: State, unit: str, within: Reach) -> list[ExitBy]:
    """The roads by which a unit can leave the map: no other has been used less often (Juno 13.0)."""
    found = within.exits
    if not found or not state.setting.piece(unit).side.exits:
        return []
    fewest = min(state.exits)
    return [
        ExitBy(road.name)
        for road, n in zip(state.setting.exits, state.exits, strict=True)
        if n == fewest and road.name in found
    ]


# ------------------------------------------------------------ what it costs
def movement_cost(state: State, unit: str, path: Sequence[Place]) -> Breakdown | None:
    """What a way costs a unit, step by step, with close combat at its end where an enemy stands (8.1, 10.0, 14.2).

    `path` begins where the unit is; a step from off the map is the entry by road of a reinforcement. None where it leads through ground that
    cannot be entered.
    """
    total = Breakdown()
    for here, there in pairwise(path):
        step = _step(state, unit, here, there) if isinstance(there, Hex) else None
        if step is None:
            return None
        total += step
    return total


def _step(state: State, unit: str, here: Place, there: Hex) -> Breakdown | None:
    beach = state.setting
    terms = step_cost(beach, here, there) if isinstance(here, Hex) else entry_cost()
    if terms is None:
        return None
    cost = Breakdown(tuple([_entering(term, beach.board.label(there)) for term in terms.terms]))
    by_road = not isinstance(here, Hex) or beach.board.linked("road", here, there)
    label = beach.board.label
    if isinstance(here, Hex) and here in state.interdicted:
        cost += Modifier(f"out of interdicted {label(here)}", INTERDICTED, "koenig:14.2.c")
    if there in state.interdicted:
        cost += Modifier(f"into interdicted {label(there)}", INTERDICTED, "koenig:14.2.c")
    if state.at(there, beach.piece(unit).side.enemy):
        cost += Modifier(f"close combat in {label(there)}", CLOSE_COMBAT, _COMBAT_BY_ROAD if by_road else _COMBAT)
    return cost


def _entering(term: Modifier, hex: str) -> Modifier:
    """A term of a step, which also says into which hex it leads: "clear at D3", "by road into D4"."""
    return changed(term, label=f"{term.label} {'at' if term.label in TERRAIN else 'into'} {hex}")


_COMBAT = ("koenig:10.0.b", "koenig:8.1.c")
_COMBAT_BY_ROAD = (*_COMBAT, "koenig:8.1.2.c", "koenig:K-03")


def entry_cost() -> Breakdown:
    """What coming onto the map costs: a step by road (Juno 5.1)."""
    return Breakdown.of(Modifier("onto the map by road", ROAD, ("koenig:juno.5.1.d", "koenig:8.1.2.a")))


def exit_cost(state: State, road: Exit) -> Breakdown:
    """What leaving the map costs from the hex of a road (Juno 13.0)."""
    cost = Breakdown.of(Modifier(f"off the map at {road.name}", OFF_THE_MAP, "koenig:juno.13.0.f"))
    if road.hex in state.interdicted:
        cost += Modifier(f"out of interdicted {road.name}", INTERDICTED, "koenig:14.2.c")
    return cost


# ------------------------------------------------------------ what is open
def into(state: State, unit: str, hex: Hex, points: int) -> MoveTo | CloseCombat:
    """What it is for a unit to go to a hex: Close Combat where an enemy is, over the nearest hexside by which it can come in."""
    start = state.place(unit)
    assert isinstance(start, Hex)
    if not state.at(hex, state.setting.piece(unit).side.enemy):
        return MoveTo(hex)
    ways_in = [entry for target, entry in reach(state, unit, points).combats if target == hex]
    entries = ways_in or state.setting.board.neighbours(hex)
    return CloseCombat(hex, start if start in entries else min(entries, key=start.distance))


def movement_objections(
    state: State, unit: str, points: int, operation: Operation, action: Movement
) -> Iterator[Objection]:
    """Why a unit with so many Movement Points may not do this."""
    if (state.place(unit) is Away.WAITING) is not isinstance(action, EnterBy):
        yield from _on_or_off(state, unit, action)
        return
    match action:
        case MoveTo(hex):
            if hex not in reach(state, unit, points):
                yield from _move_objections(state, unit, points, operation, hex)
        case CloseCombat(hex, entry):
            if operation is Operation.REDEPLOYMENT:
                yield Objection(("koenig:4.0.i", "koenig:K-08"), "nobody starts Close Combat in redeployment")
            if (hex, entry) not in reach(state, unit, points).combats:
                yield from _combat_objections(state, unit, points, hex, entry)
        case EnterBy(road):
            yield from _entry_objections(state, unit, points, road)
        case ExitBy(road):
            yield from _exit_objections(state, unit, points, operation, road)


def _on_or_off(state: State, unit: str, action: Movement) -> Iterator[Objection]:
    if isinstance(action, EnterBy):
        yield Objection(("koenig:juno.5.1.b",), "{} is on the map already", (unit,))
    elif isinstance(action, MoveTo | CloseCombat):
        rules = ("koenig:juno.5.1.c",)
        label = state.setting.board.label(action.hex) if action.hex in state.setting.board else action.hex
        names = ", ".join(road.name for road in state.setting.exits)
        yield Objection(
            rules, "{} is off the map: it must first enter it at one of {}, not at {}", (unit, names, label)
        )
    else:
        yield Objection("koenig:juno.5.1.c", "{} is not on the map", (unit,))


def _move_objections(state: State, unit: str, points: int, operation: Operation, hex: Hex) -> Iterator[Objection]:
    """Why a unit does not come to a hex: who is there, what ground it is, or how far."""
    beach, board = state.setting, state.setting.board
    start, side = state.place(unit), beach.piece(unit).side
    assert isinstance(start, Hex)
    if hex not in board:
        yield Objection("koenig:8.1.1.b", "{} is not on the map", (hex,))
        return
    label = board.label(hex)
    if hex == start:
        yield Objection("koenig:8.0.a", "{} is in {} already", (unit, label))
        return
    there = state.at(hex)
    if len(there) >= STACKING_LIMIT:
        yield Objection(("koenig:8.2.a", "koenig:8.2.b"), "{} holds two units", (label,))
    elif state.at(hex, side.enemy):
        if operation is Operation.REDEPLOYMENT:
            yield Objection(("koenig:4.0.i", "koenig:K-08"), "an enemy unit is in {}", (label,))
        else:
            yield Objection(
                ("koenig:8.3.b", "koenig:10.0.b"), "an enemy unit is in {}: enter it by Close Combat", (label,)
            )
    elif terrain_cost(beach, hex) is None:
        yield Objection("koenig:8.1.d", "{} is {}, which units cannot enter", (label, "sea"))
    elif adjacent(beach, start, hex) and "cliff" in board.features(start, hex):
        yield Objection(
            "koenig:8.1.1.a",
            "a cliff lies between {} and {}, and no way around is short enough",
            (board.label(start), label),
        )
    elif adjacent(beach, start, hex):
        yield from _too_dear(state, unit, points, start, hex)
    else:
        yield from _too_far(state, unit, points, operation, hex)


def _too_dear(state: State, unit: str, points: int, start: Hex, hex: Hex) -> Iterator[Objection]:
    """A single step that the unit cannot pay."""
    cost = _step(state, unit, start, hex)
    label = state.setting.board.label
    rules = ("koenig:8.1.b", *(cost.rules if cost else ()))
    yield Objection(
        rules, "a step from {} to {} costs {}, and {} has {} MP", (label(start), label(hex), cost, unit, points)
    )


def _too_far(state: State, unit: str, points: int, operation: Operation, hex: Hex) -> Iterator[Objection]:
    """A hex further away: what the best way would cost, or that there is none."""
    label, far = state.setting.board.label(hex), reach(state, unit, FAR)
    if hex not in far:
        units = hex_reached_but_for_units(state, unit, hex)
        rules = ("koenig:8.2.c", "koenig:8.3.b") if units else ("koenig:8.0.b", "koenig:8.1.1.a", "koenig:8.1.d")
        between = "hexes with two units, or with enemies," if units else "cliffs and the sea"
        yield Objection(rules, "no way leads to {}: {} are in between", (label, between))
        return
    rule = {Operation.COMBINED: "koenig:8.4.a", Operation.REDEPLOYMENT: "koenig:4.0.g"}.get(operation, "koenig:8.0.a")
    yield Objection(
        (rule, "koenig:8.1.b"), "{} is {} Movement Points away, and {} has {}", (label, far.cost_of(hex), unit, points)
    )


def hex_reached_but_for_units(state: State, unit: str, hex: Hex) -> bool:
    """Whether a unit could come to a hex if nobody else stood on the map."""
    index, here = state.setting.board.index, state.place(unit)
    assert isinstance(here, Hex)
    costs, _ = spread(state.setting.ground(state.interdicted), index(here), FAR, 0)
    return index(hex) in costs


FAR = 200
"""More Movement Points than any way on a map costs."""


def _combat_objections(state: State, unit: str, points: int, hex: Hex, entry: Hex) -> Iterator[Objection]:
    beach, board, side = state.setting, state.setting.board, state.setting.piece(unit).side
    for each in (hex, entry):
        if each not in board:
            yield Objection("koenig:8.1.1.b", "{} is not on the map", (each,))
            return
    there, name = board.label(hex), board.label(entry)
    enemies = state.at(hex, side.enemy)
    if not enemies:
        yield Objection("koenig:10.0.b", "there is no enemy unit in {} to fight", (there,))
    elif len(state.at(hex)) >= STACKING_LIMIT:
        rules = (
            ("koenig:8.2.d", "koenig:10.0.a")
            if len(enemies) >= STACKING_LIMIT
            else ("koenig:8.2.a", "koenig:10.0.a", "koenig:K-23")
        )
        yield Objection(rules, "{} holds two units: nobody else can enter it", (there,))
    elif not adjacent(beach, entry, hex):
        yield Objection("koenig:8.0.b", "{} and {} are no neighbours", (name, there))
    elif (step := _step(state, unit, entry, hex)) is None:
        if "cliff" in board.features(entry, hex):
            yield Objection("koenig:8.1.1.a", "a cliff lies between {} and {}", (name, there))
        else:
            yield Objection("koenig:8.1.d", "nobody can step from {} to {}", (name, there))
    else:
        way = reach(state, unit, FAR).cost_of(entry)
        if way is None:
            yield Objection(("koenig:8.0.b", "koenig:8.2.c"), "no way leads to {}", (name,))
        else:
            costs = ("koenig:8.1.b", *step.rules)
            yield Objection(
                costs, "entering {} costs {} after {} Movement Points, and {} has {}", (there, step, way, unit, points)
            )


def _entry_objections(state: State, unit: str, points: int, road: str) -> Iterator[Objection]:
    """Entry is a step by road, and follows the rules of movement (Juno 5.1)."""
    found = next((each for each in state.setting.exits if each.name == road), None)
    if found is None:
        names = ", ".join(each.name for each in state.setting.exits)
        yield Objection(
            "koenig:juno.5.1.c", "no road leads onto the map at {}: reinforcements enter at {}", (road, names)
        )
        return
    activation = state.activation
    if activation is None or not activation.may_enter:
        yield Objection("koenig:juno.5.1.b", "no further reinforcement may enter in this activation")
    if state.room(found.hex) < 1:
        yield Objection(("koenig:juno.5.1.e", "koenig:8.2.a"), "{} is full", (road,))
    elif (cost := movement_cost(state, unit, (Away.WAITING, found.hex))) is not None and cost.total > points:
        rules = ("koenig:juno.5.1.e", "koenig:8.1.b", *cost.rules)
        yield Objection(rules, "entering at {} costs {}, and {} has {} Movement Points", (road, cost, unit, points))


def _exit_objections(state: State, unit: str, points: int, operation: Operation, road: str) -> Iterator[Objection]:
    """Only Allied units exit, by three roads in equal numbers, for 1 MP (Juno 13.0)."""
    beach = state.setting
    found = next((each for each in beach.exits if each.name == road), None)
    if found is None:
        names = ", ".join(each.name for each in beach.exits) or "none"
        yield Objection(
            ("koenig:8.1.1.b", "koenig:juno.13.0.e"),
            "no road leads off the map at {}; those that do: {}",
            (road, names),
        )
        return
    if operation is Operation.REDEPLOYMENT or not beach.piece(unit).side.exits:
        yield Objection("koenig:juno.13.0.f", "only Allied units exit, in an Operation")
    used = state.exits[beach.exits.index(found)]
    if used > min(state.exits):
        rules = ("koenig:juno.13.0.i", "koenig:K-11")
        behind = ", ".join(each.name for each, n in zip(beach.exits, state.exits, strict=True) if n < used)
        yield Objection(rules, "a unit must first exit at {}", (behind,))
    if road not in reach(state, unit, points).exits:
        far = reach(state, unit, FAR).cost_of(found.hex)
        if far is None:
            yield Objection(("koenig:8.0.b", "koenig:8.2.c"), "no way leads to {}", (road,))
        else:
            cost = exit_cost(state, found)
            costs = ("koenig:8.1.b", *cost.rules)
            text = "leaving at {} costs {} after {} Movement Points, and {} has {}"
            yield Objection(costs, text, (road, cost, far, unit, points))


# ------------------------------------------------------------ allowances
def allowance(state: State, unit: str, operation: Operation) -> int:
    """The Movement Points of a unit in an Operation: half of the printed allowance in Combined and at night (8.4, 4.0)."""
    printed = state.setting.piece(unit).movement
    return half(printed) if operation in _HALF else printed


_HALF = (Operation.COMBINED, Operation.REDEPLOYMENT)
