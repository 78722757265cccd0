"""Flat pieces found by their likeness, and by how they stand out from the table and from each other."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from calibration.plane import Pixels
from companion.core.observation import Area
from companion.virtual.rasterizer import rasterize
from companion.vision.gallery.known import DrawnFace, known_pieces
from companion.vision.live.locator import Locator
from companion.vision.live.workspace import HALF, Workspace
from companion.vision.table.foreground import Mask, mask_of
from tests.browser.printed import printed_art, printed_squares
from tests.vision.live.tables import SIGHT

SIDE = 40
LEFT, TOP = 100, 100


@pytest.fixture(scope="module")
def squares(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Pixels]:
    """A printed square of each kind."""
    return dict(printed_squares(printed_art(tmp_path_factory.mktemp("prints") / "art")))


@pytest.fixture(scope="module")
def locator(squares: Mapping[str, Pixels]) -> Locator:
    drawn = (DrawnFace(face, rasterize(face, 3)) for face in SIGHT.faces)
    return Locator(known_pieces(drawn, str, squares.items()))


def row_of(pictures: list[Pixels], squeezed: float = 0) -> Pixels:
    """A picture of the table from above with these squares side by side; so many millimetres of the second lie under
    the others."""
    picture = np.full((240, 400, 3), (90, 120, 150), np.uint8)
    for which in (1, 0, 2):
        if which < len(pictures):
            left = LEFT + which * SIDE - round(squeezed * (which - 1)) * (which != 1)
            small = cv2.resize(pictures[which], (SIDE, SIDE), interpolation=cv2.INTER_AREA)
            picture[TOP : TOP + SIDE, left : left + SIDE] = small
    return cv2.GaussianBlur(picture, (0, 0), 0.7).astype(np.uint8)


def stands_out(*places: tuple[float, float]) -> Mask:
    """255 from one column of the row to another, in sides."""
    areas = [
        Area(LEFT + (start + end) * SIDE / 2, TOP + SIDE / 2, (end - start) * SIDE, SIDE)
        for start, end in places
    ]
    return mask_of(areas, (120, 200), HALF)


def found(locator: Locator, picture: Pixels, foreground: Mask) -> list[str]:
    view = Workspace.of(picture, foreground)
    locator.find(view, [foreground])
    return [one.label for one in sorted(view.lying, key=lambda one: float(one.pose[0]))]


@pytest.mark.parametrize(("part", "labels"), ((1.0, ["l0", "w0"]), (0.4, ["l0", "w0"]), (0.1, ["l0"])))
def test_what_is_plainly_a_piece_may_stand_out_less_from_a_table_of_its_colour(
    locator: Locator, squares: Mapping[str, Pixels], part: float, labels: list[str]
) -> None:
    picture = row_of([squares["l0"], squares["w0"]])

    assert found(locator, picture, stands_out((0, 1 + part))) == labels


def test_what_is_hardly_a_piece_has_to_stand_out(locator: Locator, squares: Mapping[str, Pixels]) -> None:
    faint = cv2.addWeighted(squares["w0"], 0.3, np.full_like(squares["w0"], 120), 0.7, 0)
    noise = np.random.default_rng(1).normal(0, 25, faint.shape)
    odd = np.asarray(np.clip(faint + noise, 0, 255), np.uint8)

    assert found(locator, row_of([squares["l0"], odd]), stands_out((0, 1.4))) == ["l0"]


def test_what_is_plainly_a_piece_may_be_squeezed_between_its_neighbours(
    locator: Locator, squares: Mapping[str, Pixels]
) -> None:
    picture = row_of([squares["l0"], squares["w1"], squares["f0"]], squeezed=4)

    assert found(locator, picture, stands_out((0.1, 2.9))) == ["l0", "w1", "f0"]
