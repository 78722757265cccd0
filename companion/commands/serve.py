"""`companion serve`: the page for the table."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.terminal import config_argument
from companion.core.errors import NotationError
from companion.core.message import Say
from companion.core.message import message as _
from companion.games import GAMES
from companion.household.settings import all_settings, load_settings

if TYPE_CHECKING:
    from companion.virtual.art import Art


def arguments(parser: ArgumentParser, say: Say) -> None:
    demo = say(_("Open with a game that plays itself."))
    watched = [key for key, game in GAMES.items() if game.sight]
    parser.add_argument(
        "--demo", nargs="?", choices=watched, const=watched[0], metavar=say(_("GAME")), help=demo
    )
    art = say(
        _(
            "With --demo: a folder of pictures of printed pieces, named 17.jpg, castle-blue.png …, to play with."
        )
    )
    parser.add_argument("--art", type=Path, metavar=say(_("FOLDER")), help=art)
    ground = say(_("With --demo: a picture of the cloth or wood to play on, or a folder of them."))
    parser.add_argument("--ground", type=Path, metavar=say(_("PICTURE")), help=ground)
    host = say(_("The network address to listen on, instead of web.host."))
    parser.add_argument("--host", metavar=say(_("ADDRESS")), help=host)
    port = say(_("The port of the page, instead of web.port."))
    parser.add_argument("--port", type=int, metavar=say(_("PORT")), help=port)
    parser.add_argument("--open", action="store_true", help=say(_("Open the page in a browser here, too.")))
    config_argument(parser, say)


def run(args: Namespace) -> int:
    _check("host", args.host)
    _check("port", args.port)
    # Imported here: `companion serve --help` needs neither database nor web server.
    from companion.app import serve

    loaded = load_settings(args.config)
    return serve(
        loaded,
        host=args.host,
        port=args.port,
        demo=bool(args.demo),
        game=args.demo or "",
        open_browser=args.open,
        art=_art(args),
    )


def _art(args: Namespace) -> Art | None:
    if args.art is None and args.ground is None:
        return None
    sight = GAMES[args.demo].sight if args.demo else None
    if sight is None:
        raise NotationError(_("--art and --ground dress the virtual table: use them with --demo."))
    # Imported here: a page without a virtual table needs no pictures.
    from companion.virtual.art import load_art

    return load_art(args.art, args.ground, sight.pieces)


def _check(name: str, value: object) -> None:
    """An option may be what the setting of the same name may be."""
    kind = next(key for _section, key in all_settings() if key.name == name).metadata["kind"]
    if value is not None and not kind.fits(value):
        raise NotationError(
            _(
                "--%(name)s has to be %(expected)s, not %(value)s.",
                name=name,
                expected=kind.expected,
                value=str(value)[:40],
            )
        )
