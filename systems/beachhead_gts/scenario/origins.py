"""Where figures come from: the rules' text, a printed game, or ourselves, after a game or after none; and that in sentences."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from attrs import field, frozen

from beachhead.rules import Provenance
from beachhead.scenario_values import SOURCES, Sources, Value
from beachhead.sentences import listed, runs

KEYS = (*SOURCES, "game", "after")
"""What any table may say of its figures: whence they are, the printed game that has them, and the one that authored ones follow."""


@frozen
class Origin:
    """Where a figure comes from.

    Attributes:
        game: where it is published, the game that has it; where it is authored, the one that it follows, or "".
    """

    provenance: Provenance = Provenance.AUTHORED
    game: str = ""

    def __str__(self) -> str:
        word = {Provenance.PUBLISHED: "in", Provenance.AUTHORED: "after", Provenance.TEXT: "in"}[self.provenance]
        return f"{self.provenance.value} {word} {self.game}" if self.game else self.provenance.value


@frozen
class Origins:
    """What a table says of its figures, and the tables around it."""

    sources: Sources
    games: Mapping[Provenance, str]

    @classmethod
    def read(cls, fields: Mapping[str, Value], figures: Collection[str], around: Origins | None = None) -> Origins:
        """What a table says of its figures."""
        games = dict(around.games) if around else {}
        for key, provenance in (("game", Provenance.PUBLISHED), ("after", Provenance.AUTHORED)):
            if key in fields:
                games[provenance] = fields[key].text()
        return cls(Sources.read(fields, figures, around.sources if around else None), games)

    def of(
        self,
        figures: Collection[str],
        given: Collection[str] = (),
        text: Mapping[str, tuple[Value, str]] | None = None,
        doubtful: Collection[str] = (),
    ) -> dict[str, Origin]:
        """The origin of each figure; `given`, `text` and `doubtful` are those of `Sources.of`."""
        found: dict[str, Origin] = {}
        for figure, provenance in self.sources.of(figures, given, doubtful=doubtful, text=text).items():
            game = self.games.get(provenance)
            said = self.sources.said(figure)
            if provenance is Provenance.PUBLISHED and game is None and said is not None:
                said.fault(
                    "no game is named in which it is published", 'game = "..." beside it, or at the top of the file'
                )
            found[figure] = Origin(provenance, game or "")
        return found


# ------------------------------------------------------------ in sentences
_HEAD = re.compile(r" (?:at|for|in|of|on|or|that) ")
"""What comes after the word that the verb agrees with."""


@frozen
class Told:
    """Some things of a kind and where their figures come from.

    Attributes:
        kind: what they are called if all of them are meant: "Divisions"; "" where a figure belongs to nothing but the scenario.
        origins: for each figure, in words, the origin that it has for each thing.
        joint: what stands between figures and things.
    """

    kind: str = ""
    origins: Mapping[str, Mapping[str, Origin]] = field(factory=dict)
    joint: str = "of"


def alone(**figures: Origin) -> Told:
    """Figures that belong to no thing of a kind; `_` stands for a blank."""
    return Told("", {name.replace("_", " "): {"": origin} for name, origin in figures.items()})


def sentences(told: Iterable[Told], provenance: Provenance) -> Iterator[str]:
    """What has this provenance, things and figures with the same origin in one sentence.

    >>> ours = Origin()
    >>> divisions = Told("Divisions", {"Command Rating": {"3": ours, "21": ours}, "points": {"3": ours, "21": Origin(Provenance.TEXT)}})
    >>> print(*sentences([alone(map=ours, turn_track=ours), divisions], Provenance.AUTHORED), sep="\\n")
    The map and turn track are authored.
    The Command Rating of all Divisions is authored.
    The points of 3 are authored.
    """
    for each in told:
        figures: dict[tuple[tuple[str, ...], Origin], list[str]] = {}
        for figure, origins in each.origins.items():
            for origin in dict.fromkeys(origins.values()):
                names = tuple(name for name, of in origins.items() if of == origin)
                whole = each.kind and len(names) == len(origins)
                figures.setdefault((("all " + each.kind,) if whole else names, origin), []).append(figure)
        for (names, origin), words in figures.items():
            if origin.provenance is provenance:
                whose = f" {each.joint} {listed(runs(names))}" if any(names) else ""
                are = "are" if len(words) > 1 or _HEAD.split(words[0])[0].endswith("s") else "is"
                yield f"The {listed(words)}{whose} {are} {origin}."
