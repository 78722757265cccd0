"""The first page, starting a game, a game's book of pieces, and the small things every device
chooses for itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import cycle
from threading import Lock

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
from companion.core.game import (
    COLOUR_NAMES,
    NAME_LIMIT,
    AnyGame,
    Colour,
    Explains,
    Player,
    Setup,
    check_setup,
)
from companion.core.log import Source, Started
from companion.core.message import message as _
from companion.core.photo import photo_sight
from companion.core.session import Session
from companion.games import GAMES, find_game
from companion.household.languages import LANGUAGES
from companion.sessions.index import SessionState, SessionSummary
from companion.sessions.statistics import people
from companion.web.access import REMEMBER_S, ViewResult, changes_game, inside_path
from companion.web.context import THEMES, existing, house, language, nameless, say
from companion.web.watch_presenter import status_line

home_blueprint = Blueprint("home", __name__)

_BEGINNING = Lock()

AS_THE_PAGE = "page"
"""The boxes are printed in the language of the page."""
MOST_GOING = 4
MOST_AGAIN = 2
"""Tables that may play once more with one tap."""
ADDED_UP = 8
"""Sessions that are added up for the first page after a start; it must not wait for a long log."""
MOST_PEOPLE = 12
"""Names that are offered to a new table: more than sit round any."""
MOST_EARLIER = 8
"""Games that are asked for what a household knows: several may be going on, each with news of its own."""
MOST_KNOWN = 200
"""Entries that a game begins with, at most."""


@home_blueprint.get("/")
def index() -> str:
    known, demonstration = latest_sessions(), house().demonstration
    shown = [demonstration.session] if demonstration and demonstration.session else []
    going = [one.id for one in known if one.state is SessionState.GOING and one.by_people]
    others = [id for id in going if id not in shown]
    shown += others[:MOST_GOING]
    running = [session for id in shown if (session := _opened(id))]
    watcher = house().watcher
    watch = watcher.watch if watcher else None
    watching = _opened(watch.session) if watch and watch.session else None
    return render_template(
        "home.html",
        newcomer=all(one.demonstration for one in known),
        running=running,
        more=max(0, len(others) - MOST_GOING),
        again=_tables(known),
        notices=house().notices,
        watch=watch,
        watching=watching,
        calm=status_line,
        counted=[game for game in GAMES.values() if photo_sight(game)],
    )


def _tables(known: Sequence[SessionSummary]) -> Sequence[SessionSummary]:
    """The tables of people that played last, each once: the same people may play the same game again."""
    found: dict[object, SessionSummary] = {}
    for one in known:
        same = (one.game, frozenset(player.name for player in one.players), one.options)
        if not one.demonstration and one.game in GAMES and one.players:
            found.setdefault(same, one)
    return [one for one in found.values() if one.state is not SessionState.GOING][:MOST_AGAIN]


@home_blueprint.get("/new/<key>")
@changes_game
def new(key: str) -> ViewResult:
    """Who plays: the people of the last game of this kind, until somebody says otherwise."""
    game = _game(key)
    form = request.args or _last_table(game)
    return render_template("new.html", game=game, form=form, **setup_choices(game, form))


@home_blueprint.post("/new/<key>")
@changes_game
def start(key: str) -> ViewResult:
    game = _game(key)
    try:
        session = _begin(game, setup_from(game, request.form))
    except CompanionError as error:
        choices = setup_choices(game, request.form)
        return render_template(
            "new.html", game=game, form=request.form, message=error.message, **choices
        ), 503 if isinstance(error, StoreError) else 422
    return redirect(url_for("play.show", id=session.id), 303)


@home_blueprint.post("/s/<id>/again")
@changes_game
def again(id: str) -> ViewResult:
    """The same people play the same game once more."""
    last = house().sessions.session(id)
    with _BEGINNING:
        newest = next((one for one in latest_sessions() if one.game == last.game.key), None)
        begun = _opened(newest.id) if newest and newest.id != id else None
        # A tap that was sent twice, or by two tablets at once, begins one game.
        if not (begun and begun.going and begun.untouched and begun.setup == last.setup):
            begun = _begin(last.game, last.setup)
    return redirect(url_for("play.show", id=begun.id), 303)


def _begin(game: AnyGame, setup: Setup) -> Session:
    session = house().sessions.begin(game, setup, Source.PAGE)
    _hand_down(session)
    _watch(session)
    return session


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
    """The table described by the form of a new game. Where it says how many play, a player without a name goes by
    their colour; elsewhere nobody sits there."""
    players = []
    told = form.get("players", "")
    count = int(told) if told in map(str, game.seats) else 0
    for seat in range(count or game.seats[-1]):
        name, colour = form.get(f"name{seat}", "").strip(), form.get(f"colour{seat}", "")
        if not name and count and colour in set(Colour):
            name = say(COLOUR_NAMES[Colour(colour)])
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
    form = {f"option_{key}": "on" for key in setup.options} | {"players": str(len(setup.players))}
    for seat, player in enumerate(setup.players):
        form |= {f"name{seat}": player.name, f"colour{seat}": player.colour.value}
    return form


def setup_choices(game: AnyGame, form: Mapping[str, str]) -> dict[str, object]:
    """What the fields of a table show: who sits where, and who might."""
    used = {form.get(f"colour{seat}") for seat in range(game.seats[-1])}
    free = cycle([colour.value for colour in game.colours if colour.value not in used] or [*game.colours])
    seats = [
        (seat, form.get(f"name{seat}", ""), form.get(f"colour{seat}") or next(free))
        for seat in range(game.seats[-1])
    ]
    told = form.get("players", "")
    named = sum(bool(name) for _seat, name, _colour in seats)
    count = int(told) if told in map(str, game.seats) else max(game.seats[0], named)
    known = people(latest_sessions(), nameless)[:MOST_PEOPLE]
    return {"seats": seats, "count": count, "known": known, "name_limit": NAME_LIMIT}


def _last_table(game: AnyGame) -> Mapping[str, str]:
    """The form filled in with the table that played this game last."""
    last = next((one for one in latest_sessions() if one.game == game.key and not one.demonstration), None)
    return form_of(Setup(last.players, last.options)) if last and last.players else {}


def latest_sessions() -> Sequence[SessionSummary]:
    """What is known of the sessions that nobody has put into the bin, the newest first."""
    index = house().sessions.index
    index.refresh(ADDED_UP)
    return [one for one in index.summaries() if not one.filing.deleted]


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
