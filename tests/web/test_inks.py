"""Pieces have the same colours on the page and on the virtual table, and whose turn it is can be seen in any
light.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.core.game import INKS

STYLES = Path(__file__).parents[2] / "companion" / "web" / "static"
TURNS = r"\.turn-(\w+) \{ --turn: (#\w+); \}"
ENOUGH = 1.4
"""A yellow edge on light paper has no more; the edge is wide, and the name stands beside it."""


def style(name: str) -> str:
    return (STYLES / name).read_text(encoding="utf-8")


def test_the_style_and_the_drawings_use_the_same_inks() -> None:
    assert dict(re.findall(r"\.ink-(\w+) \{ color: (#\w+); \}", style("page.css"))) == dict(INKS)
    assert dict(re.findall(TURNS, style("page.css"))) == dict(INKS)


@pytest.mark.parametrize("light", ("page.css", "evening.css"))
def test_whose_turn_it_is_stands_out_from_the_paper(light: str) -> None:
    paper = re.search(r"--paper: (#\w+);", style(light))
    assert paper
    turns = dict(INKS) | dict(re.findall(TURNS, style(light)))
    contrasts = {colour: contrast(ink, paper[1]) for colour, ink in turns.items() if colour != "white"}

    assert {colour: round(found, 2) for colour, found in contrasts.items() if found < ENOUGH} == {}


def contrast(one: str, other: str) -> float:
    """By the Web Content Accessibility Guidelines."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
