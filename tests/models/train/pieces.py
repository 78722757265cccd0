"""Pieces to learn from: squares as the virtual table draws them."""

from __future__ import annotations

import numpy as np

from calibration.plane import Pixels
from models.train.augmentation import DRAWN, in_four_turns
from tests.vision.photo.kingdoms import half


def six_squares() -> Pixels:
    """Six drawings in four quarter turns, 96 pixels a side."""
    drawn = [half(number, False) for number in (1, 3, 10, 12, 24, 40)]
    large = [np.kron(one, np.ones((2, 2, 1), np.uint8))[:DRAWN, :DRAWN] for one in drawn]
    return in_four_turns(np.stack(large))
