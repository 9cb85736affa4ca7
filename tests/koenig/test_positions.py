"""Positions drawn by hand: what each key says, and that every fault of a row is told at once."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from shlex import split
from typing import Any

import pytest

from beachhead.cases import read_cases, run_case
from beachhead.errors import OptionError, ScenarioError, UnknownName
from beachhead.hexes import Hex
from beachhead.rules import Provenance
from beachhead_koenig import SYSTEM
from beachhead_koenig.beach import Away, Enters, Lands, SetUp
from beachhead_koenig.cases import CASES, KEYS, position
from beachhead_koenig.ground import step_cost
from beachhead_koenig.state import Activation, Progress, Replacements, State, Supply, Support
from beachhead_koenig.tables import FireResult, Phase, Side, UnitType

TWO = ("C3: CSR 4-6 allied of 7", "D3: P 3-6 german of 716")


def at(state: State, label: str) -> Hex:
    return state.setting.board.hex(label)


def faults(*args: Any, **row: Any) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        position(*args, **row)
    return [f"{fault.key}: {fault.problem}" for fault in caught.value.faults]


def test_the_empty_position_is_a_clear_board_by_day() -> None:
    state = position()
    board = state.setting.board
    assert (len(board), board.label(board.hexes[0]), board.label(board.hexes[-1])) == (49, "A1", "G7")
    assert (state.turn, state.phase, state.activation, state.cup.size) == (1, Phase.OPERATIONS, None, 0)
    assert state.leadership is Supply.SUPPLY


def test_what_a_line_says_of_a_unit() -> None:
    state = position(["C3: CHO 5-6 heavy-weapons allied of 3 h2 done"])
    piece, unit = state.setting.piece("CHO"), state.unit("CHO")
    assert (piece.strength, piece.movement, piece.type, piece.formation) == (5, 6, UnitType.HEAVY_WEAPONS, "3")
    assert (piece.side, piece.arrives) == (Side.ALLIED, SetUp(at(state, "C3")))
    assert (unit.place, unit.hits, unit.progress) == (at(state, "C3"), 2, Progress.DONE)


def test_formations_without_a_name_are_one_for_each_side() -> None:
    state = position(["A1: P 4-6 allied", "B1: Q 4-6 allied", "C1: R 4-6 german", "D1: S 1-1 allied of 9"])
    assert {each.name: each.side for each in state.setting.formations} == {
        "A": Side.ALLIED,
        "G": Side.GERMAN,
        "9": Side.ALLIED,
    }
    assert state.of("A") == ("P", "Q")


def test_units_off_the_map() -> None:
    lines = [
        "waiting: AT 3-6 german",
        "landing 2 Nan-Red: RWR 4-6 allied",
        "Nan Red = B2",
        "landing 1 C1: HLI 4-6 allied",
    ]
    state = position([*lines, "eliminated: E 1-1 allied", "exited: X 1-1 allied", "retreated: R 1-1 german"], turn=2)
    assert isinstance(state.setting.piece("AT").arrives, Enters)
    assert state.setting.piece("RWR").arrives == Lands(2, at(state, "B2"))
    where = [state.place(unit) for unit in ("AT", "RWR", "E", "X", "R")]
    assert where == [Away.WAITING, Away.WAITING, Away.ELIMINATED, Away.EXITED, Away.RETREATED]
    assert CASES.ask(state, "due", []) == [("HLI", at(state, "C1")), ("RWR", at(state, "B2"))]


def test_a_drawing_and_lines_are_one_map() -> None:
    board = """
        ~ b b
         . o t
        s c .
        river: B2/C2
        road: A2-B2-C2
        Nan Red = B1
        C3: P 3-6 german
    """
    state = position(["B1: town", "cliff: A2/A3", "road: C2-C3", "nan-red: CSR 4-6 allied"], board=board)
    there = state.setting.board
    assert [there.terrain.get(at(state, label), ()) for label in ("A1", "B1", "B2", "C2", "A3", "B3")] == [
        ("sea",),
        ("beach", "town"),
        ("bocage",),
        ("town",),
        ("swamp",),
        ("city",),
    ]
    assert there.features(at(state, "B2"), at(state, "C2")) == {"river"}
    assert there.features(at(state, "A2"), at(state, "A3")) == {"cliff"}
    assert there.linked("road", at(state, "C2"), at(state, "C3"))
    assert there.linked("road", at(state, "A2"), at(state, "B2"))
    assert state.at(at(state, "B1")) == ("CSR",)
    assert state.at(at(state, "C3")) == ("P",)


def test_elsewhere_is_added_to_place() -> None:
    state = CASES.set_up({"place": [TWO[0]], "elsewhere": [TWO[1]], "options": {}})
    assert [str(piece) for piece in state.setting.roster] == ["CSR", "P"]


def test_the_active_formation_is_drawn_and_the_others_are_in_the_cup() -> None:
    state = position([*TWO, "landing 3 A1: QOR 4-6 allied of 8"], active="7")
    assert state.activation == Activation("7")
    assert state.operating == ("CSR",)
    assert list(state.cup) == ["716"]
    assert list(position(TWO).cup) == ["7", "716"]
    assert list(position(TWO, active="7", cup=[]).cup) == []
    assert list(position(TWO, phase="landing").cup) == []


@pytest.mark.parametrize(
    ("row", "enters"),
    [
        ({}, True),
        ({"turn": 5}, False),
        ({"turn": 5, "last_reinforcements": 5}, True),
        ({"turn": 5, "drawings": 3, "options": {"K-01": "drawings"}}, True),
        ({"turn": 2, "drawings": 4, "options": {"K-01": "drawings"}}, False),
    ],
)
def test_a_reinforcement_may_enter_while_its_time_lasts(row: dict[str, Any], enters: bool) -> None:
    """By the limit of turns, or of drawings of its HQ under the other choice of K-01; until then its HQ is in the cup, too."""
    lines = ["waiting: AT 3-6 german of 716", TWO[0]]
    now = position(lines, active="716", **row).activation
    assert now is not None
    assert now.may_enter is enters
    assert ("716" in position(lines, active="7", **row).cup) is enters


def test_who_is_active_has_just_been_drawn() -> None:
    lines, chosen = ["waiting: AT 3-6 german of 716", *TWO], {"K-01": "drawings"}
    assert position(lines, active="716", drawings=1, options=chosen).drawings == 2
    assert position(lines, active="7", drawings=1, options=chosen).drawings == 1


def test_before_the_set_up_nobody_stands_anywhere() -> None:
    state = position(TWO, phase="set-up")
    assert (state.phase, state.turn) == (Phase.SET_UP, 1)
    assert {unit.place for unit in state.units} == {Away.WAITING}
    assert state.setting.piece("CSR").arrives == SetUp(at(state, "C3"))


def test_points_markers_and_the_turn() -> None:
    state = position(
        TWO,
        artillery={"allied": 1, "german": 2},
        support=3,
        leadership="german",
        interdicted=["D4", "C3"],
        exits=["A1", "G1"],
        exited={"G1": 1},
        turn=3,
        track=["Morning", "Afternoon", "Evening"],
        refit_chits=["0", "2*"],
    )
    assert state.support == Support(1, 2, 3)
    assert state.leadership is Side.GERMAN
    assert state.interdicted == (at(state, "C3"), at(state, "D4"))
    assert [(way.name, way.hex) for way in state.setting.exits] == [("A1", at(state, "A1")), ("G1", at(state, "G1"))]
    assert state.exits == (0, 1)
    assert (state.turn, state.turn_name, state.setting.last_turn) == (3, "Evening", 3)
    assert list(state.setting.refit_chits) == ["0", "2*"]


def test_a_phase_of_the_night_comes_on_the_first_night() -> None:
    state = position(TWO, phase="replacement", replacements={"allied": 2, "german": 1}, next="german")
    assert (state.turn, state.night, state.phase) == (4, True, Phase.REPLACEMENT)
    assert state.replacements == Replacements(2, 1, Side.GERMAN)
    assert position(TWO, phase="replacement", replacements={"german": 1}).replacements == Replacements(
        0, 1, Side.GERMAN
    )
    assert position(TWO, phase="redeployment", turn=8).turn == 8
    assert position(TWO, phase="housekeeping").turn == 1


def test_charts_can_be_changed_and_tell_what_is_authored() -> None:
    state = position(
        movement={"bocage": 3},
        landing_fire={"Afternoon": [1] * 6},
        allied_support=[0, 0, 2, 0, 0, 9],
        replacements_german=[6] * 6,
    )
    charts, plain = state.setting.charts, position().setting.charts
    assert (charts["movement"]["bocage"], plain["movement"]["bocage"]) == (3, 2)
    assert charts["movement"]["swamp"] == 3
    assert (charts["landing fire Afternoon"]["1"], plain["landing fire Afternoon"]["1"]) == (1, 0)
    assert charts["landing fire Evening"] == plain["landing fire Evening"]
    assert (charts["allied support"]["6"], charts["replacements German"]["1"]) == (9, 6)
    assert charts["replacements Allied"] == plain["replacements Allied"]
    text = {name: [key for key in chart if chart.source[key] is Provenance.TEXT] for name, chart in plain.items()}
    assert text["movement"] == ["swamp", "river"]
    assert text["landing fire Morning"] == list("123456")
    assert text["allied support"] == ["3"]
    assert not text["landing fire Afternoon"]
    swamp = position(movement={"swamp": 1}).setting.charts["movement"]
    assert swamp.source["swamp"] is Provenance.AUTHORED


def test_exits_may_lie_off_the_map() -> None:
    lines = ["road: A1-B1-C1", "B1: CSR 4-6 allied"]
    edge, boxes = (position(lines, exits=["A1"], options={"K-24": choice}) for choice in ("edge", "boxes"))
    assert edge.setting.exits[0].hex == at(edge, "A1")
    assert boxes.setting.exits[0].hex == at(edge, "B1")
    assert [len(state.setting.board) for state in (edge, boxes)] == [49, 48]
    assert boxes.setting.exits[0].name == "A1"
    assert step_cost(boxes.setting, at(boxes, "C1"), at(boxes, "B1")).total == 1  # type: ignore[union-attr]

    def boxed(*more: str) -> list[str]:
        return faults([*more], exits=["A1"], options={"K-24": "boxes"})

    assert boxed() == ["exits: 0 roads join it to the map"]
    assert boxed("road: A1-B1 A1-A2") == ["exits: 2 roads join it to the map"]
    assert boxed("road: A1-B1", "A1: CSR 4-6 allied") == ["exits: CSR stands or lands there, off the map"]
    assert boxed("road: A1-B1", "landing 1 A1: CSR 4-6 allied") == ["exits: CSR stands or lands there, off the map"]
    off = faults(["road: A1-B1"], exits=["A1"], interdicted=["A1"], options={"K-24": "boxes"})
    assert off == ["interdicted: an exit lies off the map there"]


def test_equal_rows_stand_on_one_beach_and_others_on_another() -> None:
    beach = position(TWO).setting
    assert position(TWO, turn=2, active="7").setting is beach
    assert position(TWO, options={"14.5": True}).setting != beach
    assert position([*TWO, "A7: town"]).setting != beach
    assert position(TWO, movement={"bocage": 3}).setting != beach


# ------------------------------------------------------------ faults
@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["hello"], "is no hex and what is there"),
        (["C3: CSR 4-6"], "whose unit is it?"),
        (["C3: CSR 4-6 alied"], "'alied' is no word for a unit; did you mean 'allied'?"),
        (["C3: CSR 4-6 allied h1 h2"], "'h2' says its hits twice, or not at all"),
        (["C3: CSR 4-6 allied of"], "'of' says its formation twice, or not at all"),
        (["C3: wood"], "is no unit"),
        (["H9: town"], "'H9' is not on the board (49 hexes in 7 rows, A1 to G7)"),
        (["waitin: AT 3-6 german"], "did you mean 'waiting'?"),
        (["A1: P 3-6 german", "A2: P 3-6 german"], "P is there already"),
        (["A1: P 3-6 german of 7", "A2: Q 3-6 allied of 7"], "formation 7 is German"),
        (["A1: P 1-1 german", "A1: Q 1-1 german", "A1: R 1-1 german"], "is one too many in A1"),
        (["A1: P 1-1 german", "A1: Q 1-1 allied"], "stands with an enemy in A1"),
        (["eliminated: P 1-1 german h1"], "has Hits, off the map"),
        (["road: A1-C1"], "A1 and C1 are no neighbours: they are 2 hexes apart"),
        (["road: A1"], "'A1' is not what runs there"),
        (["river: A1-B1"], "'A1-B1' is not what runs there"),
        (["landing 2 Nan-Red: RWR 4-6 allied"], "'Nan-Red' names no hex"),
    ],
)
def test_a_line_that_cannot_be_read(lines: list[str], problem: str) -> None:
    (found,) = faults(lines)
    assert problem in found


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ({"tun": 2}, "tun: unknown key (did you mean 'turn'?)"),
        ({"turn": 11}, "turn: out of range (a whole number from 1 to 10)"),
        ({"turn": 4}, "turn: no Operations Phase then (Game Turn 1 or 2 or 3 or 5 or 6 or 7 or 9 or 10,"),
        ({"turn": 1, "phase": "replacement"}, "turn: no Replacement Phase then (Game Turn 4 or 8,"),
        ({"turn": 2, "phase": "set-up"}, "turn: no set-up then (Game Turn 1,"),
        ({"track": ["Night"]}, "track: no Operations Phase then (Game Turn none,"),
        ({"track": ["Noon"]}, "track[0]: unknown word"),
        ({"place": ["exited: X 1-1 allied"], "phase": "set-up"}, "place: has been in play before the set-up"),
        ({"place": ["A1: X 1-1 allied h1"], "phase": "set-up"}, "place: has been in play before the set-up"),
        ({"turn": True}, "turn: expected a whole number"),
        ({"phase": "night"}, "phase: unknown word (one of set-up, landing,"),
        ({"phase": "landing", "active": "7"}, "active: no formation is Active outside the Operations Phase"),
        ({"active": "8"}, "active: unknown word (one of 7, 716"),
        ({"cup": ["7", "716", "7"]}, "cup: an HQ is there twice, or has been drawn"),
        ({"active": "7", "cup": ["7"]}, "cup: an HQ is there twice, or has been drawn"),
        ({"cup": ["7", "8"]}, "cup[1]: unknown word (one of 7, 716"),
        ({"leadership": "french"}, "leadership: unknown word (one of allied, german"),
        ({"next": "x"}, "next: unknown word (one of allied, german"),
        ({"replacements": {"allied": 1}, "next": "german"}, "next: has no points to spend (allied)"),
        ({"artillery": {"us": 1}}, "artillery.us: unknown key"),
        ({"support": -1}, "support: out of range"),
        ({"interdicted": ["C3", "Q"]}, "interdicted[1]: 'Q' names no hex"),
        ({"exits": ["D4"]}, "exits: is not at the edge of the map"),
        ({"exits": ["A1"], "exited": {"G1": 1}}, "exited.G1: unknown key"),
        ({"exits": ["A1", "G1"], "exited": {"G1": 2}}, "exited: the roads are used in equal numbers"),
        ({"movement": {"lava": 1}}, "movement.lava: unknown key"),
        ({"movement": {"clear": 0}}, "movement.clear: out of range"),
        ({"refit_chits": []}, "refit_chits: nothing to draw"),
        ({"landing_fire": {"Noon": [0] * 6}}, "landing_fire.Noon: unknown key"),
        ({"landing_fire": {"Evening": [0] * 5}}, "landing_fire.Evening: 5 numbers (six, one for each face of the die)"),
        ({"allied_support": [1, 2, 3, 4, 5, "x"]}, "allied_support[5]: expected a whole number"),
        ({"replacements_german": 3}, "replacements_german: expected a list"),
        ({"replacements_german": [1, 2]}, "replacements_german: 2 numbers"),
        ({"board": ". x"}, "board: line 1, '. x': symbol 'x' is not in the legend"),
        ({"board": ". .\nriver: A1-B1"}, "board: 'river' is no road"),
        ({"board": ". .\nditch: A1/B1"}, "board: no hexside has 'ditch'"),
        ({"place": "C3: town"}, "place: expected a list [...], not a text"),
    ],
)
def test_a_key_that_says_what_cannot_be(row: dict[str, Any], found: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        CASES.set_up({"elsewhere": list(TWO) if "board" not in row else [], **row, "options": {}})
    (fault,) = caught.value.faults
    assert f"{fault.key}: {fault.problem} ({fault.fix})".startswith(found)


def test_each_road_off_the_map_is_named_once() -> None:
    assert faults(exits=["A1", "G1", "A1"]) == ["exits: is there twice"]


def test_every_fault_is_told_at_once() -> None:
    found = faults(["C3: wood", "Z: town", *TWO], turn=20, active="8", support=-1, tun=3, exits=["D4"])
    keys = [each.partition(":")[0] for each in found]
    assert keys == ["tun", "place[0]", "place[1]", "exits", "turn", "support", "active"]


def test_options_are_those_of_the_rulings() -> None:
    assert position(TWO, options={"14.2": True}).setting.plays("14.2")
    with pytest.raises(OptionError, match=r"no option '14\.9'"):
        position(TWO, options={"14.9": True})


# ------------------------------------------------------------ questions
def test_plain_questions() -> None:
    state = position([*TWO, "eliminated: E 1-2 allied of 7"], active="7", exits=["A1"], exited={"A1": 1}, support=2)

    def ask(question: str) -> Any:
        name, *args = question.split()
        return CASES.ask(state, name, args)

    assert [ask(f"{what} P") for what in ("hits", "strength", "movement", "side", "formation")] == [
        0,
        3,
        6,
        Side.GERMAN,
        "716",
    ]
    assert (ask("place CSR"), ask("place E")) == (at(state, "C3"), Away.ELIMINATED)
    assert (ask("units D3"), ask("units D4")) == (["P"], [])
    assert (ask("active"), ask("operating"), ask("cup")) == ("7", ["CSR"], ["716"])
    assert (ask("exits A1"), ask("support"), ask("artillery german"), ask("replacements allied")) == (1, 2, 0, 0)
    assert (ask("turn"), ask("turn_name"), ask("night"), ask("phase")) == (1, "Morning", False, Phase.OPERATIONS)
    assert ask("chart movement swamp") == 3
    for question in ("hit P", "strength Q", "exits B1", "artillery us", "chart lava x"):
        with pytest.raises(UnknownName, match="known: "):
            ask(question)


def test_rule_questions_by_name() -> None:
    lines = ["C3: CSR 4-6 allied", "C4: CHO 5-6 allied heavy-weapons", "D3: P 3-6 german", "D3: town", "river: C3/D3"]
    state = position(lines, options={"14.4": True}, movement={"clear": 2})

    def ask(question: str) -> Any:
        name, *args = split(question)
        return CASES.ask(state, name, args)

    assert ask("movement_cost CSR D3").total == 1 + 1 + 2
    assert ask("movement_cost CSR C2 C1").total == 2 + 2
    assert ask("reachable CSR combined") == [at(state, each) for each in ("B2", "C2", "B3", "B4", "C4")]
    assert len(ask("reachable CSR")) > 4
    assert ask("may_move CSR B4 combined")
    assert not ask("may_move CSR G7")
    assert ask("attack_factor D3 CSR").total == 4 - 1 - 1
    assert ask("attack_factor D3 CSR fire=mobile defence=1 offence=3").total == 2 - 1 - 1 - 1 + 3
    assert ask("attack_factor D3 CHO indirect=CHO").total == 3 - 1
    assert ask("close_fire_factor CSR support=2").total == 6
    assert ask("may_fire CSR D3")
    assert not ask("may_fire CHO D4")
    assert ask("may_fire_indirectly CHO D3")
    assert ask("who_may_join D3 CSR") == ["CHO"]
    assert ask("may_join CHO D3 CSR fire=mobile")
    assert not ask("may_join P D3 CSR")
    assert "C4" in ask("retreat_hexes CSR")
    assert "D4" not in ask("retreat_hexes P attacker_from=D4")
    assert ask("victory_points german").total == 1 + 1
    assert ask("result_odds 2")[FireResult.EXCHANGE] == Fraction(1, 6)
    assert ask("fire_odds D3 CSR by='hits P'")[1] == Fraction(2, 6)
    assert sum(ask("close_combat_odds CSR D3 by='place CSR'").values()) == 1
    assert ask("fire_odds D3 CSR")["P stays in D3; CSR stays in C3"] == Fraction(4, 6)
    with pytest.raises(ValueError, match=r"fire_odds: .* 'target'; it takes"):
        ask("fire_odds")
    with pytest.raises(ValueError, match=r"'ful' is none of Full Fire, .*; did you mean 'Full Fire'"):
        ask("attack_factor D3 CSR fire=ful")
    with pytest.raises(ValueError, match="'x' is no whole number"):
        ask("attack_factor D3 CSR defence=x")
    with pytest.raises(ValueError, match="is no question: for odds, ask"):
        ask("fire_odds D3 CSR by='\"hits P'")


def test_a_row_is_played(tmp_path: Path) -> None:
    """The position of a row, its questions and its contrast, as `beachhead.cases` plays them."""
    path = tmp_path / "rows.toml"
    path.write_text(ROWS, "utf-8")
    for case in read_cases(path, SYSTEM):
        outcome = run_case(SYSTEM, case)
        assert outcome.passed, str(outcome)


ROWS = """
system = "koenig"
[common]
elsewhere = ["G7: FAR 1-1 german of 9"]
active = "A"
[[case]]
id = "river"
about = "A river between the attackers and their target costs them a point."
place = ["C3: CSR 4-6 allied", "D3: P 3-6 german", "river: C3/D3"]
[[case.expect]]
ask = "attack_factor D3 CSR"
is = 3
term = -1
rule = "koenig:9.2.d"
[[case.expect]]
ask = "cup"
is = ["9", "G"]
[[case.expect]]
ask = "place CSR"
is = "C3"
[case.contrast]
place_replace = ["river: C3/D3", "river: A1/B1"]
expect = [{ ask = "attack_factor D3 CSR", is = 4 }]
"""


def test_each_key_is_explained() -> None:
    assert all(KEYS.values())
    assert CASES.keys is KEYS
