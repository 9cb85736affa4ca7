"""What a game is made of: the beach that is fixed for good, and the state that the rules may depend on."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from attrs import Factory, define, field, frozen

from beachhead.board import Board
from beachhead.cup import Cup
from beachhead.enums import Named
from beachhead.hexes import Hex
from beachhead.play import Setting, by_key
from beachhead.rules import Chart
from beachhead.values import changed
from beachhead_koenig.reach import Ground, Reach, make_ground
from beachhead_koenig.tables import STACKING_LIMIT, Phase, Side, UnitType

MOST_GROUNDS = 300
_ALLIED = Side.ALLIED  # looking it up in the enum takes ten times as long


class Away(Named):
    """Where a unit is that stands in no hex."""

    WAITING = "off the map"
    """It has not landed or entered yet."""
    EXITED = "exited"
    """It left by its own movement (Juno 13.0)."""
    RETREATED = "retreated off the map"
    """It is out of play, and not eliminated (11.1)."""
    ELIMINATED = "eliminated"


Place = Hex | Away


# ------------------------------------------------------------ fixed by the scenario
@frozen
class SetUp:
    """On the map from the start (3.0)."""

    hex: Hex


@frozen
class Lands:
    """Lands on a beach hex on this Game Turn (5.0)."""

    turn: int
    hex: Hex


@frozen
class Enters:
    """Enters by a road from off the map when its HQ is drawn (Juno 5.1)."""


@frozen
class Formation:
    """The units that one HQ activates. `name` is its HQ's name (7.0)."""

    name: str
    side: Side
    title: str = ""
    colour: str = "#888888"


@frozen
class Piece:
    """What is printed on a unit: it never changes. `authored` marks figures that no printed source gives.

    Attributes:
        strength: Combat Strength in Strength Points.
        movement: Movement Allowance in Movement Points.
    """

    name: str
    side: Side
    formation: str
    type: UnitType
    strength: int
    movement: int
    arrives: SetUp | Lands | Enters
    title: str = ""
    authored: bool = True

    def __str__(self) -> str:
        return self.name


@frozen
class Exit:
    """A road off the map: by its printed number, and the hex from which units leave and into which they enter by it."""

    name: str
    hex: Hex


@frozen(eq=False)
class Beach(Setting):
    """Everything that a game does not change: map, units, charts, Game Turn track and game options."""

    title: str
    board: Board = field(eq=False)
    """Compared through the key, which holds its digest."""
    formations: tuple[Formation, ...]
    roster: tuple[Piece, ...]
    exits: tuple[Exit, ...]
    charts: Mapping[str, Chart]
    """The tables of the map, by name: "movement", "landing fire Morning", …, "allied support", "replacements Allied", "replacements German"."""
    track: tuple[str, ...]
    """The names of the Game Turns; those that are "Night" are night turns."""
    refit_chits: Cup[str] = field(factory=Cup[str])
    last_reinforcements: int = 4
    """The last Game Turn on which a reinforcement may enter (Juno 5.1)."""
    choices: Mapping[str, str] = field(factory=dict)
    authored: tuple[str, ...] = ()
    """What of it no printed source gives, in words."""
    number: Mapping[str, int] = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(lambda self: {piece.name: i for i, piece in enumerate(self.roster)}, takes_self=True),
    )
    """Units by their names."""
    steps: Mapping[Hex, tuple[tuple[Hex, int], ...]] = field(
        init=False, eq=False, repr=False, default=Factory(lambda self: _steps(self), takes_self=True)
    )
    """For each hex, the neighbours that units may step into from it, and what terrain, hexside and road make it cost (8.1)."""

    bit: Mapping[Hex, int] = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(lambda self: {hex: 1 << i for i, hex in enumerate(self.board.hexes)}, takes_self=True),
    )
    """For each hex, the set that holds it alone, as the board has sets."""
    edge: frozenset[Hex] = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(lambda self: frozenset(hex for hex in self.board if self.board.edge(hex)), takes_self=True),
    )
    """The hexes at which the map ends."""
    exit_indices: tuple[tuple[Exit, int], ...] = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(lambda self: tuple([(e, self.board.index(e.hex)) for e in self.exits]), takes_self=True),
    )
    members: Mapping[str, tuple[str, ...]] = field(
        init=False, eq=False, repr=False, default=Factory(lambda self: _members(self), takes_self=True)
    )
    """The units of each formation."""
    numbered: Mapping[str, tuple[tuple[str, int], ...]] = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(
            lambda self: {f: tuple([(u, self.number[u]) for u in units]) for f, units in self.members.items()},
            takes_self=True,
        ),
    )
    """The same with their numbers."""
    sides: Mapping[str, Side] = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(lambda self: {f.name: f.side for f in self.formations}, takes_self=True),
    )
    """Whose each formation is."""
    indirect_fire: bool = field(
        init=False, eq=False, repr=False, default=Factory(lambda self: self.plays("14.4"), takes_self=True)
    )
    """Whether Indirect Fire is in play."""
    fields_of_fire: Mapping[Hex, int] = field(
        init=False, eq=False, repr=False, default=Factory(lambda self: _fields_of_fire(self), takes_self=True)
    )
    """For each hex, the neighbours that can be fired at from it, as a set: no cliff lies between (9.2)."""
    ways_out: Mapping[Hex, int] = field(
        init=False, eq=False, repr=False, default=Factory(lambda self: _ways_out(self), takes_self=True)
    )
    """For each hex, the neighbours that a unit may retreat to if nobody is there, as a set (11.0)."""
    latest: list[tuple[tuple[Unit, ...], Occupation]] = field(
        init=False, eq=False, repr=False, factory=lambda: [((), Occupation({}, 0, 0, 0))]
    )
    """Who stands where in the state that was asked about last; states follow one another, and each would be long in finding it out anew."""
    reached: list[tuple[tuple[Unit, ...], str, int, tuple[Hex, ...], Reach] | None] = field(
        init=False, eq=False, repr=False, factory=lambda: [None]
    )
    """How far a unit came that was asked about last."""
    _grounds: dict[tuple[Hex, ...], Ground] = field(init=False, eq=False, repr=False, factory=dict)

    def ground(self, interdicted: tuple[Hex, ...]) -> Ground:
        """The steps that can be made with these hexes interdicted; the last few hundred are kept."""
        known = self._grounds.get(interdicted)
        if known is None:
            if len(self._grounds) > MOST_GROUNDS:
                self._grounds.clear()
            known = self._grounds[interdicted] = make_ground(self, interdicted)
        return known

    def choice(self, ruling: str) -> str:
        """What holds for a ruling that has choices: `choice("K-14")`."""
        return self.choices[f"koenig:{ruling}"]

    def plays(self, option: str) -> bool:
        """Whether an optional rule is in play: `plays("14.1")`."""
        return self.choices[f"koenig:{option}"] == "yes"

    def piece(self, unit: str) -> Piece:
        """What is printed on a unit."""
        return self.roster[self.number[unit]]

    def night(self, turn: int) -> bool:
        """Whether this Game Turn is a night turn."""
        return self.track[turn - 1] == "Night"

    @property
    def last_turn(self) -> int:
        """The number of the last Game Turn."""
        return len(self.track)

    @property
    def reinforced(self) -> frozenset[str]:
        """The formations with units that enter by road."""
        return frozenset(piece.formation for piece in self.roster if isinstance(piece.arrives, Enters))

    def formation(self, name: str) -> Formation:
        """A formation by its HQ's name."""
        return next(each for each in self.formations if each.name == name)


def _fields_of_fire(beach: Beach) -> dict[Hex, int]:
    board, bit = beach.board, beach.bit
    return {
        hex: sum(bit[near] for near in board.neighbours(hex) if "cliff" not in board.features(hex, near))
        for hex in board
    }


def _ways_out(beach: Beach) -> dict[Hex, int]:
    bit = beach.bit
    return {hex: sum(bit[near] for near, _ in steps) for hex, steps in beach.steps.items()}


def _members(beach: Beach) -> dict[str, tuple[str, ...]]:
    return {f.name: tuple([p.name for p in beach.roster if p.formation == f.name]) for f in beach.formations}


def _steps(beach: Beach) -> dict[Hex, tuple[tuple[Hex, int], ...]]:
    """What a step costs without units and interdiction; hexes without an entry cost, and those across a cliff, are no step."""
    from beachhead_koenig.ground import step_cost

    board = beach.board
    costs = {here: [(there, step_cost(beach, here, there)) for there in board.neighbours(here)] for here in board}
    return {
        here: tuple((there, sum(term.value for term in cost.terms)) for there, cost in around if cost is not None)
        for here, around in costs.items()
    }


# ------------------------------------------------------------ the state
class Progress(Named):
    """How far a unit has come with its one Operation of the turn (7.0)."""

    READY = "has not operated"
    ENTERED = "has entered the map and may move on"
    MOVED = "has moved in a Combined Operation and may fire"
    FIRED = "has fired in a Combined Operation and may move"
    SWITCHED = "has changed to a Combined Operation and may fire and move"
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
    """Who stands where: the numbers of the units in each hex, and sets of hexes as the board has them."""

    at: Mapping[Hex, tuple[int, ...]]
    allied: int
    german: int
    full: int
    """Hexes with two units, of whatever side."""

    def of(self, side: Side) -> int:
        """The hexes in which units of a side stand."""
        return self.allied if side is _ALLIED else self.german

    def moved(self, beach: Beach, unit: int, before: Place, after: Place) -> Occupation:
        """The same when one unit has gone from one place to another."""
        at, full, side = dict(self.at), self.full, beach.roster[unit].side
        own, bits = self.of(side), beach.bit
        if type(before) is Hex:
            rest = tuple([other for other in at[before] if other != unit])
            if rest:
                at[before] = rest
                full &= ~bits[before]
            else:
                del at[before]
            if not rest or beach.roster[rest[0]].side is not side:
                own &= ~bits[before]
        if type(after) is Hex:
            there = at.get(after, ())
            at[after] = tuple(sorted((*there, unit))) if there else (unit,)
            own |= bits[after]
            if there:
                full |= bits[after]
        return Occupation(at, own, self.german, full) if side is _ALLIED else Occupation(at, self.allied, own, full)


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
        from beachhead.terminal import board_lines
        from beachhead_koenig import terminal

        pieces = board_lines(self.setting.board, lambda hex: terminal.cell(self, hex))
        lines = ("".join(text for text, _ in line).rstrip() for line in pieces)
        return "\n".join((*lines, *terminal.legend(self), terminal.standing(self)))

    def _repr_svg_(self) -> str:
        from beachhead_koenig.picture import picture

        return picture(self)

    # -------------------------------------------------------- units
    def unit(self, name: str) -> Unit:
        """A unit by its name."""
        return self.units[self.setting.number[name]]

    def place(self, name: str) -> Place:
        """Where a unit is."""
        return self.units[self.setting.number[name]].place

    @property
    def occupation(self) -> Occupation:
        """Who stands where."""
        units, occupation = self.setting.latest[0]
        if units is not self.units:
            occupation = _occupied(self.setting, units, occupation, self.units)
            self.setting.latest[0] = (self.units, occupation)
        return occupation

    @property
    def occupants(self) -> Mapping[Hex, tuple[int, ...]]:
        """The numbers of the units in each hex that holds any."""
        return self.occupation.at

    def side_at(self, hex: Hex) -> Side | None:
        """Whose units stand in a hex; None where nobody does, and where both sides fight."""
        sides = {self.setting.roster[i].side for i in self.occupants.get(hex, ())}
        return sides.pop() if len(sides) == 1 else None

    def at(self, hex: Hex, side: Side | None = None) -> tuple[str, ...]:
        """The units in a hex, those of one side or all, by name."""
        roster = self.setting.roster
        return tuple([roster[i].name for i in self.occupants.get(hex, ()) if side is None or roster[i].side is side])

    def room(self, hex: Hex) -> int:
        """How many more units the stacking limit lets into a hex (8.2)."""
        return STACKING_LIMIT - len(self.occupants.get(hex, ()))

    def enemies_near(self, hex: Hex, side: Side) -> tuple[str, ...]:
        """The enemies of a side in the neighbours of a hex."""
        return tuple([name for near in self.setting.board.neighbours(hex) for name in self.at(near, side.enemy)])

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


def _occupied(beach: Beach, before: tuple[Unit, ...], held: Occupation, units: tuple[Unit, ...]) -> Occupation:
    """Who stands where, from who stood where in another state: most often one that differs in a unit or two."""
    if not before:
        before, held = (Unit(),) * len(units), Occupation({}, 0, 0, 0)
    for i, unit in enumerate(units):
        old = before[i]
        if unit is not old and unit.place != old.place:
            held = held.moved(beach, i, old.place, unit.place)
    return held


def put(state: State, unit: str, **fields: Any) -> State:
    """The state with something changed of one unit."""
    i = state.setting.number[unit]
    return put_unit(state, i, changed(state.units[i], **fields))


def put_unit(state: State, i: int, unit: Unit) -> State:
    """The state with another unit in the place of the i-th."""
    units = list(state.units)
    units[i] = unit
    return changed(state, units=tuple(units))
