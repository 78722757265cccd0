"""The game's README says what the tests check."""

from __future__ import annotations

import re
from pathlib import Path

from companion.games.dominion.rules import card_file
from companion.games.dominion.rules.card_file import read_cards
from companion.games.dominion.rules.cards import CARDS, add_cards, remove_cards
from tests.games.dominion.counted import COUNTED

README = (Path(card_file.__file__).parent / "README.md").read_text("utf-8")


def test_its_table_of_the_counter_is_the_one_that_is_tested() -> None:
    rows = [
        f"| {CARDS[row.card].name} | {CARDS[row.card].source} "
        f"| {f'`{row.story}`' if row.story else 'is not played; counts at the end'} "
        f"| {' | '.join(map(str, row.counter))} |"
        for row in COUNTED
    ]

    assert [row for row in rows if row not in README.splitlines()] == []


def test_its_card_of_ones_own_is_one() -> None:
    example = re.search(r"```toml\n(.*?)```", README, re.DOTALL)
    assert example
    read = read_cards(example[1])
    add_cards(*read)
    remove_cards(*read)

    assert list(read[0]) == ["grandmother", "orchard"]


def test_every_word_and_step_of_a_card_is_explained() -> None:
    words = {*card_file._FIELDS, *card_file._STEPS}

    assert {word for word in words if f"`{word}`" not in README and f"{{ {word} = " not in README} == set()
