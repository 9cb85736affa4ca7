"""What people name on the command line: scenarios, sides, players, options, rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from beachhead import policies
from beachhead.cli.own_players import OwnPlayer, is_own
from beachhead.errors import UnknownName
from beachhead.game import Game
from beachhead.rules import Rule, Ruling
from beachhead.spelling import nearest, nearest_id
from beachhead.systems import Policy, Source, System, find_system, scenarios, systems

options_given = click.option(
    "-o",
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    callback=lambda ctx, param, value: read_options(value),
    help="A game option, such as m44:hill_sight=height; may be given several times.",
)
"""The options of a game."""


def read_options(given: Sequence[str]) -> dict[str, object]:
    """`KEY=VALUE` as a dictionary; which keys and values there are, the system knows."""
    options: dict[str, object] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not (key and equals and value):
            raise click.BadParameter(f"{text!r} is not of the form KEY=VALUE, such as m44:hill_sight=height")
        if key in options:
            raise click.BadParameter(f"{key} is given twice")
        options[key] = value
    return options


def scenario(name: str) -> str:
    """The full name of a scenario, of which the part behind the slash is enough where no other has it; a path stays as it is."""
    if Path(name).exists() or "/" in name:
        return name
    known = scenarios()
    found = [full for full in known if full.partition("/")[2] == name]
    if len(found) > 1:
        raise UnknownName(f"{name!r} is the name of several scenarios: {', '.join(found)}")
    return found[0] if found else name


def as_typed(source: Source) -> str:
    """What one types to name a scenario again."""
    return source.name if source.path is None or "/" in source.name else str(source.path)


def when(game: Game[Any]) -> str:
    """Where a game stands: the turn and the phase; a phase that names the turn itself is enough."""
    named = re.search(rf"\bturn {game.turn}\b", game.phase, re.IGNORECASE)
    return game.phase if named else f"turn {game.turn}, {game.phase}"


def player(system: System[Any], name: str, seed: int) -> Policy:
    """Who plays a side: `random`, a policy of the system by its name, or one of your own as "package.module:name".

    Raises:
        UnknownName: there is no such policy.
    """
    if is_own(name):
        return OwnPlayer(name)(seed)
    known: dict[str, Callable[[], Policy]] = {name: lambda name=name: system.policies[name] for name in system.policies}  # type: ignore[misc]
    known["random"] = lambda: policies.random(seed)
    if name not in known:
        raise UnknownName(f"{system.title} has no player {name!r}{nearest(name, known)}; known: {', '.join(known)}")
    return known[name]()


def usual_player(system: System[Any]) -> str:
    """The usual opponent of a system."""
    return "sensible" if "sensible" in system.policies else "random"


def neutral_name(system: System[Any]) -> str:
    """Who answers the decisions on the way when odds are asked for, by name; "" where a system names nobody."""
    return next((name for name in ("odds", "sensible") if name in system.policies), "")


def neutral(system: System[Any]) -> Policy | None:
    """Who answers the decisions on the way when odds are asked for; None where a system names nobody."""
    return system.policies.get(neutral_name(system))


def statements(system: System[Any] | None = None) -> Iterable[tuple[System[Any], Rule | Ruling]]:
    """Every rule and ruling of a system, or of all."""
    for each in (system,) if system else map(find_system, systems()):
        for rule in each.catalogue.values():
            yield each, rule
        for ruling in each.catalogue.rulings.values():
            yield each, ruling


def statement(rule: str, first: System[Any] | None = None) -> Rule | Ruling:
    """The rule or ruling of an id, in whichever system it is.

    Raises:
        UnknownName: nobody has it; the nearest is named.
    """
    everyone = [find_system(name) for name in systems()]
    for system in (first, *everyone) if first else everyone:
        if rule in system.catalogue.rulings:
            return system.catalogue.rulings[rule]
        if rule in system.catalogue:
            return system.catalogue[rule]
    known = [id_ for system in everyone for id_ in (*system.catalogue, *system.catalogue.rulings)]
    raise UnknownName(f"no rule {rule!r}{nearest_id(rule, known)}")
