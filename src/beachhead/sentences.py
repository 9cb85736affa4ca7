"""Numbers and names as a sentence tells them."""

from __future__ import annotations

from collections.abc import Collection, Iterable


def counted(number: int, what: str, sign: str = "") -> str:
    """A number of things; with the sign "+" also of more or fewer of them.

    >>> counted(1, "Artillery Point"), counted(0, "Command Point"), counted(-1, "Dispatch Point", "+")
    ('1 Artillery Point', '0 Command Points', '-1 Dispatch Point')
    """
    return f"{number:{sign}} {what}{'' if abs(number) == 1 else 's'}"


def listed(names: Collection[str]) -> str:
    """Names as a sentence lists them.

    >>> listed(["clear", "bocage", "town"]), listed(["7"])
    ('clear, bocage and town', '7')
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def runs(names: Iterable[str]) -> list[str]:
    """Names in which numbers that follow each other are drawn together.

    >>> runs(["1", "2", "4", "5", "6"]), runs(["swamp"])
    (['1', '2', '4 to 6'], ['swamp'])
    """
    found: list[list[str]] = []
    for name in names:
        if found and name.isdecimal() and found[-1][-1].isdecimal() and int(name) == int(found[-1][-1]) + 1:
            found[-1].append(name)
        else:
            found.append([name])
    return [part for run in found for part in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else run)]
