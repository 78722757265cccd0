"""Every line of the notation is read as it is written, and what is none is told."""

from __future__ import annotations

import pytest

from companion.core.errors import NotationError
from companion.games.dominion.rules.events import CardsTrashed
from companion.games.dominion.text.words import describe
from tests.games.dominion.stories import DOMINION, FIRST_GAME


@pytest.mark.parametrize(
    "line",
    (
        f"kingdom {FIRST_GAME}",
        "swap witch moat",
        "3 vetoes witch",
        "2 likes witch",
        "wishes actions costs",
        "wishes nothing",
        f"played {FIRST_GAME}",
        "ticked copper",
        "unticked decks",
        "2 starts",
        "1 plays village",
        "1 plays 3 copper",
        "1 plays nothing",
        '1 plays village because "again"',
        "1 chooses card coin",
        "1 counts 3",
        "2 reveals moat",
        "2 reveals copper harem",
        "2 reveals nothing",
        "1 gains silver",
        "1 gains nothing",
        "1 trashes copper estate",
        "1 trashes nothing",
        "2 suffers",
        "all suffer",
        "1 to buy",
        "1 buys market",
        '6 ends because "late"',
        "stop",
        "pile market 7",
        "trash copper:3 curse:1",
        "trash nothing",
        "1 has copper:7 estate:3 turns:12",
        "1 has copper:7",
    ),
)
def test_a_line_is_read_as_it_is_written(line: str) -> None:
    event = DOMINION.parse(line)

    assert DOMINION.write(event) == line
    assert str(describe(event))


@pytest.mark.parametrize(
    ("line", "why"),
    (
        ("1 dances", "“1 dances” is not a move of Dominion."),
        ("7 ends", "Nobody sits at place 7."),
        (
            "wishes luck",
            "There is no wish “luck”; we know: actions, buys, trashing, reaction, costs.",
        ),
        (
            "1 plays dragon",
            "There is no card “dragon”. If it is a card of your own, put its file where it was.",
        ),
        ("1 plays 0 copper", "0 is too large a number."),
        ("pile copper 999", "999 is too large a number."),
        ("1 has copper", "“copper” is no count of a card, such as copper:7."),
        ("1 has copper:1 turns:3 turns:4", "Say it once and in figures, such as turns:12."),
        ("1 has copper:999", "There are not so many cards in the boxes."),
        ("1 trashes " + "copper " * 81, "There are too many cards in this line."),
        ('all suffer because "x"', '“all suffer because "x"” is not a move of Dominion.'),
    ),
)
def test_what_is_no_move_is_told(line: str, why: str) -> None:
    with pytest.raises(NotationError) as told:
        DOMINION.parse(line)

    assert str(told.value) == why


def test_several_trashed_in_one_step() -> None:
    event = DOMINION.parse("1 trashes copper copper estate")

    assert event == CardsTrashed(0, ("copper", "copper", "estate"))
    assert str(describe(event)) == "trashes 2 × Copper, Estate"
