"""Line of Sight: what the straight line between two hex centres meets, and who sees past it (15.4).

Everything rests on `spots`, where something may stand in the way of a line of a given offset. A spot is looked at in two ways: for two
hexes, in words (`can_see_hex`); for all hexes of the map at once, as masks (`Sightlines`), which is what play asks (`seen`, `sees`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache, lru_cache

from attrs import field, frozen

from beachhead.enums import Named
from beachhead.hexes import Hex, Hexside
from beachhead.rules import Objection, Verdict, verdict
from beachhead.sight import Along, Crossed, Through, offsets
from beachhead_gts.battlefield import Battlefield
from beachhead_gts.state import State
from beachhead_gts.tables import Barrage, Weather


class Purpose(Named, Enum):
    """What a Line of Sight is wanted for: observation posts serve one purpose alone (15.4.2)."""

    FIRE = "Direct Fire"
    SELF_SPOTTING = "self-spotting"
    SPOTTING = "spotting for another Unit"


_FIRE, _SPOTTING = Purpose.FIRE, Purpose.SPOTTING  # looking one up in the enum takes ten times as long

_ORIGIN = Hex(0, 0)
_CLEAR = Weather.CLEAR


# ------------------------------------------------------------ how far, and past how much
@frozen
class Vantage:
    """What somebody who looks has of his hex (15.4.2, 15.4.3).

    Attributes:
        name: of the symbol on the map.
        past: how many obstacles he sees past.
        limits: the rule of the longest Line of Sight, by weather and time of day.
        allowance: the rules that he sees past so many, and past no more.
        use: the rules that he does so.
    """

    name: str = ""
    past: int = 0
    limits: Mapping[str, str] = {
        "clear day": "gts:15.4.g",
        "clear night": "gts:15.4.i",
        "fog": "gts:15.4.h",
        "rain": "gts:15.4.h",
    }
    allowance: tuple[str, ...] = ()
    use: tuple[str, ...] = ()


ORDINARY = Vantage()
STRONGPOINT = Vantage(
    "strongpoint", 2, allowance=("gts:15.4.3.b",), use=("gts:15.4.3.b", "gts:15.4.3.a", "gts:15.4.3.d")
)
OBSERVATION_POST = Vantage(
    "observation post",
    3,
    {"clear day": "gts:15.4.2.c", "clear night": "gts:15.4.2.e", "fog": "gts:15.4.2.d", "rain": "gts:15.4.2.d"},
    allowance=("gts:15.4.2.f", "gts:15.4.2.g"),
    use=("gts:15.4.2.f", "gts:15.4.2.g", "gts:15.4.2.a", "gts:15.4.2.k"),
)


def vantage(state: State, hex: Hex, purpose: Purpose) -> Vantage:
    """What somebody who looks for a purpose has of his hex."""
    if purpose is _SPOTTING and hex in state.setting.observation_posts:
        return OBSERVATION_POST
    return STRONGPOINT if hex in state.setting.strongpoints else ORDINARY


def _conditions(state: State) -> str:
    """Weather and time of day, as the chart has them; fog and rain are alike by day and by night."""
    if state.weather is not _CLEAR:
        return state.weather
    return "clear night" if state.night else "clear day"


def sight_limit(state: State, place: Vantage = ORDINARY) -> int:
    """The longest Line of Sight now, in hexes; on a clear day an observation post sees farther (15.4, 15.4.2)."""
    conditions = _conditions(state)
    farther = place is OBSERVATION_POST and conditions == "clear day"
    return state.setting.charts.figures["sight"]["observation post" if farther else conditions]


def limit_rule(state: State, place: Vantage = ORDINARY) -> str:
    """The rule that sets `sight_limit`."""
    return place.limits[_conditions(state)]


# ------------------------------------------------------------ where something may stand in the way
@frozen
class Spot:
    """A place on a line where something may block it: it does if all these hexes and all these hexsides block.

    Hexes and hexsides are offsets from where the line begins.

    Attributes:
        rules: by which it blocks.
        partly: the rule by which it does not, if only some of them block.
        own: a crest of one of the two hexes that the line joins, which is excused (15.4.1).
        how: how the line meets it, in words.
    """

    rules: tuple[str, ...]
    hexes: tuple[Hex, ...] = ()
    hexsides: tuple[Hexside, ...] = ()
    partly: tuple[str, ...] = ()
    own: bool = False
    how: str = ""


@cache
def spots(dq: int, dr: int) -> tuple[Spot, ...]:
    """The spots of a line from `Hex(0, 0)` to `Hex(dq, dr)`, in order: where both ends have own crests, these are first and last.

    >>> [len(spot.hexes) for spot in spots(2, 0) if spot.hexes], [spot.own for spot in spots(2, 0) if spot.hexsides]
    ([1], [True, True])
    """
    ends, facts = (_ORIGIN, Hex(dq, dr)), offsets(dq, dr)
    each = ("gts:15.4.1.l",) if len(facts.along) > 1 else ()

    def crests(rule: str, *sides: Hexside, how: str = "") -> Spot:
        partly = (rule,) if len(sides) > 1 else ()
        own = any(end in side for end in ends for side in sides)
        return Spot((rule,), hexsides=sides, partly=partly, own=own, how=how)

    found: list[Spot] = []
    for step in facts.steps[1:-1]:
        match step:
            case Through(hex):
                found.append(Spot(("gts:15.4.b",), hexes=(hex,)))
            case Crossed(hexside):
                found.append(crests("gts:15.4.1.e", hexside))
            case Along(hexside, left, right, begins, ends_of_run):
                between, flanks = ", between which it runs", ", between which it passes"
                found += [
                    crests("gts:15.4.1.m", *begins, how=flanks),
                    Spot(("gts:15.4.1.d", *each), hexes=(left, right), partly=("gts:15.4.1.c", *each), how=between),
                    crests("gts:15.4.1.g", hexside, how=", along which it runs"),
                    crests("gts:15.4.1.m", *ends_of_run, how=flanks),
                ]
    return tuple(found)


# ------------------------------------------------------------ for all hexes at once
@frozen(eq=False)
class Relief:
    """What never changes of a map: its Blocking Terrain and its crests.

    Hexes have places in a parallelogram of axial coordinates, so that to move a set of places is to shift it. Around the map is a margin as
    wide as anybody ever sees: a line leads nowhere else than on the map or into the margin, and a line between two hexes of the map never
    leaves the parallelogram, whatever the shape of the map.

    Attributes:
        width: how many places lie in a row.
        places: the place of each hex.
        bits: for each place, the set of the board that holds its hex alone; 0 in the margin.
        blocking: the places with Blocking Terrain.
        crests: for each direction, the places with a crest on the hexside there.
        both_ends_block: own crests at both ends block (G17).
    """

    width: int
    places: Mapping[Hex, int]
    bits: tuple[int, ...]
    blocking: int
    crests: Mapping[Hex, int]
    both_ends_block: bool

    def shift(self, offset: Hex) -> int:
        """How many places an offset leads on."""
        return offset[1] * self.width + offset[0]

    def before(self, offset: Hex, places: int) -> int:
        """The places from which an offset leads to one of these."""
        shift = self.shift(offset)
        return places >> shift if shift >= 0 else places << -shift


@cache
def relief(field: Battlefield) -> Relief:
    """The relief of a battlefield, found once."""
    board, terrain, hexsides = field.board, field.charts.terrain, field.charts.hexsides
    margin = max(field.charts.figures["sight"].values())
    west, north = min(hex.q for hex in board), min(hex.r for hex in board)
    width = max(hex.q for hex in board) - west + 1 + margin
    places = {hex: (hex.r - north + margin) * width + hex.q - west for hex in board}
    bits = [0] * (max(places.values()) + margin * width + margin + 1)
    for i, place in enumerate(places.values()):
        bits[place] = 1 << i
    blocking, crests = 0, dict[Hex, int]()
    for hex, names in board.terrain.items():
        if any(terrain[name].blocks for name in names):
            blocking |= 1 << places[hex]
    for (a, b), names_there in board.hexsides.items():
        if any(hexsides[name].crest for name in names_there):
            crests[b - a] = crests.get(b - a, 0) | 1 << places[a]
    return Relief(width, places, tuple(bits), blocking, crests, field.choice("G17") == "block")


@frozen(eq=False)
class Sightlines:
    """Who sees whom on a map under some barrages. Lines of one offset are found for all hexes of the map together.

    Attributes:
        relief: of the map.
        blocking: the places that block: Blocking Terrain, and barrages.
    """

    relief: Relief
    blocking: int
    _hidden: dict[tuple[int, int], tuple[tuple[int, int], ...]] = field(factory=dict, init=False)
    _seen: dict[tuple[Hex, int, int], int] = field(factory=dict, init=False)

    def seen(self, hex: Hex, radius: int, past: int = 0) -> int:
        """The hexes within a radius that are seen from one, itself included, by who sees past so many obstacles: as a mask of the board."""
        known = self._seen.get((hex, radius, past))
        if known is None:
            known = self._seen[hex, radius, past] = self.view(hex, radius, past)
        return known

    def view(self, hex: Hex, radius: int, past: int = 0) -> int:
        """The same, looked up anew.

        Raises:
            KeyError: there is no such hex on the map.
        """
        place, bits = self.relief.places[hex], self.relief.bits
        here = 1 << place
        return sum([bits[place + shift] for shift, hidden in self.hidden(radius, past) if not hidden & here])

    def hidden(self, radius: int, past: int) -> tuple[tuple[int, int], ...]:
        """For each offset within a radius: how many places it leads on, and the places from which there are more obstacles than so many."""
        known = self._hidden.get((radius, past))
        if known is None:
            relief, found = self.relief, dict[Hex, int]()
            for offset in _ORIGIN.disk(radius):
                back = found.get(-offset)  # the same obstacles are on the way back
                found[offset] = self._hidden_at(offset, past) if back is None else relief.before(offset, back)
            known = tuple([(relief.shift(offset), places) for offset, places in found.items()])
            self._hidden[radius, past] = known
        return known

    def _hidden_at(self, offset: Hex, past: int) -> int:
        more = [0] * (past + 1)  # the places with more than 0, 1, ... obstacles
        for obstacle in self._obstacles(offset):
            for n in range(past, 0, -1):
                more[n] |= more[n - 1] & obstacle
            more[0] |= obstacle
        return more[past]

    def _obstacles(self, offset: Hex) -> Iterator[int]:
        """For each obstacle that there may be on a line of this offset, the places from which it is there."""
        own: list[int] = []
        for spot in spots(*offset):
            if spot.own:
                own.append(self._blocked(spot))
            elif spot.hexes or self.relief.crests:
                yield self._blocked(spot)
        if self.relief.both_ends_block and len(own) == 2:  # between neighbours there is one
            yield own[0] & own[1]
            yield own[0] & own[1]

    def _blocked(self, spot: Spot) -> int:
        relief, blocked = self.relief, -1
        for hex in spot.hexes:
            blocked &= relief.before(hex, self.blocking)
        for a, b in spot.hexsides:
            blocked &= relief.before(a, relief.crests.get(b - a, 0))
        return blocked


@lru_cache(maxsize=64)
def sightlines(field: Battlefield, barrages: tuple[tuple[Hex, Barrage], ...]) -> Sightlines:
    """The sight lines of a battlefield under some barrages."""
    ground = relief(field)
    blocking = ground.blocking
    for hex, _ in barrages:
        blocking |= 1 << ground.places[hex]
    return Sightlines(ground, blocking)


def seen(state: State, hex: Hex, purpose: Purpose = _FIRE) -> int:
    """The hexes that are seen from one now, itself included, as a mask of the board (15.4)."""
    place = vantage(state, hex, purpose)
    return sightlines(state.setting, state.barrages).seen(hex, sight_limit(state, place), place.past)


def sees(state: State, a: Hex, b: Hex, purpose: Purpose = _FIRE) -> bool:
    """Whether there is a Line of Sight from a to b (15.4). From a strongpoint or an observation post, not always back."""
    return bool(seen(state, a, purpose) & state.setting.bit[b])


# ------------------------------------------------------------ for two hexes, in words
_BARRAGE, _AS_CREST = "gts:16.6.2.2.c", "gts:15.4.1.h"


@frozen
class Obstacle:
    """What blocks a line, or would if there were more of it: in words, with the rules."""

    what: str
    rules: tuple[str, ...] = ()


def _in_hex(state: State, hex: Hex) -> Obstacle | None:
    """What blocks in a hex: terrain, or a barrage (16.6.2). Off the map nothing does."""
    field = state.setting
    terrain = [name for name in field.board.terrain.get(hex, ()) if field.charts.terrain[name].blocks]
    barrage = [str(kind) for place, kind in state.barrages if place == hex]
    if not terrain and not barrage:
        return None
    what = f"{' and '.join(terrain + barrage)} at {field.board.label(hex)}"
    return Obstacle(what, () if terrain else (_BARRAGE,))


def _on_hexside(state: State, side: Hexside) -> Obstacle | None:
    """What blocks on a hexside: slopes and ridges are as crests."""
    field = state.setting
    for name in sorted(field.board.features(*side)):
        if field.charts.hexsides[name].crest:
            what = f"the {name} between {field.board.label(side.a)} and {field.board.label(side.b)}"
            return Obstacle(what, () if name == "crest" else (_AS_CREST,))
    return None


def _met(state: State, a: Hex, b: Hex) -> Iterator[tuple[Spot, list[Obstacle], bool]]:
    """The spots of a line where something stands: what, and whether all that must."""
    for spot in spots(*(b - a)):
        found = [_in_hex(state, a + hex) for hex in spot.hexes]
        found += [_on_hexside(state, Hexside(a + x, a + y)) for x, y in spot.hexsides]
        if standing := [each for each in found if each is not None]:
            yield spot, standing, len(standing) == len(found)


def _excused(state: State, met: list[tuple[Spot, list[Obstacle], bool]]) -> bool:
    """Whether own crests are excused: those at one end are, those at both ends by the ruling (G17)."""
    return state.setting.choice("G17") == "excused" or not _own_at_both_ends(met)


def _own_at_both_ends(met: list[tuple[Spot, list[Obstacle], bool]]) -> bool:
    return sum(spot.own and complete for spot, _, complete in met) == 2


def obstacles(state: State, a: Hex, b: Hex) -> list[Obstacle]:
    """All that blocks the line between two hexes, for those who do not see past it; their distance is not asked (15.4.1)."""
    met = list(_met(state, a, b))
    excused = _excused(state, met)
    return [_as_one(spot, standing) for spot, standing, complete in met if complete and not (spot.own and excused)]


def _as_one(spot: Spot, standing: list[Obstacle]) -> Obstacle:
    """What stands at a spot, as one obstacle (15.4.2.g)."""
    also = [rule for each in standing for rule in each.rules]
    if len(spot.hexes) > 1 and _BARRAGE in also:
        also.append("gts:15.4.1.n")
    rules = ("gts:G17",) if spot.own else spot.rules
    return Obstacle(_listed(standing) + spot.how, tuple(dict.fromkeys((*rules, *also))))


def _listed(found: list[Obstacle], between: str = " and ") -> str:
    return between.join(each.what for each in found)


def sight_objections(state: State, a: Hex, b: Hex, purpose: Purpose = _FIRE) -> Iterator[Objection]:
    """Why there is no Line of Sight from a to b: each hex and hexside that blocks it, or the distance (15.4)."""
    label, against = state.setting.board.label, list(_against(state, a, b, purpose))
    yield from against
    if against and a in state.setting.observation_posts and not any(_against(state, a, b, _SPOTTING)):
        rule = "gts:15.4.2.b" if purpose is _FIRE else "gts:15.4.2.i"
        yield Objection(
            rule, "the observation post at {} shows {} to spotters for other Units alone", (label(a), label(b))
        )


def _against(state: State, a: Hex, b: Hex, purpose: Purpose) -> Iterator[Objection]:
    here, there = map(state.setting.board.label, (a, b))
    place, distance = vantage(state, a, purpose), a.distance(b)
    if distance > (limit := sight_limit(state, place)):
        what = "{} is {} hexes away from {}, and sight reaches {} ({})"
        yield Objection(
            (limit_rule(state, place), "gts:15.4.f"), what, (there, distance, here, limit, _conditions(state))
        )
    found = obstacles(state, a, b)
    if place is ORDINARY:
        for each in found:
            yield Objection(each.rules, "the sight from {} to {} is blocked by {}", (here, there, each.what))
    elif len(found) > place.past:
        rules = dict.fromkeys((*place.allowance, *(rule for each in found for rule in each.rules)))
        what = "the {} at {} sees past {} obstacles, and on the way to {} are {}: {}"
        yield Objection(rules, what, (place.name, here, place.past, there, len(found), _listed(found, "; ")))


def can_see_hex(state: State, a: Hex, b: Hex, purpose: Purpose = _FIRE) -> Verdict:
    """Whether there is a Line of Sight from a to b; what blocks it, or else what comes near to blocking it and does not (15.4)."""
    against = verdict(sight_objections(state, a, b, purpose))
    return against if against.objections else Verdict(facts=tuple(_grounds(state, a, b, purpose)))


def _grounds(state: State, a: Hex, b: Hex, purpose: Purpose) -> Iterator[Objection]:
    """Why there is a Line of Sight."""
    field, found, place = state.setting, obstacles(state, a, b), vantage(state, a, purpose)
    names = tuple(map(field.board.label, (a, b)))
    special = field.strongpoints | field.observation_posts
    if a.adjacent(b):
        yield Objection("gts:15.4.k", "{} and {} are neighbours", names)
    elif found:
        yield Objection(
            _by_which(state, place, b, found), "the {} at {} sees past {}", (place.name, names[0], _listed(found, "; "))
        )
    elif special.isdisjoint((a, b)):
        yield Objection(("gts:15.4.a", "gts:15.4.m"), "nothing blocks the straight line from {} to {}, nor back", names)
    else:
        yield Objection("gts:15.4.a", "nothing blocks the straight line from {} to {}", names)
    if a.distance(b) > sight_limit(state):
        rules = (limit_rule(state, place), "gts:15.4.2.a", "gts:15.4.2.k")
        yield Objection(rules, "the {} at {} sees {} hexes far", (place.name, names[0], sight_limit(state, place)))
    yield from _ends(state, a, b)
    yield from _near_misses(state, a, b)


def _by_which(state: State, place: Vantage, target: Hex, found: list[Obstacle]) -> Iterator[str]:
    """The rules by which one sees past obstacles."""
    yield from place.use
    if place is OBSERVATION_POST and any(_BARRAGE in each.rules for each in found):
        yield "gts:15.4.2.h"
    if place is STRONGPOINT and target in state.setting.strongpoints:
        yield "gts:15.4.3.g"


def _ends(state: State, a: Hex, b: Hex) -> Iterator[Objection]:
    """What would block in the two hexes themselves."""
    for hex, into, barrage, how in (
        (a, "gts:15.4.d", "gts:15.4.1.j", "the line begins in {}"),
        (b, "gts:15.4.c", "gts:15.4.1.k", "the line ends in {}"),
    ):
        if a != b and (found := _in_hex(state, hex)):
            yield Objection(barrage if found.rules else into, how, (found.what,))


def _near_misses(state: State, a: Hex, b: Hex) -> Iterator[Objection]:
    """What stands beside the line, or on it, and does not block it."""
    met = list(_met(state, a, b))
    excused, ruling = _excused(state, met), ("gts:G17",) if _own_at_both_ends(met) else ()
    for spot, standing, complete in met:
        also = tuple(dict.fromkeys(rule for each in standing for rule in each.rules if rule == _AS_CREST))
        if spot.own and excused:
            rules = ("gts:15.4.1.f", *also, *ruling)
            yield Objection(rules, "{} belongs to one of the two hexes", (_listed(standing),))
        elif not complete:
            yield Objection((*spot.partly, *also), "{} stands on one side of the line only", (_listed(standing),))
    for offset in offsets(*(b - a)).touched:
        if found := _in_hex(state, a + offset):
            yield Objection("gts:15.4.l", "{} is only touched at a corner", (found.what,))
