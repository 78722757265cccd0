"""What a card can tell people to do, in the few words that the tables of cards use."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CardType(StrEnum):
    """Types that rules speak of; cards of other expansions may have further ones."""

    ACTION = "action"
    TREASURE = "treasure"
    VICTORY = "victory"
    CURSE = "curse"
    ATTACK = "attack"
    REACTION = "reaction"


@dataclass(frozen=True)
class Bonus:
    """+Cards, +Actions, +Buys and +Coins."""

    cards: int = 0
    actions: int = 0
    buys: int = 0
    coins: int = 0

    def __add__(self, other: Bonus) -> Bonus:
        return Bonus(
            self.cards + other.cards,
            self.actions + other.actions,
            self.buys + other.buys,
            self.coins + other.coins,
        )

    def times(self, count: int) -> Bonus:
        return Bonus(self.cards * count, self.actions * count, self.buys * count, self.coins * count)


NO_BONUS = Bonus()

ByType = tuple[tuple[str, Bonus], ...]
"""What each type of a card brings; a card of several types brings all of theirs."""


@dataclass(frozen=True)
class ManualStep:
    """Something people do that changes nothing the companion counts."""

    note: str


@dataclass(frozen=True)
class PassCards:
    """Everybody passes a card to the left, face down: from then on nobody knows all that is in a deck."""


@dataclass(frozen=True)
class TurnModifier:
    """What the rest of the turn is changed by."""

    first_silver: int = 0
    each_copper: int = 0
    cheaper: int = 0


@dataclass(frozen=True)
class ActionsPlayed:
    """A bonus if so many Actions have been played this turn, this one included."""

    least: int
    plus: Bonus


@dataclass(frozen=True)
class GainNamed:
    """Gain this very card, if there is one in the supply."""

    card: str
    to: str = "discard"


@dataclass(frozen=True)
class Gain:
    """Gain a card that somebody chooses from the supply."""

    cost: int
    exactly: bool = False
    relative: bool = False
    """Whether the cost is counted from that of the card just trashed."""
    types: frozenset[str] = frozenset()
    to: str = "discard"
    by_type: ByType = ()
    may: bool = False
    """Whether nothing may be gained although something could."""
    you_choose: bool = False
    """Whether whoever has the turn chooses it for the player who gains it."""


@dataclass(frozen=True)
class PlayCard:
    """Play a card without using an Action, so many times."""

    times: int


@dataclass(frozen=True)
class CountDiscards:
    """A bonus for each of the cards people name the number of."""

    what: str
    plus: Bonus
    ask: str = ""
    """What is asked."""


@dataclass(frozen=True)
class Reveal:
    """The player to the left reveals cards, and each of another name brings a bonus by its types."""

    cards: int
    by_type: ByType


@dataclass(frozen=True)
class Trash:
    """Trash cards."""

    fewest: int
    most: int
    types: frozenset[str] = frozenset()
    excluded: str = ""
    least: int = 0
    """The least cost of a card that may be trashed."""
    note: str = ""
    then: tuple[Step, ...] = ()
    """What follows once as many as can be have been trashed."""


@dataclass(frozen=True)
class ChoiceAnswer:
    """One of the things a player may choose."""

    key: str
    plus: Bonus = NO_BONUS
    trash: str = ""
    """The card it trashes; `itself` is the card just played."""
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Choose:
    """A player decides between answers."""

    answers: tuple[ChoiceAnswer, ...]
    pick: int = 1
    """How many different ones are chosen."""
    ask: str = ""
    """What is asked."""


@dataclass(frozen=True)
class OtherPlayers:
    """What each other player does, in turn order; what an Attack does to them can be reacted to."""

    steps: tuple[Step, ...]


Step = (
    ManualStep
    | PassCards
    | TurnModifier
    | ActionsPlayed
    | GainNamed
    | Gain
    | PlayCard
    | CountDiscards
    | Reveal
    | Trash
    | Choose
    | OtherPlayers
)

ITSELF = "itself"
