"""What play keeps from one position to the next is what would be found if nothing had been kept."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import beachhead as bh
from beachhead.values import changed
from beachhead_gts import ground
from beachhead_gts.actions import EndActivation, Together
from beachhead_gts.activation import ChooseAction
from beachhead_gts.battlefield import Battlefield
from beachhead_gts.deployment import NOBODY
from beachhead_gts.state import Activation, State, put
from beachhead_gts.tables import ActionKind, MovementClass, Side
from beachhead_gts.zones import coverage


def forget(field: Battlefield) -> None:
    """Nothing is known of any state."""
    field.latest[:] = [NOBODY]
    for known in (field.coverage, field.outlooks, field.commanded):
        known.clear()


def found_anew(state: State, decision: Any) -> tuple[Any, ...]:
    """The options, and the Fire Zones of both sides, with nothing to go by; what was known is known again afterwards."""
    field = state.setting
    kept = [(known, known.copy()) for known in (field.latest, field.coverage, field.outlooks, field.commanded)]
    forget(field)
    found = (decision.options(state), *(coverage(state, side).zones for side in Side))
    for known, before in kept:
        known.clear()
        known.extend(before) if isinstance(known, list) else known.update(before)
    return found


@pytest.mark.parametrize(
    ("scenario", "seed", "options"),
    [
        ("gts/training", 1, {}),
        ("gts/training", 2, {"gts:G12": "all", "gts:G31": "rating"}),
        ("gts/training", 3, {"gts:G41": "free", "gts:G39": "own"}),
        ("gts/juno-front", 4, {}),
        ("gts/juno-front", 5, {"gts:G12": "all", "gts:G41": "division"}),
    ],
)
def test_options_are_those_that_are_found_anew(scenario: str, seed: int, options: dict[str, object]) -> None:
    """Wherever random play leads, back and forth, and with two games on one map at a time."""
    games, pick = [bh.new(scenario, seed=n, options=options) for n in (seed, seed + 50)], Random(seed)
    for n in range(700):
        game = pick.choice(games)
        if game.decision is None or pick.random() < 0.05:
            game.undo(min(game.decisions, pick.randrange(12)))
        assert game.decision is not None
        found = game.legal_actions()
        if not n % 3:
            zones = tuple(coverage(game.state, side).zones for side in Side)
            assert (found, *zones) == found_anew(game.state, game.decision)
        staying = [option for option in found if not isinstance(option, EndActivation)]
        game.apply(pick.choice(staying if staying and pick.random() < 0.8 else found))


@pytest.mark.parametrize("chits", [("21-Pz", "192-Rgt"), ("192-Rgt", "21-Pz")])
def test_what_leads_off_a_reinforcement_hex_hangs_on_the_chit(chits: tuple[str, str]) -> None:
    """Of two units there one has entered and one has not; the Fire Zone of an enemy is closed to them under a Division chit, and open under a Formation's."""
    state, choose = bh.new("gts/juno-front", seed=1).state, ChooseAction(Side.GERMAN)
    for unit, entering in (("1-192", False), ("3-192", True)):
        state = put(state, unit, place=state.hex("2724"), entering=entering)
    state = put(state, "B-SDG", place=state.hex("2722"), entering=False)
    for chit in chits:
        asked = changed(state, activation=Activation(chit, open=True))
        options = choose.options(asked)
        assert options == found_anew(asked, choose)[0]
        expected = chit == "192-Rgt"
        assert (Together("3-192", ActionKind.MOVEMENT) in options) is expected
        assert bool(choose.verdict(asked, Together("3-192", ActionKind.MOVEMENT))) is expected


@pytest.mark.parametrize("scenario", ["gts/training", "gts/juno-front"])
def test_steps_cost_what_their_terms_come_to(scenario: str) -> None:
    field = bh.new(scenario, seed=1).state.setting
    for kind in MovementClass:
        for column in (False, True):
            for roads in (False, True):
                near = ground.steps(field, kind, column, roads)
                for here in field.board.hexes[:: 1 if scenario == "gts/training" else 5]:
                    costs = [
                        (there, ground.step_cost(field, kind, column, here, there, roads=roads))
                        for there in field.board.neighbours(here)
                    ]
                    expected = {there: cost.total for there, cost in costs if cost is not None}
                    assert dict(near[here][0]) == expected
                    for there, cost in (*costs, (here, None)):
                        assert ground.known_step_cost(field, kind, column, here, there, roads=roads) == cost
