"""The test kit on Paul Koenig's D-Day, in its short form; `beachhead check koenig --games 500` is the long one."""

from __future__ import annotations

from beachhead.testing import check_processes, check_system


def test_our_own_scenarios() -> None:
    report = check_system("koenig", games=10)
    assert len(report.games) == 10


def test_the_same_in_another_process() -> None:
    check_processes("koenig", "koenig/training", seed=3, games=1)
