"""Rule questions about fire: who may fire at whom, how strong it is, what may come of it; `questions` has them all.

>>> from beachhead_gts.cases import position
>>> state = position(["C3: Able allied q7", "E3: Dora german", "E3: woods"])
>>> print(fire_rating(state, "Able", "Dora", occasion="into-zone"))
4 Fire Rating of Able (gts:15.5.i) - 1 range 2, unarmored target (gts:15.6.d) - 2 woods (gts:15.6.t) + 2 moving into an enemy Fire Zone (gts:17.6.a) = 3
>>> hit_odds(3)
Distribution({False: 3/5, True: 2/5})
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeVar, overload

from attrs import evolve

from beachhead.dice import D10, Roll
from beachhead.hexes import Hex
from beachhead.odds import Distribution, Odds, of_end
from beachhead.policies import by_type, chosen, first
from beachhead.rules import Breakdown, Objection, Verdict, question, verdict
from beachhead.systems import Policy
from beachhead_gts import opportunity as opportunities
from beachhead_gts import quality, sight, zones
from beachhead_gts import rating as ratings
from beachhead_gts.battlefield import Away
from beachhead_gts.fire import Against, direct_fire, may_earn_bonus, target_objections, weapon_objections
from beachhead_gts.leaders import JoinNearest
from beachhead_gts.named import known, on_map
from beachhead_gts.rating import Occasion, Shot
from beachhead_gts.results import AcceptSuppression, BuyConversion, ConvertSuppression, TryConversion
from beachhead_gts.state import State
from beachhead_gts.tables import Result, WeaponClass, term
from beachhead_gts.wording import spelt

V = TypeVar("V")


# ------------------------------------------------------------ who may fire at whom
_OCCASIONS = {spelt(each.name): each for each in Occasion}


def _occasion(word: Occasion | str) -> Occasion:
    if isinstance(word, Occasion):
        return word
    if spelt(word) not in _OCCASIONS:
        raise ValueError(f"{word!r} is no occasion to fire: {', '.join(_OCCASIONS)}")
    return _OCCASIONS[spelt(word)]


_TRIGGERS: Mapping[Occasion, tuple[str, ...]] = {
    Occasion.INTO_ZONE: ("gts:17.2.a",),
    Occasion.INTO_NO_ZONE: ("gts:17.2.a",),
    Occasion.TRANSPORT: ("gts:17.2.c", "gts:17.2.f"),
    Occasion.ENTRENCHMENT: ("gts:17.2.d",),
    Occasion.COLUMN: ("gts:17.2.e",),
}
"""What sets off Opportunity Fire where it is done in an enemy Fire Zone."""


def _against_firing(state: State, unit: str, target: str, occasion: Occasion) -> Iterator[Objection]:
    on_map(state, unit)
    known(state, target)
    if occasion is Occasion.ACTION:
        if state.unit(unit).suppressed:
            yield Objection("gts:19.2.2.f", "{} is Suppressed", (unit,))
        if state.unit(unit).entering:
            yield Objection("gts:8.0.k", "{} is on its reinforcement hex", (unit,))
        yield from weapon_objections(state, unit)
    else:
        yield from opportunities.firing_objections(state, unit)
        hex, i = state.place(target), state.setting.number[unit]
        if isinstance(hex, Hex) and not zones.fire_zone(state, i) & state.setting.bit[hex]:
            yield Objection(_TRIGGERS[occasion], "{} is not in the Fire Zone of {}", (target, unit))
    yield from target_objections(state, unit, target)


def _for_firing(state: State, unit: str, target: str, occasion: Occasion) -> Iterator[Objection]:
    """Why a unit can fire at another, where nothing is said against it: Fire Zone, Fire Range and Line of Sight."""
    here, there, i = state.place(unit), state.place(target), state.setting.number[unit]
    if not isinstance(here, Hex) or not isinstance(there, Hex):
        return
    if occasion is not Occasion.ACTION:
        for fact in zones.covers(state, i, there).facts:
            yield evolve(fact, rules=(*_TRIGGERS[occasion], *fact.rules))
    distance = here.distance(there)
    what = (target, distance, "es" * (distance != 1), unit, zones.fire_range(state, i))
    yield Objection(("gts:15.3.a", "gts:15.5.f"), "{} is {} hex{} away, and {} fires {}", what)
    yield from sight.can_see_hex(state, here, there).facts


@question
def may_fire(
    state: State, unit: str, target: str, *, occasion: Occasion | str = Occasion.ACTION, opportunity: bool = False
) -> Verdict:
    """Whether a unit could fire at another where both stand, in an Action or as Opportunity Fire (15.3, 15.5, 17.2 to 17.5).

    It is asked of the shot alone, whoever's turn it is: what the chit that is being played permits, `permission` says, and whether the unit
    may fire now, `check` of the game.

    Args:
        state: the position.
        unit: who fires.
        target: at whom.
        occasion: as in `fire_rating`.
        opportunity: the same as "into-zone".
    """
    kind = _occasion(occasion)
    if opportunity and kind is Occasion.ACTION:
        kind = Occasion.INTO_ZONE
    against = verdict(_against_firing(state, unit, target, kind))
    return against if against.objections else Verdict(facts=tuple(_for_firing(state, unit, target, kind)))


def _shot(state: State, unit: str, target: str, occasion: Occasion | str) -> Shot:
    """A shot that can be fired.

    Raises:
        ValueError: it cannot; every reason.
    """
    kind = _occasion(occasion)
    against = verdict(_against_firing(state, unit, target, kind))
    if not against:
        raise ValueError(str(against))
    return Shot(unit, target, kind)


@question
def fire_rating(
    state: State, unit: str, target: str, *, occasion: Occasion | str = Occasion.ACTION, company_bonus: bool = False
) -> Breakdown:
    """The Fire Rating of a shot, modifier by modifier (15.6, 17.6).

    Args:
        state: the position.
        unit: who fires.
        target: at whom.
        occasion: "action"; or what sets off Opportunity Fire: "into-zone" and "into-no-zone" (the target leaves for a hex of an enemy Fire
            Zone, or of none), "transport", "entrenchment", "column".
        company_bonus: the unit has passed the check for its Company Bonus.

    Raises:
        ValueError: it cannot fire at the target (`may_fire` says why), or has no Company Bonus.
    """
    shot = _shot(state, unit, target, occasion)
    if company_bonus and not (shot.occasion is Occasion.ACTION and may_earn_bonus(state, unit)):
        raise ValueError(f"{unit} has no Company Bonus: full two-Step units have one, for fire in their Actions (15.6)")
    return ratings.fire_rating(state, shot, company_bonus=company_bonus)


@question
def hit_odds(rating: int) -> Distribution[bool]:
    """Whether a roll against a Fire Rating hits (15.5).

    >>> hit_odds(4)[True], hit_odds(-3)[True], hit_odds(12)[True]
    (Fraction(1, 2), Fraction(1, 10), Fraction(9, 10))
    """
    return _roll(rating, (Result.STEP_LOSS,) * 9).by(lambda result: result is not Result.MISS)


def _roll(rating: int, results: tuple[Result, ...]) -> Distribution[Result]:
    die = Roll(D10, Against(rating, results), "gts:15.5.q")
    return Distribution({face: Fraction(1, len(D10.faces)) for face in D10.faces}).by(
        lambda face: die.read(face).result
    )


@question
def line_odds(state: State, rating: int, weapon: WeaponClass | str, *, armored: bool = False) -> Distribution[Result]:
    """What a roll against a Fire Rating comes to on a line of the Combat Results Table, named by its Weapons Class or that one's colour (15.5)."""
    return _roll(rating, state.setting.charts.results[term(WeaponClass, weapon), armored].results)


@question
def result_odds(
    state: State, unit: str, target: str, *, occasion: Occasion | str = Occasion.ACTION, company_bonus: bool = False
) -> Distribution[Result]:
    """What the roll of a shot comes to; what the result does to the target, `fire_odds` says (15.5). The arguments are those of `fire_rating`."""
    total = fire_rating(state, unit, target, occasion=occasion, company_bonus=company_bonus).total
    return _roll(total, ratings.result_line(state, Shot(unit, target, _occasion(occasion))).results)


# ------------------------------------------------------------ odds
def _prefer(*kinds: type) -> Policy:
    """The first option of the first of some classes that is open."""
    return lambda view, decision, options: next(each for kind in kinds for each in options if type(each) is kind)


_OTHERS: Mapping[type, Policy] = {
    opportunities.ChooseOpportunityFire: _prefer(opportunities.HoldFire),
    JoinNearest: first,
}
"""Nobody else fires, and a Leader whose unit is eliminated goes to the first of the nearest."""
_ROLL = {**_OTHERS, quality.MeetCheck: _prefer(quality.RollDie)}
_PAY = {**_OTHERS, quality.MeetCheck: _prefer(quality.SpendPoint)}
STEADY: Policy = by_type({**_ROLL, ConvertSuppression: _prefer(AcceptSuppression)})
"""Every check is rolled, and a Suppression is taken as it is."""
CONVERTING: Policy = by_type({**_ROLL, ConvertSuppression: _prefer(TryConversion)})
"""Every check is rolled, and each Suppression is tried to turn into a Cohesion Hit."""
SPENDING: Policy = by_type({**_PAY, ConvertSuppression: _prefer(BuyConversion, TryConversion)})
"""Command Points pass the checks that they can pass, and turn Suppressions into Cohesion Hits; where there are none, the die decides."""
NAMED: Mapping[str, tuple[Policy, str]] = {
    "steady": (STEADY, "checks are rolled, and a Suppression is taken as it is"),
    "converting": (CONVERTING, "checks are rolled, and each Suppression is tried to turn into a Cohesion Hit"),
    "spending": (SPENDING, "Command Points pass checks and turn Suppressions into Cohesion Hits while there are any"),
}
"""Policies for what a unit that is fired at decides, by name, with what each assumes."""


@overload
def fire_odds(
    state: State,
    unit: str,
    target: str,
    *,
    by: Callable[[State], V],
    occasion: Occasion | str = Occasion.ACTION,
    policy: Policy | str | None = None,
) -> Distribution[V]: ...
@overload
def fire_odds(
    state: State,
    unit: str,
    target: str,
    *,
    by: None = None,
    occasion: Occasion | str = Occasion.ACTION,
    policy: Policy | str | None = None,
) -> Distribution[str]: ...
@question
def fire_odds(
    state: State,
    unit: str,
    target: str,
    *,
    by: Callable[[State], V] | None = None,
    occasion: Occasion | str = Occasion.ACTION,
    policy: Policy | str | None = None,
) -> Distribution[Any]:
    """How a whole Direct Fire may end, exactly: Company Bonus, roll, result, its checks and conversions (15.5, 15.6, 19.2).

    Args:
        state: the position.
        unit: who fires.
        target: at whom.
        by: what to ask of the state at the end: `lambda after: after.unit("Dora").cohesion`; if left out, what becomes of the target, in words.
        occasion: as in `fire_rating`; Opportunity Fire is taken after its check has been passed.
        policy: answers the decisions on the way: "steady", "converting" or "spending", one of the system's by its name, or a policy.
            `STEADY` if left out. The answer says which.

    Raises:
        ValueError: it cannot fire at the target, as for `fire_rating`; no policy of that name.
        NeedsPolicy: a decision that the policy does not answer.
        TypeError: the policy is none, `by` is no function, or what it gives cannot be counted.
    """
    from beachhead_gts.system import SYSTEM

    shot, told = _shot(state, unit, target, occasion), of_end(by or _becomes(state, target))
    answers, says = _policy(policy)
    ends = Odds[State](SYSTEM.over, answers).of(direct_fire, (shot,), state)
    authored = ratings.fire_rating(state, shot).authored
    notes = (says, "figures that no printed source gives (authored)") if authored else (says,)
    return Distribution(ends, notes).by(told)


def _becomes(before: State, unit: str) -> Callable[[State], str]:
    """What becomes of a unit, in words: "Dora takes a Cohesion Hit"."""

    def told(after: State) -> str:
        was, now = before.unit(unit), after.unit(unit)
        if now.place is Away.ELIMINATED:
            return f"{unit} is eliminated"
        happens = [
            "loses a Step" if now.losses > was.losses else "",
            "takes a Cohesion Hit" if now.cohesion > was.cohesion else "",
            "is Suppressed" if now.suppressed and not was.suppressed else "",
        ]
        return f"{unit} {' and '.join(filter(None, happens)) or 'is unharmed'}"

    return told


def _policy(policy: Policy | str | None) -> tuple[Policy, str]:
    """Who answers the decisions on the way, and what that assumes."""
    from beachhead_gts.system import SYSTEM

    if policy is None:
        policy = "steady"
    if isinstance(policy, str) and policy in NAMED:
        return NAMED[policy]
    name = repr(policy) if isinstance(policy, str) else "given"
    others = {each: answers for each, (answers, _) in NAMED.items()}
    return chosen(SYSTEM, policy, others), f"decisions on the way by the policy {name}"
