"""The one page there is while the log cannot be opened: what is wrong, and that nothing is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import escape
from werkzeug.wrappers import Request
from werkzeug.wrappers import Response as PlainResponse

from companion.core.errors import CompanionError
from companion.core.message import message as _
from companion.household.words import best_language, catalogue
from companion.web import guard

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

_HEADING = _("The companion cannot open its log")
_ADVICE = _(
    "Nothing that was recorded is lost by this. As soon as the log can be opened, this page becomes the game."
)

TROUBLE_HEADERS = {
    **guard.SECURITY_HEADERS,
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
