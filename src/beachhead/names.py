"""The names that the classes of a system go by in JSON: `memoir44.unit_moved`, `beachhead.roll`.

What a game is made of needs no list: it is every attrs class, enum and named tuple that a system's states, requests, events and actions
name in their annotations, and the other public ones of its package.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from enum import Enum
from functools import cache
from importlib import import_module
from inspect import isfunction, signature
from pkgutil import walk_packages
from types import ModuleType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import attrs

from beachhead.dice import Outcomes
from beachhead.errors import RulesError
from beachhead.play import Call, Chance, Decision, Event, Inside, Request, Setting, Then
from beachhead.position import Entry
from beachhead.systems import Source, System, find_system, systems

KERNEL = "beachhead"
_MACHINERY = (Call, Then, Inside, Entry, Outcomes, Source)
"""What makes games go, and is no value of any."""
_ROOMS = ("cup", "dice", "hexes", "play", "within", "position", "rules", "saves", "systems")


@cache
def words(name: str) -> tuple[str, ...]:
    """The words of a class's or a field's name, in lower case.

    >>> words("CommitSupport"), words("HQCup"), words("full_fire")
    (('commit', 'support'), ('hq', 'cup'), ('full', 'fire'))
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_", " ", name)
    return tuple(spaced.lower().split())


def is_record(cls: type) -> bool:
    """Whether the instances of a class are values with named fields: attrs classes and named tuples."""
    return attrs.has(cls) or (issubclass(cls, tuple) and hasattr(cls, "_fields"))


class FieldName(NamedTuple):
    """A field that makes a value: its attribute, the parameter of the constructor that sets it, and whether it must be given."""

    attribute: str
    parameter: str
    needed: bool


def fields_of(cls: type) -> tuple[FieldName, ...]:
    """All that the constructor of an attrs class or a named tuple takes."""
    if attrs.has(cls):
        return tuple(
            FieldName(a.name, a.alias or a.name, a.default is attrs.NOTHING) for a in attrs.fields(cls) if a.init
        )
    return tuple(FieldName(name, name, name not in cls._field_defaults) for name in cls._fields)  # type: ignore[attr-defined]


def _is_value(cls: type) -> bool:
    return cls not in _MACHINERY and (is_record(cls) or (issubclass(cls, Enum) and cls is not Enum))


class Names:
    """The classes of one system (and of those that play inside it) by tag, and what their annotations mean.

    Raises:
        RulesError: two classes would go by one name, or an annotation names what nobody knows.
    """

    def __init__(self, system: System[Any]) -> None:
        self._owners = {KERNEL: KERNEL, system.package: system.name}
        self._modules = dict.fromkeys(import_module(f"{KERNEL}.{room}") for room in _ROOMS)
        self._modules |= dict.fromkeys(_modules_of(system.package))
        self.classes = dict[str, type]()
        reached = dict.fromkeys(self._reached(system.state))
        for cls in reached:
            self._name(cls)
        others = [cls for cls in self._defined() if cls not in reached and not cls.__name__.startswith("_")]
        tags = [self.tag(cls) for cls in others]
        self.homonyms = {tag for tag in tags if tag in self.classes or tags.count(tag) > 1}
        """The tags that unused classes lay a claim to in vain."""
        self.classes |= {tag: cls for tag, cls in zip(tags, others, strict=True) if tag not in self.homonyms}
        self.tags = {cls: tag for tag, cls in self.classes.items()}

    def tag(self, cls: type) -> str:
        """What instances of a class go by: the name of the system it belongs to, and its own."""
        return f"{self._owner(cls.__module__)}.{'_'.join(words(cls.__name__))}"

    def family(self, base: type) -> tuple[type, ...]:
        """The known classes that may stand where a base class or protocol is asked for."""
        belongs = _implements if is_protocol(base) else issubclass
        return tuple(cls for cls in self.tags if belongs(cls, base))

    def hints(self, cls: type) -> dict[str, Any]:
        """The types of a class's fields. A name that is imported for type checkers only is looked for in the whole package."""
        found: dict[str, Any] = {}
        while True:
            try:
                return get_type_hints(cls, localns=found)
            except NameError as error:
                name = str(error.name)
                meant = list(
                    {id(m := vars(module)[name]): m for module in self._modules if name in vars(module)}.values()
                )
                if len(meant) != 1 or name in found:
                    where = f"an annotation of {cls.__module__}.{cls.__qualname__} names {name!r}, "
                    raise RulesError(
                        where + ("which has several meanings" if meant else "which is not known")
                    ) from None
                found[name] = meant[0]

    # -------------------------------------------------------- finding them
    def _reached(self, state: type) -> Iterator[type]:
        """The state, every request, event and action, and whatever their annotations name."""
        queue, known = [state, *self._roots()], set[type]()
        while queue:
            cls = queue.pop(0)
            if cls in known:
                continue
            known.add(cls)
            if is_protocol(cls):
                queue += [found for found in self._defined() if _implements(found, cls)]
            if not _is_value(cls):
                continue
            yield cls
            if self._owner(cls.__module__) not in self._owners.values():
                self._adopt(cls.__module__)
                queue += self._roots()
            if issubclass(cls, Decision) and isinstance(cls.kinds, tuple):
                queue += cls.kinds
            if is_record(cls) and not issubclass(cls, Setting):  # which goes by its key
                hints = self.hints(cls)
                queue += _named_in(hints[field.attribute] for field in fields_of(cls))

    def _roots(self) -> list[type]:
        return [cls for cls in self._defined() if issubclass(cls, Decision | Chance | Event)]

    def _adopt(self, module: str) -> None:
        """A class of another system brings that system's requests, events and actions with it."""
        for system in map(find_system, systems()):
            if _belongs(module, system.package):
                self._owners[system.package] = system.name
                self._modules |= dict.fromkeys(_modules_of(system.package))

    def _defined(self) -> Iterator[type]:
        for module in self._modules:
            for cls in vars(module).values():
                if isinstance(cls, type) and cls.__module__ == module.__name__ and _is_value(cls):
                    yield cls

    def _owner(self, module: str) -> str:
        return next((name for package, name in self._owners.items() if _belongs(module, package)), module.split(".")[0])

    def _name(self, cls: type) -> None:
        tag = self.tag(cls)
        other = self.classes.setdefault(tag, cls)
        if other is not cls:
            places = " and ".join(f"{c.__module__}.{c.__qualname__}" for c in (other, cls))
            raise RulesError(f"{places} would both be {tag!r}: rename one of them")


def is_protocol(cls: type) -> bool:
    """Whether a class only says what others must have."""
    return getattr(cls, "_is_protocol", False)


def _implements(cls: type, protocol: type) -> bool:
    """Whether a public class, no request, has the methods that a protocol asks for, with as many parameters."""
    if not attrs.has(cls) or cls.__name__.startswith("_") or issubclass(cls, Request):
        return False
    wanted = {name: method for name, method in vars(protocol).items() if not name.startswith("_")}
    return all(_arity(getattr(cls, name, None)) == _arity(method) for name, method in wanted.items())


def _arity(method: object) -> int:
    """How many parameters it has; -1 for what is no method."""
    return len(signature(method).parameters) if isfunction(method) else -1


def _belongs(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _modules_of(package: str) -> Iterator[ModuleType]:
    """A package and all its modules, loaded, so that what is known never depends on what happened to be used before."""
    module = import_module(package)
    yield module
    for found in walk_packages(getattr(module, "__path__", ()), f"{package}."):
        if not found.name.endswith(".__main__"):
            with suppress(ImportError):  # it needs what is not installed here, so no game has values of it
                yield import_module(found.name)


def _named_in(hints: Iterable[Any]) -> Iterator[type]:
    """The classes that annotations are made of."""
    for hint in hints:
        parts = get_args(hint)
        cls = get_origin(hint) if parts else getattr(hint, "__supertype__", hint)
        if isinstance(cls, type):
            yield cls
        yield from _named_in(parts)
