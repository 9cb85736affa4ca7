"""Memoir '44 in plain words: the battlefield as text, hands of cards, and a few words on each option."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from beachhead.board import Board
from beachhead.hexes import Hex
from beachhead.terminal import Cell, Facts, Plain
from beachhead_memoir44.attack import attack_dice
from beachhead_memoir44.battle import Battle
from beachhead_memoir44.cards import Card, Contact, Effect, find_card
from beachhead_memoir44.ground import Overrun, OverrunOrNot, TakeGround
from beachhead_memoir44.m44.values import Objective
from beachhead_memoir44.movement import Move, ways
from beachhead_memoir44.orders import DiscardCard, InSection, Order, PlaceSandbags, PlayCard
from beachhead_memoir44.retreat import RetreatTo
from beachhead_memoir44.state import EmptySection, State
from beachhead_memoir44.strikes import Heal, Target
from beachhead_memoir44.tables import Kind, Side, Troop, terrain, terrains
from beachhead_memoir44.turn import Keep

_LETTERS = {"infantry": "I", "armor": "A", "artillery": "G"}
_plain = Plain()


# ------------------------------------------------------------ the board
def board(state: State) -> Board:
    """The battlefield."""
    return state.setting.board


def cell(state: State, hex: Hex) -> Cell:
    """The ground, a star for an objective, and the unit: round brackets for Allies, square ones for Axis, open to the right when it is ordered."""
    ground = _ground_letters(state)
    lying = [ground[row.id] for row in state.rows(hex) if row.id in ground]
    unit = state.unit_at(hex)
    mark = "*" if any(isinstance(o, Objective) and hex in o.hexes for o in state.setting.objectives) else " "
    return Cell(
        lying[-1] if lying else "",
        mark,
        "" if unit is None else _counter(state, unit),
        None if unit is None else state.side(unit),
    )


def _counter(state: State, unit: int) -> str:
    left, right = "()" if state.side(unit) is Side.ALLIES else "[]"
    return f"{left}{_letters(state.troop(unit))}{state.units[unit].figures}{'!' if state.orders(unit) else right}"


def _letters(troop: Troop) -> str:
    words = troop.name.replace("-", " ").split()
    return _LETTERS.get(troop.id) or "".join(word[0] for word in words[:2] if len(words) > 1) or words[0][:2].upper()


def _ground_letters(state: State) -> Mapping[str, str]:
    """Two letters for each row that lies on this board, or may come to lie there, all different; the most frequent have the plainest."""
    found: dict[str, str] = state.setting.cache("letters")  # type: ignore[assignment]
    if not found:
        lying = Counter(row.id for rows in state.setting.rows.values() for row in rows)
        obstacles = [
            row.id for row in terrains().values() if row.built and row.kind is Kind.OBSTACLE and row.id not in lying
        ]
        for row in (*sorted(lying, key=lambda row: (-lying[row], row)), *obstacles):
            pairs = (row[0] + letter for letter in row[1:] + row if letter.isalpha())
            found[row] = next((pair for pair in pairs if pair not in found.values()), row[:2])
    return found


def at(state: State, hex: Hex) -> str:
    """The unit in a hex, and the ground."""
    unit = state.unit_at(hex)
    ground = _lies_on(state, hex).removeprefix(", ") or "open ground"
    return ground if unit is None else f"{state.side(unit)} {_unit(state, unit)}, {ground}"


def units(state: State) -> Mapping[str, str]:
    """None: units have no names, and are called by their hexes."""
    return {}


def place(state: State, unit: str) -> Hex | None:
    """Nowhere: no unit has a name."""
    return None


def legend(state: State) -> Sequence[str]:
    """What the letters mean."""
    there = {row.id for hex in state.setting.board for row in state.rows(hex)}
    ground = [
        f"{letters} {terrain(row).name.lower()}" for row, letters in _ground_letters(state).items() if row in there
    ]
    troops = {_letters(troop): troop.name.lower() for troop in state.setting.troops}
    units = [f"{letters} {name}" for letters, name in sorted(troops.items())]
    marks = [
        *(["! ordered"] if any(state.orders(unit) for side in Side for unit in state.of(side)) else []),
        *(["* objective"] if any(isinstance(what, Objective) for what in state.setting.objectives) else []),
    ]
    return (", ".join(ground), f"{', '.join(units)}; {', '.join(('(I4) Allies', '[I4] Axis', *marks))}")


def remarks(state: State) -> str:
    """All is told in full: what the file does not say, the players must agree on."""
    return ""


# ------------------------------------------------------------ how things stand
def standing(state: State) -> str:
    """Medals and cards."""
    dealt = any(state.hand(side).size for side in Side)
    cards = {side: state.hand(side).size if dealt else state.setting.hands[side] for side in Side}
    sides = (
        f"{side} {state.medals_of(side)}/{state.setting.needed[side]} medals, {_count(cards[side], 'card')}"
        for side in Side
    )
    return "; ".join(sides)


def facts(state: State) -> Facts:
    """What each side needs and has, its units, objectives and ground."""
    setting, label = state.setting, state.label
    found: dict[str, Sequence[str]] = {}
    for side in Side:
        seat = "top" if side is setting.top else "bottom"
        begins = ", begins" if side is setting.starting else ""
        found[str(side)] = (
            f"needs {_count(setting.needed[side], 'medal')}, holds {_count(setting.hands[side], 'card')}, sits at the {seat}{begins}",
        )
        found[f"Units of the {side}"] = tuple(
            f"{label(state.place(unit))} {_unit(state, unit)}{_nation(state, unit)}{_lies_on(state, state.place(unit))}"
            for unit in state.of(side)
        )
    found["Objectives"] = tuple(_objective(state, what) for what in setting.objectives)
    found["Sudden death"] = tuple(
        f"{s.side}, by holding {s.number} of {' '.join(map(label, s.hexes))}" for s in setting.sudden_death
    )
    hexes: dict[str, list[str]] = {}
    for hex in setting.board:
        for row in state.rows(hex):
            hexes.setdefault(row.name, []).append(label(hex))
    found["Ground"] = tuple(f"{name}: {' '.join(labels)}" for name, labels in sorted(hexes.items()))
    return {heading: lines for heading, lines in found.items() if lines}


def _objective(state: State, what: Objective | EmptySection) -> str:
    if isinstance(what, EmptySection):
        return f"no enemy of the {what.side} in the {what.wing}: {_count(what.counts_for, 'medal')} for it"
    count = f"{what.number} of " if len(what.hexes) > 1 and not what.any_hex and not what.majority else ""
    how = [
        word
        for word, holds in (
            ("any of them", what.any_hex),
            ("the majority", what.majority),
            ("kept once won", what.permanent),
            ("counted when its side's turn begins", what.turn_start),
            ("no enemy on any of them", what.sole_control),
            ("kept by who held it last", what.last_to_occupy),
        )
        if holds
    ]
    medals = f", counts {what.counts_for}" if what.counts_for > 1 else ""
    return f"{count}{' '.join(map(state.label, what.hexes))} for {what.side or 'either side'}{medals}{''.join(f', {word}' for word in how)}"


def _nation(state: State, unit: int) -> str:
    nation = state.setting.roster[unit].nation
    return f" ({nation})" if nation else ""


def _unit(state: State, unit: int) -> str:
    return f"{state.troop(unit).name.lower()}, {_count(state.units[unit].figures, 'figure')}"


def _lies_on(state: State, hex: Hex) -> str:
    rows = [row.name.lower() for row in state.rows(hex)]
    return f", {' with '.join(rows)}" if rows else ""


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


# ------------------------------------------------------------ cards
def hand(state: State, side: Side) -> Sequence[tuple[str, str]]:
    """The cards that a side holds."""
    cards = [(find_card(card), n) for card, n in state.hand(side).cards.counts]
    return tuple((f"{card.name}{f' x{n}' if n > 1 else ''}", _card(card)) for card, n in cards)


def _card(card: Card) -> str:
    """What a card does, from its row in the table of cards."""
    kind = card.kind
    match kind.effect:
        case Effect.AMBUSH:
            return "an answer to a close assault: the defender battles first"
        case Effect.AIR_POWER:
            return f"strikes a chain of up to {kind.targets} enemies"
        case Effect.BARRAGE:
            return f"strikes one enemy with {max(kind.dice.values())} dice"
        case Effect.MEDICS:
            return "gives figures back to a damaged unit, and orders it"
        case Effect.COUNTER_ATTACK:
            return "repeats the other side's last order"
        case Effect.FINEST_HOUR:
            return "orders the units that a throw of dice shows"
    who = " or ".join(sorted(kind.types)) or ("unit" if kind.orders == 1 else "units")
    where = {
        "named": f" in the {card.section} section",
        "each": " in each section",
        "flanks": " on each flank",
        "chosen": " in a section of your choice",
    }
    contact = {Contact.REQUIRED: " next to an enemy", Contact.FORBIDDEN: " not next to an enemy"}
    more = [
        words
        for words, holds in (
            ("sandbags instead of moves and battles", kind.effect is Effect.DIG_IN),
            ("no move", kind.no_move),
            (f"move {kind.move}", kind.move is not None),
            (f"move {kind.second_move} again after the battle", kind.second_move),
            (f"or battle {kind.battles} times", kind.battles > 1),
            (f"+{kind.close_bonus} die in close assault", kind.close_bonus),
            (f"+{kind.fire_bonus} die in fire", kind.fire_bonus),
            (f"draw {kind.draw}, keep one", kind.draw > 1),
        )
        if holds
    ]
    return f"orders {kind.orders} {who}{where.get(kind.sections, '')}{contact.get(kind.contact, '')}{''.join(f'; {words}' for words in more)}"


# ------------------------------------------------------------ options
def gloss(state: State, decision: Any, action: Any) -> str:
    """What the board and the cards say of an option."""
    match action:
        case PlayCard(card=card) | DiscardCard(card=card) | Keep(card=card):
            return f"{find_card(card).name}: {_card(find_card(card))}"
        case Order(unit=hex) | Heal(unit=hex) | PlaceSandbags(unit=hex):
            unit = state.unit_at(hex)
            return "" if unit is None else f"{_unit(state, unit)}{_lies_on(state, hex)}{_near(state, unit)}"
        case Move(unit=hex, to=to):
            return _move(state, hex, to)
        case Battle(unit=hex, target=there):
            return _attack(state, state.unit_at(hex), there)
        case Overrun(hex=there) if isinstance(decision, OverrunOrNot):
            return _attack(state, decision.unit, there, overrun=True)
        case Target(hex=there):
            unit = state.unit_at(there)
            return "" if unit is None else f"{_unit(state, unit)}{_lies_on(state, there)}"
        case RetreatTo(hex=there) | TakeGround(hex=there):
            return _lies_on(state, there).removeprefix(", ")
        case InSection(section=section):
            wing = section.wing(top=decision.side is state.setting.top)
            inside = [unit for unit in state.of(decision.side) if wing in state.setting.wings(state.place(unit))]
            return ", ".join(str(state.name(unit)) for unit in inside) or "nobody is there"
        case _:
            return _plain.gloss(state, decision, action)


def _near(state: State, unit: int) -> str:
    return _next_to(state, state.enemies_near(state.place(unit), state.side(unit)))


def _next_to(state: State, units: Sequence[int]) -> str:
    return f", next to {' and '.join(str(state.name(unit)) for unit in units)}" if units else ""


def _move(state: State, hex: Hex, to: Hex) -> str:
    unit = state.unit_at(hex)
    way = None if unit is None else ways(state, unit).get(to)
    if unit is None or way is None:
        return ""
    length = len(way.path) - 1
    beside = _next_to(state, state.enemies_near(to, state.side(unit)))
    barred = f"; no battle afterwards ({', '.join(way.no_battle)})" if way.no_battle else ""
    return f"{length} hex{'' if length == 1 else 'es'}{_lies_on(state, to)}{beside}{barred}"


def _attack(state: State, unit: int | None, there: Hex, *, overrun: bool = False) -> str:
    target = state.unit_at(there)
    if unit is None or target is None:
        return ""
    dice = attack_dice(state, unit, target, overrun=overrun).total
    return f"{state.side(target)} {_unit(state, target)}{_lies_on(state, there)}: {_count(dice, 'die').replace('dies', 'dice')}"


def outcome(state: State, decision: Any, action: Any) -> Callable[[State], str]:
    """What becomes of the units, and of the medals."""

    def told(after: State) -> str:
        return "; ".join(_changes(state, after)) or "nothing changes"

    return told


def _changes(before: State, after: State) -> Iterator[str]:
    for unit, (was, now) in enumerate(zip(before.units, after.units, strict=True)):
        if not now.figures and was.figures:
            yield f"{before.name(unit)} is eliminated"
        elif (was.hex, was.figures) != (now.hex, now.figures):
            lost = was.figures - now.figures
            figures = f"loses {lost}" if lost > 0 else f"gets {-lost} back" if lost else ""
            yield f"{before.name(unit)} {' and '.join(filter(None, (figures, 'leaves its hex' if was.hex != now.hex else '')))}"
    for side in Side:
        if after.medals_of(side) != before.medals_of(side):
            yield f"{side}: {_count(after.medals_of(side), 'medal')}"
