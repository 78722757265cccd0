"""`companion enrol` for a box that knows something: nothing twice, nothing lost, nothing that is no square."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.plane import Pixels
from companion.games.kingdomino.rules.pieces import DOMINOES
from companion.vision.gallery.box import Box
from companion.vision.gallery.boxes import BoxRepository
from companion.vision.gallery.likeness import DRAWN
from companion.vision.picture_file import decode_picture
from tests.commands.conftest import Companion
from tests.commands.test_enrol import DATA, LAMP, told
from tests.vision.photo.kingdoms import damaged_box, file_of, half


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
        "companion: These are no squares: whatever they are called, they look alike. "
        "Are they the backs of dominoes? Lay them with their squares up. Nothing was learned.\n",
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
