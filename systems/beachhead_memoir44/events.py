"""What can happen in a battle. Each event changes the state by its `fold` and cites the rule that made it happen."""

from __future__ import annotations

from enum import StrEnum

from attrs import field, frozen

from beachhead.enums import Named
from beachhead.hexes import Hex
from beachhead.play import Event
from beachhead.rules import Breakdown, cited
from beachhead.values import changed as evolve
from beachhead_memoir44.cards import kinds
from beachhead_memoir44.state import Away, EmptySection, Orders, Phase, State, Turn, changed, ordered, put
from beachhead_memoir44.tables import Side, terrain

Rules = tuple[str, ...]


# ------------------------------------------------------------ sequence of play
@frozen
class TurnBegan(Event[State]):
    """A side's turn begins."""

    side: Side
    rule: Rules = field(default=("m44:setup.starter",), converter=cited)
    begins_turn = True

    def fold(self, state: State) -> State:
        """The other side's orders are over."""
        return evolve(state, active=self.side, phase=Phase.PLAY_CARD, turn=Turn())

    def text(self, state: State) -> str:
        """Who is to play."""
        return f"{self.side} to play"


@frozen
class PhaseBegan(Event[State]):
    """The next step of the turn begins."""

    phase: Phase
    rule: Rules = field(default=("m44:turn.order",), converter=cited)
    bookkeeping = True

    def fold(self, state: State) -> State:
        """The step changes; before a second move (Behind Enemy Lines) the first is forgotten."""
        if self.phase is Phase.MOVE_AGAIN:
            state = evolve(
                state, turn=evolve(state.turn, orders=tuple(evolve(o, moved=False) for o in state.turn.orders))
            )
        return evolve(state, phase=self.phase)


# ------------------------------------------------------------ orders and moves
@frozen
class UnitOrdered(Event[State]):
    """A unit receives an order."""

    unit: int
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It may act this turn."""
        orders = tuple(sorted((*state.turn.orders, Orders(self.unit)), key=lambda o: o.unit))
        return evolve(state, turn=evolve(state.turn, orders=orders))

    def text(self, state: State) -> str:
        """Which unit."""
        return f"{state.name(self.unit)} is ordered"


class Manner(Named, StrEnum):
    """How a unit came to change its hex."""

    MOVE = "moves to"
    RETREAT = "retreats to"
    GROUND = "takes the ground at"


@frozen
class UnitMoved(Event[State]):
    """A unit changes its hex: it moves, retreats or takes ground. `path` begins where it stood.

    `no_battle` and `no_ground` are the rules that now forbid an ordered unit to battle, or to take ground, for the rest of the turn.
    """

    unit: int
    path: tuple[Hex, ...]
    manner: Manner
    rule: Rules = field(converter=cited)
    no_battle: Rules = field(default=(), converter=cited)
    no_ground: Rules = field(default=(), converter=cited)

    def fold(self, state: State) -> State:
        """It stands in the last hex of the path."""
        state = changed(state, self.unit, hex=self.path[-1])
        if self.manner is Manner.RETREAT:
            return state
        moved = {"moved": True} if self.manner is Manner.MOVE else {}
        return ordered(state, self.unit, **moved, no_battle=self.no_battle, no_ground=self.no_ground)

    def text(self, state: State) -> str:
        """From where to where."""
        through = self.path[1:-1]
        way = " by way of " + ", ".join(map(state.label, through)) if through else ""
        return f"{state.name(self.unit)} {self.manner} {state.label(self.path[-1])}{way}"


# ------------------------------------------------------------ battle
@frozen
class BattleDeclared(Event[State]):
    """An ordered unit battles: close assault against an adjacent target, fire against a distant one."""

    unit: int
    target: int
    dice: Breakdown
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It has fought one battle more."""
        orders = state.orders(self.unit)
        return ordered(state, self.unit, battles=orders.battles + 1) if orders else state

    def text(self, state: State) -> str:
        """Who attacks whom with what."""
        how = "close assaults" if "m44:battle.close_assault" in self.rule else "fires at"
        n = self.dice.total
        return f"{state.name(self.unit)} {how} {state.name(self.target)} with {n} {'die' if n == 1 else 'dice'}: {self.dice}"


@frozen
class CardAttackDeclared(Event[State]):
    """A card itself attacks a unit (Air Power, Barrage)."""

    kind_id: str
    target: int
    dice: Breakdown
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """Nothing changes yet."""
        return state

    def text(self, state: State) -> str:
        """Which card strikes whom."""
        n = self.dice.total
        dice = f"{n} {'die' if n == 1 else 'dice'}: {self.dice}"
        return f"{kinds()[self.kind_id].name} strikes {state.name(self.target)} with {dice}"


@frozen
class BattleGoesOn(Event[State]):
    """The attacker was ambushed and still stands where it was: it battles as declared."""

    unit: int
    rule: Rules = field(default=("m44:card.ambush.attack_goes_on",), converter=cited)

    def fold(self, state: State) -> State:
        """Nothing changes."""
        return state

    def text(self, state: State) -> str:
        """Whose attack it is."""
        return f"{state.name(self.unit)} attacks all the same"


@frozen
class BattleForgone(Event[State]):
    """The attacker was ambushed and is destroyed or driven back: its battle is used up."""

    unit: int
    rule: Rules = field(default=("m44:card.ambush.attack_lost",), converter=cited)

    def fold(self, state: State) -> State:
        """It does not battle this turn, nor take ground."""
        return ordered(state, self.unit, no_battle=self.rule, no_ground=self.rule)

    def text(self, state: State) -> str:
        """What falls away."""
        return "the attack falls away"


@frozen
class FiguresLost(Event[State]):
    """A unit loses figures. With its last one it is eliminated: `UnitEliminated` follows."""

    unit: int
    figures: int
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """Hits beyond the last figure have no effect (m44:resolve.excess_hits)."""
        return changed(state, self.unit, figures=max(0, state.units[self.unit].figures - self.figures))

    def text(self, state: State) -> str:
        """How many."""
        left = max(0, state.units[self.unit].figures - self.figures)
        return f"{state.name(self.unit)} loses {self.figures} figure{'s' if self.figures != 1 else ''}, {left} left"


@frozen
class UnitEliminated(Event[State]):
    """A unit is gone, and the other side has its medals."""

    unit: int
    medals: int
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It leaves the board."""
        enemy = state.side(self.unit).other
        medals = put(state.medals, enemy, state.medals[enemy is Side.ALLIES] + self.medals)
        return evolve(changed(state, self.unit, hex=Away.ELIMINATED), medals=medals)

    def text(self, state: State) -> str:
        """Which unit, and what it was worth."""
        medals = f"{self.medals} medal{'s' if self.medals != 1 else ''}" if self.medals else "no medal"
        return f"{state.name(self.unit)} is eliminated: {medals} for the {state.side(self.unit).other}"


@frozen
class FlagsIgnored(Event[State]):
    """The owner of a unit ignores flags."""

    unit: int
    flags: int
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It stays where it is."""
        return state

    def text(self, state: State) -> str:
        """How many."""
        return f"{state.name(self.unit)} ignores {self.flags} flag{'s' if self.flags != 1 else ''}"


@frozen
class FiguresReturned(Event[State]):
    """Lost figures come back to a unit."""

    unit: int
    figures: int
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It is that much stronger."""
        return changed(state, self.unit, figures=state.units[self.unit].figures + self.figures)

    def text(self, state: State) -> str:
        """How many."""
        return f"{state.name(self.unit)} gets {self.figures} figure{'s' if self.figures != 1 else ''} back"


# ------------------------------------------------------------ ground
@frozen
class ObstacleRemoved(Event[State]):
    """An obstacle leaves the board."""

    hex: Hex
    obstacle: str
    rule: Rules = field(converter=cited)
    by: int | None = None
    """The unit that removes it instead of battling."""

    def fold(self, state: State) -> State:
        """The hex is rid of it."""
        state = evolve(state, obstacles=state.obstacles - {(self.hex, self.obstacle)})
        orders = None if self.by is None else state.orders(self.by)
        return ordered(state, orders.unit, battles=orders.battles + 1) if orders else state

    def text(self, state: State) -> str:
        """Which, and where."""
        noun = terrain(self.obstacle).noun
        return f"{noun} at {state.label(self.hex)} {'are' if noun.endswith('s') else 'is'} removed"


@frozen
class ObstaclePlaced(Event[State]):
    """An obstacle comes onto the board."""

    hex: Hex
    obstacle: str
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """The hex has it."""
        return evolve(state, obstacles=state.obstacles | {(self.hex, self.obstacle)})

    def text(self, state: State) -> str:
        """Which, and where."""
        noun = terrain(self.obstacle).noun
        return f"{noun} {'are' if noun.endswith('s') else 'is'} placed at {state.label(self.hex)}"


@frozen
class ObjectiveChanged(Event[State]):
    """A medal on the board is won or lost."""

    objective: int
    holder: Side | None
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """It has another holder, or none. A permanent medal is won for good."""
        was, what = state.held[self.objective], state.setting.objectives[self.objective]
        held = (*state.held[: self.objective], self.holder, *state.held[self.objective + 1 :])
        medals = state.medals
        if not isinstance(what, EmptySection) and what.permanent and self.holder is not None and was is None:
            medals = put(medals, self.holder, medals[self.holder is Side.ALLIES] + what.counts_for)
        return evolve(state, held=held, medals=medals)

    def text(self, state: State) -> str:
        """Whose it is now."""
        what = state.setting.objectives[self.objective]
        where = (
            f"for the empty {what.wing}"
            if isinstance(what, EmptySection)
            else f"at {', '.join(map(state.label, what.hexes))}"
        )
        if self.holder is None:
            return f"nobody has the medal {where}"
        return f"the {self.holder} {'has' if self.holder is Side.AXIS else 'have'} the medal {where}"
