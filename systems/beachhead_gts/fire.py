"""Direct Fire (15.5): who may fire at whom, the roll, and the result."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from beachhead.dice import D10, Roll
from beachhead.hexes import Hex
from beachhead.play import Play, call
from beachhead.rules import Objection, Provenance
from beachhead_gts import sight, zones
from beachhead_gts.battlefield import Printed
from beachhead_gts.events import FireResolved
from beachhead_gts.quality import Purpose, rolled
from beachhead_gts.rating import Occasion, Shot, fire_rating, result_line
from beachhead_gts.results import suffer
from beachhead_gts.state import State, face_of
from beachhead_gts.tables import ARTILLERY_ZONE, Result, WeaponClass


# ------------------------------------------------------------ step 1 and 2: who fires at whom
def weapon_objections(state: State, unit: str) -> Iterator[Objection]:
    """Why a unit has nothing to fire with directly: no Fire Rating, or a mortar's (15.2, 16.1)."""
    side = face_of(state, state.setting.number[unit])
    if isinstance(side.fire, Printed):
        yield Objection("gts:15.2.c", "{} has no Fire Rating", (unit,))
    if side.weapon is WeaponClass.MORTAR:
        yield Objection("gts:16.1.c", "{} is a Mortar Unit: it fires only indirectly", (unit,))


def can_fire(state: State, i: int) -> bool:
    """Whether a unit has something to fire with directly, by its number."""
    side = face_of(state, i)
    return type(side.fire) is int and side.weapon is not WeaponClass.MORTAR


def target_objections(state: State, unit: str, target: str) -> Iterator[Objection]:
    """Why a unit cannot fire at a target: whose it is, range, Line of Sight (15.3, 15.5)."""
    field = state.setting
    if target not in field.number:
        yield Objection("gts:15.5.e", "there is no unit {}", (target,))
        return
    here, there = state.place(unit), state.place(target)
    if field.piece(target).side is field.piece(unit).side:
        yield Objection("gts:15.3.a", "{} is no enemy of {}", (target, unit))
        return
    if not isinstance(there, Hex) or not isinstance(here, Hex):
        absent = unit if not isinstance(here, Hex) else target
        yield Objection("gts:15.3.a", "{} is not on the map", (absent,))
        return
    if state.unit(target).entering:
        yield Objection("gts:8.0.j", "{} is on its reinforcement hex", (target,))
    distance, i = here.distance(there), field.number[unit]
    if distance > zones.fire_range(state, i):
        reach = zones.range_terms(state, i)
        rules = dict.fromkeys(("gts:15.5.f", *reach.rules))
        yield Objection(
            rules, "{} is {} hexes away, and {} fires {}: {.uncited}", (target, distance, unit, reach.total, reach)
        )
    weapon = face_of(state, i).weapon
    if weapon.artillery and distance > ARTILLERY_ZONE:
        yield Objection(_DIRECT_LIMIT[weapon], "{} fires directly up to {} hexes", (unit, ARTILLERY_ZONE))
    yield from sight.sight_objections(state, here, there)


_DIRECT_LIMIT = {
    WeaponClass.INDIRECT_HE: "gts:16.1.n",
    WeaponClass.EMPLACED_ARTILLERY: "gts:16.1.z",
    WeaponClass.ORGANIC_ARTILLERY: "gts:16.1.ai",
}


# ------------------------------------------------------------ step 4 and 5: the die and the table
@frozen
class Landed:
    """What a roll comes to, and the rule that made it a hit or a miss."""

    result: Result
    rule: str

    def __str__(self) -> str:
        return self.result.value


@frozen
class Against:
    """The reading of a fire roll: the same die decides hit and damage (15.5)."""

    rating: int
    results: tuple[Result, ...]

    def read(self, face: int, /) -> Landed:
        """Hit at or under the rating; 0 always hits, 9 never."""
        if face == 9:
            return Landed(Result.MISS, "gts:15.5.m" if self.rating >= 9 else "gts:15.5.k")
        if face == 0 and self.rating < 0:
            return Landed(self.results[0], "gts:15.5.l")
        if face <= self.rating:
            return Landed(self.results[face], "gts:15.5.k")
        return Landed(Result.MISS, "gts:15.5.k")

    def __str__(self) -> str:
        return f"a hit on {max(0, min(self.rating, 8))} or less"


async def direct_fire(play: Play[State], shot: Shot) -> None:
    """Step 3 to 5 of Direct Fire, for Opportunity Fire too: the rating, one roll, the result at once (15.5)."""
    bonus = await company_bonus(play, shot)
    rating = fire_rating(play.state, shot, company_bonus=bonus)
    table = result_line(play.state, shot)
    landed: Landed = await Roll(D10, Against(rating.total, table.results), "gts:15.5.q")
    rules = ["gts:15.5.a", landed.rule, "gts:15.5.q"]
    if landed.result is not Result.MISS:
        rules += ("gts:15.5.o", "gts:15.5.p")
    if face_of(play.state, play.state.setting.number[shot.firer]).weapon.artillery:
        rules.append("gts:15.5.r")
    if shot.occasion is not Occasion.ACTION:
        rules.append("gts:17.1.b")
    authored = table.source is Provenance.AUTHORED
    play.record(FireResolved(shot.firer, shot.target, rating, landed.result, rules, authored))
    if landed.result is not Result.MISS:
        await call(suffer, shot.target, landed.result)


async def company_bonus(play: Play[State], shot: Shot) -> bool:
    """A full two-Step unit that fires in its Action checks its Troop Quality for the bonus; never for Opportunity Fire (15.6)."""
    if shot.occasion is not Occasion.ACTION or not may_earn_bonus(play.state, shot.firer):
        return False
    return await rolled(play, shot.firer, Purpose.COMPANY_BONUS)


def may_earn_bonus(state: State, unit: str) -> bool:
    """Whether a unit is a two-Step unit without Step Loss (15.6)."""
    return state.setting.piece(unit).steps == 2 and not state.unit(unit).losses
