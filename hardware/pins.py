"""The pins of this computer, or why they cannot be reached and what to do about it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from companion.core.errors import PanelError
from companion.core.message import Message
from companion.core.message import message as _

PinFactory = Any
"""A pin factory of gpiozero, which says nothing of its types and is imported only where there are pins."""

DEVICE_FOLDER = Path("/dev")
"""Where Linux shows its pins as gpiochip0 and so on."""

Made = TypeVar("Made")


def native_factory() -> PinFactory:
    """Reach the pins of the Raspberry Pi we run on, or PanelError; who asks closes them."""

    def make() -> PinFactory:
        from gpiozero.pins.lgpio import LGPIOFactory  # type: ignore[import-untyped]

        return LGPIOFactory()

    return reaching_pins(make)


def reaching_pins(make: Callable[[], Made]) -> Made:
    """What `make` makes out of pins; whatever goes wrong becomes a PanelError with a cure."""
    try:
        return make()
    except PanelError:
        raise
    # gpiozero and its drivers raise errors of many families, lgpio a family of its own.
    except Exception as error:
        raise PanelError(_trouble(error)) from error


def _trouble(error: Exception) -> Message:
    said = " ".join(str(error).split())[:200] or type(error).__name__
    chips = sorted(DEVICE_FOLDER.glob("gpiochip*"))
    if isinstance(error, ImportError):
        return _(
            "The pins need another part: python -m pip install 'table-companion[pi]' (%(said)s).", said=said
        )
    if "busy" in said.lower() or "in use" in said.lower():
        return _("Another program uses the pins (%(said)s). Close it, or wire other pins.", said=said)
    if not chips:
        return _("This computer has no pins. Set panel.pins to “none”, or run it on a Raspberry Pi.")
    if not all(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return _(
            "We may not use the pins. Let the user join the group gpio (sudo usermod -aG gpio $USER),"
            " then log in again."
        )
    return _(
        "The pins cannot be reached: %(said)s. Is this a Raspberry Pi, wired as the pin map says?", said=said
    )
