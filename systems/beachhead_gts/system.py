"""The Grand Tactical Series as a system of Beachhead: what the kernel asks of it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

from beachhead.cup import Cup
from beachhead.hexes import Hex, Labels
from beachhead.play import Play
from beachhead.rules import Catalogue, Verdict
from beachhead.systems import Policy, Result, Source, shipped_scenarios
from beachhead.values import changed
from beachhead_gts import turn, victory
from beachhead_gts.battlefield import Away, Battlefield
from beachhead_gts.dispatch import once_eligible
from beachhead_gts.state import Points, State, Unit, steps_left
from beachhead_gts.tables import FOLDER, MOST_COHESION, MOST_POINTS, ChitKind, Cover, Phase, Side

_OVER = Phase.OVER  # looking it up in the enum takes ten times as long


class GrandTactical:
    """The system: sequence of play, views, scenarios."""

    name = "gts"
    title = "Grand Tactical Series"
    package = "beachhead_gts"
    state = State
    sides = tuple(Side)
    suffixes = (".gts.toml",)

    def __init__(self) -> None:
        self.catalogue = Catalogue(FOLDER)

    @property
    def policies(self) -> Mapping[str, Policy]:
        """The players that come with the system."""
        from beachhead_gts.players import POLICIES

        return POLICIES

    @property
    def cases(self) -> Any:
        """How rule cases set up positions and ask questions."""
        from beachhead_gts.cases import CASES

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
        from beachhead_gts.scenario import read_battlefield

        return before_set_up(read_battlefield(source, self.catalogue.choices(options)))

    def step(self, play: Play[State]) -> Coroutine[Any, Any, Any]:
        """One step of the sequence of play."""
        return turn.step(play)

    def over(self, state: State) -> bool:
        """Whether the last turn has been played."""
        return state.phase is _OVER

    def result(self, state: State) -> Result | None:
        """How it ended."""
        return victory.result(state)

    # -------------------------------------------------------- what a side knows
    def view(self, state: State, side: Side | None) -> State:
        """Everything lies open but the other player's Formation chits until they are drawn; whose Division paid for them is known (7.2)."""
        return changed(
            state,
            mug=Cup.of(*_seen(state, tuple(state.mug), side)),
            ready=tuple(sorted(_seen(state, state.ready, side))),
            aside=tuple(sorted(_seen(state, state.aside, side))),
        )

    def resample(self, state: State, side: Side | None, pick: Callable[[int], int]) -> State:
        """Other Formations of the same Divisions may have been bought."""
        taken = {state.carried, *(state.setting.first_turn.mug if state.turn == 1 else ())}
        if state.activation is not None:
            taken.add(state.activation.chit)
        aside = _bought_anew(state, state.aside, side, taken, pick)
        ready = _bought_anew(state, state.ready, side, taken, pick)
        mug = _bought_anew(state, tuple(state.mug), side, taken, pick)
        return changed(state, mug=Cup.of(*mug), ready=tuple(sorted(ready)), aside=tuple(sorted(aside)))

    # -------------------------------------------------------- for a reader
    def phase(self, state: State) -> str:
        """The turn, the step, and the chit that is being played."""
        if state.phase in (Phase.SET_UP, Phase.OVER):
            return str(state.phase)
        chit = f": {state.activation.chit}" if state.activation else ""
        return f"Turn {state.turn} ({state.turn_name}), {state.phase}{chit}"

    def labels(self, state: State) -> Labels:
        """Hex numbers as on the map; names of hexes are read, too."""
        return state.setting.board.places

    def unread(self, state: State) -> tuple[str, ...]:
        """Which figures no printed source gives, and what of the rules is not offered yet."""
        return (*state.setting.authored, NOT_YET)

    def picture(self, state: State) -> str:
        """The map with its units."""
        from beachhead_gts.picture import picture

        return picture(state)

    def why_not(self, state: State, decision: Any, what: tuple[Any, ...]) -> Verdict:
        """What is said against a unit, or a unit and a hex or target, at the decision that is open.

        Raises:
            UnknownName: there is no such unit.
        """
        from beachhead_gts.pointing import why_not

        return why_not(state, decision, what)

    def check_invariants(self, state: State) -> None:
        """What must be true of every state that play can reach."""
        field = state.setting
        for piece, unit in zip(field.roster, state.units, strict=True):
            name = piece.name
            assert 0 <= unit.cohesion <= MOST_COHESION, f"{name} has {unit.cohesion} Cohesion Hits"
            on_map = isinstance(unit.place, Hex)
            assert not on_map or unit.place in field.board, f"{name} is off the board"
            assert unit.place is Away.ELIMINATED or 0 <= unit.losses <= max(0, piece.steps - 1), f"{name} has no Step"
            assert not unit.mounted or piece.transport is not None, f"{name} has no Organic Transport"
            marked = unit.suppressed or unit.cohesion or unit.column or unit.cover is not Cover.NONE or unit.entering
            assert on_map or not marked, f"{name} {unit.place} with markers"
        for points in state.points:
            assert 0 <= points.command <= MOST_POINTS, "Command Points out of bounds"
            assert 0 <= points.dispatch <= MOST_POINTS, "Dispatch Points out of bounds"
        for hex, numbers in state.deployment.at.items():
            label = field.board.label(hex)
            assert len({field.roster[i].side for i in numbers}) == 1, f"both sides are in {label}"
            columns = sum(state.units[i].column for i in numbers)
            assert columns <= 1 or field.unlimited & field.bit[hex], f"{columns} units in Column in {label}"
            assert all(steps_left(field.roster[i], state.units[i]) >= 0 for i in numbers), (
                f"a unit without Steps in {label}"
            )
        for leader, place in zip(field.leaders, state.leaders, strict=True):
            assert not isinstance(place, Hex) or place in field.board, f"{leader.name} is off the board"


NOT_YET = "Not offered yet: assault, indirect fire, artillery parks and contact, barrage markers, Engineer Actions."


def before_set_up(field: Battlefield) -> State:
    """The state in which a scenario begins."""
    return State(
        field,
        tuple([Unit() for _ in field.roster]),
        tuple([Away.DUE for _ in field.leaders]),
        tuple([Points(*division.points) for division in field.divisions]),
        carried=field.first_turn.first,
        entrenchments=field.board.mask(field.entrenchments),
        held=tuple([objective.held for objective in field.objectives]),
        superiors=tuple([each.superior for each in field.formations]),
    )


def _hidden(state: State, chit: str, side: Side | None) -> bool:
    """Whether a side does not know which Formation's chit this is."""
    known = state.setting.chits[chit]
    if state.turn == 1 and chit in state.setting.first_turn.mug:  # what the scenario puts in, everybody knows
        return False
    return known.kind is ChitKind.FORMATION and known.side is not side and not known.lone


def _seen(state: State, chits: tuple[str, ...], side: Side | None) -> list[str]:
    """Chits as a side sees them."""
    return [state.setting.chits[chit].face_down.name if _hidden(state, chit, side) else chit for chit in chits]


def _bought_anew(
    state: State, chits: tuple[str, ...], side: Side | None, taken: set[str], pick: Callable[[int], int]
) -> list[str]:
    """Chits in which those that a side does not know are others of the same Divisions; none stands for two."""
    found = list(chits)
    for n, chit in enumerate(chits):
        if not _hidden(state, chit, side):
            continue
        division = state.setting.chits[chit].division
        own = [f.name for f in state.setting.formations if f.division == division and not f.independent]
        others = [name for name in own if name not in taken and once_eligible(state, name)]
        found[n] = others[pick(len(others))] if others else chit
        taken.add(found[n])
    return found


SYSTEM = GrandTactical()
