"""Pictures of GTS: everything that lies on the map is in its picture, and whatever is asked for is pointed out."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from attrs import evolve
from fields import ENTRY, board, field, piece, state

from beachhead.errors import UnknownName
from beachhead.hexes import Hex
from beachhead.svg import Svg
from beachhead_gts import sight, zones
from beachhead_gts.battlefield import NO, STAR, Away, Battlefield, LeaderPiece, Objective
from beachhead_gts.picture import (
    COLOURS,
    GROUND,
    GUNS,
    HEXSIDES,
    LINKS,
    PORTRAIT,
    TERRAIN,
    figures,
    marked,
    picture,
    symbol,
    unit_counter,
)
from beachhead_gts.scenario import shipped_charts
from beachhead_gts.state import Activation, State, Unit
from beachhead_gts.tables import Barrage, Cover, Phase, Side, Stripe, UnitClass, WeaponClass

NAMESPACE = "{http://www.w3.org/2000/svg}"
A = piece("A", (0, 0))
B = piece("B", (2, 0))
G = piece("G", (0, 3), Side.GERMAN)


def parts(svg: Svg | str, kind: str) -> list[ET.Element]:
    return [element for element in ET.fromstring(svg).iter() if element.get("class") == kind]


def titles(svg: Svg | str, kind: str) -> list[str | None]:
    return [part.findtext(f"{NAMESPACE}title") for part in parts(svg, kind)]


def texts(element: ET.Element, kind: str) -> list[str | None]:
    return [part.text for part in element.iter() if part.get("class") == kind]


def with_leader(battlefield: Battlefield, at: Hex | int) -> Battlefield:
    """The same with a Leader."""
    leader = LeaderPiece("Cass", "Allied Regiment", 3, 2, at)
    return evolve(battlefield, key=f"{battlefield.key} led", leaders=(leader,))


def active(now: State, **activation: object) -> State:
    """The same while the Allied Regiment's chit is being played."""
    playing = evolve(Activation("Allied Regiment", open=True), **activation)
    return evolve(now, phase=Phase.ACTIVATION, activation=playing, superiors=("", ""))


# ------------------------------------------------------------ counters
def test_a_counter_shows_its_figures_its_class_its_weapons_and_its_formation() -> None:
    gun = piece(
        "88",
        (1, 1),
        Side.GERMAN,
        unit_class=UnitClass.GUN,
        weapon=WeaponClass.DUAL_PURPOSE,
        fire=8,
        assault=NO,
        movement=STAR,
    )
    now = state(field(board(), A, gun))
    infantry, other = (counter for counter in parts(picture(now), "counter"))
    assert (texts(infantry, "designation"), texts(infantry, "strength")) == (["A"], ["4-4-6"])
    assert (texts(other, "designation"), texts(other, "strength")) == (["88"], ["8-No-*"])
    assert infantry.findtext(f"{NAMESPACE}title") == (
        "Allied A of Allied Regiment, Infantry 4-4-6 Small Arms, quality 6, 2 steps"
    )
    counter = unit_counter(now, "88")
    fills = {shape.fill for shape in counter.symbol}
    assert {COLOURS[WeaponClass.DUAL_PURPOSE], COLOURS[WeaponClass.SMALL_ARMS]} <= fills
    assert (counter.colour, counter.box) == (GROUND[Side.GERMAN], now.setting.formations[1].colour)
    assert (counter.pips, counter.hits) == (2, 0)


def test_every_class_of_weapon_has_a_colour_and_a_gun_and_every_class_of_unit_a_symbol() -> None:
    assert COLOURS.keys() == GUNS.keys() == {*WeaponClass}
    assert len(set(COLOURS.values())) == len(WeaponClass)
    faces = [
        evolve(A.front, unit_class=UnitClass.INFANTRY),
        evolve(A.front, unit_class=UnitClass.GUN),
        evolve(A.front, unit_class=UnitClass.VEHICLE),
        evolve(A.front, unit_class=UnitClass.VEHICLE, armored=True),
        evolve(A.front, unit_class=UnitClass.VEHICLE, weapon=WeaponClass.INDIRECT_HE),
    ]
    assert len({symbol(face) for face in faces}) == len(faces)
    assert symbol(faces[2]) != symbol(faces[2], mounted=True)
    assert figures(evolve(A.front, fire=NO, movement=STAR)) == "No-4-*"


def test_independent_units_have_a_white_or_a_black_box() -> None:
    white, black = (
        evolve(piece(stripe, (n, 0)), stripe=stripe, formation="")
        for n, stripe in enumerate((Stripe.WHITE, Stripe.BLACK), 2)
    )
    now = state(field(board(), A, white, black))
    assert len({unit_counter(now, name).box for name in now.setting.number}) == 3


@pytest.mark.parametrize(
    ("marker", "words"),
    [
        ({"cohesion": 2}, "2 Cohesion Hits"),
        ({"suppressed": True}, "Suppressed"),
        ({"column": True}, "in Column"),
        ({"mounted": True}, "in Transport Mode"),
        ({"cover": Cover.IMPROVED}, "in an improved position"),
        ({"cover": Cover.ENTRENCHED}, "in an entrenchment"),
        ({"rallying": 1}, "Men Rallying +1"),
        ({"entering": True}, "on its reinforcement hex"),
    ],
)
def test_every_marker_is_told_and_those_that_matter_at_a_glance_are_drawn(
    marker: dict[str, object], words: str
) -> None:
    transport = evolve(A.front, unit_class=UnitClass.VEHICLE)
    battlefield = field(board(), evolve(A, transport=transport))
    plain, with_it = (
        state(battlefield),
        state(battlefield, {"A": evolve(Unit(Hex(0, 0)), **marker)}, phase=Phase.ACTIVATION),
    )
    assert list(marked(with_it.units[0])) == [words]
    (title,) = titles(picture(with_it), "counter")
    assert title is not None
    assert title.endswith(f", {words}")
    before, after = unit_counter(plain, "A"), unit_counter(with_it, "A")
    drawn = (before.symbol, before.hits) != (after.symbol, after.hits)
    assert drawn or words in ("Men Rallying +1", "on its reinforcement hex")


def test_a_step_lost_is_told_and_drawn() -> None:
    now = state(field(board(), A), {"A": Unit(Hex(0, 0), losses=1)})
    (title,) = titles(picture(now), "counter")
    assert title == "Allied A of Allied Regiment, Infantry 4-4-6 Small Arms, quality 6, 1 of 2 steps"
    counter = unit_counter(now, "A")
    assert (counter.pips, counter.hits) == (1, 1)


def test_two_cohesion_hits_are_two_dots() -> None:
    battlefield = field(board(), A)
    counts = [len(unit_counter(state(battlefield, {"A": Unit(Hex(0, 0), cohesion=n)}), "A").symbol) for n in range(3)]
    assert counts == [counts[0], counts[0] + 1, counts[0] + 2]


def test_a_leader_shows_his_range_and_his_attachment_rating() -> None:
    battlefield = with_leader(field(board(), A), Hex(0, 0))
    now = evolve(state(battlefield), leaders=(Hex(0, 0),), phase=Phase.ACTIVATION)
    unit, leader = parts(picture(now), "counter")
    assert texts(leader, "strength") == ["3-2"]
    assert leader.findtext(f"{NAMESPACE}title") == (
        "Cass, Leader of Allied Regiment, Command Range 3, Attachment Rating 2"
    )
    assert PORTRAIT not in unit_counter(now, "A").symbol
    assert unit.get("transform") != leader.get("transform")
    assert len(parts(picture(evolve(now, leaders=(Away.DUE,))), "counter")) == 1


@pytest.mark.parametrize("n", [2, 5, 9])
def test_all_units_of_a_hex_can_be_read(n: int) -> None:
    now = state(field(board(), *(piece(f"U{i}", (0, 0)) for i in range(n))))
    places = {part.get("transform") for part in parts(picture(now), "counter")}
    assert len(places) == n
    assert None not in places


def test_only_units_that_may_still_act_are_pointed_out() -> None:
    now = state(field(board(), A, B, G))
    gold = unit_counter(active(now), "A").border
    assert unit_counter(active(now), "B").border == gold
    assert unit_counter(active(now), "G").border == unit_counter(now, "A").border != gold
    acted = active(now, acted=1)
    assert [unit_counter(acted, name).border == gold for name in "ABG"] == [False, True, False]
    assert unit_counter(active(now, closing=True), "B").border != gold
    assert unit_counter(active(now, attached=("G",)), "G").border == gold


# ------------------------------------------------------------ the land
def test_everything_on_the_shipped_charts_has_a_look_of_its_own() -> None:
    charts = shipped_charts("beachhead")
    for looks, rows in ((TERRAIN, charts.terrain), (HEXSIDES, charts.hexsides), (LINKS, charts.roads)):
        assert looks.keys() == rows.keys()
        assert len({str(look) for look in looks.values()}) == len(looks)


# ------------------------------------------------------------ what lies in the hexes
def test_reinforcement_hexes_posts_strongpoints_entrenchments_barrages_and_objectives_are_drawn() -> None:
    ground = board(woods=[(1, 0)], crests=[((0, 0), (1, 0))])
    battlefield = field(ground, A, posts=[(3, 0)], strongpoints=[(4, 0)])
    objective = Objective("Caen", Hex(5, 0), 3)
    battlefield = evolve(battlefield, key="objectives", objectives=(objective,))
    now = state(
        battlefield,
        held=(Side.GERMAN,),
        phase=Phase.ACTIVATION,
        entrenchments=ground.mask([Hex(-2, 0)]),
        barrages=((Hex(-3, 0), Barrage.LIGHT), (Hex(-4, 0), Barrage.HEAVY)),
    )
    label = ground.label
    assert titles(picture(now), "sign") == [
        f"reinforcements of Allied Division enter at {label(ENTRY[Side.ALLIED])}",
        f"reinforcements of German Division enter at {label(ENTRY[Side.GERMAN])}",
        f"entrenchment in {label(Hex(-2, 0))}",
        f"observation post {label(Hex(3, 0))}",
        f"strongpoint {label(Hex(4, 0))}",
        f"light barrage in {label(Hex(-3, 0))}",
        f"heavy barrage in {label(Hex(-4, 0))}",
        "Caen: 3 Victory Points, held by German",
    ]
    assert {*titles(picture(now), "hexside")} == {"crest"}
    assert parts(picture(now), "unknown") == []


def test_before_the_set_up_one_sees_what_it_leads_to() -> None:
    later = evolve(piece("Later", (0, 0)), arrives=2)
    columns = evolve(B, column=True)
    battlefield = with_leader(field(board(), A, columns, later), Hex(0, 0))
    now = state(battlefield, {name: Unit() for name in ("A", "B", "Later")})
    now = evolve(now, leaders=(Away.DUE,))
    told = titles(picture(now), "counter")
    assert len(told) == 3
    assert [title for title in told if title and title.endswith("in Column")] == [
        "Allied B of Allied Regiment, Infantry 4-4-6 Small Arms, quality 6, 2 steps, in Column"
    ]
    assert ET.fromstring(picture(now)).findtext(f"{NAMESPACE}title") == "a test, set-up"


# ------------------------------------------------------------ what is pointed out
def test_the_field_of_view_the_fire_zone_and_the_fire_zones_of_a_side_are_pointed_out() -> None:
    now = state(field(board(woods=[(1, 0)]), A, B, G), phase=Phase.ACTIVATION)
    assert parts(picture(now), "highlight") == []
    seen = sight.seen(now, Hex(0, 0)).bit_count()
    zone = zones.fire_zone(now, 0).bit_count()
    side = zones.fire_zones(now, Side.ALLIED).bit_count()
    assert 0 < zone < side
    assert zone < seen
    assert len(parts(picture(now, view_of="A"), "highlight")) == seen
    assert len(parts(picture(now, zone_of="A"), "highlight")) == zone
    assert len(parts(picture(now, zones_of="allied"), "highlight")) == side
    assert len(parts(picture(now, "A", "A", Side.ALLIED), "highlight")) == seen + zone + side


def test_a_unit_that_is_not_on_the_map_sees_nothing_and_one_that_there_is_not_is_refused() -> None:
    now = state(field(board(), A, B), {"B": Unit(Away.ELIMINATED)}, phase=Phase.ACTIVATION)
    assert parts(picture(now, view_of="B", zone_of="B"), "highlight") == []
    with pytest.raises(UnknownName):
        picture(now, view_of="C")
    with pytest.raises(ValueError, match="Allied"):
        picture(now, zones_of="nobody")


def test_what_is_being_played_stands_in_the_title() -> None:
    now = active(state(field(board(), A)))
    assert ET.fromstring(picture(now)).findtext(f"{NAMESPACE}title") == (
        "a test, turn 1 (noon), H. Activation Phase, Allied Regiment"
    )
