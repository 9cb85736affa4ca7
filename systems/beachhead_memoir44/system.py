"""Memoir '44 as a system of Beachhead: what the kernel asks of it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

from attrs import evolve

from beachhead.cup import Cup
from beachhead.hexes import Hex, Labels
from beachhead.play import UNKNOWN, Play, Unknown
from beachhead.rules import Catalogue, Objection, Verdict, verdict
from beachhead.systems import Policy, Result, Source, shipped_scenarios
from beachhead_memoir44 import setup, turn, victory
from beachhead_memoir44.attack import readiness_objections
from beachhead_memoir44.battle import Battle, ChooseBattle, own_unit
from beachhead_memoir44.movement import ChooseMove, Move, moving_objections
from beachhead_memoir44.orders import ChooseOrders, Order
from beachhead_memoir44.state import Hand, Phase, Pile, State, put
from beachhead_memoir44.tables import FOLDER, Side


class Memoir44:
    """The system: sequence of play, views, scenarios."""

    name = "memoir44"
    title = "Memoir '44"
    package = "beachhead_memoir44"
    state = State
    sides = tuple(Side)
    suffixes = (".m44",)

    def __init__(self) -> None:
        self.catalogue = Catalogue(FOLDER)

    @property
    def policies(self) -> Mapping[str, Policy]:
        """The players that come with the system."""
        from beachhead_memoir44.players import POLICIES

        return POLICIES

    @property
    def cases(self) -> Any:
        """How rule cases set up positions and ask questions."""
        from beachhead_memoir44.cases import CASES

        return CASES

    def scenarios(self) -> Mapping[str, Path]:
        """Those that come with Beachhead."""
        return shipped_scenarios(self.name, self.suffixes)

    def new(self, source: Source, options: Mapping[str, object]) -> State:
        """The state before the deal.

        Raises:
            ScenarioError: the file is faulty, or asks for what is not built yet.
            OptionError: an unknown option or choice.
        """
        from beachhead_memoir44.m44 import read_source

        choices = self.catalogue.choices(options)
        return setup.battle(read_source(source), choices)

    def step(self, play: Play[State]) -> Coroutine[Any, Any, None]:
        """One step of the sequence of play."""
        return turn.step(play)

    def over(self, state: State) -> bool:
        """Whether the battle has ended."""
        return victory.over(state)

    def result(self, state: State) -> Result | None:
        """How it ended."""
        return victory.result(state)

    # -------------------------------------------------------- what a side knows
    def view(self, state: State, side: Side | None) -> State:
        """Hands are hidden from the other side, and so is which cards are in the pile (m44:deck.secret_hands)."""
        pool, hands, drawn = state.pile.pool, state.hands, state.turn.drawn
        for other in Side:
            if other is not side and state.hand(other).cards.size:
                hand = state.hand(other)
                pool = pool + hand.cards
                hands = put(hands, other, Hand(Cup(), hand.size))
        if side is not state.active and drawn:
            pool = pool.add(*(card for card in drawn if not isinstance(card, Unknown)))
            drawn = (UNKNOWN,) * len(drawn)
        return evolve(state, hands=hands, pile=Pile(pool, state.pile.size), turn=evolve(state.turn, drawn=drawn))

    def resample(self, state: State, side: Side | None, pick: Callable[[int], int]) -> State:
        """Deal what the side cannot see anew."""
        state = self.view(state, side)
        pool, hands, drawn = state.pile.pool, state.hands, list(state.turn.drawn)

        def deal() -> str:
            nonlocal pool
            card = tuple(pool)[pick(pool.size)]
            pool = pool.remove(card)
            return card

        for other in Side:
            hand = state.hand(other)
            dealt = [deal() for _ in range(hand.hidden)]
            hands = put(hands, other, Hand(hand.cards.add(*dealt)))
        known = tuple(deal() if isinstance(card, Unknown) else card for card in drawn)
        return evolve(state, hands=hands, pile=Pile(pool, state.pile.size), turn=evolve(state.turn, drawn=known))

    # -------------------------------------------------------- for a reader
    def phase(self, state: State) -> str:
        """The step of the turn."""
        return state.phase.value if state.phase is Phase.DEAL else f"{state.active}: {state.phase.value}"

    def labels(self, state: State) -> Labels:
        """Letters and numbers, as on the board."""
        return state.setting.board.places

    def unread(self, state: State) -> tuple[str, ...]:
        """What of the scenario's prose is not enforced."""
        return state.setting.unread

    def picture(self, state: State) -> str:
        """The battlefield."""
        from beachhead_memoir44.picture import picture

        return picture(state)

    def why_not(self, state: State, decision: Any, what: tuple[Any, ...]) -> Verdict:
        """What is said against a unit ("C3"), or a unit and a hex ("C3", "E4"), at the decision that is open."""
        hexes = [state.setting.board.find(w) if isinstance(w, str) else w for w in what]
        if len(hexes) not in (1, 2) or not all(isinstance(hex, Hex) for hex in hexes):
            return Verdict(
                (
                    Objection(
                        decision.rule,
                        "point at a unit's hex, or at a unit's hex and another one, such as C3 and E4",
                        (),
                    ),
                )
            )
        match decision, hexes:
            case ChooseOrders(), [hex]:
                action: object = Order(hex)
            case ChooseMove(), [hex] if (unit := own_unit(state, hex)) is not None:
                return verdict(moving_objections(state, unit))
            case ChooseBattle(), [hex] if (unit := own_unit(state, hex)) is not None:
                return verdict(readiness_objections(state, unit))
            case ChooseMove() | ChooseBattle(), [hex]:
                action = Move(hex, hex) if isinstance(decision, ChooseMove) else Battle(hex, hex)
            case ChooseMove(), [hex, to]:
                action = Move(hex, to)
            case ChooseBattle(), [hex, to]:
                action = Battle(hex, to)
            case _:
                action = Order(hexes[0]) if len(hexes) == 1 else Move(hexes[0], hexes[1])
        return decision.verdict(state, action)  # type: ignore[no-any-return]

    def check_invariants(self, state: State) -> None:
        """What must be true of every state that play can reach."""
        places = [unit.hex for unit in state.units if isinstance(unit.hex, Hex)]
        assert len(places) == len(set(places)), "two units in one hex"
        for i, unit in enumerate(state.units):
            assert 0 <= unit.figures <= max(state.setting.roster[i].figures, state.troop(i).figures), "too many figures"
            assert not isinstance(unit.hex, Hex) or unit.hex in state.setting.board, "a unit off the board"
        cards = state.setting.deck.size
        there = (
            state.pile.size
            + state.discard.size
            + sum(hand.size for hand in state.hands)
            + len(state.turn.drawn)
            + bool(state.turn.card)
        )
        assert there == cards, f"{there} cards of {cards}"
        if not any(hand.hidden for hand in state.hands):
            assert state.pile.pool.size == state.pile.size or UNKNOWN in state.turn.drawn, (
                "the pile is not what is in it"
            )


SYSTEM = Memoir44()
