"""The test kit that every system passes: random games in which the promises are checked that the kernel builds on.

>>> from beachhead.testing import check_system
>>> print(check_system("memoir44", games=2))                                    # doctest: +SKIP

What is played is a function of the seed and the number of the game. Every failure is a `KitFailure` that says where, what should have been
and what was, and how to play that game again.

*At every position*: the system's own invariants (after every event, too) · the position rebuilt from its plain data equals the live one in
state, question and options · a second branch from it comes to the same · who decides, with a prompt, between options of the decision's
kinds, each offered once and with a text of its own · a side's own options are the same in its view · weights are positive integers, each
outcome stands there once, readings are values · the game is over when it has a result and nothing is asked.

*At every event*: it folds, begins where the last one ended, and cites its rules.

*At the first two of each class in a game, and then at one in so many*:

| one in | what |
|---|---|
| 4 events | as told to each side (and to nobody's) it folds that side's view into the view of what follows; it has a text |
| 6 positions | out of a pickle they equal the live ones |
| 6 decisions | options and objections agree, also on actions from other positions and with altered fields; a refusal says why and changes nothing |
| 6 positions | what is hidden is dealt again: view, options, and whether one is asked, stay the same; a hidden draw tells nothing; JSON |
| 8 events and options | they survive JSON, options their text, and the `repr` rebuilds them; so for requests |
| 50 decisions | odds on the view and on the truth sum to 1 (policy: the first option; questions of over 100 branches are left out) |

*Of every game*: it ends, without dead ends or empty steps · the same seed plays the same game through `Game`, while the global random
generators are disturbed and nobody uses them · `undo` leads back to the start · no state has changed meanwhile. `check_processes` plays
games in other processes, too, in which sets have another order.
"""

from beachhead.testing.report import GameReport, KitFailure, Place, Report
from beachhead.testing.running import check_game, check_processes, check_system

__all__ = ["GameReport", "KitFailure", "Place", "Report", "check_game", "check_processes", "check_system"]
