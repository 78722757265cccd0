"""What stays in the log when an earlier entry is put right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.dominion.rules.events import Event, Overrulable


def keep(event: Event, because: str) -> Sequence[Event]:
    """Cards were played, bought, gained and trashed as the log says, even where the new count does not allow it."""
    if isinstance(event, Overrulable) and not event.because:
        return (replace(event, because=because),)
    return ()
