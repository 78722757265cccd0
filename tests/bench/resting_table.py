"""What it takes to watch a table at which nothing happens, stage by stage: five pictures a second, made beforehand."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import cv2

from calibration.plane import Pixels
from companion.virtual.camera import VirtualCamera
from companion.virtual.faults import DISTURBANCES, Disturbances
from companion.watch.loop import WatchLoop
from companion.watch.state import Status
from hardware.camera import FRAME_S, Frame
from tests.watch.people import People

SIZES = ((1280, 720), (1920, 1080), (4056, 3040))
SHOWN = 4
"""Pictures that are shown in turn, each with its own noise."""
FIRST, FRAMES = 20, 60
"""Pictures until everything has been read, and pictures that are measured."""
QUALITY = 85


@dataclass(frozen=True)
class Rest:
    """What one picture of a resting table takes."""

    size: tuple[int, int]
    packed: bool
    """Whether the camera gives JPEGs that have to be unpacked, as those on a USB cable or a network do."""
    cpu_ms: float
    """Of the processor, all of it together."""
    stages: Mapping[str, float]
    """Of it, by the clock: rectify, in which a JPEG is unpacked, settle and so on."""

    @property
    def share(self) -> float:
        """Of one core, in percent, at five pictures a second."""
        return self.cpu_ms / FRAME_S / 10

    def __str__(self) -> str:
        given = "JPEG" if self.packed else "pixels"
        name = f"resting-{self.size[0]}x{self.size[1]}-{given}"
        told = " ".join(f"{stage} {ms:.1f}" for stage, ms in self.stages.items())
        return f"{name:26} {self.share:6.1f} % of a core  {self.cpu_ms:6.1f} ms a picture: {told}"


def resting_table(sizes: Sequence[tuple[int, int]] = SIZES) -> Iterator[Rest]:
    """With each size, from pixels and from JPEGs."""
    for size in sizes:
        for packed in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                yield _rest(Path(folder), size, packed)


def _rest(folder: Path, size: tuple[int, int], packed: bool) -> Rest:
    people = People(folder)
    try:
        camera = _Shown(_pictures(people, size), packed)
        rig = people.rig
        loop = WatchLoop(camera, rig.loop._eye_for, rig.watcher, rig.aimer)
        for _picture in range(FIRST):
            loop.step()
        assert rig.watcher.watch.status is Status.WATCHING
        stages, began = dict[str, float](), process_time()
        for _picture in range(FRAMES):
            loop.step()
            for stage in rig.watcher.watch.stages:
                if stage.name in ("capture", "rectify", "settle", "show"):
                    stages[stage.name] = stages.get(stage.name, 0) + stage.ms / FRAMES
        return Rest(size, packed, (process_time() - began) * 1000 / FRAMES, stages)
    finally:
        people.close()


def _pictures(people: People, size: tuple[int, int]) -> list[Pixels]:
    """The table as it is, nobody there, with all that usually disturbs a camera but hands."""
    quiet = Disturbances(1, [one.key for one in DISTURBANCES if one.usual and one.key != "hand"])
    camera = VirtualCamera(people.scene, quiet, size=size, sleep=lambda _seconds: None)
    return [camera.frame().pixels for _picture in range(SHOWN)]


class _Shown:
    """A camera whose pictures were made before."""

    name = "shown"

    def __init__(self, pictures: Sequence[Pixels], packed: bool) -> None:
        self._pictures = [_packed(one) for one in pictures] if packed else pictures
        self._number = 0

    def frame(self) -> Frame:
        self._number += 1
        given = self._pictures[self._number % len(self._pictures)]
        return Frame(given, self._number * FRAME_S, self._number)

    def close(self) -> None: ...


def _packed(pixels: Pixels) -> bytes:
    done, content = cv2.imencode(".jpg", pixels, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
    assert done
    return content.tobytes()
