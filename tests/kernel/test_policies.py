"""Policies answer for a side, from what it knows."""

from __future__ import annotations

import random as global_random

import pytest
from small import Choose, Go, Nothing, Rest, St
from toy import Dare, DareOrPass, Pass, Side

import beachhead as bh
from beachhead.errors import NeedsPolicy, ScriptError
from beachhead.policies import by_side, by_type, first, last, random, scripted

OPTIONS = (Go(1), Go(2), Rest())


def test_first_and_last():
    assert first(St(), Choose(0), OPTIONS) == Go(1)
    assert last(St(), Choose(0), OPTIONS) == Rest()


def test_random_has_a_generator_of_its_own():
    state = global_random.getstate()
    a, b = random(5), random(5)
    drawn = [a(St(), Choose(0), OPTIONS) for _ in range(30)]
    assert global_random.getstate() == state
    assert drawn == [b(St(), Choose(0), OPTIONS) for _ in range(30)]
    assert set(drawn) == set(OPTIONS)
    assert drawn != [random(6)(St(), Choose(0), OPTIONS) for _ in range(30)]


def test_by_type():
    policy = by_type({Choose: last, Nothing: first})
    assert policy(St(), Choose(0), OPTIONS) == Rest()
    assert policy(St(), Nothing(0), OPTIONS) == Go(1)
    with pytest.raises(NeedsPolicy, match=r"no policy answers DareOrPass: give one, such as by_type") as e:
        policy(St(), DareOrPass(Side.RED), OPTIONS)
    assert e.value.args[0] == DareOrPass(Side.RED)
    assert by_type({Choose: last}, first)(St(), Nothing(0), OPTIONS) == Go(1)


def test_by_side():
    game = bh.new("toy/dare", seed=2)
    game.play(by_side({Side.RED: last, Side.BLUE: first}))
    red, blue = ([e.answer for e in game.log if e.actor is side and not e.forced] for side in Side)
    assert set(red) == {Dare()}
    assert set(blue) == {Pass()}


def test_scripted():
    policy = scripted([Go(2), Rest()], otherwise=first)
    assert [policy(St(), Choose(0), OPTIONS) for _ in range(3)] == [Go(2), Rest(), Go(1)]
    with pytest.raises(ScriptError, match=r"the script says Go\(far=4\), which is no option of Choose"):
        scripted([Go(4)])(St(), Choose(0), OPTIONS)
    with pytest.raises(ScriptError, match="no answer left for Choose"):
        scripted([])(St(), Choose(0), OPTIONS)
