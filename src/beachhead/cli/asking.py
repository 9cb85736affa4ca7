"""One decision of a person at the terminal: the menu, and everything that can be asked before the choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve

from beachhead.cli.menu import Group, Item, Menu, Row, find, menu_of, numbered, options_of
from beachhead.cli.naming import neutral, neutral_name, statement
from beachhead.cli.reading import look_up, tell_rule
from beachhead.errors import BeachheadError, TooManyBranches, UnknownName
from beachhead.hexes import Hex
from beachhead.play import Decision
from beachhead.rules import Verdict
from beachhead.systems import name_of

if TYPE_CHECKING:
    from beachhead.cli.session import Session

_LINES = 20
"""So much of the log is shown unless a number is given."""
_RUNS = 1000
"""In a sample of odds."""
HELP = (
    ("N", "take the option of this number"),
    ("move C3 D4", "take an action by its text; C3 D4 is enough where only one option has these hexes"),
    ("C3", "what is in a hex; a unit by its name, where units have names"),
    ("?", "what is being decided, and the rule that asks"),
    ("? C3 E4, ? ACTION", "why that is not offered"),
    ("odds N [sample]", "what may come of an option, exactly (or of 1000 trials)"),
    ("b", "the board"),
    ("h", "your hand"),
    ("log [N]", "the last lines of the story"),
    ("rules ID, rules WORDS", "a rule or a ruling; those in which the words occur"),
    ("u", "take your last decision back"),
    ("save FILE", "save the game, and go on"),
    ("q", "save the game, and leave (so does Ctrl-C)"),
    ("help", "this list"),
)


class Leave(Exception):
    """The person leaves the game."""


class Asking:
    """A decision, put to the side that takes it."""

    def __init__(self, session: Session, decision: Decision[Any, Any]) -> None:
        self.session, self.decision, self.side = session, decision, decision.side
        self.game, self.screen, self.words = session.game, session.screen, session.words
        self.state = self.game.system.view(self.game.state, self.side)
        self.items = options_of(self.game, self.state, self.words)
        self.whole = self.menu = self._described(menu_of(self.items))
        self.undone = False
        self.commands: Mapping[str, Callable[[str], None]] = {
            "?": self.why,
            "why": self.why,
            "help": self.help,
            "odds": self.odds,
            "b": self.board,
            "board": self.board,
            "h": self.hand,
            "hand": self.hand,
            "log": self.log,
            "rules": self.rules,
            "u": self.undo,
            "undo": self.undo,
            "save": self.save,
            "q": self.leave,
            "quit": self.leave,
        }

    def action(self) -> Any:
        """What the person decides; None when a decision was taken back instead."""
        self._say_who()
        self._list()
        while True:
            line = " ".join(self.session.read().split())
            if not line:
                self.menu = self.whole
                self._list()
                continue
            row = self._find(self.menu, line)
            if isinstance(row, Group):
                self.menu = row.items
                self._list()
                continue
            if row is not None:
                return row.action
            try:
                action = self._other(line)
            except (BeachheadError, OSError, UnicodeError) as error:
                self.screen.warn(str(error))
                continue
            if action is not None or self.undone:
                return action

    def _other(self, line: str) -> Any:
        """A command, or an action in its text form."""
        word, _, rest = line.replace("?", "? ", 1).partition(" ") if line.startswith("?") else line.partition(" ")
        if word.lower() in self.commands:
            self.commands[word.lower()](rest.strip())
            return None
        if line.isdecimal() and line not in self._names:
            self.screen.warn(f"the options have numbers from 1 to {len(self.menu)}")
            return None
        row = self._find(self.whole, line)
        if isinstance(row, Item):
            return row.action
        if isinstance(row, Group):
            self.menu = row.items
            self._list()
            return None
        if line.lower() in self._names:
            self._point(self._names[line.lower()])
            return None
        if self._points(line):
            self.why(line)
            return None
        action = self.game.parse(self._spelt(line))
        verdict = self.game.check(action)
        if verdict:
            return action
        self._refused(verdict)
        return None

    # -------------------------------------------------------- the menu
    def _say_who(self) -> None:
        standing = self.words.standing(self.state)
        self.screen.line("")
        self.screen.line((f"turn {self.game.turn}, {self.game.phase}.  {standing}".rstrip(), "dim"))

    def _list(self) -> None:
        self.screen.line(
            (name_of(self.side), f"bold {self.screen.style(self.side)}"),
            (f": {self.decision.prompt}", "bold"),
            (f"  [{self.decision.rule}]", "dim"),
        )
        self.screen.table((">", "", ""), list(numbered(self.menu)))
        if self.menu is not self.whole:
            self.screen.line(("Enter: back to the whole list", "dim"))

    def _described(self, menu: Menu) -> Menu:
        """Groups that are about a hex say what is there."""

        def described(row: Group) -> Group:
            hex = self._labels.get(row.items[0].text.split()[-2].lower())
            return row if hex is None else evolve(row, gloss=f"{self.words.at(self.state, hex)}: {row.gloss}")

        return tuple(described(row) if isinstance(row, Group) else row for row in menu)

    @cached_property
    def _labels(self) -> Mapping[str, Hex]:
        """The hexes by their labels in small letters, where these differ."""
        board = self.words.board(self.state)
        hexes = () if board is None else board.hexes
        return {board.label(hex).lower(): hex for hex in hexes} if board else {}

    @cached_property
    def _names(self) -> Mapping[str, str]:
        """Hexes and units by their names in small letters, with their names as they are written."""
        label = self.game.system.labels(self.state).label
        units = {name.lower(): name for name in self.words.units(self.state)}
        return {**units, **{name: label(hex) for name, hex in self._labels.items()}}

    def _find(self, menu: Menu, said: str) -> Row | None:
        return find(menu, said, self._names)

    def _spelt(self, line: str) -> str:
        """The line with the names of hexes and units as they are written."""
        return " ".join(self._names.get(word.lower(), word) for word in line.split())

    def _points(self, line: str) -> bool:
        """Whether somebody points at hexes and units; no action begins with one.

        Raises:
            UnknownName: one of them is not on the board.
        """
        first, *others = line.lower().split()
        if first not in self._names:
            return False
        for word in others:
            if word not in self._names:
                raise UnknownName(f"there is no hex {word!r} on the board")
        return True

    def _point(self, name: str) -> None:
        hex = self._labels.get(name.lower())
        words = self.words.units(self.state)[name] if hex is None else self.words.at(self.state, hex)
        self.screen.line(f"{name}: {words}")

    # -------------------------------------------------------- why
    def why(self, what: str) -> None:
        """The rule of the decision, or what is said against something."""
        if not what:
            self.screen.line(("to be decided: ", "bold"), self.decision.prompt)
            tell_rule(self.screen, statement(self.decision.rule, self.game.system))
            self.screen.line(
                ("'? C3 E4' or '? ACTION' says why something is not offered; 'help' lists all commands", "dim")
            )
            return
        row = self._find(self.menu, what) or self._find(self.whole, what)
        if row is not None:
            self.screen.line(f"that is offered: {row.text}")
            return
        spelt = self._spelt(what)
        verdict = self.game.why_not(*spelt.split()) if self._points(what) else self.game.check(self.game.parse(spelt))
        if verdict:
            self.screen.line("nothing is said against that")
        else:
            self._refused(verdict)

    def _refused(self, verdict: Verdict) -> None:
        for objection in verdict.objections:
            self.screen.line(("no: ", "red"), objection.text, (f"  [{', '.join(objection.rules)}]", "dim"))

    def help(self, rest: str) -> None:
        """What can be typed."""
        self.screen.table(("type", "for"), HELP)

    # -------------------------------------------------------- odds
    def odds(self, rest: str) -> None:
        """What may come of an option by the end of what it begins."""
        said, _, sample = rest.rpartition(" ") if rest.endswith(" sample") else (rest, "", "")
        row = self._find(self.menu, said) or self._find(self.whole, said)
        if isinstance(row, Group):
            self.screen.warn(
                f"{row.text} is {row.gloss}: open it with its number first, and ask for the odds of one of them"
            )
            return
        if row is None:
            self.screen.warn(f"{said!r} is no single option: 'odds N' with the number of one, or with its text")
            return
        by = self.words.outcome(self.state, self.decision, row.action)
        policy = neutral(self.game.system)
        try:
            found = self.game.odds(row.action, by=by, policy=policy, sample=_RUNS if sample else None)
        except TooManyBranches as error:
            self.screen.warn(f"{error}; 'odds {said} sample' plays it {_RUNS} times instead")
            return
        except KeyboardInterrupt:
            self.screen.warn(f"given up; 'odds {said} sample' plays it {_RUNS} times instead")
            return
        self.screen.odds(found)
        if name := neutral_name(self.game.system):
            self.screen.line((f"where something is decided on the way, both sides decide like the player {name!r}", "dim"))

    # -------------------------------------------------------- looking
    def board(self, rest: str) -> None:
        """The board."""
        if not self.screen.board(self.words, self.state):
            self.screen.warn("there is no board to show")

    def hand(self, rest: str) -> None:
        """What the side holds."""
        held = self.words.hand(self.state, self.side)
        if held:
            self.screen.table(("", ""), held)
        else:
            self.screen.line("nothing is in your hand")

    def log(self, rest: str) -> None:
        """The end of the story, as this side was told it."""
        if rest and not rest.isdecimal():
            self.screen.warn(f"{rest!r} is no number of lines")
            return
        log = self.game.log if self.session.all_open else self.game.view(self.side).log
        lines = list(log.lines())
        self.screen.story(lines[-int(rest or _LINES) or len(lines) :])

    def rules(self, rest: str) -> None:
        """A rule, or those that words find."""
        look_up(self.screen, tuple(rest.split()) or (self.decision.rule,), self.game.system)

    # -------------------------------------------------------- taking back, keeping, leaving
    def undo(self, rest: str) -> None:
        """Take the side's last decision back."""
        refused = self.session.undo(self.side)
        if refused:
            self.screen.warn(refused)
        else:
            self.undone = True
            self.screen.line("taken back")

    def save(self, rest: str) -> None:
        """Save the game, and go on."""
        path = Path(rest) if rest else None
        if path is not None and path.exists():
            self.screen.warn(f"{path} exists already, and is left as it is: choose another name")
            return
        self.screen.line(f"saved: {self.session.keep(path)}")

    def leave(self, rest: str) -> None:
        """Leave the game."""
        raise Leave
