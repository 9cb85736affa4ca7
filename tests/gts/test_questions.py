"""Rule questions: what they answer, what is wrong with some, and that odds are exact."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from beachhead.dice import D10
from beachhead.errors import NeedsPolicy, UnknownName
from beachhead.game import Game
from beachhead.policies import by_type
from beachhead.rules import recording
from beachhead_gts import questions
from beachhead_gts.actions import EndActivation, Fire, LeaveEntrenchment, Rally
from beachhead_gts.activation import ChooseAction
from beachhead_gts.cases import CASES, position
from beachhead_gts.charts import HALF
from beachhead_gts.opportunity import ChooseOpportunityFire, Trigger
from beachhead_gts.pointing import why_not
from beachhead_gts.rating import Occasion
from beachhead_gts.sight import Purpose
from beachhead_gts.state import State, put
from beachhead_gts.system import SYSTEM
from beachhead_gts.tables import Cover, Result, Side

LINES = (
    "C3: Able allied q7 range3",
    "C3: Baker allied steps1",
    "D3: Dora german",
    "F3: Emil german range5",
    "F5: Fritz german tank",
    "B5: Mortar allied mortar range6 fire6",
    "eliminated: Zed allied",
    "B4: leader Lee allied range2",
    "F4: woods",
    "G3: woods",
)


@pytest.fixture
def state() -> State:
    return position(LINES, points={"X": [2, 0]})


# ------------------------------------------------------------ what is wrong with the question
@pytest.mark.parametrize(
    ("ask", "problem"),
    [
        (lambda s: questions.fire_rating(s, "Able", "Emil"), "Emil is 3 hexes away"),
        (lambda s: questions.fire_rating(s, "Able", "Baker"), "Baker is no enemy of Able"),
        (lambda s: questions.fire_rating(s, "Zed", "Dora"), "Zed stands in no hex"),
        (lambda s: questions.fire_rating(s, "Mortar", "Dora"), "Mortar is a Mortar Unit"),
        (lambda s: questions.fire_rating(s, "Baker", "Dora", company_bonus=True), "Baker has no Company Bonus"),
        (
            lambda s: questions.fire_rating(s, "Able", "Dora", occasion="column", company_bonus=True),
            "Able has no Company Bonus",
        ),
        (lambda s: questions.fire_rating(s, "Able", "Dora", occasion="moving"), "'moving' is no occasion to fire"),
        (lambda s: questions.fire_odds(s, "Able", "Fritz"), "Fritz is 4 hexes away"),
        (lambda s: questions.fire_odds(s, "Able", "Dora", policy="sensibl"), "no policy 'sensibl'"),
        (
            lambda s: questions.fire_odds(s, "Able", "Dora", policy="bold"),
            "known: steady, converting, spending, sensible, cautious",
        ),
        (lambda s: questions.permission(s, "Able", "dance"), "'dance' is no row of the table"),
        (lambda s: questions.permission(s, "Able", "fire", "army"), "'army' is no kind of chit"),
        (lambda s: questions.movement_cost(s, "Able"), "where to"),
        (
            lambda s: questions.movement_cost(s, "Able", "C4", "E4"),
            r"Able cannot step from C4 to E4: E4 is no neighbour of C4 \(gts:14.3.a\)",
        ),
        (
            lambda s: questions.movement_cost(s, "Fritz", "F4"),
            r"Fritz cannot step from F5 to F4: woods \(F4\) is prohibited to Tracked units .*\(gts:14.5.a",
        ),
        (
            lambda s: questions.movement_cost(s, "Able", "F3"),
            r"Able cannot get from C3 to F3: enemies are in F3 \(gts:14.1.g\)",
        ),
        (lambda s: questions.movement_cost(s, "Able", "C3"), "Able is in C3 already"),
        (lambda s: questions.can_see(s, "Able", "Dorra"), "'Dorra' names no hex: .*; did you mean 'Dora'"),
        (lambda s: questions.can_see(s, "Able", "Leee"), "did you mean 'Lee'"),
        (
            lambda s: questions.can_see(position(["C3: Able allied", "due 2: leader Lee allied"]), "Lee", "C3"),
            "Lee stands in no hex: he has not arrived",
        ),
        (
            lambda s: questions.in_fire_zone(s, "C3", "Dorra"),
            "neither a unit nor one of Allied, German; did you mean 'Dora'",
        ),
        (lambda s: questions.may_spend(s, "Able", "dancing"), "'dancing' is none of"),
        (lambda s: questions.can_see(s, "Z9", "C3"), "'Z9' is not on the board"),
        (lambda s: questions.can_see(s, "C3", "Dora", purpose="fun"), "'fun' is no purpose"),
        (lambda s: questions.in_fire_zone(s, "C3", "germn"), "did you mean 'German'"),
        (lambda s: questions.victory_points(s, "british"), "'british' is none of Allied, German"),
        (lambda s: questions.line_odds(s, 4, "bow"), "'bow' is none of"),
        (lambda s: questions.sees(s, "Zed"), "Zed stands in no hex: it is eliminated"),
        (lambda s: CASES.ask(s, "permission", ["Able", "fire", "second=maybe"]), "'maybe' is neither yes nor no"),
        (lambda s: CASES.ask(s, "hit_odds", ["four"]), "'four' is no whole number"),
    ],
)
def test_what_is_wrong_with_the_question(state: State, ask: Callable[[State], Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        ask(state)


@pytest.mark.parametrize(
    "ask", [questions.unit, questions.steps, questions.in_command, questions.troop_quality, questions.fire_zone]
)
def test_the_nearest_unit_is_named(state: State, ask: Callable[[State, str], Any]) -> None:
    with pytest.raises(UnknownName, match="did you mean 'Able'"):
        ask(state, "Abel")


LEADERLESS = (
    "in_command",
    "may_spend",
    "troop_quality",
    "sees",
    "fire_range",
    "fire_zone",
    "reachable",
    "what_stops",
    "steps",
    "permission Lee fire",
    "may_fire Lee Dora",
    "may_fire Able Lee",
    "movement_cost Lee C4",
    "may_move Lee C4",
    "in_fire_zone C3 Lee",
    "cohesion",
    "side",
)


@pytest.mark.parametrize("question", LEADERLESS)
def test_a_leader_is_no_unit(state: State, question: str) -> None:
    name, *args = question.split()
    with pytest.raises(UnknownName, match=r"^Lee is a Leader, and this is asked of units$"):
        CASES.ask(state, name, args or ["Lee"])


def test_hexes_are_named_by_who_stands_there_and_in_small_letters(state: State) -> None:
    assert questions.can_see(state, "Lee", "Dora") == questions.can_see(state, "b4", "d3")
    assert questions.can_see(state, "b4", "d3") == questions.can_see(state, "B4", "D3")
    assert state.at("d3") == ("Dora",)


@pytest.mark.parametrize(
    ("ask", "problem"),
    [
        (lambda s: questions.unit(None, "Able"), "unit is asked of a State, not of None"),
        (lambda s: questions.fire_zone(Game(SYSTEM, s), "Dora"), "fire_zone is asked of a State, not of a Game"),
        (
            lambda s: questions.what_stops(Game(SYSTEM, s).view("german"), "Able"),
            "not of a View: give its .state",
        ),
        (lambda s: questions.permission(s, "Able", "fire", "formation", second="yes"), "second is 'yes', and True or"),
        (lambda s: questions.in_command(s, ["Able"]), r"unit is \['Able'\], and a text is expected"),
        (lambda s: questions.troop_quality(s, "Dora", rallying="x"), "rallying is 'x'"),
        (lambda s: questions.line_odds(s, "7", "white"), "rating is '7', and a whole number is expected"),
        (lambda s: questions.line_odds(s, 7.5, "white"), "rating is 7.5"),
        (lambda s: questions.hit_odds("4"), "rating is '4'"),
        (lambda s: questions.fire_odds(s, "Able", "Dora", by="hits"), "by is 'hits', and a function of the state"),
        (lambda s: questions.can_see(s, (1, 2), "Dora"), r"\(1, 2\) is no hex: give its label, such as 'A1'"),
    ],
)
def test_what_is_of_the_wrong_kind_is_told(state: State, ask: Callable[[State], Any], problem: str) -> None:
    with pytest.raises(TypeError, match=problem):
        ask(state)


def test_without_a_chit_a_kind_must_be_named() -> None:
    state = position(LINES, chit="none")
    with pytest.raises(ValueError, match="no chit is being played"):
        questions.permission(state, "Able", "move")
    assert questions.permission(state, "Able", "move", "division")


# ------------------------------------------------------------ chits and command
@pytest.mark.parametrize(
    ("deed", "chit", "second", "allowed"),
    [
        ("move", "formation", False, True),
        ("fire", "formation", False, True),
        ("fire", "division", False, False),
        ("fire", "division", True, True),
        ("move-into-an-enemy-fire-zone", "division", False, False),
        ("move into an enemy Fire Zone", "direct-command", False, True),
        ("pass", "direct command", False, False),
        ("rally", "direct command", True, False),
        ("pass", "", False, True),
    ],
)
def test_permissions(state: State, deed: str, chit: str, second: bool, allowed: bool) -> None:
    found = questions.permission(state, "Able", deed, chit, second=second)
    assert bool(found) is allowed
    assert found.rules


def test_light_mortars_may_fire_under_a_division_chit() -> None:
    state = position(["C3: Able light-mortar allied", "C4: W allied white", "D3: Dora german"])
    assert questions.permission(state, "Able", "fire", "division")
    assert questions.permission(state, "W", "fire", "formation")


def test_command_and_points(state: State) -> None:
    assert questions.in_command(state, "Able")
    assert not questions.in_command(state, "Dora")
    assert questions.may_spend(state, "Able")
    assert not questions.may_spend(state, "Able", "opportunity-fire")
    assert not questions.may_spend(state, "Dora")
    assert not questions.may_spend(position(LINES), "Able")
    assert questions.may_spend(state, "Able").rules == ("gts:19.2.1.d", "gts:21.4.d", "gts:21.4.a")
    assert questions.may_spend(state, "Able", "prolonge").rules[0] == "gts:14.11.f"
    assert questions.troop_quality(state, "Able").total == 7
    assert questions.troop_quality(state, "Dora").total == 5


# ------------------------------------------------------------ sight and Fire Zones
def test_sight(state: State) -> None:
    assert questions.can_see(state, "Able", "Emil")
    assert questions.can_see(state, "C3", "F3", purpose=Purpose.SPOTTING)
    assert questions.sees(state, "Able") == ("Dora", "Emil", "Fritz")
    view = questions.field_of_view(state, "Able")
    assert "C3" in view
    assert len(view) > 60
    assert not questions.can_see(state, "F3", "H3")
    assert "H3" not in questions.field_of_view(state, "F3")


def test_fire_zones(state: State) -> None:
    assert questions.fire_range(state, "Able").total == 1
    assert questions.fire_range(state, "Emil").total == 5
    assert questions.fire_zone(state, "Able") == ("B2", "C2", "B3", "D3", "B4", "C4")
    assert questions.fire_zone(state, "Mortar") == ()
    assert questions.in_fire_zone(state, "C3", "Dora")
    assert questions.in_fire_zone(state, "Able", "german")
    assert len(questions.in_fire_zone(state, "C3", Side.GERMAN).facts) == 2
    assert not questions.in_fire_zone(state, "A9", "Able")
    nobody = questions.in_fire_zone(position("C3: Able allied"), "C3", "german")
    assert not nobody
    assert nobody.rules == ("gts:17.3.a",)


# ------------------------------------------------------------ fire
def test_ratings_by_occasion(state: State) -> None:
    ratings = {
        kind: questions.fire_rating(state, "Emil", "Able", occasion=kind).total
        for kind in ("into-zone", "into_no_zone", "transport", "entrenchment", Occasion.COLUMN)
    }
    plain = questions.fire_rating(state, "Emil", "Able").total
    assert plain == 4 - 2
    assert list(ratings.values()) == [plain + 2, plain - 1, plain + 2, plain + 2, plain + 4]
    assert questions.fire_rating(state, "Able", "Dora", company_bonus=True).total == 6


def test_may_fire(state: State) -> None:
    assert questions.may_fire(state, "Able", "Dora")
    assert questions.may_fire(state, "Emil", "Able", opportunity=True)
    assert not questions.may_fire(state, "Able", "Emil")
    suppressed = position(["C3: Able allied suppressed", "D3: Dora german"])
    for opportunity in (False, True):
        assert "gts:19.2.2.f" in questions.may_fire(suppressed, "Able", "Dora", opportunity=opportunity).rules


@pytest.mark.covers("gts:17.2.a", "gts:17.2.c", "gts:17.2.d", "gts:17.2.e", "gts:17.2.f", "gts:15.3.a", "gts:15.5.f")
def test_why_a_unit_may_fire(state: State) -> None:
    shot = questions.may_fire(state, "Able", "Dora")
    assert shot.rules == ("gts:15.3.a", "gts:15.5.f", "gts:15.4.k")
    assert str(shot).startswith("allowed: Dora is 1 hex away, and Able fires 1 (gts:15.3.a, gts:15.5.f); ")
    assert questions.may_fire(state, "Dora", "Able"), "whoever's turn it is"
    triggers = {
        "into-zone": ("gts:17.2.a",),
        "into-no-zone": ("gts:17.2.a",),
        "transport": ("gts:17.2.c", "gts:17.2.f"),
        "entrenchment": ("gts:17.2.d",),
        "column": ("gts:17.2.e",),
    }
    for occasion, rules in triggers.items():
        found = questions.may_fire(state, "Emil", "Able", occasion=occasion)
        assert found.rules[: len(rules) + 1] == (*rules, "gts:17.3.a"), occasion
        assert questions.may_fire(state, "Able", "Emil", occasion=occasion).rules[: len(rules)] == rules, occasion
    assert questions.may_fire(state, "Emil", "Able", opportunity=True) == questions.may_fire(
        state, "Emil", "Able", occasion="into-zone"
    )


def test_a_sum_in_a_reason_is_cited_once(state: State) -> None:
    near = "2 Fire Range as printed - 1 next to Dora at D3 = 1"
    printed = position([line.replace("q7 range3", "range2") for line in LINES])
    assert str(questions.may_fire(printed, "Able", "Emil")) == (
        f"Emil is 3 hexes away, and Able fires 1: {near} (gts:15.5.f, gts:15.3.f)"
    )
    far = questions.in_fire_zone(printed, "E1", "Able")
    assert far.objections[0].text == f"E1 is 3 hexes away from Able, whose Fire Zone reaches 1: {near}"


@pytest.mark.parametrize(("rating", "faces"), [(-3, 1), (0, 1), (4, 5), (8, 9), (12, 9)])
def test_hit_odds(rating: int, faces: int) -> None:
    assert questions.hit_odds(rating)[True] == Fraction(faces, len(D10.faces))


def test_result_odds(state: State) -> None:
    found = questions.result_odds(state, "Able", "Dora")
    assert found == questions.line_odds(state, 4, "small-arms")
    assert found == {
        Result.COHESION_HIT: Fraction(1, 5),
        Result.POSSIBLE_SUPPRESSION: Fraction(1, 5),
        Result.SUPPRESSION: Fraction(1, 10),
        Result.MISS: Fraction(1, 2),
    }
    armored = questions.line_odds(state, 8, "dual purpose", armored=True)
    assert armored[Result.ELIMINATION] == Fraction(3, 10)
    assert questions.line_odds(state, 8, "white", armored=True) == armored


def becomes(state: State, policy: Any, target: str = "Dora") -> dict[str, Fraction]:
    return dict(questions.fire_odds(state, "Able", target, policy=policy))


def test_a_whole_fire_worked_out_by_hand() -> None:
    """Two Steps less one: no Company Bonus. Fire Rating 3 hits on 0 to 3: C, S?, S?, S. The target checks against 6 - 1, Out of Command."""
    state = position(["C3: Able allied loss1", "D3: Dora german"])
    suppressed = Fraction(1, 10) + Fraction(2, 10) * Fraction(4, 10)
    hit = Fraction(1, 10)
    assert becomes(state, "steady") == {
        "Dora is unharmed": 1 - suppressed - hit,
        "Dora is Suppressed": suppressed,
        "Dora takes a Cohesion Hit": hit,
    }
    assert becomes(state, "converting") == {
        "Dora is unharmed": 1 - suppressed - hit,
        "Dora is Suppressed": suppressed * Fraction(4, 10),
        "Dora takes a Cohesion Hit": hit + suppressed * Fraction(6, 10),
    }


def test_the_company_bonus_is_rolled_for() -> None:
    """The bonus comes with a 0 to 5: Fire Rating 6 instead of 4, so 5 and 6 hit, too."""
    state = position(["C3: Able allied", "D3: Dora german"])
    bonus = Fraction(6, 10)
    found = becomes(state, None)
    assert found["Dora loses a Step"] == bonus * Fraction(1, 10)
    assert found["Dora takes a Cohesion Hit"] == Fraction(2, 10) + bonus * Fraction(1, 10)
    assert sum(found.values()) == 1


def test_command_points_pass_checks() -> None:
    state = position(["C3: Able allied loss1", "D3: Dora german", "D3: leader Max german"], points={"Y": [2, 0]})
    assert becomes(state, "spending") == {
        "Dora is unharmed": Fraction(8, 10),
        "Dora takes a Cohesion Hit": Fraction(2, 10),
    }


def test_an_eliminated_unit_and_its_leader() -> None:
    state = position(
        [
            "C3: Able allied fire8 loss1",
            "D3: Dora german steps1 c2",
            "D3: leader Max german",
            "E5: Emil german",
            "F3: Fritz german",
        ]
    )
    found = questions.fire_odds(state, "Able", "Dora", by=lambda after: after.leader("Max"), policy="steady")
    assert found[state.hex("F3")] + found[state.hex("E5")] == becomes(state, "steady")["Dora is eliminated"]


def test_what_odds_assume() -> None:
    state = position(["C3: Able allied", "D3: Dora german", "D3: woods"])
    assert questions.fire_odds(state, "Able", "Dora").assumptions == (questions.NAMED["steady"][1],)
    given = questions.fire_odds(state, "Able", "Dora", policy=questions.STEADY)
    assert given.assumptions == ("decisions on the way by the policy given",)
    with pytest.raises(NeedsPolicy):
        questions.fire_odds(state, "Able", "Dora", policy=by_type({}))
    by_question = CASES.ask(state, "fire_odds", ["Able", "Dora", "by=cohesion Dora", "policy=converting"])
    assert set(by_question) == {0, 1}


# ------------------------------------------------------------ movement and stacking
def test_movement_costs() -> None:
    state = position(
        ["A1: Able allied", "B1: woods", "road: A1-A2-B3-C3", "stream: C1/D1", "A1: Car allied vehicle wheeled column"]
    )
    assert questions.movement_cost(state, "Able", "B1").number == 4
    assert questions.movement_cost(state, "Car", "A2").number == Fraction(1, 2)
    assert questions.movement_cost(state, "Car", "C3").number == Fraction(3, 2)
    assert questions.movement_cost(state, "Able", "B1", "C1", "D1").number == 4 + 2 + 4
    assert questions.reachable(state, "Able")["B1"] == 4
    assert questions.reachable(state, "Car")["C3"] == Fraction(3, 2)


def test_a_leg_infantry_unit_moves_one_hex_at_any_cost() -> None:
    state = position(["A1: Able allied move1", "B1: swamp", "A1: Gun gun leg move1 allied"])
    assert questions.reachable(state, "Able") == {"B1": 5, "A2": 2}
    assert questions.reachable(state, "Gun") == {}
    assert questions.may_move(state, "Able", "B1")


@pytest.mark.parametrize(
    ("unit", "to", "rule"),
    [
        ("Able", "D3", "gts:14.1.g"),
        ("Able", "C3", "gts:14.3.a"),
        ("Able", "I9", "gts:14.3.c"),
        ("Dora", "E3", "gts:13.1.a"),
        ("Fritz", "F4", "gts:14.5.a"),
    ],
)
def test_why_a_unit_cannot_move_there(state: State, unit: str, to: str, rule: str) -> None:
    assert rule in questions.may_move(state, unit, to).rules


def test_why_a_unit_can_move_there(state: State) -> None:
    assert questions.may_move(state, "Mortar", "A5").rules == ("gts:7.1.c", "gts:14.3.b", "gts:14.3.c")
    into = questions.may_move(state, "Able", "D2")
    assert into.rules == ("gts:7.1.c", "gts:7.1.d", "gts:14.3.b", "gts:14.3.c")
    assert str(into).endswith("; D2 is 4 Movement Points away, and Able has 5 Movement Points (gts:14.3.b, gts:14.3.c)")
    slow = position(["A1: Able allied move1", "B1: swamp"])
    assert questions.may_move(slow, "Able", "B1").rules == ("gts:7.1.c", "gts:14.9.a")


def test_may_move_between_activations_supposes_its_formation() -> None:
    state = position(LINES, chit="none")
    assert questions.may_move(state, "Dora", "D2")
    assert questions.may_move(state, "Able", "B3")


def test_a_hex_cut_off() -> None:
    sides = " ".join(f"A1/{near}" for near in ("B1", "A2"))
    state = position(["C3: Able allied move40", f"impassable: {sides}"])
    assert questions.may_move(state, "Able", "A1").rules == ("gts:14.3.a",)
    with pytest.raises(ValueError, match="cannot get from C3 to A1: no way leads to A1"):
        questions.movement_cost(state, "Able", "A1")


def test_what_stops_a_unit() -> None:
    state = position(["C3: Able allied", "F3: Dora german range2", "C5: Emil german range1 suppressed"])
    found = questions.what_stops(state, "Able")
    assert found["D3"] == ("Dora",)
    assert "C3" not in found
    assert all(units == ("Dora",) for units in found.values())


def test_nothing_stops_a_unit_on_its_reinforcement_hex() -> None:
    found = questions.what_stops(
        position(["entry X: A1", "A1: Able allied entering", "C1: Dora german range4"]), "Able"
    )
    assert "A1" not in found
    assert found["B1"] == ("Dora",)


def test_the_next_hex_by_a_way_round() -> None:
    state = position(["C3: Able allied", "river: C3/D3"])
    assert questions.may_move(state, "Able", "D3")
    assert questions.movement_cost(state, "Able", "D3").total == 4 * HALF
    assert questions.reachable(state, "Able")["D3"] == 4
    assert not questions.may_move(position(["C3: Able allied move2", "river: C3/D3"]), "Able", "D3")


def test_stacking() -> None:
    lines = [f"C3: U{n} allied" for n in "abcd"]
    state = position([*lines, "C3: Ve allied column"])
    assert questions.stacking(state, "C3").total == 8
    assert not questions.overstacked(state, "C3")
    more = position([*lines, "C3: Ve allied"])
    assert questions.stacking(more, "C3").total == 10
    assert questions.overstacked(more, "Ve")


def test_victory_points() -> None:
    state = position(["eliminated: Dora german", "objective Caen 3 allied: D5"], elimination_points=2)
    assert questions.victory_points(state, "allied").total == 5
    assert questions.victory_points(state, Side.GERMAN).total == 0


def test_a_unit_in_words(state: State) -> None:
    assert questions.unit(state, "Able").startswith("Able: ")
    assert questions.unit(state, "Lee").startswith("Lee: ")
    assert questions.steps(state, "Zed") == 0


# ------------------------------------------------------------ by name
FACTS = {
    "place Able": "C3",
    "place Lee": "B4",
    "cohesion Able": 0,
    "suppressed Able": False,
    "losses Able": 0,
    "steps Able": 2,
    "column Able": False,
    "mounted Able": False,
    "rallying Able": 0,
    "entering Able": False,
    "units C3": ["Able", "Baker"],
    "leaders B4": ["Lee"],
    "command_points X": 2,
    "dispatch_points X": 0,
    "turn": 1,
    "turn_name": "morning",
    "night": False,
    "air": 0,
    "mug": [],
    "ready": [],
    "aside": [],
    "carried": None,
    "chit": "1",
    "acted": [],
    "last": [],
    "attached": [],
    "entrenchment C3": False,
    "barrage C3": None,
    "overstacked C3": False,
    "chart mass 8": 3,
    "formation Able": "1",
    "division Able": "X",
}


@pytest.mark.parametrize(("question", "answer"), FACTS.items())
def test_facts(state: State, question: str, answer: Any) -> None:
    name, *args = question.split()
    found = CASES.ask(state, name, args)
    assert (state.setting.board.label(found) if name == "place" else found) == answer


def test_every_question_has_a_name(state: State) -> None:
    names = set(CASES.questions())
    asked = {question.split()[0] for question in FACTS}
    public = set(questions.__all__) - {"STEADY", "CONVERTING", "SPENDING", "NAMED", "on_map"}
    assert public <= names
    assert asked <= names


def test_answers_count_as_cited(state: State) -> None:
    with recording() as ids:
        CASES.ask(state, "fire_rating", ["Able", "Dora"])
        CASES.ask(state, "permission", ["Able", "rally"])
        CASES.ask(state, "stacking", ["C3"])
    assert {"gts:15.5.i", "gts:7.1.o", "gts:14.7.h"} <= ids


def test_odds_while_a_move_is_fired_at() -> None:
    """Asked for one shot of several that there may be; nobody else fires, and what follows of the move is no part of it."""
    state = position(["C3: Able allied", "F3: Dora german range5", "F4: Emil german range5"])
    game = Game(SYSTEM, state, seed=1)
    for line in ("move Able", "step to D3"):
        game.apply(game.parse(line))
    shot = game.parse("opportunity fire Dora Able")

    found = game.odds(shot, by=lambda after: after.unit("Able").cohesion, policy=questions.STEADY)
    passed, hits = Fraction(6, 10), Fraction(2, 10)  # Fire Rating 4 - 2 + 2, at a range of 3
    assert found[1] == passed * hits


# ------------------------------------------------------------ what a question takes into account
@pytest.mark.covers("gts:14.11.a", "gts:14.11.d")
def test_a_gun_with_a_star_is_moved_by_its_crew() -> None:
    state = position(["C3: Gun allied gun move*", "F3: Dora german"])
    assert questions.may_move(state, "Gun", "C2")
    assert questions.may_move(state, "Gun", "E3").rules[0] == "gts:14.3.a"
    with pytest.raises(ValueError, match="moves by prolonge, which costs no Movement Points"):
        questions.movement_cost(state, "Gun", "C2")


@pytest.mark.covers("gts:14.1.g")
def test_no_price_is_told_for_a_hex_with_enemies_near_or_far() -> None:
    for there in ("D3", "E3"):
        with pytest.raises(ValueError, match=f"enemies are in {there} .gts:14.1.g"):
            questions.movement_cost(position(["C3: Able allied", f"{there}: Dora german"]), "Able", there)


def test_changes_of_column_are_left_out_and_said_to_be() -> None:
    state = position(["A1: Able allied", "bridge: A1/B1", "river: A1/B1"])
    assert "6 Movement Points away without a change of Column" in str(questions.may_move(state, "Able", "C1"))
    island = position(board=". . .", place=["A1: Able allied", "bridge: A1/B1", "river: A1/B1"])
    assert "no way leads to C1 without a change of Column" in str(questions.may_move(island, "Able", "C1"))


@pytest.mark.covers("gts:8.0.m", "gts:8.0.n")
def test_no_point_is_spent_on_who_has_not_entered_play() -> None:
    lines = [
        "entry X: C3",
        "C3: Able allied entering",
        "D3: leader Lee allied",
        "D3: Bob allied",
        "eliminated: Zed allied",
    ]
    state = position(lines, points={"X": [3, 0]})
    assert questions.may_spend(state, "Able").rules == ("gts:8.0.m", "gts:8.0.n")
    assert "Zed is eliminated" in str(questions.may_spend(state, "Zed"))


def test_what_is_no_side_is_told(state: State) -> None:
    with pytest.raises(ValueError, match="'' is neither a unit nor one of Allied, German"):
        questions.in_fire_zone(state, "D3", "")
    with pytest.raises(TypeError, match=r"\[\] is neither a unit nor a side"):
        questions.in_fire_zone(state, "D3", [])  # type: ignore[arg-type]


def test_of_several_in_a_hex_the_one_that_can_be_fired_at_is_pointed_at() -> None:
    state = position(["entry Y: D3", "D3: Dora german entering", "D3: Emil german", "C3: Able allied"])
    assert why_not(state, ChooseAction(Side.ALLIED), ("Able", "D3"))
    stacked = position(["C3: Able allied", "C3: Baker allied", "D3: Dora german"])
    asked = ChooseOpportunityFire(Side.GERMAN, Trigger(("Baker",), Occasion.INTO_ZONE))
    assert why_not(stacked, asked, ("Dora", "C3"))


def test_a_leader_is_not_pointed_at_a_hex_that_is_not_there(state: State) -> None:
    with pytest.raises(ValueError, match="'Z99'"):
        why_not(state, ChooseAction(Side.ALLIED), ("Lee", "Z99"))


def test_who_is_suppressed_on_a_reinforcement_hex_can_do_nothing() -> None:
    state, asked = position(["entry X: A1", "A1: Able allied suppressed entering"]), ChooseAction(Side.ALLIED)
    assert asked.options(state) == (EndActivation(),)
    assert not asked.verdict(state, Rally("Able"))


def test_drawn_positions_that_play_does_not_reach() -> None:
    """A unit is dug in where no entrenchment is, and there is no enemy to fire at in a hex that one's own stand in, too."""
    state, asked = position(["C3: Able allied", "D3: Dora german", "B3: Baker allied"]), ChooseAction(Side.ALLIED)
    dug_in = put(state, "Able", cover=Cover.ENTRENCHED)
    assert LeaveEntrenchment("Able") in asked.options(dug_in)
    mixed = put(state, "Baker", place=state.hex("D3"))
    assert [each for each in asked.options(mixed) if isinstance(each, Fire) and each.unit == "Able"] == [
        Fire("Able", "Dora")
    ]
