"""What there is to read: `scenarios`, `show`, `rules`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

from beachhead.cli.naming import as_typed, options_given, scenario, statement, statements, when
from beachhead.cli.screen import Screen
from beachhead.errors import BeachheadError, UnknownName
from beachhead.game import Game, load
from beachhead.rules import Rule, Ruling, Status
from beachhead.saves import is_save
from beachhead.systems import Source, System, find_scenario, find_system, name_of, systems
from beachhead.terminal import terminal_of

SAVED = ".beachhead"
"""The ending of saved games."""


# ------------------------------------------------------------ scenarios
@click.command()
@click.argument("system", required=False)
def scenarios(system: str | None) -> None:
    """The scenarios that come with Beachhead, of SYSTEM or of all systems.

    Any other scenario file is named by its path.
    """
    screen, rows = Screen(), list[tuple[str, ...]]()
    with screen.working("scenarios") as bar:
        for each in (find_system(system),) if system else map(find_system, systems()):
            known = each.scenarios()
            for n, (name, path) in enumerate(known.items()):
                bar(n, len(known), name)
                rows.append((f"{each.name}/{name}", *_described(each, Source(f"{each.name}/{name}", path))))
    if rows:
        screen.table(("scenario", "system", "sides", "how things stand at the start"), rows)
    else:
        screen.line("no scenario comes with it; name one by the path of its file")
    known_endings = ", ".join(f"{each.title}: {' '.join(each.suffixes)}" for each in map(find_system, systems()))
    screen.line((f"files that can be played ({known_endings})", "dim"))


def _described(system: System[Any], source: Source) -> tuple[str, str, str]:
    sides = ", ".join(map(name_of, system.sides))
    try:
        standing = terminal_of(system).standing(system.view(system.new(source, {}), None))
    except BeachheadError as error:
        standing = str(error).splitlines()[0]
    return system.title, sides, standing


# ------------------------------------------------------------ show
@click.command()
@click.argument("name", metavar="FILE|NAME|SAVE")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Write the board as a picture.")
@options_given
def show(name: str, svg: Path | None, options: dict[str, object]) -> None:
    """A scenario at its start: the board as text, sides, units and objectives, and what one should know of it before play.

    A saved game is shown as it stands, as far as everybody may know it.
    """
    if Path(name).suffix == SAVED or is_save(Path(name)):
        if options:
            raise click.UsageError("a saved game has its options: leave out -o")
        game = load(name, resume=True)
        system, state, options = game.system, game.view(None).state, game.options
        heading = f"  {system.title}: {game.source.name}, {when(game)}"
    else:
        system, source = find_scenario(scenario(name))
        state, heading, name = system.new(source, options), f"  {system.title}", source.name
    words, screen = terminal_of(system), Screen(system.sides)
    screen.line((name, "bold"), heading)
    screen.line("")
    screen.board(words, state)
    screen.facts(words.facts(state))
    if options:
        screen.facts({"Options": [f"{key} = {value}" for key, value in options.items()]})
    tell_unread(screen, system.unread(state))
    if svg:
        svg.write_text(system.picture(state), encoding="utf-8")
        screen.line("")
        screen.line(f"{svg} written")


def tell_unread(screen: Screen, unread: tuple[str, ...]) -> None:
    """What one should know of a scenario before play: what of it nobody enforces, or which figures in it are our own."""
    for remark in unread:
        screen.line((f"note: {remark}", "yellow"))


def remind_unread(screen: Screen, game: Game[Any]) -> None:
    """The same where a game begins or goes on: in a line, where its system finds it too long to be told in full each time."""
    if brief := terminal_of(game.system).remarks(game.state):
        screen.unbroken((f"note: {brief} ('beachhead show {as_typed(game.source)}' lists them all)", "yellow"))
    else:
        tell_unread(screen, game.unread)


# ------------------------------------------------------------ rules
@click.command()
@click.argument("words", nargs=-1, metavar="[ID | WORDS...]")
@click.option("--system", help="Look in this system only.")
def rules(words: tuple[str, ...], system: str | None) -> None:
    """Look up a rule or a ruling by its id, or those in which all WORDS occur. Without either: what there is.

    An id may be cut short: m44:terrain.forest shows every rule that begins so.
    """
    screen, where = Screen(), find_system(system) if system else None
    if not words:
        _contents(screen, where)
        return
    look_up(screen, words, where)


def look_up(screen: Screen, words: tuple[str, ...], where: System[Any] | None) -> None:
    """A rule, all rules whose ids begin so, or a list of those in which all words occur."""
    text = " ".join(words)
    if len(words) == 1 and ":" in text:
        below = [each for _, each in statements(where) if each.id == text or each.id.startswith(f"{text}.")]
        for n, each in enumerate(below or [statement(text, where)]):
            if n:
                screen.line("")
            tell_rule(screen, each)
        return
    wanted = text.lower().split()
    found = [each for _, each in statements(where) if all(word in _searched(each) for word in wanted)]
    if not found:
        raise UnknownName(f"no rule holds all of these: {', '.join(wanted)}")
    screen.table(("id", "what it is about", "status"), [(each.id, each.title, _status(each)) for each in found])
    screen.line((f"{len(found)} found; 'beachhead rules ID' shows one", "dim"))


def _searched(each: Rule | Ruling) -> str:
    text = each.text if isinstance(each, Rule) else f"{each.reading} {each.reason}"
    return f"{each.id} {each.title} {text}".lower()


def _contents(screen: Screen, where: System[Any] | None) -> None:
    for system in (where,) if where else map(find_system, systems()):
        counts = {section: Counter(rule.status for rule in group) for section, group in _sections(system).items()}
        rows = [(section, sum(n.values()), *(n[status] or "" for status in Status)) for section, n in counts.items()]
        screen.table(
            ("section", ">rules", *(f">{status.value}" for status in Status)),
            rows,
            title=f"{system.title}: {len(system.catalogue)} rules",
        )
        open_rulings = [
            (r.id, r.title, ", ".join(f"{c}{' (default)' if c == r.default else ''}" for c in r.choices))
            for r in system.catalogue.rulings.values()
        ]
        screen.line("")
        screen.table(
            ("ruling", "what it is about", "choices"),
            open_rulings,
            title="Rulings; those with choices are game options",
        )


def _sections(system: System[Any]) -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for rule in system.catalogue.values():
        prefix, _, rest = rule.id.partition(":")
        found.setdefault(f"{prefix}:{rest.partition('.')[0]}", []).append(rule)
    return found


def _status(each: Rule | Ruling) -> str:
    return each.status.value if isinstance(each, Rule) else "ruling"


def tell_rule(screen: Screen, each: Rule | Ruling) -> None:
    """A rule or a ruling with all that is known of it."""
    screen.line((each.id, "bold"), f"  {each.title}", (f"  ({_status(each)})", "dim"))
    if isinstance(each, Ruling):
        screen.line(each.reading)
        screen.line(("why: ", "bold"), each.reason)
        for choice, what in each.choices.items():
            screen.line(
                ("choice ", "bold"), f"{choice}: {what}", (" (default)" if choice == each.default else "", "dim")
            )
        if each.choices:
            screen.line((f"as an option: -o {each.id}=CHOICE", "dim"))
        if each.rules:
            screen.line(("about: ", "bold"), ", ".join(each.rules))
        return
    screen.line(each.text)
    for label in ("example", "ambiguity", "ruling", "reason", "same_as"):
        if getattr(each, label):
            screen.line((f"{label.replace('_', ' ')}: ", "bold"), getattr(each, label))
