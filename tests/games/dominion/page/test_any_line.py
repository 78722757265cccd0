"""Whatever line comes at whatever moment: it happens, or is refused in words; and every button works."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.errors import IllegalEvent, NotationError
from companion.games.dominion.page.presenter import page
from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.text.words import describe
from tests.games.dominion.rules.test_turns import random_game
from tests.games.dominion.stories import DOMINION

CARD_IDS = [*CARDS, "nothing"]
REST = (
    "suffers",
    "ends",
    "to buy",
    "starts",
    "counts 3",
    "chooses coin buy",
    "chooses trash",
    "chooses hand",
)


def any_line(random: Random) -> str:
    """A line that is right in form."""
    player, card, other = random.choice("123456"), random.choice(CARD_IDS), random.choice(CARD_IDS)
    reason = random.choice(("", ' because "so it was"'))
    return random.choice(
        (
            f"{player} {random.choice(REST)}",
            f"{player} plays {card}{reason}",
            f"{player} buys {card}{reason}",
            f"{player} gains {card}{reason}",
            f"{player} trashes {card} {other}{reason}",
            f"{player} ends{reason}",
            f"{player} reveals {card} {other}",
            f"{player} reveals {card}",
            f"{player} has {card}:3 turns:4",
            f"pile {card} {random.randrange(12)}",
            f"swap {card} {other}",
            f"trash {card}:2",
            "all suffer",
        )
    )


@pytest.mark.parametrize("seed", range(12))
def test_any_line_at_any_moment(seed: int) -> None:
    random = Random(seed)
    position = random_game(random.randint(2, 6), seed, random.randrange(60)).position
    said: list[str] = []
    for _number in range(120):
        try:
            event = DOMINION.parse(any_line(random))
            assert DOMINION.parse(DOMINION.write(event)) == event
            position = DOMINION.apply(position, event)
        except (IllegalEvent, NotationError) as error:
            said.append(str(error))
            continue
        assert str(describe(event))
        assert page(position, {"card": random.choice(CARD_IDS)})["phase"] == position.phase.value
        assert DOMINION.tally(position).players == position.players
    assert said
    assert all(said)


@pytest.mark.parametrize("seed", range(6))
def test_every_button_can_be_pressed(seed: int) -> None:
    position = random_game(2 + seed % 5, seed, 40).position
    for event in DOMINION.legal(position):
        assert DOMINION.apply(position, event) != position
