"""`companion score carcassonne` and `companion replay carcassonne`: what scripts hand in and get back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.core.errors import CompanionError
from companion.games.carcassonne.rules.events import StartLaid, TileDiscarded, TileLaid
from companion.games.carcassonne.text.documents import replay_document, score_document
from companion.games.carcassonne.text.notation import parse_event
from tests.games.carcassonne.golden_games import GAMES, GoldenGame
from tests.games.carcassonne.rules.test_golden_games import last_table

WITH_A_DISCARD = next(
    golden.name for golden in GAMES.values() if any("discards" in text for text in golden.events)
)


def document_of(golden: GoldenGame) -> dict[str, Any]:
    """The game as scripts write it down."""
    document: dict[str, Any] = {"id": golden.name, "players": golden.players, "moves": []}
    gone: list[str] = []
    for event in map(parse_event, golden.events):
        match event:
            case StartLaid(placement):
                document["start"] = placed(placement)
            case TileDiscarded(_player, tile):
                gone.append(tile)
            case TileLaid(player, placement, follower):
                move = {"player": player, **placed(placement), "meeple": follower or None}
                document["moves"].append(move | ({"discarded_before": gone} if gone else {}))
                gone = []
    return document


def placed(placement: tuple[str, int, int, int]) -> dict[str, object]:
    return dict(zip(("tile", "x", "y", "rot"), placement, strict=True))


def table_of(golden: GoldenGame) -> dict[str, Any]:
    """The last table of a game as scripts write it down."""
    table = parse_event(last_table(golden)).table  # type: ignore[union-attr]
    return {
        "players": golden.players,
        "tiles": [[x, y, tile, turn] for tile, x, y, turn in table.tiles],
        "followers": [[player, *segment] for player, segment in table.followers],
        "scores": list(table.points),
    }


@pytest.mark.parametrize("name", ("2p-01", "3p-02", "4p-03", "5p-04", "city-tie", WITH_A_DISCARD))
def test_a_game_is_played_again_move_by_move(name: str) -> None:
    golden = GAMES[name]
    answer = replay_document(document_of(golden))
    laid = [line for line in golden.log if line.lays]

    assert answer["id"] == name
    assert [tuple(move["scores"]) for move in answer["moves"]] == [line.points for line in laid]
    assert answer["final"]["scores"] == list(golden.totals)
    assert answer["winners"] == [p for p, points in enumerate(golden.totals) if points == max(golden.totals)]
    if golden.final:
        assert [move["placements"] for move in answer["moves"]] == [line.places for line in laid]
        assert [tuple(move["followers"]) for move in answer["moves"]] == [line.claims for line in laid]


@pytest.mark.parametrize("name", ("2p-01", "3p-02", "4p-03", "5p-04", "city-tie", WITH_A_DISCARD))
def test_the_last_table_has_the_same_end(name: str) -> None:
    golden = GAMES[name]
    answer = score_document(table_of(golden))

    assert answer["final"] == replay_document(document_of(golden))["final"]
    assert answer["problems"] == []


def test_a_shared_feature_is_told_for_everybody_who_gets_its_points() -> None:
    answer = replay_document(document_of(GAMES["city-tie"]))

    assert [
        (entry["player"], entry["kind"], entry["points"], entry["tiles"])
        for entry in answer["moves"][-1]["scored"]
    ] == [
        (0, "city", 10, 5),
        (1, "city", 10, 5),
    ]
    assert answer["moves"][-1]["scored"][1]["at"] == {"x": 1, "y": 0, "feature": "c0"}


def test_what_cannot_be_is_named_and_the_rest_counted() -> None:
    followers = [[1, 0, -1, "c0"], *[[0, n, 0, "f0"] for n in range(1, 9)]]
    roads = [[n, 0, "U", 1] for n in range(1, 9)]
    table = {"players": 2, "tiles": [[0, 0, "D", 3], [0, -1, "E", 2], *roads], "followers": followers}
    answer = score_document({**table, "scores": [31, 44]})

    assert answer["problems"] == [
        "Player 1: There are 8 followers on the table, but only 7 may be: one is on the track.",
        "Player 2: A knight stands in a complete city, which was not counted yet: it counts in full. [0,-1:c0]",
    ]
    assert answer["final"]["scores"] == [34, 48]


def test_older_rules_are_named_in_the_document() -> None:
    table = {"players": 1, "tiles": [[0, 0, "D", 3], [0, -1, "E", 2]], "followers": [[0, 0, -1, "c0"]]}

    assert score_document(table)["final"]["scores"] == [4]
    rules = {"two_tile_city_points": 2}
    assert score_document({**table, "rules": rules})["final"]["scores"] == [2]
    assert score_document({**table, "options": ["two_tile_cities"]})["final"]["scores"] == [2]


TABLE = {"players": 2, "tiles": [[0, 0, "D", 3]]}
MOVE = {"player": 0, "tile": "E", "x": 0, "y": -1, "rot": 2, "meeple": None}


@pytest.mark.parametrize(
    ("document", "expected"),
    (
        ([], "A JSON object is needed here"),
        ({}, "“players” is missing."),
        ({"players": 6}, "“players” is a number from 1 to 5."),
        ({"players": True}, "“players” cannot be True."),
        ({"players": 2}, "There is no tile on this table."),
        ({**TABLE, "tiles": [[0, 0, "D"]]}, "A tile is [x, y, letter, rot]"),
        ({**TABLE, "tiles": [[0, 0, "D", 4]]}, "A tile is [x, y, letter, rot]"),
        ({**TABLE, "tiles": [[0, 0, "Z", 0]]}, "There is no tile “Z”."),
        ({**TABLE, "tiles": [[0, 1000, "D", 0]]}, "1000 is not a coordinate."),
        ({**TABLE, "tiles": [[0, 0, "D", 0]] * 201}, "There is too much on this table."),
        ({**TABLE, "followers": [[2, 0, 0, "c0"]]}, "There is no player 2."),
        ({**TABLE, "followers": [0]}, "A follower is [player, x, y, feature]"),
        ({**TABLE, "scores": [1]}, "“scores” needs the points of each of the 2 players."),
        ({**TABLE, "scores": [1, -1]}, "Nobody has -1 points."),
        ({**TABLE, "options": ["farms_once", "farms_by_city"]}, "There is more than one rule about farmers"),
        ({**TABLE, "options": ["river"]}, "There is no option called “river”."),
        ({**TABLE, "options": [["x"]]}, "There is no option called"),
        ({**TABLE, "rules": {"two_tile_city_points": 3}}, "There is no rule “two_tile_city_points” of 3."),
        ({**TABLE, "rules": {"two_tile_city_points": []}}, "“two_tile_city_points” cannot be []."),
    ),
)
def test_a_table_that_means_nothing_is_refused(document: object, expected: str) -> None:
    with pytest.raises(CompanionError) as refused:
        score_document(document)

    assert expected in str(refused.value)


@pytest.mark.parametrize(
    ("moves", "expected"),
    (
        ([{**MOVE, "x": 5}], "Move 1: A tile has to lie beside another one, side by side."),
        ([MOVE, MOVE], "Move 2: A tile lies there already."),
        ([{**MOVE, "meeple": "c1"}], "Move 1: Tile E has no part “c1”."),
        ([{**MOVE, "meeple": 1}], "Move 1: “meeple” cannot be 1."),
        ([{**MOVE, "player": 7}], "Move 1: There is no player 7."),
        ([{**MOVE, "discarded_before": ["E"]}], "Move 1: The tile fits somewhere, so it has to be laid."),
        ([{**MOVE, "discarded_before": [None]}], "Move 1: There is no tile “None”."),
        ([7], "Move 1: A JSON object is needed here, not 7."),
        ([MOVE] * 201, "There are too many moves in this game."),
    ),
)
def test_a_game_that_cannot_be_is_refused_where_it_goes_wrong(moves: list[object], expected: str) -> None:
    with pytest.raises(CompanionError) as refused:
        replay_document({"players": 2, "start": {"rot": 3}, "moves": moves})

    assert str(refused.value) == expected


@pytest.mark.parametrize("start", ({"tile": "X"}, {"x": 7, "y": -3}))
def test_every_game_begins_with_the_same_tile_in_the_same_place(start: dict[str, object]) -> None:
    with pytest.raises(CompanionError) as refused:
        replay_document({"players": 2, "start": start, "moves": []})

    assert str(refused.value) == "“start”: The game begins with tile D at 0,0."


def test_no_discarded_tile_may_be_written_as_null() -> None:
    game = {"players": 2, "start": {"rot": 3}, "moves": [MOVE]}
    null = {**game, "moves": [{**MOVE, "discarded_before": None}]}

    assert replay_document(null) == replay_document(game)


def test_the_command_answers_and_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.json"
    file.write_text(json.dumps(table_of(GAMES["5p-01"])), encoding="utf-8")

    assert main(["score", "carcassonne", "--json", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["final"]["scores"] == list(GAMES["5p-01"].totals)
    assert main(["score", "carcassonne", str(file)]) == 0
    assert "Victory: " in capsys.readouterr().out
