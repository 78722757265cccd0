"""A box that somebody taught wrongly: what is read by it is asked about, and never believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.plane import Pixels
from companion.core.photo import PictureDoubt
from companion.games.kingdomino.rules.kingdom import Kingdom
from companion.games.kingdomino.rules.pieces import DOMINOES
from companion.games.kingdomino.rules.scoring import property_points
from companion.games.kingdomino.sight.tiling import label_of
from companion.photos.checks import contradicting_pieces, misnamed_squares
from companion.photos.reader import PhotoReader, household_reader, reader_of
from companion.virtual.rasterizer import rasterize
from companion.vision.gallery import squares as galleries
from companion.vision.gallery.box import Box, BoxRepository
from companion.vision.photo.locate import find_squares
from tests.vision.photo.kingdoms import PHOTOS, board, grown_kingdom, half, our_gallery, shown_squares

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


def with_domino(number: int) -> Kingdom:
    kingdoms = (grown_kingdom(seed, box=range(25, 49)) for seed in range(50))
    return next(one for one in kingdoms if number in {placed.domino for placed in one.placements})


@pytest.mark.parametrize(
    ("how", "expected"),
    (
        ("right", set()),
        ("turned", {str(TURNED)}),
        ("named the other way round", {"36", "40"}),
        ("two of one kind each exchanged", {"1", "3"}),
    ),
)
def test_dominoes_that_look_like_others_by_the_wrong_names(how: str, expected: set[str]) -> None:
    found = set(contradicting_pieces(taught(how).gallery(), PHOTOS))

    assert found >= expected
    assert bool(found) == bool(expected)


@pytest.mark.parametrize(("how", "number"), (("turned", TURNED), ("named the other way round", 36)))
def test_what_a_box_was_taught_wrongly_is_asked_about(how: str, number: int) -> None:
    kingdom = with_domino(number)

    reader = PhotoReader(PHOTOS, taught(how).gallery())
    (way,) = reader.ways

    shown = reader.read_picture(board(kingdom)).shown

    assert shown is not None
    doubted = {cell for cell, square in shown.squares.items() if square in way.doubted}
    assert doubted
    assert doubted <= {one.cell for one in shown.unsure}
    told = {one.cell for one in shown.unsure if one.reason is PictureDoubt.GALLERY_CONTRADICTS_ITSELF}
    assert told <= doubted
    assert told or how != "turned", "these look so much like others that they are asked about anyway"
    assert (shown.points != property_points(kingdom), shown.asks) == (True, True)


@pytest.mark.parametrize(("left", "expected"), (((0.6, 0.7, 0.39), {"13"}), ((0.9, 0.3, 0.32), set())))
def test_a_domino_that_is_like_itself_turned_about(left: Vector, expected: set[str]) -> None:
    """Of art whose drawings of a kind differ much it is told by both halves together."""
    field, forest = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    traits = {1: (field, field), 3: (forest, forest), 13: (left, (left[1], left[0], left[2]))}
    labels = [label_of(number, right) for number in traits for right in (False, True)]
    rows = np.repeat([trait for pair in traits.values() for trait in pair], 4, axis=0).astype(np.float32)
    gallery = replace(
        our_gallery(), labels=tuple(label for label in labels for _quarter in range(4)), traits=rows
    )

    assert set(contradicting_pieces(gallery, PHOTOS)) == expected


def test_a_square_called_by_another_kind_is_left_aside_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(galleries, "load_shipped", lambda _name: our_gallery())
    kingdom, boxes = with_domino(TURNED), BoxRepository(tmp_path)
    boxes.change("kingdomino", lambda box: box.learned([("w0", half(TURNED, False)), ("m2", half(6, True))]))

    reader, trouble = household_reader(boxes, "kingdomino", PHOTOS)
    (shown,) = (read.shown for read in reader.read_table(board(kingdom)))

    assert str(trouble).startswith("Your box was taught Mine, crowns: 2 by a square that looks like Forest.")
    assert "m2" not in {label for label in reader.gallery.labels if "-" not in label}
    assert shown
    assert shown.points == property_points(kingdom)


def test_squares_of_another_art_may_look_like_anything() -> None:
    """Of art that is not known nobody can say that a square was called by another kind."""
    squares = {str(DOMINOES[n].left): half(n, False) for n in DOMINOES}
    box = Box().learned(list(squares.items()))

    assert list(misnamed_squares(box.gallery(), galleries.load_shipped("kingdomino"), PHOTOS)) == []


def test_what_two_readings_are_sure_of_and_read_otherwise_is_asked_about() -> None:
    kingdom = with_domino(TURNED)
    right, wrong = (
        PhotoReader(PHOTOS, taught(how).gallery()).read_picture(board(kingdom)).shown
        for how in ("right", "turned")
    )
    assert right is not None
    assert wrong is not None
    believed, witness = replace(wrong, unsure=()), replace(right, unsure=())

    agreed, disputed = witness.disputed(witness.sure), believed.disputed(witness.sure)

    others = {cell: square for cell, square in right.squares.items() if wrong.squares[cell] != square}
    assert others
    assert {one.cell: one.candidates[1] for one in disputed.unsure} == others
    assert {one.reason for one in disputed.unsure} == {PictureDoubt.SHIPPED_DISAGREES}
    assert agreed.unsure == ()


def test_the_household_reads_by_its_box_and_asks_what_is_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture is searched once; of a box with every domino three readings are made, without a box one."""
    searched: list[int] = []

    def search(*words: Any, **more: Any) -> Any:
        searched.append(1)
        return find_squares(*words, **more)

    monkeypatch.setattr("companion.photos.reader.find_squares", search)
    alone = reader_of(PHOTOS, our_gallery(), Box())
    boxed = reader_of(PHOTOS, our_gallery(), taught("named the other way round"))
    kingdom = with_domino(36)

    (read,) = boxed.read_table(board(kingdom))

    assert (len(alone.ways), alone.witness, len(boxed.ways)) == (1, None, 2)
    assert boxed.witness is not None
    assert {row.label for row in boxed.witness.rows} == {*our_gallery().labels}
    assert len(searched) == 1
    assert read.shown is not None
    assert (read.shown.points == property_points(kingdom) or read.shown.asks, read.shown.unsure != ()) == (
        True,
        True,
    )


def test_what_the_virtual_table_draws_is_read_untaught() -> None:
    """Our own drawings stand beside printed ones, and explain what looks more like them."""
    kingdom = with_domino(TURNED)
    untaught = reader_of(PHOTOS, galleries.load_shipped("kingdomino"), None)
    knowing = reader_of(PHOTOS, galleries.load_shipped("kingdomino"), None, rasterize)

    before, after = (reader.read_picture(board(kingdom)).shown for reader in (untaught, knowing))

    assert before is None
    assert after is not None
    assert (dict(after.squares), after.points) == (shown_squares(kingdom), property_points(kingdom))
