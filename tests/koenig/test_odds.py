"""Exact odds: the table of hits, and whole Close Combats against a chain of states that knows the rules in its own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from attrs import evolve, frozen

from beachhead import Game
from beachhead.hexes import Hex
from beachhead.policies import by_type, first, last
from beachhead.systems import Policy
from beachhead_koenig import SYSTEM
from beachhead_koenig.cases import position
from beachhead_koenig.close_combat import HoldOrFallBack
from beachhead_koenig.commitment import Commit, CommitDefence, CommitOffence
from beachhead_koenig.leadership import RerollOrNot, StandOrNot
from beachhead_koenig.questions import close_combat_odds, fire_odds, result_odds
from beachhead_koenig.retreat import MayRetreat, MustRetreat, Stay
from beachhead_koenig.state import State
from beachhead_koenig.tables import FireResult

# ------------------------------------------------------------ the table of hits
FACES = {0: (0, 0, 6), 1: (0, 1, 5), 2: (1, 1, 4), 3: (2, 1, 3), 4: (3, 1, 2), 5: (4, 1, 1), 6: (5, 1, 0), 7: (6, 0, 0), 8: (6, 0, 0)}  # fmt: skip
"""For each Attack Factor the faces that hit, exchange and miss."""


def sixths(counts: dict[Any, int]) -> dict[Any, Fraction]:
    return {what: Fraction(count, 6) for what, count in counts.items() if count}


def hits_of_both(end: State) -> tuple[int, int]:
    return end.unit("CSR").hits, end.unit("P").hits


@pytest.mark.covers("koenig:9.0.n", "koenig:9.0.o", "koenig:9.0.p", "koenig:9.0.q")
@pytest.mark.parametrize("factor", FACES)
def test_the_table_of_hits(factor: int) -> None:
    """The die alone, an attack as a question, and the same attack in a game all come to it."""
    hit, exchange, miss = FACES[factor]
    table = sixths({FireResult.HIT: hit, FireResult.EXCHANGE: exchange, FireResult.MISS: miss})
    assert dict(result_odds(factor)) == table
    ends = sixths({(0, 1): hit, (1, 1): exchange, (0, 0): miss})
    state = position([f"C3: CSR {factor}-6 allied", "D3: P 3-6 german"], active="A")
    assert dict(fire_odds(state, "D3", "CSR", by=hits_of_both)) == ends
    game = Game(SYSTEM, state)
    game.do("begin full fire CSR")
    game.do("fire at D3")
    odds = game.odds(game.parse("commit 0 0"), by=hits_of_both, policy=by_type({MayRetreat: first}))
    assert dict(odds) == ends


# ------------------------------------------------------------ whole Close Combats
ATTACKER, DEFENDER = 0, 1
IN, AWAY, ELIMINATED = "in the hex", "away", "eliminated"
End = tuple[tuple[str, int], tuple[str, int]]
"""Where the attacker and the defender are, and how many Hits they have."""


@frozen
class Fight:
    """A Close Combat as the chain knows it: what is printed, what is committed, and what the players will do.

    Each pair is the attacker's and the defender's. `leaves` is who goes when both have missed; `marker` is who has the Leadership marker, and
    spends it to stand fast, or with `reroll` on the first die that would hurt its unit.
    """

    strength: tuple[int, int] = (4, 3)
    hits: tuple[int, int] = (0, 0)
    points: tuple[int, int] = (0, 0)
    hold: bool = False
    leaves: int | None = None
    blocked: bool = False
    marker: int | None = None
    reroll: bool = False


@frozen
class Moment:
    """Where a fight stands: Hits, where both are, and who still has the marker."""

    hits: tuple[int, int]
    where: tuple[str, str] = (IN, IN)
    marker: int | None = None

    @property
    def over(self) -> bool:
        return self.where != (IN, IN)

    def put(self, who: int, where: str, hits: int) -> Moment:
        if who == ATTACKER:
            return evolve(self, where=(where, self.where[1]), hits=(hits, self.hits[1]))
        return evolve(self, where=(self.where[0], where), hits=(self.hits[0], hits))


def factor(fight: Fight, now: Moment, who: int) -> int:
    worn = 1 if now.hits[who] == 2 and fight.strength[who] else 0
    return fight.strength[who] - worn + max(0, fight.points[who] - fight.points[1 - who])


def fire(fight: Fight, now: Moment, who: int) -> Iterator[tuple[Moment, bool, Fraction]]:
    """Every end of one side's fire: how things stand then, whether it missed, and the chance."""
    aim = factor(fight, now, who)
    for face in range(1, 7):
        if face <= aim and fight.reroll and now.marker == 1 - who:
            spent = evolve(now, marker=None)
            for again in range(1, 7):
                yield struck(fight, spent, who, again, aim), again > aim, Fraction(1, 36)
        else:
            yield struck(fight, now, who, face, aim), face > aim, Fraction(1, 6)


def struck(fight: Fight, now: Moment, who: int, face: int, aim: int) -> Moment:
    """What one die does: below the aim the other side is hit, at it both are, and who is hit goes, the defender first."""
    if face > aim:
        return now
    fresh = now.hits[ATTACKER] == 0
    hurt = [unit for unit in (DEFENDER, ATTACKER) if face == aim or unit != who]
    for unit in hurt:
        marks = now.hits[unit] + 1
        now = now.put(unit, ELIMINATED if marks > 2 else IN, 0 if marks > 2 else marks)
    for unit in hurt:
        if now.where[unit] == ELIMINATED:
            continue
        if unit == ATTACKER and face == aim and fresh and fight.hold:
            now = now.put(ATTACKER, IN, 2)
        elif now.marker == unit and not fight.reroll:
            now = evolve(now, marker=None)
        elif unit == DEFENDER and fight.blocked:
            now = now.put(unit, ELIMINATED, 0)
        else:
            now = now.put(unit, AWAY, now.hits[unit])
    return now


def round_of(fight: Fight, now: Moment) -> Iterator[tuple[Moment, Fraction]]:
    """Every end of one round."""
    for half, first_missed, chance in fire(fight, now, DEFENDER):
        if half.over:
            yield half, chance
            continue
        for whole, second_missed, more in fire(fight, half, ATTACKER):
            if whole.over or not (first_missed and second_missed):
                yield whole, chance * more
            elif fight.leaves == DEFENDER and not fight.blocked:
                yield whole.put(DEFENDER, AWAY, whole.hits[DEFENDER]), chance * more
            elif fight.leaves == ATTACKER or max(factor(fight, whole, who) for who in (ATTACKER, DEFENDER)) < 1:
                yield whole.put(ATTACKER, AWAY, whole.hits[ATTACKER]), chance * more
            else:
                yield whole, chance * more


def ends(fight: Fight, now: Moment | None = None) -> dict[End, Fraction]:
    """Every end of a fight. Hits only grow and a marker is spent once, so the one way back is to the same moment: a geometric series."""
    now = now or Moment(fight.hits, marker=fight.marker)
    found, again = Counter[End](), Fraction(0)
    for then, chance in round_of(fight, now):
        if then == now:
            again += chance
        elif then.over:
            found[(then.where[0], then.hits[0]), (then.where[1], then.hits[1])] += chance  # type: ignore[assignment]
        else:
            for end, more in ends(fight, then).items():
                found[end] += chance * more  # type: ignore[assignment]
    return {end: chance / (1 - again) for end, chance in found.items() if chance}


BLOCKING = ["C2: B1 1-1 allied", "D2: B2 1-1 allied", "E3: B3 1-1 allied", "D4: B4 1-1 allied", "C4: B5 1-1 allied"]


def drawn(fight: Fight) -> State:
    (a, d), (ah, dh) = fight.strength, fight.hits
    sides = {ATTACKER: "allied", DEFENDER: "german"}
    marked = {} if fight.marker is None else {"leadership": sides[fight.marker]}
    options = {} if fight.marker is None else {"14.1": True}
    return position(
        [f"C3: CSR {a}-6 allied h{ah}", f"D3: P {d}-6 german h{dh}", *(BLOCKING if fight.blocked else ())],
        artillery={"allied": 1, "german": 1},
        support=2,
        active="A",
        options=options,
        **marked,
    )


def policy_of(fight: Fight) -> Policy:
    attack, defence = fight.points

    def may_retreat(view: Any, decision: Any, options: tuple[Any, ...]) -> Any:
        goes = fight.leaves == (ATTACKER if decision.unit == "CSR" else DEFENDER)
        return next((action for action in options if goes and not isinstance(action, Stay)), Stay())

    def reroll(view: Any, decision: Any, options: tuple[Any, ...]) -> Any:
        hurts = decision.result is not FireResult.MISS and decision.firing is not decision.side
        return options[0 if fight.reroll and hurts else -1]

    return by_type(
        {
            CommitDefence: lambda view, decision, options: Commit(defence, 0),
            CommitOffence: lambda view, decision, options: Commit(min(1, attack), max(0, attack - 1)),
            HoldOrFallBack: first if fight.hold else last,
            StandOrNot: last if fight.reroll else first,
            RerollOrNot: reroll,
            MayRetreat: may_retreat,
            MustRetreat: first,
        }
    )


def told(end: State) -> End:
    """Where both are."""

    def of(unit: str) -> tuple[str, int]:
        place = end.place(unit)
        if not isinstance(place, Hex):
            return ELIMINATED, 0
        return IN if end.setting.board.label(place) == "D3" else AWAY, end.unit(unit).hits

    return of("CSR"), of("P")


FIGHTS = {
    "four against three": Fight(),
    "with a point of support": Fight(points=(1, 0)),
    "with all the support there is": Fight(points=(3, 1)),
    "support for the defence alone": Fight(points=(0, 1)),
    "the ground is held": Fight(hold=True),
    "a damaged attacker cannot hold": Fight(hits=(1, 0), hold=True),
    "two Hits on both sides": Fight(hits=(2, 2)),
    "the defender has two Hits, and the ground is held": Fight(hits=(0, 2), hold=True),
    "the defender has nowhere to go": Fight(blocked=True, hold=True),
    "the defender leaves after a round": Fight(leaves=DEFENDER),
    "the attacker leaves after a round": Fight(leaves=ATTACKER),
    "one side hits always": Fight(strength=(7, 2)),
    "one side never hits": Fight(strength=(0, 3)),
    "nobody ever hits": Fight(strength=(0, 1), hits=(0, 2)),
    "the defender stands fast": Fight(marker=DEFENDER),
    "the attacker stands fast": Fight(marker=ATTACKER),
    "the defender stands fast and the attacker holds": Fight(strength=(5, 5), marker=DEFENDER, hold=True),
    "the attacker has the die rolled again": Fight(marker=ATTACKER, reroll=True),
    "the defender has the die rolled again": Fight(strength=(6, 2), points=(3, 0), marker=DEFENDER, reroll=True),
}


@pytest.mark.covers("koenig:10.0.c", "koenig:10.0.k", "koenig:10.2.c", "koenig:9.3.3.c")
@pytest.mark.parametrize("fight", FIGHTS.values(), ids=FIGHTS)
def test_whole_close_combats(fight: Fight) -> None:
    """As a question and in a game: the fight is the same, once CSR has entered."""
    state, policy, expected = drawn(fight), policy_of(fight), ends(fight)
    assert dict(close_combat_odds(state, "CSR", "D3", by=told, policy=policy)) == expected
    game = Game(SYSTEM, state)
    game.do("begin movement CSR")
    assert dict(game.odds(game.parse("close combat D3 C3"), by=told, policy=policy)) == expected


def test_close_combats_of_all_strengths() -> None:
    for a, d, ah, dh in product((0, 1, 3, 6), (0, 2, 5), range(3), range(3)):
        fight = Fight((a, d), (ah, dh), hold=(a + dh) % 2 == 0)
        found = close_combat_odds(drawn(fight), "CSR", "D3", by=told, policy=policy_of(fight))
        assert dict(found) == ends(fight), fight


def test_the_chain_by_hand() -> None:
    """4 and a point of support against 3: a round without a decision has 1/2 x 1/6, and so each chance of a round counts 12/11."""
    found = ends(FIGHTS["with a point of support"])
    more = Fraction(12, 11)
    assert found == {
        ((AWAY, 1), (IN, 0)): more * Fraction(2, 6),
        ((AWAY, 1), (AWAY, 1)): more * (Fraction(1, 6) + Fraction(3, 6) * Fraction(1, 6)),
        ((IN, 0), (AWAY, 1)): more * Fraction(3, 6) * Fraction(4, 6),
    }


def test_nobody_ever_hits() -> None:
    """The defender stays and the attacker must go, so nobody has lost anything."""
    assert ends(FIGHTS["nobody ever hits"]) == {((AWAY, 0), (IN, 2)): 1}
