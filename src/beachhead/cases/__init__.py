"""Rule cases as data: a position, what is done in it, and what must follow. This page is the reference for whoever writes them.

A case is a row of a TOML file. It is played through the public API alone, by pytest (`tests/*/cases/*.toml`), by `beachhead ask FILE`, or
by `run_case`. A file names its system once; `[common]` holds what all its rows share (a row's own keys go first):

    system = "toy"

    [common]
    cards = [1, 2, 3, 4, 5, 6]

    [[case]]
    id = "dare-scores"
    about = "A die no higher than the card scores a point."
    hands = { red = 3 }                             # the position: keys of the system
    do = ["red: dare"]                              # what happens
    rolls = [3]
    [[case.expect]]                                 # what must follow
    event = "dared"
    with = { side = "red", success = true }
    rule = "toy:2.1"

**The row.** `id` (no other row of the file has it) and `about` (one sentence, in our own words) come first. Then

    (position)      the keys that the system's `cases.keys` explains: board, hands, active side, …; or instead of them
    scenario        a scenario's name, "memoir44/…": the game begins as that scenario does
    options         game options: { "m44:R4" = "farthest" }; a row about a second choice of a ruling sets it here
    do              lines of play, in order. Each is an action in its text form, "move C3 D4". "axis: move C3 D4" says, too, who must be
                    choosing. What the other side answers is a line like any other
    rolls           the outcomes of all rolls and draws on the way, in order, in the form that the system's chances understand
                    (a list of dice is one entry). An impossible one, one too few, and one left over each fail the row
    seed            with it, rolls may end early and the rest comes by this seed: for draws that the row does not care about
    answers         how decisions are answered that `do` passes over: { TakeGround = "stay" }. The key is the decision's class (TakeGround or
                    take_ground), the answer "first", "last" or an action's text, in which * stands for anything ("retreat *").
                    Named kinds are answered whenever they come up and the next line of `do` is no answer to them; the key "*" answers
                    whatever else stands between here and the next line and, below the last line, while `rolls` are left. The answers
                    are the policy for `odds`, too

**Expectations.** Each `[[case.expect]]` is of one kind, which one of its keys names (below), and may have

    rule = ID       what is found must cite this rule (or each of a list); if so, the expectation covers it
    shows = ID      covered when the expectation is met, where there is nothing that could cite it (an option, a fact, odds)
    after = K       look after the K-th line of `do` (0: before the first) and at what that line did; left out: at the end, and at everything
    seen_by = SIDE  look at what this side is told ("nobody": a neutral observer); only with ask, event, log

A row may name six ids at the most. An expectation without `rule` and `shows` covers nothing; it may stand there to make sure.

    refused = "move C3 E4"          the action is refused now                                      rule: an objection cites it
    offered = "move C3 D4"          the action is an option now; or each of a list; * stands for anything
    not_offered = "battle C3 *"     no option is that (or any of a list)
    only_offered = ["stay"]         these are all the options
    event = "unit_moved"            this has happened: an event of this class                      rule: the event cites it
        with = { to = "D4" }            whose fields are these
        term = -1                       with a breakdown in which this term stands                 rule: that term cites it
        times = 0                       so often exactly; left out: at least once
    ask = "attack_dice C3 E3"       a question of the system's, with its arguments                 rule: the answer cites it
        is = 2                          the answer: a total, true or false, or a fact. Left out, the answer is only shown
        term = -1                       a breakdown has this term                                  rule: that term cites it
        odds = { 0 = "1/3", … }         the answer is this distribution
    odds_of = "battle C3 E3"        what may come of an option, exactly
        by = "figures E3"               what to ask of the state at its end, a question like any other
        odds = { 4 = "1/2", 3 = "1/2" } each chance as a fraction; "*" stands for all other values together
    result = "axis"                 who has won; "draw", or "open" while nobody has                rule: the result cites it
        with = { reason = "…" }         fields of the result
    asks = "take_ground"            what is being decided now                                      rule: the decision cites it
        with = { … }                    fields of the decision
    to_act = "axis"                 whose choice it is; "nobody" when the game is over
    phase = "Movement"              where in the sequence of play
    log = "retreats to C2"          a line of the story holds these words                          rule: that line cites it
        times = 1                       so many lines exactly; left out: at least one

Values compare by what a reader would write: a hex by its label, a side or another enum by its name, an action by its text, a breakdown by
its total; capitals do not matter.

**Contrast.** A statement that something has *no* effect is shown by two rows that are equal but for one thing, and differ. The second is
written as what it changes: any key of the row; or KEY_replace, words to be replaced in a text or a list of texts; and its
own expectations:

    [[case]]
    id = "beach-does-not-stop"
    …
    [[case.expect]]
    offered = "move C3 C5"
    shows = "m44:terrain.beach.no_stop"
    [case.contrast]
    board_replace = ["b", "f"]                      # a forest in place of the beach; [["b", "f"], ["C5", "C4"]] for more
    expect = [{ not_offered = "move C3 C5" }]

Both are played. At least one expectation of either must be unmet in the other, and what such an expectation names the pair covers.
"""

from beachhead.cases.listing import QuestionSystem, Vocabulary, vocabulary
from beachhead.cases.reading import Case, Expectation, Variant, read_cases
from beachhead.cases.running import Outcome, explain, run_case
from beachhead.cases.system import CaseSystem, Cell, case_system

__all__ = [
    "Case",
    "CaseSystem",
    "Cell",
    "Expectation",
    "Outcome",
    "QuestionSystem",
    "Variant",
    "Vocabulary",
    "case_system",
    "explain",
    "read_cases",
    "run_case",
    "vocabulary",
]
