"""A game at the terminal: people and players take their turns, each person is told what that side may know, and no game is lost."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import define, field

from beachhead.cli.asking import Asking, Leave
from beachhead.cli.screen import Screen
from beachhead.game import Game
from beachhead.hexes import Hex
from beachhead.log import Log
from beachhead.play import Chance, Decision
from beachhead.systems import Policy, name_of
from beachhead.terminal import TerminalSystem, terminal_of


@define
class Story:
    """What a reader has been told of a game. `side` None is told everything: nobody plays against him."""

    game: Game[Any]
    side: Any = None
    entries: int = 0

    def news(self, until: int | None = None) -> Log[Any]:
        """What he has not been told yet, up to an entry of the log."""
        log = self.game.log if self.side is None else self.game.view(self.side).log
        new = log[self.entries : until]
        self.entries = len(log[:until])
        return new

    def catch_up(self, but: int = 0) -> None:
        """Leave out what he has not been told, but for the last entries of the log."""
        self.entries = max(0, len(self.game.log) - but)


@define
class Session:
    """A game and those who play it.

    Attributes:
        people: the sides that people at this terminal play.
        players: who plays the other sides, by name and as policies.
        free_undo: a person may take back a roll, a draw, or the other side's answer.
        open_hands: nothing is hidden between the people at this terminal.
        quiet: only people are told the story.
    """

    game: Game[Any]
    screen: Screen
    people: tuple[Any, ...]
    names: Mapping[Any, str]
    players: Mapping[Any, Policy]
    free_undo: bool = False
    open_hands: bool = False
    quiet: bool = False
    words: TerminalSystem[Any] = field(init=False)
    stories: dict[Any, Story] = field(init=False)
    seated: Any = None
    shown: bool = False
    """The board has been shown."""
    ahead: str = ""
    """A line of a script that has been read, and is for the next question."""

    def __attrs_post_init__(self) -> None:
        self.words = terminal_of(self.game.system)
        self.stories = {side: Story(self.game, side) for side in (*self.people, None)}

    # -------------------------------------------------------- playing
    def play(self) -> bool:
        """Play to the end. False when somebody left before it."""
        title = f"{self.game.source.name}: decisions"
        try:
            with self.screen.working(title) as bar:
                while (decision := self.game.decision) is not None:
                    if decision.side in self.people:
                        self._ask(decision)
                    else:
                        self.game.answer_by(self.players[decision.side])
                    if not self.people:
                        self._watch(bar)
        except (Leave, EOFError, KeyboardInterrupt):
            return False
        self._tell(self.seated)
        return True

    def _watch(self, bar: Any) -> None:
        if self.quiet:
            bar(self.game.decisions, 0, self.game.phase)
        else:
            self._tell(None)

    @property
    def all_open(self) -> bool:
        """Whether whoever reads the screen may know everything."""
        return not self.people or (self.open_hands and len(self.people) == len(self.game.system.sides))

    def _tell(self, side: Any, until: int | None = None) -> None:
        """What is new to whoever plays this side, up to an entry of the log."""
        if self.quiet and not self.people:
            return
        news = self.stories[None if self.all_open else side].news(until)
        self.screen.story(news.lines(), news.begun)

    def _ask(self, decision: Decision[Any, Any]) -> None:
        self._change_seats(decision.side)
        self._tell(decision.side)
        if not self.shown:
            self._show(decision.side)
        action = Asking(self, decision).action()
        if action is None:
            return
        known = len(self.game.log)
        self.game.apply(action)
        handed_over = 0 if self.free_undo else self._handed_over(decision.side, known)
        if handed_over:
            self._tell(decision.side, handed_over)
            if self._thinks_better_of_it():
                self.game.undo()
                self.catch_up()
                self.screen.line("taken back")

    def _show(self, side: Any) -> None:
        """The board as it stands when the first decision is asked for."""
        self.shown = True
        self.screen.line("")
        self.board(self.game.view(side).state)
        self.screen.line("")
        self.screen.line(
            ("type a number, an action, b for the board, ? for the rule, or help; Ctrl-C saves the game", "dim")
        )

    def board(self, state: Any, around: Hex | None = None) -> bool:
        """The board, or the part around a hex that is no wider than the screen; False where the system has none."""
        width, room = self.screen.board(self.words, state, around), self.screen.console.width
        if width > room:
            or_unit = " or a unit" if self.words.units(state) else ""
            self.screen.line(
                (
                    f"the board is {width} wide, and the terminal {room}: 'b HEX' shows the part around a hex{or_unit}",
                    "dim",
                )
            )
        return width > 0

    # -------------------------------------------------------- the last moment to take something back
    def _handed_over(self, side: Any, known: int) -> int:
        """The entry of the log in which a phase of this side ended of itself, because nothing was left to choose; 0 where it did not.

        `known` entries were there before the side's last decision. Where dice or cards have answered that decision already, or where it
        can be taken back later just as well, nothing is lost.
        """
        log, phase = self.game.log, self.game.system.phase
        after = [*(entry.before for entry in log[known + 1 :]), self.game.state]
        for n, entry in enumerate(log[known:]):
            if isinstance(entry.request, Chance):
                return 0
            if n and entry.actor == side and phase(entry.before) != phase(after[n]):
                lost = self.game.to_act != side or any(isinstance(e.request, Chance) for e in log[known + n :])
                return known + n if lost else 0
        return 0

    def _thinks_better_of_it(self) -> bool:
        """Whether the person takes the last decision back before anybody answers it. A script need not say anything to this."""
        if not self.screen.interactive:
            self.ahead = sys.stdin.readline()
            if self.ahead.strip().lower() not in _ANSWERS or not self.ahead:
                return False
        while (
            line := self.read("nothing is left to do: press Enter to go on, u to take back ").strip().lower()
        ) not in _ANSWERS:
            if line in ("q", "quit"):
                raise Leave
        return bool(line)

    def _change_seats(self, side: Any) -> None:
        """Between two people: each sees what came of his choice, and nobody reads what the other is told."""
        if self.seated != side and len(self.people) > 1 and not self.open_hands and self.screen.interactive:
            if self.seated is not None:
                self._tell(self.seated)
                self.read(f"{name_of(side)} to decide: press Enter to clear the screen ")
                sys.stdout.write("\x1b[H\x1b[2J\x1b[3J")  # the lines that have scrolled away, too
                if "readline" in sys.modules:
                    sys.modules["readline"].clear_history()  # and what was typed
            self.read(f"{name_of(side)}: press Enter when nobody else looks ")
        self.seated = side

    def catch_up(self, but: int = 0) -> None:
        """Nobody is told again what came before this, but for the last entries of the log."""
        for story in self.stories.values():
            story.catch_up(but)

    def read(self, prompt: str = "> ") -> str:
        """A line from the person at the terminal. Raises EOFError when there is none."""
        if self.screen.interactive:
            with suppress(ImportError):
                import readline  # noqa: F401 - lines can then be edited, and called up again
            return input(prompt)
        line, self.ahead = self.ahead or sys.stdin.readline(), ""
        if not line:
            raise EOFError
        self.screen.line(prompt, line.rstrip("\n"))
        return line.rstrip("\n")

    # -------------------------------------------------------- undo
    def undo(self, side: Any) -> str:
        """Take back this side's last decision. Returns why that is refused, or "".

        Without `free_undo` nothing is taken back that the dice, the cards or the other side have answered.
        """
        decisions = 0
        for entry in reversed(self.game.log if self.game.decisions else ()):
            if isinstance(entry.request, Chance) and not self.free_undo:
                return f"a roll or draw has come since; {_FREE}"
            if not isinstance(entry.request, Decision) or entry.forced:
                continue
            decisions += 1
            if entry.actor == side or (self.open_hands and entry.actor in self.people):
                self.game.undo(decisions)
                self.catch_up()
                return ""
            if not self.free_undo:
                return f"{name_of(entry.actor)} has answered since; {_FREE}"
        return "there is nothing to take back"

    # -------------------------------------------------------- keeping
    def keep(self, path: Path | None = None) -> Path:
        """Save the game under a name of its own in the current folder, and leave every other file as it is."""
        if path is None:
            stem = re.sub(r"[^\w-]+", "-", Path(self.game.source.name).name.partition(".")[0]).strip("-") or "game"
            seed = "scripted" if self.game.seed is None else self.game.seed
            names = (
                f"{stem}-{seed}-{self.game.turn}{more}.beachhead" for more in ("", *(f"-{n}" for n in range(2, 10_000)))
            )
            path = next(path for path in map(Path, names) if not path.exists())
        self.game.save(path)
        return path

    def command(self, path: Path) -> str:
        """The command that goes on with a saved game, with the same people and players."""
        words = ["beachhead", "play", "--resume", str(path)]
        words += [] if self.people else ["--watch"]
        for side in self.people:
            words += ["--you", name_of(side).lower()]
        for name in dict.fromkeys(self.names.values()):
            words += ["--opponent", name]
        words += ["--free-undo"] * self.free_undo + ["--open-hands"] * self.open_hands
        return shlex.join(words)

    def log(self) -> Log[Any]:
        """The story for a file: everything when nobody plays, or when the game is over; otherwise what its people may know."""
        if self.all_open or self.game.decision is None:
            return self.game.log
        return self.game.view(self.people[0] if len(self.people) == 1 else None).log


_FREE = "with --free-undo it can be taken back all the same"
_ANSWERS = ("", "u", "undo")
"""What can be said before the other side has its turn."""
