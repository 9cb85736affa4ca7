"""What sight costs in the Grand Tactical Series: a unit's whole field of view, one line, all Fire Zones of a side.

`python benchmarks/run.py gts_sight` times each; `python benchmarks/bench_gts_sight.py` prints medians and ratios, measured in one run,
beside the field of view of `hexutil` on the same hexes with the same woods, where that is installed. That library finds it by angles,
in floats, and calls a hex seen when any part of it is; it knows no lines, crests or strongpoints. So only the time compares.

The map has 40 by 40 hexes, one in ten of them woods, and a crest on one hexside in forty; sight reaches 8 hexes.
"""

from __future__ import annotations

import importlib
import statistics
import timeit
from collections.abc import Callable, Iterator
from functools import cache
from itertools import cycle
from random import Random
from typing import Any

from beachhead.board import Board
from beachhead.hexes import Hex, Hexside
from beachhead.rules import Chart, Provenance
from beachhead_gts.battlefield import Battlefield, Division, Face, FirstTurn, Formation, Piece, Turn
from beachhead_gts.charts import Charts, HexsideTerrain, Terrain
from beachhead_gts.sight import Sightlines, relief, sees, sightlines
from beachhead_gts.state import State, Unit, put
from beachhead_gts.tables import Barrage, MovementClass, Side, Stripe, UnitClass, WeaponClass
from beachhead_gts.zones import fire_zones

SIZE, RADIUS = 40, 8
UNITS = 50
ROUNDS = 9


@cache
def ground() -> Board:
    """The map."""
    chance, plain = Random(44), Board.rectangle(SIZE, SIZE)
    sides = sorted({Hexside(a, b) for a in plain for b in plain.neighbours(a)})
    return Board.rectangle(
        SIZE,
        SIZE,
        terrain=dict.fromkeys(chance.sample(plain.hexes, SIZE * SIZE // 10), "woods"),
        hexsides={side: {"crest"} for side in chance.sample(sides, len(sides) // 40)},
    )


@cache
def state() -> State:
    """50 units of each side on the map."""
    costs = dict.fromkeys(MovementClass, 2)
    sight = {"clear day": RADIUS}
    charts = Charts(
        title="benchmark",
        results={},
        terrain={"woods": Terrain("woods", costs, costs, blocks=True)},
        hexsides={"crest": HexsideTerrain("crest", costs, costs, crest=True)},
        roads={},
        figures={"sight": Chart("sight", "gts:15.4.g", sight, dict.fromkeys(sight, Provenance.TEXT))},
    )
    arms = WeaponClass.SMALL_ARMS
    face = Face(4, 4, arms, 4, arms, 6, MovementClass.LEG, 0, armored=False, quality=6, unit_class=UnitClass.INFANTRY)
    places = Random(45).sample(ground().hexes, 2 * UNITS)
    roster = tuple(
        Piece(f"{n}", side, side.value, f"{side.value} Regiment", Stripe.FORMATION, 2, face, place)
        for n, place in enumerate(places)
        for side in (list(Side)[n % 2],)
    )
    field = Battlefield(
        "benchmark of sight",
        title="",
        board=ground(),
        charts=charts,
        divisions=tuple(Division(side.value, side, 0, 0) for side in Side),
        formations=tuple(Formation(f"{side.value} Regiment", side.value) for side in Side),
        leaders=(),
        roster=roster,
        track=(Turn("noon"),),
        first_turn=FirstTurn(()),
        choices={"gts:G17": "excused"},
    )
    return State(field, tuple(Unit(place) for place in places), leaders=(), points=())


def bench_field_of_view() -> Iterator[Callable[[], Any]]:
    """Every hex within 8 that a unit sees, looked up anew; the map's lines are known."""
    lines, hexes = sightlines(state().setting, ()), cycle(ground().hexes)
    lines.view(next(hexes), RADIUS)
    yield lambda: lines.view(next(hexes), RADIUS)


def bench_field_of_view_again() -> Iterator[Callable[[], Any]]:
    """The same for a hex that has been asked about."""
    lines, hexes = sightlines(state().setting, ()), cycle(ground().hexes[::40])
    for hex in ground().hexes[::40]:
        lines.seen(hex, RADIUS)
    yield lambda: lines.seen(next(hexes), RADIUS)


def bench_all_lines() -> Iterator[Callable[[], Any]]:
    """What a map costs once, and once more for each new set of barrages: all lines within 8 between its 1,600 hexes."""
    known = relief(state().setting)
    yield lambda: Sightlines(known, known.blocking).hidden(RADIUS, 0)


def _lines(now: State) -> Callable[[], bool]:
    """Asks one pair of hexes after the other, when what each of the first sees is known."""
    hexes = ground().hexes
    pairs = cycle([(a, b) for a in hexes[::20] for b in hexes[::7]])
    for a in hexes[::20]:
        sees(now, a, a)

    def line() -> bool:
        a, b = next(pairs)
        return sees(now, a, b)

    return line


def bench_cached_line() -> Iterator[Callable[[], Any]]:
    """One pair of hexes, asked before: whether the one sees the other, as rules ask it."""
    yield _lines(state())


def bench_cached_line_under_barrages() -> Iterator[Callable[[], Any]]:
    """The same with barrages on the map."""
    hexes = ground().hexes
    before = state()
    now = State(before.setting, before.units, (), (), barrages=tuple((hex, Barrage.LIGHT) for hex in hexes[::160]))
    yield _lines(now)


def bench_fire_zones() -> Iterator[Callable[[], Any]]:
    """The Fire Zones of 50 units together, after an enemy unit has moved one hex."""
    now = state()
    name, start = "1", now.units[1].place
    assert isinstance(start, Hex)
    states = cycle([put(now, name, place=hex) for hex in (start, *ground().neighbours(start))])
    yield lambda: fire_zones(next(states), Side.ALLIED)


def of_hexutil() -> Callable[[], Any] | None:
    """The same field of view as `hexutil` finds it; None where it is not installed. Its hexes are doubled columns and rows."""
    try:
        hexutil = importlib.import_module("hexutil")
    except ImportError:
        return None
    board = ground()
    woods = frozenset(hexutil.Hex(*hex.doubled) for hex in board.where("woods"))
    hexes = cycle([hexutil.Hex(*hex.doubled) for hex in board.hexes])
    return lambda: next(hexes).field_of_view(lambda hex: hex not in woods, RADIUS)


def main() -> None:
    """Measure each in turn, round after round, and print the medians, and the ratios of fields of view."""
    rows = {
        name.removeprefix("bench_").replace("_", " "): next(function())
        for name, function in globals().items()
        if name.startswith("bench_")
    }
    if peer := of_hexutil():
        rows["field of view of hexutil"] = peer
    else:
        print("hexutil is not installed, so there is nothing beside it (pip install hexutil)")
    timers = {what: timeit.Timer(timed) for what, timed in rows.items()}
    calls = {what: timer.autorange()[0] for what, timer in timers.items()}
    rounds = [{what: timer.timeit(calls[what]) / calls[what] for what, timer in timers.items()} for _ in range(ROUNDS)]
    for what in rows:
        seconds = statistics.median(each[what] for each in rounds)
        line = f"{what:<34} {seconds * 1e6:10.3f} µs"
        if peer and what != "field of view of hexutil":
            ratio = statistics.median(each["field of view of hexutil"] / each[what] for each in rounds)
            line += f"   {ratio:12,.1f} in a field of view of hexutil"
        print(line)


if __name__ == "__main__":
    main()
