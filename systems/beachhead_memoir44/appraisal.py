"""What a player by rules of thumb thinks of a situation: odds, dangers, prizes, and how well a unit stands in a hex.

Everything is weighed in figures: a hit on the enemy is worth 1, a medal as much as `MEDAL` figures. Estimates, not odds: they look at what can be
reached, and neither at the cards of the enemy nor beyond the next turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import comb
from typing import Any

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.rules import first_objection
from beachhead_memoir44.attack import attack_dice, hit_faces, target_objections, targets
from beachhead_memoir44.dice import FACES
from beachhead_memoir44.state import EmptySection, State
from beachhead_memoir44.tables import BaseType, Condition, Side, uncovered

MEDAL = 3.0
"""What a medal is worth, in figures."""
DENIED = 0.3
"""The part of a medal that it is worth to stand where the enemy would win it."""


@frozen
class Temper:
    """What a player makes of the same facts."""

    caution: float
    """How likely he takes it to be that an enemy who can strike next turn will."""
    push: float
    """What it is worth to him to be one hex nearer to a prize."""


# ------------------------------------------------------------ good odds
@cache
def harm(dice: int, sides: int, figures: int, medals: int) -> float:
    """What dice may be expected to do to a unit that so many of six sides hit: figures, its medals, and a little for flags.

    >>> round(harm(dice=3, sides=3, figures=1, medals=1), 3), round(harm(dice=3, sides=3, figures=4, medals=1), 3)
    (3.8, 1.8)
    """
    p = sides / 6
    chance = [comb(dice, hits) * p**hits * (1 - p) ** (dice - hits) for hits in range(dice + 1)]
    return (
        sum(min(hits, figures) * c for hits, c in enumerate(chance))
        + MEDAL * medals * sum(chance[figures:])
        + 0.1 * dice
    )


def sides_hit(state: State, target: int) -> int:
    """How many of six sides hit a unit."""
    memo = state.setting.cache("sides hit")
    if target not in memo:
        memo[target] = sum(FACES[face] for face in hit_faces(state, target))
    sides: Any = memo[target]
    return int(sides)


def medals(state: State, unit: int) -> int:
    """The medals that a unit is worth to the enemy."""
    return state.setting.roster[unit].medals if state.troop(unit).medal else 0


def harm_to(state: State, target: int | None, dice: int) -> float:
    """What dice may be expected to do to a unit."""
    if target is None:
        return 0.0
    return harm(max(dice, 0), sides_hit(state, target), state.units[target].figures, medals(state, target))


def odds(state: State, unit: int, hex: Hex) -> float:
    """What an attack of a unit on what stands in a hex may be expected to bring."""
    target = state.unit_at(hex)
    return 0.0 if target is None else harm_to(state, target, attack_dice(state, unit, target).total)


def best_odds(state: State, unit: int) -> float:
    """The best attack that a unit has from where it stands; 0 for none."""
    allowed = (hex for hex in targets(state, unit) if first_objection(target_objections(state, unit, hex)) is None)
    return max((odds(state, unit, hex) for hex in allowed), default=0.0)


# ------------------------------------------------------------ the situation
@frozen
class Situation:
    """The battle as a side sees it when it must decide."""

    state: State
    side: Side
    temper: Temper
    claims: Mapping[Hex, float]
    """What it is worth, for the sake of medals, to stand in a hex."""
    exposed: Mapping[int, frozenset[int]]
    """For each enemy, the own units that it could attack next turn."""

    def danger(self, unit: int, hex: Hex) -> float:
        """What the enemies who can get at a unit in a hex may do to it next turn. Whoever has many targets is less to be feared by each."""
        state, dice = self.state, 0.0
        for enemy, exposed in self.exposed.items():
            shot = dice_after_move(state, enemy, state.place(enemy), unit, hex)
            dice += max(0, shot) / (1 + len(exposed - {unit}))
        return self.temper.caution * dice * sides_hit(state, unit) / 6 * figure_worth(state, unit)

    def pull(self, unit: int, hex: Hex) -> float:
        """What draws a unit that stands in a hex: the prize that is best for its distance, a medal to hold or an enemy to attack."""
        state, base = self.state, self.state.troop(unit).base
        reach = sum(dice > 1 for dice in state.troop(unit).dice) // 2
        free = (goal for goal in self.claims if state.unit_at(goal) in (None, unit, *self.exposed))
        prizes = [self.claims[goal] - self.temper.push * journey(state, base, goal, hex) for goal in free]
        for enemy in self.exposed:
            far = max(0, journey(state, base, state.place(enemy), hex) - reach)
            prizes.append(1.5 + figure_worth(state, enemy) / 2 - self.temper.push * far)
        return max(prizes, default=0.0)

    def standing(self, unit: int, hex: Hex) -> float:
        """How well a unit stands in a hex: for medals, near prizes and friends, out of danger."""
        near = (self.state.unit_at(place) for place in self.state.setting.board.neighbours(hex))
        friends = sum(u is not None and u != unit and u not in self.exposed for u in near)
        return self.claims.get(hex, 0.0) + self.pull(unit, hex) - self.danger(unit, hex) + 0.1 * min(friends, 2)


def survey(state: State, side: Side, temper: Temper) -> Situation:
    """The battle as a side sees it."""
    own = [(unit, state.place(unit)) for unit in state.of(side)]
    exposed = {}
    for enemy in state.of(side.other):
        place, troop = state.place(enemy), state.troop(enemy)
        reach = troop.move_and_battle + len(troop.dice)
        exposed[enemy] = frozenset(unit for unit, hex in own if hex.distance(place) <= reach)
    return Situation(state, side, temper, dict(claims(state, side)), exposed)


def claims(state: State, side: Side) -> Iterator[tuple[Hex, float]]:
    """The hexes where a medal can be won, kept, or kept from the enemy."""
    for what, holder in zip(state.setting.objectives, state.held, strict=True):
        if isinstance(what, EmptySection) or (what.permanent and holder is not None):
            continue
        worth = MEDAL * what.counts_for / what.number
        ours = what.side in (None, side) or holder is side.other
        yield from ((hex, worth if ours else DENIED * worth) for hex in what.hexes)
    for end in state.setting.sudden_death:
        yield from ((hex, MEDAL if end.side is side else DENIED * MEDAL) for hex in end.hexes)


def figure_worth(state: State, unit: int) -> float:
    """A figure of a weak unit is worth more: its medal is lost with the last."""
    return 1 + MEDAL * medals(state, unit) / state.units[unit].figures


def dice_after_move(state: State, unit: int, start: Hex, target: int, hex: Hex) -> int:
    """About how many dice a unit has against a target in a hex, once it has come as near as it may."""
    troop = state.troop(unit)
    distance = max(1, start.distance(hex) - troop.move_and_battle)
    return troop.dice[distance - 1] + cover(state, target, hex, troop.base) if distance <= len(troop.dice) else 0


def cover(state: State, unit: int, hex: Hex, attacker: BaseType) -> int:
    """The dice that a hex may take from attackers of a type, for the sake of a unit in it."""
    owner = state.setting.owners.get(hex) is state.side(unit)
    rows = (row for row in state.rows(hex) if owner or row.protection_when is not Condition.ORIGINAL_OWNER)
    return min((row.protection.get(attacker, 0) for row in rows), default=0)


def journey(state: State, base: BaseType, goal: Hex, start: Hex) -> int:
    """How many hexes it is to a goal for units of a type, whoever may stand in the way: what the scenario alone decides is remembered with it."""
    known: dict[Any, Any] = state.setting.cache("journeys")
    if (base, goal) not in known:
        known[base, goal] = _journeys(state, base, goal)
    length: int = known[base, goal].get(start, 99)
    return length


def _journeys(state: State, base: BaseType, goal: Hex) -> dict[Hex, int]:
    found, edge, board, rows = {goal: 0}, [goal], state.setting.board, state.setting.rows
    while edge:
        nearby = dict.fromkeys(n for hex in edge for n in board.neighbours(hex) if n not in found)
        edge = [n for n in nearby if not any(base in row.impassable_to for row in uncovered(rows.get(n, ())))]
        found.update(dict.fromkeys(edge, max(found.values()) + 1))
    return found
