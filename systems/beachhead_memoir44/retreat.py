"""Flags: ignoring them, retreating, and the figures lost for steps that cannot be made (m44:retreat.*)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import final

from attrs import field, frozen

from beachhead.hexes import Hex
from beachhead.play import Decision, Play, call
from beachhead.rules import Objection, cited, first_objection
from beachhead_memoir44.events import FlagsIgnored, Manner, UnitMoved
from beachhead_memoir44.losses import lose_figures, settle
from beachhead_memoir44.movement import entry_ban
from beachhead_memoir44.state import State
from beachhead_memoir44.tables import BaseType, Occupant, Side


# ------------------------------------------------------------ ignoring flags
def ignorable(state: State, unit: int, flags: int) -> tuple[int, tuple[str, ...]]:
    """How many of these flags the unit may ignore, and the rules that let it.

    Terrain, obstacle and the unit itself cancel the same first flag: they do not add up (m44:retreat.ignore_not_cumulative).
    """
    sources = [
        (flags if row.ignore_flags == "all" else min(flags, row.ignore_flags), row)
        for row in state.rows(state.place(unit))
        if row.ignore_flags and _benefits(state, unit, row.ignore_flags_who)
    ]
    if not sources:
        return 0, ()
    most, row = max(sources, key=lambda source: source[0])
    several = ("m44:retreat.ignore_not_cumulative",) if len(sources) > 1 else ()
    return most, (*row.cites["ignore_flags"], "m44:retreat.ignore_first_flag", *several)


def _benefits(state: State, unit: int, who: Occupant) -> bool:
    match who:
        case Occupant.ANY:
            return True
        case Occupant.INFANTRY:
            return state.troop(unit).base is BaseType.INFANTRY
        case Occupant.ORIGINAL_OWNER:
            return state.setting.owners.get(state.place(unit)) is state.side(unit)
        case _:
            return False


@final
@frozen
class IgnoreFlags:
    """Ignore so many of the flags."""

    flags: int


@frozen
class ChooseFlagsToIgnore(Decision[State, IgnoreFlags]):
    """A unit that may ignore flags was hit by some."""

    side: Side
    unit: int
    flags: int
    most: int
    rules: tuple[str, ...] = field(converter=cited)
    rule = "m44:retreat.ignore_optional"
    prompt = "how many flags to ignore"

    def candidates(self, state: State) -> Iterator[IgnoreFlags]:
        """None, up to as many as may be."""
        return (IgnoreFlags(n) for n in range(self.most, -1, -1))

    def objections(self, state: State, action: IgnoreFlags) -> Iterator[Objection]:
        """No more than may be ignored."""
        if not 0 <= action.flags <= self.most:
            yield Objection(
                (self.rule, *self.rules), "{} may ignore {} of {} flags", (state.name(self.unit), self.most, self.flags)
            )
        elif (
            action.flags < self.most
            and state.setting.ruling("ignore_flags") == "before_loss"
            and steps(state, self.unit, self.flags - action.flags) < self.flags - action.flags
        ):
            rules = ("m44:ignore_flags", self.rule)
            yield Objection(rules, "retreating would cost a figure, so the flag is ignored", ())


# ------------------------------------------------------------ the way back
def rear_hexes(state: State, unit: int, hex: Hex) -> tuple[Hex, ...]:
    """The two hexes of the next row towards the unit's own baseline, on the board or not (m44:retreat.toward_own_side)."""
    column, row = hex.doubled
    to = row + state.setting.rear(state.side(unit))
    return Hex.from_doubled(column - 1, to), Hex.from_doubled(column + 1, to)


def step_objections(state: State, unit: int, start: Hex, to: Hex) -> Iterator[Objection]:
    """Why a retreating unit may not step from one hex to another. Terrain that merely stops has no say (m44:retreat.terrain_no_effect)."""
    name, label = state.name(unit), state.label
    if to not in rear_hexes(state, unit, start):
        yield Objection("m44:retreat.toward_own_side", "{} retreats to the next row towards its own baseline", (name,))
        return
    if to not in state.setting.board:
        yield Objection("m44:retreat.off_board", "{} does not retreat off the board", (name,))
        return
    for row in state.rows(to):
        if row.no_retreat_onto:
            yield Objection(
                row.cites["no_retreat_onto"],
                "{} does not retreat onto the {} at {}",
                (name, row.noun, label(to)),
            )
    if ban := entry_ban(state, unit, to):
        rule = "m44:retreat.occupied" if state.unit_at(to) is not None else "m44:retreat.impassable"
        yield Objection((rule, *ban.rules), ban.template, ban.args)


def open_hexes(state: State, unit: int, start: Hex) -> tuple[Hex, ...]:
    """Where a retreating unit may step from a hex."""
    return tuple(
        to for to in rear_hexes(state, unit, start) if first_objection(step_objections(state, unit, start, to)) is None
    )


def steps(state: State, unit: int, flags: int, start: Hex | None = None) -> int:
    """How many of so many retreat steps the unit can make on the best way."""
    if not flags or any(state.troop(unit).base in row.no_retreat for row in state.rows(state.place(unit))):
        return 0
    here = start or state.place(unit)
    return max((1 + steps(state, unit, flags - 1, to) for to in open_hexes(state, unit, here)), default=0)


@final
@frozen
class RetreatTo:
    """Step back to this hex."""

    hex: Hex


@frozen
class ChooseRetreat(Decision[State, RetreatTo]):
    """The owner picks the hex of a retreat step (m44:retreat.owner_chooses); `flags` are still to be made, this one included."""

    side: Side
    unit: int
    flags: int
    rule = "m44:retreat.owner_chooses"
    prompt = "the hex to retreat to"

    def candidates(self, state: State) -> Iterator[RetreatTo]:
        """The two hexes to the rear."""
        return (
            RetreatTo(to) for to in rear_hexes(state, self.unit, state.place(self.unit)) if to in state.setting.board
        )

    def objections(self, state: State, action: RetreatTo) -> Iterator[Objection]:
        """Only backwards, onto open ground that may be entered."""
        here = state.place(self.unit)
        yield from step_objections(state, self.unit, here, action.hex)
        if (
            state.setting.ruling("retreat_path") == "farthest"
            and action.hex in open_hexes(state, self.unit, here)
            and 1 + steps(state, self.unit, self.flags - 1, action.hex) < steps(state, self.unit, self.flags)
        ):
            where = state.label(action.hex)
            yield Objection(("m44:retreat_path", self.rule), "from {} the unit could not make all its steps", (where,))


async def suffer_flags(play: Play[State], unit: int, flags: int, may_ignore: bool) -> None:
    """After the hits: for each flag that is not ignored one hex back, or a figure (m44:retreat.one_hex_per_flag, m44:retreat.blocked_loss)."""
    state = play.state
    most, rules = ignorable(state, unit, flags) if may_ignore else (0, ())
    if most:
        ignore = await ChooseFlagsToIgnore(state.side(unit), unit, flags, most, rules)
        if ignore.flags:
            play.record(FlagsIgnored(unit, ignore.flags, (*rules, "m44:retreat.ignore_optional")))
            flags -= ignore.flags
    fixed = next((row for row in state.rows(state.place(unit)) if state.troop(unit).base in row.no_retreat), None)
    while flags and play.state.on_board(unit):
        if fixed:
            await call(lose_figures, unit, 1, ("m44:retreat.blocked_loss", *fixed.cites["no_retreat"]))
        else:
            await call(retreat_step, unit, flags)
        flags -= 1


async def retreat_step(play: Play[State], unit: int, flags: int) -> None:
    """One hex back; without an open hex a figure is lost."""
    here = play.state.place(unit)
    if open_hexes(play.state, unit, here):
        choice = await ChooseRetreat(play.state.side(unit), unit, flags)
        rules = ("m44:retreat.one_hex_per_flag", "m44:resolve.flag_face", "m44:retreat.toward_own_side")
        play.record(UnitMoved(unit, (here, choice.hex), Manner.RETREAT, rules))
        await call(settle, here)
    else:
        await call(lose_figures, unit, 1, blocked_rules(play.state, unit, here))


def blocked_rules(state: State, unit: int, here: Hex) -> tuple[str, ...]:
    """The rules by which a step that cannot be made costs a figure: what keeps the unit out of either hex, and the loss itself."""
    against = (step for to in rear_hexes(state, unit, here) for step in step_objections(state, unit, here, to))
    return tuple(
        dict.fromkeys(("m44:retreat.blocked_loss", *(rule for objection in against for rule in objection.rules)))
    )
