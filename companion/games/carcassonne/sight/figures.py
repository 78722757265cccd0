"""The followers: travellers in a wide hat and a long cloak, upright, lying down, and seen from above."""

from __future__ import annotations

from companion.core.game import INKS, Colour

STANDING_SIZE = 15.0
"""Millimetres across a standing follower seen from above, with what it darkens around it."""
LYING_SIZE = (16.0, 17.6)
"""Width and height of a follower that lies, its hat up, in millimetres."""

_INK, _HALO = "#2b2118", "#fff6df"
_CLOAK = "M39 46Q50 42 61 46C73 55 83 74 88 88Q90 94 83 95 50 101 17 95 10 94 12 88C17 74 27 55 39 46Z"
_HEAD = "M37 34H63V40Q61 51 50 51T37 40Z"
_HAT = "M19 33Q18 28 25 27L34 25C35 12 40 5 50 5S65 12 66 25L75 27Q82 28 81 33 79 37 50 37T19 33Z"
_ALL = _CLOAK + _HEAD + _HAT

FOLLOWER_SYMBOL = (
    '<g transform="translate(4.5 3.2) scale(.91)">'
    f'<path fill="{_HALO}" stroke="{_HALO}" stroke-width="9" stroke-linejoin="round" d="{_ALL}"/>'
    f'<g fill="currentColor" stroke="{_INK}" stroke-width="4" stroke-linejoin="round">'
    f'<path d="{_CLOAK}"/><path d="{_HEAD}"/><path d="{_HAT}"/></g>'
    f'<path fill="{_INK}" opacity=".24" d="M50 44Q56 43.5 61 46C73 55 83 74 88 88Q90 94 83 95 66 98 50 98Z'
    'M50 37V51Q61 51 63 40V35.5Q58 37 50 37ZM50 5Q65 5 66 25L75 27Q82 28 81 33 79 37 50 37Z"/>'
    f'<g fill="none" stroke="{_HALO}" stroke-linecap="round" opacity=".6">'
    '<path stroke-width="3" d="M41 18Q43 11 48 10M24 86Q28 74 34 65"/>'
    '<path stroke-width="2.5" d="M36 27Q50 31 64 27M50 56Q48 76 49 94"/></g></g>'
)
"""A follower upright, for the page: 100 by 100, in the colour of the text around it."""

_FROM_ABOVE = (
    f'<circle cx="75" cy="75" r="75" fill="{_INK}" opacity=".22"/>'
    f'<circle cx="75" cy="75" r="65" fill="{_HALO}"/>'
    f'<circle cx="75" cy="75" r="60" fill="currentColor" stroke="{_INK}" stroke-width="5"/>'
    f'<circle cx="75" cy="75" r="60" fill="{_INK}" opacity=".24"/>'
    f'<circle cx="75" cy="75" r="43" fill="currentColor" stroke="{_INK}" stroke-width="5"/>'
    f'<circle cx="75" cy="75" r="21" fill="currentColor" stroke="{_INK}" stroke-width="5"/>'
    f'<circle cx="75" cy="75" r="32" fill="none" stroke="{_HALO}" stroke-width="4" opacity=".5"/>'
)
LYING_SYMBOL = f'<g transform="translate(-15 -5) scale(2.3)">{FOLLOWER_SYMBOL}</g>'
"""A follower that lies, 200 by 220, in the colour of the text around it."""


def upright_follower(colour: Colour) -> str:
    """A follower upright, 100 by 100."""
    return _coloured(FOLLOWER_SYMBOL, colour)


def standing_follower(colour: Colour) -> str:
    """A standing follower as a camera above the table sees it, in tenths of a millimetre."""
    return _coloured(_FROM_ABOVE, colour)


def lying_follower(colour: Colour) -> str:
    """A follower that lies, as a farmer does, in tenths of a millimetre."""
    return _coloured(f'<g transform="scale(.8)">{LYING_SYMBOL}</g>', colour)


def _coloured(drawing: str, colour: Colour) -> str:
    return f'<g color="{INKS[colour]}">{drawing}</g>'
