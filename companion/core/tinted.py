"""Pieces that only the colours of their spots tell apart, and the card that shows these colours in the light of now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from companion.core.observation import Face

UNREAD = "?"
"""The colour of a spot that shows none of the game's."""


@dataclass(frozen=True)
class ColourSpot:
    """A round place of one colour, in millimetres from the middle of its face."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True)
class Tinted:
    """Triangular pieces laid side to side, round a piece that lies there from the start."""

    blank: Face
    """What is printed on all of them; nothing where colours are read."""
    side: float
    """In millimetres."""
    spots: tuple[ColourSpot, ...]
    """Where colours are read: in the middle, and near each corner."""
    letters: tuple[str, ...]
    """The colours that each spot may have."""
    centre: Face
    """The piece round which the others come to lie: as long a side for each of six."""
    card: Face
    """Shows the colours as this light makes them look; nothing is known of its own patches."""
    patches: Mapping[str, ColourSpot]
    """Where on the card each colour is, by its letter."""
    bare: str
    """The letter of the cardboard itself, which shows where a spot has no colour."""


@runtime_checkable
class Tinting(Protocol):
    """A sight whose pieces are told apart by their colours.

    What is read so is shown before it counts, and most of a turn is tapped: people look at the drawn table.
    """

    @property
    def tinted(self) -> Tinted: ...


def tinted_pieces(sight: object) -> Tinted | None:
    """What an eye needs to know of such pieces, where a game has them."""
    return sight.tinted if isinstance(sight, Tinting) else None
