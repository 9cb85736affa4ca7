"""Rest and Refit, and how eliminated units return to the map (14.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.play import Chance, Decision, Play, call
from beachhead.rules import Objection
from beachhead_koenig.beach import Away
from beachhead_koenig.events import ReconstitutionLost, UnitReconstituted, UnitRecovered
from beachhead_koenig.ground import terrain, terrain_cost
from beachhead_koenig.phase_events import ActivationEnded, FormationRests
from beachhead_koenig.state import Progress, State
from beachhead_koenig.tables import Side

STAR = "2*"
"""The chit whose two replacements go to two units, or bring one back."""


# ------------------------------------------------------------ the operation
@final
@frozen
class Operate:
    """The units of the formation operate."""


@final
@frozen
class RestAndRefit:
    """The whole formation rests."""


def may_rest(state: State, formation: str) -> bool:
    """Whether there is anybody to rest, or to bring back: a unit on the map, or an eliminated one (14.3)."""
    return any(isinstance(place := state.place(unit), Hex) or place is Away.ELIMINATED for unit in state.of(formation))


@frozen
class RestOrOperate(Decision[State, Operate | RestAndRefit]):
    """An HQ has been drawn: its owner may let the whole formation rest (14.3)."""

    side: Side
    formation: str
    rule = "koenig:14.3.a"
    prompt = "let the formation operate, or rest and refit?"

    def certain(self, state: State) -> tuple[Operate | RestAndRefit, ...]:
        """Both."""
        return (Operate(), RestAndRefit())


@frozen
class DrawRefitChit(Chance[State, str]):
    """A chit from the R&R cup; it goes back before the next is drawn (14.3)."""

    rule: str = "koenig:14.3.b"

    def outcomes(self, state: State) -> Sequence[tuple[str, int]]:
        """Those in the cup."""
        return state.setting.refit_chits.counts

    def read(self, outcome: str) -> str:
        """What stands on it."""
        return outcome


async def rest_or_operate(play: Play[State], formation: str) -> None:
    """The formation rests, draws a chit and gets that many replacements; or it operates (14.3)."""
    side = play.state.setting.formation(formation).side
    action = await RestOrOperate(side, formation)
    if isinstance(action, Operate):
        return
    chit = await DrawRefitChit()
    state = play.state  # who has operated before its HQ was drawn was attached to another
    elsewhere = tuple([unit for unit in state.on_map(formation) if state.unit(unit).progress is Progress.DONE])
    play.record(FormationRests(formation, chit))
    await call(refit, formation, chit, elsewhere)
    play.record(ActivationEnded(("koenig:14.3.a", "koenig:7.3.a")))


# ------------------------------------------------------------ replacements
@final
@frozen
class Refit:
    """A replacement takes a Hit off this unit."""

    unit: str


@final
@frozen
class Reconstitute:
    """Both replacements of the star chit bring this eliminated unit back."""

    unit: str


@final
@frozen
class NoReplacement:
    """Let the rest of the replacements go."""


@frozen
class ChooseRefit(Decision[State, Refit | Reconstitute | NoReplacement]):
    """What a replacement is used for (14.3).

    `refitted` are the units that have had one of this chit, `elsewhere` those that are attached to another HQ this turn (14.1).
    """

    side: Side
    formation: str
    chit: str
    refitted: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    rule = "koenig:14.3.c"
    prompt = "choose the unit that gets a replacement"

    def candidates(self, state: State) -> Iterator[Refit | Reconstitute | NoReplacement]:
        """Units of the formation with Hits; with the star chit eliminated ones, too."""
        for unit in state.of(self.formation):
            if isinstance(state.place(unit), Hex):
                yield Refit(unit)
            elif state.place(unit) is Away.ELIMINATED:
                yield Reconstitute(unit)
        yield NoReplacement()

    def objections(self, state: State, action: Refit | Reconstitute | NoReplacement) -> Iterator[Objection]:
        """Why a unit gets none."""
        if isinstance(action, NoReplacement):
            return
        unit = action.unit
        if unit not in state.of(self.formation):
            yield Objection(self.rule, "{} is not a unit of formation {}", (unit, self.formation))
            return
        if isinstance(action, Reconstitute):
            if self.chit != STAR:
                yield Objection("koenig:14.3.e", "only the {} chit reconstitutes a unit", (STAR,))
            elif self.refitted:
                yield Objection("koenig:14.3.e", "it takes both replacements of the chit")
            if state.place(unit) is not Away.ELIMINATED:
                yield Objection("koenig:14.3.e", "{} is not eliminated", (unit,))
            return
        if not isinstance(state.place(unit), Hex):
            yield Objection(self.rule, "{} is {}", (unit, state.place(unit).value))  # type: ignore[union-attr]
        elif not state.unit(unit).hits:
            yield Objection(self.rule, "{} has no Hits", (unit,))
        if unit in self.elsewhere:
            yield Objection(("koenig:14.1.j", "koenig:K-36"), "{} was attached to another HQ this turn", (unit,))
        if self.chit == STAR and unit in self.refitted:
            rules = ("koenig:14.3.d", "koenig:K-28")
            yield Objection(rules, "{} has had a replacement of this chit", (unit,))


async def refit(play: Play[State], formation: str, chit: str, elsewhere: tuple[str, ...] = ()) -> None:
    """The replacements of a chit are used one by one (14.3)."""
    side = play.state.setting.formation(formation).side
    refitted: tuple[str, ...] = ()
    for _ in range(int(chit.rstrip("*"))):
        action = await ChooseRefit(side, formation, chit, refitted, elsewhere)
        if isinstance(action, NoReplacement):
            return
        if isinstance(action, Reconstitute):
            await call(reconstitute, action.unit, "koenig:14.3.e")
            return
        star = ("koenig:14.3.d",) if chit == STAR else ()
        play.record(UnitRecovered(action.unit, ("koenig:14.3.c", "koenig:K-28", *star)))
        refitted = (*refitted, action.unit)


# ------------------------------------------------------------ reconstitution
@final
@frozen
class ReturnTo:
    """The unit returns to the map in this hex."""

    hex: Hex


def return_rule(state: State, unit: str, hex: Hex) -> str:
    """The rule that lets a reconstituted unit return in a hex; "" where none does (14.3)."""
    beach, piece = state.setting, state.setting.piece(unit)
    if terrain_cost(beach, hex) is None:
        return ""
    here, mates = state.at(hex), state.of(piece.formation)
    alone = len(here) == 1 and beach.piece(here[0]).side is piece.side
    if not state.enemies_near(hex, piece.side):
        if alone and here[0] in mates:
            return "koenig:14.3.h"
        if not here and any(set(state.at(near)) & set(mates) for near in beach.board.neighbours(hex)):
            return "koenig:14.3.i"
    built_up = {"town", "city"} & set(terrain(beach, hex))
    if alone and built_up and all(hex.distance(enemy) >= FAR_FROM_ENEMIES for enemy in _enemies(state, piece.side)):
        return "koenig:14.3.j"
    return ""


FAR_FROM_ENEMIES = 3


def _enemies(state: State, side: Side) -> Iterator[Hex]:
    for hex, units in state.occupants.items():
        if any(state.setting.roster[i].side is not side for i in units):
            yield hex


def return_hexes(state: State, unit: str) -> tuple[Hex, ...]:
    """Where a reconstituted unit may return (14.3)."""
    return tuple([hex for hex in state.setting.board if return_rule(state, unit, hex)])


@frozen
class ChooseReturn(Decision[State, ReturnTo]):
    """Where a reconstituted unit returns to the map (14.3)."""

    side: Side
    unit: str
    rule: str
    prompt = "choose the hex to which the unit returns"

    def candidates(self, state: State) -> Iterator[ReturnTo]:
        """With a unit of its formation, next to one, or in a town behind the lines."""
        return (ReturnTo(hex) for hex in return_hexes(state, self.unit))

    def objections(self, state: State, action: ReturnTo) -> Iterator[Objection]:
        """None of the three."""
        hex, board = action.hex, state.setting.board
        if hex not in board:
            yield Objection(_RETURN, "{} is not on the map", (hex,))
        elif not return_rule(state, self.unit, hex):
            yield Objection(
                _RETURN,
                "{} is neither with a single unit of its formation nor empty beside one, out of contact with the enemy, "
                "nor a town or city with a single friendly unit three hexes from every enemy",
                (board.label(hex),),
            )


_RETURN = ("koenig:14.3.h", "koenig:14.3.i", "koenig:14.3.j")


async def reconstitute(play: Play[State], unit: str, rule: str) -> None:
    """An eliminated unit returns with two Hits, and does nothing this turn; without a hex the chance is lost (14.3)."""
    if not return_hexes(play.state, unit):
        play.record(ReconstitutionLost(unit))
        return
    action = await ChooseReturn(play.state.setting.piece(unit).side, unit, rule)
    allowed = return_rule(play.state, unit, action.hex)
    play.record(UnitReconstituted(unit, action.hex, (rule, "koenig:14.3.f", "koenig:14.3.g", allowed)))
