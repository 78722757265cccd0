"""Coming in: the address and its picture for phones, and the PIN that lets a device change the game."""

from __future__ import annotations

import math

import segno
from flask import Blueprint, flash, redirect, render_template, request, session, url_for
from markupsafe import Markup

from companion.core.message import Message
from companion.core.message import message as _
from companion.core.message import plural as _n
from companion.web import asked
from companion.web.context import house, say
from companion.web.guard import ViewResult, at_host, inside_path

access_blueprint = Blueprint("door", __name__)


@access_blueprint.get("/join")
def join() -> str:
    addresses = house().addresses
    address = addresses[0] if addresses else request.host_url
    code = segno.make(address, micro=False).svg_inline(
        omitsize=True, border=2, dark="#1d1b18", light="#ffffff"
    )
    pin = house().doorkeeper.pin if at_host() else ""
    return render_template("join.html", address=address, others=addresses[1:], code=Markup(code), pin=pin)


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
        tapped=asked.kept_fields(mark),
        pin=_known_here(),
        message=message,
    )


def _go_on(back: str, mark: str) -> ViewResult:
    """Do what was tapped before the PIN was asked: the same form goes where it was meant to go."""
    if to := asked.take_kept_form(mark):
        return redirect(to, 307)
    if mark:
        flash(say(_("This device may change the game now. Tap again.")))
    return redirect(back, 303)


def _known_here() -> str:
    return house().doorkeeper.pin if at_host() else ""
