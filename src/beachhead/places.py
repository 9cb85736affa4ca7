"""Hexes by names of their own, beside the labels that a map gives them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from attrs import frozen

from beachhead.hexes import Hex, LabelError, Labels
from beachhead.spelling import nearest


def plain_name(name: str) -> str:
    """A name as it is compared: capitals do not matter, and `-` may stand for a blank.

    >>> plain_name("Nan-Green") == plain_name("nan green")
    True
    """
    return name.replace("-", " ").lower()


@frozen(eq=False)
class PlaceLabels:
    """Labels of a map on which places have names, too: a hex is written by its label, and read by its label or its name.

    >>> from beachhead.hexes import NumberLabels
    >>> labels = PlaceLabels(NumberLabels(), {"Nan Green": Hex(0, 0)})
    >>> labels.label(Hex(0, 0)), labels.hex("0101") == labels.hex("Nan Green") == labels.hex("nan-green")
    ('0101', True)
    >>> labels.hex("Nan Gren")
    Traceback (most recent call last):
        ...
    beachhead.hexes.LabelError: 'Nan Gren' names no hex: expected ... such as '0106', or a name on the map; did you mean 'Nan Green'?
    """

    labels: Labels
    named: Mapping[str, Hex]

    @cached_property
    def _places(self) -> dict[str, Hex]:
        return {plain_name(name): hex for name, hex in self.named.items()}

    def label(self, hex: Hex) -> str:
        """The label of a hex."""
        return self.labels.label(hex)

    def hex(self, text: str) -> Hex:
        """The hex with a label or a name."""
        if (found := self._places.get(plain_name(text))) is not None:
            return found
        try:
            return self.labels.hex(text)
        except LabelError as error:
            raise LabelError(f"{error}, or a name on the map{nearest(text, self.named)}") from None
