""""""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.core.errors import PanelError
from hardware import pins as native
from hardware.panel import Panel
from hardware.pins import LARGEST_PIN_MAP, PIN_MAP_FILE, ButtonPins, PinMap, load_pin_map


def device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str | None, mode: bool = True) -> None:
    monkeypatch.setattr(native, "DEVICE_FOLDER", tmp_path)
    monkeypatch.setattr("os.access", lambda _path, _mode: mode)
    if name:
        (tmp_path / name).touch()


@pytest.mark.parametrize(
    ("error", "chip", "allowed", "expected"),
    (
        (
            ImportError("No module named 'lgpio'"),
            "gpiochip0",
            True,
            "The pins need another part: python -m pip install 'table-companion[pi]'"
            " (No module named 'lgpio').",
        ),
        (
            OSError("can not open gpiochip"),
            None,
            True,
            "This computer has no pins. Set panel.pins to “none”, or run it on a Raspberry Pi.",
        ),
        (
            OSError("can not open gpiochip"),
            "gpiochip0",
            False,
            "We may not use the pins. Let the user join the group gpio (sudo usermod -aG gpio $USER),"
            " then log in again.",
        ),
        (
            RuntimeError("'GPIO busy'"),
            "gpiochip0",
            True,
            "Another program uses the pins ('GPIO busy'). Close it, or wire other pins.",
        ),
        (
            RuntimeError(""),
            "gpiochip4",
            True,
            "The pins cannot be reached: RuntimeError. Is this a Raspberry Pi, wired as the pin map says?",
        ),
    ),
)
def test_pins_that_cannot_be_reached_have_a_cure(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    chip: str | None,
    allowed: bool,
    expected: str,
) -> None:
    device(tmp_path, monkeypatch, chip, allowed)

    def fail() -> None:
        raise error

    with pytest.raises(PanelError) as found:
        native.reaching_pins(fail)

    assert str(found.value) == expected


def test_a_computer_without_pins_says_so() -> None:
    with pytest.raises(PanelError) as found:
        Panel(load_pin_map(), None, lambda _seat, _long: None, lambda _text, _seat: None)

    assert str(found.value).startswith(("The pins need another part", "This computer has no pins"))


OTHER_DUTIES = {0, 1, 2, 3, 7, 8, 9, 10, 11, 14, 15}
"""Add-on boards, I2C, SPI and the serial console."""
DARK_AT_START = set(range(9, 28))
"""Pulled down by a Raspberry Pi while it starts."""
SMALL = "[[seats]]\nbutton = 4\nlamp = 17\n[common]\nbutton = 5\nlamp = 18\n"


def test_our_board_has_six_seats_a_common_button_and_a_buzzer() -> None:
    board = load_pin_map()

    assert (len(board.seats), board.common, board.buzzer) == (6, ButtonPins(26, 20), 21)
    assert board.seats[0] == ButtonPins(button=17, lamp=18)
    assert list(board.spots) == [None, 0, 1, 2, 3, 4, 5]


def test_our_board_leaves_pins_with_other_duties_free() -> None:
    board = load_pin_map()

    assert set(board.pins) & OTHER_DUTIES == set()
    assert {spot.lamp for spot in board.spots.values()} <= DARK_AT_START


def test_the_wiring_notes_are_about_our_board() -> None:
    notes = PIN_MAP_FILE.with_name("wiring.md").read_text("utf-8")
    rows = re.findall(r"^\| (?:seat \d|common|buzzer) \|(.*)\|$", notes, re.MULTILINE)

    told = [int(pin) for row in rows for pin in re.findall(r"GPIO (\d+)", row)]

    board = load_pin_map()
    wired = [pin for spot in (*board.seats, board.common) for pin in (spot.button, spot.lamp)]
    assert told == [*wired, board.buzzer]


def test_a_board_of_another_household(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(SMALL)

    assert load_pin_map(path) == PinMap((ButtonPins(4, 17),), ButtonPins(5, 18), None)


@pytest.mark.parametrize(
    ("content", "expected"),
    (
        ("", "It takes 1 to 8 sections [[seats]]."),
        ("seats = 3", "It takes 1 to 8 sections [[seats]]."),
        ("[[seats]]\n" * 9, "It takes 1 to 8 sections [[seats]]."),
        ("seats = [3]", "seats[1] has to be a section with button, lamp."),
        ("[[seats]]\nbuton = 4", "There is no setting “seats[1].buton”; did you mean “seats[1].button”?"),
        ("[[seats]]\nx = 4", "There is no setting “seats[1].x”, only seats[1].button, seats[1].lamp."),
        ("[comon]", "There is no setting “comon”; did you mean “common”?"),
        ("[wires]", "There is no setting “wires”, only seats, common, buzzer."),
        ("[[seats]]\nbutton = 4", "seats[1].lamp is missing: it is the number of a pin."),
        ("[[seats]]\nbutton = 4\nlamp = 17", "common.button is missing: it is the number of a pin."),
        (
            "[[seats]]\nbutton = 28",
            "seats[1].button has to be the BCM number of a pin, from 2 to 27, not 28.",
        ),
        ("[[seats]]\nbutton = 0", "seats[1].button has to be the BCM number of a pin, from 2 to 27, not 0."),
        (
            "[[seats]]\nbutton = true",
            "seats[1].button has to be the BCM number of a pin, from 2 to 27, not True.",
        ),
        (
            "[[seats]]\nbutton = 'GPIO4'",
            "seats[1].button has to be the BCM number of a pin, from 2 to 27, not GPIO4.",
        ),
        (SMALL.replace("18", "4"), "Pin 4 is given to two things; each needs one of its own."),
        (SMALL + "[buzzer]\npin = 5\n", "Pin 5 is given to two things; each needs one of its own."),
        (SMALL + "[buzzer]\nbutton = 5\n", "There is no setting “buzzer.button”, only buzzer.pin."),
        ("#" * (LARGEST_PIN_MAP + 1), "The file is larger than 64 kB."),
        (b"\xff", "The file is not saved as UTF-8 text."),
        ("[[seats]", "The file is not written as TOML: Expected"),
        (f"a = {'[' * 9000}", "The file is not written as TOML: "),
    ),
)
def test_a_mistake_in_a_pin_map_is_named(tmp_path: Path, content: str | bytes, expected: str) -> None:
    path = tmp_path / "board.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())

    with pytest.raises(PanelError) as found:
        load_pin_map(path)

    assert str(found.value).startswith(f"The pin map {path}: {expected}")


def test_a_pin_map_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PanelError, match="The file cannot be read: No such file or directory"):
        load_pin_map(tmp_path / "nowhere.toml")
