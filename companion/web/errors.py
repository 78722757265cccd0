"""What went wrong, said so that a person can act upon it.

The error page, the status of each of our errors, and the one page there is while the log cannot be opened.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from flask import Flask, Response, render_template, request
from flask.globals import request_ctx
from markupsafe import escape
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Request
from werkzeug.wrappers import Response as PlainResponse

from companion.core.errors import (
    BusyError,
    CameraError,
    CompanionError,
    IllegalEvent,
    ModelError,
    NotationError,
    PanelError,
    StaleSession,
    StoreError,
    UnknownSession,
)
from companion.core.message import Message
from companion.core.message import message as _
from companion.household.languages import best_language, catalogue
from companion.web import access
from companion.web.context import say

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


log = logging.getLogger(__name__)

STATUS: tuple[tuple[type[Exception], int], ...] = (
    (UnknownSession, 404),
    (StaleSession, 409),
    (IllegalEvent, 422),
    (NotationError, 400),
    (StoreError, 503),
    (CameraError, 503),
    (PanelError, 503),
    (ModelError, 503),
    (BusyError, 503),
    (ValueError, 422),  # something sent cannot be used, such as a picture nobody can read
)

WORDS_BY_STATUS: dict[int, Message] = {
    400: _("The companion did not understand that. Nothing was recorded."),
    404: _("There is no such page. Perhaps the address has a slip in it."),
    405: _("This cannot be done here. Go back and try again."),
    413: _("That was too large. Nothing was recorded."),
    421: _("This address does not belong to the companion. Use the one on the host's screen."),
    429: _("Too many wrong PINs. Wait a little and try again."),
    500: _(
        "Something in the companion went wrong. Nothing that was recorded is lost; go back and try again."
    ),
}


def status_of(error: CompanionError) -> int:
    return next((status for kind, status in STATUS if isinstance(error, kind)), 500)


def handle_errors(app: Flask) -> None:
    app.register_error_handler(CompanionError, _companion_error)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _unexpected)


def _companion_error(error: CompanionError) -> tuple[str, int, dict[str, str]]:
    looking = request.method in ("GET", "HEAD")
    # While the log cannot be read the page asks again by itself; a form is never sent again.
    again = {"Refresh": "5", "Retry-After": "5"} if isinstance(error, StoreError) and looking else {}
    return render_template("error.html", message=error.message), status_of(error), again


def _page(message: Message) -> str | Response:
    if request_ctx.url_adapter is None:  # the host's name is no name: there is nothing a link could lead to
        return Response(say(message), mimetype="text/plain")
    return render_template("error.html", message=message)


def _http_error(error: HTTPException) -> tuple[str | Response, int]:
    status = error.code or 500
    told: object = error.description
    message = (
        told
        if isinstance(told, Message)
        else WORDS_BY_STATUS.get(status, WORDS_BY_STATUS[500 if status >= 500 else 400])
    )
    return _page(message), status


def _unexpected(error: Exception) -> tuple[str | Response, int]:
    log.exception("unexpected error", exc_info=error)
    return _page(WORDS_BY_STATUS[500]), 500


_HEADING = _("The companion cannot open its log")
_ADVICE = _(
    "Nothing that was recorded is lost by this. As soon as the log can be opened, this page becomes the game."
)

TROUBLE_HEADERS = {
    **access.SECURITY_HEADERS,
    # The page carries its own style, since there is no house yet to ask for one.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "Retry-After": "5",
    "Cache-Control": "no-store",
}

_PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5"><title>{heading}</title>
<style>body{{font:20px/1.4 system-ui,sans-serif;background:#f6f1e7;color:#1d1b18;
max-width:40em;margin:3em auto;padding:0 1em}}</style></head>
<body><h1>{heading}</h1><p><strong>{trouble}</strong></p><p>{advice}</p></body></html>
"""


def trouble_page(error: CompanionError | None) -> WSGIApplication:
    """A page that says what is wrong and looks again every few seconds."""

    @Request.application
    def page(request: Request) -> PlainResponse:
        language = best_language([tag for tag, _quality in request.accept_languages])
        words = catalogue(language)
        text = _PAGE.format(
            language=language,
            heading=escape(_HEADING.say(words)),
            trouble=escape(error.message.say(words) if error else ""),
            advice=escape(_ADVICE.say(words)),
        )
        return PlainResponse(text, 503, TROUBLE_HEADERS, mimetype="text/html")

    return page
