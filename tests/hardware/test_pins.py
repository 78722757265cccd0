from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.errors import PanelError
from hardware import pins as native
from hardware.board import load_pin_map
from hardware.panel import Panel


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
