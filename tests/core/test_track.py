"""What followers on a printed track say of points."""

from __future__ import annotations

import pytest

from companion.core.photo import SeenFigure, Track
from companion.games.carcassonne.sight.track import TRACK

ROW = Track("", [((x, 0.0), (x + 1.0, 0.0), (x + 1.0, 1.0), (x, 1.0)) for x in range(5)])
"""Five spaces side by side."""


def figure(colour: str, space: float, confidence: float = 0.9) -> SeenFigure:
    return SeenFigure((int(space), 0), space % 1 or 0.5, 0.5, colour, confidence=confidence)


@pytest.mark.parametrize(("x", "y", "expected"), ((2.5, 0.5, 2), (3.02, 0.5, None), (-1.0, 0.5, None)))
def test_a_place_is_on_a_space_unless_it_may_be_the_next_one(
    x: float, y: float, expected: int | None
) -> None:
    assert ROW.space(x, y) == expected


@pytest.mark.parametrize(
    ("views", "expected"),
    (
        ([[figure("red", 3.5), figure("blue", 0.5)]], {"red": 3, "blue": 0}),
        ([[figure("red", 3.5), figure("red", 1.5)]], {}),
        ([[figure("red", 3.5, 0.4)]], {}),
        ([[figure("red", 3.5, 0.4), figure("red", 1.5)]], {"red": 1}),
        ([[figure("red", 3.02), figure("blue", 2.5)]], {"blue": 2}),
        ([[figure("red", 3.5)], [figure("red", 3.5)], []], {"red": 3}),
        ([[figure("red", 3.5)], [figure("red", 2.5)]], {}),
    ),
)
def test_what_is_not_clear_on_the_track_is_not_read(
    views: list[list[SeenFigure]], expected: dict[str, int]
) -> None:
    assert ROW.read(views) == expected


def test_every_space_of_carcassonne_has_its_middle_to_itself() -> None:
    middles = [[sum(axis) / len(outline) for axis in zip(*outline, strict=True)] for outline in TRACK.spaces]

    assert [TRACK.space(x, y) for x, y in middles] == [*range(50)]
