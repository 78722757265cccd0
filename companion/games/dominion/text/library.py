"""The book of rulings on this computer: ours, the names of cards people added, and what they wrote about them."""

from __future__ import annotations

from functools import lru_cache

from companion.core.errors import NotationError
from companion.games.dominion.rules.card import Card
from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.rules.checking import parse_toml
from companion.games.dominion.rules.names import own_names
from companion.games.dominion.text.rulings import Book, house_book, read_book

RULINGS_TABLES = frozenset({"names", "headings", "rulings"})
"""The tables of a file of rulings; every other file is one of cards."""
LANGUAGE_OF = {"pt": "pt-BR", "es": "es"}
"""How files of cards call the languages, and how the page does."""

_learned: list[Book] = []


def is_rulings_file(toml: str) -> bool:
    """Whether a file is one of rulings; what is wrong with one that nobody can read is told by whoever reads cards."""
    try:
        return bool(RULINGS_TABLES & parse_toml(toml, "").keys())
    except NotationError:
        return False


def current_book() -> Book:
    """Everything that is known now."""
    base = _learned[-1] if _learned else house_book()
    return _with_own(base, tuple(id for id in CARDS if id not in base.names))


def add_rulings(toml: str) -> None:
    """Add what a file of rulings says, all of it or nothing."""
    _learned.append(read_book(toml, "rulings", current_book()))


def forget_added_rulings() -> None:
    """Only what the house itself knows."""
    _learned.clear()


@lru_cache(maxsize=4)
def _with_own(base: Book, own: tuple[str, ...]) -> Book:
    return base.with_names({id: own_names(id, _names_by_language(CARDS[id])) for id in own}) if own else base


def _names_by_language(card: Card) -> dict[str, str]:
    others = {LANGUAGE_OF[code]: name for code, name in card.names if code in LANGUAGE_OF}
    return {"en": card.name, **others}
