"""Words for people, kept apart from the language they will be said in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, Union
from unicodedata import combining, normalize

Value = Union[str, int, "Message"]


class Translator(Protocol):
    """What a gettext catalogue offers."""

    def gettext(self, message: str, /) -> str: ...

    def ngettext(self, singular: str, plural: str, n: int, /) -> str: ...


@dataclass(frozen=True)
class Message:
    """A sentence in English with named values, said in another language only at the edge."""

    text: str
    values: Mapping[str, Value] = field(default_factory=dict)
    plural: str = ""
    """The sentence for a count other than one, where the count changes the words."""
    count: int = 0

    def say(self, words: Translator) -> str:
        """Return the sentence in the language of `words`."""
        text = words.ngettext(self.text, self.plural, self.count) if self.plural else words.gettext(self.text)
        spoken = {name: v.say(words) if isinstance(v, Message) else v for name, v in self.values.items()}
        return text % spoken if spoken else text

    def __str__(self) -> str:
        return self.say(ENGLISH)


def message(text: str, /, **values: Value) -> Message:
    """Mark a sentence for translation; modules import it as `_`."""
    return Message(text, values)


def plural(one: str, many: str, count: int, /, **values: Value) -> Message:
    """Mark a sentence whose words depend on a count; modules import it as `_n`."""
    return Message(one, {"count": count, **values}, many, count)


def joined(parts: Iterable[Message | str]) -> Message:
    """Words one after the other."""
    first, *rest = parts
    return (
        Message("%(first)s, %(rest)s", {"first": first, "rest": joined(rest)}) if rest else _as_message(first)
    )


def _as_message(part: Message | str) -> Message:
    return part if isinstance(part, Message) else Message("%(text)s", {"text": part})


class _English:
    def gettext(self, message: str, /) -> str:
        return message

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        return singular if n == 1 else plural


ENGLISH: Translator = _English()

Say = Callable[[Message], str]


@dataclass(frozen=True)
class BilingualCatalogue:
    """A language spoken beside a box that is printed in another."""

    words: Translator
    printed: str

    def gettext(self, message: str, /) -> str:
        return self.words.gettext(message)

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        return self.words.ngettext(singular, plural, n)


def printed_in(words: Translator) -> str:
    """The language that the box is in, by its code; empty where nobody said that it is another."""
    return words.printed if isinstance(words, BilingualCatalogue) else ""


def collation_key(text: str) -> tuple[str, str]:
    """By what words are sorted for people: accents and capitals come after letters, and ñ after n."""
    plain = text.casefold().replace("ñ", "n\uffff")
    letters = "".join(letter for letter in normalize("NFKD", plain) if not combining(letter))
    return letters, text
