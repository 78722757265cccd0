"""The one thread beside the table: whatever a frame does to it, the next one is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from calibration.plane import Pixels
from companion.core.errors import CameraError
from companion.core.game import AnyGame
from companion.core.message import message as _
from companion.vision.live.eye import FrameReading
from companion.vision.table.calibrator import Calibrator
from companion.watch.camera_requests import CalibrationRequests
from companion.watch.loop import PUZZLED, WatchLoop
from companion.watch.state import Status
from hardware.camera import Frame
from tests.watch.evening import LINE, PIXELS, Evening

GONE = _("The cable is out.")
PATIENCE_S = 20.0


class Frames:
    """A camera that gives one frame after the other, or none while it is unplugged."""

    name = "frames"
    unplugged = False
    taken = 0
    closed = False

    def frame(self) -> Frame:
        sleep(0.002)
        if self.unplugged:
            raise CameraError(GONE)
        self.taken += 1
        return Frame(PIXELS, self.taken / 5)

    def close(self) -> None:
        self.closed = True


class Told:
    """An eye that is told what lies on the table, and fails when it is told to."""

    empty: Pixels | None = None
    fails: Exception | None = None

    def __init__(self, evening: Evening) -> None:
        self.evening = evening

    def look(self, frame: Frame) -> FrameReading:
        if self.fails:
            raise self.fails
        self.evening.time = frame.time
        return self.evening.glance(
            self.evening.after(LINE) if not self.evening.lines else self.evening.after()
        )

    def forget(self) -> None: ...

    def hold(self, held: object) -> None: ...

    def know_empty(self, picture: object) -> None: ...

    def learn_empty(self, frame: Frame) -> bool:  # noqa: ARG002
        return False


class Watched:
    """A loop in its own thread."""

    def __init__(self, folder: Path) -> None:
        self.evening = Evening(folder)
        self.camera, self.eye = Frames(), Told(self.evening)
        aimer = CalibrationRequests(Calibrator(folder / "camera"))
        self.loop = WatchLoop(self.camera, self._eye, self.evening.watcher, aimer, again=0.01)
        self.loop.start()

    def _eye(self, _game: AnyGame | None) -> Any:
        return self.eye

    def until(self, what: Callable[[], bool]) -> None:
        late = monotonic() + PATIENCE_S
        while not what():
            assert monotonic() < late, f"in vain: {self.evening.watch.status}, {self.evening.said}"
            sleep(0.01)

    def close(self) -> None:
        self.loop.close()
        self.evening.close()


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    found = Watched(tmp_path)
    found.until(lambda: found.evening.proposed == [LINE])
    yield found
    found.close()


def test_a_frame_that_breaks_the_eye_is_told_and_the_next_one_is_looked_at(
    watched: Watched, caplog: pytest.LogCaptureFixture
) -> None:
    watched.eye.fails = ZeroDivisionError("nobody had thought of this frame")
    watched.until(lambda: watched.evening.watch.status is Status.BLIND)

    assert watched.evening.said == str(PUZZLED)
    assert "a frame could not be looked at" in caplog.text
    watched.eye.fails = None
    watched.until(lambda: watched.evening.watch.status is Status.WATCHING)
    assert watched.evening.proposed == [LINE]


def test_a_camera_that_comes_back_is_watched_again(watched: Watched) -> None:
    watched.camera.unplugged = True
    watched.until(lambda: watched.evening.watch.status is Status.NO_CAMERA)

    assert watched.evening.said == str(GONE)
    watched.camera.unplugged = False
    watched.until(lambda: watched.evening.watch.status is Status.WATCHING)
    watched.evening.watcher.press(None)
    assert watched.evening.lines == [LINE]


def test_a_picture_that_cannot_be_unpacked_is_told_as_no_picture(watched: Watched) -> None:
    watched.eye.fails = CameraError(GONE)
    watched.until(lambda: watched.evening.watch.status is Status.NO_CAMERA)

    assert watched.evening.said == str(GONE)
    watched.eye.fails = None
    watched.until(lambda: watched.evening.watch.status is Status.WATCHING)


def test_closing_leaves_no_thread_and_closes_the_camera(watched: Watched) -> None:
    watched.loop.close()
    taken = watched.camera.taken
    sleep(0.05)

    assert (watched.camera.closed, watched.camera.taken) == (True, taken)
