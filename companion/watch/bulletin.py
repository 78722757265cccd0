"""What the watcher tells everybody: one snapshot after the other, pictures when asked for, lamps when they change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from time import perf_counter, time_ns
from typing import TYPE_CHECKING, Any

from companion.core.message import Message
from companion.core.panel import Lamps
from companion.sessions.table import NewsBroker
from companion.watch.state import Announcement, PipelineStage, WatchState

if TYPE_CHECKING:
    from hardware.camera import Pixels

STAGES = ("capture", "rectify", "settle", "locate", "classify", "read", "record", "show")
"""The steps from a frame to the page, in their order."""


def first_version() -> int:
    """Greater than all of the starts before: no page from before is taken for one of now."""
    return time_ns() // 1_000_000


class StatePublisher:
    """Keeps the newest snapshot; whoever changes it holds the watcher's lock."""

    def __init__(self, watch: WatchState, news: NewsBroker, show_lamps: Callable[[Lamps], object]) -> None:
        self.watch = watch
        self.fresh = watch.version
        """The version since which the same reading of the same entry has been shown."""
        self._news, self._show_lamps = news, show_lamps
        self._stages: dict[str, float] = {}

    def show(self, **changes: Any) -> None:
        """Tell everybody, if there is anything that people can see."""
        before = self.watch
        after = replace(before, **changes)
        if after == before:
            self.watch = replace(before, stages=self._told())
            return
        self.watch = replace(after, version=before.version + 1, stages=self._told())
        if (after.reading, after.seq, after.session) != (before.reading, before.seq, before.session):
            self.fresh = self.watch.version
        if after.lamps != before.lamps:
            self._show_lamps(after.lamps)
        self._news.nudge()

    @property
    def announced(self) -> Message | None:
        return self.watch.announcement.text if self.watch.announcement else None

    def announce(self, text: Message, player: int | None = None) -> None:
        self.show(announcement=Announcement(text, player, self.watch.version + 1))

    def turn_to(self, session: str, alone: bool) -> None:
        """Show another session, of which nothing has been seen yet."""
        fresh = WatchState()
        self.show(
            session=session,
            announcement=None,
            alone=alone,
            seq=0,
            status=fresh.status,
            said=None,
            seen=(),
            unknown=(),
            reading=fresh.reading,
            ways=(),
            lamps=fresh.lamps,
        )

    def took(self, stages: Mapping[str, float]) -> None:
        """Note how many milliseconds some steps have taken."""
        self._stages |= stages

    def measured(self, picture: Pixels | None) -> None:
        """Tell how large the table is that such a picture shows from above."""
        if picture is not None:
            self.show(width=float(picture.shape[1]), height=float(picture.shape[0]))

    def since(self, stage: str, began: float) -> None:
        self.took({stage: (perf_counter() - began) * 1000})

    def _told(self) -> tuple[PipelineStage, ...]:
        return tuple(PipelineStage(name, self._stages[name]) for name in STAGES if name in self._stages)
