"""JSON, JSON Schema and text of values: all there is comes back equal, and what does not fit is named with its place."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from enum import Enum, IntEnum
from fractions import Fraction
from pkgutil import ModuleInfo
from types import ModuleType
from typing import Any, Literal

import parcel
import pytest
import series
import toy
from attrs import evolve, fields
from hypothesis import given, settings
from hypothesis import strategies as st
from json_schema import faults
from parcel import (
    PARCEL,
    Away,
    Box,
    Colour,
    Fragile,
    Ident,
    Keep,
    Label,
    Parcel,
    Send,
    SendOff,
    Sent,
    Size,
    Spot,
    Weight,
)
from series import SERIES, TEXT
from toy import TOY, Dare, Pass, Side

import beachhead as bh
import beachhead.cup
import beachhead.dice
import beachhead.hexes
import beachhead.play
import beachhead.position
import beachhead.rules
import beachhead.systems
from beachhead.codec import Codec, CodecError, canonical, codec_for
from beachhead.cup import Cup
from beachhead.dice import D6, AtMost, Roll
from beachhead.enums import Named
from beachhead.errors import RulesError
from beachhead.hexes import Direction, DoubledLabels, Hex, Hexside, LetterLabels, MemoirLabels
from beachhead.names import words
from beachhead.places import PlaceLabels
from beachhead.play import UNKNOWN, Chance, Decision, Event, Request, Unknown
from beachhead.policies import random
from beachhead.position import Answer, Position
from beachhead.rules import Breakdown, Modifier
from beachhead.systems import Source

CODEC = codec_for(PARCEL)


def games() -> Iterator[bh.Game[Any]]:
    """Random games of the toy, and of the system around it."""
    for seed in range(12):
        for system, source in (
            (TOY, Source("toy", text="cards = [1, 2, 3, 4, 5, 6]\ngoal = 3\n")),
            (SERIES, Source("s", text=TEXT)),
        ):
            game: bh.Game[Any] = bh.Game(system, system.new(source, {}), seed=seed, source=source)
            game.play(random(seed))
            yield game


GAMES = tuple(games())


def values(game: bh.Game[Any]) -> Iterator[Any]:
    """Everything that a game is told in."""
    yield game.result
    for n in range(game.decisions + 1):
        position = game.at(n)
        yield from (
            position.state,
            position.base,
            *position.answers,
            *position.options,
            game.system.view(position.state, Side.RED),
        )
    for entry in game.log:
        yield from (entry.request, entry.answer, entry.actor, entry.before, *entry.events)
        yield from (event.seen_by(Side.BLUE) for event in entry.events)


# ------------------------------------------------------------ whole games
def test_every_value_of_a_game_comes_back():
    kinds = set()
    for game in GAMES:
        codec = codec_for(game.system)
        for value in values(game):
            back = codec.loads(codec.dumps(value))
            assert (back, type(back)) == (value, type(value))
            kinds.add(type(value).__name__)
            if not isinstance(value, str | int | None):
                assert codec.load(codec.dump(value, type(value)), type(value)) == value
    assert kinds >= {
        "State",
        "Roll",
        "DrawCard",
        "DareOrPass",
        "Within",
        "WithinChance",
        "WithinEvent",
        "BeginDay",
        "DayWon",
    }
    assert kinds >= {
        "Dare",
        "Pass",
        "Play_",
        "Side",
        "Result",
        "Answer",
        "CardDrawn",
        "Dared",
        "Passed",
        "int",
        "NoneType",
    }


def test_every_value_fits_its_schema():
    seen = 0
    schemas: dict[Any, Any] = {}
    for game in GAMES[:6]:
        codec = codec_for(game.system)
        for value in values(game):
            for of in {
                type(value),
                Any,
                *(base for base in (Decision, Chance, Event, Request) if isinstance(value, base)),
            }:
                key = (codec, of)
                schemas[key] = schemas.get(key) or codec.schema(of)
                assert faults(schemas[key], codec.dump(value, of)) == []
                seen += 1
    assert seen > 1000


def test_positions_come_back_and_go_on():
    seen = 0
    for game in GAMES:
        codec = codec_for(game.system)
        for n in range(game.decisions + 1):
            position = game.at(n)
            data = codec.dump(position)
            back = codec.loads(canonical(data))
            assert (back, back.pending, back.options) == (position, position.pending, position.options)
            assert codec.load(codec.dump(position, Position), Position) == position
            assert faults(codec.schema(Position), data) == []
            if position.options:
                assert back.after(position.options[-1]) == position.after(position.options[-1])
                seen += 1
    assert seen > 100
    at_a_roll = GAMES[0].at(0).after(Dare())
    assert isinstance(at_a_roll.pending, Chance)
    assert codec_for(TOY).loads(codec_for(TOY).dumps(at_a_roll)).pending == at_a_roll.pending


def test_every_action_comes_back_from_its_line():
    seen = set()
    for game in GAMES:
        codec, labels = codec_for(game.system), DoubledLabels()
        for n in range(game.decisions):
            position = game.at(n)
            for action in position.options:
                line = codec.text(action, labels)
                assert codec.parse(line, labels, position.pending.kinds) == action
                seen.add(line)
    assert seen == {"dare", "pass", "play", "pass not sulking", "pass sulking"}


def test_repr_is_python_that_rebuilds():
    modules: list[Any] = [
        beachhead.cup,
        beachhead.dice,
        beachhead.play,
        beachhead.position,
        beachhead.systems,
        toy,
        series,
    ]
    everywhere = {name: thing for module in modules for name, thing in vars(module).items()}
    seen = 0
    for game in GAMES:
        for value in values(game):
            if game.system is SERIES and isinstance(value, Answer):
                continue  # its action may be either system's Pass()
            names = everywhere | vars(sys.modules[type(value).__module__])
            assert eval(repr(value), names) == value
            seen += 1
    assert seen > 3000


# ------------------------------------------------------------ every kind of field
HEXES = st.builds(Hex, st.integers(-9, 9), st.integers(-9, 9))
INTS, TEXTS = st.integers(-(10**20), 10**20), st.text(max_size=6)
SIZES, WEIGHTS = st.sampled_from(Size), st.sampled_from(Weight)
SIDES = st.builds(lambda a, d: Hexside(a, a.neighbour(d)), HEXES, st.sampled_from(Direction))
SPOTS = st.builds(Spot, TEXTS, HEXES)
PLACES = HEXES | st.sampled_from(Away)
HIDDEN = TEXTS | st.just(UNKNOWN) | st.none()
LABELS = st.builds(Label, TEXTS, INTS)
FRACTIONS = st.fractions(max_denominator=99)
LEAVES = (
    st.none()
    | st.booleans()
    | INTS
    | TEXTS
    | SIZES
    | WEIGHTS
    | HEXES
    | SIDES
    | FRACTIONS
    | LABELS
    | st.sampled_from(Colour)
)
ANYTHING: Any = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.frozensets(LEAVES, max_size=3)
        | st.dictionaries(LEAVES, inner, max_size=2)
        | st.builds(Box, inner, st.lists(inner, max_size=2).map(tuple))
    ),
    max_leaves=6,
)


def tuples(items: Any, most: int = 3) -> Any:
    return st.lists(items, max_size=most).map(tuple)


PARCELS = st.builds(
    Parcel,
    flag=st.booleans(), number=INTS, share=st.floats(allow_nan=False, allow_infinity=False), name=TEXTS, nothing=st.none(),
    size=SIZES, colour=st.sampled_from(Colour), weight=WEIGHTS, direction=st.sampled_from(Direction), spot=SPOTS, side=SIDES,
    part=FRACTIONS, ident=INTS.map(Ident), grade=st.sampled_from(("A", "B")), marked=INTS, path=tuples(HEXES),
    pair=st.tuples(INTS, TEXTS), empty=st.just(()), rows=tuples(tuples(INTS)), row=tuples(INTS), sizes=st.frozensets(SIZES),
    spots=st.frozensets(st.tuples(HEXES, TEXTS)), by_name=st.dictionaries(TEXTS | st.just("type"), HEXES),
    by_size=st.dictionaries(SIZES, INTS), cup=st.lists(SIZES).map(lambda sizes: Cup.of(*sizes)),
    box=st.builds(Box, HEXES, tuples(HEXES)), bare=st.builds(Box, ANYTHING), label=LABELS, place=PLACES, hidden=HIDDEN,
    coded=INTS | WEIGHTS, number_or_share=INTS | st.floats(allow_nan=False, allow_infinity=False),
    either=tuples(INTS) | tuples(TEXTS), either_map=st.dictionaries(TEXTS | st.just("type"), INTS) | LABELS,
    sized=SIZES | st.sampled_from(Away) | st.sampled_from(Colour),
    boxes=st.builds(Box, INTS, tuples(INTS)) | st.builds(Box, TEXTS, tuples(TEXTS)), reading=st.just(Fragile()) | st.builds(AtMost, INTS),
    anything=ANYTHING, breakdown=st.lists(st.builds(Modifier, TEXTS, INTS, TEXTS)).map(lambda terms: Breakdown(tuple(terms))),
    later=WEIGHTS | st.none(),
)  # fmt: skip
PARCEL_SCHEMA, EVENT_SCHEMA = CODEC.schema(Parcel), CODEC.schema(Event)


def same(a: Any, b: Any) -> bool:
    """Equal, and of the same types all the way down: 1, 1.0, True and an IntEnum of 1 are equal, too."""
    return a == b and repr(a) == repr(b)


@settings(max_examples=100, deadline=None)
@given(PARCELS)
def test_every_kind_of_field_comes_back(parcel: Parcel):
    data = CODEC.dump(parcel)
    back = CODEC.loads(json.dumps(data))
    ordered = evolve(back, sizes=parcel.sizes, spots=parcel.spots)  # a set prints in any order
    assert back == parcel
    assert same(evolve(ordered, anything=0, bare=0, by_size={}), evolve(parcel, anything=0, bare=0, by_size={}))
    assert CODEC.dumps(back) == canonical(data) == CODEC.dumps(parcel, Parcel)
    assert faults(PARCEL_SCHEMA, data) == []
    sent = CODEC.dump(Sent(parcel))
    assert CODEC.load(sent, Event) == Sent(parcel)
    assert faults(EVENT_SCHEMA, sent) == []


@settings(max_examples=150, deadline=None)
@given(ANYTHING)
def test_anything_comes_back(value: Any):
    back = CODEC.loads(CODEC.dumps(value))
    assert back == value
    assert type(back) is type(value)
    assert CODEC.dumps(back) == CODEC.dumps(value)


@pytest.mark.parametrize(
    ("of", "value", "data"),
    [
        (Size, Size.VERY_SMALL, "very small"),
        (Any, Size.VERY_SMALL, {"type": "parcel.size", "value": "very small"}),
        (Colour, Colour.RED, "RED"),  # whose value is no text
        (Weight, Weight.HEAVY, 5),
        (Hex, Hex(1, -2), [1, -2]),
        (Any, Hex(1, -2), {"type": "beachhead.hex", "q": 1, "r": -2}),
        (Hexside, Hexside(Hex(1, 0), Hex(0, 0)), [[0, 0], [1, 0]]),
        (Hex | Away, Hex(0, 0), [0, 0]),
        (Hex | Away, Away.LOST, "lost"),
        (int | Unknown | None, UNKNOWN, "unknown"),
        (str | Unknown | None, UNKNOWN, {"type": "beachhead.unknown", "value": "unknown"}),
        (str | Unknown | None, "unknown", "unknown"),
        (int | Weight, Weight.LIGHT, {"type": "parcel.weight", "value": 1}),
        (int | Weight, 1, 1),
        (bool | int, True, True),
        (float, 1, 1.0),
        (int, True, 1),
        (Fraction, Fraction(2, 6), "1/3"),
        (Any, Fraction(3), {"type": "beachhead.fraction", "value": "3"}),
        (frozenset[Size], frozenset(Size), ["large", "very small"]),
        (Any, frozenset({2, 10}), {"type": "beachhead.set", "value": [10, 2]}),
        (dict[str, int], {"type": 1}, {"type": 1}),
        (dict[Size, int], {Size.VERY_SMALL: 2, Size.LARGE: 1}, [["large", 1], ["very small", 2]]),
        (Any, {"a": (1,)}, {"type": "beachhead.map", "value": [["a", [1]]]}),
        (Cup[Size], Cup.of(Size.LARGE), {"type": "beachhead.cup", "counts": [["large", 1]]}),
        (Label, Label("x", 3), {"type": "parcel.label", "type_": "x", "secret": 3}),
        (tuple[int, ...], (1, 2), [1, 2]),
        (tuple[()], (), []),
        (Literal["A", "B"], "A", "A"),
        (None, None, None),
        (Send | Keep, Keep(), {"type": "parcel.keep"}),
        (Any, parcel.DEPOT, {"type": "parcel.depot", "key": "depot"}),
        (Any, Roll(D6, AtMost(4), "parcel:1"), {
            "type": "beachhead.roll", "die": {"type": "beachhead.die", "name": "D6", "faces": [1, 2, 3, 4, 5, 6]},
            "reading": {"type": "beachhead.at_most", "number": 4}, "rule": "parcel:1"}),
    ],
)  # fmt: skip
def test_forms(of: Any, value: Any, data: Any):
    assert CODEC.dump(value, of) == data
    assert type(CODEC.dump(value, of)) is type(data)
    back = CODEC.load(data, of)
    assert back == value
    assert faults(CODEC.schema(of), data) == []


def test_canonical_text_is_one():
    assert CODEC.dumps(Label("é\n", 1)) == '{"secret":1,"type":"parcel.label","type_":"é\\n"}'
    assert CODEC.dumps({3: 1, 2: 1}, dict[int, int]) == CODEC.dumps({2: 1, 3: 1}, dict[int, int]) == "[[2,1],[3,1]]"
    assert CODEC.dumps(frozenset("abc")) == CODEC.dumps(frozenset("cab"))


def test_a_field_with_a_default_may_be_left_out_and_no_other():
    assert CODEC.load({"type": "parcel.label", "type_": "x"}) == Label("x")
    schema = CODEC.schema(Label)
    assert faults(schema, {"type": "parcel.label", "type_": "x"}) == []
    assert faults(schema, {"type": "parcel.label"}) == [": lacks type_"]
    assert faults(schema, {"type": "parcel.label", "type_": "x", "length": 1}) == [".length: nothing may stand here"]
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$defs"]["parcel.label"]["additionalProperties"] is False


# ------------------------------------------------------------ what does not fit
@pytest.mark.parametrize(
    ("of", "data", "message"),
    [
        (Any, {"type": "parcel.lable"}, "parcel knows no 'parcel.lable'; did you mean 'parcel.label'?"),
        (Any, {"q": 1}, '{"q": 1} stands there; right would be a scalar, a list, or an object with a "type"'),
        (Any, [1, {"type": "parcel.size", "value": "tiny"}], '[1].value: "tiny" stands there; right would be one of "very small", "large"'),
        (Send, {"type": "parcel.send", "to": [1]}, "to: [1] stands there; right would be a list [q, r]"),
        (Send, {"type": "parcel.send", "to": [1, "2"]}, 'to[1]: "2" stands there; right would be an integer'),
        (Send, {"type": "parcel.send", "to": [1, True]}, "to[1]: true stands there; right would be an integer"),
        (Send, {"type": "parcel.send"}, "parcel.send lacks its field 'to', a list [q, r]"),
        (Send, {"type": "parcel.send", "too": [1, 2]}, "parcel.send has no field 'too'; did you mean 'to'?; known: to"),
        (Send, {"type": "parcel.keep"}, '{"type": "parcel.keep"} stands there; right would be {"type": "parcel.send", …}'),
        (Send, {"to": [1, 2]}, '{"to": [1, 2]} stands there; right would be {"type": "parcel.send", …}'),
        (Send | Keep, 3, '3 stands there; right would be {"type": "parcel.send", …} or {"type": "parcel.keep", …}'),
        (Hexside, [[0, 0], [2, 0]], ("no beachhead.hexside has these fields: Hex(q=0, r=0) and Hex(q=2, r=0) share no hexside: only neighbours"
         " do, and these are 2 apart")),
        (Fraction, "1/0", '"1/0" stands there; right would be a fraction such as "1/3"'),
        (Literal["A", "B"], "C", '"C" stands there; right would be one of "A", "B"'),
        (dict[str, int], {"a": "x"}, 'a: "x" stands there; right would be an integer'),
        (dict[int, int], [[1]], "[0]: [1] stands there; right would be a list [an integer, an integer]"),
        (int, "x" * 80, f'"{"x" * 58}… stands there; right would be an integer'),
        (Event, {"type": "parcel.keep"}, ('{"type": "parcel.keep"} stands there; right would be '
         '{"type": "beachhead.within_event", …} or {"type": "beachhead.resumed", …} or {"type": "parcel.sent", …}')),
        (tuple[Send, ...], [{"type": "parcel.send", "to": None}], "[0].to: null stands there; right would be a list [q, r]"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(of: Any, data: Any, message: str):
    with pytest.raises(CodecError) as error:
        CODEC.load(data, of)
    assert str(error.value) == message
    assert isinstance(error.value, bh.BeachheadError)
    assert faults(CODEC.schema(of), data) != [] or of in (Any, Hexside)


@pytest.mark.parametrize(
    ("of", "value", "message"),
    [
        (Any, (1, object), "[1]: builtins.type is no class of values that parcel knows"),
        (Any, Box(Path := PARCEL), "content: parcel.ParcelSystem is no class of values that parcel knows"),
        (Any, Send((1, 2)), "to: (1, 2) stands there; right would be a list [q, r]"),  # type: ignore[arg-type]
        (Any, Send(Hex(1, "2")), "to[1]: '2' stands there; right would be an integer"),  # type: ignore[arg-type]
        (Size, Weight.LIGHT, 'Weight.LIGHT stands there; right would be one of "very small", "large"'),
        (Hex | Away, None, 'None stands there; right would be a list [q, r] or one of "lost", "off the map"'),
        (Literal["A", "B"], [1], '[1] stands there; right would be one of "A", "B"'),
        (tuple[int, str], (1,), "(1,) stands there; right would be a list [an integer, a text]"),
        (dict[str, int], {"a": None}, "a: None stands there; right would be an integer"),
        (Any, Dare(), "toy.Dare is no class of values that parcel knows"),
        (Dare, Dare(), "toy.Dare is no class of values that parcel knows"),
        (list[int], [1], "builtins.list is no class of values that parcel knows"),
        (3, 3, "there is no JSON form for 3"),
    ],
)
def test_what_cannot_be_written_is_named(of: Any, value: Any, message: str):
    with pytest.raises(CodecError) as error:
        CODEC.dump(value, of)
    assert str(error.value) == message


def test_no_json():
    with pytest.raises(CodecError, match="this is no JSON: Expecting value"):
        CODEC.loads("pass")


def test_a_state_needs_its_scenario():
    data = CODEC.dump(parcel.State(parcel.DEPOT))
    assert CODEC.load(data) == parcel.State(parcel.DEPOT)
    data["setting"]["key"] = "another depot"
    with pytest.raises(
        LookupError, match="load the scenario of Depot 'another depot' before a state that stands on it"
    ):
        CODEC.load(data)


def test_answers_that_do_not_belong_make_no_position():
    data = codec_for(TOY).dump(GAMES[0].at(0))
    data["answers"] += data["answers"] * 5
    with pytest.raises(CodecError, match=r"^no beachhead.position has these fields: these answers do not belong"):
        codec_for(TOY).load(data)
    data["system"] = "chess"
    with pytest.raises(CodecError, match=r'^system: "chess" stands there; right would be one of "toy"'):
        codec_for(TOY).load(data)


# ------------------------------------------------------------ which classes, by which names
@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes a system out of the source texts of its modules."""

    def make(**modules: str) -> Any:
        class Made:
            name, package = "made", "made"

        for name in ("made", *modules):
            path = "made" if name == "made" else f"made.{name}"
            module = ModuleType(path)
            module.__path__ = []  # type: ignore[attr-defined]
            monkeypatch.setitem(sys.modules, path, module)
        monkeypatch.setattr(
            "beachhead.names.walk_packages", lambda *_: [ModuleInfo(None, f"made.{name}", False) for name in modules]
        )  # type: ignore[arg-type]
        for name, text in modules.items():
            exec(
                "from __future__ import annotations\nfrom attrs import frozen\n" + text,
                vars(sys.modules[f"made.{name}"]),
            )
        Made.state = sys.modules["made.a"].State  # type: ignore[attr-defined]
        return Made()

    return make


def test_two_classes_may_not_have_one_name(package: Any):
    one = "from made.b import Unit as Other\n@frozen\nclass Unit:\n  x: int\n@frozen\nclass State:\n  u: Unit\n  o: Other\n"
    with pytest.raises(
        RulesError, match=r"made\.a\.Unit and made\.b\.Unit would both be 'made\.unit': rename one of them"
    ):
        Codec(package(b="@frozen\nclass Unit:\n  y: int\n", a=one))


def test_what_nothing_names_gives_way(package: Any):
    """Two modules may both have a helper of one name, as long as no value of a game is of either."""
    a = "@frozen\nclass Unit:\n  x: int\n@frozen\nclass State:\n  u: Unit\n@frozen\nclass Row:\n  z: int\n"
    codec = Codec(
        package(
            a=a, b="@frozen\nclass Unit:\n  y: int\n@frozen\nclass Row:\n  y: int\n@frozen\nclass _Own:\n  y: int\n"
        )
    )
    a, b = sys.modules["made.a"], sys.modules["made.b"]
    assert codec.dump(a.Unit(1)) == {"type": "made.unit", "x": 1}
    for row in (b.Unit(1), a.Row(1), b.Row(1)):
        with pytest.raises(
            CodecError, match=r"made\.[ab]\.\w+ has no name of its own: another class would be 'made\.\w+', too; rename"
        ):
            codec.dump(row)
    with pytest.raises(CodecError, match=r"made\.b\._Own is no class of values that made knows"):
        codec.dump(b._Own(1))


def test_names_for_type_checkers_only_are_found(package: Any):
    b = "from typing import TYPE_CHECKING\nif TYPE_CHECKING: from made.a import Unit\n@frozen\nclass Order:\n  u: Unit\n  more: tuple[Order, ...] = ()\n"
    a = "from made.b import Order\n@frozen\nclass Unit:\n  x: int\n@frozen\nclass State:\n  o: Order\n"
    codec = Codec(package(b=b, a=a))
    a, b = sys.modules["made.a"], sys.modules["made.b"]
    order = b.Order(a.Unit(1), (b.Order(a.Unit(2)),))
    assert codec.loads(codec.dumps(a.State(order))) == a.State(order)
    assert faults(codec.schema(b.Order), codec.dump(order)) == []


def test_a_name_that_nobody_knows_is_told(package: Any):
    with pytest.raises(RulesError, match=r"an annotation of made\.a\.State names 'Untold', which is not known"):
        Codec(package(a="@frozen\nclass State:\n  u: Untold\n"))


def test_a_name_with_several_meanings_is_told(package: Any):
    a = "from made.c import Order\n@frozen\nclass Unit:\n  x: int\n@frozen\nclass State:\n  o: Order\n"
    c = "from typing import TYPE_CHECKING\nif TYPE_CHECKING: from made.a import Unit\n@frozen\nclass Order:\n  u: Unit\n"
    with pytest.raises(RulesError, match=r"an annotation of made\.c\.Order names 'Unit', which has several meanings"):
        Codec(package(b="@frozen\nclass Unit:\n  y: int\n", c=c, a=a))


def test_a_module_that_needs_what_is_not_installed_is_left_out(package: Any, monkeypatch: pytest.MonkeyPatch):
    system = package(b="@frozen\nclass Far:\n  y: int\n", a="@frozen\nclass State:\n  x: int\n")
    monkeypatch.setitem(sys.modules, "made.b", None)
    assert [tag for tag in Codec(system).names.classes if tag.startswith("made.")] == ["made.state"]


def test_a_system_inside_another_keeps_its_names():
    names = codec_for(SERIES).names
    assert names.tags[toy.State] == "toy.state"
    assert names.tags[series.Standing] == "series.standing"
    assert {names.tags[toy.Pass], names.tags[series.Pass]} == {"toy.pass", "series.pass"}
    assert names.tags[Roll] == "beachhead.roll"
    assert "toy.dare_or_pass" in names.classes
    assert "toy.dare" in names.classes


def test_words():
    assert words("M44Hex") == ("m44", "hex")
    assert words("Play_") == ("play",)


def test_named_enums_mix_with_all_kinds():
    class A(Named, IntEnum):
        ONE = 1

    class B(Named):
        TWO = "two"

    assert (repr(A.ONE), repr(B.TWO), str(A.ONE), A.ONE + 1, A(1), isinstance(B.TWO, Enum)) == (
        "A.ONE",
        "B.TWO",
        "1",
        2,
        A.ONE,
        True,
    )


def test_a_codec_is_made_once():
    assert codec_for(TOY) is codec_for(TOY)
    again: Any = type(TOY)()
    assert codec_for(again) is not codec_for(TOY)


def test_the_library_loads_without_it():
    code = "import sys, beachhead; print([m for m in ('beachhead.codec', 'beachhead.saves', 'beachhead.names') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


# ------------------------------------------------------------ lines of text
LETTERS = LetterLabels()
SEND_OFF = SendOff(
    to=LETTERS.hex("C3"), size=Size.VERY_SMALL, express=True, path=(LETTERS.hex("C3"), LETTERS.hex("D4")), number=-3, name="Bob",
    place=Away.OFF_THE_MAP, rows=((1, 2), (), (3,)), hidden=UNKNOWN, weights=frozenset(Weight), box=Box(LETTERS.hex("A1")),
    side=Hexside(LETTERS.hex("A1"), LETTERS.hex("B1")), spot=Spot("x y", LETTERS.hex("B2")), both=(1, "b"), grade="A", flags=(True, False),
    part=Fraction(1, 3), anything=Size.LARGE, insured=False,
)  # fmt: skip
LINE = (
    'send off C3 very-small express C3-D4 -3 Bob off-the-map (1,2),(()),(3) unknown heavy,light box(A1,(())) A1-B1 "x y",B2 1,b A yes,no '
    '"1/3" {"type":"parcel.size","value":"large"} 0.5 not insured'
)


def test_a_line_says_each_kind_of_field():
    assert CODEC.text(SEND_OFF, LETTERS) == LINE
    assert CODEC.parse(LINE, LETTERS) == SEND_OFF
    assert CODEC.parse(LINE.replace(" 0.5 not insured", ""), LETTERS) == SEND_OFF  # what has a default may be left out


SEND_OFFS = st.builds(
    SendOff, to=HEXES, size=SIZES, express=st.booleans(), path=tuples(HEXES), number=INTS, name=TEXTS, place=PLACES, rows=tuples(tuples(INTS)),
    hidden=HIDDEN | st.sampled_from(("none", "unknown")), weights=st.frozensets(WEIGHTS), box=st.builds(Box, HEXES, tuples(HEXES)) | st.just(Fragile()), side=SIDES,
    spot=SPOTS, both=st.tuples(INTS, TEXTS), grade=st.sampled_from("AB"), flags=tuples(st.booleans()), part=FRACTIONS, anything=ANYTHING,
    share=st.floats(allow_nan=False, allow_infinity=False), insured=st.booleans(),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(SEND_OFFS)
def test_every_action_comes_back_from_text(action: SendOff):
    """With the labels that are the hardest to read: they hold commas and minus signs."""
    line = CODEC.text(action, DoubledLabels())
    assert CODEC.parse(line, DoubledLabels()) == action
    assert "\n" not in line


def test_examples_of_lines():
    labels = MemoirLabels(rows=9)
    assert CODEC.text(Keep(), labels) == "keep"
    assert CODEC.text(Send(labels.hex("C3")), labels) == "send C3"
    assert CODEC.parse("  SEND   C3 ", labels) == Send(labels.hex("C3"))
    with pytest.raises(CodecError, match="as in 'C3'"):
        CODEC.parse("send c3", labels)


def test_a_hex_may_be_read_by_its_name():
    labels = PlaceLabels(LETTERS, {"Caen": LETTERS.hex("C3"), "Nan Green": LETTERS.hex("D4")})
    for line in ("send Caen", "send caen"):
        assert CODEC.parse(line, labels) == Send(LETTERS.hex("C3"))
    for line in ('send "Nan Green"', "send Nan-Green", "send D4"):
        assert CODEC.parse(line, labels) == Send(LETTERS.hex("D4"))
    assert CODEC.text(Send(LETTERS.hex("D4")), labels) == "send D4"
    with pytest.raises(CodecError, match=r"to: 'Nan-Gren' names no hex: .+; did you mean 'Nan Green'\?"):
        CODEC.parse("send Nan-Gren", labels)


def test_of_two_actions_of_one_name_the_one_that_is_asked_for_is_meant():
    codec, labels = codec_for(SERIES), DoubledLabels()
    assert codec.parse("pass", labels, (toy.Dare, toy.Pass)) == toy.Pass()
    assert codec.parse("pass", labels, (series.Play_, series.Pass)) == series.Pass()
    assert codec.parse("pass sulking", labels, (toy.Dare, toy.Pass)) == series.Pass(sulking=True)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("sned C3", "'sned C3' is no action; did you mean 'send'? It is written: send HEX"),
        ("hold everything", "'hold everything' is no action; known: keep, send, send off"),
        ("", "'' is no action; known: keep, send, send off"),
        ("send", "'send': to is missing. It is written: send HEX"),
        ("send C3 D4", "'send C3 D4': 'D4' is too much. It is written: send HEX"),
        ("send 33", "'send 33': to: '33' names no hex: expected capital letters and a number from 1, such as 'C3'. It is written: send HEX"),
        ("keep it", "'keep it': 'it' is too much. It is written: keep"),
    ],
)  # fmt: skip
def test_lines_that_say_nothing(line: str, message: str):
    with pytest.raises(CodecError) as error:
        CODEC.parse(line, LETTERS)
    assert str(error.value) == message.replace("such as 'C3'", "such as 'C4'")


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        (" very-small ", " tiny ", "size: tiny stands there; right would be one of very-small, large"),
        (" express ", " fast ", "fast stands there; right would be express or not express"),
        (" C3-D4 ", " C3-D ", "path[1]: 'D' names no hex: expected capital letters and a number from 1, such as 'C4'"),
        (" -3 ", " three ", "number: three stands there; right would be NUMBER"),
        (" off-the-map ", " 7 ", ("place: '7' names no hex: expected capital letters and a number from 1, such as 'C4'; or"
         " 7 stands there; right would be one of lost, off-the-map")),
        (" (1,2),(()),(3) ", " 1,2 ", "rows[0]: 1,2 stands there; right would be (NUMBER,…)"),
        (" 1,b ", " 1 ", "both: 1 stands there; right would be NUMBER,WORD"),
        (" 1,b ", " 1,b,c ", "both: 1,b,c stands there; right would be NUMBER,WORD"),
        (" A1-B1 ", " A1-C1 ", ("side: no beachhead.hexside has these fields: Hex(q=0, r=0) and Hex(q=2, r=0) share no hexside: only"
         " neighbours do, and these are 2 apart")),
        (" box(A1,(())) ", " bag(A1,(())) ", ("box: bag(A1,(())) stands there; right would be box(HEX,HEX-…); or bag(A1,(())) stands there; right"
         " would be fragile")),
        (" yes,no ", " yes,maybe ", "flags[1]: maybe stands there; right would be yes|no"),
        (' "1/3" ', " 1/3 ", "part: 1/3 is no JSON: Extra data: line 1 column 2 (char 1)"),
        (" 0.5 ", " half ", "share: half stands there; right would be NUMBER"),
        (" 0.5 not insured", " 0.5 not", "not stands there; right would be insured or not insured"),
    ],
)  # fmt: skip
def test_fields_that_are_not_said_right(right: str, wrong: str, message: str):
    assert right in LINE
    with pytest.raises(CodecError) as error:
        CODEC.parse(LINE.replace(right, wrong), LETTERS)
    assert f": {message}. It is written: send off HEX very-small|large [not] express HEX-…" in str(error.value)


@pytest.mark.parametrize(
    ("of", "value", "word"),
    [
        (Hex | tuple[Hex, ...], Hex(0, 0), "A1"),
        (Hex | tuple[Hex, ...], (Hex(0, 0),), "(A1)"),
        (Hex | tuple[Hex, ...], (), "(())"),
        (tuple[Hex, ...] | None, (Hex(0, 0),), "A1"),
        (tuple[Hex, ...] | None, None, "none"),
        (Size | Away, Size.LARGE, "large"),
        (str | int, "3", '"3"'),
        (str | int, 3, "3"),
        (str | None, "none", '"none"'),
        (str, "a,b", '"a,b"'),
        (str, "", '""'),
        (str, "é", "é"),
        (tuple[int, ...] | tuple[str, ...], ("1", "b"), '["1","b"]'),
        (tuple[int, ...] | frozenset[int], (1, 2), "(1,2)"),
        (tuple[int, ...] | frozenset[int], frozenset({1, 2}), "frozenset((1,2))"),
        (dict[str, int], {"a b": 1}, '{"a b":1}'),
        (Colour, Colour.RED, "RED"),
    ],
)
def test_words_of_unions(of: Any, value: Any, word: str):
    from beachhead.codec import text

    form = CODEC.form(of)
    assert text._write(form, value, LETTERS) == word
    assert text._read(form, word, LETTERS) == value


def test_enums_with_a_word_in_common_name_their_class(package: Any):
    a = "from enum import Enum\nclass A(Enum):\n  NONE = 'none'\n  X = 'x'\nclass B(Enum):\n  X = 'x'\nclass C(Enum):\n  P = 'a b'\n  Q = 'a-b'\n"
    codec = Codec(package(a=a + "@frozen\nclass State:\n  one: A | B\n  two: A | None\n  three: C\n"))
    from beachhead.codec import text

    a = sys.modules["made.a"]
    for of, value, word in (
        (a.A | a.B, a.B.X, "b(x)"),
        (a.A | a.B, a.A.NONE, "a(none)"),
        (a.A | None, a.A.NONE, "a(none)"),
        (a.A | None, None, "none"),
        (a.C, a.C.Q, "q"),
    ):
        assert text._write(codec.form(of), value, LETTERS) == word
        assert text._read(codec.form(of), word, LETTERS) == value


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('send "C3', "a quotation mark has no partner"),
        (LINE.replace("Bob", '"a"b'), 'name: "a"b is no JSON: Extra data'),
        (LINE.replace("Bob", "B(ob"), "name: B(ob stands there; right would be WORD"),
        (LINE.replace("box(A1,(()))", "box(A1"), "box: box(A1 stands there"),
        (LINE.replace("box(A1,(()))", "box"), "box: box stands there"),
    ],
)
def test_marks_without_a_partner(line: str, message: str):
    with pytest.raises(CodecError) as error:
        CODEC.parse(line, LETTERS)
    assert message in str(error.value)


def test_a_game_takes_lines():
    game = bh.new("toy/dare", seed=3)
    assert game.text(Dare()) == "dare"
    assert game.parse("Pass") == Pass()
    other = bh.new("toy/dare", seed=3)
    assert game.do("dare") == other.apply(Dare())
    with pytest.raises(CodecError, match="did you mean 'dare'"):
        game.do("dear")
    assert game.position == other.position


def test_all_fields_of_an_action_are_tried():
    """The two examples have every field of the class; a new one must come into them."""
    assert len(fields(SendOff)) == 20
    assert len(fields(Parcel)) == 40
