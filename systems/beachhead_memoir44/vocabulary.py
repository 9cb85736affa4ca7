"""The words of the `.m44` format: what each name in a scenario file stands for (`data/names.toml`, which says what the fields mean).

>>> word("terrain", "hillroad").rows, word("terrain", "hillroad").directions(2)
(('hill', 'road'), (2, 8))
>>> word("unit", "infger").side
Side.AXIS
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from attrs import field, fields_dict, frozen
from attrs.converters import optional

from beachhead.errors import RulesError, UnknownName
from beachhead.spelling import nearest
from beachhead_memoir44.tables import FOLDER, Side, terrains, troops

# The places of the format that have names of their own. "value" is a fixed word inside an option.
PLACES = ("terrain", "rect_terrain", "obstacle", "unit", "badge", "tag", "behavior", "option", "value")


@frozen
class Word:
    """One name of the format and what it stands for."""

    name: str
    layer: str
    rows: tuple[str, ...] = field(converter=tuple)
    link: str = ""
    links: tuple[int, ...] = field(default=(), converter=tuple)
    step: int = 2
    nation: str = ""
    side: Side | None = field(default=None, converter=optional(Side))
    figures: int | None = None
    on: tuple[str, ...] = field(default=(), converter=tuple)
    replaces: frozenset[str] = field(default=frozenset(), converter=frozenset)
    unit_rows: Mapping[str, str] = field(factory=dict, hash=False)
    single: str = ""
    unowned: str = ""
    nation_rules: str = ""
    unbuilt: bool = False
    confidence: str = "A"
    note: str = ""

    def directions(self, orientation: int) -> tuple[int, ...]:
        """Which ways the tile's links lead at an orientation from 1, in steps of 30 degrees counter-clockwise: 0 east, 2 north-east.

        >>> word("rect_terrain", "bridge").directions(2), word("terrain", "curve").directions(6)
        ((2, 8), (0, 8))
        """
        return tuple(sorted((code + self.step * (orientation - 1)) % 12 for code in self.links))


def word(layer: str, name: str) -> Word:
    """The word of that name in a place of the format.

    Raises:
        UnknownName: there is none; the nearest is named.
    """
    known = words()[layer]
    try:
        return known[name]
    except KeyError:
        raise UnknownName(f"no {layer} {name!r}{nearest(name, known)}") from None


@cache
def words() -> Mapping[str, Mapping[str, Word]]:
    """Every word, by the place where it stands and its name."""
    return read_words(FOLDER / "data" / "names.toml")


def read_words(path: Path) -> dict[str, dict[str, Word]]:
    """The vocabulary of a file.

    Raises:
        RulesError: an unknown field, layer or row, or a name twice in a layer.
    """
    import tomllib

    found: dict[str, dict[str, Word]] = {layer: {} for layer in PLACES}
    rows = terrains().keys() | troops().keys()
    for raw in tomllib.loads(path.read_text("utf-8")).get("name", []):
        one = _word(f"{path.name}: {raw.get('layer', '?')} {raw.get('name', '?')}", raw, rows)
        if one.name in found[one.layer]:
            raise RulesError(f"{path.name}: {one.layer} {one.name} stands there twice")
        found[one.layer][one.name] = one
    return found


def _word(where: str, raw: Mapping[str, Any], rows: frozenset[str] | set[str]) -> Word:
    unknown = raw.keys() - fields_dict(Word).keys()
    if unknown:
        raise RulesError(f"{where}: unknown field {min(unknown)!r}{nearest(min(unknown), fields_dict(Word))}")
    try:
        one = Word(**raw)
    except (TypeError, ValueError) as error:
        raise RulesError(f"{where}: {error}") from error
    if one.layer not in PLACES:
        raise RulesError(f"{where}: layer is one of {', '.join(PLACES)}")
    for row in (*one.rows, *one.replaces, *one.unit_rows.values(), one.single, one.unowned):
        if row and row not in rows:
            raise RulesError(f"{where}: {row!r} is no row of terrain.toml or troops.toml{nearest(row, rows)}")
    return one
