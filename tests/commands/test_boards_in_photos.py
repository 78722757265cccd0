"""Boards of Carcassonne at the terminal: a photo read and scored, and a box taught by photos of twelve tiles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.core.game import Colour
from companion.games.carcassonne.rules.board import TILES
from companion.games.carcassonne.sight.lessons import LESSONS
from companion.games.carcassonne.sight.photographed import CarcassonnePhotos
from companion.games.carcassonne.text.words import tile_label
from tests.commands.conftest import Companion
from tests.vision.photo.boards import grown_board, halves_of, kinds_of, photo_of, tile_drawn
from tests.vision.photo.counting_boards import TRACK, board_known, middle, taken
from tests.vision.photo.kingdoms import file_of, photo

BOARD = grown_board(12, 16)
LAID = ((420, 160), (1130, 190), (1180, 720), (380, 700))
"""Where the corners of twelve tiles are in a photo taken from the side."""


@pytest.fixture
def board(home: Path) -> Path:
    (home / "board.jpg").write_bytes(file_of(photo_of(BOARD, 12, 0.1)))
    return home / "board.jpg"


def test_a_board_is_read_for_a_script(companion: Companion, board: Path) -> None:
    said = companion("read", "carcassonne", board.name, "--json")

    (answer,) = said.json
    truth = kinds_of(BOARD)
    doubted = {(one["x"], one["y"]) for one in answer["doubts"] if "x" in one}
    read = {(one["x"], one["y"]): (one["tile"], one["rot"]) for one in answer["tiles"]}
    assert said.code == 0
    assert {*read} == {*truth}
    assert all(read[cell] == truth[cell][:2] for cell in truth if cell not in doubted)
    assert all((one["confidence"] < 0.5) == ((one["x"], one["y"]) in doubted) for one in answer["tiles"])


def test_a_board_that_the_picture_cuts_is_told_to_be_perhaps_not_all(
    companion: Companion, home: Path
) -> None:
    whole = photo_of(BOARD, 12, 0.0)
    (home / "cut.jpg").write_bytes(file_of(np.ascontiguousarray(whole[:, : round(0.6 * whole.shape[1])])))

    (answer,) = companion("score", "carcassonne", "cut.jpg", "--json").json

    assert answer["doubts"][-1] == {"question": "More tiles may lie beside these: is this all of the board?"}


def test_a_board_is_scored_with_the_track_and_told_for_a_person(companion: Companion, board: Path) -> None:
    asked = ("score", "carcassonne", board.name, "--colours", "red,blue", "--scores", "31,44")

    scored, told = companion(*asked, "--json"), companion(*asked)

    (answer,) = scored.json
    assert (answer["colours"], answer["winners"]) == (["red", "blue"], [1])
    counted = [
        sum(one["points"] for one in answer["final"]["lines"] if one["player"] == who) for who in (0, 1)
    ]
    assert answer["final"]["scores"] == [31 + counted[0], 44 + counted[1]]
    assert "16 tiles" in told.out


@pytest.fixture
def halves(home: Path) -> tuple[str, str]:
    for name, picture in zip(("left.jpg", "right.jpg"), halves_of(BOARD, 12), strict=True):
        (home / name).write_bytes(file_of(picture))
    return "left.jpg", "right.jpg"


def test_photos_of_parts_of_a_board_are_scored_as_one(
    companion: Companion, home: Path, halves: tuple[str, str]
) -> None:
    asked = ("score", "carcassonne", *halves, "--colours", "red,blue", "--scores", "31,44")

    scored = companion(*asked, "--json", "--annotate", "drawn")

    (answer,) = scored.json
    read = sorted(one["tile"] for one in answer["tiles"])
    drawn = sorted(file.name for file in (home / "drawn").iterdir())
    assert (scored.code, answer["photos"], drawn) == (0, [*halves], [*halves])
    assert read == sorted(kind.letter for kind in kinds_of(BOARD).values())
    assert answer["final"]["scores"] == [31, 44]


def test_read_answers_each_of_several_photos(companion: Companion, halves: tuple[str, str]) -> None:
    said = companion("read", "carcassonne", *halves, "--json")

    assert [answer["photo"] for answer in said.json] == [*halves]


def test_photos_of_two_boards_are_not_scored_as_one(
    companion: Companion, home: Path, halves: tuple[str, str]
) -> None:
    (home / "other.jpg").write_bytes(file_of(photo_of(grown_board(13, 16), 13, 0.1)))

    said = companion("score", "carcassonne", halves[0], "other.jpg", "--json")

    assert (said.code, "These photos do not seem to show one board: other.jpg." in said.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "expected"),
    (
        (("--colours", "red,purple"), "each once, as in red,blue: red,purple."),
        (("--colours", "red,red"), "each once, as in red,blue: red,red."),
        (("--colours", "red,blue", "--scores", "1"), "--scores has what each of --colours has on the track"),
        (
            ("--colours", "red,blue", "--scores", "1,x"),
            "--scores has what each of --colours has on the track",
        ),
        (("--colours", "red"), "This game is not for 1 player."),
    ),
)
def test_who_plays_is_said_so_that_it_is_understood(
    companion: Companion, board: Path, words: tuple[str, ...], expected: str
) -> None:
    said = companion("score", "carcassonne", board.name, *words)

    assert (said.code, expected in said.err) == (2, True)


def test_kingdoms_have_no_track(companion: Companion, board: Path) -> None:
    said = companion("score", "kingdomino", board.name, "--scores", "1,2")

    assert (said.code, "This game has no track" in said.err) == (2, True)


def test_a_box_is_taught_by_photos_of_twelve_tiles(companion: Companion, home: Path) -> None:
    lesson = LESSONS[0]
    rows = [
        lesson.labels[first : first + lesson.columns]
        for first in range(0, len(lesson.labels), lesson.columns)
    ]
    tiles = np.vstack([np.hstack([tile_drawn(label.removeprefix("tile-")) for label in row]) for row in rows])
    (home / "tiles-1.jpg").write_bytes(file_of(photo(tiles, LAID)))

    said = companion("enrol", "carcassonne", "--name", "ours", "tiles-1.jpg", "--json")
    assert said.code == 0, said.err

    (answer,) = said.json
    known = [tile_label(letter) for letter in TILES][:12]
    assert (said.code, len(answer["pieces"]), sorted(answer["missing"])) == (
        0,
        12,
        sorted({*map(tile_label, TILES)} - {*known}),
    )


@pytest.fixture
def with_track(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(CarcassonnePhotos, "track", TRACK)
    monkeypatch.setattr("companion.photos.reader.load_printed", lambda _name: board_known())
    standing = [(Colour.RED, *middle(2)), (Colour.BLUE, *middle(9))]
    (home / "track.jpg").write_bytes(file_of(taken(standing).picture))
    return home / "track.jpg"


def test_the_track_in_a_photo_is_a_doubt_and_never_counted(companion: Companion, with_track: Path) -> None:
    asked = ("score", "carcassonne", with_track.name, "--colours", "red,blue")

    (read,), (said,) = companion(*asked, "--json").json, companion(*asked, "--scores", "52,9", "--json").json
    told = companion(*asked)

    doubt = "On the track in the photo: Red 2, Blue 9. Check it, add 12 for each lap, and say it by --scores."
    assert (read["track"], read["final"]["scores"]) == ({"red": 2, "blue": 9}, [0, 0])
    assert read["doubts"][-1] == {"question": doubt}
    assert doubt in told.out
    assert ("track" in said, said["final"]["scores"]) == (False, [52, 9])


def test_a_photo_without_a_track_says_nothing_of_it(companion: Companion, board: Path) -> None:
    (answer,) = companion("score", "carcassonne", board.name, "--json").json

    assert "track" not in answer
