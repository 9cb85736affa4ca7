"""Positions drawn by hand: what each key and word says, and that every fault of a row is told at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from beachhead.cases import read_cases, run_case
from beachhead.cases.listing import vocabulary
from beachhead.errors import OptionError, ScenarioError, UnknownName
from beachhead.game import Game
from beachhead.hexes import Hex
from beachhead_gts import SYSTEM
from beachhead_gts.battlefield import NO, STAR, Away, Turn
from beachhead_gts.cases import CASES, position
from beachhead_gts.charts import HALF
from beachhead_gts.mover import step_cost
from beachhead_gts.rows import KEYS
from beachhead_gts.state import Activation, Points, State, Unit
from beachhead_gts.tables import (
    ActionKind,
    Barrage,
    Cover,
    MovementClass,
    Phase,
    Side,
    Stripe,
    UnitClass,
    WeaponClass,
    Weather,
)
from beachhead_gts.wording import COMPANY, WORDS

TWO = ("C3: Able allied", "E3: Dora german")


def at(state: State, label: str) -> Hex:
    return state.setting.board.hex(label)


def faults(*args: Any, **row: Any) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        position(*args, **row)
    return [f"{fault.key}: {fault.problem}" for fault in caught.value.faults]


# ------------------------------------------------------------ what is there if nothing is said
def test_the_empty_position_is_a_clear_board_with_formation_1_active() -> None:
    state = position()
    board = state.setting.board
    assert (len(board), board.label(board.hexes[0]), board.label(board.hexes[-1])) == (81, "A1", "I9")
    assert (state.turn, state.phase, state.activation) == (1, Phase.ACTIVATION, Activation("1", open=True))
    assert (state.mug.size, state.weather, state.night) == (0, Weather.CLEAR, False)
    assert {d.name: d.side for d in state.setting.divisions} == {"X": Side.ALLIED, "Y": Side.GERMAN}
    assert {f.name: f.division for f in state.setting.formations} == {"1": "X", "9": "Y"}
    SYSTEM.check_invariants(state)


def test_a_unit_of_which_nothing_is_said() -> None:
    state = position(TWO)
    able, dora = state.setting.roster
    assert (able.front, able.steps, able.stripe) == (COMPANY, 2, Stripe.FORMATION)
    assert [(p.side, p.division, p.formation) for p in (able, dora)] == [
        (Side.ALLIED, "X", "1"),
        (Side.GERMAN, "Y", "9"),
    ]
    assert state.unit("Able") == Unit(at(state, "C3"))
    assert not able.authored


# ------------------------------------------------------------ units
def test_ratings() -> None:
    line = "C3: Able allied q7 range5 fire6 assault3 move8 def-1 air2 auto-command steps1 armored tracked vehicle"
    piece = position(line).setting.piece("Able")
    face = piece.front
    assert (face.quality, face.fire_range, face.fire, face.assault, face.movement) == (7, 5, 6, 3, 8)
    assert (face.defense, face.armored, face.air_defense, face.auto_command) == (-1, True, 2, True)
    assert (face.movement_class, face.unit_class, piece.steps) == (MovementClass.TRACKED, UnitClass.VEHICLE, 1)


def test_what_is_not_printed() -> None:
    state = position(["C3: Able allied rangeno fireno assaultno moveno", "C4: Gun allied move* fire7 direct-he range6"])
    able, gun = state.setting.roster
    assert (able.front.fire_range, able.front.fire, able.front.assault, able.front.movement) == (NO, NO, NO, NO)
    assert able.front.movement_class is MovementClass.IMMOBILE
    assert (gun.front.movement, gun.front.unit_class, gun.front.movement_class) == (
        STAR,
        UnitClass.GUN,
        MovementClass.LEG,
    )
    assert position("C3: Able allied immobile").setting.piece("Able").front.movement is NO


def test_weapons() -> None:
    lines = ["C3: A light-mortar allied", "C4: B allied indirect-he assault-small-arms", "C5: C allied armor-piercing"]
    a, b, c = (piece.front for piece in position(lines).setting.roster)
    assert (a.weapon, a.assault_weapon) == (WeaponClass.LIGHT_MORTAR, WeaponClass.LIGHT_MORTAR)
    assert (b.weapon, b.assault_weapon) == (WeaponClass.INDIRECT_HE, WeaponClass.SMALL_ARMS)
    assert c.weapon is WeaponClass.ARMOR_PIERCING


def test_a_tank_says_several_things_and_each_may_be_said_otherwise() -> None:
    state = position(["C3: Tank allied tank", "C4: Halftrack allied tank wheeled def1 steps2 small-arms"])
    tank, halftrack = state.setting.roster
    assert (tank.front.defense, tank.front.armored, tank.front.movement, tank.steps) == (-2, True, 8, 1)
    assert (tank.front.unit_class, tank.front.weapon) == (UnitClass.VEHICLE, WeaponClass.DUAL_PURPOSE)
    assert (halftrack.front.movement_class, halftrack.front.defense, halftrack.steps) == (MovementClass.WHEELED, 1, 2)
    assert halftrack.front.weapon is WeaponClass.SMALL_ARMS


def test_vehicles_are_tracked_unless_something_else_is_said() -> None:
    state = position(["C3: Tank allied vehicle", "C4: Car allied vehicle wheeled"])
    assert [p.front.movement_class for p in state.setting.roster] == [MovementClass.TRACKED, MovementClass.WHEELED]


def test_backs() -> None:
    lines = [
        "C3: A allied reduced",
        "C4: B allied fire6 q7 reduced(fire3 range1)",
        "C5: C allied transport q5",
        "C6: D allied gun transport(move8 tracked def-1 armored q4)",
    ]
    a, b, c, d = position(lines).setting.roster
    assert a.reduced is not None
    assert (a.reduced.fire, a.reduced.assault, a.reduced.quality, a.reduced.movement) == (3, 3, 5, 5)
    assert b.reduced is not None
    assert (b.reduced.fire, b.reduced.fire_range, b.reduced.quality) == (3, 1, 6)
    assert c.transport is not None
    assert (c.transport.movement, c.transport.movement_class, c.transport.quality) == (10, MovementClass.WHEELED, 5)
    assert (c.transport.fire, c.transport.unit_class, c.transport.defense) == (NO, UnitClass.VEHICLE, 2)
    assert d.transport is not None
    assert (d.transport.movement, d.transport.movement_class) == (8, MovementClass.TRACKED)
    assert (d.transport.armored, d.transport.defense, d.transport.quality) == (True, -1, 4)


def test_markers() -> None:
    lines = [
        "C3: A allied loss1 c2 suppressed rallying2",
        "C4: B allied column mounted transport",
        "C5: C allied improved c1",
        "C6: D allied entrenched",
        "entry X: A1",
        "A1: E allied entering",
    ]
    state = position(lines)
    hexes = [at(state, label) for label in ("C3", "C4", "C5", "C6", "A1")]
    assert state.units == (
        Unit(hexes[0], losses=1, cohesion=2, suppressed=True, rallying=2),
        Unit(hexes[1], column=True, mounted=True),
        Unit(hexes[2], cohesion=1, cover=Cover.IMPROVED),
        Unit(hexes[3], cover=Cover.ENTRENCHED),
        Unit(hexes[4], entering=True),
    )
    assert state.setting.board.members(state.entrenchments) == (hexes[3],)
    SYSTEM.check_invariants(state)


def test_what_a_unit_belongs_to() -> None:
    lines = [
        "C3: A allied of 2",
        "C4: B allied of 7 div Z",
        "C5: C of 7",
        "C6: D german white",
        "C7: E allied black div Z",
    ]
    state = position(lines)
    assert {p.name: (p.side, p.division, p.formation, p.stripe) for p in state.setting.roster} == {
        "A": (Side.ALLIED, "X", "2", Stripe.FORMATION),
        "B": (Side.ALLIED, "Z", "7", Stripe.FORMATION),
        "C": (Side.ALLIED, "Z", "7", Stripe.FORMATION),
        "D": (Side.GERMAN, "Y", "", Stripe.WHITE),
        "E": (Side.ALLIED, "Z", "", Stripe.BLACK),
    }
    assert [f.name for f in state.setting.formations] == ["2", "7", "9"]
    assert state.activation == Activation("2", open=True)


def test_units_and_leaders_off_the_map() -> None:
    lines = [
        "due 3: A allied",
        "box: B allied column",
        "eliminated: C german",
        "due 2: leader Lee of 1",
        "removed: leader Max german",
    ]
    with pytest.raises(ScenarioError, match="has markers, off the map"):
        position(lines)
    state = position([lines[0], "box: B allied", *lines[2:]])
    assert [unit.place for unit in state.units] == [Away.DUE, Away.BOX, Away.ELIMINATED]
    assert state.setting.piece("A").arrives == 3
    assert state.leaders == (Away.DUE, Away.REMOVED)


def test_leaders() -> None:
    state = position(["C3: leader Lee allied", "C4: leader Lou of 2 range3 attach4", "C4: A allied of 2"])
    lou, lee = sorted(state.setting.leaders, key=lambda leader: leader.formation, reverse=True)
    assert (lee.formation, lee.range, lee.attachment) == ("1", 5, 2)
    assert (lou.formation, lou.range, lou.attachment) == ("2", 3, 4)
    assert state.leader("Lou") == at(state, "C4")
    assert CASES.ask(state, "place", ["Lee"]) == at(state, "C3")


# ------------------------------------------------------------ the map
def test_a_drawing_and_lines_are_one_map() -> None:
    board = """
        . w w
         t . o
    """
    state = position(["B1: strongpoint", "B2: Able allied"], board=board)
    there = state.setting.board
    assert len(there) == 6
    assert there.terrain[at(state, "B1")] == ("woods",)
    assert state.setting.strongpoints == {at(state, "B1")}


def test_lines_below_a_drawing_are_as_in_place() -> None:
    state = position(
        board=". . .\n . . .\n\nroad: A1-B1-C1\ncrest: A2/B2\nCaen = C1\nCaen: town\n# nothing\nB2: Able allied"
    )
    there = state.setting.board
    assert there.linked("road", at(state, "A1"), at(state, "B1"))
    assert there.features(at(state, "A2"), at(state, "B2")) == {"crest"}
    assert there.terrain[state.hex("Caen")] == ("town",)
    assert state.at("B2") == ("Able",)


def test_everything_that_lies_on_a_map() -> None:
    lines = [
        "C3: woods strongpoint",
        "C4: observation-post",
        "C5: entrenchment light-barrage",
        "C6: heavy-barrage",
        "road: B1-C1-D1",
        "railroad: B2-C1 C1-C2",
        "unjoined: B1-C1-D1 B2-C1-C2",
        "entry Y: I9",
        "objective Caen 3 german: D5",
        "objective Bayeux: E5",
        "stream: D4/D5 D5/E5",
    ]
    state = position(lines)
    field = state.setting
    assert field.observation_posts == {at(state, "C4")}
    assert dict(state.barrages) == {at(state, "C5"): Barrage.LIGHT, at(state, "C6"): Barrage.HEAVY}
    assert field.unjoined[at(state, "C1")] == (
        frozenset((at(state, "B1"), at(state, "D1"))),
        frozenset((at(state, "B2"), at(state, "C2"))),
    )
    assert field.entries == {Side.ALLIED: (), Side.GERMAN: (at(state, "I9"),)}
    assert [(each.name, each.points, each.held) for each in field.objectives] == [
        ("Caen", 3, Side.GERMAN),
        ("Bayeux", 1, None),
    ]
    assert state.held == (Side.GERMAN, None)
    assert field.board.features(at(state, "D4"), at(state, "D5")) == {"stream"}


def test_charts_of_a_row() -> None:
    charts = {"figures": {"mass": {"4": 2}}, "terrain": {"woods": {"leg": "3(1)"}}}
    plain, other = position([*TWO, "D3: woods"]), position([*TWO, "D3: woods"], charts=charts)
    assert plain.setting.charts.figures["mass"]["4"] == 1
    assert other.setting.charts.figures["mass"]["4"] == 2
    costs = [step_cost(state, "Able", at(state, "D3")) for state in (plain, other)]
    assert [cost and cost.total for cost in costs] == [4 * HALF, 3 * HALF]
    assert plain.setting is not other.setting
    assert plain.setting is position([*TWO, "D3: woods"]).setting


# ------------------------------------------------------------ time, chits, points
def test_the_track() -> None:
    state = position(track=["dawn", "dusk", "dark night", "late night", "dawn"], turn=4)
    assert state.setting.track == (
        Turn("dawn", 1),
        Turn("dusk", 1),
        Turn("dark", 1, night=True),
        Turn("late", 1, night=True),
        Turn("dawn", 2),
    )
    assert state.night
    assert not position(turn=5).night
    assert position(turn=4).night


def test_the_activation() -> None:
    lines = ["C3: A allied", "C3: B allied", "C3: C allied", "C4: W allied white"]
    state = position(lines, acted=["A"], last=["B"], last_action="Fire", attached=["W"])
    assert state.activation == Activation("1", True, 0b011, ("B",), ActionKind.FIRE, attached=("W",))
    assert position(lines, last=["B", "C"]).activation == Activation("1", True, 0b110, ("B", "C"), ActionKind.MOVEMENT)
    assert position(lines, chit="X", opening=True).activation == Activation("X")
    assert position(lines, chit="German Direct Command").active is Side.GERMAN
    assert position(lines, closing=True).activation == Activation("1", open=True, closing=True)
    assert position(lines, chit="none", mug=["X", "Y"]).activation is None


def test_chits_and_points() -> None:
    state = position(
        ["A1: A allied of 2", *TWO],
        chit="none",
        mug=["X", "9", "Allied Direct Command"],
        ready=["2"],
        aside=["1"],
        carried="Y",
        points={"X": [3, 1]},
        ratings={"Y": [2, 7]},
        arrives={"Y": 2},
    )
    assert list(state.mug) == ["9", "Allied Direct Command", "X"]
    assert (state.ready, state.aside, state.carried) == (("2",), ("1",), "Y")
    assert state.points == (Points(3, 1), Points())
    x, y = state.setting.divisions
    assert (x.command, x.dispatch, y.command, y.dispatch, y.arrives) == (4, 5, 2, 7, 2)


def test_weather_and_tables() -> None:
    state = position(weather="fog", air=2, weather_table=["rain"], air_table=list(range(10)), elimination_points=2)
    assert (state.weather, state.air) == (Weather.FOG, 2)
    assert state.setting.hooks.weather == (Weather.RAIN,)
    assert state.setting.hooks.air == tuple(range(10))
    assert state.setting.elimination_points == 2


def test_set_up_and_the_first_turn() -> None:
    state = position([*TWO, "C3: leader Lee allied", "C4: B allied column"], phase="set-up", first_turn={"first": "1"})
    assert {unit.place for unit in state.units} == {Away.DUE}
    assert (state.leaders, state.carried, state.activation) == ((Away.DUE,), "1", None)
    assert state.setting.piece("B").column
    assert state.setting.first_turn.mug == ("X", "Y", "Allied Direct Command", "German Direct Command")
    game = Game(SYSTEM, state, seed=1)
    assert game.state.unit("B").column
    assert game.state.leader("Lee") == at(state, "C3")


def test_independent_formations() -> None:
    state = position(["C3: A allied", "C4: B allied of 2"], independent={"2": "1"})
    assert {f.name: to for f, to in zip(state.setting.formations, state.superiors, strict=True)} == {
        "1": "",
        "2": "1",
        "9": "",
    }
    assert "2" not in {chit.formation for chit in state.setting.chits.values()}
    loose = position(["C3: A allied", "box: B allied of 2"], independent={"2": ""})
    assert set(loose.superiors) == {""}
    assert loose.setting.formations[1].independent
    with pytest.raises(ScenarioError, match="nothing in its Division to be attached to"):
        position(["C3: A allied of 2"], independent={"2": ""})


# ------------------------------------------------------------ faults
@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("C3: Able alied", "'alied' is no word for a unit; did you mean 'allied'?"),
        ("C3: Able q7", "whose unit is it?"),
        ("C3: allied q6", "what is it called?"),
        ("C3: C4 allied", "C4 is a hex"),
        ("C3: Able allied q7 q8", "'q8' says its quality twice"),
        ("C3: Able allied q17", "q17: no such figure"),
        ("C3: Able allied qno", "qno: no such figure"),
        ("C3: Able allied leg wheeled", "'wheeled' says its movement class twice"),
        ("C3: Able allied loss1 steps1", "has no Step to lose without being eliminated"),
        ("C3: Able allied mounted", "has no Organic Transport"),
        ("C3: Able allied transport reduced", "a counter has one back"),
        ("C3: Able allied transport(fast)", "'fast' is no word for a unit's back"),
        ("C3: Able allied transport(allied)", "'allied' is no word for a unit's back"),
        ("C3: Able allied transport(move8", "'transport(move8' is not whole"),
        ("C3: Able allied tank reduced(fire2 q5", "'reduced(fire2 q5' is not whole"),
        ("C3: Able allied reduced (fire2)", "'(' is not whole"),
        ("C3: Able allied fire2)", "')' is not whole"),
        ("C3: Able allied tank(fire2)", "'tank(fire2)' is not whole"),
        ("C3: Able allied of", "'of' has no name behind it"),
        ("C3: Able allied of q7", "'of' has no name behind it"),
        ("C3: Able allied of 2 div", "'div' has no name behind it"),
        ("C3: leader Lee allied of", "'of' has no name behind it"),
        ("C3: Able allied move* infantry", "a star in place of the Movement Allowance"),
        ("C3: Able allied entering", "this is not the reinforcement hex of X"),
        ("C3: Able allied white of 1", "an independent unit has no Formation"),
        ("C3: Able allied div Z", "of which Formation of it?"),
        ("C3: Able allied of 9 div Y", "Division Y is German"),
        ("C3: Able allied of 2 div Z", "Formation 2 is of Division X"),
        ("D4: Able allied", "stands with an enemy in D4"),
        ("A2: Able allied column", "is the second unit in Column in A2"),
        ("due 3: Able allied c1", "has markers, off the map"),
        ("C3: leader Lee", "Lee leads no Formation"),
        ("C3: leader Lee allied fast", "'fast' is no word for a Leader"),
        ("box: leader Lee allied", "a Leader is not there"),
        ("C3: Dora german", "Dora is there already"),
        ("C3: wodos", "'wodos' is no ground; did you mean 'woods'?"),
        ("J3: woods", "'J3' is not on the board"),
        ("crest: C3/E3", "C3 and E3 are no neighbours"),
        ("road: C3", "'C3' is not what runs there"),
        ("unjoined: B1-C1", "'B1-C1' is no way through a hex"),
        ("unjoined: B1-C1-D1", "only one road through C1"),
        ("objective Caen far: D5", "'far' is no word for an objective"),
        ("entry Z: A1", "no such Division"),
        ("entry X: D4", "stands where enemy reinforcements enter"),
        ("woods", "is no hex and what is there"),
    ],
)
def test_faults_of_lines(line: str, problem: str) -> None:
    there = ["D4: Dora german", "A2: Baker allied of 2 column", line]
    assert any(problem in fault for fault in faults(there))


def test_a_unit_needs_its_side() -> None:
    with pytest.raises(
        ScenarioError, match=r"'Able' is no ground \(a unit needs its side: \"Able allied\" or \"Able german\"; "
    ):
        position("C3: Able")
    with pytest.raises(ScenarioError, match=r"'british' is no word for a unit \(first whose it is, allied or german\)"):
        position("C3: Able british")
    with pytest.raises(ScenarioError, match=r"'british' is no word for a unit \(known: allied, german, "):
        position("C3: Able allied british")


def test_a_new_terrain_that_lacks_something_may_be_a_misspelling() -> None:
    with pytest.raises(ScenarioError, match=r"terrain.wods.wheeled: missing \(.*; did you mean 'woods'\?\)"):
        position(charts={"terrain": {"wods": {"leg": "3(1)"}}})
    whole = {"leg": "3(1)", "wheeled": "NP", "tracked": "4(2)"}
    assert "wods" in position(charts={"terrain": {"wods": whole}}).setting.charts.terrain


def test_what_is_no_line() -> None:
    assert faults([None]) == ["place[0]: expected a text in quotation marks, not None"]
    assert faults([" "]) == ["place[0]: empty"]
    with pytest.raises(TypeError, match="expected a text or a list of texts, not None"):
        position(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"chit": "2"}, "chit: unknown word"),
        ({"chit": "none", "acted": ["Able"]}, "acted: no chit is being played"),
        ({"phase": "dispatch", "chit": "1"}, "chit: no chit is played in this step"),
        ({"acted": ["Abel"]}, "acted[0]: unknown word"),
        ({"points": {"X": [1]}}, "points.X: not two numbers"),
        ({"points": {"Q": [1, 2]}}, "points.Q: unknown key"),
        ({"turn": 9}, "turn: out of range"),
        ({"opening": "yes"}, "opening: expected true or false"),
        ({"weather_table": ["fog", "rain"]}, "weather_table: 2 entries"),
        ({"charts": {"figures": {"mass": {"9": 1}}}}, 'charts.figures.mass.9: unknown key'),
        ({"charts": "beachhead"}, "charts: expected a table"),
        ({"board": ". q\n . ."}, "board: line 1"),
        ({"phase": "set-up", "place": ["C3: Able allied c1"]}, "place: has been in play before the set-up"),
        ({"independent": {"1": "9"}}, "independent.1: unknown word"),
        ({"mug": ["X", "1"]}, "mug: the chit is there twice"),
        ({"ready": ["9", "9"]}, "aside: the chit is there twice"),
        ({"wether": "fog"}, "wether: unknown key"),
    ],
)  # fmt: skip
def test_faults_of_keys(row: dict[str, Any], problem: str) -> None:
    place = row.pop("place", TWO)
    assert any(problem in fault for fault in faults(place, **row))


def test_all_faults_are_told_at_once() -> None:
    assert len(faults(["C3: Able alied", "J3: woods"], turn=9, chit="7")) == 4


def test_unknown_options_and_questions() -> None:
    with pytest.raises(OptionError):
        position(options={"G99": "x"})
    assert position(options={"G14": "before"}).setting.choice("G14") == "before"
    with pytest.raises(UnknownName, match="did you mean 'fire_rating'"):
        CASES.ask(position(TWO), "fire_ratng", ["Able", "Dora"])
    with pytest.raises(ValueError, match="it takes"):
        CASES.ask(position(TWO), "fire_rating", ["Able"])


# ------------------------------------------------------------ rows as files
def test_a_row_is_played(tmp_path: Path) -> None:
    path = tmp_path / "rows.toml"
    path.write_text(
        """
        system = "gts"
        [[case]]
        id = "fire"
        about = "Able fires at Dora."
        place = ["C3: Able allied", "D3: Dora german"]
        elsewhere = ["I9: Rest allied"]
        do = ["allied: fire Able Dora"]
        rolls = [9, 4]
        [[case.expect]]
        event = "fire_resolved"
        with = { rating = 4, result = "C" }
        rule = "gts:15.5.k"
        [[case.expect]]
        ask = "cohesion Dora"
        is = 1
        [[case.expect]]
        asks = "choose_action"
        """
    )
    (case,) = read_cases(path, SYSTEM)
    outcome = run_case(SYSTEM, case)
    assert outcome.passed, str(outcome)


def test_every_key_and_word_is_explained() -> None:
    words = vocabulary(SYSTEM)
    assert set(words.keys) == set(KEYS)
    assert words.questions["fire_rating"] == "UNIT TARGET [occasion=action] [COMPANY_BONUS]"
    told = KEYS["place"]
    for word in WORDS:
        stem = word.rstrip("N0123456789")
        assert stem in told or word.startswith("assault-"), word
