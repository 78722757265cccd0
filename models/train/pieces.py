"""What is learned from: folders of pictures of pieces, and the faces that the house draws itself.

A folder holds a JPEG or PNG picture of each piece, upright and cut to its edges, from above. The name of the file is
the piece's label; `17.jpg` is `domino-17`, `start_blue.jpg` is `castle-blue`, `tile-A_2.png` another picture of
`tile-A`. A picture twice as wide as high is a domino, whose halves become `domino-17-left` and `domino-17-right`; one
higher than wide is a card, of which two windows are looked at. The same label in two folders is the same piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.core.observation import Face
from companion.games import GAMES
from companion.games.carcassonne.rules.board import TILES
from companion.games.carcassonne.text.words import tile_label
from companion.games.kingdomino.rules.pieces import DOMINOES
from companion.virtual.rasterizer import rasterize

SUFFIXES = (".jpg", ".jpeg", ".png")
DRAWN = 96
"""Pixels of a piece's side before it is made worse."""
OURS = "drawn-"
"""Begins the labels of faces that the house draws."""
GROUND = 200
"""Level of what is below a face that does not fill its square."""
WINDOWS = ((0.03, 0.12), (0.47, 0.12))
"""Where the windows of a card begin, in parts of its width and height: the left and the right of its drawing."""
WINDOW = 0.5
"""Side of a window, in parts of the card's width."""
DOMINO, CARD = 1.6, 0.8
"""Width by height from which on a picture is a domino's, and up to which it is a card's."""

COVERED = 0.2
"""What part of the crops has a disc or a figure on it, unless somebody says otherwise."""

Classes = NDArray[np.int64]


def label_of(stem: str) -> str:
    """What a picture's file shows."""
    if stem.isdigit():
        return f"domino-{int(stem)}"
    return re.sub(r"_\d+$", "", re.sub("^start_", "castle-", stem))


def pieces(folder: Path) -> Iterator[tuple[str, Pixels]]:
    """Every square of the pieces in a folder; SystemExit, which says why, when it has none or one is no picture."""
    if not folder.is_dir():
        raise SystemExit(f"There is no folder {folder}.")
    files = [file for file in sorted(folder.iterdir()) if file.suffix.lower() in SUFFIXES]
    if not files:
        raise SystemExit(
            f"{folder.name} has no pictures of pieces: JPEG or PNG files, named as README.md says."
        )
    for file in files:
        yield from _squares(label_of(file.stem), _picture(file))


def _squares(label: str, picture: Pixels) -> Iterator[tuple[str, Pixels]]:
    height, width = picture.shape[:2]
    if width >= DOMINO * height:
        yield f"{label}-left", np.asarray(picture[:, : width // 2], np.uint8)
        yield f"{label}-right", np.asarray(picture[:, width // 2 :], np.uint8)
    elif width <= CARD * height:
        side = round(WINDOW * width)
        for number, (right, down) in enumerate(WINDOWS, 1):
            left, top = round(right * width), round(down * height)
            yield (
                f"{label}-window-{number}",
                np.asarray(picture[top : top + side, left : left + side], np.uint8),
            )
    else:
        yield label, picture


def _picture(file: Path) -> Pixels:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise SystemExit(f"{file.name} cannot be read: {error.strerror}.") from error
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if picture is None:
        raise SystemExit(f"{file.name} is not a picture, or it is damaged: take it out of the folder.")
    return np.asarray(picture, np.uint8)


def drawn_pieces(game: str) -> Iterator[tuple[str, Pixels]]:
    """The flat square faces of a game at the virtual table."""
    sight = GAMES[game].sight
    for face in sight.faces if sight else ():
        if not face.stands and not face.round and face.width == face.height:
            yield f"{OURS}{face.label}", drawn_picture(face, DRAWN)


def drawn_picture(face: Face, side: int) -> Pixels:
    """A face as the house draws it, without what is around it."""
    drawn = rasterize(face, side / face.width).astype(np.float32)
    cover = drawn[..., 3:] / 255
    return np.asarray(drawn[..., :3] * cover + GROUND * (1 - cover), np.uint8)


def period(label: str) -> int:
    """After how many quarter turns a piece counts as lying the same way again."""
    return _PERIODS.get(label.removeprefix(OURS), 4)


_PERIODS: Mapping[str, int] = {
    tile_label(letter): len({turned.edges for turned in tile.turned}) for letter, tile in TILES.items()
}


def kind_of(label: str, turn: int) -> str:
    """What matters most about a piece: of a domino's half its terrain and crowns, of any other which it is, and how it
    is turned."""
    if domino := re.fullmatch(r"domino-(\d+)-(left|right)", label):
        return str(getattr(DOMINOES[int(domino[1])], domino[2]))
    return f"{label} {turn}"


@dataclass(frozen=True, eq=False)
class PictureSet:
    """Pictures that were made alike, and how often a crop is one of them."""

    labels: tuple[str, ...]
    pictures: Pixels
    """Upright, n × 96 × 96 × 3 levels of blue, green and red."""
    share: float = 1.0

    def turned(self, which: int, quarter: int) -> Pixels:
        """One of the pictures after so many quarter turns clockwise."""
        return np.asarray(self._turned[which, quarter], np.uint8)

    @cached_property
    def _turned(self) -> Pixels:
        return np.stack([np.rot90(self.pictures, -quarter, axes=(1, 2)) for quarter in range(4)], axis=1)


def picture_set(found: Iterator[tuple[str, Pixels]], share: float = 1.0) -> PictureSet:
    """Pictures of any size as one set."""
    known = list(found)
    pictures = [cv2.resize(picture, (DRAWN, DRAWN), interpolation=cv2.INTER_AREA) for _, picture in known]
    return PictureSet(tuple(label for label, _ in known), np.asarray(np.stack(pictures), np.uint8), share)


@dataclass(frozen=True, eq=False)
class Lessons:
    """All that is learned from. A class is a label and a turn, in whichever set its pictures are."""

    sets: Sequence[PictureSet]
    covered: float = COVERED
    """What part of the crops has a disc or a figure on it."""

    @cached_property
    def first(self) -> Mapping[str, int]:
        """The class of each label where it is not turned; that of its turns follow."""
        labels = dict.fromkeys(label for one in self.sets for label in one.labels)
        starts = np.cumsum([0, *map(period, labels)])
        return dict(zip(labels, starts[:-1].tolist(), strict=True))

    def class_of(self, label: str, quarter: int) -> int:
        return self.first[label] + quarter % period(label)

    @cached_property
    def kinds(self) -> Classes:
        """The number of each class's kind."""
        names = [kind_of(label, turn) for label in self.first for turn in range(period(label))]
        numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
        return np.array([numbers[name] for name in names])

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """How likely a crop is one of each set; they add up to 1."""
        shares = np.array([one.share for one in self.sets])
        return np.asarray(shares / shares.sum(), np.float64)
