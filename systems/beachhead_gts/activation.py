"""What Active units do under a chit: Actions, Second Actions, Direct Command, and the end of it all (10.0, 13.0)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.play import Decision, Play, call
from beachhead.rules import Objection, first_objection
from beachhead_gts.actions import (
    KINDS,
    EndActivation,
    EnterEntrenchment,
    Fire,
    LeaveEntrenchment,
    Mount,
    Move,
    Pass,
    Prolonge,
    Rally,
    Single,
    Together,
    action_objections,
    active_units,
    is_second,
)
from beachhead_gts.choices import first_actions
from beachhead_gts.dispatch import Convert
from beachhead_gts.events import ActionBegan, acting
from beachhead_gts.fire import direct_fire
from beachhead_gts.leaders import concerned, mind_leaders, transfer_leader, transferring
from beachhead_gts.movement import move_on
from beachhead_gts.mover import setting_out
from beachhead_gts.phase_events import ActionsEnded, ActivationEnded, CommandPointSpent
from beachhead_gts.rally import rally
from beachhead_gts.rating import Shot
from beachhead_gts.state import State
from beachhead_gts.stepping import must_leave
from beachhead_gts.tables import ActionKind, ChitKind, Cover, Side
from beachhead_gts.together import ChooseTarget, joined, targets, together_objections
from beachhead_gts.transport import (
    change_cover,
    mount,
    prolonge,
)


# ------------------------------------------------------------ the decision
@frozen
class ChooseAction(
    Decision[
        State,
        Move
        | Prolonge
        | Mount
        | EnterEntrenchment
        | LeaveEntrenchment
        | Fire
        | Rally
        | Pass
        | Together
        | EndActivation,
    ]
):
    """The Active player chooses a unit and its Action, in any order, or ends the activation (13.2, 13.3)."""

    side: Side
    rule = "gts:13.3.a"
    prompt = "choose a unit and its Action, or end the activation"

    def certain(self, state: State) -> list[Single | Together | EndActivation]:
        """All of it."""
        return first_actions(state, self.side)

    def objections(self, state: State, action: Single | Together | EndActivation) -> Iterator[Objection]:
        """Why not."""
        match action:
            case EndActivation():
                yield from end_objections(state, self.side)
            case Together(unit, kind):
                yield from together_objections(state, unit, kind)
            case _:
                yield from action_objections(state, action)

    def foreign(self, state: State, action: object) -> Iterator[Objection]:
        """Points are converted in a step of their own."""
        if isinstance(action, Convert):
            yield Objection("gts:10.0.3.j", "Command Points are converted in step D only")
        else:
            yield from super().foreign(state, action)


_choosing: Callable[[Side], ChooseAction] = cache(ChooseAction)  # the same two, again and again


def end_objections(state: State, side: Side) -> Iterator[Objection]:
    """Reinforcements that can leave their entry hex must have done so (8.0)."""
    if state.chit.direct:
        return
    for i in active_units(state):
        if not state.units[i].entering:
            continue
        unit, place = state.setting.roster[i].name, state.units[i].place
        assert isinstance(place, Hex)
        ways: tuple[Single, ...] = (Move(unit), *(Prolonge(unit, hex) for hex in state.setting.board.neighbours(place)))
        if any(first_objection(action_objections(state, way)) is None for way in ways):
            yield must_leave(state, unit)


# ------------------------------------------------------------ the procedure
async def act(play: Play[State]) -> None:
    """One Action after the other, in any order, until the player has enough; then the Leaders transfer (13.3)."""
    now = acting(play.state)
    if now.closing:
        await close(play)
        return
    chit = play.state.chit
    action = await _choosing(chit.side)
    if isinstance(action, EndActivation):
        play.record(ActionsEnded("gts:10.0.5.e" if chit.direct else "gts:13.3.a"))
        return
    if isinstance(action, Together):
        units = await call(joined, action)
        await call(together, units, action.kind)
    else:
        await single(play, action)


def begin(play: Play[State], units: tuple[str, ...], kind: ActionKind) -> bool:
    """The Action begins, and is paid for where a Command Point buys it (10.0.2, 10.0.5).

    Returns:
        whether it was paid for.
    """
    state = play.state
    chit, second = state.chit, is_second(state, units[0])
    direct, together = chit.direct, len(units) > 1
    if second or direct:
        price_rules = ["gts:10.0.2.d"] if second else ["gts:10.0.5.a", "gts:10.0.5.i"]
        if direct and together:
            price_rules.append("gts:10.0.5.k")
        divisions = [*map(state.setting.points_of, units)]
        for division in dict.fromkeys(divisions):
            play.record(CommandPointSpent(division, divisions.count(division), price_rules))
    rules = _begun(chit.kind, second, together)
    if kind is not _RALLY and any(state.unit(unit).rallying for unit in units):
        rules = (*rules, "gts:20.0.i")
    play.record(_action_began(units, kind, second, rules))
    return second or direct


_action_began: Callable[[tuple[str, ...], ActionKind, bool, tuple[str, ...]], ActionBegan] = lru_cache(maxsize=8192)(
    ActionBegan
)  # the same ones, again and again
_RALLY = ActionKind.RALLY  # looking it up in the enum takes ten times as long


@cache
def _begun(kind: ChitKind, second: bool, together: bool) -> tuple[str, ...]:
    """What lets units act."""
    if second:
        joint = ("gts:10.0.2.h",) if together else ()
        return ("gts:10.0.2.a", "gts:10.0.2.i", *joint) if kind is ChitKind.DIVISION else ("gts:10.0.2.a", *joint)
    if kind is ChitKind.DIRECT_COMMAND:
        return ("gts:10.0.5.a", "gts:10.0.5.c")
    return ("gts:13.2.a", "gts:10.0.1.g") if kind is ChitKind.DIVISION else ("gts:13.2.a", "gts:7.1.r")


@cache
def _alone(unit: str) -> tuple[str, ...]:
    return (unit,)


async def single(play: Play[State], action: Single) -> None:
    """One unit performs an Action."""
    unit = action.unit
    units = _alone(unit)
    paid = begin(play, units, KINDS[type(action)])
    match action:
        case Move():
            await start_moving(play, units, paid=paid)
        case Prolonge(unit, hex):
            await prolonge(play, unit, hex, paid=paid)
        case Mount(unit, column):
            await mount(play, unit, column)
        case EnterEntrenchment():
            await change_cover(play, unit, Cover.ENTRENCHED)
        case LeaveEntrenchment():
            await change_cover(play, unit, Cover.NONE)
        case Fire(unit, target):
            await call(direct_fire, Shot(unit, target))
        case Rally():
            await rally(play, unit)
        case Pass():
            pass


async def together(play: Play[State], units: tuple[str, ...], kind: ActionKind) -> None:
    """Several units perform the same Action: they move as a stack, or each acts in turn (10.0.2, 14.7)."""
    paid = begin(play, units, kind)
    if kind is ActionKind.MOVEMENT:
        await start_moving(play, units, paid=paid)
        return
    for unit in units:
        if kind is ActionKind.RALLY:
            await rally(play, unit)
        elif kind is ActionKind.FIRE and targets(play.state, unit):
            aim = await ChooseTarget(play.state.setting.piece(unit).side, unit)
            await call(direct_fire, Shot(unit, aim.target))


async def start_moving(play: Play[State], units: tuple[str, ...], *, paid: bool) -> None:
    """Units begin to move; Leaders go along only where a Command Point moves them (21.2)."""
    leaders = concerned(play.state, units) if paid else ()
    await call(move_on, setting_out(play.state, units, second=acting(play.state).second, leaders=leaders))


async def close(play: Play[State]) -> None:
    """The Leaders transfer, one after the other; then the activation is over (21.2)."""
    leader = transferring(play.state)
    if leader:
        await call(transfer_leader, leader)
        return
    play.record(ActivationEnded(("gts:21.2.e", "gts:7.1.u")))
    await call(mind_leaders)
