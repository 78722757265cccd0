"""`companion score GAME FILE…`: the points of a table as it lies."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from functools import partial

from companion.commands.answers import Asked, answer, game_arguments
from companion.commands.documents import documents
from companion.core.message import Say
from companion.games import find_game


def arguments(parser: ArgumentParser, say: Say) -> None:
    game_arguments(parser, say)


def run(args: Namespace) -> int:
    game = find_game(args.game)

    def find(file: str, text: str) -> Iterator[Asked]:
        for name, document in documents(file, text):
            yield name, partial(game.score_document, document)

    return answer(args, find)
