from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event

import cv2
import numpy as np
import pytest

from calibration.mat import Mat
from calibration.storage import CameraCalibration, save_calibration
from companion.commands import doctor
from companion.commands.doctor import Check
from companion.core.message import message as _
from companion.household.settings import load_settings
from hardware.camera import Frame
from tests.hardware.pictures import encoded, grey
from tests.hardware.streaming import streaming

Looked = Callable[[str], dict[str, Check]]


@pytest.fixture
def looked(tmp_path: Path) -> Looked:
    """What the doctor says of the camera, the table and the panel with these settings."""

    def look(toml: str) -> dict[str, Check]:
        path = tmp_path / "companion.toml"
        path.write_text(toml)
        loaded = load_settings(path)
        assert loaded.problems == ()
        return {
            str(found.name): found for found in (*doctor.check_camera(loaded), *doctor.check_panel(loaded))
        }

    return look


def photographed(path: Path, markers: int) -> None:
    """A photo of a table with that many of its markers."""
    mat = Mat()
    picture = np.full((int(mat.height) + 100, int(mat.width) + 100, 3), 150, np.uint8)
    kinds = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for marker in mat.ids[:markers]:
        x, y = (round(part - mat.marker / 2) + 50 for part in mat.middles[marker])
        side = int(mat.marker)
        picture[y - 10 : y + side + 10, x - 10 : x + side + 10] = 255
        drawn = cv2.aruco.generateImageMarker(kinds, marker, side)
        picture[y : y + side, x : x + side] = drawn[:, :, np.newaxis]
    assert cv2.imwrite(str(path), picture)


def test_without_camera_and_panel_all_is_well(looked: Looked) -> None:
    assert looked("") == {
        "camera": Check(_("camera"), True, _("no camera is set")),
        "panel": Check(_("panel"), True, _("no buttons and lamps are set")),
    }


def test_the_virtual_table_needs_nothing(looked: Looked) -> None:
    found = looked('[camera]\nsource = "virtual"\n[panel]\npins = "mock"\n')

    assert [(row.ok, str(row.detail)) for row in found.values()] == [
        (True, "the virtual table needs none"),
        (True, "7 buttons, each with a lamp"),
    ]


@pytest.mark.parametrize(("markers", "ok"), ((4, True), (2, False), (0, False)))
def test_the_markers_of_the_table_are_looked_for(
    looked: Looked, tmp_path: Path, markers: int, ok: bool
) -> None:
    (tmp_path / "photos").mkdir()
    photographed(tmp_path / "photos/table.png", markers)

    found = looked('[camera]\nsource = "folder"\nplace = "photos"\n')

    assert (found["table"].ok, str(found["table"].detail)) == (ok, f"{markers} of 4 markers are seen")
    assert str(found["table"].fix).startswith("Lay the printed markers flat into the corners")
    assert "“Set up the camera”" in str(found["table"].fix)
    camera = str(found["camera"].detail)
    assert camera.startswith(f"{tmp_path}/photos: 1700 × 1000 pixels, brightness ")
    assert 55 <= int(camera.split()[-3]) <= 60


def test_without_markers_the_corners_that_were_shown_count(looked: Looked, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    photographed(tmp_path / "photos/table.png", 0)
    settings = f'[camera]\nsource = "folder"\nplace = "photos"\n[store]\nfolder = "{tmp_path}"\n'
    save_calibration(
        tmp_path, CameraCalibration(corners=((9, 9), (900, 9), (900, 500), (9, 500)), frame=(1700, 1000))
    )
    shown = looked(settings)["table"]
    (tmp_path / "camera.json").write_text("{")

    damaged = looked(settings)["table"]

    assert (shown.ok, str(shown.detail)) == (True, "its corners were shown on the camera's page")
    assert (damaged.ok, "“Set up the camera”" in str(damaged.fix)) == (False, True)


@pytest.mark.parametrize(
    ("level", "expected"),
    ((10, "Put more light on the table; look whether the lens is covered."), (250, "Put less light on")),
)
def test_a_picture_that_is_too_dark_or_too_bright(
    looked: Looked, tmp_path: Path, level: int, expected: str
) -> None:
    (tmp_path / "a.jpg").write_bytes(encoded(level))

    found = looked(f'[camera]\nsource = "folder"\nplace = "{tmp_path}"\n')

    assert (found["camera"].ok, str(found["camera"].fix).startswith(expected)) == (False, True)


@pytest.mark.parametrize(
    ("source", "place", "expected"),
    (
        ("folder", "nowhere", "cannot be read: No such file or directory. Correct camera.place."),
        ("video", "nowhere.avi", "nowhere.avi. Correct camera.place."),
        ("stream", "ftp://ana:secret@cam/", "http and https do, too."),
        ("stream", "http://ana:secret@127.0.0.1:9/", "user and password are right."),
        ("usb", "63", "another number in camera.place."),
        ("pi", "", "environment with --system-site-packages."),
    ),
)
def test_a_camera_without_pictures(looked: Looked, source: str, place: str, expected: str) -> None:
    found = looked(f'[camera]\nsource = "{source}"\nplace = "{place}"\n')

    said = str(found["camera"].detail)
    assert (found["camera"].ok, said.endswith(expected), "secret" in said) == (False, True, False)
    assert "table" not in found


def test_a_stream_is_looked_at(looked: Looked) -> None:
    with streaming() as address:
        found = looked(f'[camera]\nsource = "stream"\nplace = "{address}/good"\n')

    assert str(found["camera"].detail).startswith(
        f"{address.replace('ana:secret@', '')}/good: 160 × 120 pixels"
    )


def test_a_driver_that_hangs_is_not_waited_for(looked: Looked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "LOOK_S", 0.2)
    over, ended = Event(), Event()

    def hang(*_where: object, **_how: object) -> None:
        over.wait(30)
        ended.set()

    monkeypatch.setattr("hardware.sources.open_camera", hang)

    found = looked('[camera]\nsource = "usb"\n')

    assert not ended.is_set()
    over.set()
    assert str(found["camera"].detail).startswith("There is no picture within")


def test_a_driver_that_fails_is_told(looked: Looked, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_where: object, **_how: object) -> None:
        raise RuntimeError("out of\nluck")

    monkeypatch.setattr("hardware.sources.open_camera", fail)

    assert (
        str(looked('[camera]\nsource = "usb"\n')["camera"].detail)
        == "The camera cannot be used: out of luck."
    )


def test_a_camera_that_opens_its_eye_is_given_a_moment(
    looked: Looked, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Waking:
        name, number = "waking", 0

        def frame(self) -> Frame:
            self.number += 1
            return Frame(grey(40 * self.number), 0.0, self.number)

        def close(self) -> None: ...

    monkeypatch.setattr("hardware.sources.open_camera", lambda *_where, **_how: Waking())

    said = str(looked('[camera]\nsource = "usb"\n')["camera"].detail)
    assert said == "waking: 160 × 120 pixels, brightness 47 of 100"


def test_what_the_open_companion_uses_is_left_alone(looked: Looked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "is_companion", lambda _port: True)

    found = looked('[camera]\nsource = "usb"\n[panel]\npins = "gpio"\n')

    assert [(row.ok, str(row.detail)) for row in found.values()] == [
        (True, "the companion that is open uses it"),
        (True, "7 buttons, each with a lamp"),
    ]


def test_pins_that_cannot_be_reached(looked: Looked) -> None:
    found = looked('[panel]\npins = "gpio"\n')["panel"]

    assert not found.ok
    assert str(found.detail).startswith(("The pins need another part", "This computer has no pins"))


def test_pins_are_reached_and_given_back(looked: Looked, monkeypatch: pytest.MonkeyPatch) -> None:
    from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]

    factory = MockFactory()
    monkeypatch.setattr("hardware.panel.native_factory", lambda: factory)

    found = [looked('[panel]\npins = "gpio"\n')["panel"] for _number in range(2)]

    assert [(row.ok, str(row.detail)) for row in found] == [(True, "7 buttons, each with a lamp")] * 2


def test_a_pin_map_with_a_mistake(looked: Looked, tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text("[[seats]]\nbutton = 99\n")

    found = looked('[panel]\npins = "mock"\nboard = "ours.toml"\n')["panel"]

    assert (found.ok, str(found.fix)) == (False, "Correct the pin map; hardware/wiring.md explains it.")
    assert "seats[1].button has to be the BCM number of a pin" in str(found.detail)
