"""Saved games: they come back as they were, and what is wrong with a file is named with its line."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import series
import toy
from attrs import evolve, frozen
from series import SERIES, TEXT
from toy import TOY, Dare, Pass, Side

import beachhead as bh
import beachhead.systems
from beachhead.dice import Die
from beachhead.errors import SaveError, UnknownName
from beachhead.game import Game
from beachhead.play import Chance
from beachhead.policies import first, random
from beachhead.position import Position
from beachhead.rules import Objection
from beachhead.saves import Resumption, edition

HERE = Path(__file__).parent


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.save"


@pytest.fixture(autouse=True)
def _series_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules["beachhead.systems"]._systems, "series", SERIES)


@pytest.fixture
def war(tmp_path: Path) -> Path:
    """The scenario of a series."""
    file = tmp_path / "short.series.toml"
    file.write_text(TEXT, "utf-8")
    return file


def played(source: str | Path, seed: int, decisions: int = 1000, **more: Any) -> Game[Any]:
    """So many random decisions of a game, or all of them."""
    game, policy = bh.new(source, seed=seed, **more), random(seed)
    go_on(game, policy, decisions)
    return game


def go_on(game: Game[Any], policy: Any, decisions: int = 1000) -> None:
    for _ in range(decisions):
        if game.decision:
            game.apply(policy(game.state, game.decision, game.legal_actions()))


def refusal(path: Path, **how: Any) -> SaveError:
    with pytest.raises(SaveError) as error:
        bh.load(path, **how)
    assert error.value.path == path
    assert str(error.value) == f"{path}, line {error.value.line}: {error.value.reason}"
    return error.value


def rewrite(path: Path, change: Callable[[list[dict[str, Any]]], Any]) -> None:
    """A file that somebody wrote on purpose: with digests that are right."""
    lines, digest = [json.loads(line) for line in path.read_text("utf-8").splitlines()], ""
    change(lines)
    text = ""
    for data in lines:
        data.pop("digest", None)
        canonical = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        digest = hashlib.sha256((digest + canonical).encode()).hexdigest()
        text += json.dumps({**data, "digest": digest}, ensure_ascii=False) + "\n"
    path.write_text(text, "utf-8")


def alike(a: Game[Any], b: Game[Any]) -> None:
    """Nothing tells the two games apart."""
    assert (a.position, a.decisions, a.turn, a.seed, a.options, a.script) == (
        b.position,
        b.decisions,
        b.turn,
        b.seed,
        b.options,
        b.script,
    )
    assert (str(a.log), tuple(a.log)) == (str(b.log), tuple(b.log))
    assert (a.legal_actions(), a.result, a.phase, a.source.name) == (
        b.legal_actions(),
        b.result,
        b.phase,
        b.source.name,
    )
    assert [a.at(n) for n in range(a.decisions + 1)] == [b.at(n) for n in range(b.decisions + 1)]


# ------------------------------------------------------------ there and back
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("system", ["toy", "series"])
def test_a_game_comes_back_after_any_decision_and_goes_on(system: str, seed: int, path: Path, war: Path):
    source = "toy/dare" if system == "toy" else war
    whole = played(source, seed)
    for n in range(0, whole.decisions + 1, 1 + seed % 3):
        game = played(source, seed, n)
        game.save(path)
        loaded = bh.load(path)
        alike(loaded, game)
        assert loaded.resumed is None
        text = path.read_bytes()
        loaded.save(path)
        assert path.read_bytes() == text
        for each in (game, loaded):
            go_on(each, random(99))
        alike(loaded, game)
        if loaded.decisions:
            assert loaded.undo() == game.undo()
            assert loaded.redo() == game.redo()


def test_options_come_back(path: Path):
    game = played("toy/dare", 5, options={"passes": 2})
    game.save(path)
    loaded = bh.load(path)
    alike(loaded, game)
    assert (loaded.options, loaded.state.setting.passes) == ({"passes": 2}, 2)


def test_a_script_comes_back(path: Path):
    script = [6, 5, 1]
    game = bh.new("toy/dare", script=script)
    game.save(path)
    loaded = bh.load(path)
    assert (loaded.script, loaded.seed, loaded.unused_script) == ((6, 5, 1), None, (5, 1))
    for each in (game, loaded):
        each.apply(Pass())
    alike(loaded, game)
    with_a_seed = bh.new("toy/dare", script=[6, 5], seed=8)
    with_a_seed.save(path)
    loaded = bh.load(path)
    for each in (with_a_seed, loaded):
        go_on(each, first)
    alike(loaded, with_a_seed)


def test_lists_in_a_script_come_back_as_tuples(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(toy.DrawCard, "outcome", lambda self, given: given[0])
    bh.new("toy/dare", script=[[6], [5]], seed=8).save(path)
    assert bh.load(path).script == ((6,), (5,))


def test_what_is_undone_is_not_saved(path: Path):
    game = played("toy/dare", 3, 6)
    game.undo(4)
    game.save(path)
    loaded = bh.load(path)
    assert (loaded.decisions, loaded.position) == (2, game.position)
    with pytest.raises(ValueError, match="from 0 to 0 decisions can be redone"):
        loaded.redo()
    for each in (game, loaded):
        go_on(each, random(4))
    alike(loaded, game)


def test_a_file_needs_nothing_but_itself(path: Path, tmp_path: Path):
    scenario = tmp_path / "mine.toy.toml"
    scenario.write_text("goal = 2\ncards = [2, 3]\n", "utf-8")
    game = played(scenario, 1, 3)
    scenario.write_text("goal = 99\ncards = [2, 3]\n", "utf-8")  # while the game is being played
    game.save(path)
    scenario.unlink()
    alike(bh.load(path), game)


def test_another_process_comes_to_the_same(path: Path, war: Path):
    for source in ("toy/dare", war):
        game = played(source, 2, 7)
        game.save(path)
        code = (
            "import sys; sys.path.insert(0, sys.argv[1])\n"
            "import beachhead as bh\nfrom toy import TOY\nfrom series import SERIES\nfrom beachhead.codec import codec_for\n"
            "from beachhead.policies import last\n"
            "bh.register(TOY); bh.register(SERIES)\n"
            "game = bh.load(sys.argv[2]); game.play(last)\n"
            "print(codec_for(game.system).dumps(game.position)); print(game.log)"
        )
        env = {**os.environ, "PYTHONHASHSEED": "1"}
        done = subprocess.run(
            [sys.executable, "-c", code, HERE, path], capture_output=True, text=True, check=True, env=env
        )
        game.play(lambda view, decision, options: options[-1])
        position, _, log = done.stdout.partition("\n")
        assert log == f"{game.log}\n"
        from beachhead.codec import codec_for

        assert codec_for(game.system).loads(position) == game.position


def test_a_save_reads_well(path: Path):
    game = played("toy/dare", 3, 6)
    game.save(path)
    header, *lines, end = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    assert (header["beachhead"], header["format"], header["system"], header["scenario"]) == (
        bh.__version__,
        1,
        "toy",
        "toy/dare",
    )
    assert (header["seed"], header["options"], header["script"], header["edition"]) == (3, {}, None, edition(TOY))
    assert header["text"] == (HERE / "toy" / "dare.toy.toml").read_text("utf-8")
    assert [line["text"] for line in lines[:6]] == [
        "draw card: 1", "Side.RED: pass", "draw card: 6", "Side.BLUE: pass", "Side.RED: dare", "rolls 4 on a D6; 1 or less: no",
    ]  # fmt: skip
    assert [line["forced"] for line in lines[:6]] == [False, False, False, False, True, False]
    assert lines[1]["request"] == {"type": "toy.dare_or_pass", "side": "Red"}
    assert (lines[1]["actor"], lines[1]["answer"]) == ("Side.RED", {"type": "toy.pass"})
    assert end["end"] == repr(game)
    assert (end["decisions"], end["turn"], end["chances"]) == (
        6,
        game.turn,
        sum(isinstance(e.request, Chance) for e in game.log),
    )
    assert (end["answers since"], end["state at the last boundary"]["points"]) == (
        [{"type": "beachhead.answer", "value": 1, "forced": False}],
        [2, 2],
    )


def test_an_action_without_a_line_of_its_own_is_saved_all_the_same(path: Path, monkeypatch: pytest.MonkeyPatch):
    def no_labels(self: Any, state: Any) -> Any:
        raise UnknownName("no labels here")

    monkeypatch.setattr(type(TOY), "labels", no_labels)
    game = played("toy/dare", 3, 1)
    game.save(path)
    assert '"text": "Side.RED: Pass()"' in path.read_text("utf-8")
    alike(bh.load(path), game)


def test_a_game_without_a_scenario_cannot_be_saved(path: Path):
    game = Game(TOY, bh.new("toy/dare", seed=1).state, seed=1)
    with pytest.raises(UnknownName, match="'toy' was not made from a scenario file"):
        game.save(path)
    assert not path.exists()


def test_a_file_is_written_whole_or_not_at_all(path: Path, monkeypatch: pytest.MonkeyPatch):
    played("toy/dare", 3, 2).save(path)
    before = path.read_bytes()

    def full(number: int) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="the disk is full"):
        played("toy/dare", 3, 5).save(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


# ------------------------------------------------------------ damage
def test_any_flipped_byte_is_found_in_its_line(path: Path):
    game = played("toy/dare", 3, 3)
    game.save(path)
    good = path.read_bytes()
    line, seen = 1, 0
    for at, byte in enumerate(good):
        if byte == ord("\n") or at % 29 == 0:
            for flip in (1, 32, 128):
                path.write_bytes(good[:at] + bytes([byte ^ flip]) + good[at + 1 :])
                error = refusal(path)
                assert error.line == line, (at, flip, error)
                assert (error.recovered is None) == (line == 1)
                seen += 1
        line += byte == ord("\n")
    assert seen > 300


@pytest.mark.parametrize("source", ["toy/dare", "war"])
def test_a_file_that_is_cut_off_loses_nothing_before_the_cut(source: str, path: Path, war: Path):
    game = played(war if source == "war" else source, 2)
    game.save(path)
    good = path.read_bytes()
    lines = good.splitlines(keepends=True)
    for n in range(len(lines)):
        kept = [json.loads(line) for line in lines[1:n]]
        taken = sum("actor" in line and line["actor"] is not None and not line["forced"] for line in kept)
        for rest in (b"", lines[n][: len(lines[n]) // 2], lines[n][:-2]):
            path.write_bytes(b"".join(lines[:n]) + rest)
            error = refusal(path)
            assert error.line == n + 1
            if n == 0:
                assert error.recovered is None
                continue
            assert error.reason == (
                "is cut off" if rest else "is missing: the file is cut off; its last line would say where the game ends"
            )
            recovered = error.recovered
            assert recovered is not None
            whole = game.at(taken)
            assert recovered.position == whole  # the dice fall again as they fell
            assert (recovered.decisions, recovered.seed) == (taken, 2)
            assert str(game.log).startswith(str(recovered.log))
            assert tuple(recovered.log) == tuple(game.log)[: len(recovered.log)]
            assert len(recovered.log) >= len(kept) + 1
    recovered = error.recovered
    assert recovered is not None
    alike(recovered, game)


def test_only_the_end_of_the_last_line_may_be_missing(path: Path):
    game = played("toy/dare", 3, 3)
    game.save(path)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    alike(bh.load(path), game)


def test_what_cannot_be_rolled_again_is_left_out(path: Path):
    """Without a seed the script has to know; a cut file of a script that is shorter than it was goes back to the last decision."""
    game = bh.new("toy/dare", script=[6, 3, 5, 2])
    game.apply(Dare())  # rolls a 3; Blue draws a 5
    game.save(path)
    rewrite(path, lambda lines: (lines[0].update(script=[6]), lines.__delitem__(slice(3, None))))
    error = refusal(path)
    assert error.line == 4
    assert error.recovered is not None
    assert (error.recovered.decisions, error.recovered.position) == (0, game.at(0))
    rewrite(path, lambda lines: (lines[0].update(script=[]), lines.__delitem__(slice(1, None))))
    assert refusal(path).recovered is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is missing: the file is cut off; its last line would say where the game ends"),
        ("hello\n", 'does not begin a saved game; right would be {"beachhead": "0.1.0", …'),
        ("[1]\n", 'does not begin a saved game; right would be {"beachhead": "0.1.0", …'),
        ('{"name": "x"}\n', 'does not begin a saved game; right would be {"beachhead": "0.1.0", …'),
        ('{"beachhead": "0.1.0", "format": 1}\n', "was changed after it was written"),
        ('{"beachhead": "7.2.0", "format": 3}\n', ("is in format 3, of Beachhead 7.2.0: load it with that release or a later one; this is Beachhead 0.1.0,"
         " which reads format 1")),
    ],
)  # fmt: skip
def test_no_saved_game(text: str, reason: str, path: Path):
    path.write_text(text, "utf-8")
    error = refusal(path)
    assert (error.line, error.reason, error.recovered) == (
        1,
        reason.replace("0.1.0", bh.__version__) if "7.2.0" not in reason else reason,
        None,
    )


def test_no_file(path: Path):
    with pytest.raises(bh.SaveError, match=r"^nosuch: there is no such file$"):
        bh.load("nosuch")
    with pytest.raises(bh.SaveError, match=rf"^{path.parent}: it cannot be read: "):
        bh.load(path.parent)


def test_no_folder(path: Path):
    elsewhere = path.parent / "none" / "x"
    with pytest.raises(bh.SaveError, match=f"^{elsewhere}: there is no folder '{elsewhere.parent}'$"):
        played("toy/dare", 3, 2).save(elsewhere)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"system": "chess"}, "does not set up a game: no system 'chess'"),
        (
            {"text": "goal = 3\ncards = [1]\nluck = 7\n"},
            "does not set up a game: toy/dare: 1 fault\n  luck = 7: is not known",
        ),
        ({"options": {"pases": 2}}, "does not set up a game: no option 'pases'; did you mean 'passes'?"),
        ({"script": [{"type": "toy.chit"}]}, "does not set up a game: [0]: toy knows no 'toy.chit'"),
    ],
)
def test_what_cannot_be_set_up(change: dict[str, Any], reason: str, path: Path):
    played("toy/dare", 3, 3).save(path)
    rewrite(path, lambda lines: lines[0].update(change))
    error = refusal(path, resume=True)
    assert (error.line, error.recovered) == (1, None)
    assert error.reason.startswith(reason)
    assert isinstance(error.__cause__, bh.BeachheadError)


# ------------------------------------------------------------ other rules
@pytest.fixture
def saved(path: Path, war: Path) -> Game[Any]:
    """A series of some length, with all kinds of answers in it."""
    game = bh.new(war, seed=6)
    game.apply(series.Pass(sulking=True))
    go_on(game, lambda view, decision, options: options[0], 4)
    game.save(path)
    return game


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def no_sulking(self: Any, state: Any, action: Any) -> Iterator[Objection]:
    if action == series.Pass(sulking=True):
        yield Objection("series:9", "nobody may sulk")


def test_an_answer_that_is_refused_now(saved: Game[Any], path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(series.BeginDay, "objections", no_sulking)
    error = refusal(path)
    assert (error.line, error.reason) == (2, "does not replay: Pass(sulking=True): nobody may sulk (series:9)")
    assert error.recovered is not None
    assert (error.recovered.position, error.recovered.decisions) == (saved.at(0), 0)


def test_the_edition_of_the_rules_is_told_where_it_matters(
    saved: Game[Any], path: Path, monkeypatch: pytest.MonkeyPatch
):
    rewrite(path, lambda lines: lines[0].update(edition="0123456789ab"))
    alike(bh.load(path), saved)
    monkeypatch.setattr(series.BeginDay, "objections", no_sulking)
    told = f" (the rules are edition {edition(SERIES)} now, and were 0123456789ab)"
    assert refusal(path).reason.endswith(f"nobody may sulk (series:9){told}")


def test_a_request_that_differs(saved: Game[Any], path: Path, monkeypatch: pytest.MonkeyPatch):
    n, line = next((n, line) for n, line in enumerate(lines_of(path), 1) if "roll" in str(line.get("request")))
    monkeypatch.setattr(toy, "D6", Die("D8", (1, 2, 3, 4, 5, 6, 7, 8)))
    error = refusal(path)
    assert error.line == n
    assert error.reason.startswith('does not replay: it answers {"inner":{"die":{"faces":[1,2,3,4,5,6],"name":"D6"')
    assert ", and the game asks WithinChance(lens=TheGame(), inner=Roll(die=D8" in error.reason
    assert error.recovered is not None
    assert line["answer"] in range(1, 7)


def test_an_outcome_that_is_none_now(saved: Game[Any], path: Path, monkeypatch: pytest.MonkeyPatch):
    n, card = next(
        (n, line["answer"]) for n, line in enumerate(lines_of(path), 1) if "draw_card" in str(line.get("request"))
    )
    outcomes = toy.DrawCard.outcomes
    monkeypatch.setattr(
        toy.DrawCard, "outcomes", lambda self, state: tuple(o for o in outcomes(self, state) if o[0] != card)
    )
    error = refusal(path)
    assert error.line == n
    assert (
        error.reason
        == f"does not replay: {card} is not an outcome of WithinChance(lens=TheGame(), inner=DrawCard(side=Side.RED, rule='toy:1.1'))"
    )


def test_a_choice_that_is_forced_now(path: Path, monkeypatch: pytest.MonkeyPatch):
    game = bh.new("toy/dare", seed=3)
    game.apply(Pass())
    game.apply(Dare())
    game.save(path)
    monkeypatch.setattr(toy.DareOrPass, "candidates", lambda self, state: (Dare(),))
    error = refusal(path)
    assert (error.line, error.reason) == (
        3,
        "does not replay: Dare() is now the only choice in DareOrPass(side=Side.RED)",
    )


def test_a_choice_that_was_forced(path: Path, monkeypatch: pytest.MonkeyPatch):
    game = bh.new("toy/dare", seed=3)
    game.apply(Pass())
    game.apply(Pass())
    game.save(path)
    n = next(n for n, line in enumerate(lines_of(path), 1) if line.get("forced"))
    monkeypatch.setattr(toy.DareOrPass, "objections", lambda self, state, action: iter(()))
    error = refusal(path)
    assert (error.line, error.reason) == (
        n,
        "does not replay: {'type': 'toy.dare'} was the only choice when it was written, and is one of several now",
    )
    assert error.recovered is not None
    assert error.recovered.legal_actions() == (Pass(), Dare())


def test_a_game_that_is_over_sooner_now(path: Path, monkeypatch: pytest.MonkeyPatch):
    game = played("toy/dare", 3)
    game.save(path)
    monkeypatch.setattr(type(TOY), "over", lambda self, state: max(state.points) == 1)
    error = refusal(path)
    assert error.reason.startswith("does not replay: the game is over before it")
    assert error.recovered is not None
    assert max(error.recovered.state.points) == 1


def test_a_game_that_is_not_over_where_it_was(path: Path, monkeypatch: pytest.MonkeyPatch):
    game = played("toy/dare", 3)
    game.save(path)
    monkeypatch.setattr(type(TOY), "over", lambda self, state: max(state.points) == 4)
    error = refusal(path)
    assert error.line == len(lines_of(path))
    assert (
        error.reason
        == "does not replay: after the lines before it the game asks DrawCard(side=Side.RED, rule='toy:1.1')"
    )


def test_a_state_that_differs(saved: Game[Any], path: Path, monkeypatch: pytest.MonkeyPatch):
    @frozen
    class Twice(series.DayWon):
        def fold(self, state: Any) -> Any:
            return super().fold(evolve(state, first=state.first.enemy))

    with monkeypatch.context() as other_rules:
        other_rules.setattr(series, "DayWon", Twice)
        assert refusal(path).reason.startswith("does not replay: ")
    rewrite(path, lambda lines: lines[-1]["state at the last boundary"].update(won=[5, 5]))
    error = refusal(path)
    assert (error.line, error.reason) == (
        len(lines_of(path)),
        "does not replay: the lines before it lead to another state at the last boundary: it differs in won",
    )
    assert error.recovered is not None
    alike(error.recovered, saved)


def test_a_field_that_has_come_since_does_not_matter(path: Path):
    game = bh.new("toy/dare", seed=3)
    game.apply(Pass())
    game.apply(Pass())
    game.save(path)

    def as_before(lines: list[dict[str, Any]]) -> None:
        for line in lines[1:-1]:
            if line["request"]["type"] == "toy.draw_card":
                assert line["request"].pop("rule") == "toy:1.1"
        for answer in lines[-1]["answers since"]:
            del answer["forced"]
        assert lines[-1]["state at the last boundary"].pop("active") == "Red"

    rewrite(path, as_before)
    alike(bh.load(path), game)
    rewrite(path, lambda lines: lines[1]["request"].update(rule="toy:1.2"))
    assert refusal(path).line == 2


def test_a_line_after_the_end(saved: Game[Any], path: Path):
    rewrite(path, lambda lines: lines.insert(-1, lines[-1].copy()))
    error = refusal(path)
    assert (error.line, error.reason) == (len(lines_of(path)) - 1, "does not replay: another line follows it")


def test_a_line_that_holds_nothing(saved: Game[Any], path: Path):
    rewrite(path, lambda lines: lines[3].pop("answer"))
    error = refusal(path)
    assert (error.line, error.reason) == (4, "does not replay: 'answer'")


# ------------------------------------------------------------ going on all the same
def test_a_game_goes_on_though_a_line_no_longer_replays(saved: Game[Any], path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(series.BeginDay, "objections", no_sulking)
    game = bh.load(path, resume=True)
    assert isinstance(game.resumed, Resumption)
    assert str(game.resumed) == "line 2 does not replay: Pass(sulking=True): nobody may sulk (series:9)"
    assert (game.position, game.turn, game.decisions, game.seed) == (saved.position, saved.turn, 0, saved.seed)
    assert str(game.log) == f"-- turn {saved.turn}\nthe game goes on from a saved state"
    for each in (game, saved):
        go_on(each, first, 5)
    assert (game.position, game.turn, game.decisions) == (
        saved.position,
        saved.turn,
        5,
    )  # the dice go on where they were
    game.save(path)
    for how in (False, True):
        again = bh.load(path, resume=how)
        alike(again, game)
        assert again.resumed == game.resumed
    for each in (again, game, saved):
        go_on(each, random(12))
    alike(again, game)
    assert again.position == saved.position
    with pytest.raises(ValueError, match="can be undone, not"):
        again.undo(again.decisions + 1)


def test_a_game_that_replays_does_not_have_to_be_resumed(saved: Game[Any], path: Path):
    game = bh.load(path, resume=True)
    assert game.resumed is None
    alike(game, saved)


def test_damage_cannot_be_resumed(saved: Game[Any], path: Path, monkeypatch: pytest.MonkeyPatch):
    good = path.read_bytes()
    with monkeypatch.context() as other_rules:
        other_rules.setattr(series.BeginDay, "objections", no_sulking)
        for bad in (good.replace(b'"turn"', b'"tunr"'), good[:-5]):
            path.write_bytes(bad)
            assert refusal(path, resume=True).line == 2
    assert refusal(path, resume=True).reason == "is cut off"


def test_a_state_that_cannot_be_read_cannot_be_resumed(saved: Game[Any], path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(series.BeginDay, "objections", no_sulking)
    rewrite(path, lambda lines: lines[-1]["state at the last boundary"].update(won=[1, 2, 3]))
    error = refusal(path, resume=True)
    assert error.line == len(lines_of(path))
    assert error.reason == (
        "holds no state to go on from, either: won: [1, 2, 3] stands there; right would be a list [an integer, an integer]; and"
        " line 2 does not replay: Pass(sulking=True): nobody may sulk (series:9)"
    )
    assert error.recovered is not None


def test_a_resumed_game_hides_what_it_hid(saved: Game[Any], path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(series.BeginDay, "objections", no_sulking)
    game = bh.load(path, resume=True)
    for side in (*Side, None):
        assert game.view(side).state == saved.view(side).state
        assert str(game.view(side).log) == f"-- turn {saved.turn}\nthe game goes on from a saved state"


def test_a_resumed_game_that_begins_with_a_roll(path: Path, monkeypatch: pytest.MonkeyPatch):
    """Under the new rules a roll may stand where a choice stood: it is rolled, and saved."""
    played("toy/dare", 3, 4).save(path)
    rewrite(path, lambda lines: lines[-1].update({"answers since": []}))
    game = bh.load(path, resume=True)
    assert "lead to other answers since: [{" in str(game.resumed)
    assert game.decision is not None
    assert isinstance(Position(TOY, game.at(0).base, ()).pending, Chance)
    go_on(game, random(5), 2)
    game.save(path)
    alike(bh.load(path), game)
