"""The exact odds of whole battles, against an enumeration of every throw of every die that knows the rules in its own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import pytest

from beachhead.hexes import Hex
from beachhead.policies import by_type, first
from beachhead_memoir44.battle import AmbushOrNot
from beachhead_memoir44.cases import position
from beachhead_memoir44.ground import GroundOrNot, OverrunOrNot
from beachhead_memoir44.questions import battle_odds
from beachhead_memoir44.retreat import ChooseFlagsToIgnore, ChooseRetreat
from beachhead_memoir44.state import State

Place = tuple[int, int]
"""A doubled column and a row."""


class Unit(NamedTuple):
    """A unit as the enumeration knows it; `at` is None when it is eliminated."""

    side: str
    troop: str
    figures: int
    at: Place | None


class Position(NamedTuple):
    """The attacker comes first and the target second; `ground` is what lies in single hexes."""

    units: tuple[Unit, ...]
    ground: dict[Place, str]

    def state(self) -> State:
        lines = [f"{label(u.at)}: {u.troop} {u.figures} {u.side}" for u in self.units if u.at]
        return position([*lines, *(f"{label(at)}: {name}" for at, name in self.ground.items())])


def label(at: Place) -> str:
    letter = "ABCDEFGHIJKLM"[at[0] // 2]
    return f"{letter.lower() if at[1] % 2 else letter}{9 - at[1]}"


def distance(a: Place, b: Place) -> int:
    across, down = abs(a[0] - b[0]), abs(a[1] - b[1])
    return down + max(0, across - down) // 2


DIE = ("infantry", "infantry", "armor", "grenade", "star", "flag")
LESS = {
    "forest": {"infantry": 1, "armor": 2},
    "sandbags": {"infantry": 1, "armor": 1},
    "hill": {"infantry": 1, "armor": 1},
}


def dice(ground: dict[Place, str], attacker: Unit, target: Unit) -> int:
    assert attacker.at
    assert target.at
    steps = distance(attacker.at, target.at)
    figures = {"infantry": (3, 2, 1), "armor": (3, 3, 3)}[attacker.troop]
    if steps > 3:
        return 0
    return max(0, figures[steps - 1] - LESS.get(ground.get(target.at, ""), {}).get(attacker.troop, 0))


def after_throw(units: tuple[Unit, ...], ground: dict[Place, str], n: int, faces: tuple[str, ...]) -> tuple[Unit, ...]:
    """The units after a throw at the n-th: hits, then flags, of which sandbags cancel the first."""
    unit = units[n]
    assert unit.at
    figures, at, here = unit.figures - sum(face in (unit.troop, "grenade") for face in faces), unit.at, unit.at
    flags = faces.count("flag")
    if ground.get(unit.at) == "sandbags":
        flags = max(0, flags - 1)
    taken = {other.at for other in units if other.at != here}
    back = -1 if unit.side == "axis" else 1
    for _ in range(flags):
        ways = [(at[0] + side, at[1] + back) for side in (-1, 1)]
        there = [
            way
            for way in ways
            if 0 <= way[0] <= 24 and 0 <= way[1] <= 8 and way not in taken and ground.get(way) != "river"
        ]
        if there:
            at = there[0]
        else:
            figures -= 1
    changed = unit._replace(figures=max(0, figures), at=at if figures > 0 else None)
    return (*units[:n], changed, *units[n + 1 :])


def battle(
    units: tuple[Unit, ...], ground: dict[Place, str], n: int, *, overrun: bool
) -> Iterator[tuple[tuple[Unit, ...], Fraction]]:
    """Every end of the first unit's battle against the n-th, in which it always advances and always overruns the first enemy it may."""
    attacker, target = units[0], units[n]
    assert attacker.at
    assert target.at
    throws = Counter(tuple(sorted(faces)) for faces in product(DIE, repeat=dice(ground, attacker, target)))
    for faces, times in throws.items():
        chance = Fraction(times, throws.total())
        after = after_throw(units, ground, n, faces)
        if distance(attacker.at, target.at) > 1 or after[n].at == target.at:
            yield after, chance
            continue
        advanced = (attacker._replace(at=target.at), *after[1:])
        enemies = [m for m, unit in enumerate(advanced) if unit.side != attacker.side and unit.at]
        near = [m for m in enemies if distance(target.at, advanced[m].at or target.at) == 1]
        open_to_fire = [m for m in near or enemies if dice(ground, advanced[0], advanced[m])]
        if attacker.troop != "armor" or overrun or ground.get(target.at) == "forest" or not open_to_fire:
            yield advanced, chance
        else:
            # nobody takes anything with him: sandbags are gone from the hex that was left
            rest = {at: name for at, name in ground.items() if at != target.at}
            for end, more in battle(advanced, rest, open_to_fire[0], overrun=True):
                yield end, chance * more


def expected(where: Position) -> dict[tuple[tuple[str, int], ...], Fraction]:
    found = Counter[tuple[tuple[str, int], ...]]()
    for units, chance in battle(where.units, where.ground, 1, overrun=False):
        found[tuple((label(u.at) if u.at else "eliminated", u.figures) for u in units)] += chance  # type: ignore[assignment]
    return dict(found)  # type: ignore[arg-type]


def told(state: State) -> tuple[tuple[str, int], ...]:
    """Where the units are and how many figures they have."""
    return tuple((state.label(u.hex) if isinstance(u.hex, Hex) else u.hex.value, u.figures) for u in state.units)


POLICY = by_type(dict.fromkeys((AmbushOrNot, ChooseFlagsToIgnore, ChooseRetreat, GroundOrNot, OverrunOrNot), first))
E5, F5, G5, H5, E6, F6 = (8, 4), (10, 4), (12, 4), (14, 4), (9, 3), (11, 3)
POSITIONS = {
    "armor assaults, advances and overruns the next": Position(
        (
            Unit("allies", "armor", 3, E5),
            Unit("axis", "infantry", 2, F5),
            Unit("axis", "infantry", 1, G5),
            Unit("axis", "infantry", 4, (0, 0)),  # out of range: with it the battle goes on when both are gone
        ),
        {},
    ),
    "the overrun is fire, or against who fell back a hex": Position(
        (Unit("allies", "armor", 3, E5), Unit("axis", "armor", 1, F5), Unit("axis", "infantry", 2, (16, 4))), {}
    ),
    "flags are ignored behind sandbags, and cost figures where there is no way back": Position(
        (Unit("allies", "armor", 2, E5), Unit("axis", "infantry", 3, F5), Unit("axis", "artillery", 2, E6)),
        {F5: "sandbags", F6: "river"},
    ),
    "no overrun from a forest": Position(
        (Unit("allies", "armor", 3, E5), Unit("axis", "infantry", 1, F5), Unit("axis", "infantry", 4, G5)),
        {F5: "forest"},
    ),
    "infantry has no overrun": Position(
        (Unit("allies", "infantry", 4, E5), Unit("axis", "armor", 2, F5), Unit("axis", "infantry", 4, G5)), {}
    ),
    "fire gives no ground": Position((Unit("allies", "armor", 3, E5), Unit("axis", "infantry", 2, H5)), {H5: "hill"}),
    "the edge of the board": Position(
        (
            Unit("allies", "infantry", 4, (9, 1)),
            Unit("axis", "infantry", 3, (11, 1)),
            Unit("axis", "artillery", 1, (10, 0)),
        ),
        {},
    ),
}


@pytest.mark.covers("m44:resolve.hits_before_flags", "m44:retreat.blocked_loss", "m44:troop.armor.overrun")
@pytest.mark.parametrize("where", POSITIONS.values(), ids=POSITIONS)
def test_whole_battles(where: Position) -> None:
    state = where.state()
    attacker, target = where.units[0].at, where.units[1].at
    assert attacker
    assert target
    odds = battle_odds(state, label(attacker), label(target), by=told, policy=POLICY)
    assert dict(odds) == expected(where)
    assert sum(odds.values()) == 1


def test_the_enumeration_by_hand() -> None:
    """Three dice hit infantry with 1/2 each: two hits or more are as likely as not, and one or more come with 7/8."""
    ends = expected(POSITIONS["armor assaults, advances and overruns the next"])
    both_gone = sum(p for (_, (x, _), (y, _), _), p in ends.items() if x == y == "eliminated")
    two_or_more_hits, any_hit = Fraction(1, 2), Fraction(7, 8)
    assert both_gone == two_or_more_hits * any_hit
