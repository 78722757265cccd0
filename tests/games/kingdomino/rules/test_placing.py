"""Where a domino may be laid: the table `placing.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import IllegalEvent
from companion.games.kingdomino.rules.kingdom import STEPS, Cell, Direction, Kingdom, Placement
from companion.games.kingdomino.rules.pieces import Square, parse_square
from tests.games.kingdomino.stories import KINGDOMINO, document_of, drawn

TABLE = tomllib.loads((Path(__file__).parents[1] / "placing.toml").read_text(encoding="utf-8"))
REASONS = {
    "": None,
    "taken": "There is a square in that place already.",
    "larger": "There the kingdom would be larger than {size} by {size} squares.",
    "apart": "There it touches neither the castle nor a square of its own terrain.",
}
RULES = {"area": "larger", "castle": "apart", "neighbour": "apart"}
"""What a half is told when it breaks the rule."""

each_rule = [(rule, case) for rule in TABLE["rule"] for case in rule["cases"]]
each_discard = [
    (row, domino, word == "discarded")
    for row in TABLE["discarding"]
    for word in ("discarded", "placed")
    for domino in row[word]
]


def kingdom_of_row(row: dict[str, Any]) -> Kingdom:
    return drawn(row["kingdom"], row.get("size", 5))


def placement_of(row: dict[str, Any]) -> Placement:
    place, direction = row["at"].split()
    x, y = map(int, place.split(","))
    return Placement(row["domino"], x, y, Direction(direction))


def placing_refusal(kingdom: Kingdom, placement: Placement) -> str | None:
    try:
        kingdom.laid(placement)
    except IllegalEvent as error:
        return str(error)
    return None


def half_of(text: str) -> tuple[Cell, Square]:
    square, place = text.split(" at ")
    x, y = place.split(",")
    return (int(x), int(y)), parse_square(square)


def placement_between(one: Cell, other: Cell, because: str) -> Placement:
    """Domino 1 in these two cells; which domino it is does not matter to the squares already there."""
    step = (other[0] - one[0], other[1] - one[1])
    direction = next(direction for direction, found in STEPS.items() if found == step)
    return Placement(1, *one, direction, because)


def test_the_table_has_all_its_cases() -> None:
    assert (len(TABLE["placing"]), len(each_discard), len(each_rule)) == (8, 10, 20)


@pytest.mark.parametrize("row", TABLE["placing"], ids=lambda row: row["name"])
def test_a_domino_goes_where_the_rules_allow_it(row: dict[str, Any]) -> None:
    kingdom, placement = kingdom_of_row(row), placement_of(row)
    reason = REASONS[row["refused"]]

    assert placing_refusal(kingdom, placement) == (reason and reason.format(size=kingdom.size))
    assert (placement in kingdom.placements_of(placement.domino)) == (not row["refused"])


@pytest.mark.parametrize("row", TABLE["placing"], ids=lambda row: row["name"])
def test_a_document_that_asks_about_a_place_is_told_the_same(row: dict[str, Any]) -> None:
    kingdom, placement = kingdom_of_row(row), placement_of(row)
    asked = {"domino": placement.domino, "x": placement.x, "y": placement.y, "dir": placement.direction.value}
    answer = KINGDOMINO.score_document({**document_of(kingdom), **asked})

    assert answer["legal"] is (not row["refused"])


@pytest.mark.parametrize(("row", "domino", "discarded"), each_discard)
def test_a_domino_is_discarded_only_when_it_fits_nowhere(
    row: dict[str, Any], domino: int, discarded: bool
) -> None:
    kingdom = kingdom_of_row(row)

    assert (kingdom.placements_of(domino) == ()) is discarded
    assert KINGDOMINO.score_document({**document_of(kingdom), "domino": domino})["may_discard"] is discarded


@pytest.mark.parametrize(("row", "case"), [(row, case) for row, case in each_rule if row["rule"] in RULES])
def test_each_rule_of_placing_refuses_by_its_own_reason(row: dict[str, Any], case: dict[str, Any]) -> None:
    kingdom = kingdom_of_row(row)
    reason = REASONS[RULES[row["rule"]]]
    (one, left), (other, right) = map(half_of, case["halves"])
    refused = kingdom.refusal((one, other), (left, right))

    assert (str(refused) != str(reason).format(size=kingdom.size)) is case["allowed"]


@pytest.mark.parametrize("case", next(row["cases"] for row in TABLE["rule"] if row["rule"] == "overlap"))
@pytest.mark.parametrize("because", ("", "we always play so"))
def test_no_reason_puts_two_squares_in_one_place(case: dict[str, Any], because: str) -> None:
    kingdom = kingdom_of_row(next(row for row in TABLE["rule"] if row["rule"] == "overlap"))
    (one, _left), (other, _right) = map(half_of, case["halves"])
    placement = placement_between(one, other, because)

    assert (placing_refusal(kingdom, placement) != REASONS["taken"]) is case["allowed"]
