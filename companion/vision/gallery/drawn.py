"""The known faces, prepared to be compared with what is seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import pi

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pixels
from companion.core.observation import Face
from companion.vision.poses import cut_crops, grid

Crops = NDArray[np.float32]
"""Pictures of one size: which one, row, column, colour."""
Vectors = NDArray[np.float32]
Masks = NDArray[np.bool_]

FINE, COARSE = 1.0, 2.0
"""Millimetres from one cell of a crop to the next."""
TRIM = 2.0
"""Millimetres left out along a face's edge, where its neighbours and its shadow look in."""
TINT = 0.6
"""How much a crop's own colour weighs beside what is drawn on it."""
FAINT = 0.3
"""A crop with less contrast than this part of the faces' own is never made to look like more."""
PLAIN = 4.0
"""Levels below which a drawing is none: a counter of one colour."""
SOFT_MM = 0.55
"""How far a camera blurs."""


@dataclass(frozen=True, eq=False)
class DrawnFace:
    """A face as the game draws it."""

    face: Face
    picture: Pixels
    """Blue, green, red and how much of it is there, some pixels for each millimetre."""


@dataclass(frozen=True, eq=False)
class Templates:
    """All faces of one shape, in every way they can lie in an upright crop."""

    step: float
    labels: tuple[str, ...]
    turns: NDArray[np.float64]
    """By how much each is turned clockwise."""
    pictures: Crops
    mask: NDArray[np.bool_]
    """The cells that belong to the face."""
    stands: bool = False

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return self.pictures.shape[2], self.pictures.shape[1]

    @cached_property
    def faint(self) -> float:
        """The contrast below which a crop counts as faint."""
        return float(np.median(np.linalg.norm(light_free(self.pictures, self.mask), axis=1))) * FAINT

    @cached_property
    def vectors(self) -> Vectors:
        found = light_free(self.pictures, self.mask)
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)

    def scores(self, crops: Crops, seen: Masks | None = None) -> Vectors:
        """How much each crop (row) looks like each template (column) in the cells that are seen: 1 is the same, 0 has
        nothing to do with it."""
        if seen is not None and not self._all(seen):
            return self._partly(crops, seen)
        found = light_free(crops, self.mask)
        norms = np.maximum(np.linalg.norm(found, axis=1, keepdims=True), self.faint)
        return np.asarray((found / norms) @ self.vectors.T, np.float32)

    def likeness(
        self, crops: Crops, rows: NDArray[np.intp], seen: Masks | None = None
    ) -> NDArray[np.float64]:
        """How much each crop looks like one template of its own."""
        if seen is not None and not self._all(seen):
            return np.asarray(self._partly(crops, seen)[np.arange(len(rows)), rows], np.float64)
        found = light_free(crops, self.mask)
        norms = np.maximum(np.sqrt(np.einsum("ij,ij->i", found, found)), self.faint)
        return np.asarray(np.einsum("ij,ij->i", found, self.vectors[rows]) / norms, np.float64)

    def _all(self, seen: Masks) -> bool:
        return bool(np.count_nonzero(seen) == len(seen) * np.count_nonzero(self.mask))

    def _partly(self, crops: Crops, seen: Masks) -> Vectors:
        """The scores of crops of which only some cells are seen; the templates are compared in the same cells."""
        weights = seen.reshape(len(seen), -1).astype(np.float32)
        cells = weights.sum(axis=1)[:, None]
        floor = self.faint * np.sqrt(cells / np.count_nonzero(self.mask))
        found = crops.reshape(len(crops), -1, 3)
        found = (found - _shift(np.einsum("pi,pic->pc", weights, found) / cells)[:, None]) * weights[
            ..., None
        ]
        flat, squares = self._flat
        means = np.stack([weights @ flat[..., colour].T for colour in range(3)], -1) / cells[..., None]
        shift = _shift(means)
        known = weights @ squares.T + cells * (shift * (shift - 2 * means)).sum(axis=2)
        alike = found.reshape(len(crops), -1) @ flat.reshape(len(flat), -1).T
        alike -= np.einsum("prc,pc->pr", shift, found.sum(axis=1))
        own = np.maximum(np.sqrt(np.einsum("pic,pic->p", found, found))[:, None], floor)
        return np.asarray(alike / (own * np.maximum(np.sqrt(np.maximum(known, 0)), floor)), np.float32)

    @cached_property
    def _flat(self) -> tuple[Vectors, Vectors]:
        """The cells of each template, and the sum of their squares over the colours."""
        flat = self.pictures.reshape(len(self.pictures), -1, 3)
        return flat, np.asarray((flat**2).sum(axis=2), np.float32)

    def structure(
        self, crops: Crops, rows: NDArray[np.intp], mask: Masks | None = None
    ) -> NDArray[np.float64]:
        """The same for the drawing alone, without its colour and without what slowly changes across it."""
        there = self.mask if mask is None else mask
        found, known = (_drawing(some, there) for some in (crops, self.pictures[rows]))
        norms = np.linalg.norm(known, axis=1)
        seen = np.maximum(np.linalg.norm(found, axis=1), norms * FAINT)
        return np.asarray(np.einsum("ij,ij->i", found, known) / (norms * seen + 1e-6), np.float64)

    def plain(self, row: int) -> bool:
        """Whether this template is of one colour, with nothing drawn on it."""
        return bool(self._strength[row] < PLAIN)

    @cached_property
    def _strength(self) -> Vectors:
        """How many levels each drawing differs from its plane."""
        drawn = _drawing(self.pictures, self.mask)
        return np.asarray(np.sqrt((drawn**2).mean(axis=1)), np.float32)

    def contrast(self, crops: Crops, rows: NDArray[np.intp], mask: Masks) -> NDArray[np.float64]:
        """How strong each crop's drawing is beside that of its template."""
        found, known = (np.linalg.norm(_drawing(some, mask), axis=1) for some in (crops, self.pictures[rows]))
        return np.asarray(found / (known + 1e-6), np.float64)

    @cached_property
    def slopes(self) -> Crops:
        """How each template's cells change when it moves right, down, or turns by a radian: template, cell, which."""
        across = np.gradient(self.pictures, self.step, axis=2)
        down = np.gradient(self.pictures, self.step, axis=1)
        around = grid(*self.size, self.step).reshape(*self.mask.shape, 1, 2)
        turning = down * around[..., 0] - across * around[..., 1]
        every = np.stack([across, down, turning], -1) * self.mask[..., None, None]
        return np.asarray(every.reshape(len(self.labels), -1, 3), np.float32)


def light_free(crops: Crops, mask: NDArray[np.bool_]) -> Vectors:
    """A crop as numbers that do not change with the strength of the light."""
    cells = crops.reshape(len(crops), -1, 3) if mask.all() else crops[:, mask]
    mean = (np.ones(cells.shape[1], np.float32) @ cells / cells.shape[1])[:, None]
    return np.asarray((cells - _shift(mean)).reshape(len(crops), -1), np.float32)


def _shift(mean: Vectors) -> Vectors:
    """What is taken from cells of this mean colour: all of its brightness, and a part of its tint."""
    return np.asarray(mean - (mean - mean.mean(axis=-1, keepdims=True)) * np.float32(TINT), np.float32)


def _drawing(crops: Crops, mask: NDArray[np.bool_]) -> Vectors:
    """A crop without the plane that its levels lie on, for each colour."""
    rows, columns = np.nonzero(mask)
    basis, _ = np.linalg.qr(np.stack([np.ones(len(rows)), columns, rows], -1))
    basis = basis.astype(np.float32)
    cells = crops[:, mask]
    return np.asarray((cells - basis @ (basis.T @ cells)).reshape(len(crops), -1), np.float32)


@dataclass(frozen=True, eq=False)
class FaceShape:
    """Faces that only differ in what is drawn on them."""

    faces: tuple[DrawnFace, ...]
    _softer: dict[float, Templates] = field(default_factory=dict, repr=False)

    @property
    def face(self) -> Face:
        return self.faces[0].face

    @property
    def stands(self) -> bool:
        return self.face.stands

    @property
    def width(self) -> float:
        return self.face.width

    @property
    def height(self) -> float:
        return self.face.height

    @property
    def fill(self) -> float:
        """How much of its footprint's rectangle it covers."""
        return pi / 4 if self.face.round else 1.0

    @property
    def quarters(self) -> tuple[int, ...]:
        """The quarter turns in which a face fills the same crop."""
        if self.face.round or self.stands:
            return (0,)
        return (0, 1, 2, 3) if self.width == self.height else (0, 2)

    @property
    def sides(self) -> tuple[float, ...]:
        """The turns in which a crop of this shape must be taken to see every way it can lie along an axis."""
        return (0.0,) if self.width == self.height or self.face.round else (0.0, 90.0)

    @cached_property
    def coarse(self) -> Templates:
        return self._templates(COARSE, max(SOFT_MM, COARSE * 0.4), self.quarters)

    @cached_property
    def fine(self) -> Templates:
        return self._templates(FINE, SOFT_MM, self.quarters)

    def prepare(self) -> None:
        """Work out now what the first look would have to wait for."""
        for templates in (self.coarse, self.fine):
            templates.scores(templates.pictures)
        self.fine.likeness(self.fine.pictures[:1], np.array([0]))
        _ = self.fine.slopes

    def softened(self, millimetres: float) -> Templates:
        """The faces, upright first, in the pictures of a camera that blurs so much."""
        if millimetres not in self._softer:
            self._softer[millimetres] = self._templates(FINE, millimetres, self.quarters)
        return self._softer[millimetres]

    def _templates(self, step: float, soft: float, quarters: tuple[int, ...]) -> Templates:
        trim = min(TRIM, self.width / 12) if not self.stands else 0.0
        size = int((self.width - 2 * trim) / step + 0.01), int((self.height - 2 * trim) / step + 0.01)
        crops = [_crop(drawn, size, step, soft) for drawn in self.faces]
        mask = np.min([crop[..., 3] for crop in crops], axis=0) > 0.6
        if not self.stands and not mask.all():
            mask = cv2.erode(np.pad(mask, 1).astype(np.uint8), np.ones((3, 3), np.uint8))[1:-1, 1:-1] > 0
        pictures = [np.rot90(crop[..., :3], -quarter) for crop in crops for quarter in quarters]
        return Templates(
            step,
            tuple(drawn.face.label for drawn in self.faces for _ in quarters),
            np.array([90.0 * quarter for _ in self.faces for quarter in quarters]),
            np.ascontiguousarray(np.stack(pictures), np.float32),
            mask,
            self.stands,
        )


def _crop(drawn: DrawnFace, size: tuple[int, int], step: float, soft: float) -> Crops:
    """A drawn face as a camera would see it from straight above; its fourth channel is 1 where the face is."""
    px_per_mm = drawn.picture.shape[1] / drawn.face.width
    flat = drawn.picture.astype(np.float32)
    cover = flat[..., 3:] / 255
    ground = (flat[..., :3] * cover).sum((0, 1)) / np.maximum(cover.sum(), 1)
    flat = np.concatenate([flat[..., :3] * cover + ground * (1 - cover), cover * 255], axis=2)
    blurred = cv2.GaussianBlur(flat, (0, 0), soft * px_per_mm)
    pose = np.array([[drawn.face.width / 2, drawn.face.height / 2, 0.0]])
    crop = cut_crops(np.clip(np.rint(blurred), 0, 255).astype(np.uint8), pose, size, step, px_per_mm)[0]
    return np.asarray(crop.astype(np.float32) / (1, 1, 1, 255), np.float32)


def shapes_of(drawn: Iterable[DrawnFace]) -> Sequence[FaceShape]:
    """The faces by shape, in the order in which they came."""
    groups: dict[tuple[float, float, bool, bool], list[DrawnFace]] = {}
    for one in drawn:
        face = one.face
        groups.setdefault((face.width, face.height, face.round, face.stands), []).append(one)
    return tuple(FaceShape(tuple(group)) for group in groups.values())
