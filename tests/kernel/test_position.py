"""A position is plain data; the live coroutines are only a cache."""

from __future__ import annotations

import pickle
import threading
from collections import Counter

import pytest
from attrs import frozen
from small import D2, Add, Choose, Go, Mark, Nothing, Rest, Small, St
from toy import TOY, DareOrPass, Pass
from walks import an_answer, start, walk

from beachhead.dice import D6, AtMost, Face, Roll
from beachhead.errors import GameIsOver, IllegalAction, NoOptions, NotAnOutcome, NothingHappens
from beachhead.play import Decision, call, then
from beachhead.position import Answer, Entry, Position
from beachhead.rules import Objection

DARE = start(TOY, "dare")


# ------------------------------------------------------------ live play and rebuilding
def test_a_rebuilt_position_equals_the_live_one():
    kinds, forced, n = Counter(), 0, 0
    for p, r in walk(TOY, DARE, 1000):
        q, t = pickle.loads(pickle.dumps(p)), Position(p.system, p.base, p.answers)
        for x in (q, t):
            assert (x, hash(x), x.state, x.pending, x.options) == (p, hash(p), p.state, p.pending, p.options)
        answer, state = an_answer(p, r), p.state
        a, b, c = p.after(answer), p.after(answer), q.after(answer)  # b: the live run is gone; c: out of the pickle
        for x in (b, c):
            assert (x, x.state, x.pending, x.options, x.entries) == (a, a.state, a.pending, a.options, a.entries)
        assert p.state is state
        kinds[type(p.pending).__name__] += 1
        forced += sum(entry.forced for entry in a.entries)
        n += 1
    assert n == 1000
    assert forced > 50
    assert set(kinds) == {"DrawCard", "DareOrPass", "Roll"}


def test_a_rebuild_computes_no_options(monkeypatch):
    positions = [p for p, _ in walk(TOY, DARE, 500)]
    calls = Counter()
    for name in ("options", "candidates", "objections"):
        for cls in (Decision, DareOrPass):
            if name in vars(cls):
                f = vars(cls)[name]
                monkeypatch.setattr(cls, name, lambda self, *a, f=f, name=name: (calls.update([name]), f(self, *a))[1])
    for p in positions:
        assert Position(p.system, p.base, p.answers) == p
        assert pickle.loads(pickle.dumps(p)).pending == p.pending
    assert not calls
    assert sum(len(p.answers) for p in positions) > 400
    assert sum(a.forced for p in positions for a in p.answers) > 20
    assert walk(TOY, DARE, 2).__next__()[0].after(1).options
    assert calls["options"]  # the spy works


def test_forced_answers_are_recorded():
    async def step(play):
        play.record(Add((await Choose(0, most=1)).far))  # only Go(1)
        play.record(Add(await Roll(D2, Face(), "small:9")))

    p = Position(Small(step), St())
    assert p.answers == (Answer(Go(1), forced=True),)
    assert (p.options, p.state.n) == ((), 1)
    begin, choice = p.entries
    assert begin == Entry(None, None, False, (), St())
    assert choice == Entry(Choose(0, most=1), Go(1), True, (Add(1),), St())
    assert choice.actor == 0
    end = p.after(1)  # 1 + 1, then the next step's forced choice ends the game
    assert (end.answers, end.pending, end.state) == ((), None, St(n=3, over=True))
    assert [entry.events for entry in end.entries] == [(Add(1),), (Add(1),)]
    assert end.entries[0].actor is None


def test_a_secret_decision_is_asked_even_when_it_is_forced():
    @frozen
    class Hidden(Choose):
        secret = True

    async def step(play):
        play.record(Add((await Hidden(0, most=1)).far))

    p = Position(Small(step), St())
    assert (p.pending, p.options, p.answers) == (Hidden(0, most=1), (Go(1),), ())
    assert p.after(Go(1)).entries[0].forced is False


def test_there_is_only_one_live_run():
    first = Position(TOY, DARE)
    for _ in range(3):
        p = Position(TOY, DARE)
        answers, out = [card for card, _ in p.pending.outcomes(p.state)], []
        threads = [threading.Thread(target=lambda a=a, p=p, out=out: out.append((a, p.after(a)))) for a in answers]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert len(out) == len(answers) == 6
        assert all(
            (q, q.state, q.pending) == (first.after(a), first.after(a).state, first.after(a).pending) for a, q in out
        )


# ------------------------------------------------------------ the end of the game
def test_the_game_ends_inside_a_call():
    async def inner(play, face):
        if face == 1:
            play.record(Add(3))
        return face

    async def middle(play, face):
        value = await call(inner, face)
        play.record(Mark())
        return value * 10

    async def outer(play):
        await call(middle, await Roll(D2, Face(), "small:9"))
        play.record(Mark())

    p = Position(Small(outer), St())
    over = p.after(1)
    assert (over.state, over.pending, over.options, over.answers) == (St(n=3, over=True), None, (), ())
    assert over.entries == (Entry(p.pending, 1, False, (Add(3),), St()),)
    goes_on = p.after(2)
    assert (goes_on.state, goes_on.pending) == (St(marks=2), p.pending)


def test_the_game_ends_inside_a_loop():
    async def loop(play):
        face = await Roll(D6, Face(), "small:9")
        if face == 6:
            return None
        if face <= 2:
            play.record(Add(1))
        else:
            play.record(Mark())
        return then(loop)

    async def step(play):
        await call(loop)
        play.record(Mark())

    p = Position(Small(step), St())
    for face in (1, 5, 2):
        p = p.after(face)
        assert Position(p.system, p.base, p.answers).state == p.state
    assert (p.state.n, p.after(6).state, p.after(1).pending) == (2, St(n=2, marks=2), None)


def test_a_game_that_is_over_at_once():
    async def step(play):
        raise AssertionError("no step is taken")

    p = Position(Small(step), St(over=True))
    assert (p.pending, p.options, p.answers, p.entries) == (None, (), (), (Entry(None, None, False, (), p.base),))
    assert Position(p.system, p.base, ()) == p
    with pytest.raises(GameIsOver, match="no procedure is under way"):
        _ = p.frame


def test_a_position_knows_the_answers_of_a_long_step_from_those_before_it():
    async def step(play):
        for _ in range(5):
            await Choose(0)
        play.record(Mark())

    line = [Position(Small(step), St())]
    for _ in range(4):
        line.append(line[-1].after(Go(1)))
    assert [p.answers for p in line] == [(Answer(Go(1)),) * n for n in range(5)]
    branch = line[2].after(Rest())
    assert branch.answers == (Answer(Go(1)), Answer(Go(1)), Answer(Rest()))
    rebuilt = Position(line[3].system, line[3].base, line[3].answers)
    assert rebuilt.after(Go(1)) == line[4]
    assert line[4].after(Go(1)).answers == ()


# ------------------------------------------------------------ refusals
def test_after_checks_its_answer():
    async def step(play):
        action = await Choose(0)
        if isinstance(action, Go):
            play.record(Add(await Roll(D2, Face(), "small:9") + action.far))
        else:
            play.record(Mark())

    p = Position(Small(step), St())
    with pytest.raises(IllegalAction, match=r"3 is too far \(small:1.a\)") as e:
        p.after(Go(3))
    assert e.value.verdict.objections == (Objection("small:1.a", "{} is too far", (3,)),)
    for bad, said in (
        (Pass(), "go or rest"),
        (99, "go or rest"),
        (None, "that is no action"),
        ("rest", "that is a text"),
    ):
        with pytest.raises(IllegalAction, match=said):
            p.after(bad)
    q = p.after(Go(2))
    assert isinstance(q.pending, Roll)
    assert q.options == ()
    for bad in (0, 3, None, Go(1)):
        with pytest.raises(NotAnOutcome, match="not an outcome of Roll"):
            q.after(bad)
    end = q.after(1)
    assert (end.pending, end.options, end.state.over, end.answers) == (None, (), True, ())
    again = Position(end.system, end.base, end.answers)
    assert (again, again.options, again.pending) == (end, (), None)
    with pytest.raises(GameIsOver):
        end.after(1)
    assert p.after(Go(2)).after(1) == end  # refusals changed nothing
    assert p.after(Rest()).state == St(marks=1)


def test_a_refusal_leaves_the_live_run():
    runs = []

    async def step(play):
        runs.append(None)
        play.record(Add((await Choose(0)).far))

    p = Position(Small(step), St())
    with pytest.raises(IllegalAction):
        p.after(Go(4))
    assert p.after(Go(1)).state.n == 1
    assert len(runs) == 2  # this step and the next: the refusal needed no rebuild


def test_a_fault_in_the_rules_leaves_the_position_as_it_was():
    async def step(play):
        if await Roll(D2, AtMost(1), "small:9"):
            await Nothing()
        play.record(Mark())

    p = Position(Small(step), St())
    for _ in range(2):
        with pytest.raises(NoOptions, match="Nothing"):
            p.after(1)
    assert p.after(2).state == St(marks=1)
    assert p.state == St()


def test_no_options_and_nothing_happens():
    async def dead(play):
        await Nothing()

    async def idle(play):
        pass

    async def forced(play):
        await Choose(0, most=1)

    async def restless(play):
        play.record(Mark())

    with pytest.raises(NoOptions, match="Nothing"):
        Position(Small(dead), St())
    for fn in (idle, forced):
        with pytest.raises(NothingHappens, match="small neither asked nor rolled nor changed anything"):
            Position(Small(fn), St())
    with pytest.raises(NothingHappens, match="5001 steps of small on end rolled nothing and left nobody a choice"):
        Position(Small(restless), St())


def test_answers_of_another_state_are_refused():
    with pytest.raises(ValueError, match="do not belong"):
        Position(TOY, DARE, (Answer(1), Answer(Pass()), Answer(Pass())))


# ------------------------------------------------------------ as a value
def test_positions_compare_by_value():
    p = Position(TOY, DARE)
    assert p.after(1) == Position(TOY, DARE).after(1) != p.after(2)
    assert len({p, Position(TOY, DARE), p.after(1), p.after(1)}) == 2
    assert p != "a position"
    assert p != Position(TOY, start(TOY, "dare", passes=2))
    assert repr(p.after(1)) == "<toy position: DareOrPass(side=Side.RED)>"
    assert repr(Position(Small(None), St(over=True))) == "<small position: over>"


def test_the_frame_is_the_innermost_procedure():
    async def inner(play, a):
        await Roll(D2, Face(), "small:9")
        play.record(Add((await Choose(0)).far))

    async def step(play):
        play.record(Mark())
        await call(inner, 5)

    p = Position(Small(step), St()).after(2)
    fn, args, state, given, play = p.frame
    assert (fn, args, state, given, play.state) == (inner, (5,), St(marks=1), (2,), p.state)
    assert p.after(Go(1)).state == St(n=1, marks=2)  # and the next step has begun
