"""Fire Range and Fire Zones: the catalogue's examples, and what is carried on from state to state against finding it anew."""

from __future__ import annotations

from typing import Any

from fields import ENTRY, NIGHT, Pair, board, field, piece, state
from hypothesis import given, settings
from hypothesis import strategies as st

from beachhead.hexes import Hex
from beachhead.values import changed
from beachhead_gts import zones
from beachhead_gts.battlefield import NO, Away
from beachhead_gts.state import State, Unit, put
from beachhead_gts.tables import Barrage, Side, WeaponClass, Weather
from beachhead_gts.zones import (
    covering,
    covers,
    fire_range,
    fire_zone,
    fire_zones,
    range_terms,
    zone_objections,
    zone_owner,
)

ALLIED, GERMAN = Side.ALLIED, Side.GERMAN
TANK = piece("tank", (0, 0), reach=5)
FOE = piece("foe", (1, 0), GERMAN)
FAR = piece("far", (6, 0), GERMAN)


def on(*pieces: Any, **ground: Any) -> State:
    on_field = {key: ground.pop(key) for key in ("posts", "strongpoints", "choices") if key in ground}
    of_state = {key: ground.pop(key) for key in ("barrages", "weather", "turn", "units") if key in ground}
    return state(field(board(**ground), *pieces, **on_field), **of_state)


def reaches(now: State, i: int = 0) -> set[int]:
    """The distances at which the unit's Fire Zone holds hexes."""
    place = now.units[i].place
    assert isinstance(place, Hex)
    return {place.distance(hex) for hex in now.setting.board.members(fire_zone(now, i))}


def refused(now: State, hex: Pair, i: int = 0) -> tuple[str, ...]:
    verdict = covers(now, i, Hex(*hex))
    assert bool(fire_zone(now, i) & now.setting.bit[Hex(*hex)]) == verdict.ok
    return () if verdict.ok else tuple(rule.removeprefix("gts:") for rule in verdict.rules)


# ------------------------------------------------------------ Fire Range
def test_fire_range_as_printed() -> None:
    assert str(range_terms(on(TANK), 0)) == "5 Fire Range as printed (gts:15.5.f, authored) = 5"
    assert fire_range(on(TANK), 0) == 5


def test_no_printed_fire_range_is_one() -> None:
    now = on(piece("clerks", (0, 0), reach=None))
    assert str(range_terms(now, 0)) == "1 where no Fire Range is printed (gts:15.1.c) = 1"
    assert fire_range(now, 0) == 1


def test_an_adjacent_enemy_unit_reduces_it() -> None:
    now = on(TANK, FOE)
    assert str(range_terms(now, 0)) == (
        "5 Fire Range as printed (gts:15.5.f, authored) - 4 next to foe at 2,0 (gts:15.3.f) = 1"
    )
    assert fire_range(now, 0) == 1
    assert fire_range(put(now, "foe", suppressed=True), 0) == 1
    assert fire_range(on(TANK, FAR), 0) == 5
    assert fire_range(on(TANK, piece("friend", (1, 0))), 0) == 5


def test_units_on_their_entry_hex_reduce_nothing() -> None:
    at = ENTRY[GERMAN]
    now = on(piece("tank", (at.q + 1, 0), reach=5), piece("first", at, GERMAN), piece("second", at, GERMAN))
    arriving = put(put(now, "first", entering=True), "second", entering=True)
    assert [fire_range(each, 0) for each in (now, arriving, put(now, "first", entering=True))] == [1, 5, 1]
    assert "next to second" in str(range_terms(put(now, "first", entering=True), 0))
    assert fire_zone(arriving, 1) == 0
    assert refused(arriving, (at.q + 1, 0), 1) == ("G48", "8.0.k")


def test_a_barrage_reduces_it() -> None:
    now = on(TANK, barrages=((Hex(0, 0), Barrage.LIGHT),))
    assert str(range_terms(now, 0)).endswith("- 4 light barrage at 0,0 (gts:16.6.2.2.b) = 1")
    assert fire_range(now, 0) == 1
    assert reaches(now) == {1}
    assert refused(now, (2, 0)) == ("17.3.a", "15.5.f", "17.3.e", "16.6.2.2.b")
    both = on(TANK, FOE, barrages=((Hex(0, 0), Barrage.LIGHT),))
    assert range_terms(both, 0).total == fire_range(both, 0) == 1


def test_a_unit_that_is_away_has_its_printed_range() -> None:
    now = put(on(TANK, FOE), "tank", place=Away.ELIMINATED)
    assert fire_range(now, 0) == range_terms(now, 0).total == 5
    assert refused(now, (1, 0)) == ("17.3.a",)


# ------------------------------------------------------------ Fire Zones
def test_the_ordinary_fire_zone() -> None:
    now = on(piece("tank", (0, 0), reach=3), woods=[(1, -1)])
    assert reaches(now) == {1, 2, 3}
    assert refused(now, (3, 0)) == ()
    assert covers(now, 0, Hex(3, 0)).rules == ("gts:17.3.a",)
    assert refused(now, (2, -2)) == ("15.4.b",)
    assert refused(now, (4, 0)) == ("17.3.a", "15.5.f")
    assert refused(now, (0, 0)) == ("17.3.a",)


def test_the_fire_zone_of_artillery() -> None:
    now = on(piece("guns", (0, 0), reach=20, weapon=WeaponClass.EMPLACED_ARTILLERY), FAR)
    assert reaches(now) == {1, 2, 3}
    assert covers(now, 0, Hex(3, 0)).rules == ("gts:17.3.b",)
    assert refused(now, (4, 0)) == ("17.3.a", "15.5.f", "17.3.b")
    assert reaches(put(now, "far", place=Hex(0, 1))) == {1}


def test_mortars_and_suppressed_units_have_none() -> None:
    now = on(piece("mortar", (0, 0), reach=8, weapon=WeaponClass.MORTAR))
    assert (fire_zone(now, 0), refused(now, (1, 0))) == (0, ("17.3.c",))
    assert reaches(on(piece("rifles", (0, 0), reach=2, weapon=WeaponClass.LIGHT_MORTAR))) == {1, 2}
    now = put(on(TANK), "tank", suppressed=True)
    assert (fire_zone(now, 0), refused(now, (1, 0))) == (0, ("19.2.2.i",))


def test_no_fire_rating_and_yet_a_fire_zone() -> None:
    now = on(piece("clerks", (0, 0), reach=None, fire=NO))
    assert reaches(now) == {1}
    assert covers(now, 0, Hex(1, 0)).rules == ("gts:17.3.a", "gts:17.3.g")
    assert refused(now, (2, 0)) == ("17.3.a", "15.1.c")


def test_by_choice_no_fire_rating_and_no_fire_zone() -> None:
    now = on(piece("clerks", (0, 0), reach=None, fire=NO), choices={"gts:G31": "rating"})
    assert (fire_zone(now, 0), refused(now, (1, 0))) == (0, ("G31",))
    assert reaches(on(piece("rifles", (0, 0), reach=1, fire=0), choices={"gts:G31": "rating"})) == {1}


def test_an_adjacent_enemy_shrinks_it() -> None:
    assert reaches(on(TANK, FOE)) == {1}
    assert refused(on(TANK, FOE), (3, 0)) == ("17.3.a", "15.5.f", "17.3.d", "15.3.f")


def test_sight_limits_it() -> None:
    day = on(TANK)
    assert reaches(day) == {1, 2, 3, 4, 5}
    now = changed(day, turn=NIGHT)
    assert reaches(now) == {1, 2, 3}
    assert refused(now, (4, 0)) == ("15.4.i", "15.4.f")
    assert reaches(on(TANK, weather=Weather.RAIN)) == {1, 2}


def test_a_strongpoint_widens_it_and_an_observation_post_does_not() -> None:
    now = on(TANK, woods=[(1, 0), (2, 0)], strongpoints=[(0, 0)])
    assert covers(now, 0, Hex(3, 0)).rules == ("gts:17.3.a", "gts:15.4.3.f")
    assert refused(now, (3, 0)) == ()
    assert refused(on(TANK, woods=[(2, 0)], posts=[(0, 0)]), (3, 0)) == ("15.4.b", "15.4.2.b")


def test_whose_fire_zone_it_is() -> None:
    now = on(piece("left", (-6, 0)), piece("right", (6, 0)), piece("foe", (0, 4), GERMAN))
    assert zone_owner(now, Hex(3, 0), ALLIED) == "right"
    assert zone_owner(now, Hex(0, 0), ALLIED) == ""
    assert covering(now, Hex(0, 1), GERMAN) == (2,)
    assert fire_zones(now, ALLIED) == fire_zone(now, 0) | fire_zone(now, 1)
    assert fire_zones(now, GERMAN) == fire_zone(now, 2)


# ------------------------------------------------------------ any sequence of states
ROSTER = (
    *(piece(f"a{i}", (i, 0), reach=reach) for i, reach in enumerate((1, 2, 4, None))),
    piece("m", (0, 3), weapon=WeaponClass.MORTAR),
    piece("i", (0, 2), GERMAN, reach=12, weapon=WeaponClass.INDIRECT_HE),
    *(piece(f"g{i}", (-i, -2), GERMAN, reach=i) for i in range(1, 4)),
)
FIELD = field(
    board(Hex(0, 0).disk(9), woods=[(1, 1), (2, 1), (-2, 0)], crests=[((0, 1), (0, 2))]), *ROSTER, strongpoints=[(2, 0)]
)
HEXES = st.sampled_from([*Hex(0, 0).disk(3), ENTRY[ALLIED], ENTRY[GERMAN]])


@st.composite
def changes(draw: st.DrawFn) -> list[tuple[str, Unit]]:
    unit = st.builds(
        Unit,
        place=HEXES | st.just(Away.ELIMINATED),
        suppressed=st.booleans(),
        cohesion=st.integers(0, 1),
    )
    return draw(st.lists(st.tuples(st.sampled_from([each.name for each in ROSTER]), unit), min_size=1, max_size=25))


@settings(deadline=None, max_examples=60)
@given(changes(), st.booleans())
def test_what_is_carried_on_is_what_would_be_found(steps: list[tuple[str, Unit]], night: bool) -> None:
    now = state(FIELD, turn=1 + night)
    for n, (name, unit) in enumerate(steps):
        entering = unit.place in ENTRY.values()
        now = put(now, name, place=unit.place, suppressed=unit.suppressed, cohesion=unit.cohesion, entering=entering)
        if n % 3 == 2:
            continue  # several changes at once
        carried = {side: zones.coverage(now, side).zones for side in Side}
        for side in Side:
            for i, zone in enumerate(carried[side]):
                alone = {hex for hex in FIELD.board if ROSTER[i].side is side and not any(zone_objections(now, i, hex))}
                assert set(FIELD.board.members(zone)) == alone
            assert fire_zones(now, side) == zones.coverage(now, side).all
        for i in range(len(ROSTER)):
            assert fire_range(now, i) == range_terms(now, i).total
