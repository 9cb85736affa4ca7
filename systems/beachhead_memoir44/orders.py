"""Playing a command card and ordering units within its limits (m44:order.*, m44:section.*, m44:card.*)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import final

from attrs import frozen

from beachhead.hexes import Hex
from beachhead.play import Decision, Play, call
from beachhead.rules import Objection, first_objection
from beachhead_memoir44.card_events import CardDiscarded, CardPlayed, OrderGiven
from beachhead_memoir44.cards import CardKind, Contact, Effect, Section, Wing, find_card, kinds
from beachhead_memoir44.dice import BattleDice, Symbols
from beachhead_memoir44.events import ObstaclePlaced, PhaseBegan, UnitOrdered
from beachhead_memoir44.state import Phase, State, Turn
from beachhead_memoir44.strikes import medics, strike
from beachhead_memoir44.tables import BaseType, Side


# ------------------------------------------------------------ playing a card
@final
@frozen
class PlayCard:
    """Play this card."""

    card: str


@final
@frozen
class DiscardCard:
    """Discard this card: nothing else is in the hand."""

    card: str


@frozen
class ChooseCard(Decision[State, PlayCard | DiscardCard]):
    """The first act of a turn: play one command card (m44:order.play_one_card)."""

    side: Side
    hand: int
    """How many cards the side holds, as all can see."""
    rule = "m44:order.play_one_card"
    prompt = "the command card to play"

    def candidates(self, state: State) -> Iterator[PlayCard | DiscardCard]:
        """Each card of the hand once."""
        cards = [card for card, _ in state.hand(self.side).cards.counts]
        yield from map(PlayCard, cards)
        if _only_reactions(cards):
            yield from map(DiscardCard, cards)

    def objections(self, state: State, action: PlayCard | DiscardCard) -> Iterator[Objection]:
        """A reaction is not played on one's own turn; only a hand of nothing else is discarded from."""
        hand = state.hand(self.side).cards
        if action.card not in hand:
            yield Objection("m44:order.play_one_card", "{} no {}", (self.side.does("hold"), action.card))
            return
        reaction = find_card(action.card).kind.effect is Effect.AMBUSH
        if isinstance(action, PlayCard) and reaction:
            yield Objection(
                "m44:card.ambush.reaction_only",
                "{} answers a close assault and is not played on one's own turn",
                (find_card(action.card).name,),
            )
        if isinstance(action, DiscardCard) and not _only_reactions(card for card, _ in hand.counts):
            yield Objection("m44:deck.ambush_only_hand", "there is a card to play", ())

    def foreign(self, state: State, action: object) -> Iterator[Objection]:
        """A turn begins with a card."""
        yield Objection(("m44:turn.order", self.rule), "a turn begins with a command card: {}", (self.prompt,))

    @property
    def secret(self) -> bool:  # type: ignore[override]
        """Who has several cards is asked even if he may play one only: that he holds an Ambush beside it, or the same card twice, is his own affair."""
        return self.hand > 1

    def answer_seen_by(self, side: object) -> bool:
        """The card that is played lies open."""
        return True


def _only_reactions(cards: Iterable[str]) -> bool:
    return all(find_card(card).kind.effect is Effect.AMBUSH for card in cards)


async def play_card(play: Play[State]) -> None:
    """Play a card, and settle what it orders."""
    side = play.state.active
    choice = await ChooseCard(side, play.state.hand(side).size)
    if isinstance(choice, DiscardCard):
        play.record(CardDiscarded(side, choice.card, "m44:deck.ambush_only_hand"))
        play.record(PhaseBegan(Phase.DRAW))
        return
    card = find_card(choice.card)
    play.record(CardPlayed(side, card.id, ("m44:order.play_one_card", *seat_rules(play.state, side, card.section))))
    if card.kind.effect is Effect.COUNTER_ATTACK:
        await call(copy_order, side)
    await call(carry_out, side)


async def copy_order(play: Play[State], side: Side) -> None:
    """Counter-Attack repeats the order of the opponent's last turn, in the same part of the board (m44:card.counter_attack.*)."""
    given = play.state.last_given(side.other)
    if given is None:
        play.record(OrderGiven("", "m44:card.counter_attack.first"))
    else:
        rules = ("m44:card.counter_attack.copy", *copied_section_rules(given.kind_id, given.wing))
        play.record(OrderGiven(given.kind_id, rules, given.wing))


def copied_section_rules(kind_id: str, wing: Wing | None) -> tuple[str, ...]:
    """The rule by which a copied order holds in the same part of the board as the opponent's; none where it names no section."""
    if wing is None:
        return ()
    chosen = kinds()[kind_id].sections == "chosen"
    return ("m44:card.counter_attack.infantry_assault" if chosen else "m44:card.counter_attack.mirror",)


def seat_rules(state: State, side: Side, where: Section | Wing | None) -> tuple[str, ...]:
    """The rule that says where a side's left and right are; none for the centre, or for no section."""
    if where in (None, Section.CENTRE, Wing.CENTRE):
        return ()
    return ("m44:section.seat_top" if side is state.setting.top else "m44:section.seat_bottom",)


async def carry_out(play: Play[State], side: Side) -> None:
    """From the card to its effect: orders to units, or an attack of its own."""
    kind = play.state.turn.kind
    if kind is None:
        play.record(PhaseBegan(Phase.DRAW))
        return
    match kind.effect:
        case Effect.AIR_POWER | Effect.BARRAGE:
            await call(strike, side, kind.id)
            play.record(PhaseBegan(Phase.DRAW))
        case Effect.MEDICS:
            await call(medics, side, kind.id)
        case _:
            await call(prepare_orders, side)
            play.record(PhaseBegan(Phase.ORDER))


async def prepare_orders(play: Play[State], side: Side) -> None:
    """Where the card leaves something open: the symbols of a throw, a substitute for a type that is not there, the section."""
    state, turn, kind = play.state, play.state.turn, play.state.turn.kind
    assert kind is not None
    if kind.effect is Effect.FINEST_HOUR:
        symbols = await BattleDice(state.hand(side).size + 1, Symbols(), "m44:card.finest_hour.dice")
        rules = ("m44:card.finest_hour.orders", *turn.own_numbers)
        play.record(OrderGiven(kind.id, rules, symbols=symbols))
    elif kind.substitute and not any(state.troop(unit).base in kind.types for unit in within(state, side, turn.wing)):
        nobody_there = ("m44:card.counter_attack.infantry_assault_none",) if turn.wing else ()
        play.record(OrderGiven(kind.id, (*nobody_there, *kind.rules("substitute")), turn.wing, substitute=True))
    elif kind.sections == "chosen" and turn.wing is None:
        choice = await ChooseSection(side)
        rules = (*kind.rules("sections"), *seat_rules(state, side, choice.section))
        play.record(OrderGiven(kind.id, rules, choice.section.wing(top=side is state.setting.top)))


def within(state: State, side: Side, wing: Wing | None) -> Iterator[int]:
    """The side's units in a section, or on the whole board."""
    return (unit for unit in state.of(side) if wing is None or wing in state.setting.wings(state.place(unit)))


@final
@frozen
class InSection:
    """The order holds in this section."""

    section: Section


@frozen
class ChooseSection(Decision[State, InSection]):
    """The player names a section (Infantry Assault)."""

    side: Side
    rule = "m44:card.infantry_assault.order"
    prompt = "the section in which the order holds"

    def candidates(self, state: State) -> Iterator[InSection]:
        """Left, centre, right."""
        return (InSection(section) for section in Section)


# ------------------------------------------------------------ ordering units
@final
@frozen
class Order:
    """The unit in this hex receives an order."""

    unit: Hex


@final
@frozen
class OrderAll:
    """Every unit that the card may order receives one."""


@final
@frozen
class EndOrders:
    """No more orders."""


@frozen
class ChooseOrders(Decision[State, Order | OrderAll | EndOrders]):
    """Announce the units that are ordered, one by one (m44:order.announce_after_card)."""

    side: Side
    rule = "m44:turn.announce_within_limit"
    prompt = "order a unit, or end the orders"

    def candidates(self, state: State) -> Iterator[Order | OrderAll | EndOrders]:
        """The side's units in the section that the card names, or anywhere, as long as it orders more of them."""
        turn, kind = state.turn, state.turn.kind
        if kind is not None and not used_up(turn, kind):
            yield from (Order(state.place(unit)) for unit in within(state, self.side, turn.wing))
        yield OrderAll()
        yield EndOrders()

    def objections(self, state: State, action: Order | OrderAll | EndOrders) -> Iterator[Objection]:
        """Within the limits of the card."""
        if isinstance(action, EndOrders):
            return
        if isinstance(action, OrderAll):
            kind = state.turn.kind
            if kind is None or kind.orders != "all" or state.turn.substitute:
                yield Objection(self.rule, "the card does not order all units", ())
            elif not any(first_objection(order_objections(state, unit)) is None for unit in state.of(self.side)):
                yield Objection(self.rule, "nobody is left to order", ())
            return
        unit = state.unit_at(action.unit)
        if unit is None or state.side(unit) is not self.side:
            yield Objection(self.rule, "no unit of the {} stands there", (self.side,))
        else:
            yield from order_objections(state, unit)

    def foreign(self, state: State, action: object) -> Iterator[Objection]:
        """The ordered units are announced before anything moves."""
        yield Objection(
            ("m44:turn.order", "m44:order.announce_after_card"), "units are being ordered: {}", (self.prompt,)
        )


def used_up(turn: Turn, kind: CardKind) -> bool:
    """Whether the card orders nobody else, wherever he stands."""
    if turn.substitute:
        return bool(turn.orders)
    by_section = kind.sections in ("each", "flanks")
    return isinstance(kind.orders, int) and len(turn.orders) >= kind.orders > 0 and not by_section


def order_objections(state: State, unit: int) -> Iterator[Objection]:
    """Why the card does not order this unit, or not this one, too."""
    turn, kind = state.turn, state.turn.kind
    if kind is None:
        yield Objection("m44:turn.announce_within_limit", "there is no order", ())
        return
    if state.orders(unit):
        yield Objection("m44:turn.announce_within_limit", "{} is ordered already", (state.name(unit),))
        return
    hex, troop, side = state.place(unit), state.troop(unit), state.side(unit)
    if turn.wing and turn.wing not in state.setting.wings(hex):
        copied = copied_section_rules(kind.id, turn.wing) if turn.copied else ()
        rules = (*kind.rules("sections"), *copied, *seat_rules(state, side, turn.wing))
        yield Objection(rules, "{} is not in the {} section of the board", (state.name(unit), turn.wing))
    if turn.substitute:
        if turn.orders:
            yield Objection(kind.rules("substitute"), "one unit is ordered in place of those the card names", ())
        return
    if kind.types and troop.base not in kind.types:
        yield Objection(kind.rules("types"), "{} orders {} only", (kind.name, " or ".join(sorted(kind.types))))
    near = () if kind.contact is Contact.ANY else state.enemies_near(hex, side)
    if kind.contact is Contact.REQUIRED and not near:
        yield Objection(kind.rules("contact"), "{} is not next to an enemy", (state.name(unit),))
    if kind.contact is Contact.FORBIDDEN and near:
        yield Objection(kind.rules("contact"), "{} is next to {}", (state.name(unit), state.name(near[0])))
    units = [*(o.unit for o in turn.orders), unit]
    if kind.effect is Effect.FINEST_HOUR:
        yield from _symbol_objections(state, units)
    elif kind.sections == "flanks" and not state.setting.wings(hex) & FLANKS:
        yield Objection(kind.rules("sections"), "{} is on neither flank", (state.name(unit),))
    elif kind.orders != "all" and not within_limit(state, kind, units):
        yield Objection(
            kind.rules("orders"),
            "{} orders {} at most{}",
            (kind.name, kind.orders, "" if kind.sections == "any" else " in a section"),
        )


FLANKS = frozenset((Wing.WEST, Wing.EAST))


def within_limit(state: State, kind: CardKind, units: Sequence[int]) -> bool:
    """Whether so many units, where they stand, are within a card's limits.

    A unit on a line between two sections takes an order of one of them, whichever suits (m44:section.straddle_order).
    """
    assert isinstance(kind.orders, int)
    match kind.sections:
        case "each":
            open_wings = frozenset(Wing)
        case "flanks":
            open_wings = FLANKS
        case _:
            return len(units) <= kind.orders
    places = [state.setting.wings(state.place(unit)) & open_wings for unit in units]
    return _seated(places, dict.fromkeys(open_wings, kind.orders))


def _seated(places: list[frozenset[Wing]], room: dict[Wing, int]) -> bool:
    """Whether everybody finds a place among his own: the first takes each of his in turn, and the rest try."""
    if not places:
        return True
    first, *rest = places
    return any(room[wing] and _seated(rest, {**room, wing: room[wing] - 1}) for wing in first)


def _symbol_objections(state: State, units: Sequence[int]) -> Iterator[Objection]:
    """Each infantry symbol orders infantry, each armor symbol armor, each star anybody (m44:card.finest_hour.orders)."""
    called, bases = state.turn.symbols, [state.troop(unit).base for unit in units]
    by_symbol = {BaseType.INFANTRY: called.infantry, BaseType.ARMOR: called.armor}
    by_star = sum(max(0, bases.count(base) - by_symbol.get(base, 0)) for base in {*bases})
    if by_star > called.stars:
        rules = ("m44:card.finest_hour.orders", *by_star_rules(state, units[-1]))
        yield Objection(rules, "the dice ({}) do not order {}, too", (called, state.name(units[-1])))


def by_star_rules(state: State, unit: int) -> tuple[str, ...]:
    """The rule by which only a star orders a unit whose type has no symbol on the dice."""
    symbol = state.troop(unit).base in (BaseType.INFANTRY, BaseType.ARMOR)
    return () if symbol else ("m44:card.finest_hour.artillery",)


async def order_step(play: Play[State]) -> None:
    """One order, or the end of the orders."""
    choice, side = await ChooseOrders(play.state.active), play.state.active
    match choice:
        case Order(unit=hex):
            unit = play.state.unit_at(hex)
            assert unit is not None
            play.record(UnitOrdered(unit, order_rules(play.state, unit)))
        case OrderAll():
            for unit in play.state.of(side):
                if first_objection(order_objections(play.state, unit)) is None:
                    play.record(UnitOrdered(unit, order_rules(play.state, unit)))
        case EndOrders():
            kind = play.state.turn.kind
            if kind and kind.effect is Effect.DIG_IN and not play.state.turn.substitute:
                await call(dig_in, side)
                play.record(PhaseBegan(Phase.DRAW))
            else:
                play.record(PhaseBegan(Phase.MOVE))


def order_rules(state: State, unit: int) -> tuple[str, ...]:
    """The rules by which the card orders this unit."""
    kind = state.turn.kind
    assert kind is not None
    if state.turn.substitute:
        return kind.rules("substitute")
    if kind.effect is Effect.FINEST_HOUR:
        return (*kind.rules("effect"), *by_star_rules(state, unit))
    if kind.sections == "any" or len(state.setting.wings(state.place(unit))) == 1:
        return kind.rules("orders")
    straddling = (*kind.rules("sections"), "m44:order.straddle", "m44:section.straddle_order")
    return tuple(dict.fromkeys((*kind.rules("orders"), *straddling)))


# ------------------------------------------------------------ digging in
@final
@frozen
class PlaceSandbags:
    """The ordered unit in this hex gets sandbags."""

    unit: Hex


@frozen
class ChooseSandbags(Decision[State, PlaceSandbags]):
    """There are fewer sandbags than units: who gets them (m44:card.dig_in.supply)."""

    side: Side
    rule = "m44:card.dig_in.supply"
    prompt = "the unit that gets sandbags"

    def candidates(self, state: State) -> Iterator[PlaceSandbags]:
        """The ordered units that may have them."""
        return (PlaceSandbags(state.place(unit)) for unit in diggers(state))

    def objections(self, state: State, action: PlaceSandbags) -> Iterator[Objection]:
        """Only for an ordered unit, where they may lie."""
        if action.unit not in [state.place(unit) for unit in diggers(state)]:
            yield Objection(
                ("m44:card.dig_in.where", "m44:card.dig_in.effect"), "no ordered unit gets sandbags there", ()
            )


def diggers(state: State) -> tuple[int, ...]:
    """The ordered units in whose hex sandbags may be placed (m44:card.dig_in.where)."""
    ordered = (o.unit for o in state.turn.orders)
    return tuple(i for i in ordered if not any(row.no_sandbags for row in state.rows(state.place(i))))


def sandbags_left(state: State) -> int:
    """How many sandbags are not on the board."""
    on_board = sum(name == "sandbags" for _, name in state.obstacles)
    return len(state.units) if state.setting.sandbags is None else max(0, state.setting.sandbags - on_board)


async def dig_in(play: Play[State], side: Side) -> None:
    """Sandbags for the ordered infantry, which then does nothing else (m44:card.dig_in.effect)."""
    rules = ("m44:card.dig_in.effect", *(("m44:sandbags",) if play.state.setting.sandbags is None else ()))
    for _ in play.state.turn.orders:  # each digs in once at the most
        waiting, left = diggers(play.state), sandbags_left(play.state)
        if not waiting or not left:
            return
        if left >= len(waiting):
            play.record(ObstaclePlaced(play.state.place(waiting[0]), "sandbags", rules))
        else:
            choice = await ChooseSandbags(side)
            play.record(ObstaclePlaced(choice.unit, "sandbags", (*rules, "m44:card.dig_in.supply")))
