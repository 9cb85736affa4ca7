"""The gate and the knock-out, on copies of the toy with faults put in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from toy import TOY
from toy_cases import ToyCases

from beachhead import coverage
from beachhead.cases import Cell
from beachhead.rules import Breakdown, Catalogue, Modifier, Objection, Status, first_objection, knocked_out, recording

HERE = Path(__file__).parent
Toy: Any = type(TOY)


@pytest.fixture
def gate(tmp_path: Path) -> Any:
    """The report of a toy with these rules, rows and code; what is left out is faultless."""

    def report(rules: str = "", rows: str = "", code: str = "", rulings: str = "", **more: Any) -> coverage.Report:
        class Copy(Toy):
            catalogue = Catalogue(tmp_path)

        toy = (HERE / "toy" / "rules.toml").read_text("utf-8")
        (tmp_path / "rules.toml").write_text(toy + rules, "utf-8")
        (tmp_path / "rulings.toml").write_text((HERE / "toy" / "rulings.toml").read_text("utf-8") + rulings, "utf-8")
        (tmp_path / "rows.toml").write_text(rows or 'system = "other"', "utf-8")
        (tmp_path / "code").mkdir(exist_ok=True)
        (tmp_path / "code" / "acts.py").write_text(code, "utf-8")
        files = (*coverage.case_files(HERE), tmp_path / "rows.toml")
        return coverage.coverage(Copy(), files, [HERE / "toy.py", tmp_path / "code"], **more)

    return report


def rule(name: str, status: str, more: str = "") -> str:
    return f'\n[[rule]]\nid = "toy:{name}"\ntitle = "Title"\ntext = "Text."\n{status}\n{more}\n'


def statuses(**kinds: str) -> str:
    return "".join(rule(name, f'status = "{kind}"') for name, kind in kinds.items())


ROW = """system = "toy"
[common]
cards = [2, 4, 5, 6]
hands = { red = 3, blue = 1 }
do = ["dare"]
rolls = [3]
[[case]]
id = "row"
about = "A row."
[[case.expect]]
"""


def test_the_toy_is_wholly_covered(gate: Any):
    report = gate()
    assert report.ok, report
    assert str(report) == "toy: 6 rows, 5 enforced; no faults"
    shown = {each.rule.id: each for each in report.shown}
    assert "toy.toml::the-third-point-wins" in shown["toy:3"].rows
    assert shown["toy:1.1"].contrasts == ("toy.toml::a-kept-card-is-not-replaced",)
    assert coverage.gate(TOY, HERE).shown == tuple(report.shown)


# ------------------------------------------------------------ statements
@pytest.mark.parametrize(
    ("rules", "fault"),
    [
        (statuses(x="enforced"), "toy:x (enforced): nothing shows it"),
        (statuses(x="holds"), "toy:x (holds): no row with a contrast that differs shows it"),
        (
            rule("x", 'same_as = "toy:2.3"'),
            "toy:x (same_as): is the same as 'toy:2.3', which does not exist; did you mean 'toy:2.2'?",
        ),
        (
            rule("x", 'same_as = "toy:y"') + rule("y", 'same_as = "toy:2"'),
            "toy:x (same_as): is the same as toy:y, which has no status of its own: name toy:2",
        ),
        (statuses(x="not_modelled"), "toy:x (not_modelled): gives no reason"),
        (rule("x", 'status = "informs"').replace("Text.", ""), "toy:x (informs): says nothing"),
    ],
)
def test_what_a_status_asks_for(gate: Any, rules: str, fault: str):
    report = gate(rules)
    assert not report.ok
    assert str(report).splitlines()[:-1] == [fault]
    assert str(report).endswith("1 fault")


@pytest.mark.parametrize(
    "rules",
    [
        statuses(x="todo"),
        statuses(x="informs"),
        rule("x", 'same_as = "toy:2.2"'),
        rule("x", 'status = "not_modelled"', 'reason = "It is no part of play."'),
    ],
)
def test_what_asks_for_nothing(gate: Any, rules: str):
    report = gate(rules)
    assert report.ok, report
    assert sum(report.count(status) for status in Status) == 6


def test_a_row_shows_what_is_enforced_and_a_contrast_what_holds(gate: Any):
    rules = statuses(x="enforced", y="holds")
    row = ROW + 'to_act = "blue"\nshows = ["toy:x", "toy:y"]'
    assert [each.rule.id for each in gate(rules, row).missing] == ["toy:y"]
    contrast = row + '\n[case.contrast]\ndo = []\nrolls = []\nexpect = [{ to_act = "red" }]'
    assert gate(rules, contrast).ok
    alike = row + '\n[case.contrast]\nrolls = [4]\nexpect = [{ event = "dared", with = { success = false } }]'
    assert [each.rule.id for each in gate(rules, alike).missing] == ["toy:y"]


def test_a_row_that_fails_shows_nothing(gate: Any):
    report = gate(statuses(x="enforced"), ROW + 'to_act = "blue"\nshows = "toy:x"\n[[case.expect]]\nto_act = "red"')
    assert [each.rule.id for each in report.missing] == ["toy:x"]
    assert report.faults == ("rows.toml::row: NOT MET: to_act 'red'\n    found: Blue",)


def test_a_marked_test_shows_what_it_is_marked_with(gate: Any):
    assert gate(statuses(x="enforced", y="holds"), marked={"toy:x": ["test_x"], "toy:y": ["test_y"]}).ok


def test_a_file_with_faults_is_a_fault(gate: Any):
    (fault,) = gate(rows='system = "toy"').faults
    assert "case: there is no row" in fault
    (fault,) = gate(rows="system =").faults
    assert "is not TOML" in fault


def test_a_row_over_which_code_falls_is_a_fault(gate: Any):
    (fault,) = gate(rows=ROW.replace("red = 3", 'red = "three"') + 'to_act = "red"').faults
    assert fault.startswith("rows.toml::row: the code fell over it: TypeError: ")


# ------------------------------------------------------------ citations
@pytest.mark.parametrize(
    ("code", "faults"),
    [
        (
            '"""As toy:2.1 says, and toy:2.9 does not."""',
            ["acts.py, line 1: the code cites 'toy:2.9', which does not exist"],
        ),
        ("# toy:9\n", ["acts.py, line 1: the code cites 'toy:9', which does not exist"]),
        ('x = 1\ny = "toy:9"\n', ["acts.py, line 2: the code cites 'toy:9', which does not exist"]),
        (
            '"""All of toy:9.* and toy:8.… and toy:7."""\nf"toy:9.{x}"',
            ["acts.py, line 1: the code cites 'toy:7', which does not exist"],
        ),
        ('name = "toy:passes"\nother = "totoy:9"', []),
        ('rule = "toy:x"', ["acts.py, line 1: the code cites toy:x, and no row or marked test makes it do so"]),
        ('def f():\n    """Says toy:x."""', []),
        ('rule = "toy:3"', []),
    ],
)
def test_ids_in_code_exist_and_are_fired(gate: Any, code: str, faults: list[str]):
    report = gate(statuses(x="informs"), code=code)
    assert [fault.partition("; did")[0] for fault in report.faults] == faults
    assert not report.missing


def test_ids_in_tables_rulings_rows_and_tests_exist(gate: Any, tmp_path: Path):
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "table.toml").write_text('cites = "toy:9"\nalso = "toy:2.1"', "utf-8")
    assert gate().faults[0].startswith("table.toml, line 1: the code cites 'toy:9'")
    (tmp_path / "code" / "table.toml").unlink()
    ruling = '\n[[ruling]]\nid = "toy:r"\ntitle = "T"\nreading = "R"\nreason = "W"\nrules = ["toy:9"]\n'
    assert gate(rulings=ruling).faults[0].startswith("toy:r: a ruling cites 'toy:9', which does not exist")
    assert gate(rows=ROW + 'to_act = "blue"\nshows = "other:1"').faults == (
        "rows.toml::row: a row cites 'other:1', which does not exist",
    )
    assert gate(marked={"toy:9": ["test_x"]}).faults[0].startswith("test_x: a test cites 'toy:9', which does not exist")


def test_a_marked_test_must_fire_what_it_is_marked_with(gate: Any):
    given = {"rules": statuses(x="informs"), "code": 'rule = "toy:x"', "marked": {"toy:x": ["test_x"]}}
    assert gate(**given).ok
    assert gate(**given, fired=["toy:x"]).ok
    assert not gate(**given, fired=[]).ok
    assert not gate(**given | {"marked": {}}, fired=["toy:x"]).ok


def test_rules_of_another_system_may_be_cited(gate: Any, tmp_path: Path):
    class Other(Toy):
        name = "other"
        catalogue = Catalogue(tmp_path / "other")

    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "rules.toml").write_text('[[rule]]\nid = "other:1"\ntitle = "T"\ntext = "T"', "utf-8")
    report = gate(code='"other:1"\n"other:2"', others=[Other()])
    assert report.faults == (
        "acts.py, line 2: the code cites 'other:2', which does not exist; did you mean 'other:1'?",
    )


# ------------------------------------------------------------ marked tests
MARKED = """
import pytest
from beachhead.rules import record_citations

pytestmark = pytest.mark.covers("toy:2")

@pytest.mark.covers("toy:1.1", "toy:3")
def test_right():
    record_citations(["toy:1.1"])

@pytest.mark.covers("toy:2.2")
def test_wrong():
    raise AssertionError
"""


def test_marks_are_found_without_running_tests(tmp_path: Path):
    (tmp_path / "test_it.py").write_text(MARKED, "utf-8")
    assert coverage.marked_in(tmp_path) == {
        "toy:2": ("test_it.py, line 5",),
        "toy:1.1": ("test_it.py, line 7",),
        "toy:3": ("test_it.py, line 7",),
        "toy:2.2": ("test_it.py, line 11",),
    }


def test_marked_tests_are_run_in_a_pytest_of_their_own(tmp_path: Path):
    assert coverage.run_marked(tmp_path) == ({}, frozenset())
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["beachhead.pytest_plugin"]', "utf-8")
    (tmp_path / "test_it.py").write_text(MARKED, "utf-8")
    (tmp_path / "test_other.py").write_text("raise AssertionError", "utf-8")
    tests, fired = coverage.run_marked(tmp_path)
    assert sorted(tests) == ["toy:1.1", "toy:2", "toy:3"]
    assert fired == {"toy:1.1"}
    (tmp_path / "test_it.py").write_text("# pytest.mark.covers(\nraise SystemExit", "utf-8")
    with pytest.raises(ChildProcessError, match="could not be run"):
        coverage.run_marked(tmp_path)


# ------------------------------------------------------------ knock-out
def test_what_is_knocked_out_is_out_of_play():
    first, second = Objection("toy:1.1", "first"), Objection(("toy:2", "toy:2.1"), "second")
    terms = Breakdown.of(Modifier("card", 3, "toy:2.1"), Modifier("luck", 1, "toy:1.1"))
    with knocked_out("toy:2.1", "toy:3") as struck:
        assert struck == set()
        assert first_objection(iter([second, first])) is first
        assert (terms.total, [term.label for term in terms.counted]) == (1, ["luck"])
        assert struck == {"toy:2.1"}
        with knocked_out("toy:2.1", "toy:1.1"):
            assert terms.total == 0
        assert terms.total == 1
    assert terms.total == 4
    assert first_objection(iter([second, first])) is second


def test_nested_recordings_stay_apart():
    with recording() as outer:
        with recording() as inner:
            pass
        from beachhead.rules import record_citations

        record_citations(["toy:1.1"])
    assert (outer, inner) == ({"toy:1.1"}, set())


def test_rows_notice_what_is_knocked_out(gate: Any):
    report, told = gate(), list[tuple[int, int, str]]()
    result = coverage.knock_out(TOY, report.outcomes, progress=lambda *done: told.append(done))
    assert result.noticed == {
        "toy:2.1": "toy.toml::a-die-no-higher-than-the-card-scores",
        "toy:2.2": "toy.toml::nobody-passes-twice-on-end",
    }
    assert result.survivors == ()
    assert result.idle == ("toy:1.1", "toy:2", "toy:3", "toy:passes")
    assert told[1] == (1, 6, "toy:2")


def test_a_rule_that_no_row_misses_survives(gate: Any):
    row = ROW + 'ask = "needed blue"\nshows = "toy:2.1"'
    (outcome,) = gate(rows=row).outcomes[-1:]
    result = coverage.knock_out(TOY, [outcome])
    assert result.survivors == ("toy:2.1",)
    assert "toy:2.1: taken away, and no row that covers it fails" in str(result)


def test_table_cells_are_knocked_out_one_by_one(gate: Any):
    bonus = {"red": 2, "blue": 1}

    class WithTable(ToyCases):
        def ask(self, state: Any, question: str, args: list[str]) -> Any:
            if question == "bonus":
                return bonus[args[0]]
            if question == "fall":
                return 1 // bonus[args[0]]
            return super().ask(state, question, args)

        def cells(self) -> Iterator[Cell]:
            return (Cell("bonus", side, "dice", ("toy:2.1",)) for side in bonus)

        @contextmanager
        def without(self, cell: Cell) -> Iterator[None]:
            kept, bonus[cell.row] = bonus[cell.row], 0
            yield
            bonus[cell.row] = kept

    class Tabled(Toy):
        cases = WithTable()

    def result(question: str, rule: str = "toy:2.1", marked: tuple[str, ...] = ()) -> coverage.KnockOut:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Toy, "cases", Tabled.cases)
            outcome = gate(rows=ROW + f'ask = "{question}"\nshows = "{rule}"').outcomes[-1]
        assert outcome.passed, outcome
        return coverage.knock_out(Tabled(), [outcome], marked)

    assert result('bonus red"\nis = 2 #').noticed == {"bonus.red.dice (toy:2.1)": "rows.toml::row"}
    assert result('bonus red"\nis = 2 #').survivors == ("bonus.blue.dice (toy:2.1)",)
    assert result("fall blue").noticed == {"bonus.blue.dice (toy:2.1)": "rows.toml::row"}
    uncovered = result("bonus red", "toy:2")
    assert uncovered.uncovered == ("bonus.red.dice (toy:2.1)", "bonus.blue.dice (toy:2.1)")
    assert not uncovered.ok
    assert "bonus.red.dice (toy:2.1): no row covers it" in str(uncovered)
    tested = result("bonus red", "toy:2", ("toy:2.1",))
    assert (tested.tested, tested.ok) == (uncovered.uncovered, True)
    assert bonus == {"red": 2, "blue": 1}


# ------------------------------------------------------------ the command
def test_the_command_prints_a_table_by_section_and_the_faults(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(coverage, "systems", lambda: ("toy",))
    monkeypatch.setattr(coverage, "run_marked", lambda tests: ({}, frozenset()))
    assert coverage.report_coverage("toy", HERE, knock=True) == 0
    out = capsys.readouterr().out
    assert "toy: 6 rows, 5 enforced; no faults" in out
    assert "2 noticed, 0 not, 0 without a row, 4 not in play, 0 left to tests" in out
    assert "3/3" in out
    assert coverage.report_coverage("toy", HERE / "toy") == 1
    assert "toy:3 (enforced): nothing shows it" in capsys.readouterr().out


def test_where_a_systems_code_is():
    assert coverage.code_of(TOY) == (HERE / "toy.py",)
