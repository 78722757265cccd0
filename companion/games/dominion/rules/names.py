"""What the cards are called in every language, where each name is from, and a card's name as a message.

`names.toml` has the names; a `CardName` is said as it is printed on the cards of whoever listens. A name that
no source has in that language carries the mark `*`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from companion.core.message import Message, Translator, printed_in
from companion.core.message import joined as parts_listed
from companion.core.message import message as _
from companion.games.dominion.rules.cards import (
    ABSENT,
    CARD_ID,
    CARDS,
    check_keys,
    checked_table,
    checked_text,
    entry_error,
    shortened,
)

LANGUAGES = ("pt-BR", "es", "en")
"""The languages that names and rulings are written in, by the codes of the page."""

FALLBACKS = ("en", "es", "pt-BR")
"""Where a file of somebody's own leaves a language out, the first of these that it has."""

LONGEST_NAME = 40
MOST_OTHER_NAMES = 12
MARK = "*"
"""Behind a name that no source has in that language, wherever it is said."""


class NameOrigin(StrEnum):
    """Who says that a card is called so."""

    DOMINION = "rulebook-000"
    INTRIGUE = "rulebook-003"
    LIST = "list"
    OURS = "ours"
    BOX = "box"


ORIGIN_NAMES: Mapping[NameOrigin, Message] = {
    NameOrigin.DOMINION: _("printed in the rulebook of Dominion, second edition"),
    NameOrigin.INTRIGUE: _("printed in the rulebook of Dominion: Intrigue, first edition"),
    NameOrigin.LIST: _("from public lists of cards; the rulebooks do not print it"),
    NameOrigin.OURS: _("our own translation; no source has this name"),
    NameOrigin.BOX: _("given by whoever added the card"),
}


@dataclass(frozen=True)
class LocalName:
    """What a card is called in one language."""

    text: str
    origin: NameOrigin

    @property
    def shown(self) -> str:
        """With the mark of a name that no source has."""
        return f"{self.text}{self.mark}"

    @property
    def mark(self) -> str:
        return MARK if self.origin is NameOrigin.OURS else ""

    @property
    def marked(self) -> bool:
        """Whether the page has to say that no rulebook prints this name."""
        return self.origin in (NameOrigin.LIST, NameOrigin.OURS)

    @property
    def source(self) -> Message:
        """Who says so, in words."""
        return ORIGIN_NAMES[self.origin]


@dataclass(frozen=True)
class CardNames:
    """What a card is called in every language we know its name in."""

    card: str
    languages: Mapping[str, LocalName]
    also: tuple[str, ...] = ()
    """Other names people may look for: of later printings, or another way to translate it."""

    def name(self, language: str) -> LocalName:
        """Its name in that language, or in the nearest one there is."""
        return self.languages[pick_language(language, self.languages)]


def pick_language(language: str, known: Mapping[str, object]) -> str:
    """The language itself if it is known, otherwise the one to fall back on."""
    return next(code for code in (language, *FALLBACKS) if code in known)


def own_names(card: str, languages: Mapping[str, str]) -> CardNames:
    """The names of a card somebody added, as their file has them."""
    return CardNames(card, {code: LocalName(words, NameOrigin.BOX) for code, words in languages.items()})


def read_names(rows: object, where: str) -> Mapping[str, CardNames]:
    """The names under the heading `names` of a file."""
    return {
        card: _read_card(card, row, where) for card, row in checked_table(rows, f"{where}: names").items()
    }


def _read_card(card: str, row: object, where: str) -> CardNames:
    here = f"{where}: names.{shortened(card)}"
    if not CARD_ID.fullmatch(card):
        raise entry_error(here, _("this is no id of a card: use small letters, digits and _"))
    row = checked_table(row, here)
    check_keys(row, (*LANGUAGES, "also"), here)
    names = {code: _read_name(row[code], f"{here}.{code}") for code in LANGUAGES if code in row}
    if not names:
        raise entry_error(
            here, _("a card needs a name in at least one of %(known)s", known=", ".join(LANGUAGES))
        )
    return CardNames(card, names, _read_also(row.get("also", []), here))


def _read_name(row: object, where: str) -> LocalName:
    row = checked_table(row, where)
    check_keys(row, ("name", "from"), where)
    origin = row.get("from", NameOrigin.BOX.value)
    if origin not in tuple(NameOrigin):
        raise entry_error(where, _("“from” is one of %(known)s", known=", ".join(NameOrigin)))
    return LocalName(checked_text(row.get("name"), "name", LONGEST_NAME, where), NameOrigin(origin))


def _read_also(names: object, where: str) -> tuple[str, ...]:
    if not isinstance(names, list) or len(names) > MOST_OTHER_NAMES:
        raise entry_error(
            where, _("“also” is a list of %(limit)d other names at most", limit=MOST_OTHER_NAMES)
        )
    return tuple(checked_text(name, "also", LONGEST_NAME, where) for name in names)


# Translators: the code of the language itself: pt-BR in Portuguese, es in Spanish.
LANGUAGE = _("en")
_NO_SOURCE = _("* No source has this name in this language.")


@dataclass(frozen=True)
class CardName(Message):
    """The name of a card, as it is printed on the cards of whoever listens; its text is the English one."""

    card: str = ""

    def say(self, words: Translator) -> str:
        return _said(self.card, _language(words))


@dataclass(frozen=True)
class NameLegend(Message):
    """What the mark behind a name means, where one of these cards has it; else nothing."""

    cards: tuple[str, ...] = ()
    before: str = ""
    """What parts it from the words before it."""

    def say(self, words: Translator) -> str:
        language = _language(words)
        marked = any(_said(id, language).endswith(MARK) for id in self.cards)
        return self.before + words.gettext(self.text) if marked else ""


def card_name(id: str) -> CardName:
    known = CARDS.get(id) or ABSENT.get(id)
    return CardName(known.name if known else id, card=id)


def name_legend(cards: Iterable[str], before: str = "") -> NameLegend:
    return NameLegend(_NO_SOURCE.text, cards=tuple(cards), before=before)


def card_list(cards: Iterable[str]) -> Message:
    """Cards one after the other, each kind once with its number."""
    names = list(cards)
    counts = {id: names.count(id) for id in names}
    told: list[Message | str] = [
        _("%(count)d × %(card)s", count=count, card=card_name(id)) if count > 1 else card_name(id)
        for id, count in counts.items()
    ]
    return parts_listed(told)


def _language(words: Translator) -> str:
    return printed_in(words) or words.gettext(LANGUAGE.text)


def _said(id: str, language: str) -> str:
    if id in _printed():
        return _printed()[id].name(language).shown
    known = CARDS.get(id) or ABSENT.get(id)
    if known is None:
        return id
    # Whoever added a card called it as they call it; one of another box has a name that we do not know.
    unknown = id in ABSENT and id not in CARDS and language != "en"
    return known.names.get(language) or (f"{known.name}{MARK}" if unknown else known.name)


@cache
def _printed() -> Mapping[str, CardNames]:
    text = (Path(__file__).parents[1] / "names.toml").read_text(encoding="utf-8")
    return read_names(tomllib.loads(text)["names"], "names.toml")
