"""Against a stand-in of picamera2: what is asked of it, in which order, and what becomes of its errors."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from companion.core.errors import CameraError
from hardware.camera import FRAME_S
from hardware.pi_camera import WARM_UP_S, PiCamera
from tests.hardware.pictures import StillClock, grey, level

if TYPE_CHECKING:
    from hardware.camera import Pixels


class Picamera2:
    """Behaves as its documentation says, and keeps what it was asked."""

    made: list[Picamera2]
    owned = False
    absent = False

    def __init__(self, camera_num: int) -> None:
        if self.absent:
            raise IndexError("list index out of range")
        if type(self).owned:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        type(self).owned = True
        self.calls: list[Any] = [("open", camera_num)]
        self.camera_controls = {"AfMode": (0, 2, 0)}
        self.broken = False
        self.made.append(self)

    def create_still_configuration(self, **asked: Any) -> dict[str, Any]:
        return asked

    def configure(self, configuration: dict[str, Any]) -> None:
        self.calls.append(("configure", configuration))

    def start(self) -> None:
        self.calls.append("start")

    def autofocus_cycle(self, wait: float) -> bool:
        self.calls.append("focus")
        return wait > 0

    def capture_metadata(self, wait: float) -> dict[str, Any]:
        assert wait > 0
        return {"ExposureTime": 9000, "AnalogueGain": 1.5, "ColourGains": (2.0, 1.8), "Lux": 300}

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.calls.append(("controls", controls))

    def capture_array(self, name: str, wait: float) -> Pixels:
        assert (name, wait) == ("main", 5.0)
        if self.broken:
            raise TimeoutError
        return grey(80)

    def close(self) -> None:
        type(self).owned = False
        self.calls.append("close")


@pytest.fixture(autouse=True)
def driver(monkeypatch: pytest.MonkeyPatch) -> type[Picamera2]:
    class Fresh(Picamera2):
        made: list[Picamera2] = []  # noqa: RUF012

    module = ModuleType("picamera2")
    module.Picamera2 = Fresh  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    return Fresh


def test_one_configuration_is_kept_and_the_light_is_locked_once(driver: type[Picamera2]) -> None:
    clock = StillClock()
    camera = PiCamera(0, (4609, 2592), clock, sleep=clock.sleep)

    first = camera.frame()
    clock.sleep(WARM_UP_S / 2)
    camera.frame()
    clock.sleep(WARM_UP_S)
    _third, before, last = (camera.frame() for _number in range(3))
    camera.close()

    (made,) = driver.made
    assert made.calls == [
        ("open", 0),
        (
            "configure",
            {"main": {"format": "RGB888", "size": (4608, 2592)}, "buffer_count": 2, "queue": False},
        ),
        "start",
        "focus",
        (
            "controls",
            {
                "AeEnable": False,
                "AwbEnable": False,
                "ExposureTime": 9000,
                "AnalogueGain": 1.5,
                "ColourGains": (2.0, 1.8),
            },
        ),
        "close",
    ]
    assert (level(first), first.number, first.time, last.number) == (80, 1, 100.0, 5)
    assert round(last.time - before.time, 6) == FRAME_S
    assert camera.name == "Raspberry Pi 0"


def test_a_camera_without_a_motor_is_not_focused(driver: type[Picamera2]) -> None:
    clock = StillClock()
    camera = PiCamera(0, (0, 0), clock, sleep=clock.sleep)
    camera.frame()
    driver.made[0].camera_controls = {}
    clock.sleep(WARM_UP_S)
    camera.frame()

    assert "focus" not in driver.made[0].calls
    assert driver.made[0].calls[1][1]["main"] == {"format": "RGB888"}


def test_a_camera_that_stops_is_opened_afresh(driver: type[Picamera2]) -> None:
    camera = PiCamera(0, (0, 0), StillClock())
    camera.frame()
    driver.made[0].broken = True

    with pytest.raises(CameraError, match=r"gives no pictures. Switch the Raspberry Pi off"):
        camera.frame()
    again = camera.frame()

    assert (len(driver.made), driver.made[0].calls[-1], again.number) == (2, "close", 2)


@pytest.mark.usefixtures("driver")
def test_only_one_program_at_a_time_owns_the_camera() -> None:
    owner, other = PiCamera(0, (0, 0), StillClock()), PiCamera(0, (0, 0), StillClock())
    owner.frame()

    with pytest.raises(
        CameraError, match=r"cannot be opened \(Failed to acquire camera.*close other programs"
    ):
        other.frame()
    owner.close()
    assert level(other.frame()) == 80


def test_a_raspberry_pi_without_a_camera(driver: type[Picamera2]) -> None:
    driver.absent = True

    with pytest.raises(CameraError, match=r"cannot be opened \(list index out of range\). Look at its cable"):
        PiCamera(0, (0, 0), StillClock()).frame()


def test_a_computer_without_picamera2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)

    with pytest.raises(CameraError, match=r"sudo apt install python3-picamera2"):
        PiCamera(0, (0, 0), StillClock()).frame()


def test_a_closed_camera_says_so(driver: type[Picamera2]) -> None:
    camera = PiCamera(0, (0, 0), StillClock())
    camera.close()

    with pytest.raises(CameraError, match=r"The camera is closed."):
        camera.frame()
    assert driver.made == []
