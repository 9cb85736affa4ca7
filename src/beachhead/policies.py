"""Policies: `policy(view, decision, options) -> action`. The view is what the deciding side knows, never the truth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from attrs import frozen

from beachhead.errors import IllegalAction, NeedsPolicy, ScriptError
from beachhead.spelling import nearest
from beachhead.systems import Policy, System, name_of
from beachhead.within import Within, innermost

__all__ = ["Policy", "blamed", "by_side", "by_type", "chosen", "first", "last", "random", "scripted"]


def chosen(system: System[Any], policy: Policy | str, others: Mapping[str, Policy] | None = None) -> Policy:
    """The policy itself, or that of a name: the system's own, or one of others that serve where it is asked for.

    Raises:
        ValueError: there is none of that name; those that there are.
        TypeError: it is neither a policy nor a name.
    """
    if callable(policy):
        return policy
    named = {**(others or {}), **system.policies}
    known = ", ".join(named) or "none"
    if not isinstance(policy, str):
        raise TypeError(f"{policy!r} is no policy: give policy(view, decision, options) -> action, or a name ({known})")
    if policy not in named:
        raise ValueError(f"no policy {policy!r}{nearest(policy, named)}; known: {known}")
    return named[policy]


def random(seed: int) -> Policy:
    """Any option, each as likely; with a generator of its own."""
    pick = Random(seed)  # noqa: S311  (no secret hangs on it)

    def policy(view: object, decision: object, options: tuple[Any, ...]) -> Any:
        return pick.choice(options)

    return policy


def first(view: object, decision: object, options: tuple[Any, ...]) -> Any:
    """The first option."""
    return options[0]


def last(view: object, decision: object, options: tuple[Any, ...]) -> Any:
    """The last option."""
    return options[-1]


def by_type(policies: Mapping[type, Policy], otherwise: Policy | None = None) -> Policy:
    """One policy for each type of decision. A type that is not named goes to `otherwise`; without one it raises NeedsPolicy.

    A decision of a game within the game (`Within`) goes by its own type, too: its policy is then given the inner view and decision.
    """

    def policy(view: Any, decision: Any, options: tuple[Any, ...]) -> Any:
        seen, asked = view, decision
        while type(asked) not in policies and isinstance(asked, Within):
            seen, asked = asked.lens.get(seen), asked.inner
        if type(asked) in policies:
            return policies[type(asked)](seen, asked, options)
        if otherwise is None:
            name = type(innermost(decision)).__name__
            raise NeedsPolicy(
                decision,
                f"no policy answers {name}: give one, such as by_type({{{name}: first}}), or by name one of the system's",
            )
        return otherwise(view, decision, options)

    return policy


@frozen(eq=False)
class _BySide:
    policies: Mapping[Any, Policy]

    def __call__(self, view: Any, decision: Any, options: tuple[Any, ...]) -> Any:
        return self.policies[decision.side](view, decision, options)


def by_side(policies: Mapping[Any, Policy]) -> Policy:
    """One policy for each side."""
    return _BySide(policies)


def blamed(refusal: IllegalAction, policy: Policy) -> IllegalAction:
    """The error, that names the policy which answered so."""
    side = refusal.decision.side
    while isinstance(policy, _BySide):
        policy = policy.policies[side]
    refusal.policy = f"{getattr(policy, '__name__', type(policy).__name__)} for {name_of(side)}"
    return refusal


def scripted(actions: Iterable[Any], otherwise: Policy | None = None) -> Policy:
    """These actions, one after the other, and then `otherwise`.

    Raises:
        ScriptError: an action that is no option, or no action left and no `otherwise`.
    """
    rest = iter(actions)

    def policy(view: Any, decision: Any, options: tuple[Any, ...]) -> Any:
        for action in rest:
            if action not in options:
                raise ScriptError(f"the script says {action!r}, which is no option of {decision!r}")
            return action
        if otherwise is None:
            raise ScriptError(f"the script has no answer left for {decision!r}")
        return otherwise(view, decision, options)

    return policy
