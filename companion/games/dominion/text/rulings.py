"""The book: what each card does in one line, what people ask about cards and about the game itself, all of it in
our own words and every language, and how it is searched.

Ours is in `names.toml` and `rulings/*.toml`; files that people wrote add to it, all of a file or nothing
(README.md beside the rulings explains the format). A search takes any language, no accents, beginnings of
words and up to two slips.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeVar

from companion.core.errors import NotationError
from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominion.rules.cards import (
    ABSENT,
    BOX_ID,
    CARD_ID,
    CARDS,
    Row,
    check_keys,
    checked_table,
    checked_text,
    entry_error,
    parse_toml,
    shortened,
)
from companion.games.dominion.rules.names import LANGUAGES, CardNames, own_names, pick_language, read_names

LONGEST_QUESTION = 120
LONGEST_ANSWER = 280
"""Two sentences that are read at the table, not a page of the rulebook."""
LONGEST_LINE = 110
"""What a card does is read at a glance."""
LONGEST_HEADING = 80
MOST_RULINGS = 20
"""Of one card."""
MOST_CARDS = 1000
MOST_ENTRIES = 200
"""Under one heading of a rulebook."""

Thing = TypeVar("Thing")

ENTRY_SIGN = " › "
"""Between a heading and the entry under it."""

Texts = Mapping[str, str]
"""A sentence by language, with cards in braces by their ids."""

Headings = Mapping[str, Mapping[str, tuple[str, ...]]]
"""By box, the headings of its rulebook and the entries under each."""

_CARD_IN_TEXT = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class RulebookSource:
    """The heading of a rulebook under which the rule is found."""

    box: str
    heading: str
    entry: str = ""

    def __str__(self) -> str:
        return ENTRY_SIGN.join(part for part in (self.heading, self.entry) if part)


@dataclass(frozen=True)
class Ruling:
    """One question about a card, or about the game itself, with its answer."""

    card: str
    """Empty where it is about the game."""
    number: int
    """Counts the questions of a card from 1."""
    asks: Texts
    answers: Texts
    source: RulebookSource


@dataclass(frozen=True, eq=False)
class Book:
    """The names and rulings of all cards, ours and those that people added."""

    names: Mapping[str, CardNames]
    rulings: Mapping[str, tuple[Ruling, ...]]
    headings: Headings
    rules: tuple[Ruling, ...] = ()
    """What people ask about the game itself."""
    does: Mapping[str, Texts] = field(default_factory=dict)
    """What cards do, in one line, by their ids."""

    def name(self, card: str, language: str) -> str:
        return self.names[card].name(language).text

    def of(self, card: str) -> tuple[Ruling, ...]:
        """What is known about a card; nothing about a card nobody wrote about."""
        return self.rulings.get(card, ())

    def ask(self, ruling: Ruling, language: str, printed: str = "") -> str:
        """The question in that language; `printed` is the language of the box, where it is another."""
        return self.say(ruling.asks, language, printed)

    def answer(self, ruling: Ruling, language: str, printed: str = "") -> str:
        """The answer, said like the question."""
        return self.say(ruling.answers, language, printed)

    def with_names(self, names: Mapping[str, CardNames]) -> Book:
        """The same book with the names of cards that people added."""
        return replace(self, names={**self.names, **names})

    def say(self, texts: Texts, language: str, printed: str = "") -> str:
        """A sentence in that language, with the names on the cards of the box."""
        said = pick_language(language, texts)
        return _CARD_IN_TEXT.sub(lambda card: self.names[card[1]].name(printed or said).shown, texts[said])


@cache
def house_book() -> Book:
    """Our own book: both boxes."""
    here = Path(__file__).parents[1]
    first = (here / "names.toml", here / "rulings" / "headings.toml")
    rest = sorted(set((here / "rulings").glob("*.toml")) - set(first))
    book = Book({}, {}, {})
    for path in (*first, *rest):
        book = read_book(path.read_text(encoding="utf-8"), path.name, book)
    return book


def read_book(toml: str, where: str, known: Book) -> Book:
    """What is known already, with what a file adds to it; README.md beside the rulings explains the format."""
    rows = parse_toml(toml, where)
    check_keys(rows, tuple(sorted(BOOK_TABLES)), where)
    names = _added(known.names, read_names(rows.get("names", {}), where), f"{where}: names")
    headings = _added(known.headings, _read_headings(rows.get("headings", {}), where), f"{where}: headings")
    if len(names) > MOST_CARDS:
        raise entry_error(where, _("there is room for %(limit)d cards", limit=MOST_CARDS))
    book = replace(known, names=names, headings=headings)
    does = checked_table(rows.get("does", {}), f"{where}: does")
    added = {card: _read_line(book, card, does[card], f"{where}: does.{shortened(card)}") for card in does}
    book = replace(book, does=_added(known.does, added, f"{where}: does"))
    book = replace(book, rules=_read_rules(book, rows.get("rules", []), f"{where}: rules"))
    rulings = checked_table(rows.get("rulings", {}), f"{where}: rulings")
    return replace(
        book,
        rulings={**known.rulings, **{card: _read_card(book, card, rulings[card], where) for card in rulings}},
    )


def _added(known: Mapping[str, Thing], new: Mapping[str, Thing], where: str) -> Mapping[str, Thing]:
    for id in new:
        if id in known:
            raise entry_error(where, _("“%(id)s” is known already: give yours another id", id=shortened(id)))
    return {**known, **new}


def _read_headings(rows: object, where: str) -> Headings:
    boxes = checked_table(rows, f"{where}: headings")
    return {box: _read_box(box, row, f"{where}: headings.{shortened(box)}") for box, row in boxes.items()}


def _read_box(box: str, row: object, where: str) -> Mapping[str, tuple[str, ...]]:
    if not BOX_ID.fullmatch(box):
        raise entry_error(where, _("this is no id of a box: use small letters, digits and -"))
    return {
        checked_text(heading, "heading", LONGEST_HEADING, where): _read_entries(entries, where)
        for heading, entries in checked_table(row, where).items()
    }


def _read_entries(entries: object, where: str) -> tuple[str, ...]:
    if not isinstance(entries, list) or len(entries) > MOST_ENTRIES:
        raise entry_error(
            where, _("a heading is followed by a list of at most %(limit)d entries", limit=MOST_ENTRIES)
        )
    return tuple(checked_text(entry, "entry", LONGEST_HEADING, where) for entry in entries)


def _read_line(book: Book, card: str, row: object, where: str) -> Texts:
    """What a card does."""
    if card not in book.names and card not in ABSENT:
        raise entry_error(where, _no_card(book, card))
    spoken = checked_table(row, where)
    check_keys(spoken, LANGUAGES, where)
    if not spoken:
        raise entry_error(where, _("it needs words in at least one of %(known)s", known=", ".join(LANGUAGES)))
    return {code: _read_text(book, spoken, code, where, LONGEST_LINE) for code in spoken}


def _read_rules(book: Book, rows: object, where: str) -> tuple[Ruling, ...]:
    """What is asked about the game itself, after what is known already."""
    if not isinstance(rows, list) or len(book.rules) + len(rows) > MOST_RULINGS:
        raise entry_error(where, _("write [[rules]] above each, %(limit)d at most", limit=MOST_RULINGS))
    numbered = enumerate(rows, start=len(book.rules) + 1)
    return (*book.rules, *(_read_ruling(book, "", n, row, f"{where}, {n}") for n, row in numbered))


def _read_card(book: Book, card: str, rows: object, where: str) -> tuple[Ruling, ...]:
    here = f"{where}: rulings.{shortened(card)}"
    if not CARD_ID.fullmatch(card) or card not in book.names:
        raise entry_error(here, _no_card(book, card))
    before = book.of(card)
    if not isinstance(rows, list):
        raise entry_error(here, _("write [[rulings.%(card)s]] above each question", card=card))
    if len(before) + len(rows) > MOST_RULINGS:
        raise entry_error(here, _("a card has %(limit)d questions at most", limit=MOST_RULINGS))
    numbered = enumerate(rows, start=len(before) + 1)
    return (
        *before,
        *(_read_ruling(book, card, number, row, f"{here}, {number}") for number, row in numbered),
    )


def _read_ruling(book: Book, card: str, number: int, row: object, where: str) -> Ruling:
    row = checked_table(row, where)
    check_keys(row, ("source", *LANGUAGES), where)
    spoken = {code: checked_table(row[code], f"{where}.{code}") for code in LANGUAGES if code in row}
    if not spoken:
        raise entry_error(
            where, _("a question needs words in at least one of %(known)s", known=", ".join(LANGUAGES))
        )
    for code, words in spoken.items():
        check_keys(words, ("ask", "answer"), f"{where}.{code}")
    return Ruling(
        card,
        number,
        _read_texts(book, spoken, "ask", where, LONGEST_QUESTION),
        _read_texts(book, spoken, "answer", where, LONGEST_ANSWER),
        _read_source(book, checked_text(row.get("source"), "source", 3 * LONGEST_HEADING, where), where),
    )


def _read_texts(book: Book, spoken: Mapping[str, Row], key: str, where: str, longest: int) -> Texts:
    return {code: _read_text(book, words, key, f"{where}.{code}", longest) for code, words in spoken.items()}


def _read_text(book: Book, words: Row, key: str, where: str, longest: int) -> str:
    said = checked_text(words.get(key), key, longest, where)
    for card in _CARD_IN_TEXT.findall(said):
        if card not in book.names:
            raise entry_error(f"{where}.{key}", _no_card(book, card))
    if "{" in (rest := _CARD_IN_TEXT.sub("", said)) or "}" in rest:
        raise entry_error(
            f"{where}.{key}",
            _("a brace is not closed; a card is written %(example)s", example="{throne_room}"),
        )
    return said


def _no_card(book: Book, card: str) -> Message:
    nearest = get_close_matches(card, book.names, 1, 0.5)
    if nearest:
        return _(
            "there is no card “%(id)s”; did you mean “%(nearest)s”?", id=shortened(card), nearest=nearest[0]
        )
    return _("there is no card “%(id)s”; its name has to be known first", id=shortened(card))


def _read_source(book: Book, source: str, where: str) -> RulebookSource:
    box, _colon, rest = source.partition(": ")
    heading, _sign, entry = rest.partition(ENTRY_SIGN)
    if box not in book.headings:
        raise entry_error(where, _("“source” begins with a box: %(known)s", known=", ".join(book.headings)))
    headings = book.headings[box]
    if heading not in headings or (entry and entry not in headings[heading]):
        known = [h + ENTRY_SIGN + e for h, entries in headings.items() for e in entries] + list(headings)
        nearest = ", ".join(get_close_matches(rest, known, 1, 0) or known[:1])
        raise entry_error(
            where,
            _(
                "there is no heading “%(heading)s” in the rulebook; “%(nearest)s” is one",
                heading=shortened(rest),
                nearest=nearest,
            ),
        )
    return RulebookSource(box, heading, entry)


BOOK_TABLES = frozenset({"names", "headings", "rulings", "rules", "does"})
"""The tables of a file for the book; every other file is one of cards."""

_learned: list[Book] = []


def is_rulings_file(toml: str) -> bool:
    """Whether a file is one of rulings; what is wrong with one that nobody can read is told by whoever reads cards."""
    try:
        return bool(BOOK_TABLES & parse_toml(toml, "").keys())
    except NotationError:
        return False


def current_book() -> Book:
    """Everything that is known now."""
    base = _learned[-1] if _learned else house_book()
    return _with_own(base, tuple(id for id in CARDS if id not in base.names))


def add_rulings(toml: str) -> None:
    """Add what a file of rulings says, all of it or nothing."""
    _learned.append(read_book(toml, "rulings", current_book()))


@lru_cache(maxsize=4)
def _with_own(base: Book, own: tuple[str, ...]) -> Book:
    return base.with_names({id: own_names(id, {"en": CARDS[id].name, **CARDS[id].names}) for id in own})


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


def search_rules(book: Book, query: str, language: str) -> tuple[Ruling, ...]:
    """What is asked about the game itself with every telling word of the query in it."""
    texts = [f"{book.ask(rule, language)} {book.answer(rule, language)}" for rule in book.rules]
    index, fits = _WordIndex(map(words_of, texts)), set(range(len(texts)))
    for word in _telling(words_of(query[:LONGEST_QUERY])[:MOST_WORDS]):
        fits &= (index.like(word) or index.nearly(word)).keys()
    return tuple(book.rules[number] for number in sorted(fits))


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
