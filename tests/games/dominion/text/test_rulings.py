"""What people ask about the cards: every card has answers, and every answer is found."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import NotationError
from companion.games.dominion.rules.names import LANGUAGES, own_names
from companion.games.dominion.text.rulings import (
    Book,
    RulebookSource,
    Ruling,
    house_book,
    read_book,
    search_book,
)

ENTRIES = {
    "dominion-2e": ("pt-BR", "Descrição das Cartas de Reino"),
    "intrigue-1e": ("es", "Las Cartas de Reino"),
}
SENTENCE_ENDS = re.compile(r"[.!?](?: |$)")


def all_rulings() -> list[Ruling]:
    return [ruling for card in house_book().names for ruling in house_book().of(card)]


def test_every_card_has_at_least_three_questions() -> None:
    book = house_book()

    assert [card for card in book.names if len(book.of(card)) < 3] == []
    assert len(all_rulings()) == 234


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_is_asked_and_answered_in_every_language(language: str) -> None:
    silent = [
        (ruling.card, ruling.number)
        for ruling in all_rulings()
        if not ruling.asks[language].endswith("?") or not ruling.answers[language].endswith(".")
    ]

    assert silent == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_is_short(language: str) -> None:
    book = house_book()
    answers = {(r.card, r.number): book.answer(r, language) for r in all_rulings()}

    assert [key for key, said in answers.items() if len(said) > 280] == []
    assert [key for key, said in answers.items() if len(SENTENCE_ENDS.findall(said)) > 4] == []


def test_a_spanish_question_opens_with_its_mark() -> None:
    assert [r for r in all_rulings() if r.asks["es"].count("¿") != 1] == []


def test_the_languages_of_a_ruling_speak_of_the_same_cards() -> None:
    def cards(texts: tuple[str, str]) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", " ".join(texts)))

    apart = [
        (ruling.card, ruling.number)
        for ruling in all_rulings()
        if len({frozenset(cards((ruling.asks[code], ruling.answers[code]))) for code in LANGUAGES}) > 1
    ]

    assert apart == []


def test_every_question_names_its_card() -> None:
    assert [r for r in all_rulings() for code in LANGUAGES if f"{{{r.card}}}" not in r.asks[code]] == []


def test_no_question_is_there_twice() -> None:
    questions = [ruling.asks["en"] for ruling in all_rulings()]

    assert sorted(set(questions)) == sorted(questions)


def test_every_source_is_a_heading_of_a_rulebook() -> None:
    headings = house_book().headings
    sources = {ruling.source for ruling in all_rulings()}

    assert [s for s in sources if s.entry and s.entry not in headings[s.box][s.heading]] == []
    assert [s for s in sources if s.heading not in headings[s.box]] == []


@pytest.mark.parametrize("box", tuple(ENTRIES))
def test_every_card_explained_in_a_rulebook_is_explained_here(box: str) -> None:
    book = house_book()
    language, heading = ENTRIES[box]
    called = {book.name(card, language): card for card in book.names}

    explained = {
        entry: [r for r in book.of(called[entry]) if r.source == RulebookSource(box, heading, entry)]
        for entry in book.headings[box][heading]
    }

    assert [entry for entry, rulings in explained.items() if not rulings] == []


def test_throne_room_is_answered_for_every_card_it_could_be_asked_of() -> None:
    book = house_book()
    silent = {
        card
        for card in book.names
        if not any("{throne_room}" in r.asks["en"] + r.answers["en"] for r in book.of(card))
    }

    assert silent == set("copper silver gold estate duchy province curse gardens duke".split())


def test_the_box_may_speak_another_language_than_the_page() -> None:
    book = house_book()
    ruling = next(r for r in book.of("mining_village") if "{throne_room}" in r.asks["en"])

    assert book.ask(ruling, "pt-BR") == "Com Sala do Trono posso jogar a Vila Mineradora no lixo duas vezes?"
    assert (
        book.ask(ruling, "pt-BR", printed="es")
        == "Com Salón del Trono posso jogar a Aldea Minera no lixo duas vezes?"
    )
    assert str(ruling.source) == "Las Cartas de Reino › Aldea Minera"


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
