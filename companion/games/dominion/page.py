"""What the page of Dominion draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.dominion.position import Position


def page(position: Position, wish: Mapping[str, str]) -> Mapping[str, Any]:  # noqa: ARG001
    return {"position": position, "phase": position.phase.value}
