"""What can happen in a game of Kingdomino.

Players are counted from 0 here, from 1 in notation. An event that carries `because` overrules the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.kingdomino.rules.kingdom import Kingdom, Placement


@dataclass(frozen=True)
class DominoesRemoved:
    """With two or three players some dominoes stay out of the game; telling which is optional."""

    dominoes: tuple[int, ...]


@dataclass(frozen=True)
class LineDrawn:
    """New dominoes lie face up beside the box."""

    dominoes: tuple[int, ...]


@dataclass(frozen=True)
class KingsDrawn:
    """The order in which the kings came out of the hand; without it the first choices come in any order."""

    players: tuple[int, ...]


@dataclass(frozen=True)
class DominoChosen:
    """A king was set on a domino."""

    player: int
    domino: int


@dataclass(frozen=True)
class DominoPlaced:
    """A domino was added to a kingdom."""

    player: int
    placement: Placement


@dataclass(frozen=True)
class DominoDiscarded:
    """A domino was put back into the box."""

    player: int
    domino: int
    because: str = ""
    """Why people discarded it although it fits somewhere."""


@dataclass(frozen=True)
class GameStopped:
    """People stop before the last domino."""


@dataclass(frozen=True)
class KingdomShown:
    """A whole kingdom as it lies: of a table that only wants its score, or that stopped early."""

    player: int
    kingdom: Kingdom


Event = (
    DominoesRemoved
    | LineDrawn
    | KingsDrawn
    | DominoChosen
    | DominoPlaced
    | DominoDiscarded
    | GameStopped
    | KingdomShown
)


DIRECTION_WORDS: Mapping[str, Message] = {
    "E": _("to the right"),
    "S": _("downwards"),
    "W": _("to the left"),
    "N": _("upwards"),
}
