"""`companion read GAME PHOTO…`: what photos show, and what somebody has to look at."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from companion.commands.reading import photo_arguments, read_photos
from companion.commands.terminal import json_argument
from companion.core.message import Say
from companion.core.message import message as _
from companion.games import GAMES


def arguments(parser: ArgumentParser, say: Say) -> None:
    parser.add_argument("game", metavar=say(_("GAME")), help=", ".join(GAMES))
    photos = say(_("A photo, JPEG or PNG, or a folder of them."))
    parser.add_argument("photos", metavar=say(_("PHOTO")), nargs="+", help=photos)
    photo_arguments(parser, say)
    json_argument(parser, say)


def run(args: Namespace) -> int:
    return read_photos(args, args.photos, scored=False)
