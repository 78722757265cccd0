"""Photos of boards of Carcassonne made of our own drawings, laid by hand on a table and seen from the side."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.core.lattice import Cell
from companion.games.carcassonne.rules.board import TILES, TILES_IN_THE_BOX, Board, Placement, upright
from companion.games.carcassonne.sight.faces import tile_face
from companion.games.carcassonne.sight.layout import CarcassonneSight
from companion.games.carcassonne.sight.photo import TileKind
from companion.games.carcassonne.text.words import tile_label
from companion.photos.reader import PhotoReader
from companion.virtual.rasterizer import rasterize
from companion.vision.gallery.squares import Origin, SquareGallery, gallery_of
from models.registry import network_of
from tests.vision.photo.kingdoms import drawn

PHOTOS = CarcassonneSight().photos
SIDE = 90
"""Pixels of a tile."""
TABLE = (58, 74, 92)
DRIFT = 0.06
"""Sides of a tile by which hands lay beside the place."""
TABLE_AROUND = 1.2
"""Tiles of table around the board."""


@cache
def tile_drawn(letter: str) -> Pixels:
    face = next(face for face in CarcassonneSight().faces if face.label == tile_label(letter))
    return np.asarray(rasterize(face, SIDE / face.width)[..., :3], np.uint8)


@cache
def tiles_drawn() -> SquareGallery:
    """Every tile as the virtual table draws it, by the network that tells tiles apart."""
    drawings = [(tile_label(letter), drawn(_small(letter), letter)) for letter in TILES]
    return gallery_of(drawings, origin=Origin.SHIPPED, network=network_of("carcassonne"))


def _small(letter: str) -> str:
    return f'<g transform="scale({400 / 450})">{tile_face(letter)}</g>'


def reader() -> PhotoReader:
    return PhotoReader(PHOTOS, tiles_drawn())


def grown_board(seed: int, tiles: int) -> Board:
    """A board laid at random by the rules."""
    random = Random(seed)
    bag = [letter for letter, tile in TILES.items() for _one in range(tile.count)]
    random.shuffle(bag)
    board = Board().laid(Placement("D", 0, 0))
    bag.remove("D")
    while len(board.tiles) < min(tiles, TILES_IN_THE_BOX) and bag:
        letter = bag.pop()
        if places := sorted(board.placements(letter), key=lambda place: (abs(place.x) + abs(place.y), place)):
            board = board.laid(random.choice(places[:4]))
    return board


def kinds_of(board: Board) -> Mapping[Cell, TileKind]:
    """Its tiles by column and row of the picture."""
    columns, rows = zip(*board.tiles, strict=True)
    left, top = min(columns), min(rows)
    return {
        (x - left, y - top): TileKind(tile.letter, upright(tile.letter, tile.turn))
        for (x, y), tile in board.tiles.items()
    }


def photo_of(
    board: Board, seed: int = 0, tilt: float = 0.25, drift: float = DRIFT, table: tuple[int, int, int] = TABLE
) -> Pixels:
    """A photo of a board; the upper edge of the table is farther away by that part."""
    random = np.random.default_rng(seed)
    kinds = kinds_of(board)
    columns, rows = (1 + max(cell[axis] for cell in kinds) for axis in (0, 1))
    width, height = (round((count + 2 * TABLE_AROUND) * SIDE) for count in (columns, rows))
    picture = np.full((height, width, 3), table, np.float32) + random.normal(0, 5, (height, width, 1))
    for (x, y), kind in kinds.items():
        off = random.uniform(-drift, drift, 2)
        left, top = ((np.array((x, y)) + TABLE_AROUND + off) * SIDE).round().astype(int)
        picture[top : top + SIDE - 1, left : left + SIDE - 1] = np.rot90(tile_drawn(kind.letter), -kind.turn)[
            :-1, :-1
        ]
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    aside = tilt * width / 2
    seen = np.array(
        [(aside, 0), (width - aside, 0), (width, height * (1 - tilt / 2)), (0, height * (1 - tilt / 2))]
    )
    matrix = cv2.getPerspectiveTransform(flat, seen.astype(np.float32))
    laid = cv2.warpPerspective(picture, matrix, (width, height), flags=cv2.INTER_AREA, borderValue=table)
    return np.asarray(np.clip(laid + random.normal(0, 4, laid.shape), 0, 255), np.uint8)


def halves_of(board: Board, seed: int = 0, reach: float = 0.64) -> tuple[Pixels, Pixels]:
    """Two photos that overlap: the left part of a board, and from its right side, in another light, the rest."""
    one, other = photo_of(board, seed, 0.0), photo_of(board, seed, 0.0, table=(40, 60, 70))
    cut = round(reach * one.shape[1])
    rest = np.rot90(other[:, -cut:] * 0.8)
    return np.ascontiguousarray(one[:, :cut]), np.ascontiguousarray(rest.astype(np.uint8))
