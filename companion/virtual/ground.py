"""What lies under the pieces: a wooden table, a felt mat, and the cards with the markers."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.mat import Mat
from companion.core.observation import Face
from companion.virtual.drawing import Image

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


def ground(mat: Mat, scale: float, margin: float, seed: int) -> Image:
    """The empty table from above, with so many millimetres of it around the mat."""
    width, height = (round((side + 2 * margin) * scale) for side in (mat.width, mat.height))
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
