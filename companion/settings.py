"""companion.toml: what a household sets once. Nothing in it can keep the companion from starting."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from companion.core.message import Message
from companion.core.message import message as _

FILE = "companion.toml"
VARIABLE = "COMPANION_CONFIG"
"""The environment variable that names the settings file."""
LARGEST_FILE = 64_000
"""Bytes we read: every setting there is, with generous comments, fits many times."""

_FOLDER = "table-companion"
_HOST = re.compile(r"[0-9A-Za-z.:_-]{1,253}")


@dataclass(frozen=True)
class Kind:
    """What a setting may be."""

    expected: Message
    fits: Callable[[object], bool]


def whole_number(fewest: int, most: int) -> Kind:
    return Kind(
        _("a whole number from %(fewest)d to %(most)d", fewest=fewest, most=most),
        lambda value: isinstance(value, int) and not isinstance(value, bool) and fewest <= value <= most,
    )


def one_of(*choices: str) -> Kind:
    listed = ", ".join(f'"{choice}"' for choice in choices)
    return Kind(_("one of %(choices)s", choices=listed), lambda value: value in choices)


def text(expected: Message, pattern: str) -> Kind:
    return Kind(expected, lambda value: isinstance(value, str) and bool(re.fullmatch(pattern, value)))


def hosts() -> Kind:
    return Kind(
        _('a list of up to 20 names, such as ["games.example.org"]'),
        lambda value: (
            isinstance(value, list)
            and len(value) <= 20
            and all(isinstance(name, str) and _HOST.fullmatch(name) for name in value)
        ),
    )


def setting(default: Any, kind: Kind, help: Message) -> Any:
    """A key of the file: its default, what it may be, and what it is for."""
    return field(default=default, metadata={"kind": kind, "help": help})


@dataclass(frozen=True)
class Web:
    """The page and who may reach it."""

    host: str = setting(
        "0.0.0.0",
        text(_('an address in quotation marks, such as "0.0.0.0"'), _HOST.pattern),
        _("The network address to listen on; “127.0.0.1” keeps the page on this computer."),
    )
    port: int = setting(8000, whole_number(1, 65535), _("The port of the page."))
    names: tuple[str, ...] = setting(
        (), hosts(), _("Other names the page may be called by, besides this computer's own.")
    )
    pin: str = setting(
        "",
        text(_('4 to 8 digits in quotation marks, such as "2468", or ""'), r"(?:[0-9]{4,8})?"),
        _("The number that unlocks the buttons of the page; empty: one is made up once and kept."),
    )
    listeners: int = setting(
        128, whole_number(1, 1000), _("How many tablets and phones can follow at the same time.")
    )


@dataclass(frozen=True)
class Store:
    """Where the log of every game is kept."""

    url: str = setting(
        "",
        text(_('the address of a database in quotation marks, or ""'), r"[!-~]{0,500}"),
        _("The address of a database; empty: the file companion.db in the data folder."),
    )
    folder: str = setting(
        "",
        text(_('a folder in quotation marks, such as "~/games", or ""'), r"[^?#\x00-\x1f]{0,500}"),
        _("The data folder; empty: table-companion among your other programs' data."),
    )


@dataclass(frozen=True)
class Page:
    """How the page looks before anybody chooses."""

    language: str = setting(
        "", one_of("", "pt-BR", "es", "en"), _("The language of the page; empty: what the browser prefers.")
    )
    theme: str = setting(
        "auto",
        one_of("auto", "light", "evening"),
        _("Light or evening colours; auto: what the tablet prefers."),
    )


@dataclass(frozen=True)
class Log:
    """What is told at the terminal while the companion runs."""

    level: str = setting(
        "info", one_of("debug", "info", "warning", "error"), _("How much is told at the terminal.")
    )


@dataclass(frozen=True)
class Settings:
    """Everything that can be set."""

    web: Web = Web()
    store: Store = Store()
    page: Page = Page()
    log: Log = Log()

    @property
    def data_folder(self) -> Path:
        chosen = self.store.folder
        return Path(chosen).expanduser() if chosen else _xdg("DATA", ".local/share") / _FOLDER

    @property
    def store_url(self) -> str:
        return self.store.url or f"sqlite:///{self.data_folder / 'companion.db'}"


@dataclass(frozen=True)
class Loaded:
    """The settings in force, and what was wrong with the file they come from."""

    settings: Settings
    path: Path | None
    """None when there is no file: everything has its default."""
    problems: tuple[Message, ...] = ()


def load_settings(path: Path | None = None) -> Loaded:
    """Read the settings file of that path, or the first one found where it may lie."""
    named = path or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    found = named or next((place for place in _places() if place.is_file()), None)
    if found is None:
        return Loaded(Settings(), None)
    try:
        toml = _read(found)
        table = _parse(toml)
    except _Unusable as error:
        problem = _("%(problem)s All settings keep their defaults.", problem=error.problem)
        return Loaded(Settings(), found, (_located(found, error.line, problem),))
    report = _Report(found, toml, [])
    sections = {
        section.name: _section(section, table.get(section.name, {}), report) for section in fields(Settings)
    }
    for name in (name for name in table if name not in sections):
        report.add(name, _unknown_section(name, table[name]))
    return Loaded(_beside(found, Settings(**sections)), found, tuple(report.problems))


def all_settings() -> Iterator[tuple[str, Field[Any]]]:
    """Every key, with the name of its section."""
    for section in fields(Settings):
        default: Any = section.default
        for key in fields(default):
            yield section.name, key


def _places() -> tuple[Path, ...]:
    return Path(FILE), _xdg("CONFIG", ".config") / _FOLDER / FILE


def _xdg(name: str, usual: str) -> Path:
    chosen = Path(os.environ.get(f"XDG_{name}_HOME", ""))
    return chosen if chosen.is_absolute() else Path.home() / usual


@dataclass
class _Unusable(Exception):
    """The whole file says nothing to us; every setting keeps its default."""

    problem: Message
    line: int = 0


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise _Unusable(_("The file cannot be read: %(reason)s.", reason=str(error.strerror))) from error
    if len(content) > LARGEST_FILE:
        raise _Unusable(_("The file is larger than %(limit)d kB.", limit=LARGEST_FILE // 1000))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise _Unusable(_("The file is not saved as UTF-8 text."), line) from error


def _parse(toml: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(toml)
    except (ValueError, RecursionError) as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else toml.count("\n") + 1
        rows = toml.splitlines()
        row = rows[line - 1].strip()[:60] if line <= len(rows) else ""
        raise _Unusable(
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
            usable[name] = tuple(value) if isinstance(value, list) else value
    return replace(default, **usable)


def _unfit(where: str, key: Field[Any], value: object) -> Message:
    return _(
        "%(name)s has to be %(expected)s, not %(value)s. It is %(default)s for now.",
        name=where,
        expected=key.metadata["kind"].expected,
        value=_shown(value),
        default="[]" if key.default == () else _shown(key.default),
    )


def _shown(value: object) -> str:
    return f'"{value[:60]}"' if isinstance(value, str) else str(value)[:60]


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
    """A relative data folder lies beside the settings file, wherever the companion is started."""
    folder = settings.store.folder
    if folder and not folder.startswith("~"):
        folder = str(path.parent.absolute() / folder)
    return replace(settings, store=replace(settings.store, folder=folder))
