"""The network that is shipped: checked when it is opened, and what it says of squares in bad light."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import models.galleries
from companion.vision.likeness import NETWORK, traits
from models.networks import SIDE, network
from tests.vision.kingdoms import half


def crop(number: int, gains: tuple[float, float, float] = (1, 1, 1)) -> NDArray[np.float32]:
    small = half(number, False).reshape(SIDE, 2, SIDE, 2, 3).mean(axis=(1, 3))
    return np.asarray(np.clip(small * gains, 0, 255), np.float32)


def test_a_damaged_network_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = models.galleries.HERE
    (tmp_path / "squares.toml").write_bytes((here / "squares.toml").read_bytes())
    (tmp_path / "squares.onnx").write_bytes((here / "squares.onnx").read_bytes()[:-1] + b"?")
    monkeypatch.setattr(models.galleries, "HERE", tmp_path)

    with pytest.raises(ValueError, match=r"models/squares.onnx is damaged: .* Install the companion again"):
        network.__wrapped__(NETWORK)


def test_a_square_in_poor_light_is_still_most_like_itself() -> None:
    numbers, grain = (1, 13, 24, 32, 40, 48), np.random.default_rng(0)
    known = traits(np.stack([crop(number) for number in numbers]))
    poor = np.stack([crop(number, (0.45, 0.5, 0.5)) for number in numbers])
    seen = traits(np.asarray(poor + grain.normal(0, 4, poor.shape), np.float32))

    assert (seen @ known.T).argmax(axis=1).tolist() == list(range(len(numbers)))


def test_no_crops_are_no_rows() -> None:
    assert traits(np.zeros((0, SIDE, SIDE, 3), np.float32)).shape == (0, 64)


def test_the_shipped_network_is_small() -> None:
    assert (models.galleries.HERE / f"{NETWORK}.onnx").stat().st_size < 1_000_000
