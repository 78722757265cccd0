"""What the camera above a table knows: drawn, taught and shipped pieces in one gallery."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.observation import Face
from companion.core.photo import face_of
from companion.games import GAMES
from companion.vision.gallery.known import DrawnFace, KnownPieces, known_pieces
from companion.vision.gallery.squares import load_shipped
from tests.vision.live.tables import pieces_known

FACE_OF = face_of(GAMES["kingdomino"])
CLOTH = np.full((60, 60, 3), 90, np.uint8)
STRIPED = np.repeat(np.repeat(np.array([[[40, 60, 200], [200, 180, 30]]], np.uint8), 30, 1), 60, 0)


def test_what_was_taught_shows_the_face_of_its_kind_and_keeps_its_picture() -> None:
    known = known_pieces((), FACE_OF, [("domino-17-left", STRIPED), ("tile-A", STRIPED)])

    assert known.labels == (FACE_OF("domino-17-left"),)
    assert len(known.faces) == 4
    assert known.pictures[0] is not None


def test_what_is_shipped_is_known_by_numbers_alone() -> None:
    shipped = load_shipped("kingdomino")
    known = known_pieces((), FACE_OF, (), shipped)

    assert len(known.faces) == len(shipped.labels)
    assert set(known.faces) == {FACE_OF(label) for label in shipped.labels}
    assert known.upright(0) is None


def test_a_row_shows_its_drawing_turned_as_it_is() -> None:
    known = known_pieces((), str, [("w0", STRIPED)])
    upright, quarter = known.upright(0), known.upright(1)

    assert upright is not None
    assert quarter is not None
    assert np.array_equal(quarter, np.rot90(upright, -1))


def test_the_rival_of_a_piece_is_another_face_or_itself_turned() -> None:
    known = pieces_known()
    row = known.faces.index("m2")
    scores = known.gallery.traits @ known.gallery.traits[row]
    (rival,) = known.rivals(row, np.asarray(scores, np.float32))

    assert known.faces[rival] != "m2" or known.gallery.turns[rival] != known.gallery.turns[row]


@pytest.mark.parametrize(("ways", "rival"), ((4, ("road", 2)), (2, ("road", 1)), (1, ("plain", 0))))
def test_a_piece_is_its_own_rival_only_where_it_lies_differently_for_the_game(
    ways: int, rival: tuple[str, int]
) -> None:
    road, plain = np.zeros((2, 60, 60, 4), np.uint8)
    road[:20, :40], plain[:] = (40, 60, 200, 255), (90, 90, 90, 255)
    faces = Face("road", 40, 40, "", ways=ways), Face("plain", 40, 40, "")
    known = known_pieces(map(DrawnFace, faces, (road, plain)))
    most_alike_halfway_round = np.array([1.0, 0.5, 0.9, 0.4, 0.1, 0.0, 0.0, 0.0], np.float32)

    (row,) = known.rivals(0, most_alike_halfway_round)

    assert (known.faces[row], known.gallery.turns[row]) == rival


def test_flat_pieces_are_squares_of_one_size() -> None:
    wide = DrawnFace(Face("wide", 80, 40, ""), CLOTH)

    with pytest.raises(ValueError, match="squares of one size"):
        known_pieces([wide])


def test_a_table_of_no_game_needs_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.vision.gallery.squares.load_network", None)
    known: KnownPieces = known_pieces(())

    assert (known.labels, known.figures) == ((), ())
