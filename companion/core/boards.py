"""Games whose players have more in front of them than points, for scripts and whoever asks at a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from companion.core.game import Line


@runtime_checkable
class ShowsBoards(Protocol):
    """A game that tells what stands on everybody's board."""

    def boards(self, position: Any) -> Sequence[Mapping[str, Any]]:
        """What each player has besides points, as `companion replay` answers it."""
        ...

    def tell_board(self, board: Mapping[str, Any]) -> Iterable[Line]:
        """The same of one player for a person to read."""
        ...
