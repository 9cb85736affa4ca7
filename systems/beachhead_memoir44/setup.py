"""From a scenario to the state before the first card: who stands where, which cards there are, what is asked for (m44:setup.*)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

from attrs import evolve

from beachhead.board import Board
from beachhead.cup import Cup
from beachhead.errors import Fault, ScenarioError
from beachhead.hexes import Hex
from beachhead.play import setting_with
from beachhead_memoir44.cards import Wing, standard_deck
from beachhead_memoir44.m44 import Objective, Placed, ScenarioFile, SuddenDeath
from beachhead_memoir44.state import EmptySection, Muster, Pile, Scenario, State, Unit
from beachhead_memoir44.tables import FOLDER, Side, terrain

SANDBAGS_IN_THE_BOX = 12
NO_RESHUFFLE_WINNER = Side.AXIS
"""Who wins when the cards run out. The file format has no word for it; it is so in the one published scenario that does not reshuffle."""
NO_RESHUFFLE_UNREAD = (
    f"who wins when the draw pile is empty: only the scenario's text says it, the {NO_RESHUFFLE_WINNER} is assumed"
)


def battle(file: ScenarioFile, choices: Mapping[str, str]) -> State:
    """The state before the deal.

    Args:
        file: the scenario, as `read_m44` gives it.
        choices: what holds for each ruling.

    Raises:
        ScenarioError: everything that the scenario needs and that is not built yet, in one error.
    """
    missing = file.unsupported()
    if missing:
        raise ScenarioError(
            file.path,
            tuple(
                Fault(key, None, f"{name} is not played yet")
                for name, _, key in (m.rpartition(" at ") for m in missing)
            ),
        )
    if file.starting is None:
        fault = Fault(
            "game_info.starting",
            "SPECIAL",
            "who begins is told in the scenario's prose only",
            "PLAYER1 or PLAYER2, in a patch file",
        )
        raise ScenarioError(file.path, (fault,))
    cards, asked = deck(file), sum(file.cards.values())
    if asked > cards.size:
        fault = Fault(
            "game_info.cards_player2",
            file.cards[file.sides[1]],
            f"with cards_player1 that asks for {asked} cards, and the deck has {cards.size}",
            f"{cards.size} for both together at most",
        )
        raise ScenarioError(file.path, (fault,))
    no_reshuffle = file.options.get("deck_reshuffling", True) is False
    return assemble(
        name=file.name,
        board=file.board,
        obstacles=((hex, row) for hex, rows in file.obstacles.items() for row in rows),
        owners=owners(file),
        units=((unit.hex, muster(unit, choices)) for unit in file.units),
        top=file.sides[0],
        starting=file.starting,
        hands=file.cards,
        needed=file.medals_needed,
        objectives=(*file.objectives, *empty_sections(file)),
        sudden_death=file.sudden_death,
        deck=cards,
        winner_without_cards=NO_RESHUFFLE_WINNER if no_reshuffle else None,
        choices=choices,
        unread=(*file.unread, *([NO_RESHUFFLE_UNREAD] if no_reshuffle else ())),
        file=file,
    )


def assemble(
    *,
    name: str,
    board: Board,
    units: Iterable[tuple[Hex, Muster]],
    obstacles: Iterable[tuple[Hex, str]] = (),
    owners: Mapping[Hex, Side] | None = None,
    top: Side = Side.AXIS,
    starting: Side = Side.ALLIES,
    hands: Mapping[Side, int] | None = None,
    needed: Mapping[Side, int] | None = None,
    objectives: tuple[Objective | EmptySection, ...] = (),
    sudden_death: tuple[SuddenDeath, ...] = (),
    deck: Cup[str] | None = None,
    winner_without_cards: Side | None = None,
    choices: Mapping[str, str],
    unread: tuple[str, ...] = (),
    file: ScenarioFile | None = None,
) -> State:
    """A battle from its parts, before the deal. Units of one side stand together in the order in which they are given."""
    placed, things = tuple(units), frozenset(obstacles)
    if choices["m44:objectives"] == "permanent":
        objectives = tuple(
            o if isinstance(o, EmptySection) or not _bare(o) else evolve(o, permanent=True) for o in objectives
        )
    parts = {
        "name": name,
        "board": board,
        "terrain": board.terrain,
        "owners": dict(owners or {}),
        "roster": tuple(what for _, what in placed),
        "top": top,
        "starting": starting,
        "hands": dict(hands or dict.fromkeys(Side, 0)),
        "needed": dict(needed or dict.fromkeys(Side, 6)),
        "objectives": objectives,
        "sudden_death": sudden_death,
        "sandbags": None if choices["m44:sandbags"] == "unlimited" else SANDBAGS_IN_THE_BOX,
        "winner_without_cards": winner_without_cards,
        "deck": standard_deck() if deck is None else deck,
        "choices": dict(choices),
        "unread": unread,
    }
    plain = [f"{part}={value!r}" for part, value in parts.items() if part not in ("board", "terrain")]
    contents = [edition(), board.content_digest(), *plain]
    setting = setting_with(Scenario, f"memoir44/{name}", contents, **parts, file=file)
    return State(
        setting,
        tuple(Unit(hex, what.figures) for hex, what in placed),
        things,
        pile=Pile(setting.deck, setting.deck.size),
        active=starting,
        held=(None,) * len(objectives),
    )


def _bare(objective: Objective) -> bool:
    """A medal about which the scenario says nothing but where it lies and whose it may be."""
    return (
        objective == Objective(objective.hex, objective.hexes, objective.side, name=objective.name)
        and len(objective.hexes) == 1
    )


_knocked: list[str] = []


def edition() -> str:
    """What the tables say, as a digest: another wording of a rule table makes another setting."""
    return _files() + "".join(_knocked)


@cache
def _files() -> str:
    digest = sha256()
    for path in sorted(Path(FOLDER / "data").glob("*.toml")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def muster(unit: Placed, choices: Mapping[str, str]) -> Muster:
    """What a unit of the file is in play (m44:setup.figures, m44:troop.depleted.definition)."""
    depleted = unit.depleted and choices["m44:depleted_units"] == "depleted"
    return Muster(
        unit.troop,
        unit.side,
        unit.figures,
        unit.nation,
        unit.badge,
        depleted,
        2 if "GERMAN_2VICTANK" in unit.behaviours else 1,
    )


def owners(file: ScenarioFile) -> dict[Hex, Side]:
    """Whose an obstacle is that asks for its original owner: the file says, or whoever stands there at set-up, or the Axis."""
    standing = {unit.hex: unit.side for unit in file.units}
    found = {}
    for hex, layers in file.layers.items():
        for layer in layers:
            if any(terrain(row).protection_when == "original_owner" for row in layer.rows):
                found[hex] = layer.original_owner or standing.get(hex, Side.AXIS)
    return found


def deck(file: ScenarioFile) -> Cup[str]:
    """The standard deck, with what the scenario takes out or replaces (m44:deck.removed_cards)."""
    cards = standard_deck()
    if file.options.get("deck_name") == "AIR_POWER_AS_ARTILLERY_BOMBARD_DECK":
        cards = cards.remove("air_power").add("artillery_bombard")
    return cards


def empty_sections(file: ScenarioFile) -> tuple[EmptySection, ...]:
    """Medals for sections without an enemy, one for each (m44:victory.empty_section).

    Raises:
        ScenarioError: the scenario does not say for whom, or for which sections.
    """
    option = file.options.get("empty_section_medals")
    if not option:
        return ()
    missing = [name for name in ("side", "sections") if not option.get(name)]
    if missing:
        key = file.option_keys.get("empty_section_medals", "empty_section_medals")
        fix = "side and sections, numbers from 0 in the west to 2 in the east"
        raise ScenarioError(file.path, (Fault(key, None, f"{' and '.join(missing)} missing", fix),))
    wings = tuple(Wing)
    return tuple(
        EmptySection(option["side"], wings[section], option.get("count_for", 1)) for section in option["sections"]
    )
