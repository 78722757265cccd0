"""Kingdoms in pictures whose squares are known: laid on drawn tables, laid anew, with dominoes taken away.

A `Scene` is where spoiling a photo on purpose begins: what is done to it later knows where its squares lie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.games.kingdomino.rules.kingdom import Cell, kingdom_around_castle
from companion.games.kingdomino.rules.pieces import CASTLE, Square, parse_square
from companion.games.kingdomino.rules.scoring import property_points
from companion.vision.photo.grid import Grid, grid_between
from companion.vision.photo.keypoints import Floats

Rng = np.random.Generator
Image = Any
"""A picture while it is drawn: levels of blue, green and red, as 8-bit numbers or with fractions."""

Domino = tuple[Cell, Cell]
"""The places of its halves."""

SIDE = 84
"""Pixels of a square that is laid on a drawn table."""
LARGEST = 7
"""Squares of a kingdom's side."""


@dataclass(frozen=True, eq=False)
class LaidKingdom:
    """A kingdom in a picture."""

    squares: Mapping[Cell, Square | None]
    """Of every place of its columns and rows; None is a place without a piece."""
    corners: Floats
    """In pixels, clockwise from the upper left one of the first place."""
    dominoes: tuple[Domino, ...] = ()

    @property
    def columns(self) -> int:
        return 1 + max(x for x, _y in self.squares)

    @property
    def rows(self) -> int:
        return 1 + max(y for _x, y in self.squares)

    @property
    def grid(self) -> Grid:
        return grid_between(self.corners, self.columns, self.rows)

    @property
    def points(self) -> int:
        """What its properties are worth."""
        return points_of(self.squares)

    @property
    def kinds(self) -> Counter[frozenset[Square]]:
        """The dominoes in it by their squares."""
        pairs = [[self.squares[cell] for cell in pair] for pair in self.dominoes]
        return Counter(frozenset(square for square in pair if square) for pair in pairs)

    def mapped(self, matrix: Floats) -> LaidKingdom:
        """The same where a homography takes its corners."""
        there = cv2.perspectiveTransform(np.asarray(self.corners, np.float64).reshape(-1, 1, 2), matrix)
        return replace(self, corners=np.asarray(there.reshape(-1, 2), np.float64))


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture, and the kingdoms in it."""

    picture: Pixels
    kingdoms: tuple[LaidKingdom, ...]

    @property
    def kingdom(self) -> LaidKingdom:
        """The first one."""
        return self.kingdoms[0]

    @property
    def side(self) -> float:
        """Pixels of a square's side."""
        return self.kingdom.grid.side((self.kingdom.columns // 2, self.kingdom.rows // 2))

    def mapped(self, matrix: Floats, size: tuple[int, int], around: tuple[float, ...] | None = None) -> Scene:
        """Seen through a homography, in a picture of so many columns and rows of pixels."""
        border = cv2.BORDER_REPLICATE if around is None else cv2.BORDER_CONSTANT
        warped: Any = cv2.warpPerspective(
            self.picture,
            matrix,
            size,
            flags=cv2.INTER_AREA,
            borderMode=border,
            borderValue=around or (0, 0, 0),
        )
        return Scene(np.asarray(warped, np.uint8), tuple(one.mapped(matrix) for one in self.kingdoms))

    def scaled(self, by: float) -> Scene:
        """As small as that."""
        small: Any = cv2.resize(self.picture, None, fx=by, fy=by, interpolation=cv2.INTER_AREA)
        matrix = np.diag([by, by, 1.0])
        return Scene(np.asarray(small, np.uint8), tuple(one.mapped(matrix) for one in self.kingdoms))


def points_of(squares: Mapping[Cell, Square | None]) -> int:
    """What the properties of a kingdom are worth."""
    kingdom = kingdom_around_castle({cell: one for cell, one in squares.items() if one}, LARGEST)
    return property_points(kingdom) if kingdom else 0


def scene_of(
    picture: Pixels, labels: Mapping[Cell, str], corners: Floats | None, dominoes: Sequence[Domino] = ()
) -> Scene:
    """A labelled photo; without corners it shows nothing but its kingdom."""
    height, width = picture.shape[:2]
    around = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    squares = {cell: _square(label) for cell, label in labels.items()}
    return Scene(picture, (LaidKingdom(squares, around if corners is None else corners, tuple(dominoes)),))


def _square(label: str) -> Square | None:
    return CASTLE if label == "C" else None if label == "-" else parse_square(label)


Table = Callable[[Rng, int, int], Pixels]
"""A table of so many rows and columns of pixels."""


def plain(rng: Rng, height: int, width: int) -> Pixels:
    """Cloth of one colour."""
    return _woven(rng, rng.uniform(30, 220, 3), height, width)


def meadow(rng: Rng, height: int, width: int) -> Pixels:
    """Cloth in the colour of a terrain."""
    return _woven(
        rng, np.array(TERRAIN_COLOURS[sorted(TERRAIN_COLOURS)[rng.integers(5)]], float), height, width
    )


TERRAIN_COLOURS: Mapping[str, tuple[int, int, int]] = {
    "blue": (165, 110, 45),
    "yellow": (50, 185, 225),
    "green": (60, 150, 105),
    "forest": (45, 75, 40),
    "brown": (65, 95, 135),
    "dark": (50, 52, 58),
}
"""Blue, green and red of things that may lie about: lakes, fields, meadows, forests, swamps, mines."""


def _woven(rng: Rng, colour: Any, height: int, width: int) -> Pixels:
    noise = rng.normal(0, 1, (height, width))
    weave = cv2.GaussianBlur(noise, (0, 0), 1.2) * 6 + 2 * np.sin(np.arange(width) * 1.7)
    return clipped(np.asarray(colour) + weave[..., None] + _shade(rng, height, width)[..., None])


def wood(rng: Rng, height: int, width: int) -> Pixels:
    """Boards with grain."""
    grain = cv2.GaussianBlur(rng.normal(0, 1, (height, width)), (0, 0), sigmaX=60, sigmaY=1.1) * 90
    rings = 6 * np.sin(np.arange(height)[:, None] / rng.uniform(9, 20) + grain / 12)
    joints = np.where(np.arange(height) % (height // 5 + 1) < 3, -50, 0)[:, None]
    colour = np.array([(70, 110, 160), (40, 65, 105), (120, 165, 205)][rng.integers(3)])
    return clipped(colour + (grain + rings + joints)[..., None] + _shade(rng, height, width)[..., None])


def lace(rng: Rng, height: int, width: int) -> Pixels:
    """A white net on dark wood."""
    y, x = np.mgrid[:height, :width].astype(np.float32)
    period = rng.uniform(14, 30)
    a, b = (np.sin((x * c + y * s) * np.pi / period) for c, s in ((1, 0.3), (-0.3, 1)))
    threads = (np.abs(a) < 0.25) | (np.abs(b) < 0.25)
    flowers = np.hypot(np.mod(x, 5 * period) - 2.5 * period, np.mod(y, 5 * period) - 2.5 * period)
    petals = (flowers < 1.6 * period) & (np.sin(flowers / period * 9) > 0)
    net = cv2.GaussianBlur((threads | petals).astype(np.float32), (0, 0), 0.8)[..., None]
    return clipped(wood(rng, height, width) * (1 - net) + 232 * net)


def newspaper(rng: Rng, height: int, width: int) -> Pixels:
    """Columns of text, headlines and a grey picture here and there."""
    page = np.full((height, width, 3), (205, 218, 224), np.uint8)
    letters = np.array([*"abcdefghijklmnoprstuvw "])
    wide = max(150, width // 5)
    for left in range(6, width, wide):
        y = 14
        while y < height:
            kind = rng.random()
            if kind < 0.05:
                high = int(rng.integers(50, 120))
                grey = cv2.resize(
                    rng.uniform(40, 220, (5, 6)), (wide - 12, high), interpolation=cv2.INTER_CUBIC
                )
                part = page[y : y + high, left : left + wide - 12]
                part[:] = clipped(grey)[: part.shape[0], : part.shape[1], None]
                y += high + 14
                continue
            size = 1.0 if kind < 0.12 else 0.36
            line = "".join(rng.choice(letters, int((wide - 12) / (20 * size))))
            cv2.putText(page, line, (left, y), cv2.FONT_HERSHEY_COMPLEX, size, (40, 40, 40), 1 + (size == 1))
            y += int(34 * size) + 2
    return clipped(page + _shade(rng, height, width)[..., None])


def _shade(rng: Rng, height: int, width: int) -> Any:
    """Light from one side."""
    across, down = rng.uniform(-14, 14, 2)
    return np.linspace(-across, across, width)[None, :] + np.linspace(-down, down, height)[:, None]


def clipped(levels: Any) -> Pixels:
    return np.asarray(np.clip(levels, 0, 255), np.uint8)


def straightened(scene: Scene, side: int = SIDE) -> Image:
    """The first kingdom from above, upright."""
    kingdom = scene.kingdom
    width, height = kingdom.columns * side, kingdom.rows * side
    there = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(kingdom.corners.astype(np.float32), there)
    return cv2.warpPerspective(scene.picture, matrix, (width, height), flags=cv2.INTER_AREA)


def laid_on(scene: Scene, table: Table, rng: Rng, margin: float = 1.6, turn: float = 6.0) -> Scene:
    """The kingdom on another table, turned a little; places without a piece show that table."""
    return together([scene], table, rng, [(0.0, 0.0)], margin, turn)


def together(
    scenes: Sequence[Scene],
    table: Table,
    rng: Rng,
    at: Sequence[tuple[float, float]],
    margin: float = 1.2,
    turn: float = 3.0,
) -> Scene:
    """Several kingdoms on one table, the first corner of each so many squares right and down."""
    wide = SIDE * (2 * margin + max(x + one.kingdom.columns for one, (x, _y) in zip(scenes, at, strict=True)))
    high = SIDE * (2 * margin + max(y + one.kingdom.rows for one, (_x, y) in zip(scenes, at, strict=True)))
    picture, kingdoms = table(rng, int(high), int(wide)), []
    for scene, (x, y) in zip(scenes, at, strict=True):
        block, known = straightened(scene), scene.kingdom
        middle = np.array([(x + margin) * SIDE, (y + margin) * SIDE]) + np.array(block.shape[1::-1]) / 2
        centre = (block.shape[1] / 2, block.shape[0] / 2)
        by = np.array(cv2.getRotationMatrix2D(centre, rng.uniform(-turn, turn), 1.0), np.float64)
        by[:, 2] += middle - np.array(block.shape[1::-1]) / 2
        matrix = np.vstack([by, (0, 0, 1.0)])
        pieces = np.zeros(block.shape[:2], np.float32)
        for (a, b), square in known.squares.items():
            pieces[b * SIDE : (b + 1) * SIDE, a * SIDE : (a + 1) * SIDE] = square is not None
        size = picture.shape[1::-1]
        mask = cv2.warpPerspective(pieces, matrix, size)[..., None]
        shadow = cv2.GaussianBlur(cv2.warpPerspective(pieces, matrix, size), (0, 0), 4)[..., None] * (
            1 - mask
        )
        laid = cv2.warpPerspective(block, matrix, size)
        picture = clipped(picture * (1 - 0.35 * shadow) * (1 - mask) + laid * mask)
        ends = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * np.array(block.shape[1::-1])
        kingdoms.append(replace(known, corners=ends.astype(np.float64)).mapped(matrix))
    return Scene(picture, tuple(kingdoms))


def without_dominoes(scene: Scene, rng: Rng, count: int) -> Scene:
    """The kingdom with so many dominoes fewer; the picture still shows them until it is laid on a table."""
    known = scene.kingdom
    gone = [known.dominoes[index] for index in rng.permutation(len(known.dominoes))[:count]]
    squares = {**known.squares, **{cell: None for pair in gone for cell in pair}}
    left = tuple(pair for pair in known.dominoes if pair not in gone)
    return replace(scene, kingdoms=(replace(known, squares=squares, dominoes=left),))


def laid_anew(scene: Scene, rng: Rng) -> Scene:
    """Its dominoes in other places of the same kingdom, each a little beside its place and turned a little."""
    block, known = straightened(scene), scene.kingdom
    drawn, squares = block.copy(), dict(known.squares)
    ways: dict[Cell, list[Domino]] = {(1, 0): [], (0, 1): []}
    for pair in known.dominoes:
        first, second = sorted(pair)
        ways[second[0] - first[0], second[1] - first[1]].append((first, second))
    for alike in ways.values():
        for here, there in zip(alike, [alike[i] for i in rng.permutation(len(alike))], strict=True):
            squares |= {to: known.squares[of] for of, to in zip(here, there, strict=True)}
            _moved_piece(block, drawn, here, there[0], rng)
    around = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64) * np.array(block.shape[1::-1])
    return Scene(clipped(drawn), (replace(known, squares=squares, corners=around),))


def _moved_piece(block: Image, drawn: Image, here: tuple[Cell, Cell], to: Cell, rng: Rng) -> None:
    (x, y), (right, low) = here[0], here[1]
    piece = block[y * SIDE : (low + 1) * SIDE, x * SIDE : (right + 1) * SIDE]
    height, width = piece.shape[:2]
    turn = rng.uniform(-3, 3)
    by = np.array(cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0), np.float64)
    by[:, 2] += np.array(to) * SIDE + rng.uniform(-0.04, 0.04, 2) * SIDE
    size = drawn.shape[1::-1]
    inside = np.pad(np.ones((height - 4, width - 4), np.float32), 2)
    mask = cv2.warpAffine(inside, by, size)[..., None]
    drawn[:] = clipped(drawn * (1 - mask) + cv2.warpAffine(piece, by, size) * mask)
