"""The sheet that people print: the four markers in their true size, where each goes, and a ruler to check the
print.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from xml.sax.saxutils import escape

from calibration.markers import MARKER_CELLS, marker_cells
from calibration.mat import Mat
from companion.core.message import Message, Say
from companion.core.message import message as _

WIDTH, HEIGHT = 180, 250
"""Millimetres: within the margins of A4 and of Letter, so that no printer makes it smaller."""
RULER_MM = 100
TOP, GAP = 58.0, 12.0
"""Where the cards begin, and what is between them."""
LETTERS = 84
"""In a line of text."""

CORNERS = (_("upper left"), _("upper right"), _("lower right"), _("lower left"))
"""Of the table as the camera sees it, clockwise like a mat's markers."""


def marker_sheet(table: tuple[float, float], say: Say) -> str:
    """The sheet for a table of that size, in millimetres, as an SVG document."""
    mat = Mat(*table)
    side = 2 * mat.inset
    left = (WIDTH - 2 * side - GAP) / 2
    places = [(x, y) for y in (TOP, TOP + side + GAP) for x in (left, left + side + GAP)]
    upper_left, upper_right, lower_left, lower_right = places
    around = (upper_left, upper_right, lower_right, lower_left)
    cards = "".join(
        _card(mat, marker, f"{say(corner)} · {marker}", *place)
        for marker, corner, place in zip(mat.ids, CORNERS, around, strict=True)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}mm" height="{HEIGHT}mm"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}" font-family="system-ui, sans-serif" fill="#000">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
        f"{_words(mat, say)}{cards}{_ruler(TOP + 2 * side + GAP + 16, say)}</svg>\n"
    )


def _steps(mat: Mat) -> tuple[Message, ...]:
    return (
        _("Print it in its actual size (100 percent), and check the line below with a ruler."),
        _("Cut along the dashed lines."),
        _(
            "Lay every card flat into its own corner of the table, flush with both edges. "
            "All arrows point away from you, to the upper edge of the camera's picture."
        ),
        _(
            "The companion takes the table to measure %(width)s × %(height)s cm from edge to edge. "
            "If it does not, say so on the camera's page.",
            width=f"{mat.width / 10:.4g}",
            height=f"{mat.height / 10:.4g}",
        ),
    )


def _words(mat: Mat, say: Say) -> str:
    heading = escape(say(_("Markers for the table")))
    text = f'<text x="0" y="7" font-size="7" font-weight="700">{heading}</text>'
    y = 16.0
    for number, step in enumerate(_steps(mat), start=1):
        for row, line in enumerate(textwrap.wrap(say(step), LETTERS)):
            mark = (
                f'<text x="0" y="{y:g}" font-size="4" font-weight="700">{number}</text>' if row == 0 else ""
            )
            text += f'{mark}<text x="6" y="{y:g}" font-size="4">{escape(line)}</text>'
            y += 5.2
        y += 1
    return text


def _card(mat: Mat, marker: int, name: str, x: float, y: float) -> str:
    """A card whose edges lie on the mat's edges when it is flush with them."""
    side, rim = 2 * mat.inset, mat.inset - mat.marker / 2
    middle = side / 2
    arrow = f"M{middle:g} 1.6l2.4 3.2h-4.8z"
    return (
        f'<g transform="translate({x:g} {y:g})">'
        f'<rect width="{side:g}" height="{side:g}" fill="none" stroke="#777" stroke-width=".25"'
        ' stroke-dasharray="2 1.5"/>'
        f'<path d="{arrow}"/><path transform="translate({rim:g} {rim:g})" d="{"".join(_black(mat, marker))}"/>'
        f'<text x="{middle:g}" y="{side - 1.8:g}" font-size="3.2" text-anchor="middle">{escape(name)}</text></g>'
    )


def _black(mat: Mat, marker: int) -> Iterator[str]:
    """The black cells, each row's neighbours as one: no printer leaves a hair between them."""
    cell = mat.marker / MARKER_CELLS
    for row, line in enumerate(marker_cells(marker).tolist()):
        column = 0
        while column < MARKER_CELLS:
            first = column
            while column < MARKER_CELLS and line[column] == 0:
                column += 1
            if column > first:
                wide, high = (column - first) * cell, cell + (0.05 if row < MARKER_CELLS - 1 else 0)
                yield f"M{first * cell:.3f} {row * cell:.3f}h{wide:.3f}v{high:.3f}h-{wide:.3f}z"
            column += 1


def _ruler(y: float, say: Say) -> str:
    left = (WIDTH - RULER_MM) / 2
    ticks = "".join(
        f"M{left + mm:g} {y:g}v{-5 if mm % 50 == 0 else -3 if mm % 10 == 0 else -1.5}"
        for mm in range(0, RULER_MM + 1, 5)
    )
    said = escape(say(_("exactly 100 mm, if it was printed in its actual size")))
    return (
        f'<path d="M{left:g} {y:g}h{RULER_MM}{ticks}" fill="none" stroke="#000" stroke-width=".3"/>'
        f'<text x="{WIDTH / 2:g}" y="{y + 5:g}" font-size="3.6" text-anchor="middle">{said}</text>'
    )
