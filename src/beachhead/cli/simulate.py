"""`beachhead simulate`: many games."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext

import click

from beachhead.cli.naming import options_given, scenario
from beachhead.cli.own_players import OwnPlayer, is_own
from beachhead.cli.screen import Screen
from beachhead.simulate import simulate as play_many
from beachhead.systems import find_scenario


class _Players(click.Command):
    """`--players sensible random` takes two names, `--players sensible` one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        out, taking = list[str](), False
        for n, word in enumerate(args):
            taking = (taking or (n > 0 and args[n - 1] == "--players")) and not word.startswith("-")
            out += ["--players", word] if taking and args[n - 1] != "--players" else [word]
        return super().parse_args(ctx, out)


@click.command(cls=_Players)
@click.argument("name", metavar="FILE|NAME")
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True, help="How many.")
@click.option(
    "--players",
    multiple=True,
    metavar="PLAYER...",
    help="Who plays: one for all sides, or one for each, in the order of `scenarios`. A player of your own is package.module:name. "
    "Random if left out.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Everything depends on it.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes that play side by side."
)
@options_given
def simulate(name: str, games: int, players: tuple[str, ...], seed: int, jobs: int, options: dict[str, object]) -> None:
    """Play many games of a scenario and sum them up: who wins, by how much, and how soon.

    'beachhead simulate NAME --games 200 --players sensible random' lets two players meet.
    """
    source = scenario(name)
    system, _ = find_scenario(source)
    if len(players) not in (0, 1, len(system.sides)):
        raise click.UsageError(f"{len(players)} players are given: give one for all sides, or {len(system.sides)}")
    chosen = [OwnPlayer(player) if is_own(player) else player for player in players]
    policy = dict(zip(system.sides, chosen, strict=True)) if len(chosen) > 1 else (*chosen, "random")[0]
    screen = Screen(system.sides)
    with screen.working("games") as bar, ProcessPoolExecutor(jobs) if jobs > 1 else nullcontext() as pool:
        summary = play_many(source, games, policy, seed=seed, options=options, executor=pool, progress=bar)
    screen.line(str(summary))
