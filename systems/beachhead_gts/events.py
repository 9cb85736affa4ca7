"""What happens to units and Leaders: they are placed, act, move, fire, take results, rally.

Each event changes the state by its `fold` and cites the rule that made it happen. Those of chits, points and turns are in `phase_events`.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import field, frozen

from beachhead.hexes import Hex
from beachhead.play import Event
from beachhead.rules import Breakdown, cited
from beachhead.sentences import listed
from beachhead.values import changed, changer
from beachhead_gts.battlefield import Away, Place
from beachhead_gts.charts import HALF
from beachhead_gts.state import Activation, State, Unit, put, put_leader, put_unit, with_activation
from beachhead_gts.tables import ActionKind, Cover, Result

Rules = tuple[str, ...]
_NO_COVER, _RALLY = Cover.NONE, ActionKind.RALLY  # looking them up in the enum takes ten times as long
# `changed`, where it is changed all the time
_with_action: Callable[..., Activation] = changer(Activation, "acted", "last", "kind", "second")
_moved: Callable[..., Unit] = changer(Unit, "place", "entering", "cover")


def where(state: State, place: Place) -> str:
    """A place as a player names it."""
    return state.setting.board.label(place) if isinstance(place, Hex) else place.value


def points(halves: int) -> str:
    """Movement Points, counted in halves, as a player writes them.

    >>> points(4), points(3), points(1), points(2)
    ('2 Movement Points', '1 1/2 Movement Points', '1/2 Movement Point', '1 Movement Point')
    """
    whole, half = divmod(halves, HALF)
    number = f"{whole or ''}{' ' if whole and half else ''}{'1/2' if half else ''}" or "0"
    return f"{number} Movement Point{'s' if halves > HALF or not halves else ''}"


# ------------------------------------------------------------ onto the map
@frozen
class UnitPlaced(Event[State]):
    """A unit comes onto the map: at set-up, or on its reinforcement hex (8.0)."""

    unit: str
    hex: Hex
    column: bool
    entering: bool
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It stands there."""
        return put(state, self.unit, place=self.hex, column=self.column, entering=self.entering)

    def text(self, state: State) -> str:
        """Where."""
        what = "arrives in" if self.entering else "is set up in"
        return f"{self.unit} {what} {where(state, self.hex)}{' in Column' if self.column else ''}"


@frozen
class LeaderPlaced(Event[State]):
    """A Leader comes onto the map, changes his place, or leaves play (8.0, 21.2, 21.3)."""

    leader: str
    place: Place
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """He is there."""
        return put_leader(state, self.leader, self.place)

    def text(self, state: State) -> str:
        """Where to."""
        if not isinstance(self.place, Hex):
            return f"{self.leader} {self.place.value}"
        before = state.leader(self.leader)
        return f"{self.leader} {'goes to' if isinstance(before, Hex) else 'is placed in'} {where(state, self.place)}"


# ------------------------------------------------------------ Actions
@frozen
class ActionBegan(Event[State]):
    """Units begin an Action: a first one, one bought under Direct Command, or a Second Action (10.0.2, 13.2)."""

    units: tuple[str, ...]
    kind: ActionKind
    second: bool
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """They have acted, and whoever could still have taken a Second Action cannot any more; they can, after a first one that cost nothing."""
        now, number = state.activation, state.setting.number
        assert now is not None
        acted = now.acted
        for unit in self.units:
            acted |= 1 << number[unit]
            if self.kind is not _RALLY and state.unit(unit).rallying:
                state = put(state, unit, rallying=0)
        last = () if self.second or state.chit.direct else self.units
        now = _with_action(now, acted=acted, last=last, kind=self.kind, second=self.second)
        return with_activation(state, activation=now)

    def text(self, state: State) -> str:
        """Who does what."""
        return f"{listed(self.units)}: {'Second Action, ' if self.second else ''}{self.kind}"


# ------------------------------------------------------------ movement
@frozen
class UnitMoved(Event[State]):
    """A unit moves into a neighbouring hex (14.3)."""

    unit: str
    to: Hex
    cost: Breakdown
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It stands there; it has entered play, and is out of an improved position."""
        i = state.setting.number[self.unit]
        state = put_unit(state, i, _moved(state.units[i], place=self.to, entering=False, cover=_NO_COVER))
        return _taken(state, self.unit, self.to)

    def text(self, state: State) -> str:
        """From where to where."""
        here = where(state, state.place(self.unit))
        return f"{self.unit} moves from {here} to {where(state, self.to)} ({points(self.cost.total)})"


def _taken(state: State, unit: str, hex: Hex) -> State:
    """An objective belongs to whoever entered it last (12.0)."""
    if hex not in state.setting.goals:
        return state
    side = state.setting.piece(unit).side
    pairs = zip(state.setting.objectives, state.held, strict=True)
    return changed(state, held=tuple([side if each.hex == hex else before for each, before in pairs]))


@frozen
class ColumnChanged(Event[State]):
    """A unit enters or leaves Column (14.6)."""

    unit: str
    column: bool
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It has a Column marker, or none."""
        return put(state, self.unit, column=self.column)

    def text(self, state: State) -> str:
        """Which way."""
        return f"{self.unit} {'enters' if self.column else 'leaves'} Column"


@frozen
class TransportChanged(Event[State]):
    """A unit mounts its vehicles or dismounts (14.10). It keeps all its markers; `column` says whether it is in Column now."""

    unit: str
    mounted: bool
    column: bool
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """The counter is turned over."""
        return put(state, self.unit, mounted=self.mounted, column=self.column)

    def text(self, state: State) -> str:
        """Which way."""
        return f"{self.unit} {'mounts' if self.mounted else 'dismounts'}{', in Column' if self.column else ''}"


@frozen
class CoverChanged(Event[State]):
    """A unit enters or leaves an entrenchment (13.2)."""

    unit: str
    cover: Cover
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It is in it, or not."""
        return put(state, self.unit, cover=self.cover)

    def text(self, state: State) -> str:
        """Which way."""
        return f"{self.unit} {'leaves' if self.cover is Cover.NONE else 'enters'} the entrenchment"


@frozen
class UnitStopped(Event[State]):
    """A unit goes no further in this Action: dropped off, stopped by fire, or out of luck in a forced march (14.7, 14.8, 17.7)."""

    unit: str
    why: str
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It stays where it is."""
        return state

    def text(self, state: State) -> str:
        """Why."""
        return f"{self.unit} {self.why} in {where(state, state.place(self.unit))}"


# ------------------------------------------------------------ checks and fire
@frozen
class QualityChecked(Event[State]):
    """A Troop Quality Check: the rating with its terms, and whether it was passed; `bought`: by a Command Point (1.2, 19.2)."""

    unit: str
    purpose: str
    quality: Breakdown
    passed: bool
    bought: bool
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """What follows comes as events of its own."""
        return state

    def text(self, state: State) -> str:
        """Rating and result."""
        if self.bought:
            return f"{self.unit} passes the Troop Quality Check for {self.purpose} by a Command Point"
        result = "passes" if self.passed else "fails"
        return f"{self.unit} {result} the Troop Quality Check for {self.purpose}, Troop Quality {self.quality}"


@frozen
class FireResolved(Event[State]):
    """A fire, resolved: the Fire Rating with its terms, and the result on the table (15.5)."""

    firer: str
    target: str
    rating: Breakdown
    result: Result
    rule: Rules = field(converter=cited)
    authored: bool = False

    def fold(self, state: State) -> State:
        """Results come as events of their own."""
        return state

    def text(self, state: State) -> str:
        """Rating and result."""
        note = " (authored table)" if self.authored else ""
        return f"{self.firer} fires at {self.target}, Fire Rating {self.rating}: {self.result}{note}"


# ------------------------------------------------------------ combat results and rally
@frozen
class UnitSuppressed(Event[State]):
    """A unit gets a Suppressed marker (19.2.2)."""

    unit: str
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It is Suppressed."""
        return put(state, self.unit, suppressed=True)

    def text(self, state: State) -> str:
        """Which unit."""
        return f"{self.unit} is Suppressed"


@frozen
class CohesionHit(Event[State]):
    """A unit takes a Cohesion Hit, its first or second (19.2.3)."""

    unit: str
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It has one more."""
        return put(state, self.unit, cohesion=state.unit(self.unit).cohesion + 1)

    def text(self, state: State) -> str:
        """How many it has now."""
        hits = state.unit(self.unit).cohesion + 1
        return f"{self.unit} takes a Cohesion Hit and has {hits}"


@frozen
class StepLost(Event[State]):
    """A two-Step unit loses its first Step; its other markers stay (19.2.4)."""

    unit: str
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It is flipped, or has a Step Loss marker."""
        return put(state, self.unit, losses=state.unit(self.unit).losses + 1)

    def text(self, state: State) -> str:
        """Which unit."""
        return f"{self.unit} loses a Step"


@frozen
class UnitEliminated(Event[State]):
    """A unit is taken off the map for good (19.2.5)."""

    unit: str
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It is out of play, with all its markers."""
        i, piece = state.setting.number[self.unit], state.setting.piece(self.unit)
        from beachhead_gts.state import Unit, put_unit

        return put_unit(state, i, Unit(Away.ELIMINATED, losses=piece.steps))

    def text(self, state: State) -> str:
        """Which unit."""
        return f"{self.unit} is eliminated"


@frozen
class UnitRallied(Event[State]):
    """A unit recovers from Suppression or from a Cohesion Hit, and loses its Men Rallying markers (20.0)."""

    unit: str
    suppression: bool
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """One marker less."""
        if self.suppression:
            return put(state, self.unit, suppressed=False, rallying=0)
        return put(state, self.unit, cohesion=state.unit(self.unit).cohesion - 1, rallying=0)

    def text(self, state: State) -> str:
        """From what."""
        return f"{self.unit} rallies from {'Suppression' if self.suppression else 'a Cohesion Hit'}"


@frozen
class MenRallying(Event[State]):
    """A unit failed to rally and gets a Men Rallying marker (20.0)."""

    unit: str
    rule: Rules = field(default=("gts:20.0.e",), converter=cited)

    def fold(self, state: State) -> State:
        """One more."""
        return put(state, self.unit, rallying=state.unit(self.unit).rallying + 1)

    def text(self, state: State) -> str:
        """How many it has now."""
        return f"{self.unit} gets a Men Rallying marker and has {state.unit(self.unit).rallying + 1}"


def acting(state: State) -> Activation:
    """The activation that is under way."""
    assert state.activation is not None
    return state.activation
