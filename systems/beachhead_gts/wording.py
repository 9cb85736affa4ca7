"""Units in words, as case rows write them: "q7 range4 fire6 dual-purpose leg gun c1 transport(move8 tracked)".

>>> said = unit_words(["q7", "fire6", "mortar", "c1", "transport(move8", "tracked)"])
>>> front = face_of(said, COMPANY)
>>> front.quality, front.fire, front.weapon, backs_of(said, front)["transport"].movement, said["cohesion"]
(7, 6, WeaponClass.MORTAR, 8, 1)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve, fields_dict

from beachhead.sketches import Wrong
from beachhead.spelling import nearest
from beachhead_gts.battlefield import NO, STAR, Face
from beachhead_gts.state import Unit
from beachhead_gts.tables import Cover, MovementClass, Side, Stripe, UnitClass, WeaponClass

COMPANY = Face(
    fire_range=2,
    fire=4,
    weapon=WeaponClass.SMALL_ARMS,
    assault=4,
    assault_weapon=WeaponClass.SMALL_ARMS,
    movement=5,
    movement_class=MovementClass.LEG,
    defense=0,
    armored=False,
    quality=6,
    unit_class=UnitClass.INFANTRY,
)
"""What is printed on a counter of which nothing else is said; it has two Steps."""
TRUCKS = evolve(
    COMPANY,
    fire_range=NO,
    fire=NO,
    assault=NO,
    movement=10,
    movement_class=MovementClass.WHEELED,
    defense=2,
    unit_class=UnitClass.VEHICLE,
)
"""The same of a Vehicle side; its Troop Quality is that of the front."""
STEPS = 2
SIDES = {side.value.lower(): side for side in Side}


def spelt(term: object) -> str:
    """A term as one word: small letters, hyphens for blanks and underscores."""
    return str(term).lower().replace(" ", "-").replace("_", "-")


# ------------------------------------------------------------ single words
_RATINGS: Mapping[str, tuple[str, int, int]] = {
    "q": ("quality", 0, 9),
    "range": ("fire_range", 1, 99),
    "fire": ("fire", 0, 19),
    "assault": ("assault", 0, 19),
    "move": ("movement", 1, 40),
    "def": ("defense", -9, 9),
    "air": ("air_defense", 0, 9),
}
"""Words with a number: which rating, and its lowest and highest figure."""
_IN_PLACE: Mapping[str, Mapping[str, Any]] = {
    "range": {"no": NO},
    "fire": {"no": NO},
    "assault": {"no": NO},
    "move": {"no": NO, "*": STAR},
}
"""What may be printed in place of the number."""
_RATING = re.compile(rf"({'|'.join(_RATINGS)})(no|\*|[-+]?\d+)")
_FACE: Mapping[str, Mapping[str, Any]] = {
    **{spelt(weapon): {"weapon": weapon} for weapon in WeaponClass},
    **{f"assault-{spelt(weapon)}": {"assault_weapon": weapon} for weapon in WeaponClass},
    **{spelt(each): {"movement_class": each} for each in MovementClass if each is not MovementClass.IMMOBILE},
    "immobile": {"movement": NO},
    **{spelt(each): {"unit_class": each} for each in UnitClass},
    "armored": {"armored": True},
    "auto-command": {"auto_command": True},
}
"""The other words for one side of a counter, and what each of them says."""
_MARKERS: Mapping[str, Mapping[str, Any]] = {
    "loss1": {"losses": 1},
    "c1": {"cohesion": 1},
    "c2": {"cohesion": 2},
    "suppressed": {"suppressed": True},
    "column": {"column": True},
    "mounted": {"mounted": True},
    "improved": {"cover": Cover.IMPROVED},
    "entrenched": {"cover": Cover.ENTRENCHED},
    **{f"rallying{n}": {"rallying": n} for n in range(1, 10)},
    "entering": {"entering": True},
}
_UNIT: Mapping[str, Mapping[str, Any]] = {
    **{name: {"side": side} for name, side in SIDES.items()},
    **{f"steps{n}": {"steps": n} for n in range(STEPS + 1)},
    "white": {"stripe": Stripe.WHITE},
    "black": {"stripe": Stripe.BLACK},
    **_FACE,
    **_MARKERS,
}
_OFTEN: Mapping[str, Mapping[str, Any]] = {
    "tank": {
        "unit_class": UnitClass.VEHICLE,
        "movement_class": MovementClass.TRACKED,
        "armored": True,
        "weapon": WeaponClass.DUAL_PURPOSE,
        "defense": -2,
        "movement": 8,
        "steps": 1,
    }
}
"""Words that say several things at once, each of which another word may say otherwise."""
_BACKS = ("reduced", "transport")
_BELONGING = {"of": "formation", "div": "division"}
"""Words behind which a name stands."""
_FIGURES = tuple(f"{rating}N" for rating in _RATINGS)
WORDS = (*_UNIT, *_OFTEN, *_FIGURES, *_BACKS, *_BELONGING)
"""All words for a unit."""


def _meaning(word: str, known: Mapping[str, Mapping[str, Any]], right: str) -> Mapping[str, Any]:
    """What a word says. `right` is what would be right where no word is near."""
    if word in known:
        return known[word]
    if rating := _RATING.fullmatch(word):
        key, figure = rating.groups()
        name, low, high = _RATINGS[key]
        instead = _IN_PLACE.get(key, {})
        if figure in instead:
            return {name: instead[figure]}
        if figure.lstrip("+-").isdecimal() and low <= int(figure) <= high:
            return {name: int(figure)}
        raise Wrong(f"{word}: no such figure", f"{key} and a number from {low} to {high}")
    of, words = ("a unit", WORDS) if known is _UNIT else ("a unit's back", (*known, *_FIGURES))
    hint = nearest(word, words)
    raise Wrong(f"{word!r} is no word for {of}{hint}", "" if hint else right)


def named(word: str, name: str) -> str:
    """The name behind "of" or "div", of that to which a unit belongs.

    Raises:
        Wrong: nothing stands there, or the next word for a unit.
    """
    if not name or name in WORDS or _RATING.fullmatch(name):
        what = _BELONGING[word].capitalize()
        raise Wrong(f"{word!r} has no name behind it", f"{word} {what.upper()}: the name of its {what}")
    return name


def add(said: dict[str, Any], word: str, more: Mapping[str, Any]) -> None:
    """Take in what a word says.

    Raises:
        Wrong: another word has said it.
    """
    for what, value in more.items():
        if what in said:
            raise Wrong(f"{word!r} says its {what.replace('_', ' ')} twice", "each thing once")
        said[what] = value


# ------------------------------------------------------------ whole counters
def unit_words(words: Iterable[str]) -> dict[str, Any]:
    """What the words for a unit say: ratings and markers by the names of their fields, side, stripe, steps, formation, division, and its backs.

    Raises:
        Wrong: a word that there is not, or is not whole, or what is said twice.
    """
    said, often = dict[str, Any](), dict[str, Any]()
    found = re.findall(r"[^\s()]+(?:\([^)]*\)?)?|[()]", " ".join(words))
    whose = not {*SIDES, "of"}.isdisjoint(found)
    right = f"known: {', '.join(WORDS)}" if whose else f"first whose it is, {' or '.join(SIDES)}"
    rest = iter(found)
    for each in rest:
        word, bracket, inside = each.partition("(")
        if each == ")" or (bracket and (word not in _BACKS or not inside.endswith(")"))):
            raise Wrong(f"{each!r} is not whole", "brackets as in reduced(fire2 q5) or transport(move8 tracked)")
        if word in _BELONGING:
            add(said, word, {_BELONGING[word]: named(word, next(rest, ""))})
        elif word in _BACKS:
            add(said, word, {word: inside.rstrip(")")})
        elif word in _OFTEN:
            often |= _OFTEN[word]
        else:
            add(said, word, _meaning(word, _UNIT, right))
    return {**often, **said}


def only(said: Mapping[str, Any], kind: type) -> dict[str, Any]:
    """What is said of the fields of a class."""
    return {name: value for name, value in said.items() if name in fields_dict(kind)}


def face_of(said: Mapping[str, Any], like: Face) -> Face:
    """A side of a counter that differs from another in what is said."""
    face: Face = evolve(like, **only(said, Face))
    if "assault_weapon" not in said and "weapon" in said:
        face = evolve(face, assault_weapon=face.weapon)
    if face.movement is STAR:
        return evolve(face, unit_class=said.get("unit_class", UnitClass.GUN), movement_class=MovementClass.LEG)
    if face.movement is NO:
        return evolve(face, movement_class=MovementClass.IMMOBILE)
    if face.unit_class is UnitClass.VEHICLE and face.movement_class is MovementClass.LEG:
        return evolve(face, movement_class=MovementClass.TRACKED)
    return face


def backs_of(said: Mapping[str, Any], front: Face) -> dict[str, Face]:
    """The back of a counter, if it is said to have one: its reduced side, or its vehicle.

    Raises:
        Wrong: it has two, or a word that there is not.
    """
    found: dict[str, Face] = {}
    for kind in _BACKS:
        if kind in said:
            own: dict[str, Any] = {}
            for word in said[kind].split():
                add(own, word, _meaning(word, _FACE, f"known: {', '.join((*_FACE, *_FIGURES))}"))
            found[kind] = face_of(own, _reduced(front) if kind == "reduced" else evolve(TRUCKS, quality=front.quality))
    if len(found) > 1:
        raise Wrong("a counter has one back", "reduced or transport: with a vehicle, a Step Loss marker stands in")
    return found


def _reduced(front: Face) -> Face:
    """One less of each rating that a Step Loss marker would lower."""
    fire, assault = (value - 1 if isinstance(value, int) else value for value in (front.fire, front.assault))
    return evolve(front, fire=fire, assault=assault, quality=front.quality - 1)


def unit_of(said: Mapping[str, Any], **more: Any) -> Unit:
    """The markers on a unit."""
    return Unit(**more, **only(said, Unit))
