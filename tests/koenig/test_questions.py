"""Questions that cannot be answered as they are put: each says what is wrong with it, and what cannot be is not called allowed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import beachhead as bh
from beachhead.errors import UnknownName
from beachhead.hexes import Hex
from beachhead.policies import first, last
from beachhead_koenig import questions
from beachhead_koenig.cases import CASES, position
from beachhead_koenig.state import Operation, State, put
from beachhead_koenig.system import SYSTEM
from beachhead_koenig.tables import Fire, Side, term

LINES = (
    "C3: CSR 4-6 allied",
    "C4: NSR 3-6 allied",
    "C2: CHO 5-6 heavy-weapons allied",
    "D3: P 3-6 german",
    "F6: Q 2-6 german",
    "F6: R 2-6 german",
    "eliminated: E 3-6 allied",
    "cliff: C3/D3",
)


@pytest.fixture
def state() -> State:
    return position(LINES, options={"14.4": True})


def hits(end: State) -> int:
    return end.unit("P").hits


def fire(*args: Any, **named: Any) -> Callable[[State], Any]:
    return lambda state: questions.fire_odds(state, *args, by=hits, **named)


def fight(*args: Any, **named: Any) -> Callable[[State], Any]:
    return lambda state: questions.close_combat_odds(state, *args, by=hits, **named)


@pytest.mark.parametrize(
    ("ask", "problem"),
    [
        (fire("D3"), "nobody fires"),
        (lambda state: questions.may_join(state, "CSR", "D3"), "nobody fires"),
        (lambda state: questions.who_may_join(state, "D3"), "nobody fires"),
        (lambda state: questions.attack_factor(state, "D3"), "nobody fires"),
        (fire("D3", "NSR", "NSR"), "NSR is there twice"),
        (lambda state: questions.attack_factor(state, "D3", "NSR", "NSR"), "NSR is there twice"),
        (fire("D3", "NSR", "P"), "NSR and P are not of one side"),
        (fire("D4", "NSR"), "no enemy unit in D4"),
        (fire("C3", "CSR"), "no enemy unit in C3"),
        (fire("F6", "NSR"), "NSR is not next to F6"),
        (fire("D3", "CSR"), "a cliff lies between CSR and D3"),
        (fire("D3", "CHO", fire="Mobile Fire", indirect=("CHO",)), "Indirect Fire is Full Fire only"),
        (fire("D3", "NSR", indirect=("NSR",)), "NSR is not a heavy weapons unit"),
        (fire("D3", "NSR", fire="Close Fire"), "close_combat_odds"),
        (
            fire("D3", "NSR", fire="moblie"),
            "'moblie' is none of Full Fire, Mobile Fire, Close Fire; did you mean 'Mobile Fire'",
        ),
        (lambda state: questions.attack_factor(state, "D4", "NSR"), "no enemy unit in D4"),
        (lambda state: questions.attack_factor(state, "F6", "NSR"), "NSR is not next to F6"),
        (lambda state: questions.attack_factor(state, "D3", "CSR"), "a cliff lies between CSR and D3"),
        (lambda state: questions.attack_factor(state, "D3", "NSR", indirect="NSR"), "NSR is not a heavy weapons unit"),
        (lambda state: questions.may_join(state, "NSR", "D3", "CSR"), "a cliff lies between CSR and D3"),
        (lambda state: questions.who_may_join(state, "D4", "NSR"), "no enemy unit in D4"),
        (fire("D3", "NSR", policy="sensibl"), "no policy 'sensibl'; did you mean 'sensible'.; known: sensible, bold"),
        (fight("CSR", "D3"), "nobody can step from C3 to D3"),
        (fight("NSR", "D3", entry="A1"), "A1 is not next to D3"),
        (fight("NSR", "F6"), "one against one"),
        (fight("E", "D3"), "E .*is eliminated"),
        (lambda state: questions.reachable(state, "CSR", "march"), "'march' is none of Movement, Full Fire, Combined"),
        (lambda state: questions.victory_points(state, "british"), "'british' is none of Allied, German"),
        (lambda state: questions.victory_points(state, "germn"), "'germn' is none of .*; did you mean 'German'"),
        (lambda state: state.at("Z9"), "'Z9' is not on the board"),
        (lambda state: state.at("D3", "germn"), "'germn' is none of"),
        (lambda state: state.room("D33"), "D33"),
        (lambda state: questions.retreat_hexes(state, "P", attacker_from=Hex(99, 99)), "not on the board"),
    ],
)
def test_what_is_wrong_with_the_question(state: State, ask: Callable[[State], Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        ask(state)


def test_the_nearest_unit_is_named(state: State) -> None:
    with pytest.raises(UnknownName, match="did you mean 'CSR'"):
        questions.fire_odds(state, "D3", "CSRR", by=hits)


@pytest.mark.parametrize(
    ("kind", "words", "meant"),
    [
        (Fire, ("full", "Full Fire", "full_fire", "FULL FIRE", Fire.FULL), Fire.FULL),
        (Fire, ("mobile", "Mobile Fire"), Fire.MOBILE),
        (Operation, ("full", "full_fire"), Operation.FULL_FIRE),
        (Operation, ("combined", "Combined"), Operation.COMBINED),
        (Side, ("german", "German", Side.GERMAN), Side.GERMAN),
    ],
)
def test_a_term_is_written_as_one_likes(kind: Any, words: tuple[str, ...], meant: object) -> None:
    assert {term(kind, word) for word in words} == {meant}


def test_terms_in_questions(state: State) -> None:
    assert questions.reachable(state, "CSR", "combined") == questions.reachable(state, "CSR", "Combined")
    assert questions.victory_points(state, "german") == questions.victory_points(state, "German")
    halved = questions.attack_factor(state, "D3", "NSR", fire="mobile")
    assert halved == questions.attack_factor(state, "D3", "NSR", fire=Fire.MOBILE)
    assert halved.total == 2


# ------------------------------------------------------------ what stands in a state
def test_a_state_is_asked_by_label_or_name() -> None:
    state = position(["C3: CSR 4-6 allied", "D3: P 3-6 german", "F6: Q 2-6 german", "F6: R 2-6 german", "Mike = D3"])
    hex = state.setting.board.hex("D3")
    assert state.hex("D3") == state.hex("Mike") == state.hex(hex) == hex
    assert state.at("D3") == state.at("Mike") == state.at(hex) == ("P",)
    assert (state.at("D3", "allied"), state.at("D3", "german"), state.at("A1")) == ((), ("P",), ())
    assert [state.side_at(label) for label in ("C3", "D3", "A1")] == [Side.ALLIED, Side.GERMAN, None]
    assert [state.room(label) for label in ("A1", "D3", "F6")] == [2, 1, 0]
    assert state.enemies_near("D3", "german") == state.enemies_near(hex, Side.GERMAN) == ("CSR",)


@pytest.mark.parametrize("ask", [State.unit, State.place])
def test_a_unit_that_there_is_not(state: State, ask: Callable[[State, str], Any]) -> None:
    with pytest.raises(UnknownName, match="no unit 'NSRR'; did you mean 'NSR'"):
        ask(state, "NSRR")


def test_a_unit_in_words(state: State) -> None:
    assert questions.unit(state, "CHO") == "CHO, Allied formation A, heavy weapons 5-6: C2, clear; has not operated"
    assert questions.unit(state, "E") == "E, Allied formation A, infantry 3-6: eliminated"
    juno = bh.new("koenig/juno", seed=1).state
    assert questions.unit(juno, "CSR").startswith("CSR: Canadian Scottish Regiment, Allied formation 7, infantry")
    assert CASES.ask(state, "unit", ["CHO"]) == questions.unit(state, "CHO")


# ------------------------------------------------------------ what becomes of a battle
def test_what_becomes_of_the_units_in_words(state: State) -> None:
    assert questions.fire_odds(state, "D3", "NSR") == {
        "P stays in D3; NSR stays in C4": Fraction(3, 6),
        "P: 1 Hit, stays in D3; NSR stays in C4": Fraction(2, 6),
        "P: 1 Hit, stays in D3; NSR: 1 Hit, stays in C4": Fraction(1, 6),
    }
    worn = position(["C4: NSR 6-6 allied", "D3: P 3-6 german h2"])
    assert questions.fire_odds(worn, "D3", "NSR").p(lambda told: told.startswith("P is eliminated; ")) == 1
    words = questions.close_combat_odds(state, "NSR", "D3")
    retreats = [told for told in words if told.startswith("P: 1 Hit, retreats to ")]
    assert "P stays in D3; NSR: 1 Hit, retreats to C4" in words
    assert any(told.endswith("; NSR stays in D3") for told in retreats)
    edge = position(["A2: NSR 5-6 allied", "A1: P 3-6 german"])
    gone = questions.close_combat_odds(edge, "NSR", "A1", policy=last)
    assert any(told.startswith("P: 1 Hit, retreats off the map; ") for told in gone)


def test_who_answers_on_the_way_is_told(state: State) -> None:
    steady, named, given = (
        questions.fire_odds(state, "D3", "NSR", by=hits, policy=policy) for policy in (None, "sensible", first)
    )
    assert steady.assumptions[0] == questions.STEADY_SAYS
    assert named.assumptions[0] == "decisions on the way by the policy 'sensible'"
    assert given.assumptions[0] == "decisions on the way by the policy given"
    by_itself = questions.fire_odds(state, "D3", "NSR", by=hits, policy=SYSTEM.policies["sensible"])
    assert dict(named) == dict(by_itself)
    assert CASES.ask(state, "fire_odds", ["D3", "NSR", "by=hits P", "policy=sensible"]) == named
    with pytest.raises(TypeError, match=r"3 is no policy: give policy\(view, decision, options\) -> action, or a name"):
        questions.fire_odds(state, "D3", "NSR", policy=3)  # type: ignore[call-overload]


def test_what_cannot_be_counted(state: State) -> None:
    with pytest.raises(TypeError, match=r"a list, which cannot be counted: .* a tuple"):
        questions.fire_odds(state, "D3", "NSR", by=lambda after: list(after.at("D3")))


# ------------------------------------------------------------ whose turn it is
TWO = (
    "C3: CSR 4-6 allied of 7",
    "C4: RWR 4-6 allied of 7",
    "B3: NSR 3-6 allied of 8",
    "D3: P 3-6 german",
    "D4: Q 3-6 german",
)


def test_who_may_not_operate_may_not_move() -> None:
    assert questions.may_move(position(TWO), "NSR", "A3")
    open_to_7 = position(TWO, active="7")
    assert questions.may_move(open_to_7, "CSR", "C2")
    against = questions.may_move(open_to_7, "NSR", "A3")
    assert str(against) == "NSR belongs to formation 8, and 7 is Active (koenig:7.1.a)"
    both = (
        questions.may_move(open_to_7, "CSR", "C2", "full fire"),
        questions.may_move(open_to_7, "NSR", "A3", "full fire"),
    )
    assert [each.rules for each in both] == [("koenig:7.0.h",), ("koenig:7.1.a", "koenig:7.0.h")]
    done = questions.may_move(position([*TWO[1:], "C3: CSR 4-6 allied of 7 done"], active="7"), "CSR", "C2")
    assert "CSR has finished its Operation" in str(done)


def test_as_a_game_says(state: State) -> None:
    game = bh.new("koenig/juno", seed=44)
    assert game.phase.endswith("formation 8")
    assert game.why_not("CSR", "0811").objections[0] in questions.may_move(game.state, "CSR", "0811").objections


def test_who_may_not_operate_fires_with_nobody() -> None:
    assert questions.may_join(position(TWO), "RWR", "D3", "CSR")
    assert questions.may_join(position(TWO, active="7"), "RWR", "D3", "CSR")
    against = questions.may_join(position(TWO, active="8"), "RWR", "D3", "CSR")
    assert [str(reason) for reason in against.objections] == [
        "CSR is not Active (koenig:7.1.a)",
        "RWR is not Active (koenig:7.1.a)",
    ]


# ------------------------------------------------------------ the way is read from the cost
def test_each_term_of_a_cost_names_its_hex() -> None:
    state = position(
        ["A3: CSR 4-6 allied", "B3: town", "river: B3/C3", "road: C3-D3", "E3: P 3-6 german"], interdicted=["C3"]
    )
    terms = questions.movement_cost(state, "CSR", "B3", "C3", "D3", "E3").terms
    assert [term.label for term in terms] == [
        "town at B3",
        "clear at C3",
        "across a river into C3",
        "into interdicted C3",
        "by road into D3",
        "out of interdicted C3",
        "clear at E3",
        "close combat in E3",
    ]


# ------------------------------------------------------------ Victory Points
def test_who_still_fights_in_a_town_does_not_hold_it() -> None:
    lines = ["D3: town", "D3: P 3-6 german h1", "G7: CHO 3-6 allied"]
    assert questions.victory_points(position(lines), "german").total == 1
    before = position([*lines, "D2: CSR 4-6 allied"])
    fight = put(before, "CSR", place=before.hex("D3"))
    assert fight.at("D3") == ("P", "CSR")
    assert [questions.victory_points(fight, side).total for side in Side] == [0, 0]


def test_nobody_moves_in_full_fire(state: State) -> None:
    assert questions.reachable(state, "NSR", "full fire") == {}
    against = questions.may_move(state, "NSR", "C5", "full fire")
    assert not against
    assert against.rules == ("koenig:7.0.h",)


def test_nobody_starts_close_combat_in_redeployment(state: State) -> None:
    assert questions.may_move(state, "P", "C4")
    against = questions.may_move(state, "P", "C4", "redeployment")
    assert not against
    assert "koenig:4.0.i" in against.rules


# ------------------------------------------------------------ in the middle of an activation
@pytest.fixture
def halfway() -> bh.Game[State]:
    """H has moved in a Combined Operation, and stands beside X; I has not operated, and does, too."""
    drawn = position(
        ["B3: H 3-6 allied", "C4: I 3-6 allied", "D3: X 3-6 german", "F1: Y 3-6 german", "A7: Z 2-3 allied"], active="A"
    )
    game = bh.Game(SYSTEM, drawn, seed=1)
    game.do("begin combined H")
    game.do("move to C3")
    return game


def test_who_has_moved_fires_mobile_fire_only(halfway: bh.Game[State]) -> None:
    state = halfway.state
    for ask in (questions.attack_factor, questions.fire_odds):
        with pytest.raises(
            ValueError, match=r"H has moved in a Combined Operation and may fire: no Full Fire .*7\.2\.a"
        ):
            ask(state, "D3", "H", "I")
    assert questions.attack_factor(state, "D3", "H", "I", fire="mobile").total == 2 + 2
    assert questions.attack_factor(state, "D3", "I").total == 3
    assert not questions.may_fire(state, "H", "D3", fire="full")
    assert questions.may_fire(state, "H", "D3")
    assert questions.may_fire(state, "H", "D3", fire="mobile")
    assert not questions.may_fire(state, "H", "D3", indirect=True)
    assert questions.attack_factor(state, "C4", "X").total == 3, "it is not the Germans who have operated"
    with pytest.raises(ValueError, match="Close Fire is no attack on a hex"):
        questions.may_fire(state, "I", "D3", fire="close")


def test_nobody_joins_in_full_fire_who_has_moved(halfway: bh.Game[State]) -> None:
    state = halfway.state
    assert questions.may_join(state, "H", "D3", "I").rules == ("koenig:7.2.a", "koenig:7.0.f")
    assert questions.may_join(state, "H", "D3", "I", fire="mobile")
    assert questions.may_join(state, "I", "D3", "H", fire="mobile")
    with pytest.raises(ValueError, match="H has moved"):
        questions.may_join(state, "I", "D3", "H")


def test_who_has_finished_neither_fires_nor_moves(halfway: bh.Game[State]) -> None:
    halfway.do("begin movement I")
    halfway.do("move to C5")
    state = halfway.state
    for unit in ("H", "I"):
        assert "koenig:7.0.f" in questions.may_fire(state, unit, "D3").rules
        assert questions.reachable(state, unit) == questions.reachable(state, unit, "combined") == {}


def test_who_has_moved_comes_nowhere_any_more(halfway: bh.Game[State]) -> None:
    state = halfway.state
    assert questions.reachable(state, "H") == questions.reachable(state, "H", "combined") == {}
    assert questions.reachable(state, "I", "combined")["C5"] == 1
    assert questions.reachable(state, "X")["D2"] == 1, "as if it were Active"


def test_what_is_open_in_the_second_half_of_an_operation_is_not_denied(halfway: bh.Game[State]) -> None:
    assert halfway.why_not("H", "D3")
    assert halfway.why_not("H", "C2").rules == ("koenig:8.4.1.a", "koenig:8.4.a")
    assert halfway.why_not("I", "D3")
    assert halfway.why_not("I", "C5")
    assert halfway.why_not("H", "F1").rules == ("koenig:9.0.b",)
    halfway.do("begin combined H")
    assert halfway.why_not("H", "D3")
    assert not halfway.why_not("H", "C2")


def test_who_has_fired_may_move_on() -> None:
    drawn = position(["C3: H 3-6 allied", "C5: I 3-6 allied", "D3: X 3-6 german", "E3: Y 3-6 german"], active="A")
    game = bh.Game(SYSTEM, drawn, script=[6])
    game.do("begin combined H")
    game.do("fire at D3")
    while "commit 0 0" in map(game.text, game.legal_actions()):
        game.do("commit 0 0")
    assert game.why_not("H", "C2")
    assert game.why_not("H", "D3"), "it may go into Close Combat"
    game.do("begin combined H")
    assert game.why_not("H", "C2")


def test_a_hex_with_an_enemy_may_be_fired_at_or_entered() -> None:
    drawn = position(["C3: H 3-6 allied", "C5: X 3-6 german", "G7: Y 3-6 german"], active="A")
    game = bh.Game(SYSTEM, drawn, seed=1)
    assert game.why_not("H", "C5"), "two hexes away, for Close Combat"
    assert game.why_not("H", "G7").rules == ("koenig:9.0.b",)
    game.do("begin movement H")
    assert game.why_not("H", "C5")


# ------------------------------------------------------------ what nobody can do
def test_a_way_through_full_hexes_or_enemies_has_no_price() -> None:
    state = position(
        [
            "C3: CSR 5-6 allied",
            "D3: P 3-6 german",
            "C2: X 2-6 allied",
            "C2: Y 2-6 allied",
            "B3: Q 2-6 german",
            "B3: R 2-6 german",
        ]
    )
    assert questions.movement_cost(state, "CSR", "D3").total == 1 + 2
    for way, problem in (
        (("D3", "D4"), r"an enemy unit is in D3: the way ends there.*8\.3\.b"),
        (("C2",), r"C2 holds two units \(koenig:8\.2\.a, koenig:8\.2\.b\)"),
        (("C2", "C1"), r"C2 holds two units \(koenig:8\.2\.a, koenig:8\.2\.c\)"),
        (("B3",), r"B3 holds two units.*koenig:8\.2\.d"),
        (("C3",), "CSR is in C3 already"),
        (("C4", "F4"), "no step leads from C4 to F4: they are no neighbours"),
    ):
        with pytest.raises(ValueError, match=problem):
            questions.movement_cost(state, "CSR", *way)


@pytest.mark.parametrize(
    ("ask", "problem"),
    [
        ({"offence": 9}, r"offence=9: the Allied player commits from 0 to 3 points to a battle"),
        ({"offence": -1}, "offence=-1"),
        ({"defence": 2}, r"defence=2: the German player commits from 0 to 1 points"),
    ],
)
def test_nobody_commits_more_than_the_rules_let_him(ask: dict[str, int], problem: str) -> None:
    lines = ["C3: CSR 5-6 allied", "D3: P 3-6 german"]
    with pytest.raises(ValueError, match=problem):
        questions.attack_factor(position(lines), "D3", "CSR", **ask)
    corps = position(lines, options={"14.1": True})
    assert questions.attack_factor(corps, "D3", "CSR", offence=4, defence=2).total == 5 + 4 - 2
    with pytest.raises(ValueError, match="net_support=4: the Allied player commits from 0 to 3"):
        questions.close_fire_factor(position(lines), "CSR", 4)


def test_nobody_comes_from_afar() -> None:
    state = position(["C3: CSR 5-6 allied", "D3: P 3-6 german"])
    with pytest.raises(ValueError, match="nobody comes from A1 into D3: they are no neighbours"):
        questions.retreat_hexes(state, "P", attacker_from="A1")
