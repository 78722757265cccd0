"""Training the network that tells pieces apart, where PyTorch is there, and the file that it becomes."""

from __future__ import annotations

import tomllib
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

TRAIN = "training needs PyTorch and onnx: pip install '.[train]'"
torch = pytest.importorskip("torch", reason=TRAIN)
pytest.importorskip("onnx", reason=TRAIN)

from torch import nn

from calibration.plane import Pixels
from companion.vision.photo.annotate import save_picture
from models.registry import INPUT_SIDE, Vectors, open_network, standardised
from models.train.augmentation import augmented_batch
from models.train.network import NUMBERS, as_input, fresh, lessons_of, logits, lost, main, train
from models.train.onnx_file import quantised, to_onnx
from models.train.pieces import Lessons
from tests.models.train.pieces import six_squares
from tests.vision.photo.kingdoms import half


@pytest.fixture(scope="module")
def pieces() -> Lessons:
    return six_squares()


@pytest.fixture(scope="module")
def trained(pieces: Lessons) -> nn.Sequential:
    """A network that has seen a few batches."""
    return train(pieces, steps=25)


def described(network: nn.Sequential, crops: Pixels) -> Vectors:
    """What a network says of crops, each row of length 1."""
    with torch.no_grad():
        return np.asarray(nn.functional.normalize(network(as_input(crops))), np.float32)


def test_the_file_says_what_the_trained_network_says(pieces: Lessons, trained: nn.Sequential) -> None:
    crops = augmented_batch(np.random.default_rng(7), pieces, 64)[0]
    levels = crops.astype(np.float32)
    expected = described(trained, crops)

    whole = to_onnx(trained)
    small = quantised(whole, standardised(levels))

    assert np.abs(open_network(whole, "whole").describe(levels) - expected).max() < 1e-5
    alike = (open_network(small, "small").describe(levels) * expected).sum(axis=1)
    assert (alike.mean() > 0.98, len(small) < 0.3 * len(whole)) == (True, True)


def test_a_network_learns_to_tell_pieces_apart(pieces: Lessons, trained: nn.Sequential) -> None:
    known, which = augmented_batch(np.random.default_rng(8), pieces, 128)
    others, same = augmented_batch(np.random.default_rng(9), pieces, 128)

    def told(network: nn.Sequential) -> float:
        one, other = described(network, known), described(network, others)
        return float((which[(other @ one.T).argmax(axis=1)] == same).mean())

    assert told(trained) > told(fresh().eval()) + 0.1


def test_the_same_pieces_and_steps_give_the_same_weights(pieces: Lessons) -> None:
    torch.rand(3)  # whatever was drawn before

    assert to_onnx(train(pieces, steps=2)) == to_onnx(train(pieces, steps=2))


def test_a_training_goes_on_from_what_was_kept(pieces: Lessons, tmp_path: Path) -> None:
    """Steps of no rate to speak of hardly change what the first ones have learned."""
    first = train(pieces, steps=10, state=tmp_path / "kept.pt")
    crops = augmented_batch(np.random.default_rng(7), pieces, 16)[0]

    again = train(pieces, steps=1, state=tmp_path / "kept.pt")

    alike = (described(first, crops) * described(again, crops)).sum(axis=1)
    assert alike.min() > (described(first, crops) * described(fresh().eval(), crops)).sum(axis=1).max()


def test_a_logit_is_a_cosine_made_sharper_and_the_last_speaks_for_no_piece() -> None:
    rows = torch.tensor([[3.0, 0.0], [1.0, 1.0]])
    classes = torch.tensor([[0.5, 0.0], [0.0, 2.0], [-1.0, 0.0]])

    assert logits(rows, classes).tolist() == [
        pytest.approx([14, 0, -14, 6.3]),
        pytest.approx([14 * 0.5**0.5, 14 * 0.5**0.5, -14 * 0.5**0.5, 6.3]),
    ]


def test_another_piece_of_the_same_kind_is_a_lesser_mistake() -> None:
    kinds = torch.tensor([0, 0, 1])
    told = torch.tensor([[0.0, 5.0, 0.0]])

    same_kind, another = (float(lost(told, torch.tensor([which]), kinds)) for which in (0, 2))

    assert (same_kind < another, float(lost(told, torch.tensor([1]), kinds)) < same_kind) == (True, True)


def test_folders_become_a_network_with_its_card(tmp_path: Path) -> None:
    for number in (1, 20, 48):
        both = np.hstack([half(number, False), half(number, True)])
        save_picture(both, tmp_path / f"scans/{number:02}.png")
        save_picture(both // 2, tmp_path / f"photos/{number:02}.png")

    main(lessons_of([str(tmp_path / "scans"), f"{tmp_path / 'photos'}:0.5"]), tmp_path / "mine", steps=2)

    data = (tmp_path / "mine.onnx").read_bytes()
    card = tomllib.loads((tmp_path / "mine.toml").read_text("utf-8"))
    rows = open_network(data, "mine").describe(np.zeros((3, INPUT_SIDE, INPUT_SIDE, 3), np.float32))
    assert (card["sha256"], card["bytes"]) == (sha256(data).hexdigest(), len(data))
    assert rows.shape == (3, NUMBERS)


@pytest.mark.parametrize(
    ("folder", "target", "steps", "expected"),
    (
        ("missing", "mine", 1, "There is no folder missing."),
        ("pieces", "missing/mine", 1, "There is no folder missing to write mine in."),
        ("pieces", "mine", 0, "It takes a step at least."),
    ),
)
def test_what_cannot_be_learned_from_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, target: str, steps: int, expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    save_picture(half(17, False), tmp_path / "pieces" / "17.png")

    with pytest.raises(SystemExit, match=f"^{expected}$"):
        main(lessons_of([folder]), Path(target), steps)
