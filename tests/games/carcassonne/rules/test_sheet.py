"""The quick sheet: the end of a game told in numbers comes to what the table itself comes to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.games.carcassonne.rules.board import FeatureKind
from companion.games.carcassonne.rules.moves import turn_over
from companion.games.carcassonne.rules.position import Position
from companion.games.carcassonne.text.notation import write_event
from tests.games.carcassonne.golden_games import GAMES
from tests.games.carcassonne.stories import CARCASSONNE, evening, refusal, said, session_of, started, troubles
from tests.games.stories import tell

ANA_AND_RUI = """
    1 has 31
    2 has 44
    scores city 5 2 for 1
    scores road 3 for 1 2
    scores monastery 7 for 2
    scores field 3 for 1
"""


def test_an_end_in_numbers_is_counted_with_its_reasons() -> None:
    session = evening(2, ANA_AND_RUI, "score_only")

    assert said(session.tally, 0) == [
        ("On the track", "", 31),
        ("Unfinished city", "(5 + 2) × 1", 7),
        ("Unfinished road, shared", "3 × 1", 3),
        ("Field", "3 × 3", 9),
    ]
    assert said(session.tally, 1) == [
        ("On the track", "", 44),
        ("Unfinished road, shared", "3 × 1", 3),
        ("Unfinished monastery", "7 × 1", 7),
    ]
    assert (session.turn.over, session.problems) == (False, ())
    assert tell(session, ["end"]).turn.over


def test_nobody_has_won_before_everybodys_track_is_told() -> None:
    assert refusal(2, "1 has 31", "end", "score_only") == "Say first what everybody has on the track."
    assert refusal(2, "", "end", "score_only") == "Say first what everybody has on the track."
    assert refusal(2, ANA_AND_RUI + "end", "end", "score_only") == "The game is over."


def test_what_was_forgotten_is_told_after_the_end() -> None:
    session = evening(2, ANA_AND_RUI + "end\nscores field 2 for 2\n2 has 45", "score_only")

    assert (session.turn.over, session.tally.totals) == (True, (50, 61))


@pytest.mark.parametrize(
    ("options", "line", "points"),
    (
        ("", "scores field 3 for 1", 9),
        ("farms_once", "scores field 3 for 1", 9),
        ("farms_by_city", "scores field 3 for 1", 12),
        # Small cities count less when they are complete; one that is not never counts double.
        ("two_tile_cities", "scores city 2 for 1", 2),
    ),
)
def test_the_options_of_the_table_hold(options: str, line: str, points: int) -> None:
    assert evening(2, line, f"score_only {options}".strip()).tally.totals == (points, 0)


@pytest.mark.parametrize(
    ("story", "line", "options", "message"),
    (
        ("", "scores field 1 for 1", "score_only no_farmers", "This table plays without farmers."),
        ("", "scores road 3 1 for 1", "score_only", "Only cities have pennants."),
        ("", "scores monastery 10 for 1", "score_only", "Nothing in the box is that large."),
        ("", "scores road 0 for 1", "score_only", "Nothing in the box is that large."),
        ("", "scores city 2 3 for 1", "score_only", "Nothing in the box is that large."),
        ("", "scores road 3 for 1 3", "score_only", "There is no such player."),
        ("", "3 has 4", "score_only", "There is no such player."),
        ("", "scores road 3 for 1", "", "In this game the table grows tile by tile."),
        (
            "table D@0,0W | |",
            "1 has 4",
            "score_only",
            "The tiles of this game are shown: tap them for what stands there.",
        ),
        (
            "1 has 4",
            "table D@0,0W | |",
            "score_only",
            "This game is told in numbers: take them back to show the table.",
        ),
    ),
)
def test_what_cannot_be_is_refused(story: str, line: str, options: str, message: str) -> None:
    assert refusal(2, story, line, options) == message


def test_more_than_a_player_has_followers_for_is_asked_about() -> None:
    session = evening(2, "scores road 2 for 1\n" * 8, "score_only")

    assert troubles(session) == [
        "There are 8 followers on the table, but only 7 may be: one is on the track."
    ]


@pytest.mark.parametrize("golden", GAMES, ids=str)
def test_a_whole_game_told_in_numbers_has_the_points_of_its_table(golden: str) -> None:
    played = session_of(GAMES[golden].start, GAMES[golden].events)
    position = turn_over(played.position)
    options = " ".join(["score_only", *sorted(position.variants)])
    session = session_of(started(position.players, options), [*_sheet(position), "end"])

    assert session.tally.totals == played.tally.totals
    assert session.tally.standing.ranks == played.tally.standing.ranks
    for line in _sheet(position):
        assert write_event(CARCASSONNE.parse(line)) == line


def _sheet(position: Position) -> Iterator[str]:
    """What people read off the table at the end."""
    for player, points in enumerate(position.points):
        yield f"{player + 1} has {points}"
    for count in position.outlook:
        owners = " ".join(str(owner + 1) for owner in count.owners)
        things = len(count.cities) if count.kind is FeatureKind.FIELD else count.tiles
        if things:
            pennants = f" {count.pennants}" if count.pennants else ""
            yield f"scores {count.kind.value} {things}{pennants} for {owners}"
