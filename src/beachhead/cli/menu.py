"""Options as a person meets them: numbered, in their text form with a word on each; long lists by unit, in two stages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import frozen

from beachhead.game import Game
from beachhead.names import words
from beachhead.terminal import TerminalSystem

MOST = 12
"""So many options are listed at once; more are grouped."""


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

    >>> moves = [Item(None, f"move C3 {to}") for to in "B2 B3 B4 C2 C4 C5 D2 D3 D4 D5 D6 D7 E1".split()]
    >>> [row.text for row in menu_of([*moves, Item(None, "end moves")])]
    ['move C3 ...', 'end moves']
    """
    if len(items) <= most:
        return tuple(items)
    groups = dict[str, list[Item]]()
    for item in items:
        groups.setdefault(_stem(item), []).append(item)
    return tuple(
        Group(f"{stem} ...", tuple(alike), f"{len(alike)} options") if len(alike) > 1 else alike[0]
        for stem, alike in groups.items()
    )


def _stem(item: Item) -> str:
    """The text without its last word, if more than the name of the action is left."""
    stem = item.text.rpartition(" ")[0]
    verb = len(words(type(item.action).__name__)) if item.action is not None else 1
    return stem if len(stem.split()) > verb else item.text


def find(menu: Menu, said: str) -> Row | None:
    """The row that somebody means: by its number, its text, or the words that its text and no other begins or ends with.

    >>> menu = menu_of([Item(None, "move C3 D4"), Item(None, "move C3 D5"), Item(None, "end moves")])
    >>> find(menu, "1").text, find(menu, "c3 d4").text, find(menu, "end").text, find(menu, "move")
    ('move C3 D4', 'move C3 D4', 'end moves', None)
    """
    if said.isdecimal():
        return menu[int(said) - 1] if 1 <= int(said) <= len(menu) else None
    said = " ".join(said.lower().split())
    everything = [*menu, *(item for row in menu if isinstance(row, Group) for item in row.items)]
    for alike in (
        [row for row in everything if _plain(row) == said],
        [row for row in menu if _plain(row).startswith(f"{said} ")],
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
