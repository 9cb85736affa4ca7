"""Paul Koenig's D-Day in plain words: the map as text, how things stand, and a few words on each option."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from beachhead.board import Board
from beachhead.hexes import Direction, Hex
from beachhead.rules import Breakdown, Modifier
from beachhead.sentences import counted
from beachhead.terminal import Cell, Facts, Plain, short_names
from beachhead_koenig import victory
from beachhead_koenig.attack import Attack, attack_factor, strength
from beachhead_koenig.beach import Away, Enters, Lands, Place
from beachhead_koenig.carry_out import CarryOut, FireAt, FireIndirectlyAt
from beachhead_koenig.close_combat import Fight, close_fire_factor
from beachhead_koenig.commitment import (
    Commit,
    CommitDefence,
    CommitOffence,
    CommitWithCorpsArtillery,
    RetreatBeforeCombat,
    points,
)
from beachhead_koenig.events import MOST_HITS
from beachhead_koenig.fire import TakeHit
from beachhead_koenig.fire_questions import result_odds
from beachhead_koenig.ground import terrain
from beachhead_koenig.landing import LandIn
from beachhead_koenig.leadership import Attach, ForceMarch, Recover, RerollDie, RerollOrNot, marched_points
from beachhead_koenig.movement import CloseCombat, EnterBy, ExitBy, MoveTo, allowance, exits, movement_cost, reach
from beachhead_koenig.night import Redeploy, SpendOn
from beachhead_koenig.operations import BeginCombined, BeginFullFire, BeginMovement, EndActivation
from beachhead_koenig.picture import set_out
from beachhead_koenig.preparation import FireInConcert, JoinFire, JoinIndirectly, OpenFire, joined
from beachhead_koenig.refit import Reconstitute, Refit, ReturnTo
from beachhead_koenig.retreat import RetreatTo, retreats
from beachhead_koenig.state import Operation, Progress, State, Supply
from beachhead_koenig.support import Interdict
from beachhead_koenig.tables import DRAWN, Fire, FireResult, Phase, Side
from beachhead_koenig.victory import WORTH, victory_points

_plain = Plain()
_LETTERS = {name: symbol for symbol, name in DRAWN.items()}
_HIT = ("", "'", '"')
"""In place of a closing bracket."""
_TAG = 5
"""So many characters of a name are written on the board."""


# ------------------------------------------------------------ the board
def board(state: State) -> Board:
    """The map."""
    return state.setting.board


def cell(state: State, hex: Hex) -> Cell:
    """The ground in the letters of a drawn map, the units (round brackets for Allied, square ones for German), and what lies along the hex."""
    state = set_out(state)
    ground = "".join(_LETTERS.get(name, "") for name in terrain(state.setting, hex))
    mark = "!" if hex in state.interdicted else ">" if _roads(state, hex) else " "
    tags = short_names(tuple(state.setting.number), _TAG)
    units = "\n".join(_bracketed(state, unit, tags[unit]) for unit in state.at(hex))
    return Cell(ground, mark, units, state.side_at(hex), *(_along(state, hex, way) for way in _WAYS))


_WAYS = {Direction.E: "-", Direction.SW: "/", Direction.SE: "\\"}
"""How a road is drawn that leads this way."""


def _along(state: State, hex: Hex, way: Direction) -> str:
    """What lies on a hexside or leads across it: one character in the east, three on the slopes."""
    board, near = state.setting.board, hex.neighbour(way)
    if near not in board:
        return ""
    features, road = board.features(hex, near), _WAYS[way] if board.linked("road", hex, near) else ""
    river = "river" in features
    if way is Direction.E:
        return "+" if river and road else road or ("|" if river else "^" if features else "")
    side = "=" if river else "^" if features else " "
    return f"{side}{road or side}{side}".rstrip()


def _bracketed(state: State, unit: str, tag: str) -> str:
    left, right = "()" if state.setting.piece(unit).side is Side.ALLIED else "[]"
    return f"{left}{tag}{_HIT[state.unit(unit).hits] or right}"


def _roads(state: State, hex: Hex) -> tuple[str, ...]:
    return tuple([road.name for road in state.setting.exits if road.hex == hex])


def at(state: State, hex: Hex) -> str:
    """The units in a hex, the ground, and what lies along it."""
    state = set_out(state)
    board, label = state.setting.board, state.setting.board.label
    there = [f"{unit} ({_unit(state, unit)})" for unit in state.at(hex)]
    names = [name for name, place in board.named.items() if place == hex]
    told = [*there, *names, " and ".join(terrain(state.setting, hex))]
    for feature in ("river", "cliff"):
        sides = [label(near) for near in board.neighbours(hex) if feature in board.features(hex, near)]
        told += [f"{feature} towards {' '.join(sides)}"] if sides else []
    ways = [*map(label, board.links_at("road", hex)), *(f"off the map at {road}" for road in _roads(state, hex))]
    told += [f"road to {', '.join(ways)}"] if ways else []
    return ", ".join((*told, *(["interdicted"] if hex in state.interdicted else [])))


def units(state: State) -> Mapping[str, str]:
    """Every unit: what it is, and where."""
    state = set_out(state)
    return {
        piece.name: f"{piece.title or piece.name}, {piece.side} formation {piece.formation}, "
        f"{_unit(state, piece.name)}: {_where(state, piece.name)}"
        for piece in state.setting.roster
    }


def place(state: State, unit: str) -> Hex | None:
    """The hex of a unit; None off the map."""
    there = set_out(state).place(unit)
    return there if isinstance(there, Hex) else None


def legend(state: State) -> Sequence[str]:
    """What the letters and signs mean that occur."""
    state = set_out(state)
    beach, board = state.setting, state.setting.board
    there = {name for hex in board for name in terrain(beach, hex)}
    features = {name for names in board.hexsides.values() for name in names}
    roads = board.links.get("road", frozenset())
    signs = {
        "> road off the map": beach.exits,
        "! interdicted": state.interdicted,
        "- / \\ road": roads,
        "| === river": "river" in features,
        "^ ^^^ cliff": "cliff" in features,
        "+ =/= road across a river": any("river" in board.features(*side) for side in roads),
    }
    ground = [f"{_LETTERS[name]} {name}" for name in _LETTERS if name in there]
    return (", ".join((*ground, *(sign for sign, occurs in signs.items() if occurs))), *_legend_of_units(state))


def _legend_of_units(state: State) -> Iterator[str]:
    on_map = [piece for piece in state.setting.roster if isinstance(state.place(piece.name), Hex)]
    tags = short_names(tuple(state.setting.number), _TAG)
    told: list[str] = []
    for side, (left, right) in {Side.ALLIED: ("(", ")"), Side.GERMAN: ("[", "]")}.items():
        example = next((tags[piece.name] for piece in on_map if piece.side is side), None)
        told += [f"{left}{example}{right} {side}"] if example else []
    hits = {state.unit(piece.name).hits for piece in on_map}
    told += [f"{_HIT[n]} {words}" for n, words in ((1, "one Hit"), (2, "two Hits")) if n in hits]
    told += [f"{tags[piece.name]} {piece.name}" for piece in on_map if tags[piece.name] != piece.name]
    if told:
        yield ", ".join(told)


def remarks(state: State) -> str:
    """That there are figures which no printed source gives."""
    authored = len(state.setting.authored)
    return f"{authored} groups of figures are authored, such as: {state.setting.authored[0]}" if authored > 1 else ""


# ------------------------------------------------------------ units in words
def _unit(state: State, unit: str) -> str:
    """Type, strength, movement and Hits."""
    piece, hits = state.setting.piece(unit), state.unit(unit).hits
    taken = f", {counted(hits, 'Hit')}" if hits else ""
    return f"{piece.type} {piece.strength}-{piece.movement}{taken}"


def _where(state: State, unit: str) -> str:
    place, arrives, label = state.place(unit), state.setting.piece(unit).arrives, state.setting.board.label
    if isinstance(place, Hex):
        return f"{label(place)}, {_ground(state, place)}"
    match arrives:
        case Lands(turn=turn, hex=hex) if place is Away.WAITING:
            late = ", delayed" if turn < state.turn and state.phase is not Phase.SET_UP else ""
            return f"lands on Game Turn {turn} at {_named(state, hex)}{late}"
        case Enters() if place is Away.WAITING:
            return "enters by a road"
        case _:
            return str(place.value)


def _named(state: State, hex: Hex) -> str:
    board = state.setting.board
    return " ".join((*(name for name, place in board.named.items() if place == hex), board.label(hex)))


def _ground(state: State, hex: Hex) -> str:
    return " and ".join(terrain(state.setting, hex))


def _units(state: State, hex: Hex, side: Side) -> str:
    return " and ".join(f"{unit} ({_unit(state, unit)})" for unit in state.at(hex, side))


def _next_to(state: State, hex: Hex, side: Side) -> str:
    near = state.enemies_near(hex, side)
    return f", next to {' and '.join(near)}" if near else ""


# ------------------------------------------------------------ how things stand
def standing(state: State) -> str:
    """Victory Points, and what is left to commit."""
    score = ", ".join(f"{side} {victory_points(set_out(state), side).total}" for side in Side)
    return "; ".join((f"Victory Points: {score}", *_points(state)))


def _points(state: State) -> Iterator[str]:
    """Artillery and Support Points, Replacement Points at night, the Leadership marker."""
    pool, night = state.support, state.replacements
    for side in Side:
        left = [
            counted(n, what)
            for n, what in (
                (pool.artillery(side), "Artillery Point"),
                (pool.points(side), "Support Point"),
                (night.of(side), "Replacement Point"),
            )
            if n
        ]
        if left:
            yield f"{side}: {', '.join(left)}"
    if not isinstance(state.leadership, Supply):
        yield f"Leadership: {state.leadership}"


def facts(state: State) -> Facts:
    """The turn, points, units by formation, towns and cities, roads off the map, Victory Points, and the rules in play."""
    now = set_out(state)
    beach, label = now.setting, now.setting.board.label
    found: dict[str, Sequence[str]] = {"Turn": tuple(_turn(state)), "Points": tuple(_points(state))}
    for formation in beach.formations:
        title = f" ({formation.title})" if formation.title else ""
        active = ", Active" if now.activation and now.activation.formation == formation.name else ""
        found[f"{formation.side} formation {formation.name}{title}{active}"] = tuple(
            f"{unit}  {_unit(now, unit)}: {_where(now, unit)}" for unit in now.of(formation.name)
        )
    found["Towns and cities"] = tuple(
        f"{label(hex)} {_ground(now, hex)}: {_holder(now, hex)}"
        for hex in beach.board
        if WORTH.keys() & {*terrain(beach, hex)}
    )
    found["Roads off the map"] = tuple(
        f"{road.name}: {counted(n, 'unit')} exited" for road, n in zip(beach.exits, now.exits, strict=True)
    )
    found["Interdicted"] = tuple(map(label, now.interdicted))
    found["Victory Points, if it ended now"] = tuple(f"{side}: {_score(now, side)}" for side in Side)
    found["Rules in play"] = tuple(_rules(now))
    return {heading: lines for heading, lines in found.items() if lines}


def _turn(state: State) -> Iterator[str]:
    track = state.setting.track
    if state.phase is Phase.SET_UP:
        yield f"{counted(len(track), 'Game Turn')}: {', '.join(track)}"
    elif state.phase is Phase.OVER:
        yield "the game is over"
    else:
        yield f"Game Turn {state.turn} of {len(track)} ({state.turn_name}), {state.phase}"
    if state.phase is Phase.OPERATIONS:
        yield f"in the Command Cup: {', '.join(state.cup) or 'nothing'}"


def _holder(state: State, hex: Hex) -> str:
    there = [f"{side} ({', '.join(state.at(hex, side))})" for side in Side if state.at(hex, side)]
    return " and ".join(there) or "nobody"


def _score(state: State, side: Side) -> str:
    """The Victory Points of a player, by what they are for."""
    kinds = [(victory.hexes_held(state, side), "for towns and cities")]
    if side is Side.ALLIED:
        kinds.append((victory.exits(state), "for undamaged units that exited"))
    else:
        kinds.append((victory.losses_and_reserves(state), "for eliminated Allied and intact German units"))
    told = [f"{points.total} {what}" for points, what in kinds if points.total]
    return " and ".join(told) or "none"


def _rules(state: State) -> Iterator[str]:
    """Optional rules in use, and rulings that are not read as usual."""
    from beachhead_koenig.system import SYSTEM

    return SYSTEM.catalogue.unusual(state.setting.choices)


def hand(state: State, side: Side) -> Sequence[tuple[str, str]]:
    """Nobody holds anything: all lies open."""
    return ()


# ------------------------------------------------------------ options
def gloss(state: State, decision: Any, action: Any) -> str:
    """What map, units and tables say of an option."""
    match action:
        case BeginMovement(unit=unit) | BeginFullFire(unit=unit) | BeginCombined(unit=unit):
            return _begin(state, unit, action)
        case EndActivation():
            ready = [unit for unit in state.operating if state.unit(unit).progress is not Progress.DONE]
            return f"{', '.join(ready)} could still operate" if ready else "all units have operated"
        case TakeHit(unit=unit):
            now = state.unit(unit).hits
            after = "is eliminated" if now == MOST_HITS else f"has {counted(now + 1, 'Hit')} then"
            return f"{_unit(state, unit)}: {after}"
        case Attach(unit=unit) | Recover(unit=unit) | SpendOn(unit=unit) | Refit(unit=unit) | Reconstitute(unit=unit):
            return f"{_unit(state, unit)}: {_where(state, unit)}"
        case Redeploy(unit=unit):
            return f"{_unit(state, unit)}: {_where(state, unit)}; {allowance(state, unit, Operation.REDEPLOYMENT)} MP"
        case LandIn(hex=hex) | RetreatTo(hex=hex) | ReturnTo(hex=hex):
            mates = state.at(hex, decision.side)
            return f"{_ground(state, hex)}{f', with {mates[0]}' if mates else ''}{_next_to(state, hex, decision.side)}"
        case Interdict(hex=hex):
            return at(state, hex)
    if isinstance(decision, CarryOut):
        return _part(state, decision, action)
    return _battle(state, decision, action)


def _movement_points(state: State, unit: str, operation: Operation) -> str:
    """The Movement Points that a unit has in an Operation, and whether they take it anywhere."""
    points = allowance(state, unit, operation)
    if not isinstance(state.place(unit), Hex):
        return f"{points} MP"
    within = reach(state, unit, points)
    stuck = not (within.hexes or within.combats or exits(state, unit, within))
    return f"{points} MP{' and nowhere to go' if stuck else ''}"


def _begin(state: State, unit: str, action: BeginMovement | BeginFullFire | BeginCombined) -> str:
    what = f"{_unit(state, unit)}: {_where(state, unit)}"
    match action:
        case BeginMovement():
            return f"{what}; {_movement_points(state, unit, Operation.MOVEMENT)}"
        case BeginFullFire():
            return f"{what}; strength {strength(state, unit, Fire.FULL).total}"
        case _:
            left = [
                words
                for words, done in (
                    (_movement_points(state, unit, Operation.COMBINED), Progress.MOVED),
                    (f"strength {strength(state, unit, Fire.MOBILE).total}", Progress.FIRED),
                )
                if state.unit(unit).progress is not done
            ]
            return f"{what}; {' and '.join(left)}"


def _part(state: State, decision: CarryOut, action: Any) -> str:
    """What a unit may do in its Operation."""
    unit, side = decision.unit, decision.side
    match action:
        case MoveTo(hex=hex):
            way = reach(state, unit, decision.points).path(hex)
            return f"{_cost(state, unit, way)}; {_ground(state, hex)}{_next_to(state, hex, side)}"
        case CloseCombat(hex=hex, entry=entry):
            cost = reach(state, unit, decision.points).combats[hex, entry]
            (enemy,) = state.at(hex, side.enemy)
            fight = Fight(unit, enemy, hex, entry)
            factors = " against ".join(str(close_fire_factor(state, fight, each).total) for each in (unit, enemy))
            return f"{cost} MP; {_units(state, hex, side.enemy)}, {_ground(state, hex)}: Attack Factors {factors}, the enemy first"
        case EnterBy(road=road):
            hex = next(each.hex for each in state.setting.exits if each.name == road)
            return f"{_cost(state, unit, (Away.WAITING, hex))}; {at(state, hex)}"
        case ExitBy(road=road):
            cost = reach(state, unit, decision.points).exits[road]
            worth = "no Victory Point, with its Hits" if state.unit(unit).hits else "1 Victory Point"
            return f"{cost} MP; {worth}"
        case FireAt(hex=hex) | FireIndirectlyAt(hex=hex):
            indirect = isinstance(action, FireIndirectlyAt)
            fire = Fire.FULL if decision.operation is Operation.FULL_FIRE else Fire.MOBILE
            attack = Attack((unit,), hex, fire, (unit,) if indirect else ())
            return f"{_units(state, hex, side.enemy)}: {_chances(attack_factor(state, attack))}"
        case ForceMarch():
            return f"{marched_points(state, unit, decision.operation)} MP instead of {decision.points}, for the Leadership marker"
        case _:
            return _plain.gloss(state, decision, action)


def _cost(state: State, unit: str, way: Sequence[Place]) -> str:
    """What a way costs, and by which hexes it leads."""
    cost = movement_cost(state, unit, way)
    assert cost is not None
    between = [state.setting.board.label(hex) for hex in way[1:-1] if isinstance(hex, Hex)]
    by = f" by {'-'.join(between)}" if between else ""
    return f"{cost.total} MP{by}"


def _battle(state: State, decision: Any, action: Any) -> str:
    """What may be decided in a battle."""
    match action:
        case JoinFire() | JoinIndirectly() if isinstance(decision, FireInConcert):
            before = attack_factor(state, decision.attack).total
            after = attack_factor(state, joined(state, decision.attack, action)).total
            return f"{_unit(state, action.unit)}: Attack Factor {after} instead of {before}"
        case OpenFire() if isinstance(decision, FireInConcert):
            return _chances(attack_factor(state, decision.attack))
        case Commit() | CommitWithCorpsArtillery() if isinstance(decision, CommitDefence | CommitOffence):
            return _commitment(state, decision, action)
        case RetreatBeforeCombat():
            german = state.at(decision.attack.target)
            places = retreats(state, german[0]) if german else ()
            named = [state.setting.board.label(place) if isinstance(place, Hex) else "off the map" for place in places]
            return f"{' and '.join(german)}, to {', '.join(named)}; nobody fires"
        case RerollDie() if isinstance(decision, RerollOrNot):
            return f"{_odds(decision.factor)}; it is {decision.result} now"
        case _:
            return _plain.gloss(state, decision, action)


def _commitment(
    state: State, decision: CommitDefence | CommitOffence, action: Commit | CommitWithCorpsArtillery
) -> str:
    """What support does to the Attack Factor, or in Close Combat to both, and how much of it is spent."""
    attack, pool, side = decision.attack, state.support, decision.side
    net = -points(action) if isinstance(decision, CommitDefence) else points(action) - decision.defence
    if attack.fire is Fire.CLOSE:
        (attacker,), (defender,) = (
            attack.units,
            state.at(attack.target, state.setting.piece(attack.units[0]).side.enemy),
        )
        fight = Fight(attacker, defender, attack.target, attack.target, net)
        told = ", then ".join(
            f"{unit} {_odds(close_fire_factor(state, fight, unit).total)}" for unit in (defender, attacker)
        )
    else:
        support = Breakdown.of(Modifier("support", net, "koenig:9.0.l")) if net else Breakdown()
        told = _chances(attack_factor(state, attack) + support)
    spent = [
        f"{what} {n} of {have}"
        for n, have, what in (
            (action.artillery, pool.artillery(side), "artillery"),
            (action.support, pool.points(side), "support"),
        )
        if have
    ]
    marker = ["the Leadership marker"] if isinstance(action, CommitWithCorpsArtillery) else []
    return ": ".join(filter(None, (", ".join((*spent, *marker)), told)))


def _chances(factor: Breakdown) -> str:
    """An Attack Factor, with its terms where there are several, and how likely it hits."""
    sum_ = " ".join(f"{term.value:+d} {term.label}" for term in factor.terms).removeprefix("+")
    return f"Attack Factor {factor.total}{f' = {sum_}' if len(factor.terms) > 1 else ''}; {_odds(factor.total)}"


def _odds(factor: int) -> str:
    found = result_odds(factor)
    return ", ".join(f"{result} {p}" for result in FireResult if (p := found.get(result)))


# ------------------------------------------------------------ outcomes
def outcome(state: State, decision: Any, action: Any) -> Callable[[State], str]:
    """What becomes of the units, of the Leadership marker and of Victory Points."""

    def told(after: State) -> str:
        return "; ".join(_changes(state, after)) or "nothing changes"

    return told


def _changes(before: State, after: State) -> Iterator[str]:
    for piece, was, now in zip(before.setting.roster, before.units, after.units, strict=True):
        if now.place is Away.ELIMINATED and was.place is not Away.ELIMINATED:
            yield f"{piece.name} is eliminated"
            continue
        more = now.hits - was.hits
        hits = f"takes {counted(more, 'Hit')}" if more > 0 else f"recovers from {counted(-more, 'Hit')}" if more else ""
        went = "" if was.place == now.place else _went(before, was.place, now.place)
        if hits or went:
            yield f"{piece.name} {' and '.join(filter(None, (hits, went)))}"
    if after.leadership is not before.leadership:
        yield (
            "the Leadership marker is spent"
            if isinstance(after.leadership, Supply)
            else f"Leadership: {after.leadership}"
        )
    for side in Side:
        if more := victory_points(after, side).total - victory_points(before, side).total:
            yield f"{side} {more:+d} VP"


def _went(state: State, was: Place, now: Place) -> str:
    if isinstance(now, Hex):
        return f"{'goes to' if isinstance(was, Hex) else 'comes to'} {state.setting.board.label(now)}"
    return "exits" if now is Away.EXITED else "leaves the map"
