"""The table from above as a picture, of which only what changed is drawn anew.

Wood, mat and marker cards below, pieces and hands on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, hypot, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.mat import Mat
from companion.core.observation import Area, Face, PlacedPiece
from companion.virtual import scene
from companion.virtual.art import Print
from companion.virtual.rasterizer import (
    FLAT,
    HELD,
    PAPER,
    STANDING,
    Box,
    Image,
    Relief,
    Stamp,
    common,
    stamp_face,
    view_of_box,
)
from companion.virtual.scene import ReachingHand

FELT = (128, 111, 95)
"""Blue, green, red of a slate grey-blue, as is the wood a warm brown."""
WOOD = (70, 104, 146)
QUIET_MM = 12
"""White around a marker: without it, it is not found."""
HEM_MM = 14
"""How far the felt reaches beyond the mat, and how far the stitches lie inside its edge."""
MARKER_CELLS = 6
FRACTION_BITS = 4

Grey = NDArray[np.float32]


def ground(mat: Mat, scale: float, margin: float, seed: int, real: Print | None = None) -> Image:
    """The empty table from above, with so many millimetres of it around the mat: a felt on wood, or a real one."""
    width, height = (round((side + 2 * margin) * scale) for side in (mat.width, mat.height))
    if real is not None:
        return real.over(width, height)
    random = np.random.default_rng(seed)
    picture = _wood(random, width, height, scale)
    felt = _felt(random, width, height, scale)
    shape = _mat_shape(mat, scale, margin, width, height)
    shadow = cv2.GaussianBlur(shape, (0, 0), 3 * scale)[..., None]
    picture = picture * (1 - 0.35 * shadow) * (1 - shape[..., None]) + felt * shape[..., None]
    _stitch(picture, mat, scale, margin)
    return np.clip(np.rint(picture), 0, 255).astype(np.uint8)


def _cloud(random: np.random.Generator, width: int, height: int, px: float, stretch: float = 1) -> Grey:
    """Smooth noise with blotches of about so many pixels, around 0."""
    rows, columns = max(2, round(height / px)), max(2, round(width / (px * stretch)))
    grain = random.standard_normal((rows, columns)).astype(np.float32)
    return np.asarray(cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def _felt(random: np.random.Generator, width: int, height: int, scale: float) -> Grey:
    """Wool: fine fibres, a weave one can only just see, and large faint blotches."""
    weave = _cloud(random, width, height, 1.1, 5 * scale) + _cloud(random, height, width, 1.1, 5 * scale).T
    blotches = _cloud(random, width, height, 60 * scale) + _cloud(random, width, height, 9 * scale)
    fibres = random.standard_normal((height, width)).astype(np.float32)
    light = 1 + 0.012 * weave + 0.01 * blotches + 0.012 * fibres
    return np.asarray(light[..., None] * np.array(FELT, np.float32), np.float32)


def _wood(random: np.random.Generator, width: int, height: int, scale: float) -> Grey:
    """Planks along the table."""
    grain = _cloud(random, width, height, 1.6 * scale, 60) + 0.8 * _cloud(
        random, width, height, 9 * scale, 30
    )
    plank = np.arange(height) // max(1, round(95 * scale))
    tone = random.uniform(-0.07, 0.07, int(plank.max()) + 1)[plank].astype(np.float32)[:, None]
    light = 1 + 0.05 * grain + tone
    edges = np.flatnonzero(np.diff(plank))
    light[edges] *= 0.72
    return np.asarray(light[..., None] * np.array(WOOD, np.float32), np.float32)


def _mat_shape(mat: Mat, scale: float, margin: float, width: int, height: int) -> Grey:
    """1 where the felt is."""
    shape = np.zeros((height, width), np.uint8)
    cv2.fillPoly(shape, [_outline(mat, scale, margin, HEM_MM, 24)], (255,), cv2.LINE_AA, FRACTION_BITS)
    return np.asarray(shape, np.float32) / np.float32(255)


def _stitch(picture: Grey, mat: Mat, scale: float, margin: float) -> None:
    """A lighter seam just inside the edge of the felt."""
    seam = np.zeros(picture.shape[:2], np.uint8)
    outline = _outline(mat, scale, margin, HEM_MM - 6, 19)
    cv2.polylines(seam, [outline], True, (255,), max(1, round(1.2 * scale)), cv2.LINE_AA, FRACTION_BITS)
    picture *= 1 + 0.16 * (np.asarray(seam, np.float32) / np.float32(255))[..., None]


def _outline(mat: Mat, scale: float, margin: float, beyond: float, radius: float) -> NDArray[np.int32]:
    """The mat with so much around it and rounded corners, in fractions of a pixel."""
    near, right, bottom = margin - beyond, margin + mat.width + beyond, margin + mat.height + beyond
    middles = (
        (right - radius, bottom - radius),
        (near + radius, bottom - radius),
        (near + radius, near + radius),
        (right - radius, near + radius),
    )
    points = [
        (x + radius * np.cos(turn), y + radius * np.sin(turn))
        for quarter, (x, y) in enumerate(middles)
        for turn in np.radians(np.arange(90 * quarter, 90 * quarter + 91, 10))
    ]
    return np.asarray(np.rint(np.array(points) * scale * 2**FRACTION_BITS), np.int32)


def marker_card(mat: Mat, marker: int) -> Face:
    """A white card with one of the four markers on it."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    cells = cv2.aruco.generateImageMarker(dictionary, marker, MARKER_CELLS)
    cell = mat.marker / MARKER_CELLS * 10
    quiet = QUIET_MM * 10
    side = mat.marker * 10 + 2 * quiet
    black = "".join(
        f"M{quiet + column * cell:g} {quiet + row * cell:g}h{cell:g}v{cell:g}h-{cell:g}z"
        for row in range(MARKER_CELLS)
        for column in range(MARKER_CELLS)
        if not cells[row, column]
    )
    card = f'<rect width="{side:g}" height="{side:g}" rx="30" fill="#f7f5ef"/>'
    return Face(f"marker-{marker}", side / 10, side / 10, f'{card}<path fill="#1d1b1a" d="{black}"/>')


MARGIN = 110.0
"""Millimetres of table around the mat: what a camera that is not quite straight sees of it."""
STANDING_MM = 18.0
"""How high a standing piece is taken to be."""
HELD_MM = 40.0
"""How high a hand holds what it carries."""


@dataclass(frozen=True)
class Viewpoint:
    """Where the table is looked at from, in millimetres; without one everything is seen from straight above."""

    x: float
    y: float
    height: float

    def lean(self, x: float, y: float, rise: float) -> tuple[float, float]:
        """How far beside its foot something that high is seen."""
        part = rise / (self.height - rise)
        return (x - self.x) * part, (y - self.y) * part


@dataclass(frozen=True)
class Drawable:
    """Something that is drawn: a piece, or a part of the house's own."""

    face: Face
    x: float
    y: float
    angle: float = 0
    relief: Relief = FLAT
    rise: float = 0
    over: bool = False
    """Whether it lies on another piece."""


class Renderer:
    """Draws scenes at one size; belongs to one thread."""

    def __init__(self, mat: Mat, scale: float, seed: int = 0, real: Print | None = None) -> None:
        self.scale = scale
        """Pixels per millimetre."""
        self._base = ground(mat, scale, MARGIN, seed, real)
        self._things: tuple[Drawable, ...] = ()
        self._eye: Viewpoint | None = None
        self._everything = (0, 0, self._base.shape[1], self._base.shape[0])
        for marker, (x, y) in mat.middles.items():
            card = self._stamp(Drawable(marker_card(mat, marker), x, y, relief=PAPER))
            card.cast(self._base, self._everything)
            card.lay(self._base, self._everything)
        self._picture = self._base.copy()

    def pixels(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where rows of x and y are on the picture, the middle of the first pixel being 0, 0."""
        return (places + MARGIN) * self.scale - 0.5

    def picture(self, things: Sequence[Drawable], eye: Viewpoint | None = None) -> Image:
        """The table with these things on it; the picture is the renderer's own, and true until the next call."""
        things = tuple(things)
        if eye != self._eye:
            self._things, self._eye = (), eye
            self._picture = self._base.copy()
        for box in self._changed(things):
            self._redraw(things, box)
        self._things = things
        return self._picture

    def _changed(self, things: tuple[Drawable, ...]) -> list[Box]:
        if things == self._things:
            return []
        before, after = set(self._things), set(things)
        moved = [self._stamp(thing).box for thing in before ^ after]
        kept = [thing for thing in self._things if thing in after]
        if kept != [thing for thing in things if thing in before]:
            return [self._everything]
        return _merged(moved)

    def _redraw(self, things: tuple[Drawable, ...], box: Box) -> None:
        clip = common(box, self._everything)
        if clip is None:
            return
        view_of_box(self._picture, clip)[:] = view_of_box(self._base, clip)
        stamps = [(thing, self._stamp(thing)) for thing in things]
        near = [(thing, made) for thing, made in stamps if common(made.box, clip)]
        # Pieces that lie side by side throw no shadow on each other, only on the felt and on what is below them.
        for thing, made in near:
            if not _lifted(thing):
                made.cast(self._picture, clip)
        for thing, made in near:
            if _lifted(thing):
                made.cast(self._picture, clip)
            made.lay(self._picture, clip)

    def _stamp(self, thing: Drawable) -> Stamp:
        x, y = (thing.x + MARGIN) * self.scale, (thing.y + MARGIN) * self.scale
        dx, dy = self._eye.lean(thing.x, thing.y, thing.rise) if self._eye and thing.rise else (0.0, 0.0)
        lean = dx * self.scale, dy * self.scale
        if thing.relief is HELD:  # it hangs in the air: nothing shows between it and the table
            return stamp_face(thing.face, x + lean[0], y + lean[1], thing.angle, self.scale, HELD)
        return stamp_face(thing.face, x, y, thing.angle, self.scale, thing.relief, lean)


def _lifted(thing: Drawable) -> bool:
    return thing.over or thing.relief is not FLAT


def _merged(boxes: Sequence[Box]) -> list[Box]:
    """The same places, those that meet made one, so that nothing is drawn twice."""
    merged: list[Box] = []
    for box in boxes:
        while meeting := next((other for other in merged if common(box, other)), None):
            merged.remove(meeting)
            left, top = min(box[0], meeting[0]), min(box[1], meeting[1])
            box = left, top, max(box[2], meeting[2]), max(box[3], meeting[3])
        merged.append(box)
    return merged


def piece_drawables(lying: Sequence[PlacedPiece], faces: Mapping[str, Face]) -> Iterator[Drawable]:
    """What lies on the table, as things to draw."""
    below: list[tuple[PlacedPiece, Face]] = []
    for piece in lying:
        face = faces[piece.face]
        over = any(_covers(piece, other, size) for other, size in below)
        relief = PAPER if face is scene.NAPKIN else STANDING if face.stands else FLAT
        rise = STANDING_MM if relief is STANDING else 0.0
        yield Drawable(face, piece.x, piece.y, piece.angle, relief, rise, over)
        below.append((piece, face))


def _covers(piece: PlacedPiece, other: PlacedPiece, size: Face) -> bool:
    """Whether a piece's middle lies on the other one."""
    dx, dy = piece.x - other.x, piece.y - other.y
    if hypot(dx, dy) > hypot(size.width, size.height) / 2:
        return False
    c, s = cos(radians(other.angle)), sin(radians(other.angle))
    return abs(dx * c + dy * s) < size.width / 2 and abs(dy * c - dx * s) < size.height / 2


def hand_drawables(hand: ReachingHand, faces: Mapping[str, Face]) -> Iterator[Drawable]:
    """A hand with what it holds."""
    if hand.holding is not None:
        held = hand.holding
        yield Drawable(faces[held.face], held.x, held.y, held.angle, HELD, HELD_MM, True)
    face = scene.hand_face(hand.seed)
    right, down = face.width / 2 - scene.FINGERTIP[0], face.height / 2 - scene.FINGERTIP[1]
    c, s = cos(radians(hand.angle)), sin(radians(hand.angle))
    x, y = hand.x + right * c - down * s, hand.y + right * s + down * c
    yield Drawable(face, x, y, hand.angle, HELD, HELD_MM, True)


def furniture_drawables(lit: tuple[bool, ...], shown: int, places: Sequence[Area]) -> Iterator[Drawable]:
    """Our own tablet and strip of lamps."""
    for face, area in zip((scene.tablet_face(shown), scene.strip_face(lit)), places, strict=True):
        yield Drawable(face, area.x, area.y, area.angle, FLAT)
