"""The state of a game: the whole of what the rules may depend on, but for what the beach fixes for good."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import lru_cache

from attrs import define, field, frozen

from beachhead.cup import Cup
from beachhead.enums import Named
from beachhead.errors import UnknownName
from beachhead.hexes import Hex
from beachhead.play import by_key
from beachhead.spelling import nearest
from beachhead.values import changer
from beachhead_koenig.beach import Away, Beach, Place
from beachhead_koenig.tables import STACKING_LIMIT, Phase, Side, term

_ALLIED = Side.ALLIED  # looking it up in the enum takes ten times as long


class Progress(Named):
    """How far a unit has come with its one Operation of the turn (7.0)."""

    READY = "has not operated"
    ENTERED = "has entered the map and may move on"
    MOVED = "has moved in a Combined Operation and may fire"
    FIRED = "has fired in a Combined Operation and may move"
    SWITCHED = "has changed to a Combined Operation and may fire and move"
    WAITING = "has changed to a Combined Operation and waits to fire in concert"
    DONE = "has finished its Operation"


@frozen
class Unit:
    """Where a unit is, how many Hits it has taken (0 to 2), and what it has done this turn."""

    place: Place = Away.WAITING
    hits: int = 0
    progress: Progress = Progress.READY


@frozen
class Support:
    """Points for this Game Turn that are not spent yet (6.0)."""

    allied_artillery: int = 0
    german_artillery: int = 0
    allied_support: int = 0

    def artillery(self, side: Side) -> int:
        """Artillery Points of a side."""
        return self.allied_artillery if side is Side.ALLIED else self.german_artillery

    def points(self, side: Side) -> int:
        """Allied Support Points; the German player never has any (6.2)."""
        return self.allied_support if side is Side.ALLIED else 0


@frozen
class Replacements:
    """Replacement Points that are left this night, and who spends the next (12.0)."""

    allied: int = 0
    german: int = 0
    next: Side = Side.ALLIED

    def of(self, side: Side) -> int:
        """The points of a side."""
        return self.allied if side is Side.ALLIED else self.german


@frozen
class Activation:
    """The formation whose HQ has been drawn (7.0).

    Attributes:
        current: the unit that began its Operation last; "" before the first.
        may_enter: a reinforcement may still come on (Juno 5.1).
        attached: units of other formations that work with this one (14.1).
    """

    formation: str
    current: str = ""
    may_enter: bool = False
    attached: tuple[str, ...] = ()


class Operation(Named, StrEnum):
    """What a unit is doing (7.0); redeployment is no Operation, but moves like one."""

    MOVEMENT = "Movement"
    FULL_FIRE = "Full Fire"
    COMBINED = "Combined"
    REDEPLOYMENT = "redeployment"
    """It moves at night (4.0)."""


class Supply(Named):
    """Where the Leadership marker is when neither player has it (14.1)."""

    SUPPLY = "the supply"


@define(eq=False)
class Occupation:
    """Who holds which hexes, as sets of hexes as the board has them."""

    allied: int = 0
    german: int = 0
    full: int = 0
    """Hexes with two units, of whatever side."""

    def of(self, side: Side) -> int:
        """The hexes in which units of a side stand."""
        return self.allied if side is _ALLIED else self.german

    def moved(self, side: Side, left: int, entered: int) -> Occupation:
        """The same when one unit of a side has left a hex and entered another; 0 stands for no hex."""
        own, enemy = (self.allied, self.german) if side is _ALLIED else (self.german, self.allied)
        full = self.full
        if not left & full or left & enemy:  # nobody else of its side stays there
            own &= ~left
        full &= ~left
        if entered & (own | enemy):
            full |= entered
        own |= entered
        return Occupation(own, enemy, full) if side is _ALLIED else Occupation(enemy, own, full)


@frozen(cache_hash=True)
class State:
    """A game as it stands.

    Attributes:
        units: in the order of the setting's roster.
        cup: the HQs that are still in the Command Cup, by name.
        activation: the formation that operates; None between two drawings.
        leadership: who has the Leadership marker.
        interdicted: hexes with an Interdiction marker.
        exits: how many units have left by each road, in the order of the setting's exits.
        drawings: how often the HQ of the reinforcements was drawn, where that is what lets them in (koenig:K-01).
    """

    setting: Beach = field(repr=by_key)
    units: tuple[Unit, ...]
    turn: int = 1
    phase: Phase = Phase.SET_UP
    support: Support = Support()
    cup: Cup[str] = field(factory=Cup[str])
    activation: Activation | None = None
    replacements: Replacements = Replacements()
    leadership: Side | Supply = Supply.SUPPLY
    interdicted: tuple[Hex, ...] = ()
    exits: tuple[int, ...] = ()
    drawings: int = 0

    def __str__(self) -> str:
        """The map, who stands where, and how the players stand."""
        from beachhead.terminal import position_text
        from beachhead_koenig import terminal

        return position_text(terminal, self)

    def _repr_svg_(self) -> str:
        from beachhead_koenig.picture import picture

        return picture(self)

    # -------------------------------------------------------- units
    def unit(self, name: str) -> Unit:
        """A unit by its name.

        Raises:
            UnknownName: there is none; the nearest is named.
        """
        try:
            return self.units[self.setting.number[name]]
        except KeyError:
            raise self._no_unit(name) from None

    def place(self, name: str) -> Place:
        """Where a unit is.

        Raises:
            UnknownName: there is none; the nearest is named.
        """
        try:
            return self.units[self.setting.number[name]].place
        except KeyError:
            raise self._no_unit(name) from None

    def _no_unit(self, name: str) -> UnknownName:
        return UnknownName(f"no unit {name!r}{nearest(name, self.setting.number)}")

    # -------------------------------------------------------- hexes
    def hex(self, place: Hex | str) -> Hex:
        """The hex of a label, or of a name on the map; a hex of the map is itself.

        Raises:
            ValueError: there is no such hex on this map.
        """
        board = self.setting.board
        if isinstance(place, str):
            return board.find(place)
        board.label(place)  # it says so if it is not on the map
        return place

    @property
    def occupation(self) -> Occupation:
        """Who holds which hexes."""
        latest = self.setting.latest
        units, held = latest[0] if latest else ((), Occupation())
        if units is not self.units:
            held = _occupied(self.setting, self.units, units, held)
            latest[:] = [(self.units, held)]
        return held

    @property
    def occupants(self) -> Mapping[Hex, tuple[int, ...]]:
        """The numbers of the units in each hex that holds any."""
        standing = self.setting.standing
        if standing:
            units, known = standing[0]  # taken at once: another game may put its own there
            if units is self.units:
                return known
        at: dict[Hex, tuple[int, ...]] = {}
        for i, unit in enumerate(self.units):
            if type(unit.place) is Hex:
                at[unit.place] = (*at.get(unit.place, ()), i)
        standing[:] = [(self.units, at)]
        return at

    def _in(self, hex: Hex | str) -> tuple[int, ...]:
        """The numbers of the units in a hex."""
        if type(hex) is str:
            hex = self.hex(hex)
        return self.occupants.get(hex, ())  # type: ignore[arg-type]

    def side_at(self, hex: Hex | str) -> Side | None:
        """Whose units stand in a hex, or at a label; None where nobody does, and where both sides fight."""
        sides = {self.setting.roster[i].side for i in self._in(hex)}
        return sides.pop() if len(sides) == 1 else None

    def at(self, hex: Hex | str, side: Side | str | None = None) -> tuple[str, ...]:
        """The units in a hex, or at a label or name on the map: those of one side or all, by name.

        Raises:
            ValueError: no such hex, or no such side.
        """
        if type(side) is str:
            side = term(Side, side)
        there = self._in(hex)
        if not there:
            return ()
        roster = self.setting.roster
        return tuple([roster[i].name for i in there if side is None or roster[i].side is side])

    def room(self, hex: Hex | str) -> int:
        """How many more units the stacking limit lets into a hex (8.2)."""
        return STACKING_LIMIT - len(self._in(hex))

    def enemies_near(self, hex: Hex | str, side: Side | str) -> tuple[str, ...]:
        """The enemies of a side in the neighbours of a hex."""
        enemy = term(Side, side).enemy
        return tuple([name for near in self.setting.board.neighbours(self.hex(hex)) for name in self.at(near, enemy)])

    def of(self, formation: str) -> tuple[str, ...]:
        """The units of a formation, wherever they are."""
        return self.setting.members.get(formation, ())

    def on_map(self, formation: str) -> tuple[str, ...]:
        """The units of a formation that are on the map."""
        units = self.units
        return tuple([name for name, i in self.setting.numbered.get(formation, ()) if type(units[i].place) is Hex])

    @property
    def active(self) -> Side | None:
        """The Active Player: whose formation operates (9.3.2)."""
        return None if self.activation is None else self.setting.sides[self.activation.formation]

    @property
    def operating(self) -> tuple[str, ...]:
        """The units that the activation lets operate: those of the formation and those attached to it, as far as they are on the map."""
        now = self.activation
        if now is None:
            return ()
        return (*self.on_map(now.formation), *(name for name in now.attached if type(self.place(name)) is Hex))

    @property
    def turn_name(self) -> str:
        """The name of the Game Turn."""
        return self.setting.track[self.turn - 1]

    @property
    def night(self) -> bool:
        """Whether it is a night turn."""
        return self.setting.night(self.turn)


def _occupied(beach: Beach, units: tuple[Unit, ...], before: tuple[Unit, ...], held: Occupation) -> Occupation:
    """Who holds which hexes, from who held them in another state: most often a single unit has moved since."""
    bits, roster = beach.bit, beach.roster
    if before:
        moved = [i for i, unit in enumerate(units) if unit is not before[i] and unit.place != before[i].place]
        if not moved:
            return held
        if len(moved) == 1:
            (i,) = moved
            return held.moved(roster[i].side, bits.get(before[i].place, 0), bits.get(units[i].place, 0))
    held = Occupation()
    for piece, unit in zip(roster, units, strict=True):
        held = held.moved(piece.side, 0, bits.get(unit.place, 0))
    return held


# The same few values come again and again: finding one costs less than making it, and a long game keeps it once.
unit_at: Callable[[Place, int, Progress], Unit] = lru_cache(maxsize=8192)(Unit)
activation_of: Callable[[str, str, bool, tuple[str, ...]], Activation] = lru_cache(maxsize=8192)(Activation)

# `changed`, where it is changed all the time
with_activation: Callable[..., State] = changer(State, "activation")
_with_units: Callable[..., State] = changer(State, "units")


def put(
    state: State, unit: str, place: Place | None = None, hits: int | None = None, progress: Progress | None = None
) -> State:
    """The state with something changed of one unit: its place, its Hits, or what it has done."""
    return put_unit(state, state.setting.number[unit], place, hits, progress)


def put_unit(
    state: State, i: int, place: Place | None = None, hits: int | None = None, progress: Progress | None = None
) -> State:
    """The same for the i-th unit."""
    units, latest = list(state.units), state.setting.latest
    unit = units[i]
    units[i] = unit_at(
        unit.place if place is None else place,
        unit.hits if hits is None else hits,
        unit.progress if progress is None else progress,
    )
    new = _with_units(state, units=tuple(units))
    if latest:
        known, held = latest[0]
        if known is state.units:  # who holds which hexes is handed on
            if place is not None and place != unit.place:
                bit = state.setting.bit
                held = held.moved(state.setting.roster[i].side, bit.get(unit.place, 0), bit.get(place, 0))
            latest[0] = (new.units, held)
    return new
