"""Games of Carcassonne laid on the virtual table, followers standing and lying, and read from frames and presses."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.log import Source
from companion.games import GAMES
from companion.games.carcassonne.events import TileLaid
from companion.virtual.policy import Policy
from tests.watch.night import Night

GAME = GAMES["carcassonne"]
WHOLE = 72
SEEDS = range(1, 1 + int(os.environ.get("COMPANION_SEEDS", "5")))
COLUMNS, ROWS = 12, 7
"""How far from the first tile there is room on the table."""


@dataclass(frozen=True)
class Played:
    """What came of a game."""

    log: tuple[str, ...]
    script: tuple[str, ...]
    pushed: int
    """Entries that a push of a button recorded."""
    answered: int
    """Entries that somebody tapped: answers to questions, and what had to be told by hand."""
    doubts: int
    by_hand: int
    minutes: float


def anything(random: Random, tiles: int, tell: Callable[[object], object]) -> Policy:
    """Any tile anywhere on the table, and any follower or none, until so many tiles lie there."""

    def choose(game: Any, position: Any) -> object | None:
        if game.turn(position).over or (len(position.board.tiles) >= tiles and position.laid is None):
            return None
        event: object = random.choice(game.legal(position) or _laid(game, position, random))
        tell(event)
        return event

    return choose


def _laid(game: Any, position: Any, random: Random) -> list[object]:
    drawn = game.apply(position, game.draw(position, random.getrandbits(40)))
    places = game.legal(drawn)
    return [event for event in places if _on_the_table(event)] or places


def _on_the_table(event: object) -> bool:
    if not isinstance(event, TileLaid):
        return True
    return abs(event.placement.x) <= COLUMNS and abs(event.placement.y) <= ROWS


def play(folder: Path, players: int, tiles: int, seed: int) -> Played:
    script: list[object] = []
    policy = anything(Random(seed), tiles, script.append)
    night = Night(folder, players, seed, policy=policy, game=GAME)
    try:
        night.play(most_s=4 * 3600)
        entries = night.session.entries[1:]
        return Played(
            tuple(GAME.write(step.event) for step in night.session.fold.steps),
            tuple(map(GAME.write, script)),
            sum(entry.source is Source.BUTTON for entry in entries),
            sum(entry.source is Source.PAGE for entry in entries),
            night.doubts,
            night.by_hand,
            night.clock.now / 60,
        )
    finally:
        night.close()


def test_the_beginning_of_a_game_for_five_is_read_from_frames_with_everything_disturbing(
    tmp_path: Path,
) -> None:
    played = play(tmp_path, 5, 16, seed=11)

    assert played.log == played.script
    assert sum(" lays " in line for line in played.log) == 15
    assert played.pushed > 0.7 * len(played.log), "most of it by camera and button"


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
def test_the_log_of_a_whole_game_equals_the_script(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = play(tmp_path, 5, WHOLE, seed)
    with capsys.disabled():
        print(  # noqa: T201  # a figure for the docs
            f"\ncarcassonne, 5 players, seed {seed}: {len(played.log)} events, {played.pushed} by button,"
            f" {played.answered} tapped; {played.doubts} doubts, {played.by_hand} times by hand,"
            f" {played.minutes:.0f} minutes at the table"
        )

    assert played.log == played.script
    assert sum(" lays " in line for line in played.log) >= WHOLE - 3
