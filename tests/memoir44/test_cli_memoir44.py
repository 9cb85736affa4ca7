"""Memoir '44 at the terminal: real scenarios by themselves, people with and without a terminal, and every example of the page on it."""

from __future__ import annotations

import doctest
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import real_files

import beachhead as bh
from beachhead.cli import main
from beachhead.terminal import board_lines
from beachhead_memoir44 import terminal
from beachhead_memoir44.cards import cards
from beachhead_memoir44.tables import Side

PROJECT = Path(__file__).resolve().parents[2]
MILL = PROJECT / "tests" / "memoir44" / "files" / "mill-crossing.m44"
PAGE = PROJECT / "docs" / "command-line.md"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)  # the width of whoever runs the tests
    monkeypatch.setattr(
        import_module("beachhead.systems"), "_systems", {}
    )  # what other tests have registered is not installed


def run(line: str, typed: str = "", code: int = 0) -> str:
    result = CliRunner().invoke(main, shlex.split(line), input=typed)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.output


def mill(options: str, *lines: str) -> str:
    return run(f"play {MILL} {options}", "".join(f"{line}\n" for line in lines))


# ------------------------------------------------------------ by itself
@pytest.mark.parametrize("path", [path for path in real_files() if path.stem == "2"], ids=lambda path: path.name)
def test_a_real_scenario_is_played_to_its_end_and_every_line_cites_a_rule(path: Path):
    told = run(f"play {path} --random --seed 44 --log story.txt")
    game = bh.new(path, seed=44)
    assert all(f"note: {remark}\n" in told for remark in game.unread)
    assert re.search(
        r"^winner: (Allies|Axis) \(it has the \d medals it needs\); Axis \d, Allies \d  \[m44:victory.moment\]$",
        told,
        re.MULTILINE,
    )
    story = [line for line in Path("story.txt").read_text().splitlines() if not line.startswith("-- turn ")]
    assert len(story) > 100
    assert [line for line in story if not re.fullmatch(r".+  \[m44:[\w.]+(, m44:[\w.]+)*\]", line)] == []


def test_sensible_players_fight_the_demo():
    told = run(f"demo {MILL}")
    assert "Exact odds, as they were before 'battle" in told
    assert re.search(r"^no: .+  \[m44:", told, re.MULTILINE)
    assert re.search(
        r"^winner: (Allies|Axis) \(it has the \d medals it needs\); Axis \d, Allies \d  \[m44:victory.moment\]$",
        told,
        re.MULTILINE,
    )


def test_simulation_knows_the_scores():
    told = run(f"simulate {MILL} --games 2 --players sensible random")
    assert re.search(r"^  Axis \(sensible\) won \d .+, scores \d to \d, mean", told, re.MULTILINE)
    assert re.search(r"^  Allies \(random\) won \d .+, scores \d to \d, mean", told, re.MULTILINE)


# ------------------------------------------------------------ a person
def test_a_turn_by_number_and_by_word():
    """Orders by text, for a hex alone only tells; moves by unit, in two stages; odds before the battle."""
    told = mill(
        "--you allies --seed 7",
        "play card general_advance",
        "E1",
        "order E1",
        "order F1",
        "end",
        "1",
        "?",
        "1",
        "end",
        "b",
        "h",
        "log 3",
    )
    assert "E1: Allies elite armor, 4 figures, open ground\noptions with E1: order E1 (3)\n" in told
    assert "Allies elite armor at E1 is ordered" in told
    assert (
        re.search(
            r"^1 +move E1 \.\.\. +Allies elite armor, 4 figures, open ground: \d+ options$",
            told,
            re.MULTILINE | re.DOTALL,
        )
        or "move E1 ..." in told
    )
    assert "Enter: back to the whole list" in told
    assert "m44:move.one_at_a_time  Units move one after another" in told
    assert re.search(r"^Allies elite armor at E1 moves to \w\d", told, re.MULTILINE)
    assert "(I4)" in told
    assert "[I4]" in told


def test_why_not_cites_the_rules():
    told = mill(
        "--you allies --seed 7",
        "play card general_advance",
        "order E1",
        "end",
        "? E1 d4",
        "E1 A7",
        "? battle E1 A9",
        "? e9",
        "d4",
        "D4",
        "order F1",
        "? H1",
        "? E1",
        "? E1 Z9",
        "rules m44:terrain.river",
    )
    assert re.search(r"^no: Allies special forces at H1 has no order  \[m44:order.ordered_only\]$", told, re.MULTILINE)
    assert "'Z9' is not on the board" in told
    assert "m44:terrain.river.impassable  " in told
    assert told.index("A9    B9") < told.index("type a number")  # the board comes first
    assert "no: river at d4 is impassable to armor  [m44:terrain.river.impassable" in told
    assert re.search(r"no: Allies elite armor at E1 moves 3 hexes at most  \[m44:troop", told)
    assert re.search(r"no: the moves are being made: .+  \[m44:turn.order", told)
    assert told.count("d4: rivers & waterways") == 2  # capitals do not matter


def test_a_hand_shows_what_the_cards_do():
    told = mill("--you allies --seed 7", "h")
    held = bh.new(MILL, seed=7).view(Side.ALLIES).state
    for name, what in terminal.hand(held, Side.ALLIES):
        assert re.search(rf"^{re.escape(name)} +{re.escape(what)}", told, re.MULTILINE)
    assert terminal.hand(held, Side.AXIS) == ()


def test_every_card_says_what_it_does():
    told = {card.name: terminal._card(card) for card in cards().values()}
    assert all(told.values())
    assert told["Probe Left"] == "orders 2 units in the left section"
    assert told["Recon Right"] == "orders 1 unit in the right section; draw 2, keep one"
    assert told["Close Assault"].endswith("next to an enemy; no move; +1 die in close assault")
    assert not [what for what in told.values() if "None" in what]


def test_undo_is_refused_past_a_draw():
    told = mill("--you allies --seed 7", "general_advance", "u", "barrage", "target A9", "end", "u")
    assert told.count("taken back\n") == 1
    assert "with --free-undo" in told


def test_a_game_that_was_left_goes_on_with_the_same_sides():
    told = mill("--you allies --seed 7 --opponent bold", "play card general_advance", "order E1")
    command = told.splitlines()[-1].removeprefix("to go on: beachhead ")
    assert command == "play --resume mill-crossing-7-1.beachhead --you allies --opponent bold"
    again = run(command, "end\n")
    assert "Allies elite armor at E1 is ordered" in again  # the last lines are told again
    assert "Axis: bold, Allies: you" in again
    assert "Allies: move a unit" in again


# ------------------------------------------------------------ the board as text
def test_the_board_names_every_hex_and_shows_every_unit():
    state = bh.new(MILL, seed=1).state
    text = "\n".join(
        "".join(piece for piece, _ in line).rstrip()
        for line in board_lines(terminal.board(state), lambda hex: terminal.cell(state, hex))
    )
    assert all(re.search(rf"\b{state.label(hex)}\b", text) for hex in state.setting.board)
    assert len(re.findall(r"\([A-Z]+\d\)", text)) == len(state.of(Side.ALLIES))
    assert len(re.findall(r"\[[A-Z]+\d\]", text)) == len(state.of(Side.AXIS))
    assert "G5*hi" in text
    letters = re.findall(r"(?:^|, )(\w\w) ", terminal.legend(state)[0])
    assert len(letters) == len(set(letters))
    assert set(re.findall(r"[A-Ma-m]\d[ *]([a-z]{2})", text)) <= set(letters)


def test_a_cell_shows_who_is_ordered():
    game = bh.new(MILL, seed=7)
    for action in ("play card general_advance", "order E1"):
        game.do(action)
    hex = game.state.setting.board.hex("E1")
    assert terminal.cell(game.state, hex).unit == "(EA4!"
    assert terminal.at(game.state, hex) == "Allies elite armor, 4 figures, open ground"


# ------------------------------------------------------------ two people at one terminal
def _listen_to_ctrl_c() -> None:
    """What a shell runs in the background ignores it, and so does all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """A pseudo-terminal with `beachhead` in it."""

    def __init__(self, line: str) -> None:
        self.main, other = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "LINES": "50", "NO_COLOR": "1"}
        command = [sys.executable, "-m", "beachhead", *shlex.split(line)]
        self.process = subprocess.Popen(
            command,
            stdin=other,
            stdout=other,
            stderr=other,
            env=environment,
            start_new_session=True,
            preexec_fn=_listen_to_ctrl_c,
        )
        os.close(other)
        self.screen = ""

    def until(self, wanted: str, seconds: float = 30) -> str:
        """What has been printed up to the text that is waited for."""
        began, new = time.monotonic(), ""
        while wanted not in new:
            left = began + seconds - time.monotonic()
            assert left > 0, f"no {wanted!r} in {new!r}"
            if select.select([self.main], [], [], left)[0]:
                try:
                    data = os.read(self.main, 65536)
                except OSError:  # the program has ended
                    break
                new += re.sub(r"\x1b\[[\d;]*m", "", data.decode().replace("\r\n", "\n"))
        assert wanted in new, new
        self.screen += new
        return new

    def type(self, line: str, wanted: str) -> str:
        os.write(self.main, f"{line}\n".encode())
        return self.until(wanted)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.main)


@pytest.fixture
def two() -> Iterator[Terminal]:
    terminal = Terminal(f"play {MILL} --seed 7")
    yield terminal
    terminal.close()


def test_the_screen_is_cleared_before_the_other_side_looks(two: Terminal):
    """Allies decide first; what they hold is never on the screen of the Axis, and the other way round."""
    start = two.until("nobody else looks")
    assert "draw" not in start
    allies = two.type("", "> ")
    assert "Allies draw General Advance" in allies
    assert "Axis draws a card" in allies
    for line, wanted in (("general_advance", "> "), ("order E1", "> "), ("end", "> "), ("end", "u to take back")):
        allies = two.type(line, wanted)
    assert "draw" not in allies
    allies = two.type("", "press Enter to clear")
    assert "Axis to decide" in allies
    two.type("", "nobody else looks")
    axis = two.type("", "> ")
    seen = two.screen.rpartition("\x1b[3J")[2]
    assert "Axis: the command card to play" in axis
    assert "Allies play General Advance" in seen
    assert re.search(r"Allies draw a card", seen)
    assert not re.search(r"Allies draw [A-Z]", seen)


def test_ctrl_c_at_the_terminal_saves(two: Terminal, tmp_path: Path):
    two.until("nobody else looks")
    two.type("", "> ")
    two.type("general_advance", "> ")
    time.sleep(0.5)  # Python misses a signal that comes between the prompt and the wait for a line
    two.process.send_signal(signal.SIGINT)
    assert "beachhead play --resume mill-crossing-7-1.beachhead --you axis --you allies" in two.until("--you allies")
    assert two.process.wait(20) == 0
    assert bh.load(tmp_path / "mill-crossing-7-1.beachhead").decisions == 1


# ------------------------------------------------------------ the page
def examples() -> list[tuple[int, str, str]]:
    """The commands of the page with what they print, and the lines where they stand."""
    text, found = PAGE.read_text("utf-8"), []
    for block in re.finditer(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for example in re.finditer(r"^\$ (beachhead.*)\n((?:(?!\$ ).*\n)*)", block[1], re.MULTILINE):
            line = text.count("\n", 0, block.start(1) + example.start()) + 1
            found.append((line, example[1], example[2]))
    return found


def test_the_page_has_examples_of_every_command():
    from beachhead.cli import COMMANDS

    assert {command.split()[1] for _, command, _ in examples()} >= set(COMMANDS)


def test_the_examples_of_the_page_are_true(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """They are typed one after another, in a folder in which the project's own files are."""
    for name in ("tests", "docs"):
        (tmp_path / name).symlink_to(PROJECT / name)
    checker = doctest.OutputChecker()
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    for line, command, wanted in examples():
        typed = "".join(f"{said}\n" for said in re.findall(r"^> (.*)$", wanted, re.MULTILINE))
        code = 1 if command.endswith("# exit code 1") else 0
        got = run(command.removesuffix("# exit code 1").removeprefix("beachhead "), typed, code)
        assert checker.check_output(wanted, got, flags), (
            f"{PAGE.name}:{line}: {command}\nwanted:\n{wanted}\ngot:\n{got}"
        )
