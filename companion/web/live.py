"""The stream that tells every open page when its session has a new entry, or its camera something to show."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from time import monotonic

from flask import Blueprint, Response, request

from companion.core.errors import CompanionError
from companion.watch.state import Watcher
from companion.web.context import DemonstrationProtocol, House, house

stream_blueprint = Blueprint("live", __name__)

HEARTBEAT_S = 10.0
"""How long a quiet stream waits before it says that it is still there."""
LOOK_S = 1.0
"""How soon a stream notices that its page has gone, and gives its place to another."""
RETRY_MS = 1000
"""How soon a page asks again after the stream broke."""


@stream_blueprint.get("/s/<id>/events")
def events(id: str) -> Response:
    """Server-sent events: one at once, one for every entry, and a sign of life in between."""
    table = house().table
    table.session(id)  # a session that is not there gets its answer before the stream begins
    if not house().streams.enter(house().listeners):
        return Response("", 503, {"Retry-After": "5"})
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    response = Response(_stream(house(), id, gone), mimetype="text/event-stream")
    response.headers |= {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    response.call_on_close(house().streams.leave)
    return response


def _stream(inside: House, id: str, gone: Callable[[], bool]) -> Iterator[str]:
    table = inside.table
    number = table.news.wait(-1, 0)
    yield f"retry: {RETRY_MS}\n\n"
    told, spoke = "", monotonic()
    with table.news.watching(id):
        while not (table.news.closed or gone()):
            nudges = table.news.nudges
            try:
                seq = table.session(id).seq
            except CompanionError:
                return
            news = json.dumps({"seq": seq, **_seen(inside.watcher, id), **_next(inside.demonstration, id)})
            if news != told:
                yield f"id: {seq}\ndata: {news}\n\n"
                told, spoke = news, monotonic()
            elif monotonic() - spoke >= HEARTBEAT_S:
                yield ": still here\n\n"
                spoke = monotonic()
            number = table.news.wait(number, min(LOOK_S, HEARTBEAT_S), nudges)


def _seen(watcher: Watcher | None, id: str) -> dict[str, int]:
    """What the camera has to show, where it watches this session."""
    watch = watcher.watch if watcher else None
    return {"watch": watch.version} if watch and watch.session == id else {}


def _next(demonstration: DemonstrationProtocol | None, id: str) -> dict[str, str]:
    """The game that a demonstration plays now, for pages that show the one before."""
    if demonstration is None or not demonstration.played(id) or demonstration.session == id:
        return {}
    return {"next": demonstration.session}
