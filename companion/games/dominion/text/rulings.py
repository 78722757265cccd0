"""What people ask about the cards at the table, answered in our own words and in every language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TypeVar

from companion.core.message import Message
from companion.core.message import message as _
from companion.games.dominion.rules.checking import (
    BOX_ID,
    CARD_ID,
    Row,
    check_keys,
    checked_table,
    checked_text,
    entry_error,
    parse_toml,
    shortened,
)
from companion.games.dominion.rules.names import LANGUAGES, CardNames, pick_language, read_names

LONGEST_QUESTION = 120
LONGEST_ANSWER = 280
"""Two sentences that are read at the table, not a page of the rulebook."""
LONGEST_HEADING = 80
MOST_RULINGS = 20
"""Of one card."""
MOST_CARDS = 1000
MOST_ENTRIES = 200
"""Under one heading of a rulebook."""

Thing = TypeVar("Thing")

ENTRY_SIGN = " › "
"""Between a heading and the entry under it."""

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
    """One question about a card, with its answer."""

    card: str
    number: int
    """Counts the questions of a card from 1."""
    asks: Mapping[str, str]
    """The question by language, with cards in braces by their ids."""
    answers: Mapping[str, str]
    source: RulebookSource


@dataclass(frozen=True, eq=False)
class Book:
    """The names and rulings of all cards, ours and those that people added."""

    names: Mapping[str, CardNames]
    rulings: Mapping[str, tuple[Ruling, ...]]
    headings: Headings

    def name(self, card: str, language: str) -> str:
        return self.names[card].name(language).text

    def of(self, card: str) -> tuple[Ruling, ...]:
        """What is known about a card; nothing about a card nobody wrote about."""
        return self.rulings.get(card, ())

    def ask(self, ruling: Ruling, language: str, printed: str = "") -> str:
        """The question in that language; `printed` is the language of the box, where it is another."""
        return self._say(ruling.asks, language, printed)

    def answer(self, ruling: Ruling, language: str, printed: str = "") -> str:
        """The answer, said like the question."""
        return self._say(ruling.answers, language, printed)

    def with_names(self, names: Mapping[str, CardNames]) -> Book:
        """The same book with the names of cards that people added."""
        return replace(self, names={**self.names, **names})

    def _say(self, texts: Mapping[str, str], language: str, printed: str) -> str:
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
    check_keys(rows, ("names", "headings", "rulings"), where)
    names = _added(known.names, read_names(rows.get("names", {}), where), f"{where}: names")
    headings = _added(known.headings, _read_headings(rows.get("headings", {}), where), f"{where}: headings")
    if len(names) > MOST_CARDS:
        raise entry_error(where, _("there is room for %(limit)d cards", limit=MOST_CARDS))
    book = Book(names, known.rulings, headings)
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
        {code: _read_text(book, words, "ask", f"{where}.{code}") for code, words in spoken.items()},
        {code: _read_text(book, words, "answer", f"{where}.{code}") for code, words in spoken.items()},
        _read_source(book, checked_text(row.get("source"), "source", 3 * LONGEST_HEADING, where), where),
    )


def _read_text(book: Book, words: Row, key: str, where: str) -> str:
    said = checked_text(words.get(key), key, LONGEST_QUESTION if key == "ask" else LONGEST_ANSWER, where)
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
