"""What can happen to command cards: drawn, kept, played, discarded, shuffled, and the order that one gives."""

from __future__ import annotations

from attrs import field, frozen

from beachhead.cup import Cup
from beachhead.play import UNKNOWN, Event, Unknown
from beachhead.rules import cited
from beachhead.values import changed as evolve
from beachhead_memoir44.cards import Wing, find_card, kinds
from beachhead_memoir44.dice import Called
from beachhead_memoir44.events import Rules
from beachhead_memoir44.state import Given, Pile, State, Turn, put
from beachhead_memoir44.tables import Side


@frozen
class CardDrawn(Event[State]):
    """A side takes a card from the draw pile; only that side sees which."""

    side: Side
    card: str | Unknown
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """From the pile into the hand."""
        hand, pile = state.hand(self.side), state.pile
        if isinstance(self.card, Unknown):
            hand, pool = evolve(hand, hidden=hand.hidden + 1), pile.pool
        else:
            hand, pool = evolve(hand, cards=hand.cards.add(self.card)), pile.pool.remove(self.card)
        return evolve(state, hands=put(state.hands, self.side, hand), pile=Pile(pool, pile.size - 1))

    def seen_by(self, side: object) -> CardDrawn:
        """Another side sees only that a card was drawn."""
        return self if side is self.side else evolve(self, card=UNKNOWN)

    def text(self, state: State) -> str:
        """Who draws what, as far as it is known."""
        return f"{self.side.does('draw')} {'a card' if isinstance(self.card, Unknown) else find_card(self.card).name}"


@frozen
class CardLookedAt(Event[State]):
    """A side draws a card of which it may keep only one; it lies face down before that side."""

    side: Side
    card: str | Unknown
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """From the pile onto the table."""
        pool = state.pile.pool if isinstance(self.card, Unknown) else state.pile.pool.remove(self.card)
        return evolve(
            state, pile=Pile(pool, state.pile.size - 1), turn=evolve(state.turn, drawn=(*state.turn.drawn, self.card))
        )

    def seen_by(self, side: object) -> CardLookedAt:
        """Another side sees only that a card was drawn."""
        return self if side is self.side else evolve(self, card=UNKNOWN)

    def text(self, state: State) -> str:
        """Who draws what, as far as it is known."""
        return f"{self.side.does('draw')} {'a card' if isinstance(self.card, Unknown) else find_card(self.card).name}, of two"


@frozen
class CardKept(Event[State]):
    """Of the two cards drawn one is kept, and the other laid open on the discard pile."""

    side: Side
    card: str | Unknown
    discarded: str
    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """One into the hand, one onto the discard pile."""
        hand, pool = state.hand(self.side), state.pile.pool
        if isinstance(self.card, Unknown):
            hand = evolve(hand, hidden=hand.hidden + 1)
            pool = pool.remove(self.discarded) if self.discarded else pool
        else:
            hand = evolve(hand, cards=hand.cards.add(self.card))
        hands, turn = put(state.hands, self.side, hand), evolve(state.turn, drawn=())
        discard = state.discard.add(self.discarded) if self.discarded else state.discard
        return evolve(state, hands=hands, pile=Pile(pool, state.pile.size), turn=turn, discard=discard)

    def seen_by(self, side: object) -> CardKept:
        """Another side sees the card laid off only."""
        return self if side is self.side else evolve(self, card=UNKNOWN)

    def text(self, state: State) -> str:
        """What is kept, as far as it is known, and what is not."""
        kept = "one" if isinstance(self.card, Unknown) else find_card(self.card).name
        return f"{self.side.does('keep')} {kept}" + (
            f"; {find_card(self.discarded).name} is discarded" if self.discarded else ""
        )


@frozen
class PileReshuffled(Event[State]):
    """The discard pile becomes the draw pile, or joins it."""

    rule: Rules = field(converter=cited)

    def fold(self, state: State) -> State:
        """Nobody knows the order of a shuffled pile, so it has none."""
        return evolve(
            state, pile=Pile(state.pile.pool + state.discard, state.pile.size + state.discard.size), discard=Cup()
        )

    def text(self, state: State) -> str:
        """How many cards are shuffled."""
        return f"{state.discard.size + state.pile.size} cards are shuffled into the draw pile"


def _from_hand(state: State, side: Side, card: str) -> State:
    """A card comes to light: out of the hand, or out of what a viewer could not see."""
    hand, pile = state.hand(side), state.pile
    if card in hand.cards:
        hand = evolve(hand, cards=hand.cards.remove(card))
    else:
        hand, pile = evolve(hand, hidden=hand.hidden - 1), Pile(pile.pool.remove(card), pile.size)
    return evolve(state, hands=put(state.hands, side, hand), pile=pile)


@frozen
class CardPlayed(Event[State]):
    """A side plays a command card: its order is what the turn is about."""

    side: Side
    card: str
    rule: Rules = field(default=("m44:order.play_one_card",), converter=cited)

    def fold(self, state: State) -> State:
        """The card lies open."""
        card = find_card(self.card)
        wing = card.section.wing(top=self.side is state.setting.top) if card.section else None
        return evolve(_from_hand(state, self.side, self.card), turn=Turn(self.card, card.kind_id, wing))

    def text(self, state: State) -> str:
        """Which card."""
        return f"{self.side.does('play')} {find_card(self.card).name}"


@frozen
class AmbushPlayed(Event[State]):
    """The defender of a close assault shows Ambush. The card goes to the discard pile."""

    side: Side
    card: str
    rule: Rules = field(default=("m44:card.ambush.when",), converter=cited)

    def fold(self, state: State) -> State:
        """He will draw another at the end of the turn."""
        state = _from_hand(state, self.side, self.card)
        return evolve(
            state, discard=state.discard.add(self.card), turn=evolve(state.turn, ambushes=state.turn.ambushes + 1)
        )

    def text(self, state: State) -> str:
        """Who ambushes."""
        return f"{self.side.does('play')} {find_card(self.card).name}"


@frozen
class OrderGiven(Event[State]):
    """What the card orders is settled: a copied order, a chosen section, a substitute, the symbols of a throw."""

    kind_id: str
    rule: Rules = field(converter=cited)
    wing: Wing | None = None
    substitute: bool = False
    symbols: Called = field(factory=Called)

    def fold(self, state: State) -> State:
        """The turn is about this order."""
        turn = evolve(
            state.turn, kind_id=self.kind_id, wing=self.wing, substitute=self.substitute, symbols=self.symbols
        )
        return evolve(state, turn=turn)

    def text(self, state: State) -> str:
        """The order."""
        if not self.kind_id:
            return "there is no order"
        where = f" in the {self.wing}" if self.wing else ""
        return f"the order is {kinds()[self.kind_id].name}{where}" + (": one unit of choice" if self.substitute else "")


@frozen
class CardDiscarded(Event[State]):
    """The card of the turn goes to the discard pile: the one played, or from the hand a lone Ambush."""

    side: Side
    card: str
    rule: Rules = field(converter=cited)
    played: bool = False

    def fold(self, state: State) -> State:
        """The order that it gave, if any, is remembered: Counter-Attack asks for it."""
        if not self.played:
            state = _from_hand(state, self.side, self.card)
        given = Given(state.turn.kind_id, state.turn.wing) if state.turn.kind_id else None
        return evolve(
            state,
            discard=state.discard.add(self.card),
            given=put(state.given, self.side, given),
            turn=evolve(state.turn, card=""),
        )

    def text(self, state: State) -> str:
        """Which card."""
        return f"{self.side.does('discard')} {find_card(self.card).name}"
