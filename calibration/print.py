"""The markers as a page to print and cut out, with the measures of the mat they belong to."""

from __future__ import annotations

from collections.abc import Iterator

from calibration.markers import CELLS, cells
from calibration.mat import Mat

PAGE = (210.0, 297.0)
"""A4, in millimetres."""
QUIET = 12.0
"""White around a marker, to be cut out with it: without it no camera finds the marker."""
TOP, GAP, PLAN = 14.0, 6.0, 130.0
"""Above the cards, between them, and the width of the plan below them."""
RULER = 100.0
LARGEST = 72.0
"""Markers of which four fit on the page."""
INK = 'fill="none" stroke="#555" stroke-width=".3"'


def markers_page(mat: Mat) -> str:
    """One A4 page as SVG: print it at its full size, and check the ruler on it."""
    if not 10 <= mat.marker <= LARGEST:
        raise ValueError(f"markers of {mat.marker:g} mm do not fit on a page: 10 to {LARGEST:g} mm")
    width, height = PAGE
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm"',
            f' viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="5" text-anchor="middle">',
            f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
            *_cards(mat),
            *_plan(mat),
            "</svg>",
        )
    )


def _cards(mat: Mat) -> Iterator[str]:
    """The four markers as they lie on the table, the upper left one in the upper left."""
    side = mat.marker + 2 * QUIET
    left = (PAGE[0] - 2 * side - GAP) / 2
    for marker, (column, row) in zip(mat.ids, ((0, 0), (1, 0), (1, 1), (0, 1)), strict=True):
        x, y = left + column * (side + GAP), TOP + row * (side + GAP)
        yield f'<rect x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}" {INK} stroke-dasharray="2 2"/>'
        yield f'<path fill="#000" d="{_black(mat, marker, x + QUIET, y + QUIET)}"/>'
        yield f'<text x="{x + side / 2:g}" y="{y + side - 3:g}" fill="#555">{marker}</text>'


def _black(mat: Mat, marker: int, left: float, top: float) -> str:
    cell = mat.marker / CELLS
    picture = cells(marker)
    places = ((row, column) for row in range(CELLS) for column in range(CELLS) if not picture[row, column])
    return "".join(
        f"M{left + column * cell:.4f} {top + row * cell:.4f}h{cell:.4f}v{cell:.4f}h-{cell:.4f}z"
        for row, column in places
    )


def _plan(mat: Mat) -> Iterator[str]:
    """Where the markers lie, a ruler, and the measures."""
    scale = PLAN / mat.width
    height = min(mat.height * scale, 62.0)
    scale = height / mat.height
    width = mat.width * scale
    left, top = (PAGE[0] - width) / 2, 2 * (mat.marker + 2 * QUIET) + TOP + GAP + 14
    yield f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" {INK}/>'
    side = mat.marker * scale
    for marker, (x, y) in mat.middles.items():
        cx, cy = left + x * scale, top + y * scale
        yield f'<rect x="{cx - side / 2:g}" y="{cy - side / 2:g}" width="{side:g}" height="{side:g}"/>'
        inward = 1 if x < mat.width / 2 else -1
        yield f'<text x="{cx + inward * (side + 2):g}" y="{cy + 2:g}">{marker}</text>'
    middle = left + width / 2
    yield f'<text x="{middle:g}" y="{top - 3:g}">{mat.width:g} mm</text>'
    yield f'<text x="{left - 14:g}" y="{top + height / 2 + 2:g}">{mat.height:g} mm</text>'
    yield f'<text x="{middle:g}" y="{top + height / 2 + 2:g}">■ {mat.marker:g} mm · ↔ {mat.inset:g} mm ↕</text>'
    ruler, below = (PAGE[0] - RULER) / 2, top + height + 10
    yield f'<path d="M{ruler:g} {below:g}v4h{RULER:g}v-4" {INK}/>'
    yield f'<text x="{PAGE[0] / 2:g}" y="{below + 2:g}">{RULER:g} mm</text>'
