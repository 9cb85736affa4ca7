"""Options as a person meets them: numbered, in their text form with a word on each; long lists by unit, in two stages."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any

from attrs import frozen

from beachhead.game import Game
from beachhead.names import words
from beachhead.terminal import TerminalSystem

MOST = 12
"""So many options are listed at once; more are grouped."""
MANY = 24
"""So many options of one kind are grouped, too, if they have nothing in common but that."""


@frozen
class Item:
    """An option: its text form, and what the system says beside it."""

    action: Any
    text: str
    gloss: str = ""


@frozen
class Group:
    """Options that begin alike: all the moves of one unit."""

    text: str
    items: tuple[Item, ...]
    gloss: str = ""


Row = Item | Group
Menu = tuple[Row, ...]


def options_of(game: Game[Any], state: Any, words_of: TerminalSystem[Any]) -> tuple[Item, ...]:
    """Every option of the open decision; `state` is what the deciding side knows."""
    return tuple(Item(a, game.text(a), words_of.gloss(state, game.decision, a)) for a in game.legal_actions())


def menu_of(items: Sequence[Item], most: int = MOST) -> Menu:
    """The options as they are listed: all of them, or where they are many, those of one kind that share all but their last word as one row.

    Options that share the name of the action alone are listed, up to two dozen of them.

    >>> moves = [Item(None, f"move C3 {to}") for to in "B2 B3 B4 C2 C4 C5 D2 D3 D4 D5 D6 D7 E1".split()]
    >>> [row.text for row in menu_of([*moves, Item(None, "end moves")])]
    ['move C3 ...', 'end moves']
    """
    if len(items) <= most:
        return tuple(items)
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(item.text.rpartition(" ")[0] or item.text, []).append(item)
    rows: list[Row] = []
    for stem, alike in groups.items():
        if len(alike) > (1 if len(stem.split()) > _verb(alike[0]) else MANY):
            rows.append(Group(f"{stem} ...", tuple(alike), f"{len(alike)} options"))
        else:
            rows += alike
    return tuple(rows)


def _verb(row: Row) -> int:
    """How many words the name of the action has."""
    first = row.items[0] if isinstance(row, Group) else row
    return 1 if first.action is None else len(words(type(first.action).__name__))


def find(menu: Menu, said: str, names: Container[str] = ()) -> Row | None:
    """The row that somebody means: by its number, its text, its text without the name of the action, or the words that its text
    and no other begins or ends with.

    `names` are those of hexes and the like: one that looks like a number is none, unless a row has just this number.

    >>> menu = menu_of([Item(None, "move C3 D4"), Item(None, "move C3 D5"), Item(None, "end moves")])
    >>> find(menu, "1").text, find(menu, "c3 d4").text, find(menu, "end").text, find(menu, "move")
    ('move C3 D4', 'move C3 D4', 'end moves', None)
    >>> menu = menu_of([Item(None, "move to 0101"), Item(None, "move to 0102")])
    >>> find(menu, "0102", names={"0102"}).text, find(menu, "2", names={"0102"}).text, find(menu, "0103", names={"0103"})
    ('move to 0102', 'move to 0102', None)
    """
    if said.isdecimal():
        row = int(said) if str(int(said)) == said or said not in names else 0
        if 1 <= row <= len(menu):
            return menu[row - 1]
        if said not in names:
            return None
    said = " ".join(said.lower().split())
    if not said:
        return None
    everything = [*menu, *(item for row in menu if isinstance(row, Group) for item in row.items)]
    for alike in (
        [row for row in everything if _plain(row) == said],
        [row for row in menu if _plain(row).startswith(f"{said} ")],
        [row for row in everything if _plain(row).split()[_verb(row) :] == said.split()],
        [row for row in everything if _plain(row).endswith(f" {said}")],
    ):
        if alike:
            return alike[0] if len(alike) == 1 else None
    return None


def _plain(row: Row) -> str:
    return row.text.removesuffix(" ...").lower()


def numbered(menu: Iterable[Row]) -> Iterable[tuple[str, str, str]]:
    """Number, text and gloss of each row."""
    return ((str(n), row.text, row.gloss) for n, row in enumerate(menu, 1))
