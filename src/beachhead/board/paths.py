"""How far something can go, and the best way there.

A rule of movement is one function, `step(start, end, spent)`: what it costs to go from a hex to its neighbour when so many
points are spent already, whether the move must stop there, or `None` when it may not go. The search asks it, hexside by
hexside, so roads, rivers, slopes and zones of control need nothing of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from beachhead.board.grid import Board
from beachhead.hexes import GeometryError, Hex


class Step(NamedTuple):
    """What one step costs, in movement points, and whether the move ends with it."""

    cost: int
    stop: bool = False


class Reach(NamedTuple):
    """A hex that can be reached: the points spent, the hexes of the way (both ends included), and whether the way in stops the move."""

    cost: int
    path: tuple[Hex, ...]
    stopped: bool = False


StepRule = Callable[[Hex, Hex, int], Step | None]


def _search(
    board: Board, start: Hex, budget: int, step: StepRule, goal: Hex | None = None
) -> tuple[dict[Hex, Reach], dict[Hex, Reach]]:
    """The hexes reached, and those reached free to go on.

    A hex may be in both with different ways: cheapest to a stop, dearer to go on. Costs are small integers, so a list of
    ways for each cost takes the place of a heap, and ways of equal cost are taken in the order in which they were found.
    """
    if budget < 0:
        raise GeometryError(f"a budget is 0 or more movement points, not {budget}")
    reached: dict[Hex, Reach] = {}
    free: dict[Hex, Reach] = {}
    waiting: list[list[tuple[Hex, tuple[Hex, ...], bool]]] = [[] for _ in range(budget + 1)]
    waiting[0].append((start, (), False))
    for spent, ways in enumerate(waiting):
        for here, before, stop in ways:  # grows under way when a step costs nothing
            if here in free or (stop and here in reached):
                continue
            path = (*before, here)
            reach = Reach(spent, path, stop)
            known = reached.get(here)
            if known is None or (known.stopped and known.cost == spent):
                reached[here] = reach
            if stop:
                continue
            free[here] = reach
            for there in board.neighbours(here):
                if there in free:
                    continue
                taken = step(here, there, spent)
                if taken is None:
                    continue
                cost, stops = taken
                if cost < 0:
                    raise GeometryError(f"the step from {here} to {there} costs {cost}: a cost is 0 or more")
                if spent + cost <= budget:
                    waiting[spent + cost].append((there, path, stops))
        if goal is not None and goal in reached:
            break
    return reached, free


def reachable(board: Board, start: Hex, budget: int, step: StepRule) -> dict[Hex, Reach]:
    """Every hex that can be reached with `budget` movement points, by its cheapest way; `start` itself costs 0.

    The order is that of cost, then of finding; it is the same every time. Of two ways of equal cost to a hex the one that
    does not stop there wins, then the one found first. A hex that is cheapest to enter with a stop can still be passed by a
    dearer way that does not stop. `step` may look at the points spent so long as coming later is never better.

    Raises:
        OffBoard: `start` is not on the board.
        GeometryError: a negative budget or cost.
    """
    return _search(board, start, budget, step)[0]


def best_path(board: Board, start: Hex, goal: Hex, budget: int, step: StepRule) -> Reach | None:
    """The cheapest way to one hex, the same as `reachable` finds, or `None` when the budget does not reach so far."""
    board.index(goal)
    return _search(board, start, budget, step, goal)[0].get(goal)


def ways_in(board: Board, start: Hex, budget: int, step: StepRule) -> Mapping[tuple[Hex, Hex], Reach]:
    """The cheapest way for every last step `(from, to)`, where it matters over which hexside a hex is entered.

    The way may have been on the hex before, and come back to it over another side; `start` can be entered so as well.
    """
    ways = {}
    for here, (spent, path, _) in _search(board, start, budget, step)[1].items():
        for there in board.neighbours(here):
            taken = step(here, there, spent)
            if taken is not None and spent + taken.cost <= budget:
                ways[here, there] = Reach(spent + taken.cost, (*path, there), taken.stop)
    return ways
