"""The command cards: what each kind does, as typed fields with their rules, and the standard deck of sixty.

>>> card = find_card("probe_left")
>>> card.name, card.kind.orders, card.kind.cites["orders"][0]
('Probe Left', 2, 'm44:card.probe.order')
>>> standard_deck().size
60
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Literal

from attrs import field, frozen

from beachhead.cup import Cup
from beachhead.enums import Named
from beachhead.errors import UnknownName
from beachhead.spelling import nearest
from beachhead_memoir44.tables import FOLDER, BaseType, Side, _citations, _types, read_table, statements


class Wing(Named, StrEnum):
    """The three sections of the board by the compass, row 0 lying north (m44:section.three)."""

    WEST = "west"
    CENTRE = "centre"
    EAST = "east"


class Section(Named, StrEnum):
    """A section as a player calls it from his own seat."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"

    def wing(self, *, top: bool) -> Wing:
        """Where that is for the player who sits at the top or at the bottom (m44:section.seat_top, m44:section.seat_bottom)."""
        if self is Section.CENTRE:
            return Wing.CENTRE
        return Wing.WEST if (self is Section.LEFT) != top else Wing.EAST


class Effect(Named, StrEnum):
    """What the player of a card does."""

    ORDER = "order"
    DIG_IN = "dig_in"
    AIR_POWER = "air_power"
    BARRAGE = "barrage"
    MEDICS = "medics"
    FINEST_HOUR = "finest_hour"
    COUNTER_ATTACK = "counter_attack"
    AMBUSH = "ambush"


class Contact(Named, StrEnum):
    """Whether an ordered unit must or must not stand next to an enemy."""

    ANY = "any"
    REQUIRED = "required"
    FORBIDDEN = "forbidden"


def _dice(value: Mapping[str, int]) -> Mapping[Side, int]:
    return {Side(side): n for side, n in value.items()}


@frozen(cache_hash=True)
class CardKind:
    """One row of the card table; `data/cards.toml` says what each field means."""

    id: str
    name: str
    category: Literal["section", "tactic"]
    built: bool = True
    copies: Mapping[str, int] = field(factory=dict, hash=False)
    effect: Effect = field(default=Effect.ORDER, converter=Effect)
    sections: Literal["named", "each", "flanks", "chosen", "any"] = "any"
    orders: int | Literal["all"] = 0
    types: frozenset[BaseType] = field(default=frozenset(), converter=_types)
    contact: Contact = field(default=Contact.ANY, converter=Contact)
    substitute: bool = False
    no_move: bool = False
    move: int | None = None
    move_and_battle: int | None = None
    second_move: int = 0
    free_of_terrain: bool = False
    battles: int = 1
    close_bonus: int = 0
    fire_bonus: int = 0
    overrun_bonus: bool = False
    fire_only: bool = False
    dice: Mapping[Side, int] = field(factory=dict, converter=_dice, hash=False)
    targets: int = 0
    stars_hit: bool = False
    flags_stand: bool = False
    draw: int = 1
    reshuffle: bool = False
    special: Mapping[str, object] = field(factory=dict, hash=False)
    cites: Mapping[str, tuple[str, ...]] = field(factory=dict, converter=_citations, hash=False)
    notes: str = ""

    def rules(self, effect: str) -> tuple[str, ...]:
        """The rules that give an effect; the card's own section of the catalogue where it has none (a knocked-out cell)."""
        return self.cites.get(effect, (f"m44:card.{self.id}",))


@frozen(cache_hash=True)
class Card:
    """A card of the deck: its kind, and its section if it has one of its own."""

    id: str
    kind_id: str
    section: Section | None = None

    @property
    def kind(self) -> CardKind:
        """What cards of this kind do."""
        return kinds()[self.kind_id]

    @property
    def name(self) -> str:
        """The card's name, with its section."""
        return f"{self.kind.name} {self.section.capitalize()}" if self.section else self.kind.name


@cache
def kinds() -> dict[str, CardKind]:
    """Every kind of card by its id."""
    return read_table(FOLDER / "data" / "cards.toml", "card", CardKind, statements())


@cache
def cards() -> Mapping[str, Card]:
    """Every card that the standard deck knows, by its id."""
    found = {}
    for kind in kinds().values():
        for where in kind.copies:
            section = None if where == "none" else Section(where)
            card = Card(f"{kind.id}_{section}" if section else kind.id, kind.id, section)
            found[card.id] = card
    return found


def find_card(card: str) -> Card:
    """The card of this id.

    Raises:
        UnknownName: there is none; the nearest is named.
    """
    try:
        return cards()[card]
    except KeyError:
        raise UnknownName(f"no card {card!r}{nearest(card, cards())}") from None


def standard_deck() -> Cup[str]:
    """The sixty cards of the standard deck (m44:deck.composition)."""
    return Cup({card.id: card.kind.copies[card.section or "none"] for card in cards().values()})
