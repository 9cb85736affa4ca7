"""What a side is told of the other's cards, over whole games: state, log, options, and their JSON."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import beachhead as bh
from beachhead.codec import codec_for
from beachhead.game import Game, View
from beachhead.play import UNKNOWN
from beachhead.policies import random
from beachhead_memoir44 import SYSTEM
from beachhead_memoir44.battle import AmbushOrNot
from beachhead_memoir44.card_events import AmbushPlayed, CardDrawn, CardKept, CardLookedAt
from beachhead_memoir44.cards import cards
from beachhead_memoir44.cases import position
from beachhead_memoir44.orders import ChooseCard, PlayCard
from beachhead_memoir44.state import State
from beachhead_memoir44.tables import Side
from beachhead_memoir44.turn import ChooseCardToKeep, DrawCard

MILL_CROSSING = Path(__file__).parent / "files" / "mill-crossing.m44"
VIEWERS = (*Side, None)
SEEDS = (918273645546372811, 564738291918273645)
"""So long that neither comes about by chance."""


@cache
def played(seed: int) -> Game[State]:
    """The first decisions of a game that two sides play at random."""
    game, policy = bh.new(MILL_CROSSING, seed=seed), random(3)
    for _ in range(180):
        game.apply(policy(SYSTEM.view(game.state, game.to_act), game.decision, game.legal_actions()))
    return game


def views() -> Iterator[tuple[Game[State], Any, View[State]]]:
    """The games at every fifteenth decision, as each side sees them."""
    for seed in SEEDS:
        game = played(seed)
        for n in range(0, 181, 15):
            game.undo(game.decisions)
            game.redo(n)
            for side in VIEWERS:
                yield game, side, game.view(side)


def told(view: View[State]) -> str:
    """Everything that a view holds, as one text of JSON."""
    codec = codec_for(SYSTEM)
    parts: list[Any] = [view.state, view.decision, view.options]
    for entry in view.log:
        parts += [entry.request, entry.answer, entry.events, entry.before]
    return "\n".join(codec.dumps(part) for part in parts)


# ------------------------------------------------------------ the state
@pytest.mark.covers("m44:deck.secret_hands")
def test_a_side_knows_its_own_cards_and_counts_the_others():
    for game, side, view in views():
        truth, seen = game.state, view.state
        for owner in Side:
            hand = seen.hand(owner)
            assert hand.size == truth.hand(owner).size
            assert hand.cards == (truth.hand(owner).cards if owner is side else type(hand.cards)())


@pytest.mark.covers("m44:deck.secret_hands")
def test_what_may_be_in_the_pile_is_all_that_a_side_cannot_see():
    """Counted from the other end: the deck, less what lies open and what the side holds."""
    for game, side, view in views():
        truth, seen = game.state, view.state
        unseen = list(truth.setting.deck)
        for card in (*truth.discard, *filter(None, [truth.turn.card])):
            unseen.remove(card)
        if side is not None:
            for card in truth.hand(side).cards:
                unseen.remove(card)
        drawn = [card for card in truth.turn.drawn if isinstance(card, str)]
        if side is truth.active:
            for card in drawn:
                unseen.remove(card)
            assert seen.turn.drawn == truth.turn.drawn
        else:
            assert seen.turn.drawn == (UNKNOWN,) * len(drawn)
        assert sorted(seen.pile.pool) == sorted(unseen)
        assert seen.pile.size == truth.pile.size


def test_what_lies_on_the_table_is_seen_by_all():
    for game, _, view in views():
        truth, seen = game.state, view.state
        assert (seen.units, seen.obstacles, seen.discard, seen.medals, seen.held) == (
            truth.units,
            truth.obstacles,
            truth.discard,
            truth.medals,
            truth.held,
        )
        assert (seen.active, seen.phase, seen.given, seen.turn.card) == (
            truth.active,
            truth.phase,
            truth.given,
            truth.turn.card,
        )


# ------------------------------------------------------------ the log
def test_the_log_tells_of_no_card_that_the_other_side_drew():
    hidden = kept = asked = 0
    for game, side, view in views():
        for true, entry in zip(game.log, view.log, strict=True):
            owner = getattr(entry.request, "side", None)
            if owner in (None, side):
                continue
            assert not entry.forced, "that would tell what he could have done"
            if isinstance(entry.request, DrawCard | ChooseCardToKeep | AmbushOrNot):
                asked += 1
                assert entry.answer == UNKNOWN
            for was, event in zip(true.events, entry.events, strict=True):
                if isinstance(was, CardDrawn | CardLookedAt | CardKept) and was.side is not side:
                    hidden += 1
                    open_card = getattr(was, "discarded", "")
                    text = codec_for(SYSTEM).dumps(event)
                    assert not [card for card in cards() if f'"{card}"' in text and card != open_card]
                    kept += isinstance(was, CardKept)
    assert hidden > 100
    assert kept > 10
    assert asked > 100


def test_the_story_says_a_card():
    for side in Side:
        game = played(SEEDS[0])
        game.redo(180 - game.decisions)
        lines = [line.text for line in game.view(side).log.lines()]
        drawn = [text for text in lines if text.startswith(side.other.does("draw"))]
        assert drawn
        assert {text.removesuffix(", of two") for text in drawn} == {f"{side.other.does('draw')} a card"}
        own = [text for text in lines if text.startswith(side.does("draw"))]
        assert f"{side.does('draw')} a card" not in own


def test_an_ambush_is_told_when_it_is_played_and_not_when_it_is_not():
    """The other side hears of the card, never of the question."""
    place, hands = ["E5: infantry allies", "F5: infantry axis"], {"allies": ["direct_from_hq"]}
    for answer, events in (("let them come", 0), ("ambush", 1)):
        start = position(place, hands={"axis": ["ambush", "probe_left"], **hands})
        game = Game(SYSTEM, start, seed=1)
        for text in ("order E5", "end moves", "battle E5 F5"):
            game.do(text)
        before = len(game.log)
        game.do(answer)
        mine, theirs = game.view(Side.AXIS).log[before], game.view(Side.ALLIES).log[before]
        assert isinstance(mine.request, AmbushOrNot)
        assert mine.answer != UNKNOWN
        assert theirs.answer == UNKNOWN
        assert sum(isinstance(event, AmbushPlayed) for event in theirs.events) == events


def test_not_to_ambush_and_not_to_be_able_to_look_alike():
    """Whether the defender declined or had no Ambush at all, the attacker is told the same."""
    place = ["E5: infantry allies", "F5: infantry axis"]
    games = []
    for held, elsewhere in (("ambush", "barrage"), ("barrage", "ambush")):
        hands = {"axis": [held, "probe_left"], "allies": ["direct_from_hq"]}
        game = Game(
            SYSTEM, position(place, hands=hands, pile=[elsewhere, "move_out"]), script=["star star star", "move_out"]
        )
        for text in ("order E5", "end moves", "battle E5 F5", "let them come"):
            game.do(text)
        games.append(game)
    one, two = games
    assert one.state != two.state
    assert told(one.view(Side.ALLIES)) == told(two.view(Side.ALLIES))
    assert told(one.view(Side.AXIS)) != told(two.view(Side.AXIS))


def test_who_has_two_cards_is_asked_whatever_they_are():
    """Not to be asked would tell that there is nothing to choose."""
    seen = {side: set[str]() for side in VIEWERS}
    for hand in (["ambush", "probe_left"], ["probe_left", "probe_left"], ["probe_left", "barrage"]):
        game = Game(SYSTEM, position(["E5: infantry allies", "E9: infantry axis"], hands={"allies": hand}), seed=1)
        assert isinstance(game.decision, ChooseCard)
        for side in VIEWERS:
            seen[side].add(told(game.view(side)))
        game.do("play card probe_left")
        assert any(entry.answer == PlayCard("probe_left") for entry in game.view(Side.AXIS).log)
    assert {side: len(told_to) for side, told_to in seen.items()} == {Side.ALLIES: 3, Side.AXIS: 1, None: 1}


# ------------------------------------------------------------ what is drawn
@pytest.mark.parametrize(
    ("hand", "lines", "drawn"),
    [
        ("probe_centre", ["axis: order E9", "axis: end moves"], (["barrage"], ["firefight"])),
        (
            "recon_centre",
            ["axis: order E9", "axis: end moves", "keep"],
            (["barrage", "probe_left"], ["firefight", "probe_left"]),
        ),
    ],
)
def test_whichever_card_is_drawn_the_other_side_sees_the_same(
    hand: str, lines: list[str], drawn: tuple[list[str], ...]
):
    games = []
    for cards_drawn in drawn:
        hands = {"axis": [hand], "allies": ["attack_left", "attack_right"]}
        pile = ["barrage", "firefight", "probe_left", "move_out"]
        start = position(["E5: infantry allies", "E9: infantry axis"], active="axis", hands=hands, pile=pile)
        game = Game(SYSTEM, start, script=cards_drawn)
        for line in lines:
            game.do(f"keep {cards_drawn[0]}" if line == "keep" else line.removeprefix("axis: "))
        assert game.to_act is Side.ALLIES
        games.append(game)
    one, two = games
    assert one.state != two.state
    for side in (Side.ALLIES, None):
        assert told(one.view(side)) == told(two.view(side))
    assert told(one.view(Side.AXIS)) != told(two.view(Side.AXIS))


# ------------------------------------------------------------ options and the seed
def test_only_who_decides_sees_the_decision_and_the_options():
    for game, side, view in views():
        if side == game.to_act:
            assert view.decision == game.decision
            assert view.options == game.legal_actions()
        else:
            assert view.decision is None
            assert view.options == ()
        assert view.to_act == game.to_act


def test_the_seed_is_nowhere_in_a_view():
    for seed in SEEDS:
        game = played(seed)
        game.redo(180 - game.decisions)
        assert game.seed == seed
        for side in VIEWERS:
            view = game.view(side)
            assert str(seed) not in told(view)
            assert str(seed) not in repr(view)
            assert seed.to_bytes(8, "little") not in pickle.dumps(view)
    assert SEEDS[0].to_bytes(8, "little") in pickle.dumps(("a seed", SEEDS[0])), "that is how a pickle would hold it"
