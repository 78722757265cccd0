"""A Civilization Tree as shapes: a card is 100 units square, and y grows downwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from companion.core.message import Message
from companion.games.dominations.rules.box import UNKNOWN
from companion.games.dominations.rules.position import Position
from companion.games.dominations.rules.tree import CAMPFIRE, FARTHEST, NO_HALF, STEPS, Planted, Spot, Tree

SpotTo = Mapping[str, str | None]
CARD_SIDE = 100
HALF_MIDDLES = ((50, 18), (82, 50), (50, 82), (18, 50))
"""Where a card's half Nodi are drawn: above, right, below, left."""


@dataclass(frozen=True)
class HalfView:
    """A half Nodus."""

    x: int
    y: int
    letter: str


@dataclass(frozen=True)
class CardSquare:
    """A card that lies in a Tree."""

    x: int
    y: int
    title: Message | None
    """Nothing for the Campfire."""
    letter: str
    """Its Domain; nothing for the Campfire and for Monuments."""
    halves: tuple[HalfView, ...]
    told: bool = False
    """Whether it is the one that is being told."""
    asked: tuple[int, int] | None = None
    """Where the half Nodus lies that is told next."""


@dataclass(frozen=True)
class TreeSpotView:
    """A place of a Tree that can be tapped."""

    x: int
    y: int
    spot: str
    to: SpotTo


@dataclass(frozen=True)
class TreeView:
    """Everything of a Tree whose place is known."""

    left: int
    top: int
    columns: int
    rows: int
    cards: tuple[CardSquare, ...]
    spots: tuple[TreeSpotView, ...] = ()


def write_spot(spot: Spot) -> str:
    return f"{spot[0]},{spot[1]}"


def free_spots(tree: Tree) -> tuple[Spot, ...]:
    """The places beside the cards of a Tree."""
    beside = {(x + dx, y + dy) for x, y in tree.at for dx, dy in STEPS} - tree.at.keys()
    return tuple(spot for spot in sorted(beside) if max(map(abs, spot)) <= FARTHEST)


def fitting_spots(tree: Tree) -> tuple[Spot, ...]:
    """The free places where a card can make a Nodus with every card beside it."""
    sides = range(len(STEPS))
    return tuple(spot for spot in free_spots(tree) if all(tree.meeting(spot, side) for side in sides))


def tree_view(
    position: Position, tree: Tree, ways: Mapping[Spot, SpotTo], told: Planted | None = None
) -> TreeView:
    """A Tree with the places that can be tapped, and the card that is being told."""
    cards = tuple(_card(position, card) for card in tree.cards if card.spot is not None)
    ghost = (_told(position, told),) if told else ()
    spots = tuple(
        TreeSpotView(x * CARD_SIDE, y * CARD_SIDE, write_spot((x, y)), to) for (x, y), to in ways.items()
    )
    return _bounded((*(card for card in cards if not _under(card, ghost)), *ghost), spots)


def _under(card: CardSquare, ghost: Iterable[CardSquare]) -> bool:
    return any((card.x, card.y) == (other.x, other.y) for other in ghost)


def _bounded(cards: tuple[CardSquare, ...], spots: tuple[TreeSpotView, ...]) -> TreeView:
    corners = [(card.x, card.y) for card in cards] + [(spot.x, spot.y) for spot in spots]
    xs, ys = zip(*corners, strict=True)
    columns, rows = (max(xs) - min(xs)) // CARD_SIDE + 1, (max(ys) - min(ys)) // CARD_SIDE + 1
    return TreeView(min(xs), min(ys), columns, rows, cards, spots)


def _card(position: Position, card: Planted) -> CardSquare:
    assert card.spot is not None
    x, y = card.spot
    mastery = position.cards.masteries.get(card.key)
    letter = mastery.domain if mastery and not card.level else ""
    title = None if card.key == CAMPFIRE else position.title(card.key)
    return CardSquare(x * CARD_SIDE, y * CARD_SIDE, title, letter, tuple(_halves(card)))


def _halves(card: Planted) -> Iterator[HalfView]:
    for (x, y), letter in zip(HALF_MIDDLES, card.halves, strict=False):
        if letter not in (UNKNOWN, NO_HALF):
            yield HalfView(x, y, letter)


def _told(position: Position, card: Planted) -> CardSquare:
    """A card as far as it was told, with a ring round the half that comes next."""
    drawn = _card(position, card)
    asked = HALF_MIDDLES[len(card.halves)] if len(card.halves) < len(HALF_MIDDLES) else None
    return CardSquare(drawn.x, drawn.y, drawn.title, drawn.letter, drawn.halves, True, asked)
