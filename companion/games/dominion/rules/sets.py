"""The sets the rulebooks recommend: rulebook 000, "Combinações Recomendadas", and 003, "Ideas de partidas"."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from companion.games.dominion.rules.card import Card
from companion.games.dominion.rules.card_file import read_card
from companion.games.dominion.rules.cards import CARDS, kingdom_of
from companion.games.dominion.rules.steps import CardType

MOST_SUBSTITUTES = 5
"""How many cards are offered instead of one that is missing."""


@dataclass(frozen=True)
class RecommendedSet:
    """Ten kingdom cards that go well together."""

    id: str
    name: str
    """As its rulebook calls it."""
    name_en: str
    rulebook: str
    cards: tuple[str, ...]

    def missing(self, boxes: frozenset[str]) -> tuple[str, ...]:
        """The cards that are in none of those boxes, in the order of the set."""
        return tuple(id for id in self.cards if id not in CARDS or CARDS[id].box not in boxes)

    def substitutes(self, missing: str, boxes: frozenset[str]) -> tuple[str, ...]:
        """Cards of those boxes that do what the missing one would, the nearest first."""
        wanted = CARDS.get(missing) or ABSENT[missing]
        free = [card for card in kingdom_of(boxes) if card.id not in self.cards]
        return tuple(
            card.id for card in sorted(free, key=lambda card: _distance(wanted, card))[:MOST_SUBSTITUTES]
        )

    def completed(self, boxes: frozenset[str]) -> tuple[str, ...]:
        """The set with the nearest substitute for each missing card, no card twice."""
        cards = self.cards
        for id in self.missing(boxes):
            free = replace(self, cards=cards).substitutes(id, boxes)
            if free:
                cards = tuple(free[0] if card == id else card for card in cards)
        return cards


def _distance(wanted: Card, card: Card) -> tuple[int, int, str]:
    """How far two cards are from doing the same: what they are weighs more than what they give, that more than cost."""
    roles = (CardType.ATTACK, CardType.REACTION, CardType.VICTORY, CardType.TREASURE)
    unlike = sum((role in wanted.types) != (role in card.types) for role in roles)
    gives = sum(abs(ours - theirs) for ours, theirs in zip(_best_of(wanted), _best_of(card), strict=True))
    return 4 * unlike + gives, abs(wanted.cost - card.cost), card.id


def _best_of(card: Card) -> tuple[int, ...]:
    return card.best.cards, card.best.actions, card.best.buys, card.best.coins


def _read_sets() -> tuple[Mapping[str, RecommendedSet], Mapping[str, Card]]:
    table = tomllib.loads((Path(__file__).parents[1] / "sets.toml").read_text(encoding="utf-8"))
    sets = {
        id: RecommendedSet(id, row["name"], row["name_en"], row["rulebook"], tuple(row["cards"].split()))
        for id, row in table["set"].items()
    }
    return sets, {
        id: read_card(id, {**row, "box": "elsewhere"}, {"elsewhere": ""})
        for id, row in table["absent"].items()
    }


SETS, ABSENT = _read_sets()
