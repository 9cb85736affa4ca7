"""The toy with one fault each, to see that the test kit finds it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any, final

from attrs import evolve, frozen
from toy import CardDrawn, Dared, DareOrPass, DrawCard, Pass, Passed, Side, State, Toy, of
from toy import Dare as ToyDare

from beachhead.cup import Cup
from beachhead.dice import D6, AtMost, Roll
from beachhead.play import UNKNOWN, Decision, Play
from beachhead.rules import Objection
from beachhead.systems import Result

BROKEN: dict[str, Toy] = {}
"""By name: the faulty toy."""
FOUND: dict[str, str] = {}
"""By name: what the kit must say, as a regular expression."""


def fault(name: str, found: str, **parts: Any) -> None:
    """A toy with other parts."""
    parts = {key: staticmethod(part) if key == "step" else part for key, part in parts.items()}
    cls = type("Broken", (Toy,), {"name": f"toy-{name.replace(' ', '-')}", "package": __name__, **parts})
    BROKEN[name], FOUND[name] = cls(), found


def turn(
    draw: Callable[[Side], Any] = DrawCard,
    drawn: Callable[[Side, Any], Any] = CardDrawn,
    choose: Callable[..., Any] = DareOrPass,
    passed: Callable[[Side], Any] = Passed,
    dared: Callable[[Side, int, bool], Any] = Dared,
    begin: Callable[[Play[State]], Any] = lambda play: None,
) -> Any:
    """A turn of the toy with some parts exchanged."""

    async def step(play: Play[State]) -> None:
        if begin(play):
            return
        side = play.state.active
        if of(play.state.cards, side) is None:
            play.record(drawn(side, await draw(side)))
        if isinstance(await choose(side), Pass):
            play.record(passed(side))
        else:
            card = of(play.state.cards, side)
            play.record(dared(side, card, await Roll(D6, AtMost(card), "toy:2.1")))

    return step


# ------------------------------------------------------------ views
fault("open view", r"CardDrawn as told to .* folds into the view|leaks nothing", view=lambda self, state, side: state)


@frozen
class Untold(CardDrawn):
    def seen_by(self, side: object) -> Any:
        return self if side is self.side else Passed(self.side)


fault("wrong telling", r"Untold as told to .* folds into the view", step=turn(drawn=Untold))


@frozen
class Noted(CardDrawn):
    """What is told still says which card it was."""

    note: int = 0

    def seen_by(self, side: object) -> Any:
        return self if side is self.side else evolve(self, card=UNKNOWN)


fault(
    "talkative event",
    r"a hidden draw leaks nothing to",
    step=turn(drawn=lambda side, card: Noted(side, card, note=card)),
)


@final
@frozen
class Bid:
    n: int


@frozen
class Peeking(Decision[State, ToyDare | Pass | Bid]):
    """Whoever holds more than the other may bid, too: he cannot know."""

    side: Side
    rule = "toy:2"
    prompt = "dare, pass or bid"

    def candidates(self, state: State) -> Any:
        return (ToyDare(), Pass(), Bid(1))

    def objections(self, state: State, action: Any) -> Iterator[Objection]:
        enemy = of(state.cards, self.side.enemy)
        if isinstance(action, Bid) and (action.n != 1 or not isinstance(enemy, int) or enemy > 3):
            yield Objection("toy:2.2", "too low to bid")


fault("peeking options", r"a side's own options are the same in its view", step=turn(choose=Peeking))


@frozen
class Telltale(DareOrPass):
    """Asked only with a low card, and not in secret."""

    def objections(self, state: State, action: Any) -> Iterator[Objection]:
        yield from super().objections(state, action)
        if isinstance(action, Pass) and of(state.cards, self.side) in (4, 5, 6):
            yield Objection("toy:2.2", "too good to pass")


fault("telltale question", r"being asked tells nothing|a hidden draw leaks nothing", step=turn(choose=Telltale))


@frozen
class Showing(DareOrPass):
    """The question itself says which card was kept."""

    card: Any = None


async def showing(play: Play[State]) -> None:
    side = play.state.active
    if of(play.state.cards, side) is None:
        play.record(CardDrawn(side, await DrawCard(side)))
        play.record(Passed(side))
        return
    card = of(play.state.cards, side)
    await Showing(side, card)
    play.record(Dared(side, card, await Roll(D6, AtMost(card), "toy:2.1")))


fault("question with a secret", r"what is asked tells .* nothing|a hidden draw leaks nothing", step=showing)


def deal_openly(self: Any, state: State, side: Any, pick: Any) -> State:
    """Deals the side's own card again, too."""
    all_cards = [card for card in (*state.deck, *state.cards) if isinstance(card, int)]
    cards = list[Any]()
    for card in state.cards:
        cards.append(all_cards.pop(pick(len(all_cards))) if isinstance(card, int) else card)
    return evolve(state, cards=tuple(cards), deck=Cup.of(*all_cards))


fault("careless dealing", r"the view of .* leaks nothing", resample=deal_openly)
fault("no dealing", r"what is hidden can be dealt again", resample=lambda self, state, side, pick: state)
fault(
    "view of another class",
    r"a view is a state",
    view=lambda self, state, side: state if side is not None else "nothing",
)


# ------------------------------------------------------------ options
@frozen
class Bidding(Decision[State, Bid]):
    """Knows no numbers but those it offers."""

    side: Side
    rule = "toy:2"
    prompt = "bid"

    def candidates(self, state: State) -> Any:
        return (Bid(0), Bid(1), Bid(2))

    def objections(self, state: State, action: Bid) -> Iterator[Objection]:
        if {0: "no", 1: "one", 2: "two"}[action.n] == "no":
            yield Objection("toy:2", "no bid")


fault("objection fails", r"no errors while objecting to Bid\(n=", step=turn(choose=Bidding))


@frozen
class Forgetful(DareOrPass):
    """A legal action is not offered."""

    def candidates(self, state: State) -> Any:
        return (Pass(), ToyDare()) if of(state.passed, self.side) or not of(state.points, self.side) else (Pass(),)


fault("missing option that leaves no choice", r"what nothing is said against is an option", step=turn(choose=Forgetful))


@frozen
class Hesitant(Bidding):
    """Another, with a choice left."""

    def candidates(self, state: State) -> Any:
        return (Bid(1), Bid(2))

    def objections(self, state: State, action: Bid) -> Iterator[Objection]:
        if not 0 <= action.n <= 2:
            yield Objection("toy:2", "no bid")


fault("missing option", r"what nothing is said against is an option", step=turn(choose=Hesitant))


@frozen
class Generous(DareOrPass):
    """Offers what it objects to."""

    def options(self, state: State) -> Any:
        return tuple(self.candidates(state))


fault("illegal option", r"nothing is said against an option", step=turn(choose=Generous))

ORDER = count()


@frozen
class Shuffled(DareOrPass):
    def candidates(self, state: State) -> Any:
        return (Pass(), ToyDare())[:: 1 if next(ORDER) % 2 else -1]


fault("unstable options", r"a rebuilt position offers the same in the same order", step=turn(choose=Shuffled))


@frozen
class Unordered(DareOrPass):
    """In the order of a set of texts, which is another in every process."""

    def candidates(self, state: State) -> Any:
        named = {name: Bid(n) for n, name in enumerate(("pass", "dare", "bid", "hold", "wait", "rest", "stay", "go"))}
        return tuple(named[name] for name in set(named))

    def objections(self, state: State, action: Any) -> Iterator[Objection]:
        if not 0 <= action.n < 8:
            yield Objection("toy:2", "no bid")


Unordered.kinds = (Bid,)
UNORDERED = type(
    "Broken", (Toy,), {"name": "toy-unordered", "package": __name__, "step": staticmethod(turn(choose=Unordered))}
)()


@frozen
class Doubled(DareOrPass):
    def candidates(self, state: State) -> Any:
        return (Pass(), ToyDare(), ToyDare())


fault("option twice", r"no option is offered twice", step=turn(choose=Doubled))


@final
@frozen
class Dare:
    """Another action of the same name."""


@frozen
class Confusing(Decision[State, Dare | ToyDare | Pass]):
    side: Side
    rule = "toy:2"
    prompt = "dare, dare, or pass"

    def candidates(self, state: State) -> Any:
        return (Dare(), ToyDare())


fault("two with one text", r"each option has a text of its own", step=turn(choose=Confusing))


@frozen
class Foreign(DareOrPass):
    def candidates(self, state: State) -> Any:
        return (Pass(), Dare())


fault("option of another kind", r"options are of the decision's kinds", step=turn(choose=Foreign))


@frozen
class Mumbling(DareOrPass):
    """The text of an objection cannot be put together."""

    secret = True  # asked although there is only one option

    def objections(self, state: State, action: Any) -> Iterator[Objection]:
        if isinstance(action, Pass):
            yield Objection("toy:2.2", "{} has passed {} times", (self.side,))

    def candidates(self, state: State) -> Any:
        return (ToyDare(),)


fault(
    "broken sentence",
    r"no errors while objecting",
    step=turn(choose=Mumbling),
)


@frozen
class Unbounded(Bidding):
    """Finds nothing wrong with what is not offered."""

    def objections(self, state: State, action: Bid) -> Iterator[Objection]:
        return iter(())


fault("bid too high", r"what nothing is said against is an option", step=turn(choose=Unbounded))


@frozen
class Nobody(DareOrPass):
    side: Any = "Nobody"


fault("nobody decides", r"a side decides", step=turn(choose=lambda side: Nobody("Nobody")))


@frozen
class Silent(DareOrPass):
    prompt = ""


fault("no prompt", r"a decision has a prompt", step=turn(choose=Silent))


@frozen
class Stuck(DareOrPass):
    def objections(self, state: State, action: Any) -> Iterator[Objection]:
        if of(state.points, self.side):
            yield Objection("toy:2", "nothing more")


fault("dead end", r"no dead ends", step=turn(choose=Stuck))


# ------------------------------------------------------------ chances
@frozen
class Weightless(DrawCard):
    def outcomes(self, state: State) -> Sequence[tuple[int, int]]:
        return (*super().outcomes(state), (99, 0))


fault("zero weight", r"weights are positive integers", step=turn(draw=Weightless))


@frozen
class Fractional(DrawCard):
    def outcomes(self, state: State) -> Any:
        return tuple((card, 0.5) for card, _ in state.deck.counts)


fault("weight of a half", r"weights are positive integers", step=turn(draw=Fractional))


@frozen
class Repeated(DrawCard):
    def outcomes(self, state: State) -> Sequence[tuple[int, int]]:
        return (*super().outcomes(state), *super().outcomes(state))


fault("outcome twice", r"each outcome stands there once", step=turn(draw=Repeated))


@frozen
class Unhashable(DrawCard):
    def read(self, outcome: int) -> Any:
        return [outcome]


fault("unhashable reading", r"readings are values", step=turn(draw=Unhashable, drawn=lambda s, c: CardDrawn(s, c[0])))


@frozen
class Turning(DrawCard):
    def outcomes(self, state: State) -> Any:
        return tuple(state.deck.counts)[:: 1 if next(ORDER) % 2 else -1]


fault("unstable outcomes", r"a chance has the same outcomes in the same order", step=turn(draw=Turning))

# ------------------------------------------------------------ states and events
NUMBER = count(1)


@frozen
class Counted(Passed):
    """Folds a number that no state holds."""

    def fold(self, state: State) -> State:
        return evolve(super().fold(state), passed=(next(NUMBER) % 5, 0))


fault("hidden counter", r"state|passed", step=turn(passed=Counted))


def remember(play: Play[State]) -> None:
    """Counts the steps outside the state."""
    CALLS.append(None)


CALLS = list[None]()


@frozen
class CountedQuestion(DareOrPass):
    number: int = 0


fault(
    "question by a counter",
    r"a rebuilt position asks the same|leaks nothing",
    step=turn(begin=remember, choose=lambda side: CountedQuestion(side, len(CALLS))),
)


@frozen
class Strange(Passed):
    thing: Any = object()  # noqa: RUF009


fault("no JSON", r"no errors while writing an event as JSON", step=turn(passed=Strange))


@frozen(repr=False)
class Unprintable(Passed):
    def __repr__(self) -> str:
        return f"<passed {self.side}>"


fault("repr is no Python", r"no errors while reading the repr of an event, <passed", step=turn(passed=Unprintable))


@frozen(repr=False)
class Misprinted(Passed):
    def __repr__(self) -> str:
        return "Misprinted(Side.RED)"


fault("repr of another", r"the repr of an event rebuilds it", step=turn(passed=Misprinted))


@frozen
class Wordless(Passed):
    def text(self, state: State) -> str:
        return ""


fault("no text", r"an event has a text", step=turn(passed=Wordless))


@frozen
class Uncited(Passed):
    rule: str = ""


fault("no rule", r"everything cites its rule", step=turn(passed=Uncited))


@frozen
class Blind(Dared):
    """Cannot be folded by those who do not know the card of the other."""

    def fold(self, state: State) -> State:
        enemy = of(state.cards, self.side.enemy)
        assert enemy is None or enemy + 1 > 1
        return super().fold(state)


fault("fold on the truth", r"no errors while (telling each side of Blind|finding the odds)", step=turn(dared=Blind))


def idle(play: Play[State]) -> bool:
    return sum(play.state.points) == 1


fault("empty step", r"no empty steps", step=turn(begin=idle))


def use_the_global_generator(play: Play[State]) -> None:
    random.random()


fault("global generator", r"the global random generators are never used", step=turn(begin=use_the_global_generator))


def roll_with_it(side: Side, card: int, success: bool) -> Dared:
    return Dared(side, card, random.random() < 0.5)


fault("global dice", r"second branch|one seed|rebuilt|never used", step=turn(dared=roll_with_it))


def crash(play: Play[State]) -> None:
    if sum(play.state.points) == 2:
        raise KeyError("no such thing")


fault("crash", r"no errors while answering", step=turn(begin=crash))


def spin(play: Play[State]) -> bool:
    """Changes the state for ever and asks nobody."""
    if sum(play.state.points) != 1:
        return False
    play.record(Passed(play.state.active))
    return True


def whirl(play: Play[State]) -> bool:
    """The same within a single step."""
    while spin(play):
        pass
    return False


fault("endless steps", r"no empty steps", step=turn(begin=spin))
fault("endless events", r"the game ends", step=turn(begin=whirl))
fault("endless game", r"the game ends", step=turn(dared=lambda side, card, success: Dared(side, card, False)))


def reachable(self: Any, state: State) -> None:
    assert max(state.points) < 2, "nobody has two points"


fault("invariant", r"invariants\n(.|\n)*nobody has two points", check_invariants=reachable)


# ------------------------------------------------------------ what the system says
fault("no result", r"a game is over when it has a result", result=lambda self, state: None)
fault(
    "winner from nowhere",
    r"a side wins, or nobody",
    result=lambda self, state: Result("Green", {}, "so", "toy:3") if self.over(state) else None,
)
fault("no phase", r"a phase has a name", phase=lambda self, state: "")
fault("no picture", r"the picture is SVG", picture=lambda self, state: "<svg>")
fault("another picture", r"the picture is SVG", picture=lambda self, state: "<html/>")
fault("state of another class", r"the state is of the system's class", state=Cup)
