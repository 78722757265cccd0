"""The games of the house; adding one is a folder and a line here."""

from __future__ import annotations

from companion.core.errors import NotationError
from companion.core.game import AnyGame
from companion.core.message import message as _
from companion.games.carcassonne.game import Carcassonne
from companion.games.dominations.game import Dominations
from companion.games.kingdomino.game import Kingdomino

GAMES: dict[str, AnyGame] = {game.key: game for game in (Kingdomino(), Carcassonne(), Dominations())}


def find_game(key: str) -> AnyGame:
    """The game of that key, or an error that names the games there are."""
    try:
        return GAMES[key]
    except KeyError:
        raise NotationError(
            _("There is no game “%(key)s”; we have: %(games)s.", key=key[:40], games=", ".join(GAMES))
        ) from None
