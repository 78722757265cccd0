"""`companion replay GAME FILE…`: a recorded game, played again from its first move."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from companion.commands.answers import Asked, answer_documents, documents_of, game_arguments
from companion.commands.documents import documents_in
from companion.commands.terminal import terminal
from companion.core.errors import NotationError
from companion.core.game import AnyGame
from companion.core.message import Say
from companion.core.message import message as _
from companion.games import GAMES, find_game


def arguments(parser: ArgumentParser, say: Say) -> None:
    game_arguments(parser, say)


def run(args: Namespace) -> int:
    game = find_game(args.game)
    say: Say = str if args.json else terminal(args).put
    return answer_documents(args, args.files, lambda file, text: _find(game, file, text, say))


def _find(game: AnyGame, file: str, text: str, say: Say) -> Iterator[Asked]:
    if _is_session(text):
        yield file, partial(_replay_session, game, text, say)
        return
    for name, document in documents_in(file, text):
        yield name, partial(_replay, game, document)


def _replay(game: AnyGame, document: object) -> Mapping[str, Any]:
    return documents_of(game).replay_document(document)


def _is_session(text: str) -> bool:
    """Whether this is a game that the product itself wrote down: JSON Lines with a head."""
    try:
        head = json.loads(text.partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(head, dict) and "companion" in head


def _replay_session(game: AnyGame, text: str, say: Say) -> dict[str, object]:
    # Imported here: it brings the database along, which no other document needs.
    from companion.commands.answers import session_answer
    from companion.sessions.json_lines import read_session

    session = read_session(text.split("\n"), GAMES)
    if session.game is not game:
        raise NotationError(
            _("This is a game of %(found)s, not of %(asked)s.", found=session.game.name, asked=game.name)
        )
    return session_answer(session, say)
