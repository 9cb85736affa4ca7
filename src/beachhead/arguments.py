"""What is given to a rule question: a value of the wrong kind is told at the door, in place of failing somewhere inside or passing for another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from inspect import Parameter, signature
from typing import Any

_PLAIN: Mapping[type, str] = {str: "a text", int: "a whole number", bool: "True or False"}
"""The kinds that are looked at besides states, and what is expected for each."""
_BY_NAME = {kind.__name__: kind for kind in _PLAIN}


def kinds_of(fn: Callable[..., Any]) -> tuple[tuple[type, ...], dict[str, type]]:
    """The kinds that a function's arguments must be of: in their order, and by name; `object` for all that are not looked at.

    A parameter called `state` is of the class that its annotation names; of the others, those are looked at that are a text, a whole number
    or a flag and nothing else.
    """
    parameters = signature(fn).parameters.values()
    kinds = {each.name: _kind(fn, each) for each in parameters}
    return tuple([kinds[each.name] for each in parameters if each.kind is Parameter.POSITIONAL_OR_KEYWORD]), kinds


def _kind(fn: Callable[..., Any], parameter: Parameter) -> type:
    named = str(parameter.annotation)
    found = fn.__globals__.get(named) if parameter.name == "state" else _BY_NAME.get(named)
    return found if isinstance(found, type) else object


def wrong_argument(fn: Callable[..., Any], args: tuple[Any, ...], named: Mapping[str, Any]) -> TypeError:
    """What is wrong with the first argument that is of another kind than it must be."""
    in_order, kinds = kinds_of(fn)
    given: Iterator[tuple[str, Any]] = iter([*zip(kinds, args[: len(in_order)], strict=False), *named.items()])
    name, value = next((name, value) for name, value in given if not isinstance(value, kinds.get(name, object)))
    kind = kinds[name]
    if kind in _PLAIN:
        return TypeError(f"{fn.__name__}: {name} is {value!r}, and {_PLAIN[kind]} is expected")
    what = "None" if value is None else f"a {type(value).__name__}"
    hint = "give its .state" if isinstance(getattr(value, "state", None), kind) else "that of a game is game.state"
    return TypeError(f"{fn.__name__} is asked of a {kind.__name__}, not of {what}: {hint}")
