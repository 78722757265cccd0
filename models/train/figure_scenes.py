"""Boards with figures on them in pictures made by program: what stands, lies or is a disc, and where its foot is.

Tiles are laid side by side on a ground, figures of an outline of our own are extruded on and beside them, and a camera
looks on from straight above or from far aside. Lengths are in sides of a tile, `x` to the right, `y` towards the
bottom and `z` up from the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.core.game import Colour
from companion.core.observation import Pose
from companion.vision.photo.grid import Cell
from companion.vision.photo.keypoints import Floats
from models.train.augmentation import Rng, in_bad_light

SIDE = 4
"""Tiles of a board's side."""
BESIDE = 1.2
"""How far the ground reaches around the board."""
_NEAR, _FAR = -0.9, SIDE + 0.9
WINDOW = np.array([(_NEAR, _NEAR, 0), (_FAR, _NEAR, 0), (_FAR, _FAR, 0), (_NEAR, _FAR, 0)])
"""What of the table a picture shows."""
MM = 1 / 45
"""A millimetre in sides of a tile."""

PAINTS: Mapping[Colour, tuple[float, float, float, float, float, float]] = {
    Colour.RED: (-8, 8, 0.65, 0.95, 0.45, 0.9),
    Colour.BLUE: (198, 228, 0.55, 0.95, 0.35, 0.85),
    Colour.GREEN: (105, 168, 0.5, 0.95, 0.22, 0.65),
    Colour.YELLOW: (44, 58, 0.6, 0.97, 0.7, 1.0),
    Colour.BLACK: (0, 360, 0.0, 0.35, 0.03, 0.2),
    Colour.GREY: (0, 360, 0.0, 0.12, 0.4, 0.7),
    Colour.WHITE: (30, 60, 0.0, 0.12, 0.85, 1.0),
    Colour.PINK: (322, 345, 0.3, 0.65, 0.75, 1.0),
    Colour.ORANGE: (18, 30, 0.7, 0.95, 0.75, 1.0),
    Colour.PURPLE: (265, 300, 0.35, 0.8, 0.3, 0.65),
}
"""Hue in degrees, saturation and value of painted wood, each from and up to."""
USUAL = (Colour.RED, Colour.BLUE, Colour.GREEN, Colour.YELLOW, Colour.BLACK)
"""The colours of the box; the others are seen once in four times."""

BODY = (
    (0.0, 0.17),
    (0.1, 0.02),
    (0.2, 0.0),
    (0.4, 0.0),
    (0.43, 0.06),
    (0.34, 0.2),
    (0.25, 0.37),
    (0.44, 0.43),
    (0.49, 0.5),
    (0.45, 0.58),
    (0.26, 0.64),
    (0.16, 0.7),
    (0.17, 0.84),
    (0.1, 0.97),
    (0.0, 1.0),
)
"""The right half of somebody with open arms, from between the legs to the head: width and height of 1."""


@dataclass(frozen=True, eq=False)
class Solid:
    """A flat outline made thick: what stands or lies on the table."""

    outline: Floats
    """Its corners in a plane of their own, n × 2, counterclockwise."""
    thick: float
    axes: Floats
    """3 × 3: where the plane's two directions and its thickness point."""
    foot: Floats
    """Where the origin of the plane is on the table: x, y, 0."""
    paint: Floats
    """Blue, green and red, 0 to 255."""
    colour: Colour | None = None
    """None for what is no figure."""
    pose: Pose = Pose.UNCLEAR

    def cap(self, end: float) -> Floats:
        """The outline in space, at the beginning of its thickness (0) or at its end (1)."""
        flat = np.column_stack([self.outline, np.full(len(self.outline), (end - self.begin) * self.thick)])
        return np.asarray(flat @ self.axes + self.foot, np.float64)

    @property
    def begin(self) -> float:
        """What stands has its foot in the middle of its thickness, what lies below it."""
        return 0.5 if self.pose is Pose.STANDS else 0.0


@dataclass(frozen=True, eq=False)
class Camera:
    """How space is seen."""

    matrix: Floats
    """3 × 4, from space to pixels."""
    place: Floats
    """Where it is."""

    def pixels(self, points: Floats) -> Floats:
        """Where points of space (n × 3) are in the picture."""
        seen = np.column_stack([points, np.ones(len(points))]) @ self.matrix.T
        return np.asarray(seen[:, :2] / seen[:, 2:], np.float64)

    def up(self, point: Floats) -> Floats:
        """Which way in the picture what stands there goes up, length 1, or nearly nothing straight below the camera."""
        way = np.diff(self.pixels(np.stack([point, np.add(point, (0, 0, 0.02))])), axis=0)[0]
        return np.asarray(way / max(float(np.linalg.norm(way)), 1e-9), np.float64)


@dataclass(frozen=True, eq=False)
class RenderedBoard:
    """A picture with what is on it."""

    picture: Pixels
    camera: Camera
    corners: Mapping[Cell, Floats]
    """Of each tile in the picture, clockwise from the upper left of the tile's place."""
    figures: tuple[Solid, ...]
    feet: Floats
    """Pixels where each touches the table."""
    shown: NDArray[np.float64]
    """What part of each nothing hides."""


# -- figures ------------------------------------------------------------------------------------------------------


def somebody(rng: Rng, foot: Floats, pose: Pose, colour: Colour) -> Solid:
    """A wooden figure, or a disc, as large as they are made, turned anyhow."""
    turn = rng.uniform(0, 2 * np.pi)
    a, b, z = (np.cos(turn), np.sin(turn), 0.0), (-np.sin(turn), np.cos(turn), 0.0), (0.0, 0.0, 1.0)
    if pose is Pose.DISC:
        round_, thick = rng.uniform(6, 11) * MM, rng.uniform(2.5, 9) * MM
        around = np.linspace(0, 2 * np.pi, 33)[:-1]
        outline = np.column_stack([np.cos(around), np.sin(around)]) * round_
        return Solid(outline, thick, np.array([a, b, z]), foot, paint(rng, colour), colour, pose)
    high = rng.uniform(14.5, 18.5) * MM
    outline = _body(rng) * (high * rng.uniform(0.9, 1.08), high)
    thick = rng.uniform(7.5, 11.5) * MM
    if pose is Pose.LIES:
        outline = outline - (0, high / 2)
        return Solid(outline, thick, np.array([a, b, z]), foot, paint(rng, colour), colour, pose)
    return Solid(outline, thick, np.array([a, z, b]), foot, paint(rng, colour), colour, pose)


def _body(rng: Rng) -> Floats:
    half = np.array(BODY) + rng.normal(0, 0.012, (len(BODY), 2))
    half[[0, -1], 0] = 0
    half[2:4, 1] = 0
    whole = np.concatenate([half, half[-2:0:-1] * (-1, 1)])
    after = np.roll(whole, -1, axis=0)
    smooth = np.stack([0.75 * whole + 0.25 * after, 0.25 * whole + 0.75 * after], axis=1)
    return np.asarray(smooth.reshape(-1, 2), np.float64)


def paint(rng: Rng, colour: Colour) -> Floats:
    """Blue, green and red of wood in that colour."""
    low, high, *rest = PAINTS[colour]
    hue = rng.uniform(low, high) % 360
    saturation, value = rng.uniform(rest[0], rest[1]), rng.uniform(rest[2], rest[3])
    painted = cv2.cvtColor(np.array([[(hue, saturation, value)]], np.float32), cv2.COLOR_HSV2BGR)
    return np.asarray(painted[0, 0] * 255, np.float64)


def _something(rng: Rng, foot: Floats) -> Solid:
    """What is no figure: a box, a die, a stack, a hand's breadth of anything."""
    turn, count = rng.uniform(0, 2 * np.pi), int(rng.integers(3, 9))
    a, b, z = (np.cos(turn), np.sin(turn), 0.0), (-np.sin(turn), np.cos(turn), 0.0), (0.0, 0.0, 1.0)
    around = np.sort(rng.uniform(0, 2 * np.pi, count))
    wide = rng.uniform(0.12, 0.2) if rng.random() < 0.3 else rng.uniform(0.45, 1.2)
    outline = np.column_stack([np.cos(around), np.sin(around)]) * wide * (1, rng.uniform(0.15, 1))
    level = np.array([rng.uniform(10, 245)] * 3) if rng.random() < 0.5 else rng.uniform(0, 255, 3)
    return Solid(outline, rng.uniform(0.02, 0.5), np.array([a, b, z]), foot, level)


def _standing_about(rng: Rng, tiles: Sequence[Cell]) -> Iterator[Solid]:
    """Figures on the tiles and some beside them, none in another one."""
    colours = list(USUAL) if rng.random() < 3 / 4 else list(PAINTS)
    if rng.random() < 0.5:
        colours = [colours[index] for index in rng.permutation(len(colours))[: int(rng.integers(1, 4))]]
    only_discs, feet = rng.random() < 0.15, np.zeros((0, 3))
    for _ in range(int(rng.integers(0, 15))):
        if len(feet) and rng.random() < 0.25:
            foot = feet[rng.integers(len(feet))] + (*rng.normal(0, 0.35, 2), 0)
        elif rng.random() < 0.12 or not tiles:
            foot = np.array([*rng.uniform(-BESIDE, SIDE + BESIDE, 2), 0.0])
        else:
            foot = np.array([*(np.array(tiles[int(rng.integers(len(tiles)))]) + rng.uniform(0, 1, 2)), 0.0])
        if len(feet) and np.linalg.norm(feet - foot, axis=1).min() < 0.24:
            continue
        feet = np.vstack([feet, foot])
        chance = rng.random()
        pose = Pose.DISC if only_discs or chance < 0.1 else Pose.STANDS if chance < 0.6 else Pose.LIES
        yield somebody(rng, foot, pose, colours[int(rng.integers(len(colours)))])


# -- the table ----------------------------------------------------------------------------------------------------


def _table(rng: Rng, size: int) -> Floats:
    """A ground of one colour, of cloth or of planks."""
    if rng.random() < 0.45:
        wood = np.array((30, 60, 110)) * rng.uniform(0.4, 2.2) + rng.normal(0, 12, 3)
    else:
        wood = np.array([rng.uniform(0, 250)] * 3) + rng.normal(0, 25, 3)
    ground: Any = np.zeros((size, size, 3), np.float32) + wood
    for _ in range(int(rng.integers(0, 4))):
        rows, columns = (int(2 ** rng.uniform(1, np.log2(size))) for _ in range(2))
        rough = rng.standard_normal((rows, columns, 1)).astype(np.float32)
        grain = cv2.resize(rough * rng.normal(1, 0.2, 3).astype(np.float32), (size, size))
        ground = ground + grain * abs(rng.normal(0, 10))
    return np.asarray(ground, np.float32)


def _board(rng: Rng, pictures: Pixels, fine: int) -> tuple[Floats, dict[Cell, Floats]]:
    """A ground, `fine` pixels a tile's side, with tiles on it; the corners of each on the table."""
    size = round((SIDE + 2 * BESIDE) * fine)
    ground, tiles = _table(rng, size), {}
    there, drift, gap = (
        rng.choice((0.5, 0.8, 1.0)),
        rng.choice((0.004, 0.015)),
        rng.choice((0.0, 0.01, 0.025)),
    )
    tint = np.array((rng.normal(0, 6), *rng.normal(1, 0.1, 2)))
    for x, y in product(range(SIDE), range(SIDE)):
        if rng.random() > there:
            continue
        tile = np.rot90(pictures[rng.integers(len(pictures))], int(rng.integers(4)))
        tile = cv2.resize(tile, (fine, fine), interpolation=cv2.INTER_AREA).astype(np.float32)
        for _ in range(int(rng.integers(0, 3)) if rng.random() < 0.35 else 0):
            _printed(rng, tile, pictures)
        if rng.random() < 0.12:
            _river(rng, tile)
        if rng.random() < 0.6:
            cv2.rectangle(tile, (0, 0), (fine - 1, fine - 1), tuple(map(float, rng.uniform(0, 200, 3))), 1)
        turn, side = rng.normal(0, drift), (1 - gap) / 2
        c, s = np.cos(turn), np.sin(turn)
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side @ np.array([(c, s), (-s, c)])
        corners = np.add(corners, (x + 0.5, y + 0.5)) + rng.normal(0, drift, 2)
        tiles[x, y] = corners
        flat = np.array([(0, 0), (fine, 0), (fine, fine), (0, fine)], np.float32)
        matrix = cv2.getPerspectiveTransform(flat, ((corners + BESIDE) * fine).astype(np.float32))
        cv2.warpPerspective(tile, matrix, (size, size), ground, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    tinted = cv2.cvtColor(np.clip(ground, 0, 255) / 255, cv2.COLOR_BGR2HSV)
    tinted = np.clip(tinted * (1, tint[1], tint[2]) + (tint[0], 0, 0), 0, (360, 1, 1)).astype(np.float32)
    return np.asarray(cv2.cvtColor(tinted, cv2.COLOR_HSV2BGR) * 255, np.float32), tiles


def _printed(rng: Rng, tile: Floats, pictures: Pixels) -> None:
    """Something more is printed on a tile: a part of another one, lighter or darker, in any outline."""
    fine, whole = len(tile), pictures[rng.integers(len(pictures))]
    large = int(rng.uniform(0.15, 0.5) * fine)
    y, x = rng.integers(0, len(whole) // 2, 2)
    part = cv2.resize(np.rot90(whole[y : y + len(whole) // 2, x : x + len(whole) // 2]), (large, large))
    mask, count = np.zeros((large, large), np.float32), int(rng.integers(3, 9))
    around, away = np.sort(rng.uniform(0, 2 * np.pi, count)), rng.uniform(0.2, 0.5, count) * large
    outline = np.column_stack([np.cos(around) * away, np.sin(around) * away]) + large / 2
    cv2.fillPoly(mask, [outline.astype(np.int32)], 1.0, cv2.LINE_AA)
    y, x = rng.integers(0, fine - large, 2)
    place = tile[y : y + large, x : x + large]
    changed = part * rng.uniform(0.2, 1.2) + rng.normal(0, 15, 3)
    place[:] = np.clip(place * (1 - mask[..., None]) + changed * mask[..., None], 0, 255)


def _river(rng: Rng, tile: Floats) -> None:
    """A winding band, or a lake, of one unquiet colour: tiles of boxes that nobody here has have them."""
    fine = len(tile)
    mask: Any = np.zeros((fine, fine), np.float32)
    way = rng.uniform(0, 2 * np.pi)
    along = np.linspace(-0.8, 0.8 if rng.random() < 0.7 else 0.0, 30)
    bend = np.cumsum(np.cumsum(rng.normal(0, 0.012, 30)))
    c, s = np.cos(way), np.sin(way)
    course = (np.column_stack([along, bend + rng.normal(0, 0.1)]) @ np.array([(c, s), (-s, c)]) + 0.5) * fine
    for point, wide in zip(
        course, np.interp(np.arange(30), np.arange(0, 30, 5), rng.uniform(0.04, 0.13, 6)), strict=True
    ):
        cv2.circle(
            mask, tuple(np.rint(point).astype(int).tolist()), max(1, round(wide * fine)), 1.0, -1, cv2.LINE_AA
        )
    mask = cv2.GaussianBlur(mask, (0, 0), 0.8)[..., None]
    blue = np.array((200, 175, 160)) * rng.uniform(0.5, 1.2) + rng.normal(0, 25, 3)
    rough = rng.standard_normal((fine // 4, fine // 4)).astype(np.float32)
    water = blue + cv2.resize(rough, (fine, fine))[..., None] * rng.uniform(3, 30)
    tile[:] = np.clip(tile * (1 - mask) + water * mask, 0, 255)


# -- the camera ---------------------------------------------------------------------------------------------------


def camera_for(tilt: float, turn: float, roll: float, focal: float, px: float, aside: Floats) -> Camera:
    """One that is tilted so many radians from straight down and shows the board's middle `aside` of its own middle, in
    pixels, `px` for a tile's side there; the board is turned below it. The board's middle is at pixel 0, 0."""
    c, s = np.cos(tilt), np.sin(tilt)
    flat = np.array([(1, 0, 0), (0, c, -s), (0, -s, -c)])
    c, s = np.cos(roll), np.sin(roll)
    looks = np.array([(c, -s, 0), (s, c, 0), (0, 0, 1)]) @ flat
    c, s = np.cos(turn), np.sin(turn)
    looks = looks @ np.array([(c, -s, 0), (s, c, 0), (0, 0, 1)])
    away = looks.T @ np.array([aside[0] / focal, aside[1] / focal, 1.0]) * (focal / px)
    middle = np.array([SIDE / 2, SIDE / 2, 0.0])
    place = np.asarray(middle - away, np.float64)
    lens = np.array([(focal, 0, -aside[0]), (0, focal, -aside[1]), (0, 0, 1.0)])
    return Camera(lens @ np.column_stack([looks, -looks @ place]), place)


def _any_camera(rng: Rng, px: float) -> Camera:
    while True:
        tilt = np.radians(rng.uniform(0, 25) if rng.random() < 0.3 else rng.uniform(0, 66))
        across = px * rng.uniform(6, 16)
        aside = rng.uniform((-0.45, -0.35), (0.45, 0.35)) * across
        camera = camera_for(
            tilt, rng.uniform(0, 2 * np.pi), rng.normal(0, 0.08), across * rng.uniform(0.65, 1.7), px, aside
        )
        seen = camera.place - (SIDE / 2, SIDE / 2, 0)
        if seen[2] / np.linalg.norm(seen) > np.cos(np.radians(71)):
            return camera


# -- drawing ------------------------------------------------------------------------------------------------------

_FIXED = 4
"""Bits of a pixel's part to which corners are drawn."""


def _filled(canvas: Any, outlines: Floats, colour: Any) -> None:
    """Each of the outlines (n × corners × 2) in a colour."""
    for outline in np.rint(outlines * (1 << _FIXED)).astype(np.int32):
        cv2.fillPoly(canvas, [outline], colour, cv2.LINE_AA, _FIXED)


@dataclass(frozen=True, eq=False)
class _Light:
    towards: Floats
    """Where it comes from, length 1."""
    even: float
    """What part of it comes from everywhere."""

    gloss: float
    """Levels of it that varnish mirrors, and how narrowly."""
    narrow: float

    def on(self, paint: Floats, normal: Floats, eye: Floats) -> Floats:
        """How a side looks from where the eye is: brighter where it faces the light, whiter where it mirrors it."""
        mirrored = self.towards + eye / max(float(np.linalg.norm(eye)), 1e-9)
        white = max(0.0, float(normal @ mirrored) / max(float(np.linalg.norm(mirrored)), 1e-9)) ** self.narrow
        shade = self.even + (1 - self.even) * max(0.0, float(normal @ self.towards))
        return np.asarray(paint * shade + self.gloss * white, np.float64)


def _shadow(mask: Any, camera: Camera, solid: Solid, light: _Light) -> None:
    def cast(points: Floats) -> Floats:
        return np.asarray(points - points[:, 2:] / light.towards[2] * light.towards, np.float64)

    low, high = camera.pixels(cast(solid.cap(0))), camera.pixels(cast(solid.cap(1)))
    _filled(mask, np.stack([low, np.roll(low, -1, axis=0), np.roll(high, -1, axis=0), high], axis=1), 1.0)
    _filled(mask, low[None], 1.0)
    _filled(mask, high[None], 1.0)


def _drawn(
    rng: Rng, picture: Floats, owner: Any, number: int, camera: Camera, solid: Solid, light: _Light
) -> float:
    """Draw one and say how many pixels it takes; `owner` holds the number of what is in front at each pixel."""
    caps = solid.cap(0), solid.cap(1)
    low, high = (camera.pixels(cap) for cap in caps)
    both = np.vstack([low, high])
    left, top = np.maximum(np.floor(both.min(axis=0)).astype(int) - 2, 0)
    right, bottom = np.minimum(np.ceil(both.max(axis=0)).astype(int) + 3, picture.shape[1::-1])
    if right - left < 3 or bottom - top < 3:
        return 0.0
    layer: Any = np.zeros((bottom - top, right - left, 3), np.float32)
    mask: Any = np.zeros(layer.shape[:2], np.float32)
    corner, count = np.array((left, top)), len(low)
    facing = float((camera.place - caps[1][0]) @ solid.axes[2]) > 0
    after = np.roll(np.arange(count), -1)
    normals = np.cross(caps[0][after] - caps[0], solid.axes[2]) * np.sign(np.linalg.det(solid.axes))
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    towards = camera.place - (caps[0] + caps[1][after]) / 2
    far = np.linalg.norm(towards, axis=1)
    quads = np.stack([low, low[after], high[after], high], axis=1) - corner
    _filled(mask, quads, 1.0)
    for side in np.argsort(-far):
        if normals[side] @ towards[side] > 0:
            _filled(layer, quads[side][None], tuple(light.on(solid.paint, normals[side], towards[side])))
    cap, normal = (high, solid.axes[2]) if facing else (low, -solid.axes[2])
    front = light.on(solid.paint, normal, camera.place - solid.foot)
    _filled(layer, (cap - corner)[None], tuple(front))
    _filled(mask, (cap - corner)[None], 1.0)
    if rng.random() < 0.6:
        edge = tuple(front * rng.uniform(0.7, 1.5) + rng.uniform(0, 20))
        points = np.rint((cap - corner) * (1 << _FIXED)).astype(np.int32)
        cv2.polylines(layer, [points], True, edge, 1, cv2.LINE_AA, _FIXED)
    rough = rng.standard_normal((int(rng.integers(2, 12)), int(rng.integers(2, 12)))).astype(np.float32)
    grain = cv2.resize(rough, (layer.shape[1], layer.shape[0]))[..., None]
    layer = layer * (1 + grain * rng.uniform(0, 0.14))
    if rng.random() < 0.4:
        shine = rng.standard_normal((3, 3)).astype(np.float32)
        layer = layer + cv2.resize(np.maximum(shine, 0), (layer.shape[1], layer.shape[0]))[
            ..., None
        ] * rng.uniform(5, 70)
    there = mask[..., None]
    place = picture[top:bottom, left:right]
    place[:] = place * (1 - there) + layer * there
    owner[top:bottom, left:right][mask > 0.5] = number
    return float((mask > 0.5).sum())


def _sides(rng: Rng, picture: Floats, tiles: Mapping[Cell, Floats], camera: Camera) -> None:
    """The cardboard's thickness, where no other tile is before it."""
    colour, thick = rng.uniform(40, 235) * np.exp(rng.normal(0, 0.06, 3)), rng.uniform(1, 2.5) * MM
    for (x, y), square in tiles.items():
        for edge, beside in enumerate(((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))):
            start, end = square[edge], square[(edge + 1) % 4]
            outwards = np.array([end[1] - start[1], start[0] - end[0]])
            if beside not in tiles and outwards @ (camera.place[:2] - start) > 0:
                points = np.array([(*start, 0), (*end, 0), (*end, -thick), (*start, -thick)])
                _filled(picture, camera.pixels(points)[None], tuple(colour * rng.uniform(0.8, 1.1)))


def scene(rng: Rng, sets: Sequence[Pixels]) -> RenderedBoard:
    """A board of the tiles (n × side × side × 3) of one of these sets with figures, in a bad photo."""
    while True:
        pictures = sets[int(rng.integers(len(sets)))]
        px = float(np.exp(rng.uniform(np.log(26), np.log(110))))
        board, tiles = _board(rng, pictures, round(np.clip(px * 1.1, 40, 96)))
        figures = list(_standing_about(rng, list(tiles)))
        if rng.random() < 0.2:
            places = rng.uniform(-BESIDE, SIDE + BESIDE, (int(rng.integers(1, 4)), 2))
            figures += [_something(rng, np.array([*place, 0.0])) for place in places]
        seen = pictured(rng, board, tiles, figures, _any_camera(rng, px))
        if (seen.picture.min(axis=2) > WHITE).mean() < BLINDED and seen.picture.std() > FAINT:
            return seen


WHITE, BLINDED, FAINT = 245, 0.2, 6.0
"""Where more of a picture is white, or its levels differ by less, there is nothing to learn."""


def pictured(
    rng: Rng,
    board: Floats,
    tiles: Mapping[Cell, Floats],
    figures: Sequence[Solid],
    camera: Camera,
    bad: bool = True,
) -> RenderedBoard:
    """What a camera sees of a board, and of what is on it."""
    fine = len(board) / (SIDE + 2 * BESIDE)
    far = SIDE + BESIDE
    rim = np.array([(-BESIDE, -BESIDE, 0), (far, -BESIDE, 0), (far, far, 0), (-BESIDE, far, 0)])
    seen = camera.pixels(rim)
    inner = camera.pixels(WINDOW)
    shift = np.floor(inner.min(axis=0))
    moved = np.array([(1, 0, -shift[0]), (0, 1, -shift[1]), (0, 0, 1.0)])
    camera = replace(camera, matrix=moved @ camera.matrix)
    width, height = np.ceil(np.ptp(inner, axis=0)).astype(int).tolist()
    flat = (rim[:, :2] + BESIDE) * fine
    matrix = cv2.getPerspectiveTransform(flat.astype(np.float32), (seen - shift).astype(np.float32))
    picture: Any = cv2.warpPerspective(
        board, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    _sides(rng, picture, tiles, camera)
    lights = [_any_light(rng) for _ in range(1 if rng.random() < 0.7 else 2)]
    for light in lights:
        mask = np.zeros((height, width), np.float32)
        for one in figures:
            _shadow(mask, camera, one, light)
        soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.4, 5))
        picture = picture * (1 - soft[..., None] * rng.uniform(0.05, 0.65) / len(lights))
    order = sorted(
        range(len(figures)), key=lambda index: -float(np.linalg.norm(camera.place - figures[index].foot))
    )
    owner, sizes = np.full((height, width), -1), np.zeros(len(figures))
    for index in order:
        sizes[index] = _drawn(rng, picture, owner, index, camera, figures[index], lights[0])
    shown = np.array([(owner == index).sum() for index in range(len(figures))]) / np.maximum(sizes, 1)
    if bad and rng.random() < 0.3:  # the shadow of somebody, or of a glass
        rough = rng.standard_normal((4, 4)).astype(np.float32)
        shade = np.clip(cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC) * 3, 0, 1)
        picture = picture * (1 - shade[..., None] * rng.uniform(0, 0.6))
    people = [index for index, one in enumerate(figures) if one.colour]
    feet = np.array([figures[index].foot for index in people]).reshape(-1, 3)
    corners = {cell: camera.pixels(np.column_stack([square, np.zeros(4)])) for cell, square in tiles.items()}
    picture = np.asarray(picture, np.float32)
    return RenderedBoard(
        _photo(rng, picture) if bad else np.clip(picture, 0, 255).astype(np.uint8),
        camera,
        corners,
        tuple(figures[index] for index in people),
        camera.pixels(feet) if people else np.zeros((0, 2)),
        shown[people],
    )


def _photo(rng: Rng, picture: Floats) -> Pixels:
    """As cameras make pictures: the dark darker, colours stronger, edges sharper, and two of three in bad light."""
    seen: Any = picture
    if rng.random() < 0.5:
        dark = rng.uniform(0, 45)
        seen = np.maximum(seen - dark, 0) * (255 / (255 - dark))
    if rng.random() < 0.5:
        grey = seen.mean(axis=2, keepdims=True)
        seen = np.maximum(grey + (seen - grey) * rng.uniform(1, 1.7), 0)
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.7, 2))
        seen = seen + (seen - soft) * rng.uniform(0.2, 1.2)
    if rng.random() < 2 / 3:
        return in_bad_light(rng, seen.astype(np.float32))
    lit = seen * np.exp(rng.normal(0, 0.15, 3)) + rng.normal(0, rng.uniform(0, 4), seen.shape)
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def _any_light(rng: Rng) -> _Light:
    turn, high = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(25, 88))
    towards = np.array([np.cos(turn) * np.cos(high), np.sin(turn) * np.cos(high), np.sin(high)])
    gloss = rng.uniform(0, 190) if rng.random() < 0.7 else 0.0
    return _Light(towards, rng.uniform(0.35, 0.85), gloss, rng.uniform(3, 30))
