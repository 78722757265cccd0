"""What people ask about the cards: every card has answers, and every answer is found."""

from __future__ import annotations

import re

import pytest

from companion.games.dominion.rules.names import LANGUAGES
from companion.games.dominion.text.rulings import RulebookSource, Ruling, house_book

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
