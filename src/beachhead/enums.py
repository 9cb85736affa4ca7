"""Enums that print as the Python that means them: `Side.AXIS`, not `<Side.AXIS: 'AXIS'>`."""

from __future__ import annotations

from enum import Enum, StrEnum


class NamedEnum(Enum):
    """An enum whose members print as Python."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class WordEnum(StrEnum):
    """The same for members that are words."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"
