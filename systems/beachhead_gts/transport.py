"""Movement Actions that are no move: mounting (14.10.2), entrenchments (13.2, 14.11), and retiring by prolonge (14.11)."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from beachhead.hexes import Hex
from beachhead.play import Play, call
from beachhead.rules import Breakdown, Objection
from beachhead_gts import ground
from beachhead_gts.battlefield import Printed
from beachhead_gts.charts import HALF
from beachhead_gts.events import CoverChanged, TransportChanged, UnitMoved, UnitStopped
from beachhead_gts.leaders import accompanied, concerned, mind_leaders, take_along, who_goes
from beachhead_gts.movement import leave_hex
from beachhead_gts.mover import entry_objections, mover, step_cost, terrain_objections
from beachhead_gts.opportunity import goes_on, in_zone, triggered
from beachhead_gts.quality import Purpose, check
from beachhead_gts.rating import Occasion
from beachhead_gts.results import cohesion_hit
from beachhead_gts.stacking import column_objections
from beachhead_gts.state import State, face
from beachhead_gts.tables import Cover, UnitClass


# ------------------------------------------------------------ mounting
def mount_objections(state: State, unit: str, *, column: bool) -> Iterator[Objection]:
    """Why a unit cannot mount, into Column or not (14.10.1, 14.10.2)."""
    piece, now, _ = mover(state, unit)
    assert isinstance(now.place, Hex)
    if piece.transport is None:
        yield Objection("gts:14.10.1.c", "{} has no Organic Transport", (unit,))
        return
    if now.mounted:
        yield Objection("gts:14.10.2.a", "{} is in Transport Mode already", (unit,))
    elif face(piece, now).unit_class not in (UnitClass.INFANTRY, UnitClass.GUN):
        yield Objection("gts:14.10.2.a", "{} is neither Infantry nor a Gun", (unit,))
    if now.column and not column:
        yield Objection("gts:14.10.2.f", "{} is in Column and stays so", (unit,))
    if column and not now.column:
        for against in column_objections(state, unit, now.place):
            yield evolve(against, rules=(*against.rules, "gts:14.10.2.b"))
    if now.cover is Cover.ENTRENCHED:
        yield Objection("gts:13.2.c", "{} is in an entrenchment: leaving it is an Action of its own", (unit,))
    if not ground.permitted_in(state.setting, piece.transport.movement_class, column, now.place):
        yield Objection("gts:14.10.2.b", "its vehicles must be in Column here")


async def mount(play: Play[State], unit: str, column: bool) -> None:
    """A unit mounts: Opportunity Fire before or after, as each firer likes; the Action is complete (14.10.2, 17.2)."""
    tried = await triggered(play, (unit,), Occasion.TRANSPORT)
    if not goes_on(play.state, unit):
        return
    rules = ["gts:14.10.2.a", "gts:14.10.2.c", "gts:14.10.2.g"]
    if column:
        rules.append("gts:14.10.2.f" if play.state.unit(unit).column else "gts:14.10.2.b")
    play.record(TransportChanged(unit, mounted=True, column=column, rule=rules))
    await triggered(play, (unit,), Occasion.TRANSPORT, tried)


# ------------------------------------------------------------ entrenchments
def entrench_objections(state: State, unit: str) -> Iterator[Objection]:
    """Why a unit cannot enter an entrenchment: there is none, or it is in it; a star gun not under fire (13.2, 14.11)."""
    now = state.unit(unit)
    assert isinstance(now.place, Hex)
    if not state.entrenchments & state.setting.bit[now.place]:
        yield Objection("gts:7.1.e", "there is no entrenchment in {}", (state.setting.board.label(now.place),))
    if now.cover is Cover.ENTRENCHED:
        yield Objection("gts:7.1.e", "{} is in the entrenchment already", (unit,))
    yield from _star_in_zone(state, unit)


def leave_objections(state: State, unit: str) -> Iterator[Objection]:
    """Why a unit cannot leave an entrenchment (13.2, 14.11)."""
    if state.unit(unit).cover is not Cover.ENTRENCHED:
        yield Objection("gts:7.1.f", "{} is in no entrenchment", (unit,))
    yield from _star_in_zone(state, unit)


def _star_in_zone(state: State, unit: str) -> Iterator[Objection]:
    """A star gun changes its entrenchment outside enemy Fire Zones only (14.11)."""
    piece, now, _ = mover(state, unit)
    assert isinstance(now.place, Hex)
    if face(piece, now).movement is Printed.STAR and in_zone(state, piece.side, now.place):
        yield Objection("gts:14.11.g", "{} has a star, and is in an enemy Fire Zone", (unit,))


async def change_cover(play: Play[State], unit: str, cover: Cover) -> None:
    """A unit enters or leaves an entrenchment, under Opportunity Fire; a star gun by a Troop Quality Check (13.2, 14.11, 17.2)."""
    await triggered(play, (unit,), Occasion.ENTRENCHMENT)
    if not goes_on(play.state, unit):
        return
    rules = ["gts:7.1.f" if cover is Cover.NONE else "gts:7.1.e", "gts:13.2.c"]
    piece, now, _ = mover(play.state, unit)
    if face(piece, now).movement is Printed.STAR:
        if not await check(play, unit, Purpose.PROLONGE):
            before = play.state
            cohesion_hit(play, unit, ("gts:14.11.b", "gts:14.11.g"))
            await call(mind_leaders, accompanied(before))
            return
        rules.append("gts:14.11.g")
    play.record(CoverChanged(unit, cover, rules))


# ------------------------------------------------------------ prolonge
def prolonge_objections(state: State, unit: str, there: Hex, *, second: bool) -> Iterator[Objection]:
    """Why a gun cannot be moved by prolonge into a hex (14.11)."""
    piece, now, _ = mover(state, unit)
    if face(piece, now).movement is not Printed.STAR:
        yield Objection("gts:14.11.a", "{} has no star for a Movement Allowance", (unit,))
        return
    if now.cover is Cover.ENTRENCHED:
        yield Objection("gts:13.2.c", "{} is in an entrenchment: leaving it is an Action of its own", (unit,))
    prohibited = list(terrain_objections(state, unit, there))
    if prohibited:
        for against in prohibited:
            yield evolve(against, rules=(*against.rules, "gts:14.11.c", "gts:14.11.e"))
        return
    yield from entry_objections(state, unit, there, second=second)
    if in_zone(state, piece.side, there):
        yield Objection("gts:14.11.d", "{} is in an enemy Fire Zone", (state.setting.board.label(there),))


async def prolonge(play: Play[State], unit: str, there: Hex, *, paid: bool) -> None:
    """A gun with a star moves one hex if it passes a Troop Quality Check; it draws Opportunity Fire like any mover (14.11, 17.2)."""
    before = play.state
    here = before.place(unit)
    await leave_hex(play, (unit,), there)
    if not isinstance(play.state.place(unit), Hex):
        await call(mind_leaders, accompanied(before))
    if not goes_on(play.state, unit):
        return
    if not await check(play, unit, Purpose.PROLONGE):
        cohesion_hit(play, unit, ("gts:14.11.b",))
        await call(mind_leaders, accompanied(before))
        if isinstance(play.state.place(unit), Hex):
            play.record(UnitStopped(unit, "cannot be moved", "gts:14.11.b"))
        return
    cost = step_cost(play.state, unit, there)
    assert cost is not None
    leaders = await who_goes(play, concerned(play.state, (unit,)) if paid else (), (unit,))
    play.record(UnitMoved(unit, there, Breakdown(per=HALF), "gts:14.11.a"))
    take_along(play, leaders, there)
    if here in play.state.leaders:
        await call(mind_leaders, accompanied(before))
