"""The state of a game: the whole of what the rules may depend on, but for what the battlefield fixes for good."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import field, frozen

from beachhead.cup import Cup
from beachhead.errors import UnknownName
from beachhead.hexes import Hex
from beachhead.play import by_key
from beachhead.spelling import nearest
from beachhead.values import changed, changer
from beachhead_gts.battlefield import Away, Battlefield, Chit, Face, Piece, Place
from beachhead_gts.deployment import Deployment, deployment, hand_on
from beachhead_gts.tables import ActionKind, Barrage, Cover, Phase, Side, Weather, term


@frozen
class Unit:
    """Where a unit is, and the markers on it.

    Attributes:
        place: its hex, or why it is in none.
        losses: steps lost.
        cohesion: Cohesion Hits, 0 to 2.
        suppressed: it has a Suppressed marker.
        column: it has a Column marker.
        mounted: it is in Transport Mode, on its Vehicle side.
        cover: its improved position or entrenchment.
        rallying: Men Rallying markers.
        entering: it stands on a reinforcement hex and has not moved off (8.0).
    """

    place: Place = Away.DUE
    losses: int = 0
    cohesion: int = 0
    suppressed: bool = False
    column: bool = False
    mounted: bool = False
    cover: Cover = Cover.NONE
    rallying: int = 0
    entering: bool = False


@frozen
class Points:
    """Command Points and Dispatch Points of a Division (10.0.3)."""

    command: int = 0
    dispatch: int = 0


@frozen
class Activation:
    """The chit that is being played (10.0.1).

    Attributes:
        chit: its name.
        open: what comes before the Actions is done: reinforcements and rolls, or attachment.
        acted: the units that have begun an Action under it, as a set of their numbers.
        last: the units whose Action was begun last, if they may perform a Second Action (10.0.2).
        kind: the type of that Action.
        second: the Action that was begun last is, or was, a Second Action.
        attached: independent units that act with the Formation (21.6.2).
        closing: all Actions are over, and Leaders transfer (21.2).
        transferred: the Leaders that have been asked, as a set of their numbers.
    """

    chit: str
    open: bool = False
    acted: int = 0
    last: tuple[str, ...] = ()
    kind: ActionKind = ActionKind.PASS
    second: bool = False
    attached: tuple[str, ...] = ()
    closing: bool = False
    transferred: int = 0


@frozen(cache_hash=True)
class State:
    """A game as it stands.

    Attributes:
        units: in the order of the setting's roster.
        leaders: where they are, in the order of the setting's.
        points: of the Divisions, in the order of the setting's.
        mug: the chits in the mug, by name.
        ready: Formation chits that have been bought for this turn, until the mug is filled (7.2).
        aside: those bought for next turn.
        carried: the chit that was left last, to be played first (10.0.6); "" for none.
        activation: the chit that is being played; None between two.
        weather, air: of the day (5.0, 6.0).
        barrages: hexes with a barrage marker.
        entrenchments: hexes with an entrenchment, as a set.
        held: who holds the objectives, in the order of the setting's.
        superiors: the Formations that independent ones are attached to, in the order of the setting's; "" for none (8.0).
    """

    setting: Battlefield = field(repr=by_key)
    units: tuple[Unit, ...]
    leaders: tuple[Place, ...]
    points: tuple[Points, ...]
    turn: int = 1
    phase: Phase = Phase.SET_UP
    mug: Cup[str] = field(factory=Cup[str])
    ready: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    carried: str = ""
    activation: Activation | None = None
    weather: Weather = Weather.CLEAR
    air: int = 0
    barrages: tuple[tuple[Hex, Barrage], ...] = ()
    entrenchments: int = 0
    held: tuple[Side | None, ...] = ()
    superiors: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The map, who stands where, and how the players stand."""
        from beachhead.terminal import position_text
        from beachhead_gts import terminal

        return position_text(terminal, self)

    def _repr_svg_(self) -> str:
        from beachhead_gts.picture import picture

        return picture(self)

    # -------------------------------------------------------- units and Leaders
    def unit(self, name: str) -> Unit:
        """A unit by its name.

        Raises:
            UnknownName: there is none; the nearest is named.
        """
        try:
            return self.units[self.setting.number[name]]
        except KeyError:
            raise self._no_unit(name) from None

    def place(self, name: str) -> Place:
        """Where a unit is.

        Raises:
            UnknownName: there is none; the nearest is named.
        """
        try:
            return self.units[self.setting.number[name]].place
        except KeyError:
            raise self._no_unit(name) from None

    def _no_unit(self, name: str) -> UnknownName:
        if name in self.setting.leader_number:
            return UnknownName(f"{name} is a Leader, and this is asked of units")
        return UnknownName(f"no unit {name!r}{nearest(name, self.setting.number)}")

    def leader(self, name: str) -> Place:
        """Where a Leader is.

        Raises:
            UnknownName: there is none; the nearest is named.
        """
        try:
            return self.leaders[self.setting.leader_number[name]]
        except KeyError:
            raise UnknownName(f"no Leader {name!r}{nearest(name, self.setting.leader_number)}") from None

    def division_points(self, division: str) -> Points:
        """What a Division has.

        Raises:
            UnknownName: there is no such Division; the nearest is named.
        """
        try:
            return self.points[self.setting.division_number[division]]
        except KeyError:
            known = self.setting.division_number
            raise UnknownName(f"no Division {division!r}{nearest(division, known)}") from None

    # -------------------------------------------------------- hexes
    def hex(self, place: Hex | str) -> Hex:
        """The hex of a label or of a name on the map, in capitals or small letters; a hex of the map is itself.

        Raises:
            ValueError: there is no such hex on this map.
            TypeError: it is no text, and no hex.
        """
        board = self.setting.board
        if isinstance(place, str):
            return board.find(place)
        if type(place) is not Hex:
            raise TypeError(f"{place!r} is no hex: give its label, such as {board.label(board.hexes[0])!r}, or a Hex")
        board.label(place)  # it says so if it is not on the map
        return place

    @property
    def deployment(self) -> Deployment:
        """Who stands where."""
        known = self.setting.latest[0]
        return known if known.units is self.units else deployment(self.setting, self.units)

    def numbers_at(self, hex: Hex) -> tuple[int, ...]:
        """The numbers of the units in a hex."""
        return self.deployment.at.get(hex, ())

    def at(self, hex: Hex | str, side: Side | str | None = None) -> tuple[str, ...]:
        """The units in a hex, or at a label or name on the map: those of one side or all, by name.

        Raises:
            ValueError: no such hex, or no such side.
        """
        if type(side) is str:
            side = term(Side, side)
        roster = self.setting.roster
        return tuple([roster[i].name for i in self.numbers_at(self.hex(hex)) if side is None or roster[i].side is side])

    def leaders_at(self, hex: Hex | str, formation: str | None = None) -> tuple[str, ...]:
        """The Leaders in a hex: of one Formation, or all, by name."""
        place = self.hex(hex)
        pairs = zip(self.setting.leaders, self.leaders, strict=True)
        return tuple([each.name for each, at in pairs if at == place and formation in (None, each.formation)])

    def acting_with(self, formation: str) -> tuple[int, ...]:
        """The numbers of the units that act with a Formation's chit: its own, and those of independent Formations attached to it (8.0)."""
        field = self.setting
        found = field.members[formation]
        for each, superior in zip(field.formations, self.superiors, strict=True):
            if superior == formation:
                found += field.members[each.name]
        return found

    # -------------------------------------------------------- the activation
    @property
    def chit(self) -> Chit:
        """The chit that is being played."""
        assert self.activation is not None
        return self.setting.chits[self.activation.chit]

    @property
    def just_acted(self) -> tuple[str, ...]:
        """The units that have just acted, and may perform a Second Action if they are on the map still (10.0.2)."""
        assert self.activation is not None
        units, number = self.units, self.setting.number
        return tuple([unit for unit in self.activation.last if type(units[number[unit]].place) is Hex])

    @property
    def active(self) -> Side | None:
        """The Active player: whose chit is being played."""
        return None if self.activation is None else self.chit.side

    @property
    def night(self) -> bool:
        """Whether it is a night turn."""
        return self.setting.night(self.turn)

    @property
    def turn_name(self) -> str:
        """The name of the turn."""
        return self.setting.track[self.turn - 1].name


def face(piece: Piece, unit: Unit) -> Face:
    """The side of the counter that lies up: the vehicle, the reduced back, or the front (14.10, 19.2.4)."""
    if unit.mounted and piece.transport is not None:
        return piece.transport
    if unit.losses and piece.reduced is not None:
        return piece.reduced
    return piece.front


def face_of(state: State, i: int) -> Face:
    """The side of the counter of the unit with this number that lies up."""
    return face(state.setting.roster[i], state.units[i])


def has_loss_marker(piece: Piece, unit: Unit) -> bool:
    """Whether a lost Step shows by a marker: the side that lies up is not the one printed for it (19.2.4)."""
    return bool(unit.losses) and (unit.mounted or piece.reduced is None)


def steps_left(piece: Piece, unit: Unit) -> int:
    """The steps that a unit has left."""
    return piece.steps - unit.losses


def put(state: State, unit: str, **fields: Any) -> State:
    """The state with something changed of one unit."""
    i = state.setting.number[unit]
    return put_unit(state, i, changed(state.units[i], **fields))


def put_unit(state: State, i: int, unit: Unit) -> State:
    """The state with another unit in the place of the i-th."""
    before = state.units
    changed_units = list(before)
    changed_units[i] = unit
    units = tuple(changed_units)
    hand_on(state.setting, before, units, i)
    return _with_units(state, units=units)


def put_leader(state: State, leader: str, place: Place) -> State:
    """The state with a Leader elsewhere."""
    i = state.setting.leader_number[leader]
    return changed(state, leaders=(*state.leaders[:i], place, *state.leaders[i + 1 :]))


def put_points(state: State, division: str, **fields: int) -> State:
    """The state with other points of a Division."""
    i = state.setting.division_number[division]
    return changed(state, points=(*state.points[:i], changed(state.points[i], **fields), *state.points[i + 1 :]))


# `changed`, where it is changed all the time
with_activation: Callable[..., State] = changer(State, "activation")
_with_units: Callable[..., State] = changer(State, "units")
