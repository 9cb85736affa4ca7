"""What a player by rules of thumb thinks of a situation: odds, dangers, prizes, and how well a unit stands in a hex.

Everything is weighed in figures: a hit on the enemy is worth 1, a medal as much as `MEDAL` figures. Estimates, not odds: they look at what can be
reached, and neither at the cards of the enemy nor beyond the next turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from math import comb
from typing import Any, TypeVar

from attrs import field, frozen

from beachhead.hexes import Hex
from beachhead.rules import first_objection
from beachhead_memoir44.attack import attack_dice, hit_faces, target_objections, targets
from beachhead_memoir44.dice import FACES
from beachhead_memoir44.state import EmptySection, State
from beachhead_memoir44.tables import BaseType, Condition, Side

T = TypeVar("T")

MEDAL = 3.0
"""What a medal is worth, in figures."""
DENIED = 0.3
"""The part of a medal that it is worth to stand where the enemy would win it."""
NO_WAY = 99
"""Hexes to where no way leads."""


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

    memo: dict[object, Any] = field(factory=dict, eq=False, repr=False)

    def once(self, what: object, find: Callable[[], T]) -> T:
        """What is asked again and again for one decision, found once."""
        if what not in self.memo:
            self.memo[what] = find()
        found: T = self.memo[what]
        return found

    def danger(self, unit: int, hex: Hex) -> float:
        """What the enemies who can get at a unit in a hex may do to it next turn. Whoever has many targets is less to be feared by each."""
        shots = self.once(("shots", hex), lambda: [shot for shot in self._shots(hex) if shot[0] > 0])
        dice = sum(shot / (1 + len(exposed - {unit})) for shot, exposed in shots)
        return self.temper.caution * dice * sides_hit(self.state, unit) / 6 * figure_worth(self.state, unit)

    def _shots(self, hex: Hex) -> Iterator[tuple[int, frozenset[int]]]:
        """About how many dice each enemy has who comes as near to a hex as he may, and whom he could attack as things are."""
        for enemy, exposed in self.exposed.items():
            yield dice_after_move(self.state, enemy, self.state.place(enemy), self.side, hex), exposed

    def pull(self, unit: int, hex: Hex) -> float:
        """What draws a unit that stands in a hex: the prize that is best for its distance, a medal to hold or an enemy to attack."""
        prizes, push = self.once(("prizes", unit), lambda: tuple(self._prizes(unit))), self.temper.push
        return max((worth - push * max(0, way.get(hex, NO_WAY) - near) for worth, way, near in prizes), default=0.0)

    def _prizes(self, unit: int) -> Iterator[tuple[float, Mapping[Hex, int], int]]:
        """What there is to win for a unit: what it is worth, how far it is from anywhere, and how near is near enough."""
        state, troop = self.state, self.state.troop(unit)
        for goal, worth in self.claims.items():
            if state.unit_at(goal) in (None, unit, *self.exposed):
                yield worth, journeys(state, troop.base, goal), 0
        near = sum(dice > 1 for dice in troop.dice) // 2
        for enemy in self.exposed:
            way = journeys(state, troop.base, state.place(enemy))
            yield 1.5 + figure_worth(state, enemy) / 2, way, near

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


def dice_after_move(state: State, unit: int, start: Hex, enemy: Side, hex: Hex) -> int:
    """About how many dice a unit has against an enemy in a hex, once it has come as near as it may."""
    troop = state.troop(unit)
    distance = max(1, start.distance(hex) - troop.move_and_battle)
    return troop.dice[distance - 1] + cover(state, enemy, hex, troop.base) if distance <= len(troop.dice) else 0


def cover(state: State, side: Side, hex: Hex, attacker: BaseType) -> int:
    """The dice that a hex may take from attackers of a type, for the sake of a side's unit in it."""
    owner = state.setting.owners.get(hex) is side
    rows = (row for row in state.rows(hex) if owner or row.protection_when is not Condition.ORIGINAL_OWNER)
    return min((row.protection.get(attacker, 0) for row in rows), default=0)


def journeys(state: State, base: BaseType, goal: Hex) -> Mapping[Hex, int]:
    """How many hexes it is to a goal for units of a type, whoever may stand in the way: the scenario alone decides, and it is remembered there."""
    known: dict[Any, Any] = state.setting.cache("journeys")
    if (base, goal) not in known:
        known[base, goal] = _journeys(state, base, goal)
    found: Mapping[Hex, int] = known[base, goal]
    return found


def _journeys(state: State, base: BaseType, goal: Hex) -> Mapping[Hex, int]:
    found, edge, board, ground = {goal: 0}, [goal], state.setting.board, state.setting.ground(frozenset())
    while edge:
        nearby = dict.fromkeys(n for hex in edge for n in board.neighbours(hex) if n not in found)
        edge = [n for n in nearby if not any(base in row.impassable_to for row in ground.get(n, ()))]
        found.update(dict.fromkeys(edge, max(found.values()) + 1))
    return found
