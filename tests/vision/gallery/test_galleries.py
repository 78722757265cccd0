"""A gallery of squares as a file, and the one that is shipped."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import models.galleries
from companion.core.errors import ModelError
from companion.games.kingdomino.rules.pieces import DOMINOES
from companion.games.kingdomino.sight.tiling import label_of
from companion.vision.gallery.likeness import shrunk
from companion.vision.gallery.shipped import as_arrays, from_arrays, shipped
from companion.vision.photo.annotate import save
from models.galleries import packed, unpacked
from models.train.squares import main
from tests.vision.photo.kingdoms import half, our_gallery


def test_a_gallery_comes_back_from_its_file() -> None:
    before = our_gallery()

    after = from_arrays(unpacked(packed(as_arrays(before))))

    crops = np.stack([shrunk(half(number, False)) for number in (1, 20, 48)])
    assert (after.labels, after.turns.tolist()) == (before.labels, before.turns.tolist())
    assert np.abs(after.scores(crops) - before.scores(crops)).max() < 0.01


def test_a_gallery_of_another_version_is_refused() -> None:
    arrays = {**as_arrays(our_gallery()), "version": np.array(99)}

    with pytest.raises(ValueError, match="a gallery of version 99"):
        from_arrays(arrays)


def test_a_gallery_described_by_another_network_is_refused() -> None:
    arrays = {**as_arrays(our_gallery()), "network": np.array("0123456789abcdef")}

    with pytest.raises(ValueError, match=r"by network 0123456789abcdef.*make it again"):
        from_arrays(arrays)


def test_the_shipped_gallery_has_every_half_and_castle_and_no_picture() -> None:
    gallery = shipped("kingdomino")

    halves = {label_of(number, right) for number in DOMINOES for right in (False, True)}
    castles = {f"castle-{colour}" for colour in ("blue", "green", "pink", "yellow")}
    assert set(gallery.labels) == halves | castles
    assert models.galleries.load("kingdomino").keys() == as_arrays(our_gallery()).keys()


def test_a_damaged_gallery_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = models.galleries.HERE
    (tmp_path / "kingdomino.toml").write_bytes((here / "kingdomino.toml").read_bytes())
    (tmp_path / "kingdomino.npz").write_bytes((here / "kingdomino.npz").read_bytes()[:-1] + b"?")
    monkeypatch.setattr(models.galleries, "HERE", tmp_path)

    with pytest.raises(ModelError, match="is missing or damaged: it is not what came with"):
        shipped("kingdomino")


def test_a_gallery_is_made_from_a_folder_of_pictures(tmp_path: Path) -> None:
    pieces = tmp_path / "pieces"
    for number in (1, 20, 48):
        save(np.hstack([half(number, False), half(number, True)]), pieces / f"{number:02}.png")
    save(half(5, False), pieces / "start_blue.png")

    main(pieces, tmp_path / "mine")

    found = from_arrays(unpacked((tmp_path / "mine.npz").read_bytes()))
    expected = {label_of(n, right) for n in (1, 20, 48) for right in (False, True)} | {"castle-blue"}
    assert (set(found.labels), "sha256" in (tmp_path / "mine.toml").read_text("utf-8")) == (expected, True)
