"""The box: rulebook 002, "Componentes" and "Paisagens e Quantidades"."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.kingdomino.game import Kingdomino
from companion.games.kingdomino.rules.pieces import (
    CASTLE,
    DOMINOES,
    LETTERS,
    SQUARES,
    TERRAIN_NAMES,
    Domino,
    Square,
    Terrain,
    first_of_twins,
    parse_square,
    twins,
)

PRINTED = {
    # Rulebook 002, "Paisagens e Quantidades": how many squares there are with no, one, two and three crowns.
    Terrain.WHEAT: (21, 5, 0, 0),
    Terrain.LAKE: (12, 6, 0, 0),
    Terrain.FOREST: (16, 6, 0, 0),
    Terrain.GRASSLAND: (10, 2, 2, 0),
    Terrain.SWAMP: (6, 2, 2, 0),
    Terrain.MINE: (1, 1, 3, 1),
}


def squares_of_the_dominoes() -> Counter[Square]:
    return Counter(half for domino in DOMINOES.values() for half in (domino.left, domino.right))


def test_there_are_48_dominoes_numbered_from_1() -> None:
    assert list(DOMINOES) == list(range(1, 49))
    assert [domino.number for domino in DOMINOES.values()] == list(range(1, 49))


def test_the_dominoes_have_as_many_squares_of_each_kind_as_printed() -> None:
    printed = {
        Square(terrain, crowns): n for terrain, row in PRINTED.items() for crowns, n in enumerate(row) if n
    }

    assert squares_of_the_dominoes() == printed


def test_the_inventory_counts_the_same_squares() -> None:
    assert squares_of_the_dominoes() == SQUARES


def test_there_are_96_squares_and_39_crowns() -> None:
    squares = squares_of_the_dominoes()

    assert squares.total() == 96
    assert sum(square.crowns * count for square, count in squares.items()) == 39


def test_higher_numbers_are_better_dominoes() -> None:
    best = [max(domino.left.crowns, domino.right.crowns) for domino in DOMINOES.values()]

    assert best == sorted(best)
    assert [best.count(crowns) for crowns in (0, 1, 2, 3)] == [18, 22, 7, 1]


@pytest.mark.parametrize(
    ("number", "left", "right"),
    (
        (1, "w0", "w0"),
        (6, "f0", "f0"),
        (12, "s0", "s0"),
        (39, "g0", "s1"),
        (43, "w0", "s2"),
        (48, "w0", "m3"),
    ),
)
def test_single_dominoes_are_what_the_box_has(number: int, left: str, right: str) -> None:
    assert DOMINOES[number] == Domino(number, parse_square(left), parse_square(right))


def test_a_domino_has_crowns_on_one_half_at_most() -> None:
    assert all(0 in (domino.left.crowns, domino.right.crowns) for domino in DOMINOES.values())


def test_every_terrain_has_a_letter_and_a_name_of_its_own() -> None:
    assert sorted(LETTERS) == sorted("wflgsm")
    assert len({str(name) for name in TERRAIN_NAMES.values()}) == len(Terrain)


@pytest.mark.parametrize("square", SQUARES, ids=str)
def test_a_square_is_written_as_it_is_read(square: Square) -> None:
    assert parse_square(str(square)) == square


@pytest.mark.parametrize("text", ("", "w", "w4", "x0", "w-1", "W0", "##", "..", "w²", "c0"))
def test_nothing_else_is_a_square(text: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 – the text is all there is to say
        parse_square(text)

    assert str(refused.value) == text


def test_the_castle_is_a_square_without_crowns() -> None:
    assert Square(Terrain.CASTLE, 0) == CASTLE


def test_there_are_castles_and_kings_in_four_colours() -> None:
    assert [colour.value for colour in Kingdomino.colours] == ["pink", "yellow", "green", "blue"]


def test_twins_leave_the_box_in_the_order_of_their_numbers() -> None:
    left = sorted(set(DOMINOES) - {24, 3})

    assert first_of_twins([27, 26, 6, 40], left) == (4, 25, 26, 40)
    assert [len(twins(number)) for number in (1, 3, 7, 10, 24, 30, 32, 46, 48)] == [2, 4, 3, 2, 4, 2, 4, 2, 1]
