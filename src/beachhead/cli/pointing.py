"""Hexes and units as people type them: by label or by name, whatever the capitals."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from difflib import SequenceMatcher
from typing import Any

from beachhead.board import OffBoard
from beachhead.errors import BeachheadError, UnknownName
from beachhead.hexes import Hex
from beachhead.terminal import TerminalSystem


class Pointing:
    """What one can point at in a state.

    Attributes:
        hexes: the hexes by their labels and by their names on the map, in small letters.
        units: the units by their names in small letters.
        written: both as an action has them: a hex's label, a unit's name.
    """

    def __init__(self, words: TerminalSystem[Any], state: Any, taken: Container[str] = ()) -> None:
        """A place on the map whose name is one of the words that are `taken`, by commands and actions, goes by its label alone."""
        self._board = board = words.board(state)
        self.units = {name.lower(): name for name in words.units(state)}
        places = {} if board is None else {name: hex for name, hex in board.named.items() if name.lower() not in taken}
        self._names = (*self.units.values(), *places)
        labels = {} if board is None else {board.label(hex): hex for hex in board.hexes}
        spellings = {
            spelling.lower(): hex for name, hex in places.items() for spelling in (name.replace(" ", "-"), name)
        }
        self.hexes: Mapping[str, Hex] = {**spellings, **{label.lower(): hex for label, hex in labels.items()}}
        label_of = {hex: label for label, hex in labels.items()}
        self.written: Mapping[str, str] = {**{said: label_of[hex] for said, hex in self.hexes.items()}, **self.units}
        self._longest = max((said.count(" ") + 1 for said in self.written), default=1)

    def split(self, line: str) -> list[str]:
        """The words of a line; those of a name that has blanks are one."""
        words, found = line.split(), list[str]()
        while words:
            lengths = range(min(self._longest, len(words)), 1, -1)
            n = next((n for n in lengths if " ".join(words[:n]).lower() in self.written), 1)
            found.append(" ".join(words[:n]))
            words = words[n:]
        return found

    def spelt(self, line: str) -> str:
        """The line with hexes and units as an action has them."""
        return " ".join(self.written.get(word.lower(), word) for word in self.split(line))

    def pointed(self, line: str) -> list[str]:
        """What somebody points at, as it is written; nothing where the line does not begin with a hex or unit, as no action does.

        Raises:
            UnknownName: one of the others is not there; the nearest is named.
        """
        said = self.split(line)
        if said[0].lower() not in self.written:
            return []
        for word in said:
            if word.lower() not in self.written:
                raise UnknownName(self.unknown(word))
        return [self.written[word.lower()] for word in said]

    def unknown(self, word: str) -> str:
        """That there is nothing of this name, and what may be meant."""
        if off := self.off_board(word):
            return off
        near, how_near = self.nearest(word)
        hint = f"; did you mean {near!r}?" if how_near >= ALIKE else ""
        return f"there is no {self.things} {word!r}{hint}"

    def off_board(self, word: str) -> str:
        """What is wrong with a word that looks like the label of a hex, and is of none; "" for any other."""
        if self._board is None:
            return ""
        try:
            self._board.hex(word)
        except OffBoard as error:
            return str(error)
        except BeachheadError:
            pass
        return ""

    @property
    def things(self) -> str:
        """What has a name here."""
        return "unit or hex" if self.units else "hex"

    def nearest(self, word: str) -> tuple[str, float]:
        """The name of a unit or place that is most like a word, and how much."""
        return nearest_of(word, self._names)

    def examples(self, texts: Iterable[str]) -> tuple[str, str]:
        """A unit (or, where they have no names, a hex) and a hex to show how one points: such as the options have, or else any."""
        seen = [word for text in texts for word in text.split()]
        hexes = [word for word in seen if word.lower() in self.hexes]
        if self._board is not None:
            row = self._board.rows[len(self._board.rows) // 2]
            hexes += map(self._board.label, row[len(row) // 2 :])
        units = [word for word in seen if word.lower() in self.units]
        one = next(iter((*units, *self.units.values(), *hexes)), "HEX")
        return one, next((hex for hex in hexes if hex != one), "HEX")


ALIKE = 0.6
"""How alike a misspelt word and the one that was meant must be."""


def nearest_of(word: str, known: Iterable[str]) -> tuple[str, float]:
    """Which of some names is most like a word, and how much, from 0 to 1. Of an action only as many words are compared as its name has."""
    said = word.lower().split()
    likeness: dict[str, float] = {
        each: SequenceMatcher(None, " ".join(said[: len(each.split())]), each.lower()).ratio() for each in known
    }
    best = max(likeness, key=lambda each: (likeness[each], each[:1].lower() == word[:1].lower()), default="")
    return best, likeness.get(best, 0.0)
