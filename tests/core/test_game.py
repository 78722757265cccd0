"""Who may sit down at a table."""

from __future__ import annotations

import pytest

from companion.core.errors import CompanionError, IllegalEvent
from companion.core.game import COLOUR_NAMES, Colour, Player, Setup, check_setup
from companion.games.kingdomino.game import Kingdomino

KINGDOMINO = Kingdomino()
PINK, YELLOW, GREEN, BLUE = Colour.PINK, Colour.YELLOW, Colour.GREEN, Colour.BLUE
LONGEST = "W" * 24


def table(*players: tuple[str, Colour], options: str = "") -> Setup:
    return Setup(tuple(Player(name, colour) for name, colour in players), frozenset(options.split()))


@pytest.mark.parametrize(
    "setup",
    (
        table(("Pink", PINK), ("Blue", BLUE)),
        table(("Blue", BLUE), ("Pink", PINK), ("Green", GREEN), ("Yellow", YELLOW)),
        table((LONGEST, PINK), ("Ção, a Ñandú № 1", BLUE)),
        table(("“;\\\" 'because'", PINK), ("赤い王", BLUE)),
        table(("Pink", PINK), ("Blue", BLUE), options="harmony middle_kingdom dynasty mighty_duel"),
    ),
)
def test_people_sit_down_in_any_order_with_any_names(setup: Setup) -> None:
    check_setup(KINGDOMINO, setup)

    assert KINGDOMINO.start(setup).players == len(setup.players)


@pytest.mark.parametrize(
    ("setup", "message"),
    (
        (table(), "Kingdomino is for 2 to 4 players, not for 0."),
        (table(("Pink", PINK)), "Kingdomino is for 2 to 4 players, not for 1."),
        (
            table(("A", PINK), ("B", BLUE), ("C", GREEN), ("D", YELLOW), ("E", Colour.RED)),
            "Kingdomino is for 2 to 4 players, not for 5.",
        ),
        (table(("", PINK), ("Blue", BLUE)), "Every player needs a name."),
        (table(("  ", PINK), ("Blue", BLUE)), "Every player needs a name."),
        (table(("\u3164\u2800", PINK), ("Blue", BLUE)), "Every player needs a name."),
        (
            table(("An\u200bn\n", PINK), ("Blue", BLUE)),
            "“Ann” has signs in it that cannot be shown: type the name again.",
        ),
        (
            table((LONGEST + "W", PINK), ("Blue", BLUE)),
            f"“{LONGEST}…” is too long: a name has 24 characters at most.",
        ),
        (table(("Red", Colour.RED), ("Blue", BLUE)), "There are no Red pieces in the box."),
        (
            table(("Pink", PINK), ("Blue", PINK)),
            "Two players have the same colour: give each a colour of their own.",
        ),
        (
            table(("Pink", PINK), ("PINK", BLUE)),
            "Two players have the same name: add an initial to tell them apart.",
        ),
        (
            table(("Straße", PINK), ("STRASSE", BLUE)),
            "Two players have the same name: add an initial to tell them apart.",
        ),
        (table(("Pink", PINK), ("Blue", BLUE), options="giants"), "There is no option called “giants”."),
    ),
)
def test_a_table_that_cannot_play_is_told_why(setup: Setup, message: str) -> None:
    with pytest.raises(IllegalEvent) as refused:
        check_setup(KINGDOMINO, setup)

    assert str(refused.value) == message


def test_every_colour_has_a_name() -> None:
    assert set(COLOUR_NAMES) == set(Colour)
    assert len({str(name) for name in COLOUR_NAMES.values()}) == len(Colour)


def test_an_error_of_ours_is_also_one_of_python_and_says_its_message() -> None:
    with pytest.raises(ValueError, match="Every player needs a name") as refused:
        check_setup(KINGDOMINO, table(("", PINK), ("Blue", BLUE)))

    assert isinstance(refused.value, CompanionError)
    assert str(refused.value) == str(refused.value.message)
