"""The games of the house; adding one is a folder and a line here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from companion.core.errors import NotationError
from companion.core.game import AnyGame
from companion.core.message import message as _


class Games(Mapping[str, AnyGame]):
    """Every game by its key, each imported only when somebody asks for it: a short command needs one at most."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._games: dict[str, AnyGame] = {}

    def __getitem__(self, key: str) -> AnyGame:
        name = self._names[key]
        if key not in self._games:
            module = import_module(f"companion.games.{key}.game")
            self._games.setdefault(key, getattr(module, name)())
        return self._games[key]

    def __contains__(self, key: object) -> bool:
        return key in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


GAMES = Games(
    {
        "kingdomino": "Kingdomino",
        "carcassonne": "Carcassonne",
        "dominion": "Dominion",
        "dominations": "Dominations",
    }
)
"""The class of each, in `game.py` of its folder."""


def find_game(key: str) -> AnyGame:
    """The game of that key, or an error that names the games there are."""
    try:
        return GAMES[key]
    except KeyError:
        raise NotationError(
            _("There is no game “%(key)s”; we have: %(games)s.", key=key[:40], games=", ".join(GAMES))
        ) from None
