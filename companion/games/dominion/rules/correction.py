"""What stays in the log of Dominion when an earlier entry is put right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.core.game import EntryReader
from companion.games.dominion.rules.events import Event, Overrulable


class DominionEntryReader(EntryReader[Any, Event]):
    """Cards were played, bought, gained and trashed as the log says, even where the new count does not allow it."""

    def alternatives(self, event: Event, because: str) -> Sequence[Event]:
        if isinstance(event, Overrulable) and not event.because:
            return (replace(event, because=because),)
        return ()
