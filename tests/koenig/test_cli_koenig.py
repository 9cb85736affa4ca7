"""Koenig's D-Day at the terminal: games by themselves and with people, the words for everything, and the examples of its page."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from click.testing import CliRunner

import beachhead as bh
from beachhead.cli import main
from beachhead.hexes import Hex
from beachhead.systems import find_scenario
from beachhead.terminal import board_lines, short_names
from beachhead_koenig import terminal
from beachhead_koenig.attack import Attack
from beachhead_koenig.beach import Away
from beachhead_koenig.carry_out import CarryOut
from beachhead_koenig.cases import position
from beachhead_koenig.commitment import Commit, CommitDefence, CommitOffence, RetreatBeforeCombat
from beachhead_koenig.movement import ExitBy, MoveTo
from beachhead_koenig.operations import BeginCombined, BeginMovement, ChooseOperation
from beachhead_koenig.picture import set_out
from beachhead_koenig.state import Operation, State, Supply, put
from beachhead_koenig.system import SYSTEM
from beachhead_koenig.tables import Fire, Side

PROJECT = Path(__file__).resolve().parents[2]
PAGE = PROJECT / "docs" / "systems" / "koenig.md"
EVERYTHING: dict[str, object] = {f"14.{n}": "yes" for n in range(1, 7)}


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


def counter(name: str) -> str:
    """What a unit of Juno is, as its scenario has it."""
    piece = at_set_up("koenig/juno").setting.piece(name)
    return f"{piece.type} {piece.strength}-{piece.movement}"


def juno(options: str, *lines: str) -> str:
    return run(f"play koenig/juno {options}", "".join(f"{line}\n" for line in lines))


def words_for(state: State, decision: object, *actions: object) -> list[str]:
    return [terminal.gloss(state, decision, action) for action in actions]


def test_a_unit_that_can_go_nowhere_is_told_so_before_its_operation_is_spent() -> None:
    state = position(
        ["A3: A 5-2 allied", "A1: Z 2-3 allied", "D4: G 3-3 german", "cliff: A3/A2", "cliff: A3/B3", "cliff: A3/A4"],
        active="A",
    )
    told = words_for(state, ChooseOperation(Side.ALLIED), BeginMovement("A"), BeginCombined("A"), BeginMovement("Z"))
    assert [" and nowhere to go" in each for each in told] == [True, True, False]


# ------------------------------------------------------------ by itself
def test_a_game_is_played_to_its_end_and_every_line_cites_a_rule() -> None:
    told = run("play koenig/juno --random --seed 44 --log story.txt --svg end.svg")
    assert told.count("note: ") == 1
    assert "'beachhead show koenig/juno' lists them all" in told
    assert re.search(
        r"^winner: \w+ \(more Victory Points\); Allied \d+, German \d+  \[koenig:13.0.a\]$", told, re.MULTILINE
    )
    story = [line for line in Path("story.txt").read_text().splitlines() if not line.startswith("-- turn ")]
    assert len(story) > 300
    assert [line for line in story if not re.fullmatch(r".+  \[koenig:[\w.-]+(, koenig:[\w.-]+)*\]", line)] == []
    assert Path("end.svg").read_text().startswith("<svg")


def test_sensible_players_fight_the_demo() -> None:
    told = run("demo koenig/training")
    assert "The story from turn " in told
    assert re.search(r"^no: .+  \[koenig:", told, re.MULTILINE)
    assert re.search(r"^(winner: \w+|a draw) \(.+ Victory Points\); ", told, re.MULTILINE)


def test_simulation_knows_the_scores() -> None:
    told = run("simulate koenig/training --games 3 --players random")
    assert re.search(r"^  Allied \(random\) won \d .+, scores \d+ to \d+, mean", told, re.MULTILINE)
    assert re.search(r"^  German \(random\) won \d .+, scores \d+ to \d+, mean", told, re.MULTILINE)


# ------------------------------------------------------------ before play
def test_a_scenario_shows_its_set_up_its_reinforcements_and_what_is_authored() -> None:
    told = run("show koenig/juno -o 14.2=yes --svg juno.svg")
    state = at_set_up("koenig/juno", {"14.2": "yes"})
    for line in (
        "10 Game Turns: Morning, Afternoon, Evening, Night, ",
        "Allied formation 7 (7th Brigade)",
        f"CSR  {counter('CSR')}: lands on Game Turn 1 at Nan Red 0910",
        f"3-125  {counter('3-125')}: 0211, city",
        f"AT-1  {counter('AT-1')}: enters by a road",
        "0211 city: German (3-125)",
        "0712 town: nobody",
        "0106: 0 units exited",
        "Allied: none",
        f"German: {terminal._score(set_out(state), Side.GERMAN)}",
        "koenig:14.2 Interdiction: the rule is in use",
        *(f"note: {remark}" for remark in SYSTEM.unread(state)),
    ):
        assert f"{line}" in told
    assert re.search(r"^0801 .+\n +\[5-736\] +\[6-736\]$", told, re.MULTILINE)
    assert Path("juno.svg").read_text() == SYSTEM.picture(state)


def test_the_list_of_scenarios_tells_what_is_true_before_any_roll() -> None:
    told = run("scenarios koenig")
    (allied,), (german,) = (re.findall(rf"^koenig/juno .*{side} (\d+)", told, re.MULTILINE) for side in Side)
    points = terminal.facts(at_set_up("koenig/juno"))["Victory Points, if it ended now"]
    assert allied == "0"
    assert int(german) == sum(map(int, re.findall(r"(\d+) for", points[1])))
    assert "Point;" not in told
    assert "Support Point" not in told


def test_a_saved_game_is_shown_as_it_stands() -> None:
    juno("--you allied --seed 44", "begin movement NSR", "move to 0809")
    (saved,) = Path().glob("*.beachhead")
    told = run(f"show {saved} --svg now.svg")
    assert f"{saved}  Paul Koenig's D-Day: koenig/juno, Game Turn 1 (Morning), " in told
    assert f"NSR  {counter('NSR')}: 0809, clear" in told
    assert Path("now.svg").read_text() == SYSTEM.picture(bh.load(saved).state)
    assert "leave out -o" in run(f"show {saved} -o 14.1=yes", code=2)


def at_set_up(name: str, options: dict[str, object] | None = None) -> State:
    return SYSTEM.new(find_scenario(name)[1], options or {})


def test_the_score_at_set_up_is_that_of_the_map() -> None:
    state = at_set_up("koenig/juno")
    german = terminal.facts(state)["Victory Points, if it ended now"][1]
    towns = [line for line in terminal.facts(state)["Towns and cities"] if "German" in line]
    assert german.startswith(f"German: {len(towns) + 1} ")  # the city counts two


# ------------------------------------------------------------ a person
def test_a_move_by_unit_and_by_number() -> None:
    told = juno("--you allied --seed 44", "begin movement NSR", "2", "1", "u", "b")
    assert re.search(rf"^1  begin movement NSR +{counter('NSR')}: 0808, beach; \d+ MP", told, re.MULTILINE)
    assert re.search(r"^2  move to \.\.\. +\d+ options", told, re.MULTILINE)
    assert re.search(r"^ ?\d+  move to 0809 +1 MP; clear, next to 8-736", told, re.MULTILINE)
    assert re.search(rf"^\d+  close combat 0807 .+6-736 \({counter('6-736')}\), beach and town", told, re.MULTILINE)
    assert "NSR moves 0808-0708 (1 Movement Point)  [koenig:8.0.a" in told


def test_a_bare_hex_or_unit_only_tells() -> None:
    """Even where a single option has it: nothing is decided but what was typed with its verb or its number."""
    told = juno(
        "--you allied --seed 44", "0808", "0101", "17", "nsr", "begin movement NSR", "0808", "0709", "0211", "0807"
    )
    assert told.count(f"0808: NSR ({counter('NSR')}), Nan White, beach, road to 0708\n") == 2
    assert "0101: clear\n" in told
    assert "the options have numbers from 1 to 4" in told
    assert "options with NSR: begin movement NSR (1), begin full fire NSR (2), begin combined NSR (3)\n" in told
    assert "options with 0709: close combat 0709 0809" in told
    assert f"0211: 3-125 ({counter('3-125')}), city, road to " in told
    (saved,) = Path().glob("*.beachhead")
    assert bh.load(saved).decisions == 1


def test_a_unit_and_a_hex_why_not() -> None:
    told = juno(
        "--you allied --seed 44",
        "csr",
        "at-1",
        "? csr 0811",
        "? CSR",
        "? 0811",
        "? NSR 0101",
        "? CSR 9999",
        "? NSR Nan White",
        "nan-white",
        "? nsr 0809",
    )
    assert f"CSR: Canadian Scottish Regiment, Allied formation 7, {counter('CSR')}" in told
    assert re.search(r"^AT-1: 1st Anti-Tank Company, German formation 716, .+: enters by a road$", told, re.MULTILINE)
    assert told.count("no: CSR belongs to formation 7, and 8 is Active  [koenig:7.1.a]") == 2
    assert re.search(r"^no: 0101 is \d+ Movement Points away, and NSR has \d+  \[koenig:8.0.a", told, re.MULTILINE)
    assert "'9999' is not on the board (130 hexes in 10 rows, 0101 to 1013)" in told
    assert "no: NSR is in 0808 already  [koenig:8.0.a]" in told
    assert re.search(r"^0808: NSR .+, Nan White, beach", told, re.MULTILINE)
    assert "0811: clear, road to 0911, 0711\nno option names this hex now; '? UNIT 0811' says" in told
    assert "that is offered, and begins with one of these: begin movement NSR, begin combined NSR\n" in told


def test_a_hex_tells_what_speaks_against_going_there() -> None:
    told = juno(
        "--you allied --seed 44", "begin movement NSR", "? 0211", "? 0709", "? NSR 0809", "mov to 0809", "fire at 0807"
    )
    assert "city, road to 0212, 0311, 0210\nno: an enemy unit is in 0211" in told
    assert "that is offered: close combat 0709 0809, " in told
    assert "that is offered: move to 0809, close combat 0709 0809\n" in told
    assert "'mov to 0809' is no action; did you mean 'move to'?" in told
    assert "no: NSR is in a Movement Operation and does not fire" in told


def test_odds_of_an_attack_tell_what_becomes_of_the_units() -> None:
    told = juno("--you allied --seed 44", "begin full fire NSR", "odds fire at 0807")
    assert re.search(r"^chance +exactly +what comes of it *$", told, re.MULTILINE)
    assert re.search(r"^ *\d+\.\d% +\S+ +6-736 .*; German -\d VP", told, re.MULTILINE)
    assert "looked ahead to the end of what this option begins, and no further\n" in told
    assert "decided on the way as the player 'odds' would: German: commit support to the defence, or retreat" in told


def test_odds_of_what_is_chosen_later_are_refused_with_a_hint() -> None:
    told = juno("--you allied --seed 44", "odds begin movement NSR", "odds end activation")
    assert "'begin movement NSR' rolls nothing by itself; next you choose: NSR, Movement, " in told
    assert re.search(r"^100.0% +1 +nothing changes", told, re.MULTILINE)


def test_the_odds_of_an_answer_to_a_retreat_name_the_next_choice() -> None:
    told = juno("--you allied --seed 44", "begin full fire NSR", "fire at 0807", "odds switch to combined")
    assert "'switch to combined' rolls nothing by itself; next you choose: choose a unit" in told
    assert "nothing changes" not in told


def test_the_last_move_can_be_taken_back_before_the_other_side_answers() -> None:
    asked = "nothing is left to do: press Enter to go on, u to take back"
    moves = ("begin movement NSR", "move to 0809")
    told = juno("--you allied --seed 44", *moves, "u", *moves[1:], "", "b")
    first, second, after = told.split(asked)
    assert first.endswith("NSR moves 0808-0809 (1 Movement Point)  [koenig:8.0.a, koenig:7.0.g]\n")
    assert second.startswith(" u\ntaken back\n")
    assert "formation 8 has finished" in after
    script = juno("--you allied --seed 44", *moves, "b")  # says nothing to it, and goes on
    assert asked not in script
    assert "formation 8 has finished" in script
    assert "\n> b\n" in script
    assert asked not in juno("--you allied --seed 44 --free-undo", *moves, "", "b")


def test_the_board_comes_after_the_story_that_led_to_it_and_can_be_written() -> None:
    told = juno("--you allied --seed 44", "svg now.svg", "svg", "begin movement NSR")
    assert told.index("NSR lands in 0808") < told.index("(NSR)") < told.index("type a number")
    assert Path("now.svg").read_text() == SYSTEM.picture(bh.new("koenig/juno", seed=44).state)
    assert "name a file for the picture" in told
    again = run(told.splitlines()[-1].removeprefix("to go on: beachhead "))
    assert again.index("NSR: Movement  [") < again.index("(NSR)")


def test_the_turn_is_named_once() -> None:
    told = juno("--you allied --seed 44", "begin movement NSR")
    assert "\nGame Turn 1 (Morning), Operations Phase: Allied formation 8.  Victory Points: " in told
    assert "turn 1, Game" not in told


def test_a_game_that_was_left_goes_on() -> None:
    told = juno("--you allied --seed 44 --opponent random", "begin movement NSR")
    command = told.splitlines()[-1].removeprefix("to go on: beachhead ")
    assert command == "play --resume juno-44-1.beachhead --you allied --opponent random"
    assert "NSR: Movement" in run(command)


# ------------------------------------------------------------ the board as text
def lines_of(state: State) -> list[str]:
    drawn = board_lines(terminal.board(state), lambda hex: terminal.cell(state, hex))
    return ["".join(piece for piece, _ in line).rstrip() for line in drawn]


def test_the_board_shows_every_hex_and_every_unit_that_is_on_it() -> None:
    game = bh.new("koenig/juno", seed=5, options={"14.2": "yes"})
    choose, seen, shared = Random(4), 0, 0
    while game.decision and game.decisions < 120:
        game.apply(choose.choice(game.legal_actions()))
        if game.decisions % 20:
            continue
        state = game.state
        text = "\n".join(lines_of(state))
        assert all(re.search(rf"\b{state.setting.board.label(hex)}\b", text) for hex in state.setting.board)
        on_map = [unit for unit in state.units if isinstance(unit.place, Hex)]
        assert len(re.findall(r"[(\[][\w-]+[)\]'\"]", text)) == len(on_map)
        assert len(re.findall(r"\w'", text)) == sum(unit.hits == 1 for unit in on_map)
        assert len(re.findall(r"\w\"", text)) == sum(unit.hits == 2 for unit in on_map)
        assert len(re.findall(r"\d!", text)) == len(state.interdicted)
        seen += sum(unit.hits > 0 for unit in on_map)
        shared += sum(len(units) == 2 for units in state.occupants.values())
    assert seen, "nobody was hit in all these decisions"
    assert shared, "no hex held two units in all these decisions"


def test_two_units_of_a_hex_stand_one_below_the_other() -> None:
    state = position(["C3: CSR 4-6 allied", "C3: RWR 5-6 allied h1", "B3: P 3-6 german"], board=". . .\n . . .\n. . .")
    lines = lines_of(state)
    assert lines[-3:] == ["A3    B3    C3", "      [P]   (CSR)", "            (RWR'"]


def test_rivers_cliffs_and_roads_are_drawn_where_they_lie() -> None:
    lines = ["river: A1/B1 A1/A2 B1/A2", "cliff: B1/B2 C1/B2 B2/C2", "road: A1-A2-B2-C1", "C3: CSR 4-6 allied"]
    state = position(lines, board=". . .\n . . .\n. . .")
    assert lines_of(state)[:4] == [
        "A1   |B1    C1",
        r"   =\====^^^^/^",
        "   A2   -B2   ^C2",
        "",
    ]
    assert terminal.legend(state) == (
        "- / \\ road, | === river, ^ ^^^ cliff, + =/= road across a river",
        "(CSR) Allied",
    )


def test_the_legend_names_only_what_occurs() -> None:
    state = position(["C3: CSR 4-6 allied", "B3: P 3-6 german h2", "A1: town"])
    assert terminal.legend(state) == ("t town", '(CSR) Allied, [P] German, " two Hits')


def test_names_are_cut_so_that_they_differ() -> None:
    tags = short_names(("26-Engineer", "26-Engines", "26-Engineers", "CSR"), 5)
    assert len({*tags.values()}) == 4
    assert tags["CSR"] == "CSR"
    assert tags["26-Engineer"] == "26-En"
    assert max(map(len, tags.values())) == 5


def test_a_hex_tells_all_that_lies_in_it_and_along_it() -> None:
    lines = ["C3: CSR 4-6 allied h2", "C3: town beach", "river: C3/D3", "cliff: C3/C4", "Red = C3", "road: A1-B1"]
    state = position(lines, exits=["A1"], interdicted=["C3"])
    told = terminal.at(state, state.setting.board.hex("C3"))
    assert told == ("CSR (infantry 4-6, 2 Hits), Red, town and beach, river towards D3, cliff towards C4, interdicted")
    assert terminal.at(state, state.setting.board.hex("A1")) == "clear, road to B1, off the map at A1"


# ------------------------------------------------------------ words for options
def test_every_option_has_words() -> None:
    """In a game with every optional rule."""
    game = bh.new("koenig/juno", seed=2, options=EVERYTHING)
    choose, kinds = Random(2), set[type]()
    while game.decision:
        for action in game.legal_actions():
            assert terminal.gloss(game.state, game.decision, action), game.text(action)
            kinds.add(type(action))
        game.apply(choose.choice(game.legal_actions()))
    assert len(kinds) > 30


def test_a_commitment_tells_the_attack_factor_with_all_that_is_known() -> None:
    units = ["C3: CSR 4-6 allied", "D3: P 3-6 german", "D3: town"]
    state = position(units, active="A", artillery={"german": 1}, support=2)
    attack = Attack(("CSR",), state.setting.board.hex("D3"), Fire.FULL)
    assert words_for(state, CommitDefence(Side.GERMAN, attack), Commit(0, 0), Commit(1, 0), RetreatBeforeCombat()) == [
        "artillery 0 of 1: Attack Factor 3 = 4 CSR -1 town; Hit 1/3, Exchange 1/6, Miss 1/2",
        "artillery 1 of 1: Attack Factor 2 = 4 CSR -1 town -1 support; Hit 1/6, Exchange 1/6, Miss 2/3",
        "P, to C2, D2, E3, C4, D4; nobody fires",
    ]
    assert words_for(state, CommitOffence(Side.ALLIED, attack, 1), Commit(0, 2)) == [
        "support 2 of 2: Attack Factor 4 = 4 CSR -1 town +1 support; Hit 1/2, Exchange 1/6, Miss 1/3"
    ]


def test_only_germans_under_full_fire_are_asked_whether_they_retreat() -> None:
    there = position(["C3: CSR 4-6 allied"]).setting.board.hex("C3")
    prompts = {
        (side, fire): CommitDefence(side, Attack(("CSR",), there, fire)).prompt for side in Side for fire in Fire
    }
    assert [each for each, prompt in prompts.items() if "retreat" in prompt] == [(Side.GERMAN, Fire.FULL)]


def test_in_close_combat_a_commitment_tells_both_attack_factors() -> None:
    state = position(["C3: CSR 4-6 allied", "D3: P 3-6 german"], active="A", artillery={"german": 1}, support=2)
    there = state.setting.board.hex("D3")
    state = put(state, "CSR", place=there)
    offence = CommitOffence(Side.ALLIED, Attack(("CSR",), there, Fire.CLOSE), 1)
    assert words_for(state, offence, Commit(0, 0), Commit(0, 2)) == [
        "support 0 of 2: P Hit 1/2, Exchange 1/6, Miss 1/3, then CSR Hit 1/2, Exchange 1/6, Miss 1/3",
        "support 2 of 2: P Hit 1/3, Exchange 1/6, Miss 1/2, then CSR Hit 2/3, Exchange 1/6, Miss 1/6",
    ]


def test_a_move_tells_its_cost_and_an_exit_what_it_is_worth() -> None:
    lines = ["C1: CSR 4-6 allied", "C2: RWR 4-6 allied h1", "D1: bocage", "E1: P 3-6 german"]
    state = position(lines, active="A", exits=["C1"], interdicted=["D1"])
    hex = state.setting.board.hex
    moves = CarryOut(Side.ALLIED, "CSR", Operation.MOVEMENT, 6)
    assert words_for(state, moves, MoveTo(hex("D1")), ExitBy("C1")) == [
        "4 MP; bocage, next to P",
        "1 MP; 1 Victory Point",
    ]
    damaged = CarryOut(Side.ALLIED, "RWR", Operation.MOVEMENT, 6)
    assert words_for(state, damaged, ExitBy("C1")) == ["2 MP; no Victory Point, with its Hits"]


def test_outcomes_tell_hits_places_victory_points_and_the_marker() -> None:
    state = position(["C3: CSR 4-6 allied", "D3: P 3-6 german h1", "E5: Q 3-6 german"], leadership="allied")
    told = terminal.outcome(state, None, None)
    assert told(state) == "nothing changes"
    assert told(put(state, "CSR", hits=2)) == "CSR takes 2 Hits"
    assert told(put(state, "P", place=Away.ELIMINATED, hits=0)) == "P is eliminated"
    assert told(put(state, "P", hits=0)) == "P recovers from 1 Hit; German +1 VP"
    moved = put(state, "Q", hits=1, place=state.setting.board.hex("E6"))
    assert told(moved) == "Q takes 1 Hit and goes to E6; German -1 VP"
    exited = put(state, "CSR", place=Away.EXITED)
    assert told(exited) == "CSR exits; Allied +1 VP"
    assert told(evolve(state, leadership=Supply.SUPPLY)) == "the Leadership marker is spent"


def test_how_things_stand_in_a_line() -> None:
    lines = ["C3: CSR 4-6 allied", "C3: city", "D3: P 3-6 german"]
    state = position(lines, artillery={"german": 2}, support=1, leadership="german")
    assert terminal.standing(state) == (
        "Victory Points: Allied 2, German 1; Allied: 1 Support Point; German: 2 Artillery Points; Leadership: German"
    )


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
    rulings = {r.id.removeprefix("koenig:"): r for r in SYSTEM.catalogue.rulings.values() if r.choices}
    assert {name: choices.split(", ") for name, choices in options} == {
        name: [r.default, *(choice for choice in r.choices if choice != r.default)] for name, r in rulings.items()
    }
