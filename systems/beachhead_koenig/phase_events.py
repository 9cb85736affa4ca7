"""What happens in the phases of a turn rather than to a unit: turns, support, the Command Cup, rest, the points of the night."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from attrs import field, frozen

from beachhead.cup import Cup
from beachhead.enums import Named
from beachhead.hexes import Hex
from beachhead.play import Event
from beachhead.rules import cited
from beachhead.sentences import counted
from beachhead.values import changed, changer
from beachhead_koenig.events import Rules, spent, where
from beachhead_koenig.state import Progress, State, Supply, activation_of, put, unit_at, with_activation
from beachhead_koenig.tables import Phase, Side

_with_drawn: Callable[..., State] = changer(State, "cup", "activation", "drawings")  # `changed`, at each drawing


@frozen
class TurnBegan(Event[State]):
    """The Game Turn marker stands on a new box: nobody has operated, and what was for one turn only is gone."""

    turn: int
    rule: Rules = field(default=("koenig:4.0.j",), converter=cited)
    begins_turn = True

    def fold(self, state: State) -> State:
        """Every unit may operate again; points and Interdiction markers of the last turn are lost (6.0, 14.2)."""
        ready = Progress.READY
        units = tuple([u if u.progress is ready else unit_at(u.place, u.hits, ready) for u in state.units])
        return changed(state, turn=self.turn, phase=Phase.LANDING, units=units, interdicted=())

    def text(self, state: State) -> str:
        """Its number and name."""
        return f"Game Turn {self.turn}, {state.setting.track[self.turn - 1]}"


@frozen
class PhaseBegan(Event[State]):
    """The next phase of the turn begins."""

    phase: Phase
    rule: Rules = field(default=("koenig:4.0.a",), converter=cited)

    def fold(self, state: State) -> State:
        """The phase changes."""
        return changed(state, phase=self.phase)

    def text(self, state: State) -> str:
        """Which."""
        return str(self.phase)


@frozen
class PointsLost(Event[State]):
    """Artillery and Support Points that nobody used are gone with their turn (6.0)."""

    rule: Rules = field(default=("koenig:6.0.b", "koenig:K-13"), converter=cited)

    def fold(self, state: State) -> State:
        """None are left."""
        return changed(state, support=changed(state.support, allied_artillery=0, german_artillery=0, allied_support=0))

    def text(self, state: State) -> str:
        """Whose and how many."""
        pool = state.support
        lost = [
            f"{side}: {counted(n, what)}"
            for side, n, what in (
                (Side.ALLIED, pool.allied_artillery, "Artillery Point"),
                (Side.ALLIED, pool.allied_support, "Support Point"),
                (Side.GERMAN, pool.german_artillery, "Artillery Point"),
            )
            if n
        ]
        return f"not used and lost: {', '.join(lost)}"


@frozen
class InterdictionLifted(Event[State]):
    """Interdiction markers are removed at the end of their turn (14.2)."""

    rule: Rules = field(default=("koenig:14.2.d",), converter=cited)

    def fold(self, state: State) -> State:
        """No hex is interdicted."""
        return changed(state, interdicted=())

    def text(self, state: State) -> str:
        """Where they lay."""
        return f"interdiction ends in {', '.join(where(state, hex) for hex in state.interdicted)}"


@frozen
class GameEnded(Event[State]):
    """The last turn has been played (3.0)."""

    rule: Rules = field(default=("koenig:3.0.f", "koenig:4.0.j"), converter=cited)

    def fold(self, state: State) -> State:
        """Victory Points decide."""
        return changed(state, phase=Phase.OVER)

    def text(self, state: State) -> str:
        """That it is over."""
        return "the last Game Turn is over"


# ------------------------------------------------------------ support
@frozen
class LeadershipRolled(Event[State]):
    """Both players have rolled for the Leadership marker (14.1)."""

    allied: int
    german: int
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """A roll that is higher by two takes it."""
        lead = self.allied - self.german
        if abs(lead) < 2:
            return state
        return changed(state, leadership=Side.ALLIED if lead > 0 else Side.GERMAN)

    def text(self, state: State) -> str:
        """The dice, and who has it now."""
        after = self.fold(state).leadership
        verb = "takes" if after is not state.leadership else "keeps" if isinstance(after, Side) else "holds"
        return f"leadership rolls: Allied {self.allied}, German {self.german}; {after.value} {verb} the marker"


@frozen
class ArtilleryReceived(Event[State]):
    """Both players have rolled for artillery: the difference goes to the higher (6.1)."""

    allied: int
    german: int
    allied_points: int
    german_points: int
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """They have their points for this turn."""
        pool = changed(state.support, allied_artillery=self.allied_points, german_artillery=self.german_points)
        return changed(state, support=pool)

    def text(self, state: State) -> str:
        """The dice, and the points."""
        got = (
            f"Allied {counted(self.allied_points, 'Artillery Point')}"
            if self.allied_points
            else f"German {counted(self.german_points, 'Artillery Point')}"
            if self.german_points
            else "nobody has Artillery Points"
        )
        return f"artillery rolls: Allied {self.allied}, German {self.german}; {got}"


@frozen
class SupportReceived(Event[State]):
    """The Allied player has rolled for Support Points (6.2). `authored` marks a figure that no printed source gives."""

    roll: int
    points: int
    rule: Rules = field(converter=cited)
    authored: bool = False

    def fold(self, state: State) -> State:
        """He has them for this turn."""
        return changed(state, support=changed(state.support, allied_support=self.points))

    def text(self, state: State) -> str:
        """The die, and the points."""
        note = " (authored)" if self.authored else ""
        return f"support roll: Allied {self.roll}; Allied {counted(self.points, 'Support Point')}{note}"


class Paid(Named, StrEnum):
    """What may be traded in for an Interdiction marker (14.2)."""

    ARTILLERY = "an Artillery Point"
    SUPPORT = "a Support Point"
    LEADERSHIP = "the Leadership marker"


@frozen
class Interdicted(Event[State]):
    """A point becomes an Interdiction marker on the map (14.2)."""

    hex: Hex
    paid: Paid
    rule: Rules = field(default=("koenig:14.2.a", "koenig:14.2.b"), converter=cited)

    def fold(self, state: State) -> State:
        """The marker lies there, and what was paid is gone."""
        pool, leadership = state.support, state.leadership
        match self.paid:
            case Paid.ARTILLERY:
                pool = changed(pool, allied_artillery=pool.allied_artillery - 1)
            case Paid.SUPPORT:
                pool = changed(pool, allied_support=pool.allied_support - 1)
            case Paid.LEADERSHIP:
                leadership = Supply.SUPPLY
        interdicted = tuple(sorted((*state.interdicted, self.hex)))
        return changed(state, support=pool, leadership=leadership, interdicted=interdicted)

    def text(self, state: State) -> str:
        """Where, and what for."""
        return f"Allied interdicts {where(state, self.hex)} for {self.paid.value}"


# ------------------------------------------------------------ the Command Cup
@frozen
class CupFilled(Event[State]):
    """HQs are put into the Command Cup."""

    hqs: tuple[str, ...]
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """Nothing else is in it."""
        return changed(state, cup=Cup.of(*self.hqs))

    def text(self, state: State) -> str:
        """Which."""
        return f"in the Command Cup: {', '.join(self.hqs) or 'nothing'}"


@frozen
class HQDrawn(Event[State]):
    """An HQ comes out of the cup: its formation is Active (7.0)."""

    formation: str
    may_enter: bool
    rule: Rules = field(default=("koenig:7.0.d",), converter=cited)

    def fold(self, state: State) -> State:
        """It operates now."""
        setting = state.setting
        counts = setting.choice("K-01") == "drawings" and self.formation in setting.reinforced
        return _with_drawn(
            state,
            cup=state.cup.remove(self.formation),
            activation=activation_of(self.formation, "", self.may_enter, ()),
            drawings=state.drawings + counts,
        )

    def text(self, state: State) -> str:
        """Whose."""
        formation = state.setting.formation(self.formation)
        title = f" ({formation.title})" if formation.title else ""
        return f"HQ {self.formation}{title} is drawn: the {formation.side} player operates"


@frozen
class ActivationEnded(Event[State]):
    """The owner has finished with the formation (7.3)."""

    rule: Rules = field(default=("koenig:7.3.a",), converter=cited)

    def fold(self, state: State) -> State:
        """Nobody is Active; what was attached does not operate again this turn (14.1)."""
        assert state.activation is not None
        for unit in state.activation.attached:
            state = put(state, unit, progress=Progress.DONE)
        return with_activation(state, activation=None)

    def text(self, state: State) -> str:
        """Which formation."""
        assert state.activation is not None
        return f"formation {state.activation.formation} has finished"


@frozen
class FormationRests(Event[State]):
    """A whole formation rests and refits: none of its units operates (14.3)."""

    formation: str
    chit: str
    rule: Rules = field(default=("koenig:14.3.a", "koenig:14.3.b"), converter=cited)

    def fold(self, state: State) -> State:
        """Its units are done for this turn."""
        for unit in state.on_map(self.formation):
            state = put(state, unit, progress=Progress.DONE)
        return state

    def text(self, state: State) -> str:
        """What the chit gives."""
        return f"formation {self.formation} rests and draws the {self.chit} chit"


# ------------------------------------------------------------ the night
@frozen
class ReplacementsReceived(Event[State]):
    """Both players have rolled for Replacement Points; the Allied player always has more (12.0)."""

    allied_roll: int
    german_roll: int
    allied: int
    german: int
    rule: Rules = field(converter=cited)
    authored: bool = False

    def fold(self, state: State) -> State:
        """They have their points for this night."""
        first = Side.ALLIED if self.allied else Side.GERMAN
        points = changed(state.replacements, allied=self.allied, german=self.german, next=first)
        return changed(state, replacements=points)

    def text(self, state: State) -> str:
        """Dice and points."""
        note = " (authored)" if self.authored else ""
        return (
            f"replacement rolls: Allied {self.allied_roll}, German {self.german_roll}; "
            f"Replacement Points: Allied {self.allied}, German {self.german}{note}"
        )


@frozen
class ReplacementsLost(Event[State]):
    """Points that a player does not spend, or has no Hit for, are lost (12.0)."""

    side: Side
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """He has none left."""
        return spent(state, self.side, state.replacements.of(self.side))

    def text(self, state: State) -> str:
        """How many."""
        return f"{self.side} lets {counted(state.replacements.of(self.side), 'Replacement Point')} go"


# ------------------------------------------------------------ leadership
class Feat(Named, StrEnum):
    """What the Leadership marker is spent on (14.1); Corps Artillery and Interdiction have events of their own."""

    REROLL = "a combat die rolled again"
    STAND = "a retreat ignored"
    FORCED_MARCH = "Force March"
    ATTACHMENT = "Temporary Attachment"
    RECOVERY = "Unit Recovery"


@frozen
class LeadershipSpent(Event[State]):
    """The Leadership marker is spent on a feat, and goes back to the supply (14.1). `unit` is whom it helps, if anyone."""

    side: Side
    feat: Feat
    unit: str
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """Nobody has the marker; a unit attached works with the formation that is Active."""
        if self.feat is Feat.ATTACHMENT:
            assert state.activation is not None
            attached = (*state.activation.attached, self.unit)
            state = changed(state, activation=changed(state.activation, attached=attached))
        return changed(state, leadership=Supply.SUPPLY)

    def text(self, state: State) -> str:
        """On what."""
        return f"{self.side} spends the Leadership marker: {self.feat}{f' for {self.unit}' if self.unit else ''}"
