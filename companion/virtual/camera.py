"""A camera above the virtual table, as bad as real ones are and no worse.

Its pose and lens, and the pictures it takes.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import hypot, radians
from threading import Lock
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.mat import Mat
from companion.core.errors import CameraError
from companion.core.message import message as _
from companion.core.observation import Area, Face
from companion.virtual.art import Print
from companion.virtual.faults import Disturbances
from companion.virtual.image_effects import DAYLIGHT, Shot, disturbed, passing_hand, under_lamp
from companion.virtual.rasterizer import Image
from companion.virtual.renderer import (
    Drawable,
    Renderer,
    Viewpoint,
    furniture_drawables,
    hand_drawables,
    piece_drawables,
)
from companion.virtual.scene import IGNORE, Scene, strip_face, tablet_face
from hardware.camera import Frame

HEIGHT_MM = 1300.0
ROOM = 0.915
"""What part of the picture the mat fills at most, so that a nudge does not push a marker out of it."""
GRID = 16
"""Pixels between places whose way through the lens is followed; those between are interpolated."""

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Pose:
    """Where the camera hangs, beside the middle of the mat at which it was aimed, and what its lens does."""

    x: float = 0
    """Millimetres from the middle of the mat, as is y."""
    y: float = 0
    roll: float = 0
    """Degrees by which the picture is turned."""
    bend: float = 0
    """How strongly the lens bends straight lines outwards: 0.1 is a wide lens."""
    bump_x: float = 0
    """Millimetres the camera was pushed after it was aimed, as is bump_y."""
    bump_y: float = 0
    bump_roll: float = 0


def pose(seed: int, perspective: float, lens: float) -> Pose:
    """How people would have fixed this camera; strengths of 0 to 1."""
    choose = random.Random(f"pose {seed}")
    side, far = choose.choice((-1, 1)), choose.choice((-1, 1))
    x, y, roll = choose.uniform(30, 75), choose.uniform(40, 90), choose.uniform(-1.6, 1.6)
    return Pose(perspective * side * x, perspective * far * y, perspective * roll, 0.09 * lens)


class Optics:
    """One pose of the camera, with pictures of one size."""

    def __init__(self, mat: Mat, size: tuple[int, int], pose: Pose) -> None:
        self._mat, self._size = mat, size
        middle = np.array([mat.width / 2, mat.height / 2, 0])
        offset = np.array([pose.x, pose.y, -HEIGHT_MM])
        aimed = _turned(pose.roll) @ _towards(-offset)
        self._bending = np.array([-pose.bend, 0.15 * pose.bend, 0, 0])
        self._focal = self._fitting(aimed, middle + offset)
        self._turn = _turned(pose.bump_roll) @ aimed
        self._place = middle + offset + np.array([pose.bump_x, pose.bump_y, 0])

    @property
    def eye(self) -> Viewpoint:
        x, y, z = self._place
        return Viewpoint(float(x), float(y), -float(z))

    @property
    def scale(self) -> float:
        """Pixels of a millimetre in the middle of the picture."""
        return self._focal / HEIGHT_MM

    def project(self, x: float, y: float) -> tuple[float, float]:
        """The pixel that shows this place of the table; 0, 0 is the middle of the first pixel."""
        ((u, v),) = self._seen(np.array([[x, y, 0.0]]), self._turn, self._place)
        cx, cy = self._middle
        return float(u * self._focal + cx), float(v * self._focal + cy)

    def maps(self, renderer: Renderer) -> tuple[Any, Any]:
        """For each pixel of the picture, which one of the renderer's it shows; as cv2.remap takes it."""
        width, height = self._size
        columns, rows = -(-width // GRID) + 2, -(-height // GRID) + 2
        u, v = np.meshgrid((np.arange(columns) - 0.5) * GRID - 0.5, (np.arange(rows) - 0.5) * GRID - 0.5)
        places = self._places(np.stack([u.ravel(), v.ravel()], axis=1))
        full = [
            cv2.resize(
                coordinate.reshape(rows, columns).astype(np.float32),
                (columns * GRID, rows * GRID),
                interpolation=cv2.INTER_LINEAR,
            )[GRID : GRID + height, GRID : GRID + width]
            for coordinate in renderer.pixels(places).T
        ]
        return cv2.convertMaps(full[0], full[1], cv2.CV_16SC2)

    @property
    def _middle(self) -> tuple[float, float]:
        return (self._size[0] - 1) / 2, (self._size[1] - 1) / 2

    def _seen(self, points: Points, turn: Points, place: Points) -> Points:
        """Where points are seen through the lens, for a focal length of 1."""
        turning, _ = cv2.Rodrigues(turn)
        seen, _ = cv2.projectPoints(points, turning, -turn @ place, np.eye(3), self._bending)
        return np.asarray(seen, np.float64).reshape(-1, 2)

    def _fitting(self, turn: Points, place: Points) -> float:
        """The focal length with which the mat just fits, before anything is bumped."""
        corners = np.array([(*corner, 0.0) for corner in self._mat.corners])
        seen = np.abs(self._seen(corners, turn, place)).max(axis=0)
        return float(ROOM * min(side / 2 / far for side, far in zip(self._size, seen, strict=True)))

    @cached_property
    def _to_table(self) -> Points:
        """From straight rays to places of the table."""
        columns = [self._turn[:, 0], self._turn[:, 1], -self._turn @ self._place]
        return np.asarray(np.linalg.inv(np.stack(columns, axis=1)), np.float64)

    def _places(self, pixels: Points) -> Points:
        camera = np.array([[self._focal, 0, self._middle[0]], [0, self._focal, self._middle[1]], [0, 0, 1]])
        straight = np.asarray(cv2.undistortPoints(pixels[:, None], camera, self._bending)).reshape(-1, 2)
        rays = np.column_stack([straight, np.ones(len(straight))]) @ self._to_table.T
        return np.asarray(rays[:, :2] / rays[:, 2:], np.float64)


def _turned(degrees: float) -> Points:
    turning, _ = cv2.Rodrigues(np.array([0, 0, radians(degrees)]))
    return np.asarray(turning, np.float64)


def _towards(aim: Points) -> Points:
    """The rotation of a camera that looks along that way without being rolled."""
    x, y, z = aim / np.linalg.norm(aim)
    level = hypot(x, z)
    return np.array([[z / level, 0, -x / level], [-x * y / level, level, -z * y / level], [x, y, z]])


SIZE = (1280, 720)
LARGEST = (4608, 3040)
"""As wide as a Camera Module 3 sees at most, and as high as a High Quality Camera."""
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

    name = "virtual"

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
        ground: Print | None = None,
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
        self._view: CameraView | None = None
        scale = Optics(self._mat, size, pose(0, 0, 0)).scale
        self.ignore: tuple[Area, ...] = IGNORE
        """Where our own tablet and strip of lamps lie, which change all the time."""
        self.lamp = DAYLIGHT
        """The light on the table."""
        self._renderer = Renderer(self._mat, scale * FINER, self._disturbances.seed, ground)

    @property
    def furniture(self) -> Sequence[tuple[Face, Area]]:
        """Our own tablet and lamps, dark, where they lie; nothing is read there."""
        dark = (False,) * len(self._lit(0))
        return tuple(zip((tablet_face(0), strip_face(dark)), self.ignore, strict=True))

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
        view = self._looking()
        eye = view.optics.eye if "perspective" in strengths else None
        above = self._renderer.picture(list(self._things(elapsed)), eye)
        seen = cv2.remap(above, *view.maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
        lit = under_lamp(np.asarray(seen, np.uint8), self.lamp)
        return disturbed(lit, strengths, Shot(self._disturbances.seed, elapsed, self._number))

    def _things(self, elapsed: float) -> Iterator[Drawable]:
        snapshot, faces, seed = self._scene.snapshot, self._scene.faces, self._disturbances.seed
        if self._disturbances.on("screens"):
            yield from furniture_drawables(self._lit(elapsed), int(elapsed // SHOWN_S) % 7, self.ignore)
        yield from piece_drawables(snapshot.lying, faces)
        if self._disturbances.on("hand"):
            if snapshot.hand is not None:
                yield from hand_drawables(snapshot.hand, faces)
            stray = passing_hand(seed, elapsed, self._mat.width, self._mat.height)
            if stray is not None:
                yield from hand_drawables(stray, faces)

    def _lit(self, elapsed: float) -> tuple[bool, ...]:
        if self._lamps is not None:
            return self._lamps()
        turn = int(elapsed // SHOWN_S)
        return tuple(lamp == turn % SHOWN_LAMPS and elapsed % 1 < 0.6 for lamp in range(SHOWN_LAMPS))
