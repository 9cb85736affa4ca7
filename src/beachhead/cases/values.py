"""How what a row says is compared with what the game holds, and how what was found is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from enum import Enum
from fractions import Fraction
from typing import Any

import attrs

from beachhead.codec import codec_for
from beachhead.game import Game
from beachhead.hexes import Hex
from beachhead.names import words
from beachhead.play import Decision, Event
from beachhead.rules import Breakdown, Verdict
from beachhead.spelling import nearest
from beachhead.within import Within, WithinEvent

NOBODY = "nobody"


def spelt(name: str) -> str:
    """A class's name in one spelling: "UnitMoved", "unit_moved" and "memoir44.unit_moved" are the same."""
    return name.rpartition(".")[2].replace("_", "").lower()


def is_named(value: object, name: str) -> bool:
    """Whether a value is of the class of this name."""
    return spelt(type(value).__name__) == spelt(name)


def inner(value: Any) -> Any:
    """The event or decision itself, where it belongs to a game within a game."""
    while isinstance(value, WithinEvent | Within):
        value = value.event if isinstance(value, WithinEvent) else value.inner
    return value


def classes_of(base: type, package: str) -> dict[str, type]:
    """The events or decisions there are, by their names spelt in one way; a system's own go before those of others."""
    found: dict[str, type] = {}
    todo: list[type] = [base]
    while todo:
        below: list[type] = todo.pop().__subclasses__()
        todo += below
        for cls in filter(attrs.has, below):
            if spelt(cls.__name__) not in found or f"{cls.__module__}.".startswith(f"{package}."):
                found[spelt(cls.__name__)] = cls
    return found


def facts(value: Any) -> Mapping[str, Any]:
    """The fields of an attrs value, and what else its class says by name (a decision's side may be an attribute)."""
    fields = {a.name: getattr(value, a.name) for a in attrs.fields(type(value))}
    return {name: getattr(value, name) for name in ("side", "rule") if hasattr(value, name)} | fields


def breakdowns(event: Event[Any]) -> Iterator[Breakdown]:
    """The breakdowns that an event carries."""
    return (value for value in facts(event).values() if isinstance(value, Breakdown))


def side_named(game: Game[Any], name: str) -> Any:
    """The side of this name; None for "nobody".

    Raises:
        LookupError: there is no such side.
    """
    if name.lower() == NOBODY:
        return None
    for side in game.system.sides:
        if name.lower() in _names(side):
            return side
    raise LookupError(f"no side {name!r}; known: {', '.join(show(game, s) for s in game.system.sides)}, {NOBODY}")


def _names(value: object) -> set[str]:
    names = {str(value).lower()}
    return names | {value.name.lower(), str(value.value).lower()} if isinstance(value, Enum) else names


def _writes_itself(value: object) -> bool:
    return vars(object)["__str__"] is not type(value).__str__


def show(game: Game[Any], value: Any) -> str:
    """The value as a reader would write it."""
    if value is None:
        return NOBODY
    if isinstance(value, Hex):
        return game.system.labels(game.state).label(value)
    if isinstance(value, Enum):
        return str(value if _writes_itself(value) and type(value).__str__ is not Enum.__str__ else value.value)
    if isinstance(value, Mapping) and not _writes_itself(value):
        return "{" + ", ".join(f"{show(game, k)} = {show(game, v)}" for k, v in value.items()) + "}"
    if isinstance(value, tuple | list | AbstractSet) and not _writes_itself(value):
        return "[" + ", ".join(show(game, each) for each in value) + "]"
    if isinstance(value, Decision | Event) or (attrs.has(type(value)) and not _writes_itself(value)):
        fields = ", ".join(f"{name} = {show(game, each)}" for name, each in facts(value).items() if name != "rule")
        return f"{type(value).__name__}({fields})"
    return str(value)


def same(game: Game[Any], wanted: Any, value: Any) -> bool:
    """Whether a value of the game is what a row says."""
    if isinstance(wanted, bool) or isinstance(value, bool | Verdict):
        return isinstance(wanted, bool) and isinstance(value, bool | Verdict) and bool(value) is wanted
    if isinstance(value, Breakdown):
        return bool(value.number == wanted)
    if isinstance(wanted, int | float):
        return isinstance(value, int | float | Fraction) and value == wanted
    if isinstance(wanted, Mapping):
        fields = value if isinstance(value, Mapping) else facts(value) if attrs.has(type(value)) else {}
        named = {show(game, name).lower(): each for name, each in fields.items()}
        return bool(named) and all(k.lower() in named and same(game, v, named[k.lower()]) for k, v in wanted.items())
    if isinstance(wanted, list):
        if isinstance(value, AbstractSet):
            rest = list(value)
            for each in wanted:
                if (found := next((v for v in rest if same(game, each, v)), rest)) is rest:
                    return False
                rest.remove(found)
            return not rest
        return (
            isinstance(value, tuple | list)
            and len(wanted) == len(value)
            and all(same(game, w, v) for w, v in zip(wanted, value, strict=True))
        )
    names = _names(value) | {show(game, value).lower()}
    if isinstance(value, codec_for(game.system).actions):
        names.add(game.text(value).lower())
    return str(wanted).lower() in names


def options_like(game: Game[Any], text: str, options: tuple[Any, ...] | None = None) -> tuple[Any, ...]:
    """The options (those of now, if none are given) that a text means: the one action it spells, or with * in it all whose texts fit.

    Raises:
        CodecError: no action is spelt like that; without this, a slip would never be offered and so be met for ever.
        LookupError: no action begins like that.
    """
    options = game.legal_actions() if options is None else options
    if "*" not in text:
        action = game.parse(text)
        return tuple(option for option in options if option == action)
    said = text.partition("*")[0].lower()
    verbs = [" ".join(words(cls.__name__)) for cls in codec_for(game.system).actions]
    if not any(verb.startswith(said) or said.startswith(f"{verb} ") for verb in verbs):
        raise LookupError(f"no action begins like {text!r}{nearest(said, verbs)}; known: {', '.join(sorted(verbs))}")
    fits = re.compile(".*".join(map(re.escape, text.split("*"))), re.IGNORECASE)
    return tuple(option for option in options if fits.fullmatch(game.text(option)))
