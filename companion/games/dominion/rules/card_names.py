"""A card's name as a message: said in the language of whoever listens."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from companion.core.message import Message, Translator, printed_in
from companion.core.message import joined as parts_listed
from companion.core.message import message as _
from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.rules.names import MARK, CardNames, read_names
from companion.games.dominion.rules.sets import ABSENT

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
    said = dict(known.names).get(language.partition("-")[0], "")
    # Whoever added a card called it as they call it; one of another box has a name that we do not know.
    unknown = id in ABSENT and id not in CARDS and language != "en"
    return said or (f"{known.name}{MARK}" if unknown else known.name)


@cache
def _printed() -> Mapping[str, CardNames]:
    text = (Path(__file__).parents[1] / "names.toml").read_text(encoding="utf-8")
    return read_names(tomllib.loads(text)["names"], "names.toml")
