"""Questions by name: how "attack_factor D3 CSR fire=mobile" finds its function, and what such functions make of their arguments, which are texts.

The `cases` of a system (`beachhead.cases.CaseSystem`) are written with these; what is its own are the questions and the keys of its positions.

>>> questions = {"cost": lambda unit, *hexes, night="no": len(hexes) * (1 + flag(night))}
>>> answer(questions, "cost", ["Able", "C3", "C4", "night=yes"])
4
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from typing import Any, TypeVar

from beachhead.errors import UnknownName
from beachhead.rules import Breakdown
from beachhead.spelling import nearest

T = TypeVar("T")


def drawn_row(
    place: str | Iterable[str], board: str, options: Mapping[str, object] | None, others: Mapping[str, Any]
) -> dict[str, Any]:
    """The row of a position that is drawn by hand: its lines, its drawing, the game options, and the other keys.

    >>> drawn_row("C3: infantry axis", "", None, {"turn": 2})
    {'place': ['C3: infantry axis'], 'turn': 2, 'options': {}}

    Raises:
        TypeError: there are no lines.
    """
    if not isinstance(place, Iterable):
        raise TypeError(f"a position is drawn in lines: expected a text or a list of texts, not {place!r}")
    drawn = {"place": [place] if isinstance(place, str) else list(place), "board": board}
    given = {key: value for key, value in drawn.items() if value}
    return {**given, **others, "options": dict(options or {})}


# ------------------------------------------------------------ asking
def answer(questions: Mapping[str, Callable[..., Any]], question: str, args: Iterable[str]) -> Any:
    """What one of these questions gives. Arguments may be named: `fire=mobile`.

    Raises:
        UnknownName: there is no such question; the nearest is named.
        ValueError: the question takes other arguments.
    """
    args, found = tuple(args), one_of(question, questions, "question")
    named = dict(arg.split("=", 1) for arg in args if "=" in arg)
    try:
        given = signature(found).bind(*(arg for arg in args if "=" not in arg), **named)
    except TypeError as error:
        raise ValueError(f"{question}: {error}; it takes {signature(found)}") from None
    return found(*given.args, **given.kwargs)


def at_the_end(ask: Callable[[Any, str, list[str]], Any], question: str, example: str) -> Callable[[Any], Any] | None:
    """What odds tell apart: the answer to a question like any other, "hits P", in the state at the end; None without one.

    Args:
        ask: the `ask` of the system's cases.
        question: the name and the arguments; "" for none.
        example: a question that can be asked, for a fault.

    Raises:
        ValueError: it is no question.
    """
    if not question:
        return None
    try:
        name, *args = shlex.split(question)
    except ValueError:
        raise ValueError(f"{question!r} is no question: for odds, ask for something like by={example!r}") from None

    def told(end: Any) -> Any:
        found = ask(end, name, args)
        return found.total if isinstance(found, Breakdown) else tuple(found) if isinstance(found, list) else found

    return told


# ------------------------------------------------------------ arguments
def one_of(name: str, known: Mapping[str, T], what: str) -> T:
    """What a name stands for.

    >>> one_of("alied", {"allied": 1, "german": 2}, "side")
    Traceback (most recent call last):
    beachhead.errors.UnknownName: no side 'alied'; did you mean 'allied'?; known: allied, german

    Raises:
        UnknownName: nothing has it; the nearest is named, and all there are.
    """
    if name not in known:
        raise UnknownName(f"no {what} {name!r}{nearest(name, known)}; known: {', '.join(known) or 'none'}")
    return known[name]


def whole(number: str | int) -> int:
    """A whole number.

    Raises:
        ValueError: it is none.
    """
    try:
        return int(number)
    except ValueError:
        raise ValueError(f"{number!r} is no whole number") from None


def flag(word: str | bool) -> bool:
    """Yes or no, true or false; "" is no.

    Raises:
        ValueError: it is neither.
    """
    if str(word).lower() in ("", "no", "false"):
        return False
    if str(word).lower() in ("yes", "true"):
        return True
    raise ValueError(f"{word!r} is neither yes nor no")
