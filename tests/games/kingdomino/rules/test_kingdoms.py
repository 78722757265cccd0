"""Kingdoms that are easy to count wrongly: the table `kingdoms.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.games.kingdomino.rules.scoring import (
    largest_property,
    middle_kingdom_points,
    points,
    property_points,
)
from tests.games.kingdomino.stories import KINGDOMINO, document_of, drawn, one_line, session_of, started

KINGDOMS = tomllib.loads((Path(__file__).parents[1] / "kingdoms.toml").read_text(encoding="utf-8"))

each_kingdom = pytest.mark.parametrize("row", KINGDOMS["kingdom"], ids=lambda row: row["name"])
each_counted = pytest.mark.parametrize("row", KINGDOMS["counted"], ids=lambda row: row["name"])


def test_the_table_has_all_its_kingdoms() -> None:
    assert (len(KINGDOMS["kingdom"]), len(KINGDOMS["counted"])) == (7, 4)


@each_kingdom
def test_a_kingdom_comes_to_what_was_counted_by_hand(row: dict[str, Any]) -> None:
    kingdom = drawn(row["kingdom"])

    assert [f"{p.terrain.value} {p.size}×{p.crowns}" for p in kingdom.properties()] == row["properties"]
    assert property_points(kingdom) == row["points"]
    assert largest_property(kingdom) == row["largest_property"]
    assert kingdom.crowns == row["crowns"]
    assert middle_kingdom_points(kingdom) == (10 if row["middle_kingdom"]["bbox"] else 0)


@each_kingdom
def test_a_document_of_the_kingdom_comes_to_the_same(row: dict[str, Any]) -> None:
    answer = KINGDOMINO.score_document(document_of(drawn(row["kingdom"])))
    found = [f"{p['terrain']} {p['size']}×{p['crowns']}" for p in answer["properties"]]
    known = {
        "score": row["points"],
        "largest_property": row["largest_property"],
        "total_crowns": row["crowns"],
        "middle_kingdom": row["middle_kingdom"],
    }

    assert {key: answer[key] for key in known} == known
    assert found == row["properties"]


@each_counted
def test_a_kingdom_brings_its_points_and_bonuses(row: dict[str, Any]) -> None:
    kingdom = drawn(row["kingdom"])
    plain, full = points(kingdom, frozenset()), points(kingdom, frozenset(row["options"]))

    assert full == row.get("points", plain + row.get("bonus", 0))


@each_counted
def test_the_tally_of_the_kingdom_says_the_same(row: dict[str, Any]) -> None:
    shown = ["1 shows 5 " + one_line(row["kingdom"]), "2 shows 5 ##w0"]
    session = session_of(started(2, " ".join(["score_only", *row["options"]])), shown)
    plain = property_points(drawn(row["kingdom"]))

    assert session.tally.totals[0] == row.get("points", plain + row.get("bonus", 0))


def test_both_bonuses_are_worth_what_the_rulebook_says() -> None:
    complete = drawn(KINGDOMS["counted"][3]["kingdom"])
    answer = KINGDOMINO.score_document(document_of(complete))

    assert answer["totals"] == {"base": 28, "middle": 38, "harmony": 33, "both": 43}
    assert answer["harmony"] is True


def test_a_kingdom_that_is_not_full_has_no_harmony() -> None:
    centred = drawn(KINGDOMS["counted"][2]["kingdom"])

    assert points(centred, {"harmony"}) == points(centred, frozenset())
    assert points(centred, {"harmony", "middle_kingdom"}) == points(centred, frozenset()) + 10
