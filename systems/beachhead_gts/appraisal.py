"""What a player by rules of thumb thinks of a situation: what fire may do, what stands in danger, where there is something to win.

Everything is weighed in Victory Points. The expected effect of a single shot is exact; what an enemy may do next, and how much of a goal far
away is left when one gets there, are estimates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from attrs import field, frozen

from beachhead.hexes import Hex
from beachhead.values import changed
from beachhead_gts import zones
from beachhead_gts.charts import HALF
from beachhead_gts.forces import NO_WAY, Force, Lay, Losses, Ways, decay, expected, force, last_crossed, lay, ways
from beachhead_gts.quality import Check, troop_quality
from beachhead_gts.rating import Occasion
from beachhead_gts.sight import ORDINARY, STRONGPOINT, sight_limit, sightlines
from beachhead_gts.state import State, steps_left
from beachhead_gts.tables import MOST_COHESION, STACKING_LIMIT, Cover, MovementClass, Side, Weather

T = TypeVar("T")


@frozen
class Temper:
    """What a player makes of the same facts."""

    caution: float
    """The part of the harm that enemy fire could do to a unit that he counts on."""
    drive: float
    """How much the objectives that he does not hold draw him."""
    watch: float
    """How much those draw him that he holds and could lose."""
    thrift: float
    """How dear Command Points are to him."""
    reserve: int
    """Command Points that a Division keeps when it buys Dispatch Points."""
    patience: float = 0.8
    """What is left of a goal for each Action that it is away."""


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
USE = 0.6
"""What a Step is worth for what it may still do, at the start, in Victory Points."""
HIT = 0.15
"""What the first Cohesion Hit costs a unit's owner."""
WORN = 0.05
"""How much more the second does."""
STUNNED = 0.2
"""What a Suppression costs at least: the Action that it takes to rally."""
STAKE = 0.15
"""How much of an objective hangs on the unit that holds it."""
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
class Situation:
    """The battle as a side sees it when it must decide. `memo` depends on who stands where, and on nothing else."""

    state: State
    side: Side
    temper: Temper
    lay: Lay
    turns: float
    """How many turns are still to come, with about half of this one."""
    enemies: int
    """The hexes that enemies stand in."""
    forces: dict[int, Force] = field(factory=dict, repr=False)
    bids: dict[int, tuple[object, list[Bid]]] = field(factory=dict, repr=False)
    memo: dict[object, Any] = field(factory=dict, repr=False)

    def once(self, what: object, find: Callable[[], T]) -> T:
        """What is asked again and again while nothing changes on the map, found once."""
        if what not in self.memo:
            self.memo[what] = find()
        found: T = self.memo[what]
        return found

    # -------------------------------------------------------- time
    @property
    def last(self) -> bool:
        """Whether it is the last turn."""
        return self.state.turn == self.state.setting.last_turn

    @property
    def future(self) -> float:
        """How much of the game is to come: 1 until shortly before the end."""
        return min(1.0, self.turns / 3)

    # -------------------------------------------------------- the forces
    def force(self, i: int) -> Force:
        """The unit with this number."""
        now, found = self.state.units[i], self.forces.get(i)
        if found is None or found.now is not now:
            found = self.forces[i] = force(self.state, i, now)
        return found

    def unit(self, name: str) -> Force:
        """The unit of this name."""
        return self.force(self.state.setting.number[name])

    def other_side(self, unit: Force) -> Force:
        """The same unit if it were on its vehicles, or off them."""
        now = changed(unit.now, mounted=not unit.now.mounted)
        return self.once(("other side", unit), lambda: force(self.state, unit.i, now))

    def passing(self, unit: Force) -> float:
        """How likely a unit passes a Troop Quality Check."""
        key = ("passing", unit)
        found: float | None = self.memo.get(key)
        if found is None:
            found = self.memo[key] = Check(troop_quality(self.state, unit.name).total).passing / 10
        return found

    def worth(self, unit: Force) -> float:
        """What its owner loses if a unit is eliminated."""
        field = self.state.setting
        found = field.elimination_points + USE * unit.steps * self.future
        n = self.lay.prizes.get(unit.hex)
        if n is not None and self.state.held[n] is unit.side:
            found += STAKE * 2 * field.objectives[n].points / len(self.state.numbers_at(unit.hex))
        return found

    def losses(self, unit: Force) -> Losses:
        """What each result costs the owner of a unit."""
        key = ("losses", unit)
        found: Losses | None = self.memo.get(key)
        if found is None:
            now, whole = unit.now, self.worth(unit)
            step = whole if unit.steps < 2 else 0.45 * whole
            cohesion = HIT + WORN * now.cohesion
            if unit.piece.steps == 0 or now.cohesion == MOST_COHESION:
                cohesion = step
            suppressed = cohesion if now.suppressed else STUNNED + 0.1 * whole
            found = ((1 - self.passing(unit)) * suppressed, suppressed, cohesion, step, whole)
            self.memo[key] = found
        return found

    # -------------------------------------------------------- shots
    @property
    def light(self) -> int:
        """What night and weather do to every Fire Rating (15.6)."""
        return self.once("light", self._light)

    def _light(self) -> int:
        chart, state = self.state.setting.charts.figures["weather"], self.state
        dark = chart["night"] if state.night else 0
        return dark + (chart[state.weather.value] if state.weather is not Weather.CLEAR else 0)

    def rating(
        self, firer: Force, here: Hex, target: Force, there: Hex, *, column: bool, occasion: Occasion = Occasion.ACTION
    ) -> int:
        """The Fire Rating of a shot, as `fire_rating` has it, if firer and target stood there (15.6, 17.6)."""
        assert firer.fire is not None
        figures, at_home = self.state.setting.charts.figures, there == target.hex
        distance, column = here.distance(there), column or occasion is Occasion.COLUMN
        total = firer.fire + self.light + target.defense + self.mass(there, 0 if at_home else target.steps)
        if distance > 1:
            far = "armored far" if distance >= firer.far else "armored near"
            total += figures["range"][far] if target.armored else 1 - distance
        ground = self.lay.ground[there][target.armored]
        total += 0 if column and ground < 0 else ground
        if there in self.lay.sides and (across := last_crossed(there - here)):
            change = self.lay.sides[there].get(there + across, (0, 0))[target.armored]
            total += 0 if column and change < 0 else change
        if column:
            total += figures["column"]["defense"]
        if at_home and target.now.cover is Cover.IMPROVED and not occasion.uncovers:
            total += figures["improved position"]["defense"]
        elif at_home and target.now.cover is Cover.ENTRENCHED and occasion is not Occasion.ENTRENCHMENT:
            total += figures["entrenchment"]["defense"]
        if occasion is not Occasion.ACTION:
            total += figures["opportunity"][
                "into no Fire Zone" if occasion is Occasion.INTO_NO_ZONE else "into a Fire Zone"
            ]
        return total

    def mass(self, hex: Hex, more: int) -> int:
        """The modifier for the Steps in a hex, and so many more (15.6)."""
        inside = self.state.deployment.at.get(hex)
        if inside:
            roster, units = self.state.setting.roster, self.state.units
            more += sum([steps_left(roster[i], units[i]) for i in inside])
        return self.lay.mass[min(more, STACKING_LIMIT)]

    def effect(self, firer: Force, target: Force, rating: int) -> float:
        """What a shot with this Fire Rating is expected to cost the target's owner."""
        return expected(self.lay.odds[firer.line, target.resolved], rating, self.losses(target))

    def shot(self, firer: Force, target: Force, here: Hex | None = None) -> float:
        """What Direct Fire at a unit is worth, from where the firer stands or from elsewhere, the Company Bonus included."""
        if firer.fire is None:
            return 0.0
        rating = self.rating(firer, here or firer.hex, target, target.hex, column=target.now.column)
        plain = self.effect(firer, target, rating)
        if firer.piece.steps < 2 or firer.now.losses:
            return plain
        bonus = self.state.setting.charts.figures["company"]["bonus"]
        passing = self.passing(firer)
        return passing * self.effect(firer, target, rating + bonus) + (1 - passing) * plain

    def best_shot(self, firer: Force, hex: Hex, *, column: bool = False) -> float:
        """What the best Direct Fire of a unit would be worth from a hex; 0 for none."""
        if firer.fire is None:
            return 0.0
        key = ("shot", firer, hex)
        found: float | None = self.memo.get(key)
        if found is None:
            state, board, there = self.state, self.state.setting.board, self.state.deployment
            near = board.neighbour_mask(hex) & self.enemies
            seen = near or self.seen(hex, firer.reach) & self.enemies
            targets = [j for place in board.members(seen) for j in there.at[place] if not state.units[j].entering]
            found = max([self.shot(firer, self.force(j), hex) for j in targets], default=0.0)
            self.memo[key] = found
        return found * 0.7 if column else found

    def seen(self, hex: Hex, reach: int) -> int:
        """The hexes that one could fire at from a hex."""
        state = self.state
        place = STRONGPOINT if hex in state.setting.strongpoints else ORDINARY
        return sightlines(state.setting, state.barrages).seen(hex, min(reach, sight_limit(state)), place.past)

    # -------------------------------------------------------- what stands in danger
    @property
    def guns(self) -> list[tuple[int, Force, float]]:
        """The enemies with Fire Zones, and how likely each turns on one target of those that it has, about."""
        return self.once("guns", self._guns)

    def _guns(self) -> list[tuple[int, Force, float]]:
        found, mine = list[tuple[int, Force, float]](), self.state.deployment.of(self.side)
        for i, zone in enumerate(zones.coverage(self.state, self.side.enemy).zones):
            if zone and (unit := self.force(i)).fire is not None:
                found.append((zone, unit, max(1, (zone & mine).bit_count()) ** -0.5))
        return found

    def covering(self, hex: Hex) -> list[tuple[Force, float]]:
        """Those of them that cover a hex."""
        found: list[tuple[Force, float]] | None = self.memo.get(("guns", hex))
        if found is None:
            bit = self.state.setting.bit[hex]
            found = self.memo["guns", hex] = [(gun, share) for zone, gun, share in self.guns if zone & bit]
        return found

    def danger(self, unit: Force, hex: Hex, *, column: bool) -> float:
        """What a unit in a hex may expect to lose until it acts again."""
        guns = self.covering(hex)
        if not guns:
            return 0.0
        harm = [
            share * self.effect(gun, unit, self.rating(gun, gun.hex, unit, hex, column=column)) for gun, share in guns
        ]
        return self.temper.caution * min(sum(harm), self.worth(unit))

    def reaction(self, unit: Force, hex: Hex, occasion: Occasion, *, column: bool) -> float:
        """What Opportunity Fire at a unit that does something in a hex may cost it (17.0)."""
        guns = self.covering(hex)
        if not guns:
            return 0.0
        key = (unit, hex, occasion, column)
        found: float | None = self.memo.get(key)
        if found is None:
            harm = [
                self.passing(gun)
                * self.effect(gun, unit, self.rating(gun, gun.hex, unit, hex, column=column, occasion=occasion))
                for gun, _ in guns
            ]
            found = self.memo[key] = min(sum(harm), self.worth(unit))
        return found

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
        found: int | None = self.memo.get(("nearest", hex))
        if found is None:
            places = self.once("enemies", lambda: self.state.setting.board.members(self.enemies))
            found = self.memo["nearest", hex] = min([hex.distance(place) for place in places], default=NO_WAY)
        return found

    @property
    def assigned(self) -> Mapping[int, Goal]:
        """The goal of each unit: the nearest and best first, and no more units to one than it needs."""
        return self.once("assigned", self._assigned)

    def _assigned(self) -> Mapping[int, Goal]:
        room, roster = [goal.room for goal in self.goals], self.state.setting.roster
        bids = list[Bid]()
        for i, unit in enumerate(self.state.units):
            if type(unit.place) is Hex and roster[i].side is self.side:
                bids += self._bids(self.force(i))
        found = dict[int, Goal]()
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
    memo = known.memo if _alike(known.state, state) else {}
    found = _latest[key] = Situation(state, side, temper, known.lay, turns, enemies, known.forces, known.bids, memo)
    return found


def _alike(before: State, state: State) -> bool:
    """Whether nothing has changed on the map."""
    return (
        before.units is state.units
        and before.leaders == state.leaders
        and (before.turn, before.weather, before.held) == (state.turn, state.weather, state.held)
    )
