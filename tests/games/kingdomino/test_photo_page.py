"""What the page offers where people put a photographed square right."""

from __future__ import annotations

from companion.games.kingdomino.photo_page import Beside, Taken, photo_view
from companion.games.kingdomino.photographed import Photographed
from companion.games.kingdomino.pieces import CASTLE, parse_square

FOREST, CROWNED, MINE, SWAMP = (parse_square(text) for text in ("f0", "f1", "m2", "s0"))


def test_a_crown_more_or_less_comes_before_what_the_place_hardly_looks_like() -> None:
    squares = {(0, 0): CASTLE, (1, 0): FOREST, (2, 0): SWAMP}
    corners = {(x, 0): ((x, 0.0), (x + 1, 0.0), (x + 1, 1.0), (x, 1.0)) for x in range(3)}
    shown = Photographed(squares, (), ranked={(1, 0): (FOREST, CASTLE, MINE, SWAMP)})

    view = photo_view(Taken(300, 100, corners, shown), Beside(0, 5), "", "10")

    assert [answer.square for answer in view.likely] == [FOREST, CROWNED, CASTLE, MINE]
