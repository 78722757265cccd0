"""`companion setup GAME --players N`: what to put on the table before a game."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser, Namespace

from companion.commands.terminal import Exit, json_argument, terminal
from companion.core.errors import NotationError
from companion.core.game import Preparation, Prepares
from companion.core.message import Say
from companion.core.message import message as _
from companion.games import GAMES, find_game

LONGEST_SEED = 18
"""Digits of a seed we read."""


def arguments(parser: ArgumentParser, say: Say) -> None:
    prepared = ", ".join(key for key, game in GAMES.items() if isinstance(game, Prepares))
    parser.add_argument("game", metavar=say(_("GAME")), help=prepared)
    parser.add_argument("--players", metavar="N", required=True, help=say(_("How many play.")))
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--set", metavar="ID", default="", help=say(_("A set that a rulebook recommends.")))
    chosen.add_argument("--random", action="store_true", help=say(_("Let chance decide.")))
    parser.add_argument(
        "--seed", metavar="N", help=say(_("With --random: the same number draws the same cards again."))
    )
    parser.add_argument(
        "--box",
        metavar=say(_("BOX")),
        action="append",
        default=[],
        help=say(_("A box that is at hand; all, if none is named.")),
    )
    json_argument(parser, say)


def run(args: Namespace) -> int:
    game = find_game(args.game)
    if not isinstance(game, Prepares):
        raise NotationError(_("%(game)s is always set up alike.", game=game.name))
    seed = _whole("--seed", args.seed) if args.seed is not None else secrets.randbits(32)
    answer = game.prepare(
        Preparation(
            _whole("--players", args.players), args.set, seed if args.random else None, tuple(args.box)
        )
    )
    reader = terminal(args)
    reader.data(answer)
    for line in game.tell_preparation(answer):
        reader.say(*line)
    return Exit.DONE


def _whole(name: str, text: str) -> int:
    if not text.isdecimal() or not text.isascii() or len(text) > LONGEST_SEED:
        raise NotationError(_("%(name)s is a whole number, not “%(text)s”.", name=name, text=text[:20]))
    return int(text)
