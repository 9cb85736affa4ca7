"""Rows as tests: each row of `cases/*.toml` becomes a pytest item, and a test that shows a rule says so by a mark.

A project loads it in its topmost conftest: `pytest_plugins = ["beachhead.pytest_plugin"]`. What a row cannot show, a test does that is marked
`@pytest.mark.covers("m44:…")`; it counts when it has passed. `--covered FILE` writes down which marked tests passed and which rules were
cited at the doors meanwhile, for `beachhead coverage`.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from beachhead.cases import Case, Outcome, read_cases, run_case
from beachhead.errors import ScenarioError
from beachhead.rules import recording
from beachhead.systems import find_system

_PASSED = pytest.StashKey[dict[str, list[str]]]()
_FIRED = pytest.StashKey[set[str]]()


class UnexpectedOutcome(Exception):
    """A row did not go as it says."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome


class CaseItem(pytest.Item):
    """A row."""

    def __init__(self, *, case: Case, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.case = case

    def runtest(self) -> None:
        """Play it."""
        outcome = run_case(find_system(self.case.system), self.case)
        if not outcome.passed:
            raise UnexpectedOutcome(outcome)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *args: Any, **kwargs: Any) -> Any:
        """The story, and what did not go as the row says."""
        if isinstance(excinfo.value, UnexpectedOutcome):
            return str(excinfo.value.outcome)
        return super().repr_failure(excinfo, *args, **kwargs)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the row stands."""
        lines = self.path.read_text("utf-8").splitlines()
        line = next((n for n, text in enumerate(lines) if text == f'id = "{self.case.id}"'), 0)
        return self.path, line, f"case {self.case.id}"


class CaseFile(pytest.File):
    """A file of rows."""

    def collect(self) -> Iterator[CaseItem]:
        """Its rows."""
        for case in read_cases(self.path):
            yield CaseItem.from_parent(self, name=case.id, case=case)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *args: Any, **kwargs: Any) -> Any:
        """The faults of the file."""
        if isinstance(excinfo.value, ScenarioError):
            return str(excinfo.value)
        return super().repr_failure(excinfo)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where to write down what was covered."""
    parser.addoption("--covered", metavar="FILE", help="write which rules marked tests have shown, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known."""
    config.addinivalue_line("markers", "covers(*rules): the test shows these rules; it counts when it has passed")
    config.stash[_PASSED] = {}
    config.stash[_FIRED] = set()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CaseFile | None:
    """Take the files of rows."""
    if file_path.suffix == ".toml" and file_path.parent.name == "cases":
        return CaseFile.from_parent(parent, path=file_path)
    return None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Note what a marked test shows, if it passes."""
    rules = [rule for mark in item.iter_markers("covers") for rule in mark.args]
    if not rules:
        yield
        return
    with recording() as fired:
        yield
    for rule in rules:
        item.config.stash[_PASSED].setdefault(rule, []).append(item.nodeid)
    item.config.stash[_FIRED].update(fired)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write down what was covered."""
    path = session.config.getoption("--covered")
    if path:
        fired = session.config.stash[_FIRED]
        covered = {"tests": session.config.stash[_PASSED], "fired": sorted(fired)}
        Path(path).write_text(json.dumps(covered, indent=1), "utf-8")
