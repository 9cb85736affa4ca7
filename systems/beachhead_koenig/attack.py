"""The Attack Factor: who fires at what, with which strength, over which ground, and how the die is read against it (9.0 to 9.3)."""

from __future__ import annotations

from functools import lru_cache

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.rules import Breakdown, Modifier
from beachhead_koenig.beach import Beach
from beachhead_koenig.events import MOST_HITS
from beachhead_koenig.ground import terrain
from beachhead_koenig.state import State
from beachhead_koenig.tables import ACROSS_A_RIVER, EFFECT_ON_FIRE, Fire, FireResult, half


@frozen
class Attack:
    """Step 1: who fires at what, and how. `indirect` are those of the units that fire indirectly.

    With `Fire.CLOSE` it is the one unit that has entered the target hex for Close Combat.
    """

    units: tuple[str, ...]
    target: Hex
    fire: Fire
    indirect: tuple[str, ...] = ()


@frozen
class Against:
    """How the die is read: below the Attack Factor a Hit, equal to it an Exchange, above it a Miss (9.0, step 5).

    >>> [str(Against(2).read(face)) for face in (1, 2, 3)]
    ['Hit', 'Exchange', 'Miss']
    """

    factor: int

    def read(self, face: int, /) -> FireResult:
        """What this face comes to."""
        if face < self.factor:
            return FireResult.HIT
        return FireResult.EXCHANGE if face == self.factor else FireResult.MISS

    def __str__(self) -> str:
        return f"against Attack Factor {self.factor}"


RESULT_RULES = {
    FireResult.HIT: ("koenig:9.0.n", "koenig:K-02"),
    FireResult.EXCHANGE: ("koenig:9.0.o", "koenig:K-02"),
    FireResult.MISS: ("koenig:9.0.p", "koenig:K-02"),
}


def strength(state: State, unit: str, fire: Fire, *, indirect: bool = False) -> Breakdown:
    """What a unit adds to an Attack Factor: its Combat Strength, halved in Mobile and Indirect Fire, less one with two Hits (9.3.1).

    It is never less than nothing (koenig:K-05).
    """
    return _strength(state.setting, unit, fire, indirect, state.unit(unit).hits == MOST_HITS)


@lru_cache(maxsize=4096)
def _strength(beach: Beach, unit: str, fire: Fire, indirect: bool, worn: bool) -> Breakdown:
    piece = beach.piece(unit)
    halved = indirect or fire is Fire.MOBILE
    value = half(piece.strength) if halved else piece.strength
    if indirect:
        rules: tuple[str, ...] = ("koenig:14.4.c", "koenig:2.1.c", "koenig:K-30")
    elif fire is Fire.MOBILE:
        rules = ("koenig:9.0.f", "koenig:2.1.c", "koenig:K-04")
    else:
        rules = ("koenig:10.0.d",) if fire is Fire.CLOSE else ("koenig:9.0.e",)
    name = f"half of {piece.strength}, {unit}" if halved else unit
    terms = Breakdown.of(Modifier(name, value, rules, piece.authored))
    if worn and value:
        less = ("koenig:9.3.1.b", "koenig:9.3.1.c") if halved else ("koenig:9.3.1.b",)
        terms += Modifier(f"{unit} has two Hits", -1, less)
    return terms


def attack_factor(state: State, attack: Attack) -> Breakdown:
    """The Attack Factor before support: strengths (step 1) and terrain (step 4)."""
    total = Breakdown()
    for unit in attack.units:
        total += strength(state, unit, attack.fire, indirect=unit in attack.indirect)
    return total + terrain_effects(state, attack)


def terrain_effects(state: State, attack: Attack) -> Breakdown:
    """What terrain does to the Attack Factor as a whole: the target's hex, and a river between it and all attackers (9.2)."""
    effects = _ground_effects(state.setting, attack.target)
    direct = [unit for unit in attack.units if unit not in attack.indirect]
    if direct and all(_across_a_river(state, unit, attack.target) for unit in direct):
        effects += _CUMULATIVE_RIVER if effects.terms else ACROSS_A_RIVER
    return effects


@lru_cache(maxsize=4096)
def _ground_effects(beach: Beach, target: Hex) -> Breakdown:
    found = [EFFECT_ON_FIRE[name] for name in terrain(beach, target) if name in EFFECT_ON_FIRE]
    if len(found) > 1:
        if beach.choice("K-10") == "best_defence":
            best = min(found, key=lambda effect: effect.value)
            found = [Modifier(best.label, best.value, (*best.rules, "koenig:K-10"))]
        else:
            found = [Modifier(effect.label, effect.value, (*effect.rules, "koenig:K-10")) for effect in found]
    return Breakdown(tuple(found))


_CUMULATIVE_RIVER = Modifier(ACROSS_A_RIVER.label, ACROSS_A_RIVER.value, (*ACROSS_A_RIVER.rules, "koenig:9.2.e"))


def _across_a_river(state: State, unit: str, target: Hex) -> bool:
    here = state.place(unit)
    return isinstance(here, Hex) and "river" in state.setting.board.features(here, target)
