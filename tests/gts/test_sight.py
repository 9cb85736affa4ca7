"""Lines of Sight: the catalogue's examples, the mask answer against the answer in words, and both against counting by hand."""

from __future__ import annotations

from typing import Any

import pytest
from fields import DAY, NIGHT, Pair, board, field, state
from hypothesis import given, settings
from hypothesis import strategies as st

from beachhead.board import Board, OffBoard
from beachhead.hexes import Hex, Hexside
from beachhead.sight import Along, Crossed, Through, line
from beachhead_gts.battlefield import Battlefield
from beachhead_gts.sight import Purpose, can_see_hex, limit_rule, seen, sees, sight_limit
from beachhead_gts.state import State
from beachhead_gts.tables import Barrage, Weather

HOME = Hex(0, 0)
LIGHT = Barrage.LIGHT


def barraged(*hexes: Pair) -> tuple[tuple[Hex, Barrage], ...]:
    return tuple((Hex(*hex), LIGHT) for hex in hexes)


def looking(**ground: Any) -> State:
    """A state with this on the map; keys of the field and of the state are given to them."""
    on_field = {key: ground.pop(key) for key in ("posts", "strongpoints", "choices") if key in ground}
    of_state = {key: ground.pop(key) for key in ("barrages", "weather", "turn") if key in ground}
    return state(field(board(**ground), **on_field), **of_state)


def rules_of(now: State, goal: Pair, purpose: Purpose = Purpose.FIRE) -> tuple[bool, tuple[str, ...]]:
    """Whether the goal is seen from `Hex(0, 0)`, and what is cited; the mask must say the same."""
    verdict = can_see_hex(now, HOME, Hex(*goal), purpose)
    assert sees(now, HOME, Hex(*goal), purpose) == verdict.ok
    return verdict.ok, tuple(rule.removeprefix("gts:15.4.") for rule in verdict.rules)


# ------------------------------------------------------------ by hand
CLEAR = (True, ("a", "m"))


@pytest.mark.parametrize(
    ("ground", "goal", "answer"),
    [
        ({}, (3, 0), CLEAR),
        ({}, (0, 0), CLEAR),
        ({"woods": [(2, 0)]}, (3, 0), (False, ("b",))),
        ({"woods": [(2, 1)]}, (3, 0), CLEAR),
        ({"orchard": [(2, 0)]}, (3, 0), CLEAR),
        ({"woods": [(2, 0)]}, (2, 0), (True, ("a", "m", "c"))),
        ({"woods": [(0, 0), (2, 0)]}, (2, 0), (True, ("a", "m", "d", "c"))),
        # next to each other, whatever there is
        ({"woods": [(0, 0), (1, 0)], "crests": [((0, 0), (1, 0))]}, (1, 0), (True, ("k", "d", "c", "1.f"))),
        # a corner
        ({"woods": [(1, 1), (3, 0)]}, (4, 1), (True, ("a", "m", "l"))),
        # along hexsides
        ({"woods": [(1, 0)]}, (1, 1), (True, ("a", "m", "1.c"))),
        ({"woods": [(1, 0), (0, 1)]}, (1, 1), (False, ("1.d",))),
        ({"woods": [(1, 0), (1, 2)]}, (2, 2), (True, ("a", "m", "1.c", "1.l"))),
        ({"woods": [(2, 1), (1, 2)]}, (2, 2), (False, ("1.d", "1.l"))),
        # crests
        ({"crests": [((1, 0), (2, 0))]}, (4, 0), (False, ("1.e",))),
        ({"crests": [((1, 0), (2, 0))], "crest": "slope"}, (3, 0), (False, ("1.e", "1.h"))),
        ({"crests": [((1, 0), (2, 0))], "crest": "stream"}, (3, 0), CLEAR),
        ({"crests": [((0, 0), (1, 0))]}, (4, 0), (True, ("a", "m", "1.f"))),
        ({"crests": [((0, 0), (1, 0))], "crest": "ridge"}, (4, 0), (True, ("a", "m", "1.f", "1.h"))),
        ({"crests": [((0, 0), (1, 0)), ((3, 0), (4, 0))]}, (4, 0), (True, ("a", "m", "1.f", "gts:G17"))),
        ({"crests": [((1, 0), (0, 1))]}, (1, 1), (False, ("1.g",))),
        ({"crests": [((1, 0), (1, 1))]}, (2, 2), (True, ("a", "m", "1.m"))),
        ({"crests": [((1, 0), (1, 1)), ((0, 1), (1, 1))]}, (2, 2), (False, ("1.m",))),
        ({"crests": [((0, 0), (1, 0)), ((0, 0), (0, 1))]}, (1, 1), (True, ("a", "m", "1.f"))),
        # the hexside crossed exactly at a corner, and one that only begins there
        ({"crests": [((1, 0), (2, 0))]}, (4, 1), (False, ("1.e",))),
        ({"crests": [((1, 0), (1, 1))]}, (4, 1), CLEAR),
        # barrages
        ({"barrages": barraged((1, 0))}, (2, 0), (False, ("b", "gts:16.6.2.2.c"))),
        ({"barrages": barraged((0, 0))}, (4, 0), (True, ("a", "m", "1.j"))),
        ({"barrages": barraged((3, 0))}, (3, 0), (True, ("a", "m", "1.k"))),
        ({"woods": [(1, 0)], "barrages": barraged((0, 1))}, (1, 1), (False, ("1.d", "gts:16.6.2.2.c", "1.n"))),
        # limits
        ({}, (8, 0), CLEAR),
        ({}, (9, 0), (False, ("g", "f"))),
        ({"turn": NIGHT}, (4, 0), (False, ("i", "f"))),
        ({"turn": NIGHT}, (3, 0), CLEAR),
        ({"turn": NIGHT, "weather": Weather.RAIN}, (3, 0), (False, ("h", "f"))),
        ({"weather": Weather.FOG}, (2, 0), CLEAR),
        # strongpoints
        ({"strongpoints": [(0, 0)]}, (3, 0), (True, ("a",))),
        ({"strongpoints": [(0, 0)], "woods": [(1, 0), (2, 0), (3, 0)]}, (3, 0), (True, ("3.b", "3.a", "3.d", "c"))),
        ({"strongpoints": [(0, 0)], "woods": [(1, 0), (2, 0), (3, 0)]}, (4, 0), (False, ("3.b", "b"))),
        ({"strongpoints": [(3, 0)], "woods": [(1, 0)]}, (3, 0), (False, ("b",))),
        (
            {"strongpoints": [(0, 0), (3, 0)], "woods": [(1, 0), (2, 0)]},
            (3, 0),
            (True, ("3.b", "3.a", "3.d", "3.g")),
        ),
        ({"strongpoints": [(0, 0)]}, (9, 0), (False, ("g", "f"))),
        # an observation post is nothing to who fires
        ({"posts": [(0, 0)], "woods": [(2, 0)]}, (3, 0), (False, ("b", "2.b"))),
        ({"posts": [(0, 0)]}, (13, 0), (False, ("g", "f", "2.b"))),
        ({"posts": [(0, 0)]}, (14, 0), (False, ("g", "f"))),
    ],
)
def test_lines(ground: dict[str, Any], goal: Pair, answer: tuple[bool, tuple[str, ...]]) -> None:
    assert rules_of(looking(**ground), goal) == answer


def test_any_of_the_hexes_on_the_line_blocks() -> None:
    for hex in [(1, 0), (1, 1), (2, 0), (2, 1)]:
        assert not sees(looking(barrages=barraged(hex)), HOME, Hex(3, 1))


FOUR_WOODS = {"posts": [(0, 0)], "woods": [(1, 0), (2, 0), (3, 0), (4, 0)]}
WITH_CREST = {"posts": [(0, 0)], "crests": [((2, 0), (3, 0))]}
SEEN_PAST = ("2.f", "2.g", "2.a", "2.k")


@pytest.mark.parametrize(
    ("ground", "goal", "answer"),
    [
        ({"posts": [(0, 0)]}, (13, 0), (True, ("a", "2.c", "2.a", "2.k"))),
        ({"posts": [(0, 0)]}, (14, 0), (False, ("2.c", "f"))),
        ({"posts": [(0, 0)], "weather": Weather.FOG}, (3, 0), (False, ("2.d", "f"))),
        ({"posts": [(0, 0)], "turn": NIGHT}, (4, 0), (False, ("2.e", "f"))),
        ({"posts": [(13, 0)]}, (13, 0), (False, ("g", "f"))),
        (FOUR_WOODS, (4, 0), (True, (*SEEN_PAST, "c"))),
        (FOUR_WOODS, (5, 0), (False, ("2.f", "2.g", "b"))),
        (WITH_CREST | {"woods": [(1, 0), (2, 0)]}, (4, 0), (True, SEEN_PAST)),
        (WITH_CREST | {"woods": [(1, 0), (2, 0), (3, 0)]}, (4, 0), (False, ("2.f", "2.g", "b", "1.e"))),
        ({"posts": [(0, 0)], "barrages": barraged((1, 0), (2, 0), (3, 0))}, (5, 0), (True, (*SEEN_PAST, "2.h"))),
        (
            {"posts": [(0, 0)], "barrages": barraged((1, 0), (2, 0), (3, 0)), "woods": [(4, 0)]},
            (5, 0),
            (False, ("2.f", "2.g", "b", "gts:16.6.2.2.c")),
        ),
        # terrain and barrage in one hex are one obstacle
        (
            {"posts": [(0, 0)], "barrages": barraged((1, 0), (2, 0)), "woods": [(1, 0), (2, 0), (3, 0)]},
            (4, 0),
            (True, SEEN_PAST),
        ),
    ],
)
def test_spotting(ground: dict[str, Any], goal: Pair, answer: tuple[bool, tuple[str, ...]]) -> None:
    assert rules_of(looking(**ground), goal, Purpose.SPOTTING) == answer


def test_a_post_does_not_serve_its_own_fire() -> None:
    now = looking(posts=[(0, 0)], woods=[(3, 0)])
    assert rules_of(now, (6, 0), Purpose.SELF_SPOTTING) == (False, ("b", "2.i"))


def test_own_crests_at_both_ends_block_by_the_other_choice() -> None:
    crests, block = [((0, 0), (1, 0)), ((3, 0), (4, 0))], {"gts:G17": "block"}
    assert rules_of(looking(crests=crests, choices=block), (4, 0)) == (False, ("gts:G17",))
    assert rules_of(looking(crests=crests[:1], choices=block), (4, 0)) == (True, ("a", "m", "1.f"))
    past = looking(crests=crests, choices=block, strongpoints=[(0, 0)])
    assert rules_of(past, (4, 0)) == (True, ("3.b", "3.a", "3.d"))
    assert (
        rules_of(looking(crests=[*crests, ((1, 0), (2, 0))], choices=block, strongpoints=[(0, 0)]), (4, 0))[0] is False
    )


def test_the_blocking_hex_is_named() -> None:
    now = looking(woods=[(1, 0)], crests=[((2, 0), (3, 0))])
    assert str(can_see_hex(now, HOME, Hex(4, 0))) == (
        "the sight from 0,0 to 8,0 is blocked by woods at 2,0 (gts:15.4.b); "
        "the sight from 0,0 to 8,0 is blocked by the crest between 4,0 and 6,0 (gts:15.4.1.e)"
    )
    now = looking(woods=[(1, 0), (2, 0), (3, 0)], strongpoints=[(0, 0)])
    assert "sees past 2 obstacles, and on the way to 8,0 are 3: woods at 2,0; woods at 4,0" in str(
        can_see_hex(now, HOME, Hex(4, 0))
    )


@pytest.mark.parametrize(
    ("ground", "goal", "named"),
    [
        ({"barrages": barraged((1, 0))}, (2, 0), "light barrage at 2,0 "),
        ({"woods": [(1, 0), (0, 1)]}, (1, 1), "woods at 2,0 and woods at 1,1, between which it runs"),
        ({"crests": [((1, 0), (0, 1))]}, (1, 1), "the crest between 1,1 and 2,0, along which it runs"),
        (
            {"crests": [((1, 0), (1, 1)), ((0, 1), (1, 1))], "crest": "slope"},
            (2, 2),
            "the slope between 2,0 and 3,1 and the slope between 1,1 and 3,1, between which it passes",
        ),
        ({"weather": Weather.FOG}, (3, 0), "6,0 is 3 hexes away from 0,0, and sight reaches 2 (fog)"),
    ],
)
def test_whatever_blocks_is_named(ground: dict[str, Any], goal: Pair, named: str) -> None:
    assert named in str(can_see_hex(looking(**ground), HOME, Hex(*goal)))


def test_limits() -> None:
    assert [(sight_limit(now), limit_rule(now)) for now in (looking(turn=DAY), looking(turn=NIGHT))] == [
        (8, "gts:15.4.g"),
        (3, "gts:15.4.i"),
    ]
    assert (sight_limit(looking(weather=Weather.RAIN)), limit_rule(looking(weather=Weather.RAIN))) == (2, "gts:15.4.h")


def test_a_hex_beyond_the_map() -> None:
    with pytest.raises(OffBoard):
        can_see_hex(looking(), HOME, Hex(40, 0))


# ------------------------------------------------------------ any board
CORNERS = Hex(0, 0).disk(5)
sides = st.sampled_from(sorted({Hexside(a, b) for a in CORNERS for b in a.neighbours if b in CORNERS}))


@st.composite
def battles(draw: st.DrawFn) -> State:
    """A ragged board with woods, crests, barrages, strongpoints and observation posts."""
    hexes = sorted(set(CORNERS) - draw(st.sets(st.sampled_from(CORNERS), max_size=12)))
    some = st.sets(st.sampled_from(hexes), max_size=30)
    crests = [side for side in draw(st.sets(sides, max_size=60)) if side.a in hexes and side.b in hexes]
    ground = Board(
        tuple(hexes), terrain=dict.fromkeys(draw(some), "woods"), hexsides={side: {"crest"} for side in crests}
    )
    few = st.sets(st.sampled_from(hexes), max_size=4)
    choice = {"gts:G17": draw(st.sampled_from(["excused", "block"]))}
    battlefield = field(ground, posts=draw(few), strongpoints=draw(few), choices=choice)
    barrages = tuple((hex, LIGHT) for hex in sorted(draw(few)))
    return state(battlefield, barrages=barrages, weather=draw(st.sampled_from(Weather)), turn=draw(st.integers(1, 2)))


def counted(now: State, a: Hex, b: Hex) -> int:
    """How many obstacles are on the line, step by step."""
    field, steps = now.setting, line(a, b).steps
    blocking = set(field.board.terrain) | {hex for hex, _ in now.barrages}
    crest, count = field.board.hexsides, 0
    first, last = False, False
    for step in steps[1:-1]:
        match step:
            case Through(hex):
                count += hex in blocking
            case Crossed(side):
                if side in crest:
                    first, last = first or a in side, last or b in side
                    count += a not in side and b not in side
            case Along():
                count += step.left in blocking and step.right in blocking
                count += step.hexside in crest
                if step.begins[0] in crest and step.begins[1] in crest:
                    first = first or a in step.begins[0]
                    count += a not in step.begins[0]
                if step.ends[0] in crest and step.ends[1] in crest:
                    last = last or b in step.ends[0]
                    count += b not in step.ends[0]
    both = field.choices["gts:G17"] == "block" and first and last and a.distance(b) > 1
    return count + 2 * both


def seen_by_counting(now: State, a: Hex, b: Hex, purpose: Purpose) -> bool:
    field: Battlefield = now.setting
    post = purpose is Purpose.SPOTTING and a in field.observation_posts
    limit = 2 if now.weather is not Weather.CLEAR else 3 if now.turn == NIGHT else 13 if post else 8
    past = 3 if post else 2 if a in field.strongpoints else 0
    return a.distance(b) <= limit and counted(now, a, b) <= past


@settings(deadline=None, max_examples=60)
@given(battles(), st.data())
def test_the_mask_the_words_and_counting_agree(now: State, data: st.DataObject) -> None:
    board = now.setting.board
    purpose = data.draw(st.sampled_from(Purpose))
    for a in data.draw(st.lists(st.sampled_from(board.hexes), min_size=1, max_size=4, unique=True)):
        by_counting = {b for b in board if seen_by_counting(now, a, b, purpose)}
        assert set(board.members(seen(now, a, purpose))) == by_counting
        assert {b for b in board if can_see_hex(now, a, b, purpose)} == by_counting


@settings(deadline=None, max_examples=60)
@given(battles())
def test_sight_is_mutual_without_symbols_on_the_map(now: State) -> None:
    special = now.setting.strongpoints | now.setting.observation_posts
    plain = [hex for hex in now.setting.board if hex not in special]
    view = {hex: seen(now, hex) for hex in plain}
    bit = now.setting.bit
    for a in plain:
        for b in plain:
            assert bool(view[a] & bit[b]) == bool(view[b] & bit[a])
        for b in now.setting.board.neighbours(a):
            assert view[a] & bit[b]


@settings(deadline=None, max_examples=60)
@given(battles())
def test_a_symbol_shows_no_less(now: State) -> None:
    for hex in now.setting.strongpoints | now.setting.observation_posts:
        ordinary = seen(now, hex, Purpose.FIRE)
        assert ordinary & ~seen(now, hex, Purpose.SPOTTING) == 0
        assert ordinary == seen(now, hex, Purpose.SELF_SPOTTING)
