"""What the cards are called, and who says so."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.core.errors import NotationError
from companion.games.dominion.rules.cards import CARDS
from companion.games.dominion.rules.names import LANGUAGES, LocalName, NameOrigin, own_names, read_names
from companion.games.dominion.text.rulings import house_book

BOXES = ("base", "dominion-2e", "intrigue-1e")

# Rulebook 000, "Conteúdo"; the last line is from its "Combinações Recomendadas", which mix both boxes.
PRINTED_IN_PORTUGUESE = [
    *"Cobre Prata Ouro Propriedade Ducado Província Maldição Artesão Bandido Burocrata Adega Capela Festival"
    " Vaticinador Laboratório Biblioteca Mercado Mercador Milícia Mina Fosso Agiota Gatuno Remodelar Sentinela"
    " Forja Vassalo Aldeia Bruxa Oficina Jardins".split(),
    *("Sala do Conselho", "Sala do Trono"),
    *("Servo", "Nobreza", "Peão", "Ponte", "Vila Mineradora", "Povoado Carente", "Harém", "Trapaceiro"),
]
# Rulebook 003, "Componentes"; those of Dominion are from its examples and "Ideas de Partidas".
PRINTED_IN_SPANISH = [
    *"Cobre Plata Oro Finca Ducado Provincia Maldición Barón Conspirador Chabolas Embaucador Esbirro Explorador"
    " Fundición Mascarada Mayordomo Mejora Patio Peón Puente Saboteador Torturador Tributo Duque Harén Nobles"
    " Aldea Taller Foso Mina Remodelar Burócrata Milicia Biblioteca Bruja Festival".split(),
    *("Aldea Minera", "Artesano del Cobre", "Cámara Secreta", "Pozo de los Deseos", "Puesto Comercial"),
    *("Gran Sala", "Salón del Trono", "Sala del Consejo"),
]


def names_from(language: str, *origins: NameOrigin) -> list[str]:
    found = (names.languages[language] for names in house_book().names.values())
    return sorted(name.text for name in found if name.origin in origins)


def test_every_card_of_both_boxes_has_a_name_in_three_languages() -> None:
    cards = {card.id for card in CARDS.values() if card.box in BOXES}

    named = {card for card, names in house_book().names.items() if set(names.languages) == set(LANGUAGES)}

    assert named == cards
    assert len(named) == 7 + 26 + 25


def test_the_english_names_are_those_of_the_cards() -> None:
    cards = {card.id: card.name for card in CARDS.values() if card.box in BOXES}

    assert {card: house_book().name(card, "en") for card in house_book().names} == cards


def test_portuguese_names_are_the_printed_ones() -> None:
    assert names_from("pt-BR", NameOrigin.DOMINION) == sorted(PRINTED_IN_PORTUGUESE)


def test_spanish_names_are_the_printed_ones() -> None:
    assert names_from("es", NameOrigin.INTRIGUE) == sorted(PRINTED_IN_SPANISH)


def test_what_no_rulebook_prints_is_marked() -> None:
    book = house_book()

    assert book.names["moat"].name("pt-BR").marked is False
    assert book.names["moat"].name("es").marked is False
    assert book.names["cellar"].name("es") == LocalName("Sótano", NameOrigin.LIST)
    assert book.names["cellar"].name("es").marked is True
    assert book.names["duke"].name("pt-BR") == LocalName("Duque", NameOrigin.OURS)
    assert book.names["duke"].name("pt-BR").marked is True


def test_seventeen_portuguese_names_are_our_own_and_no_others() -> None:
    ours = {language: names_from(language, NameOrigin.OURS) for language in LANGUAGES}

    assert len(ours["pt-BR"]) == 17
    assert (ours["es"], ours["en"]) == ([], [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_cards_have_the_same_name(language: str) -> None:
    names = Counter(house_book().name(card, language) for card in house_book().names)

    assert [name for name, count in names.items() if count > 1] == []


def test_a_card_of_your_own_has_the_names_you_gave_it() -> None:
    names = own_names("harbour", {"es": "Puerto"})

    assert names.name("pt-BR") == LocalName("Puerto", NameOrigin.BOX)
    assert names.name("pt-BR").marked is False


def test_a_name_may_say_nothing_of_where_it_is_from() -> None:
    names = read_names({"harbour": {"en": {"name": "Harbour"}, "also": ["Port"]}}, "mine.toml")

    assert names["harbour"].languages == {"en": LocalName("Harbour", NameOrigin.BOX)}
    assert names["harbour"].also == ("Port",)


@pytest.mark.parametrize(
    ("rows", "said"),
    (
        ([], "mine.toml: names: it needs a heading of its own, in square brackets"),
        (
            {"Har bour": {}},
            "mine.toml: names.Har bour: this is no id of a card: use small letters, digits and _",
        ),
        ({"a": "b"}, "mine.toml: names.a: it needs a heading of its own, in square brackets"),
        ({"a": {}}, "mine.toml: names.a: a card needs a name in at least one of pt-BR, es, en"),
        ({"a": {"pt": {}}}, "mine.toml: names.a: “pt” has no meaning here; known are pt-BR"),
        ({"a": {"en": {}}}, "mine.toml: names.a.en: “name” needs a text of 40 characters at most"),
        (
            {"a": {"en": {"name": "x" * 41}}},
            "mine.toml: names.a.en: “name” needs a text of 40 characters at most",
        ),
        (
            {"a": {"en": {"name": "x\u202ey"}}},
            "mine.toml: names.a.en: “name” needs a text of 40 characters at most",
        ),
        (
            {"a": {"en": {"name": "x", "from": "me"}}},
            "mine.toml: names.a.en: “from” is one of rulebook-000, rulebook-003, list, ours, box",
        ),
        (
            {"a": {"en": {"name": "x", "from": []}}},
            "mine.toml: names.a.en: “from” is one of rulebook-000, rulebook-003, list, ours, box",
        ),
        (
            {"a": {"en": {"name": "x"}, "also": ["y"] * 13}},
            "mine.toml: names.a: “also” is a list of 12 other names at most",
        ),
        (
            {"a": {"en": {"name": "x"}, "also": [1]}},
            "mine.toml: names.a: “also” needs a text of 40 characters at most",
        ),
    ),
)
def test_a_wrong_name_is_told_with_its_place(rows: object, said: str) -> None:
    with pytest.raises(NotationError) as error:
        read_names(rows, "mine.toml")

    assert str(error.value) == said
