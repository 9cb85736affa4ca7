"""The indexed source of outcomes: a function of (seed, n), and without bias."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

import pytest

from beachhead import dice
from beachhead.dice import D6, D10, AtLeast, AtMost, Die, Face, Outcomes, Roll, fresh_seed


def test_an_outcome_is_a_function_of_seed_and_number():
    source, again = Outcomes(7), Outcomes(7)
    forwards = [source.number(n, 1000) for n in range(50)]
    backwards = [again.number(n, 1000) for n in reversed(range(50))][::-1]
    assert forwards == backwards
    assert forwards != [Outcomes(8).number(n, 1000) for n in range(50)]
    assert len(set(forwards)) > 40
    # fixed for good: a saved game must roll the same with every release
    assert [Outcomes(44).number(n, 6) for n in range(12)] == [
        int.from_bytes(blake2b(f"44/{n}/0".encode(), digest_size=8).digest()) % 6 for n in range(12)
    ]


class Fixed:
    """Digests that the test has chosen; after them, zero."""

    def __init__(self, values: list[int]) -> None:
        self.values, self.asked = values, list[str]()

    def __call__(self, text: bytes, digest_size: int) -> Fixed:
        self.asked.append(text.decode())
        self.size = digest_size
        return self

    def digest(self) -> bytes:
        return (self.values[len(self.asked) - 1] if len(self.asked) <= len(self.values) else 0).to_bytes(self.size)


@pytest.mark.parametrize("below", [1, 2, 3, 5, 6, 7, 10, 52, 1000, (1 << 63) + 1, 1 << 70])
def test_every_number_is_as_likely(below, monkeypatch):
    """The values of the digest that count are 0 .. limit - 1, a multiple of `below`; any other is tried again."""
    bits = 64 if below < 1 << 63 else 128
    limit = (1 << bits) // below * below
    for value in (0, 1, below - 1, below, limit // 2, limit - below, limit - 1):
        monkeypatch.setattr(dice, "blake2b", source := Fixed([value]))
        assert Outcomes(3).number(5, below) == value % below
        assert (source.asked, source.size) == (["3/5/0"], bits // 8)
    for value in {limit, (1 << bits) - 1} - {limit - 1, 1 << bits}:
        monkeypatch.setattr(dice, "blake2b", source := Fixed([value, value, below - 1]))
        assert Outcomes(3).number(5, below) == below - 1
        assert source.asked == ["3/5/0", "3/5/1", "3/5/2"]


@pytest.mark.parametrize("below", [2, 3, 6, 10])
def test_frequencies_are_within_exact_limits(below):
    """Of the binomial distribution itself: a fair source leaves these limits once in a million."""
    from math import comb

    n = 3000
    ways = [comb(n, k) * (below - 1) ** (n - k) for k in range(n + 1)]
    total, low, mass = below**n, 0, 0
    while (mass + ways[low]) * 2_000_000 < total:
        mass, low = mass + ways[low], low + 1
    high, mass = n, 0
    while (mass + ways[high]) * 2_000_000 < total:
        mass, high = mass + ways[high], high - 1
    counts = Counter(Outcomes(20).number(i, below) for i in range(n))
    assert set(counts) == set(range(below))
    assert all(low <= count <= high for count in counts.values())
    pairs = Counter((Outcomes(20).number(i, below), Outcomes(20).number(i + 1, below)) for i in range(n))
    assert len(pairs) == below * below  # neighbours are independent enough to show every pair


def test_large_ranges_get_more_bits():
    below = 10**40
    values = [Outcomes(1).number(n, below) for n in range(20)]
    assert all(0 <= v < below for v in values)
    assert max(values) > 1 << 64


def test_picks_go_by_weight(monkeypatch):
    monkeypatch.setattr(Outcomes, "number", lambda self, n, below: n % below)
    outcomes = [("a", 1), ("b", 3), ("c", 2)]
    assert [Outcomes(0).pick(n, outcomes) for n in range(6)] == ["a", "b", "b", "b", "c", "c"]


def test_a_fresh_seed_is_new():
    seeds = {fresh_seed() for _ in range(20)}
    assert len(seeds) == 20
    assert all(0 <= seed < 1 << 63 for seed in seeds)


def test_readings():
    assert [AtMost(3).read(face) for face in (2, 3, 4)] == [True, True, False]
    assert [AtLeast(3).read(face) for face in (2, 3, 4)] == [False, True, True]
    assert Face().read("star") == "star"
    coin = Roll(Die("coin", ("heads", "tails")), Face(), "x")
    assert coin.outcomes(None) == (("heads", 1), ("tails", 1))
    assert coin.outcome("heads") == "heads"
    assert (D6.faces, D10.faces) == ((1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4, 5, 6, 7, 8, 9))
