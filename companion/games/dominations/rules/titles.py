"""A card's title as a message: printed in Portuguese, and our own translation, marked, in every other language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from companion.core.message import Message, Translator, printed_in
from companion.core.message import message as _
from companion.games.dominations.rules.box import load_table

PRINTED = "pt-BR"
"""The language of the titles that a source has."""
MARK = "*"
"""Behind a title that no source has in that language."""
ARTICLE = 3
"""Letters of the longest one, as in “The Lighthouse”."""
# Translators: the code of the language itself: pt-BR in Portuguese, es in Spanish.
LANGUAGE = _("en")
_NO_SOURCE = _("* Our own translation: the card may be called otherwise.")


@dataclass(frozen=True)
class Title(Message):
    """The title of a card that the table has not read out; its text is the printed one."""

    key: str = ""

    def say(self, words: Translator) -> str:
        return self.plain(words) + (MARK if self.translated(words) else "")

    def plain(self, words: Translator) -> str:
        """Without the mark, for people to write on."""
        return _own().get(self.key, {}).get(_language(words), self.text)

    def translated(self, words: Translator) -> bool:
        return _language(words) in _own().get(self.key, {})


@dataclass(frozen=True)
class Unmarked(Message):
    """A title in the field where people write how their card is called."""

    title: Message | None = None

    def say(self, words: Translator) -> str:
        if isinstance(self.title, Title):
            return self.title.plain(words)
        return self.title.say(words) if self.title else ""


@dataclass(frozen=True)
class Initials(Unmarked):
    """The beginning of a title, without its article, where there is no room for more."""

    def say(self, words: Translator) -> str:
        title = super().say(words)
        return next((word for word in title.split() if len(word) > ARTICLE), title)[:2].capitalize()


@dataclass(frozen=True)
class TitleLegend(Message):
    """What the mark means, where one of these words has it; else nothing."""

    about: tuple[Message, ...] = ()

    def say(self, words: Translator) -> str:
        found = any(isinstance(title, Title) and title.translated(words) for title in self.about)
        return words.gettext(self.text) if found else ""


def card_title(key: str, printed: str, taught: bool) -> Message:
    """What the table calls a card: by what it read out, else by what is printed somewhere."""
    return Message("%(text)s", {"text": printed}) if taught else Title(printed, key=key)


def same_title(told: str, key: str, printed: str) -> bool:
    """Whether people mean that card, by what is printed on it or by our own translation, however they write it."""
    return _plainly(told) in map(_plainly, (printed, *_own().get(key, {}).values()))


def _plainly(title: str) -> str:
    return "".join(title.split()).casefold()


def title_legend(about: Iterable[Message]) -> TitleLegend:
    return TitleLegend(_NO_SOURCE.text, about=tuple(about))


def _language(words: Translator) -> str:
    return printed_in(words) or words.gettext(LANGUAGE.text)


@cache
def _own() -> Mapping[str, Mapping[str, str]]:
    return load_table("titles")
