"""Random games to the end, looked at all the way, and then played a second time through `Game`."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

import attrs
from attrs import frozen

from beachhead import policies
from beachhead.errors import OptionError, TooManyBranches, UnknownName
from beachhead.game import Game
from beachhead.odds import Distribution
from beachhead.play import Chance, Decision
from beachhead.position import Entry, Position
from beachhead.spelling import nearest
from beachhead.systems import Source, System, find_system, register, systems
from beachhead.testing.checks import Examiner, Watched, stream
from beachhead.testing.report import GameReport, KitFailure, Place, Report, shown

Progress = Callable[[int, int, str], None]
"""`progress(done, of, what)`."""
_AT_ONCE = 10_000
"""Events that may follow from one answer."""


# ------------------------------------------------------------ one game
def check_game(
    system: System[Any] | str,
    scenario: str | Path,
    *,
    seed: int = 0,
    game: int = 0,
    options: Mapping[str, object] | None = None,
    longest: int = 20_000,
) -> GameReport:
    """Play one random game to its end and check every promise on the way: see `beachhead.testing`.

    Args:
        system: the system, or its name.
        scenario: the name of a scenario, or the path of its file.
        seed, game: what is played is a function of these two.
        options: the options of the game.
        longest: the answers after which a game counts as endless.

    Raises:
        KitFailure: a promise is broken.
    """
    system = _known(system)
    source = _source(system, scenario)
    return _Playing(system, source, seed, game, dict(options or {}), longest).report()


@frozen
class _Answered:
    """A position of the line that was played, and what was answered there."""

    position: Position[Any]
    answer: Any
    text: str | None
    """The state as JSON, where it was examined."""


class _Playing:
    """One game."""

    def __init__(
        self, system: System[Any], source: Source, seed: int, game: int, options: dict[str, object], longest: int
    ) -> None:
        from beachhead.codec import codec_for

        self.system, self.source, self.options, self.longest = system, source, options, longest
        place = Place(system.name, source.name, options, seed, game, 0)
        self.look = Examiner(system, codec_for(system), place)
        self.dice, self.choices = stream(seed, game, "dice"), stream(seed, game, "choices")
        self.line, self.log = list[_Answered](), list[Entry[Any]]()
        self.live, self.since, self.decisions, self.chances = True, 0, 0, 0

    def report(self) -> GameReport:
        """Play it, play it again, and tell."""
        end = self.play()
        self.play_again(end)
        look, result = self.look, self.system.result(end.state)
        digest = blake2b(digest_size=16)
        for value in (*(answered.answer for answered in self.line), end.state):
            digest.update(look.codec.dumps(value).encode())
        return GameReport(
            look.place.game,
            look.place.scenario,
            self.options,
            self.decisions,
            look.forced,
            self.chances,
            sum(event.begins_turn for entry in self.log for event in entry.events),
            look.events,
            look.requests,
            look.rules,
            "" if result is None or result.winner is None else str(getattr(result.winner, "value", result.winner)),
            "" if result is None else result.reason,
            look.examined,
            look.hidden,
            look.dealt,
            digest.hexdigest(),
        )

    # -------------------------------------------------------- the first time
    def _seen(self, state: Any) -> None:
        if self.live:
            self.since += 1
            if self.since > _AT_ONCE:
                self.look.fail("the game ends", f"a question within {_AT_ONCE} events", "none")
            self.look.invariants(state)

    def _start(self) -> Any:
        with self.look.guarded("setting up the scenario"):
            return self.system.new(self.source, self.options)

    def play(self) -> Position[Any]:
        """Random play to the end; every position and event is looked at."""
        look, start = self.look, self._start()
        look.start(start)
        watched: Any = Watched(self.system, self._seen)
        with look.guarded("beginning to play"):
            position = Position[Any](watched, start)
        while True:
            look.place = attrs.evolve(look.place, decision=self.decisions, request=shown(position.pending or ""))
            self.live = False
            look.entries(position.entries, position.state)
            look.standing(position)
            self.log += position.entries
            if position.pending is None:
                look.picture(position.state)
                return position
            if len(self.line) == self.longest:
                look.fail("the game ends", f"an end within {self.longest} answers", "none")
            answer = self._answer(position)
            text = look.codec.dumps(position.state) if look.due("keep", 20) else None
            self.line.append(_Answered(position, answer, text))
            self.live, self.since = True, 0
            after = look.after(position, answer)
            self.live = False
            look.branched(position, answer, after)
            position = after

    def _answer(self, position: Position[Any]) -> Any:
        if isinstance(position.pending, Chance):
            self.chances += 1
            return self.dice.pick(self.chances - 1, position.pending.outcomes(position.state))
        self.decisions += 1
        return position.options[self.choices.number(self.decisions - 1, len(position.options))]

    # -------------------------------------------------------- the second time
    def play_again(self, end: Position[Any]) -> None:
        """The same game through the public API while the global generators are disturbed; then back to its start."""
        look = self.look
        asked = [answered for answered in self.line if isinstance(answered.position.pending, Decision)]
        with _disturbed() as unused:
            source = attrs.evolve(self.source, text=self.source.read())
            with look.guarded("playing the game again"):
                game = Game[Any](
                    self.system,
                    self.system.new(source, self.options),
                    seed=self.dice.seed,
                    source=source,
                    options=self.options,
                )
            for n, answered in enumerate(asked):
                self._at(n, answered)
                self._same(game, answered.position)
                self._odds(game, answered)
                with look.guarded("playing the game again"):
                    game.apply(answered.answer)
                if not unused():
                    look.fail("the global random generators are never used", "their state as it was", "it has changed")
            self._at(len(asked), None)
            self._same(game, end)
            look.equal("one seed gives one log", tuple(self.log), tuple(game.log))
            self._views(game)
            for n in reversed(range(len(asked))):
                self._at(n, asked[n])
                with look.guarded("taking a decision back"):
                    game.undo()
                self._same(game, asked[n].position)
        for answered in self.line:
            if answered.text is not None and look.codec.dumps(answered.position.state) != answered.text:
                look.fail("a state never changes", answered.text, look.codec.dumps(answered.position.state))

    def _at(self, n: int, answered: _Answered | None) -> None:
        request = "" if answered is None else shown(answered.position.pending)
        self.look.place = attrs.evolve(self.look.place, decision=n, request=request)

    def _same(self, game: Game[Any], position: Position[Any]) -> None:
        look = self.look
        look.equal("one seed gives one game", position.state, game.state)
        look.equal("one seed asks the same", position.pending, game.decision)
        look.equal("one seed offers the same", position.options, game.legal_actions())
        if game.position != position or hash(game.position) != hash(position):
            look.fail("one seed gives one game", position, game.position)

    def _odds(self, game: Game[Any], answered: _Answered) -> None:
        """The odds of the chosen action sum to 1, on the side's view and on the truth."""
        look, action = self.look, answered.answer
        name = f"{type(answered.position.pending).__name__} {type(action).__name__}"
        if not look.due(f"odds of {name}", 50):
            return
        for truth in (False, True):
            with look.guarded(f"finding the odds of {shown(action)}"):
                try:
                    odds: Distribution[Any] = game.odds(action, policy=policies.first, truth=truth, bound=100)
                except TooManyBranches:
                    return
                look.equal("odds sum to 1", 1, sum(odds.values()))
        if not game.check(action):
            look.fail("what may be applied is allowed", "a verdict without objections", str(game.check(action)))

    def _views(self, game: Game[Any]) -> None:
        """The whole game can be shown to every side."""
        for side in self.look.sides:
            with self.look.guarded(f"showing the game to {side}"):
                view = game.view(side)
                str(view.log)
                if (view.decision is not None) != (game.decision is not None and game.to_act == side):
                    self.look.fail("a view shows a side's own decisions", game.decision, view.decision)


@contextmanager
def _disturbed() -> Iterator[Callable[[], bool]]:
    """Sets the global generators to something else again and again, and puts them back in the end.

    Yields:
        a function that tells whether nobody has used them since it was called last.
    """
    numpy = sys.modules.get("numpy.random")
    before = random.getstate()
    before_numpy = numpy.get_state() if numpy else None
    count, expected = 0, tuple[Any, ...]()

    def states() -> tuple[Any, ...]:
        there = str(numpy.get_state()) if numpy else None
        return random.getstate(), there

    def disturb() -> None:
        nonlocal count, expected
        count += 1
        random.seed(count)
        if numpy:
            numpy.seed(count)
        expected = states()

    def unused() -> bool:
        same = states() == expected
        disturb()
        return same

    disturb()
    try:
        yield unused
    finally:
        random.setstate(before)
        if numpy:
            numpy.set_state(before_numpy)


# ------------------------------------------------------------ elsewhere
def check_processes(
    system: str,
    scenario: str | Path,
    *,
    seed: int = 0,
    games: int = 2,
    options: Mapping[str, object] | None = None,
    before: str = "",
) -> None:
    """Play games in two other processes, in which sets have another order, and demand that they are the same games.

    Args:
        before: Python to run first there; it must register a system that no installed package announces.

    Raises:
        KitFailure: a game differs, or fails.
    """
    arguments = f"{system!r}, {str(scenario)!r}, seed={seed}, game=n, options={dict(options or {})!r}"
    code = f"{before}\nfrom beachhead.testing import check_game\n"
    code += f"for n in range({games}): print(check_game({arguments}).digest)"
    played: list[list[str]] = []
    for order in ("1", "2"):
        done = subprocess.run(  # noqa: S603  (our own)
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": order},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            place = Place(system, str(scenario), dict(options or {}), seed, 0, 0)
            raise KitFailure("no errors in another process", place, "no error", shown(done.stderr.strip()[-300:]))
        played.append(done.stdout.split())
    for n, (one, two) in enumerate(zip(*played, strict=True)):
        if one != two:
            place = Place(system, str(scenario), dict(options or {}), seed, n, 0)
            raise KitFailure("every process plays the same game", place, f"the digest {one}", two)


# ------------------------------------------------------------ many games
def check_system(
    system: System[Any] | str,
    *,
    games: int = 10,
    seed: int = 0,
    scenarios: Iterable[str | Path] | None = None,
    options: Mapping[str, object] | None = None,
    progress: Progress | None = None,
    resume: str | Path | None = None,
    longest: int = 20_000,
) -> Report:
    """Play random games to their end from every scenario and check every promise on the way: see `beachhead.testing`.

    Args:
        system: the system, or its name.
        games: how many games in all; each scenario has one at least.
        seed: what is played is a function of it and of the number of the game.
        scenarios: names or paths of files; all that the system ships if left out.
        options: the options of every game. If left out, a third of the games have the defaults, a third one choice of one ruling that is
            no default (each choice in turn), and a third any choices.
        progress: called after each game with the number done, how many there are, and what was played.
        resume: a file that remembers the games that are done. A run with the same arguments goes on where it was stopped; delete the file
            after a change of the rules.
        longest: the answers after which a game counts as endless.

    Raises:
        KitFailure: a promise is broken; the error says where, and how to see it again.
        ValueError: `resume` is of a run with other arguments.
    """
    system = _known(system)
    sources = [_source(system, name) for name in (system.scenarios() if scenarios is None else scenarios)]
    if not sources:
        raise UnknownName(f"{system.name} has no scenarios to play")
    plan = _plan(system, sources, max(games, len(sources)), seed, options)
    kept = _Kept(Path(resume) if resume else None, system, seed, plan)
    done: list[GameReport] = []
    for n, (source, chosen) in enumerate(plan):
        report = kept.get(n)
        if report is None:
            report = _play(system, source, seed, n, chosen, longest, optional=options is None)
            kept.add(report)
        done.append(report)
        if progress:
            progress(n + 1, len(plan), f"{report.scenario}: {report.length} decisions")
    _dealt_again(system, seed, done)
    return Report(system.name, seed, tuple(done))


def _play(
    system: System[Any], source: Source, seed: int, n: int, chosen: dict[str, object], longest: int, *, optional: bool
) -> GameReport:
    """A game; where the system refuses a combination of choices that the kit made up, it is played with the defaults."""
    if optional and len(chosen) > 1:
        try:
            system.new(source, chosen)
        except OptionError:
            chosen = {}
    return _Playing(system, source, seed, n, chosen, longest).report()


def _dealt_again(system: System[Any], seed: int, done: list[GameReport]) -> None:
    """Nothing is said about leaks by a `resample` that always deals the same."""
    hidden = sum(game.hidden for game in done)
    if hidden >= 100 and not any(game.dealt for game in done):
        look = Examiner(system, None, Place(system.name, done[0].scenario, {}, seed, done[0].game, 0))  # type: ignore[arg-type]
        look.fail("what is hidden can be dealt again", "another state sometimes", f"the same {hidden} times")


def _known(system: System[Any] | str) -> System[Any]:
    if isinstance(system, str):
        return find_system(system)
    if system.name not in systems():
        register(system)
    if find_system(system.name) is not system:
        raise ValueError(f"another system is known as {system.name!r}: register the one to be checked")
    return system


def _source(system: System[Any], scenario: str | Path) -> Source:
    known = system.scenarios()
    name = str(scenario).removeprefix(f"{system.name}/")
    if name in known:
        return Source(f"{system.name}/{name}", known[name])
    path = Path(scenario)
    if path.is_file():
        return Source(str(scenario), path)
    raise UnknownName(
        f"no scenario {str(scenario)!r} of {system.name}{nearest(name, known)}; known: {', '.join(known)}"
    )


Plan = tuple[Source, dict[str, object]]
"""A scenario and the options it is played with."""


def _plan(
    system: System[Any], sources: list[Source], games: int, seed: int, options: Mapping[str, object] | None
) -> list[Plan]:
    """What is played: the scenarios in turn, and with them defaults, single choices and any choices."""
    rulings = [ruling for ruling in system.catalogue.rulings.values() if ruling.choices]
    single = [(r.id, choice) for r in rulings for choice in r.choices if choice != r.default]
    plan, singles = list[Plan](), 0
    for n in range(games):
        kind = (n + n // len(sources)) % 3 if single else 0
        chosen = dict[str, object](options or {})
        if options is None and kind == 1:
            key, choice = single[singles % len(single)]
            chosen[key], singles = choice, singles + 1
        elif options is None and kind == 2:
            source = stream(seed, n, "options")
            for i, ruling in enumerate(rulings):
                chosen[ruling.id] = tuple(ruling.choices)[source.number(i, len(ruling.choices))]
        plan.append((sources[n % len(sources)], chosen))
    return plan


class _Kept:
    """The games that are done, in a file of JSON lines, so that a run can be stopped."""

    def __init__(self, path: Path | None, system: System[Any], seed: int, plan: list[Plan]) -> None:
        self.path, self.games = path, dict[int, GameReport]()
        self.planned = [[f"{system.name}, {source.name}, seed {seed}", repr(chosen)] for source, chosen in plan]
        if path is None or not path.exists():
            return
        for line in path.read_text("utf-8").splitlines():
            try:
                planned, game = json.loads(line)
            except ValueError:  # the run was stopped while it wrote this
                continue
            n = game["game"]
            if n < len(plan) and planned != self.planned[n]:
                was, now = ", ".join(planned), ", ".join(self.planned[n])
                raise ValueError(f"{path} is of another run: its game {n} is {was}, not {now}; give another file")
            self.games[n] = GameReport(**game)

    def get(self, n: int) -> GameReport | None:
        """The game of this number, if it is done."""
        return self.games.get(n)

    def add(self, report: GameReport) -> None:
        """Remember a game."""
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"\n{json.dumps([self.planned[report.game], attrs.asdict(report)])}")
