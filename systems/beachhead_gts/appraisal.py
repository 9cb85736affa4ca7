"""What a player by rules of thumb thinks of a situation: what fire may do, what stands in danger, where there is something to win.

Everything is weighed in Victory Points. The expected effect of a single shot is exact; what an enemy may do next, and how much of a goal far
away is left when one gets there, are estimates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from attrs import field, frozen

from beachhead.hexes import Hex
from beachhead.sight import Crossed, line
from beachhead.values import changed
from beachhead_gts import zones
from beachhead_gts.battlefield import NO, STAR, Battlefield, Face, Piece
from beachhead_gts.charts import HALF
from beachhead_gts.ground import steps
from beachhead_gts.quality import Check, troop_quality
from beachhead_gts.rating import Occasion, own_range
from beachhead_gts.sight import ORDINARY, STRONGPOINT, sight_limit, sightlines
from beachhead_gts.state import State, Unit, face, steps_left
from beachhead_gts.tables import (
    ARTILLERY_ZONE,
    MOST_COHESION,
    STACKING_LIMIT,
    Cover,
    MovementClass,
    Result,
    Side,
    WeaponClass,
    Weather,
)

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


# ------------------------------------------------------------ the Combat Results Table
HARM = (Result.POSSIBLE_SUPPRESSION, Result.SUPPRESSION, Result.COHESION_HIT, Result.STEP_LOSS, Result.ELIMINATION)
Losses = tuple[float, float, float, float, float]
"""What each of these results costs the owner of a unit, in Victory Points."""
Odds = tuple[tuple[int, int, int, int, int], ...]
"""For the Fire Ratings 0 to 8, how many faces of the die give each of these results."""


def odds(results: Sequence[Result]) -> Odds:
    """How many faces of the die give each result, by the Fire Rating (15.5)."""
    hits = [tuple([results[: rating + 1].count(result) for result in HARM]) for rating in range(len(results))]
    return tuple(hits)  # type: ignore[arg-type]


def expected(table: Odds, rating: int, losses: Losses) -> float:
    """What a shot is expected to cost the target's owner. A 0 always hits, a 9 never (15.5)."""
    possible, suppressed, cohesion, step, gone = table[0 if rating < 0 else min(rating, 8)]
    a, b, c, d, e = losses
    return (possible * a + suppressed * b + cohesion * c + step * d + gone * e) / 10


# ------------------------------------------------------------ the forces
@frozen(eq=False)
class Force:
    """A unit on the map as a player counts it.

    Attributes:
        i: its number.
        fire: its Fire Rating with all that it adds itself; None where it has nothing to fire with.
        reach: its Fire Range; `near_far` is where the modifier against armor changes.
        line: the line of the Combat Results Table that it fires on.
        armored: whether range and terrain count for it as for an Armored target; `resolved` the same for the table.
        defense: what it adds to fire at it by itself, its markers apart.
        kind: what terrain costs it.
        points: its Movement Allowance, in half Movement Points; 0 if it cannot move.
    """

    i: int
    name: str
    side: Side
    hex: Hex
    piece: Piece
    now: Unit
    steps: int
    fire: int | None
    reach: int
    near_far: int
    line: WeaponClass
    armored: bool
    resolved: bool
    defense: int
    kind: MovementClass
    points: int


def force(state: State, i: int, now: Unit) -> Force:
    """The unit with this number, on the map with these markers."""
    field = state.setting
    piece = field.roster[i]
    assert type(now.place) is Hex
    side, figures = face(piece, now), field.charts.figures
    fire = side.fire
    if now.suppressed or now.entering or side.weapon is WeaponClass.MORTAR:
        fire = NO
    if type(fire) is int:
        if now.cohesion:
            marker = "two cohesion hits" if now.cohesion == MOST_COHESION else "one cohesion hit"
            fire += figures[marker]["fire"]
        if now.losses and (now.mounted or piece.reduced is None):
            fire += figures["step loss"]["fire"]
        if now.cover is Cover.ENTRENCHED:
            fire += figures["entrenchment"]["fire"]
        if now.column:
            fire += figures["column"]["fire"]
    dug_in = now.cover is Cover.ENTRENCHED and field.choice("entrenched") == "armored"
    return Force(
        i,
        piece.name,
        piece.side,
        now.place,
        piece,
        now,
        steps_left(piece, now),
        fire if type(fire) is int else None,
        _reach(side),
        own_range(state, side),
        WeaponClass.DIRECT_HE if side.weapon.artillery else side.weapon,
        side.armored,
        side.armored or dug_in,
        side.defense,
        *_movement(side, now),
    )


def _reach(side: Face) -> int:
    reach = side.fire_range if type(side.fire_range) is int else 1
    return min(reach, ARTILLERY_ZONE) if side.weapon.artillery else reach


def _movement(side: Face, now: Unit) -> tuple[MovementClass, int]:
    if side.movement is STAR:
        return MovementClass.LEG, 0
    free = type(side.movement) is int and now.cover is not Cover.ENTRENCHED
    return side.movement_class, side.movement * HALF if free and type(side.movement) is int else 0


# ------------------------------------------------------------ the map
NO_WAY = 999
"""Half Movement Points to where no way leads."""


@frozen(eq=False)
class Lay:
    """What a battlefield is to a player.

    Attributes:
        odds: the Combat Results Table, for each weapon, against armor or not.
        ground: for each hex the modifiers for fire at units in it, unarmored and armored.
        sides: whether any hexside changes fire across it.
        mass: the modifier for mass, by Steps.
    """

    odds: Mapping[tuple[WeaponClass, bool], Odds]
    ground: Mapping[Hex, tuple[int, int]]
    sides: bool
    mass: tuple[int, ...]


@lru_cache(maxsize=64)
def lay(battlefield: Battlefield) -> Lay:
    """The lay of a battlefield, found once."""
    charts, board = battlefield.charts, battlefield.board
    ground = dict[Hex, tuple[int, int]]()
    for hex in board:
        rows = [charts.terrain[name] for name in board.terrain.get(hex, ("clear",))]
        ground[hex] = sum([row.fire for row in rows]), sum([row.fire_armored for row in rows])
    return Lay(
        {key: odds(row.results) for key, row in charts.results.items()},
        ground,
        any(charts.hexsides[name].fire or charts.hexsides[name].fire_armored for name in charts.hexsides),
        tuple([charts.figures["mass"][str(n)] for n in range(STACKING_LIMIT + 1)]),
    )


@lru_cache(maxsize=1024)
def ways(battlefield: Battlefield, kind: MovementClass, goal: Hex) -> tuple[Mapping[Hex, int], Mapping[Hex, int]]:
    """The half Movement Points that lead to a hex from each, whoever may stand in the way: for a unit out of Column, and for one in Column."""
    back = [_back(battlefield, kind, column) for column in (False, True)]
    found: tuple[dict[Hex, int], dict[Hex, int]] = ({goal: 0}, {goal: HALF})
    waiting: list[list[tuple[Hex, int]]] = [[(goal, 0)], [], [(goal, 1)]]
    for spent, places in enumerate(waiting):
        for there, column in places:
            if found[column][there] < spent:
                continue
            near = [(here, column, spent + cost) for here, cost in back[column].get(there, ())]
            for here, mode, total in (*near, (there, 1 - column, spent + HALF)):
                if found[mode].get(here, NO_WAY) > total:
                    found[mode][here] = total
                    while len(waiting) <= total:
                        waiting.append([])
                    waiting[total].append((here, mode))
    return found


@lru_cache(maxsize=64)
def _back(battlefield: Battlefield, kind: MovementClass, column: bool) -> Mapping[Hex, Sequence[tuple[Hex, int]]]:
    """For each hex, from where and at what cost one steps into it."""
    back = dict[Hex, list[tuple[Hex, int]]]()
    for here, near in steps(battlefield, kind, column).items():
        for there, cost, _ in near:
            back.setdefault(there, []).append((here, cost))
    return back


# ------------------------------------------------------------ what there is to do
@frozen(eq=False)
class Goal:
    """Where there is something to do: `near` is how near is near enough, in half Movement Points, `room` for how many units."""

    hex: Hex
    worth: float
    near: int = 0
    room: int = 1


TAKEN = 0.35
"""How much of an objective that enemies stand in comes of getting at them."""
USE = 0.6
"""What a Step is worth for what it may still do, at the start, in Victory Points."""
STAKE = 0.3
"""How much of an objective hangs on the unit that holds it."""
SHOT = 0.5
"""How much of a shot that a unit would have next counts for where it stands."""
SHY = 0.15
"""What it costs to be in Column with enemies near."""
LED = 0.06
"""What it is worth to be In Command."""
TOO_FAR = 0.15
"""What is left of a goal that cannot be reached in time."""
PACE = 1.7
"""How many Actions a unit has in a turn, about."""
HUNT = 0.5
"""What it is worth to get at the enemy where nothing else is to be done."""


@frozen(eq=False)
class Situation:
    """The battle as a side sees it when it must decide. `memo` depends on who stands where, and on nothing else."""

    state: State
    side: Side
    temper: Temper
    lay: Lay
    memo: dict[object, Any] = field(factory=dict, repr=False)

    def once(self, what: object, find: Callable[[], T]) -> T:
        """What is asked again and again while nothing changes on the map, found once."""
        if what not in self.memo:
            self.memo[what] = find()
        found: T = self.memo[what]
        return found

    # -------------------------------------------------------- time
    @property
    def turns(self) -> float:
        """How many turns are still to come, with about half of this one."""
        return self.state.setting.last_turn - self.state.turn + 0.5

    @property
    def future(self) -> float:
        """How much of the game is to come: 1 until shortly before the end."""
        return min(1.0, self.turns / 3)

    # -------------------------------------------------------- the forces
    def force(self, i: int) -> Force:
        """The unit with this number."""
        found: Force | None = self.memo.get(i)
        if found is None:
            found = self.memo[i] = force(self.state, i, self.state.units[i])
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
        for objective, holder in zip(field.objectives, self.state.held, strict=True):
            if objective.hex == unit.hex and holder is unit.side:
                found += STAKE * 2 * objective.points / len(self.state.numbers_at(unit.hex))
        return found

    def losses(self, unit: Force) -> Losses:
        """What each result costs the owner of a unit."""
        key = ("losses", unit)
        found: Losses | None = self.memo.get(key)
        if found is None:
            now, whole = unit.now, self.worth(unit)
            step = whole if unit.steps < 2 else 0.45 * whole
            cohesion = (
                whole
                if unit.piece.steps == 0
                else step
                if now.cohesion == MOST_COHESION
                else 0.15 + 0.05 * now.cohesion
            )
            suppressed = cohesion if now.suppressed else 0.12 + 0.1 * whole
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
            far = "armored far" if distance >= firer.near_far else "armored near"
            total += figures["range"][far] if target.armored else 1 - distance
        ground = self.lay.ground[there][target.armored]
        total += 0 if column and ground < 0 else ground
        if self.lay.sides:
            across = self._across(here, there, armored=target.armored)
            total += 0 if column and across < 0 else across
        if column:
            total += figures["column"]["defense"]
        if at_home and target.now.cover is Cover.IMPROVED and not occasion.moves:
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
        steps = self.memo.get(("steps", hex))
        if steps is None:
            roster, units = self.state.setting.roster, self.state.units
            steps = sum([steps_left(roster[i], units[i]) for i in self.state.numbers_at(hex)])
            self.memo["steps", hex] = steps
        return self.lay.mass[min(steps + more, STACKING_LIMIT)]

    def _across(self, here: Hex, there: Hex, *, armored: bool) -> int:
        last = line(here, there).steps[-2]
        if not isinstance(last, Crossed):
            return 0
        charts, board = self.state.setting.charts, self.state.setting.board
        rows = [charts.hexsides[name] for name in board.features(*last.hexside)]  # type: ignore[misc]
        return sum([row.fire_armored if armored else row.fire for row in rows])

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

    @property
    def enemies(self) -> int:
        """The hexes that enemies stand in."""
        return self.state.deployment.of(self.side.enemy)

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
    def goals(self) -> list[Goal]:
        """All that there is to do."""
        return self.once("goals", lambda: list(self._goals()))

    def _goals(self) -> Iterator[Goal]:
        state, field = self.state, self.state.setting
        mine, barred = state.deployment.of(self.side), field.barred[self.side]
        for objective, holder in zip(field.objectives, state.held, strict=True):
            bit, points, hex = field.bit[objective.hex], objective.points, objective.hex
            if holder is self.side:
                if risk := self.risk(hex):
                    yield Goal(hex, self.temper.watch * points * risk * (0.5 if bit & mine else 1.0), HALF, 2)
            elif not barred & bit:
                worth = self.temper.drive * points * (2 if holder else 1)
                yield Goal(hex, TAKEN * worth, 2 * HALF, 5) if bit & self.enemies else Goal(hex, worth, 0, 2)

    def risk(self, hex: Hex) -> float:
        """How likely an enemy comes into a hex if nobody keeps him out, about."""
        board, far = self.state.setting.board, 9
        found: float | None = self.memo.get(("risk", hex))
        if found is None:
            near = (n for n in range(1, far) if board.within_mask(hex, n) & self.enemies)
            found = self.memo["risk", hex] = 1 - next(near, far) / far
        return found

    @property
    def assigned(self) -> Mapping[int, Goal]:
        """The goal of each unit: the nearest and best first, and no more units to one than it needs."""
        return self.once("assigned", self._assigned)

    def _assigned(self) -> Mapping[int, Goal]:
        bids, room = list[tuple[float, int, Goal]](), {goal: goal.room for goal in self.goals}
        for i, unit in enumerate(self.state.units):
            if type(unit.place) is Hex and self.state.setting.roster[i].side is self.side:
                own = self.force(i)
                bids += [(self.left(own, goal, own.hex, column=unit.column), i, goal) for goal in self.goals]
        bids.sort(key=lambda bid: -bid[0])
        found = dict[int, Goal]()
        for worth, i, goal in bids:
            if i not in found and room[goal] and worth > 0:
                room[goal] -= 1
                found[i] = goal
        return found

    def left(self, unit: Force, goal: Goal, hex: Hex, *, column: bool) -> float:
        """What is left of a goal for a unit in a hex: less, the further it is, and little if there is no time for it."""
        found = 0.0
        if unit.points:
            found = self._left(
                goal, ways(self.state.setting, unit.kind, goal.hex)[column].get(hex, NO_WAY), unit.points
            )
        elif hex == goal.hex:
            found = goal.worth
        vehicle = unit.piece.transport
        if vehicle is not None and not unit.now.mounted and type(vehicle.movement) is int:
            way = ways(self.state.setting, vehicle.movement_class, goal.hex)[column].get(hex, NO_WAY)
            found = max(found, self._left(goal, way, vehicle.movement * HALF, before=1.5))
        return found

    def _left(self, goal: Goal, way: int, points: int, before: float = 0.0) -> float:
        if way <= goal.near:
            return goal.worth
        if way >= NO_WAY:
            return 0.0
        actions = (way - goal.near) / points + before
        left = goal.worth * self.temper.patience**actions
        return left if actions <= PACE * self.turns else left * TOO_FAR

    def pull(self, unit: Force, hex: Hex, *, column: bool) -> float:
        """How well a unit in a hex stands for what it has to do."""
        goal = self.assigned.get(unit.i)
        if goal is not None:
            return self.left(unit, goal, hex, column=column)
        return self.hunt(unit, hex)

    def hunt(self, unit: Force, hex: Hex) -> float:
        """What is left of getting at the nearest enemy."""
        key = ("far", hex)
        far: int | None = self.memo.get(key)
        if far is None:
            board, enemies = self.state.setting.board, self.enemies
            far = next((n for n in range(1, 20) if board.within_mask(hex, n) & enemies), 20)
            self.memo[key] = far
        actions = max(0, far - unit.reach) * 2 * HALF / (unit.points or 10)
        return HUNT * self.temper.drive * self.temper.patience**actions

    def hold(self, unit: Force, hex: Hex) -> float:
        """What hangs on a unit that stands in a hex: an objective that an enemy could walk into."""
        field, found = self.state.setting, 0.0
        for objective, holder in zip(field.objectives, self.state.held, strict=True):
            if objective.hex == hex and holder is self.side:
                alone = all(i == unit.i for i in self.state.numbers_at(hex))
                found = self.temper.watch * objective.points * self.risk(hex) * (2 if alone else 0.5)
        return found

    def standing(self, unit: Force, hex: Hex, *, column: bool) -> float:
        """How well a unit would stand in a hex: near its goal, with somebody to fire at, out of danger, In Command."""
        key = ("standing", unit, hex, column)
        found: float | None = self.memo.get(key)
        if found is None:
            found = max(self.pull(unit, hex, column=column), self.hold(unit, hex))
            found += SHOT * self.best_shot(unit, hex, column=column) - self.danger(unit, hex, column=column)
            if self.led(unit, hex):
                found += LED
            if self.state.setting.board.within_mask(hex, 5) & self.enemies:
                found -= SHY if column else 0.02 * self.lay.ground[hex][unit.armored]
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
        last = 0.3 if self.state.turn == self.state.setting.last_turn else 1.0
        return self.temper.thrift * last * 4 / (2 + held)


# ------------------------------------------------------------ the survey
_latest: dict[tuple[str, Side, Temper], Situation] = {}
"""The situation that was surveyed last, for what it has in mind: while nothing on the map changes, that is still true."""


def survey(state: State, side: Side, temper: Temper) -> Situation:
    """The battle as a side sees it."""
    key = (state.setting.key, side, temper)
    known = _latest.get(key)
    same = (
        known is not None
        and known.state.setting is state.setting
        and known.state.units is state.units
        and known.state.leaders == state.leaders
        and (known.state.turn, known.state.weather, known.state.held) == (state.turn, state.weather, state.held)
    )
    memo = known.memo if same and known is not None else {}
    if len(_latest) > 16:
        _latest.clear()
    found = _latest[key] = Situation(state, side, temper, lay(state.setting), memo)
    return found
