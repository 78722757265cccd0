"""Several kingdoms in one picture: each is found without the others and the line, by the dominoes of one box."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.plane import Pixels
from companion.games.kingdomino.rules.pieces import CASTLE, Square, parse_square
from companion.games.kingdomino.rules.scoring import property_points
from companion.games.kingdomino.sight.photo import (
    BY_HALVES,
    DoubtReason,
    KingdomReading,
    TilingResult,
    ask_about_shared,
    judge_kingdom,
    share_box,
)
from companion.games.kingdomino.sight.tiling import Evidence, Tiling
from companion.photos.reader import PhotoReader
from companion.vision.photo.extent import find_extent
from companion.vision.photo.grid import find_groups
from companion.vision.photo.keypoints import find_candidates, look_at
from companion.vision.picture_file import decode_picture
from tests.photos.evening import differing, evening
from tests.vision.live.tables import Looking
from tests.vision.photo.kingdoms import (
    PHOTOS,
    board,
    file_of,
    grown_kingdom,
    half,
    our_gallery,
    photo,
    shown_squares,
)

LEFT = ((100, 120), (620, 150), (640, 700), (60, 680))
RIGHT = ((900, 300), (1430, 260), (1480, 820), (880, 850))
LINE = ((680, 100), (850, 100), (850, 185), (680, 185))
AWAY = ((690, 960), (860, 990), (845, 1075), (675, 1045))


@pytest.fixture(scope="module")
def reader() -> PhotoReader:
    return PhotoReader(PHOTOS, our_gallery())


def together(*parts: tuple[Pixels, tuple[tuple[int, int], ...]]) -> Pixels:
    """A photo of a table on which all of this lies."""
    empty = photo(parts[0][0], ((0, 0), (1, 0), (1, 1), (0, 1)))
    whole = empty.copy()
    for picture, corners in parts:
        laid = photo(picture, corners)
        whole = np.where((laid != empty).any(axis=2)[..., None], laid, whole).astype(np.uint8)
    return decode_picture(file_of(whole))


def domino(number: int) -> Pixels:
    return np.hstack([half(number, False), half(number, True)])


def test_two_kingdoms_and_what_lies_beside_them(reader: PhotoReader) -> None:
    one, other = grown_kingdom(4, box=range(1, 47, 2)), grown_kingdom(5, box=range(2, 47, 2))

    reads = reader.read_table(
        together((board(one), LEFT), (board(other), RIGHT), (domino(47), LINE), (domino(48), AWAY))
    )

    found = {read.shown.points: dict(read.shown.squares) for read in reads if read.shown}
    expected = {property_points(kingdom): shown_squares(kingdom) for kingdom in (one, other)}
    assert len(reads) == 2
    assert found == expected


def test_one_kingdom_beside_a_line_stays_one(reader: PhotoReader) -> None:
    kingdom = grown_kingdom(4)

    reads = reader.read_table(together((board(kingdom), LEFT), (domino(47), LINE), (domino(48), AWAY)))

    assert [dict(read.shown.squares) for read in reads if read.shown] == [shown_squares(kingdom)]


def test_four_kingdoms_under_a_camera_above(reader: PhotoReader) -> None:
    table, position = evening(4, 1)
    frame = Looking(table, 1, size=(2560, 1440)).camera.frame().pixels

    reads = reader.read_table(decode_picture(file_of(frame)))

    shown = [read.shown for read in reads if read.shown]
    wrong = [
        min(differing(kingdom, one.squares) for kingdom in position.kingdoms) for one in shown if not one.asks
    ]
    assert (len(reads), len(shown) >= 3) == (4, True)
    assert sum(min(differing(kingdom, one.squares) for kingdom in position.kingdoms) for one in shown) <= 2
    assert not any(wrong), "what is wrong is asked about"


W0, W1, F0 = (parse_square(text) for text in ("w0", "w1", "f0"))


def explained(*ways: tuple[Square, Square, int, float]) -> TilingResult:
    """A kingdom of a castle and one domino, by ways to lay it, the likeliest first."""
    tilings = [
        Tiling({(0, 0): CASTLE, (1, 0): a, (2, 0): b}, likely, frozenset({number}))
        for a, b, number, likely in ways
    ]
    kinds = {cell: {CASTLE: 0.9, W0: 0.9, W1: 0.86, F0: 0.5, None: 0.3} for cell in ((0, 0), (1, 0), (2, 0))}
    return TilingResult(Evidence(kinds, {}), (0.9, 0.9, 0.9), tilings, True, 3, 1)


def test_a_domino_of_which_the_box_has_one_lies_in_one_kingdom() -> None:
    # Domino 19 alone is a wheat field with a crown beside a forest.
    sure = explained((W1, F0, 19, 0.0))
    torn = explained((W1, F0, 19, 0.0), (W0, F0, 13, -0.04))

    kingdoms = share_box((sure, torn))

    assert [one.tilings[0].dominoes for one in kingdoms] == [{19}, {13}]


def test_what_the_box_cannot_have_is_asked_about() -> None:
    twice = (explained((W1, F0, 19, 0.0)), explained((W1, F0, 19, 0.0)))
    reads = [KingdomReading(one.tilings[0].squares, ()) for one in share_box(twice)]

    asked = ask_about_shared(twice, reads)

    assert [[one.cell for one in read.unsure] for read in asked if read] == [[(1, 0), (2, 0)]] * 2
    assert {one.reason for read in asked if read for one in read.unsure} == {DoubtReason.NOT_IN_BOX}
    assert judge_kingdom(twice[0], BY_HALVES) is None, "three squares are no kingdom"


def test_a_kingdom_beside_pieces_that_are_not_read_is_asked_about(reader: PhotoReader) -> None:
    """Whose page it is on does not say whose kingdom was found, nor that it was found as a whole."""
    kingdom, other = grown_kingdom(4, box=range(1, 47, 2)), grown_kingdom(5, box=range(2, 47, 2))
    half_of_it = board(other)[: 2 * board(other).shape[0] // 5]
    beside = ((690, 200), (1210, 180), (1210, 390), (690, 410))
    pictures = (
        together((board(kingdom), LEFT)),
        together((board(kingdom), LEFT), (half_of_it, beside)),
        together((board(kingdom), LEFT), (domino(47), LINE)),
    )

    shown = [[one.shown for one in reader.read_table(picture)] for picture in pictures]

    assert [[one and one.alone for one in reads] for reads in shown] == [[True], [False], [False]]
    assert all(one.asks for reads in shown[1:] for one in reads if one)
    assert all(dict(one.squares) == shown_squares(kingdom) for reads in shown for one in reads if one)


def test_rows_that_go_on_too_far_are_cut_and_asked_about() -> None:
    """Two kingdoms that touch look like one that is too large."""
    one, other = grown_kingdom(4, box=range(1, 49, 2)), grown_kingdom(5, box=range(2, 49, 2))
    touching = photo(
        np.hstack([board(one), board(other)]), ((150, 260), (1450, 260), (1450, 910), (150, 910))
    )

    lying = find_groups(touching, our_gallery(), find_candidates(look_at(touching), our_gallery()))[0]
    found = find_extent(touching, our_gallery(), lying.grid, lying.known)

    assert found is not None
    assert (found.columns, found.beside) == (7, True)
