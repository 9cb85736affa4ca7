"""What a scenario fixes for good: the map, the counters as they are printed, the charts, the turn track and the game's options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attrs import Factory, field, frozen

from beachhead.board import Board
from beachhead.enums import Named
from beachhead.hexes import Hex
from beachhead.play import Setting
from beachhead.rules import Breakdown
from beachhead_gts import lookup
from beachhead_gts.charts import Charts
from beachhead_gts.deployment import NOBODY, Deployment
from beachhead_gts.tables import (
    ChitKind,
    MovementClass,
    Side,
    Stripe,
    UnitClass,
    WeaponClass,
    Weather,
)

if TYPE_CHECKING:
    from beachhead_gts.choices import Outlook
    from beachhead_gts.ground import Steps
    from beachhead_gts.zones import Coverage


class Away(Named):
    """Where a unit or a Leader is that stands in no hex."""

    DUE = "has not arrived"
    BOX = "waits in the Reinforcement Box"
    ELIMINATED = "is eliminated"
    REMOVED = "is out of play"
    """A Leader whose Formation is gone (21.3)."""


Place = Hex | Away


class Printed(Named):
    """What stands on a counter in place of a number."""

    NO = "No"
    STAR = "*"


NO, STAR = Printed.NO, Printed.STAR
_FORMATION = Stripe.FORMATION  # looking it up in the enum takes ten times as long


# ------------------------------------------------------------ counters
@frozen
class Face:
    """One side of a unit's counter (2.0).

    Attributes:
        fire_range: in hexes; NO where none is printed (15.1).
        fire: the Fire Rating; NO where "No" is printed.
        weapon: the Weapons Class of the Fire Rating.
        assault: the Assault Rating; NO where none is printed.
        assault_weapon: the Weapons Class of the Assault Rating.
        movement: the Movement Allowance in Movement Points; a star, or NO for an Immobile unit.
        movement_class: what terrain costs it.
        defense: the Defense Rating; a negative one protects.
        armored: whether the box around it says so.
        quality: Troop Quality.
        unit_class: Infantry, Gun or Vehicle.
        auto_command: its Fire Range is red.
        air_defense: 0 where none is printed.
    """

    fire_range: int | Printed
    fire: int | Printed
    weapon: WeaponClass
    assault: int | Printed
    assault_weapon: WeaponClass
    movement: int | Printed
    movement_class: MovementClass
    defense: int
    armored: bool
    quality: int
    unit_class: UnitClass
    auto_command: bool = False
    air_defense: int = 0


@frozen
class Piece:
    """A unit's counter: it never changes.

    Attributes:
        name: its designation.
        division: its Division.
        formation: its Formation; "" for an independent unit.
        stripe: of its Formation's colour, white or black.
        steps: 0, 1 or 2.
        front: the side that it begins on.
        reduced: the back, where a two-step unit is flipped; None where the text's Step Loss marker stands in for it.
        transport: the back, where it shows a vehicle: Organic Transport (14.10).
        arrives: where it is set up, or the turn on which it is due.
        column: it begins in Column.
        authored: its figures are printed nowhere.
    """

    name: str
    side: Side
    division: str
    formation: str
    stripe: Stripe
    steps: int
    front: Face
    arrives: Hex | int
    reduced: Face | None = None
    transport: Face | None = None
    column: bool = False
    title: str = ""
    authored: bool = True

    @property
    def independent(self) -> bool:
        """Whether it is a white- or black-striped unit of its Division (21.6)."""
        return self.stripe is not _FORMATION

    def __str__(self) -> str:
        return self.name


@frozen
class LeaderPiece:
    """A Leader's counter (2.0). `range` is his Command Range in hexes, `attachment` his Attachment Rating."""

    name: str
    formation: str
    range: int
    attachment: int
    arrives: Hex | int
    authored: bool = True

    def __str__(self) -> str:
        return self.name


@frozen
class Formation:
    """The units that a Formation Activation Chit activates.

    Attributes:
        independent: it has no Leader and no chit, and acts with the Formation that it is attached to (8.0, 21.4).
        superior: the Formation that an independent one is attached to by the scenario; "" where its owner chooses when it arrives.
    """

    name: str
    division: str
    title: str = ""
    colour: str = "#888888"
    independent: bool = False
    superior: str = ""


@frozen
class Division:
    """A Division: its ratings, what it has at the start, and where its reinforcements enter.

    Attributes:
        command, dispatch: Command Rating and Dispatch Rating (10.0.3).
        points: Command Points and Dispatch Points at the start.
        entry: its reinforcement hex; None where nothing of it arrives.
        arrives: the turn on which its chit is first in play (9.0).
        authored: its figures are printed nowhere.
    """

    name: str
    side: Side
    command: int
    dispatch: int
    points: tuple[int, int] = (0, 0)
    entry: Hex | None = None
    arrives: int = 1
    title: str = ""
    authored: bool = True


_DIRECT = ChitKind.DIRECT_COMMAND  # looking it up in the enum takes ten times as long


@frozen
class Chit:
    """An Activation Chit: whose it is, and of which Division or Formation. `name` is what it is called by in the mug.

    `lone` is that of the only Formation of its Division: face down everybody knows it by who paid.
    """

    name: str
    kind: ChitKind
    side: Side
    division: str = ""
    formation: str = ""
    lone: bool = False
    direct: bool = field(
        init=False, eq=False, repr=False, default=Factory(lambda self: self.kind is _DIRECT, takes_self=True)
    )
    """Whether it is a Direct Command Chit."""

    def __str__(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        """What a player calls it: its kind and whose it is."""
        return self.name if self.direct else f"{self.kind} of {self.name}"

    @property
    def face_down(self) -> Chit:
        """The same as the other player sees it: whose Division it belongs to, and nothing else (7.2)."""
        return self if self.lone else Chit(face_down(self.division), ChitKind.UNKNOWN, self.side, self.division)


def face_down(division: str) -> str:
    """What stands for a Formation Activation Chit of a Division that the viewer has not seen (7.2)."""
    return f"? {division}"


def direct_command(side: Side) -> str:
    """The name of a player's Direct Command Chit."""
    return f"{side} Direct Command"


# ------------------------------------------------------------ time, weather, victory
@frozen
class Turn:
    """A box of the turn track: its name, the day it belongs to, and whether it is a night turn (3.0)."""

    name: str
    day: int = 1
    night: bool = False


@frozen
class Hooks:
    """What the exclusive rules add to the sequence of play (5.0, 6.0).

    Attributes:
        weather: for each face of the die, 0 to 9; a single entry where the weather is given.
        air: the same for the airpower that is available, as a number.
    """

    weather: tuple[Weather, ...] = (Weather.CLEAR,)
    air: tuple[int, ...] = (0,)


@frozen
class Objective:
    """A hex that is worth Victory Points to whoever holds it, and who does at the start (None: nobody)."""

    name: str
    hex: Hex
    points: int
    held: Side | None = None


@frozen
class FirstTurn:
    """What the scenario says of the first turn: the chits that go into the mug, and the one that is played first (9.0, 10.0.1)."""

    mug: tuple[str, ...]
    first: str = ""


@frozen(eq=False)
class Battlefield(Setting):
    """Everything that a game does not change: map, counters, charts, turn track, game options.

    Attributes:
        board: hexsides hold what the chart's hexside rows name, links are the roads.
        observation_posts, strongpoints: hexes with that symbol (15.4.2, 15.4.3).
        entrenchments: hexes with an entrenchment at the start.
        unjoined: hexes in which roads run past each other: for each, the neighbours that belong together (14.6).
        victory: points for each enemy unit that is eliminated.
    """

    title: str
    board: Board = field(eq=False)
    """Compared through the key, which holds its digest."""
    charts: Charts
    divisions: tuple[Division, ...]
    formations: tuple[Formation, ...]
    leaders: tuple[LeaderPiece, ...]
    roster: tuple[Piece, ...]
    track: tuple[Turn, ...]
    first_turn: FirstTurn
    hooks: Hooks = Hooks()
    observation_posts: frozenset[Hex] = frozenset()
    strongpoints: frozenset[Hex] = frozenset()
    entrenchments: frozenset[Hex] = frozenset()
    unjoined: Mapping[Hex, tuple[frozenset[Hex], ...]] = field(factory=dict)
    objectives: tuple[Objective, ...] = ()
    elimination_points: int = 0
    authored_victory: frozenset[str] = frozenset()
    """What of "objectives" and "elimination_points" no printed source gives."""
    choices: Mapping[str, str] = field(factory=dict)
    authored: tuple[str, ...] = ()
    """What of it no printed source gives, in words."""
    published: tuple[str, ...] = ()
    """What of it is printed, and in which game, in words."""
    number: Mapping[str, int] = field(init=False, eq=False, repr=False, default=Factory(lookup.number, takes_self=True))
    """Units by their names."""
    leader_number: Mapping[str, int] = field(
        init=False, eq=False, repr=False, default=Factory(lookup.leader_number, takes_self=True)
    )
    """Leaders by their names."""
    division_number: Mapping[str, int] = field(
        init=False, eq=False, repr=False, default=Factory(lookup.division_number, takes_self=True)
    )
    """Divisions by their names."""
    division_of: Mapping[str, Division] = field(
        init=False, eq=False, repr=False, default=Factory(lookup.division_of, takes_self=True)
    )
    """Divisions by their own names and by those of their Formations."""
    members: Mapping[str, tuple[int, ...]] = field(
        init=False, eq=False, repr=False, default=Factory(lookup.members, takes_self=True)
    )
    """The numbers of the units of each Formation, and of each Division, its independents included."""
    regulars: Mapping[Side, tuple[int, ...]] = field(
        init=False, eq=False, repr=False, default=Factory(lookup.regulars, takes_self=True)
    )
    """The numbers of the units of each side that belong to a Formation."""
    independents: Mapping[str, tuple[int, ...]] = field(
        init=False, eq=False, repr=False, default=Factory(lookup.independents, takes_self=True)
    )
    """The numbers of the independent units of each Division."""
    star_guns: Mapping[Side, tuple[int, ...]] = field(
        init=False, eq=False, repr=False, default=Factory(lookup.star_guns, takes_self=True)
    )
    """The numbers of each side's guns with a star: what they may do hangs on the hexes around them, too (14.11)."""
    leaders_of: Mapping[str, tuple[int, ...]] = field(
        init=False, eq=False, repr=False, default=Factory(lookup.leaders_of, takes_self=True)
    )
    """The numbers of the Leaders of each Formation, and of each Division."""
    chits: Mapping[str, Chit] = field(init=False, eq=False, repr=False, default=Factory(lookup.chits, takes_self=True))
    """All chits by their names, those that stand for unseen ones included."""
    purses: tuple[int, ...] = field(init=False, eq=False, repr=False, default=Factory(lookup.purses, takes_self=True))
    """For each unit the number of that Division."""
    bit: Mapping[Place, int] = field(init=False, eq=False, repr=False, default=Factory(lookup.bit, takes_self=True))
    """For each hex, the set that holds it alone, as the board has sets (`Board.mask`)."""
    between: Mapping[Hex, frozenset[Hex]] = field(
        init=False, eq=False, repr=False, default=Factory(lookup.between, takes_self=True)
    )
    """For each hex the neighbours with something on the hexside between: terrain, or a road across it."""
    entries: Mapping[Side, tuple[Hex, ...]] = field(
        init=False, eq=False, repr=False, default=Factory(lookup.entries, takes_self=True)
    )
    """The reinforcement entry hexes of each side (8.0)."""
    unlimited: int = field(init=False, eq=False, repr=False, default=Factory(lookup.unlimited, takes_self=True))
    """The reinforcement entry hexes of both sides, as a set: stacking has no limits there (8.0)."""
    goals: frozenset[Hex] = field(init=False, eq=False, repr=False, default=Factory(lookup.goals, takes_self=True))
    """The hexes of the objectives (12.0)."""
    barred: Mapping[Side, int] = field(
        init=False, eq=False, repr=False, default=Factory(lookup.barred, takes_self=True)
    )
    """The hexes that units of a side never move into: near an enemy reinforcement entry hex (14.1)."""
    latest: list[Deployment] = field(init=False, eq=False, repr=False, factory=lambda: [NOBODY])
    """Who stands where in the state that was asked about last: one."""
    coverage: dict[Side, Coverage] = field(init=False, eq=False, repr=False, factory=dict)
    """The Fire Zones of each side that were asked about last (`zones.coverage`)."""
    commanded: list[tuple[tuple[Place, ...], dict[str, int]]] = field(init=False, eq=False, repr=False, factory=list)
    """The hexes in which the units of a Formation or Division are In Command where the Leaders stood last (`command.in_command`)."""
    steps: dict[tuple[MovementClass, bool, bool], Steps] = field(init=False, eq=False, repr=False, factory=dict)
    """What steps cost, as `ground.steps` finds it."""
    costs: dict[tuple[MovementClass, bool, bool, Hex | None, Hex], Breakdown | None] = field(
        init=False, eq=False, repr=False, factory=dict
    )
    """What steps cost, term by term, as `ground.known_step_cost` finds it."""
    entering: dict[tuple[MovementClass, bool], Mapping[Hex, int | None]] = field(
        init=False, eq=False, repr=False, factory=dict
    )
    """What hexes cost, as `ground.entering` finds it."""
    permitted: dict[tuple[MovementClass, bool], int] = field(init=False, eq=False, repr=False, factory=dict)
    """Where units may be, as `ground.permitted` finds it."""
    outlooks: dict[Side, Outlook] = field(init=False, eq=False, repr=False, factory=dict)
    """What the units of each side could do when they were asked last (`choices.outlook`)."""

    # -------------------------------------------------------- options
    def choice(self, ruling: str) -> str:
        """What holds for a ruling that has choices: `choice("G12")`."""
        return self.choices[f"gts:{ruling}"]

    # -------------------------------------------------------- by name
    def piece(self, unit: str) -> Piece:
        """A unit's counter."""
        return self.roster[self.number[unit]]

    def points_of(self, unit: str) -> str:
        """The Division whose Command Points a unit uses."""
        return self.roster[self.number[unit]].division

    # -------------------------------------------------------- the track
    def night(self, turn: int) -> bool:
        """Whether this is a night turn."""
        return self.track[turn - 1].night

    def first_daylight(self, turn: int) -> bool:
        """Whether this is the first daylight turn of its day (4.0)."""
        box = self.track[turn - 1]
        return not box.night and not any(b.day == box.day and not b.night for b in self.track[: turn - 1])

    def before_night(self, turn: int) -> bool:
        """Whether the next turn is a night turn, and this is none (10.0.3)."""
        return turn < len(self.track) and self.track[turn].night and not self.track[turn - 1].night

    @property
    def last_turn(self) -> int:
        """The number of the last turn."""
        return len(self.track)
