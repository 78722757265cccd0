"""The network that tells squares apart: its layers, what it learns from, the file it becomes."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import models
from calibration.plane import Pixels
from companion.vision.photo.annotate import save_picture
from models.registry import INPUT_SIDE, open_network, standardised
from models.train import augmentation, layers
from models.train.augmentation import DRAWN, augmented_batch
from models.train.layers import Convolution, Floats, Layer, Likeness, Linear, Norm
from models.train.network import Trained, main, quantised, to_onnx, train
from tests.vision.photo.kingdoms import half


@pytest.fixture(scope="module")
def pieces() -> Pixels:
    """Six squares as the virtual table draws them."""
    drawn = [half(number, False) for number in (1, 3, 10, 12, 24, 40)]
    return np.stack([np.kron(one, np.ones((2, 2, 1), np.uint8))[:DRAWN, :DRAWN] for one in drawn])


@pytest.fixture(scope="module")
def trained(pieces: Pixels) -> Trained:
    """A network that has seen a few batches."""
    return train(pieces, steps=25)


def slope_by_trying(error: Callable[[], float], numbers: Floats, at: tuple[int, ...]) -> float:
    """How the error changes with one number."""
    small, kept = 1e-2, float(numbers[at])
    numbers[at] = kept + small
    above = error()
    numbers[at] = kept - small
    below = error()
    numbers[at] = kept
    return (above - below) / (2 * small)


@pytest.mark.parametrize("kind", ("every place", "every second place", "norm", "linear"))
def test_each_layer_knows_how_the_error_changes(kind: str) -> None:
    rng = np.random.default_rng(4)
    kinds: dict[str, Layer] = {
        "every place": Convolution(rng, 3, 4, 1),
        "every second place": Convolution(rng, 3, 4, 2),
        "norm": Norm(3),
        "linear": Linear(rng, 5 * 5 * 3, 4),
    }
    layer = kinds[kind]
    x = rng.normal(0, 1, (6, 5, 5, 3)).astype(np.float32)
    towards = rng.normal(0, 1, layer.forward(x).shape).astype(np.float32)

    def error() -> float:
        return float((layer.forward(x).astype(np.float64) * towards).sum())

    error()
    known = [(x, layer.backward(towards)), *layer.learned]
    for numbers, slope in [(numbers, slope.copy()) for numbers, slope in known]:
        for _each in range(5):
            at = tuple(int(rng.integers(side)) for side in numbers.shape)
            assert float(slope[at]) == pytest.approx(slope_by_trying(error, numbers, at), abs=0.05, rel=0.05)


def test_the_error_of_a_batch_knows_how_it_changes() -> None:
    rng = np.random.default_rng(5)
    likeness, which = Likeness(rng, 4, 3, 5.0), np.array([0, 2, 1, 1])
    x = rng.normal(0, 1, (4, 4)).astype(np.float32)
    _error, _right, slope = likeness.error(x, which)
    own = likeness.learned[0][1].copy()

    tried = [slope_by_trying(lambda: likeness.error(x, which)[0], x, (row, 1)) for row in range(4)]
    standing = [
        slope_by_trying(lambda: likeness.error(x, which)[0], likeness.standing, (row, 2)) for row in range(3)
    ]

    assert slope[:, 1].tolist() == pytest.approx(tried, abs=2e-3)
    assert own[:, 2].tolist() == pytest.approx(standing, abs=2e-3)


def test_pieces_are_turned_but_never_mirrored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(augmentation, "CHANGES", ())
    arrow = np.zeros((1, DRAWN, DRAWN, 3), np.uint8)
    arrow[0, :, : DRAWN // 3] = 255
    arrow[0, : DRAWN // 3, : 2 * DRAWN // 3] = 255
    rng = np.random.default_rng(0)

    crops, which = augmented_batch(rng, arrow, 80)

    small = arrow[0, 4:-4, 4:-4][1::2, 1::2][:INPUT_SIDE, :INPUT_SIDE]
    ways = [np.rot90(flat, -turn) for flat in (small, small[:, ::-1]) for turn in range(4)]
    likest = [int(np.argmin([np.abs(crop - way.astype(float)).mean() for way in ways])) for crop in crops]
    assert likest == which.tolist()


def test_the_file_says_what_the_trained_layers_say(
    pieces: Pixels, trained: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    crops = augmented_batch(np.random.default_rng(7), pieces, 64)[0].astype(np.float32)
    monkeypatch.setattr(layers, "MEMORY", 0)  # so that what is usual is what is in this batch
    expected = trained.forward(standardised(crops))
    expected = expected / np.linalg.norm(expected, axis=1, keepdims=True)

    whole = to_onnx(trained.blocks, trained.last)
    small = quantised(whole, crops)

    assert np.abs(open_network(whole, "whole").describe(crops) - expected).max() < 2e-3
    alike = (open_network(small, "small").describe(crops) * expected).sum(axis=1)
    assert (alike.mean() > 0.98, len(small) < 0.3 * len(whole)) == (True, True)


def test_a_network_learns_to_tell_pieces_apart(pieces: Pixels, trained: Trained) -> None:
    fresh = Trained.fresh(np.random.default_rng(0), INPUT_SIDE)
    known, which = augmented_batch(np.random.default_rng(8), pieces, 128)
    others, same = augmented_batch(np.random.default_rng(9), pieces, 128)

    def told(network: Trained) -> float:
        rows = [network.forward(standardised(some.astype(np.float32))) for some in (known, others)]
        one, other = (row / np.linalg.norm(row, axis=1, keepdims=True) for row in rows)
        return float((which[(other @ one.T).argmax(axis=1)] == same).mean())

    assert told(trained) > told(fresh) + 0.1


def test_a_folder_becomes_a_network_with_its_card(tmp_path: Path) -> None:
    for number in (1, 20, 48):
        save_picture(
            np.hstack([half(number, False), half(number, True)]), tmp_path / f"pieces/{number:02}.png"
        )

    main(tmp_path / "pieces", tmp_path / "mine", steps=2)

    data = (tmp_path / "mine.onnx").read_bytes()
    card = tomllib.loads((tmp_path / "mine.toml").read_text("utf-8"))
    rows = open_network(data, "mine").describe(np.zeros((3, INPUT_SIDE, INPUT_SIDE, 3), np.float32))
    assert (card["sha256"], card["bytes"]) == (sha256(data).hexdigest(), len(data))
    assert rows.shape == (3, 64)


@pytest.mark.parametrize("kind", ("network", "squares"))
@pytest.mark.parametrize(
    ("folder", "target", "expected"),
    (
        ("missing", "mine", "There is no folder missing."),
        ("empty", "mine", "empty has no pictures of pieces: JPEG or PNG files, named as README.md says."),
        ("words", "mine", "17.png is not a picture, or it is damaged: take it out of the folder."),
        ("nothing", "mine", "17.png is not a picture, or it is damaged: take it out of the folder."),
        ("good", "missing/mine", "There is no folder missing to write mine in."),
    ),
)
def test_what_cannot_be_learned_from_is_told_in_a_line(
    tmp_path: Path, kind: str, folder: str, target: str, expected: str
) -> None:
    for name in ("empty", "words", "nothing", "good"):
        (tmp_path / name).mkdir()
    (tmp_path / "words" / "17.png").write_text("a line of words")
    (tmp_path / "nothing" / "17.png").write_bytes(b"")
    save_picture(half(17, False), tmp_path / "good" / "17.png")

    house = str(Path(models.__file__).parents[1])
    command = [sys.executable, "-m", f"models.train.{kind}", folder, target]
    said = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": house}, capture_output=True, text=True
    )

    assert (said.returncode, said.stderr) == (1, f"{expected}\n")
