"""The stream that tells every open page when its session has a new entry."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from threading import Lock
from time import monotonic

from flask import Blueprint, Response, request

from companion.core.errors import CompanionError
from companion.table import Table
from companion.web.context import house

blueprint = Blueprint("live", __name__)

HEARTBEAT_S = 10.0
"""How long a quiet stream waits before it says that it is still there."""
LOOK_S = 1.0
"""How soon a stream notices that its page has gone, and gives its place to another."""
RETRY_MS = 1000
"""How soon a page asks again after the stream broke."""


class Listeners:
    """Counts open streams: each keeps one of the server's threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.count = 0

    def enter(self, most: int) -> bool:
        with self._lock:
            if self.count >= most:
                return False
            self.count += 1
            return True

    def leave(self) -> None:
        with self._lock:
            self.count -= 1


listeners = Listeners()


@blueprint.get("/s/<id>/events")
def events(id: str) -> Response:
    """Server-sent events: one at once, one for every entry, and a sign of life in between."""
    table = house().table
    table.session(id)  # a session that is not there gets its answer before the stream begins
    if not listeners.enter(house().listeners):
        return Response("", 503, {"Retry-After": "5"})
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    response = Response(_stream(table, id, gone), mimetype="text/event-stream")
    response.headers |= {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    response.call_on_close(listeners.leave)
    return response


def _stream(table: Table, id: str, gone: Callable[[], bool]) -> Iterator[str]:
    number = table.news.wait(-1, 0)
    yield f"retry: {RETRY_MS}\n\n"
    told, spoke = -1, monotonic()
    while not (table.news.closed or gone()):
        try:
            seq = table.session(id).seq
        except CompanionError:
            return
        if seq != told:
            yield f"id: {seq}\ndata: {json.dumps({'seq': seq})}\n\n"
            told, spoke = seq, monotonic()
        elif monotonic() - spoke >= HEARTBEAT_S:
            yield ": still here\n\n"
            spoke = monotonic()
        number = table.news.wait(number, min(LOOK_S, HEARTBEAT_S))
