"""Make a gallery of square pieces: `python -m models.train.squares FOLDER models/kingdomino`.

FOLDER holds a JPEG or PNG picture of each piece, upright and cut to its edges, from above. The name of the file is the
piece's label; `17.jpg` is `domino-17`, `start_blue.jpg` is `castle-blue`. A picture twice as wide as high is a domino,
whose halves become `domino-17-left` and `domino-17-right`. What comes out is numbers and a card, never a picture.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.vision.likeness import gallery_of
from companion.vision.shipped import as_arrays
from models.galleries import packed

SUFFIXES = (".jpg", ".jpeg", ".png")


def label_of(stem: str) -> str:
    """What a picture's file shows."""
    if stem.isdigit():
        return f"domino-{int(stem)}"
    return re.sub("^start_", "castle-", stem)


def squares(folder: Path) -> Iterator[tuple[str, Pixels]]:
    """Every square of the pieces in a folder."""
    for file in sorted(folder.iterdir()):
        if file.suffix.lower() not in SUFFIXES:
            continue
        picture = cv2.imdecode(np.frombuffer(file.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
        if picture is None:
            raise ValueError(f"{file.name} is not a picture")
        height, width = picture.shape[:2]
        label = label_of(file.stem)
        if width < 1.6 * height:
            yield label, np.asarray(picture, np.uint8)
        else:
            yield f"{label}-left", np.asarray(picture[:, : width // 2], np.uint8)
            yield f"{label}-right", np.asarray(picture[:, width // 2 :], np.uint8)


def main(folder: Path, target: Path) -> None:
    data = packed(as_arrays(gallery_of(squares(folder))))
    target.with_suffix(".npz").write_bytes(data)
    card = target.with_suffix(".toml")
    text = card.read_text(encoding="utf-8") if card.exists() else 'sha256 = ""\n'
    card.write_text(
        re.sub(r'sha256 = ".*"', f'sha256 = "{sha256(data).hexdigest()}"', text), encoding="utf-8"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
