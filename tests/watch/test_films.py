"""The corpus: evenings of our own drawings, filmed, watched by `companion watch` and held against their script.

The films are rendered anew each time and never kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.core import notation
from companion.games import GAMES
from tests.watch.filming import CARCASSONNE, KINGDOMINO, Script, filmed, kept, whole_game
from tests.watch.night import Night

CAMERA = ("perspective", "lens", "shadows", "blur", "noise", "jpeg")
"""Disturbances that every camera brings."""


def watched(capsys: pytest.CaptureFixture[str], game: str, film: Path, *words: str) -> Sequence[Any]:
    """The lines that a script gets."""
    code = main(["watch", game, str(film), *words, "--json"])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.parametrize("script", (KINGDOMINO, CARCASSONNE), ids=lambda script: script.game.key)
def test_a_film_is_read_as_it_was_played(
    script: Script, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = kept(filmed(script, CAMERA), tmp_path / "film")

    *frames, last = watched(capsys, script.game.key, film, "--record")

    assert last["events"] == list(script.lines)
    assert [frame["contradictions"] for frame in frames] == [[]] * len(frames)


@pytest.mark.whole
@pytest.mark.parametrize(("seed", "least"), ((1, 54), (2, 50), (3, 51)))
def test_a_whole_game_is_read_from_a_picture_of_each_step(
    seed: int, least: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = whole_game(GAMES["kingdomino"], 2, seed)
    film = kept(filmed(script), tmp_path / "film")

    *_frames, last = watched(capsys, "kingdomino", film, "--record")

    # Where something has to be asked, or was put away at the very end, nothing is made up.
    assert last["events"] == list(script.lines)[: len(last["events"])]
    assert len(last["events"]) >= least


@pytest.mark.whole
def test_an_evening_with_everything_disturbing_the_camera_is_the_same_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    night = Night(tmp_path, 2, seed=21)
    assert night.rig.keeper
    night.rig.keeper.keep(True)
    night.play(100)
    game = night.session.game
    log = [notation.write_entry(game, step.event) for step in night.session.fold.steps]
    night.close()
    (evening,) = night.rig.keeper.evenings.list()

    *_frames, last = watched(capsys, game.key, night.rig.keeper.evenings.folder / evening.name)

    assert len(log) > 8
    assert last["events"] == last["then"] == log
