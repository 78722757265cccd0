"""Everything that can be set, section by section."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import Field, dataclass, fields
from pathlib import Path
from typing import Any

from companion.core.message import message as _
from companion.household.settings.kinds import (
    HOST,
    areas_kind,
    hosts_kind,
    number_kind,
    one_of_kind,
    setting,
    text_kind,
    whole_number_kind,
    yes_or_no_kind,
)

FOLDER_NAME = "table-companion"
"""The name of our folder among those of other programs."""

Rectangle = tuple[float, float, float, float]
"""x, y, width and height, in millimetres from the table's upper left corner."""


@dataclass(frozen=True)
class WebSettings:
    """The page and who may reach it."""

    host: str = setting(
        "0.0.0.0",
        text_kind(_('an address in quotation marks, such as "0.0.0.0"'), HOST.pattern),
        _("The network address to listen on; “127.0.0.1” keeps the page on this computer."),
    )
    port: int = setting(8000, whole_number_kind(1, 65535), _("The port of the page."))
    names: tuple[str, ...] = setting(
        (), hosts_kind(), _("Other names the page may be called by, besides this computer's own.")
    )
    pin: str = setting(
        "",
        text_kind(_('4 to 8 digits in quotation marks, such as "2468", or ""'), r"(?:[0-9]{4,8})?"),
        _("The number that unlocks the buttons of the page; empty: one is made up once and kept."),
    )
    listeners: int = setting(
        128, whole_number_kind(1, 1000), _("How many tablets and phones can follow at the same time.")
    )


@dataclass(frozen=True)
class StoreSettings:
    """Where the log of every game is kept."""

    url: str = setting(
        "",
        text_kind(_('the address of a database in quotation marks, or ""'), r"[!-~]{0,500}"),
        _("The address of a database; empty: the file companion.db in the data folder."),
    )
    folder: str = setting(
        "",
        text_kind(_('a folder in quotation marks, such as "~/games", or ""'), r"[^?#\x00-\x1f]{0,500}"),
        _("The data folder; empty: table-companion among your other programs' data."),
    )


@dataclass(frozen=True)
class PageSettings:
    """How the page looks before anybody chooses."""

    language: str = setting(
        "",
        one_of_kind("", "pt-BR", "es", "en"),
        _("The language of the page; empty: what the browser prefers."),
    )
    theme: str = setting(
        "auto",
        one_of_kind("auto", "light", "evening"),
        _("Light or evening colours; auto: what the tablet prefers."),
    )


@dataclass(frozen=True)
class LogSettings:
    """What is told at the terminal while the companion runs."""

    level: str = setting(
        "info", one_of_kind("debug", "info", "warning", "error"), _("How much is told at the terminal.")
    )


@dataclass(frozen=True)
class CameraSettings:
    """The camera above the table."""

    source: str = setting(
        "none",
        one_of_kind("none", "virtual", "folder", "video", "stream", "usb", "pi"),
        _("Where pictures come from; virtual: a table on the page that needs no camera."),
    )
    place: str = setting(
        "",
        text_kind(_('text in quotation marks, such as "photos" or "0"'), r"[^\x00-\x1f]{0,500}"),
        _("The folder, the video's file, the stream's address, or the number of the USB camera."),
    )
    width: int = setting(
        0,
        whole_number_kind(0, 10_000),
        _("The width of a USB or Raspberry Pi camera's pictures; 0: its own."),
    )
    height: int = setting(
        0,
        whole_number_kind(0, 10_000),
        _("The height of a USB or Raspberry Pi camera's pictures; 0: its own."),
    )
    still_s: float = setting(
        0.8, number_kind(0.2, 5), _("For how many seconds the table has to be still before it is read.")
    )
    record_alone: bool = setting(
        False,
        yes_or_no_kind(),
        _("Whether what the camera is sure of is recorded without anybody's confirmation."),
    )
    ignore: tuple[Rectangle, ...] = setting(
        (),
        areas_kind(),
        _("Parts of the table that are not looked at, such as a tablet or a lamp; in millimetres."),
    )
    rest_s: float = setting(
        4.0,
        number_kind(1, 20),
        _("For how many seconds an arm rests at the edge, away from all pieces, until the others are read."),
    )


@dataclass(frozen=True)
class PanelSettings:
    """The buttons and lamps beside the table."""

    pins: str = setting(
        "none",
        one_of_kind("none", "mock", "gpio"),
        _("How buttons and lamps are wired; gpio: to this Raspberry Pi, mock: to the virtual table."),
    )
    board: str = setting(
        "",
        text_kind(_('a file in quotation marks, such as "board.toml", or ""'), r"[^\x00-\x1f]{0,500}"),
        _("The file that says which pin does what; empty: the one of our wiring notes."),
    )
    buzzer: bool = setting(False, yes_or_no_kind(), _("Whether a buzzer beeps for a press that counted."))


@dataclass(frozen=True)
class Settings:
    """Everything that can be set."""

    web: WebSettings = WebSettings()
    store: StoreSettings = StoreSettings()
    page: PageSettings = PageSettings()
    log: LogSettings = LogSettings()
    camera: CameraSettings = CameraSettings()
    panel: PanelSettings = PanelSettings()

    @property
    def data_folder(self) -> Path:
        chosen = self.store.folder
        return Path(chosen).expanduser() if chosen else xdg_folder("DATA", ".local/share") / FOLDER_NAME

    @property
    def store_url(self) -> str:
        return self.store.url or f"sqlite:///{self.data_folder / 'companion.db'}"


def all_settings() -> Iterator[tuple[str, Field[Any]]]:
    """Every key, with the name of its section."""
    for section in fields(Settings):
        default: Any = section.default
        for key in fields(default):
            yield section.name, key


def xdg_folder(name: str, usual: str) -> Path:
    """A folder of the desktop's standard for user data and settings."""
    chosen = Path(os.environ.get(f"XDG_{name}_HOME", ""))
    return chosen if chosen.is_absolute() else Path.home() / usual
