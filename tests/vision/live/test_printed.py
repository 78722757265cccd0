"""Printed pieces that a household has taught, seen from above: no drawing of ours can be laid over them."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.plane import Pixels
from companion.core.observation import Observation
from companion.virtual.art import Art
from companion.virtual.rasterizer import rasterize
from companion.virtual.scene import Scene
from companion.vision.gallery.known import DrawnFace, KnownPieces, known_pieces
from tests.browser.printed import printed_art, printed_squares
from tests.vision.live.tables import BOX, MAT, SIGHT, Looking, Table, compare, labels


@pytest.fixture(scope="module")
def art(tmp_path_factory: pytest.TempPathFactory) -> Art:
    return printed_art(tmp_path_factory.mktemp("prints") / "art")


@pytest.fixture(scope="module")
def taught(art: Art) -> KnownPieces:
    return taught_by(art)


def taught_by(art: Art) -> KnownPieces:
    """Our drawings, and every printed domino of the box as it was taught."""
    drawn = (DrawnFace(face, rasterize(face, 3)) for face in SIGHT.faces)
    return known_pieces(drawn, str, printed_squares(art))


def laid_out(art: Art, known: KnownPieces, *dominoes: int) -> tuple[Table, Looking]:
    """A table with these printed dominoes one beneath the other, and an eye above it."""
    table = Table(Scene(art.dressed(BOX), MAT.width, MAT.height))
    for row, number in enumerate(dominoes):
        table.put(f"domino-{number}", 640, 200 + 90 * row, number % 5 - 2)
    return table, Looking(table, 5, size=(1920, 1080), known=known)


def sure(seen: tuple[Observation, ...] | None) -> list[str]:
    return labels(one for one in seen or () if one.confidence >= 0.5)


def test_a_printed_boat_that_looks_a_little_like_a_king_is_none(tmp_path: Path) -> None:
    art = printed_art(tmp_path / "art")
    for number in ("7", "8", "9"):
        print_king(art.prints[number].pixels, strength=0.5)
    _table, looking = laid_out(art, taught_by(art), 7, 8, 9, 30)

    seen = looking.settled().seen

    assert labels(seen) == sure(seen) == ["l0"] * 6 + ["l1", "w0"]


def print_king(domino: Pixels, strength: float) -> None:
    """Print something onto both squares of a domino that looks so much like our blue king."""
    king = rasterize(next(face for face in SIGHT.faces if face.label == "king-blue"), 4)
    height, width = king.shape[:2]
    side = domino.shape[0]
    ink = king[..., 3:] / 255 * strength
    for middle in (side // 2, side * 3 // 2):
        top, left = (side - height) // 2, middle - width // 2
        square = domino[top : top + height, left : left + width, :3]
        square[:] = square * (1 - ink) + king[..., :3] * ink


def test_a_piece_printed_as_nobody_has_taught_it_looks_less_than_usual_like_its_kind(
    art: Art, taught: KnownPieces, tmp_path: Path
) -> None:
    odd = printed_art(tmp_path / "art")
    print_king(odd.prints["30"].pixels, strength=0.45)

    def usual(art: Art) -> float:
        _table, looking = laid_out(art, taught, 13, 24, 40, 30)
        return next(one.usual for one in looking.settled().seen or () if one.label == "l1")

    assert usual(odd) < 0.98 * usual(art)


def test_a_king_is_seen_on_a_printed_domino_at_first_sight(art: Art, taught: KnownPieces) -> None:
    table, looking = laid_out(art, taught, 13, 24)
    table.put("king-yellow-1", 642, 288, 30)

    seen = looking.settled().seen or ()

    assert "king-yellow" in sure(seen)


@pytest.mark.parametrize("colour", ("pink", "yellow", "green", "blue"))
def test_a_printed_domino_is_known_again_under_a_king(art: Art, taught: KnownPieces, colour: str) -> None:
    table, looking = laid_out(art, taught, 13, 48)
    before = sure(looking.settled().seen)
    table.put(f"king-{colour}-1", 625, 288, 75)
    glances = (looking.settled(6) for _look in range(8))
    glance = next(glance for glance in glances if len(glance.seen or ()) > len(before))

    assert before == ["f0", "m3", "w0", "w0"]
    assert sure(glance.seen) == sorted((*before, f"king-{colour}"))
    assert compare(table, glance.seen or ()).wrong == []


def test_which_way_up_a_printed_square_lies_is_no_question(taught: KnownPieces) -> None:
    row = taught.faces.index("l0")
    rivals = taught.rivals(row, taught.gallery.traits @ taught.gallery.traits[row], 4)

    assert "l0" not in {taught.faces[rival] for rival in rivals}
