"""Many games: the same whoever plays them, and each to be played again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import pytest
from toy import Dare, Pass, Side
from walks import KNOWN

import beachhead as bh
from beachhead.errors import OptionError, UnknownName
from beachhead.policies import first, last
from beachhead.simulate import Summary, simulate


@pytest.fixture(autouse=True)
def _only_the_toy(monkeypatch):
    """What other tests register for themselves has no scenarios."""
    for name in set(KNOWN) - {"toy"}:
        monkeypatch.delitem(KNOWN, name)


def told(summary: Summary) -> list[Any]:
    return [(game.seed, str(game.result), game.decisions, game.turns) for game in summary.games]


def test_the_executor_does_not_matter():
    serial = simulate("toy/dare", 30, seed=4)
    with ThreadPoolExecutor(3) as pool:
        threads = simulate("toy/dare", 30, seed=4, executor=pool)
    assert told(serial) == told(threads)
    assert told(simulate("toy/dare", 10, seed=4)) == told(serial)[:10]
    assert told(simulate("toy/dare", 30, seed=5)) != told(serial)


def test_work_goes_to_other_processes():
    """As a process pool sends it: pickled, and the answer pickled back."""
    from concurrent.futures import Executor, Future
    from pickle import dumps, loads

    class Elsewhere(Executor):
        def submit(self, fn: Any, /, *args: Any, **kw: Any) -> Future[Any]:
            future = Future[Any]()
            fn, args, kw = loads(dumps((fn, args, kw)))
            future.set_result(loads(dumps(fn(*args, **kw))))
            return future

    policy = {"red": "sensible", "blue": "random"}
    assert told(simulate("toy/dare", 12, policy, executor=Elsewhere())) == told(simulate("toy/dare", 12, policy))


def test_the_summary():
    summary = simulate("toy/dare", 50, {Side.RED: "sensible", Side.BLUE: "random"}, seed=1)
    assert (summary.source, summary.sides, summary.choices) == ("toy/dare", tuple(Side), ("sensible", "random"))
    assert sum(summary.wins.values()) == 50
    assert (summary.draws, summary.given_up) == (0, 0)
    assert summary.winners[Side.RED] == Fraction(summary.wins[Side.RED], 50)
    assert summary.winners.runs == 50
    assert {name: len(scores) for name, scores in summary.scores.items()} == {"Red": 50, "Blue": 50}
    assert all(max(pair) == 3 for pair in zip(*summary.scores.values(), strict=True))
    assert summary.lengths == tuple(game.decisions for game in summary.games)
    assert list(summary.by_seed) == [game.seed for game in summary.games]
    low, high = summary.winners.interval(Side.RED)
    lines = str(summary).splitlines()
    assert lines[0] == "toy/dare: 50 games, seed 1"
    assert lines[1].startswith(
        f"  Red (sensible) won {summary.wins[Side.RED]} (chance {low:.0%} to {high:.0%} with 95 % confidence), scores "
    )
    assert lines[3] == "  draws 0"
    assert len(lines) == 5
    assert "<pre>toy/dare" in summary._repr_html_()


def test_policies_play_their_sides():
    games = simulate("toy/dare", 20, {"Red": "sensible", "Blue": lambda seed: first}).games
    for game in games:
        again = game.again()
        chosen = {side: {e.answer for e in again.log if e.actor is side and not e.forced} for side in Side}
        assert chosen[Side.RED] <= {Dare()}
        assert chosen[Side.BLUE] <= {Pass()}
        assert (again.result, again.decisions, again.turn) == (game.result, game.decisions, game.turns)
        assert (game.winner, game.scores) == (again.result.winner, again.result.scores)
        assert bh.new("toy/dare", seed=game.seed).state == again.at(0).state


def test_policies_made_from_seeds_differ_by_game_and_side():
    seeds = []

    def made(seed: int) -> Any:
        seeds.append(seed)
        return last

    simulate("toy/dare", 3, made)
    assert len(set(seeds) - {0}) == 6


def test_games_given_up_are_counted_as_such():
    summary = simulate("toy/dare", 8, most=3)
    assert summary.given_up == 8
    assert (summary.draws, set(summary.wins.values()), summary.scores) == (0, {0}, {})
    assert {game.decisions for game in summary.games} == {3}
    assert "given up 8: no end within 3 decisions" in str(summary)
    assert "no scores" in str(summary)


def test_scenario_files_and_options(tmp_path, monkeypatch):
    path = tmp_path / "quick.toy.toml"
    path.write_text("cards = [6]\ngoal = 1\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    summary = simulate("quick.toy.toml", 2, "sensible", options={"passes": 2})
    assert summary.games[0].task.source == str(path)
    assert (summary.wins[Side.RED], summary.lengths) == (2, (1, 1))
    assert summary.games[0].again().state.setting.passes == 2


def test_progress():
    seen = []
    simulate("toy/dare", 2, progress=lambda *what: seen.append(what))
    assert [(done, of) for done, of, _ in seen] == [(1, 2), (2, 2)]
    assert "won by " in seen[0][2]


def test_what_is_not_known_is_refused():
    for policy, text in (
        ("sensibel", r"toy has no policy 'sensibel'; did you mean 'sensible'\?; known: random, sensible"),
        ({"Red": "random", "Green": "random"}, r"toy has no side 'Green'; its sides: Red, Blue"),
        ({"Red": "random"}, r"no policy is given for Blue"),
    ):
        with pytest.raises(UnknownName, match=text):
            simulate("toy/dare", 1, policy)
    with pytest.raises(UnknownName, match="no scenario"):
        simulate("toy/dar", 1)
    with pytest.raises(ValueError, match="0 games are none"):
        simulate("toy/dare", 0)
    with pytest.raises(OptionError):
        simulate("toy/dare", 1, options={"pases": 1})
