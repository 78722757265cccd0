"""The cards of both boxes are those of the rulebooks."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from companion.games.dominion.rules.card import DOMINION, INTRIGUE
from companion.games.dominion.rules.cards import CARDS, kingdom_of
from companion.games.dominion.rules.steps import CardType
from tests.games.dominion.facts import FACTS, KINGDOM

CARD_FACTS: dict[str, dict[str, Any]] = FACTS["cards"]


def test_the_cards_are_those_of_both_boxes_and_the_seven_both_have() -> None:
    assert Counter(card.box for card in CARDS.values()) == {"base": 7, DOMINION: 26, INTRIGUE: 25}
    assert list(CARDS) == list(CARD_FACTS)
    assert len(KINGDOM) == 51


@pytest.mark.parametrize("id", CARD_FACTS)
def test_a_card_is_as_printed(id: str) -> None:
    card, points = CARDS[id], CARDS[id].points
    worth = ""
    if points:
        worth = str(points.each)
        worth += f" per {points.per_cards} cards" if points.per_cards else ""
        worth += f" per {points.per_card}" if points.per_card else ""

    assert {
        "cost": card.cost,
        "types": " ".join(sorted(card.types)),
        "plus": [card.plus.cards, card.plus.actions, card.plus.buys, card.plus.coins],
        "points": worth,
        "box": card.box,
    } == CARD_FACTS[id]


def test_every_card_says_where_its_rulebook_explains_it() -> None:
    books = {DOMINION: "000", INTRIGUE: "003"}

    assert [c.id for c in kingdom_of(frozenset(books)) if not c.source.startswith(f'{books[c.box]} "')] == []


def test_what_the_randomiser_asks_of_cards() -> None:
    kingdom = kingdom_of(frozenset({DOMINION, INTRIGUE}))

    assert {c.id for c in kingdom if c.best.actions >= 2} == set(
        "village festival mining_village nobles shanty_town".split()
    )
    assert {c.id for c in kingdom if c.best.buys} == set(
        "market festival council_room baron bridge pawn".split()
    )
    assert {c.id for c in kingdom if c.trashes} == set(
        "chapel mine moneylender remodel sentry masquerade steward trading_post upgrade".split()
    )
    assert {c.id for c in kingdom if c.reaction} == {"moat", "secret_chamber"}
    assert {c.id for c in kingdom if CardType.ATTACK in c.types} == set(
        "bandit bureaucrat militia witch minion saboteur swindler torturer".split()
    )
