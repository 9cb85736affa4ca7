"""What a step cites: rows say what must be cited, and not what must not."""

from __future__ import annotations

from beachhead_koenig.cases import position
from beachhead_koenig.questions import movement_cost


def test_a_close_combat_is_by_road_only_where_the_road_leads_there() -> None:
    units = ["C3: CSR 4-6 allied", "D3: P 3-6 german"]
    assert "koenig:K-03" not in movement_cost(position(units), "CSR", "D3").rules
    assert "koenig:K-03" in movement_cost(position([*units, "road: C3-D3"]), "CSR", "D3").rules
