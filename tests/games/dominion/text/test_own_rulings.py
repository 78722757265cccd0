"""People add cards and questions of their own from a file."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import NotationError
from companion.games.dominion.rules.names import own_names
from companion.games.dominion.text.finding import search_book
from companion.games.dominion.text.rulings import Book, RulebookSource, house_book, read_book

HARBOUR = """
[names.harbour]
en = { name = "Harbour" }

[headings.our-cards]
"Cards" = ["Harbour"]

[[rulings.harbour]]
source = "our-cards: Cards › Harbour"
en.ask = "Does the {harbour} work with {throne_room}?"
en.answer = "Yes, twice."
"""


def told(toml: str, known: Book | None = None) -> str:
    with pytest.raises(NotationError) as error:
        read_book(toml, "mine.toml", known or house_book())
    return str(error.value)


def test_people_add_a_card_and_its_questions_from_a_file() -> None:
    book = read_book(HARBOUR, "mine.toml", house_book())
    ruling = book.of("harbour")[0]

    assert book.ask(ruling, "es", printed="pt-BR") == "Does the Harbour work with Sala do Trono?"
    assert ruling.source == RulebookSource("our-cards", "Cards", "Harbour")
    assert [hit.card for hit in search_book(book, "harbur", "es", 1)] == ["harbour"]
    assert "harbour" not in house_book().names


def test_people_add_a_question_about_a_card_of_the_box() -> None:
    toml = """
        [[rulings.duke]]
        source = "intrigue-1e: Las Cartas de Reino › Duque"
        es.ask = "¿Y en casa?"
        es.answer = "Igual."
    """

    book = read_book(toml, "mine.toml", house_book())

    assert [ruling.number for ruling in book.of("duke")] == [1, 2, 3, 4, 5]
    assert book.answer(book.of("duke")[4], "pt-BR") == "Igual."


def test_a_card_known_from_elsewhere_can_be_asked_about() -> None:
    known = house_book().with_names({"harbour": own_names("harbour", {"pt-BR": "Porto"})})
    toml = HARBOUR.partition("\n\n")[2]

    book = read_book(toml, "mine.toml", known)

    assert book.ask(book.of("harbour")[0], "en") == "Does the Porto work with Throne Room?"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    (
        (
            "[names.harbour]",
            "[names.moat]",
            "mine.toml: names: “moat” is known already: give yours another id",
        ),
        (
            "[headings.our-cards]",
            "[headings.dominion-2e]",
            "mine.toml: headings: “dominion-2e” is known already: give yours another id",
        ),
        (
            "[headings.our-cards]",
            '[headings."Our cards"]',
            "mine.toml: headings.Our cards: this is no id of a box: use small letters, digits and -",
        ),
        (
            '["Harbour"]',
            '"Harbour"',
            "mine.toml: headings.our-cards: a heading is followed by a list of at most 200 entries",
        ),
        (
            '["Harbour"]',
            "[3]",
            "mine.toml: headings.our-cards: “entry” needs a text of 80 characters at most",
        ),
        ("names", "name", "mine.toml: “name” has no meaning here; known are names"),
        (
            "[[rulings.harbour]]",
            "[[rulings.harbor]]",
            "mine.toml: rulings.harbor: there is no card “harbor”; did you mean “harbour”?",
        ),
        (
            "[[rulings.harbour]]",
            "[[rulings.zzz]]",
            "mine.toml: rulings.zzz: there is no card “zzz”; its name has to be known first",
        ),
        (
            "[[rulings.harbour]]",
            "[rulings.harbour]",
            "mine.toml: rulings.harbour: write [[rulings.harbour]] above each question",
        ),
        ("[[rulings.harbour]]", "[rulings]\nharbour = [3]\n[[names.x]]", None),
        (
            "en.ask",
            "en.question",
            "mine.toml: rulings.harbour, 1.en: “question” has no meaning here; known are answer, ask",
        ),
        ("en.ask", "fr.ask", "mine.toml: rulings.harbour, 1: “fr” has no meaning here; known are"),
        (
            "Yes, twice.",
            "x" * 281,
            "mine.toml: rulings.harbour, 1.en: “answer” needs a text of 280 characters at most",
        ),
        (
            "Does the",
            "x" * 121,
            "mine.toml: rulings.harbour, 1.en: “ask” needs a text of 120 characters at most",
        ),
        (
            "{throne_room}",
            "{throneroom}",
            "mine.toml: rulings.harbour, 1.en.ask: there is no card “throneroom”; did you mean “throne_room”?",
        ),
        (
            "{throne_room}",
            "{throne_room",
            "mine.toml: rulings.harbour, 1.en.ask: a brace is not closed; a card is written {throne_room}",
        ),
        (
            "our-cards: Cards › Harbour",
            "Cards",
            "mine.toml: rulings.harbour, 1: “source” begins with a box: dominion-2e, intrigue-1e, our-cards",
        ),
        (
            "Cards › Harbour",
            "Cards › Harbor",
            "mine.toml: rulings.harbour, 1: there is no heading “Cards › Harbor” in the rulebook;"
            " “Cards › Harbour” is one",
        ),
        ('"Yes', "Yes", "mine.toml: This is no TOML: Invalid value (at line 11, column 13)."),
    ),
)
def test_a_wrong_file_is_told_with_its_place(old: str, new: str, said: str | None) -> None:
    assert old in HARBOUR

    assert told(HARBOUR.replace(old, new)).startswith(said or "mine.toml: ")


def test_a_ruling_needs_words() -> None:
    toml = '[[rulings.duke]]\nsource = "intrigue-1e: Final del Juego"'

    assert told(toml) == "mine.toml: rulings.duke, 5: a question needs words in at least one of pt-BR, es, en"


def test_a_card_has_no_more_than_twenty_questions() -> None:
    one = '[[rulings.duke]]\nsource = "intrigue-1e: Final del Juego"\nen.ask = "Why?"\nen.answer = "So."\n'

    assert len(read_book(one * 16, "mine.toml", house_book()).of("duke")) == 20
    assert told(one * 17) == "mine.toml: rulings.duke: a card has 20 questions at most"


def test_a_file_that_is_too_large_is_not_read() -> None:
    assert told("#" * 256_001) == "mine.toml: The file has more than 256000 characters: split it."


def test_there_is_room_for_a_thousand_cards() -> None:
    many = "".join(f'[names.card_{n}]\nen = {{ name = "{n}" }}\n' for n in range(943))

    assert told(many) == "mine.toml: there is room for 1000 cards"


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(HARBOUR)), st.integers(0, 12), st.text(alphabet='[]{}="\n.›3 aé\x00', max_size=6))
def test_any_damage_to_a_file_is_read_or_told(at: int, lost: int, put: str) -> None:
    damaged = HARBOUR[:at] + put + HARBOUR[at + lost :]

    try:
        book = read_book(damaged, "mine.toml", house_book())
    except NotationError as error:
        said = str(error)
    else:
        said = f"mine.toml: {len(book.names)}"

    assert said.startswith("mine.toml: ")
    assert "\n" not in said
