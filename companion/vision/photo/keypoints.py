"""Single squares found in a photo by keypoints (SIFT) that vote for a place, a size and an angle.

Large pictures are gone through in parts, which keeps memory below 0.1 GB."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.vision.gallery.squares import SquareGallery, Vectors, detector, root_descriptors

KeypointRows = NDArray[np.float64]

PART = 720
"""Pixels of the longest side that is looked at as a whole."""
BESIDE = 96
"""Pixels of its neighbours that each part sees: what describes a point reaches so far."""
EVEN = 32
"""Parts begin at multiples of it, so that each is halved and halved again at the same pixels as the whole."""


def keypoints(picture: Pixels, most: int) -> tuple[KeypointRows, Vectors]:
    """The strongest points of a grey picture, each with x, y, size and angle, and what describes them."""
    found, described = np.zeros((0, 6)), np.zeros((0, 128), np.float32)
    for across in _parts(picture.shape[1]):
        for down in _parts(picture.shape[0]):
            rows, descriptors = _part(picture, across, down, most)
            rows[:, 5] += len(described)
            found, described = np.vstack([found, rows]), np.vstack([described, descriptors])
    best = found[np.argsort(-found[:, 4])[:most]]
    return best[:, :4], described[best[:, 5].astype(int)]


def _part(
    picture: Pixels, across: tuple[int, int], down: tuple[int, int], most: int
) -> tuple[KeypointRows, Vectors]:
    """All points of a part, each with its strength and with where its description is, if it is among the strongest."""
    (left, right), (top, bottom) = across, down
    x, y = max(left - BESIDE, 0), max(top - BESIDE, 0)
    seen = np.ascontiguousarray(picture[y : bottom + BESIDE, x : right + BESIDE])
    keypoints, descriptors = detector(most).detectAndCompute(seen, None)
    if descriptors is None:
        return np.zeros((0, 6)), np.zeros((0, 128), np.float32)
    rows = np.array([(k.pt[0] + x, k.pt[1] + y, k.size, k.angle, k.response, -1) for k in keypoints])
    own = (left <= rows[:, 0]) & (rows[:, 0] < right) & (top <= rows[:, 1]) & (rows[:, 1] < bottom)
    rows, descriptors = rows[own], descriptors[own]
    least = np.sort(rows[:, 4])[-most] if len(rows) > most else -np.inf
    strongest = np.flatnonzero(rows[:, 4] >= least)
    rows[strongest, 5] = np.arange(len(strongest))
    return rows, descriptors[strongest]


def _parts(size: int) -> Iterator[tuple[int, int]]:
    """Where each part begins and ends, without what it sees of its neighbours."""
    count = 1 if size <= PART else -(-size // (PART - 2 * BESIDE - EVEN))
    ends = [round(size * n / count / EVEN) * EVEN for n in range(1, count)]
    yield from zip([0, *ends], [*ends, size], strict=True)


Floats = NDArray[np.float64]

LOOKED_AT = 720
"""Pixels of the longer side of the picture in which points are looked for."""
CLOSELY = 1200
"""The same where the first look was not enough: small squares, or a picture that is not sharp."""
FINER = 3.0
"""How many times a small picture is made larger at most, for points that are as large as its squares are small."""
POINTS = 1800
ALIKE = 0.84
"""Products of descriptors above this may show the same point."""
AT_A_TIME = 500
"""Points compared with all that are known at a time."""
NEAR, SCALE, TURN = 0.25, 0.25, 14.0
"""How far two points may disagree about their square: in sides, in the logarithm of the side, in degrees."""
VOTES = 5
"""Points that have to agree on a square."""
SMALLEST = 14.0
"""Pixels of a side in the picture that is looked at."""


@dataclass(frozen=True, eq=False)
class SquareCandidate:
    """A square of which several points agree."""

    x: float
    """Its middle, in pixels of the picture, as is y."""
    y: float
    side: float
    angle: float
    """Degrees clockwise, to the next quarter turn."""
    within: Floats
    """Where its points are in the square, from -0.5 to 0.5, when turned by the angle."""
    pixels: Floats
    """Where they are in the picture."""

    @property
    def votes(self) -> int:
        return len(self.within)

    def along(self, angle: float) -> SquareCandidate:
        """The same square by the sides that run nearest to an angle."""
        quarters = round((angle - self.angle) / 90)
        x, y = self.within.T
        within = ((x, y), (y, -x), (-x, -y), (-y, x))[quarters % 4]
        return replace(self, angle=self.angle + 90 * quarters, within=np.stack(within, -1))


def candidate_between(corners: Floats) -> SquareCandidate:
    """A square that is known by its four corners, clockwise."""
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    angle = float(np.degrees(np.arctan2(across[1], across[0])))
    quarters = round(angle / 90)
    x, y = corners.mean(axis=0)
    side = float(np.hypot(*across) + np.hypot(*down)) / 2
    edges = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    pixels = np.roll(corners, quarters, axis=0)
    return SquareCandidate(float(x), float(y), side, angle - 90 * quarters, edges, pixels)


@dataclass(frozen=True, eq=False)
class LookedPoints:
    """The points of a picture, as it was looked at."""

    scale: float
    """Pixels in which it was looked at for each of its own."""
    places: KeypointRows
    """Of each point x, y, size and angle, as it was looked at."""
    descriptors: Vectors


def look_at(picture: Pixels, looked_at: int = LOOKED_AT) -> LookedPoints:
    """Its strongest points, so many pixels of its longer side being looked at."""
    longest = max(picture.shape[:2])
    scale = min(1.0, looked_at / longest) if longest > LOOKED_AT else min(FINER, LOOKED_AT / longest)
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    places, descriptors = keypoints(grey, POINTS * looked_at // LOOKED_AT)
    return LookedPoints(scale, places, root_descriptors(descriptors) if len(places) else descriptors)


def find_candidates(points: LookedPoints, gallery: SquareGallery) -> list[SquareCandidate]:
    """Every square that is found by its points, the surest first."""
    found = points.places
    if not len(found) or not len(gallery.places):
        return []
    match, sure = _likest(points.descriptors, gallery.descriptors)
    return [_scaled(seed, points.scale) for seed in _clusters(found[sure], gallery.places[match[sure]])]


def _likest(descriptors: Vectors, known: Vectors) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Which known point each may be, and whether it may; not all at a time, for that would be a hundred megabytes."""
    match, sure = [], []
    for at in range(0, len(descriptors), AT_A_TIME):
        alike = descriptors[at : at + AT_A_TIME] @ known.T
        match.append(alike.argmax(axis=1))
        sure.append(alike.max(axis=1) > ALIKE)
    return np.concatenate(match), np.concatenate(sure)


def _clusters(found: Floats, known: Vectors) -> list[SquareCandidate]:
    side = found[:, 2] / known[:, 2]
    turn = found[:, 3] - known[:, 3]
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    dx, dy = known[:, 0] - 0.5, known[:, 1] - 0.5
    x, y = found[:, 0] - side * (c * dx - s * dy), found[:, 1] - side * (s * dx + c * dy)
    votes = np.stack([x, y, side, turn], -1)
    together = _agree(votes.astype(np.float32))
    used = np.zeros(len(votes), bool)
    seeds: list[SquareCandidate] = []
    for group in sorted(together, key=len, reverse=True):
        members = group[~used[group]]
        if len(members) < VOTES:
            continue
        used[members] = True
        seed = _seed(votes[members], found[members], known[members])
        if seed.side > SMALLEST and all(np.hypot(s.x - seed.x, s.y - seed.y) > 0.5 * s.side for s in seeds):
            seeds.append(seed)
    return seeds


def _agree(votes: Vectors) -> list[NDArray[np.intp]]:
    """Of each vote, which votes are for the same square."""
    x, y, side, turn = votes.T
    near = np.empty((len(votes), len(votes)), bool)
    for row, reach in enumerate((NEAR * side) ** 2):  # all at a time would take ten times as much memory
        near[row] = (x - x[row]) ** 2 + (y - y[row]) ** 2 < reach
    rows, columns = np.nonzero(near)
    turned = np.abs((turn[columns] - turn[rows] + 180) % 360 - 180) < TURN
    large = np.log(np.maximum(side, 1e-3))
    agree = turned & (np.abs(large[columns] - large[rows]) < SCALE)
    ends = np.cumsum(np.bincount(rows[agree], minlength=len(votes)))[:-1]
    return np.split(columns[agree], ends)


def _seed(votes: Floats, found: Floats, known: Vectors) -> SquareCandidate:
    x, y, side = (float(np.median(votes[:, column])) for column in range(3))
    whole = np.exp(1j * np.radians(votes[:, 3])).mean()
    turn = float(np.degrees(np.angle(whole)))
    quarters = round(turn / 90)
    c, s = round(np.cos(np.radians(90 * quarters))), round(np.sin(np.radians(90 * quarters)))
    dx, dy = known[:, 0] - 0.5, known[:, 1] - 0.5
    within = np.stack([c * dx - s * dy, s * dx + c * dy], -1)
    return SquareCandidate(x, y, side, turn - 90 * quarters, np.asarray(within, np.float64), found[:, :2])


def _scaled(seed: SquareCandidate, scale: float) -> SquareCandidate:
    return SquareCandidate(
        seed.x / scale, seed.y / scale, seed.side / scale, seed.angle, seed.within, seed.pixels / scale
    )
