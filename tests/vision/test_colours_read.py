"""Boards of Dominations under three lamps, laid neatly and sloppily: places and colours right, asked about, wrong."""

from __future__ import annotations

import os

import pytest

from companion.virtual.lamps import DAYLIGHT, LAMPS, WARM_LAMP
from tests.games.dominations.laid import NEAT, SLOPPY, Laying
from tests.games.dominations.looked import Counts, play

BOARDS = int(os.environ.get("COMPANION_SEEDS", "6"))
TILES = 20
SEEMS_ODD = {DAYLIGHT: 0.0, "4000": 0.0, WARM_LAMP: 0.15}
"""Part of the looks in which table and log may seem to disagree: small spots in very warm light."""
BELIEVED_WRONG = {DAYLIGHT: 0.0, "4000": 0.01, WARM_LAMP: 0.03}
"""Part of the colours that may be believed and wrong: people see each on the picture before it counts."""


def test_a_few_territories_are_seen_in_their_places_with_their_colours() -> None:
    counts = play(5, SLOPPY, DAYLIGHT, 4)

    assert (counts.missed, counts.elsewhere, counts.odd, counts.wrong) == (0, 0, 0, 0)
    assert counts.colours_right + counts.colours_unsure == counts.colours == 16


@pytest.mark.soak
@pytest.mark.parametrize("size", ((1280, 720), (1920, 1080)), ids=("small", "large"))
@pytest.mark.parametrize("lamp", LAMPS)
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
