"""Make a gallery of square pieces: `python -m models.train.squares FOLDER … models/kingdomino`.

Each FOLDER is one as `models.train.pieces` describes. What comes out is numbers and a card, never a picture.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from companion.vision.gallery.squares import (
    SquareGallery,
    embed,
    gallery_arrays,
    gallery_of,
    network_crop,
)
from models.registry import PIECES, pack_arrays
from models.train.pieces import pieces

SAME = 0.985
"""Likeness of two pictures of a piece of which one is enough."""


def place_for(target: Path) -> None:
    """SystemExit, before any work is done, when what is made could not be written."""
    if not target.parent.is_dir():
        raise SystemExit(f"There is no folder {target.parent} to write {target.name} in.")


def described(folders: Sequence[Path], network: str) -> SquareGallery:
    """The pieces of all folders; of pictures that look the same to the network, one."""
    every = [one for folder in folders for one in pieces(folder)]
    looks = embed(np.stack([network_crop(picture) for _label, picture in every]), network)
    kept = list[int]()
    for index, (label, _picture) in enumerate(every):
        same = [other for other in kept if every[other][0] == label]
        if not same or float((looks[same] @ looks[index]).max()) < SAME:
            kept.append(index)
    return gallery_of([every[index] for index in kept], network=network)


def main(folders: Sequence[Path], target: Path, network: str = PIECES) -> None:
    place_for(target)
    data = pack_arrays(gallery_arrays(described(folders, network)))
    write_gallery(target, data, f'network = "{network}"\n')


def write_gallery(target: Path, data: bytes, stated: str = "") -> None:
    """A gallery's file, with its checksum on its card; a new card says what is stated and no more."""
    target.with_suffix(".npz").write_bytes(data)
    card = target.with_suffix(".toml")
    text = card.read_text(encoding="utf-8") if card.exists() else f'{stated}sha256 = ""\n'
    card.write_text(
        re.sub(r'sha256 = ".*"', f'sha256 = "{sha256(data).hexdigest()}"', text), encoding="utf-8"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("target", type=Path)
    parser.add_argument("--network", default=PIECES, help="what describes them")
    args = parser.parse_args()
    main(args.folders, args.target, args.network)
