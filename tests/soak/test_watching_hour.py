"""An hour of play at the virtual table, by a clock of its own: what it takes, and that it takes no more at the end.

`WATCHED_MINUTES=60 pytest -m soak -s tests/soak/test_watching_hour.py`; with two and a half pictures for a second of
play (`FRAME_S` in `tests/watch/night.py`), an hour of it is some ten minutes of work.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from threading import enumerate as threads
from time import perf_counter

import numpy as np
import pytest

from companion.core.log import Source
from companion.core.session import Session
from companion.virtual import rasterizer
from companion.virtual.faults import DISTURBANCES
from tests.watch.night import GAME, Night

MINUTES = float(os.environ.get("WATCHED_MINUTES", "60"))
WARM = 0.25
"""Part of the time after which everything that is made once has been made."""
GROWTH_MB = 20.0
"""In an hour: the log grows by some entries a minute, and libraries keep a little for themselves."""


class Evening(Night):
    """Four people who play one game after the other, with what usually disturbs a camera."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, 4, seed=1, disturbed=False)
        for one in DISTURBANCES:
            self.virtual.switch(one.key, one.usual)
        self.games = self.entries = 0

    def play_until(self, minutes: float) -> None:
        """Play on until so many minutes have passed since the beginning."""
        while self.clock.now < 60 * minutes:
            if not self.virtual.playing:
                self._next()
            self.step()

    def _next(self) -> None:
        if self.frames:
            assert self.session.turn.over, "the hand has given up"
            self.games += 1
            self.entries += self.session.seq
            self.id = self.table.begin(GAME, self.session.setup, Source.COMMAND).id
            self.rig.watcher.follow(self.id)
        self.truth.clear()
        self.virtual.play(True)

    def truth_told(self, session: Session) -> bool:
        return [step.event for step in session.fold.steps] == self.truth[: len(session.fold.steps)]


def megabytes() -> float:
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS:"))


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def forget_drawings() -> None:
    """Drop what the virtual table keeps of its drawings: that fills up for an hour, to a limit, and no real table has
    it; it would hide what else grows."""
    for kept in (rasterizer.rasterize, rasterizer._lying, rasterizer._held, rasterizer._weighed):
        kept.cache_clear()


def growth(rows: list[tuple[float, float]]) -> float:
    """Megabytes an hour, by the straight line through what was measured."""
    minutes, sizes = np.array(rows).T
    return float(60 * np.polyfit(minutes, sizes, 1)[0])


@pytest.mark.soak
def test_an_hour_of_watching_takes_no_more_memory_than_its_beginning(tmp_path: Path) -> None:
    before, opened = {thread.name for thread in threads()}, descriptors()
    evening, began = Evening(tmp_path), perf_counter()
    rows: list[tuple[float, float]] = []
    most = 0
    while (minutes := len(rows) + 1) <= MINUTES:
        evening.play_until(minutes)
        forget_drawings()
        rows.append((float(minutes), megabytes()))
        most = max(most, descriptors())
        if minutes % 10 == 0:
            sys.stdout.write(f"after {minutes} minutes: {rows[-1][1]:.0f} MB, {evening.frames} frames\n")
            sys.stdout.flush()
    seconds = perf_counter() - began
    each = 1000 * seconds / evening.frames
    entries = evening.entries + evening.session.seq
    slope = growth(rows[round(WARM * len(rows)) :])
    told = evening.truth_told(evening.session)
    evening.close()
    sys.stdout.write(
        f"{MINUTES:g} minutes of play in {seconds:.0f} s: {evening.frames} frames ({each:.0f} ms each,"
        f" drawing included), {evening.games} games over, {entries} entries, {evening.doubts} questions,"
        f" {evening.by_hand} times by hand; in the last three quarters memory grew by {slope:.1f} MB an hour;"
        f" {most} files open at most, {opened} before and {descriptors()} after\n"
    )

    assert told, "the log says what was played"
    assert evening.virtual.playing is False
    assert slope <= GROWTH_MB
    assert {thread.name for thread in threads()} <= before | {"pytest_timeout"}
    assert descriptors() <= opened
