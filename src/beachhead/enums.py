"""Closed sets of terms that print as the Python that means them: `Wing.WEST`, not `<Wing.WEST: 'west'>`.

>>> from enum import StrEnum
>>> class Wing(Named, StrEnum):
...     WEST = "west"
>>> Wing.WEST, str(Wing.WEST), Wing("west")
(Wing.WEST, 'west', Wing.WEST)
"""

from __future__ import annotations

from enum import Enum


class Named(Enum):
    """An enum whose `repr` is Python that rebuilds the member. It mixes with any other kind of enum."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.__hash__ is Enum.__hash__:  # by the name; a member is one of its kind, and it is the key of many a table
            cls.__hash__ = object.__hash__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"
