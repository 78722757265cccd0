"""Reading companion.toml: what can be used of it, and what is wrong with the rest."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import Field, dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from companion.core.message import Message
from companion.core.message import message as _
from companion.household.settings.sections import FOLDER_NAME, Settings, all_settings, xdg_folder
from companion.household.settings.text import UnreadableText, read_settings_text

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
