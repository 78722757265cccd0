"""The catalogues of every language, read for the tests that hold them against each other, the code and the pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Words
from babel.messages.pofile import read_po

from companion.household import languages

LOCALES = tuple(code.replace("-", "_") for code in languages.LANGUAGES if code != "en")
FOLDERS = {languages.DOMAIN: languages.TRANSLATIONS} | {
    package.parent.name: package.parent / "translations"
    for package in sorted(languages.GAME_FOLDERS.glob("*/__init__.py"))
}
CATALOGUES = tuple((domain, locale) for domain in FOLDERS for locale in LOCALES)

PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[a-z]")
ALIKE = {
    "Table Companion",
    "Companion",
    "Carcassonne",
    "Dominations",
    "Inventor",
    "Locus",
    "Nodi",
    "Nodus",
    "Vestigium",
    "Kingdomino",
    "Dominion",
    "PIN",
    "Menu",
    "Python %(version)s",
    "python",
    "cm",
    "%(time)s ms",
    "Ar",
    "Po",
    "Re",
}
"""Names, units, a word that Portuguese took from English, and beginnings of names."""


def file_of(domain: str, locale: str, kind: str) -> Path:
    return FOLDERS[domain] / locale / "LC_MESSAGES" / f"{domain}.{kind}"


@cache
def catalogue(domain: str, locale: str) -> Catalog:
    with file_of(domain, locale, "po").open("rb") as file:
        return read_po(file, locale=locale)


def messages(domain: str, locale: str) -> list[Words]:
    return [message for message in catalogue(domain, locale) if message.id]


def forms(text: object) -> tuple[str, ...]:
    """A sentence as it is said of one and of more, or the one way there is."""
    return tuple(map(str, text)) if isinstance(text, list | tuple) else (str(text or ""),)


def pairs(domain: str, locale: str) -> Iterator[tuple[str, str]]:
    """Every English sentence with its translation; those of plurals with the English of their count."""
    for message in messages(domain, locale):
        english, said = forms(message.id), forms(message.string)
        yield from ((english[min(number, len(english) - 1)], text) for number, text in enumerate(said))
