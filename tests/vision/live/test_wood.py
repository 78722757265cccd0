"""Followers of wood on printed tiles, seen from above by the network that knows them from photos."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from calibration.plane import Pixels
from companion.core.observation import Observation
from companion.games.carcassonne.sight.layout import CarcassonneSight
from companion.virtual.art import Art, load_art
from companion.virtual.rasterizer import rasterize
from companion.virtual.scene import Scene
from companion.vision.gallery.known import DrawnFace, KnownPieces, known_pieces
from companion.vision.gallery.squares import gallery_of
from models.registry import network_of
from tests.bench.wood import carve
from tests.vision.live.tables import MAT, Looking, Table

SIGHT = CarcassonneSight()
FACES = SIGHT.faces
NETWORK = network_of("carcassonne")
ROW = "DUJVKE"
SIDE = 45


@pytest.fixture(scope="module")
def art(tmp_path_factory: pytest.TempPathFactory) -> Art:
    """Every tile in other colours than we draw it, and followers of wood."""
    folder = tmp_path_factory.mktemp("prints")
    for face in FACES:
        if not face.stands:
            cv2.imwrite(str(folder / f"{face.label}.png"), printed(rasterize(face, 6)[..., :3]))
    carve(folder, FACES)
    return load_art(folder, None, SIGHT.pieces)


def printed(drawn: Pixels) -> Pixels:
    """As if somebody else had printed it: darker, warmer, on rough paper."""
    rough = np.random.default_rng(1).normal(0, 9, drawn.shape)
    return np.asarray(np.clip(drawn * np.array((0.5, 0.72, 0.85)) + 20 + rough, 0, 255), np.uint8)


@pytest.fixture(scope="module")
def taught(art: Art) -> KnownPieces:
    return known_pieces(drawn(), str, prints_of(art), network=NETWORK)


def drawn() -> list[DrawnFace]:
    return [DrawnFace(face, rasterize(face, 3)) for face in FACES]


def prints_of(art: Art) -> list[tuple[str, Pixels]]:
    prints = ((face.label, art.prints[face.label.lower()]) for face in FACES if not face.stands)
    return [(label, np.ascontiguousarray(one.pixels[..., :3])) for label, one in prints]


def laid_out(art: Art, known: KnownPieces, *followers: tuple[str, float, float]) -> tuple[Table, Looking]:
    """A row of tiles with some followers on them, and an eye above it."""
    table = Table(Scene(art.dressed(SIGHT.pieces), MAT.width, MAT.height))
    for column, letter in enumerate(ROW):
        table.put(f"tile-{letter}-1", 600 + SIDE * column, 450, 90 * (column % 4))
    for piece, x, y in followers:
        table.put(piece, x, y)
    return table, Looking(table, 5, size=(1920, 1080), known=known)


def told(seen: Sequence[Observation] | None, *kinds: str) -> dict[str, tuple[float, float]]:
    return {one.label: (one.x, one.y) for one in seen or () if one.label.split("-")[0] in kinds}


def test_followers_of_wood_are_found_where_they_stand_and_lie(art: Art, taught: KnownPieces) -> None:
    standing = {"follower-red": (648, 455), "follower-yellow": (780, 440)}
    lying = {"farmer-blue": (600, 462), "farmer-black": (737, 465)}
    _table, looking = laid_out(
        art, taught, *((f"{label}-1", *place) for label, place in (standing | lying).items())
    )

    seen = looking.settled().seen

    colours = {label.split("-")[1]: place for label, place in told(seen, "follower", "farmer").items()}
    for label, place in (standing | lying).items():
        assert colours[label.split("-")[1]] == pytest.approx(place, abs=5)
    assert len(colours) == 4
    for one in seen or ():
        pose = {"red": "follower", "yellow": "follower", "blue": "farmer", "black": "farmer"}
        kind, colour = one.label.split("-")
        if kind in ("follower", "farmer") and one.confidence >= 0.5:
            assert kind == pose[colour]
    tiles = sorted(one.label[-1] for one in seen or () if one.label.startswith("tile"))
    assert tiles == sorted(ROW)


def test_bare_tiles_have_no_followers(art: Art, taught: KnownPieces) -> None:
    _table, looking = laid_out(art, taught)

    seen = looking.settled().seen

    assert [one for one in seen or () if one.confidence >= 0.5 and not one.label.startswith("tile")] == []
    assert len(told(seen, "tile")) == len(ROW)


def test_what_a_follower_hides_is_no_part_of_a_tile_that_is_believed(art: Art) -> None:
    """R and T differ by a road below the gate alone; of the print, as of most boxes, only numbers are known."""
    shipped = gallery_of(prints_of(art), points=False, network=NETWORK)
    known = known_pieces(drawn(), str, shipped=shipped, network=NETWORK)
    table, looking = laid_out(art, known)
    table.put("tile-R-1", 690, 405, 0)
    table.put("farmer-blue-1", 690, 405 + 16, 0)

    for _again in range(2):
        seen = looking.settled().seen
        looking.eye.forget()  # what is drawn by us stays drawn by us

    tile = next(one for one in seen or () if np.hypot(one.x - 690, one.y - 405) < 8)
    assert tile.confidence == 0
    assert {tile.label, tile.runner_up} == {"tile-R", "tile-T"}


def test_a_table_may_be_forgotten_and_is_read_again_as_before(art: Art, taught: KnownPieces) -> None:
    table, looking = laid_out(art, taught, ("follower-red-1", 648, 455))
    looking.settled()
    table.put("tile-B-1", 690, 405, 0)
    before = looking.settled().seen

    for _again in range(2):
        looking.eye.forget()
        again = looking.settled().seen

    assert sorted(told(again, "tile")) == sorted(told(before, "tile"))
    assert next(one.confidence for one in again or () if one.label == "tile-B") >= 0.5
