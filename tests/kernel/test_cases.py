"""Rows: how they are read, played, and reported; what meets an expectation and what does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from toy import TOY
from toy_cases import ToyCases

from beachhead.cases import Case, Outcome, case_system, explain, read_cases, run_case, vocabulary
from beachhead.cases.by_name import answer, at_the_end, flag, whole
from beachhead.errors import RulesError, ScenarioError, UnknownName
from beachhead.rules import Breakdown, Modifier, recording
from beachhead.systems import find_system

pytest_plugins = ["pytester"]
HERE = Path(__file__).parent


@pytest.fixture
def rows(tmp_path: Path) -> Any:
    """Read rows that follow on `system = "toy"`."""

    def read(text: str) -> tuple[Case, ...]:
        path = tmp_path / "rows.toml"
        path.write_text(f'system = "toy"\n{text}', "utf-8")
        return read_cases(path)

    return read


@pytest.fixture
def play(rows: Any) -> Any:
    """Play one row, of which only what matters is given: Red holds a 3, Blue a 1, and Red dares unless the row says otherwise."""

    def run(text: str) -> Outcome:
        lines = ["[[case]]", 'id = "row"', 'about = "A row."']
        if "cards =" not in text:
            lines.append("cards = [2, 4, 5, 6]")
        if "hands =" not in text:
            lines.append("hands = { red = 3, blue = 1 }")
        (case,) = rows("\n".join([*lines, text]))
        return run_case(TOY, case)

    return run


DARE = 'do = ["dare"]\nrolls = [3]\n'


# ------------------------------------------------------------ expectations
MET = [
    'event = "dared"\nwith = { side = "red", card = 3, success = true }\nrule = "toy:2.1"',
    'event = "Dared"\ntimes = 1\nrule = ["toy:2.1"]',
    'event = "toy.dared"\nwith = { side = "RED" }\nafter = 1',
    'event = "dared"\ntimes = 0\nafter = 0',
    'event = "card_drawn"\ntimes = 0\nshows = "toy:1.1"',
    'offered = "pass"',
    'offered = ["pass", "DA*"]',
    'only_offered = ["dare", "pass"]',
    'only_offered = ["*"]',
    'asks = "dare_or_pass"\nwith = { side = "blue" }\nrule = "toy:2"',
    'to_act = "Blue"',
    'to_act = "red"\nafter = 0',
    'phase = "blue\'s TURN"',
    'result = "open"',
    'log = "dares on a 3"\nrule = "toy:2.1"\ntimes = 1',
    'log = "draws"\ntimes = 0',
    'ask = "points red"\nis = 1',
    'ask = "may_pass blue"\nis = true',
    'ask = "needed blue"\nis = 1\nterm = 1\nrule = "toy:2.1"',
    'ask = "success blue"\nodds = { true = "1/6", false = "5/6" }',
    'ask = "success blue"\nodds = { true = "1/6", "*" = "5/6" }',
    'ask = "success blue"',
    'odds_of = "dare"\nby = "may_pass blue"\nodds = { true = 1 }',
    'odds_of = "dare"\nby = "points blue"\nodds = { 1 = "1/6", 0 = "5/6" }',
    'odds_of = "dare"\nby = "points blue"\nodds = { 0 = "5/6", "*" = "1/6" }',
]
UNMET = [
    ('event = "dared"\nwith = { side = "blue" }', "Dared(side = Red, card = 3, success = True) citing toy:2.1"),
    ('event = "dared"\nwith = { success = false }', "success = True"),
    ('event = "dared"\nrule = "toy:2.2"', "citing toy:2.1"),
    ('event = "dared"\ntimes = 2', "citing toy:2.1"),
    ('event = "dared"\nterm = 3\nrule = "toy:2.1"', "citing toy:2.1"),
    ('event = "dared"\nafter = 0', "no such event, but none"),
    ('event = "passed"', "no such event, but Dared"),
    ('refused = "pass"\nrule = "toy:2.2"', "allowed"),
    ('refused = "flee"', "cannot be told"),
    ('offered = ["pass", "p*t"]', "not offered: 'p*t'; the options are 'pass', 'dare'"),
    ('not_offered = "pass"', "offered: 'pass'"),
    ('not_offered = ["pas*", "*a*"]', "offered: 'pass', 'pass', 'dare'"),
    ('not_offered = "pas s*"', "no action begins like 'pas s*'; did you mean 'pass'?; known: dare, pass"),
    ('not_offered = "flee"', "cannot be told"),
    ('only_offered = ["pass"]', "the options are 'pass', 'dare'"),
    ('only_offered = ["pass", "dare", "*s s"]', "the options are 'pass', 'dare'"),
    ('asks = "dare_or_pass"\nwith = { side = "red" }', "DareOrPass(side = Blue"),
    ('asks = "dare_or_pass"\nrule = "toy:2.1"', "citing toy:2"),
    ('to_act = "red"', "Blue"),
    ('to_act = "nobody"', "Blue"),
    ('to_act = "green"', "no side 'green'; known: Red, Blue, nobody"),
    ('phase = "night"', "Blue's turn"),
    ('result = "red"', "the game goes on"),
    ('log = "fails"', "Red dares on a 3 and scores  [toy:2.1]"),
    ('log = "dares"\nrule = "toy:2.2"', "[toy:2.1]"),
    ('log = "dares"\ntimes = 2', "[toy:2.1]"),
    ('ask = "points red"\nis = 2', "1"),
    ('ask = "points red"\nis = true', "1"),
    ('ask = "points red"\nrule = "toy:2.1"', "1"),
    ('ask = "may_pass blue"\nis = 1', "allowed"),
    ('ask = "needed blue"\nis = 2', "1 on the card (toy:2.1) = 1"),
    ('ask = "needed blue"\nterm = 2\nrule = "toy:2.1"', "1 on the card (toy:2.1) = 1"),
    ('ask = "needed blue"\nterm = 1\nrule = "toy:2.2"', "1 on the card (toy:2.1) = 1"),
    ('ask = "needed blue"\nis = 1\nrule = "toy:2.2"', "1 on the card (toy:2.1) = 1"),
    ('ask = "point blue"', "no question 'point'; did you mean 'points'?"),
    ('ask = "success blue"\nodds = { true = "1/5", false = "4/5" }', "16.67%  True  (1/6)"),
    ('ask = "success blue"\nodds = { true = "1/6", "*" = "1/6" }', "16.67%  True  (1/6)"),
    ('ask = "points red"\nodds = { 1 = 1 }', "1"),
    ('odds_of = "dare"\nby = "points blue"\nodds = { 1 = "1/3", 0 = "2/3" }', "16.67%  1  (1/6)"),
    ('odds_of = "flee"\nby = "points blue"\nodds = { 1 = 1 }', "cannot be told"),
    ('odds_of = "pass"\nby = "score blue"\nodds = { 1 = 1 }', "no question 'score'"),
]


def expects(expectation: str) -> str:
    return f"{DARE}[[case.expect]]\n{expectation}"


@pytest.mark.parametrize("expectation", MET)
def test_met(play: Any, expectation: str):
    outcome = play(expects(expectation))
    assert outcome.passed, outcome


@pytest.mark.parametrize(("expectation", "found"), UNMET)
def test_unmet(play: Any, expectation: str, found: str):
    outcome = play(expects(expectation))
    assert not outcome.passed
    assert outcome.covered == frozenset()
    (trouble,) = outcome.troubles
    assert trouble.startswith("NOT MET: ")
    assert found in trouble.partition("found: ")[2]


def test_what_a_side_is_told(play: Any):
    blind = 'cards = [6]\nhands = {{ blue = 1 }}\nrolls = [6]\n[[case.expect]]\nevent = "card_drawn"\nwith = {{ card = {} }}\nseen_by = "{}"'
    assert play(blind.format(6, "red")).passed
    assert play(blind.format('"unknown"', "blue")).passed
    assert play(blind.format('"unknown"', "nobody")).passed
    assert not play(blind.format(6, "blue")).passed


def test_the_story_before_and_after_a_line(play: Any):
    two = (
        'do = ["dare", "dare"]\nrolls = [3, 6, 6]\n[[case.expect]]\nevent = "dared"\nwith = { side = "red" }\nafter = 2'
    )
    assert not play(two).passed
    assert play(two.replace('"red"', '"blue"')).passed
    assert play(two.replace("\nafter = 2", "")).passed


def test_the_end_of_a_game(play: Any):
    end = f"points = {{ red = 2 }}\n{DARE}[[case.expect]]\n"
    assert play(end + 'result = "red"\nwith = { scores = { Red = 3 } }\nrule = "toy:3"').passed
    assert play(end + 'refused = "dare"\nrule = "toy:3"').passed
    assert play(end + 'to_act = "nobody"').passed
    assert "found: the game is over" in str(play(end + 'asks = "dare_or_pass"'))
    for wrong in ('result = "blue"', 'result = "draw"', 'result = "open"', 'result = "red"\nrule = "toy:2"'):
        assert not play(end + wrong).passed
    late = play('points = { red = 2 }\ndo = ["dare", "dare"]\nrolls = [3]\n[[case.expect]]\nresult = "red"')
    assert "line 2, 'dare': the game is over" in str(late)


# ------------------------------------------------------------ what is done
@pytest.mark.parametrize(
    ("row", "trouble"),
    [
        ('do = ["dare"]', "the script has no outcome left for Roll"),
        ('do = ["dare"]\nrolls = [7]', "7, entry 1 of the script, is not an outcome of Roll"),
        ('do = ["dare"]\nrolls = [3, 4]', "no roll or draw took these: [4]"),
        ('do = ["dare"]\nrolls = [3, 4]\npoints = { red = 2 }', "the script has outcomes left: (4,)"),
        ('do = ["blue: dare"]\nrolls = [3]', "line 1, 'blue: dare': it is the choice of Red"),
        ('do = ["flee"]', "flee"),
        ("options = { passed = 2 }", "no option 'passed'; did you mean 'passes'?"),
    ],
)
def test_play_that_stops(play: Any, row: str, trouble: str):
    outcome = play(f'{row}\n[[case.expect]]\noffered = "*"')
    assert trouble in outcome.play.trouble
    assert trouble in str(outcome)
    assert not outcome.passed


def test_a_refused_line_says_why_and_what_is_decided(play: Any):
    outcome = play(
        'options = { passes = 2 }\npassed = { red = 2 }\nactive = "blue"\ndo = ["red: pass"]\n[[case.expect]]\noffered = "*"'
    )
    assert outcome.play.trouble == (
        "line 1, 'red: pass': it is the choice of Blue; allowed; "
        "Blue is to decide: dare, or pass and keep the card (DareOrPass); the options are 'pass', 'dare'"
    )
    assert outcome.play.story == "> red: pass"


def test_a_row_that_stops_says_what_is_open(play: Any):
    left = play('do = ["dare"]\nrolls = [3, 4]\n[[case.expect]]\noffered = "*"')
    opened = "Blue is to decide: dare, or pass and keep the card (DareOrPass); the options are 'pass', 'dare'"
    assert left.stops == (f"no roll or draw took these: [4]; {opened}",)
    slip = play('do = ["dare", "dare nothing"]\nrolls = [3]\n[[case.expect]]\noffered = "*"')
    assert slip.stops == (
        f"line 2, 'dare nothing': 'dare nothing': 'nothing' is too much. It is written: dare; {opened}",
    )


def test_answers_go_on_below_the_last_line_while_rolls_are_left(play: Any):
    row = 'answers = { "*" = "last" }\ndo = ["red: dare"]\nrolls = [3, 4, 6, 6, 2]\n'
    outcome = play(row + '[[case.expect]]\nevent = "dared"\ntimes = 3')
    assert outcome.passed, outcome
    assert "~ Blue: dare" in outcome.play.story
    short = play(row.replace(", 4, 6, 6, 2]", "]") + '[[case.expect]]\nto_act = "blue"')
    assert short.passed, short


def test_a_seed_goes_on_where_the_rolls_end(play: Any):
    seeded = play('seed = 7\ndo = ["dare", "dare"]\nrolls = [3]\n[[case.expect]]\nevent = "dared"\ntimes = 2')
    assert seeded.passed, seeded


ANSWERS = '[[case.expect]]\nevent = "passed"\nwith = {{ side = "blue" }}\ntimes = {}'


def test_answers_pass_over_decisions(play: Any):
    lines = 'options = { passes = 2 }\ndo = ["red: pass", "red: dare"]\nrolls = [3]\n'
    assert "it is the choice of Blue" in str(play(lines + ANSWERS.format(1)))
    assert play('answers = { "*" = "pass" }\n' + lines + ANSWERS.format(1)).passed
    assert play('answers = { "*" = "p*" }\n' + lines + ANSWERS.format(1)).passed
    assert play('answers = { "*" = "first" }\n' + lines + ANSWERS.format(1)).passed
    wrong = play('answers = { "*" = "p*t" }\n' + lines + ANSWERS.format(1))
    assert "answers: 'p*t' is none of the options: pass, dare" in str(wrong)
    slip = play('answers = { "*" = "f*" }\n' + lines + ANSWERS.format(1))
    assert "answers: no action begins like 'f*'" in str(slip)
    other = play(
        'answers = { "*" = "last" }\noptions = { passes = 2 }\ndo = ["red: pass", "red: dare"]\nrolls = [6, 3, 2]\n'
        + ANSWERS.format(0)
    )
    assert other.passed, other


def test_named_kinds_are_answered_whenever_they_come_up(play: Any):
    row = 'answers = { DareOrPass = "first" }\nrolls = [6, 6, 2, 2, 2, 2]\npoints = { red = 2, blue = 2 }\n'
    outcome = play(row.replace("[6, 6, 2, 2, 2, 2]", "[6, 1]") + ANSWERS.format(1))
    assert outcome.passed, outcome
    assert "~ Red: pass" in outcome.play.story
    assert outcome.play.story.endswith("Blue dares on a 1 and scores  [toy:2.1]")


def test_named_kinds_are_left_to_the_next_line_where_it_answers_them(play: Any):
    row = 'answers = { DareOrPass = "first" }\ndo = ["red: pass", "blue: dare"]\nrolls = [1]\nhands = { red = 2, blue = 3 }\npoints = { blue = 2 }\n'
    outcome = play(row + ANSWERS.format(0))
    assert outcome.passed, outcome
    assert "> Blue: dare" in outcome.play.story


def test_a_scenario_gives_the_position(rows: Any):
    text = '[[case]]\nid = "row"\nabout = "A row."\nscenario = "toy/dare"\nrolls = [{0}]\n[[case.expect]]\nask = "needed red"\nis = {0}'
    (case,) = rows(text.format(4))
    assert run_case(TOY, case).passed


def test_a_row_that_expects_nothing_does_not_pass(play: Any):
    assert play(DARE).troubles == ("the row expects nothing",)


# ------------------------------------------------------------ what is covered
def test_only_what_is_named_and_met_is_covered(play: Any):
    outcome = play(f'{DARE}[[case.expect]]\nevent = "dared"\nrule = "toy:2.1"\nshows = "toy:2"')
    assert outcome.covered == {"toy:2.1", "toy:2"}
    assert outcome.contrasted == frozenset()
    assert play(f'{DARE}[[case.expect]]\nevent = "dared"').covered == frozenset()


def test_a_contrast_covers_what_differs(play: Any):
    row = f"""{DARE}[[case.expect]]
event = "dared"
with = {{ success = true }}
rule = "toy:2.1"
[[case.expect]]
to_act = "blue"
shows = "toy:2"
[case.contrast]
rolls = [4]
expect = [{{ event = "dared", with = {{ success = false }}, shows = "toy:2.2" }}]"""
    outcome = play(row)
    assert outcome.passed
    assert outcome.contrasted == {"toy:2.1", "toy:2.2"}
    assert outcome.covered == {"toy:2.1", "toy:2", "toy:2.2"}
    assert "the contrast" in str(outcome)
    same = play(row.replace("rolls = [4]", "rolls = [2]").replace("success = false", "success = true"))
    assert same.troubles == ("the contrast makes no difference: what either expects is met in both",)
    wrong = play(row.replace("rolls = [4]", "rolls = [2]"))
    assert [trouble.partition(":")[0] for trouble in wrong.troubles] == ["in the contrast, NOT MET"]


def test_what_cannot_be_told_makes_no_difference(play: Any):
    row = f"""{DARE}[[case.expect]]
ask = "card red"
shows = "toy:2"
[case.contrast]
rolls = [4]
expect = [{{ to_act = "blue" }}]"""
    outcome = play(row)
    assert not outcome.passed
    assert outcome.differences == ()


def test_citations_are_recorded_at_the_doors(play: Any):
    with recording() as cited:
        play(f'{DARE}[[case.expect]]\nask = "may_pass red"\nis = true')
        assert cited == {"toy:2.1"}
        play(f'{DARE}[[case.expect]]\nasks = "dare_or_pass"')
    assert cited == {"toy:2.1", "toy:2"}


# ------------------------------------------------------------ reading
def faults(rows: Any, text: str) -> str:
    with pytest.raises(ScenarioError) as error:
        rows(text)
    return str(error.value)


def test_every_fault_is_told_at_once(rows: Any):
    told = faults(
        rows,
        """
[comon]
[[case]]
id = "a"
hans = { red = 3 }
do = "dare"
[[case.expect]]
event = "dard"
[[case.expect]]
event = "dared"
with = { sid = "red" }
rule = "toy:2.11"
[[case.expect]]
offered = "pass"
rule = "toy:2"
[[case.expect]]
ask = "points red"
iz = 3
[[case.expect]]
offered = 3
[[case.expect]]
rule = "toy:2"
[[case]]
id = "a"
about = "Again."
seed = true
answers = { DareAndPass = "first" }
[[case.expect]]
odds_of = "dare"
odds = { 1 = 0.5, 0 = "1/3" }
[[case.expect]]
event = "dared"
times = 0
rule = "toy:2.1"
[[case.expect]]
offered = "pass"
after = 2
[[case.expect]]
offered = "pass"
refused = "dare"
""",
    )
    for line in [
        "comon: is not known (did you mean 'common'?)",
        "a.about: is missing (every row has an id and one sentence about it)",
        "a.hans: is not known (did you mean 'hands'?)",
        "a.do = 'dare': is of the wrong type (it is a list)",
        "a.expect 1.event = 'dard': there is no such class (did you mean 'Dared'?)",
        "a.expect 2.with.sid: is not known (did you mean 'side'?)",
        "a.expect 2.rule = 'toy:2.11': there is no such rule (did you mean 'toy:2.1'?)",
        "a.expect 3.rule = 'toy:2': offered has no rule (write shows)",
        "a.expect 4.iz: is not known",
        "a.expect 5.offered = 3: is of the wrong type (it is a text or a list)",
        "a.expect 6 = {'rule': 'toy:2'}: is of no kind (name one of refused",
        "a.id = 'a': stands there twice",
        "a.seed = True: is of the wrong type (it is a whole number)",
        "a.answers = 'DareAndPass': there is no such class (did you mean 'DareOrPass'?)",
        "a.expect 1.odds.1 = 0.5: is no exact chance (write a fraction",
        "a.expect 1.by: is missing",
        "a.expect 2.rule = 'toy:2.1': what did not happen cites nothing (write shows)",
        "a.expect 3.after = 2: there are 0 lines in `do`",
        "is of 2 kinds",
    ]:
        assert line in told, line


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "case: there is no row"),
        ("case = 3", "case: there is no row"),
        ("case = [3]", "case: there is no row"),
        ("common = 3", "common = 3: is of the wrong type (it is a table)"),
        ("[", "is not TOML"),
    ],
)
def test_files_without_rows(rows: Any, text: str, told: str):
    assert told in faults(rows, text)


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("contrast = 3", "row.contrast = 3: is of the wrong type (it is a table)"),
        ("rolls = 3", "row.rolls = 3: is of the wrong type (it is a list)"),
        ("expect = 3", "row.expect = 3: is of the wrong type (it is a list)"),
        ("options = [3]", "row.options = [3]: is of the wrong type (it is a table)"),
        ('expect = [{ offered = "pass", after = "x" }]', "after = 'x': is of the wrong type (it is a whole number)"),
        ("expect = [{ offered = [3] }]", "offered = [3]: is of the wrong type (it is a list of texts)"),
        ("expect = [{ only_offered = [{}] }]", "only_offered = [{}]: is of the wrong type (it is a list of texts)"),
        ('expect = [{ event = "dared", rule = [3] }]', "rule = [3]: is of the wrong type (it is a list of texts)"),
    ],
)
def test_values_of_the_wrong_type_are_faults(rows: Any, key: str, told: str):
    assert told in faults(rows, f"{ROW}{key}\n")


def test_a_file_names_its_system(tmp_path: Path):
    path = tmp_path / "rows.toml"
    for text, told in [("", "system: is missing"), ('system = "toys"', "no system 'toys'; did you mean 'toy'?")]:
        path.write_text(text, "utf-8")
        with pytest.raises(ScenarioError, match=told):
            read_cases(path)


ROW = '[[case]]\nid = "row"\nabout = "A row."\n'


@pytest.mark.parametrize(
    ("contrast", "told"),
    [
        ("rolls = [1]", "row.contrast.expect: is missing"),
        ('expect = [{ offered = "*" }]', "row.contrast: changes nothing"),
        ('expect = [{ offered = "*" }]\nhands_replace = ["a", "b"]', "the row has no text 'hands'"),
        (
            'expect = [{ offered = "*" }]\nactive_replace = ["blu", "red"]',
            "'blu': does not stand in the text as a word",
        ),
        ('expect = [{ offered = "*" }]\nactive_replace = ["blue"]', "is no replacement"),
        ('expect = [{ offered = "*" }]\nactiv = "red"', "row.contrast.activ: is not known (did you mean 'active'?)"),
    ],
)
def test_faults_of_contrasts(rows: Any, contrast: str, told: str):
    assert told in faults(rows, f'{ROW}cards = [1]\nactive = "blue"\n[case.contrast]\n{contrast}')


def test_words_are_replaced_in_a_text(rows: Any):
    contrast = '[case.contrast]\nactive_replace = {}\nexpect = [{{ to_act = "red" }}]'
    for pairs in ('["blue", "red"]', '[["blue", "green"], ["green", "red"]]'):
        (case,) = rows(f'{ROW}cards = [1]\nactive = "blue"\n{contrast.format(pairs)}')
        assert case.contrast.position == {"cards": [1], "active": "red"}


def test_words_are_replaced_in_a_list_of_texts(rows: Any):
    contrast = '[case.contrast]\ndo_replace = ["dare", "pass"]\nexpect = [{ to_act = "red" }]'
    (case,) = rows(f'{ROW}do = ["red: dare", "blue: dare"]\n{contrast}')
    assert case.contrast.do == ("red: pass", "blue: pass")


def test_at_most_six_ids(rows: Any):
    expect = "\n".join(f'[[case.expect]]\noffered = "*"\nshows = "other:{n}"' for n in range(7))
    assert "row.expect: names 7 ids (6 at the most; make two rows)" in faults(rows, f"{ROW}{expect}")


def test_common_keys_give_way_to_a_rows_own(rows: Any):
    text = f'[common]\ncards = [1]\nactive = "blue"\n{ROW}active = "red"'
    (case,) = rows(text)
    assert case.play.position == {"cards": [1], "active": "red"}


def test_a_scenario_stands_alone(rows: Any):
    assert "row.scenario = 'toy/dare': stands beside cards" in faults(rows, f'{ROW}cards = [1]\nscenario = "toy/dare"')


def test_explain_tells_the_position_the_story_and_what_was_found(rows: Any):
    (case,) = rows(
        f'{ROW}cards = [1]\nhands = {{ red = 3, blue = 1 }}\n{DARE}[[case.expect]]\nask = "needed blue"\n'
        '[case.contrast]\nrolls = [4]\nexpect = [{ ask = "points red", is = 1 }]'
    )
    told = explain(case)
    for line in [
        "A row.",
        "hands: {'red': 3, 'blue': 1}",
        "> Red: dare",
        "3 is rolled or drawn",
        "Red dares on a 3 and scores  [toy:2.1]",
        "met: ask 'needed blue'\n    found: 1 on the card (toy:2.1) = 1",
        "In contrast:",
        "Red dares on a 3 and fails  [toy:2.1]",
        "NOT MET: ask 'points red', is 1\n    found: 0",
    ]:
        assert line in told, told
    assert told.count("NOT MET") == 1
    assert explain(case, run_case(TOY, case)) == told


def test_a_system_without_cases():
    class Bare:
        name, package = "bare", "toy"

    with pytest.raises(RulesError, match="system bare has no `cases`"):
        case_system(Bare())  # type: ignore[arg-type]


# ------------------------------------------------------------ fields as rows write them
def test_a_system_may_write_fields_its_own_way(rows: Any):
    class Renamed(ToyCases):
        def fields(self, state: Any, what: Any) -> dict[str, Any]:
            return {"card": f"number {what.card}, at {state.points[0]}"} if hasattr(what, "card") else {}

    class Other(type(TOY)):  # type: ignore[misc]
        cases = Renamed()

    (case,) = rows(
        f'{ROW}cards = [1]\nhands = {{ red = 3, blue = 1 }}\n{DARE}[[case.expect]]\nevent = "dared"\nwith = {{ card = "number 3, at 0" }}'
    )
    assert not run_case(TOY, case).passed
    assert run_case(Other(), case).passed


# ------------------------------------------------------------ as tests
@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeconftest(
        f"""
import sys
sys.path.insert(0, {str(HERE)!r})
import beachhead
from toy import TOY
beachhead.register(TOY)
pytest_plugins = ["beachhead.pytest_plugin"]
"""
    )
    (pytester.path / "cases").mkdir()
    return pytester


def test_rows_are_pytest_items(project: pytest.Pytester):
    row = '[[case]]\nid = "{}"\nabout = "A row."\ncards = [1]\nrolls = [1]\n[[case.expect]]\nto_act = "{}"\n'
    text = 'system = "toy"\n' + row.format("right", "red") + row.format("wrong", "blue")
    (project.path / "cases" / "toy.toml").write_text(text, "utf-8")
    (project.path / "other.toml").write_text("not rows", "utf-8")
    result = project.runpytest_inprocess("-v")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*toy.toml::right PASSED*",
            "*toy.toml::wrong FAILED*",
            "*_ case wrong _*",
            "toy.toml::wrong: A row.",
            "*Red draws 1  [[]toy:1.1[]]",
            "NOT MET: to_act 'blue'",
            "*found: Red",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")


def test_faults_of_a_file_are_errors_of_the_collection(project: pytest.Pytester):
    (project.path / "cases" / "toy.toml").write_text('system = "toy"\n', "utf-8")
    result = project.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*cases/toy.toml: 1 fault", "*case: there is no row*"])


def test_marked_tests_that_passed_are_written_down(project: pytest.Pytester):
    project.makepyfile(
        """
import pytest
from beachhead.rules import record_citations

@pytest.mark.covers("toy:1.1", "toy:2")
def test_right():
    record_citations(["toy:1.1"])

@pytest.mark.covers("toy:2")
@pytest.mark.parametrize("n", [1, 2])
def test_half(n):
    assert n == 1

@pytest.mark.covers("toy:3")
def test_wrong():
    record_citations(["toy:3"])
    raise AssertionError

@pytest.mark.covers("toy:3")
def test_passed_over():
    pytest.skip("not now")

def test_unmarked():
    record_citations(["toy:2.1"])
"""
    )
    result = project.runpytest_inprocess("--strict-markers", "--covered=covered.json")
    result.assert_outcomes(passed=3, failed=2, skipped=1)
    covered = json.loads((project.path / "covered.json").read_text("utf-8"))
    right, half = (
        f"test_marked_tests_that_passed_are_written_down.py::{name}" for name in ("test_right", "test_half[1]")
    )
    assert covered == {"tests": {"toy:1.1": [right], "toy:2": [right, half]}, "fired": ["toy:1.1"]}


# ------------------------------------------------------------ what a row may say
def test_the_words_of_a_system():
    words = vocabulary(TOY)
    assert dict(words.keys) == dict(ToyCases.keys)
    assert list(words.decisions) == ["DareOrPass"]
    assert words.decisions["DareOrPass"].about == "dare, or pass and keep the card"
    assert words.decisions["DareOrPass"].fields == ("side",)
    assert words.decisions["DareOrPass"].actions == ("dare", "pass")
    assert words.events["Dared"].fields == ("side", "card", "success")
    page = str(words)
    assert "Questions" not in page
    for line in ("  hands: the card that a side holds: { red = 3 }", "      dare", "  Passed", "      with side"):
        assert line in page.splitlines(), page


def test_questions_are_listed_with_their_arguments():
    class Telling(ToyCases):
        def questions(self) -> dict[str, Any]:
            return {
                "points": lambda side: 0,
                "odds": lambda hex, *units, fire="full", by, at=None: 0,
                "all": lambda n=3: 0,
            }

    class Other(type(TOY)):  # type: ignore[misc]
        cases = Telling()

    page = str(vocabulary(Other()))
    for line in ("  points SIDE", "  odds HEX UNITS… [fire=full] by=BY [at=AT]", "  all [n=3]"):
        assert line in page.splitlines(), page


@pytest.mark.parametrize("name", ["koenig", "memoir44"])
def test_every_key_question_and_class_of_a_system_is_listed(name: str):
    system = find_system(name)
    cases: Any = case_system(system)
    words = vocabulary(system)
    page = str(words)
    for key in cases.keys:
        assert f"\n  {key}: " in page
    for row in sorted(HERE.parent.glob(f"{name}/cases/*.toml")):
        for case in read_cases(row, system):
            for want in case.expect:
                asked = {"ask": want.value, "odds_of": want.by}.get(want.kind, "")
                assert not asked or asked.split()[0] in words.questions, asked


# ------------------------------------------------------------ questions by name
def test_arguments_of_questions_by_place_and_by_name() -> None:
    questions = {"factor": lambda target, *units, fire="full": (target, units, fire)}
    assert answer(questions, "factor", ["D3", "CSR", "fire=mobile", "CHO"]) == ("D3", ("CSR", "CHO"), "mobile")
    with pytest.raises(UnknownName, match="no question 'facto'; did you mean 'factor'"):
        answer(questions, "facto", ["D3"])
    for args in ([], ["D3", "ire=full"], ["D3", "target=D4"]):
        with pytest.raises(ValueError, match=r"factor: .*; it takes \(target, \*units, fire='full'\)"):
            answer(questions, "factor", args)


def test_what_is_asked_at_the_end() -> None:
    answers = {"hits": 2, "reachable": ["C3"], "cost": Breakdown.of(Modifier("road", 1, "toy:1.1"))}

    def ask(state: Any, question: str, args: list[str]) -> Any:
        return answers[question], state, args

    def plain(state: Any, question: str, args: list[str]) -> Any:
        return ask(state, question, args)[0]

    assert at_the_end(plain, "", "hits P") is None
    told = at_the_end(ask, "hits 'Nan Red'", "hits P")
    assert told is not None
    assert told("end") == (2, "end", ["Nan Red"])
    assert [at_the_end(plain, each, "hits P")(None) for each in answers] == [2, ("C3",), 1]  # type: ignore[misc]
    with pytest.raises(ValueError, match="is no question: for odds, ask for something like by='hits P'"):
        at_the_end(plain, "hits 'P", "hits P")


def test_numbers_and_flags_in_words() -> None:
    assert [whole(each) for each in (3, "-2")] == [3, -2]
    assert [flag(each) for each in ("yes", "True", True, "", "no", "false", False)] == [True] * 3 + [False] * 4
    for read, word in ((whole, "four"), (flag, "maybe")):
        with pytest.raises(ValueError, match=repr(word)):
            read(word)
