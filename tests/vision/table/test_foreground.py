"""What stands out from the empty table: not only by its colour."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.mat import Mat
from calibration.plane import Pixels
from companion.core.observation import Area
from companion.vision.table.foreground import Background, mask_of

MAT = Mat()
PLACE = Area(800, 450, 80, 40)
BROWN = np.array((70, 110, 160), np.float32)


def wood(seed: int = 1) -> Pixels:
    """A wooden table, a pixel for two millimetres: grain along it, and the camera's noise."""
    random = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(np.random.default_rng(5).normal(0, 1, (450, 800)), (0, 0), 20, sigmaY=3) * 3
    light = 1 + grain[..., None] + random.normal(0, 0.01, (450, 800, 1))
    return np.asarray(np.clip(BROWN * light, 0, 255), np.uint8)


def with_print(strength: float, cells: int = 4) -> Pixels:
    """The table with a domino in its own colours, drawn on a little lighter and darker in small cells."""
    picture = wood(2).astype(np.float32)
    drawn = np.where(np.indices((20, 40)).sum(axis=0) // cells % 2, 1 + strength, 1 - strength)
    picture[215:235, 380:420] *= drawn[..., None]
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def found(picture: Pixels, learned: bool = True) -> float:
    """How much of the domino's place stands out."""
    background = Background(MAT, ())
    if learned:
        background.learn(wood())
    place = mask_of([PLACE], picture.shape, 0.5) > 0
    return float((background.foreground(picture)[place] > 0).mean())


def test_print_in_the_tables_own_colours_is_seen_by_being_drawn_on() -> None:
    assert found(with_print(0.18)) > 0.6
    assert found(with_print(0.18), learned=False) == 0, "a table nobody has shown may be drawn on itself"


@pytest.mark.parametrize("seed", (2, 3, 4))
def test_the_tables_grain_and_noise_are_not_drawn_on_it(seed: int) -> None:
    background = Background(MAT, ())
    background.learn(wood())

    assert not background.foreground(wood(seed)).any()


def test_a_soft_shadow_is_not_drawn_on_the_table() -> None:
    picture = wood(2).astype(np.float32)
    shade = np.zeros((450, 800), np.float32)
    cv2.circle(shade, (400, 225), 60, (1.0,), -1)
    picture *= 1 - 0.25 * cv2.GaussianBlur(shade, (0, 0), 15)[..., None]

    assert found(np.asarray(picture, np.uint8)) == 0
