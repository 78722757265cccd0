"""What requests carry, read with limits: whoever sends something else is told so and nothing happens.

Pictures come in and go out here, too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from flask import Response, abort, request

from companion.core.errors import CameraError, CompanionError, NotationError
from companion.core.message import message as _
from companion.core.photo import SentPhoto
from companion.web.context import existing, house, say

NOT_UNDERSTOOD = _("The companion did not understand that. Nothing was recorded.")
KEY_LIMIT = 60
"""Longest name of a piece, a switch or a way out."""


def whole_field(name: str, digits: int = 9) -> int:
    """A number that counts something, such as entries."""
    text = request.form.get(name, "")
    if not re.fullmatch(f"[0-9]{{1,{digits}}}", text):
        raise NotationError(NOT_UNDERSTOOD)
    return int(text)


def version_field() -> int:
    """Which of the watcher's snapshots a page showed; they are numbered on over every start."""
    return whole_field("version", 15)


def measure_field(name: str, least: float, most: float) -> float:
    """A number that measures something, between two limits."""
    text = request.form.get(name, "")
    number = float(text) if re.fullmatch(r"-?[0-9]{1,6}(\.[0-9]{1,12})?", text) else math.nan
    if not least <= number <= most:
        raise NotationError(NOT_UNDERSTOOD)
    return number


def flag_field(name: str) -> bool:
    """Something that is switched on or off."""
    text = request.form.get(name, "")
    if text not in ("0", "1"):
        raise NotationError(NOT_UNDERSTOOD)
    return text == "1"


def key_field(name: str) -> str:
    """The name of something that only the companion names."""
    text = request.form.get(name, "")
    if not re.fullmatch(rf"[\w.:-]{{1,{KEY_LIMIT}}}", text, re.ASCII):
        raise NotationError(NOT_UNDERSTOOD)
    return text


def send_picture(take: Callable[[], bytes]) -> Response:
    """A JPEG, or why there is none."""
    try:
        jpeg = take()
    except CameraError as error:
        return Response(say(error.message), 503, {"Retry-After": "1"}, mimetype="text/plain")
    response = Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-cache"})
    response.add_etag()
    response.make_conditional(request)
    return response


def send_kept_picture(take: Callable[[], bytes | None]) -> Response:
    """A JPEG that stays the same under its address; 404 where it is gone."""
    try:
        jpeg = existing(take())
    except CompanionError:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=1800"})


STILL_WITHIN_S = 5.0
"""How long a table is waited for on which something moves, such as the arm that has just laid the last piece."""


def uploaded_photo(limit: int) -> Callable[[], SentPhoto]:
    """The photo of a form, in no memory until somebody takes it; NotationError when there is none."""
    file = next((file for file in request.files.getlist("photo") if file.filename), None)
    if file is not None:
        stream = file.stream
        return lambda: SentPhoto(stream.read(limit))
    if "camera" not in request.form:
        raise NotationError(_("Choose a photo first."))
    return camera_photo(STILL_WITHIN_S)


def camera_photo(patience_s: float = 0.0) -> Callable[[], SentPhoto]:
    """What the table's camera sees just now, as fine as it sees it; or once nothing moves, if that is so soon."""
    watcher, aimer = existing(house().watcher), existing(house().aimer)
    aimer.attend()
    return watcher.photo(patience_s)
