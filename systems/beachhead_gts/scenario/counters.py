"""Counters in words: "range 3 fire 5 small-arms assault 4 defense 0 quality 6 move 5 leg infantry"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from attrs import evolve, field, frozen

from beachhead.scenario_values import Value
from beachhead.sentences import listed
from beachhead.spelling import nearest
from beachhead_gts.battlefield import NO, STAR, Face
from beachhead_gts.scenario.origins import KEYS, Origin, Origins
from beachhead_gts.tables import MovementClass, UnitClass, WeaponClass

FACES = ("front", "reduced", "transport")
FIGURES = ("steps", *FACES)
MOST_STEPS = 2


def _spelt(word: object) -> str:
    return str(word).lower().replace(" ", "-")


WEAPONS = {_spelt(weapon): weapon for weapon in WeaponClass} | {weapon.colour: weapon for weapon in WeaponClass}
"""Weapons Classes by their names, and by the colours of the box around a rating."""
MOVEMENT = {_spelt(each): each for each in MovementClass if each is not MovementClass.IMMOBILE} | {
    "black": MovementClass.WHEELED,
    "red": MovementClass.TRACKED,
    "white": MovementClass.LEG,
}
"""Movement Classes by their names, and by the colours in which a Movement Allowance is printed."""
CLASSES = {_spelt(each): each for each in UnitClass}
_QUALIFIERS: Mapping[str, Mapping[str, Any]] = {
    "range": {"red": True},
    "fire": WEAPONS,
    "assault": WEAPONS,
    "defense": {"armored": True, "unarmored": False},
    "quality": {},
    "move": MOVEMENT,
    "air": {},
}
"""The ratings, and the words that may follow the number of each."""
_LIMITS = {
    "range": (1, 99),
    "fire": (0, 19),
    "assault": (0, 19),
    "defense": (-9, 9),
    "quality": (0, 9),
    "move": (1, 40),
    "air": (0, 9),
}
_PRINTED: Mapping[str, Mapping[str, Any]] = {
    "range": {"no": NO},
    "fire": {"no": NO},
    "assault": {"no": NO},
    "move": {"no": NO, "*": STAR},
}
"""What may stand in place of the number."""
_NUMBER = re.compile(r"[+-]?[0-9]+|No|\*", re.IGNORECASE)
_ON_FRONT = ("fire", "assault", "defense", "quality", "move", "class")
_ON_VEHICLE = ("defense", "quality", "move")


@frozen
class _Rating:
    """What one word and its number say; a qualifier is None where none stands there."""

    value: Any
    qualifier: Any = None


def read_face(value: Value, like: Face | None = None, *, vehicle: bool = False) -> Face | None:
    """One side of a counter; None after a fault.

    Args:
        value: the text.
        like: the side that it differs from, where only differences are said.
        vehicle: it is a Vehicle side (14.10): it has neither fire nor assault unless they are said, and its class is known.

    >>> read_face(Value("front", "range 3 red fire 5 pink assault 4 defense -1 quality 6 move 5 leg infantry", []))
    Face(fire_range=3, fire=5, weapon=WeaponClass.SMALL_ARMS, assault=4, assault_weapon=WeaponClass.SMALL_ARMS, movement=5, movement_class=MovementClass.LEG, defense=-1, armored=False, quality=6, unit_class=UnitClass.INFANTRY, auto_command=True, air_defense=0)
    """
    before = len(value.faults)
    said = _ratings(value)
    if len(value.faults) > before:
        return None
    if like is None:
        missing = [key for key in (_ON_VEHICLE if vehicle else _ON_FRONT) if key not in said]
        if missing:
            value.fault(f"no {listed(missing)}", "each of them; what is not printed is No: 'fire No'")
            return None
        if vehicle:
            said = {"fire": _Rating(NO), "assault": _Rating(NO), "class": _Rating(UnitClass.VEHICLE), **said}
    face = _face(said, like)
    for problem, fix in _problems(said, face, like, vehicle=vehicle):
        value.fault(problem, fix)
    return face if len(value.faults) == before else None


def _ratings(value: Value) -> dict[str, _Rating]:
    """What each word says; "class" for the Unit Class."""
    words = value.text().replace(",", " ").split()
    found: dict[str, _Rating] = {}
    while words:
        word = words.pop(0).lower()
        key = "class" if word in CLASSES else word
        if key in found:
            value.fault(f"{key} stands there twice", "each rating once")
        if word in CLASSES:
            found[key] = _Rating(CLASSES[word])
        elif word in _QUALIFIERS:
            found[word] = _rating(value, word, words)
        else:
            known = (*_QUALIFIERS, *CLASSES, *chain.from_iterable(_QUALIFIERS.values()))
            fix = nearest(word, known) or f"one of {', '.join((*_QUALIFIERS, *CLASSES))}"
            value.fault(f"{word!r} is no word for a counter here", fix)
            if words and _NUMBER.fullmatch(words[0]):
                del words[0]
    return found


def _rating(value: Value, key: str, words: list[str]) -> _Rating:
    """The number that comes next, and the word behind it."""
    number = words.pop(0) if words else ""
    low, high = _LIMITS[key]
    printed = _PRINTED.get(key, {})
    found: Any = None
    if number.lower() in printed:
        found = printed[number.lower()]
    elif number.lstrip("+-").isdecimal() and low <= int(number) <= high:
        found = int(number)
    else:
        instead = "".join(f" or {word}" for word in ("No", "*") if word.lower() in printed)
        value.fault(f"{key} {number}".strip() + ": no such number", f"{key} and a number from {low} to {high}{instead}")
    qualifiers = _QUALIFIERS[key]
    qualifier = qualifiers[words.pop(0).lower()] if words and words[0].lower() in qualifiers else None
    return _Rating(found, qualifier)


def _face(said: Mapping[str, _Rating], like: Face | None) -> Face:
    """The side that these ratings make, on top of another."""
    fields = {name: said[key].value for key, name in _FIELDS.items() if key in said}
    if "range" in said:
        fields["auto_command"] = said["range"].qualifier is not None
    if "defense" in said and (like is None or said["defense"].qualifier is not None):
        fields["armored"] = said["defense"].qualifier is True
    if "move" in said:
        fields["movement_class"] = _movement_class(said["move"], like)
    fields |= {name: weapon for key, name in _WEAPON_OF.items() if (weapon := _weapon(said, key)) is not None}
    if like is not None:
        return evolve(like, **fields)
    usual = {"fire_range": NO, "weapon": WeaponClass.SMALL_ARMS, "assault_weapon": WeaponClass.SMALL_ARMS}
    return Face(**{**usual, **fields})


_FIELDS = {
    "range": "fire_range",
    "fire": "fire",
    "assault": "assault",
    "defense": "defense",
    "quality": "quality",
    "move": "movement",
    "air": "air_defense",
    "class": "unit_class",
}
_WEAPON_OF = {"fire": "weapon", "assault": "assault_weapon"}


def _weapon(said: Mapping[str, _Rating], key: str) -> WeaponClass | None:
    """The Weapons Class that is said of a rating; an Assault Rating has that of the Fire Rating unless one is said."""
    named: list[WeaponClass] = [said[k].qualifier for k in (key, "fire") if k in said and said[k].qualifier is not None]
    return named[0] if named and key in said else None


def _movement_class(move: _Rating, like: Face | None) -> MovementClass:
    """A star counts as Leg (14.11), and without an allowance a unit is Immobile (14.4)."""
    if move.value is NO:
        return MovementClass.IMMOBILE
    if move.qualifier is not None:
        found: MovementClass = move.qualifier
        return found
    return like.movement_class if like is not None and move.value is not STAR else MovementClass.LEG


def _problems(
    said: Mapping[str, _Rating], face: Face, like: Face | None, *, vehicle: bool
) -> Iterator[tuple[str, str]]:
    """What cannot be printed on a counter, and what would be right."""
    for key in _WEAPON_OF:
        if like is None and key in said and isinstance(said[key].value, int) and _weapon(said, key) is None:
            rating = f"{key} {said[key].value}"
            yield f"{rating} of which Weapons Class?", f"its name or its colour: '{rating} small-arms', '{rating} pink'"
            break  # where the Fire Rating has one, so has the Assault Rating
    move = said.get("move")
    if move and isinstance(move.value, int) and move.qualifier is None and (like is None or like.movement is NO):
        yield f"move {move.value} of which Movement Class?", f"'move {move.value} leg', or wheeled or tracked"
    if vehicle and (face.unit_class is not UnitClass.VEHICLE or not isinstance(face.movement, int)):
        yield "the transport side is no vehicle that moves", "class vehicle, and a number for move (14.10)"
    elif face.movement is STAR and face.unit_class is not UnitClass.GUN:
        yield "a star in place of the Movement Allowance", "only guns have one (14.11)"


# ------------------------------------------------------------ types of counters
@frozen
class Counter:
    """What is printed on a kind of counters, and whence each of its sides comes."""

    steps: int
    front: Face
    reduced: Face | None = None
    transport: Face | None = None
    origins: Mapping[str, Origin] = field(factory=dict)


def read_counters(value: Value, around: Origins) -> dict[str, Counter | None]:
    """The kinds of counters by name; None for one that cannot be read."""
    if not isinstance(value.value, dict):
        value.table({})
        return {}
    names = [name for name in value.value if name not in KEYS]
    fields = value.table({}, *names, *KEYS)
    own = Origins.read(fields, FIGURES, around)
    return {name: read_counter(fields[name], own) for name in names}


def read_counter(value: Value, around: Origins) -> Counter | None:
    """A kind of counters."""
    fields = value.table({"front": "its ratings", "steps": "0, 1 or 2"}, *FIGURES, *KEYS)
    return counter_of(fields, None, Origins.read(fields, FIGURES, around))


def counter_of(fields: Mapping[str, Value], like: Counter | None, own: Origins) -> Counter | None:
    """The counter that a table describes, on top of a kind of counters; None after a fault. `own` is what the table says of its figures."""
    first = next(iter(fields.values()), None)
    if first is None:
        return None
    before = len(first.faults)
    steps = fields["steps"].number(0, MOST_STEPS) if "steps" in fields else like.steps if like else None
    front = (
        read_face(fields["front"], like.front if like else None) if "front" in fields else like.front if like else None
    )
    reduced, transport = (like.reduced, like.transport) if like else (None, None)
    if "reduced" in fields and front is not None:
        reduced = read_face(fields["reduced"], front)
    if "transport" in fields:
        transport = read_face(fields["transport"], vehicle=True)
    if reduced and transport:
        first_back = fields.get("transport") or fields["reduced"]
        first_back.fault(
            "a counter has one back", "reduced or transport: with a vehicle, a Step Loss marker stands in for the other"
        )
    if reduced and steps is not None and steps < MOST_STEPS and "reduced" in fields:
        fields["reduced"].fault(f"a counter with {steps} steps has no reduced side", "steps = 2")
    if transport and front and front.unit_class is UnitClass.VEHICLE:
        fields.get("transport", first).fault("vehicles are not transported", "only Infantry and Guns mount (14.10)")
    there = [figure for figure in FIGURES if figure in fields]
    origins = {**(like.origins if like else {}), **own.of(there)}
    if steps is None or front is None or len(first.faults) > before:
        return None
    return Counter(steps, front, reduced, transport, origins)
