"""What `companion replay kingdomino` is handed and answers: the golden games as JSON documents."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import CompanionError, IllegalEvent
from companion.games.kingdomino.rules.events import (
    DominoChosen,
    DominoDiscarded,
    DominoesRemoved,
    DominoPlaced,
    KingsDrawn,
    LineDrawn,
)
from companion.games.kingdomino.text.documents import replay_document, score_document
from companion.games.kingdomino.text.notation import parse_kingdom
from tests.games.kingdomino.golden_games import GAMES, GoldenGame, GoldenKingdom
from tests.games.kingdomino.stories import KINGDOMINO

each_game = pytest.mark.parametrize("golden", GAMES.values(), ids=list(GAMES))


def document_of(golden: GoldenGame) -> dict[str, Any]:
    """The moves of a golden game, as scripts write them."""
    document: dict[str, Any] = {"id": golden.name, "players": len(golden.kingdoms), "lines": []}
    document |= {"mighty_duel": True} if golden.size == 7 else {}
    document |= {"setup_choices": [], "events": []}
    for text in golden.events:
        _add(document, KINGDOMINO.parse(text))
    return document


def _add(document: dict[str, Any], event: object) -> None:
    match event:
        case DominoesRemoved(dominoes):
            document["removed"] = list(dominoes)
        case KingsDrawn(players):
            document["king_draw"] = list(players)
        case LineDrawn(dominoes):
            document["lines"].append(list(dominoes))
        case DominoChosen(player, domino) if document["events"]:
            assert document["events"][-1]["player"] == player
            document["events"][-1]["chooses"] = domino
        case DominoChosen(player, domino):
            document["setup_choices"].append({"player": player, "chooses": domino})
        case DominoPlaced(player, placed):
            move = {"player": player, "action": "place", "domino": placed.domino}
            document["events"].append({**move, "x": placed.x, "y": placed.y, "dir": placed.direction.value})
        case DominoDiscarded(player, domino):
            document["events"].append({"player": player, "action": "discard", "domino": domino})


def cells_of(kingdom: GoldenKingdom, size: int) -> list[list[object]]:
    squares = parse_kingdom(kingdom.drawing, size).squares
    rows = sorted(squares.items(), key=lambda item: (item[0][1], item[0][0]))
    return [[x, y, square.terrain.value, square.crowns] for (x, y), square in rows]


def described(kingdom: GoldenKingdom, size: int) -> dict[str, Any]:
    """What the answer has to say about a kingdom, as far as the golden file knows it."""
    cells = cells_of(kingdom, size)
    columns, rows = ([int(str(cell[axis])) for cell in cells] for axis in (0, 1))
    return {
        "score": kingdom.totals["base"],
        "largest_property": kingdom.largest_property,
        "total_crowns": kingdom.crowns,
        "middle_kingdom": {"bbox": kingdom.centred, "full": kingdom.full, "within": kingdom.within},
        "harmony": kingdom.harmony,
        "totals": kingdom.totals,
        "bbox": [min(columns), min(rows), max(columns), max(rows)],
        "cells": cells,
    }


@each_game
def test_a_document_of_the_moves_has_the_known_results(golden: GoldenGame) -> None:
    answer = replay_document(document_of(golden))

    assert answer["id"] == golden.name
    for player, (kingdom, expected) in enumerate(zip(answer["kingdoms"], golden.kingdoms, strict=True)):
        known = {"player": player, **described(expected, golden.size)}
        assert {key: kingdom[key] for key in known} == known
        assert _properties(kingdom) == expected.properties
    assert answer["totals"] == {
        way: [kingdom.totals[way] for kingdom in golden.kingdoms] for way in golden.kingdoms[0].totals
    }


@each_game
def test_a_document_of_the_moves_has_the_known_ranks(golden: GoldenGame) -> None:
    ranking = replay_document(document_of(golden))["ranking"]

    assert ranking == {
        way: {
            "ranks": list(expected.ranks),
            "winners": [player for player, rank in enumerate(expected.ranks) if rank == 1],
            "decided_by": expected.decided_by,
        }
        for way, expected in golden.ranks.items()
    }


@each_game
def test_a_document_of_the_moves_counts_the_same_places(golden: GoldenGame) -> None:
    answer = replay_document(document_of(golden))
    thrown = [[int(line.text.split()[2]) for line in golden.log if line.text.startswith(f"{player} discards")]
              for player in range(1, len(golden.kingdoms) + 1)]  # fmt: skip

    assert answer["legal"] == [line.places for line in golden.log if line.places is not None]
    assert [kingdom["discarded"] for kingdom in answer["kingdoms"]] == thrown


@each_game
def test_kingdoms_given_by_their_squares_have_the_known_results(golden: GoldenGame) -> None:
    kingdoms = [{"size": golden.size, "cells": cells_of(kingdom, golden.size)} for kingdom in golden.kingdoms]
    answer = score_document({"players": kingdoms})

    assert [_properties(kingdom) for kingdom in answer["kingdoms"]] == [k.properties for k in golden.kingdoms]
    for alone, kingdom, expected in zip(kingdoms, answer["kingdoms"], golden.kingdoms, strict=True):
        known = described(expected, golden.size)
        assert {key: kingdom[key] for key in known} == known
        assert score_document(alone) == kingdom
    assert {way: ranking["ranks"] for way, ranking in answer["ranking"].items()} == {
        way: list(expected.ranks) for way, expected in golden.ranks.items()
    }


def _properties(kingdom: dict[str, Any]) -> tuple[str, ...]:
    for found in kingdom["properties"]:
        assert (found["size"], found["points"]) == (len(found["cells"]), found["size"] * found["crowns"])
    return tuple(f"{found['terrain']} {found['size']}×{found['crowns']}" for found in kingdom["properties"])


MOVES = document_of(GAMES["2p-01"])
MOVE = {"player": 1, "domino": 4}


@pytest.mark.parametrize(
    ("changed", "message"),
    (
        ({"players": 5}, "“players” is 2, 3 or 4, and 2 in a Mighty Duel."),
        ({"players": 3, "mighty_duel": True}, "“players” is 2, 3 or 4, and 2 in a Mighty Duel."),
        ({"players": True}, "“players” cannot be True."),
        ({"players": "2"}, "“players” cannot be 2."),
        ({"mighty_duel": 1}, "“mighty_duel” cannot be 1."),
        ({"lines": None}, "“lines” cannot be None."),
        ({"lines": []}, "“lines” ends before the game does."),
        ({"lines": [4, 31, 39, 41]}, "Line 1: A line is a list of dominoes, not 4."),
        ({"lines": [[4, 31, 39, 49]]}, "Line 1: There is no domino 49."),
        ({"lines": [[4, 31, 39, 4]]}, "Line 1: A line has 4 different dominoes."),
        ({"lines": [[2, 31, 39, 41]]}, "Line 1: Domino 2 was set aside."),
        ({"removed": [2]}, "“removed”: With 2 players 24 dominoes are set aside."),
        ({"king_draw": [0, 0, 1]}, "“king_draw”: Each player has 2 kings in the hand."),
        ({"king_draw": [0, 0, 1, 4]}, "“king_draw”: There is no player 4."),
        ({"setup_choices": [7]}, "Setup choice 1: A JSON object is needed here, not 7."),
        ({"setup_choices": [{"player": 0}]}, "Setup choice 1: “chooses” is missing."),
        ({"setup_choices": [{"player": 1, "chooses": 41}]}, "Setup choice 1: It is another player's turn."),
        ({"events": [7]}, "Move 1: A JSON object is needed here, not 7."),
        ({"events": [{**MOVE, "action": "place"}]}, "Move 1: “x” is missing."),
        (
            {"events": [{**MOVE, "action": "keep"}]},
            "Move 1: “action” is place or discard, not “keep”.",
        ),
        (
            {"events": [{**MOVE, "action": "discard"}]},
            "Move 1: Domino 4 fits somewhere, so it has to be placed.",
        ),
        (
            {"events": [{**MOVE, "action": "place", "x": 1, "y": 0, "dir": "up"}]},
            "Move 1: “dir” is E, S, W or N, not “up”.",
        ),
        (
            {"events": [{**MOVE, "action": "place", "x": 101, "y": 0, "dir": "E"}]},
            "Move 1: 101 is not a coordinate.",
        ),
    ),
)
def test_a_document_that_is_no_game_is_refused_with_the_reason(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(CompanionError) as refused:
        replay_document({**MOVES, **changed})

    assert str(refused.value) == message


def test_a_wrong_move_is_told_by_its_number() -> None:
    moves = MOVES["events"]
    swapped = [*moves[:16], {**moves[16], "domino": moves[17]["domino"]}, *moves[17:]]

    with pytest.raises(IllegalEvent) as refused:
        replay_document({**MOVES, "events": swapped})

    assert str(refused.value) == f"Move 17: Domino {moves[16]['domino']} comes next."


def test_a_wrong_choice_is_told_by_the_number_of_its_move() -> None:
    moves = MOVES["events"]
    taken = [moves[0], {**moves[1], "chooses": moves[0]["chooses"]}]

    with pytest.raises(IllegalEvent) as refused:
        replay_document({**MOVES, "events": taken})

    assert str(refused.value).startswith("Move 2: ")


@pytest.mark.parametrize("key", ("players", "lines", "setup_choices", "events"))
def test_a_document_without_its_moves_says_what_is_missing(key: str) -> None:
    with pytest.raises(CompanionError) as refused:
        replay_document({name: value for name, value in MOVES.items() if name != key})

    assert str(refused.value) == f"“{key}” is missing."


def test_a_document_may_leave_out_what_nobody_has_to_tell() -> None:
    told = replay_document(MOVES)
    untold = {key: value for key, value in MOVES.items() if key not in ("id", "removed", "king_draw")}

    assert replay_document(untold) == {**told, "id": None}


def test_a_document_can_say_why_people_overruled_the_rules() -> None:
    move = {**MOVE, "action": "discard", "because": "it fell off the table"}

    assert replay_document({**MOVES, "events": [move]})["kingdoms"][1]["discarded"] == [4]


CASTLE = [0, 0, "castle", 0]
LAKE = [1, 0, "lake", 1]


def test_a_kingdom_is_described_with_everything_there_is_to_count() -> None:
    cells = [CASTLE, LAKE, [2, 0, "lake", 0], [0, 1, "wheat", 1], [0, 2, "empty", 0]]

    assert score_document({"size": 5, "cells": cells}) == {
        "score": 3,
        "largest_property": 2,
        "total_crowns": 2,
        "middle_kingdom": {"bbox": False, "full": False, "within": True},
        "harmony": False,
        "properties": [
            {"terrain": "lake", "size": 2, "crowns": 1, "points": 2, "cells": [[1, 0], [2, 0]]},
            {"terrain": "wheat", "size": 1, "crowns": 1, "points": 1, "cells": [[0, 1]]},
        ],
        "totals": {"base": 3, "middle": 3, "harmony": 3, "both": 3},
        "bbox": [0, 0, 2, 1],
        "cells": [CASTLE, LAKE, [2, 0, "lake", 0], [0, 1, "wheat", 1]],
    }


def test_the_origin_of_the_coordinates_is_free() -> None:
    cells = [[7, 9, "castle", 0], [8, 9, "lake", 1], [7, 10, "lake", 0]]
    answer = score_document({"cells": cells})

    assert answer["bbox"] == [7, 9, 8, 10]
    assert answer["cells"] == cells
    assert [found["cells"] for found in answer["properties"]] == [[[8, 9]], [[7, 10]]]


def test_a_kingdom_can_be_told_by_its_dominoes() -> None:
    placements = [[48, 1, 0, "E"], [30, 0, 1, "S"]]

    assert score_document({"placements": placements}) == score_document(
        {"cells": [CASTLE, [1, 0, "wheat", 0], [2, 0, "mine", 3], [0, 1, "lake", 1], [0, 2, "wheat", 0]]}
    )


def test_a_domino_is_asked_about_in_the_coordinates_of_the_document() -> None:
    cells = [[3, 3, "castle", 0]]
    beside = {"cells": cells, "domino": 48, "x": 4, "y": 3, "dir": "E"}

    assert score_document(beside)["legal"] is True
    assert score_document({**beside, "x": 5})["legal"] is False
    assert score_document(beside)["legal_placements"] == 24
    assert score_document(beside)["may_discard"] is False


@pytest.mark.parametrize(
    ("document", "message"),
    (
        ([], "A JSON object is needed here, not []."),
        ({}, "“cells” is missing."),
        ({"cells": {}}, "“cells” cannot be {}."),
        ({"cells": []}, "A kingdom has one castle; this one has 0."),
        ({"cells": [CASTLE, [1, 0, "castle", 0]]}, "A kingdom has one castle; this one has 2."),
        ({"cells": [CASTLE], "size": 6}, "“size” is 5 or 7, not 6."),
        ({"cells": [CASTLE], "size": 5.0}, "“size” cannot be 5.0."),
        ({"cells": [CASTLE, LAKE, LAKE]}, "Two squares at 1,0."),
        (
            {"cells": [CASTLE, [1, 0, "lake"]]},
            "A cell is written [x, y, terrain, crowns], not [1, 0, 'lake'].",
        ),
        ({"cells": [CASTLE, [1, 0, "sea", 0]]}, "“sea” is not a terrain."),
        ({"cells": [CASTLE, [1, 0, ["lake"], 0]]}, "“['lake']” is not a terrain."),
        ({"cells": [CASTLE, [1, 0, None, 0]]}, "“None” is not a terrain."),
        ({"cells": [CASTLE, [1, 0, "lake", 4]]}, "A square has 0 to 3 crowns, not 4."),
        ({"cells": [CASTLE, [1, 0, "lake", True]]}, "A square has 0 to 3 crowns, not True."),
        ({"cells": [[0, 0, "castle", 1]]}, "A square has 0 to 0 crowns, not 1."),
        ({"cells": [CASTLE, [1.5, 0, "lake", 0]]}, "1.5 is not a coordinate."),
        ({"cells": [CASTLE, [1, 101, "lake", 0]]}, "101 is not a coordinate."),
        ({"cells": [CASTLE, [5, 0, "lake", 0]]}, "A kingdom has at most 5 by 5 squares."),
        ({"cells": [CASTLE, [0, -7, "lake", 0]], "size": 7}, "A kingdom has at most 7 by 7 squares."),
        ({"placements": [[1, 1, 0]]}, "A placement is written [domino, x, y, direction], not [1, 1, 0]."),
        ({"placements": [[0, 1, 0, "E"]]}, "There is no domino 0."),
        ({"placements": [[1, 1, 0, "e"]]}, "“dir” is E, S, W or N, not “e”."),
        ({"placements": [[1, 0, 0, "E"]]}, "There is a square in that place already."),
        (
            {"placements": [[1, 2, 0, "E"]]},
            "There it touches neither the castle nor a square of its own terrain.",
        ),
        ({"cells": [CASTLE], "domino": 49}, "There is no domino 49."),
        ({"cells": [CASTLE], "domino": 1, "dir": "E"}, "“x” is missing."),
        ({"players": []}, "There is no kingdom to score."),
        ({"players": [[]]}, "A JSON object is needed here, not []."),
    ),
)
def test_a_document_that_is_no_kingdom_is_refused_with_the_reason(document: Any, message: str) -> None:
    with pytest.raises(CompanionError) as refused:
        score_document(document)

    assert str(refused.value) == message


def test_no_cell_is_left_out_however_many_there_are() -> None:
    empty = [[x, y, "empty", 0] for x in range(1, 20) for y in range(1, 22)]

    assert score_document({"cells": [*empty, CASTLE]})["cells"] == [CASTLE]
    with pytest.raises(CompanionError, match="A kingdom has at most 400 cells"):
        score_document({"cells": [CASTLE, *empty, LAKE]})
