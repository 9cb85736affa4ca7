"""What commands print: text without markup, tables, stories with their citations, boards, and bars on whatever takes longer than a second."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from beachhead.hexes import Hex
from beachhead.log import Line
from beachhead.odds import Distribution
from beachhead.systems import Result, name_of
from beachhead.terminal import Facts, TerminalSystem, board_lines

WIDE = 10_000
"""The width where no terminal says how wide it is: nothing is broken into lines for a reader who is a program."""
PATIENCE = 1.0
"""Seconds before a bar appears."""
_WHAT = 40
"""Of what is being done, so many letters are shown beside a bar."""
_COLOURS = ("cyan", "green", "magenta", "yellow")


class Screen:
    """Where a command prints. Everything is readable without colours, and without a terminal."""

    def __init__(self, sides: Sequence[Any] = (), *, stderr: bool = False) -> None:
        plain = Console(stderr=stderr, highlight=False, markup=False)
        wide = not plain.is_terminal and "COLUMNS" not in os.environ
        self.console = Console(stderr=stderr, highlight=False, markup=False, width=WIDE) if wide else plain
        self.colours: dict[Any, str] = dict(zip(sides, _COLOURS, strict=False))

    @property
    def interactive(self) -> bool:
        """Whether a person sits at it."""
        return self.console.is_terminal and sys.stdin.isatty()

    def line(self, *parts: str | tuple[str, str]) -> None:
        """A line of text; a part may have a style."""
        self.console.print(Text.assemble(*parts))

    def unbroken(self, *parts: str | tuple[str, str]) -> None:
        """A line in which paths and commands stay whole: whoever copies them copies no line break."""
        self.console.print(Text.assemble(*parts), soft_wrap=True)

    def heading(self, text: str) -> None:
        """A line that something begins with."""
        self.line("")
        self.line((text, "bold"))

    def warn(self, text: str) -> None:
        """Something that went wrong, and ends nothing."""
        self.line((text, "red"))

    def style(self, side: Any) -> str:
        """The colour of a side."""
        return self.colours.get(side, "")

    # -------------------------------------------------------- tables
    def table(self, columns: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
        """A table; a column whose name begins with ">" has numbers. Without names there is no line of them."""
        self.console.print(self._table(columns, rows, title))

    def entries(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """A table of sentences; on a screen that is too narrow for it, each row has lines of its own."""
        table = self._table(columns, rows)
        if Measurement.get(self.console, self.console.options.update(width=WIDE), table).maximum <= self.console.width:
            self.console.print(table)
            return
        for first, second, *others in rows:
            self.line((first, "bold"), f": {second}")
            for name, cell in zip(columns[2:], others, strict=True):
                if cell:
                    self.console.print(Padding(Text(f"{name}: {cell}"), (0, 0, 0, 4), expand=False))

    def _table(self, columns: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> Table:
        out = Table(
            title=title or None,
            title_justify="left",
            title_style="bold",
            header_style="bold",
            box=None,
            pad_edge=False,
            show_header=any(column.strip(">") for column in columns),
        )
        for column in columns:
            out.add_column(
                column.removeprefix(">"),
                justify="right" if column.startswith(">") else "left",
                overflow="fold",
            )
        for row in rows:
            out.add_row(*(cell if isinstance(cell, Text) else Text(str(cell)) for cell in row))
        return out

    def odds(self, odds: Distribution[Any]) -> None:
        """What may come of an action, the likeliest first; exact odds as fractions, a sample with its interval."""
        rows = sorted(odds.items(), key=lambda row: (-row[1], str(row[0])))
        exact = odds.runs is None
        self.table(
            (">chance", ">exactly" if exact else ">95 %", "what comes of it"),
            [
                (f"{float(p):.1%}", p if exact else "{:.1%} to {:.1%}".format(*odds.interval(value)), value)
                for value, p in rows
            ],
        )
        if not exact:
            self.line(f"a sample of {odds.runs} runs, not exact")
        for what in odds.assumptions:
            self.line((f"assuming: {what}", "dim"))

    # -------------------------------------------------------- games
    def story(self, lines: Iterable[Line], turn: int = 0) -> int:
        """Lines of a story, each with the rules it cites, and a heading where a turn begins. Returns the last turn told."""
        for line in lines:
            if line.turn != turn:
                turn = line.turn
                self.line((f"-- turn {turn}", "bold"))
            self.line(line.text, (line.cited, "dim"))
        return turn

    def result(self, result: Result | None) -> None:
        """How a game ended."""
        if result is not None:
            who = "a draw" if result.winner is None else f"winner: {name_of(result.winner)}"
            scores = ", ".join(f"{side} {score}" for side, score in result.scores.items())
            self.line((f"{who} ({result.reason}); {scores}", "bold"), (f"  [{result.rule}]", "dim"))

    def facts(self, facts: Facts) -> None:
        """Headings with their lines."""
        for heading, lines in facts.items():
            self.heading(heading)
            for line in lines:
                self.line(f"  {line}")

    def board(self, words: TerminalSystem[Any], state: Any, around: Hex | None = None) -> int:
        """The board as text, with its legend; or the part around a hex that is no wider than the screen.

        Returns:
            how wide it is; 0 where the system has none.
        """
        board = words.board(state)
        if board is None:
            return 0
        width = 0
        for pieces in board_lines(board, lambda hex: words.cell(state, hex), around, self.console.width):
            line = Text.assemble(*((text, self.style(side)) for text, side in pieces))
            line.rstrip()
            self.console.print(line, soft_wrap=True)
            width = max(width, len(line))
        for meaning in words.legend(state):
            self.line((meaning, "dim"))
        return width

    # -------------------------------------------------------- waiting
    @contextmanager
    def working(self, title: str, patience: float = PATIENCE) -> Iterator[Bar]:
        """A bar for something that may take long; it appears after a second, where somebody looks. Print nothing meanwhile."""
        bar = Bar(title, patience)
        try:
            yield bar
        finally:
            bar.stop()


class Bar:
    """Called as `bar(done, of, what)`; `of` is 0 where nobody knows how much there is to do."""

    def __init__(self, title: str, patience: float = PATIENCE) -> None:
        self.title, self.shows_from = title, monotonic() + patience
        self.progress: Progress | None = None

    def __call__(self, done: int, of: int, what: str = "") -> None:
        """Show how far it is."""
        if self.progress is None and monotonic() >= self.shows_from:
            self.progress = self._started(of)
        if self.progress is not None:
            self.progress.update(self.progress.task_ids[0], completed=done, total=of or None, what=what[:_WHAT])

    def _started(self, of: int) -> Progress:
        columns = (
            (BarColumn(30), MofNCompleteColumn(), TimeRemainingColumn())
            if of
            else (SpinnerColumn(), TextColumn("{task.completed}"))
        )
        console = Screen(stderr=True).console
        progress = Progress(
            TextColumn("{task.description}", markup=False),
            *columns,
            TextColumn("{task.fields[what]}", style="dim", markup=False),
            console=console,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            disable=not console.is_terminal,
        )
        progress.add_task(self.title, total=of or None, what="")
        progress.start()
        return progress

    def stop(self) -> None:
        """Take it away."""
        if self.progress is not None:
            self.progress.stop()


def counted(counts: Mapping[str, int]) -> str:
    """Counts in a line, without those of nothing."""
    return ", ".join(f"{n} {what}" for what, n in counts.items() if n)
