"""The loop that runs beside a table: a frame is taken and looked at, and what it shows goes to the watcher."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING

from companion.core.devices import camera_bumped
from companion.core.errors import CameraError
from companion.core.game import AnyGame
from companion.core.message import message as _
from companion.watch.camera_requests import CalibrationRequests
from companion.watch.evening_keeper import EveningKeeper
from companion.watch.state import Status
from companion.watch.watcher import TableWatcher

if TYPE_CHECKING:
    from companion.vision.live.eye import Eye
    from hardware.camera import Camera

AGAIN_S = 1.0
"""How soon a camera that gave no picture is asked again."""

PUZZLED = _("The last picture could not be understood. The companion goes on with the next.")
TOLD_MM = 5.0
"""A bump that people are told about."""

log = logging.getLogger(__name__)


class WatchLoop:
    """One camera, one watcher, and an eye for the game that is played.

    `taught` says something else whenever the household taught its box something: the eye is made anew then.
    """

    def __init__(
        self,
        camera: Camera,
        eye_for: Callable[[AnyGame | None], Eye],
        watcher: TableWatcher,
        aimer: CalibrationRequests,
        again: float = AGAIN_S,
        taught: Callable[[AnyGame], object] = lambda _game: None,
    ) -> None:
        self._camera, self._eye_for, self._watcher, self._aimer = camera, eye_for, watcher, aimer
        self._again, self._taught = again, taught
        self.keeper: EveningKeeper | None = None
        """Keeps the evening, where there is a folder for it."""
        self._eye: tuple[object, Eye] | None = None
        self._closing = Event()
        self._thread = Thread(target=self._run, name="watcher", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(5)
        self._camera.close()
        if self.keeper:
            self.keeper.close()

    def step(self) -> None:
        """Take the next frame and look at it; CameraError when there is none."""
        try:
            self._step()
        except CameraError as error:
            self._watcher.unable(Status.NO_CAMERA, error.message)
            raise

    def _step(self) -> None:
        began = perf_counter()
        frame = self._camera.frame()
        capture = {"capture": (perf_counter() - began) * 1000}
        game = self._watcher.game
        seen = game if game and game.sight else None
        if seen is None and not self._aimer.attended(frame.time):
            self._watcher.idle(frame)
            return
        if self._watcher.wants_afresh():
            self._looker(seen).forget()
        if self._aimer.carry_out(self._looker(seen), frame):
            self._eye = None
        looker = self._looker(seen)
        glance = looker.look(frame)
        self._aimer.observe(glance, looker)
        if seen is None:
            self._watcher.idle(frame)
            return
        if glance.moved >= TOLD_MM:
            self._watcher.trouble(camera_bumped(glance.moved), None)
        self._watcher.absorb(glance, capture)
        if self.keeper:
            self.keeper.see(glance, looker)

    def _looker(self, game: AnyGame | None) -> Eye:
        """The eye for this game; without one, an eye that only sees where the table is."""
        key = (game.key, self._taught(game)) if game else None
        if self._eye is None or self._eye[0] != key:
            self._eye = key, self._eye_for(game)
            self._aimer.fit(self._eye[1])
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
                self._puzzled()
                self._closing.wait(self._again)

    def _puzzled(self) -> None:
        try:
            self._watcher.unable(Status.BLIND, PUZZLED)
        except Exception:
            log.exception("what is wrong cannot be told")
