"""A card, or a question about it, is found by what somebody types."""

from __future__ import annotations

from timeit import repeat

import pytest

from companion.games.dominion.text.rulings import house_book, search_book, slips_to_beginning, words_of


def found(query: str, language: str, limit: int = 8) -> list[str]:
    return [hit.card for hit in search_book(house_book(), query, language, limit)]


def first_question(query: str, language: str) -> str:
    best = search_book(house_book(), query, language)[0]
    return house_book().ask(best.rulings[0], language)


@pytest.mark.parametrize(
    ("query", "language", "expected"),
    (
        ("aldeia", "pt-BR", ["village", "mining_village"]),
        ("aldea", "es", ["village", "mining_village"]),
        ("Aldea", "en", ["village", "mining_village"]),
        ("trono", "pt-BR", ["throne_room"]),
        ("thron", "en", ["throne_room"]),
        ("THRONE", "es", ["throne_room"]),
        ("salon del trono", "pt-BR", ["throne_room"]),
        ("Sala do Trono", "en", ["throne_room"]),
        ("sala", "pt-BR", ["council_room", "throne_room", "great_hall"]),
        ("merc", "pt-BR", ["market", "merchant"]),
        ("mercador", "pt-BR", ["merchant"]),
        ("mina", "es", ["mine"]),
        ("cobre", "es", ["copper", "coppersmith"]),
        ("artesano", "es", ["artisan", "coppersmith"]),
        ("maldicao", "pt-BR", ["curse"]),
        ("pozo", "en", ["wishing_well"]),
        ("desejos", "es", ["wishing_well"]),
        ("farm", "pt-BR", ["harem"]),
        ("minion", "pt-BR", ["minion"]),
    ),
)
def test_a_card_is_found_by_its_names(query: str, language: str, expected: list[str]) -> None:
    assert found(query, language, len(expected)) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    (
        ("torno", "throne_room"),
        ("trhone", "throne_room"),
        ("vilage", "village"),
        ("burocrta", "bureaucrat"),
        ("brxa", "witch"),
        ("saboteru", "saboteur"),
        ("laboratrio", "laboratory"),
        ("conspriador", "conspirator"),
        ("jradins", "gardens"),
    ),
)
def test_a_slip_of_the_finger_is_forgiven(query: str, expected: str) -> None:
    assert found(query, "pt-BR", 1) == [expected]


def test_a_card_is_found_by_its_names_in_all_languages() -> None:
    book = house_book()
    names = {
        (card, name.text): found(name.text, "en", 1)
        for card in book.names
        for name in book.names[card].languages.values()
    }

    assert [key for key, first in names.items() if first != [key[0]]] == []


@pytest.mark.parametrize(
    ("query", "language", "expected"),
    (
        ("trono bruxa", "pt-BR", "O que faz Sala do Trono na Bruxa?"),
        ("another throne room", "en", "What does Throne Room on another Throne Room do?"),
        ("cuantas cartas de provincia", "es", "¿Cuántas cartas de Provincia usamos?"),
        ("empate", "pt-BR", "Acabaram as cartas de Província e há empate em pontos: quem vence?"),
        ("two types tribute", "en", "What does a card of two types give with the Tribute?"),
        ("quem escolhe trapaceiro", "pt-BR", "Quem escolhe a carta nova do Trapaceiro?"),
        ("moat mascarada", "es", "¿El Foso detiene la Mascarada o la Sala del Consejo?"),
    ),
)
def test_a_question_is_found_by_its_words(query: str, language: str, expected: str) -> None:
    assert first_question(query, language) == expected


def test_a_named_card_brings_all_its_questions_with_the_fitting_one_first() -> None:
    hit = search_book(house_book(), "chapel four", "en", 1)[0]

    assert {ruling.number for ruling in hit.rulings} == {1, 2, 3, 4}
    assert house_book().ask(hit.rulings[0], "en") == "Do I have to trash four cards with the Chapel?"


def test_a_card_found_by_a_question_alone_brings_that_question_alone() -> None:
    hits = search_book(house_book(), "harem", "en")

    assert [(hit.card, len(hit.rulings)) for hit in hits] == [("harem", 4), ("bandit", 1), ("mine", 1)]


@pytest.mark.parametrize("query", ("", "   ", "!?", "qwertz", "\x00", "日本"))
def test_nothing_is_found_by_nothing(query: str) -> None:
    assert found(query, "pt-BR") == []


def test_a_book_of_letters_is_no_harm() -> None:
    assert found("trono " + "x" * 100_000, "pt-BR", 1) == ["throne_room"]


@pytest.mark.parametrize(
    "query", ("throne room on a village", "qwertz asdfgh yxcvbn", "a", "burocrta saboteru")
)
def test_searching_takes_a_few_milliseconds(query: str) -> None:
    search_book(house_book(), query, "en")

    assert min(repeat(lambda: search_book(house_book(), query, "en"), number=1, repeat=20)) < 0.02


@pytest.mark.parametrize(
    ("word", "known", "expected"),
    (("", "trono", 0), ("tron", "trono", 0), ("torno", "trono", 1), ("xrono", "trono", 1), ("abc", "xyz", 3)),
)
def test_slips_are_counted_to_the_nearest_beginning(word: str, known: str, expected: int) -> None:
    assert slips_to_beginning(word, known) == expected


def test_words_have_no_accents_and_no_signs() -> None:
    assert words_of("¿Salón del TRONO… Ñandú/ção?") == ("salon", "del", "trono", "nandu", "cao")
