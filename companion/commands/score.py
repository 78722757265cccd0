"""`companion score GAME FILE…`: the points of a table as it lies, told by a document or shown in a photo."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from companion.commands.answers import Asked, answer_documents, documents_of, game_arguments
from companion.commands.documents import documents_in
from companion.commands.read import (
    is_photo,
    photo_arguments,
    photo_readable_game,
    read_photos,
    read_scored,
)
from companion.core.game import AnyGame
from companion.core.message import Say
from companion.core.message import message as _
from companion.games import find_game


def arguments(parser: ArgumentParser, say: Say) -> None:
    game_arguments(parser, say)
    photo_arguments(parser, say)
    parser.epilog = say(
        _(
            "Several photos of a board are read together, by the pieces that they have in common; "
            "those of a folder are boards of their own."
        )
    )
    colours = say(
        _("Who plays, where a photo shows a whole table, as in red,blue: in the order of --scores.")
    )
    parser.add_argument("--colours", metavar=say(_("COLOURS")), help=colours)
    scores = say(
        _("What each has on the track, as in 31,44: what a photo shows there is told, never counted.")
    )
    parser.add_argument("--scores", metavar=say(_("POINTS")), help=scores)


def run(args: Namespace) -> int:
    game = find_game(args.game)
    photos = [file for file in args.files if is_photo(file)]

    def find(file: str, text: str) -> Iterator[Asked]:
        for name, document in documents_in(file, text):
            yield name, partial(_score, game, document)

    told = answer_documents(args, [file for file in args.files if file not in photos], find)
    if not photos:
        return told
    return max(told, read_photos(args, photos, read_scored(args, photo_readable_game(args.game)[1], game)))


def _score(game: AnyGame, document: object) -> Mapping[str, Any]:
    return documents_of(game).score_document(document)
