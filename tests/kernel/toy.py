"""Dare: a whole system in one small file. Each turn a side holds one hidden card and may dare to roll no more than it says; three points win.

It is the kernel's own test subject, and the example of the page "Write your own system".
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, final

from attrs import evolve, field, frozen

from beachhead import policies
from beachhead.cup import Cup
from beachhead.dice import D6, AtMost, Roll
from beachhead.enums import Named
from beachhead.errors import Fault, ScenarioError
from beachhead.hexes import DoubledLabels, Labels
from beachhead.play import UNKNOWN, Chance, Decision, Event, Play, Setting, Unknown, by_key, call
from beachhead.rules import Catalogue, Objection, Verdict
from beachhead.systems import Policy, Result, Source


class Side(Named):
    RED = "Red"
    BLUE = "Blue"

    @property
    def enemy(self) -> Side:
        return Side.BLUE if self is Side.RED else Side.RED


@frozen(eq=False)
class Table(Setting):
    """What a scenario fixes: the points that win, and how many times in a row a side may pass."""

    goal: int
    passes: int


@frozen(cache_hash=True)
class State:
    setting: Table = field(repr=by_key)
    deck: Cup[int]
    cards: tuple[int | Unknown | None, ...] = (None, None)
    points: tuple[int, ...] = (0, 0)
    passed: tuple[int, ...] = (0, 0)
    active: Side = Side.RED


def _put(values: tuple[Any, ...], side: Side, value: Any) -> tuple[Any, ...]:
    return (value, values[1]) if side is Side.RED else (values[0], value)


def of(values: tuple[Any, ...], side: Side) -> Any:
    return values[side is Side.BLUE]


# ------------------------------------------------------------ chances and events
@frozen
class DrawCard(Chance[State, int]):
    """The hidden card: any of those that nobody has seen. Only its owner is told which."""

    side: Side
    rule: str = "toy:1.1"

    def outcomes(self, state: State) -> Sequence[tuple[int, int]]:
        return state.deck.counts

    def read(self, outcome: int) -> int:
        return outcome

    def answer_seen_by(self, side: object) -> bool:
        return side is self.side


@frozen
class CardDrawn(Event[State]):
    side: Side
    card: int | Unknown
    rule: str = "toy:1.1"
    begins_turn = True

    def fold(self, state: State) -> State:
        deck = state.deck if isinstance(self.card, Unknown) else state.deck.remove(self.card)
        return evolve(state, deck=deck, cards=_put(state.cards, self.side, self.card))

    def seen_by(self, side: object) -> CardDrawn:
        return self if side is self.side else evolve(self, card=UNKNOWN)

    def text(self, state: State) -> str:
        return f"{self.side.value} draws {'a card' if isinstance(self.card, Unknown) else self.card}"


@frozen
class Dared(Event[State]):
    """The card comes to light, is put back, and scores its point or not."""

    side: Side
    card: int
    success: bool
    rule: str = "toy:2.1"

    def fold(self, state: State) -> State:
        known = not isinstance(of(state.cards, self.side), Unknown)
        deck = state.deck.add(self.card) if known else state.deck
        points = _put(state.points, self.side, of(state.points, self.side) + self.success)
        return evolve(
            state,
            deck=deck,
            cards=_put(state.cards, self.side, None),
            points=points,
            passed=_put(state.passed, self.side, 0),
            active=self.side.enemy,
        )

    def text(self, state: State) -> str:
        return f"{self.side.value} dares on a {self.card} and {'scores' if self.success else 'fails'}"


@frozen
class Passed(Event[State]):
    side: Side
    rule: str = "toy:2.2"

    def fold(self, state: State) -> State:
        return evolve(
            state, passed=_put(state.passed, self.side, of(state.passed, self.side) + 1), active=self.side.enemy
        )


# ------------------------------------------------------------ the decision
@final
@frozen
class Dare:
    pass


@final
@frozen
class Pass:
    pass


@frozen
class DareOrPass(Decision[State, Dare | Pass]):
    side: Side
    rule = "toy:2"
    prompt = "dare, or pass and keep the card"

    def candidates(self, state: State) -> tuple[Dare | Pass, ...]:
        return (Pass(), Dare())

    def objections(self, state: State, action: Dare | Pass) -> Iterator[Objection]:
        if isinstance(action, Pass) and of(state.passed, self.side) >= state.setting.passes:
            yield Objection("toy:2.2", "{} has passed {} times in a row", (self.side.value, state.setting.passes))


# ------------------------------------------------------------ procedures
async def turn(play: Play[State]) -> None:
    """A turn: draw unless a card was kept (1.1), then dare or pass (2)."""
    side = play.state.active
    if of(play.state.cards, side) is None:
        card = await DrawCard(side)
        play.record(CardDrawn(side, card))
    choice = await DareOrPass(side)
    if isinstance(choice, Dare):
        await call(dare, side)
    else:
        play.record(Passed(side))


async def dare(play: Play[State], side: Side) -> None:
    """Roll no more than the card says (2.1)."""
    card = of(play.state.cards, side)
    success = await Roll(D6, AtMost(card), rule="toy:2.1")
    play.record(Dared(side, card, success))


# ------------------------------------------------------------ the system
class Toy:
    name, title, package, state, suffixes = "toy", "Dare", __name__, State, (".toy.toml",)
    sides = tuple(Side)
    catalogue = Catalogue(Path(__file__).parent / "toy")
    policies: Mapping[str, Policy] = {"sensible": policies.last}
    step = staticmethod(turn)

    @property
    def cases(self) -> Any:
        from toy_cases import CASES

        return CASES

    def scenarios(self) -> dict[str, Path]:
        return {
            path.name.removesuffix(".toy.toml"): path
            for path in sorted((Path(__file__).parent / "toy").glob("*.toy.toml"))
        }

    def new(self, source: Source, options: Mapping[str, object]) -> State:
        data = tomllib.loads(source.read())
        faults = [
            Fault(key, value, "is not known", "known: cards, goal")
            for key, value in data.items()
            if key not in ("cards", "goal")
        ]
        if faults:
            raise ScenarioError(source.name, tuple(faults))
        passes = int(self.catalogue.choices(options)["toy:passes"])
        return State(Table(f"toy/{data}/{passes}", data["goal"], passes), Cup.of(*data["cards"]))

    def over(self, state: State) -> bool:
        return state.setting.goal in state.points

    def result(self, state: State) -> Result | None:
        scores = {side.value: of(state.points, side) for side in Side}
        winner = next((s for s in Side if of(state.points, s) == state.setting.goal), None)
        return Result(winner, scores, f"{winner.value} has {state.setting.goal} points", "toy:3") if winner else None

    def view(self, state: State, side: Side | None) -> State:
        hidden = [s for s in Side if s is not side and isinstance(of(state.cards, s), int)]
        for other in hidden:
            state = evolve(state, deck=state.deck.add(of(state.cards, other)), cards=_put(state.cards, other, UNKNOWN))
        return state

    def resample(self, state: State, side: Side | None, pick: Callable[[int], int]) -> State:
        seen = self.view(state, side)
        for other in Side:
            if of(seen.cards, other) is UNKNOWN:
                card = list(seen.deck)[pick(len(seen.deck))]
                seen = evolve(seen, deck=seen.deck.remove(card), cards=_put(seen.cards, other, card))
        return seen

    def phase(self, state: State) -> str:
        return f"{state.active.value}'s turn"

    def labels(self, state: State) -> Labels:
        return DoubledLabels()

    def unread(self, state: State) -> tuple[str, ...]:
        return ()

    def check_invariants(self, state: State) -> None:
        assert all(0 <= points <= state.setting.goal for points in state.points)

    def why_not(self, state: State, decision: DareOrPass, what: tuple[Any, ...]) -> Verdict:
        return decision.verdict(state, *what)

    def picture(self, state: State) -> str:
        return "<svg xmlns='http://www.w3.org/2000/svg'/>"


TOY = Toy()
