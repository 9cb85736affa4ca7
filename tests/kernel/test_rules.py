"""Answers that cite their rules, the catalogue, and what is recorded at the doors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from toy import TOY

from beachhead.errors import OptionError, UnknownName
from beachhead.rules import (
    Breakdown,
    Catalogue,
    Modifier,
    Objection,
    Provenance,
    Status,
    Verdict,
    first_objection,
    knocked_out,
    question,
    read_charts,
    record_citations,
    recording,
    verdict,
)
from beachhead.spelling import nearest, nearest_id

FAR = Objection("x:1", "{} is {} hexes away", ("C3", 4))
TIRED = Objection(("x:2", "x:1"), "nobody moves twice")


# ------------------------------------------------------------ answers
def test_verdicts():
    against = Verdict((FAR, TIRED))
    assert (bool(against), against.ok, against.rules) == (False, False, ("x:1", "x:2"))
    assert str(against) == "C3 is 4 hexes away (x:1); nobody moves twice (x:2, x:1)"
    assert FAR.rule == TIRED.rules[1] == "x:1"
    assert "<li>C3 is 4 hexes away (x:1)</li>" in against._repr_html_()
    allowed = Verdict(facts=(Objection("x:3", "the line is clear on one side"),))
    assert (bool(allowed), allowed.rules) == (True, ("x:3",))
    assert str(allowed) == "allowed: the line is clear on one side (x:3)"
    assert str(Verdict()) == "allowed"
    several = Verdict(facts=(Objection("x:3", "the line is clear"), Objection("x:4", "it is near")))
    assert str(several) == "allowed: the line is clear (x:3); it is near (x:4)"


def test_a_text_is_put_together_only_when_read():
    class Loud:
        def __str__(self) -> str:
            raise AssertionError("nobody asked")

    objection = Objection("x:1", "{} is loud", (Loud(),))
    assert not Verdict((objection,))
    with pytest.raises(AssertionError, match="nobody asked"):
        str(objection)


def test_breakdowns():
    dice = Breakdown.of(Modifier("infantry", 3, "x:1")) + Modifier("forest", -1, ("x:2", "x:1"))
    both = dice + Breakdown.of(Modifier("tanks", 2, "x:3", authored=True))
    assert (dice.total, int(both), both.rules) == (2, 4, ("x:1", "x:2", "x:3"))
    assert both.uncited == "3 infantry - 1 forest + 2 tanks (authored) = 4"
    assert (dice.authored, both.authored) == (False, True)
    assert str(both) == "3 infantry (x:1) - 1 forest (x:2, x:1) + 2 tanks (x:3, authored) = 4"
    assert str(Breakdown()) == "0"
    assert str(Breakdown.of(Modifier("mud", -2, "x:4"))) == "- 2 mud (x:4) = -2"
    assert "<td align=right>-1</td><td>forest</td>" in dice._repr_html_()


def test_nearest():
    assert nearest("oter", ["other", "thing"]) == "; did you mean 'other'?"
    assert nearest("oter", ["other", "thing"], "a/") == "; did you mean 'a/other'?"


def test_of_ids_one_of_the_same_section_is_meant():
    known = ["x:1.1.a", "x:16.1.x", "y:1.1.x"]
    assert nearest_id("x:1.1.x", known) == nearest_id("x:1.1", known) == "; did you mean 'x:1.1.a'?"
    assert nearest_id("z:1.1.x", known) == "; did you mean 'y:1.1.x'?"
    assert nearest("q", ["other"]) == ""


@pytest.mark.parametrize(
    ("typed", "known", "meant"),
    [
        ("tyo", "toy", True),  # of short words one letter, or their order
        ("toi", "toy", True),
        ("wds", "woods", True),
        ("ALLIED", "allied", True),
        ("Bob", "bob", True),
        ("full", "Full Fire", True),  # an abbreviation
        ("moblie", "Mobile Fire", True),
        ("juno", "koenig/juno", True),
        ("a-die-scores", "a-die-no-higher-than-the-card-scores", True),
        ("fire", "airpower", False),
        ("G15", "G41", False),
        ("G15", "G19", False),
        ("gren", "red", False),
        ("A1", "A9", False),
        ("...", "other", False),
    ],
)
def test_what_is_far_from_what_was_typed_is_not_suggested(typed, known, meant):
    assert nearest(typed, ["nothing like it", known]) == (f"; did you mean {known!r}?" if meant else "")


# ------------------------------------------------------------ the catalogue
def write(folder: Path, rules: str, rulings: str = "") -> Catalogue:
    (folder / "rules.toml").write_text(rules, "utf-8")
    if rulings:
        (folder / "rulings.toml").write_text(rulings, "utf-8")
    return Catalogue(folder)


def test_the_catalogue_is_a_mapping_of_rules(tmp_path):
    catalogue = write(
        tmp_path,
        """
        [[rule]]
        id = "x:1.2.a"
        title = "Far"
        text = "Nobody goes far."
        status = "enforced"
        [[rule]]
        id = "x:2"
        title = "Again"
        text = "As before."
        same_as = "x:1.2.a"
        """,
    )
    rule = catalogue["x:1.2.a"]
    assert (rule.section, rule.status, catalogue["x:2"].status) == ("1.2", Status.ENFORCED, Status.SAME_AS)
    assert (len(catalogue), list(catalogue), "x:2" in catalogue, "x:3" in catalogue) == (
        2,
        ["x:1.2.a", "x:2"],
        True,
        False,
    )
    assert (catalogue.search("nobody FAR"), catalogue.search("far before")) == ((rule,), ())
    assert str(rule) == "x:1.2.a  Far\nNobody goes far."
    assert catalogue.rulings == {}
    with pytest.raises(UnknownName, match=r"no rule 'x:1.2.b'; did you mean 'x:1.2.a'\?"):
        catalogue["x:1.2.b"]


def test_an_id_stands_there_once(tmp_path):
    row = '[[rule]]\nid = "x:1"\ntitle = "A"\ntext = "B"\n'
    with pytest.raises(ValueError, match="an id stands there twice"):
        len(write(tmp_path, row * 2))


RULINGS = """
[[ruling]]
id = "x:K-14"
title = "Which units"
reading = "Any."
reason = "The text is silent."
choices = { any = "any unit", own = "own units only" }
default = "any"
[[ruling]]
id = "x:14.2"
title = "An optional rule"
reading = "Off."
reason = "It is optional."
choices = { yes = "on", no = "off" }
default = "no"
[[ruling]]
id = "x:K-15"
title = "One reading"
reading = "So."
reason = "So it is."
"""


def test_choices(tmp_path):
    choices = write(tmp_path, "", RULINGS).choices
    assert choices({}) == {"x:K-14": "any", "x:14.2": "no"}
    assert choices({"x:K-14": "own", "14.2": True}) == {"x:K-14": "own", "x:14.2": "yes"}
    assert choices({"x:14.2": False}) == choices({"14.2": "no"}) == choices({})
    for options, text in (
        ({"x:K-41": "any"}, r"no option 'x:K-41'; did you mean 'x:K-14'\?; known: x:14.2, x:K-14"),
        ({"zzz": 1}, r"no option 'zzz'; known: x:14.2, x:K-14"),
        ({"x:K-15": "so"}, r"no option 'x:K-15'"),
        ({"K-14": "all"}, r"option x:K-14 has no choice 'all': it is one of any, own"),
        ({"K-14": True}, r"option x:K-14 has no choice 'yes': it is one of any, own"),
        ({"14.2": 1}, r"option x:14.2 has no choice '1': it is one of yes, no"),
    ):
        with pytest.raises(OptionError, match=text):
            choices(options)
    assert TOY.catalogue.choices({"passes": 2}) == {"toy:passes": "2"}


def test_a_ruling_prints_its_choices(tmp_path):
    ruling = write(tmp_path, "", RULINGS).rulings["x:K-14"]
    assert str(ruling).splitlines()[-2:] == ["  any (default): any unit", "  own: own units only"]


def test_charts_say_where_each_figure_comes_from(tmp_path):
    path = tmp_path / "charts.toml"
    path.write_text(
        """
        [[chart]]
        name = "dice"
        rule = "x:5"
        figures = { near = 3, far = 1 }
        source = "text"
        sources = { far = "authored" }
        """,
        "utf-8",
    )
    chart = read_charts(path)["dice"]
    assert (dict(chart), len(chart)) == ({"near": 3, "far": 1}, 2)
    assert chart.source == {"near": Provenance.TEXT, "far": Provenance.AUTHORED}
    assert chart.modifier("near") == Modifier("near", 3, "x:5")
    assert str(chart.modifier("far", "at long range")) == "1 at long range (x:5, authored)"


# ------------------------------------------------------------ at the doors
def test_recording_collects_and_nests():
    record_citations(["x:0"])  # nobody listens
    with recording() as outer:
        record_citations(["x:1"])
        with recording() as inner:
            record_citations(["x:2"])
        record_citations(["x:3"])
    record_citations(["x:4"])
    assert (outer, inner) == ({"x:1", "x:2", "x:3"}, {"x:2"})


def test_recording_ends_with_an_error():
    with pytest.raises(ZeroDivisionError), recording() as ids:
        1 // 0
    record_citations(["x:1"])
    assert not ids


class State:
    """Of a system."""


@question
def strength(state: State, unit: str, *others: str, bonus: int = 0, night: bool = False) -> int:
    return len((unit, *others)) + bonus - night


@pytest.mark.parametrize(
    ("ask", "problem"),
    [
        (lambda: strength(None, "A"), "strength is asked of a State, not of None: that of a game is game.state"),
        (lambda: strength(SimpleNamespace(state=State()), "A"), "not of a SimpleNamespace: give its .state"),
        (lambda: strength(state="C3", unit="A"), "not of a str: that of a game is game.state"),
        (lambda: strength(State(), ["A"]), r"strength: unit is \['A'\], and a text is expected"),
        (lambda: strength(State(), "A", bonus=1.5), "bonus is 1.5, and a whole number is expected"),
        (lambda: strength(State(), "A", "B", night="yes"), "night is 'yes', and True or False is expected"),
        (lambda: strength(State()), "missing 1 required positional argument: 'unit'"),
        (lambda: strength(State(), "A", moon=1), "unexpected keyword argument 'moon'"),
    ],
)
def test_a_question_looks_at_what_it_is_given(ask: Callable[[], object], problem: str):
    with pytest.raises(TypeError, match=problem):
        ask()
    assert strength(State(), "A", "B", bonus=2, night=True) == 3


def test_a_question_records_what_its_answer_cites():
    @question
    def dice(n: int) -> Breakdown:
        """How many dice."""
        return Breakdown.of(Modifier("dice", n, "x:7"))

    @question
    def count() -> int:
        return 3

    assert (dice.__name__, dice.__doc__) == ("dice", "How many dice.")
    with recording() as ids:
        assert (dice(2).total, count()) == (2, 3)
    assert ids == {"x:7"}


def test_knocked_out():
    reasons = [FAR, TIRED]
    dice = Breakdown.of(Modifier("infantry", 3, "x:1"), Modifier("forest", -1, "x:2"))
    with knocked_out("x:2"):
        assert first_objection(iter(reasons)) == FAR
        assert first_objection(iter([TIRED])) is None
        assert verdict(iter(reasons)) == Verdict((FAR,))
        assert dice.total == 3
        with knocked_out("x:1"):
            assert verdict(iter(reasons)).ok
            assert dice.total == 0
        assert dice.total == 3
    with knocked_out("x:1", "x:2") as struck:
        assert struck.isdisjoint({"x:1", "x:2"})
        assert verdict(iter([TIRED])).ok
        assert struck >= {"x:1", "x:2"}
    assert (first_objection(iter(reasons)), verdict(iter(reasons)).objections, dice.total) == (FAR, (FAR, TIRED), 2)
    assert first_objection(iter([])) is None


def test_what_was_struck_is_forgotten_when_it_is_back():
    with knocked_out("x:1"):
        assert verdict(iter([Objection("x:1", "no")]))
    with knocked_out("x:2") as struck:
        assert struck == set()
