"""What the page of Kingdomino draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.kingdomino.position import Position


def page(position: Position, wish: Mapping[str, str]) -> Mapping[str, Any]:
    """Filled in next."""
    return {}
