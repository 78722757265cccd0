"""Boards of Dominations under three lamps, laid neatly and sloppily: places and colours right, asked about, wrong."""

from __future__ import annotations

import os

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.core.observation import UNREAD
from companion.virtual.image_effects import DAYLIGHT, LAMP_KINDS, WARM_LAMP
from companion.vision.live.triangles import Inks
from tests.games.dominations.sight.laid import NEAT, SLOPPY, Laying
from tests.games.dominations.sight.looked import Counts, play

BOARDS = int(os.environ.get("COMPANION_SEEDS", "6"))
TILES = 20
SEEMS_ODD = {DAYLIGHT: 0.0, "4000": 0.0, WARM_LAMP: 0.02}
"""Part of the looks in which table and log may seem to disagree: small spots in very warm light."""
BELIEVED_WRONG = {DAYLIGHT: 0.0, "4000": 0.005, WARM_LAMP: 0.01}
"""Part of the colours that may be believed and wrong: people see each on the picture before it counts."""
CARDBOARD = np.array([0.5, 0.6, 0.7])
"""How much blue, green and red light it gives back in daylight."""
WARM = np.array([0.1, 0.4, 1.0])
INKS = Inks(("A", "B"), np.array([[0.3, 0.5, 0.8], [0.6, 0.5, 0.8]]))
"""Two that only blue light tells apart."""


def sure(light: NDArray[np.float64], sharpness: float = 1.0, seen: float = 1.0) -> float:
    """How surely the first ink is known in a light, so many times as bright as its cardboard lets expect."""
    tint = INKS.name(seen * INKS.ratios[0] * CARDBOARD * light, CARDBOARD * light, "AB", sharpness)
    assert tint.letter == "A"
    return tint.confidence


def test_a_colour_of_which_the_light_shows_little_says_little() -> None:
    assert sure(np.ones(3)) == 1.0
    assert sure(WARM) < 0.5


def test_more_of_the_cameras_pixels_say_more() -> None:
    assert sure(WARM, sharpness=2.0) > 0.9


def test_what_is_a_little_darker_all_over_is_of_the_same_colour() -> None:
    assert sure(np.ones(3), sharpness=3.0, seen=0.85) > 0.9


def test_what_has_none_of_the_colours_is_not_read() -> None:
    black = INKS.name(np.full(3, 0.01), CARDBOARD, "AB", 1.0)

    assert (black.letter, black.confidence) == (UNREAD, 0.0)


def test_a_few_territories_are_seen_in_their_places_with_their_colours() -> None:
    counts = play(5, SLOPPY, DAYLIGHT, 4)

    assert (counts.missed, counts.elsewhere, counts.odd, counts.wrong) == (0, 0, 0, 0)
    assert counts.colours_right + counts.colours_unsure == counts.colours == 16


@pytest.mark.soak
@pytest.mark.parametrize("size", ((1280, 720), (1920, 1080)), ids=("small", "large"))
@pytest.mark.parametrize("lamp", LAMP_KINDS)
@pytest.mark.parametrize("laying", (NEAT, SLOPPY), ids=("neat", "sloppy"))
def test_whole_boards_are_read_or_asked_about(
    laying: Laying, lamp: str, size: tuple[int, int], capsys: pytest.CaptureFixture[str]
) -> None:
    counts = Counts()
    for seed in range(1, 1 + BOARDS):
        counts.add(play(seed, laying, lamp, TILES, size))
    with capsys.disabled():
        print(f"\n{size}, {lamp}, {'neat' if laying is NEAT else 'sloppy'}: {counts}")  # noqa: T201  # for the docs

    assert (counts.missed, counts.elsewhere) == (0, 0)
    assert counts.odd <= SEEMS_ODD[lamp] * counts.tiles
    assert counts.colours_wrong <= BELIEVED_WRONG[lamp] * counts.colours
