"""What a camera says it has seen, and where on the table that is."""

from __future__ import annotations

import math

import pytest

from companion.core.observation import Area, Observation, Reading, bounding_box


@pytest.mark.parametrize("confidence", (0.0, 0.5, 1.0))
def test_a_confidence_is_between_none_and_all(confidence: float) -> None:
    seen = Observation("26", x=10.0, y=20.5, angle=90.0, confidence=confidence)

    assert (seen.confidence, seen.runner_up) == (confidence, "")


@pytest.mark.parametrize("confidence", (-0.01, 1.01, math.nan, math.inf))
def test_no_other_confidence_is_believed(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence is between 0 and 1, not"):
        Observation("26", x=10.0, y=20.5, angle=90.0, confidence=confidence)


def test_a_reading_without_anything_proposes_and_asks_nothing() -> None:
    assert (Reading().proposals, Reading().doubts, Reading().contradictions) == ((), (), ())


def test_an_area_turns_clockwise_about_its_middle() -> None:
    corners = Area(x=100, y=50, width=80, height=40, angle=90).corners

    assert [(round(x), round(y)) for x, y in corners] == [(120, 10), (120, 90), (80, 90), (80, 10)]


def test_the_ground_around_areas_has_all_their_corners_in_it() -> None:
    assert bounding_box([Area(10, 10, 20, 20), Area(50, 10, 20, 10)], margin=5) == Area(30, 10, 70, 30)
