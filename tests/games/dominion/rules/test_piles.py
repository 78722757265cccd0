"""Setting up for two to six players, and the sets the rulebooks recommend."""

from __future__ import annotations

import pytest

from companion.games.dominion.rules.card import BASIC, DOMINION, INTRIGUE
from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.rules.piles import SIZES, cards_in_game, supply_piles
from companion.games.dominion.rules.randomiser import possible_starters
from companion.games.dominion.rules.sets import ABSENT, SETS
from companion.games.dominion.rules.steps import CardType
from tests.games.dominion.facts import FACTS, KINGDOM

BOTH = frozenset({DOMINION, INTRIGUE})
VICTORIES = {"gardens", "duke", "great_hall", "harem", "nobles"}
each_count = pytest.mark.parametrize("players", (2, 3, 4, 5, 6))


@each_count
def test_the_basic_piles(players: int) -> None:
    facts: dict[str, int] = FACTS["piles"][str(players)]
    found = supply_piles(SETS["first_game"].cards, players)

    assert {id: found[id] for id in BASIC} == {id: facts[id] for id in BASIC}
    assert len(found) == facts["total_piles"] == 17
    assert SIZES[players].empty_piles == facts["end_piles_empty"]
    assert SIZES[players].boxes_of_treasure == facts["treasure_boxes"]


@each_count
def test_every_kingdom_pile(players: int) -> None:
    facts: dict[str, int] = FACTS["piles"][str(players)]
    found = supply_piles(KINGDOM, players)

    assert {id: found[id] for id in KINGDOM} == {
        id: facts["kingdom_victory" if id in VICTORIES else "kingdom_other"] for id in KINGDOM
    }
    assert {id for id in KINGDOM if CardType.VICTORY in CARDS[id].types} == VICTORIES


@each_count
def test_everything_that_is_set_up_comes_out_of_the_boxes(players: int) -> None:
    all_cards, boxes = cards_in_game(SETS["first_game"].cards, players), 1 if players < 5 else 2

    assert all_cards["copper"] == 60 * boxes
    assert all_cards["estate"] <= 24 * boxes
    assert all_cards["curse"] <= 30 * boxes
    assert all_cards["estate"] == supply_piles(SETS["first_game"].cards, players)["estate"] + 3 * players


@each_count
@pytest.mark.parametrize("id", FACTS["sets"])
def test_a_recommended_set(id: str, players: int) -> None:
    facts: dict[str, list[str]] = FACTS["sets"]
    cards, missing = (text.split() for text in facts[id])
    found = SETS[id]

    assert (list(found.cards), list(found.missing(BOTH))) == (cards, missing)
    completed = found.completed(BOTH)
    assert len(set(completed)) == 10
    assert set(completed) >= set(cards) - set(missing)
    assert len(supply_piles(completed, players)) == 17


def test_the_sets_are_all_of_both_rulebooks_and_playable_but_for_other_editions() -> None:
    assert list(SETS) == list(FACTS["sets"])
    assert [id for id, found in SETS.items() if found.missing(BOTH)] == [
        *"underlings_2e grand_scheme deconstruction_2e deconstruction_1e hand_madness underlings_1e".split()
    ]
    assert {id for found in SETS.values() for id in found.missing(BOTH)} <= set(ABSENT)


@pytest.mark.parametrize(
    ("set_id", "missing", "first"),
    (
        ("hand_madness", "chancellor", "vassal"),  # both give two coins and look at the deck
        ("underlings_2e", "diplomat", "moat"),  # a Reaction for a Reaction
        ("grand_scheme", "mill", "great_hall"),  # an Action and a Victory card
        ("grand_scheme", "patrol", "smithy"),
        ("deconstruction_1e", "thief", "bureaucrat"),
        ("deconstruction_2e", "replace", "saboteur"),
    ),
)
def test_a_substitute_does_what_the_missing_card_would(set_id: str, missing: str, first: str) -> None:
    offered = SETS[set_id].substitutes(missing, BOTH)

    assert offered[0] == first
    assert len(set(offered)) == 5
    assert not set(offered) & set(SETS[set_id].cards)


def test_of_one_box_alone_the_other_cards_of_a_set_are_missing_too() -> None:
    mixed = SETS["grand_scheme"]

    assert mixed.missing(frozenset({DOMINION})) == (*"bridge mill mining_village patrol shanty_town".split(),)
    completed = mixed.completed(frozenset({DOMINION}))
    assert {CARDS[id].box for id in completed} == {DOMINION}
    assert len(set(completed)) == 10


@pytest.mark.parametrize(
    ("winners", "expected"),
    (((), (0, 1, 2)), ((0,), (1,)), ((2,), (0,)), ((0, 1), (2,)), ((0, 1, 2), (0, 1, 2))),
)
def test_who_may_begin(winners: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert possible_starters(3, winners) == expected
