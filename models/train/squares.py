"""Make a gallery of square pieces: `python -m models.train.squares FOLDER models/kingdomino`.

FOLDER is one as `models.train.pieces` describes. What comes out is numbers and a card, never a picture.
"""

from __future__ import annotations

import argparse
import re
from hashlib import sha256
from pathlib import Path

from companion.vision.gallery.squares import gallery_arrays, gallery_of
from models.registry import pack_arrays
from models.train.pieces import pieces


def place_for(target: Path) -> None:
    """SystemExit, before any work is done, when what is made could not be written."""
    if not target.parent.is_dir():
        raise SystemExit(f"There is no folder {target.parent} to write {target.name} in.")


def main(folder: Path, target: Path) -> None:
    place_for(target)
    data = pack_arrays(gallery_arrays(gallery_of(pieces(folder))))
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
