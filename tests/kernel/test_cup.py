"""Cups and decks: multisets without an order."""

from __future__ import annotations

import pickle
from collections import Counter
from enum import Enum

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from beachhead.cup import Cup

THINGS = st.lists(st.sampled_from(["tank", "gun", "truck", 3, 10]), max_size=12)


@given(THINGS, st.randoms())
def test_the_order_of_things_does_not_matter(things, r):
    shuffled = list(things)
    r.shuffle(shuffled)
    assert Cup.of(*things) == Cup.of(*shuffled)
    assert hash(Cup.of(*things)) == hash(Cup.of(*shuffled))
    assert repr(Cup.of(*things)) == repr(Cup.of(*shuffled))


@given(THINGS, THINGS)
def test_cups_are_multisets(a, b):
    cup, model = Cup.of(*a), Counter(a)
    assert Counter(cup) == model
    assert (cup.size, len(cup)) == (len(a), len(a))
    assert cup + Cup.of(*b) == cup.add(*b) == Cup.of(*a, *b)
    assert all(cup.count(thing) == model[thing] and (thing in cup) == (thing in model) for thing in [*a, *b])
    assert all(weight > 0 for _, weight in cup.counts)
    for thing in set(a):
        less = cup.remove(thing)
        assert Counter(less) == model - Counter([thing])
        assert less.add(thing) == cup
    assert pickle.loads(pickle.dumps(cup)) == cup


def test_what_is_not_in_cannot_come_out():
    cup = Cup.of("a")
    with pytest.raises(ValueError, match=r"there is no b in Cup\(\{'a': 1\}\)"):
        cup.remove("b")
    with pytest.raises(ValueError, match="there is no a"):
        cup.remove("a").remove("a")
    assert cup == Cup.of("a")


def test_an_empty_cup():
    assert Cup() == Cup.of() == Cup.of("a").remove("a")
    assert (repr(Cup()), list(Cup()), Cup().counts) == ("Cup()", [], ())


def test_kinds_may_be_enums_and_values():
    class Chit(Enum):
        ONE = 1
        TWO = 2

    @frozen
    class Card:
        name: str

    cup = Cup.of(Chit.TWO, Chit.ONE, Card("x"), Chit.TWO)
    assert repr(Cup.of(1, 2, 1)) == "Cup({1: 2, 2: 1})"
    assert cup.counts == ((Card("x"), 1), (Chit.ONE, 1), (Chit.TWO, 2))
    assert Cup({Chit.TWO: 2, Chit.ONE: 1, Card("x"): 1}) == cup


def test_kinds_of_one_name_have_an_order_too():
    @frozen
    class Tank:
        name: str
        strength: int

    assert Cup.of(Tank("Sherman", 3), Tank("Sherman", 4)) == Cup.of(Tank("Sherman", 4), Tank("Sherman", 3))
