"""Players that somebody has written: `package.module:name`, a policy, or what makes one from a seed."""

from __future__ import annotations

import sys
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from attrs import frozen

from beachhead.errors import UnknownName
from beachhead.spelling import nearest
from beachhead.systems import Policy


def is_own(name: str) -> bool:
    """Whether this names a player somebody has written, and none that comes with a system."""
    return ":" in name


@frozen
class OwnPlayer:
    """Makes the policy of this name; it can be sent to other processes."""

    name: str

    @property
    def __name__(self) -> str:
        """What a summary calls it."""
        return self.name

    def __call__(self, seed: int) -> Policy:
        """The policy: what stands there, if it takes a view, a decision and options; or what it makes of the seed.

        Raises:
            UnknownName: there is no such module, nothing of this name in it, or something that is no policy.
        """
        found = self._found()
        policy: Any = found(seed) if _takes(found, 1) and not _takes(found, 3) else found
        if not _takes(policy, 3):
            raise UnknownName(
                f"{self.name} is no player: it should be policy(view, decision, options), or make one from a seed"
            )
        made: Policy = policy
        return made

    def _found(self) -> Any:
        module, _, name = self.name.partition(":")
        if (here := str(Path.cwd())) not in sys.path:  # a player may stand in the current folder
            sys.path.insert(0, here)
        try:
            there = import_module(module)
        except (ImportError, SyntaxError, ValueError) as error:
            raise UnknownName(f"no player {self.name!r}: {type(error).__name__}: {error}") from error
        if not hasattr(there, name):
            known = [each for each, value in vars(there).items() if callable(value) and not each.startswith("_")]
            raise UnknownName(f"{module} has no {name!r}{nearest(name, known)}; it has {', '.join(known) or 'nothing'}")
        return getattr(there, name)


def _takes(what: Any, arguments: int) -> bool:
    """Whether it can be called with so many arguments."""
    if not callable(what):
        return False
    try:
        signature(what).bind(*range(arguments))
    except (TypeError, ValueError):
        return False
    return True
