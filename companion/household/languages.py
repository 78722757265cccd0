"""Our sentences in the languages people speak, said only at the edge: on a page or at a terminal."""

from __future__ import annotations

import gettext
import locale
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from companion.core.message import ENGLISH, Message, Translator

LANGUAGES: Mapping[str, str] = {"pt-BR": "Português", "es": "Español", "en": "English"}
"""Every language there is, by its code, under the name its speakers know it by."""

DOMAIN = "companion"
TRANSLATIONS = Path(__file__).parents[1] / "translations"
GAME_FOLDERS = Path(__file__).parents[1] / "games"
"""Every game has its words in its own folder; no game has to be imported to find them."""

_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def best_language(wishes: Sequence[str], fallback: str = "en") -> str:
    """The first language wished for that we speak, be it from another country; else the fallback."""
    for wish in wishes:
        tag = wish.split(";")[0].strip().replace("_", "-").casefold()
        for fits in (str.casefold, _without_country):
            found = [code for code in LANGUAGES if fits(code) == fits(tag)]
            if found:
                return found[0]
    return fallback


def _without_country(tag: str) -> str:
    return tag.partition("-")[0].casefold()


def terminal_language() -> str:
    """The language of whoever sits at the terminal."""
    chosen = next((os.environ[name] for name in _LOCALE_VARIABLES if os.environ.get(name)), "")
    return best_language([chosen.partition(".")[0].partition("@")[0]])


@cache
def catalogue(language: str) -> Translator:
    """The words of one language: the house's own first, then those of each game."""
    if language == "en":
        return ENGLISH
    words = _open(DOMAIN, TRANSLATIONS, language)
    words.add_fallback(_WordsOfGames(language))
    return words


def missing_catalogues() -> Iterator[Path]:
    """The compiled catalogues that should be there and are not."""
    for domain, folder in _domains():
        for language in LANGUAGES:
            path = folder / _locale(language) / "LC_MESSAGES" / f"{domain}.mo"
            if language != "en" and not path.is_file():
                yield path


def translate_argparse(language: str) -> None:
    """Let argparse speak our catalogue's language: it asks gettext's current domain for its sentences."""
    gettext.bindtextdomain(DOMAIN, str(TRANSLATIONS))
    gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = _locale(language)


def translate_system() -> None:
    """Let the operating system give its reasons in the language of the terminal, if it knows that one."""
    with suppress(locale.Error):
        locale.setlocale(locale.LC_MESSAGES, "")


class _WordsOfGames(gettext.NullTranslations):
    """Opened only for a sentence the house itself does not know: a short command never gets here."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language
        self._opened = False

    def gettext(self, message: str) -> str:
        self._open_all()
        return super().gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self._open_all()
        return super().ngettext(msgid1, msgid2, n)

    def _open_all(self) -> None:
        if not self._opened:
            for domain, folder in _domains():
                if domain != DOMAIN:
                    self.add_fallback(_open(domain, folder, self._language))
            self._opened = True


def _domains() -> Iterator[tuple[str, Path]]:
    yield DOMAIN, TRANSLATIONS
    for package in sorted(GAME_FOLDERS.glob("*/__init__.py")):
        yield package.parent.name, package.parent / "translations"


def _open(domain: str, folder: Path, language: str) -> gettext.NullTranslations:
    return gettext.translation(domain, folder, [_locale(language)], fallback=True)


def _locale(language: str) -> str:
    return language.replace("-", "_")


def at_terminal(message: Message) -> str:
    """In the language of whoever sits at the terminal."""
    return message.say(catalogue(terminal_language()))
