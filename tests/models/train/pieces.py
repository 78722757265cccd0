"""Pieces to learn from: squares as the virtual table draws them."""

from __future__ import annotations

import numpy as np

from models.train.pieces import Lessons, picture_set
from tests.vision.photo.kingdoms import half


def six_squares() -> Lessons:
    """Six drawings of one source."""
    drawn = (half(number, False) for number in (1, 3, 10, 12, 24, 40))
    large = (np.kron(one, np.ones((2, 2, 1), np.uint8)) for one in drawn)
    return Lessons((picture_set((f"piece-{number}", picture) for number, picture in enumerate(large)),))
