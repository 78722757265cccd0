"""What can happen in a game of Dominion.

Players are counted from 0 here, from 1 in notation; cards go by their ids. Events that people may record
against the rules carry `because`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class KingdomChosen:
    """Ten kingdom cards are in the game."""

    cards: tuple[str, ...]


@dataclass(frozen=True)
class CardVetoed:
    """A player wants no game with that card; without one, the player has nothing against the ten."""

    player: int
    card: str


@dataclass(frozen=True)
class CardLiked:
    """A player would like a game with that card."""

    player: int
    card: str


@dataclass(frozen=True)
class CardAllowed:
    """A card is neither vetoed nor a favourite any more."""

    card: str


@dataclass(frozen=True)
class FavouritesKept:
    """The favourites of earlier games."""

    cards: tuple[str, ...]


@dataclass(frozen=True)
class WinnersTold:
    """Who won the last game; several names shared the victory."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class WishesMade:
    """What the next draw has to keep to."""

    needs: tuple[str, ...]


@dataclass(frozen=True)
class KingdomPlayed:
    """The kingdom of an earlier game, the last told being the last played."""

    cards: tuple[str, ...]


@dataclass(frozen=True)
class CardSwapped:
    """Another kingdom card comes for one of the ten."""

    out: str
    into: str


@dataclass(frozen=True)
class SetUpTicked:
    """Something on the list of what to put on the table is there, or is not yet."""

    item: str
    done: bool


@dataclass(frozen=True)
class FirstPlayer:
    """Who begins; with it the first turn does."""

    player: int


@dataclass(frozen=True)
class CardPlayed:
    """A card was put into play; without one, whatever would have played it plays nothing."""

    player: int
    card: str
    count: int = 1
    """So many of one treasure at once."""
    because: str = ""


@dataclass(frozen=True)
class AnswersChosen:
    """What a player chose of the answers on a card."""

    player: int
    answers: tuple[str, ...]


@dataclass(frozen=True)
class NumberTold:
    """How many cards a player discarded."""

    player: int
    number: int


@dataclass(frozen=True)
class CardsRevealed:
    """A Reaction that a player showed, or what the player to the left revealed for a Tribute."""

    player: int
    cards: tuple[str, ...]


@dataclass(frozen=True)
class CardGained:
    """A player took a card out of the supply without buying it; without a card, there was none to take."""

    player: int
    card: str
    because: str = ""


@dataclass(frozen=True)
class OthersGained:
    """Everybody but whoever has the turn took that card, in turn order and as far as there were any."""

    card: str


@dataclass(frozen=True)
class CardsTrashed:
    """Cards went to the trash."""

    player: int
    cards: tuple[str, ...]
    because: str = ""


@dataclass(frozen=True)
class CardPassed:
    """Which card a player passed to the left, told then or at the end; without one, there was none to pass."""

    player: int
    card: str


@dataclass(frozen=True)
class AttackSuffered:
    """What an Attack does was done to a player, or to everybody it still has to be done to."""

    player: int | None


@dataclass(frozen=True)
class BuyingBegun:
    """The player plays no more Actions."""

    player: int


@dataclass(frozen=True)
class CardBought:
    """A card was bought."""

    player: int
    card: str
    ends: bool = False
    """Whether the turn ends with it: the last Buy, or all that a light game tells of the turn."""
    because: str = ""


@dataclass(frozen=True)
class TurnEnded:
    """Everything was discarded, and five cards drawn."""

    player: int
    because: str = ""


@dataclass(frozen=True)
class GameStopped:
    """The table stops before the end, and counts."""


@dataclass(frozen=True)
class PileCounted:
    """So many cards lie in a pile of the supply, whatever the log said until now."""

    card: str
    number: int


@dataclass(frozen=True)
class TrashCounted:
    """What lies in the trash, whatever the log said until now."""

    cards: Mapping[str, int]


@dataclass(frozen=True)
class DeckCounted:
    """All cards of a player at the end."""

    player: int
    cards: Mapping[str, int]
    turns: int | None = None
    """How many turns the player has had, where the log does not know."""
    because: str = ""
    size: int | None = None
    """How many cards it has in all, where only those that count were told."""


@dataclass(frozen=True)
class ProblemReviewed:
    """People have looked at something odd, and it need not be shown any more."""

    key: str


SetupEvent = (
    KingdomChosen
    | CardVetoed
    | CardLiked
    | CardAllowed
    | FavouritesKept
    | WinnersTold
    | WishesMade
    | KingdomPlayed
    | CardSwapped
    | SetUpTicked
    | FirstPlayer
)
"""What can happen before the first turn only."""

TurnEvent = (
    CardPlayed
    | AnswersChosen
    | NumberTold
    | CardsRevealed
    | CardGained
    | OthersGained
    | CardsTrashed
    | AttackSuffered
    | BuyingBegun
    | CardBought
    | TurnEnded
)
"""What can happen in a turn only."""

Event = (
    SetupEvent
    | TurnEvent
    | CardPassed
    | GameStopped
    | PileCounted
    | TrashCounted
    | DeckCounted
    | ProblemReviewed
)

Overrulable = CardPlayed | CardGained | CardsTrashed | CardBought | TurnEnded | DeckCounted
"""What people may record against the rules, with a reason."""
