"""A finished game counted from what the camera above the table sees: as fine as it sees it, by the pieces it knows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from threading import Timer

import pytest

from companion.core.errors import CameraError
from companion.games import GAMES
from companion.games.kingdomino.rules.pieces import CASTLE, DOMINOES
from companion.photos.reader import reader_of
from companion.photos.service import PhotoService
from companion.virtual.rasterizer import rasterize
from companion.vision.live.eye import FrameReading
from companion.vision.picture_file import opened, working_size
from companion.watch.state import PictureCache
from tests.vision.live.tables import COLOURS, SIGHT, Looking, Table

GAME = GAMES["kingdomino"]
Kingdoms = dict[str, Counter[str]]


def played(seed: int, seats: tuple[int, ...], dominoes: int) -> tuple[Table, Kingdoms]:
    """A table with finished kingdoms, and the squares of each by the colour of its castle."""
    choose, table, kingdoms = Random(seed), Table(), Kingdoms()
    numbers = sorted(DOMINOES)
    choose.shuffle(numbers)
    for seat in seats:
        before = {*table.truth}
        table.kingdom(choose, seat, [numbers.pop() for _each in range(dominoes)])
        laid = (one for piece, faces in table.truth.items() if piece not in before for one in faces)
        kingdoms[COLOURS[seat]] = Counter(
            str(CASTLE) if one.face.startswith("castle") else one.face for one in laid
        )
    return table, kingdoms


def sent(glance: FrameReading) -> PictureCache:
    kept = PictureCache()
    kept.keep_look(glance)
    return kept


@pytest.mark.parametrize(("seats", "dominoes"), (((0, 2), 12), ((0, 1, 2, 3), 11)))
def test_every_kingdom_on_the_table_is_found_in_the_live_picture(
    seats: tuple[int, ...], dominoes: int
) -> None:
    table, kingdoms = played(2, seats, dominoes)
    photo = sent(Looking(table, 2).settled()).photo(GAME)()
    picture = working_size(opened(photo))
    lying = photo.pieces(GAME.key, picture.shape[1])

    reads = reader_of(SIGHT.photos, None, None, rasterize).read_table(picture, lying)
    shown = {read.shown.colour: read.shown for read in reads if read.shown}

    assert {colour: Counter(map(str, one.squares.values())) for colour, one in shown.items()} == kingdoms


def test_the_page_reads_the_live_picture_by_the_pieces_of_its_own_game_alone(tmp_path: Path) -> None:
    table, kingdoms = played(2, (0, 2), 12)
    kept = sent(Looking(table, 2).settled())
    service = PhotoService(tmp_path, rasterize=rasterize)

    own = service.groups("counting", service.put("counting", GAME, kept.photo(GAME)))
    other = service.groups("counting", service.put("counting", GAME, kept.photo(GAMES["carcassonne"])))

    assert {one.colour for one in own if one.points is not None} == {*kingdoms}
    assert {one.colour for one in other if one.points is not None} < {*kingdoms}
    assert kept.photo(GAME)().pieces("carcassonne", 1280) == []


def test_a_picture_is_waited_for_in_which_nothing_moves() -> None:
    looking = Looking(played(1, (0,), 4)[0], 1)
    moving, still = looking.look(), looking.settled()
    kept = sent(moving)
    later = Timer(0.3, kept.keep_look, (still,))
    later.start()

    waited = kept.photo(GAME, patience_s=30.0)()

    assert (moving.plane is None, moving.seen) == (False, None)
    assert len(waited.lying) == 9
    assert sent(moving).photo(GAME)().lying == (), "after all patience, what there is"


def test_a_live_picture_is_read_as_fine_as_the_camera_gives_it() -> None:
    table, _kingdoms = played(1, (0,), 4)
    glance = Looking(table, 1, size=(1920, 1080)).settled()

    photo = sent(glance).photo(GAME)()

    assert opened(photo).shape == (1080, 1920, 3)
    assert len(photo.lying) == 9


def test_without_a_picture_there_is_none_to_read() -> None:
    with pytest.raises(CameraError, match="no picture yet"):
        PictureCache().photo(GAME)
