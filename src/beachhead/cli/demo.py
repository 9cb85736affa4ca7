"""`beachhead demo`: a short battle, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click
from attrs import define, field

from beachhead import new
from beachhead.board import Board
from beachhead.cli.menu import Group, menu_of, options_of
from beachhead.cli.naming import as_typed, neutral, player, scenario, usual_player
from beachhead.cli.reading import remind_unread
from beachhead.cli.screen import Screen
from beachhead.errors import BeachheadError, UnknownName
from beachhead.game import Game
from beachhead.hexes import Hex
from beachhead.odds import Distribution
from beachhead.rules import Verdict
from beachhead.systems import Policy, name_of, scenarios
from beachhead.terminal import TerminalSystem, terminal_of

SEED = 44
_TURNS = 2
_LINES = 60
_MOST_BRANCHES = 20_000
_ROWS = range(4, 13)
"""A table of odds with so many rows is worth a look."""


@click.command()
@click.option("--seed", type=int, default=SEED, show_default=True, help="Another seed is another battle.")
@click.argument("name", required=False, metavar="[NAME]")
def demo(name: str | None, seed: int) -> None:
    """Play a short battle between two players, and show what Beachhead has to say of it.

    The story with its rules, the exact odds of an attack, and why something is not allowed.
    """
    known = scenarios()
    if name is None and not known:
        raise UnknownName(
            "no scenario comes with any system that is installed: name the file of one, as in 'beachhead demo battle.m44'"
        )
    game = new(scenario(name) if name else known[0], seed=seed)
    system, words, screen = game.system, terminal_of(game.system), Screen(game.system.sides)
    who = usual_player(system)
    screen.line((f"{system.title}: {game.source.name}", "bold"), f", seed {seed}; both sides are played by {who!r}")
    remind_unread(screen, game)
    screen.line("")
    screen.board(words, system.view(game.state, None))
    notes = Notes(game, words, player(system, who, seed), neutral(system))
    with screen.working("the battle") as bar:
        for _ in iter(notes.step, False):
            bar(game.decisions, 0, game.phase)
    _tell(screen, game, notes)


def _tell(screen: Screen, game: Game[Any], notes: Notes) -> None:
    first = notes.turn or 1
    screen.heading(f"The story from turn {first} on, each line with the rules that it rests on")
    story = [line for line in game.log.lines() if first <= line.turn < first + _TURNS]
    screen.story(story[:_LINES], turn=0)
    if story[_LINES:]:
        screen.line((f"... and {len(story) - _LINES} lines more of these turns", "dim"))
    if notes.odds is not None:
        screen.heading(f"Exact odds, as they were before {notes.attack!r} in turn {notes.turn}")
        screen.odds(notes.odds)
    if notes.refusal is not None:
        screen.heading(f"Why not {notes.refused!r}, in turn {notes.refused_in}?")
        for objection in notes.refusal.objections:
            screen.line(("no: ", "red"), objection.text, (f"  [{', '.join(objection.rules)}]", "dim"))
    screen.heading(f"After {game.decisions} decisions in {game.turn} turns")
    screen.result(game.result)
    battle = as_typed(game.source)
    side = name_of(game.system.sides[-1]).lower()
    screen.heading("What to try next")
    rule = notes.refusal.rules[0] if notes.refusal else next(rule for line in game.log.lines() for rule in line.rules)
    tries = (
        (f"beachhead play {battle} --you {side}", "fight it yourself: ? explains, odds N tells the odds"),
        (f"beachhead play {battle} --random", "the whole story of another battle"),
        (f"beachhead show {battle} --svg board.svg", "the battlefield as a picture"),
        (f"beachhead rules {rule}", "what that rule says"),
        (f"beachhead simulate {battle} --games 100", "who wins how often"),
    )
    screen.table(("", ""), tries)


@define
class Notes:
    """A game that is played, and what of it is worth showing."""

    game: Game[Any]
    words: TerminalSystem[Any]
    player: Policy
    neutral: Policy | None
    odds: Distribution[Any] | None = None
    attack: str = ""
    turn: int = 0
    refusal: Verdict | None = None
    refused: str = ""
    refused_in: int = 0
    tries: int = field(default=3)
    """So many decisions are searched for a refusal."""

    def step(self) -> bool:
        """One decision; False when there are no more."""
        game, decision = self.game, self.game.decision
        if decision is None:
            return False
        view = game.system.view(game.state, decision.side)
        action = self.player(view, decision, game.legal_actions())
        if self.odds is None:
            self._look_at_odds(view, decision, action)
        if self.tries:
            self._look_for_refusal(view)
        game.apply(action)
        return True

    def _look_at_odds(self, view: Any, decision: Any, action: Any) -> None:
        by = self.words.outcome(view, decision, action)
        try:
            odds = self.game.odds(action, by=by, policy=self.neutral, bound=_MOST_BRANCHES)
        except BeachheadError:  # too many branches, or nobody answers: another decision will do
            return
        if len(odds) in _ROWS:
            self.odds, self.attack, self.turn = odds, self.game.text(action), self.game.turn

    def _look_for_refusal(self, view: Any) -> None:
        """Of what somebody could point at, the refusal that cites the most rules."""
        board = self.words.board(view)
        starts = {} if board is None else self._starts(view, board)
        if board is None or not starts:
            return
        self.tries -= 1
        for start, hexes in starts.items():
            for verdict, pointed in self._pointed(start, map(board.label, hexes)):
                if self.refusal is None or len(verdict.rules) > len(self.refusal.rules):
                    self.refusal, self.refused, self.refused_in = verdict, pointed, self.game.turn

    def _starts(self, view: Any, board: Board) -> dict[str, Iterable[Hex]]:
        """Whom one could point at, and with him at which hexes: units by their own names, or by their hexes in a row of the menu."""
        options = options_of(self.game, view, self.words)
        groups = [row.text.split()[-2] for row in menu_of(options, most=1) if isinstance(row, Group)]
        labels = {board.label(hex): hex for hex in board.hexes}
        named = {item.text.split()[-1] for item in options} & self.words.units(view).keys()
        if self.words.units(view):
            return dict.fromkeys(sorted(named), board.hexes)
        return {name: board.within(labels[name], 3) for name in groups if name in labels}

    def _pointed(self, start: str, ends: Iterable[str]) -> Iterable[tuple[Verdict, str]]:
        for end in ends:
            verdict = self.game.why_not(start, end)
            if not verdict:
                yield verdict, f"{start} {end}"
