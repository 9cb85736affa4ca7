"""Exact odds of fire: the Combat Results Table, whole fires against a small model that knows the rules in its own words, and odds asked in the middle of things."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from attrs import evolve, frozen

from beachhead import Game
from beachhead.errors import NeedsPolicy
from beachhead.policies import by_type
from beachhead_gts import SYSTEM
from beachhead_gts.battlefield import Away
from beachhead_gts.cases import position
from beachhead_gts.movement import MoveOn, StopMoving
from beachhead_gts.opportunity import ChooseOpportunityFire
from beachhead_gts.quality import RollDie
from beachhead_gts.questions import CONVERTING, NAMED, STEADY, fire_odds, hit_odds, line_odds
from beachhead_gts.results import AcceptSuppression, TryConversion
from beachhead_gts.state import State
from beachhead_gts.tables import Result

TENTH = Fraction(1, 10)

# ------------------------------------------------------------ the table
UNARMORED = {
    "small-arms": "CPPSCC11E",
    "light-mortar": "CPPPSCC1E",
    "dual-purpose": "1SSCC1EEE",
    "armor-piercing": "CPPPSSSC1",
    "direct-he": "1SSCC1EEE",
    "organic-artillery": "1SSCC1EEE",
}
ARMORED = {
    "small-arms": "CPPSSCC1E",
    "light-mortar": "CPPPPPPSS",
    "dual-purpose": "CSSC11EEE",
    "armor-piercing": "CSSC11EEE",
    "direct-he": "CPPSSSC11",
    "organic-artillery": "CPPSSSC11",
}
"""What the rolls 0 to 8 give; artillery that fires directly has the line of Direct HE."""


def faces(line: str, rating: int) -> Iterator[str]:
    """What each face of the die comes to: a hit at or under the rating, always on 0, never on 9."""
    for face in range(10):
        yield line[face] if face != 9 and (face == 0 or face <= rating) else "-"


@pytest.mark.parametrize("rating", [-4, 0, 1, 5, 8, 9, 14])
def test_a_hit_at_or_under_the_rating_always_on_0_and_never_on_9(rating: int) -> None:
    assert hit_odds(rating)[True] == sum(face != "-" for face in faces("C" * 9, rating)) * TENTH


@pytest.mark.parametrize("armored", [False, True])
@pytest.mark.parametrize("weapon", UNARMORED)
def test_the_lines_of_the_table(weapon: str, armored: bool) -> None:
    """Of all classes that fire directly; what rolls above 8 would give is never met."""
    state, line = position(), (ARMORED if armored else UNARMORED)[weapon]
    kind = "direct-he" if weapon == "organic-artillery" else weapon
    for rating in range(-2, 12):
        found = {("P" if r is Result.POSSIBLE_SUPPRESSION else "-" if r is Result.MISS else r.value): p for r, p in line_odds(state, rating, kind, armored=armored).items()}  # fmt: skip
        assert found == {what: n * TENTH for what, n in Counter(faces(line, rating)).items()}


# ------------------------------------------------------------ a whole fire, in other words
@frozen
class Company:
    """A unit that is fired at: Steps, markers, Troop Quality, whether it is In Command, and the Command Points that its Division has."""

    steps: int = 2
    loss: int = 0
    cohesion: int = 0
    suppressed: bool = False
    quality: int = 6
    led: bool = False
    points: int = 0
    gone: bool = False

    @property
    def chance(self) -> Fraction:
        """Of a check. Two Cohesion Hits, Suppression, a Step Loss marker and being Out of Command take one each."""
        worse = (self.cohesion == 2) + self.suppressed + self.loss + (not self.led)
        return TENTH * max(1, min(self.quality - worse, 8) + 1)

    @property
    def pays(self) -> bool:
        return self.led and self.points > 0

    def paying(self) -> Company:
        return evolve(self, points=self.points - 1)


Ends = Iterator[tuple[Company, Fraction]]


def hurt(who: Company) -> Company:
    """A Cohesion Hit: the third is a Step, and a unit without Steps is gone."""
    if who.steps == 0:
        return evolve(who, gone=True)
    return bled(who) if who.cohesion == 2 else evolve(who, cohesion=who.cohesion + 1)


def bled(who: Company) -> Company:
    """A lost Step: markers stay, and the last one is the end."""
    return evolve(who, gone=True) if who.steps - who.loss < 2 else evolve(who, loss=who.loss + 1)


def suppressed(who: Company, wish: str) -> Ends:
    if who.suppressed:
        yield hurt(who), Fraction(1)
    elif wish == "steady":
        yield evolve(who, suppressed=True), Fraction(1)
    elif wish == "spending" and who.pays:
        yield hurt(who.paying()), Fraction(1)
    else:
        yield hurt(who), who.chance
        yield evolve(who, suppressed=True), 1 - who.chance


def perhaps(who: Company, wish: str) -> Ends:
    if wish == "spending" and who.pays:
        yield who.paying(), Fraction(1)
        return
    yield who, who.chance
    for end, more in suppressed(who, wish):
        yield end, (1 - who.chance) * more


def fire(line: str, rating: int, who: Company, wish: str) -> dict[Any, Fraction]:
    """Every end of one shot."""
    found = defaultdict[Company, Fraction](Fraction)
    for what in faces(line, rating):
        ends: Ends = iter([(who, Fraction(1))])
        match what:
            case "P":
                ends = perhaps(who, wish)
            case "S":
                ends = suppressed(who, wish)
            case "C":
                ends = iter([(hurt(who), Fraction(1))])
            case "1":
                ends = iter([(bled(who), Fraction(1))])
            case "E":
                ends = iter([(evolve(who, gone=True), Fraction(1))])
        for end, chance in ends:
            found[end] += TENTH * chance
    return told(found)


def told(ends: Mapping[Company, Any]) -> dict[Any, Fraction]:
    """As the state tells it: of who is gone nothing but that."""
    found = defaultdict[Any, Fraction](Fraction)
    for end, chance in ends.items():
        found[("gone", end.points) if end.gone else (end.loss, end.cohesion, end.suppressed, end.points)] += chance
    return {end: chance for end, chance in found.items() if chance}


# ------------------------------------------------------------ the same fire by the rules
def drawn(who: Company, *, weapon: str = "small-arms", fire: int = 4, armored: bool = False, steps: int = 1) -> State:
    words = [f"D3: Dora german steps{who.steps} q{who.quality}", "armored" * armored]
    words += ["loss1" * who.loss, f"c{who.cohesion}" * (who.cohesion > 0), "suppressed" * who.suppressed]
    leader = ["D4: leader Kurt german"] if who.led else []
    lines = [f"C3: Able allied q7 steps{steps} {weapon} fire{fire}", "G7: Emil german", " ".join(words), *leader]
    return position(lines, points={"Y": [who.points, 0]})


def of_dora(end: State) -> Any:
    unit, points = end.unit("Dora"), end.division_points("Y").command
    if unit.place is Away.ELIMINATED:
        return "gone", points
    return unit.losses, unit.cohesion, unit.suppressed, points


COMPANIES = {
    "fresh and Out of Command": Company(),
    "led, with two points": Company(led=True, points=2),
    "led, without a point": Company(led=True),
    "points that nobody can spend": Company(points=3),
    "suppressed": Company(suppressed=True, quality=8),
    "suppressed, led, with a point": Company(suppressed=True, led=True, points=1),
    "one Cohesion Hit": Company(cohesion=1, quality=5),
    "two Cohesion Hits": Company(cohesion=2, led=True, points=1),
    "two Cohesion Hits and a lost Step": Company(cohesion=2, loss=1, led=True),
    "all of it": Company(cohesion=2, loss=1, suppressed=True, quality=3),
    "one Step": Company(steps=1, quality=9, led=True),
    "no Step": Company(steps=0, quality=0),
    "the best": Company(quality=9, led=True, points=1),
}


@pytest.mark.parametrize("who", COMPANIES.values(), ids=COMPANIES)
def test_whole_fires(who: Company) -> None:
    """As a question and in a game, for each way to decide. Dora is adjacent, so nothing but mass changes the Fire Rating."""
    for (weapon, line), wish, strength in product(UNARMORED.items(), NAMED, (2, 5, 9)):
        state = drawn(who, weapon=weapon, fire=strength)
        expected = fire(line, strength - (who.steps == 0), who, wish)
        assert sum(expected.values()) == 1
        assert dict(fire_odds(state, "Able", "Dora", by=of_dora, policy=wish)) == expected, (weapon, wish, strength)
    game, line = Game(SYSTEM, drawn(who, fire=6, armored=True)), ARMORED["small-arms"]
    for wish, (policy, _) in NAMED.items():
        odds = game.odds(game.parse("fire Able Dora"), by=of_dora, policy=policy)
        assert dict(odds) == fire(line, 6 - (who.steps == 0), who, wish), wish


def test_a_company_bonus_comes_with_its_check() -> None:
    """Able, full with two Steps and Out of Command, checks 6: passed by 0 to 6, it fires with two more."""
    for who, strength in product((COMPANIES["fresh and Out of Command"], COMPANIES["two Cohesion Hits"]), (0, 4, 7)):
        state, expected = drawn(who, fire=strength, steps=2), defaultdict[Any, Fraction](Fraction)
        for chance, rating in ((7 * TENTH, strength + 2), (3 * TENTH, strength)):
            for end, more in fire(UNARMORED["small-arms"], rating, who, "converting").items():
                expected[end] += chance * more
        assert dict(fire_odds(state, "Able", "Dora", by=of_dora, policy=CONVERTING)) == expected


def test_by_hand() -> None:
    """A machine gun, 4 small arms, at a company with Troop Quality 5: C on 0 and 4, S? on 1 and 2, S on 3.

    S? fails with 6 to 9. So a Suppression has 1/10 + 2/10 x 4/10 = 18/100, and the check that turns it succeeds in six of ten.
    """
    assert fire(UNARMORED["small-arms"], 4, Company(), "converting") == {
        (0, 1, False, 0): Fraction(2, 10) + Fraction(18, 100) * Fraction(6, 10),
        (0, 0, True, 0): Fraction(18, 100) * Fraction(4, 10),
        (0, 0, False, 0): Fraction(5, 10) + Fraction(2, 10) * Fraction(6, 10),
    }


# ------------------------------------------------------------ in the middle of a move
MOVE = ("C3: Able allied steps1", "E3: Dora german q5", "F5: Emil german range5 fire6 q9", "C3: leader Lee allied")
"""Dora and Emil have no Leader. Dora checks 4, 5 of 10, and fires at 4 - 1 (range) + 2 = 5; Emil checks 8, 9 of 10, and fires at 6 - 3 + 2 = 5."""


def of_able(end: State) -> Any:
    unit = end.unit("Able")
    where = "gone" if unit.place is Away.ELIMINATED else end.setting.board.label(unit.place)  # type: ignore[arg-type]
    return where, unit.cohesion, unit.suppressed


def fired_at(who: Company, chance: Fraction) -> Iterator[tuple[Company, Fraction]]:
    """An Opportunity Fire at a Fire Rating of 5, after its check."""
    yield who, 1 - chance
    for what in faces(UNARMORED["small-arms"], 5):
        ends: Ends = iter([(who, Fraction(1))])
        if what == "C":
            ends = iter([(hurt(who), Fraction(1))])
        elif what in "PS":
            ends = perhaps(who, "steady") if what == "P" else suppressed(who, "steady")
        for end, more in ends:
            yield end, chance * TENTH * more


def test_opportunity_fire_asked_from_inside_a_move() -> None:
    game = Game(SYSTEM, position(MOVE))
    game.do("move Able")
    game.do("step to C4")
    assert isinstance(game.decision, ChooseOpportunityFire)
    able = Company(steps=1, led=True)
    one, two = defaultdict[Any, Fraction](Fraction), defaultdict[Any, Fraction](Fraction)
    for first, chance in fired_at(able, 5 * TENTH):
        one["C3", first.cohesion, first.suppressed] += chance
        for second, more in fired_at(first, 9 * TENTH):
            two["C3", second.cohesion, second.suppressed] += chance * more
    shoot = game.parse("opportunity fire Dora Able")
    assert dict(game.odds(shoot, by=of_able, policy=STEADY)) == one
    keen = by_type({ChooseOpportunityFire: lambda view, decision, options: options[0]}, otherwise=STEADY)
    assert dict(game.odds(shoot, by=of_able, policy=keen)) == two
    with pytest.raises(NeedsPolicy, match="no policy answers ConvertSuppression"):
        game.odds(shoot, by=of_able)


def test_a_whole_move_under_fire() -> None:
    """Dora fires, Emil holds: who is Suppressed stays, everybody else is in C4, where nobody fires at who stops."""
    game = Game(SYSTEM, position(MOVE))
    game.do("move Able")
    once = by_type(
        {
            ChooseOpportunityFire: lambda view, decision, options: options[0 if not decision.trigger.tried else -1],
            MoveOn: lambda view, decision, options: StopMoving(),
        },
        otherwise=STEADY,
    )
    expected = defaultdict[Any, Fraction](Fraction)
    for able, chance in fired_at(Company(steps=1, led=True), 5 * TENTH):
        expected["C3" if able.suppressed else "C4", able.cohesion, able.suppressed] += chance
    assert dict(game.odds(game.parse("step to C4"), by=of_able, policy=once)) == expected


# ------------------------------------------------------------ in the middle of a result
def test_a_check_and_a_conversion_asked_when_they_come() -> None:
    """Dora, led, with a Command Point. A 1 is S?: she rolls 6 or less, or pays. The check fails with an 8: she takes the Suppression, rolls, or pays."""
    state = drawn(Company(led=True, points=1))
    game = Game(SYSTEM, state, script=[1, 8])
    game.do("fire Able Dora")
    assert type(game.decision).__name__ == "MeetCheck"
    check = game.odds(RollDie(), by=of_dora, policy=STEADY)
    assert dict(check) == {(0, 0, False, 1): 7 * TENTH, (0, 0, True, 1): 3 * TENTH}
    paid = game.odds(game.parse("spend point"), by=of_dora)
    assert dict(paid) == {(0, 0, False, 0): 1}
    game.do("roll die")
    assert type(game.decision).__name__ == "ConvertSuppression"
    ends = {action: dict(game.odds(action, by=of_dora)) for action in game.legal_actions()}
    assert ends == {
        AcceptSuppression(): {(0, 0, True, 1): 1},
        TryConversion(): {(0, 1, False, 1): 7 * TENTH, (0, 0, True, 1): 3 * TENTH},
        game.parse("buy conversion"): {(0, 1, False, 0): 1},
    }


def test_what_is_decided_on_the_way_is_named() -> None:
    state = drawn(Company())
    with pytest.raises(NeedsPolicy, match="ConvertSuppression"):
        Game(SYSTEM, state).odds(Game(SYSTEM, state).parse("fire Able Dora"), by=of_dora)
