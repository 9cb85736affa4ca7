"""Exact odds: merged at calls, loops solved, and always equal to walking every branch through Position.after."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from small import D2, FLAT, Add, Choose, Go, Ground, Mark, Nothing, Rest, Small, St, Swing, brute, over

from beachhead.dice import D6, D10, AtMost, Face, Roll
from beachhead.errors import EndlessProcedure, IllegalAction, NeedsPolicy, NoOptions, TooManyBranches
from beachhead.odds import Distribution, Odds
from beachhead.play import call, then
from beachhead.policies import by_type, first, last
from beachhead.position import End, Position


# ------------------------------------------------------------ the end of the game
def test_game_over_inside_a_call():
    async def inner(play, face):
        if face == 1:
            play.record(Add(3))
        return face

    async def middle(play, face):
        value = await call(inner, face)
        play.record(Mark())
        return value * 10

    async def outer(play):
        value = await call(middle, await Roll(D6, Face(), "small:9"))
        play.record(Mark())
        return value

    expected = {
        End(St(n=3, over=True), None, True): Fraction(1, 6),
        **{End(St(marks=2), f * 10): Fraction(1, 6) for f in range(2, 7)},
    }
    assert dict(Odds(over).of(outer, (), St())) == expected == brute(outer, (), St())

    async def certain(play):
        await call(inner, 1)
        play.record(Mark())

    the_end = {End(St(n=3, over=True), None, True): 1}
    assert Position(Small(certain), St()).state == St(n=3, over=True)
    assert dict(Odds(over).of(certain, (), St())) == the_end
    assert dict(Odds(over).of(certain, (), St(n=3, over=True))) == the_end


def test_game_over_inside_a_loop():
    async def blow(play):
        play.record(Add(1))

    async def loop(play):
        face = await Roll(D6, Face(), "small:9")
        if face == 6:
            return "away"
        if face <= 2:
            await call(blow)
        return then(loop)

    q = Fraction(1, 3)  # away 1/6 against blow 2/6
    assert dict(Odds(over).of(loop, (), St())) == {
        End(St(), "away"): q,
        End(St(n=1), "away"): 2 * q**2,
        End(St(n=2), "away"): 4 * q**3,
        End(St(n=3, over=True), None, True): 8 * q**3,
    }


# ------------------------------------------------------------ every branch
def pair(a, b):
    """Two rolls in a called procedure and one after it, with a choice in between."""

    async def shot(play, number):
        hits = await Roll(D6, AtMost(number), "small:9")
        if hits:
            play.record(Add(1))
        return hits

    async def both(play):
        one = await call(shot, a)
        choice = await Choose(0, most=b)
        two = await call(shot, number=b) if isinstance(choice, Go) else False
        if await Roll(D10, AtMost(a + b), "small:9"):
            play.record(Add(1))
        return one, two, choice

    return both


@pytest.mark.parametrize("policy", [first, last])
@pytest.mark.parametrize(("a", "b"), [(0, 1), (2, 2), (3, 1), (5, 3), (6, 4)])
def test_odds_equal_brute_force(a, b, policy):
    fn = pair(a, b)
    for state in (St(), St(n=1)):
        o = Odds(over, policy).of(fn, (), state)
        assert dict(o) == brute(fn, (), state, policy)
        assert sum(o.values()) == 1


def test_odds_from_inside_a_procedure():
    """The frame of a pending decision, with what it was given: conditional odds."""
    fn = pair(3, 2)
    o = Odds(over, first)
    start = St(n=-1)
    whole = o.of(fn, (), start)
    for given, share in ((End(start, False), Fraction(1, 2)), (End(St(n=0), True), Fraction(1, 2))):
        part = o.of(fn, (), start, (given, Go(1)))
        assert {e: p * share for e, p in part.items()} == {e: p for e, p in whole.items() if e.value[0] == given.value}


def test_keywords_and_positions_are_one_question():
    async def several(play, a, b=1, c=2):
        return a, b, c

    async def outer(play):
        return await call(several, 1, c=7), await call(several, b=5, a=4)

    assert dict(Odds(over).of(outer, (), St())) == {End(St(), ((1, 1, 7), (4, 5, 2))): 1}


def test_settings_never_mix():
    async def swing(play):
        play.record(Swing())

    async def outer(play):
        await call(swing)

    steep = Ground("steep", 2)
    s, t = St(), St(steep)
    o = Odds(over)
    for _ in range(2):
        assert dict(o.of(outer, (), s)) == {End(St(FLAT, n=1), None): 1}
        assert dict(o.of(outer, (), t)) == {End(St(steep, n=2), None): 1}


# ------------------------------------------------------------ loops
def test_two_loops_and_a_way_out():
    async def a(play):
        return then(b) if await Roll(D6, AtMost(3), "small:9") else "a"

    async def b(play):
        return then(a) if await Roll(D6, AtMost(4), "small:9") else "b"

    assert dict(Odds(over).of(a, (), St())) == {End(St(), "a"): Fraction(3, 4), End(St(), "b"): Fraction(1, 4)}


def test_rounds_until_somebody_is_hit():
    """Red hits on 3 of 6, Blue on 4 of 6, and Red shoots first."""

    async def round_(play, who):
        if await Roll(D6, AtMost(3 if who == "red" else 4), "small:9"):
            return who
        return then(round_, "blue" if who == "red" else "red")

    red = Fraction(3, 6) / (1 - Fraction(3, 6) * Fraction(2, 6))
    assert dict(Odds(over).of(round_, ("red",), St())) == {End(St(), "red"): red, End(St(), "blue"): 1 - red}


def test_endless_loops_are_refused():
    async def loop(play):
        await Roll(D2, AtMost(2), "small:9")
        return then(loop)

    async def ping(play):
        return then(pong)

    async def pong(play):
        return then(ping)

    async def maybe(play):
        return then(loop) if await Roll(D6, AtMost(1), "small:9") else 0

    o = Odds(over)
    for fn in (loop, ping, maybe):
        for _ in range(2):
            with pytest.raises(EndlessProcedure, match=r"loop|ping|pong"):
                o.of(fn, (), St())

    async def fine(play):
        return 1

    assert dict(o.of(fine, (), St())) == {End(St(), 1): 1}


# ------------------------------------------------------------ errors
def test_the_walker_is_usable_after_errors():
    async def asks(play):
        return await Choose(0)

    async def outer(play):
        return await call(asks)

    o = Odds(over)
    for _ in range(2):
        with pytest.raises(NeedsPolicy, match=r"no policy answers Choose: .*by_type\({Choose: first}\)"):
            o.of(outer, (), St())
    o.policy = first  # nothing is remembered of the failure
    assert dict(o.of(outer, (), St())) == {End(St(), Go(1)): 1}

    async def again(play):
        await call(again)

    for _ in range(2):
        with pytest.raises(RecursionError, match="then"):
            o.of(again, (), St())
    assert dict(o.of(outer, (), St(n=1))) == {End(St(n=1), Go(1)): 1}
    with pytest.raises(IllegalAction, match="too far"):
        Odds(over, lambda view, d, options: Go(4)).of(asks, (), St())


def test_the_bound_counts_per_question():
    async def dice(play, n):
        return [await Roll(D6, Face(), "small:9") for _ in range(n)] and n

    async def more(play, n):
        await call(dice, n)
        await call(dice, n + 10)

    o = Odds(over, bound=300)
    for n in (1, 2, 3):  # 6 + 36 + 216 would be within; each question counts alone
        assert sum(o.of(dice, (n,), St()).values()) == 1
        assert o.runs == 6**n
    for _ in range(2):
        with pytest.raises(TooManyBranches, match="more than 300 branches"):
            o.of(more, (2,), St())
    assert sum(o.of(dice, (3,), St(n=1)).values()) == 1


def test_nothing_to_choose():
    async def dead(play):
        await Nothing()

    with pytest.raises(NoOptions, match="Nothing"):
        Odds(over, first).of(dead, (), St())


# ------------------------------------------------------------ policies and views
def test_by_type_and_views():
    async def asks(play):
        return await Choose(1)

    assert dict(Odds(over, by_type({Choose: last})).of(asks, (), St())) == {End(St(), Rest()): 1}
    with pytest.raises(NeedsPolicy, match="Choose"):
        Odds(over, by_type({Nothing: last})).of(asks, (), St())
    seen = []
    walker = Odds(over, lambda v, d, o: (seen.append((v, o)), o[0])[1], view=lambda s, side: ("view", side))
    walker.of(asks, (), St())
    assert seen == [(("view", 1), (Go(1), Go(2), Rest()))]


class Hidden(Choose):
    secret = True


def test_a_hidden_decision_is_taken_as_declined_and_it_is_said():
    async def asks(play):
        return await Hidden(1)

    blind = Odds(over, viewer=0)
    assert dict(blind.of(asks, (), St())) == {End(St(), Go(1)): 1}
    assert list(blind.assumptions) == ["1 answers Go(far=1) to Hidden, which is hidden"]
    told = Odds(over, by_type({Hidden: last}), viewer=0)
    assert dict(told.of(asks, (), St())) == {End(St(), Rest()): 1}
    assert not told.assumptions
    for viewer in (1, None):  # his own, and the truth: the policy must say
        with pytest.raises(NeedsPolicy, match="Hidden"):
            Odds(over, viewer=viewer).of(asks, (), St())


def test_forced_choices_need_no_policy():
    async def asks(play):
        return await Choose(1, most=1)

    assert dict(Odds(over).of(asks, (), St())) == {End(St(), Go(1)): 1}


# ------------------------------------------------------------ samples
def test_a_sample_says_so_and_repeats():
    async def blow(play, number):
        if await Roll(D6, AtMost(number), "small:9"):
            play.record(Add(1))

    async def loop(play):
        if await Roll(D6, AtMost(1), "small:9"):
            return None
        await call(blow, 3)
        return then(loop)

    exact = Distribution(Odds(over).of(loop, (), St()))
    sampled = Odds(over).sample(loop, (), St(), runs=2000, seed=5)
    assert sampled == Odds(over).sample(loop, (), St(), runs=2000, seed=5)
    assert sampled != Odds(over).sample(loop, (), St(), runs=2000, seed=6)
    assert (sampled.runs, exact.runs) == (2000, None)
    assert "a sample of 2000 runs, not exact" in str(sampled)
    assert set(sampled) == set(exact)
    inside = 0
    for end, p in exact.items():
        low, high = sampled.interval(end, z=4)
        inside += low < p < high
        assert exact.interval(end) == (float(p), float(p))
    assert inside == len(exact)


def test_a_sample_begins_where_it_is_told():
    fn = pair(3, 2)
    given = (End(St(n=0), True), Rest())
    sampled = Odds(over).sample(fn, (), St(n=-1), given, runs=50, seed=1)
    assert {e.value for e in sampled} == {(True, False, Rest())}
    assert set(sampled) <= set(Odds(over).of(fn, (), St(n=-1), given))


# ------------------------------------------------------------ distributions
def test_distributions():
    two_dice = Counter(a + b for a in range(1, 7) for b in range(1, 7))
    d = Distribution({n: Fraction(w, 36) for n, w in two_dice.items()})
    assert (d[7], d[1], 1 in d, len(d)) == (Fraction(1, 6), 0, False, 11)
    assert (d.at_least(10), d.mean(), d.p(lambda n: n % 2 == 0)) == (Fraction(1, 6), 7, Fraction(1, 2))
    assert d.by(lambda n: n > 7) == {True: Fraction(5, 12), False: Fraction(7, 12)}
    with pytest.raises(TypeError, match="the answer is a list, which cannot be counted: return a tuple"):
        d.by(lambda n: [n])
    assert str(Distribution({True: Fraction(1, 3), False: Fraction(2, 3)}, ("calm",))) == (
        " 66.67%  False  (2/3)\n 33.33%  True  (1/3)\nassuming: calm"
    )
    with pytest.raises(ValueError, match="must sum to 1, not 1/2"):
        Distribution({1: Fraction(1, 2)})
    assert Distribution({1: Fraction(1), 2: Fraction(0)}) == {1: 1}
    assert "<table>" in d._repr_html_()


def test_intervals_are_chances():
    always = Distribution({"heads": Fraction(1)}, (), 20)
    assert str(always.interval("tails")[0]) == "0.0"
    assert 0.99 < always.interval("heads")[1] <= 1.0
