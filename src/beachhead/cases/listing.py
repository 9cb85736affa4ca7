"""What a row about a system may say: its position keys, questions, decisions with their actions, and events, all read from its code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from inspect import Parameter, getdoc, signature
from textwrap import fill
from typing import Any, Protocol, runtime_checkable

from attrs import fields, frozen

from beachhead.cases.system import case_system
from beachhead.codec import codec_for
from beachhead.codec.text import usage
from beachhead.play import Decision, Event
from beachhead.systems import System

_WIDTH = 120


@runtime_checkable
class QuestionSystem(Protocol):
    """A `CaseSystem` that says which questions it answers."""

    def questions(self) -> Mapping[str, Callable[..., Any]]:
        """The questions by their names; the parameters of each are its arguments."""
        ...


@frozen
class Listed:
    """A class that rows may name: what it is about, its fields, and how the actions that answer it are written."""

    about: str
    fields: tuple[str, ...]
    actions: tuple[str, ...] = ()


@frozen
class Vocabulary:
    """The words of a system in rows. `str()` is a page to read.

    Attributes:
        keys: those that describe a position, each with what may stand there.
        questions: each with its arguments; "" where it takes none.
        decisions, events: by their classes' names.
    """

    title: str
    keys: Mapping[str, str]
    questions: Mapping[str, str]
    decisions: Mapping[str, Listed]
    events: Mapping[str, Listed]

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{self.title}: what a rule case may say"
        yield "\nPosition keys"
        for key, what in self.keys.items():
            yield _entry(key, what)
        yield from ['\nQuestions: ask = "…", by = "…"'] if self.questions else []
        for name, arguments in self.questions.items():
            yield f"  {name} {arguments}".rstrip()
        yield '\nDecisions: asks = "…", answers = { … }; below each the actions that answer it: do, offered, refused, odds_of'
        for name, listed in self.decisions.items():
            yield _entry(name, listed.about)
            yield from _with(listed)
            for action in listed.actions:
                yield f"      {action}"
        yield '\nEvents: event = "…"'
        for name, listed in self.events.items():
            yield _entry(name, listed.about)
            yield from _with(listed)


def _entry(name: str, what: str) -> str:
    return fill(f"{name}: {what}" if what else name, _WIDTH, initial_indent="  ", subsequent_indent="      ")


def _with(listed: Listed) -> Iterator[str]:
    if listed.fields:
        yield fill(f"with {', '.join(listed.fields)}", _WIDTH, initial_indent="      ", subsequent_indent="          ")


def vocabulary(system: System[Any]) -> Vocabulary:
    """What rows about a system may say.

    >>> import beachhead as bh
    >>> words = vocabulary(bh.find_system("koenig"))
    >>> words.decisions["FireInConcert"].actions
    ('join fire UNIT', 'join indirectly UNIT', 'open fire')
    >>> words.questions["movement_cost"]
    'UNIT HEXES…'

    Raises:
        RulesError: no row can be written for it.
    """
    cases, codec = case_system(system), codec_for(system)
    own = sorted((cls for cls, tag in codec.names.tags.items() if tag.startswith(f"{system.name}.")), key=_name)
    questions = cases.questions() if isinstance(cases, QuestionSystem) else {}
    return Vocabulary(
        system.title,
        dict(cases.keys),
        {name: arguments(question) for name, question in sorted(questions.items())},
        {
            cls.__name__: Listed(_about(cls), _fields(cls), tuple(usage(codec, kind) for kind in cls.kinds))
            for cls in own
            if issubclass(cls, Decision)
        },
        {cls.__name__: Listed(_about(cls), _fields(cls)) for cls in own if issubclass(cls, Event)},
    )


def arguments(function: Callable[..., Any]) -> str:
    """How the arguments of a question are written; square brackets stand around what may be left out.

    >>> arguments(lambda unit, *hexes, fire="full", by: None)
    'UNIT HEXES… [fire=full] by=BY'
    """
    return " ".join(map(_argument, signature(function).parameters.values()))


def _argument(parameter: Parameter) -> str:
    name, default = parameter.name, parameter.default
    if parameter.kind is Parameter.VAR_POSITIONAL:
        return f"{name.upper()}…"
    said = name.upper() if default in (Parameter.empty, None, "") else str(default)
    if parameter.kind is Parameter.KEYWORD_ONLY or said != name.upper():
        said = f"{name}={said}"
    return said if default is Parameter.empty else f"[{said}]"


def _name(cls: type) -> str:
    return cls.__name__


def _fields(cls: type) -> tuple[str, ...]:
    return tuple(each.name for each in fields(cls) if each.name != "rule")


def _about(cls: type) -> str:
    """The first sentence of a class's own docstring, or a decision's prompt."""
    prompt = vars(cls).get("prompt")
    own = (getdoc(cls) or "") if vars(cls).get("__doc__") else ""
    return " ".join(own.partition("\n\n")[0].split()) or (prompt if isinstance(prompt, str) else "")
