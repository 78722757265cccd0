"""Teaching the companion a box: what to lay down, a photo of it, what was seen, what is missing, what looks alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from flask import Blueprint, Response, g, redirect, render_template, request, url_for

from companion.core.errors import CompanionError, NotationError
from companion.core.message import Message
from companion.core.message import message as _
from companion.core.photo import photo_sight
from companion.games import GAMES
from companion.web import forms
from companion.web.access import ViewResult, changes_game
from companion.web.context import existing, house, say
from companion.web.errors import status_of
from companion.web.forms import NOT_UNDERSTOOD, key_field, whole_field
from companion.web.photo import PHOTO_LIMIT

if TYPE_CHECKING:
    from companion.photos.teaching import BoxDesk, BoxView

boxes_blueprint = Blueprint("boxes", __name__, url_prefix="/box")
box_blueprint = Blueprint("box", __name__, url_prefix="/box/<key>")

LONGEST_TITLE = 60
OURS = _("Our box")
"""What the household's first box is called until somebody names it."""
GOOD = _("Sharp, and nothing is reflected: take it now.")


@box_blueprint.url_value_preprocessor
def take_game(_endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Every page here is about one game's box: views need not be told."""
    g.boxed = values.pop("key") if values else ""


@box_blueprint.url_defaults
def keep_game(_endpoint: str, values: dict[str, Any]) -> None:
    if "boxed" in g:
        values.setdefault("key", g.boxed)


@boxes_blueprint.get("")
@changes_game
def choose() -> ViewResult:
    """Which game's box; there is nothing to choose where one can be taught."""
    games = [game for game in GAMES.values() if photo_sight(game)]
    if len(games) == 1:
        return redirect(url_for("box.show", key=games[0].key), 303)
    return render_template("boxes.html", games=games)


@box_blueprint.before_request
def allow_photos() -> None:
    """Forms are small everywhere else."""
    request.max_content_length = PHOTO_LIMIT


@box_blueprint.get("")
@changes_game
def show() -> ViewResult:
    return render()


@box_blueprint.post("/photo")
@changes_game
def put() -> ViewResult:
    """Look at the photo that was sent, or at what the table's camera sees."""
    lesson = request.form.get("lesson", "")
    try:
        token = _desk().put(lesson, forms.uploaded_photo(PHOTO_LIMIT))
    except CompanionError as error:
        return render(error.message, status_of(error))
    return _shown(lesson=lesson, photo=token)


@box_blueprint.get("/now")
@changes_game
def now() -> ViewResult:
    """What is wrong with what the table's camera sees just now, in words."""
    try:
        words = _desk().objection(request.args.get("lesson", ""), forms.camera_photo()) or GOOD
    except CompanionError as error:
        words = error.message
    told = say(_("The camera above the table: %(words)s", words=words))
    return Response(told, mimetype="text/plain", headers={"Cache-Control": "no-store"})


@box_blueprint.post("/turn")
@changes_game
def turn() -> ViewResult:
    token = request.form.get("photo", "")
    return _tried(lambda desk: desk.turn(token), photo=token)


@box_blueprint.post("/learn")
@changes_game
def learn() -> ViewResult:
    """Let the box learn the photo."""
    token = request.form.get("photo", "")
    return _tried(lambda desk: desk.learn(key_field("box"), token))


@box_blueprint.post("/forget")
@changes_game
def forget() -> ViewResult:
    """Throw the photo away."""
    _desk().forget(request.form.get("photo", ""))
    return _shown(lesson=request.form.get("lesson", ""))


@box_blueprint.post("/piece")
@changes_game
def piece() -> ViewResult:
    """Put a piece right: call it by another name, forget a drawing, or all of them, or all pieces of a photo."""
    box, label = request.form.get("box", ""), request.form.get("piece", "")
    if lesson := request.form.get("lesson", ""):
        return _tried(lambda desk: desk.unlearn(box, lesson), lesson=lesson)
    to, index = request.form.get("to"), request.form.get("drawing", "")
    if to is not None:
        return _tried(lambda desk: desk.rename(box, label, to), piece=to)
    if index:
        return _tried(lambda desk: desk.drop(box, label, whole_field("drawing", 4)), piece=label)
    return _tried(lambda desk: desk.remove(box, label), pieces="1")


@box_blueprint.post("/boxes")
@changes_game
def boxes() -> ViewResult:
    """Another box, another name for it, another one to read photos by, or one box less."""
    box, title = request.form.get("box", ""), request.form.get("title", "")[:LONGEST_TITLE]
    do = request.form.get("do", "")
    try:
        if do == "add":
            return _shown(box=_desk().add(title, say(OURS)))
        if do == "title":
            _desk().title(box, title, say(OURS))
        elif do == "use":
            _desk().use(box)
        elif do == "remove":
            _desk().discard(box)
            return redirect(url_for("box.show"), 303)
        else:
            raise NotationError(NOT_UNDERSTOOD)
    except CompanionError as error:
        return render(error.message, status_of(error))
    return _shown()


@box_blueprint.get("/<any(photo, turn, learn, forget, piece, boxes):_done>")
def back(_done: str) -> ViewResult:
    """A refused tap leaves a browser at its address: links there lead to the box."""
    return redirect(f"{url_for('box.show')}?{request.query_string.decode(errors='replace')}", 303)


@box_blueprint.get("/photo/<token>/<int:index>.jpg")
@changes_game
def square(token: str, index: int) -> Response:
    return forms.send_kept_picture(lambda: _desk().square(token, index))


@box_blueprint.get("/<name>/<int:index>.jpg")
@changes_game
def drawing(name: str, index: int) -> Response:
    return forms.send_kept_picture(lambda: _desk().drawing(name, index))


def render(message: Message | None = None, status: int = 200) -> ViewResult:
    desk, wishes = _desk(), request.values
    name, lesson = wishes.get("box", "")[:40], wishes.get("lesson", "")[:10]
    try:
        view: BoxView | None = desk.view(name, lesson, wishes.get("photo", "")[:40])
    except CompanionError as error:
        if message is None:
            message, status = error.message, status_of(error)
        view = _without_photo(desk, name, lesson)
    chosen = wishes.get("piece", "")
    page = render_template(
        f"{'box' if view else 'box_damaged'}.html",
        desk=desk,
        view=view or desk.unopened(name),
        message=message,
        piece=next((one for one in view.pieces if one.label == chosen), None) if view else None,
        pieces="pieces" in wishes,
        limit=PHOTO_LIMIT,
        longest=desk.longest,
        camera=house().watcher is not None and house().aimer is not None,
        going=_going(),
    )
    return page, status


def _going() -> str:
    """The game of this box that the camera watches just now."""
    watcher = house().watcher
    game = watcher.game if watcher else None
    return watcher.watch.session if watcher and game and game.key == g.boxed else ""


def _without_photo(desk: BoxDesk, name: str, lesson: str) -> BoxView | None:
    """The box without the photo that is gone; None where the box itself is damaged."""
    try:
        return desk.view(name, lesson, "")
    except CompanionError:
        return None


def _tried(done: Callable[[BoxDesk], object], **wishes: str) -> ViewResult:
    try:
        done(_desk())
    except CompanionError as error:
        return render(error.message, status_of(error))
    return _shown(**wishes)


def _shown(**wishes: str) -> ViewResult:
    box = wishes.pop("box", request.form.get("box", ""))[:40]
    asked = {"box": box, **wishes} if box else wishes
    return redirect(f"{url_for('box.show')}?{urlencode(asked)}" if asked else url_for("box.show"), 303)


def _desk() -> BoxDesk:
    return existing(existing(house().boxes).of(existing(GAMES.get(g.boxed))))
