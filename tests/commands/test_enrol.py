"""`companion enrol`: a box learned from photos of its own dominoes, from cut pictures, and put right."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.plane import Pixels
from companion.core.errors import CompanionError
from companion.games.kingdomino.rules.pieces import DOMINOES
from companion.games.kingdomino.rules.scoring import property_points
from companion.games.kingdomino.sight.layout import KingdominoSight
from companion.photos.reader import PhotoReader
from companion.vision.gallery.box import Box, BoxRepository
from companion.vision.gallery.squares import DRAWN
from companion.vision.picture_file import decode_picture
from tests.commands.conftest import Companion, Said
from tests.vision.photo.kingdoms import (
    PHOTOS,
    SIDE,
    board,
    damaged_box,
    drawn,
    file_of,
    grown_kingdom,
    half,
    photo,
    shown_squares,
)

DATA = Path("data") / "table-companion"
LAMP = (0.4, 0.6, 0.9)
"""How much of blue, green and red an old lamp leaves."""
LAID = ((560, 60), (950, 90), (980, 1040), (500, 1010))
"""Where the corners of five dominoes are, one beneath the other, in a photo that was taken from the side."""


def column(numbers: Iterable[int]) -> Pixels:
    """Dominoes one beneath the other, as they are laid to be enrolled."""
    return np.vstack([np.hstack([half(number, right) for right in (False, True)]) for number in numbers])


def box_photos(folder: Path) -> Path:
    """Ten photos of all dominoes, and one of a starting tile, cut out."""
    folder.mkdir()
    for first in range(1, 49, 5):
        numbers = range(first, min(first + 5, 49))
        corners = LAID if len(numbers) == 5 else ((560, 60), (950, 90), (960, 690), (530, 660))
        data = file_of(photo(column(numbers), corners))
        (folder / f"{numbers[0]}-{numbers[-1]}.jpg").write_bytes(data)
    castle = next(face for face in KingdominoSight().faces if face.label == "castle-blue")
    (folder / "castle-blue.png").write_bytes(file_of(drawn(castle.drawing, castle.label), ".png"))
    return folder


def told(said: Said) -> dict[str, object]:
    assert said.code == 0, said.err
    found: dict[str, object] = json.loads(said.out.splitlines()[-1])
    return found


def test_a_box_of_ten_photos_reads_a_kingdom(companion: Companion, tmp_path: Path) -> None:
    said = told(companion("enrol", "kingdomino", box_photos(tmp_path / "box"), "--json"))

    assert (said["missing"], said["complaints"], said["odd"]) == ([], [], [])
    assert isinstance(said["pieces"], dict)
    assert len(said["pieces"]) == 97
    reader = PhotoReader(PHOTOS, BoxRepository(tmp_path / DATA).load("kingdomino"))
    for seed in (4, 5):
        kingdom = grown_kingdom(seed)
        shown = reader.read(file_of(photo(board(kingdom)))).shown
        assert shown is not None
        assert (dict(shown.squares), shown.points) == (shown_squares(kingdom), property_points(kingdom))


def test_a_bad_photo_is_told_and_not_learned(companion: Companion, tmp_path: Path) -> None:
    folder = tmp_path / "bad"
    folder.mkdir()
    good = photo(column(range(1, 6)), LAID)
    light = good.astype(np.float32)
    cv2.circle(light, (720, 500), 190, (255, 255, 255), -1)
    (folder / "1-5.jpg").write_bytes(file_of(np.asarray(cv2.GaussianBlur(good, (0, 0), 12), np.uint8)))
    (folder / "6-10.jpg").write_bytes(file_of(np.asarray(light, np.uint8)))
    (folder / "11-15.jpg").write_bytes(file_of(np.full((900, 900, 3), 90, np.uint8)))
    (folder / "holiday.jpg").write_bytes(file_of(good))
    (folder / "17.jpg").write_bytes(b"nothing")

    said = companion("enrol", "kingdomino", folder, "--json")

    words = {one["file"]: one["error"].partition(":")[0] for one in said.json[-1]["complaints"]}
    assert (said.code, words) == (
        2,
        {
            "1-5.jpg": "It is out of focus",
            "6-10.jpg": "A lamp is reflected in it",
            "11-15.jpg": "No block of 2 by 5 squares is seen",
            "holiday.jpg": "“holiday” is no piece",
            "17.jpg": "This file is not a JPEG, PNG or HEIC picture, or it is damaged.",
        },
    )
    assert BoxRepository(tmp_path / DATA).open("kingdomino").labels == ()


def squares(folder: Path) -> Path:
    """Two kinds of squares in folders by name, one of them twice, by day and under a lamp."""
    for name, number, light in (("f0", 3, 1.0), ("f0", 4, LAMP), ("wheat_1", 19, 1.0)):
        (folder / name).mkdir(parents=True, exist_ok=True)
        lit = np.asarray(half(number, False) * light, np.uint8)
        (folder / name / f"{number}.png").write_bytes(file_of(lit, ".png"))
    return folder


def test_squares_in_folders_by_name(companion: Companion, tmp_path: Path) -> None:
    said = told(companion("enrol", "kingdomino", "--name", "old", squares(tmp_path / "squares"), "--json"))

    assert said["pieces"] == {"f0": 2, "w1": 1}
    assert isinstance(said["missing"], list)
    assert ("f0" in said["missing"], "m3" in said["missing"]) == (False, True)


def test_photos_one_by_one_and_folders_that_name_no_piece(companion: Companion, tmp_path: Path) -> None:
    folder = tmp_path / "scans"
    (folder / "backs").mkdir(parents=True)
    for name, number in (("01", 1), ("backs/01", 48)):
        picture = np.hstack([half(number, False), half(number, True)])
        (folder / f"{name}.png").write_bytes(file_of(np.asarray(picture, np.uint8), ".png"))
    (folder / "start_blue.png").write_bytes(file_of(half(3, False), ".png"))
    loose = tmp_path / "grass_2_02.png"
    loose.write_bytes(file_of(half(40, True), ".png"))

    said = told(companion("enrol", "kingdomino", "--json", folder, loose))

    assert (said["gallery"], said["complaints"]) == ("kingdomino", [])
    assert said["pieces"] == {"domino-1-left": 1, "domino-1-right": 1, "castle-blue": 1, "g2": 1}


@pytest.mark.parametrize("name", ("forest-2.png", "w3.png", "wheat_3.png", "nowhere.png"))
def test_what_is_no_piece_of_the_box_is_not_learned(companion: Companion, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    if name != "nowhere.png":
        file.write_bytes(file_of(half(3, False), ".png"))

    said = companion("enrol", "kingdomino", file, "--json")

    reason = "is no piece" if file.exists() else "The file cannot be read"
    assert (said.code, reason in said.err) == (2, True)
    assert BoxRepository(tmp_path / DATA).open("kingdomino").labels == ()


def test_pieces_are_renamed_and_removed(companion: Companion, tmp_path: Path) -> None:
    companion("enrol", "kingdomino", squares(tmp_path / "squares"))

    renamed = told(companion("enrol", "kingdomino", "--rename", "f0", "f1", "--json"))
    removed = told(companion("enrol", "kingdomino", "--remove", "w1", "--json"))
    wrong = companion("enrol", "kingdomino", "--remove", "w1")
    odd = companion("enrol", "kingdomino", "--rename", "f1", "meadow")

    assert (renamed["pieces"], removed["pieces"]) == ({"f1": 2, "w1": 1}, {"f1": 2})
    assert (wrong.code, wrong.err) == (2, "companion: There is no piece “w1” in this box.\n")
    assert (odd.code, odd.err.startswith("companion: “meadow” is no piece")) == (2, True)


def test_pieces_that_look_alike_are_told(companion: Companion, tmp_path: Path) -> None:
    folder = tmp_path / "twins"
    folder.mkdir()
    (folder / "f0.png").write_bytes(file_of(half(3, False), ".png"))
    (folder / "f1.png").write_bytes(file_of(half(3, False), ".png"))
    (folder / "w0.png").write_bytes(file_of(half(1, False), ".png"))

    said = told(companion("enrol", "kingdomino", folder, "--json"))

    assert isinstance(said["confusable"], list)
    assert [pair[:2] for pair in said["confusable"]] == [["f0", "f1"]]


@pytest.mark.parametrize(
    ("name", "other", "key", "expected"),
    (("VERSION", 99, "version", "99"), ("network_version", lambda _network: "another", "network", "another")),
)
def test_a_box_described_otherwise_is_made_again(
    companion: Companion,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    other: object,
    key: str,
    expected: str,
) -> None:
    companion("enrol", "kingdomino", squares(tmp_path / "squares"))
    boxes = BoxRepository(tmp_path / DATA)
    before = boxes.load("kingdomino")

    monkeypatch.setattr(f"companion.vision.gallery.squares.{name}", other)

    assert boxes.load("kingdomino").labels == before.labels
    assert str(np.load(boxes.folder / "kingdomino.npz")[key]) == expected


@pytest.mark.parametrize("data", (b"", b"no box", b"PK\x03\x04" + bytes(200)))
def test_a_damaged_box_is_refused_in_words(tmp_path: Path, data: bytes) -> None:
    boxes = BoxRepository(tmp_path)
    boxes.folder.mkdir()
    (boxes.folder / "den.npz").write_bytes(data)

    for use in (boxes.open, boxes.load):
        with pytest.raises(CompanionError) as error:
            use("den")
        assert str(error.value) == damaged_box("den")


@pytest.mark.parametrize(
    ("words", "expected"),
    (
        (("empty",), "There is no JPEG, PNG or HEIC picture in empty."),
        (("--name", "shipped", "--anew"), "“shipped” is what everybody has: give the gallery another name."),
        (
            ("--name", "../up", "--remove", "f0"),
            "“../up” is no name: letters, digits, “-” and “_”, at most 40 of them.",
        ),
    ),
)
def test_what_is_not_understood(
    companion: Companion, home: Path, words: tuple[str, ...], expected: str
) -> None:
    (home / "empty").mkdir()

    said = companion("enrol", "kingdomino", *words)

    assert (said.code, said.err) == (2, f"companion: {expected}\n")


def test_squares_are_cut_out_upright() -> None:
    from companion.vision.photo.enrolment import find_block

    found = find_block(photo(column((17, 18)), ((560, 60), (950, 90), (950, 460), (545, 440))), 2, 2)

    apart = [
        float(np.abs(cv2.resize(square, (SIDE, SIDE)).astype(int) - half(number, right)).mean())
        for square, (number, right) in zip(
            found.squares, ((17, False), (17, True), (18, False), (18, True)), strict=True
        )
    ]
    assert max(apart) < 25


@pytest.mark.parametrize(
    ("laid", "quarters", "expected"),
    (
        (range(21, 25), 0, "No block of 2 by 5 squares is seen"),
        (range(21, 26), 1, "The pieces lie sideways in this picture"),
    ),
)
def test_what_does_not_lie_as_its_name_says_is_not_learned(
    companion: Companion, tmp_path: Path, laid: range, quarters: int, expected: str
) -> None:
    low = 50 + 200 * len(laid)
    picture = photo(column(laid), ((400, 50), (800, 50), (800, low), (400, low)))
    (tmp_path / "21-25.jpg").write_bytes(file_of(np.ascontiguousarray(np.rot90(picture, quarters))))

    said = companion("enrol", "kingdomino", tmp_path / "21-25.jpg")

    assert (said.code, expected in said.err) == (2, True)


def test_boards_called_as_dominoes_are_called_teach_nothing(companion: Companion, tmp_path: Path) -> None:
    for number in (3, 17):
        (tmp_path / f"{number:02}.jpg").write_bytes(file_of(board(grown_kingdom(number))))
    (tmp_path / "w0.png").write_bytes(file_of(np.hstack([half(1, False), half(1, True)]), ".png"))
    on_its_side = np.rot90(np.hstack([half(20, False), half(20, True)]))
    (tmp_path / "20.png").write_bytes(file_of(np.ascontiguousarray(on_its_side), ".png"))

    said = companion("enrol", "kingdomino", tmp_path, "--json")

    words = {one["file"]: one["error"].partition(":")[0] for one in said.json[-1]["complaints"]}
    assert (said.code, words) == (
        2,
        {
            "03.jpg": "A picture cut to the edges of 2 by 1 squares is not 400 by 400 pixels large",
            "17.jpg": "A picture cut to the edges of 2 by 1 squares is not 400 by 400 pixels large",
            "w0.png": "A picture cut to the edges of 1 by 1 squares is not 160 by 80 pixels large",
            "20.png": "The pieces lie sideways in this picture",
        },
    )
    assert BoxRepository(tmp_path / DATA).open("kingdomino").labels == ()


@pytest.mark.parametrize("trimmed", (-18, 18))
def test_a_domino_cut_with_a_little_around_it_or_missing(
    companion: Companion, tmp_path: Path, trimmed: int
) -> None:
    domino = np.hstack([half(20, False), half(20, True)])
    cut = domino[:, trimmed:] if trimmed > 0 else np.pad(domino, ((0, 0), (-trimmed, 0), (0, 0)), mode="edge")
    (tmp_path / "20.png").write_bytes(file_of(np.ascontiguousarray(cut), ".png"))

    said = told(companion("enrol", "kingdomino", tmp_path / "20.png", "--json"))

    assert said["pieces"] == {"domino-20-left": 1, "domino-20-right": 1}


def test_a_domino_enrolled_turned_about_is_told(companion: Companion, tmp_path: Path) -> None:
    companion("enrol", "kingdomino", box_photos(tmp_path / "box"))
    upside_down = np.rot90(np.hstack([half(43, False), half(43, True)]), 2)
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "43.png").write_bytes(file_of(np.ascontiguousarray(upside_down), ".png"))

    said = told(companion("enrol", "kingdomino", tmp_path / "more", "--json"))

    assert isinstance(said["odd"], list)
    assert "43" in said["odd"]


def domino(number: int) -> Pixels:
    return np.hstack([half(number, False), half(number, True)])


def dominoes(folder: Path, light: float | tuple[float, ...] = 1.0) -> Path:
    """Every fourth domino, each cut out."""
    folder.mkdir()
    for number in list(DOMINOES)[::4]:
        lit = np.asarray(domino(number) * np.array(light), np.uint8)
        (folder / f"{number}.png").write_bytes(file_of(lit, ".png"))
    return folder


def backs(folder: Path) -> Path:
    """The backs of all dominoes, wood with a number, called as fronts are called."""
    folder.mkdir()
    noise = np.random.default_rng(2)
    for number in DOMINOES:
        grain = noise.normal(0, 25, (80, 1, 1)) + noise.normal(0, 6, (80, 160, 3))
        picture = np.clip(np.array((30, 75, 140)) + grain, 0, 255).astype(np.uint8)
        picture[20:60, 60 : 62 + number] = 230
        (folder / f"{number:02d}.png").write_bytes(file_of(picture, ".png"))
    return folder


def labels(home: Path) -> tuple[str, ...]:
    return BoxRepository(home / DATA).open("kingdomino").labels


def test_the_same_folder_again_teaches_nothing(companion: Companion, home: Path) -> None:
    folder = dominoes(home / "box")

    first, again = (told(companion("enrol", "kingdomino", folder, "--json")) for _time in range(2))
    words = companion("enrol", "kingdomino", folder)
    other = told(companion("enrol", "kingdomino", dominoes(home / "evening", LAMP), "--json"))

    assert [one["known"] for one in (first, again, other)] == [0, 24, 0]
    assert first["pieces"] == again["pieces"]
    assert words.out.startswith("24 drawings were known already: they were not learned again.")
    assert len(labels(home)) == 48


def test_the_castle_is_missed(companion: Companion, home: Path) -> None:
    said = told(companion("enrol", "kingdomino", dominoes(home / "box"), "--json"))

    assert isinstance(said["missing"], list)
    assert said["missing"][-1] == "castle"


def test_backs_called_as_fronts_are_refused(companion: Companion, home: Path) -> None:
    companion("enrol", "kingdomino", dominoes(home / "box"))

    said = companion("enrol", "kingdomino", backs(home / "backs"))

    assert (said.code, said.err) == (
        2,
        "companion: These look alike, whatever they are called. Do they lie on their faces? "
        "Turn them over, and take it again. Nothing was learned.\n",
    )
    assert len(labels(home)) == 24


def test_what_people_put_right_meanwhile_is_kept(
    companion: Companion, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boxes = BoxRepository(home / DATA)

    def meanwhile(data: bytes, longest: int) -> Pixels:
        boxes.change("kingdomino", lambda box: box.learned([("m3", half(48, True))]))
        return decode_picture(data, longest)

    monkeypatch.setattr("companion.vision.picture_file.decode_picture", meanwhile)
    companion("enrol", "kingdomino", dominoes(home / "box"))

    assert (labels(home).count("m3"), len(labels(home))) == (1, 25)


def test_anew_begins_without_what_was_known(companion: Companion, home: Path) -> None:
    companion("enrol", "kingdomino", dominoes(home / "box"))
    bad = home / "bad"
    bad.mkdir()
    (bad / "17.jpg").write_bytes(b"nothing")
    boxes = BoxRepository(home / DATA)
    boxes.change("kingdomino", lambda box: box.titled("Ours"))

    nothing_good = companion("enrol", "kingdomino", "--anew", bad)
    kept = len(labels(home))
    (home / "17.png").write_bytes(file_of(domino(17), ".png"))
    one = told(companion("enrol", "kingdomino", "--anew", home / "17.png", "--json"))
    emptied = told(companion("enrol", "kingdomino", "--anew", "--json"))

    assert (nothing_good.code, kept) == (2, 24)
    assert one["pieces"] == {"domino-17-left": 1, "domino-17-right": 1}
    assert (emptied["pieces"], labels(home), boxes.title("kingdomino")) == ({}, (), "Ours")


def test_a_damaged_box_is_begun_anew(companion: Companion, home: Path) -> None:
    folder, file = dominoes(home / "box"), BoxRepository(home / DATA).folder / "kingdomino.npz"
    companion("enrol", "kingdomino", folder)
    file.write_bytes(b"no box")

    refused = companion("enrol", "kingdomino", folder)
    anew = companion("enrol", "kingdomino", "--anew", folder)

    assert (refused.code, refused.err) == (2, f"companion: {damaged_box('kingdomino')}\n")
    assert (anew.code, len(labels(home))) == (0, 24)


def test_a_full_box_takes_what_it_knows_already() -> None:
    picture = np.asarray(np.kron(half(1, False)[:64, :64], np.ones((2, 2, 1))), np.uint8)
    known = Box(("w0",), picture[None])

    assert (picture.shape[0], known.learned([("w0", picture)]) is known) == (DRAWN, True)
    assert len(known.learned([("w0", picture), ("w1", picture), ("w1", picture)]).labels) == 2
