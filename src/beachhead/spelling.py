"""Hints for what is misspelt: the name that was meant, where one is close.

>>> nearest("mor", ("Fire Range", "Mortar")), nearest("fire", ("airpower",))
("; did you mean 'Mortar'?", '')
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["nearest", "nearest_id"]


def nearest(name: str, known: Iterable[str], before: str = "") -> str:
    """A hint for an error message: "; did you mean 'x'?", or nothing where no name is close: one that is far misleads.

    `before` is what all these names begin with, and is told with them.
    """
    typed = str(name).lower()  # what is no name at all is told, too
    spelt = {each.lower(): each for each in reversed(list(known))}  # of several, the first
    close = _alike(typed, spelt)
    if not close and len(typed) > 2:
        close = [each for each in spelt if _slip(typed, each) or _short(typed, each)]
    return f"; did you mean {before + spelt[close[0]]!r}?" if close else ""


def nearest_id(rule: str, known: Iterable[str]) -> str:
    """The same for the id of a rule: of ids in the same section, or in the section around it, one is meant rather than of others.

    >>> nearest_id("gts:1.1.x", ("gts:1.1.a", "gts:16.1.x"))
    "; did you mean 'gts:1.1.a'?"
    """
    known, section = tuple(known), rule
    while section := section.rpartition(".")[0]:
        if hint := nearest(rule, [each for each in known if each.startswith(f"{section}.")]):
            return hint
    return nearest(rule, known)


def _alike(typed: str, known: Iterable[str]) -> list[str]:
    """The name that has most letters in common, in their order, if it has enough of them."""
    return get_close_matches(typed, list(known), n=1, cutoff=0.7)


def _slip(typed: str, name: str) -> bool:
    """Whether one is the other but for one letter (a digit is none), or for their order: in short words that is much."""
    if len(typed) != len(name):
        return False
    other = "".join(a + b for a, b in zip(typed, name, strict=True) if a != b)
    return (len(other) == 2 and other.isalpha()) or sorted(typed) == sorted(name)


def _short(typed: str, name: str) -> bool:
    """Whether every word of the one begins a word of the other, or is like one: "mob" or "moblie" for "Mobile Fire"."""
    said, words = (re.findall(r"[^\W_]+", text) for text in (typed, name))
    return bool(said) and all(any(word.startswith(each) for word in words) or _alike(each, words) for each in said)
