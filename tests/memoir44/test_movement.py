"""How far units move: against an enumeration of every path that knows the rules in its own words, and what is said of hexes off the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest
from attrs import evolve
from hypothesis import example, given, settings
from hypothesis import strategies as st

from beachhead.hexes import Hex
from beachhead_memoir44 import questions
from beachhead_memoir44.cases import position
from beachhead_memoir44.m44 import BoardSize
from beachhead_memoir44.movement import ways
from beachhead_memoir44.state import State

BOARD = BoardSize.STANDARD.board
CENTRE = BOARD.hex("G5")
NEAR = [hex for hex in BOARD if hex.distance(CENTRE) <= 4]
GROUND = [
    "forest",
    "town_village",
    "hedgerow",
    "hill",
    "beach",
    "ocean",
    "river",
    "river+bridge",
    "river+ford_fordable_river",
    "fordable_stream",
]
LYING = ["wire", "hedgehog", "bunker", "sandbags"]
HEAVY = ("armor", "elite_armor", "artillery")

# The rules of each terrain that is built, as the help document has them.
STOPS = {"forest", "town_village", "hedgerow", "ocean", "ford_fordable_river", "fordable_stream", "wire"}
NO_BATTLE = {"forest", "town_village", "hedgerow"}
LONG = {"infantry": 2, "special_forces": 2, "armor": 3, "elite_armor": 3, "artillery": 1}
BATTLES_AFTER = {"infantry": 1, "special_forces": 2, "armor": 3, "elite_armor": 3, "artillery": 0}


class Field(NamedTuple):
    """A unit in the middle, and what lies and stands around it."""

    troop: str
    ground: Mapping[Hex, frozenset[str]]
    roads: frozenset[frozenset[Hex]]
    others: frozenset[Hex]
    leaves_hedgerows_freely: bool = False

    def lies(self, hex: Hex) -> frozenset[str]:
        """What lies in a hex."""
        return self.ground.get(hex, frozenset())

    def state(self) -> State:
        """The position, with the unit as its first."""
        lines = [f"{BOARD.label(CENTRE)}: {self.troop} allies"]
        lines += [f"{BOARD.label(hex)}: infantry axis" for hex in sorted(self.others)]
        lines += [f"{BOARD.label(hex)}: {name}" for hex in sorted(self.ground) for name in sorted(self.ground[hex])]
        lines += [
            "road: " + "-".join(BOARD.label(hex) for hex in sorted(link)) for link in sorted(map(sorted, self.roads))
        ]
        choice = "free" if self.leaves_hedgerows_freely else "stop"
        return position(lines, options={"m44:hedgerow_exit": choice})


def alone(troop: str, *names: str) -> Field:
    """A troop that begins on some ground in open country, with an enemy far away."""
    return Field(troop, {CENTRE: frozenset(names)}, frozenset(), frozenset({BOARD.hex("A1")}))


@st.composite
def fields(draw: st.DrawFn) -> Field:
    """Ground in every second hex or so, a few obstacles, units and stretches of road."""
    ground = {hex: set(names.split("+")) for hex in NEAR if (names := draw(st.sampled_from([*GROUND, *[""] * 10])))}
    for hex in draw(st.lists(st.sampled_from([*NEAR, *[CENTRE] * 20]), max_size=6)):
        ground.setdefault(hex, set()).add(draw(st.sampled_from(LYING)))
    roads = set[frozenset[Hex]]()
    for start in draw(st.lists(st.sampled_from([CENTRE, *NEAR]), max_size=2)):
        here = CENTRE if draw(st.booleans()) else start
        for _ in range(draw(st.integers(1, 5))):
            there = draw(st.sampled_from([hex for hex in BOARD.neighbours(here) if hex in NEAR]))
            roads.add(frozenset((here, there)))
            here = there
    others = draw(st.frozensets(st.sampled_from([hex for hex in NEAR if hex != CENTRE]), min_size=1, max_size=8))
    troop = draw(st.sampled_from(sorted(LONG)))
    frozen = {hex: frozenset(names) for hex, names in ground.items()}
    return Field(troop, frozen, frozenset(roads), others, draw(st.booleans()))


def every_path(field: Field) -> Iterator[tuple[tuple[Hex, ...], bool]]:
    """Every path that the rules allow, and whether the unit may battle after it. Nothing here asks the system."""
    start, begins = CENTRE, field.lies(CENTRE)
    if field.troop == "artillery" and "bunker" in begins:
        return

    def enters(path: tuple[Hex, ...], hex: Hex) -> bool:
        names, n = field.lies(hex), len(path)
        if hex in field.others or ("river" in names and not names & {"bridge", "ford_fordable_river"}):
            return False
        if field.troop in HEAVY and names & {"bunker", "hedgehog"}:
            return False
        if "hedgerow" in names and start not in BOARD.neighbours(hex):
            return False
        if "beach" in names and n > 2:
            return False
        if "ocean" in begins and n > 1:
            return False
        if "hedgerow" in begins and n > 1 and not field.leaves_hedgerows_freely:
            return False
        return n == 1 or not field.lies(path[-1]) & STOPS

    def walk(path: tuple[Hex, ...], all_road: bool) -> Iterator[tuple[tuple[Hex, ...], bool]]:
        for hex in BOARD.neighbours(path[-1]):
            road = all_road and frozenset((path[-1], hex)) in field.roads
            if len(path) > LONG[field.troop] + road or hex in path or not enters(path, hex):
                continue
            longer = (*path, hex)
            more = 1 if road and BATTLES_AFTER[field.troop] else 0
            yield longer, len(path) <= BATTLES_AFTER[field.troop] + more and not field.lies(hex) & NO_BATTLE
            yield from walk(longer, road)

    yield from walk((start,), True)


@settings(max_examples=150, deadline=None)
@given(fields())
@example(alone("artillery", "bunker"))
@example(alone("armor", "ocean"))
@example(alone("armor", "hedgerow"))
def test_ways_are_those_of_every_path(field: Field) -> None:
    state = field.state()
    paths: dict[Hex, list[tuple[tuple[Hex, ...], bool]]] = {}
    for path, battles in every_path(field):
        paths.setdefault(path[-1], []).append((path, battles))
    found = ways(state, 0)
    assert set(found) == set(paths)
    for hex, way in found.items():
        may_battle = any(battles for _, battles in paths[hex])
        as_good = [path for path, battles in paths[hex] if battles is may_battle]
        assert (not way.no_battle) is may_battle, BOARD.label(hex)
        assert way.path in as_good
        assert len(way.path) == min(map(len, as_good))


@settings(max_examples=25, deadline=None)
@given(fields())
def test_questions_agree_with_ways(field: Field) -> None:
    state = field.state()
    found = ways(state, 0)
    reached = questions.reachable(state, "G5")
    assert set(reached) == {BOARD.label(hex) for hex in found}
    base = state.troop(0).base
    assert set(questions.reachable(state, "G5", battle=True)) == {
        BOARD.label(h)
        for h, w in found.items()
        if not w.no_battle and not any(base in row.no_battle_inside for row in state.rows(h))
    }
    for hex in NEAR:
        verdict = questions.may_move(state, "G5", hex)
        assert bool(verdict) is (hex in found)
        assert bool(verdict) or all(rule.startswith("m44:") for rule in verdict.rules)


def test_nobody_leaves_the_board() -> None:
    state = position(["M5: infantry allies", "A1: infantry axis"])
    east = BOARD.hex("M5") + Hex(1, 0)
    against = questions.may_move(state, "M5", east)
    assert not against
    assert against.rules == ("m44:troop.infantry.move",)
    assert "not on the board" in str(against)


@pytest.mark.parametrize("lying", ["wire", "sandbags"])
def test_ways_follow_what_lies_there_now(lying: str) -> None:
    """What is remembered of one state is not taken for another: with the wire away the way goes on."""
    state = position(["E5: infantry allies", f"F5: {lying}", "e6: river", "e4: river", "M9: infantry axis"])
    beyond = BOARD.hex("G5")
    assert (beyond in ways(state, 0)) is (lying != "wire")
    assert beyond in ways(evolve(state, obstacles=frozenset()), 0)
