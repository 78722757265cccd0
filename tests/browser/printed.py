"""A table with printed dominoes that nobody has taught the companion, and a camera whose pictures come into a folder.

The print is made here by program, unlike our drawings and unlike any box: other grounds, and houses for crowns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.core.game import Setup
from companion.core.photo import Lesson
from companion.games import GAMES
from companion.games.kingdomino.rules.pieces import DOMINOES, Square, Terrain
from companion.games.kingdomino.sight.layout import COLOURS
from companion.virtual.art import Art, load_art
from companion.virtual.camera import VirtualCamera
from companion.virtual.faults import Disturbances
from companion.virtual.hand import HandPlanner
from companion.virtual.players import arrangement, faces_of, lay_at_once, set_table
from companion.virtual.scene import Scene
from companion.virtual.table import VirtualTable

GAME = GAMES["kingdomino"]
SIDE = 160
"""Pixels of a printed square."""
SQUARE_MM = 40
INK = (40, 30, 35)
WHITE = (250, 250, 250)
ROOF = (30, 30, 120)
CASTLES = {
    "pink": (170, 90, 250),
    "yellow": (60, 220, 250),
    "green": (80, 170, 60),
    "blue": (230, 130, 50),
}


class PhotographedTable:
    """The virtual table in other clothes; each picture lies whole in the folder, or not at all."""

    def __init__(
        self, folder: Path, art: Art, size: tuple[int, int] = (1920, 1080), on: tuple[str, ...] = ()
    ) -> None:
        sight = GAME.sight
        assert sight
        self.folder, self._sight = folder, sight
        folder.mkdir(exist_ok=True)
        self._faces = {**faces_of(sight), **art.dressed(sight.pieces)}
        self.scene = Scene(art.dressed(sight.pieces), VirtualTable.width, VirtualTable.height)
        self._camera = VirtualCamera(self.scene, Disturbances(1, on), size=size, pace=0, ground=art.ground(1))
        self._fingers = HandPlanner(self._faces, Random(1))
        self._number = 0

    def photographed(self) -> Path:
        """Take a picture, and put it behind the others."""
        self._number += 1
        file = self.folder / f"{self._number:06d}.jpg"
        half = file.with_suffix(".part")
        _done, jpeg = cv2.imencode(".jpg", self._camera.frame().pixels, [cv2.IMWRITE_JPEG_QUALITY, 92])
        half.write_bytes(jpeg.tobytes())
        return half.rename(file)

    def lay_out(self, lesson: Lesson) -> Path:
        """Lay the pieces of a lesson close together in the middle, as the page draws them."""
        self.scene.clear()
        left, top = self.scene.width / 2, self.scene.height / 2 - SQUARE_MM * lesson.rows / 2
        for row in range(lesson.rows):
            number = lesson.numbers[row]
            piece = f"domino-{number}" if number else lesson.labels[row]
            self.scene.put(piece, left, top + SQUARE_MM * (row + 0.5))
        return self.photographed()

    def set_out(self, setup: Setup) -> Path:
        """Clear the table, and set it out for a game."""
        self._setup, self._position = setup, GAME.start(setup)
        self._lies = arrangement(self.scene, self._sight, setup, self._position)
        set_table(self.scene, self._fingers, self._lies)
        return self.photographed()

    def play(self, *lines: str) -> Path:
        """Do what people do."""
        for line in lines:
            self._position = GAME.apply(self._position, GAME.parse(line))
            before = self._lies
            self._lies = arrangement(self.scene, self._sight, self._setup, self._position)
            lay_at_once(self.scene, self._fingers, before, self._lies)
        return self.photographed()

    @property
    def position(self) -> Any:
        """What has been played in truth."""
        return self._position

    @property
    def totals(self) -> list[int]:
        """What everybody has in truth."""
        return list(GAME.tally(self._position).totals)


def printed_art(folder: Path) -> Art:
    """A picture of every domino and castle, as a printer of its own might have made them."""
    folder.mkdir()
    for number, domino in DOMINOES.items():
        sides = enumerate((domino.left, domino.right))
        halves = [_square(half, Random(f"{number} {side}")) for side, half in sides]
        cv2.imwrite(str(folder / f"{number}.png"), np.concatenate(halves, axis=1))
    for colour in COLOURS:
        cv2.imwrite(str(folder / f"castle-{colour}.png"), _castle(CASTLES[colour]))
    sight = GAME.sight
    assert sight
    return load_art(folder, None, sight.pieces)


def printed_squares(art: Art) -> Iterator[tuple[str, Pixels]]:
    """Both squares of every domino, as they are taught."""
    for number, domino in DOMINOES.items():
        print_ = art.prints[str(number)].pixels[..., :3]
        for side, half in enumerate((domino.left, domino.right)):
            start = side * print_.shape[0]
            yield str(half), np.ascontiguousarray(print_[:, start : start + print_.shape[0]])


def _square(square: Square, random: Random) -> Pixels:
    pixels = _GROUNDS[square.terrain](random)
    foreground = pixels[SIDE * 3 // 4 :]
    foreground[:] = foreground // 4 * 3  # which way is up
    for crown in range(square.crowns):
        left, wide = 8 + crown * SIDE // 3, SIDE // 3 - 10
        cv2.rectangle(pixels, (left, 65), (left + wide, 125), WHITE, -1)
        cv2.rectangle(pixels, (left + 14, 90), (left + wide - 14, 125), INK, -1)
        roof = np.array([(left - 4, 66), (left + wide // 2, 14), (left + wide + 4, 66)], np.int32)
        cv2.fillPoly(pixels, [roof], ROOF, cv2.LINE_AA)
    cv2.rectangle(pixels, (0, 0), (SIDE - 1, SIDE - 1), INK, 2)
    return pixels


def _filled(ink: tuple[int, int, int]) -> Pixels:
    return np.full((SIDE, SIDE, 3), ink, np.uint8)


def _wheat(random: Random) -> Pixels:
    pixels, shift = _filled((60, 110, 225)), random.randrange(24)
    for start in range(-SIDE, SIDE, 24):
        cv2.line(pixels, (start + shift, SIDE), (start + shift + SIDE, 0), (40, 60, 160), 7, cv2.LINE_AA)
    return pixels


def _forest(random: Random) -> Pixels:
    pixels = _filled((150, 80, 110))
    for _tree in range(9):
        x, y = random.randrange(SIDE), random.randrange(SIDE)
        corners = np.array([(x, y - 24), (x - 18, y + 14), (x + 18, y + 14)], np.int32)
        cv2.fillPoly(pixels, [corners], (90, 35, 60), cv2.LINE_AA)
    return pixels


def _lake(random: Random) -> Pixels:
    pixels = _filled((190, 150, 30))
    for _wave in range(12):
        x, y = random.randrange(SIDE), random.randrange(SIDE)
        cv2.ellipse(pixels, (x, y), (20, 9), 0, 180, 360, (245, 240, 225), 6, cv2.LINE_AA)
    return pixels


def _grassland(random: Random) -> Pixels:
    pixels = _filled((190, 170, 240))
    for _flower in range(14):
        cv2.circle(
            pixels, (random.randrange(SIDE), random.randrange(SIDE)), 9, (60, 130, 60), -1, cv2.LINE_AA
        )
    return pixels


def _swamp(random: Random) -> Pixels:
    pixels, shift = _filled((120, 225, 150)), random.random() * 6
    for row in range(0, SIDE, 26):
        wave = [(x, round(row + 8 * np.sin(x / 14 + shift))) for x in range(0, SIDE + 8, 8)]
        cv2.polylines(pixels, [np.array(wave, np.int32)], False, (60, 90, 30), 5, cv2.LINE_AA)
    return pixels


def _mine(random: Random) -> Pixels:
    pixels, shift = _filled((70, 215, 245)), random.randrange(40)
    for row in range(-1, 5):
        for column in range(-1, 5):
            if (row + column) % 2:
                x, y = column * 40 + shift, row * 40 + shift
                cv2.rectangle(pixels, (x, y), (x + 39, y + 39), INK, -1)
    return pixels


def _castle(ink: tuple[int, int, int]) -> Pixels:
    pixels = _filled((235, 235, 235))
    cv2.rectangle(pixels, (30, 70), (SIDE - 30, SIDE - 25), ink, -1)
    for tower in (30, 70, 110):
        cv2.rectangle(pixels, (tower, 30), (tower + 20, 75), ink, -1)
    cv2.rectangle(pixels, (65, 100), (95, SIDE - 25), INK, -1)
    cv2.rectangle(pixels, (0, 0), (SIDE - 1, SIDE - 1), ink, 5)
    return pixels


_GROUNDS: Mapping[Terrain, Callable[[Random], Pixels]] = {
    Terrain.WHEAT: _wheat,
    Terrain.FOREST: _forest,
    Terrain.LAKE: _lake,
    Terrain.GRASSLAND: _grassland,
    Terrain.SWAMP: _swamp,
    Terrain.MINE: _mine,
}
