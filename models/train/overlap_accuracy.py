"""How well photos of parts of a board are joined: `python -m models.train.overlap_accuracy LABELS PHOTOS`.

LABELS and PHOTOS as for `models.train.board_accuracy`. Each labelled photo is cut into parts that overlap, each part is
spoilt on its own (turned, smaller, darker or lighter, seen a little from the side), and they are read together.
Besides, pairs that are no one board: parts of two boards, and parts of one board that have no tile in common.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.core.lattice import LatticeMove
from companion.core.photo import AnyReading
from companion.games.carcassonne.sight.photo import BoardReading, TileKind
from companion.photos.reader import PhotoRead, PhotoReader, open_photo
from companion.vision.photo.extent import LocatedSquares
from companion.vision.photo.grid import Grid
from companion.vision.photo.keypoints import Floats
from companion.vision.picture_file import size_of
from models.train.board_accuracy import (
    FOREIGN,
    SIGHT,
    BoardFigures,
    Comparison,
    LabelledBoard,
    compare,
    gallery_named,
    labelled,
    measured,
    tell,
)

CUTS = {
    "two parts, a fifth in common": (0, ((0.0, 0.6), (0.4, 1.0))),
    "two parts the other way, a third in common": (1, ((0.0, 0.67), (0.33, 1.0))),
    "all of it twice": (0, ((0.0, 1.0), (0.0, 1.0))),
    "three parts, each with the next": (0, ((0.0, 0.45), (0.28, 0.73), (0.55, 1.0))),
}
"""The axis along which a board is cut, 0 for its longer one, and from where to where each part reaches."""
APART = (0, ((0.0, 0.38), (0.62, 1.0)))
"""Parts that have no tile in common."""
SPOILT = ((0.0, 1.0, 1.0), (97.0, 0.8, 1.2), (-7.0, 0.9, 0.75), (180.0, 0.75, 0.9), (263.0, 1.0, 1.1))
"""How each part is spoilt: degrees it is turned by, scale, brightness."""
LAID_ALIKE = 8
"""Tiles that lie alike on two boards where that is no chance: people who take photos leave a part as it lies."""
ASIDE = 0.06
"""Part of a picture's side by which its corners move."""


@dataclass(frozen=True, eq=False)
class Part:
    """A part of a photo, spoilt."""

    read: PhotoRead
    matrix: Floats
    """From the photo to it."""

    def in_photo(self, found: LocatedSquares) -> LocatedSquares:
        """What was found in it, as it lies in the photo."""
        back = np.linalg.inv(self.matrix) @ found.grid.matrix
        return replace(found, grid=Grid(np.asarray(back, np.float64)))


def parts(
    reader: PhotoReader, board: LabelledBoard, axis: int, reaches: Sequence[tuple[float, float]], seed: int
) -> Sequence[Part]:
    picture = open_photo(board.photo.read_bytes())
    scale = max(picture.shape[:2]) / max(size_of(board.photo.read_bytes()))
    middles = np.array([one["c"] for one in board.cells]) * scale
    side = float(np.hypot(*board.cells[0]["u"])) * scale
    low, high = middles.min(axis=0) - side / 2, middles.max(axis=0) + side / 2
    along = int(np.argmax(high - low)) ^ axis
    found = []
    for index, (first, last) in enumerate(reaches):
        size = picture.shape[1::-1]
        window = np.array([(0, 0), size], float)
        if first > 0:
            window[0, along] = low[along] + first * (high - low)[along]
        if last < 1:
            window[1, along] = low[along] + last * (high - low)[along]
        seen, matrix = _spoilt(picture, window, *SPOILT[(seed + index) % len(SPOILT)], seed + index)
        found.append(Part(reader.read_table(seen)[0], matrix))
    return found


def _spoilt(
    picture: Pixels, window: Floats, degrees: float, scale: float, light: float, seed: int
) -> tuple[Pixels, Floats]:
    """A part of a picture as somebody else's photo, and where it is then."""
    rng = np.random.default_rng(seed)
    (left, top), (right, bottom) = window
    size = np.array([right - left, bottom - top]) * scale
    turned = size[::-1] if round(degrees / 90) % 2 else size
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)
    seen = (corners - window.mean(axis=0)) * scale
    seen += rng.uniform(-ASIDE, ASIDE, (4, 2)) * min(size)
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    seen = seen @ np.array([(c, s), (-s, c)]) + turned / 2
    matrix = cv2.getPerspectiveTransform(corners, seen.astype(np.float32))
    wide, high = np.rint(turned).astype(int).tolist()
    laid = cv2.warpPerspective(
        picture, matrix, (wide, high), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    spoilt = np.clip(laid * light + rng.normal(0, 3, laid.shape), 0, 255)
    return np.asarray(spoilt, np.uint8), np.asarray(matrix, np.float64)


def joined(
    reader: PhotoReader, board: LabelledBoard, every: Sequence[Part]
) -> tuple[str, BoardFigures | None]:
    """What came of parts of one board: `right`, `wrong`, or `not joined`; and what was read of it then."""
    found, shown = _join(reader, every)
    if shown is None:
        return "not joined", None
    views = [one.in_photo(view) for one, view in zip(every, found, strict=True)]
    assert isinstance(shown, BoardReading)
    data = board.photo.read_bytes()
    seen = Comparison(board, views, shown, max(open_photo(data).shape[:2]) / max(size_of(data)))
    figures = BoardFigures(photos=1)
    compare(figures, seen)
    return ("right" if seen.agree else "wrong"), figures


def _join(reader: PhotoReader, every: Sequence[Part]) -> tuple[Sequence[LocatedSquares], AnyReading | None]:
    """Where all parts show one board, and what they show of it; nothing where they are not joined."""
    found = [one.read.found for one in every if one.read.found]
    if len(found) < len(every):
        return (), None
    views, shown = reader.join(found)
    laid = [one for one in views if one]
    return (laid, shown) if len(laid) == len(every) else ((), None)


def wrong_pairs(reader: PhotoReader, boards: Sequence[LabelledBoard]) -> Iterator[tuple[str, str]]:
    """Pairs that are no one board, by their kind and names, and what came of them."""
    halves = [parts(reader, board, *APART, seed) for seed, board in enumerate(boards)]
    for board, pair in zip(boards, halves, strict=True):
        yield "nothing in common", _said(reader, pair, board.photo.name)
    for (a, one), (b, other) in combinations(zip(boards, halves, strict=True), 2):
        kind = "two boards that were laid alike in part" if _laid_alike(a, b) else "two boards"
        for first in one:
            for second in other:
                yield kind, _said(reader, [first, second], f"{a.photo.name} {b.photo.name}")


def _laid_alike(a: LabelledBoard, b: LabelledBoard) -> bool:
    """Whether so many tiles lie alike that a part of one board was laid once more."""
    ways = Counter(
        (turn, one["x"] - x, one["y"] - y)
        for turn in range(4)
        for other in b.cells
        for x, y in [LatticeMove(turn).cell((other["x"], other["y"]))]
        for one in a.cells
        if one["letter"] == other["letter"] != FOREIGN
        and TileKind(other["letter"], other["rot"]).turned(turn)
        == TileKind(one["letter"], one["rot"]).turned(0)
    )
    return max(ways.values(), default=0) >= LAID_ALIKE


def _said(reader: PhotoReader, pair: Sequence[Part], names: str) -> str:
    if any(one.read.found is None for one in pair):
        return "not read"
    if _join(reader, pair)[1] is None:
        return "not joined"
    return f"JOINED {names}"


def main(argv: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("labels", type=Path, nargs="+", help="label files, or folders of them")
    parser.add_argument("photos", type=Path, help="where the photos are")
    args = parser.parse_args(argv)
    reader = PhotoReader(SIGHT, gallery_named("", Path()))
    boards = list(labelled(args.labels, args.photos))
    whole = [measured(reader, board)[0] for board in boards]
    for name, (axis, reaches) in CUTS.items():
        told, alone, together = Counter[str](), BoardFigures(), BoardFigures()
        for seed, board in enumerate(boards):
            every = parts(reader, board, axis, reaches, seed)
            said, figures = joined(reader, board, every)
            read = [len(one.read.shown.squares) if one.read.shown else 0 for one in every]
            print(f"{name}: {board.photo.name} {said}, {read} tiles in each part")
            told[said] += 1
            if figures:
                alone += whole[seed]
                together += figures
        print(f"{name}: {dict(told)}")
        tell("as one photo", alone)
        tell("joined", together)
    pairs = Counter(wrong_pairs(reader, boards))
    for (kind, said), count in sorted(pairs.items()):
        print(f"{kind}: {said} {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
