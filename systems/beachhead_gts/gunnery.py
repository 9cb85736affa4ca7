"""What a player by rules of thumb thinks of fire: what a shot may do, what a unit is worth, what stands in danger.

Everything is weighed in Victory Points. The expected effect of a single shot is exact; what an enemy may do next is an estimate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from attrs import field, frozen

from beachhead.hexes import Hex
from beachhead.values import changed
from beachhead_gts import zones
from beachhead_gts.forces import Force, Lay, Losses, expected, force, last_crossed
from beachhead_gts.quality import Check, troop_quality
from beachhead_gts.rating import Occasion
from beachhead_gts.sight import ORDINARY, STRONGPOINT, sight_limit, sightlines
from beachhead_gts.state import State, steps_left
from beachhead_gts.tables import MOST_COHESION, STACKING_LIMIT, Cover, Side, Weather

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


# ------------------------------------------------------------ what harm costs
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


@frozen(eq=False)
class Gunnery:
    """The battle as far as fire goes, as a side sees it when it must decide. `memo` depends on who stands where, and on nothing else."""

    state: State
    side: Side
    temper: Temper
    lay: Lay
    turns: float
    """How many turns are still to come, with about half of this one."""
    enemies: int
    """The hexes that enemies stand in."""
    memo: dict[object, Any] = field(factory=dict, repr=False)
    forces: dict[int, Force] = field(factory=dict, repr=False)
    """Units as they were counted last."""

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
