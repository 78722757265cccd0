"""The names of the cards in every language, and where each name is from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominion.rules.checking import CARD_ID, known_keys, shown, table, text, wrong

LANGUAGES = ("pt-BR", "es", "en")
"""The languages that names and rulings are written in, by the codes of the page."""

FALLBACKS = ("en", "es", "pt-BR")
"""Where a file of somebody's own leaves a language out, the first of these that it has."""

LONGEST_NAME = 40
MOST_OTHER_NAMES = 12
MARK = "*"
"""Behind a name that no source has in that language, wherever it is said."""


class Origin(StrEnum):
    """Who says that a card is called so."""

    DOMINION = "rulebook-000"
    INTRIGUE = "rulebook-003"
    LIST = "list"
    OURS = "ours"
    BOX = "box"


ORIGIN_NAMES: Mapping[Origin, Message] = {
    Origin.DOMINION: _("printed in the rulebook of Dominion, second edition"),
    Origin.INTRIGUE: _("printed in the rulebook of Dominion: Intrigue, first edition"),
    Origin.LIST: _("from public lists of cards; the rulebooks do not print it"),
    Origin.OURS: _("our own translation; no source has this name"),
    Origin.BOX: _("given by whoever added the card"),
}


@dataclass(frozen=True)
class Name:
    """What a card is called in one language."""

    text: str
    origin: Origin

    @property
    def shown(self) -> str:
        """With the mark of a name that no source has."""
        return f"{self.text}{self.mark}"

    @property
    def mark(self) -> str:
        return MARK if self.origin is Origin.OURS else ""

    @property
    def marked(self) -> bool:
        """Whether the page has to say that no rulebook prints this name."""
        return self.origin in (Origin.LIST, Origin.OURS)


@dataclass(frozen=True)
class CardNames:
    """What a card is called in every language we know its name in."""

    card: str
    languages: Mapping[str, Name]
    also: tuple[str, ...] = ()
    """Other names people may look for: of later printings, or another way to translate it."""

    def name(self, language: str) -> Name:
        """Its name in that language, or in the nearest one there is."""
        return self.languages[pick(language, self.languages)]


def pick(language: str, known: Mapping[str, object]) -> str:
    """The language itself if it is known, otherwise the one to fall back on."""
    return next(code for code in (language, *FALLBACKS) if code in known)


def own_names(card: str, languages: Mapping[str, str]) -> CardNames:
    """The names of a card somebody added, as their file has them."""
    return CardNames(card, {code: Name(words, Origin.BOX) for code, words in languages.items()})


def read_names(rows: object, where: str) -> Mapping[str, CardNames]:
    """The names under the heading `names` of a file."""
    return {card: _read_card(card, row, where) for card, row in table(rows, f"{where}: names").items()}


def _read_card(card: str, row: object, where: str) -> CardNames:
    here = f"{where}: names.{shown(card)}"
    if not CARD_ID.fullmatch(card):
        raise wrong(here, _("this is no id of a card: use small letters, digits and _"))
    row = table(row, here)
    known_keys(row, (*LANGUAGES, "also"), here)
    names = {code: _read_name(row[code], f"{here}.{code}") for code in LANGUAGES if code in row}
    if not names:
        raise wrong(here, _("a card needs a name in at least one of %(known)s", known=", ".join(LANGUAGES)))
    return CardNames(card, names, _read_also(row.get("also", []), here))


def _read_name(row: object, where: str) -> Name:
    row = table(row, where)
    known_keys(row, ("name", "from"), where)
    origin = row.get("from", Origin.BOX.value)
    if origin not in tuple(Origin):
        raise wrong(where, _("“from” is one of %(known)s", known=", ".join(Origin)))
    return Name(text(row.get("name"), "name", LONGEST_NAME, where), Origin(origin))


def _read_also(names: object, where: str) -> tuple[str, ...]:
    if not isinstance(names, list) or len(names) > MOST_OTHER_NAMES:
        raise wrong(where, _("“also” is a list of %(limit)d other names at most", limit=MOST_OTHER_NAMES))
    return tuple(text(name, "also", LONGEST_NAME, where) for name in names)
