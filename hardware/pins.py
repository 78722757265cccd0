"""The pins of this computer, or why they cannot be reached; and the pin map.

Which of them every button and lamp is wired to (BCM numbers 2 to 27).
"""

from __future__ import annotations

import os
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
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


PIN_MAP_FILE = Path(__file__).with_name("board.toml")
"""The pin map of the panel in our wiring notes."""
LARGEST_PIN_MAP = 64_000
"""Bytes we read."""
MOST_SEATS = 8
LOWEST_PIN, HIGHEST_PIN = 2, 27
"""GPIO 0 and 1 tell the Raspberry Pi which board is plugged on; there is none above 27."""


@dataclass(frozen=True)
class ButtonPins:
    """A button with its lamp, each by the BCM number of its pin."""

    button: int
    lamp: int


@dataclass(frozen=True)
class PinMap:
    """Every pin of a panel."""

    seats: tuple[ButtonPins, ...]
    """One for each seat, in the order people sit."""
    common: ButtonPins
    """The button that belongs to everybody."""
    buzzer: int | None = None

    @property
    def spots(self) -> Mapping[int | None, ButtonPins]:
        """Every button with its lamp by its seat; None is the common one."""
        return {None: self.common, **dict(enumerate(self.seats))}

    @property
    def pins(self) -> tuple[int, ...]:
        buzzers = () if self.buzzer is None else (self.buzzer,)
        return tuple(pin for spot in self.spots.values() for pin in (spot.button, spot.lamp)) + buzzers


def load_pin_map(path: Path = PIN_MAP_FILE) -> PinMap:
    """The pin map in that file, or a PanelError that says what is wrong with it."""
    try:
        return _board(_table(path))
    except _Wrong as error:
        raise PanelError(
            _("The pin map %(file)s: %(problem)s", file=str(path), problem=error.problem)
        ) from error.__cause__


@dataclass
class _Wrong(Exception):
    problem: Message


def _table(path: Path) -> Mapping[str, Any]:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_PIN_MAP + 1)
    except OSError as error:
        raise _Wrong(_("The file cannot be read: %(reason)s.", reason=str(error.strerror))) from error
    if len(content) > LARGEST_PIN_MAP:
        raise _Wrong(_("The file is larger than %(limit)d kB.", limit=LARGEST_PIN_MAP // 1000))
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _Wrong(_("The file is not saved as UTF-8 text.")) from error
    except (ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise _Wrong(_("The file is not written as TOML: %(reason)s.", reason=reason)) from error


def _board(table: Mapping[str, Any]) -> PinMap:
    _only(table, "", "seats", "common", "buzzer")
    seats = table.get("seats", [])
    if not isinstance(seats, list) or not 1 <= len(seats) <= MOST_SEATS:
        raise _Wrong(_("It takes 1 to %(most)d sections [[seats]].", most=MOST_SEATS))
    board = PinMap(
        tuple(_spot(f"seats[{number}]", seat) for number, seat in enumerate(seats, start=1)),
        _spot("common", table.get("common", {})),
        _pin("buzzer", table["buzzer"], ("pin",), "pin") if "buzzer" in table else None,
    )
    twice = [pin for pin, count in Counter(board.pins).items() if count > 1]
    if twice:
        raise _Wrong(_("Pin %(pin)d is given to two things; each needs one of its own.", pin=twice[0]))
    return board


def _spot(where: str, table: object) -> ButtonPins:
    keys = ("button", "lamp")
    return ButtonPins(*(_pin(where, table, keys, key) for key in keys))


def _pin(where: str, table: object, keys: Collection[str], key: str) -> int:
    if not isinstance(table, dict):
        raise _Wrong(_("%(name)s has to be a section with %(keys)s.", name=where, keys=", ".join(keys)))
    _only(table, f"{where}.", *keys)
    name, pin = f"{where}.{key}", table.get(key)
    if pin is None:
        raise _Wrong(_("%(name)s is missing: it is the number of a pin.", name=name))
    if isinstance(pin, int) and not isinstance(pin, bool) and LOWEST_PIN <= pin <= HIGHEST_PIN:
        return pin
    raise _Wrong(
        _(
            "%(name)s has to be the BCM number of a pin, from %(lowest)d to %(highest)d, not %(value)s.",
            name=name,
            lowest=LOWEST_PIN,
            highest=HIGHEST_PIN,
            value=str(pin)[:60],
        )
    )


def _only(table: Mapping[str, Any], prefix: str, *known: str) -> None:
    for name in table:
        if name in known:
            continue
        asked, nearest = prefix + name[:40], get_close_matches(name, known, 1, 0.5)
        if nearest:
            meant = prefix + nearest[0]
            raise _Wrong(
                _("There is no setting “%(name)s”; did you mean “%(nearest)s”?", name=asked, nearest=meant)
            )
        listed = ", ".join(prefix + key for key in known)
        raise _Wrong(_("There is no setting “%(name)s”, only %(known)s.", name=asked, known=listed))
