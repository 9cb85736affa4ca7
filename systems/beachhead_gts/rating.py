"""The Fire Rating of a shot, modifier by modifier (15.6, 17.6). Nothing ever modifies the die (15.5)."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from beachhead.enums import Named
from beachhead.hexes import Hex
from beachhead.rules import Breakdown, Chart, Modifier, Provenance
from beachhead.sight import Crossed, line
from beachhead_gts.battlefield import Face, Piece, Printed
from beachhead_gts.charts import ResultLine
from beachhead_gts.state import State, Unit, face, face_of, has_loss_marker, steps_left
from beachhead_gts.tables import ARTILLERY_ZONE, MOST_COHESION, STACKING_LIMIT, Cover, WeaponClass, Weather


class Occasion(Named):
    """What a shot is: an Action, or Opportunity Fire at a unit that does something (17.2, 17.6)."""

    ACTION = "Direct Fire"
    INTO_ZONE = "moving into an enemy Fire Zone"
    INTO_NO_ZONE = "moving into no enemy Fire Zone"
    TRANSPORT = "mounting or dismounting"
    ENTRENCHMENT = "entering or leaving an entrenchment"
    COLUMN = "entering or leaving Column"

    @property
    def uncovers(self) -> bool:
        """Whether the target is leaving an improved position, if it has one: for another hex, or for an entrenchment."""
        return self in (Occasion.INTO_ZONE, Occasion.INTO_NO_ZONE, Occasion.ENTRENCHMENT)


_OPPORTUNITY: dict[Occasion, tuple[str, str]] = {
    Occasion.INTO_ZONE: ("into a Fire Zone", "gts:17.6.a"),
    Occasion.INTO_NO_ZONE: ("into no Fire Zone", "gts:17.6.b"),
    Occasion.TRANSPORT: ("into a Fire Zone", "gts:17.6.h"),
    Occasion.ENTRENCHMENT: ("into a Fire Zone", "gts:17.6.i"),
    Occasion.COLUMN: ("into a Fire Zone", "gts:17.6.j"),
}
"""The figure and the rule for each kind of trigger."""


@frozen
class Shot:
    """One unit fires at one unit (15.5)."""

    firer: str
    target: str
    occasion: Occasion = Occasion.ACTION


def fire_rating(state: State, shot: Shot, *, company_bonus: bool = False) -> Breakdown:
    """The modified Fire Rating: the printed one, what the firer adds, and what the target adds (15.6)."""
    field = state.setting
    i, j = field.number[shot.firer], field.number[shot.target]
    firer, target = (field.roster[i], state.units[i]), (field.roster[j], state.units[j])
    return Breakdown(
        (
            *_firer_terms(state, shot, *firer, company_bonus=company_bonus),
            *_range_terms(state, firer, target),
            *_weather_terms(state),
            *_target_terms(state, shot, firer[1], *target),
            *_opportunity_terms(state, shot),
        )
    )


# ------------------------------------------------------------ the firer
def _firer_terms(state: State, shot: Shot, piece: Piece, now: Unit, *, company_bonus: bool) -> Iterator[Modifier]:
    figures, side = state.setting.charts.figures, face(piece, now)
    assert isinstance(side.fire, int)
    yield Modifier(f"Fire Rating of {shot.firer}", side.fire, "gts:15.5.i", piece.authored)
    if now.cohesion:
        marker = "two cohesion hits" if now.cohesion == MOST_COHESION else "one cohesion hit"
        rule = "gts:19.2.3.i" if now.cohesion == MOST_COHESION else "gts:19.2.3.h"
        yield _modifier(figures[marker], "fire", _COHESION[now.cohesion], ("gts:15.6.b", rule, "gts:19.2.4.g"))
    if has_loss_marker(piece, now):
        yield _modifier(figures["step loss"], "fire", "Step Loss", ("gts:15.6.b", "gts:19.2.4.d", "gts:19.2.4.g"))
    if company_bonus:
        yield _modifier(figures["company"], "bonus", "Company Bonus", ("gts:15.6.h",))
    if now.cover is Cover.ENTRENCHED:
        yield _modifier(figures["entrenchment"], "fire", "firing from an entrenchment", ("gts:15.6.p", "gts:G46"))
    if now.column:
        yield _modifier(figures["column"], "fire", "firing in Column", ("gts:14.6.1.a",))


_COHESION = ("", "one Cohesion Hit", "two Cohesion Hits")


def _modifier(chart: Chart, key: str, label: str, rules: tuple[str, ...]) -> Modifier:
    """A figure of a chart as a term that cites what makes it count."""
    return Modifier(label, chart[key], rules, chart.source[key] is Provenance.AUTHORED)


# ------------------------------------------------------------ range and weather
def _range_terms(state: State, firer: tuple[Piece, Unit], target: tuple[Piece, Unit]) -> Iterator[Modifier]:
    here, there = firer[1].place, target[1].place
    assert isinstance(here, Hex)
    assert isinstance(there, Hex)
    distance = here.distance(there)
    if distance < 2:
        return
    if not face(*target).armored:
        yield Modifier(f"range {distance}, unarmored target", 1 - distance, "gts:15.6.d")
        return
    far = distance >= own_range(state, face(*firer))
    chart = state.setting.charts.figures["range"]
    rules = ("gts:15.6.c",) if distance != ARTILLERY_ZONE else ("gts:15.6.f",) if far else ("gts:15.6.e",)
    yield _modifier(chart, "armored far" if far else "armored near", f"range {distance}, armored target", rules)


def own_range(state: State, side: Face) -> int:
    """The Fire Range that the range modifier against armor goes by: the printed one, or three for artillery that fires directly (gts:G19)."""
    printed = 1 if isinstance(side.fire_range, Printed) else side.fire_range
    if side.weapon.artillery and state.setting.choice("G19") == "three":
        return min(printed, ARTILLERY_ZONE)
    return printed


def _weather_terms(state: State) -> Iterator[Modifier]:
    chart = state.setting.charts.figures["weather"]
    if state.night:
        yield _modifier(chart, "night", "night", ("gts:15.6.n",))
    if state.weather is not Weather.CLEAR:
        yield _modifier(chart, state.weather.value, state.weather.value, ("gts:15.6.n",))


# ------------------------------------------------------------ the target
def _target_terms(state: State, shot: Shot, firer: Unit, piece: Piece, now: Unit) -> Iterator[Modifier]:
    side, figures = face(piece, now), state.setting.charts.figures
    assert isinstance(now.place, Hex)
    if side.defense:
        rules = ("gts:15.6.r", "gts:14.10.4.a") if now.mounted else ("gts:15.6.r",)
        yield Modifier(f"Defense Rating of {shot.target}", side.defense, rules, piece.authored)
    yield from _mass(state, now.place)
    column = now.column or shot.occasion is Occasion.COLUMN
    yield from _terrain(state, firer, now, side, column=column)
    yield from _cover(state, shot, now)
    if column:
        rules = ("gts:14.6.1.c",) if now.column else ("gts:14.6.1.c", "gts:17.2.r")
        yield _modifier(figures["column"], "defense", "target in Column", rules)


def _mass(state: State, hex: Hex) -> Iterator[Modifier]:
    """All units in the hex count, not the target alone (15.6)."""
    roster, units = state.setting.roster, state.units
    steps = sum(steps_left(roster[i], units[i]) for i in state.numbers_at(hex))
    chart = state.setting.charts.figures["mass"]
    key = str(min(steps, STACKING_LIMIT))
    if chart[key]:
        rules = ("gts:15.6.s",) if len(state.numbers_at(hex)) < 2 else ("gts:15.6.s", "gts:14.7.g")
        yield _modifier(chart, key, f"mass of {steps} Step{'s' * (steps != 1)}", rules)


def _terrain(state: State, firer: Unit, now: Unit, side: Face, *, column: bool) -> Iterator[Modifier]:
    """What lies in the target's hex, and on the hexside that the fire crosses into it; in Column none of it protects (14.6.1)."""
    charts, board = state.setting.charts, state.setting.board
    assert isinstance(firer.place, Hex)
    assert isinstance(now.place, Hex)
    rows = [charts.terrain[name] for name in board.terrain.get(now.place, ("clear",))]
    last = line(firer.place, now.place).steps[-2]
    if isinstance(last, Crossed):
        rows += [charts.hexsides[name] for name in sorted(board.features(*last.hexside))]  # type: ignore[misc]
    for row in rows:
        value = row.fire_armored if side.armored else row.fire
        if not value:
            continue
        if column and value < 0:
            yield Modifier(f"{row.name} does not protect in Column", 0, "gts:14.6.1.d")
            continue
        rules = ("gts:15.6.t", "gts:14.6.1.e") if column else ("gts:15.6.t",)
        yield Modifier(row.name, value, rules, row.source is Provenance.AUTHORED)


def _cover(state: State, shot: Shot, now: Unit) -> Iterator[Modifier]:
    """An improved position or entrenchment, unless the target is just leaving or entering it (15.6, 17.2)."""
    figures = state.setting.charts.figures
    if now.cover is Cover.IMPROVED:
        if shot.occasion.uncovers:
            yield Modifier("leaving an improved position", 0, "gts:17.2.p")
        else:
            rules = ("gts:15.6.u", "gts:14.6.1.h") if now.column else ("gts:15.6.u",)
            yield _modifier(figures["improved position"], "defense", "improved position", rules)
    elif now.cover is Cover.ENTRENCHED or shot.occasion is Occasion.ENTRENCHMENT:
        if shot.occasion is Occasion.ENTRENCHMENT:
            yield Modifier("entering or leaving an entrenchment", 0, "gts:17.2.o")
        else:
            rules = ("gts:15.6.u", "gts:14.6.1.h") if now.column else ("gts:15.6.u",)
            yield _modifier(figures["entrenchment"], "defense", "entrenchment", rules)


def _opportunity_terms(state: State, shot: Shot) -> Iterator[Modifier]:
    if shot.occasion in _OPPORTUNITY:
        key, rule = _OPPORTUNITY[shot.occasion]
        yield _modifier(state.setting.charts.figures["opportunity"], key, shot.occasion.value, (rule,))


# ------------------------------------------------------------ the line of the table
def result_line(state: State, shot: Shot) -> ResultLine:
    """The line of the Combat Results Table for a shot: artillery fires directly on that of Direct HE (15.5)."""
    field = state.setting
    i = field.number[shot.firer]
    weapon = face_of(state, i).weapon
    if weapon.artillery:
        weapon = WeaponClass.DIRECT_HE
    return field.charts.results[weapon, armored_target(state, shot)]


def armored_target(state: State, shot: Shot) -> bool:
    """Whether the target is an Armored one; an entrenched one is resolved like one under gts:entrenched, but for one that is just leaving (17.2)."""
    j = state.setting.number[shot.target]
    piece, now = state.setting.roster[j], state.units[j]
    if face(piece, now).armored:
        return True
    dug_in = now.cover is Cover.ENTRENCHED and shot.occasion is not Occasion.ENTRENCHMENT
    return dug_in and state.setting.choice("entrenched") == "armored"
