"""What happens to chits, points and the turn as a whole."""

from __future__ import annotations

from attrs import field, frozen

from beachhead.cup import Cup
from beachhead.play import Event
from beachhead.rules import cited
from beachhead.sentences import counted, listed
from beachhead.values import changed
from beachhead_gts.battlefield import Away, Chit, face_down
from beachhead_gts.events import Rules
from beachhead_gts.state import Activation, State, put, put_points, with_activation
from beachhead_gts.tables import CONVERSION, MOST_POINTS, NEXT_TURN, THIS_TURN, Phase, Side, Weather


# ------------------------------------------------------------ the turn
@frozen
class TurnBegan(Event[State]):
    """The turn marker moves on (12.0)."""

    turn: int
    rule: Rules = field(converter=cited)
    begins_turn = True

    def fold(self, state: State) -> State:
        """The first step of another turn, for which chits may have been set aside."""
        return changed(state, turn=self.turn, phase=Phase.WEATHER, ready=state.aside, aside=())

    def text(self, state: State) -> str:
        """Its name."""
        box = state.setting.track[self.turn - 1]
        return f"Turn {self.turn}: {box.name}{' (night)' if box.night else ''}"


@frozen
class PhaseBegan(Event[State]):
    """The next step of the sequence of play (4.0)."""

    phase: Phase
    rule: Rules = field(converter=cited)
    bookkeeping = True

    def fold(self, state: State) -> State:
        """It is that step."""
        return changed(state, phase=self.phase)


@frozen
class GameEnded(Event[State]):
    """The last turn has been played: victory is determined (12.0)."""

    rule: Rules = field(default=("gts:12.0.b",), converter=cited)

    def fold(self, state: State) -> State:
        """Nothing more is played."""
        return changed(state, phase=Phase.OVER)

    def text(self, state: State) -> str:
        """That it has."""
        return "the last turn has been played"


@frozen
class WeatherDetermined(Event[State]):
    """The weather of the day (5.0)."""

    weather: Weather
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It holds until the next day."""
        return changed(state, weather=self.weather)

    def text(self, state: State) -> str:
        """What it is."""
        return f"the weather is {self.weather}"


@frozen
class AirpowerDetermined(Event[State]):
    """The airpower that is available this day (6.0)."""

    air: int
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It holds until the next day."""
        return changed(state, air=self.air)

    def text(self, state: State) -> str:
        """How much."""
        return f"airpower available: {self.air}"


@frozen
class ReinforcementsBoxed(Event[State]):
    """Units due this turn are put into their Division's Reinforcement Box (8.0)."""

    division: str
    units: tuple[str, ...]
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """They wait there."""
        for unit in self.units:
            state = put(state, unit, place=Away.BOX)
        return state

    def text(self, state: State) -> str:
        """Who."""
        return f"in the Reinforcement Box of {self.division}: {listed(self.units)}"


@frozen
class FormationAttached(Event[State]):
    """An independent Formation is attached to a superior one as it arrives (8.0)."""

    formation: str
    superior: str
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """Its units act with that one's chit."""
        pairs = zip(state.setting.formations, state.superiors, strict=True)
        superiors = tuple([self.superior if each.name == self.formation else before for each, before in pairs])
        return changed(state, superiors=superiors)

    def text(self, state: State) -> str:
        """Which, and to which."""
        return f"{self.formation} is attached to {self.superior}"


# ------------------------------------------------------------ Dispatch Points and the mug
@frozen
class PointsConverted(Event[State]):
    """A Division buys a Dispatch Point with Command Points (10.0.3)."""

    division: str
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """Two of the one, one of the other."""
        now = state.division_points(self.division)
        dispatch = min(now.dispatch + 1, MOST_POINTS)
        return put_points(state, self.division, command=now.command - CONVERSION, dispatch=dispatch)

    def text(self, state: State) -> str:
        """Which Division."""
        return f"{self.division} buys a Dispatch Point for {CONVERSION} Command Points"


@frozen
class ChitBought(Event[State]):
    """A Formation Activation Chit is bought, face down (7.2). The other player sees only whose Division pays."""

    chit: Chit
    this_turn: bool
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It is paid for by its Division, and lies ready."""
        division, name = self.chit.division, self.chit.name
        left = state.division_points(division).dispatch - (THIS_TURN if self.this_turn else NEXT_TURN)
        state = put_points(state, division, dispatch=left)
        if self.this_turn:
            return changed(state, ready=tuple(sorted((*state.ready, name))))
        return changed(state, aside=tuple(sorted((*state.aside, name))))

    def seen_by(self, side: Side | None) -> ChitBought:
        """Which Formation it is, only its owner knows."""
        return self if side is self.chit.side else changed(self, chit=self.chit.face_down)

    def text(self, state: State) -> str:
        """Whose, and for when."""
        what = f"the chit of {self.chit.formation}" if self.chit.formation else f"a chit of {self.chit.division}"
        return f"{self.chit.side} buys {what} for {'this' if self.this_turn else 'next'} turn"


@frozen
class MugFilled(Event[State]):
    """The eligible chits are put into the mug; Formation chits face down (9.0)."""

    chits: tuple[Chit, ...]
    rule: Rules = field(converter=cited)
    open: tuple[str, ...] = ()
    """Formation chits that the scenario puts in: everybody knows them (9.0)."""

    def fold(self, state: State) -> State:
        """They are in it."""
        return changed(state, mug=Cup.of(*[chit.name for chit in self.chits]), ready=())

    def seen_by(self, side: Side | None) -> MugFilled:
        """Which Formation chits a player has bought, only he knows."""
        known = [chit.side is side or not chit.formation or chit.name in self.open for chit in self.chits]
        chits = [chit if seen else chit.face_down for chit, seen in zip(self.chits, known, strict=True)]
        return changed(self, chits=tuple(sorted(chits, key=lambda chit: chit.name)))

    def text(self, state: State) -> str:
        """Which."""
        names = tuple([chit.name for chit in self.chits])
        return f"in the mug: {listed(names)}" if names else "nothing is in the mug"


@frozen
class ChitDrawn(Event[State]):
    """A chit comes out of the mug, or the one left last turn is played (10.0.1, 10.0.6)."""

    chit: str
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It is being played."""
        state = with_activation(state, activation=Activation(self.chit))
        if state.carried == self.chit:
            return changed(state, carried="")
        hidden = state.setting.chits[self.chit]
        chit = self.chit if self.chit in state.mug else face_down(hidden.division)
        return changed(state, mug=state.mug.remove(chit))

    def text(self, state: State) -> str:
        """Whose."""
        return state.setting.chits[self.chit].title


@frozen
class ChitCarriedOver(Event[State]):
    """The last chit in the mug is not drawn: it will be the first of the next turn (10.0.6)."""

    chit: str
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It is kept."""
        return changed(state, mug=Cup[str](), carried=self.chit)

    def text(self, state: State) -> str:
        """Which."""
        return f"{self.chit} is left in the mug and will be played first next turn"


@frozen
class CommandPointsReceived(Event[State]):
    """A Division receives Command Points (10.0.3)."""

    division: str
    rolled: int
    points: int
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """At most nineteen are kept."""
        held = state.division_points(self.division).command
        return put_points(state, self.division, command=min(held + self.points, MOST_POINTS))

    def text(self, state: State) -> str:
        """How many."""
        held = state.division_points(self.division).command
        return f"{self.division} receives {counted(self.points, 'Command Point')} and has {min(held + self.points, MOST_POINTS)}"


@frozen
class DispatchPointsChanged(Event[State]):
    """A Division gains or loses Dispatch Points (10.0.3)."""

    division: str
    change: int
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """From none to nineteen."""
        held = state.division_points(self.division).dispatch
        return put_points(state, self.division, dispatch=max(0, min(held + self.change, MOST_POINTS)))

    def text(self, state: State) -> str:
        """By how many."""
        held = max(0, min(state.division_points(self.division).dispatch + self.change, MOST_POINTS))
        return f"{self.division}: {counted(self.change, 'Dispatch Point', '+')}, it has {held}"


@frozen
class CommandPointSpent(Event[State]):
    """A Division pays Command Points (10.0.2, 10.0.5, 19.2)."""

    division: str
    points: int
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """They are gone."""
        held = state.division_points(self.division).command
        return put_points(state, self.division, command=held - self.points)

    def text(self, state: State) -> str:
        """How many are left."""
        left = state.division_points(self.division).command - self.points
        return f"{self.division} pays {counted(self.points, 'Command Point')} and has {left}"


# ------------------------------------------------------------ the activation
@frozen
class UnitAttached(Event[State]):
    """An independent unit acts with the Formation (21.6.2)."""

    unit: str
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It is Active, too."""
        now = state.activation
        assert now is not None
        return with_activation(state, activation=changed(now, attached=(*now.attached, self.unit)))

    def text(self, state: State) -> str:
        """To whom."""
        assert state.activation is not None
        return f"{self.unit} is attached to {state.activation.chit}"


@frozen
class ActivationOpened(Event[State]):
    """What comes before the Actions is done (10.0.1, 21.5)."""

    rule: Rules = field(converter=cited)
    bookkeeping = True

    def fold(self, state: State) -> State:
        """Units act from now on."""
        assert state.activation is not None
        return with_activation(state, activation=changed(state.activation, open=True))


@frozen
class ActionsEnded(Event[State]):
    """All Actions of the activation are over; Leaders transfer now (13.3, 21.2)."""

    rule: Rules = field(converter=cited)
    bookkeeping = True

    def fold(self, state: State) -> State:
        """Nobody acts any more."""
        assert state.activation is not None
        return with_activation(state, activation=changed(state.activation, closing=True, last=()))


@frozen
class LeaderAsked(Event[State]):
    """A Leader has had his transfer, or stays (21.2)."""

    leader: str
    rule: Rules = field(converter=cited)
    bookkeeping = True

    def fold(self, state: State) -> State:
        """He is not asked again."""
        now = state.activation
        assert now is not None
        asked = now.transferred | 1 << state.setting.leader_number[self.leader]
        return with_activation(state, activation=changed(now, transferred=asked))


@frozen
class ActivationEnded(Event[State]):
    """The chit has been played and is out of the mug (7.1)."""

    rule: Rules = field(converter=cited)
    bookkeeping = True

    def fold(self, state: State) -> State:
        """Nobody is Active."""
        return with_activation(state, activation=None)
