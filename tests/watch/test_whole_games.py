"""Whole games laid on the virtual table and read from frames alone, with a push of a button for every turn."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.watch.night import Night
from tests.watch.played import play

pytestmark = pytest.mark.whole

TABLES = ((4, ()), (2, ()), (2, ("mighty_duel",)))
SEEDS = range(int(os.environ.get("COMPANION_SEEDS", "10")))


def test_a_game_for_two_is_read_from_frames_with_everything_disturbing_the_camera(tmp_path: Path) -> None:
    played = play(Night(tmp_path, 2, seed=21))

    assert played.log == played.script
    assert len(played.log) == 54
    assert played.pushed > 40, "most of it by camera and button"


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("players", "options"), TABLES)
def test_the_log_equals_the_script(
    players: int, options: tuple[str, ...], seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = play(Night(tmp_path, players, seed, options))
    with capsys.disabled():
        print("\n" + played.told(f"{players} players {'/'.join(options)} seed {seed}"))  # noqa: T201  # for the docs

    assert played.log == played.script
