"""Kingdoms counted one by one: what two of them cannot both have come out of one box with."""

from __future__ import annotations

from itertools import pairwise

import pytest

from companion.games.kingdomino.rules.inventory import fits_one_box
from companion.games.kingdomino.rules.together import conflicts, table_problems
from companion.games.kingdomino.text.notation import parse_kingdom
from tests.games.kingdomino.golden_games import GAMES
from tests.games.kingdomino.stories import drawn, session_of, started

TWICE = "This kingdom needs a domino that lies in another one: look at both again."
SHARED = "A domino of this kingdom lies in that of {}, too, and the box has it only once: look at both again."
MINES = "Mine (crowns: 3): 2 squares, but the box has only 1."


def problems_told(kingdom: str, **others: str) -> list[str]:
    return [
        str(text) for text in conflicts(drawn(kingdom), {name: drawn(one) for name, one in others.items()})
    ]


@pytest.mark.parametrize(
    ("kingdom", "others", "expected"),
    (
        ("## f0 f0", {"Rui": "## w0 w0"}, []),
        ("## f0 f0", {"Rui": "##"}, []),
        (
            "## f0 f0",
            {"Rui": "## f0 f0", "Eva": "##"},
            ["This is the very kingdom that is recorded for Rui: is it the same photo?"],
        ),
        # seen from another side of the table
        (
            "## f0 f0",
            {"Rui": "f0 f0 ##"},
            ["This is the very kingdom that is recorded for Rui: is it the same photo?"],
        ),
        (
            "## m3 w0",
            {"Rui": "## l0 l0", "Eva": "w0 m3 ## w0 w0"},
            [f"{MINES} Others lie in the kingdom of Eva."],
        ),
        # five squares of wheat with a crown are in the box, but only one domino has it beside a lake
        ("## w1 l0", {"Rui": "## w1 l0 f0 f0"}, [SHARED.format("Rui")]),
        ("## w1 l0", {"Rui": "## w1 f0", "Eva": "## l0 w1 f0 f0"}, [SHARED.format("Eva")]),
        # three dominoes are lake with lake: two of them here and two there are one too many
        (
            "l0 l0 ## l0 l0",
            {"Rui": "## l0 l0", "Eva": "l0 l0 ##"},
            ["The box has too few dominoes for all these kingdoms: look at them again."],
        ),
    ),
)
def test_what_a_kingdom_cannot_be_beside_others(
    kingdom: str, others: dict[str, str], expected: list[str]
) -> None:
    assert problems_told(kingdom, **others) == expected


def test_two_kingdoms_that_need_one_domino_are_remarked_at_the_end() -> None:
    session = session_of(started(3, "score_only"), ["1 shows 5 ##w1l0", "2 shows 5 f0f0##w1l0"])

    assert [(str(one), one.player) for one in session.problems] == [(TWICE, 0), (TWICE, 1)]


@pytest.mark.parametrize("name", list(GAMES)[::10])
def test_kingdoms_of_one_game_lie_beside_each_other(name: str) -> None:
    golden = GAMES[name]
    kingdoms = [parse_kingdom(one.drawing, golden.size) for one in golden.kingdoms]
    others = {str(number): one for number, one in enumerate(kingdoms[1:])}

    assert (list(table_problems(kingdoms)), list(conflicts(kingdoms[0], others))) == ([], [])


def test_kingdoms_of_two_games_hardly_do() -> None:
    first = [parse_kingdom(golden.kingdoms[0].drawing, golden.size) for golden in GAMES.values()]
    pairs = list(pairwise(first))

    told = [bool(list(conflicts(one, {"Rui": other}))) for one, other in pairs]

    assert all(told[at] for at, pair in enumerate(pairs) if not fits_one_box(pair))
    assert sum(told) > len(pairs) / 2
