"""Every card has one of our own drawings, and what is drawn is used."""

from __future__ import annotations

import re

import pytest

from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.text.words import PLAIN_FACE, TRASH_FACE, card_face, colour_type
from tests.games.dominion.stories import DOMINION

STATIC = DOMINION.folder / "static"
DRAWN = set(re.findall(r'<symbol id="([\w-]+)"', (STATIC / "faces.svg").read_text("utf-8")))


def test_every_card_has_a_drawing_and_every_drawing_a_card() -> None:
    assert {card_face(id) for id in CARDS} | {TRASH_FACE, PLAIN_FACE} == DRAWN


def test_a_card_nobody_knows_has_the_plain_drawing() -> None:
    assert (card_face("harbour"), colour_type("harbour")) == ("action", "action")


@pytest.mark.parametrize(
    ("card", "expected"),
    (
        ("gold", ("gold", "treasure")),
        ("harem", ("treasure", "treasure")),
        ("moat", ("reaction", "reaction")),
        ("witch", ("attack", "attack")),
        ("curse", ("curse", "curse")),
        ("duke", ("victory", "victory")),
        ("nobles", ("village", "action")),
        ("village", ("village", "action")),
        ("smithy", ("cards", "action")),
        ("chapel", ("fire", "action")),
        ("workshop", ("hammer", "action")),
    ),
)
def test_a_drawing_tells_what_a_card_does(card: str, expected: tuple[str, str]) -> None:
    assert (card_face(card), colour_type(card)) == expected


def test_every_kind_of_card_has_its_colour() -> None:
    style = (STATIC / "dominion.css").read_text("utf-8")

    assert [
        kind for kind in {colour_type(id) for id in CARDS} if f".kind-{kind} {{ --kind" not in style
    ] == []
