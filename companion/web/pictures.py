"""Pictures that the camera takes, sent once until they change."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, abort, request

from companion.core.errors import CameraError, NotationError
from companion.core.message import message as _
from companion.web.context import house, say


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


def uploaded_photo(limit: int) -> Callable[[], bytes]:
    """The photo of a form, in no memory until somebody takes it; NotationError when there is none."""
    file = next((file for file in request.files.getlist("photo") if file.filename), None)
    if file is not None:
        stream = file.stream
        return lambda: stream.read(limit)
    if "camera" not in request.form:
        raise NotationError(_("Choose a photo first."))
    picture = camera_picture()
    return lambda: picture


def camera_picture() -> bytes:
    """What the table's camera sees just now."""
    watcher, aimer = house().watcher, house().aimer
    if watcher is None or aimer is None:
        abort(404)
    aimer.attend()
    return watcher.picture("capture")[1]
