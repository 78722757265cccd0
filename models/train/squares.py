"""Make a gallery of square pieces: `python -m models.train.squares FOLDER models/kingdomino`.

FOLDER holds a JPEG or PNG picture of each piece, upright and cut to its edges, from above. The name of the
file is the piece's label; `17.jpg` is `domino-17`, `start_blue.jpg` is `castle-blue`. A picture twice as wide
as high is a domino, whose halves become `domino-17-left` and `domino-17-right`. What comes out is numbers and
a card, never a picture.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.vision.gallery.squares import gallery_arrays, gallery_of
from models.registry import pack_arrays

SUFFIXES = (".jpg", ".jpeg", ".png")


def label_of(stem: str) -> str:
    """What a picture's file shows."""
    if stem.isdigit():
        return f"domino-{int(stem)}"
    return re.sub("^start_", "castle-", stem)


def squares(folder: Path) -> Iterator[tuple[str, Pixels]]:
    """Every square of the pieces in a folder; SystemExit, which says why, when it has none or one is no picture."""
    if not folder.is_dir():
        raise SystemExit(f"There is no folder {folder}.")
    files = [file for file in sorted(folder.iterdir()) if file.suffix.lower() in SUFFIXES]
    if not files:
        raise SystemExit(
            f"{folder.name} has no pictures of pieces: JPEG or PNG files, named as README.md says."
        )
    for file in files:
        label, picture = label_of(file.stem), _picture(file)
        height, width = picture.shape[:2]
        if width < 1.6 * height:
            yield label, picture
        else:
            yield f"{label}-left", np.asarray(picture[:, : width // 2], np.uint8)
            yield f"{label}-right", np.asarray(picture[:, width // 2 :], np.uint8)


def _picture(file: Path) -> Pixels:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise SystemExit(f"{file.name} cannot be read: {error.strerror}.") from error
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if picture is None:
        raise SystemExit(f"{file.name} is not a picture, or it is damaged: take it out of the folder.")
    return np.asarray(picture, np.uint8)


def place_for(target: Path) -> None:
    """SystemExit, before any work is done, when what is made could not be written."""
    if not target.parent.is_dir():
        raise SystemExit(f"There is no folder {target.parent} to write {target.name} in.")


def main(folder: Path, target: Path) -> None:
    place_for(target)
    data = pack_arrays(gallery_arrays(gallery_of(squares(folder))))
    target.with_suffix(".npz").write_bytes(data)
    card = target.with_suffix(".toml")
    text = card.read_text(encoding="utf-8") if card.exists() else 'sha256 = ""\n'
    card.write_text(
        re.sub(r'sha256 = ".*"', f'sha256 = "{sha256(data).hexdigest()}"', text), encoding="utf-8"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("target", type=Path)
    args = parser.parse_args()
    main(args.folder, args.target)
