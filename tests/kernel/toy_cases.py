"""How a row of a case file becomes a position of Dare, and what may be asked of it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from toy import TOY, DareOrPass, Pass, Side, State, Table, of

from beachhead.cup import Cup
from beachhead.errors import UnknownName
from beachhead.odds import Distribution
from beachhead.rules import Breakdown, Modifier, Verdict
from beachhead.spelling import nearest


class ToyCases:
    keys: Mapping[str, str] = {
        "cards": "the deck, [1, 2, …]",
        "goal": "the points that win; 3 if left out",
        "active": 'whose turn it is; "red" if left out',
        "hands": "the card that a side holds: { red = 3 }",
        "points": "{ red = 2 }",
        "passed": "how often on end a side has passed: { red = 1 }",
    }

    def set_up(self, row: Mapping[str, Any]) -> State:
        passes = int(TOY.catalogue.choices(row["options"])["toy:passes"])
        goal = row.get("goal", 3)

        def each(key: str, otherwise: int | None) -> tuple[Any, ...]:
            return tuple(row.get(key, {}).get(side.name.lower(), otherwise) for side in Side)

        return State(
            Table(f"toy/case/{goal}/{passes}", goal, passes),
            Cup.of(*row["cards"]),
            each("hands", None),
            each("points", 0),
            each("passed", 0),
            Side[row.get("active", "red").upper()],
        )

    def ask(self, state: State, question: str, args: list[str]) -> Verdict | Breakdown | Distribution[bool] | int:
        side = Side[args[0].upper()]
        match question:
            case "points":
                return int(of(state.points, side))
            case "may_pass":
                return DareOrPass(side).verdict(state, Pass())
            case "needed":
                return Breakdown.of(Modifier("on the card", of(state.cards, side), "toy:2.1"))
            case "success":
                p = Fraction(of(state.cards, side), 6)
                return Distribution({True: p, False: 1 - p})
        questions = ("points", "may_pass", "needed", "success")
        raise UnknownName(f"no question {question!r}{nearest(question, questions)}; known: {', '.join(questions)}")


CASES = ToyCases()
