"""How long a picture of the virtual table takes."""

from __future__ import annotations

from statistics import median
from time import perf_counter

from companion.core.observation import AnySight
from companion.virtual.camera import SIZE, VirtualCamera
from companion.virtual.faults import DISTURBANCES, Disturbances
from companion.virtual.scene import Scene

FRAMES = 40


def milliseconds_per_frame(sight: AnySight, size: tuple[int, int] = SIZE, frames: int = FRAMES) -> float:
    """The median over a table full of pieces with every disturbance switched on, while a hand moves."""
    scene = Scene(sight.pieces, 1600, 900)
    for number, piece in enumerate(sight.pieces):
        scene.put(piece, 90 + number % 14 * 108, 130 + number // 14 * 90, number * 37)
    everything = Disturbances(1, [disturbance.key for disturbance in DISTURBANCES])
    camera = VirtualCamera(scene, everything, size=size, sleep=lambda _seconds: None)
    camera.frame()
    took = []
    for number in range(frames):
        scene.reach(500 + 13 * number, 600 - 7 * number, -20 + number, 3)
        began = perf_counter()
        camera.frame()
        took.append((perf_counter() - began) * 1000)
    return median(took)
