"""Small vector shapes for boards: terrain, works and unit symbols, drawn by hand for this project.

A glyph is a tuple of `Shape`, in units of which a hexside has 100, around the centre of a hex with y growing downwards. A
hex therefore reaches from -87 to 87 across and from -100 to 100 up and down. Terrain leaves its clues around the centre,
where a counter does not hide them. Make your own in the same way: `(Shape("M-20 0h40", stroke="#333", width=6),)`.
"""

from __future__ import annotations

from attrs import frozen

INK = "ink"
"""A colour that is chosen when the glyph is drawn: dark on light ground, light on dark."""


@frozen
class Shape:
    """One path: SVG path data, and how to fill and stroke it. A colour is any SVG colour, `"none"` or `INK`."""

    d: str
    fill: str = "none"
    stroke: str = "none"
    width: float = 0
    dash: str = ""


Glyph = tuple[Shape, ...]


# ------------------------------------------------------------ pieces of paths
def disc(x: float, y: float, r: float) -> str:
    """Return the path of a full circle.

    >>> disc(0, 5, 2)
    'M-2 5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0z'
    """
    return f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0 {-2 * r:g} 0z"


def box(x: float, y: float, width: float, height: float) -> str:
    """Return the path of a rectangle from its upper left corner."""
    return f"M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}z"


def each(piece: str, *spots: tuple[float, float]) -> str:
    """Return one path with a relative `piece` at every spot.

    >>> each("h5", (0, 0), (10, -10))
    'M0 0h5M10 -10h5'
    """
    return "".join(f"M{x:g} {y:g}{piece}" for x, y in spots)


_AROUND = ((-29, -42), (29, -42), (-58, -6), (0, -6), (58, -6), (-30, 32), (30, 32), (0, 66))
_HOUSE = "v-17l17 -14l17 14v17z"
_HOUSES = ((-46, -26), (12, -26), (-74, 18), (-17, 22), (40, 18), (-46, 62), (12, 62))

# ------------------------------------------------------------ terrain
WOODS: Glyph = (
    Shape("".join(disc(x, y, 19) for x, y in _AROUND), fill="#5d8a4a", stroke="#3f6632", width=3),
    Shape("".join(disc(x - 5, y - 6, 6) for x, y in _AROUND), fill="#7ba667"),
)
CONIFERS: Glyph = (
    Shape(each("l17 34h-34z", *((x, y - 22) for x, y in _AROUND)), fill="#4f7565", stroke="#36564a", width=3),
    Shape(each("l7 14h-14z", *((x, y - 22) for x, y in _AROUND)), fill="#eef4f2"),
)
PALMS: Glyph = (
    Shape(each("q4 -16 -2 -34", *((x, y + 18) for x, y in _AROUND)), stroke="#7a5a36", width=5),
    Shape(
        each(
            "q-10 -14 -24 -4q12 -4 24 4q2 -18 20 -16q-14 2 -20 16q16 -4 20 10q-8 -10 -20 -10z",
            *((x - 2, y - 16) for x, y in _AROUND),
        ),
        fill="#4f8a45",
    ),
)
HEDGE: Glyph = (
    Shape("M-70 -36L0 -76L70 -36V36L0 76L-70 36Z", stroke="#47703a", width=17),
    Shape("M-70 -36L0 -76L70 -36V36L0 76L-70 36Z", stroke="#7ba667", width=6, dash="9 11"),
)
_HEDGES = "M-66 -40L0 -78L66 -40V40L0 78L-66 40ZM-66 -4L-18 -20L12 -71M-18 -20L4 22L66 10M4 22L-22 65M4 22L28 61"
BOCAGE: Glyph = (Shape(_HEDGES, stroke="#47703a", width=13), Shape(_HEDGES, stroke="#7ba667", width=6, dash="8 9"))
TOWN: Glyph = (
    Shape(each(_HOUSE, *_HOUSES), fill="#c96f4e", stroke="#6e3423", width=3),
    Shape(each("v-14h9v14z", *((x + 13, y) for x, y in _HOUSES)), fill="#f6e8d4"),
)
CITY: Glyph = (
    Shape(
        "".join(box(x, y, 30, 24) for x, y in ((-66, -34), (-30, -42), (8, -40), (44, -32)))
        + "".join(box(x, y, 30, 24) for x, y in ((-72, 0), (-34, -8), (6, -6), (44, 4)))
        + "".join(box(x, y, 30, 24) for x, y in ((-58, 34), (-20, 28), (18, 32))),
        fill="#a8563f",
        stroke="#5c2a1d",
        width=3,
    ),
    Shape("M-6 62V30L4 12L14 30V62ZM4 12V-6M-3 2H11", fill="#d8c9b0", stroke="#5c2a1d", width=3),
)
RUINS: Glyph = (
    Shape(each("v-22l8 8l7 -14l9 12l10 -6v22z", *_HOUSES), fill="#a9a096", stroke="#5f5850", width=3),
    Shape(each("h3", (-40, 8), (36, 6), (-8, -32), (-4, 30), (50, 20), (-60, 22)), stroke="#5f5850", width=4),
)
CHURCH: Glyph = (
    Shape("M-46 44V-2L-20 -22L6 -2V44ZM6 44V-40L24 -66L42 -40V44Z", fill="#d9c7a8", stroke="#6b5636", width=4),
    Shape("M24 -66V-92M14 -82H34M-26 44V20H-14V44", stroke="#6b5636", width=5),
)
BUILDING: Glyph = (
    Shape("M-56 40V-28L0 -56L56 -28V40Z", fill="#c9bda9", stroke="#5e5344", width=4),
    Shape("M-36 40V-4H-16V40M-2 -2H12V14H-2ZM24 -2H38V14H24Z", stroke="#5e5344", width=4),
)
FACTORY: Glyph = (
    Shape(
        "M-62 44V-20L-34 -40V-20L-6 -40V-20L22 -40V-20H30V-78H48V-20H62V44Z", fill="#b3a79a", stroke="#57504a", width=4
    ),
    Shape("M39 -86q10 -12 0 -20", stroke="#8d8780", width=6),
)
FORT: Glyph = (
    Shape("M-60 46V-50H-40V-34H-20V-50H20V-34H40V-50H60V46Z", fill="#bdb3a3", stroke="#554d40", width=5),
    Shape("M-14 46V14a14 14 0 0 1 28 0V46", fill="#6d6456"),
)
CAMP: Glyph = (
    Shape("M-66 40L-30 -26L6 40ZM-6 40L30 -26L66 40Z", fill="#d8d0b4", stroke="#655c3e", width=4),
    Shape("M-40 40L-30 10L-20 40ZM20 40L30 10L40 40Z", fill="#655c3e"),
)
HILL: Glyph = (
    Shape("M-64 22C-66 -30 -34 -60 0 -60S66 -30 64 22", stroke="#94713f", width=6),
    Shape("M-40 6C-40 -22 -22 -36 0 -36S40 -22 40 6", stroke="#94713f", width=5),
    Shape("M-58 46C-40 70 40 70 58 46", stroke="#94713f", width=4, dash="10 9"),
)
MOUNTAIN: Glyph = (
    Shape("M-78 40L-36 -50L-6 8L26 -66L78 40Z", fill="#a08d77", stroke="#5d4e3e", width=5),
    Shape("M-36 -50L-50 -20L-36 -28L-24 -16ZM26 -66L10 -29L26 -38L42 -28Z", fill="#f7f5f2"),
    Shape("M-54 62H-18M10 66H50", stroke="#5d4e3e", width=5),
)
CLIFF: Glyph = (
    Shape("M-66 -40C-30 -66 30 -66 66 -40", stroke="#7b6242", width=8),
    Shape(
        each("l-3 26", (-56, -46), (-36, -55), (-12, -60), (12, -60), (36, -55), (56, -46)), stroke="#7b6242", width=5
    ),
    Shape("M-56 46C-24 66 24 66 56 46", stroke="#7b6242", width=5, dash="12 8"),
)
RAVINE: Glyph = (
    Shape("M-70 -24C-30 -46 30 -6 70 -30M-70 30C-30 8 30 48 70 24", stroke="#7b6242", width=6),
    Shape(
        each("l4 16", (-52, -30), (-20, -28), (14, -22), (48, -22))
        + each("l4 -16", (-56, 24), (-22, 24), (12, 32), (46, 32)),
        stroke="#7b6242",
        width=4,
    ),
)
MARSH: Glyph = (
    Shape(each("h44", *((x - 22, y + 8) for x, y in _AROUND)), stroke="#5f93a3", width=5),
    Shape(each("v-20m-10 20l-6 -14m26 14l6 -14", *((x, y + 4) for x, y in _AROUND)), stroke="#5a7a3c", width=4),
)
WAVES: Glyph = (Shape(each("q11 -14 22 0t22 0", *((x - 22, y) for x, y in _AROUND)), stroke="#e8f3f8", width=5),)
DUNES: Glyph = (Shape(each("q16 -18 34 0", *((x - 17, y) for x, y in _AROUND)), stroke="#b99a5e", width=4),)
STIPPLE: Glyph = (
    Shape(
        "".join(disc(x, y, 4) for x, y in (*_AROUND, (-12, -60), (-8, 20), (-26, 58), (40, 4), (-66, 24), (64, 22))),
        fill="#b99a5e",
    ),
)
FIELDS: Glyph = (
    Shape(
        "M-70 -30H70M-70 6H70M-56 42H56M-34 -66H34M-30 -66V-30M28 -30V6M-26 6V42M34 42V66M-34 66H34",
        stroke="#7d9155",
        width=5,
    ),
)
TRENCH: Glyph = (
    Shape("M-72 -12h22v26h26v-26h26v26h26v-26h26v26h18", stroke="#6a5335", width=10),
    Shape("M-72 -12h22v26h26v-26h26v26h26v-26h26v26h18", stroke="#c7ae83", width=3),
)
CAVE: Glyph = (
    Shape("M-56 46C-60 -30 -30 -58 0 -58S60 -30 56 46Z", fill="#9a8972", stroke="#55483a", width=5),
    Shape("M-26 46C-28 4 -14 -14 0 -14S28 4 26 46Z", fill="#332b23"),
)
GRAVES: Glyph = (Shape(each("v-30m-10 10h20", *((x, y + 14) for x, y in _AROUND)), stroke="#5c5c58", width=6),)
RUNWAY: Glyph = (
    Shape("M-76 0H76", stroke="#a7a7a2", width=44),
    Shape("M-70 0H70", stroke="#f3f3ee", width=5, dash="18 14"),
)

# ------------------------------------------------------------ works, obstacles and other things that stand on a hex
BUNKER: Glyph = (
    Shape("M-52 73L-42 45H42L52 73Z", fill="#9d9a92", stroke="#3f3d39", width=5),
    Shape(box(-30, 54, 60, 8), fill="#2b2a27"),
)
WIRE: Glyph = (
    Shape("M-64 56H64", stroke="#4b4b4b", width=3),
    Shape("".join(disc(x, 56, 11) for x in (-48, -24, 0, 24, 48)), stroke="#4b4b4b", width=4),
)
SANDBAGS: Glyph = (
    Shape(
        "".join(
            f"M{x} {y}a8 8 0 0 1 8 -8h10a8 8 0 0 1 0 16h-10a8 8 0 0 1 -8 -8z"
            for x, y in ((-56, 69), (-26, 69), (4, 69), (34, 69), (-41, 54), (-11, 54), (19, 54))
        ),
        fill="#d5b986",
        stroke="#6d5630",
        width=3,
    ),
)
HEDGEHOG: Glyph = (
    Shape(each("m-14 -14l28 28m0 -28l-28 28m14 -34v40", (-42, 54), (0, 62), (42, 54)), stroke="#54514d", width=6),
)
ROADBLOCK: Glyph = (
    Shape(box(-46, 50, 92, 18), fill="#f2efe6", stroke="#4a443a", width=3),
    Shape(each("l12 18h12l-12 -18z", (-36, 50), (-8, 50), (20, 50)), fill="#b5402f"),
)
BRIDGE: Glyph = (
    Shape(box(-62, -20, 124, 40), fill="#cdb890"),
    Shape(each("v40", *((x, -20) for x in range(-50, 51, 20))), stroke="#8a734c", width=3),
    Shape("M-68 -30L-58 -20H58L68 -30M-68 30L-58 20H58L68 30", stroke="#4d4130", width=7),
)
FORD: Glyph = (
    Shape(
        "".join(disc(x, y, 7) for x in range(-54, 55, 18) for y in (-11, 11)), fill="#e9dcc0", stroke="#8d7f5f", width=3
    ),
)
SHIP: Glyph = (
    Shape("M-70 14H70L54 48H-56Z", fill="#7d8790", stroke="#333a40", width=4),
    Shape("M-40 14V-10H-8V-36H10V-10H34V14ZM34 2H56", fill="#a5adb4", stroke="#333a40", width=4),
)
TRAIN: Glyph = (
    Shape("M-64 26V-24H-22V-4H40V-30H54V-4H64V26Z", fill="#5f5a55", stroke="#26231f", width=4),
    Shape("".join(disc(x, 34, 12) for x in (-44, -14, 16, 46)), fill="#bdb7ae", stroke="#26231f", width=4),
)
MINE: Glyph = (
    Shape(disc(-52, 44, 14), fill="#3d3a36"),
    Shape(each("v-44m-22 22h44m-37 -15l30 30m0 -30l-30 30", (-52, 66)), stroke="#3d3a36", width=4),
)
EXIT: Glyph = (Shape("M-12 78V42H-28L0 12L28 42H12V78Z", fill="#f0c64a", stroke="#6b5310", width=4),)

# ------------------------------------------------------------ unit symbols, in the plain military manner
_FRAME = Shape(box(-34, -21, 68, 42), stroke=INK, width=4)
_OVAL = "M-14 -12H14a12 12 0 0 1 0 24H-14a12 12 0 0 1 0 -24z"
INFANTRY: Glyph = (_FRAME, Shape("M-34 -21L34 21M-34 21L34 -21", stroke=INK, width=4))
ARMOUR: Glyph = (_FRAME, Shape(_OVAL, stroke=INK, width=4))
MECHANISED: Glyph = (_FRAME, Shape("M-34 -21L34 21M-34 21L34 -21" + _OVAL, stroke=INK, width=3.5))
ARTILLERY: Glyph = (_FRAME, Shape(disc(0, 0, 10), fill=INK))
RECONNAISSANCE: Glyph = (_FRAME, Shape("M-34 21L34 -21", stroke=INK, width=4))
ANTITANK: Glyph = (_FRAME, Shape("M-34 21L0 -21L34 21", stroke=INK, width=4))
ENGINEERS: Glyph = (_FRAME, Shape("M-20 12V-8H20V12M0 -8V12", stroke=INK, width=4))
MORTAR: Glyph = (_FRAME, Shape(disc(0, 10, 6) + "M0 4V-14M-8 -6L0 -15L8 -6", stroke=INK, width=4))
TRANSPORT: Glyph = (_FRAME, Shape("M-34 9H34", stroke=INK, width=4))
RAILWAY: Glyph = (
    _FRAME,
    Shape("M-24 -9H24M-24 1H24" + "".join(disc(x, 12, 4) for x in (-18, 0, 18)), stroke=INK, width=4),
)
NAVAL: Glyph = (_FRAME, Shape("M0 -14V14M-9 -8H9M-16 3C-14 17 14 17 16 3", stroke=INK, width=4))
AIR: Glyph = (_FRAME, Shape("M0 0C-14 -16 -26 -12 -26 0S-14 16 0 0C14 -16 26 -12 26 0S14 16 0 0z", stroke=INK, width=4))
HEADQUARTERS: Glyph = (_FRAME, Shape("M-34 21V34M-34 -4H34", stroke=INK, width=4))
