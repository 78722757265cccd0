"""Who may do what: by which name the page is called, where a form comes from, who knows the PIN, and what was
tapped before it was asked for.

`changes_game` marks every view that changes the game. What somebody tapped without the PIN is kept in their
own cookie and done once the PIN is right.
"""

from __future__ import annotations

import functools
import ipaddress
import math
import secrets
from collections.abc import Callable
from time import time
from typing import Any, ParamSpec
from urllib.parse import SplitResult, urlsplit

import segno
from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    flash,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.web.context import house, say

KEPT_FORM_S = 300
"""Whoever takes longer to find the PIN taps again."""
LONGEST_KEPT = 1500
"""Letters of a form that is kept: a cookie has no room for more."""
AGAIN_FIELD = "again"
"""What stands for a tap that was not kept."""
MEANT_NOW = frozenset({"virtual.push"})
"""A press of a button is about what lies on the table at that moment."""
ASKED_KEY = "asked"
OWN_FIELDS = frozenset({"pin", "back", ASKED_KEY})
"""Fields of the page that asks for the PIN."""


def keep_form() -> str:
    """Keep the form that was sent just now; by the mark that is returned it can be asked for once."""
    fields = [[name, value] for name, values in request.form.lists() for value in values]
    length = len(request.path) + sum(len(name) + len(value) for name, value in fields)
    if (
        length > LONGEST_KEPT
        or request.files
        or OWN_FIELDS & request.form.keys()
        or request.endpoint in MEANT_NOW
    ):
        return AGAIN_FIELD
    mark = secrets.token_urlsafe(9)
    session[ASKED_KEY] = {"mark": mark, "path": request.path, "fields": fields, "until": time() + KEPT_FORM_S}
    return mark


def kept_fields(mark: str) -> list[tuple[str, str]]:
    """What the form with that mark said; nothing when it is not this device's, or too old."""
    kept = _kept(mark)
    return [(name, value) for name, value in kept["fields"]] if kept else []


def take_kept_form(mark: str) -> str:
    """Where the form with that mark goes, once; empty when there is none."""
    kept = _kept(mark)
    session.pop(ASKED_KEY, None)
    return str(kept["path"]) if kept else ""


def _kept(mark: str) -> dict[str, Any] | None:
    # Only this device's own tap is done, never one that a link from elsewhere makes up: the cookie is signed.
    kept: dict[str, Any] | None = session.get(ASKED_KEY)
    return kept if kept and kept["mark"] == mark and time() < kept["until"] else None


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
    name = _parts(f"//{request.host}").hostname
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
    address = request.remote_addr or ""
    return _is_address(address) and ipaddress.ip_address(address).is_loopback and not forwarded


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
        return redirect(url_for("door.unlock", back=back, asked=keep_form()), 303)

    return guarded


def inside_path(back: str) -> str:
    """Only ever lead back to a page of ours."""
    parts = _parts(back)
    inside = (
        not parts.scheme and not parts.netloc and back.startswith("/") and not back.startswith(("//", "/\\"))
    )
    return back if inside and back.isprintable() else url_for("home.index")


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


access_blueprint = Blueprint("door", __name__)


@access_blueprint.get("/join")
def join() -> str:
    addresses = house().addresses
    address = addresses[0] if addresses else request.host_url
    code = segno.make(address, micro=False).svg_inline(
        omitsize=True, border=2, dark="#1d1b18", light="#ffffff"
    )
    return render_template(
        "join.html", address=address, others=addresses[1:], code=Markup(code), pin=_known_here()
    )


@access_blueprint.get("/unlock")
def unlock() -> str:
    return _ask(inside_path(request.args.get("back", "")), request.args.get("asked", ""))


@access_blueprint.post("/unlock")
def try_pin() -> ViewResult:
    """Let the device change the game from now on, if it knows the PIN."""
    address, back = request.remote_addr or "?", inside_path(request.form.get("back", ""))
    mark = request.form.get("asked", "")
    pin = "".join(request.form.get("pin", "")[:40].split())
    wait = house().doorkeeper.wait(address)
    # The host's own screen shows the PIN: others' wrong guesses must not lock it out.
    if house().doorkeeper.admits(address, pin) or (at_host() and house().doorkeeper.knows(pin)):
        session.permanent = True
        session["pin"] = house().pin_mark
        return _go_on(back, mark)
    wait = wait or house().doorkeeper.wait(address)
    message = _("That is not the PIN. It is on the companion's own computer, under “Join with a phone”.")
    if wait:
        message = _n(
            "Wait %(count)d second, then try again.",
            "Wait %(count)d seconds, then try again.",
            math.ceil(wait),
        )
    return _ask(back, mark, message), 429 if wait else 403


@access_blueprint.post("/lock")
def lock() -> ViewResult:
    session.clear()
    return redirect(url_for("home.index"), 303)


def _ask(back: str, mark: str, message: Message | None = None) -> str:
    return render_template(
        "unlock.html",
        back=back,
        mark=mark,
        tapped=kept_fields(mark),
        pin=_known_here(),
        message=message,
    )


def _go_on(back: str, mark: str) -> ViewResult:
    """Do what was tapped before the PIN was asked: the same form goes where it was meant to go."""
    if to := take_kept_form(mark):
        return redirect(to, 307)
    if mark:
        flash(say(_("This device may change the game now. Tap again.")))
    return redirect(back, 303)


def _known_here() -> str:
    return house().doorkeeper.pin if at_host() else ""
