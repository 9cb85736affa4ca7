"""Draw the pictures of the documentation anew: `python docs/make_pictures.py`."""

from __future__ import annotations

from pathlib import Path

from beachhead.svg import Svg
from beachhead.systems import find_scenario
from beachhead_memoir44.m44 import read_source
from beachhead_memoir44.picture import picture

IMAGES = Path(__file__).resolve().parent / "img"


def board() -> Svg:
    """A scenario that comes with Beachhead, as it is set up."""
    _, source = find_scenario("memoir44/pont-aubry")
    return picture(read_source(source))


PICTURES = {"board.svg": board}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (IMAGES / name).write_text(draw(), encoding="utf-8")
