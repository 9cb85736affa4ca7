"""Published scenarios: those whose rules are all built are played to a result, and of the others each says what it still asks for."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import real_files

import beachhead as bh
from beachhead.errors import ScenarioError
from beachhead_memoir44.m44 import read_m44
from beachhead_memoir44.tables import Side

PLAYED = ("2", "4", "7", "11", "15", "18", "22", "25")
REAL = real_files()
SEEDS = (1, 2, 3)

pytestmark = pytest.mark.skipif(not REAL, reason="the real files are not here")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("path", [path for path in REAL if path.stem in PLAYED], ids=lambda path: path.stem)
def test_random_play_comes_to_a_result(path: Path, seed: int) -> None:
    scenario = read_m44(path)
    game = bh.new(str(path), seed=seed)
    assert not scenario.unsupported()
    assert game.to_act is scenario.starting
    assert {side: game.state.hand(side).size for side in Side} == scenario.cards
    assert [unit.figures for unit in game.state.units] == [unit.figures for unit in scenario.units]

    game.play(bh.policies.random(seed))
    result, needed = game.result, scenario.medals_needed
    assert result is not None
    assert all(0 <= result.scores[str(side)] <= needed[side] for side in Side)
    if result.rule == "m44:victory.moment":
        assert result.scores[str(result.winner)] == needed[result.winner]
    else:
        assert result.rule in ("m44:victory.no_units", "m44:victory.sudden_death")
    game.system.check_invariants(game.state)


@pytest.mark.parametrize("path", [path for path in REAL if path.stem not in PLAYED], ids=lambda path: path.stem)
def test_what_is_not_built_is_refused_by_name(path: Path) -> None:
    missing = read_m44(path).unsupported()
    assert missing
    with pytest.raises(ScenarioError) as refused:
        bh.new(str(path))
    faults = refused.value.faults
    assert [f"{fault.problem.removesuffix(' is not played yet')} at {fault.key}" for fault in faults] == list(missing)
