"""`beachhead replay`: a saved game, told again."""

from __future__ import annotations

from pathlib import Path

import click

from beachhead import load
from beachhead.cli.naming import when
from beachhead.cli.play import go, seat
from beachhead.cli.reading import remind_unread
from beachhead.cli.screen import Screen
from beachhead.errors import SaveError


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--to", "last", type=click.IntRange(min=0), help="Stop after so many decisions.")
@click.option(
    "--svg", type=click.Path(dir_okay=False, path_type=Path), help="Write the board where it stops as a picture."
)
@click.option("--resume", is_flag=True, help="Play on from there.")
@click.option("--you", multiple=True, metavar="SIDE", help="With --resume: a side that you play; all if left out.")
@click.option("--opponent", multiple=True, metavar="PLAYER", help="With --resume: who plays the other sides.")
def replay(
    file: Path, last: int | None, svg: Path | None, resume: bool, you: tuple[str, ...], opponent: tuple[str, ...]
) -> None:
    """Play a saved game again and tell its story, everything that was hidden included.

    A game that the rules no longer play as it was saved is told as far as it goes, and what differs is named; 'beachhead play --resume' goes on from
    the state in the file.
    """
    if (you or opponent) and not resume:
        raise click.UsageError("--you and --opponent say who plays on: give --resume, too")
    failed: SaveError | None = None
    try:
        game = load(file)
    except SaveError as error:
        if error.recovered is None:
            raise
        failed, game = error, error.recovered
    if last is not None and last <= game.decisions:
        game.undo(game.decisions - last)
        failed = None
    screen = Screen(game.system.sides)
    screen.line((f"{game.system.title}: {game.source.name}", "bold"), f", seed {game.seed}; {game.decisions} decisions")
    if not resume:
        remind_unread(screen, game)
    screen.story(game.log.lines())
    screen.line("")
    if game.decision is not None:
        screen.line((f"{when(game)}: {game.decision.prompt}", "bold"))
    else:
        screen.result(game.result)
    if svg:
        svg.write_text(game.system.picture(game.state), encoding="utf-8")
        screen.unbroken(f"the board: {svg}")
    if failed:
        raise failed
    if resume:
        session = seat(game, you, opponent)
        session.catch_up()
        go(session)
