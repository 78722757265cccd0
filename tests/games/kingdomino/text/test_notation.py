"""Kingdomino in text: events, drawings of kingdoms, whole positions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import NotationError
from companion.games.kingdomino.rules.events import (
    DominoChosen,
    DominoDiscarded,
    DominoesRemoved,
    DominoPlaced,
    Event,
    GameStopped,
    KingdomShown,
    KingsDrawn,
    LineDrawn,
)
from companion.games.kingdomino.rules.kingdom import HOME, Direction, Kingdom, Placement, kingdom_of
from companion.games.kingdomino.rules.pieces import CASTLE, SQUARES, Square, Terrain
from companion.games.kingdomino.text.notation import (
    parse_event,
    parse_kingdom,
    write_event,
    write_kingdom,
)

WHEAT, LAKE = Square(Terrain.WHEAT), Square(Terrain.LAKE, 1)


@pytest.mark.parametrize(
    ("line", "event"),
    (
        ("removed 1 2 3", DominoesRemoved((1, 2, 3))),
        ("line 4 31 39", LineDrawn((4, 31, 39))),
        ("kings 1 3 4 2", KingsDrawn((0, 2, 3, 1))),
        ("1 takes 26", DominoChosen(0, 26)),
        ("4 lays 26 at -1,12 N", DominoPlaced(3, Placement(26, -1, 12, Direction.NORTH))),
        (
            '1 lays 26 at 0,-12 W because "it is her birthday"',
            DominoPlaced(0, Placement(26, 0, -12, Direction.WEST, "it is her birthday")),
        ),
        ("1 discards 47", DominoDiscarded(0, 47)),
        ('1 discards 47 because "a \\" b"', DominoDiscarded(0, 47, 'a " b')),
        ("2 shows 5 w0##/..l1", KingdomShown(1, kingdom_of({HOME: CASTLE, (-1, 0): WHEAT, (0, 1): LAKE}, 5))),
        ("end", GameStopped()),
        ("2 shows 7 ##", KingdomShown(1, Kingdom(7))),
    ),
)  # fmt: skip
def test_a_line_says_an_event_and_the_event_writes_the_line(line: str, event: Event) -> None:
    assert parse_event(line) == event
    assert write_event(event) == line


@pytest.mark.parametrize(
    ("line", "message"),
    (
        ("", "“” is not a move of Kingdomino."),
        ("1 eats 26", "“1 eats 26” is not a move of Kingdomino."),
        ("1 takes", "“1 takes” is not a move of Kingdomino."),
        ("1 takes ٢", "“1 takes ٢” is not a move of Kingdomino."),
        ("1  takes 26", "“1  takes 26” is not a move of Kingdomino."),
        ("1 takes 26 ", "“1 takes 26 ” is not a move of Kingdomino."),
        ("1 lays 26 at 1,0", "“1 lays 26 at 1,0” is not a move of Kingdomino."),
        ("1 lays 26 at 1,0 X", "“1 lays 26 at 1,0 X” is not a move of Kingdomino."),
        ("1 lays 26 at 1.5,0 E", "“1 lays 26 at 1.5,0 E” is not a move of Kingdomino."),
        ("1 lays 26 at 1,0 E because", "“1 lays 26 at 1,0 E because” is not a move of Kingdomino."),
        ("1 lays 26 at 1,0 E because so", "“1 lays 26 at 1,0 E because so” is not a move of Kingdomino."),
        ("line", "Tick the dominoes that were drawn first."),
        ("line 1,2,3", "“line 1,2,3” is not a move of Kingdomino."),
        ("a" * 99, "“" + "a" * 80 + "” is not a move of Kingdomino."),
        ("0 takes 26", "There is no player 0."),
        ("5 takes 26", "There is no player 5."),
        ("01 takes 26", "There is no player 01."),
        ("1 takes 0", "There is no domino 0."),
        ("1 takes 49", "There is no domino 49."),
        ("1 takes 123456789", "There is no domino 12345678."),
        ("line 1 2 49", "There is no domino 49."),
        ("removed 1 2 490", "There is no domino 490."),
        ("kings 1 2 5", "There is no player 5."),
        ("1 lays 26 at 13,0 E", "13 is too far from the castle."),
        ("1 lays 26 at 0,-13 E", "-13 is too far from the castle."),
        ("1 lays 26 at 1000,0 E", "1000 is too far from the castle."),
        ("1 shows 6 ##", "“1 shows 6 ##” is not a move of Kingdomino."),
        ("1 shows 5 w0", "A drawing of a kingdom has one castle, written ##."),
        ("1 shows 5 ####", "A drawing of a kingdom has one castle, written ##."),
        ("1 shows 5 ##w4", "“w4” is not a square of a kingdom."),
        ("1 shows 5 ##w", "“w” is not a square of a kingdom."),
        ("1 shows 5 ##w0w0w0w0w0", "A kingdom has at most 5 by 5 squares."),
        ("1 shows 7 ##w0w0w0w0w0w0w0", "A kingdom has at most 7 by 7 squares."),
        ("1 shows 5 ##" + "/" * 13, "This drawing of a kingdom is too large."),
        ("1 shows 5 ##" + ".." * 13, "This drawing of a kingdom is too large."),
    ),
)
def test_a_line_that_is_no_move_is_refused_with_the_reason(line: str, message: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_event(line)

    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("drawing", "written"),
    (
        ("##", "##"),
        ("../##/..", "##"),
        ("..##..", "##"),
        ("w0/##w1", "w0../##w1"),
        ("##w0w0w0w0/....", "##w0w0w0w0"),
    ),
)
def test_a_drawing_is_written_without_empty_edges(drawing: str, written: str) -> None:
    assert write_kingdom(parse_kingdom(drawing, 5)) == written
    assert parse_kingdom(written, 5) == parse_kingdom(drawing, 5)


CELLS = st.tuples(st.integers(0, 4), st.integers(0, 4))


@settings(deadline=None)  # a small computer takes its time
@given(st.dictionaries(CELLS, st.sampled_from(list(SQUARES))), CELLS)
def test_any_kingdom_can_be_drawn_and_read(
    squares: dict[tuple[int, int], Square], home: tuple[int, int]
) -> None:
    placed = {(x - home[0], y - home[1]): square for (x, y), square in squares.items()}
    kingdom = kingdom_of({**placed, HOME: CASTLE}, 5)

    assert parse_kingdom(write_kingdom(kingdom), 5) == kingdom
