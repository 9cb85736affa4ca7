"""Moving an ordered unit: how far, over what, and what the move forbids afterwards (m44:move.*)."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import NamedTuple, final

from attrs import field, frozen

from beachhead.board import Reach, Step, spread
from beachhead.hexes import Hex
from beachhead.play import Decision, Play, call
from beachhead.rules import Objection
from beachhead_memoir44.events import Manner, ObstacleRemoved, UnitMoved
from beachhead_memoir44.losses import settle
from beachhead_memoir44.state import Phase, State, Turn, by_type
from beachhead_memoir44.tables import Side, Troop


class Way(NamedTuple):
    """The best way to a hex: where it leads through, and the rules that forbid a battle, or taking ground, after it."""

    path: tuple[Hex, ...]
    no_battle: tuple[str, ...]
    no_ground: tuple[str, ...]


@frozen(cache_hash=True)
class Allowance:
    """How far a unit moves, and how far it may move and still battle; each with its rules."""

    move: int
    battle: int
    rules: tuple[str, ...]
    battle_rules: tuple[str, ...]
    free_by: tuple[str, ...] = ()
    """The rules by which terrain neither stops the unit nor limits its move; () where it does."""

    @property
    def free_of_terrain(self) -> bool:
        """Whether terrain neither stops the unit nor limits its move."""
        return bool(self.free_by)


def allowance(state: State, unit: int) -> Allowance:
    """The unit's allowance this turn: its troop's, unless the card gives other numbers."""
    troop, turn, again = state.troop(unit), state.turn, state.phase is Phase.MOVE_AGAIN
    key = (troop.id, turn.kind_id, turn.substitute, again)
    return state.setting.remembered("allowance", key, lambda: _allowance(troop, turn, again))


def _allowance(troop: Troop, turn: Turn, again: bool) -> Allowance:
    kind = turn.kind
    if kind and again:
        rules = kind.rules("second_move")
        return Allowance(kind.second_move, 0, rules, rules, kind.cites.get("free_of_terrain", ()))
    if kind and kind.move is not None and not turn.substitute:
        return Allowance(
            kind.move,
            kind.move_and_battle or 0,
            kind.rules("move"),
            kind.cites.get("move_and_battle", kind.rules("move")),
            kind.cites.get("free_of_terrain", ()),
        )
    return Allowance(
        troop.move, troop.move_and_battle, troop.rules("move"), troop.cites.get("move_and_battle", troop.rules("move"))
    )


class Ban(NamedTuple):
    """Why a step is not allowed."""

    rules: tuple[str, ...]
    template: str
    args: tuple[object, ...]


def entry_ban(state: State, unit: int, hex: Hex) -> Ban | None:
    """Why a unit may never enter a hex, whether by moving, retreating or taking ground: another unit, or impassable ground."""
    if (other := state.unit_at(hex)) is not None:
        return Ban(("m44:move.no_pass_through",), "{} stands in the way", (state.name(other),))
    return ground_ban(state, unit, hex)


def ground_ban(state: State, unit: int, hex: Hex) -> Ban | None:
    """Why a unit may never enter a hex, whoever stands there: impassable ground."""
    troop = state.troop(unit)
    for row in state.rows(hex):
        if troop.base in row.impassable_to:
            args = (row.noun, state.label(hex), troop.base)
            return Ban(by_type(troop, row, "impassable_to"), "{} at {} is impassable to {}", args)
    return None


def stop_rules(state: State, troop: Troop, start: Hex, a: Hex) -> tuple[str, ...]:
    """The rules that stop a unit in hex `a` of a move that began in `start`; () where nothing does."""
    if a == start:
        return ()
    for row in state.rows(a):
        if troop.base in row.stop_on_enter:
            return by_type(troop, row, "stop_on_enter")
    for row in state.rows(start):
        if troop.base in row.stop_on_exit and state.setting.ruling("hedgerow_exit") == "stop":
            return by_type(troop, row, "stop_on_exit")
    return ()


def step_bans(state: State, unit: int, start: Hex, a: Hex, b: Hex, spent: int, free: bool) -> Iterator[Ban]:
    """Why the step from a to b, after so many hexes of a move from `start`, is not allowed."""
    if ban := entry_ban(state, unit, b):
        yield ban
    if not free:
        yield from march_bans(state, unit, start, a, b, spent)


def march_bans(state: State, unit: int, start: Hex, a: Hex, b: Hex, spent: int) -> Iterator[Ban]:
    """What ground that may be entered says against the step: where a move must stop, and where it must begin."""
    if rules := stop_rules(state, state.troop(unit), start, a):
        yield Ban(rules, "a move must stop at {}", (state.label(a),))
    for row in state.rows(b):
        if row.enter_only_if_start_adjacent and not start.adjacent(b):
            yield Ban(
                row.cites["enter_only_if_start_adjacent"],
                "{} at {} is entered from an adjacent hex only",
                (row.noun, state.label(b)),
            )
        if row.max_move is not None and spent + 1 > row.max_move:
            yield Ban(
                row.cites["max_move"],
                "{} at {} may not be hex {} of a move",
                (row.noun, state.label(b), spent + 1),
            )
    for row in state.rows(start):
        if row.max_move_from is not None and spent + 1 > row.max_move_from:
            yield Ban(row.cites["max_move_from"], "a move from {} is {} hex long", (row.noun, row.max_move_from))


ONWARD, HALT = Step(1), Step(1, stop=True)


def _ground_steps(
    state: State, unit: int, start: Hex, free: bool, road: bool, a: Hex, spent: int
) -> Iterator[tuple[Hex, Step]]:
    """The steps from a hex that the ground allows, whoever stands about."""
    board, troop = state.setting.board, state.troop(unit)
    open_so_far = not state.rows(start) and not state.rows(a)
    for b in board.links_at("road", a) if road else board.neighbours(a):
        if open_so_far and not state.rows(b):
            yield b, ONWARD
            continue
        if ground_ban(state, unit, b) or (not free and next(march_bans(state, unit, start, a, b, spent), None)):
            continue
        yield b, HALT if not free and stop_rules(state, troop, start, b) else ONWARD


def ways(state: State, unit: int) -> Mapping[Hex, Way]:
    """Every hex that an ordered unit can move to, with the best way there: one after which it may battle, if there is one, and a short one."""
    turn, memo = state.turn, state.index.memo
    key = ("ways", unit, turn.kind_id, turn.substitute, state.phase)
    if key not in memo:
        memo[key] = _known_ways(state, unit, allowance(state, unit))
    return memo[key]  # type: ignore[return-value]


@frozen(eq=False)
class _March:
    """What the ground says of marches that begin in one hex, found when it is asked for. It says so whoever stands about."""

    steps: dict[tuple[Hex, int, bool], list[tuple[Hex, Step]]] = field(factory=dict)
    judged: dict[tuple[tuple[Hex, ...], int], Way] = field(factory=dict)


def _known_ways(state: State, unit: int, limit: Allowance) -> Mapping[Hex, Way]:
    """The ways hang on nothing but what is near, which is often the same again when others have moved."""
    setting, start = state.setting, state.place(unit)
    farthest = limit.move + max((row.road_bonus for row in state.rows(start)), default=0)
    things = frozenset([thing for thing in state.obstacles if start.distance(thing[0]) <= farthest])
    taken = state.occupied & setting.board.within_mask(start, farthest)
    ground = (setting.troops[unit].id, start, limit, things)
    march = setting.remembered("march", ground, _March)
    return setting.remembered("ways", (ground, taken), lambda: _ways(state, unit, limit, march))


def _ways(state: State, unit: int, limit: Allowance, march: _March) -> Mapping[Hex, Way]:
    troop, start = state.troop(unit), state.place(unit)
    if any(troop.base in row.no_move_out for row in state.rows(start)):
        return {}
    found = {
        hex: _judged(state, troop, reach, limit.battle, limit, march)
        for hex, reach in _search(state, unit, limit, 0, march).items()
    }
    road = next((row for row in state.rows(start) if row.road_bonus), None)
    if road and state.setting.board.links_at("road", start):
        battle = limit.battle + (road.road_bonus_battle if limit.battle else 0)
        for hex, reach in _search(state, unit, limit, road.road_bonus, march).items():
            way = _judged(state, troop, reach, battle, limit, march)
            if hex not in found or (found[hex].no_battle and not way.no_battle):
                found[hex] = way
    return found


def _search(state: State, unit: int, limit: Allowance, bonus: int, march: _March) -> Mapping[Hex, Reach]:
    start, road, by_hex, known = state.place(unit), bool(bonus), state.index.by_hex, march.steps

    def steps(here: Hex, spent: int, done: Container[Hex]) -> list[tuple[Hex, Step]]:
        ground = known.get((here, spent, road))
        if ground is None:
            ground = list(_ground_steps(state, unit, start, limit.free_of_terrain, road, here, spent))
            known[here, spent, road] = ground
        return [step for step in ground if step[0] not in by_hex]

    reached = spread(state.setting.board, start, limit.move + bonus, steps)
    del reached[start]
    return reached


def _judged(state: State, troop: Troop, reach: Reach, battle: int, limit: Allowance, march: _March) -> Way:
    """The way, with what it forbids afterwards."""
    path, key = reach.path, (reach.path, battle)
    if key not in march.judged:
        too_far = limit.battle_rules if reach.cost > battle else ()
        no_battle = (*too_far, *no_battle_after(state, troop, path[0], path[-1]))
        no_ground = () if limit.free_of_terrain else no_ground_after(state, troop, path[-1])
        march.judged[key] = Way(path, no_battle, no_ground)
    return march.judged[key]


def no_battle_after(state: State, troop: Troop, start: Hex, end: Hex) -> tuple[str, ...]:
    """The rules that forbid a battle this turn to a unit that moved out of one hex and into another."""
    rules: tuple[str, ...] = ()
    for row in state.rows(end):
        if troop.base in row.no_battle_on_enter:
            rules += by_type(troop, row, "no_battle_on_enter")
    for row in state.rows(start):
        if troop.base in row.no_battle_on_exit:
            rules += by_type(troop, row, "no_battle_on_exit")
    return rules


def no_ground_after(state: State, troop: Troop, end: Hex) -> tuple[str, ...]:
    """The rules that forbid taking ground to a unit that came into a hex where it must stop (m44:ground.after_move)."""
    if state.setting.ruling("ground_after_stop") == "always":
        return ()
    rules: tuple[str, ...] = ()
    for row in state.rows(end):
        if troop.base in row.stop_on_enter and not row.take_ground:
            rules = (*(rules or ("m44:ground.after_move",)), *by_type(troop, row, "stop_on_enter"))
    return rules


# ------------------------------------------------------------ the decision
@final
@frozen
class Move:
    """The ordered unit in this hex moves to that one, by the best way there is."""

    unit: Hex
    to: Hex


@final
@frozen
class EndMoves:
    """No more moves."""


@frozen
class ChooseMove(Decision[State, Move | EndMoves]):
    """Move one ordered unit at a time, or end the moves (m44:move.one_at_a_time)."""

    side: Side
    rule = "m44:move.one_at_a_time"
    prompt = "move a unit, or end the moves"

    def candidates(self, state: State) -> Iterator[Move | EndMoves]:
        """Each ordered unit that has not moved, and every hex it can reach."""
        for orders in state.turn.orders:
            if (
                not orders.moved
                and state.on_board(orders.unit)
                and not next(moving_objections(state, orders.unit), None)
            ):
                here = state.place(orders.unit)
                yield from (Move(here, to) for to in ways(state, orders.unit))
        yield EndMoves()

    def objections(self, state: State, action: Move | EndMoves) -> Iterator[Objection]:
        """It must be ordered, not have moved, and get there."""
        if isinstance(action, EndMoves):
            return
        unit = state.unit_at(action.unit)
        if unit is None or state.side(unit) is not self.side:
            yield Objection("m44:order.ordered_only", "no unit of the {} stands there", (self.side,))
            return
        yield from moving_objections(state, unit)
        if action.to not in ways(state, unit):
            yield from reach_objections(state, unit, action.to)

    def foreign(self, state: State, action: object) -> Iterator[Objection]:
        """Orders are closed once the moves begin, and battles come after them."""
        yield Objection(
            ("m44:turn.order", "m44:order.announce_after_card"), "the moves are being made: {}", (self.prompt,)
        )


def moving_objections(state: State, unit: int) -> Iterator[Objection]:
    """Why a unit may not move at all now."""
    orders, kind = state.orders(unit), state.turn.kind
    if orders is None:
        yield Objection("m44:order.ordered_only", "{} has no order", (state.name(unit),))
    elif orders.moved:
        yield Objection("m44:move.once", "{} has moved", (state.name(unit),))
    if kind and kind.no_move and not state.turn.substitute:
        yield Objection(kind.rules("no_move"), "units ordered by {} do not move", (kind.name,))


async def move_step(play: Play[State]) -> bool:
    """One unit's move, or the end of the moves; True when they go on."""
    choice = await ChooseMove(play.state.active)
    if isinstance(choice, EndMoves):
        return False
    state = play.state
    unit = state.unit_at(choice.unit)
    assert unit is not None
    way, limit = ways(state, unit)[choice.to], allowance(state, unit)
    road = len(way.path) - 1 > limit.move or (len(way.path) - 1 > limit.battle and not way.no_battle)
    bonus = tuple(
        rule
        for row in state.rows(choice.unit)
        if road and row.road_bonus
        for rule in (*row.cites["road_bonus"], *row.cites.get("road_bonus_battle", ()))
    )
    rules = tuple(dict.fromkeys((*limit.rules, *limit.free_by, *bonus, *way.no_battle, *way.no_ground)))
    play.record(UnitMoved(unit, way.path, Manner.MOVE, rules, way.no_battle, way.no_ground))
    await call(enter, unit, choice.unit)
    return True


async def enter(play: Play[State], unit: int, left: Hex) -> None:
    """What happens when a unit has come into a hex by itself, out of another: armor crushes wire, medals change hands."""
    base, hex = play.state.troop(unit).base, play.state.place(unit)
    for row in play.state.rows(hex):
        if base in row.removed_by_entry and play.state.obstacle(hex, row.id):
            play.record(ObstacleRemoved(hex, row.id, row.cites["removed_by_entry"]))
    await call(settle, left)


# ------------------------------------------------------------ why not
def reach_objections(state: State, unit: int, to: Hex) -> Iterator[Objection]:
    """Why a unit that may move does not reach a hex: what stands against the least bad way there."""
    if to in ways(state, unit):
        return
    start, limit, board, name = state.place(unit), allowance(state, unit), state.setting.board, state.name(unit)
    if to not in board:
        yield Objection(limit.rules, "that hex is not on the board", ())
        return
    if to == start:
        yield Objection("m44:move.optional", "{} is there already: it may stay without a move", (name,))
        return
    for row in state.rows(start):
        if state.troop(unit).base in row.no_move_out:
            yield Objection(row.cites["no_move_out"], "{} does not leave the {}", (name, row.noun))
            return
    if (other := state.unit_at(to)) is not None:
        yield Objection("m44:move.no_stacking", "{} stands there", (state.name(other),))
        return
    if start.distance(to) > limit.move:
        yield Objection(limit.rules, "{} moves {} hex{} at most", (name, limit.move, "" if limit.move == 1 else "es"))
        for row in state.rows(start):
            if row.road_bonus:
                most = limit.move + row.road_bonus
                too_far = Ban(row.cites["road_bonus"], "the road does not lead there in {} hexes", (most,))
                yield from _least(_attempts(state, unit, start, to, most, limit.free_of_terrain, road=True), too_far)
        return
    too_far = Ban(limit.rules, "{} moves {} hexes at most, and the way there is longer", (name, limit.move))
    yield from _least(_attempts(state, unit, start, to, limit.move, limit.free_of_terrain), too_far)


def _least(attempts: Iterator[list[Ban]], otherwise: Ban) -> Iterator[Objection]:
    """What is against the least bad of some ways; where there is none at all, what is said instead."""
    against = min(attempts, key=lambda bans: (len(bans), [ban.rules for ban in bans]), default=[])
    return (Objection(ban.rules, ban.template, ban.args) for ban in against or [otherwise])


def _attempts(
    state: State, unit: int, start: Hex, to: Hex, most: int, free: bool, *, road: bool = False
) -> Iterator[list[Ban]]:
    """What is against each way of so many hexes at most, shortest ways first; along the road only, where that is asked."""
    board = state.setting.board

    def walk(path: tuple[Hex, ...], bans: list[Ban]) -> Iterator[list[Ban]]:
        a = path[-1]
        for b in board.neighbours(a):
            if b in path or b.distance(to) > most - len(path) or (road and not board.linked("road", a, b)):
                continue
            here = [*bans, *step_bans(state, unit, start, a, b, len(path) - 1, free)]
            if b == to:
                yield here
            else:
                yield from walk((*path, b), here)

    yield from walk((start,), [])
