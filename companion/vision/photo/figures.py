"""Figures that stand or lie on the tiles of a photo: whose colour, and where each touches the table.

A tall figure leans over its neighbours in an oblique picture. So every tile is looked at with what is around it, turned
so that what stands there leans up (`views`), and a network says where in it feet are, in which colour and pose.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from calibration.plane import Pixels
from companion.core.game import Colour
from companion.core.observation import Pose
from companion.core.photo import SeenFigure
from companion.vision.gallery.squares import Vectors
from companion.vision.photo.grid import Cell
from companion.vision.photo.keypoints import Floats
from models.registry import load_network

NETWORK = "followers"


POSES = (Pose.STANDS, Pose.LIES, Pose.DISC)
COLOURS = tuple(Colour)
"""What the network tells apart, in its order: feet or none, colours, poses, and two parts of a place."""
CHANNELS = 1 + len(COLOURS) + len(POSES) + 2
USUAL = (Colour.RED, Colour.BLUE, Colour.GREEN, Colour.YELLOW, Colour.BLACK)
"""The colours of most boxes."""


# -- how the picture was taken --------------------------------------------------------------------------------------

SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
FOCALS = np.geomspace(0.6, 2.6, 16)
"""Focal lengths that are tried, in longer sides of the picture: from a wide phone to a zoom."""
USUAL_FOCAL, HELD = 0.9, 0.003
"""The likeliest of them, and how strongly that holds against what rows and columns say."""


def upward(places: Floats, pixels: Floats, size: tuple[int, int]) -> Floats:
    """The point of a picture (homogeneous, with a meaning in its sign) away from which all that stands there leans.

    `pixels` show these places of the table; `size` is the picture's width and height. Pixels are taken to be square,
    and the lens to look through the picture's middle; the focal length is the one by which what is a square on the
    table comes out as one.
    """
    matrix = np.asarray(cv2.findHomography(places, pixels)[0], np.float64)
    ahead = np.sign(np.append(np.mean(places, axis=0), 1) @ matrix[2])
    longer, middle = max(size), np.array(size) / 2
    tried = []
    for focal in FOCALS:
        lens = np.array([(focal * longer, 0, middle[0]), (0, focal * longer, middle[1]), (0, 0, 1)])
        right, down, _ = np.linalg.solve(lens, matrix).T
        long = np.linalg.norm(right), np.linalg.norm(down)
        off = (right @ down / (long[0] * long[1])) ** 2 + np.log(long[0] / long[1]) ** 2
        tried.append((off + HELD * np.log(focal / USUAL_FOCAL) ** 2, tuple(lens @ np.cross(right, down))))
    return np.asarray(np.array(min(tried)[1]) * ahead, np.float64)


@dataclass(frozen=True, eq=False)
class View:
    """How one tile is looked at."""

    cell: Cell
    matrix: Floats
    """2 × 3, from the picture to the view."""
    square: Floats
    """3 × 3, from the picture to the tile, 0 to 1."""
    flat: float
    """How much shorter a tile looks along the way in which figures lean: 1 from straight above, 0 from the side."""

    def pixels(self, places: Floats) -> Floats:
        """Where places of the view are in the picture."""
        turn, shift = self.matrix[:, :2], self.matrix[:, 2]
        return np.asarray((places - shift) @ np.linalg.inv(turn).T, np.float64)

    def places(self, pixels: Floats) -> Floats:
        """Where on the tile pixels of the picture are, 0 to 1 from its upper left."""
        return np.asarray(cv2.perspectiveTransform(pixels[None], self.square)[0], np.float64).reshape(-1, 2)


SEEN = 88
"""Pixels of the side of what the network looks at."""
TILE = 40
"""Pixels of a tile's side in it, across the way in which figures lean."""
STRIDE = 4
"""Pixels from one of the network's places to the next."""


def view_of(cell: Cell, corners: Floats, below: Floats) -> View:
    """A tile with what is around it, as the picture shows it, but turned so that what stands leans up."""
    square = cv2.getPerspectiveTransform(SQUARE.astype(np.float32), np.asarray(corners, np.float32))
    middle = cv2.perspectiveTransform(np.array([[(0.5, 0.5)]]), square)[0, 0]
    across = (corners[1] + corners[2] - corners[0] - corners[3]) / 2
    down = (corners[2] + corners[3] - corners[0] - corners[1]) / 2
    longest, shortest = np.linalg.svd(np.array([across, down]), compute_uv=False).tolist()
    # What leans away from a point before the camera leans towards the same point behind it.
    way = middle * below[2] - below[:2]
    way = way / max(float(np.linalg.norm(way)), 1e-9)
    turn = np.array([(-way[1], way[0]), (-way[0], -way[1])]) * (TILE / max(longest, 1.0))
    matrix = np.column_stack([turn, np.full(2, SEEN / 2) - turn @ middle])
    flat = shortest / max(longest, 1.0)
    return View(cell, matrix, np.asarray(np.linalg.inv(square), np.float64), flat)


def below_board(outlines: Mapping[Cell, Floats], size: tuple[int, int]) -> Floats:
    """The same of a board's picture."""
    cells = np.concatenate([np.array(cell) + SQUARE for cell in outlines])
    pixels = np.concatenate([np.asarray(corners, np.float64) for corners in outlines.values()])
    return upward(cells, pixels, size)


def views(outlines: Mapping[Cell, Floats], below: Floats) -> list[View]:
    """Every tile of a board as the network looks at it."""
    return [view_of(cell, np.asarray(corners, np.float64), below) for cell, corners in outlines.items()]


ACROSS = 12
"""Places of a tile, to each side, by which the light on the board is measured."""
FLAT, FLAT_SPREAD = 0.75, 0.25
"""What is usual for the flatness of tiles in photos."""
EVEN = 4.0
"""Levels below which differences are not made larger."""


def crops(picture: Pixels, seen: Sequence[View], lit: Sequence[View] = ()) -> Vectors:
    """What the network looks at: n × 88 × 88 × 4, without the light's strength and colour, as all tiles show it, these
    and the others that are `lit` with them; last how flat the tile looks, for it tells how far below its middle a
    figure's foot is."""
    smaller: list[Any] = [picture]
    steps = (np.arange(ACROSS) + 0.5) / ACROSS
    inside = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(1, -1, 2)
    last_pixel = np.array(picture.shape[1::-1]) - 1
    levels, cut = [], np.empty((len(seen), SEEN, SEEN, 4), np.float32)
    for view in (*seen, *lit):
        places = cv2.perspectiveTransform(inside, np.linalg.inv(view.square))
        columns, rows = np.clip(places[0], 0, last_pixel).astype(np.intp).T
        levels.append(picture[rows, columns])
    for row, view in enumerate(seen):
        halved = max(0, int(np.log2(1 / max(np.sqrt(abs(np.linalg.det(view.matrix[:, :2]))), 1e-3))))
        while len(smaller) <= halved:
            smaller.append(cv2.resize(smaller[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
        matrix = view.matrix @ np.diag([2.0**halved, 2.0**halved, 1])
        cut[row, ..., 3] = (view.flat - FLAT) / FLAT_SPREAD
        cut[row, ..., :3] = cv2.warpAffine(
            smaller[halved], matrix, (SEEN, SEEN), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    every = np.concatenate(levels).astype(np.float32)
    mean, deviation = every.mean(axis=0), np.maximum(every.std(axis=0), EVEN)
    cut[..., :3] = (cut[..., :3] - mean) / deviation
    return cut


# -- feet -----------------------------------------------------------------------------------------------------------

FOOT = 0.3
"""How sure the network has to be of a foot at least: of rendered ones 95 of 100 are that much, and of the places that
are, 81 of 100 are feet."""
STRANGE = 0.5
"""What a foot in another colour than those that may be there counts."""
DOUBT = 1.4
"""Makes a confidence of what the network says of foot and colour: below 0.61 it is right too seldom to be believed."""
REACH = 0.3
"""How far around a tile its view is believed, in sides of the tile."""
OVER = 0.12
"""How far beside a tile a foot may be, where no other tile is: figures overlap edges, and corners are not exact."""
ONE = 0.17
"""Feet that are nearer to each other than that, in sides of a tile, are one, seen from two tiles."""
CLEAR = 0.75
"""From here on a pose is clear."""


@dataclass(frozen=True, eq=False)
class Foot:
    """What one view says of a figure."""

    pixel: Floats
    heat: float
    """How likely a foot is there."""
    colours: Floats
    poses: Floats
    side: float
    """Pixels of a tile's side there."""


def find_figures(
    picture: Pixels,
    outlines: Mapping[Cell, Floats],
    colours: Collection[Colour] = USUAL,
    *,
    below: Floats | None = None,
    lit: Mapping[Cell, Floats] | None = None,
    least: float = FOOT,
) -> tuple[SeenFigure, ...]:
    """What stands or lies on the tiles of a picture; what is beside them is not told.

    `outlines` holds the corners of each tile in pixels, clockwise from its upper left; `colours` are those that may be
    there. Where it is known better than from these tiles, `below` is the point away from which figures lean; `lit` are
    other tiles in the same light; `least` is how sure the network has to be of a foot.
    """
    if not outlines or not colours:
        return ()
    below = below_board(outlines, picture.shape[1::-1]) if below is None else below
    looked = views(outlines, below)
    told = load_network(NETWORK).run(crops(picture, looked, views(lit or {}, below)))
    feet = [
        foot for view, numbers in zip(looked, told, strict=True) for foot in feet_in(view, numbers, least)
    ]
    there = (foot for foot in together(feet) if _likely(foot, colours, least))
    placed = ((foot, *where) for foot in there if (where := _under(foot.pixel, looked)))
    return tuple(_figure(foot, cell, place, colours) for foot, cell, place in placed)


def feet_in(view: View, numbers: Vectors, least: float = FOOT) -> list[Foot]:
    """The feet on a tile and close around it, by what the network says of each place of its view."""
    heat = 1 / (1 + np.exp(-numbers[0]))
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= least) & (heat >= highest))
    if not len(rows):
        return []
    offsets = numbers[-2:, rows, columns].T
    middles = np.column_stack([columns, rows]) + 0.5
    pixels = view.pixels(np.asarray((middles + offsets) * STRIDE, np.float64))
    places = view.places(pixels)
    side = TILE / float(np.sqrt(abs(np.linalg.det(view.matrix[:, :2]))))
    return [
        Foot(
            pixel,
            float(heat[row, column]),
            _likelihoods(numbers[1 : 1 + len(COLOURS), row, column]),
            _likelihoods(numbers[1 + len(COLOURS) : -2, row, column]),
            side,
        )
        for pixel, place, row, column in zip(pixels, places, rows, columns, strict=True)
        if place.min() >= -REACH and place.max() <= 1 + REACH
    ]


def _likelihoods(numbers: Vectors) -> Floats:
    powers = np.exp(numbers.astype(np.float64) - numbers.max())
    return np.asarray(powers / powers.sum(), np.float64)


def together(feet: Iterable[Foot]) -> Iterator[Foot]:
    """What several views say of the same figure as one."""
    left = sorted(feet, key=lambda foot: -foot.heat)
    while left:
        first = left[0]
        same = [foot for foot in left if np.linalg.norm(foot.pixel - first.pixel) <= ONE * first.side]
        left = [foot for foot in left if all(foot is not one for one in same)]
        weights = np.array([foot.heat for foot in same])
        weights = weights / weights.sum()
        yield replace(
            first,
            pixel=weights @ np.array([foot.pixel for foot in same]),
            colours=weights @ np.array([foot.colours for foot in same]),
            poses=weights @ np.array([foot.poses for foot in same]),
        )


def _likely(foot: Foot, colours: Collection[Colour], least: float) -> bool:
    """Whether it is worth a question: what has a colour that nobody plays is rather a part of a drawing."""
    known = float(sum(foot.colours[COLOURS.index(colour)] for colour in colours))
    return foot.heat * (known + STRANGE * (1 - known)) >= least


def _under(pixel: Floats, looked: Sequence[View]) -> tuple[Cell, tuple[float, float]] | None:
    """On which tile a pixel is, and where on it; None beside the board."""
    inside = []
    for view in looked:
        x, y = view.places(pixel[None])[0].tolist()
        inside.append((min(x, y, 1 - x, 1 - y), view.cell, (min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0))))
    far, cell, place = max(inside)
    return (cell, place) if far >= -OVER else None


def _figure(foot: Foot, cell: Cell, place: tuple[float, float], colours: Collection[Colour]) -> SeenFigure:
    by_colour = dict(zip(COLOURS, foot.colours.tolist(), strict=True))
    order = sorted(colours, key=lambda colour: -by_colour[colour])
    best = int(foot.poses.argmax())
    return SeenFigure(
        cell,
        *place,
        order[0],
        POSES[best] if foot.poses[best] >= CLEAR else Pose.UNCLEAR,
        (foot.heat * by_colour[order[0]]) ** DOUBT,
        order[1] if len(order) > 1 else "",
        (float(foot.pixel[0]), float(foot.pixel[1])),
    )
