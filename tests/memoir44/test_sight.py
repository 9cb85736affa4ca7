"""Line of sight: against plane geometry that clips the line with every hexagon, under every reading of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from beachhead.hexes import Hex
from beachhead_memoir44.cases import position
from beachhead_memoir44.m44 import BoardSize
from beachhead_memoir44.sight import can_see, sees
from beachhead_memoir44.state import State

BOARD = BoardSize.STANDARD.board
BLOCKING = ("forest", "town_village", "hedgerow", "bunker axis")
OPEN = ("river", "beach", "ocean", "wire", "sandbags", "hedgehog")
CORNERS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))
"""Of a hexagon about the origin, where a column of the doubled coordinates is 1 wide and a row 3 high."""


def centre(hex: Hex) -> tuple[int, int]:
    column, row = hex.doubled
    return column, 3 * row


def meets(a: Hex, b: Hex, hex: Hex) -> Literal["through", "left", "right"] | None:
    """How the line from a to b meets a hexagon: through its interior, or along an edge with the hexagon on its left or right."""
    (ax, ay), (bx, by), (cx, cy) = centre(a), centre(b), centre(hex)
    dx, dy = bx - ax, by - ay
    first, last, on_edge = Fraction(0), Fraction(1), False
    for (px, py), (qx, qy) in zip(CORNERS, (*CORNERS[1:], CORNERS[0]), strict=True):
        ex, ey = qx - px, qy - py
        # the inside of the edge p-q is where the cross product is not positive; along the line it is at + t * by_t
        at = ex * (ay - cy - py) - ey * (ax - cx - px)
        by_t = ex * dy - ey * dx
        if by_t == 0:
            if at > 0:
                return None
            on_edge = on_edge or at == 0
        elif by_t > 0:
            last = min(last, Fraction(-at, by_t))
        else:
            first = max(first, Fraction(-at, by_t))
    if first >= last:
        return None
    if not on_edge:
        return "through"
    return "left" if dx * (cy - ay) - dy * (cx - ax) < 0 else "right"


class Field(NamedTuple):
    """What lies where, who stands where, and how the rules are read."""

    ground: Mapping[Hex, str]
    units: frozenset[Hex]
    edges: str
    border: str
    hills: str

    def state(self) -> State:
        lines = [f"{BOARD.label(hex)}: {name}" for hex, name in sorted(self.ground.items())]
        lines += [
            f"{BOARD.label(hex)}: infantry {('axis', 'allies')[i % 2]}" for i, hex in enumerate(sorted(self.units))
        ]
        return position(
            lines,
            options={"m44:edge_sight": self.edges, "m44:board_edge_sight": self.border, "m44:hill_sight": self.hills},
        )

    def hill(self, hex: Hex) -> bool:
        return self.ground.get(hex) == "hill"

    def mass(self, hex: Hex) -> set[Hex]:
        """The connected hills of which a hex is one."""
        found, todo = set[Hex](), [hex] if self.hill(hex) else []
        while todo:
            here = todo.pop()
            found.add(here)
            todo += [there for there in BOARD.neighbours(here) if self.hill(there) and there not in found]
        return found

    def obstructs(self, hex: Hex, a: Hex, b: Hex) -> bool:
        if hex not in BOARD:
            return self.border == "blocks"
        if hex in self.units or self.ground.get(hex) in BLOCKING:
            return True
        if not self.hill(hex):
            return False
        if self.hills == "height":
            return not (self.hill(a) and self.hill(b))
        return not {a, b} <= self.mass(hex)

    def visible(self, a: Hex, b: Hex) -> bool:
        runs = dict[int, set[str]]()
        reach = a.distance(b)
        for dq in range(-reach, reach + 1):
            for dr in range(-reach, reach + 1):
                hex = Hex(a.q + dq, a.r + dr)
                how = None if hex in (a, b) else meets(a, b, hex)
                if how is None or (how == "through" and hex not in BOARD) or not self.obstructs(hex, a, b):
                    continue
                if how == "through":
                    return False
                # the two hexes beside one edge lie equally far along the line; a row is the square root of 3 columns high
                (ac, ar), (bc, br), (hc, hr) = a.doubled, b.doubled, hex.doubled
                runs.setdefault((hc - ac) * (bc - ac) + 3 * (hr - ar) * (br - ar), set()).add(how)
        if self.edges == "line":
            return len(set().union(*runs.values())) < 2
        return all(len(sides) < 2 for sides in runs.values())


@st.composite
def fields(draw: st.DrawFn) -> tuple[Field, Hex]:
    """Crowded ground within five hexes of somewhere, the edge of the board more often than not."""
    middle = draw(
        st.sampled_from(BOARD.hexes) | st.sampled_from([BOARD.hex(label) for label in ("A5", "M5", "M9", "a2", "l4")])
    )
    near = [hex for hex in BOARD if hex.distance(middle) <= 5]
    ground = {
        hex: name for hex in near if (name := draw(st.sampled_from([*BLOCKING, *OPEN, *["hill"] * 14, *[""] * 24])))
    }
    units = draw(st.frozensets(st.sampled_from(near), min_size=2, max_size=5))
    readings = (("line", "segment"), ("blocks", "open"), ("contiguous", "height"))
    edges, border, hills = (draw(st.sampled_from(choices)) for choices in readings)
    return Field(ground, units, edges, border, hills), middle


@settings(max_examples=30, deadline=None)
@given(fields())
def test_sight_is_what_geometry_says(question: tuple[Field, Hex]) -> None:
    field, middle = question
    state = field.state()
    for b in BOARD:
        if 0 < middle.distance(b) <= 5:
            verdict = can_see(state, middle, b)
            assert bool(verdict) is field.visible(middle, b), f"{BOARD.label(middle)} to {BOARD.label(b)}: {verdict}"


@settings(max_examples=30, deadline=None)
@given(fields())
def test_sight_is_mutual_and_the_quick_answer_is_the_long_one(question: tuple[Field, Hex]) -> None:
    field, middle = question
    state = field.state()
    for b in BOARD:
        if 0 < middle.distance(b) <= 6:
            clear = bool(can_see(state, middle, b))
            assert clear is bool(can_see(state, b, middle))
            assert clear is sees(state, middle, b)
            assert clear is sees(field.state(), b, middle)


def test_like_things_on_both_sides_are_cited_once() -> None:
    state = position(["E5: infantry allies", "d6: forest", "e6: forest", "E7: infantry axis"])
    (objection,) = can_see(state, BOARD.hex("E5"), BOARD.hex("E7")).objections
    assert objection.rules == ("m44:los.edge_both_sides", "m44:terrain.forest.los")


def test_the_geometry_itself() -> None:
    """Of the hexes between G5 and h6 the line follows the edge; between C5 and g6 it crosses four and touches two."""

    def met(a: str, b: str) -> dict[str, str]:
        found = {BOARD.label(hex): meets(BOARD.hex(a), BOARD.hex(b), hex) for hex in BOARD}
        return {label: how for label, how in found.items() if how and label not in (a, b)}

    assert met("G5", "h6") == {"g6": "left", "H5": "right"}
    assert met("C5", "g6") == dict.fromkeys(("D5", "E5", "e6", "f6"), "through")
    assert met("E5", "F5") == {}
