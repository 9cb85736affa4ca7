"""The text front end of GTS: the map as text, how things stand, words beside options, and what is pointed at."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve

import beachhead as bh
from beachhead.errors import UnknownName
from beachhead.terminal import position_text
from beachhead_gts import terminal
from beachhead_gts.actions import EndActivation, Fire, Move, Rally
from beachhead_gts.activation import ChooseAction
from beachhead_gts.battlefield import Away
from beachhead_gts.cases import position
from beachhead_gts.events import CohesionHit, UnitEliminated, UnitMoved, UnitSuppressed
from beachhead_gts.leaders import TransferLeader
from beachhead_gts.movement import MoveOn, StepTo
from beachhead_gts.mover import setting_out
from beachhead_gts.mug import AttachUnits
from beachhead_gts.opportunity import ChooseOpportunityFire, Trigger
from beachhead_gts.pointing import why_not
from beachhead_gts.quality import MeetCheck, Purpose, RollDie, SpendPoint
from beachhead_gts.rating import Occasion
from beachhead_gts.state import State, put_points
from beachhead_gts.system import SYSTEM
from beachhead_gts.tables import ActionKind, Side
from beachhead_gts.together import ChooseTarget, JoinAction
from beachhead_gts.turn import AttachFormation, AttachTo

PLACE = (
    "C3: Able allied c1 column",
    "C3: Baker allied suppressed",
    "C3: leader Cass allied",
    "C3: woods",
    "E3: Anton german tank",
    "E3: town",
    "crest: C3/D3",
    "stream: D3/E3",
    "bridge: D3/E3",
    "road: D3-E3 E3-F3",
    "objective Mill 3: E3",
    "H8: strongpoint",
    "H9: observation-post",
    "entry X: A1",
)


def told(state: State, label: str) -> str:
    return terminal.at(state, state.hex(label))


# ------------------------------------------------------------ the map
def test_a_cell_shows_the_ground_the_units_with_their_markers_and_what_lies_along_it() -> None:
    state = position(PLACE)
    wood, town = (terminal.cell(state, state.hex(label)) for label in ("C3", "E3"))
    assert (wood.ground, wood.mark, wood.side) == ("w", " ", Side.ALLIED)
    assert wood.unit.split("\n") == ["(Able'>", "(Baker)*", "<Cass>"]
    assert wood.east == "^"
    assert (town.ground, town.mark, town.unit, town.east) == ("t", "$", "[Anton]", "-")
    assert terminal.cell(state, state.hex("D3")).east == "H"
    assert terminal.cell(state, state.hex("A1")).mark == ">"
    assert [terminal.cell(state, state.hex(label)).mark for label in ("H8", "H9")] == ["+", "^"]


def test_roads_streams_and_crests_on_the_slopes() -> None:
    state = position(["road: C2-C3", "stream: C2/C3 C2/D3", "crest: E2/E3"])
    cell = terminal.cell(state, state.hex("C2"))
    assert (cell.southwest, cell.southeast) == ("=/=", "===")
    assert terminal.cell(state, state.hex("E2")).southwest == "^^^"


def test_the_legend_names_what_occurs_and_nothing_else() -> None:
    ground, units = terminal.legend(position(PLACE))
    assert ground == (
        "t town, w woods, > reinforcement hex, $ objective, + strongpoint, ^ observation post, "
        "- / \\ road, | === stream, ^ ^^^ crest, H bridge"
    )
    assert units == "(Able) Allied, [Anton] German, <...> Leader, ' one Cohesion Hit, > in Column, * Suppressed"
    assert list(terminal.legend(position())) == [""]


def test_a_long_name_is_cut_and_told_in_the_legend() -> None:
    state = position(["C3: A-Winnipeg allied"])
    assert terminal.cell(state, state.hex("C3")).unit == "(A-Win)"
    assert terminal.legend(state)[1].endswith("A-Win A-Winnipeg")


def test_a_hex_tells_all_that_lies_in_it() -> None:
    state = position([*PLACE, "Bény = E3", "E3: heavy-barrage", "E3: entrenchment"])
    assert told(state, "E3") == (
        "Anton (Vehicle 4-4-8 Dual Purpose, quality 6, 1 step), Bény, town, objective Mill (3), entrenchment, heavy barrage, "
        "bridge towards D3, stream towards D3, road to F3, D3"
    )
    assert told(state, "C3") == (
        "Able (Infantry 4-4-5 Small Arms, quality 6, 2 steps, 1 Cohesion Hit, in Column), "
        "Baker (Infantry 4-4-5 Small Arms, quality 6, 2 steps, Suppressed), "
        "Cass, Leader of 1, Command Range 5, Attachment Rating 2, woods, crest towards D3"
    )
    assert told(state, "A1") == "clear, reinforcement hex of X"
    assert [told(state, label) for label in ("H8", "H9")] == ["clear, strongpoint", "clear, observation post"]


def test_the_whole_map_is_printed_with_a_state() -> None:
    state = position(PLACE)
    text = str(state)
    assert text == position_text(terminal, state)
    assert all(state.setting.board.label(hex) in text for hex in state.setting.board)
    assert "(Able'>" in text


# ------------------------------------------------------------ how things stand
def test_facts_tell_turn_points_units_objectives_and_rules_in_play() -> None:
    lines = [*PLACE, "G3: W allied white", "due 3: L allied", "eliminated: E german"]
    state = position(lines, points={"X": [3, 1]}, weather="rain", options={"G14": "before"}, mug=["9", "Y"])
    facts = terminal.facts(state)
    assert facts["Turn"] == (
        "turn 1 of 6 (morning), H. Activation Phase",
        "the weather is rain; one sees 2 hexes far",
        "played now: Formation Activation of 1",
        "in the mug: 9, Y",
    )
    assert facts["Points"] == ("X: 3 Command Points, 1 Dispatch Point", "Y: 0 Command Points, 0 Dispatch Points")
    allied = facts["Allied Formation 1"]
    assert allied[0] == "Cass  Leader of 1, Command Range 5, Attachment Rating 2: C3"
    assert allied[-1] == "L  Infantry 4-4-5 Small Arms, quality 6, 2 steps: due on turn 3"
    assert facts["German Formation 9"][0].endswith("E3, town, Out of Command")
    assert facts["German Formation 9"][1].endswith("0 of 2 steps: is eliminated")
    assert facts["Allied independent units of X"] == (
        "W (white)  Infantry 4-4-5 Small Arms, quality 6, 2 steps: G3, clear",
    )
    assert facts["Objectives"] == ("Mill E3, 3: nobody",)
    (rule,) = facts["Rules in play"]
    assert rule.startswith("gts:G14 ")
    assert "Barrages" not in facts


def test_how_things_stand_in_a_line_and_what_is_hidden_in_a_hand() -> None:
    state = position(PLACE, ready=["1"], aside=["9"])
    assert terminal.standing(state) == (
        "Victory Points: Allied 0, German 0; "
        "X: 0 Command Points, 0 Dispatch Points; Y: 0 Command Points, 0 Dispatch Points"
    )
    assert terminal.hand(state, Side.ALLIED) == [("1", "goes into the mug this turn")]
    assert terminal.hand(state, Side.GERMAN) == [("9", "goes into the mug next turn")]


def test_units_and_leaders_are_called_by_name() -> None:
    units = terminal.units(position(PLACE))
    assert units["Anton"] == "German unit of 9, Vehicle 4-4-8 Dual Purpose, quality 6, 1 step: E3, town"
    assert units["Cass"] == "Leader of 1, Command Range 5, Attachment Rating 2: C3"


def test_before_the_set_up_units_are_shown_where_they_will_stand() -> None:
    state = position(["E3: Anton german column"], phase="set-up")
    assert terminal.cell(state, state.hex("E3")).unit == "[Anton]>"
    assert terminal.facts(state)["Turn"][0].startswith("6 turns: morning, noon, ")


def test_a_scenario_says_that_it_has_authored_figures() -> None:
    state = bh.new("gts/training", seed=1).state
    assert "authored" in terminal.remarks(state)
    assert terminal.remarks(position()) == ""


# ------------------------------------------------------------ options
def test_every_option_of_a_game_has_words_and_every_outcome_too() -> None:
    game = bh.new("gts/training", seed=5)
    choose, met = Random(5), set[tuple[type, type]]()
    while game.decision and game.decisions < 400:
        decision, before = game.decision, game.view(game.to_act).state
        options = game.legal_actions()
        for option in options:
            kind = (type(decision), type(option))
            if kind not in met:
                met.add(kind)
                assert terminal.gloss(before, decision, option), f"nothing is said of {option}"
        action = choose.choice(options)
        outcome = terminal.outcome(before, decision, action)
        game.apply(action)
        assert outcome(game.state)
    assert len(met) > 25


def gloss(state: State, action: object) -> str:
    return terminal.gloss(state, ChooseAction(Side.ALLIED), action)


def test_a_shot_tells_its_rating_its_chances_and_the_company_bonus() -> None:
    state = position(["C3: Able allied", "D3: Anton german", "D3: woods", "C3: leader Cass allied"])
    assert gloss(state, Fire("Able", "Anton")) == (
        "Infantry 4-4-5 Small Arms, quality 6, 2 steps: Fire Rating 2 = 4 Fire Rating of Able -2 woods: "
        "miss 7/10, S? 1/5, C 1/10; Company Bonus: passes with 6 or less (7 in 10)"
    )


def test_an_action_tells_what_it_costs_in_command_points() -> None:
    state = position(
        ["C3: Able allied", "C3: leader Cass allied"], points={"X": [3, 1]}, last=["Able"], last_action="Fire"
    )
    assert gloss(state, Move("Able")) == "C3, clear, 5 Movement Points; Second Action, 1 of 3 Command Points of X"
    direct = position(["C3: Able allied", "C3: leader Cass allied"], points={"X": [3, 1]}, chit="Allied Direct Command")
    assert gloss(direct, Move("Able")) == "C3, clear, 5 Movement Points; 1 of 3 Command Points of X"


def test_rallying_tells_whether_a_check_is_needed() -> None:
    lines = ["C3: Able allied suppressed", "C3: leader Cass allied"]
    assert gloss(position(lines), Rally("Able")) == "In Command: it succeeds; from Suppression"
    assert gloss(position(lines[:1]), Rally("Able")) == "passes with 4 or less (5 in 10); from Suppression"


def test_ending_the_activation_tells_who_could_still_act() -> None:
    lines = ["C3: Able allied", "C4: Baker allied"]
    assert gloss(position(lines), EndActivation()) == "Able and Baker could still act"
    assert gloss(position(lines, acted=["Able"]), EndActivation()) == "Baker could still act"
    assert gloss(position(lines, acted=["Able", "Baker"]), EndActivation()) == "all have acted"
    many = [f"C3: U{n} allied" for n in range(7)]
    assert gloss(position(many), EndActivation()) == "7 units could still act"


def test_an_independent_formation_is_told_with_the_one_that_it_is_attached_to() -> None:
    lines = ["C3: Able allied", "box: Ind allied of 2", "box: Ing allied of 2"]
    waiting = position(lines, independent={"2": ""})
    assert terminal.gloss(waiting, AttachFormation(Side.ALLIED, "2"), AttachTo("1")) == "Able"
    attached = position(lines, independent={"2": "1"})
    assert "Allied Formation 2, attached to 1" in terminal.facts(attached)
    assert "Allied Formation 2" in terminal.facts(waiting)


def test_a_step_tells_its_cost_who_may_fire_first_and_the_fire_zone_it_leads_into() -> None:
    state = position(["C3: Able allied", "E3: Anton german"])
    decision = MoveOn(Side.ALLIED, setting_out(state, ("Able",)))
    words = terminal.gloss(state, decision, StepTo(state.hex("D3")))
    assert words == "2 of 5 Movement Points; clear; Anton may fire first; in an enemy Fire Zone"


def test_a_check_tells_its_chance_and_the_price_of_passing_it() -> None:
    state = position(["C3: Able allied", "C3: leader Cass allied"], points={"X": [2, 0]})
    decision = MeetCheck(Side.ALLIED, "Able", Purpose.FORCED_MARCH)
    assert terminal.gloss(state, decision, RollDie()) == "passes with 6 or less (7 in 10)"
    assert terminal.gloss(state, decision, SpendPoint()) == "1 of 2 Command Points of X"


def test_outcomes_tell_what_becomes_of_units_points_and_victory() -> None:
    state = position(["C3: Able allied", "D3: Anton german", "objective Mill 3: C4"], points={"X": [2, 0]})
    after = UnitSuppressed("Able", "gts:19.2.2.a").fold(CohesionHit("Able", "gts:19.2.3.a").fold(state))
    after = put_points(after, "X", command=1)
    said = terminal.outcome(state, None, None)
    assert said(after) == "Able takes 1 Cohesion Hit and is Suppressed; X -1 Command Point"
    assert said(UnitEliminated("Anton", "gts:19.2.5.a").fold(state)) == "Anton is eliminated"
    assert said(state) == "nothing changes"
    cost = bh.Breakdown()
    moved = UnitMoved("Able", state.hex("C4"), cost, "gts:14.3.a").fold(state)
    assert said(moved) == "Able goes to C4; Allied +3 VP"


# ------------------------------------------------------------ what is pointed at
def rules(state: State, decision: object, *what: str) -> list[str]:
    found = why_not(state, decision, what)  # type: ignore[arg-type]
    return [rule for objection in found.objections for rule in objection.rules]


CHOOSE = ChooseAction(Side.ALLIED)


def test_a_unit_that_may_act_is_allowed_and_one_that_may_not_is_told_why() -> None:
    state = position(["C3: Able allied", "C4: Baker allied suppressed", "C5: Gun allied move*", "E3: Anton german"])
    assert why_not(state, CHOOSE, ("Able",))
    assert why_not(state, CHOOSE, ("Baker",)), "it can rally"
    assert why_not(state, CHOOSE, ("Gun",)), "it can fire, or be moved by its crew"
    assert "gts:13.1.a" in rules(state, CHOOSE, "Anton")
    with pytest.raises(UnknownName, match="Able"):
        why_not(state, CHOOSE, ("Ables",))
    with pytest.raises(ValueError, match="Z9"):
        why_not(state, CHOOSE, ("Able", "Z9"))
    assert rules(state, CHOOSE) == [CHOOSE.rule]


def test_a_unit_and_a_hex_is_a_step_or_a_shot() -> None:
    lines = ["C3: Able allied", "E3: Anton german", "C4: Gun allied move*", "river: C3/C4"]
    state = position(lines)
    assert why_not(state, CHOOSE, ("Able", "D3"))
    assert why_not(state, CHOOSE, ("Able", "B4"))
    assert rules(state, CHOOSE, "Able", "I9") == ["gts:14.3.c"]
    assert why_not(state, CHOOSE, ("Able", "C4")), "round the end of the river"
    shut = position(["C3: Able allied move2", "river: C3/C4 B4/C4 C4/D4 C4/D3"])
    assert "gts:14.5.a" in rules(shut, CHOOSE, "Able", "C4")
    assert why_not(state, CHOOSE, ("Able", "E3")), "Anton stands there, two hexes away"
    assert why_not(state, CHOOSE, ("Able", "Anton"))
    assert why_not(state, CHOOSE, ("Gun", "B4")), "by prolonge"
    acted = position(lines, acted=["Able"])
    assert "gts:10.0.2.g" in rules(acted, CHOOSE, "Able", "D3")


def test_while_a_unit_moves_one_points_at_hexes() -> None:
    state = position(["C3: Able allied", "D3: Anton german"])
    decision = MoveOn(Side.ALLIED, setting_out(state, ("Able",)))
    assert rules(state, decision, "Able", "D3") == ["gts:14.1.g"]
    assert why_not(state, decision, ("Able", "C4"))
    assert not why_not(state, decision, ("Able",))


def test_under_other_decisions_one_points_at_who_could_be_chosen() -> None:
    lines = [
        "C3: Able allied",
        "C3: Baker allied",
        "D3: Anton german",
        "H8: Berta german",
        "C3: leader Cass allied",
        "I9: W allied white",
    ]
    state = position(lines)
    trigger = Trigger(("Able",), Occasion.INTO_ZONE)
    shooting = ChooseOpportunityFire(Side.GERMAN, trigger)
    assert why_not(state, shooting, ("Anton",))
    assert why_not(state, shooting, ("Anton", "Able"))
    assert why_not(state, shooting, ("Anton", "C3"))
    assert "gts:17.2.a" in rules(state, shooting, "Berta")
    assert "gts:17.8.g" in rules(state, shooting, "Anton", "Baker")
    assert why_not(state, ChooseTarget(Side.ALLIED, "Able"), ("Able", "D3"))
    assert "gts:15.5.f" in rules(state, ChooseTarget(Side.ALLIED, "Able"), "Able", "Berta")
    joining = JoinAction(Side.ALLIED, ActionKind.MOVEMENT, ("Able",))
    assert why_not(state, joining, ("Baker",))
    assert not why_not(state, joining, ("W",))
    assert "gts:21.6.2.b" in rules(state, AttachUnits(Side.ALLIED, "1"), "W")
    leading = TransferLeader(Side.ALLIED, "Cass")
    assert "gts:21.2.c" in rules(state, leading, "Cass", "F6")
    assert not why_not(state, leading, ("Able",))


@pytest.mark.covers("gts:21.2.a", "gts:21.2.b", "gts:21.2.i", "gts:21.1.a")
def test_a_leader_who_is_pointed_at_is_told_when_he_transfers() -> None:
    lines = ["C3: Able allied", "E5: Baker allied", "C3: leader Cass allied"]
    game = bh.Game(SYSTEM, position(lines))
    found = game.why_not("Cass", "C4")
    assert found.rules == ("gts:21.2.a", "gts:21.2.b")
    assert str(found).startswith(
        "Cass is a Leader: he does not move, but transfers at the end of an activation of 1 or X"
    )
    assert game.why_not("Cass") == found
    assert game.check("move Cass").rules == ("gts:13.1.a", "gts:21.1.a")
    direct = bh.Game(SYSTEM, position(lines, chit="Allied Direct Command", points={"X": [2, 0]}))
    assert direct.why_not("Cass").rules == ("gts:21.2.a", "gts:21.2.b", "gts:21.2.i")
    game.do("end activation")
    assert str(game.why_not("Cass")) == "allowed: transfer Cass, or let him stay (gts:21.2.b)"
    assert "gts:21.2.c" in game.why_not("Cass", "f6").rules


def test_who_may_act_is_told_by_which_rule() -> None:
    state = position(["C3: Able allied", "E3: Anton german"])
    assert why_not(state, CHOOSE, ("Able",)).rules == ("gts:7.1.c",)
    assert why_not(state, CHOOSE, ("Able", "Anton")).rules[:2] == ("gts:7.1.m", "gts:15.3.a")
    with pytest.raises(ValueError, match="did you mean 'Anton'"):
        why_not(state, CHOOSE, ("Able", "Antn"))


def test_a_game_answers_what_is_pointed_at() -> None:
    game = bh.new("gts/training", seed=1)
    assert not game.why_not("Able", "0305")
    eliminated = evolve(position(["C3: Able allied", "eliminated: Baker allied"]))
    assert eliminated.place("Baker") is Away.ELIMINATED
    assert "gts:13.1.a" in rules(eliminated, CHOOSE, "Baker")
