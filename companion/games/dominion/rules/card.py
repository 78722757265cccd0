"""A card and all that the rules say about it in numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from companion.games.dominion.rules.steps import ITSELF, NO_BONUS, Bonus, Choose, OtherPlayers, Step, Trash

COPPER, SILVER, GOLD = "copper", "silver", "gold"
ESTATE, DUCHY, PROVINCE, CURSE = "estate", "duchy", "province", "curse"
BASIC = (COPPER, SILVER, GOLD, ESTATE, DUCHY, PROVINCE, CURSE)
"""The seven piles of every game."""

BASE_BOX, DOMINION, INTRIGUE = "base", "dominion-2e", "intrigue-1e"


@dataclass(frozen=True)
class CardPoints:
    """What a card is worth at the end."""

    each: int
    per_cards: int = 0
    """So many for every full lot of this many cards; 0 when they are worth the same in every deck."""
    per_card: str = ""
    """So many for every card of this name."""


@dataclass(frozen=True)
class Card:
    """A card and all that the rules say about it in numbers."""

    id: str
    name: str
    """In English; other languages are in names.toml, or beside it in the file of those who added it."""
    box: str
    cost: int
    types: frozenset[str]
    plus: Bonus = NO_BONUS
    steps: tuple[Step, ...] = ()
    points: CardPoints | None = None
    reaction: str = ""
    """What revealing it does against an Attack: `unaffected` or `first`."""
    pile: int = 0
    """How many cards are in its pile, where that is not as in the rulebooks."""
    source: str = ""
    """Where the rulebook explains it."""
    names: tuple[tuple[str, str], ...] = ()
    """Its names in other languages, as its file has them."""

    @property
    def kingdom(self) -> bool:
        return self.id not in BASIC

    @property
    def all_steps(self) -> Iterator[Step]:
        """Everything it can make somebody do, the choices and what follows from them included."""
        yield from _within(self.steps)

    @property
    def own_steps(self) -> Iterator[Step]:
        """The same for whoever plays it, the other players left out."""
        yield from _within(self.steps, others=False)

    @cached_property
    def best(self) -> Bonus:
        """The most of each kind that it can bring by itself; what chance decides is left out."""
        answers = [
            answer.plus for step in self.own_steps if isinstance(step, Choose) for answer in step.answers
        ]
        every = [self.plus, *answers]
        return Bonus(
            max(plus.cards for plus in every),
            max(plus.actions for plus in every),
            max(plus.buys for plus in every),
            max(plus.coins for plus in every),
        )

    @cached_property
    def trashes(self) -> bool:
        """Whether it takes cards out of the hand of whoever plays it."""
        return any(
            isinstance(step, Trash)
            or (isinstance(step, Choose) and any(answer.trash not in ("", ITSELF) for answer in step.answers))
            for step in self.own_steps
        )


def _within(steps: tuple[Step, ...], others: bool = True) -> Iterator[Step]:
    for step in steps:
        yield step
        match step:
            case Choose(answers):
                for answer in answers:
                    yield from _within(answer.steps, others)
            case Trash(then=then):
                yield from _within(then, others)
            case OtherPlayers(inner) if others:
                yield from _within(inner)
