"""The sequence of play: the deal, and the five steps of a turn (m44:turn.order)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import final

from attrs import frozen

from beachhead.play import Chance, Decision, Play, Unknown, call
from beachhead.rules import Objection
from beachhead_memoir44.battle import battle_step
from beachhead_memoir44.card_events import CardDiscarded, CardDrawn, CardKept, CardLookedAt, PileReshuffled
from beachhead_memoir44.events import ObjectiveChanged, PhaseBegan, TurnBegan
from beachhead_memoir44.movement import move_step
from beachhead_memoir44.orders import order_step, play_card
from beachhead_memoir44.state import Phase, State
from beachhead_memoir44.tables import Side
from beachhead_memoir44.victory import holder_changes


async def step(play: Play[State]) -> None:
    """One step of the sequence of play, found from the state alone."""
    match play.state.phase:
        case Phase.DEAL:
            await deal(play)
        case Phase.PLAY_CARD:
            await begin_turn(play)
        case Phase.ORDER:
            await order_step(play)
        case Phase.MOVE:
            if not await move_step(play):
                play.record(PhaseBegan(Phase.BATTLE))
        case Phase.BATTLE:
            if not await battle_step(play):
                kind = play.state.turn.kind
                again = kind and kind.second_move and not play.state.turn.substitute
                play.record(PhaseBegan(Phase.MOVE_AGAIN if again else Phase.DRAW))
        case Phase.MOVE_AGAIN:
            if not await move_step(play):
                play.record(PhaseBegan(Phase.DRAW))
        case Phase.DRAW:
            await end_turn(play)
        case Phase.OUT_OF_CARDS:
            raise AssertionError("a battle without cards is over")


async def deal(play: Play[State]) -> None:
    """Each side starts with the number of cards that the scenario gives it (m44:deck.hand_size); then the first side plays (m44:setup.starter)."""
    for objective, holder, rules in tuple(holder_changes(play.state)):
        play.record(ObjectiveChanged(objective, holder, ("m44:victory.objective_start_held", *rules)))
    for side in Side:
        while play.state.hand(side).size < play.state.setting.hands[side]:
            await draw(play, side, ("m44:deck.hand_size",))
    play.record(TurnBegan(play.state.setting.starting))


async def begin_turn(play: Play[State]) -> None:
    """Medals that count at the start of a turn, then a card."""
    for objective, holder, rules in tuple(holder_changes(play.state, turn_of=play.state.active)):
        play.record(ObjectiveChanged(objective, holder, rules))
    await call(play_card)


# ------------------------------------------------------------ drawing
@frozen
class DrawCard(Chance[State, str]):
    """A card from the draw pile: any of those that are in it. Only its new owner sees it."""

    side: Side
    rule: str

    def outcomes(self, state: State) -> Sequence[tuple[str, int]]:
        """Every card that may be in the pile, as often as it may be."""
        return state.pile.pool.counts

    def read(self, outcome: str) -> str:
        """The card."""
        return outcome

    def answer_seen_by(self, side: object) -> bool:
        """Hidden from the other side."""
        return side is self.side

    def text(self, outcome: object, state: State) -> str:
        """The event that follows tells of it."""
        return ""


async def draw(play: Play[State], side: Side, rules: tuple[str, ...]) -> None:
    """Draw one card into the hand."""
    await call(refill, "m44:deck.reshuffle")
    if play.state.pile.size:
        card = await DrawCard(side, rules[0])
        play.record(CardDrawn(side, card, rules))


async def refill(play: Play[State], rule: str) -> None:
    """An empty draw pile is made anew of the discard pile when a card is needed (m44:deck.reshuffle)."""
    state = play.state
    if not state.pile.size and state.discard.size and state.setting.winner_without_cards is None:
        play.record(PileReshuffled(rule))


@final
@frozen
class Keep:
    """Keep this card; the other is discarded."""

    card: str


@frozen
class ChooseCardToKeep(Decision[State, Keep]):
    """Recon draws two cards, of which one is kept (m44:deck.draw_recon)."""

    side: Side
    secret = True
    rule = "m44:deck.draw_recon"
    prompt = "the card to keep"

    def candidates(self, state: State) -> Iterator[Keep]:
        """The cards drawn, each once."""
        return (Keep(card) for card in dict.fromkeys(state.turn.drawn) if not isinstance(card, Unknown))

    def objections(self, state: State, action: Keep) -> Iterator[Objection]:
        """One of those drawn."""
        if action.card not in state.turn.drawn:
            rules = (self.rule, "m44:card.recon.draw")
            yield Objection(rules, "{} is none of the cards drawn", (action.card,))


async def end_turn(play: Play[State]) -> None:
    """The card played is discarded, cards are drawn, and the other side's turn begins (m44:turn.draw)."""
    side, turn, kind = play.state.active, play.state.turn, play.state.turn.kind
    if turn.card:
        play.record(CardDiscarded(side, turn.card, "m44:deck.discard_when", played=True))
    for _ in range(turn.ambushes):
        await call(draw, side.other, ("m44:deck.ambush_replace",))
    if kind and kind.reshuffle:
        play.record(PileReshuffled((*kind.rules("reshuffle"), *turn.own_numbers)))
    if kind and kind.draw > 1:
        copied = ("m44:deck.draw_recon_only", *turn.own_numbers) if turn.copied else ()
        await call(draw_and_keep, side, kind.draw, (*kind.rules("draw"), *copied))
    else:
        await call(draw, side, ("m44:turn.draw",))
    if not play.state.pile.size and play.state.setting.winner_without_cards:
        play.record(PhaseBegan(Phase.OUT_OF_CARDS, "m44:deck.no_reshuffle"))
    play.record(TurnBegan(side.other, "m44:setup.starter"))


async def draw_and_keep(play: Play[State], side: Side, n: int, rules: tuple[str, ...]) -> None:
    """Draw several cards and keep one; the pile is made anew in between if it runs out (m44:deck.reshuffle_mid_draw)."""
    for i in range(n):
        await call(refill, "m44:deck.reshuffle_mid_draw" if i else "m44:deck.reshuffle")
        if play.state.pile.size:
            card = await DrawCard(side, rules[0])
            play.record(CardLookedAt(side, card, rules))
    drawn = list(play.state.turn.drawn)
    if len(drawn) == 1:
        play.record(CardKept(side, drawn[0], "", rules))
    elif drawn:
        choice = await ChooseCardToKeep(side)
        drawn.remove(choice.card)
        discarded = drawn[0]
        assert isinstance(discarded, str)
        play.record(CardKept(side, choice.card, discarded, rules))
