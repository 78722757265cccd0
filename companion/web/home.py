"""The first page, starting a game, past sessions, a game's book of pieces, and the small things every device
chooses for itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import cycle, islice

from flask import (
    Blueprint,
    Response,
    abort,
    jsonify,
    redirect,
    render_template,
    request,
    send_from_directory,
    url_for,
)

from companion.core import notation
from companion.core.errors import CompanionError, NotationError, StoreError
from companion.core.game import NAME_LIMIT, AnyGame, Colour, Explains, Player, Setup, check_setup
from companion.core.log import Source, Started
from companion.core.message import message as _
from companion.core.photo import photo_sight
from companion.core.session import Session
from companion.games import GAMES, find_game
from companion.household.languages import LANGUAGES
from companion.web.access import REMEMBER_S, ViewResult, changes_game, inside_path
from companion.web.context import THEMES, existing, house, language, say
from companion.web.watch_presenter import status_line

home_blueprint = Blueprint("home", __name__)

AS_THE_PAGE = "page"
"""The boxes are printed in the language of the page."""
PAGE_LENGTH = 20
MOST_EARLIER = 8
"""Games that are asked for what a household knows: several may be going on, each with news of its own."""
MOST_KNOWN = 200
"""Entries that a game begins with, at most."""


@home_blueprint.get("/")
def index() -> str:
    demonstration = house().demonstration
    shown = [demonstration.session] if demonstration and demonstration.session else []
    going = [session for item in house().sessions.list(PAGE_LENGTH) if (session := _opened(item.id))]
    shown += [session.id for session in going if not session.turn.over and session.id not in shown][:3]
    running = [session for id in shown if (session := _opened(id))]
    watcher = house().watcher
    watch = watcher.watch if watcher else None
    watching = _opened(watch.session) if watch and watch.session else None
    return render_template(
        "home.html",
        newcomer=all(session.entries[0].source is Source.DEMO for session in going),
        running=running,
        notices=house().notices,
        watch=watch,
        watching=watching,
        calm=status_line,
        counted=[game for game in GAMES.values() if photo_sight(game)],
    )


@home_blueprint.get("/sessions")
def sessions() -> str:
    page = request.args.get("page", 0, type=int) if len(request.args.get("page", "")) < 6 else 0
    listed = house().sessions.list(limit=PAGE_LENGTH + 1, offset=max(0, page) * PAGE_LENGTH)
    rows = [(item, _opened(item.id)) for item in listed[:PAGE_LENGTH]]
    return render_template("sessions.html", rows=rows, page=page, more=len(listed) > PAGE_LENGTH)


@home_blueprint.get("/new/<key>")
@changes_game
def new(key: str) -> ViewResult:
    return render_template(
        "new.html", game=_game(key), form=request.args, **_choices(_game(key), request.args)
    )


@home_blueprint.post("/new/<key>")
@changes_game
def start(key: str) -> ViewResult:
    game = _game(key)
    try:
        session = house().sessions.begin(game, setup_from(game, request.form), Source.PAGE)
    except CompanionError as error:
        choices = _choices(game, request.form)
        return render_template(
            "new.html", game=game, form=request.form, message=error.message, **choices
        ), 503 if isinstance(error, StoreError) else 422
    _hand_down(session)
    _watch(session)
    return redirect(url_for("play.show", id=session.id), 303)


@home_blueprint.post("/demonstration")
@changes_game
def demonstrate() -> ViewResult:
    """Let the demonstration play once more, whatever people have played since."""
    demonstration = existing(house().demonstration)
    return redirect(url_for("play.show", id=demonstration.begin_again()), 303)


@home_blueprint.get("/demonstration")
def back() -> ViewResult:
    """A refused tap leaves a browser without scripts at its address: from there it leads to the first page."""
    return redirect(url_for("home.index"), 303)


def _hand_down(session: Session) -> None:
    """What people told about their box in earlier games of its kind is not asked again."""
    sessions, game = house().sessions, session.game
    listed = [item.id for item in sessions.list(MOST_EARLIER + 1, game=game.key) if item.id != session.id]
    earlier = (found.earlier for id in listed if (found := _opened(id)))
    lines = [game.write(event) for event in game.known(earlier)]
    if lines:
        with suppress(CompanionError):  # a game can be played without
            sessions.record_all(session.id, session.seq, lines[:MOST_KNOWN], Source.HOUSE)


def _watch(session: Session) -> None:
    """The camera looks at the newest game; a demonstration clears the table for it."""
    demonstration, watcher = house().demonstration, house().watcher
    if demonstration:
        demonstration.stop()
    if watcher:
        watcher.follow(session.id)


@home_blueprint.post("/language")
def choose_language() -> ViewResult:
    return _choose("language", LANGUAGES)


@home_blueprint.post("/theme")
def choose_theme() -> ViewResult:
    return _choose("theme", THEMES)


@home_blueprint.post("/printed")
def choose_printed() -> ViewResult:
    return _choose("printed", (AS_THE_PAGE, *LANGUAGES))


@home_blueprint.get("/games/<key>/<path:name>")
def picture(key: str, name: str) -> Response:
    """A game's own pictures and scripts."""
    return send_from_directory(_game(key).folder / "static", name)


@home_blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """What a tablet needs to keep the page like an application."""
    icons = (
        ("icon-192.png", "192x192", "any"),
        ("icon-512.png", "512x512", "any"),
        ("icon-maskable-512.png", "512x512", "maskable"),
    )
    answer = jsonify(
        name=say(_("Table Companion")),
        short_name=say(_("Companion")),
        start_url=url_for("home.index"),
        display="standalone",
        background_color="#f6f1e7",
        theme_color="#f6f1e7",
        icons=[
            {"src": url_for("static", filename=file), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for file, sizes, purpose in icons
        ],
    )
    answer.mimetype = "application/manifest+json"
    return answer


def setup_from(game: AnyGame, form: Mapping[str, str]) -> Setup:
    """The table described by the form of a new game; a player without a name is not there."""
    players = []
    for seat in range(game.seats[-1]):
        name, colour = form.get(f"name{seat}", "").strip(), form.get(f"colour{seat}", "")
        if name and colour not in set(Colour):
            raise NotationError(_("Choose a colour for %(name)s.", name=name[:NAME_LIMIT]))
        if name:
            players.append(Player(name, Colour(colour)))
    options = frozenset(option.key for option in game.options if form.get(f"option_{option.key}"))
    setup = Setup(tuple(players), options)
    check_setup(game, setup)
    # What cannot be written down and read again would be lost to the log.
    notation.parse_entry(game, notation.write_entry(game, Started(setup)))
    return setup


def form_of(setup: Setup) -> dict[str, str]:
    """The form of a new game filled in with a table."""
    form = {f"option_{key}": "on" for key in setup.options}
    for seat, player in enumerate(setup.players):
        form |= {f"name{seat}": player.name, f"colour{seat}": player.colour.value}
    return form


def _choices(game: AnyGame, form: Mapping[str, str]) -> dict[str, object]:
    colours = islice(cycle(game.colours), game.seats[-1])
    seats = [
        (seat, form.get(f"name{seat}", ""), form.get(f"colour{seat}", colour.value))
        for seat, colour in enumerate(colours)
    ]
    return {"seats": seats, "name_limit": NAME_LIMIT}


def _game(key: str) -> AnyGame:
    if key not in GAMES:
        abort(404)
    return find_game(key)


def _opened(id: str) -> Session | None:
    """The session, unless this version cannot read it, or play it, any more."""
    try:
        session = house().sessions.session(id)
        return session if session.fold.positions else None
    except CompanionError:
        return None


def _choose(name: str, known: Sequence[str] | Mapping[str, str]) -> ViewResult:
    answer = redirect(inside_path(request.form.get("back", "")), 303)
    value = request.form.get(name, "")
    if value in known:
        answer.set_cookie(name, value, max_age=REMEMBER_S, samesite="Lax")
    return answer


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
