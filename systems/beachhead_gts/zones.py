"""Fire Range and Fire Zones: how far a unit fires now, and the hexes that it covers (15.3, 17.3).

A Fire Zone never holds the unit's own hex: 17.3 has it reach the adjacent hexes, and farther where the unit's Fire Range and sight do.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import compress, count
from operator import or_

from attrs import define

from beachhead.hexes import Hex
from beachhead.rules import Breakdown, Modifier, Objection, Verdict, verdict
from beachhead_gts.battlefield import NO
from beachhead_gts.sight import Purpose, Sightlines, obstacles, sight_limit, sight_objections, sightlines, vantage
from beachhead_gts.state import State, Unit, face, face_of
from beachhead_gts.tables import ARTILLERY_ZONE, Barrage, Side, WeaponClass, Weather

_FIRE, _MORTAR = Purpose.FIRE, WeaponClass.MORTAR


# ------------------------------------------------------------ Fire Range
def fire_range(state: State, i: int) -> int:
    """How far the unit with this number fires now, in hexes: `range_terms` at a glance (15.3)."""
    return _range(state, i, in_play(state, state.setting.roster[i].side.enemy))


def range_terms(state: State, i: int) -> Breakdown:
    """The present Fire Range of a unit: as printed, or 1 where none is; 1 next to an enemy unit, and in a barrage (15.1, 15.3)."""
    piece, unit = state.setting.roster[i], state.units[i]
    printed = face(piece, unit).fire_range
    if isinstance(printed, int):
        terms = Breakdown.of(Modifier("Fire Range as printed", printed, "gts:15.5.f", piece.authored))
    else:
        terms = Breakdown.of(Modifier("where no Fire Range is printed", 1, "gts:15.1.c"))
    for why, rule in _reductions(state, i):
        if terms.total > 1:
            terms += Modifier(why, 1 - terms.total, rule)
    return terms


def in_play(state: State, side: Side) -> int:
    """The hexes of a side's units, as a mask: without those that only units stand in that have yet to leave their entry hex (8.0, G48)."""
    there = state.deployment
    return there.of(side) & ~there.arriving


def _range(state: State, i: int, enemies: int) -> int:
    """The Fire Range of a unit whose enemies stand in these hexes."""
    unit = state.units[i]
    printed = face(state.setting.roster[i], unit).fire_range
    if not isinstance(printed, int):
        return 1
    hex = unit.place
    if type(hex) is Hex and (state.setting.board.neighbour_mask(hex) & enemies or _barraged(state, hex)):
        return min(1, printed)
    return printed


def _barraged(state: State, hex: Hex) -> bool:
    return any(place == hex for place, _ in state.barrages)


def _reductions(state: State, i: int) -> Iterator[tuple[str, str]]:
    """What reduces a unit's Fire Range to one hex, in words, with the rule."""
    field, hex = state.setting, state.units[i].place
    if type(hex) is not Hex:
        return
    enemies = in_play(state, field.roster[i].side.enemy)
    for near in field.board.members(field.board.neighbour_mask(hex) & enemies):
        enemy = next(j for j in state.numbers_at(near) if not state.units[j].entering)
        yield f"next to {field.roster[enemy]} at {field.board.label(near)}", "gts:15.3.f"
    for place, kind in state.barrages:
        if place == hex:
            yield f"{kind} at {field.board.label(hex)}", "gts:16.6.2.2.b"


# ------------------------------------------------------------ Fire Zones
Light = tuple[int, Weather, tuple[tuple[Hex, Barrage], ...]]
"""What Fire Zones depend on besides the units: the turn, the weather and the barrages."""


@define(eq=False)
class Coverage:
    """The Fire Zones of a side's units, as masks of the board.

    Attributes:
        units: the units of the state that was asked about.
        light: in which they were found.
        lines, limit: who sees whom in that light, and how far.
        zones: the Fire Zone of each unit, by its number; 0 for none, and for the other side's.
    """

    units: tuple[Unit, ...]
    light: Light
    lines: Sightlines
    limit: int
    zones: tuple[int, ...]
    _all: int | None = None

    @property
    def all(self) -> int:
        """All Fire Zones together."""
        if self._all is None:
            self._all = reduce(or_, filter(None, self.zones), 0)
        return self._all


def coverage(state: State, side: Side) -> Coverage:
    """The Fire Zones of a side (17.3): those known from last time, with what has changed since. Most often one unit has moved."""
    setting, units, light = state.setting, state.units, _light(state)
    known = setting.coverage.get(side)  # taken at once: another game may put its own there
    same_light = known is not None and known.light == light
    if known is not None and same_light and known.units is units:
        return known
    lines, limit = _sight(state, known, light)
    if known is None or known.lines is not lines or known.limit != limit:
        stale, found = [i for i, piece in enumerate(setting.roster) if piece.side is side], [0] * len(units)
    else:
        stale = _stale(state, side, known.units)
        if same_light and not stale:
            known.units = units  # the same zones are theirs, too
            return known
        found = list(known.zones)
    enemies = in_play(state, side.enemy)
    for i in stale:
        found[i] = _zone(state, i, lines, limit, enemies)
    now = setting.coverage[side] = Coverage(units, light, lines, limit, tuple(found))
    return now


def _light(state: State) -> Light:
    return state.turn, state.weather, state.barrages


def _sight(state: State, known: Coverage | None, light: Light) -> tuple[Sightlines, int]:
    """Who sees whom now, and how far: what is known of that, if it was found in the same light."""
    if known is not None and known.light == light:
        return known.lines, known.limit
    return sightlines(state.setting, state.barrages), sight_limit(state)


def _stale(state: State, side: Side, before: tuple[Unit, ...]) -> list[int]:
    """The units of a side whose Fire Zones may have changed: those that have themselves, and those whose enemies next to them have."""
    units, there, near = state.units, state.deployment, 0
    roster, around = state.setting.roster, state.setting.board.neighbour_masks
    stale = there.changed_since(before)
    for i in stale:
        if roster[i].side is not side:
            near |= around.get(units[i].place, 0) | around.get(before[i].place, 0)  # type: ignore[arg-type]
    near &= there.of(side)
    if near:
        for hex in state.setting.board.members(near):
            stale.update(there.at[hex])
    return [i for i in stale if roster[i].side is side]


def _zone(state: State, i: int, lines: Sightlines, limit: int, enemies: int) -> int:
    hex, reach = state.units[i].place, _reach(state, i, enemies)
    if type(hex) is not Hex or not reach:
        return 0
    return lines.seen(hex, min(reach, limit), vantage(state, hex, _FIRE).past) & ~state.setting.bit[hex]


def _reach(state: State, i: int, enemies: int) -> int:
    """How far a unit's Fire Zone reaches where it sees: as its Fire Range does, and for artillery up to three hexes; 0 for no Fire Zone."""
    if next(_none(state, i), None):
        return 0
    reach = _range(state, i, enemies)
    return min(reach, ARTILLERY_ZONE) if face_of(state, i).weapon.artillery else reach


def _none(state: State, i: int) -> Iterator[Objection]:
    """Why a unit has no Fire Zone, wherever it stands."""
    piece, unit = state.setting.roster[i], state.units[i]
    if not isinstance(unit.place, Hex):
        yield Objection("gts:17.3.a", "{} {}", (piece, unit.place.value))
    if unit.entering:
        yield Objection(("gts:G48", "gts:8.0.k"), "{} has yet to leave the reinforcement hex", (piece,))
    if unit.suppressed:
        yield Objection("gts:19.2.2.i", "{} is Suppressed and projects no Fire Zone", (piece,))
    if face_of(state, i).weapon is _MORTAR:
        yield Objection("gts:17.3.c", "{} is a Mortar Unit and has no Fire Zone", (piece,))
    if face(piece, unit).fire is NO and state.setting.choice("G31") == "rating":
        yield Objection("gts:G31", "{} has no Fire Rating and projects no Fire Zone", (piece,))


def fire_zone(state: State, i: int) -> int:
    """The Fire Zone of the unit with this number, as a mask of the board; 0 for none (17.3)."""
    return coverage(state, state.setting.roster[i].side).zones[i]


def zone_alone(state: State, i: int) -> int:
    """The same where nobody else's is wanted."""
    light, side = _light(state), state.setting.roster[i].side
    known = state.setting.coverage.get(side)
    if known is not None and known.light == light and known.units is state.units:
        return known.zones[i]
    lines, limit = _sight(state, known, light)
    return _zone(state, i, lines, limit, in_play(state, side.enemy))


def fire_zones(state: State, side: Side) -> int:
    """The hexes in the Fire Zone of any unit of a side, as a mask of the board (17.3)."""
    return coverage(state, side).all


def covering(state: State, hex: Hex, side: Side) -> tuple[int, ...]:
    """The numbers of a side's units that have a hex in their Fire Zones."""
    here, found = state.setting.bit[hex], coverage(state, side)
    return tuple(compress(count(), map(here.__and__, found.zones))) if found.all & here else ()


def zone_owner(state: State, hex: Hex, side: Side) -> str:
    """A unit of a side that has a hex in its Fire Zone, by name: the first of the roster; "" where none has."""
    found = covering(state, hex, side)
    return state.setting.roster[found[0]].name if found else ""


# ------------------------------------------------------------ in words
def covers(state: State, i: int, hex: Hex) -> Verdict:
    """Whether a hex is in the Fire Zone of the unit with this number, and why not (17.3)."""
    against = verdict(zone_objections(state, i, hex))
    return against if against.objections else Verdict(facts=(_ground(state, i, hex),))


def zone_objections(state: State, i: int, hex: Hex) -> Iterator[Objection]:
    """Why a hex is not in the Fire Zone of a unit (17.3)."""
    field, place = state.setting, state.units[i].place
    yield from _none(state, i)
    if type(place) is not Hex:
        return
    if place == hex:
        yield Objection("gts:17.3.a", "{} stands at {} itself", (field.roster[i], field.board.label(hex)))
    reach, distance = _zone_terms(state, i), place.distance(hex)
    if distance > reach.total:
        what = "{} is {} hexes away from {}, whose Fire Zone reaches {}: {.uncited}"
        yield Objection(reach.rules, what, (field.board.label(hex), distance, field.roster[i], reach.total, reach))
    yield from sight_objections(state, place, hex)


def _zone_terms(state: State, i: int) -> Breakdown:
    """How far a Fire Zone reaches, term by term: the Fire Range, with what that means for the Fire Zone."""
    terms = Breakdown(
        tuple(
            Modifier(t.label, t.value, (*_ZONE_RULES[t.rule], *t.rules), t.authored)
            for t in range_terms(state, i).terms
        )
    )
    if face_of(state, i).weapon.artillery and terms.total > ARTILLERY_ZONE:
        terms += Modifier("artillery", ARTILLERY_ZONE - terms.total, "gts:17.3.b")
    return terms


_ZONE_RULES = {
    "gts:15.5.f": ("gts:17.3.a",),
    "gts:15.1.c": ("gts:17.3.a",),
    "gts:15.3.f": ("gts:17.3.d",),
    "gts:16.6.2.2.b": ("gts:17.3.e",),
}
"""What follows for a Fire Zone from what makes up a Fire Range."""


def _ground(state: State, i: int, hex: Hex) -> Objection:
    """Why a hex is in a Fire Zone."""
    field, place = state.setting, state.units[i].place
    assert type(place) is Hex  # nothing is said against it
    rules = ["gts:17.3.b" if face_of(state, i).weapon.artillery else "gts:17.3.a"]
    if face_of(state, i).fire is NO:
        rules.append("gts:17.3.g")
    if obstacles(state, place, hex):
        rules.append("gts:15.4.3.f")
    return Objection(rules, "{} covers {}", (field.roster[i], field.board.label(hex)))
