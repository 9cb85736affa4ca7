"""What all tests share: where the real scenario files are, and a last line that says whether they were there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent


def real_files() -> list[Path]:
    """Return the real `.m44` scenario files, which the project reads in tests and never holds; empty where there are none."""
    shared = Path(os.environ.get("BEACHHEAD_SHARED") or PROJECT.parent / "shared")
    return sorted((PROJECT / shared / "data" / "m44").glob("*.m44"))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Say, below pytest's own closing line, whether the tests that need real files had them."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None:
        terminal.write_line(f"real files: {len(real_files()) or 'none here'}")
