"""What the watcher tells everybody: a snapshot of what it sees, proposes and waits for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from time import monotonic
from typing import Protocol

from companion.core.aim import CalibrationState, Pixel
from companion.core.message import Message
from companion.core.observation import Area, Observation, Reading
from companion.core.panel import Lamps
from companion.core.session import Session


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


class Watcher(Protocol):
    """What the page can ask of the watcher, from any thread; what records waits for the disk, and so do all others."""

    @property
    def watch(self) -> WatchState: ...

    def picture(self, stage: str = "") -> tuple[int, bytes]:
        """The newest picture of that stage as JPEG with its number; the table from above without a stage.

        CameraError when there is none yet.
        """
        ...

    def crop(self, area: Area) -> bytes:
        """That part of the newest picture from above as JPEG with a little around it, or CameraError."""
        ...

    def confirm(self, seq: int, version: int) -> Session:
        """Record what is proposed, if that is still what the sender saw."""
        ...

    def answer(self, seq: int, version: int, doubt: int, choice: int) -> Session:
        """Record the answer to a doubt."""
        ...

    def take(self, version: int, way: str) -> Session:
        """Take one of the ways out of a disagreement."""
        ...

    def let_alone(self, alone: bool) -> None:
        """Allow or forbid recording without a confirmation."""
        ...

    def follow(self, session: str) -> None:
        """Watch that session from now on."""
        ...

    def press(self, seat: int | None, long: bool = False) -> None:
        """A button of the panel was pressed; None is the common one."""
        ...


class Aimer(Protocol):
    """What the page can do about the camera; every call answers at once, and what was wished is done soon after."""

    @property
    def aim(self) -> CalibrationState:
        """How the camera looks at the table, in full while somebody attends."""
        ...

    def attend(self) -> None:
        """Say that somebody looks at how the camera is set up."""
        ...

    def set_corners(self, corners: Sequence[Pixel] | None, frame: tuple[int, int]) -> None:
        """Take the table to have its corners there, in pictures of that size; without any, go by the markers."""
        ...

    def set_size(self, width: float, height: float) -> None:
        """Take the table to measure so many millimetres, or NotationError."""
        ...

    def learn_empty(self) -> None:
        """Learn what the table looks like with nothing on it, as soon as it is still."""
        ...

    def forget_empty(self) -> None:
        """Forget what the empty table looks like."""
        ...
