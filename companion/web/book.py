"""What a game says about its pieces: looked for by name, read without a game on the table, and open to everybody."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request

from companion.core.abilities import Explains
from companion.games import GAMES, find_game
from companion.web.context import language

book_blueprint = Blueprint("book", __name__)

LONGEST_BOOK_WISH = 80
"""Signs of what somebody looks for; nobody types more to find a card."""


@book_blueprint.get("/book/<key>", endpoint="show")
def show_book(key: str) -> str:
    game = find_game(key) if key in GAMES else None
    if not isinstance(game, Explains):
        abort(404)
    wish = {name: value[:LONGEST_BOOK_WISH] for name, value in request.args.items()}
    return render_template("book.html", game=game, view=game.book(wish, language()), wish=wish)
