"""One thing the doctor looked at, and whether a companion is open while it looks."""

from __future__ import annotations

from dataclasses import dataclass
from http.client import HTTPException
from urllib.request import urlopen

from companion.core.message import Message

SERVER = "Table Companion"
"""How our server names itself in every answer."""
ANSWER_S = 1.0


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    check: str
    ok: bool
    detail: Message | str
    fix: Message | str = ""


def is_companion(port: int) -> bool:
    """Whether whoever answers there says that it is one of us."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/manifest.webmanifest", timeout=ANSWER_S) as answer:
            return bool(answer.headers["Server"] == SERVER)
    except (OSError, HTTPException):
        return False
