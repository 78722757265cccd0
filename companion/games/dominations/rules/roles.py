"""What the Roles are called, and how it was determined who takes one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominations.rules.box import Domain

ROLE_NAMES: Mapping[str, Message] = {
    "governor": _("Governor"),
    "high_priest": _("High Priest"),
    "diplomat": _("Diplomat"),
    "merchant": _("Merchant"),
    "inventor": _("Inventor"),
    "worker": _("Worker"),
}


@dataclass(frozen=True)
class CardAddition:
    """What a card adds to somebody's Knowledge when Roles are determined."""

    player: int
    amount: int
    why: Message
    domain: Domain | None = None
    """None where nobody has said it."""


@dataclass(frozen=True)
class RoleComparison:
    """How it was determined who takes a Role."""

    role: str
    values: tuple[int, ...]
    """What each player had left, with what cards added."""
    winner: int | None = None
    added: tuple[CardAddition, ...] = ()
    """What of the values is added by cards."""
    open: tuple[CardAddition, ...] = ()
    """What may be added here, and by which somebody else would take the Role."""

    @property
    def tied(self) -> tuple[int, ...]:
        """Who had as much as the winner: between them, the Initiative decided."""
        if self.winner is None:
            return ()
        return tuple(player for player, n in enumerate(self.values) if n == self.values[self.winner])
