"""companion.toml: what a household sets once. Nothing in it can keep the companion from starting.

`load_settings` gives the settings in force and every problem of the file with its line; a value that cannot
be used is replaced by its default. Every key is declared once, with its default, what it may be and what it
is for.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from companion.core.errors import CompanionError
from companion.core.message import Message
from companion.core.message import message as _


class UnreadableText(CompanionError):
    """What a file says nobody can read."""

    def __init__(self, message: Message, line: int = 0) -> None:
        super().__init__(message)
        self.line = line
        """Where reading ended; 0 when that is no line of the file."""


def read_settings_text(path: Path, largest: int) -> str:
    """What stands in a file of at most that many bytes."""
    try:
        with path.open("rb") as file:
            content = file.read(largest + 1)
    except OSError as error:
        raise UnreadableText(_("The file cannot be read: %(reason)s.", reason=str(error.strerror))) from error
    if len(content) > largest:
        raise UnreadableText(_("The file is larger than %(limit)d kB.", limit=largest // 1000))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise UnreadableText(_("The file is not saved as UTF-8 text."), line) from error


HOST = re.compile(r"[0-9A-Za-z.:_-]{1,253}")
MOST_AREAS = 8
FARTHEST_MM = 10_000
"""No table is larger."""


@dataclass(frozen=True)
class SettingKind:
    """What a setting may be."""

    expected: Message
    fits: Callable[[object], bool]


def whole_number_kind(fewest: int, most: int) -> SettingKind:
    return SettingKind(
        _("a whole number from %(fewest)d to %(most)d", fewest=fewest, most=most),
        lambda value: isinstance(value, int) and not isinstance(value, bool) and fewest <= value <= most,
    )


def number_kind(fewest: float, most: float) -> SettingKind:
    def fits(value: Any) -> bool:
        return _is_number(value) and fewest <= value <= most

    return SettingKind(
        _("a number from %(fewest)s to %(most)s", fewest=f"{fewest:g}", most=f"{most:g}"), fits
    )


def one_of_kind(*choices: str) -> SettingKind:
    listed = ", ".join(f'"{choice}"' for choice in choices)
    return SettingKind(_("one of %(choices)s", choices=listed), lambda value: value in choices)


def text_kind(expected: Message, pattern: str) -> SettingKind:
    return SettingKind(expected, lambda value: isinstance(value, str) and bool(re.fullmatch(pattern, value)))


def setting(default: Any, kind: SettingKind, help: Message) -> Any:
    """A key of the file: its default, what it may be, and what it is for."""
    return field(default=default, metadata={"kind": kind, "help": help})


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_area(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 4 or not all(map(_is_number, value)):
        return False
    x, y, width, height = value
    return bool(x >= 0 and y >= 0 and width > 0 and height > 0 and max(value) <= FARTHEST_MM)


YES_OR_NO = SettingKind(_("true or false"), lambda value: isinstance(value, bool))
HOSTS = SettingKind(
    _('a list of up to 20 names, such as ["games.example.org"]'),
    lambda value: (
        isinstance(value, list)
        and len(value) <= 20
        and all(isinstance(name, str) and HOST.fullmatch(name) for name in value)
    ),
)
AREAS = SettingKind(
    _(
        "a list of up to %(most)d rectangles, such as [[0, 0, 300, 200]]: x, y, width and height",
        most=MOST_AREAS,
    ),
    lambda value: isinstance(value, list) and len(value) <= MOST_AREAS and all(map(_is_area, value)),
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
        (), HOSTS, _("Other names the page may be called by, besides this computer's own.")
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
        YES_OR_NO,
        _("Whether what the camera is sure of is recorded without anybody's confirmation."),
    )
    ignore: tuple[Rectangle, ...] = setting(
        (),
        AREAS,
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
    buzzer: bool = setting(False, YES_OR_NO, _("Whether a buzzer beeps for a press that counted."))


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


SETTINGS_FILE = "companion.toml"
SETTINGS_VARIABLE = "COMPANION_CONFIG"
"""The environment variable that names the settings file."""
LARGEST_SETTINGS_FILE = 64_000
"""Bytes we read: every setting there is, with generous comments, fits many times."""
PLACED = ("folder", "video")
"""The sources of pictures that lie somewhere on this computer's disk."""


@dataclass(frozen=True)
class LoadedSettings:
    """The settings in force, and what was wrong with the file they come from."""

    settings: Settings
    path: Path | None
    """None when there is no file: everything has its default."""
    problems: tuple[Message, ...] = ()


def load_settings(path: Path | None = None) -> LoadedSettings:
    """Read the settings file of that path, or the first one found where it may lie."""
    named = path or (Path(os.environ[SETTINGS_VARIABLE]) if os.environ.get(SETTINGS_VARIABLE) else None)
    found = named or next((place for place in _places() if place.is_file()), None)
    if found is None:
        return LoadedSettings(Settings(), None)
    try:
        toml = read_settings_text(found, LARGEST_SETTINGS_FILE)
        table = _parse(toml)
    except UnreadableText as error:
        problem = _("%(problem)s All settings keep their defaults.", problem=error.message)
        return LoadedSettings(Settings(), found, (_located(found, error.line, problem),))
    report = _Report(found, toml, [])
    sections = {
        section.name: _section(section, table.get(section.name, {}), report) for section in fields(Settings)
    }
    for name in (name for name in table if name not in sections):
        report.add(name, _unknown_section(name, table[name]))
    return LoadedSettings(_beside(found, Settings(**sections)), found, tuple(report.problems))


def _places() -> tuple[Path, ...]:
    return Path(SETTINGS_FILE), xdg_folder("CONFIG", ".config") / FOLDER_NAME / SETTINGS_FILE


def _parse(toml: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(toml)
    except (ValueError, RecursionError) as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else toml.count("\n") + 1
        rows = toml.splitlines()
        row = _harmless(rows[line - 1].strip())[:60] if line <= len(rows) else ""
        raise UnreadableText(
            _("“%(row)s” is not how a setting is written, such as port = 8000.", row=row), line
        ) from error


@dataclass(frozen=True)
class _Report:
    """What is wrong with a file, each thing with the line it is on."""

    path: Path
    toml: str
    problems: list[Message]

    def add(self, name: str, problem: Message) -> None:
        self.problems.append(_located(self.path, _line_of(self.toml, name), problem))


def _located(path: Path, line: int, problem: Message) -> Message:
    if line:
        return _("%(file)s, line %(line)d: %(problem)s", file=str(path), line=line, problem=problem)
    return _("%(file)s: %(problem)s", file=str(path), problem=problem)


def _line_of(toml: str, name: str) -> int:
    """The line where a section, or a key of a section, is written; 0 when it is written in an unusual way."""
    section = ""
    for number, row in enumerate(toml.splitlines(), start=1):
        if header := re.match(r"\s*\[+\s*([^\]]+?)\s*\]", row):
            section = header[1]
            here = section
        else:
            key = row.partition("=")[0].strip()
            here = f"{section}.{key}" if section else key
        if re.sub(r"[\"'\s]", "", here) == name:
            return number
    return 0


def _section(section: Field[Any], table: object, report: _Report) -> Any:
    """A section with the values that can be used."""
    default: Any = section.default
    if not isinstance(table, dict):
        report.add(section.name, _("“%(name)s” is a section: write [%(name)s].", name=section.name))
        return default
    known = {key.name: key for key in fields(default)}
    usable = {}
    for name, value in table.items():
        where = f"{section.name}.{name}"
        if name not in known:
            report.add(where, _unknown(name, known, f"{section.name}."))
        elif not known[name].metadata["kind"].fits(value):
            report.add(where, _unfit(where, known[name], value))
        else:
            usable[name] = _frozen(value, known[name].default)
    return replace(default, **usable)


def _unfit(where: str, key: Field[Any], value: object) -> Message:
    return _(
        "%(name)s has to be %(expected)s, not %(value)s. It is %(default)s for now.",
        name=where,
        expected=key.metadata["kind"].expected,
        value=_shown(value),
        default="[]" if key.default == () else _shown(key.default),
    )


def _frozen(value: Any, default: object = None) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(part) for part in value)
    return float(value) if isinstance(default, float) else value


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{_harmless(value)[:60]}"' if isinstance(value, str) else _harmless(str(value))[:60]


def _harmless(text: str) -> str:
    """Without the user and the password of an address."""
    return re.sub(r"//[^/\s]*@", "//***@", text)


def _unknown(name: str, known: Collection[str], prefix: str = "") -> Message:
    asked, nearest = prefix + name[:40], get_close_matches(name, known, 1, 0.5)
    if nearest:
        meant = prefix + nearest[0]
        return _("There is no setting “%(name)s”; did you mean “%(nearest)s”?", name=asked, nearest=meant)
    listed = ", ".join(prefix + key for key in known)
    return _("There is no setting “%(name)s”, only %(known)s.", name=asked, known=listed)


def _unknown_section(name: str, value: object) -> Message:
    homes = [section for section, key in all_settings() if key.name == name]
    if homes and not isinstance(value, dict):
        return _("“%(name)s” belongs under [%(section)s].", name=name, section=homes[0])
    return _unknown(name, [section.name for section in fields(Settings)])


def _beside(path: Path, settings: Settings) -> Settings:
    """A relative path lies beside the settings file, wherever the companion is started."""
    here = path.parent.absolute()
    camera = settings.camera
    return replace(
        settings,
        store=replace(settings.store, folder=_at(here, settings.store.folder)),
        camera=replace(camera, place=_at(here, camera.place)) if camera.source in PLACED else camera,
        panel=replace(settings.panel, board=_at(here, settings.panel.board)),
    )


def _at(here: Path, place: str) -> str:
    return str(here / place) if place and not place.startswith("~") else place
