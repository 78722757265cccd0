"""What people have set about the camera, kept in a folder for the next start: all of it or nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.markers import BEND_LIMIT
from calibration.mat import Mat, Point
from calibration.plane import Pixels, plane_from_corners
from companion.core.errors import CameraError
from companion.core.message import Message
from companion.core.message import message as _

FILE = "camera.json"
LEAST_MM, MOST_MM = 300.0, 3000.0
"""Sides of tables that can be watched."""
LARGEST_PX = 20_000
TEXT_LIMIT, PICTURE_LIMIT = 64 * 1024, 16 * 1024 * 1024
"""Bytes; what is larger was not written here."""


@dataclass(frozen=True, eq=False)
class CameraCalibration:
    """What people have set."""

    table: tuple[float, float] = (Mat.width, Mat.height)
    """Millimetres of the table that are watched."""
    corners: tuple[Point, ...] = ()
    """Its corners in the picture, clockwise from the upper left; none where the markers show them."""
    frame: tuple[int, int] = (0, 0)
    """The size of that picture."""
    shown: Pixels | None = None
    """What the camera saw when somebody showed the corners."""
    empty: Pixels | None = None
    """The empty table from above."""
    bend: float = 0
    """How the lens bends, as far as markers told when the corners were shown."""

    @property
    def mat(self) -> Mat:
        return Mat(*self.table)


def load_calibration(folder: Path) -> tuple[CameraCalibration, Message | None]:
    """What was kept in that folder, and what of it cannot be used any more."""
    path = folder / FILE
    try:
        if path.stat().st_size > TEXT_LIMIT:
            raise ValueError("too long")
        found = json.loads(path.read_text("utf-8"))
        kept = _checked(found)
    except FileNotFoundError:
        return CameraCalibration(), None
    except (OSError, ValueError, KeyError, TypeError):
        text = _("%(file)s cannot be read: set up the camera again, on its page.", file=str(path))
        return CameraCalibration(), text
    try:
        shown, empty = (_picture(folder, found, name) for name in ("shown", "empty"))
    except (OSError, ValueError, cv2.error):
        text = _(
            "A picture that %(file)s names cannot be read: show the empty table again, on the camera's page.",
            file=str(path),
        )
        return kept, text
    return replace(kept, shown=shown, empty=empty), None


def save_calibration(folder: Path, kept: CameraCalibration) -> None:
    """Keep it in that folder, or CameraError; whatever happens, what was kept before or this can be read again."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        names = {
            name: _write_picture(folder, name, picture)
            for name, picture in (("shown", kept.shown), ("empty", kept.empty))
            if picture is not None
        }
        written = {
            "table": kept.table,
            "corners": kept.corners,
            "frame": kept.frame,
            "bend": kept.bend,
            **names,
        }
        _write(folder / FILE, json.dumps(written).encode())
    except OSError as error:
        raise CameraError(
            _(
                "This counts until the next start only: it cannot be kept in %(folder)s (%(reason)s).",
                folder=str(folder),
                reason=str(error.strerror),
            )
        ) from error
    for name in ("shown", "empty"):
        for old in folder.glob(f"{name}-*.png"):
            if old.name != names.get(name):
                old.unlink(missing_ok=True)


def _write_picture(folder: Path, name: str, picture: Pixels) -> str:
    """Write it under a name that no other picture has."""
    done, encoded = cv2.imencode(".png", picture)
    if not done:
        raise OSError(None, "no PNG")
    data = encoded.tobytes()
    path = folder / f"{name}-{sha256(data).hexdigest()[:16]}.png"
    if not path.exists():
        _write(path, data)
    return path.name


def _write(path: Path, data: bytes) -> None:
    new = path.with_name(f"{path.name}.new")
    with new.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def _checked(found: Mapping[str, Any]) -> CameraCalibration:
    """What a file says, without its pictures; ValueError, KeyError or TypeError where that cannot be."""
    width, height = (float(side) for side in found["table"])
    corners = tuple((float(x), float(y)) for x, y in found["corners"])
    across, down = (int(side) for side in found["frame"])
    bend = float(found.get("bend", 0))
    if not all(LEAST_MM <= side <= MOST_MM for side in (width, height)):
        raise ValueError("no table is so small or so large")
    if len(corners) not in (0, 4) or not np.isfinite(corners).all():
        raise ValueError("a table has four corners")
    if not all(0 <= side <= LARGEST_PX for side in (across, down)) or (corners and not across * down):
        raise ValueError("no camera takes such pictures")
    if not abs(bend) <= BEND_LIMIT:
        raise ValueError("no lens bends so much")
    kept = CameraCalibration((width, height), corners, (across, down), bend=bend)
    if corners:
        plane_from_corners(corners, kept.mat)
    return kept


def _picture(folder: Path, found: Mapping[str, Any], name: str) -> Pixels | None:
    if name not in found:
        return None
    path = folder / Path(str(found[name])).name
    if path.stat().st_size > PICTURE_LIMIT:
        raise ValueError("too large")
    data = path.read_bytes()
    if f"{name}-{sha256(data).hexdigest()[:16]}.png" != path.name:
        raise ValueError("not what was written")
    picture: Any = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR if name == "empty" else 0)
    if picture is None:
        raise ValueError("no picture")
    return np.asarray(picture, np.uint8)
