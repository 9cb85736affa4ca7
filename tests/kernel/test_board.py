"""Boards: their hexes, what lies on them, sets as masks, data, and drawings."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beachhead.board import Board, Drawing, DrawingError, OffBoard, draw
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

MEMOIR = Board.alternating()


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Boards of up to 30 hexes, with holes, terrain, features, links and names."""
    codecs: list[Labels] = [LetterLabels(), MemoirLabels(5), NumberLabels(), DoubledLabels()]
    whole = Board.rectangle(draw(st.integers(1, 6)), draw(st.integers(1, 5)))
    holes = draw(st.frozensets(st.sampled_from(whole.hexes), max_size=len(whole) // 2))
    hexes = [hex for hex in whole if hex not in holes]
    bare = Board(tuple(hexes))
    sides = sorted({Hexside(hex, other) for hex in bare for other in bare.neighbours(hex)})
    some_sides = st.lists(st.sampled_from(sides), unique=True) if sides else st.just([])
    names = st.lists(st.sampled_from(["woods", "hill", "town"]), max_size=2, unique=True).map(tuple)
    features = st.frozensets(st.sampled_from(["wall", "ditch"]), max_size=2)
    return Board(
        tuple(hexes),
        terrain=draw(st.dictionaries(st.sampled_from(hexes), names)),
        hexsides={side: draw(features) for side in draw(some_sides)},
        links={kind: frozenset(draw(some_sides)) for kind in ("road", "river")},
        labels=draw(st.sampled_from(codecs)),
        named=draw(st.dictionaries(st.sampled_from(["Caen", "St. Lo"]), st.sampled_from(hexes))),
    )


# Hexes


def test_the_memoir_boards() -> None:
    assert len(MEMOIR) == 113
    assert MEMOIR.row_lengths == (13, 12, 13, 12, 13, 12, 13, 12, 13)
    assert [MEMOIR.rows[0][0].doubled, MEMOIR.rows[0][-1].doubled] == [(0, 0), (24, 0)]
    assert [MEMOIR.rows[1][0].doubled, MEMOIR.rows[1][-1].doubled] == [(1, 1), (23, 1)]
    assert len(Board.alternating(rows=17)) == 213
    assert len(Board.alternating(26, 25)) == 230
    assert MEMOIR.hex("G5").doubled == (12, 4)
    assert [MEMOIR.label(hex) for hex in MEMOIR.neighbours(MEMOIR.hex("G5"))] == ["H5", "g6", "f6", "F5", "f4", "g4"]


def test_a_rectangle_has_rows_of_one_length() -> None:
    board = Board.rectangle(4, 3)
    assert board.row_lengths == (4, 4, 4)
    assert [board.label(hex) for hex in board.rows[1]] == ["0102", "0202", "0302", "0402"]
    assert Board.rectangle(120, 1).label(Hex(119, 0)) == "120001"


def test_hexes_stand_row_by_row_whatever_order_they_come_in() -> None:
    board = Board((Hex(1, 0), Hex(-1, 1), Hex(0, 0), Hex(0, 1)))
    assert board.hexes == (Hex(0, 0), Hex(1, 0), Hex(-1, 1), Hex(0, 1))
    assert [board.index(hex) for hex in board] == [0, 1, 2, 3]
    assert list(board) == list(board.hexes)
    assert Hex(0, 0) in board
    assert Hex(5, 5) not in board
    assert (0, 0) in board
    assert "A1" not in board


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"hexes": (Hex(0, 0), Hex(0, 0))}, r"Hex\(q=0, r=0\) is on the board twice"),
        ({"hexes": ()}, "at least one hex"),
        ({"terrain": {Hex(9, 9): ("woods",)}}, r"terrain: Hex\(q=9, r=9\) is not on the board \(2 hexes in 1 row,"),
        ({"hexsides": {Hexside(Hex(1, 0), Hex(2, 0)): {"wall"}}}, r"hexsides: Hex\(q=2, r=0\) is not on the board"),
        ({"links": {"road": [Hexside(Hex(1, 0), Hex(2, 0))]}}, r"links: Hex\(q=2, r=0\) is not on the board"),
        ({"links": {"road": [(Hex(0, 0), Hex(2, 0))]}}, "share no hexside"),
        ({"named": {"Caen": Hex(2, 0)}}, r"named: Hex\(q=2, r=0\) is not on the board"),
        ({"hexes": (Hex(-1, 0), Hex(0, 0)), "labels": MemoirLabels(9)}, "has no label"),
    ],
)
def test_what_does_not_fit_is_refused(fields: dict[str, Any], complaint: str) -> None:
    with pytest.raises(GeometryError, match=complaint):
        Board(**{"hexes": (Hex(0, 0), Hex(1, 0)), **fields})


class Everywhere:
    """Labels that are no good: the same for all hexes."""

    def label(self, hex: Hex) -> str:
        return "X"

    def hex(self, text: str) -> Hex:
        return Hex(0, 0)


def test_two_hexes_cannot_have_one_label() -> None:
    with pytest.raises(GeometryError, match="have the same label 'X'"):
        Board((Hex(0, 0), Hex(1, 0)), labels=Everywhere())


def test_questions_about_hexes_that_are_not_there_name_the_extent() -> None:
    away = Hex(-1, 0)
    questions: list[Callable[[Hex], object]] = [
        MEMOIR.index,
        MEMOIR.label,
        MEMOIR.neighbours,
        MEMOIR.neighbour_mask,
        MEMOIR.edge,
        lambda hex: MEMOIR.mask([hex]),
        lambda hex: MEMOIR.within(hex, 2),
        lambda hex: MEMOIR.groups([hex]),
    ]
    for question in questions:
        with pytest.raises(OffBoard, match=r"Hex\(q=-1, r=0\) is not on the board \(113 hexes in 9 rows, A9 to M1\)"):
            question(away)
    with pytest.raises(OffBoard, match="'m8' is not on the board"):
        MEMOIR.hex("m8")
    with pytest.raises(LabelError, match="names no hex"):
        MEMOIR.hex("Caen")


def test_the_edge_names_the_directions_where_the_board_ends() -> None:
    assert MEMOIR.edge(MEMOIR.hex("A9")) == (Direction.NE, Direction.NW, Direction.W, Direction.SW)
    assert MEMOIR.edge(MEMOIR.hex("G1")) == (Direction.SW, Direction.SE)
    assert MEMOIR.edge(MEMOIR.hex("G5")) == ()


@given(boards(), st.integers(0, 4))
def test_neighbours_and_disks_are_those_of_the_plane_that_are_on_the_board(board: Board, distance: int) -> None:
    for hex in board:
        assert board.neighbours(hex) == tuple(other for other in hex.neighbours if other in board)
        assert board.within(hex, distance) == tuple(other for other in board if hex.distance(other) <= distance)
        assert board.members(board.within_mask(hex, distance)) == board.within(hex, distance)
        assert board.members(board.neighbour_mask(hex)) == tuple(other for other in board if hex.adjacent(other))


# What lies there


def test_terrain_features_and_links() -> None:
    a, b, c = Hex(0, 0), Hex(1, 0), Hex(2, 0)
    board = Board(
        (a, b, c),
        terrain={a: "woods", b: ("hill", "town"), c: ()},
        hexsides={Hexside(a, b): {"wall", "ditch"}, Hexside(b, c): ()},
        links={"road": [(a, b), (b, c)], "rail": []},
    )
    assert board.terrain == {a: ("woods",), b: ("hill", "town")}
    assert board.has(b, "town")
    assert not board.has(c, "town")
    assert not board.has(Hex(9, 9), "town")
    assert board.where("hill") == (b,)
    assert board.features(b, a) == board.features(a, b) == {"wall", "ditch"}
    assert board.features(b, c) == board.features(a, c) == frozenset()
    assert board.linked("road", b, a)
    assert not board.linked("road", a, c)
    assert not board.linked("canal", a, b)
    assert board.links_at("road", b) == (c, a)
    assert board.links_at("canal", b) == ()
    assert list(board.links) == ["road"]


def test_links_as_a_graph() -> None:
    board = draw("""
        . . . .
         . . . .
        road: A1-B1-C1 D2-D1
    """).board
    graph = board.graph("road")
    assert [sorted(board.label(hex) for hex in part) for part in nx.connected_components(graph)] == [
        ["A1", "B1", "C1"],
        ["D1", "D2"],
    ]
    assert nx.shortest_path(graph, board.hex("A1"), board.hex("C1")) == [
        board.hex(label) for label in ("A1", "B1", "C1")
    ]
    assert len(board.graph("rail")) == 0


# Sets


@given(boards(), st.data())
def test_masks_are_sets(board: Board, data: st.DataObject) -> None:
    subsets = st.frozensets(st.sampled_from(board.hexes))
    some, others = data.draw(subsets), data.draw(subsets)
    assert board.members(board.mask(some)) == tuple(hex for hex in board if hex in some)
    assert board.mask(some) & board.mask(others) == board.mask(some & others)
    assert board.mask(some) | board.mask(others) == board.mask(some | others)
    assert board.mask(some).bit_count() == len(some)


@pytest.mark.parametrize("mask", [-1, 1 << 113])
def test_a_mask_of_another_board_is_refused(mask: int) -> None:
    with pytest.raises(GeometryError, match="a mask of this board has 113 bits"):
        MEMOIR.members(mask)


@given(boards(), st.data())
def test_groups_are_the_connected_parts(board: Board, data: st.DataObject) -> None:
    some = data.draw(st.frozensets(st.sampled_from(board.hexes)))
    graph: nx.Graph[Hex] = nx.Graph()
    graph.add_nodes_from(some)
    graph.add_edges_from((hex, other) for hex in some for other in board.neighbours(hex) if other in some)
    groups = board.groups(some)
    assert {frozenset(part) for part in nx.connected_components(graph)} == set(groups)
    assert groups == board.groups(lambda hex: hex in some)
    firsts = [min(board.index(hex) for hex in group) for group in groups]
    assert firsts == sorted(firsts)


# Data


@given(boards())
def test_a_board_comes_back_from_its_data(board: Board) -> None:
    data = json.loads(json.dumps(board.to_data()))
    again = Board.from_data(data)
    assert again.to_data() == data == board.to_data()
    assert again.content_digest() == board.content_digest()
    for name in ("hexes", "terrain", "hexsides", "links", "labels", "named"):
        assert getattr(again, name) == getattr(board, name)
    assert pickle.loads(pickle.dumps(board)).content_digest() == board.content_digest()


def test_the_digest_tells_boards_apart_and_nothing_else() -> None:
    woods = {Hex(0, 0): "woods"}
    digests = {
        Board.rectangle(2, 2).content_digest(),
        Board.rectangle(2, 2, terrain=woods).content_digest(),
        Board.rectangle(2, 2, named={"home": Hex(0, 0)}).content_digest(),
        Board.rectangle(2, 2, labels=LetterLabels()).content_digest(),
        Board.rectangle(2, 2, links={"road": [(Hex(0, 0), Hex(1, 0))]}).content_digest(),
        Board.rectangle(2, 2, links={"rail": [(Hex(0, 0), Hex(1, 0))]}).content_digest(),
        Board.rectangle(2, 2, hexsides={Hexside(Hex(0, 0), Hex(1, 0)): ["rail"]}).content_digest(),
    }
    assert len(digests) == 7
    assert Board.rectangle(2, 2, terrain=woods).content_digest() in digests
    assert Board.rectangle(2, 2) != Board.rectangle(2, 2)


def test_data_that_is_no_board_is_refused() -> None:
    data = Board.rectangle(2, 1).to_data()
    with pytest.raises(GeometryError, match="has 'hexes'; here it is missing"):
        Board.from_data({})
    with pytest.raises(
        GeometryError, match="labels of type 'runes' are not known; these are: doubled, letters, memoir, numbers"
    ):
        Board.from_data({**data, "labels": {"type": "runes"}})
    with pytest.raises(GeometryError, match=r"labels of type 'memoir': .*height"):
        Board.from_data({**data, "labels": {"type": "memoir", "height": 9}})
    with pytest.raises(LabelError, match="'here' names no hex"):
        Board.from_data({**data, "terrain": {"here": ["woods"]}})
    with pytest.raises(GeometryError, match=r"Everywhere .* has no JSON form"):
        Board((Hex(0, 0),), labels=Everywhere()).to_data()


# Drawings

DRAWN = """

    . w h .
     . _ wh .
    . . . .

    A1: infantry 4 axis
    A1: medal
    # the river
    river: A1-A2-B3   C3 - D3
    stone wall: A1/B1 A2/A1
    Caen = C1
"""
LEGEND: dict[str, str | tuple[str, ...]] = {"w": "woods", "h": ("hill",), "wh": ("woods", "hill")}


def test_a_drawing_says_everything() -> None:
    drawing = draw(DRAWN, LEGEND)
    board = drawing.board
    at = board.hex
    assert board.row_lengths == (4, 3, 4)
    assert Hex.from_doubled(3, 1) not in board
    assert at("A2").doubled == (1, 1)
    assert board.terrain == {at("B1"): ("woods",), at("C1"): ("hill",), at("C2"): ("woods", "hill")}
    assert drawing.placements == ((at("A1"), "infantry 4 axis"), (at("A1"), "medal"))
    assert drawing.placed(at("A1")) == ("infantry 4 axis", "medal")
    assert drawing.placed(at("B1")) == ()
    assert board.links == {"river": {Hexside(at(a), at(b)) for a, b in (["A1", "A2"], ["A2", "B3"], ["C3", "D3"])}}
    assert board.features(at("A1"), at("B1")) == board.features(at("A1"), at("A2")) == {"stone wall"}
    assert board.named == {"Caen": at("C1")}
    assert board.hex("Caen") == board.places.hex("caen") == at("C1")
    assert board.places.label(at("C1")) == "C1"
    with pytest.raises(LabelError, match=r"'Cane' names no hex: .+, or a name on the map; did you mean 'Caen'"):
        board.hex("Cane")


def test_a_grid_may_be_followed_at_once() -> None:
    drawing = draw("x .\n . .\nB2: gun: 2 = two", {"x": "town"})
    assert drawing.placements == ((Hex.from_doubled(3, 1), "gun: 2 = two"),)


def test_a_drawing_with_the_labels_of_the_game() -> None:
    memoir = draw(". . .\n . .\n. . .\nA3: tank 3\na2: gun 2\nriver: B1-a2", labels=MemoirLabels).board
    assert memoir.labels == MemoirLabels(3)
    assert memoir.linked("river", Hex.from_doubled(1, 1), Hex.from_doubled(2, 2))
    printed = draw(". .\n . .\n0102: tank", labels=NumberLabels())
    assert printed.placements == ((Hex.from_doubled(1, 1), "tank"),)
    doubled = draw(". .\n . .\n1,1: tank\nroad: 1,1-0,0", labels=DoubledLabels())
    assert doubled.board.linked("road", Hex(0, 0), Hex.from_doubled(1, 1))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "nothing is drawn"),
        ("_ _", "nothing is drawn"),
        ("\n\n. x\n", "line 3, '. x': symbol 'x' is not in the legend, which has . _ w"),
        (". .\n. .", "line 2, '. .': row 2 must be indented more than the first"),
        (". .\n . .\n   . .", "line 3, '. .': row 3 must begin where the first row begins"),
        (
            ". .\n\nA1 infantry",
            "line 3, 'A1 infantry': expected 'LABEL: text', 'kind: A-B-C', 'feature: A/B' or 'name = LABEL'",
        ),
        (". .\n\nA1:", "line 3, 'A1:': expected"),
        (". .\nC1: infantry", "line 2, 'C1: infantry': C1 is not on the board"),
        (". .\nA: infantry", "line 2, 'A: infantry': 'infantry' is neither links .* nor a hexside .* 'A' names no hex"),
        (". . .\nroad: A1-C1", "line 2, 'road: A1-C1': A1 and C1 are no neighbours: they are 2 hexes apart"),
        (". . .\nroad: A1-B1 C1", "'C1' is neither links"),
        (". . .\nwall: A1/B1/C1", "'A1/B1/C1' is neither links"),
        (". . .\nwall: A1/Z9", "Z9 is not on the board"),
        (". . .\nwall: A1/", "'' names no hex"),
        (". . .\nCaen = D1", "line 2, 'Caen = D1': D1 is not on the board"),
    ],
)
def test_a_bad_drawing_names_the_line_and_what_is_wrong(text: str, complaint: str) -> None:
    with pytest.raises(DrawingError, match=complaint):
        draw(text, {"w": "woods"})


@pytest.mark.parametrize("symbol", [".", "_", "", "a b", "a:", "="])
def test_a_legend_gives_only_free_symbols_a_meaning(symbol: str) -> None:
    with pytest.raises(DrawingError, match="cannot"):
        draw(". .", {symbol: "woods"})


@given(boards())
def test_a_board_comes_back_from_its_text(board: Board) -> None:
    again = draw(board.text(), board.legend(), board.labels)
    assert again == Drawing(again.board)
    assert again.board.content_digest() == board.content_digest()
    assert draw(str(board), board.legend(), board.labels).board.content_digest() == board.content_digest()


def test_a_board_as_text() -> None:
    board = draw(DRAWN, LEGEND).board
    assert board.legend() == {"h": ("hill",), "w": ("woods",), "o": ("woods", "hill")}
    assert str(board).splitlines() == [
        ". w h .",
        " . _ o .",
        ". . . .",
        "",
        "stone wall: A1/A2 A1/B1",
        "river: A1-A2 A2-B3 C3-D3",
        "Caen = C1",
        "",
        "# h hill",
        "# w woods",
        "# o woods + hill",
    ]
    assert board.text(LEGEND).splitlines()[:3] == [".  w  h  .", " .  _  wh .", ".  .  .  ."]
    with pytest.raises(DrawingError, match="the legend has no symbol for hill on C1"):
        board.text({"w": "woods"})
    assert repr(board) == "<Board of 11 hexes in 3 rows, A1 to D3>"
    assert repr(Board.rectangle(1, 1)) == "<Board of 1 hex in 1 row, 0101 to 0101>"
    assert str(MEMOIR).startswith(". . . . . . . . . . . . .\n . . . . . . . . . . . .\n. ")


def test_a_board_off_the_corner_still_prints() -> None:
    assert str(Board(Hex(0, 0).disk(1))) == " . .\n. . .\n . ."
    assert str(Board((Hex(0, 0), Hex(-1, 1)))) == "_ .\n ."
    assert str(Board(Hex(2, 2).disk(1))) == "_\n _ _ . .\n_ _ . . .\n _ _ . ."


def test_a_legend_never_runs_out() -> None:
    terrain = {Hex(n, 0): f"a{n:02}" for n in range(70)}
    board = Board.rectangle(70, 1, terrain=terrain)
    assert len(board.legend()) == 70
    assert draw(board.text(), board.legend(), board.labels).board.content_digest() == board.content_digest()


def test_numbers_reach_from_the_lowest_to_the_highest() -> None:
    labels = NumberLabels(order="row-column", corner="south-west", rows=3)
    assert Board.rectangle(4, 3, labels=labels).extent == "12 hexes in 3 rows, 0101 to 0304"


def test_what_is_meant_is_found_in_any_case():
    board = Board.rectangle(3, 3, labels=LetterLabels(), named={"St. Lo": Hex(1, 0)})
    assert board.find("b2") == board.hex("B2")
    assert board.find("st. lo") == board.find("St. Lo") == Hex(1, 0)
    assert MEMOIR.find("G5") == MEMOIR.find("g5")
    with pytest.raises(LabelError, match=r"'Dorra' names no hex: .*; did you mean 'Dora'\?$"):
        board.find("Dorra", ["Dora", "Emil"])
    with pytest.raises(OffBoard, match="'Z9' is not on the board"):
        board.find("Z9")
