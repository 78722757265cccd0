"""What a game offers that people ask questions about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class Explains(Protocol):
    """A game that answers what people ask about its pieces, on pages of its own."""

    def book(self, wish: Mapping[str, str], language: str) -> Mapping[str, Any]:
        """What the game's `book.html` draws: an answer to what somebody looks for, in the language they speak."""
        ...
