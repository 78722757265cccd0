"""The loop that runs beside a table: a frame is taken and looked at, and what it shows goes to the watcher."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from companion.core.errors import CameraError
from companion.core.game import AnyGame
from companion.core.message import message as _
from companion.watch.state import Status
from companion.watch.watcher import TableWatcher

if TYPE_CHECKING:
    from companion.vision.eye import Glance
    from hardware.camera import Camera, Frame

AGAIN_S = 1.0
"""How soon a camera that gave no picture is asked again."""

PUZZLED = _("The last picture could not be understood. The companion goes on with the next.")

log = logging.getLogger(__name__)


class Looker(Protocol):
    """The eye: `companion.vision.eye.Eye`."""

    def look(self, frame: Frame) -> Glance: ...

    def forget(self) -> None: ...


class Loop:
    """One camera, one watcher, and an eye for the game that is played."""

    def __init__(
        self,
        camera: Camera,
        eye_for: Callable[[AnyGame], Looker],
        watcher: TableWatcher,
        again: float = AGAIN_S,
    ) -> None:
        self._camera, self._eye_for, self._watcher = camera, eye_for, watcher
        self._again = again
        self._eye: tuple[str, Looker] | None = None
        self._closing = Event()
        self._thread = Thread(target=self._run, name="watcher", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(5)
        self._camera.close()

    def step(self) -> None:
        """Take the next frame and look at it; CameraError when there is none."""
        began = perf_counter()
        try:
            frame = self._camera.frame()
        except CameraError as error:
            self._watcher.unable(Status.NO_CAMERA, error.message)
            raise
        capture = {"capture": (perf_counter() - began) * 1000}
        game = self._watcher.game
        looker = self._looker(game) if game else None
        if looker is None:
            self._watcher.idle(frame)
            return
        if self._watcher.wants_afresh():
            looker.forget()
        self._watcher.absorb(looker.look(frame), capture)

    def _looker(self, game: AnyGame) -> Looker | None:
        if game.sight is None:
            return None
        if self._eye is None or self._eye[0] != game.key:
            self._eye = game.key, self._eye_for(game)
        return self._eye[1]

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self.step()
            except CameraError:
                self._closing.wait(self._again)
            except Exception:
                # Whatever one frame does to us, the next one is looked at; people can always tap.
                log.exception("a frame could not be looked at")
                self._watcher.unable(Status.BLIND, PUZZLED)
                self._closing.wait(self._again)
