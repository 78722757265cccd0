"""Kingdoms that are easy to count wrongly: the table `kingdoms.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.games.kingdomino.rules.events import DominoPlaced
from companion.games.kingdomino.rules.kingdom import Kingdom
from companion.games.kingdomino.rules.scoring import (
    largest_property,
    middle_kingdom_points,
    points,
    property_points,
    rank,
    rank_dynasty,
)
from companion.games.kingdomino.text.documents import score_document
from companion.games.kingdomino.text.notation import parse_event, write_kingdom
from tests.games.kingdomino.golden_games import GAMES
from tests.games.kingdomino.stories import document_of, drawn, one_line, said, session_of, started

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
    answer = score_document(document_of(drawn(row["kingdom"])))
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
    answer = score_document(document_of(complete))

    assert answer["totals"] == {"base": 28, "middle": 38, "harmony": 33, "both": 43}
    assert answer["harmony"] is True


def test_a_kingdom_that_is_not_full_has_no_harmony() -> None:
    centred = drawn(KINGDOMS["counted"][2]["kingdom"])

    assert points(centred, {"harmony"}) == points(centred, frozenset())
    assert points(centred, {"harmony", "middle_kingdom"}) == points(centred, frozenset()) + 10


def properties(picture: str) -> list[tuple[str, int, int, int]]:
    found = drawn(picture).properties()
    return [(p.terrain.value, p.size, p.crowns, p.points) for p in found]


def shown(*pictures: str) -> list[str]:
    """The lines of a table that shows these kingdoms."""
    return [f"{player} shows 5 {one_line(picture)}" for player, picture in enumerate(pictures, start=1)]


def test_squares_of_one_terrain_that_touch_are_a_property() -> None:
    assert properties("""
        ## f0 f1
        .. l0 f0
    """) == [("forest", 3, 1, 3), ("lake", 1, 0, 0)]


def test_squares_that_touch_by_a_corner_are_two_properties() -> None:
    assert properties("""
        ## f1 l0
        .. l0 f1
    """) == [("forest", 1, 1, 1), ("lake", 1, 0, 0), ("lake", 1, 0, 0), ("forest", 1, 1, 1)]


def test_the_castle_joins_no_properties() -> None:
    assert properties("f1 ## f1") == [("forest", 1, 1, 1), ("forest", 1, 1, 1)]


def test_a_property_brings_its_squares_times_its_crowns() -> None:
    assert properties("## m0 m2 m3 m1") == [("mine", 4, 6, 24)]


def test_a_property_without_crowns_brings_nothing() -> None:
    assert property_points(drawn("## w0 w0 w0 w0")) == 0


def test_there_can_be_several_properties_of_a_terrain() -> None:
    assert properties("""
        w1 w0 l0 w1
        .. ## s1 w0
        .. .. w1 s0
    """) == [
        ("wheat", 2, 1, 2),
        ("lake", 1, 0, 0),
        ("wheat", 2, 1, 2),
        ("swamp", 1, 1, 1),
        ("wheat", 1, 1, 1),
        ("swamp", 1, 0, 0),
    ]


def test_the_score_is_the_sum_of_all_properties() -> None:
    # Six forests with a crown, three grasslands with two, and two lakes: one of two squares, one alone.
    kingdom = drawn("""
        l0 l1 s0 s0 ..
        w0 w0 ## f0 l0
        .. w0 f1 f0 f0
        g0 g2 w0 l1 f0
        g0 w0 w0 g0 f0
    """)

    assert property_points(kingdom) == 6 + 6 + 1 + 2


def test_the_tally_gives_each_property_a_line_with_its_working_and_its_squares() -> None:
    session = session_of(started(2, "score_only"), shown("## f0 f1", "l1 ##"))
    (line,) = session.tally.of(0)

    assert (str(line.reason), line.points, line.working) == ("Forest", 2, "2 × 1")
    assert line.where == ("1:1,0", "1:2,0")
    assert [line.where for line in session.tally.of(1)] == [("2:-1,0",)]


def test_points_grow_while_the_game_goes_on() -> None:
    story = ["line 30 31 32", "1 takes 30", "2 takes 31", "3 takes 32", "line 1 2 3"]
    session = session_of(started(3), [*story, "1 lays 30 at 1,0 E", "1 takes 1", "2 lays 31 at 1,0 E"])

    assert session.tally.totals == (1, 1, 0)
    assert said(session.tally, 0) == [("Lake", 1), ("Wheat field", 0)]
    assert session.tally.standing.winners == (0, 1)


PLAIN = "## f1 f0"  # 2 points, 2 squares, 1 crown
LAKES = "## l0 l1"  # the same
LARGE = "## f1 f0 w0 w0/.. .. .. .. w0"  # 2 points, 3 squares, 1 crown
ROYAL = "## g2 w0 w0"  # 2 points, 2 squares, 2 crowns
SMALL = "## g2"  # 2 points, 1 square, 2 crowns
POOR = "## f1"  # 1 point, 1 square, 1 crown


@pytest.mark.parametrize(
    ("kingdoms", "ranks", "decided_by"),
    (
        ((PLAIN, POOR), (1, 2), "score"),
        ((POOR, PLAIN), (2, 1), "score"),
        # as many points: the larger property wins, with or without crowns
        ((PLAIN, LARGE), (2, 1), "largest_property"),
        ((LARGE, SMALL), (1, 2), "largest_property"),
        # as large: more crowns win
        ((PLAIN, ROYAL), (2, 1), "crowns"),
        ((ROYAL, LAKES), (1, 2), "crowns"),
        # still equal: the victory is shared
        ((PLAIN, LAKES), (1, 1), "shared"),
        # three and four
        ((PLAIN, ROYAL, LARGE), (3, 2, 1), "largest_property"),
        ((PLAIN, ROYAL, LAKES), (2, 1, 2), "crowns"),
        ((PLAIN, POOR, LAKES), (1, 3, 1), "shared"),
        ((POOR, PLAIN, ROYAL, LAKES), (4, 2, 1, 2), "crowns"),
        ((PLAIN, LAKES, PLAIN, LAKES), (1, 1, 1, 1), "shared"),
    ),
)
def test_the_most_points_win_then_the_largest_property_then_the_most_crowns(
    kingdoms: tuple[str, ...], ranks: tuple[int, ...], decided_by: str
) -> None:
    pictures = [kingdom.replace("/", "\n") for kingdom in kingdoms]
    standing = session_of(started(len(pictures), "score_only"), shown(*pictures)).tally.standing

    assert standing.ranks == ranks
    assert (standing.decided_by.key if standing.decided_by else "shared") == decided_by
    assert standing.winners == tuple(player for player, place in enumerate(ranks) if place == 1)


def test_the_table_is_told_what_decided_in_words() -> None:
    def decided(*kingdoms: str) -> str:
        pictures = [kingdom.replace("/", "\n") for kingdom in kingdoms]
        standing = session_of(started(2, "score_only"), shown(*pictures)).tally.standing
        return str(standing.decided_by.name) if standing.decided_by else ""

    assert decided(PLAIN, POOR) == "points"
    assert decided(PLAIN, LARGE) == "the largest property"
    assert decided(PLAIN, ROYAL) == "the most crowns"


def test_a_castle_alone_has_no_largest_property() -> None:
    assert largest_property(drawn("##")) == 0


@pytest.mark.parametrize("name", ("2p-01", "3p-07", "4p-30", "duel-12"))
def test_the_lines_of_the_tally_add_up_to_the_known_totals(name: str) -> None:
    game = GAMES[name]
    tally = session_of(game.start, game.events).tally

    for player, kingdom in enumerate(game.kingdoms):
        worked = [tuple(map(int, line.working.split(" × "))) for line in tally.of(player)]
        assert [size * crowns for size, crowns in worked] == [line.points for line in tally.of(player)]
        assert sum(line.points for line in tally.of(player)) == kingdom.totals["base"]
        assert sum(len(line.where) for line in tally.of(player)) == sum(size for size, _crowns in worked)


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
    answer = score_document({"players": players})

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
