"""Training the network that sees figures, where PyTorch is there: what it is taught, and the file that it becomes."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

TRAIN = "training needs PyTorch and onnx: pip install '.[train]'"
torch = pytest.importorskip("torch", reason=TRAIN)
pytest.importorskip("onnx", reason=TRAIN)

from calibration.plane import Pixels
from companion.vision.photo.annotate import save_picture
from companion.vision.photo.figures import CHANNELS, COLOURS, POSES, SEEN, STRIDE, view_of
from models.registry import model_card, open_network
from models.train.figure_scenes import scene
from models.train.followers import INPUTS, PLACES, fresh, lesson, lost, main, taught
from models.train.onnx_file import quantised, to_onnx
from models.train.pieces import drawn_pieces, picture_set


@pytest.fixture(scope="module")
def tiles() -> list[Pixels]:
    return [picture_set(drawn_pieces("carcassonne")).pictures]


def test_a_foot_is_taught_where_the_view_shows_it(tiles: list[Pixels]) -> None:
    one = scene(np.random.default_rng(4), tiles)
    below = -one.camera.matrix[:, 2]
    looked = [view_of(cell, corners, below) for cell, corners in one.corners.items()]
    known = taught(one, looked)

    expected = set()
    for row, view in enumerate(looked):
        for foot, figure, shown in zip(one.feet, one.figures, one.shown, strict=True):
            x, y = (view.matrix[:, :2] @ foot + view.matrix[:, 2]) / STRIDE
            if min(x, y) >= 0 and max(x, y) < PLACES and shown > 0.9 and figure.colour:
                place = row, int(y), int(x)
                expected.add((place, COLOURS.index(figure.colour), POSES.index(figure.pose)))
    found = {
        (place, int(known.colour[place]), int(known.pose[place]))
        for place, _, _ in expected
        if known.heat[place] > 0.75
    }
    assert (found, len(expected) > 0) == (expected, True)


def test_a_network_learns_to_see_feet(tiles: list[Pixels]) -> None:
    torch.manual_seed(0)
    one = lesson(np.random.default_rng(5), tiles, 24)
    known = {name: torch.from_numpy(getattr(one, name)) for name in type(one).__annotations__}
    network = fresh().train()
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3)
    losses = []
    for _ in range(12):
        loss = lost(network(known["views"].permute(0, 3, 1, 2)), known)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())

    assert losses[-1] < 0.7 * losses[0]


def test_the_file_says_what_the_network_says_at_every_place(tiles: list[Pixels]) -> None:
    torch.manual_seed(0)
    network, seen = fresh().eval(), lesson(np.random.default_rng(6), tiles, 16).views
    with torch.no_grad():
        expected = network(torch.from_numpy(seen).permute(0, 3, 1, 2)).numpy()

    whole = to_onnx(network, SEEN)
    small = quantised(whole, seen)

    assert np.abs(open_network(whole, "whole").run(seen) - expected).max() < 1e-3
    off = np.abs(open_network(small, "small").run(seen) - expected).mean()
    assert (off < 0.1 * expected.std(), len(small) < 0.3 * len(whole)) == (True, True)


def test_folders_become_a_network_with_its_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for label, picture in list(drawn_pieces("carcassonne"))[:3]:
        save_picture(picture, tmp_path / "scans" / f"{label.removeprefix('drawn-')}.png")

    main([str(tmp_path / "scans")], tmp_path / "mine", steps=1)

    data = (tmp_path / "mine.onnx").read_bytes()
    monkeypatch.setattr("models.registry.FOLDER", tmp_path)
    assert (model_card("mine")["sha256"], model_card("mine")["bytes"]) == (
        sha256(data).hexdigest(),
        len(data),
    )
    numbers = open_network(data, "mine").run(np.zeros((2, SEEN, SEEN, INPUTS), np.float32))
    assert numbers.shape == (2, CHANNELS, PLACES, PLACES)
