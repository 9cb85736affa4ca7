"""One system played within another's state: a small campaign around games of the toy, and a front around campaigns."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from attrs import evolve, frozen
from small import D2, Add, Choose, Go, Rest, St, brute
from toy import TOY, CardDrawn, Dare, Dared, DareOrPass, DrawCard, Pass, Side, State, turn
from walks import KNOWN, an_answer, start, walk

from beachhead.dice import D6, AtMost, Face, Roll
from beachhead.errors import IllegalAction, NeedsPolicy, TooManyBranches
from beachhead.game import Game
from beachhead.odds import Odds
from beachhead.play import UNKNOWN, Decision, Event, Play, call, inside, then
from beachhead.policies import by_type, first, last
from beachhead.position import End, Position
from beachhead.systems import Result
from beachhead.within import Within, WithinChance, WithinEvent, innermost


@frozen
class Campaign:
    """Battles of the toy, one after the other; `battle` is the one being played."""

    battle: State
    won: tuple[Side, ...] = ()
    day: int = 0
    war: int = 99
    """The campaign ends at once when the points of a battle come to this."""


@frozen
class Battle:
    """The lens."""

    def get(self, state: Campaign) -> State:
        return state.battle

    def put(self, state: Campaign, inner: State) -> Campaign:
        return evolve(state, battle=inner)

    def over(self, inner: State) -> bool:
        return TOY.over(inner)


BATTLE = Battle()


@frozen
class BattleWon(Event[Campaign]):
    winner: Side
    rule: str = "outer:1"

    def fold(self, state: Campaign) -> Campaign:
        return evolve(state, won=(*state.won, self.winner), battle=FRESH)


@frozen
class NightFell(Event[Campaign]):
    rule: str = "outer:2"
    bookkeeping = True

    def fold(self, state: Campaign) -> Campaign:
        return evolve(state, day=state.day + 1)


FRESH = start(TOY, "dare")


async def battle(play: Play[State]) -> Any:
    await call(turn)
    return then(battle)


async def campaign_day(play: Play[Campaign]) -> None:
    assert await inside(BATTLE, battle) is None  # the battle ended in there
    score = play.state.battle.points
    play.record(BattleWon(Side.RED if score[0] > score[1] else Side.BLUE))
    play.record(NightFell())


class CampaignSystem:
    name, package, sides = "outer", __name__, tuple(Side)
    step = staticmethod(campaign_day)

    def over(self, state: Campaign) -> bool:
        return len(state.won) == 2 or sum(state.battle.points) >= state.war

    def result(self, state: Campaign) -> Result | None:
        return Result(state.won[0], {}, "first blood", "outer:3") if self.over(state) else None

    def view(self, state: Campaign, side: Side | None) -> Campaign:
        return evolve(state, battle=TOY.view(state.battle, side))


OUTER = CampaignSystem()


@pytest.fixture(autouse=True)
def _known_while_it_is_tested(monkeypatch):
    for system in (OUTER, WAR):
        monkeypatch.setitem(KNOWN, system.name, system)


def answers(position: Position[Any], *given: Any) -> Position[Any]:
    for answer in given:
        position = position.after(answer)
    return position


# ------------------------------------------------------------ live
def test_requests_and_events_come_out_wrapped():
    p = Position(OUTER, Campaign(FRESH))
    assert p.pending == WithinChance(BATTLE, DrawCard(Side.RED))
    assert p.pending.outcomes(p.state) == FRESH.deck.counts
    p = p.after(4)
    assert p.entries[0].events == (WithinEvent(BATTLE, CardDrawn(Side.RED, 4)),)
    assert p.pending == Within(BATTLE, DareOrPass(Side.RED))
    assert (p.pending.side, p.pending.rule, p.pending.prompt) == (Side.RED, "toy:2", "dare, or pass and keep the card")
    assert (p.pending.kinds, p.options) == ((Dare, Pass), (Pass(), Dare()))
    assert p.entries[0].actor is None
    p = p.after(Dare())
    assert (p.pending.rule, p.pending.read(4), p.pending.read(5)) == ("toy:2.1", True, False)
    assert p.state.battle.cards == (4, None)
    assert innermost(p.pending) == Roll(D6, AtMost(4), "toy:2.1")


def test_refusals_speak_for_the_inner_game():
    p = answers(Position(OUTER, Campaign(FRESH)), 1, Pass(), 2, Pass())
    assert p.state.battle.passed == (1, 1)
    # who has passed must dare: a forced choice of the inner game is forced here, too
    assert isinstance(p.pending, WithinChance)
    assert (p.entries[-1].request, p.entries[-1].forced) == (Within(BATTLE, DareOrPass(Side.RED)), True)
    asks = Within(BATTLE, DareOrPass(Side.RED))
    assert str(asks.verdict(p.state, Pass())) == "Red has passed 1 times in a row (toy:2.2)"
    first_asked = Position(OUTER, Campaign(FRESH)).after(1)
    with pytest.raises(IllegalAction, match="dare, or pass and keep the card"):
        first_asked.after(("run", 1))


def test_the_end_of_the_inner_game_ends_only_the_inner():
    for seed in range(5):
        r, p = random.Random(seed), Position(OUTER, Campaign(FRESH))
        seen = list[Any]()
        while p.pending is not None:
            p = p.after(an_answer(p, r))
            seen += [event for entry in p.entries for event in entry.events]
        assert len(p.state.won) == 2
        own = [event for event in seen if not isinstance(event, WithinEvent)]
        assert [type(event) for event in own] == [BattleWon, NightFell, BattleWon]  # the second win ends it all
        at = seen.index(own[0])
        assert seen[at - 1].event.success  # the point that won the battle
        assert 3 in seen[at - 1].fold(Campaign(evolve(FRESH, points=(2, 2)))).battle.points


def test_the_end_of_the_outer_game_ends_everything():
    p = answers(Position(OUTER, Campaign(FRESH, war=1)), 6, Dare(), 3)
    assert (p.pending, p.state.battle.points, p.state.won) == (None, (1, 0), ())
    assert [type(event.event) for event in p.entries[-1].events] == [Dared]


def test_an_inner_game_that_is_over_is_not_played():
    done = evolve(FRESH, points=(0, 3))
    p = Position(OUTER, Campaign(done))
    assert p.state == Campaign(FRESH, won=(Side.BLUE,), day=1)
    assert p.entries[0].events == (BattleWon(Side.BLUE), NightFell())
    assert dict(Odds(OUTER.over).of(campaign_day, (), Campaign(done))) == {End(p.state, None): 1}


def test_rebuilding_and_pickling():
    forced = n = 0
    for p, r in walk(OUTER, Campaign(FRESH), 400):
        q = pickle.loads(pickle.dumps(p))
        for x in (q, Position(OUTER, p.base, p.answers)):
            assert (x, hash(x), x.state, x.pending, x.options) == (p, hash(p), p.state, p.pending, p.options)
        answer = an_answer(p, r)
        a, b, c = p.after(answer), p.after(answer), q.after(answer)
        for x in (b, c):
            assert (x, x.state, x.pending, x.entries) == (a, a.state, a.pending, a.entries)
        forced += sum(a.forced for a in p.answers)
        n = max(n, len(p.answers))
    assert forced > 10
    assert n > 10  # a whole battle is one step of the campaign


def test_events_rebuild_the_state():
    state = Campaign(FRESH)
    for p, _ in walk(OUTER, state, 60):
        for entry in p.entries:
            for event in entry.events:
                if entry.request is None:
                    state = Campaign(FRESH)
                state = event.fold(state)
        if p.entries[0].request is None and not p.entries[0].events:
            state = Campaign(FRESH)
        assert state == p.state


# ------------------------------------------------------------ nested
@frozen
class Front:
    """A campaign within a war."""

    campaign: Campaign
    marks: int = 0


@frozen
class Theatre:
    def get(self, state: Front) -> Campaign:
        return state.campaign

    def put(self, state: Front, inner: Campaign) -> Front:
        return evolve(state, campaign=inner)

    def over(self, inner: Campaign) -> bool:
        return OUTER.over(inner)


@frozen
class Marked(Event[Front]):
    rule: str = "war:1"

    def fold(self, state: Front) -> Front:
        return evolve(state, marks=state.marks + 1)


THEATRE = Theatre()


async def campaign_days(play: Play[Campaign]) -> Any:
    await call(campaign_day)
    return then(campaign_days)


class War:
    name, package, sides = "war", __name__, tuple(Side)

    async def step(self, play: Play[Front]) -> None:
        assert await inside(THEATRE, campaign_days) is None
        play.record(Marked())

    def over(self, state: Front) -> bool:
        return state.marks == 1

    def result(self, state: Front) -> Result | None:
        return None

    def view(self, state: Front, side: Side | None) -> Front:
        return evolve(state, campaign=OUTER.view(state.campaign, side))


WAR = War()


def test_a_game_within_a_game_within_a_game():
    p = Position(WAR, Front(Campaign(FRESH)))
    assert p.pending == WithinChance(THEATRE, WithinChance(BATTLE, DrawCard(Side.RED)))
    r, kinds = random.Random(3), Counter[str]()
    while p.pending is not None:
        q = pickle.loads(pickle.dumps(p))
        assert (q, q.state, q.pending, q.options) == (p, p.state, p.pending, p.options)
        answer = an_answer(p, r)
        p = p.after(answer)
        assert q.after(answer) == p
        for entry in p.entries:
            for event in entry.events:
                depth = 0
                while isinstance(event, WithinEvent):
                    event, depth = event.event, depth + 1
                kinds[f"{type(event).__name__} {depth}"] += 1
    assert len(p.state.campaign.won) == 2
    assert (kinds["BattleWon 1"], kinds["NightFell 1"], kinds["Marked 0"]) == (2, 1, 1)
    assert kinds["CardDrawn 2"] > 5


def test_the_middle_game_ends_from_within_the_innermost():
    p = answers(Position(WAR, Front(Campaign(FRESH, war=1))), 6, Dare(), 3)
    assert (p.pending, p.state.marks, p.state.campaign.won) == (None, 1, ())
    assert [type(event).__name__ for event in p.entries[-1].events] == ["WithinEvent", "Marked"]


def test_odds_through_two_insides():
    """One roll decides: the dare ends the middle game, or the battle goes on to the policy's next dare."""
    p = answers(Position(WAR, Front(Campaign(evolve(FRESH, points=(0, 0)), war=1))), 6)
    fn, _, state, given, play = p.frame
    assert (fn, play.lenses) == (turn, (THEATRE, BATTLE))
    assert (state, given) == (FRESH, (6,))
    always_dare = by_type({DareOrPass: last})
    whole = Odds(WAR.over, always_dare).of(WAR.step, (), p.base)
    assert {(e.state.marks, e.over) for e in whole} == {(1, True)}
    assert sum(whole.values()) == 1
    game = Game(WAR, Front(Campaign(FRESH, war=1)), script=[5], seed=1)
    assert game.odds(Dare(), by=lambda inner: inner.points) == {(1, 0): Fraction(5, 6), (0, 0): Fraction(1, 6)}


# ------------------------------------------------------------ odds
START = St()


@frozen
class Holder:
    """A state with a small one inside."""

    st: St = START
    limit: int = 99


@frozen
class InSt:
    def get(self, state: Holder) -> St:
        return state.st

    def put(self, state: Holder, inner: St) -> Holder:
        return evolve(state, st=inner)

    def over(self, inner: St) -> bool:
        return inner.over


IN_ST = InSt()


async def shot(play: Play[St], number: int) -> bool:
    hit = await Roll(D6, AtMost(number), "small:9")
    if hit:
        play.record(Add(1))
    return hit


async def fight(play: Play[St], number: int) -> str:
    one = await call(shot, number)
    choice = await Choose(0)
    if isinstance(choice, Go):
        await call(shot, choice.far)
        await call(shot, 4)
    return f"{one} {choice}"


async def around(play: Play[Holder]) -> tuple[int, Any]:
    extra = await Roll(D2, Face(), "small:9")
    value = await inside(IN_ST, fight, extra + 1)
    return extra, value


def holder_over(state: Holder) -> bool:
    return state.st.n >= state.limit


@pytest.mark.parametrize("policy", [first, last])
@pytest.mark.parametrize("state", [Holder(), Holder(St(n=1)), Holder(St(n=2)), Holder(limit=1), Holder(St(n=1), 2)])
def test_odds_through_an_inside_equal_brute_force(state, policy, monkeypatch):
    monkeypatch.setattr("small.Once.over", lambda self, s: holder_over(s))
    o = Odds(holder_over, policy).of(around, (), state)
    assert dict(o) == brute(around, (), state, policy)
    assert sum(o.values()) == 1
    assert any(end.over for end in o) == (state.limit < 99)  # the outer game may end in the midst of the inner
    assert any(end.state.st.over and end.value[1] is None for end in o if not end.over) == (
        state.limit == 99 and (state.st.n == 2 or policy is first)
    )


def test_policies_see_the_whole_view_and_the_wrapped_decision():
    seen = []

    def watched(view: Any, decision: Any, options: tuple[Any, ...]) -> Any:
        seen.append((view, decision))
        return options[0]

    Odds(holder_over, watched, view=lambda s, side: evolve(s, limit=7)).of(around, (), Holder(St(n=-2)))
    assert {(v.limit, d) for v, d in seen} == {(7, Within(IN_ST, Choose(0)))}
    assert {v.st.n for v, _ in seen} == {-2, -1}


def test_by_type_answers_for_the_inner_type():
    seen = []
    inner = by_type({Choose: lambda view, decision, options: (seen.append((view, decision)), options[-1])[1]})
    ends = Odds(holder_over, inner).of(around, (), Holder())
    assert {end.value[1].split()[1] for end in ends} == {"Rest()"}
    assert {type(view) for view, _ in seen} == {St}
    assert {decision for _, decision in seen} == {Choose(0)}
    outer = by_type({Within: first, Choose: last})
    chosen = {end.value[1] for end in Odds(holder_over, outer).of(around, (), Holder())}
    assert chosen == {"True Go(far=1)", "False Go(far=1)", None}
    with pytest.raises(NeedsPolicy, match=r"no policy answers Choose: .*by_type\({Choose: first}\)"):
        Odds(holder_over).of(around, (), Holder())


def test_the_bound_counts_what_is_inside():
    o = Odds(holder_over, last, bound=10_000)
    assert sum(o.of(around, (), Holder()).values()) == 1
    assert o.runs > 8
    with pytest.raises(TooManyBranches, match="more than 8 branches"):
        Odds(holder_over, last, bound=8).of(around, (), Holder())


class HiddenChoose(Choose):
    secret = True


def test_assumptions_come_out_of_the_inside():
    async def ambushed(play: Play[St]) -> Any:
        return await HiddenChoose(1)

    async def outer(play: Play[Holder]) -> Any:
        return await inside(IN_ST, ambushed)

    o = Odds(holder_over, viewer=0)
    assert dict(o.of(outer, (), Holder())) == {End(Holder(), Go(1)): 1}
    assert list(o.assumptions) == ["1 answers Go(far=1) to HiddenChoose, which is hidden"]
    sampled = Odds(holder_over, viewer=0).sample(outer, (), Holder(), runs=3)
    assert (dict(sampled), sampled.assumptions) == ({End(Holder(), Go(1)): 1}, tuple(o.assumptions))


def test_a_sample_through_an_inside():
    exact = Odds(holder_over, first).of(around, (), Holder(St(n=1)))
    sampled = Odds(holder_over, first).sample(around, (), Holder(St(n=1)), runs=1500, seed=2)
    assert set(sampled) <= set(exact)
    assert all(sampled.interval(e, z=4)[0] < p < sampled.interval(e, z=4)[1] for e, p in exact.items())


# ------------------------------------------------------------ games
def test_a_game_around_a_game():
    game = Game(OUTER, Campaign(FRESH), script=[4, 2, 5, 3, 1])
    assert (game.to_act, game.turn) == (Side.RED, 1)
    game.apply(Pass())  # Blue draws the 2
    assert (game.turn, game.to_act) == (2, Side.BLUE)
    blue, red = game.view(Side.BLUE), game.view(Side.RED)
    assert (blue.state.battle.cards, red.state.battle.cards) == ((UNKNOWN, 2), (4, UNKNOWN))
    assert (blue.options, red.options) == ((Pass(), Dare()), ())
    drawn = [entry.answer for entry in blue.log if isinstance(entry.request, WithinChance)]
    assert drawn == [UNKNOWN, 2]
    assert str(red.log).splitlines() == [
        "-- turn 1",
        "Red draws 4  [toy:1.1]",
        "passed Side.RED  [toy:2.2]",
        "-- turn 2",
        "Blue draws a card  [toy:1.1]",
    ]
    assert str(game.check(Go(1))) == "what is being decided is: dare, or pass and keep the card (toy:2)"
    game.apply(Dare())  # 5: no point; then Red must dare on his 4 and rolls a 3; Blue draws a 1
    assert (game.state.battle.points, game.to_act, game.unused_script) == ((1, 0), Side.BLUE, ())


def test_the_odds_of_an_inner_action_run_on_the_inner_view():
    """Blue's hidden card must not tell on Red's odds."""
    found = []
    for hidden in (1, 6):
        battle_state = evolve(FRESH, cards=(None, hidden), deck=FRESH.deck.remove(hidden))
        game = Game(OUTER, Campaign(battle_state), script=[3], seed=1)
        found.append(game.odds(Dare(), by=lambda inner: inner))
        assert found[-1].by(lambda inner: inner.points) == {(1, 0): Fraction(1, 2), (0, 0): Fraction(1, 2)}
        assert {inner.cards[1] for inner in found[-1]} == {UNKNOWN}
        truth = game.odds(Dare(), by=lambda inner: inner.cards[1], truth=True)
        assert truth == {hidden: 1}
    assert found[0] == found[1]


def test_bookkeeping_stays_out_of_the_narrative():
    @frozen
    class Filed(Event[State]):
        rule: str = "toy:2"
        bookkeeping = True

    assert WithinEvent(THEATRE, WithinEvent(BATTLE, Filed())).bookkeeping
    assert not WithinEvent(BATTLE, CardDrawn(Side.RED, 1)).bookkeeping
    assert WithinEvent(BATTLE, CardDrawn(Side.RED, 1)).begins_turn
    assert not isinstance(Rest(), Decision)
