"""Saved games: JSON lines that hold all a game needs. Loading plays them again.

The first line says what was played: system, scenario with its whole text, options, seed and script, and the edition of the rules. Then comes
a line for each choice and roll, with the request, the answer, and the same in words for a reader. The last line says where the game stands.
What was undone is not saved. Each line ends with the SHA-256 of the digest before it and of its own canonical JSON, so that a line that was
changed is found out.

What a save survives:

- *Another process, another machine.* It replays line for line, and the dice go on as they would have.
- *Damage.* Loading names the first line that was changed or is missing; the error's `recovered` is the game up to there.
- *A release that only adds*: fields that have a default, or what does not come up in this game.
- *A release that changes rules.* Where a line no longer replays, loading names it. With `resume=True` the game goes on from the state in the
  last line, if that can still be read and its answers still fit. The history is gone then; the number of the turn and the sequence of the
  dice are kept. `Game.resumed` says which line did not replay, and why.
- *Not a newer format*: a release refuses what a later one wrote, and says which.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import field, frozen

from beachhead.codec import Codec, canonical, codec_for
from beachhead.errors import BeachheadError, CodecError, SaveError
from beachhead.game import Game
from beachhead.names import words
from beachhead.play import Chance, Decision, Event
from beachhead.position import Answer, Entry, Position
from beachhead.systems import Source, System, find_system

FORMAT = 1
_STATE, _ANSWERS = "state at the last boundary", "answers since"


@frozen
class Resumption:
    """Where a game goes on whose save no longer replays: why, from which position, and how many turns and chances came before."""

    why: str
    turn: int
    chances: int
    position: Position[Any] = field(repr=False)

    def __str__(self) -> str:
        return self.why


@frozen
class Resumed(Event[Any]):
    """A game goes on from a stored state, so many turns after its beginning."""

    turn: int
    rule = ()

    def fold(self, state: Any) -> Any:
        """Nothing changes."""
        return state

    @property
    def begins_turn(self) -> int:  # type: ignore[override]
        """All the turns that were played before."""
        return self.turn

    def text(self, state: Any) -> str:
        """That the story begins here."""
        return "the game goes on from a saved state"


# ------------------------------------------------------------ writing
def save(game: Game[Any], path: Path) -> None:
    """Write a game. The file is there whole, or as it was.

    Raises:
        UnknownName: the game was begun without a scenario, so nobody could load it.
        CodecError: it holds a value that has no JSON form.
        SaveError: there is no such folder.
    """
    if not path.parent.is_dir():
        raise SaveError(path, 0, f"there is no folder {str(path.parent)!r}")
    text, digest = "", ""
    for data in _content(game):
        digest = _digest(digest, data)
        text += _line(data | {"digest": digest})
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _content(game: Game[Any]) -> Iterator[dict[str, Any]]:
    """What stands in each line."""
    from beachhead import __version__

    codec, source, now = codec_for(game.system), game.source.held(), game.position
    yield {
        "beachhead": __version__,
        "format": FORMAT,
        "system": game.system.name,
        "scenario": source.name,
        "options": {name: codec.dump(choice) for name, choice in game.options.items()},
        "seed": game.seed,
        "script": codec.dump(_tuples(game.script)),
        "edition": edition(game.system),
        "text": source.text,
        "companions": dict(source.companions),
        "resumed": codec.dump(game.resumed),
    }
    for entry in game.log:
        if entry.request is not None:
            yield {
                "text": _in_words(codec, entry),
                "actor": None if entry.actor is None else str(entry.actor),
                "request": codec.dump(entry.request),
                "answer": codec.dump(entry.answer),
                "forced": entry.forced,
            }
    yield {
        "end": repr(game),
        _STATE: codec.dump(now.base),
        _ANSWERS: codec.dump(now.answers),
        "decisions": game.decisions,
        "chances": game._chances[game._at],
        "turn": game.turn,
    }


def _in_words(codec: Codec, entry: Entry[Any]) -> str:
    """The answer to a reader; loading does not look at it."""
    request, answer, state = entry.request, entry.answer, entry.before
    if isinstance(request, Chance):
        return request.text(answer, state) or f"{' '.join(words(type(request).__name__))}: {answer}"
    try:
        return f"{entry.actor}: {codec.text(answer, codec.system.labels(state))}"
    except BeachheadError:  # an action that cannot be said in a line
        return f"{entry.actor}: {answer!r}"


def edition(system: System[Any]) -> str:
    """A short name for the rule statements and rulings that a system has; where one of them changes, it changes."""
    rules = {rule.id: rule.text for rule in system.catalogue.values()}
    rulings = {ruling.id: ruling.reading for ruling in system.catalogue.rulings.values()}
    return sha256(canonical([rules, rulings]).encode()).hexdigest()[:12]


def _tuples(outcomes: Any) -> Any:
    """A script as values: whoever wrote it may have used lists."""
    return tuple(map(_tuples, outcomes)) if isinstance(outcomes, list | tuple) else outcomes


def _line(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"


def _digest(before: str, data: Mapping[str, Any]) -> str:
    return sha256((before + canonical(data)).encode()).hexdigest()


# ------------------------------------------------------------ reading
class _Bad(Exception):
    """What is wrong with a line, counted from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line, self.reason = line, reason


class _Differs(Exception):
    """A line asks, answers or holds something else than the game does when it is played again."""


def load(path: Path, *, resume: bool = False) -> Game[Any]:
    """Play a saved game again, line by line. `beachhead.load` is this, and says what is raised."""
    lines, bad = _read(path)
    replay: _Replay | None = None
    try:
        if lines:
            replay = _Replay(lines[0])
            damaged, bad = bad is not None, replay.play(lines[1:]) or bad
            if bad is not None and resume and not damaged:
                replay.go_on_from(lines[-1], len(lines), f"line {bad.line} {bad.reason}")
                bad = None
    except _Bad as worse:
        bad = worse
    if bad is not None:
        raise SaveError(path, bad.line, bad.reason, replay.recovered() if replay else None) from bad.__cause__
    assert replay is not None, "a file without lines is cut off"
    return replay.game()


def is_save(path: Path) -> bool:
    """Whether a file begins as a saved game does, of this release or another, whatever it is called."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return _header(file.readline()) is not None


def _read(path: Path) -> tuple[list[dict[str, Any]], _Bad | None]:
    """The lines that are as they were written, and what is wrong with the next one."""
    try:
        raw = path.read_bytes().split(b"\n")
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        raise SaveError(
            path, 0, "there is no such file" if missing else f"it cannot be read: {error.strerror}"
        ) from error
    cut_in_a_line = bool(raw[-1])
    if not cut_in_a_line:
        raw.pop()
    if raw and (reason := _no_header(raw[0])):
        return [], _Bad(1, reason)
    lines, digest = list[dict[str, Any]](), ""
    for n, text in enumerate(raw, 1):
        data = _as_written(text, digest)
        if data is None:
            return lines, _Bad(
                n, "is cut off" if cut_in_a_line and n == len(raw) else "was changed after it was written"
            )
        digest = data.pop("digest")
        lines.append(data)
    if not lines or "end" not in lines[-1]:
        return lines, _Bad(
            len(lines) + 1, "is missing: the file is cut off; its last line would say where the game ends"
        )
    return lines, None


def _no_header(text: bytes) -> str:
    """What keeps this release from reading on; "" if nothing does."""
    from beachhead import __version__

    header = _header(text)
    if header is None:
        return f'does not begin a saved game; right would be {{"beachhead": "{__version__}", …'
    if header.get("format") != FORMAT:
        return (
            f"is in format {header.get('format')}, of Beachhead {header['beachhead']}: load it with that release or a later one; "
            f"this is Beachhead {__version__}, which reads format {FORMAT}"
        )
    return ""


def _header(text: bytes) -> dict[str, Any] | None:
    """What stands in the first line of a saved game; None for another line."""
    try:
        header = json.loads(text)
    except ValueError:
        return None
    return header if isinstance(header, dict) and "beachhead" in header else None


def _as_written(text: bytes, digest: str) -> dict[str, Any] | None:
    """What a line holds, if it is byte for byte what was written."""
    try:
        data = json.loads(text.decode())
        if isinstance(data, dict) and _line(data).encode() == text + b"\n":
            content = {name: part for name, part in data.items() if name != "digest"}
            return data if data.get("digest") == _digest(digest, content) else None
    except ValueError:  # no UTF-8, or no JSON
        pass
    return None


class _Replay:
    """A saved game that is played again: the steps so far, the position now and what led to it, and the forced choices that were made."""

    def __init__(self, header: Mapping[str, Any]) -> None:
        try:
            self.system = find_system(header["system"])
            self.codec = codec_for(self.system)
            self.source = Source(header["scenario"], text=header["text"], companions=header["companions"])
            self.options = {name: self.codec.load(choice) for name, choice in header["options"].items()}
            self.seed, self.script, self.edition = header["seed"], self.codec.load(header["script"]), header["edition"]
            start = Position(self.system, self.system.new(self.source, self.options))
            self.begin(start, self.codec.load(header["resumed"]))
        except (BeachheadError, LookupError) as error:
            raise _Bad(1, f"does not set up a game: {error}") from error

    def begin(self, start: Position[Any], resumption: Resumption | None) -> None:
        """Stand where the lines begin."""
        self.resumption, self.position = resumption, start
        self.chances, self.steps = 0, list[tuple[Position[Any], int]]()
        if resumption is not None:
            self.position, self.chances = resumption.position, resumption.chances
            self.position.preceded_by((Entry(None, None, False, (Resumed(resumption.turn),), self.position.state),))
        self.forced = deque(entry for entry in self.position.entries if entry.request is not None)

    # -------------------------------------------------------- line by line
    def play(self, lines: Sequence[Mapping[str, Any]]) -> _Bad | None:
        """Answer each request as the lines do. Returns the first that does not replay."""
        for n, data in enumerate(lines, 2):
            try:
                if "end" not in data:
                    self._answer(data["request"], data["answer"], data["forced"])
                elif n <= len(lines):
                    raise _Differs("another line follows it")
                else:
                    self._check_end(data)
            except (_Differs, BeachheadError, LookupError) as error:
                now = edition(self.system)
                rules = "" if now == self.edition else f" (the rules are edition {now} now, and were {self.edition})"
                bad = _Bad(n, f"does not replay: {error}{rules}")
                bad.__cause__ = error
                return bad
        return None

    def _answer(self, request: Any, answer: Any, forced: bool) -> None:
        if self.forced:
            entry = self.forced.popleft()
            if not (forced and self._same(request, entry.request) and self._same(answer, entry.answer)):
                raise _Differs(f"{entry.answer!r} is now the only choice in {entry.request!r}")
            return
        before = self.position
        pending = before.pending
        if pending is None:
            raise _Differs(f"the game is over before it: {self.system.result(before.state)}")
        if not self._same(request, pending):
            raise _Differs(f"it answers {canonical(request)}, and the game asks {pending!r}")
        if forced:
            raise _Differs(f"{answer} was the only choice when it was written, and is one of several now")
        self.position = before.after(self.codec.load(answer))
        self.forced = deque(self.position.entries[1:])
        if isinstance(pending, Decision):
            self.steps.append((before, self.chances))
        else:
            self.chances += 1
            self.position.preceded_by(before.entries)

    def _same(self, written: Any, value: Any) -> bool:
        """Whether this is what was written; it may lack fields that have come since, if they are as they are by default."""
        try:
            return bool(self.codec.dump(value) == written or self.codec.load(written) == value)
        except CodecError:
            return False

    def _check_end(self, end: Mapping[str, Any]) -> None:
        """The state in the file must be the one that was played to."""
        if not self._same(end[_STATE], self.position.base):
            state = self.codec.dump(self.position.base)
            parts = [name for name, part in state.items() if part != end[_STATE].get(name)]
            raise _Differs(
                f"the lines before it lead to another {_STATE}: it differs in {', '.join(parts) or 'its form'}"
            )
        if not self._same(end[_ANSWERS], self.position.answers):
            answers = self.codec.dumps(self.position.answers)
            raise _Differs(f"the lines before it lead to other {_ANSWERS}: {answers}")
        if isinstance(self.position.pending, Chance):
            raise _Differs(f"after the lines before it the game asks {self.position.pending!r}")

    # -------------------------------------------------------- what comes of it
    def go_on_from(self, end: Mapping[str, Any], n: int, why: str) -> None:
        """Stand where the last line says that the game stood."""
        try:
            state = self.codec.load(end[_STATE], self.system.state)
            start = Position(self.system, state, self.codec.load(end[_ANSWERS], tuple[Answer, ...]))
        except (BeachheadError, LookupError, ValueError) as error:
            raise _Bad(n, f"holds no state to go on from, either: {error}; and {why}") from error
        self.begin(start, Resumption(why, end["turn"], end["chances"], start))

    def game(self) -> Game[Any]:
        """The game as if it had been played here. Where the lines end among rolls, the rest are rolled."""
        game: Game[Any] = object.__new__(Game)
        game.system, game.source, game.options = self.system, self.source, self.options
        game.seed, game.script, game.resumed = self.seed, self.script, self.resumption
        now = (self.position, self.chances)
        game._begin(*(game._settled(*now) if isinstance(self.position.pending, Chance) else now))
        game._line[:0] = [position for position, _ in self.steps]
        game._chances[:0] = [chances for _, chances in self.steps]
        game._at = len(self.steps)
        return game

    def recovered(self) -> Game[Any] | None:
        """The game so far; without its last decision where what follows that cannot be rolled."""
        while True:
            try:
                return self.game()
            except BeachheadError:
                if not self.steps:
                    return None
                self.position, self.chances = self.steps.pop()
