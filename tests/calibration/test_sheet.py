"""The sheet of markers: in its true size, found by the camera, and in the words of whoever prints it."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest
import resvg_py

from calibration.markers import MarkerFinder, measure_mat
from calibration.mat import Mat
from calibration.plane import Pixels
from calibration.sheet import CORNERS, HEIGHT, RULER_MM, TOP, WIDTH, marker_sheet
from companion.core.message import ENGLISH, Message
from companion.household.languages import LANGUAGES, catalogue
from companion.virtual.camera import VirtualCamera
from companion.virtual.faults import DISTURBANCES, Disturbances
from companion.virtual.scene import Scene

TABLE = (1600.0, 900.0)
PX_PER_MM = 4
SVG = "{http://www.w3.org/2000/svg}"


def english(message: Message) -> str:
    return message.say(ENGLISH)


def printed(table: tuple[float, float] = TABLE) -> Pixels:
    """The sheet as a printer lays it on paper."""
    data = resvg_py.svg_to_bytes(svg_string=marker_sheet(table, english), dpi=25.4 * PX_PER_MM)
    picture = cv2.imdecode(np.frombuffer(bytes(data), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return np.asarray(picture, np.uint8)


def test_the_sheet_says_its_own_size_in_millimetres() -> None:
    root = ElementTree.fromstring(marker_sheet(TABLE, english))

    assert (root.get("width"), root.get("height")) == (f"{WIDTH}mm", f"{HEIGHT}mm")
    assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
    # A4 and Letter, with the margins that printers cannot do without.
    assert min(210, 216) - 2 * 12 >= WIDTH
    assert min(297, 279) - 2 * 12 >= HEIGHT


def test_all_four_markers_are_found_on_it_upright_and_50_mm_large() -> None:
    found = MarkerFinder(Mat()).corners(printed())

    assert sorted(found) == [0, 1, 2, 3]
    for corners in found.values():
        upper_left, upper_right, _lower_right, lower_left = corners / PX_PER_MM
        assert upper_right - upper_left == pytest.approx([50, 0], abs=0.1)
        assert lower_left - upper_left == pytest.approx([0, 50], abs=0.1)


def test_they_lie_on_the_sheet_as_they_will_on_the_table() -> None:
    middles = {marker: tuple(c.mean(0)) for marker, c in MarkerFinder(Mat()).corners(printed()).items()}

    assert middles[0][0] < middles[1][0]
    assert middles[3][1] > middles[0][1]
    assert middles[2] == pytest.approx((middles[1][0], middles[3][1]), abs=1)


def test_a_card_that_is_flush_with_the_edges_lies_where_the_mat_expects_it() -> None:
    root = ElementTree.fromstring(marker_sheet(TABLE, english))
    sides = {(card.get("width"), card.get("height")) for card in root.findall(f"{SVG}g/{SVG}rect")}

    assert sides == {(f"{2 * Mat().inset:g}", f"{2 * Mat().inset:g}")}


def test_the_ruler_is_as_long_as_it_says() -> None:
    root = ElementTree.fromstring(marker_sheet(TABLE, english))
    line = root.findall(f"{SVG}path")[-1].get("d") or ""

    length = re.match(r"M[\d.]+ [\d.]+h([\d.]+)M", line)
    assert length
    assert (float(length[1]), "100 mm" in marker_sheet(TABLE, english)) == (RULER_MM, True)


def test_it_says_in_the_visitors_words_what_goes_where_and_for_which_table() -> None:
    said = marker_sheet((1200, 805), lambda message: f"<{english(message)}>")

    assert "160 × 90" not in said
    assert "120 × 80.5 cm" in " ".join(re.findall(">([^<]*)</text>", said))
    for marker, corner in enumerate(CORNERS):
        assert f"&lt;{english(corner)}&gt; · {marker}" in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_words_end_above_the_cards_in_every_language(language: str) -> None:
    root = ElementTree.fromstring(marker_sheet((1605, 905), lambda message: message.say(catalogue(language))))

    assert max(float(text.get("y") or 0) for text in root.findall(f"{SVG}text")[:-1]) < TOP - 1


@pytest.mark.parametrize("disturbed", (False, True))
@pytest.mark.parametrize("said", ((1600.0, 900.0), (1400.0, 800.0), (2000.0, 1200.0)))
def test_the_markers_measure_the_table(said: tuple[float, float], disturbed: bool) -> None:
    time = [0.0]
    usual = [one.key for one in DISTURBANCES if one.usual] if disturbed else []
    camera = VirtualCamera(
        Scene({}, *TABLE),
        Disturbances(3, usual),
        clock=lambda: time[0],
        sleep=lambda seconds: time.__setitem__(0, time[0] + seconds),
    )
    frame = camera.frame().pixels
    corners = MarkerFinder(Mat()).corners(frame)

    found = measure_mat(corners, Mat(*said), (frame.shape[1], frame.shape[0]))

    assert found is not None
    assert (found.width, found.height) == pytest.approx(TABLE, rel=0.015)


def test_three_markers_measure_nothing() -> None:
    corners = dict(list(MarkerFinder(Mat()).corners(printed()).items())[:3])

    assert measure_mat(corners, Mat(), (1280, 720)) is None
