"""The command line, on the toy: every command, what it prints and with which exit code, and that no game is ever lost."""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from broken import BROKEN
from click.testing import CliRunner, Result
from toy import TOY, Dare, DareOrPass, Pass, Side
from toy import State as ToyState

import beachhead as bh
from beachhead import coverage as gate
from beachhead.cli import COMMANDS, EXAMPLES, main
from beachhead.cli.menu import Group, Item, find, menu_of
from beachhead.cli.screen import Screen
from beachhead.errors import NeedsPolicy
from beachhead.hexes import Hex
from beachhead.terminal import Cell, Plain, terminal_of

PROJECT = Path(__file__).resolve().parents[2]
CASES = Path(__file__).parent / "cases" / "toy.toml"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)  # the width of whoever runs the tests


def run(line: str, typed: str = "", code: int = 0) -> Result:
    """The result of a command; an exception that is no exit is one of ours, and an error of the test."""
    result = CliRunner().invoke(main, shlex.split(line), input=typed)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result


def typed(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


# ------------------------------------------------------------ help and errors
def test_alone_it_prints_help_with_examples():
    alone = run("")
    assert alone.output == run("--help").output
    for name, (_, what) in COMMANDS.items():
        assert re.search(rf"^  {name} +{what[:20]}", alone.output, re.MULTILINE)
    assert all(f"  {example}\n" in alone.output for example in EXAMPLES)
    assert {example.split()[1] for example in EXAMPLES} == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str):
    assert run(f"{name} --help").output.startswith("Usage:")


def test_version():
    assert run("--version").output == f"beachhead {bh.__version__}\n"


def test_help_loads_no_tables_and_no_bars():
    code = "import sys; from beachhead.cli import main; main(['--help'], standalone_mode=False); print(*sys.modules)"
    loaded = (
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        .stdout.splitlines()[-1]
        .split()
    )
    assert "click" in loaded
    assert not {"rich", "numpy", "networkx", "cattrs", "beachhead_memoir44"} & set(loaded)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("pla", "did you mean 'play'?"),
        ("show toy/dar", "did you mean 'toy/dare'?"),
        ("show nothing.txt", "neither a file nor a scenario"),
        ("show toy/dare -o toy:pases=2", "did you mean 'toy:passes'?"),
        ("show toy/dare -o toy:passes=3", "it is one of 1, 2"),
        ("show toy/dare -o toy:passes", "not of the form KEY=VALUE"),
        ("show toy/dare -o a=1 -o a=2", "a is given twice"),
        ("scenarios tyo", "did you mean 'toy'?"),
        ("rules toy:2.9", "did you mean 'toy:2.2'?"),
        ("rules card zeppelin", "no rule holds all of these: card, zeppelin"),
        ("play", "name a scenario"),
        ("play toy/dare --resume x.beachhead", "does not exist"),
        ("play toy/dare --random --you red", "leave out --you"),
        ("play toy/dare --watch --you red", "leave out --you"),
        ("play toy/dare --you rde", "Dare has no side 'rde'; did you mean 'red'?; its sides: red, blue"),
        ("play toy/dare --you gren", "Dare has no side 'gren'; its sides: red, blue"),
        ("play toy/dare --you red --opponent sensibel", "did you mean 'sensible'?"),
        ("play toy/dare --opponent random", "give --you SIDE, too"),
        ("play toy/dare --you red --opponent random --opponent random", "2 opponents are given for 1 sides"),
        ("simulate toy/dare --players random random random", "3 players are given"),
        ("simulate toy/dare --players rndom", "did you mean 'random'?"),
        ("check toy --resume a.txt toy/dare toy", "--resume is for the check of one system"),
        ("check tyo", "'tyo' is no file, no scenario and no system; did you mean 'toy'?; systems: "),
        ("check dara", "did you mean 'toy/dare'?; systems: "),
        ("coverage toy", "give --tests FOLDER"),
        ("replay nothing.beachhead", "does not exist"),
    ],
)
def test_errors_are_one_message_and_exit_code_2(line: str, says: str):
    result = run(line, code=2)
    assert says in " ".join(result.stderr.split())
    assert "Traceback" not in result.output


def test_a_file_that_is_no_text(tmp_path: Path):
    Path("odd.toy.toml").write_bytes(b"cards = \xff\xfe")
    assert "can't decode" in run("show odd.toy.toml", code=2).stderr


def test_a_file_that_cannot_be_written():
    assert "nowhere" in run("show toy/dare --svg nowhere/board.svg", code=2).stderr


# ------------------------------------------------------------ reading
def test_scenarios():
    listed = run("scenarios toy").output
    assert re.search(r"^toy/dare +Dare +Red, Blue", listed, re.MULTILINE)
    assert "Dare: .toy.toml" in listed
    assert "toy/dare" in run("scenarios").output


def test_show_by_name_by_the_end_of_the_name_and_by_path():
    Path("mine.toy.toml").write_text("cards = [1, 2, 3]\ngoal = 2\n")
    assert run("show toy/dare").output.startswith("toy/dare  Dare")
    assert run("show dare --svg board.svg").output.startswith("toy/dare  Dare")
    assert Path("board.svg").read_text() == TOY.picture(bh.new("toy/dare", seed=1).state)
    assert run("show mine.toy.toml -o toy:passes=2").output.splitlines()[-1] == "  toy:passes = 2"


def test_rules():
    told = run("rules toy:2.1").output
    assert told.startswith("toy:2.1  Dare  (enforced)\nRoll a die")
    below = run("rules toy:2").output
    assert all(f"{rule}  " in below for rule in ("toy:2", "toy:2.1", "toy:2.2"))
    assert "toy:1.1" not in below
    ruling = run("rules toy:passes").output
    assert "why: The rule says" in ruling
    assert "choice 1: once (default)" in ruling
    assert "-o toy:passes=CHOICE" in ruling


def test_rules_are_found_by_their_words():
    found = run("rules card SEES --system toy").output
    assert re.search(r"^toy:1.1 +Draw +enforced", found, re.MULTILINE)
    assert "1 found" in found


def test_rules_alone_shows_what_there_is():
    contents = run("rules --system toy").output
    assert "Dare: 5 rules" in contents
    assert re.search(r"^toy:2 +3 +3", contents, re.MULTILINE)
    assert re.search(r"^toy:passes +.* 1 \(default\), 2", contents, re.MULTILINE)


# ------------------------------------------------------------ checking
def test_check_of_files():
    Path("bad.toy.toml").write_text("cards = [1, 2, 3]\ngoal = 2\ncolour = 'red'\nsize = 1\n")
    Path("bad.toml").write_text("system = 'toy'\n[[case]]\nid = 'one'\n")
    assert "can be played (Dare)" in run("check toy/dare").output
    assert "no faults" in run(f"check {CASES}").output
    faults = run("check bad.toy.toml", code=1).output
    assert "2 things to put right" in faults
    assert all(word in faults for word in ("colour", "'red'", "size", "known: cards, goal"))
    assert "about" in run("check bad.toml", code=1).output
    assert "3 checked, 2 that cannot be played" in run(f"check bad.toy.toml {CASES} bad.toml", code=1).output


def test_check_breaks_no_path_on_a_narrow_screen(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "60")
    folder = Path("a-folder-with-a-long-name/and-another-one-in-it")
    folder.mkdir(parents=True)
    key = "a_figure_of_which_nobody_knows_anything"
    (folder / "bad.toy.toml").write_text(f"cards = [1, 2, 3]\ngoal = 2\n{key} = 'a word, and another, and one more'\n")
    (folder / "good.toy.toml").write_text("cards = [1, 2, 3]\ngoal = 2\n")
    told = run(f"check {folder / 'bad.toy.toml'} {folder / 'good.toy.toml'}", code=1).output
    assert f"{folder / 'bad.toy.toml'}: 1 thing to put right\n" in told
    assert f"{folder / 'good.toy.toml'}: can be played (Dare)\n" in told
    assert key in told
    wrong = told[told.index(key) :].splitlines()
    assert wrong[:2] == [f"{key}: is not known", "    what stands there: 'a word, and another, and one more'"]
    assert wrong[2] == "    what would be right: known: cards, goal"


def test_check_of_a_system_goes_on_where_it_was_stopped():
    first = run("check toy --games 3 --resume done.jsonl").output
    assert "every promise kept" in first
    assert len(Path("done.jsonl").read_text().split()) > 3
    assert run("check toy --games 3 --resume done.jsonl").output == first
    assert "another run" in run("check toy --games 3 --seed 1 --resume done.jsonl", code=2).stderr


def test_check_of_a_system_that_breaks_a_promise(monkeypatch: pytest.MonkeyPatch):
    faulty = next(iter(BROKEN.values()))
    monkeypatch.setitem(import_module("beachhead.systems")._systems, faulty.name, faulty)
    broken = run(f"check {faulty.name} --games 10", code=1).output
    assert "again:" in broken
    assert "python -c" in broken


def test_ask_plays_cases():
    everything = run(f"ask {CASES}").output
    assert "all as expected" in everything
    one = run(f"ask {CASES} a-die-no-higher-than-the-card-scores").output
    assert "a-die-no-higher-than-the-card-scores" in one
    assert "1 case, all as expected" in one
    assert "[toy:2.1]" in one
    assert "did you mean 'a-die-no-higher-than-the-card-scores'?" in run(f"ask {CASES} a-die-scores", code=2).stderr


def test_ask_says_what_does_not_go_as_a_case_says():
    text = CASES.read_text()
    Path("wrong.toml").write_text(text.replace("success = true", "success = false", 1))
    assert "not as they say: " in run("ask wrong.toml", code=1).output


def test_coverage(tmp_path: Path):
    cases = tmp_path / "tests" / "toy" / "cases"
    cases.mkdir(parents=True)
    (cases / "toy.toml").write_text(CASES.read_text())
    report = gate.gate(TOY, tmp_path / "tests" / "toy")
    shown = run("coverage toy", code=int(not report.ok)).output
    assert str(report) in shown
    assert "statements in order / all" in shown
    assert "statements in order" not in run("coverage toy --missing", code=int(not report.ok)).output
    knocked = gate.knock_out(TOY, report.outcomes)
    assert (
        str(knocked)
        in run("coverage toy --tests tests/toy --knock-out", code=int(not (report.ok and knocked.ok))).output
    )
    (cases / "toy.toml").write_text("system = 'toy'\n")
    assert "nothing shows it" in run("coverage toy", code=1).output


# ------------------------------------------------------------ games that play themselves
def test_random_play_tells_a_story_that_cites_a_rule_in_every_line():
    told = run("play toy/dare --random --seed 8").output
    story = [line for line in told.splitlines()[1:-2] if not line.startswith("-- turn")]
    assert len(story) > 5
    assert all(re.fullmatch(r".+  \[toy:[\d.]+\]", line) for line in story)
    assert re.fullmatch(r"winner: (Red|Blue) \(.+\); Red \d, Blue \d  \[toy:3\]", told.splitlines()[-1])
    assert run("play toy/dare --random --seed 8").output == told
    assert run("play toy/dare --random --seed 9").output != told


def test_the_story_goes_to_a_file_instead():
    told = run("play toy/dare --random --seed 8").output
    brief = run("play toy/dare --random --seed 8 --log story.txt --svg end.svg --save end.beachhead").output
    assert "-- turn" not in brief
    story = Path("story.txt").read_text()
    assert told.splitlines()[1:-2] == story.splitlines()
    assert Path("end.svg").read_text().startswith("<svg")
    assert story == f"{bh.load('end.beachhead').log}\n"
    assert "exists already" in run("play toy/dare --random --save end.beachhead", code=2).stderr


def test_players_of_the_system_are_watched():
    assert "Red: sensible, Blue: sensible" in run("play toy/dare --watch --seed 8").output
    assert "Red: random, Blue: sensible" in run("play toy/dare --watch --opponent random --opponent sensible").output


def test_a_seed_is_drawn_and_shown():
    found = re.match(r"Dare: toy/dare, seed (\d+); Red: random, Blue: random\n", run("play toy/dare --random").output)
    assert found
    assert int(found[1]) < 1_000_000


def test_simulate():
    summary = run("simulate toy/dare --games 5 --players sensible random --seed 2").output
    assert summary == f"{bh_simulate(5, 2)}\n"
    assert run("simulate toy/dare --games 2").output.startswith("toy/dare: 2 games, seed 0\n  Red (random)")
    assert "Blue (sensible)" in run("simulate toy/dare --games 2 --players sensible").output


def bh_simulate(games: int, seed: int) -> object:
    from beachhead.simulate import simulate

    return simulate("toy/dare", games, {"Red": "sensible", "Blue": "random"}, seed=seed)


def test_demo_on_any_system():
    shown = run("demo toy/dare --seed 3").output
    assert "The story from turn" in shown
    assert "winner: " in shown
    assert "beachhead play toy/dare --you blue" in shown


# ------------------------------------------------------------ people
def test_a_person_plays_by_number_and_by_word():
    """Red passes by number; Blue, a policy, dares; then input ends."""
    told = run("play toy/dare --seed 44 --you red", typed("1", "dare", "DARE")).output
    assert "Red: you, Blue: sensible" in told
    assert re.search(r"^1 +pass", told, re.MULTILINE)
    assert "[toy:2.2]" in told
    assert "Blue dares" in told
    assert "Red dares" in told


def test_what_the_other_side_draws_stays_hidden():
    told = run("play toy/dare --seed 44 --you red", typed("pass", "dare", "log")).output
    assert "Blue draws a card" in told
    assert not re.search(r"Blue draws \d", told)
    assert re.search(r"Red draws \d", told)
    watched = run("play toy/dare --seed 44", typed("pass", "pass")).output
    assert "Red: you, Blue: you" in watched
    assert re.search(r"Blue draws \d", watched)  # told to Blue, when Blue is asked
    opened = run("play toy/dare --seed 44 --open-hands", typed("pass")).output
    assert re.search(r"Blue draws \d", opened)
    assert "draws a card" not in opened


def test_help_and_the_rule_of_a_decision():
    told = run(
        "play toy/dare --seed 44 --you red", typed("?", "help", "rules", "rules toy:3", "rules toy:9", "h", "b")
    ).output
    assert "toy:2  Dare or pass  (enforced)" in told
    assert "save the game, and leave" in told
    assert "The first side with three points wins." in told
    assert "no rule 'toy:9'" in told
    assert "nothing is in your hand" in told
    assert "there is no board" in told


def test_why_not():
    told = run(
        "play toy/dare --seed 44 --you red --opponent random -o toy:passes=1",
        typed("pass", "? pass", "why dare", "? fly", "fly", "9", ""),
    ).output
    assert "that is offered: dare" in told
    assert "'fly' is no action" in told
    assert "the options have numbers from 1 to" in told


def test_an_action_that_is_refused_says_why_and_asks_again(monkeypatch: pytest.MonkeyPatch):
    """Red has passed as often as it may, and is asked nevertheless."""
    monkeypatch.setattr(DareOrPass, "secret", True)
    told = run("play toy/dare --seed 44 --you red --opponent random", typed("pass", "pass", "? pass", "1")).output
    assert told.count("no: Red has passed 1 times in a row  [toy:2.2]") == 2


def test_odds():
    told = run("play toy/dare --seed 44 --you red", typed("odds dare", "odds 2 sample", "odds 7", "odds")).output
    game = bh.new("toy/dare", seed=44)
    p = game.odds(Dare(), by=lambda state: state.points[0])[1]
    assert re.search(rf"{float(p):.1%} +{p} ", told)
    assert "a sample of 1000 runs, not exact" in told
    assert "'7' is no single option" in told
    assert told.count("chance") == 2
    assert "'odds N' tells what may come of option N" in told


def test_undo_is_refused_past_a_roll_unless_it_is_free():
    told = run("play toy/dare --seed 44 --you red", typed("u", "dare", "u")).output
    assert "there is nothing to take back" in told
    assert "with --free-undo" in told
    assert "\ntaken back\n" not in told
    free = run("play toy/dare --seed 44 --you red --free-undo", typed("dare", "u", "q")).output
    assert "taken back" in free
    assert "nothing has been decided, and nothing is saved" in free


def test_undo_where_nobody_has_answered():
    """With its hands open, one person takes back what the same person decided for the other side."""
    lines = typed("pass", "pass", "u")
    two = run("play toy/dare --seed 44 --free-undo --open-hands", lines).output
    assert "taken back" in two


def test_the_end_of_input_saves_and_says_how_to_go_on():
    told = run("play toy/dare --seed 44 --you red --opponent random --free-undo", typed("pass")).output
    saved = re.search(
        r"saved: (dare-44-\d+\.beachhead)\nto go on: (beachhead play --resume \1 --you red --opponent random --free-undo)",
        told,
    )
    assert saved
    again = run(saved[2].removeprefix("beachhead "), typed("q")).output
    assert "Red: you, Blue: random" in again
    assert f"saved: {Path(saved[1]).stem}-2.beachhead" in again  # the first one is left as it is
    assert bh.load(saved[1]).position == bh.load(f"{Path(saved[1]).stem}-2.beachhead").position
    assert "leave out --seed" in run(f"play --resume {saved[1]} --seed 1", code=2).stderr


def test_ctrl_c_saves_too(monkeypatch: pytest.MonkeyPatch):
    from beachhead.cli.session import Session

    def interrupted(self: Session, prompt: str = "") -> str:
        if self.game.decisions:
            raise KeyboardInterrupt
        return "pass"

    monkeypatch.setattr(Session, "read", interrupted)
    assert "to go on: beachhead play --resume dare-44-" in run("play toy/dare --seed 44 --you red").output


def test_an_error_of_a_player_does_not_lose_the_game(monkeypatch: pytest.MonkeyPatch):
    def confused(view: object, decision: object, options: tuple[object, ...]) -> object:
        raise NeedsPolicy(decision, "the other side is at a loss")

    monkeypatch.setattr(TOY, "policies", {"sensible": confused}, raising=False)
    result = run("play toy/dare --seed 44 --you red", typed("pass"), code=2)
    assert "to go on: beachhead play --resume dare-44-" in result.stdout
    assert result.stderr == "the other side is at a loss\n"
    assert bh.load(next(Path().glob("*.beachhead"))).decisions == 1


def test_save_goes_on_and_leaves_other_files_alone():
    Path("kept.txt").write_text("mine")
    told = run(
        "play toy/dare --seed 44 --you red",
        typed("pass", "save kept.txt", "save now.beachhead", "save no/where", "dare"),
    ).output
    assert "kept.txt exists already" in told
    assert Path("kept.txt").read_text() == "mine"
    assert "saved: now.beachhead" in told
    assert bh.load("now.beachhead").to_act is Side.RED
    assert "no/where: there is no folder 'no'" in told
    assert "Red dares" in told


def test_a_picture_overwrites_pictures_only():
    Path("kept.txt").write_text("mine")
    told = run("play toy/dare --seed 44 --you red", typed("svg kept.txt", "svg now.svg", "svg now.svg", "svg")).output
    assert "kept.txt exists already" in told
    assert Path("kept.txt").read_text() == "mine"
    assert told.count("the board: now.svg\n") == 2
    assert Path("now.svg").read_text().startswith("<svg")
    assert "svg FILE" in told


def test_what_is_misspelt_is_looked_for_among_what_is_open():
    told = run("play toy/dare --seed 44 --you red", typed("dar", "pas", "Darre")).output
    assert "'dar' is no action; did you mean 'dare'?" in told
    assert "'Darre' is no action; did you mean 'dare'?" in told


def test_a_saved_game_is_shown():
    game = saved_game()
    told = run("show game.beachhead").output
    assert told.startswith(f"game.beachhead  Dare: toy/dare, turn {game.turn}, ")
    Path("game.beachhead").rename("whatever.it")  # its ending does not matter
    assert run("show whatever.it").output.startswith(f"whatever.it  Dare: toy/dare, turn {game.turn}, ")


def test_the_log_of_an_unfinished_game_tells_what_its_people_may_know():
    run("play toy/dare --seed 44 --you red --log red.txt", typed("pass"))
    assert "Blue draws a card" in Path("red.txt").read_text()
    run("play toy/dare --seed 44 --log both.txt", typed("pass", "pass"))
    assert "Red draws a card" in Path("both.txt").read_text()


def test_playing_to_the_end():
    told = run("play toy/dare --seed 44 --log story.txt", typed(*["dare"] * 40)).output
    assert "winner: " in told.splitlines()[-2]
    assert "saved" not in told
    assert not re.search("draws a card", Path("story.txt").read_text())


# ------------------------------------------------------------ replay
def saved_game(decisions: int = 4) -> bh.Game[ToyState]:
    game = bh.new("toy/dare", seed=44)
    for _ in range(decisions):
        game.apply(game.legal_actions()[0])
    game.save("game.beachhead")
    return game


def test_replay_tells_the_story():
    game = saved_game()
    told = run("replay game.beachhead --svg board.svg").output
    assert str(game.log) in told
    assert "Dare: toy/dare, seed 44; 4 decisions" in told
    assert Path("board.svg").exists()
    game.undo(3)
    short = run("replay game.beachhead --to 1").output
    assert str(game.log) in short
    assert f"turn {game.turn}" in short.splitlines()[-1]


def test_replay_says_where_it_diverges():
    saved_game()
    lines = Path("game.beachhead").read_text().splitlines()
    lines[3] = lines[3].replace("Draw", "Lose").replace("draw", "lose")
    Path("game.beachhead").write_text("\n".join(lines))
    result = run("replay game.beachhead", code=2)
    assert "game.beachhead, line 4" in result.stderr
    assert "Red draws" in result.output
    assert run("replay game.beachhead --to 0").output.count("draws") == 1


def test_replay_plays_on():
    game = saved_game()
    told = run("replay game.beachhead --resume --you red --opponent random", typed("q")).output
    assert str(game.log) in told
    assert "saved: " in told
    assert "give --resume, too" in run("replay game.beachhead --you red", code=2).stderr


# ------------------------------------------------------------ menus, words, bars
def moves(n: int, unit: str) -> list[Item]:
    return [Item(None, f"move {unit} A{i}") for i in range(n)]


def test_long_lists_are_grouped_by_all_but_their_last_word():
    items = [*moves(9, "C3"), *moves(9, "D4"), Item(None, "move E5 E6"), Item(None, "end moves")]
    menu = menu_of(items)
    assert [row.text for row in menu] == ["move C3 ...", "move D4 ...", "move E5 E6", "end moves"]
    assert find(menu, "1") is menu[0]
    assert find(menu, "move d4") is menu[1]
    assert find(menu, "c3") is menu[0]
    inside = menu[1]
    assert isinstance(inside, Group)
    assert find(menu, "d4 a7") is inside.items[7]
    assert find(menu, "A7") is None  # two units could go there
    assert find(menu, "5") is None
    assert menu_of(items[:12]) == tuple(items[:12])


def test_a_system_without_words_of_its_own():
    words, state = terminal_of(TOY), bh.new("toy/dare", seed=44).state
    assert isinstance(words, Plain)
    assert (words.board(state), words.cell(state, Hex(0, 0)), words.legend(state)) == (None, Cell(), ())
    told = words.outcome(state, DareOrPass(Side.RED), Pass())
    assert told(state) == "nothing changes"
    assert told(TOY.view(state, Side.BLUE)).startswith("deck = ")


def test_a_bar_appears_after_a_while_where_somebody_looks(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = io.StringIO()
    monkeypatch.setattr("sys.stderr", shown)
    with Screen().working("games") as bar:
        bar(1, 10, "first")
    assert shown.getvalue() == ""
    with Screen().working("games", patience=0) as bar:
        bar(2, 10, "second")
    assert "games" in shown.getvalue()
    assert "2/10" in shown.getvalue()


def test_without_a_terminal_there_is_no_bar(capsys: pytest.CaptureFixture[str]):
    with Screen().working("games", patience=0) as bar:
        bar(1, 2, "first")
    assert capsys.readouterr() == ("", "")
