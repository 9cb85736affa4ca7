"""What a player reads in the story: one line for every event, every question and every roll, and what the other player reads of a purchase."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import beachhead as bh
from beachhead.cases import vocabulary
from beachhead.dice import D10, Roll
from beachhead.play import Decision, Event
from beachhead.rules import Breakdown, Modifier
from beachhead_gts import SYSTEM, Side, events, phase_events
from beachhead_gts.activation import ChooseAction
from beachhead_gts.battlefield import Away
from beachhead_gts.cases import position
from beachhead_gts.dispatch import BuyChits, ConvertPoints
from beachhead_gts.fire import Against
from beachhead_gts.leaders import JoinNearest, LeaderGoes, TransferLeader
from beachhead_gts.movement import MoveOn
from beachhead_gts.mover import setting_out
from beachhead_gts.mug import AttachUnits, DispatchRoll, DrawChit, HalfOf, HowToArrive
from beachhead_gts.opportunity import ChooseOpportunityFire, Trigger
from beachhead_gts.quality import Check, MeetCheck, Purpose
from beachhead_gts.rating import Occasion
from beachhead_gts.results import ConvertSuppression
from beachhead_gts.tables import ActionKind, Cover, Phase, Result, Weather
from beachhead_gts.together import ChooseTarget, JoinAction
from beachhead_gts.turn import AttachFormation, Row

RULE = "gts:4.0.a"
STATE = position(
    [
        "C3: Able allied c1",
        "C3: Baker allied",
        "C3: leader Lee allied",
        "D3: Dora german",
        "A1: Tanks allied white",
        "A2: Cat allied of 2 div X",
    ],
    points={"X": [4, 18], "Y": [2, 2]},
    track=["dawn", "dusk", "dark night"],
)
CHITS = STATE.setting.chits
TO = STATE.hex("C4")


def sum_of(label: str, value: int) -> Breakdown:
    return Breakdown((Modifier(label, value, RULE),))


# ------------------------------------------------------------ events
LINES: list[tuple[Event[Any], str]] = [
    (events.UnitPlaced("Able", TO, column=False, entering=False, rule=RULE), "Able is set up in C4"),
    (events.UnitPlaced("Able", TO, column=True, entering=True, rule=RULE), "Able arrives in C4 in Column"),
    (events.LeaderPlaced("Lee", TO, RULE), "Lee goes to C4"),
    (events.LeaderPlaced("Lee", Away.REMOVED, RULE), "Lee is out of play"),
    (events.ActionBegan(("Able",), ActionKind.FIRE, second=False, rule=RULE), "Able: Fire"),
    (
        events.ActionBegan(("Able", "Baker"), ActionKind.RALLY, second=True, rule=RULE),
        "Able and Baker: Second Action, Rally",
    ),
    (events.UnitMoved("Able", TO, Breakdown((Modifier("road", 1, RULE),), 2), RULE), "Able moves from C3 to C4 (1/2 Movement Point)"),
    (events.UnitMoved("Able", TO, Breakdown((Modifier("woods", 8, RULE),), 2), RULE), "Able moves from C3 to C4 (4 Movement Points)"),
    (events.ColumnChanged("Able", column=True, rule=RULE), "Able enters Column"),
    (events.TransportChanged("Able", mounted=True, column=True, rule=RULE), "Able mounts, in Column"),
    (events.TransportChanged("Able", mounted=False, column=False, rule=RULE), "Able dismounts"),
    (events.CoverChanged("Able", Cover.ENTRENCHED, RULE), "Able enters the entrenchment"),
    (events.CoverChanged("Able", Cover.NONE, RULE), "Able leaves the entrenchment"),
    (events.UnitStopped("Able", "is dropped off", RULE), "Able is dropped off in C3"),
    (
        events.QualityChecked("Able", "rallying", sum_of("Troop Quality of Able", 6), passed=False, bought=False, rule=RULE),
        "Able fails the Troop Quality Check for rallying, Troop Quality 6 Troop Quality of Able (gts:4.0.a) = 6",
    ),
    (
        events.QualityChecked("Able", "a forced march", sum_of("Troop Quality of Able", 6), passed=True, bought=True, rule=RULE),
        "Able passes the Troop Quality Check for a forced march by a Command Point",
    ),
    (
        events.FireResolved("Dora", "Able", sum_of("Fire Rating of Dora", 4), Result.POSSIBLE_SUPPRESSION, RULE),
        "Dora fires at Able, Fire Rating 4 Fire Rating of Dora (gts:4.0.a) = 4: S?",
    ),
    (
        events.FireResolved("Dora", "Able", sum_of("Fire Rating of Dora", 4), Result.MISS, RULE, authored=True),
        "Dora fires at Able, Fire Rating 4 Fire Rating of Dora (gts:4.0.a) = 4: miss (authored table)",
    ),
    (events.UnitSuppressed("Able", RULE), "Able is Suppressed"),
    (events.CohesionHit("Able", RULE), "Able takes a Cohesion Hit and has 2"),
    (events.StepLost("Able", RULE), "Able loses a Step"),
    (events.UnitEliminated("Able", RULE), "Able is eliminated"),
    (events.UnitRallied("Able", suppression=False, rule=RULE), "Able rallies from a Cohesion Hit"),
    (events.UnitRallied("Able", suppression=True, rule=RULE), "Able rallies from Suppression"),
    (events.MenRallying("Able"), "Able gets a Men Rallying marker and has 1"),
    (phase_events.TurnBegan(2, RULE), "Turn 2: dusk"),
    (phase_events.TurnBegan(3, RULE), "Turn 3: dark (night)"),
    (phase_events.GameEnded(), "the last turn has been played"),
    (phase_events.WeatherDetermined(Weather.FOG, RULE), "the weather is fog"),
    (phase_events.AirpowerDetermined(2, RULE), "airpower available: 2"),
    (phase_events.ReinforcementsBoxed("X", ("Able", "Baker"), RULE), "in the Reinforcement Box of X: Able and Baker"),
    (phase_events.FormationAttached("2", "1", RULE), "2 is attached to 1"),
    (phase_events.PointsConverted("X", RULE), "X buys a Dispatch Point for 2 Command Points"),
    (phase_events.ChitBought(CHITS["1"], this_turn=True, rule=RULE), "Allied buys the chit of 1 for this turn"),
    (phase_events.ChitBought(CHITS["1"].face_down, this_turn=False, rule=RULE), "Allied buys a chit of X for next turn"),
    (phase_events.MugFilled((CHITS["X"], CHITS["1"], CHITS["9"]), RULE), "in the mug: X, 1 and 9"),
    (phase_events.MugFilled((), RULE), "nothing is in the mug"),
    (phase_events.ChitDrawn("1", RULE), "Formation Activation of 1"),
    (phase_events.ChitDrawn("Y", RULE), "Division Activation of Y"),
    (phase_events.ChitDrawn("German Direct Command", RULE), "German Direct Command"),
    (phase_events.ChitCarriedOver("9", RULE), "9 is left in the mug and will be played first next turn"),
    (phase_events.CommandPointsReceived("X", 2, 6, RULE), "X receives 6 Command Points and has 10"),
    (phase_events.CommandPointsReceived("X", 4, 18, RULE), "X receives 18 Command Points and has 19"),
    (phase_events.DispatchPointsChanged("X", 2, RULE), "X: +2 Dispatch Points, it has 19"),
    (phase_events.DispatchPointsChanged("Y", -1, RULE), "Y: -1 Dispatch Point, it has 1"),
    (phase_events.CommandPointSpent("X", 1, RULE), "X pays 1 Command Point and has 3"),
    (phase_events.CommandPointSpent("X", 2, RULE), "X pays 2 Command Points and has 2"),
    (phase_events.UnitAttached("Tanks", RULE), "Tanks is attached to 1"),
]  # fmt: skip
BOOKKEEPING = {"ActivationOpened", "ActionsEnded", "ActivationEnded", "LeaderAsked", "PhaseBegan"}
"""Events that the story leaves out."""


@pytest.mark.parametrize(("event", "line"), LINES, ids=[line for _, line in LINES])
def test_an_event_in_a_line(event: Event[Any], line: str) -> None:
    assert event.text(STATE) == line


def test_every_event_has_its_line() -> None:
    told = {type(event).__name__ for event, _ in LINES}
    assert told | BOOKKEEPING == {*vocabulary(SYSTEM).events}
    assert not told & BOOKKEEPING
    assert all(not event.bookkeeping for event, _ in LINES)


def test_the_story_leaves_bookkeeping_out() -> None:
    game = bh.new("gts/training", seed=44)
    game.play("sensible")
    written = [event for entry in game.log for event in entry.events]
    assert {type(event).__name__ for event in written if event.bookkeeping} == BOOKKEEPING
    assert str(game.log).count("\n") < len(written) + 200
    assert not any(str(phase) in str(game.log) for phase in Phase if phase is not Phase.OVER)


# ------------------------------------------------------------ questions
TRIGGER = Trigger(("Able", "Baker"), Occasion.INTO_ZONE)
QUESTIONS: list[tuple[Decision[Any, Any], str]] = [
    (ConvertPoints(Side.ALLIED), "buy Dispatch Points for Command Points, or go on"),
    (BuyChits(Side.ALLIED), "buy Formation Activation Chits, or go on"),
    (AttachFormation(Side.ALLIED, "2"), "to which Formation is 2 attached?"),
    (HowToArrive(Side.ALLIED, "Able"), "Able arrives: in Column, or not"),
    (AttachUnits(Side.ALLIED, "1"), "attach independent units to 1, or go on"),
    (ChooseAction(Side.ALLIED), "choose a unit and its Action, or end the activation"),
    (JoinAction(Side.ALLIED, ActionKind.MOVEMENT, ("Able",)), "Able, Movement: who joins in?"),
    (ChooseTarget(Side.ALLIED, "Able"), "at whom does Able fire?"),
    (MoveOn(Side.ALLIED, setting_out(STATE, ("Able", "Baker"))), "Able, Baker: move on, or stop"),
    (
        ChooseOpportunityFire(Side.GERMAN, TRIGGER),
        "Opportunity Fire at Able, Baker (moving into an enemy Fire Zone), or hold fire",
    ),
    (
        MeetCheck(Side.ALLIED, "Able", Purpose.PROLONGE),
        "Able checks Troop Quality for moving by prolonge: roll, or spend a Command Point",
    ),
    (
        ConvertSuppression(Side.ALLIED, "Able"),
        "Able receives Suppression: take it, or try to turn it into a Cohesion Hit",
    ),
    (TransferLeader(Side.ALLIED, "Lee"), "transfer Lee, or let him stay"),
    (LeaderGoes(Side.ALLIED, "Lee", ("Able", "Baker")), "Lee goes with Able, Baker, or stays"),
    (
        JoinNearest(Side.ALLIED, "Lee"),
        "Lee is left alone: to which of the nearest units of his does he go?",
    ),
]


@pytest.mark.parametrize(("decision", "prompt"), QUESTIONS, ids=[type(d).__name__ for d, _ in QUESTIONS])
def test_a_question_in_a_line(decision: Decision[Any, Any], prompt: str) -> None:
    assert decision.prompt == prompt


def test_every_question_has_its_line() -> None:
    assert {type(decision).__name__ for decision, _ in QUESTIONS} == {*vocabulary(SYSTEM).decisions}


# ------------------------------------------------------------ rolls
READINGS: Mapping[str, tuple[Any, int, str]] = {
    "a check": (Check(6), 6, "rolls 6 on a D10; 6 or less: yes"),
    "a check that fails": (Check(6), 9, "rolls 9 on a D10; 6 or less: no"),
    "a check of the best": (Check(10), 9, "rolls 9 on a D10; 8 or less: no"),
    "a check of the worst": (Check(-2), 0, "rolls 0 on a D10; 0 or less: yes"),
    "fire": (Against(2, (Result.COHESION_HIT,) * 9), 2, "rolls 2 on a D10; a hit on 2 or less: C"),
    "fire with a great rating": (Against(12, (Result.STEP_LOSS,) * 9), 9, "rolls 9 on a D10; a hit on 8 or less: miss"),
    "fire with none": (Against(-3, (Result.COHESION_HIT,) * 9), 0, "rolls 0 on a D10; a hit on 0 or less: C"),
    "Command Points": (HalfOf(), 7, "rolls 7 on a D10; half of it: 3"),
    "Dispatch Points": (DispatchRoll(5, 7, False), 5, "rolls 5 on a D10; Dispatch Rating 5, 7 held: +2"),
    "nothing gained": (DispatchRoll(5, 3, False), 6, "rolls 6 on a D10; Dispatch Rating 5, 3 held: +0"),
    "weather": (Row((Weather.RAIN,) * 10), 3, "rolls 3 on a D10; by the table: rain"),
}


@pytest.mark.parametrize(("reading", "face", "line"), READINGS.values(), ids=READINGS)
def test_a_roll_in_a_line(reading: Any, face: int, line: str) -> None:
    assert Roll(D10, reading, RULE).text(face, STATE) == line


def test_a_draw_says_nothing_the_chit_does() -> None:
    assert DrawChit().text("1", STATE) == ""


# ------------------------------------------------------------ what is hidden
def test_the_other_player_reads_whose_division_pays_and_no_more() -> None:
    state = position(["C3: Able allied", "C4: Baker allied of 2 div X", "G3: Dora german"], points={"X": [0, 3]}, turn=2, phase="dispatch")  # fmt: skip
    game = bh.Game(SYSTEM, state, seed=1)
    game.do("buy for this turn 2")
    game.do("buy for next turn 1")
    lines = [f"Allied buys the chit of {name} for {when} turn" for name, when in (("2", "this"), ("1", "next"))]
    down = [f"Allied buys a chit of X for {when} turn" for when in ("this", "next")]
    for side, expected in ((Side.ALLIED, lines), (Side.GERMAN, down), (None, down)):
        log = game.view(side).log
        assert [event.text(state) for entry in log for event in entry.events if "buys" in event.text(state)] == expected


def test_every_line_of_a_whole_game_cites_a_rule_that_exists() -> None:
    game = bh.new("gts/training", seed=7)
    game.play("cautious")
    for entry in game.log:
        for event in entry.events:
            assert event.rules
            assert all(rule in SYSTEM.catalogue for rule in event.rules), event
