"""The test kit on Memoir '44, in its short form; `beachhead check memoir44 --games 500` is the long one."""

from __future__ import annotations

import pytest
from conftest import real_files

from beachhead.testing import check_game, check_processes, check_system

PLAYED = ("2", "4", "7", "11", "15", "18", "22", "25")
REAL = [path for path in real_files() if path.stem in PLAYED]


def test_our_own_scenarios():
    report = check_system("memoir44", games=10)
    assert len(report.games) == 10


@pytest.mark.skipif(not REAL, reason="no real scenario files here")
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_real_scenarios(path):
    check_game("memoir44", str(path), seed=1)


def test_the_same_in_another_process():
    check_processes("memoir44", "tests/memoir44/files/mill-crossing.m44", seed=3, games=1)
