"""`beachhead play`: a scenario from its start, or a saved game, to its end."""

from __future__ import annotations

import secrets
import signal
from pathlib import Path
from typing import Any

import click

from beachhead import new
from beachhead.cli.naming import options_given, player, scenario, usual_player
from beachhead.cli.reading import remind_unread
from beachhead.cli.screen import Screen
from beachhead.cli.session import Session
from beachhead.game import Game, load
from beachhead.systems import name_of, side_named

_SEEDS = 1_000_000
"""Seeds that are drawn here are below this, so that one can type them again."""

_REMEMBERED = 12
"""So many entries of the log are told again when a saved game goes on."""


@click.command()
@click.argument("name", required=False, metavar="[FILE|NAME]")
@click.option("--seed", type=int, help="Decides every roll and draw; drawn if left out, and shown.")
@click.option("--random", "at_random", is_flag=True, help="Nobody is asked: both sides take any option.")
@click.option("--watch", is_flag=True, help="Nobody is asked: players of the system play all sides.")
@click.option(
    "--you", multiple=True, metavar="SIDE", help="A side that you play; may be given twice. All sides if left out."
)
@click.option(
    "--opponent",
    multiple=True,
    metavar="PLAYER",
    help="Who plays the other sides: random, a player of the system, or your own as package.module:name.",
)
@click.option("--resume", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Go on with a saved game.")
@click.option("--free-undo", is_flag=True, help="Rolls, draws and answers of the other side can be taken back, too.")
@click.option(
    "--open-hands", is_flag=True, help="Nothing is hidden between the sides that are played at this terminal."
)
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path), help="Write the story to a file.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Write the board at the end as a picture.")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Save the game here at the end.")
@options_given
def play(
    name: str | None,
    seed: int | None,
    at_random: bool,
    watch: bool,
    you: tuple[str, ...],
    opponent: tuple[str, ...],
    resume: Path | None,
    free_undo: bool,
    open_hands: bool,
    log: Path | None,
    svg: Path | None,
    save: Path | None,
    options: dict[str, object],
) -> None:
    """Play a scenario to its end.

    Whoever plays at the terminal is asked for each decision: a number, or an action in words. 'help' lists what else can be asked: why something
    is not offered, exact odds, the board. Ctrl-C and the end of input save the game and tell how to go on.
    """
    if (name is None) == (resume is None):
        raise click.UsageError("name a scenario or its file, or give --resume FILE")
    if resume and (seed is not None or options):
        raise click.UsageError("a saved game has its seed and its options: leave out --seed and -o")
    if at_random and (you or opponent):
        raise click.UsageError("--random plays all sides: leave out --you and --opponent")
    if watch and you:
        raise click.UsageError("--watch leaves nothing for you to play: leave out --you")
    if save and save.exists():
        raise click.UsageError(f"{save} exists already, and is left as it is: choose another name for --save")
    if name is not None:
        game = new(scenario(name), seed=secrets.randbelow(_SEEDS) if seed is None else seed, options=options)
    else:
        assert resume is not None
        game = load(resume, resume=True)
    session = seat(game, you, ("random",) if at_random else opponent, nobody=at_random or watch)
    session.free_undo, session.open_hands, session.quiet = free_undo, open_hands, log is not None
    if resume:
        session.catch_up(but=_REMEMBERED)
    go(session, log=log, svg=svg, save=save)


def seat(game: Game[Any], you: tuple[str, ...], opponents: tuple[str, ...], *, nobody: bool = False) -> Session:
    """Who plays which side. One opponent plays all sides that nobody plays at the terminal; several play one each."""
    system = game.system
    people = () if nobody else tuple(dict.fromkeys(side_named(system, side) for side in you)) or system.sides
    others = [side for side in system.sides if side not in people]
    named = opponents or (usual_player(system),)
    if opponents and not others:
        raise click.UsageError("nobody is left for --opponent to play: give --you SIDE, too")
    if len(named) not in (1, len(others)):
        raise click.UsageError(f"{len(named)} opponents are given for {len(others)} sides")
    names = dict(zip(others, named * len(others) if len(named) == 1 else named, strict=False))
    seed = game.seed or 0
    players = {side: player(system, name, seed + n + game.decisions) for n, (side, name) in enumerate(names.items())}
    return Session(game, Screen(system.sides), people, names, players)


def go(session: Session, *, log: Path | None = None, svg: Path | None = None, save: Path | None = None) -> None:
    """Play, and keep what is to be kept."""
    game, screen = session.game, session.screen
    _begin(session)
    try:
        over = session.play()
    except Exception:  # whatever it is, the game is not lost by it
        _keep(session, save, over=False)
        raise
    if over:
        screen.line("")
        screen.result(game.result)
    if save or not over:
        _keep(session, save, over=over)
    if log:
        log.write_text(f"{session.log()}\n", encoding="utf-8")
        screen.unbroken(f"the story: {log}")
    if svg:
        svg.write_text(
            game.system.picture(game.view(session.people[0] if len(session.people) == 1 else None).state),
            encoding="utf-8",
        )
        screen.unbroken(f"the board: {svg}")


def _begin(session: Session) -> None:
    game, screen = session.game, session.screen
    who = ", ".join(f"{name_of(side)}: {session.names.get(side, 'you')}" for side in game.system.sides)
    screen.line((f"{game.system.title}: {game.source.name}", "bold"), f", seed {game.seed}; {who}")
    if game.resumed:
        screen.warn(f"going on from the stored state: {game.resumed}")
    remind_unread(screen, game)


def _keep(session: Session, save: Path | None, *, over: bool) -> None:
    screen = session.screen
    screen.line("")
    if save is None and not session.game.decisions:
        screen.line("nothing has been decided, and nothing is saved")
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever is impatient must not lose the game
    try:
        path = session.keep(save)
    finally:
        signal.signal(signal.SIGINT, before)
    screen.unbroken(f"saved: {path}")
    if not over:
        screen.unbroken("to go on: ", (session.command(path), "bold"))
