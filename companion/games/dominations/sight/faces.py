"""How the pieces of Dominations look from above: territories, the Cradle, Cities, and the card with the colours.

Millimetres, degrees clockwise, y downwards; drawings in tenths of a millimetre. Sizes and inks are in `camera.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from math import cos, radians, sin, sqrt

from companion.core.game import Colour
from companion.core.observation import ColourSpot, Face, Tinted
from companion.games.dominations.rules.board import NO_DOT, Tile
from companion.games.dominations.rules.box import CITY_LEVELS, LETTERS, VESTIGIUM, Domain, load_table

_CAMERA = load_table("camera")
_TERRITORY, _CARD, _CITY = _CAMERA["territory"], _CAMERA["card"], _CAMERA["city"]
INKS: Mapping[str, str] = _CAMERA["inks"]
DOT_LETTERS = LETTERS + VESTIGIUM + NO_DOT
TERRITORY_SIDE: float = _TERRITORY["side"]
CIRCUMRADIUS = TERRITORY_SIDE / sqrt(3)
"""From the middle of a territory to its corners."""
TERRITORY_LABEL, CRADLE_LABEL, CARD_LABEL, CITY_LABEL = "territory", "cradle", "colours", "city"
LINE, PAPER = _TERRITORY["line"], _TERRITORY["cardboard"]
PLAYERS: Mapping[Colour, str] = {
    Colour.WHITE: "#f6f3ea",
    Colour.BLACK: "#24221f",
    Colour.GREEN: "#2f7d4a",
    Colour.PURPLE: "#6f3f97",
}

_UNITS = 10
"""Of a drawing, in a millimetre."""
_CLEAR = 1.3
"""Round a resource nothing is printed: so many times its radius."""
_DIRECTIONS = (150.0, 30.0, 270.0)
"""Of an upright territory's corners, in the order in which its resources are told; degrees clockwise from the right."""


def _at(degrees: float, far: float) -> tuple[float, float]:
    return far * cos(radians(degrees)), far * sin(radians(degrees))


DOWN_ANGLE = 300.0
"""How a territory is turned in a place that points down, for its resources to come in the order of the corners."""
CORNERS = tuple(_at(degrees, CIRCUMRADIUS) for degrees in _DIRECTIONS)
SPOTS = (
    ColourSpot(0.0, 0.0, _TERRITORY["field"]),
    *(ColourSpot(*_at(degrees, _TERRITORY["out"]), _TERRITORY["dot"]) for degrees in _DIRECTIONS),
)
"""Where a territory's Field and its resources are."""


def canonical_tile(tile: Tile) -> Tile:
    """The one way to write a territory that may be turned."""
    dots = tile.dots
    return Tile(tile.field, min(dots[n:] + dots[:n] for n in range(3)))


def face_label(tile: Tile) -> str:
    """The name of a territory's face, however it is turned."""
    return f"{TERRITORY_LABEL}-{canonical_tile(tile)}"


def turns_of_face(tile: Tile) -> int:
    """By how many thirds its face is turned clockwise to show its resources in this order."""
    face = canonical_tile(tile).dots
    return next(n for n in range(3) if face[n:] + face[:n] == tile.dots)


@cache
def territory_face(tile: Tile) -> Face:
    """A territory as it lies upright."""
    field, *dots = SPOTS
    inked = "".join(
        _disc(spot, INKS[letter], 1.0)
        for spot, letter in zip(dots, tile.dots, strict=True)
        if letter != NO_DOT
    )
    ground = f'<path fill="{PAPER}" d="{_path(CIRCUMRADIUS * _UNITS, CORNERS)}"/>{_border()}'
    return _triangle(f"{TERRITORY_LABEL}-{tile}", f"{ground}{_disc(field, INKS[tile.field], 2.0)}{inked}")


@cache
def blank_territory_face() -> Face:
    """What all territories have in common, with holes where their colours are."""
    field, *dots = SPOTS
    middle = CIRCUMRADIUS * _UNITS
    holes = "".join(_hole(middle, spot, spot.radius * _CLEAR) for spot in dots)
    outline = _path(middle, CORNERS)
    ring = (
        f'<path fill="{LINE}" fill-rule="evenodd" d="{_hole(middle, field, field.radius + 2)}'
        f'{_hole(middle, field, field.radius)}"/>'
    )
    body = _hole(middle, field, field.radius + 2)
    return _triangle(
        TERRITORY_LABEL,
        f'<path fill="{PAPER}" fill-rule="evenodd" d="{outline}{body}{holes}"/>{_border()}{ring}',
    )


def _triangle(label: str, drawing: str) -> Face:
    width = 2 * CIRCUMRADIUS
    # Clockwise as a picture shows it: lower left, upper, lower right.
    return Face(label, width, width, drawing, outline=(CORNERS[0], CORNERS[2], CORNERS[1]))


def _border() -> str:
    inner = [(0.94 * x, 0.94 * y) for x, y in CORNERS]
    return f'<path fill="none" stroke="{LINE}" stroke-width="18" d="{_path(CIRCUMRADIUS * _UNITS, inner)}"/>'


def _disc(spot: ColourSpot, ink: str, rim: float) -> str:
    x, y = (_UNITS * (CIRCUMRADIUS + value) for value in (spot.x, spot.y))
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_UNITS * (spot.radius + rim):.1f}" fill="{LINE}"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_UNITS * spot.radius:.1f}" fill="{ink}"/>'
    )


def _path(middle: float, corners: tuple[tuple[float, float], ...] | list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{middle + _UNITS * x:.1f} {middle + _UNITS * y:.1f}" for x, y in corners) + "z"


def _hole(middle: float, spot: ColourSpot, radius: float) -> str:
    x, y, r = middle + _UNITS * spot.x, middle + _UNITS * spot.y, _UNITS * radius
    return f"M{x - r:.1f} {y:.1f}a{r:.1f} {r:.1f} 0 1 0 {2 * r:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {-2 * r:.1f} 0z"


@cache
def cradle_face() -> Face:
    """Six places round a point, with a track that shows which way it lies."""
    corners = [_at(60.0 * n, TERRITORY_SIDE) for n in range(6)]
    inner = [(0.95 * x, 0.95 * y) for x, y in corners]
    middle = TERRITORY_SIDE * _UNITS
    arrow = [
        (0.0, -46.0),
        (17.0, -22.0),
        (7.0, -22.0),
        (7.0, 4.0),
        (-7.0, 4.0),
        (-7.0, -22.0),
        (-17.0, -22.0),
    ]
    stations = "".join(
        f'<circle cx="{middle + _UNITS * x:.1f}" cy="{middle + _UNITS * 32:.1f}" r="75"/>'
        for x in (-27, -9, 9, 27)
    )
    drawing = (
        f'<path fill="{PAPER}" d="{_path(middle, corners)}"/>'
        f'<path fill="none" stroke="{LINE}" stroke-width="22" d="{_path(middle, inner)}"/>'
        f'<path fill="{LINE}" d="{_path(middle, arrow)}"/>'
        f'<g fill="none" stroke="{LINE}" stroke-width="22">{stations}</g>'
    )
    return Face(CRADLE_LABEL, 2 * TERRITORY_SIDE, 2 * TERRITORY_SIDE, drawing, outline=tuple(corners))


# ---- the card with the colours ----

_PATCH, _BAR = _CARD["patch"], _CARD["line"]
_HEIGHT = _PATCH + 2 * _BAR + 4
_FIRST = 3 + _PATCH + _BAR
"""Where the first patch begins, after one that is all dark: it tells where the card begins."""
_WIDTH = _FIRST + len(DOT_LETTERS) * (_PATCH + _BAR) + 3


def _patches() -> Iterator[tuple[str, float]]:
    """Each letter with where its patch begins."""
    for number, letter in enumerate(DOT_LETTERS):
        yield letter, _FIRST + number * (_PATCH + _BAR)


def _card(inked: bool) -> Face:
    top = (_HEIGHT - _PATCH) / 2
    frame = f"M30 {_UNITS * (top - _BAR):g}H{_UNITS * (_WIDTH - 3):g}V{_UNITS * (top + _PATCH + _BAR):g}H30z"
    holes = "".join(
        f"M{_UNITS * left:g} {_UNITS * top:g}v{_UNITS * _PATCH:g}h{_UNITS * _PATCH:g}v{-_UNITS * _PATCH:g}z"
        for _letter, left in _patches()
    )
    size = f"{_UNITS * _WIDTH:g} {_UNITS * _HEIGHT:g}".split()
    paper = (
        f'<path fill="{_CARD["paper"]}" fill-rule="evenodd" d="M0 0H{size[0]}V{size[1]}H0z{frame}"/>'
        f'<path fill="{LINE}" fill-rule="evenodd" d="{frame}{holes}"/>'
    )
    inks = "".join(
        f'<path fill="{INKS.get(letter, PAPER)}" d="M{_UNITS * left:g} {_UNITS * top:g}v{_UNITS * _PATCH:g}'
        f'h{_UNITS * _PATCH:g}v{-_UNITS * _PATCH:g}z"/>'
        for letter, left in _patches()
    )
    return Face(CARD_LABEL, _WIDTH, _HEIGHT, paper + (inks if inked else ""))


@cache
def colour_card_face() -> Face:
    """A strip of paper with a patch of every colour."""
    return _card(inked=True)


@cache
def tinted_territories() -> Tinted:
    """What an eye needs to know to read territories."""
    patches = {
        letter: ColourSpot(left + _PATCH / 2 - _WIDTH / 2, 0.0, 0.45 * _PATCH) for letter, left in _patches()
    }
    return Tinted(
        blank_territory_face(),
        TERRITORY_SIDE,
        SPOTS,
        (LETTERS, DOT_LETTERS, DOT_LETTERS, DOT_LETTERS),
        cradle_face(),
        _card(inked=False),
        patches,
        NO_DOT,
    )


# ---- Cities, and everything ----


@cache
def city_face(colour: Colour, level: int) -> Face:
    """A City's markers, one on the other: what is seen is the uppermost, with a mark for each level."""
    across = _CITY["across"]
    middle, far = _UNITS * across / 2, _UNITS * across / 2 - 8
    corners = (_at(60.0 * n, far) for n in range(6))
    points = " ".join(f"{middle + x:.1f},{middle + y:.1f}" for x, y in corners)
    ink = LINE if colour is Colour.WHITE else "#f6f3ea"
    pips = "".join(
        f'<circle cx="{middle + 26 * (n - (level - 1) / 2):.1f}" cy="{middle:.1f}" r="10" fill="{ink}"/>'
        for n in range(level)
    )
    drawing = f'<polygon points="{points}" fill="{PLAYERS[colour]}" stroke="{LINE}" stroke-width="6"/>{pips}'
    return Face(f"{CITY_LABEL}-{colour}-{level}", across, across, drawing, stands=True, round=True)


def city_faces() -> Iterator[Face]:
    for colour, level in product(PLAYERS, CITY_LEVELS):
        yield city_face(colour, level)


def territory_faces() -> Iterator[Tile]:
    """Every territory that can be printed, each once."""
    for field in Domain:
        for dots in map("".join, product(DOT_LETTERS, repeat=3)):
            tile = Tile(field, dots)
            if canonical_tile(tile) == tile:
                yield tile
