"""What a camera says it has seen."""

from __future__ import annotations

import math

import pytest

from companion.core.observation import Observation, Reading


@pytest.mark.parametrize("confidence", (0.0, 0.5, 1.0))
def test_a_confidence_is_between_none_and_all(confidence: float) -> None:
    seen = Observation("26", x=10.0, y=20.5, angle=90.0, confidence=confidence)

    assert (seen.confidence, seen.runner_up) == (confidence, "")


@pytest.mark.parametrize("confidence", (-0.01, 1.01, math.nan, math.inf))
def test_no_other_confidence_is_believed(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence is between 0 and 1, not"):
        Observation("26", x=10.0, y=20.5, angle=90.0, confidence=confidence)


def test_a_reading_without_anything_proposes_and_asks_nothing() -> None:
    assert (Reading().proposals, Reading().doubts) == ((), ())
