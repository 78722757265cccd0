"""The kingdom and the piles: which boxes a table plays with, ten cards by chance, and how many cards lie in
each pile.

Whatever is asked of a draw is promised: it holds in every draw, or the draw is refused with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random
from typing import NamedTuple

from companion.core.errors import IllegalEvent
from companion.core.game import Option
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominion.rules.cards import (
    BASE_BOX,
    BASIC,
    BOXES,
    CARDS,
    COPPER,
    CURSE,
    DOMINION,
    ESTATE,
    GOLD,
    INTRIGUE,
    PROVINCE,
    SILVER,
    Card,
    CardType,
    kingdom_of,
)


class Variant(StrEnum):
    """The keys of the options."""

    LIGHT = "light"
    ONLY_DOMINION = "only_dominion"
    ONLY_INTRIGUE = "only_intrigue"
    SCORE_ONLY = "score_only"


OPTIONS = (
    Option(
        Variant.LIGHT,
        _("Light: only what is bought"),
        _(
            "One tap a turn keeps piles, turns and the end. Without it every card played is told and coins are counted."
        ),
        usual=True,
    ),
    Option(Variant.ONLY_DOMINION, _("Only Dominion"), _("The kingdom comes from the first box alone.")),
    Option(Variant.ONLY_INTRIGUE, _("Only Intrigue"), _("The kingdom comes from Dominion: Intrigue alone.")),
    Option(
        Variant.SCORE_ONLY,
        _("Only count the decks"),
        _("The game is over: count the cards of each player."),
    ),
)


def owned_boxes(variants: Set[str]) -> frozenset[str]:
    """The boxes that the kingdom comes from; cards of one's own come along with either."""
    left_out = {BASE_BOX}
    if Variant.ONLY_DOMINION in variants:
        left_out.add(INTRIGUE)
    if Variant.ONLY_INTRIGUE in variants:
        left_out.add(DOMINION)
    return frozenset(BOXES) - left_out


KINGDOM_PILES = 10
CARDS_OF_A_KINGDOM_PILE = 10
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


MOST_AGAIN = 5
"""How many cards of the last game may come again; where people chose more of them, chance adds none."""
FAVOURED = 3
"""How much likelier a favourite comes than another card."""
RECENT = 4
"""How much less likely a card comes that was in one of the last games."""


ChosenCards = dict[str, Card]


class KingdomNeed(StrEnum):
    """What a table may ask of the ten cards."""

    ACTIONS = "actions"
    BUYS = "buys"
    TRASHING = "trashing"
    REACTION = "reaction"
    COSTS = "costs"


NEED_NAMES = {
    KingdomNeed.ACTIONS: _("A card with +2 Actions"),
    KingdomNeed.BUYS: _("A card with +1 Buy"),
    KingdomNeed.TRASHING: _("A card that trashes"),
    KingdomNeed.REACTION: _("A Reaction when there are Attacks"),
    KingdomNeed.COSTS: _("Cards for 3 or less, for 4, and for 5 or more"),
}


@dataclass(frozen=True)
class DrawWishes:
    """What is asked of a draw."""

    boxes: frozenset[str] = frozenset({DOMINION, INTRIGUE})
    needs: frozenset[KingdomNeed] = frozenset()
    kept: tuple[str, ...] = ()
    """Cards that stay, as when one of ten is drawn anew."""
    vetoed: frozenset[str] = frozenset()
    favourites: frozenset[str] = frozenset()
    """Cards that come more often; one of them is always there."""
    last: frozenset[str] = frozenset()
    """The kingdom of the last game."""
    recent: frozenset[str] = frozenset()
    """Cards of the games before, which come less often."""


def draw_kingdom(wishes: DrawWishes, random: Random) -> tuple[str, ...]:
    """Ten cards that keep every promise, or IllegalEvent when no ten could."""
    chosen = {id: CARDS[id] for id in wishes.kept}
    left_out = {*chosen, *wishes.vetoed}
    order = _shuffled([card for card in kingdom_of(wishes.boxes) if card.id not in left_out], wishes, random)
    for wanted, why in _wanted(wishes):
        if any(map(wanted, chosen.values())):
            continue
        found = next((card for card in order if wanted(card) and _fits(card, chosen, order, wishes)), None)
        if found is None:
            raise IllegalEvent(_("No card is left for this wish: %(wish)s.", wish=why))
        _add(found, chosen, order, wishes)
    for card in order:
        if card.id not in chosen and _fits(card, chosen, order, wishes):
            _add(card, chosen, order, wishes)
    if len(chosen) != KINGDOM_PILES:
        raise IllegalEvent(_("Too few cards are left for ten piles: veto less, or open another box."))
    return tuple(sorted(chosen, key=lambda id: (CARDS[id].cost, CARDS[id].name)))


def draw_replacement(kingdom: Iterable[str], out: str, wishes: DrawWishes, random: Random) -> str:
    """The card that comes for one of the ten."""
    kept = tuple(id for id in kingdom if id != out)
    drawn = draw_kingdom(replace(wishes, kept=kept, vetoed=wishes.vetoed | {out}), random)
    return next(id for id in drawn if id not in kept)


def possible_starters(players: int, winners: Iterable[int], shared: bool = False) -> tuple[int, ...]:
    """Who may begin: chance decides between them; a victory may have been shared with somebody who is gone.

    Rulebook 000, "Preparação", and 003, "Preparación": after a game, the player to the left of whoever won; after a
    tie, one of those who did not win.
    """
    won = sorted(set(winners))
    if len(won) == 1 and not shared:
        return ((won[0] + 1) % players,)
    return tuple(player for player in range(players) if player not in won) or tuple(range(players))


def _shuffled(cards: list[Card], wishes: DrawWishes, random: Random) -> list[Card]:
    """In an order by chance in which favourites tend to come first, and cards of the last games last."""

    def chance(card: Card) -> float:
        weight = FAVOURED if card.id in wishes.favourites else 1
        return float(random.random() ** (1 / (weight / RECENT if card.id in wishes.recent else weight)))

    return sorted(cards, key=chance, reverse=True)


def _wanted(wishes: DrawWishes) -> Iterator[tuple[Callable[[Card], bool], Message]]:
    """One card after the other that has to be among the ten."""
    if wishes.favourites:
        yield (lambda card: card.id in wishes.favourites), _("A favourite")
    if KingdomNeed.ACTIONS in wishes.needs:
        yield (lambda card: card.best.actions >= 2), NEED_NAMES[KingdomNeed.ACTIONS]
    if KingdomNeed.BUYS in wishes.needs:
        yield (lambda card: card.best.buys >= 1), NEED_NAMES[KingdomNeed.BUYS]
    if KingdomNeed.TRASHING in wishes.needs:
        yield (lambda card: card.trashes), NEED_NAMES[KingdomNeed.TRASHING]
    if KingdomNeed.COSTS in wishes.needs:
        yield (lambda card: card.cost <= 3), NEED_NAMES[KingdomNeed.COSTS]
        yield (lambda card: card.cost == 4), NEED_NAMES[KingdomNeed.COSTS]
        yield (lambda card: card.cost >= 5), NEED_NAMES[KingdomNeed.COSTS]
    if KingdomNeed.REACTION in wishes.needs and any(_attacks(CARDS[id]) for id in wishes.kept):
        yield (lambda card: bool(card.reaction)), NEED_NAMES[KingdomNeed.REACTION]


def _fits(card: Card, chosen: ChosenCards, order: list[Card], wishes: DrawWishes) -> bool:
    added = [card, *_answers(card, chosen, order, wishes)]
    if len(chosen) + len(added) > KINGDOM_PILES:
        return False
    if _needs_answer(card, chosen, wishes) and len(added) == 1:
        return False
    again = [c for c in (*chosen.values(), *added) if c.id in wishes.last]
    return card.id not in wishes.last or len(again) <= MOST_AGAIN


def _add(card: Card, chosen: ChosenCards, order: list[Card], wishes: DrawWishes) -> None:
    chosen |= {added.id: added for added in (card, *_answers(card, chosen, order, wishes))}


def _needs_answer(card: Card, chosen: ChosenCards, wishes: DrawWishes) -> bool:
    return (
        KingdomNeed.REACTION in wishes.needs
        and _attacks(card)
        and not any(c.reaction for c in (*chosen.values(), card))
    )


def _answers(card: Card, chosen: ChosenCards, order: list[Card], wishes: DrawWishes) -> list[Card]:
    """The Reaction that comes along with the first Attack."""
    if not _needs_answer(card, chosen, wishes):
        return []
    again = sum(c.id in wishes.last for c in (*chosen.values(), card))
    free = (c for c in order if c.reaction and c.id not in chosen)
    return next(([c] for c in free if c.id not in wishes.last or again < MOST_AGAIN), [])


def _attacks(card: Card) -> bool:
    return CardType.ATTACK in card.types
