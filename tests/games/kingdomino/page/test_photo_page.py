"""What the page offers where people put a photographed square right."""

from __future__ import annotations

import pytest

from companion.games.kingdomino.page.photo import LocatedKingdom, TableContext, photo_view
from companion.games.kingdomino.rules.pieces import CASTLE, parse_square
from companion.games.kingdomino.sight.photo import DoubtReason, KingdomReading, UnsureSquare

FOREST, CROWNED, MINE, SWAMP = (parse_square(text) for text in ("f0", "f1", "m2", "s0"))


def taken(*unsure: UnsureSquare) -> LocatedKingdom:
    squares = {(0, 0): CASTLE, (1, 0): FOREST, (2, 0): SWAMP}
    corners = {(x, y): ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)) for x in range(3) for y in range(2)}
    return LocatedKingdom(
        300, 200, corners, KingdomReading(squares, unsure, ranked={(1, 0): (FOREST, CASTLE, MINE, SWAMP)})
    )


def test_a_crown_more_or_less_comes_before_what_the_place_hardly_looks_like() -> None:
    view = photo_view(taken(), TableContext(0, 5), "", "10")

    assert [answer.square for answer in view.likely] == [FOREST, CROWNED, CASTLE, MINE]


def test_many_unclear_pieces_may_be_of_another_edition_and_unclear_places_without_a_piece_may_not() -> None:
    piece, bare = (
        UnsureSquare((1, 0), (FOREST, SWAMP), DoubtReason.OTHER_KIND),
        [UnsureSquare((x, 1), (None, SWAMP), DoubtReason.NO_DOMINO) for x in range(3)],
    )

    assert photo_view(taken(piece), TableContext(0, 5), "", "").unfamiliar
    assert not photo_view(taken(*bare), TableContext(0, 5), "", "").unfamiliar


@pytest.mark.parametrize(
    ("fixes", "expected"), (("", False), ("00x0", False), ("10c0", False), ("00f0", True))
)
def test_a_square_teaches_and_a_bare_place_does_not(fixes: str, expected: bool) -> None:
    assert photo_view(taken(), TableContext(0, 5), fixes, "").teaches == expected
