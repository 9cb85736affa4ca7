"""How far something can go, and the best way there.

A rule of movement is one function, `step(start, end, spent)`: what it costs to go from a hex to its neighbour when so many
points are spent already, whether the move must stop there, or `None` when it may not go. The search asks it, hexside by
hexside, so roads, rivers, slopes and zones of control need nothing of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from beachhead.board.grid import Board
from beachhead.hexes import GeometryError, Hex


class Step(NamedTuple):
    """What one step costs, at least 1 movement point, and whether the move ends with it.

    Where a printed rule counts in halves, count all its points twice.
    """

    cost: int
    stop: bool = False


class Reach(NamedTuple):
    """A hex that can be reached: the points spent, the hexes of the way (both ends included), and whether it must stop there."""

    cost: int
    path: tuple[Hex, ...]
    stopped: bool = False


StepRule: TypeAlias = Callable[[Hex, Hex, int], Step | None]
StepsFrom: TypeAlias = Callable[[Hex, int, Container[Hex]], Iterable[tuple[Hex, Step]]]
"""The steps that may be made from a hex with so many points spent; those into the hexes of the last argument are of no use any more."""


def _by(board: Board, step: StepRule) -> StepsFrom:
    def steps(here: Hex, spent: int, done: Container[Hex]) -> Iterator[tuple[Hex, Step]]:
        for there in board.neighbours(here):
            if there not in done and (taken := step(here, there, spent)) is not None:
                yield there, taken

    return steps


def _search(
    board: Board, start: Hex, budget: int, steps: StepsFrom, goal: Hex | None = None
) -> tuple[dict[Hex, Reach], dict[Hex, Reach]]:
    """The hexes reached, and those reached free to go on, each with its cheapest way.

    A hex may be in both with two ways: cheapest to a stop, dearer to go on. Costs are small integers, so a list of ways for
    each total takes the place of a heap, and ways of equal cost are taken in the order in which they were found.
    """
    if budget < 0:
        raise GeometryError(f"a budget is 0 or more movement points, not {budget}")
    board.index(start)
    reached: dict[Hex, Reach] = {}
    free: dict[Hex, Reach] = {}
    least: dict[Hex, int] = {}  # what the cheapest free way found so far costs, so that no worse one is kept
    waiting: list[list[tuple[Hex, tuple[Hex, ...], bool]]] = [[] for _ in range(budget + 1)]
    waiting[0].append((start, (), False))
    for spent, ways in enumerate(waiting):
        left = budget - spent
        for here, before, stop in ways:
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
            if not left:
                continue
            for there, (cost, stops) in steps(here, spent, free):
                if there in free:
                    continue
                if cost < 1:
                    raise GeometryError(f"the step from {here} to {there} costs {cost}: a step costs 1 or more")
                if cost > left:
                    continue
                total = spent + cost
                if not stops:
                    if least.get(there, total + 1) <= total:
                        continue
                    least[there] = total
                waiting[total].append((there, path, stops))
        if goal is not None and goal in reached:
            break
    return reached, free


def reachable(board: Board, start: Hex, budget: int, step: StepRule) -> dict[Hex, Reach]:
    """Every hex that can be reached with `budget` movement points, by its cheapest way; `start` itself costs 0.

    The order is that of cost, then of finding; it is the same every time. Of two ways of equal cost to a hex the one that
    does not stop there wins, then the one found first. A hex that is cheapest to enter with a stop can still be passed by a
    dearer way that does not stop. `step` may look at the points spent (to let a hex be entered only by the first step of a
    move) so long as coming later is never better.

    Raises:
        OffBoard: `start` is not on the board.
        GeometryError: a negative budget, or a step that costs less than 1.
    """
    return spread(board, start, budget, _by(board, step))


def spread(board: Board, start: Hex, budget: int, steps: StepsFrom) -> dict[Hex, Reach]:
    """`reachable` for a rule of movement that lists the steps from a hex, in a stable order: one that has them ready is asked far less often."""
    return _search(board, start, budget, steps)[0]


def best_path(board: Board, start: Hex, goal: Hex, budget: int, step: StepRule) -> Reach | None:
    """The way to one hex that `reachable` finds, or `None` when the budget does not reach so far."""
    board.index(goal)
    return _search(board, start, budget, _by(board, step), goal)[0].get(goal)


def ways_in(board: Board, start: Hex, budget: int, step: StepRule) -> dict[tuple[Hex, Hex], Reach]:
    """The cheapest way for every last step `(from, to)`, where it matters over which hexside a hex is entered.

    Such a way may pass a hex and come back to it over another side; `start` can be entered so as well.
    """
    ways = {}
    for here, (spent, path, _) in _search(board, start, budget, _by(board, step))[1].items():
        for there in board.neighbours(here) if spent < budget else ():
            taken = step(here, there, spent)
            if taken is not None and spent + taken.cost <= budget:
                ways[here, there] = Reach(spent + taken.cost, (*path, there), taken.stop)
    return ways
