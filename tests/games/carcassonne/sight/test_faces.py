"""Our own drawings of Carcassonne: they say what the table of tiles says, join, and can be told apart."""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from math import dist
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.core.game import INKS, Colour
from companion.core.observation import Face
from companion.games.carcassonne.rules.board import TILES, FeatureKind
from companion.games.carcassonne.sight import faces
from companion.games.carcassonne.sight.faces import (
    LYING_SIZE,
    STANDING_SIZE,
    lying_follower,
    standing_follower,
)
from companion.games.carcassonne.sight.registration import SIDE_MM
from companion.games.carcassonne.sight.shapes import PartShape, art_table, shapes
from companion.virtual.rasterizer import rasterize

STATIC = Path(faces.__file__).parents[1] / "static"
COLOURS = (Colour.RED, Colour.BLUE, Colour.GREEN, Colour.YELLOW, Colour.BLACK)
FINE = 10.0
"""Pixels a millimetre at which a pixel is a unit of the drawings."""
ALIKE = 0.85
"""Likeness from which a camera could take one tile for another."""
STEP = 24.0
"""Levels below which nobody sees where one tile ends."""
SOFT = 8
"""Units of a side where walls meet at a slant, so that their soft borders differ: one for each line."""
ROOM = 20
"""Around a follower's place, what belongs to its feature at least."""
APART = 90.0
"""From one follower's place to the next, at least: more than half of what a follower is wide."""
PORT_AT = (HALF_A_FIELD := 112, 225, 450 - HALF_A_FIELD)
"""Where along a side its three ports are looked for, clockwise."""

Alpha = NDArray[np.uint8]
Levels = NDArray[np.float32]


@cache
def area(letter: str, part: str) -> Alpha:
    """How much of each unit of a tile a feature covers."""
    path = shapes(letter)[part].path
    return np.asarray(rasterize(Face(part, 45, 45, f'<path d="{path}"/>'), FINE)[..., 3], np.uint8)


@cache
def picture(letter: str, px_per_mm: float) -> Levels:
    found = rasterize(Face(letter, SIDE_MM, SIDE_MM, faces.tile_face(letter)), px_per_mm)
    return np.asarray(found[..., :3], np.float32)


def within(drawing: str, width: float, height: float) -> tuple[int, int]:
    """How much is drawn outside a face, and inside it."""
    roomy = f'<g transform="translate(100 100)">{drawing}</g>'
    alpha = rasterize(Face("roomy", width + 20, height + 20, roomy), 2)[..., 3].astype(int)
    inside = int(alpha[20:-20, 20:-20].sum())
    return int(alpha.sum()) - inside, inside


def edge(letter: str, side: int) -> str:
    return TILES[letter].turned[0].edges[side]


def likeness(a: Levels, b: Levels) -> float:
    """1 for the same picture, 0 for one that has nothing to do with it, whatever the light."""
    a, b = a - a.mean(axis=(0, 1)), b - b.mean(axis=(0, 1))
    return float((a * b).sum() / np.sqrt((a**2).sum() * (b**2).sum()))


@cache
def side_of(letter: str, side: int) -> Levels:
    """The outermost units of a side, clockwise."""
    return np.asarray(np.rot90(picture(letter, FINE), side)[0], np.float32)


def disagreement(a: Levels, b: Levels) -> int:
    """In how many units two sides differ that are laid together: the second is seen from its other end."""
    return int((np.abs(a - b[::-1]).max(axis=1) > STEP).sum())


def test_the_sheet_of_the_page_is_current() -> None:
    assert (STATIC / "faces.svg").read_text("utf-8") == faces.symbol_sheet(), (
        "write it: python -m companion.games.carcassonne.faces > companion/games/carcassonne/static/faces.svg"
    )


def test_every_tile_of_the_box_is_drawn() -> None:
    assert list(art_table()["tiles"]) == list(TILES)


@pytest.mark.parametrize("letter", TILES)
def test_every_feature_has_its_shape(letter: str) -> None:
    assert tuple(shapes(letter)) == TILES[letter].parts


@pytest.mark.parametrize("letter", TILES)
def test_each_port_lies_in_the_shape_of_its_part(letter: str) -> None:
    ports = TILES[letter].turned[0].ports

    found = [
        {part for part in shapes(letter) if np.rot90(area(letter, part), side)[4, at] > 250}
        for side in range(4)
        for at in PORT_AT
    ]

    # Where a side is all city or all field, its other ports are no part's.
    wanted = [{id} if id else found[port] for port, id in enumerate(ports)]
    assert found == wanted
    assert all(len(parts) == 1 for parts in found)


@pytest.mark.parametrize("letter", TILES)
def test_shapes_cover_a_tile_and_never_overlap(letter: str) -> None:
    covered = sum((area(letter, part) / 255 for part in shapes(letter)), np.zeros((450, 450)))

    # Only where roads meet there is nothing to stand on.
    assert float((covered < 0.9).sum()) <= 1.1 * 52**2
    assert int((covered > 1.3).sum()) == 0


@pytest.mark.parametrize("letter", TILES)
def test_fields_touch_the_cities_that_the_rules_say(letter: str) -> None:
    parts = TILES[letter].turned[0].parts
    reach = np.ones((5, 5), np.uint8)

    touching = {
        (field.id, city.id)
        for field in parts
        for city in parts
        if (field.kind, city.kind) == (FeatureKind.FIELD, FeatureKind.CITY)
        and np.minimum(cv2.dilate(area(letter, field.id), reach), area(letter, city.id)).astype(bool).sum()
        > 200
    }

    assert touching == {(part.id, city) for part in parts for city in part.cities}


@pytest.mark.parametrize("letter", TILES)
def test_a_follower_stands_in_its_own_feature_alone(letter: str) -> None:
    rows, columns = np.indices((450, 450))

    for part, shape in shapes(letter).items():
        x, y = shape.spot
        around = (columns - x) ** 2 + (rows - y) ** 2 < ROOM**2
        mine = {other: int(area(letter, other)[around].min()) for other in shapes(letter)}
        assert {other for other, least in mine.items() if least > 250} == {part}


@pytest.mark.parametrize("letter", TILES)
def test_followers_stand_far_apart(letter: str) -> None:
    close = [
        (a, b)
        for (a, one), (b, other) in combinations(shapes(letter).items(), 2)
        if dist(one.spot, other.spot) < APART
    ]

    assert close == []


@pytest.mark.parametrize("letter", TILES)
def test_a_shield_hangs_in_every_city_that_has_one(letter: str) -> None:
    cities = [part for part in TILES[letter].turned[0].parts if part.pennants]
    row = art_table()["tiles"][letter]

    assert ("shield" in row) == bool(cities)
    for city in cities:
        x, y = row["shield"]
        assert int(area(letter, city.id)[y - 50 : y + 60, x - 48 : x + 48].min()) == 255
        assert dist(row["shield"], shapes(letter)[city.id].spot) > APART


def test_sides_join_in_every_pair_that_may_be_laid() -> None:
    sides = [(letter, side) for letter in TILES for side in range(4)]

    found = {
        (one, other): disagreement(side_of(*one), side_of(*other))
        for one, other in combinations_with_replacement(sides, 2)
        if edge(*one) == edge(*other)
    }

    assert len(found) > 1000
    assert {pair: units for pair, units in found.items() if units > SOFT} == {}


def test_what_may_not_lie_side_by_side_does_not_join() -> None:
    kinds = {edge(*side): side_of(*side) for side in (("U", 0), ("U", 1), ("C", 0))}

    assert sorted(kinds) == ["c", "f", "r"]
    assert min(disagreement(a, b) for a, b in combinations(kinds.values(), 2)) > 5 * SOFT


def test_no_two_tiles_look_alike_to_a_camera() -> None:
    found = {
        f"{a}{b} {90 * turn}": likeness(picture(a, 1), np.rot90(picture(b, 1), -turn))
        for a, b in combinations(TILES, 2)
        for turn in range(4)
    }

    assert {pair: round(alike, 3) for pair, alike in found.items() if alike > ALIKE} == {}


@pytest.mark.parametrize("letter", TILES)
def test_a_tile_shows_how_it_is_turned(letter: str) -> None:
    upright = picture(letter, 1)

    assert max(likeness(upright, np.rot90(upright, turn)) for turn in (1, 2, 3)) < ALIKE


@pytest.mark.parametrize("letter", TILES)
def test_a_tile_is_drawn_inside_its_square(letter: str) -> None:
    outside, inside = within(faces.tile_face(letter), 45, 45)

    assert outside == 0
    assert inside == 90 * 90 * 255


@pytest.mark.parametrize("colour", COLOURS)
def test_a_follower_is_drawn_inside_its_face(colour: Colour) -> None:
    drawn = {
        (10.0, 10.0): faces._coloured(faces.FOLLOWER_SYMBOL, colour),
        (STANDING_SIZE, STANDING_SIZE): standing_follower(colour),
        LYING_SIZE: lying_follower(colour),
    }

    assert [within(drawing, *size)[0] for size, drawing in drawn.items()] == [0, 0, 0]
    assert all(within(drawing, *size)[1] > 0 for size, drawing in drawn.items())


@pytest.mark.parametrize("colour", COLOURS)
def test_a_follower_has_the_colour_of_its_player(colour: Colour) -> None:
    ink = [int(INKS[colour][at : at + 2], 16) for at in (5, 3, 1)]

    above = rasterize(Face("above", STANDING_SIZE, STANDING_SIZE, standing_follower(colour)), FINE)

    assert above[75, 75, :3].tolist() == ink


def test_a_shape_is_a_path_and_a_place() -> None:
    assert shapes("U")["f1"].spot == (330, 225)
    assert shapes("C")["c0"] == PartShape("M450 0L450 450L0 450L0 0Z", (225, 225))
