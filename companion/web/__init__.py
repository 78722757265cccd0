"""The page on the tablet: `create_app` puts the Flask application together.

One blueprint a topic; blueprint names are part of URLs in templates (`url_for("play.show")`) and outlive the
modules' names.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from urllib.parse import urlencode

from flask import Flask, request
from jinja2 import ChoiceLoader, FileSystemLoader
from werkzeug.wrappers import Response

from companion.core.game import COLOUR_NAMES, Explains
from companion.core.photo import photo_sight
from companion.games import GAMES
from companion.household.languages import LANGUAGES
from companion.web import (
    access,
    box,
    camera,
    camera_choice,
    correction,
    count,
    errors,
    home,
    people,
    photo,
    replay,
    session,
    sessions,
    virtual,
    watch,
)
from companion.web.context import House as House
from companion.web.context import house, language, printed_language, say, theme, translator
from companion.web.home import book_blueprint

FRESH_S = 60
"""How long a device keeps pictures, styles and scripts without asking: news would let every small picture flicker."""


def create_app(inside: House) -> Flask:
    app = Flask(__name__, static_folder="static")
    app.secret_key = inside.secret
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = FRESH_S
    app.extensions["companion"] = inside
    access.guard_requests(app)
    errors.handle_errors(app)
    _init_templates(app)
    for blueprint in (
        home.home_blueprint,
        sessions.sessions_blueprint,
        people.people_blueprint,
        access.access_blueprint,
        session.play_blueprint,
        correction.correction_blueprint,
        session.result_blueprint,
        session.stream_blueprint,
        replay.replay_blueprint,
        book_blueprint,
    ):
        app.register_blueprint(blueprint)
    if inside.photos:
        app.register_blueprint(photo.photo_blueprint)
        app.register_blueprint(count.count_blueprint)
    if inside.boxes:
        app.register_blueprint(box.boxes_blueprint)
        app.register_blueprint(box.box_blueprint)
    if inside.watcher:
        app.register_blueprint(watch.watch_blueprint)
    if inside.aimer:
        app.register_blueprint(camera.camera_blueprint)
    if inside.cameras:
        app.register_blueprint(camera_choice.camera_choice_blueprint)
    if inside.virtual:
        app.register_blueprint(virtual.virtual_blueprint)
    app.after_request(_never_keep_pages)
    return app


def _init_templates(app: Flask) -> None:
    games = [FileSystemLoader(game.folder / "templates") for game in GAMES.values()]
    own = app.jinja_loader
    app.jinja_loader = ChoiceLoader([*([own] if own else []), *games])
    environment = app.jinja_env
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.add_extension("jinja2.ext.i18n")
    environment.install_gettext_callables(  # type: ignore[attr-defined]  # added by the extension
        lambda text: translator().gettext(text),
        lambda one, many, n: translator().ngettext(one, many, n),
        newstyle=True,
    )
    environment.filters.update(say=say, when=_when, signed=_signed, lasting=_lasting, decimal=_decimal)
    app.context_processor(_everywhere)


def _everywhere() -> dict[str, object]:
    return {
        "link": _link,
        "filtered": sessions.filter_address,
        "brings": lambda game, name: (game.folder / "static" / name).is_file(),
        "explains": lambda game: isinstance(game, Explains),
        "taught": lambda game: photo_sight(game) is not None,
        "house": house(),
        "language": language(),
        "printed": printed_language(),
        "languages": LANGUAGES,
        "theme": theme(),
        "may_change": access.may_change(),
        "at_host": access.at_host(),
        "colour_names": COLOUR_NAMES,
        "games": GAMES,
    }


def _link(**changes: object) -> str:
    """This page's address with some of its wishes changed; None takes one away."""
    wishes = request.args.to_dict(flat=False)
    if "view" in request.form:
        wishes["view"] = [request.form["view"]]
    wishes.update({key: [str(value)] for key, value in changes.items() if value is not None})
    return "?" + urlencode(
        [(k, v) for k, values in wishes.items() if changes.get(k, "") is not None for v in values]
    )


def _signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−")


def _lasting(time: timedelta | None) -> str:
    """Minutes and seconds, as a clock shows them."""
    if time is None:
        return "–"
    minutes, seconds = divmod(round(time.total_seconds()), 60)
    return f"{minutes}:{seconds:02d}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"


def _decimal(number: float) -> str:
    """With one place, as the language writes it."""
    return f"{number:.1f}" if language() == "en" else f"{number:.1f}".replace(".", ",")


def _when(moment: datetime) -> str:
    # Imported here: Babel is slow to load, and only lists of sessions say dates.
    from babel.dates import format_date, format_time

    local, spoken = moment.astimezone(), language().replace("-", "_")
    return f"{format_date(local, 'medium', locale=spoken)}, {format_time(local, 'short', locale=spoken)}"


def _never_keep_pages(response: Response) -> Response:
    if response.mimetype == "text/html":
        response.headers["Cache-Control"] = "no-store"
    return response
