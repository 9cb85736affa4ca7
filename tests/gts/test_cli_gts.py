"""The Grand Tactical Series at the terminal: games by themselves and with people, what is asked beside, and the examples of its page."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import beachhead as bh
from beachhead.cli import main
from beachhead.systems import find_scenario
from beachhead_gts import SYSTEM, questions, terminal
from beachhead_gts.cases import position
from beachhead_gts.state import State

PROJECT = Path(__file__).resolve().parents[2]
PAGE = PROJECT / "docs" / "systems" / "gts.md"
BOTH = "play gts/training --open-hands --seed 44"
TO_THE_FIRST_CHIT = ("done converting", "done converting", "done buying", "done buying")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)  # the width of whoever runs the tests
    monkeypatch.setattr(import_module("beachhead.systems"), "_systems", {})  # what other tests have registered


def run(line: str, typed: str = "", code: int = 0) -> str:
    result = CliRunner().invoke(main, shlex.split(line), input=typed)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.output


def training(*lines: str) -> str:
    """Both sides at one terminal, from the first chit on."""
    return run(BOTH, "".join(f"{line}\n" for line in (*TO_THE_FIRST_CHIT, *lines)))


def at_set_up(name: str) -> State:
    return SYSTEM.new(find_scenario(name)[1], {})


# ------------------------------------------------------------ by itself
def test_a_game_is_played_to_its_end_and_every_line_cites_a_rule() -> None:
    told = run("play gts/training --watch --seed 44 --log story.txt --svg end.svg")
    assert told.count("note: ") == 1
    assert "'beachhead show gts/training' lists them all" in told
    assert re.search(
        r"^(winner: \w+|a draw) \(.+ Victory Points\); Allied \d+, German \d+  \[gts:12.0.b\]$", told, re.MULTILINE
    )
    story = [line for line in Path("story.txt").read_text().splitlines() if not line.startswith("-- turn ")]
    assert len(story) > 100
    assert [line for line in story if not re.fullmatch(r".+  \[gts:[\w.]+(, gts:[\w.]+)*\]", line)] == []
    assert Path("end.svg").read_text().startswith("<svg")


def test_sensible_players_fight_the_demo() -> None:
    told = run("demo gts/training")
    assert "The story from turn " in told
    assert re.search(r"^no: .+  \[gts:", told, re.MULTILINE)
    assert "Exact odds, as they were before '" in told
    assert re.search(r"^(winner: \w+|a draw) \(.+ Victory Points\); ", told, re.MULTILINE)


def test_simulation_knows_the_scores() -> None:
    told = run("simulate gts/training --games 2 --players random")
    for side in ("Allied", "German"):
        assert re.search(rf"^  {side} \(random\) won \d .+, scores \d+ to \d+, mean", told, re.MULTILINE)


# ------------------------------------------------------------ before play
def test_a_scenario_shows_its_set_up_its_reinforcements_and_what_is_authored() -> None:
    told = run("show gts/training -o G14=before --svg field.svg")
    for line in (
        "5 turns: Morning, Noon, Evening, Night, The next morning",
        "the weather is clear; one sees 8 hexes far",
        "Allied Formation 1-Bde (1st Brigade)",
        "Adams  Leader of 1-Bde, Command Range 4, Attachment Rating 2: 0304",
        "due on turn 2",
        "Tanks (white)",
        "Bridge 0606, 3: nobody",
        "gts:G14 Overstacking and Opportunity Fire: the Cohesion Hit comes before the Opportunity Fire",
        *(f"note: {remark}" for remark in SYSTEM.unread(at_set_up("gts/training"))),
    ):
        assert line in told
    assert "Not offered yet: assault" in told
    assert Path("field.svg").read_text() == SYSTEM.picture(at_set_up("gts/training"))


def test_the_list_of_scenarios() -> None:
    told = run("scenarios gts")
    assert re.search(r"^gts/juno-front .+ Allied, German ", told, re.MULTILINE)
    assert re.search(r"^gts/training .+ Allied, German ", told, re.MULTILINE)
    assert ".gts.toml" in told


@pytest.mark.parametrize("name", ["training", "juno-front"])
def test_a_scenario_can_be_played(name: str) -> None:
    _, source = find_scenario(f"gts/{name}")
    assert "can be played (Grand Tactical Series)" in run(f"check {source.path}")


# ------------------------------------------------------------ a person
def test_moves_by_name_and_by_number_and_taken_back() -> None:
    told = training("move Tanks", "? 0505", "step to 0205", "u", "1", "q")
    assert "Tanks moves from 0305 to 0205 (2 Movement Points)  [gts:14.3.a" in told
    assert "taken back" in told
    assert re.search(r"^ ?\d+  step to 0205 +2 of 9 Movement Points; clear *$", told, re.MULTILINE)
    assert "0505: clear, road to 0605, 0404\nno: 0505 is no neighbour of 0305  [gts:14.3.a]" in told


def test_what_is_not_offered_is_told_with_its_rules() -> None:
    told = training("fire Able Dora", "? Anton", "? Charlie 0505", "? Charlie Dora", "? Tanks 1205", "q")
    assert (
        "no: Able: fire is only with a purple Fire Rating under a Division chit, as a first Action  [gts:7.1.m" in told
    )
    assert "no: Anton is an enemy: 1-Div is being played  [gts:13.1.a, gts:15.2.b]" in told
    assert "no: Charlie: move into an enemy Fire Zone is not permitted under a Division chit" in told
    assert "no: Dora is 4 hexes away, and Charlie fires 2: " in told
    assert "no: 1205 is within two hexes of an enemy reinforcement hex  [gts:14.1.h]" in told


def test_a_bare_hex_or_unit_only_tells() -> None:
    told = training("0304", "Dora", "adams", "0805", "q")
    assert re.search(
        r"^0304: Able \(Infantry .+\), Baker \(.+\), Adams, Leader of 1-Bde, .+, Farm, village, ", told, re.MULTILINE
    )
    assert re.search(r"^Dora: German unit of 90-Rgt, Infantry .+: 0706, clear$", told, re.MULTILINE)
    assert re.search(r"^Adams: Leader of 1-Bde, Command Range 4, Attachment Rating 2: 0304$", told, re.MULTILINE)
    assert "objective Mill (2)" in told
    (saved,) = Path().glob("*.beachhead")
    assert bh.load(saved).decisions == len(TO_THE_FIRST_CHIT)


def test_hexes_go_by_their_names_too() -> None:
    told = training("mill", "? Charlie Mill", "? Charlie Mil", "move Tanks", "step to Farm", "step to mill", "q")
    assert "0805: Anton (" in told
    assert "no: Anton is 4 hexes away, and Charlie fires 2: " in told
    assert "there is no unit or hex 'Mil'; did you mean 'Mill'?" in told
    assert "Tanks moves from 0305 to 0304 " in told
    assert "no: 0805 is no neighbour of 0304" in told
    game = bh.new("gts/training", seed=44)
    assert game.parse("step to Farm") == game.parse("step to 0304")


def test_what_is_pointed_at_and_not_there_is_told_as_it_was_typed() -> None:
    told = training("? Zorro", "? Chralie 0505", "Mvoe Able", "? 0404 Dora", "help", "q")
    assert "there is no unit or hex 'Zorro', and no action begins so" in told
    assert "there is no unit or hex 'Chralie'; did you mean 'Charlie'?" in told
    assert "'Mvoe Able' is no action; did you mean 'move'?" in told
    assert re.search(r"^0404 is a hex: name a unit first, .+\n0404: Charlie \(", told, re.MULTILINE)
    assert re.search(r"^move Able +take an action by its text", told, re.MULTILINE)
    assert re.search(r"^\? Able 0\d+, \? ACTION +why", told, re.MULTILINE)


def test_what_begins_a_way_to_a_hex_is_named_alone() -> None:
    told = training("Tanks 0205", "? Tanks 0304", "q")
    assert told.count("that is offered, and begins with one of these: move Tanks\n") == 2


def test_a_board_that_is_too_wide_is_shown_around_a_hex_or_a_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    told = run("play gts/juno-front --you allied", "b\nb Douvres\nb 0121\nb A-RWR\nb nowhere\nq\n")
    whole, near, corner, unit, nowhere = re.split(r"^> b", told, flags=re.MULTILINE)[1:]
    assert re.search(r"^the board is \d{3} wide, and the terminal 80: 'b HEX' shows ", whole, re.MULTILINE)
    for part, there in ((near, "2302"), (corner, "0121"), (unit, "0604")):
        assert re.search(rf"\b{there}", part)
        assert max(map(len, part.splitlines())) <= 80
        assert "the board is" not in part
    assert "there is no unit or hex 'nowhere'" in nowhere


def test_the_other_player_may_fire_before_a_step_and_the_odds_are_told() -> None:
    told = training("end activation", "stay in place", "done attaching", "move Charlie", "odds step to 0505", "step to 0505", "?", "odds 1", "1", "q")  # fmt: skip
    assert re.search(r"^ ?\d+  step to 0505 +2 of 5 Movement Points; clear; Dora may fire first; in an enemy Fire Zone$", told, re.MULTILINE)  # fmt: skip
    assert "Charlie goes to 0505" in told
    assert "decided on the way as the player 'sensible' would: German: Opportunity Fire at Charlie" in told
    assert "German: Opportunity Fire at Charlie (moving into an enemy Fire Zone), or hold fire  [gts:17.8.a]" in told
    assert re.search(
        r"^1  opportunity fire Dora Charlie +to fire it passes with .+; Fire Rating \d+ = .+ -2 orchard \+2 moving into an enemy Fire Zone: miss ",
        told,
        re.MULTILINE,
    )
    assert "gts:17.8.a  " in told
    assert re.search(r"^Dora (passes|fails) the Troop Quality Check for Opportunity Fire, ", told, re.MULTILINE)


def test_a_game_that_was_left_goes_on() -> None:
    told = run("play gts/training --you allied --seed 44", "done converting\nq\n")
    command = told.splitlines()[-1].removeprefix("to go on: beachhead ")
    assert command == "play --resume training-44-1.beachhead --you allied --opponent sensible"
    assert "Allied: buy Formation Activation Chits, or go on" in run(command)
    assert "training-44-1.beachhead  Grand Tactical Series: gts/training, " in run("show training-44-1.beachhead")


def test_the_chits_that_one_has_bought_are_in_ones_hand() -> None:
    told = run("play gts/juno-front --you german --seed 44", "done converting\n1\nh\nq\n")
    assert re.search(
        r"^1  buy for next turn \S+ +1 of \d+ Dispatch Points?; \d+ units? on the map *$", told, re.MULTILINE
    )
    assert re.search(r"^\S+ +goes into the mug next turn$", told, re.MULTILINE)
    assert re.search(r"^German buys the chit of \S+ for next turn  \[gts:7.2.c", told, re.MULTILINE)


# ------------------------------------------------------------ rules, questions, coverage
def test_rules_and_rulings() -> None:
    assert "17.6.a  Into a Fire Zone: +2  (enforced)" in run("rules gts:17.6.a")
    told = run("rules gts:G41")
    assert "choice free: it may act with the Formation" in told
    assert "as an option: -o gts:G41=CHOICE" in told
    assert re.search(r"^gts:19.2.3.[a-z] ", run("rules cohesion hit"), re.MULTILINE)


def test_a_question_as_a_file() -> None:
    case = """
system = "gts"
[[case]]
id = "into-the-open"
about = "Opportunity Fire at a company that leaves a wood."
place = ["C3: Able allied", "C3: woods", "E3: Dora german"]
do = ["move Able", "step to C4", "opportunity fire Dora Able"]
rolls = [2, 3]
answers = { MeetCheck = "roll die", ConvertSuppression = "accept suppression" }
[[case.expect]]
event = "fire_resolved"
with = { result = "S" }
term = -2
rule = "gts:15.6.t"
[[case.expect]]
ask = "suppressed Able"
is = true
"""
    Path("mine.toml").write_text(case)
    told = run("ask mine.toml")
    assert "> German: opportunity fire Dora Able" in told
    assert "1 case, all as expected" in told


def test_what_a_question_may_say() -> None:
    told = run("ask --list gts")
    assert "  may_fire UNIT TARGET [OPPORTUNITY] [occasion=action]\n" in told
    assert "      opportunity fire UNIT TARGET\n" in told
    assert "  UnitMoved: " in told


def test_coverage_says_what_it_does() -> None:
    assert "Play all cases and marked tests of a system" in run("coverage --help")
    (Path.cwd() / "none").mkdir()
    told = run("coverage gts --tests none --missing", code=1)
    assert re.search(r"^gts: 0 rows, .+ faults$", told, re.MULTILINE)


# ------------------------------------------------------------ words for options
def test_every_option_has_words() -> None:
    game = bh.new("gts/training", seed=2)
    choose, kinds = Random(2), set[type]()
    while game.decision:
        for action in game.legal_actions():
            assert terminal.gloss(game.state, game.decision, action), game.text(action)
            kinds.add(type(action))
        game.apply(choose.choice(game.legal_actions()))
    assert len(kinds) > 20


# ------------------------------------------------------------ the page
def examples() -> Iterator[tuple[str, str]]:
    """The commands of the page with what they print."""
    for block in re.finditer(r"^```console\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        for example in re.finditer(r"^\$ beachhead (.*)\n((?:(?!\$ ).*\n)*)", block[1], re.MULTILINE):
            yield example[1], example[2]


def test_the_examples_of_the_page_are_true() -> None:
    found = list(examples())
    assert found
    for command, wanted in found:
        typed = "".join(f"{said}\n" for said in re.findall(r"^> (.*)$", wanted, re.MULTILINE))
        got = run(command, typed)
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        assert doctest.OutputChecker().check_output(wanted, got, flags), f"{command}\nwanted:\n{wanted}\ngot:\n{got}"


def test_the_page_lists_every_option() -> None:
    options = re.findall(r"^\| `([\w.-]+)` \|.*\| (.+) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    rulings = {r.id.removeprefix("gts:"): r for r in SYSTEM.catalogue.rulings.values() if r.choices}
    assert {name: choices.split(", ") for name, choices in options} == {
        name: [r.default, *(choice for choice in r.choices if choice != r.default)] for name, r in rulings.items()
    }


def test_what_the_page_draws_can_be_drawn() -> None:
    """Each line of its table by itself."""
    page = PAGE.read_text("utf-8")
    table = page[page.index("| line | what it draws |") : page.index("Where the turn stands")]
    cells = re.findall(r"^\| (.+?) \|", table, re.MULTILINE)
    lines = [line for cell in cells for line in re.findall(r"`([^`]+: [^`…]+)`", cell)]
    assert len(lines) > 10
    for line in lines:
        assert position([line, "I9: Zed german"]).setting.board


def test_the_page_names_every_question() -> None:
    (listed,) = re.findall(r"^The questions are (.*?)\. They work", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    asked = {name for name in questions.__all__ if name.islower()} - {"known", "on_map"}
    assert set(re.findall(r"`(\w+)`", listed)) == asked


def test_the_page_says_what_is_not_offered_yet() -> None:
    """When a remark of the system changes, so does the page."""
    assert SYSTEM.unread(at_set_up("gts/training"))[-1] in PAGE.read_text("utf-8")
