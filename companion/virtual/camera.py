"""A camera above the virtual table, as bad as real ones are and no worse."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Lock

import cv2
import numpy as np

from calibration.mat import Mat
from companion.core.errors import CameraError
from companion.core.message import message as _
from companion.core.observation import Area, Face
from companion.virtual import effects, props
from companion.virtual.disturbances import Disturbances
from companion.virtual.drawing import Image
from companion.virtual.lamps import DAYLIGHT, under_lamp
from companion.virtual.optics import Optics, Pose, pose
from companion.virtual.renderer import (
    Drawable,
    Renderer,
    furniture_drawables,
    hand_drawables,
    piece_drawables,
)
from companion.virtual.scene import Scene
from hardware.camera import Frame

SIZE = (1280, 720)
LARGEST = (4608, 2592)
"""What a Camera Module 3 gives at most."""
PACE_S = 0.2
"""Seconds between two pictures."""
FINER = 1.12
"""The table is drawn a little larger than it is seen, so that its picture stays sharp when it is bent."""
SHOWN_S = 4.0
"""The tablet shows another picture after this long."""
SHOWN_LAMPS = 5


@dataclass(frozen=True)
class CameraView:
    """What follows from one pose of the camera."""

    pose: Pose
    optics: Optics
    maps: tuple[Image, Image]


class VirtualCamera:
    """The protocol `hardware.camera.Camera`; pictures are taken in one thread, all else is said from any."""

    def __init__(
        self,
        scene: Scene,
        disturbances: Disturbances | None = None,
        *,
        mat: Mat | None = None,
        size: tuple[int, int] = SIZE,
        pace: float = PACE_S,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        lamps: Callable[[], tuple[bool, ...]] | None = None,
    ) -> None:
        if not all(16 <= side <= most for side, most in zip(size, LARGEST, strict=True)):
            raise CameraError(
                _(
                    "The virtual camera takes pictures of 16 x 16 to %(width)d x %(height)d pixels.",
                    width=LARGEST[0],
                    height=LARGEST[1],
                )
            )
        self._scene, self._size, self._mat = scene, size, mat or Mat()
        self._disturbances = disturbances or Disturbances()
        self._clock, self._sleep, self._pace, self._lamps = clock, sleep, pace, lamps
        self._lock = Lock()
        self._began = self._due = clock()
        self._number = 0
        self._bump = Pose()
        self._unplugged_until: float | None = None
        self._closed = False
        self._noise: effects.Noise | None = None
        self._view: CameraView | None = None
        scale = Optics(self._mat, size, pose(0, 0, 0)).scale
        self.screens: tuple[Area, ...] = props.IGNORE
        """Where the tablet and the strip of lamps lie."""
        self.lamp = DAYLIGHT
        """The light on the table."""
        self._renderer = Renderer(self._mat, scale * FINER, self._disturbances.seed)

    @property
    def name(self) -> str:
        return "virtual"

    @property
    def ignore(self) -> tuple[Area, ...]:
        """Where our own tablet and lamps change all the time."""
        return self.screens

    @property
    def furniture(self) -> Sequence[tuple[Face, Area]]:
        """Our own tablet and lamps, dark, where they lie; nothing is read there."""
        dark = (False,) * len(self._lit(0))
        return tuple(zip((props.tablet_face(0), props.strip_face(dark)), self.screens, strict=True))

    @property
    def unplugged(self) -> bool:
        until = self._unplugged_until
        return self._closed or (until is not None and self._clock() < until)

    def frame(self) -> Frame:
        """Wait for the next picture; CameraError when the camera is unplugged."""
        now = self._clock()
        if now < self._due:
            self._sleep(self._due - now)
        now = self._clock()
        self._due = now + self._pace
        if self.unplugged:
            raise CameraError(_("The camera is unplugged: plug it in again, nothing is lost."))
        self._number += 1
        return Frame(self._picture(now - self._began), now, self._number)

    def close(self) -> None:
        """Take no more pictures."""
        self._closed = True

    def bump(self, x: float, y: float, roll: float = 0) -> None:
        """Push the camera by so many millimetres, on top of what it was pushed before."""
        with self._lock:
            bump = self._bump
            self._bump = Pose(bump_x=bump.bump_x + x, bump_y=bump.bump_y + y, bump_roll=bump.bump_roll + roll)

    def straighten(self) -> None:
        """Push the camera back to where it was at first."""
        with self._lock:
            self._bump = Pose()

    def unplug(self, seconds: float) -> None:
        """Give no pictures for so long; 0 plugs it in again."""
        self._unplugged_until = self._clock() + seconds

    def project(self, x: float, y: float) -> tuple[float, float]:
        """The pixel that shows this place of the table now."""
        return Optics(self._mat, self._size, self._pose()).project(x, y)

    def _pose(self) -> Pose:
        strengths = self._disturbances.strengths(0)
        aimed = pose(self._disturbances.seed, strengths.get("perspective", 0), strengths.get("lens", 0))
        bump = self._bump
        return replace(aimed, bump_x=bump.bump_x, bump_y=bump.bump_y, bump_roll=bump.bump_roll)

    def _looking(self) -> CameraView:
        """What follows from the pose of now, worked out again only when it is another."""
        now = self._pose()
        if self._view is None or self._view.pose != now:
            optics = Optics(self._mat, self._size, now)
            self._view = CameraView(now, optics, optics.maps(self._renderer))
        return self._view

    def _picture(self, elapsed: float) -> Image:
        strengths = self._disturbances.strengths(elapsed)
        seed, view = self._disturbances.seed, self._looking()
        eye = view.optics.eye if "perspective" in strengths else None
        above = self._renderer.picture(list(self._things(elapsed)), eye)
        seen = cv2.remap(above, *view.maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
        picture = effects.apply_light(
            under_lamp(np.asarray(seen, np.uint8), self.lamp), strengths, seed, elapsed
        )
        if "glare" in strengths:
            effects.apply_glare(picture, strengths["glare"], seed, elapsed)
        if "blur" in strengths:
            picture = effects.apply_blur(picture, strengths["blur"])
        if "noise" in strengths:
            self._noise = self._noise or effects.Noise(seed, self._size)
            self._noise.add(picture, strengths["noise"], seed * 1_000_003 + self._number)
        if "jpeg" in strengths:
            picture = effects.apply_jpeg(picture, strengths["jpeg"])
        return picture

    def _things(self, elapsed: float) -> Iterator[Drawable]:
        snapshot, faces, seed = self._scene.snapshot, self._scene.faces, self._disturbances.seed
        if self._disturbances.on("screens"):
            yield from furniture_drawables(self._lit(elapsed), int(elapsed // SHOWN_S) % 7, self.screens)
        yield from piece_drawables(snapshot.lying, faces)
        if self._disturbances.on("hand"):
            if snapshot.hand is not None:
                yield from hand_drawables(snapshot.hand, faces)
            stray = effects.passing_hand(seed, elapsed, self._mat.width, self._mat.height)
            if stray is not None:
                yield from hand_drawables(stray, faces)

    def _lit(self, elapsed: float) -> tuple[bool, ...]:
        if self._lamps is not None:
            return self._lamps()
        turn = int(elapsed // SHOWN_S)
        return tuple(lamp == turn % SHOWN_LAMPS and elapsed % 1 < 0.6 for lamp in range(SHOWN_LAMPS))
