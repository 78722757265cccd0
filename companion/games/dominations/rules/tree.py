"""Civilization Trees: cards side by side, the Nodi between them, and where a card may come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.rules.box import CORRUPTIO, LETTERS, UNKNOWN, VESTIGIUM, Amounts, Domain

Spot = tuple[int, int]
"""Where a card lies: x to the right, y down, the Campfire at 0,0."""
STEPS: tuple[Spot, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""To the cards on the four sides, in the order in which the half Nodi of a card are told."""
CAMPFIRE = "campfire"
NO_HALF = "-"
HALVES = f"{LETTERS}{VESTIGIUM}{CORRUPTIO}{NO_HALF}"
FARTHEST = 20


@dataclass(frozen=True)
class Planted:
    """A card of a Tree."""

    key: str
    level: int = 0
    """Of a Monument; nothing for a Mastery."""
    advanced: bool = False
    spot: Spot | None = None
    """None when nobody told where it lies."""
    halves: str = UNKNOWN * 4
    """Its half Nodi: above, right, below, left."""
    nodi: tuple[Domain, ...] = ()
    """The Nodi it made, as they were told for a card whose place nobody knows."""


@dataclass(frozen=True)
class Nodus:
    """Two halves that have met."""

    domain: Domain
    spots: frozenset[Spot]
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tree:
    """The cards of a player; the Campfire is its root."""

    cards: tuple[Planted, ...] = (Planted(CAMPFIRE, spot=(0, 0)),)

    @property
    def at(self) -> Mapping[Spot, Planted]:
        return {card.spot: card for card in self.cards if card.spot is not None}

    @property
    def masteries(self) -> tuple[Planted, ...]:
        return tuple(card for card in self.cards if not card.level and card.key != CAMPFIRE)

    @property
    def levels(self) -> tuple[Planted, ...]:
        return tuple(card for card in self.cards if card.level)

    def find(self, key: str) -> Planted | None:
        return next((card for card in self.masteries if card.key == key), None)

    def with_card(self, card: Planted) -> Tree:
        return replace(self, cards=(*self.cards, card))

    def advanced(self, key: str) -> Tree:
        turned = (replace(c, advanced=True) if c.key == key and not c.level else c for c in self.cards)
        return replace(self, cards=tuple(turned))

    def with_campfire(self, halves: str) -> Tree:
        return replace(self, cards=(replace(self.cards[0], halves=halves), *self.cards[1:]))

    def made_by(self, card: Planted) -> tuple[Domain, ...]:
        """The Nodi between a card and those beside it."""
        if card.spot is None:
            return card.nodi
        return tuple(domain for _side, domain in self._meetings(card) if domain)

    def _meetings(self, card: Planted) -> Iterator[tuple[int, Domain | None]]:
        assert card.spot is not None
        for side, (dx, dy) in enumerate(STEPS):
            beside = self.at.get((card.spot[0] + dx, card.spot[1] + dy))
            if beside:
                yield side, nodus_of(card.halves[side], beside.halves[(side + 2) % 4])

    def meeting(self, spot: Spot, side: int) -> str:
        """The half Nodi that meet the card on that side; all where none lies there."""
        beside = self.at.get((spot[0] + STEPS[side][0], spot[1] + STEPS[side][1]))
        if beside is None:
            return HALVES
        return "".join(half for half in HALVES if nodus_of(half, beside.halves[(side + 2) % 4]))

    def against(self, card: Planted) -> Iterator[Message]:
        """Why a card may not come where it is to lie; rulebook 004, "Árvore de Civilização"."""
        if card.spot is None:
            return
        if card.spot in self.at:
            yield _("There lies a card of the Tree already.")
            return
        met = [*self._meetings(card)]
        if not met:
            yield _("A card has to lie beside another one of the Tree.")
        if any(domain is None for _side, domain in met):
            yield _("A card has to make a Nodus with every card beside it.")

    @property
    def nodi(self) -> tuple[Nodus, ...]:
        """Every complete Nodus, once."""
        found: list[Nodus] = []
        at = self.at
        for spot, card in at.items():
            for side, (dx, dy) in ((1, STEPS[1]), (2, STEPS[2])):
                beside = at.get((spot[0] + dx, spot[1] + dy))
                domain = nodus_of(card.halves[side], beside.halves[(side + 2) % 4]) if beside else None
                if beside and domain:
                    ends = frozenset({spot, (spot[0] + dx, spot[1] + dy)})
                    found.append(Nodus(domain, ends, (_kind(card), _kind(beside))))
        told = [
            Nodus(domain, frozenset(), (_kind(c),)) for c in self.cards for domain in c.nodi if c.spot is None
        ]
        return (*found, *told)

    def count(self, masteries_only: bool = False) -> Amounts:
        """How many Nodi there are of each Domain."""
        found = Counter(n.domain for n in self.nodi if not masteries_only or set(n.keys) == {"mastery"})
        return {domain: found[domain] for domain in Domain}


def _kind(card: Planted) -> str:
    return "level" if card.level else CAMPFIRE if card.key == CAMPFIRE else "mastery"


def nodus_of(one: str, other: str) -> Domain | None:
    """The Nodus that two halves make; white takes the colour it meets, black meets nothing."""
    if one == other and one in LETTERS:
        return Domain(one)
    for blank, half in ((one, other), (other, one)):
        # What nobody knows of the Campfire may be any colour: the card beside it says which.
        if blank in (VESTIGIUM, UNKNOWN) and half in LETTERS:
            return Domain(half)
    return None
