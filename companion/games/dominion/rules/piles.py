"""How many cards lie in each pile, by the number of players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from companion.games.dominion.rules.card import BASIC, COPPER, CURSE, ESTATE, GOLD, PROVINCE, SILVER, Card
from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.rules.steps import CardType

KINGDOM_PILES = 10
CARDS_OF_A_KINGDOM_PILE = 10
HAND = 5
MOST_COPIES = 200
"""No pile, trash or deck has more of one card: all of a kind in two boxes are fewer."""
MOST_TURNS = 200
"""No game takes a player more."""

START_DECK: Mapping[str, int] = {COPPER: 7, ESTATE: 3}
"""Rulebook 000, "Preparação": what each player begins with."""

TREASURES_OF_A_BOX: Mapping[str, int] = {COPPER: 60, SILVER: 40, GOLD: 30}
"""Both boxes have the same; all of them are used."""


class TableSizes(NamedTuple):
    """What depends on the number of players."""

    victory: int
    """Estates, Duchies, and each kingdom card that is a Victory card."""
    provinces: int
    curses: int
    boxes_of_treasure: int
    empty_piles: int
    """How many empty piles end the game."""


# Rulebook 000, "Preparação" and "Regras para 5 ou 6 Jogadores"; rulebook 003, "Preparación" and "Jugar más de 4
# jugadores". With five and six the treasures of two boxes are put together, whichever two they are.
SIZES: Mapping[int, TableSizes] = {
    2: TableSizes(8, 8, 10, 1, 3),
    3: TableSizes(12, 12, 20, 1, 3),
    4: TableSizes(12, 12, 30, 1, 3),
    5: TableSizes(12, 15, 40, 2, 4),
    6: TableSizes(12, 18, 50, 2, 4),
}


def pile_size(card: Card, players: int) -> int:
    """How many of a card lie in the supply when the game begins."""
    sizes = SIZES[players]
    if card.id in TREASURES_OF_A_BOX:
        copies = TREASURES_OF_A_BOX[card.id] * sizes.boxes_of_treasure
        return copies - players * START_DECK.get(card.id, 0)
    if card.id == PROVINCE:
        return sizes.provinces
    if card.id == CURSE:
        return sizes.curses
    if card.pile:
        return card.pile
    # Rulebook 000, "Jardins", and 003, "Duque", "Gran Sala", "Harén" and "Nobles".
    return sizes.victory if CardType.VICTORY in card.types else CARDS_OF_A_KINGDOM_PILE


def supply_piles(kingdom: Iterable[str], players: int) -> dict[str, int]:
    """Every pile of the supply and its size: the seven basic ones, then the kingdom by cost and name."""
    ordered = sorted(kingdom, key=lambda id: (CARDS[id].cost, CARDS[id].name))
    return {id: pile_size(CARDS[id], players) for id in (*BASIC, *ordered)}


def cards_in_game(kingdom: Iterable[str], players: int) -> dict[str, int]:
    """All cards of a game, those in the players' first decks included: nothing of them may get lost."""
    return {
        id: count + players * START_DECK.get(id, 0) for id, count in supply_piles(kingdom, players).items()
    }
