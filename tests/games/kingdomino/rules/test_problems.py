"""Kingdoms tapped in by hand: what cannot come out of one box is noticed."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from companion.games.kingdomino.rules import problems
from companion.games.kingdomino.rules.kingdom import HOME, Cell, Kingdom, kingdom_of
from companion.games.kingdomino.rules.pieces import DOMINOES, Square, Terrain
from companion.games.kingdomino.rules.problems import (
    buildable,
    conflicts,
    fits_one_box,
    kingdom_problems,
    scarce_squares,
    table_problems,
)
from companion.games.kingdomino.text.notation import parse_kingdom
from tests.games.kingdomino.golden_games import GAMES, GoldenGame
from tests.games.kingdomino.stories import drawn, session_of, started

CUT_OFF = "A square is cut off from the castle."
ODD = "An odd number of squares beside the castle: dominoes have two each."
NO_DOMINOES = "No dominoes of the box make these squares: look at the crowns again."

BOX = Counter(tuple(sorted((domino.left, domino.right))) for domino in DOMINOES.values())


def plainly_buildable(squares: dict[Cell, Square], box: Counter[tuple[Square, ...]]) -> bool:
    """Try every domino on the first free square, with its neighbour to the right or below."""
    if not squares:
        return True
    x, y = first = min(squares, key=lambda cell: (cell[1], cell[0]))
    for near in ((x + 1, y), (x, y + 1)):
        pair = tuple(sorted((squares[first], squares[near]))) if near in squares else ()
        if box[pair] > 0:
            rest = {cell: square for cell, square in squares.items() if cell not in (first, near)}
            if plainly_buildable(rest, box - Counter([pair])):
                return True
    return False


def squares_of(kingdom: Kingdom) -> dict[Cell, Square]:
    return {cell: square for cell, square in kingdom.squares.items() if cell != HOME}


def miscounted(kingdom: Kingdom, cell: Cell) -> list[Kingdom]:
    """The kingdom with another number of crowns on one square, every number there is of its terrain."""
    square = kingdom.squares[cell]
    most = {Terrain.MINE: 3, Terrain.GRASSLAND: 2, Terrain.SWAMP: 2}.get(square.terrain, 1)
    others = [Square(square.terrain, crowns) for crowns in range(most + 1) if crowns != square.crowns]
    return [kingdom_of({**kingdom.squares, cell: other}, kingdom.size) for other in others]


def told(kingdom: Kingdom) -> list[str]:
    return [str(doubt) for doubt in kingdom_problems(kingdom)]


@pytest.mark.parametrize("golden", GAMES.values(), ids=list(GAMES))
def test_every_kingdom_that_was_built_is_believed(golden: GoldenGame) -> None:
    kingdoms = [parse_kingdom(kingdom.drawing, golden.size) for kingdom in golden.kingdoms]

    assert list(scarce_squares(kingdoms)) == []
    assert [told(kingdom) for kingdom in kingdoms] == [[]] * len(kingdoms)


@pytest.mark.parametrize("golden", list(GAMES.values())[::5], ids=list(GAMES)[::5])
def test_a_mistapped_crown_is_noticed_wherever_no_dominoes_explain_it(golden: GoldenGame) -> None:
    random = Random(golden.name)
    for drawing in (kingdom.drawing for kingdom in golden.kingdoms):
        kingdom = parse_kingdom(drawing, golden.size)
        for cell in random.sample(sorted(squares_of(kingdom)), 6):
            for wrong in miscounted(kingdom, cell):
                noticed = not plainly_buildable(squares_of(wrong), BOX)
                assert told(wrong) == [NO_DOMINOES] * noticed


def test_most_mistapped_crowns_are_noticed() -> None:
    # Where one is not, the wrong squares make dominoes that are in the box as well, and only people can tell.
    random = Random(1)
    noticed = []
    for golden in GAMES.values():
        kingdom = parse_kingdom(golden.kingdoms[0].drawing, golden.size)
        wrong = random.choice(miscounted(kingdom, random.choice(sorted(squares_of(kingdom)))))
        noticed.append(told(wrong) == [NO_DOMINOES])

    assert len(noticed) == 150
    assert 0.6 < sum(noticed) / len(noticed) < 1


@pytest.mark.parametrize(
    ("picture", "expected"),
    (
        ("##", []),
        ("## w0 w0", []),
        ("## w0", [ODD]),
        ("## w0 w0 w0", [ODD]),
        ("## .. w0 w0", [CUT_OFF]),
        ("## .. w0", [CUT_OFF, ODD]),
        ("w0 .. ../w0 ## ../.. l0 l0", []),
        ("w0 .. ../.. ## ../.. .. w0", [CUT_OFF, NO_DOMINOES]),
        ("## w1 w1", [NO_DOMINOES]),
        ("## m3 w0", []),
        ("## m3 m0", [NO_DOMINOES]),
        # there are two dominoes of wheat without crowns
        ("w0 w0 ## w0 w0", []),
        ("w0 w0 ## w0 w0/.. .. .. w0 w0", [NO_DOMINOES]),
        # only one pairing of these squares is right: lake with forest, forest with forest
        ("## l1 f0 f0 f0", []),
        ("## f0 l1 f0 f0", []),
        ("## f0 l1 w0 f0", []),
        ("## m2 w0 m2 w0", [NO_DOMINOES]),
        ("## m2 w0/s0 .. ../m2 .. ..", []),
    ),
)
def test_what_cannot_be_a_kingdom_is_told(picture: str, expected: list[str]) -> None:
    assert told(drawn(picture.replace("/", "\n"))) == expected


@pytest.mark.parametrize(
    ("pictures", "expected"),
    (
        (["## m3 w0"], []),
        (["## m3 w0", "## m3 w0"], ["Mine (crowns: 3): 2 squares, but the box has only 1."]),
        (["## l2 w0"], ["Lake (crowns: 2): 1 square, but the box has only 0."]),
        (["## m2 w0 m2 w0", "## m2 s0 m2 w0"], ["Mine (crowns: 2): 4 squares, but the box has only 3."]),
        (["## w1 w1 w1", "## w1 w1"], []),
        (["## w1 w1 w1", "## w1 w1 w1"], ["Wheat field (crowns: 1): 6 squares, but the box has only 5."]),
    ),
)
def test_more_squares_than_the_box_has_are_told(pictures: list[str], expected: list[str]) -> None:
    assert [
        str(text) for _square, text in scarce_squares([drawn(picture) for picture in pictures])
    ] == expected


def test_a_table_that_only_counts_is_told_what_to_look_at() -> None:
    session = session_of(started(2, "score_only"), ["1 shows 5 ##m3w0", "2 shows 5 ##m3w0w0"])

    assert [str(problem) for problem in session.problems] == [
        "Mine (crowns: 3): 2 squares, but the box has only 1.",
        ODD,
    ]


def test_a_table_that_played_is_not_asked_about_its_box() -> None:
    game = GAMES["4p-01"]

    assert session_of(game.start, game.events).problems == ()


def test_a_search_that_takes_too_long_ends_with_the_benefit_of_the_doubt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrong = drawn("## f0 f0 f0 f0/.. l0 l0 l0 l0/.. m3 w1 .. ..".replace("/", "\n"))
    assert not buildable(wrong)

    monkeypatch.setattr(problems, "PATIENCE", 1)
    assert buildable(wrong)


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
