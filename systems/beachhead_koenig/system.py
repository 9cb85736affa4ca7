"""Paul Koenig's D-Day as a system of Beachhead: what the kernel asks of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from beachhead.hexes import Hex, Labels
from beachhead.rules import Catalogue, Verdict
from beachhead.systems import Policy, Result, Source, shipped_scenarios
from beachhead_koenig import turn, victory
from beachhead_koenig.beach import Away
from beachhead_koenig.events import MOST_HITS
from beachhead_koenig.state import State, Unit
from beachhead_koenig.tables import FOLDER, STACKING_LIMIT, Phase, Side

_OVER = Phase.OVER  # looking it up in the enum takes ten times as long


class Koenig:
    """The system: sequence of play, views, scenarios."""

    name = "koenig"
    title = "Paul Koenig's D-Day"
    package = "beachhead_koenig"
    state = State
    sides = tuple(Side)
    suffixes = (".koenig.toml",)
    step = staticmethod(turn.step)

    def __init__(self) -> None:
        self.catalogue = Catalogue(FOLDER)

    @property
    def policies(self) -> Mapping[str, Policy]:
        """The players that come with the system."""
        from beachhead_koenig.players import POLICIES

        return POLICIES

    @property
    def cases(self) -> Any:
        """How rule cases set up positions and ask questions."""
        from beachhead_koenig.cases import CASES

        return CASES

    def scenarios(self) -> Mapping[str, Path]:
        """Those that come with Beachhead."""
        return shipped_scenarios(self.name, self.suffixes)

    def new(self, source: Source, options: Mapping[str, object]) -> State:
        """The state before set-up.

        Raises:
            ScenarioError: the file is faulty; every fault is listed.
            OptionError: an unknown option or choice.
        """
        from beachhead_koenig.scenario import read_beach

        beach = read_beach(source, self.catalogue.choices(options))
        return State(beach, tuple([Unit() for _ in beach.roster]), exits=(0,) * len(beach.exits))

    def over(self, state: State) -> bool:
        """Whether the last Game Turn has been played."""
        return state.phase is _OVER

    def result(self, state: State) -> Result | None:
        """How it ended."""
        return victory.result(state)

    # -------------------------------------------------------- what a side knows
    def view(self, state: State, side: Side | None) -> State:
        """Everything lies open on the table: HQs are drawn blind, but which are in the cup is known."""
        return state

    def resample(self, state: State, side: Side | None, pick: Callable[[int], int]) -> State:
        """Nothing is hidden."""
        return state

    # -------------------------------------------------------- for a reader
    def phase(self, state: State) -> str:
        """The Game Turn, the phase, and who operates."""
        if state.phase in (Phase.SET_UP, Phase.OVER):
            return str(state.phase)
        operates = f": {state.active} formation {state.activation.formation}" if state.activation else ""
        return f"Game Turn {state.turn} ({state.turn_name}), {state.phase}{operates}"

    def labels(self, state: State) -> Labels:
        """Hex numbers as on the map; names of hexes are read, too."""
        return state.setting.board.places

    def unread(self, state: State) -> tuple[str, ...]:
        """Which figures no printed source gives."""
        return state.setting.authored

    def picture(self, state: State) -> str:
        """The map with its units."""
        from beachhead_koenig.picture import picture

        return picture(state)

    def why_not(self, state: State, decision: Any, what: tuple[Any, ...]) -> Verdict:
        """What is said against a unit ("CSR"), or a unit and a hex ("CSR", "0304"), at the decision that is open.

        Raises:
            UnknownName: there is no such unit.
        """
        from beachhead_koenig.pointing import why_not

        return why_not(state, decision, what)

    def check_invariants(self, state: State) -> None:
        """What must be true of every state that play can reach."""
        beach = state.setting
        for name, unit in zip(beach.number, state.units, strict=True):
            assert 0 <= unit.hits <= MOST_HITS, f"{name} has {unit.hits} Hits"
            assert not isinstance(unit.place, Hex) or unit.place in beach.board, f"{name} is off the board"
            fresh = unit.place in (Away.WAITING, Away.ELIMINATED)
            assert not (fresh and unit.hits), f"{name} is {unit.place} with Hits"
        for hex, units in state.occupants.items():
            assert len(units) <= STACKING_LIMIT, f"{len(units)} units in {beach.board.label(hex)}"
        pool = state.support
        assert min(pool.allied_artillery, pool.german_artillery, pool.allied_support) >= 0, "support below nothing"
        assert max(state.exits, default=0) - min(state.exits, default=0) <= 1, "exits in unequal numbers"


SYSTEM = Koenig()
