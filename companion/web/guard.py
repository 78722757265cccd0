"""Who may do what: by which name the page is called, where a form comes from, and who knows the PIN."""

from __future__ import annotations

import functools
import ipaddress
from collections.abc import Callable
from typing import ParamSpec
from urllib.parse import SplitResult, urlsplit

from flask import Flask, Response, abort, redirect, request, session, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.core.message import message as _
from companion.web import asked
from companion.web.context import house

Args = ParamSpec("Args")
ViewResult = str | AnyResponse | tuple[str, int]

REQUEST_LIMIT = 256 * 1024
"""Bytes of a form."""
FIELDS_LIMIT = 200
REMEMBER_S = 180 * 24 * 3600

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; "
        "frame-ancestors 'none'; form-action 'self'; base-uri 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


def guard_requests(app: Flask) -> None:
    app.config.update(
        MAX_CONTENT_LENGTH=REQUEST_LIMIT,
        MAX_FORM_MEMORY_SIZE=REQUEST_LIMIT,
        MAX_FORM_PARTS=FIELDS_LIMIT,
        SESSION_COOKIE_NAME="companion",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
        PERMANENT_SESSION_LIFETIME=REMEMBER_S,
    )
    app.before_request(check_host)
    app.before_request(check_origin)
    app.after_request(add_headers)


def check_host() -> None:
    """Refuse names that are not ours, so that a page from elsewhere cannot pretend to be this one."""
    name = _hostname(request.host)
    if name is None or not (_is_address(name) or name in house().names):
        abort(421, _("This address does not belong to the companion. Use the one on the host's screen."))


def check_origin() -> None:
    """Refuse forms that another page sends in a visitor's name (cross-site request forgery)."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    ours = origin is None or _parts(origin).netloc == request.host
    if site not in (None, "same-origin", "none") or not ours:
        abort(403, _("This came from another page, so nothing was done. Open the companion's own page."))


def add_headers(response: Response) -> Response:
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def may_change() -> bool:
    """Whether this device has shown the table's PIN."""
    return session.get("pin") == house().pin_mark


def at_host() -> bool:
    """Whether this is the companion's own screen."""
    forwarded = "X-Forwarded-For" in request.headers or "Forwarded" in request.headers
    return _is_loopback(request.remote_addr or "") and not forwarded


def changes_game(view: Callable[Args, ViewResult]) -> Callable[Args, ViewResult]:
    """Mark a view that changes the game: without the PIN it does nothing and asks for it."""

    @functools.wraps(view)
    def guarded(*args: Args.args, **kwargs: Args.kwargs) -> ViewResult:
        if may_change():
            return view(*args, **kwargs)
        if request.method == "GET":
            return redirect(url_for("door.unlock", back=request.full_path), 303)
        came_from = _parts(request.referrer or "")._replace(scheme="", netloc="", fragment="")
        back = came_from.geturl() or url_for("home.index")
        return redirect(url_for("door.unlock", back=back, asked=asked.keep_form()), 303)

    return guarded


def inside_path(back: str) -> str:
    """Only ever lead back to a page of ours."""
    parts = _parts(back)
    inside = (
        not parts.scheme and not parts.netloc and back.startswith("/") and not back.startswith(("//", "/\\"))
    )
    return back if inside and back.isprintable() else url_for("home.index")


def _hostname(host: str) -> str | None:
    return _parts(f"//{host}").hostname


def _parts(address: str) -> SplitResult:
    """The parts of an address; of one that is none, a foreign one."""
    try:
        return urlsplit(address)
    except ValueError:
        return SplitResult("unknown", "", "", "", "")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(address: str) -> bool:
    return _is_address(address) and ipaddress.ip_address(address).is_loopback
