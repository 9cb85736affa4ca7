"""One decision of a person at the terminal: the menu, and everything that can be asked before the choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
from attrs import evolve

from beachhead.cli.menu import Group, Item, Menu, Row, find, menu_of, numbered, options_of
from beachhead.cli.naming import neutral, neutral_name, statement, when
from beachhead.cli.pointing import ALIKE, Pointing, nearest_of
from beachhead.cli.reading import look_up, tell_rule
from beachhead.codec import codec_for
from beachhead.errors import BeachheadError, CodecError, TooManyBranches, UnknownName
from beachhead.game import Game
from beachhead.hexes import Hex
from beachhead.names import words
from beachhead.play import Chance, Decision
from beachhead.rules import Verdict
from beachhead.systems import name_of

if TYPE_CHECKING:
    from beachhead.cli.session import Session

_LINES = 20
"""So much of the log is shown unless a number is given."""
_RUNS = 1000
"""In a sample of odds."""
_SHOWN = 4
"""So many options with a hex or a unit are named beside what is there."""
HELP = (
    ("N", "take the option of this number"),
    ("{action}", "take an action by its text; as much of it is enough as only one option has"),
    ("{one}", "what a unit is, where units have names, or what is in a hex; it only tells, and does nothing"),
    ("?", "what is being decided, and the rule that asks"),
    ("? {one}", "what is in a hex, and what speaks against an action there; so with a unit"),
    ("? {one} {hex}, ? ACTION", "why that is not offered"),
    ("odds N [sample]", "what may come of an option, exactly (or of 1000 trials)"),
    ("b, b {hex}", "the board; as much of it around a hex or a unit as is no wider than the terminal"),
    ("svg FILE", "write the board as it stands as a picture"),
    ("h", "your hand"),
    ("log [N]", "the last lines of the story"),
    ("rules ID, rules WORDS", "a rule or a ruling; those in which the words occur"),
    ("u", "take your last decision back"),
    ("save FILE", "save the game, and go on"),
    ("q", "save the game, and leave (so does Ctrl-C)"),
    ("help", "this list"),
)
"""What can be typed; the examples are of the board that is played on."""


class Leave(Exception):
    """The person leaves the game."""


class Asking:
    """A decision, put to the side that takes it."""

    def __init__(self, session: Session, decision: Decision[Any, Any]) -> None:
        self.session, self.decision, self.side = session, decision, decision.side
        self.game, self.screen, self.words = session.game, session.screen, session.words
        self.state = self.game.system.view(self.game.state, self.side)
        self.items = options_of(self.game, self.state, self.words)
        self.undone = False
        self.commands: Mapping[str, Callable[[str], None]] = {
            "?": self.why,
            "why": self.why,
            "help": self.help,
            "odds": self.odds,
            "b": self.board,
            "board": self.board,
            "svg": self.svg,
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
        self.verbs = [" ".join(words(kind.__name__)) for kind in codec_for(self.game.system).actions]
        self.names = Pointing(self.words, self.state, {*self.commands, *" ".join(self.verbs).split()})
        self.whole = self.menu = self._described(menu_of(self.items))

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
            if name := self._bare(line):
                self._point(name)
                self._tell_options(name)
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
        if line.isdecimal() and line not in self.names.written:
            off = self.names.off_board(line)
            self.screen.warn(f"the options have numbers from 1 to {len(self.menu)}{off and f'; {off}'}")
            return None
        row = self._find(self.whole, line)
        if isinstance(row, Item):
            return row.action
        if isinstance(row, Group):
            self.menu = row.items
            self._list()
            return None
        if self.names.pointed(line):
            self.why(line)
            return None
        action = self._parsed(line)
        verdict = self.game.check(action)
        if verdict:
            return action
        self._refused(verdict)
        return None

    # -------------------------------------------------------- the menu
    def _say_who(self) -> None:
        standing = self.words.standing(self.state)
        self.screen.line("")
        self.screen.line((f"{when(self.game)}.  {standing}".rstrip(), "dim"))

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
            hex = self.names.hexes.get(row.items[0].text.split()[-2].lower())
            return row if hex is None else evolve(row, gloss=f"{self.words.at(self.state, hex)}: {row.gloss}")

        return tuple(described(row) if isinstance(row, Group) else row for row in menu)

    def _find(self, menu: Menu, said: str) -> Row | None:
        return find(menu, self.names.spelt(said), self.names.written)

    def _bare(self, line: str) -> str:
        """The hex or unit that a line names and nothing else, as it is written; "" for any other line, and for a number of the menu."""
        name = self.names.written.get(line.lower(), "")
        is_number = line.isdecimal() and str(int(line)) == line and 1 <= int(line) <= len(self.menu)
        return "" if is_number else name

    def _point(self, name: str) -> None:
        hex = self.names.hexes.get(name.lower())
        told = self.words.units(self.state)[name] if hex is None else self.words.at(self.state, hex)
        self.screen.line(f"{name}: {told}")

    def _with(self, name: str) -> list[str]:
        """The options that have a hex or unit in their text."""
        return [item.text for item in self._items_with(name)]

    def _items_with(self, name: str) -> list[Item]:
        return [item for item in self.items if name in item.text.split()]

    def _leading(self, name: str, there: str) -> list[str]:
        """The options with a unit or hex by which one begins what ends at another.

        After one of them the side goes on to a choice of another kind, and has the other one among its options there. Where that comes only
        later, it is any such option, and where nothing can be told, every option with the first.
        """
        found: dict[bool, list[str]] = {True: [], False: []}
        for item in self._items_with(name):
            after = self._chosen_next(item.action)
            if after is not None and type(after.decision) is not type(self.decision):
                texts = [after.text(action) for action in after.legal_actions()]
                found[any(there in text.split() for text in texts)].append(item.text)
        return found[True] or found[False] or self._with(name)

    def _tell_options(self, name: str) -> None:
        """How to act with what somebody has looked at."""
        if found := self._with(name):
            numbers = {row.text: f" ({n})" for n, row in enumerate(self.menu, 1)}
            named = _some([f"{text}{numbers.get(text, '')}" for text in found])
            self.screen.line((f"options with {name}: {named}", "dim"))

    def _parsed(self, line: str, *, pointing: bool = False) -> Any:
        """The action that a line means. Of what it may have meant, the actions that can be taken now are looked at first.

        Somebody who is `pointing` may have meant a hex or a unit as well.
        """
        try:
            return self.game.parse(self.names.spelt(line))
        except CodecError:
            if any(f"{line.lower()} ".startswith(f"{verb} ") for verb in self.verbs):
                raise
            first = line.split()[0]
            open_now = [" ".join(words(kind.__name__)) for kind in self.decision.kinds]
            best, how_near = nearest_of(line, open_now)
            name_like = self.names.nearest(first)[1]
            if name_like >= ALIKE and name_like > max(how_near, nearest_of(line, self.verbs)[1]):
                raise UnknownName(self.names.unknown(first)) from None
            if how_near >= ALIKE:
                raise CodecError(f"{line!r} is no action; did you mean {best!r}?") from None
            if self.names.written and nearest_of(line, self.verbs)[1] < ALIKE:
                what = "" if pointing else f"; type a number from 1 to {len(self.menu)}, an action, or help"
                raise UnknownName(f"{self.names.unknown(first)}, and no action begins so{what}") from None
            raise

    # -------------------------------------------------------- why
    def why(self, what: str) -> None:
        """The rule of the decision, or what is said against something."""
        if not what:
            self.screen.line(("to be decided: ", "bold"), self.decision.prompt)
            tell_rule(self.screen, statement(self.decision.rule, self.game.system))
            one, hex = self.names.examples(item.text for item in self.items)
            self.screen.line(
                (f"'? {one} {hex}' or '? ACTION' says why something is not offered; 'help' lists all commands", "dim")
            )
            return
        if name := self._bare(what):
            self._why_bare(name)
            return
        row = self._find(self.menu, what) or self._find(self.whole, what)
        if row is not None:
            self.screen.line(f"that is offered: {row.text}")
            return
        names = self.names.pointed(what)
        if not names:
            self._answer(self.game.check(self._parsed(what, pointing=True)))
        elif self.names.units and names[0].lower() not in self.names.units:
            self.screen.warn(f"{names[0]} is a hex: name a unit first, and then what it is to do something to")
            self._point(names[0])
        else:
            self._why_pointed(names)

    def _why_pointed(self, names: list[str]) -> None:
        """What is said against a unit, or a hex with one, and another."""
        verdict = self.game.why_not(*names)
        offered = self._with(names[-1]) if verdict else []
        self._answer(verdict, offered, first=self._leading(names[0], names[-1]) if verdict and not offered else ())

    def _why_bare(self, name: str) -> None:
        """What is in a hex and what speaks against an action there, or what a unit is and what speaks against using it."""
        self._point(name)
        offered, hex = self._with(name), self.names.hexes.get(name.lower())
        if offered:
            self._answer(Verdict(), offered)
            return
        kinds = [] if hex is None else [kind for kind in self.decision.kinds if _takes_a_hex(kind)]
        open_now = {type(item.action) for item in self.items}
        there = [kind(hex) for kind in [kind for kind in kinds if kind in open_now] or kinds]
        for action in there:
            self._answer(self.game.check(action), about=f"{self.game.text(action)}: " if there[1:] else "")
        if there:
            return
        if hex is not None and self.words.units(self.state):
            self.screen.line(
                (f"no option names this hex now; '? UNIT {name}' says what speaks against it for a unit", "dim")
            )
            return
        self._answer(self.game.why_not(name))

    def _answer(
        self, verdict: Verdict, offered: Sequence[str] = (), about: str = "", first: Sequence[str] = ()
    ) -> None:
        """What is said against something; if nothing, the options that do it, or those by which one begins it."""
        if not verdict:
            self._refused(verdict, about)
        elif offered:
            self.screen.line(f"that is offered: {_some(offered)}")
        elif first:
            self.screen.line(f"that is offered, and begins with one of these: {_some(first)}")
        else:
            self.screen.line(f"{about}nothing is said against that")

    def _refused(self, verdict: Verdict, about: str = "") -> None:
        for objection in verdict.objections:
            self.screen.line(("no: ", "red"), f"{about}{objection.text}", (f"  [{', '.join(objection.rules)}]", "dim"))

    def help(self, rest: str) -> None:
        """What can be typed."""
        texts = [item.text for item in self.items]
        one, hex = self.names.examples(texts)
        action = next(iter((*self._with(one), *texts)))
        self.screen.table(
            ("type", "for"), [(typed.format(one=one, hex=hex, action=action), what) for typed, what in HELP]
        )

    # -------------------------------------------------------- odds
    def odds(self, rest: str) -> None:
        """What may come of an option by the end of what it begins."""
        if not rest:
            self.screen.warn("'odds N' tells what may come of option N: give the number of one, or its text")
            return
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
        if (after := self._chosen_next(row.action)) and (then := after.decision):
            self.screen.warn(
                f"{row.text!r} rolls nothing by itself; next you choose: {then.prompt}. "
                "Take it, and ask for the odds where the dice are near; 'u' takes it back"
            )
            return
        by, met = self.words.outcome(self.state, self.decision, row.action), dict[tuple[Any, str], None]()
        policy = neutral(self.game.system)

        def noted(view: Any, decision: Any, options: tuple[Any, ...]) -> Any:
            if options[1:]:
                met[decision.side, decision.prompt] = None
            assert policy is not None
            return policy(view, decision, options)

        try:
            found = self.game.odds(row.action, by=by, policy=policy and noted, sample=_RUNS if sample else None)
        except TooManyBranches as error:
            self.screen.warn(f"{error}; 'odds {said} sample' plays it {_RUNS} times instead")
            return
        except KeyboardInterrupt:
            self.screen.warn(f"given up; 'odds {said} sample' plays it {_RUNS} times instead")
            return
        self.screen.odds(found)
        self.screen.line(("looked ahead to the end of what this option begins, and no further", "dim"))
        if met:
            decided = "; ".join(f"{name_of(side)}: {prompt}" for side, prompt in met)
            self.screen.line(
                (f"decided on the way as the player {neutral_name(self.game.system)!r} would: {decided}", "dim")
            )

    def _chosen_next(self, action: Any) -> Game[Any] | None:
        """The game at the side's own choice that follows an option before anything is rolled or drawn or the other side answers."""
        game = self.game.copy()
        known = len(game.log)
        game.apply(action)
        rolled = any(isinstance(entry.request, Chance) for entry in game.log[known:])
        return game if game.to_act == self.side and not rolled else None

    # -------------------------------------------------------- looking
    def board(self, rest: str) -> None:
        """The board, or the part of it around a hex or unit."""
        around = None
        if rest:
            name = self.names.written.get(rest.lower())
            if name is None:
                raise UnknownName(self.names.unknown(rest))
            around = self.names.hexes.get(name.lower()) or self.words.place(self.state, name)
            if around is None:
                self._point(name)
                return
        if not self.session.board(self.state, around):
            self.screen.warn("there is no board to show")

    def svg(self, rest: str) -> None:
        """The board as a picture in a file."""
        if not rest:
            self.screen.warn("name a file for the picture: svg FILE")
            return
        if Path(rest).exists() and Path(rest).suffix != ".svg":
            self.screen.warn(f"{rest} exists already, and is no .svg: it is left as it is")
            return
        Path(rest).write_text(self.game.system.picture(self.state), encoding="utf-8")
        self.screen.unbroken(f"the board: {rest}")

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
        self.screen.unbroken(f"saved: {self.session.keep(path)}")

    def leave(self, rest: str) -> None:
        """Leave the game."""
        raise Leave


def _takes_a_hex(kind: type) -> bool:
    """Whether a hex is all that an action of this kind needs."""
    return [field.type for field in attrs.fields(kind)] in ([Hex], ["Hex"])


def _some(texts: Sequence[str]) -> str:
    """The first few of some texts, and how many more there are."""
    return ", ".join((*texts[:_SHOWN], *([f"{len(texts) - _SHOWN} more"] if texts[_SHOWN:] else [])))
