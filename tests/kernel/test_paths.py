"""How far something can go: against networkx, against trying every path, and by hand."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beachhead.board import Board, OffBoard, Reach, Step, best_path, draw, reachable, ways_in
from beachhead.hexes import GeometryError, Hex

Rule = dict[tuple[Hex, Hex], Step]
Question = tuple[Board, Hex, int, Rule]


@st.composite
def questions(draw: st.DrawFn, *, size: int, costs: int, budget: int, stops: bool) -> Question:
    """A board with holes, a start, a budget, and a rule that gives each step between neighbours its own cost, or forbids it."""
    whole = Board.rectangle(draw(st.integers(1, size)), draw(st.integers(1, size)))
    holes = draw(st.frozensets(st.sampled_from(whole.hexes), max_size=len(whole) // 3))
    board = Board(tuple(hex for hex in whole if hex not in holes))
    steps = st.builds(Step, st.integers(1, costs), st.booleans() if stops else st.just(False))
    pairs = [(hex, other) for hex in board for other in board.neighbours(hex)]
    rule = {pair: step for pair in pairs if (step := draw(st.none() | steps)) is not None}
    return board, draw(st.sampled_from(board.hexes)), draw(st.integers(0, budget)), rule


def ask(question: Question) -> dict[Hex, Reach]:
    board, start, budget, rule = question
    return reachable(board, start, budget, lambda a, b, spent: rule.get((a, b)))


@given(questions(size=7, costs=4, budget=12, stops=False))
def test_costs_are_those_of_dijkstra(question: Question) -> None:
    board, start, budget, rule = question
    graph: nx.DiGraph[Hex] = nx.DiGraph()
    graph.add_nodes_from(board)
    graph.add_weighted_edges_from((a, b, step.cost) for (a, b), step in rule.items())
    costs = nx.single_source_dijkstra_path_length(graph, start, cutoff=budget)
    reach = ask(question)
    assert {hex: found.cost for hex, found in reach.items()} == costs
    assert not any(found.stopped for found in reach.values())


def every_path(question: Question) -> list[Reach]:
    """Every path that visits no hex twice, by trying them all."""
    board, start, budget, rule = question
    paths = [Reach(0, (start,))]
    for path in paths:
        if not path.stopped:
            for there in board.neighbours(path.path[-1]):
                step = rule.get((path.path[-1], there))
                if step and there not in path.path and path.cost + step.cost <= budget:
                    paths.append(Reach(path.cost + step.cost, (*path.path, there), step.stop))
    return paths


stopping = questions(size=4, costs=2, budget=4, stops=True)


@given(stopping)
def test_stops_agree_with_trying_every_path(question: Question) -> None:
    best: dict[Hex, tuple[int, bool]] = {}
    for cost, path, stopped in every_path(question):
        best[path[-1]] = min(best.get(path[-1], (cost, stopped)), (cost, stopped))
    assert {hex: (found.cost, found.stopped) for hex, found in ask(question).items()} == best


@given(stopping)
def test_every_way_can_really_be_walked(question: Question) -> None:
    board, start, budget, rule = question
    reach = ask(question)
    assert next(iter(reach)) == start
    assert [found.cost for found in reach.values()] == sorted(found.cost for found in reach.values())
    for hex, found in reach.items():
        steps = [rule[pair] for pair in pairwise(found.path)]
        assert (found.path[0], found.path[-1]) == (start, hex)
        assert found.cost == sum(step.cost for step in steps) <= budget
        assert not any(step.stop for step in steps[:-1])
        assert found.stopped == (bool(steps) and steps[-1].stop)
        assert best_path(board, start, hex, budget, lambda a, b, spent: rule.get((a, b))) == found


@given(stopping)
def test_ways_in_agree_with_trying_every_path_and_one_more_step(question: Question) -> None:
    board, start, budget, rule = question
    best: dict[tuple[Hex, Hex], tuple[int, bool]] = {}
    for cost, path, stopped in every_path(question):
        for there in board.neighbours(path[-1]):
            step = rule.get((path[-1], there))
            if step and not stopped and cost + step.cost <= budget:
                pair = path[-1], there
                best[pair] = min(best.get(pair, (99, True)), (cost + step.cost, step.stop))
    ways = ways_in(board, start, budget, lambda a, b, spent: rule.get((a, b)))
    assert {pair: (way.cost, way.stopped) for pair, way in ways.items()} == best
    assert all(way.path[-2:] == pair for pair, way in ways.items())
    assert {hex for _, hex in ways} | {start} == {start, *ask(question)}


# By hand

BOARD = draw(
    """
    . . w .
     . h . .
    . . . .
    """,
    {"w": "woods", "h": "hill"},
).board


def plain(a: Hex, b: Hex, spent: int) -> Step:
    return Step(2 if BOARD.has(b, "woods") else 1, stop=BOARD.has(b, "hill"))


def named(path: tuple[Hex, ...]) -> str:
    return " ".join(BOARD.label(hex) for hex in path)


def test_a_budget_of_nothing_stays_where_it_is() -> None:
    assert reachable(BOARD, BOARD.hex("A1"), 0, plain) == {BOARD.hex("A1"): Reach(0, (BOARD.hex("A1"),))}
    assert ways_in(BOARD, BOARD.hex("A1"), 0, plain) == {}


def test_of_equal_ways_the_first_found_wins() -> None:
    ways = {named(found.path) for found in reachable(BOARD, BOARD.hex("A1"), 2, plain).values()}
    assert ways == {"A1", "A1 B1", "A1 A2", "A1 B1 B2", "A1 A2 A3", "A1 A2 B3"}
    everywhere = reachable(BOARD, BOARD.hex("B2"), 2, lambda a, b, spent: Step(1))
    assert [named(found.path) for found in everywhere.values()] == [
        "B2",
        *("B2 C2", "B2 C1", "B2 B1", "B2 A2", "B2 B3", "B2 C3"),  # E, NE, NW, W, SW, SE
        *("B2 C2 D2", "B2 C2 D1", "B2 C2 D3", "B2 B1 A1", "B2 A2 A3"),
    ]


def test_a_stop_is_passed_by_a_dearer_way_that_does_not_stop() -> None:
    # Straight on from A1 the hex B1 is guarded: entered from A1 it stops the move, entered from A2 it does not.
    def guarded(a: Hex, b: Hex, spent: int) -> Step:
        return Step(1, stop=(BOARD.label(a), BOARD.label(b)) == ("A1", "B1"))

    start, guard, beyond = BOARD.hex("A1"), BOARD.hex("B1"), BOARD.hex("C1")
    reach = reachable(BOARD, start, 3, guarded)
    assert reach[guard] == Reach(1, (start, guard), stopped=True)
    assert named(reach[beyond].path) in ("A1 A2 B1 C1", "A1 A2 B2 C1")
    narrow = draw(". . .\n .").board
    reach = reachable(narrow, start, 3, lambda a, b, spent: Step(1, stop=(a, b) == (start, guard)))
    assert reach[guard].stopped
    assert [narrow.label(hex) for hex in reach[beyond].path] == ["A1", "A2", "B1", "C1"]


def test_of_two_equal_ways_the_one_that_does_not_stop_wins() -> None:
    start, goal = BOARD.hex("A1"), BOARD.hex("B2")

    def step(a: Hex, b: Hex, spent: int) -> Step:
        return Step(1, stop=b == goal and BOARD.label(a) == "B1")

    assert reachable(BOARD, start, 2, step)[goal] == Reach(2, (start, BOARD.hex("A2"), goal))


def test_a_step_may_depend_on_the_points_spent() -> None:
    # Woods are entered only by the first step of a move.
    def step(a: Hex, b: Hex, spent: int) -> Step | None:
        return None if spent and BOARD.has(b, "woods") else Step(1)

    woods = BOARD.hex("C1")
    assert woods in reachable(BOARD, BOARD.hex("B1"), 3, step)
    assert woods not in reachable(BOARD, BOARD.hex("A1"), 3, step)


def test_mistakes_are_named() -> None:
    with pytest.raises(GeometryError, match="0 or more movement points, not -1"):
        reachable(BOARD, BOARD.hex("A1"), -1, plain)
    with pytest.raises(GeometryError, match="costs 0: a step costs 1 or more"):
        reachable(BOARD, BOARD.hex("A1"), 2, lambda a, b, spent: Step(0))
    with pytest.raises(OffBoard):
        reachable(BOARD, Hex(-9, 0), 0, plain)
    with pytest.raises(OffBoard):
        best_path(BOARD, BOARD.hex("A1"), Hex(-9, 0), 3, plain)
    assert best_path(BOARD, BOARD.hex("A1"), BOARD.hex("D3"), 2, plain) is None
