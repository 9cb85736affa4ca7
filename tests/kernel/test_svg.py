"""The picture of a board: well formed, complete, the same every time, and with a name for everything in it."""

from __future__ import annotations

import re
from collections import Counter as Tally
from xml.etree import ElementTree as ET

import pytest

from beachhead import glyphs
from beachhead.board import Board, OffBoard, draw
from beachhead.hexes import Direction, Hex
from beachhead.svg import Arrow, Counter, Highlight, Mark, Medal, Note, Sight, Sign, Stroke, Style, Svg, board_svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
BOARD = draw(
    """
    . w . .
     . h b .
    . . . _

    river: C1-C2-C3
    road: B2-C2-D2
    wall: A1/B1
    Bold <&> "Brave" = B2
    """,
    {"w": "woods", "h": "hill", "b": "bridge"},
).board
STYLES = {
    "woods": Style("#cfdfb4", glyphs.WOODS),
    "hill": Style("#e6d3a3"),
    "bridge": Style(glyph=glyphs.BRIDGE, across="river"),
}


def parts(svg: Svg, kind: str) -> list[ET.Element]:
    return [element for element in ET.fromstring(svg).iter() if element.get("class") == kind]


def titles(svg: Svg, kind: str) -> list[str | None]:
    return [part.findtext(f"{NAMESPACE}title") for part in parts(svg, kind)]


@pytest.mark.parametrize("board", [Board.alternating(), Board.rectangle(1, 1), BOARD], ids=repr)
def test_every_hex_is_drawn_once(board: Board) -> None:
    drawn = Tally(part.get("data-label") for part in parts(board_svg(board), "hex"))
    assert drawn == Tally(map(board.label, board.hexes))


def test_all_hexes_lie_on_the_sheet() -> None:
    svg = board_svg(BOARD)
    left, top, width, height = map(float, ET.fromstring(svg).attrib["viewBox"].split())
    numbers = [
        float(n) for polygon in ET.fromstring(svg).iter(f"{NAMESPACE}polygon") for n in polygon.attrib["points"].split()
    ]
    assert left < min(numbers[::2]) < max(numbers[::2]) < left + width
    assert top < min(numbers[1::2]) < max(numbers[1::2]) < top + height


def test_titles_name_the_hex_its_place_and_its_terrain() -> None:
    named = dict(title.split(": ", 1) for title in titles(board_svg(BOARD), "hex") if title)
    assert named["A1"] == "open"
    assert named["B1"] == "woods"
    assert named['B2 Bold <&> "Brave"'] == "hill"


def test_text_is_escaped() -> None:
    awkward = "<b> & \"quotes\" 'too'"
    hex = BOARD.hex("A1")
    svg = board_svg(
        BOARD,
        counters=[Counter(hex, text="<1>", colour='"red"', badge="&", border="'x'", title=awkward)],
        marks=[Sign(hex, glyphs.WIRE, awkward), Medal(hex, title=awkward), Note(hex, awkward)],
        title=awkward,
    )
    assert ET.fromstring(svg).findtext(f"{NAMESPACE}title") == awkward
    assert titles(svg, "counter") == titles(svg, "sign") == titles(svg, "medal") == [awkward]
    assert [part.text for part in parts(svg, "strength")] == ["<1>"]
    assert {part.text for part in parts(svg, "note")} == {awkward}


def test_the_text_depends_on_the_contents_alone() -> None:
    again = Board.from_data(BOARD.to_data())
    assert board_svg(BOARD, styles=STYLES) == board_svg(again, styles=STYLES)


def test_nothing_can_clash_with_another_picture_on_the_page() -> None:
    svg = board_svg(BOARD, styles=STYLES)
    assert not [
        element for element in ET.fromstring(svg).iter() if "id" in element.attrib or element.tag == f"{NAMESPACE}style"
    ]


def test_fill_comes_from_the_first_terrain_that_has_one() -> None:
    board = Board.rectangle(2, 1, terrain={Hex(0, 0): ("bridge", "woods", "hill")})
    svg = board_svg(board, styles=STYLES, fill="#abcdef")
    assert [part.find(f"{NAMESPACE}polygon").get("fill") for part in parts(svg, "hex")] == ["#cfdfb4", "#abcdef"]  # type: ignore[union-attr]


def test_terrain_without_a_style_is_written_out() -> None:
    assert {part.text for part in parts(board_svg(BOARD, styles={"hill": Style()}), "unknown")} == {"woods", "bridge"}


def test_labels_can_be_left_out() -> None:
    assert len({part.text for part in parts(board_svg(BOARD), "label")}) == len(BOARD)
    assert parts(board_svg(BOARD, labels=False), "label") == []


def link_path(svg: Svg, kind: str) -> str:
    (link,) = [part for part in parts(svg, "link") if part.findtext(f"{NAMESPACE}title") == kind]
    return link.find(f"{NAMESPACE}path").attrib["d"]  # type: ignore[union-attr]


def test_lines_bend_through_hexes_and_run_off_the_board() -> None:
    one = {"river": [Stroke("blue", 30)], "road": [Stroke("brown", 10)]}
    svg = board_svg(BOARD, links=one)
    assert link_path(svg, "river").count("Q") == 3  # C1 and C3 are on the edge, and C2 between them
    road = link_path(svg, "road")
    assert road.count("Q") == 2  # C2, and D2 on the eastern edge
    assert road.count("L") == 1  # B2 is inside the board: a dead end


def test_leads_say_where_a_line_goes_without_a_link() -> None:
    leads = {"river": [(BOARD.hex("A1"), Direction.E), (BOARD.hex("A1"), Direction.SE)]}
    river = link_path(board_svg(BOARD, links={"river": [Stroke("blue", 30)]}, leads=leads), "river")
    assert river.count("Q") == 2  # A1 and C2; what is named runs off the board only where it is said to
    assert river.count("L") == 2  # C1 and C3


def test_a_crossing_is_drawn_as_spokes() -> None:
    board = draw("""
        . . .
         . .
        . . .

        road: A1-A2-B2 A2-A3
        """).board
    spokes = link_path(board_svg(board, links={"road": [Stroke("brown", 10)]}), "road")
    assert spokes.count("L") == 2  # each in and out again; the three far ends run off the board
    assert spokes.count("Q") == 3


def test_a_bridge_lies_across_its_river() -> None:
    straight = draw("""
        . . .
         . . .

        river: A1-B1-C1
        """).board
    board = Board(straight.hexes, terrain={straight.hex("B1"): "bridge"}, links=straight.links, labels=straight.labels)
    (bridge,) = parts(board_svg(board, styles=STYLES), "glyph")
    turn = float(bridge.attrib["transform"].split("rotate(")[1].rstrip(")"))
    assert turn % 180 == 90


def test_a_bridge_without_a_river_lies_along_its_lead() -> None:
    board = Board.rectangle(1, 1, terrain={Hex(0, 0): "bridge"})
    style = Style(glyph=glyphs.BRIDGE, across="river", along="bridge")
    picture = board_svg(
        board, styles={"bridge": style}, links={"bridge": ()}, leads={"bridge": [(Hex(0, 0), Direction.SE)]}
    )
    (bridge,) = parts(picture, "glyph")
    assert "rotate(60)" in bridge.attrib["transform"]
    assert parts(picture, "link") == []


def test_hexside_features_are_drawn_and_named() -> None:
    assert titles(board_svg(BOARD), "hexside") == ["wall"]
    assert len(parts(board_svg(BOARD, hexsides={"wall": [Stroke("black", 9), Stroke("white", 3)]}), "hexside")) == 2


def test_counters_show_steps_left_and_lost() -> None:
    (counter,) = parts(
        board_svg(BOARD, counters=[Counter(BOARD.hex("A1"), pips=3, hits=1, symbol=glyphs.INFANTRY)]), "counter"
    )
    pips = [part.get("fill") != "none" for part in counter.iter() if part.get("class") == "pip"]
    assert pips == [True, True, True, False]


def test_a_stack_shows_every_counter() -> None:
    hex = BOARD.hex("A1")
    stack = parts(board_svg(BOARD, counters=[Counter(hex, text="1"), Counter(hex, text="2")]), "counter")
    corners = [(rect.get("x"), rect.get("y")) for part in stack for rect in part.iter(f"{NAMESPACE}rect")]
    assert len(set(corners)) == 2


@pytest.mark.parametrize(("colour", "ink"), [("#ffffff", "#23221e"), ("#202830", "#ffffff"), ("red", "#23221e")])
def test_ink_can_be_read_on_its_colour(colour: str, ink: str) -> None:
    (strength,) = parts(board_svg(BOARD, counters=[Counter(BOARD.hex("A1"), text="7", colour=colour)]), "strength")
    assert strength.get("fill") == ink


def test_blocked_sight_is_dashed() -> None:
    a, b = BOARD.hex("A1"), BOARD.hex("D2")
    for clear in (True, False):
        (sight,) = parts(board_svg(BOARD, marks=[Sight(a, b, clear=clear)]), "sight")
        assert any(path.get("stroke-dasharray") for path in sight.iter()) is not clear


AWAY = Hex(90, 90)


@pytest.mark.parametrize(
    "mark", [Highlight(AWAY), Medal(AWAY), Note(AWAY, "1"), Sight(Hex(0, 0), AWAY), Arrow((Hex(0, 0), AWAY))], ids=repr
)
def test_marks_off_the_board_are_refused(mark: Mark) -> None:
    with pytest.raises(OffBoard):
        board_svg(BOARD, marks=[mark])


def test_counters_off_the_board_are_refused() -> None:
    with pytest.raises(OffBoard):
        board_svg(BOARD, counters=[Counter(AWAY)])


def test_it_shows_itself_in_a_notebook() -> None:
    svg = board_svg(BOARD)
    assert svg._repr_svg_() == svg
    assert ET.fromstring(svg._repr_html_()).find(f"{NAMESPACE}svg") is not None
    assert repr(svg) == "<Svg of 4 x 3 hexes>"


def test_every_glyph_is_well_formed_and_stays_near_its_hex() -> None:
    library = {
        name: value
        for name, value in vars(glyphs).items()
        if name.isupper() and name[0] != "_" and isinstance(value, tuple)
    }
    board = Board.rectangle(len(library), 1)
    for name, glyph in library.items():
        svg = board_svg(board, marks=[Sign(board.hexes[0], glyph, name)])
        assert titles(svg, "sign") == [name]
        assert all(shape.d.startswith("M") and (shape.fill != "none" or shape.width > 0) for shape in glyph)


def test_hexsides_that_meet_make_one_line() -> None:
    board = draw("""
        . . .
         . .
        . . .

        river: A1/A2 A2/B1
        """).board
    (line,) = parts(board_svg(board, hexsides={"river": [Stroke("blue", 9)]}), "hexside")
    pieces = [piece.split("L") for piece in line.find(f"{NAMESPACE}path").attrib["d"].split("M")[1:]]  # type: ignore[union-attr]
    corners = Tally(corner.strip() for piece in pieces for corner in piece)
    assert sorted(corners.values()) == [1, 1, 2]
    assert line.get("stroke-linecap") == "round"


def test_a_counter_has_a_name_above_and_a_strength_below_its_symbol_in_a_coloured_box() -> None:
    counter = Counter(
        BOARD.hex("A1"), name="CSR", text="5-6", symbol=glyphs.INFANTRY, box="#224488", hits=2, lost="#cc0000"
    )
    (drawn,) = parts(board_svg(BOARD, counters=[counter]), "counter")

    def heights(kind: str) -> list[float]:
        return [float(part.get("y") or part.get("cy") or 0) for part in drawn.iter() if part.get("class") == kind]

    assert heights("designation") < heights("strength")
    assert any(part.get("fill") == "#224488" for part in drawn.iter(f"{NAMESPACE}path"))
    assert [part.get("fill") for part in drawn.iter() if part.get("class") == "pip"] == ["#cc0000"] * 2
    assert any(part.get("stroke") == "#ffffff" for part in drawn.iter(f"{NAMESPACE}path"))  # the symbol, on a dark box


def test_two_counters_stand_abreast_and_one_alone_is_as_large_as_ever() -> None:
    two, one = BOARD.hex("A1"), BOARD.hex("B1")
    counters = [Counter(two, name="Left"), Counter(two, name="Right"), Counter(one, name="Alone")]
    drawn = parts(board_svg(BOARD, counters=counters, abreast=True), "counter")
    places = [part.get("transform", "") for part in drawn]
    assert places[2] == ""
    left, right = (float(place.partition("(")[2].split()[0]) for place in places[:2])
    assert right - left >= 0.8 * 100  # the width of a counter
    assert not any(part.get("transform") for part in parts(board_svg(BOARD, counters=counters), "counter"))


@pytest.mark.parametrize("n", [2, 3, 4, 5, 7, 9, 12])
def test_however_many_counters_stand_abreast_none_hides_another(n: int) -> None:
    hex = BOARD.hex("A1")
    drawn = parts(board_svg(BOARD, counters=[Counter(hex, name=str(i)) for i in range(n)], abreast=True), "counter")
    places = [tuple(map(float, re.findall(r"-?[0-9.]+", part.get("transform", "")))) for part in drawn]
    assert len({*places}) == n
    for x, y, scale in places:
        others = [(x2, y2) for x2, y2, _ in places if (x2, y2) != (x, y)]
        assert all(abs(x2 - x) >= 100 * scale - 0.1 or abs(y2 - y) >= 90 * scale - 0.1 for x2, y2 in others)
