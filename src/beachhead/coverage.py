"""The gate: every statement of a system's catalogue is shown, and everything that cites a rule cites one that exists.

Coverage is what was met, not what was marked: a statement is covered by a row of a case file whose expectation on it was met, or by a
test marked `covers` that passed. `enforced` needs either; `holds` needs a row whose contrast differs on it, or a marked test. The gate
fails, too, on a cited id that no catalogue has, on an id in code that neither rows nor marked tests bring to a door, and on a statement
that lacks what its status needs. `knock_out` takes each objection, term and table cell away in turn and asks whether a row notices.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from attrs import field, frozen

from beachhead.cases import Case, Outcome, case_system, read_cases, run_case
from beachhead.cases.system import CellSystem
from beachhead.errors import ScenarioError
from beachhead.rules import Rule, Status, knocked_out, recording
from beachhead.spelling import nearest_id
from beachhead.systems import System, find_system, systems

Progress = Callable[[int, int, str], None]
"""`progress(done, of, what)`."""


@frozen
class Shown:
    """A statement, what has shown it, and what is wrong with it ("" where nothing is)."""

    rule: Rule
    rows: tuple[str, ...] = ()
    contrasts: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    fault: str = ""


@frozen
class Report:
    """The state of a system's coverage.

    Attributes:
        shown: every statement of the catalogue.
        faults: everything else that fails the gate: rows that did not pass, ids that do not exist, ids in code that nothing fires.
        outcomes: the rows that were played.
    """

    system: str
    shown: tuple[Shown, ...]
    faults: tuple[str, ...] = ()
    outcomes: tuple[Outcome, ...] = field(default=(), repr=False)

    @property
    def missing(self) -> tuple[Shown, ...]:
        """The statements that fail the gate."""
        return tuple(each for each in self.shown if each.fault)

    @property
    def ok(self) -> bool:
        """Whether the gate is open."""
        return not self.missing and not self.faults

    def count(self, status: Status) -> int:
        """How many statements have this status."""
        return sum(each.rule.status is status for each in self.shown)

    def __str__(self) -> str:
        """What fails the gate, line by line, and the sums."""
        counts = ", ".join(f"{self.count(status)} {status.value}" for status in Status if self.count(status))
        lines = [*self.faults, *(f"{each.rule.id} ({each.rule.status.value}): {each.fault}" for each in self.missing)]
        ok = f"{self.system}: {len(self.outcomes)} rows, {counts}; {len(lines) or 'no'} fault{'s' * (len(lines) != 1)}"
        return "\n".join([*lines, ok])


# ------------------------------------------------------------ the gate
def coverage(
    system: System[Any],
    case_files: Iterable[Path],
    code_roots: Iterable[Path],
    marked: Mapping[str, Sequence[str]] | None = None,
    fired: Iterable[str] | None = None,
    others: Iterable[System[Any]] = (),
    progress: Progress | None = None,
) -> Report:
    """Play all rows of a system and say what they, with the marked tests, show of its catalogue.

    Args:
        system: the system.
        case_files: files of rows; those of other systems are passed over.
        code_roots: files and folders of the system's code and tables, where rules are cited.
        marked: the marked tests by the ids that they cover: those that passed, or those that stand in the tests (`marked_in`).
        fired: the ids that marked tests brought to a door; if left out, all that they are marked with.
        others: systems on which this one builds, whose rules it may cite, too.
        progress: called before each row.
    """
    marked, faults = dict(marked or {}), list[str]()
    cases = list(_cases(system, case_files, faults))
    outcomes: list[Outcome] = []
    with recording() as cited:
        for n, case in enumerate(cases):
            if progress:
                progress(n, len(cases), case.id)
            try:
                outcomes.append(run_case(system, case))
            except Exception as error:  # noqa: BLE001 - one row over which the code falls must not hide what the others show
                faults.append(f"{case}: the code fell over it: {type(error).__name__}: {error}")
    for outcome in outcomes:
        faults += [f"{outcome.case}: {trouble}" for trouble in outcome.troubles]
    rows, contrasts = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for outcome in outcomes:
        for rule in outcome.covered:
            rows[rule].append(str(outcome.case))
        for rule in outcome.contrasted:
            contrasts[rule].append(str(outcome.case))
    known = _known_ids((system, *others))
    faults += _unknown("a row", {rule: str(case) for case in cases for rule in case.ids}, known)
    faults += _unknown("a test", {rule: tests[0] for rule, tests in marked.items()}, known)
    faults += _unknown(
        "a ruling", {r: ruling.id for ruling in system.catalogue.rulings.values() for r in ruling.rules}, known
    )
    at_doors = cited | (set(marked) if fired is None else set(fired) & set(marked))
    faults += _code_faults(system, code_roots, known, at_doors)
    shown = tuple(
        _with_fault(system, Shown(r, tuple(rows[r.id]), tuple(contrasts[r.id]), tuple(marked.get(r.id, ()))))
        for r in system.catalogue.values()
    )
    return Report(system.name, shown, tuple(faults), tuple(outcomes))


def gate(system: System[Any], tests: Path, others: Iterable[System[Any]] = ()) -> Report:
    """The gate as a test of a system asks for it: its rows are played, and its marked tests are taken to pass, since pytest runs them, too."""
    return coverage(system, case_files(tests), code_of(system), marked_in(tests), others=others)


def _cases(system: System[Any], files: Iterable[Path], faults: list[str]) -> Iterator[Case]:
    for path in files:
        if _system_of(path) in (system.name, None):
            try:
                yield from read_cases(path, system)
            except ScenarioError as error:
                faults.append(str(error))


def _system_of(path: Path) -> str | None:
    try:
        return str(tomllib.loads(path.read_text("utf-8")).get("system"))
    except tomllib.TOMLDecodeError:
        return None


def _with_fault(system: System[Any], shown: Shown) -> Shown:
    rule, catalogue, fault = shown.rule, system.catalogue, ""
    match rule.status:
        case Status.ENFORCED if not (shown.rows or shown.tests):
            fault = "nothing shows it"
        case Status.HOLDS if not (shown.contrasts or shown.tests):
            fault = "no row with a contrast that differs shows it"
        case Status.SAME_AS if rule.same_as not in catalogue:
            fault = f"is the same as {rule.same_as!r}, which does not exist{nearest_id(rule.same_as, catalogue)}"
        case Status.SAME_AS if catalogue[rule.same_as].status is Status.SAME_AS:
            fault = (
                f"is the same as {rule.same_as}, which has no status of its own: name {catalogue[rule.same_as].same_as}"
            )
        case Status.NOT_MODELLED if not rule.reason:
            fault = "gives no reason"
        case Status.INFORMS if not rule.text:
            fault = "says nothing"
    return Shown(rule, shown.rows, shown.contrasts, shown.tests, fault)


# ------------------------------------------------------------ what is cited where
def _known_ids(systems: Iterable[System[Any]]) -> Mapping[str, set[str]]:
    """The ids of all these catalogues, by their prefixes."""
    known = defaultdict[str, set[str]](set)
    for each in systems:
        for rule in (*each.catalogue, *each.catalogue.rulings):
            known[rule.partition(":")[0]].add(rule)
    return known


def _unknown(who: str, cited: Mapping[str, str], known: Mapping[str, set[str]]) -> Iterator[str]:
    for rule, where in cited.items():
        ids = known.get(rule.partition(":")[0], set())
        if rule not in ids:
            yield f"{where}: {who} cites {rule!r}, which does not exist{nearest_id(rule, ids)}"


def _code_faults(
    system: System[Any], roots: Iterable[Path], known: Mapping[str, set[str]], at_doors: set[str]
) -> Iterator[str]:
    pattern = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, known))}):\w(?:[\w.-]*\w)?(?![.-]?\w|[.]?[*…{{])")
    rulings = system.catalogue.rulings
    own = {system.catalogue.folder / "rules.toml", system.catalogue.folder / "rulings.toml"}
    cited, acted = dict[str, str](), dict[str, str]()
    for path in _sources(roots):
        if path in own:
            continue
        text = path.read_text("utf-8")
        for found in pattern.finditer(text):
            cited.setdefault(found[0], f"{path.name}, line {text.count(chr(10), 0, found.start()) + 1}")
        if path.suffix == ".py":
            for rule, line in _constants(ast.parse(text)):
                if pattern.fullmatch(rule):
                    acted.setdefault(rule, f"{path.name}, line {line}")
    sections = {
        prefix: _sections(ids) for prefix, ids in known.items()
    }  # a row may name the section that it stands for
    yield from _unknown("the code", cited, {prefix: ids | sections[prefix] for prefix, ids in known.items()})
    prefixes = {rule.partition(":")[0] for rule in system.catalogue}
    for rule, where in acted.items():
        is_key = rule in rulings and rulings[rule].choices
        own_rule = rule.partition(":")[0] in prefixes and rule in known[rule.partition(":")[0]]
        if own_rule and rule not in at_doors and not is_key:
            yield f"{where}: the code cites {rule}, and no row or marked test makes it do so"


def _sections(ids: Iterable[str]) -> set[str]:
    """The sections of a catalogue: "m44:card.probe" where there is "m44:card.probe.order"."""
    return {rule[:end] for rule in ids for end, char in enumerate(rule) if char == "."}


def _sources(roots: Iterable[Path]) -> Iterator[Path]:
    for root in roots:
        yield from (root,) if root.is_file() else sorted(p for p in root.rglob("*") if p.suffix in (".py", ".toml"))


def _constants(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Every text in the code, but for docstrings and the parts of f-strings."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value, node.lineno
        elif not isinstance(node, ast.JoinedStr) and not (isinstance(node, ast.Expr) and _is_text(node.value)):
            todo += list(ast.iter_child_nodes(node))[::-1]


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def code_of(system: System[Any]) -> tuple[Path, ...]:
    """Where a system's code and tables are: its package."""
    spec = find_spec(system.package)
    if spec is None:
        return ()
    return tuple(map(Path, spec.submodule_search_locations or ([spec.origin] if spec.origin else [])))


# ------------------------------------------------------------ marked tests
def marked_in(tests: Path) -> Mapping[str, tuple[str, ...]]:
    """The tests that are marked `covers`, by the ids, found in the files without running them."""
    found = defaultdict[str, list[str]](list)
    for path in sorted(tests.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "covers":
                for rule in node.args:
                    if isinstance(rule, ast.Constant) and isinstance(rule.value, str):
                        found[rule.value].append(f"{path.name}, line {node.lineno}")
    return {rule: tuple(where) for rule, where in found.items()}


_RAN = (0, 1, 5)
"""The exit codes of a pytest that ran: all passed, some failed (they do not count), or none was marked."""


def run_marked(tests: Path) -> tuple[Mapping[str, tuple[str, ...]], frozenset[str]]:
    """Run the marked tests of a folder in a pytest of their own.

    Returns:
        those that passed, by the ids that they cover, and the ids that were cited at a door meanwhile.
    """
    files = sorted({path for path in tests.rglob("test_*.py") if ".covers(" in path.read_text("utf-8")})
    if not files:
        return {}, frozenset()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "covered.json"
        command = [sys.executable, "-m", "pytest", "-q", "-m", "covers", f"--covered={report}", *map(str, files)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - pytest, on the project's own tests
        if done.returncode not in _RAN or not report.exists():
            raise ChildProcessError(f"the marked tests could not be run:\n{done.stdout}{done.stderr}")
        covered = json.loads(report.read_text("utf-8"))
    return {rule: tuple(names) for rule, names in covered["tests"].items()}, frozenset(covered["fired"])


# ------------------------------------------------------------ knock-out
@frozen
class KnockOut:
    """What came of taking rules away.

    Attributes:
        noticed: what was taken away, and the row that failed then.
        survivors: what was taken away while rows that cover it were played, and none failed.
        uncovered: table cells that no row covers.
        idle: ids of which the rows put no objection and no term into play, so that nothing could be taken away.
        tested: table cells that no row covers, but a marked test; they are not taken away.
    """

    noticed: Mapping[str, str]
    survivors: tuple[str, ...]
    uncovered: tuple[str, ...]
    idle: tuple[str, ...]
    tested: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether everything that could be taken away was missed."""
        return not self.survivors and not self.uncovered

    def __str__(self) -> str:
        lines = [f"{what}: taken away, and no row that covers it fails" for what in self.survivors]
        lines += [f"{what}: no row covers it" for what in self.uncovered]
        kept = f"{len(self.idle)} not in play, {len(self.tested)} left to tests"
        sums = f"{len(self.noticed)} noticed, {len(self.survivors)} not, {len(self.uncovered)} without a row, {kept}"
        return "\n".join([*lines, sums])


def knock_out(
    system: System[Any], outcomes: Iterable[Outcome], marked: Iterable[str] = (), progress: Progress | None = None
) -> KnockOut:
    """Take away each rule's objections and terms, and each table cell, and play the rows again that cover it until one fails.

    Args:
        system: the system.
        outcomes: those of a report: only rows that passed can notice anything.
        marked: the ids that marked tests cover.
        progress: called before each rule and cell.
    """
    by_rule = defaultdict[str, list[Case]](list)
    for outcome in outcomes:
        for rule in outcome.covered:
            by_rule[rule].append(outcome.case)
    cases, tests = case_system(system), set(marked)
    cells = tuple(cases.cells()) if isinstance(cases, CellSystem) else ()
    noticed, total = dict[str, str](), len(by_rule) + len(cells)
    survivors, uncovered, idle, tested = list[str](), list[str](), list[str](), list[str]()
    for n, (rule, rows) in enumerate(sorted(by_rule.items())):
        if progress:
            progress(n, total, rule)
        with knocked_out(rule) as struck:
            who = _first_to_fail(system, rows)
            taken = rule in struck
        if who:
            noticed[rule] = who
        else:
            (survivors if taken else idle).append(rule)
    for n, cell in enumerate(cells, len(by_rule)):
        if progress:
            progress(n, total, str(cell))
        what = f"{cell} ({', '.join(cell.rules)})"
        rows = list({id(case): case for rule in cell.rules for case in by_rule.get(rule, ())}.values())
        if not rows:
            (uncovered if tests.isdisjoint(cell.rules) else tested).append(what)
            continue
        without: AbstractContextManager[object] = cases.without(cell)  # type: ignore[attr-defined]
        with without:
            who = _first_to_fail(system, rows)
        if who:
            noticed[what] = who
        else:
            survivors.append(what)
    return KnockOut(noticed, *map(tuple, (survivors, uncovered, idle, tested)))


def _first_to_fail(system: System[Any], rows: Iterable[Case]) -> str:
    """The first row that fails now, in whatever way; "" if none does."""
    for case in rows:
        try:
            if not run_case(system, case).passed:
                return str(case)
        except Exception:  # noqa: BLE001 - rules code without its rule may fall over in any way, and that is to be noticed
            return str(case)
    return ""


# ------------------------------------------------------------ the command
def case_files(tests: Path) -> tuple[Path, ...]:
    """All files of rows below a folder of tests."""
    return tuple(sorted(tests.rglob("cases/*.toml")))


def report_coverage(name: str, tests: Path, *, knock: bool = False) -> int:
    """What `beachhead coverage SYSTEM` does: play the rows, run the marked tests, print a table by section and all faults.

    Returns:
        the exit code: 1 where the gate is shut, or something was taken away and not missed.
    """
    from rich.console import Console

    console = Console()
    system = find_system(name)
    with console.status("rows") as status:

        def progress(done: int, of: int, what: str) -> None:
            status.update(f"{done}/{of} {what}")

        marked, fired = run_marked(tests)
        others = [find_system(other) for other in systems() if other != name]
        report = coverage(system, case_files(tests), code_of(system), marked, fired, others, progress)
        knocked = knock_out(system, report.outcomes, marked, progress) if knock else None
    console.print(table(report))
    console.print(str(report), markup=False, highlight=False)
    if knocked is not None:
        console.print(str(knocked), markup=False, highlight=False)
    return int(not report.ok or (knocked is not None and not knocked.ok))


def table(report: Report) -> Any:
    """The report by section, as a rich table: of each status, how many statements are in order and how many there are."""
    from rich.table import Table

    sections: dict[str, list[Shown]] = {}
    for each in report.shown:
        sections.setdefault(each.rule.section, []).append(each)
    out = Table("section", *(status.value for status in Status), title=f"{report.system}: statements in order / all")
    for section, shown in sections.items():
        out.add_row(section, *(_share([each for each in shown if each.rule.status is status]) for status in Status))
    out.add_section()
    out.add_row("all", *(_share([each for each in report.shown if each.rule.status is status]) for status in Status))
    return out


def _share(shown: Sequence[Shown]) -> str:
    return f"{sum(not each.fault for each in shown)}/{len(shown)}" if shown else ""
