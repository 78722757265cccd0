"""Pieces have the same colours on the page and on the virtual table."""

from __future__ import annotations

import re
from pathlib import Path

from companion.core.game import INKS

STYLE = Path(__file__).parents[2] / "companion" / "web" / "static" / "page.css"


def test_the_style_and_the_drawings_use_the_same_inks() -> None:
    style = STYLE.read_text(encoding="utf-8")

    assert dict(re.findall(r"\.ink-(\w+) \{ color: (#\w+); \}", style)) == dict(INKS)
    assert dict(re.findall(r"\.turn-(\w+) \{ --turn: (#\w+); \}", style)) == dict(INKS)
