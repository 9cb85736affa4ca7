"""Drawing a battle by hand: the lines of a case row become a board, units, cards and medals, or say what is wrong with them.

>>> state = read_row({"place": ["C5: infantry axis", "E5: armor 2 allies", "D5: hill"], "options": {}})
>>> state.name(0), state.units[1].figures
('Axis infantry at C5', 2)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from attrs import evolve, fields_dict

from beachhead.board import Board, draw
from beachhead.cup import Cup
from beachhead.errors import Fault, ScenarioError
from beachhead.hexes import Hex, Hexside, MemoirLabels
from beachhead.spelling import nearest
from beachhead.systems import Source
from beachhead_memoir44 import setup
from beachhead_memoir44.cards import Effect, Section, Wing, find_card, standard_deck
from beachhead_memoir44.m44 import BoardSize, Objective, SuddenDeath, read_source
from beachhead_memoir44.state import EmptySection, Given, Hand, Muster, Phase, Pile, State, Unit
from beachhead_memoir44.tables import Condition, Side, terrain, terrains, troops

LEGEND: dict[str, str | tuple[str, ...]] = {
    "f": "forest",
    "h": "hill",
    "t": "town_village",
    "g": "hedgerow",
    "b": "beach",
    "o": "ocean",
    "r": "river",
    "B": ("river", "bridge"),
    "F": ("river", "ford_fordable_river"),
    "s": "fordable_stream",
    "w": "wire",
    "x": "hedgehog",
    "a": "sandbags",
    "R": "road",
}
"""The symbols of a drawing; "." is open countryside and "_" no hex."""
ALIASES = {
    "town": "town_village",
    "village": "town_village",
    "ford": "ford_fordable_river",
    "stream": "fordable_stream",
}
KEYS: Mapping[str, str] = {
    "board": f"a drawing, row 0 at the top: {', '.join(f'{k} {v if isinstance(v, str) else v[-1]}' for k, v in LEGEND.items())}; the empty standard board if left out",
    "place": 'what stands and lies where: ["C5: infantry axis", "D5: armor 2 allies as A", "D5: forest", "E5: bunker axis", "E3: infantry 2/3 axis depleted"], after a drawing or on the empty board',
    "elsewhere": "the same, for all rows of a file: two enemies face to face in a corner keep a battle to be chosen, so that play waits",
    "top": 'the side at the top; "axis" if left out',
    "active": 'whose turn it is; "allies" if left out',
    "phase": '"play" (a card is to be played) if left out; "deal" for the deal before the first turn',
    "hands": 'the cards of each side: { allies = ["probe_left"] }; Direct from HQ for the active side and General Advance for the other if left out',
    "hand_sizes": "with phase deal: { axis = 4, allies = 6 }",
    "pile": "the draw pile: a list of cards; all that are nowhere else if left out",
    "discard": "the discard pile: a list of cards",
    "given": 'the order of each side\'s last turn: { axis = "attack_right" }, or "infantry_assault left"',
    "medals": "won so far: { axis = 1 }",
    "needed": "to win: { axis = 6, allies = 6 }",
    "objectives": '[{ hexes = ["C5"], side = "axis", permanent = true, … }]; the fields are those of a medal in a scenario file',
    "empty_sections": '[{ side = "allies", wing = "west" }]',
    "sudden_death": '[{ side = "axis", hexes = […], number = 2 }]',
    "no_reshuffle": "the side that wins when the draw pile is empty",
    "scenario_file": "a .m44 file's text, in place of all that such a file says itself: board, place, top, medals asked for, …",
}
_SHAPES: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    **dict.fromkeys(("board", "top", "active", "phase", "no_reshuffle", "scenario_file"), (str, "a text")),
    **dict.fromkeys(("place", "elsewhere", "pile", "discard"), ((list, tuple), "a list of texts")),
    **dict.fromkeys(("objectives", "empty_sections", "sudden_death"), ((list, tuple), "a list of tables")),
    **dict.fromkeys(("hands", "given"), (Mapping, "a table with axis and allies")),
    **dict.fromkeys(("hand_sizes", "medals", "needed"), (Mapping, "a table of numbers, with axis and allies")),
}
_BESIDE_A_FILE = ("active", "phase", "hands", "discard", "given", "medals")
"""What a row with a scenario file may say of its own: where play goes on from the set-up, and what has happened since."""


def read_row(row: Mapping[str, Any]) -> State:
    """The state that a row describes.

    Raises:
        ScenarioError: all that is wrong in it.
        OptionError: an unknown option or choice.
    """
    from beachhead_memoir44.system import SYSTEM

    if faults := tuple(_faults({key: value for key, value in row.items() if key != "options"})):
        raise ScenarioError("the position", faults)
    choices = SYSTEM.catalogue.choices(row["options"])
    state = _from_file(row, choices) if "scenario_file" in row else _drawn(row, choices)
    medals = {side_of(side): n for side, n in row.get("medals", {}).items()}
    state = evolve(state, medals=(medals.get(Side.AXIS, 0), medals.get(Side.ALLIES, 0)))
    if row.get("phase", "play") == "deal":
        return state
    hands, discard, pile = _cards(row, state.active, state.setting.deck)
    top = state.setting.top
    given = {side_of(side): _given(text, side_of(side) is top) for side, text in row.get("given", {}).items()}
    return evolve(
        state,
        hands=(Hand(hands[0]), Hand(hands[1])),
        pile=Pile(pile, pile.size),
        discard=discard,
        phase=Phase.PLAY_CARD,
        given=(given.get(Side.AXIS), given.get(Side.ALLIES)),
    )


def _drawn(row: Mapping[str, Any], choices: Mapping[str, str]) -> State:
    """The set-up that the row itself gives."""
    if row.get("phase") == "deal" and not 0 < sum(row.get("hand_sizes", {}).values()) <= standard_deck().size:
        fix = f"as many cards as both sides get, {standard_deck().size} at most"
        raise _faulty("hand_sizes", row.get("hand_sizes"), "cannot be dealt", fix)
    table, board = _board(row)
    active = side_of(row.get("active", "allies"))
    hands, discard, pile = _cards(row, active, standard_deck())
    state = setup.assemble(
        name="a position",
        board=board,
        units=((hex, what) for hex, what, _ in table.units),
        obstacles=table.obstacles,
        owners=table.owners,
        top=side_of(row.get("top", "axis")),
        starting=active,
        hands={side_of(side): n for side, n in row["hand_sizes"].items()} if "hand_sizes" in row else None,
        needed={**dict.fromkeys(Side, 6), **{side_of(side): n for side, n in row.get("needed", {}).items()}},
        objectives=(*_objectives(row, board), *_empty_sections(row)),
        sudden_death=tuple(_sudden_death(row, board)),
        deck=None if row.get("phase") == "deal" else pile + discard + hands[0] + hands[1],
        winner_without_cards=side_of(row["no_reshuffle"]) if "no_reshuffle" in row else None,
        choices=choices,
    )
    return evolve(state, units=tuple(Unit(hex, now) for hex, _, now in table.units))


def _board(row: Mapping[str, Any]) -> tuple[_Table, Board]:
    table = _Table()
    if row.get("board"):
        drawing = draw(row["board"], LEGEND, MemoirLabels)
        board, placements = drawing.board, [(hex, text) for hex, text in drawing.placements]
        for hex in board:
            for name in board.terrain.get(hex, ()):
                table.put(hex, name, board.label(hex))
    else:
        board, placements = BoardSize.STANDARD.board, []
    links: dict[str, set[Any]] = {kind: set(sides) for kind, sides in board.links.items()}
    for line in (*row.get("place", ()), *row.get("elsewhere", ())):
        label, colon, text = (part.strip() for part in line.partition(":"))
        if not (label and colon and text):
            table.faults.append(Fault("place", line, "is no hex and what stands there", '"C5: infantry axis"'))
            continue
        if label == "road":
            chain = [board.hex(part) for part in text.split("-")]
            links.setdefault("road", set()).update(Hexside.between(a, b) for a, b in pairwise(chain))
            for hex in chain:
                if "road" not in table.terrain.get(hex, ()):
                    table.put(hex, "road", label)
            continue
        placements.append((board.hex(label), text))
    for hex, text in placements:
        table.put(hex, text, board.label(hex))
    for hex in {hex for sides in links.get("road", ()) for hex in sides}:
        if "road" not in table.terrain.get(hex, ()):
            table.put(hex, "road", board.label(hex))
    if table.faults:
        raise ScenarioError("the position", tuple(table.faults))
    standing = {hex: what.side for hex, what, _ in table.units}
    for hex, names in table.terrain.items():
        if any(terrain(name).protection_when is Condition.ORIGINAL_OWNER for name in names):
            table.owners.setdefault(hex, standing.get(hex, Side.AXIS))
    terrain_of = {hex: tuple(names) for hex, names in table.terrain.items()}
    return table, Board(board.hexes, terrain=terrain_of, links=links, labels=board.labels, named=board.named)


class _Table:
    """A drawing board: things are put on it one after the other, and faults are collected."""

    def __init__(self) -> None:
        self.terrain: dict[Hex, list[str]] = {}
        self.obstacles: list[tuple[Hex, str]] = []
        self.owners: dict[Hex, Side] = {}
        self.units: list[tuple[Hex, Muster, int]] = []
        self.faults: list[Fault] = []

    def put(self, hex: Hex, text: str, label: str) -> None:
        """One thing on one hex."""
        words = text.split() or [""]
        name = ALIASES.get(words[0], words[0])
        if name in troops():
            self._unit(hex, name, words[1:], label)
        elif name in terrains():
            self._terrain(hex, name, words[1:], label)
        else:
            known = (*troops(), *terrains(), *ALIASES)
            self.faults.append(
                Fault(label, text, "is no troop and no terrain", nearest(words[0], known).removeprefix("; "))
            )

    def _terrain(self, hex: Hex, name: str, words: list[str], label: str) -> None:
        row = terrain(name)
        if not row.built:
            self.faults.append(Fault(label, name, "is not played yet"))
        if words:
            self.owners[hex] = side_of(words[0])
        if row.removable:
            self.obstacles.append((hex, name))
        else:
            self.terrain.setdefault(hex, []).append(name)

    def _unit(self, hex: Hex, name: str, words: list[str], label: str) -> None:
        full = troops()[name].figures
        if not troops()[name].built:
            self.faults.append(Fault(label, name, "is not played yet"))
        if any(hex == there for there, _, _ in self.units):
            self.faults.append(Fault(label, " ".join([name, *words]), "a unit stands there already", "one unit a hex"))
        now, began, depleted, side, own, medals = full, 0, False, None, "", 1
        rest = iter(words)
        for word in rest:
            if re.fullmatch("[1-9][0-9]*(/[1-9][0-9]*)?", word):
                now, began = (int(number or 0) for number in word.partition("/")[::2])
            elif word in ("axis", "allies") and side is None:
                side = side_of(word)
            elif word == "depleted":
                depleted = True
            elif word == "as" and (own := next(rest, "")):
                pass
            elif re.fullmatch("medals=[0-9]{1,3}", word):
                medals = int(word.removeprefix("medals="))
            else:
                self.faults.append(
                    Fault(
                        label,
                        word,
                        "is no word for a unit",
                        "a number of figures, or 2/3 of those it began with, axis or allies, depleted, as NAME, medals=N",
                    )
                )
        if side is None:
            self.faults.append(Fault(label, " ".join([name, *words]), "whose unit is it?", "axis or allies"))
            return
        began = began or (now if depleted else max(now, full))
        if now > began:
            self.faults.append(Fault(label, f"{now}/{began}", "has more figures than it began with", f"{began}/{now}"))
        self.units.append((hex, Muster(name, side, began, depleted=depleted, medals=medals, name=own), now))


def side_of(word: object) -> Side:
    """The side of a name.

    Raises:
        ScenarioError: it is no side.
    """
    try:
        return Side(str(word).upper())
    except ValueError:
        raise _faulty(str(word), None, "is no side", "axis or allies") from None


def _fits(value: Any, wanted: str) -> bool:
    """Whether the items of a list, or the values of a table of numbers, are such as are wanted."""
    if wanted.startswith("a table of numbers"):
        return all(type(n) is int and n >= 0 for n in value.values())
    items = Mapping if wanted == "a list of tables" else str
    return isinstance(value, Mapping) or all(isinstance(item, items) for item in value)


def _faults(row: Mapping[str, Any]) -> Iterator[Fault]:
    """What a row holds that is no position: unknown keys, and values of another shape than their keys ask for."""
    for key, value in row.items():
        if key not in KEYS:
            fix = nearest(key, KEYS).removeprefix("; ") or f"known keys: {', '.join(KEYS)}"
            yield Fault(key, value, "is no key of a position", fix)
            continue
        shape, wanted = _SHAPES[key]
        if not isinstance(value, shape) or not _fits(value, wanted):
            yield Fault(key, value, f"is not {wanted}", KEYS[key])
    for side, cards in row["hands"].items() if isinstance(row.get("hands"), Mapping) else ():
        if not isinstance(cards, list | tuple) or not all(isinstance(card, str) for card in cards):
            yield Fault(f"hands.{side}", cards, "is not a list of cards", '["probe_left"]')
    for side, card in row["given"].items() if isinstance(row.get("given"), Mapping) else ():
        if not isinstance(card, str):
            yield Fault(f"given.{side}", card, "is not a card", '"probe_left"')
    if row.get("phase", "play") not in ("play", "deal"):
        yield Fault("phase", row["phase"], "is no phase to begin with", "play or deal")


def _faulty(key: str, value: object, problem: str, fix: str) -> ScenarioError:
    return ScenarioError("the position", (Fault(key, value, problem, fix),))


def card_id(text: str) -> str:
    """The id of a card that is meant (see `find_card`)."""
    return find_card(text).id


def _from_file(row: Mapping[str, Any], choices: Mapping[str, str]) -> State:
    """The set-up of a scenario file whose text stands in the row."""
    for key in sorted(row.keys() & KEYS.keys() - {"scenario_file", *_BESIDE_A_FILE}):
        raise _faulty(key, row[key], "stands beside scenario_file", "leave it to the file")
    state = setup.battle(read_source(Source("scenario_file", text=row["scenario_file"])), choices)
    return evolve(state, active=side_of(row["active"])) if "active" in row else state


def _objectives(row: Mapping[str, Any], board: Board) -> Iterator[Objective]:
    known = fields_dict(Objective).keys() - {"hex", "key"}
    for medal in row.get("objectives", ()):
        for key in medal.keys() - known:
            raise _faulty(
                f"objectives.{key}", medal[key], "is no field of a medal", f"known: {', '.join(sorted(known))}"
            )
        if not medal.get("hexes"):
            raise _faulty("objectives", medal, "has no hexes", 'hexes = ["C5"]')
        if not all(type(medal.get(key, 1)) is int for key in ("number", "counts_for")):
            raise _faulty("objectives", medal, "number and counts_for are whole numbers", "1")
        sides = {key: side_of(medal[key]) for key in ("side", "otherwise") if key in medal}
        hexes = _hexes(medal["hexes"], board, "objectives.hexes")
        yield Objective(**{"side": None, **medal, **sides, "hex": hexes[0], "hexes": hexes})


def _hexes(labels: Any, board: Board, key: str) -> tuple[Hex, ...]:
    if not isinstance(labels, list | tuple) or not all(isinstance(label, str) for label in labels):
        raise _faulty(key, labels, "is no list of hexes", '["C5", "D5"]')
    return tuple(map(board.hex, labels))


def _sudden_death(row: Mapping[str, Any], board: Board) -> Iterator[SuddenDeath]:
    for condition in row.get("sudden_death", ()):
        hexes, number = _hexes(condition.get("hexes", ()), board, "sudden_death.hexes"), condition.get("number")
        if number not in range(1, len(hexes) + 1):
            raise _faulty("sudden_death", condition, "is never met, or always", "a number from 1 to that of its hexes")
        yield SuddenDeath(side_of(condition.get("side")), number, hexes)


def _empty_sections(row: Mapping[str, Any]) -> Iterator[EmptySection]:
    for medal in row.get("empty_sections", ()):
        if medal.get("wing") not in tuple(Wing):
            raise _faulty("empty_sections", medal, "names no part of the board", f"wing: {', '.join(Wing)}")
        yield EmptySection(side_of(medal.get("side")), Wing(medal["wing"]), medal.get("counts_for", 1))


def _cards(
    row: Mapping[str, Any], active: Side, deck: Cup[str]
) -> tuple[tuple[Cup[str], Cup[str]], Cup[str], Cup[str]]:
    """The hands of Axis and Allies, the discard pile, and the draw pile: what of the deck is nowhere else, unless the row names its cards."""
    held = {active: ["direct_from_hq"], active.other: ["general_advance"]}
    held |= {side_of(side): [card_id(card) for card in cards] for side, cards in row.get("hands", {}).items()}
    hands = (Cup.of(*held[Side.AXIS]), Cup.of(*held[Side.ALLIES]))
    if not held[active] and row.get("phase") != "deal":
        raise _faulty(f"hands.{active.lower()}", held[active], "has no card to play", "a card, for whose turn it is")
    discard = Cup.of(*map(card_id, row.get("discard", ())))
    if "pile" in row:
        return hands, discard, Cup.of(*map(card_id, row["pile"]))
    away = hands[0] + hands[1] + discard
    return hands, discard, Cup({card: max(0, n - away.count(card)) for card, n in deck.counts})


def _given(text: str, top: bool) -> Given:
    """An order as a row writes it: a card, and for one whose player names a section, that section."""
    name, _, where = text.partition(" ")
    card = find_card(name)
    try:
        section = Section(where.strip()) if where else card.section
    except ValueError:
        raise _faulty("given", text, f"{where!r} is no section", ", ".join(Section)) from None
    if card.kind.effect in (Effect.AMBUSH, Effect.COUNTER_ATTACK):
        raise _faulty("given", text, "gives no order of its own", "the card whose order was carried out")
    return Given(card.kind_id, section.wing(top=top) if section else None)
