"""The test kit on the Grand Tactical Series, in its short form; `beachhead check gts --games 500` is the long one."""

from __future__ import annotations

from beachhead.testing import check_game, check_processes, check_system


def test_the_training_battle() -> None:
    report = check_system("gts", games=3, scenarios=["gts/training"])
    assert len(report.games) == 3


def test_the_juno_front() -> None:
    """One game is as long as ten of the training battle."""
    report = check_game("gts", "gts/juno-front", seed=1)
    assert len(report.rules) > 200


def test_the_same_in_another_process() -> None:
    check_processes("gts", "gts/training", seed=3, games=1)
