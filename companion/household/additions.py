"""What people add to a game in files of their own: read once at the start, before anything is played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.core.errors import CompanionError
from companion.core.game import Expandable
from companion.core.message import Message
from companion.core.message import message as _
from companion.household.settings import FOLDER_NAME, read_settings_text, xdg_folder

LARGEST_FILE = 256_000
"""Bytes of a file that we read; a game may take less."""
MOST_FILES = 50


def additions_folder() -> Path:
    """Where they lie: a folder for each game, among the settings of other programs."""
    return xdg_folder("CONFIG", ".config") / FOLDER_NAME / "games"


def learn_additions() -> Iterator[Message]:
    """Let the games learn from those files; whatever is wrong with one is told, and the others still count."""
    folder = additions_folder()
    if not folder.is_dir():
        return
    # Imported here: without such files a short command needs no game.
    from companion.games import GAMES

    for key, game in GAMES.items():
        if isinstance(game, Expandable):
            for path in sorted((folder / key).glob("*.toml"))[:MOST_FILES]:
                try:
                    game.learn(read_settings_text(path, LARGEST_FILE))
                except CompanionError as error:
                    yield _("%(file)s: %(problem)s", file=str(path), problem=error.message)
