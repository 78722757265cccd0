"""Whole games laid on the virtual table and read from frames alone, with a push of a button for every turn."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.core.log import Source
from tests.watch.night import GAME, Night

TABLES = ((4, ()), (2, ()), (2, ("mighty_duel",)))
SEEDS = range(int(os.environ.get("COMPANION_SEEDS", "10")))


@dataclass(frozen=True)
class Played:
    """What came of a night."""

    log: tuple[str, ...]
    script: tuple[str, ...]
    pushed: int
    """Entries that a push of a button recorded."""
    answered: int
    """Entries that somebody tapped: answers to questions, and what had to be told by hand."""
    doubts: int
    by_hand: int
    minutes: float


def play(folder: Path, players: int, options: tuple[str, ...], seed: int) -> Played:
    night = Night(folder, players, seed, options)
    try:
        night.play()
        entries = night.session.entries[1:]
        return Played(
            tuple(GAME.write(step.event) for step in night.session.fold.steps),
            tuple(GAME.write(event) for event in night.truth),
            sum(entry.source is Source.BUTTON for entry in entries),
            sum(entry.source is Source.PAGE for entry in entries),
            night.doubts,
            night.by_hand,
            night.clock.now / 60,
        )
    finally:
        night.close()


def told(players: int, options: tuple[str, ...], seed: int, played: Played) -> str:
    return (
        f"{players} players {'/'.join(options)} seed {seed}: {len(played.log)} events,"
        f" {played.pushed} by button, {played.answered} tapped; {played.doubts} doubts,"
        f" {played.by_hand} times by hand, {played.minutes:.0f} minutes at the table"
    )


def test_a_game_for_two_is_read_from_frames_with_everything_disturbing_the_camera(tmp_path: Path) -> None:
    played = play(tmp_path, 2, (), seed=21)

    assert played.log == played.script
    assert len(played.log) == 54
    assert played.pushed > 40, "most of it by camera and button"


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("players", "options"), TABLES)
def test_the_log_equals_the_script(
    players: int, options: tuple[str, ...], seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = play(tmp_path, players, options, seed)
    with capsys.disabled():
        print("\n" + told(players, options, seed, played))  # noqa: T201  # a figure for the docs

    assert played.log == played.script
