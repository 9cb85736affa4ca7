"""What can be put to the test: `check`, `ask`, `coverage`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from beachhead.cli.naming import options_given, scenario
from beachhead.cli.reading import tell_unread
from beachhead.cli.screen import Screen
from beachhead.errors import BeachheadError, OptionError, ScenarioError, UnknownName
from beachhead.spelling import nearest
from beachhead.systems import find_scenario, find_system, systems
from beachhead.systems import scenarios as scenarios_of_all


# ------------------------------------------------------------ check
@click.command()
@click.argument("targets", nargs=-1, required=True, metavar="FILE|NAME|SYSTEM...")
@click.option(
    "--games", type=click.IntRange(min=1), default=10, show_default=True, help="Of a system: how many games are played."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of a system: what is played depends on it.")
@click.option(
    "--scenario",
    "scenarios",
    multiple=True,
    metavar="FILE|NAME",
    help="Of a system: play these; all that it ships if left out.",
)
@click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Of a system: remember in this file what is done; a stopped run goes on.",
)
@options_given
@click.pass_context
def check(
    ctx: click.Context,
    targets: tuple[str, ...],
    games: int,
    seed: int,
    scenarios: tuple[str, ...],
    resume: Path | None,
    options: dict[str, object],
) -> None:
    """Say whether files can be played, with every fault in them and what is not played yet; or whether a system keeps its promises.

    A scenario or a file of rule cases is read and checked. A system (memoir44) plays random games in which every promise of the test kit is
    checked at every step. The exit code is 1 when something is wrong.
    """
    screen, wrong = Screen(), 0
    if resume and sum(target in systems() for target in targets) != 1:
        raise click.UsageError("--resume is for the check of one system")
    for target in targets:
        if target in systems():
            wrong += _check_system(screen, target, games, seed, scenarios, options or None, resume)
        elif Path(target).exists() or "/" in scenario(target):
            wrong += _check_file(screen, target, options)
        else:
            known, shipped = systems(), scenarios_of_all()
            raise UnknownName(
                f"{target!r} is no file, no scenario and no system{nearest(target, (*known, *shipped))}; "
                f"systems: {', '.join(known)}; scenarios: {', '.join(shipped)}"
            )
    if len(targets) > 1:
        screen.line((f"{len(targets)} checked, {wrong} that cannot be played", "bold"))
    ctx.exit(int(wrong > 0))


def _check_system(
    screen: Screen,
    name: str,
    games: int,
    seed: int,
    scenarios: tuple[str, ...],
    options: dict[str, object] | None,
    resume: Path | None,
) -> bool:
    from beachhead.testing import KitFailure, check_system

    played = [scenario(each) for each in scenarios] or None
    try:
        with screen.working(f"games of {name}") as bar:
            report = check_system(
                name, games=games, seed=seed, scenarios=played, options=options, progress=bar, resume=resume
            )
    except KitFailure as failure:
        screen.warn(str(failure))
        return True
    except ValueError as error:  # a file of another run
        if isinstance(error, BeachheadError):
            raise
        raise click.UsageError(str(error)) from error
    screen.line(str(report))
    return False


def _check_file(screen: Screen, target: str, options: dict[str, object]) -> bool:
    """Whether something is wrong with a file."""
    is_cases = Path(target).is_file() and _is_cases(Path(target))
    try:
        told = _cases_in(Path(target)) if is_cases else _scenario_in(target, options)
    except ScenarioError as error:
        screen.unbroken((f"{target}: {_count(len(error.faults), 'thing')} to put right", "red"))
        rows = [(f.key, f.problem, "" if f.value is None else repr(f.value), f.fix) for f in error.faults]
        shown = [n for n in range(4) if any(row[n] for row in rows)]
        columns = ("where", "what is wrong", "what stands there", "what would be right")
        screen.entries([columns[n] for n in shown], [[row[n] for n in shown] for row in rows])
        return True
    except (UnknownName, OptionError):
        raise
    except (BeachheadError, OSError, UnicodeError) as error:
        screen.unbroken((f"{target}: {error}", "red"))
        return True
    told(screen)
    return False


def _is_cases(path: Path) -> bool:
    """Whether a file is one of rule cases, and no scenario."""
    return path.suffix == ".toml" and not any(
        path.name.endswith(s) for name in systems() for s in find_system(name).suffixes
    )


def _cases_in(path: Path) -> Callable[[Screen], None]:
    from beachhead.cases import read_cases

    cases = read_cases(path)
    ids = {rule for case in cases for rule in case.ids}
    return lambda screen: screen.unbroken(
        f"{path}: {_count(len(cases), 'case')} on {_count(len(ids), 'rule')}, no faults; 'beachhead ask' plays them"
    )


def _scenario_in(name: str, options: dict[str, object]) -> Callable[[Screen], None]:
    system, source = find_scenario(scenario(name))
    state = system.new(source, options)

    def told(screen: Screen) -> None:
        screen.unbroken(f"{name}: can be played ({system.title})")
        tell_unread(screen, system.unread(state))

    return told


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


# ------------------------------------------------------------ ask
@click.command()
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("cases", nargs=-1, metavar="[CASE...]")
@click.option(
    "--list",
    "listed",
    metavar="SYSTEM",
    help="What a case may say: positions, questions, decisions and actions, events.",
)
@click.pass_context
def ask(ctx: click.Context, file: Path | None, cases: tuple[str, ...], listed: str | None) -> None:
    """Play the rule cases of FILE (those named, or all), and show what happens, what was expected, and the rules.

    How such a file is written: 'python -m pydoc beachhead.cases', and 'beachhead ask --list SYSTEM'. The exit code is 1 when a case does not
    go as it says.
    """
    from beachhead.cases import Case, explain, read_cases, run_case, vocabulary

    if (file is None) == (listed is None):
        raise click.UsageError("name a file of rule cases, or give --list SYSTEM")
    if listed is not None:
        click.echo(str(vocabulary(find_system(listed))))
        return
    assert file is not None
    known = {case.id: case for case in read_cases(file)}
    for name in cases:
        if name not in known:
            raise UnknownName(f"{file} has no case {name!r}{nearest(name, known)}; known: {', '.join(known)}")
    chosen: list[Case] = [known[name] for name in cases] or list(known.values())
    screen, failed = Screen(), list[str]()
    for case in chosen:
        outcome = run_case(find_system(case.system), case)
        screen.heading(case.id)
        screen.line(explain(case, outcome))
        if not outcome.passed:
            failed.append(case.id)
    screen.line("")
    if failed:
        screen.warn(f"not as they say: {', '.join(failed)}")
    else:
        screen.line((f"{_count(len(chosen), 'case')}, all as expected", "bold"))
    ctx.exit(int(bool(failed)))


# ------------------------------------------------------------ coverage
@click.command()
@click.argument("system")
@click.option(
    "--tests",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder of the system's cases and tests [default: tests/SYSTEM].",
)
@click.option("--knock-out", is_flag=True, help="Take each rule away in turn, and ask whether a case notices.")
@click.option("--missing", is_flag=True, help="List faults only.")
@click.pass_context
def coverage(ctx: click.Context, system: str, tests: Path | None, knock_out: bool, missing: bool) -> None:
    """Play all cases and marked tests of a system, and say which statements of its catalogue they show.

    The exit code is 1 where the gate is shut: a statement that nothing shows, an id that does not exist, a case that fails.
    """
    from beachhead import coverage as gate

    found, folder = find_system(system), tests or Path("tests") / system
    if not folder.is_dir():
        raise click.UsageError(f"there is no folder {folder}: give --tests FOLDER")
    screen = Screen()
    with screen.working("marked tests", patience=0) as bar:
        bar(0, 0)
        marked, fired = gate.run_marked(folder)
    others = [find_system(name) for name in systems() if name != system]
    with screen.working("cases") as bar:
        report = gate.coverage(found, gate.case_files(folder), gate.code_of(found), marked, fired, others, bar)
    knocked = None
    if knock_out:
        with screen.working("knock-out") as bar:
            knocked = gate.knock_out(found, report.outcomes, marked, bar)
    if not missing:
        screen.console.print(gate.table(report))
    screen.line(str(report))
    if knocked is not None:
        screen.line(str(knocked))
    ctx.exit(int(not report.ok or (knocked is not None and not knocked.ok)))
