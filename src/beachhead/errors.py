"""What can go wrong, and what each error tells: all are `BeachheadError`, and each says what would be right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from beachhead.game import Game
    from beachhead.play import Decision
    from beachhead.rules import Verdict


class BeachheadError(Exception):
    """The base of every error that Beachhead raises on purpose."""


class IllegalAction(BeachheadError, ValueError):
    """The action is not one of the options. Nothing has changed.

    Attributes:
        decision: what is being decided.
        action: what was tried.
        verdict: every reason against it, each with its rule.
        text: the line that meant it, where it was given as one; else "".
        policy: whose answer it is, "steady for Allied", where a policy was asked; else "".
    """

    text: str = ""
    policy: str = ""

    def __init__(self, decision: Decision[Any, Any], action: object, verdict: Verdict) -> None:
        super().__init__(decision, action, verdict)
        self.decision, self.action, self.verdict = decision, action, verdict

    def __str__(self) -> str:
        if not self.policy:
            return f"{self.text or repr(self.action)}: {self.verdict}"
        why = f": {self.verdict}" if isinstance(self.action, self.decision.kinds) else ""
        return f"the policy {self.policy} must return one of the options it is given, and returned {self.action!r}{why}"


class GameIsOver(BeachheadError, ValueError):
    """An answer came after the end of the game."""


class NotAnOutcome(BeachheadError, ValueError):
    """What was given for a roll or draw is not among its outcomes."""


class ScriptError(BeachheadError, ValueError):
    """A script of outcomes or answers does not fit the game: an impossible one, one too few, or one left over."""


class OptionError(BeachheadError, ValueError):
    """A game option that does not exist, or a choice that it does not have."""


class UnknownName(BeachheadError, LookupError):
    """A system, scenario or rule of that name is not known."""


class CodecError(BeachheadError, ValueError):
    """What is to be written or read does not fit: the place ("events[3].unit"), what stands there, and what would be right."""

    def __init__(self, problem: str, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(problem, path)
        self.problem, self.path = problem, path

    def __str__(self) -> str:
        where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return f"{where.removeprefix('.')}: {self.problem}" if where else self.problem


class RulesError(BeachheadError):
    """A fault in a system's own code, never in what a player did."""


class NoOptions(RulesError):
    """Somebody must choose and has nothing to choose from."""


class NothingHappens(RulesError):
    """Steps would be repeated for ever: one that neither asks nor rolls nor changes anything, or very many on end that leave nobody a choice."""


class NeedsPolicy(BeachheadError):
    """Odds or automatic play met a decision that no policy answers; the decision is in `args[0]`."""

    def __str__(self) -> str:
        return str(self.args[-1])


class TooManyBranches(BeachheadError):
    """Exact odds would take more branches than the bound allows: raise the bound, or ask for a sample."""


class EndlessProcedure(BeachheadError):
    """A loop that has no way out has no outcomes to give odds of."""


@frozen
class Fault:
    """One thing wrong in a file: where, what stands there, what is wrong with it, and what would be right."""

    key: str
    value: object
    problem: str
    fix: str = ""

    def __str__(self) -> str:
        value = "" if self.value is None else f" = {self.value!r}"
        fix = f" ({self.fix})" if self.fix else ""
        return f"{self.key}{value}: {self.problem}{fix}"


class ScenarioError(BeachheadError, ValueError):
    """A scenario that cannot be used, with every fault found in it. No half-made game is left behind."""

    def __init__(self, path: str | Path, faults: tuple[Fault, ...]) -> None:
        super().__init__(path, faults)
        self.path, self.faults = path, faults

    def __str__(self) -> str:
        lines = "\n".join(f"  {fault}" for fault in self.faults)
        return f"{self.path}: {len(self.faults)} fault{'s' if len(self.faults) != 1 else ''}\n{lines}"


class SaveError(BeachheadError, ValueError):
    """A saved game that does not load, or cannot be written.

    Attributes:
        path: the file.
        line: the first bad line, counted from 1; 0 where the file cannot be read or written at all.
        reason: what is wrong with it, and what would be right.
        recovered: the game up to that line, or None where not even its beginning could be read.
    """

    def __init__(self, path: str | Path, line: int, reason: str, recovered: Game[Any] | None = None) -> None:
        super().__init__(path, line, reason)
        self.path, self.line, self.reason, self.recovered = path, line, reason, recovered

    def __str__(self) -> str:
        return f"{self.path}{f', line {self.line}' if self.line else ''}: {self.reason}"
