"""The test kit passes a sound system and finds every fault."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path

import attrs
import pytest
from broken import BROKEN, FOUND
from toy import TOY, Dare, Pass
from walks import KNOWN

import beachhead as bh
from beachhead.dice import AtMost
from beachhead.errors import BeachheadError, UnknownName
from beachhead.hexes import Direction, Hex
from beachhead.testing import GameReport, KitFailure, check_game, check_processes, check_system
from beachhead.testing.altering import altered, near
from beachhead.testing.report import Place, difference, shown

SCENARIO = "dare"


# ------------------------------------------------------------ a sound system
def test_a_sound_system_passes():
    state = random.getstate()
    report = check_system(TOY, games=40, seed=1)
    assert random.getstate() == state
    assert (len(report.games), report.system, report.seed) == (40, "toy", 1)
    assert report.decisions == sum(report.lengths) > 100
    assert report.examined > 100
    assert report.chances == report.requests["DrawCard"] + report.requests["Roll"]
    assert set(report.requests) == {"DrawCard", "DareOrPass", "Roll"}
    assert set(report.events) == {"CardDrawn", "Dared", "Passed"}
    assert report.events["CardDrawn"] == report.requests["DrawCard"]
    assert report.rules == ("toy:1.1", "toy:2", "toy:2.1", "toy:2.2")
    assert set(report.results) == {"Red", "Blue"}
    assert sum(report.results.values()) == 40
    assert {tuple(game.options.items()) for game in report.games} == {
        (),
        (("toy:passes", "1"),),
        (("toy:passes", "2"),),
    }
    assert sum(game.hidden for game in report.games) > sum(game.dealt for game in report.games) > 50
    text = str(report)
    assert "toy, seed 1: every promise kept" in text
    assert "games      40 of 1 scenarios with 3 sets of options" in text
    assert f"decisions  {report.decisions}, and " in text
    assert text in report._repr_html_().replace("&#x27;", "'")


def test_what_is_played_is_a_function_of_seed_and_number():
    report = check_system(TOY, games=6, seed=5, options={})
    again = [check_game(TOY, SCENARIO, seed=5, game=n) for n in range(6)]
    assert list(report.games) == again
    assert len({game.digest for game in again}) == 6
    assert check_game("toy", "toy/dare", seed=6, game=0).digest != again[0].digest
    assert check_game("toy", "toy/dare", seed=5, game=0, options={"passes": 2}).options == {"passes": 2}


def test_every_scenario_has_a_game(tmp_path):
    other = tmp_path / "two.toy.toml"
    other.write_text("cards = [2, 3, 3]\ngoal = 1\n", "utf-8")
    report = check_system(TOY, games=1, scenarios=["dare", "toy/dare", other])
    assert Counter(game.scenario for game in report.games) == {"toy/dare": 2, str(other): 1}
    assert check_game(TOY, str(other)).scenario == str(other)
    with pytest.raises(UnknownName, match=r"no scenario 'dara' of toy; did you mean 'dare'\?"):
        check_system(TOY, scenarios=["dara"])
    with pytest.raises(UnknownName, match="toy has no scenarios to play"):
        check_system(TOY, scenarios=[])


def test_progress_is_told():
    told = []
    check_system(TOY, games=3, progress=lambda *what: told.append(what))
    assert [(done, of) for done, of, _ in told] == [(1, 3), (2, 3), (3, 3)]
    assert re.fullmatch(r"toy/dare: \d+ decisions", told[0][2])


def test_another_system_of_that_name_is_not_checked():
    with pytest.raises(ValueError, match="another system is known as 'toy'"):
        check_system(type(TOY)())


# ------------------------------------------------------------ stopping and going on
class Stopped(BaseException):
    pass


def test_a_run_that_was_stopped_goes_on(tmp_path):
    path, told = tmp_path / "run.jsonl", []

    def stop(done, of, what):
        if done == 3:
            raise Stopped

    with pytest.raises(Stopped):
        check_system(TOY, games=5, seed=2, resume=path, progress=stop)
    kept = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
    assert [game["game"] for _, game in kept] == [0, 1, 2]
    with path.open("a", encoding="utf-8") as file:
        file.write('\n[["toy, toy/dare, se')  # stopped in the midst of a line
    marked = path.read_text("utf-8").replace(kept[1][1]["digest"], "played before")
    path.write_text(marked, "utf-8")
    report = check_system(TOY, games=5, seed=2, resume=path, progress=lambda *what: told.append(what))
    assert len(told) == 5
    whole = check_system(TOY, games=5, seed=2)
    assert report.games[1].digest == "played before"  # not played again
    assert [g for g in report.games if g.game != 1] == [g for g in whole.games if g.game != 1]
    longer = check_system(TOY, games=7, seed=2, resume=path)
    assert longer.games[:5] == report.games
    assert len(longer.games) == 7
    for other in ({"seed": 3}, {"options": {"passes": 2}}):
        with pytest.raises(ValueError, match=r"run.jsonl is of another run: its game \d is toy, toy/dare, seed 2"):
            check_system(TOY, **{"games": 5, "seed": 2, **other}, resume=path)


# ------------------------------------------------------------ faults
@pytest.fixture
def broken(monkeypatch):
    """A faulty toy by its name, known as long as it is tested."""

    def known(name):
        system = BROKEN[name]
        monkeypatch.setitem(KNOWN, system.name, system)
        return system

    return known


@pytest.mark.parametrize("name", BROKEN)
def test_the_kit_finds(name, broken):
    system = broken(name)
    with pytest.raises(KitFailure) as e:
        check_system(system, games=30, seed=4, longest=300)
    assert re.search(FOUND[name], str(e.value)), str(e.value)
    assert isinstance(e.value, BeachheadError)
    assert isinstance(e.value, AssertionError)


@pytest.mark.parametrize("name", ["dead end", "two with one text", "hidden counter", "talkative event"])
def test_a_failure_can_be_played_again(name, broken):
    system = broken(name)
    with pytest.raises(KitFailure) as e:
        check_system(system, games=30, seed=4)
    failure, place = e.value, e.value.place
    assert (place.system, place.scenario, place.seed) == (system.name, f"{system.name}/dare", 4)
    with pytest.raises(KitFailure) as again:
        check_game(system, place.scenario, seed=place.seed, game=place.game, options=place.options)
    if name != "hidden counter":
        assert again.value.args == failure.args
    assert again.value.check == failure.check
    text = str(failure)
    for part in (
        failure.check,
        "expected: ",
        "found:    ",
        "seed 4",
        f"game {place.game}",
        f"decision {place.decision}",
    ):
        assert part in text
    command = f"check_game('{system.name}', '{system.name}/dare', seed=4, game={place.game}"
    assert command in text.replace("'\"'\"'", "'")


def test_other_processes_play_the_same():
    here = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\nimport beachhead as bh"
    toy = f"{here}\nfrom toy import TOY; bh.register(TOY)"
    check_processes("toy", "dare", before=toy)
    with pytest.raises(KitFailure, match="every process plays the same game"):
        check_processes("toy-unordered", "dare", before=f"{toy}\nfrom broken import UNORDERED; bh.register(UNORDERED)")
    with pytest.raises(KitFailure, match=r"no errors in another process\n(.|\n)*no system 'toy'"):
        check_processes("toy", "dare")


def test_the_command_of_a_failure_is_a_shell_command():
    place = Place("toy", "toy/dare", {"passes": 2}, 3, 7, 12)
    python, flag, code = __import__("shlex").split(place.reproduce)
    assert (python, flag) == ("python", "-c")
    scope = {}
    exec(code, scope)
    assert scope["check_game"] is check_game
    assert code.endswith("check_game('toy', 'toy/dare', seed=3, game=7, options={'passes': 2})")
    assert str(place) == "toy, toy/dare, passes=2, seed 3, game 7, decision 12"


# ------------------------------------------------------------ tools
@attrs.frozen
class Move:
    unit: int
    path: tuple[Hex, ...]
    facing: Direction = Direction.E
    careful: bool = False

    def __attrs_post_init__(self):
        if self.unit < 0:
            raise ValueError("no such unit")


def test_altered_actions_differ_in_one_field():
    move = Move(3, (Hex(0, 0), Hex(1, 0)))
    others = [move, Move(5, (Hex(9, 9),), Direction.W, True), Dare()]
    r = random.Random(3)
    seen = Counter()
    for _ in range(60):
        for changed in altered(move, others, r.randrange):
            different = [a.name for a in attrs.fields(Move) if getattr(changed, a.name) != getattr(move, a.name)]
            assert len(different) == 1
            seen[different[0]] += 1
    assert set(seen) == {"unit", "path", "facing", "careful"}
    assert list(altered(Pass(), [Pass()], r.randrange)) == []
    assert all(changed.unit >= 0 for _ in range(60) for changed in altered(Move(0, ()), [], r.randrange))


def test_near_values_are_of_the_same_kind():
    r = random.Random(1)
    for value in (True, 4, Direction.E, Hex(2, 3), (1, 2, 3), frozenset({1, 2}), AtMost(3)):
        for _ in range(20):
            other = near(value, r.randrange)
            assert other != value or isinstance(value, tuple)
            assert type(other) is type(value)
    for value in ("a name", None, (), frozenset()):
        assert near(value, r.randrange) == value


def test_differences_show_where():
    game = bh.new("toy/dare", seed=1)
    a, b = game.state, attrs.evolve(game.state, points=(0, 2))
    assert difference(a, b) == (".points[1] = 0", ".points[1] = 2")
    assert difference((1, 2), (1, 2, 3)) == ("(1, 2)", "(1, 2, 3)")
    assert difference({"a": 1}, {"a": 2}) == ("['a'] = 1", "['a'] = 2")
    assert difference(1, 2) == ("1", "2")
    assert shown("x" * 1000).endswith("… (1000 characters)")


def test_reports_survive_json():
    report = check_game(TOY, SCENARIO)
    assert GameReport(**json.loads(json.dumps(attrs.asdict(report)))) == report
