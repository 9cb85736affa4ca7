"""Retreats: how far a unit gets at the best, against every sequence of steps there is."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from beachhead.hexes import Hex
from beachhead_memoir44.cases import position
from beachhead_memoir44.m44 import BoardSize
from beachhead_memoir44.retreat import open_hexes, steps

BOARD = BoardSize.STANDARD.board
CLOSED = {"infantry": {"river", "ocean"}, "armor": {"river", "ocean", "bunker", "hedgehog"}}


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(["axis", "allies"]), st.sampled_from(["infantry", "armor"]))
def test_steps_are_those_of_the_best_way(data: st.DataObject, side: str, troop: str) -> None:
    start = data.draw(st.sampled_from(BOARD.hexes))
    near = [hex for hex in BOARD if 0 < hex.distance(start) <= 4]
    lying = ["river", "ocean", "forest", "wire", "bunker", "hedgehog", *[""] * 8]
    ground = {hex: name for hex in near if (name := data.draw(st.sampled_from(lying)))}
    others = data.draw(st.frozensets(st.sampled_from(near), min_size=1, max_size=8))
    lines = [f"{BOARD.label(start)}: {troop} {side}"]
    lines += [f"{BOARD.label(hex)}: infantry {('axis', 'allies')[i % 2]}" for i, hex in enumerate(sorted(others))]
    lines += [f"{BOARD.label(hex)}: {name}" for hex, name in ground.items()]
    state = position(lines)

    def after(turns: tuple[int, ...]) -> Hex | None:
        """Where the unit is after these steps to the one side or the other; None where one of them cannot be made."""
        column, row = start.doubled
        for turn in turns:
            column, row = column + turn, row + (-1 if side == "axis" else 1)
            hex = Hex.from_doubled(column, row)
            if hex not in BOARD or hex in others or ground.get(hex) in CLOSED[troop]:
                return None
        return Hex.from_doubled(column, row)

    one = {hex for turn in (-1, 1) if (hex := after((turn,)))}
    assert set(open_hexes(state, 0, start)) == one
    for flags in range(5):
        longest = max(n for n in range(flags + 1) if any(after(turns) for turns in product((-1, 1), repeat=n)))
        assert steps(state, 0, flags) == longest


def test_guns_in_a_bunker_make_no_step() -> None:
    state = position(["G5: bunker axis", "G5: artillery axis", "A1: infantry allies"])
    assert steps(state, 0, 2) == 0
