"""The command line: `beachhead COMMAND`. What each command does stands in a module of its own, which loads when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import IO, Any

import click

from beachhead import __version__
from beachhead.errors import BeachheadError

COMMANDS = {
    "demo": ("demo", "see it at work: a battle between two players, odds, a refusal"),
    "scenarios": ("reading", "what there is to play"),
    "show": ("reading", "a scenario: sides, units, objectives, the board"),
    "check": ("checking", "whether a file can be played, or whether a system keeps its promises"),
    "play": ("play", "play a battle, against a policy, a person, or by itself"),
    "replay": ("replay", "tell a saved game, and go on with it"),
    "ask": ("checking", "play the rule questions of a file"),
    "rules": ("reading", "look up a rule or a ruling"),
    "coverage": ("checking", "whether every rule of a system is shown by a case"),
    "simulate": ("simulate", "play many games and sum them up"),
}
"""Each command, the module that it is in, and what it does."""
EXAMPLES = (
    "beachhead demo",
    "beachhead scenarios memoir44",
    "beachhead show memoir44/NAME --svg board.svg",
    "beachhead check battle.m44",
    "beachhead play battle.m44 --you allies --seed 7",
    "beachhead play battle.m44 --random --log story.txt",
    "beachhead replay NAME-7-3.beachhead --to 20",
    "beachhead ask question.toml",
    "beachhead ask --list koenig",
    "beachhead rules m44:turn.order",
    "beachhead coverage memoir44 --knock-out",
    "beachhead simulate battle.m44 --games 200 --players sensible random",
)


class Failure(click.ClickException):
    """Ends a command with one clear message and exit code 2."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """The message, in red."""
        click.secho(self.message, fg="red", err=True, file=file)


class Commands(click.Group):
    """The commands. None is loaded before it is asked for, so that help is there at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which one meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"{__name__}.{module}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does; an unknown name is told the nearest."""
        from beachhead.spelling import nearest

        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"no command {args[0]!r}{nearest(args[0], COMMANDS)}; known: {', '.join(COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands, and an example of each."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, what) for name, (_, what) in COMMANDS.items()])
        with formatter.section("Examples"):
            for example in EXAMPLES:
                formatter.write(f"  {example}\n")

    def invoke(self, ctx: click.Context) -> Any:
        """Run it. What Beachhead, or the file system, has to say against it is told without a traceback."""
        try:
            return super().invoke(ctx)
        except (BeachheadError, OSError, UnicodeError) as error:
            if isinstance(error, BrokenPipeError):  # the reader has closed the pipe; click knows
                raise
            raise Failure(str(error)) from error


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="beachhead %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """The rules of printed World War II games: what is legal and why not, what happens, and the exact odds.

    'beachhead COMMAND --help' says more on a command.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
