"""A game: scripts, history, verdicts, views, the narrative, and odds."""

from __future__ import annotations

from copy import copy
from fractions import Fraction
from typing import Any

import pytest
from attrs import evolve, frozen
from small import Add, Choose, Go, Mark, Rest, Small, St
from toy import TOY, CardDrawn, Dare, Dared, DareOrPass, DrawCard, Pass, Passed, Side
from walks import start

import beachhead as bh
from beachhead.dice import D6, AtMost, Outcomes, Roll
from beachhead.errors import CodecError, GameIsOver, IllegalAction, NeedsPolicy, ScriptError, UnknownName
from beachhead.game import Game
from beachhead.log import Line
from beachhead.odds import Odds
from beachhead.play import UNKNOWN, Play
from beachhead.policies import by_side, by_type, first, last, random
from beachhead.position import Position
from beachhead.rules import recording
from beachhead.systems import Result


def dare(**kw: Any) -> Game[Any]:
    return bh.new("toy/dare", **kw)


# ------------------------------------------------------------ playing
def test_a_game_from_its_name():
    game = dare(seed=3)
    assert (game.source.name, game.options, game.seed) == ("toy/dare", {}, 3)
    assert (game.to_act, game.turn, game.phase, game.result) == (Side.RED, 1, "Red's turn", None)
    assert game.decision == DareOrPass(Side.RED)
    assert game.legal_actions() == (Pass(), Dare())
    assert repr(game) == "<Game of toy/dare, turn 1, Side.RED to decide: dare, or pass and keep the card>"
    assert "<svg" in game._repr_svg_()


def test_apply_returns_the_events():
    game = dare(script=[4, 3, 6])
    assert game.apply(Dare()) == (Dared(Side.RED, 4, True), CardDrawn(Side.BLUE, 6))
    assert game.state.points == (1, 0)
    assert (game.decisions, game.turn, game.unused_script) == (1, 2, ())


def test_without_a_seed_each_game_is_its_own():
    assert dare().seed != dare().seed
    assert dare(script=[1]).seed is None


def test_play_to_the_end():
    game = dare(seed=8)
    result = game.play(random(8))
    assert result == game.result
    assert result.winner in Side
    assert max(result.scores.values()) == 3
    assert (
        str(result)
        == f"won by {result.winner.value}: {result.reason} (Red {result.scores['Red']}, Blue {result.scores['Blue']}; toy:3)"
    )
    assert (game.to_act, game.decision, game.legal_actions()) == (None, None, ())
    again = dare(seed=8)
    assert again.play(random(8)) == result
    assert list(again.log) == list(game.log)
    assert again.position == game.position
    with pytest.raises(TimeoutError, match="not over after 2 decisions"):
        dare(seed=8).play(first, most=2)


def test_policies_are_given_the_view_of_the_side_that_decides():
    seen = []

    def watch(view: Any, decision: Any, options: tuple[Any, ...]) -> Any:
        seen.append((decision.side, view.cards))
        return options[0]

    game = dare(seed=4)
    game.play(watch)
    assert any(UNKNOWN in cards for _, cards in seen)
    assert all(cards[side is Side.RED] in (None, UNKNOWN) for side, cards in seen)
    assert all(isinstance(cards[side is Side.BLUE], int) for side, cards in seen)


def test_the_options_of_a_game():
    game = dare(seed=1, options={"passes": 2})
    assert (game.state.setting.passes, game.options) == (2, {"passes": 2})
    assert game.position != dare(seed=1).position


def test_options_that_are_not_the_usual_ones_are_shown():
    assert repr(dare(seed=1, options={"passes": 2})).startswith("<Game of toy/dare, passes=2, turn 1, ")


# ------------------------------------------------------------ texts and policies for actions
def test_a_text_is_checked_and_has_odds():
    game = dare(script=[4], seed=1)
    assert game.check("dare")
    assert game.check("dare") == game.check(Dare())
    assert game.odds("dare") == game.odds(Dare())
    for ask in (game.check, game.odds):
        with pytest.raises(CodecError, match="march"):
            ask("march")


def test_a_text_is_not_applied():
    game = dare(script=[4], seed=1)
    before = game.position
    with pytest.raises(
        IllegalAction, match=r"'dare': that is a text: game\.do\(text\) takes it, and game\.parse\(text\)"
    ):
        game.apply("dare")
    assert game.position is before


def test_nothing_is_no_action():
    with pytest.raises(
        IllegalAction, match=r"None: that is no action: one of the options is expected, .* given to a policy"
    ):
        dare(script=[4], seed=1).apply(None)


@pytest.mark.parametrize("answer", [None, "dare", Dare])
@pytest.mark.parametrize(
    "ask",
    [
        lambda game, policy: game.play(policy),
        lambda game, policy: game.answer_by(policy),
        lambda game, policy: game.play(by_side({Side.RED: policy, Side.BLUE: first})),
        lambda game, policy: Odds(TOY.over, policy).choose(game.decision, game.state),
    ],
)
def test_a_policy_that_answers_with_no_option_is_named(ask: Any, answer: Any):
    def lost(view: Any, decision: Any, options: Any) -> Any:
        return answer

    game = dare(script=[4], seed=1)
    told = f"the policy lost for Red must return one of the options it is given, and returned {answer!r}"
    with pytest.raises(IllegalAction) as refused:
        ask(game, lost)
    assert str(refused.value) == told
    assert game.decisions == 0


def test_a_policy_whose_action_is_refused_is_told_why():
    def far(view: Any, decision: Any, options: Any) -> Any:
        return Go(3)

    with pytest.raises(IllegalAction, match=r"the policy far for 0 must .* Go\(far=3\): 3 is too far \(small:1.a\)"):
        Odds(lambda state: False, far).choose(Choose(0), St())


def test_nobody_is_asked_when_the_game_is_over():
    game = dare(seed=1)
    game.play(first)
    with pytest.raises(GameIsOver, match="nobody is asked"):
        game.answer_by(first)


# ------------------------------------------------------------ scripts
def test_an_impossible_outcome():
    with pytest.raises(ScriptError, match=r"9, entry 1 of the script, is not an outcome of DrawCard"):
        dare(script=[9])
    game = dare(script=[4, 7])
    before = game.position
    with pytest.raises(ScriptError, match=r"7, entry 2 of the script, is not an outcome of Roll"):
        game.apply(Dare())
    assert (game.position, game.decisions, game.unused_script) == (before, 0, (7,))
    assert game.legal_actions() == (Pass(), Dare())


def test_a_missing_outcome():
    with pytest.raises(ScriptError, match=r"no outcome left for DrawCard.*give a seed"):
        dare(script=[])
    game = dare(script=[4, 3])
    with pytest.raises(ScriptError, match="no outcome left for DrawCard"):
        game.apply(Dare())
    assert game.decisions == 0
    assert dare(script=[4, 3], seed=5).apply(Dare())[0] == Dared(Side.RED, 4, True)


def test_a_script_goes_on_with_the_seed():
    game = dare(script=[4, 3], seed=5)
    game.apply(Dare())
    assert game.state.cards[1] == Outcomes(5).pick(2, start(TOY, "dare").deck.counts)


def test_a_left_over_outcome():
    script = [6, 1, 1, 6, 6, 1, 1, 6, 6, 1]
    game = dare(script=script)
    for _ in range(5):
        game.apply(Dare())
    assert (game.result.winner, game.unused_script) == (Side.RED, ())
    game = dare(script=[*script, 2, 3])
    for _ in range(4):
        game.apply(Dare())
    with pytest.raises(ScriptError, match=r"the game is over and the script has outcomes left: \(2, 3\)"):
        game.apply(Dare())
    assert (game.decisions, game.result) == (4, None)


# ------------------------------------------------------------ history
def test_undo_never_changes_the_dice():
    game = dare(seed=21)
    positions, events = [game.position], []
    while game.decision and game.decisions < 12:
        events.append(game.apply(Dare()))
        positions.append(game.position)
    n = game.decisions
    assert n > 3
    for k in range(n, 0, -1):
        assert game.position == game.at(k) == positions[k]
        assert game.undo() == positions[k - 1]
    assert (game.decisions, game.turn, len(game.log)) == (0, 1, 2)
    assert [game.apply(Dare()) for _ in range(n)] == events
    assert game.position == positions[-1]
    assert game.undo(n) == positions[0]
    assert game.redo(n) == positions[-1] == game.redo(0)


def test_branching_drops_what_was_undone():
    game = dare(seed=21)
    for _ in range(3):
        game.apply(Dare())
    first_line = game.position
    game.undo(2)
    assert (game.at(3), game.at(-1)) == (first_line, first_line)
    game.apply(Pass())
    assert game.decisions == 2
    with pytest.raises(ValueError, match="from 0 to 0 decisions can be redone, not 1"):
        game.redo()
    game.undo()
    game.apply(Dare())
    game.apply(Dare())
    assert game.position == first_line


def test_a_copy_goes_its_own_way():
    for game in (dare(seed=3), copy(dare(seed=3))):
        game.apply(Dare())
        other = game.copy()
        assert (other.position, other.decisions, list(other.log)) == (game.position, 1, list(game.log))
        game.undo()
        game.apply(Pass())
        assert other.redo(0) == other.position != game.position
        assert other.undo() == dare(seed=3).position


def test_history_has_ends():
    game = dare(seed=21)
    game.apply(Dare())
    for n in (2, -1):
        with pytest.raises(ValueError, match=f"from 0 to 1 decisions can be undone, not {n}"):
            game.undo(n)
    with pytest.raises(ValueError, match="can be redone, not -1"):
        game.redo(-1)
    with pytest.raises(IndexError):
        game.at(2)
    assert game.decisions == 1


def test_a_refusal_keeps_what_can_be_redone():
    game = dare(seed=21)
    game.apply(Dare())
    game.undo()
    with pytest.raises(IllegalAction):
        game.apply("nonsense")
    game.redo()
    assert game.decisions == 1


# ------------------------------------------------------------ verdicts
def test_check_and_apply_agree():
    game = dare(seed=1)
    r = random(1)
    while game.decision:
        state = game.state
        for action in (Dare(), Pass(), Go(1)):
            verdict = game.check(action)
            assert bool(verdict) == (action in game.legal_actions())
            if not verdict:
                with pytest.raises(IllegalAction) as e:
                    game.apply(action)
                assert e.value.verdict == verdict
            assert game.state is state
        action = r(state, game.decision, game.legal_actions())
        events = game.apply(action)
        assert isinstance(events[0], Passed if action == Pass() else Dared)


def test_a_refused_action_changes_nothing():
    async def step(play: Play[St]) -> None:
        action = await Choose(0)
        play.record(Add(action.far) if isinstance(action, Go) else Mark())

    game = Game(Plain(step), St(), script=[])
    before = game.position
    for action, text in (
        (Go(3), "3 is too far (small:1.a)"),
        (Dare(), "what is being decided is: go or rest (small:1)"),
    ):
        verdict = game.check(action)
        assert (bool(verdict), str(verdict)) == (False, text)
        with pytest.raises(IllegalAction) as e:
            game.apply(action)
        assert (e.value.verdict, e.value.action, e.value.decision) == (verdict, action, Choose(0))
        with pytest.raises(IllegalAction):
            game.odds(action)
    assert (game.position, game.decisions, len(game.log)) == (before, 0, 1)
    assert game.check(Go(2)).ok
    assert game.why_not(Rest()).ok


def test_after_the_end():
    game = dare(seed=8)
    game.play(last)
    verdict = game.check(Dare())
    assert not verdict
    assert verdict.rules == ("toy:3",)
    assert str(verdict).startswith("the game is over: ")
    assert game.why_not(Dare()) == game.check((Dare(),))
    with pytest.raises(GameIsOver, match="comes too late"):
        game.apply(Dare())
    with pytest.raises(GameIsOver):
        game.odds(Dare())
    assert game.view(Side.RED).options == ()


def test_rules_are_recorded_at_the_doors_only():
    with recording() as ids:
        game = dare(script=[4, 3, 6])
    assert ids == {"toy:1.1"}
    with recording() as ids:
        assert game.legal_actions()
    assert not ids
    with recording() as ids:
        game.apply(Dare())
    assert ids == {"toy:2.1", "toy:1.1"}
    with recording() as ids, recording() as inner:
        game.check(("no", "action"))
    assert ids == inner == {"toy:2"}
    with recording() as ids:
        assert game.why_not(Pass())
    assert not ids
    with recording() as ids, pytest.raises(IllegalAction):
        game.apply("nonsense")
    assert ids == {"toy:2"}


# ------------------------------------------------------------ views and the narrative
def test_nobody_else_has_a_view():
    with pytest.raises(UnknownName, match=r"^Dare has no side 'rd'; did you mean 'red'\?; its sides: red, blue$"):
        dare(seed=1).view("rd")
    with pytest.raises(UnknownName, match="has no side 3; its sides"):
        dare(seed=1).view(3)


@pytest.mark.parametrize("side", [Side.RED, "red", "Red", "RED"])
def test_a_side_is_named_as_one_likes(side: Any):
    assert dare(seed=1).view(side).side is Side.RED


# ------------------------------------------------------------ what is of the wrong kind
@pytest.mark.parametrize(
    ("ask", "problem"),
    [
        (lambda game: game.do(None), "None is no text: a line is expected"),
        (lambda game: game.do(3), "3 is no text"),
        (lambda game: game.do(Dare()), r"Dare\(\) is no text: .* game.apply takes actions"),
        (lambda game: game.odds(Dare(), by="points"), "by is 'points', and a function of the state at the end"),
        (lambda game: dare(seed="x"), "'x' is no seed: a whole number is expected"),
        (lambda game: dare(seed=1.5), "1.5 is no seed"),
    ],
)
def test_what_is_of_the_wrong_kind_is_told(ask: Any, problem: str):
    with pytest.raises(TypeError, match=problem):
        ask(dare(seed=1))


def test_views_hold_neither_truth_nor_seed():
    game = dare(script=[4, 2, 5, 3], seed=77)
    game.apply(Pass())
    red, blue, nobody = (game.view(side) for side in (Side.RED, Side.BLUE, None))
    assert [view.state.cards for view in (red, blue, nobody)] == [(4, UNKNOWN), (UNKNOWN, 2), (UNKNOWN, UNKNOWN)]
    assert red.state.deck == evolve(game.state, deck=game.state.deck.add(2)).deck  # what Red cannot see
    assert (blue.decision, blue.options) == (DareOrPass(Side.BLUE), (Pass(), Dare()))
    assert [(view.decision, view.options, view.to_act) for view in (red, nobody)] == [(None, (), Side.BLUE)] * 2
    assert [[entry.answer for entry in view.log] for view in (red, blue, nobody)] == [
        [None, 4, Pass(), UNKNOWN],
        [None, UNKNOWN, Pass(), 2],
        [None, UNKNOWN, Pass(), UNKNOWN],
    ]
    assert [event.card for entry in nobody.log for event in entry.events if isinstance(event, CardDrawn)] == [
        UNKNOWN
    ] * 2
    assert not any(isinstance(entry.before.cards[1], int) for entry in red.log)
    assert not any(isinstance(card, int) for entry in nobody.log for card in entry.before.cards)
    assert "77" not in repr(red) + repr(red.log) + repr(list(red.log))


def test_a_forced_choice_is_no_news_to_the_other_side():
    game = dare(script=[4, 2, 5, 3, 1, 6, 2, 2], seed=1)
    game.apply(Pass())
    game.apply(Pass())  # Red has passed once and must dare; so must Blue, after
    forced = [entry.forced for entry in game.log if entry.actor is Side.RED]
    assert True in forced
    assert [entry.forced for entry in game.view(Side.RED).log if entry.actor is Side.RED] == forced
    assert not any(entry.forced for entry in game.view(Side.BLUE).log if entry.actor is Side.RED)
    assert not any(entry.forced for entry in game.view(None).log)


def test_the_narrative():
    game = dare(script=[4, 3, 2])
    game.apply(Dare())
    assert str(game.log).splitlines() == [
        "-- turn 1",
        "Red draws 4  [toy:1.1]",
        "rolls 3 on a D6; 4 or less: yes  [toy:2.1]",
        "Red dares on a 4 and scores  [toy:2.1]",
        "-- turn 2",
        "Blue draws 2  [toy:1.1]",
    ]
    assert str(game.view(Side.RED).log).splitlines()[-1] == "Blue draws a card  [toy:1.1]"
    assert [(line.turn, line.rules) for line in game.log.lines()] == [
        (1, ("toy:1.1",)),
        (1, ("toy:2.1",)),
        (1, ("toy:2.1",)),
        (2, ("toy:1.1",)),
    ]
    assert [type(entry.request) for entry in game.log] == [type(None), DrawCard, DareOrPass, Roll, DrawCard]
    assert [entry.actor for entry in game.log] == [None, None, Side.RED, None, None]
    assert len(game.log[1:3]) == 2
    assert "<td>Red draws 4</td>" in game.log._repr_html_()


def test_the_news_is_what_the_last_decision_brought():
    game = dare(script=[4, 3, 2])
    assert str(game.news) == str(game.log) == "-- turn 1\nRed draws 4  [toy:1.1]"
    game.apply(Dare())
    assert str(game.news).splitlines() == [
        "rolls 3 on a D6; 4 or less: yes  [toy:2.1]",
        "Red dares on a 4 and scores  [toy:2.1]",
        "-- turn 2",
        "Blue draws 2  [toy:1.1]",
    ]
    assert str(game.view(Side.RED).news).splitlines()[-1] == "Blue draws a card  [toy:1.1]"
    assert [line.turn for line in game.news.lines()] == [1, 1, 2]
    game.undo()
    assert str(game.news) == "-- turn 1\nRed draws 4  [toy:1.1]"


def test_a_part_of_the_log_goes_on_with_its_turn():
    game = dare(script=[4, 3, 2])
    game.apply(Dare())
    for n in range(-6, 7):
        assert [*game.log[:n].lines(), *game.log[n:].lines()] == list(game.log.lines())
    assert [line.turn for line in game.log[2:][2:].lines()] == [2]


def test_a_line_cites_behind_its_text_what_the_text_does_not_name():
    line = Line(1, "dares with 2 dice: 3 (toy:2.1, toy:2) - 1 = 2", ("toy:3", "toy:2", "toy:2.1"))
    assert str(line) == "dares with 2 dice: 3 (toy:2.1, toy:2) - 1 = 2  [toy:3]"
    assert str(evolve(line, rules=("toy:2",))) == line.text


def test_bookkeeping_is_left_out_of_the_narrative():
    @frozen
    class Filed(Mark):
        bookkeeping = True

    async def step(play: Play[St]) -> None:
        await Choose(0)
        play.record(Filed())
        play.record(Mark())

    game = Game(Plain(step), St(), script=[])
    game.apply(Rest())
    assert [str(line) for line in game.log.lines()] == ["mark  [small:2]"]
    assert game.state.marks == 2


# ------------------------------------------------------------ odds
class Plain(Small):
    """One procedure as a game: nothing is hidden, and three points win."""

    def view(self, state: St, side: Any) -> St:
        return state

    def result(self, state: St) -> Result | None:
        return Result(0, {"points": state.n}, "three points", "small:1") if state.over else None

    def why_not(self, state: St, decision: Any, what: tuple[Any, ...]) -> Any:
        return decision.verdict(state, *what)


@frozen
class MayAmbush(Choose):
    """Whether to spring an ambush (Rest) or not (Go(0)); who asks would know."""

    secret = True

    def candidates(self, s: St) -> Any:
        return (Go(0), Rest())

    def objections(self, s: St, action: Any) -> Any:
        return iter(())


async def advance(play: Play[St]) -> None:
    """Side 0 goes or rests; side 1 may ambush him, and then he is hit on 1 to 3 instead of on a 1."""
    move = await Choose(0)
    answer = await MayAmbush(1)
    if isinstance(move, Go):
        hit = await Roll(D6, AtMost(3 if isinstance(answer, Rest) else 1), "small:9")
        play.record(Add(int(hit)))
    play.record(Mark())


def test_odds_on_a_view_take_hidden_decisions_as_declined_and_say_so():
    game = Game(Plain(advance), St(), seed=1)
    hit = game.odds(Go(1), by=lambda s: s.n)
    assert hit == {1: Fraction(1, 6), 0: Fraction(5, 6)}
    assert hit.assumptions == ("1 answers Go(far=0) to MayAmbush, which is hidden",)
    assert "assuming: 1 answers Go(far=0) to MayAmbush, which is hidden" in str(hit)
    told = game.odds(Go(1), by=lambda s: s.n, policy=by_type({MayAmbush: last}))
    assert (told, told.assumptions) == ({1: Fraction(1, 2), 0: Fraction(1, 2)}, ())
    with pytest.raises(NeedsPolicy, match="MayAmbush"):
        game.odds(Go(1), truth=True)
    assert game.odds(Rest(), by=lambda s: (s.n, s.marks), policy=first) == {(0, 1): 1}


def test_odds_stand_on_what_the_side_may_know():
    found = []
    for hidden in (1, 6):
        state = start(TOY, "dare")
        game = Game(TOY, evolve(state, cards=(None, hidden), deck=state.deck.remove(hidden)), script=[3], seed=1)
        found.append(game.odds(Dare()))
        assert game.odds(Dare(), by=lambda s: s.points) == {(1, 0): Fraction(1, 2), (0, 0): Fraction(1, 2)}
        assert game.odds(Dare(), by=lambda s: s.cards[1], truth=True) == {hidden: 1}
    assert found[0] == found[1]
    assert {s.cards[1] for s in found[0]} == {UNKNOWN}


def test_odds_reach_to_the_end_of_the_procedure():
    game = dare(script=[4], seed=1)
    outcome = game.odds(Dare())
    assert {(s.points, s.active, s.cards) for s in outcome} == {
        ((1, 0), Side.BLUE, (None, None)),
        ((0, 0), Side.BLUE, (None, None)),
    }
    assert game.odds(Pass()) == {Position(TOY, start(TOY, "dare")).after(4).after(Pass()).base: 1}
    assert game.decisions == 0
    assert game.apply(Dare())


def test_a_sample_has_an_interval_and_says_so():
    game = dare(script=[4], seed=1)
    exact = game.odds(Dare(), by=lambda s: s.points)
    sampled = game.odds(Dare(), by=lambda s: s.points, sample=600)
    assert (sampled.runs, exact.runs) == (600, None)
    assert "a sample of 600 runs, not exact" in str(sampled)
    low, high = sampled.interval((1, 0))
    assert low < float(exact[1, 0]) < high
    assert high - low < 0.1
    assert exact.interval((1, 0)) == (2 / 3, 2 / 3)
    wider = sampled.interval((1, 0), z=4)
    assert wider[0] < low < high < wider[1]
    assert sampled == game.odds(Dare(), by=lambda s: s.points, sample=600)
