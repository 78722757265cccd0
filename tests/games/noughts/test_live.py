"""The example of docs/adding-a-game.md above the table: played by virtual people, read from frames and pushes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.noughts.game import Noughts
from tests.games.noughts.test_noughts import _listed  # noqa: F401
from tests.watch.night import Night
from tests.watch.played import play


@pytest.mark.usefixtures("_listed")
def test_a_game_is_read_from_frames_with_everything_disturbing_the_camera(tmp_path: Path) -> None:
    game = play(Night(tmp_path, 2, seed=3, game=Noughts()), 1200)

    assert game.log == game.script
    assert (game.pushed, game.by_hand, game.wrong) == (len(game.log), 0, 0)
