"""What happens to units: they are placed, operate, move, fire, are hit, retreat, recover.

Each event changes the state by its `fold` and cites the rule that made it happen. Those of a turn as a whole are in `phase_events`.
"""

from __future__ import annotations

from attrs import field, frozen

from beachhead.hexes import Hex
from beachhead.play import Event
from beachhead.rules import Breakdown, cited
from beachhead.sentences import counted
from beachhead.values import changed
from beachhead_koenig.beach import Away, Place
from beachhead_koenig.state import (
    Operation,
    Progress,
    State,
    Supply,
    Unit,
    activation_of,
    put,
    put_unit,
    with_activation,
)
from beachhead_koenig.tables import Fire, FireResult, Phase, Side

Rules = tuple[str, ...]
MOST_HITS = 2
"""A unit that takes another is eliminated (9.3)."""


def where(state: State, place: Place) -> str:
    """A place as a player names it."""
    return state.setting.board.label(place) if isinstance(place, Hex) else place.value


# ------------------------------------------------------------ onto the map
@frozen
class UnitPlaced(Event[State]):
    """A unit comes onto the map: at set-up, by landing, or reconstituted."""

    unit: str
    hex: Hex
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It stands there."""
        return put(state, self.unit, place=self.hex)

    def text(self, state: State) -> str:
        """Where."""
        what = "is set up in" if state.phase is Phase.SET_UP else "lands in"
        return f"{self.unit} {what} {where(state, self.hex)}"


@frozen
class LandingDelayed(Event[State]):
    """A unit that cannot land where it should tries again on the next turn."""

    unit: str
    rule: Rules = field(default=("koenig:5.0.f",), converter=cited)

    def fold(self, state: State) -> State:
        """It stays off the map."""
        return state

    def text(self, state: State) -> str:
        """Which unit."""
        return f"{self.unit} waits for the next turn to land"


@frozen
class SupportCommitted(Event[State]):
    """A player commits points to a battle (9.0, steps 2 and 3), perhaps with the Leadership marker as Corps Artillery (14.1)."""

    side: Side
    artillery: int
    support: int
    corps: bool
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """They are spent."""
        if not (self.artillery or self.support or self.corps):
            return state
        pool = state.support
        if self.side is Side.ALLIED:
            pool = changed(
                pool,
                allied_artillery=pool.allied_artillery - self.artillery,
                allied_support=pool.allied_support - self.support,
            )
        else:
            pool = changed(pool, german_artillery=pool.german_artillery - self.artillery)
        return changed(state, support=pool, leadership=Supply.SUPPLY if self.corps else state.leadership)

    def text(self, state: State) -> str:
        """What."""
        what = [
            words
            for words, there in (
                (counted(self.artillery, "Artillery Point"), self.artillery),
                (counted(self.support, "Support Point"), self.support),
                ("Corps Artillery", self.corps),
            )
            if there
        ]
        return f"{self.side} commits {' and '.join(what) or 'nothing'}"


# ------------------------------------------------------------ operations
@frozen
class OperationBegan(Event[State]):
    """A unit begins its Operation, or goes on with it. Every other unit must have finished its own, but for those that wait to fire in concert (7.1)."""

    unit: str
    operation: Operation
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """Others that are in the middle of theirs are done, but for those that it may still fire with."""
        activation, setting = state.activation, state.setting
        assert activation is not None
        own, others = setting.number[self.unit], setting.numbered[activation.formation]
        if activation.attached:
            others = (*others, *((name, setting.number[name]) for name in activation.attached))
        units = state.units
        for _, i in others:
            if units[i].progress in _OPEN and i != own:
                last = state.unit(activation.current).progress if activation.current else Progress.MOVED
                after = self._after(units[i].progress, units[own].progress, last)
                if after is not units[i].progress:
                    state = put_unit(state, i, progress=after)
        now = activation_of(activation.formation, self.unit, activation.may_enter, activation.attached)
        return with_activation(state, activation=now)

    def _after(self, other: Progress, own: Progress, last: Progress) -> Progress:
        """Who has moved, or only changed to Combined, waits for others that come to fire with it, until one of them has finished.

        Who has fired in concert, or changed together, goes on in turn.
        """
        concert = self.operation is Operation.COMBINED and last in _WAITS
        match other:
            case Progress.FIRED:
                return other if own is Progress.FIRED else Progress.DONE
            case Progress.SWITCHED if own is not Progress.READY:
                return other
            case Progress.SWITCHED:
                return Progress.WAITING if concert else Progress.DONE
            case _:
                return other if concert else Progress.DONE

    def text(self, state: State) -> str:
        """Which, and whether it is in the middle of it."""
        on = "" if state.unit(self.unit).progress is Progress.READY else " goes on"
        return f"{self.unit}{on}: {self.operation}"


_WAITS = (Progress.MOVED, Progress.SWITCHED, Progress.WAITING)
_OPEN = (*_WAITS, Progress.FIRED)
"""In the middle of a Combined Operation."""


@frozen
class OperationEnded(Event[State]):
    """Units have finished their Operation."""

    units: tuple[str, ...]
    rule: Rules = field(converter=cited)
    bookkeeping = True

    def fold(self, state: State) -> State:
        """They are done for this turn."""
        for unit in self.units:
            state = put(state, unit, progress=Progress.DONE)
        return state


@frozen
class OperationSwitched(Event[State]):
    """Its target gone, a unit changes from Full Fire to Combined (9.1)."""

    unit: str
    rule: Rules = field(default=("koenig:9.1.d", "koenig:9.1.e"), converter=cited)

    def fold(self, state: State) -> State:
        """It may move and fire."""
        return put(state, self.unit, progress=Progress.SWITCHED)

    def text(self, state: State) -> str:
        """Which unit."""
        return f"{self.unit} changes to Combined"


@frozen
class UnitMoved(Event[State]):
    """A unit moves in an Operation, or at night. `path` begins where it was; `cost` is in Movement Points."""

    unit: str
    path: tuple[Place, ...]
    cost: int
    operation: Operation
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It is at the end of the path, and its movement is used up."""
        i = state.setting.number[self.unit]
        return put_unit(state, i, place=self.path[-1], progress=moved(state.units[i], self.operation))

    def text(self, state: State) -> str:
        """From where, by which way, to where."""
        way = "-".join(where(state, place) for place in self.path)
        return f"{self.unit} moves {way} ({counted(self.cost, 'Movement Point')})"


def moved(unit: Unit, operation: Operation) -> Progress:
    """How far a unit has come that has now moved."""
    return _MOVED if operation is _COMBINED and unit.progress in _MAY_MOVE else _DONE


_COMBINED, _MOVED, _DONE = Operation.COMBINED, Progress.MOVED, Progress.DONE  # it takes ten times as long in their enum
_MAY_MOVE = (Progress.READY, Progress.SWITCHED, Progress.ENTERED)


@frozen
class ReinforcementEntered(Event[State]):
    """A reinforcement comes onto the map by a road (Juno 5.1). It may go on moving."""

    unit: str
    hex: Hex
    cost: int
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It stands in the hex and has begun to move, and no other may enter in this activation."""
        state = put(state, self.unit, place=self.hex, progress=Progress.ENTERED)
        assert state.activation is not None
        return changed(state, activation=changed(state.activation, may_enter=False))

    def text(self, state: State) -> str:
        """Where."""
        return f"{self.unit} enters the map in {where(state, self.hex)} ({counted(self.cost, 'Movement Point')})"


@frozen
class MovementEnded(Event[State]):
    """A reinforcement in a Combined Operation stays where it has entered the map (Juno 5.1)."""

    unit: str
    rule: Rules = field(default=("koenig:juno.5.1.d",), converter=cited)
    bookkeeping = True

    def fold(self, state: State) -> State:
        """It has moved, and may fire."""
        return put(state, self.unit, progress=Progress.MOVED)


@frozen
class UnitExited(Event[State]):
    """A unit leaves the map by a road, in its own movement (Juno 13.0)."""

    unit: str
    road: str
    path: tuple[Hex, ...]
    cost: int
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It is out of play, and that road has been used once more."""
        state = put(state, self.unit, place=Away.EXITED, progress=Progress.DONE)
        exits = tuple([n + (e.name == self.road) for e, n in zip(state.setting.exits, state.exits, strict=True)])
        return changed(state, exits=exits)

    def text(self, state: State) -> str:
        """By which road, and whether it counts."""
        note = "" if state.unit(self.unit).hits else ", undamaged"
        return f"{self.unit} exits by the road at {self.road}{note} ({counted(self.cost, 'Movement Point')})"


# ------------------------------------------------------------ fire
@frozen
class FireDeclared(Event[State]):
    """Units fire at a hex together (9.0, step 1). `indirect` are those of them that fire indirectly (14.4)."""

    units: tuple[str, ...]
    target: Hex
    fire: Fire
    rule: Rules = field(converter=cited)
    indirect: tuple[str, ...] = ()

    def fold(self, state: State) -> State:
        """They have fired; who waited to fire in concert and did not is done (7.1)."""
        full, firing = self.fire is Fire.FULL, [state.setting.number[unit] for unit in self.units]
        for i, unit in enumerate(state.units):
            if i in firing:
                done = full or unit.progress in (Progress.MOVED, Progress.ENTERED)
                state = put_unit(state, i, progress=Progress.DONE if done else Progress.FIRED)
            elif unit.progress in _WAITED:
                state = put_unit(state, i, progress=Progress.DONE)
        return state

    def text(self, state: State) -> str:
        """Who fires at what."""
        who = " and ".join(f"{unit} (indirectly)" if unit in self.indirect else unit for unit in self.units)
        return f"{self.fire} by {who} at {where(state, self.target)}"


_WAITED = (Progress.MOVED, Progress.WAITING)


@frozen
class FireResolved(Event[State]):
    """A Fire Attack, resolved: the Attack Factor with its terms, and what the die made of it (9.0, step 5)."""

    units: tuple[str, ...]
    target: Hex
    fire: Fire
    factor: Breakdown
    result: FireResult
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """Hits come as events of their own."""
        return state

    def text(self, state: State) -> str:
        """Factor and result."""
        return f"{self.fire} at {where(state, self.target)}, Attack Factor {self.factor}: {self.result}"


@frozen
class UnitHit(Event[State]):
    """A unit takes Hits; one more than two eliminates it (9.3). `rule` is what struck it and what that does.

    `authored` marks Hits by a table that no printed source gives.
    """

    unit: str
    hits: int
    rule: Rules = field(converter=cited)
    authored: bool = False

    def fold(self, state: State) -> State:
        """It has so many more, or is eliminated."""
        hits = state.unit(self.unit).hits + self.hits
        if hits > MOST_HITS:
            return put(state, self.unit, place=Away.ELIMINATED, hits=0, progress=Progress.DONE)
        return put(state, self.unit, hits=hits)

    def text(self, state: State) -> str:
        """How many it has now."""
        hits = state.unit(self.unit).hits + self.hits
        now = "is eliminated" if hits > MOST_HITS else f"has {hits}"
        return f"{self.unit} takes {counted(self.hits, 'Hit')} and {now}{' (authored table)' if self.authored else ''}"


@frozen
class HitSpared(Event[State]):
    """Units that fire indirectly at a force that cannot hit back take no Hit from an Exchange (14.4)."""

    units: tuple[str, ...]
    rule: Rules = field(default=("koenig:14.4.f",), converter=cited)

    def fold(self, state: State) -> State:
        """Nothing happens to them."""
        return state

    def text(self, state: State) -> str:
        """Which units."""
        return f"nothing hits back at {' and '.join(self.units)}"


@frozen
class UnitEliminated(Event[State]):
    """A unit that must retreat and cannot is eliminated (11.0)."""

    unit: str
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It is out of play."""
        return put(state, self.unit, place=Away.ELIMINATED, hits=0, progress=Progress.DONE)

    def text(self, state: State) -> str:
        """Why."""
        return f"{self.unit} has nowhere to retreat to and is eliminated"


@frozen
class UnitRetreated(Event[State]):
    """A unit retreats one hex, or off the map (11.0, 11.1)."""

    unit: str
    to: Place
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It stands there; off the map it is out of play."""
        return put(state, self.unit, place=self.to)

    def text(self, state: State) -> str:
        """Where to."""
        return f"{self.unit} retreats {'to ' if isinstance(self.to, Hex) else ''}{_retreated(state, self.to)}"


def _retreated(state: State, place: Place) -> str:
    return where(state, place) if isinstance(place, Hex) else "off the map"


@frozen
class GroundHeld(Event[State]):
    """An undamaged attacker takes a second Hit rather than retreat (11.2)."""

    unit: str
    rule: Rules = field(default=("koenig:11.2.a",), converter=cited)

    def fold(self, state: State) -> State:
        """It has another Hit, and stays."""
        return put(state, self.unit, hits=state.unit(self.unit).hits + 1)

    def text(self, state: State) -> str:
        """Which unit."""
        return f"{self.unit} takes a second Hit to hold the ground"


@frozen
class UnitRecovered(Event[State]):
    """A replacement takes one Hit off a unit (12.0, 14.3)."""

    unit: str
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """At night the point is spent, and the unit stays where it is (4.0)."""
        now = state.unit(self.unit)
        state = put(state, self.unit, hits=now.hits - 1, progress=Progress.DONE)
        if state.phase is not Phase.REPLACEMENT:
            return state
        return spent(state, state.setting.piece(self.unit).side, 1)

    def text(self, state: State) -> str:
        """What it has left."""
        return f"{self.unit} recovers from a Hit and has {state.unit(self.unit).hits - 1}"


@frozen
class UnitReconstituted(Event[State]):
    """An eliminated unit returns to the map with two Hits, and does not operate this turn (14.3)."""

    unit: str
    hex: Hex
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It is in play again."""
        return put(state, self.unit, place=self.hex, hits=MOST_HITS, progress=Progress.DONE)

    def text(self, state: State) -> str:
        """Where."""
        return f"{self.unit} is reconstituted in {where(state, self.hex)} with two Hits"


@frozen
class ReconstitutionLost(Event[State]):
    """There is no hex for a unit to return to: the opportunity is lost (14.3)."""

    unit: str
    rule: Rules = field(default=("koenig:14.3.k",), converter=cited)

    def fold(self, state: State) -> State:
        """It stays eliminated."""
        return state

    def text(self, state: State) -> str:
        """Which unit."""
        return f"there is no hex for {self.unit} to return to"


def spent(state: State, side: Side, points: int) -> State:
    """So many Replacement Points are gone, and the other player spends the next, if he has any (12.0)."""
    left = state.replacements
    if side is Side.ALLIED:
        left = changed(left, allied=left.allied - points)
    else:
        left = changed(left, german=left.german - points)
    return changed(state, replacements=changed(left, next=side.enemy if left.of(side.enemy) else side))
