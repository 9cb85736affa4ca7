"""Sight lines, exactly: which hexes and hexsides the straight line between two hex centres meets, and how.

Wargame rules turn on the cases that rounding hides: the line that runs along a hexside between two hexes, and the line that
passes exactly through a corner. Here everything is decided by the signs of integers, and the answer is facts, not an
opinion: a rule says what a wood on one side of the line means. A line meets a hex in one of three ways:

- *through*: it crosses the open interior;
- *along*: it runs along a hexside, with one hex on its left and one on its right;
- *touch*: it meets the hex in a single corner. Nothing is blocked by a touch.

The facts in order are `Line.steps`: `Through` the first hex, then by turns what lies between two interiors and the next
interior, up to `Through` the last hex. Between two interiors lies either `Crossed`, a hexside, or `Along`, a run.

>>> view = line(Hex(0, 0), Hex(-1, 2))                # straight down the map, between the two hexes of row 1
>>> view.through, [(run.left, run.right) for run in view.along]
((), [(Hex(q=0, r=1), Hex(q=-1, r=1))])
>>> view = line(Hex(0, 0), Hex(2, 1))
>>> view.through, len(view.crossed)
((Hex(q=1, r=0), Hex(q=1, r=1)), 3)

A rule that asks often works on `offsets`, the same facts for a line from `Hex(0, 0)`, computed once for each offset, or on
`SightMasks`, the same for the pairs of hexes of a board as sets of hexes; a rule for a whole board works on `table`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import field, frozen

from beachhead.hexes import GeometryError, Hex, Hexside

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from beachhead.board import Board

__all__ = ["Along", "Crossed", "Fact", "Line", "Offsets", "SightMasks", "Table", "Through", "line", "offsets", "table"]

_ORIGIN = Hex(0, 0)


@frozen
class Through:
    """The line crosses the open interior of a hex; so it does in the two hexes that it joins."""

    hex: Hex

    def shifted(self, by: Hex) -> Through:
        """The same, elsewhere on the map."""
        return Through(self.hex + by)


@frozen
class Crossed:
    """The line goes from one interior straight into the next.

    It crosses their hexside at an inner point of it or, when `touched` is a hex, at one of its two ends: there the line
    passes through the corner that the two hexes share with the touched one.
    """

    hexside: Hexside
    touched: Hex | None = None

    def shifted(self, by: Hex) -> Crossed:
        """The same, elsewhere on the map."""
        return Crossed(_moved(self.hexside, by), None if self.touched is None else self.touched + by)


@frozen
class Along:
    """The line runs along a whole hexside. It enters and leaves the run through corners and crosses no hexside there."""

    hexside: Hexside
    left: Hex
    """The hex on the left hand of somebody who looks from the first hex of the line to the last."""
    right: Hex
    begins: tuple[Hexside, Hexside]
    """The hexsides that meet the run where it begins: those of the hex before with `left` and with `right`."""
    ends: tuple[Hexside, Hexside]
    """The hexsides that meet the run where it ends: those of the hex after with `left` and with `right`."""

    def shifted(self, by: Hex) -> Along:
        """The same, elsewhere on the map."""
        (a, b), (c, d) = self.begins, self.ends
        begins, ends = (_moved(a, by), _moved(b, by)), (_moved(c, by), _moved(d, by))
        return Along(_moved(self.hexside, by), self.left + by, self.right + by, begins, ends)


Fact: TypeAlias = Through | Crossed | Along


def _moved(side: Hexside, by: Hex) -> Hexside:
    return Hexside(side.a + by, side.b + by)


@frozen
class Offsets:
    """The facts of a line from `Hex(0, 0)`, that is, as offsets from where the line begins; `Line` explains the fields."""

    steps: tuple[Fact, ...]
    through: tuple[Hex, ...]
    pairs: tuple[tuple[Hex, Hex], ...]
    """The hexes on the left and on the right of each run: `along` in the least form that most rules need."""
    along: tuple[Along, ...]
    touched: tuple[Hex, ...]
    crossed: tuple[Hexside, ...]


@frozen
class Line:
    """The sight line between the centres of two hexes. The two hexes say everything; the facts are looked up by offset."""

    a: Hex
    b: Hex

    @property
    def _offsets(self) -> Offsets:
        return offsets(self.b[0] - self.a[0], self.b[1] - self.a[1])

    @property
    def steps(self) -> tuple[Fact, ...]:
        """All facts in order from `a` to `b`; first `Through(a)`, last `Through(b)`, and only the one where they are the same."""
        return tuple(step.shifted(self.a) for step in self._offsets.steps)

    @property
    def through(self) -> tuple[Hex, ...]:
        """The hexes strictly between `a` and `b` whose open interior the line crosses, in order; never `a` or `b`."""
        q, r = self.a
        return tuple(Hex(q + dq, r + dr) for dq, dr in self._offsets.through)

    @property
    def along(self) -> tuple[Along, ...]:
        """The runs along a hexside, in order. Every run is one hexside long: an interior comes before and after it."""
        return tuple(run.shifted(self.a) for run in self._offsets.along)

    @property
    def touched(self) -> tuple[Hex, ...]:
        """The hexes that the line meets in one corner and nowhere else, in order."""
        q, r = self.a
        return tuple(Hex(q + dq, r + dr) for dq, dr in self._offsets.touched)

    @property
    def crossed(self) -> tuple[Hexside, ...]:
        """The hexsides crossed from one interior into the next, in order, at a corner as well; a run crosses none."""
        return tuple(_moved(side, self.a) for side in self._offsets.crossed)


def line(a: Hex, b: Hex) -> Line:
    """The sight line from `a` to `b`. The line from `b` to `a` has the same facts backwards, left and right exchanged."""
    return Line(a, b)


@cache
def offsets(dq: int, dr: int) -> Offsets:
    """The facts of the line from `Hex(0, 0)` to `Hex(dq, dr)`, computed once: the fast way in for a rule.

    >>> def clear(a, b, woods):            # blocked by a wood on the line, or by woods on both sides of a hexside it follows
    ...     facts, (q, r) = offsets(b.q - a.q, b.r - a.r), a
    ...     return not (any((q + x, r + y) in woods for x, y in facts.through)
    ...                 or any(a + left in woods and a + right in woods for left, right in facts.pairs))
    >>> clear(Hex(5, 5), Hex(4, 7), {Hex(5, 6)}), clear(Hex(5, 5), Hex(4, 7), {Hex(5, 6), Hex(4, 6)})
    (True, False)
    """
    steps = tuple(_walk(Hex(dq, dr)))
    runs = tuple(step for step in steps if isinstance(step, Along))
    crossings = tuple(step for step in steps if isinstance(step, Crossed))
    return Offsets(
        steps=steps,
        through=tuple(step.hex for step in steps[1:-1] if isinstance(step, Through)),
        pairs=tuple((run.left, run.right) for run in runs),
        along=runs,
        touched=tuple(step.touched for step in crossings if step.touched is not None),
        crossed=tuple(step.hexside for step in crossings),
    )


def _walk(goal: Hex) -> list[Fact]:
    """Walk from the origin to `goal`, from interior to interior.

    In the integer coordinates of `Hex.corners`, a cross product says how far a point lies to the left of the line, with a
    sign. Counter-clockwise around a hex that the line crosses, the corners ahead go from right to left (those behind, from
    left to right); the way out is where they change: a hexside, or a corner that is on the line.
    """
    x, y = goal.centre
    corners = [y * corner_x - x * corner_y for corner_x, corner_y in _ORIGIN.corners]  # and to the left of a centre

    def left_of_line(hex: Hex) -> int:
        centre_x, centre_y = hex.centre
        return y * centre_x - x * centre_y

    here = _ORIGIN
    steps: list[Fact] = [Through(here)]
    while here != goal:
        centre = left_of_line(here)
        sides = [centre + corner for corner in corners]
        out = next(d for d in range(6) if sides[d] < 0 <= sides[(d + 1) % 6])
        ahead = here.neighbour(out)
        if sides[(out + 1) % 6] > 0:
            steps.append(Crossed(Hexside(here, ahead)))
            here = ahead
        else:
            # Through the corner between `ahead`, on the right, and the next hex counter-clockwise, on the left. The
            # hexside of these two leads on from that corner, to the corner that both share with the hex beyond.
            left, right = here.neighbour((out + 1) % 6), ahead
            beyond = right.neighbour((out + 1) % 6)
            side = left_of_line(beyond) + corners[(out + 4) % 6]
            if side == 0:
                begins = (Hexside(here, left), Hexside(here, right))
                ends = (Hexside(beyond, left), Hexside(beyond, right))
                steps.append(Along(Hexside(left, right), left, right, begins, ends))
                here = beyond
            else:
                into, touched = (right, left) if side > 0 else (left, right)
                steps.append(Crossed(Hexside(here, into), touched))
                here = into
        steps.append(Through(here))
    return steps


@frozen(eq=False)
class SightMasks:
    """The lines between the hexes of one board as masks of `Board.mask`; each is computed when it is first asked for.

    >>> from beachhead.board import Board
    >>> board = Board.alternating()
    >>> lines = SightMasks(board)
    >>> through, pairs = lines.between(board.hex("G5"), board.hex("G1"))
    >>> [board.label(hex) for hex in board.members(through)]
    ['G3']
    >>> woods = board.mask([board.hex("g4")])                        # on the left of a line south, none on its right
    >>> bool(through & woods), [(bool(left & woods), bool(right & woods)) for left, right in pairs]
    (False, [(True, False), (False, False)])
    """

    board: Board
    _known: dict[tuple[Hex, Hex], tuple[int, tuple[tuple[int, int], ...]]] = field(factory=dict, init=False, repr=False)

    def between(self, a: Hex, b: Hex) -> tuple[int, tuple[tuple[int, int], ...]]:
        """`Line.through` as one mask, and for each run the mask of its left and of its right hex.

        A hex of the line that is not on the board has no bit. `OffBoard` when `a` or `b` is not on it.
        """
        known = self._known.get((a, b))
        if known is None:
            self.board.index(a)
            self.board.index(b)
            facts = offsets(b[0] - a[0], b[1] - a[1])
            pairs = tuple((self._bit(a + left), self._bit(a + right)) for left, right in facts.pairs)
            through = sum(self._bit(a + hex) for hex in facts.through)
            known = self._known[a, b] = (through, pairs)
        return known

    def _bit(self, hex: Hex) -> int:
        return 1 << self.board.index(hex) if hex in self.board else 0


@frozen(eq=False)
class Table:
    """The lines from one hex to every hex within a radius, as arrays of ints, for questions about a whole board.

    Everything is an offset from the hex that looks. To see what blocks, look up `through` (and the two sides of `along`) in an
    array of what is on the board, and mark the targets that the first column names:

    >>> import numpy as np
    >>> near = table(2)
    >>> woods = np.zeros((9, 9), dtype=bool)              # by q and r, with a margin as wide as the radius
    >>> woods[5, 4] = True                                # a wood to the east of the hex (4, 4)
    >>> blocked = np.zeros(len(near.targets), dtype=bool)
    >>> target, dq, dr = near.through.T
    >>> blocked[target[woods[4 + dq, 4 + dr]]] = True
    >>> target, left_q, left_r, right_q, right_r = near.along.T
    >>> blocked[target[woods[4 + left_q, 4 + left_r] & woods[4 + right_q, 4 + right_r]]] = True
    >>> near.targets[blocked].tolist()
    [[2, 0]]
    """

    radius: int
    targets: npt.NDArray[np.intp]
    """Shape (n, 2): dq and dr of each hex within the radius, in the order of `Hex.disk`; the hex that looks is among them."""
    through: npt.NDArray[np.intp]
    """Shape (m, 3): the index of a target, then dq and dr of a hex that the line to it goes through."""
    along: npt.NDArray[np.intp]
    """Shape (k, 5): the index of a target, then dq and dr of the left and of the right hex of a run on the line to it."""


@cache
def table(radius: int) -> Table:
    """The table for one radius, built once; its arrays are read-only.

    >>> table(8).targets.shape
    (217, 2)
    """
    import numpy as np

    if radius < 0:
        raise GeometryError(f"a table has a radius of 0 or more, not {radius}")
    targets = _ORIGIN.disk(radius)
    facts = [offsets(*target) for target in targets]
    through = [(i, *hex) for i, fact in enumerate(facts) for hex in fact.through]
    along = [(i, *left, *right) for i, fact in enumerate(facts) for left, right in fact.pairs]

    def array(rows: Any, width: int) -> npt.NDArray[np.intp]:
        made = np.array(rows, dtype=np.intp).reshape(-1, width)
        made.setflags(write=False)
        return made

    return Table(radius, array(targets, 2), array(through, 3), array(along, 5))
