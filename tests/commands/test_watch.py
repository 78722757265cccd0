"""`companion watch`: films of our own drawings, looked at as a table would be."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.mat import Mat
from calibration.plane import Pixels
from tests.commands.conftest import Companion
from tests.hardware.pictures import grey
from tests.watch.filming import KINGDOMINO, FilmSet, filmed, kept

SHORT = 4
"""Pictures of a film that is over soon."""
FIRST = KINGDOMINO.lines[: SHORT - 1]


@pytest.fixture(scope="module")
def pictures() -> list[Pixels]:
    return filmed(KINGDOMINO)


def test_a_film_for_a_script(companion: Companion, home: Path, pictures: list[Pixels]) -> None:
    kept(pictures, home / "film")

    said = companion("watch", "kingdomino", "film", "--record", "--json")

    *frames, last = said.json
    assert (said.code, said.err) == (0, "")
    assert [event for frame in frames for event in frame["recorded"]] == list(KINGDOMINO.lines)
    assert last["events"] == last["final"]["turns"] == list(KINGDOMINO.lines)
    assert [frame["frame"] for frame in frames] == list(range(1, len(pictures) + 1))
    assert [frame["time"] for frame in frames] == [float(second) for second in range(len(pictures))]
    assert {frame["status"] for frame in frames} == {"watching"}
    assert last["frames"] == len(pictures)
    assert 0 < last["ms"]["median"] <= last["ms"]["p95"]
    assert not (home / "data").exists(), "the household's log is none of its business"


def test_a_film_for_a_person(companion: Companion, home: Path, pictures: list[Pixels]) -> None:
    kept(pictures[:SHORT], home / "film")

    said = companion("watch", "kingdomino", "film", "--record")

    assert said.code == 0
    assert "    2  watching\n         + line 15 21 24 44  (100%)\n         = line 15 21 24 44\n" in said.out
    assert "3 entries count\nPink: 0 points\n" in said.out


def test_nothing_is_recorded_unless_somebody_wants_it(
    companion: Companion, home: Path, pictures: list[Pixels]
) -> None:
    kept(pictures[:2], home / "film")

    *_first, seen, last = companion("watch", "kingdomino", "film", "--json").json

    assert seen["proposals"] == [{"event": "line 15 21 24 44", "confidence": 1.0}]
    assert (seen["recorded"], last["events"]) == ([], [])


def test_pictures_that_come_too_fast_are_not_still(
    companion: Companion, home: Path, pictures: list[Pixels]
) -> None:
    kept(pictures[:SHORT], home / "film")

    *frames, last = companion("watch", "kingdomino", "film", "--record", "--every", "0.3", "--json").json

    assert [frame["time"] for frame in frames] == [0.0, 0.3, 0.6, 0.9]
    assert {frame["status"] for frame in frames} == {"moving"}
    assert last["events"] == []


def test_a_damaged_picture_is_told_and_the_others_are_still_watched(
    companion: Companion, home: Path, pictures: list[Pixels]
) -> None:
    folder = kept(pictures[:SHORT], home / "film")
    (folder / "000002a.jpg").write_bytes((folder / "000002.jpg").read_bytes()[:5000])

    said = companion("watch", "kingdomino", "film", "--record", "--json")

    damage = "It is no JPEG or PNG picture, or a damaged one."
    assert said.code == 2
    assert said.json[2] == {"frame": 3, "file": "film/000002a.jpg", "error": damage}
    assert said.err == f"companion: film/000002a.jpg: {damage}\n"
    assert (said.json[-1]["events"], said.json[-1]["frames"]) == (list(FIRST), 5)


def test_what_lies_elsewhere_than_the_log_says_is_a_contradiction(companion: Companion, home: Path) -> None:
    table = FilmSet(KINGDOMINO)
    shown = [table.picture(), *(table.picture() for line in KINGDOMINO.lines if table.happen(line))]
    laid = table.scene.snapshot.find("domino-15")
    assert laid
    table.scene.put("domino-15", laid.x - 120, laid.y, laid.angle)
    kept([*shown, table.picture()], home / "film")

    *_first, seen, last = companion("watch", "kingdomino", "film", "--record", "--json").json

    assert [odd["meant"] for odd in seen["contradictions"]] == ["2 lays 15 at 0,2 N"]
    assert last["events"] == list(KINGDOMINO.lines)


def test_without_markers_somebody_has_to_show_the_corners(companion: Companion, home: Path) -> None:
    kept([grey(120, 640, 360)] * 12, home / "film")

    said = companion("watch", "kingdomino", "film", "--json")

    assert said.code == 2
    assert [frame["status"] for frame in said.json] == ["blind"] * 10
    assert said.err == (
        "companion: The table is not found: neither its markers nor all of its outline are in the first 10"
        " pictures. Show its corners in"
        " pixels, clockwise from the upper left: --corners X,Y X,Y X,Y X,Y\n"
    )


def test_corners_that_are_shown_find_the_table(companion: Companion, home: Path) -> None:
    table = FilmSet(KINGDOMINO)
    for marker, (x, y) in enumerate(Mat().middles.values()):
        table.scene.add(f"napkin {marker}", table.scene.faces["napkin"])
        table.scene.put(f"napkin {marker}", x, y, 0)
    kept([table.picture(), *(table.picture() for line in FIRST if table.happen(line))], home / "film")
    corners = [table.camera.project(x, y) for x, y in Mat().corners]

    said = companion(
        *("watch", "kingdomino", "film", "--record", "--json"),
        *("--corners", *(f"{x:.1f},{y:.1f}" for x, y in corners)),
    )

    assert (said.code, said.json[-1]["events"]) == (0, list(FIRST))


def test_a_table_that_is_all_in_the_picture_is_found_by_its_outline(companion: Companion, home: Path) -> None:
    table = FilmSet(KINGDOMINO)
    shown = [table.picture(), *(table.picture() for line in FIRST if table.happen(line))]
    cloth = np.median(shown[0][200:500, 300:900].reshape(-1, 3), axis=0)
    for x, y in Mat().middles.values():
        u, v = (round(place) for place in table.camera.project(x, y))
        for pixels in shown:
            pixels[v - 32 : v + 32, u - 32 : u + 32] = cloth
    kept(shown, home / "film")

    said = companion("watch", "kingdomino", "film", "--record", "--json")

    assert (said.code, said.json[-1]["events"]) == (0, list(FIRST))


def test_a_video_is_a_film_too(companion: Companion, home: Path, pictures: list[Pixels]) -> None:
    height, width = pictures[0].shape[:2]
    writer = cv2.VideoWriter(str(home / "game.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 1.0, (width, height))
    for pixels in pictures[:SHORT]:
        writer.write(pixels)
    writer.release()

    *frames, last = companion("watch", "kingdomino", "game.avi", "--record", "--json").json

    assert [frame["time"] for frame in frames] == [0.0, 1.0, 2.0, 3.0]
    assert last["events"] == list(FIRST[:2]), "the last picture lies there for a fifth of a second"


WRONG = (
    (["dominion", "film"], "Dominion cannot be watched yet: tap in what happens."),
    (["kingdomino", "nowhere.avi"], "There is no file or folder nowhere.avi."),
    (["kingdomino", "empty"], "There is no picture (JPEG or PNG) in the folder empty."),
    (
        ["kingdomino", "film", "a.avi"],
        "Watch one film at a time: a folder, a video, or pictures of one table.",
    ),
    (["kingdomino", "film", "--players", "7"], "Kingdomino is for 2 to 4 players, not for 7."),
    (["kingdomino", "film", "--players", "x"], "--players is a whole number, not “x”."),
    (
        ["kingdomino", "film", "--colours", "pink,mauve"],
        "There is no colour “mauve”, only pink, yellow, green, blue, red, black, white, grey, orange, purple.",
    ),
    (
        ["kingdomino", "film", "--players", "3", "--colours", "pink,blue"],
        "3 players need as many colours, not 2.",
    ),
    (
        ["kingdomino", "film", "--every", "0"],
        "--every is a number of seconds from 0.02 to 3600, not “0”.",
    ),
    (["kingdomino", "film", "--size", "large"], "A table's size is written in centimetres, such as 160x90."),
    (
        ["kingdomino", "film", "--corners", "1", "2", "3", "4"],
        "A corner is written as two numbers, 120,85, clockwise from the upper left.",
    ),
    (["kingdomino", "film", "--option", "tax"], "There is no option called “tax”."),
    (
        ["kingdomino", "film", "--boxes", "ours"],
        "There is no such box any more.",
    ),
)


@pytest.mark.parametrize(("words", "told"), WRONG)
def test_what_cannot_be_watched_is_told_in_a_line(
    companion: Companion, home: Path, words: list[str], told: str
) -> None:
    (home / "film").mkdir()
    (home / "empty").mkdir()
    (home / "a.avi").write_bytes(b"")
    (home / "notes.txt").write_text("not a video")
    (home / "film" / "1.jpg").write_bytes(b"")

    said = companion("watch", *words)

    assert (said.code, said.out, said.err) == (2, "", f"companion: {told}\n")
