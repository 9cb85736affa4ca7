"""What a battle is made of: the scenario that is fixed for good, and the state that the rules may depend on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeVar

from attrs import Factory, field, frozen

from beachhead.board import Board
from beachhead.cup import Cup
from beachhead.enums import Named
from beachhead.hexes import Hex
from beachhead.play import Setting, Unknown
from beachhead.sight import SightMasks
from beachhead.values import changed as evolve
from beachhead_memoir44.cards import CardKind, Wing, find_card, kinds
from beachhead_memoir44.dice import Called
from beachhead_memoir44.m44.values import Objective, ScenarioFile, SuddenDeath
from beachhead_memoir44.tables import Side, Terrain, Troop, modifier, terrain, troop, uncovered

T = TypeVar("T")
MOST_REMEMBERED = 10_000

LINES = (7, 17)
"""The doubled columns where the lines between sections run (m44:section.lines_standard)."""


class Away(Named):
    """Where a unit is that stands in no hex."""

    ELIMINATED = "eliminated"


class Phase(Named, StrEnum):
    """The steps of a turn (m44:turn.order), and the deal before the first."""

    DEAL = "deal"
    PLAY_CARD = "play a command card"
    ORDER = "order"
    MOVE = "move"
    BATTLE = "battle"
    MOVE_AGAIN = "move again"
    DRAW = "draw a command card"
    OUT_OF_CARDS = "the draw pile is empty, and is not made anew"


# ------------------------------------------------------------ fixed by the scenario
@frozen
class Muster:
    """What a unit is, from the set-up on. `figures` is its strength at the start, which healing never exceeds."""

    troop_id: str
    side: Side
    figures: int
    nation: str = ""
    badge: str = ""
    depleted: bool = False
    medals: int = 1
    name: str = ""
    """A name of its own, where somebody gave it one."""

    @property
    def troop(self) -> Troop:
        """Its row of the troop table, as a depleted unit where it is one."""
        row = troop(self.troop_id)
        return modifier("depleted").on(row) if self.depleted else row

    @property
    def worth(self) -> int:
        """The medals that its elimination gives."""
        return self.medals if self.troop.medal else 0


@frozen
class EmptySection:
    """A medal for as long as the enemy of `side` has no unit in a section (m44:victory.empty_section)."""

    side: Side
    wing: Wing
    counts_for: int = 1


@frozen(eq=False)
class Scenario(Setting):
    """Everything that a battle does not change: board, terrain, who is there, medals, decks and game options."""

    name: str
    board: Board = field(eq=False)
    """Compared through the key, which holds its digest."""
    terrain: Mapping[Hex, tuple[str, ...]]
    """The rows of each hex that stay: terrain, landmarks, bridges, bunkers. Wire, sandbags and the like are in the state."""
    owners: Mapping[Hex, Side]
    """Who owned an obstacle at the start."""
    roster: tuple[Muster, ...]
    top: Side
    starting: Side
    hands: Mapping[Side, int]
    needed: Mapping[Side, int]
    objectives: tuple[Objective | EmptySection, ...] = ()
    sudden_death: tuple[SuddenDeath, ...] = ()
    sandbags: int | None = 12
    """The supply; None: as many as are wanted."""
    winner_without_cards: Side | None = None
    """Set where the discard pile is not reshuffled: who wins when the draw pile is empty (m44:deck.no_reshuffle)."""
    deck: Cup[str] = field(factory=Cup[str])
    """All the cards of the game."""
    choices: Mapping[str, str] = field(factory=dict)
    unread: tuple[str, ...] = ()
    file: ScenarioFile | None = field(default=None, eq=False, repr=False)
    """The scenario file it was made from: only a picture asks for it."""
    rows: Mapping[Hex, tuple[Terrain, ...]] = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(lambda self: {h: tuple(map(terrain, ids)) for h, ids in self.terrain.items()}, takes_self=True),
    )
    troops: tuple[Troop, ...] = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(lambda self: tuple(m.troop for m in self.roster), takes_self=True),
    )
    armies: Mapping[Side, tuple[int, ...]] = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(
            lambda self: {side: tuple(i for i, m in enumerate(self.roster) if m.side is side) for side in Side},
            takes_self=True,
        ),
    )
    masks: SightMasks = field(
        init=False, eq=False, repr=False, default=Factory(lambda self: SightMasks(self.board), takes_self=True)
    )
    caches: dict[str, dict[object, object]] = field(init=False, eq=False, repr=False, factory=dict)
    latest: list[Index] = field(init=False, eq=False, repr=False, factory=list)
    """The index of the state that came last; states follow one another."""

    def ruling(self, name: str) -> str:
        """The choice that holds for a ruling."""
        return self.choices[f"m44:{name}"]

    def cache(self, name: str) -> dict[object, object]:
        """A dictionary for what follows from the scenario alone."""
        return self.caches.setdefault(name, {})

    def remembered(self, name: str, key: object, find: Callable[[], T]) -> T:
        """What follows from the scenario and the key: found once, and kept until too much is."""
        known = self.cache(name)
        found = known.get(key)
        if found is None:
            if len(known) > MOST_REMEMBERED:
                known.clear()
            found = known[key] = find()
        return found  # type: ignore[return-value]

    def height(self, hex: Hex) -> int:
        """Of the ground in a hex: 0 for level ground (m44:terrain.general.from_below)."""
        return max((row.height for row in self.rows.get(hex, ())), default=0)

    def plateau(self, hex: Hex) -> frozenset[Hex]:
        """The connected raised hexes of the same height that this one belongs to; empty on level ground (m44:terrain.general.contiguous)."""
        plateaus = self.cache("plateau")
        if not plateaus:
            heights = {h: self.height(h) for h in self.board}
            for height in sorted({*heights.values()} - {0}):
                for group in self.board.groups(lambda h, height=height: heights[h] == height):  # type: ignore[misc]
                    plateaus.update(dict.fromkeys(group, group))
            plateaus[None] = None
        return plateaus.get(hex, frozenset())  # type: ignore[return-value]

    def ground(self, obstacles: frozenset[tuple[Hex, str]]) -> Mapping[Hex, tuple[Terrain, ...]]:
        """What lies in each hex and has an effect, with these obstacles on the board."""
        return self.remembered("ground", obstacles, lambda: self._ground(obstacles))

    def _ground(self, obstacles: frozenset[tuple[Hex, str]]) -> Mapping[Hex, tuple[Terrain, ...]]:
        lying: dict[Hex, list[Terrain]] = {hex: list(rows) for hex, rows in self.rows.items()}
        for hex, name in sorted(obstacles):
            lying.setdefault(hex, []).append(terrain(name))
        return {hex: uncovered(rows) for hex, rows in lying.items()}

    def rear(self, side: Side) -> int:
        """The row step towards a side's own baseline."""
        return -1 if side is self.top else 1

    def wings(self, hex: Hex) -> frozenset[Wing]:
        """The sections a hex belongs to: two where a line runs through it (m44:section.even_rows, m44:section.odd_rows)."""
        wings = self.cache("wings")
        if hex not in wings:
            column, _ = hex.doubled
            west, east = LINES
            inside = {Wing.WEST: column <= west, Wing.CENTRE: west <= column <= east, Wing.EAST: column >= east}
            wings[hex] = frozenset(wing for wing, there in inside.items() if there)
        return wings[hex]  # type: ignore[return-value]

    def index(self, units: tuple[Unit, ...], obstacles: frozenset[tuple[Hex, str]]) -> Index:
        """What follows from these units and obstacles: that of the last state which asked, where it stood on the very same."""
        latest = self.latest[0] if self.latest else None
        if latest is None or latest.units is not units or latest.obstacles is not obstacles:
            latest = Index(self, units, obstacles)
            self.latest[:] = (latest,)
        return latest


# ------------------------------------------------------------ what changes
@frozen(cache_hash=True)
class Unit:
    """What changes of a unit: where it stands, and how many figures it has."""

    hex: Hex | Away
    figures: int


@frozen(cache_hash=True)
class Hand:
    """A side's command cards. In another side's view they are only counted: `hidden`."""

    cards: Cup[str] = field(factory=Cup[str])
    hidden: int = 0

    @property
    def size(self) -> int:
        """How many cards it has."""
        return self.cards.size + self.hidden


@frozen(cache_hash=True)
class Pile:
    """The draw pile. `pool` are the cards that may be in it for all the viewer knows; the truth knows exactly `size` of them."""

    pool: Cup[str] = field(factory=Cup[str])
    size: int = 0


@frozen(cache_hash=True)
class Orders:
    """What an ordered unit has done this turn, and what that forbids it; each ban is the rules that say so."""

    unit: int
    moved: bool = False
    battles: int = 0
    no_battle: tuple[str, ...] = ()
    no_ground: tuple[str, ...] = ()


@frozen(cache_hash=True)
class Turn:
    """The card played, the order it gives, and the units that have it."""

    card: str = ""
    kind_id: str = ""
    """The kind whose order is carried out: the card's own, or the one that Counter-Attack copies."""
    wing: Wing | None = None
    substitute: bool = False
    symbols: Called = field(factory=Called)
    orders: tuple[Orders, ...] = ()
    ambushes: int = 0
    drawn: tuple[str | Unknown, ...] = ()
    """Cards drawn of which one is kept, as far as the viewer knows them."""

    @property
    def kind(self) -> CardKind | None:
        """The kind whose order is carried out."""
        return kinds().get(self.kind_id)

    @property
    def copied(self) -> bool:
        """Whether Counter-Attack carries out another card's order."""
        return bool(self.card) and find_card(self.card).kind_id != self.kind_id

    @property
    def own_numbers(self) -> tuple[str, ...]:
        """The rule by which numbers of a copied order are the player's own; none for the order of a card of his own."""
        return ("m44:card.counter_attack.own_numbers",) if self.copied else ()


@frozen
class Given:
    """The order a side gave in its last turn: what Counter-Attack copies."""

    kind_id: str
    wing: Wing | None = None


@frozen(eq=False)
class Index:
    """What follows from where the units stand and what obstacles lie about, found when first asked for. States in which neither has changed share it."""

    setting: Scenario
    units: tuple[Unit, ...]
    obstacles: frozenset[tuple[Hex, str]]
    memo: dict[object, object] = field(factory=dict)
    """For what others remember."""

    @cached_property
    def by_hex(self) -> Mapping[Hex, int]:
        """The unit in each hex."""
        return {hex: i for i, unit in enumerate(self.units) if type(hex := unit.hex) is Hex}

    @cached_property
    def armies(self) -> Mapping[Side, tuple[int, ...]]:
        """Each side's units on the board."""
        on_board = set(self.by_hex.values())
        return {side: tuple([i for i in army if i in on_board]) for side, army in self.setting.armies.items()}

    @cached_property
    def held(self) -> Mapping[Side, int]:
        """The hexes in which each side's units stand, as masks of the board."""
        mask, units = self.setting.board.mask, self.units
        return {side: mask([units[i].hex for i in army]) for side, army in self.armies.items()}  # type: ignore[misc]

    @cached_property
    def ground(self) -> Mapping[Hex, tuple[Terrain, ...]]:
        """What lies in each hex and has an effect."""
        return self.setting.ground(self.obstacles)


@frozen(cache_hash=True)
class State:
    """A battle at one moment: all that the rules may depend on."""

    setting: Scenario = field(repr=lambda setting: setting.key)
    units: tuple[Unit, ...]
    obstacles: frozenset[tuple[Hex, str]] = frozenset()
    """Wire, sandbags and others that may come and go."""
    hands: tuple[Hand, Hand] = (Hand(), Hand())
    """Of the Axis and of the Allies."""
    pile: Pile = Pile()
    discard: Cup[str] = field(factory=Cup[str])
    active: Side = Side.ALLIES
    phase: Phase = Phase.DEAL
    turn: Turn = Turn()
    given: tuple[Given | None, Given | None] = (None, None)
    medals: tuple[int, int] = (0, 0)
    """Won for good: for units and permanent objectives."""
    held: tuple[Side | None, ...] = ()
    """Who holds each objective."""
    index: Index = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(lambda self: self.setting.index(self.units, self.obstacles), takes_self=True),
    )

    def __str__(self) -> str:
        """The board, who stands where, and what is still to be won."""
        from beachhead.terminal import position_text
        from beachhead_memoir44 import terminal

        return position_text(terminal, self)

    def _repr_svg_(self) -> str:
        from beachhead_memoir44.picture import picture

        return picture(self)

    # -------------------------------------------------------- units
    def unit_at(self, hex: Hex) -> int | None:
        """The unit in a hex, or None."""
        return self.index.by_hex.get(hex)

    @property
    def occupied(self) -> int:
        """The hexes in which units stand, as a mask of the board."""
        held = self.index.held
        return held[Side.AXIS] | held[Side.ALLIES]

    def on_board(self, unit: int) -> bool:
        """Whether the unit still stands in a hex."""
        return isinstance(self.units[unit].hex, Hex)

    def place(self, unit: int) -> Hex:
        """The hex of a unit that is on the board."""
        hex = self.units[unit].hex
        assert isinstance(hex, Hex), "an eliminated unit has no hex"
        return hex

    def side(self, unit: int) -> Side:
        """Whose unit it is."""
        return self.setting.roster[unit].side

    def troop(self, unit: int) -> Troop:
        """What it is."""
        return self.setting.troops[unit]

    def of(self, side: Side) -> tuple[int, ...]:
        """A side's units on the board."""
        return self.index.armies[side]

    def enemies_near(self, hex: Hex, side: Side) -> tuple[int, ...]:
        """The enemies of a side next to a hex."""
        board, roster = self.setting.board, self.setting.roster
        if not self.index.held[side.other] & board.within_mask(hex, 1):
            return ()
        found = map(self.unit_at, board.neighbours(hex))
        return tuple([i for i in found if i is not None and roster[i].side is not side])

    def name(self, unit: int) -> UnitName:
        """The unit as a player names it, once somebody reads it: side, troop and hex."""
        return UnitName(self, unit)

    def label(self, hex: Hex) -> str:
        """The hex as it is written on the board."""
        return self.setting.board.label(hex)

    # -------------------------------------------------------- ground
    def rows(self, hex: Hex) -> tuple[Terrain, ...]:
        """What lies in a hex and has an effect: terrain, bridge, bunker, wire, sandbags."""
        return self.index.ground.get(hex, ())

    def obstacle(self, hex: Hex, name: str) -> bool:
        """Whether a removable obstacle lies there."""
        return (hex, name) in self.obstacles

    # -------------------------------------------------------- orders, hands, medals
    def orders(self, unit: int) -> Orders | None:
        """What an ordered unit has done; None for one without an order."""
        for orders in self.turn.orders:
            if orders.unit == unit:
                return orders
        return None

    def hand(self, side: Side) -> Hand:
        """A side's cards."""
        return self.hands[side is Side.ALLIES]

    def last_given(self, side: Side) -> Given | None:
        """The order that a side gave in its last turn."""
        return self.given[side is Side.ALLIES]

    def medals_of(self, side: Side) -> int:
        """The medals a side has: won for good, and of the objectives it holds now."""
        medals = self.medals[side is Side.ALLIES]
        if side in self.held:
            for what, holder in zip(self.setting.objectives, self.held, strict=True):
                if holder is side and (isinstance(what, EmptySection) or not what.permanent):
                    medals += what.counts_for
        return medals


@frozen(repr=False)
class UnitName:
    """The name of a unit, put together only when it is read."""

    state: State
    unit: int

    def __str__(self) -> str:
        setting, hex = self.state.setting, self.state.units[self.unit].hex
        where = f" at {self.state.label(hex)}" if isinstance(hex, Hex) else ""
        return f"{setting.roster[self.unit].side} {setting.troops[self.unit].name.lower()}{where}"

    def __repr__(self) -> str:
        return repr(str(self))

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


def put(values: tuple, side: Side, value: object) -> tuple:  # type: ignore[type-arg]
    """The pair (Axis, Allies) with one of them changed."""
    return (values[0], value) if side is Side.ALLIES else (value, values[1])


def changed(state: State, unit: int, **changes: Any) -> State:
    """The state with something changed of one unit."""
    units = state.units
    return evolve(state, units=(*units[:unit], evolve(units[unit], **changes), *units[unit + 1 :]))


def ordered(state: State, unit: int, **changes: Any) -> State:
    """The state with something changed of an ordered unit's orders; nothing where it has none."""
    orders = tuple(evolve(o, **changes) if o.unit == unit else o for o in state.turn.orders)
    return evolve(state, turn=evolve(state.turn, orders=orders))


def by_type(troop: Troop, row: Terrain, effect: str) -> tuple[str, ...]:
    """The rules by which what a terrain does to a type holds for a troop of that type (m44:terrain.general.specialised_types)."""
    rules = row.cites[effect]
    return rules if troop.id == troop.base else (*rules, "m44:terrain.general.specialised_types")


def on_base(troop: Troop) -> tuple[str, ...]:
    """The rules by which a specialised troop does what its base type does; none for the base types themselves (m44:troop.general.base_type)."""
    return () if troop.id == troop.base else troop.rules("base")
