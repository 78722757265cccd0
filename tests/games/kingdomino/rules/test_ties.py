"""Who wins when points are equal: the table `ties.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.games.kingdomino.rules.events import DominoPlaced
from companion.games.kingdomino.rules.kingdom import Kingdom
from companion.games.kingdomino.rules.scoring import largest_property, property_points, rank, rank_dynasty
from companion.games.kingdomino.text.notation import parse_event, write_kingdom
from tests.games.kingdomino.stories import KINGDOMINO, drawn, session_of, started

TIES = tomllib.loads((Path(__file__).parents[1] / "ties.toml").read_text(encoding="utf-8"))

each_tie = pytest.mark.parametrize("row", TIES["tie"])
each_standing = pytest.mark.parametrize("row", (*TIES["tie"], *TIES["standing"]))


def kingdom_of_text(text: str) -> Kingdom:
    """A kingdom drawn, or told domino by domino."""
    if "##" in text:
        return drawn(text.replace("/", "\n"))
    kingdom = Kingdom()
    for line in text.split("\n"):
        event = parse_event(f"1 lays {line.strip()}")
        assert isinstance(event, DominoPlaced)
        kingdom = kingdom.laid(event.placement)
    return kingdom


def kingdoms_of(row: dict[str, Any]) -> list[Kingdom]:
    return [kingdom_of_text(text) for text in row["kingdoms"]]


def test_the_table_has_all_its_rows() -> None:
    assert (len(TIES["tie"]), len(TIES["standing"]), len(TIES["dynasty"])) == (19, 2, 30)


@each_standing
def test_kingdoms_stand_as_the_tie_break_says(row: dict[str, Any]) -> None:
    kingdoms = kingdoms_of(row)
    standing = rank(kingdoms, [property_points(kingdom) for kingdom in kingdoms])
    counted = [[property_points(k), largest_property(k), k.crowns] for k in kingdoms]

    assert counted == row["counted"]
    assert list(standing.ranks) == row["ranks"]
    assert (standing.decided_by.key if standing.decided_by else "shared") == row["decided_by"]


@each_tie
def test_a_document_of_the_players_tells_who_won_by_what(row: dict[str, Any]) -> None:
    players = [{"placements": [_row(line) for line in text.split("\n")]} for text in row["kingdoms"]]
    answer = KINGDOMINO.score_document({"players": players})

    assert answer["ranking"]["base"]["ranks"] == row["ranks"]
    assert answer["ranking"]["base"]["decided_by"] == row["decided_by"]
    assert answer["ranking"]["base"]["winners"] == [p for p, place in enumerate(row["ranks"]) if place == 1]
    keys = ("score", "largest_property", "total_crowns")
    assert [[kingdom[key] for key in keys] for kingdom in answer["kingdoms"]] == row["counted"]


def _row(line: str) -> list[object]:
    domino, _at, place, direction = line.split()
    x, y = place.split(",")
    return [int(domino), int(x), int(y), direction]


@each_standing
def test_a_table_that_shows_these_kingdoms_is_told_who_won(row: dict[str, Any]) -> None:
    shown = [f"{player} shows 5 {write_kingdom(k)}" for player, k in enumerate(kingdoms_of(row), start=1)]
    standing = session_of(started(len(shown), "score_only"), shown).tally.standing

    assert list(standing.ranks) == row["ranks"]
    assert (standing.decided_by.key if standing.decided_by else "shared") == row["decided_by"]


@each_tie
def test_a_bonus_comes_before_the_tie_break(row: dict[str, Any]) -> None:
    kingdoms = kingdoms_of(row)
    last = row["ranks"].index(max(row["ranks"]))
    totals = [property_points(kingdom) for kingdom in kingdoms]
    totals[last] += 10
    standing = rank(kingdoms, totals)

    assert standing.winners == (last,)
    assert standing.decided_by is not None
    assert standing.decided_by.key == "score"


@pytest.mark.parametrize("row", TIES["dynasty"])
def test_a_dynasty_is_won_by_points_alone(row: dict[str, Any]) -> None:
    standing = rank_dynasty(row["totals"])

    assert [player + 1 for player in standing.winners] == row["winners"]
    assert (standing.decided_by is None) is (len(row["winners"]) > 1)
