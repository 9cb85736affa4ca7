"""The terrain and troop tables: what each row does, as typed fields, each with the rules that say so.

The rows stand in `data/terrain.toml` and `data/troops.toml`, whose headers say what each field means. They load on first use.

>>> forest = terrain("forest")
>>> forest.protection[BaseType.ARMOR], forest.cites["protection"]
(-2, ('m44:terrain.forest.protect',))
>>> troop("artillery").dice
(3, 3, 2, 2, 1, 1)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from attrs import NOTHING, Factory, evolve, field, fields, fields_dict, frozen

from beachhead.enums import Named
from beachhead.errors import RulesError, UnknownName
from beachhead.rules import cited
from beachhead.spelling import nearest

FOLDER = Path(__file__).parent


class Side(Named, StrEnum):
    """The two sides."""

    AXIS = "AXIS"
    ALLIES = "ALLIES"

    @property
    def other(self) -> Side:
        """The enemy."""
        return Side.ALLIES if self is Side.AXIS else Side.AXIS

    def does(self, verb: str) -> str:
        """The side and what it does: "Axis plays", "Allies play"."""
        return f"{self} {verb}{'s' if self is Side.AXIS else ''}"

    def __str__(self) -> str:
        return self.value.capitalize()


class BaseType(Named, StrEnum):
    """What a troop counts as wherever its own lines are silent (m44:troop.general.base_type)."""

    INFANTRY = "infantry"
    ARMOR = "armor"
    ARTILLERY = "artillery"
    TRAIN = "train"
    SHIP = "ship"


class Kind(Named, StrEnum):
    """What lies in the hex: an obstacle can lie on terrain, and then only the better of their dice reductions counts."""

    TERRAIN = "terrain"
    LANDMARK = "landmark"
    BRIDGE = "bridge"
    OBSTACLE = "obstacle"
    HEXSIDE = "hexside"


class Condition(Named, StrEnum):
    """When the protection of a terrain holds (the starred figures)."""

    ALWAYS = "always"
    FROM_BELOW = "from_below"
    ORIGINAL_OWNER = "original_owner"
    ON_COUNTRYSIDE_OR_BEACH = "on_countryside_or_beach"
    BEHIND_WALL = "behind_wall"
    FROM_BELOW_OR_OTHER_RANGE = "from_below_or_other_range"
    JAPANESE_FROM_BELOW_OR_OTHER_RANGE = "target_japanese_and_(from_below_or_other_range)"


class Occupant(Named, StrEnum):
    """Whose flags a terrain lets be ignored."""

    ANY = "any"
    INFANTRY = "infantry"
    ORIGINAL_OWNER = "original_owner"
    BEHIND_WALL = "behind_wall"
    JAPANESE = "japanese"


class BlocksSight(Named, StrEnum):
    """Whether a hex obstructs a sight line that crosses it."""

    NO = "no"
    YES = "yes"
    EXCEPT_SAME_HEIGHT = "except_contiguous_same_height"
    TWO_OR_MORE = "two_or_more_contiguous"


def _changes(value: Mapping[str, int]) -> Mapping[BaseType, int]:
    return {BaseType(base): change for base, change in value.items()}


def _types(value: Iterable[str]) -> frozenset[BaseType]:
    return frozenset(map(BaseType, value))


def _names(value: Iterable[str]) -> frozenset[str]:
    return frozenset(value)


def _sight(value: bool | str) -> BlocksSight:
    return (BlocksSight.YES if value else BlocksSight.NO) if isinstance(value, bool) else BlocksSight(value)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _citations(value: Mapping[str, str | Iterable[str]]) -> Mapping[str, tuple[str, ...]]:
    return {effect: cited(rules) for effect, rules in value.items()}


@frozen(cache_hash=True)
class Terrain:
    """One row of the terrain table; `data/terrain.toml` says what each effect means. `special` holds effects that no code plays yet."""

    id: str
    name: str
    kind: Kind = field(converter=Kind)
    rule_prefix: str
    called: str = ""
    built: bool = False
    protection: Mapping[BaseType, int] = field(factory=dict, converter=_changes, hash=False)
    protection_when: Condition = field(default=Condition.ALWAYS, converter=Condition)
    battle_out: Mapping[BaseType, int] = field(factory=dict, converter=_changes, hash=False)
    stop_on_enter: frozenset[BaseType] = field(default=frozenset(), converter=_types)
    stop_on_exit: frozenset[BaseType] = field(default=frozenset(), converter=_types)
    no_battle_on_enter: frozenset[BaseType] = field(default=frozenset(), converter=_types)
    no_battle_on_exit: frozenset[BaseType] = field(default=frozenset(), converter=_types)
    no_battle_inside: frozenset[BaseType] = field(default=frozenset(), converter=_types)
    impassable_to: frozenset[BaseType] = field(default=frozenset(), converter=_types)
    no_move_out: frozenset[BaseType] = field(default=frozenset(), converter=_types)
    no_retreat: frozenset[BaseType] = field(default=frozenset(), converter=_types)
    no_retreat_onto: bool = False
    enter_only_if_start_adjacent: bool = False
    max_move: int | None = None
    max_move_from: int | None = None
    take_ground: bool = False
    blocks_los: BlocksSight = field(default=BlocksSight.NO, converter=_sight)
    height: int = 0
    ignore_flags: int | Literal["all"] = 0
    ignore_flags_who: Occupant = field(default=Occupant.ANY, converter=Occupant)
    road_bonus: int = 0
    road_bonus_battle: int = 0
    covers: frozenset[str] = field(default=frozenset(), converter=_names)
    remove_instead_of_battle: frozenset[BaseType] = field(default=frozenset(), converter=_types)
    removed_by_entry: frozenset[BaseType] = field(default=frozenset(), converter=_types)
    removed_when_vacated: bool = False
    no_sandbags: bool = False
    special: Mapping[str, object] = field(factory=dict, hash=False)
    cites: Mapping[str, tuple[str, ...]] = field(factory=dict, converter=_citations, hash=False)
    notes: str = ""

    @property
    def noun(self) -> str:
        """What one hex of it is called in a sentence."""
        return self.called or self.id.replace("_", " ")

    @property
    def removable(self) -> bool:
        """Whether it can be taken off the board in play: then the state holds it, and not the scenario."""
        return bool(self.remove_instead_of_battle or self.removed_by_entry or self.removed_when_vacated)

    def without(self, effect: str) -> Terrain:
        """The row with one effect (and its cite) taken out: what a tool does that asks which case notices.

        >>> terrain("forest").without("protection").protection
        {}

        Raises:
            UnknownName: the row has no such effect.
        """
        return without(self, effect)


@frozen(cache_hash=True)
class Troop:
    """One row of the troop table; `data/troops.toml` says what each fact means. `special` holds facts that no code plays yet."""

    id: str
    name: str
    rule_prefix: str
    base: BaseType = field(converter=BaseType)
    built: bool = False
    figures: int = 1
    move: int = 0
    move_and_battle: int = 0
    can_battle: bool = False
    dice: tuple[int, ...] = field(default=(), converter=tuple)
    take_ground: bool = False
    overrun: bool = False
    retreat_max_per_flag: int = 1
    needs_los: bool = False
    ignores_terrain_protection: bool = False
    hit_on: frozenset[str] = field(default=frozenset(), converter=_names)
    hits_with: frozenset[str] = field(default=frozenset(), converter=_names)
    medal: bool = False
    capped: bool = False
    vehicle: bool = False
    special: Mapping[str, object] = field(factory=dict, hash=False)
    cites: Mapping[str, tuple[str, ...]] = field(factory=dict, converter=_citations, hash=False)
    notes: str = ""

    def rules(self, fact: str) -> tuple[str, ...]:
        """The rules that give a fact; the troop's own prefix where it has none."""
        return self.cites.get(fact, (self.rule_prefix,))

    def without(self, effect: str) -> Troop:
        """The row with one fact (and its cite) taken out, as `Terrain.without`.

        Raises:
            UnknownName: the row has no such fact, or cannot be without it (its base type).
        """
        return without(self, effect)


@frozen(cache_hash=True)
class TroopModifier:
    """What a scenario can put on any troop: depleted units (m44:troop.depleted.*)."""

    id: str
    name: str
    rule_prefix: str
    built: bool = False
    medal: bool = True
    capped: bool = False
    special: Mapping[str, object] = field(factory=dict, hash=False)
    cites: Mapping[str, tuple[str, ...]] = field(factory=dict, converter=_citations, hash=False)
    notes: str = ""

    def without(self, effect: str) -> TroopModifier:
        """The modifier with one effect (and its cite) taken out, as `Terrain.without`."""
        return without(self, effect)

    def on(self, troop: Troop) -> Troop:
        """The troop under this modifier, with the cites of what it changes.

        >>> depleted = modifier("depleted").on(troop("infantry"))
        >>> depleted.medal, depleted.cites["medal"]
        (False, ('m44:troop.depleted.no_medal',))
        """
        changed = {effect: getattr(self, effect) for effect in self.cites}
        return evolve(troop, **changed, cites={**troop.cites, **self.cites})


class Cited(Protocol):
    """A row of a table: what it does, each effect with its rules."""

    @property
    def id(self) -> str:
        """Its name in the table."""
        ...

    @property
    def cites(self) -> Mapping[str, tuple[str, ...]]:
        """The rules of each effect."""
        ...


Row = TypeVar("Row")

# What a row is, as against what it does: these need no cite.
_IDENTITY = frozenset({"id", "name", "called", "kind", "category", "rule_prefix", "built", "notes"})

# Effects in the data of rows that are not built. A row that becomes built moves them to fields of their own.
_SPECIAL: Mapping[str, frozenset[str]] = {
    "terrain": _words("""protection_special protection_special_when stop_when stop_exempt no_battle_exception overrun ignore_flags_mandatory
        take_ground_from_beach beach_step_cost beach_step_forbidden_to move_up_cost enter_only_from exit_only_to impassable_hexsides
        battle_adjacent_only artillery_range enter_roll"""),
    "troop": _words("""figures_min figures_max figures_german figures_russian ignore_flags road_bonus resupply zero_in zero_in_bonus hit_confirmation
        ignores_terrain_in_close_assault terrain_reduction_cap_close_assault ignores_terrain_if_stationary gains_terrain_protection
        battles_after_entering_any_terrain cannot_target hits_to_destroy hits_wagon hits_locomotive retreat_direction carries gun_on
        terrain_only cannot_enter cannot_enter_adjacent_to blocks_los start disguise_figures extra_order_in_section shells accessories
        dice_printed"""),
    "modifier": frozenset(),
    "card": frozenset(),
}


def terrain(id: str) -> Terrain:
    """The terrain row of that id.

    Raises:
        UnknownName: there is none; the nearest is named.
    """
    return _look_up("terrain", id, terrains())


def troop(id: str) -> Troop:
    """The troop row of that id.

    Raises:
        UnknownName: there is none; the nearest is named.
    """
    return _look_up("troop", id, troops())


def modifier(id: str) -> TroopModifier:
    """The modifier of that id ("depleted").

    Raises:
        UnknownName: there is none; the nearest is named.
    """
    return _look_up("modifier", id, modifiers())


@cache
def terrains() -> Mapping[str, Terrain]:
    """Every terrain row by its id."""
    rows = read_table(FOLDER / "data" / "terrain.toml", "terrain", Terrain, statements())
    for row in rows.values():
        for name in row.covers:
            _look_up("terrain", name, rows)
    return rows


@cache
def troops() -> Mapping[str, Troop]:
    """Every troop row by its id."""
    return read_table(FOLDER / "data" / "troops.toml", "troop", Troop, statements())


@cache
def modifiers() -> Mapping[str, TroopModifier]:
    """Every modifier by its id."""
    return read_table(FOLDER / "data" / "troops.toml", "modifier", TroopModifier, statements())


@cache
def statements() -> frozenset[str]:
    """The ids of `rules.toml`. They are picked out line by line: parsing the whole catalogue takes twenty times as long."""
    return frozenset(re.findall(r'^id = "(.*)"$', (FOLDER / "rules.toml").read_text("utf-8"), re.MULTILINE))


def uncovered(rows: Iterable[Terrain]) -> tuple[Terrain, ...]:
    """The rows of one hex that have an effect: without those that another of them covers, as a bridge covers its river.

    >>> [row.id for row in uncovered([terrain("river"), terrain("bridge")])]
    ['bridge']
    """
    present = tuple(rows)
    hidden = frozenset().union(*(row.covers for row in present))
    return tuple(row for row in present if row.id not in hidden)


class Cell(NamedTuple):
    """One effect of one row, with the rules that give it."""

    row: str
    effect: str
    rules: tuple[str, ...]


def cells(rows: Iterable[Cited]) -> tuple[Cell, ...]:
    """Every effect of these rows, in the order of the table.

    >>> cells([terrain("road")])[0]
    Cell(row='road', effect='blocks_los', rules=('m44:terrain.road.los',))
    """
    return tuple(Cell(row.id, effect, rules) for row in rows for effect, rules in row.cites.items())


def read_table(path: Path, kind: str, row_type: type[Row], known: frozenset[str]) -> dict[str, Row]:
    """The rows `[[kind]]` of a table file, by id.

    Args:
        path: the file.
        kind: "terrain", "troop" or "modifier".
        row_type: the class of its rows.
        known: the ids of the statements that may be cited.

    Raises:
        RulesError: an effect without a cite, a cite without its effect, an unknown field or value, an unknown statement, or an id twice.
    """
    import tomllib

    make: Any = row_type
    typed = frozenset(fields_dict(make)) - {"special"}
    rows: dict[str, Row] = {}
    for raw in tomllib.loads(path.read_text("utf-8")).get(kind, []):
        where = f"{path.name}: {kind} {raw.get('id', '?')}"
        unknown = raw.keys() - typed - _SPECIAL[kind]
        if unknown:
            name = min(unknown)
            raise RulesError(f"{where}: unknown field {name!r}{nearest(name, typed | _SPECIAL[kind])}")
        effects = raw.keys() - _IDENTITY - {"cites"}
        cites = raw.get("cites", {})
        if effects - cites.keys():
            raise RulesError(f"{where}: {min(effects - cites.keys())} has no cite")
        if cites.keys() - effects:
            raise RulesError(f"{where}: cites {min(cites.keys() - effects)}, which the row does not have")
        for effect, rules in cites.items():
            for rule in cited(rules):
                if rule not in known:
                    raise RulesError(f"{where}: {effect} cites {rule!r}, which is no statement{nearest(rule, known)}")
        special = {name: value for name, value in raw.items() if name in _SPECIAL[kind]}
        if special and raw.get("built"):
            raise RulesError(f"{where}: it is built, and {min(special)} is a field that no code plays")
        try:
            row = make(**{name: value for name, value in raw.items() if name not in special}, special=special)
        except (TypeError, ValueError) as error:
            raise RulesError(f"{where}: {error}") from error
        if row.id in rows:
            raise RulesError(f"{where}: the id stands there twice")
        rows[row.id] = row
    return rows


def _look_up(kind: str, id: str, rows: Mapping[str, Row]) -> Row:
    try:
        return rows[id]
    except KeyError:
        raise UnknownName(f"no {kind} {id!r}{nearest(id, rows)}") from None


def without(row: Row, effect: str) -> Row:
    """A row of any table with one effect (and its cite) taken out.

    Raises:
        UnknownName: it has no such effect, or cannot be without it.
    """
    known: Any = row
    if effect not in known.cites:
        raise UnknownName(f"{known.id} has no effect {effect!r}{nearest(effect, known.cites)}")
    changes: dict[str, Any] = {"cites": {name: rules for name, rules in known.cites.items() if name != effect}}
    if effect in known.special:
        changes["special"] = {name: value for name, value in known.special.items() if name != effect}
    else:
        default = getattr(fields(type(known)), effect).default
        if default is NOTHING:
            raise UnknownName(f"{known.id} cannot be without its {effect}")
        changes[effect] = default.factory() if isinstance(default, Factory) else default  # type: ignore[arg-type]
    changed: Row = evolve(known, **changes)
    return changed
