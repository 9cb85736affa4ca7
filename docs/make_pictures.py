"""Draw the pictures of the documentation anew: `python docs/make_pictures.py`."""

from __future__ import annotations

from pathlib import Path

import beachhead as bh
from beachhead.svg import Svg
from beachhead.systems import find_scenario
from beachhead_gts import picture as gts
from beachhead_koenig import picture as koenig
from beachhead_memoir44.m44 import read_source
from beachhead_memoir44.picture import picture

IMAGES = Path(__file__).resolve().parent / "img"


def juno() -> Svg:
    """The first HQ of Juno has been drawn."""
    return koenig.picture(bh.new("koenig/juno", seed=44).state)


def fire_zone() -> Svg:
    """The training battle as it is set up, with what a machine gun covers."""
    return gts.picture(bh.new("gts/training", seed=44).state, zone_of="Dora")


def board() -> Svg:
    """A scenario that comes with Beachhead, as it is set up."""
    _, source = find_scenario("memoir44/pont-aubry")
    return picture(read_source(source))


PICTURES = {"board.svg": board, "juno.svg": juno, "fire-zone.svg": fire_zone}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (IMAGES / name).write_text(draw(), encoding="utf-8")
