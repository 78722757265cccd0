"""A box that somebody taught wrongly: what is read by it is asked about, and never believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from calibration.plane import Pixels
from companion.games.kingdomino.rules.kingdom import Kingdom
from companion.games.kingdomino.rules.pieces import DOMINOES
from companion.games.kingdomino.rules.scoring import property_points
from companion.games.kingdomino.sight.photo import DoubtReason
from companion.games.kingdomino.sight.tiling import label_of
from companion.photos.checks import contradicting_dominoes, misnamed_squares
from companion.photos.reader import (
    PhotoRead,
    PhotoReader,
    ReaderEnsemble,
    cross_check_galleries,
    ensemble_of,
    household_ensemble,
)
from companion.vision.gallery import squares as galleries
from companion.vision.gallery.box import Box, BoxRepository
from tests.vision.photo.kingdoms import board, grown_kingdom, half, our_gallery

Vector = tuple[float, float, float]
TURNED = 43
"""A lawn beside a swamp with two crowns."""
NAMES: Mapping[str, Mapping[int, int]] = {
    "right": {},
    "two of one kind each exchanged": {1: 3, 3: 1},
    "turned": {TURNED: TURNED},
    "named the other way round": {36: 40, 40: 36},
}


@cache
def taught(how: str) -> Box:
    """A box of our own drawings, taught in that way."""
    drawings: list[tuple[str, Pixels]] = []
    for number in DOMINOES:
        name = NAMES[how].get(number, number)
        for right in (False, True):
            drawn_right = right != (how == "turned" and number in NAMES[how])
            drawings.append((label_of(name, right), half(number, drawn_right)))
    return Box().learned(drawings)


class Believing(PhotoReader):
    """Asks about nothing."""

    def read_table(self, picture: Pixels) -> tuple[PhotoRead, ...]:
        reads = super().read_table(picture)
        return tuple(replace(one, shown=one.shown and replace(one.shown, unsure=())) for one in reads)


def with_domino(number: int) -> Kingdom:
    kingdoms = (grown_kingdom(seed, box=range(25, 49)) for seed in range(50))
    return next(one for one in kingdoms if number in {placed.domino for placed in one.placements})


@pytest.mark.parametrize(
    ("how", "expected"),
    (
        ("right", set()),
        ("turned", {TURNED}),
        ("named the other way round", {36, 40}),
        ("two of one kind each exchanged", {1, 3}),
    ),
)
def test_dominoes_that_look_like_others_by_the_wrong_names(how: str, expected: set[int]) -> None:
    found = set(contradicting_dominoes(taught(how).gallery()))

    assert found >= expected
    assert bool(found) == bool(expected)


@pytest.mark.parametrize(("how", "number"), (("turned", TURNED), ("named the other way round", 36)))
def test_what_a_box_was_taught_wrongly_is_asked_about(how: str, number: int) -> None:
    kingdom = with_domino(number)

    reader = PhotoReader(taught(how).gallery())

    shown = reader.read_picture(board(kingdom)).shown

    assert shown is not None
    doubted = {cell for cell, square in shown.squares.items() if square in reader.doubted}
    assert doubted
    assert doubted <= {one.cell for one in shown.unsure}
    told = {one.cell for one in shown.unsure if one.reason is DoubtReason.GALLERY_CONTRADICTS_ITSELF}
    assert told <= doubted
    assert told or how != "turned", "these look so much like others that they are asked about anyway"
    assert (shown.points != property_points(kingdom), shown.asks) == (True, True)


@pytest.mark.parametrize(("left", "expected"), (((0.6, 0.7, 0.39), {13}), ((0.9, 0.3, 0.32), set())))
def test_a_domino_that_is_like_itself_turned_about(left: Vector, expected: set[int]) -> None:
    """Of art whose drawings of a kind differ much it is told by both halves together."""
    field, forest = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    traits = {1: (field, field), 3: (forest, forest), 13: (left, (left[1], left[0], left[2]))}
    labels = [label_of(number, right) for number in traits for right in (False, True)]
    rows = np.repeat([trait for pair in traits.values() for trait in pair], 4, axis=0).astype(np.float32)
    gallery = replace(
        our_gallery(), labels=tuple(label for label in labels for _quarter in range(4)), traits=rows
    )

    assert set(contradicting_dominoes(gallery)) == expected


def test_a_square_called_by_another_kind_is_left_aside_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(galleries, "load_shipped", lambda _name: our_gallery())
    kingdom, boxes = with_domino(TURNED), BoxRepository(tmp_path)
    boxes.change("kingdomino", lambda box: box.learned([("w0", half(TURNED, False)), ("m2", half(6, True))]))

    readers, trouble = household_ensemble(boxes, "kingdomino")
    (shown,) = (read.shown for read in readers.read_table(board(kingdom)))

    assert str(trouble).startswith("Your box was taught Mine, crowns: 2 by a square that looks like Forest.")
    assert "m2" not in {label for label in readers.readers[0].gallery.labels if "-" not in label}
    assert shown
    assert shown.points == property_points(kingdom)


def test_squares_of_another_art_may_look_like_anything() -> None:
    """Of art that is not known nobody can say that a square was called by another kind."""
    squares = {str(DOMINOES[n].left): half(n, False) for n in DOMINOES}
    box = Box().learned(list(squares.items()))

    assert list(misnamed_squares(box.gallery(), galleries.load_shipped("kingdomino"))) == []


def test_what_two_galleries_are_sure_of_and_read_otherwise_is_asked_about() -> None:
    kingdom = with_domino(TURNED)
    right, wrong = (
        PhotoReader(taught(how).gallery()).read_picture(board(kingdom)) for how in ("right", "turned")
    )
    assert right.shown is not None
    assert wrong.shown is not None
    sure = replace(wrong, shown=replace(wrong.shown, unsure=()))
    witness = replace(right, shown=replace(right.shown, unsure=()))

    agreed, (disputed_one,) = (
        cross_check_galleries((witness,), (witness,)),
        cross_check_galleries((sure,), (witness,)),
    )

    assert agreed[0].shown is not None
    assert disputed_one.shown is not None
    others = {
        cell: square for cell, square in right.shown.squares.items() if wrong.shown.squares[cell] != square
    }
    assert others
    assert {one.cell: one.candidates[1] for one in disputed_one.shown.unsure} == others
    assert {one.reason for one in disputed_one.shown.unsure} == {DoubtReason.SHIPPED_DISAGREES}
    assert agreed[0].shown.unsure == ()


def test_the_household_reads_by_its_box_and_asks_what_is_shipped() -> None:
    """Of a box with every domino three readings are made, of a house without a box one."""
    alone, boxed = (
        ensemble_of(Box(), our_gallery()),
        ensemble_of(taught("named the other way round"), our_gallery()),
    )
    kingdom = with_domino(36)
    believing = Believing(taught("named the other way round").gallery())

    (sure,) = ReaderEnsemble((believing,)).read_table(board(kingdom))
    (read,) = ReaderEnsemble((believing,), PhotoReader(our_gallery())).read_table(board(kingdom))

    assert (len(alone.readers), alone.witness, len(boxed.readers)) == (1, None, 2)
    assert boxed.witness is not None
    assert boxed.witness.gallery is our_gallery()
    assert sure.shown is not None
    assert read.shown is not None
    assert (sure.shown.asks, read.shown.asks) == (False, True)
