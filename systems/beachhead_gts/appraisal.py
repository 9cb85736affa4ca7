"""What a player by rules of thumb thinks of a situation: where there is something to win, and how well a unit stands in a hex.

Everything is weighed in Victory Points. How much of a goal far away is left when one gets there is an estimate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import field, frozen

from beachhead.hexes import Hex
from beachhead_gts.charts import HALF
from beachhead_gts.forces import NO_WAY, Force, Ways, decay, lay, ways
from beachhead_gts.gunnery import Gunnery, Temper
from beachhead_gts.state import State
from beachhead_gts.tables import MovementClass, Side


# ------------------------------------------------------------ what there is to do
@frozen(cache_hash=True)
class Goal:
    """Where there is something to do.

    Attributes:
        near: how near is near enough, in half Movement Points.
        room: for how many units.
        afoot: how much of the way to it nobody rides, because enemies are near.
    """

    hex: Hex
    worth: float
    near: int = 0
    room: int = 1
    afoot: int = 0


Bid = tuple[float, int, int]
"""What a goal is worth to a unit, with a minus; the numbers of both."""

TAKEN = 0.2
"""How much of an objective that enemies stand in comes of getting at them."""
SHOT = 0.8
"""How much of a shot that a unit would have next counts for where it stands."""
SHY = 0.15
"""What it costs to be in Column, or on trucks, with enemies near."""
LED = 0.06
"""What it is worth to be In Command."""
TOO_FAR = 0.15
"""What is left of a goal that cannot be reached in time."""
PACE = 1.7
"""How many Actions a unit has in a turn, about."""
THREAT = 9
"""How near an enemy must be to threaten a hex that nobody holds, in hexes."""
CLOSE = 6
"""How near the enemy must be to matter at all, in hexes."""
AFOOT = 24
"""How much of the way to where enemies are nobody rides, in half Movement Points."""
MOUNTED = 0.75
"""What is left of a goal if a unit has to mount before it sets out."""
CROWD = 0.05
"""What it costs those who are in a hex when mass makes fire at them easier, for each point and unit."""
HUNT = 0.5
"""What it is worth to get at the enemy where nothing else is to be done."""


@frozen(eq=False)
class Situation(Gunnery):
    """The battle as a side sees it when it must decide: fire, and what is to be won."""

    bids: dict[int, tuple[object, list[Bid]]] = field(factory=dict, repr=False)
    """What each unit thought of the goals last."""
    distances: dict[Hex, int] = field(factory=dict, repr=False)
    """How far away the nearest enemy is, as long as no enemy moves."""

    # -------------------------------------------------------- what draws a unit
    @property
    def goals(self) -> tuple[Goal, ...]:
        """All that there is to do."""
        return self.once("goals", lambda: tuple(self._goals()))

    def _goals(self) -> Iterator[Goal]:
        state, field = self.state, self.state.setting
        mine, barred = state.deployment.of(self.side), field.barred[self.side]
        for objective, holder in zip(field.objectives, state.held, strict=True):
            bit, points, hex = field.bit[objective.hex], objective.points, objective.hex
            afoot = AFOOT if self.nearest(hex) <= CLOSE else 0
            if holder is self.side:
                if risk := self.risk(hex):
                    worth = self.temper.watch * points * risk * (0.5 if bit & mine else 1.0)
                    yield Goal(hex, worth, near=HALF, room=2, afoot=afoot)
            elif not barred & bit:
                worth = self.temper.drive * points * (2 if holder else 1)
                if bit & self.enemies:
                    yield Goal(hex, TAKEN * worth, near=2 * HALF, room=5, afoot=afoot)
                else:
                    yield Goal(hex, worth, room=2, afoot=afoot)

    def risk(self, hex: Hex) -> float:
        """How likely an enemy comes into a hex if nobody keeps him out, about."""
        return max(0.0, 1 - self.nearest(hex) / THREAT)

    def nearest(self, hex: Hex) -> int:
        """How far away the nearest enemy is, in hexes."""
        found = self.distances.get(hex)
        if found is None:
            places = self.once("enemies", lambda: self.state.setting.board.members(self.enemies))
            found = self.distances[hex] = min([hex.distance(place) for place in places], default=NO_WAY)
        return found

    @property
    def assigned(self) -> Mapping[int, Goal]:
        """The goal of each unit: the nearest and best first, and no more units to one than it needs."""
        return self.once("assigned", self._assigned)

    def _assigned(self) -> Mapping[int, Goal]:
        room, roster = [goal.room for goal in self.goals], self.state.setting.roster
        bids: list[Bid] = []
        for i, unit in enumerate(self.state.units):
            if type(unit.place) is Hex and roster[i].side is self.side:
                bids += self._bids(self.force(i))
        found: dict[int, Goal] = {}
        for _, i, n in sorted(bids):
            if room[n] and i not in found:
                room[n] -= 1
                found[i] = self.goals[n]
        return found

    def _bids(self, unit: Force) -> list[Bid]:
        """What each goal is worth to a unit, for which nothing changes as long as neither does."""
        now = (unit, self.goals, self.turns)
        known = self.bids.get(unit.i)
        if known is None or known[0] != now:
            left = [self.left(unit, goal, unit.hex, column=unit.now.column) for goal in self.goals]
            known = self.bids[unit.i] = now, [(-worth, unit.i, n) for n, worth in enumerate(left) if worth > 0]
        return known[1]

    def ways(self, kind: MovementClass, goal: Hex) -> Ways:
        """The ways to a goal."""
        key = (kind, goal)
        found: Ways | None = self.memo.get(key)
        if found is None:
            found = self.memo[key] = ways(self.state.setting, kind, goal)
        return found

    def left(self, unit: Force, goal: Goal, hex: Hex, *, column: bool) -> float:
        """What is left of a goal for a unit in a hex: less, the further it is, and little if there is no time for it."""
        if goal.near and hex.distance(goal.hex) <= unit.gun:
            return goal.worth
        if unit.points:
            way = self.ways(unit.kind, goal.hex)[column].get(hex, NO_WAY)
            found = self._left(goal, way, unit.points, unit.foot if unit.now.mounted else 0)
        else:
            found = goal.worth if hex == goal.hex else 0.0
        if unit.ride is not None:
            kind, points = unit.ride
            way = self.ways(kind, goal.hex)[column].get(hex, NO_WAY)
            found = max(found, MOUNTED * self._left(goal, way, points, unit.foot))
        return found

    def _left(self, goal: Goal, way: int, points: int, foot: int = 0) -> float:
        more = way - goal.near
        if more <= 0:
            return goal.worth
        if way >= NO_WAY:
            return 0.0
        walked = min(more, goal.afoot) if foot else 0
        left, actions = goal.worth * self.decay(points)[more - walked], (more - walked) / points
        if walked:
            left, actions = left * self.decay(foot)[walked], actions + walked / foot
        return left if actions <= PACE * self.turns else left * TOO_FAR

    def decay(self, points: int) -> tuple[float, ...]:
        """What is left of a goal for a unit with such an allowance, by the way to it."""
        found: tuple[float, ...] | None = self.memo.get(("decay", points))
        if found is None:
            found = self.memo["decay", points] = decay(self.temper.patience, points)
        return found

    def pull(self, unit: Force, hex: Hex, *, column: bool) -> float:
        """How well a unit in a hex stands for what it has to do."""
        goal = self.assigned.get(unit.i)
        if goal is not None:
            return self.left(unit, goal, hex, column=column)
        return self.hunt(unit, hex)

    def hunt(self, unit: Force, hex: Hex) -> float:
        """What is left of getting at the nearest enemy."""
        actions = max(0, self.nearest(hex) - unit.reach) * 2 * HALF / (unit.points or 10)
        left: float = self.temper.patience**actions
        return HUNT * self.temper.drive * left

    def hold(self, unit: Force, hex: Hex) -> float:
        """What hangs on a unit that stands in a hex: an objective that an enemy could walk into."""
        n = self.lay.prizes.get(hex)
        if n is None or self.state.held[n] is not self.side:
            return 0.0
        alone = all(i == unit.i for i in self.state.numbers_at(hex))
        return self.temper.watch * self.state.setting.objectives[n].points * self.risk(hex) * (2 if alone else 0.5)

    def errand(self, unit: Force, hex: Hex, *, column: bool) -> float:
        """What a unit in a hex does for what is to be won: nearer to its goal, or holding what it stands on."""
        pull = self.pull(unit, hex, column=column)
        return max(pull, self.hold(unit, hex)) if hex in self.lay.prizes else pull

    def standing(self, unit: Force, hex: Hex, *, column: bool) -> float:
        """How well a unit would stand in a hex: for its errand, with somebody to fire at, out of danger, In Command."""
        key = ("standing", unit, hex, column)
        found: float | None = self.memo.get(key)
        if found is None:
            found = self.errand(unit, hex, column=column)
            if self.led(unit, hex):
                found += LED
            if self.state.setting.board.within_mask(hex, CLOSE) & self.enemies:
                found += SHOT * self.best_shot(unit, hex, column=column) - self.danger(unit, hex, column=column)
                found -= SHY if column else 0.02 * self.lay.ground[hex][unit.armored]
                if unit.now.mounted and unit.fire is None:
                    found -= SHY
                others = [i for i in self.state.deployment.at.get(hex, ()) if i != unit.i]
                if others:
                    found -= CROWD * len(others) * self.mass(hex, 0 if hex == unit.hex else unit.steps)
            self.memo[key] = found
        return found

    def led(self, unit: Force, hex: Hex) -> bool:
        """Whether a unit in a hex is within the range of a Leader of its Formation, or of its Division for an independent one."""
        field = self.state.setting
        for j in field.leaders_of[unit.piece.formation or unit.piece.division]:
            place = self.state.leaders[j]
            if type(place) is Hex and place.distance(hex) <= field.leaders[j].range:
                return True
        return False

    # -------------------------------------------------------- Command Points
    def price(self, division: str) -> float:
        """What a Command Point is worth elsewhere: less, the more there are, and little at the end."""
        held = self.state.division_points(division).command
        last = 0.3 if self.last else 1.0
        return self.temper.thrift * last * 4 / (2 + held)


# ------------------------------------------------------------ the survey
_latest: dict[tuple[str, Side, Temper], Situation] = {}
"""The situation that was surveyed last: what was found then is still true of whatever has not changed on the map."""


def survey(state: State, side: Side, temper: Temper) -> Situation:
    """The battle as a side sees it."""
    key, field = (state.setting.key, side, temper), state.setting
    known = _latest.get(key)
    if known is None or known.state.setting is not field:
        _latest.clear()
        known = Situation(state, side, temper, lay(field), 0.0, 0)
    turns, enemies = field.last_turn - state.turn + 0.5, state.deployment.of(side.enemy)
    distances = known.distances if known.enemies == enemies else {}
    memo = known.memo if _alike(known.state, state) else {}
    found = Situation(state, side, temper, known.lay, turns, enemies, memo, known.forces, known.bids, distances)
    _latest[key] = found
    return found


def _alike(before: State, state: State) -> bool:
    """Whether nothing has changed on the map."""
    return (
        before.units is state.units
        and before.leaders == state.leaders
        and (before.turn, before.weather, before.held) == (state.turn, state.weather, state.held)
    )
