"""A system that is never played: its values have fields of every kind, for whoever writes and reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import IntEnum, StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, NamedTuple, NewType, TypeVar, final

from attrs import field, frozen

from beachhead.cup import Cup
from beachhead.dice import Reading
from beachhead.enums import Named
from beachhead.hexes import Direction, Hex, Hexside
from beachhead.play import Decision, Event, Setting, Unknown, by_key
from beachhead.rules import Breakdown

if TYPE_CHECKING:
    from parcel import Weight

T = TypeVar("T")
Ident = NewType("Ident", int)


class Size(Named, StrEnum):
    VERY_SMALL = "very small"
    LARGE = "large"


class Colour(Named):
    RED = (255, 0, 0)
    BLUE = (0, 0, 255)


class Away(Named):
    LOST = "lost"
    OFF_THE_MAP = "off the map"


class Weight(Named, IntEnum):
    LIGHT = 1
    HEAVY = 5


class Spot(NamedTuple):
    name: str
    hex: Hex


@frozen
class Box(Generic[T]):
    content: T
    spare: tuple[T, ...] = ()


@frozen
class Label:
    type: str
    _secret: int = 0
    length: int = field(init=False, eq=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "length", len(self.type))


@frozen
class Fragile:
    def read(self, face: Any, /) -> bool:
        return face > 1


@frozen(eq=False)
class Depot(Setting):
    shelves: int


DEPOT = Depot("depot", 3)


@frozen
class Parcel:
    """One field of each kind."""

    flag: bool
    number: int
    share: float
    name: str
    nothing: None
    size: Size
    colour: Colour
    weight: Weight
    direction: Direction
    spot: Spot
    side: Hexside
    part: Fraction
    ident: Ident
    grade: Literal["A", "B"]
    marked: Annotated[int, "anything"]
    path: tuple[Hex, ...]
    pair: tuple[int, str]
    empty: tuple[()]
    rows: tuple[tuple[int, ...], ...]
    row: Sequence[int]
    sizes: frozenset[Size]
    spots: AbstractSet[tuple[Hex, str]]
    by_name: Mapping[str, Hex]
    by_size: Mapping[Size, int]
    cup: Cup[Size]
    box: Box[Hex]
    bare: Box  # type: ignore[type-arg]
    label: Label
    place: Hex | Away
    hidden: str | Unknown | None
    coded: int | Weight
    number_or_share: int | float
    either: tuple[int, ...] | tuple[str, ...]
    either_map: Mapping[str, int] | Label
    sized: Size | Away | Colour
    boxes: Box[int] | Box[str]
    reading: Reading[bool]
    anything: Any
    breakdown: Breakdown
    later: Weight | None = None


@final
@frozen
class SendOff:
    """An action with whatever can be said in a line."""

    to: Hex
    size: Size
    express: bool
    path: tuple[Hex, ...]
    number: int
    name: str
    place: Hex | Away
    rows: tuple[tuple[int, ...], ...]
    hidden: str | Unknown | None
    weights: frozenset[Weight]
    box: Box[Hex] | Fragile
    side: Hexside
    spot: Spot
    both: tuple[int, str]
    grade: Literal["A", "B"]
    flags: tuple[bool, ...]
    part: Fraction
    anything: Any
    share: float = 0.5
    insured: bool = False


@final
@frozen
class Send:
    to: Hex


@final
@frozen
class Keep:
    pass


@frozen
class WhatToDo(Decision["State", SendOff | Send | Keep]):
    side: Size
    rule = "parcel:1"
    prompt = "send or keep"


@frozen
class Sent(Event["State"]):
    parcel: Parcel
    rule: str = "parcel:1"

    def fold(self, state: State) -> State:
        return state


@frozen
class State:
    setting: Depot = field(repr=by_key)
    parcels: tuple[Parcel, ...] = ()


class ParcelSystem:
    name, package, state = "parcel", __name__, State


PARCEL: Any = ParcelSystem()
