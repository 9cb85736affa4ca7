"""Sets of hexes as ints: bit `Board.index(hex)` is set for each."""

from __future__ import annotations


def ones(mask: int) -> list[int]:
    """The places of the ones in a mask (`Board.mask`): the indices of its hexes (`Board.index`).

    >>> ones(0b10110)
    [1, 2, 4]
    """
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
