"""The examples in the documentation are true: every page's Python runs, in order, as a reader would type it."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from beachhead.cases import expectations, read_cases, reading, run_case, vocabulary
from beachhead.systems import find_system

PROJECT = Path(__file__).resolve().parent.parent
DOCS = PROJECT / "docs"
FENCE = re.compile(r"^( *)```python[^\n]*\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if FENCE.search(page.read_text(encoding="utf-8"))]


def run_page(page: Path) -> None:
    """Run a page's `python` blocks in order in one namespace; a block with `>>>` is a doctest, any other is a script."""
    source = page.read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": page.stem}
    for fence in FENCE.finditer(source):
        line = source.count("\n", 0, fence.start(2))
        block = re.sub(f"^{fence[1]}", "", fence[2], flags=re.MULTILINE)
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, {}, page.name, str(page), line)
            test.globs = names
            runner = doctest.DebugRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            try:
                runner.run(test, clear_globs=False)
            except doctest.DocTestFailure as failure:
                where = f"{page}:{line + failure.example.lineno + 1}"
                pytest.fail(f"{where}\n{failure.example.source}wanted:\n{failure.example.want}got:\n{failure.got}")
            except doctest.UnexpectedException as failure:
                raise failure.exc_info[1] from None
        else:
            exec(compile("\n" * line + block, str(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_examples_of_page(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("beachhead.systems"), "_systems", {})  # what a page registers stays on that page
    monkeypatch.chdir(PROJECT)
    run_page(page)


CASES = re.compile(r"^```toml\n((?:(?!^```).)*?^\[\[case\]\].*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    "page",
    [p for p in sorted(DOCS.rglob("*.md")) if CASES.search(p.read_text(encoding="utf-8"))],
    ids=lambda page: page.name,
)
def test_rule_cases_of_page(page: Path, tmp_path: Path) -> None:
    for number, block in enumerate(CASES.findall(page.read_text(encoding="utf-8"))):
        path = tmp_path / f"{number}.toml"
        path.write_text(block, encoding="utf-8")
        for case in read_cases(path):
            outcome = run_case(find_system(case.system), case)
            assert outcome.passed, str(outcome)


def test_a_wrong_example_fails(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nn = 2\n```\n\n```python\n>>> n + 2\n5\n```\n")
    with pytest.raises(pytest.fail.Exception, match=r"page.md:6"):
        run_page(page)


def test_a_script_that_raises_fails(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nassert 1 + 1 == 3\n```\n")
    with pytest.raises(AssertionError):
        run_page(page)


def test_every_key_of_rule_cases_is_explained() -> None:
    page = (DOCS / "rule-cases.md").read_text(encoding="utf-8")
    tables = [line for line in page.splitlines() if line.startswith("| `")]
    explained = {key for line in tables for key in re.findall(r"`\[*(?:case\.)?(\w+)", line)}
    keys = {"system", "common", "case", "id", "about", "contrast", *reading._ROW, *reading._EXPECT, *expectations.KINDS}
    assert keys <= explained, keys - explained
    for name, kind in expectations.KINDS.items():
        [line] = [line for line in tables if line.startswith(f"| `{name} = ")]
        _, _, beside, _ = line.removeprefix("|").split("|")
        assert set(re.findall(r"`(\w+)`", beside)) == {*kind.keys, *(["rule"] if kind.cites else [])}, name


def test_what_a_system_has_is_listed_as_the_page_says() -> None:
    page = (DOCS / "rule-cases.md").read_text(encoding="utf-8")
    [shown] = re.findall(r"^\$ beachhead ask --list (?:koenig)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    listed = str(vocabulary(find_system("koenig")))
    lines = [line.removesuffix("...") for line in shown.splitlines() if line.strip(". ")]
    assert len(lines) > 6
    for line in lines:
        assert f"\n{line}" in f"\n{listed}", line
