"""The cards of both boxes are those of the rulebooks."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from companion.games.dominion.rules import cards
from companion.games.dominion.rules.cards import (
    CARDS,
    DOMINION,
    INTRIGUE,
    CardType,
    add_cards,
    kingdom_of,
    read_cards,
)
from tests.games.dominion.counted import COUNTED
from tests.games.dominion.facts import FACTS, KINGDOM
from tests.games.dominion.stories import remove_cards

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


FOLDER = Path(cards.__file__).parents[1]
RULES, OWN_CARDS = ((FOLDER / name).read_text("utf-8") for name in ("RULES.md", "CARDS.md"))


def test_the_table_of_the_counter_is_the_one_that_is_tested() -> None:
    rows = [
        f"| {CARDS[row.card].name} | {CARDS[row.card].source} "
        f"| {f'`{row.story}`' if row.story else 'is not played; counts at the end'} "
        f"| {' | '.join(map(str, row.counter))} |"
        for row in COUNTED
    ]

    assert [row for row in rows if row not in RULES.splitlines()] == []


def test_the_example_of_a_card_is_one() -> None:
    example = re.search(r"```toml\n(.*?)```", OWN_CARDS, re.DOTALL)
    assert example
    read = read_cards(example[1])
    add_cards(*read)
    remove_cards(*read)

    assert list(read[0]) == ["grandmother", "orchard"]


def test_every_word_and_step_of_a_card_is_explained() -> None:
    words = {*cards._FIELDS, *cards._STEPS}

    assert {
        word for word in words if f"`{word}`" not in OWN_CARDS and f"{{ {word} = " not in OWN_CARDS
    } == set()
