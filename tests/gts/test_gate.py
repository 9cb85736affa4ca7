"""The gate: every statement that is played is shown by a row or a marked test, and no id is cited that does not exist or never fires."""

from __future__ import annotations

from pathlib import Path

from beachhead.coverage import gate
from beachhead_gts import SYSTEM


def test_every_rule_is_shown() -> None:
    report = gate(SYSTEM, Path(__file__).parent)
    assert report.ok, str(report)
