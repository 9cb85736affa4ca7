"""Support for a battle: what the defender commits in step 2 and the attacker in step 3 of a Fire Attack (9.0; Corps Artillery 14.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.play import Decision
from beachhead.rules import Breakdown, Modifier, Objection
from beachhead_koenig.attack import Attack
from beachhead_koenig.events import SupportCommitted
from beachhead_koenig.retreat import retreats
from beachhead_koenig.state import State
from beachhead_koenig.tables import Fire, Side


@final
@frozen
class Commit:
    """Commit so many Artillery Points and Allied Support Points to this battle."""

    artillery: int
    support: int


@final
@frozen
class CommitWithCorpsArtillery:
    """Commit the Leadership marker as one more Support Point, besides so many Artillery and Allied Support Points (14.1)."""

    artillery: int
    support: int


@final
@frozen
class RetreatBeforeCombat:
    """The German units retreat before the attack is made (9.1)."""


Commitment = Commit | CommitWithCorpsArtillery


MOST_ARTILLERY, MOST_SUPPORT = 1, 2

# the same few, again and again
_commit: Callable[[int, int], Commitment] = cache(Commit)
_with_corps: Callable[[int, int], Commitment] = cache(CommitWithCorpsArtillery)
_committed = lru_cache(maxsize=256)(SupportCommitted)


def commitments(state: State, side: Side) -> list[Commitment]:
    """What a player can commit to a battle."""
    kinds = (_commit, _with_corps) if state.leadership is side else (_commit,)
    artillery = range(min(MOST_ARTILLERY, state.support.artillery(side)) + 1)
    support = range(min(MOST_SUPPORT, state.support.points(side)) + 1)
    return [kind(guns, points) for kind in kinds for guns in artillery for points in support]


def commitment_objections(state: State, side: Side, rule: str, action: Commitment) -> Iterator[Objection]:
    """One Artillery Point and two Allied Support Points at most, of those that are left (9.0)."""
    artillery, support = state.support.artillery(side), state.support.points(side)
    if action.artillery < 0 or action.support < 0:
        yield Objection(rule, "nobody commits less than nothing")
    if action.artillery > MOST_ARTILLERY:
        yield Objection("koenig:9.0.j", "at most one Artillery Point goes into a battle")
    if action.support > MOST_SUPPORT:
        yield Objection("koenig:9.0.k", "at most two Allied Support Points go into a battle")
    if side is Side.GERMAN and action.support > 0:
        yield Objection(("koenig:6.2.a", rule), "only the Allied player has Support Points")
    elif action.artillery > artillery or action.support > support:
        rules = (rule, "koenig:6.0.b", "koenig:K-13")
        yield Objection(rules, "{} has {} Artillery and {} Support Points left", (side, artillery, support))
    if isinstance(action, CommitWithCorpsArtillery):
        if not state.setting.plays("14.1"):
            yield Objection("koenig:14.0.a", "Leadership is not in play")
        elif state.leadership is not side:
            yield Objection("koenig:14.1.i", "{} does not have the Leadership marker", (side,))


def most_points(state: State, side: Side) -> int:
    """The most that a player could ever commit to a battle: an Artillery Point, the Allied player two Support Points, and Corps Artillery (9.0, 14.1)."""
    return MOST_ARTILLERY + (MOST_SUPPORT if side is Side.ALLIED else 0) + state.setting.plays("14.1")


def points(action: Commitment) -> int:
    """What a commitment is worth."""
    return action.artillery + action.support + isinstance(action, CommitWithCorpsArtillery)


def committed(side: Side, action: Commitment, rule: str) -> SupportCommitted:
    """The event of a commitment."""
    corps = isinstance(action, CommitWithCorpsArtillery)
    rules = (rule, "koenig:14.1.i", "koenig:K-26") if corps else (rule,)
    return _committed(side, action.artillery, action.support, corps, rules)


@frozen
class CommitDefence(Decision[State, Commit | CommitWithCorpsArtillery | RetreatBeforeCombat]):
    """Step 2: the defender commits support, or retreats before combat (9.0, 9.1)."""

    side: Side
    attack: Attack

    @property
    def prompt(self) -> str:  # type: ignore[override]  # pyright: ignore[reportIncompatibleVariableOverride]
        """What there is to choose: only Germans retreat, and only before Full Fire."""
        retreat = ", or retreat before combat" if self.side is Side.GERMAN and self.attack.fire is Fire.FULL else ""
        return f"commit support to the defence{retreat}"

    @property
    def rule(self) -> str:  # type: ignore[override]  # pyright: ignore[reportIncompatibleVariableOverride]
        """The step; in Close Combat it is taken once, at the start."""
        return "koenig:10.0.e" if self.attack.fire is Fire.CLOSE else "koenig:9.0.h"

    def certain(self, state: State) -> list[Commitment]:
        """What is there to commit."""
        return commitments(state, self.side)

    def candidates(self, state: State) -> tuple[RetreatBeforeCombat, ...]:
        """The retreat of Germans from Full Fire."""
        return (RetreatBeforeCombat(),) if self.attack.fire is Fire.FULL and self.side is Side.GERMAN else ()

    def objections(
        self, state: State, action: Commit | CommitWithCorpsArtillery | RetreatBeforeCombat
    ) -> Iterator[Objection]:
        """What is left to commit, and who may retreat."""
        if not isinstance(action, RetreatBeforeCombat):
            yield from commitment_objections(state, self.side, self.rule, action)
            return
        if self.attack.fire is not Fire.FULL:
            yield Objection("koenig:9.1.b", "nobody retreats before {}", (self.attack.fire,))
        if self.side is not Side.GERMAN:
            yield Objection("koenig:9.1.c", "Allied units do not retreat before combat")
        elif not may_evade(state, self.attack.target):
            label = state.setting.board.label(self.attack.target)
            yield Objection(("koenig:9.1.a", "koenig:K-14"), "the units in {} have no hexes to retreat to", (label,))


@frozen
class CommitOffence(Decision[State, Commitment]):
    """Step 3: the attacker commits support, knowing what the defender did: `defence` points (9.0)."""

    side: Side
    attack: Attack
    defence: int
    prompt = "commit support to the attack"

    @property
    def rule(self) -> str:  # type: ignore[override]  # pyright: ignore[reportIncompatibleVariableOverride]
        """The step; in Close Combat it is taken once, at the start."""
        return "koenig:10.0.e" if self.attack.fire is Fire.CLOSE else "koenig:9.0.i"

    def certain(self, state: State) -> list[Commitment]:
        """What is there to commit."""
        return commitments(state, self.side)

    def objections(self, state: State, action: Commitment) -> Iterator[Objection]:
        """What is left, and how much goes into a battle."""
        return commitment_objections(state, self.side, self.rule, action)


def net_support(defence: Commitment, offence: Commitment) -> Breakdown:
    """Support for the defence lowers the Attack Factor, support for the attack raises it (9.0, step 3)."""
    terms = (
        Modifier("support for the defence", -points(defence), "koenig:9.0.l"),
        Modifier("support for the attack", points(offence), "koenig:9.0.l"),
    )
    return Breakdown(tuple([term for term in terms if term.value]))


# ------------------------------------------------------------ retreat before combat
def may_evade(state: State, target: Hex) -> bool:
    """Whether the units in a hex may retreat before combat: all of them, each to a hex of its own if need be, or under K-14 "any" one of them."""
    units = state.at(target)
    places = retreats(state, units[0]) if units else ()  # they stand in one hex, so the same places are open to each
    needed = 1 if state.setting.choice("K-14") == "any" else len(units)
    return sum(state.room(place) if isinstance(place, Hex) else needed for place in places) >= needed
