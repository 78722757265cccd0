"""What only some games can do: the house looks whether a game can, and asks it then."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from companion.core.game import Line


@dataclass(frozen=True)
class Preparation:
    """What a table asks for that wants to know what to put on it."""

    players: int
    set: str = ""
    """The name of a set the rulebook recommends; empty: the first that the boxes allow, or one by chance."""
    seed: int | None = None
    """Chance decides, by this number; None: it does not."""
    boxes: tuple[str, ...] = ()
    """The boxes at hand; empty: all of the game."""


@runtime_checkable
class Prepares(Protocol):
    """A game whose table is set up differently each time."""

    def prepare(self, asked: Preparation) -> Mapping[str, Any]:
        """The answer of `companion setup`."""
        ...

    def tell_preparation(self, answer: Mapping[str, Any]) -> Iterable[Line]:
        """It for a person to read."""
        ...


@runtime_checkable
class Expandable(Protocol):
    """A game that people can add to in files of their own."""

    def learn(self, text: str) -> None:
        """Take in all that is in a file, or nothing of it and NotationError."""
        ...


@runtime_checkable
class Explains(Protocol):
    """A game that answers what people ask about its pieces, on pages of its own."""

    def book(self, wish: Mapping[str, str], language: str) -> Mapping[str, Any]:
        """What the game's `book.html` draws: an answer to what somebody looks for, in the language they speak."""
        ...


@runtime_checkable
class ShowsBoards(Protocol):
    """A game that tells what stands on everybody's board."""

    def boards(self, position: Any) -> Sequence[Mapping[str, Any]]:
        """What each player has besides points, as `companion replay` answers it."""
        ...

    def tell_board(self, board: Mapping[str, Any]) -> Iterable[Line]:
        """The same of one player for a person to read."""
        ...
