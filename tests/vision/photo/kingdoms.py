"""Photos of kingdoms made of our own drawings, cropped or lying on a table at an angle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from random import Random

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.core.observation import Face
from companion.games.kingdomino.rules.kingdom import HOME, Cell, Kingdom
from companion.games.kingdomino.rules.pieces import DOMINOES, Square
from companion.games.kingdomino.sight.layout import TURNS, KingdominoSight, draw_square
from companion.games.kingdomino.sight.tiling import label_of
from companion.virtual.rasterizer import rasterize
from companion.vision.gallery.squares import Origin, SquareGallery, gallery_of

PHOTOS = KingdominoSight().photos
SIDE = 80
"""Pixels of a square."""
TABLE = (70, 90, 110)
ANGLED = ((420, 160), (1130, 220), (1260, 900), (330, 820))
"""Where the corners of a kingdom are in a photo that was taken from the side."""


def drawn(drawing: str, label: str = "square") -> Pixels:
    """A square of 40 mm as a picture."""
    return np.asarray(rasterize(Face(label, 40, 40, drawing), SIDE / 40)[..., :3], np.uint8)


def half(number: int, right: bool) -> Pixels:
    domino = DOMINOES[number]
    square = domino.right if right else domino.left
    return drawn(draw_square(square), f"{square}")


@cache
def our_gallery() -> SquareGallery:
    """The squares as the virtual table draws them."""
    halves = [(label_of(n, right), half(n, right)) for n in DOMINOES for right in (False, True)]
    castles = [face for face in KingdominoSight().faces if face.label.startswith("castle")]
    drawings = [*halves, *((face.label, drawn(face.drawing, face.label)) for face in castles)]
    return gallery_of(drawings, origin=Origin.SHIPPED)


def grown_kingdom(
    seed: int, dominoes: int = 12, size: int = 5, box: Iterable[int] = tuple(DOMINOES)
) -> Kingdom:
    """A kingdom laid at random by the rules, as large as it comes."""
    random = Random(seed)
    for _again in range(400):
        kingdom, left = Kingdom(size), sorted(box)
        random.shuffle(left)
        for number in left:
            if (places := kingdom.placements_of(number)) and len(kingdom.placements) < dominoes:
                kingdom = kingdom.laid(random.choice(places))
        if len(kingdom.placements) == dominoes:
            return kingdom
    raise ValueError(f"no kingdom of {dominoes} dominoes with seed {seed}")


def shown_squares(kingdom: Kingdom) -> Mapping[Cell, Square]:
    """The squares by column and row of the picture."""
    left, top = kingdom.bounds.left, kingdom.bounds.top
    return {(x - left, y - top): square for (x, y), square in kingdom.squares.items()}


def board(kingdom: Kingdom, seed: int = 0, standing: bool = False) -> Pixels:
    """The kingdom cropped to its edges; holes show the table, `standing` hides the castle's tile."""
    bounds, noise = kingdom.bounds, np.random.default_rng(seed)
    picture = np.full((bounds.rows * SIDE, bounds.columns * SIDE, 3), TABLE, np.uint8)
    for placement in kingdom.placements:
        for cell, right in zip(placement.cells, (False, True), strict=True):
            turned = np.rot90(half(placement.domino, right), -TURNS[placement.direction] // 90)
            _paste(picture, turned, (cell[0] - bounds.left, cell[1] - bounds.top))
    tower = drawn(
        '<path d="M20 20h360v360h-360z" fill="#556"/><circle cx="200" cy="200" r="120" fill="#223"/>'
    )
    castle = next(face for face in KingdominoSight().faces if face.label == "castle-blue")
    tile = tower if standing else drawn(castle.drawing, castle.label)
    _paste(picture, tile, (HOME[0] - bounds.left, HOME[1] - bounds.top))
    grain = noise.normal(0, 4, picture.shape)
    return np.asarray(np.clip(picture + grain, 0, 255), np.uint8)


def _paste(picture: Pixels, square: Pixels, place: Cell) -> None:
    x, y = place[0] * SIDE, place[1] * SIDE
    picture[y : y + SIDE, x : x + SIDE] = square


def photo(cropped: Pixels, corners: Sequence[tuple[int, int]] = ANGLED) -> Pixels:
    """The cropped board lying on a table, with the table around it."""
    height, width = cropped.shape[:2]
    table = np.full((1100, 1600, 3), TABLE, np.uint8)
    grain = np.random.default_rng(1).normal(0, 6, table.shape)
    table = np.asarray(np.clip(table + grain, 0, 255), np.uint8)
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(flat, np.array(corners, np.float32))
    laid = cv2.warpPerspective(cropped, matrix, (1600, 1100), flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), matrix, (1600, 1100))
    return np.where(mask[..., None] > 127, laid, table).astype(np.uint8)


def file_of(picture: Pixels, kind: str = ".jpg") -> bytes:
    return cv2.imencode(kind, picture)[1].tobytes()


def damaged_box(name: str) -> str:
    """What is said of a box whose file cannot be read."""
    ways = f"forget it on the page, or by companion enrol GAME --name {name} --anew"
    return f"The box “{name}” is damaged: {ways}, and enrol its pieces again."
