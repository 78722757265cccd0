"""A card's name as a message: said in the language of whoever listens."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from companion.core.message import Message, Translator, printed_in
from companion.core.message import listed as parts_listed
from companion.core.message import message as _
from companion.games.dominion.cards import CARDS
from companion.games.dominion.names import CardNames, read_names
from companion.games.dominion.sets import ABSENT

# Translators: the code of the language itself: pt-BR in Portuguese, es in Spanish.
LANGUAGE = _("en")


@dataclass(frozen=True)
class CardName(Message):
    """The name of a card, as it is printed on the cards of whoever listens; its text is the English one."""

    card: str = ""

    def say(self, words: Translator) -> str:
        return _said(self.card, printed_in(words) or words.gettext(LANGUAGE.text)) or self.text


def card(id: str) -> CardName:
    known = CARDS.get(id) or ABSENT.get(id)
    return CardName(known.name if known else id, card=id)


def listed(cards: Iterable[str]) -> Message:
    """Cards one after the other, each kind once with its number."""
    names = list(cards)
    counts = {id: names.count(id) for id in names}
    told: list[Message | str] = [
        _("%(count)d × %(card)s", count=count, card=card(id)) if count > 1 else card(id)
        for id, count in counts.items()
    ]
    return parts_listed(told)


def _said(id: str, language: str) -> str:
    if id in _printed():
        return _printed()[id].name(language).text
    known = CARDS.get(id) or ABSENT.get(id)
    return dict(known.names).get(language.partition("-")[0], "") if known else ""


@cache
def _printed() -> Mapping[str, CardNames]:
    text = Path(__file__).with_name("names.toml").read_text(encoding="utf-8")
    return read_names(tomllib.loads(text)["names"], "names.toml")
