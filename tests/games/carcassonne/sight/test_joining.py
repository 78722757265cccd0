"""Photos that show parts of one board: laid together by the tiles they have in common, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

import pytest

from companion.core.lattice import Cell, LatticeMove
from companion.core.observation import Pose
from companion.core.photo import SeenFigure, SeenSquares
from companion.games.carcassonne.rules.board import STEPS
from companion.games.carcassonne.sight.joining import joined, line_up
from companion.games.carcassonne.sight.photo import BoardReading, TileDoubt, TileKind, read_board
from tests.games.carcassonne.sight.test_photographed import seen
from tests.vision.photo.boards import grown_board, kinds_of

BOARD = kinds_of(grown_board(11, 40))
OTHER = kinds_of(grown_board(12, 40))
WIDE = 1 + max(x for x, _y in BOARD)
HERE, TURNED = LatticeMove(), LatticeMove(1, 20, 3)


def shown(
    board: Mapping[Cell, TileKind],
    where: Callable[[Cell], bool],
    move: LatticeMove = HERE,
    figures: Sequence[SeenFigure] = (),
) -> SeenSquares:
    """What a photo shows of a board, its places counted otherwise; next to its edge more may lie."""
    cells = {cell: kind for cell, kind in board.items() if where(cell)}
    beside = {(x + dx, y + dy) for x, y in cells for dx, dy in STEPS if not where((x + dx, y + dy))}
    lying = {move.cell(cell): str(kind.turned(move.turn)) for cell, kind in cells.items()}
    standing = [one.recounted(move) for one in figures if one.cell in cells]
    beyond = {move.cell(cell) for cell in beside}
    return replace(seen(lying, figures=standing), beyond=beyond, beside=bool(beyond))


def left(cell: Cell) -> bool:
    return cell[0] < 0.6 * WIDE


def right(cell: Cell) -> bool:
    return cell[0] >= 0.3 * WIDE


def together(*parts: SeenSquares) -> BoardReading:
    """What photos show together, counted as the first one's."""
    moves = line_up(parts)
    assert None not in moves
    first, *others = (recounted(one, move) for one, move in zip(parts, moves, strict=True) if move)
    read = read_board(joined(replace(first, also=others)))
    assert read
    return read.doubting(joined(replace(first, also=others)))


def recounted(one: SeenSquares, move: LatticeMove) -> SeenSquares:
    """The same where its places are counted otherwise, as the house does it with pictures."""
    order = [
        next(
            at
            for at, other in enumerate(one.rows)
            if (other.label, (other.turn + move.turn) % 4) == (row.label, row.turn)
        )
        for row in one.rows
    ]
    return replace(
        one,
        scores={move.cell(cell): [of[at] for at in order] for cell, of in one.scores.items()},
        beyond={move.cell(cell) for cell in one.beyond},
        cut={move.cell(cell) for cell in one.cut},
        figures=[figure.recounted(move) for figure in one.figures],
    )


@pytest.mark.parametrize("turn", range(4))
def test_two_photos_from_any_side_are_one_board(turn: int) -> None:
    move = LatticeMove(turn, 20, 3)

    read = together(shown(BOARD, left), shown(BOARD, right, move))

    assert (read.squares, read.unsure, read.alone) == (BOARD, (), True)


def test_three_photos_of_which_the_first_and_the_last_have_nothing_in_common_are_one_board() -> None:
    parts = [
        shown(BOARD, lambda cell: cell[0] < 0.45 * WIDE),
        shown(BOARD, lambda cell: 0.2 * WIDE <= cell[0] < 0.8 * WIDE, TURNED),
        shown(BOARD, lambda cell: cell[0] >= 0.55 * WIDE, LatticeMove(2, 30, 30)),
    ]

    for order in permutations(parts):
        kinds = sorted(kind.letter for kind in together(*order).squares.values())
        assert kinds == sorted(kind.letter for kind in BOARD.values())


def test_what_is_still_beyond_the_last_photo_is_asked_about() -> None:
    read = together(shown(BOARD, left), shown(BOARD, lambda cell: 0.3 * WIDE <= cell[0] < WIDE - 1, TURNED))

    assert read.alone is False


def test_photos_of_two_boards_are_not_one() -> None:
    parts = [shown(board, where) for board in (BOARD, OTHER) for where in (left, right)]

    for one in parts[:2]:
        for other in parts[2:]:
            assert line_up([one, other]) == [HERE, None]


def test_photos_without_a_tile_in_common_are_not_one() -> None:
    there = shown(BOARD, lambda cell: cell[0] >= 0.6 * WIDE, TURNED)

    assert line_up([shown(BOARD, left), there]) == [HERE, None]


def test_three_straight_roads_in_common_are_too_little() -> None:
    """They lie in many a board like that."""
    roads = {(x, 0): TileKind("U", 1) for x in range(3)}
    one = {**roads, (0, 1): TileKind("B", 0), (1, 1): TileKind("E", 2)}
    other = {**roads, (2, 1): TileKind("B", 0), (1, -1): TileKind("E", 0)}

    assert line_up([shown(one, lambda _cell: True), shown(other, lambda _cell: True)]) == [
        LatticeMove(),
        None,
    ]


def test_a_pattern_that_repeats_does_not_say_where_the_next_photo_lies() -> None:
    road = {(x, 0): TileKind("U", 1) for x in range(8)}

    assert line_up([shown(road, lambda _cell: True), shown(road, lambda cell: cell[0] < 5)]) == [
        LatticeMove(),
        None,
    ]


def test_the_same_photo_twice_is_the_board_it_shows() -> None:
    half = shown(BOARD, left)

    read = together(half, half)

    assert ({*read.squares}, read.alone) == ({cell for cell in BOARD if left(cell)}, False)


COMMON = next(cell for cell in BOARD if left(cell) and right(cell))


def test_a_tile_that_was_changed_between_two_photos_is_asked_about() -> None:
    changed = {**BOARD, COMMON: BOARD[COMMON]._replace(letter="X", turn=0)}

    read = together(shown(BOARD, left), shown(changed, right, TURNED))

    (doubt,) = (one for one in read.unsure if one.cell == COMMON)
    assert {BOARD[COMMON], changed[COMMON]} <= {*doubt.candidates}


def test_a_tile_that_was_laid_between_two_photos_is_asked_about() -> None:
    before = {cell: kind for cell, kind in BOARD.items() if cell != COMMON}

    read = together(shown(before, left), shown(BOARD, right, TURNED))

    assert [(one.cell, one.reason, one.candidates[-1]) for one in read.unsure] == [
        (COMMON, TileDoubt.PHOTOS, None)
    ]


def follower(colour: str, x: float = 0.5, y: float = 0.5, confidence: float = 0.9) -> SeenFigure:
    return SeenFigure(COMMON, x, y, colour, Pose.DISC, confidence)


def followers(one: Sequence[SeenFigure], other: Sequence[SeenFigure]) -> BoardReading:
    return together(shown(BOARD, left, figures=one), shown(BOARD, right, TURNED, other))


def test_a_follower_in_two_photos_is_one() -> None:
    read = followers([follower("blue", 0.4, 0.5)], [follower("blue", 0.6, 0.5, 0.7)])

    assert [kind.colour for kind in read.squares.values() if kind.colour] == ["blue"]
    assert TileDoubt.TOGETHER not in {one.reason for one in read.unsure}


def test_a_follower_that_moved_or_has_another_colour_in_the_second_photo_is_asked_about() -> None:
    gone = followers([follower("blue")], [])
    other = followers([follower("blue")], [follower("black", confidence=0.8)])

    assert [(one.cell, one.reason) for one in gone.unsure] == [(COMMON, TileDoubt.FOLLOWER)]
    assert {kind.colour for one in other.unsure for kind in one.candidates if kind} >= {"blue", "black"}
