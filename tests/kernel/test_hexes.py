"""Hexes, hexsides and labels."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beachhead.errors import BeachheadError
from beachhead.hexes import (
    Direction,
    DoubledLabels,
    GeometryError,
    Hex,
    Hexside,
    LabelError,
    Labels,
    LetterLabels,
    MemoirLabels,
    NumberLabels,
)

ORIGIN = Hex(0, 0)
coordinates = st.integers(-60, 60)
hexes = st.builds(Hex, coordinates, coordinates)
turns = st.integers(-7, 7)


# Hexes


def test_neighbours_are_ordered_counter_clockwise_from_the_east() -> None:
    east, north_east, north_west, west, south_west, south_east = Hex(0, 0).neighbours
    assert east == (1, 0)
    assert north_east.doubled == (1, -1)
    assert north_west.doubled == (-1, -1)
    assert west == (-1, 0)
    assert south_west.doubled == (-1, 1)
    assert south_east.doubled == (1, 1)
    assert Hex(3, 4).neighbours == tuple(Hex(3, 4).neighbour(direction) for direction in Direction)


@given(hexes, st.sampled_from(Direction))
def test_a_neighbour_lies_in_its_direction_and_the_way_back_is_opposite(hex: Hex, direction: Direction) -> None:
    there = hex.neighbour(direction)
    assert hex.adjacent(there)
    assert hex.distance(there) == 1
    assert hex.direction(there) is direction
    assert there.neighbour(direction.opposite) == hex


def test_no_direction_leads_to_a_hex_that_is_no_neighbour() -> None:
    with pytest.raises(GeometryError, match=r"no neighbour of .* 2 hexes apart"):
        ORIGIN.direction(Hex(2, 0))
    with pytest.raises(GeometryError, match="0 hexes apart"):
        ORIGIN.direction(ORIGIN)
    assert not ORIGIN.adjacent(ORIGIN)
    assert not ORIGIN.adjacent(Hex(1, 1))


@given(hexes, hexes)
def test_distance_is_the_number_of_doubled_rows_and_half_the_columns_left_over(a: Hex, b: Hex) -> None:
    (column_a, row_a), (column_b, row_b) = a.doubled, b.doubled
    dx, dy = abs(column_a - column_b), abs(row_a - row_b)
    assert a.distance(b) == b.distance(a) == dy + max(0, (dx - dy) // 2)


def test_distance_counts_steps() -> None:
    steps, seen = {ORIGIN: 0}, [ORIGIN]
    for hex in seen:
        if steps[hex] < 4:
            for other in hex.neighbours:
                if other not in steps:
                    steps[other] = steps[hex] + 1
                    seen.append(other)
    assert all(ORIGIN.distance(hex) == count for hex, count in steps.items())
    assert set(steps) == set(ORIGIN.disk(4))


@given(hexes, st.integers(0, 5))
def test_a_disk_is_its_rings(hex: Hex, radius: int) -> None:
    rings = [other for n in range(radius + 1) for other in hex.ring(n)]
    assert len(rings) == len(set(rings)) == 1 + 3 * radius * (radius + 1)
    assert set(rings) == set(hex.disk(radius))
    assert all(hex.distance(other) == radius for other in hex.ring(radius))
    assert list(hex.disk(radius)) == sorted(hex.disk(radius), key=lambda h: (h.r, h.q))


def test_a_ring_goes_counter_clockwise_from_the_east() -> None:
    assert ORIGIN.ring(1) == ORIGIN.neighbours
    ring = ORIGIN.ring(3)
    assert ring[0] == (3, 0)
    assert all(a.adjacent(b) for a, b in zip(ring, ring[1:] + ring[:1], strict=True))
    assert ORIGIN.ring(0) == (ORIGIN,)


@pytest.mark.parametrize("shape", [Hex.ring, Hex.disk])
def test_no_radius_is_negative(shape: object) -> None:
    with pytest.raises(GeometryError, match="0 or more, not -1"):
        shape(ORIGIN, -1)  # type: ignore[operator]


@given(hexes, hexes, turns, turns)
def test_turns_add_up_and_keep_distances(a: Hex, about: Hex, first: int, second: int) -> None:
    assert a.rotated(first, about).rotated(second, about) == a.rotated(first + second, about)
    assert a.rotated(6, about) == a
    assert a.rotated(first, about).distance(about) == a.distance(about)


def test_a_turn_is_counter_clockwise() -> None:
    assert [ORIGIN.neighbour(Direction.E).rotated(n) for n in range(6)] == list(ORIGIN.neighbours)
    assert Hex(5, 5).neighbour(Direction.W).rotated(-1, about=Hex(5, 5)) == Hex(5, 5).neighbour(Direction.NW)
    assert Direction.E.turned(1) is Direction.NE
    assert Direction.E.turned(-1) is Direction.SE


@given(hexes, hexes, turns)
def test_a_mirror_swaps_east_and_west(a: Hex, about: Hex, steps: int) -> None:
    mirrored = a.reflected(about)
    assert mirrored.reflected(about) == a
    assert mirrored.doubled == (2 * about.doubled[0] - a.doubled[0], a.doubled[1])
    assert a.rotated(steps, about).reflected(about) == mirrored.rotated(-steps, about)


@given(hexes, hexes, st.integers(-5, 5))
def test_hexes_add_up_as_vectors(a: Hex, b: Hex, factor: int) -> None:
    assert a + b - b == a
    assert -a + a == ORIGIN
    assert a * factor == factor * a == (a.q * factor, a.r * factor)
    assert a.q + a.r + a.s == 0
    assert all(type(hex) is Hex for hex in (a + b, a - b, -a, a * factor, factor * a))


@given(hexes)
def test_doubled_columns_lead_back(hex: Hex) -> None:
    assert Hex.from_doubled(*hex.doubled) == hex
    column, row = hex.doubled
    with pytest.raises(GeometryError, match="must be even"):
        Hex.from_doubled(column + 1, row)


@given(hexes)
def test_repr_is_python(hex: Hex) -> None:
    assert eval(repr(hex)) == hex
    side = Hexside.between(hex, hex.neighbours[2])
    assert eval(repr(side)) == side


def test_neighbours_share_the_two_corners_of_their_hexside() -> None:
    for direction, other in enumerate(ORIGIN.neighbours):
        corners = ORIGIN.corners
        shared = {corners[direction], corners[(direction + 1) % 6]}
        assert set(corners) & set(other.corners) == shared
        assert set(Hexside(ORIGIN, other).ends) == shared


def test_a_hex_hashes_the_same_in_every_process() -> None:
    code = "from beachhead.hexes import Hex, Hexside; print(hash(Hex(3, -1)), hash(Hexside(Hex(0, 0), Hex(1, 0))))"
    ran = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert ran[0] == ran[1] == f"{hash(Hex(3, -1))} {hash(Hexside(Hex(0, 0), Hex(1, 0)))}\n"


# Hexsides


@given(hexes, st.sampled_from(Direction))
def test_a_hexside_has_no_order(a: Hex, direction: Direction) -> None:
    b = a.neighbour(direction)
    side = Hexside.between(a, b)
    assert side == Hexside.between(b, a) == Hexside(b, a)
    assert hash(side) == hash(Hexside(b, a))
    assert a in side
    assert b in side
    assert side.other(a) == b
    assert side.other(b) == a
    assert pickle.loads(pickle.dumps(side)) == side
    assert type(pickle.loads(pickle.dumps(side))) is Hexside


def test_only_neighbours_share_a_hexside() -> None:
    with pytest.raises(GeometryError, match="only neighbours do, and these are 2 apart"):
        Hexside.between(ORIGIN, Hex(2, 0))
    with pytest.raises(GeometryError, match="does not border"):
        Hexside.between(ORIGIN, Hex(1, 0)).other(Hex(0, 1))


def test_mistakes_are_both_value_errors_and_our_own() -> None:
    assert issubclass(LabelError, GeometryError)
    assert issubclass(GeometryError, ValueError)
    assert issubclass(GeometryError, BeachheadError)


# Labels

CORNERS = ("north-west", "south-west", "north-east", "south-east")
CODECS: tuple[Labels, ...] = (
    MemoirLabels(9),
    MemoirLabels(17),
    LetterLabels(),
    DoubledLabels(),
    *(
        NumberLabels(order=order, corner=corner, columns=30, rows=20, first=first, width=width, odd_rows=odd_rows)  # type: ignore[arg-type]
        for order in ("column-row", "row-column")
        for corner in CORNERS
        for first in (0, 1)
        for width in (2, 3)
        for odd_rows in ("east", "west")
    ),
)


@pytest.mark.parametrize("labels", CODECS, ids=repr)
def test_labels_lead_back(labels: Labels) -> None:
    board = [Hex.from_doubled(2 * column + row % 2, row) for row in range(9) for column in range(26)]
    names = [labels.label(hex) for hex in board]
    assert [labels.hex(name) for name in names] == board
    assert len(set(names)) == len(board)
    assert hash(labels) == hash(pickle.loads(pickle.dumps(labels)))


@pytest.mark.parametrize("labels", CODECS[:6], ids=repr)
def test_what_is_no_label_is_refused_with_an_example(labels: Labels) -> None:
    for text in ("", "?", "7", "C", "12.4", "C3 ", "Straße", "٣٣٣٣", "1,2,3", "C03"):
        with pytest.raises(LabelError, match=r"names no hex: expected .* such as") as refused:
            labels.hex(text)
        assert repr(text) in str(refused.value)


@pytest.mark.parametrize(
    ("doubled", "label"),
    [
        ((12, 4), "G5"),
        ((1, 1), "a8"),
        ((0, 0), "A9"),
        ((24, 0), "M9"),
        ((0, 8), "A1"),
        ((24, 8), "M1"),
        ((23, 7), "l2"),
    ],
)
def test_memoir_labels(doubled: tuple[int, int], label: str) -> None:
    assert MemoirLabels(9).label(Hex.from_doubled(*doubled)) == label
    assert MemoirLabels(9).hex(label).doubled == doubled


def test_memoir_labels_of_the_wide_and_the_deep_board() -> None:
    assert MemoirLabels(9).label(Hex.from_doubled(50, 0)) == "Z9"
    assert MemoirLabels(17).label(Hex.from_doubled(24, 16)) == "M1"
    assert MemoirLabels(17).label(Hex.from_doubled(0, 0)) == "A17"


def test_memoir_labels_say_which_case_a_row_has() -> None:
    with pytest.raises(LabelError, match="row 5 has capital letters, as in 'G5'"):
        MemoirLabels(9).hex("g5")
    with pytest.raises(LabelError, match="row 8 has small letters, as in 'a8'"):
        MemoirLabels(9).hex("A8")
    with pytest.raises(LabelError, match="a number from 1 to 9"):
        MemoirLabels(9).hex("A10")


@pytest.mark.parametrize("doubled", [(52, 0), (-2, 0), (0, 10), (1, -1)])
def test_memoir_labels_end_somewhere(doubled: tuple[int, int]) -> None:
    with pytest.raises(LabelError, match="from A to Z and rows from 1 to 9"):
        MemoirLabels(9).label(Hex.from_doubled(*doubled))


def test_printed_numbers_from_each_corner() -> None:
    hex = Hex.from_doubled(7, 1)  # the fourth hex of the second row
    labels = {corner: NumberLabels(corner=corner, columns=10, rows=8).label(hex) for corner in CORNERS}  # type: ignore[arg-type]
    assert labels == {"north-west": "0402", "south-west": "0407", "north-east": "0702", "south-east": "0707"}


def test_juno_counts_rows_from_the_south_and_names_the_row_first() -> None:
    juno = NumberLabels(order="row-column", corner="south-west", rows=20)
    assert juno.hex("0213").doubled == (24, 18)
    assert juno.label(Hex.from_doubled(0, 19 - 1)) == "0201"
    assert juno.label(Hex.from_doubled(1, 19)) == "0101"


def test_numbers_from_zero_and_wider_numbers() -> None:
    assert NumberLabels(first=0).label(ORIGIN) == "0000"
    assert NumberLabels(width=3).hex("001006") == NumberLabels().hex("0106")


def test_odd_rows_to_the_west_count_from_their_own_first_hex() -> None:
    labels = NumberLabels(odd_rows="west")
    assert labels.label(Hex.from_doubled(-1, 1)) == "0102"
    assert labels.hex("0101") == ORIGIN


def test_printed_numbers_do_not_run_over() -> None:
    with pytest.raises(LabelError, match="its column would be 100"):
        NumberLabels().label(Hex.from_doubled(198, 0))
    with pytest.raises(LabelError, match="its row -1"):
        NumberLabels().label(Hex.from_doubled(0, -2))


@pytest.mark.parametrize(("corner", "missing"), [("south-west", "rows"), ("north-east", "columns")])
def test_a_far_corner_needs_the_size_of_the_board(corner: str, missing: str) -> None:
    with pytest.raises(GeometryError, match=f"{corner} corner need the number of {missing}"):
        NumberLabels(corner=corner)  # type: ignore[arg-type]


def test_letters_go_on_after_z() -> None:
    labels = LetterLabels()
    assert [labels.label(Hex.from_doubled(2 * column, 0)) for column in (25, 26, 51, 52, 701, 702)] == [
        "Z1",
        "AA1",
        "AZ1",
        "BA1",
        "ZZ1",
        "AAA1",
    ]
    with pytest.raises(LabelError, match="north or west of A1"):
        labels.label(Hex(-1, 0))
