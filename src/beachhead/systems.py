"""What a rule system is, and where systems and scenarios are found.

Systems register through the entry-point group `beachhead.systems`, so that anybody can ship another. Scenario files of a system lie in the
folder of its name in the package `beachhead_scenarios`, or anywhere on disk.
"""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Coroutine, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from attrs import evolve, field, frozen

from beachhead.errors import UnknownName
from beachhead.rules import Catalogue, Verdict
from beachhead.spelling import nearest

if TYPE_CHECKING:
    from beachhead.hexes import Labels
    from beachhead.play import Play

S = TypeVar("S")
Policy = Callable[[Any, Any, tuple[Any, ...]], Any]
"""`policy(view, decision, options) -> action`. The view is what the deciding side knows, never the truth."""


@frozen
class Result:
    """How a game ended. `winner` is None for a draw."""

    winner: Any
    scores: Mapping[str, int]
    reason: str
    rule: str

    def __str__(self) -> str:
        scores = ", ".join(f"{side} {score}" for side, score in self.scores.items())
        who = f"won by {name_of(self.winner)}" if self.winner is not None else "a draw"
        return f"{who}: {self.reason} ({scores}; {self.rule})"


@frozen
class Source:
    """What a new game starts from: a scenario file, or a text already in hand (a saved game holds its own scenario)."""

    name: str
    path: Path | None = None
    text: str | None = field(default=None, repr=False)
    companions: Mapping[str, str] = field(factory=dict, repr=False)
    """Texts of files that belong to it, by the ending that takes the place of its own (".patch.toml")."""
    _read: dict[str, str | None] = field(init=False, factory=dict, eq=False, repr=False)
    """The texts that have been read, its own by "" and those of companions by their endings."""

    def read(self) -> str:
        """The text of the scenario, in whatever Unicode encoding its byte order mark announces.

        Raises:
            UnicodeDecodeError: the file is no such text.
        """
        if self.text is not None:
            return self.text
        if self.path is None:
            raise UnknownName(
                f"{self.name!r} was not made from a scenario file: there is no text of it to read or to save"
            )
        text = self._read.get("")  # read once, so that all see the same
        if text is None:
            data = self.path.read_bytes()
            text = self._read[""] = data.decode(
                "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
            )
        return text

    def beside(self, ending: str) -> str | None:
        """The text of a companion file, such as NAME.patch.toml beside NAME.m44; None where there is none."""
        if self.path is not None and self.text is None:
            companion = self.path.with_suffix(ending)
            self._read[ending] = companion.read_text("utf-8-sig") if companion.is_file() else None
            return self._read[ending]
        return self.companions.get(ending)

    def held(self) -> Source:
        """The source with all texts that have been asked of it in hand: whatever becomes of the files, it stays what it was."""
        read = {ending: text for ending, text in self._read.items() if ending and text is not None}
        return evolve(self, text=self.read(), companions={**self.companions, **read})


class System(Protocol[S]):
    """A rule system: the sequence of play as procedures, and what the kernel must know of its states.

    A state is a frozen, hashable value: the whole of what the rules may depend on, and nothing else.
    """

    @property
    def name(self) -> str:
        """The prefix of its rule ids and scenarios."""
        ...

    @property
    def title(self) -> str:
        """Its name to a reader."""
        ...

    @property
    def package(self) -> str:
        """The Python package whose values its games are made of."""
        ...

    @property
    def state(self) -> type[S]:
        """The class of its states."""
        ...

    @property
    def sides(self) -> tuple[Any, ...]:
        """The sides."""
        ...

    @property
    def catalogue(self) -> Catalogue:
        """Its rule statements and rulings."""
        ...

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The endings of the scenario files it reads, such as ".m44"."""
        ...

    @property
    def policies(self) -> Mapping[str, Policy]:
        """Its own policies by name; "sensible" is the usual opponent."""
        ...

    def new(self, source: Source, options: Mapping[str, object]) -> S:
        """The state before the first step. Raises ScenarioError or OptionError; never leaves a half-made game."""
        ...

    def step(self, play: Play[S], /) -> Coroutine[Any, Any, Any]:
        """One step of the sequence of play, found from the state alone; called again when it returns."""
        ...

    def over(self, state: S, /) -> bool:
        """Whether the game has a result."""
        ...

    def result(self, state: S, /) -> Result | None:
        """The result, once there is one."""
        ...

    def view(self, state: S, side: Any, /) -> S:
        """What a side may know (None: a neutral observer), as a state of the same class with Unknown where it may not look."""
        ...

    def resample(self, state: S, side: Any, pick: Callable[[int], int], /) -> S:
        """Another state that looks the same to this side: what is hidden is dealt again, `pick(n)` giving a number below n."""
        ...

    def phase(self, state: S, /) -> str:
        """Where in the sequence of play, in the rulebook's words."""
        ...

    def labels(self, state: S, /) -> Labels:
        """How hexes are written on this board."""
        ...

    def unread(self, state: S, /) -> tuple[str, ...]:
        """What of the scenario is not enforced, or is no printed figure, to be said before play."""
        ...

    def check_invariants(self, state: S, /) -> None:
        """Raise AssertionError when the state is none that play can reach."""
        ...

    def why_not(self, state: S, decision: Any, what: tuple[Any, ...], /) -> Verdict:
        """The verdict on what somebody points at ("this unit, that hex") while this decision is open."""
        ...

    def picture(self, state: S, /) -> str:
        """The board with its units, as SVG."""
        ...

    def scenarios(self) -> Mapping[str, Path]:
        """Its scenarios by name."""
        ...


def name_of(side: Any) -> str:
    """A side as a player calls it, and as the scores of a result do: its value, which is not shouted.

    >>> from enum import Enum
    >>> [name_of(side) for side in Enum("Side", {"RED": "Red", "AXIS": "AXIS"})]
    ['Red', 'Axis']
    """
    value = str(getattr(side, "value", side))
    return value.capitalize() if value.isupper() else value


def side_named(system: System[Any], name: Any) -> Any:
    """A side of a system: itself, or as one writes it, whatever the capitals.

    Raises:
        UnknownName: it has no such side; those that it has, and the nearest.
    """
    if name in system.sides:
        return system.sides[system.sides.index(name)]
    names = {str(getattr(side, "name", side)).lower(): side for side in system.sides}
    names |= {name_of(side).lower(): side for side in system.sides}
    spelt = str(name).lower()
    if spelt not in names:
        known = [name_of(side).lower() for side in system.sides]
        raise UnknownName(f"{system.title} has no side {name!r}{nearest(spelt, known)}; its sides: {', '.join(known)}")
    return names[spelt]


_systems: dict[str, System[Any]] = {}


def register(system: System[Any]) -> None:
    """Make a system known that no installed package announces."""
    _systems[system.name] = system


def find_system(name: str) -> System[Any]:
    """The system of this name.

    Raises:
        UnknownName: nobody announced it; the nearest name is given.
    """
    if name not in _systems:
        for point in _entry_points():
            if point.name == name:
                register(point.load())
    try:
        return _systems[name]
    except KeyError:
        known = systems()
        raise UnknownName(f"no system {name!r}{nearest(name, known)}; known: {', '.join(known)}") from None


def systems() -> tuple[str, ...]:
    """The names of the systems that are installed or registered."""
    return tuple(sorted({*_systems, *(point.name for point in _entry_points())}))


@cache
def _entry_points() -> Any:
    from importlib.metadata import entry_points

    return entry_points(group="beachhead.systems")


@cache
def _scenario_folders() -> tuple[Path, ...]:
    from importlib.util import find_spec

    spec = find_spec("beachhead_scenarios")
    return tuple(map(Path, spec.submodule_search_locations or ())) if spec else ()


@cache
def shipped_scenarios(system: str, suffixes: tuple[str, ...]) -> Mapping[str, Path]:
    """The scenario files that the package `beachhead_scenarios` ships for a system, by name."""
    folders = [place / system for place in _scenario_folders()]
    return {
        path.name.removesuffix(s): path
        for f in folders
        if f.is_dir()
        for path in sorted(f.iterdir())
        for s in suffixes
        if path.name.endswith(s)
    }


def scenarios(system: str | None = None) -> tuple[str, ...]:
    """The scenarios known, as `system/name`."""
    names = systems() if system is None else (system,)
    return tuple(f"{name}/{scenario}" for name in names for scenario in find_system(name).scenarios())


def endings() -> tuple[str, ...]:
    """What the names of scenario files end in, whatever system reads them."""
    return tuple([suffix for name in systems() for suffix in find_system(name).suffixes])


def find_scenario(source: str | Path) -> tuple[System[Any], Source]:
    """The system and the source for a scenario's name (`system/name`) or a path to its file.

    Raises:
        UnknownName: there is no such scenario or file, or no system reads files of that ending.
        TypeError: it is neither a name nor a path.
    """
    if not isinstance(source, str | Path):
        raise TypeError(f"{source!r} is no scenario: give its name ({', '.join(scenarios())}), or the path of its file")
    text, path = str(source), Path(source)
    if path.is_file():
        readers = [s for name in systems() for s in (find_system(name),) if path.name.endswith(s.suffixes)]
        if not readers:
            raise UnknownName(f"{text}: no system reads files of this ending; known: {', '.join(endings())}")
        return readers[0], Source(path.name, path)
    name, _, scenario = text.partition("/")
    if name in systems():
        found = find_system(name)
        known = found.scenarios()
        if scenario in known:
            return found, Source(text, known[scenario])
        raise UnknownName(
            f"no scenario {text!r}{nearest(scenario, known, f'{name}/')}; known: {', '.join(f'{name}/{s}' for s in known)}"
        )
    raise UnknownName(
        f"{text!r} is neither a file nor a scenario{nearest(text, scenarios())}; known: {', '.join(scenarios())}"
    )
