"""What a scenario fixes for good: the map, the units as they are printed, the charts, the track and the game's options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attrs import Factory, field, frozen

from beachhead.board import Board
from beachhead.cup import Cup
from beachhead.enums import Named
from beachhead.hexes import Hex
from beachhead.play import Setting
from beachhead.rules import Chart
from beachhead_koenig.reach import Ground, Reach, make_ground
from beachhead_koenig.tables import Side, UnitType

if TYPE_CHECKING:
    from beachhead_koenig.state import Occupation, Unit

MOST_GROUNDS = 300
"""Sets of interdicted hexes for which the steps are kept."""


class Away(Named):
    """Where a unit is that stands in no hex."""

    WAITING = "off the map"
    """It has not landed or entered yet."""
    EXITED = "exited"
    """It left by its own movement (Juno 13.0)."""
    RETREATED = "retreated off the map"
    """It is out of play, and not eliminated (11.1)."""
    ELIMINATED = "eliminated"

    @property
    def verb(self) -> str:
        """What a unit there is said to be or to have done: "is eliminated", "has exited"."""
        return f"{'has' if self in (Away.EXITED, Away.RETREATED) else 'is'} {self.value}"


Place = Hex | Away


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

    bit: Mapping[Place, int] = field(
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
    entering: Mapping[str, tuple[tuple[str, int], ...]] = field(
        init=False, eq=False, repr=False, default=Factory(lambda self: _entering(self), takes_self=True)
    )
    """The units of each formation that enter by road, with their numbers (Juno 5.1)."""
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
    latest: list[tuple[tuple[Unit, ...], Occupation]] = field(init=False, eq=False, repr=False, factory=list)
    """Who stands where in the state that was asked about last; states follow one another, and each would be long in finding it out anew."""
    standing: list[tuple[tuple[Unit, ...], Mapping[Hex, tuple[int, ...]]]] = field(
        init=False, eq=False, repr=False, factory=list
    )
    """The same by hexes, with the numbers of the units."""
    reached: list[tuple[tuple[Unit, ...], str, int, tuple[Hex, ...], Reach]] = field(
        init=False, eq=False, repr=False, factory=list
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
        return frozenset(formation for formation, units in self.entering.items() if units)

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


def _entering(beach: Beach) -> dict[str, tuple[tuple[str, int], ...]]:
    roster = beach.roster
    return {
        f: tuple([(name, i) for name, i in units if isinstance(roster[i].arrives, Enters)])
        for f, units in beach.numbered.items()
    }


def _steps(beach: Beach) -> dict[Hex, tuple[tuple[Hex, int], ...]]:
    """What a step costs without units and interdiction; hexes without an entry cost, and those across a cliff, are no step."""
    from beachhead_koenig.ground import step_cost

    board = beach.board
    costs = {here: [(there, step_cost(beach, here, there)) for there in board.neighbours(here)] for here in board}
    return {
        here: tuple((there, sum(term.value for term in cost.terms)) for there, cost in around if cost is not None)
        for here, around in costs.items()
    }
