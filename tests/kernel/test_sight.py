"""Sight lines: by hand, against an independent computation with fractions, and by their symmetries."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beachhead.board import Board, OffBoard
from beachhead.hexes import GeometryError, Hex, Hexside
from beachhead.sight import Along, Crossed, Fact, Line, SightMasks, Through, line, offsets, table

ORIGIN = Hex(0, 0)
coordinates = st.integers(-20, 20)
hexes = st.builds(Hex, coordinates, coordinates)


# By hand


def side(a: tuple[int, int], b: tuple[int, int]) -> Hexside:
    return Hexside(Hex(*a), Hex(*b))


def test_a_hex_sees_itself_without_leaving_it() -> None:
    assert line(Hex(2, 3), Hex(2, 3)).steps == (Through(Hex(2, 3)),)
    assert line(Hex(2, 3), Hex(2, 3)).through == ()


def test_neighbours_see_each_other_across_their_hexside() -> None:
    for other in Hex(4, 4).neighbours:
        assert line(Hex(4, 4), other).steps == (Through(Hex(4, 4)), Crossed(Hexside(Hex(4, 4), other)), Through(other))


def test_along_a_row_the_line_goes_through_every_hex() -> None:
    seen = line(Hex(1, 1), Hex(4, 1))
    assert seen.through == (Hex(2, 1), Hex(3, 1))
    assert seen.crossed == (side((1, 1), (2, 1)), side((2, 1), (3, 1)), side((3, 1), (4, 1)))
    assert seen.along == ()
    assert seen.touched == ()


def test_south_the_line_runs_along_a_hexside() -> None:
    # The hex two rows south stands straight below. Looking south, east is on the left.
    assert line(Hex(0, 0), Hex(-1, 2)).steps == (
        Through(Hex(0, 0)),
        Along(
            side((-1, 1), (0, 1)),
            left=Hex(0, 1),
            right=Hex(-1, 1),
            begins=(side((0, 0), (0, 1)), side((0, 0), (-1, 1))),
            ends=(side((-1, 2), (0, 1)), side((-1, 2), (-1, 1))),
        ),
        Through(Hex(-1, 2)),
    )


def test_a_longer_line_south_has_a_hex_between_its_runs() -> None:
    seen = line(Hex(0, 0), Hex(-2, 4))
    assert seen.through == (Hex(-1, 2),)
    assert [(run.hexside, run.left, run.right) for run in seen.along] == [
        (side((-1, 1), (0, 1)), Hex(0, 1), Hex(-1, 1)),
        (side((-2, 3), (-1, 3)), Hex(-1, 3), Hex(-2, 3)),
    ]
    assert seen.crossed == ()
    assert seen.touched == ()


@pytest.mark.parametrize(
    ("target", "left", "right"),
    [
        ((1, 1), (1, 0), (0, 1)),  # east-south-east
        ((2, -1), (1, -1), (1, 0)),  # east-north-east
        ((1, -2), (0, -1), (1, -1)),  # north
        ((-1, -1), (-1, 0), (0, -1)),
        ((-2, 1), (-1, 1), (-1, 0)),
        ((-1, 2), (0, 1), (-1, 1)),  # south
    ],
)
def test_the_six_runs_with_their_sides(target: tuple[int, int], left: tuple[int, int], right: tuple[int, int]) -> None:
    (run,) = line(ORIGIN, Hex(*target)).along
    assert (run.left, run.right) == (left, right)
    assert run.hexside == side(left, right)
    assert run.begins == (side((0, 0), left), side((0, 0), right))
    assert run.ends == (side(target, left), side(target, right))


def test_a_corner_passed_is_a_touch_and_the_hexside_between_the_interiors_is_crossed() -> None:
    # Nine half hexes east and one row south: the line falls 1 in 3. It leaves hex (1, 0) through the corner (3, 1), which
    # that hex shares with (2, 0) and (1, 1), and goes on in (2, 0); by symmetry the same happens at the corner (6, 2).
    assert line(ORIGIN, Hex(4, 1)).steps == (
        Through(Hex(0, 0)),
        Crossed(side((0, 0), (1, 0))),
        Through(Hex(1, 0)),
        Crossed(side((1, 0), (2, 0)), touched=Hex(1, 1)),
        Through(Hex(2, 0)),
        Crossed(side((2, 0), (2, 1))),
        Through(Hex(2, 1)),
        Crossed(side((2, 1), (3, 1)), touched=Hex(3, 0)),
        Through(Hex(3, 1)),
        Crossed(side((3, 1), (4, 1))),
        Through(Hex(4, 1)),
    )
    assert line(ORIGIN, Hex(4, 1)).touched == (Hex(1, 1), Hex(3, 0))


def test_a_line_goes_through_more_hexes_than_its_distance_says() -> None:
    # Seven half hexes east and one row south: between the ends of a path of hexes lie three, and the straight line cuts
    # four. It falls 3 in 7, and passes the top corner (3, 1) of hex (1, 1) below, the bottom corner (4, 2) of (2, 0) above.
    assert ORIGIN.distance(Hex(3, 1)) == 4
    assert line(ORIGIN, Hex(3, 1)).through == (Hex(1, 0), Hex(1, 1), Hex(2, 0), Hex(2, 1))


def test_facts_move_with_the_line() -> None:
    seen = line(Hex(10, -7), Hex(9, -5))
    assert seen.along[0].left == Hex(10, -6)
    assert seen.along[0].begins[0] == side((10, -7), (10, -6))
    assert line(Hex(10, -7), Hex(14, -6)).touched == (Hex(11, -6), Hex(13, -7))
    assert line(Hex(10, -7), Hex(12, -7)).crossed == (side((10, -7), (11, -7)), side((11, -7), (12, -7)))


def test_a_line_is_a_value() -> None:
    assert line(ORIGIN, Hex(1, 2)) == Line(ORIGIN, Hex(1, 2))
    assert hash(line(ORIGIN, Hex(1, 2))) == hash(Line(ORIGIN, Hex(1, 2)))
    assert line(ORIGIN, Hex(1, 2)) != line(Hex(1, 2), ORIGIN)
    assert eval(repr(line(ORIGIN, Hex(1, 2)))) == line(ORIGIN, Hex(1, 2))


# Against fractions: the segment is clipped against each hex near it, which knows nothing of walking from hex to hex

How: TypeAlias = Literal["through", "along", "touch"]


def met(goal: Hex) -> dict[Hex, tuple[How, Fraction, Fraction]]:
    """How the segment from the origin meets each hex, and in which part of it, from 0 to 1.

    In cube coordinates a hex is where each difference of two coordinates is at most 1 away from that of its centre.
    """

    def differences(hex: Hex) -> tuple[int, int, int]:
        return hex.q - hex.r, hex.r - hex.s, hex.s - hex.q

    found: dict[Hex, tuple[How, Fraction, Fraction]] = {}
    length = ORIGIN.distance(goal)
    for hex in ORIGIN.disk(length + 1):
        if ORIGIN.distance(hex) + hex.distance(goal) > length + 2:
            continue
        enter, leave, on_side = Fraction(0), Fraction(1), False
        for speed, centre in zip(differences(goal), differences(hex), strict=True):
            if speed:
                ends = sorted((Fraction(centre - 1, speed), Fraction(centre + 1, speed)))
                enter, leave = max(enter, ends[0]), min(leave, ends[1])
            elif abs(centre) > 1:
                leave = Fraction(-1)
            elif abs(centre) == 1:
                on_side = True
        if enter < leave:
            found[hex] = ("along" if on_side else "through", enter, leave)
        elif enter == leave:
            found[hex] = ("touch", enter, leave)
    return found


def expected(goal: Hex) -> tuple[Fact, ...]:
    """The facts in order, put together from `met`."""
    how = met(goal)
    interiors = sorted((hex for hex, (kind, *_) in how.items() if kind == "through"), key=lambda hex: how[hex][1])
    facts: list[Fact] = [Through(ORIGIN)]
    for a, b in pairwise(interiors):
        if how[a][2] == how[b][1]:
            touched = [hex for hex, (kind, t, _) in how.items() if kind == "touch" and t == how[b][1]]
            assert len(touched) <= 1
            facts.append(Crossed(Hexside(a, b), *touched))
        else:
            one, other = (h for h, (kind, *when) in how.items() if kind == "along" and when == [how[a][2], how[b][1]])
            left, right = (one, other) if is_left(one, goal) else (other, one)
            begins, ends = (Hexside(a, left), Hexside(a, right)), (Hexside(b, left), Hexside(b, right))
            facts.append(Along(Hexside(left, right), left, right, begins, ends))
        facts.append(Through(b))
    assert (interiors[0], interiors[-1]) == (ORIGIN, goal)
    return tuple(facts)


def is_left(hex: Hex, goal: Hex) -> bool:
    """Whether a hex lies on the left hand of the line: turning towards it is turning counter-clockwise."""
    ahead, side_on = goal.centre, hex.centre
    return ahead[1] * side_on[0] > ahead[0] * side_on[1]


TARGETS = tuple(hex for hex in ORIGIN.disk(12) if hex != ORIGIN)


def test_every_line_to_a_hex_within_12_agrees_with_fractions() -> None:
    assert len(TARGETS) == 468
    different = [goal for goal in TARGETS if offsets(*goal).steps != expected(goal)]
    assert different == []


@pytest.mark.parametrize("goal", [Hex(40, 7), Hex(-33, 66), Hex(31, -62), Hex(17, -3), Hex(-36, -9), Hex(1, 49)])
def test_long_lines_agree_with_fractions(goal: Hex) -> None:
    assert offsets(*goal).steps == expected(goal)


def test_touches_are_complete_and_nothing_else_is_met() -> None:
    for goal in TARGETS:
        seen, how = line(ORIGIN, goal), met(goal)
        touched = {hex for hex, (kind, *_) in how.items() if kind == "touch"}
        assert set(seen.touched) == touched
        assert {hex for run in seen.along for hex in (run.left, run.right)} == {
            hex for hex, (kind, *_) in how.items() if kind == "along"
        }


def test_the_cases_are_as_many_as_they_should_be() -> None:
    within_8 = [offsets(*hex) for hex in ORIGIN.disk(8)]
    assert sum(bool(facts.along) for facts in within_8) == 24
    assert sum(bool(facts.touched) for facts in within_8) == 36
    assert not any(facts.along and facts.touched for facts in within_8)


# Symmetries


def moved(fact: Fact, to: Callable[[Hex], Hex], *, swap: bool = False, backwards: bool = False) -> Fact:
    """A fact under a symmetry of the map; `swap` when it exchanges left and right, `backwards` when it turns the line round."""

    def across(hexside: Hexside) -> Hexside:
        return Hexside(to(hexside.a), to(hexside.b))

    match fact:
        case Through(hex):
            return Through(to(hex))
        case Crossed(hexside, touched):
            return Crossed(across(hexside), None if touched is None else to(touched))
        case Along(hexside, left, right, begins, ends):
            if backwards:
                begins, ends = ends, begins
            pairs = [(left, right), begins, ends]
            (left, right), begins, ends = [pair[::-1] for pair in pairs] if swap else pairs  # type: ignore[assignment]
            return Along(
                across(hexside),
                to(left),
                to(right),
                (across(begins[0]), across(begins[1])),
                (across(ends[0]), across(ends[1])),
            )


# Long lines are mostly dull; these have runs and corners.
targets = hexes | st.builds(
    lambda hex, n: hex * n, st.sampled_from([Hex(1, 1), Hex(4, 1), Hex(1, -5)]), st.integers(-9, 9)
)


@given(hexes, targets)
def test_looking_back_is_the_same_line(a: Hex, to: Hex) -> None:
    there, back = line(a, a + to), line(a + to, a)
    assert back.steps == tuple(moved(fact, lambda hex: hex, swap=True, backwards=True) for fact in there.steps[::-1])
    assert back.through == there.through[::-1]
    assert back.crossed == there.crossed[::-1]
    assert back.touched == there.touched[::-1]


@given(hexes, targets, hexes)
def test_lines_do_not_depend_on_where_they_are(a: Hex, to: Hex, by: Hex) -> None:
    here, there = line(a, a + to), line(a + by, a + by + to)
    assert there.steps == tuple(moved(fact, lambda hex: hex + by) for fact in here.steps)


@given(hexes, targets, hexes, st.integers(0, 5))
def test_lines_turn_with_the_map(a: Hex, to: Hex, about: Hex, steps: int) -> None:
    def turned(hex: Hex) -> Hex:
        return hex.rotated(steps, about)

    assert line(turned(a), turned(a + to)).steps == tuple(moved(fact, turned) for fact in line(a, a + to).steps)


@given(hexes, targets, hexes)
def test_lines_in_a_mirror_swap_left_and_right(a: Hex, to: Hex, about: Hex) -> None:
    def mirrored(hex: Hex) -> Hex:
        return hex.reflected(about)

    facts = line(a, a + to).steps
    assert line(mirrored(a), mirrored(a + to)).steps == tuple(moved(fact, mirrored, swap=True) for fact in facts)


@given(hexes, targets)
def test_the_steps_alternate_and_the_views_are_cut_from_them(a: Hex, to: Hex) -> None:
    seen = line(a, a + to)
    assert all(isinstance(fact, Through) for fact in seen.steps[::2])
    assert not any(isinstance(fact, Through) for fact in seen.steps[1::2])
    assert seen.steps[0] == Through(a)
    assert seen.steps[-1] == Through(a + to)
    assert seen.through == tuple(fact.hex for fact in seen.steps[1:-1] if isinstance(fact, Through))
    assert seen.along == tuple(fact for fact in seen.steps if isinstance(fact, Along))
    assert seen.crossed == tuple(fact.hexside for fact in seen.steps if isinstance(fact, Crossed))
    assert all(run.left.adjacent(run.right) for run in seen.along)
    assert offsets(*to).pairs == tuple((run.left - a, run.right - a) for run in seen.along)


# Masks and the table


def test_masks_hold_the_facts_for_every_pair_of_hexes_of_a_board() -> None:
    whole = Board.rectangle(6, 6)
    board = Board(tuple(hex for hex in whole if hex not in (Hex(2, 2), Hex(1, 3))), labels=whole.labels)
    lines = SightMasks(board)
    for a in board:
        for b in board:
            seen, (through, pairs) = line(a, b), lines.between(a, b)
            assert board.members(through) == tuple(hex for hex in board if hex in seen.through)
            assert [board.members(left) for left, _ in pairs] == [
                (run.left,) * (run.left in board) for run in seen.along
            ]
            assert [board.members(right) for _, right in pairs] == [
                (run.right,) * (run.right in board) for run in seen.along
            ]
            assert lines.between(a, b) is lines.between(a, b)
    for a, b in ((Hex(0, 0), Hex(2, 2)), (Hex(2, 2), Hex(0, 0))):
        with pytest.raises(OffBoard):
            lines.between(a, b)


@pytest.mark.parametrize("radius", [0, 1, 2, 5])
def test_the_table_holds_the_facts_of_every_offset(radius: int) -> None:
    near = table(radius)
    assert [Hex(*row) for row in near.targets.tolist()] == list(ORIGIN.disk(radius))
    for index, target in enumerate(ORIGIN.disk(radius)):
        through = near.through[near.through[:, 0] == index, 1:]
        along = near.along[near.along[:, 0] == index, 1:]
        assert [Hex(*row) for row in through.tolist()] == list(offsets(*target).through)
        assert [(Hex(*row[:2]), Hex(*row[2:])) for row in along.tolist()] == list(offsets(*target).pairs)


def test_the_table_is_shared_and_cannot_be_changed() -> None:
    assert table(3) is table(3)
    for array in (table(3).targets, table(3).through, table(3).along):
        assert array.dtype == np.intp
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 7
    with pytest.raises(GeometryError, match="0 or more, not -1"):
        table(-1)
