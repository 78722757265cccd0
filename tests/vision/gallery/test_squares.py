"""A gallery of squares as a file, and the one that is shipped."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import models.registry
from companion.core.errors import ModelError
from companion.games.kingdomino.rules.pieces import DOMINOES
from companion.games.kingdomino.sight.tiling import label_of
from companion.vision.gallery.squares import gallery_arrays, gallery_from_arrays, load_shipped, network_crop
from companion.vision.photo.annotate import save_picture
from models.registry import pack_arrays, unpack_arrays
from models.train.squares import main
from tests.vision.photo.kingdoms import half, our_gallery


def test_a_gallery_comes_back_from_its_file() -> None:
    before = our_gallery()

    after = gallery_from_arrays(unpack_arrays(pack_arrays(gallery_arrays(before))))

    crops = np.stack([network_crop(half(number, False)) for number in (1, 20, 48)])
    assert (after.labels, after.turns.tolist()) == (before.labels, before.turns.tolist())
    assert np.abs(after.scores(crops) - before.scores(crops)).max() < 0.01


def test_a_gallery_of_another_version_is_refused() -> None:
    arrays = {**gallery_arrays(our_gallery()), "version": np.array(99)}

    with pytest.raises(ValueError, match="a gallery of version 99"):
        gallery_from_arrays(arrays)


def test_a_gallery_described_by_another_network_is_refused() -> None:
    arrays = {**gallery_arrays(our_gallery()), "network": np.array("0123456789abcdef")}

    with pytest.raises(ValueError, match=r"by network 0123456789abcdef.*make it again"):
        gallery_from_arrays(arrays)


def test_the_shipped_gallery_has_every_half_and_castle_and_no_picture() -> None:
    gallery = load_shipped("kingdomino")

    halves = {label_of(number, right) for number in DOMINOES for right in (False, True)}
    castles = {f"castle-{colour}" for colour in ("blue", "green", "pink", "yellow")}
    assert set(gallery.labels) == halves | castles
    assert models.registry.load_arrays("kingdomino").keys() == gallery_arrays(our_gallery()).keys()


def test_a_damaged_gallery_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = models.registry.FOLDER
    (tmp_path / "kingdomino.toml").write_bytes((here / "kingdomino.toml").read_bytes())
    (tmp_path / "kingdomino.npz").write_bytes((here / "kingdomino.npz").read_bytes()[:-1] + b"?")
    monkeypatch.setattr(models.registry, "FOLDER", tmp_path)

    with pytest.raises(ModelError, match="is missing or damaged: it is not what came with"):
        load_shipped("kingdomino")


def test_a_gallery_is_made_from_a_folder_of_pictures(tmp_path: Path) -> None:
    pieces = tmp_path / "pieces"
    for number in (1, 20, 48):
        save_picture(np.hstack([half(number, False), half(number, True)]), pieces / f"{number:02}.png")
    save_picture(half(5, False), pieces / "start_blue.png")

    main([pieces], tmp_path / "mine")

    found = gallery_from_arrays(unpack_arrays((tmp_path / "mine.npz").read_bytes()))
    expected = {label_of(n, right) for n in (1, 20, 48) for right in (False, True)} | {"castle-blue"}
    assert (set(found.labels), "sha256" in (tmp_path / "mine.toml").read_text("utf-8")) == (expected, True)
