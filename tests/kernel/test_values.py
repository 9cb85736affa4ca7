"""A value changed is the value that attrs would make."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import attrs
import pytest
from attrs import Factory, define, evolve, field, frozen
from hypothesis import given
from hypothesis import strategies as st

from beachhead.cup import Cup
from beachhead.values import changed

T = TypeVar("T")
EMPTY = Cup[str]()


@frozen
class Unit:
    name: str
    hits: int = 0
    _secret: int = 7


@frozen(cache_hash=True)
class State(Generic[T]):
    units: tuple[Unit, ...]
    cup: Cup[str] = EMPTY
    active: T | None = None
    index: dict[str, int] = field(init=False, eq=False, repr=False, factory=dict)
    total: int = field(init=False, default=Factory(lambda self: sum(u.hits for u in self.units), takes_self=True))
    version: int = field(init=False, default=3)


@frozen
class Later(State[int]):
    extra: str = field(kw_only=True, default="")


@frozen
class Checked:
    small: int = field(validator=attrs.validators.lt(10))
    text: str = field(converter=str, default="")
    free: int = 0


@frozen
class Posted:
    n: int
    double: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "double", 2 * self.n)


@frozen(slots=False)
class Loose:
    n: int
    m: int = 1


@define
class Own:
    n: int
    made: int = field(init=False, default=0)

    def __init__(self, n: int) -> None:
        self.n, self.made = n, n + 1


@frozen
class Converted:
    n: int
    doubled: Any = field(init=False, default=4, converter=lambda n: str(2 * n))


ints = st.integers(0, 9)
units = st.builds(Unit, st.text(max_size=3), ints, ints)
cups = st.lists(st.sampled_from("abc"), max_size=4).map(lambda things: Cup.of(*things))
tuples = st.lists(units, max_size=3).map(tuple)
FIELDS: dict[type, dict[str, Any]] = {
    Unit: {"name": st.text(max_size=3), "hits": ints, "secret": ints},
    State: {"units": tuples, "cup": cups, "active": st.none() | ints},
    Later: {"units": tuples, "cup": cups, "active": st.none() | ints, "extra": st.text(max_size=3)},
    Checked: {"small": ints, "text": ints, "free": ints},
    Posted: {"n": ints},
    Loose: {"n": ints, "m": ints},
    Own: {"n": ints},
    Converted: {"n": ints},
}
KINDS = st.sampled_from(list(FIELDS))


@given(KINDS, st.data())
def test_it_is_what_attrs_would_make(kind: type, data: st.DataObject) -> None:
    fields = FIELDS[kind]
    value: Any = kind(**{name: data.draw(values) for name, values in fields.items()})
    before = attrs.asdict(value, recurse=False)
    names = data.draw(st.lists(st.sampled_from(sorted(fields)), unique=True))
    changes = {name: data.draw(fields[name]) for name in names}
    hash_of(value)
    expected: Any = evolve(value, **changes)
    found: Any = changed(value, **changes)
    assert attrs.asdict(found, recurse=False) == attrs.asdict(expected, recurse=False)
    assert type(found) is kind
    assert (found, hash_of(found)) == (expected, hash_of(expected))
    assert attrs.asdict(value, recurse=False) == before, "the value itself has not changed"


def hash_of(value: object) -> int | None:
    return hash(value) if type(value).__hash__ is not None else None


def test_a_lazily_filled_index_is_made_anew() -> None:
    state = State[str]((Unit("a", 2),))
    state.index["a"] = 1
    after = changed(state, active="b")
    assert (state.index, after.index) == ({"a": 1}, {})
    after.index["b"] = 2
    assert changed(after).index == {}


def test_what_is_made_from_the_fields_is_made_from_the_changed_ones() -> None:
    assert changed(State[str]((Unit("a", 2),)), units=(Unit("a", 2), Unit("b", 3))).total == 5


def test_a_cached_hash_is_forgotten() -> None:
    state = State[str]((Unit("a"),))
    assert hash(state) != hash(changed(state, units=()))
    assert hash(changed(state, units=())) == hash(State[str](()))


def test_a_kept_field_is_the_very_same_and_a_changed_one_is_converted() -> None:
    cup = Cup.of("b", "a")
    assert changed(State[str]((), cup), active="x").cup is cup
    assert changed(Checked(1), text=5).text == "5"
    assert changed(cup, counts={"b": 1, "a": 2}) == Cup.of("a", "a", "b")


@pytest.mark.parametrize("value", [Unit("a"), State[str](()), Checked(1), Posted(1), Loose(1), Own(1)])
@pytest.mark.parametrize("name", ["nothing", "_secret", "index", "double", "made"])
def test_what_the_constructor_does_not_take_is_refused(value: Any, name: str) -> None:
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
        changed(value, **{name: 1})


def test_a_changed_field_is_validated() -> None:
    assert changed(Checked(1), free=3) == Checked(1, free=3)
    with pytest.raises(ValueError, match="< 10"):
        changed(Checked(1), small=12)


def test_only_attrs_values_can_be_changed() -> None:
    with pytest.raises(attrs.exceptions.NotAnAttrsClassError):
        changed("text", n=1)  # type: ignore[misc]


def test_it_is_written_out_for_plain_values_alone() -> None:
    from beachhead.values import changer

    plain: Callable[[type], bool] = lambda kind: changer(kind) is not attrs.evolve  # noqa: E731
    assert [kind.__name__ for kind in FIELDS if plain(kind)] == ["Unit", "State", "Later", "Checked"]
    assert inspect.isfunction(changed)


@attrs.frozen
class Named:
    """Fields called like what the function that changes them is made of."""

    old: int = 0
    new: int = 0
    open: bool = False
    create: int = 0
    cls: int = 0
    kept: int = 0
    set0: int = 0
    by_constructor: int = 0


@pytest.mark.parametrize("name", [a.name for a in attrs.fields(Named)])
def test_a_field_may_have_any_name(name: str) -> None:
    value = changed(Named(), **{name: True})
    assert value == attrs.evolve(Named(), **{name: True})
    assert type(value) is Named
    assert changed(value, old=3).old == 3


class Capped(Named):
    """A subclass that attrs has not seen, with a constructor of its own."""

    __slots__ = ()

    def __init__(self, old: int) -> None:
        super().__init__(min(old, 10))


@attrs.frozen
class Minding:
    """It wants something of each of its subclasses."""

    a: int = 0

    def __init_subclass__(cls, *, tag: str) -> None:
        super().__init_subclass__()


@attrs.frozen
class Aliased:
    a: int = attrs.field(default=0, alias="_new")
    b: int = attrs.field(default=0, alias="_old")


def test_constructors_and_subclasses_of_their_own_are_minded() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        changed(Capped(1), new=99)  # its constructor does not take that, and only it can make one
    assert changed(Minding(), a=1) == Minding(1)
    assert changed(Aliased(), _new=1) == Aliased(1)  # type: ignore[call-arg]
    assert changed(Aliased(), _old=2) == Aliased(0, 2)  # type: ignore[call-arg]
