"""Choosing the camera on the page of a real companion: tried first, used at once, and again after every start."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from time import monotonic, sleep

import cv2
import numpy as np
import pytest

from companion.household.chosen_camera import keep_chosen_camera, with_chosen_camera
from companion.household.settings import CameraSettings, Settings, StoreSettings
from hardware.sources import FoundCamera, found_cameras
from tests.soak.running import Running
from tests.web.serving import Listener
from tests.web.visitor import PATIENCE_S, Answer, Visitor

SIZE = 'data-table="1300.0,900.0"'
"""What the set-up page says of a table of 130 by 90 centimetres."""
FORM = {"name0": "Ana", "colour0": "pink", "name1": "Rui", "colour1": "blue"}


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    folder.mkdir()
    picture = np.random.default_rng(18).integers(60, 200, (720, 960, 3), np.uint8)
    cv2.imwrite(str(folder / "1.jpg"), picture)
    return folder


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path).start()
    yield running
    running.close()


@pytest.fixture(scope="module")
def unmoved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A companion that all refusals leave as it is."""
    running = Running(tmp_path_factory.mktemp("household")).start()
    yield running
    running.close()


def until(visitor: Visitor, path: str, there: Callable[[Answer], bool]) -> Answer:
    """What a page says once it says what is waited for."""
    begun = monotonic()
    while not there(answer := visitor.get(path)):
        assert monotonic() - begun < PATIENCE_S, answer.text
        sleep(0.1)
    return answer


def test_a_camera_is_tried_then_used_at_once_and_after_a_restart(companion: Running, photos: Path) -> None:
    visitor = companion.unlocked()
    session = visitor.post("/new/kingdomino", FORM).location
    assert visitor.get("/camera").status == 404
    chosen = {"source": "folder", "place": str(photos)}

    tried = visitor.post("/camera/choose/try", chosen)

    assert "960 × 720" in tried.text
    assert visitor.get("/camera/choose/picture.jpg").headers["Content-Type"] == "image/jpeg"
    assert visitor.get("/camera").status == 404  # nothing has changed yet
    assert visitor.post("/camera/choose/use", chosen).location == "/camera/choose?now=1"
    assert visitor.get("/camera").status == 200
    until(visitor, "/camera/picture.jpg", lambda answer: answer.status == 200)
    assert visitor.get(session).status == 200

    companion.kill()
    companion.start()
    again = companion.unlocked()
    assert until(again, "/camera/picture.jpg", lambda answer: answer.status == 200).status == 200
    assert again.post("/camera/choose/use", {"source": "none", "place": ""}).status == 303
    assert again.get("/camera").status == 404
    assert again.post("/camera/choose/use", {"forget": "1"}).status == 303


def test_an_open_page_hears_of_the_table_it_is_at_now(companion: Running, photos: Path) -> None:
    visitor = companion.unlocked()
    session = visitor.post("/new/kingdomino", FORM).location

    visitor.post("/camera/choose/use", {"source": "folder", "place": str(photos)})

    assert re.search(r'data-watch="\d+"', until(visitor, session, _watched).text)


def test_streams_stay_open_at_the_table_of_the_new_camera(companion: Running, photos: Path) -> None:
    visitor = companion.unlocked()
    session = visitor.post("/new/kingdomino", FORM).location
    visitor.post("/camera/choose/use", {"source": "folder", "place": str(photos)})

    listener = Listener(companion.port, session.removeprefix("/s/"))

    told = [listener.line() for _line in range(6)]
    listener.close()
    assert any(line.startswith("data: ") for line in told)
    assert told[-1] != ""  # the stream has not ended


def test_the_choice_and_how_the_camera_is_set_up_leave_each_other_alone(
    companion: Running, photos: Path
) -> None:
    visitor = companion.unlocked()
    visitor.post("/camera/choose/use", {"source": "folder", "place": str(photos)})
    until(visitor, "/camera/picture.jpg", lambda answer: answer.status == 200)
    assert visitor.post("/camera/size", {"width": "130", "height": "90"}).status == 303
    until(visitor, "/camera", lambda answer: SIZE in answer.text)

    companion.kill()
    companion.start()

    again = companion.unlocked()
    assert SIZE in until(again, "/camera", lambda answer: SIZE in answer.text).text


def _watched(answer: Answer) -> bool:
    return "data-watch" in answer.text


@pytest.mark.parametrize(
    ("form", "told"),
    (
        ({"source": "folder", "place": "/nowhere/at/all"}, "/nowhere/at/all"),
        ({"source": "usb", "place": "97"}, "USB camera 97 cannot be opened."),
        ({"source": "usb", "place": "front"}, "camera.place has to be the number of the camera"),
        ({"source": "stream", "place": "gopher://x"}, "camera.place has to be an address"),
        (
            {"source": "stream", "place": "http://127.0.0.1:9/x"},
            "There are no pictures at http://127.0.0.1:9/x",
        ),
        ({"source": "none"}, "Without a camera there is nothing to see"),
        ({"source": "video", "place": "film.mp4"}, "did not understand which camera is meant"),
        ({"source": "usb", "place": "0\x00"}, "did not understand which camera is meant"),
        ({}, "did not understand which camera is meant"),
    ),
)
def test_what_gives_no_picture_is_told_and_changes_nothing(
    unmoved: Running, form: dict[str, str], told: str
) -> None:
    visitor = unmoved.unlocked()

    answer = visitor.post("/camera/choose/try", form)

    assert (answer.status in (400, 409, 422, 500, 503), told in unescape(answer.text)) == (True, True)
    if form.get("source") in ("folder", "stream"):
        assert f'value="{form["place"]}"' in answer.text  # what was typed is not typed again
    assert visitor.get("/camera").status == 404
    assert [*unmoved.folder.rglob("chosen-camera.json")] == []


def test_a_tablet_looks_into_no_folder(unmoved: Running, photos: Path) -> None:
    tablet = unmoved.unlocked()
    tablet.headers["X-Forwarded-For"] = "192.168.1.20"
    chosen = {"source": "folder", "place": str(photos)}

    for path in ("/camera/choose/try", "/camera/choose/use"):
        answer = tablet.post(path, chosen)
        assert (answer.status, "on the companion's own computer" in unescape(answer.text)) == (400, True)
    assert "A folder of photos on this computer" not in tablet.get("/camera/choose").text


def test_who_does_not_know_the_pin_sees_and_changes_nothing(unmoved: Running) -> None:
    visitor = unmoved.visitor()

    for answer in (
        visitor.get("/camera/choose"),
        visitor.get("/camera/choose/picture.jpg"),
        visitor.post("/camera/choose/try", {"source": "usb"}),
        visitor.post("/camera/choose/use", {"source": "none"}),
    ):
        assert (answer.status, answer.location.startswith("/unlock")) == (303, True)


def test_cameras_are_found_as_linux_names_them(tmp_path: Path) -> None:
    for device, name, index in (
        ("video0", "C920 HD Pro Webcam", "0"),
        ("video1", "C920 HD Pro Webcam", "1"),
        ("video2", "Microscope", "0"),
        ("video10", "bcm2835-codec-decode", "0"),
        ("video19", "rpi-hevc-dec", "0"),
    ):
        (tmp_path / device).mkdir()
        (tmp_path / device / "name").write_text(f"{name}\n")
        (tmp_path / device / "index").write_text(f"{index}\n")
    (tmp_path / "video3").mkdir()

    assert [*found_cameras(tmp_path)] == [
        FoundCamera("usb", "0", "C920 HD Pro Webcam"),
        FoundCamera("usb", "2", "Microscope"),
    ]
    assert [*found_cameras(tmp_path / "nothing")] == []


@pytest.mark.parametrize(
    "kept", ("", "{", "[]", '{"source": "usb"}', '{"source": "virtual", "place": ""}', "\x00")
)
def test_a_choice_that_cannot_be_read_leaves_the_settings(tmp_path: Path, kept: str) -> None:
    settings = Settings(store=StoreSettings(folder=str(tmp_path)), camera=CameraSettings("usb", "1"))
    (tmp_path / "chosen-camera.json").write_text(kept)

    assert with_chosen_camera(settings) == settings


def test_the_choice_is_kept_whole_and_for_nobody_else_to_read(tmp_path: Path) -> None:
    settings = Settings(store=StoreSettings(folder=str(tmp_path)))

    keep_chosen_camera(tmp_path, ("stream", "rtsp://me:secret@192.168.0.20/1"))

    assert with_chosen_camera(settings).camera.place == "rtsp://me:secret@192.168.0.20/1"
    assert (tmp_path / "chosen-camera.json").stat().st_mode & 0o777 == 0o600
    assert json.loads((tmp_path / "chosen-camera.json").read_text())["source"] == "stream"
    keep_chosen_camera(tmp_path, None)
    assert with_chosen_camera(settings) == settings
