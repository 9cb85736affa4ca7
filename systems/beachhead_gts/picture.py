"""The map with its units as a picture, in shapes of our own.

A counter shows the unit's name, its class in a box of the colour of its Formation, and "fire-assault-movement" as printed on the side that
lies up; the band in the box has the colours of the Weapons Classes of its Fire Rating and its Assault Rating. Dots at the lower right are
steps. Orange dots on the left are Cohesion Hits, an arrow on the right is a Column marker, a red disc says that it is Suppressed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from attrs import evolve

from beachhead import glyphs
from beachhead.glyphs import INK, Glyph, Shape, box, disc, each
from beachhead.hexes import Hex
from beachhead.rules import first_objection
from beachhead.sentences import counted
from beachhead.svg import RAIL, RIVER, Counter, Highlight, Mark, Sign, Stroke, Style, Svg, board_svg
from beachhead_gts import sight, zones
from beachhead_gts.actions import turn_objections
from beachhead_gts.battlefield import Face, LeaderPiece, Piece, Place
from beachhead_gts.state import State, Unit, face, steps_left
from beachhead_gts.tables import ActionKind, Barrage, Cover, Phase, Side, Stripe, UnitClass, WeaponClass, term

# ------------------------------------------------------------ the land
_BUSHES: Glyph = (
    Shape(
        "".join(disc(x, y, 9) for x, y in ((-48, -34), (-6, -52), (44, -30), (-66, 16), (66, 20), (-26, 58), (30, 56))),
        fill="#8fae6b",
        stroke="#64834a",
        width=3,
    ),
)
_ROWS: Glyph = (
    Shape(
        "".join(disc(x, y, 10) for y in (-48, 0, 48) for x in (-56, -28, 0, 28, 56)),
        fill="#86b05f",
        stroke="#55803c",
        width=3,
    ),
)
_VILLAGE: Glyph = (
    Shape(each("v-17l17 -14l17 14v17z", (-60, -18), (26, -24), (-34, 60)), fill="#d5876a", stroke="#6e3423", width=3),
)
_FORTIFIED: Glyph = (*glyphs.CITY, Shape("M-70 -36L0 -76L70 -36V36L0 76L-70 36Z", stroke="#5d5850", width=10))
TERRAIN: Mapping[str, Style] = {
    "clear": Style("#e6e9cb"),
    "sea": Style("#9cc3d8", glyphs.WAVES, stroke="#83abc0"),
    "beach": Style("#f0dfae", glyphs.STIPPLE),
    "dunes": Style("#efe0b4", glyphs.DUNES),
    "polder": Style("#dde8cf", glyphs.FIELDS),
    "flooded": Style("#bcd8dc", glyphs.WAVES),
    "marsh": Style("#cfe0d4", glyphs.MARSH),
    "swamp": Style("#bdd3bf", glyphs.MARSH),
    "scrub": Style("#dfe3bd", _BUSHES),
    "orchard": Style("#d9e4b4", _ROWS),
    "woods": Style("#cfdfb4", glyphs.WOODS),
    "brushwoods": Style("#d6e2b6", (*_BUSHES, *glyphs.WOODS)),
    "bocage": Style("#cfdcae", glyphs.BOCAGE),
    "village": Style("#ecdfca", _VILLAGE),
    "town": Style("#ecdcc6", glyphs.TOWN),
    "city": Style("#dcc3ae", glyphs.CITY),
    "fortified": Style("#d3c2b0", _FORTIFIED),
}
"""The look of each terrain."""
HEXSIDES: Mapping[str, Collection[Stroke]] = {
    "stream": (Stroke("#4d87a8", 13), Stroke("#8fc1da", 8)),
    "river": RIVER,
    "impassable": (Stroke("#3d3a36", 16),),
    "slope": (Stroke("#b08a55", 18, "3 13"), Stroke("#b08a55", 4)),
    "crest": (Stroke("#94713f", 24, "3 9"), Stroke("#94713f", 7)),
    "ridge": (Stroke("#6b5238", 30, "5 8"), Stroke("#6b5238", 10)),
    "bridge": (Stroke("#4d4130", 62, "0 32 36 32"), Stroke("#d9c59c", 62, "0 37 26 37")),
    "ferry": (Stroke("#2d5f86", 58, "0 41 18 41"), Stroke("#f4f7f9", 46, "0 45 10 45")),
}
"""The look of what lies along a hexside; of several the last is on top."""
LINKS: Mapping[str, Collection[Stroke]] = {
    "railroad": RAIL,
    "track": (Stroke("#8b7a5c", 11), Stroke("#e9dcb8", 6, "9 6")),
    "road": (Stroke("#8b7a5c", 20), Stroke("#f4ead0", 13)),
}
"""The look of roads and railroads."""
_RED, _ORANGE, _GOLD, _DARK, _LIGHT = "#c0392b", "#e07b1a", "#e0a800", "#2b2a27", "#ffffff"
_VIEW = "#3f7fb5"
_STAR = "l4.7 9.5l10.5 1.5l-7.6 7.4l1.8 10.4l-9.4 -4.9l-9.4 4.9l1.8 -10.4l-7.6 -7.4l10.5 -1.5z"
OBJECTIVE = Shape(each(_STAR, (-48, -76)), fill=_DARK)
STRONGPOINT: Glyph = (Shape(each(_STAR, (62, 24)), fill="#8c3b2e", stroke=_LIGHT, width=3),)
OBSERVATION_POST: Glyph = (Shape("M-62 24L-46 52H-78Z", fill="#f4f1e6", stroke=_DARK, width=5),)
_BURST = (
    "M0 -94L15 -70L44 -82L45 -54L76 -47L64 -21L88 0L64 21L76 47L45 54L44 82L15 70L0 94"
    "L-15 70L-44 82L-45 54L-76 47L-64 21L-88 0L-64 -21L-76 -47L-45 -54L-44 -82L-15 -70Z"
)
BARRAGE: Mapping[Barrage, Glyph] = {
    Barrage.LIGHT: (Shape(_BURST, stroke=_ORANGE, width=6),),
    Barrage.HEAVY: (Shape(_BURST, fill="#f3b49c", stroke=_RED, width=12),),
}
_ENTRY = "M-84 -12h24v-18l32 30l-32 30v-18h-24z"

# ------------------------------------------------------------ the units
_FIELD_GUN: Glyph = (*glyphs.ARTILLERY, Shape("M-22 14L0 -12L22 14", stroke=INK, width=3))
_MOTOR_GUN: Glyph = (*glyphs.ARMOUR, Shape(disc(0, 0, 7), fill=INK))
GUNS: Mapping[WeaponClass, Glyph] = {
    WeaponClass.ARMOR_PIERCING: glyphs.ANTITANK,
    WeaponClass.DUAL_PURPOSE: (*glyphs.ANTITANK, Shape(disc(0, 6, 7), fill=INK)),
    WeaponClass.MORTAR: glyphs.MORTAR,
    WeaponClass.LIGHT_MORTAR: glyphs.MORTAR,
    WeaponClass.INDIRECT_HE: glyphs.ARTILLERY,
    WeaponClass.EMPLACED_ARTILLERY: glyphs.ARTILLERY,
    WeaponClass.ORGANIC_ARTILLERY: glyphs.ARTILLERY,
    WeaponClass.DIRECT_HE: _FIELD_GUN,
    WeaponClass.SMALL_ARMS: _FIELD_GUN,
}
"""The symbol of a Gun unit, by the Weapons Class of its Fire Rating."""
COLOURS: Mapping[WeaponClass, str] = {
    WeaponClass.DUAL_PURPOSE: "#fbfaf4",
    WeaponClass.SMALL_ARMS: "#eda7b6",
    WeaponClass.LIGHT_MORTAR: "#8e5aa8",
    WeaponClass.ARMOR_PIERCING: "#4a7fc1",
    WeaponClass.MORTAR: "#4f9a52",
    WeaponClass.DIRECT_HE: "#f2d544",
    WeaponClass.INDIRECT_HE: "#ea8a2e",
    WeaponClass.EMPLACED_ARTILLERY: "#1d1c1a",
    WeaponClass.ORGANIC_ARTILLERY: "#8a5f3a",
}
"""The colours of the Weapons Classes."""
GROUND: Mapping[Side, str] = {Side.ALLIED: "#d9cfa6", Side.GERMAN: "#a3a7ac"}
"""The colour of a counter."""
_STRIPES = {Stripe.WHITE: "#fbfaf4", Stripe.BLACK: "#3a3835"}
_WHEELS = Shape("".join(disc(x, 22, 6) for x in (-20, 20)), fill=_DARK)
_HITS = tuple(Shape(disc(-42, y, 6.5), fill=_ORANGE, stroke=_DARK, width=2) for y in (-9, 8))
_COLUMN = Shape("M42 18V-13M35 -4L42 -15L49 -4", stroke=_RED, width=5)
_SUPPRESSED: Glyph = (
    Shape(disc(0, -4, 16), fill=_RED, stroke=_LIGHT, width=3),
    Shape("M6 -10a6.5 4.5 0 1 0 -6 6a6.5 4.5 0 1 1 -6 6", stroke=_LIGHT, width=4),
)
_POSITIONS: Mapping[Cover, Glyph] = {
    Cover.NONE: (),
    Cover.IMPROVED: (Shape("M-55 8V51H55V8", stroke="#7a5a36", width=7),),
    Cover.ENTRENCHED: (
        Shape("M-55 -34V51H55V-34", stroke="#5b4026", width=10),
        Shape("M-55 -34V51H55V-34", stroke="#d9b98a", width=3, dash="7 6"),
    ),
}
PORTRAIT: Glyph = (
    Shape(box(-34, -21, 68, 42), stroke=INK, width=4),
    Shape(disc(0, -7, 8) + "M-16 19C-16 4 16 4 16 19Z", fill=INK),
)
"""The symbol of a Leader."""


def symbol(side: Face, *, mounted: bool = False) -> Glyph:
    """The symbol of a unit, with the colours of its Weapons Classes along its foot."""
    band = (
        Shape(box(-34, 12, 34, 9), fill=COLOURS[side.weapon], stroke=INK, width=1.5),
        Shape(box(0, 12, 34, 9), fill=COLOURS[side.assault_weapon], stroke=INK, width=1.5),
    )
    return (*band, *_class_symbol(side), *((_WHEELS,) if mounted else ()))


def _class_symbol(side: Face) -> Glyph:
    match side.unit_class:
        case UnitClass.INFANTRY:
            return glyphs.INFANTRY
        case UnitClass.GUN:
            return GUNS[side.weapon]
        case UnitClass.VEHICLE:
            if side.weapon.artillery:
                return _MOTOR_GUN
            return glyphs.ARMOUR if side.armored else glyphs.TRANSPORT


def figures(side: Face) -> str:
    """Fire Rating, Assault Rating and Movement Allowance, as they are printed."""
    printed = (side.fire, side.assault, side.movement)
    return "-".join(str(figure) if isinstance(figure, int) else figure.value for figure in printed)


def marked(unit: Unit) -> Iterator[str]:
    """The markers on a unit, in words."""
    if unit.cohesion:
        yield counted(unit.cohesion, "Cohesion Hit")
    if unit.suppressed:
        yield "Suppressed"
    if unit.rallying:
        yield f"Men Rallying +{unit.rallying}"
    if unit.column:
        yield "in Column"
    if unit.mounted:
        yield "in Transport Mode"
    if unit.cover is not Cover.NONE:
        yield f"in an {unit.cover}"
    if unit.entering:
        yield "on its reinforcement hex"


def described(state: State, unit: str) -> str:
    """What a unit is, with its figures, its steps and the markers on it."""
    piece, now = state.setting.piece(unit), state.unit(unit)
    side = face(piece, now)
    what = f"{side.unit_class} {figures(side)} {side.weapon}"
    of = f"{steps_left(piece, now)} of " if now.losses else ""
    return ", ".join((what, f"quality {side.quality}", f"{of}{counted(piece.steps, 'step')}", *marked(now)))


def colour(state: State, piece: Piece) -> str:
    """The colour of a unit's stripe: that of its Formation, white or black."""
    return _STRIPES[piece.stripe] if piece.independent else _colour_of(state, piece.formation)


def _colour_of(state: State, formation: str) -> str:
    return next((each.colour for each in state.setting.formations if each.name == formation), "none")


# ------------------------------------------------------------ the picture
def set_out(state: State) -> State:
    """The state; before the set-up the one that it leads to, so that there is something to look at."""
    if state.phase is not Phase.SET_UP:
        return state

    def place(arrives: Hex | int, now: Place) -> Place:
        return arrives if isinstance(arrives, Hex) else now

    field = state.setting
    units = [
        evolve(unit, place=place(piece.arrives, unit.place), column=piece.column)
        for unit, piece in zip(state.units, field.roster, strict=True)
    ]
    leaders = [place(piece.arrives, now) for now, piece in zip(state.leaders, field.leaders, strict=True)]
    entrenchments = field.board.mask(field.entrenchments)
    return evolve(state, units=tuple(units), leaders=tuple(leaders), entrenchments=entrenchments)


def picture(
    state: State,
    view_of: str | None = None,
    zone_of: str | None = None,
    zones_of: Side | str | None = None,
) -> Svg:
    """The map with everything on it. Units that may still act with the chit that is being played have a golden border.

    Args:
        view_of: a unit; the hexes that it sees are pointed out.
        zone_of: a unit; the hexes of its Fire Zone are pointed out.
        zones_of: a side; the hexes in any of its Fire Zones are pointed out.

    Raises:
        UnknownName: there is no such unit.
        ValueError: there is no such side.
    """
    state = set_out(state)
    field = state.setting
    pairs = list(zip(field.roster, state.units, strict=True))
    leaders = zip(field.leaders, state.leaders, strict=True)
    return board_svg(
        field.board,
        styles=TERRAIN,
        links=LINKS,
        hexsides=HEXSIDES,
        fill=str(TERRAIN["clear"].fill),
        counters=[
            *(unit_counter(state, piece.name) for piece, unit in pairs if isinstance(unit.place, Hex)),
            *(leader_counter(state, leader, hex) for leader, hex in leaders if isinstance(hex, Hex)),
        ],
        marks=[
            *(field_of_view(state, view_of) if view_of else ()),
            *(fire_zones(state, zones_of) if zones_of else ()),
            *(fire_zone(state, zone_of) if zone_of else ()),
            *_on_the_ground(state),
            *_objectives(state),
        ],
        size=60,
        abreast=True,
        title=f"{field.title}, {_when(state)}",
    )


def _when(state: State) -> str:
    if state.phase in (Phase.SET_UP, Phase.OVER):
        return str(state.phase)
    chit = f", {state.activation.chit}" if state.activation else ""
    return f"turn {state.turn} ({state.turn_name}), {state.phase}{chit}"


def unit_counter(state: State, name: str) -> Counter:
    """The counter of a unit that is on the map."""
    piece, unit = state.setting.piece(name), state.unit(name)
    assert isinstance(unit.place, Hex)
    up = face(piece, unit)
    markers = (
        *_HITS[: unit.cohesion],
        *((_COLUMN,) if unit.column else ()),
        *(_SUPPRESSED if unit.suppressed else ()),
        *_POSITIONS[unit.cover],
    )
    title = f" ({piece.title})" if piece.title else ""
    of = piece.formation or piece.division
    return Counter(
        unit.place,
        name=name,
        text=figures(up),
        colour=GROUND[piece.side],
        symbol=(*symbol(up, mounted=unit.mounted), *markers),
        box=colour(state, piece),
        pips=steps_left(piece, unit),
        hits=unit.losses,
        lost=_RED,
        border=_GOLD if may_act(state, name) else _DARK,
        title=f"{piece.side} {name}{title} of {of}, {described(state, name)}",
    )


def may_act(state: State, name: str) -> bool:
    """Whether a unit may perform an Action now, a first or a Second one, under the chit that is being played (10.0.2, 13.1)."""
    now = state.activation
    if now is None or not now.open or now.closing:
        return False
    return any(first_objection(turn_objections(state, name, kind)) is None for kind in ActionKind)


def leader_counter(state: State, leader: LeaderPiece, hex: Hex) -> Counter:
    """The counter of a Leader: Command Range and Attachment Rating."""
    division = state.setting.division_of[leader.formation]
    return Counter(
        hex,
        name=leader.name,
        text=f"{leader.range}-{leader.attachment}",
        colour=GROUND[division.side],
        symbol=PORTRAIT,
        box=_colour_of(state, leader.formation),
        title=f"{leader.name}, Leader of {leader.formation}, Command Range {leader.range}, "
        f"Attachment Rating {leader.attachment}",
    )


# ------------------------------------------------------------ what lies in the hexes, and what is pointed out
def _on_the_ground(state: State) -> Iterator[Mark]:
    """Reinforcement hexes, observation posts, strongpoints, entrenchments and barrages."""
    field, label = state.setting, state.setting.board.label
    for division in field.divisions:
        if division.entry:
            arrow = Shape(_ENTRY, fill=GROUND[division.side], stroke=_DARK, width=4)
            yield Sign(division.entry, (arrow,), f"reinforcements of {division.name} enter at {label(division.entry)}")
    for hex in field.board.members(state.entrenchments):
        yield Sign(hex, glyphs.TRENCH, f"entrenchment in {label(hex)}")
    for hex in sorted(field.observation_posts, key=field.board.index):
        yield Sign(hex, OBSERVATION_POST, f"observation post {label(hex)}")
    for hex in sorted(field.strongpoints, key=field.board.index):
        yield Sign(hex, STRONGPOINT, f"strongpoint {label(hex)}")
    for hex, barrage in state.barrages:
        yield Sign(hex, BARRAGE[barrage], f"{barrage} in {label(hex)}")


def _objectives(state: State) -> Iterator[Mark]:
    for objective, holder in zip(state.setting.objectives, state.held, strict=True):
        title = f"{objective.name}: {counted(objective.points, 'Victory Point')}, held by {holder or 'nobody'}"
        star = (Shape(disc(-48, -62, 17), fill=GROUND[holder] if holder else _LIGHT, stroke=_DARK, width=4), OBJECTIVE)
        yield Sign(objective.hex, star, title)


def field_of_view(state: State, unit: str) -> Iterator[Mark]:
    """The hexes that a unit sees."""
    place = state.place(unit)
    if isinstance(place, Hex):
        yield from _pointed_out(state, sight.seen(state, place), _VIEW)


def fire_zone(state: State, unit: str) -> Iterator[Mark]:
    """The hexes of a unit's Fire Zone."""
    if isinstance(state.place(unit), Hex):
        yield from _pointed_out(state, zones.fire_zone(state, state.setting.number[unit]), _RED)


def fire_zones(state: State, side: Side | str) -> Iterator[Mark]:
    """The hexes that lie in a Fire Zone of any unit of a side."""
    yield from _pointed_out(state, zones.fire_zones(state, term(Side, side)), _ORANGE)


def _pointed_out(state: State, hexes: int, colour: str) -> Iterator[Mark]:
    for hex in state.setting.board.members(hexes):
        yield Highlight(hex, colour)
