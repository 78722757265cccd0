"""The eye: a camera's frames in, what lies on the table out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING

import cv2
import numpy as np

from calibration.light import Logs, even_light, paper_white
from calibration.mat import Mat
from calibration.plane import Pixels, Plane
from companion.core.observation import Area, Observation
from companion.vision.gallery.known import KnownPieces
from companion.vision.live.reader import TableReader
from companion.vision.live.wood import Shot
from companion.vision.live.workspace import HALF
from companion.vision.table.foreground import Background, Mask
from companion.vision.table.motion import HandDetector, MotionDetector, SmallPicture, small_shape, touched_by
from companion.vision.table.tracker import ShownTable, Tracked, Tracker

if TYPE_CHECKING:
    from hardware.camera import Frame

REST_S = 4.0
"""An arm that rests at the edge for so long, away from all pieces, keeps nobody from reading the rest of the table."""


@dataclass(frozen=True, eq=False)
class FrameReading:
    """What one frame shows."""

    frame: Frame
    plane: Plane | None
    """None when the table was not found."""
    still: bool
    """Whether nothing has moved for a while and no hand is over the table."""
    hand: bool
    """Whether something large reaches in over the edge that is waited for."""
    moved: float
    """Millimetres by which the camera was bumped since the last glance; mostly 0."""
    markers: frozenset[int]
    seen: tuple[Observation, ...] | None
    """Every known piece on the table, each time; None while the table is not still, or not yet looked at all over."""
    unknown: tuple[Area, ...]
    """Where something lies that is no known piece."""
    stages: tuple[tuple[str, float], ...]
    """How many milliseconds rectify, settle, locate and classify took."""
    settled: bool = False
    """Whether nothing has moved for a while, with a hand over the table or without."""
    off: float = 0
    """Millimetres by which the table is beside the corners that somebody has shown; then it counts as not found."""
    sure: int = 0
    """Flat pieces that are told apart."""
    strange: int = 0
    """Flat pieces that are not, and things as large as one that look like none."""
    piece_px: float = 0
    """The camera's own pixels of a piece's side."""

    @cached_property
    def picture(self) -> Pixels | None:
        """The table from above, one pixel per millimetre, worked out when somebody asks; None when it was not found."""
        return None if self.plane is None else self.plane.rectify(self.frame)


class StageTimer:
    """Times the stages of one look."""

    def __init__(self) -> None:
        self.stages: list[tuple[str, float]] = []
        self._since = perf_counter()

    def lap(self, name: str) -> None:
        now = perf_counter()
        self.stages.append((name, (now - self._since) * 1000))
        self._since = now


class Eye:
    """Watches one table on which the pieces of one game may lie; belongs to one thread."""

    def __init__(
        self,
        known: KnownPieces,
        mat: Mat,
        still_s: float,
        ignore: Sequence[Area] = (),
        *,
        rest_s: float = REST_S,
    ) -> None:
        self.mat = mat
        self._tracker = Tracker(mat)
        self._ground = Background(mat, ignore)
        self._settling = MotionDetector(still_s)
        self._reader, self._side = TableReader(known), known.side
        self._outside = self._ground.outside(small_shape(mat))
        self._explained: SmallPicture | None = None
        """The small picture that was explained last."""
        self._hand = False
        self._reaching = HandDetector(rest_s)
        self._kept_out: Mask | None = None
        """255 where nothing was read since an arm rested there."""
        self.empty: Pixels | None = None
        """The empty table, as far as it is known."""

    def hold(self, held: ShownTable | None) -> None:
        """Take the table to be where somebody has shown its corners; None goes back to the markers."""
        self._tracker.held, self._tracker.plane = held, None
        self.forget()

    def know_empty(self, picture: Pixels | None) -> None:
        """Take the empty table to look like that; None forgets it."""
        self._ground = Background(self.mat, self._ground.ignore)
        if picture is not None:
            self._ground.learn(picture)
        self.empty = picture
        self.forget()

    def learn_empty(self, frame: Frame) -> bool:
        """Remember the empty table; False when the table is not found in this frame."""
        tracked = self._tracker.follow(frame)
        if tracked.picture is None:
            return False
        self.know_empty(_half(self._evened(tracked)))
        return True

    def forget(self) -> None:
        """Drop what was seen before: the next look starts from nothing."""
        self._reader.forget()
        self._settling.forget()
        self._reaching.forget()
        self._explained, self._hand, self._kept_out = None, False, None

    def look(self, frame: Frame) -> FrameReading:
        """What this frame shows."""
        watch = StageTimer()
        tracked = self._tracker.follow(frame)
        tiny = SmallPicture.of(frame, tracked.plane) if tracked.plane else None
        watch.lap("rectify")
        if tiny is None or not tracked.sure:
            self._settling.forget()
            return self._glance(frame, tracked, False, False, watch)
        settled = self._settling.settled(tiny, frame.time, self._outside)
        news = self._news(tiny)
        asked = news is not None or self._reaching.resting is not None
        self._hand = asked and self._waits(tracked, tiny, frame.time)
        news = self._with_kept_out(news)
        watch.lap("settle")
        if settled and not self._hand and news is not None:
            self._explain(tracked, tiny, news, watch)
        return self._glance(frame, tracked, settled, settled and not self._hand, watch)

    def _news(self, tiny: SmallPicture) -> Mask | None:
        """255 where the table has changed since it was explained; None when it has not."""
        if self._explained is None:
            return np.full(tiny.pixels.shape[:2], 255, np.uint8)
        if self._explained is self._settling.before and not self._reader.busy:
            return None  # nothing has moved since
        news = tiny.changed(self._explained, self._outside)
        return news if cv2.countNonZero(news) or self._reader.busy else None

    def _waits(self, tracked: Tracked, tiny: SmallPicture, time: float) -> bool:
        known = self._reader.covered(tiny.pixels.shape)
        foreground = self._ground.foreground(even_light(tiny.pixels, self._whites(tracked)), known)
        unknown = np.asarray(cv2.bitwise_and(foreground, cv2.bitwise_not(known)), np.uint8)
        pieces = known if self._reader.complete else None
        return self._reaching.waited_for(tiny, unknown, pieces, time, self._outside)

    def _with_kept_out(self, news: Mask | None) -> Mask | None:
        """News, and with them what an arm has kept from being read; that alone once the arm is gone."""
        kept_out = self._kept_out
        if kept_out is None or (news is None and self._reaching.resting is not None):
            return news
        return kept_out if news is None else np.asarray(cv2.bitwise_or(news, kept_out), np.uint8)

    def _explain(self, tracked: Tracked, tiny: SmallPicture, news: Mask, watch: StageTimer) -> None:
        picture = self._evened(tracked)
        half = _half(picture)
        size = half.shape[1], half.shape[0]
        fresh = np.asarray(
            cv2.dilate(cv2.resize(news, size, interpolation=cv2.INTER_NEAREST), np.ones((9, 9))), np.uint8
        )
        known = self._reader.covered(half.shape)
        foreground = self._ground.foreground(half, known)
        barred = self._bar(np.asarray(foreground & ~known, np.uint8), tiny)
        assert tracked.plane is not None
        self._reader.locate(Shot.of(tracked.frame, tracked.plane), picture, foreground, fresh, barred)
        watch.lap("locate")
        self._reader.classify()
        watch.lap("classify")
        self._explained = self._settling.before = tiny

    def _bar(self, unknown: Mask, tiny: SmallPicture) -> Mask:
        """255 on what must not be read, since an arm rests on it or near it."""
        arm = self._reaching.resting
        if arm is None:
            self._kept_out = None
            return np.zeros_like(unknown)
        barred = touched_by(arm, unknown)
        size = tiny.pixels.shape[1], tiny.pixels.shape[0]
        self._kept_out = np.asarray(cv2.resize(barred, size, interpolation=cv2.INTER_NEAREST), np.uint8)
        return barred

    def _whites(self, tracked: Tracked) -> Logs | None:
        return None if tracked.picture is None else paper_white(tracked.picture, self.mat, tracked.seen)

    def _evened(self, tracked: Tracked) -> Pixels:
        assert tracked.picture is not None
        return even_light(tracked.picture, self._whites(tracked))

    def _glance(
        self, frame: Frame, tracked: Tracked, settled: bool, still: bool, watch: StageTimer
    ) -> FrameReading:
        return FrameReading(
            frame,
            tracked.plane,
            still,
            self._hand,
            tracked.moved,
            tracked.seen,
            self._reader.seen if still and self._reader.complete else None,
            self._reader.unknown,
            tuple(watch.stages),
            settled,
            tracked.off,
            *self._reader.counted(),
            tracked.plane.sharpness * self._side if tracked.plane else 0.0,
        )


def _half(picture: Pixels) -> Pixels:
    return np.asarray(cv2.resize(picture, None, fx=HALF, fy=HALF, interpolation=cv2.INTER_AREA), np.uint8)
