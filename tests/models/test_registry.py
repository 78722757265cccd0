"""The network that is shipped: checked when it is opened, and what it says of squares in bad light."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import models.registry
from companion.core.errors import ModelError
from companion.vision.gallery.squares import embed
from models.registry import INPUT_SIDE, PIECES, load_network
from tests.vision.photo.kingdoms import half

DIFFERENT = (1, 3, 7, 10, 12, 19, 24, 30, 40, 45)
"""Dominoes whose left halves show ten different drawings of our own."""


def crop(number: int, gains: tuple[float, float, float] = (1, 1, 1)) -> NDArray[np.float32]:
    small = half(number, False).reshape(INPUT_SIDE, 2, INPUT_SIDE, 2, 3).mean(axis=(1, 3))
    return np.asarray(np.clip(small * gains, 0, 255), np.float32)


def test_a_damaged_network_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = models.registry.FOLDER
    (tmp_path / "pieces.toml").write_bytes((here / "pieces.toml").read_bytes())
    (tmp_path / "pieces.onnx").write_bytes((here / "pieces.onnx").read_bytes()[:-1] + b"?")
    monkeypatch.setattr(models.registry, "FOLDER", tmp_path)

    with pytest.raises(
        ModelError, match=r"models/pieces.onnx is missing or damaged: .* Install the companion again"
    ):
        load_network.__wrapped__(PIECES)


@pytest.mark.parametrize("light", ((0.6, 0.9, 1.15), (1.3, 1.0, 0.7), (0.4, 0.4, 0.4)))
def test_drawings_it_never_learned_are_most_like_themselves_in_bad_light(
    light: tuple[float, float, float],
) -> None:
    grain = np.random.default_rng(0)
    known = embed(np.stack([crop(number) for number in DIFFERENT]))
    bad = np.stack([crop(number, light) for number in DIFFERENT])
    seen = embed(np.asarray(bad + grain.normal(0, 4, bad.shape), np.float32))

    assert (seen @ known.T).argmax(axis=1).tolist() == list(range(len(DIFFERENT)))


def test_the_shipped_file_takes_crops_and_gives_numbers_for_any_count() -> None:
    session = load_network(PIECES).session

    (crops,), (numbers,) = session.get_inputs(), session.get_outputs()
    assert (crops.name, crops.type, crops.shape) == (
        "crops",
        "tensor(float)",
        ["n", INPUT_SIDE, INPUT_SIDE, 3],
    )
    assert (numbers.name, numbers.type, numbers.shape) == ("numbers", "tensor(float)", ["n", 96])


def test_no_crops_are_no_rows() -> None:
    assert embed(np.zeros((0, INPUT_SIDE, INPUT_SIDE, 3), np.float32)).shape == (0, 96)


def test_the_shipped_network_is_small() -> None:
    assert (models.registry.FOLDER / f"{PIECES}.onnx").stat().st_size < 1_000_000
