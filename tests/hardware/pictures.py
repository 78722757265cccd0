"""Real pictures and videos, small and plain, that can be told apart by their brightness."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from hardware.camera import Frame

if TYPE_CHECKING:
    from hardware.camera import Pixels


class StillClock:
    """A clock that only moves when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds >= 0
        self.now += seconds


def grey(level: int, width: int = 160, height: int = 120) -> Pixels:
    return np.full((height, width, 3), level, np.uint8)


def encoded(level: int, suffix: str = ".jpg", width: int = 160, height: int = 120) -> bytes:
    done, content = cv2.imencode(suffix, grey(level, width, height))
    assert done
    return content.tobytes()


def video(path: Path, levels: Sequence[int], fps: float = 10.0) -> Path:
    """A film with one frame of each level."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (160, 120))
    assert writer.isOpened()
    for level in levels:
        writer.write(grey(level))
    writer.release()
    return path


def level(frame: Frame) -> int:
    """The brightness of a grey picture, to the nearest ten."""
    assert frame.pixels.dtype == np.uint8
    assert frame.pixels.ndim == 3
    return round(float(frame.pixels.mean()) / 10) * 10
