"""Players that somebody has written, at the command line: `package.module:name`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from toy import Dare

from beachhead.cli import main
from beachhead.cli.own_players import OwnPlayer
from beachhead.errors import UnknownName

BOLD = """
from random import Random

class Careful:
    def __init__(self, seed):
        self.pick = Random(seed)

    def __call__(self, view, decision, options):
        return self.pick.choice(options)

def bold(view, decision, options):
    return options[-1]

def wide(seed):
    return bold

def lost(view, decision, options):
    return None

odd = 3

def two(a, b):
    return a
"""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "mybots", raising=False)
    (tmp_path / "mybots.py").write_text(BOLD, "utf-8")


def run(line: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, shlex.split(line))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.output


def test_a_policy_or_what_makes_one_from_a_seed() -> None:
    assert OwnPlayer("mybots:bold")(1)(None, None, ("pass", Dare())) == Dare()
    assert OwnPlayer("mybots:wide")(1)(None, None, ("pass", Dare())) == Dare()
    picks = [
        [OwnPlayer("mybots:Careful")(seed)(None, None, tuple(range(1000))) for _ in range(2)] for seed in (1, 1, 2)
    ]
    assert picks[0] == picks[1] != picks[2]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nobots:bold", "no player 'nobots:bold': ModuleNotFoundError: No module named 'nobots'"),
        (":bold", "no player ':bold': ValueError: Empty module name"),
        ("mybots:bald", "mybots has no 'bald'; did you mean 'bold'?; it has Random, Careful, bold, wide, lost, two"),
        (
            "mybots:odd",
            "mybots:odd is no player: it should be policy(view, decision, options), or make one from a seed",
        ),
        ("mybots:two", "mybots:two is no player: it should be"),
    ],
)
def test_what_is_no_player(name: str, told: str) -> None:
    with pytest.raises(UnknownName) as error:
        OwnPlayer(name)(1)
    assert told in str(error.value)
    assert told in run(f"play toy/dare --watch --opponent {name} --seed 1", code=2)


def test_a_module_that_is_no_python() -> None:
    Path("badbots.py").write_text("def bold(:\n", "utf-8")
    with pytest.raises(UnknownName, match="SyntaxError"):
        OwnPlayer("badbots:bold")(1)


def test_it_plays_a_side() -> None:
    told = run("play toy/dare --watch --opponent mybots:bold --opponent random --seed 1")
    assert "Red: mybots:bold, Blue: random" in told
    assert "Red passes" not in told
    assert "winner: " in told


def test_many_games_in_other_processes_too() -> None:
    told = run("simulate toy/dare --games 4 --players mybots:bold random --seed 5")
    assert "Red (mybots:bold) won" in told
    assert told == run("simulate toy/dare --games 4 --players mybots:bold random --seed 5 --jobs 2")
    assert told == run("simulate toy/dare --games 4 --players mybots:wide random --seed 5").replace("wide", "bold")


def test_a_policy_that_answers_with_no_option_is_told() -> None:
    assert "the policy lost for Red must return one of the options it is given, and returned None" in run(
        "simulate toy/dare --games 1 --players mybots:lost --seed 5", code=2
    )
