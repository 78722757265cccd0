"""Finding a card, or a question about it, from what somebody types: any language, no accents, beginnings and slips."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from companion.games.dominion.text.rulings import Book, Ruling

LONGEST_QUERY = 80
MOST_WORDS = 8
"""What comes after is not looked at: nobody types more to find a card."""

SMALL_WORDS = frozenset(
    "a al an and ao aos as at by can card cards carta cartas com como con da das de del do does dos e el em en es"
    " esta for from he how i if in is it la las lo los me meu mi minha my na nao no nos o of on or os para por posso"
    " pode puede puedo que se si sim su sua the to tu um uma un una what when which with y yes".split()
)
"""They are in so many questions that they tell no card from another; a query of nothing else keeps them."""

EXACT = 1.0
BEGINNING = 0.7
"""A beginning is worth this much, and more the less of the word is missing."""
SLIP = 0.55
"""A word with one slip in it."""
FURTHER_SLIP = 0.15
"""What it loses by another slip."""
LENGTH = 0.01
"""What it loses for each letter that the word is longer or shorter."""
IN_A_NAME = 3.0
WHOLE_NAME = 1.0
"""On top, for the part of the name that was typed."""
OWN_LANGUAGE = 0.05
"""Between two equal names, the one in the language of the page."""

Hits = Mapping[int, float]
"""How well a word of the query fits, by the number of a name or of a ruling."""


@dataclass(frozen=True)
class CardHit:
    """A card that fits, and what is known about it, with what fits best first."""

    card: str
    rulings: tuple[Ruling, ...]


@dataclass(frozen=True)
class _Name:
    card: str
    words: tuple[str, ...]
    bonus: float


class _WordIndex:
    """Words in order, each with the numbers of the texts it is in."""

    def __init__(self, texts: Iterable[tuple[str, ...]]) -> None:
        self.places: dict[str, set[int]] = {}
        for number, words in enumerate(texts):
            for word in words:
                self.places.setdefault(word, set()).add(number)
        self.sorted = sorted(self.places)
        self.letters = {word: frozenset(word) for word in self.sorted}

    def like(self, word: str) -> Hits:
        """The texts with this word in them, or with one that begins like it."""
        return self._hits(self._beginning(word))

    def nearly(self, word: str) -> Hits:
        """The texts with a word that this one was meant to be."""
        return self._hits(self._slips(word))

    def _hits(self, fits: Iterable[tuple[str, float]]) -> Hits:
        hits: dict[int, float] = {}
        for known, quality in fits:
            for number in self.places[known]:
                hits[number] = max(quality, hits.get(number, 0.0))
        return hits

    def _beginning(self, word: str) -> Iterator[tuple[str, float]]:
        for known in self.sorted[bisect_left(self.sorted, word) :]:
            if not known.startswith(word):
                return
            missing = 1 - len(word) / len(known)
            yield known, EXACT if known == word else BEGINNING + (EXACT - BEGINNING) / 2 * (1 - missing)

    def _slips(self, word: str) -> Iterator[tuple[str, float]]:
        allowed = slips_allowed(word)
        letters = frozenset(word)
        if not allowed:
            return
        for known in self.sorted:
            # Most words share too few letters to be worth comparing sign by sign.
            if len(letters - self.letters[known]) <= allowed and len(known) >= len(word) - allowed:
                slips = slips_to_beginning(word, known[: len(word) + allowed])
                if slips <= allowed:
                    yield known, SLIP - FURTHER_SLIP * (slips - 1) - LENGTH * abs(len(known) - len(word))


class _Index:
    """Everything a query is compared with, prepared once for a book and a language."""

    def __init__(self, book: Book, language: str) -> None:
        self.names = tuple(_searchable_names(book, language))
        self.rulings = tuple(ruling for card in book.names for ruling in book.of(card))
        self.called = {card: words_of(book.name(card, language)) for card in book.names}
        self.in_names = _WordIndex(name.words for name in self.names)
        self.in_questions = _WordIndex(words_of(book.ask(ruling, language)) for ruling in self.rulings)

    def hits(self, word: str) -> tuple[Hits, Hits]:
        """The names and the questions that a word fits; slips are looked for only where nothing fits as it is."""
        questions = self.in_questions.like(word)
        names = self.in_names.like(word) or self.in_names.nearly(word)
        return names, questions if names or questions else self.in_questions.nearly(word)


def search_book(book: Book, query: str, language: str, limit: int = 8) -> tuple[CardHit, ...]:
    """The cards that fit what somebody typed, best first, with the questions in the language of the page."""
    index = _index_of(book, language)
    fits: dict[str, _Fit] = {}
    for word in _telling(words_of(query[:LONGEST_QUERY])[:MOST_WORDS]):
        names, questions = index.hits(word)
        for number, quality in names.items():
            fits.setdefault(index.names[number].card, _Fit()).name(word, index.names[number], quality)
        for number, quality in questions.items():
            fits.setdefault(index.rulings[number].card, _Fit()).question(word, index.rulings[number], quality)
    best = sorted(fits, key=lambda card: (*fits[card].rank, index.called[card], card))
    return tuple(CardHit(card, fits[card].ordered(book.of(card))) for card in best[:limit])


class _Fit:
    """How well one card fits a query, word by word."""

    def __init__(self) -> None:
        self.words: set[str] = set()
        self.names: dict[_Name, float] = {}
        self.rulings: dict[int, float] = {}

    def name(self, word: str, name: _Name, quality: float) -> None:
        self.words.add(word)
        worth = IN_A_NAME * quality + WHOLE_NAME * quality / len(name.words)
        self.names[name] = self.names.get(name, name.bonus) + worth

    def question(self, word: str, ruling: Ruling, quality: float) -> None:
        self.words.add(word)
        self.rulings[ruling.number] = self.rulings.get(ruling.number, 0.0) + quality

    @property
    def rank(self) -> tuple[int, float]:
        """Smaller is better: first how many words fit, then how well."""
        score = max(self.names.values(), default=0.0) + max(self.rulings.values(), default=0.0)
        return -len(self.words), -round(score, 6)

    def ordered(self, rulings: tuple[Ruling, ...]) -> tuple[Ruling, ...]:
        """The questions that fit, best first; after them the others, if it is the card that was named."""
        wanted = rulings if self.names else tuple(r for r in rulings if r.number in self.rulings)
        return tuple(sorted(wanted, key=lambda ruling: -self.rulings.get(ruling.number, 0.0)))


@lru_cache(maxsize=8)
def _index_of(book: Book, language: str) -> _Index:
    return _Index(book, language)


def _searchable_names(book: Book, language: str) -> Iterator[_Name]:
    for card, names in book.names.items():
        called = {name.text: OWN_LANGUAGE * (code == language) for code, name in names.languages.items()}
        called[names.name(language).text] = OWN_LANGUAGE
        for text, bonus in {**dict.fromkeys(names.also, 0.0), **called}.items():
            yield _Name(card, _telling(words_of(text)), bonus)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in small letters, without accents."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return tuple(re.findall(r"[^\W_]+", "".join(sign for sign in apart if not unicodedata.combining(sign))))


def _telling(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words that tell one card from another, each once; all of them when there are no such words."""
    return tuple(dict.fromkeys(word for word in words if word not in SMALL_WORDS)) or words


def slips_allowed(word: str) -> int:
    """Short words differ in one letter too often to guess at."""
    return 0 if len(word) < 4 else 1 if len(word) < 8 else 2


def slips_to_beginning(word: str, known: str) -> int:
    """The fewest letters to change, leave out, add or swap with the next, for `word` to begin `known`."""
    before: list[int] = []
    row = list(range(len(known) + 1))
    for i, sign in enumerate(word, start=1):
        above, before, row = before, row, [i]
        for j, other in enumerate(known, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (sign != other))
            if i > 1 and j > 1 and sign == known[j - 2] and word[i - 2] == other:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
    return min(row)
