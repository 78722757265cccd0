"""Make the gallery of a printed board: `python -m models.train.printed PICTURE … models/carcassonne-track`.

Each PICTURE shows the whole board upright, cut to its edges; what is not to be learned of it (figures, what the photo
did not show) is black. What comes out is points as numbers and a card, never a picture.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from companion.vision.photo.printed import board_arrays, printed_board
from companion.vision.picture_file import decode_picture
from models.registry import pack_arrays
from models.train.squares import place_for, write_gallery


def main(pictures: Sequence[Path], target: Path, columns: int, rows: int) -> None:
    place_for(target)
    shown = [np.ascontiguousarray(decode_picture(one.read_bytes())) for one in pictures]
    board = printed_board(shown, columns, rows)
    write_gallery(target, pack_arrays(board_arrays(board)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pictures", type=Path, nargs="+", metavar="PICTURE")
    parser.add_argument("target", type=Path)
    parser.add_argument("--columns", type=int, default=6, help="sides of a piece that it is wide")
    parser.add_argument("--rows", type=int, default=4)
    args = parser.parse_args()
    main(args.pictures, args.target, args.columns, args.rows)
