"""Where systems and scenarios are found."""

from __future__ import annotations

import pytest
from toy import TOY
from walks import KNOWN

import beachhead as bh
from beachhead.errors import OptionError, ScenarioError, UnknownName
from beachhead.systems import Result, Source, find_scenario, find_system, shipped_scenarios


@pytest.fixture(autouse=True)
def _only_the_toy(monkeypatch):
    """What other tests register for themselves has no scenarios."""
    for name in set(KNOWN) - {"toy"}:
        monkeypatch.delitem(KNOWN, name)


def test_a_registered_system_is_known():
    assert "toy" in bh.systems()
    assert find_system("toy") is TOY
    assert bh.scenarios("toy") == ("toy/dare",)
    assert "toy/dare" in bh.scenarios()


def test_an_unknown_system_names_the_nearest():
    with pytest.raises(UnknownName, match=r"no system 'toi'; did you mean 'toy'\?; known: .*toy"):
        find_system("toi")
    with pytest.raises(UnknownName, match="no system"):
        bh.scenarios("nowhere")


def test_scenarios_by_name():
    system, source = find_scenario("toy/dare")
    assert (system, source.name) == (TOY, "toy/dare")
    assert "goal" in source.read()
    for name, text in (
        ("toy/dara", r"no scenario 'toy/dara'; did you mean 'toy/dare'\?; known: toy/dare"),
        ("tory/dare", r"'tory/dare' is neither a file nor a scenario; did you mean 'toy/dare'\?"),
        ("toy", r"no scenario 'toy'"),
    ):
        with pytest.raises(UnknownName, match=text):
            find_scenario(name)


def test_what_is_no_scenario_at_all() -> None:
    with pytest.raises(TypeError, match=r"None is no scenario: give its name \(.*toy/dare"):
        find_scenario(None)  # type: ignore[arg-type]


def test_scenarios_by_file(tmp_path):
    path = tmp_path / "mine.toy.toml"
    path.write_bytes(b"\xef\xbb\xbfcards = [1, 1]\ngoal = 1\n")  # as some editors save it
    system, source = find_scenario(path)
    assert (system, source) == (TOY, Source("mine.toy.toml", path))
    assert bh.new(str(path), seed=1).state.setting.goal == 1
    other = tmp_path / "mine.txt"
    other.write_text("cards = [1]", "utf-8")
    with pytest.raises(UnknownName, match=r"mine.txt: no system reads files of this ending; known: .*\.toy\.toml"):
        find_scenario(other)


def test_a_bad_file_leaves_no_game(tmp_path):
    path = tmp_path / "bad.toy.toml"
    path.write_text("cards = [1]\ngoal = 1\ngaol = 2\n", "utf-8")
    with pytest.raises(ScenarioError, match="1 fault\n  gaol = 2: is not known") as e:
        bh.new(path)
    assert (e.value.path, len(e.value.faults)) == ("bad.toy.toml", 1)
    with pytest.raises(OptionError, match=r"did you mean 'passes'\?"):
        bh.new("toy/dare", options={"pases": 2})


def test_a_source_reads_its_text_or_its_file():
    assert Source("in hand", text="goal = 1").read() == "goal = 1"
    with pytest.raises(UnknownName, match="was not made from a scenario file"):
        Source("nothing").read()


def test_a_source_keeps_what_was_read_of_it(tmp_path):
    path = tmp_path / "mine.toy.toml"
    path.write_text("goal = 1", "utf-8")
    (tmp_path / "mine.toy.patch").write_text("more", "utf-8")
    source = Source("mine", path, companions={".given": "before"})
    assert (source.beside(".patch"), source.beside(".other")) == ("more", None)
    held = source.held()
    for file in tmp_path.iterdir():
        file.unlink()
    assert held == Source("mine", path, "goal = 1", {".given": "before", ".patch": "more"})
    assert (held.read(), held.beside(".patch"), held.beside(".other")) == ("goal = 1", "more", None)
    assert held.held() == held


def test_shipped_scenarios_of_nobody():
    assert shipped_scenarios("toy", (".toml",)) == {}


def test_results_print():
    assert (
        str(Result("Red", {"Red": 3, "Blue": 1}, "three points", "toy:3"))
        == "won by Red: three points (Red 3, Blue 1; toy:3)"
    )
    assert str(Result(None, {"Red": 1}, "time is up", "toy:3")) == "a draw: time is up (Red 1; toy:3)"
