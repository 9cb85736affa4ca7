"""The battlefield as a picture: terrain, obstacles, medals and units, in shapes of our own.

A counter shows the class of a unit in the plain military symbols, a filled dot for each figure that it has and a hollow one for each that
it has lost; a letter on the corner tells the units with a badge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from attrs import evolve

from beachhead import glyphs
from beachhead.glyphs import Glyph, Shape, box, disc
from beachhead.hexes import Direction, Hex
from beachhead.svg import RIVER, Counter, Mark, Medal, Name, Sign, Stroke, Style, Svg, board_svg
from beachhead_memoir44.m44 import Face, Objective, Placed, ScenarioFile
from beachhead_memoir44.state import State
from beachhead_memoir44.tables import BaseType, Side, terrain, troop

# ------------------------------------------------------------ the land
GROUND: Mapping[Face, str] = {
    Face.COUNTRY: "#e1e8c8",
    Face.BEACH: "#e1e8c8",
    Face.WINTER: "#eff2f3",
    Face.DESERT: "#f1e4c1",
}
_WOOD, _HILL, _TOWN, _ROCK, _WET, _SEA, _SAND, _PLAIN = (
    "#cddfb0",
    "#e3cf9c",
    "#ecdcc6",
    "#d8cdbd",
    "#d3e3d2",
    "#9cc3d8",
    "#f0dfae",
    "#dfe2cf",
)
_DARK = "#45413a"

_ICE: Glyph = (Shape("M-30 -24L-8 -6L-18 16M-8 -6L22 -14M10 40L30 24L24 4", stroke="#ffffff", width=5),)
_PADDIES: Glyph = (
    Shape(
        box(-62, -34, 58, 32) + box(4, -34, 58, 32) + box(-44, 8, 42, 38) + box(6, 8, 42, 38),
        fill="#bcd9dc",
        stroke="#7d9155",
        width=6,
    ),
)
_LANDING: Glyph = (
    Shape("M-76 -30H76M-76 30H76", stroke="#8d8a80", width=8),
    Shape("M-66 0H66", stroke="#8d8a80", width=5, dash="16 12"),
)
_PIER: Glyph = (
    Shape("M-20 -70V70M20 -70V70" + "M-20 -48H20M-20 -24H20M-20 0H20M-20 24H20M-20 48H20", stroke="#7a6444", width=7),
)
_DAM: Glyph = (Shape("M-72 -34Q0 10 72 -34V-8Q0 40 -72 -8Z", fill="#bcb8b0", stroke=_DARK, width=5),)
_MAST: Glyph = (
    Shape("M-26 48L0 -30L26 48M-17 20H17M-9 -4H9", stroke=_DARK, width=6),
    Shape("M-40 -62A44 44 0 0 0 34 -34Z", fill="#b8bec2", stroke=_DARK, width=5),
)
_LIGHT: Glyph = (
    Shape("M-20 50L-12 -36H12L20 50Z", fill="#f4f1ea", stroke=_DARK, width=5),
    Shape("M-17 26H17L15 6H-15ZM-13 -14H13L12 -30H-12Z", fill="#b5402f"),
    Shape("M-16 -36L0 -58L16 -36ZM-30 -44L-62 -56M30 -44L62 -56", fill="#e8c34d", stroke=_DARK, width=4),
)
_CROSS: Glyph = (*glyphs.BUILDING, Shape("M-8 -44H8V-30H22V-14H8V0H-8V-14H-22V-30H-8Z", fill="#b5402f"))
_BOLT: Glyph = (*glyphs.FACTORY, Shape("M4 -16L-18 14H-4L-12 38L16 4H2L10 -16Z", fill="#e8c34d", stroke=_DARK, width=3))
_CRATES: Glyph = (
    Shape(box(-54, -4, 48, 44) + box(2, -4, 48, 44) + box(-26, -48, 48, 44), fill="#c7a671", stroke="#5f4824", width=5),
)
_STATION: Glyph = (
    *glyphs.BUILDING,
    Shape("M-62 52H62M-50 46V60M-25 46V60M0 46V60M25 46V60M50 46V60", stroke=_DARK, width=5),
)
_SEA_WALL: Glyph = (
    Shape("M-70 58H70", stroke="#8f8a80", width=16),
    Shape("M-70 58H70", stroke="#d9d4c8", width=6, dash="16 6"),
)
_TEETH: Glyph = (
    Shape("M-60 74L-46 48L-32 74ZM-14 74L0 48L14 74ZM32 74L46 48L60 74Z", fill="#b9b6ae", stroke=_DARK, width=4),
)
_LOGS: Glyph = (Shape("M-56 72L52 50M-52 50L56 72M-58 61H58", stroke="#7a5a36", width=8),)
_POND: Glyph = (Shape(disc(0, 10, 46), fill=_SEA, stroke="#5c93b1", width=5),)
_OASIS: Glyph = (Shape(disc(0, 34, 34), fill=_SEA, stroke="#5c93b1", width=4), *glyphs.PALMS)
_RAILS: Glyph = (*glyphs.BRIDGE, Shape("M-66 -8H66M-66 8H66", stroke="#4a4742", width=5))

TERRAIN: Mapping[str, Style] = {
    "abatis": Style(glyph=_LOGS),
    "airfield": Style(_PLAIN, glyphs.RUNWAY),
    "balka": Style(_HILL, glyphs.RAVINE),
    "barracks": Style(_TOWN, glyphs.BUILDING),
    "beach": Style(_SAND, glyphs.STIPPLE),
    "bridge": Style(glyph=glyphs.BRIDGE, across="river", along="bridge"),
    "bunker": Style(glyph=glyphs.BUNKER),
    "castle": Style(_ROCK, glyphs.FORT),
    "caves_on_hills": Style(_HILL, glyphs.CAVE),
    "caves_on_mountains": Style(_ROCK, glyphs.CAVE),
    "cemetery": Style(_PLAIN, glyphs.GRAVES),
    "church": Style(_TOWN, glyphs.CHURCH),
    "city_ruins": Style(_TOWN, glyphs.RUINS),
    "cliffs_sea_bluffs": Style(_HILL, glyphs.CLIFF),
    "dam": Style(_SEA, _DAM),
    "dragons_teeth": Style(glyph=_TEETH),
    "ergs_ridges": Style(_SAND, glyphs.DUNES),
    "escarpment": Style(_ROCK, glyphs.CLIFF),
    "factory_complex": Style(_TOWN, glyphs.FACTORY),
    "field_bunker": Style(glyph=glyphs.BUNKER),
    "fish_pond": Style(_WET, _POND),
    "flooded_field": Style(_WET, glyphs.WAVES),
    "fordable_stream": Style(),
    "ford_fordable_river": Style(glyph=glyphs.FORD, across="river", along="bridge"),
    "forest": Style(_WOOD, glyphs.WOODS),
    "fortress": Style(_ROCK, glyphs.FORT),
    "frozen_river": Style(glyph=_ICE),
    "hq_supply_tent": Style(glyph=glyphs.CAMP),
    "hedgehog": Style(glyph=glyphs.HEDGEHOG),
    "hedgerow": Style(_WOOD, glyphs.HEDGE),
    "high_ground": Style(_HILL, glyphs.HILL),
    "hill": Style(_HILL, glyphs.HILL),
    "hill_forest": Style(_HILL, (*glyphs.HILL, *glyphs.WOODS)),
    "hill_village": Style(_HILL, (*glyphs.HILL, *glyphs.TOWN)),
    "hospital": Style(_TOWN, _CROSS),
    "jungle": Style("#b9d3a0", (*glyphs.PALMS, *glyphs.STIPPLE)),
    "labor_camp": Style(_PLAIN, glyphs.CAMP),
    "lake": Style(_SEA, glyphs.WAVES),
    "lighthouse": Style(_ROCK, _LIGHT),
    "marsh": Style(_WET, glyphs.MARSH),
    "minefield": Style(glyph=glyphs.MINE),
    "mountain": Style(_ROCK, glyphs.MOUNTAIN),
    "oasis": Style(_WOOD, _OASIS),
    "ocean": Style(_SEA, glyphs.WAVES),
    "palm_forest": Style(_WOOD, glyphs.PALMS),
    "pier": Style(glyph=_PIER),
    "pontoon_bridge": Style(glyph=glyphs.BRIDGE, across="river", along="bridge"),
    "power_plant": Style(_TOWN, _BOLT),
    "prison_camp": Style(_PLAIN, glyphs.CAMP),
    "radar_station": Style(_PLAIN, _MAST),
    "railroad_bridge": Style(glyph=_RAILS, across="river", along="rail"),
    "railroad_station": Style(_TOWN, _STATION),
    "railroad_track": Style(),
    "ravine": Style(_HILL, glyphs.RAVINE),
    "rice_paddy": Style(_WET, _PADDIES),
    "river": Style(),
    "road_block": Style(glyph=glyphs.ROADBLOCK),
    "road": Style(),
    "rope_bridge": Style(glyph=glyphs.BRIDGE, across="river", along="bridge"),
    "sandbags": Style(glyph=glyphs.SANDBAGS),
    "sea_wall": Style(glyph=_SEA_WALL),
    "steep_hill": Style(_HILL, (*glyphs.HILL, *glyphs.CLIFF)),
    "supply_depot": Style(_PLAIN, _CRATES),
    "town_village": Style(_TOWN, glyphs.TOWN),
    "trench": Style(_PLAIN, glyphs.TRENCH),
    "wadi_gully": Style(_SAND, glyphs.RAVINE),
    "wire": Style(glyph=glyphs.WIRE),
}
"""The look of every row of the terrain table."""

_WINTER: Mapping[str, Style] = {
    "forest": Style("#dbe6e1", glyphs.CONIFERS),
    "marsh": Style("#dfe9e8", glyphs.MARSH),
    "hill": Style("#e4dccb", glyphs.HILL),
}
_TRACK = (Stroke("#4a4742", 24, "5 12"), Stroke("#4a4742", 13), Stroke("#e8e4da", 6))
LINKS: Mapping[str, Collection[Stroke]] = {
    "river": RIVER,
    "road": (Stroke("#8b7a5c", 26), Stroke("#efe3c6", 19)),
    "rail": _TRACK,
}

# ------------------------------------------------------------ the armies
COLOURS: Mapping[Side | None, str] = {Side.ALLIES: "#5c7449", Side.AXIS: "#66707f", None: "#d9a400"}
_CLASSES: Mapping[BaseType, Glyph] = {
    BaseType.INFANTRY: glyphs.INFANTRY,
    BaseType.ARMOR: glyphs.ARMOUR,
    BaseType.ARTILLERY: glyphs.ARTILLERY,
    BaseType.TRAIN: glyphs.RAILWAY,
    BaseType.SHIP: glyphs.NAVAL,
}
_TROOPS: Mapping[str, tuple[Glyph | None, str]] = {
    "armored_train": (None, "A"),
    "big_guns": (None, "B"),
    "brandenburgers": (None, "Br"),
    "carrier": (None, "C"),
    "cavalry": (glyphs.RECONNAISSANCE, ""),
    "command_car": (glyphs.HEADQUARTERS, ""),
    "destroyer": (None, "D"),
    "elite_armor": (None, "E"),
    "engineers": (glyphs.ENGINEERS, ""),
    "flamethrower": (None, "F"),
    "french_resistance": (None, "R"),
    "half_track": (glyphs.MECHANISED, ""),
    "heavy_at": (glyphs.ANTITANK, ""),
    "hobart": (None, "H"),
    "landing_craft": (None, "L"),
    "mobile_artillery": (None, "M"),
    "patrol_car": (glyphs.RECONNAISSANCE, "P"),
    "screaming_meemies": (glyphs.MORTAR, ""),
    "ski": (None, "Sk"),
    "sniper": (None, "Sn"),
    "special_forces": (None, "S"),
    "supply_train": (None, "S"),
    "supply_truck": (glyphs.TRANSPORT, ""),
    "tank_destroyer": (None, "D"),
    "tiger": (None, "T"),
}
"""The symbol and the badge of a troop, where they are not those of its class."""
_FLAG: Glyph = (
    Shape("M-44 78V36", stroke=_DARK, width=5),
    Shape("M-44 36H-14L-24 46L-14 56H-44Z", fill="#f2efe6", stroke=_DARK, width=4),
)


def unit_counter(at: Hex, troop_id: str, side: Side, figures: int, lost: int = 0, nation: str = "") -> Counter:
    """Return the counter of a unit.

    >>> unit_counter(Hex(0, 0), "elite_armor", Side.AXIS, 4).title
    'Axis Elite Armor, 4 figures'
    """
    row = troop(troop_id)
    symbol, badge = _TROOPS.get(troop_id, (None, ""))
    title = f"{side} {row.name}{f' ({nation})' if nation else ''}, {figures} figure{'s' if figures != 1 else ''}{f', {lost} lost' if lost else ''}"
    return Counter(
        at, colour=COLOURS[side], symbol=symbol or _CLASSES[row.base], pips=figures, hits=lost, badge=badge, title=title
    )


def picture(battle: ScenarioFile | State) -> Svg:
    """Return the picture of a scenario at set-up, or of a battle as it stands; units with an order have a golden border."""
    return _scenario(battle) if isinstance(battle, ScenarioFile) else _battle(battle)


def _battle(state: State) -> Svg:
    setting = state.setting
    obstacles: defaultdict[Hex, list[str]] = defaultdict(list)
    for there, row in sorted(state.obstacles):
        obstacles[there].append(row)
    medals = [
        _medal(what, f", held by the {holder}" if holder else "")
        for what, holder in zip(setting.objectives, state.held, strict=True)
        if isinstance(what, Objective)
    ]
    return board_svg(
        setting.board,
        styles=TERRAIN,
        links=LINKS,
        fill=GROUND[Face.COUNTRY],
        counters=[_unit(state, i, unit.hex) for i, unit in enumerate(state.units) if isinstance(unit.hex, Hex)],
        marks=[*_obstacles(obstacles), *medals],
        title=setting.name,
    )


def _unit(state: State, unit: int, at: Hex) -> Counter:
    what, figures = state.setting.roster[unit], state.units[unit].figures
    lost = max(what.troop.figures, what.figures) - figures
    counter = unit_counter(at, what.troop_id, what.side, figures, lost, what.nation)
    return evolve(counter, border=COLOURS[None]) if state.orders(unit) else counter


def _scenario(scenario: ScenarioFile) -> Svg:
    board = scenario.board
    styles = {**TERRAIN, **_WINTER} if scenario.face is Face.WINTER else TERRAIN
    return board_svg(
        board,
        styles=styles,
        links=LINKS,
        leads=_leads(scenario),
        fill=GROUND[scenario.face],
        counters=[_placed(unit) for unit in scenario.units],
        marks=[
            *_obstacles(scenario.obstacles),
            *_markers(scenario),
            *map(_medal, scenario.objectives),
            *_names(scenario),
        ],
        title=scenario.name,
    )


def _placed(unit: Placed) -> Counter:
    if not unit.troop:  # an aeroplane
        return Counter(unit.hex, colour=COLOURS[unit.side], symbol=glyphs.AIR, title=f"{unit.side} {unit.name}")
    return unit_counter(unit.hex, unit.troop, unit.side, unit.figures, max(unit.full - unit.figures, 0), unit.nation)


def _obstacles(obstacles: Mapping[Hex, Iterable[str]]) -> Iterator[Mark]:
    for there, rows in obstacles.items():
        for row in rows:
            yield Sign(there, TERRAIN[row].glyph, terrain(row).name)


def _medal(objective: Objective, held: str = "") -> Mark:
    whose = f"of the {objective.side}" if objective.side else "of either side"
    return Medal(objective.hex, COLOURS[objective.side], f"objective {whose}{held}")


def _markers(scenario: ScenarioFile) -> Iterator[Mark]:
    for mine in scenario.mines:
        yield Sign(mine.hex, glyphs.MINE, "minefield")
    for way_out in scenario.exits:
        for there in way_out.hexes:
            yield Sign(there, glyphs.EXIT, f"exit of the {way_out.side}" if way_out.side else "exit")
    for marker in scenario.markers:
        yield Sign(marker.hex, _FLAG, f"marker {marker.name}")


def _names(scenario: ScenarioFile) -> Iterator[Mark]:
    for place in scenario.labels:
        text = " ".join(" ".join(place.lines).split())
        if text:
            yield Name(place.hex, text)


def _leads(scenario: ScenarioFile) -> dict[str, list[tuple[Hex, Direction]]]:
    """Every way that a tile with a road, river or railway leads, answered or not."""
    leads: defaultdict[str, list[tuple[Hex, Direction]]] = defaultdict(list)
    for there, layers in scenario.layers.items():
        for layer in layers:
            if layer.word and layer.word.link in LINKS:
                leads[layer.word.link] += [(there, Direction(code // 2)) for code in layer.directions]
    return dict(leads)
