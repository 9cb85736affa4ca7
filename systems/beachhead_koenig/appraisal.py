"""What a player by rules of thumb thinks of a situation: odds, dangers, goals, and how well a unit stands in a hex.

Everything is weighed in Victory Points. Odds of a single battle are exact; what an enemy may do next, and how much of a goal far away is left when one
gets there, are estimates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, TypeVar

from attrs import field, frozen

from beachhead.hexes import Hex
from beachhead_koenig.attack import Attack, terrain_effects
from beachhead_koenig.beach import Beach, Exit
from beachhead_koenig.ground import terrain
from beachhead_koenig.state import State
from beachhead_koenig.tables import CLOSE_COMBAT, OFF_THE_MAP, Fire, Side
from beachhead_koenig.victory import WORTH

T = TypeVar("T")


@frozen
class Temper:
    """What a player makes of the same facts."""

    caution: float
    """The part of the harm that could come to a unit next turn that he counts on."""
    hunt: float
    """How much the enemy's units draw him, beside the hexes that score."""
    patience: float
    """What is left of a goal for each turn that it is away."""
    nerve: float
    """How much of what a hex is worth he holds against leaving it to the enemy."""


# ------------------------------------------------------------ exact odds
def hit_chance(factor: float) -> float:
    """How likely the target is hit, in an Exchange too (9.0, step 5).

    >>> [round(hit_chance(factor), 2) for factor in (0, 3, 6, 9)]
    [0.0, 0.5, 1.0, 1.0]
    """
    return min(max(factor, 0), 6) / 6


def exchange_chance(factor: int) -> float:
    """How likely the attacker is hit, too."""
    return 1 / 6 if 1 <= factor <= 6 else 0.0


def fire_value(factor: int, gain: float, loss: float) -> float:
    """What a Fire Attack is worth when a Hit is worth `gain`, and the Hit that is taken in an Exchange costs `loss`."""
    return hit_chance(factor) * gain - exchange_chance(factor) * loss


@frozen
class CloseOdds:
    """How a Close Combat ends that both sides fight to the end (10.0): the defender alone hit, both, or the attacker alone.

    >>> close_odds(5, 3)
    CloseOdds(won=0.364, both=0.273, lost=0.364)
    """

    won: float = field(repr="{:.3f}".format)
    both: float = field(repr="{:.3f}".format)
    lost: float = field(repr="{:.3f}".format)


@cache
def close_odds(attacker: int, defender: int) -> CloseOdds:
    """The odds for these Attack Factors; the defender fires first in each round."""
    defended, answered = hit_chance(defender), hit_chance(attacker)
    both_by_defender, both_by_attacker = exchange_chance(defender), exchange_chance(attacker)
    on = 1 - defended
    ended = defended + on * answered
    if not ended:
        return CloseOdds(0.0, 0.0, 0.0)
    both = both_by_defender + on * both_by_attacker
    return CloseOdds(on * (answered - both_by_attacker) / ended, both / ended, (defended - both_by_defender) / ended)


# ------------------------------------------------------------ the forces
@frozen(eq=False)
class Force:
    """A unit on the map as a player counts it."""

    name: str
    side: Side
    hex: Hex
    hits: int
    full: int
    """What it adds to an Attack Factor in Full or Close Fire."""
    mobile: int
    """The same in Mobile Fire."""
    movement: int


def force(state: State, name: str, hex: Hex, hits: int) -> Force:
    """A unit counted as if it stood there with so many Hits."""
    piece = state.setting.piece(name)
    worn = hits > 1
    half = -(-piece.strength // 2)
    return Force(name, piece.side, hex, hits, max(0, piece.strength - worn), max(0, half - worn), piece.movement)


# ------------------------------------------------------------ the map
@frozen(eq=False)
class Lay:
    """What a map is to a player: where points are won, what cover there is, and where one can fire."""

    prizes: Mapping[Hex, int]
    """Victory Points for who stands there at the end."""
    cover: Mapping[Hex, int]
    """What the terrain of a hex adds to an Attack Factor against it."""
    fields: Mapping[Hex, tuple[tuple[Hex, bool], ...]]
    """For each hex the neighbours that can be fired at, and whether a river lies between."""
    ways: Mapping[Hex, Mapping[Hex, int]]
    """For each goal the Movement Points that lead to it from each hex, whoever may stand in the way."""


@lru_cache(maxsize=64)
def lay(beach: Beach) -> Lay:
    """The lay of a map, found once."""
    board = beach.board
    prizes = {hex: max((WORTH[name][0] for name in terrain(beach, hex) if name in WORTH), default=0) for hex in board}
    bare = State(beach, ())
    cover = {hex: terrain_effects(bare, Attack((), hex, Fire.FULL)).total for hex in board}
    features = {(here, there): board.features(here, there) for here in board for there in board.neighbours(here)}
    fields = {
        here: tuple(
            [
                (there, "river" in features[here, there])
                for there in board.neighbours(here)
                if "cliff" not in features[here, there]
            ]
        )
        for here in board
    }
    back: dict[Hex, list[tuple[Hex, int]]] = {}
    for here, steps in beach.steps.items():
        for there, cost in steps:
            back.setdefault(there, []).append((here, cost))
    ways = {hex: _ways(back, hex) for hex in board}
    return Lay({hex: points for hex, points in prizes.items() if points}, cover, fields, ways)


def _ways(back: Mapping[Hex, list[tuple[Hex, int]]], goal: Hex) -> dict[Hex, int]:
    found, waiting = {goal: 0}, [[goal]]
    for spent, hexes in enumerate(waiting):
        for there in hexes:
            if found[there] < spent:
                continue
            for here, cost in back.get(there, ()):
                if found.get(here, spent + cost + 1) > spent + cost:
                    found[here] = spent + cost
                    while len(waiting) <= spent + cost:
                        waiting.append([])
                    waiting[spent + cost].append(here)
    return found


NO_WAY = 99
"""Movement Points to where no way leads."""


@lru_cache(maxsize=64)
def decay(patience: float, movement: int) -> tuple[float, ...]:
    """What is left of a goal that is so many Movement Points away."""
    return tuple([patience ** (cost / movement) for cost in range(NO_WAY + 1)])


@lru_cache(maxsize=8192)
def reached(beach: Beach, here: Hex, full: int, mobile: int, movement: int) -> Mapping[Hex, float]:
    """The strength that an enemy there may bring against each hex next turn: all of it against those beside it, half where it gets beside one in a
    Combined Operation or into Close Combat.
    """
    found: dict[Hex, float] = {}
    for hex, way in lay(beach).ways.items():
        cost = way.get(here, NO_WAY)
        if hex.distance(here) <= 1:
            found[hex] = full
        elif cost <= movement // 2 + 2:
            found[hex] = mobile
        elif cost + CLOSE_COMBAT <= movement:
            found[hex] = full / 2
    return found


@frozen(eq=False)
class Goal:
    """Where there is something to do.

    Attributes:
        worth: in Victory Points; where enemies stand, if they are beaten.
        foe: the enemy there, the stronger of two.
        near: how near is near enough, in Movement Points.
        room: for how many units.
        exit: it is a road off the map, and only for undamaged units.
    """

    hex: Hex
    worth: float
    near: int = 0
    room: int = 1
    exit: bool = False
    foe: Force | None = None


# ------------------------------------------------------------ the situation
@frozen(eq=False)
class Situation:
    """The battle as a side sees it when it must decide."""

    state: State
    side: Side
    temper: Temper
    lay: Lay
    own: Mapping[str, Force]
    foes: Mapping[Hex, tuple[Force, ...]]
    """The enemy's units by their hexes."""
    days: int
    """The Operations Phases that are still to come, this one among them."""
    harms: Mapping[Side, tuple[float, ...]]
    """For the units of each side, by the Hits they have, the Victory Points that one more may be expected to cost."""
    memo: dict[object, Any] = field(factory=dict, repr=False)

    def once(self, what: object, find: Callable[[], T]) -> T:
        """What is asked again and again for one decision, found once."""
        if what not in self.memo:
            self.memo[what] = find()
        found: T = self.memo[what]
        return found

    @property
    def future(self) -> float:
        """How much of the game is to come: 1 at the start, 0 in the last Operations Phase."""
        return future(self.days)

    # -------------------------------------------------------- what a Hit costs
    def harm(self, unit: Force) -> float:
        """The Victory Points that its side may expect to lose by one more Hit on a unit."""
        return self.harms[unit.side][unit.hits]

    # -------------------------------------------------------- what stands in danger
    def danger(self, unit: Force, hex: Hex) -> float:
        """The Victory Points that a unit in a hex may expect to lose until it operates again."""
        return self.temper.caution * self.risk(hex) * self.harms[unit.side][unit.hits]

    def risk(self, hex: Hex) -> float:
        """How likely what stands in a hex is hit next turn, about; who has many targets is less to be feared by each."""
        found: float | None = self.memo.get(hex)
        if found is None:
            strength = sum([share * field.get(hex, 0.0) for share, field in self.once("fields", self._fields)])
            found = self.memo[hex] = hit_chance(strength + self.lay.cover[hex]) if strength else 0.0
        return found

    def _fields(self) -> list[tuple[float, Mapping[Hex, float]]]:
        places = [unit.hex for unit in self.own.values()]
        found: list[tuple[float, Mapping[Hex, float]]] = []
        for foe in [foe for foes in self.foes.values() for foe in foes]:
            field = reached(self.state.setting, foe.hex, foe.full, foe.mobile, foe.movement)
            found.append((max(1, sum([place in field for place in places])) ** -0.5, field))
        return found

    # -------------------------------------------------------- what draws a unit
    def prize(self, hex: Hex) -> float:
        """What it is worth to stand in a hex: its Victory Points, and that the enemy does not have them."""
        points = self.lay.prizes.get(hex, 0)
        return points * (1.6 - 0.7 * self.future) if points else 0.0

    def goals(self) -> list[Goal]:
        """All that there is to do."""
        return self.once("goals", lambda: list(self._goals()))

    def _goals(self) -> Iterator[Goal]:
        allied = self.side is Side.ALLIED
        for hex in self.lay.prizes:
            if hex not in self.foes:
                yield Goal(hex, self.prize(hex))
        for hex, foes in self.foes.items():
            worth = self.temper.hunt * max([self.harm(foe) for foe in foes]) + TAKEN * self.prize(hex)
            yield Goal(hex, worth, near=1, room=3, foe=max(foes, key=lambda foe: foe.full))
        if allied:
            for road in open_exits(self.state):
                yield Goal(road.hex, self.exit_value(), near=-OFF_THE_MAP, exit=True)

    def exit_value(self) -> float:
        """What it is worth to leave the map undamaged: a point that nobody takes back, and a unit less to fight with."""
        return 1.3 - 0.6 * self.future

    def assigned(self) -> Mapping[str, tuple[Goal, float]]:
        """The goal of each unit and what it is worth to it: the nearest and best first, and no more units to one than it needs."""
        return self.once("assigned", self._assigned)

    def _assigned(self) -> dict[str, tuple[Goal, float]]:
        bids, room = list[tuple[float, str, Goal, float]](), dict[Goal, int]()
        for goal in self.goals():
            room[goal] = goal.room
            for unit in self.own.values():
                if (worth := self.worth(unit, goal)) > 0:
                    bids.append((self.left(unit, goal, worth, unit.hex), unit.name, goal, worth))
        bids.sort(key=lambda bid: -bid[0])
        found: dict[str, tuple[Goal, float]] = {}
        for _, name, goal, worth in bids:
            if name not in found and room[goal]:
                room[goal] -= 1
                found[name] = goal, worth
        return found

    def worth(self, unit: Force, goal: Goal) -> float:
        """What a goal is worth to a unit that gets there."""
        if goal.exit and unit.hits:
            return 0.0
        if goal.foe is None:
            return goal.worth
        odds = close_odds(unit.full, goal.foe.full)
        return (odds.won + odds.both) * goal.worth - (odds.lost + odds.both) * self.harm(unit) / 2

    def left(self, unit: Force, goal: Goal, worth: float, hex: Hex) -> float:
        """What is left of a goal for a unit in a hex: less, the further it is, and little if there is no time for it."""
        cost = self.lay.ways[goal.hex].get(hex, NO_WAY) - goal.near
        if cost <= 0:
            return worth
        left = worth * decay(self.temper.patience, unit.movement)[min(cost, NO_WAY)]
        return left if cost <= unit.movement * (self.days - 1) else left * TOO_FAR

    def standing(self, unit: Force, hex: Hex) -> float:
        """How well a unit would stand in a hex: near its goal, on ground that scores, out of danger."""
        found: float | None = self.memo.get((unit, hex))
        if found is None:
            goal = self.assigned().get(unit.name)
            found = self.left(unit, *goal, hex) if goal else 0.0
            if hex in self.lay.prizes and self.free(unit, hex):
                found = max(found, self.prize(hex))
            found = self.memo[unit, hex] = found - self.danger(unit, hex)
        return found

    def free(self, unit: Force, hex: Hex) -> bool:
        """Whether nobody else of this side stands in a hex."""
        roster = self.state.setting.roster
        return all(roster[i].name == unit.name for i in self.state.occupants.get(hex, ()))

    # -------------------------------------------------------- battles
    def bears(self, hex: Hex, target: Hex) -> bool:
        """Whether one can fire at a hex from another."""
        fields = self.lay.fields[hex]
        return (target, False) in fields or (target, True) in fields

    def factor(self, units: Iterable[tuple[int, Hex]], target: Hex) -> int:
        """The Attack Factor of these strengths, each from a hex (9.0, 9.2)."""
        total, river = self.lay.cover[target], True
        for strength, hex in units:
            total += strength
            river = river and (target, True) in self.lay.fields[hex]
        return total - river

    def fire(self, factor: int, target: Hex, own: Iterable[Force]) -> float:
        """What a Fire Attack with this factor is worth, with as much support as pays."""
        gain = max([self.harm(foe) for foe in self.foes[target]])
        loss = min([self.harm(unit) for unit in own])
        price = self.price()
        return max(
            [fire_value(factor + points, gain, loss) - points * price for points in range(self.points(self.side) + 1)]
        )

    def points(self, side: Side) -> int:
        """How much support a side could commit to a battle (9.0)."""
        pool = self.state.support
        return min(1, pool.artillery(side)) + min(2, pool.points(side))

    def price(self) -> float:
        """What a point of support is worth elsewhere: less, the fewer battles are still to come this turn."""
        hqs = self.state.cup.size
        pool = self.state.support
        stock = pool.artillery(self.side) + pool.points(self.side)
        return 0.11 * min(1.0, hqs / (stock + 1))

    def close(self, unit: Force, hex: Hex, entry: Hex | None) -> float:
        """What a Close Combat in a hex is worth to the unit that enters it, beside where it stood before."""
        (foe,) = self.foes[hex]
        hurt, price = self.harm(unit), self.price()
        back = self.standing(unit, entry) if entry is not None else 0.0
        taken = max(self.standing(unit, hex), self.prize(hex) - self.danger(unit, hex))
        held = max(back, self.held(unit, hex)) if unit.hits == 0 else back
        worth: list[float] = []
        for points in range(self.points(self.side) + 1):
            odds = close_odds(unit.full + points, foe.full)
            worth.append(
                odds.won * (self.harm(foe) + taken)
                + odds.both * (self.harm(foe) - hurt + held)
                + odds.lost * (back - hurt)
                + (odds.won + odds.both) * self.prize(hex) / 2
                - points * price
            )
        return max(worth)

    def held(self, unit: Force, hex: Hex) -> float:
        """What it is worth to a unit to take a second Hit and hold a hex (11.2)."""
        once, twice = self.harms[unit.side][1:]
        return self.prize(hex) - once - self.temper.caution * self.risk(hex) * twice


def open_exits(state: State) -> tuple[Exit, ...]:
    """The roads by which a unit may leave, as far as equal numbers go (Juno 13.0)."""
    least = min(state.exits, default=0)
    return tuple([road for road, used in zip(state.setting.exits, state.exits, strict=True) if used == least])


def future(days: int) -> float:
    """How much of the game is to come when there are so many Operations Phases, this one among them."""
    return min(1.0, (days - 1) / 7)


def harms(days: int, nights: int) -> Mapping[Side, tuple[float, ...]]:
    """The Victory Points that a Hit may be expected to cost either side, by the Hits that the unit has (Juno 13.0).

    The first on a German unit costs one, unless a replacement comes; the third on an Allied unit costs one, too. The others wear units down.
    """
    later, alive = future(days), 0.6
    german = (1 - 0.15 * nights, 0.05 + 0.15 * later, alive)
    return {Side.GERMAN: german, Side.ALLIED: (0.05 + 0.2 * later, 0.05 + 0.35 * later, 1 + alive)}


TAKEN = 1.2
"""How much more than an empty hex that scores one is worth that the enemy loses by it, if he is beaten."""
TOO_FAR = 0.15
"""What is left of a goal that cannot be reached in time."""


def survey(state: State, side: Side, temper: Temper) -> Situation:
    """The battle as a side sees it."""
    beach = state.setting
    own, foes = dict[str, Force](), dict[Hex, tuple[Force, ...]]()
    for piece, unit in zip(beach.roster, state.units, strict=True):
        if isinstance(unit.place, Hex):
            counted = force(state, piece.name, unit.place, unit.hits)
            if piece.side is side:
                own[piece.name] = counted
            else:
                foes[unit.place] = (*foes.get(unit.place, ()), counted)
    night = [beach.night(turn) for turn in range(state.turn, beach.last_turn + 1)]
    days, nights = max(1, len(night) - sum(night)), sum(night)
    return Situation(state, side, temper, lay(beach), own, foes, days, harms(days, nights))
