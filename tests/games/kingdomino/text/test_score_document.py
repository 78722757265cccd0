"""What `companion score kingdomino` is handed and answers."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import CompanionError
from tests.games.kingdomino.stories import KINGDOMINO

CASTLE = [0, 0, "castle", 0]
LAKE = [1, 0, "lake", 1]


def test_a_kingdom_is_described_with_everything_there_is_to_count() -> None:
    cells = [CASTLE, LAKE, [2, 0, "lake", 0], [0, 1, "wheat", 1], [0, 2, "empty", 0]]

    assert KINGDOMINO.score_document({"size": 5, "cells": cells}) == {
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
    answer = KINGDOMINO.score_document({"cells": cells})

    assert answer["bbox"] == [7, 9, 8, 10]
    assert answer["cells"] == cells
    assert [found["cells"] for found in answer["properties"]] == [[[8, 9]], [[7, 10]]]


def test_a_kingdom_can_be_told_by_its_dominoes() -> None:
    placements = [[48, 1, 0, "E"], [30, 0, 1, "S"]]

    assert KINGDOMINO.score_document({"placements": placements}) == KINGDOMINO.score_document(
        {"cells": [CASTLE, [1, 0, "wheat", 0], [2, 0, "mine", 3], [0, 1, "lake", 1], [0, 2, "wheat", 0]]}
    )


def test_a_domino_is_asked_about_in_the_coordinates_of_the_document() -> None:
    cells = [[3, 3, "castle", 0]]
    beside = {"cells": cells, "domino": 48, "x": 4, "y": 3, "dir": "E"}

    assert KINGDOMINO.score_document(beside)["legal"] is True
    assert KINGDOMINO.score_document({**beside, "x": 5})["legal"] is False
    assert KINGDOMINO.score_document(beside)["legal_placements"] == 24
    assert KINGDOMINO.score_document(beside)["may_discard"] is False


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
        KINGDOMINO.score_document(document)

    assert str(refused.value) == message


def test_no_cell_is_left_out_however_many_there_are() -> None:
    empty = [[x, y, "empty", 0] for x in range(1, 20) for y in range(1, 22)]

    assert KINGDOMINO.score_document({"cells": [*empty, CASTLE]})["cells"] == [CASTLE]
    with pytest.raises(CompanionError, match="A kingdom has at most 400 cells"):
        KINGDOMINO.score_document({"cells": [CASTLE, *empty, LAKE]})
