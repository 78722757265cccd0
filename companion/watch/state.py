"""What the watcher tells everybody.

Immutable snapshots of what it sees, proposes and waits for, their publisher, and pictures on demand.

A greater version is a newer snapshot, over restarts, too. Pictures are JPEG, encoded once however many look;
lengths are millimetres on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from threading import Lock
from time import monotonic, perf_counter, sleep, time_ns
from typing import TYPE_CHECKING, Any

from companion.core.devices import Lamps
from companion.core.errors import CameraError
from companion.core.game import AnyGame
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.observation import SURE, Area, Observation, Reading, close_up
from companion.core.photo import Corners, SentPhoto
from companion.sessions.live import NewsBroker
from companion.watch.familiarity import Familiarity

if TYPE_CHECKING:
    from calibration.mat import Mat
    from companion.vision.live.eye import FrameReading
    from hardware.camera import Frame, Pixels


class Status(StrEnum):
    """What the watcher is doing."""

    STARTING = "starting"
    """The camera has not shown the table yet."""
    WATCHING = "watching"
    """The table is still, and log and table agree."""
    MOVING = "moving"
    """Something moves, or a hand is over the table."""
    PAUSED = "paused"
    """Table and log disagree: nothing is proposed until people say how it goes on."""
    BLIND = "blind"
    """There are pictures, but the table cannot be found in them."""
    NO_CAMERA = "no-camera"
    """There are no pictures."""


UNSEEING = frozenset({Status.BLIND, Status.NO_CAMERA})
"""Nothing is read, and a button records nothing."""
UNREAD = UNSEEING | {Status.STARTING, Status.MOVING}
"""The newest frame was not read: whatever was read before stays as it was."""


@dataclass(frozen=True)
class PipelineStage:
    """One of the eight steps from a frame to the page, and how long it took last time."""

    name: str
    """capture, rectify, settle, locate, classify, read, record or show."""
    ms: float


@dataclass(frozen=True)
class WayOut:
    """A way out when table and log disagree."""

    key: str
    """What a device sends back when somebody takes it."""
    text: Message


@dataclass(frozen=True)
class Announcement:
    """What a button did."""

    text: Message
    player: int | None = None
    number: int = 0
    at: float = field(default_factory=monotonic, compare=False)
    """When it was told, in seconds: after a moment it is old."""


@dataclass(frozen=True)
class WatchState:
    """A snapshot; a greater version is a newer one, and only what people can see makes one newer."""

    version: int = 0
    session: str = ""
    """The session the camera watches; empty when it watches none."""
    seq: int = 0
    """The entry of the log the reading is about."""
    status: Status = Status.STARTING
    said: Message | None = None
    """What is wrong, or what is waited for, in words."""
    seen: tuple[Observation, ...] = ()
    unknown: tuple[Area, ...] = ()
    """Where something lies that is no piece."""
    familiarity: Familiarity = Familiarity.NOTHING
    """Whether the pieces on the table are known."""
    reading: Reading = field(default_factory=Reading)
    ways: tuple[WayOut, ...] = ()
    announcement: Announcement | None = None
    alone: bool = False
    """Whether it may record by itself when it is sure."""
    lamps: Lamps = field(default_factory=Lamps)
    stages: tuple[PipelineStage, ...] = ()
    camera: str = ""
    """The name of the camera."""
    width: float = 1600
    """Millimetres of the table from above, as is the height: what its picture shows."""
    height: float = 900

    @property
    def middle(self) -> tuple[float, float]:
        """Of the table, from where games count."""
        return self.width / 2, self.height / 2


EVERY_S = 0.1
"""Between two questions whether something still moves."""
WIDEST = 1280
"""Pixels: more would only cost the tablets time."""
QUALITY = 78

_TABLE = "table"
"""The table from above as it was seen last, even if it cannot be found now."""


class PictureCache:
    """The newest pictures by stage, each encoded once however many look."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._number = 0
        self._pictures: dict[str, Callable[[], Pixels]] = {}
        self._encoded: dict[str, tuple[int, bytes]] = {}
        self._last: tuple[Frame, FrameReading | None] | None = None

    def keep(self, frame: Frame) -> None:
        """A picture in which nothing was looked for."""
        self._last = frame, None
        self._keep(dict.fromkeys(("", "capture"), lambda: frame.at_least(WIDEST)))

    def keep_look(self, glance: FrameReading) -> None:
        """The picture the camera took, and the table from above where it was found: unrolled once somebody looks."""
        taken = dict.fromkeys(("", "capture", "rectify"), lambda: glance.frame.at_least(WIDEST))
        above = dict.fromkeys(("", "rectify", _TABLE), lambda: _above(glance))
        self._last = glance.frame, glance
        self._keep(taken if glance.plane is None else taken | above)

    def picture(self, stage: str) -> tuple[int, bytes]:
        with self._lock:
            number, picture, done = self._number, self._pictures.get(stage), self._encoded.get(stage)
            if picture is None:
                raise CameraError(_("There is no picture yet."))
            if done is None or done[0] != number:
                done = self._encoded[stage] = (number, _jpeg(picture()))
            return done

    def photo(self, game: AnyGame | None, patience_s: float = 0.0) -> Callable[[], SentPhoto]:
        """The newest picture as fine as the camera gives it, and where this game's flat pieces lie in it.

        An arm may hide what is to be counted: whoever takes it waits so long until nothing moves.
        """
        if self._last is None:
            raise CameraError(_("There is no picture yet."))

        def taken() -> SentPhoto:
            until = monotonic() + patience_s
            while self._moves and monotonic() < until:
                sleep(EVERY_S)
            assert self._last
            frame, glance = self._last
            lying = _lying(game, glance) if game and glance else ()
            return SentPhoto(pixels=frame.pixels, game=game.key if game else "", lying=lying)

        return taken

    @property
    def _moves(self) -> bool:
        """Whether something moves in the newest picture of a table that is found."""
        glance = self._last[1] if self._last else None
        return glance is not None and glance.plane is not None and glance.seen is None

    def crop(self, area: Area) -> bytes:
        with self._lock:
            picture = self._pictures.get(_TABLE)
        if picture is None:
            raise CameraError(_("There is no picture yet."))
        left, top, right, bottom = close_up(area)
        pixels = picture()
        part = pixels[top:bottom, left:right]
        return _jpeg(part if part.size else pixels)

    def _keep(self, pictures: Mapping[str, Callable[[], Pixels]]) -> None:
        with self._lock:
            self._number += 1
            self._pictures = {**self._pictures, **pictures}


def _above(glance: FrameReading) -> Pixels:
    assert glance.picture is not None
    return glance.picture


def _lying(game: AnyGame, glance: FrameReading) -> tuple[Corners, ...]:
    """The corners of the flat pieces that are told apart, in widths of the camera's picture."""
    plane = glance.plane
    if plane is None or game.sight is None:
        return ()
    flat = {face.label: face for face in game.sight.faces if not face.stands}
    areas = (
        Area(one.x, one.y, flat[one.label].width, flat[one.label].height, one.angle)
        for one in glance.seen or ()
        if one.label in flat and one.confidence >= SURE
    )
    width = glance.frame.size[0]
    return tuple([(x / width, y / width) for x, y in plane.to_frame(area.corners).tolist()] for area in areas)


def _jpeg(pixels: Pixels) -> bytes:
    # Imported here: a companion without a camera never needs it.
    import cv2

    height, width = pixels.shape[:2]
    if width > WIDEST:
        pixels = cv2.resize(pixels, (WIDEST, height * WIDEST // width), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    done, encoded = cv2.imencode(".jpg", pixels, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
    if not done:
        raise CameraError(_("The picture cannot be shown."))
    return encoded.tobytes()


STAGES = ("capture", "rectify", "settle", "locate", "classify", "read", "record", "show")
"""The steps from a frame to the page, in their order."""


def first_version() -> int:
    """Greater than all of the starts before: no page from before is taken for one of now."""
    return time_ns() // 1_000_000


_OF_ANY_SESSION = ("version", "stages", "camera", "width", "height")


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
        fresh = vars(WatchState(session=session, alone=alone))
        self.show(**{name: value for name, value in fresh.items() if name not in _OF_ANY_SESSION})

    def took(self, stages: Mapping[str, float]) -> None:
        """Note how many milliseconds some steps have taken."""
        self._stages |= stages

    def measured(self, mat: Mat) -> None:
        """Tell how large the table is that is watched."""
        self.show(width=float(round(mat.width)), height=float(round(mat.height)))

    def since(self, stage: str, began: float) -> None:
        self.took({stage: (perf_counter() - began) * 1000})

    def _told(self) -> tuple[PipelineStage, ...]:
        return tuple(PipelineStage(name, self._stages[name]) for name in STAGES if name in self._stages)
