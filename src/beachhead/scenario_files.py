"""The texts of scenario files: one that cannot be read is a fault of the file, told like any other.

>>> toml("turns = 9")
{'turns': 9}
>>> print(toml("turns = ", "the charts"))
the charts: no TOML: Invalid value (at end of document)
>>> print(toml("turns = 9\\nname = nine\\nday = 1"))
the file: no TOML: Invalid value (at line 2, column 8): name = nine
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from beachhead.errors import Fault, ScenarioError
from beachhead.systems import Source


@contextmanager
def reading_texts(source: Source) -> Iterator[Path]:
    """While the texts of a scenario are read. Gives what its file is called in errors.

    Raises:
        ScenarioError: a file is no text.
    """
    path = source.path or Path(source.name)
    try:
        yield path
    except UnicodeDecodeError as error:
        fault = Fault("the file", None, f"no text in UTF-8: {error.reason} at byte {error.start}", "save it as UTF-8")
        raise ScenarioError(path, (fault,)) from None


def toml(text: str, name: str = "the file") -> dict[str, Any] | Fault:
    """What stands in a file of TOML, or why it cannot be read. `name` is what a fault calls the file."""
    import tomllib

    try:
        return tomllib.loads(text)
    except ValueError as error:  # of TOML, or of Python's bound on the length of a number
        line = re.search(r"\bat line (\d+)", str(error))
        there = ": " + text.split("\n")[int(line[1]) - 1].strip() if line else ""
        return Fault(name, None, f"no TOML: {error}{there}")
    except RecursionError:
        return Fault(name, None, "lists and tables are nested too deeply")
