"""What a procedure may await, and how it changes the state."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any, TypeVar, final

import pytest
from attrs import frozen
from small import FLAT, Add, Choose, Go, Ground, Rest, St

from beachhead.dice import D6, D10, AtMost, Roll
from beachhead.errors import IllegalAction
from beachhead.play import (
    UNKNOWN,
    Decision,
    Event,
    GameOver,
    Play,
    Setting,
    Unknown,
    call,
    setting_of,
    setting_with,
    then,
)
from beachhead.rules import Breakdown, Modifier, Objection


# ------------------------------------------------------------ settings
def test_settings_are_equal_by_key():
    steep = Ground("steep, in this test", 2)
    s, t = St(), St(steep)
    assert s != t
    assert len({s, t}) == 2
    again = Ground("flat", 1)
    assert (again, hash(again), St(again)) == (FLAT, hash(FLAT), s)
    assert Ground("steep, in this test", 2) == setting_of(Ground, "steep, in this test")
    assert pickle.loads(pickle.dumps(steep)) is steep


def test_a_key_never_lies():
    with pytest.raises(ValueError, match="another Ground is already known as 'flat'"):
        Ground("flat", 7)
    with pytest.raises(TypeError, match="eq=False"):
        frozen(type("Bad", (Setting,), {}))
    assert setting_of(Ground, "flat").swing == 1


def test_a_setting_of_known_contents_is_the_known_one():
    made = setting_with(Ground, "made/hilly", ["swing", "2"], swing=2)
    assert made.key.startswith("made/hilly#")
    assert setting_with(Ground, "made/hilly", ["swing", "2"], swing=2) is made
    assert setting_with(Ground, "made/hilly", ["swing", "3"], swing=3) != made
    with pytest.raises(ValueError, match="another Ground"):  # the contents do not say all
        setting_with(Ground, "made/hilly", ["swing", "2"], swing=4)


def test_settings_of_another_class_may_share_a_key():
    @frozen(eq=False)
    class Other(Setting):
        pass

    assert Other("flat") != FLAT
    assert setting_of(Other, "flat") == Other("flat")


def test_a_pickle_needs_its_setting():
    data = pickle.dumps(St(Ground("far away", 3)))
    code = (
        f"import pickle, small\nd = {data!r}\n"
        "try: pickle.loads(d)\nexcept LookupError as e: print(e)\n"
        "s = small.St(small.Ground('far away', 3)); t = pickle.loads(d)\n"
        "print(s == t, hash(s) == hash(t), t.setting is s.setting)"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parent, check=True
    )
    assert out.stdout.splitlines() == [
        "load the scenario of Ground 'far away' before a state that stands on it",
        "True True True",
    ]


# ------------------------------------------------------------ calls
async def several(play: Play[St], a: int, b: int = 1, c: int = 2) -> tuple[int, int, int]:
    return a, b, c


async def only_by_name(play: Play[St], *, a: int = 1) -> int:
    return a


def test_keywords_become_positions():
    assert call(several, 1, b=7) == call(several, 1, 7, 2) != call(several, 1, 7, 3)
    assert then(several, 1, b=7).args == (1, 7, 2)
    assert call(several, b=5, a=4).args == (4, 5, 2)
    assert call(several, 1).args == (1,)
    for bad in (lambda: call(only_by_name, a=1), lambda: call(several, 1, d=2), lambda: call(several, b=2)):
        with pytest.raises(TypeError):
            bad()


# ------------------------------------------------------------ rolls
def test_rolls_are_values():
    roll = Roll(D6, AtMost(5), "x")
    assert roll == Roll(D6, AtMost(5), "x")
    assert hash(roll) == hash(Roll(D6, AtMost(5), "x"))
    assert roll not in (Roll(D6, AtMost(4), "x"), Roll(D10, AtMost(5), "x"), Roll(D6, AtMost(5), "y"))
    assert repr(roll) == "Roll(die=D6, reading=AtMost(number=5), rule='x')"
    assert eval(repr(roll)) == roll
    assert [roll.read(face) for face in (1, 5, 6)] == [True, True, False]
    assert roll.outcomes(None) == tuple((face, 1) for face in (1, 2, 3, 4, 5, 6))


# ------------------------------------------------------------ decisions
A = TypeVar("A")


@final
@frozen
class Wait:
    pass


@frozen
class One(Decision[St, Wait]):
    side: int = 0


@frozen
class Named(Decision[St, Any]):
    side: int = 0
    kinds = (Wait,)


class Of(Decision[St, A]):
    pass


def test_kinds_are_the_classes_that_the_type_names():
    assert Choose.kinds == (Go, Rest)
    assert One.kinds == (Wait,)
    assert Named.kinds == (Wait,)
    assert Of.kinds == ()


def test_options_are_the_candidates_without_objection():
    choose = Choose(0)
    assert choose.options(St()) == (Go(1), Go(2), Rest())
    assert [str(o) for o in choose.verdict(St(), Go(4)).objections] == [
        "4 is too far (small:1.a)",
        "nobody goes 4 (small:1.b)",
    ]
    assert choose.verdict(St(), Go(2)).ok


def test_refusals_say_why():
    choose = Choose(0)
    assert str(choose.refusal(St(), Go(3))) == "Go(far=3): 3 is too far (small:1.a)"
    foreign = choose.refusal(St(), Wait())
    assert str(foreign) == "Wait(): what is being decided is: go or rest (small:1)"
    unlisted = choose.refusal(St(), Go(-1))
    assert unlisted.verdict.objections == (Objection("small:1", "{!r} is not one of the options", (Go(-1),)),)
    again = pickle.loads(pickle.dumps(foreign))
    assert isinstance(again, IllegalAction)
    assert isinstance(again, ValueError)
    assert (again.decision, again.action, again.verdict) == (choose, Wait(), foreign.verdict)


def test_only_its_maker_is_told_the_answer_to_a_secret_decision():
    class Hidden(Choose):
        secret = True

    assert [Hidden(1).answer_seen_by(side) for side in (1, 0, None)] == [True, False, False]
    assert Choose(1).answer_seen_by(None)


# ------------------------------------------------------------ events
@frozen
class Fired(Event[St]):
    dice: Breakdown
    rule: str = "small:4"


def test_an_event_cites_its_own_rule_and_those_of_its_breakdowns():
    dice = Breakdown.of(Modifier("rifles", 3, "small:5"), Modifier("wood", -1, ("small:6", "small:4")))
    assert Fired(dice).rules == ("small:4", "small:5", "small:6")
    assert Add(2).rules == ("small:1",)
    assert Add(2).text(St()) == "add 2"


def test_record_folds_and_ends_the_game():
    play = Play(St(), lambda s: s.over)
    play.record(Add(2))
    assert (play.state, play.events) == (St(n=2), [Add(2)])
    with pytest.raises(GameOver):
        play.record(Add(1))
    assert play.state == St(n=3, over=True)
    assert not issubclass(GameOver, Exception)


def test_unknown_is_one_value():
    assert repr(UNKNOWN) == "UNKNOWN"
    assert pickle.loads(pickle.dumps(UNKNOWN)) is UNKNOWN is Unknown.UNKNOWN
