"""What somebody tapped before the PIN was asked: kept in their own cookie, and done once the PIN is right."""

from __future__ import annotations

import secrets
from time import time
from typing import Any

from flask import request, session

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
