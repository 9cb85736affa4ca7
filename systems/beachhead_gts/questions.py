"""Rule questions about any position, a hand-drawn one too: each answers with a verdict, a breakdown, a list or odds, and cites the rules.

>>> from beachhead_gts.cases import position
>>> state = position(["C3: Able allied q7", "E3: Dora german", "E3: woods"])
>>> print(fire_rating(state, "Able", "Dora"))
4 Fire Rating of Able (gts:15.5.i) - 1 range 2, unarmored target (gts:15.6.d) - 2 woods (gts:15.6.t) = 1
>>> print(result_odds(state, "Able", "Dora"))
 10.00%  C  (1/10)
 10.00%  S?  (1/10)
 80.00%  miss  (4/5)
>>> print(fire_odds(state, "Able", "Dora", by=lambda after: after.unit("Dora").cohesion, occasion="into-zone"))
 90.00%  0  (9/10)
 10.00%  1  (1/10)
assuming: checks are rolled, and a Suppression is taken as it is
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, pairwise
from typing import Any

from beachhead.errors import UnknownName
from beachhead.hexes import Hex
from beachhead.rules import Breakdown, Modifier, Objection, Verdict, question, verdict
from beachhead.spelling import nearest
from beachhead.values import changed
from beachhead_gts import command, opportunity, permissions, quality, reach, sight, victory, zones
from beachhead_gts import stacking as stacks
from beachhead_gts.actions import Move, Prolonge, action_objections, is_second
from beachhead_gts.battlefield import STAR, direct_command
from beachhead_gts.charts import HALF
from beachhead_gts.events import points
from beachhead_gts.fire_questions import (
    CONVERTING,
    NAMED,
    SPENDING,
    STEADY,
    fire_odds,
    fire_rating,
    hit_odds,
    line_odds,
    may_fire,
    result_odds,
)
from beachhead_gts.movement import movement_objections
from beachhead_gts.mover import Moving, allowance, entry_objections, step_cost, terrain_objections
from beachhead_gts.named import At, hex_at, known, on_map
from beachhead_gts.rating import Occasion
from beachhead_gts.state import Activation, State, face, put, steps_left
from beachhead_gts.stepping import step_objections
from beachhead_gts.tables import ChitKind, Side, term
from beachhead_gts.wording import spelt

__all__ = [
    "CONVERTING",
    "NAMED",
    "SPENDING",
    "STEADY",
    "can_see",
    "field_of_view",
    "fire_odds",
    "fire_range",
    "fire_rating",
    "fire_zone",
    "hit_odds",
    "in_command",
    "in_fire_zone",
    "line_odds",
    "may_fire",
    "may_move",
    "may_spend",
    "movement_cost",
    "on_map",
    "overstacked",
    "permission",
    "reachable",
    "result_odds",
    "sees",
    "stacking",
    "steps",
    "troop_quality",
    "unit",
    "victory_points",
    "what_stops",
]


def _labels(state: State, mask: int) -> tuple[str, ...]:
    """Hexes of a mask by their labels, row by row."""
    return tuple([state.setting.board.label(hex) for hex in state.setting.board.members(mask)])


def _supposed(state: State, unit: str) -> State:
    """The state in which the unit's Formation is Active, if no chit is being played."""
    if state.activation is not None:
        return state
    return changed(state, activation=Activation(_chit(state, unit, ChitKind.FORMATION), open=True))


def _chit(state: State, unit: str, kind: ChitKind) -> str:
    """A chit of a kind under which a unit could act: of its Formation, of the one that that is attached to, or else of any in its Division."""
    field, piece = state.setting, state.setting.piece(unit)
    if kind is ChitKind.DIRECT_COMMAND:
        return direct_command(piece.side)
    if kind is ChitKind.DIVISION:
        return piece.division
    superiors = {each.name: to for each, to in zip(field.formations, state.superiors, strict=True)}
    others = [chit.name for chit in field.chits.values() if chit.formation and chit.division == piece.division]
    wanted = (piece.formation, superiors.get(piece.formation, ""), *others, piece.division)
    return next(chit for chit in wanted if chit in field.chits)


@question
def unit(state: State, name: str) -> str:
    """A unit or Leader in words: what it is, and where.

    >>> from beachhead_gts.cases import position
    >>> print(unit(position("D3: Dora german c1"), "Dora"))
    Dora: ...

    Raises:
        UnknownName: there is no such unit or Leader; the nearest is named.
    """
    from beachhead_gts.terminal import units

    told = units(state)
    if name not in told:
        raise UnknownName(f"no unit or Leader {name!r}{nearest(name, told)}")
    return f"{name}: {told[name].removeprefix(f'{name}, ')}"


@question
def steps(state: State, unit: str) -> int:
    """The Steps that a unit has left (19.2.4); an eliminated one has none."""
    return steps_left(state.setting.piece(known(state, unit)), state.unit(unit))


# ------------------------------------------------------------ chits and command
_KINDS = {"division": ChitKind.DIVISION, "formation": ChitKind.FORMATION, "direct-command": ChitKind.DIRECT_COMMAND}


@question
def permission(state: State, unit: str, deed: str, chit: str = "", *, second: bool = False) -> Verdict:
    """Whether a kind of chit permits a unit something, as a first or a Second Action: the table of 7.1 and nothing else.

    Args:
        state: the position.
        unit: which unit; the colour of its Fire Rating counts.
        deed: a row of the table: "move", "move into an enemy Fire Zone", "enter an entrenchment", "leave an entrenchment",
            "mount or dismount", "fire", "rally", "pass".
        chit: division, formation or direct-command; if left out, the chit that is being played.
        second: as a Second Action.

    >>> from beachhead_gts.cases import position
    >>> print(permission(position("C3: Able allied"), "Able", "fire", "division"))
    Able: fire is only with a purple Fire Rating under a Division chit, as a first Action (gts:7.1.m, gts:10.0.1.h)

    Raises:
        ValueError: there is no such row or kind of chit, or no chit is being played.
    """
    known(state, unit)
    table = {spelt(row): row for row in permissions.permissions()}
    if spelt(deed) not in table:
        raise ValueError(f"{deed!r} is no row of the table of Actions: {', '.join(permissions.permissions())}")
    row: Any = table[spelt(deed)]
    if chit:
        if spelt(chit) not in _KINDS:
            raise ValueError(f"{chit!r} is no kind of chit: {', '.join(_KINDS)}")
        kind = _KINDS[spelt(chit)]
        state = changed(state, activation=Activation(_chit(state, unit, kind), open=True))
    elif state.activation is None:
        raise ValueError(f"no chit is being played: name a kind, one of {', '.join(_KINDS)}")
    else:
        kind = state.chit.kind
    if second and kind is ChitKind.DIRECT_COMMAND:
        return Verdict((Objection("gts:10.0.2.b", "there is no Second Action under a Direct Command chit"),))
    against = permissions.not_permitted(state, unit, row, second=second)
    if against is not None:
        return Verdict((against,))
    return Verdict(facts=(permissions.permits(state, unit, row, second=second),))


@question
def in_command(state: State, unit: str) -> Verdict:
    """Whether a unit is In Command, and by whom; or why it is not (21.4)."""
    return command.command_verdict(state, known(state, unit))


@question
def may_spend(
    state: State, unit: str, purpose: quality.Purpose | str = quality.Purpose.POSSIBLE_SUPPRESSION
) -> Verdict:
    """Whether a Command Point may pass a check of a unit, which is a possible Suppression if nothing else is said (14.8, 14.11, 19.2, 21.4)."""
    kind = term(quality.Purpose, purpose)
    against = verdict(quality.point_objections(state, known(state, unit), kind))
    return against if against.objections else Verdict(facts=tuple(quality.point_facts(state, unit, kind)))


@question
def troop_quality(state: State, unit: str, *, rallying: bool = False) -> Breakdown:
    """The Troop Quality of a unit with everything that changes it (19.2, 20.0); Men Rallying markers count when it rallies.

    >>> from beachhead_gts.cases import position
    >>> print(troop_quality(position("C3: Able allied q7 suppressed"), "Able"))
    7 Troop Quality of Able (gts:1.2.h) - 1 Suppressed (gts:19.2.2.h, gts:19.2.4.g) - 1 Out of Command (gts:20.0.o) = 5
    """
    return quality.troop_quality(state, known(state, unit), rallying=rallying)


# ------------------------------------------------------------ sight
@question
def can_see(state: State, a: At, b: At, *, purpose: sight.Purpose | str = sight.Purpose.FIRE) -> Verdict:
    """Whether there is a Line of Sight from a to b, and what blocks it (15.4)."""
    return sight.can_see_hex(state, hex_at(state, a), hex_at(state, b), _purpose(purpose))


def _purpose(purpose: sight.Purpose | str) -> sight.Purpose:
    if isinstance(purpose, sight.Purpose):
        return purpose
    words = {spelt(word): each for each in sight.Purpose for word in (each.value, each.name)}
    if spelt(purpose) not in words:
        raise ValueError(f"{purpose!r} is no purpose: {', '.join(each.value for each in sight.Purpose)}")
    return words[spelt(purpose)]


@question
def field_of_view(state: State, at: At, *, purpose: sight.Purpose | str = sight.Purpose.FIRE) -> tuple[str, ...]:
    """The hexes that are seen from one now, itself included, row by row (15.4)."""
    return _labels(state, sight.seen(state, hex_at(state, at), _purpose(purpose)))


@question
def sees(state: State, unit: str) -> tuple[str, ...]:
    """The enemy units that a unit sees (15.4)."""
    seen = sight.seen(state, on_map(state, unit))
    enemies = state.deployment.of(state.setting.piece(unit).side.enemy)
    return tuple([name for hex in state.setting.board.members(seen & enemies) for name in state.at(hex)])


# ------------------------------------------------------------ Fire Range and Fire Zones
@question
def fire_range(state: State, unit: str) -> Breakdown:
    """How far a unit fires now, in hexes (15.3)."""
    on_map(state, unit)
    return zones.range_terms(state, state.setting.number[unit])


@question
def fire_zone(state: State, unit: str) -> tuple[str, ...]:
    """The hexes of a unit's Fire Zone, row by row (17.3)."""
    return _labels(state, zones.fire_zone(state, state.setting.number[known(state, unit)]))


@question
def in_fire_zone(state: State, at: At, of: Side | str) -> Verdict:
    """Whether a hex is in the Fire Zone of a unit, or in that of any unit of a side, and every reason for or against it (17.3)."""
    field, hex = state.setting, hex_at(state, at)
    if isinstance(of, str) and of in field.number:
        return zones.covers(state, field.number[of], hex)
    side = _side(state, of)
    if found := zones.covering(state, hex, side):
        return Verdict(facts=tuple([fact for i in found for fact in zones.covers(state, i, hex).facts]))
    units = [i for i, piece in enumerate(field.roster) if piece.side is side and isinstance(state.units[i].place, Hex)]
    none = () if units else (Objection("gts:17.3.a", "no {} unit is on the map", (side,)),)
    return Verdict((*none, *chain.from_iterable(zones.zone_objections(state, i, hex) for i in units)))


def _side(state: State, of: Side | str) -> Side:
    """The side that is meant where a unit could be, too."""
    if not isinstance(of, str):
        raise TypeError(f"{of!r} is neither a unit nor a side: give the name of a unit, or one of {', '.join(Side)}")
    try:
        return term(Side, of)
    except ValueError:
        if of in state.setting.leader_number:
            known(state, of)  # it says that he is a Leader
        hint = nearest(of, (*state.setting.number, *map(str, Side)))
        raise ValueError(f"{of!r} is neither a unit nor one of {', '.join(Side)}{hint}") from None


# ------------------------------------------------------------ movement and stacking
@question
def movement_cost(state: State, unit: str, *way: At) -> Breakdown:
    """What it costs a unit to move: to one hex by the cheapest way, or along the hexes given, step by step (14.3, 14.5, 14.6).

    It stays in Column, or out of it, all the way. Along a way of several hexes terrain alone counts, and not who stands there.

    Raises:
        ValueError: it cannot go that way, whatever it costs, and why; it is there already; or it moves by prolonge, at no cost (14.11).
    """
    start, label = on_map(state, unit), state.setting.board.label
    hexes = [hex_at(state, place) for place in way]
    if not hexes:
        raise ValueError("where to? name a hex, or all hexes on the way")
    if _by_prolonge(state, unit):
        raise ValueError(f"{unit} moves by prolonge, which costs no Movement Points (gts:14.11.a)")
    if len(hexes) == 1:
        there, found = hexes[0], reach.reach(state, unit, reach.FAR)
        if there == start:
            raise ValueError(f"{unit} is in {label(there)} already")
        if there in found.hexes:
            hexes = list(found.path(there)[1:])
        elif barred := tuple(_no_way(state, unit, there, second=False)):
            why = Verdict(barred)
            raise ValueError(f"{unit} cannot get from {label(start)} to {label(there)}: {why}")
    total, came = Breakdown(per=HALF), tuple[Hex, ...]()
    for here, there in pairwise([start, *hexes]):
        state = put(state, unit, place=here)
        cost = step_cost(state, unit, there, came=came)
        if cost is None:
            why = Verdict(tuple(terrain_objections(state, unit, there, came=came)))
            raise ValueError(f"{unit} cannot step from {label(here)} to {label(there)}: {why}")
        total, came = total + cost, (here,)
    return total


def _no_way(state: State, unit: str, there: Hex, *, second: bool) -> Iterator[Objection]:
    """Why a unit cannot get to a hex, whatever it costs; but for the terrain of the step where it is next to it."""
    barred = tuple(entry_objections(state, unit, there, second=second))
    yield from barred
    if not barred and not on_map(state, unit).adjacent(there):
        label = state.setting.board.label(there)
        yield Objection("gts:14.3.a", "no way leads to {} without a change of Column", (label,))


def _by_prolonge(state: State, unit: str) -> bool:
    """Whether a unit is a gun with a star (14.11)."""
    return face(state.setting.piece(unit), state.unit(unit)).movement is STAR


@question
def reachable(state: State, unit: str) -> dict[str, int | Fraction]:
    """The hexes that a unit can get to in one Movement Action that nobody fires at, each with the least cost in Movement Points (14.3).

    A Leg Infantry unit may move one hex whatever it costs (14.9). Changes of Column and forced marches are left out. Units that cannot begin to
    move, such as Suppressed ones, get nowhere.
    """
    on_map(state, unit)
    if state.unit(unit).suppressed or next(movement_objections(state, unit), None) is not None:
        return {}
    second = state.activation is not None and is_second(state, unit)
    found = reach.reach(state, unit, allowance(state, unit), second=second)
    index = state.setting.board.index
    return {
        state.setting.board.label(hex): Fraction(cost, HALF) if cost % HALF else cost // HALF
        for hex, cost in sorted(found.hexes.items(), key=lambda row: index(row[0]))
    }


@question
def may_move(state: State, unit: str, to: At) -> Verdict:
    """Whether a unit can come to a hex in one Movement Action that nobody fires at, and every reason against it (13.2, 14.1, 14.3).

    Changes of Column and forced marches on the way are left out; a gun with a star is moved by prolonge (14.11).
    It is asked of the chit that is being played: a unit that is not Active under it is refused, and what is against its moving at all is
    among the reasons. Between two activations its own Formation is supposed to be Active.
    """
    here, there = on_map(state, unit), hex_at(state, to)
    state = _supposed(state, unit)
    label, second = state.setting.board.label, is_second(state, unit)
    if _by_prolonge(state, unit):
        barred = verdict(action_objections(state, Prolonge(unit, there)))
        return Verdict(facts=(permissions.permits(state, unit, "move", second=second),)) if barred else barred
    left = allowance(state, unit)
    within = reach.reach(state, unit, left, second=second).hexes

    def against() -> Iterator[Objection]:
        yield from action_objections(state, Move(unit))
        if there == here:
            yield Objection("gts:14.3.a", "{} is in {} already", (unit, label(there)))
        elif there in within:
            return
        elif here.adjacent(there):
            yield from step_objections(state, Moving((unit,), (left,), second), there)
        else:
            cost = reach.reach(state, unit, reach.FAR, second=second).hexes.get(there)
            if cost is None:
                yield from _no_way(state, unit, there, second=second)
            else:
                far = (label(there), points(cost), unit, points(left))
                yield Objection("gts:14.3.c", "{} is {} away without a change of Column, and {} has {}", far)

    def reasons() -> Iterator[Objection]:
        yield permissions.permits(state, unit, "move", second=second)
        if opportunity.in_zone(state, state.setting.piece(unit).side, there):
            yield permissions.permits(state, unit, "move into an enemy Fire Zone", second=second)
        cost = within.get(there, 0)
        if cost > left:
            yield Objection("gts:14.9.a", "{} is Leg Infantry: it may move one hex whatever it costs", (unit,))
        else:
            what = (label(there), points(cost), unit, points(left))
            yield Objection(("gts:14.3.b", "gts:14.3.c"), "{} is {} away, and {} has {}", what)

    refused = verdict(against())
    return refused if refused.objections else Verdict(facts=tuple(reasons()))


@question
def what_stops(state: State, unit: str) -> dict[str, tuple[str, ...]]:
    """The enemy units that may attempt Opportunity Fire at a unit when it leaves its hex, and when it leaves each hex that it can get to (17.2 to 17.5).

    Each hex is looked at as if the unit stood there already; hexes that nobody covers are left out, and a reinforcement hex that it has yet to
    leave (8.0).
    """
    field, start = state.setting, on_map(state, unit)
    first = () if state.unit(unit).entering else (start,)
    hexes = (*first, *map(field.board.hex, reachable(state, unit)))
    there = {hex: put(state, unit, place=hex) if hex != start else state for hex in hexes}
    found = {hex: opportunity.firers(at, opportunity.Trigger((unit,), Occasion.INTO_ZONE)) for hex, at in there.items()}
    return {field.board.label(hex): firers for hex, firers in found.items() if firers}


@question
def stacking(state: State, at: At) -> Breakdown:
    """The Steps in a hex that count for stacking, unit by unit; those of a unit in Column do not (14.7)."""
    roster, hex = state.setting.roster, hex_at(state, at)
    unlimited, terms = bool(state.setting.unlimited & state.setting.bit[hex]), list[Modifier]()
    for i in state.numbers_at(hex):
        counts = not state.units[i].column and not unlimited
        value = steps_left(roster[i], state.units[i]) if counts else 0
        rule = "gts:8.0.g" if unlimited else "gts:14.7.h" if counts else "gts:14.7.i"
        terms.append(Modifier(roster[i].name, value, rule))
    return Breakdown(tuple(terms))


@question
def overstacked(state: State, at: At) -> bool:
    """Whether more Steps are in a hex than its limit of eight (14.7)."""
    return stacks.overstacked(state, hex_at(state, at))


# ------------------------------------------------------------ victory
@question
def victory_points(state: State, side: Side | str) -> Breakdown:
    """The Victory Points that a player would have if the game ended now (12.0)."""
    return victory.victory_points(state, term(Side, side))
