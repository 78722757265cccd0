"""Games of Carcassonne laid on the virtual table, followers standing and lying, and read from frames and presses."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games import GAMES
from companion.games.carcassonne.rules.events import TileLaid
from companion.virtual.art import Art
from companion.virtual.camera import SIZE
from companion.virtual.players import Policy
from tests.watch.night import Night
from tests.watch.played import Played, play

pytestmark = pytest.mark.whole

GAME = GAMES["carcassonne"]
WHOLE = 72
SEEDS = range(1, 1 + int(os.environ.get("COMPANION_SEEDS", "5")))
COLUMNS, ROWS = 12, 7
"""How far from the first tile there is room on the table."""


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


def night_of_tiles(
    folder: Path, players: int, tiles: int, seed: int, size: tuple[int, int] = SIZE, art: Art | None = None
) -> Night:
    script: list[object] = []
    policy = anything(Random(seed), tiles, script.append)
    return Night(folder, players, seed, policy=policy, game=GAME, truth=script, size=size, art=art)


def played(folder: Path, players: int, tiles: int, seed: int) -> Played:
    return play(night_of_tiles(folder, players, tiles, seed), most_s=4 * 3600)


def test_the_beginning_of_a_game_for_five_is_read_from_frames_with_everything_disturbing(
    tmp_path: Path,
) -> None:
    game = played(tmp_path, 5, 16, seed=11)

    assert game.log == game.script
    assert sum(isinstance(event, TileLaid) for event in game.log) == 15
    assert game.pushed > 0.7 * len(game.log), "most of it by camera and button"


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
def test_the_log_of_a_whole_game_equals_the_script(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = played(tmp_path, 5, WHOLE, seed)
    with capsys.disabled():
        print("\n" + game.told(f"carcassonne, 5 players, seed {seed}"))  # noqa: T201  # for the docs

    assert game.log == game.script
    assert sum(isinstance(event, TileLaid) for event in game.log) >= WHOLE - 3
