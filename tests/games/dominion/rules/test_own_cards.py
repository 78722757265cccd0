"""Cards of one's own, from a file and without a line of code."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.core.errors import NotationError
from companion.games.dominion.rules.card import CardPoints
from companion.games.dominion.rules.card_file import LARGEST_CARD_FILE, MOST_CARDS, read_cards
from companion.games.dominion.rules.cards import BOXES, CARDS, add_cards, kingdom_of, remove_cards
from companion.games.dominion.rules.piles import supply_piles
from companion.games.dominion.rules.steps import Bonus, Gain, GainNamed, Trash

FILE = """
[box.our-house]
name = "Our house"

[grandmother]
name = "Grandmother"
pt = "Avó"
es = "Abuela"
box = "our-house"
cost = 4
types = "action"
plus = "+1 card +2 coins"
steps = [{ trash = "0-1", then = [{ gain = "up to 2 more", to = "hand" }] }, { others = [{ take = "copper" }] }]

[orchard]
name = "Orchard"
box = "our-house"
cost = 5
types = "victory"
points = "2 per gold"
pile = 6
"""


@pytest.fixture
def our_house() -> Iterator[None]:
    read = read_cards(FILE)
    add_cards(*read)
    yield
    remove_cards(*read)


@pytest.mark.usefixtures("our_house")
def test_a_file_brings_cards_that_are_as_good_as_any() -> None:
    grandmother = CARDS["grandmother"]

    assert [card.id for card in kingdom_of(frozenset({"our-house"}))] == ["grandmother", "orchard"]
    assert (grandmother.cost, grandmother.plus, dict(grandmother.names)) == (
        4,
        Bonus(cards=1, coins=2),
        {"pt": "Avó", "es": "Abuela"},
    )
    assert [type(step) for step in grandmother.all_steps][:2] == [Trash, Gain]
    assert GainNamed("copper") in grandmother.all_steps
    assert grandmother.trashes
    assert CARDS["orchard"].points == CardPoints(2, per_card="gold")
    assert supply_piles(["grandmother", "orchard"], 4)["grandmother"] == 10
    assert supply_piles(["grandmother", "orchard"], 4)["orchard"] == 6


@pytest.mark.usefixtures("our_house")
def test_a_name_that_is_taken_is_refused() -> None:
    with pytest.raises(NotationError, match="There is a card or a box “grandmother” already"):
        add_cards(*read_cards(FILE))

    assert BOXES["our-house"] == "Our house"


def with_line(line: str, heading: str = "grandmother") -> str:
    """The file with one more line for a card, instead of the one that says the same."""
    key = line.partition(" ")[0]
    before, after = FILE.split(f"[{heading}]\n")
    kept = [row for row in after.splitlines() if not row.startswith(f"{key} ")]
    return f"{before}[{heading}]\n{line}\n" + "\n".join(kept)


@pytest.mark.parametrize(
    ("text", "said"),
    (
        ("[box", "This is no TOML: "),
        ("x" * (LARGEST_CARD_FILE + 1), "A file of cards has 64000 characters at most."),
        (FILE.replace("[orchard]", "[Orchard!]"), "This is no TOML: "),
        (FILE.replace("[orchard]", "[ORCHARD]"), "“ORCHARD” is no id of a card"),
        (FILE.replace("[box.our-house]", "[box.Our_House]"), "“Our_House” is no name of a box"),
        (FILE + "\n[x]", "Card “x”: “box” needs a text"),
        ("loose = 3\n" + FILE, "Card “loose”: it needs a heading of its own, in square brackets"),
        (with_line('box = "attic"'), "Card “grandmother”: its box “attic” is not in this file"),
        (with_line("cost = 21"), "Card “grandmother”: “cost” is a whole number from 0 to 20"),
        (with_line("cost = true"), "Card “grandmother”: “cost” is a whole number from 0 to 20"),
        (with_line('types = ""'), "Card “grandmother”: “types” needs a text of 120 characters at most"),
        (with_line('types = "Action"'), "Card “grandmother”: “types” is one to five words"),
        (with_line('plus = "+1 carrot"'), "Card “grandmother”: “+1 carrot” is no bonus"),
        (
            with_line('colour = "red"'),
            "Card “grandmother”: “colour” has no meaning here; known are box, cost",
        ),
        (with_line('points = "lots"'), "Card “grandmother”: “points” is written 3, 1 per 10 cards"),
        (with_line('points = "1 per 0 cards"'), "Card “grandmother”: “points” is written 3"),
        (with_line('reaction = "unaffected"'), "Card “grandmother”: “reaction” is unaffected or first"),
        (with_line("steps = 3"), "Card “grandmother”: “steps” is a list of 12 steps at most"),
        (with_line("steps = [3]"), "Card “grandmother”: a step is written in braces"),
        (with_line('steps = [{ dance = "twice" }]'), "Card “grandmother”: there is no step “dance”"),
        (with_line('steps = [{ gain = "a lot" }]'), "Card “grandmother”: “gain” is written up to 4"),
        (with_line('steps = [{ gain = "up to 4", to = "attic" }]'), "“to” is discard, hand or deck"),
        (with_line('steps = [{ trash = "4-1" }]'), "Card “grandmother”: “trash” is written 1, 2, or 0-4"),
        (with_line('steps = [{ choose = "x" }]'), "Card “grandmother”: “choose” needs two to eight answers"),
        (with_line("steps = [{ choose = { a = 1, b = 2 } }]"), "an answer is a bonus, or what follows"),
        (
            with_line("steps = [{ choose = { a = {}, b = {} }, pick = 3 }]"),
            "“pick” is how many of the answers",
        ),
        (with_line("steps = [" + "{ others = [" * 6 + "] }" * 6 + "]"), "not too deep in each other"),
        (with_line('name = "Grand\\tmother"'), "Card “grandmother”: “name” needs a text"),
        ("\n".join(f"[c{n}]" for n in range(MOST_CARDS + 1)), "A file has 200 cards at most."),
    ),
)
def test_what_is_wrong_with_a_file_is_told(text: str, said: str) -> None:
    with pytest.raises(NotationError) as told:
        add_cards(*read_cards(text))

    assert said in str(told.value)
    assert "grandmother" not in CARDS


def test_a_card_may_only_speak_of_cards_there_are() -> None:
    with pytest.raises(NotationError, match="Card “grandmother” speaks of “platinum”, which is no card"):
        add_cards(*read_cards(with_line('steps = [{ take = "platinum" }]')))

    with pytest.raises(NotationError, match="Card “orchard” speaks of “unicorn”"):
        add_cards(*read_cards(with_line('points = "1 per unicorn"', "orchard")))

    assert "orchard" not in CARDS
