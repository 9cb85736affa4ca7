"""The Operations Phase: the Command Cup, and what the units of the Active formation do (7.0, 8.4; 14.1, 14.3, 14.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.play import Chance, Decision, Play, Then, call
from beachhead.rules import Objection
from beachhead_koenig.beach import Away, Enters
from beachhead_koenig.carry_out import carry_out
from beachhead_koenig.events import OperationBegan
from beachhead_koenig.leadership import (
    Attach,
    Recover,
    attachable,
    attachment_objections,
    recovery_objections,
)
from beachhead_koenig.movement import allowance
from beachhead_koenig.phase_events import ActivationEnded, CupFilled, Feat, HQDrawn, LeadershipSpent, PhaseBegan
from beachhead_koenig.preparation import has_targets, indirect_targets, targets
from beachhead_koenig.refit import may_rest, reconstitute, rest_or_operate
from beachhead_koenig.state import Operation, Progress, State
from beachhead_koenig.support import Trade, too_late
from beachhead_koenig.tables import Phase, Side


# ------------------------------------------------------------ the Command Cup
def fill_cup(play: Play[State]) -> None:
    """The HQs of all formations with units on the map, and of those whose reinforcements may still enter (7.0)."""
    state = play.state
    hqs = tuple([f.name for f in state.setting.formations if state.on_map(f.name) or can_enter(state, f.name)])
    play.record(CupFilled(hqs, ("koenig:7.0.a", "koenig:K-34")))


def waiting(state: State, formation: str) -> tuple[str, ...]:
    """The reinforcements of a formation that have not entered."""
    units = state.units
    return tuple([name for name, i in state.setting.entering.get(formation, ()) if units[i].place is Away.WAITING])


def can_enter(state: State, formation: str) -> bool:
    """Whether a reinforcement of a formation may enter if its HQ is drawn now (Juno 5.1, koenig:K-01)."""
    if not waiting(state, formation):
        return False
    limit = state.setting.last_reinforcements
    return (state.drawings if state.setting.choice("K-01") == "drawings" else state.turn - 1) < limit


@frozen
class DrawHQ(Chance[State, str]):
    """An HQ from the Command Cup: each that is in it is as likely (7.0)."""

    rule: str = "koenig:7.0.b"

    def outcomes(self, state: State) -> Sequence[tuple[str, int]]:
        """Those in the cup."""
        return state.cup.counts

    def read(self, outcome: str) -> str:
        """The HQ."""
        return outcome


_DRAW = DrawHQ()
_drawn: Callable[[str, bool, tuple[str, ...]], HQDrawn] = cache(HQDrawn)


async def draw(play: Play[State]) -> None:
    """The next HQ is drawn, and its formation becomes Active; when the cup is empty the phase is over (7.0)."""
    if not play.state.cup.size:
        play.record(PhaseBegan(Phase.HOUSEKEEPING, ("koenig:4.0.a", "koenig:7.0.j", "koenig:7.3.b", "koenig:K-25")))
        return
    hq = await _DRAW
    may_enter = can_enter(play.state, hq)
    entry = ("koenig:juno.5.1.b", "koenig:K-01") if may_enter else ()
    play.record(_drawn(hq, may_enter, ("koenig:7.0.d", *entry)))
    if play.state.setting.plays("14.3") and may_rest(play.state, hq):
        await call(rest_or_operate, hq)


# ------------------------------------------------------------ choosing an Operation
@final
@frozen
class BeginMovement:
    """This unit moves, as far as its Movement Allowance lets it."""

    unit: str


@final
@frozen
class BeginFullFire:
    """This unit stays and fires with its full Combat Strength."""

    unit: str


@final
@frozen
class BeginCombined:
    """This unit moves half as far and fires with half its strength, in either order; or goes on with that."""

    unit: str


@final
@frozen
class EndActivation:
    """The formation has finished."""


Begin = BeginMovement | BeginFullFire | BeginCombined
_OPERATION = {
    BeginMovement: Operation.MOVEMENT,
    BeginFullFire: Operation.FULL_FIRE,
    BeginCombined: Operation.COMBINED,
}
_BEGUN: Mapping[Operation, tuple[str, ...]] = {
    Operation.MOVEMENT: ("koenig:7.0.g", "koenig:7.1.c"),
    Operation.FULL_FIRE: ("koenig:7.0.h", "koenig:7.1.c"),
    Operation.COMBINED: ("koenig:8.4.c", "koenig:7.1.c"),
}
# the same few, again and again
_movement: Callable[[str], BeginMovement] = cache(BeginMovement)
_full_fire: Callable[[str], BeginFullFire] = cache(BeginFullFire)
_combined: Callable[[str], BeginCombined] = cache(BeginCombined)
_began: Callable[[str, Operation, tuple[str, ...]], OperationBegan] = cache(OperationBegan)
_END = EndActivation()
_ENDED = ActivationEnded()


@cache
def _operations(unit: str) -> tuple[BeginMovement, BeginFullFire, BeginCombined]:
    """What a unit that has not operated may begin."""
    return _movement(unit), _full_fire(unit), _combined(unit)


# looking them up in the enum takes ten times as long
_READY, _MOVED, _FIRED = Progress.READY, Progress.MOVED, Progress.FIRED
_SWITCHED, _DONE = Progress.SWITCHED, Progress.DONE


@frozen
class ChooseOperation(
    Decision[State, BeginMovement | BeginFullFire | BeginCombined | Attach | Recover | EndActivation]
):
    """The owner of the Active formation chooses a unit and its Operation, in any order, or ends the activation (7.0, 7.1)."""

    side: Side
    rule = "koenig:7.0.f"
    prompt = "choose a unit and its Operation, or end the activation"

    def certain(self, state: State) -> list[Begin | EndActivation]:
        """A unit that has not operated may move, and fire if it has a target; one in the middle of Combined goes on; a reinforcement may come on."""
        assert state.activation is not None
        units, fields, enemies = state.units, state.setting.fields_of_fire, state.occupation.of(self.side.enemy)
        found: list[Begin | EndActivation] = []
        for name, i in _operating(state):
            unit = units[i]
            progress = unit.progress
            if progress is _DONE or type(unit.place) is not Hex:
                continue
            if progress is _READY:
                move, fire, both = _operations(name)
                found += (move, fire, both) if fields[unit.place] & enemies else (move, both)
            elif (
                progress is _FIRED
                or progress is _SWITCHED
                or (progress is _MOVED and state.activation.current == name and fields[unit.place] & enemies)
            ):
                found.append(_combined(name))
        if state.activation.may_enter:
            for name in waiting(state, state.activation.formation):
                if state.unit(name).progress is _READY:
                    found += (_movement(name), _combined(name))
        found.append(_END)
        return found

    def candidates(self, state: State) -> list[Begin | Attach | Recover]:
        """Indirect Fire, and what the Leadership marker is good for."""
        now = state.activation
        assert now is not None
        found: list[Begin | Attach | Recover] = []
        if state.setting.indirect_fire:
            found += [
                _full_fire(unit)
                for unit in state.operating
                if state.unit(unit).progress is _READY and not has_targets(state, unit)
            ]
        if state.leadership is self.side:
            found += map(Attach, attachable(state, self.side))
            found += [Recover(unit) for unit in state.of(now.formation) if state.place(unit) is Away.ELIMINATED]
        return found

    def objections(self, state: State, action: Begin | Attach | Recover | EndActivation) -> Iterator[Objection]:
        """Why a unit may not do that."""
        match action:
            case EndActivation():
                pass
            case Attach(unit):
                yield from attachment_objections(state, self.side, unit)
            case Recover(unit):
                yield from recovery_objections(state, self.side, unit)
            case _:
                yield from operation_objections(state, action.unit, _OPERATION[type(action)])

    def foreign(self, state: State, action: object) -> Iterator[Objection]:
        """A unit first begins its Operation, and only then moves or fires."""
        yield from too_late(action)
        if not isinstance(action, Trade):
            yield Objection(self.rule, "first choose a unit and its Operation")


_choosing: Callable[[Side], ChooseOperation] = cache(ChooseOperation)


def _operating(state: State) -> tuple[tuple[str, int], ...]:
    """The units of the formation, wherever they are, and those attached to it, with their numbers."""
    now, setting = state.activation, state.setting
    assert now is not None
    units = setting.numbered[now.formation]
    return (*units, *((unit, setting.number[unit]) for unit in now.attached)) if now.attached else units


def operation_objections(state: State, unit: str, operation: Operation) -> Iterator[Objection]:
    """Why a unit may not begin an Operation, or go on with it (7.0, 7.1)."""
    if unit not in state.setting.number:
        yield Objection("koenig:7.1.a", "there is no unit {}", (unit,))
        return
    now = state.unit(unit)
    if now.place is Away.WAITING:
        yield from _waiting_objections(state, unit, operation)
        return
    if unit not in state.operating:
        yield from _not_active(state, unit)
        return
    progress = now.progress
    if progress is Progress.DONE:
        yield Objection(("koenig:7.0.f", "koenig:7.1.c"), "{} has finished its Operation", (unit,))
    elif progress is Progress.READY:
        if operation is Operation.FULL_FIRE and not targets(state, unit) and not indirect_targets(state, unit):
            yield Objection(("koenig:7.0.h", "koenig:9.0.b"), "{} has nobody to fire at", (unit,))
    elif operation is not Operation.COMBINED:
        yield Objection("koenig:7.0.f", "{} {}: it begins no other Operation", (unit, progress.value))
    elif progress in (Progress.MOVED, Progress.WAITING):
        assert state.activation is not None
        if state.activation.current != unit:
            rules = ("koenig:7.1.c", "koenig:7.2.a")
            yield Objection(rules, "{} has begun since: {} fires only in concert", (state.activation.current, unit))
        elif not targets(state, unit):
            yield Objection(("koenig:8.4.1.a", "koenig:9.0.b"), "{} has moved, and has nobody to fire at", (unit,))


def _not_active(state: State, unit: str) -> Iterator[Objection]:
    piece = state.setting.piece(unit)
    place = state.place(unit)
    if not isinstance(place, Hex):
        rules = ("koenig:7.1.a", "koenig:11.1.b") if place is not Away.ELIMINATED else ("koenig:7.1.a",)
        yield Objection(rules, "{} {}", (unit, place.verb))
    elif state.activation is not None and state.activation.formation == piece.formation:
        yield Objection("koenig:7.1.a", "{} cannot operate", (unit,))
    else:
        now = state.activation.formation if state.activation else "no formation"
        yield Objection("koenig:7.1.a", "{} belongs to formation {}, and {} is Active", (unit, piece.formation, now))


def _waiting_objections(state: State, unit: str, operation: Operation) -> Iterator[Objection]:
    """A unit off the map may only come on, in a Movement or Combined Operation of its own formation (Juno 5.1)."""
    now, piece = state.activation, state.setting.piece(unit)
    if not isinstance(piece.arrives, Enters):
        yield Objection("koenig:7.0.d", "{} has not landed", (unit,))
        return
    if now is None or now.formation != piece.formation:
        yield Objection(("koenig:juno.5.1.a", "koenig:7.1.a"), "{} enters when HQ {} is drawn", (unit, piece.formation))
    elif not now.may_enter:
        limit = state.setting.last_reinforcements
        late = (state.drawings > limit) if state.setting.choice("K-01") == "drawings" else state.turn > limit
        if late:
            yield Objection(("koenig:juno.5.1.f", "koenig:K-01"), "no reinforcement enters any more")
        else:
            yield Objection("koenig:juno.5.1.b", "one reinforcement has entered in this activation")
    if operation is Operation.FULL_FIRE:
        yield Objection("koenig:juno.5.1.d", "{} must enter by a Movement or Combined Operation", (unit,))
    if state.unit(unit).progress is Progress.DONE:
        yield Objection("koenig:7.0.f", "{} has finished its Operation", (unit,))


async def operate(play: Play[State]) -> Then[None] | None:
    """One unit begins its Operation, or goes on with it; or the activation ends (7.0 to 7.3)."""
    side = play.state.active
    assert side is not None
    action = await _choosing(side)
    if isinstance(action, Begin):
        unit, operation = action.unit, _OPERATION[type(action)]
        rules = _BEGUN[operation] if unit not in _attached(play.state) else (*_BEGUN[operation], "koenig:14.1.j")
        play.record(_began(unit, operation, rules))
        return await carry_out(play, unit, operation, allowance(play.state, unit, operation))
    if isinstance(action, EndActivation):
        play.record(_ENDED)
    elif isinstance(action, Attach):
        rules = ("koenig:14.1.j", "koenig:K-36", "koenig:14.1.d")
        play.record(LeadershipSpent(side, Feat.ATTACHMENT, action.unit, rules))
    else:
        rules = ("koenig:14.1.k", "koenig:K-36", "koenig:14.1.d")
        play.record(LeadershipSpent(side, Feat.RECOVERY, action.unit, rules))
        await call(reconstitute, action.unit, "koenig:14.1.k")
    return None


def _attached(state: State) -> tuple[str, ...]:
    return state.activation.attached if state.activation else ()
