"""Whether the camera knows the pieces on a table, as people are told from the first domino on."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.watch.familiarity import Familiarity, familiarity
from tests.watch.evening import Evening


@pytest.mark.parametrize(
    ("sure", "strange", "piece_px", "told"),
    (
        (0, 0, 40.0, Familiarity.NOTHING),
        (1, 0, 40.0, Familiarity.NOTHING),
        (2, 0, 40.0, Familiarity.KNOWN),
        (8, 2, 40.0, Familiarity.KNOWN),
        (1, 3, 40.0, Familiarity.STRANGE),
        (1, 3, 15.0, Familiarity.SMALL),
    ),
)
def test_what_one_look_says(
    tmp_path: Path, sure: int, strange: int, piece_px: float, told: Familiarity
) -> None:
    evening = Evening(tmp_path)
    try:
        glance = evening.counted(sure, strange, piece_px)

        assert familiarity(glance, Familiarity.NOTHING) is told
        evening.watcher.absorb(glance, {})
        assert evening.watch.familiarity is told
    finally:
        evening.close()


def test_an_emptied_table_is_no_strange_one(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    try:
        evening.watcher.absorb(evening.counted(8, 0, 40.0), {})
        evening.watcher.absorb(evening.counted(0, 0, 40.0), {})

        assert evening.watch.familiarity is Familiarity.KNOWN
    finally:
        evening.close()
