"""`python -m models.train.spoilt_accuracy`: photos are spoilt with their squares known, and what comes of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.games.kingdomino.rules.kingdom import Cell
from companion.games.kingdomino.rules.pieces import CASTLE, Square
from companion.games.kingdomino.rules.scoring import property_points
from companion.games.kingdomino.sight.photo import DoubtReason, KingdomReading
from companion.photos.reader import PhotoRead, PhotoReader
from companion.vision.photo.locate import find_squares
from models.train.scenes import Scene, laid_anew, scene_of, without_dominoes
from models.train.spoiling import SPOILT, spoilt
from models.train.spoilt_accuracy import Outcome, outcomes
from tests.vision.photo.kingdoms import PHOTOS, board, grown_kingdom, our_gallery, shown_squares

KINGDOM = grown_kingdom(1)
SQUARES = shown_squares(KINGDOM)


def scene() -> Scene:
    left, top = KINGDOM.bounds.left, KINGDOM.bounds.top
    dominoes = [
        ((a[0] - left, a[1] - top), (b[0] - left, b[1] - top))
        for a, b in (placement.cells for placement in KINGDOM.placements)
    ]
    labels = {cell: "C" if square == CASTLE else str(square) for cell, square in SQUARES.items()}
    return scene_of(board(KINGDOM), labels, None, dominoes)


def read_as(squares: dict[Cell, Square], asked: tuple[Cell, ...] = ()) -> list[PhotoRead]:
    """What somebody reads in the board, whatever it shows."""
    picture = board(KINGDOM)
    shown = KingdomReading(squares, ())
    doubts = tuple(shown.doubt(cell, DoubtReason.UNLIKE_ITS_KIND) for cell in asked)
    return [PhotoRead(picture, find_squares(picture, our_gallery()), replace(shown, unsure=doubts), {})]


def test_every_way_of_spoiling_leaves_a_picture_with_a_kingdom() -> None:
    whole = scene()
    seen = dict(spoilt(whole, [whole], 0))

    assert seen.keys() == SPOILT.keys()
    assert {
        name: one.kingdom.points
        for name, one in seen.items()
        if "missing" not in name and name != "laid anew"
    } == {name: property_points(KINGDOM) for name in seen if "missing" not in name and name != "laid anew"}


def test_the_same_seed_spoils_in_the_same_way() -> None:
    once, again, otherwise = (dict(spoilt(scene(), [], seed, {"hand"}))["hand"].picture for seed in (3, 3, 4))

    assert np.array_equal(once, again)
    assert once.shape != otherwise.shape or not np.array_equal(once, otherwise)


def test_what_is_laid_anew_is_labelled_anew() -> None:
    """The reader sees what the label says, whichever squares have changed places."""
    changed = laid_anew(scene(), np.random.default_rng(1))

    (read,) = PhotoReader(PHOTOS, our_gallery()).read_table(changed.picture)

    assert changed.kingdom.squares != SQUARES
    assert read.shown is not None
    assert dict(read.shown.squares) == changed.kingdom.squares


def test_dominoes_taken_away_leave_two_places_each() -> None:
    fewer = without_dominoes(scene(), np.random.default_rng(1), 2)

    assert list(fewer.kingdom.squares.values()).count(None) == 4
    assert len(fewer.kingdom.dominoes) == len(KINGDOM.placements) - 2


def test_what_comes_of_a_kingdom() -> None:
    """Two squares are read wrongly, both of which the score depends on."""
    crowned = [cell for cell, square in SQUARES.items() if square.crowns][:2]
    wrong = {**SQUARES, **{cell: Square(SQUARES[cell].terrain, 0) for cell in crowned}}

    came = {
        "all right": read_as(dict(SQUARES)),
        "right, asked": read_as(dict(SQUARES), (crowned[0],)),
        "wrong, both asked": read_as(wrong, tuple(crowned)),
        "wrong, one asked": read_as(wrong, (crowned[0],)),
        "wrong": read_as(wrong),
        "nothing": [],
    }

    assert {name: next(outcomes(scene(), reads)) for name, reads in came.items()} == {
        "all right": (Outcome.SURE, 0),
        "right, asked": (Outcome.CONFIRMED, 1),
        "wrong, both asked": (Outcome.ASKED, 2),
        "wrong, one asked": (Outcome.MISLED, 1),
        "wrong": (Outcome.SILENT, 0),
        "nothing": (Outcome.REFUSED, 0),
    }
